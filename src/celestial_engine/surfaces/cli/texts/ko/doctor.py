"""점검과 언어 모델."""

from __future__ import annotations

DOCTOR: dict[str, str] = {
    "status.ok": "정상",
    "status.note": "참고",
    "status.warning": "주의",
    "status.problem": "문제",
    "doctor.version": "celestial-engine {version}, Python {python}",
    "doctor.sqlite": "SQLite {version}",
    "doctor.wal_reset": (
        "3.51.3 이전의 SQLite는 체크포인트와 쓰기가 겹치면 아주 드물게 파일이 손상될 수 있습니다. "
        "이 프로그램은 쓰기 잠금을 잡은 상태에서 체크포인트를 하므로 해당되지 않지만, 가능하면 SQLite를 "
        "업그레이드하세요."
    ),
    "doctor.fts": "전문 검색(FTS5)을 쓸 수 있습니다",
    "doctor.no_fts": "이 SQLite에는 전문 검색(FTS5)이 없습니다. FTS5가 포함된 SQLite를 쓰는 Python으로 실행하세요.",
    "doctor.durability_full": "내구성 full: 저장한 기억은 정전이 되어도 남습니다",
    "doctor.durability_normal": "내구성 normal: 정전이 되면 가장 최근 변경을 잃을 수 있습니다",
    "doctor.path": "데이터베이스 {path}",
    "doctor.missing": "아직 데이터베이스가 없습니다. `celestial store`를 처음 실행할 때 만들어집니다",
    "doctor.server": "이 데이터베이스는 서버에 있으며 여러 서버가 함께 쓸 수 있습니다",
    "doctor.in_memory": "이 데이터베이스는 메모리에만 있으며 명령이 끝나면 사라집니다",
    "doctor.size": "크기 {size}",
    "doctor.private": "소유자만 읽을 수 있습니다",
    "doctor.readable": (
        "이 컴퓨터의 다른 사용자도 읽을 수 있습니다 (권한 {mode}). `chmod 600`으로 소유자만 읽게 하세요."
    ),
    "doctor.anothers": "이 파일의 소유자는 내가 아니라 {owner}입니다 (권한 {mode})",
    "doctor.anothers_readable": (
        "이 파일의 소유자는 내가 아니라 {owner}이고, 다른 사용자도 읽을 수 있습니다 (권한 {mode}). {owner} "
        "사용자가 `chmod 600`을 실행하면 혼자만 읽게 됩니다."
    ),
    "doctor.unreachable": "{path} 파일을 확인할 수 없습니다 ({reason})",
    "doctor.consistent": (
        "내용에 이상이 없습니다. {user}/{agent}의 기억은 궤도에 {total}개, 망각의 절벽에 {cliff}개 있습니다"
    ),
    "doctor.floor": "관련성 하한 {floor}({embedder}로 잰 값): 답일 가능성이 더 낮은 기억은 내놓지 않습니다",
    "doctor.floor_words": "관련성 하한 {floor}(단어로만 찾을 때): 답일 가능성이 더 낮은 기억은 내놓지 않습니다",
    "doctor.floor_not_measured": "{embedder}로는 관련성 하한을 재지 않아, 조심스러운 값({floor})을 씁니다",
    "doctor.inconsistent": "{problem}",
    "doctor.healthy": "모두 정상입니다.",
    "doctor.ill": "확인이 필요합니다. `문제`로 표시된 줄을 보세요.",
    "doctor.log_alone": (
        "{path} 파일은 없고 로그 {log}만 남아 있습니다. 프로그램이 쓰는 사이에 파일이 옮겨진 듯합니다. "
        "무엇보다 먼저 파일을 로그가 있는 폴더로 되돌려 놓으세요. 로그에 가장 최근 기억이 있을 수 있습니다."
    ),
    "doctor.disk": "디스크의 남은 공간: {free}",
    "doctor.disk_low": "디스크에 {free}만 남아 데이터베이스를 백업하기에 모자랍니다",
    "doctor.disk_full": "디스크에 {free}만 남아 다음 기억을 저장하지 못할 수 있습니다. 공간을 비우세요.",
    "doctor.disk_unknown": "디스크의 남은 공간을 알 수 없습니다 ({reason})",
    "doctor.made_private": "다른 사용자도 읽을 수 있었지만(권한 {mode}) 이제 소유자만 읽을 수 있습니다",
    "doctor.not_writable": (
        "{path} 파일을 읽고 쓸 수 없습니다 (권한 {mode}). `chmod u+rw`나 --repair로 고칠 수 있습니다."
    ),
    "doctor.made_writable": "{path} 파일을 읽고 쓸 수 없었지만(권한 {mode}) 이제 읽고 쓸 수 있습니다",
    "doctor.read_only": "파일이나 폴더가 읽기 전용입니다. 기억을 찾을 수는 있지만 바꾸거나 복구할 수는 없습니다",
    "doctor.folders_readable": (
        "원장이나 보관소의 파일 {count}개를 다른 사용자가 읽을 수 있습니다. 예: {path}. --repair로 고칠 수 있습니다."
    ),
    "doctor.folders_made_private": (
        "다른 사용자가 읽을 수 있던 원장이나 보관소의 파일 {count}개를 소유자만 읽도록 고쳤습니다. 예: {path}"
    ),
    "doctor.ledger": "원장이 온전합니다. 항목 {count}개가 있고, 날짜별 파일에만 있는 항목은 없습니다",
    "doctor.ledger_lost": (
        "원장의 최근 항목({number}번부터)이 데이터베이스에는 없고 날짜별 파일에만 있습니다. -wal 파일이 지워졌거나 "
        "예전 데이터베이스 파일로 바뀐 것입니다. 그 항목에 적힌 변경은 이 데이터베이스에 없습니다."
    ),
    "doctor.ledger_wrong": "원장의 {number}번 항목이 맞지 않습니다. `celestial ledger verify`로 자세히 보세요.",
    "doctor.ledger_missing": "날짜별 파일에 원장 항목 {count}개가 빠졌습니다. --repair로 채울 수 있습니다.",
    "doctor.ledger_mended": "날짜별 파일에 원장 항목 {count}개를 채웠습니다",
    "doctor.ledger_unreadable": (
        "날짜별 파일에 깨졌거나 고쳐졌거나 출처를 알 수 없는 줄이 {count}개 있습니다. 첫 번째 위치: {where}"
    ),
    "doctor.vectors_missing": (
        "기억 {count}개에 {embedder} 벡터가 없어 단어로만 찾습니다. `celestial reindex`나 --repair로 만드세요."
    ),
    "doctor.vectors_differ": (
        "저장된 벡터는 {stored} 모델의 것이어서 {embedder} 모델로는 검색에 쓰지 못합니다. `celestial reindex`나 "
        "--repair로 다시 만들 수 있습니다."
    ),
    "doctor.vectors_made": "벡터를 만든 기억: {count}개, 벡터를 만들지 못한 기억: {failed}개",
    "doctor.clock": "시계: {now}",
    "doctor.clock_unset": "시계의 시각({now})이 올바르지 않습니다. 기억은 시계에 따라 흐려지므로 시계를 맞추세요.",
    "doctor.clock_back": (
        "시계는 {now}인데 가장 최근 항목은 {newest}에 기록되었습니다. 지금 시계가 늦거나, 기록할 때 시계가 빨랐던 "
        "것입니다. 기억은 시계에 따라 흐려지므로 시계를 맞추세요."
    ),
    "doctor.restore": (
        "온전한 백업이 있습니다. `celestial backup restore {path}`로 되돌리면 기억 {count}개가 돌아옵니다"
    ),
    "doctor.no_backup": "{folder} 폴더에 온전한 백업이 없습니다. 다른 시도를 하기 전에 파일부터 복사해 두세요",
    "opt.ask_model": "언어 모델에 짧은 질문을 하나 보내 응답하는지도 확인합니다",
    "doctor.no_model": "언어 모델 없음: 평가와 이해, 증류를 규칙으로 합니다 (CELESTIAL_MODEL로 지정)",
    "doctor.model": "언어 모델 {model}, 쓰는 곳: {uses}",
    "doctor.model_unused": "언어 모델 {model}, 쓰는 곳 없음 (CELESTIAL_MODEL_USE)",
    "doctor.model_spent": "오늘(UTC) 언어 모델 사용량: 호출 {calls}/{most_calls}회, 토큰 {tokens}/{most_tokens}개",
    "doctor.model_answers": "언어 모델이 응답합니다 (토큰 {tokens}개)",
    "doctor.model_plain": "주소가 다른 컴퓨터의 http://입니다. 기억과 키가 암호화되지 않은 채 전송됩니다",
    "model.no_limit": "무제한",
    "use.importance": "중요도",
    "use.perception": "요지",
    "use.understanding": "대화 이해",
    "use.emotion": "감정",
    "use.distillation": "증류",
}
