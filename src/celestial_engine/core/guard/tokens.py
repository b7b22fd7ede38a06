"""Finds tokens by the published formats of their vendors: lang/token_formats.tsv.

Texts without a long run of letters and digits, most texts, cost one search. In a run the beginnings of all formats
are searched at once, and only the formats that begin so are tried.
"""

from __future__ import annotations

import hashlib
import pkgutil
import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from celestial_engine.core.guard.randomness import is_hash_label, looks_random
from celestial_engine.core.patterns import compiled

Span = tuple[int, int]

ALPHABETS = {
    "alnum": "A-Za-z0-9",
    "alpha": "A-Za-z",
    "lower": "a-z0-9",
    "upper": "A-Z0-9",
    "digit": "0-9",
    "hex": "a-f0-9",
    "HEX": "A-Fa-f0-9",
    "word": "A-Za-z0-9_",
    "url": r"A-Za-z0-9_\-",
    "urleq": r"A-Za-z0-9_=\-",
    "b64": "A-Za-z0-9+/",
    "dot": r"A-Za-z0-9_.~\-",
    "pct": "A-Za-z0-9%",
    "base32": "A-Z2-7",
    "base58": "1-9A-HJ-NP-Za-km-z",
    "bech32": "02-9AC-HJ-NP-Z",
    "bech32lower": "02-9ac-hj-np-z",
}
UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_PART = r"\{(\w+)(?::(\d+)(?:-(\d+))?)?\}"
_RUN = r"[A-Za-z0-9_+/=.~|:%@!$-]{16,4000}"
_BEGINS = r"(?<![A-Za-z0-9_\ue000])"
_ENDS = r"(?![A-Za-z0-9_\ue000])"
_NAMES_A_KEY = r"(?i:key|token|secret|auth|api|credential)|키|토큰|시크릿"
_LOOKED_BACK = 60
_LEAST_DIFFERENT = 3  # characters in a value; xxxxxxxx and 00000000 are placeholders
_PLACEHOLDERS = r"(?i:example|placeholder|your[_-]?(?:api|token|key)|xxxx)"


Part = str | tuple[str, int, int]


class TokenFormat(NamedTuple):
    vendor: str
    format: str
    near: str  # a word that must stand before the value; empty if the format identifies itself
    check: str

    @property
    def parts(self) -> tuple[Part, ...]:
        """Literal texts, and alphabets with their least and greatest length."""
        return _parts(self.format)

    @property
    def prefix(self) -> str:
        first = self.parts[0]
        return first if isinstance(first, str) else ""

    @property
    def anchor(self) -> str:
        """The longest literal text of a format that does not begin with one."""
        return max((part for part in self.parts if isinstance(part, str)), key=len, default="")

    @property
    def has_telling_prefix(self) -> bool:
        return self.check == "" and len(self.prefix) >= 4 and not self.prefix.isalnum()


@cache
def _parts(written: str) -> tuple[Part, ...]:
    found: list[Part] = []
    at = 0
    for part in re.finditer(_PART, written):
        if written[at : part.start()]:
            found.append(written[at : part.start()])
        least = int(part[2] or 1)
        found.append((part[1], least, int(part[3] or least)))
        at = part.end()
    return (*found, written[at:]) if written[at:] else tuple(found)


@cache
def exact(row: TokenFormat) -> str:
    """The format as a regular expression."""
    return _BEGINS + "".join(_expression(part) for part in row.parts) + _ENDS


@cache
def tolerant(row: TokenFormat) -> str:
    """The prefix and anything of about the right length: vendors change lengths more often than prefixes."""
    tail = [part for part in row.parts[1:] if not isinstance(part, str)]
    literals = "".join(part for part in row.parts[1:] if isinstance(part, str))
    length = len(literals) + sum(36 if name == "uuid" else least for name, least, _ in tail)
    letters = "".join(dict.fromkeys(ALPHABETS.get(name, r"a-fA-F0-9\-") for name, _, _ in tail))
    others = "".join(re.escape(sign) for sign in dict.fromkeys(literals) if not sign.isalnum())
    alphabet = letters + ("A-Za-z0-9" if literals else "") + others
    return f"{_BEGINS}{re.escape(row.prefix)}[{alphabet}]{{{max(10, length * 6 // 10)},{length * 2 + 400}}}"


class _Table(NamedTuple):
    by_prefix: dict[str, tuple[TokenFormat, ...]]
    prefixes: str
    anchored: tuple[tuple[str, TokenFormat], ...]
    near: dict[str, tuple[TokenFormat, ...]]
    near_words: str


def tokens(text: str) -> Iterator[Span]:
    """Yields the spans of tokens in a text."""
    table = None
    for run in compiled(_RUN).finditer(text):
        table = table or _table()
        yield from _in_run(text, run, table)


@lru_cache(maxsize=1)
def token_formats() -> tuple[TokenFormat, ...]:
    """Returns the rows of the table."""
    rows = (line.split("\t") for line in _source().decode().splitlines() if line and not line.startswith("#"))
    return tuple(TokenFormat(vendor, written, near, check) for vendor, written, near, check in rows)


def digest_of_formats() -> str:
    return hashlib.sha256(_source()).hexdigest()


def _source() -> bytes:
    data = pkgutil.get_data("celestial_engine.lang", "token_formats.tsv")
    if data is None:
        raise FileNotFoundError("token_formats.tsv is missing from the package")
    return data


@lru_cache(maxsize=1)
def _table() -> _Table:
    own = [row for row in token_formats() if not row.near]
    rows_of: dict[str, list[TokenFormat]] = {}
    for row in own:
        if row.prefix:
            rows_of.setdefault(row.prefix, []).append(row)
    prefixes = sorted(rows_of, key=len, reverse=True)
    by_prefix = {
        prefix: tuple(row for start in prefixes if prefix.startswith(start) for row in rows_of[start])
        for prefix in prefixes
    }
    near: dict[str, tuple[TokenFormat, ...]] = {}
    for row in token_formats():
        if row.near:
            near[row.near] = (*near.get(row.near, ()), row)
    return _Table(
        by_prefix,
        _BEGINS + "(?:" + "|".join(map(re.escape, prefixes)) + ")",
        tuple((row.anchor, row) for row in own if not row.prefix),
        near,
        "|".join(map(re.escape, near)),
    )


def _in_run(text: str, run: re.Match[str], table: _Table) -> Iterator[Span]:
    at = run.start()
    while begins := compiled(table.prefixes).search(text, at, run.end()):
        span = next(filter(None, (_match(row, text, begins.start()) for row in table.by_prefix[begins[0]])), None)
        if span:
            yield span
        at = span[1] if span else begins.start() + 1
    for anchor, row in table.anchored:
        if anchor in run[0]:
            for found in compiled(exact(row)).finditer(text, run.start(), run.end()):
                if _passes(row, found[0]):
                    yield found.span()
    before = text[max(0, run.start() - _LOOKED_BACK) : run.end()].lower()
    for word in compiled(table.near_words).finditer(before):
        for row in table.near[word[0]]:
            yield from _after_word(row, text, run, max(0, run.start() - _LOOKED_BACK) + word.end())


def _match(row: TokenFormat, text: str, at: int) -> Span | None:
    if row.has_telling_prefix:
        found = compiled(tolerant(row)).match(text, at)
        if not found:
            return None
        value = found[0].rstrip(".-_~")
        body = value[len(row.prefix) :]
        sure = any(map(str.isdigit, body)) or compiled(exact(row)).match(text, at) is not None
        return (at, at + len(value)) if sure and not _is_placeholder(body) else None
    found = compiled(exact(row)).match(text, at)
    return found.span() if found and _passes(row, found[0]) else None


def _after_word(row: TokenFormat, text: str, run: re.Match[str], at: int) -> Iterator[Span]:
    for found in compiled(exact(row)).finditer(text, max(at, run.start()), run.end()):
        between = text[at : found.start()]
        if "\n" in between or is_hash_label(between) or text[found.start() - 1 : found.start()] in ("/", "."):
            continue
        if "{uuid}" in row.format and not compiled(_NAMES_A_KEY).search(between):
            continue
        if _passes(row, found[0]):
            yield found.span()


def _passes(row: TokenFormat, value: str) -> bool:
    return not _is_placeholder(value[len(row.prefix) :]) and CHECKS[row.check](value)


def _is_placeholder(body: str) -> bool:
    return len(set(body)) < _LEAST_DIFFERENT or compiled(_PLACEHOLDERS).search(body) is not None


def _expression(part: Part) -> str:
    if isinstance(part, str):
        return re.escape(part)
    name, least, most = part
    return UUID if name == "uuid" else f"[{ALPHABETS[name]}]{{{least},{most}}}"


# -- checks -------------------------------------------------------------------------------------------

_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"


def base58check(value: str) -> bool:
    """Whether the last four bytes are the checksum of the others: private keys of Bitcoin (WIF)."""
    number = 0
    for letter in value:
        number = number * 58 + _BASE58.index(letter)
    data = number.to_bytes(max(5, (number.bit_length() + 7) // 8), "big")
    return hashlib.sha256(hashlib.sha256(data[:-4]).digest()).digest()[:4] == data[-4:]


def stellar(value: str) -> bool:
    """Whether the last two bytes are the CRC16 of the others: secret seeds of Stellar."""
    number = 0
    for letter in value:
        number = number << 5 | _BASE32.index(letter)
    data = number.to_bytes(35, "big")
    crc = 0
    for byte in data[:-2]:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return crc.to_bytes(2, "little") == data[-2:]


CHECKS: dict[str, Callable[[str], bool]] = {
    "": lambda value: True,
    "random": looks_random,
    "base58check": base58check,
    "stellar": stellar,
}
