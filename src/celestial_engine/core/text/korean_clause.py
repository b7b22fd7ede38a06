"""The parts of a Korean clause before its verb: subject, topic, objects, places, and whose they are."""

from __future__ import annotations

from celestial_engine.core.text.korean import agrees, without_particle
from celestial_engine.core.text.korean_notes import attribute_of, is_time, without_times
from celestial_engine.lang.ko import grammar as ko_grammar
from celestial_engine.lang.ko import notes as ko_notes
from celestial_engine.lang.ko import nouns as ko_nouns

Triple = tuple[str, str, str]

_OURS = frozenset("우리 저희".split())
_WE = frozenset("우리는 저희는 우리가 저희가 우린".split())
PERSONS = _OURS | _WE | ko_grammar.THIRD | ko_grammar.ANYONE | ko_nouns.SELF | ko_nouns.POSSESSIVES
SOMEBODY = "\0"  # an unknown subject; its triples are dropped
_TOPIC = frozenset("은 는".split())
_SUBJECT = frozenset("이 가 께서 께서는".split())
_OBJECT = frozenset("을 를 만을".split())
_PLACE = frozenset("에 에서 로 으로 에는 에서는 에게 한테 께 에게서 한테서 에도 에서도 으로는 로는".split())
_WITH = frozenset("와 과 랑 이랑 하고".split())
_NAMED = frozenset("라고 이라고".split())
_ALLERGY = "알레르기"
_EMPTY = frozenset("것 거 점 바 줄 경우 곳 데 위 달 주 해 날 때 뒤 후 전 동안 중 이번 다음 지난 시절 당시".split())
_VERBLIKE = "르리기지시치우이키히추꾸누두내려으하되"
MOST_BARE = 2
_USER = frozenset("사용자 유저".split())


class Clause:
    """What has been read of a sentence, from left to right, until a verb ends the clause."""

    def __init__(self, me: str, last_subject: str | None) -> None:
        self.me = me
        self.last_subject = last_subject
        self.found: list[Triple] = []
        self.topic: str | None = None
        self.topic_owner: tuple[str, str] | None = None  # 한국의 수도는: (한국, 수도)
        self.owner: str | None = None
        self.wish = ""  # 좋아하는 before 색
        self.valued = False  # whether the attribute that is the topic has a value
        self.renewed = False  # whether a later clause has a topic of its own: 영어는 잘하지만 중국어는 모름
        self.time_topic = ""  # 올해는: a time is no subject
        self.introduced = ""  # 딸이 있고 이름은: the name of the daughter
        self.clear()

    def clear(self) -> None:
        self.subject: str | None = None
        self.objects: list[str] = []
        self.listed: list[str] = []
        self.places: list[tuple[str, str]] = []
        self.bare: list[str] = []
        self.called: str | None = None
        self.negation = ""
        self.past = False
        self.noted = False  # whether the predicate is in its noun form, as in notes

    def about_me(self, word: str, ahead: list[str]) -> bool:
        if word in _OURS or (word in ko_nouns.POSSESSIVES and ahead):
            self.owner = self.me
        elif word in _WE:
            self.topic, self.topic_owner = self.me, None
        elif word in ko_grammar.ANYONE:
            self.topic = self.topic or SOMEBODY
        elif word in ko_grammar.THIRD:
            other = SOMEBODY if self.last_subject in (None, self.me) else self.last_subject
            if word.endswith(("가", "이")):
                self.subject = other
            else:
                self.topic, self.topic_owner = other, None
        elif word in ko_nouns.SELF and word not in ("사용자", "유저", "날"):
            particle = word[1:]
            if particle in ("가", "는", "도", "") and word not in ("내", "제"):
                if particle == "가":
                    self.subject = self.me
                else:
                    self.topic, self.topic_owner = self.me, None
            elif particle == "를":
                self.objects.append(self.me)
        else:
            return False
        return True

    def argument(self, word: str, *, listed: bool, last: bool) -> None:
        noun, particle = without_particle(word)
        if len(word) > 1 and (noun if particle else word[:-1]) in _EMPTY:  # 다음 주에
            self.bare = []
            return
        if not particle and self.bare and len(word) == 2 and word[1] in "은는이가을를" and agrees(word[0], word[1]):
            noun, particle = word[0], word[1]  # 엘튼 존은: a short word that continues a name
        if particle == "는" and self.topic and noun[-1] in _VERBLIKE:  # 휘두르는: an unlisted verb
            self.clear()
            return
        if not particle and (listed or not last):
            (self.listed if listed and not is_time(word) else self.bare).append(word)
            if listed:
                self.add_value()
            return
        if particle == "의":
            self.owner = self.me if noun in _USER else " ".join([*self.bare[-MOST_BARE:], noun])
            self.bare += [] if noun in _USER else [word]
            return
        phrase = self.phrase(noun)
        if noun == _ALLERGY and particle in _SUBJECT and self.places and not self.bare:  # 새우와 땅콩에 알레르기가
            self.objects += [f"{cause} {_ALLERGY}" for cause in (*self.listed, self.places.pop()[0])]
            self.listed = []
        elif particle in _TOPIC or (particle == "도" and self.topic is None and not self.owner):
            self.set_topic(phrase, noun)
        elif particle in _SUBJECT:
            self.subject = phrase
            if noun in ko_nouns.PERSONAL and self.topic is None:
                self.set_topic(phrase, noun)
        elif particle in _OBJECT or particle in ("도", "만"):
            self.objects += [*self.listed, phrase]
            self.listed = []
        elif particle in _WITH and noun not in ko_nouns.PEOPLE:
            self.listed.append(phrase)
        elif particle in _PLACE or particle in _WITH:
            self.places.append((phrase, particle))
        elif particle in _NAMED:
            self.called = phrase
        elif not particle:
            self.bare.append(word)
            return
        self.bare, self.owner, self.wish = [], None, ""

    def phrase(self, noun: str) -> str:
        """Joins a noun with the bare nouns before it, without a time."""
        before = self.bare[-MOST_BARE:]
        if noun == "등" and before:  # 화장실, 식당 등
            before, noun = before[:-1], before[-1]
        whole = " ".join([*before, noun])
        return whole if is_time(noun) or is_time(whole) else " ".join([*without_times(before), noun])

    def set_topic(self, phrase: str, noun: str) -> None:
        if is_time(phrase) and phrase not in ko_notes.SEASONS:
            self.time_topic = phrase
            return
        owner = self.owner
        if self.bare and noun in ko_nouns.ATTRIBUTES:  # 강아지 이름은
            possessed = " ".join(self.bare[-MOST_BARE:]).removesuffix("의")
            if owner == self.me and possessed:
                self.found.append((self.me, "있음", possessed))
            owner = possessed
        attribute = " ".join(part for part in (self.wish, noun) if part)
        if owner == self.me and noun in ko_nouns.PEOPLE and not self.wish:
            self.found.append((self.me, "있음", noun))
            owner = None
        if owner is None and noun in ko_nouns.PERSONAL:
            before = self.topic_owner[0] if self.topic_owner else self.topic  # 나이는 서른둘, 생일은
            owner = self.introduced or before or self.last_subject or self.me
        self.renewed = self.topic is not None and owner is None
        self.topic, self.valued = phrase, False
        self.topic_owner = (owner, attribute) if owner else None

    def add_value(self) -> None:
        """The value of an attribute without a copula: 취미는 등산, 생일은 3월 4일."""
        values = self.listed or ([" ".join(self.bare)] if self.bare else [])
        marked = self.subject or self.objects or self.places or self.called
        if not self.topic_owner or not values or marked or (self.valued and self.topic not in ko_notes.MANY):
            return
        owner, attribute = self.topic_owner
        if attribute.split()[-1] not in ko_nouns.ATTRIBUTES:
            return
        self.found += [(owner, attribute_of(value, attribute), value) for value in values]
        self.valued, self.last_subject = True, owner
        self.clear()

    def bare_object(self) -> list[str]:
        words = [word for word in self.bare[-MOST_BARE:] if not is_time(word)]
        return [" ".join(words)] if words else []
