"""A project's own memory: a marker file, .celestial.toml, in the project's folder or one above the working folder.

A marker chooses among memories and sets nothing else: it may come with a repository that somebody else wrote.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from celestial_engine.config.file import parsed_toml
from celestial_engine.errors import ConfigFileError, Expected, Problem, ProjectFileError, Reason, problem

MARKER = ".celestial.toml"
VARIABLE = "CELESTIAL_PROJECT"
NO_PROJECT = "none"
_SECTION, _KEYS = "project", ("name", "path")
_MOST_CHARACTERS = 80
_BETWEEN = "@"  # of agent and project in the owner's name; no project has it in its own


class Project(NamedTuple):
    """The name that keeps its memories apart, and its database if it has one of its own."""

    name: str
    database: str | None = None


def agent_of(agent: str, project: str) -> str:
    """Returns the agent whose memories are this project's alone."""
    return f"{agent}{_BETWEEN}{project}"


def is_project_name(name: object) -> bool:
    return (
        isinstance(name, str)
        and name == name.strip()
        and 0 < len(name) <= _MOST_CHARACTERS
        and name.isprintable()
        and _BETWEEN not in name
    )


def find_project(folder: str) -> Project | None:
    """Returns the project of a folder, by the nearest marker; raises if that cannot be read.

    With a marker that is wrong, going on with the user's general memory would mix what should stay apart.
    """
    here = os.path.realpath(folder)
    while True:
        path = os.path.join(here, MARKER)
        if os.path.lexists(path):
            if not _is_trusted(path):
                cause = "it belongs to another user of this machine"
                raise ProjectFileError(path, problem(MARKER, Reason.NOT_ACCEPTED, cause=cause))
            return _read(path)
        above = os.path.dirname(here)
        if above == here:
            return None
        here = above


def _is_trusted(path: str) -> bool:
    """Whether the user, or the system, owns the marker: in a shared folder others could choose a memory for us."""
    if not hasattr(os, "geteuid"):  # Windows
        return True
    try:
        return os.stat(path).st_uid in (os.geteuid(), 0)
    except OSError:
        return True  # reading it tells what is wrong


def _read(path: str) -> Project:
    try:
        tree = parsed_toml(path)
    except ConfigFileError as error:
        raise ProjectFileError(path, *error.problems) from None
    section = tree.get(_SECTION, {})
    problems = [
        problem(key, Reason.UNKNOWN_SETTING, got=key, section=_SECTION, choices=_KEYS) for key in _unknown(tree)
    ]
    if problems or not isinstance(section, Mapping):
        raise ProjectFileError(path, *(problems or [_wrong(_SECTION, Expected.OBJECT, section)]))
    folder = os.path.dirname(path)
    name, database = section.get("name", _name_of(folder)), section.get("path")
    if not is_project_name(name):
        problems.append(_wrong("project.name", Expected.TEXT, name))
    inside = None if database is None else _inside(folder, database)
    if database is not None and inside is None:
        problems.append(_wrong("project.path", Expected.PATH_IN_PROJECT, database))
    if problems:
        raise ProjectFileError(path, *problems)
    return Project(name, inside)


def _unknown(tree: Mapping[str, Any]) -> list[str]:
    section = tree.get(_SECTION)
    inner = [] if not isinstance(section, Mapping) else [f"{_SECTION}.{key}" for key in section if key not in _KEYS]
    return [*(key for key in tree if key != _SECTION), *inner]


def _name_of(folder: str) -> str:
    """Returns a name that no other folder has, and no other marker can guess by accident."""
    from hashlib import sha256  # only a marker without a name needs it

    digest = sha256(os.fsencode(folder)).hexdigest()[:12]
    kept = "".join(letter for letter in os.path.basename(folder) if letter.isalnum() or letter in "-_.")
    return f"{kept[:40]}-{digest}".lstrip("-")


def _inside(folder: str, path: object) -> str | None:
    """Returns the path of a database in the project's folder; None if it lies elsewhere."""
    if not isinstance(path, str) or not path or "\0" in path or os.path.isabs(path):
        return None
    whole = os.path.realpath(os.path.join(folder, path))
    return whole if whole.startswith(os.path.join(folder, "")) else None


def _wrong(name: str, expected: Expected, got: object) -> Problem:
    return problem(name, Reason.WRONG_VALUE, expected=expected, got=got)
