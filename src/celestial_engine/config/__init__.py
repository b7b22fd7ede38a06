"""Settings: frozen, checked on creation, and the only place that reads the environment."""

from __future__ import annotations

from celestial_engine.config.environment import Environment, database_key, model_key_in
from celestial_engine.config.places import default_path, is_server, without_password
from celestial_engine.config.settings import SETTINGS, VARIABLES
from celestial_engine.config.sources import spoken_language
from celestial_engine.config.storage import StorageConfig

__all__ = [
    "SETTINGS",
    "VARIABLES",
    "Environment",
    "StorageConfig",
    "database_key",
    "default_path",
    "is_server",
    "model_key_in",
    "spoken_language",
    "without_password",
]
