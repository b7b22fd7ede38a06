"""Methods of stellar-memory 3.0 that are missing here, and what to use instead."""

from __future__ import annotations

ALTERNATIVES = {
    "ingest": "read the file or page yourself, and store what matters",
    "encrypt_memory": "keep the database on an encrypted disk",
    "decrypt_memory": "keep the database on an encrypted disk",
    "optimize": "engine.feedback(...) teaches it, turn by turn",
    "rollback_weights": "engine.policy.rollback(...) goes back to a version of what was learned",
    "benchmark": "see docs/benchmarks.md",
}
