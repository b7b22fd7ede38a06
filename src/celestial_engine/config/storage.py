"""Where and how safely memories are kept."""

from __future__ import annotations

from dataclasses import dataclass

from celestial_engine.errors import ConfigError


@dataclass(frozen=True)
class StorageConfig:
    """Where and how safely memories are kept."""

    path: str
    durability: str = "full"  # or "normal": faster, but a power cut may take the newest changes
    busy_timeout: float = 30.0  # seconds to wait for another process
    max_bytes: int | None = None  # the file grows no further than this
    words: str = "auto"  # what makes words of texts: auto, pairs or kiwi
    ledger: str | None = None  # the folder of the ledger's daily files; None: beside the database; "none": no files
    archive: str | None = None  # the folder of archived sessions; None: beside the database

    def __post_init__(self) -> None:
        problems = []
        if not isinstance(self.path, str) or not self.path or "\0" in self.path:
            problems.append(f"db_path must be a path or ':memory:', not {self.path!r}")
        if self.ledger is not None and (not isinstance(self.ledger, str) or not self.ledger or "\0" in self.ledger):
            problems.append(f"ledger_path must be a folder or 'none', not {self.ledger!r}")
        if self.archive is not None and (
            not isinstance(self.archive, str) or not self.archive or "\0" in self.archive
        ):
            problems.append(f"archive_path must be a folder, not {self.archive!r}")
        if self.durability not in ("full", "normal"):
            problems.append(f"durability must be 'full' or 'normal', not {self.durability!r}")
        if not 0 < self.busy_timeout < 86_400:
            problems.append(f"busy_timeout must be seconds, more than 0, not {self.busy_timeout!r}")
        if self.max_bytes is not None and self.max_bytes < 1 << 20:
            problems.append(f"max_bytes must be at least 1 MiB, not {self.max_bytes!r}")
        if problems:
            raise ConfigError(reason="; ".join(problems))
