"""The template types of imagination, shared by all languages."""

from __future__ import annotations

from typing import NamedTuple


class Cue(NamedTuple):
    """A condition of the present: its pattern, and its wording in a sentence.

    `setting` comes first, `because` is the reason, `spoken` and `noticed` are the same in direct speech. {word} is
    the word that matched.
    """

    pattern: str
    setting: str
    because: str
    spoken: str
    noticed: str


class Idea(NamedTuple):
    """A suggestion: the thing in a memory and the moments it requires, and its wording.

    {scene} is the moment as a reason, {said} the moment in direct speech, {thing} what the memory is about.
    """

    scenario: str
    action: str
    emotion: str
    thing: str | None = None  # a key of THINGS that some memory must match
    moments: tuple[str, ...] = ()  # any of these must be true now
    against: tuple[str, ...] = ()  # none of these may be true now
    parts: tuple[str, ...] = ()  # or it must be this part of the day
