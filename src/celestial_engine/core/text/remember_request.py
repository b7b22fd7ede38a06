"""Detects requests to remember something."""

from __future__ import annotations

from celestial_engine.core.patterns import compiled
from celestial_engine.lang.en import distillation as en_distilling
from celestial_engine.lang.ko import distillation as ko_distilling

LOOKED_AT = 400  # characters: the request comes early or in a short text


def asks_to_remember(text: str) -> bool:
    """Matches 기억해, 잊지 마, "remember that ..."; not "I remember" or "do you remember?"."""
    head = text[:LOOKED_AT]
    if "기억" in head or "잊지" in head or "명심" in head:
        return compiled(ko_distilling.REMEMBER).search(head) is not None
    plain = head.casefold()
    if "remember" in plain or "forget" in plain or "keep in mind" in plain:
        return compiled(en_distilling.REMEMBER).search(plain) is not None
    return False
