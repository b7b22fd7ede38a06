"""People and things: several names for one of them, histories, and who is tied to whom."""

from __future__ import annotations

from collections.abc import Sequence

from celestial_engine.core.browse.directory import ALIVE, RelationColumns, SubjectDirectory, SubjectKind
from celestial_engine.core.browse.subjects import (
    MOST_STATEMENTS,
    SubjectPage,
    known_subjects,
    people_groups,
    project_groups,
    subject_graph,
    subject_page,
)
from celestial_engine.core.browse.table import MemoryRow, TableFilter, TableSort, table_page

ALL = TableFilter()
Triples = tuple[tuple[str, str, str], ...]


def a_row(item_id: str, content: str = "", triples: Triples = (), at: float = 0.0, **fields) -> MemoryRow:
    plain = MemoryRow(
        item_id, content, 2, "active", "M90", "none", 0, at, 0.5, 0.0, at, None, None, None, None, None, "conversation",
        None, None, (), (), triples, None,
    )  # fmt: skip
    return plain._replace(**fields)


def directory_of(rows: Sequence[MemoryRow]) -> SubjectDirectory:
    columns = RelationColumns()
    for row in sorted(rows, key=lambda row: row.created_at):
        if row.state in ALIVE:
            columns.add(row.id, row.created_at, row.subject, row.attribute, row.triples)
    return SubjectDirectory(columns)


def page_of(rows: Sequence[MemoryRow], name: str) -> SubjectPage | None:
    return subject_page(directory_of(rows), name, lambda ids: [row for row in rows if row.id in ids])


SISTER = [
    a_row("a", "My sister Sora lives in Lisbon.", (("user", "sister", "Sora"), ("Sora", "live in", "Lisbon")), 1.0,
          subject="person", attribute="home", valid_until=5.0),
    a_row("b", "My sister moved to Porto.", (("user", "has", "sister"), ("sister", "move to", "Porto")), 5.0,
          subject="person", attribute="home"),
    a_row("c", "I live in Busan.", (("user", "live in", "Busan"),), 7.0, subject="user", attribute="home"),
]  # fmt: skip


def test_a_sister_and_her_name_are_one_person():
    found = {subject.key: subject for subject in known_subjects(directory_of(SISTER))}
    assert found["sora"].aliases == ("sister",)
    assert (found["sora"].kind, found["sora"].memories) == (SubjectKind.PERSON, 2)
    assert found["porto"].kind is SubjectKind.THING
    assert next(iter(found)) == "user"


def test_one_sentence_is_enough_to_find_her_as_sister():
    (sora,) = [one for one in known_subjects(directory_of(SISTER[:1])) if one.key == "sora"]
    assert (sora.aliases, sora.kind) == (("sister",), SubjectKind.PERSON)


def test_a_relative_with_the_name_behind_is_that_person():
    rows = [
        a_row("a", "내 여동생 소라는 리스본에 살아.", (("여동생 소라", "삶", "리스본"),), subject="person"),
        a_row("b", "소라는 간호사로 일해.", (("소라", "일함", "간호사"),), subject="person"),
        a_row("c", "여동생은 호두를 못 먹어.", (("여동생", "못 먹음", "호두"),), subject="person"),
        a_row("d", "방값 45만원 보냈어.", (("나", "보냄", "방값 45만원"), ("보냄", "관련", "방값")), subject="user"),
    ]
    found = {subject.key: subject for subject in known_subjects(directory_of(rows))}
    assert (found["소라"].memories, found["소라"].aliases) == (3, ("여동생", "여동생 소라"))
    assert found["소라"].kind is SubjectKind.PERSON
    assert (found["방값 45만원"].kind, found["방값 45만원"].aliases) == (SubjectKind.THING, ())


def test_two_sisters_stay_two_people():
    rows = [*SISTER, a_row("d", "My sister Mina sings.", (("user", "sister", "Mina"), ("Mina", "sing", "songs")))]
    assert {"sister", "sora", "mina"} <= {subject.key for subject in known_subjects(directory_of(rows))}


def test_the_page_of_a_person_tells_what_was_and_what_is():
    page = page_of(SISTER, "sister")
    assert page is not None
    assert page.subject.name == "Sora"
    assert page.item_ids == ("b", "a")
    (home,) = page.attributes
    assert [(said.value, said.until) for said in home.statements] == [("Porto", None), ("Lisbon", 5.0)]
    assert {link.target for link in page.links} | {link.source for link in page.links} >= {"user", "lisbon", "porto"}


def test_the_page_of_the_user_leaves_out_what_is_about_others():
    page = page_of(SISTER, "user")
    assert page is not None
    assert [(each.attribute, each.statements[0].value) for each in page.attributes] == [("home", "Busan")]


def test_the_page_of_a_relative_says_what_it_tells_of_her():
    """To the user she is family; on her own page there is where she lives, and what no verb names is something else."""
    rows = [
        a_row("a", "내 여동생 소라는 리스본에 살아.", (("여동생 소라", "삶", "리스본"),), 1.0,
              subject="person", attribute="home", valid_until=5.0),
        a_row("b", "소라는 포르투로 이사했어.", (("소라", "이사함", "포르투"),), 5.0, subject="person", attribute="family"),
        a_row("c", "My sister has an iPhone.", (("user", "has", "소라"), ("소라", "has", "iPhone")), 6.0,
              subject="person", attribute="family"),
    ]  # fmt: skip
    page = page_of(rows, "소라")
    assert page is not None
    found = {each.attribute: [(said.value, said.until) for said in each.statements] for each in page.attributes}
    assert found == {"home": [("포르투", None), ("리스본", 5.0)], "other": [(None, None)]}


def test_an_object_is_a_value_only_where_its_verb_tells_of_the_attribute():
    """Whoever does not own a phone has no phone; the sentence says what is meant. What is something else comes last."""
    rows = [
        a_row("a", "I live in Busan.", (("user", "live in", "Busan"),), 1.0, subject="user", attribute="home"),
        a_row("b", "I joined Siemens.", (("user", "join", "Siemens"),), 2.0, subject="user", attribute="employer"),
        a_row("c", "I do not own a phone.", (("user", "not own", "phone"),), 3.0, subject="user", attribute="possession"),
        a_row("d", "I got through the gate.", (("user", "get through", "gate"),), 4.0, subject="user", attribute="other"),
        a_row("e", "I moved to a flat.", (("user", "move to", "flat"),), 5.0, subject="user", attribute="likes"),
    ]  # fmt: skip
    page = page_of(rows, "user")
    assert page is not None
    assert [(each.attribute, each.statements[0].value) for each in page.attributes] == [
        ("likes", None), ("possession", None), ("employer", "Siemens"), ("home", "Busan"), ("other", None),
    ]  # fmt: skip


def test_an_allergy_of_hers_is_none_of_the_users():
    """Where the sentence was taken for one about the user, whom it names decides."""
    rows = [*SISTER, a_row("d", "소라는 호두 알레르기가 있어.", (("소라", "있음", "호두 알레르기"),), subject="user", attribute="allergy"),
            a_row("e", "소라는 간호사야.", (("소라", "is", "간호사"),), subject="person", attribute="work")]  # fmt: skip
    mine, hers = page_of(rows, "user"), page_of(rows, "소라")
    assert mine is not None
    assert hers is not None
    assert "allergy" not in {each.attribute for each in mine.attributes}
    assert {each.attribute for each in hers.attributes} == {"allergy", "work"}


def test_nobody_knows_a_stranger():
    assert page_of(SISTER, "Daniel") is None


def test_hops_do_not_go_on_through_the_user():
    """Nearly everything is tied to the user."""
    around = subject_graph(directory_of(SISTER), "Sora", 3, 100)
    assert "busan" not in {subject.key for subject in around.subjects}
    assert {"sora", "user", "lisbon", "porto"} <= {subject.key for subject in around.subjects}
    assert subject_graph(directory_of(SISTER), None, 1, 2).total == 5


def test_a_table_is_filtered_sorted_and_counted():
    rows = [
        a_row("a", "Tea", at=1.0, tags=("Food",), expires_at=9.0, recall_count=3),
        a_row("b", "Coffee", at=2.0, tier="M30", expires_at=3.0),
        a_row("c", "Water", at=3.0, expires_at=1.0, protection="pinned"),
        a_row("d", "Milk", at=4.0, state="cliff", purge_at=2.0),
    ]

    def ids(sort: TableSort, chosen: TableFilter = ALL, descending: bool = True) -> list[str]:
        return list(table_page(rows, chosen, sort, descending, lambda row: row.created_at, 0, 10).ids)

    assert ids(TableSort.CREATED) == ["c", "b", "a"]
    assert ids(TableSort.LEAVING, descending=False) == ["b", "a", "c"]
    rows[1] = rows[1]._replace(
        lasting=True, lifetime="lasting"
    )  # what time alone does not end comes last, whatever its lifetime says
    assert ids(TableSort.LEAVING, descending=False) == ["a", "b", "c"]
    assert ids(TableSort.RECALLS)[0] == "a"
    assert ids(TableSort.CREATED, TableFilter(tag="food")) == ["a"]
    assert ids(TableSort.CREATED, TableFilter(text="cof")) == ["b"]
    assert ids(TableSort.CREATED, TableFilter(lifetime="lasting")) == ["b"]
    assert ids(TableSort.CREATED, TableFilter(lifetime="passing")) == []
    assert ids(TableSort.CREATED, TableFilter(states=("cliff",))) == ["d"]
    page = table_page(rows, TableFilter(), TableSort.CREATED, True, lambda row: 0.0, 1, 1)
    assert (list(page.ids), page.total, page.counts["tier"]) == (["b"], 3, {"M90": 2, "M30": 1})
    assert page.counts["lifetime"] == {"lasting": 1}
    assert table_page(rows, ALL, TableSort.CREATED, True, lambda row: 0.0, 0, 1, counts=False).counts == {}


def test_memories_stand_side_by_side_by_person_or_project():
    """Each in one group; those of nobody, and what is gone, in none."""
    rows = [
        *SISTER,
        a_row(
            "d",
            "My boss Daniel met Sora.",
            (("user", "boss", "Daniel"), ("Daniel", "meet", "Sora")),
            subject="person",
        ),
        a_row("e", "The build is green.", project="engine"),
        a_row("f", "Ship on Friday.", project="engine"),
        a_row("g", "Paint the wall.", project="home"),
        a_row("h", "Long gone.", project="home", state="purged"),
    ]
    people = people_groups(directory_of(rows), 8)
    assert (people[0].name, set(people[0].item_ids)) == ("Sora", {"a", "b", "d"})
    ids = [item_id for group in people for item_id in group.item_ids]
    assert len(ids) == len(set(ids))
    assert len(people_groups(directory_of(rows), 1)) == 1
    projects = project_groups(rows, 8)
    assert [(group.name, group.item_ids) for group in projects] == [("engine", ("e", "f")), ("home", ("g",))]


def test_a_page_lists_the_most_frequent_ties_of_somebody_tied_to_everything():
    rows = [a_row(str(at), triples=(("user", "own", f"thing {at}"),)) for at in range(600)]
    rows += [a_row("again", triples=(("user", "own", "thing 599"),))]
    page = page_of(rows, "user")
    assert page is not None
    assert (len(page.links), page.links[0].target) == (500, "thing 599")


def test_keys_that_the_store_knows_change_nothing():
    rows = [*SISTER, a_row("d", triples=(("소라는", "know", "THE Cat's"), ("Cat", "see", "소라")))]
    plain, helped = directory_of(rows), directory_of(rows)
    helped.columns.known_keys = {"sora", "lisbon", "cat", "소라", "user"}
    helped = SubjectDirectory(helped.columns)
    assert known_subjects(plain) == known_subjects(helped)
    assert plain.links_among(set(plain.most_told_of(99))) == helped.links_among(set(helped.most_told_of(99)))


def test_a_page_lists_the_newest_statements_and_counts_all():
    rows = [
        a_row(str(at), f"I like tea {at}", at=float(at), subject="user", attribute="likes")
        for at in range(MOST_STATEMENTS + 5)
    ]
    page = page_of(rows, "user")
    assert page is not None
    (likes,) = page.attributes
    assert (len(likes.statements), likes.total) == (MOST_STATEMENTS, MOST_STATEMENTS + 5)
    assert likes.statements[0].text == f"I like tea {MOST_STATEMENTS + 4}"


def test_the_most_told_of_come_first_and_a_phrase_is_nobody():
    phrase = "a phrase that is longer than forty characters are, and so no name"
    rows = [
        a_row("a", triples=(("Sora", "know", "Mina"), ("Sora", "say", phrase)), at=1.0),
        a_row("b", triples=(("Mina", "know", "Plum"),), at=2.0),
        a_row("c", triples=(("MINA", "know", "Sora"),), at=3.0),
    ]
    directory = directory_of(rows)
    assert [(one.name, one.memories) for one in known_subjects(directory)] == [("Mina", 3), ("Sora", 2), ("Plum", 1)]
    assert [one.key for one in known_subjects(directory, 2)] == ["mina", "sora"]
    assert known_subjects(directory, 0) == []
    assert [(link.source, link.target, link.memories) for link in directory.links_of("sora")] == [("sora", "mina", 2)]
