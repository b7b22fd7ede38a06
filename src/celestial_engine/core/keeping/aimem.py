"""The AIMEM bundle (draft-vu-aimem-bundle): envelope, names, and the checksum over canonical JSON (RFC 8785)."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

FORMAT, VERSION, PRODUCER = "aimem-bundle", "1", "celestial"
FORMATS = (FORMAT, "memoryai-bundle")  # the second is an older name of the same
MOST_TAG = 64  # characters
_URN = "urn:aimem:"
_PLAIN_BELOW, _PLAIN_FROM = 21, -6  # decimal exponents between which a number is written without one


def is_bundle(value: object) -> bool:
    return isinstance(value, Mapping) and value.get("format") in FORMATS


def urn_of(item_id: str) -> str:
    return f"{_URN}{PRODUCER}:{item_id}"


def content_hash(content: str) -> str:
    return "sha256:" + sha256(content.encode()).hexdigest()


def checksum(bundle: Mapping[str, Any]) -> str:
    """The hash of everything but the checksum itself; raises ValueError for what canonical JSON cannot hold."""
    rest = {name: value for name, value in bundle.items() if name != "checksum"}
    return "sha256:" + sha256(canonical(rest).encode()).hexdigest()


def canonical(value: Any) -> str:
    """RFC 8785: keys in the order of their UTF-16 units, no spaces, numbers as ECMAScript writes them."""
    if isinstance(value, Mapping):
        pairs = sorted(value.items(), key=lambda pair: str(pair[0]).encode("utf-16-be", "surrogatepass"))
        return "{" + ",".join(f"{_text(str(name))}:{canonical(inner)}" for name, inner in pairs) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, str):
        return _text(value)
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    return _number(float(value))


def known_tags(tags: Iterable[str]) -> list[str]:
    """The tags that the format has a place for."""
    return [tag for tag in tags if len(tag) <= MOST_TAG]


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)


def _number(value: float) -> str:
    if not math.isfinite(value):
        raise ValueError("not a number")
    if value == 0:
        return "0"
    mantissa, _, power = f"{abs(value)!r}".partition("e")
    whole, _, fraction = mantissa.partition(".")
    fraction = "" if fraction == "0" else fraction
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(power or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    sign = "-" if value < 0 else ""
    if len(digits) <= point <= _PLAIN_BELOW:
        return sign + digits + "0" * (point - len(digits))
    if 0 < point <= _PLAIN_BELOW:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if _PLAIN_FROM < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    exponent = point - 1
    rest = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{rest}e{'+' if exponent > 0 else '-'}{abs(exponent)}"
