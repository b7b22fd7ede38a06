"""The result of an import: counts of added and known memories, and what was skipped and why."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any

MOST_EXAMPLES = 20


@dataclass(frozen=True)
class Skipped:
    """One entry that was not imported: its location, a reason code, and a detail message."""

    where: str
    reason: str
    detail: str = ""


@dataclass(frozen=True)
class ImportReport:
    """The result of an import. `skipped` counts by reason; `examples` are the first few, with their locations.

    `undated` counts memories without a readable time: they are dated now. `first_undated` locates the first.
    """

    path: str
    format: str
    dry_run: bool
    read: int
    added: int
    known: int
    redacted: int
    skipped: dict[str, int]
    zones: dict[str, int]
    examples: tuple[Skipped, ...] = ()
    undated: int = 0
    first_undated: str = ""

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass
class Tally:
    """Mutable counts, updated while an import runs."""

    read: int = 0
    added: int = 0
    known: int = 0
    redacted: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    zones: Counter[str] = field(default_factory=Counter)
    examples: list[Skipped] = field(default_factory=list)
    undated: int = 0
    first_undated: str = ""

    def skip(self, where: str, reason: str, detail: str = "") -> None:
        self.skipped[reason] += 1
        if len(self.examples) < MOST_EXAMPLES:
            self.examples.append(Skipped(where, reason, detail))

    def report(self, path: str, kind: str, *, dry_run: bool) -> ImportReport:
        return ImportReport(
            path, kind, dry_run, self.read, self.added, self.known, self.redacted,
            dict(self.skipped.most_common()), dict(self.zones), tuple(self.examples),
            self.undated, self.first_undated,
        )  # fmt: skip
