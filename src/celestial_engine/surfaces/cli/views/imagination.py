"""Views of ideas: one, why there is none, earlier ones, and feedback."""

from __future__ import annotations

from celestial_engine.surfaces.cli.terminal import one_line
from celestial_engine.surfaces.cli.views.format import clock_time, short
from celestial_engine.surfaces.cli.views.shown import Shown, View


def _imagined(shown: Shown) -> None:
    result, texts, caller = shown.answer, shown.texts, shown.caller
    if result.refused is not None:
        shown.console.remark(texts("say.model_refused", reason=result.refused))
    idea = result.idea
    if idea is None:
        shown.say(f"why_not.{result.why_not or 'off'}")
        return
    shown.console.say(idea.scenario)
    if idea.action:
        shown.say("say.imagined_action", action=idea.action)
    shown.say("say.imagined_mood", mood=texts.word("mood", idea.emotion))
    shown.say("say.imagined_from")
    for item_id in idea.memories:
        text = one_line(caller.memory.get(item_id).content)
        shown.console.say(f"  {short(item_id)}  {text}")
    shown.say("say.imagined_answer", id=short(idea.id))


def _past(shown: Shown) -> None:
    texts = shown.texts
    answers = {True: texts("say.liked"), False: texts("say.disliked"), None: "-"}
    rows = [
        [short(one.id), clock_time(one.at), texts.word("mood", one.emotion), answers[one.liked],
         one_line(one.scenario)]
        for one in shown.answer.ideas
    ]  # fmt: skip
    shown.say_table(("id", "when", "mood", "answer", "text"), rows, "say.never_imagined")


def _answered(shown: Shown) -> None:
    patterns = shown.caller.memory.imagination.patterns()
    (strength,) = [one.strength for one in patterns if one.pattern == shown.answer.pattern]
    shown.say("say.answered", strength=f"{strength:.2f}")


VIEWS: dict[str, View] = {
    "imagine": _imagined,
    "imagination_list": _past,
    "imagination_feedback": _answered,
}
