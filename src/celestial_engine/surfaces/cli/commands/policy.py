"""What was learned: how it stands, its versions, the way back; and feedback on a turn."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from celestial_engine.core.learning.checkpoints import Checkpoint
from celestial_engine.engine import CelestialMemory
from celestial_engine.surfaces.cli import arguments
from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.failures import OK, UsageError
from celestial_engine.surfaces.cli.views import render


def policy(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    judging = args.reward is not None or args.text is not None
    if judging and args.action != "feedback":
        raise UsageError(f"unrecognized arguments: --{'text' if args.reward is None else 'reward'}")
    if args.which is not None and args.action in ("status", "checkpoints"):
        raise UsageError(f"unrecognized arguments: {args.which}")
    return _ACTIONS[args.action](memory, args, console)


def _status(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    status, texts = memory.policy.status(), console.texts
    if console.as_json:
        data: dict[str, Any] = asdict(status)
        data["band"] = status.band._asdict()
        data["actions"] = {action.value: count for action, count in status.actions.items()}
        data["exams"] = {side: standing._asdict() for side, standing in status.exams.items()}
        console.data(data)
        return OK
    mix = ", ".join(f"{texts.word('turn', action.value)} {count}" for action, count in status.actions.items())
    console.say(
        texts(
            "say.policy_version", version=status.version, rewards=status.rewards, mean=f"{status.mean_reward:+.2f}"
        ),
        texts("say.policy_learned", updates=status.updates, reranker=status.reranker_updates),
        texts("say.policy_mix", mix=mix, epsilon=f"{status.epsilon:.3f}"),
        texts("say.policy_band", low=f"{status.band.low:.2f}", high=f"{status.band.high:.2f}")
        if status.trust
        else texts("say.policy_no_band"),
        texts(
            "say.policy_exams", learned=_standing(*status.exams["learned"]), rules=_standing(*status.exams["rules"])
        ),
    )
    off = [part for part, on in (("policy", status.on), ("reranker", status.reranker_on)) if not on]
    console.say(*(texts("say.policy_off", part=texts.word("part", part)) for part in off))
    if status.damaged:
        console.say(texts("say.policy_damaged", versions=", ".join(map(str, status.damaged))))
    return OK


def _checkpoints(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    found = memory.policy.versions()
    if console.as_json:
        console.data([asdict(checkpoint) for checkpoint in found])
    elif found:
        columns = ("version", "when", "rewards", "mean_reward", "updates")
        rows = [_row(checkpoint) for checkpoint in found]
        console.say(*render.table([console.texts(f"col.{name}") for name in columns], rows, right=(0, 2, 3, 4)))
    else:
        console.say(console.texts("say.policy_nothing"))
    return OK


def _rollback(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    if args.which is None:
        raise UsageError("the following arguments are required: VERSION")
    version = arguments.whole_number(args.which, "version", console.texts)
    checkpoint = memory.policy.rollback(version)
    if console.as_json:
        console.data(asdict(checkpoint))
    else:
        console.say(console.texts("say.policy_back", version=checkpoint.version, back_to=version))
    return OK


def _feedback(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    if (args.reward is None) == (args.text is None):
        raise UsageError("one of the arguments --reward --text is required")
    reward = None if args.reward is None else arguments.number(args.reward, "reward", console.texts)
    credit = memory.feedback(args.which, reward, args.text)
    if console.as_json:
        console.data(
            {
                "turn_id": credit.turn_id,
                "reward": credit.reward.value,
                "kind": credit.reward.kind.value,
                "credited": credit.credited,
                "version": credit.version,
                "switched_off": list(credit.switched_off),
            }
        )
        return OK
    key = "say.policy_credited" if credit.credited else "say.policy_not_credited"
    kind = console.texts.word("reward", credit.reward.kind.value)
    console.say(console.texts(key, turn=render.short(credit.turn_id), reward=f"{credit.reward.value:+g}", kind=kind))
    return OK


def _row(checkpoint: Checkpoint) -> list[str]:
    told = checkpoint.metrics
    return [
        str(checkpoint.version),
        render.clock_time(checkpoint.at),
        *(str(told.get(name, "-")) for name in ("rewards", "mean_reward", "updates")),
    ]


def _standing(exams: int, mean_reward: float) -> str:
    return f"{mean_reward:+.2f} ({exams})" if exams else "-"


_ACTIONS: dict[str, Callable[[CelestialMemory, Namespace, Console], int]] = {
    "status": _status,
    "checkpoints": _checkpoints,
    "rollback": _rollback,
    "feedback": _feedback,
}
