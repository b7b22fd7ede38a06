"""What the guard took out."""

from __future__ import annotations

GUARD: dict[str, str] = {
    "help.guard": "find secrets that older versions stored, and redact them",
    "detail.redacted": "redacted",
    "detail.redacted_as": "redacted as",
    "place.memory": "memory",
    "place.archive": "archive",
    "place.version": "older version",
    "place.ledger": "ledger entry",
    "place.backup": "backup",
    "col.place": "place",
    "col.where": "where",
    "col.secrets": "secrets",
    "say.no_secrets": "No secrets are stored.",
    "say.would_redact": "Nothing was changed. `celestial guard scan --redact` redacts the memories.",
    "say.secrets_redacted": "Memories replaced by redacted copies: {count}.",
    "say.secret_left": "Still there: {place} {where}",
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
