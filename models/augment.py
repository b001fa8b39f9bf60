"""What is varied on the training device, so that a picture used again is not the same picture."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor


def quarter_turns(images: Tensor, objects: Tensor) -> tuple[Tensor, Tensor]:
    """Turn each square picture (N, 3, S, S) by 0 to 3 quarters; `objects` (N, M, 17) rows of class, box, 4 corners.

    Both are changed in place.
    """
    turns = torch.randint(4, (len(images),), device=images.device)
    for quarters in (1, 2, 3):
        rows = (turns == quarters).nonzero()[:, 0]
        images[rows] = images[rows].rot90(quarters, (2, 3))
        objects[rows] = _turned(objects[rows], quarters)
    return images, objects


def _turned(objects: Tensor, quarters: int) -> Tensor:
    kind, centre, size, corners = objects.split((1, 2, 2, 12), 2)
    corners = corners.unflatten(2, (4, 3))
    points, visible = corners[..., :2], corners[..., 2:]
    for _ in range(quarters):
        centre, size, points = _quarter(centre), size.flip(-1), _quarter(points)
    return torch.cat([kind, centre, size, torch.cat([points, visible], 3).flatten(2)], 2)


def _quarter(xy: Tensor) -> Tensor:
    """`rot90` counter-clockwise of points in 0..1."""
    return torch.stack([xy[..., 1], 1 - xy[..., 0]], -1)


def other_light(images: Tensor, tint: float, gain: float, contrast: float, noise: float) -> Tensor:
    """Vary tint, brightness, contrast of pictures (N, 3, H, W) in 0..1 by these shares; add noise up to `noise`."""
    n, device = len(images), images.device

    def one(spread: float) -> Tensor:
        return 1 + spread * (2 * torch.rand(n, 1, 1, 1, device=device) - 1)

    x = images * (1 + tint * torch.randn(n, 3, 1, 1, device=device)) * one(gain)
    middle = x.mean((1, 2, 3), keepdim=True)
    x = (x - middle) * one(contrast) + middle
    return (x + torch.randn_like(x) * (noise * torch.rand(n, 1, 1, 1, device=device))).clamp(0, 1)


def jolted(images: Tensor, turn_rad: float, zoom: float, shift: float) -> Tensor:
    """Turn, scale and shift pictures (N, 3, H, W) a little; `shift` in shares of their sides."""
    n, height, width = len(images), images.shape[2], images.shape[3]
    angle, scale, dx, dy = torch.randn(4, n, device=images.device)
    angle, scale = turn_rad * angle, torch.exp(zoom * scale)
    cos, sin = torch.cos(angle) * scale, torch.sin(angle) * scale
    top = torch.stack([cos, -sin * height / width, 2 * shift * dx], 1)
    bottom = torch.stack([sin * width / height, cos, 2 * shift * dy], 1)
    grid = F.affine_grid(torch.stack([top, bottom], 1), [n, 3, height, width], align_corners=False)
    return F.grid_sample(images, grid, padding_mode="border", align_corners=False)


def some_softened(images: Tensor, share: float) -> Tensor:
    """Blur this share of the pictures (N, 3, H, W) a little."""
    soft = F.avg_pool2d(F.pad(images, (1, 1, 1, 1), mode="replicate"), 3, 1)
    return torch.where(torch.rand(len(images), 1, 1, 1, device=images.device) < share, soft, images)
