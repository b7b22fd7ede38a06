"""Dialogue between people: scores a line by its speaker, its neighbours, and whether it is a reply.

Only lines of people count. Between a user and an assistant the line beside a hit is seldom about it.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from celestial_engine.core.retrieval.ranking import Candidate, RecallSettings
from celestial_engine.core.retrieval.signals import is_question
from celestial_engine.core.text.turns import Turn
from celestial_engine.lang.en import topics as en_topics
from celestial_engine.lang.en import words as en
from celestial_engine.lang.ko import topics as ko_topics
from celestial_engine.lang.ko import words as ko

REACH = 2
_ROLES = en_topics.ROLES | ko_topics.ROLES
_BEST_OF_A_TALK = 3
_TALK_SECONDS = 6 * 3600.0
_LONG_LINE = 400


@dataclass(frozen=True)
class Line:
    """What one person said, and its position in the dialogue."""

    item_id: str
    position: int
    speaker: str
    text: str
    talk: Hashable

    @cached_property
    def asks(self) -> bool:
        return is_question(self.text)


def dialogue_line_of(candidate: Candidate, turn: Turn) -> Line | None:
    """Returns the line of a candidate; None if it is not known to be said by a person."""
    if turn.speaker is None or turn.speaker.casefold() in _ROLES:
        return None
    talk: Hashable = candidate.session_id
    if talk is None and turn.said_at is not None:
        talk = math.floor(turn.said_at / _TALK_SECONDS)
    return Line(candidate.item_id, candidate.position, turn.speaker, turn.text, talk)


def speaker_named_in(question: str, speakers: Iterable[str]) -> str | None:
    """Returns the speaker that the question names, in lower case; None if it names none or several."""
    names = {speaker.casefold() for speaker in speakers if _mentions(question, speaker)}
    longest = [name for name in names if not any(name != other and name in other for other in names)]
    return longest[0] if len(longest) == 1 else None


def dialogue_scores(
    question: str, lines: Iterable[Line], scores: Mapping[str, float], settings: RecallSettings
) -> dict[str, dict[str, float]]:
    """Returns what the dialogue adds to each line's score, given the line's own score."""
    by_position = {line.position: line for line in lines}
    named_speaker = speaker_named_in(question, {line.speaker for line in by_position.values()})
    talks: defaultdict[Hashable, list[float]] = defaultdict(list)
    for line in by_position.values():
        talks[line.talk].append(max(0.0, scores[line.item_id]))
    talk_scores = {talk: _mean_of_best(own) for talk, own in talks.items() if talk is not None}

    def beside(line: Line, step: int) -> tuple[float, Line | None]:
        other = by_position.get(line.position + step)
        if other is None or other.talk != line.talk:
            return 0.0, None
        return max(0.0, scores[other.item_id]), other

    parts: dict[str, dict[str, float]] = {}
    for line in by_position.values():
        near = sum(beside(line, step)[0] / abs(step) for reach in range(1, REACH + 1) for step in (-reach, reach))
        previous_score, previous = beside(line, -1)
        line_parts = {
            "beside": settings.beside * near,
            "reply": settings.reply * previous_score if previous is not None and previous.asks else 0.0,
            "talk": settings.talk * talk_scores.get(line.talk, 0.0),
            "speaker": settings.speaker if line.speaker.casefold() == named_speaker else 0.0,
            "length": settings.length * min(1.0, math.log1p(len(line.text)) / math.log1p(_LONG_LINE)),
        }
        parts[line.item_id] = {name: value for name, value in line_parts.items() if value}
    return parts


def _mean_of_best(scores: list[float]) -> float:
    best = sorted(scores, reverse=True)[:_BEST_OF_A_TALK]
    return sum(best) / len(best)


def _mentions(question: str, speaker: str) -> bool:
    name = re.escape(speaker)
    if re.search(r"[가-힣]$", speaker):  # a Korean name is followed by its particle, or by nothing
        return re.search(rf"(?<!\w){name}(?:{ko.AFTER_NAMES})?(?![가-힣])", question) is not None
    # In an all lower-case question names are lower case too; but will, may and mark are mostly not people.
    ignore_case = question.islower() and speaker.casefold() not in en.NAMES_THAT_ARE_WORDS
    return re.search(rf"(?<!\w){name}(?!\w)", question, re.IGNORECASE if ignore_case else 0) is not None
