"""Redacts secrets from every text of a memory before it is stored, and notes what was redacted."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from celestial_engine.core.guard.secrets import (
    GuardAction,
    GuardPolicy,
    SecretKind,
    marker,
    names_a_password,
    redact_secrets,
)
from celestial_engine.core.patterns import compiled
from celestial_engine.core.record.coordinate import Document, Resolution
from celestial_engine.core.record.item import CelestialItem, Trust
from celestial_engine.core.record.labels import Attribute
from celestial_engine.core.record.lifetimes import Source
from celestial_engine.errors import Reason, SecretError

F = TypeVar("F")
# What a wrong claim about does the most harm.
_DELICATE = frozenset({Attribute.HEALTH, Attribute.MEDICINE, Attribute.ALLERGY, Attribute.MONEY})
_AN_ORDER = 0.6  # what takes rights away must be rare: 1 % of what the development people tell reach .5
_MAYBE_AN_ORDER = 0.1  # 5 % of what the development people tell
_ASSISTANTS = r"(?i:\b(?:ai|assistants?|chatbots?|agents?|llms?)\b)|비서|챗봇|에이전트|어시스턴트|인공지능"
_PRETENDING = (
    r"(?i:\b(?:we|you|let's|everybody|everyone)\s(?:(?:all|just|can|could|should|will)\s)?pretend\b)"
    r"|(?<!속는 )(?<!속는)셈\s?(?:치|쳐|친)"
)
_MOST_READ = 20_000  # characters
_SHORTEST_PASTED = 20  # characters: "[sigh]" is no data
Note = list[str | int]  # kind, start, end; and the field, if it was not the text of the memory itself


class Guard:
    """Redacts the texts of one memory. `notes` record kind and position of secrets, never the secret."""

    def __init__(self, policy: GuardPolicy) -> None:
        self._policy = policy
        self.notes: list[Note] = []

    @property
    def kinds(self) -> str:
        return ", ".join(dict.fromkeys(str(note[0]) for note in self.notes))

    def text(self, text: str, field: str | None = None) -> str:
        result = redact_secrets(text, self._policy)
        where = [] if field is None else [field]
        self.notes += [[finding.kind.value, finding.start, finding.end, *where] for finding in result.redacted]
        return result.text

    def tags(self, tags: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(self.text(tag, "tags") for tag in tags)

    def keywords(self, keywords: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.text(word, "keywords") for word in keywords))

    def facet(self, facet: F, name: str) -> F:
        """Redacts the texts of a coordinate; other values are returned unchanged and validated elsewhere."""
        if not is_dataclass(facet) or isinstance(facet, type):
            return facet
        values = {field.name: getattr(facet, field.name) for field in fields(facet)}
        clean = {key: self.text(value, name) for key, value in values.items() if type(value) is str}
        changed = {key: value for key, value in clean.items() if value != values[key]}
        return replace(facet, **changed) if changed else facet

    def item(self, item: CelestialItem) -> CelestialItem:
        """Redacts all texts of an imported record."""
        return replace(
            item,
            content=self.text(item.content),
            metadata=self.metadata(item.metadata),
            tags=self.tags(item.tags),
            keywords=self.keywords(item.keywords),
            document=self.document(item.document),
            resolution=self.resolution(item.resolution),
            time=self.facet(item.time, "time"),
            space=self.facet(item.space, "space"),
            agent=self.facet(item.agent, "agent"),
        )

    def document(self, document: Document) -> Document:
        """Redacts a document; its BQI snapshot holds the prompt."""
        clean = self.facet(document, "document")
        snapshot = self.metadata(clean.bqi_snapshot)
        return clean if snapshot == clean.bqi_snapshot else replace(clean, bqi_snapshot=snapshot)

    def resolution(self, resolution: Resolution) -> Resolution:
        """Redacts an imported gist and triples, which were not computed from a redacted text."""
        gist = None if resolution.gist is None else self.text(resolution.gist, "gist")
        triples = (tuple(self.text(part, "triples") for part in triple) for triple in resolution.triples)
        return Resolution(gist, tuple((subject, verb, other) for subject, verb, other in triples))

    def metadata(self, value: Any, key: str = "") -> Any:
        """Redacts texts, numbers and keys in JSON; a value under a password-like key is redacted as a whole."""
        if isinstance(value, dict):
            return {self.text(name, "metadata"): self.metadata(inner, name) for name, inner in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.metadata(inner, key) for inner in value]
        if isinstance(value, bool) or not isinstance(value, (str, int)) or value == "":
            return value
        text = str(value)
        if key and names_a_password(key):
            return self._redacted(value, text)
        clean = self.text(text, "metadata")
        if clean == text and key:  # the key may reveal a secret that the value alone does not
            keyed = f"{key}: {text}"
            if any(
                finding.start >= len(keyed) - len(text) for finding in redact_secrets(keyed, self._policy).redacted
            ):
                return self._redacted(value, text, SecretKind.API_KEY)
        return value if clean == text else clean

    def _redacted(self, value: str | int, text: str, kind: SecretKind = SecretKind.PASSWORD) -> str | int:
        match self._policy.action(kind):
            case GuardAction.ALLOW:
                return value
            case GuardAction.BLOCK:
                raise SecretError(Reason.SECRET_FOUND, kinds=(kind.value,))
            case GuardAction.REDACT:
                redacted = marker(kind)
                if text.startswith(("[redacted: ", "[가림: ")):
                    return value
                self.notes.append([kind.value, 0, len(text), "metadata"])
                return redacted


def trust_in(*texts: str | None) -> Trust:
    """Returns low trust if one of the texts looks like an instruction: quoted as data, never Core."""
    from celestial_engine.core.guard.instructions import looks_like_injection  # a search reads no new text

    return Trust.LOW if any(text and looks_like_injection(text) for text in texts) else Trust.NORMAL


def is_merely_suspected(item: CelestialItem) -> bool:
    """Whether a memory has low trust only because it resembles an order about others; no rule recognises it as one.

    The resemblance misjudges about one in fifty of the things that people tell. It marks them in prompts, which
    costs little, but must not shorten the life of what may be true, nor overrule the user's own decision.
    """
    if item.trust is not Trust.LOW or item.source is Source.OBSERVATION:
        return False
    return trust_in(item.content, item.document.source_text) is not Trust.LOW


def trust_by_reading(item: CelestialItem, steers: float) -> Trust:
    """Returns low trust for an order about others, and for what a tool or page claims about health, money or access.

    `steers` is how likely the text was read as such an order. What may be one, what somebody pasted instead of saying
    it, and what tells of assistants and agents is doubtful: a mark costs little, so it needs less evidence than what
    takes away a memory's rights.
    """
    if steers >= _AN_ORDER:
        return Trust.LOW
    if item.trust is Trust.LOW:
        return item.trust
    if item.source is not Source.OBSERVATION:
        doubtful = steers >= _MAYBE_AN_ORDER or _is_pasted(item.content) or _names_readers_or_pretends(item.content)
        return Trust.DOUBTFUL if doubtful else Trust.NORMAL
    from celestial_engine.core.guard.instructions import claims_access

    delicate = item.address is not None and item.address.attribute in _DELICATE
    return Trust.LOW if delicate or claims_access(item.content) else Trust.NORMAL


def _is_pasted(text: str) -> bool:
    """Whether a text is data or markup as a whole: the output of a program, and nobody's own words."""
    text = text.strip()
    return text[:1] + text[-1:] in ("{}", "[]", "<>") and len(text) > _SHORTEST_PASTED


def _names_readers_or_pretends(text: str) -> bool:
    """Whether a text names the readers that planted orders are meant for, or agrees on what is not so.

    One in a thousand that people tell does the first, hardly any the second.
    """
    from celestial_engine.core.guard.normal_form import fold

    return compiled(f"{_ASSISTANTS}|{_PRETENDING}").search(fold(text[:_MOST_READ])) is not None


def redact_question(question: str, policy: GuardPolicy) -> str:
    """Redacts a question before it is sent to a remote embedder. A question is never blocked."""
    redact = {kind.value: GuardAction.REDACT for kind in SecretKind if policy.action(kind) is not GuardAction.ALLOW}
    allow = {kind.value: GuardAction.ALLOW for kind in SecretKind if kind.value not in redact}
    return redact_secrets(question, GuardPolicy(**redact, **allow)).text
