"""What somebody new wants to do first, each within four presses: counted in the page, by mouse and by finger."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import pytest
from benchmarks.browser import serving

MOST = 4
# Counted in the page: a label that presses its box is one press, and a script that presses is none.
COUNT = """
window.__presses = 0;
document.addEventListener("pointerdown", (event) => { if (event.isTrusted) window.__presses += 1; }, true);
"""
SAID = {
    "en": (
        "My sister Ingrid lives in Lisbon.",
        "My sister Ingrid moved to Porto last week.",
        "The dentist is on Elm Street.",
        "My salary is 5,000 euros a month.",
        "Where does Ingrid live?",
    ),
    "ko": (
        "내 여동생 소라는 리스본에 살아.",
        "내 여동생 소라는 포르투로 이사했어.",
        "치과는 강남역 앞에 있어.",
        "내 월급은 500만원이야.",
        "소라는 어디 살아?",
    ),
}
WORDS = {
    "en": {
        "sister": "sister", "name": "Ingrid", "now": "Porto", "before": "Lisbon", "wrong": "dentist",
        "right": "The dentist is on Oak Street.", "money": "money", "attribute": "Attribute: Money",
        "said": "I earn 3,000 euros a month.", "undo": "Undo", "home": "Home",
    },
    "ko": {
        "sister": "여동생", "name": "소라", "now": "포르투", "before": "리스본", "wrong": "치과",
        "right": "치과는 서초역 앞에 있어.", "money": "돈", "attribute": "항목: 돈",
        "said": "내 월급은 300만원이야.", "undo": "되돌리기", "home": "사는 곳",
    },
}  # fmt: skip
LOOKS = {
    "mouse en dark 1280": ("en", "dark", (1280, 800), False),
    "mouse ko light 1920": ("ko", "light", (1920, 1080), False),
    "finger ko dark 390": ("ko", "dark", (390, 844), True),
    "finger en light 390": ("en", "light", (390, 844), True),
}


@dataclass
class Newcomer:
    """Presses by mouse or finger, and says how often."""

    look: Any  # a visit
    words: dict[str, str]
    finger: bool

    def press(self, target: Any) -> None:
        target.tap() if self.finger else target.click()

    def go(self, place: str) -> None:
        """By the rail, or by the bar at the bottom where it is narrow."""
        self.press(self.look.page.locator(f"nav a[data-place={place}]:visible"))
        self.look.page.wait_for_function("place => location.hash.startsWith(`#/${place}`)", arg=place)
        self.look.settled()

    def type(self, text: str) -> None:
        self.look.page.keyboard.type(text)

    @property
    def presses(self) -> int:
        return int(self.look.page.evaluate("window.__presses"))


@pytest.fixture(scope="module")
def talked(tmp_path_factory, browser):
    """A memory in each language, after one conversation and a night."""
    with ExitStack() as stack:
        servers = {}
        for language, texts in SAID.items():
            served = stack.enter_context(serving(tmp_path_factory.mktemp(language) / "memory.db"))
            with served.memory() as memory:
                for text in texts[:-1]:
                    memory.observe(text, session_id="monday")
                memory.sleep()
                memory.observe(texts[-1], session_id="tuesday")
            servers[language] = served
        yield servers


@pytest.fixture(params=LOOKS)
def newcomer(request, talked, visit):
    language, theme, size, finger = LOOKS[request.param]
    look = visit(
        talked[language], None, language=language, theme=theme, size=size, has_touch=finger, is_mobile=finger
    )
    look.page.add_init_script(COUNT)
    look.go("today")
    return Newcomer(look, WORDS[language], finger)


def test_what_does_it_know_about_my_sister(newcomer, expect):
    """Her page says where she lives now, and where before."""
    look, words = newcomer.look, newcomer.words
    newcomer.go("people")
    newcomer.press(look.get("people-search"))
    newcomer.type(words["sister"])
    newcomer.press(look.get("person").filter(has_text=words["name"]).first)
    known = look.get("subject-known")
    home = known.locator("dt", has_text=words["home"]).locator("+ dd")
    expect(home.locator("li:not(.ended)")).to_contain_text(words["now"])
    expect(home.locator("li.ended")).to_contain_text(words["before"])
    assert look.overflow() == []
    assert newcomer.presses <= MOST


def test_something_is_wrong_and_is_corrected(newcomer, expect):
    """From the first view: open it, edit, save."""
    look, words = newcomer.look, newcomer.words
    newcomer.press(look.get("today-learned").get_by_role("link").filter(has_text=words["wrong"]).first)
    newcomer.press(look.get("memory-edit"))
    look.get("edit-text").fill(words["right"])
    newcomer.press(look.get("edit-save"))
    expect(look.get("section-text").locator(".memory-whole")).to_have_text(words["right"])
    with look.served.memory() as memory:
        assert words["right"] in [item.content for item in memory.list(limit=20)]
    assert newcomer.presses <= MOST


def test_why_did_it_answer_so(newcomer, expect):
    """The turn says why memory was asked, and which memories were given."""
    look, words = newcomer.look, newcomer.words
    newcomer.go("conversations")
    turn = look.page.locator("[data-testid=turn]", has=look.page.locator("details")).first
    newcomer.press(turn.locator("summary"))
    expect(turn.get_by_role("listitem").first).to_contain_text(words["name"])
    expect(turn.get_by_test_id("turn-why")).not_to_be_empty()
    assert newcomer.presses <= MOST


def test_stop_keeping_money_matters_and_undo_it(newcomer, expect):
    """Four presses, and one takes it back; the next sentence about money is skipped in between."""
    look, words = newcomer.look, newcomer.words
    newcomer.go("memories")
    newcomer.press(look.get("filter-box"))
    newcomer.type(words["money"])
    newcomer.press(look.get("filter-item").filter(has_text=words["attribute"]))
    newcomer.press(look.get("stop-keeping"))
    undo = look.page.locator(".toast").get_by_role("button", name=words["undo"])
    undo.wait_for()
    assert newcomer.presses <= MOST
    with look.served.memory() as memory:
        decided = memory.observe(words["said"])
        assert (decided.decision.action.value, decided.decision.reason) == ("skip", "unwanted")
        before = newcomer.presses
        newcomer.press(undo)
        expect(look.page.locator(".toast")).to_have_count(0)
        assert newcomer.presses == before + 1
        assert memory.policy.unwanted() == {}
