"""The approved self: islands, beliefs, versions, notices and SOUL.md."""

from __future__ import annotations

from celestial_engine.surfaces.cli.terminal import one_line
from celestial_engine.surfaces.cli.texts.catalogue import Texts
from celestial_engine.surfaces.cli.views.format import clock_time
from celestial_engine.surfaces.cli.views.proposals import show_inbox
from celestial_engine.surfaces.cli.views.shown import Shown, View
from celestial_engine.surfaces.operations.self_ import Belief, Island


def _self(shown: Shown) -> None:
    for island in shown.answer.islands:
        shown.console.say(*_island_lines(shown.texts, island))
    for belief in shown.answer.beliefs:
        shown.console.say(*_belief_lines(shown.texts, belief))
    if not shown.answer.islands and not shown.answer.beliefs:
        shown.say("self.nobody")


def _island_lines(texts: Texts, island: Island) -> list[str]:
    lines = [f"{island.emoji} {one_line(island.name)}  {island.id}".strip()]
    lines += [f"  {one_line(island.description)}"] if island.description else []
    status = texts.word("island", island.status.value)
    strength, founders = f"{island.strength:.2f}", len(island.founders)
    return [*lines, "  " + texts("self.island", strength=strength, status=status, founders=founders)]


def _belief_lines(texts: Texts, belief: Belief) -> list[str]:
    held = texts("self.belief", confidence=f"{belief.confidence:.2f}", supports=len(belief.supports))
    return [f"{one_line(belief.statement)}  {belief.id}", f"  {held}"]


def _versions(shown: Shown) -> None:
    rows = [
        [str(one.version), clock_time(one.at), shown.texts.word("proposal", one.kind.value), one.channel.value,
         str(len(one.islands)), str(len(one.beliefs)), one_line(one.by)]
        for one in shown.answer.versions
    ]  # fmt: skip
    names = ("version", "when", "proposal", "channel", "islands", "beliefs", "by")
    shown.say_table(names, rows, "self.nobody", right=(0, 4, 5))


def _notices(shown: Shown) -> None:
    memory = shown.caller.memory
    names = {island.id: f"{island.emoji} {island.name}".strip() for island in memory.self.islands()}
    names |= {belief.id: belief.statement for belief in memory.self.beliefs()}
    for event in shown.answer.events:
        about = str(event.detail.get("island") or event.detail.get("belief") or "")
        days, name = event.detail.get("days", ""), one_line(names.get(about, about))
        text = shown.texts(f"notice.{event.detail['notice']}", name=name, days=days)
        shown.console.say(f"{clock_time(event.at)}  {text}")
    if not shown.answer.events:
        shown.say("self.no_notices")


def _text(shown: Shown) -> None:
    shown.console.say(*shown.answer.text.splitlines())


def _soul_written(shown: Shown) -> None:
    shown.say("self.soul_written", path=shown.answer.path)


def _soul_edits(shown: Shown) -> None:
    if not shown.answer.proposals:
        shown.say("self.no_edits")
        return
    show_inbox(shown)
    shown.say("self.edits_wait")


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
