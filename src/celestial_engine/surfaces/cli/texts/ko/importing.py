"""다른 기억에서 옮겨 오기에 관한 문장."""

from __future__ import annotations

IMPORTING: dict[str, str] = {
    "help.import": "다른 기억 프로그램, 대화 내보내기 파일, `celestial export` 파일에서 기억을 들여옵니다",
    "arg.import_file": "파일이나 폴더. -이면 표준 입력에서 읽습니다",
    "opt.from": "형식 (기본값: 내용을 보고 알아냅니다)",
    "opt.map": "jsonl과 csv에서 필드의 뜻. 예: content=text,created_at=time",
    "opt.of": "여러 사용자가 함께 쓰던 파일에서 누구의 기억을 들여올지",
    "opt.import_dry_run": "무엇이 들어올지 보여 주기만 합니다",
    "say.importing": "들여오는 중 {bar} {done} / {total}",
    "say.import_format": "{path}: {format} 형식",
    "say.imported": "기억 {added}개를 들여왔고, {known}개는 이미 있었습니다.",
    "say.would_import": "기억 {added}개가 들어오고, {known}개는 이미 있습니다. 아무것도 저장하지 않았습니다.",
    "say.import_nothing": "{format} 형식으로 읽을 내용이 없습니다.",
    "say.import_undated": "시각을 알 수 없어 지금 만든 것으로 둔 기억: {count}개 (첫 번째: {where})",
    "say.import_redacted": "그 가운데 {count}개에서 비밀을 가렸습니다.",
    "say.import_zones": "원래 있던 궤도: {zones}",
    "say.import_skipped": "건너뛴 것: {count}개",
    "say.import_reason": "  {count:>6}  {reason} (첫 번째: {where})",
    "place.line": "{number}번째 줄",
    "place.element": "{number}번째 항목",
    "place.item": "{number}번째 항목",
    "place.memory": "{number}번째 기억",
    "place.message": "{number}번째 메시지",
    "place.point": "{number}번 포인트",
    "skipped.not_json": "JSON이 아닙니다",
    "skipped.too_deep": "너무 깊이 중첩되어 있습니다",
    "skipped.too_long": "너무 깁니다",
    "skipped.not_csv": "표의 행으로 읽을 수 없습니다",
    "skipped.not_an_object": "필드가 있는 객체가 아닙니다",
    "skipped.no_text": "글이 없습니다",
    "skipped.no_id": "구별할 아이디가 없습니다",
    "skipped.not_plain": "단순한 값이 아니라 열지 않았습니다. 코드가 실행될 수 있습니다",
    "skipped.unknown_line": "개체도 관계도 아닙니다",
    "skipped.no_conversation": "대화가 아닙니다",
    "skipped.other_branch": "고치기 전의 메시지입니다",
    "skipped.other_user": "다른 사용자의 것입니다",
    "skipped.not_the_user": "사용자가 한 말이 아닙니다",
    "skipped.asks_back": "질문입니다",
    "skipped.question": "질문입니다",
    "skipped.points_back": "앞서 한 말을 가리킵니다",
    "skipped.nothing_stored": "질문입니다",
    "skipped.small_talk": "인사나 맞장구입니다",
    "skipped.little_said": "남겨 둘 만한 내용이 적습니다",
    "skipped.duplicate": "이미 기억하고 있습니다",
    "skipped.blocked": "저장이 차단된 비밀이 들어 있습니다",
    "skipped.secret": "저장이 차단된 비밀이 들어 있습니다",
    "skipped.not_prose": "말이 아니라 코드나 데이터, 기호입니다",
    "skipped.unreadable": "읽을 수 없습니다",
    "skipped.learned": "지금까지 배운 바에 따라 남기지 않습니다",
    "skipped.empty_content": "비어 있습니다",
    "skipped.content_too_large": "글이 1 MiB를 넘습니다",
    "skipped.invalid_text": "올바른 글이 아닙니다",
    "skipped.invalid_metadata": "메타데이터를 저장할 수 없습니다",
    "skipped.invalid_item": "기억으로 저장할 수 없는 기록입니다",
    "skipped.forgotten": "전에 들여왔다가 완전히 잊은 기억입니다",
}

IMPORT_PATTERNS: dict[str, str] = {
    r"what is in it is none of the known formats": "내용이 알려진 어느 형식도 아닙니다",
    r"it is neither a file nor a folder, pipe it into -": "파일도 폴더도 아닙니다. 파이프로 넘기고 -로 읽으세요",
    r"it is empty": "비어 있습니다",
    r"it is not JSON": "JSON이 아닙니다",
    r"it is nested too deeply": "너무 깊이 중첩되어 있습니다",
    r"it has more than (\d+) MiB in one document": "문서 하나가 {0} MiB를 넘습니다",
    r"it unpacks to more than (\d+) GiB": "압축을 풀면 {0} GiB를 넘습니다",
    r"the zip cannot be read \((.+)\)": "압축 파일을 읽을 수 없습니다 ({0})",
    r"the database cannot be read \((.+)\)": "데이터베이스를 읽을 수 없습니다 ({0})",
    r"it is a Celestial database itself, to be opened with --db, or exported first": (
        "Celestial 데이터베이스입니다. --db로 열거나, 먼저 `celestial export`로 내보내세요"
    ),
    r"it holds memories of (\d+) users \((.+)\), choose one with --of": (
        "사용자 {0}명의 기억이 들어 있습니다 ({1}). --of로 한 사람을 고르세요"
    ),
    r"it holds no memories of a user (.+)": "{0} 사용자의 기억이 없습니다",
    r"core memories are in it \((\d+)\), bring them in on your word with --from celestial": (
        "코어 메모리가 {0}개 들어 있습니다. 코어 메모리로 들여오겠다면 --from celestial로 밝히세요"
    ),
    r"none of its rows has the field that was mapped \((.+)\)": "--map에 적은 필드가 어느 행에도 없습니다 ({0})",
    r"only the fields of jsonl and csv have a say, and this is (.+)": (
        "필드의 뜻은 jsonl과 csv에서만 정할 수 있는데, 이것은 {0} 형식입니다"
    ),
    r"(.+) is not MEANING=FIELD with one of (.+)": "{0}은(는) `뜻=필드` 꼴이 아닙니다. 뜻은 {1} 가운데 하나입니다",
}
