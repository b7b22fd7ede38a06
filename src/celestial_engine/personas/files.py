"""Registries as files: the user's own, in JSON or TOML, and the ready-made ones of the package."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Sequence
from importlib import import_module, resources
from typing import TYPE_CHECKING, Any

from celestial_engine.core.personas.persona import is_importable
from celestial_engine.core.personas.registry import PersonaRegistry
from celestial_engine.errors import Expected, PersonaRegistryError, Problem, Reason, os_problem, problem

if TYPE_CHECKING:
    from celestial_engine.personas.backends import BackendFactory

DEFAULT = "dialectic"
_MOST_BYTES = 1 << 20
_FOLDER = "registries"
_ENDINGS = (".json", ".toml")


def is_file(name: str) -> bool:
    """Whether a registry is named by its path."""
    return os.sep in name or name.lower().endswith(_ENDINGS)


def ready_names() -> Sequence[str]:
    """Returns the names of the ready-made registries, the default one first."""
    files = resources.files("celestial_engine.personas").joinpath(_FOLDER).iterdir()
    names = sorted(file.name.removesuffix(".json") for file in files if file.name.endswith(".json"))
    return sorted(names, key=lambda name: name != DEFAULT)


def ready_registry(name: str = DEFAULT) -> PersonaRegistry:
    """Returns a ready-made registry."""
    names = ready_names()
    if name not in names:
        raise PersonaRegistryError(name, problem("registry", Reason.UNKNOWN_CHOICE, got=name, choices=tuple(names)))
    file = resources.files("celestial_engine.personas").joinpath(_FOLDER).joinpath(f"{name}.json")
    return PersonaRegistry.read(json.loads(file.read_text(encoding="utf-8")), name=name)


def load_registry(path: str | os.PathLike[str]) -> PersonaRegistry:
    """Reads a registry file, JSON or TOML by its ending.

    It may name commands and functions to import, unless another user of the machine can write to it.
    """
    file = os.path.expanduser(os.fspath(path))
    try:
        with open(file, "rb") as opened:
            own = _is_own(os.fstat(opened.fileno()))
            raw = opened.read(_MOST_BYTES + 1)
    except OSError as error:
        raise PersonaRegistryError(file, os_problem(error)) from None
    if len(raw) > _MOST_BYTES:
        raise PersonaRegistryError(file, problem("file", Reason.TOO_LARGE, most=_MOST_BYTES, got=len(raw)))
    name = os.path.splitext(os.path.basename(file))[0]
    try:
        return PersonaRegistry.read(_parsed(file, raw), name=name, path=file, trusted=own)
    except PersonaRegistryError as error:
        raise PersonaRegistryError(file, *map(_of_file, error.problems)) from None


def check_functions(registry: PersonaRegistry) -> None:
    """Imports every module:name of a registry; PersonaRegistryError lists those that cannot be."""
    from celestial_engine.personas.backends import BackendFactory

    names = {f"backends.{one.identifier}.function": one.function for one in registry.backends.values()}
    names |= {f"validators[{number}].function": one.function for number, one in enumerate(registry.validators)}
    factory = BackendFactory()
    problems = [one for field, name in names.items() if is_importable(name) for one in _missing(factory, field, name)]
    if problems:
        raise PersonaRegistryError(registry.path or registry.name, *problems)


def _missing(factory: BackendFactory, field: str, name: str | None) -> Sequence[Problem]:
    try:
        factory.function(name or "")
    except PersonaRegistryError as error:
        return [one.at(field) for one in error.problems]
    return []


def _of_file(one: Problem) -> Problem:
    """A file is not trusted because others can write to it: say that."""
    return problem(one.field, Reason.FILE_OF_OTHERS) if one.reason is Reason.COMMAND_NOT_TRUSTED else one


def _is_own(status: os.stat_result) -> bool:
    if not hasattr(os, "getuid"):
        return True
    return status.st_uid in (os.getuid(), 0) and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _parsed(path: str, raw: bytes) -> Any:
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise PersonaRegistryError(path, problem("file", Reason.NOT_UTF8, position=error.start)) from None
    if not path.lower().endswith(".toml"):
        try:
            return json.loads(text)
        except json.JSONDecodeError as error:
            at = problem("file", Reason.NOT_JSON_AT, line=error.lineno, column=error.colno)
            raise PersonaRegistryError(path, at) from None
        except RecursionError:
            wrong = problem("file", Reason.WRONG_TYPE, expected=Expected.OBJECT, got="list")
            raise PersonaRegistryError(path, wrong) from None
    try:
        reader = import_module("tomllib")
    except ModuleNotFoundError:  # Python 3.10
        raise PersonaRegistryError(path, Reason.TOML_UNREADABLE) from None
    try:
        return reader.loads(text)
    except (ValueError, RecursionError) as error:
        raise PersonaRegistryError(path, Reason.NOT_TOML, cause=str(error)) from None
