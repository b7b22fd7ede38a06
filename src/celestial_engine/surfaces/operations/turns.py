"""Every turn of a conversation: what to do with it, doing it, and learning from what became of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from celestial_engine.core.learning.checkpoints import Checkpoint
from celestial_engine.core.record.events import timestamp
from celestial_engine.core.turn.conversation import Action, Role
from celestial_engine.core.turn.policy import Decision
from celestial_engine.surfaces.operations.declaration import About, Caller, Effect, Operation, Route, Scope
from celestial_engine.surfaces.operations.fields import Budget, Nothing, Strict
from celestial_engine.surfaces.operations.views import Memory, memory_view

_TURN = "what was said in this turn"
_HISTORY = "the turns before it, oldest first"


@dataclass(frozen=True)
class Said(Strict):
    """An earlier turn."""

    content: Annotated[str, About("what was said")]
    role: Annotated[Role, About("who said it")] = Role.USER
    action: Annotated[Action | None, About("what was done with it")] = None
    memory_id: Annotated[str | None, About("the memory that it stands for, if it was recalled")] = None


@dataclass(frozen=True)
class Decide(Strict):
    content: Annotated[str, About(_TURN)]
    role: Annotated[Role, About("who said it")] = Role.USER
    history: Annotated[tuple[Said, ...], About(_HISTORY)] = ()
    turn_id: Annotated[str | None, About("a name for this turn; one is made up otherwise")] = None


@dataclass(frozen=True)
class Observe(Strict):
    content: Annotated[str, About(_TURN)]
    role: Annotated[Role, About("who said it")] = Role.USER
    history: Annotated[tuple[Said, ...], About(_HISTORY)] = ()
    turn_id: Annotated[str | None, About("a name for this turn; one is made up otherwise")] = None
    session_id: Annotated[str | None, About("the conversation it belongs to")] = None
    budget: Budget = 1024


@dataclass(frozen=True)
class Decided:
    turn_id: str
    action: Annotated[Action, About("save it, skip it, or retrieve memories for it")]
    reason: str
    phase: Annotated[str, About("who decided: rules, sure (rules that are) or learned")]
    confidence: float
    importance: Annotated[float, About("how much the turn is worth saving, 0 to 1")]
    fetches: Annotated[bool, About("memories help with the answer")]
    duplicate_of: Annotated[str | None, About("the memory that says the same already")]
    explored: bool


@dataclass(frozen=True)
class Observation:
    decision: Decided
    memory: Annotated[Memory | None, About("the memory that was saved, or that the turn repeats")]
    context: Annotated[str, About("memories for the answer, as quoted data; empty if there are none")]
    used: Annotated[tuple[str, ...], About("the ids of the memories in the context")]
    problem: Annotated[str | None, About("what went wrong, if anything did")]


@dataclass(frozen=True)
class Perceive(Strict):
    content: Annotated[str, About(_TURN)]
    role: Annotated[Role, About("who said it")] = Role.USER


@dataclass(frozen=True)
class Perceived:
    importance: float
    category: str
    question: bool
    personal: bool
    preference: bool
    technical: bool
    emotion: bool
    remember: Annotated[bool, About("asks to be remembered")]
    small_talk: bool
    prose: bool


@dataclass(frozen=True)
class Feedback(Strict):
    reward: Annotated[float | None, About("what the turn was worth; or give a text", -1, 1)] = None
    text: Annotated[str | None, About("what the user said to it, in place of a number")] = None
    turn_id: Annotated[str | None, About("the turn; the last one if left out")] = None
    session_id: Annotated[str | None, About("the last turn of this conversation")] = None


@dataclass(frozen=True)
class Credited:
    turn_id: str
    reward: float
    kind: str
    credited: Annotated[bool, About("false if nothing was said, or it had been said before")]
    version: Annotated[int, About("of what was learned")]
    switched_off: Annotated[tuple[str, ...], About("learned parts that did worse than the rules")]


@dataclass(frozen=True)
class Standing:
    exams: int
    mean_reward: float


@dataclass(frozen=True)
class Status:
    enabled: bool
    on: bool
    reranker_on: bool
    version: int
    epsilon: float
    updates: int
    reranker_updates: int
    rewards: int
    mean_reward: float
    trust: float
    band_low: float
    band_high: float
    actions: dict[str, int]
    exams: dict[str, Standing]
    damaged: Annotated[tuple[int, ...], About("versions that cannot be used")]


@dataclass(frozen=True)
class Version:
    version: int
    at: str
    rewards: Annotated[int, About("how many rewards there had been when it began")]
    metrics: dict[str, Any]


@dataclass(frozen=True)
class Versions:
    checkpoints: tuple[Version, ...]


@dataclass(frozen=True)
class Rollback(Strict):
    version: Annotated[int, About("a version that is kept; 0 is the beginning", 0, 2**53)]


def decide(caller: Caller, asked: Decide) -> Decided:
    made = caller.memory.decide(_turn(asked), _history(asked), asked.turn_id)
    return _decided(made)


def observe(caller: Caller, asked: Observe) -> Observation:
    seen = caller.memory.observe(
        _turn(asked), _history(asked), asked.turn_id, budget=asked.budget, session_id=asked.session_id
    )
    item = None if seen.item is None else memory_view(caller, seen.item)
    return Observation(
        _decided(seen.decision), item, seen.context, seen.hits, None if seen.problem is None else str(seen.problem)
    )


def perceive(caller: Caller, asked: Perceive) -> Perceived:
    seen = caller.memory.policy.features({"content": asked.content, "role": asked.role})
    return Perceived(
        seen.importance, seen.category.value, seen.question, seen.personal, seen.preference, seen.technical,
        seen.emotion, seen.remember, seen.small_talk, seen.prose,
    )  # fmt: skip


def feedback(caller: Caller, asked: Feedback) -> Credited:
    told = caller.memory.feedback(asked.turn_id, asked.reward, asked.text, session_id=asked.session_id)
    return Credited(
        told.turn_id, told.reward.value, told.reward.kind.value, told.credited, told.version, told.switched_off
    )


def status(caller: Caller, asked: Nothing) -> Status:
    told = caller.memory.policy.status()
    return Status(
        told.enabled, told.on, told.reranker_on, told.version, told.epsilon, told.updates, told.reranker_updates,
        told.rewards, told.mean_reward, told.trust, told.band.low, told.band.high,
        {action.value: count for action, count in told.actions.items()},
        {name: Standing(stood.exams, stood.mean_reward) for name, stood in told.exams.items()}, told.damaged,
    )  # fmt: skip


def checkpoints(caller: Caller, asked: Nothing) -> Versions:
    return Versions(tuple(_version(kept) for kept in caller.memory.policy.versions()))


def rollback(caller: Caller, asked: Rollback) -> Version:
    return _version(caller.memory.policy.rollback(asked.version))


def _turn(asked: Decide | Observe) -> dict[str, Any]:
    return {"content": asked.content, "role": asked.role}


def _history(asked: Decide | Observe) -> list[dict[str, Any]]:
    return [
        {"content": said.content, "role": said.role, "action": said.action, "memory_id": said.memory_id}
        for said in asked.history
    ]


def _decided(made: Decision) -> Decided:
    return Decided(
        made.turn_id, made.action, str(getattr(made.reason, "value", made.reason)), made.phase.name.lower(),
        made.confidence, made.features.importance, made.fetches, made.duplicate_of, made.explored,
    )  # fmt: skip


def _version(kept: Checkpoint) -> Version:
    return Version(kept.version, timestamp(kept.at), kept.began, kept.metrics)


OPERATIONS = (
    Operation(
        "policy_decide",
        "What to do with a turn of the conversation: save it, skip it, or retrieve memories for it; nothing is done.",
        Decide, Decided, decide, Route("POST", "/turns/decide"), command="decide",
        examples=({"content": "내 이름은 민수야"},),
    ),
    Operation(
        "turn_observe",
        "Decide about a turn and do it: save what is worth it, and give the memories that help with the answer.",
        Observe, Observation, observe, Route("POST", "/turns"), Scope.WRITE, Effect.ADDS, command="observe",
        examples=({"content": "I moved to Busan last week", "session_id": "monday"},),
    ),
    Operation(
        "turn_perceive", "What can be seen of a turn, whatever is stored.",
        Perceive, Perceived, perceive, Route("POST", "/turns/perceive"), tool=False,
    ),
    Operation(
        "feedback", "What a turn was worth, as a number or in the user's words; deciding and ranking learn from it.",
        Feedback, Credited, feedback, Route("POST", "/turns/feedback"), Scope.WRITE, Effect.ADDS,
        command="policy feedback", examples=({"reward": 1.0},),
    ),
    Operation(
        "policy_status", "How the part that learns stands, and whether it may decide.",
        Nothing, Status, status, Route("GET", "/policy"), command="policy status",
    ),
    Operation(
        "policy_checkpoints", "The versions of what was learned that are kept, newest first.",
        Nothing, Versions, checkpoints, Route("GET", "/policy/checkpoints"), tool=False,
        command="policy checkpoints",
    ),
    Operation(
        "policy_rollback", "Back to what a version knew, as a new version.",
        Rollback, Version, rollback, Route("POST", "/policy/rollback"), Scope.WRITE, Effect.ADDS, tool=False,
        command="policy rollback",
    ),
)  # fmt: skip
