"""The inbox, the self and SOUL.md from the command line: the user's own place."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable

from celestial_engine.core.self.proposals import Channel, Proposal
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import ProposalNotFoundError
from celestial_engine.surfaces.cli.arguments import whole_number
from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.failures import OK, UsageError
from celestial_engine.surfaces.cli.terminal import one_line
from celestial_engine.surfaces.cli.views import render
from celestial_engine.surfaces.cli.views import self_ as self_views

BY = "celestial"


def inbox(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    if args.id is not None:
        return _show(memory, console, memory.self.proposal(args.id))
    return _list(memory, console, every=args.all)


def approve(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    """Proposals by their ids; a memory's id makes it a core memory."""
    if not args.ids:
        return _list(memory, console, every=False)
    done = [_approved(memory, given) for given in args.ids]
    if console.as_json:
        console.data([self_views.proposal_record(one) for one in done])
    else:
        for one in done:
            lines = [line for change in one.changes for line in self_views.diff_lines(memory, console.texts, change)]
            console.say(console.texts("self.approved", id=one.id[:8]), *(f"  {line}" for line in lines))
    return OK


def _approved(memory: CelestialMemory, given: str) -> Proposal:
    try:
        proposal = memory.self.proposal(given)
    except ProposalNotFoundError:
        item_id = memory.browse.find_id(given)
        memory.self.approve_core(item_id, by=BY, channel=Channel.CLI)
        about = [one for one in memory.self.inbox(None, 1_000) if one.about == f"core:{item_id}"]
        return about[0]
    token = memory.self.approval_token(proposal.id, channel=Channel.CLI)
    return memory.self.approve(proposal.id, token, by=BY, channel=Channel.CLI)


def reject(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    done = [memory.self.reject(memory.self.proposal(given).id, by=BY, channel=Channel.CLI) for given in args.ids]
    if console.as_json:
        console.data([self_views.proposal_record(one) for one in done])
    else:
        console.say(*(console.texts("self.rejected", id=one.id[:8]) for one in done))
    return OK


def _list(memory: CelestialMemory, console: Console, *, every: bool) -> int:
    found = memory.self.inbox(None, 1_000) if every else memory.self.inbox(limit=1_000)
    if console.as_json:
        console.data([self_views.proposal_record(one) for one in found])
    elif found:
        console.say(*self_views.inbox_table(memory, console.texts, found))
    else:
        console.say(console.texts("self.inbox_empty"))
    return OK


def _show(memory: CelestialMemory, console: Console, proposal: Proposal) -> int:
    if console.as_json:
        console.data(self_views.proposal_record(proposal))
    else:
        console.say(*self_views.proposal_lines(memory, console.texts, proposal))
    return OK


# -- the self -----------------------------------------------------------------------------------------


def self_(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    match args.action:
        case "show":
            return _self(memory, console)
        case "context":
            return _text(console, "context", memory.self.context(whole_number(args.tokens, "budget", console.texts)))
        case "versions":
            return _versions(memory, console)
        case "notices":
            return _notices(memory, console)
    return _show(memory, console, _PROPOSE[args.action](memory, args, console))


def _self(memory: CelestialMemory, console: Console) -> int:
    islands, beliefs = memory.self.islands(), memory.self.beliefs()
    if console.as_json:
        told = {"islands": [*map(self_views.record, islands)], "beliefs": [*map(self_views.record, beliefs)]}
        console.data(told)
        return OK
    for island in islands:
        console.say(*self_views.island_lines(console.texts, island))
    for belief in beliefs:
        console.say(*self_views.belief_lines(console.texts, belief))
    if not islands and not beliefs:
        console.say(console.texts("self.nobody"))
    return OK


def _versions(memory: CelestialMemory, console: Console) -> int:
    found = memory.self.versions()
    if console.as_json:
        console.data([*map(self_views.record, found)])
    elif found:
        console.say(*self_views.version_table(console.texts, found))
    else:
        console.say(console.texts("self.nobody"))
    return OK


def _notices(memory: CelestialMemory, console: Console) -> int:
    found = memory.ledger.notices()
    if console.as_json:
        console.data([event.to_document() for event in found])
        return OK
    names = {island.id: f"{island.emoji} {island.name}".strip() for island in memory.self.islands()}
    names |= {belief.id: belief.statement for belief in memory.self.beliefs()}
    for event in found:
        about = str(event.detail.get("island") or event.detail.get("belief") or "")
        said = console.texts(f"notice.{event.detail['notice']}", name=one_line(names.get(about, about)))
        console.say(f"{render.clock_time(event.at)}  {said}")
    if not found:
        console.say(console.texts("self.no_notices"))
    return OK


def _first(args: Namespace) -> str:
    if not args.words:
        raise UsageError("the following arguments are required: ...")
    return str(args.words[0])


def _rest(memory: CelestialMemory, args: Namespace) -> list[str]:
    return [memory.browse.find_id(given) for given in args.words[1:]]


_PROPOSE: dict[str, Callable[[CelestialMemory, Namespace, Console], Proposal]] = {
    "rollback": lambda memory, args, console: memory.self.propose.rollback(
        whole_number(_first(args), "version", console.texts), by=BY, channel=Channel.CLI
    ),
    "core": lambda memory, args, console: memory.self.propose.core(
        memory.browse.find_id(_first(args)), by=BY, channel=Channel.CLI
    ),
    "change": lambda memory, args, console: memory.self.propose.core_change(
        memory.browse.find_id(_first(args)), " ".join(args.words[1:]), by=BY, channel=Channel.CLI
    ),
    "forget": lambda memory, args, console: memory.self.propose.core_deletion(
        memory.browse.find_id(_first(args)), by=BY, channel=Channel.CLI
    ),
    "island": lambda memory, args, console: memory.self.propose.island(
        _first(args), _rest(memory, args), emoji=args.emoji, description=args.description, by=BY,
        channel=Channel.CLI,
    ),
    "belief": lambda memory, args, console: memory.self.propose.belief(
        _first(args), _rest(memory, args), island=args.island, by=BY, channel=Channel.CLI
    ),
}  # fmt: skip


# -- SOUL.md ------------------------------------------------------------------------------------------


def soul(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    match args.action:
        case "write":
            path = memory.self.write_soul(args.path)
            console.data({"path": path}) if console.as_json else console.say(
                console.texts("self.soul_written", path=path)
            )
            return OK
        case "read":
            return _edits(memory, console, args.path)
        case "diff":
            return _text(console, "diff", memory.self.soul_diff(args.path))
    return _text(console, "soul", memory.self.soul())


def _edits(memory: CelestialMemory, console: Console, path: str | None) -> int:
    found = memory.self.read_soul(path)
    if console.as_json:
        console.data([self_views.proposal_record(one) for one in found])
    elif found:
        console.say(*self_views.inbox_table(memory, console.texts, found), console.texts("self.edits_wait"))
    else:
        console.say(console.texts("self.no_edits"))
    return OK


def _text(console: Console, name: str, text: str) -> int:
    if console.as_json:
        console.data({name: text})
    else:
        console.say(*text.splitlines())
    return OK
