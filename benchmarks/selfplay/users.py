"""Simulated users: what they say, which action they want, and how they react to the action taken."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import islice

from benchmarks.selfplay import words_en, words_ko
from celestial_engine.core.learning.seeded_random import mixed, uniforms
from celestial_engine.core.text.language import Language
from celestial_engine.core.turn.conversation import Action

_WORDS = {Language.EN: words_en, Language.KO: words_ko}
_SLOT = re.compile(r"\{(\w+)\}")
_EXAMINED = 3  # every third form is used for evaluation only
_SHORTEST_TALK, _LONGEST_TALK = 6, 18


class Topic(str, Enum):
    """The topic of a simulated turn."""

    FACT = "fact"
    PREFERENCE = "preference"
    UPDATE = "update"
    CONTRADICTION = "contradiction"
    PLAN = "plan"
    EVENT = "event"
    TECHNICAL = "technical"
    FEELING = "feeling"
    TECHNICAL_PLAN = "technical plan"
    FEELING_EVENT = "feeling event"
    WORLD = "world"
    SMALL_TALK = "small talk"
    QUESTION = "question"
    REMEMBER = "asked to remember"


class Mood(str, Enum):
    """How a user reacts to the action taken."""

    GOES_ON = "goes on"
    PRAISE = "praise"
    BLAME = "blame"
    IRONY = "irony"
    DISINTEREST = "disinterest"


_ALWAYS_KEPT = frozenset({Topic.FACT, Topic.UPDATE, Topic.REMEMBER})
_LIKINGS = frozenset({Topic.PREFERENCE, Topic.CONTRADICTION})
_SPOKEN_OF: Mapping[Topic, float] = {
    Topic.FACT: 1.0, Topic.PREFERENCE: 1.5, Topic.UPDATE: 0.5, Topic.CONTRADICTION: 0.5, Topic.PLAN: 1.5,
    Topic.EVENT: 1.5, Topic.TECHNICAL: 2.0, Topic.FEELING: 1.5, Topic.TECHNICAL_PLAN: 1.0,
    Topic.FEELING_EVENT: 0.5, Topic.WORLD: 1.0, Topic.SMALL_TALK: 1.5, Topic.QUESTION: 2.0, Topic.REMEMBER: 0.5,
}  # fmt: skip
# These reactions are assumed, not measured: most users say nothing, some are ironic or wrong.
_WHEN_RIGHT: Mapping[Mood, float] = {Mood.PRAISE: 0.15, Mood.BLAME: 0.02, Mood.IRONY: 0.03, Mood.DISINTEREST: 0.05}
_WHEN_WRONG: Mapping[Mood, float] = {Mood.PRAISE: 0.02, Mood.BLAME: 0.30, Mood.IRONY: 0.05, Mood.DISINTEREST: 0.13}


@dataclass(frozen=True)
class Personality:
    """The topics a user wants saved besides facts; `fickle` is the chance that they want the opposite."""

    name: str
    keeps: frozenset[Topic]
    fickle: float = 0.03

    def wants(self, topic: Topic, chance: float) -> Action:
        if topic is Topic.QUESTION:
            return Action.RETRIEVE
        keeps = topic in _ALWAYS_KEPT or topic in self.keeps
        if topic not in _ALWAYS_KEPT and topic not in (Topic.SMALL_TALK, Topic.WORLD) and chance < self.fickle:
            keeps = not keeps
        return Action.SAVE if keeps else Action.SKIP


PERSONALITIES = (
    Personality("engineer", _LIKINGS | {Topic.TECHNICAL, Topic.TECHNICAL_PLAN, Topic.PLAN}),
    Personality("diarist", _LIKINGS | {Topic.FEELING, Topic.FEELING_EVENT, Topic.EVENT}),
    Personality("planner", _LIKINGS | {Topic.PLAN, Topic.TECHNICAL_PLAN, Topic.EVENT}),
    Personality("reserved", frozenset({Topic.PLAN})),
    Personality(
        "keeper",
        _LIKINGS
        | {Topic.PLAN, Topic.EVENT, Topic.TECHNICAL, Topic.TECHNICAL_PLAN, Topic.FEELING, Topic.FEELING_EVENT},
    ),
)


@dataclass(frozen=True)
class Said:
    """A turn of a simulated user, and what that user wants done with it."""

    text: str
    topic: Topic
    wanted: Action
    language: Language

    def after(self, opening: str) -> Said:
        """Returns the turn with a reaction to the turn before in front."""
        return replace(self, text=f"{opening} {self.text}") if opening else self


def talks(personalities: Sequence[Personality], seed: int, *, examined: bool = False) -> Iterator[tuple[Said, ...]]:
    """Yields endless conversations, each in one language and of one personality."""
    number = 0
    while True:
        yield talk(personalities, mixed(seed, number, examined), examined=examined)
        number += 1


def talk(personalities: Sequence[Personality], seed: int, *, examined: bool = False) -> tuple[Said, ...]:
    """Returns one conversation: small talk first, then random topics."""
    random_numbers = uniforms(seed)
    personality = personalities[int(next(random_numbers) * len(personalities))]
    language = Language.KO if next(random_numbers) < 0.5 else Language.EN
    turns = _SHORTEST_TALK + int(next(random_numbers) * (_LONGEST_TALK - _SHORTEST_TALK + 1))
    topics = [Topic.SMALL_TALK, *(_draw_topic(_SPOKEN_OF, next(random_numbers)) for _ in range(turns - 1))]
    return tuple(_simulated_turn(topic, personality, language, random_numbers, examined=examined) for topic in topics)


def mood(said: Said, done: Action, chance: float) -> Mood:
    """Returns the user's reaction to the action taken."""
    moods = _WHEN_RIGHT if done is said.wanted else _WHEN_WRONG
    for answer, share in moods.items():
        if chance < share:
            return answer
        chance -= share
    return Mood.GOES_ON


def words_for(answer: Mood, language: Language, chance: float) -> str:
    """Returns what a user says in that mood; "" if the conversation just goes on."""
    if answer is Mood.GOES_ON:
        return ""
    replies: tuple[str, ...] = _WORDS[language].REPLIES[answer.value]
    return replies[int(chance * len(replies))]


def _simulated_turn(
    topic: Topic, personality: Personality, language: Language, random_numbers: Iterator[float], *, examined: bool
) -> Said:
    words = _WORDS[language]
    forms = [
        form
        for place, form in enumerate(words.FORMS[topic.value])
        if (place % _EXAMINED == _EXAMINED - 1) is examined
    ]
    form_draw, start, fickle_draw = islice(random_numbers, 3)
    form = forms[int(form_draw * len(forms))]
    return Said(_filled(form, words.SLOTS, start), topic, personality.wants(topic, fickle_draw), language)


def _filled(form: str, slots: Mapping[str, Sequence[str]], start: float) -> str:
    """Fills each slot with a word; repeated slots get different words."""
    filled = 0

    def word(match: re.Match[str]) -> str:
        nonlocal filled
        words = slots[match[1]]
        filled += 1
        return words[(int(start * len(words)) + filled) % len(words)]

    return _SLOT.sub(word, form)


def _draw_topic(shares: Mapping[Topic, float], chance: float) -> Topic:
    left = chance * sum(shares.values())
    for topic, share in shares.items():
        left -= share
        if left < 0.0:
            return topic
    return Topic.SMALL_TALK
