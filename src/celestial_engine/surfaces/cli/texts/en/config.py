"""Settings, completion and hooks, in English."""

from __future__ import annotations

CONFIG: dict[str, str] = {
    "help.config": "show every setting and who set it, or where celestial.toml is",
    "arg.config_action": "show: every setting, its value and its source; path: the settings file",
    "config.setting": "setting",
    "config.value": "value",
    "config.source": "source",
    "config.hidden": "(set, not shown)",
    "config.file": "settings file: {path}",
    "config.no_file": "settings file: {path} (there is none)",
    "config.files_off": "settings file: none (CELESTIAL_CONFIG=none)",
    "source.of.default": "default",
    "source.of.file": "file",
    "source.of.environment": "environment",
    "source.of.option": "option",
    "notice.read_as": "notice: {variable} is read as {ours}; set that instead.",
    "notice.no_meaning": "notice: {variable} has no meaning here: {reason}.",
    "fail.config_none": "CELESTIAL_CONFIG=none: there is no settings file.",
    "help.completion": "print the completions of this command line for a shell",
    "arg.shell": "the shell that is to complete",
    "help.hook": "for hosts that call a command each turn: their JSON event on standard input, context on output",
    "arg.hook_event": "session-start: what is known about the user; user-prompt: what the user has just written; "
    "stop, subagent-stop: what was answered",
    "hook.trouble": "celestial hook: {reason}",
    "hook.no_event": "standard input holds no JSON event with a prompt",
}
