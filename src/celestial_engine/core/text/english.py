"""English words: splits contractions, finds base forms of verbs, and detects nouns by lists and position."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from celestial_engine.core.patterns import compiled
from celestial_engine.lang.en import grammar as en_grammar
from celestial_engine.lang.en import words as en

_WORDS = (
    r"\b(?:Mrs?|Ms|Dr|Prof|St|Rev|Capt|Sgt)\.(?=\s+[A-Z])|"
    r"\d{1,2}:\d{2}|[$€£₩]?\d+(?:[.,]\d+)*%?(?![^\W_]|[-'.&/]\w)|"
    r"[^\W_]+(?:['’.&+#°/-]+[^\W_]+)*(?:\+\+|#)?|[%°]\w?|[^\w\s]"
)
_CONTRACTIONS = {"n't": "not", "'m": "am", "'re": "are", "'ve": "have", "'ll": "will", "'d": "would"}
_IS_AFTER = frozenset("it he she that what there here who where how this everything".split())
_WHOLE = {
    "can't": ("can", "not"), "won't": ("will", "not"), "cannot": ("can", "not"), "shan't": ("shall", "not"),
    "gonna": ("going", "to"), "wanna": ("want", "to"), "gotta": ("have", "to"), "let's": ("let's",),
}  # fmt: skip


class Word(NamedTuple):
    """A word as written and in lower case, and whether it is a name, punctuation, or a content word."""

    written: str
    plain: str
    is_name: bool
    is_sign: bool
    is_content: bool


@lru_cache(maxsize=16_384)
def read_word(written: str) -> Word:
    plain = written.casefold()
    is_name = written[:1].isupper() and plain not in en_grammar.PRONOUNS
    is_sign = not (written[:1].isalnum() or written[:1] in "$€£₩" or plain == "'s")
    return Word(written, plain, is_name, is_sign, not plain[0].isdigit() and is_content(plain))


def words_of(text: str) -> list[Word]:
    """Splits a text into words and punctuation: don't -> do not, Caroline's -> Caroline 's."""
    words: list[Word] = []
    for written in compiled(_WORDS).findall(text.replace("’", "'")):
        if written == "St." and words and words[-1].is_name:  # "Main St." is a street, "St. Peter" a saint
            words += read_word("St"), read_word(".")
        else:
            words += _split_contraction(written)
    return words


@lru_cache(maxsize=16_384)
def _split_contraction(token: str) -> tuple[Word, ...]:
    plain = token.casefold()
    if "'" not in plain:
        return tuple(map(read_word, _WHOLE[plain])) if plain in _WHOLE else (read_word(token),)
    if plain in _WHOLE:
        return tuple(map(read_word, _WHOLE[plain]))
    for tail, full in _CONTRACTIONS.items():
        if plain.endswith(tail) and len(plain) > len(tail):
            return read_word(token[: -len(tail)]), read_word(full)
    if plain.endswith("'s") and len(plain) > 2:
        mark = "is" if plain[:-2] in _IS_AFTER else "'s"
        return read_word(token[:-2]), read_word(mark)
    return (read_word(token),)


class Form(NamedTuple):
    """A verb form: its base, and the kinds it may be (base, s, past, ing)."""

    base: str
    kinds: frozenset[str]


def verb_form(plain: str) -> Form | None:
    """Returns the verb form of a lower-case word; None if it is not a listed verb."""
    return _verb_forms().get(plain)


@lru_cache(maxsize=1)
def _verb_forms() -> dict[str, Form]:
    table: dict[str, Form] = {}
    for base in en_grammar.VERBS:
        for form, kind in _regular(base):
            _add(table, form, base, kind)
    for form, base in en.IRREGULAR.items():
        if base in en_grammar.VERBS:
            _add(table, form, base, "past")
    for form, base in en_grammar.IRREGULAR_PAST.items():
        _add(table, form, base, "past")
    for form in ("goes", "does", "has"):
        table[form] = Form({"goes": "go", "does": "do", "has": "have"}[form], frozenset(("s",)))
    table["had"] = Form("have", frozenset(("past",)))
    table["did"] = table["done"] = Form("do", frozenset(("past",)))
    return table


def _add(table: dict[str, Form], form: str, base: str, kind: str) -> None:
    known = table.get(form)
    if known is None:
        table[form] = Form(base, frozenset((kind,)))
    elif known.base == base:
        table[form] = Form(base, known.kinds | {kind})


def _regular(base: str) -> list[tuple[str, str]]:
    vowel_y = base.endswith("y") and base[-2] in "aeiou"
    if base.endswith("y") and not vowel_y:
        plural, past, doing = base[:-1] + "ies", base[:-1] + "ied", base + "ing"
    elif base.endswith("ie"):
        plural, past, doing = base + "s", base + "d", base[:-2] + "ying"
    elif base.endswith("e"):
        plural, past, doing = base + "s", base + "d", base[:-1] + "ing"
    else:
        # stop -> stopped, but visit -> visited: one short syllable doubles its consonant
        doubled = compiled(r"[^aeiou]*[aeiou][^aeiouwxy]|.*(?:mit|fer|get|gin|rol)").fullmatch(base) is not None
        stem = base + base[-1] if doubled else base
        plural = base + ("es" if base.endswith(("s", "sh", "ch", "x", "z", "o")) else "s")
        past, doing = stem + "ed", stem + "ing"
    return [(base, "base"), (plural, "s"), (past, "past"), (doing, "ing")]


@lru_cache(maxsize=16_384)
def is_adverb(plain: str) -> bool:
    """Whether a word is an adverb: listed, or ending in -ly and not a noun, name or verb."""
    if plain in en_grammar.ADVERBS:
        return True
    return (
        plain.endswith("ly") and len(plain) > 4 and plain not in en_grammar.NOT_ADVERBS and verb_form(plain) is None
    )


@lru_cache(maxsize=16_384)
def is_content(plain: str) -> bool:
    """Whether a lower-case word is a content word: no function word, adverb, adjective or vague noun."""
    return (
        len(plain) > 1
        and plain[0].isalnum()
        and plain not in en.STOP_WORDS
        and plain not in en_grammar.PRONOUNS
        and plain not in en_grammar.DETERMINERS
        and plain not in en_grammar.PREPOSITIONS
        and plain not in en_grammar.OPENERS
        and plain not in en_grammar.MODALS
        and plain not in en_grammar.VAGUE_NOUNS
        and plain not in en_grammar.PARTICLES
        and plain not in en_grammar.ADJECTIVES
        and plain not in en_grammar.QUESTIONING
        and plain not in en_grammar.HYPOTHETICAL
        and plain not in ("'s", "not", "being", "been", "be", "having")
        and not is_adverb(plain)
    )
