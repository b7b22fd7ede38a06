"""Synchronising, the outside: encryption with a passphrase, and HTTP to another device."""

from __future__ import annotations

import hashlib
import json
import ssl
from http.client import HTTPException
from importlib.util import find_spec
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from celestial_engine.errors import ExtraMissingError, Reason, SyncError

_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_COST = 1 << 15  # of scrypt: 32 MiB and about a tenth of a second
_TIMEOUT_SECONDS = 120
_MOST_ANSWER = 1 << 30


class PassphraseCipher:
    """ChaCha20-Poly1305 with a key that scrypt makes of a passphrase and the salt of the writing device."""

    name = "scrypt-chacha20poly1305"
    overhead = 16

    def __init__(self, passphrase: str) -> None:
        if find_spec("cryptography") is None:
            from celestial_engine.install_hints import install_command

            raise ExtraMissingError(name="cryptography", extra="sync", install=install_command("sync"))
        self._passphrase = passphrase.encode("utf-8", "surrogateescape")
        self._keys: dict[bytes, bytes] = {}

    def seal(self, payload: bytes, salt: bytes, nonce: bytes, about: bytes) -> bytes:
        from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

        return ChaCha20Poly1305(self._key(salt)).encrypt(nonce, payload, about)

    def open(self, sealed: bytes, salt: bytes, nonce: bytes, about: bytes) -> bytes:
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

        try:
            return ChaCha20Poly1305(self._key(salt)).decrypt(nonce, sealed, about)
        except InvalidTag as error:
            raise ValueError("another key, or changed") from error

    def _key(self, salt: bytes) -> bytes:
        if salt not in self._keys:
            self._keys[salt] = hashlib.scrypt(
                self._passphrase, salt=salt, n=_COST, r=8, p=1, maxmem=2 * 128 * 8 * _COST, dklen=32
            )
        return self._keys[salt]


def is_private(url: str) -> bool:
    """Whether nobody on the way can read what is sent there."""
    parts = urlsplit(url)
    return parts.scheme == "https" or parts.hostname in _LOOPBACK


class HttpDevice:
    """Another device that runs `celestial serve`."""

    def __init__(self, url: str, token: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise SyncError(url, Reason.SYNC_UNREACHABLE, cause="http(s)://HOST:PORT")
        self._url, self._token = url.rstrip("/"), token

    def status(self) -> dict[str, Any]:
        return self._ask("GET", None)

    def exchange(self, request: dict[str, Any]) -> dict[str, Any]:
        return self._ask("POST", request)

    def _ask(self, method: str, body: dict[str, Any] | None) -> dict[str, Any]:
        data = None if body is None else json.dumps(body).encode()
        request = Request(f"{self._url}/v1/sync", data, method=method)  # noqa: S310 - http and https only
        request.add_header("Authorization", f"Bearer {self._token}")
        if data is not None:
            request.add_header("Content-Type", "application/json")
        try:
            with urlopen(request, timeout=_TIMEOUT_SECONDS) as answer:  # noqa: S310
                found = json.loads(answer.read(_MOST_ANSWER))
        except HTTPError as error:
            raise SyncError(self._url, Reason.SYNC_REFUSED, cause=_detail(error)) from error
        except (URLError, OSError, HTTPException, ssl.SSLError, ValueError) as error:
            raise SyncError(self._url, Reason.SYNC_UNREACHABLE, cause=str(error)) from error
        if not isinstance(found, dict):
            raise SyncError(self._url, Reason.SYNC_FOREIGN)
        return found


def _detail(error: HTTPError) -> str:
    try:
        return str(json.loads(error.read(65_536))["detail"]).removesuffix(".")
    except (ValueError, KeyError, TypeError, OSError):
        return f"HTTP {error.code}"
