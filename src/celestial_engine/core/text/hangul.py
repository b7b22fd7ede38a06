"""Hangul syllables and the conjugation of Korean stems: 마시- becomes 마셔, 마셨, 마십, 마신, 마실."""

from __future__ import annotations

_FIRST, _LAST = "가", "힣"
_FINALS = 28
_VOWELS = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
_PER_LEAD = len(_VOWELS) * _FINALS
N, L, LM, M, B, SS = 4, 8, 10, 16, 17, 20  # the final consonants ㄴ ㄹ ㄻ ㅁ ㅂ ㅆ

_CONTRACTED = {"ㅗ": "ㅘ", "ㅜ": "ㅝ", "ㅣ": "ㅕ", "ㅚ": "ㅙ"}
_SWALLOWS = "ㅏㅐㅓㅔㅕ"  # 가 + 아 -> 가
_REGULAR_IN_REU = ("따르", "들르")

# A shape of a stem, by the ending that follows: s plain, o an ending that drops ㄹ, a 아/어, p 았/었, e 으, n ㄴ,
# l ㄹ, b ㅂ.
Shape = tuple[str, str]


def is_hangul(sign: str) -> bool:
    """Whether a character is a Hangul syllable."""
    return _FIRST <= sign <= _LAST


def batchim(word: str) -> int:
    """Returns the final consonant of the last syllable as a number; 0 for none or for another script."""
    return (ord(word[-1]) - ord(_FIRST)) % _FINALS if is_hangul(word[-1:]) else 0


def closed(word: str, final: int) -> str:
    """Adds a final consonant to an open last syllable: 가 + ㄴ -> 간."""
    return word[:-1] + chr(ord(word[-1]) + final)


def opened(word: str) -> str:
    """Removes the final consonant of the last syllable: 살 -> 사."""
    return word[:-1] + chr(ord(word[-1]) - batchim(word))


def with_particle(noun: str, pair: str) -> str:
    """Appends the particle that fits the last sound: 커피를, 라면을; 카페로, 서울로, 집으로."""
    after_batchim, after_vowel = pair.split("/")
    final = batchim(noun)
    if after_vowel == "로":
        return noun + (after_vowel if final in (0, L) else after_batchim)
    return noun + (after_batchim if final else after_vowel)


def conjugated(stem: str, irregular: str = "") -> tuple[str, list[Shape]]:
    """Returns the noun form of a verb (마심) and every shape of its stem; `irregular` is the changing consonant."""
    if stem.endswith("하"):
        base = stem[:-1]
        spoken = [("a", base + "해"), ("p", base + "했"), ("a", base + "하여"), ("p", base + "하였")]
        return base + "함", [*_open_shapes(stem), *spoken]
    if irregular == "ㅂ":  # 춥다, 추워
        soft = opened(stem) + "우"
        vowel_form = opened(stem) + ("와" if stem in ("돕", "곱") else "워")
        soft_shapes = [shape for shape in _open_shapes(soft) if shape[0] in "enl"]
        return closed(soft, M), [
            ("s", stem),
            ("b", stem + "습"),
            ("a", vowel_form),
            ("p", closed(vowel_form, SS)),
            *soft_shapes,
        ]
    if irregular:  # 듣다, 들어; 짓다, 지어
        soft = closed(opened(stem), L) if irregular == "ㄷ" else opened(stem)
        return soft + "음", [("s", stem), ("b", stem + "습"), *_closed_shapes(soft, _harmony(stem))]
    if batchim(stem) == L:  # 살다, 사는
        short, vowel_form = opened(stem), stem + _harmony(stem)
        shapes = [("s", stem), ("e", stem), ("l", stem), ("a", vowel_form), ("p", closed(vowel_form, SS))]
        return closed(short, LM), [*shapes, ("o", short), ("n", closed(short, N)), ("b", closed(short, B))]
    if batchim(stem):
        return stem + "음", [("s", stem), ("b", stem + "습"), *_closed_shapes(stem, _harmony(stem))]
    spoken = [
        shape
        for vowel_form in _contracted_forms(stem)
        for shape in (("a", vowel_form), ("p", closed(vowel_form, SS)))
    ]
    return closed(stem, M), [*_open_shapes(stem), *spoken]


def _open_shapes(stem: str) -> list[Shape]:
    return [("s", stem), ("e", stem), ("n", closed(stem, N)), ("l", closed(stem, L)), ("b", closed(stem, B))]


def _closed_shapes(stem: str, vowel_ending: str) -> list[Shape]:
    vowel = [("a", stem + vowel_ending), ("p", closed(stem + vowel_ending, SS))]
    return [*vowel, ("e", stem + "으"), ("n", stem + "은"), ("l", stem + "을")]


def _vowel(syllable: str) -> str:
    return _VOWELS[(ord(syllable) - ord(_FIRST)) % _PER_LEAD // _FINALS]


def _with_vowel(syllable: str, vowel: str) -> str:
    lead = (ord(syllable) - ord(_FIRST)) // _PER_LEAD
    return chr(ord(_FIRST) + lead * _PER_LEAD + _VOWELS.index(vowel) * _FINALS)


def _harmony(stem: str) -> str:
    return "아" if _vowel(stem[-1]) in "ㅏㅗ" else "어"


def _contracted_forms(stem: str) -> list[str]:
    """Returns the contracted 아/어 forms of an open stem: 마시 -> 마셔, 보 -> 봐, 모르 -> 몰라."""
    vowel = _vowel(stem[-1])
    if vowel in _SWALLOWS:
        return [stem]
    if vowel == "ㅡ":
        bright = len(stem) > 1 and _vowel(stem[-2]) in "ㅏㅗ"
        if stem.endswith("르") and len(stem) > 1 and stem not in _REGULAR_IN_REU:
            return [closed(stem[:-1], L) + ("라" if bright else "러")]
        return [stem[:-1] + _with_vowel(stem[-1], "ㅏ" if bright else "ㅓ")]
    forms = [stem + _harmony(stem)]
    if vowel in _CONTRACTED:
        forms.append(stem[:-1] + _with_vowel(stem[-1], _CONTRACTED[vowel]))
    return forms
