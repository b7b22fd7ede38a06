"""The inbox as an MCP App, in a sandboxed frame of a host that passes its calls on to the real server."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import anyio
import pytest

pytest.importorskip("mcp")

from mcp import Client
from mcp_types import ElicitResult
from tests.browser.conftest import PATIENCE_MS

from celestial_engine import CelestialMemory, Tier
from celestial_engine.core.record.owner import LOCAL_OWNER
from celestial_engine.surfaces.mcp import inbox_app
from celestial_engine.surfaces.mcp.desk import Desk, Guest
from celestial_engine.surfaces.mcp.profiles import Profile
from celestial_engine.surfaces.mcp.server import build_server

HOSTILE = "Mina <img src=x onerror=\"parent.postMessage('gone','*')\"> lives in Busan"
# What a host does: shows the page in a sandbox, greets it, hands it the answer of the tool and passes its calls on.
HOST = """
<iframe sandbox="allow-scripts" style="width: 600px; height: 400px"></iframe>
<script>
window.heard = [];
const frame = document.querySelector("iframe");
const post = (message) => frame.contentWindow.postMessage({ jsonrpc: "2.0", ...message }, "*");
window.addEventListener("message", async (event) => {
  const message = event.data;
  window.heard.push(message.method || String(message));
  if (message.method === "ui/initialize") post({ id: message.id, result: { protocolVersion: "2026-01-26" } });
  if (message.method === "ui/notifications/initialized") {
    post({ method: "ui/notifications/tool-result", params: await window.called("inbox_list", {}) });
  }
  if (message.method === "tools/call") {
    post({ id: message.id, result: await window.called(message.params.name, message.params.arguments) });
  }
});
</script>
"""


@pytest.mark.parametrize(("agrees", "said"), [(True, "Done."), (None, "needs the user's own word")])
def test_a_click_asks_and_only_the_form_of_the_host_is_consent(agrees, said, browser, tmp_path):
    """`agrees` is what the user says in the host's form; None: this host has none."""
    with CelestialMemory(tmp_path / "m.db", embedder="none", rebalance_interval=None) as memory:
        item = memory.store(HOSTILE, tier=Tier.M365)
        memory.self.propose.core(item.id)

        async def agree(context: object, params: object) -> ElicitResult:
            return ElicitResult(action="accept", content={"approve": True})

        async def asked(name: str | None, arguments: dict[str, Any]) -> Any:
            server = build_server(lambda: Desk.over(memory), lambda _: Guest(LOCAL_OWNER), profile=Profile.FULL)
            async with Client(server, elicitation_callback=agree if agrees else None) as client:
                if name is None:
                    return (await client.read_resource(inbox_app.URI)).contents[0].text
                result = await client.call_tool(name, arguments)
                return json.loads(result.model_dump_json(by_alias=True, exclude_none=True))

        with ThreadPoolExecutor(1) as pool:  # Playwright's own event loop runs in this thread

            def called(name: str | None, arguments: dict[str, Any]) -> Any:
                return pool.submit(anyio.run, asked, name, arguments).result()

            page = browser.new_page()
            page.set_default_timeout(PATIENCE_MS)
            page.expose_function("called", called)
            page.set_content(HOST)
            page.evaluate("html => { document.querySelector('iframe').srcdoc = html; }", called(None, {}))
            inside = page.frame_locator("iframe")
            inside.get_by_text("lives in Busan").wait_for()
            assert HOSTILE in inside.locator("article").inner_text()
            inside.get_by_role("button").click()
            inside.get_by_text(said).wait_for()
            assert "gone" not in page.evaluate("window.heard")
            page.close()
        assert (memory.get(item.id).tier is Tier.M0) is (agrees is True)
