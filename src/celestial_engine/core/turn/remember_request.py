"""Requests to remember something, and what they ask to remember."""

from __future__ import annotations

from celestial_engine.core.patterns import compiled
from celestial_engine.core.turn.profile_request import has_words_of_request
from celestial_engine.lang.turns import LANGUAGES, en_turns, ko_turns

LOOKED_AT = 400  # characters: the request comes early or in a short text


def asks_to_remember(text: str) -> bool:
    """Matches 기억해, 잊지 마, "remember that ...", "from now on ..."; not "I remember" or "do you remember?"."""
    head = text[:LOOKED_AT].replace("’", "'").casefold()
    requested = any(
        any(word in head for word in language.REMEMBER_WORDS) and compiled(language.REMEMBER).search(head) is not None
        for language in LANGUAGES
    )
    return requested and not has_words_of_request(text)  # "tell me what you remember about me"


def is_bare_request(text: str) -> bool:
    """Whether a request does not say what to remember: "remember this!", 잊지 마."""
    head = text[:LOOKED_AT].strip().replace("’", "'").casefold()
    return len(text) <= LOOKED_AT and any(
        compiled(language.BARE_REQUEST).fullmatch(head) is not None for language in LANGUAGES
    )


def statement_in(text: str) -> str | None:
    """Returns what a request asks to remember, in the user's words; None if it cannot be told from the request."""
    if len(text) > LOOKED_AT or "\n" in text:
        return None
    plain = text.strip().replace("’", "'")
    for pattern in en_turns.STATEMENTS:
        match = compiled("(?i)" + pattern).fullmatch(plain)
        if match is not None:
            statement = match[1].rstrip("? ")
            return statement[0].upper() + statement[1:]
    for place, pattern in enumerate(ko_turns.STATEMENTS):
        match = compiled(pattern).fullmatch(plain)
        if match is not None:
            return _in_plain_form(match[1]) if place == 1 else match[1]
    return None


def _in_plain_form(statement: str) -> str:
    ending, plain = next(pair for pair in reversed(ko_turns.PLAIN_FORM) if statement.endswith(pair[0]))
    return statement.removesuffix(ending) + plain
