"""A text for a prompt, and what ties memories together."""

from __future__ import annotations

from collections.abc import Sequence

from celestial_engine.core.retrieval.profile import label_of, section_of
from celestial_engine.surfaces.cli.terminal import fitted, one_line, terminal_columns
from celestial_engine.surfaces.cli.texts.catalogue import Texts
from celestial_engine.surfaces.cli.views.command_result import CommandResult, View
from celestial_engine.surfaces.cli.views.format import clock_time, headed, short
from celestial_engine.surfaces.operations.context import KnownFact, PromptContext, RelatedMemory

_SHARED_COLUMNS = 30


def _composed(result: CommandResult) -> None:
    """The text alone goes to standard output, so that it can be piped into a prompt; what it holds is a remark."""
    if result.answer.text:
        result.console.verbatim(result.answer.text)
    result.console.remark(composed(result.texts, result.answer))


def composed(texts: Texts, context: PromptContext) -> str:
    """One line about a text for a prompt: what it holds, and what found no room."""
    levels = [used.level for used in context.used]
    if not levels:
        key = "say.nothing_fits" if context.left_out else "say.nothing_found"
        return texts(key, budget=context.budget, left_out=context.left_out)
    full, gist, facts = (levels.count(level) for level in range(3))
    return texts(
        "say.composed", count=len(levels), tokens=context.tokens, budget=context.budget, full=full, gist=gist,
        facts=facts, left_out=context.left_out,
    )  # fmt: skip


def _profile(result: CommandResult) -> None:
    """The facts under their headings, each with the id of the memory that says it."""
    answer, language = result.answer, result.texts.language
    for subject in dict.fromkeys(fact.subject for fact in answer.facts):
        rows = [
            [label_of(fact.attribute, language), clock_time(fact.at)[:10], short(fact.id), _still_true(result, fact)]
            for fact in answer.facts
            if fact.subject is subject
        ]
        result.console.say(
            section_of(subject, language), *headed(result.texts, ["about", "told", "id", "text"], rows)
        )
    if not answer.facts:
        result.say(
            "say.no_fact_fits" if answer.left_out else "say.nothing_known",
            budget=answer.budget,
            left_out=answer.left_out,
        )
    elif answer.left_out:
        result.console.remark(result.texts("say.profile_left_out", left_out=answer.left_out, budget=answer.budget))


def _still_true(result: CommandResult, fact: KnownFact) -> str:
    changed = (
        "" if fact.until is None else f" ({result.texts('say.partly_replaced', until=clock_time(fact.until)[:10])})"
    )
    return fact.text + changed


def _related(result: CommandResult) -> None:
    if result.answer.related:
        result.console.say(*related_table(result.texts, result.answer.related))
    else:
        result.say("say.nothing_related")


def related_table(texts: Texts, related: Sequence[RelatedMemory]) -> list[str]:
    """Memories, nearest first, with what ties them; a negation is a column only where there is one."""
    negated = any(one.negative for one in related)
    rows = []
    for one in related:
        row = [str(one.distance), short(one.memory.id), _shared(texts, one)]
        if negated:
            row.append(texts("view.negated") if one.negative else "")
        rows.append([*row, one.memory.content])
    return headed(texts, ["distance", "id", "shared", *(["negated"] if negated else []), "text"], rows, right=(0,))


def _shared(texts: Texts, one: RelatedMemory) -> str:
    words = [*([texts("view.linked")] if one.linked else []), *one.shared]
    line = one_line(", ".join(words)) or "-"
    return line if terminal_columns() is None else fitted(line, _SHARED_COLUMNS)


VIEWS: dict[str, View] = {
    "auto_search": _composed,
    "memory_profile": _profile,
    "memory_get_related": _related,
}
