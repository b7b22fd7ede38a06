"""Which pattern finds which kind of secret, which check it must pass, and which hints let it be tried."""

from __future__ import annotations

from celestial_engine.core.guard import checks, everyday
from celestial_engine.core.guard.prefilter import DIGIT
from celestial_engine.lang import secrets as rules
from celestial_engine.lang import secrets_everyday as patterns

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
        ("password", rules.PASSWORD_LOOSE, checks.perhaps_password, (DIGIT, *passwords)),
        ("password", rules.PASSWORD_NEAR, checks.perhaps_password, (DIGIT, *passwords)),
        ("password", rules.PASSWORD_BEFORE, checks.perhaps_password, (DIGIT, *passwords)),
        ("password", patterns.PASSWORD_DIGITS, everyday.code_digits, (DIGIT, *passwords)),
        ("password", patterns.PASSWORD_AFTER_TALK, everyday.after_talk, passwords),
        ("password", patterns.PASSWORD_AFTER_VALUE, everyday.before_word, passwords),
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
        ("api_key", patterns.AWS_SECRET, everyday.aws_secret, ("akia", "asia", "\ue000")),
        ("api_key", rules.API_KEY_AFTER, checks.random_value, (DIGIT, *rules.API_KEY_AFTER_HINTS)),
        ("api_key", patterns.PLAIN_TOKEN, everyday.plain_token, rules.API_KEY_AFTER_HINTS),
        *(("phone", pattern, checks.whole, DIGITS) for pattern in rules.PHONES),
        ("email", rules.EMAIL, checks.whole, ("@",)),
    ]


def _card_rows() -> list[Row]:
    return [
        *(("card", pattern, checks.card, DIGITS) for pattern in rules.CARDS),
        ("security_code", patterns.CARD_SECURITY, checks.whole, (DIGIT, *patterns.CARD_SECURITY_HINTS)),
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
        ("identity_number", patterns.SOCIAL_SECURITY, everyday.social_security, (DIGIT, *patterns.IDENTITY_HINTS)),
        ("identity_number", patterns.PASSPORT, checks.whole, (DIGIT, "passport", "여권")),
        ("identity_number", patterns.LICENCE_KOREAN, checks.whole, (DIGIT, "면허")),
        ("identity_number", patterns.LICENCE, checks.whole, (DIGIT, *patterns.LICENCE_HINTS)),
    ]


def _code_rows() -> list[Row]:
    return [
        ("seed_phrase", patterns.SEED_PHRASE, everyday.seed_phrase, patterns.SEED_HINTS),
        ("security_code", patterns.RECOVERY_CODE, everyday.recovery_code, patterns.CODE_HINTS),
        ("security_code", patterns.ONE_TIME_CODE, everyday.one_time_code, (DIGIT, *patterns.ONE_TIME_HINTS)),
        ("security_code", patterns.OTP_SECRET, checks.whole, patterns.OTP_SECRET_HINTS),
        ("password", patterns.APP_PASSWORD, checks.whole, ("app pass", "앱 비밀", "앱비밀")),
    ]
