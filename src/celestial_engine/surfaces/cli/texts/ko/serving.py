"""서버와 토큰에 관한 문장."""

from __future__ import annotations

SERVING: dict[str, str] = {
    "help.serve": "이 기억을 HTTP로 제공합니다(REST, /mcp에서는 MCP). 백그라운드 작업도 함께 돕니다",
    "help.token": "HTTP로 접속할 토큰을 만들거나, 보거나, 취소합니다",
    "help.dashboard": "이 기억을 제공 중인 서버의 대시보드를 여는 일회용 링크를 만듭니다",
    "opt.host": "연결을 받을 주소 (기본값 {default}. 다른 주소는 토큰이 먼저 있어야 합니다)",
    "opt.port": "포트 (기본값 {default}. 0이면 빈 포트)",
    "opt.no_mcp": "/mcp의 MCP 없이 REST만",
    "opt.workers": "요청을 처리할 프로세스 수 (기본값 1). 캐시와 모델은 프로세스마다 따로 둡니다",
    "opt.allow_host": "localhost 말고 이 서버를 부를 수 있는 이름",
    "opt.allow_origin": "이 서버를 써도 되는 웹 페이지. 예: https://example.org",
    "opt.log_level": "표준 오류에 JSON으로 남길 로그 수준 (기본값 warning)",
    "opt.access_log": "요청마다 경로, 작업, 상태, 걸린 시간, 주소를 기록합니다. 내용은 남기지 않습니다",
    "opt.open": "브라우저에서 바로 엽니다",
    "opt.all_owners": "모든 소유자의 기억을 골라 볼 수 있는 링크를 만듭니다",
    "opt.url": "서버가 스스로 알린 주소가 아닐 때 쓸 주소. 예: https://memory.example.org",
    "serve.url": "{url} 에서 실행 중입니다 (Ctrl+C로 멈춥니다)",
    "serve.token": "토큰입니다. 지금 한 번만 보여 드립니다: {token}",
    "serve.token_known": "토큰: `celestial token list`로 보고, `celestial token create 이름`으로 더 만듭니다 "
    "(--db는 이 서버와 같게)",
    "serve.claude": "Claude Code: {command}",
    "serve.dashboard": "대시보드(한 번만 쓸 수 있는 링크): {link}",
    "serve.token_name": "처음 시작",
    "say.served": "멈췄습니다. 모두 저장되어 있습니다.",
    "say.token_once": "토큰 {id} ({scopes})입니다. 어디에도 남지 않으니 지금 복사해 두세요.",
    "say.no_tokens": "토큰이 없습니다. `celestial token create 이름`으로 만듭니다.",
    "say.token_valid": "마지막 사용: {used}",
    "say.token_revoked": "취소됨 (마지막 사용: {used})",
    "say.revoked": "{id} ({name}) 토큰을 취소했습니다. 이제 아무것도 할 수 없습니다.",
    "say.dashboard_once": "10분 안에 한 번만 대시보드를 열 수 있습니다.",
    "say.dashboard_opened": "브라우저에서 열었습니다. 이 링크는 다시 쓸 수 없습니다.",
    "fail.serve_extra": "{names} 패키지가 없습니다. `{install}` 명령으로 설치하세요.",
    "fail.serve_no_token": "{host} 주소에서는 다른 기기도 이 기억에 닿을 수 있는데 아직 토큰이 없습니다. "
    "`celestial token create 이름`으로 먼저 만들거나 --host를 빼세요.",
    "fail.no_server": "이 기억을 제공 중인 서버가 없습니다. `celestial serve`로 시작하세요. "
    "다른 데이터베이스로 돌고 있다면 --db로, 다른 곳에서 돌고 있다면 --url로 알려 주세요.",
    "fail.serve_address": "{host} 주소의 {port} 포트를 열 수 없습니다 ({reason}). --port나 --host를 바꿔 보세요.",
    "fail.serve_workers": "{workers!r} 값은 프로세스 수가 아닙니다. 1에서 {most} 사이의 수를 주세요.",
    "fail.serve_workers_memory": "프로세스를 여럿 쓰려면 데이터베이스 파일이 필요합니다. "
    ":memory:는 프로세스끼리 나눠 쓸 수 없습니다.",
    "fail.serve_worker_start": "작업 프로세스가 준비되기 전에 끝났습니다(종료 코드 {ended_with}). "
    "오류는 위에 있습니다.",
    "fail.serve_port": "{port!r} 값은 포트가 아닙니다. 0에서 65535 사이의 수를 주세요.",
    "view.tiers": "수명",
    "view.categories": "종류",
    "view.states": "상태",
}
