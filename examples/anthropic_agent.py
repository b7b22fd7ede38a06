"""Claude's memory tool with Celestial: the files it writes can be recalled, too. Runs offline: scripted.

In a clone: pip install ".[anthropic]"
python examples/anthropic_agent.py
"""

from __future__ import annotations

import anthropic
from scripted_server import ScriptedServer, claude_answer, text_block, tool_use

from celestial_engine import CelestialMemory
from celestial_engine.adapters import CelestialMemoryTool

SCRIPT = [
    claude_answer(tool_use("memory", {"command": "view", "path": "/memories"})),
    claude_answer(
        tool_use("memory", {"command": "create", "path": "/memories/user.md", "file_text": "Likes green tea.\n"})
    ),
    claude_answer(text_block("I wrote that down.")),
]


def main() -> None:
    with (
        ScriptedServer(SCRIPT) as server,  # to use Claude, remove the server, its url and the scripted model
        anthropic.Anthropic(api_key="none", base_url=server.url) as client,
        CelestialMemory(":memory:", rebalance_interval=None) as memory,
    ):
        runner = client.beta.messages.tool_runner(
            model="scripted",
            max_tokens=1024,
            tools=[CelestialMemoryTool(memory)],
            messages=[{"role": "user", "content": "I like green tea."}],
        )
        print("Claude:", runner.until_done().content[0].text)
        for hit in memory.recall("Which tea does the user like?"):
            print("recalled:", hit.metadata["path"], "says", hit.content.strip())


if __name__ == "__main__":
    main()
