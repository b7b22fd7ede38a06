"""여러 기기, 한국어."""

from __future__ import annotations

SYNC: dict[str, str] = {
    "help.sync": "공유 폴더나 HTTP로 내 다른 기기와 기억을 주고받습니다",
    "arg.sync_place": "기기들이 함께 쓰는 폴더, `celestial serve`가 실행 중인 기기의 주소, status, "
    "또는 new-device(복사했거나 되돌린 데이터베이스에 새 id를 줍니다)",
    "opt.sync_token": "주소를 줄 때: approve 권한이 있는 토큰(또는 CELESTIAL_SYNC_TOKEN)",
    "opt.passphrase_file": "첫 줄에 암호가 적힌 파일(또는 CELESTIAL_SYNC_PASSPHRASE)",
    "opt.plaintext": "암호화하지 않고, 암호화되지 않은 꾸러미도 받습니다",
    "opt.sync_name": "앞으로 이 기기를 부를 이름",
    "opt.sync_dry_run": "폴더와 무엇을 주고받을지 보여 주기만 합니다",
    "say.synced": "기억 {sent}개를 보냈고, 꾸러미 {read}개를 읽었습니다.",
    "say.sync_planned": "기억 {sent}개를 보내고 꾸러미 {read}개를 읽게 됩니다. 아무것도 쓰지 않았습니다.",
    "say.sync_changed": "  {what}: {count}",
    "say.sync_conflicts": "두 기기에서 고친 기억이 {count}개 있습니다. 더 나중에 고친 글을 씁니다. "
    "`celestial sync status`로 둘 다 볼 수 있습니다.",
    "say.sync_waiting": "아직 도착하지 않았습니다: {place}. 다음 동기화 때 이어서 읽습니다.",
    "say.sync_problem": "읽지 못했습니다: {problem}",
    "say.sync_device": "이 기기: {name} ({device})",
    "say.sync_other": "{name} ({device})",
    "say.sync_clock": "  시계가 이 기기보다 {days}일 앞서 있습니다",
    "say.sync_unsent": "{target}에 보낼 기억: {count}개",
    "say.sync_conflict": "두 기기에서 고침: {id}  {text}",
    "say.sync_other_text": "  {device}에서: {text}",
    "fail.sync_token": "--token을 주거나 CELESTIAL_SYNC_TOKEN을 설정하세요. "
    "토큰은 그 기기에서 `celestial token create`로 만듭니다.",
    "fail.sync_dry_run": "미리 보기는 폴더와 동기화할 때만 할 수 있습니다.",
    "fail.passphrase_file": "{path}을(를) 읽을 수 없습니다: {reason}.",
    "fail.passphrase_empty": "{path}의 첫 줄이 비어 있습니다.",
}
