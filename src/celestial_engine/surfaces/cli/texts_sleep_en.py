"""What sleep does."""

from __future__ import annotations

SLEEP: dict[str, str] = {
    "event.faded": "faded",
    "event.went_inactive": "went inactive",
    "event.merged": "merged",
    "event.superseded": "superseded",
    "event.promoted": "promoted",
    "event.nominated": "nominated",
    "event.appraised": "appraised anew",
    "event.slept": "slept",
}
