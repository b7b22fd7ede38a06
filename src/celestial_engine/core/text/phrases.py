"""English phrases in a list of words: bounds of noun phrases, openers of clauses, verbs."""

from __future__ import annotations

from celestial_engine.core.text.english import Form, Word, is_adverb, verb_form
from celestial_engine.lang.en import grammar

_MOST_WORDS = 5
_MEASURES = frozenset("lot lots couple bunch sorts kinds kind sort type types variety ton tons plenty bit".split())
_FRONT = grammar.DETERMINERS | _MEASURES
_NOT_BEFORE_VERBS = (
    (grammar.DETERMINERS - {"that", "all", "both", "this"}) | grammar.PREPOSITIONS | grammar.ADJECTIVES | {"'s"}
)
_ENDING = (
    (grammar.PREPOSITIONS | grammar.PRONOUNS | grammar.BE | grammar.MODALS | grammar.HYPOTHETICAL | grammar.NAMING)
    | {"not", "that", "so", "ago", "last", "next", "this", "every", "'d"}
) - {"of"}
_EMPTY = grammar.ADJECTIVES | grammar.VAGUE_NOUNS
_NO_COMPLEMENT = grammar.VAGUE_NOUNS - grammar.ADJECTIVES
_HELPING = grammar.BE | grammar.MODALS | grammar.HAVE
_SUBJECTS = frozenset("i we they he she it you my our the this his her their".split())
_TIME_LEADS = frozenset("this last next every each".split())
_AFTER_TIME = grammar.BE | grammar.MODALS | grammar.HAVE | {"'s", "of"}
PAST = frozenset(("past",))


def plain_at(words: list[Word], index: int) -> str:
    return words[index].plain if 0 <= index < len(words) else ""


def joined(words: list[Word]) -> str:
    return " ".join(word.written for word in words).replace(" 's", "'s")


def without_openers(words: list[Word]) -> list[Word]:
    """Strips openers such as "By the way", "Actually", "and then"."""
    start = 0
    while start < len(words):
        phrases = grammar.OPENING_PHRASES.get(words[start].plain, ())
        skipped = next((len(phrase) for phrase in phrases if _starts_with(words, start, phrase)), 0)
        plain, after = words[start].plain, plain_at(words, start + 1)
        if not skipped and (plain in grammar.OPENERS or is_adverb(plain)) and not _negates_note(plain, after):
            skipped = 1
        elif plain in _TIME_LEADS and after in grammar.TIME_WORDS and start + 2 < len(words):
            skipped = 0 if plain_at(words, start + 2) in _AFTER_TIME else 2  # This year I plan
        if not skipped:
            break
        start += skipped
    return words[start:]


def _negates_note(plain: str, after: str) -> bool:
    """Whether a negation is part of a note: Never drinks alcohol, No siblings."""
    form = verb_form(after)
    if plain == "never":
        return form is not None and "s" in form.kinds
    return plain == "no" and (after in grammar.NOTED_LACKS or after in grammar.KIN)


def _starts_with(words: list[Word], start: int, phrase: tuple[str, ...]) -> bool:
    return all(plain_at(words, start + offset) == plain for offset, plain in enumerate(phrase))


def trimmed(words: list[Word]) -> list[Word]:
    """Strips leading determiners: "a lot of the old books" -> "old books"."""
    start = 0
    while start < len(words) and (words[start].plain in _FRONT or (start and words[start].plain == "of")):
        start += 1
    return words[start:]


def phrase_at(words: list[Word], start: int, *, adjectives: bool = False) -> tuple[str, int]:
    """Returns the noun phrase at an index and where it ends; "" if there is none."""
    begin = start
    while begin < len(words) and (
        words[begin].plain in _FRONT
        or words[begin].plain in grammar.ADVERBS
        or (begin > start and words[begin].plain == "of")
    ):
        begin += 1
    end = begin
    while end < len(words) and end - begin < _MOST_WORDS and not _ends_phrase(words, begin, end):
        end += 1
    form = verb_form(plain_at(words, begin))
    if form and "ing" in form.kinds and end == begin + 1 and plain_at(words, end) in grammar.DETERMINERS:
        inner, end = phrase_at(words, end)  # selling some old books
        return f"{words[begin].written} {inner}".strip(), end
    taken = words[begin:end]
    while len(taken) > 1 and (taken[-1].plain in grammar.ADVERBS or taken[-1].plain in ("of", "'s")):
        taken = taken[:-1]
    empty = _NO_COMPLEMENT if adjectives and len(taken) == 1 else frozenset() if adjectives else _EMPTY
    if not taken or taken[0].plain in grammar.PRONOUNS or all(word.plain in empty for word in taken):
        return "", end
    return joined(taken), end


def _ends_phrase(words: list[Word], begin: int, index: int) -> bool:
    plain = words[index].plain
    if plain == "of":
        return index == begin or index + 1 >= len(words)
    if plain in _ENDING:
        return True
    if index == begin:
        return False
    if plain in grammar.DETERMINERS and words[index - 1].plain != "of":
        return True
    if words[index].is_name:
        return False
    form = verb_form(plain)
    finite = form is not None and "past" in form.kinds and "base" not in form.kinds
    return finite or plain in grammar.TIME_WORDS or plain in ("has", "does")


def follows_noun_marker(words: list[Word], index: int) -> bool:
    """Whether a noun marker precedes, so that it is not the verb: my work, the dance, to play."""
    return index > 0 and words[index - 1].plain in _NOT_BEFORE_VERBS


def unknown_past(words: list[Word], index: int) -> Form | None:
    """Recognises an unlisted past verb: It symbolized the womb."""
    plain, after = words[index].plain, plain_at(words, index + 1)
    tells = plain.endswith("ed") and len(plain) > 4 and plain not in grammar.ADJECTIVES and index > 0
    return Form(plain, PAST) if tells and (after in grammar.DETERMINERS or after in grammar.TYING) else None


def next_verb(words: list[Word], index: int) -> Form | None:
    """Returns the verb that follows an auxiliary before this index."""
    for word in words[index : index + 4]:
        if word.plain in grammar.BE:
            return Form("be", PAST)
        if word.plain in ("not", "never") or is_adverb(word.plain):
            continue
        return verb_form(word.plain) or (Form(word.plain, PAST) if word.plain.endswith("ed") else None)
    return None


def infinitive_at(words: list[Word], index: int) -> str:
    """Returns the verb of a "to learn" at this index, or ""."""
    form = verb_form(plain_at(words, index + 1)) if plain_at(words, index) == "to" else None
    return form.base if form and "base" in form.kinds else ""


def unknown_infinitive_at(words: list[Word], index: int) -> str:
    """Returns an unlisted verb after "to", if a determiner follows it: to renew my passport."""
    if plain_at(words, index) != "to" or plain_at(words, index + 2) not in grammar.DETERMINERS:
        return ""
    verb = words[index + 1]
    return verb.plain if verb.is_content and not verb.is_name else ""


def starts_clause(words: list[Word]) -> bool:
    """Whether a reported clause (what somebody thinks or says) begins here."""
    if not words or not (words[0].plain in _SUBJECTS or words[0].is_name):
        return False
    if plain_at(words, 1) in grammar.PREPOSITIONS:
        return False
    return any(word.plain in _HELPING or verb_form(word.plain) for word in words[1:5])


def opens_note(words: list[Word], main: list[str], form: Form | None) -> bool:
    """Whether a third person without a subject is the one a note is about: Lives in Seoul, Does not drink."""
    if main[0] == "does":
        return "not" in [word.plain for word in words[:3]]
    second = verb_form(main[1]) if len(main) > 1 else None
    plural = main[0] not in ("has", "is") and second is not None and "base" in second.kinds  # Deploys happen
    return not plural and not (form and form.base in grammar.NOT_NOTED)
