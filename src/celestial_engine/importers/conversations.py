"""Conversations: the exports of ChatGPT and Claude, as a zip, its folder, or its `conversations.json`.

Every message is imported with its role and its position in the conversation. The policy for live turns decides which
messages are kept. Of ChatGPT's tree of versions, only the branch shown last is read.
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
from celestial_engine.importers.reading import UnusableEntry, elements, zip_members

CHATGPT, CLAUDE = "chatgpt", "claude"
MEMBERS = r"conversations(?:-\d{1,5})?\.json"
_ROLES = {
    "user": Role.USER,
    "human": Role.USER,
    "assistant": Role.ASSISTANT,
    "system": Role.SYSTEM,
    "tool": Role.TOOL,
}
_TEXT_TYPES = ("text", "multimodal_text")


def is_chatgpt(value: object) -> bool:
    return isinstance(value, dict) and isinstance(value.get("mapping"), dict)


def is_claude(value: object) -> bool:
    return isinstance(value, dict) and isinstance(value.get("chat_messages"), list)


def conversation_files(path: str) -> list[tuple[str, str | None]]:
    """The conversation files at a path, as (file, member of the zip or None)."""
    if os.path.isdir(path):
        files = sorted(name for name in os.listdir(path) if compiled(MEMBERS).fullmatch(name))
        return [(os.path.join(path, name), None) for name in files]
    if zipfile.is_zipfile(path):
        return [(path, name) for name in zip_members(path, MEMBERS)]
    return [(path, None)]


def read_chatgpt(path: str) -> Iterator[ImportedRecord | UnusableEntry]:
    for where, conversation in _conversations(path):
        if is_chatgpt(conversation):
            yield from _chatgpt_messages(where, conversation)
        else:
            yield conversation if isinstance(conversation, UnusableEntry) else UnusableEntry(where, "no_conversation")


def read_claude(path: str) -> Iterator[ImportedRecord | UnusableEntry]:
    for where, conversation in _conversations(path):
        if is_claude(conversation):
            yield from _claude_messages(where, conversation)
        else:
            yield conversation if isinstance(conversation, UnusableEntry) else UnusableEntry(where, "no_conversation")


def _conversations(path: str) -> Iterator[tuple[str, Any]]:
    for file, member in conversation_files(path):
        for where, conversation in elements(file, member):
            yield f"{os.path.basename(member or file)}, {where}", conversation


def _chatgpt_messages(where: str, conversation: dict[str, Any]) -> Iterator[ImportedRecord | UnusableEntry]:
    conversation_id = values.name(conversation.get("conversation_id")) or values.name(conversation.get("id"))
    if conversation_id is None:
        yield UnusableEntry(where, "no_id")
        return
    mapping, branch = conversation["mapping"], _shown_branch(conversation)
    messages = []
    for node_id in branch:
        message = values.mapping(values.mapping(mapping[node_id]).get("message"))
        content = values.mapping(message.get("content"))
        role = _ROLES.get(str(values.mapping(message.get("author")).get("role")))
        parts = content.get("parts") if content.get("content_type") in _TEXT_TYPES else None
        text = "\n".join(part for part in parts if isinstance(part, str)) if isinstance(parts, list) else ""
        if role is not None and text.strip():
            messages.append((node_id, role, text, values.parse_time(message.get("create_time"))))
    seen = set(branch)
    for node_id, node in mapping.items():
        if node_id not in seen and values.mapping(values.mapping(node).get("message")):
            yield UnusableEntry(f"{where}, {node_id}", "other_branch")
    yield from _message_records(
        CHATGPT, where, conversation_id, conversation, values.parse_time(conversation.get("create_time")), messages
    )


def _shown_branch(conversation: dict[str, Any]) -> list[str]:
    """The ids of the branch shown last, from the root down to the current node."""
    mapping = conversation["mapping"]
    node = conversation.get("current_node")
    if not isinstance(node, str) or node not in mapping:
        node = _newest_leaf(mapping)
    branch: dict[str, None] = {}
    while isinstance(node, str) and node in mapping and node not in branch:  # stops at a cycle of parents, too
        branch[node] = None
        node = values.mapping(mapping[node]).get("parent")
    return [*reversed(branch)]


def _newest_leaf(mapping: dict[str, Any]) -> str | None:
    leaves = [node_id for node_id, node in mapping.items() if not values.mapping(node).get("children")]
    return max(leaves, key=lambda node_id: _created_at(mapping[node_id]), default=None)


def _created_at(node: object) -> float:
    return values.parse_time(values.mapping(values.mapping(node).get("message")).get("create_time")) or 0.0


def _claude_messages(where: str, conversation: dict[str, Any]) -> Iterator[ImportedRecord | UnusableEntry]:
    conversation_id = values.name(conversation.get("uuid"))
    if conversation_id is None:
        yield UnusableEntry(where, "no_id")
        return
    messages = []
    for index, message in enumerate(conversation["chat_messages"]):
        fields = values.mapping(message)
        role, text = _ROLES.get(str(fields.get("sender"))), _message_text(fields)
        if role is not None and text.strip():
            identity = values.name(fields.get("uuid")) or str(index)
            messages.append((identity, role, text, values.parse_time(fields.get("created_at"))))
    yield from _message_records(
        CLAUDE, where, conversation_id, conversation, values.parse_time(conversation.get("created_at")), messages
    )


def _message_text(message: dict[str, Any]) -> str:
    blocks = message.get("content")
    texts = [
        text
        for block in (blocks if isinstance(blocks, list) else ())
        if values.mapping(block).get("type") == "text" and (text := values.text(block.get("text")))
    ]
    return "\n".join(texts) or values.text(message.get("text")) or ""


def _message_records(
    origin: str,
    where: str,
    conversation_id: str,
    conversation: dict[str, Any],
    started_at: float | None,
    messages: list[tuple[str, Role, str, float | None]],
) -> Iterator[ImportedRecord]:
    title = values.name(conversation.get("title") or conversation.get("name"))
    session = values.session(origin, conversation_id).session_id
    for sequence, (identity, role, text, at) in enumerate(messages):
        said_at = started_at if at is None else at
        minutes = None if said_at is None or started_at is None else round(max(0.0, said_at - started_at) / 60.0, 4)
        yield ImportedRecord(
            origin,
            f"{conversation_id}\n{identity}",
            text,
            f"{where}, message {sequence + 1}",
            said_at,
            time=TimeCoordinate(session, sequence, minutes),
            role=role,
            metadata={"title": title} if title else {},
        )
