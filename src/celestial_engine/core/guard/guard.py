"""The guard at the door: every text that goes into one memory, without its secrets, and a note of what was taken."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from celestial_engine.core.guard.secrets import (
    GuardAction,
    GuardPolicy,
    SecretKind,
    guarded,
    instructs,
    marker,
    names_a_password,
)
from celestial_engine.core.record.coordinate import Resolution
from celestial_engine.core.record.item import CelestialItem, Trust
from celestial_engine.errors import Reason, SecretError

F = TypeVar("F")
Note = list[str | int]  # kind, start, end; and the field, if it was not the text of the memory itself


class Guard:
    """Reads what goes into one memory. `notes` tell what was taken, never what it was."""

    def __init__(self, policy: GuardPolicy) -> None:
        self._policy = policy
        self.notes: list[Note] = []

    @property
    def kinds(self) -> str:
        return ", ".join(dict.fromkeys(str(note[0]) for note in self.notes))

    def text(self, text: str, field: str | None = None) -> str:
        found = guarded(text, self._policy)
        where = [] if field is None else [field]
        self.notes += [[finding.kind.value, finding.start, finding.end, *where] for finding in found.redacted]
        return found.text

    def tags(self, tags: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(self.text(tag, "tags") for tag in tags)

    def facet(self, facet: F, name: str) -> F:
        """A coordinate with all its texts read; what is no coordinate is somebody else's question."""
        if not is_dataclass(facet) or isinstance(facet, type):
            return facet
        values = {field.name: getattr(facet, field.name) for field in fields(facet)}
        clean = {key: self.text(value, name) for key, value in values.items() if type(value) is str}
        changed = {key: value for key, value in clean.items() if value != values[key]}
        return replace(facet, **changed) if changed else facet

    def item(self, item: CelestialItem) -> CelestialItem:
        """A record that comes from elsewhere."""
        return replace(
            item,
            content=self.text(item.content),
            metadata=self.metadata(item.metadata),
            tags=self.tags(item.tags),
            keywords=tuple(self.text(word, "keywords") for word in item.keywords),
            document=self.facet(item.document, "document"),
            resolution=self.resolution(item.resolution),
            time=self.facet(item.time, "time"),
            space=self.facet(item.space, "space"),
            agent=self.facet(item.agent, "agent"),
        )

    def resolution(self, told: Resolution) -> Resolution:
        """Gist and triples that came along, and were not made here from a text that was read already."""
        gist = None if told.gist is None else self.text(told.gist, "gist")
        triples = (tuple(self.text(part, "triples") for part in triple) for triple in told.triples)
        return Resolution(gist, tuple((subject, verb, other) for subject, verb, other in triples))

    def metadata(self, value: Any, key: str = "") -> Any:
        """JSON with its texts, numbers and names read; what is kept under the name of a password goes whole."""
        if isinstance(value, dict):
            return {self.text(name, "metadata"): self.metadata(inner, name) for name, inner in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.metadata(inner, key) for inner in value]
        if isinstance(value, bool) or not isinstance(value, (str, int)) or value == "":
            return value
        text = str(value)
        if key and names_a_password(key):
            return self._hidden(value, text)
        clean = self.text(text, "metadata")
        if clean == text and key:  # the name may tell what the value does not
            named = f"{key}: {text}"
            if any(finding.start >= len(named) - len(text) for finding in guarded(named, self._policy).redacted):
                return self._hidden(value, text, SecretKind.API_KEY)
        return value if clean == text else clean

    def _hidden(self, value: str | int, text: str, kind: SecretKind = SecretKind.PASSWORD) -> str | int:
        match self._policy.action(kind):
            case GuardAction.ALLOW:
                return value
            case GuardAction.BLOCK:
                raise SecretError(Reason.SECRET_FOUND, kinds=(kind.value,))
            case GuardAction.REDACT:
                hidden = marker(kind)
                if text.startswith(("[redacted: ", "[가림: ")):
                    return value
                self.notes.append([kind.value, 0, len(text), "metadata"])
                return hidden


def trust_in(text: str) -> Trust:
    """Low for what reads like an instruction: it is quoted as data, and never becomes Core."""
    return Trust.LOW if instructs(text) else Trust.NORMAL


def asked_safely(question: str, policy: GuardPolicy) -> str:
    """A question without its secrets, before an embedder elsewhere reads it. Asking is never blocked."""
    hiding = {kind.value: GuardAction.REDACT for kind in SecretKind if policy.action(kind) is not GuardAction.ALLOW}
    allowed = {kind.value: GuardAction.ALLOW for kind in SecretKind if kind.value not in hiding}
    return guarded(question, GuardPolicy(**hiding, **allowed)).text
