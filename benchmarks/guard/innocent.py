"""Innocent lines in which nothing may be redacted: talk, the corpus, source code, and ids that look like secrets."""

from __future__ import annotations

import random
import string
import sysconfig
import uuid
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[2]
_HEX = "0123456789abcdef"
_EACH = 4000


def innocent_lines(data: Path, seed: int, each: int = _EACH) -> dict[str, list[str]]:
    """Returns up to `each` lines of every source; `data` is the folder of the public sets."""
    rng = random.Random(seed)
    sources = {
        "English talk": _column(data, "emotion/goemotions_en_dev.tsv", "turns/clinc_train_val.tsv"),
        "Korean talk": _column(
            data,
            "emotion/goemotions_ko_dev.tsv",
            "emotion/kote_val.tsv",
            "emotion/nsmc_dev5k.tsv",
            "turns/3i4k_train_val.tsv",
            "turns/songys_chatbot_ko.csv",
        ),
        "corpus": _column(ROOT, *(str(file.relative_to(ROOT)) for file in sorted((ROOT / "corpus").rglob("*.tsv")))),
        "source code": _code(),
        "ids": [_number(rng) for _ in range(each)],
    }
    return {name: rng.sample(lines, min(each, len(lines))) for name, lines in sources.items()}


def _column(folder: Path, *files: str) -> list[str]:
    """Returns the longest field of every line, which is the text in all of these files."""
    lines: list[str] = []
    for name in files:
        if (folder / name).is_file():
            text = (folder / name).read_text(encoding="utf-8")
            lines += [max(line.split("\t"), key=len) for line in text.splitlines()]
    return lines


def _code() -> list[str]:
    """Returns lines of this package and of the standard library, without the guard's own rules and tests."""
    folders = (ROOT / "src", ROOT / "dashboard" / "src", Path(sysconfig.get_paths()["stdlib"]))
    lines: list[str] = []
    for folder in folders:
        for file in sorted([*folder.rglob("*.py"), *folder.rglob("*.ts")]):
            if not file.name.startswith("secrets") and not {
                "guard",
                "test",
                "tests",
                "site-packages",
                "node_modules",
            } & set(file.parts):
                lines += [
                    line for line in file.read_text(encoding="utf-8", errors="replace").splitlines() if line.strip()
                ]
    return lines


def _number(rng: random.Random) -> str:
    """Returns a line with a number or an id that is no secret."""

    def digits(count: int) -> str:
        return "".join(rng.choice(string.digits) for _ in range(count))

    def hexes(count: int) -> str:
        return "".join(rng.choice(_HEX) for _ in range(count))

    makers: tuple[Callable[[], str], ...] = (
        lambda: _ean("880" + digits(9)),
        lambda: "EAN " + _ean("400" + digits(9)),
        lambda: "barcode " + _ean("978" + digits(9)),
        lambda: "IMEI " + _luhn("35" + digits(12)),
        lambda: _luhn("86" + digits(12)),
        lambda: "단말기 일련번호 " + _luhn("35" + digits(12)),
        lambda: "commit " + hexes(40),
        lambda: hexes(64),
        lambda: "md5 " + hexes(32),
        lambda: "sha256:" + hexes(64),
        lambda: str(uuid.UUID(int=rng.getrandbits(128), version=4)),
        lambda: f"trace {hexes(32)} span {hexes(16)}",
        lambda: "주문번호 " + digits(13),
        lambda: "송장 " + digits(12),
        lambda: "order " + digits(16),
        lambda: f"ISBN 979-11-{digits(4)}-{digits(3)}-{digits(1)}",
        lambda: "170" + digits(10),
        lambda: f'ObjectId("{hexes(24)}")',
        lambda: f"사업자등록번호 {digits(3)}-{digits(2)}-{digits(5)}",
        lambda: f"전화 010-{digits(4)}-{digits(4)}",
        lambda: "MAC " + ":".join(hexes(2) for _ in range(6)),
        lambda: f"SKU-{digits(4)}-{hexes(4).upper()}",
        lambda: f"회의실 {digits(3)}호",
        lambda: f"lat 37.{digits(6)} lon 127.{digits(6)}",
    )
    return rng.choice(makers)()


def _luhn(body: str) -> str:
    total = 0
    for number, digit in enumerate(reversed(body)):
        value = int(digit) * (2 if number % 2 == 0 else 1)
        total += value - 9 if value > 9 else value
    return body + str(-total % 10)


def _ean(body: str) -> str:
    return body + str(-sum(int(digit) * (3 if number % 2 else 1) for number, digit in enumerate(body)) % 10)
