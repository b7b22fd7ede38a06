"""What the script says, done: turns observed, proposals approved, nights slept; each act tells what came of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone

from examples.story import phrases
from examples.story.script import Aside, Day, Deed, Spoken

from celestial_engine.core.record.lifetimes import Source
from celestial_engine.core.self.beliefs import Belief
from celestial_engine.core.self.islands import Island
from celestial_engine.core.self.proposals import Proposal, ProposalKind
from celestial_engine.core.turn.conversation import Utterance
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import TooMuchChangeError

USER, CHANNEL = "하윤", "cli"
SEOUL = timezone(timedelta(hours=9), "KST")  # no summer time: the same without a time zone database
BEGINS = datetime(2026, 2, 23, tzinfo=SEOUL)
_NIGHT = timedelta(hours=28)  # four in the morning after
_A_TURN = timedelta(seconds=90)
_HISTORY = 8
ASKED, THOUGHT = "?", "<"  # labels that name no new memory
_STRANGER = "사용자"  # what the engine calls whoever it knows no name of


class Clock:
    """Time that passes when the story says so."""

    def __init__(self) -> None:
        self.now = BEGINS

    def __call__(self) -> float:
        return self.now.timestamp()


@dataclass
class Life:
    """One memory through all days; `labels` are the ids of memories that the script speaks of later."""

    memory: CelestialMemory
    clock: Clock
    labels: dict[str, str] = field(default_factory=dict)
    turns: int = 0
    kept: int = 0
    imagined: int = 0
    faded: int = 0
    purged: int = 0
    souls: dict[int, str] = field(default_factory=dict)  # by day
    _day: int = 0
    _told: int = 0  # notices

    def live(self, day: Day) -> Iterator[str]:
        """The day and the night after it."""
        self._day = day.number
        self.clock.now = BEGINS + timedelta(days=day.number - 1, hours=day.at.hour, minutes=day.at.minute)
        past: list[Utterance] = []
        for act in day.acts:
            match act:
                case Aside(words):
                    yield f"*{words}*"
                case Spoken():
                    yield from self._say(act, past, day)
                case Deed():
                    yield from self._do(act)
            self.clock.now += _A_TURN
        yield from self._notices()
        self.clock.now = BEGINS + timedelta(days=day.number - 1) + _NIGHT
        yield from self._sleep()

    # -- turns ----------------------------------------------------------------------------------------

    def _say(self, spoken: Spoken, past: list[Utterance], day: Day) -> Iterator[str]:
        self.turns += 1
        yield f"**{spoken.who}** {spoken.words}"
        role = "user" if spoken.who == USER else "assistant"
        session = f"day-{day.number}"
        observed = self.memory.observe(
            {"role": role, "content": spoken.words}, past[-_HISTORY:], session_id=session, budget=256
        )
        if observed.turn is not None:
            past.append(observed.turn)
        saved = observed.item if observed.decision.duplicate_of is None else None
        if (spoken.label or ASKED)[0] not in ASKED + THOUGHT and saved is None:  # the user keeps it by hand
            saved = self.memory.store(spoken.words, source=Source.CONVERSATION, session_id=session)
        if saved is not None:
            self.kept += 1
            self.labels[spoken.label or ""] = saved.id
        if spoken.label is not None and spoken.label[0] == THOUGHT:
            self.memory.remind(self.labels[spoken.label[1:]])
        if spoken.label == ASKED and observed.hits:
            yield phrases.FETCHED.format(text=self.memory.get(observed.hits[0]).content)

    # -- deeds ----------------------------------------------------------------------------------------

    def _do(self, deed: Deed) -> Iterator[str]:
        given = deed.given
        match deed.name:
            case "코어":
                yield from self._make_core(self.labels[given[0]])
            case "섬 받기":
                yield from self._accept_island(*given)
            case "섬":
                yield from self._found(*given)
            case "믿음 받기":
                yield from self._accept_belief(*given)
            case "믿음 다시":
                yield from self._hold_up(*given)
            case "믿음":
                yield from self._believe(*given)
            case "고쳐 부르기":
                yield from self._call_by_name()
            case "나머지 거절":
                yield from self._turn_down()
            case "지우기":
                yield from self._let_go(self.labels[given[0]])
            case "상상":
                yield from self._imagine(*given)
            case "자아":
                yield from self._look_at_the_self()

    def _approve(self, proposal: Proposal) -> Proposal:
        token = self.memory.self.approval_token(proposal.id, channel=CHANNEL)
        return self.memory.self.approve(proposal.id, token, by=USER, channel=CHANNEL)

    def _make_core(self, item_id: str) -> Iterator[str]:
        self._approve(self.memory.self.propose.core(item_id, by=USER, channel=CHANNEL))
        text = self.memory.get(item_id).content
        joined = next((one for one in self.memory.self.islands() if item_id in one.founders), None)
        if joined is None:
            yield phrases.CORE.format(text=text)
        else:
            yield phrases.CORE_JOINED.format(text=text, island=joined.name)

    def _accept_island(self, wanted: str, title: str, labels: str, description: str) -> Iterator[str]:
        """What the night suggested, if it did; else the same by hand."""
        suggested = self._suggested(ProposalKind.ISLAND_FOUNDED, wanted, "name")
        if suggested is None:
            yield from self._found(title, labels, description)
            return
        self._approve(suggested)
        yield phrases.SUGGESTED
        yield from (_island_line(one) for one in self.memory.self.islands() if one.id == suggested.changes[0].id)

    def _found(self, title: str, labels: str, description: str) -> Iterator[str]:
        emoji, _, name = title.partition(" ")
        proposal = self.memory.self.propose.island(
            name, self._labelled(labels), emoji=emoji, description=description, by=USER, channel=CHANNEL
        )
        self._approve(proposal)
        yield from (_island_line(one) for one in self.memory.self.islands() if one.id == proposal.changes[0].id)

    def _accept_belief(self, wanted: str, statement: str, labels: str, island: str) -> Iterator[str]:
        suggested = self._suggested(ProposalKind.BELIEF_FORMED, wanted, "statement")
        if suggested is None:
            yield from self._believe(statement, labels, island)
            return
        self._approve(suggested)
        yield phrases.SUGGESTED
        yield from (_belief_line(one) for one in self.memory.self.beliefs() if one.id == suggested.changes[0].id)

    def _believe(self, statement: str, labels: str, island: str) -> Iterator[str]:
        home = next((one.id for one in self.memory.self.islands() if island in one.name), None)
        proposal = self.memory.self.propose.belief(
            statement, self._labelled(labels), island=home, by=USER, channel=CHANNEL
        )
        self._approve(proposal)
        yield from (_belief_line(one) for one in self.memory.self.beliefs() if one.id == proposal.changes[0].id)

    def _hold_up(self, wanted: str, labels: str) -> Iterator[str]:
        """New memories under a belief that had lost its own."""
        for belief in self.memory.self.beliefs():
            if wanted in belief.statement:
                supports = self._labelled(labels)
                self._approve(
                    self.memory.self.propose.belief_change(belief.id, supports=supports, by=USER, channel=CHANNEL)
                )
        for belief in self.memory.self.beliefs():
            if wanted in belief.statement:
                yield phrases.HELD_UP.format(statement=belief.statement, confidence=belief.confidence)

    def _suggested(self, kind: ProposalKind, wanted: str, field_name: str) -> Proposal | None:
        for proposal in self.memory.self.inbox():
            change = proposal.changes[0]
            if proposal.kind is kind and wanted in str((change.after or {}).get(field_name, "")):
                return proposal
        return None

    def _call_by_name(self) -> Iterator[str]:
        """One part of the self that calls her the user; more would be too much for a day."""
        try:
            for island in self.memory.self.islands():
                if _STRANGER in island.name + island.description:
                    name, told = (_by_name(text) for text in (island.name, island.description))
                    self._approve(
                        self.memory.self.propose.island_change(
                            island.id, name=name, description=told, by=USER, channel=CHANNEL
                        )
                    )
                    before, after = (island.description, told) if name == island.name else (island.name, name)
                    yield phrases.RENAMED.format(before=before, after=after)
                    return
            for belief in self.memory.self.beliefs():
                if _STRANGER in belief.statement:
                    said = _by_name(belief.statement)
                    self._approve(
                        self.memory.self.propose.belief_change(belief.id, statement=said, by=USER, channel=CHANNEL)
                    )
                    yield phrases.RENAMED.format(before=belief.statement, after=said)
                    return
        except TooMuchChangeError:
            yield phrases.ENOUGH_CHANGED

    def _turn_down(self) -> Iterator[str]:
        pending = self.memory.self.inbox()
        for proposal in pending:
            self.memory.self.reject(proposal.id, by=USER, channel=CHANNEL)
        if pending:
            yield phrases.REJECTED.format(count=len(pending))

    def _let_go(self, item_id: str) -> Iterator[str]:
        shaken = self.memory.self.shaken_by(item_id)
        told = [phrases.SHAKES_ISLAND.format(title=one.name) for one in shaken.islands]
        told += [phrases.SHAKES_BELIEF.format(statement=one.statement) for one in shaken.beliefs]
        yield phrases.WARNED.format(shaken=", ".join(told) or phrases.SHAKES_NOTHING)
        text = self.memory.get(item_id).content
        self._approve(self.memory.self.propose.core_deletion(item_id, by=USER, channel=CHANNEL))
        yield phrases.DELETED.format(text=text)

    def _imagine(self, context: str, answer: str) -> Iterator[str]:
        told = self.memory.imagination.imagine(context)
        if told.imagination is None:
            yield phrases.NOT_IMAGINED.format(
                why=phrases.WHY_NOT["off" if told.why_not is None else told.why_not.value]
            )
            return
        self.imagined += 1
        yield phrases.IMAGINED.format(scenario=told.imagination.scenario)
        yield phrases.IMAGINED_ACTION.format(
            action=told.imagination.action,
            emotion=phrases.MOODS.get(told.imagination.emotion, told.imagination.emotion),
        )
        liked = answer == "좋아"
        self.memory.imagination.feedback(told.imagination.id, liked)
        yield phrases.LIKED if liked else phrases.DISLIKED

    def _look_at_the_self(self) -> Iterator[str]:
        self.souls[self._day] = self.memory.self.soul()
        yield phrases.SOUL
        told = [
            phrases.SOUL_ISLAND.format(
                title=_title(one), status=phrases.STATUS[one.status.value], strength=one.strength
            )
            for one in self.memory.self.islands()
        ]
        told += [phrases.SOUL_BELIEF.format(statement=one.statement, confidence=one.confidence)
                 for one in self.memory.self.beliefs()]  # fmt: skip
        yield from (f"- {line}" for line in told or [phrases.NO_SELF])

    def _labelled(self, labels: str) -> list[str]:
        return [self.labels[label.strip()] for label in labels.split(",")]

    # -- nights ---------------------------------------------------------------------------------------

    def _sleep(self) -> Iterator[str]:
        report = self.memory.sleep()
        self.faded += report.count("faded")
        self.purged += report.count("purged")
        for item in self.memory.list(20):
            if item.source is Source.DISTILLATION and item.created_at == self.clock():
                yield phrases.PROMOTED.format(tier=item.tier.value, text=item.content)
        counts = [said.format(n=report.count(name)) for name, said in phrases.COUNTS.items() if report.count(name)]
        if counts:
            yield phrases.NIGHT.format(counts=", ".join(counts))
        yield from self._notices()

    def _notices(self) -> Iterator[str]:
        """What the user was told since the last time."""
        every = list(reversed(self.memory.ledger.notices(1_000)))
        names = {one.id: one.name for one in self.memory.self.islands()}
        beliefs = {one.id: one.statement for one in self.memory.self.beliefs()}
        for event in every[self._told :]:
            said = phrases.NOTICES.get(str(event.detail.get("notice")))
            if said is not None:
                island, belief = str(event.detail.get("island")), str(event.detail.get("belief"))
                yield said.format(island=names.get(island, island), belief=beliefs.get(belief, belief))
        self._told = len(every)


def _by_name(text: str) -> str:
    """사용자와의 유대 is 하윤과의 유대."""
    for stranger, known in (
        ("사용자와", "하윤과"),
        ("사용자가", "하윤이"),
        ("사용자를", "하윤을"),
        ("사용자는", "하윤은"),
    ):
        text = text.replace(stranger, known)
    return text.replace(_STRANGER, USER)


def _title(island: Island) -> str:
    return f"{island.emoji} {island.name}".strip()


def _island_line(island: Island) -> str:
    return phrases.ISLAND.format(title=_title(island), description=island.description)


def _belief_line(belief: Belief) -> str:
    return phrases.BELIEF.format(statement=belief.statement, confidence=belief.confidence)
