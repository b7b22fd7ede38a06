"""Where the key of an encrypted database comes from: a value, a file, the system's keyring or a prompt."""

from __future__ import annotations

import os
import stat
import sys
from importlib import import_module
from importlib.util import find_spec

from celestial_engine.errors import ConfigError, Reason

KEYRING_SERVICE = "celestial-engine"
_FILE = "file:"
_asked: dict[str, str] = {}  # a prompt is shown once for each database


def resolve_key(path: str, key: str | None, source: str | None) -> str | None:
    """Returns the passphrase of a database; None if it has none.

    `source` is "file:PATH", "keyring" (under the service celestial-engine and the database's path) or "prompt".
    """
    if key is not None or source is None:
        return key or None
    if source.startswith(_FILE):
        return _in_file(os.path.expanduser(source.removeprefix(_FILE)))
    if source == "keyring":
        return _in_keyring(os.path.abspath(path))
    if source == "prompt":
        return _prompted(path)
    choices = ("file:PATH", "keyring", "prompt")
    raise ConfigError("storage.key_from", Reason.UNKNOWN_CHOICE, got=source, choices=choices)


def _in_file(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            mode = os.fstat(file.fileno()).st_mode
            text = file.read().strip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError("storage.key_from", Reason.KEY_UNREADABLE, cause=str(error)) from error
    if os.name != "nt" and mode & (stat.S_IRWXG | stat.S_IRWXO):
        shown = f"{stat.S_IMODE(mode):03o}"
        raise ConfigError("storage.key_from", Reason.KEY_FILE_SHARED, path=path, mode=shown)
    return _not_empty(text)


def _in_keyring(name: str) -> str:
    if find_spec("keyring") is None:
        raise ConfigError("storage.key_from", Reason.KEY_UNREADABLE, cause="there is no package keyring")
    keyring = import_module("keyring")
    try:
        found = keyring.get_password(KEYRING_SERVICE, name)
    except keyring.errors.KeyringError as error:
        raise ConfigError("storage.key_from", Reason.KEY_UNREADABLE, cause=str(error)) from error
    if found is None:
        raise ConfigError("storage.key_from", Reason.KEY_UNREADABLE, cause=f"keyring: {KEYRING_SERVICE}, {name}")
    return _not_empty(str(found))


def _prompted(path: str) -> str:
    if path not in _asked:
        from getpass import getpass

        if not sys.stdin.isatty():
            raise ConfigError("storage.key_from", Reason.KEY_UNREADABLE, cause="prompt: no terminal")
        _asked[path] = _not_empty(getpass(f"{path}: "))
    return _asked[path]


def _not_empty(text: str) -> str:
    if not text:
        raise ConfigError("storage.key", Reason.EMPTY)
    return text
