"""Security headers: run only our own files, no type sniffing, no referrer, no copy in a cache."""

from __future__ import annotations

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

CONTENT_POLICY = "; ".join((
    "default-src 'self'", "img-src 'self' data:", "style-src 'self'", "script-src 'self'", "connect-src 'self'",
    "object-src 'none'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'",
))  # fmt: skip
SAFETY = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}


class SafetyHeaders:
    """Puts them on everything that leaves, refusals and errors too."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SAFETY.items():
                    headers.setdefault(name, value)
                headers.setdefault("Cache-Control", "no-store")  # memories; files of the page say otherwise
                if _is_encrypted(scope):
                    headers.setdefault("Strict-Transport-Security", "max-age=31536000; includeSubDomains")
            await send(message)

        await self._app(scope, receive, guarded)


def _is_encrypted(scope: Scope) -> bool:
    """Whether the connection is encrypted, as a proxy may say; browsers ignore the policy over plain HTTP."""
    return scope["scheme"] == "https" or Headers(scope=scope).get("x-forwarded-proto", "").lower() == "https"
