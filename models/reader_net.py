"""The reader: a small network that says which card an upright index crop shows."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from vision.crops import CROP_WH

RANKS = 15  # A..K, jolly, none
JOLLY_RANK, NONE_RANK = 13, 14
SUITS = 4
ANSWERS = 54
EMBEDDING = 64


def _block(inputs: int, outputs: int, stride: int = 1, kernel: int = 3) -> nn.Sequential:
    conv = nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False)
    return nn.Sequential(conv, nn.BatchNorm2d(outputs), nn.SiLU(inplace=True))


class _Residual(nn.Module):
    """Two convolutions whose answer is added to what came in."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.inner = nn.Sequential(_block(channels, channels), _block(channels, channels))

    def forward(self, x: Tensor) -> Tensor:
        return x + self.inner(x)


class ReaderNet(nn.Module):
    """Crops (N, 3, 72, 48) in 0..1 → log-probabilities (N, 54) and unit embeddings (N, 64).

    Rank and suit have a head each; their product fills the 52 cards, so that a rank seen with its suit covered
    spreads over four cards. Order of the answers: `scoring.cards.FACES`, then none.
    """

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            _block(3, 24, 2, 5), _block(24, 48, 2), _Residual(48), _block(48, 96, 2), _Residual(96),
            nn.Conv2d(96, 48, 1), nn.SiLU(inplace=True), nn.Flatten(), nn.Dropout(0.1),
            nn.Linear(48 * (CROP_WH[0] // 8) * (CROP_WH[1] // 8), 160), nn.SiLU(inplace=True),
        )  # fmt: skip
        self.embedding = nn.Linear(160, EMBEDDING)
        self.rank = nn.Linear(EMBEDDING, RANKS)
        self.suit = nn.Linear(EMBEDDING, SUITS)

    def heads(self, crops: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Logits of rank (N, 15) and suit (N, 4), and the raw embedding (N, 64)."""
        vector = self.embedding(self.features((crops - 0.5) * 2))
        return self.rank(vector), self.suit(vector), vector

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor]:
        rank, suit, vector = self.heads(crops)
        rank, suit = rank.log_softmax(1), suit.log_softmax(1)
        cards = (suit[:, :, None] + rank[:, None, :13]).flatten(1)
        unit = vector / vector.norm(dim=1, keepdim=True).clamp(min=1e-6)
        return torch.cat([cards, rank[:, 13:]], 1), unit


def targets(faces: Tensor) -> tuple[Tensor, Tensor]:
    """Rank and suit classes of face rows (N,) where 52 is the jolly and 53 none; suit −1 where there is none."""
    plain = faces < 52
    rank = torch.where(plain, faces % 13, faces - 52 + JOLLY_RANK)
    return rank, torch.where(plain, faces // 13, -1)
