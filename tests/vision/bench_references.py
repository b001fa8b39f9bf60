"""What confirmed cards are worth on decks that the reader names badly: `python -m tests.vision.bench_references`.

Rendered tables of held-out decks; every index is cut as a detector would, a little beside the true place. The first
photo's cards are confirmed with at most five corrections (wrong cards beyond those are left out), the others measured.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from datasets.decks import Deck, make_deck
from datasets.scene import Scene, Studio
from datasets.whole_tables import Wanted, table_of
from vision.crops import index_crops
from vision.line import MODELS_DIR
from vision.reader import NONE_ANSWER, OnnxReader, Readings
from vision.references import References

BADLY, CORRECTIONS, WIDTH_PX = 0.05, 5, 1600
SLIP = 0.03  # of an index's longer side: how far off its box is
FIRST_SEED = 100  # of the decks tried; those below served to choose the numbers of `ReferenceTuning`

Photo = tuple[Readings, NDArray[np.int64], NDArray[np.int64]]


def _photos(reader: OnnxReader, deck: Deck, count: int, seed: int) -> list[Photo]:
    """Readings, true faces and numbers of the cards of all indices that show, photo by photo."""
    rng = np.random.default_rng([seed, deck.seed])
    studio = Studio.make(rng, [], "val", tops=2)
    out = []
    for _ in range(count):
        traits = {"marred": True, "covered": False, "pile": False, "things": False, "stock": False, "discards": False}
        wanted = Wanted(float(rng.uniform(14, 20)), float(rng.uniform(0, 30)), 50, False, False, **traits)
        out.append(_read(reader, rng, table_of(rng, studio, deck, wanted, WIDTH_PX)))
    return out


def _read(reader: OnnxReader, rng: np.random.Generator, scene: Scene) -> Photo:
    boxes = np.array([i.box_xyxy for i in scene.indices])
    sides = (boxes[:, 2:] - boxes[:, :2]).max(axis=1, keepdims=True)
    boxes = boxes + rng.normal(0, SLIP, boxes.shape) * sides
    readings = reader.read(index_crops(scene.image, boxes, np.array([i.quad for i in scene.indices])))
    return readings, np.array([i.face for i in scene.indices]), np.array([i.lay for i in scene.indices])


def _wrong(readings: Readings, faces: NDArray[np.int64]) -> NDArray[np.bool_]:
    return np.asarray(readings.log_probs[:, :NONE_ANSWER].argmax(axis=1) != faces)


def _taught(photo: Photo) -> tuple[References, int]:
    """The references that one photo gives, and how many cards were corrected."""
    readings, faces, lays = photo
    wrong_cards = list(dict.fromkeys(lays[_wrong(readings, faces)].tolist()))
    corrected, left = wrong_cards[:CORRECTIONS], wrong_cards[CORRECTIONS:]
    named = [(row, int(face)) for row, face in enumerate(faces) if lays[row] not in left]
    return References.none().confirmed(readings, named), len(corrected)


def _errors(photos: list[Photo], references: References) -> float:
    after = [_wrong(references.applied(readings), faces) for readings, faces, _ in photos]
    return float(np.concatenate(after).mean())


def main() -> None:
    """Find three badly named decks, teach each, and measure it and the others."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", type=int, default=8, help="later photos a deck")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--models", type=Path, default=MODELS_DIR)
    options = parser.parse_args()
    reader, bad, others = OnnxReader(options.models / "reader.onnx"), list[Deck](), list[list[Photo]]()
    number = FIRST_SEED
    while len(bad) < 3:
        deck = make_deck(number, "val", joker="turned")
        photos = _photos(reader, deck, 1, 999)
        if _errors(photos, References.none()) >= BADLY:
            bad.append(deck)
        else:
            others.append(photos)
        number += 1
    print(f"tried {number - FIRST_SEED} decks; named badly: {', '.join(str(d.seed) for d in bad)}")
    for seed in range(options.seeds):
        later = {deck.seed: _photos(reader, deck, options.photos + 1, seed) for deck in bad}
        for deck in bad:
            references, corrected = _taught(later[deck.seed][0])
            rest = later[deck.seed][1:]
            foreign = others + [later[d.seed] for d in bad if d is not deck]
            worse = [_errors(p, references) - _errors(p, References.none()) for p in foreign]
            before, after = _errors(rest, References.none()), _errors(rest, references)
            print(
                f"seed {seed}, deck {deck.seed}: {corrected} corrections, wrong {before:.1%} -> {after:.1%}; "
                f"other decks at worst {max(worse):+.2%}, mean {np.mean(worse):+.2%}",
                flush=True,
            )


if __name__ == "__main__":
    main()
