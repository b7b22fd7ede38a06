"""Recall and false positives of the secret guard on generated sentences. See docs/guard.md.

Everything is generated from a seed: secrets with the shape of real ones that open nothing, in sentences of both
languages, and sentences that look alike and hold none.
"""

# ruff: noqa: E501
from __future__ import annotations

import base64
import json
import random
import string
import time
import uuid
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks.measure import say
from celestial_engine.core.guard.secrets import RULES_DIGEST, RULES_VERSION, GuardAction, SecretKind, redact_secrets

ALNUM = string.ascii_letters + string.digits
WORDS = "river candle orange summer dragon winter pepper monkey coffee silver forest rocket purple shadow".split()
PLACES = ("wifi", "router", "staging database", "NAS", "mail account", "VPN", "admin panel", "printer")
PLACES_KO = ("와이파이", "공유기", "테스트 서버", "나스", "회사 메일", "관리자 화면", "프린터", "현관")
PEOPLE = ("Mina", "Joon", "Sara", "Tom", "Hana")
PEOPLE_KO = ("미나", "준호", "사라", "지훈", "하나")
Random = random.Random


@dataclass(frozen=True)
class Case:
    text: str
    kind: SecretKind | None  # None: innocent
    value: str = ""
    shape: str = ""


# -- secrets ------------------------------------------------------------------------------------------


def letters(rng: Random, count: int, alphabet: str = ALNUM) -> str:
    return "".join(rng.choice(alphabet) for _ in range(count))


def token(rng: Random, count: int, alphabet: str = ALNUM) -> str:
    """A random token with at least one digit and one letter, like real keys."""
    while True:
        made = letters(rng, count, alphabet)
        if any(map(str.isdigit, made)) and any(map(str.isalpha, made)):
            return made


def digits(rng: Random, count: int) -> str:
    return letters(rng, count, string.digits)


def password(rng: Random) -> str:
    return rng.choice(
        [
            lambda: rng.choice(WORDS) + str(rng.randrange(10, 9999)),
            lambda: rng.choice(WORDS).title() + rng.choice("!@#$%^*") + digits(rng, 3),
            lambda: token(rng, rng.randrange(8, 20)),
            lambda: rng.choice(WORDS) + "-" + rng.choice(WORDS) + "-" + digits(rng, 2),
            lambda: digits(rng, rng.randrange(4, 9)),
            lambda: token(rng, 6) + rng.choice("!@#$%^") + token(rng, 5),
        ]
    )()


def api_key(rng: Random) -> str:
    return rng.choice(
        [
            lambda: "sk-" + token(rng, 48),
            lambda: "sk-proj-" + token(rng, 64),
            lambda: "sk-ant-api03-" + token(rng, 80, ALNUM + "-_").rstrip("-"),
            lambda: "ghp_" + token(rng, 36),
            lambda: "github_pat_" + token(rng, 22) + "_" + token(rng, 59),
            lambda: "AKIA" + token(rng, 16, string.ascii_uppercase + "234567"),
            lambda: "AIza" + token(rng, 35),
            lambda: f"xoxb-{digits(rng, 11)}-{digits(rng, 12)}-{token(rng, 24)}",
            lambda: "sk_live_" + token(rng, 24),
        ]
    )()


def plain_token(rng: Random) -> str:
    return rng.choice(
        [lambda: token(rng, 32, "0123456789abcdef"), lambda: token(rng, 40, ALNUM + "+/"), lambda: token(rng, 24)]
    )()


def jwt(rng: Random) -> str:
    def part(value: object) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    head, body = part({"alg": "HS256", "typ": "JWT"}), part({"sub": digits(rng, 8), "name": rng.choice(PEOPLE)})
    return f"{head}.{body}.{token(rng, 43, ALNUM + '-_')}"


def private_key(rng: Random) -> str:
    name = rng.choice(["RSA ", "EC ", "OPENSSH ", ""])
    lines = "\n".join(letters(rng, 64, ALNUM + "+/") for _ in range(6))
    return f"-----BEGIN {name}PRIVATE KEY-----\n{lines}\n-----END {name}PRIVATE KEY-----"


def luhn(body: str) -> str:
    total = 0
    for number, digit in enumerate(reversed(body)):
        value = int(digit) * (2 if number % 2 == 0 else 1)
        total += value - 9 if value > 9 else value
    return body + str(-total % 10)


def card(rng: Random) -> str:
    if rng.random() < 0.15:
        made = luhn(rng.choice(["34", "37"]) + digits(rng, 12))
        cut = [made[:4], made[4:10], made[10:]]
    else:
        made = luhn(
            rng.choice(["4" + digits(rng, 3), "51" + digits(rng, 2), "62" + digits(rng, 2), "9490"]) + digits(rng, 11)
        )
        cut = [made[at : at + 4] for at in range(0, 16, 4)]
    return rng.choice(["", " ", "-"]).join(cut)


def resident(rng: Random) -> str:
    year, century = rng.randrange(100), rng.choice("1234")
    return f"{year:02}{rng.randrange(1, 13):02}{rng.randrange(1, 29):02}-{century}{digits(rng, 6)}"


def account(rng: Random) -> str:
    sizes = rng.choice([(6, 2, 6), (3, 3, 6), (4, 3, 6), (3, 6, 5), (3, 4, 4, 2)])
    parts = [str(rng.randrange(1, 10)) + digits(rng, size - 1) for size in sizes]
    return rng.choice(["-", "-", ""]).join(parts)


Frames = Sequence[str]
MADE = (  # the others are in the published formats and in the everyday forms
    SecretKind.PASSWORD, SecretKind.API_KEY, SecretKind.JWT, SecretKind.PRIVATE_KEY, SecretKind.CONNECTION, SecretKind.CARD,
    SecretKind.RESIDENT_NUMBER, SecretKind.BANK_ACCOUNT,
)  # fmt: skip
PASSWORD_FRAMES: Frames = (
    "The {place} password is {v}.", "password: {v}", "My password for the {place} is {v}, don't tell {who}",
    "PASSWORD={v}", "{who} changed the {place} passwd to: {v}", 'The passphrase is "{v}" since Monday.',
    "pwd = {v} on the {place}", "login {who}, password '{v}'.replace", "passcode for the {place}: {v}",
    "{place_ko} 비밀번호는 {v}야", "{place_ko} 비번: {v}", "암호는 {v}입니다. {who_ko}에게 말하지 마세요.",
    "{who_ko}가 {place_ko} 비밀번호가 {v}라고 했다", "비밀번호={v}", "패스워드는 {v} 이고 아이디는 admin",
    "{place_ko} 암호 : {v}", "password는 {v}로 바꿨어",
)  # fmt: skip
KEY_FRAMES: Frames = (
    "My key is {v}", "export API_KEY={v}", "{who} pasted {v} into the chat.", "use {v} for the {place}",
    "Authorization: Bearer {v}", "the old one ({v}) was revoked", "{who_ko}의 키는 {v}입니다", "API 키: {v}",
    "{v} 이 키로 호출하면 된다", "환경 변수에 {v}를 넣었다",
)  # fmt: skip
TOKEN_FRAMES: Frames = (
    "the api key is {v}", "token: {v}", "client_secret={v}", "access token = {v}", "the secret for the {place} is {v}",
    "API 키는 {v}입니다", "토큰: {v}", "시크릿 키는 {v}야", "aws_secret_access_key = {v}", "인증키는 {v}이다",
)  # fmt: skip
ANY_FRAMES: Frames = (
    "{who} sent {v} yesterday", "here it is: {v}", "Note for the {place}: {v}", "{v}", "{who_ko}가 {v}를 보냈다",
    "{place_ko} 메모: {v}", "이거 써 {v}", "({v})",
)  # fmt: skip
CARD_FRAMES: Frames = (
    "My card number is {v}, valid thru 12/29", "Pay with {v} please", "Visa {v} cvc 123", "카드번호는 {v}입니다",
    "{who_ko} 카드 {v} 유효기간 12/29", "법인카드 {v}로 결제했다", "card: {v}",
)  # fmt: skip
RESIDENT_FRAMES: Frames = (
    "주민등록번호는 {v}입니다", "{who_ko} 주민번호 {v}", "신분증에 {v}라고 적혀 있다", "My Korean ID number is {v}.",
    "RRN: {v}", "{v} ({who_ko})",
)  # fmt: skip
ACCOUNT_FRAMES: Frames = (
    "국민은행 {v} {who_ko}", "계좌번호는 {v}입니다", "{v_}신한은행 {v}로 보내줘", "카카오뱅크 계좌 {v}", "입금 계좌: 농협 {v}",
    "My account number is {v}.", "Bank account: {v}", "transfer it to account {v}, thanks",
)  # fmt: skip


def connection(rng: Random) -> tuple[str, str]:
    scheme = rng.choice(["postgres", "postgresql+asyncpg", "mysql", "mongodb+srv", "redis", "amqp", "https"])
    credentials = f"{rng.choice(['app', 'root', 'svc_user'])}:{token(rng, 10)}{rng.choice(['', '!', '@x', '#1'])}"
    return credentials, f"{scheme}://{credentials}@db{rng.randrange(9)}.example.com:5432/app"


def framed(rng: Random, frames: Frames, value: str) -> str:
    return rng.choice(frames).format(
        v=value, v_="", place=rng.choice(PLACES), who=rng.choice(PEOPLE), place_ko=rng.choice(PLACES_KO),
        who_ko=rng.choice(PEOPLE_KO),
    )  # fmt: skip


def secret(rng: Random) -> Case:
    kind = rng.choice([kind for kind in SecretKind if kind in MADE])
    if kind is SecretKind.CONNECTION:
        value, address = connection(rng)
        return Case(framed(rng, ANY_FRAMES, address), kind, value)
    if kind is SecretKind.API_KEY and rng.random() < 0.4:
        value = plain_token(rng)
        return Case(framed(rng, TOKEN_FRAMES, value), kind, value)
    makers: dict[SecretKind, tuple[Callable[[Random], str], Frames]] = {
        SecretKind.PASSWORD: (password, PASSWORD_FRAMES),
        SecretKind.API_KEY: (api_key, KEY_FRAMES),
        SecretKind.JWT: (jwt, ANY_FRAMES),
        SecretKind.PRIVATE_KEY: (private_key, ANY_FRAMES),
        SecretKind.CARD: (card, CARD_FRAMES),
        SecretKind.RESIDENT_NUMBER: (resident, RESIDENT_FRAMES),
        SecretKind.BANK_ACCOUNT: (account, ACCOUNT_FRAMES),
    }
    make, frames = makers[kind]
    value = make(rng)
    return Case(framed(rng, frames, value), kind, value)


# -- innocent -----------------------------------------------------------------------------------------

INNOCENT: dict[str, Frames] = {
    "about passwords": (
        "The password reset mail for the {place} arrived.", "{who}'s password is too weak", "the password was changed {n} days ago",
        "Passwords must be {n} characters long", "password is wrong again", "I forgot the {place} password",
        "The password is stored in 1Password", "password manager since {year}", "the PIN pad of the {place} is broken",
        "비밀번호를 바꿨다", "비밀번호는 {n}자 이상이어야 한다", "{place_ko} 비밀번호를 잊어버렸다", "비밀번호는 {year}년에 바꿨다",
        "암호는 안전하게 보관해야 한다", "비밀번호 재설정 메일이 왔다", "{who_ko}가 비번을 {n}번 틀렸다", "password: required",
    ),
    "about keys and tokens": (
        "The token is expired", "{who} lost the key of the {place}", "token count is {n}00", "the secret is out",
        "sort by key: created_at_desc", "API 키를 새로 발급받았다", "토큰이 만료되었다", "열쇠는 {place_ko} 옆에 있다",
        "The key to success is patience", "secret santa is on December {day}", "scikit-learn sk-learn-contrib-{n} works",
    ),
    "order numbers": (
        "Order {order} has shipped", "주문번호 {order}", "송장번호 {d12}", "invoice no. {d10} is due", "운송장 {d4}-{d4}-{d4}",
        "Ticket #{d6} was closed by {who}", "예약번호 {d8}", "주문 {d6}-{d7} 배송 완료",
    ),
    "phones": ("Call {who} at 010-{d4}-{d4}", "{who_ko} 전화 010-{d4}-{d4}", "(212) 555-{d4}", "회사 02-{d3}-{d4}", "01{d9}"),
    "dates": (
        "On {year}-{month}-{day} we met {who}", "{year}년 {m}월 {n}일 {who_ko} 생일", "build {year}{month}{day}-{d4}",
        "at {year}-{month}-{day}T10:{month}:00Z", "계좌는 {year}-{month}-{day}에 개설했다", "account created on {year}-{month}-{day}",
    ),
    "ISBN and codes": ("ISBN 978-89-{d4}-{d3}-{n1}", "ISBN 97889{d8}", "barcode 880{d10}", "the timestamp 17{d11} is in ms"),
    "hashes": ("commit {hex40} broke it", "{hex7} 커밋에서 고쳤다", "sha256 {hex64}", "md5: {hex32}", "fixed in {hex40}"),
    "ids": ("request {uuid} failed", "{uuid}", "세션 {uuid} 종료", "the id is {uuid}", "user_{d8} logged in"),
    "amounts": ("balance of the account is {d3},{d3} won", "계좌 잔액은 {d3},{d3}원", "{d10} bytes", "It cost ${d4}.{d2}"),
    "addresses": ("see https://example.com:8080/{hex7}", "mail {who}@example.com", "ssh://git@example.com/{hex7}", "IP 192.168.{n}.{day}"),
    "talk": (
        "{who} likes tea and the {place}", "{who_ko}는 {place_ko} 옆자리를 좋아한다", "우리 은행 가는 길에 {who_ko}를 봤다",
        "I have {n} cats and {day} plants", "버전 {n}.{day}.{n1} 배포", "version {n}.{day}.{n1} is out",
    ),
}  # fmt: skip


def innocent(rng: Random) -> Case:
    shape = rng.choice(list(INNOCENT))
    hexes = {f"hex{count}": letters(rng, count, "0123456789abcdef") for count in (7, 32, 40, 64)}
    numbers = {f"d{count}": digits(rng, count) for count in range(2, 14)}
    text = rng.choice(INNOCENT[shape]).format(
        place=rng.choice(PLACES), who=rng.choice(PEOPLE), place_ko=rng.choice(PLACES_KO), who_ko=rng.choice(PEOPLE_KO),
        n=rng.randrange(2, 28), n1=rng.randrange(10), m=rng.randrange(1, 13), year=rng.randrange(1990, 2027),
        month=f"{rng.randrange(1, 13):02}", day=f"{rng.randrange(1, 29):02}", order=f"{rng.randrange(2015, 2027)}{digits(rng, 12)}",
        uuid=uuid.UUID(int=rng.getrandbits(128), version=4), **hexes, **numbers,
    )  # fmt: skip
    return Case(text, None, shape=shape)


def report(seed: int, secrets: int, harmless_count: int, misses: int) -> None:
    """Say the recall on generated secrets and the false alarms on generated sentences without any."""
    rng = Random(seed)
    hidden = [secret(rng) for _ in range(secrets)]
    harmless = [innocent(rng) for _ in range(harmless_count)]
    began = time.process_time()
    missed = [case for case in hidden if case.value in redact_secrets(case.text).text or _partly(case)]
    alarms = [case for case in harmless if redact_secrets(case.text).redacted]
    each = (time.process_time() - began) / (len(hidden) + len(harmless))
    say(f"rules {RULES_VERSION} ({RULES_DIGEST[:12]}), seed {seed}, {each * 1000:.2f} ms CPU a text")
    say("\n| secrets | count | recall |\n|---|---|---|")
    total, lost = Counter(case.kind for case in hidden), Counter(case.kind for case in missed)
    for kind in total:
        say(f"| {kind.value if kind else ''} | {total[kind]} | {1 - lost[kind] / total[kind]:.4f} |")
    say(f"| all | {len(hidden)} | {1 - len(missed) / len(hidden):.4f} |")
    say("\n| innocent | count | false alarms |\n|---|---|---|")
    shapes, wrong = Counter(case.shape for case in harmless), Counter(case.shape for case in alarms)
    for shape in shapes:
        say(f"| {shape} | {shapes[shape]} | {wrong[shape] / shapes[shape]:.2%} |")
    say(f"| all | {len(harmless)} | {len(alarms) / len(harmless):.2%} |")
    for case in [*missed, *alarms][:misses]:
        say(f"{case.kind or case.shape}: {case.text!r} -> {redact_secrets(case.text).text!r}")


def _partly(case: Case) -> bool:
    """Whether a part of the secret was not redacted."""
    start = case.text.find(case.value)
    end = start + len(case.value)
    covered = sum(
        max(0, min(end, finding.end) - max(start, finding.start))
        for finding in redact_secrets(case.text).findings
        if finding.action is GuardAction.REDACT
    )
    return covered < len(case.value)
