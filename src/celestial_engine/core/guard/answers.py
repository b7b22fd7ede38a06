"""A secret told across two turns: one asks for it, the next one is nothing but the secret."""

from __future__ import annotations

import re

from celestial_engine.core.guard.everyday import made_up
from celestial_engine.core.guard.normal_form import fold
from celestial_engine.core.guard.secrets import GuardAction, GuardPolicy, SecretKind, marker
from celestial_engine.core.patterns import compiled
from celestial_engine.core.text.language import Language, language_of
from celestial_engine.lang import secrets_everyday as everyday

_LONGEST_ANSWER = 80  # characters: a longer turn tells something besides


def redact_answer(answer: str, before: str | None, policy: GuardPolicy) -> str:
    """Returns the answer with its secret redacted, if the turn before it asked for one.

    >>> redact_answer("plum9921", "What's the wifi password?", GuardPolicy())
    '[redacted: password]'
    """
    if before is None or len(answer) > _LONGEST_ANSWER or policy.action(SecretKind.PASSWORD) is GuardAction.ALLOW:
        return answer
    question = fold(before)[-200:]
    if not compiled(everyday.ASKED_FOR).search(question) or not compiled(everyday.ASKS).search(question):
        return answer
    korean = Language.KO in (language_of(answer), language_of(before))

    def hidden(found: re.Match[str]) -> str:
        value = found["value"]
        secret = made_up(fold(value)) or compiled(r"[#*]?\d{4,8}[#*]?").fullmatch(fold(value))
        return marker(SecretKind.PASSWORD, korean=korean) if secret else value

    return compiled(r"(?P<value>[^\s가-힣]{4,80}?)(?=[.,!?]?(?:\s|$)|[가-힣])").sub(hidden, answer)
