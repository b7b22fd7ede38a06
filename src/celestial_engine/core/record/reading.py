"""What a turn says, read once: decisions, importance, category, lifetime and address all come from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from celestial_engine.core.record.item import Category
from celestial_engine.core.record.labels import Act, Address, Attribute, Lifetime, Subject


class ReadBy(str, Enum):
    """What read the text."""

    MODEL = "model"  # the trained classifiers
    RULES = "rules"  # a language or a text that they were not trained for, or no usable model file
    LANGUAGE_MODEL = "language_model"


_WORTH_KEEPING = 0.5
_LASTING_FROM = 0.25  # keeps 95% of what lasts in English and 97% in Korean (development people)
_NEVER_LASTING = (Attribute.APPOINTMENT, Attribute.MOOD)


class Change(NamedTuple):
    """What a text shows about its relation to earlier statements, whichever they are.

    `replaces` and `same` are log-odds against "both are true"; `attributes` holds a probability for each attribute.
    """

    replaces: float
    same: float
    correction: float
    attributes: tuple[float, ...]


@dataclass(frozen=True)
class Reading:
    """The labels of a text with the probabilities that decisions need."""

    act: Act = Act.STATEMENT
    act_confidence: float = 0.0
    praise: float = 0.0  # the probability that it praises what was said before
    blame: float = 0.0  # the probability that it blames or corrects it
    keep: float = 0.0  # the probability that it is worth keeping
    needs_memory: float = 0.0  # the probability that earlier memories help to reply
    category: Category = Category.FACT
    lifetime: Lifetime = Lifetime.SEASON
    lasting: float = 0.0  # the probability that it stays true for a year or more
    subject: Subject = Subject.USER
    attribute: Attribute = Attribute.OTHER
    attribute_confidence: float = 0.0
    value: str | None = None  # the words that state the attribute's value, if known
    statement: str | None = None  # what to keep, if not the whole text
    steers: float = 0.0  # the probability that it is an order about others, and no wish for oneself
    read_by: ReadBy = ReadBy.RULES
    change: Change | None = None  # only the trained classifiers tell

    @property
    def asks(self) -> bool:
        return self.act in (Act.QUESTION, Act.REQUEST)

    @property
    def credible_lifetime(self) -> Lifetime:
        """How long it is taken to stay true. Losing a lasting fact costs more than keeping a trifle for a year.

        The classifiers learned lifetimes from statements that are worth keeping: "lasting" of "hello" or "x" means
        nothing, and counts as a season.
        """
        if self.read_by is not ReadBy.MODEL:
            return self.lifetime
        if self.keep < _WORTH_KEEPING or self.attribute in _NEVER_LASTING or self.asks:
            return Lifetime.SEASON if self.lifetime is Lifetime.LASTING else self.lifetime
        return Lifetime.LASTING if self.lasting >= _LASTING_FROM else self.lifetime

    @property
    def address(self) -> Address:
        return Address(self.subject, self.attribute, self.value)


Read = Callable[[str, str | None], Reading]  # a text, and what was said before it


class QuestionReading(NamedTuple):
    """What a question sounds like before anything is looked up, each as log odds; 0 says nothing."""

    needs_memory: float = 0.0  # the reply is better with what was told before
    told: float = 0.0  # it asks for what people tell, rather than for what they leave untold
    general: float = 0.0  # it asks for nothing about the one who asks
