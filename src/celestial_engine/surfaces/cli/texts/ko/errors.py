"""오류 안내: 무엇이 잘못되었고 어떻게 하면 되는지, 오류 코드마다 한 쌍."""

from __future__ import annotations

from celestial_engine.surfaces.cli.texts.ko.config import CONFIG_PATTERNS
from celestial_engine.surfaces.cli.texts.ko.errors_self import SELF_ERRORS, SELF_PATTERNS
from celestial_engine.surfaces.cli.texts.ko.importing import IMPORT_PATTERNS

# 코드 뒤에 하려던 일(action)이 붙은 것은 그 일에만 쓴다. `이(가)`는 앞말의 받침에 맞춰진다.
ERRORS: dict[str, tuple[str, str]] = {
    "error": ("문제가 생겼습니다: {reason}.", ""),
    "invalid_input": (
        "{field} 값이 올바르지 않습니다: {reason}.",
        "아무것도 바뀌지 않았습니다. 고쳐서 다시 시도하세요.",
    ),
    "empty_content": ("{field}이(가) 비어 있습니다.", "공백이 아닌 글자를 하나 이상 넣으세요."),
    "content_too_large": (
        "{field}이(가) 너무 깁니다: {size}바이트인데 {most}바이트까지만 저장할 수 있습니다.",
        "여러 기억으로 나누거나, 요약과 파일 링크를 저장하세요.",
    ),
    "invalid_text": (
        "{field}을(를) 텍스트로 읽을 수 없습니다: {reason}.",
        "UTF-8로 변환해서 다시 시도하세요. 예: `iconv -f CP949 -t UTF-8 파일 | celestial store -`",
    ),
    "invalid_importance": (
        "중요도는 0에서 1 사이의 수여야 하는데 {value!r} 값을 받았습니다.",
        "생략하면 내용을 보고 판단합니다.",
    ),
    "invalid_metadata": (
        "메타데이터를 저장할 수 없습니다: {reason}.",
        '--metadata에는 \'{{"키": "값"}}\'처럼 작은따옴표로 묶은 JSON 객체를 주세요.',
    ),
    "invalid_limit": (
        "최대 개수는 0에서 1000000 사이의 정수여야 하는데 {value!r} 값을 받았습니다.",
        "생략하면 기본값을 씁니다.",
    ),
    "invalid_owner": (
        "{field} 이름은 1자에서 200자 사이여야 하는데 {value!r} 값을 받았습니다.",
        "생략하면 기본 사용자의 기억을 씁니다.",
    ),
    "secret": ("기억하면 안 되는 비밀이 들어 있습니다: {reason}.", "저장하지 않았습니다. 빼고 다시 시도하세요."),
    "key_reused": (
        "멱등 키 {key!r} 값은 이미 다른 요청에 쓰였습니다.",
        "저장하지 않았습니다. 새 요청에는 새 키를 쓰세요.",
    ),
    "changed_since": (
        "{item_id!r} 기억은 지정한 버전 이후에 바뀌었습니다.",
        "아무것도 바뀌지 않았습니다. 다시 읽고, 여전히 필요한 변경만 다시 하세요.",
    ),
    "import_source": (
        "{path} 파일을 들여올 수 없습니다: {reason}.",
        "고쳐서 다시 시도하세요.",
    ),
    "unknown_format": (
        "{path} 파일을 들여올 수 없습니다: {reason}.",
        "알려진 형식: celestial, stellar-memory, long-term-memory, mem0, mcp-memory, basic-memory, chatgpt, claude, "
        "jsonl, csv. --from으로 형식을 정하고, jsonl과 csv는 --map으로 필드의 뜻을 정할 수 있습니다.",
    ),
    "invalid_item": (
        "기억 레코드가 아닙니다: {reason}.",
        "`celestial export`로 내보낸 줄과 비교해 보세요.",
    ),
    "ambiguous_id": ("{prefix!r}(으)로 시작하는 기억이 {count}개 있습니다.", "아이디를 더 길게 적으세요."),
    "config": (
        "설정이 올바르지 않습니다: {reason}.",
        "아무것도 열지 않았습니다. 설정을 고치거나, 기본값을 쓰려면 빼세요.",
    ),
    "config_file": (
        "{path} 설정을 쓸 수 없습니다: {reason}.",
        "아무것도 열지 않았습니다. 파일을 고치거나, 파일 없이 쓰려면 CELESTIAL_CONFIG=none으로 지정하세요.",
    ),
    "analyser_missing": (
        "이 데이터베이스의 단어 색인은 {analyser}(으)로 만들었는데, 지금은 그것을 쓸 수 없습니다.",
        "`{install}` 명령으로 설치하거나, `celestial reindex --words pairs`로 새로 만드세요.",
    ),
    "extra_missing": (
        "{name}에 필요한 패키지가 없거나 너무 오래되었습니다: {reason}.",
        "`{install}` 명령으로 설치하세요.",
    ),
    "not_found": (
        "{item_id!r} 기억이 없습니다.",
        "`celestial list`는 궤도에 있는 기억을, `celestial cliff`는 최근에 잊은 기억을 보여 줍니다.",
    ),
    "stale_token": (
        "{item_id!r} 토큰이 가리키는 기억들이 그사이 바뀌었거나 다른 곳에서 이미 간추려졌습니다.",
        "바뀐 것은 없습니다. 간추릴 기억의 목록을 다시 받으세요.",
    ),
    "token_not_found": (
        "{item_id!r} 토큰이 없거나 이미 폐기되었습니다.",
        "`celestial token list`로 토큰과 그 아이디를 볼 수 있습니다.",
    ),
    "event_not_found": (
        "{number!r}번 일이 없습니다.",
        "`celestial history`로 번호를 볼 수 있습니다.",
    ),
    "turn_not_found": (
        "피드백을 줄 대화 차례 {turn_id!r}이(가) 없습니다.",
        "아무것도 배우지 않았습니다. 최근에 관찰한 차례에만 줄 수 있습니다. 마지막 차례라면 아이디를 생략하세요.",
    ),
    "checkpoint_not_found": (
        "학습 기록 {version}번을 쓸 수 없습니다: {reason}.",
        "아무것도 바뀌지 않았습니다. `celestial policy checkpoints`로 기록을 볼 수 있고, 0은 처음 상태입니다.",
    ),
    "cannot_undo": (
        "{number}번 일은 되돌릴 수 없습니다: {reason}.",
        "`celestial history`로 기억에 일어난 일을 보고, 가장 최근의 변경부터 되돌리세요.",
    ),
    "protected": (
        "{item_id!r} 기억은 보호되어 있어({protection}) {action} 수 없습니다.",
        "바뀌지 않도록 저장한 기억입니다. 필요하면 새 기억을 따로 저장하세요.",
    ),
    "wrong_state": (
        "{item_id!r} 기억은 {state} {action} 수 없습니다.",
        "`celestial show`로 상태를 보고, `celestial restore`로 되살릴 수 있습니다.",
    ),
    "wrong_state/be restored": ("{item_id!r} 기억은 이미 {state} 되살릴 필요가 없습니다.", ""),
    "wrong_state/be forgotten": (
        "{item_id!r} 기억은 이미 {state} 다시 잊을 필요가 없습니다.",
        "`celestial restore`로 되살릴 수 있습니다.",
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
        "{path} 파일은 더 새로운 버전에서 만들었습니다 (스키마 {found}, 이 버전은 {known}까지 지원합니다).",
        "아무것도 바꾸지 않았습니다. celestial-engine을 업그레이드하세요.",
    ),
    "read_only": (
        "{path} 파일에 쓸 수 없습니다 ({reason}).",
        "파일과 폴더에 쓰기 권한을 주거나, --db나 CELESTIAL_DB로 다른 경로를 지정하세요.",
    ),
    "disk_full": (
        "{path} 파일을 저장할 공간이 없습니다.",
        "마지막 변경은 저장되지 않았고, 그 이전 것은 모두 안전합니다. 공간을 비우고 다시 시도하세요.",
    ),
    "busy": (
        "다른 프로세스가 {path} 파일을 {seconds:g}초 넘게 잠그고 있습니다.",
        "트랜잭션을 연 채 파일을 점유한 프로세스가 있는지 확인하고 다시 시도하세요.",
    ),
    "corrupt_database": (
        "{path} 파일이 손상되었습니다: {reason}.",
        "파일을 복사해 둔 뒤, 백업으로 복구하거나 읽을 수 있는 부분을 `celestial export`로 내보내세요.",
    ),
    "nothing_archived": (
        "{item_id!r}라는 이름으로 보관된 세션이나 기억이 없습니다.",
        "`celestial archive list`로 무엇이 보관되어 있는지 볼 수 있습니다.",
    ),
    "backup_exists": (
        "{path} 파일이 이미 있습니다.",
        "아무것도 바꾸지 않았습니다. 다른 경로를 지정하거나 --force로 바꾸세요.",
    ),
    "closed": ("{path} 데이터베이스는 이미 닫혔습니다.", "명령을 다시 실행하세요."),
    "provider": (
        "문제가 생겼습니다: {reason}.",
        "그동안에도 기억은 저장되고 단어로 찾을 수 있습니다. 제공자 설정을 확인하세요.",
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
    **SELF_ERRORS,
}

# 오류에 딸려 오는 엔진의 말. 여기 없는 것(SQLite의 말 등)은 그대로 보여 준다.
DETAILS: dict[str, str] = {
    "map": "필드 대응",
    "format": "형식",
    "content": "내용",
    "query": "질문",
    "turn": "말",
    "role": "말한 쪽",
    "history": "앞서 오간 말",
    'it has no "content"': '"content"가 없습니다',
    "tag": "태그",
    "tier": "수명",
    "user_id": "사용자",
    "agent_id": "에이전트",
    "id": "아이디",
    "budget": "토큰 예산",
    "depth": "깊이",
    "rating": "별점",
    "reward": "보상",
    "version": "학습 기록 번호",
    "there is none": "그런 기록이 없습니다",
    "its checksum is wrong": "체크섬이 맞지 않습니다",
    "session_id": "대화",
    "persona_id": "페르소나",
    "domain": "분야",
    "project": "프로젝트",
    "time_range": "기간",
    "it ends before it starts": "끝이 시작보다 앞섭니다",
    "event": "번호",
    "head": "적어 둔 값",
    "it is not NUMBER:HASH as `ledger head` prints it": "`celestial ledger head`가 보여 주는 번호:해시 꼴이 아닙니다",
    "be forgotten": "잊을",
    "be changed": "수정할",
    "be restored": "되살릴",
    "be recalled": "떠올릴",
    "be acted on": "행동에 쓸",
    "become a core memory": "코어 메모리로 삼을",
    "be rated": "별점을 매길",
    "be pinned": "고정할",
    "be unpinned": "고정을 풀",
    "be moved": "옮길",
    "active": "활성 상태라",
    "faded": "흐려진 상태라",
    "inactive": "비활성 상태라",
    "on the cliff": "망각의 절벽에 있어",
    "pinned": "고정",
    "immutable": "변경 불가",
    "core": "코어 메모리",
    "M0 is not given but earned, with the user's approval": "M0은 지정할 수 없고 사용자의 승인을 받아야 합니다",
    "its keys are not all strings": "키가 모두 문자열이어야 합니다",
    "it gave an empty, zero or not finite vector": "비어 있거나 0이거나 유한하지 않은 벡터가 나왔습니다",
    "it refused": "답하기를 거절했습니다",
    "it has no JSON": "JSON이 없습니다",
    "it failed a moment ago": "조금 전에 실패해서 잠시 쉬고 있습니다",
    "the endpoint's answer holds no message": "엔드포인트의 응답에 메시지가 없습니다",
    "there is no such language model; take none, openai:MODEL, anthropic:MODEL or http://HOST/v1#MODEL": (
        "그런 언어 모델은 없습니다. none, openai:모델, anthropic:모델, http://HOST/v1#모델 가운데 고르세요"
    ),
    "an endpoint is http(s)://HOST/..., with its key apart from the address": (
        "엔드포인트는 http(s)://HOST/... 꼴이어야 하고, 키는 주소에 넣지 말고 따로 지정해야 합니다"
    ),
    "the key holds signs that no header can carry": "키에 HTTP 헤더로 보낼 수 없는 글자가 있습니다",
    "there is no embedder": "임베더가 없습니다",
    "the embedder failed": "임베더가 벡터를 만들지 못했습니다",
    "the stored vectors are of another model": "저장된 벡터가 다른 모델의 것입니다",
    "the settings leave it out": "설정에서 제외했습니다",
    "it holds half of a pair (a lone surrogate)": "UTF-8로 나타낼 수 없는 글자가 있습니다",
    "full-text index: its words differ from the texts": (
        "전문 검색 색인의 단어가 기억의 내용과 다릅니다. `celestial doctor --repair`로 고칠 수 있습니다"
    ),
    "there is no retention policy: nothing is limited unless somebody sets one": (
        "정해진 보관 한도가 없습니다. --preset이나 CELESTIAL_RETENTION으로 정하세요"
    ),
    "it cannot be restored from itself": "자기 자신으로 되돌릴 수는 없습니다",
    "it is empty": "비어 있습니다",
    "it is a folder": "폴더입니다",
    "it is not an SQLite file": "SQLite 파일이 아닙니다",
    "it is an SQLite file of another program": "다른 프로그램의 SQLite 파일입니다",
    "Permission denied": "권한이 없습니다",
    "No such file or directory": "그런 파일이나 폴더가 없습니다",
    "No space left on device": "저장 공간이 없습니다",
    "it has control characters": "제어 문자가 들어 있습니다",
    "Not a directory": "폴더가 아닙니다",
    "Is a directory": "폴더입니다",
}

# 수나 이름이 섞인 엔진의 말: 정규식과 그 번역.
PATTERNS: dict[str, str] = {
    r"it is (.+), not like (\S+)": "{0} 값은 {1} 같은 주소가 아닙니다",
    r"it has more than (\d+) characters": "{0}자를 넘습니다",
    r"it is (\S+), not one of (.+)": "{0} 값은 없습니다. {1} 가운데 고르세요",
    r"it is (\w+), not a list of turns": "{0} 값은 말의 목록이 아닙니다",
    r"it is (\S+), not the number of an event": "{0}은(는) 번호가 아닙니다",
    r"it is (\w+), which leaves nothing to go back to": "{0} 동작은 되돌릴 것을 남기지 않습니다",
    r"the memory is gone for good since event (\d+)": "{0}번에서 기억이 완전히 삭제되었습니다",
    r"the memory that was merged into it is gone for good": "합쳐진 기억이 이미 완전히 삭제되었습니다",
    r"event (\d+) \((\w+)\) has changed the memory since": "그 뒤 {0}번({1})에서 기억이 다시 바뀌었습니다",
    r"nothing is kept of what was before this event \((\w+)\)": "이 일이 있기 전의 내용이 남아 있지 않습니다 ({0})",
    r"it must be a whole number from (\d+) to (\d+), not (.+)": (
        "{0}에서 {1} 사이의 정수여야 하는데 {2} 값을 받았습니다"
    ),
    r"(\w+\.\w+) must be text of 1 to (\d+) characters": "{0} 값은 1자에서 {1}자 사이여야 합니다",
    r"(\w+\.\w+) is (\S+), not between (\S+) and (\S+)": "{0} 값은 {2}에서 {3} 사이여야 하는데 {1} 값을 받았습니다",
    r"filter index: (\d+) facets differ from the memories": (
        "거르기 색인의 항목 {0}개가 기억과 다릅니다. `celestial doctor --repair`로 고칠 수 있습니다"
    ),
    r"filter index: the times of (\d+) chunks are wrong": (
        "거르기 색인의 구간 {0}개가 시간이 다릅니다. `celestial doctor --repair`로 고칠 수 있습니다"
    ),
    r"character (\d+) is half of a pair \(a lone surrogate\)": "글자 위치 {0}의 값은 UTF-8로 나타낼 수 없습니다",
    r"it has (\d+) bytes, more than (\d+)": "{0}바이트로, 한도인 {1}바이트를 넘습니다",
    r"it must be (\d+) to (\d+)(?: tokens)?, not (.+)": "{0}에서 {1} 사이의 정수여야 하는데 {2} 값을 받았습니다",
    r"durability must be 'full' or 'normal', not (.+)": "내구성은 full이나 normal이어야 하는데 {0} 값을 받았습니다",
    r"there is no word analyser (.+); take auto, pairs or kiwi": (
        "{0} 분석기는 없습니다. auto, pairs, kiwi 가운데 고르세요"
    ),
    r"Kiwi cannot be loaded \((.+)\)": "Kiwi를 불러올 수 없습니다 ({0})",
    r"there is no embedder (.+); take (.+) or (\S+)": "{0} 임베더는 없습니다. {1} 또는 {2} 가운데 고르세요",
    r"the package (\S+) cannot be loaded \((.+)\); (pip install .+)": (
        "{0} 패키지를 불러올 수 없습니다 ({1}). `{2}` 명령으로 설치하세요"
    ),
    r"there is no embedder; choose one, or (pip install .+)": (
        "임베더가 없습니다. --embedder로 고르거나 `{0}` 명령으로 설치하세요"
    ),
    r"Kiwi is not installed; (pip install .+)": "Kiwi가 없습니다. `{0}` 명령으로 설치하세요",
    r"the endpoint answered (\d+(?: \(\w+\))?)": "엔드포인트가 {0} 코드로 응답했습니다",
    r"the endpoint sends us elsewhere \((\d+)\), where we do not go": (
        "엔드포인트가 다른 주소로 보내려 하지만({0}) 따라가지 않습니다"
    ),
    r"the endpoint's answer has more than (\d+) bytes": "엔드포인트의 응답이 {0}바이트를 넘습니다",
    r"it was cut off at (\d+) tokens": "토큰 {0}개에서 잘렸습니다",
    r"(\d+) calls, (\d+) tokens": "호출 {0}회, 토큰 {1}개",
    r"(\w+) asks for a key; set CELESTIAL_MODEL_KEY": "{0}에는 키가 필요합니다. CELESTIAL_MODEL_KEY로 지정하세요",
    r"a language model is not used for (.+); take some of (.+)": (
        "언어 모델을 {0}에 쓸 수는 없습니다. {1} 가운데 고르세요"
    ),
    r"(CELESTIAL_\w+) must be a whole number from 0, or none, not (.+)": (
        "{0} 값은 0 이상의 정수나 none이어야 하는데 {1} 값을 받았습니다"
    ),
    r"the endpoint cannot be used \((.+)\)": "엔드포인트에 연결할 수 없습니다 ({0})",
    r"archive (\S+): the file is not there": "보관 파일 {0}이(가) 없습니다",
    r"archive (\S+): its first line cannot be read": "보관 파일 {0}의 첫 줄을 읽을 수 없습니다",
    r"archive (\S+): it was written by a newer version": "보관 파일 {0}은(는) 더 새로운 버전에서 만들었습니다",
    r"archive (\S+): (\d+) of (\d+) memories cannot be read": (
        "보관 파일 {0}에 있는 기억 {2}개 가운데 {1}개를 읽을 수 없습니다"
    ),
    r"there is no retention preset (.+); take (.+)": "{0}라는 보관 한도는 없습니다. {1} 가운데 고르세요",
    r"row (\d+) of (\w+) has lost its memory": "{1} 표의 {0}행에 해당하는 기억이 없습니다",
    r"(\d+) memories have lost their text": "기억 {0}개의 내용이 없습니다",
    r"the memories of (\d+) owners are miscounted": "소유자 {0}명의 기억 수가 맞지 않습니다",
    r"full-text index: (\d+) memories missing, (\d+) too many": (
        "전문 검색 색인에 기억 {0}개가 빠졌고 {1}개가 더 들어 있습니다. `celestial doctor --repair`로 고칠 "
        "수 있습니다"
    ),
    **SELF_PATTERNS,
    **CONFIG_PATTERNS,
    **IMPORT_PATTERNS,
}
