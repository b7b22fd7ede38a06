"""Extracts triples from Korean clauses: particles mark subject and object, the verb comes last."""

from __future__ import annotations

from functools import lru_cache

from celestial_engine.core.patterns import compiled
from celestial_engine.core.text.hangul import LM, M, batchim
from celestial_engine.core.text.korean import Ending, Verb, copula_of, verb_of, without_particle
from celestial_engine.core.text.korean_clause import MOST_BARE, PERSONS, SOMEBODY, Clause, Triple
from celestial_engine.core.text.korean_notes import (
    attribute_of,
    is_number,
    is_quality,
    is_time,
    noun_form,
    without_times,
)
from celestial_engine.core.text.sentences import sentences_of
from celestial_engine.lang.ko import grammar as ko_grammar
from celestial_engine.lang.ko import notes as ko_notes
from celestial_engine.lang.ko import nouns as ko_nouns
from celestial_engine.lang.ko import topics as ko_topics

_EDGES = " \t.,!?…~·;:\"'“”‘’()[]{}<>「」『』《》*-—–ㅋㅎㅠㅜ^"
_OTHER_THAN = frozenset("아닌 아닐 아니라 아닌지 아닌가".split())
_HELPERS = frozenset("봄 줌 버림 놓음 둠 있음 냄 감 옴".split())
_PLANS = ("거야", "거예요", "거에요", "겁니다", "것이다", "것입니다", "예정", "계획", "생각이", "건데")
_EMPTY_VALUES = ko_grammar.VAGUE_NOUNS | frozenset(
    "예정 계획 것 거 편 때문 셈 중 뿐 정도 생각 따름 경우 모양 상태 적 수".split()
)
_GERUNDS = frozenset("기 기를 기는 기가 기도 길".split())
_CONDITIONS = frozenset("면 려면 으면 수록 면은 거나".split())
_WISHED = frozenset("좋아함 싫어함 원함 선호함".split())
_ORDERS = {"라고": "면", "자고": "고", "냐고": "고"}  # 끊으라고 is an order if 끊으면 is a verb
_CONTENTS = frozenset("것을 걸 것이 게 거 것 것도 것은 건".split())
_KEEPING = frozenset("있음 키움 기름 입양함".split())
_DECIDED = ("함", "했", "하였", "결정", "정했", "정함")
_TRANSITIVE = ko_grammar.TRANSITIVE | {"함"}
_COUNTERS = ko_notes.COUNTERS | ko_notes.TIMES_COUNTED
_BREAKS = frozenset(",;/·")  # after one of them a note goes on with another clause
_KNOWING = frozenset("줄 줄은 줄을 줄도".split())


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
    return [triple for triple in triples if SOMEBODY not in triple]


class _Reading(Clause):
    """Parses one sentence from left to right; a verb ends its clause."""

    def read(self, words: list[str]) -> None:
        clean = [_bare(word) for word in words]
        while clean and not clean[-1]:
            clean.pop()
        index = -1
        while (index := index + 1) < len(clean):
            word = clean[index]
            ahead = clean[index + 1 : index + 4]
            self.ends = not ahead or words[index][-1] in _BREAKS
            if not word or (word in PERSONS and self.about_me(word, ahead)):
                continue
            if word in ko_grammar.NEGATING_ADVERBS and ahead and _helper(ahead[0]):
                self.negation = word
            elif ahead and is_number(word) and (counter := without_particle(ahead[0])).noun in _COUNTERS:
                index += 1
                if counter.noun in ko_notes.COUNTERS and (self.bare or counter.particle):
                    # 강아지 두 마리를; not 커피를 두 잔, 네 번
                    self.argument(f"{word} {ahead[0]}", listed=words[index][-1] == ",", last=len(ahead) == 1)
            elif word in ko_grammar.ADVERBS or (word in ko_notes.COUNTS and self.subject):  # 딸이 하나 있음
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
            elif words[index][-1] == ":" and word in ko_nouns.ATTRIBUTES:  # 취미: 등산
                self.set_topic(self.phrase(word), word)
                self.bare = []
            elif words[index][-1] == ":" and (word in ko_topics.LABELS or word.endswith(ko_topics.LABEL_ENDINGS)):
                self.bare = []  # 주의사항: a label
            else:
                self.argument(word, listed=words[index][-1] == ",", last=not ahead)
        self.add_value()

    def _quote(self, ahead: list[str]) -> int:
        """An order in reported speech, 의사는 술을 끊으라고 했어: not done yet, and the next subject is unclear."""
        if self.topic not in (None, self.me) and self.subject is None:
            self.topic = SOMEBODY
        self.clear()
        return 1 if ahead and verb_of(ahead[0]) else 0

    def _verb(self, word: str, ahead: list[str]) -> Verb | None:
        particle = without_particle(word).particle
        if particle in ("을", "를", "에서", "에게", "한테", "께서", "으로") and not word.endswith("기를"):
            return None
        verbs = verb_of(word)
        if not verbs:
            return self._noun_form(word) if self.ends else None
        if without_particle(word).noun in ko_nouns.ONE_SYLLABLE_NOUNS and verbs[0].ending is Ending.MODIFYING:
            return None  # 물은: "water", rarely "asked"
        if word.endswith("하고") and word[:-2] in ko_nouns.PEOPLE:
            return None  # 친구하고: with a friend
        if len(word) == 1 and verbs[0].shape == "l" and ahead[:1] not in (["수"], ["줄"], ["거야"], ["때"]):
            return None  # 달, 말, 물: nouns first
        if len(verbs) > 1 and (self.objects or self.bare):  # 사다 and 살다 share 사는
            return next((verb for verb in verbs if verb.nominal not in ko_grammar.MOTION), verbs[0])
        return verbs[0]

    def _noun_form(self, word: str) -> Verb | None:
        """The predicate of a note; a word that is a noun first needs a marked argument: 풍경을 그림."""
        marked = bool(self.objects or self.places or self.subject or self.negation)
        return noun_form(word, ambiguous=marked)

    def _close(self, verb: Verb, word: str, ahead: list[str]) -> int:
        """Ends the clause at its verb; returns how many auxiliary words were consumed."""
        helper = _helper(ahead[0]) if ahead else None
        nominal, ending, used = verb.nominal, verb.ending, 0
        self.past = verb.shape == "p"
        self.noted = batchim(word) in (M, LM) and len(word) > 1
        if ending is Ending.NEGATED:
            if helper and helper.nominal in ("않음", "못함"):
                self.negation = "안" if helper.nominal == "않음" else "못"
                ending, used = helper.ending, 1
                if helper.tail == "기로" and len(ahead) > 1 and ahead[1].startswith(_DECIDED):  # 하지 않기로 함
                    nominal, used = f"{word.removesuffix(verb.tail)}기로 함", 2
            else:
                self.clear()  # 하지 마
                return 0
        elif verb.shape == "l" and not verb.tail and ahead[:1] and ahead[0] in ("수", "수는", "수가", "수도"):
            able = verb_of(ahead[1])[:1] if len(ahead) > 1 else ()
            self.negation = "못" if able and able[0].nominal == "없음" else self.negation
            ending, used = (able[0].ending if able else Ending.FINAL), 2
            if able and not (self.subject or self.topic) and _is_general(able[0]):
                self.clear()
                return used
        elif verb.shape == "n" and not verb.tail and ahead[:1] and ahead[0] in ("적", "적이", "적도"):
            been = verb_of(ahead[1])[:1] if len(ahead) > 1 else ()
            self.negation = "안" if been and been[0].nominal == "없음" else self.negation
            ending, used = Ending.FINAL, 2
        elif verb.shape == "l" and not verb.tail and len(ahead) > 1 and ahead[0] in _KNOWING and _helper(ahead[1]):
            known = _helper(ahead[1])
            self.negation = "못" if known and known.nominal == "모름" else self.negation
            ending, used, self.noted = Ending.FINAL, 2, True
        elif (verb.shape == "l" and ahead[:1] and ahead[0].startswith(_PLANS)) or (
            ending is Ending.MODIFYING and ahead[:1] and ahead[0] in ko_notes.CLOSING
        ):
            ending, used = Ending.FINAL, 1
        elif verb.tail in ("면", "으면") and ahead[:1] and (count := _forbids(ahead)):
            nominal, ending, used = f"{word} 안 됨", Ending.FINAL, count
            if self.topic not in (None, self.me) and not (self.objects or self.subject):
                self.subject, self.objects = self.me, [self.topic or ""]  # 비밀번호는 공유하면 안 됨
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
            self.clear()
        else:
            self._add_clause(nominal, ending, verb.nominal)
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
                self.clear()
                return 1
            self._gerund(f"{word} 것")
            return 1
        if nominal in ("좋아함", "싫어함") and word.endswith("는"):
            self.owner, self.wish = self.subject or self.topic or self.me, word
        self.clear()
        return 0

    def _gerund(self, doing: str) -> None:
        inside = self.objects[-1:] or self.bare[-1:]
        if self.topic and self.subject not in (None, self.me):  # 나는 답변이 짧은 것을 좋아해
            inside = [f"{self.subject}{'이' if batchim(self.subject or '') else '가'}", *inside]
            self.subject = None
        place = [f"{noun}{particle}" for noun, particle in self.places[-1:]]
        self.objects, self.bare, self.places = [" ".join([*place, *inside, doing])], [], []

    def _name(self, noun: str, ending: Ending) -> None:
        """Adds the triple of a copula: X is Y."""
        value = self.phrase(noun)
        if noun == "중" and self.bare and ending is not Ending.ASKING:  # 캐나다에서 유학 중임
            self._add_clause(f"{self.bare.pop()} 중", ending)
            return
        # an object before 이다 belongs to an inner clause: 책 읽는 게 취미야
        if ending is Ending.ASKING or self.objects or (noun in _EMPTY_VALUES and not is_time(value)):
            self.clear()
            return
        if self.topic and self.subject not in (None, self.me, self.topic):  # 나트륨은 원자 번호가 11이다
            self.topic_owner = (self.topic, self.subject or "")
        if self.topic_owner:
            owner, attribute = self.topic_owner
            if self.valued and self.topic not in ko_notes.MANY:
                attribute = "임" if attribute_of(value, attribute) == attribute else "나이"
            values = [*self.listed, value]
            self.found += [(owner, attribute_of(one, attribute), one) for one in values]
            self.valued, self.last_subject = True, owner
        elif self.time_topic and not (self.subject or self.topic):  # 화요일은 재택임
            self.found.append((self.last_subject or self.me, self.time_topic, value))
        else:
            subject = self.subject or self.topic or self.last_subject or self.me
            self.found += [(subject, "임", listed) for listed in self.listed] + [(subject, "임", value)]
            self.last_subject = subject
        self.clear()

    def _add_clause(self, nominal: str, ending: Ending, verb: str = "") -> None:
        """Adds the triples of a complete clause."""
        if nominal == "같음":
            self.clear()
            return
        owner = self.topic_owner[0] if self.topic_owner and self.valued else None
        if self.noted and self.bare and is_quality(nominal) and not (self.subject or self.objects):
            self.subject = " ".join(without_times(self.bare[-MOST_BARE:])) or None  # 가격 비쌈
            self.bare = []
        explicit = self.subject or owner or self.topic  # 이름은 민수고 서울에 삶: the owner lives there
        objects = [*self.listed, *self.objects] or self.bare_object()
        subject = explicit or self.last_subject or self.me
        if explicit is None and subject == self.me and (ending is Ending.HONORIFIC or nominal.endswith("됨")):
            self.clear()
            return
        if self.called:
            if nominal not in ("부름", "불림") and (nominal != "함" or self.past or self.subject):
                self.clear()  # 의사는 감기라고 했어: not his name
                return
            subject = objects[-1] if objects else subject  # 나를 코코라고 불러
            nominal, objects = "이름", [self.called]
        elif nominal in ko_grammar.OF_ITS_SUBJECT and not objects:
            felt = self.subject if self.subject != self.me else None
            if felt and not (self.places and self.topic is None):
                objects, subject = [felt], self.topic or self.last_subject or self.me
            elif not self.places and self.topic and self.topic != self.me and nominal in ko_grammar.WANTED:
                objects, subject = [self.topic], self.me
            elif not self.places and self.time_topic and not self.topic and nominal in ko_grammar.FEELINGS:
                objects = [self.time_topic]  # 월요일은 싫어
        elif (
            not _TRANSITIVE.isdisjoint((nominal, verb))
            and not (objects or self.subject or any(not is_time(place) for place, _ in self.places))
            and self.topic not in (None, self.me)
            and self.topic not in ko_nouns.PEOPLE
            and (self.renewed or not self.found)
        ):
            objects, subject = [self.topic or ""], self.me
        elif (verb or nominal) in ko_grammar.TRANSITIVE and self.subject and self.topic and not objects:
            objects, subject = [self.topic], self.subject  # 발표 자료는 지우가 만들었어
        if not ko_grammar.MOODS.issuperset(objects) or not objects:
            nominal = ko_grammar.FEELINGS.get(nominal, nominal)
        self.renewed = False
        predicate = f"{self.negation} {nominal}".strip()
        self._add(subject, nominal, predicate, objects)
        if nominal in _KEEPING and objects and objects[-1].split()[0] in ko_nouns.PEOPLE:
            self.introduced = objects[-1].split()[0]
        if explicit:
            self.last_subject = subject
        self.clear()

    def _add(self, subject: str, nominal: str, predicate: str, objects: list[str]) -> None:
        places = [place for place in self.places if not is_time(place[0])] or ([] if objects else self.places)
        self.found += [(subject, predicate, thing) for thing in objects]
        if places and (not objects or nominal in ko_grammar.MOTION):
            self.found.append((subject, predicate, places[-1][0]))
        elif places:
            place, particle = places[-1]
            self.found.append((subject, f"{particle} {predicate}", place))
        elif (
            not objects
            and nominal != "함"
            and (nominal in ko_grammar.STATES or subject not in (self.me, self.last_subject) or self.noted)
        ):
            self.found.append((subject, "상태", predicate))


def _is_general(able: Verb) -> bool:
    """Whether it holds for anyone: 여기서 살 수 있다, 살 수 없습니다; but 살 수 없어 is about the speaker."""
    return able.shape != "p" and (able.nominal == "있음" or able.tail.endswith("다"))


@lru_cache(maxsize=16_384)
def _is_order(word: str) -> bool:
    ending = _ORDERS.get(word[-2:])
    return ending is not None and any(verb.tail == ending for verb in verb_of(word[:-2] + ending))


def _forbids(ahead: list[str]) -> int:
    """Returns how many words say that it must not be done: 공유하면 안 됨, 공유하면 안돼."""
    if ahead[0] == "안" and len(ahead) > 1 and (verb := _helper(ahead[1])) and verb.nominal == "됨":
        return 2
    return 1 if (verb := _helper(ahead[0])) and verb.nominal == "안됨" else 0


def _helper(word: str) -> Verb | None:
    """Returns the verb that may complete the one before it: 먹고 있음, 가 봄."""
    verbs = verb_of(word)
    return verbs[0] if verbs else noun_form(word, ambiguous=True)


@lru_cache(maxsize=16_384)
def _bare(word: str) -> str:
    return word.strip(_EDGES)
