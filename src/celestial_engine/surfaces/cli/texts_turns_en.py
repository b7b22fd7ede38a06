"""What a turn of a conversation leaves."""

from __future__ import annotations

TURNS: dict[str, str] = {
    "event.mentioned": "mentioned again",
    "event.influenced": "changed what was done",
    "event.rewarded": "feedback",
    "event.learned": "learned",
}
