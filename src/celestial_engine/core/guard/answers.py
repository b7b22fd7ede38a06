"""A secret told across two turns: one asks for it or announces it, the next one is hardly more than the secret."""

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
    """Returns the answer with its secret redacted, if the turn before it asked for one or announced it.

    >>> redact_answer("plum9921", "What's the wifi password?", GuardPolicy())
    '[redacted: password]'
    """
    if before is None or len(answer) > _LONGEST_ANSWER or policy.action(SecretKind.PASSWORD) is GuardAction.ALLOW:
        return answer
    question = fold(before)[-200:]
    if not compiled(everyday.ASKED_FOR).search(question):
        return answer
    asked = compiled(everyday.ASKS).search(question) is not None
    alone = compiled(everyday.NOTHING_BUT_A_VALUE).fullmatch(fold(answer)) is not None
    if not asked and not alone:
        return answer
    korean = Language.KO in (language_of(answer), language_of(before))

    def hidden(found: re.Match[str]) -> str:
        value = fold(found["value"])
        secret = (
            made_up(value)
            or compiled(r"[#*]?\d{4,8}[#*]?").fullmatch(value)
            or (asked and alone and compiled(r"(?=\S*\d)(?=\S*[A-Za-z])[!-~]{4,}").fullmatch(value))
        )
        return marker(SecretKind.PASSWORD, korean=korean) if secret else found["value"]

    return compiled(r"(?P<value>[^\s가-힣]{4,80}?)(?=[.,!?]?(?:\s|$)|[가-힣])").sub(hidden, answer)
