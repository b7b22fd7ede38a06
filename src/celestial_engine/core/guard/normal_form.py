"""A copy of a text for matching, in which look-alike characters are alike, with positions mapped back.

Full-width and decomposed letters are composed (NFKC), invisible characters are left out, and letters of other
scripts that look Latin become Latin. A rule that finds something in the copy redacts it in the original.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from celestial_engine.core.patterns import compiled

# Characters that the copy leaves out: soft hyphen, joiners, direction marks, variation selectors, tags, and private
# use characters, one of which marks what is redacted already.
_INVISIBLE = (
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ue000-\uf8ff\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff"
)
# Marks that combine with the letter before them, and vowels and finals of decomposed Hangul.
_JOINED = "\u0300-\u036f\u1161-\u11ff\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a\ud7b0-\ud7ff\ufe20-\ufe2f"
# Letters and digits with another form: full-width, enclosed, superscript, mathematical, Greek, Cyrillic, Armenian.
_VARIANTS = (
    "\xaa\xb2\xb3\xb9\xba\u0131\u0251\u0261\u0370-\u058f\u1100-\u115e\u13a0-\u13ff\u2070-\u209f\u2100-\u214f"
    "\u2160-\u217f\u2460-\u24ff\u2776-\u2793\u3000\uff01-\uff9f\uffe0-\uffee\U0001d400-\U0001d7ff"
    "\U0001f100-\U0001f1ff"
)
_NOT_PLAIN = f"[{_INVISIBLE}{_JOINED}{_VARIANTS}]"
_STABLE = "\x00-\x7f가-힣一-鿋ㄱ-ㅣ"  # these are their own copies, unless a mark follows
_CLUSTER = (
    f"(?P<stable>[{_STABLE}]+)(?![{_JOINED}])|"
    f"[{_INVISIBLE}]+|[^{_INVISIBLE}{_JOINED}][{_JOINED}]{{0,16}}|[{_JOINED}]{{1,16}}"
)
# Pairs: a letter of another script, and the Latin letter that it looks like.
_PAIRS = (
    "аa еe іi јj оo рp сc уy хx ѕs ԁd ԛq ԝw һh ӏl АA ВB ЕE ІI ЈJ КK МM НH ОO РP СC ТT УY ХX ЅS ԌG ԚQ ԜW "
    "αa ιi νv οo ρp τt υu χx ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX ɑa ɡg ıi ոn սu օo ցg հh "
    "ᎪA ᏴB ᏟC ᎬE ᎻH ᎫJ ᏦK ᏞL ᎷM ᏢP ᏒR ᏚS ᎢT ᏙV ᎳW ᏃZ"
)
_LOOK_ALIKE = {ord(pair[0]): pair[1] for pair in _PAIRS.split()}


class NormalForm(NamedTuple):
    """The copy, and for each of its characters where the original of it starts and ends."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Returns the span of the original text for a span of the copy."""
        return self.starts[start], self.ends[end - 1]


def normal_form(text: str) -> NormalForm | None:
    """Returns the copy, or None if the text is its own copy, as most texts are.

    >>> normal_form("ｐａｓｓ\u200bword").text
    'password'
    """
    if text.isascii() or not compiled(_NOT_PLAIN).search(text):
        return None
    parts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for cluster in compiled(_CLUSTER).finditer(text):
        if cluster["stable"]:
            parts.append(cluster[0])
            starts += range(cluster.start(), cluster.end())
            ends += range(cluster.start() + 1, cluster.end() + 1)
            continue
        letters = _plain(cluster[0])
        parts.append(letters)
        starts += [cluster.start()] * len(letters)
        ends += [cluster.end()] * len(letters)
    return NormalForm("".join(parts), starts, ends)


def fold(text: str) -> str:
    """Returns the copy alone, for rules that only say yes or no."""
    form = normal_form(text)
    return text if form is None else form.text


def _plain(cluster: str) -> str:
    if compiled(f"[{_INVISIBLE}]+").fullmatch(cluster):
        return ""
    if cluster.isascii() or "ㄱ" <= cluster <= "ㅣ":  # single consonants and vowels are what Korean chat is made of
        return cluster
    return unicodedata.normalize("NFKC", cluster).translate(_LOOK_ALIKE)
