"""Settings: everything about an engine that is not an argument of the constructor, in groups.

Omitted settings come from celestial.toml and the CELESTIAL_* variables, else from the defaults.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from celestial_engine.core.guard.secrets import DEFAULT, GuardPolicy

if TYPE_CHECKING:
    import os

    from celestial_engine.core.federation.settings import GossipConfig
    from celestial_engine.core.imagination.settings import ImaginationSettings
    from celestial_engine.core.keeping.retention import RetentionPolicy
    from celestial_engine.core.learning.settings import LearningSettings
    from celestial_engine.core.model.settings import ModelSettings
    from celestial_engine.core.night.sleep import SleepSettings
    from celestial_engine.core.record.reading import Read
    from celestial_engine.core.retrieval.cross_encoding import CrossEncoder
    from celestial_engine.core.retrieval.ranking import RecallSettings
    from celestial_engine.core.text.perception import Feeler, Perceiver


@dataclass(frozen=True)
class StorageSettings:
    """How the database is opened, and where its files are."""

    durability: str | None = None  # "full", or "normal": faster, but a power cut may lose the newest changes
    busy_timeout: float = 30.0  # seconds to wait for another process
    max_bytes: int | None = None  # maximum size of the file
    pool_size: int | None = None  # connections to a database server
    statement_timeout: float | None = None  # seconds that a statement may take on a database server
    key: str | None = field(default=None, repr=False)  # the passphrase of an encrypted database
    words: str | None = None  # the word analyser: auto, pairs or kiwi
    files_path: str | os.PathLike[str] | None = None  # folder of ledger, archives and SOUL.md; None: by the database
    ledger_path: str | os.PathLike[str] | None = None  # folder of the ledger's daily files; "none": no files
    archive_path: str | os.PathLike[str] | None = None  # folder of archived sessions
    backup_path: str | os.PathLike[str] | None = None  # folder of backups


@dataclass(frozen=True)
class KeepingSettings:
    """How long and how much is kept, and whether it is backed up."""

    time: str | None = None  # "owner": days with the owner count for lifetimes; "calendar": every day does
    retention: RetentionPolicy | str | None = None  # a policy, or the name of a preset
    daily_backups: bool | None = None


@dataclass(frozen=True)
class NightSettings:
    """Whether a long-running process does the nightly work of all owners, and how much may leave unconfirmed."""

    enabled: bool | None = None
    limits: SleepSettings | None = None


@dataclass(frozen=True)
class ReadingSettings:
    """How texts and their emotions are read: by the trained classifiers and rules unless a language model is used.

    `reader` takes a text and what was said before it (or None) and returns a `Reading`.
    """

    perceiver: Perceiver | None = None
    feeler: Feeler | None = None
    reader: Read | None = None


@dataclass(frozen=True)
class Settings:
    """The settings of one engine.

    >>> Settings(storage=StorageSettings(durability="normal")).storage.durability
    'normal'
    """

    storage: StorageSettings = field(default_factory=StorageSettings)
    keeping: KeepingSettings = field(default_factory=KeepingSettings)
    night: NightSettings = field(default_factory=NightSettings)
    reading: ReadingSettings = field(default_factory=ReadingSettings)
    recall: RecallSettings | None = None
    cross_encoder: CrossEncoder | str | None = None  # reads the best hits again: a model's name, or your own
    learning: LearningSettings | None = None
    gossip: GossipConfig | None = None  # how learned parameters are exchanged, for owners who take part
    models: ModelSettings | None = None  # what a language model is used for, and its daily limits
    imagination: ImaginationSettings | None = None
    guard: GuardPolicy = DEFAULT  # which secrets are redacted, blocked or allowed
    soul_path: str | os.PathLike[str] | None = None  # path of SOUL.md
    personas: str | os.PathLike[str] | None = None  # the registry file that runs of personas use
