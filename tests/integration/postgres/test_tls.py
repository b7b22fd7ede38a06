"""TLS is libpq's: what the address says about it holds, and a connection that is not as asked for is refused.

The server of the tests is built without TLS, so a real TLS endpoint stands in front of it, as pgbouncer would.
"""

from __future__ import annotations

import contextlib
import datetime
import ipaddress
import socket
import ssl
import struct
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from tests.postgres_server import Server
from tests.tcp_proxy import proxied

from celestial_engine import CelestialMemory
from celestial_engine.errors import ServerAccessError

_SSL_REQUEST = 80877103
OPTIONS = {"rebalance_interval": None, "embedder": "none"}


def certificate(folder: Path, name: str) -> tuple[Path, Path]:
    """Writes a key and a certificate for 127.0.0.1 that is its own authority."""
    key, subject = ec.generate_private_key(ec.SECP256R1()), x509.Name([])
    today = datetime.datetime.now(datetime.timezone.utc)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject).issuer_name(subject).public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(today - datetime.timedelta(days=1)).not_valid_after(today + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=True)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    paths = folder / f"{name}.crt", folder / f"{name}.key"
    paths[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    paths[1].write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return paths


@contextlib.contextmanager
def tls_endpoint(target: str, crt: Path, key: Path) -> Iterator[tuple[int, list[str]]]:
    """Listens on a port, speaks TLS there and plain PostgreSQL with the target; yields the versions of TLS as well."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(crt, key)
    versions: list[str] = []

    def pump(source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                sink.sendall(data)
        for end in (source, sink):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def serve(plain: socket.socket) -> None:
        with contextlib.suppress(OSError), plain:
            while struct.unpack(">II", plain.recv(8, socket.MSG_WAITALL))[1] != _SSL_REQUEST:
                plain.sendall(b"N")
            plain.sendall(b"S")
            with context.wrap_socket(plain, server_side=True) as client, socket.socket(socket.AF_UNIX) as server:
                versions.append(str(client.version()))
                server.connect(target)
                back = threading.Thread(target=pump, args=(server, client), daemon=True)
                back.start()
                pump(client, server)
                back.join()

    with socket.create_server(("127.0.0.1", 0)) as listener:

        def accept() -> None:
            with contextlib.suppress(OSError):
                while True:
                    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        yield listener.getsockname()[1], versions
        listener.shutdown(socket.SHUT_RDWR)


def through(url: str, postgres: Server, port: int, **parameters: object) -> str:
    more = "".join(f"&{name}={value}" for name, value in parameters.items())
    return url.replace(f"host={postgres.sockets}", f"host=127.0.0.1&port={port}") + more


def test_the_address_asks_for_tls_and_gets_it(postgres: Server, url, tmp_path):
    crt, key = certificate(tmp_path, "server")
    with tls_endpoint(f"{postgres.sockets}/.s.PGSQL.5432", crt, key) as (port, versions):
        secure = through(url, postgres, port, sslmode="verify-full", sslrootcert=crt)
        with CelestialMemory(secure, **OPTIONS) as memory:
            item = memory.store("I drink green tea in the evening")
            assert [found.id for found in memory.recall("green tea")] == [item.id]
        assert set(versions) <= {"TLSv1.2", "TLSv1.3"}
        assert versions


def test_a_certificate_of_somebody_else_is_refused(postgres: Server, url, tmp_path):
    crt, key = certificate(tmp_path, "server")
    other, _ = certificate(tmp_path, "other")
    with tls_endpoint(f"{postgres.sockets}/.s.PGSQL.5432", crt, key) as (port, _):
        with pytest.raises(ServerAccessError) as caught:
            CelestialMemory(through(url, postgres, port, sslmode="verify-full", sslrootcert=other), **OPTIONS)
        assert "certificate" in caught.value.message("en")


def test_a_server_without_tls_is_refused_where_it_is_required(postgres: Server, url):
    with proxied(f"{postgres.sockets}/.s.PGSQL.5432") as proxy:
        with pytest.raises(ServerAccessError) as caught:
            CelestialMemory(through(url, postgres, proxy.port, sslmode="require"), **OPTIONS)
        assert "SSL" in caught.value.message("en")
