"""Who may do what over a network: tokens, of which only the digest is kept."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import Enum
from hashlib import sha256

from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import InvalidInputError, Reason

PREFIX = "cel_"
SESSION_LASTS = timedelta(days=14)
LOGIN_KEY_LASTS = timedelta(minutes=10)
_SECRET_BYTES = 32


class Scope(str, Enum):
    """What a token allows."""

    READ = "read"
    WRITE = "write"
    APPROVE = "approve"  # the user's own word: core memories and the self
    ADMIN = "admin"  # concerns the whole database


EVERYTHING = frozenset(Scope)


@dataclass(frozen=True)
class Grant:
    """A token as it is kept: whose, for what, since when; never the token itself."""

    id: str
    name: str
    owner: Owner
    scopes: frozenset[Scope]
    created_at: float
    last_used_at: float | None = None
    revoked_at: float | None = None
    expires_at: float | None = None  # of a session in a browser; a token has no end but to be revoked

    @property
    def valid(self) -> bool:
        return self.revoked_at is None

    @property
    def is_session(self) -> bool:
        """Of somebody who was at the machine to open it; a token may be anybody's, and is no session in a cookie."""
        return self.expires_at is not None

    def holds_at(self, moment: float) -> bool:
        return self.valid and (self.expires_at is None or moment < self.expires_at)

    def allows(self, scope: Scope) -> bool:
        return self.valid and scope in self.scopes


def token_from(randomness: bytes) -> str:
    """A token that nobody can guess, and everybody can tell for what it is."""
    if len(randomness) < _SECRET_BYTES:
        raise ValueError(f"a token needs {_SECRET_BYTES} random bytes")
    return PREFIX + randomness.hex()


def csrf_of(session: str) -> str:
    """What a page says with each change, to show that it is the one that the session belongs to.

    Made from the session's secret, which no page can read; nothing can be told from it back to that.
    """
    return sha256(b"csrf of " + session.encode("utf-8", "surrogatepass")).hexdigest()


def digest_of_token(token: str) -> str:
    """What is kept of a token. It is random, so a plain hash tells nothing of it."""
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def answer_of(secret: str, question: str) -> str:
    """What a server with that secret answers: it shows that it has it, and does not show it."""
    return digest_of_token(f"{secret} {question}")


def scopes_of(names: object) -> frozenset[Scope]:
    """From "read,write"; writing includes reading."""
    given = [name.strip() for name in str(names).split(",") if name.strip()]
    known = {scope.value for scope in Scope}
    unknown = sorted(set(given) - known)
    if unknown or not given:
        raise InvalidInputError(
            "scopes", Reason.UNKNOWN_CHOICE, got=names, choices=tuple(scope.value for scope in Scope)
        )
    scopes = frozenset(Scope(name) for name in given)
    return scopes | {Scope.READ} if Scope.WRITE in scopes else scopes
