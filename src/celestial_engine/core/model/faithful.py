"""Compares a text with its source: which of its words nobody said, and whether a negation was lost or added.

The one check of every text that is stored as a memory of what was said: gists, statements, distilled texts, whoever
wrote them. It knows word forms, numbers and listed kinds (a latte is coffee), not meanings: any other synonym counts
as unsaid. When in doubt a word is unsaid, since the caller then uses the source's own words.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from celestial_engine.core.model.numbers import number_values
from celestial_engine.core.patterns import compiled
from celestial_engine.core.text.entities import USER
from celestial_engine.core.text.hangul import is_hangul
from celestial_engine.core.text.korean import copula_of, verb_of, without_particle
from celestial_engine.core.text.language import Language, language_of
from celestial_engine.core.text.stemming import stem
from celestial_engine.lang.en import faithful as en
from celestial_engine.lang.ko import faithful as ko
from celestial_engine.lang.ko.nouns import LONG_PARTICLES, SHORT_PARTICLES

_READ_CHARACTERS = 8_000
_SHORTEST_KOREAN = 2  # syllables that two forms of a word share
_SHORTEST_LATIN = 4  # letters
_SHARED_PART = 2 / 3  # of the longer English word: allergic and allergy, not interview and international
_OFTEN_FROM = 3  # sources that say something before it is said to happen often
_INITIALS = 21 * 28  # syllables that begin with the same consonant
_NEGATION_REACH = 4  # English words after a negation, function words included
_PARTICLES = LONG_PARTICLES | SHORT_PARTICLES
_HANGUL_RUN = "[가-힣ㄱ-ㆎ]+"
_WORD = (
    rf"{_HANGUL_RUN}|\d+(?:[.,:]\d+)*|[A-Za-z\u00c0-\u024f]+(?:'[A-Za-z]+)*|[^\W\d_가-힣ㄱ-ㆎA-Za-z\u00c0-\u024f]+"
)


class _Word(NamedTuple):
    """A word as written, and as compared."""

    written: str
    key: str

    @property
    def korean(self) -> bool:
        return is_hangul(self.key[0])

    @property
    def is_name(self) -> bool:
        return self.written[0].isupper()


def unsaid_words(text: str, source: str) -> set[str]:
    """Returns the words of a text that are no form of a word in its source; function words may be added.

    >>> unsaid_words("The user moved to Paris", "I'm moving to Busan")
    {'Paris'}
    """
    source_words = _words(source)
    keys = {word.key for word in source_words}
    # Korean is spaced as one likes: 공부 하다 is 공부하다.
    source_words += [
        _Word(*map("".join, zip(a, b, strict=True))) for a, b in pairwise(source_words) if a.korean and b.korean
    ]
    negative, korean = any(_denies(word.key) for word in source_words), language_of(source) is Language.KO
    numbers = _numbers_in_both(text, source)
    return {
        word.written
        for word in _words(text)
        if word.key not in keys
        and word.key not in numbers
        and not (negative if _denies(word.key) else _may_be_added(word, korean))
        and not any(_same_word(word, other) for other in source_words)
        and not _is_kind_of_any(word, source_words)
    }


def unsupported(text: str, sources: Sequence[str]) -> tuple[str, ...]:
    """Returns what of a distilled text its sources do not say: words, or that something is (not) so.

    Three sources or more may be said to happen often.
    """
    source = "\n".join(sources)
    often = en.OFTEN | ko.OFTEN if len(sources) >= _OFTEN_FROM else frozenset()
    unsaid = unsaid_words(text, source)
    language = language_of(text)
    if own := [each for each in sources if language_of(each) is language]:  # function words are those of a language
        unsaid &= unsaid_words(text, "\n".join(own))
    found = tuple(word.written for word in _words(text) if word.written in unsaid and word.key not in often)
    negated = changes_negation(text, source) or (has_negation(text) and not has_negation(source))
    return (*dict.fromkeys(found), "that something is not so") if negated else tuple(dict.fromkeys(found))


def kind_of(word: str) -> str:
    """Returns the listed kind of a word: latte -> coffee; "" if there is none."""
    return _kinds().get(word.casefold(), "")


def has_negation(text: str) -> bool:
    """Whether a text denies anything."""
    return any(_denies(word.key) for word in _words(text))


def changes_negation(text: str, source: str) -> bool:
    """Whether the text asserts a word that the source only denies, or denies one that it only asserts."""
    words, source_words = _words(text), _words(source)
    denied, denied_before = list(_denied(words)), list(_denied(source_words))
    for word in words:
        if _denies(word.key) or _is_function_word(word.key):
            continue
        denials = _count(word, denied_before)
        if _count(word, denied):
            if denials == 0 and _count(word, source_words):
                return True
        elif 0 < denials == _count(word, source_words):
            return True
    return False


def _count(word: _Word, others: list[_Word]) -> int:
    return sum(_same_word(word, other) for other in others)


def _words(text: str) -> list[_Word]:
    plain = unicodedata.normalize("NFKC", text[:_READ_CHARACTERS]).replace("’", "'")
    return [
        _Word(written, compiled("'s$|,").sub("", written.casefold())) for written in compiled(_WORD).findall(plain)
    ]


def _numbers_in_both(text: str, source: str) -> set[str]:
    """Returns the words of numbers that the source has too, perhaps written otherwise: three for 3."""
    plain, plain_source = (unicodedata.normalize("NFKC", each[:_READ_CHARACTERS]) for each in (text, source))
    values = number_values(plain_source).keys()
    spellings = [spelling for value, spelling in number_values(plain).items() if value in values]
    return {word.key for spelling in spellings for word in _words(spelling)}


def _is_kind_of_any(word: _Word, source_words: Sequence[_Word]) -> bool:
    bases = _korean_bases(word.key) if word.korean else {word.key, stem(word.key)}
    kinds = {kind for base, kind in _kind_names().items() if base in bases}
    if not kinds:
        return False
    said_bases = [_korean_bases(other.key) if other.korean else {other.key} for other in source_words]
    return any(kind_of(base) in kinds for others in said_bases for base in others)


@lru_cache(maxsize=1)
def _kinds() -> Mapping[str, str]:
    kinds = en.KINDS | ko.KINDS
    return {member: kind for kind, members in kinds.items() for member in members.split()}


@lru_cache(maxsize=1)
def _kind_names() -> Mapping[str, str]:
    kinds = set(_kinds().values())
    return {stem(kind): kind for kind in kinds} | {kind: kind for kind in kinds}


def _may_be_added(word: _Word, korean: bool) -> bool:
    """Whether a word adds nothing to a source in this language; a translated source is another text."""
    return _is_function_word(word.key) and (word.korean is korean or word.key == USER)


def _is_function_word(key: str) -> bool:
    if not is_hangul(key[0]):
        return key in en.FUNCTION_WORDS
    particle = key in _PARTICLES  # on its own after another script: Python을
    return particle or key in ko.FUNCTION_WORDS or without_particle(key).noun in ko.FUNCTION_WORDS


def _denies(key: str) -> bool:
    return key in en.NEGATIONS or key in ko.DENYING_ADVERBS or key.startswith(ko.DENYING_STEMS)


def _denied(words: list[_Word]) -> Iterator[_Word]:
    """Yields what each negation denies: the word before 않다 and 없다, the content word after 안 and not."""
    for place, word in enumerate(words):
        if not _denies(word.key):
            continue
        if word.key.startswith(ko.DENYING_STEMS):
            yield from words[max(0, place - 1) : place]
        else:
            reach = words[place + 1 : place + 1 + _NEGATION_REACH]
            yield from [each for each in reach if each.key not in en.SKIPPED][:1]


def _same_word(word: _Word, other: _Word) -> bool:
    if word.key == other.key:
        return True
    if word.key[0].isdigit() or other.key[0].isdigit() or word.korean != other.korean:
        return False
    return _same_korean(word.key, other.key) if word.korean else _same_latin(word, other)


def _same_latin(word: _Word, other: _Word) -> bool:
    if stem(word.key) == stem(other.key):
        return True
    shared = _shared_beginning(word.key, other.key)
    longer = max(len(word.key), len(other.key))
    # Marie is not Marina: names have no other forms.
    return shared >= _SHORTEST_LATIN and shared >= _SHARED_PART * longer and not (word.is_name and other.is_name)


def _shared_beginning(word: str, other: str) -> int:
    pairs = zip(word, other, strict=False)
    return next((place for place, (a, b) in enumerate(pairs) if a != b), min(len(word), len(other)))


@lru_cache(maxsize=16_384)
def _same_korean(word: str, other: str) -> bool:
    if _korean_bases(word) & _korean_bases(other):
        return True
    shared = _shared_beginning(word, other)
    rest, other_rest = word[shared:], other[shared:]
    if shared < _SHORTEST_KOREAN:  # 2019년, 2019년에
        return shared > 0 and not (rest and other_rest) and rest + other_rest in _PARTICLES
    if all(not part or part[0] in ko.GRAMMATICAL for part in (rest, other_rest)):
        return True
    # 기다려, 기다린다: the stem's last syllable keeps its first consonant.
    verbs = word[-1] in ko.VERB_FINALS and other[-1] in ko.VERB_FINALS
    return verbs and bool(rest and other_rest) and _initial(rest[0]) == _initial(other_rest[0])


def _initial(syllable: str) -> int:
    return (ord(syllable) - ord("가")) // _INITIALS


@lru_cache(maxsize=16_384)
def _korean_bases(word: str) -> frozenset[str]:
    """Returns the nouns and verbs that a word may be a form of."""
    copula = copula_of(word)
    nouns = {word, without_particle(word).noun, *([] if copula is None else [copula.noun])}
    return frozenset(nouns | {verb.nominal for verb in verb_of(word)})
