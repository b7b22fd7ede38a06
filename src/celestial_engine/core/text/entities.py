"""Extracts entities from a text, normalised to their keys in the graph."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from celestial_engine.core.patterns import compiled
from celestial_engine.core.text.english import Word, is_content, verb_form, words_of
from celestial_engine.core.text.hangul import SS, batchim, is_hangul
from celestial_engine.core.text.korean import copula_of, verb_of, without_particle
from celestial_engine.core.text.korean_notes import noun_form
from celestial_engine.core.text.language import Language, language_of
from celestial_engine.lang.en import grammar as en_grammar
from celestial_engine.lang.ko import grammar as ko_grammar
from celestial_engine.lang.ko import nouns as ko_nouns
from celestial_engine.lang.ko import topics as ko_topics

USER = "user"
MOST_ENTITIES = 32

_READ_CHARACTERS = 2_000
_LONGEST = 120
_LONGEST_RUN = 4
_SELF = ko_nouns.SELF | frozenset(("i", "me", "my", "mine", "myself", "user", "the user"))
_LEADING = r"^(?:(?:the|an?|my|your|his|her|our|their|its|내|제|나의|저의|우리|저희)\s+)+(?=\S)"
_TRAILING = r"(?:['’]s?|\s씨)+$"
_HANGUL_WORDS = r"[가-힣]+(?: [가-힣]+)*"
_EDGES = " \t\r\n.,!?…~·;:\"'`“”‘’()[]{}<>「」『』《》*|/\\"
_BEFORE_NOUNS = frozenset("'s in of for about at into with".split()) | en_grammar.DETERMINERS | en_grammar.ADJECTIVES
_LATIN_NAME = r"\b[A-Z][A-Za-z0-9]{1,30}(?: [A-Z][A-Za-z0-9]{1,30}){1,3}"
# Each alternative begins with a digit and looks back from it, so that the search jumps from digit to digit.
_NUMBER = (
    r"\d(?<![\d.,].)(?:(?:\d{0,3}년 ?\d)?\d?월 ?\d{1,2}일|"
    rf"[\d,.]{{0,15}}\s?(?:{ko_grammar.UNITS}|{en_grammar.UNITS})(?![A-Za-z0-9])|(?<=[12])\d{{3}}s?\b)"
)


@lru_cache(maxsize=16_384)
def entity(name: str) -> str:
    """Returns the graph key of a name: "the Eiffel Tower's" -> "eiffel tower", 서울에서 -> 서울, 나 -> user."""
    before, key = None, name[:_LONGEST]
    while before != key:  # repeat until nothing changes, so that the function is idempotent
        before, key = key, _stripped(key)
    return USER if key in _SELF else key


def _stripped(name: str) -> str:
    if name.isascii():
        return _stripped_ascii(name)
    return _stripped_hangul(name) if compiled(_HANGUL_WORDS).fullmatch(name) else _stripped_any(name)


def _stripped_any(name: str) -> str:
    key = " ".join(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold()).split())
    if key in _SELF:
        return USER
    key = compiled(_TRAILING).sub("", compiled(_LEADING).sub("", key.strip(_EDGES))).strip(_EDGES) or key
    start, blank, last = key.rpartition(" ")
    noun = without_particle(last).noun
    if len(noun) > 2 and noun.endswith("씨") and noun not in ko_nouns.HONORIFIC_NOUNS:
        noun = noun[:-1]
    return start + blank + noun


def _stripped_hangul(name: str) -> str:
    """The same for most Korean names: whole syllables and single blanks need no normal form and have no edges."""
    if name in _SELF:
        return USER
    if " " in name:
        name = compiled(_LEADING).sub("", name)
        name = compiled(_TRAILING).sub("", name)
    start, blank, last = name.rpartition(" ")
    noun = without_particle(last).noun
    if len(noun) > 2 and noun.endswith("씨") and noun not in ko_nouns.HONORIFIC_NOUNS:
        noun = noun[:-1]
    return start + blank + noun


def _stripped_ascii(name: str) -> str:
    """The same for most English names, without what only other scripts need: normal forms and particles."""
    key = " ".join(name.lower().split())
    if key in _SELF:
        return USER
    stripped = key.strip(_EDGES)
    if " " in stripped:
        stripped = compiled(_LEADING).sub("", stripped)
    if "'" in stripped:
        stripped = compiled(_TRAILING).sub("", stripped)
    return stripped.strip(_EDGES) or key


def entities_in(text: str) -> list[str]:
    """Returns the entities of a text, in order, without duplicates, at most 32."""
    keys: dict[str, None] = {}
    for phrase in phrases_in(text):
        if is_key(key := entity(phrase)):
            keys[key] = None
        if len(keys) >= MOST_ENTITIES:
            break
    return list(keys)


def is_key(key: str) -> bool:
    """Whether a key names something: a single letter does not, a single Hangul syllable does."""
    return len(key) > 1 or is_hangul(key)


def is_name(words: Sequence[str]) -> bool:
    """Whether several words are one name: New York, University of Seoul, 김 민지."""
    if _is_korean_name(words):
        return True
    return all(word[:1].isupper() or (word == "of" and index) for index, word in enumerate(words))


def names_in_korean(text: str) -> list[str]:
    """Returns the names of several words in a Korean text: 김 민지가 -> 김 민지, New York에서 -> New York."""
    if language_of(text) is not Language.KO:
        return []
    words = [word.strip(_EDGES) for word in text.split()]
    pairs = ((family, _without_ending(given)) for family, given in pairwise(words) if family and given)
    return [" ".join(pair) for pair in pairs if _is_korean_name(pair)] + compiled(_LATIN_NAME).findall(text)


def _without_ending(word: str) -> str:
    noun, particle = without_particle(word)
    copula = None if particle else copula_of(word)
    return copula.noun if copula else noun


def _is_korean_name(words: Sequence[str]) -> bool:
    family, given = words if len(words) == 2 else ("", "")
    return (
        family in ko_nouns.SURNAMES
        and family not in ko_grammar.ADVERBS  # 이 주제, 한 번
        and len(given) == 2
        and ko_topics.NAME_SYLLABLES.issuperset(given)
        and given not in ko_nouns.NOUNS
    )


def phrase_around(word: str, text: str) -> str:
    """Returns the phrase of a text that a keyword belongs to, as written: bike -> road bike; else ""."""
    phrases = (phrase for phrase in phrases_in(text) if " " in phrase)
    return next((phrase for phrase in phrases if word in entity(phrase).split()), "")


def phrases_in(text: str) -> list[str]:
    """Returns the entities as written; a compound comes before its parts."""
    lines = unicodedata.normalize("NFKC", text[:_READ_CHARACTERS]).splitlines()
    text = " . ".join(" ".join(line.split()) for line in lines)
    phrases = list(_korean_phrases(text) if language_of(text) is Language.KO else _english_phrases(text))
    numbers = compiled(_NUMBER, re.IGNORECASE).findall(text) if compiled(r"\d").search(text) else []
    return sorted([*phrases, *numbers], key=text.find)


def _english_phrases(text: str) -> Iterator[str]:
    words = words_of(text)
    run: list[Word] = []
    for index, word in enumerate(words):
        if run and not _continues(run, words, index):
            yield from _compound(run)
            run = []
        if run or (word.is_content and _is_noun(words, index)) or (word.is_name and _adjective_of_name(words, index)):
            run.append(word)
    yield from _compound(run)


def _adjective_of_name(words: list[Word], index: int) -> bool:
    """An adjective that is part of a name: New York, but not "New shoes"."""
    return words[index].plain in en_grammar.ADJECTIVES and index + 1 < len(words) and words[index + 1].is_name


def _is_noun(words: list[Word], index: int) -> bool:
    word = words[index]
    before = words[index - 1] if index else None
    if before and before.plain[0].isdigit() and compiled(en_grammar.UNITS).fullmatch(word.plain):
        return False
    form = verb_form(word.plain)
    if form is None or (word.is_name and before and not before.is_sign):
        return True
    # After a determiner or a preposition a verb is a noun: my work, into painting.
    return before is not None and before.plain in _BEFORE_NOUNS and "past" not in form.kinds


def _continues(run: list[Word], words: list[Word], index: int) -> bool:
    word, last = words[index], run[-1]
    if word.is_sign or len(run) >= _LONGEST_RUN:
        return False
    if word.plain == "of":
        return last.is_name and index + 1 < len(words) and words[index + 1].is_name
    if last.plain == "of":
        return word.is_name
    if not word.is_content:
        return False
    if last.is_name != word.is_name and not (len(run) == 1 and (index == 1 or words[index - 2].is_sign)):
        return False  # a capital is ignored only at the beginning of a sentence
    form = verb_form(word.plain)
    # "coffee shop": a base form after a singular noun is no verb
    return form is None or word.is_name or (form.kinds == frozenset(("base",)) and not last.plain.endswith("s"))


def _compound(run: list[Word]) -> Iterator[str]:
    if not run:
        return
    if run[-1].plain == "of":
        run = run[:-1]
    yield " ".join(word.written for word in run)
    if len(run) > 1 and not run[0].is_name:
        yield from (word.written for word in run)


def _korean_phrases(text: str) -> Iterator[str]:
    run: list[str] = []
    for word in compiled(r"[\s/·()\[\]\"“”'‘’]+").split(text):
        noun, continues = korean_noun(word)
        if noun:
            run.append(noun)
        if run and (not noun or not continues or word[-1:] in ",.!?;:"):
            if 1 < len(run) <= _LONGEST_RUN:
                yield " ".join(run)
            yield from run
            run = []
    if 1 < len(run) <= _LONGEST_RUN:
        yield " ".join(run)
    yield from run


@lru_cache(maxsize=16_384)
def korean_noun(word: str) -> tuple[str, bool]:
    """Returns the noun in a Korean word ("" for none), and whether the next word may belong to it."""
    word = word.strip(_EDGES)
    if not word or word in ko_grammar.ADVERBS or word in ko_nouns.SELF or word in ko_nouns.POSSESSIVES:
        return "", False
    if not is_hangul(word[-1]):
        known = is_content(word.casefold()) and not word[0].isdigit()
        return (word, True) if known and word[0].isalnum() else ("", False)
    noun, particle = without_particle(word)
    if particle in ("을", "를", "에서", "에게", "한테", "으로", "의") and (
        len(noun) > 1 or noun in ko_nouns.ONE_SYLLABLE_NOUNS
    ):
        return _unless_vague(noun), False
    if verb := next(iter(verb_of(word)), None) or noun_form(word):
        nominal = verb.nominal
        root = nominal[:-1] if nominal.endswith(("함", "됨")) and len(nominal) > 2 else ""
        return _unless_vague("" if root.endswith("어") or root == "좋아" else root), False
    if (copula := copula_of(word)) is not None:
        return _unless_vague(without_particle(copula.noun).noun), False
    # 것도, 수만; but 수학, 시험 and 일본 only begin like a vague noun.
    vague = word[:-1] in ko_grammar.VAGUE_NOUNS and word[-1] in ko_grammar.AFTER_VAGUE_NOUNS
    if vague or (len(noun) == 1 and noun not in ko_nouns.ONE_SYLLABLE_NOUNS):
        return "", False
    return _unless_vague(noun), not particle


def _unless_vague(noun: str) -> str:
    if batchim(noun or " ") == SS:
        return ""  # a past stem: 신었
    vague = noun in ko_grammar.VAGUE_NOUNS or noun in ko_grammar.ADVERBS or noun in ko_nouns.SELF
    return "" if vague or compiled(r"[ㄱ-ㆎ]*|\d.*").fullmatch(noun) else noun
