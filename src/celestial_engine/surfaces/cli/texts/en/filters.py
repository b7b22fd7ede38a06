"""Filters, coordinates and stars."""

from __future__ import annotations

FILTERS: dict[str, str] = {
    "help.rate": "give a memory one to five stars",
    "event.rated": "rated",
    "detail.rating": "stars",
    "field.links": "links",
    "say.rated": "{id} has {stars} of 5 stars; its importance is {importance} ({source}).",
}
