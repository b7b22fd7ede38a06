"""soul: SOUL.md written from the approved self, and what somebody edited in it read back as proposals."""

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

Said = Callable[[str, str], str]


def rendered(session: Reader, owner: Owner, notes: str = "") -> str:
    versions = session.self.versions(owner)
    number = versions[0].version if versions else 0
    return page.render(self_of(session, owner), core_memories(session, owner), number, notes)


def diff(store: ItemStore, owner: Owner, file: SoulFile) -> str:
    """What writing would change, line by line."""
    there = file.read()
    with store.read() as session:
        new = rendered(session, owner, "" if there is None else _notes(there))
    lines = difflib.unified_diff((there or "").splitlines(), new.splitlines(), file.path, file.path, lineterm="")
    return "\n".join(lines)


def _notes(text: str) -> str:
    try:
        return page.read(text).notes
    except page.NotASoulError:
        return ""


def write(store: ItemStore, owner: Owner, file: SoulFile) -> str:
    """Writes the page, unless that would take somebody's edits; gives its path."""
    there, notes = file.read(), ""
    with store.read() as session:
        if there is not None:
            notes = _refuse_edited(session, owner, file, there)
        text = rendered(session, owner, notes)
    if text != there:
        file.write(text)
    return file.path


def _refuse_edited(session: Reader, owner: Owner, file: SoulFile, there: str) -> str:
    found = _read(file, there)
    if not found.is_edited(_base(session, owner, found)):
        return found.notes
    if session.self.soul_digest(owner, file.path) != page.digest_of(there):
        raise SoulError(file.path, Reason.SOUL_EDITED)
    waiting = session.self.proposals(owner, ProposalStatus.PENDING, MOST_PENDING)
    edits = sum(one.channel is Channel.SOUL for one in waiting)
    if edits:
        raise SoulError(file.path, Reason.SOUL_EDITS_WAIT, count=edits)
    return found.notes


def read_back(store: ItemStore, owner: Owner, file: SoulFile, by: str, now: float, said: Said) -> list[Proposal]:
    """Every edit as a proposal; the same edits read again are the same proposals."""
    there = file.read()
    if there is None:
        raise SoulError(file.path, Reason.SOUL_MISSING)
    found = _read(file, there)
    with store.write(owner) as session:
        proposals: list[Proposal] = []
        for make in _edits(session, owner, found, said):
            try:
                made = make(session, owner)
            except InvalidInputError as error:
                raise SoulError(file.path, Reason.SOUL_EDIT_REFUSED, cause=error) from error
            edit = replace(made, kind=ProposalKind.SOUL_EDIT)
            proposals.append(put(session, owner, edit, by, Channel.SOUL, now))
        session.self.set_soul_digest(owner, file.path, page.digest_of(there))
    return proposals


def _read(file: SoulFile, text: str) -> page.Page:
    try:
        return page.read(text)
    except page.NotASoulError as error:
        raise SoulError(file.path, error.problem) from error


def _base(session: Reader, owner: Owner, found: page.Page) -> frozenset[str]:
    """The parts that the page had when it was written, as far as they are still there."""
    then = next((one for one in session.self.versions(owner) if one.version == found.version), None)
    present = {part_id for _, part_id in self_of(session, owner).parts()}
    return frozenset() if then is None else frozenset(part_id for _, part_id in then.self.parts()) & present


def _edits(session: Writer, owner: Owner, found: page.Page, said: Said) -> Iterator[Make]:
    present = self_of(session, owner)
    core = {page.reference(item.id): item.id for item in core_memories(session, owner)}
    for island in found.islands:
        if island.edited and (island.id is None or present.island(island.id) is not None):
            yield _island_edit(island, core, said)
    for belief in found.beliefs:
        if belief.edited and (belief.id is None or present.belief(belief.id) is not None):
            yield _belief_edit(belief, said)
    for memory in found.memories:
        if memory.edited and memory.id in core and not memory.text.endswith("…"):
            yield _memory_edit(core[memory.id], memory.text, said)
    for part_id in sorted(_base(session, owner, found) - found.ids):
        yield _taken_out(part_id, is_island=present.island(part_id) is not None)


def _island_edit(entry: page.IslandEntry, core: Mapping[str, str], said: Said) -> Make:
    emoji, name = entry.emoji_and_name
    part = {
        "name": said(name, "name"),
        "emoji": said(emoji, "emoji") if emoji else "",
        "description": said(entry.description, "description") if entry.description else "",
        "founders": [core[founder] for founder in entry.founders if founder in core],
    }

    def make(session: Writer, owner: Owner) -> ProposalDraft:
        if entry.id is None:
            return draft.island_founded(session, owner, part)
        return draft.island_changed(session, owner, entry.id, part)

    return make


def _belief_edit(entry: page.LineEntry, said: Said) -> Make:
    statement = said(entry.text, "statement")

    def make(session: Writer, owner: Owner) -> ProposalDraft:
        if entry.id is None:
            part: dict[str, Any] = {"statement": statement, "supports": [], "island": None}
            return draft.belief_formed(session, owner, part, by_hand=True)
        return draft.belief_changed(session, owner, entry.id, {"statement": statement})

    return make


def _memory_edit(item_id: str, text: str, said: Said) -> Make:
    content = said(text, "content")
    return lambda session, owner: draft.core_change(session, owner, item_id, content)


def _taken_out(part_id: str, *, is_island: bool) -> Make:
    def make(session: Writer, owner: Owner) -> ProposalDraft:
        if is_island:
            return draft.island_changed(session, owner, part_id, {}, dissolve=True)
        return draft.belief_changed(session, owner, part_id, {}, drop=True)

    return make
