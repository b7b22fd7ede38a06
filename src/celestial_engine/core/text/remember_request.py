"""Whether somebody said that a thing is to be remembered."""

from __future__ import annotations

from celestial_engine.core.patterns import compiled
from celestial_engine.lang.en import distillation as en_distilling
from celestial_engine.lang.ko import distillation as ko_distilling

LOOKED_AT = 400  # characters: who says it, says it early or in a short text


def asks_to_remember(text: str) -> bool:
    """기억해, 잊지 마, "remember that ..."; not "I remember" or "do you remember?"."""
    said = text[:LOOKED_AT]
    if "기억" in said or "잊지" in said or "명심" in said:
        return compiled(ko_distilling.REMEMBER).search(said) is not None
    plain = said.casefold()
    if "remember" in plain or "forget" in plain or "keep in mind" in plain:
        return compiled(en_distilling.REMEMBER).search(plain) is not None
    return False
