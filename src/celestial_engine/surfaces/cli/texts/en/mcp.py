"""The MCP server, in English."""

from __future__ import annotations

MCP: dict[str, str] = {
    "help.mcp": "serve this memory to AI clients (MCP), over standard input and output or over HTTP; "
    "`install` puts it into a client's settings",
    "arg.mcp_action": "install: write a client's settings, after showing what changes",
    "arg.mcp_client": "of install: claude-code (.mcp.json here), claude-desktop, cursor, "
    "vscode (.vscode/mcp.json here), or generic (only shows the entry)",
    "opt.http": "serve over HTTP at this address instead; every request needs a token",
    "opt.mcp_tools": "how many tools clients list: essential (six, unless set otherwise) or full",
    "opt.mcp_file": "of install: these settings instead of the client's usual ones",
    "mcp.listening": "MCP at {url} (Ctrl-C ends it)",
    "mcp.no_tokens": "No token has been given yet: nobody can come in. `celestial token create NAME` gives one.",
    "mcp.installed": "Written: {path}. Start the client again, and it knows this memory.",
    "mcp.backup": "As it was: {path}",
    "mcp.unchanged": "Nothing to do: {path} has it already.",
    "mcp.dry_run": "Nothing was written.",
    "help.plugin": "put this memory into the program you work with: tools, and hooks where it has them",
    "arg.plugin_action": "install, uninstall (everything becomes as it was), or list",
    "arg.plugin_host": "the program: claude-code, codex, gemini-cli, cursor, hermes or openclaw",
    "plugin.is_installed": "installed    ",
    "plugin.is_not": "not installed",
    "plugin.hooks_and_tools": "hooks and tools",
    "plugin.tools": "tools",
    "plugin.installed": "Installed in {host}. Start it again, and it knows this memory.",
    "plugin.uninstalled": "Removed from {host}; its settings are as they were.",
    "plugin.unchanged": "Nothing to do for {host}.",
    "fail.bad_address": "{value} is no address: give a port, or HOST:PORT.",
    "mcp.extra_missing": "The server itself is not installed yet: {install}.",
    "fail.extra_missing": "This needs more than the core: {install}.",
    "fail.not_json": "{path} is not plain JSON ({reason}). Nothing was changed; `celestial mcp install generic` "
    "shows the entry to put in by hand.",
    "fail.not_toml": "{path} would not be TOML with our entry in it ({reason}). Nothing was changed; correct the "
    "file, or take out what it says of mcp_servers.celestial.",
    "fail.not_settings": "{path} does not hold an object of servers under {name!r}. Nothing was changed.",
    "fail.unreadable_file": "{path} cannot be read: {reason}. Nothing was changed.",
    "fail.unwritable_file": "{path} cannot be written: {reason}. Nothing was changed.",
}
