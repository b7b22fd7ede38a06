"""Living: reminding, longer lives, core memories on the user's word, and bringing many back at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from celestial_engine.core.checks import MOST_RESULTS, check_choice, check_id, check_limit, check_text
from celestial_engine.core.guard.guard import Guard, trust_in
from celestial_engine.core.model.settings import ModelUse
from celestial_engine.core.record.coordinate import Coordinate, Links
from celestial_engine.core.record.forgetting import DepartureReason
from celestial_engine.core.record.importance import GIVEN, Evaluation
from celestial_engine.core.record.item import CelestialItem, Trust
from celestial_engine.core.record.lifetimes import Source, Tier
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.self.proposals import MOST_PENDING, Channel
from celestial_engine.errors import InvalidInputError, SecretError, StaleTokenError
from celestial_engine.facade.selfhood import Selfhood
from celestial_engine.flow.departures import forget
from celestial_engine.flow.night import distill, nominate, promote
from celestial_engine.flow.turn import influence, recall, store

DISTILLED_BY = "distilled_by"
_MOST_PENDING = 20


@dataclass(frozen=True)
class ToDistil:
    """Memories whose essence the host's own model may write, and the prompt for it.

    `current` is what the rules made of them meanwhile, if they did.
    """

    token: str
    tier: Tier
    sources: tuple[CelestialItem, ...]
    prompt: str
    current: str | None = None


class Living(Selfhood):
    """What gives a memory a longer life, or another one."""

    def remind(self, item_id: str, *, user_id: str | None = None, agent_id: str | None = None) -> CelestialItem:
        """Recalls one memory by its id: counted, fresh, and active again if it had faded or was inactive."""
        owner = self._owner.but(user_id, agent_id)
        return recall.remind(self._store, self._zones.law, owner, check_id(item_id), self._now())

    def influenced(self, item_id: str, *, user_id: str | None = None, agent_id: str | None = None) -> CelestialItem:
        """Notes that the host did something differently because of this memory."""
        owner = self._owner.but(user_id, agent_id)
        return influence.influenced(self._store, self._zones.law, owner, check_id(item_id), self._now())

    def restore_many(
        self,
        item_ids: Iterable[str] | None = None,
        *,
        reason: DepartureReason | str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> Sequence[CelestialItem]:
        """Brings these back, or all that is on the cliff, or all that went for one reason."""
        owner, law = self._owner.but(user_id, agent_id), self._zones.law
        if item_ids is not None and reason is not None:
            raise InvalidInputError(field="reason", reason="it chooses among all; leave out the ids, or leave it out")
        if item_ids is None:
            chosen = None if reason is None else check_choice(DepartureReason, reason, "reason")
            with self._store.read() as session:
                ids = forget.on_the_cliff(session, owner, chosen)
        else:
            ids = [self.get(check_id(item_id), user_id=user_id, agent_id=agent_id).id for item_id in item_ids]
        with self._store.read() as session:
            archived = [item_id for item_id in ids if session.archives.file_of(owner, item_id) is not None]
        back = forget.restore_many(self._store, law, owner, ids, self._now())
        self._embedded(owner, back)
        return [*back, *(self.restore(item_id, user_id=user_id, agent_id=agent_id) for item_id in archived)]

    def nominations(self, *, user_id: str | None = None, agent_id: str | None = None) -> Sequence[CelestialItem]:
        """Memories that could become core memories, and wait for the user's word."""
        with self._store.read() as session:
            waiting = nominate.nominations(session, self._owner.but(user_id, agent_id), self._now())
        return self._scored(waiting)

    def approve_core(
        self,
        item_id: str,
        *,
        by: str,
        channel: Channel | str = Channel.HOST,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> CelestialItem:
        """Makes a memory of the tier M365 a core memory, on the word of the user whom `by` names."""
        by, owner = check_text(by, "by"), {"user_id": user_id, "agent_id": agent_id}
        item = self.get(check_id(item_id), **owner)
        if item.tier is not Tier.M0:
            waiting = (one for one in self.inbox(limit=MOST_PENDING, **owner) if one.about == f"core:{item.id}")
            found = next(waiting, None)
            proposal = found or self.propose_core(item.id, by=by, channel=Channel.AGENT, **owner)
            token = self.approval_token(proposal.id, channel=channel, **owner)
            self.approve(proposal.id, token, by=by, channel=channel, **owner)
        return self.get(item.id, **owner)

    def distill_pending(
        self, limit: int = _MOST_PENDING, *, user_id: str | None = None, agent_id: str | None = None
    ) -> Sequence[ToDistil]:
        """What could be distilled by the host's own model: ask it each prompt, and commit what it writes."""
        owner = self._owner.but(user_id, agent_id)
        return [self._to_distil(one) for one in self._pending(owner, check_limit(limit))]

    def distill_commit(
        self, token: str, text: str, *, user_id: str | None = None, agent_id: str | None = None
    ) -> CelestialItem:
        """The essence of exactly the sources that the token stands for. What no source says is refused."""
        from celestial_engine.core.night.distillation import BY_HOST, objection, written

        owner, now = self._owner.but(user_id, agent_id), self._now()
        text = written(check_text(text))
        found = next((one for one in self._pending(owner, MOST_RESULTS) if one.token == token), None)
        if found is None:
            raise StaleTokenError(item_id=str(token)[:40])
        refused = objection(text, [source.content for source in found.sources])
        if refused is not None:
            raise InvalidInputError(field="text", reason=refused)
        if found.promotion is None:
            return self._reworded(found, text, owner)

        def make(sources: Sequence[CelestialItem], tier: Tier) -> CelestialItem:
            return self._distillate(text, BY_HOST, sources, tier)

        made = promote.promote(self._store, self._zones.law, owner, found.promotion, now, make)
        if made is None:
            raise StaleTokenError(item_id=token)
        return made

    def _distilled(self, sources: Sequence[CelestialItem], tier: Tier) -> CelestialItem | None:
        """What a promotion makes of its sources: what the night's work is given."""
        trusted = [source for source in sources if source.trust is not Trust.LOW]
        told = distill.distil([source.content for source in trusted], self._model_for(ModelUse.DISTILLATION))
        # What reads like an instruction once it is alone must not live longer than where it comes from.
        if not told.text or trust_in(told.text) is Trust.LOW:
            return None
        try:
            return self._distillate(told.text, told.by, trusted, tier)
        except SecretError:  # a policy that blocks may be newer than the sources
            return None

    def _distillate(self, text: str, by: str, sources: Sequence[CelestialItem], tier: Tier) -> CelestialItem:
        from celestial_engine.core.night.inherited_fields import (
            common_agent,
            common_island,
            common_space,
            felt_together,
        )

        guard = Guard(self._guard_policy)
        content = guard.text(text)
        coordinate = Coordinate(
            space=common_space(sources),
            agent=common_agent(sources),
            emotion=felt_together(sources),
            links=Links(promoted_from=tuple(source.id for source in sources), island=common_island(sources)),
        )
        perceived = self._perceiver.perceive(content)
        item = store.build(
            content,
            perceived,
            {DISTILLED_BY: by},
            Source.DISTILLATION,
            tier,
            coordinate,
            sources[0].owner,
            self._now(),
        )
        item.tags = tuple(dict.fromkeys(tag for source in sources for tag in source.tags))
        judged = self._worth(item, sources)
        item.arbitrary_importance, item.importance_source = judged.score, judged.source
        item.embedding = self._embedding.passage(content)
        return item

    def _worth(self, item: CelestialItem, sources: Sequence[CelestialItem]) -> Evaluation:
        """What somebody gave a source is given to what is made of it."""
        from celestial_engine.flow.turn.evaluate import evaluate

        given = [source.arbitrary_importance for source in sources if source.importance_source == GIVEN]
        return Evaluation(max(given), GIVEN) if given else evaluate(self._evaluator, item)

    def _reworded(self, found: promote.Pending, text: str, owner: Owner) -> CelestialItem:
        from celestial_engine.core.night.distillation import BY_HOST

        if found.item is None:
            raise StaleTokenError(item_id=found.token)
        metadata = {**found.item.metadata, DISTILLED_BY: BY_HOST}
        return self.update(found.item.id, text, metadata=metadata, user_id=owner.user_id, agent_id=owner.agent_id)

    def _pending(self, owner: Owner, limit: int) -> Sequence[promote.Pending]:
        from celestial_engine.core.night.distillation import BY_RULES

        def by_rules(item: CelestialItem) -> bool:
            return item.metadata.get(DISTILLED_BY) == BY_RULES

        with self._store.read() as session:
            return promote.pending(session, owner, self._now(), by_rules, limit)

    def _to_distil(self, one: promote.Pending) -> ToDistil:
        from celestial_engine.core.night.distillation import listed, prompt_for
        from celestial_engine.core.retrieval.framing import as_data
        from celestial_engine.flow.base.ask_model import MOST_READ

        texts = [source.content for source in one.sources]
        prompt = prompt_for(texts).format(text=as_data(listed(texts), MOST_READ))
        current = None if one.item is None else one.item.content
        return ToDistil(one.token, one.tier, one.sources, prompt, current)

    def _embedded(self, owner: Owner, items: Sequence[CelestialItem]) -> None:
        """The model may have changed while they were away."""
        bare = [item for item in items if item.embedding is None]
        for item, vector in zip(bare, self._embedding.passages([item.content for item in bare]), strict=True):
            if vector is not None:
                with self._store.write(owner, durable=False) as session:
                    session.vectors.put_missing(owner, [(session.items.key_of(owner, item.id), item.content, vector)])
                item.embedding = vector
