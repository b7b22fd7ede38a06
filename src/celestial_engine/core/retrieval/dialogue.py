"""Dialogue between people: scores a line by its speaker, its neighbours, and whether it is a reply.

Only lines of people count. Between a user and an assistant the line beside a hit is seldom about it.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from typing import NamedTuple

from celestial_engine.core.retrieval.bm25 import WordWeights
from celestial_engine.core.retrieval.ranking import Candidate, RecallSettings
from celestial_engine.core.retrieval.text_traits import ASKS
from celestial_engine.core.text.words import index_words
from celestial_engine.lang.en import questions as en_questions
from celestial_engine.lang.en import topics as en_topics
from celestial_engine.lang.en import words as en
from celestial_engine.lang.ko import topics as ko_topics
from celestial_engine.lang.ko import words as ko

REACH = 2
_ROLES = en_topics.ROLES | ko_topics.ROLES
_BEST_OF_A_TALK = 3
_TALK_SECONDS = 6 * 3600.0
_LOG_OF_LONG_LINE = math.log1p(400)
_STEPS = tuple((step, 1 / abs(step)) for reach in range(1, REACH + 1) for step in (-reach, reach))
# What a word of the question counts if it is not in the line itself but so many lines away.
_AROUND = (0.8, 0.6, 0.4, 0.25)
# How much more each part counts when lines are ordered among themselves than beside other memories.
_AMONG_LINES = {"speaker": 4 / 3, "beside": 1.25, "talk": 1.8, "reply": 7 / 3, "length": 2.5}


class Line(NamedTuple):
    """What one person said, and its position in the dialogue."""

    item_id: str
    position: int
    speaker: str
    length: int
    asks: bool
    talk: Hashable


def dialogue_line_of(candidate: Candidate) -> Line | None:
    """Returns the line of a candidate; None if it is not known to be said by a person."""
    speaker = candidate.speaker
    if speaker is None or speaker.casefold() in _ROLES:
        return None
    talk: Hashable = candidate.session_id
    if talk is None and candidate.said_at is not None:
        talk = math.floor(candidate.said_at / _TALK_SECONDS)
    length = len(candidate.content) - candidate.begins
    return Line(candidate.item_id, candidate.position, speaker, length, bool(candidate.kinds & ASKS), talk)


def speaker_named_in(question: str, speakers: Iterable[str]) -> str | None:
    """Returns the speaker that the question names, in lower case; None if it names none or several."""
    names = {speaker.casefold() for speaker in speakers if _mentions(question, speaker)}
    longest = [name for name in names if not any(name != other and name in other for other in names)]
    return longest[0] if len(longest) == 1 else None


def dialogue_scores(
    question: str, lines: Iterable[Line], scores: Mapping[str, float], settings: RecallSettings, words: WordWeights
) -> dict[str, dict[str, float]]:
    """Returns what the dialogue adds to each line's score, given the line's own score and the question's words."""
    by_position = {line.position: line for line in lines}
    own_scores = {position: max(0.0, scores[line.item_id]) for position, line in by_position.items()}
    named_speaker = speaker_named_in(question, {line.speaker for line in by_position.values()})
    talks: defaultdict[Hashable, list[float]] = defaultdict(list)
    for position, line in by_position.items():
        talks[line.talk].append(own_scores[position])
    talk_scores = {talk: _mean_of_best(own) for talk, own in talks.items() if talk is not None}
    parts: dict[str, dict[str, float]] = {}
    for position, line in by_position.items():
        near = 0.0
        for step, share in _STEPS:
            other = by_position.get(position + step)
            if other is not None and other.talk == line.talk:
                near += own_scores[position + step] * share
        line_parts = parts[line.item_id] = {}
        if settings.beside and near:
            line_parts["beside"] = settings.beside * near
        previous = by_position.get(position - 1)
        if previous is not None and previous.asks and previous.talk == line.talk:
            line_parts["reply"] = settings.reply * own_scores[position - 1]
        line_parts["talk"] = settings.talk * talk_scores.get(line.talk, 0.0)
        if line.speaker.casefold() == named_speaker:
            line_parts["speaker"] = settings.speaker
        line_parts["length"] = settings.length * min(1.0, math.log1p(line.length) / _LOG_OF_LONG_LINE)
    if settings.around:
        around = _words_around(by_position, words)
        _put_in_order(
            parts,
            scores,
            {line.item_id: settings.around * around.get(line.position, 0.0) for line in by_position.values()},
        )
    return {item_id: {name: value for name, value in own.items() if value} for item_id, own in parts.items()}


def _put_in_order(
    parts: dict[str, dict[str, float]], scores: Mapping[str, float], around: Mapping[str, float]
) -> None:
    """Orders the lines by the words around them as well; each takes the relevance of its new rank.

    Beside memories that are no lines, all of them together stay where they are.
    """
    relevance = {item_id: scores[item_id] + sum(own.values()) for item_id, own in parts.items()}

    def among_lines(item_id: str) -> float:
        weighted = sum(_AMONG_LINES[name] * value for name, value in parts[item_id].items())
        return scores[item_id] + weighted + around[item_id]

    ranked = sorted(parts, key=among_lines, reverse=True)
    for item_id, taken in zip(ranked, sorted(relevance.values(), reverse=True), strict=True):
        parts[item_id]["around"] = taken - relevance[item_id]


def _words_around(by_position: Mapping[int, Line], words: WordWeights) -> dict[int, float]:
    """Returns the share of the question's words that a line and those around it have, by their rarity.

    People answer, ask back and go on: what is talked about was named a few lines ago. The names of those who speak,
    and words that only ask, are left out.
    """
    names = {word for speaker in {line.speaker for line in by_position.values()} for word in index_words(speaker)}
    rarities = {
        word: rarity
        for word, rarity in words.rarities.items()
        if word not in names and word not in en_questions.GENERIC
    }
    whole = sum(rarities.values())
    known = [(rarity, words.holders[word]) for word, rarity in rarities.items() if words.holders.get(word)]
    if not known:
        return {}
    return {
        position: sum(rarity * _nearest(holders, near) for rarity, holders in known) / whole
        for position, near in ((position, _nearby(position, by_position)) for position in by_position)
    }


def _nearby(position: int, by_position: Mapping[int, Line]) -> list[tuple[int, float]]:
    """Returns the positions in the same dialogue, nearest first, and what a word there counts."""
    talk = by_position[position].talk
    near, ends = [(position, 1.0)], {-1: False, 1: False}
    for distance, share in enumerate(_AROUND, 1):
        for side in (-1, 1):
            other = by_position.get(position + side * distance)
            ends[side] = ends[side] or (other is not None and other.talk != talk)
            if not ends[side]:
                near.append((position + side * distance, share))
    return near


def _nearest(holders: Set[int], near: Sequence[tuple[int, float]]) -> float:
    return next((share for position, share in near if position in holders), 0.0)


def _mean_of_best(scores: list[float]) -> float:
    best = sorted(scores, reverse=True)[:_BEST_OF_A_TALK]
    return sum(best) / len(best)


def _mentions(question: str, speaker: str) -> bool:
    name = re.escape(speaker)
    if "가" <= speaker[-1:] <= "힣":  # a Korean name is followed by its particle, or by nothing
        return re.search(rf"(?<!\w){name}(?:{ko.AFTER_NAMES})?(?![가-힣])", question) is not None
    # In an all lower-case question names are lower case too; but will, may and mark are mostly not people.
    ignore_case = question.islower() and speaker.casefold() not in en.NAMES_THAT_ARE_WORDS
    return re.search(rf"(?<!\w){name}(?!\w)", question, re.IGNORECASE if ignore_case else 0) is not None
