"""What the doctor says of one thing."""

from __future__ import annotations

from typing import NamedTuple


class Check(NamedTuple):
    """One thing that was looked at. `status`: ok, note, warning or problem."""

    name: str
    status: str
    message: str
