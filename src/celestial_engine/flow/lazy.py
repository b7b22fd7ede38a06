"""Stages that are imported when something of them is first used.

`from celestial_engine.flow.night import promote` returns a stand-in for the module: a command that only recalls
does not wait for the stages of the night.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any


class _Stage(ModuleType):
    """A stage that may not be loaded yet."""

    def __getattr__(self, name: str) -> Any:
        return getattr(_loaded(self.__name__), name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(_loaded(self.__name__), name, value)

    def __delattr__(self, name: str) -> None:
        delattr(_loaded(self.__name__), name)


_LOADED: dict[str, ModuleType] = {}


def _loaded(name: str) -> ModuleType:
    """The whole module: `sys.modules` may hold one that another thread is still importing, `import_module` waits."""
    found = _LOADED.get(name)
    if found is None:
        found = _LOADED[name] = import_module(name)
    return found


def stages_of(room: str) -> Callable[[str], ModuleType]:
    """The module `__getattr__` of a room whose files are stages."""

    def stage(name: str) -> ModuleType:
        if name.startswith("_"):
            raise AttributeError(name)
        return _Stage(f"{room}.{name}")

    return stage
