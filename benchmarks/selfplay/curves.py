"""Learning curves, drawn by hand: a line of blocks for a terminal, and a small SVG."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

_BLOCKS = "▁▂▃▄▅▆▇█"
_COLOURS = ("#1f77b4", "#2ca02c", "#9467bd", "#ff7f0e", "#d62728", "#8c564b")
_WIDTH, _HEIGHT = 720, 360
_LEFT, _RIGHT, _TOP, _BOTTOM = 60, 120, 40, 50


def sparkline(values: Sequence[float]) -> str:
    """The lowest value as the lowest block, the highest as the highest; what is all the same lies low."""
    low, high = min(values, default=0.0), max(values, default=0.0)
    span = (high - low) or 1.0
    return "".join(_BLOCKS[round((value - low) / span * (len(_BLOCKS) - 1))] for value in values)


def curve_svg(title: str, lines: Mapping[str, Sequence[tuple[float, float]]], level: float) -> str:
    """Lines over turns (on a logarithmic scale from 0), and a dashed level to compare them with."""
    turns = sorted({x for line in lines.values() for x, _ in line})
    values = [y for line in lines.values() for _, y in line] + [level]
    low, high = math.floor(min(values) * 20) / 20, math.ceil(max(values) * 20) / 20
    high = high if high > low else low + 0.05
    reach = math.log1p(turns[-1]) or 1.0

    def across(x: float) -> float:
        return _LEFT + math.log1p(x) / reach * (_WIDTH - _LEFT - _RIGHT)

    def down(y: float) -> float:
        return _TOP + (high - y) / (high - low) * (_HEIGHT - _TOP - _BOTTOM)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" '
        'font-size="12"><rect width="100%" height="100%" fill="white"/>',
        f'<text x="{_LEFT}" y="22" font-size="14">{escape(title)}</text>',
    ]
    steps = round((high - low) / 0.05)
    parts += [
        f'<path d="M{_LEFT} {down(y):.1f}H{_WIDTH - _RIGHT}" stroke="#ddd"/>'
        f'<text x="{_LEFT - 8}" y="{down(y) + 4:.1f}" text-anchor="end">{y:.2f}</text>'
        for y in (low + 0.05 * step for step in range(steps + 1))
    ]
    parts += [
        f'<text x="{across(x):.1f}" y="{_HEIGHT - _BOTTOM + 20}" text-anchor="middle">{x:,.0f}</text>' for x in turns
    ]
    parts.append(f'<path d="M{_LEFT} {down(level):.1f}H{_WIDTH - _RIGHT}" stroke="black" stroke-dasharray="6 4"/>')
    for place, (name, line) in enumerate(lines.items()):
        colour = _COLOURS[place % len(_COLOURS)]
        path = "L".join(f"{across(x):.1f} {down(y):.1f}" for x, y in line)
        parts.append(
            f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
            f'<text x="{_WIDTH - _RIGHT + 10}" y="{_TOP + 16 * (place + 1)}" fill="{colour}">{escape(name)}</text>'
        )
    return "\n".join((*parts, "</svg>", ""))
