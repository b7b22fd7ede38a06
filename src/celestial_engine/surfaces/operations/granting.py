"""Tokens of one owner: made, listed and revoked by whoever may do everything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from celestial_engine.core.access import Grant, Scope
from celestial_engine.core.record.events import timestamp
from celestial_engine.errors import GrantNotFoundError, InvalidInputError, Reason
from celestial_engine.surfaces.operations.declaration import About, Caller, Effect, Operation, Route
from celestial_engine.surfaces.operations.fields import Nothing, Strict


@dataclass(frozen=True)
class Token:
    id: str
    name: str
    scopes: tuple[str, ...]
    created_at: str
    last_used_at: str | None
    revoked_at: str | None
    expires_at: Annotated[str | None, About("of a session in a browser; null: until it is revoked")]


@dataclass(frozen=True)
class Tokens:
    tokens: tuple[Token, ...]


@dataclass(frozen=True)
class NewToken(Strict):
    name: Annotated[str, About("what to know it by later")]
    scopes: Annotated[tuple[Scope, ...], About("what it allows; whoever writes also reads")] = (
        Scope.READ,
        Scope.WRITE,
    )


@dataclass(frozen=True)
class MadeToken:
    token: Annotated[Token, About("what is kept of it")]
    secret: Annotated[str, About("the token itself, told this once and kept nowhere")]


@dataclass(frozen=True)
class WhichToken(Strict):
    id: Annotated[str, About("the id of a token, not the token")]


def listed(caller: Caller, asked: Nothing) -> Tokens:
    return Tokens(tuple(_view(grant) for grant in _own(caller).values()))


def create(caller: Caller, asked: NewToken) -> MadeToken:
    scopes = {*asked.scopes, *((Scope.READ,) if Scope.WRITE in asked.scopes else ())}
    beyond = sorted(scope.value for scope in scopes - caller.scopes)
    if beyond:
        raise InvalidInputError("scopes", Reason.BEYOND_OWN_SCOPES, names=tuple(beyond))
    secret, grant = caller.memory.access.grant(asked.name, scopes)
    return MadeToken(_view(grant), secret)


def revoke(caller: Caller, asked: WhichToken) -> Token:
    if asked.id not in _own(caller):
        raise GrantNotFoundError(item_id=asked.id)
    caller.memory.access.revoke(asked.id)
    return _view(_own(caller)[asked.id])


def _own(caller: Caller) -> dict[str, Grant]:
    """Those of whoever asks: another owner's are nobody's business here."""
    return {grant.id: grant for grant in caller.memory.access.tokens() if grant.owner == caller.owner}


def _view(grant: Grant) -> Token:
    used, revoked, ends = (
        None if at is None else timestamp(at) for at in (grant.last_used_at, grant.revoked_at, grant.expires_at)
    )
    scopes = tuple(scope.value for scope in Scope if scope in grant.scopes)
    return Token(grant.id, grant.name, scopes, timestamp(grant.created_at), used, revoked, ends)


OPERATIONS = (
    Operation(
        "token_list", "The tokens and sessions that were given for this owner's memories, never the secrets.",
        Nothing, Tokens, listed, Route("GET", "/tokens"), Scope.ADMIN, tool=False, command="token list",
    ),
    Operation(
        "token_create", "A new token for this owner's memories; its secret is told once.",
        NewToken, MadeToken, create, Route("POST", "/tokens", status=201), Scope.ADMIN, Effect.ADDS, tool=False,
        command="token create",
    ),
    Operation(
        "token_revoke", "End what one of this owner's tokens or sessions allows, at once.",
        WhichToken, Token, revoke, Route("DELETE", "/tokens/{id}"), Scope.ADMIN, Effect.REMOVES, tool=False,
        command="token revoke",
    ),
)  # fmt: skip
