"""`memory.access`: tokens, dashboard sessions and the servers of this database."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from celestial_engine.core.access import (
    EVERYTHING,
    LOGIN_KEY_LASTS,
    SESSION_LASTS,
    Grant,
    Scope,
    answer_of,
    digest_of_token,
    login_key_from,
    session_name,
    token_from,
)
from celestial_engine.core.checks import check_text
from celestial_engine.core.rate_limits import Allowance
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.owner import Owner
from celestial_engine.engine.parts import Area
from celestial_engine.errors import GrantNotFoundError, InvalidInputError, Reason, Thing

_MOST_NAME = 100
_SERVING = "serve "
_SERVERS_LOOKED_AT = 8
_USE_NOTED_EVERY = 60.0  # seconds: limits how often a busy token is written


class AccessArea(Area):
    """Access over a network. Tokens are shown once; only their digests are stored."""

    _server_secret = ""

    def take_requests(self, caller: str, now: float, rate: float, burst: int) -> Allowance:
        """Takes some of the requests that a caller has left, for one of the servers on this database."""
        return self._parts.store.rate_limits.take(caller, now, rate, burst)

    def grant(self, name: str, scopes: Iterable[Scope] = (Scope.READ, Scope.WRITE)) -> tuple[str, Grant]:
        """Creates a token for this owner's memories; returns it with its stored record."""
        name = check_text(name, "name").strip()
        if any(character < " " or character == "\x7f" for character in name):
            raise InvalidInputError("name", Reason.CONTROL_CHARACTERS)
        if len(name) > _MOST_NAME:
            raise InvalidInputError("name", Reason.TOO_LONG, most=_MOST_NAME)
        requested = tuple(scopes)
        try:
            allowed = frozenset(Scope(scope) for scope in requested)
        except ValueError:
            raise InvalidInputError(
                "scopes", Reason.UNKNOWN_CHOICE, got=requested, choices=tuple(scope.value for scope in Scope)
            ) from None
        if not allowed:
            raise InvalidInputError("scopes", Reason.TOKEN_FOR_NOTHING)
        import secrets  # slow to import, rarely needed

        token = token_from(secrets.token_bytes(32))
        owner, now = self._parts.owner, self._parts.now()
        grant = Grant(secrets.token_hex(4), name, owner, allowed, now)
        self._parts.store.grants.add(grant, digest_of_token(token))
        self._record(EventType.GRANTED, grant, now)
        return token, grant

    def tokens(self) -> Sequence[Grant]:
        """Returns every token ever granted, of all owners, oldest first."""
        return self._parts.store.grants.all()

    def check(self, token: str) -> Grant | None:
        """Returns what a token or session allows; None if it is unknown, revoked or expired."""
        grant, now = self._parts.store.grants.of_digest(digest_of_token(token)), self._parts.now()
        if grant is None or not grant.holds_at(now):
            return None
        if grant.last_used_at is None or abs(now - grant.last_used_at) > _USE_NOTED_EVERY:
            self._parts.store.grants.used(grant.id, now)
        return grant

    def login_key(self, *, all_owners: bool = False) -> str:
        """Creates a key for one dashboard session of this owner, valid for ten minutes; only its digest is stored.

        With `all_owners` the session can be switched to the memories of every other owner.
        """
        import secrets

        key = login_key_from(secrets.token_urlsafe(32), all_owners=all_owners)
        ends = self._parts.now() + LOGIN_KEY_LASTS.total_seconds()
        self._parts.store.grants.add_key(digest_of_token(key), self._parts.owner, ends)
        return key

    def log_in(self, key: str) -> tuple[str, Grant] | None:
        """Opens a session with a key, which is then used up: its secret and stored record. None for a bad key."""
        now = self._parts.now()
        owner = self._parts.store.grants.take_key(digest_of_token(key), now)
        if owner is None:
            return None
        import secrets

        lasts = SESSION_LASTS.total_seconds()
        self._parts.store.grants.drop_ended(now)
        return self._open_session(
            Grant(secrets.token_hex(4), session_name(key), owner, EVERYTHING, now, expires_at=now + lasts)
        )

    def owners(self) -> Mapping[Owner, int]:
        """Returns every owner of this database, with how many memories each has in orbit."""
        with self._parts.store.read() as session:
            return {owner: session.night.census(owner).in_orbit for owner in session.night.owners()}

    def switch_owner(self, grant: Grant, owner: Owner) -> tuple[str, Grant]:
        """Opens a session of another owner in place of this one, until the same time.

        Only a session that was opened for all owners can be switched, and only to an owner who has memories.
        """
        import secrets

        if not grant.switches_owner or not grant.holds_at(self._parts.now()):
            raise GrantNotFoundError(item_id=grant.id)
        if owner not in self.owners():
            raise InvalidInputError(
                "owner", Reason.NO_SUCH, thing=Thing.OWNER, got=f"{owner.user_id} / {owner.agent_id}"
            )
        self.revoke(grant.id)
        opened = replace(grant, id=secrets.token_hex(4), owner=owner, created_at=self._parts.now(), last_used_at=None)
        return self._open_session(opened)

    def _open_session(self, grant: Grant) -> tuple[str, Grant]:
        import secrets

        session = token_from(secrets.token_bytes(32))
        self._parts.store.grants.add(grant, digest_of_token(session))
        self._record(EventType.GRANTED, grant, grant.created_at)
        return session, grant

    def revoke(self, grant_id: str) -> Grant:
        """Revokes a token at once."""
        now = self._parts.now()
        grants = {grant.id: grant for grant in self.tokens()}
        if grant_id not in grants or not self._parts.store.grants.revoke(grant_id, now):
            raise GrantNotFoundError(item_id=grant_id)
        self._record(EventType.REVOKED, grants[grant_id], now)
        return grants[grant_id]

    def note_server(self, url: str) -> str:
        """Stores the address of a server on this database, so that `celestial dashboard` can show it.

        Returns the secret by which the server is known; its other processes serve under it too (`serve_as`).
        """
        import secrets

        now, self._server_secret = self._parts.now(), secrets.token_urlsafe(16)
        self._parts.store.jobs.note({_SERVING + url: now})
        self._parts.store.jobs.claim(_SERVING + url, self._server_secret, now, 0.0, 0.0)
        return self._server_secret

    def serve_as(self, secret: str) -> None:
        """Makes this process answer for the server that was noted with this secret."""
        self._server_secret = secret

    def servers(self) -> Mapping[str, str]:
        """Returns the addresses that servers registered, newest first, with their secrets; some may have stopped."""
        states = self._parts.store.jobs.states(_SERVING)
        newest = sorted(states, key=lambda name: states[name].last_run or 0.0, reverse=True)
        return {name.removeprefix(_SERVING): states[name].holder or "" for name in newest[:_SERVERS_LOOKED_AT]}

    def server_answer(self, question: str) -> str:
        """Answers a challenge as only the registered server can: no other server at its address, and no relay."""
        return answer_of(self._server_secret, question)

    def _record(self, kind: EventType, grant: Grant, now: float) -> None:
        detail = {"token": grant.id, "scopes": sorted(scope.value for scope in grant.scopes)}
        with self._parts.store.write(grant.owner) as session:
            session.ledger.record(Event(kind, grant.owner, now, None, detail))
