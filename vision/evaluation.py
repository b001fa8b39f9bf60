"""`burraco eval`: the line the player gets, measured on labelled photos."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scoring.regolamento import load_regolamento
from vision.answers import Asked, ask, asked_lines
from vision.calibration import Calibration, calibrate, calibration_lines
from vision.labels import LabelledPhoto, load_labels
from vision.line import MODELS_DIR, TableReader
from vision.matching import ByMeld, ByPlace, Matched, match_photo
from vision.photo import load_photo

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Sequence

    from scoring.regolamento import Regolamento
    from vision.table import TableReading


@dataclass(frozen=True, slots=True)
class PhotoResult:
    """One photo measured: with the rules (or without, where so asked), the cards the rules changed, and the time; what
    asking and certainty are worth, where that was wanted."""

    photo: LabelledPhoto
    matched: Matched
    changed: tuple[str, ...]
    found_otherwise: int
    seconds: float
    asked: Asked | None = None
    calibration: Calibration | None = None


@dataclass(slots=True)
class Figures:
    """Sums over photos. Found and missed are of all true cards, exact and invented of the complete photos."""

    photos: int = 0
    exact: int = 0
    complete: int = 0
    cards: int = 0
    found: int = 0
    missed: int = 0
    invented: int = 0
    seconds: float = 0.0
    by_place: ByPlace = field(default_factory=ByPlace)
    by_meld: ByMeld = field(default_factory=ByMeld)

    def add(self, result: PhotoResult) -> None:
        """Count one photo in."""
        matched = result.matched
        self.photos += 1
        self.complete += matched.exact is not None
        self.exact += bool(matched.exact)
        self.found += len(matched.found)
        self.missed += len(matched.missed)
        self.cards += len(matched.found) + len(matched.missed)
        self.invented += len(matched.invented)
        self.seconds += result.seconds
        self.by_place += matched.by_place or ByPlace()
        self.by_meld += matched.by_meld or ByMeld()

    def as_dict(self) -> dict[str, Any]:
        """The figures for `--json`; `seconds` is the mean of a photo."""
        names = ("photos", "exact", "cards", "found", "missed", "invented")
        out: dict[str, Any] = {name: getattr(self, name) for name in names}
        out["seconds"] = round(self.seconds / max(self.photos, 1), 3)
        if self.by_meld.tables:
            out |= {name: getattr(self.by_meld, name) for name in ByMeld.__slots__}
        if self.by_place.cards:
            out["by_place"] = {name: getattr(self.by_place, name) for name in ByPlace.__slots__}
        return out


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `burraco eval`."""
    parser.add_argument("folder", type=Path, metavar="DIR", help="photos with a labels.json")
    parser.add_argument("--regolamento", default="fibur", help="rules to read with")
    parser.add_argument("--no-rules", action="store_true", help="every card's best answer; lists what rules change")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the result")
    parser.add_argument("--models", type=Path, default=MODELS_DIR, metavar="DIR", help="folder with the weights")
    parser.add_argument("--detector", choices=("onnx", "ultralytics"), default="onnx")
    parser.add_argument("--weights", type=Path, help="the .pt file for --detector ultralytics")
    parser.add_argument("--only", metavar="TEXT", help="only photos of this kind, half, or whose name holds the text")
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N photos")
    parser.add_argument("--answers", type=int, metavar="N", help="answer N of each table's questions from the labels")
    parser.add_argument("--calibration", action="store_true", help="print how far the line's certainty can be believed")


def run(args: argparse.Namespace) -> int:
    """Measure and print.

    Raises LabelsError, RegolamentoError, DetectorError, PhotoError or OSError where the folder, the rules or the
    weights cannot be used.
    """
    regolamento = load_regolamento(args.regolamento)
    photos = _chosen(load_labels(args.folder), args.only, args.limit)
    reader = _reader(args)
    wanted = {"answers": args.answers, "calibration": args.calibration, "rules": not args.no_rules}
    results = list(evaluate(args.folder, photos, reader, regolamento, **wanted, note=_progress))
    print(report(results, rules=not args.no_rules))
    for line in _asked_lines(results, args.answers or 0) + _calibration_lines(results):
        print(line)
    if args.json:
        args.json.write_text(json.dumps(as_dict(results), ensure_ascii=False, indent=1) + "\n", "utf-8")
    return 0


def _reader(args: argparse.Namespace) -> TableReader:
    if args.detector == "ultralytics":
        return TableReader.with_ultralytics(args.weights or args.models / "index.pt", args.models)
    return TableReader(args.models)


def _chosen(photos: list[LabelledPhoto], only: str | None, limit: int | None) -> list[LabelledPhoto]:
    kept = [photo for photo in photos if not only or only in (photo.kind, photo.half.value) or only in photo.name]
    return kept[:limit]


def _progress(done: int, total: int) -> None:
    if sys.stderr.isatty():
        print(f"\r{done}/{total}", end="\n" if done == total else "", file=sys.stderr, flush=True)


def evaluate(
    folder: Path,
    photos: Sequence[LabelledPhoto],
    reader: TableReader,
    regolamento: Regolamento,
    *,
    rules: bool = True,
    answers: int | None = None,
    calibration: bool = False,
    note: Callable[[int, int], None] | None = None,
) -> Iterable[PhotoResult]:
    """Read every photo and compare it with its labels, in order; the time runs from bytes to reading."""
    for done, labelled in enumerate(photos, start=1):
        start = time.perf_counter()
        photo = load_photo((folder / labelled.name).read_bytes())
        sight = reader.see(photo)
        reading = reader.interpret(sight, photo, regolamento, rules)
        seconds = time.perf_counter() - start
        other = reader.interpret(sight, photo, regolamento, not rules)
        matched = match_photo(labelled, reading, regolamento)
        otherwise = len(match_photo(labelled, other, regolamento).found)
        asks = answers is not None and labelled.melds is not None
        yield PhotoResult(
            labelled, matched, _changes(reading, other, rules), otherwise, seconds,
            ask(labelled, reading, regolamento, answers or 0) if asks else None,
            calibrate(labelled, sight, reading, regolamento) if calibration else None,
        )  # fmt: skip
        if note:
            note(done, len(photos))


def _changes(reading: TableReading, other: TableReading, rules: bool) -> tuple[str, ...]:
    """Cards that the rules turned into others, as `6♠ → 9♠`."""
    with_rules, without = (reading, other) if rules else (other, reading)
    named = {card.quad: card.card for card in without.cards}
    pairs = [(named.get(card.quad), card.card) for card in with_rules.cards]
    return tuple(f"{before} → {after}" for before, after in pairs if before is not None and before != after)


def grouped(results: Iterable[PhotoResult], key: Callable[[PhotoResult], str]) -> dict[str, Figures]:
    """Figures by a key of the photo, in order of first appearance."""
    sums: dict[str, Figures] = {}
    for result in results:
        sums.setdefault(key(result), Figures()).add(result)
    return sums


def _several(results: Iterable[PhotoResult]) -> list[PhotoResult]:
    return [result for result in results if len(result.photo.cards) >= 2]


def as_dict(results: Sequence[PhotoResult]) -> dict[str, Any]:
    """The result as `--json` keeps it."""

    def figures(key: Callable[[PhotoResult], str], over: Sequence[PhotoResult] = results) -> dict[str, Any]:
        return {name: sums.as_dict() for name, sums in grouped(over, key).items()}

    several = _several(results)
    return {
        "total": figures(lambda _: "total").get("total", Figures().as_dict()),
        "kinds": figures(lambda result: result.photo.kind),
        "two_or_more": figures(lambda _: "all", several).get("all", Figures().as_dict()),
        "sources": figures(lambda result: result.photo.source),
        "halves": figures(lambda result: result.photo.half.value, several),
        **_asked_dict(results),
        "photos": {
            result.photo.name: {
                "found": list(result.matched.found),
                "missed": list(result.matched.missed),
                "invented": list(result.matched.invented),
            }
            for result in results
        },
    }


def _asked_dict(results: Sequence[PhotoResult]) -> dict[str, Any]:
    """What asking was worth, only where it was asked for: all tables, and those that hide something apart."""
    asked = [result for result in results if result.asked]
    if not asked:
        return {}
    parts = {"all": asked, "hidden": [result for result in asked if result.photo.hides]}
    sums = {name: sum((r.asked for r in part if r.asked), Asked()) for name, part in parts.items()}
    return {"asked": {name: {key: getattr(one, key) for key in Asked.__slots__} for name, one in sums.items()}}


def report(results: Sequence[PhotoResult], *, rules: bool) -> str:
    """The tables as text: total, photos of two or more cards, kinds, halves, sources; what the rules changed."""
    lines = [f"{'':44}{'photos':>7}{'exact':>7}{'cards':>7}{'found':>8}{'missed':>8}{'invented':>10}{'s/photo':>9}"]
    lines.append(_line("total", grouped(results, lambda _: "")))
    several = _several(results)
    lines.append(_line("two or more cards", grouped(several, lambda _: "")))
    for title, over, key in (
        ("kind", results, lambda result: result.photo.kind),
        ("half, two or more cards", several, lambda result: result.photo.half.value),
        ("source", results, lambda result: result.photo.source or "-"),
    ):
        lines.append(f"-- {title}")
        lines += [_line(name, {"": sums}) for name, sums in sorted(grouped(over, key).items())]
    lines += _extra_lines(grouped(results, lambda _: "").get("", Figures()))
    lines += _rules_lines(results, rules)
    return "\n".join(lines)


def _asked_lines(results: Sequence[PhotoResult], most: int) -> list[str]:
    every = [(result.photo, result.asked) for result in results if result.asked]
    apart = [asked for photo, asked in every if photo.hides]
    return asked_lines(sum((asked for _, asked in every), Asked()), sum(apart, Asked()), most) if every else []


def _calibration_lines(results: Sequence[PhotoResult]) -> list[str]:
    lines = []
    for half in dict.fromkeys(result.photo.half for result in results):
        kept = [result.calibration for result in results if result.calibration and result.photo.half is half]
        lines += calibration_lines(half.value, kept) if kept else []
    return lines


def _line(name: str, sums: dict[str, Figures]) -> str:
    one = sums.get("", Figures())
    cards = max(one.cards, 1)
    return (
        f"{name[:43]:44}{one.photos:7}{one.exact:7}{one.cards:7}{one.found / cards:8.1%}{one.missed:8}"
        f"{one.invented / cards:10.1%}{one.seconds / max(one.photos, 1):9.2f}"
    )


def _extra_lines(total: Figures) -> list[str]:
    lines = []
    place, meld = total.by_place, total.by_meld
    if place.cards:
        others = max(place.cards - place.jolly, 1)
        lines += [
            f"by place: {place.right}/{place.cards} right ({place.right / place.cards:.1%})",
            f"  equal pairs kept as two {place.kept}/{place.pairs} ({place.kept / max(place.pairs, 1):.1%}), "
            f"single cards counted twice {place.twice}/{place.singles} ({place.twice / max(place.singles, 1):.1%})",
            f"  jolly {place.jolly_right}/{place.jolly} ({place.jolly_right / max(place.jolly, 1):.1%}), "
            f"other cards {(place.right - place.jolly_right) / others:.1%}",
        ]
    if meld.tables:
        lines.append(
            f"melds exact {meld.melds_exact}/{meld.melds} ({meld.melds_exact / max(meld.melds, 1):.1%}), "
            f"points exact {meld.points_exact}/{meld.tables} ({meld.points_exact / meld.tables:.1%})"
        )
    return lines


def _rules_lines(results: Sequence[PhotoResult], rules: bool) -> list[str]:
    here = sum(len(result.matched.found) for result in results)
    other = sum(result.found_otherwise for result in results)
    with_rules, without = (here, other) if rules else (other, here)
    changes = Counter(change for result in results for change in result.changed)
    lines = [f"found with rules {with_rules}, without {without}; cards changed by the rules: {changes.total()}"]
    if not rules:
        lines += [f"  {result.photo.name}: {', '.join(result.changed)}" for result in results if result.changed]
    return lines
