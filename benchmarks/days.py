"""A user's days, simulated: statements, questions, repetitions, contradictions and neglect, in Korean and English."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from celestial_engine import CelestialMemory
from celestial_engine.core.night.sleep import SleepReport
from celestial_engine.core.record.lifetimes import Source

DAY = 86_400.0
_AWAY = range(180, 201)  # three weeks with the machine off: no turns and no sleep

_PEOPLE = (("Mina", "민아"), ("Jun", "준호"), ("Sora", "소라"), ("my brother", "동생"), ("the team", "팀"))
_THINGS = (
    ("the budget", "예산"), ("the garden", "정원"), ("the guitar", "기타"), ("the release", "출시"),
    ("the marathon", "마라톤"), ("the kitchen", "부엌"), ("the contract", "계약"), ("the museum", "박물관"),
)  # fmt: skip
_SEEN = (
    ("{who} worked on {what} for {n} hours", "{who}: {what} 일을 {n}시간 했다"),
    ("{who} called about {what} at {n}pm", "{who}에게서 {what} 이야기로 {n}시에 전화가 왔다"),
    ("we talked about {what} with {who}", "{who}와 {what} 이야기를 했다"),
    ("{who} went to the cafe on day {n}", "{who}는 {n}일에 카페에서 커피를 마셨다"),
)
_KEPT = (
    ("{who} prefers {what} in the morning", "{who}는 아침에 {what}을(를) 더 좋아한다"),
    ("the code of {what} is {n}", "{what} 번호는 {n}번이다"),
    ("please remember: {who} must hear about {what}", "기억해: {who}에게 {what} 이야기를 꼭 해야 한다"),
)
_FELT = (
    (
        "I was overjoyed and deeply moved when {who} finished {what}!!!",
        "{who}가 {what}을(를) 끝내서 정말 너무 행복했다!!!",
    ),
    ("I am terribly sad and afraid of losing {who}", "{who}를 잃을까 봐 너무 슬프고 무섭다"),
)
_CITIES = (("Seoul", "서울"), ("Busan", "부산"), ("Daegu", "대구"), ("Jeju", "제주"))
_CORE = (
    ("Mina is allergic to peanuts", "민아는 땅콩 알레르기가 있다"),
    ("never delete the production database", "운영 데이터베이스는 절대 지우지 않는다"),
)


@dataclass
class User:
    """What a user does in a day; reproducible by seed."""

    memory: CelestialMemory
    seed: int = 0
    a_day: int = 3  # memories per day
    pinned: set[str] = field(default_factory=set)
    approved: set[str] = field(default_factory=set)
    stored: int = 0

    def __post_init__(self) -> None:
        self._dice = random.Random(f"days {self.seed}")
        self._said: list[str] = []

    def move_in(self) -> None:
        """Fill the store: imported notes, and a few memories that must never be lost."""
        for pair in _CORE:
            for place, text in enumerate(pair):
                self._keep(text, pinned=place == 0, immutable=place == 1)
        notes = [self._text(_KEPT) for _ in range(5 * self.a_day)]
        self.stored += len(self.memory.store_many(notes))

    def day(self, number: int) -> None:
        dice = self._dice
        for _ in range(dice.randint(self.a_day - 1, self.a_day + 1)):
            again = self._said and dice.random() < 0.1
            self._store(dice.choice(self._said[-50:]) if again else self._text(_SEEN), Source.CONVERSATION)
        if number % 3 == 0:
            self._store(self._text(_KEPT), Source.USER)
        if number % 11 == 0:
            self._store(self._text(_FELT), Source.OBSERVATION)
        if number % 60 == 7:
            city = _CITIES[number // 60 % len(_CITIES)]
            self._store(dice.choice((f"I live in {city[0]} now", f"나는 지금 {city[1]}에 산다")), Source.USER)
        for _ in range(dice.randint(1, 3)):
            items = self.memory.recall(self._question(), limit=3)
            if items and dice.random() < 0.2:
                self.memory.policy.influenced(items[0].id)
        if number % 30 == 29:
            for item in self.memory.self.nominations():
                self.memory.self.approve_core(item.id, by="the user")
                self.approved.add(item.id)

    def _question(self) -> str:
        language = self._dice.randrange(2)
        person, thing = self._dice.choice(_PEOPLE[:2]), self._dice.choice(_THINGS[:3])  # some are queried often
        return (f"what about {person[0]} and {thing[0]}?", f"{person[1]} {thing[1]} 어떻게 됐지?")[language]

    def _text(self, patterns: tuple[tuple[str, str], ...]) -> str:
        language, dice = self._dice.randrange(2), self._dice
        who, what = dice.choice(_PEOPLE)[language], dice.choice(_THINGS)[language]
        return dice.choice(patterns)[language].format(who=who, what=what, n=dice.randint(1, 28))

    def _store(self, text: str, source: Source) -> None:
        self._said.append(text)
        self.memory.store(text, source=source)
        self.stored += 1

    def _keep(self, text: str, *, pinned: bool, immutable: bool) -> None:
        item = self.memory.store(text, 0.9, pinned=pinned, immutable=immutable)
        self.pinned.add(item.id)
        self.stored += 1


@dataclass(frozen=True)
class Night:
    """A finished day; `report` is None while the machine was off."""

    day: int
    report: SleepReport | None


def live(user: User, advance: object, days: int) -> Iterator[Night]:
    """Simulate the days, each with its night. `advance` moves the clock by `days=`."""
    user.move_in()
    for number in range(days):
        if number in _AWAY:
            advance(days=1)  # type: ignore[operator]
            yield Night(number, None)
            continue
        user.day(number)
        advance(days=1)  # type: ignore[operator]
        yield Night(number, user.memory.sleep())
