"""The shapes that the imagination's words come in, the same for every language."""

from __future__ import annotations

from typing import NamedTuple


class Cue(NamedTuple):
    """Something that is so now: what tells it, and how it stands in a sentence.

    `setting` comes first, `because` gives the reason, `spoken` and `noticed` are the same said to somebody. {word} is
    the word that told.
    """

    pattern: str
    setting: str
    because: str
    spoken: str
    noticed: str


class Idea(NamedTuple):
    """What could be done: which thing of a memory it needs, what must be so now, and how it is said.

    {scene} is the moment as a reason, {said} the moment as it is spoken, {thing} what the memory is about.
    """

    scenario: str
    action: str
    emotion: str
    thing: str | None = None  # a key of THINGS: some memory tells of it
    moments: tuple[str, ...] = ()  # any of these is so now
    against: tuple[str, ...] = ()  # none of these is
    parts: tuple[str, ...] = ()  # or it is this part of the day
