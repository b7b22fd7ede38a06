"""The approved self: islands, beliefs, versions, notices and SOUL.md."""

from __future__ import annotations

from celestial_engine.surfaces.cli.terminal import one_line
from celestial_engine.surfaces.cli.texts.catalogue import Texts
from celestial_engine.surfaces.cli.views.command_result import CommandResult, View
from celestial_engine.surfaces.cli.views.format import clock_time
from celestial_engine.surfaces.cli.views.proposals import show_inbox
from celestial_engine.surfaces.operations.self_ import Belief, Island


def _self(result: CommandResult) -> None:
    for island in result.answer.islands:
        result.console.say(*_island_lines(result.texts, island))
    for belief in result.answer.beliefs:
        result.console.say(*_belief_lines(result.texts, belief))
    if not result.answer.islands and not result.answer.beliefs:
        result.say("self.nobody")


def _island_lines(texts: Texts, island: Island) -> list[str]:
    lines = [f"{island.emoji} {one_line(island.name)}  {island.id}".strip()]
    lines += [f"  {one_line(island.description)}"] if island.description else []
    status = texts.word("island", island.status.value)
    strength, founders = f"{island.strength:.2f}", len(island.founders)
    return [*lines, "  " + texts("self.island", strength=strength, status=status, founders=founders)]


def _belief_lines(texts: Texts, belief: Belief) -> list[str]:
    confidence = texts("self.belief", confidence=f"{belief.confidence:.2f}", supports=len(belief.supports))
    return [f"{one_line(belief.statement)}  {belief.id}", f"  {confidence}"]


def _versions(result: CommandResult) -> None:
    rows = [
        [str(one.version), clock_time(one.at), result.texts.word("proposal", one.kind.value), one.channel.value,
         str(len(one.islands)), str(len(one.beliefs)), one_line(one.by)]
        for one in result.answer.versions
    ]  # fmt: skip
    names = ("version", "when", "proposal", "channel", "islands", "beliefs", "by")
    result.say_table(names, rows, "self.nobody", right=(0, 4, 5))


def _notices(result: CommandResult) -> None:
    memory = result.caller.memory
    names = {island.id: f"{island.emoji} {island.name}".strip() for island in memory.self.islands()}
    names |= {belief.id: belief.statement for belief in memory.self.beliefs()}
    for event in result.answer.events:
        about = str(event.detail.get("island") or event.detail.get("belief") or "")
        days, name = event.detail.get("days", ""), one_line(names.get(about, about))
        text = result.texts(f"notice.{event.detail['notice']}", name=name, days=days)
        result.console.say(f"{clock_time(event.at)}  {text}")
    if not result.answer.events:
        result.say("self.no_notices")


def _text(result: CommandResult) -> None:
    result.console.say(*result.answer.text.splitlines())


def _soul_written(result: CommandResult) -> None:
    result.say("self.soul_written", path=result.answer.path)


def _soul_edits(result: CommandResult) -> None:
    if not result.answer.proposals:
        result.say("self.no_edits")
        return
    show_inbox(result)
    result.say("self.edits_wait")


VIEWS: dict[str, View] = {
    "self_show": _self,
    "self_versions": _versions,
    "self_notices": _notices,
    "self_context": _text,
    "soul_show": _text,
    "soul_diff": _text,
    "soul_write": _soul_written,
    "soul_read": _soul_edits,
}
