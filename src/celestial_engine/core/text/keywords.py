"""Keywords and category of a text: what it is found by, and what kind of thing it says."""

from __future__ import annotations

from collections.abc import Iterable
from operator import add

from celestial_engine.core.patterns import compiled
from celestial_engine.core.record.item import Category
from celestial_engine.core.text.entities import entities_in
from celestial_engine.core.text.language import Language, language_of
from celestial_engine.core.text.turns import read_turn
from celestial_engine.lang.en import topics as en_topics
from celestial_engine.lang.ko import topics as ko_topics
from celestial_engine.lang.signs import Parts, Sign, Words

_LOOKED_AT = 2_000
_DIGITS = frozenset("0123456789")
# What one sign of a kind weighs: to like LaTeX is a preference before it is technical.
_KINDS = (
    (Category.PREFERENCE, "PREFERENCE", 2.0),
    (Category.EMOTION, "EMOTION", 1.5),
    (Category.TECHNICAL, "TECHNICAL", 1.0),
    (Category.EXPERIENCE, "EXPERIENCE", 1.0),
)


def keywords_of(text: str, most: int = 8) -> tuple[str, ...]:
    """The telling words of a text, most telling first: names, numbers and what is said more than once."""
    said = read_turn(text[:_LOOKED_AT]).text
    plain = said.casefold()
    found = entities_in(said)
    # A compound says more than its parts, and they are in it.
    parts = {part for name in found if " " in name for part in name.split()}
    names = {name.casefold() for name in compiled(r"[a-z,] ([A-Z]\w+)").findall(said)}

    def weight(name: str) -> int:
        first = name.partition(" ")[0]
        return min(plain.count(name), 4) + (" " in name) + (first in names) + 2 * (not _DIGITS.isdisjoint(name))

    kept = [name for name in found if name not in parts]
    return tuple(sorted(kept, key=weight, reverse=True)[: max(0, most)])


def category_of(text: str) -> Category:
    """The kind of memory a text is; what shows no sign of any other kind is a fact."""
    turn = read_turn(text[:_LOOKED_AT])
    korean = language_of(turn.text) is Language.KO
    said = turn.text.replace("’", "'").casefold()
    topics = ko_topics if korean else en_topics
    words = set(compiled(r"[a-z0-9'+-]+").findall(said))
    if korean:
        words.update(map(add, said, said[1:]))
    if _signs(said, words, topics.PRINCIPLE):
        return Category.CORE_PRINCIPLE
    best, most = Category.FACT, 0.0
    for category, kind, weight in _KINDS:
        signs = _signs(said, words, getattr(topics, kind))
        if korean and category is Category.TECHNICAL:  # Korean texts name their tools in English
            signs += _signs(said, words, en_topics.TECHNICAL)
        if signs * weight > most:
            best, most = category, signs * weight
    return best


def _signs(text: str, words: set[str], signs: Iterable[Sign]) -> int:
    """How many signs of a kind a text shows."""
    return sum(1 for sign in signs if shows(text, words, sign))


def shows(text: str, words: set[str], sign: Sign) -> bool:
    """Whether a text, in lower case, bears a sign; `words` are its words and, if it is Korean, its pairs."""
    if isinstance(sign, Words):
        return not sign.words.isdisjoint(words)
    if isinstance(sign, Parts):
        return not sign.pairs.isdisjoint(words) and any(part in text for part in sign.parts)
    if sign.beside and sign.beside.isdisjoint(words):
        return False
    return compiled(sign.regex).search(text) is not None
