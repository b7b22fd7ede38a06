"""Completions for bash, zsh and fish, made of the parser itself: what it knows, they know."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.failures import OK
from celestial_engine.surfaces.cli.texts.catalogue import Texts

_FILES = ("PATH", "FILE", "DIR")


@dataclass(frozen=True)
class Option:
    """An option and what may follow it."""

    names: tuple[str, ...]
    help: str
    takes_value: bool
    choices: tuple[str, ...]
    is_file: bool


@dataclass(frozen=True)
class Command:
    """A command; `words` are what its arguments may be, where they are closed choices."""

    name: str
    help: str
    options: tuple[Option, ...]
    words: tuple[str, ...]
    takes_file: bool


SHELLS = ("bash", "zsh", "fish")


def add_options(arguments: argparse._ArgumentGroup, options: argparse._ArgumentGroup, texts: Texts) -> None:
    arguments.add_argument("shell", choices=SHELLS, help=texts("arg.shell"))


def run(args: argparse.Namespace, console: Console) -> int:
    from celestial_engine.surfaces.cli.parser import build_parser  # the whole of it, this command too

    parser = build_parser(console.texts)
    commands = commands_of(parser)
    script = {"bash": _bash, "zsh": _zsh, "fish": _fish}[args.shell]
    console.verbatim("\n".join(script(_options(parser), commands)))
    return OK


def commands_of(parser: argparse.ArgumentParser) -> list[Command]:
    """What the parser understands, without what only argparse needs."""
    (found,) = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    helps = {action.dest: action.help or "" for action in found._choices_actions}
    return [_command(name, helps.get(name, ""), command) for name, command in found.choices.items()]


def _command(name: str, about: str, parser: argparse.ArgumentParser) -> Command:
    """With the options of its actions, which are parsers of their own."""
    arguments = [action for action in parser._actions if not action.option_strings]
    words = tuple(str(choice) for action in arguments for choice in action.choices or ())
    nested = [one for action in arguments if isinstance(action, argparse._SubParsersAction)
              for one in action.choices.values()]  # fmt: skip
    options = {option.names: option for one in (parser, *nested) for option in _options(one)}
    files = any(_is_file(action) for one in (parser, *nested) for action in one._actions if not action.option_strings)
    return Command(name, about, tuple(options.values()), words, files)


def _options(parser: argparse.ArgumentParser) -> tuple[Option, ...]:
    return tuple(
        Option(
            tuple(action.option_strings),
            (action.help or "") % {"default": action.default} if "%(" in (action.help or "") else action.help or "",
            action.nargs != 0,
            tuple(map(str, action.choices or ())),
            _is_file(action),
        )
        for action in parser._actions
        if action.option_strings
    )


def _is_file(action: argparse.Action) -> bool:
    return isinstance(action.metavar, str) and action.metavar in _FILES


def _names(options: Sequence[Option]) -> list[str]:
    return [name for option in options for name in option.names]


def _cases(everywhere: Sequence[Option], commands: Sequence[Command]) -> Iterator[tuple[str, Option]]:
    """Every `command option` after which a value is due."""
    for command, options in (("", everywhere), *((command.name, command.options) for command in commands)):
        for option in options:
            if option.takes_value:
                yield "|".join(f'"{command} {name}"' for name in option.names), option


def _bash(everywhere: Sequence[Option], commands: Sequence[Command]) -> Iterator[str]:
    yield "# bash completion for celestial; in ~/.bashrc: source <(celestial completion bash)"
    yield "_celestial() {"
    yield '    local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" command="" word'
    yield '    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do'
    yield f'        case "$word" in {"|".join(command.name for command in commands)}) command="$word"; break ;; esac'
    yield "    done"
    yield "    COMPREPLY=()"
    yield '    case "$command $prev" in'
    for pattern, option in _cases(everywhere, commands):
        if option.choices:
            reply = f'COMPREPLY=($(compgen -W "{" ".join(option.choices)}" -- "$cur"))'
        else:
            reply = 'COMPREPLY=($(compgen -f -- "$cur"))' if option.is_file else ":"
        yield f"        {pattern}) {reply}; return ;;"
    yield "    esac"
    yield '    case "$command" in'
    names = " ".join([command.name for command in commands] + _names(everywhere))
    yield f'        "") COMPREPLY=($(compgen -W "{names}" -- "$cur")) ;;'
    for command in commands:
        words = " ".join([*command.words, *_names(command.options)])
        files = ' $(compgen -f -- "$cur")' if command.takes_file else ""
        yield f'        {command.name}) COMPREPLY=($(compgen -W "{words}" -- "$cur"){files}) ;;'
    yield "    esac"
    yield "}"
    yield "complete -o filenames -F _celestial celestial"


def _zsh(everywhere: Sequence[Option], commands: Sequence[Command]) -> Iterator[str]:
    yield "#compdef celestial"
    yield "# zsh completion for celestial: save as _celestial in a folder of $fpath"
    yield "_celestial() {"
    yield '    local command="" word prev="${words[CURRENT-1]}"'
    yield "    local -a known"
    yield "    known=("
    for command in commands:
        yield f"        {_quoted(command.name + ':' + command.help)}"
    yield "    )"
    yield '    for word in "${(@)words[2,CURRENT-1]}"; do'
    yield f'        case "$word" in ({"|".join(command.name for command in commands)}) command="$word"; break ;; esac'
    yield "    done"
    yield '    case "$command $prev" in'
    for pattern, option in _cases(everywhere, commands):
        reply = f"compadd -- {' '.join(option.choices)}" if option.choices else "_files" if option.is_file else ":"
        yield f"        ({pattern}) {reply}; return ;;"
    yield "    esac"
    yield '    case "$command" in'
    yield f'        ("") _describe command known; compadd -- {" ".join(_names(everywhere))} ;;'
    for command in commands:
        files = "; _files" if command.takes_file else ""
        yield f"        ({command.name}) compadd -- {' '.join([*command.words, *_names(command.options)])}{files} ;;"
    yield "    esac"
    yield "}"
    yield 'if [ "$funcstack[1]" = "_celestial" ]; then _celestial "$@"; else compdef _celestial celestial; fi'


def _fish(everywhere: Sequence[Option], commands: Sequence[Command]) -> Iterator[str]:
    yield "# fish completion for celestial: save as ~/.config/fish/completions/celestial.fish"
    yield "complete -c celestial -f"
    for command in commands:
        about = _quoted(command.help)
        yield f"complete -c celestial -n __fish_use_subcommand -a {command.name} -d {about}"
    for option in everywhere:
        yield f"complete -c celestial -n __fish_use_subcommand {_fish_option(option)}"
    for command in commands:
        here = f"complete -c celestial -n '__fish_seen_subcommand_from {command.name}'"
        if command.words:
            yield f"{here} -a '{' '.join(command.words)}'"
        if command.takes_file:
            yield f"{here} -F"
        for option in command.options:
            yield f"{here} {_fish_option(option)}"


def _fish_option(option: Option) -> str:
    parts = [f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names]
    if option.takes_value:
        parts.append("-r")
    if option.choices:
        parts.append(f"-a '{' '.join(option.choices)}'")
    if option.is_file:
        parts.append("-F")
    return " ".join([*parts, f"-d {_quoted(option.help)}"])


def _quoted(text: str) -> str:
    """Within single quotes, which zsh and fish end differently: text without them is the same to both."""
    return "'" + text.replace("\\", "/").replace("'", "’") + "'"
