"""Prompts that a person picks in a client: what to do with the memory right now."""

from __future__ import annotations

from collections.abc import Mapping

import mcp_types as types

from celestial_engine.surfaces.mcp.profiles import Profile
from celestial_engine.surfaces.mcp.texts import Say

NAMES = ("recall", "review", "core", "distill")
_TOOLS = {
    "recall": ("memory_search",),
    "review": ("cliff_list", "memory_restore"),
    "core": ("core_nominations", "core_approve"),
    "distill": ("distill_pending", "distill_commit"),
}
_ARGUMENTS = {"recall": ("question",)}


def prompts(say: Say, profile: Profile) -> list[types.Prompt]:
    """The prompts whose tools the profile lists."""
    return [
        types.Prompt(
            name=name,
            description=say(f"prompt.{name}"),
            arguments=[
                types.PromptArgument(name=argument, description=say(f"prompt.{name}.{argument}"), required=True)
                for argument in _ARGUMENTS.get(name, ())
            ],
        )
        for name in NAMES
        if all(map(profile.lists, _TOOLS[name]))
    ]


def prompt_of(name: str, arguments: Mapping[str, str], say: Say) -> str | None:
    """The text of a prompt; None if there is none of that name, or if it lacks what it asks for."""
    wanted = _ARGUMENTS.get(name, ())
    if name not in NAMES or not all(arguments.get(argument) for argument in wanted):
        return None
    text = say(f"prompt.{name}.text")
    for argument in wanted:  # not format(): user text may hold braces
        text = text.replace("{" + argument + "}", arguments[argument])
    return text
