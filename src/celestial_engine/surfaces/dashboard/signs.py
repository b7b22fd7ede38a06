"""Pages without a script, for when there is no dashboard to show: why, and what to do. English and Korean."""

from __future__ import annotations

from enum import Enum

from fastapi import Request
from fastapi.responses import HTMLResponse

STYLE_PATH = "/dashboard/plain.css"
STYLE = """\
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 1.5rem; background: #0b1020;
  color: #e8ebf5; font: 1rem/1.6 system-ui, sans-serif; }
main { max-width: 34rem; }
h1 { font-size: 1.3rem; font-weight: 600; }
code { background: #1b2340; border-radius: .3rem; padding: .1rem .4rem; }
a { color: #9cc2ff; }
@media (prefers-color-scheme: light) {
  body { background: #f6f7fb; color: #1a2033; }
  code { background: #e3e7f3; }
  a { color: #1d4fa8; }
}
"""


class Sign(Enum):
    """Title, what happened and what to do: in English, in Korean."""

    BAD_KEY = (
        ("This link has been used, or is too old",
         "A link opens the dashboard once, within ten minutes of being made.",
         "For a new one, run <code>celestial dashboard</code> on the machine that the memory is on, with the same "
         "<code>--db</code> as the server."),
        ("이미 사용했거나 만료된 링크입니다",
         "링크는 만들어진 뒤 10분 안에 한 번만 대시보드를 열 수 있습니다.",
         "기억이 있는 컴퓨터에서 서버와 같은 <code>--db</code>로 <code>celestial dashboard</code>를 실행하면 "
         "새 링크를 받을 수 있습니다."),
    )  # fmt: skip
    NOT_BUILT = (
        ("The dashboard has not been built",
         "This is a working copy of the source, and its pages are made by Node.js.",
         "Run <code>make dashboard</code>, then start the server again. REST and MCP work without it."),
        ("대시보드가 아직 빌드되지 않았습니다",
         "소스에서 바로 실행 중이며, 화면 파일은 Node.js로 만듭니다.",
         "<code>make dashboard</code>를 실행한 뒤 서버를 다시 시작하세요. REST와 MCP는 지금도 쓸 수 있습니다."),
    )  # fmt: skip


def sign(which: Sign, request: Request, status: int) -> HTMLResponse:
    """The page in the language that the browser prefers. Nothing of the request stands in it."""
    korean = request.headers.get("accept-language", "").lower().startswith("ko")
    title, why, what = which.value[korean]
    page = (
        f'<!doctype html><html lang="{"ko" if korean else "en"}"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width"><title>{title}</title>'
        f'<link rel="icon" href="data:,"><link rel="stylesheet" href="{STYLE_PATH}"></head>'
        f"<body><main><h1>{title}</h1><p>{why}</p><p>{what}</p></main></body></html>"
    )
    return HTMLResponse(page, status, {"Cache-Control": "no-store", "Vary": "Accept-Language"})
