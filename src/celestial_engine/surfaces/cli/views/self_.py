"""Proposals, islands and beliefs as lines for people and records for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from celestial_engine.core.codec import encode
from celestial_engine.core.self.beliefs import Belief
from celestial_engine.core.self.islands import Island
from celestial_engine.core.self.proposals import Change, Part, Proposal
from celestial_engine.core.self.self_state import SelfVersion
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import NotFoundError
from celestial_engine.surfaces.cli.terminal import one_line
from celestial_engine.surfaces.cli.texts.catalogue import Texts
from celestial_engine.surfaces.cli.views import render


def proposal_record(proposal: Proposal) -> dict[str, Any]:
    """Everything but what a token is made of."""
    values: dict[str, Any] = encode(proposal)
    del values["nonce"]
    return {**values, "diff": proposal.diff}


def record(part: Island | Belief | SelfVersion) -> dict[str, Any]:
    values: dict[str, Any] = encode(part)
    return values


def inbox_table(memory: CelestialMemory, texts: Texts, proposals: Sequence[Proposal]) -> list[str]:
    rows = [
        [one.id[:8], texts.word("proposal", one.kind.value), texts.word("proposal_status", one.status.value),
         render.clock_time(one.proposed_at), one_line(_headline(memory, one))]
        for one in proposals
    ]  # fmt: skip
    return render.table([texts(f"col.{name}") for name in ("id", "proposal", "status", "when", "text")], rows)


def proposal_lines(memory: CelestialMemory, texts: Texts, proposal: Proposal) -> list[str]:
    """What it would change, line by line, why, and on what ground."""
    lines = [
        f"{proposal.id}  {texts.word('proposal', proposal.kind.value)}  "
        f"{texts.word('proposal_status', proposal.status.value)}",
        texts("self.proposed", by=one_line(proposal.proposed_by), channel=proposal.channel.value,
              when=render.clock_time(proposal.proposed_at), until=render.clock_time(proposal.expires_at)),
    ]  # fmt: skip
    for change in proposal.changes:
        lines += diff_lines(memory, texts, change)
    reasons = [f"{texts.word('because', name)} {_told(memory, value)}" for name, value in proposal.reasons.items()]
    if reasons:
        lines.append(texts("self.because", reasons=", ".join(reasons)))
    lines += [f"  · {text}" for text in (_memory(memory, item_id) for item_id in proposal.evidence) if text]
    if proposal.decided_by is not None and proposal.decided_through is not None:
        lines.append(texts("self.decided", by=one_line(proposal.decided_by), channel=proposal.decided_through.value,
                           when=render.clock_time(proposal.decided_at or 0.0)))  # fmt: skip
    return lines


def diff_lines(memory: CelestialMemory, texts: Texts, change: Change) -> list[str]:
    """- what is, + what would be."""
    before, after = change.before or {}, change.after or {}
    if change.on is Part.MEMORY:
        said = _memory(memory, change.id)
        if change.after is None:
            return [f"- M0 {said}"]
        if "content" in after:
            return [f"- M0 {said}", f"+ M0 {one_line(str(after['content']))}"]
        return [f"- {before.get('tier')} {said}", f"+ M0 {said}"]
    lines = []
    for name in dict.fromkeys((*before, *after)):
        if before.get(name) != after.get(name):
            called = texts.word("part", name)
            lines += [f"- {called}: {_told(memory, before[name])}"] if before.get(name) else []
            lines += [f"+ {called}: {_told(memory, after[name])}"] if after.get(name) else []
    return lines


def island_lines(texts: Texts, island: Island) -> list[str]:
    lines = [f"{island.emoji} {one_line(island.name)}  {island.id}".strip()]
    lines += [f"  {one_line(island.description)}"] if island.description else []
    status = texts.word("island", island.status.value)
    return [*lines, "  " + texts("self.island", strength=f"{island.strength:.2f}", status=status,
                                 founders=len(island.founders))]  # fmt: skip


def belief_lines(texts: Texts, belief: Belief) -> list[str]:
    told = texts("self.belief", confidence=f"{belief.confidence:.2f}", supports=len(belief.supports))
    return [f"{one_line(belief.statement)}  {belief.id}", f"  {told}"]


def version_table(texts: Texts, versions: Sequence[SelfVersion]) -> list[str]:
    rows = [
        [str(one.version), render.clock_time(one.at), texts.word("proposal", one.kind.value), one.channel.value,
         str(len(one.islands)), str(len(one.beliefs)), one_line(one.by)]
        for one in versions
    ]  # fmt: skip
    names = ("version", "when", "proposal", "channel", "islands", "beliefs", "by")
    return render.table([texts(f"col.{name}") for name in names], rows, right=(0, 4, 5))


def _headline(memory: CelestialMemory, proposal: Proposal) -> str:
    if not proposal.changes:
        return ""
    change = proposal.changes[0]
    if change.on is Part.MEMORY:
        return _memory(memory, change.id)
    part = change.after or change.before or {}
    return str(part.get("name") or part.get("statement") or "")


def _memory(memory: CelestialMemory, item_id: str) -> str:
    try:
        return one_line(memory.get(item_id).content)
    except NotFoundError:  # gone meanwhile
        return render.short(item_id)


def _told(memory: CelestialMemory, value: object) -> str:
    if isinstance(value, list):
        return ", ".join(_memory(memory, str(one)) for one in value)
    return one_line(str(value))
