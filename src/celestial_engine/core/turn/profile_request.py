"""Recognises questions for everything that is known about the user: "what do you know about me?"."""

from __future__ import annotations

from celestial_engine.core.patterns import compiled
from celestial_engine.core.record.reading import Reading
from celestial_engine.core.text.language import Language, language_of
from celestial_engine.lang.en import profile as en_profile
from celestial_engine.lang.ko import profile as ko_profile

_LOOKED_AT = 200  # characters: whoever asks for everything asks briefly
_SURELY_TELLS = 0.7  # from this probability the words are rhetorical: "joined a choir at sixty. who am i"


def asks_for_profile(text: str, reading: Reading) -> bool:
    """Whether a turn asks for all that is known about the user, and not about one thing.

    Only certain wordings count: a missed one is searched for like any question.
    """
    return reading.keep < _SURELY_TELLS and has_words_of_request(text)


def has_words_of_request(text: str) -> bool:
    """Whether one sentence of a short text is such a question, by its words alone."""
    if len(text) > _LOOKED_AT:
        return False
    matches = _matches_korean if language_of(text) is Language.KO else _matches_english
    return any(matches(sentence) for sentence in compiled(r"(?<=[.!?…~\n])\s*").split(text))


def _matches_english(sentence: str) -> bool:
    words = compiled(r"[^\w']+").sub(" ", sentence.casefold().replace("’", "'")).split()
    plain = " ".join(en_profile.SHORT_FORMS.get(word, word) for word in words)
    if not _asks(en_profile.ASKS, en_profile.ASKS_NOT, plain):
        return False
    if _is_unclear(en_profile.UNCLEAR, en_profile.CLEAR_SIGN, plain, sentence):
        return False
    return all(word in en_profile.WORDS for word in plain.split())


def _matches_korean(sentence: str) -> bool:
    plain = compiled(r"[\W_]+").sub("", sentence)
    if not _asks(ko_profile.ASKS, ko_profile.ASKS_NOT, plain):
        return False
    if _is_unclear(ko_profile.UNCLEAR, ko_profile.CLEAR_SIGN, plain, sentence):
        return False
    return _is_made_of(ko_profile.WORDS, plain)


def _asks(patterns: tuple[str, ...], not_patterns: str, plain: str) -> bool:
    return any(compiled(pattern).search(plain) for pattern in patterns) and not compiled(not_patterns).search(plain)


def _is_unclear(unclear: str, clear_sign: str, plain: str, sentence: str) -> bool:
    return compiled(unclear).search(plain) is not None and compiled(clear_sign).search(sentence) is None


def _is_made_of(words: frozenset[str], text: str) -> bool:
    """Whether a text without spaces can be cut into these words."""
    longest = max(map(len, words))
    ends = [True] + [False] * len(text)  # whether the text before this position can be cut
    for end in range(1, len(text) + 1):
        starts = range(max(0, end - longest), end)
        ends[end] = any(ends[start] and text[start:end] in words for start in starts)
    return ends[-1]
