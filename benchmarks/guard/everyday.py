"""Secrets as people tell them, from the lists in tests/security/everyday: a half to tune on, and one held out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from celestial_engine.core.guard.secrets import redact_secrets

LISTS = Path(__file__).parents[2] / "tests" / "security" / "everyday"


class Form(NamedTuple):
    text: str
    secrets: tuple[tuple[int, int], ...]  # where they stand in the text


def forms(name: str) -> list[Form]:
    """Reads a list: `development` or `held_out`."""
    lines = (LISTS / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return [_form(line.replace("\\n", "\n")) for line in lines if line and not line.startswith("#")]


def is_redacted(form: Form) -> bool:
    """Whether nothing but quotes, spaces, dashes and key signs of every secret is left."""
    findings = redact_secrets(form.text).redacted
    return all(
        any(finding.start <= place < finding.end for finding in findings)
        for start, end in form.secrets
        for place in range(start, end)
        if form.text[place] not in " -\"'*#"
    )


def missed(name: str) -> list[Form]:
    return [form for form in forms(name) if not is_redacted(form)]


def _form(line: str) -> Form:
    plain, spans = "", []
    for piece in _pieces(line):
        if piece.startswith("⟦"):
            spans.append((len(plain), len(plain) + len(piece) - 2))
            piece = piece[1:-1]
        plain += piece
    return Form(plain, tuple(spans))


def _pieces(line: str) -> Iterator[str]:
    yield from re.split("(⟦.*?⟧)", line)
