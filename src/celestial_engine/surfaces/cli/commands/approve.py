"""The user's word: proposals by their ids; a memory's id makes it a core memory."""

from __future__ import annotations

import argparse

from celestial_engine.core.codec import encode
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import ProposalNotFoundError
from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.execute import caller_of, show
from celestial_engine.surfaces.cli.failures import OK
from celestial_engine.surfaces.cli.texts.catalogue import Texts
from celestial_engine.surfaces.cli.views.command_result import CommandResult
from celestial_engine.surfaces.cli.views.proposals import show_approved, show_inbox
from celestial_engine.surfaces.operations import proposals
from celestial_engine.surfaces.operations.declaration import Caller
from celestial_engine.surfaces.operations.fields import MemoryIdRequest


def add_options(arguments: argparse._ArgumentGroup, options: argparse._ArgumentGroup, texts: Texts) -> None:
    arguments.add_argument("ids", metavar="ID", nargs="*", help=texts("arg.approve_ids"))


def on_memory(memory: CelestialMemory, args: argparse.Namespace, console: Console) -> int:
    caller = caller_of(memory, console)
    if not args.ids:
        waiting = proposals.InboxRequest()
        show(console, show_inbox, CommandResult(console, caller, waiting, proposals.inbox(caller, waiting)))
        return OK
    approved = [_approved(caller, typed_id) for typed_id in args.ids]
    if console.as_json:
        console.data(encode(approved))
        return OK
    for one in approved:
        show_approved(CommandResult(console, caller, args, one))
    return OK


def _approved(caller: Caller, typed_id: str) -> proposals.Proposal:
    try:
        proposal = proposals.show(caller, proposals.ProposalIdRequest(typed_id))
    except ProposalNotFoundError:
        item_id = caller.memory.browse.find_id(typed_id)
        proposals.approve_core(caller, MemoryIdRequest(item_id))
        decided = proposals.inbox(caller, proposals.InboxRequest(None, 1_000)).proposals
        return next(one for one in decided if any(change.id == item_id for change in one.changes))
    return proposals.approve(caller, proposals.ApproveProposalRequest(proposal.id))
