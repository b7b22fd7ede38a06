"""The options that say which memories, and where a new one lies."""

from __future__ import annotations

import argparse

from celestial_engine.surfaces.cli.texts.catalogue import Texts

# Written out, so that asking for help loads no engine; a test compares them with the engine's own.
EMOTIONS = ("joy", "sadness", "anger", "fear", "disgust", "anxiety", "envy", "ennui", "nostalgia", "neutral")
CONTENT_TYPES = ("user_input", "persona_response", "system_event")
SOURCES = ("user", "conversation", "observation", "import")  # distilling and imagining is the engine's
_OPTIONS = (
    ("--session", "ID", "only_session"),
    ("--persona", "ID", "only_persona"),
    ("--domain", "NAME", "only_domain"),
    ("--project", "NAME", "only_project"),
    ("--since", "MOMENT", "since"),
    ("--until", "MOMENT", "until"),
    ("--min-importance", "0..1", "min_importance"),
)

_COORDINATES = (
    ("--project", "NAME", "at_project"),
    ("--domain", "NAME", "at_domain"),
    ("--depth", "N", "at_depth"),
    ("--persona", "ID", "at_persona"),
    ("--persona-name", "NAME", "at_persona_name"),
    ("--role", "NAME", "at_role"),
    ("--backend", "NAME", "at_backend"),
    ("--intensity", "0..1", "at_intensity"),
    ("--prompt", "TEXT", "at_prompt"),
    ("--summary", "TEXT", "at_summary"),
    ("--parent", "ID", "at_parent"),
)


def add_filter_options(options: argparse._ArgumentGroup, texts: Texts) -> None:
    """To a command that finds or lists memories."""
    for option, metavar, key in _OPTIONS:
        options.add_argument(option, metavar=metavar, help=texts(f"opt.{key}"))
    options.add_argument("--tag", metavar="TAG", action="append", default=[], help=texts("opt.only_tag"))
    options.add_argument("--emotion", choices=EMOTIONS, metavar="EMOTION", help=texts("opt.only_emotion"))


def add_coordinate_options(options: argparse._ArgumentGroup, texts: Texts) -> None:
    """To the command that stores a memory."""
    for option, metavar, key in _COORDINATES:
        options.add_argument(option, metavar=metavar, help=texts(f"opt.{key}"))
    for option, metavar, key in (("--file", "PATH", "at_file"), ("--related", "ID", "at_related")):
        options.add_argument(option, metavar=metavar, action="append", default=[], help=texts(f"opt.{key}"))
    options.add_argument(
        "--emotion", choices=EMOTIONS, metavar="EMOTION", action="append", default=[], help=texts("opt.at_emotion")
    )
    options.add_argument("--type", choices=CONTENT_TYPES, help=texts("opt.at_type"))
    options.add_argument("--source", choices=SOURCES, help=texts("opt.at_source"))
    options.add_argument("--bqi", action="store_true", help=texts("opt.at_bqi"))
