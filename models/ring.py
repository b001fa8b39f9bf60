"""Recent training samples kept on the training device, filled by rendering processes while the network trains."""

from __future__ import annotations

import atexit
import threading
import time

import cv2
import torch
from torch import Tensor
from torch.utils.data import DataLoader, IterableDataset

Samples = tuple[Tensor, Tensor]
WAIT_S = 0.005
MOST_SAMPLES = 2_000_000


def ring_size(device: torch.device, sample_bytes: int, least: int) -> int:
    """How many samples to keep: on a graphics card what half of its free memory holds, else the `least`."""
    if device.type != "cuda":
        return least
    free = int(torch.cuda.mem_get_info(device)[0])
    return max(least, min(MOST_SAMPLES, free // (2 * sample_bytes)))


class Ring:
    """The last `size` samples: pictures (uint8) and labels of fixed shapes, drawn at random.

    A graphics card trains faster than pictures can be drawn, so each is used as often as it must; on a CPU it is the
    other way round, and `full` holds the renderers back until what is here has been used `uses` times.
    """

    def __init__(self, size: int, uses: float, device: torch.device) -> None:
        self.size, self.uses, self.device = size, uses, device
        self.images: Tensor | None = None
        self.labels: Tensor | None = None
        self.came = self.drawn = 0

    @property
    def full(self) -> bool:
        """Whether another sample would push out one that, by count, has not been drawn as often as it should."""
        return self.came - self.drawn / self.uses >= self.size

    @property
    def kept(self) -> int:
        return min(self.came, self.size)

    def put(self, images: Tensor, labels: Tensor) -> None:
        """Add samples (N, …) in the place of the oldest ones."""
        if self.images is None or self.labels is None:
            self.images = torch.zeros((self.size, *images.shape[1:]), dtype=images.dtype, device=self.device)
            self.labels = torch.zeros((self.size, *labels.shape[1:]), dtype=labels.dtype, device=self.device)
        rows = (self.came + torch.arange(len(labels), device=self.device)) % self.size
        self.images[rows], self.labels[rows] = images.to(self.device), labels.to(self.device)
        self.came += len(labels)

    def draw(self, count: int) -> Samples:
        """`count` samples at random, with replacement."""
        assert self.images is not None and self.labels is not None
        rows = torch.randint(self.kept, (count,), device=self.device)
        self.drawn += count
        return self.images[rows], self.labels[rows]


class Feed:
    """A ring with the thread that fills it; a stream yields samples (N, …) and never ends."""

    def __init__(self, stream: IterableDataset[Samples], ring: Ring, workers: int) -> None:
        cv2.setNumThreads(0)  # or the forked renderers wait for ever on the threads that OpenCV started here
        self.ring = ring
        self._fault: BaseException | None = None
        self._closing = False
        # Forked here, not in the thread: a fork beside running threads may copy a lock that nobody opens again.
        self._source = iter(DataLoader(stream, batch_size=None, num_workers=workers))
        self._thread = threading.Thread(target=self._fill, daemon=True)
        self._thread.start()
        atexit.register(self.close)  # a thread cut off inside torch would abort the process

    def draw(self, count: int) -> Samples:
        """`count` samples, as soon as the ring holds twice as many. Raises what stopped the renderers."""
        while self._fault is None and self.ring.kept < min(2 * count, self.ring.size):
            time.sleep(WAIT_S)
        if self._fault is not None:
            raise self._fault
        return self.ring.draw(count)

    def close(self) -> None:
        """Stop rendering."""
        self._closing = True
        self._thread.join()

    def _fill(self) -> None:
        try:
            for images, labels in self._source:
                while self.ring.full and not self._closing:
                    time.sleep(WAIT_S)
                if self._closing:
                    return
                self.ring.put(images, labels)
        except BaseException as fault:
            self._fault = fault
