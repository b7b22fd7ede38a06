"""All settings, each with its key in celestial.toml, its variable and its default."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

FILE_VARIABLE = "CELESTIAL_CONFIG"


class SettingKind(str, Enum):
    """How a setting is written in the file; in the environment everything is text."""

    TEXT = "text"
    PATH = "path"
    CHOICE = "choice"
    WHOLE = "whole"
    NUMBER = "number"
    LIMIT = "limit"
    LIST = "list"


class Setting(NamedTuple):
    """`default` applies if nothing sets it; None: it depends, or there is none."""

    key: str
    default: str | None
    variable: str | None = None  # None: only the file can set it
    kind: SettingKind = SettingKind.TEXT
    choices: tuple[str, ...] = ()
    secret: bool = False

    @property
    def section(self) -> str:
        return self.key.partition(".")[0]

    @property
    def name(self) -> str:
        return self.key.partition(".")[2]


def _tuned(section: str, kind: SettingKind, **defaults: str) -> tuple[Setting, ...]:
    """Returns tuning settings: they have no variable, and the engine's own class checks them."""
    return tuple(Setting(f"{section}.{name}", default, kind=kind) for name, default in defaults.items())


SETTINGS: tuple[Setting, ...] = (
    Setting("storage.path", None, "CELESTIAL_DB", SettingKind.PATH),
    Setting("storage.durability", "full", "CELESTIAL_DURABILITY"),
    Setting("storage.words", "auto", "CELESTIAL_WORDS"),
    Setting("storage.key", None, "CELESTIAL_KEY", secret=True),
    Setting("storage.key_from", None, "CELESTIAL_KEY_FROM"),
    Setting("storage.files", None, "CELESTIAL_FILES", SettingKind.PATH),
    Setting("storage.ledger", None, "CELESTIAL_LEDGER", SettingKind.PATH),
    Setting("storage.archive", None, "CELESTIAL_ARCHIVE", SettingKind.PATH),
    Setting("storage.pool_size", "10", "CELESTIAL_POOL_SIZE", SettingKind.WHOLE),
    Setting("storage.statement_timeout", "60", "CELESTIAL_STATEMENT_TIMEOUT", SettingKind.WHOLE),
    Setting("owner.user", "local", "CELESTIAL_USER"),
    Setting("owner.agent", "default", "CELESTIAL_AGENT"),
    Setting("interface.language", "en", "CELESTIAL_LANG"),
    Setting("mcp.tools", "essential", "CELESTIAL_MCP_TOOLS", SettingKind.CHOICE, ("essential", "full")),
    Setting("embedding.model", "auto", "CELESTIAL_EMBEDDER"),
    Setting("embedding.key", None, "CELESTIAL_EMBEDDER_KEY", secret=True),
    Setting("embedding.cross_encoder", "none", "CELESTIAL_CROSS_ENCODER"),
    *_tuned("recall", SettingKind.NUMBER, words="0.45", vectors="0.55", graph="0.03", orbit="0.1", topics="0.4"),
    *_tuned("recall", SettingKind.WHOLE, pool="40", reranked="20"),
    Setting("learning.mode", "on", "CELESTIAL_LEARNING", SettingKind.CHOICE, ("on", "off", "rich")),
    *_tuned("learning", SettingKind.NUMBER, epsilon="0.1", rate="0.02", dropout="0.1"),
    *_tuned(
        "learning", SettingKind.WHOLE, seed="7", checkpoints_kept="10", updates_a_checkpoint="20", turns_kept="500",
        rich_turns_kept="5000",
    ),
    Setting("gossip.noise", "off", "CELESTIAL_GOSSIP_NOISE", SettingKind.CHOICE, ("on", "off")),
    *_tuned(
        "gossip", SettingKind.NUMBER, max_norm="0.5", gossip_interval="60.0", dp_noise="5.0", dp_epsilon="4.0",
        dp_delta="0.00001",
    ),
    *_tuned("gossip", SettingKind.WHOLE, tolerated_attackers="1", transport_port="9400"),
    Setting("sleep.nightly", "daily", "CELESTIAL_SLEEP", SettingKind.CHOICE, ("daily", "off")),
    *_tuned("sleep", SettingKind.NUMBER, max_leaving_share="0.2"),
    *_tuned("sleep", SettingKind.WHOLE, always_allowed="5"),
    Setting("backup.schedule", "off", "CELESTIAL_BACKUP", SettingKind.CHOICE, ("daily", "off")),
    Setting("backup.path", None, "CELESTIAL_BACKUP_PATH", SettingKind.PATH),
    Setting("lifetimes.time", None, "CELESTIAL_TIME", SettingKind.CHOICE, ("owner", "calendar")),
    Setting("retention.preset", None, "CELESTIAL_RETENTION"),
    Setting("self.soul", None, "CELESTIAL_SOUL", SettingKind.PATH),
    Setting("model.name", "none", "CELESTIAL_MODEL"),
    Setting("model.key", None, "CELESTIAL_MODEL_KEY", secret=True),
    Setting("model.use", "distillation,imagination", "CELESTIAL_MODEL_USE", SettingKind.LIST),
    Setting("model.daily_calls", "1000", "CELESTIAL_MODEL_DAILY_CALLS", SettingKind.LIMIT),
    Setting("model.daily_tokens", "1000000", "CELESTIAL_MODEL_DAILY_TOKENS", SettingKind.LIMIT),
    Setting("imagination.enabled", "off", "CELESTIAL_IMAGINE", SettingKind.CHOICE, ("on", "off")),
    Setting("imagination.quiet", "22-8", "CELESTIAL_QUIET"),
    Setting("imagination.time_zone", None, "CELESTIAL_TZ"),
    *_tuned("imagination", SettingKind.WHOLE, most_a_day="3"),
    *_tuned("imagination", SettingKind.NUMBER, idle_minutes="60.0"),
    Setting("sync.passphrase", None, "CELESTIAL_SYNC_PASSPHRASE", secret=True),
    Setting("sync.token", None, "CELESTIAL_SYNC_TOKEN", secret=True),
    Setting("personas.registry", None, "CELESTIAL_PERSONAS", SettingKind.PATH),
)  # fmt: skip
BY_KEY = {setting.key: setting for setting in SETTINGS}
VARIABLES = (FILE_VARIABLE, *(setting.variable for setting in SETTINGS if setting.variable))
