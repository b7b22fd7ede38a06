"""`celestial token`: who may come over the network."""

from __future__ import annotations

import time
from argparse import Namespace
from typing import Any

from celestial_engine.core.access import Grant, Scope, scopes_of
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import InvalidInputError, Reason
from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.failures import OK
from celestial_engine.surfaces.cli.views import render


def token(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    match args.action:
        case "create":
            return _create(memory, args, console)
        case "list":
            return _list(memory, console)
        case _:
            return _revoke(memory, args, console)


def _create(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    if args.which is None:
        raise InvalidInputError("name", Reason.NAME_A_TOKEN)
    made, grant = memory.access.grant(args.which, scopes_of(args.scopes))
    if console.as_json:
        console.data({**_record(grant), "token": made})
    else:
        console.say(made)
        console.remark(console.texts("say.token_once", id=grant.id, scopes=_scopes(grant)))
    return OK


def _list(memory: CelestialMemory, console: Console) -> int:
    grants, texts, now = memory.access.tokens(), console.texts, time.time()
    if console.as_json:
        console.data([_record(grant) for grant in grants])
    elif not grants:
        console.say(texts("say.no_tokens"))
    for grant in () if console.as_json else grants:
        used = texts("time.never") if grant.last_used_at is None else render.ago(texts, grant.last_used_at, now)
        state = texts("say.token_valid" if grant.valid else "say.token_revoked", used=used)
        owner = f"{grant.owner.user_id}/{grant.owner.agent_id}"
        console.say(f"{grant.id}  {_scopes(grant)}  {owner}  {state}  {grant.name}")
    return OK


def _revoke(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    if args.which is None:
        raise InvalidInputError("id", Reason.NAME_ONE)
    grant = memory.access.revoke(args.which)
    if console.as_json:
        console.data(_record(grant))
    else:
        console.say(console.texts("say.revoked", id=grant.id, name=grant.name))
    return OK


def _scopes(grant: Grant) -> str:
    return ",".join(scope.value for scope in Scope if scope in grant.scopes)


def _record(grant: Grant) -> dict[str, Any]:
    return {
        "id": grant.id, "name": grant.name, "user_id": grant.owner.user_id, "agent_id": grant.owner.agent_id,
        "scopes": _scopes(grant).split(","), "created_at": grant.created_at, "last_used_at": grant.last_used_at,
        "revoked_at": grant.revoked_at,
    }  # fmt: skip
