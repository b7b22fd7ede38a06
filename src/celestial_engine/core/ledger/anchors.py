"""Anchors: a chain of its own over the heads of all owners' chains.

An anchor holds the heads that changed since the one before it, so the anchors together cover every owner, and their
size follows the activity and not the number of owners.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import NamedTuple

from celestial_engine.core.ledger.chain import START, Head, canonical


class AnchoredHead(NamedTuple):
    """The head of one owner's chain when the anchor was written."""

    user_id: str
    agent_id: str
    number: int
    hash: str


class Anchor(NamedTuple):
    """The heads that changed, sorted by owner; the hash covers them and the anchor before."""

    number: int
    at: float
    heads: tuple[AnchoredHead, ...]
    hash: str = ""


def next_anchor(previous: Head, at: float, heads: Iterable[AnchoredHead]) -> Anchor:
    """Returns the anchor that follows the one with the head `previous`."""
    anchor = Anchor(previous.number + 1, float(at) + 0.0, tuple(sorted(heads)))
    return anchor._replace(hash=_digest(previous.hash, anchor))


def checked_anchors(anchors: Iterable[Anchor]) -> Iterator[tuple[Anchor, bool]]:
    """Yields each anchor with whether it follows from the one before it, up to the first that does not."""
    last = START
    for anchor in anchors:
        holds = follows(last, anchor)
        yield anchor, holds
        if not holds:
            return
        last = Head(anchor.number, anchor.hash)


def follows(previous: Head, anchor: Anchor) -> bool:
    """Returns whether the anchor is the one after `previous`, as it was written."""
    return anchor.number == previous.number + 1 and _hash_matches(previous.hash, anchor)


def _digest(previous: str, anchor: Anchor) -> str:
    text = f"{previous}\n{canonical([anchor.number, anchor.at, [list(head) for head in anchor.heads]])}"
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _hash_matches(previous: str, anchor: Anchor) -> bool:
    try:
        return _digest(previous, anchor) == anchor.hash
    except (TypeError, ValueError):  # a value that JSON cannot encode
        return False
