"""Tokens of one owner: create, list and revoke; needs the scope for everything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from celestial_engine.core.access import Grant, Scope
from celestial_engine.core.record.events import timestamp
from celestial_engine.errors import GrantNotFoundError, InvalidInputError, Reason
from celestial_engine.surfaces.operations.declaration import About, Caller, Command, Effect, Operation, Route
from celestial_engine.surfaces.operations.fields import EmptyRequest, StrictRequest
from celestial_engine.surfaces.operations.views import moment_view


@dataclass(frozen=True)
class Token:
    id: str
    name: str
    owner: Annotated[str, About("whose memories it opens, as user/agent")]
    scopes: tuple[str, ...]
    created_at: str
    last_used_at: str | None
    revoked_at: str | None
    expires_at: Annotated[str | None, About("of a session in a browser; null: until it is revoked")]


@dataclass(frozen=True)
class TokenList:
    tokens: tuple[Token, ...]


@dataclass(frozen=True)
class CreateTokenRequest(StrictRequest):
    name: Annotated[str, About("what to know it by later")]
    scopes: Annotated[tuple[Scope, ...], About("its scopes; write includes read")] = (
        Scope.READ,
        Scope.WRITE,
    )


@dataclass(frozen=True)
class CreatedToken:
    token: Annotated[Token, About("what is kept of it")]
    secret: Annotated[str, About("the token itself; it is shown only once and not stored")]


@dataclass(frozen=True)
class TokenIdRequest(StrictRequest):
    id: Annotated[str, About("the id of a token, not the token")]


def listed(caller: Caller, request: EmptyRequest) -> TokenList:
    return TokenList(tuple(_view(grant) for grant in _own(caller).values()))


def create(caller: Caller, request: CreateTokenRequest) -> CreatedToken:
    scopes = {*request.scopes, *((Scope.READ,) if Scope.WRITE in request.scopes else ())}
    beyond = sorted(scope.value for scope in scopes - caller.scopes)
    if beyond:
        raise InvalidInputError("scopes", Reason.BEYOND_OWN_SCOPES, names=tuple(beyond))
    secret, grant = caller.memory.access.grant(request.name, scopes)
    return CreatedToken(_view(grant), secret)


def revoke(caller: Caller, request: TokenIdRequest) -> Token:
    if request.id not in _own(caller):
        raise GrantNotFoundError(item_id=request.id)
    caller.memory.access.revoke(request.id)
    return _view(_own(caller)[request.id])


def _own(caller: Caller) -> dict[str, Grant]:
    """Those of the caller; at the machine those of every owner."""
    return {grant.id: grant for grant in caller.memory.access.tokens() if caller.local or grant.owner == caller.owner}


def _view(grant: Grant) -> Token:
    scopes = tuple(scope.value for scope in Scope if scope in grant.scopes)
    owner = f"{grant.owner.user_id}/{grant.owner.agent_id}"
    used, revoked, ends = map(moment_view, (grant.last_used_at, grant.revoked_at, grant.expires_at))
    return Token(grant.id, grant.name, owner, scopes, timestamp(grant.created_at), used, revoked, ends)


OPERATIONS = (
    Operation(
        "token_list", "The tokens and sessions that were given for this owner's memories, never the secrets.",
        EmptyRequest, TokenList, listed, Route("GET", "/tokens"), Scope.ADMIN, tool=False,
        commands=(Command("token list"),),
    ),
    Operation(
        "token_create", "A new token for this owner's memories; its secret is told once.",
        CreateTokenRequest, CreatedToken, create, Route("POST", "/tokens", status=201), Scope.ADMIN, Effect.ADDS,
        tool=False,
        commands=(Command("token create", ("name",)),),
    ),
    Operation(
        "token_revoke", "End what one of this owner's tokens or sessions allows, at once.",
        TokenIdRequest, Token, revoke, Route("DELETE", "/tokens/{id}"), Scope.ADMIN, Effect.REMOVES, tool=False,
        commands=(Command("token revoke", ("id",)),),
    ),
)  # fmt: skip
