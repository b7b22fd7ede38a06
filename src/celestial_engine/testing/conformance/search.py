"""Conformance tests for search: by relations, neighbours, words and vectors."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from celestial_engine.core.record.coordinate import Links, Resolution, TimeCoordinate, Validity
from celestial_engine.core.record.forgetting import Departure, DepartureReason, State
from celestial_engine.core.record.item import Category, CelestialItem
from celestial_engine.core.record.labels import Address, Attribute, Lifetime, Subject
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.retrieval.graph import HUB, Relation
from celestial_engine.core.retrieval.text_traits import ASKS, TELLS_AMOUNT, TELLS_TIME
from celestial_engine.core.sameness.statement_keys import statement_keys_of
from celestial_engine.ports import ItemStore
from celestial_engine.testing.conformance.base import NOON, SOMEBODY, SOMEBODY_ELSE, StorePromises, a_course, an_item


def telling(item_id: str, *triples: tuple[str, str, str], owner: Owner = SOMEBODY) -> CelestialItem:
    return replace(an_item(item_id, owner=owner), resolution=Resolution(triples=triples))


def add(store: ItemStore, *items: CelestialItem) -> None:
    with store.write(items[0].owner) as session:
        for item in items:
            session.items.add(item, a_course())


def hops_by_id(store: ItemStore, *names: str, hops: int = 0, owner: Owner = SOMEBODY) -> dict[str, int]:
    """The ids of memories that mention these entities, with the number of hops."""
    with store.read() as session:
        return {match.item_id: match.hops for match in session.search.by_graph(owner, names, hops, 50)}


class SearchPromises(StorePromises):
    def test_memories_are_found_by_what_they_tell_of(self) -> None:
        """An entity finds its memories from either end of a relation, with any Korean particle."""
        with self.opened() as store:
            add(
                store,
                telling("m1", ("민수", "좋아함", "파이썬을")),
                telling("m2", ("Python", "related to", "FastAPI")),
                telling("m3", ("민수", "싫어함", "고양이")),
            )
            assert hops_by_id(store, "파이썬") == {"m1": 0}
            assert hops_by_id(store, "민수") == {"m1": 0, "m3": 0}
            assert hops_by_id(store, "fastapi") == {"m2": 0}
            assert hops_by_id(store, "nobody") == {}
            assert hops_by_id(store) == {}

    def test_hops(self) -> None:
        """Each hop follows one more relation, up to `hops`."""
        with self.opened() as store:
            chain = ["a", "b", "c", "d", "e"]
            add(store, *(telling(f"{x}{y}", (x, "knows", y)) for x, y in pairwise(chain)))
            assert hops_by_id(store, "a", hops=0) == {"ab": 0}
            assert hops_by_id(store, "a", hops=1) == {"ab": 0, "bc": 1}
            assert hops_by_id(store, "a", hops=3) == {"ab": 0, "bc": 1, "cd": 2, "de": 3}
            assert hops_by_id(store, "e", hops=1) == {"de": 0, "cd": 1}

    def test_circles_end(self) -> None:
        """A graph may have cycles."""
        with self.opened() as store:
            add(store, telling("m1", ("a", "is", "a")), telling("m2", ("a", "has", "b"), ("b", "has", "a")))
            assert hops_by_id(store, "a", hops=3) == {"m1": 0, "m2": 0}

    def test_what_is_rare_tells_more(self) -> None:
        """Of two entities the rarer one scores higher, and both together highest."""
        with self.opened() as store:
            add(store, *(telling(f"often{n}", ("민수", "먹음", f"밥{n}")) for n in range(8)))
            add(store, telling("rare", ("지영", "키움", "도마뱀")), telling("both", ("민수", "좋아함", "도마뱀")))
            with store.read() as session:
                matches = session.search.by_graph(SOMEBODY, ["민수", "도마뱀"], 0, 50)
            ranked = [match.item_id for match in matches]
            assert ranked[:2] == ["both", "rare"]
            assert all(0.0 < match.score <= 1.0 for match in matches)

    def test_a_hub_leads_nowhere(self) -> None:
        """Hubs are not followed, unless only a hub is queried."""
        with self.opened() as store:
            add(store, *(telling(f"m{n}", ("user", "likes", f"thing {n}")) for n in range(HUB + 1)))
            assert hops_by_id(store, "thing 3", hops=3) == {"m3": 0}
            assert hops_by_id(store, "thing 3", "user") == {"m3": 0}
            assert len(hops_by_id(store, "user")) == 50

    def test_negation_is_kept(self) -> None:
        """A negated relation is found and marked as negative."""
        with self.opened() as store:
            add(store, telling("m1", ("사용자", "싫어함", "고양이")), telling("m2", ("사용자", "키움", "고양이")))
            with store.read() as session:
                negative_by_id = {
                    match.item_id: match.negative for match in session.search.by_graph(SOMEBODY, ["고양이"], 0, 9)
                }
                assert negative_by_id == {"m1": True, "m2": False}
                assert session.search.relations(SOMEBODY, "m1") == [Relation("user", "싫어함", "고양이", True)]

    def test_the_graph_keeps_step(self) -> None:
        """The graph follows updates, forgetting, restoring and purging; nothing of a purged memory stays."""
        with self.opened() as store:
            item = telling("m1", ("민수", "좋아함", "녹차"))
            add(store, item, telling("m2", ("민수", "좋아함", "산책")))
            with store.write(SOMEBODY) as session:
                session.items.rewrite(
                    replace(item, resolution=Resolution(triples=(("민수", "좋아함", "홍차"),))), a_course()
                )
            assert hops_by_id(store, "녹차") == {}
            assert hops_by_id(store, "홍차", hops=1) == {"m1": 0, "m2": 1}
            gone = replace(item, state=State.CLIFF, departure=Departure(DepartureReason.MANUAL, NOON, NOON + 9))
            with store.write(SOMEBODY) as session:
                session.items.rewrite(gone, a_course())
                assert session.search.relations(SOMEBODY, "m1") == []
            assert hops_by_id(store, "녹차") == {}
            with store.write(SOMEBODY) as session:
                session.items.rewrite(item, a_course())
            assert hops_by_id(store, "녹차") == {"m1": 0}
            with store.write(SOMEBODY) as session:
                session.items.purge(SOMEBODY, "m1")
            assert hops_by_id(store, "녹차") == {}
            assert hops_by_id(store, "민수") == {"m2": 0}

    def test_graphs_of_owners_are_apart(self) -> None:
        """Two owners may use the same entity name; no path leads from one to the other."""
        with self.opened() as store:
            add(store, telling("mine", ("민수", "좋아함", "녹차")))
            add(store, telling("theirs", ("민수", "좋아함", "홍차"), owner=SOMEBODY_ELSE))
            assert hops_by_id(store, "민수", hops=3) == {"mine": 0}
            assert hops_by_id(store, "민수", hops=3, owner=SOMEBODY_ELSE) == {"theirs": 0}
            assert hops_by_id(store, "홍차", hops=3) == {}

    def test_those_beside(self) -> None:
        """Candidates include those stored just before and after, of the same owner and in orbit."""
        with self.opened() as store:
            add(store, an_item("other", owner=SOMEBODY_ELSE))
            add(store, *(an_item(f"m{n}") for n in range(6)))
            gone = replace(
                an_item("m3"), state=State.CLIFF, departure=Departure(DepartureReason.MANUAL, NOON, NOON + 9)
            )
            with store.write(SOMEBODY) as session:
                session.items.rewrite(gone, a_course())
            with store.read() as session:
                assert {candidate.item_id for candidate in session.search.candidates(SOMEBODY, ["m2"], 2)} == {
                    "m0",
                    "m1",
                    "m2",
                    "m4",
                }
                assert {candidate.item_id for candidate in session.search.candidates(SOMEBODY, ["m0"], 1)} == {
                    "m0",
                    "m1",
                }
                assert session.search.candidates(SOMEBODY, ["other", "m3"]) == []
                ordered = sorted(
                    session.search.candidates(SOMEBODY, ["m1"], 1), key=lambda candidate: candidate.position
                )
                assert [candidate.item_id for candidate in ordered] == ["m0", "m1", "m2"]
                assert ordered[2].position - ordered[0].position == 2

    def test_a_standing_tells_what_ranking_asks(self) -> None:
        """A candidate has its text, session, category and link count without reading the whole record."""
        item = replace(telling("m1", ("a", "b", "c")), time=TimeCoordinate(session_id="s1"), recall_count=3)
        with self.opened() as store:
            add(store, item)
            with store.read() as session:
                (candidate,) = session.search.candidates(SOMEBODY, ["m1"])
                assert (candidate.content, candidate.session_id, candidate.recall_count) == (item.content, "s1", 3)
                assert (candidate.resolutions, candidate.links, candidate.category) == (2, 0, None)

    def test_a_candidate_has_what_was_read_in_its_text(self) -> None:
        """Speaker, time and kinds of a text are those of its current text; links are those that are left."""
        asking = replace(an_item("m1", "[2023-05-08] Mel: When did you adopt her?"), links=Links(related=("m2",)))
        with self.opened() as store:
            add(store, asking, replace(an_item("m2", "on Monday"), links=Links(related=("m1",))))
            with store.read() as session:
                first, second = session.search.candidates(SOMEBODY, ["m1", "m2"])
            assert (first.speaker, first.content[first.begins :]) == ("Mel", "When did you adopt her?")
            assert first.said_at == 1_683_504_000.0
            assert (first.kinds & ASKS, second.kinds & ASKS) == (ASKS, 0)
            assert (first.kinds & TELLS_TIME, second.kinds & TELLS_TIME) == (0, TELLS_TIME)
            assert (second.speaker, second.said_at, second.begins, second.links) == (None, None, 0, 1)
            with store.write(SOMEBODY) as session:
                changed = replace(
                    asking, content="Ann: I paid 20 dollars for it, I think", category=Category.FACT, links=Links()
                )
                session.items.rewrite(changed, a_course())
                (first,) = session.search.candidates(SOMEBODY, ["m1"])
                assert (first.speaker, first.category, first.links) == ("Ann", "fact", 0)
                assert first.kinds == TELLS_AMOUNT
                session.items.rewrite(asking, a_course())
                session.items.purge(SOMEBODY, "m1")
            with store.read() as session:
                (second,) = session.search.candidates(SOMEBODY, ["m2"])
                assert second.links == 0

    def test_strangers_are_spread_over_time(self) -> None:
        """The background sample has as many similarities as requested, spread from oldest to newest."""
        with self.opened() as store:
            with store.read() as session:
                assert session.search.background_sample(SOMEBODY, [1.0, 0.0], 4) == []
            add(store, *(replace(an_item(f"m{n}"), embedding=[1.0, n / 10]) for n in range(40)))
            with store.read() as session:
                cosines = session.search.background_sample(SOMEBODY, [1.0, 0.0], 4)
                assert len(cosines) == 4
                assert max(cosines) > 0.9
                assert min(cosines) < 0.4
                assert len(session.search.background_sample(SOMEBODY, [1.0, 0.0], 100)) == 40

    def test_sayings_are_told_in_the_order_of_storing(self) -> None:
        """Statement keys cover only memories in orbit, of the owner, with their current text."""
        with self.opened() as store:
            add(store, *(an_item(name, f"text of {name}") for name in ("m1", "m2", "m3")))
            add(store, an_item("x1", owner=SOMEBODY_ELSE))
            with store.write(SOMEBODY) as session:
                gone = replace(
                    an_item("m2"), state=State.CLIFF, departure=Departure.begin(DepartureReason.MANUAL, NOON)
                )
                session.items.rewrite(gone, a_course())
                session.items.rewrite(an_item("m3", "no, another text"), a_course())
            with store.read() as session:
                expected_keys = [
                    ("m1", statement_keys_of("text of m1")),
                    ("m3", statement_keys_of("no, another text")),
                ]
                assert list(session.search.statement_keys(SOMEBODY)) == expected_keys
                assert list(session.search.statement_keys(Owner("nobody", "at all"))) == []
            store.sweep()
            with store.read() as session:
                assert not session.search.statement_keys_outdated()
            assert store.check() == []

    def test_indexes_of_large_owners_change_no_answer_of_others(self) -> None:
        """Whatever indexes a store builds at night: an owner who is not large is searched exactly."""
        with self.opened() as store:
            for number in range(20):
                vector = [float(number % 5), 1.0, float(number)]
                add(store, replace(an_item(f"m{number}"), embedding=vector))
            with store.read() as session:
                before = session.search.by_vector(SOMEBODY, [1.0, 1.0, 7.0], 5)
            store.index_large_owners()
            with store.read() as session:
                assert session.search.by_vector(SOMEBODY, [1.0, 1.0, 7.0], 5) == before
            assert len(before) == 5

    def test_statements_are_found_by_their_address(self) -> None:
        """The newest first, with the labels that were read; only of memories in orbit, and only of this owner."""

        def stating(item_id: str, attribute: Attribute, owner: Owner = SOMEBODY) -> CelestialItem:
            address = Address(Subject.USER, attribute)
            return replace(an_item(item_id, owner=owner), lifetime=Lifetime.LASTING, address=address)

        with self.opened() as store:
            resting = replace(stating("gone", Attribute.HOME), state=State.INACTIVE)
            homes = [stating(name, Attribute.HOME) for name in ("m1", "m2", "m3")]
            add(store, *homes, stating("pet", Attribute.PET), an_item("unread"), resting)
            add(store, stating("theirs", Attribute.HOME, SOMEBODY_ELSE))
            with store.read() as session:
                homes_of = [(Subject.USER, Attribute.HOME)]
                at_home = session.search.at_addresses(SOMEBODY, homes_of, 2)
                pets_first = [(Subject.USER, Attribute.PET), (Subject.PERSON, Attribute.HOME), *homes_of]
                at_several = session.search.at_addresses(SOMEBODY, pets_first, 1)
                read = session.search.statements(SOMEBODY, ["m1", "pet", "unread", "gone", "theirs"])
                nobody = session.search.at_addresses(SOMEBODY, [(Subject.PERSON, Attribute.HOME)], 2)
                nowhere = session.search.at_addresses(SOMEBODY, [], 2)
        assert at_home == ["m3", "m2"]
        assert at_several == ["pet", "m3"]
        assert nowhere == []
        assert nobody == []
        assert [(each.item_id, each.attribute, each.lifetime) for each in read] == [
            ("pet", Attribute.PET, Lifetime.LASTING),
            ("m1", Attribute.HOME, Lifetime.LASTING),
        ]

    def test_standings_tell_by_whom_they_were_superseded(self) -> None:
        """Candidates name their successor, so that ranking can prefer the current statement."""
        with self.opened() as store:
            add(store, replace(an_item("m1"), validity=Validity(until=NOON, superseded_by="m2")), an_item("m2"))
            with store.read() as session:
                successors = {
                    each.item_id: each.superseded_by for each in session.search.candidates(SOMEBODY, ["m1", "m2"])
                }
            assert successors == {"m1": "m2", "m2": None}

    def test_words_in_both_languages(self) -> None:
        """Any word matches; Korean particles do not hide nouns; case and width are ignored."""
        texts = {
            "ko": "민수는 서울에서 커피를 마신다",
            "en": "Python was released in 1991",
            "mix": "FastAPI로 서버를 만든다",
        }
        with self.opened() as store:
            with store.write(SOMEBODY) as session:
                for item_id, text in texts.items():
                    session.items.add(an_item(item_id, text), a_course())
            with store.read() as session:
                expectations = {
                    "커피": "ko",
                    "서울 날씨": "ko",
                    "PYTHON history": "en",
                    "ｐｙｔｈｏｎ": "en",
                    "fastapi": "mix",
                    "서버": "mix",
                }
                for question, expected in expectations.items():
                    assert [m.item_id for m in session.search.by_words(SOMEBODY, question, 5).matches] == [
                        expected
                    ], question

    def test_the_word_index_has_a_name(self) -> None:
        """The word analyser is named, or None without an index; reindexing keeps it."""
        with self.opened() as store:
            add(store, an_item("m1"))
            with store.read() as session:
                before = session.search.word_analyser()
                assert before is None or before
            assert store.reindex_words() == 1
            with store.read() as session:
                assert (session.search.word_analyser() is None) == (before is None)

    def test_questions_are_text(self) -> None:
        """No query is a syntax error, and operators and wildcards in it have no meaning."""
        with self.opened() as store:
            with store.write(SOMEBODY) as session:
                session.items.add(an_item("m1", "alpha beta"), a_course())
            with store.read() as session:
                for question in (
                    '"',
                    "alpha AND",
                    "NOT alpha",
                    "alpha*",
                    "(alpha",
                    "a:b NEAR(",
                    "%",
                    "",
                    "^alpha",
                    "'",
                ):
                    session.search.by_words(SOMEBODY, question, 5)
                assert session.search.by_words(SOMEBODY, "alp*", 5).matches == []
                assert len(session.search.by_words(SOMEBODY, "beta NOT alpha", 5).matches) == 1

    def test_vectors(self) -> None:
        """The nearest comes first; vectors of another length are ignored."""
        with self.opened() as store:
            with store.write(SOMEBODY) as session:
                session.items.add(replace(an_item("east"), embedding=[1.0, 0.1]), a_course())
                session.items.add(replace(an_item("north"), embedding=[0.1, 1.0]), a_course())
                session.items.add(replace(an_item("other"), embedding=[1.0, 0.0, 0.0]), a_course())
                session.items.add(an_item("none"), a_course())
            with store.read() as session:
                matches = session.search.by_vector(SOMEBODY, [1.0, 0.0], 5)
                assert [match.item_id for match in matches] == ["east", "north"]
                assert matches[0].score > 0.99 > matches[1].score
                compared = session.search.cosines(SOMEBODY, ["north", "none", "other", "nobody"], [1.0, 0.0])
                assert [(match.item_id, match.score < 0.2) for match in compared] == [("north", True)]
                read = session.search.vectors(SOMEBODY, ["north", "none", "other", "nobody"])
                assert {item_id: len(vector) for item_id, vector in read.items()} == {"north": 2, "other": 3}
                assert [round(value, 6) for value in read["north"]] == [0.1, 1.0]
                assert session.search.vectors(SOMEBODY, []) == {}
                assert session.search.by_vector(SOMEBODY, [-1.0, -1.0], 5) == [], (
                    "vectors pointing away are not matches"
                )

    def test_the_cliff_is_not_searched(self) -> None:
        """A memory out of orbit is read by id but not found by search until it is back."""
        with self.opened() as store:
            item = replace(an_item("m1"), embedding=[1.0, 0.0])
            gone = replace(item, state=State.CLIFF, departure=Departure(DepartureReason.MANUAL, NOON, NOON + 7))
            with store.write(SOMEBODY) as session:
                session.items.add(item, a_course())
                session.items.rewrite(gone, a_course(moment=NOON + 7))
            with store.read() as session:
                assert session.items.get(SOMEBODY, "m1") == gone
                assert session.search.by_words(SOMEBODY, "커피", 5).matches == []
                assert session.search.by_vector(SOMEBODY, [1.0, 0.0], 5) == []
                assert session.orbits.zone_counts(SOMEBODY, [2]) == {2: 0}
                assert session.orbits.count() == 0
            with store.write(SOMEBODY) as session:
                session.items.rewrite(item, a_course())
            with store.read() as session:
                assert len(session.search.by_words(SOMEBODY, "커피", 5).matches) == 1
                assert len(session.search.by_vector(SOMEBODY, [1.0, 0.0], 5)) == 1
            assert store.check() == []
