"""Formats the approved self for a prompt, within a token budget."""

from __future__ import annotations

from celestial_engine.core.retrieval.framing import escape_for_prompt
from celestial_engine.core.self.islands import IslandStatus
from celestial_engine.core.self.self_state import Self
from celestial_engine.core.text.language import Language, language_of
from celestial_engine.core.text.tokens import count_tokens
from celestial_engine.lang.en import self as en_self
from celestial_engine.lang.ko import self as ko_self

_OPENING, _CLOSING = "<self>", "</self>"


def context_of(approved: Self, tokens: int) -> str:
    """Returns beliefs and islands, strongest first, as many as fit; collapsed islands are left out."""
    islands = [island for island in approved.islands if island.in_behaviour]
    collapsed = {island.id for island in approved.islands} - {island.id for island in islands}
    beliefs = [belief for belief in approved.beliefs if belief.island not in collapsed]
    texts = [belief.statement for belief in beliefs] + [island.name for island in islands]
    if not texts:
        return ""
    korean = sum(language_of(text) is Language.KO for text in texts) * 2 >= len(texts)
    words = ko_self if korean else en_self
    status = {
        IslandStatus.SHAKING: f" ({words.CONTEXT_SHAKING})",
        IslandStatus.REBUILDING: f" ({words.CONTEXT_REBUILDING})",
    }
    lines = [
        f"- {belief.statement}"
        for belief in sorted(beliefs, key=lambda belief: (-belief.confidence, belief.formed_at))
    ]
    for island in sorted(islands, key=lambda island: (-island.strength, island.founded_at)):
        description = f": {island.description}" if island.description else ""
        lines.append(f"- {island.emoji} {island.name}{status.get(island.status, '')}{description}")
    return _fitting(words.CONTEXT_HEADER, [escape_for_prompt(line) for line in lines], tokens)


def _fitting(header: str, lines: list[str], tokens: int) -> str:
    fitting: list[str] = []
    for line in lines:
        text = "\n".join((_OPENING, header, *fitting, line, _CLOSING))
        if count_tokens(text) <= tokens:
            fitting.append(line)
    return "\n".join((_OPENING, header, *fitting, _CLOSING)) if fitting else ""
