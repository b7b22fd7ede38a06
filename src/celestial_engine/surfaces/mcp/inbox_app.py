"""The inbox as an MCP App: a page that hosts show beside `inbox_list`, with what waits and a button that asks.

A click is a request, not consent: a server cannot tell a page's call from a model's, so the user is asked by the
host's own form as always (`approval`), and without one the proposal waits.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

import mcp_types as types

from celestial_engine.surfaces.mcp.texts import Say

EXTENSION, MIME_TYPE = "io.modelcontextprotocol/ui", "text/html;profile=mcp-app"
SETTINGS: Mapping[str, Any] = {"mimeTypes": [MIME_TYPE]}
URI = "ui://celestial/inbox.html"
TOOL = "inbox_list"
META: Mapping[str, Any] = {"ui": {"resourceUri": URI}}
_TEXTS = ("title", "approve", "asking", "done", "nothing")


def page(say: Say, language: str) -> types.TextResourceContents:
    """The page, in the language of the server; nothing of any memory is in it."""
    template = files(__package__).joinpath("inbox_app.html").read_text(encoding="utf-8")
    # "<" would end the element that holds them.
    texts = json.dumps({name: say(f"app.{name}") for name in _TEXTS}, ensure_ascii=False).replace("<", "\\u003c")
    text = template.replace("__LANGUAGE__", language).replace("__TEXTS__", texts)
    return types.TextResourceContents(uri=URI, mime_type=MIME_TYPE, text=text)
