"""Secrets are taken out of a text, and texts that only look like secrets stay as they are."""

from __future__ import annotations

import string
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from celestial_engine.core.guard import secrets
from celestial_engine.core.guard.instructions import looks_like_injection
from celestial_engine.core.guard.secrets import (
    GuardAction,
    GuardPolicy,
    SecretKind,
    marker,
    redact_secrets,
)
from celestial_engine.errors import ConfigError, InvalidInputError, Reason, SecretError

# Made up here; they open nothing. In pieces, so that no scanner takes them for real ones.
STRIPE = "sk_" + "live_4eC39HqLyjWDarjtT1zdp7dc"

GITHUB = "ghp_" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"

GITHUB_FINE = "github" + "_pat_11ABCDEFG0aBcDeFgHiJkL_mNoPqRsTuVwXyZ0123456789abcdefghijklmnopqrstuvwxyzABC"

OPENAI = "sk-" + "proj-Zx8Kq2Lm9Nv4Rt6Yw1Bs3Df5Gh7Jk0PaQcVe"

ANTHROPIC = "sk-ant" + "-api03-Qw3Er5Ty7Ui9Op1As2Df4Gh6Jk8Lz0Xc_Vb-Nm"

AWS = "AKIA" + "Q7RZ3XW5TB2KD6LM"

AWS_SECRET = "wJa1rXUtn/FEMIK7MDENG+bPxRfiCYz3H8kLQ2vT"

GOOGLE = "AIza" + "SyB4kX9mQ2wE7rT1yU6iO3pA8sD5fG0hJkL"

SLACK = "xoxb" + "-210987654321-210987654321-aBcDeFgHiJkLmNoPqRsTuVwX"

JWT = "eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiI0MiIsIm4iOiJNaW5hIn0.c2lnbmF0dXJlLW9mLW5vYm9keQ"

PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEAx0mA\nq83kd02Fh1==\n-----END RSA PRIVATE KEY-----"

SECRETS = [
    (kind, text, value)
    for kind, cases in {
        SecretKind.PASSWORD: [
            ("The wifi password is {}, call me.", "hunter2"),
            ("password: {}", "correcthorse"),
            ("Password = {}", "Tr0ub4dor&3"),
            ("My router's passwd is '{}'", "blue sky over there"),
            ("pwd={};user=root", "s3cr3t"),
            ("DB_PASSWORD={}", "p@ssw0rd!"),
            ('{{"password": "{}"}}', "letmein99"),
            ("The password for the mail account is {}.", "Sunflower#77"),
            ("the password is now {} because of the audit", "winter2024!"),
            ("Mina changed the admin password to {} yesterday", "Gx7-plum-22"),
            ("the password was {} until May", "qwerty123"),
            ("The password is {}.", "swordfish"),
            ("use {} as the password", "zebra-4711"),
            ("{} is my password for the VPN", "Kimchi!2020"),
            ("my PIN is {}", "4711"),
            ("PIN: {}", "902817"),
            ("passphrase: {}", "moon-river-violet"),
            ("the passcode of the front door is {}", "2580"),
            ("mysql -u root password={} -h db", "ro0tme"),
            ("wifi password {} in the kitchen", "guest4you"),
            ("비밀번호는 {}야", "abc1234"),
            ("비밀번호: {}", "dkssud12!"),
            ("와이파이 비번은 {}입니다", "kimchi2020"),
            ("서버 암호는 {}로 바꿨어", "Qlalf!9"),
            ("공유기 비밀번호가 {}래", "admin1004"),
            ("패스워드는 '{}' 이야", "행복한 고양이"),
            ("현관 비밀번호는 {}", "135790"),
            ("내 메일 비밀번호 = {}", "snow-white7"),
            ("비번 {}", "tiger7788"),
            ("비밀번호는 이제 {}이다", "Vkfksgksmf1"),
            ("암호는 {}이고 아이디는 admin이다", "swordfish"),
            ("비밀번호를 {}로 변경했다", "Spring#2026"),
            ("password는 {}예요", "hello99world"),
            ("핀번호는 {}이야", "8642"),
            ("회의실 비번: {} (다음 주까지)", "meet-2211"),
            ("Our password, by the way, is {}", "Panda!44"),
            ("The password? It's {}.", "hunter2"),
            ("I set my bank PIN to {}", "4471"),
            ("비밀번호 좀 기억해줘: {}", "abc1234"),
            ("<password>{}</password>", "hunter2"),
        ],
        SecretKind.API_KEY: [
            ("My key is {}", OPENAI),
            ("export ANTHROPIC_API_KEY={}", ANTHROPIC),
            ("git push with {} failed", GITHUB),
            ("token {}", GITHUB_FINE),
            ("aws id {} in the config", AWS),
            ("aws_secret_access_key = {}", AWS_SECRET),
            ("maps key: {}", GOOGLE),
            ("the bot uses {}", SLACK),
            ("charge it with {}", STRIPE),
            ("api_key: {}", "9f8e7d6c5b4a39281706f5e4d3c2b1a0"),
            ("The access token is {}", "Zk3v9QpL7mXw2RtY8bNc"),
            ("client_secret={}", "q8W~3hJk.Zx71-LmPv02_Ty"),
            ("Authorization: Bearer {}", "b7c1d9e3f5a7081926354b6c7d8e9fa0"),
            ("the secret is {}", "x9K2mQ7pL4vR8tZ1"),
            ("API 키는 {}입니다", OPENAI),
            ("토큰: {}", "Zk3v9QpL7mXw2RtY8bNc"),
            ("인증키는 {}이다", "9f8e7d6c5b4a39281706f5e4d3c2b1a0"),
            ("깃허브 토큰 {}을 썼다", GITHUB),
            ("슬랙에 {}를 등록했다", SLACK),
            ("시크릿 키는 {}야", "x9K2mQ7pL4vR8tZ1"),
        ],
        SecretKind.JWT: [("cookie={}", JWT), ("{}", JWT), ("로그인하면 {}가 온다", JWT), ("header: {} expired", JWT)],
        SecretKind.PRIVATE_KEY: [("{}", PEM), ("my key:\n{}\nkeep it", PEM), ("이 키를 써\n{}", PEM)],
        SecretKind.CONNECTION: [
            ("postgres://{}@db.example.com:5432/app", "app:s3cr3t"),
            ("mongodb+srv://{}@cluster0.example.net", "root:p@ss"),
            ("redis://{}@10.0.0.3:6379/0", ":hunter2"),
            ("DB 주소는 mysql://{}@localhost/shop 이다", "shop:dkssud12"),
            ("clone https://{}@git.example.com/x.git", "mina:tok123456"),
            ("amqp://{}@mq 로 붙는다", "guest:rabbit99"),
        ],
        SecretKind.CARD: [
            ("My card is {}, valid thru 12/29", "4111 1111 1111 1111"),
            ("pay with {}", "5555-5555-5555-4444"),
            ("amex {}", "378282246310005"),
            ("Amex 3782 822463 10005 {}".replace(" {}", "").replace("3782 822463 10005", "{}"), "3782 822463 10005"),
            ("카드번호 {}로 결제", "4012888888881881"),
            ("법인카드는 {}이다", "6011-1111-1111-1117"),
            ("visa {} valid thru 12/29", "4222222222222"),
            ("diners {}", "30569309025904"),
        ],
        SecretKind.RESIDENT_NUMBER: [
            ("주민등록번호는 {}입니다", "900101-1234567"),
            ("주민번호 {}", "011231-4123456"),
            ("ID {} (Mina)", "850214-2345678"),
            ("주민등록번호: {}", "9001011234567"),
            ("외국인등록번호 {}", "770705-5123456"),
            ("신분증에 {}라고 써 있다", "031111-3999999"),
        ],
        SecretKind.BANK_ACCOUNT: [
            ("국민은행 {} 홍길동", "123456-04-123456"),
            ("계좌번호는 {}입니다", "110-234-567890"),
            ("신한은행 {}로 보내줘", "110234567890"),
            ("카카오뱅크 계좌 {}", "3333-01-2345678"),
            ("농협 {} 입금 부탁", "302-1234-5678-91"),
            ("My account number is {}.", "0012345678"),
            ("wire it to account {}", "123-456-789012"),
            ("IBAN {}", "DE89 3704 0044 0532 0130 00"),
        ],
    }.items()
    for text, value in cases
]

INNOCENT = Path(__file__).with_name("innocent_texts.txt").read_text(encoding="utf-8").splitlines()


def test_there_are_enough_examples():
    assert len(SECRETS) >= 80
    assert len(INNOCENT) >= 80


@pytest.mark.parametrize(("kind", "text", "value"), SECRETS)
def test_a_secret_is_taken_out(kind, text, value):
    """All of it goes, the words around it stay, and what is said of it is its kind and where it stood."""
    given_text = text.format(value)
    found = redact_secrets(given_text)
    assert [(finding.kind, given_text[finding.start : finding.end]) for finding in found.redacted] == [(kind, value)]
    assert value not in found.text
    before, after = text.replace("{{", "{").replace("}}", "}").split("{}")
    assert found.text in (before + marker(kind) + after, before + marker(kind, korean=True) + after)


@pytest.mark.parametrize("text", INNOCENT)
def test_what_only_looks_like_a_secret_stays(text):
    assert redact_secrets(text).text == text


def test_the_marker_speaks_the_language_of_the_text():
    assert redact_secrets("비밀번호는 abc1234야").text == "비밀번호는 [가림: 비밀번호]야"
    assert redact_secrets("password is abc1234").text == "password is [redacted: password]"


def test_several_secrets_in_one_text():
    text = f"password: hunter2, key {STRIPE}, card 4111-1111-1111-1111 and call 010-1234-5678"
    found = redact_secrets(text)
    assert [finding.kind for finding in found.findings] == [
        SecretKind.PASSWORD,
        SecretKind.API_KEY,
        SecretKind.CARD,
        SecretKind.PHONE,
    ]
    assert found.findings[-1].action is GuardAction.ALLOW
    assert found.text.endswith("and call 010-1234-5678")


def test_a_private_key_without_an_end_goes_to_the_end():
    assert redact_secrets("key\n" + PEM[:60]).text == f"key\n{marker(SecretKind.PRIVATE_KEY)}"


@pytest.mark.parametrize(("kind", "text", "value"), SECRETS[::7])
def test_a_kind_can_be_blocked(kind, text, value):
    """The error names the kind and never the secret."""
    with pytest.raises(SecretError) as raised:
        redact_secrets(text.format(value), GuardPolicy(**{kind.value: "block"}))
    assert raised.value.reason is Reason.SECRET_FOUND
    assert raised.value.details["kinds"] == (kind.value,)
    assert value not in repr(raised.value) + str(raised.value) + repr(raised.value.details)
    assert isinstance(raised.value, InvalidInputError)


# -- for every text -----------------------------------------------------------------------------------

PIECES = st.sampled_from(
    [*(text.format(value) for _, text, value in SECRETS), *INNOCENT, *(marker(kind) for kind in SecretKind),
     *(marker(kind, korean=True) for kind in SecretKind), "password", " is ", ": ", "=", "비밀번호", "는 ", "token ", "\n", "'",
     '"', "://", "a:b@", "-----BEGIN PRIVATE KEY-----", "4111", "-", " ", "계좌 ", "\ue000", "sk-", "!", ".", "1"]
)  # fmt: skip

TEXTS = st.one_of(
    st.text(max_size=200),
    st.lists(PIECES, max_size=8).map("".join),
    st.lists(PIECES, max_size=5).map(" ".join),
    st.text(alphabet=string.digits + "-: =pasword는암호@/.", max_size=80),
)


@given(TEXTS)
@example("PASSWORD FOR 0는 000는 000")  # what was redacted is no part of what a password is for
@example("PASSWORD:" + "0" * 100 + "\x80000Aa0")  # what is redacted is as near as before
def test_guarding_twice_is_guarding_once(text):
    once = redact_secrets(text)
    assert redact_secrets(once.text).text == once.text
    assert not redact_secrets(once.text).redacted


@given(TEXTS)
def test_findings_are_in_order_and_apart(text):
    found = redact_secrets(text, GuardPolicy.everything("redact")).findings
    assert all(0 <= finding.start < finding.end <= len(text) for finding in found)
    assert all(one.end <= other.start for one, other in pairwise(found))
    assert isinstance(looks_like_injection(text), bool)


@pytest.mark.parametrize(
    "piece",
    ["a", "1", "1 ", "password ", "password is ", "password for ", "key: ", "a@", "-----BEGIN PRIVATE KEY-----", "a://b:",
     "eyJaaaaaaa.", "4111-", "비밀번호는 ", "계좌", "ignore all ", "password: '", "GB82 ", "aaaa is the ", "모든 지시 "],
)  # fmt: skip
def test_garbage_is_read_to_its_end(piece):
    """A pattern that backtracked would not come back from 100 KB of these."""
    text = piece * (100_000 // len(piece))
    redact_secrets(text)
    looks_like_injection(text)


# -- the rules ----------------------------------------------------------------------------------------


def test_changed_rules_are_refused(monkeypatch):
    """The rules are those of their version, or nothing is read at all."""
    assert secrets.digest_of_rules() == secrets.RULES_DIGEST
    monkeypatch.setattr(secrets.rules, "JWT", "never")
    secrets._rules.cache_clear()
    with pytest.raises(ConfigError, match="rules"):
        redact_secrets("x")
    monkeypatch.undo()
    secrets._rules.cache_clear()
    assert redact_secrets("x").text == "x"
