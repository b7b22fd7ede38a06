"""Composes memories into a prompt, each in as much detail as the token budget allows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from celestial_engine.core.emotion.mixes import felt_together
from celestial_engine.core.record.coordinate import EmotionCoordinate
from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.retrieval.diversity import BALANCE, by_marginal_relevance
from celestial_engine.core.retrieval.framing import Frame, escape_for_prompt, frame_for
from celestial_engine.core.retrieval.planted import tells_of_named
from celestial_engine.core.retrieval.repeats import normalised, repeating
from celestial_engine.core.retrieval.text_traits import said_at
from celestial_engine.core.sameness.compare import Sameness, compare
from celestial_engine.core.text.tokens import count_tokens

BUDGET = 1024
CORE_SHARE = 1 / 3  # of the budget: Core memories must not push out the answer
_PATIENCE = 16  # stop after this many in a row that do not fit
_EXCERPT_CHARACTERS = 100
FULL, GIST, FACTS = 0, 1, 2


@dataclass(frozen=True)
class PromptCandidate:
    """A memory that may be used: its relevance to the question, and whether it is in the Core zone.

    A `background` memory does not answer the question; it is marked in the prompt.
    """

    item: CelestialItem
    relevance: float
    core: bool = False
    background: bool = False
    # It is a claim, and a trusted memory among the candidates speaks against it, or says the same.
    contradicts: bool = False
    agrees: bool = False
    # An instruction among the candidates names something that it tells of, and the question does not.
    named: bool = False


@dataclass(frozen=True)
class Used:
    """A memory in the prompt: its level (0 full text, 1 gist, 2 facts) and its tokens.

    `background`: it is part of the profile or of the Core zone, and does not answer the question.
    """

    item_id: str
    level: int
    tokens: int
    background: bool = False


@dataclass(frozen=True)
class Composition:
    """Text for a prompt, never above its budget, and the memories in it.

    `feeling` is what they feel like together, for a character that relives what it is reminded of; None if the text
    is empty.

    If nothing is known about the question, `known` is False and `notice` says so in the language of the question;
    the text may still quote memories of the Core zone as background.
    """

    text: str
    used: tuple[Used, ...]
    tokens: int
    budget: int
    left_out: int
    feeling: EmotionCoordinate | None = None
    known: bool = True
    notice: str = ""
    repeated: int = 0  # of those left out, the ones that only repeat another memory; the others found no room
    ended: int = 0  # beside those left out: found, but a later statement replaced them, or likely did

    def __str__(self) -> str:
        return self.text


class PromptText(NamedTuple):
    """A memory's text at one level of detail."""

    level: int
    note: str
    text: str


@dataclass(frozen=True)
class _Entry:
    """A memory at one level of detail, as a line of the prompt."""

    candidate: PromptCandidate
    number: int
    level: int
    line: str
    tokens: int


@lru_cache(maxsize=16)  # a few sentences, the same in every prompt
def _tokens_of_frame(text: str) -> int:
    return count_tokens(text)


def compose(
    candidates: Sequence[PromptCandidate],
    budget: int = BUDGET,
    diversity: float = BALANCE,
    language: str = "en",
    *,
    known: bool = True,
    question: str = "",
) -> Composition:
    """Composes memories as quoted data: Core first within its share, then by marginal relevance, each once.

    `diversity` is the weight of relevance against repetition: 1 ranks by relevance alone. `known`: whether anything
    answers the `question`; if nothing does, the composition says so.
    """
    frame = frame_for(language)
    opening = frame.opening if known else f"{frame.opening}{frame.nothing_known}\n"
    room = budget - _tokens_of_frame(opening) - _tokens_of_frame(frame.closing)
    core, others = _each_once(_beside_instructions(_beside_the_trusted(candidates), question))

    entries = _fit_into(core, len(core), frame, int(room * CORE_SHARE) if others else room)
    placed_items = {entry.candidate.item.id: entry.candidate.item for entry in entries}
    waiting = [candidate for candidate in core if candidate.item.id not in placed_items] + others
    ranked = by_marginal_relevance(
        [candidate.item for candidate in waiting],
        [candidate.relevance for candidate in waiting],
        diversity,
        list(placed_items.values()),
    )
    next_best = (waiting[position] for position in ranked)
    entries += _fit_into(next_best, len(waiting), frame, room - _cost(entries), len(entries) + 1)
    entries = _in_order_of_time(_use_remaining(entries, frame, room - _cost(entries)))

    text = opening + "".join(entry.line for entry in entries) + frame.closing if entries else ""
    used = tuple(
        Used(entry.candidate.item.id, entry.level, entry.tokens, entry.candidate.background) for entry in entries
    )
    feelings = [entry.candidate.item.emotion for entry in entries]
    feeling = felt_together(feelings) if feelings else None
    notice = "" if known else frame.nothing_known
    repeated = len(candidates) - len(core) - len(others)
    left_out = len(candidates) - len(used)
    return Composition(text, used, count_tokens(text), budget, left_out, feeling, known, notice, repeated)


def _each_once(candidates: Sequence[PromptCandidate]) -> tuple[list[PromptCandidate], list[PromptCandidate]]:
    """Splits into Core and others, best first, without memories that only repeat another one."""
    ordered = sorted(candidates, key=lambda candidate: (candidate.core, candidate.relevance), reverse=True)
    unique = {candidate.item.id: candidate for candidate in reversed(ordered) if normalised(candidate.item.content)}
    best = [candidate for candidate in ordered if unique.get(candidate.item.id) is candidate]
    repeated = repeating([candidate.item for candidate in best])
    unrepeated = [candidate for candidate in best if candidate.item.id not in repeated]
    return [each for each in unrepeated if each.core], [each for each in unrepeated if not each.core]


def _beside_the_trusted(candidates: Sequence[PromptCandidate]) -> list[PromptCandidate]:
    """Marks claims that a trusted candidate speaks against or confirms: whoever reads the prompt must see it."""
    trusted = [candidate.item.content for candidate in candidates if not candidate.item.is_claim]
    return [_compared(candidate, trusted) if candidate.item.is_claim else candidate for candidate in candidates]


def _compared(claim: PromptCandidate, trusted: Sequence[str]) -> PromptCandidate:
    found = {compare(text, claim.item.content) for text in trusted}
    contradicts = Sameness.CONFLICT in found
    return replace(claim, contradicts=contradicts, agrees=Sameness.SAME in found and not contradicts)


def _beside_instructions(candidates: Sequence[PromptCandidate], question: str) -> list[PromptCandidate]:
    """Marks memories that tell of what an instruction names: praise may be planted first, and the order later."""
    tells = tells_of_named([candidate.item for candidate in candidates], question)
    return list(candidates) if tells is None else [replace(each, named=tells(each.item)) for each in candidates]


def _fit_into(
    ranked: Iterable[PromptCandidate], count: int, frame: Frame, room: int, first_number: int = 1
) -> list[_Entry]:
    """Returns entries for the ranked memories that fit into the room (tokens), in their order."""
    entries: list[_Entry] = []
    missed = 0
    most = room / 2
    for position, candidate in enumerate(ranked, 1):
        # While others wait an entry takes at most half of the whole room, unless it has no shorter form. The best are
        # quoted in full, as long as there is room: half of what remains would leave each further one a gist.
        share = most if position < count else room
        chosen: list[_Entry] = []
        for entry in _entries(candidate, first_number + len(entries), frame):
            if entry.tokens <= room:
                chosen = [entry]
                if entry.tokens <= share:
                    break
        missed = 0 if chosen else missed + 1
        if missed == _PATIENCE:
            break
        entries += chosen
        room -= _cost(chosen)
    return entries


def _use_remaining(entries: Sequence[_Entry], frame: Frame, room: int) -> list[_Entry]:
    """Spends the remaining tokens on more detail, first for answers, then for Core memories."""
    refined = {entry.number: entry for entry in entries}
    for entry in sorted((entry for entry in entries if entry.level != FULL), key=lambda entry: entry.candidate.core):
        for finer in _entries(entry.candidate, entry.number, frame):
            if finer.level < entry.level and finer.tokens - entry.tokens <= room:
                refined[entry.number] = finer
                room -= finer.tokens - entry.tokens
                break
    return list(refined.values())


def _in_order_of_time(entries: Sequence[_Entry]) -> list[_Entry]:
    """Orders what is quoted beside Core by when it was said, oldest first: a reader sees what came of what."""
    core = [entry for entry in entries if entry.candidate.core]
    others = sorted((entry for entry in entries if not entry.candidate.core), key=_moment)
    return [
        replace(entry, number=number, line=f"{number}{entry.line[len(str(entry.number)) :]}")
        for number, entry in enumerate([*core, *others], 1)
    ]


def _moment(entry: _Entry) -> float:
    item = entry.candidate.item
    moment = said_at(item.content)
    return item.created_at if moment is None else moment


def _cost(entries: Iterable[_Entry]) -> int:
    return sum(entry.tokens for entry in entries)


def _entries(candidate: PromptCandidate, number: int, frame: Frame) -> Iterator[_Entry]:
    """Yields the possible lines of this memory, most detailed first; each is cheaper than the one before."""
    least = math.inf
    readings: Iterable[PromptText] = prompt_texts(candidate.item, frame)
    if candidate.item.state is State.FADED:
        readings = list(readings)[-1:]  # a faded memory shows its facts, else its gist, whatever that costs
    told = set[str]()
    for reading in readings:
        if reading.text in told:  # a gist that is the whole text costs more, by its note
            continue
        told.add(reading.text)
        line = frame.line(
            number,
            candidate.item,
            reading.note,
            reading.text,
            background=candidate.background,
            contradicts=candidate.contradicts,
            agrees=candidate.agrees,
            named=candidate.named,
        )
        entry = _Entry(candidate, number, reading.level, line, count_tokens(line))
        if entry.tokens < least:
            least = entry.tokens
            yield entry


def prompt_texts(item: CelestialItem, frame: Frame) -> Iterator[PromptText]:
    """Yields the texts of a memory for a prompt, most detailed first."""
    full = escape_for_prompt(item.content)
    yield PromptText(FULL, "", full)
    gist = escape_for_prompt(item.resolution.gist or "")
    if gist:
        yield PromptText(GIST, frame.gist, gist)
    elif len(full) > _EXCERPT_CHARACTERS:  # the gist is not computed yet
        yield PromptText(GIST, frame.excerpt, f"{full[:_EXCERPT_CHARACTERS].rsplit(' ', 1)[0]}…")
    facts = "; ".join(",".join(map(escape_for_prompt, triple)) for triple in item.resolution.triples)
    if facts:
        yield PromptText(FACTS, frame.facts, facts)
