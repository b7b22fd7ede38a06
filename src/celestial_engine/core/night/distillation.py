"""Distillation: one text for several memories. Claims that no source supports are rejected."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from celestial_engine.core.guard.instructions import looks_like_injection
from celestial_engine.core.model.faithful import unsupported
from celestial_engine.core.night.essence import MOST_CHARACTERS, essence_of, essence_of_year
from celestial_engine.core.patterns import compiled
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.retrieval.framing import escape_for_prompt
from celestial_engine.core.text.language import Language, language_of
from celestial_engine.core.text.sentences import sentences_of
from celestial_engine.errors import Problem, Reason, problem
from celestial_engine.lang.en import distillation as en_distilling
from celestial_engine.lang.ko import distillation as ko_distilling

BY_RULES, BY_MODEL, BY_HOST = "rules", "model", "host"
MOST_SENTENCES = 2
_MOST_QUOTED = 300  # characters of a memory
_TOKEN_BYTES = 10


@dataclass(frozen=True)
class Distilled:
    """One or two sentences, and their author: the rules, a language model, or the host."""

    text: str
    by: str
    refused: Problem | None = None  # why a model's text was rejected


def prompt_for(texts: Sequence[str]) -> str:
    """Returns the prompt in the language of the memories; {text} is replaced by them."""
    korean = sum(language_of(text) is Language.KO for text in texts) * 2 >= len(texts)
    return ko_distilling.PROMPT if korean else en_distilling.PROMPT


def listed(texts: Sequence[str]) -> str:
    """Formats the memories, one per line."""
    return "\n".join(f"- {escape_for_prompt(text)[:_MOST_QUOTED]}" for text in texts)


def by_rules(texts: Sequence[str], tier: Tier = Tier.M90) -> Distilled:
    """Selects from the texts; for the one-year tier from texts that were distilled before."""
    return Distilled(essence_of_year(texts) if tier is Tier.M365 else essence_of(texts), BY_RULES)


def sentence_in_answer(answer: object) -> str:
    """Extracts the sentence from a model's answer, as JSON or plain text, without quotes around it."""
    text = answer if isinstance(answer, str) else ""
    json_match = compiled(r"\{.*\}", re.DOTALL).search(text)
    if json_match is not None:
        try:
            data = json.loads(json_match.group())
        except (ValueError, RecursionError):
            data = None
        text = data["essence"] if isinstance(data, dict) and isinstance(data.get("essence"), str) else ""
    line = " ".join(text.split())
    return compiled(r"^(?:[-*•]\s+|\d+[.)]\s+)").sub("", line).strip(" \"'“”‘’`")


def objection(text: str, sources: Sequence[str]) -> Problem | None:
    """Returns why this text cannot replace its sources; None if it can."""
    if compiled(r"[^\W\d_]{2}").search(text) is None:
        return problem(None, Reason.SAYS_NOTHING)
    if len(text) > MOST_CHARACTERS or len(sentences_of(text)) > MOST_SENTENCES:
        return problem(None, Reason.TOO_LONG_A_TEXT, most=MOST_CHARACTERS)
    if looks_like_injection(text):
        return problem(None, Reason.INSTRUCTS)
    claims = unsupported(text, sources)
    return problem(None, Reason.UNSUPPORTED, names=claims) if claims else None


def token_of(owner: Owner, tier: str, sources: Sequence[tuple[str, str]]) -> str:
    """Returns a token for exactly these sources (id and text); any change of them changes the token."""
    payload = repr((owner.user_id, owner.agent_id, tier, sorted(sources)))
    return hashlib.sha256(payload.encode("utf-8", "surrogatepass")).hexdigest()[: 2 * _TOKEN_BYTES]
