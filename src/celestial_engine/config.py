"""Settings: frozen, checked when made, and the only place that reads the environment."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from celestial_engine.core.imagination_settings import ImaginationSettings, QuietHours
from celestial_engine.core.model_settings import ModelSettings, ModelUse
from celestial_engine.core.owner import LOCAL_OWNER, Owner
from celestial_engine.errors import ConfigError

DATABASE = "CELESTIAL_DB"
USER = "CELESTIAL_USER"
AGENT = "CELESTIAL_AGENT"
DURABILITY = "CELESTIAL_DURABILITY"
LANGUAGE = "CELESTIAL_LANG"
EMBEDDER = "CELESTIAL_EMBEDDER"
EMBEDDER_KEY = "CELESTIAL_EMBEDDER_KEY"
WORDS = "CELESTIAL_WORDS"
LEDGER = "CELESTIAL_LEDGER"
RETENTION = "CELESTIAL_RETENTION"
ARCHIVE = "CELESTIAL_ARCHIVE"
BACKUP = "CELESTIAL_BACKUP"
BACKUP_PATH = "CELESTIAL_BACKUP_PATH"
MODEL = "CELESTIAL_MODEL"
MODEL_KEY = "CELESTIAL_MODEL_KEY"
MODEL_USE = "CELESTIAL_MODEL_USE"
MODEL_DAILY_CALLS = "CELESTIAL_MODEL_DAILY_CALLS"
MODEL_DAILY_TOKENS = "CELESTIAL_MODEL_DAILY_TOKENS"
SLEEP = "CELESTIAL_SLEEP"
LEARNING = "CELESTIAL_LEARNING"
SOUL = "CELESTIAL_SOUL"
IMAGINE = "CELESTIAL_IMAGINE"
QUIET = "CELESTIAL_QUIET"
TIME_ZONE = "CELESTIAL_TZ"


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


@dataclass(frozen=True)
class Environment:
    """What the environment says, with defaults for what it does not."""

    db_path: str
    owner: Owner = LOCAL_OWNER
    durability: str = "full"
    language: str = "en"
    embedder: str = "auto"
    embedder_key: str | None = field(default=None, repr=False)
    words: str = "auto"
    ledger: str | None = None
    retention: str | None = None  # the name of a preset
    archive: str | None = None
    backup_enabled: bool = False
    backup_path: str | None = None
    sleep_enabled: bool = True  # in processes that stay
    learning: str = "on"  # or "off", or "rich": the sentence too
    soul: str | None = None  # the file
    model: str = "none"
    model_key: str | None = field(default=None, repr=False)
    model_settings: ModelSettings = field(default_factory=ModelSettings)
    imagination: ImaginationSettings = field(default_factory=ImaginationSettings)

    @classmethod
    def read(cls, env: Mapping[str, str] | None = None) -> Environment:
        env = os.environ if env is None else env
        return cls(
            db_path=env.get(DATABASE) or default_path(env),
            owner=Owner(env.get(USER) or LOCAL_OWNER.user_id, env.get(AGENT) or LOCAL_OWNER.agent_id),
            durability=env.get(DURABILITY) or "full",
            language=_language(env),
            embedder=env.get(EMBEDDER) or "auto",
            embedder_key=env.get(EMBEDDER_KEY) or None,
            words=env.get(WORDS) or "auto",
            ledger=env.get(LEDGER) or None,
            retention=env.get(RETENTION) or None,
            archive=env.get(ARCHIVE) or None,
            backup_enabled=_daily(env.get(BACKUP), BACKUP),
            backup_path=env.get(BACKUP_PATH) or None,
            sleep_enabled=_daily(env.get(SLEEP) or "daily", SLEEP),
            learning=_learning(env.get(LEARNING) or "on"),
            soul=env.get(SOUL) or None,
            model=env.get(MODEL) or "none",
            model_key=env.get(MODEL_KEY) or None,
            model_settings=_model_settings(env),
            imagination=_imagination(env),
        )


def default_path(env: Mapping[str, str]) -> str:
    """The user's data folder: the same memory from every working folder."""
    home = Path(env.get("HOME") or env.get("USERPROFILE") or Path.home())
    if sys.platform == "win32":
        base = Path(env.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = home / "Library" / "Application Support"
    else:
        base = Path(env.get("XDG_DATA_HOME") or home / ".local" / "share")
    return str(base / "celestial" / "memory.db")


def _model_settings(env: Mapping[str, str]) -> ModelSettings:
    settings = ModelSettings()
    if env.get(MODEL_USE):
        words = [word.strip() for word in env[MODEL_USE].split(",")]
        uses = frozenset(ModelUse.named(word) for word in words if word not in ("", "none"))
        settings = replace(settings, uses=uses)
    if env.get(MODEL_DAILY_CALLS):
        settings = replace(settings, daily_calls=_limit(MODEL_DAILY_CALLS, env[MODEL_DAILY_CALLS]))
    if env.get(MODEL_DAILY_TOKENS):
        settings = replace(settings, daily_tokens=_limit(MODEL_DAILY_TOKENS, env[MODEL_DAILY_TOKENS]))
    return settings


def _imagination(env: Mapping[str, str]) -> ImaginationSettings:
    said, quiet = env.get(IMAGINE) or "off", env.get(QUIET)
    if said not in ("on", "off"):
        raise ConfigError(reason=f"{IMAGINE} must be on or off, not {said!r}")
    settings = ImaginationSettings(enabled=said == "on", time_zone=env.get(TIME_ZONE) or None)
    return replace(settings, quiet=QuietHours.read(quiet)) if quiet else settings


def _limit(name: str, said: str) -> int | None:
    if said == "none":
        return None
    if not said.isdecimal():
        raise ConfigError(reason=f"{name} must be a whole number from 0, or none, not {said!r}")
    return int(said)


def _daily(said: str | None, name: str) -> bool:
    if said in (None, "", "off"):
        return False
    if said == "daily":
        return True
    raise ConfigError(reason=f"{name} must be daily or off, not {said!r}")


def _learning(said: str) -> str:
    if said not in ("on", "off", "rich"):
        raise ConfigError(reason=f"{LEARNING} must be on, off or rich, not {said!r}")
    return said


def _language(env: Mapping[str, str]) -> str:
    said = env.get(LANGUAGE) or env.get("LC_ALL") or env.get("LC_MESSAGES") or env.get("LANG") or ""
    return "ko" if said.lower().startswith("ko") else "en"
