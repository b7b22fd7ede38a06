"""Memories as people see them: in a table, or one in full."""

from __future__ import annotations

from collections.abc import Sequence

from celestial_engine.surfaces.cli.terminal import harmless_json, harmless_lines, one_line
from celestial_engine.surfaces.cli.texts.catalogue import Texts
from celestial_engine.surfaces.cli.views.command_result import CommandResult
from celestial_engine.surfaces.cli.views.format import (
    ago,
    ahead,
    clock_time,
    duration,
    facts,
    headed,
    score_text,
    seconds_of,
    short,
    zone_name,
)
from celestial_engine.surfaces.operations.views import Memory


def memory_table(texts: Texts, memories: Sequence[Memory], now: float) -> list[str]:
    """Memories, a line each; what protects them is a column only where something does."""
    guarded = any(memory.protection != "none" for memory in memories)
    rows = []
    for memory in memories:
        row = [short(memory.id), zone_name(texts, memory.zone), score_text(memory.score), str(memory.recall_count)]
        row.append(duration(texts, now - seconds_of(memory.created_at)))
        if guarded:
            row.append("" if memory.protection == "none" else texts.word("protection", memory.protection))
        rows.append([*row, content(texts, memory)])
    names = ["id", "zone", "score", "recalls", "age", *(["kept"] if guarded else []), "text"]
    return headed(texts, names, rows, right=(2, 3))


def content(texts: Texts, memory: Memory) -> str:
    """The text; of one that was superseded, until when it was valid."""
    note = _validity(texts, memory)
    return f"[{note}] {memory.content}" if note else memory.content


def show_memory(result: CommandResult) -> None:
    """One memory in full: what is known about it, then its text, set off so that it can imitate nothing."""
    memory, texts, now = result.answer, result.texts, result.now
    owner = result.caller.owner
    last = ago(texts, memory.last_recalled_at, now) if memory.recall_count else texts("time.never")
    pairs = [
        ("id", memory.id),
        ("zone", texts("view.scored", zone=zone_name(texts, memory.zone), score=score_text(memory.score))),
        ("importance", importance(texts, memory)),
        ("recalls", texts("view.recalled", count=memory.recall_count, when=last)),
        ("created", f"{clock_time(memory.created_at)} ({ago(texts, memory.created_at, now)})"),
        ("lifetime", lifetime(texts, memory, now)),
        ("state", state(texts, memory, now)),
        ("protection", texts.word("protection", memory.protection)),
        ("source", texts.word("source", memory.source)),
        ("owner", f"{owner.user_id} / {owner.agent_id}"),
    ]
    if replaced := _validity(texts, memory):
        pairs.append(("validity", replaced))
    if memory.replaces:
        pairs.append(("replaces", ", ".join(short(replaced.id) for replaced in memory.replaces)))
    if memory.session_id is not None:
        pairs.append(("session", memory.session_id))
    if memory.tags:
        pairs.append(("tags", ", ".join(memory.tags)))
    if memory.metadata:
        pairs.append(("metadata", harmless_json(memory.metadata)))
    pairs += _perceived(texts, memory)
    result.console.say(*facts(texts, pairs), "", *("    " + line for line in harmless_lines(memory.content)))


def show_replaced(result: CommandResult, memory: Memory) -> None:
    """The statements that this one made outdated, each on a line."""
    for replaced in memory.replaces:
        if replaced.content is not None:
            result.say("say.replaces", id=short(replaced.id), text=one_line(replaced.content))


def importance(texts: Texts, memory: Memory) -> str:
    source = texts.word("importance", memory.importance_source)
    return texts("view.judged", importance=f"{memory.importance:.2f}", source=source)


def state(texts: Texts, memory: Memory, now: float) -> str:
    word = texts.word("state", memory.state)
    if memory.purge_at is None or memory.departed_for is None:
        return word
    reason = texts.word("reason", memory.departed_for)
    return texts("view.departed", state=word, reason=reason, when=ahead(texts, memory.purge_at, now))


def _validity(texts: Texts, memory: Memory) -> str:
    if memory.superseded_by is None or memory.valid_until is None:
        return ""
    return texts("view.replaced", until=clock_time(memory.valid_until)[:10], by=short(memory.superseded_by))


def lifetime(texts: Texts, memory: Memory, now: float) -> str:
    when = texts("time.never") if memory.expires_at is None else ahead(texts, memory.expires_at, now)
    until = (
        texts("view.lasting", tier=memory.tier)
        if memory.lasting
        else texts("view.until", tier=memory.tier, when=when)
    )
    return f"{until} ({_tier_reason(texts, memory)})" if memory.tier_reason else until


def _tier_reason(texts: Texts, memory: Memory) -> str:
    reason = texts.word("tier_reason", memory.tier_reason or "")
    read = memory.tier_reason in ("lasting", "season", "passing") and memory.attribute not in (None, "other")
    return f"{reason}: {texts.word('attribute', memory.attribute or '')}" if read else reason


def _perceived(texts: Texts, memory: Memory) -> list[tuple[str, str]]:
    """What was read out of the text: its kind, what it is about, and its coarser readings."""
    pairs = []
    if memory.category is not None:
        pairs.append(("category", texts.word("category", memory.category)))
    if memory.keywords:
        pairs.append(("keywords", ", ".join(memory.keywords)))
    if memory.gist and one_line(memory.gist) != one_line(memory.content):
        pairs.append(("gist", memory.gist))
    for place, fact in enumerate(memory.facts):
        pairs.append(("" if place else "facts", " · ".join(fact.split(",", 2))))
    return pairs
