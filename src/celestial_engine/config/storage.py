"""Where and how durably memories are stored."""

from __future__ import annotations

from dataclasses import dataclass, field

from celestial_engine.errors import ConfigError, Expected, Reason, problem


@dataclass(frozen=True)
class StorageConfig:
    """Where and how durably memories are stored."""

    path: str
    durability: str = "full"  # or "normal": faster, but a power cut may lose the newest changes
    busy_timeout: float = 30.0  # seconds to wait for another process
    max_bytes: int | None = None  # maximum size of the file
    words: str = "auto"  # the word analyser: auto, pairs or kiwi
    ledger: str | None = None  # folder of the ledger's daily files; None: beside the database; "none": no files
    archive: str | None = None  # folder of archived sessions; None: beside the database
    pool_size: int = 10  # connections of one process to a database server
    statement_timeout: float = 60.0  # seconds that a statement may take on a database server
    key: str | None = field(default=None, repr=False)  # the passphrase of an encrypted database
    files: str | None = None  # folder of all of these and of SOUL.md, where they have none of their own

    def __post_init__(self) -> None:
        problems = []
        if not isinstance(self.path, str) or not self.path or "\0" in self.path:
            problems.append(problem("db_path", Reason.WRONG_VALUE, expected=Expected.PATH, got=self.path))
        if self.ledger is not None and (not isinstance(self.ledger, str) or not self.ledger or "\0" in self.ledger):
            problems.append(
                problem("ledger_path", Reason.WRONG_VALUE, expected=Expected.FOLDER_OR_NONE, got=self.ledger)
            )
        if self.archive is not None and (
            not isinstance(self.archive, str) or not self.archive or "\0" in self.archive
        ):
            problems.append(problem("archive_path", Reason.WRONG_VALUE, expected=Expected.FOLDER, got=self.archive))
        if self.files is not None and (not isinstance(self.files, str) or not self.files or "\0" in self.files):
            problems.append(problem("files_path", Reason.WRONG_VALUE, expected=Expected.FOLDER, got=self.files))
        if self.durability not in ("full", "normal"):
            choices = ("full", "normal")
            problems.append(problem("durability", Reason.UNKNOWN_CHOICE, got=self.durability, choices=choices))
        if not 0 < self.busy_timeout < 86_400:
            problems.append(
                problem("busy_timeout", Reason.NOT_ABOVE_UP_TO, low=0, high=86_400, got=self.busy_timeout)
            )
        if not 0 < self.statement_timeout < 86_400:
            problems.append(
                problem("statement_timeout", Reason.NOT_ABOVE_UP_TO, low=0, high=86_400, got=self.statement_timeout)
            )
        if self.pool_size < 1:
            problems.append(problem("pool_size", Reason.TOO_SMALL, least=1, got=self.pool_size))
        if self.max_bytes is not None and self.max_bytes < 1 << 20:
            problems.append(problem("max_bytes", Reason.TOO_SMALL, least=1 << 20, got=self.max_bytes))
        if problems:
            raise ConfigError(*problems)
