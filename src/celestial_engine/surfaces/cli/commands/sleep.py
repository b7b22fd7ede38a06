"""Sleep from the command line: the night, what it would do, when it is due, and what was told of it."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from celestial_engine.core.night.sleep import Census, Duty, DutyReport, Outcome, Planned, SleepReport
from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import NotFoundError
from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.failures import OK, REFUSED, STORAGE, UNEXPECTED, Failure, UsageError
from celestial_engine.surfaces.cli.terminal import one_line, padded
from celestial_engine.surfaces.cli.views import render

_BAR_COLUMNS = 20
_MOST_SHOWN = 20  # memories of one duty; --json has them all


def sleep(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    if args.action is None:
        return _sleep(memory, args, console)
    if args.dry_run or args.duty or args.allow_large or args.force or args.everybody:
        raise UsageError(f"unrecognized arguments: {args.action}")
    return _status(memory, console) if args.action == "status" else _reports(memory, console)


def _sleep(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    def show(duty: Duty, done: int, total: int) -> None:
        bar = padded(render.bar(done / (total or 1), _BAR_COLUMNS), _BAR_COLUMNS)
        console.progress(f"{bar} {_duty(console, duty)}")

    wish: dict[str, Any] = {"duties": args.duty, "dry_run": args.dry_run, "force": args.force,
                            "allow_large": args.allow_large, "progress": show}  # fmt: skip
    try:
        reports = memory.night.sleep_everybody(**wish) if args.everybody else [memory.sleep(**wish)]
    finally:
        console.progress("")
    if console.as_json:
        told = [_as_json(report) for report in reports]
        console.data(told if args.everybody else told[0])
    else:
        for report in reports:
            if args.everybody:
                console.say(f"{report.owner.user_id}/{report.owner.agent_id}")
            _say(memory, console, report, mine=not args.everybody)
    console.flush()
    return max((_judge(console, report) for report in reports), default=OK)


def _judge(console: Console, report: SleepReport) -> int:
    """The exit code, with a sentence for each reason why it is not 0."""
    texts = console.texts
    if report.busy is not None:
        console.fail(Failure(STORAGE, "asleep", texts("fail.asleep", process=report.busy.partition("-")[0])))
        return STORAGE
    for failed in report.failed:
        message = texts(
            "fail.duty",
            duty=_duty(console, failed.duty),
            reason="" if failed.error is None else texts.error(failed.error),
        )
        console.fail(Failure(UNEXPECTED, "duty", message))
    for held in report.held:
        message = texts("fail.held", duty=_duty(console, held.duty), count=len(held.leaving),
                        total=report.before.in_orbit)  # fmt: skip
        console.fail(Failure(REFUSED, "held", message))
    if report.held:
        return REFUSED
    return UNEXPECTED if report.failed else OK


def _say(memory: CelestialMemory, console: Console, report: SleepReport, *, mine: bool) -> None:
    texts = console.texts
    if report.busy is not None:
        return
    if not report.duties:
        console.say(texts("say.nothing_due"))
        return
    if report.dry_run:
        for one in report.duties:
            if one.planned:
                _say_plan(memory, console, report, one, texts_too=mine)
        planned = any(one.planned for one in report.duties)
        console.say(texts("say.only_planned" if planned else "say.nothing_planned"))
        return
    rows = [[_duty(console, one.duty), texts(f"outcome.{one.outcome.value}"), f"{one.seconds:.1f}",
             _counts(console, one)] for one in report.duties]  # fmt: skip
    console.say(*render.table([texts(f"col.{name}") for name in ("duty", "outcome", "seconds", "done")], rows, (2,)))
    console.say("", *_before_and_after(console, report.before, report.after))
    if report.woken:
        console.say(texts("say.woken"))


def _say_plan(
    memory: CelestialMemory, console: Console, report: SleepReport, one: DutyReport, *, texts_too: bool
) -> None:
    texts = console.texts
    console.say(texts("say.plan_line", duty=_duty(console, one.duty), count=len(one.planned)))
    if not texts_too:  # what others remember is nobody else's business
        return
    for planned in one.planned[:_MOST_SHOWN]:
        console.say(f"  {_planned(memory, console, report, planned)}")
    rest = len(one.planned) - _MOST_SHOWN
    if rest > 0:
        console.say(f"  {texts('say.plan_rest', count=rest)}")


def _planned(memory: CelestialMemory, console: Console, report: SleepReport, planned: Planned) -> str:
    owner = {"user_id": report.owner.user_id, "agent_id": report.owner.agent_id}
    try:
        text = one_line(memory.of(**owner).get(planned.item_id).content)
    except NotFoundError:  # gone since it was planned
        text = ""
    change = console.texts.word("change", planned.change)
    if planned.other is not None:
        other = planned.other if planned.other in {tier.value for tier in Tier} else render.short(planned.other)
        change = f"{change} {other}"
    return f"{render.short(planned.item_id)}  {change}  {text}".rstrip()


def _counts(console: Console, one: DutyReport) -> str:
    if one.outcome is Outcome.HELD:
        return console.texts("say.would_leave", count=len(one.leaving))
    kind = "event" if one.duty is Duty.REPORT else "count"
    return ", ".join(f"{console.texts.word(kind, name)} {count}" for name, count in one.counts.items() if count)


def _before_and_after(console: Console, before: Census, after: Census) -> list[str]:
    """What there was and is, of everything that there was or is."""
    texts = console.texts
    counted = [(texts.word("state", state.value), before.states.get(state, 0), after.states.get(state, 0))
               for state in State]  # fmt: skip
    counted += [(tier.value, before.tiers.get(tier, 0), after.tiers.get(tier, 0)) for tier in Tier]
    counted += [(render.zone_name(texts, zone), before.zones.get(zone, 0), after.zones.get(zone, 0))
                for zone in sorted({*before.zones, *after.zones})]  # fmt: skip
    rows = [[name, str(then), str(now)] for name, then, now in counted if then or now]
    return render.table([texts("col.memories"), texts("col.before"), texts("col.after")], rows, right=(1, 2))


# -- looking at it ------------------------------------------------------------------------------------


def _status(memory: CelestialMemory, console: Console) -> int:
    status = memory.night.status()
    if console.as_json:
        console.data({
            "holder": status.holder,
            "duties": [{"duty": one.duty.value, "rhythm": one.duty.rhythm.value, "last_run": one.last_run,
                        "next_run": one.next_run} for one in status.duties],
        })  # fmt: skip
        return OK
    texts = console.texts
    rows = [[_duty(console, one.duty), texts(f"rhythm.{one.duty.rhythm.value}"),
             "-" if one.last_run is None else render.clock_time(one.last_run),
             texts("say.now") if one.due else render.clock_time(one.next_run)] for one in status.duties]  # fmt: skip
    console.say(*render.table([texts(f"col.{name}") for name in ("duty", "rhythm", "last_run", "next_run")], rows))
    if status.holder is not None:
        console.say(texts("say.asleep", process=status.holder.partition("-")[0]))
    return OK


def _reports(memory: CelestialMemory, console: Console) -> int:
    reports = memory.night.reports()
    if console.as_json:
        console.data([_as_json(report) for report in reports])
        return OK
    texts = console.texts
    if not reports:
        console.say(texts("say.never_slept"))
        return OK
    rows = [[render.clock_time(report.at), str(report.before.in_orbit), str(report.after.in_orbit),
             f"{report.seconds:.1f}", _summary(console, report.duties)] for report in reports]  # fmt: skip
    columns = [texts(f"col.{name}") for name in ("when", "before", "after", "seconds", "done")]
    console.say(*render.table(columns, rows, right=(1, 2, 3)))
    return OK


def _summary(console: Console, duties: Sequence[DutyReport]) -> str:
    told = [(one, _counts(console, one)) for one in duties if one.duty is not Duty.REPORT]
    return "; ".join(f"{_duty(console, one.duty)}: {counts}" for one, counts in told if counts)


def _duty(console: Console, duty: Duty) -> str:
    return console.texts(f"duty.{duty.value}")


def _as_json(report: SleepReport) -> dict[str, Any]:
    return {
        "user": report.owner.user_id,
        "agent": report.owner.agent_id,
        "at": report.at,
        "dry_run": report.dry_run,
        "busy": report.busy,
        "woken": report.woken,
        "before": report.before.to_dict(),
        "after": report.after.to_dict(),
        "duties": [
            {"duty": one.duty.value, "outcome": one.outcome.value, "counts": dict(one.counts),
             "seconds": round(one.seconds, 3), "leaving": list(one.leaving),
             "error": None if one.error is None else str(one.error),
             "planned": [planned._asdict() for planned in one.planned]}
            for one in report.duties
        ],
    }  # fmt: skip
