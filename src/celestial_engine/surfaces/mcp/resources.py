"""Memories as resources: what a person or a host puts into a conversation by itself."""

from __future__ import annotations

import json
from typing import Any

import mcp_types as types

from celestial_engine.core.codec import encode
from celestial_engine.core.record.item_filter import ItemFilter
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.errors import NotFoundError
from celestial_engine.surfaces.known_ids import known_id
from celestial_engine.surfaces.mcp.lean import lean_answer
from celestial_engine.surfaces.mcp.texts import Say
from celestial_engine.surfaces.operations.declaration import Caller
from celestial_engine.surfaces.operations.views import memory_view

JSON, MARKDOWN, PLAIN = "application/json", "text/markdown", "text/plain"
_CORE, _SOUL, _PROFILE, _ITEM = "memory://core", "memory://soul", "memory://profile", "memory://item/"
_MOST = 50


def resources(say: Say) -> list[types.Resource]:
    return [
        types.Resource(uri=_CORE, name="core", description=say("resource.core"), mime_type=JSON),
        types.Resource(uri=_PROFILE, name="profile", description=say("resource.profile"), mime_type=PLAIN),
        types.Resource(uri=_SOUL, name="soul", description=say("resource.soul"), mime_type=MARKDOWN),
    ]


def templates(say: Say) -> list[types.ResourceTemplate]:
    item = types.ResourceTemplate(
        uri_template=_ITEM + "{id}", name="memory", description=say("resource.item"), mime_type=JSON
    )
    return [item]


def resource(caller: Caller, uri: str) -> types.TextResourceContents:
    """What stands under this address, for this caller."""
    if uri == _SOUL:
        return types.TextResourceContents(uri=uri, mime_type=MARKDOWN, text=caller.memory.self.soul())
    if uri == _PROFILE:
        return types.TextResourceContents(uri=uri, mime_type=PLAIN, text=caller.memory.profile().text)
    text = json.dumps(_records(caller, uri), ensure_ascii=False, indent=1)
    return types.TextResourceContents(uri=uri, mime_type=JSON, text=text)


def _records(caller: Caller, uri: str) -> Any:
    if uri == _CORE:
        core = caller.memory.list(_MOST, where=ItemFilter(tier=Tier.M0))
        central = caller.memory.list(_MOST, zone=0)
        items = {item.id: item for item in (*core, *central)}
        return [lean_answer(encode(memory_view(caller, item))) for item in items.values()]
    if uri.startswith(_ITEM):
        return encode(memory_view(caller, caller.memory.get(known_id(caller.memory, uri.removeprefix(_ITEM)))))
    raise NotFoundError(item_id=uri)
