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
    "arg.hook_event": "user-prompt: 사용자가 방금 쓴 말",
    "hook.trouble": "celestial hook: {reason}",
    "hook.no_event": "표준 입력에 프롬프트가 든 JSON 이벤트가 없습니다",
}

# What the settings file may get wrong: the reasons of ConfigError and ConfigFileError.
CONFIG_PATTERNS: dict[str, str] = {
    r"there is no setting (\S+), but (\w+) has ([^;]+)": "{0} 설정은 없습니다. {1}에는 {2} 설정이 있습니다",
    r"there is no setting (\S+), and the sections are ([^;]+)": "{0} 설정은 없습니다. 쓸 수 있는 구역은 {1}입니다",
    r"(\S+) must be text, not ([^;]+)": "{0} 값은 문자열이어야 하는데 {1} 값을 받았습니다",
    r"(\S+) must be a path, not ([^;]+)": "{0} 값은 경로여야 하는데 {1} 값을 받았습니다",
    r"(\S+) must be a whole number, not ([^;]+)": "{0} 값은 정수여야 하는데 {1} 값을 받았습니다",
    r"(\S+) must be a number, not ([^;]+)": "{0} 값은 수여야 하는데 {1} 값을 받았습니다",
    r"(\S+) must be a list of texts, not ([^;]+)": "{0} 값은 문자열 목록이어야 하는데 {1} 값을 받았습니다",
    r'(\S+) must be a whole number or "none", not ([^;]+)': '{0} 값은 정수나 "none"이어야 하는데 {1} 값을 받았습니다',
    r"(\S+) must be ((?:\w+, )*\w+) or (\w+), not ([^;]+)": (
        "{0} 값은 {1}, {2} 가운데 하나여야 하는데 {3} 값을 받았습니다"
    ),
    r"(\w+) must be from 0 to (\d+), not ([^;]+)": "{0} 값은 0에서 {1} 사이여야 하는데 {2} 값을 받았습니다",
    r"(\w+) must be at least (\d+), not ([^;]+)": "{0} 값은 {1} 이상이어야 하는데 {2} 값을 받았습니다",
    r"it is not TOML: (.+)": "TOML 형식이 아닙니다 ({0})",
    r"this Python cannot read TOML; 3\.11 can, and CELESTIAL_\* variables do without": (
        "이 Python은 TOML을 읽지 못합니다. 3.11 이상을 쓰거나 CELESTIAL_* 환경 변수로 지정하세요"
    ),
    r"its models are others; choose one by CELESTIAL_EMBEDDER": (
        "쓸 수 있는 모델이 다릅니다. CELESTIAL_EMBEDDER로 고르세요"
    ),
    r"this logs through Python's logging, which the host sets up": "로그는 이 엔진을 쓰는 프로그램이 설정합니다",
    r"memories are always joined by what they tell of": "기억은 언제나 관계로 이어져 있습니다",
    r"that is the default": "원래 기본값입니다",
}
