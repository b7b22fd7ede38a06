"""Views of ideas: one, why there is none, earlier ones, and feedback."""

from __future__ import annotations

from celestial_engine.surfaces.cli.terminal import one_line
from celestial_engine.surfaces.cli.views.command_result import CommandResult, View
from celestial_engine.surfaces.cli.views.format import clock_time, short


def _imagined(result: CommandResult) -> None:
    answer, texts, caller = result.answer, result.texts, result.caller
    if answer.refused is not None:
        result.console.remark(texts("say.model_refused", reason=answer.refused))
    idea = answer.idea
    if idea is None:
        result.say(f"why_not.{answer.why_not or 'off'}")
        return
    result.console.say(idea.scenario)
    if idea.action:
        result.say("say.imagined_action", action=idea.action)
    result.say("say.imagined_mood", mood=texts.word("mood", idea.emotion))
    result.say("say.imagined_from")
    for item_id in idea.memories:
        text = one_line(caller.memory.get(item_id).content)
        result.console.say(f"  {short(item_id)}  {text}")
    result.say("say.imagined_answer", id=short(idea.id))


def _past(result: CommandResult) -> None:
    texts = result.texts
    answers = {True: texts("say.liked"), False: texts("say.disliked"), None: "-"}
    rows = [
        [short(one.id), clock_time(one.at), texts.word("mood", one.emotion), answers[one.liked],
         one_line(one.scenario)]
        for one in result.answer.ideas
    ]  # fmt: skip
    result.say_table(("id", "when", "mood", "answer", "text"), rows, "say.never_imagined")


def _answered(result: CommandResult) -> None:
    patterns = result.caller.memory.imagination.patterns()
    (strength,) = [one.strength for one in patterns if one.pattern == result.answer.pattern]
    result.say("say.answered", strength=f"{strength:.2f}")


VIEWS: dict[str, View] = {
    "imagine": _imagined,
    "imagination_list": _past,
    "imagination_feedback": _answered,
}
