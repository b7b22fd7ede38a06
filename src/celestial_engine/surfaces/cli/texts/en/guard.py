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
    "left.ledger": (
        "Entries of the ledger are chained and are never rewritten. Change the secret itself where it is used; then "
        "the entry tells nobody anything."
    ),
    "left.backup": "Backups stay as they are. Make a new one, then delete these files.",
    "left.memory": "Core memories are changed by their owner alone: propose a new text and approve it.",
    "left.version": "The memory is a core memory: propose a new text and approve it; its older texts go with it.",
    "left.archive": "It could not be brought back from its file: `celestial doctor` says why.",
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
