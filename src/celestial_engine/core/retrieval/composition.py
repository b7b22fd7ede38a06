"""What goes into the prompt: the memories that suit, each as fine as the token budget allows."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.retrieval.diversity import BALANCE, by_marginal_relevance
from celestial_engine.core.retrieval.framing import Frame, frame_for, harmless
from celestial_engine.core.text.tokens import count_tokens

BUDGET = 1024
CORE_SHARE = 1 / 3  # of the room: what is always there must not push out the answer
_PATIENCE = 16  # so many in a row that do not fit: the room is used up
_EXCERPT_CHARACTERS = 100
FULL, GIST, FACTS = 0, 1, 2


@dataclass(frozen=True)
class PromptCandidate:
    """A memory that might be told: how well it suits the question, and whether it lies in the Core zone."""

    item: CelestialItem
    relevance: float
    core: bool = False


@dataclass(frozen=True)
class Used:
    """A memory that is told: at which level (0 full text, 1 gist, 2 facts), for how many tokens."""

    item_id: str
    level: int
    tokens: int


@dataclass(frozen=True)
class Composition:
    """Text for a prompt, never above its budget, and what it is made of."""

    text: str
    used: tuple[Used, ...]
    tokens: int
    budget: int
    left_out: int

    def __str__(self) -> str:
        return self.text


class _Reading(NamedTuple):
    level: int
    note: str
    text: str


@dataclass(frozen=True)
class _Entry:
    """A memory at one level, as the line it would be."""

    candidate: PromptCandidate
    number: int
    level: int
    line: str
    tokens: int


def compose(
    candidates: Sequence[PromptCandidate], budget: int = BUDGET, diversity: float = BALANCE, language: str = "en"
) -> Composition:
    """The memories as quoted data: Core first within its share, then by marginal relevance, each once.

    `diversity` is the weight of relevance against repetition: 1 ranks by relevance alone.
    """
    frame = frame_for(language)
    room = budget - count_tokens(frame.opening) - count_tokens(frame.closing)
    core, others = _each_once(candidates)

    entries = _placed(core, len(core), frame, int(room * CORE_SHARE) if others else room)
    told = {entry.candidate.item.id: entry.candidate.item for entry in entries}
    waiting = [candidate for candidate in core if candidate.item.id not in told] + others
    ranked = by_marginal_relevance(
        [candidate.item for candidate in waiting],
        [candidate.relevance for candidate in waiting],
        diversity,
        list(told.values()),
    )
    best_next = (waiting[position] for position in ranked)
    entries += _placed(best_next, len(waiting), frame, room - _cost(entries), len(entries) + 1)
    entries = _refined(entries, frame, room - _cost(entries))

    text = frame.opening + "".join(entry.line for entry in entries) + frame.closing if entries else ""
    used = tuple(Used(entry.candidate.item.id, entry.level, entry.tokens) for entry in entries)
    return Composition(text, used, count_tokens(text), budget, len(candidates) - len(used))


def _each_once(candidates: Sequence[PromptCandidate]) -> tuple[list[PromptCandidate], list[PromptCandidate]]:
    """Core and others, best first; of those that say the same, one."""
    seen: set[str] = set()
    core: list[PromptCandidate] = []
    others: list[PromptCandidate] = []
    for candidate in sorted(candidates, key=lambda one: (one.core, one.relevance), reverse=True):
        said = _normalised(candidate.item.content)
        if said and not seen & {said, candidate.item.id}:
            seen |= {said, candidate.item.id}
            (core if candidate.core else others).append(candidate)
    return core, others


def _normalised(text: str) -> str:
    plain = unicodedata.normalize("NFKC", harmless(text)).casefold()
    return plain.strip(" .!?~…。") or plain


def _placed(
    ranked: Iterable[PromptCandidate], count: int, frame: Frame, room: int, first_number: int = 1
) -> list[_Entry]:
    """Those of the ranked memories that fit into the room, in their order."""
    entries: list[_Entry] = []
    missed = 0
    for at, candidate in enumerate(ranked, 1):
        fitting = [entry for entry in _entries(candidate, first_number + len(entries), frame) if entry.tokens <= room]
        # While others wait nobody takes more than half, unless it cannot be said shorter.
        polite = [entry for entry in fitting if entry.tokens <= room / 2] or fitting[-1:]
        chosen = polite[:1] if at < count else fitting[:1]
        missed = 0 if chosen else missed + 1
        if missed == _PATIENCE:
            break
        entries += chosen
        room -= _cost(chosen)
    return entries


def _refined(entries: Sequence[_Entry], frame: Frame, room: int) -> list[_Entry]:
    """What is left of the room makes entries finer, the answers before the Core."""
    refined = {entry.number: entry for entry in entries}
    for entry in sorted((one for one in entries if one.level != FULL), key=lambda one: one.candidate.core):
        for finer in _entries(entry.candidate, entry.number, frame):
            if finer.level < entry.level and finer.tokens - entry.tokens <= room:
                refined[entry.number] = finer
                room -= finer.tokens - entry.tokens
                break
    return list(refined.values())


def _cost(entries: Iterable[_Entry]) -> int:
    return sum(entry.tokens for entry in entries)


def _entries(candidate: PromptCandidate, number: int, frame: Frame) -> list[_Entry]:
    """The lines this memory can be, finest first; each is cheaper than the one before."""
    entries: list[_Entry] = []
    readings = list(_readings(candidate.item, frame))
    if candidate.item.state is State.FADED:
        readings = readings[-1:]  # told by its facts, else by its gist, whatever that costs
    for reading in readings:
        line = frame.line(number, candidate.item, reading.note, reading.text)
        entry = _Entry(candidate, number, reading.level, line, count_tokens(line))
        if not entries or entry.tokens < entries[-1].tokens:
            entries.append(entry)
    return entries


def _readings(item: CelestialItem, frame: Frame) -> Iterator[_Reading]:
    full = harmless(item.content)
    yield _Reading(FULL, "", full)
    gist = harmless(item.resolution.gist or "")
    if gist:
        yield _Reading(GIST, frame.gist, gist)
    elif len(full) > _EXCERPT_CHARACTERS:  # nobody has made a gist yet
        yield _Reading(GIST, frame.excerpt, f"{full[:_EXCERPT_CHARACTERS].rsplit(' ', 1)[0]}…")
    facts = "; ".join(",".join(map(harmless, triple)) for triple in item.resolution.triples)
    if facts:
        yield _Reading(FACTS, frame.facts, facts)
