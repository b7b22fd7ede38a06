"""The options that say which memories."""

from __future__ import annotations

import argparse

from celestial_engine.surfaces.cli.texts import Texts

# Written out, so that asking for help loads no engine; a test compares them with the engine's own.
EMOTIONS = ("joy", "sadness", "anger", "fear", "disgust", "anxiety", "envy", "ennui", "nostalgia", "neutral")
_OPTIONS = (
    ("--session", "ID", "only_session"),
    ("--persona", "ID", "only_persona"),
    ("--domain", "NAME", "only_domain"),
    ("--project", "NAME", "only_project"),
    ("--since", "MOMENT", "since"),
    ("--until", "MOMENT", "until"),
    ("--min-importance", "0..1", "min_importance"),
)


def add_filter_options(options: argparse._ArgumentGroup, texts: Texts) -> None:
    """To a command that finds or lists memories."""
    for option, metavar, key in _OPTIONS:
        options.add_argument(option, metavar=metavar, help=texts(f"opt.{key}"))
    options.add_argument("--tag", metavar="TAG", action="append", default=[], help=texts("opt.only_tag"))
    options.add_argument("--emotion", choices=EMOTIONS, metavar="EMOTION", help=texts("opt.only_emotion"))
