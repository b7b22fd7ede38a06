"""What the guard took out."""

from __future__ import annotations

GUARD: dict[str, str] = {
    "detail.redacted": "redacted",
    "secret.password": "password",
    "secret.api_key": "API key",
    "secret.jwt": "token",
    "secret.private_key": "private key",
    "secret.connection": "credentials",
    "secret.card": "card number",
    "secret.resident_number": "resident number",
    "secret.bank_account": "bank account",
    "secret.identity_number": "identity number",
    "secret.security_code": "security code",
    "secret.seed_phrase": "seed phrase",
    "secret.phone": "phone number",
    "secret.email": "e-mail address",
}
