"""Requests to forget something, and what they ask to forget.

Only clear requests count, read sentence by sentence: to forget by mistake is worse than to ask again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from celestial_engine.core.patterns import compiled
from celestial_engine.lang.en import forgetting as en
from celestial_engine.lang.ko import forgetting as ko

_LONGEST = 400  # characters: longer texts are letters and documents, which quote what others ask
_CUES = (  # one of them is in every request
    "forget", "unlearn", "rememb", "memor", "mind", "delet", "remov", "eras", "wipe", "clear", "purge", "scrub",
    "drop", "discard", "scratch", "strike", "get rid", "keep", "stor", "sav", "record", "retain", "know",
    "잊", "까먹", "기억", "지워", "삭제", "없애", "빼", "제거", "저장", "기록", "메모", "보관", "걸로", "것으로",
    "일로",
)  # fmt: skip
_SENTENCE_END = r"(?<=[.!?~…\n])\s+|,\s+(?=(?:i|i'm|i've|we|we're|my)\b)"


@dataclass(frozen=True)
class ForgetTopic:
    """What a sentence asks to forget, in the user's words."""

    text: str
    korean: bool
    back: bool = False  # what was said just before
    everything: bool = False
    certain: bool = True  # False: perhaps not meant for the memory; nothing is forgotten without asking
    likely: bool = False  # the trained reader takes it for a request, and no pattern knows it


@dataclass(frozen=True)
class ForgetRequest:
    """The requests of a turn, and what else it says."""

    topics: tuple[ForgetTopic, ...]
    rest: str = ""

    @property
    def about(self) -> str:
        return "; ".join(topic.text for topic in self.topics)

    @property
    def likely(self) -> bool:
        return any(topic.likely for topic in self.topics)


@lru_cache(maxsize=64)
def forget_request_in(text: str) -> ForgetRequest | None:
    """Returns the request of "forget what I said about Ana", 수민이 얘기는 잊어줘; None for any other text."""
    head = _plain(text)
    if not head or len(head) > _LONGEST or not any(cue in head.casefold() for cue in _CUES):
        return None
    topics: list[ForgetTopic] = []
    others: list[str] = []
    for sentence in compiled(_SENTENCE_END, re.IGNORECASE).split(head):
        topic = _english(sentence) or _korean(sentence)
        if topic is None:
            others.append(sentence)
        else:
            topics.append(topic)
    return ForgetRequest(tuple(topics), " ".join(others).strip()) if topics else None


def _plain(text: str) -> str:
    """Returns the text with single spaces: several parts of a pattern may take one, and a run of them takes long."""
    text = text.strip()
    if len(text) > 2 * _LONGEST:
        return text
    return "\n".join(" ".join(line.split()) for line in text.replace("’", "'").splitlines() if line.strip())


def likely_request_in(text: str) -> ForgetRequest | None:
    """Returns the request of a text that was read as one, in free words: "take Ana out of your notes, we're done"."""
    plain = _plain(text)
    korean = any("가" <= char <= "힣" for char in plain)
    words = ko if korean else en
    if len(plain) > _LONGEST or _found(words.NEVER, plain) or not _found(words.SIGNS_OF_MEMORY, plain):
        return None
    verb = compiled(words.REMOVING, re.IGNORECASE).search(plain)
    if verb is None:
        return None
    before, after = plain[: verb.start()].strip(" ,.:;!?"), plain[verb.end() :].strip(" ,.:;!?")
    if korean:  # the verb comes last
        topic = before or after
    else:
        first, rest = _clauses(after)
        about = compiled(en.TAIL, re.IGNORECASE).sub("", f" {first}").strip()
        topic = about if len(about) > 3 else before or rest
    return ForgetRequest((ForgetTopic(topic, korean, certain=False, likely=True),)) if topic else None


def _clauses(text: str) -> tuple[str, str]:
    end = compiled(en.CLAUSE_END, re.IGNORECASE).search(text)
    return (text, "") if end is None else (text[: end.start()].strip(), text[end.end() :].strip())


def _english(sentence: str) -> ForgetTopic | None:
    plain = sentence.strip(" .!?~…\n\t")
    found = _matched(en.FORGET, plain)
    if found:
        named = _found(en.NAMES_SOMETHING, found["topic"]) or names_in_english(found["topic"])
        return _english_topic(found["topic"], certain=bool(named))
    for pattern in en.NO_MORE:
        if found := _matched(pattern, plain):
            certain = _found(en.ADDRESSES_SOMEBODY, plain) or _found(en.ABOUT_MEMORY, found["topic"])
            return _english_topic(found["topic"], certain=certain)
    for pattern in en.REMOVE:
        found = _matched(pattern, plain)
        if found and (_found(en.ABOUT_MEMORY, found["topic"]) or _matched(en.PERSONAL_FACT, plain)):
            return _english_topic(found["topic"], certain=True)
    return None


def _english_topic(topic: str, *, certain: bool) -> ForgetTopic | None:
    before, topic = None, topic.strip(" ,;:-")
    while before != topic:
        before, topic = topic, compiled(en.TAIL, re.IGNORECASE).sub("", topic).strip(" ,;:-.!?")
    if not topic:
        return None
    back = _matched(en.BACK, topic) is not None
    everything = not back and _matched(en.EVERYTHING, topic) is not None
    certain = certain and "," not in topic and not _found(en.SAID_BY_OTHERS, topic)
    return ForgetTopic(topic, korean=False, back=back, everything=everything, certain=certain)


def names_in_english(topic: str) -> list[str]:
    """Returns the words of a topic that are written like names."""
    return [word for word in compiled(r"[A-Z][\w-]+").findall(topic) if word not in ("I", "I'm", "I've", "I'd")]


def _korean(sentence: str) -> ForgetTopic | None:
    plain = sentence.strip()
    for pattern in ko.FORGET:
        if found := compiled(pattern).fullmatch(plain):
            return _korean_topic(found)
    bare = compiled(ko.BARE).fullmatch(plain)
    if bare and _found(ko.ABOUT_MEMORY, bare["topic"]):
        return None if _found(ko.TELLS_OF_SOMEBODY, plain) else _korean_topic(bare)
    for pattern in ko.REMOVE:
        found = compiled(pattern).fullmatch(plain)
        if found and not _found(ko.ELSEWHERE, found["topic"]) and _means_memory_in_korean(found["topic"].strip()):
            return _korean_topic(found)
    return None


def _korean_topic(found: re.Match[str]) -> ForgetTopic:
    topic = found["topic"].strip(" ,.!?~")
    everything = _matched(ko.EVERYTHING, topic) is not None or (not topic and _found(ko.ALL, found["adverbs"]))
    back = not everything and (not topic or _matched(ko.BACK, topic) is not None)
    certain = not _found(ko.SAID_BY_OTHERS, topic)
    return ForgetTopic(
        topic or found["adverbs"].strip(), korean=True, back=back, everything=everything, certain=certain
    )


def _means_memory_in_korean(topic: str) -> bool:
    if _found(ko.ABOUT_MEMORY, topic) or _matched(ko.BACK, topic):
        return True
    return _matched(f"(?:{ko.DELETED}){ko.ENDINGS}?", topic.rpartition(" ")[2]) is not None


def _matched(pattern: str, text: str) -> re.Match[str] | None:
    return compiled(pattern, re.IGNORECASE).fullmatch(text)


def _found(pattern: str, text: str) -> bool:
    return compiled(pattern, re.IGNORECASE).search(text) is not None
