"""원장과 되돌리기."""

from __future__ import annotations

LEDGER: dict[str, str] = {
    "event.granted": "토큰 발급",
    "event.revoked": "토큰 폐기",
    "help.ledger": "원장이 바뀌지 않았는지 확인하고, 원장의 끝과 내용을 보여 주고, 파일을 고치거나 압축합니다",
    "help.undo": "기억을 어떤 일이 있기 전으로 되돌립니다",
    "col.number": "번호",
    "event.undone": "되돌리기",
    "event.user_input": "사용자 입력",
    "event.persona_response": "페르소나 응답",
    "event.tool_call": "도구 호출",
    "event.evaluation": "평가",
    "event.rune_report": "RUNE 보고",
    "event.synthesis_report": "종합 보고",
    "event.host": "호스트",
    "detail.of": "되돌린 번호",
    "detail.was": "되돌린 동작",
    "detail.name": "이름",
    "wrong.edited": "{number}번 항목이 앞 항목과 이어지지 않습니다. 고쳤거나 끼워 넣었거나 순서를 바꾼 것입니다.",
    "wrong.missing": "{number}번 항목이 없습니다.",
    "wrong.missing_files": "{number}번 항목이 없습니다. 일별 파일에는 있습니다.",
    "wrong.cut": "{number}번부터 끝까지 잘려 나갔습니다.",
    "wrong.cut_files": "{number}번부터 끝까지 잘려 나갔습니다. 일별 파일에는 있습니다.",
    "wrong.cut_head": "{number}번부터 끝까지 잘려 나갔습니다. 적어 둔 값이 더 나중의 것입니다.",
    "wrong.rewritten_files": "{number}번 항목이 일별 파일과 다릅니다. 지난 기록을 다시 쓴 것입니다.",
    "wrong.rewritten_head": "{number}번 항목이 적어 둔 값과 다릅니다. 지난 기록을 다시 쓴 것입니다.",
    "wrong.version_edited": "{number}번 일이 있기 전의 기억으로 보관한 내용이 바뀌었습니다.",
    "wrong.version_missing": "{number}번 일이 있기 전의 기억으로 보관한 내용이 없어졌습니다.",
    "say.ledger_holds": "원장이 온전합니다: 항목 {count}개가 모두 앞 항목과 이어집니다.",
    "say.ledger_advice": (
        "더 쓰기 전에 데이터베이스와 파일을 복사해 두세요. 예전 데이터베이스로 되돌렸거나 정전이 있었다면 파일 "
        "폴더를 다른 곳으로 옮기세요. `celestial ledger repair`가 새로 만듭니다."
    ),
    "say.no_ledger_files": "일별 파일이 없어서, 끝이 잘려 나갔는지는 따로 적어 둔 값이 있어야 알 수 있습니다.",
    "say.ledger_files": "{path} 폴더의 파일: {lines}줄.",
    "say.ledger_missing": "파일에 빠진 줄: {count}개. `celestial ledger repair`로 채울 수 있습니다.",
    "say.ledger_unreadable": "파일에 깨졌거나 바뀌었거나 알 수 없는 줄: {count}개, 첫 번째는 {where}.",
    "say.ledger_repaired": "{count}줄을 채웠습니다.",
    "say.ledger_compressed": "파일 {count}개를 압축했습니다.",
    "say.undone": "{number}번을 되돌렸습니다: {id} 기억이 예전으로 돌아왔습니다 ({zone}).",
    "say.undone_gone": "{number}번을 되돌렸습니다: {id} 기억은 망각의 절벽에 있습니다.",
}
