"""Every turn of a conversation: what to do with it, doing it, and learning from what became of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from celestial_engine.core.codec import encode
from celestial_engine.core.learning.checkpoints import Checkpoint
from celestial_engine.core.record.events import timestamp
from celestial_engine.core.record.forgetting import Protection
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.labels import Attribute
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.core.turn.conversation import Action, Role
from celestial_engine.core.turn.features import TurnFeatures
from celestial_engine.core.turn.forgetting import ForgetOutcome, Forgetting
from celestial_engine.core.turn.policy import Decision
from celestial_engine.core.turn.unwanted import FIELD, TAG
from celestial_engine.surfaces.operations.declaration import About, Caller, Command, Effect, Operation, Route, Scope
from celestial_engine.surfaces.operations.fields import Budget, EmptyRequest, MemoryFilter, StrictRequest, item_filter
from celestial_engine.surfaces.operations.views import Feeling, Memory, feeling_view, memory_view, view_of

_TURN = "what was said in this turn"
_HISTORY = "the turns before it, oldest first"
_POSITION = ("turn_position", "memory_count", "recent_saves", "recent_retrieves")


@dataclass(frozen=True)
class EarlierTurn(StrictRequest):
    """An earlier turn."""

    content: Annotated[str, About("what was said")]
    role: Annotated[Role, About("who said it")] = Role.USER
    action: Annotated[Action | None, About("what was done with it")] = None
    memory_id: Annotated[str | None, About("the memory that it stands for, if it was recalled")] = None


@dataclass(frozen=True)
class DecideRequest(StrictRequest):
    content: Annotated[str, About(_TURN)]
    role: Annotated[Role, About("who said it")] = Role.USER
    history: Annotated[tuple[EarlierTurn, ...], About(_HISTORY)] = ()
    turn_id: Annotated[str | None, About("a name for this turn; one is made up otherwise")] = None
    explain: Annotated[bool, About("tell what was seen in the turn", tool=False)] = False


@dataclass(frozen=True)
class ObserveRequest(StrictRequest):
    content: Annotated[str, About(_TURN)]
    role: Annotated[Role, About("who said it")] = Role.USER
    history: Annotated[tuple[EarlierTurn, ...], About(_HISTORY)] = ()
    turn_id: Annotated[str | None, About("a name for this turn; one is made up otherwise")] = None
    session_id: Annotated[str | None, About("the conversation it belongs to")] = None
    budget: Budget = 1024


@dataclass(frozen=True)
class TurnDecision:
    turn_id: str
    action: Annotated[Action, About("save it, skip it, or retrieve memories for it")]
    reason: str
    phase: Annotated[str, About("what decided: rules, sure (a certain rule) or learned")]
    confidence: float
    importance: Annotated[float, About("how much the turn is worth saving, 0 to 1")]
    fetches: Annotated[bool, About("memories help with the answer")]
    duplicate_of: Annotated[str | None, About("the memory that says the same already")]
    explored: bool
    forget: Annotated[str | None, About("what the turn asks to forget, in its own words; the rest is decided about")]
    features: Annotated[
        dict[str, Any] | None, About("the features of the turn and its position; null unless requested")
    ] = None


@dataclass(frozen=True)
class ForgetAnswer:
    """What became of a request to forget. What was forgotten can be restored for seven days."""

    outcome: Annotated[ForgetOutcome, About("what was done; confirm: nothing yet, pass ids to memory_delete")]
    about: Annotated[str, About("what to forget, in the user's words")]
    forgotten: tuple[Memory, ...]
    to_confirm: Annotated[tuple[Memory, ...], About("memories that match, to be chosen from")]
    protected: Annotated[tuple[Memory, ...], About("memories that match but are protected; they were kept")]
    more: Annotated[bool, About("more memories match than are listed")]


@dataclass(frozen=True)
class Observation:
    decision: TurnDecision
    memory: Annotated[Memory | None, About("the memory that was saved, or that the turn repeats")]
    context: Annotated[str, About("memories for the answer, as quoted data; empty if there are none")]
    used: Annotated[tuple[str, ...], About("the ids of the memories in the context")]
    forgetting: Annotated[ForgetAnswer | None, About("what became of a request to forget something")]
    feeling: Annotated[Feeling | None, About("what the memories in the context feel like; null if there are none")]
    notice: Annotated[
        str | None,
        About("what the user should be told: secrets redacted, nothing known about the question; else null"),
    ]
    problem: Annotated[str | None, About("what went wrong, if anything did")]


@dataclass(frozen=True)
class PerceiveRequest(StrictRequest):
    content: Annotated[str, About(_TURN)]
    role: Annotated[Role, About("who said it")] = Role.USER


@dataclass(frozen=True)
class TurnSigns:
    importance: Annotated[float, About("the probability that the turn is worth saving, 0 to 1")]
    needs_memory: Annotated[float, About("the probability that memories help to reply, 0 to 1")]
    act: Annotated[str, About("what the user does by saying this: statement, question, request, instruction, ...")]
    lifetime: Annotated[str, About("how long it stays true: passing, season, lasting")]
    category: str
    subject: Annotated[str, About("whom it is about: user, person, thing")]
    attribute: Annotated[str, About("what it says about them, such as home, work or health")]
    read_by: Annotated[str, About("what read it: the trained model, or rules for other languages")]
    because: Annotated[tuple[str, ...], About("the parts of the text that decided whether to save it")]
    question: bool
    personal: bool
    preference: bool
    technical: bool
    emotion: bool
    remember: Annotated[bool, About("asks to be remembered")]
    small_talk: bool
    prose: bool


@dataclass(frozen=True)
class FeedbackRequest(StrictRequest):
    reward: Annotated[float | None, About("what the turn was worth; or give a text", -1, 1)] = None
    text: Annotated[str | None, About("the user's reply, instead of a number")] = None
    turn_id: Annotated[str | None, About("the turn; the last one if left out")] = None
    session_id: Annotated[str | None, About("the last turn of this conversation")] = None


@dataclass(frozen=True)
class JudgeAnswerRequest(StrictRequest):
    question: Annotated[str, About("what was asked")]
    right: Annotated[bool, About("whether the memories that are found for it answer it")]
    where: Annotated[MemoryFilter | None, About("the filter that was asked with")] = None


@dataclass(frozen=True)
class FeedbackResult:
    turn_id: str
    reward: float
    kind: str
    credited: Annotated[bool, About("false if there was nothing to credit, or it was credited before")]
    version: Annotated[int, About("of what was learned")]
    switched_off: Annotated[tuple[str, ...], About("learned parts that did worse than the rules")]


@dataclass(frozen=True)
class ExamResult:
    exams: int
    mean_reward: float


@dataclass(frozen=True)
class PolicyStatus:
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
    exams: dict[str, ExamResult]
    damaged: Annotated[tuple[int, ...], About("versions that cannot be used")]


@dataclass(frozen=True)
class PolicyVersion:
    version: int
    at: str
    rewards: Annotated[int, About("how many rewards there had been when it began")]
    metrics: dict[str, Any]


@dataclass(frozen=True)
class PolicyVersions:
    checkpoints: tuple[PolicyVersion, ...]


@dataclass(frozen=True)
class PolicyRollbackRequest(StrictRequest):
    version: Annotated[int, About("a version that is kept; 0 is the beginning", 0, 2**53)]


@dataclass(frozen=True)
class UnwantedRequest(StrictRequest):
    attribute: Annotated[Attribute, About("what turns say about somebody, such as money or health")]


@dataclass(frozen=True)
class UnwantedList:
    attributes: Annotated[
        tuple[Attribute, ...], About("turns that say this are not kept, unless the user asks for it")
    ]


def unwanted(caller: Caller, request: EmptyRequest) -> UnwantedList:
    return UnwantedList(tuple(sorted(caller.memory.policy.unwanted(), key=lambda attribute: attribute.value)))


def stop_keeping(caller: Caller, request: UnwantedRequest) -> UnwantedList:
    from celestial_engine.core.retrieval.profile import label_of  # long lists, which a turn does not need

    if request.attribute not in caller.memory.policy.unwanted():
        korean = caller.language == "ko"
        name = label_of(request.attribute, caller.language)
        text = f"‘{name}’에 관한 말은 남기지 않는다." if korean else f"Do not keep what I say about this: {name}."
        item = caller.memory.store(text, tags=[TAG], metadata={FIELD: request.attribute.value}, tier=Tier.M365)
        caller.memory.pin(item.id)
    return unwanted(caller, EmptyRequest())


def keep_again(caller: Caller, request: UnwantedRequest) -> UnwantedList:
    item = caller.memory.policy.unwanted().get(request.attribute)
    if item is not None:
        if item.protection is Protection.PINNED:
            caller.memory.unpin(item.id)
        caller.memory.forget(item.id)
    return unwanted(caller, EmptyRequest())


def decide(caller: Caller, request: DecideRequest) -> TurnDecision:
    decision = caller.memory.decide(_turn(request), _history(request), request.turn_id)
    signs = None
    if request.explain:
        features = decision.features
        signs = encode(_signs(caller, features, request.content)) | {
            name: getattr(features, name) for name in _POSITION
        }
    return _decided(decision, signs)


def observe(caller: Caller, request: ObserveRequest) -> Observation:
    observed = caller.memory.observe(
        _turn(request), _history(request), request.turn_id, budget=request.budget, session_id=request.session_id
    )
    item = None if observed.item is None else memory_view(caller, observed.item)
    forgetting = None if observed.forgetting is None else _forgetting(caller, observed.forgetting)
    feeling, trouble = feeling_view(observed.feeling), caller.message(observed.problem)
    return Observation(
        _decided(observed.decision), item, observed.context, observed.hits, forgetting, feeling,
        observed.notice or None, trouble,
    )  # fmt: skip


def perceive(caller: Caller, request: PerceiveRequest) -> TurnSigns:
    features = caller.memory.policy.features({"content": request.content, "role": request.role})
    return _signs(caller, features, request.content)


def feedback(caller: Caller, request: FeedbackRequest) -> FeedbackResult:
    result = caller.memory.feedback(request.turn_id, request.reward, request.text, session_id=request.session_id)
    return view_of(FeedbackResult, result, reward=result.reward.value, kind=result.reward.kind.value)


def judge_answer(caller: Caller, request: JudgeAnswerRequest) -> FeedbackResult:
    where = item_filter(caller, request.where)
    result = caller.memory.judge_answer(request.question, request.right, where)
    return view_of(FeedbackResult, result, reward=result.reward.value, kind=result.reward.kind.value)


def status(caller: Caller, request: EmptyRequest) -> PolicyStatus:
    result = caller.memory.policy.status()
    return view_of(
        PolicyStatus, result, band_low=result.band.low, band_high=result.band.high,
        actions={action.value: count for action, count in result.actions.items()},
        exams={name: view_of(ExamResult, stood) for name, stood in result.exams.items()},
    )  # fmt: skip


def checkpoints(caller: Caller, request: EmptyRequest) -> PolicyVersions:
    return PolicyVersions(tuple(_version(checkpoint) for checkpoint in caller.memory.policy.versions()))


def rollback(caller: Caller, request: PolicyRollbackRequest) -> PolicyVersion:
    return _version(caller.memory.policy.rollback(request.version))


def _turn(request: DecideRequest | ObserveRequest) -> dict[str, Any]:
    return {"content": request.content, "role": request.role}


def _history(request: DecideRequest | ObserveRequest) -> list[dict[str, Any]]:
    return [
        {"content": turn.content, "role": turn.role, "action": turn.action, "memory_id": turn.memory_id}
        for turn in request.history
    ]


def _forgetting(caller: Caller, forgetting: Forgetting) -> ForgetAnswer:
    def views(items: tuple[CelestialItem, ...]) -> tuple[Memory, ...]:
        return tuple(memory_view(caller, item) for item in items)

    return view_of(
        ForgetAnswer, forgetting, forgotten=views(forgetting.forgotten), to_confirm=views(forgetting.to_confirm),
        protected=views(forgetting.protected),
    )  # fmt: skip


def _signs(caller: Caller, features: TurnFeatures, text: str) -> TurnSigns:
    reading = features.reading
    because = tuple(dict.fromkeys(influence.part for influence in caller.memory.policy.explain(text)))
    return view_of(
        TurnSigns, features, needs_memory=reading.needs_memory, act=reading.act.value,
        lifetime=reading.lifetime.value, category=reading.category.value, subject=reading.subject.value,
        attribute=reading.attribute.value, read_by=reading.read_by.value, because=because,
    )  # fmt: skip


def _decided(decision: Decision, signs: dict[str, Any] | None = None) -> TurnDecision:
    return view_of(
        TurnDecision, decision, reason=str(getattr(decision.reason, "value", decision.reason)),
        phase=decision.phase.name.lower(),
        importance=decision.features.importance, forget=None if decision.forget is None else decision.forget.about,
        features=signs,
    )  # fmt: skip


def _version(checkpoint: Checkpoint) -> PolicyVersion:
    return PolicyVersion(checkpoint.version, timestamp(checkpoint.at), checkpoint.began, checkpoint.metrics)


OPERATIONS = (
    Operation(
        "policy_decide",
        "What to do with a turn of the conversation: save it, skip it, or retrieve memories for it; nothing is done.",
        DecideRequest, TurnDecision, decide, Route("POST", "/turns/decide"), commands=(Command("decide",
        ("content",), hidden=("turn_id", "explain"), values={"explain": True}),),
        examples=({"content": "내 이름은 민수야"},),
    ),
    Operation(
        "turn_observe",
        "Decide about a turn and do it: save what is worth it, give the memories that help with the answer, and "
        "forget what the user asks to forget.",
        ObserveRequest, Observation, observe, Route("POST", "/turns"), Scope.WRITE, Effect.ADDS,
        commands=(Command("observe", ("content",), hidden=("turn_id",)),),
        examples=({"content": "I moved to Busan last week", "session_id": "monday"},),
    ),
    Operation(
        "turn_perceive", "What can be seen of a turn, whatever is stored.",
        PerceiveRequest, TurnSigns, perceive, Route("POST", "/turns/perceive"), tool=False,
    ),
    Operation(
        "feedback", "What a turn was worth, as a number or in the user's words; deciding and ranking learn from it.",
        FeedbackRequest, FeedbackResult, feedback, Route("POST", "/turns/feedback"), Scope.WRITE, Effect.ADDS,
        commands=(Command("policy feedback", ("turn_id",)),), examples=({"reward": 1.0},),
    ),
    Operation(
        "answer_judge",
        "Whether what is found for a question answers it; deciding and ranking learn from it, nothing is counted.",
        JudgeAnswerRequest, FeedbackResult, judge_answer, Route("POST", "/search/feedback"), Scope.WRITE, Effect.ADDS,
        tool=False,
    ),
    Operation(
        "policy_status", "How the part that learns stands, and whether it may decide.",
        EmptyRequest, PolicyStatus, status, Route("GET", "/policy"), commands=(Command("policy status"),),
    ),
    Operation(
        "unwanted_list", "What turns are not kept because the user does not want such things kept.",
        EmptyRequest, UnwantedList, unwanted, Route("GET", "/policy/unwanted"), tool=False,
    ),
    Operation(
        "unwanted_add", "Stop keeping what turns say about something, such as money; a memory says so from now on.",
        UnwantedRequest, UnwantedList, stop_keeping, Route("PUT", "/policy/unwanted/{attribute}"), Scope.WRITE,
        Effect.ADDS, True, tool=False,
    ),
    Operation(
        "unwanted_remove", "Keep again what turns say about something.",
        UnwantedRequest, UnwantedList, keep_again, Route("DELETE", "/policy/unwanted/{attribute}"), Scope.WRITE,
        Effect.ADDS, True, tool=False,
    ),
    Operation(
        "policy_checkpoints", "The versions of what was learned that are kept, newest first.",
        EmptyRequest, PolicyVersions, checkpoints, Route("GET", "/policy/checkpoints"), tool=False,
        commands=(Command("policy checkpoints"),),
    ),
    Operation(
        "policy_rollback", "Back to what a version knew, as a new version.",
        PolicyRollbackRequest, PolicyVersion, rollback, Route("POST", "/policy/rollback"), Scope.WRITE, Effect.ADDS,
        tool=False,
        commands=(Command("policy rollback", ("version",)),),
    ),
)  # fmt: skip
