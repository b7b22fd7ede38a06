"""백업, 보관 한도, 보관소."""

from __future__ import annotations

KEEPING: dict[str, str] = {
    "opt.new_key_from": "키를 바꿉니다. 새 키를 읽을 곳: file:PATH, keyring, prompt",
    "opt.encrypt_off": "암호화를 모두 풉니다",
    "say.encrypted": (
        "이제 {path} 데이터베이스는 암호화되어 있습니다. 이 키로 다시 쓴 파일: 데이터베이스와 백업 {databases}개, "
        "그 밖의 파일 {files}개."
    ),
    "say.decrypted": (
        "{path} 데이터베이스의 암호화를 풀었습니다. 다시 쓴 파일: 데이터베이스와 백업 {databases}개, 그 밖의 파일 "
        "{files}개."
    ),
    "say.set_new_key": "앞으로는 새 키로 열어야 합니다. 환경 변수를 지정하세요: CELESTIAL_KEY_FROM={source}",
    "help.backup": "쓰는 중에도 데이터베이스 전체를 복사하고, 백업을 검사하거나 되돌립니다",
    "help.retain": "보관 한도를 적용합니다",
    "help.archive": "보관된 세션의 목록을 보고, 기억 하나를 보고, 다시 가져옵니다",
    "help.move": "사용자를 다른 데이터베이스(SQLite, PostgreSQL)로 옮깁니다. 원래 데이터베이스는 그대로 둡니다",
    "arg.move_from": "어디에서: 파일 또는 postgresql://...",
    "arg.move_to": "어디로: 없으면 새로 만듭니다",
    "opt.move_this_owner": "--user와 --agent로 지정한 사용자만 옮깁니다(기본값: 모두)",
    "say.moving": "{owner}",
    "say.moved_owner": (
        "  {owner}: 기억 {count}개, 기록 {entries}개. 이번에 쓴 것 {written}개, 쓰기를 막은 시간 {seconds}초."
    ),
    "say.would_move_owner": "  {owner}: 기억 {count}개, 기록 {entries}개.",
    "say.moved": (
        "{source}의 모든 것을 {target}에 옮기고 확인했습니다: 사용자 {owners}명, 기억 {count}개. "
        "{source}에는 아무 변화가 없습니다."
    ),
    "say.would_move": "{target:으로/로} 옮길 것: 사용자 {owners}명, 기억 {count}개. 아무것도 바꾸지 않았습니다.",
    "arg.backup_path": "백업할 곳 (기본값: 백업 폴더, 없으면 데이터베이스 옆). 또는 verify, restore",
    "arg.backup_file": "검사하거나 되돌릴 백업 파일",
    "opt.force": "예전 백업을 새 백업으로 바꿉니다",
    "opt.dry_run": "무엇을 할지 보여 주기만 합니다",
    "say.backed_up": "{path} 파일로 백업했습니다: 기억 {count}개, 보관 파일 {archives}개, {size}. 검사도 마쳤습니다.",
    "say.verified": "{path} 백업은 온전합니다: 기억 {count}개, 보관 파일 {archives}개, {size}.",
    "say.restored_backup": "{path} 데이터베이스를 {backup} 백업 때로 되돌렸습니다: 기억 {count}개.",
    "say.would_restore_backup": (
        "{path} 데이터베이스를 {backup} 백업 때로 되돌릴 수 있습니다: 기억 {count}개. "
        "아직 아무것도 바뀌지 않았습니다."
    ),
    "say.kept_as": "지금까지의 데이터베이스는 {path} 파일에 남겨 두었습니다.",
    "say.purged_again": "백업한 뒤에 완전히 삭제된 기억 {count}개는 돌아오지 않습니다.",
    "say.purged_unknown": "기존 데이터베이스를 읽을 수 없어, 백업 뒤에 완전히 삭제된 기억이 돌아왔을 수 있습니다.",
    "say.archive_problem": "주의: {problem}",
    "say.retained": "망각의 절벽으로 보낸 기억 {forgotten}개, 보관한 기억 {archived}개.",
    "say.would_retain": (
        "망각의 절벽으로 갈 기억 {leaving}개, 보관할 기억 {archiving}개(세션 {sessions}개). "
        "아직 아무것도 바뀌지 않았습니다."
    ),
    "say.limit_line": "  {limit}: {count}",
    "say.remaining": "데이터베이스에 남는 기억 {memories}개, 세션 {sessions}개, {size}.",
    "say.still_over": "보호되거나 최근에 쓰인 기억만 남아 아직 한도를 넘습니다: {limit}.",
    "say.no_archives": "보관된 세션이 없습니다.",
    "say.brought_back": "기억 {count}개를 다시 가져왔습니다.",
    "limit.delete_after_days": "보관 기간이 지난 기억",
    "limit.max_sessions": "세션 수 한도를 넘은 기억",
    "limit.max_memories_per_session": "한 세션의 한도를 넘은 기억",
    "limit.max_total_size_mb": "용량 한도를 넘은 기억",
    "col.archived": "보관 시각",
    "col.size": "크기",
    "col.session": "세션",
    "detail.archive": "보관 파일",
    "detail.memories": "기억",
    "detail.bytes": "바이트",
    "event.archived": "보관",
    "event.unarchived": "다시 가져오기",
    "event.backed_up": "백업",
    "event.backup_restored": "백업으로 되돌리기",
}
