"""The MCP server, in Korean."""

from __future__ import annotations

MCP: dict[str, str] = {
    "help.mcp": "이 기억을 AI 클라이언트에 제공합니다(MCP). 표준 입출력이나 HTTP를 쓰며, "
    "install은 클라이언트 설정에 등록합니다",
    "arg.mcp_action": "install: 바뀌는 내용을 보여 준 뒤 클라이언트 설정 파일에 씁니다",
    "arg.mcp_client": "install 대상: claude-code(이 폴더의 .mcp.json), claude-desktop, cursor, "
    "vscode(이 폴더의 .vscode/mcp.json), generic(등록할 내용만 출력)",
    "opt.http": "표준 입출력 대신 이 주소에서 HTTP로 제공합니다. 모든 요청에 토큰이 필요합니다",
    "opt.mcp_tools": "클라이언트에 보여 줄 도구: essential(여섯 개, 따로 설정하지 않으면) 또는 full(전부)",
    "opt.mcp_file": "install에서 클라이언트의 기본 설정 파일 대신 쓸 파일",
    "mcp.listening": "MCP 주소: {url} (Ctrl-C로 끝냅니다)",
    "mcp.no_tokens": "아직 발급한 토큰이 없어 아무도 들어올 수 없습니다. "
    "`celestial token create 이름` 명령으로 발급하세요.",
    "mcp.installed": "저장했습니다: {path}. 클라이언트를 다시 시작하면 이 기억을 쓸 수 있습니다.",
    "mcp.backup": "바꾸기 전 파일: {path}",
    "mcp.unchanged": "바꿀 것이 없습니다. {path} 파일에 이미 등록되어 있습니다.",
    "mcp.dry_run": "아무것도 쓰지 않았습니다.",
    "help.plugin": "쓰고 있는 프로그램에 이 기억을 넣습니다: 도구, 그리고 지원하는 곳에는 훅도",
    "arg.plugin_action": "install(설치), uninstall(제거하고 설정을 처음대로 되돌림), list(목록)",
    "arg.plugin_host": "프로그램: claude-code, codex, gemini-cli, cursor, hermes, openclaw",
    "plugin.is_installed": "설치됨     ",
    "plugin.is_not": "설치 안 됨",
    "plugin.hooks_and_tools": "훅과 도구",
    "plugin.tools": "도구",
    "plugin.installed": "{host}에 설치했습니다. 다시 시작하면 이 기억을 쓸 수 있습니다.",
    "plugin.uninstalled": "{host}에서 제거했고, 설정은 처음과 같습니다.",
    "plugin.unchanged": "{host}: 바꿀 것이 없습니다.",
    "fail.bad_address": "{value}은(는) 주소가 아닙니다. 포트 또는 호스트:포트를 쓰세요.",
    "mcp.extra_missing": "서버에 필요한 패키지가 아직 없습니다: {install}.",
    "fail.extra_missing": "추가 패키지가 필요합니다: {install}.",
    "fail.not_json": "{path} 파일은 순수한 JSON이 아닙니다({reason}). 아무것도 바꾸지 않았습니다. "
    "`celestial mcp install generic` 명령이 보여 주는 내용을 직접 넣어 주세요.",
    "fail.not_toml": "{path} 파일에 우리 항목을 더하면 TOML이 아니게 됩니다({reason}). 아무것도 바꾸지 않았습니다. "
    "파일을 고치거나 mcp_servers.celestial 부분을 지워 주세요.",
    "fail.not_settings": "{path} 파일의 {name!r} 자리에 서버 목록 객체가 없습니다. 아무것도 바꾸지 않았습니다.",
    "fail.unreadable_file": "{path} 파일을 읽을 수 없습니다: {reason}. 아무것도 바꾸지 않았습니다.",
    "fail.unwritable_file": "{path} 파일을 쓸 수 없습니다: {reason}. 아무것도 바꾸지 않았습니다.",
}
