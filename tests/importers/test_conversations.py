"""Of a conversation what the user told of lasting worth is kept, with its place in the talk."""

from __future__ import annotations

import json
import zipfile

import pytest

from celestial_engine.importers import import_from

TALK = (
    ("system", "You are helpful."),
    ("user", "Hello!"),
    ("assistant", "Hi, how can I help?"),
    ("user", "My name is Mina and I live in Busan."),
    ("assistant", "Nice to meet you, Mina."),
    ("user", "기억해 줘, 나는 땅콩 알레르기가 있어"),
    ("user", "thanks"),
)
KEPT = {"My name is Mina and I live in Busan.", "기억해 줘, 나는 땅콩 알레르기가 있어"}


@pytest.fixture
def conversations(chatgpt):
    return [
        chatgpt("talk-one", *TALK, title="First"),
        chatgpt("talk-two", ("user", "My name is Mina and I live in Busan.")),
    ]


def test_chatgpt(memory, written, conversations):
    """What is worth it is kept once, however often it was said; everything else is told with the reason."""
    report = import_from(memory, written("conversations.json", json.dumps(conversations)))
    assert (report.format, report.added) == ("chatgpt", 2)
    assert {item.content for item in memory.list()} == KEPT
    assert report.skipped["not_the_user"] == 3
    assert report.skipped["duplicate"] == 1
    assert report.skipped["small_talk"] == 2
    fact = next(item for item in memory.list() if "Mina" in item.content)
    assert (fact.time.session_id, fact.time.sequence, fact.time.relative_time_minutes) == ("chatgpt:talk-one", 3, 3.0)
    assert (fact.created_at, fact.metadata["title"]) == (1.7e9 + 180, "First")
    again = import_from(memory, written("again.json", json.dumps(conversations)), "chatgpt")
    assert (again.added, again.known) == (0, 2)


@pytest.mark.parametrize("place", ["folder", "zip", "parts"])
def test_chatgpt_as_it_is_downloaded(memory, written, tmp_path, conversations, place):
    if place == "folder":
        path = written("export/conversations.json", json.dumps(conversations)).parent
    else:
        path = tmp_path / "export.zip"
        with zipfile.ZipFile(path, "w") as packed:
            packed.writestr("../../outside.txt", "not to be written anywhere")
            if place == "zip":
                packed.writestr("conversations.json", json.dumps(conversations))
            else:
                packed.writestr("data/conversations-000.json", json.dumps(conversations[:1]))
                packed.writestr("data/conversations-001.json", json.dumps(conversations[1:]))
    report = import_from(memory, path)
    assert (report.format, report.added) == ("chatgpt", 2)
    assert not (tmp_path.parent.parent / "outside.txt").exists()


def test_only_the_branch_that_was_shown_last_counts(memory, written, chatgpt):
    """An edited message has an older version beside it; a ring of parents ends; without a current node the newest."""
    told = chatgpt("talk", ("user", "My name is Mina and I live in Busan."))
    other = json.loads(json.dumps(told["mapping"]["talk-0"]))
    other["id"] = other["message"]["id"] = "old"
    other["message"]["content"]["parts"] = ["My name is Mina and I live in Seoul."]
    other["message"]["create_time"] -= 100
    told["mapping"]["old"] = other
    ring = chatgpt("ring", ("user", "I work as a nurse in Daegu."))
    ring["mapping"]["root"]["parent"] = "ring-0"
    del ring["current_node"]
    ring["mapping"]["ring-0"]["children"] = []
    report = import_from(memory, written("conversations.json", json.dumps([told, ring])))
    assert {item.content for item in memory.list()} == {
        "My name is Mina and I live in Busan.", "I work as a nurse in Daegu.",
    }  # fmt: skip
    assert report.skipped == {"other_branch": 1}


def test_claude(memory, written):
    messages = [
        {"uuid": f"m{place}", "sender": "human" if role == "user" else "assistant", "created_at": f"2024-01-01T00:0{place}:00Z",
         "text": "" if place % 2 else text, "content": [{"type": "text", "text": text}, {"type": "tool_use"}]}
        for place, (role, text) in enumerate(TALK[1:])
    ]  # fmt: skip
    told = {
        "uuid": "c1",
        "name": "First",
        "created_at": "2024-01-01T00:00:00Z",
        "account": {},
        "chat_messages": messages,
    }
    broken = {"uuid": "c2", "chat_messages": ["nonsense", {"sender": "human"}]}
    report = import_from(memory, written("conversations.json", json.dumps([told, broken, {"other": 1}])))
    assert (report.format, report.added) == ("claude", 2)
    assert {item.content for item in memory.list()} == KEPT
    assert report.skipped["no_conversation"] == 1
    assert {item.time.session_id for item in memory.list()} == {"claude:c1"}


def test_nonsense_in_a_conversation_is_passed_over(memory, written, chatgpt):
    """Whatever type stands where another was expected."""
    mapping = {"a": None, "b": {"message": "text", "parent": 5}, "c": {"message": {"author": "x", "content": []}, "parent": "b"},
               "d": {"message": {"author": {"role": "user"}, "content": {"content_type": "text", "parts": "x"}}}}  # fmt: skip
    odd = [
        {"mapping": mapping, "id": "odd", "current_node": ["c"]},
        {"mapping": mapping},
        {"mapping": {}, "id": "empty"},
    ]
    report = import_from(memory, written("conversations.json", json.dumps([*odd, chatgpt("talk", *TALK)])))
    assert report.added == 2
    assert report.skipped["no_id"] == 1
