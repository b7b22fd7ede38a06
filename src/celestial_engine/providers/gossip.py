"""Learning together, the outside: Ed25519 keys in a file, and HTTP to peers."""

from __future__ import annotations

import http.client
import os
import ssl
import time
from hashlib import sha256
from importlib.util import find_spec
from ipaddress import ip_address
from urllib.parse import urlsplit

from celestial_engine.core.federation.messages import MESSAGE_BYTES
from celestial_engine.core.record.owner import LOCAL_OWNER, Owner
from celestial_engine.errors import ExtraMissingError, InvalidInputError, Reason, StorageError, os_problem, problem
from celestial_engine.ports import PeerUnreachableError

_PATH = "/gossip"
_PRIVATE = 0o600
_CHUNK = 4096


class Ed25519Identity:
    """The key pair of a node, from the 32 bytes of its private key."""

    def __init__(self, private: bytes) -> None:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        self._private = Ed25519PrivateKey.from_private_bytes(private)
        self._key = self._private.public_key().public_bytes_raw()

    @property
    def key(self) -> bytes:
        return self._key

    def sign(self, message: bytes) -> bytes:
        return self._private.sign(message)

    def verify(self, key: bytes, signature: bytes, message: bytes) -> bool:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        try:
            Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
        except (InvalidSignature, ValueError):
            return False
        return True


def key_path(database: str, owner: Owner) -> str:
    """Returns the path beside the database; every owner but the local user has a separate file."""
    if owner == LOCAL_OWNER:
        return f"{database}.gossip-key"
    digest = sha256(repr((owner.user_id, owner.agent_id)).encode()).hexdigest()[:16]
    return f"{database}.{digest}.gossip-key"


def open_identity(path: str | None) -> Ed25519Identity:
    """Reads the private key at this path, or creates it for its owner alone; None: a key for this process."""
    if find_spec("cryptography") is None:
        from celestial_engine.install_hints import install_command

        install = install_command("federation")
        missing = problem(None, Reason.PACKAGE_MISSING, package="cryptography", cause="ImportError", install=install)
        raise ExtraMissingError(missing, name="gossip", extra="federation", install=install)
    if path is None:
        return Ed25519Identity(os.urandom(32))
    try:
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE)
        except FileExistsError:
            with open(path, "rb") as file:
                private = bytes.fromhex(file.read(200).decode("ascii", "replace").strip())
        else:
            private = os.urandom(32)
            with os.fdopen(descriptor, "wb") as file:
                file.write(private.hex().encode() + b"\n")
    except OSError as error:
        raise StorageError(path, os_problem(error)) from error
    except ValueError:
        private = b""
    if len(private) != 32:
        raise StorageError(path, Reason.DAMAGED_KEY)
    return Ed25519Identity(private)


def check_peer_url(url: str) -> str:
    """Checks the address of a peer: https, or http on this machine. Returns it without a trailing slash."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise InvalidInputError("url", Reason.PEER_ADDRESS, got=url) from None
    near = _is_this_machine(parts.hostname or "")
    fine = (parts.scheme == "https" or (parts.scheme == "http" and near)) and parts.hostname and port != 0
    clean = "@" not in parts.netloc and not parts.query and not parts.fragment and url.isprintable()
    if not fine or not clean or len(url) > 500 or any(character.isspace() for character in url):
        raise InvalidInputError("url", Reason.PEER_ADDRESS, got=url)
    return url.rstrip("/")


def _is_this_machine(host: str) -> bool:
    """By the address, not by how the name begins: 127.example.org is somebody else's."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


class HttpTransport:
    """POSTs a message to a peer. No redirects, no proxy, no retries: the next round is the retry."""

    def __init__(self, context: ssl.SSLContext | None = None) -> None:
        self._context = context

    def exchange(self, url: str, message: bytes, timeout: float) -> bytes:
        parts, until = urlsplit(check_peer_url(url)), time.monotonic() + timeout
        host = parts.hostname or ""
        connection: http.client.HTTPConnection
        if parts.scheme == "https":
            context = self._context or ssl.create_default_context()
            connection = http.client.HTTPSConnection(host, parts.port, timeout=timeout, context=context)
        else:
            connection = http.client.HTTPConnection(host, parts.port, timeout=timeout)
        try:
            headers = {"Content-Type": "application/octet-stream", "User-Agent": "celestial-engine"}
            connection.request("POST", f"{parts.path}{_PATH}", message, headers)
            response = connection.getresponse()
            if response.status != 200:
                raise PeerUnreachableError(f"status {response.status}")
            return _read(response, until)
        except (OSError, http.client.HTTPException) as error:
            raise PeerUnreachableError(type(error).__name__) from None
        finally:
            connection.close()


def _read(response: http.client.HTTPResponse, until: float) -> bytes:
    """Reads in pieces, so that an endless or a dripping answer is cut off."""
    parts, size = [], 0
    while part := response.read1(_CHUNK):
        parts.append(part)
        size += len(part)
        if size > MESSAGE_BYTES:
            raise PeerUnreachableError("too large")
        if time.monotonic() >= until:
            raise PeerUnreachableError("too slow")
    return b"".join(parts)
