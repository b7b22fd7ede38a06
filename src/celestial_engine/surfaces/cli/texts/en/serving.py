"""Serving and tokens, in English."""

from __future__ import annotations

SERVING: dict[str, str] = {
    "help.serve": "serve this memory over HTTP (REST, and MCP at /mcp), with its background work",
    "help.token": "make, list or revoke the tokens of those who come over HTTP",
    "help.dashboard": "a link, good once, that opens the dashboard of the server that runs on this memory",
    "opt.host": "the address to listen at (default {default}; others need a token first)",
    "opt.port": "the port (default {default}; 0 takes a free one)",
    "opt.no_mcp": "REST alone, without MCP at /mcp",
    "opt.workers": "how many processes serve (default 1); each has its own copy of the caches and the models",
    "opt.allow_host": "a name, besides localhost, by which requests may ask for this server",
    "opt.allow_origin": "a web page, as https://example.org, that may use this server",
    "opt.log_level": "what to log on standard error, as JSON lines (default warning)",
    "opt.access_log": "log every request: route, operation, status, duration and address; no content",
    "opt.open": "open it in the browser at once",
    "opt.all_owners": "the session can be switched to every owner of this memory",
    "opt.url": "where the server is reached, as https://memory.example.org, if not where it says itself",
    "serve.url": "Listening at {url} (Ctrl+C stops it)",
    "serve.token": "Your token, shown this once: {token}",
    "serve.token_known": "Tokens: `celestial token list` shows them, "
    "`celestial token create NAME` makes another (both with this server's --db)",
    "serve.claude": "Claude Code: {command}",
    "serve.dashboard": "Dashboard, a link that is good once: {link}",
    "serve.token_name": "first start",
    "say.served": "Stopped; everything is stored.",
    "say.token_once": "That is token {id} ({scopes}). It is kept nowhere: copy it now.",
    "say.no_tokens": "There are no tokens. `celestial token create NAME` makes one.",
    "say.token_valid": "last used: {used}",
    "say.token_revoked": "revoked (last used: {used})",
    "say.revoked": "Revoked {id} ({name}): it allows nothing any more.",
    "say.dashboard_once": "It opens the dashboard once, within ten minutes.",
    "say.dashboard_opened": "Opened in the browser; the link is used up by that.",
    "fail.serve_extra": "Serving needs what is not installed: {names}. Run {install}.",
    "fail.serve_no_token": "At {host} others can reach this memory, and there is no token yet. "
    "Make one with `celestial token create NAME`, or leave --host out.",
    "fail.no_server": "No server is running on this memory. Start one with `celestial serve`; "
    "name its database with --db if it runs on another, and say where it is with --url if it is elsewhere.",
    "fail.serve_address": "Cannot listen at {host}, port {port} ({reason}). Choose another with --port or --host.",
    "fail.serve_workers": "{workers!r} is no number of workers. Give a number from 1 to {most}.",
    "fail.serve_workers_memory": "Several workers need a database file; :memory: belongs to one process.",
    "fail.serve_worker_start": "A worker ended with exit code {ended_with} before it could serve: see above.",
    "fail.serve_port": "{port!r} is no port. Give a number from 0 to 65535.",
    "view.tiers": "lifetimes",
    "view.categories": "categories",
    "view.states": "states",
}
