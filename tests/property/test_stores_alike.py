"""A hypothesis machine that does the same on SQLite and on PostgreSQL: both must give the same answers."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from celestial_engine.core.orbit.memory_function import Course
from celestial_engine.core.orbit.zones import Move
from celestial_engine.core.record.coordinate import AgentCoordinate, Resolution, TimeCoordinate
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.forgetting import Departure, DepartureReason, State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.item_filter import ItemFilter
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.core.record.owner import Owner
from celestial_engine.ports import Recalled
from celestial_engine.storage.sqlite import SqliteStore

OWNERS = (Owner("mina", "a"), Owner("jun", "b\0"))
NOON = 1_750_000_000.0
WORDS = ("커피", "coffee", "서울에서", "cat", "😀", "e\u0301", "nul\0", "고양이를")
owners = st.sampled_from(OWNERS)
contents = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
tags = st.lists(st.sampled_from(("x", "Y", "태그", "\0")), max_size=2, unique=True).map(tuple)
courses = st.builds(
    Course,
    st.sampled_from((0, 1, 2)),
    st.sampled_from((-1.0, 0.25, 0.5, 2.0)),
    st.sampled_from((None, NOON, NOON + 9)),
)
vectors = st.none() | st.lists(st.sampled_from((-1.0, 0.0, 0.5, 1.0)), min_size=3, max_size=3)
triples = st.lists(
    st.tuples(
        st.sampled_from(("mina", "jun", "cat")), st.sampled_from(("likes", "does not like")), st.just("coffee")
    ),
    max_size=2,
).map(tuple)
states = st.sampled_from((State.ACTIVE, State.FADED, State.INACTIVE, State.CLIFF))


class Alike(RuleBasedStateMachine):
    url = staticmethod(lambda: "")

    def __init__(self) -> None:
        super().__init__()
        from celestial_engine.storage.postgres import PostgresStore

        self.stores = (SqliteStore(), PostgresStore(type(self).url(), clock=lambda callers: callers))
        self.ids: dict[Owner, list[str]] = {owner: [] for owner in OWNERS}
        self.made = 0

    def teardown(self) -> None:
        for store in self.stores:
            assert store.check() == []
            store.close()

    def both(self, owner, write):
        for store in self.stores:
            with store.write(owner) as session:
                write(session)

    def a_key(self, session, owner, data):
        return session.items.key_of(owner, data)

    @rule(
        owner=owners,
        content=contents,
        tags=tags,
        course=courses,
        vector=vectors,
        triples=triples,
        zone=st.integers(0, 4),
    )
    def add(self, owner, content, tags, course, vector, triples, zone):
        self.made += 1
        name = f"m{self.made}"
        self.ids[owner].append(name)
        item = CelestialItem(
            name, content, NOON + self.made % 5, NOON, zone=zone, owner=owner, tags=tags, embedding=vector,
            metadata={"k\0": content}, resolution=Resolution(triples=triples), arbitrary_importance=self.made % 10 / 10,
            time=TimeCoordinate(session_id=f"s{self.made % 3}"), agent=AgentCoordinate(persona_id=f"p{self.made % 2}"),
        )  # fmt: skip

        def write(session):
            session.items.add(item, course)
            session.ledger.record(Event(EventType.STORED, owner, NOON, name, detail={"text": content}))

        self.both(owner, write)

    @precondition(lambda self: any(self.ids.values()))
    @rule(
        data=st.data(),
        content=contents,
        state=states,
        tags=tags,
        course=courses,
        vector=vectors,
        tier=st.sampled_from(Tier),
    )
    def rewrite(self, data, content, state, tags, course, vector, tier):
        owner, name = self.choose(data)
        departure = Departure(DepartureReason.MANUAL, NOON, NOON + 5) if state is State.CLIFF else None

        def write(session):
            item = session.items.get(owner, name)
            session.items.rewrite(
                replace(
                    item, content=content, state=state, tags=tags, embedding=vector, tier=tier, departure=departure
                ),
                course,
            )
            session.ledger.record(Event(EventType.UPDATED, owner, NOON + 1, name))

        self.both(owner, write)

    @precondition(lambda self: any(self.ids.values()))
    @rule(data=st.data(), zone=st.integers(0, 4), course=courses)
    def reinforce(self, data, zone, course):
        owner, name = self.choose(data)

        def write(session):
            session.items.reinforce(owner, NOON + 3, [Recalled(session.items.key_of(owner, name), 0.5, zone, course)])
            session.items.mention(owner, name)

        self.both(owner, write)

    @precondition(lambda self: any(self.ids.values()))
    @rule(data=st.data(), zone=st.integers(0, 4), course=courses)
    def move(self, data, zone, course):
        owner, name = self.choose(data)

        def write(session):
            key = session.items.key_of(owner, name)
            session.orbits.move(owner, [Move(key, 0, zone)])
            session.orbits.set_courses(owner, [(key, (zone + 1) % 5, course)])

        self.both(owner, write)

    @precondition(lambda self: any(self.ids.values()))
    @rule(data=st.data())
    def purge(self, data):
        owner, name = self.choose(data)
        self.ids[owner].remove(name)
        self.both(owner, lambda session: session.items.purge(owner, name))

    @rule(owner=owners, seconds=st.sampled_from((-100.0, 50.0, 0.0)), stale=st.sampled_from((None, 20.0)))
    def shift(self, owner, seconds, stale):
        self.both(owner, lambda session: session.presence.shift_clocks(owner, seconds, NOON + 4, stale))

    @rule()
    def anchor(self):
        for store in self.stores:
            with store.write_whole_store() as session:
                session.ledger.anchor(NOON)

    def choose(self, data):
        return data.draw(st.sampled_from([(owner, name) for owner, names in self.ids.items() for name in names]))

    @invariant()
    def same_answers(self):
        answers = []
        for store in self.stores:
            with store.read() as session:
                answers.append([self.answers(session, owner) for owner in OWNERS] + [everyones(session)])
        for expected, found in zip(*answers, strict=True):
            for name in expected:
                assert found[name] == expected[name], name

    def answers(self, session, owner):
        search, items, orbits = session.search, session.items, session.orbits
        filters = (
            ItemFilter(), ItemFilter(tags=("x",)), ItemFilter(states=tuple(State)), ItemFilter(min_importance=0.35),
            ItemFilter(session_id="s1"), ItemFilter(persona_id="p0", zone=2),
        )  # fmt: skip
        found = SimpleNamespace(
            items=[item for _, item in items.page(owner, -1, 99)],
            newest=[items.newest(owner, where, 4) for where in filters],
            starting=items.ids_starting(owner, "m1", 9),
            states=items.state_counts(owner),
            categories=items.category_counts(owner),
            sessions=items.session_ids(owner, ItemFilter()),
            span=items.session_span(owner, "s1"),
            words=[search.by_words(owner, "커피 coffee 서울 cat", 9, where).matches for where in (None, *filters)],
            vectors=[search.by_vector(owner, [1.0, 0.5, 0.0], 9, where) for where in (None, *filters)],
            graph=[search.by_graph(owner, ["mina", "cat"], hops, 9) for hops in (0, 1, 2)],
            cosines=sorted(search.cosines(owner, self.ids[owner], [1.0, 0.5, 0.0])),
            sample=search.background_sample(owner, [1.0, 0.5, 0.0], 3),
            keys=list(search.statement_keys(owner)),
            relations=[sorted(search.relations(owner, name)) for name in self.ids[owner]],
            zones=orbits.zone_counts(owner, range(5)),
            lowest=[sorted(body[1:] for body in orbits.lowest(owner, zone)) for zone in range(5)],
            overdue=[due.item_id for due in orbits.overdue(owner, NOON + 9, 3.0)],
            events=session.ledger.events(owner, None, 99),
            versions=sorted((number, memory.id, memory.content) for number, memory in session.ledger.versions_since(owner, 0)),
            census=session.night.census(owner),
            lifetimes=without_keys(session.night.lifetime_rows(owner)),
            # Sizes are not compared: PostgreSQL stores NUL in more bytes.
            retention=[(row[0], row[1:4], row[5:]) for row in session.archives.retention_rows(owner)],
        )  # fmt: skip
        return vars(found)


def without_keys(rows):
    return [row[1:] if isinstance(row, tuple) else replace(row, key=0) for row in rows]


def everyones(session):
    return {
        "count": session.orbits.count(),
        "due": sorted((due.owner, due.item_id, due.zone) for due in session.orbits.due(NOON + 9, 99)),
        "missing": [(one.key.owner, one.text) for one in session.vectors.missing(None, 99)],
        "population": session.night.population(),
        "owners": sorted(session.night.owners()),
        "total": session.ledger.total(),
        "damaged": session.ledger.damaged_versions(),
        "written": sorted(
            (one.entry.user_id, one.entry.number, one.entry.type) for one in session.ledger.written(0, 999)
        ),
    }


@pytest.mark.slow
def test_both_stores_answer_alike(postgres):
    machine = type("AlikeHere", (Alike,), {"url": staticmethod(postgres.url)})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=20,
            stateful_step_count=20,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            phases=(Phase.explicit, Phase.reuse, Phase.generate),  # shrinking would take many minutes
        ),
    )
