"""Whose memory a command is about inside a project's folder."""

from __future__ import annotations

import os
from argparse import Namespace

from celestial_engine.config.environment import Environment
from celestial_engine.config.project import NO_PROJECT, VARIABLE, Project, agent_of, find_project, is_project_name
from celestial_engine.config.sources import process_environment
from celestial_engine.surfaces.cli.failures import BAD_INPUT, CommandError

# The folder that a host works in; Claude Code, Cursor and Gemini CLI all tell their hooks so.
_HOSTS_PROJECT = "CLAUDE_PROJECT_DIR"
# What these write or show is not about one memory; `install` leaves it to the program that is started later.
_NOT_FOR = ("plugin", "config", "completion", "move", "postgres", "encrypt")


def choose_project(args: Namespace) -> None:
    """Sets the agent, and the database if the project has its own; options and variables go before the marker."""
    if args.command in _NOT_FOR or (args.command == "mcp" and args.action == "install"):
        return
    project = _project(args.project_memory, args.command)
    if project is None:
        return
    environment = process_environment()
    args.agent = agent_of(args.agent or Environment.read().owner.agent_id, project.name)
    if project.database is not None and args.db is None and not environment.get("CELESTIAL_DB"):
        args.db = project.database


def _project(option: str | None, command: str) -> Project | None:
    environment = process_environment()
    named = option or environment.get(VARIABLE)
    if named == NO_PROJECT:
        return None
    if named is None or not named:
        # Hosts may start a hook elsewhere: Cursor in its own folder, Claude Code where its shell has gone.
        folder = environment.get(_HOSTS_PROJECT) if command == "hook" else None
        return find_project(folder or os.getcwd())
    if not is_project_name(named):
        raise CommandError("bad_project", BAD_INPUT, value=named)
    return Project(named)
