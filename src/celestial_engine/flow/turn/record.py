"""record: the steps that turn a text into a memory: guard, perceive, feel, judge, embed.

Storing, importing, distilling, imagining and rewording all use them; `store` writes the result.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from celestial_engine.core.checks import (
    check_choice,
    check_importance,
    check_keywords,
    check_metadata,
    check_tags,
    check_text,
)
from celestial_engine.core.guard.guard import Guard, Note, is_merely_suspected, trust_by_reading, trust_in
from celestial_engine.core.guard.secrets import GuardPolicy
from celestial_engine.core.record.coordinate import (
    Coordinate,
    Document,
    EmotionCoordinate,
    Resolution,
    prompt_digest_of,
)
from celestial_engine.core.record.coordinate_checks import check_coordinate, check_facet
from celestial_engine.core.record.forgetting import Protection
from celestial_engine.core.record.importance import GIVEN, Evaluation, ImportanceEvaluator
from celestial_engine.core.record.item import Category, CelestialItem, Trust
from celestial_engine.core.record.lifetimes import Source, Tier, TierReason, expiry, first_tier
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.record.reading import Read, ReadBy, Reading
from celestial_engine.core.text.perception import Perception, described
from celestial_engine.core.text.tokens import count_tokens
from celestial_engine.errors import InvalidInputError, Reason
from celestial_engine.flow.base.embed import Embedding
from celestial_engine.flow.base.read import read_text

if TYPE_CHECKING:
    from celestial_engine.core.text.perception import Feeler, Perceiver

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class NewMemory:
    """What a caller specifies for a new memory; the rest is read from its text.

    Without a tier it lives as long as its statement stays true (`core.record.lifetimes.first_tier`).
    Without an importance the evaluator rates it; without `coordinate.emotion` the text is rated. With `read_bqi` its
    prompt (else its text) is read as a BQI coordinate. Keywords and a category that are given are kept, even when the
    text is read again.
    """

    content: str
    source: Source = Source.USER
    tier: Tier | None = None
    importance: float | Evaluation | None = None
    metadata: dict[str, Any] | None = None
    tags: Iterable[str] = ()
    coordinate: Coordinate = field(default_factory=Coordinate)
    protection: Protection = Protection.NONE
    read_bqi: bool = False
    keywords: Iterable[str] | None = None
    category: Category | None = None


@dataclass(frozen=True)
class Record:
    """A memory ready to be written, what the guard redacted in it, which evaluator failed, and what read it."""

    item: CelestialItem
    redacted: Sequence[Note] = ()
    fallback_from: str | None = None
    read_by: ReadBy = ReadBy.MODEL
    reading: Reading | None = None


@dataclass(frozen=True)
class Rewording:
    """What belongs to a memory's new text: embedding, perception, reading, emotion, importance."""

    content: str
    embedding: list[float] | None
    perceived: Perception
    reading: Reading
    emotion: EmotionCoordinate | None
    importance: Evaluation | None

    def applied_to(self, item: CelestialItem) -> CelestialItem:
        """Return the memory with the new text and what was read from it."""
        reworded = replace(
            described(item, self.perceived),
            content=self.content,
            trust=trust_in(self.content, item.document.source_text),
            embedding=self.embedding,
            document=replace(item.document, token_count=None),
            emotion=self.emotion or item.emotion,
        )
        reworded = with_reading(reworded, self.reading)
        return reworded if self.importance is None else with_importance(reworded, self.importance)


def with_importance(item: CelestialItem, importance: Evaluation) -> CelestialItem:
    """Return the memory with this importance. One that a caller gave meanwhile outranks a judged one."""
    if item.importance_source == GIVEN != importance.source:
        return item
    return _judged(item, importance)


class Recorder:
    """Turns texts into memories. It writes nothing."""

    def __init__(
        self,
        policy: GuardPolicy,
        perceiver: Perceiver,
        feeler: Feeler | None,
        evaluator: ImportanceEvaluator,
        embedding: Embedding,
        read: Read = read_text,
        read_turn: Read | None = None,
    ) -> None:
        """Without a feeler, rules rate the emotion of a text. `read_turn` reads a turn to decide about it."""
        self.policy = policy
        self.perceiver = perceiver
        self.evaluator = evaluator
        self.read = read
        self.read_turn = read_turn or read
        self._feeler = feeler
        self._embedding = embedding

    def record(self, new: NewMemory, owner: Owner, now: float) -> Record:
        return self.record_many([new], owner, now)[0]

    def record_many(self, news: Iterable[NewMemory], owner: Owner, now: float) -> list[Record]:
        """Record many texts, embedded in one call."""
        records = [self._draft(new, owner, now) for new in news]
        self.embed([record.item for record in records])
        return records

    def adopt(self, item: CelestialItem, owner: Owner, now: float, *, judged: bool) -> Record:
        """Prepare an imported record, which keeps its id, time and coordinates.

        `judged`: the record's own importance stays.
        """
        guard = Guard(self.policy)
        item = guard.item(item)
        perceived = self.perceiver.perceive(item.content)
        item = with_reading(_entering(item, perceived, owner, now), self.read(item.content, None))
        item = with_first_tier(item, now)
        own_importance = Evaluation(item.arbitrary_importance, GIVEN)
        importance = own_importance if judged else self.judge(item)
        self.embed([item])
        return Record(_judged(item, importance), guard.notes, importance.fallback_from or perceived.fallback_from)

    def guard(self, item: CelestialItem) -> Record:
        """Redact the secrets of an imported record, and change nothing else."""
        guard = Guard(self.policy)
        return Record(guard.item(item), guard.notes)

    def redact(self, item: CelestialItem, policy: GuardPolicy) -> Record:
        """Redact the secrets of a stored memory. What was read from its text is read again: it may hold them."""
        guard = Guard(policy)
        clean = guard.item(item)
        if clean.content == item.content:
            return Record(clean, guard.notes)
        derived = replace(clean, keywords=(), resolution=Resolution(), category=None)
        described_again = described(derived, self.perceiver.perceive(clean.content))
        given_fields = {name.value: getattr(clean, name.value) for name in item.given}
        return Record(
            with_reading(replace(described_again, **given_fields), self.read(clean.content, None)), guard.notes
        )

    def reword(self, content: str, item: CelestialItem, *, importance: Evaluation | None = None) -> Rewording:
        """Analyse a new, already guarded text for this memory. An emotion that a caller gave stays."""
        emotion = None
        if self._feeler is not None or item.emotion == emotion_by_rules(item.content):
            emotion = self.feel(content)
        changed = replace(item, content=content, emotion=emotion or item.emotion)
        if importance is None and item.importance_source != GIVEN:
            importance = self.judge(changed)
        perceived = self.perceiver.perceive(content)
        reading = self.read(content, None)
        return Rewording(content, self._embedding.passage(content), perceived, reading, emotion, importance)

    def feel(self, text: str) -> EmotionCoordinate:
        return emotion_by_rules(text) if self._feeler is None else self._feeler.feel(text)

    def judge(self, item: CelestialItem, importance: float | None = None) -> Evaluation:
        """Return the given importance, or the evaluator's."""
        from celestial_engine.flow.turn.evaluate import evaluate

        if importance is None:
            return evaluate(self.evaluator, item)
        return Evaluation(check_importance(importance), GIVEN)

    def embed(self, items: Sequence[CelestialItem]) -> None:
        """Set the vectors of memories that are not written yet; None without an embedder."""
        for item, vector in zip(items, self._embedding.passages([item.content for item in items]), strict=True):
            item.embedding = vector

    def _draft(self, new: NewMemory, owner: Owner, now: float) -> Record:
        guard = Guard(self.policy)
        content = guard.text(check_text(new.content))
        category = None if new.category is None else check_choice(Category, new.category, "category")
        keywords = guard.keywords(check_keywords(() if new.keywords is None else new.keywords))
        perceived, reading = self.perceiver.perceive(content), self.read(content, None)
        requested = new.coordinate
        felt = self.feel(content) if requested.emotion is None else requested.emotion
        by_rules = requested.emotion is None and self._feeler is None  # needs no check
        coordinate = check_coordinate(
            replace(
                requested,
                space=guard.facet(requested.space, "space"),
                agent=guard.facet(requested.agent, "agent"),
                document=_digested(
                    guard.facet(requested.document, "document"), content if new.read_bqi else None, now
                ),
                emotion=None if by_rules else felt,
            )
        )
        if by_rules:
            coordinate = replace(coordinate, emotion=felt)
        metadata = guard.metadata(check_metadata(new.metadata))
        item = _built(content, perceived, metadata, new, coordinate, owner, now).with_given(category, keywords)
        item = with_reading(item, reading)
        if new.tier is None:
            item = with_first_tier(item, now)
        importance = new.importance if isinstance(new.importance, Evaluation) else self.judge(item, new.importance)
        item = replace(_judged(item, importance), tags=guard.tags(check_tags(new.tags)), protection=new.protection)
        log_redactions(guard)
        fallback_from = importance.fallback_from or perceived.fallback_from
        return Record(item, guard.notes, fallback_from, reading.read_by, reading)


def log_redactions(guard: Guard) -> None:
    """Log which kinds of secrets were redacted, never the secrets."""
    if guard.notes:
        logger.warning("redacted before it was remembered: %s", guard.kinds)


def emotion_by_rules(text: str) -> EmotionCoordinate:
    """Return the emotion of a text, by rules."""
    from celestial_engine.core.emotion.feel import feel  # long word lists: reads do not load them

    return feel(text)


def with_token_count(document: Document, content: str) -> Document:
    """Return the document with its token count, unless it is known."""
    if document.token_count is not None:
        return document
    return replace(document, token_count=count_tokens(content))


def _built(
    content: str,
    perceived: Perception,
    metadata: dict[str, Any],
    new: NewMemory,
    coordinate: Coordinate,
    owner: Owner,
    now: float,
) -> CelestialItem:
    from uuid import uuid4  # slow to import, and a reader makes none

    source = check_choice(Source, new.source, "source")
    tier = Tier.M90 if new.tier is None else check_choice(Tier, new.tier, "tier")
    if tier is Tier.M0:
        raise InvalidInputError("tier", Reason.CORE_NOT_GIVEN)
    return CelestialItem(
        id=str(uuid4()),
        content=content,
        created_at=now,
        last_recalled_at=now,
        metadata=metadata,
        owner=owner,
        source=source,
        trust=trust_in(content, coordinate.document.source_text),
        tier=tier,
        tier_reason=TierReason.DISTILLED if source is Source.DISTILLATION else TierReason.GIVEN,
        expires_at=expiry(tier, now),
        category=perceived.category,
        keywords=perceived.keywords,
        resolution=perceived.resolution,
        time=coordinate.time,
        space=coordinate.space,
        agent=coordinate.agent,
        emotion=coordinate.emotion or EmotionCoordinate(),
        document=with_token_count(coordinate.document, content),
        links=coordinate.links,
    )


def _entering(item: CelestialItem, perceived: Perception, owner: Owner, now: float) -> CelestialItem:
    """Return an imported record as of now; fields that it lacks are read from its text."""
    mood, emotion = emotion_by_rules(item.content), item.emotion
    if emotion == EmotionCoordinate():
        emotion = mood
    elif not emotion.tags:
        emotion = replace(emotion, tags=mood.tags, intensity=mood.intensity)
    return replace(
        described(item, perceived),
        owner=owner,
        last_recalled_at=now,
        emotion=emotion,
        document=with_token_count(item.document, item.content),
        trust=trust_in(item.content, item.document.source_text),
    )


def with_reading(item: CelestialItem, reading: Reading) -> CelestialItem:
    """Return the memory with what was read in its text. A category that it has stays."""
    category = reading.category if item.category is None else item.category
    read = replace(item, category=category, lifetime=reading.credible_lifetime, address=reading.address)
    return replace(read, trust=trust_by_reading(read, reading.steers))


def with_first_tier(item: CelestialItem, now: float) -> CelestialItem:
    """Return a new memory with the tier of its reading. Its life begins now, even if it was made elsewhere."""
    tier, reason = _tier_by_reading(item)
    return replace(item, tier=tier, tier_reason=reason, expires_at=expiry(tier, now))


def with_longer_life(item: CelestialItem, now: float) -> CelestialItem:
    """Return a memory whose text was read again with the tier of the new reading, if that is longer.

    A tier that a caller gave stays, and so do the tiers of distilled, imagined and core memories.
    """
    made_up = item.source in (Source.DISTILLATION, Source.IMAGINATION)
    if made_up or item.tier is Tier.M0 or item.tier_reason is TierReason.GIVEN:
        return item
    tier, reason = _tier_by_reading(item)
    if _TIERS.index(tier) <= _TIERS.index(item.tier):
        return replace(item, tier_reason=reason)
    return replace(item, tier=tier, tier_reason=reason, expires_at=expiry(tier, now))


_TIERS = list(Tier)


def _tier_by_reading(item: CelestialItem) -> tuple[Tier, TierReason]:
    texts = (item.content, item.document.source_text)  # what is kept of a request may not contain the request
    from celestial_engine.core.turn.remember_request import asks_to_remember  # a reader does not need it

    requested = any(text is not None and asks_to_remember(text) for text in texts)
    trusted = item.trust is not Trust.LOW or is_merely_suspected(item)
    return first_tier(item.source, item.lifetime, requested=requested, trusted=trusted)


def _judged(item: CelestialItem, importance: Evaluation) -> CelestialItem:
    return replace(item, arbitrary_importance=importance.score, importance_source=importance.source)


def _digested(document: Document, to_read: str | None, now: float) -> Document:
    """Cut the prompt to a digest; without a prompt, `to_read` is read as a BQI coordinate."""
    if to_read is None and document == Document():
        return document
    from celestial_engine.core.record.bqi import read_bqi

    prompt = document.prompt_digest if isinstance(document, Document) else None
    digest = prompt_digest_of(prompt) if isinstance(prompt, str) else None
    checked = check_facet(Document, replace(document, prompt_digest=digest) if digest else document, "document")
    if to_read is None or checked.bqi_snapshot is not None:
        return checked
    return replace(checked, bqi_snapshot=read_bqi(prompt or to_read, now).to_dict())
