"""Encryption of everything that a database writes: keys made of one passphrase, and sealed files and lines.

A file says in its header which salt its key was made with, so every file can be opened with the passphrase alone. The
salt of a database is where SQLCipher has it: in its first sixteen bytes.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import os
from importlib.util import find_spec

from celestial_engine.errors import ExtraMissingError

SALT_BYTES = 16
_NONCE_BYTES = 12
_MAGIC = b"CELEENC1"
_LINE = b"CELEENC1:"
_SQLITE = b"SQLite format 3\0"
_COST = 1 << 15  # of scrypt: 32 MiB and about a tenth of a second


class SealedError(ValueError):
    """Data that this key does not open: it was made with another key, or changed."""


class Vault:
    """The keys of one passphrase. `older` ones still open what they sealed, while the key is changed."""

    def __init__(self, passphrase: str, salt: bytes, *, older: tuple[str, ...] = ()) -> None:
        for package in ("sqlcipher3", "cryptography"):
            if find_spec(package) is None:
                from celestial_engine.install_hints import install_command

                raise ExtraMissingError(name=package, extra="encrypted", install=install_command("encrypted"))
        self.salt = salt
        self._passphrases = tuple(text.encode("utf-8", "surrogateescape") for text in (passphrase, *older))
        self._masters: dict[tuple[bytes, bytes], bytes] = {}

    @classmethod
    def of_database(cls, path: str, passphrase: str, *, older: tuple[str, ...] = ()) -> Vault:
        """Returns the keys of an encrypted database; of one that does not exist yet, with a new salt."""
        return cls(passphrase, salt_of(path) or os.urandom(SALT_BYTES), older=older)

    def database_key(self, path: str) -> str:
        """Returns the raw key of a database file and its salt, as SQLCipher reads them."""
        salt = salt_of(path) or self.salt
        return _derived(self._master(self._passphrases[0], salt), b"database").hex() + salt.hex()

    def seal(self, data: bytes) -> bytes:
        from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

        nonce = os.urandom(_NONCE_BYTES)
        key = _derived(self._master(self._passphrases[0], self.salt), b"files")
        return _MAGIC + self.salt + nonce + ChaCha20Poly1305(key).encrypt(nonce, data, _MAGIC)

    def open(self, data: bytes) -> bytes:
        """Returns what was sealed; data from before there was a key is returned as it is."""
        if not is_sealed(data):
            return data
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

        start = len(_MAGIC) + SALT_BYTES + _NONCE_BYTES
        salt, nonce = data[len(_MAGIC) : start - _NONCE_BYTES], data[start - _NONCE_BYTES : start]
        for passphrase in self._passphrases:
            key = _derived(self._master(passphrase, salt), b"files")
            try:
                return ChaCha20Poly1305(key).decrypt(nonce, data[start:], _MAGIC)
            except (InvalidTag, ValueError):
                continue
        raise SealedError("sealed with another key, or changed")

    def seal_line(self, line: bytes) -> bytes:
        return _LINE + base64.b64encode(self.seal(line))

    def open_line(self, line: bytes) -> bytes:
        """Returns a line as it was; a torn or foreign one stays as it is, and is reported as such."""
        if not line.startswith(_LINE):
            return line
        try:
            return self.open(base64.b64decode(line[len(_LINE) :].strip(), validate=True))
        except (binascii.Error, SealedError):
            return line

    def is_current(self, data: bytes) -> bool:
        """Returns whether data was sealed with the key in use."""
        return data.startswith(_MAGIC + self.salt)

    def is_current_line(self, line: bytes) -> bool:
        if not line.startswith(_LINE):
            return False
        try:
            return self.is_current(base64.b64decode(line[len(_LINE) :].strip()))
        except binascii.Error:
            return False

    def _master(self, passphrase: bytes, salt: bytes) -> bytes:
        if (passphrase, salt) not in self._masters:
            self._masters[passphrase, salt] = hashlib.scrypt(
                passphrase, salt=salt, n=_COST, r=8, p=1, maxmem=2 * 128 * 8 * _COST, dklen=32
            )
        return self._masters[passphrase, salt]


def _derived(master: bytes, purpose: bytes) -> bytes:
    return hmac.digest(master, b"celestial-engine " + purpose, "sha256")


def is_sealed(data: bytes) -> bool:
    return data.startswith(_MAGIC)


def is_plain_database(path: str) -> bool:
    """Returns whether the file is an SQLite database that is not encrypted."""
    return _begin(path) == _SQLITE


def salt_of(path: str) -> bytes | None:
    """Returns the salt of an encrypted database; None of one that is empty, missing or not encrypted."""
    begin = _begin(path)
    return None if len(begin) < SALT_BYTES or begin == _SQLITE else begin


def _begin(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(SALT_BYTES)
    except OSError:
        return b""
