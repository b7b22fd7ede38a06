"""Korean morphology: strips particles from nouns and finds verbs by their stems, by rules and short lists.

Nouns that only look like they end in a particle (고양이, 제주도, 회의) are listed. A verb is recognised by the forms
of its stem before an ending: 마시-, 마셔-, 마셨-, 마십-, 마신-, 마실- are all 마심.
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from celestial_engine.core.text.hangul import SS, B, L, M, batchim, closed, conjugated, is_hangul, opened
from celestial_engine.lang.ko import grammar as ko_grammar
from celestial_engine.lang.ko import notes as ko_notes
from celestial_engine.lang.ko import nouns as ko_nouns

_LONGEST_PARTICLE = 4
LIGHT = frozenset(("함", "됨", "시킴", "당함", "받음"))  # light verbs, which turn a noun into a verb
_LONGEST_WORD = 24
ONE_SYLLABLE_ROOTS = "일말원정통전향구취변망반청피못위접택심독약강친잘"  # 일하다, 원하다, 심하다


class Particled(NamedTuple):
    """A noun and its particle ("" for none)."""

    noun: str
    particle: str


@lru_cache(maxsize=16_384)
def without_particle(word: str) -> Particled:
    """Splits a word into noun and particle; a word that is a listed noun is not split."""
    if not is_hangul(word[-1:]) or is_whole_noun(word):
        return Particled(word, "")
    for length in range(min(_LONGEST_PARTICLE, len(word) - 1), 1, -1):
        noun, particle = word[:-length], word[-length:]
        if particle in ko_nouns.LONG_PARTICLES and agrees(noun, particle):
            return Particled(noun, particle)
    noun, particle = word[:-1], word[-1:]
    if (
        noun
        and particle in ko_nouns.SHORT_PARTICLES
        and agrees(noun, particle)
        and _is_plausible_noun(noun, particle)
    ):
        return Particled(noun, particle)
    return Particled(word, "")


def is_whole_noun(word: str) -> bool:
    """Whether a word is a noun although it seems to end in a particle."""
    ism = len(word) > 3 and word.endswith("주의")
    return ism or word in ko_nouns.NOUNS or word.endswith(ko_nouns.NOUN_ENDINGS)


def _is_plausible_noun(noun: str, particle: str) -> bool:
    """Whether the noun is a word: a single syllable only if it is listed or marked by 을/를."""
    if not is_hangul(noun[-1]) or len(noun) > 1:
        return True
    return particle in "을를" or noun in ko_nouns.ONE_SYLLABLE_NOUNS


def agrees(noun: str, particle: str) -> bool:
    if not is_hangul(noun[-1]):
        return True  # Python을, 288GTO의: the pronunciation of a foreign word is unknown
    final = batchim(noun)
    if particle in ko_nouns.AFTER_BATCHIM:
        return final > 0
    if particle in ko_nouns.AFTER_VOWEL:
        return final == 0
    if particle in ko_nouns.AFTER_BATCHIM_NOT_L:
        return final not in (0, L)
    return particle not in ko_nouns.AFTER_VOWEL_OR_L or final in (0, L)


class Ending(str, Enum):
    """The function of a predicate's ending in the clause."""

    FINAL = "f"
    CONNECTING = "c"
    MODIFYING = "m"
    NEGATED = "n"  # ~지, before 않다 or 못하다
    ASKING = "q"
    HONORIFIC = "h"


class Verb(NamedTuple):
    """A predicate: its noun form (좋아함), its ending, and the shape of its stem (a, s, p, n, l, b, e)."""

    nominal: str
    ending: Ending
    shape: str
    tail: str


@lru_cache(maxsize=16_384)
def verb_of(word: str) -> tuple[Verb, ...]:
    """Returns the verbs that a word may be, longest stem first; () if it is no verb."""
    if not is_hangul(word[-1:]) or len(word) > _LONGEST_WORD:
        return ()
    known = _listed_verbs(word)
    if known:
        return known
    for start in range(1, len(word)):  # 공부했어: a noun and a form of 하다 or 되다
        noun, rest = word[:start], word[start:]
        if rest[0] in _light_heads() and (start > 1 or noun in ONE_SYLLABLE_ROOTS):
            light = [verb for verb in _listed_verbs(rest) if verb.nominal in LIGHT]
            if light:
                return tuple(verb._replace(nominal=noun + verb.nominal) for verb in light)
    return _unlisted_verb(word)


def _unlisted_verb(word: str) -> tuple[Verb, ...]:
    """Recognises an unlisted verb by its past (먹였다) or polite form (늘려줍니다)."""
    if copula_of(word):
        return ()
    for length in range(min(4, len(word) - 1), 0, -1):
        stem, tail = word[:-length], word[-length:]
        if batchim(stem) == SS and len(stem) > 1 and (ending := _endings()["p"].get(tail)):
            return (Verb(stem + "음", ending, "p", tail),)
        if batchim(stem) == B and tail == "니다" and not stem.endswith("입"):
            polite = stem[-1] == "습" and len(stem) > 2
            return (Verb(stem[:-1] + "음" if polite else closed(opened(stem), M), Ending.FINAL, "b", tail),)
    return ()


def _listed_verbs(word: str) -> tuple[Verb, ...]:
    forms, endings = _forms(), _endings()
    verbs: dict[tuple[str, Ending], Verb] = {}
    for length in range(len(word), 0, -1):
        for nominal, shape in forms.get(word[:length], ()):
            tail = word[length:]
            if ending := endings[shape].get(tail):
                verbs.setdefault((nominal, ending), Verb(nominal, ending, shape, tail))
    return tuple(verbs.values())


class Copula(NamedTuple):
    noun: str
    ending: Ending


@lru_cache(maxsize=16_384)
def copula_of(word: str) -> Copula | None:
    """Splits off the copula: 개발자예요 -> 개발자; None if the word does not end in a form of 이다."""
    if word in ko_nouns.NOUNS or word in ko_notes.NOUNS:
        return None
    table = _copulas()
    for length in range(min(5, len(word) - 1), 0, -1):
        noun, tail = word[:-length], word[-length:]
        ending = table.get(tail)
        if ending is None:
            continue
        if tail[0] in "예여였네죠라에" and batchim(noun) > 0:
            continue
        whole = noun + "이" in ko_nouns.NOUNS and tail[0] == "이"  # 고양이야 is 고양이 + 야
        return Copula(noun + "이" if whole else noun, ending)
    return None


@lru_cache(maxsize=1)
def _copulas() -> dict[str, Ending]:
    table = {tail: Ending(kind) for kind, tails in ko_grammar.COPULAS.items() for tail in tails.split()}
    return {tail: kind for tail, kind in table.items() if len(tail) > 1 or tail == "임"}


@lru_cache(maxsize=1)
def _endings() -> dict[str, dict[str, Ending]]:
    table = {
        shape: {tail.strip(): Ending(kind) for kind, tails in kinds.items() for tail in _split(tails)}
        for shape, kinds in ko_grammar.ENDINGS.items()
    }
    # 살다 loses its ㄹ before ㄴ, ㅂ and ㅅ only: 사는, 사세요
    soft = [
        (tail, kind)
        for shape in "se"
        for tail, kind in table[shape].items()
        if tail[:1] in tuple("나네느는니냐세셔셨시십신")
    ]
    return {**table, "o": dict(soft)}


def _split(tails: str) -> list[str]:
    return [*tails.split(), ""] if tails.startswith(" ") else tails.split()


@lru_cache(maxsize=1)
def _light_heads() -> frozenset[str]:
    return frozenset(form[0] for form, uses in _forms().items() if any(nominal in LIGHT for nominal, _ in uses))


@lru_cache(maxsize=1)
def _forms() -> dict[str, tuple[tuple[str, str], ...]]:
    """Maps every shape of every stem to the verb's noun form: 마셔 -> (마심, a)."""
    table: dict[str, dict[tuple[str, str], None]] = {}
    stems = [
        *ko_grammar.VERBS.split(),
        *ko_grammar.ADJECTIVES.split(),
        "하",
        "되",
        "시키",
        "당하",
        "못하",
        "않",
        "좋아하",
        "싫어하",
        "싶어하",
    ]
    for entry in stems:
        irregular = entry[-1] if not is_hangul(entry[-1]) else ""
        stem = entry.rstrip(irregular) if irregular else entry
        nominal, shapes = conjugated(stem, irregular)
        for shape, form in shapes:
            table.setdefault(form, {})[(nominal, shape)] = None
    return {form: tuple(uses) for form, uses in table.items()}


@lru_cache(maxsize=1)
def nominals() -> frozenset[str]:
    """Returns the noun forms of all listed verbs: 마심, 먹음, 만듦."""
    return frozenset(nominal for uses in _forms().values() for nominal, _ in uses)


@lru_cache(maxsize=1)
def qualities() -> frozenset[str]:
    """Returns the noun forms of all listed adjectives: 좋음, 비쌈."""
    entries = ((word, word[-1] if not is_hangul(word[-1]) else "") for word in ko_grammar.ADJECTIVES.split())
    return frozenset(
        conjugated(word.rstrip(irregular) if irregular else word, irregular)[0] for word, irregular in entries
    )
