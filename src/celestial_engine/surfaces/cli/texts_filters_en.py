"""Filters and stars."""

from __future__ import annotations

FILTERS: dict[str, str] = {
    "help.rate": "give a memory one to five stars",
    "arg.stars": "1 to 5",
    "opt.only_session": "only of this session",
    "opt.only_persona": "only of this persona",
    "opt.only_domain": "only of this domain",
    "opt.only_project": "only of this project",
    "opt.only_tag": "only with this tag; may be given several times, then with all of them",
    "opt.since": "only from this moment on: 2025-10-10, or 2025-10-10T09:30 (your time zone unless it names one)",
    "opt.until": "only up to this moment; a day counts to its end",
    "opt.min_importance": "only of at least this importance",
    "opt.only_emotion": "only with this emotion",
    "reason.not_a_moment": "{value} is not a moment such as 2025-10-10 or 2025-10-10T09:30",
    "event.rated": "rated",
    "detail.rating": "stars",
    "field.links": "links",
    "say.rated": "{id} has {stars} of 5 stars; its importance is {importance} ({source}).",
}
