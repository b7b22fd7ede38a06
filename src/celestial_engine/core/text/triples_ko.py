"""Extracts triples from Korean clauses: particles mark subject and object, the verb comes last."""

from __future__ import annotations

from functools import lru_cache

from celestial_engine.core.patterns import compiled
from celestial_engine.core.text.hangul import batchim
from celestial_engine.core.text.korean import Ending, Verb, agrees, copula_of, verb_of, without_particle
from celestial_engine.core.text.sentences import sentences_of
from celestial_engine.lang.ko import grammar as ko_grammar
from celestial_engine.lang.ko import nouns as ko_nouns

Triple = tuple[str, str, str]

_EDGES = " \t.,!?…~·;:\"'“”‘’()[]{}<>「」『』《》*-—–ㅋㅎㅠㅜ^"
_OURS = frozenset("우리 저희".split())
_WE = frozenset("우리는 저희는 우리가 저희가 우린".split())
_SOMEBODY = "\0"  # an unknown subject; its triples are dropped
_PERSONS = _OURS | _WE | ko_grammar.THIRD | ko_grammar.ANYONE | ko_nouns.SELF | ko_nouns.POSSESSIVES
_TOPIC = frozenset("은 는".split())
_SUBJECT = frozenset("이 가 께서 께서는".split())
_OBJECT = frozenset("을 를 만을".split())
_PLACE = frozenset("에 에서 로 으로 에는 에서는 에게 한테 께 에게서 한테서 에도 에서도 으로는 로는".split())
_WITH = frozenset("와 과 랑 이랑 하고".split())
_NAMED = frozenset("라고 이라고".split())
_OTHER_THAN = frozenset("아닌 아닐 아니라 아닌지 아닌가".split())
_HELPERS = frozenset("봄 줌 버림 놓음 둠 있음 냄 감 옴".split())
_PLANS = ("거야", "거예요", "거에요", "겁니다", "것이다", "것입니다", "예정", "계획", "생각이", "건데")
_EMPTY_VALUES = frozenset("예정 계획 것 거 편 때문 셈 중 뿐 정도 생각 따름 경우 모양 상태 적 수".split())
_GERUNDS = frozenset("기 기를 기는 기가 기도 길".split())
_CONDITIONS = frozenset("면 려면 으면 수록 면은 거나".split())
_WISHED = frozenset("좋아함 싫어함 원함 선호함".split())
_ORDERS = {"라고": "면", "자고": "고", "냐고": "고"}  # 끊으라고 is an order if 끊으면 is a verb
_ALLERGY = "알레르기"
_CONTENTS = frozenset("것을 걸 것이 게 거 것 것도 것은 건".split())
_EMPTY = frozenset("것 거 점 바 줄 경우 곳 데 위 달 주 해 날 때 뒤 후 전 동안 중 이번 다음 지난 시절 당시".split())
_VERBLIKE = "르리기지시치우이키히추꾸누두내려으하되"
_MOST_BARE = 2


def korean_triples(text: str, me: str) -> list[Triple]:
    """Extracts the triples of all sentences; questions have none."""
    triples: list[Triple] = []
    last_subject: str | None = None
    for sentence in sentences_of(compiled(r"\([^()]{0,80}\)|[\"'“”‘’]").sub("", text)):
        if not sentence.endswith("?"):
            clause = _Reading(me, last_subject)
            clause.read(sentence.split())
            triples += clause.found
            last_subject = clause.last_subject
    return [triple for triple in triples if _SOMEBODY not in triple]


class _Reading:
    """Parses one sentence from left to right; a verb ends its clause."""

    def __init__(self, me: str, last_subject: str | None) -> None:
        self.me = me
        self.last_subject = last_subject
        self.found: list[Triple] = []
        self.topic: str | None = None
        self.topic_owner: tuple[str, str] | None = None  # 한국의 수도는: (한국, 수도)
        self.owner: str | None = None
        self.wish = ""  # 좋아하는 before 색
        self._clear()

    def _clear(self) -> None:
        self.subject: str | None = None
        self.objects: list[str] = []
        self.listed: list[str] = []
        self.places: list[tuple[str, str]] = []
        self.bare: list[str] = []
        self.called: str | None = None
        self.negation = ""
        self.past = False

    def read(self, words: list[str]) -> None:
        clean = [_bare(word) for word in words]
        while clean and not clean[-1]:
            clean.pop()
        index = -1
        while (index := index + 1) < len(clean):
            word = clean[index]
            ahead = clean[index + 1 : index + 4]
            if not word or (word in _PERSONS and self._about_me(word, ahead)):
                continue
            if word in ko_grammar.NEGATING_ADVERBS and ahead and verb_of(ahead[0]):
                self.negation = word
            elif word in ko_grammar.ADVERBS:
                pass
            elif word in _OTHER_THAN:
                self.subject, self.bare = None, []
            elif word.startswith(("아니", "아닙", "아닌", "아님")):
                self._add_clause("아님", Ending.FINAL)
            elif word.endswith(("적으로", "적인", "스러운", "히")) and len(word) > 2:
                self.bare = []
            elif _is_order(word):
                index += self._quote(ahead)
            elif (verb := self._verb(word, ahead)) is not None:
                index += self._close(verb, word, ahead)
            elif (copula := copula_of(word)) is not None:
                self._name(copula.noun, copula.ending)
            elif not ahead and word[-1] in "야다" and len(word) > 2 and word[-2] != "니" and batchim(word[:-1]) == 0:
                self._name(word[:-1], Ending.FINAL)
            else:
                self._argument(word, listed=words[index][-1] == ",", last=not ahead)

    def _about_me(self, word: str, ahead: list[str]) -> bool:
        if word in _OURS or (word in ko_nouns.POSSESSIVES and ahead):
            self.owner = self.me
        elif word in _WE:
            self.topic, self.topic_owner = self.me, None
        elif word in ko_grammar.ANYONE:
            self.topic = self.topic or _SOMEBODY
        elif word in ko_grammar.THIRD:
            other = _SOMEBODY if self.last_subject in (None, self.me) else self.last_subject
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

    def _quote(self, ahead: list[str]) -> int:
        """An order in reported speech, 의사는 술을 끊으라고 했어: not done yet, and the next subject is unclear."""
        if self.topic not in (None, self.me) and self.subject is None:
            self.topic = _SOMEBODY
        self._clear()
        return 1 if ahead and verb_of(ahead[0]) else 0

    def _verb(self, word: str, ahead: list[str]) -> Verb | None:
        particle = without_particle(word).particle
        if particle in ("을", "를", "에서", "에게", "한테", "께서", "으로") and not word.endswith("기를"):
            return None
        verbs = verb_of(word)
        if not verbs:
            return None
        if without_particle(word).noun in ko_nouns.ONE_SYLLABLE_NOUNS and verbs[0].ending is Ending.MODIFYING:
            return None  # 물은: "water", rarely "asked"
        if word.endswith("하고") and word[:-2] in ko_nouns.PEOPLE:
            return None  # 친구하고: with a friend
        if len(word) == 1 and verbs[0].shape == "l" and ahead[:1] not in (["수"], ["거야"], ["때"]):
            return None  # 달, 말, 물: nouns first
        if len(verbs) > 1 and (self.objects or self.bare):  # 사다 and 살다 share 사는
            return next((verb for verb in verbs if verb.nominal not in ko_grammar.MOTION), verbs[0])
        return verbs[0]

    def _close(self, verb: Verb, word: str, ahead: list[str]) -> int:
        """Ends the clause at its verb; returns how many auxiliary words were consumed."""
        following = verb_of(ahead[0])[:1] if ahead else ()
        helper = following[0] if following else None
        nominal, ending, used = verb.nominal, verb.ending, 0
        self.past = verb.shape == "p"
        if ending is Ending.NEGATED:
            if helper and helper.nominal in ("않음", "못함"):
                self.negation = "안" if helper.nominal == "않음" else "못"
                ending, used = helper.ending, 1
            else:
                self._clear()  # 하지 마
                return 0
        elif verb.shape == "l" and not verb.tail and ahead[:1] and ahead[0] in ("수", "수는", "수가", "수도"):
            able = verb_of(ahead[1])[:1] if len(ahead) > 1 else ()
            self.negation = "못" if able and able[0].nominal == "없음" else self.negation
            ending, used = (able[0].ending if able else Ending.FINAL), 2
            if able and not (self.subject or self.topic) and _is_general(able[0]):
                self._clear()
                return used
        elif verb.shape == "n" and not verb.tail and ahead[:1] and ahead[0] in ("적", "적이", "적도"):
            been = verb_of(ahead[1])[:1] if len(ahead) > 1 else ()
            self.negation = "안" if been and been[0].nominal == "없음" else self.negation
            ending, used = Ending.FINAL, 2
        elif verb.shape == "l" and ahead[:1] and ahead[0].startswith(_PLANS):
            ending, used = Ending.FINAL, 1
        elif helper and verb.tail == "고" and helper.nominal in ("싶음", "싶어함"):
            nominal, ending, used = f"{word} 싶음", helper.ending, 1
        elif helper and ((verb.tail == "고" and helper.nominal == "있음") or
                         (verb.shape == "a" and not verb.tail and helper.nominal in _HELPERS)):  # fmt: skip
            return 1 + self._close(helper._replace(nominal=nominal), word, ahead[1:])
        elif (
            helper
            and verb.tail in ("야", "려고", "기로")
            and helper.nominal in ("함", "됨", "결정함", "정함", "약속함")
        ):
            nominal, ending, used = f"{word} 함", helper.ending, 1
        if ending is Ending.MODIFYING:
            return self._modify(nominal, word, ahead)
        if ending is Ending.CONNECTING and verb.tail in _GERUNDS and not used:
            self._gerund(word.removesuffix(verb.tail) + "기")
        elif ending is Ending.CONNECTING and verb.tail == "게" and not used:
            self.bare.clear()
        elif ending is Ending.ASKING or (verb.tail in _CONDITIONS and not used):
            self._clear()
        else:
            self._add_clause(nominal, ending)
        return used

    def _modify(self, nominal: str, word: str, ahead: list[str]) -> int:
        """A verb before a noun: its arguments are dropped, except in 글 쓰는 것을 좋아해."""
        if ahead[:1] and ahead[0] in _CONTENTS:
            seems = verb_of(ahead[1])[:1] if len(ahead) > 1 else ()
            if seems and seems[0].nominal == "같음":  # 올 것 같아
                self._add_clause(nominal, seems[0].ending)
                return 2
            if nominal in _WISHED and ahead[0] in ("건", "것은") and not (self.objects or self.bare):
                owner = self.subject or self.topic or self.me  # 내가 원하는 건 휴식이야
                self.topic, self.topic_owner = f"{word} 것", (owner, f"{word} 것")
                self._clear()
                return 1
            self._gerund(f"{word} 것")
            return 1
        if nominal in ("좋아함", "싫어함") and word.endswith("는"):
            self.owner, self.wish = self.subject or self.topic or self.me, word
        self._clear()
        return 0

    def _gerund(self, doing: str) -> None:
        inside = self.objects[-1:] or self.bare[-1:]
        place = [f"{noun}{particle}" for noun, particle in self.places[-1:]]
        self.objects, self.bare, self.places = [" ".join([*place, *inside, doing])], [], []

    def _argument(self, word: str, *, listed: bool, last: bool) -> None:
        noun, particle = without_particle(word)
        if len(word) > 1 and (noun if particle else word[:-1]) in _EMPTY:  # 다음 주에
            self.bare = []
            return
        if not particle and self.bare and len(word) == 2 and word[1] in "은는이가을를" and agrees(word[0], word[1]):
            noun, particle = word[0], word[1]  # 엘튼 존은: a short word that continues a name
        if particle == "는" and self.topic and noun[-1] in _VERBLIKE:  # 휘두르는: an unlisted verb
            self._clear()
            return
        if not particle and (listed or not last):
            (self.listed if listed and not _is_time(word) else self.bare).append(word)
            return
        if particle == "의":
            self.owner = " ".join([*self.bare[-_MOST_BARE:], noun])
            self.bare.append(word)
            return
        phrase = self._phrase(noun)
        if noun == _ALLERGY and particle in _SUBJECT and self.places and not self.bare:  # 새우와 땅콩에 알레르기가
            self.objects += [f"{cause} {_ALLERGY}" for cause in (*self.listed, self.places.pop()[0])]
            self.listed = []
        elif particle in _TOPIC or (particle == "도" and self.topic is None and not self.owner):
            self._set_topic(phrase, noun)
        elif particle in _SUBJECT:
            self.subject = phrase
            if noun in ko_nouns.PERSONAL and self.topic is None:
                self._set_topic(phrase, noun)
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

    def _phrase(self, noun: str) -> str:
        """Joins a noun with the bare nouns before it, without a time."""
        before = self.bare[-_MOST_BARE:]
        if noun == "등" and before:  # 화장실, 식당 등
            before, noun = before[:-1], before[-1]
        while before and _is_time(before[0]) and not _is_time(noun):
            before = before[1:]
        return " ".join([*before, noun])

    def _set_topic(self, phrase: str, noun: str) -> None:
        owner = self.owner
        if self.bare and noun in ko_nouns.ATTRIBUTES:  # 강아지 이름은
            possessed = " ".join(self.bare[-_MOST_BARE:]).removesuffix("의")
            if owner == self.me and possessed:
                self.found.append((self.me, "있음", possessed))
            owner = possessed
        attribute = " ".join(part for part in (self.wish, noun) if part)
        if owner == self.me and noun in ko_nouns.PEOPLE and not self.wish:
            self.found.append((self.me, "있음", noun))
            owner = None
        if owner is None and noun in ko_nouns.PERSONAL:
            owner = self.topic or self.last_subject or self.me
        self.topic = phrase
        self.topic_owner = (owner, attribute) if owner else None

    def _name(self, noun: str, ending: Ending) -> None:
        """Adds the triple of a copula: X is Y."""
        value = self._phrase(noun)
        # an object before 이다 belongs to an inner clause: 책 읽는 게 취미야
        if ending is Ending.ASKING or self.objects or noun in _EMPTY_VALUES or noun in ko_grammar.VAGUE_NOUNS:
            self._clear()
            return
        if self.topic and self.subject not in (None, self.me, self.topic):  # 나트륨은 원자 번호가 11이다
            self.topic_owner = (self.topic, self.subject or "")
        if self.topic_owner:
            owner, attribute = self.topic_owner
            self.found.append((owner, attribute, value))
            self.last_subject = owner
        else:
            subject = self.subject or self.topic or self.last_subject or self.me
            self.found += [(subject, "임", listed) for listed in self.listed] + [(subject, "임", value)]
            self.last_subject = subject
        self._clear()

    def _add_clause(self, nominal: str, ending: Ending) -> None:
        """Adds the triples of a complete clause."""
        if nominal == "같음":
            self._clear()
            return
        explicit = self.subject or self.topic
        objects = [*self.listed, *self.objects] or self._bare_object()
        subject = explicit or self.last_subject or self.me
        if explicit is None and subject == self.me and (ending is Ending.HONORIFIC or nominal.endswith("됨")):
            self._clear()
            return
        if self.called:
            if nominal not in ("부름", "불림") and (nominal != "함" or self.past or self.subject):
                self._clear()  # 의사는 감기라고 했어: not his name
                return
            subject = objects[-1] if objects else subject  # 나를 코코라고 불러
            nominal, objects = "이름", [self.called]
        elif nominal in ko_grammar.OF_ITS_SUBJECT and not objects:
            felt = self.subject if self.subject != self.me else None
            if felt and not (self.places and self.topic is None):
                objects, subject = [felt], self.topic or self.last_subject or self.me
            elif not self.places and self.topic and self.topic != self.me and nominal in ko_grammar.WANTED:
                objects, subject = [self.topic], self.me
        elif (
            nominal in ko_grammar.TRANSITIVE
            and not (objects or self.places or self.subject)
            and self.topic not in (None, self.me)
            and not self.found
        ):
            objects, subject = [self.topic or ""], self.me
        if not ko_grammar.MOODS.issuperset(objects) or not objects:
            nominal = ko_grammar.FEELINGS.get(nominal, nominal)
        predicate = f"{self.negation} {nominal}".strip()
        self._add(subject, nominal, predicate, objects)
        if explicit:
            self.last_subject = subject
        self._clear()

    def _bare_object(self) -> list[str]:
        words = [word for word in self.bare[-_MOST_BARE:] if not _is_time(word)]
        return [" ".join(words)] if words else []

    def _add(self, subject: str, nominal: str, predicate: str, objects: list[str]) -> None:
        places = [place for place in self.places if not _is_time(place[0])] or self.places
        self.found += [(subject, predicate, thing) for thing in objects]
        if places and (not objects or nominal in ko_grammar.MOTION):
            self.found.append((subject, predicate, places[-1][0]))
        elif places:
            place, particle = places[-1]
            self.found.append((subject, f"{particle} {predicate}", place))
        elif not objects and (nominal in ko_grammar.STATES or subject not in (self.me, self.last_subject)):
            self.found.append((subject, "상태", predicate))


def _is_general(able: Verb) -> bool:
    """Whether it holds for anyone: 여기서 살 수 있다, 살 수 없습니다; but 살 수 없어 is about the speaker."""
    return able.shape != "p" and (able.nominal == "있음" or able.tail.endswith("다"))


@lru_cache(maxsize=16_384)
def _is_order(word: str) -> bool:
    ending = _ORDERS.get(word[-2:])
    return ending is not None and any(verb.tail == ending for verb in verb_of(word[:-2] + ending))


@lru_cache(maxsize=16_384)
def _bare(word: str) -> str:
    return word.strip(_EDGES)


@lru_cache(maxsize=16_384)
def _is_time(word: str) -> bool:
    return bool(compiled(rf"(?:{ko_grammar.TIME_NOUN})").fullmatch(word))
