"""Turns of a conversation: what would be done with one, what was done, and what was learned."""

from __future__ import annotations

from celestial_engine.core.turn.conversation import read_utterance
from celestial_engine.surfaces.cli.failures import OK, UNEXPECTED
from celestial_engine.surfaces.cli.terminal import fitted, one_line
from celestial_engine.surfaces.cli.texts.catalogue import Texts
from celestial_engine.surfaces.cli.views.command_result import Before, CommandResult, ExitCode, View
from celestial_engine.surfaces.cli.views.format import clock_time, short
from celestial_engine.surfaces.operations.turns import ExamResult, ForgetAnswer, TurnDecision

_SHOWN_COLUMNS = 80
_SIGNS = ("question", "personal", "preference", "technical", "emotion", "remember")


def _decided(result: CommandResult) -> None:
    decision, texts = result.answer, result.texts
    features = decision.features or {}
    signs = ", ".join(texts.word("sign", name) for name in _SIGNS if features.get(name))
    result.console.say(
        _summary(texts, decision),
        texts("say.decided_by", phase=texts.word("phase", decision.phase)),
        texts("say.turn_shows", signs=signs or "-", importance=f"{decision.importance:.2f}"),
    )
    if decision.forget is not None:
        result.say("say.asks_to_forget", about=decision.forget)
    if decision.duplicate_of is not None:
        result.say("say.duplicate_of", id=short(decision.duplicate_of))


def _observed(result: CommandResult) -> None:
    """The fetched memories alone go to standard output, so that they can be piped into a prompt."""
    observed, console, texts = result.answer, result.console, result.texts
    if observed.context:
        console.verbatim(observed.context)
    if observed.notice:
        console.remark(observed.notice)
    console.remark(_summary(texts, observed.decision))
    if observed.memory is not None:
        key = "say.mentioned_again" if observed.decision.duplicate_of else "say.saved_turn"
        console.remark(texts(key, id=short(observed.memory.id), count=observed.memory.mention_count))
        for replaced in observed.memory.replaces if not observed.decision.duplicate_of else ():
            console.remark(texts("say.replaces", id=short(replaced.id), text=one_line(replaced.content or "")))
    if observed.forgetting is not None:
        _forgetting(result, observed.forgetting)
    if observed.problem is not None:
        console.remark(texts("say.turn_problem", problem=observed.problem))


def _forgetting(result: CommandResult, answer: ForgetAnswer) -> None:
    console, texts = result.console, result.texts
    count = f"{len(answer.to_confirm)}+" if answer.more else str(len(answer.to_confirm))
    console.remark(texts(f"say.forget_{answer.outcome.value}", about=answer.about, count=count))
    listed = (
        ("say.forgotten_memory", answer.forgotten),
        ("say.matching_memory", answer.to_confirm),
        ("say.protected_memory", answer.protected),
    )
    for key, memories in listed:
        for memory in memories:
            console.remark(texts(key, id=short(memory.id), text=fitted(one_line(memory.content), _SHOWN_COLUMNS)))


def _summary(texts: Texts, decision: TurnDecision) -> str:
    return texts(
        "say.decided",
        action=texts.word("turn", decision.action.value),
        why=texts.word("why", decision.reason),
        confidence=f"{decision.confidence:.2f}",
    )


def _credited(result: CommandResult) -> None:
    answer = result.answer
    key = "say.policy_credited" if answer.credited else "say.policy_not_credited"
    kind = result.texts.word("reward", answer.kind)
    result.say(key, turn=short(answer.turn_id), reward=f"{answer.reward:+g}", kind=kind)


def _status(result: CommandResult) -> None:
    status, texts = result.answer, result.texts
    mix = ", ".join(f"{texts.word('turn', action)} {count}" for action, count in status.actions.items())
    band = {"low": f"{status.band_low:.2f}", "high": f"{status.band_high:.2f}"}
    result.console.say(
        texts(
            "say.policy_version", version=status.version, rewards=status.rewards, mean=f"{status.mean_reward:+.2f}"
        ),
        texts("say.policy_learned", updates=status.updates, reranker=status.reranker_updates),
        texts("say.policy_mix", mix=mix, epsilon=f"{status.epsilon:.3f}"),
        texts("say.policy_band", **band) if status.trust else texts("say.policy_no_band"),
        texts("say.policy_exams", learned=_exam(status.exams["learned"]), rules=_exam(status.exams["rules"])),
    )
    for part, on in (("policy", status.on), ("reranker", status.reranker_on)):
        if not on:
            result.say("say.policy_off", part=texts.word("part", part))
    if status.damaged:
        result.say("say.policy_damaged", versions=", ".join(map(str, status.damaged)))


def _exam(result: ExamResult) -> str:
    return f"{result.mean_reward:+.2f} ({result.exams})" if result.exams else "-"


def _checkpoints(result: CommandResult) -> None:
    rows = [
        [str(one.version), clock_time(one.at),
         *(str(one.metrics.get(name, "-")) for name in ("rewards", "mean_reward", "updates"))]
        for one in result.answer.checkpoints
    ]  # fmt: skip
    names = ("version", "when", "rewards", "mean_reward", "updates")
    result.say_table(names, rows, "say.policy_nothing", right=(0, 2, 3, 4))


def _rolled_back(result: CommandResult) -> None:
    result.say("say.policy_back", version=result.answer.version, back_to=result.request.version)


VIEWS: dict[str, View] = {
    "policy_decide": _decided,
    "turn_observe": _observed,
    "feedback": _credited,
    "policy_status": _status,
    "policy_checkpoints": _checkpoints,
    "policy_rollback": _rolled_back,
}
# A turn that is none is refused here; `observe` itself never fails a host's turn.
BEFORE: dict[str, Before] = {
    "turn_observe": lambda _, request: read_utterance({"role": request.role, "content": request.content}),
}
EXIT_CODES: dict[str, ExitCode] = {
    "turn_observe": lambda result: OK if result.answer.problem is None else UNEXPECTED,
}
