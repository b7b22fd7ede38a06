"""Network access: tokens and scopes. Only the digest of a token is stored."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import Enum
from hashlib import sha256

from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import InvalidInputError, Reason

PREFIX = "cel_"
SESSION, SESSION_OF_ALL = "dashboard", "dashboard of all owners"  # names of sessions; tokens are no sessions
_KEY_OF_ALL = "all-"
SESSION_LASTS = timedelta(days=14)
SESSION_UNUSED = timedelta(days=3)  # after so long without a request it ends earlier
LOGIN_KEY_LASTS = timedelta(minutes=10)
_SECRET_BYTES = 32


class Scope(str, Enum):
    """What a token permits."""

    READ = "read"
    WRITE = "write"
    APPROVE = "approve"  # approve on the user's behalf: core memories and the self
    ADMIN = "admin"  # operations on the whole database


EVERYTHING = frozenset(Scope)


@dataclass(frozen=True)
class Grant:
    """The stored record of a token: owner, scopes, times; never the token itself."""

    id: str
    name: str
    owner: Owner
    scopes: frozenset[Scope]
    created_at: float
    last_used_at: float | None = None
    revoked_at: float | None = None
    expires_at: float | None = None  # only for browser sessions; a token is valid until it is revoked

    @property
    def valid(self) -> bool:
        return self.revoked_at is None

    @property
    def is_session(self) -> bool:
        """A browser session, opened by a person at the machine; a token is never a session cookie."""
        return self.expires_at is not None

    @property
    def switches_owner(self) -> bool:
        """Whether whoever has this session may look at every owner's memories."""
        return self.is_session and self.name == SESSION_OF_ALL

    def holds_at(self, moment: float) -> bool:
        if self.expires_at is None:
            return self.valid
        used_at = self.created_at if self.last_used_at is None else self.last_used_at
        return self.valid and moment < min(self.expires_at, used_at + SESSION_UNUSED.total_seconds())

    def allows(self, scope: Scope) -> bool:
        return self.valid and scope in self.scopes


def login_key_from(secret: str, *, all_owners: bool) -> str:
    """Returns a key; only its digest is stored, so what it opens cannot be changed afterwards."""
    return f"{_KEY_OF_ALL}{secret}" if all_owners else secret


def session_name(key: str) -> str:
    """Returns the name of the session that a key opens."""
    return SESSION_OF_ALL if key.startswith(_KEY_OF_ALL) else SESSION


def token_from(randomness: bytes) -> str:
    """Returns an unguessable token with a recognisable prefix."""
    if len(randomness) < _SECRET_BYTES:
        raise ValueError(f"a token needs {_SECRET_BYTES} random bytes")
    return PREFIX + randomness.hex()


def csrf_of(session: str) -> str:
    """Returns the CSRF token that a page must send with each change.

    It is a hash of the session's secret, which pages cannot read and the hash does not reveal.
    """
    return sha256(b"csrf of " + session.encode("utf-8", "surrogatepass")).hexdigest()


def digest_of_token(token: str) -> str:
    """Returns the stored digest. A token is random, so a plain hash is enough."""
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def answer_of(secret: str, question: str) -> str:
    """Returns a server's answer to a challenge; it proves knowledge of the secret without revealing it."""
    return digest_of_token(f"{secret} {question}")


def scopes_of(names: object) -> frozenset[Scope]:
    """Parses "read,write"; write includes read."""
    requested = [name.strip() for name in str(names).split(",") if name.strip()]
    known = {scope.value for scope in Scope}
    unknown = sorted(set(requested) - known)
    if unknown or not requested:
        raise InvalidInputError(
            "scopes", Reason.UNKNOWN_CHOICE, got=names, choices=tuple(scope.value for scope in Scope)
        )
    scopes = frozenset(Scope(name) for name in requested)
    return scopes | {Scope.READ} if Scope.WRITE in scopes else scopes
