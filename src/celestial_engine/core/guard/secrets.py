"""The guard: finds secrets in a text and redacts them before anything else sees the text.

>>> guarded("The wifi password is hunter2, call me").text
'The wifi password is [redacted: password], call me'
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from celestial_engine.core.checks import check_choice
from celestial_engine.core.guard import checks
from celestial_engine.core.guard.everyday import in_tables
from celestial_engine.core.guard.evidence import secret_codes, secret_words
from celestial_engine.core.guard.normal_form import normal_form
from celestial_engine.core.guard.prefilter import Prefilter
from celestial_engine.core.guard.rule_table import rule_rows
from celestial_engine.core.guard.tokens import digest_of_formats, tokens
from celestial_engine.core.patterns import compiled
from celestial_engine.core.text.language import Language, language_of
from celestial_engine.errors import ConfigError, Reason, SecretError
from celestial_engine.lang import secrets as rules
from celestial_engine.lang import secrets_everyday as everyday
from celestial_engine.lang import secrets_situations as situations

RULES_VERSION = 6
RULES_DIGEST = "812dcc7584db4e40f6320e4b5da68a14f614d143cfd47639b7fc16e1d22a599f"
_MOST_READINGS = 5
_REDACTED = "\ue000"  # marks text that is already redacted while the rules run


class SecretKind(str, Enum):
    PASSWORD = "password"  # noqa: S105
    API_KEY = "api_key"
    JWT = "jwt"
    PRIVATE_KEY = "private_key"
    CONNECTION = "connection"  # user and password in a URL
    CARD = "card"
    RESIDENT_NUMBER = "resident_number"
    BANK_ACCOUNT = "bank_account"
    IDENTITY_NUMBER = "identity_number"  # passport, driving licence, social security
    SECURITY_CODE = "security_code"  # recovery codes, one-time codes, the code of a card
    SEED_PHRASE = "seed_phrase"
    PHONE = "phone"
    EMAIL = "email"


class GuardAction(str, Enum):
    REDACT = "redact"
    BLOCK = "block"
    ALLOW = "allow"


@dataclass(frozen=True)
class GuardPolicy:
    """The action for each kind of secret; actions may be passed by name."""

    password: GuardAction = GuardAction.REDACT
    api_key: GuardAction = GuardAction.REDACT
    jwt: GuardAction = GuardAction.REDACT
    private_key: GuardAction = GuardAction.REDACT
    connection: GuardAction = GuardAction.REDACT
    card: GuardAction = GuardAction.REDACT
    resident_number: GuardAction = GuardAction.REDACT
    bank_account: GuardAction = GuardAction.REDACT
    identity_number: GuardAction = GuardAction.REDACT
    security_code: GuardAction = GuardAction.REDACT
    seed_phrase: GuardAction = GuardAction.REDACT
    phone: GuardAction = GuardAction.ALLOW
    email: GuardAction = GuardAction.ALLOW

    def __post_init__(self) -> None:
        for field in fields(self):
            object.__setattr__(self, field.name, check_choice(GuardAction, getattr(self, field.name), field.name))

    def action(self, kind: SecretKind) -> GuardAction:
        chosen: GuardAction = getattr(self, kind.value)
        return chosen

    @classmethod
    def everything(cls, action: GuardAction | str) -> GuardPolicy:
        """Returns a policy with the same action for every kind."""
        return cls(**{kind.value: GuardAction(action) for kind in SecretKind})


DEFAULT = GuardPolicy()


class SecretFinding(NamedTuple):
    """The position of a secret in the original text; never the secret itself."""

    kind: SecretKind
    start: int
    end: int
    action: GuardAction


class Guarded(NamedTuple):
    text: str
    findings: tuple[SecretFinding, ...]

    @property
    def redacted(self) -> tuple[SecretFinding, ...]:
        return tuple(finding for finding in self.findings if finding.action is GuardAction.REDACT)


def redact_secrets(text: str, policy: GuardPolicy = DEFAULT) -> Guarded:
    """Returns the text with secrets redacted; raises SecretError (without the secret) for kinds to block."""
    raw = _findings(text, policy)
    if not raw:
        return Guarded(text, ())
    findings = _without_overlaps(raw)
    blocked = [finding.kind.value for finding in findings if finding.action is GuardAction.BLOCK]
    if blocked:
        raise SecretError(Reason.SECRET_FOUND, kinds=tuple(dict.fromkeys(blocked)))
    korean = language_of(text) is Language.KO
    parts, end = [], 0
    for finding in findings:
        if finding.action is GuardAction.REDACT:
            parts += [text[end : finding.start], marker(finding.kind, korean=korean)]
            end = finding.end
    return Guarded("".join([*parts, text[end:]]), tuple(findings))


def marker(kind: SecretKind, *, korean: bool = False) -> str:
    """Returns the placeholder for a redacted secret."""
    english_name, korean_name = rules.NAMES[kind.value]
    return f"[가림: {korean_name}]" if korean else f"[redacted: {english_name}]"


def has_marker(text: str) -> bool:
    """Whether something was redacted in a text."""
    return any(marker(kind, korean=korean) in text for kind in SecretKind for korean in (False, True))


def redaction_notice(stored: str, original: str) -> str:
    """Says, in the language of the text, which kinds of secrets were left out of it; empty if none was."""
    for korean, sentence in (
        (True, "저장하기 전에 가렸습니다: {names}."),
        (False, "Redacted before it was stored: {names}."),
    ):
        names = [
            rules.NAMES[kind.value][korean]
            for kind in SecretKind
            if stored.count(marker(kind, korean=korean)) > original.count(marker(kind, korean=korean))
        ]
        if names:
            return sentence.format(names=", ".join(names))
    return ""


def names_a_password(key: str) -> bool:
    """Whether a key such as "password" marks its value as a password."""
    return compiled(_rules().password_name).search(f"{key}: x0X0x0X0") is not None


# -- the rules ----------------------------------------------------------------------------------------


class _Rule(NamedTuple):
    kind: SecretKind
    pattern: str
    check: checks.Check
    bit: int  # of its hints in the mask of the prefilter


class _Rules(NamedTuple):
    rules: tuple[_Rule, ...]
    prefilter: Prefilter
    markers: str
    password_name: str


def digest_of_rules() -> str:
    """Returns the SHA-256 of the version and every rule, sorted by name."""
    constants = {
        name: value
        for module in (rules, everyday, situations)
        for name, value in vars(module).items()
        if name.isupper() and not name.startswith("_")
    }
    ordered = [
        (name, sorted(value) if isinstance(value, frozenset) else value) for name, value in sorted(constants.items())
    ]
    return hashlib.sha256(f"{ordered!r} {digest_of_formats()}".encode()).hexdigest()


@lru_cache(maxsize=1)
def _rules() -> _Rules:
    """Builds the rules on first use; raises ConfigError if they are not those of this version."""
    if rules.VERSION != RULES_VERSION or digest_of_rules() != RULES_DIGEST:
        raise ConfigError(Reason.SECRET_RULES_CHANGED)
    names = (re.escape(marker(kind, korean=korean)) for kind in SecretKind for korean in (False, True))
    rows = rule_rows()
    groups = list(dict.fromkeys(hints for *_, hints in rows))
    return _Rules(
        tuple(
            _Rule(SecretKind(kind), pattern, check, 1 << groups.index(hints)) for kind, pattern, check, hints in rows
        ),
        Prefilter.of(groups),
        "|".join(names),
        rules.PASSWORD_STRONG,
    )


def _findings(text: str, policy: GuardPolicy) -> list[SecretFinding]:
    """Runs the rules on a copy in which look-alike characters are alike, and maps what they find back."""
    form = normal_form(text)
    if form is None:
        return _findings_in(text, policy)
    return [
        SecretFinding(kind, *form.original(start, end), action)
        for kind, start, end, action in _findings_in(form.text, policy)
    ]


def _findings_in(text: str, policy: GuardPolicy) -> list[SecretFinding]:
    """Runs the rules again on the masked text until nothing is found: a secret may hide its neighbour."""
    findings: list[SecretFinding] = []
    for reading in range(_MOST_READINGS):
        matches = [SecretFinding(kind, start, end, policy.action(kind)) for kind, start, end in _spans(text)]
        to_mask = [finding for finding in matches if finding.action is not GuardAction.ALLOW]
        findings += to_mask if reading else matches
        if not to_mask:
            break
        text = _masked(text, to_mask)
    return findings


def _masked(text: str, taken: list[SecretFinding]) -> str:
    """Masks findings without changing the length, so that later positions stay valid."""
    parts, at = list[str](), 0
    for finding in sorted(taken, key=lambda finding: finding.start):
        if finding.end > at:
            start = max(at, finding.start)
            parts += [text[at:start], _REDACTED * (finding.end - start)]
            at = finding.end
    return "".join([*parts, text[at:]])


def _spans(text: str) -> Iterator[tuple[SecretKind, int, int]]:
    known = _rules()
    if "[" in text:
        text = compiled(known.markers).sub(lambda found: _REDACTED * len(found[0]), text)
    if "PRIVATE KEY" in text:
        yield from ((SecretKind.PRIVATE_KEY, start, end) for start, end in checks.private_keys(text))
    yield from ((SecretKind.API_KEY, start, end) for start, end in tokens(text))
    if "\n" in text:
        yield from ((SecretKind.PASSWORD, start, end) for start, end in in_tables(text))
    mask = known.prefilter(text)
    for rule in known.rules:
        if not rule.bit & mask:
            continue
        for found in compiled(rule.pattern).finditer(text):
            span = rule.check(found)
            if span is not None:
                yield (rule.kind, *span)
    if compiled("[0-9!@#$%^&*]").search(text):
        yield from ((SecretKind.PASSWORD, start, end) for start, end in secret_codes(text))
        yield from ((SecretKind.PASSWORD, start, end) for start, end in secret_words(text))


def _without_overlaps(findings: list[SecretFinding]) -> list[SecretFinding]:
    """Sorts and merges overlapping findings; a merged one has the kind that was found first."""
    ranked = sorted(((finding, rank) for rank, finding in enumerate(findings)), key=lambda pair: pair[0][1:3])
    taken: list[tuple[SecretFinding, int]] = []
    for finding, rank in ranked:
        if finding.action is GuardAction.ALLOW:
            continue
        if not taken or finding.start >= taken[-1][0].end:
            taken.append((finding, rank))
            continue
        last, last_rank = taken[-1]
        kind = last.kind if last_rank < rank else finding.kind
        action = GuardAction.BLOCK if GuardAction.BLOCK in (last.action, finding.action) else GuardAction.REDACT
        taken[-1] = SecretFinding(kind, last.start, max(last.end, finding.end), action), min(rank, last_rank)
    kept = [finding for finding, _ in taken]
    at, allowed = 0, list[SecretFinding]()
    for finding, _ in ranked:
        while at < len(kept) and kept[at].end <= finding.start:
            at += 1
        free = at == len(kept) or finding.end <= kept[at].start
        if finding.action is GuardAction.ALLOW and free and (not allowed or finding.start >= allowed[-1].end):
            allowed.append(finding)
    return sorted([*kept, *allowed], key=lambda finding: finding.start)
