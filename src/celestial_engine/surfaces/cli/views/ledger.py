"""The ledger: checked, shown, mended and packed; and an event undone."""

from __future__ import annotations

from celestial_engine.surfaces.cli.failures import OK, STORAGE
from celestial_engine.surfaces.cli.texts.catalogue import Texts
from celestial_engine.surfaces.cli.views.format import short, zone_name
from celestial_engine.surfaces.cli.views.shown import ExitCode, Shown, View
from celestial_engine.surfaces.operations.ledger import LedgerDamage

_DIFFERING = ("cut", "rewritten", "missing")  # described by what the ledger differs from


def _undone(shown: Shown) -> None:
    memory = shown.answer
    key = "say.undone_gone" if memory.state == "cliff" else "say.undone"
    shown.say(key, number=shown.request.event, id=short(memory.id), zone=zone_name(shown.texts, memory.zone))


def _verified(shown: Shown) -> None:
    found = shown.answer
    if found.damage is None:
        shown.say("say.ledger_holds", count=found.entries)
    else:
        shown.console.say(_damage(shown.texts, found.damage), shown.texts("say.ledger_advice"))
    files = found.files
    if files is None:
        shown.say("say.no_ledger_files")
        return
    shown.say("say.ledger_files", path=files.path, lines=files.lines)
    if files.missing:
        shown.say("say.ledger_missing", count=files.missing)
    if files.unreadable:
        shown.say("say.ledger_unreadable", count=files.unreadable, where=files.first_unreadable)


def _damage(texts: Texts, damage: LedgerDamage) -> str:
    key = f"wrong.{damage.kind}"
    if damage.where == "anchor" and damage.owner is None:
        key = "wrong.anchor"
    elif damage.kind in _DIFFERING and damage.where != "ledger":
        key = f"{key}_{damage.where}"
    wrong = texts(key, number=damage.number)
    return wrong if damage.owner is None else texts("wrong.owner", owner=damage.owner, wrong=wrong)


def _head(shown: Shown) -> None:
    shown.console.say(shown.answer.head or shown.texts("say.no_history"))
    if shown.answer.anchor is not None:
        shown.say("say.newest_anchor", anchor=shown.answer.anchor)


def _anchored(shown: Shown) -> None:
    if shown.answer.anchor is None:
        shown.say("say.no_history")
    else:
        shown.say("say.anchored" if shown.answer.written else "say.newest_anchor", anchor=shown.answer.anchor)


def _show(shown: Shown) -> None:
    if shown.answer.entries:
        shown.console.records(shown.answer.entries)
    else:
        shown.say("say.no_history")


def _repaired(shown: Shown) -> None:
    shown.say("say.ledger_repaired", count=shown.answer.lines)


def _compressed(shown: Shown) -> None:
    shown.console.say(*shown.answer.files, shown.texts("say.ledger_compressed", count=len(shown.answer.files)))


VIEWS: dict[str, View] = {
    "undo": _undone,
    "ledger_verify": _verified,
    "ledger_head": _head,
    "ledger_anchor": _anchored,
    "ledger_show": _show,
    "ledger_repair": _repaired,
    "ledger_compress": _compressed,
}
EXIT_CODES: dict[str, ExitCode] = {"ledger_verify": lambda shown: OK if shown.answer.ok else STORAGE}
