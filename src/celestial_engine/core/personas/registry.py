"""PersonaRegistry: the personas of a cycle, their backends and the validators of their answers."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from hashlib import sha256
from typing import Any, TypeVar
from urllib.parse import urlsplit

from celestial_engine.core.personas.persona import (
    MOST_ANSWER_TOKENS,
    MOST_NAME,
    MOST_SYSTEM_PROMPT,
    MOST_TIMEOUT_SECONDS,
    BackendSpec,
    BackendType,
    Persona,
    Stance,
    ValidatorSpec,
    ValidatorType,
    is_importable,
)
from celestial_engine.errors import Expected, PersonaRegistryError, Problem, Reason, problem

E = TypeVar("E", BackendType, Stance, ValidatorType)

MOST_PERSONAS = 20
MOST_VALIDATORS = 50
PROJECT, DOMAIN = "persona_orchestration", "AGI_prototype"
_MOST_CHARACTERS = 1_000_000
_DIGEST = 16  # hexadecimal digits
_REQUIRED = {
    BackendType.OPENAI: ("model",),
    BackendType.ANTHROPIC: ("model",),
    BackendType.HTTP: ("url", "model"),
    BackendType.SUBPROCESS: ("command",),
    BackendType.FUNCTION: ("function",),
}


@dataclass(frozen=True)
class PersonaRegistry:
    """Who answers, in which order, and through which backends.

    >>> registry = PersonaRegistry.read({
    ...     "cycle": ["thesis"],
    ...     "backends": {"main": {"type": "echo"}},
    ...     "personas": [{"id": "thesis", "name": "Proposer", "role": "Thesis", "backend": "main"}],
    ... })
    >>> [persona.name for persona in registry.personas_in_cycle()]
    ['Proposer']
    """

    personas: tuple[Persona, ...]
    cycle: tuple[str, ...]
    backends: Mapping[str, BackendSpec]
    validators: tuple[ValidatorSpec, ...] = ()
    name: str = "registry"
    description: str = ""
    project: str = PROJECT
    domain: str = DOMAIN
    path: str | None = field(default=None, compare=False)  # of its file

    @classmethod
    def read(
        cls, data: object, *, name: str = "registry", path: str | None = None, trusted: bool = False
    ) -> PersonaRegistry:
        """Parses a registry; PersonaRegistryError lists everything that is wrong with it.

        `trusted`: it may name commands and importable functions. Only the user's own files and code are.
        """
        parser = _Parser(trusted=trusted)
        parsed = parser.registry(data, name, path)
        if parsed is None or parser.problems:
            raise PersonaRegistryError(path or name, *parser.problems)
        return parsed

    @property
    def digest(self) -> str:
        """Identifies the content, wherever it was read from."""
        content = {one.name: getattr(self, one.name) for one in fields(self) if one.compare}
        return sha256(json.dumps(content, default=asdict, sort_keys=True).encode()).hexdigest()[:_DIGEST]

    def personas_in_cycle(self) -> list[Persona]:
        """Returns the personas in the order of the cycle."""
        return [self.persona(identifier) for identifier in self.cycle]

    def persona(self, identifier: str) -> Persona:
        """Returns the persona with this id; KeyError if there is none."""
        for persona in self.personas:
            if persona.identifier == identifier:
                return persona
        raise KeyError(identifier)

    def backend_of(self, persona: Persona) -> BackendSpec:
        return self.backends[persona.backend_id]

    def validators_of(self, persona: Persona) -> list[ValidatorSpec]:
        return [validator for validator in self.validators if validator.applies_to(persona)]


class _Parser:
    """Reads untyped JSON or TOML and collects every problem."""

    def __init__(self, *, trusted: bool) -> None:
        self.problems: list[Problem] = []
        self._trusted = trusted

    def registry(self, data: object, name: str, path: str | None) -> PersonaRegistry | None:
        known = ("name", "description", "project", "domain", "cycle", "backends", "personas", "validators")
        tree = self._object(data, "registry", known)
        if tree is None:
            return None
        backends = {one.identifier: one for one in self._backends(tree.get("backends"))}
        personas = self._personas(tree.get("personas"), backends)
        ids = [persona.identifier for persona in personas]
        for repeated in sorted({identifier for identifier in ids if ids.count(identifier) > 1}):
            self._add("personas", Reason.REPEATED, got=repeated)
        cycle = self._texts(tree.get("cycle", ids), "cycle")
        self._check_cycle(cycle, ids)
        return PersonaRegistry(
            personas=tuple(personas),
            cycle=cycle,
            backends=backends,
            validators=tuple(self._validators(tree.get("validators", []), ids)),
            name=self._text(tree, "name", "", default=name) or name,
            description=self._text(tree, "description", "", default="") or "",
            project=self._text(tree, "project", "", default=PROJECT) or PROJECT,
            domain=self._text(tree, "domain", "", default=DOMAIN) or DOMAIN,
            path=path,
        )

    def _check_cycle(self, cycle: tuple[str, ...], ids: list[str]) -> None:
        if not cycle:
            self._add("cycle", Reason.EMPTY)
        if len(cycle) > MOST_PERSONAS:
            self._add("cycle", Reason.TOO_MANY, most=MOST_PERSONAS, got=len(cycle))
        for identifier in dict.fromkeys(cycle):
            self._check_known("cycle", identifier, ids)
            if cycle.count(identifier) > 1:
                self._add("cycle", Reason.REPEATED, got=identifier)

    def _backends(self, data: object) -> Iterable[BackendSpec]:
        tree = self._object(data, "backends", None)
        if tree is not None and not tree:
            self._add("backends", Reason.EMPTY)
        for identifier, value in (tree or {}).items():
            where = f"backends.{identifier}"
            backend = self._object(
                value, where, ("type", "model", "url", "command", "args", "function", "key_variable", "timeout")
            )
            kind = None if backend is None else self._choice(BackendType, backend.get("type"), f"{where}.type")
            if backend is None or kind is None:
                continue
            missing = tuple(name for name in _REQUIRED.get(kind, ()) if not backend.get(name))
            if missing:
                self._add(where, Reason.MISSING, names=missing)
            spec = BackendSpec(
                identifier,
                kind,
                model=self._text(backend, "model", where),
                url=self._text(backend, "url", where),
                command=self._text(backend, "command", where),
                args=self._texts(backend.get("args", []), f"{where}.args", empty=True),
                function=self._text(backend, "function", where),
                key_variable=self._text(backend, "key_variable", where),
                timeout=self._number(backend, "timeout", where, 60.0, MOST_TIMEOUT_SECONDS),
            )
            if spec.url is not None and not _is_web_address(spec.url):
                self._add(f"{where}.url", Reason.BAD_ADDRESS)
            for name, texts in (("command", (spec.command or "",)), ("args", spec.args)):
                if any("\0" in text for text in texts):
                    self._add(f"{where}.{name}", Reason.ZERO_BYTES)
            if spec.runs_code and not self._trusted:
                self._add(where, Reason.COMMAND_NOT_TRUSTED)
            yield spec

    def _personas(self, data: object, backends: Mapping[str, BackendSpec]) -> list[Persona]:
        if isinstance(data, Mapping):  # by id
            data = [
                {"id": identifier, **value} if isinstance(value, Mapping) else value
                for identifier, value in data.items()
            ]
        if not isinstance(data, list):
            self._add("personas", Reason.WRONG_TYPE, expected=Expected.LIST_OF_OBJECTS, got=type(data).__name__)
            return []
        if not data:
            self._add("personas", Reason.EMPTY)
        if len(data) > MOST_PERSONAS:
            self._add("personas", Reason.TOO_MANY, most=MOST_PERSONAS, got=len(data))
        personas = (self._persona(value, f"personas[{number}]", backends) for number, value in enumerate(data))
        return [persona for persona in personas if persona is not None]

    def _persona(self, data: object, where: str, backends: Mapping[str, BackendSpec]) -> Persona | None:
        known = ("id", "name", "role", "backend", "system_prompt", "max_tokens", "stance")
        tree = self._object(data, where, known)
        if tree is None:
            return None
        identifier = self._text(tree, "id", where, needed=True)
        backend = self._text(tree, "backend", where, needed=True)
        if backend is not None:
            self._check_known(f"{where}.backend", backend, backends)
        stance = None
        if tree.get("stance") is not None:
            stance = self._choice(Stance, tree["stance"], f"{where}.stance")
        return Persona(
            identifier or "",
            self._text(tree, "name", where, default=identifier) or "",
            self._text(tree, "role", where, default=identifier) or "",
            backend or "",
            self._text(tree, "system_prompt", where, default="", most=MOST_SYSTEM_PROMPT) or "",
            self._whole(tree, "max_tokens", where, 512, MOST_ANSWER_TOKENS),
            stance,
        )

    def _validators(self, data: object, ids: list[str]) -> Iterable[ValidatorSpec]:
        if not isinstance(data, list):
            self._add("validators", Reason.WRONG_TYPE, expected=Expected.LIST_OF_OBJECTS, got=type(data).__name__)
            return
        if len(data) > MOST_VALIDATORS:
            self._add("validators", Reason.TOO_MANY, most=MOST_VALIDATORS, got=len(data))
        for number, value in enumerate(data):
            where = f"validators[{number}]"
            tree = self._object(value, where, ("type", "min", "max", "language", "words", "function", "personas"))
            kind = None if tree is None else self._choice(ValidatorType, tree.get("type"), f"{where}.type")
            if tree is None or kind is None:
                continue
            needed = {ValidatorType.LANGUAGE: "language", ValidatorType.FORBIDDEN: "words",
                      ValidatorType.FUNCTION: "function"}.get(kind)  # fmt: skip
            if needed is not None and not tree.get(needed):
                self._add(where, Reason.MISSING, names=(needed,))
            personas = self._texts(tree.get("personas", []), f"{where}.personas", empty=True)
            for identifier in personas:
                self._check_known(f"{where}.personas", identifier, ids)
            language = self._text(tree, "language", where)
            if language is not None and language not in ("en", "ko"):
                self._add(f"{where}.language", Reason.UNKNOWN_CHOICE, got=language, choices=("en", "ko"))
            function = self._text(tree, "function", where)
            if is_importable(function) and not self._trusted:
                self._add(where, Reason.COMMAND_NOT_TRUSTED)
            most = self._whole(tree, "max", where, 100_000, _MOST_CHARACTERS)
            yield ValidatorSpec(
                kind,
                self._whole(tree, "min", where, 1, most),
                most,
                language,
                self._texts(tree.get("words", []), f"{where}.words"),
                function,
                personas,
            )

    def _check_known(self, where: str, identifier: str, known: Collection[str]) -> None:
        """If nothing is known, that is the mistake, and was noted before."""
        if known and identifier not in known:
            self._add(where, Reason.UNKNOWN_CHOICE, got=identifier, choices=tuple(known))

    # -- values -------------------------------------------------------------------------------------

    def _add(self, where: str, reason: Reason, **fields: object) -> None:
        self.problems.append(problem(where, reason, **fields))

    def _object(self, data: object, where: str, known: tuple[str, ...] | None) -> Mapping[str, Any] | None:
        if not isinstance(data, Mapping) or not all(isinstance(key, str) for key in data):
            self._add(where, Reason.WRONG_TYPE, expected=Expected.OBJECT, got=type(data).__name__)
            return None
        unknown = () if known is None else tuple(sorted(key for key in data if key not in known))
        if unknown:
            self._add(where, Reason.UNKNOWN_FIELDS, names=unknown)
        return data

    def _text(
        self,
        tree: Mapping[str, Any],
        name: str,
        where: str,
        *,
        default: str | None = None,
        needed: bool = False,
        most: int = MOST_NAME,
    ) -> str | None:
        value, path = tree.get(name), f"{where}.{name}" if where else name
        if value is None:
            if needed:
                self._add(path, Reason.REQUIRED)
            return default
        if not isinstance(value, str):
            self._add(path, Reason.WRONG_TYPE, expected=Expected.TEXT, got=type(value).__name__)
            return default
        if name == "description":
            most = MOST_SYSTEM_PROMPT
        elif name in ("url", "command"):
            most = 4_096
        if len(value) > most or (not value.strip() and name not in ("system_prompt", "description")):
            self._add(path, Reason.WRONG_LENGTH, least=1, most=most, got=len(value.strip()))
            return default
        try:
            value.encode()
        except UnicodeEncodeError as error:
            self._add(path, Reason.LONE_SURROGATE, position=error.start)
            return default
        return value

    def _texts(self, value: object, where: str, *, empty: bool = False) -> tuple[str, ...]:
        if not isinstance(value, (list, tuple)) or not all(isinstance(part, str) for part in value):
            self._add(where, Reason.WRONG_TYPE, expected=Expected.LIST_OF_TEXTS, got=type(value).__name__)
            return ()
        if not empty and any(not part.strip() for part in value):
            self._add(where, Reason.EMPTY)
        return tuple(value)

    def _whole(self, tree: Mapping[str, Any], name: str, where: str, default: int, most: int) -> int:
        value = tree.get(name, default)
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
            self._add(f"{where}.{name}", Reason.WHOLE_OUT_OF_RANGE, low=1, high=most, got=value)
            return default
        return value

    def _number(self, tree: Mapping[str, Any], name: str, where: str, default: float, most: float) -> float:
        value = tree.get(name, default)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= most:
            self._add(f"{where}.{name}", Reason.NOT_ABOVE_UP_TO, low=0, high=most, got=value)
            return default
        return float(value)

    def _choice(self, kind: type[E], value: object, where: str) -> E | None:
        try:
            return kind(value)
        except ValueError:
            choices = tuple(member.value for member in kind)
            self._add(where, Reason.UNKNOWN_CHOICE, got=value, choices=choices)
            return None


def _is_web_address(url: str) -> bool:
    """The rule that providers apply when they open the address, so that `validate` refuses what a run would."""
    try:
        parts = urlsplit(url)
        fine = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0 and "@" not in parts.netloc
    except ValueError:
        return False
    return bool(fine) and url.isprintable() and " " not in url
