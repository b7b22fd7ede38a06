"""Values made from the published formats of tokens; they open nothing."""

from __future__ import annotations

import hashlib
import random
import re
import uuid

from celestial_engine.core.guard.tokens import ALPHABETS, TokenFormat

_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"


def letters_of(alphabet: str) -> str:
    """Returns the characters of an alphabet of the table."""
    return "".join(chr(code) for code in range(33, 127) if re.fullmatch(f"[{ALPHABETS[alphabet]}]", chr(code)))


def sample(row: TokenFormat, rng: random.Random) -> str:
    """Returns a value of this format, with its checksum if the format has one."""
    if row.check == "base58check":
        return _wif(row, rng)
    if row.check == "stellar":
        return _stellar(rng)
    made = ""
    for part in row.parts:
        if isinstance(part, str):
            made += part
            continue
        name, least, most = part
        made += (
            str(uuid.UUID(int=rng.getrandbits(128), version=4))
            if name == "uuid"
            else _letters(rng, name, least, most)
        )
    return made


def _letters(rng: random.Random, name: str, least: int, most: int) -> str:
    """Ends with a letter or digit: a sentence would swallow a closing dash or dot."""
    letters = letters_of(name)
    count = rng.randint(least, most)
    made = [rng.choice(letters) for _ in range(count)]
    made[-1] = rng.choice([letter for letter in letters if letter.isalnum()])
    return "".join(made)


def _wif(row: TokenFormat, rng: random.Random) -> str:
    """Returns a key of Bitcoin; compressed ones begin with K or L."""
    while True:
        key = b"\x80" + rng.randbytes(32) + (b"" if row.prefix == "5" else b"\x01")
        data = key + hashlib.sha256(hashlib.sha256(key).digest()).digest()[:4]
        number, made = int.from_bytes(data, "big"), ""
        while number:
            number, rest = divmod(number, 58)
            made = _BASE58[rest] + made
        if made.startswith(row.prefix):
            return made


def _stellar(rng: random.Random) -> str:
    data = bytes([18 << 3]) + rng.randbytes(32)
    crc = 0
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    number = int.from_bytes(data + crc.to_bytes(2, "little"), "big")
    return "".join(_BASE32[number >> shift & 31] for shift in range(275, -1, -5))
