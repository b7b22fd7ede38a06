"""Stems English words by Porter's algorithm (1980), so that painting matches painted.

A stem is a key, not a word: "studi" is the stem of study, studies, studied and studying.
Irregular forms (went, bought, children) come first, from `lang.en`.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from celestial_engine.lang.en.words import IRREGULAR

_VOWELS = "aeiou"

_STEP_2 = (
    ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"), ("abli", "able"),
    ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"), ("ization", "ize"), ("ation", "ate"),
    ("ator", "ate"), ("alism", "al"), ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous"), ("aliti", "al"),
    ("iviti", "ive"), ("biliti", "ble"),
)  # fmt: skip
_STEP_3 = (
    ("icate", "ic"),
    ("ative", ""),
    ("alize", "al"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ful", ""),
    ("ness", ""),
)
_STEP_4 = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism", "ate", "iti",
    "ous", "ive", "ize",
)  # fmt: skip


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Returns the stem of a lower-case word; words with other than ASCII letters are unchanged."""
    word = IRREGULAR.get(word, word)
    if len(word) < 3 or not (word.isascii() and word.isalpha()):
        return word
    for step in (_plurals, _past_and_ing, _y_to_i, _double_suffixes, _single_suffixes, _last_suffix, _tidy):
        word = step(word)
    return word


def _is_consonant(word: str, index: int) -> bool:
    if word[index] in _VOWELS:
        return False
    return word[index] != "y" or index == 0 or not _is_consonant(word, index - 1)


def _measure(word: str) -> int:
    """Counts vowels followed by a consonant: roughly the number of syllables."""
    forms = [_is_consonant(word, index) for index in range(len(word))]
    return sum(1 for before, after in pairwise(forms) if not before and after)


def _has_vowel(word: str) -> bool:
    return any(not _is_consonant(word, index) for index in range(len(word)))


def _ends_doubled(word: str) -> bool:
    return len(word) > 1 and word[-1] == word[-2] and _is_consonant(word, len(word) - 1)


def _ends_short(word: str) -> bool:
    """Whether it ends consonant-vowel-consonant, as in hop: the stem lost an e (hoping) or doubled (hopping)."""
    last = len(word) - 1
    return (
        last >= 2
        and _is_consonant(word, last)
        and not _is_consonant(word, last - 1)
        and _is_consonant(word, last - 2)
        and word[-1] not in "wxy"
    )


def _plurals(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    if word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


def _past_and_ing(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        base = word[: -len(suffix)]
        if word.endswith(suffix) and _has_vowel(base):
            if base.endswith(("at", "bl", "iz")) or (_measure(base) == 1 and _ends_short(base)):
                return base + "e"
            return base[:-1] if _ends_doubled(base) and base[-1] not in "lsz" else base
    return word


def _y_to_i(word: str) -> str:
    return word[:-1] + "i" if word.endswith("y") and _has_vowel(word[:-1]) else word


def _double_suffixes(word: str) -> str:
    return _replaced(word, _STEP_2)


def _single_suffixes(word: str) -> str:
    return _replaced(word, _STEP_3)


def _replaced(word: str, table: tuple[tuple[str, str], ...]) -> str:
    for suffix, instead in table:
        if word.endswith(suffix):
            base = word[: -len(suffix)]
            return base + instead if _measure(base) > 0 else word
    return word


def _last_suffix(word: str) -> str:
    for suffix in sorted(_STEP_4, key=len, reverse=True):
        if word.endswith(suffix):
            base = word[: -len(suffix)]
            fits = _measure(base) > 1 and (suffix != "ion" or base.endswith(("s", "t")))
            return base if fits else word
    return word


def _tidy(word: str) -> str:
    if word.endswith("e"):
        base = word[:-1]
        if _measure(base) > 1 or (_measure(base) == 1 and not _ends_short(base)):
            word = base
    return word[:-1] if word.endswith("ll") and _measure(word) > 1 else word
