"""The settings as checked values, which the engine opens a memory with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from celestial_engine.config.foreign import Notice
from celestial_engine.config.places import is_server
from celestial_engine.config.settings import BY_KEY
from celestial_engine.config.sources import EffectiveSettings, choose, language_code, process_environment
from celestial_engine.core.imagination.settings import ImaginationSettings, QuietHours
from celestial_engine.core.model.settings import ModelSettings, ModelUse
from celestial_engine.core.record.owner import LOCAL_OWNER, Owner
from celestial_engine.errors import ConfigError, Reason


@dataclass(frozen=True)
class Environment:
    """The settings of the environment and celestial.toml, with defaults for the rest."""

    db_path: str
    owner: Owner = LOCAL_OWNER
    durability: str = "full"
    language: str = "en"
    mcp_tools: str = "essential"  # or "full": which tools MCP clients list
    embedder: str = "auto"
    embedder_key: str | None = field(default=None, repr=False)
    cross_encoder: str = "none"
    words: str = "auto"
    key: str | None = field(default=None, repr=False)
    key_from: str | None = None  # file:PATH, keyring or prompt
    files: str | None = None
    ledger: str | None = None
    pool_size: int = 10
    statement_timeout: int = 60
    time: str | None = None  # which days count for lifetimes; None: as stored in the database
    retention: str | None = None  # the name of a preset
    archive: str | None = None
    backup_enabled: bool = False
    backup_path: str | None = None
    sleep_enabled: bool = True  # in long-running processes
    learning: str = "on"  # or "off", or "rich": with the sentence vector
    soul: str | None = None  # path of the file
    model: str = "none"
    model_key: str | None = field(default=None, repr=False)
    model_settings: ModelSettings = field(default_factory=ModelSettings)
    imagination: ImaginationSettings = field(default_factory=ImaginationSettings)
    sync_passphrase: str | None = field(default=None, repr=False)
    sync_token: str | None = field(default=None, repr=False)
    personas: str | None = None  # path of the registry that runs use
    # Numbers from the file for classes that are imported later, to keep startup fast.
    recall_tuning: Mapping[str, Any] = field(default_factory=dict)
    learning_tuning: Mapping[str, Any] = field(default_factory=dict)
    sleep_tuning: Mapping[str, Any] = field(default_factory=dict)
    gossip_tuning: Mapping[str, Any] = field(default_factory=dict)
    gossip_noise: bool = False
    notices: tuple[Notice, ...] = ()
    # Every setting by key, as it was read.
    texts: Mapping[str, str | None] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def read(cls, env: Mapping[str, str] | None = None) -> Environment:
        chosen = choose(process_environment() if env is None else env)
        text_of = chosen.said
        return cls(
            db_path=text_of("storage.path") or "",
            owner=Owner(text_of("owner.user") or "", text_of("owner.agent") or ""),
            durability=text_of("storage.durability") or "",
            language=language_code(text_of("interface.language")),
            mcp_tools=text_of("mcp.tools") or "",
            embedder=text_of("embedding.model") or "",
            embedder_key=text_of("embedding.key"),
            cross_encoder=text_of("embedding.cross_encoder") or "",
            words=text_of("storage.words") or "",
            key=text_of("storage.key"),
            key_from=text_of("storage.key_from"),
            files=text_of("storage.files"),
            ledger=text_of("storage.ledger"),
            pool_size=_count(chosen, "storage.pool_size"),
            statement_timeout=_count(chosen, "storage.statement_timeout"),
            time=text_of("lifetimes.time"),
            retention=text_of("retention.preset"),
            archive=text_of("storage.archive"),
            backup_enabled=text_of("backup.schedule") == "daily",
            backup_path=text_of("backup.path"),
            sleep_enabled=text_of("sleep.nightly") == "daily",
            learning=text_of("learning.mode") or "",
            soul=text_of("self.soul"),
            model=text_of("model.name") or "",
            model_key=text_of("model.key"),
            model_settings=_model_settings(chosen),
            imagination=_imagination(chosen),
            sync_passphrase=text_of("sync.passphrase"),
            sync_token=text_of("sync.token"),
            personas=text_of("personas.registry"),
            recall_tuning=chosen.tuned("recall"),
            learning_tuning=chosen.tuned("learning"),
            sleep_tuning=chosen.tuned("sleep"),
            gossip_tuning=chosen.tuned("gossip"),
            gossip_noise=text_of("gossip.noise") == "on",
            notices=chosen.notices,
            texts={key: value.text for key, value in chosen.values.items()},
        )


def database_key(path: str, env: Environment | None = None) -> str | None:
    """Returns the passphrase of an encrypted database, from wherever the settings say; None without encryption."""
    env = env or Environment.read()
    if path.startswith(":") or is_server(path) or (env.key is None and env.key_from is None):
        return None
    from celestial_engine.config.keys import resolve_key  # rarely needed

    return resolve_key(path, env.key, env.key_from)


def model_key_in(variable: str | None, *, own: bool) -> str | None:
    """Returns the API key in a variable; without one the engine's own, if `own` is set."""
    if variable is not None:
        return process_environment().get(variable)
    return Environment.read().model_key if own else None


def _model_settings(chosen: EffectiveSettings) -> ModelSettings:
    words = [word.strip() for word in (chosen.said("model.use") or "").split(",")]
    return ModelSettings(
        frozenset(ModelUse.named(word) for word in words if word not in ("", "none")),
        _limit(chosen, "model.daily_calls"),
        _limit(chosen, "model.daily_tokens"),
    )


def _imagination(chosen: EffectiveSettings) -> ImaginationSettings:
    settings = ImaginationSettings(
        enabled=chosen.said("imagination.enabled") == "on",
        time_zone=chosen.said("imagination.time_zone"),
        **chosen.tuned("imagination"),
    )
    quiet = chosen.said("imagination.quiet")
    return replace(settings, quiet=QuietHours.read(quiet)) if quiet else settings


def _count(chosen: EffectiveSettings, key: str) -> int:
    text = chosen.said(key) or ""
    if not text.isdecimal() or not int(text):
        raise ConfigError(str(BY_KEY[key].variable), Reason.NOT_A_COUNT, least=1, got=text)
    return int(text)


def _limit(chosen: EffectiveSettings, key: str) -> int | None:
    text = chosen.said(key) or "none"
    if text == "none":
        return None
    if not text.isdecimal():
        raise ConfigError(str(BY_KEY[key].variable), Reason.NOT_A_COUNT, least=0, got=text)
    return int(text)
