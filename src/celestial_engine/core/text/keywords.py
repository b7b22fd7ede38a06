"""Extracts the keywords and the category of a text."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from operator import add

from celestial_engine.core.patterns import compiled
from celestial_engine.core.record.item import Category
from celestial_engine.core.text.english import is_content
from celestial_engine.core.text.entities import MOST_ENTITIES, entity, is_key, is_name, names_in_korean, phrases_in
from celestial_engine.core.text.language import Language, language_of
from celestial_engine.core.text.turns import read_turn
from celestial_engine.lang.en import topics as en_topics
from celestial_engine.lang.ko import topics as ko_topics
from celestial_engine.lang.signs import Parts, Sign, Words

_READ_CHARACTERS = 2_000
_DIGITS = frozenset("0123456789")
# The weight of one sign of a category: liking LaTeX is a preference before it is technical.
_KINDS = (
    (Category.PREFERENCE, "PREFERENCE", 2.0),
    (Category.EMOTION, "EMOTION", 1.5),
    (Category.TECHNICAL, "TECHNICAL", 1.0),
    (Category.EXPERIENCE, "EXPERIENCE", 1.0),
)


def keywords_of(text: str, most: int = 8) -> tuple[str, ...]:
    """Returns single words and names, the most informative first: names, numbers and repeated words.

    A name may have several words (New York, 김 민지), other phrases are split.
    """
    content = read_turn(text[:_READ_CHARACTERS]).text
    plain = content.casefold()
    words = _single_words(content)
    names = {name.casefold() for name in compiled(r"[a-z,] ([A-Z]\w+)").findall(content)}

    def weight(name: str) -> int:
        first = name.partition(" ")[0]
        return min(plain.count(name), 4) + (" " in name) + (first in names) + 2 * (not _DIGITS.isdisjoint(name))

    return tuple(sorted(words, key=weight, reverse=True)[: max(0, most)])


def _single_words(content: str) -> list[str]:
    """Returns the words and names of a text in order, each once; what is part of a name is left out."""
    chosen: dict[str, None] = {}
    parts: set[str] = set()
    for phrase in (*names_in_korean(content), *phrases_in(content)):
        for name in [phrase] if phrase[0].isdigit() else _split(phrase.split()):
            if is_key(key := entity(name)):
                chosen[key] = None
                parts.update(key.split() if " " in name else ())
        if len(chosen) >= MOST_ENTITIES:
            break
    return [word for word in chosen if word not in parts]


def _split(words: list[str]) -> list[str]:
    """Splits a phrase into its words and the names among them: New York office -> New York, office."""
    if len(words) < 2 or is_name(words):
        return [" ".join(words)]
    parts: list[str] = []
    for named, group in groupby(words, key=lambda word: word[0].isupper()):
        group_words = list(group)
        parts += [" ".join(group_words)] if named else [word for word in group_words if is_content(word.casefold())]
    return parts


def category_of(text: str) -> Category:
    """Returns the category of a text; FACT if there is no sign of another one."""
    turn = read_turn(text[:_READ_CHARACTERS])
    korean = language_of(turn.text) is Language.KO
    plain = turn.text.replace("’", "'").casefold()
    topics = ko_topics if korean else en_topics
    words = set(compiled(r"[a-z0-9'+-]+").findall(plain))
    if korean:
        words.update(map(add, plain, plain[1:]))
    if _count_signs(plain, words, topics.PRINCIPLE):
        return Category.CORE_PRINCIPLE
    best, most = Category.FACT, 0.0
    for category, kind, weight in _KINDS:
        signs = _count_signs(plain, words, getattr(topics, kind))
        if korean and category is Category.TECHNICAL:  # Korean texts use English names of tools
            signs += _count_signs(plain, words, en_topics.TECHNICAL)
        if signs * weight > most:
            best, most = category, signs * weight
    return best


def _count_signs(text: str, words: set[str], signs: Iterable[Sign]) -> int:
    """Counts the signs that a text has."""
    return sum(1 for sign in signs if shows(text, words, sign))


def shows(text: str, words: set[str], sign: Sign) -> bool:
    """Whether a lower-case text has a sign; `words` are its words and, if Korean, its syllable pairs."""
    if isinstance(sign, Words):
        return not sign.words.isdisjoint(words)
    if isinstance(sign, Parts):
        return not sign.pairs.isdisjoint(words) and any(part in text for part in sign.parts)
    if sign.beside and sign.beside.isdisjoint(words):
        return False
    return compiled(sign.regex).search(text) is not None
