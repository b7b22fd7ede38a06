"""Tokens of those who come over the network."""

from __future__ import annotations

from celestial_engine.surfaces.cli.views.command_result import CommandResult, View
from celestial_engine.surfaces.cli.views.format import ago


def _created(result: CommandResult) -> None:
    token = result.answer.token
    result.console.say(result.answer.secret)
    result.console.remark(result.texts("say.token_once", id=token.id, scopes=",".join(token.scopes)))


def _listed(result: CommandResult) -> None:
    texts = result.texts
    for one in result.answer.tokens:
        used = texts("time.never") if one.last_used_at is None else ago(texts, one.last_used_at, result.now)
        state = texts("say.token_valid" if one.revoked_at is None else "say.token_revoked", used=used)
        result.console.say(f"{one.id}  {','.join(one.scopes)}  {one.owner}  {state}  {one.name}")
    if not result.answer.tokens:
        result.say("say.no_tokens")


def _revoked(result: CommandResult) -> None:
    result.say("say.revoked", id=result.answer.id, name=result.answer.name)


VIEWS: dict[str, View] = {
    "token_create": _created,
    "token_list": _listed,
    "token_revoke": _revoked,
}
