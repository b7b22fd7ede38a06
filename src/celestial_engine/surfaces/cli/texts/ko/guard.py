"""비밀 가리기."""

from __future__ import annotations

GUARD: dict[str, str] = {
    "detail.redacted": "가린 것",
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
