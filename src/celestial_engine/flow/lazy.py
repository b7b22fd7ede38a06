"""Import stages on first use.

`from celestial_engine.flow.night import promote` returns a proxy for the module, so that a command that only recalls
does not import the night stages.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any


class _Stage(ModuleType):
    """A stage that may not be imported yet."""

    def __getattr__(self, name: str) -> Any:
        return getattr(_loaded(self.__name__), name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(_loaded(self.__name__), name, value)

    def __delattr__(self, name: str) -> None:
        delattr(_loaded(self.__name__), name)


_LOADED: dict[str, ModuleType] = {}


def _loaded(name: str) -> ModuleType:
    """Import the module completely: `sys.modules` may hold one that another thread is still importing."""
    module = _LOADED.get(name)
    if module is None:
        module = _LOADED[name] = import_module(name)
    return module


def stages_of(room: str) -> Callable[[str], ModuleType]:
    """Return a module `__getattr__` for a package whose files are stages."""

    def stage(name: str) -> ModuleType:
        if name.startswith("_"):
            raise AttributeError(name)
        return _Stage(f"{room}.{name}")

    return stage
