"""Reader: a text in, a Reading out. The weights are loaded at the first text; without them, rules read."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from math import log
from threading import Lock
from typing import NamedTuple
from zlib import crc32

from celestial_engine.core.record.item import Category
from celestial_engine.core.record.labels import Act, Attribute, Lifetime, Subject
from celestial_engine.core.record.reading import Change, QuestionReading, ReadBy, Reading
from celestial_engine.core.sameness.succession import Compared, EndChances, Nearness, Repeats, Statement
from celestial_engine.core.text.words import recent_index_words
from celestial_engine.understanding import question
from celestial_engine.understanding.features import hashed, names_of
from celestial_engine.understanding.model import Model, ModelFileError, unpacked
from celestial_engine.understanding.question import log_odds, question_reading
from celestial_engine.understanding.relation import ReadStatement
from celestial_engine.understanding.rules import is_foreign, read_by_rules, surely_asks

logger = logging.getLogger(__name__)

WEIGHTS = "weights.bin"
_READINGS_CACHED, _CHANGES_CACHED = 64, 2_048
Chances = Callable[[str], Sequence[float]]
_ACTS, _LIFETIMES, _SUBJECTS = tuple(Act), tuple(Lifetime), tuple(Subject)
_CATEGORIES, _ATTRIBUTES = tuple(Category), tuple(Attribute)
_YES = 1
_UNSEEN = {"n": "(length)", "a": "(what was said before)"}
_SENTENCE_END = re.compile(r"(?<=[.!?\n])\s+")
_TELLS = (Act.STATEMENT, Act.CORRECTION, Act.QUESTION)  # "what is my life" blames or reacts: that stays
_LEAST = 1e-4  # probabilities below it count as it
_ASKS = 0.2  # the probability from which a text is read as a question
_READ_CHARACTERS, _MOST_SENTENCES, _SHORTEST = 1_600, 8, 4


class Influence(NamedTuple):
    """A part of a text and how much it spoke for a label (above 0) or against it."""

    part: str
    weight: float


class Reader:
    """Reads texts with one model file; safe to share between threads."""

    def __init__(self, raw: bytes | None = None) -> None:
        """`raw`: the bytes of a model file; without it, the file that comes with the package."""
        self._raw = raw
        self._model: Model | None = None
        self._loaded = False
        self._lock = Lock()
        self._read = lru_cache(maxsize=_READINGS_CACHED)(self._read_text)
        self.change_in = lru_cache(maxsize=_CHANGES_CACHED)(self._change_in)

    def read(self, text: str, previous: str | None = None) -> Reading:
        """Returns what the text says; `previous` is what the assistant said before it."""
        return self._read(text, previous)

    def read_question(self, text: str) -> QuestionReading:
        """Returns what a question alone says about whether memories answer it."""
        model = self._usable_model()
        if model is None or is_foreign(text):
            needs_memory = read_by_rules(text).needs_memory
            return QuestionReading(log_odds(needs_memory, 1.0 - needs_memory))
        chances = _Chances(model, text, None)
        acts = chances.of("act")
        if acts[_ACTS.index(Act.QUESTION)] + acts[_ACTS.index(Act.REQUEST)] < _ASKS:
            return QuestionReading()  # "an elephant and a giraffe": how it sounds says nothing
        return question_reading(chances.of("memory")[_YES], chances.of(question.HEAD))

    def chances(self, text: str) -> Chances:
        """Returns a function that tells the probabilities of a head for a text, which it was trained for."""
        return _Chances(self._usable_model() or self.model(), text, None).of

    def model(self) -> Model:
        """Returns the weights; raises ModelFileError if the file is missing, damaged or foreign."""
        try:
            raw = _packaged_weights() if self._raw is None else self._raw
        except OSError as error:
            raise ModelFileError(str(error)) from error
        return unpacked(raw)

    def end_chances_of(self, text: str, reading: Reading) -> EndChances:
        """Returns a function that tells how likely this text, read before, ends each of some older statements."""
        from celestial_engine.understanding.succession import end_chances  # a search needs none of it

        change = reading.change
        if self._usable_model() is None or change is None:
            return lambda compared: [0.0] * len(compared)
        newer = _statement(text, reading)

        def chances(compared: Sequence[Compared]) -> list[float]:
            return end_chances(
                text, newer, change, [(_stored(older), older.content, near) for older, near in compared]
            )

        return chances

    def repetition_of(self, text: str, reading: Reading) -> Repeats:
        """Returns a function that tells how likely this text, read before, only repeats an older statement."""
        from celestial_engine.understanding.repetition import features, repeat_chance  # a search needs none of it

        change = reading.change
        if self._usable_model() is None or change is None:
            return lambda older, near: 0.0
        newer = _statement(text, reading)

        def repeats(older: Statement, near: Nearness | None) -> float:
            return repeat_chance(features(_stored(older), newer, (older.content, text), change, near))

        return repeats

    def _change_in(self, text: str) -> Change | None:
        """Returns what a text shows about its relation to earlier statements; None if the model cannot tell.

        Whether it corrects what was said before is not read: that matters beside the turn before, and reading the act
        takes as long as all the rest.
        """
        model = self._usable_model()
        if model is None or is_foreign(text):
            return None
        chances = _Chances(model, text, None).of
        return _change_by(chances, 0.0, chances("attribute"))

    def explain(self, text: str, head: str = "keep", label: str | None = None, most: int = 8) -> list[Influence]:
        """Returns the parts of the text that decided for a label of a head (by default the likeliest one)."""
        model = self._usable_model()
        if model is None or is_foreign(text):
            return []
        chosen, table = model.heads[head], model.tables[model.heads[head].table]
        chances = _Chances(model, text, None).of(head)
        column = chances.index(max(chances)) if label is None else chosen.labels.index(label)
        seen = set[int]()
        names: dict[str, int] = {}
        for name in names_of(text):
            row = table.row_of(crc32(name.encode("utf-8", "surrogatepass")))
            if row is not None and row not in seen:
                seen.add(row)  # features that share a row count once
                weights = model.weights(head, row)
                mean = sum(weights) / len(weights)
                names[name] = round((weights[column] - mean) * chosen.scale * 1e6)
        ranked = sorted(names.items(), key=lambda pair: -abs(pair[1]))[:most]
        return [Influence(_shown(name), weight / 1e6) for name, weight in ranked]

    def _read_text(self, text: str, previous: str | None) -> Reading:
        from celestial_engine.core.turn.forget_request import forget_request_in  # a search needs none of them
        from celestial_engine.core.turn.remember_request import asks_to_remember, is_bare_request, statement_in

        model = self._usable_model()
        forget = forget_request_in(text)
        remember = forget is None and asks_to_remember(text)
        trained_for = None if is_foreign(text) else model
        if trained_for is None:
            reading = read_by_rules(text)
        else:
            parts = _Parts(trained_for)
            reading = replace(_read_whole(parts, text, previous), steers=_steers(parts, text))
            if reading.act in _TELLS and surely_asks(text):
                reading = replace(reading, act=Act.QUESTION, act_confidence=1.0, keep=0.0)
        if forget is not None and not forget.rest:
            return replace(reading, act=Act.FORGET, act_confidence=1.0, keep=0.0)
        if not remember:
            return reading
        if is_bare_request(text):
            return replace(reading, act=Act.INSTRUCTION, act_confidence=1.0, keep=0.0)
        return replace(
            reading, act=Act.INSTRUCTION, act_confidence=1.0, keep=1.0, lifetime=Lifetime.LASTING, lasting=1.0,
            statement=statement_in(text),
        )  # fmt: skip

    def _usable_model(self) -> Model | None:
        if not self._loaded:
            with self._lock:
                if not self._loaded:
                    try:
                        self._model = self.model()
                    except ModelFileError as error:
                        logger.warning("rules read the texts, because the trained weights cannot be used: %s", error)
                    self._loaded = True
        return self._model


def _packaged_weights() -> bytes:
    # The loader of this module also knows files within a zip, and importlib.resources is slow to import.
    folder = os.path.dirname(__file__)
    return bytes(__spec__.loader.get_data(os.path.join(folder, WEIGHTS)))  # type: ignore[union-attr]


@lru_cache(maxsize=1)
def default_reader() -> Reader:
    """Returns the reader with the weights of the package, shared by the process."""
    return Reader()


def _read_whole(parts: _Parts, text: str, previous: str | None) -> Reading:
    """Reads a text as a whole and, if it has several sentences, the sentence most worth keeping.

    A fact before a question is easily drowned by it: "I'm a vegetarian. What should I cook?".
    """
    reading = _read_by_model(parts.chances(text, previous), text)
    sentences = [part for part in _SENTENCE_END.split(text[:_READ_CHARACTERS]) if len(part) >= _SHORTEST]
    if len(sentences) < 2:
        return reading
    read = [parts.chances(sentence) for sentence in sentences[:_MOST_SENTENCES]]
    praise, blame = _feedback(read[0]("act"))  # feedback comes first, and then the talk goes on
    return replace(
        reading,
        keep=(reading.keep + max(chances("keep")[_YES] for chances in read)) / 2,
        praise=max(reading.praise, praise),
        blame=max(reading.blame, blame),
    )


def _steers(parts: _Parts, text: str) -> float:
    from celestial_engine.understanding.steering import steers  # a question is not stored

    return steers(text, parts.chances)


class _Parts:
    """What the heads say of a text and of its sentences, each read once."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._read: dict[tuple[str, str | None], _Chances] = {}

    def chances(self, text: str, previous: str | None = None) -> Chances:
        key = text, previous
        if key not in self._read:
            self._read[key] = _Chances(self._model, text, previous)
        return self._read[key].of


class _Chances:
    """The probabilities of the heads for one text, each computed when it is asked for."""

    def __init__(self, model: Model, text: str, previous: str | None) -> None:
        self._model = model
        self._text = hashed(text, previous)
        self._sums: dict[int, list[int]] = {}
        self._heads: dict[str, list[float]] = {}

    def of(self, head: str) -> list[float]:
        if head not in self._heads:
            table = self._model.heads[head].table
            if table not in self._sums:
                weights = self._model.tables[table]
                self._sums[table] = weights.sums(weights.rows_of(self._text))
            features = len(self._text.checksums)
            self._heads[head] = self._model.probabilities(head, self._sums[table], features)
        return self._heads[head]


def _statement(text: str, reading: Reading) -> ReadStatement:
    return ReadStatement.of(text, recent_index_words(text), reading.subject, reading.attribute, reading.lifetime)


def _stored(older: Statement) -> ReadStatement:
    words = recent_index_words(older.content)
    return ReadStatement.of(older.content, words, older.subject, older.attribute, older.lifetime)


def _act(acts: Sequence[float], keep: float, text: str) -> tuple[Act, float]:
    """Returns the likeliest act and its probability.

    내일 병원에 가요 may tell or ask: what is worth keeping and has no question mark asks only if that is likely.
    """
    likeliest, chance = _likeliest(acts)
    act = _ACTS[likeliest]
    if act is Act.QUESTION and max(chance, 1.0 - keep) < 0.5 and "?" not in text:
        return Act.STATEMENT, acts[_ACTS.index(Act.STATEMENT)]
    return act, chance


def _feedback(acts: Sequence[float]) -> tuple[float, float]:
    """Returns how likely a text praises, and how likely it blames or corrects."""
    return acts[_ACTS.index(Act.PRAISE)], acts[_ACTS.index(Act.BLAME)] + acts[_ACTS.index(Act.CORRECTION)]


def _read_by_model(chances: Chances, text: str) -> Reading:
    acts, keep = chances("act"), chances("keep")[_YES]
    act, act_chance = _act(acts, keep, text)
    praise, blame = _feedback(acts)
    attributes = chances("attribute")
    attribute, attribute_chance = _likeliest(attributes)
    lifetimes = chances("lifetime")
    return Reading(
        act=act,
        act_confidence=act_chance,
        praise=praise,
        blame=blame,
        keep=keep,
        needs_memory=chances("memory")[_YES],
        category=_CATEGORIES[_likeliest(chances("category"))[0]],
        lifetime=_LIFETIMES[_likeliest(lifetimes)[0]],
        lasting=lifetimes[_LIFETIMES.index(Lifetime.LASTING)],
        subject=_SUBJECTS[_likeliest(chances("subject"))[0]],
        attribute=_ATTRIBUTES[attribute],
        attribute_confidence=attribute_chance,
        read_by=ReadBy.MODEL,
        change=_change_by(chances, acts[_ACTS.index(Act.CORRECTION)], attributes),
    )


def _change_by(chances: Chances, correction: float, attributes: Sequence[float]) -> Change:
    replaces, same, both = (log(max(_LEAST, chance)) for chance in chances("change"))
    return Change(replaces - both, same - both, correction, tuple(attributes))


def _shown(name: str) -> str:
    """Returns a feature as a person can read it: the part of the text, or what else was seen."""
    kind, _, part = name.partition(":")
    if kind in _UNSEEN:
        return _UNSEEN[kind]
    return part.strip("^$<> ").lstrip("0123 ") or part


def _likeliest(chances: Sequence[float]) -> tuple[int, float]:
    best = max(range(len(chances)), key=chances.__getitem__)
    return best, chances[best]
