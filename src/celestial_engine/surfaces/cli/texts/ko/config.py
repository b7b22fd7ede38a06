"""Settings, completion and hooks, in Korean."""

from __future__ import annotations

CONFIG: dict[str, str] = {
    "help.config": "모든 설정과 그 출처, 또는 celestial.toml의 위치를 보여 줍니다",
    "arg.config_action": "show: 모든 설정의 값과 출처, path: 설정 파일의 위치",
    "config.setting": "설정",
    "config.value": "값",
    "config.source": "출처",
    "config.hidden": "(지정됨, 표시하지 않음)",
    "config.file": "설정 파일: {path}",
    "config.no_file": "설정 파일: {path} (없음)",
    "config.files_off": "설정 파일: 쓰지 않음 (CELESTIAL_CONFIG=none)",
    "source.of.default": "기본값",
    "source.of.file": "파일",
    "source.of.environment": "환경 변수",
    "source.of.option": "옵션",
    "notice.read_as": "알림: {variable} 값을 {ours} 대신 읽었습니다. 앞으로는 {ours} 변수를 쓰세요.",
    "notice.no_meaning": "알림: {variable} 변수는 여기에서 쓰이지 않습니다: {reason}.",
    "fail.config_none": "CELESTIAL_CONFIG=none이므로 설정 파일이 없습니다.",
    "help.completion": "셸에서 쓸 자동 완성 스크립트를 출력합니다",
    "arg.shell": "자동 완성을 쓸 셸",
    "help.hook": "대화 차례마다 호출하는 명령: 표준 입력으로 JSON 이벤트를 받고, 덧붙일 맥락을 표준 출력으로 냅니다",
    "arg.hook_event": "session-start: 사용자에 대해 알고 있는 것; user-prompt: 사용자가 방금 쓴 말; "
    "stop, subagent-stop: 방금 한 대답",
    "hook.trouble": "celestial hook: {reason}",
    "hook.no_event": "표준 입력에 프롬프트가 든 JSON 이벤트가 없습니다",
}
