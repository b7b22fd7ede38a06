"""오류 안내: 무엇이 잘못되었고 어떻게 하면 되는지, 오류 코드마다 한 쌍."""

from __future__ import annotations

ERRORS: dict[str, tuple[str, str]] = {
    "error": ("문제가 생겼습니다: {reason}.", ""),
    "invalid_input": ("{field}: 올바르지 않은 값입니다: {reason}.", ""),
    "empty_content": ("{field}: 비어 있습니다.", "공백이 아닌 글자를 하나 이상 넣으세요."),
    "content_too_large": (
        "{field}: {size}바이트입니다. {most}바이트까지만 받습니다.",
        "여러 기억으로 나누거나, 요약과 파일 링크를 저장하세요.",
    ),
    "invalid_text": (
        "{field}: 올바른 글이 아닙니다: {reason}.",
        "바이트는 먼저 UTF-8로 디코딩해서 넘기고, 필요하면 errors='replace'를 쓰세요.",
    ),
    "invalid_importance": (
        "중요도는 0에서 1 사이의 수여야 하는데 {value!r} 값을 받았습니다.",
        "생략하면 글을 보고 판단합니다.",
    ),
    "invalid_metadata": (
        "메타데이터를 저장할 수 없습니다: {reason}.",
        "키는 문자열, 값은 JSON 값인 객체를 주세요 (NaN이나 파이썬 객체는 안 됩니다).",
    ),
    "invalid_limit": ("최대 개수는 0에서 1000000 사이의 정수여야 하는데 {value!r} 값을 받았습니다.", ""),
    "invalid_owner": ("{field}: 1자에서 200자 사이의 글이어야 하는데 {value!r} 값을 받았습니다.", ""),
    "invalid_item": (
        "기억 기록이 아닙니다: {reason}.",
        "`celestial export`가 내보내는 한 줄과 비교해 보세요.",
    ),
    "ambiguous_id": ("{prefix!r}(으)로 시작하는 기억이 {count}개 있습니다.", "아이디를 더 길게 적으세요."),
    "config": ("설정이 올바르지 않습니다: {reason}.", ""),
    "not_found": (
        "{item_id!r} 기억이 없습니다.",
        "`celestial list`는 있는 기억을, `celestial cliff`는 최근에 잊힌 기억을 보여 줍니다.",
    ),
    "protected": ("{item_id!r} 기억은 보호되어 있어({protection}) {action} 수 없습니다.", ""),
    "wrong_state": ("{item_id!r} 기억은 지금 {state} 상태라 {action} 수 없습니다.", ""),
    "storage": (
        "데이터베이스 {path}에 문제가 생겼습니다: {reason}.",
        "`celestial doctor`를 실행하면 무엇이 필요한지 알 수 있습니다.",
    ),
    "foreign_database": (
        "{path} 파일은 Celestial 데이터베이스가 아닙니다 ({reason}).",
        "아무것도 바꾸지 않았습니다. --db나 CELESTIAL_DB로 다른 경로를 고르세요.",
    ),
    "newer_schema": (
        "{path} 파일은 더 새로운 버전이 만들었습니다 (스키마 {found}, 이 버전은 {known}까지 압니다).",
        "아무것도 바꾸지 않았습니다. celestial-engine을 업그레이드하세요.",
    ),
    "read_only": (
        "{path} 파일에 쓸 수 없습니다 ({reason}).",
        "파일과 폴더에 쓰기 권한을 주거나, --db나 CELESTIAL_DB로 다른 경로를 고르세요.",
    ),
    "disk_full": (
        "{path} 파일을 쓸 공간이 남지 않았습니다.",
        "마지막 변경은 저장되지 않았고, 그 이전 것은 모두 안전합니다. 공간을 비우고 다시 시도하세요.",
    ),
    "busy": (
        "다른 프로세스가 {path} 파일을 {seconds:g}초 넘게 잠그고 있습니다.",
        "트랜잭션을 연 채 파일을 쥐고 있는 프로세스를 찾아보고 다시 시도하세요.",
    ),
    "corrupt_database": (
        "{path} 파일이 손상되었습니다: {reason}.",
        "파일을 복사해 둔 뒤, 백업을 되살리거나 읽을 수 있는 부분을 `celestial export`로 내보내세요.",
    ),
    "closed": ("{path} 기억 저장소는 이미 닫혔습니다.", "CelestialMemory를 새로 여세요."),
    "provider": ("문제가 생겼습니다: {reason}.", ""),
    "embedding": ("임베딩 함수가 실패했습니다: {reason}.", ""),
    "language_model": ("언어 모델이 실패했습니다: {reason}.", ""),
}

# 오류에 딸려 오는 엔진의 낱말. 여기 없는 것(SQLite의 말 등)은 그대로 보여 준다.
DETAILS: dict[str, str] = {
    "content": "내용",
    "query": "질문",
    "tag": "태그",
    "tier": "수명",
    "user_id": "사용자",
    "agent_id": "에이전트",
    "be forgotten": "잊을",
    "be changed": "바꿀",
    "be restored": "되살릴",
    "be unpinned": "고정을 풀",
    "active": "활동 중인",
    "on the cliff": "망각의 절벽에 있는",
    "pinned": "고정",
    "immutable": "변경 불가",
    "core": "핵심 기억",
    "M0 is not given but earned, with the user's approval": "M0은 지정하는 것이 아니라 사용자의 승인으로 얻습니다",
    "it is a folder": "폴더입니다",
    "it is not an SQLite file": "SQLite 파일이 아닙니다",
    "it is an SQLite file of another program": "다른 프로그램의 SQLite 파일입니다",
    "Permission denied": "권한이 없습니다",
    "No such file or directory": "그런 파일이나 폴더가 없습니다",
    "Not a directory": "폴더가 아닙니다",
    "Is a directory": "폴더입니다",
}
