"""`celestial dashboard`: a link that opens the dashboard of a server that runs on this memory."""

from __future__ import annotations

import argparse
from argparse import Namespace

from celestial_engine.core.access import answer_of
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import Expected, InvalidInputError, Reason
from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.failures import NOT_FOUND, OK, CommandError
from celestial_engine.surfaces.cli.texts.catalogue import Texts

_PATIENCE_SECONDS = 2.0
_MOST_BYTES = 10_000


def add_options(arguments: argparse._ArgumentGroup, options: argparse._ArgumentGroup, texts: Texts) -> None:
    options.add_argument("--open", action="store_true", help=texts("opt.open"))
    options.add_argument("--all-owners", action="store_true", help=texts("opt.all_owners"))
    options.add_argument("--url", metavar="URL", help=texts("opt.url"))


def on_memory(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    url = _checked_origin(args.url) if args.url is not None else _answering(memory)
    if url is None:
        raise CommandError("no_server", NOT_FOUND)
    link = login_link(url, memory.access.login_key(all_owners=args.all_owners))
    opened = args.open and _opened(link)
    if console.as_json:
        console.data({"url": url, "link": link, "opened": opened})
    else:
        console.say(link)
        console.remark(console.texts("say.dashboard_opened" if opened else "say.dashboard_once"))
    return OK


def login_link(url: str, key: str) -> str:
    """What to open in a browser, to be let in by a key."""
    return f"{url}/login?key={key}"


def _checked_origin(url: str) -> str:
    """Checks the address before a key is created for it: a key for a wrong address would be lost."""
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(url)
        whole = parts.scheme in ("http", "https") and bool(parts.hostname) and not (parts.query or parts.fragment)
        whole = whole and all(character.isprintable() and character != " " for character in url)
    except ValueError:
        whole = False
    if not whole:
        raise InvalidInputError("url", Reason.WRONG_VALUE, expected=Expected.ORIGIN, got=url)
    return url.rstrip("/")


def _answering(memory: CelestialMemory) -> str | None:
    """The newest of the servers that said where they are, and still answers for this memory."""
    return next((url for url, secret in memory.access.servers().items() if secret and _answers(url, secret)), None)


def _answers(url: str, secret: str) -> bool:
    """Whether it is still the one that was noted: a key for this memory is no business of another server's."""
    import json
    import secrets
    from http.client import HTTPException
    from urllib.error import URLError
    from urllib.request import ProxyHandler, build_opener

    question = secrets.token_urlsafe(16)
    address = f"{url}/dashboard/server?question={question}"
    try:
        # It is on this machine: whatever proxy is set for the world has no part in it.
        with build_opener(ProxyHandler({})).open(address, timeout=_PATIENCE_SECONDS) as answer:
            document = json.loads(answer.read(_MOST_BYTES))
    except (URLError, HTTPException, OSError, ValueError):
        return False
    return isinstance(document, dict) and document.get("answer") == answer_of(secret, question)


def _opened(link: str) -> bool:
    import webbrowser

    return webbrowser.open(link)
