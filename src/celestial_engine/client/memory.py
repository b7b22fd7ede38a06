"""The verbs of the engine, each carried out by a server; `call` reaches every other operation.

Memories come back as the server shows them (`celestial_engine.surfaces.operations.views.Memory`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

from celestial_engine.client.transport import Transport
from celestial_engine.core.record.coordinate import AgentCoordinate, Document, EmotionCoordinate, SpaceCoordinate
from celestial_engine.core.record.item import Category
from celestial_engine.core.record.item_filter import ItemFilter
from celestial_engine.core.record.lifetimes import Source, Tier
from celestial_engine.errors import ClosedError, InvalidInputError, Reason
from celestial_engine.surfaces.operations import context, forgetting, reading, saving, search, sleep, turns, views
from celestial_engine.surfaces.operations.catalogue import OPERATIONS
from celestial_engine.surfaces.operations.declaration import Operation
from celestial_engine.surfaces.operations.fields import MemoryFilter, MemoryIdRequest

_BY_NAME: Mapping[str, Operation[Any, Any]] = {operation.name: operation for operation in OPERATIONS}
_ZONES = ("core", "inner", "outer", "belt", "cloud")
_TIMEOUT = 60.0
Turn = str | Mapping[str, Any]


class RemoteMemory:
    """A memory on a server. The token says whose it is and what may be done. Safe to use from several threads."""

    def __init__(
        self, url: str, *, token: str | None = None, timeout: float = _TIMEOUT, language: str = "en"
    ) -> None:
        self._transport: Transport | None = Transport(url, token, timeout, language)

    def call(self, operation: str, /, **fields: Any) -> Any:
        """Runs any operation of docs/operations.md by its name."""
        if operation not in _BY_NAME:
            raise InvalidInputError("operation", Reason.UNKNOWN_CHOICE, got=operation, choices=tuple(_BY_NAME))
        return self._run(operation, _BY_NAME[operation].request(**fields))

    if not TYPE_CHECKING:  # type checkers tell it by themselves

        def __getattr__(self, name: str) -> NoReturn:
            raise AttributeError(
                f"A memory on a server has no {name!r}: call(NAME, ...) reaches what docs/operations.md lists."
            )

    # -- the verbs ----------------------------------------------------------------------------------

    def store(
        self,
        content: str,
        importance: float | None = None,
        metadata: dict[str, Any] | None = None,
        *,
        source: Source = Source.USER,
        tier: Tier | None = None,
        pinned: bool = False,
        immutable: bool = False,
        tags: Iterable[str] = (),
        keywords: Iterable[str] | None = None,
        category: Category | None = None,
        session_id: str | None = None,
        space: SpaceCoordinate | None = None,
        agent: AgentCoordinate | None = None,
        emotion: EmotionCoordinate | None = None,
        document: Document | None = None,
        parent: str | None = None,
        related: Iterable[str] = (),
        bqi: bool = False,
        idempotency_key: str | None = None,
    ) -> views.Memory:
        space, agent, document = space or SpaceCoordinate(), agent or AgentCoordinate(), document or Document()
        request = saving.SaveRequest(
            content, importance, metadata or {}, tuple(tags), tuple(keywords or ()), category,
            None if tier is None else tier.value,  # type: ignore[arg-type]  # the server refuses M0
            pinned, immutable, session_id, agent.persona_id, agent.persona_name, agent.role, agent.backend,
            space.project, space.domain, space.file_context, space.depth_index,
            () if emotion is None else emotion.tags, None if emotion is None else emotion.intensity,
            document.type, document.prompt_digest, document.summary, bqi, parent, tuple(related),
            source.value,  # type: ignore[arg-type]
            idempotency_key,
        )  # fmt: skip
        stored: views.Memory = self._run("memory_save", request)
        return stored

    def store_many(
        self,
        contents: Iterable[str],
        importance: float | None = None,
        *,
        source: Source = Source.IMPORT,
        session_id: str | None = None,
    ) -> list[views.Memory]:
        request = saving.SaveManyRequest(tuple(contents), importance, session_id, source.value)  # type: ignore[arg-type]
        return [*self._run("memory_save_many", request).memories]

    def recall(
        self, query: str, limit: int = 5, *, where: ItemFilter | None = None, floor: float | None = None
    ) -> list[views.Memory]:
        """Finds memories and reinforces them."""
        request = search.SearchRequest(query, limit, _filter(where), True, floor)
        return [hit.memory for hit in self._run("memory_search", request).hits]

    def search(
        self, query: str, limit: int = 5, *, where: ItemFilter | None = None, floor: float | None = None
    ) -> list[views.Memory]:
        """Finds memories and changes nothing."""
        request = search.SearchRequest(query, limit, _filter(where), False, floor)
        return [hit.memory for hit in self._run("memory_search", request).hits]

    def compose(
        self,
        query: str,
        budget: int = 1024,
        *,
        limit: int = 20,
        where: ItemFilter | None = None,
        reinforce: bool = True,
        profile: bool = False,
    ) -> context.PromptContext:
        request = context.ContextRequest(query, budget, limit, _filter(where), reinforce, profile)
        composed: context.PromptContext = self._run("auto_search", request)
        return composed

    def profile(self, budget: int = 400) -> context.UserProfile:
        known: context.UserProfile = self._run("memory_profile", context.ProfileRequest(budget))
        return known

    def observe(
        self,
        turn: Turn,
        history: Iterable[Turn] = (),
        turn_id: str | None = None,
        *,
        budget: int = 1024,
        session_id: str | None = None,
    ) -> turns.Observation:
        fields = {**_turn(turn), "history": [_turn(one) for one in history], "turn_id": turn_id}
        observed: turns.Observation = self.call("turn_observe", **fields, budget=budget, session_id=session_id)
        return observed

    def decide(self, turn: Turn, history: Iterable[Turn] = (), turn_id: str | None = None) -> turns.TurnDecision:
        fields = {**_turn(turn), "history": [_turn(one) for one in history], "turn_id": turn_id}
        decided: turns.TurnDecision = self.call("policy_decide", **fields)
        return decided

    def feedback(
        self,
        turn_id: str | None = None,
        reward: float | None = None,
        text: str | None = None,
        *,
        session_id: str | None = None,
    ) -> turns.FeedbackResult:
        credited: turns.FeedbackResult = self.call(
            "feedback", turn_id=turn_id, reward=reward, text=text, session_id=session_id
        )
        return credited

    def judge_answer(self, question: str, right: bool, where: ItemFilter | None = None) -> turns.FeedbackResult:
        credited: turns.FeedbackResult = self._run(
            "answer_judge", turns.JudgeAnswerRequest(question, right, _filter(where))
        )
        return credited

    def get(self, item_id: str) -> views.Memory:
        return self._one("memory_get", MemoryIdRequest(item_id))

    def update(
        self,
        item_id: str,
        content: str | None = None,
        importance: float | None = None,
        metadata: dict[str, Any] | None = None,
        *,
        tags: Iterable[str] | None = None,
        keywords: Iterable[str] | None = None,
        category: Category | None = None,
        tier: Tier | None = None,
        if_version: str | None = None,
    ) -> views.Memory:
        request = saving.UpdateRequest(
            item_id, content, importance, metadata, None if tags is None else tuple(tags),
            None if keywords is None else tuple(keywords), category, if_version,
            None if tier is None else tier.value,  # type: ignore[arg-type]  # the server refuses M0
        )  # fmt: skip
        return self._one("memory_update", request)

    def forget(self, item_id: str, *, if_version: str | None = None) -> views.Memory:
        return self._one("memory_delete", forgetting.DeleteRequest(item_id, if_version))

    def restore(self, item_id: str) -> views.Memory:
        back: views.Memory = self._run("memory_restore", forgetting.RestoreRequest((item_id,))).memories[0]
        return back

    def pin(self, item_id: str) -> views.Memory:
        return self._one("memory_pin", MemoryIdRequest(item_id))

    def unpin(self, item_id: str) -> views.Memory:
        return self._one("memory_unpin", MemoryIdRequest(item_id))

    def rate(self, item_id: str, stars: int) -> views.Memory:
        return self._one("memory_rate", saving.RateRequest(item_id, stars))

    def remind(self, item_id: str) -> views.Memory:
        return self._one("memory_remind", MemoryIdRequest(item_id))

    def related(self, item_id: str, depth: int = 1, limit: int = 20) -> Sequence[context.RelatedMemory]:
        found: Sequence[context.RelatedMemory] = self.call(
            "memory_get_related", id=item_id, depth=depth, limit=limit
        ).related
        return found

    def explain(self, item_id: str) -> reading.ScoreExplanation:
        explained: reading.ScoreExplanation = self._run("memory_explain", MemoryIdRequest(item_id))
        return explained

    def stats(self) -> reading.MemoryStats:
        counted: reading.MemoryStats = self.call("memory_stats")
        return counted

    def sleep(
        self,
        *,
        duties: Iterable[Any] | None = None,
        dry_run: bool = False,
        force: bool = False,
        allow_large: bool = False,
    ) -> sleep.NightReport:
        named = {} if duties is None else {"duties": tuple(duties)}
        report: sleep.NightReport = self.call(
            "sleep_cycle_run", dry_run=dry_run, force=force, allow_large=allow_large, **named
        )
        return report

    def close(self) -> None:
        """Ends the use of this object; the server goes on. Closing twice is fine."""
        self._transport = None

    def __enter__(self) -> RemoteMemory:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _one(self, operation: str, request: Any) -> views.Memory:
        memory: views.Memory = self._run(operation, request)
        return memory

    def _run(self, operation: str, request: Any) -> Any:
        if self._transport is None:
            raise ClosedError(path="http")
        return self._transport.run(_BY_NAME[operation], request)

    def list(
        self,
        limit: int = 20,
        *,
        zone: int | None = None,
        tier: Tier | None = None,
        where: ItemFilter | None = None,
    ) -> Sequence[views.Memory]:
        """The newest first. Last in this class, because the name hides the builtin."""
        narrowed = where or ItemFilter()
        narrowed = narrowed if zone is None else replace(narrowed, zone=zone)
        narrowed = narrowed if tier is None else replace(narrowed, tier=tier)
        listed: Sequence[views.Memory] = [
            *self._run("memory_list", reading.ListRequest(limit, None, _filter(narrowed))).memories
        ]
        return listed


def _filter(where: ItemFilter | None) -> MemoryFilter | None:
    """A filter as the server takes it; a condition that REST has no field for is refused, not dropped."""
    if where is None or where == ItemFilter():
        return None
    since, until = where.time_range or (None, None)
    zone = None if where.zone is None else _ZONES[where.zone]
    given = MemoryFilter(
        since, until, where.session_id, where.persona_id, where.project, where.domain, tuple(where.tags),
        where.min_importance, where.emotion, zone, where.tier,  # type: ignore[arg-type]
    )  # fmt: skip
    carried = ItemFilter(
        time_range=where.time_range, session_id=where.session_id, persona_id=where.persona_id, project=where.project,
        domain=where.domain, tags=where.tags, min_importance=where.min_importance, emotion=where.emotion,
        zone=where.zone, tier=where.tier,
    )  # fmt: skip
    if carried != where:
        raise InvalidInputError("where", Reason.NOT_ACCEPTED, cause="a server takes no such condition")
    return given


def _turn(turn: Turn) -> dict[str, Any]:
    if isinstance(turn, str):
        return {"content": turn}
    return {name: turn[name] for name in ("content", "role") if name in turn}
