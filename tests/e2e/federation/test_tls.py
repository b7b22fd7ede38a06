"""TLS between real processes, with a certificate authority that the test makes."""

from __future__ import annotations

import datetime
import ssl
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from tests.gossip_processes import Process, introduce, running, wait_for

from celestial_engine.ports import PeerUnreachableError
from celestial_engine.providers.gossip import HttpTransport

pytestmark = pytest.mark.slow


def _certificate(name: str, issuer: x509.Name, public_key, signer, *, authority: bool) -> x509.Certificate:
    now = datetime.datetime.now(datetime.timezone.utc)
    builder = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)]))
        .issuer_name(issuer)
        .public_key(public_key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(hours=1))
        .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public_key), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False)
    )
    if authority:
        usage = x509.KeyUsage(False, False, False, False, False, True, True, False, False)
        builder = builder.add_extension(usage, critical=True)
    else:
        builder = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
    return builder.sign(signer, hashes.SHA256())


def make_authority(folder: Path) -> tuple[str, str, str]:
    """Writes a certificate authority and a certificate for localhost; returns the paths of CA, certificate and key."""
    root, leaf = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    issuer = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Village CA")])
    ca = _certificate("Village CA", issuer, root.public_key(), root, authority=True)
    certificate = _certificate("localhost", issuer, leaf.public_key(), root, authority=False)
    pem, private = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    files = {
        "ca.pem": ca.public_bytes(pem),
        "node.pem": certificate.public_bytes(pem),
        "node.key": leaf.private_bytes(pem, private, serialization.NoEncryption()),
    }
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return tuple(str(folder / name) for name in files)  # type: ignore[return-value]


def test_nodes_exchange_over_tls_and_trust_only_their_authority(tmp_path):
    ca, certificate, key = make_authority(tmp_path)
    nodes = [Process(tmp_path, number, attackers=0, tls=(certificate, key), SSL_CERT_FILE=ca) for number in range(3)]
    introduce(nodes)
    with running(nodes):
        wait_for(lambda: all(node.status().candidate_on for node in nodes))
        node = nodes[0]
        # Whoever does not know the authority sends nothing, and neither does plain HTTP get an answer.
        with pytest.raises(PeerUnreachableError, match="SSLCertVerificationError"):
            HttpTransport().exchange(node.address, b"x", 10.0)
        with pytest.raises(PeerUnreachableError):
            HttpTransport().exchange(f"http://127.0.0.1:{node.port}", b"x", 10.0)
        context = ssl.create_default_context(cafile=ca)
        with pytest.raises(PeerUnreachableError, match="status 403"):
            HttpTransport(context).exchange(node.address, b"no message", 10.0)
        # The certificate is for localhost: another name of the same machine is refused.
        with pytest.raises(PeerUnreachableError, match="SSLCertVerificationError"):
            HttpTransport(context).exchange(f"https://127.0.0.1:{node.port}", b"no message", 10.0)
        wait_for(lambda: node.status().rejected.get("garbage") == 1)
    # Two rounds a second cross each other on the way: the message that arrives later, but was sent earlier, is old.
    reasons = {reason for one in nodes for peer in one.status().peers for reason in peer.rejected}
    assert reasons <= {"unreachable", "replayed"}
