"""soul: write SOUL.md from the approved self, and read its edits back as proposals."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from celestial_engine.core.record.owner import Owner
from celestial_engine.core.self import soul as page
from celestial_engine.core.self.proposals import MOST_PENDING, Channel, Proposal, ProposalKind, ProposalStatus
from celestial_engine.errors import InvalidInputError, Reason, SoulError
from celestial_engine.flow.self import draft
from celestial_engine.flow.self.inbox import Make, ProposalDraft, put
from celestial_engine.flow.self.tend import core_memories, self_of
from celestial_engine.ports import ItemStore, Reader, SoulFile, Writer

CheckText = Callable[[str, str], str]
PAGE = "SOUL.md"


def rendered(session: Reader, owner: Owner, notes: str = "") -> str:
    versions = session.self.versions(owner)
    number = versions[0].version if versions else 0
    return page.render(self_of(session, owner), core_memories(session, owner), number, notes)


def diff(store: ItemStore, owner: Owner, file: SoulFile) -> str:
    """Return what writing would change, line by line."""
    current = file.read()
    with store.read() as session:
        new = rendered(session, owner, "" if current is None else _notes(current))
    lines = difflib.unified_diff((current or "").splitlines(), new.splitlines(), file.path, file.path, lineterm="")
    return "\n".join(lines)


def _notes(text: str) -> str:
    try:
        return page.parse_soul(text).notes
    except page.NotASoulError:
        return ""


def write(store: ItemStore, owner: Owner, file: SoulFile) -> str:
    """Write the page unless that would overwrite edits, and return its path."""
    current, notes = file.read(), ""
    with store.read() as session:
        if current is not None:
            notes = _refuse_edited(session, owner, file, current)
        text = rendered(session, owner, notes)
    if text != current:
        file.write(text)
    return file.path


def _refuse_edited(session: Reader, owner: Owner, file: SoulFile, current: str) -> str:
    parsed = _read(file.path, current)
    if not parsed.is_edited(_parts_when_written(session, owner, parsed)):
        return parsed.notes
    if session.self.soul_digest(owner, file.path) != page.page_digest(current):
        raise SoulError(file.path, Reason.SOUL_EDITED)
    waiting = session.self.proposals(owner, ProposalStatus.PENDING, MOST_PENDING)
    edits = sum(proposal.channel is Channel.SOUL for proposal in waiting)
    if edits:
        raise SoulError(file.path, Reason.SOUL_EDITS_WAIT, count=edits)
    return parsed.notes


def read_back(
    store: ItemStore, owner: Owner, file: SoulFile, by: str, now: float, check: CheckText
) -> list[Proposal]:
    """Turn every edit into a proposal; reading the same edits again yields the same proposals."""
    current = file.read()
    if current is None:
        raise SoulError(file.path, Reason.SOUL_MISSING)
    parsed = _read(file.path, current)
    with store.write(owner) as session:
        proposals = _propose(session, owner, parsed, file.path, by, Channel.SOUL, now, check)
        session.self.set_soul_digest(owner, file.path, page.page_digest(current))
    return proposals


def propose(
    store: ItemStore, owner: Owner, text: str, by: str, channel: Channel, now: float, check: CheckText
) -> list[Proposal]:
    """Turn every edit of a page that is in no file into a proposal."""
    parsed = _read(PAGE, text)
    if parsed.notes:  # only a file can keep them
        raise SoulError(PAGE, Reason.SOUL_NOTES)
    with store.write(owner) as session:
        return _propose(session, owner, parsed, PAGE, by, channel, now, check)


def _propose(
    session: Writer, owner: Owner, parsed: page.SoulPage, name: str, by: str, channel: Channel, now: float,
    check: CheckText,
) -> list[Proposal]:  # fmt: skip
    proposals: list[Proposal] = []
    for make in _edits(session, owner, parsed, check):
        try:
            proposal = make(session, owner)
        except InvalidInputError as error:
            raise SoulError(name, Reason.SOUL_EDIT_REFUSED, cause=error) from error
        proposals.append(put(session, owner, replace(proposal, kind=ProposalKind.SOUL_EDIT), by, channel, now))
    return proposals


def _read(name: str, text: str) -> page.SoulPage:
    try:
        return page.parse_soul(text)
    except page.NotASoulError as error:
        raise SoulError(name, error.problem) from error


def _parts_when_written(session: Reader, owner: Owner, parsed: page.SoulPage) -> frozenset[str]:
    """Return the parts that the page had when it was written and that still exist."""
    then = next((version for version in session.self.versions(owner) if version.version == parsed.version), None)
    present = {part_id for _, part_id in self_of(session, owner).parts()}
    return frozenset() if then is None else frozenset(part_id for _, part_id in then.self.parts()) & present


def _edits(session: Writer, owner: Owner, parsed: page.SoulPage, check: CheckText) -> Iterator[Make]:
    present = self_of(session, owner)
    core = {page.reference(item.id): item.id for item in core_memories(session, owner)}
    for island in parsed.islands:
        if island.edited and (island.id is None or present.island(island.id) is not None):
            yield _island_edit(island, core, check)
    for belief in parsed.beliefs:
        if belief.edited and (belief.id is None or present.belief(belief.id) is not None):
            yield _belief_edit(belief, check)
    for memory in parsed.memories:
        if memory.edited and memory.id in core and not memory.text.endswith("…"):
            yield _memory_edit(core[memory.id], memory.text, check)
    for part_id in sorted(_parts_when_written(session, owner, parsed) - parsed.ids):
        yield _removal(part_id, is_island=present.island(part_id) is not None)


def _island_edit(entry: page.IslandEntry, core: Mapping[str, str], check: CheckText) -> Make:
    emoji, name = entry.emoji_and_name
    part = {
        "name": check(name, "name"),
        "emoji": check(emoji, "emoji") if emoji else "",
        "description": check(entry.description, "description") if entry.description else "",
        "founders": [core[founder] for founder in entry.founders if founder in core],
    }

    def make(session: Writer, owner: Owner) -> ProposalDraft:
        if entry.id is None:
            return draft.island_founded(session, owner, part)
        return draft.island_changed(session, owner, entry.id, part)

    return make


def _belief_edit(entry: page.LineEntry, check: CheckText) -> Make:
    statement = check(entry.text, "statement")

    def make(session: Writer, owner: Owner) -> ProposalDraft:
        if entry.id is None:
            part: dict[str, Any] = {"statement": statement, "supports": [], "island": None}
            return draft.belief_formed(session, owner, part, by_hand=True)
        return draft.belief_changed(session, owner, entry.id, {"statement": statement})

    return make


def _memory_edit(item_id: str, text: str, check: CheckText) -> Make:
    content = check(text, "content")
    return lambda session, owner: draft.core_change(session, owner, item_id, content)


def _removal(part_id: str, *, is_island: bool) -> Make:
    def make(session: Writer, owner: Owner) -> ProposalDraft:
        if is_island:
            return draft.island_changed(session, owner, part_id, {}, dissolve=True)
        return draft.belief_changed(session, owner, part_id, {}, drop=True)

    return make
