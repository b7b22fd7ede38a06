"""Advice in error messages, for models: it names tools, never commands of a shell that they may not have."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from celestial_engine.surfaces.mcp.profiles import Profile
from celestial_engine.surfaces.operations.catalogue import OPERATIONS

_COMMAND = re.compile(r"`celestial ([^`]*)`")
# What `install_hints` writes. A requirement may hold a semicolon, so it is recognised before clauses are told apart.
_INSTALL = re.compile(r"pip install (?:-e )?(?:\"[^\"]*\"(?: (?=\"))?)+")
_NO_TOOL = "`celestial install`"
_OPTION = re.compile(r"(?<!\S)\(?--[a-z]")
_AFTER_CLAUSE = re.compile(r"(?<=[.;]) ")


def advice_for_models(message: str, profile: Profile) -> str:
    """Returns the message with tools in place of commands.

    A clause is left out if none of the listed tools does what its command does (none installs anything), or if it
    names an option of the command line.
    """
    tools = _tools(profile)
    first, *others = _AFTER_CLAUSE.split(_INSTALL.sub(_NO_TOOL, message))
    others = [clause for clause in others if not _OPTION.search(clause)]  # what is wrong stands first
    clauses = [_with_tools(clause, tools) for clause in (first, *others)]
    advice = " ".join(clause for clause in clauses if clause is not None)
    return f"{advice[:-1]}." if advice.endswith(";") else advice


def _with_tools(clause: str, tools: Mapping[str, str]) -> str | None:
    commands = _COMMAND.findall(clause)
    if any(command not in tools for command in commands):
        return None
    return _COMMAND.sub(lambda found: f"`{tools[found[1]]}`", clause)


@cache
def _tools(profile: Profile) -> Mapping[str, str]:
    return {
        command.name: operation.name
        for operation in OPERATIONS
        if operation.tool and profile.lists(operation.name)
        for command in operation.commands
        if command.switch is None
    }
