"""The ledger: checked, shown, mended and packed; and an event undone."""

from __future__ import annotations

from celestial_engine.surfaces.cli.failures import OK, STORAGE
from celestial_engine.surfaces.cli.texts.catalogue import Texts
from celestial_engine.surfaces.cli.views.command_result import CommandResult, ExitCode, View
from celestial_engine.surfaces.cli.views.format import short, zone_name
from celestial_engine.surfaces.operations.ledger import LedgerDamage

_DIFFERING = ("cut", "rewritten", "missing")  # described by what the ledger differs from


def _undone(result: CommandResult) -> None:
    memory = result.answer
    key = "say.undone_gone" if memory.state == "cliff" else "say.undone"
    result.say(key, number=result.request.event, id=short(memory.id), zone=zone_name(result.texts, memory.zone))


def _verified(result: CommandResult) -> None:
    answer = result.answer
    if answer.damage is None:
        result.say("say.ledger_holds", count=answer.entries)
    else:
        result.console.say(_damage(result.texts, answer.damage), result.texts("say.ledger_advice"))
    files = answer.files
    if files is None:
        result.say("say.no_ledger_files")
        return
    result.say("say.ledger_files", path=files.path, lines=files.lines)
    if files.missing:
        result.say("say.ledger_missing", count=files.missing)
    if files.unreadable:
        result.say("say.ledger_unreadable", count=files.unreadable, where=files.first_unreadable)


def _damage(texts: Texts, damage: LedgerDamage) -> str:
    key = f"wrong.{damage.kind}"
    if damage.where == "anchor" and damage.owner is None:
        key = "wrong.anchor"
    elif damage.kind in _DIFFERING and damage.where != "ledger":
        key = f"{key}_{damage.where}"
    wrong = texts(key, number=damage.number)
    return wrong if damage.owner is None else texts("wrong.owner", owner=damage.owner, wrong=wrong)


def _head(result: CommandResult) -> None:
    result.console.say(result.answer.head or result.texts("say.no_history"))
    if result.answer.anchor is not None:
        result.say("say.newest_anchor", anchor=result.answer.anchor)


def _anchored(result: CommandResult) -> None:
    if result.answer.anchor is None:
        result.say("say.no_history")
    else:
        result.say("say.anchored" if result.answer.written else "say.newest_anchor", anchor=result.answer.anchor)


def _show(result: CommandResult) -> None:
    if result.answer.entries:
        result.console.records(result.answer.entries)
    else:
        result.say("say.no_history")


def _repaired(result: CommandResult) -> None:
    result.say("say.ledger_repaired", count=result.answer.lines)


def _compressed(result: CommandResult) -> None:
    result.console.say(*result.answer.files, result.texts("say.ledger_compressed", count=len(result.answer.files)))


VIEWS: dict[str, View] = {
    "undo": _undone,
    "ledger_verify": _verified,
    "ledger_head": _head,
    "ledger_anchor": _anchored,
    "ledger_show": _show,
    "ledger_repair": _repaired,
    "ledger_compress": _compressed,
}
EXIT_CODES: dict[str, ExitCode] = {"ledger_verify": lambda result: OK if result.answer.ok else STORAGE}
