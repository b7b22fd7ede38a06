"""Settings of the machine's engine: what holds, who set it, and changing those that are safe to change from afar."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from celestial_engine.surfaces.operations.declaration import About, Caller, Effect, Operation, Route, Scope
from celestial_engine.surfaces.operations.fields import EmptyRequest, StrictRequest

if TYPE_CHECKING:
    from celestial_engine.config.changing import SettingState


@dataclass(frozen=True)
class SettingView:
    key: Annotated[str, About("its place in celestial.toml, such as `sleep.nightly`")]
    value: Annotated[str | None, About("what holds at the next start; null: it depends, or it is not told")]
    default: str | None
    source: Annotated[str, About("default, file, environment or option")]
    by: Annotated[str | None, About("the variable that sets it")]
    kind: Annotated[str, About("text, path, choice, whole, number, limit (a whole number or none) or list")]
    choices: tuple[str, ...]
    lock: Annotated[
        str | None,
        About(
            "why it cannot be changed here: by_hand, environment (a variable overrides the file), no_file; or null"
        ),
    ]
    restart: Annotated[bool, About("a running server uses a change only after it is started again")]
    waiting: Annotated[bool, About("this server still runs with another value")]


@dataclass(frozen=True)
class SettingList:
    settings: tuple[SettingView, ...]


@dataclass(frozen=True)
class ChangeSettingRequest(StrictRequest):
    key: Annotated[str, About("its place in celestial.toml")]
    value: Annotated[str | None, About("the new value as text, lists with commas; null: the default holds again")]


def settings(caller: Caller, request: EmptyRequest) -> SettingList:
    return SettingList(tuple(_view(caller, state) for state in caller.memory.maintenance.settings()))


def change(caller: Caller, request: ChangeSettingRequest) -> SettingView:
    return _view(caller, caller.memory.maintenance.change_setting(request.key, request.value))


def _view(caller: Caller, state: SettingState) -> SettingView:
    from celestial_engine.config.changing import needs_restart

    setting = state.setting
    at_home = caller.local or caller.channel == "dashboard"
    text = state.text if at_home or setting.kind.value != "path" else None
    return SettingView(
        setting.key, text, setting.default, state.source.value, state.by, setting.kind.value, state.choices,
        None if state.lock is None else state.lock.value, needs_restart(setting), state.waiting,
    )  # fmt: skip


OPERATIONS = (
    Operation(
        "setting_list", "Every setting of the engine, what holds and who set it.",
        EmptyRequest, SettingList, settings, Route("GET", "/settings"), Scope.ADMIN, tool=False,
    ),
    Operation(
        "setting_change", "Write a setting into celestial.toml; paths, addresses and secrets are set at the machine.",
        ChangeSettingRequest, SettingView, change, Route("PUT", "/settings/{key}"), Scope.ADMIN, Effect.ADDS, True,
        tool=False,
    ),
)  # fmt: skip
