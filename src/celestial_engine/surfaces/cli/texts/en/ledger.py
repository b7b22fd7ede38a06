"""The ledger and undo, in English."""

from __future__ import annotations

LEDGER: dict[str, str] = {
    "event.granted": "token given",
    "event.revoked": "token revoked",
    "help.ledger": "check that the ledger is what it was; print its head; show, mend or pack its files",
    "help.undo": "put a memory back as it was before an event",
    "col.number": "#",
    "event.undone": "undone",
    "event.user_input": "user input",
    "event.persona_response": "persona response",
    "event.tool_call": "tool call",
    "event.evaluation": "evaluation",
    "event.rune_report": "RUNE report",
    "event.synthesis_report": "synthesis report",
    "event.host": "host",
    "detail.of": "event",
    "detail.was": "which was",
    "detail.name": "name",
    "wrong.edited": "Entry {number} does not follow from the one before it: it was edited, inserted or moved.",
    "wrong.missing": "Entry {number} is missing.",
    "wrong.missing_files": "Entry {number} is missing: the daily files have it.",
    "wrong.cut": "The newest entries, from {number} on, were cut off.",
    "wrong.cut_files": "The newest entries, from {number} on, were cut off: the daily files have them.",
    "wrong.cut_head": "The newest entries, from {number} on, were cut off: the head you kept is newer.",
    "wrong.rewritten_files": "Entry {number} is not the one that the daily files have: the past was rewritten.",
    "wrong.rewritten_head": "Entry {number} is not the one whose head you kept: the past was rewritten.",
    "wrong.version_edited": "What was kept of the memory before event {number} was changed.",
    "wrong.version_missing": "What was kept of the memory before event {number} is gone.",
    "say.ledger_holds": "The ledger holds: {count} entries, each follows from the one before it.",
    "say.ledger_advice": (
        "Keep a copy of the database and its files before anything else is written. If an older one was put back "
        "or the power failed, move the folder of the files away; `celestial ledger repair` begins a new one."
    ),
    "say.no_ledger_files": "There are no daily files, so a cut tail shows only against a head kept elsewhere.",
    "say.ledger_files": "Files in {path}: {lines} lines.",
    "say.ledger_missing": "Lines missing there: {count}. `celestial ledger repair` writes them.",
    "say.ledger_unreadable": "Lines there that are torn, foreign or edited: {count}, the first at {where}.",
    "say.ledger_repaired": "Lines written: {count}.",
    "say.ledger_compressed": "Files packed: {count}.",
    "say.undone": "Undone #{number}: {id} is as it was, in {zone}.",
    "say.undone_gone": "Undone #{number}: {id} is on the cliff.",
}
