"""The words by which memories share a topic: every content word of a text, not only its keywords."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from celestial_engine.core.patterns import compiled
from celestial_engine.core.text.english import is_content, verb_form
from celestial_engine.core.text.entities import korean_noun
from celestial_engine.core.text.hangul import is_hangul
from celestial_engine.core.text.stemming import stem
from celestial_engine.lang.en import topics as en
from celestial_engine.lang.ko import topics as ko

_READ_CHARACTERS = 500
_MOST_WORDS = 16
_SHORTEST_PART = 2  # syllables of a noun that a compound begins with


def topic_words(text: str, keywords: Iterable[str] = ()) -> tuple[str, ...]:
    """Returns the content words of a text in one form each: builds -> build, 테스트가 -> 테스트; keywords first.

    >>> topic_words("Our CI builds broke again")
    ('ci', 'build')
    """
    words: dict[str, None] = {}
    for keyword in keywords:
        words |= dict.fromkeys(_words_in(keyword))
    words |= dict.fromkeys(_words_in(text[:_READ_CHARACTERS]))
    return tuple(words)[:_MOST_WORDS]


def _words_in(text: str) -> Iterable[str]:
    for word in compiled(r"[가-힣]+|[^\W\d_가-힣][\w'’+#-]*").findall(text):
        form = _korean_form(word) if is_hangul(word[0]) else _english_form(word.casefold())
        if form:
            yield form


def _korean_form(word: str) -> str:
    noun = korean_noun(word)[0]
    return "" if noun in ko.COMMON_NOUNS else noun


def _english_form(plain: str) -> str:
    plain = plain.replace("’", "'").removesuffix("'s")
    verb = verb_form(plain)
    base = plain if verb is None else verb.base
    return stem(base) if is_content(plain) and is_content(base) and base not in en.COMMON_VERBS else ""


def with_parts(words: Mapping[str, Iterable[str]]) -> dict[str, tuple[str, ...]]:
    """Adds to each memory the nouns that its compounds begin with, if another memory has them: 수학학원 -> 수학."""
    nouns = {word for each in words.values() for word in each if is_hangul(word[0])}
    return {
        item_id: tuple(dict.fromkeys((*each, *(part for word in each for part in _parts(word) if part in nouns))))
        for item_id, each in words.items()
    }


def _parts(word: str) -> Iterable[str]:
    if is_hangul(word[0]):
        yield from (word[:end] for end in range(_SHORTEST_PART, len(word)))
