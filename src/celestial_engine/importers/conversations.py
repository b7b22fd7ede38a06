"""Conversations: the exports of ChatGPT and Claude, as a zip, its folder, or its `conversations.json`.

Every message comes as what somebody said, with its place in its conversation; what is worth keeping of it is decided
as it is for a turn that is heard live. Of ChatGPT's tree of versions the branch that was last shown counts.
"""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterator
from typing import Any

from celestial_engine.core.keeping.imported_record import ImportedRecord
from celestial_engine.core.patterns import compiled
from celestial_engine.core.record.coordinate import TimeCoordinate
from celestial_engine.core.turn.conversation import Role
from celestial_engine.importers import values
from celestial_engine.importers.reading import Garbage, elements, member_named

CHATGPT, CLAUDE = "chatgpt", "claude"
MEMBERS = r"conversations(?:-\d{1,5})?\.json"
_ROLES = {
    "user": Role.USER,
    "human": Role.USER,
    "assistant": Role.ASSISTANT,
    "system": Role.SYSTEM,
    "tool": Role.TOOL,
}
_TEXTS = ("text", "multimodal_text")


def is_chatgpt(value: object) -> bool:
    return isinstance(value, dict) and isinstance(value.get("mapping"), dict)


def is_claude(value: object) -> bool:
    return isinstance(value, dict) and isinstance(value.get("chat_messages"), list)


def sources(path: str) -> list[tuple[str, str | None]]:
    """The files of conversations at a path, and their names within it if it is a zip."""
    if os.path.isdir(path):
        files = sorted(name for name in os.listdir(path) if compiled(MEMBERS).fullmatch(name))
        return [(os.path.join(path, name), None) for name in files]
    if zipfile.is_zipfile(path):
        return [(path, name) for name in member_named(path, MEMBERS)]
    return [(path, None)]


def read_chatgpt(path: str) -> Iterator[ImportedRecord | Garbage]:
    for where, told in _conversations(path):
        if is_chatgpt(told):
            yield from _chatgpt(where, told)
        else:
            yield told if isinstance(told, Garbage) else Garbage(where, "no_conversation")


def read_claude(path: str) -> Iterator[ImportedRecord | Garbage]:
    for where, told in _conversations(path):
        if is_claude(told):
            yield from _claude(where, told)
        else:
            yield told if isinstance(told, Garbage) else Garbage(where, "no_conversation")


def _conversations(path: str) -> Iterator[tuple[str, Any]]:
    for file, member in sources(path):
        for where, told in elements(file, member):
            yield f"{os.path.basename(member or file)}, {where}", told


def _chatgpt(where: str, told: dict[str, Any]) -> Iterator[ImportedRecord | Garbage]:
    conversation = values.name(told.get("conversation_id")) or values.name(told.get("id"))
    if conversation is None:
        yield Garbage(where, "no_id")
        return
    mapping, shown = told["mapping"], _shown(told)
    messages = []
    for node_id in shown:
        message = values.mapping(values.mapping(mapping[node_id]).get("message"))
        content = values.mapping(message.get("content"))
        role = _ROLES.get(str(values.mapping(message.get("author")).get("role")))
        parts = content.get("parts") if content.get("content_type") in _TEXTS else None
        text = "\n".join(part for part in parts if isinstance(part, str)) if isinstance(parts, list) else ""
        if role is not None and text.strip():
            messages.append((node_id, role, text, values.moment(message.get("create_time"))))
    seen = set(shown)
    for node_id, node in mapping.items():
        if node_id not in seen and values.mapping(values.mapping(node).get("message")):
            yield Garbage(f"{where}, {node_id}", "other_branch")
    yield from _spoken(CHATGPT, where, conversation, told, values.moment(told.get("create_time")), messages)


def _shown(told: dict[str, Any]) -> list[str]:
    """The branch that was shown last, from its beginning: from the current node up to the root."""
    mapping = told["mapping"]
    node = told.get("current_node")
    if not isinstance(node, str) or node not in mapping:
        node = _newest_leaf(mapping)
    branch: dict[str, None] = {}
    while isinstance(node, str) and node in mapping and node not in branch:  # a ring of parents ends, too
        branch[node] = None
        node = values.mapping(mapping[node]).get("parent")
    return [*reversed(branch)]


def _newest_leaf(mapping: dict[str, Any]) -> str | None:
    leaves = [node_id for node_id, node in mapping.items() if not values.mapping(node).get("children")]
    return max(leaves, key=lambda node_id: _said_at(mapping[node_id]), default=None)


def _said_at(node: object) -> float:
    return values.moment(values.mapping(values.mapping(node).get("message")).get("create_time")) or 0.0


def _claude(where: str, told: dict[str, Any]) -> Iterator[ImportedRecord | Garbage]:
    conversation = values.name(told.get("uuid"))
    if conversation is None:
        yield Garbage(where, "no_id")
        return
    messages = []
    for place, message in enumerate(told["chat_messages"]):
        said = values.mapping(message)
        role, text = _ROLES.get(str(said.get("sender"))), _said(said)
        if role is not None and text.strip():
            identity = values.name(said.get("uuid")) or str(place)
            messages.append((identity, role, text, values.moment(said.get("created_at"))))
    yield from _spoken(CLAUDE, where, conversation, told, values.moment(told.get("created_at")), messages)


def _said(message: dict[str, Any]) -> str:
    blocks = message.get("content")
    texts = [
        text
        for block in (blocks if isinstance(blocks, list) else ())
        if values.mapping(block).get("type") == "text" and (text := values.text(block.get("text")))
    ]
    return "\n".join(texts) or values.text(message.get("text")) or ""


def _spoken(
    origin: str,
    where: str,
    conversation: str,
    told: dict[str, Any],
    began: float | None,
    messages: list[tuple[str, Role, str, float | None]],
) -> Iterator[ImportedRecord]:
    title = values.name(told.get("title") or told.get("name"))
    session = values.session(origin, conversation).session_id
    for sequence, (identity, role, text, at) in enumerate(messages):
        said_at = began if at is None else at
        minutes = None if said_at is None or began is None else round(max(0.0, said_at - began) / 60.0, 4)
        yield ImportedRecord(
            origin,
            f"{conversation}\n{identity}",
            text,
            f"{where}, message {sequence + 1}",
            said_at,
            time=TimeCoordinate(session, sequence, minutes),
            role=role,
            metadata={"title": title} if title else {},
        )
