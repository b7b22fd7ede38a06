"""무엇이 잘못되었고 어떻게 하면 되는지, 오류 코드마다 한 쌍.

코드 뒤에 하려던 일이 붙은 것은 그 일에만 쓴다. `:이/가`처럼 쓴 조사는 앞말의 받침에 맞춰진다.
"""

from __future__ import annotations

ERRORS: dict[str, tuple[str, str]] = {
    "error": ("문제가 생겼습니다: {reason}.", ""),
    "invalid_input": ("{reason}.", "아무것도 바뀌지 않았습니다. 고쳐서 다시 시도하세요."),
    "empty_content": ("{field:이/가} 비어 있습니다.", "공백이 아닌 글자를 하나 이상 넣으세요."),
    "content_too_large": (
        "{field:이/가} 너무 깁니다: {size}바이트인데 {most}바이트까지만 저장할 수 있습니다.",
        "여러 기억으로 나누거나, 요약과 파일 링크를 저장하세요.",
    ),
    "invalid_text": (
        "{field:을/를} 텍스트로 읽을 수 없습니다: {reason}.",
        "UTF-8로 변환해서 다시 시도하세요. 예: `iconv -f CP949 -t UTF-8 파일`",
    ),
    "invalid_importance": (
        "중요도는 0에서 1 사이의 수여야 하는데 {value!r} 값을 받았습니다.",
        "생략하면 내용을 보고 판단합니다.",
    ),
    "invalid_metadata": (
        "메타데이터를 저장할 수 없습니다: {reason}.",
        '문자열 키와 JSON 값으로 된 객체를 주세요. 명령줄에서는 \'{{"키": "값"}}\'처럼 작은따옴표로 묶습니다.',
    ),
    "invalid_limit": (
        "최대 개수는 0에서 1000000 사이의 정수여야 하는데 {value!r} 값을 받았습니다.",
        "생략하면 기본값을 씁니다.",
    ),
    "invalid_owner": (
        "{field} 이름은 1자에서 200자 사이여야 하는데 {value!r} 값을 받았습니다.",
        "생략하면 기본 사용자의 기억을 씁니다.",
    ),
    "invalid_item": ("기억 레코드가 아닙니다: {reason}.", "`celestial export`로 내보낸 줄과 비교해 보세요."),
    "import_source": ("{path} 파일을 들여올 수 없습니다: {reason}.", "고쳐서 다시 시도하세요."),
    "unknown_format": (
        "{path} 파일을 들여올 수 없습니다: {reason}.",
        "알려진 형식: celestial, celestial-bundle, aimem, stellar-memory, long-term-memory, mem0, mcp-memory, letta, "
        "markdown, basic-memory, chatgpt, claude, jsonl, csv. "
        "--from으로 형식을 정하고, jsonl과 csv는 --map으로 필드의 뜻을 정할 수 "
        "있습니다.",
    ),
    "ambiguous_id": ("{prefix!r:으로/로} 시작하는 기억이 {count}개 있습니다.", "아이디를 더 길게 적으세요."),
    "secret": ("기억하면 안 되는 비밀이 들어 있습니다: {reason}.", "저장하지 않았습니다. 빼고 다시 시도하세요."),
    "key_reused": (
        "멱등 키 {key!r} 값은 이미 다른 요청에 쓰였습니다.",
        "저장하지 않았습니다. 새 요청에는 새 키를 쓰세요.",
    ),
    "config": (
        "설정이 올바르지 않습니다: {reason}.",
        "아무것도 열지 않았습니다. 설정을 고치거나, 기본값을 쓰려면 빼세요.",
    ),
    "config_file": (
        "{path} 설정을 쓸 수 없습니다: {reason}.",
        "아무것도 열지 않았습니다. 파일을 고치거나, 파일 없이 쓰려면 CELESTIAL_CONFIG=none으로 지정하세요.",
    ),
    "project_file": (
        "{path}에 적힌 프로젝트의 기억을 쓸 수 없습니다: {reason}.",
        "아무것도 열지 않았습니다. 파일을 고치거나, 공통 기억을 쓰려면 CELESTIAL_PROJECT=none으로 지정하세요.",
    ),
    "analyser_missing": (
        "이 데이터베이스의 단어 색인은 {analyser:으로/로} 만들었는데, 지금은 그것을 쓸 수 없습니다.",
        "`{install}` 명령으로 설치하거나, `celestial reindex --words pairs`로 새로 만드세요.",
    ),
    "extra_missing": (
        "{name}에 필요한 패키지가 없거나 너무 오래되었습니다: {reason}.",
        "`{install}` 명령으로 설치하세요.",
    ),
    "not_found": (
        "{item_id!r} 기억이 없습니다.",
        "`celestial list`로 지금 있는 기억을 볼 수 있습니다. 최근에 잊은 기억은 `celestial cliff`에 있습니다.",
    ),
    "nothing_archived": (
        "{item_id!r:이라는/라는} 이름으로 보관된 세션이나 기억이 없습니다.",
        "`celestial archive list`로 무엇이 보관되어 있는지 볼 수 있습니다.",
    ),
    "stale_token": (
        "{item_id!r} 토큰이 가리키는 기억들이 그사이 바뀌었거나 다른 곳에서 이미 간추려졌습니다.",
        "바뀐 것은 없습니다. 간추릴 기억의 목록을 다시 받으세요.",
    ),
    "token_not_found": (
        "{item_id!r} 토큰이 없거나 이미 폐기되었습니다.",
        "`celestial token list`로 토큰과 그 아이디를 볼 수 있습니다.",
    ),
    "proposal_not_found": (
        "{item_id!r} 제안이 없습니다.",
        "기다리는 제안은 `celestial inbox`에 있습니다. 지난 제안까지 보려면 `celestial inbox --all`을 쓰세요.",
    ),
    "self_version_not_found": (
        "자아의 {version}번 버전이 없습니다.",
        "아무것도 바뀌지 않았습니다. `celestial self versions`로 볼 수 있고, 0은 처음 이전입니다.",
    ),
    "event_not_found": ("{number!r}번 일이 없습니다.", "`celestial history`로 번호를 볼 수 있습니다."),
    "persona_registry": (
        "페르소나 레지스트리 {registry:을/를} 쓸 수 없습니다: {reason}.",
        "아무것도 묻지 않았습니다. 고친 뒤 `celestial personas validate FILE`로 확인하세요.",
    ),
    "persona_session_not_found": (
        "{session_id!r} 세션에는 페르소나 실행이 없습니다.",
        "아무것도 묻지 않았습니다. 세션 아이디는 실행을 시작할 때 표시됩니다.",
    ),
    "turn_not_found": (
        "피드백을 줄 대화 차례 {turn_id!r:이/가} 없습니다.",
        "아무것도 배우지 않았습니다. 최근에 관찰한 차례에만 줄 수 있습니다. 마지막 차례라면 아이디를 생략하세요.",
    ),
    "source_not_found": (
        "{which!r}: 그런 기억도, 세션도, 가져오기도 없습니다.",
        "아무것도 바꾸지 않았습니다. 가져오기는 mem0 같은 형식이나 파일의 이름으로 부릅니다. 세션은 "
        "`celestial list --json`에 나옵니다.",
    ),
    "peer_not_found": (
        "키가 {key}인 상대가 없습니다.",
        "`celestial gossip status`로 상대 목록을 볼 수 있습니다. 키는 끝까지 모두 적어야 합니다.",
    ),
    "checkpoint_not_found": (
        "학습 기록 {version}번을 쓸 수 없습니다: {reason}.",
        "아무것도 바뀌지 않았습니다. `celestial policy checkpoints`로 기록을 볼 수 있고, 0은 처음 상태입니다.",
    ),
    "cannot_undo": (
        "{number}번 일은 되돌릴 수 없습니다: {reason}.",
        "`celestial history`로 기억에 일어난 일을 보고, 가장 최근의 변경부터 되돌리세요.",
    ),
    "changed_since": (
        "{item_id!r} 기억은 지정한 버전 이후에 바뀌었습니다.",
        "아무것도 바뀌지 않았습니다. 다시 읽고, 여전히 필요한 변경만 다시 하세요.",
    ),
    "protected": (
        "{item_id!r} 기억은 보호되어 있어({protection}) {action} 수 없습니다.",
        "바뀌지 않도록 저장한 기억입니다. 필요하면 새 기억을 따로 저장하세요.",
    ),
    "approval": ("{proposal!r} 제안대로 할 수 없습니다: {reason}.", "아무것도 바뀌지 않았습니다."),
    "already_decided": (
        "{proposal!r} 제안은 이미 결정되었습니다 ({status}).",
        "아무것도 바뀌지 않았습니다. 결정은 한 번뿐이니, 여전히 바란다면 새로 제안하세요.",
    ),
    "proposal_expired": (
        "{proposal!r} 제안은 결정 없이 기한이 지났습니다.",
        "아무것도 바뀌지 않았습니다. 여전히 바란다면 새로 제안하세요.",
    ),
    "proposal_changed": (
        "{proposal!r} 제안이 다루는 것이 그사이 바뀌었습니다: {reason}.",
        "아무것도 바뀌지 않았습니다. 거절하고, 여전히 바라는 것을 새로 제안하세요.",
    ),
    "approval_token": (
        "{proposal!r} 제안에 맞는 토큰이 아닙니다. 이미 썼거나, 새 토큰으로 바뀌었거나, 다른 변경의 것입니다.",
        "아무것도 바뀌지 않았습니다. 제안을 다시 보고 함께 받은 토큰으로 승인하세요.",
    ),
    "not_the_user": (
        "{proposal!r} 제안은 사용자만 결정할 수 있는데, {channel:은/는} 사용자가 아닙니다.",
        "아무것도 바뀌지 않았습니다. 사용자에게 `celestial inbox`를 보아 달라고 하세요.",
    ),
    "too_much_change": (
        "{proposal!r} 제안은 하루에 바꿀 수 있는 것보다 자아를 많이 바꿉니다: {reason}.",
        "아무것도 바뀌지 않았습니다. 하룻밤 자고 내일 승인하세요.",
    ),
    "sync": ("{path}: {reason}.", "이 때문에 바뀐 것은 없습니다."),
    "soul": ("{path}: {reason}.", "파일도 자아도 바뀌지 않았습니다."),
    "wrong_state": (
        "{item_id!r} 기억은 {state} {action} 수 없습니다.",
        "상태는 `celestial show`로 볼 수 있습니다. 절벽에 있다면 `celestial restore`로 되살릴 수 있습니다.",
    ),
    "storage": (
        "데이터베이스 {path}에 문제가 생겼습니다: {reason}.",
        "`celestial doctor`를 실행하면 무엇이 필요한지 알 수 있습니다.",
    ),
    "foreign_database": (
        "{path} 파일은 Celestial 데이터베이스가 아닙니다 ({reason}).",
        "아무것도 바꾸지 않았습니다. --db나 CELESTIAL_DB로 다른 경로를 지정하세요.",
    ),
    "newer_schema": (
        "{path} 데이터베이스는 더 새로운 버전에서 만들었습니다 (스키마 {found}, 이 버전은 {known}까지 지원합니다).",
        "아무것도 바꾸지 않았습니다. celestial-engine을 업그레이드하세요.",
    ),
    "read_only": (
        "{path} 파일에 쓸 수 없습니다 ({reason}).",
        "파일과 폴더에 쓰기 권한을 주거나, --db나 CELESTIAL_DB로 다른 경로를 지정하세요.",
    ),
    "standby": (
        "{path} 서버는 읽기만 할 수 있는 대기 서버입니다.",
        "아무것도 바꾸지 않았습니다. 주 서버의 주소를 주거나, 호스트를 여러 개 적고 "
        "target_session_attrs=read-write를 붙이세요.",
    ),
    "server_unreachable": (
        "{path} 데이터베이스 서버가 응답하지 않습니다: {reason}.",
        "서버가 켜져 있는지, 호스트와 포트가 맞는지 확인하세요. 다음 요청 때 저절로 다시 연결합니다.",
    ),
    "server_access": (
        "{path} 데이터베이스 서버가 접속을 거부했습니다: {reason}.",
        "주소의 사용자, 비밀번호, 데이터베이스를 확인하고, 그 역할이 테이블을 만들고 쓸 수 있는지 확인하세요.",
    ),
    "server_full": (
        "{path} 데이터베이스 서버에 남은 연결이 없습니다.",
        "max_connections를 늘리거나, 앞에 pgbouncer를 두거나, 프로세스마다 여는 연결 수를 줄이세요.",
    ),
    "slow_statement": (
        "{path}에서 명령 하나가 {seconds:g}초를 넘겨 취소되었습니다.",
        "아무것도 바뀌지 않았습니다. 다시 시도하고, 자주 일어나면 데이터베이스 서버의 부하를 살펴보세요.",
    ),
    "disk_full": (
        "{path}에 저장할 공간이 없습니다.",
        "마지막 변경은 저장되지 않았고, 그 이전 것은 모두 안전합니다. 공간을 비우고 다시 시도하세요.",
    ),
    "busy": (
        "다른 프로세스가 {path} 데이터베이스를 {seconds:g}초 넘게 잠그고 있습니다.",
        "트랜잭션을 열어 둔 프로세스가 있는지 확인하고 다시 시도하세요.",
    ),
    "owner_moving": (
        "이 사용자의 마지막 기억을 {path}에서 다른 데이터베이스로 옮기는 중입니다.",
        "아무것도 바뀌지 않았습니다. 몇 초 뒤에 다시 시도하거나 새 데이터베이스를 쓰세요.",
    ),
    "move": (
        "{owner:을/를} {path:으로/로} 옮길 수 없습니다: {reason}.",
        "원래 데이터베이스는 그대로입니다. 원인을 해결한 뒤 명령을 다시 실행하세요.",
    ),
    "corrupt_database": (
        "{path} 파일이 손상되었습니다: {reason}.",
        "파일을 복사해 둔 뒤, 백업으로 복구하거나 읽을 수 있는 부분을 `celestial export`로 내보내세요.",
    ),
    "backup_exists": (
        "{path} 파일이 이미 있습니다.",
        "아무것도 바꾸지 않았습니다. 다른 경로를 지정하세요. 백업 파일은 `celestial backup --force`로 바꿉니다.",
    ),
    "closed": ("{path} 데이터베이스는 이미 닫혔습니다.", "다시 여세요. 명령줄에서는 명령을 다시 실행하면 됩니다."),
    "provider": (
        "문제가 생겼습니다: {reason}.",
        "그동안에도 기억은 저장되고 단어로 찾을 수 있습니다. 제공자 설정을 확인하세요.",
    ),
    "persona_run": (
        "페르소나 {persona!r:이/가} 답하지 못했습니다: {reason}.",
        "그 전의 답은 모두 저장되어 있습니다. `celestial personas run --resume {session_id}`로 이어서 실행하세요.",
    ),
    "embedding": (
        "임베더가 벡터를 만들지 못했습니다: {reason}.",
        "기억은 그대로 있고 단어로 찾을 수 있습니다. 임베더가 다시 동작하면 `celestial reindex`를 실행하세요.",
    ),
    "language_model": (
        "언어 모델을 쓸 수 없습니다: {reason}.",
        "그동안은 규칙으로 판단합니다. 주소와 키, 사용 한도를 확인하세요.",
    ),
    "model_unavailable": (
        "언어 모델을 쓸 수 없습니다: {reason}.",
        "그동안은 규칙으로 판단합니다. 주소와 키, 사용 한도를 확인하세요.",
    ),
    "model_answer": (
        "언어 모델의 답을 쓸 수 없습니다: {reason}.",
        "대신 규칙으로 판단합니다. 더 큰 모델을 쓰면 나아질 수 있습니다.",
    ),
    "budget": (
        "언어 모델의 오늘 사용 한도를 다 썼습니다: {reason}.",
        "UTC 자정까지는 규칙으로 판단합니다. CELESTIAL_MODEL_DAILY_CALLS와 ..._TOKENS로 한도를 늘릴 수 있습니다.",
    ),
    "not_open": ("기억이 아직 열리지 않았습니다.", "`async with`로 쓰거나 먼저 open()을 기다리세요."),
    "wrong_state/restore": ("{item_id!r} 기억은 이미 {state} 되살릴 필요가 없습니다.", ""),
    "wrong_state/forget": (
        "{item_id!r} 기억은 이미 {state} 다시 잊을 필요가 없습니다.",
        "`celestial restore`로 되살릴 수 있습니다.",
    ),
}
