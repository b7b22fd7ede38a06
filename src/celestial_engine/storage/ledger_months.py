"""The ledger's files of past months: one compressed file a month, made of the daily ones.

Most of a line is what the lines around it say, too: a month in one file takes a tenth. With a passphrase the file is
sealed as a whole, because sealed lines cannot be compressed.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterable, Iterator
from hashlib import sha256
from importlib.util import find_spec
from typing import IO, cast

from celestial_engine.storage.vault import SealedError, Vault, is_sealed

_WINDOW_BYTES = 1 << 22  # ids of memories come again after thousands of lines; more takes more working memory
_DIGEST_BYTES = 16
_MONTH = re.compile(r"ledger-\d{6}\.jsonl\.(gz|xz)")


def packed_name(month: str) -> str:
    """The file of a month (YYYYMM). A Python without lzma makes a larger one."""
    return f"ledger-{month}.jsonl.{'gz' if find_spec('_lzma') is None else 'xz'}"


def is_packed_month(name: str) -> bool:
    """Returns whether the file holds a month, and so is sealed as a whole."""
    return _MONTH.fullmatch(name) is not None


def lines_of(path: str, vault: Vault | None) -> Iterator[bytes]:
    """Yields the lines of a file of any kind, as they were written; raises OSError."""
    if path.endswith(".gz"):
        return _gzip_lines(path, vault)
    return _xz_lines(path, vault) if path.endswith(".xz") else _plain_lines(path)


def pack(path: str, parts: Iterable[str], vault: Vault | None) -> None:
    """Writes the lines of these files into one, each line once, and reads it back first. Raises OSError."""
    marks, whole, raw = set[bytes](), sha256(), io.BytesIO()
    with _compressing(raw, path) as target:
        for part in parts:
            for line in lines_of(part, vault):
                plain = (line if vault is None else vault.open_line(line)).rstrip(b"\n")
                mark = sha256(plain).digest()[:_DIGEST_BYTES]
                if plain and mark not in marks:
                    marks.add(mark)
                    whole.update(plain + b"\n")
                    target.write(plain + b"\n")
    data = raw.getvalue() if vault is None else vault.seal(raw.getvalue())
    stem, _, kind = path.rpartition(".")
    unfinished = f"{stem}.tmp.{kind}"
    handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with open(handle, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    check = sha256()
    for line in lines_of(unfinished, vault):
        check.update(line)
    if check.digest() != whole.digest():
        raise OSError(f"{unfinished} does not hold what was written")
    os.replace(unfinished, path)


def _plain_lines(path: str) -> Iterator[bytes]:
    with open(path, "rb") as file:
        yield from file


def _gzip_lines(path: str, vault: Vault | None) -> Iterator[bytes]:
    import gzip
    import zlib

    try:
        with _source(path, vault) as source, gzip.GzipFile("", "rb", fileobj=source) as file:
            yield from file
    except (EOFError, zlib.error) as error:
        raise OSError(str(error)) from error


def _xz_lines(path: str, vault: Vault | None) -> Iterator[bytes]:
    try:
        import lzma
    except ImportError as error:
        raise OSError(f"{path}: this Python cannot read .xz files") from error
    try:
        with _source(path, vault) as source, lzma.LZMAFile(source) as file:
            yield from file
    except (EOFError, lzma.LZMAError) as error:
        raise OSError(str(error)) from error


def _source(path: str, vault: Vault | None) -> IO[bytes]:
    """Opens the compressed bytes of a file; of a sealed one, what was sealed."""
    file = open(path, "rb")  # noqa: SIM115 - the caller closes it
    if vault is None or not is_sealed(file.read(16)):
        file.seek(0)
        return file
    with file:
        file.seek(0)
        try:
            return io.BytesIO(vault.open(file.read()))
        except SealedError as error:
            raise OSError(f"{path}: {error}") from error


def _compressing(raw: io.BytesIO, path: str) -> IO[bytes]:
    if path.endswith(".gz"):
        import gzip

        return cast(IO[bytes], gzip.GzipFile("", "wb", fileobj=raw, mtime=0))
    import lzma

    filters = [{"id": lzma.FILTER_LZMA2, "preset": 6, "dict_size": _WINDOW_BYTES}]
    return lzma.LZMAFile(raw, "wb", filters=filters)
