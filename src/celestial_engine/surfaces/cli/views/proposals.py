"""Proposals: what waits for the user's word, and what it would change."""

from __future__ import annotations

from celestial_engine.errors import NotFoundError
from celestial_engine.surfaces.cli.terminal import one_line
from celestial_engine.surfaces.cli.texts.catalogue import Texts
from celestial_engine.surfaces.cli.views.command_result import CommandResult, View
from celestial_engine.surfaces.cli.views.format import clock_time, short
from celestial_engine.surfaces.operations.declaration import Caller
from celestial_engine.surfaces.operations.proposals import Proposal, ProposedChange

_MEMORY = "memory"


def show_inbox(result: CommandResult) -> None:
    texts, caller = result.texts, result.caller
    rows = [
        [short(one.id), texts.word("proposal", one.kind.value), texts.word("proposal_status", one.status.value),
         clock_time(one.proposed_at), one_line(_headline(caller, one))]
        for one in result.answer.proposals
    ]  # fmt: skip
    result.say_table(("id", "proposal", "status", "when", "text"), rows, "self.inbox_empty")


def _proposal(result: CommandResult) -> None:
    """What it would change, line by line, why, and on what ground."""
    one, texts, caller = result.answer, result.texts, result.caller
    status = texts.word("proposal_status", one.status.value)
    lines = [
        f"{one.id}  {texts.word('proposal', one.kind.value)}  {status}",
        texts("self.proposed", by=one_line(one.proposed_by), channel=one.channel.value,
              when=clock_time(one.proposed_at), until=clock_time(one.expires_at)),
        *diff_lines(result, one),
    ]  # fmt: skip
    reasons = [f"{texts.word('because', name)} {_value_text(caller, value)}" for name, value in one.reasons.items()]
    if reasons:
        lines.append(texts("self.because", reasons=", ".join(reasons)))
    lines += [f"  · {text}" for text in (_content(caller, item_id) for item_id in one.evidence) if text]
    if one.decided_by is not None and one.decided_at is not None:
        lines.append(texts("self.decided", by=one_line(one.decided_by), channel=one.decided_through,
                           when=clock_time(one.decided_at)))  # fmt: skip
    result.console.say(*lines)


def show_approved(result: CommandResult) -> None:
    result.say("self.approved", id=short(result.answer.id))
    result.console.say(*(f"  {line}" for line in diff_lines(result, result.answer)))


def _rejected(result: CommandResult) -> None:
    result.say("self.rejected", id=short(result.answer.id))


def diff_lines(result: CommandResult, proposal: Proposal) -> list[str]:
    """- what is, + what would be."""
    return [line for change in proposal.changes for line in _diff(result.caller, result.texts, change)]


def _diff(caller: Caller, texts: Texts, change: ProposedChange) -> list[str]:
    before, after = change.before or {}, change.after or {}
    if change.on == _MEMORY:
        text = _content(caller, change.id)
        if change.after is None:
            return [f"- M0 {text}"]
        if "content" in after:
            return [f"- M0 {text}", f"+ M0 {one_line(str(after['content']))}"]
        return [f"- {before.get('tier')} {text}", f"+ M0 {text}"]
    lines = []
    for name in dict.fromkeys((*before, *after)):
        if before.get(name) != after.get(name):
            called = texts.word("part", name)
            lines += [f"- {called}: {_value_text(caller, before[name])}"] if before.get(name) else []
            lines += [f"+ {called}: {_value_text(caller, after[name])}"] if after.get(name) else []
    return lines


def _headline(caller: Caller, proposal: Proposal) -> str:
    if not proposal.changes:
        return ""
    change = proposal.changes[0]
    if change.on == _MEMORY:
        return _content(caller, change.id)
    part = change.after or change.before or {}
    return str(part.get("name") or part.get("statement") or "")


def _content(caller: Caller, item_id: str) -> str:
    try:
        return one_line(caller.memory.get(item_id).content)
    except NotFoundError:  # purged meanwhile
        return short(item_id)


def _value_text(caller: Caller, value: object) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(_content(caller, str(one)) for one in value)
    return one_line(str(value))


VIEWS: dict[str, View] = {
    "inbox_list": show_inbox,
    "proposal_show": _proposal,
    "proposal_reject": _rejected,
    "propose_core": _proposal,
    "propose_core_change": _proposal,
    "propose_core_deletion": _proposal,
    "propose_island": _proposal,
    "propose_belief": _proposal,
    "propose_rollback": _proposal,
}
