"""The reference of all operations, as a page: `python -m celestial_engine.surfaces.operations.reference`."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Iterator, Mapping
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any

from celestial_engine.core.record.events import EventType
from celestial_engine.errors import CelestialError
from celestial_engine.errors.texts.en_errors import ERRORS
from celestial_engine.errors.texts.en_reasons import REASONS
from celestial_engine.surfaces.operations.catalogue import LOCAL_OPERATIONS, OPERATIONS
from celestial_engine.surfaces.operations.declaration import LOCAL, About, Effect, Operation

# Engine methods that have no operation, and why.
NOT_OFFERED = {
    "orbits.zones": "`orbits` gives them",
    "of": "a token is bound to its owner",
    "close": "ends the process's hold on the file: the server decides that",
    "access.check": "what the surfaces themselves ask at every request",
    "access.login_key": "a link to the dashboard is made at the machine (`celestial dashboard`)",
    "access.log_in": "what the dashboard's own door asks",
    "access.owners": "a session that was opened for all owners, `GET /dashboard/owners`",
    "access.switch_owner": "the same, `POST /dashboard/owner`",
    "access.note_server": "what a server notes of itself when it starts",
    "access.take_requests": "what a server asks before it admits a request",
    "browse.prepare": "what the server reads by itself when the dashboard is opened",
    "access.serve_as": "what a worker is told by the process that started it",
    "access.server_answer": "by which `celestial dashboard` knows a server again",
    "access.servers": "`celestial dashboard`, at the machine",
    "federation.config": "the settings `gossip_*`",
    "federation.enabled": "`gossip_status` tells it",
    "federation.key": "`gossip_status` tells it",
    "federation.round": "`celestial gossip run` and `celestial serve` run rounds",
    "federation.round_if_due": "what their background thread asks",
    "federation.count_refused": "what their door turned away",
    "federation.receive": "the door for peers, `POST /gossip`, which looks at signatures instead of tokens",
    "ledger.since": "the stream of changes, `GET /events/stream`",
    "orbits.population": "over all owners; the metrics tell it",
    "maintenance.check_ready": "`GET /ready`",
    "maintenance.floor": "`celestial doctor` tells it",
    "maintenance.rebalance_if_due": "the background work does it; `rebalance` does it now",
    "night.sleep_if_due": "the background work does it; `sleep_everybody` does it now",
    "transfer.adopt": "what an importer reads from another system's files, at the machine (`celestial import`)",
    "transfer.fork": "a path: at the machine (`celestial fork`)",
    "sync.with_folder": "a path: at the machine (`celestial sync FOLDER`)",
    "sync.with_device": "the other side of `sync_exchange`, at the machine (`celestial sync URL`)",
    "sync.new_device": "after a database was copied, at the machine (`celestial sync new-device`)",
    "list": "`memory_list`, by pages",
    "departures.cliff": "`cliff_list`, by pages",
    "transfer.export": "`memory_export`, by pages",
    "self.propose.island_change": "at the machine (`celestial self`), or by editing SOUL.md",
    "self.propose.belief_change": "at the machine (`celestial self`), or by editing SOUL.md",
    "self.shaken_by": "the reasons of a proposal tell it",
    "policy.adopt": "what self-play taught, imported by the user who ran it on this machine",
    "ledger.file": "a path, too",
    "personas.cases": "`memory_search`, of one persona",
    "personas.stream": "`personas_run`, as server-sent events",
}
# Events whose name does not say what happened.
_EVENTS = {
    EventType.REINDEXED: "vectors made again", EventType.UNARCHIVED: "brought back", EventType.GRANTED: "token given",
    EventType.REVOKED: "token revoked", EventType.MENTIONED: "mentioned again",
    EventType.INFLUENCED: "changed what was done", EventType.REWARDED: "feedback",
    EventType.GOSSIPED: "learning together",
    EventType.APPRAISED: "appraised again", EventType.SELF_CHANGED: "the self changed",
    EventType.ISLAND_CHANGED: "an island changed", EventType.RUNE_REPORT: "RUNE report",
}  # fmt: skip
_ALL = (*OPERATIONS, *LOCAL_OPERATIONS)
_WORDS = {str: "text", int: "whole number", float: "number", bool: "true or false", NoneType: "null", Any: "anything"}


def reference() -> str:
    """The page."""
    return "\n".join([
        "# Operations",
        "",
        "Everything the engine does for others, once: REST offers each under `/v1`, MCP those that are tools, the",
        "command line most of them; a few are files and the user's own place, and offered at the machine alone.",
        "Written by `python -m celestial_engine.surfaces.operations.reference`; do not edit.",
        "Whose memories an operation is about is said by the token, never by a field. See [REST](rest.md).",
        "",
        "| operation | REST | tool | command | scope |",
        "|---|---|---|---|---|",
        *(_row(operation) for operation in _ALL),
        "",
        *(line for operation in _ALL for line in _section(operation)),
        "## Kinds",
        "",
        "What stands in the answers and filters above.",
        "",
        *(line for kind in _kinds() for line in (f"### {kind.__name__}", "", *_table("field", kind))),
        "## Events",
        "",
        "What the ledger records, by its name in `memory_history` and in the daily files.",
        "",
        "| event | what happened |",
        "|---|---|",
        *(f"| `{kind.value}` | {_EVENTS.get(kind, kind.value.replace('_', ' '))} |" for kind in EventType),
        "",
        "## Errors",
        "",
        "By their `code`, which stays the same in every language; what stands in braces is filled in.",
        "",
        "| code | what is wrong | what to do |",
        "|---|---|---|",
        *(f"| `{one.code}` | {' | '.join(map(_sentence, ERRORS[one.code]))} |" for one in _errors()),
        "",
        "## Reasons",
        "",
        "Most errors have a `reason`, as stable as their code; REST and MCP send it beside the sentence.",
        "",
        "| reason | in English |",
        "|---|---|",
        *(f"| `{code}` | {_sentence(text)} |" for code, text in REASONS.items()),
        "",
        "## What is not offered",
        "",
        "| method of the engine | why |",
        "|---|---|",
        *(f"| `{name}` | {why} |" for name, why in sorted(NOT_OFFERED.items())),
        "",
    ])  # fmt: skip


def _sentence(template: str) -> str:
    """A sentence in a table, as it would be filled in."""
    return template.replace("{{", "{").replace("}}", "}").replace("|", "\\|")


def _errors() -> list[type[CelestialError]]:
    """The tree of errors, each once."""
    found: list[type[CelestialError]] = [CelestialError]
    for kind in found:  # grows as it goes
        found += [child for child in kind.__subclasses__() if child.__module__.startswith("celestial_engine.errors")]
    return sorted({kind.code: kind for kind in reversed(found)}.values(), key=lambda kind: kind.code)


def _row(operation: Operation[Any, Any]) -> str:
    names = [f"{one.name} {one.switch}" if one.switch else one.name for one in operation.commands]
    command = ", ".join(f"`celestial {name}`" for name in names)
    way = "" if operation.route is LOCAL else f"`{operation.route.method} {operation.route.path}`"
    tool = "yes" if operation.tool else ""
    return f"| [{operation.name}](#{operation.name}) | {way} | {tool} | {command} | {operation.scope.value} |"


def _section(operation: Operation[Any, Any]) -> Iterator[str]:
    effects = {Effect.NONE: "Changes nothing.", Effect.ADDS: "", Effect.REMOVES: "Lets memories go, restorably."}
    yield from (f"## {operation.name}", "", f"{operation.summary} {effects[operation.effect]}".rstrip(), "")
    if dataclasses.fields(operation.request):
        yield from _table("asked", operation.request, operation.route.headers)
    if operation.result in _kinds():
        name = operation.result.__name__
        yield from (f"Answered: a [{name}](#{name.lower()}).", "")
    else:
        yield from _table("answered", operation.result)


def _table(title: str, kind: type[Any], headers: Mapping[str, str] | None = None) -> Iterator[str]:
    yield from (f"| {title} | | |", "|---|---|---|", *_fields(kind, headers or {}), "")


@cache
def _kinds() -> tuple[type[Any], ...]:
    """Those that are part of others, or the answer of several operations; by name."""
    results = [operation.result for operation in _ALL]
    found = {kind for kind in results if results.count(kind) > 1}
    waiting: list[Any] = [kind for operation in _ALL for kind in (operation.request, operation.result)]
    while waiting:
        for hint in typing.get_type_hints(waiting.pop()).values():
            inner = _dataclass_in(hint)
            if inner is not None and inner not in found:
                found.add(inner)
                waiting.append(inner)
    return tuple(sorted(found, key=lambda kind: kind.__name__))


def _dataclass_in(hint: Any) -> Any:
    if dataclasses.is_dataclass(hint):
        return hint
    return next((inner for part in typing.get_args(hint) if (inner := _dataclass_in(part)) is not None), None)


def _fields(kind: type[Any], headers: Mapping[str, str]) -> Iterator[str]:
    hints = typing.get_type_hints(kind, include_extras=True)
    for field in dataclasses.fields(kind):
        about, kind_name = _described(hints[field.name])
        if headers.get(field.name):
            about = f"{about} (in REST: the header `{headers[field.name]}`)"
        needed = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        default = (
            "" if needed or field.default in (None, dataclasses.MISSING, ()) else f", {_default_text(field.default)}"
        )
        yield f"| `{field.name}` | {kind_name}{default} | {about} |"


def _described(hint: Any) -> tuple[str, str]:
    """What a field is about, and its type in words; what stands outermost decides."""
    if typing.get_origin(hint) is typing.Annotated:
        inner, *notes = typing.get_args(hint)
        about, kind_name = _described(inner)
        for note in notes:
            if isinstance(note, About):
                about = note.text
                if note.least is not None and note.most is not None:
                    kind_name = f"{kind_name} from {note.least:g} to {note.most:g}".replace("9.0072e+15", "2^53")
        return about, kind_name
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, UnionType):
        parts = [_described(part) for part in arguments if part is not NoneType]
        return parts[0][0], " or ".join(kind_name for _, kind_name in parts)
    if origin is tuple:
        about, kind_name = _described(arguments[0])
        return "", f"list of {kind_name}"
    if origin is dict:
        return "", "object"
    if isinstance(hint, type) and issubclass(hint, Enum):
        return "", ", ".join(f"`{member.value}`" for member in hint)
    if dataclasses.is_dataclass(hint):
        name = getattr(hint, "__name__", "")
        return "", f"[{name}](#{name.lower()})"
    return "", _WORDS.get(hint, getattr(hint, "__name__", str(hint)))


def _default_text(default: object) -> str:
    value = default.value if isinstance(default, Enum) else default
    return f"`{str(value).lower() if isinstance(value, bool) else value}` unless given"


if __name__ == "__main__":
    print(reference(), end="")
