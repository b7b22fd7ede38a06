"""Tokens of those who come over the network."""

from __future__ import annotations

from celestial_engine.surfaces.cli.views.format import ago
from celestial_engine.surfaces.cli.views.shown import Shown, View


def _created(shown: Shown) -> None:
    token = shown.answer.token
    shown.console.say(shown.answer.secret)
    shown.console.remark(shown.texts("say.token_once", id=token.id, scopes=",".join(token.scopes)))


def _listed(shown: Shown) -> None:
    texts = shown.texts
    for one in shown.answer.tokens:
        used = texts("time.never") if one.last_used_at is None else ago(texts, one.last_used_at, shown.now)
        state = texts("say.token_valid" if one.revoked_at is None else "say.token_revoked", used=used)
        shown.console.say(f"{one.id}  {','.join(one.scopes)}  {one.owner}  {state}  {one.name}")
    if not shown.answer.tokens:
        shown.say("say.no_tokens")


def _revoked(shown: Shown) -> None:
    shown.say("say.revoked", id=shown.answer.id, name=shown.answer.name)


VIEWS: dict[str, View] = {
    "token_create": _created,
    "token_list": _listed,
    "token_revoke": _revoked,
}
