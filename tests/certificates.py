"""A certificate authority of the tests' own, and a certificate for localhost."""

from __future__ import annotations

import datetime
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec


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
