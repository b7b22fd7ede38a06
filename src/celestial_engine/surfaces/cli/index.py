"""Every command and where it is declared, so that one command loads nothing of the others."""

from __future__ import annotations

_BY_HAND = "commands."

# The modules of operations that declare a command, whose views are in the modules of the same name in views/; or the
# module of a command that is no operation, and is written by hand. A test compares this with the declarations.
COMMANDS = {
    "store": "saving",
    "update": "saving",
    "rate": "saving",
    "decide": "turns",
    "observe": "turns",
    "policy": "turns",
    "recall": "search",
    "search": "search",
    "compose": "context",
    "profile": "context",
    "related": "context",
    "show": "reading",
    "explain": "reading",
    "list": "reading",
    "history": "reading",
    "pin": "saving",
    "unpin": "saving",
    "forget": "forgetting",
    "restore": "forgetting",
    "cliff": "forgetting",
    "undo": "ledger",
    "trace": "sources",
    "retract": "sources",
    "inbox": "proposals",
    "approve": _BY_HAND + "approve",
    "reject": "proposals",
    "self": "self_ proposals",
    "soul": "self_",
    "rebalance": "maintenance",
    "sleep": "sleep",
    "reindex": _BY_HAND + "reindex",
    "stats": "reading",
    "export": _BY_HAND + "export",
    "import": _BY_HAND + "import_",
    "doctor": _BY_HAND + "doctor",
    "demo": _BY_HAND + "demo",
    "imagine": "imagination",
    "personas": "personas",
    "fork": _BY_HAND + "exchange.fork",
    "backup": _BY_HAND + "backups",
    "ledger": "ledger",
    "proof": _BY_HAND + "proof",
    "retain": "maintenance",
    "archive": "maintenance",
    "move": _BY_HAND + "move",
    "encrypt": _BY_HAND + "encrypt",
    "guard": "maintenance",
    "postgres": _BY_HAND + "postgres",
    "mcp": _BY_HAND + "mcp",
    "plugin": _BY_HAND + "plugin",
    "serve": _BY_HAND + "serve",
    "token": "tokens",
    "gossip": _BY_HAND + "gossip",
    "folder": _BY_HAND + "exchange.folder",
    "sync": _BY_HAND + "exchange.sync",
    "dashboard": _BY_HAND + "dashboard",
    "config": _BY_HAND + "config",
    "completion": _BY_HAND + "completion",
    "hook": _BY_HAND + "hook",
}


def by_hand(command: str) -> str | None:
    """The module of a command that is written by hand; None of one that is declared."""
    module = COMMANDS[command]
    return f"celestial_engine.surfaces.cli.{module}" if module.startswith(_BY_HAND) else None


def operations_of(command: str) -> list[str]:
    return [f"celestial_engine.surfaces.operations.{module}" for module in COMMANDS[command].split()]
