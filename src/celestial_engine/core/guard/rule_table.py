"""Which pattern finds which kind of secret, which check it must pass, and which hints let it be tried."""

from __future__ import annotations

from celestial_engine.core.guard import checks, everyday, situations
from celestial_engine.core.guard.prefilter import DIGIT
from celestial_engine.lang import secrets as rules
from celestial_engine.lang import secrets_everyday as patterns
from celestial_engine.lang import secrets_situations as opening

Row = tuple[str, str, checks.Check, tuple[str, ...]]
DIGITS = (DIGIT,)


def rule_rows() -> list[Row]:
    """Returns kind, pattern, check and hints of every rule; the first that finds a span names its kind."""
    passwords = rules.PASSWORD_HINTS
    return [
        ("connection", rules.CONNECTION, checks.no_placeholder, ("://",)),
        ("jwt", rules.JWT, checks.whole, ("eyj",)),
        *(("api_key", pattern, checks.random_whole, ("sk-",)) for pattern in rules.API_KEYS_IF_RANDOM),
        *_card_rows(),
        *_identity_rows(),
        *_code_rows(),
        *(("password", pattern, everyday.argument, patterns.SHELL_HINTS) for pattern in patterns.SHELL),
        ("password", rules.PASSWORD_STRONG, checks.surely_password, passwords),
        ("password", rules.PASSWORD_WEAK, checks.said_to_be_password, passwords),
        ("password", rules.PASSWORD_LOOSE, checks.perhaps_password, passwords),
        ("password", rules.PASSWORD_NEAR, checks.perhaps_password, (DIGIT, *passwords)),
        ("password", rules.PASSWORD_BEFORE, checks.perhaps_password, (DIGIT, *passwords)),
        ("password", patterns.PASSWORD_DIGITS, everyday.code_digits, (DIGIT, *passwords)),
        ("password", patterns.PASSWORD_AFTER_TALK, everyday.after_talk, passwords),
        ("password", patterns.PASSWORD_FURTHER, everyday.after_talk, passwords),
        ("password", patterns.PASSWORD_AFTER_VALUE, everyday.before_word, passwords),
        ("password", patterns.ANOTHER_BESIDE, everyday.beside, ("\ue000",)),
        *(("password", pattern, checks.from_to, ("pass", "pwd", "pw")) for pattern in patterns.PASSWORD_FROM_TO),
        ("password", patterns.WORD_IN_PLACE, checks.said_to_be_password, patterns.SECRET_WORD_HINTS),
        ("password", patterns.LOCK_CODE, everyday.lock_code, (DIGIT, *patterns.LOCK_HINTS)),
        ("password", patterns.LOCK_CODE_KOREAN, everyday.lock_code, (DIGIT, *patterns.LOCK_HINTS_KOREAN)),
        ("password", patterns.LOGIN_PAIR, everyday.login_pair, patterns.LOGIN_HINTS),
        ("password", patterns.LOGIN_WITH, everyday.login_with, patterns.LOGIN_HINTS),
        (
            "password",
            patterns.NESTED_VALUE,
            everyday.argument,
            ("pass", "pwd", "secret", "token", "key", "cred", "암호"),
        ),
        ("password", patterns.NAME_THEN_VALUE, everyday.argument, ("pass", "pwd", "secret")),
        ("password", patterns.FIRST_TWO, checks.whole, (DIGIT, "자리")),
        ("api_key", patterns.SECRET_ASSIGNED, everyday.login_pair, (DIGIT, "secret", "token")),
        ("password", patterns.STATEMENT, everyday.argument, ("identified",)),
        ("password", patterns.DEFINED, everyday.argument, ("define(",)),
        ("password", patterns.WIFI_PICTURE, checks.whole, ("wifi:",)),
        *_situation_rows(),
        ("api_key", rules.SESSION_COOKIE, checks.whole, ("cookie",)),
        ("api_key", patterns.AWS_SECRET, everyday.aws_secret, ("akia", "asia", "\ue000")),
        ("api_key", rules.API_KEY_AFTER, checks.random_value, (DIGIT, *rules.API_KEY_AFTER_HINTS)),
        ("api_key", patterns.PLAIN_TOKEN, everyday.plain_token, rules.API_KEY_AFTER_HINTS),
        *(("phone", pattern, checks.whole, DIGITS) for pattern in rules.PHONES),
        ("email", rules.EMAIL, checks.whole, ("@",)),
    ]


def _situation_rows() -> list[Row]:
    passwords, korean = rules.PASSWORD_HINTS, opening.SPELLED_HINTS_KOREAN
    return [
        ("password", opening.LOCK_SET_TO, situations.code, (DIGIT, *opening.LOCK_SET_HINTS)),
        ("password", opening.CODE_FOR, situations.code_for, (DIGIT, *opening.CODE_FOR_HINTS)),
        ("password", opening.DIGITS_SPELLED, checks.whole, opening.SPELLED_HINTS),
        ("password", opening.DIGITS_SPELLED_KOREAN, checks.whole, korean),
        ("password", opening.KOREAN_AND_DIGITS, situations.korean_and_digits, (DIGIT, *passwords)),
        ("password", opening.DIGITS_AND_SYMBOL, checks.whole, (DIGIT, *passwords)),
        *(
            ("password", pattern, checks.whole, (DIGIT, *opening.DIAL_HINTS))
            for pattern in (opening.DIAL, opening.DIAL_KOREAN, opening.DIAL_DIGITS)
        ),
        ("password", opening.PRESSED, situations.pressed, (DIGIT, *opening.PRESSED_HINTS)),
        ("password", opening.PRESSED_KOREAN, situations.pressed, (DIGIT, "누르", "눌러", "눌렀", "누른")),
        ("password", opening.THREE_DIGITS, checks.whole, (DIGIT, *opening.THREE_HINTS)),
        ("password", opening.CODE_WITH_LETTER, checks.whole, (DIGIT, "code", "코드", "번호", "비번")),
        ("password", opening.AFTER_EMAIL, everyday.login_with, (DIGIT, "@")),
        ("api_key", opening.KEY_AFTER_VALUE, situations.random_word, ("key", "token", "secret", "키", "토큰")),
        ("password", opening.STAR_CODE, situations.star_code, (DIGIT, *opening.STAR_HINTS)),
        ("password", opening.CODE_FIRST, situations.first_code, (DIGIT, *opening.FIRST_HINTS)),
        ("password", opening.QUOTED_OPENING, checks.whole, opening.QUOTED_HINTS),
        ("password", opening.QUOTED_WORD, checks.whole, ('"', "”")),
        ("password", opening.QUOTED_TYPED_KOREAN, checks.whole, ('"', "'", "”", "’")),
        ("password", opening.PASSPHRASE_WORDS, situations.phrase, ("passphrase", "pass phrase")),
        ("password", opening.NETWORK_KEY, checks.said_to_be_password, opening.NETWORK_HINTS),
        ("password", opening.ANSWER_PUT, checks.said_to_be_password, opening.PUT_HINTS),
        ("password", opening.ANSWER_PUT_KOREAN, situations.korean_answer, opening.PUT_HINTS_KOREAN),
        ("password", opening.QUESTION_ASKED, checks.said_to_be_password, opening.QUESTION_HINTS),
        ("password", opening.SECURITY_ANSWER, checks.said_to_be_password, opening.ANSWER_HINTS),
        ("password", opening.SECURITY_ANSWER_KOREAN, situations.korean_answer, opening.ANSWER_HINTS_KOREAN),
    ]


def _card_rows() -> list[Row]:
    return [
        *(("card", pattern, checks.card, DIGITS) for pattern in rules.CARDS),
        ("card", opening.CARD_IN_GROUPS, checks.whole, (DIGIT, *opening.CARD_GROUP_HINTS)),
        ("security_code", patterns.CARD_SECURITY, checks.whole, (DIGIT, *patterns.CARD_SECURITY_HINTS)),
        ("security_code", opening.CARD_SECURITY_CLAUSE, checks.whole, (DIGIT, *patterns.CARD_SECURITY_HINTS)),
        ("security_code", opening.CODE_AFTER_EXPIRY, checks.whole, (DIGIT, "exp", "유효", "만료")),
        ("security_code", patterns.CODE_AFTER_CARD, checks.whole, (DIGIT, "\ue000")),
        ("security_code", opening.CARD_BACK, checks.whole, (DIGIT, " the ")),
        ("security_code", opening.CARD_BACK_KOREAN, checks.whole, (DIGIT, "자리")),
        ("bank_account", rules.IBAN, checks.iban, DIGITS),
        *(
            ("bank_account", pattern, checks.bank_account, (DIGIT, *rules.ACCOUNT_HINTS))
            for pattern in rules.BANK_ACCOUNTS
        ),
        ("bank_account", patterns.SHORT_BANK, everyday.short_bank, (DIGIT, *patterns.BANK_HINTS)),
        ("bank_account", patterns.BANK_THEN_NUMBER, everyday.short_bank, (DIGIT, *patterns.BANK_HINTS)),
    ]


def _identity_rows() -> list[Row]:
    return [
        ("resident_number", rules.RESIDENT, checks.resident, DIGITS),
        ("resident_number", patterns.RESIDENT_WORDS, checks.resident, (DIGIT, "주민", "외국인")),
        ("resident_number", patterns.RESIDENT_BACK, checks.whole, (DIGIT, "주민", "외국인")),
        ("identity_number", patterns.SOCIAL_SECURITY, everyday.social_security, (DIGIT, *patterns.IDENTITY_HINTS)),
        (
            "identity_number",
            opening.SOCIAL_NEAR,
            everyday.social_security,
            (DIGIT, "social", "ssn", "w-", "w4", "w9", "tax", "irs"),
        ),
        ("identity_number", patterns.PASSPORT, checks.whole, (DIGIT, "passport", "여권")),
        ("identity_number", patterns.LICENCE_KOREAN, checks.whole, (DIGIT, "면허")),
        ("identity_number", opening.NATIONAL_INSURANCE, checks.whole, (DIGIT, "insurance", "nino", "ni number")),
        ("identity_number", opening.MEDICARE, checks.whole, (DIGIT, "medicare", "mbi")),
        ("identity_number", opening.TAX_ID, checks.whole, (DIGIT, "tax", "tin")),
        ("identity_number", opening.HEALTH_INSURANCE_KOREAN, checks.whole, (DIGIT, "보험")),
        (
            "identity_number",
            opening.GREEN_CARD,
            checks.whole,
            (DIGIT, "green card", "resident card", "uscis", "alien"),
        ),
        ("identity_number", patterns.LICENCE, checks.whole, (DIGIT, *patterns.LICENCE_HINTS)),
    ]


def _code_rows() -> list[Row]:
    return [
        ("seed_phrase", patterns.SEED_PHRASE, everyday.seed_phrase, patterns.SEED_HINTS),
        ("security_code", patterns.RECOVERY_CODE, everyday.recovery_code, patterns.CODE_HINTS),
        ("security_code", patterns.ONE_TIME_CODE, everyday.one_time_code, (DIGIT, *patterns.ONE_TIME_HINTS)),
        ("security_code", patterns.ONE_TIME_BEFORE, checks.whole, (DIGIT, "code", "otp", "one-time")),
        ("security_code", opening.ONE_TIME_CLAUSE, everyday.one_time_code, (DIGIT, *patterns.ONE_TIME_HINTS)),
        ("security_code", opening.GOOGLE_CODE, checks.whole, ("g-",)),
        ("security_code", opening.TEXTED_CODE, checks.whole, (DIGIT, *opening.TEXTED_HINTS)),
        ("security_code", opening.TEXTED_CODE_KOREAN, checks.whole, (DIGIT, *opening.TEXTED_HINTS_KOREAN)),
        ("security_code", opening.RECOVERY_DIGITS, checks.whole, (DIGIT, *patterns.CODE_HINTS)),
        ("security_code", opening.BITLOCKER, checks.whole, DIGITS),
        ("security_code", opening.RECOVERY_FOR, checks.whole, (DIGIT, *patterns.CODE_HINTS)),
        ("seed_phrase", opening.SEED_PHRASE_KOREAN, situations.korean_seed, opening.SEED_HINTS_KOREAN),
        ("security_code", patterns.OTP_SECRET, checks.whole, patterns.OTP_SECRET_HINTS),
        ("password", patterns.APP_PASSWORD, checks.whole, ("app pass", "앱 비밀", "앱비밀")),
    ]
