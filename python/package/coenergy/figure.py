"""Curves as a picture in SVG: no other package is needed, and nothing waits for one."""
from __future__ import annotations

import html
import math
from typing import List, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
COLORS = ("#1f6fb4", "#d1495b", "#2e8b57", "#e0902f", "#6a5acd", "#3aa6a0")


class Figure:
    """Curves over a common axis; shown by notebooks, written by save()."""

    def __init__(self, title: str, x_label: str, logarithmic: bool = False) -> None:
        self.title, self.x_label, self.logarithmic = title, x_label, logarithmic
        self.panels: List[Tuple[str, List[Tuple[str, Floats, Floats]]]] = []

    def add(self, label: str, curves: Sequence[Tuple[str, Floats, Floats]]) -> None:
        """A panel of curves (name, x, y) with the label of its axis."""
        self.panels.append((label, list(curves)))

    def save(self, path: str) -> None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(self._repr_svg_())

    def _repr_svg_(self) -> str:
        width, height, left, right, top, gap = 720, 220, 76, 150, 30, 34
        total = top + len(self.panels) * (height + gap) + 16
        out = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {total}" width="{width}" height="{total}" '
            f'font-family="sans-serif" font-size="11"><rect width="100%" height="100%" fill="white"/>'
            f'<text x="{left}" y="18" font-size="14">{html.escape(self.title)}</text>'
        ]
        for k, (label, curves) in enumerate(self.panels):
            out.append(self._panel(label, curves, left, top + k * (height + gap), width - left - right, height))
        out.append(f'<text x="{left}" y="{total - 4}">{html.escape(self.x_label)}</text></svg>')
        return "".join(out)

    def _panel(
        self, label: str, curves: Sequence[Tuple[str, Floats, Floats]], x0: float, y0: float, w: float, h: float
    ) -> str:
        xs = [self._x(x) for _, x, _ in curves]
        low_x, high_x = _range(xs)
        low_y, high_y = _range([y for _, _, y in curves])
        out = [f'<rect x="{x0}" y="{y0}" width="{w}" height="{h}" fill="none" stroke="#999"/>']
        for value in _ticks(low_y, high_y):
            height = y0 + h - (value - low_y) / (high_y - low_y) * h
            out.append(
                f'<line x1="{x0}" x2="{x0 + w}" y1="{height:.1f}" y2="{height:.1f}" stroke="#e4e4e4"/>'
                f'<text x="{x0 - 6}" y="{height + 4:.1f}" text-anchor="end">{value:.4g}</text>'
            )
        for value in _ticks(low_x, high_x):
            place = x0 + (value - low_x) / (high_x - low_x) * w
            text = 10**value if self.logarithmic else value
            out.append(f'<text x="{place:.1f}" y="{y0 + h + 14}" text-anchor="middle">{text:.4g}</text>')
        out.append(f'<text x="{x0}" y="{y0 - 4}">{html.escape(label)}</text>')
        for k, (name, _, y) in enumerate(curves):
            color = COLORS[k % len(COLORS)]
            out.append(
                f'<path d="{_path(xs[k], y, low_x, high_x, low_y, high_y, x0, y0, w, h)}" fill="none" '
                f'stroke="{color}" stroke-width="1.4"/>'
                f'<text x="{x0 + w + 8}" y="{y0 + 14 + 15 * k}" fill="{color}">{html.escape(name)}</text>'
            )
        return "".join(out)

    def _x(self, x: Floats) -> Floats:
        return np.log10(x) if self.logarithmic else x


def _range(columns: Sequence[Floats]) -> Tuple[float, float]:
    finite = [c[np.isfinite(c)] for c in columns]
    low = min((float(c.min()) for c in finite if c.size), default=0.0)
    high = max((float(c.max()) for c in finite if c.size), default=1.0)
    if low == high:
        low, high = low - (abs(low) or 1) * 0.5, high + (abs(high) or 1) * 0.5
    return low, high


def _ticks(low: float, high: float) -> List[float]:
    raw = (high - low) / 5
    unit = 10 ** math.floor(math.log10(raw))
    step = next(s * unit for s in (1, 2, 5, 10) if s * unit >= raw)
    first = math.ceil(low / step)
    return [0.0 if n == 0 else n * step for n in range(first, math.floor(high / step) + 1)]


def _path(
    x: Floats, y: Floats, low_x: float, high_x: float, low_y: float, high_y: float,
    x0: float, y0: float, w: float, h: float,
) -> str:  # fmt: skip
    """Of many points the least and the greatest of each column of the picture."""
    columns = 1500
    if x.size > 4 * columns:
        edges = np.linspace(0, x.size, columns + 1).astype(int)[:-1]
        low, high = np.minimum.reduceat(y, edges), np.maximum.reduceat(y, edges)
        x, y = np.repeat(x[edges], 2), np.column_stack([low, high]).ravel()
    px = x0 + (x - low_x) / (high_x - low_x) * w
    py = y0 + h - (y - low_y) / (high_y - low_y) * h
    parts, pen = [], "M"
    for a, b in zip(px.tolist(), py.tolist()):
        if math.isfinite(b):
            parts.append(f"{pen}{a:.1f} {b:.1f}")
            pen = "L"
        else:
            pen = "M"
    return "".join(parts)
