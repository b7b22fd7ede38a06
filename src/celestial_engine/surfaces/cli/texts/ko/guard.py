"""비밀 가리기."""

from __future__ import annotations

GUARD: dict[str, str] = {
    "help.guard": "예전 버전이 저장한 비밀을 찾아 가립니다",
    "detail.redacted": "가린 것",
    "detail.redacted_as": "가린 사본",
    "place.memory": "기억",
    "place.archive": "보관 파일",
    "place.version": "지난 내용",
    "place.ledger": "원장 항목",
    "place.backup": "백업",
    "col.place": "곳",
    "col.where": "위치",
    "col.secrets": "비밀",
    "say.no_secrets": "저장된 비밀이 없습니다.",
    "say.would_redact": "아무것도 바꾸지 않았습니다. `celestial guard scan --redact`를 실행하면 기억에서 가립니다.",
    "say.secrets_redacted": "비밀을 가린 사본으로 바꾼 기억: {count}개.",
    "left.ledger": (
        "원장 항목은 서로 이어져 있어 고쳐 쓰지 않습니다. "
        "비밀을 쓰는 곳에서 비밀 자체를 바꾸세요. 그러면 남은 항목은 쓸모가 없어집니다."
    ),
    "left.backup": "백업은 그대로 둡니다. 새로 백업한 다음 이 파일들을 지우세요.",
    "left.memory": "코어 메모리는 소유자만 바꿀 수 있습니다. 새 내용을 제안하고 승인하세요.",
    "left.version": "코어 메모리입니다. 새 내용을 제안하고 승인하면 지난 내용도 함께 사라집니다.",
    "left.archive": "보관 파일에서 꺼내지 못했습니다. 까닭은 `celestial doctor`가 알려 줍니다.",
    "say.secret_left": "아직 남아 있음: {place} {where}",
    "secret.password": "비밀번호",
    "secret.api_key": "API 키",
    "secret.jwt": "토큰",
    "secret.private_key": "개인 키",
    "secret.connection": "접속 정보",
    "secret.card": "카드 번호",
    "secret.resident_number": "주민등록번호",
    "secret.bank_account": "계좌번호",
    "secret.identity_number": "신분증 번호",
    "secret.security_code": "보안 코드",
    "secret.seed_phrase": "시드 문구",
    "secret.phone": "전화번호",
    "secret.email": "이메일 주소",
}
