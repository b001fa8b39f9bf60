"""The ring between renderers and network: what it keeps, when renderers wait, and that their faults stop all."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

torch = pytest.importorskip("torch")

from torch.utils.data import IterableDataset  # noqa: E402

from models.ring import Feed, Ring  # noqa: E402

pytestmark = pytest.mark.train_smoke

CPU = torch.device("cpu")


class Counting(IterableDataset):  # type: ignore[type-arg]
    def __init__(self, fails_at: int | None = None) -> None:
        self.fails_at = fails_at

    def __iter__(self) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        number = 0
        while True:
            if number == self.fails_at:
                raise ValueError("the renderer stumbled")
            yield torch.full((1, 2), number % 256, dtype=torch.uint8), torch.tensor([number])
            number += 1


def test_the_ring_keeps_the_last_samples() -> None:
    ring = Ring(4, 1.0, CPU)
    for number in range(6):
        ring.put(torch.full((1, 2), number, dtype=torch.uint8), torch.tensor([number]))
    images, labels = ring.draw(200)
    assert set(labels.tolist()) == {2, 3, 4, 5}
    assert (images[:, 0] == labels).all()


def test_renderers_wait_until_samples_are_used_often_enough() -> None:
    ring = Ring(4, 2.0, CPU)
    ring.put(torch.zeros((4, 2), dtype=torch.uint8), torch.arange(4))
    assert ring.full
    ring.draw(1)
    assert ring.full is False


def test_a_feed_gives_what_is_rendered() -> None:
    feed = Feed(Counting(), Ring(8, 1.0, CPU), 0)
    _, labels = feed.draw(4)
    feed.close()
    assert labels.shape == (4,) and labels.max() < 16


def test_a_renderers_fault_stops_the_training() -> None:
    feed = Feed(Counting(fails_at=20), Ring(16, 1.0, CPU), 0)
    with pytest.raises(ValueError, match="stumbled"):
        for _ in range(1000):
            feed.draw(4)
    feed.close()
