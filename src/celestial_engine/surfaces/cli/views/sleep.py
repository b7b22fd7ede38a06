"""Nights: what was done, what would be, when each duty is due, and what waits for the user's word."""

from __future__ import annotations

from celestial_engine.core.night.sleep import Duty, Outcome
from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.errors import NotFoundError
from celestial_engine.surfaces.cli.failures import OK, REFUSED, STORAGE, UNEXPECTED, Failure
from celestial_engine.surfaces.cli.terminal import one_line
from celestial_engine.surfaces.cli.texts.catalogue import Texts
from celestial_engine.surfaces.cli.views.command_result import CommandResult, ExitCode, View
from celestial_engine.surfaces.cli.views.format import clock_time, headed, short, zone_name
from celestial_engine.surfaces.operations.sleep import DutyResult, NightReport, PlannedChange

_MOST_SHOWN = 20  # memories of one duty; --json has them all


def _night(result: CommandResult) -> None:
    _say_night(result, result.answer, contents=True)


def _nights(result: CommandResult) -> None:
    for night in result.answer.nights:
        result.console.say(night.owner)
        _say_night(result, night, contents=False)


def _say_night(result: CommandResult, night: NightReport, *, contents: bool) -> None:
    texts, console = result.texts, result.console
    if night.busy is not None:
        return
    if not night.duties:
        result.say("say.nothing_due")
        return
    if night.dry_run:
        planned = [one for one in night.duties if one.planned]
        for one in planned:
            _say_plan(result, one, contents=contents)
        result.say("say.only_planned" if planned else "say.nothing_planned")
        return
    rows = [[_duty(texts, one.duty), texts(f"outcome.{one.outcome.value}"), f"{one.seconds:.1f}", _counts(texts, one)]
            for one in night.duties]  # fmt: skip
    console.say(*headed(texts, ("duty", "outcome", "seconds", "done"), rows, right=(2,)))
    console.say("", *_before_and_after(result, night))
    if night.woken:
        result.say("say.woken")


def _say_plan(result: CommandResult, one: DutyResult, *, contents: bool) -> None:
    result.say("say.plan_line", duty=_duty(result.texts, one.duty), count=len(one.planned))
    if not contents:  # other owners' memories are not shown
        return
    for planned in one.planned[:_MOST_SHOWN]:
        result.console.say(f"  {_planned(result, planned)}")
    rest = len(one.planned) - _MOST_SHOWN
    if rest > 0:
        result.console.say(f"  {result.texts('say.plan_rest', count=rest)}")


def _planned(result: CommandResult, planned: PlannedChange) -> str:
    try:
        text = one_line(result.caller.memory.get(planned.id).content)
    except NotFoundError:  # gone since it was planned
        text = ""
    change = result.texts.word("change", planned.change)
    if planned.other is not None:
        other = planned.other if planned.other in {tier.value for tier in Tier} else short(planned.other)
        change = f"{change} {other}"
    return f"{short(planned.id)}  {change}  {text}".rstrip()


def _counts(texts: Texts, one: DutyResult) -> str:
    if one.outcome is Outcome.HELD:
        return texts("say.would_leave", count=len(one.leaving))
    kind = "event" if one.duty is Duty.REPORT else "count"
    return ", ".join(f"{texts.word(kind, name)} {count}" for name, count in one.counts.items() if count)


def _before_and_after(result: CommandResult, night: NightReport) -> list[str]:
    """What there was and is, of everything that there was or is."""
    texts, before, after = result.texts, night.before, night.after
    names = {
        "states": {state.value: texts.word("state", state.value) for state in State},
        "tiers": {tier.value: tier.value for tier in Tier},
        "zones": {zone.name: zone_name(texts, zone.name) for zone in result.caller.zones},
    }
    rows = [
        [name, str(before[kind].get(key, 0)), str(after[kind].get(key, 0))]
        for kind, named in names.items()
        for key, name in named.items()
        if before[kind].get(key, 0) or after[kind].get(key, 0)
    ]
    return headed(texts, ("memories", "before", "after"), rows, right=(1, 2))


def _status(result: CommandResult) -> None:
    texts = result.texts
    rows = [
        [_duty(texts, one.duty), texts(f"rhythm.{one.rhythm.value}"),
         "-" if one.last_run is None else clock_time(one.last_run),
         texts("say.now") if one.due else clock_time(one.next_run)]
        for one in result.answer.duties
    ]  # fmt: skip
    result.console.say(*headed(texts, ("duty", "rhythm", "last_run", "next_run"), rows))
    if result.answer.asleep is not None:
        result.say("say.asleep", process=_process(result.answer.asleep))


def _reports(result: CommandResult) -> None:
    texts = result.texts
    rows = [
        [clock_time(night.at), str(_in_orbit(night.before)), str(_in_orbit(night.after)),
         f"{sum(one.seconds for one in night.duties):.1f}", _summary(texts, night)]
        for night in result.answer.nights
    ]  # fmt: skip
    result.say_table(("when", "before", "after", "seconds", "done"), rows, "say.never_slept", right=(1, 2, 3))


def _summary(texts: Texts, night: NightReport) -> str:
    counted = [(one, _counts(texts, one)) for one in night.duties if one.duty is not Duty.REPORT]
    return "; ".join(f"{_duty(texts, one.duty)}: {counts}" for one, counts in counted if counts)


def _process(holder: str) -> str:
    """The process in the name of a holder: host, process and a random part, and hosts have dashes too."""
    return holder.rpartition("-")[0].rpartition("-")[2] or holder


def _in_orbit(census: dict[str, dict[str, int]]) -> int:
    return sum(census["zones"].values())


def _duty(texts: Texts, duty: Duty) -> str:
    return texts(f"duty.{duty.value}")


def _exit_code(result: CommandResult, night: NightReport) -> int:
    """With a sentence for each reason why it is not 0."""
    texts, console = result.texts, result.console
    if night.busy is not None:
        console.fail(Failure(STORAGE, "asleep", texts("fail.asleep", process=_process(night.busy))))
        return STORAGE
    code = OK
    if night.woken:
        console.fail(Failure(UNEXPECTED, "woken", texts("fail.woken", owner=night.owner)))
        code = UNEXPECTED
    for one in night.duties:
        if one.outcome is Outcome.FAILED:
            message = texts("fail.duty", duty=_duty(texts, one.duty), reason=one.error or "")
            console.fail(Failure(UNEXPECTED, "duty", message))
            code = code or UNEXPECTED
        if one.outcome is Outcome.HELD:
            count, total = len(one.leaving), _in_orbit(night.before)
            message = texts("fail.held", duty=_duty(texts, one.duty), count=count, total=total)
            console.fail(Failure(REFUSED, "held", message))
            code = REFUSED
    return code


VIEWS: dict[str, View] = {
    "sleep_cycle_run": _night,
    "sleep_all": _nights,
    "sleep_status": _status,
    "sleep_reports": _reports,
}
EXIT_CODES: dict[str, ExitCode] = {
    "sleep_cycle_run": lambda result: _exit_code(result, result.answer),
    "sleep_all": lambda result: max((_exit_code(result, night) for night in result.answer.nights), default=OK),
}
