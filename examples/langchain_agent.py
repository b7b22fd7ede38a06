"""A LangChain agent that remembers across conversations. Runs offline: the model is scripted.

In a clone: pip install ".[langchain]"
python examples/langchain_agent.py
"""

from __future__ import annotations

from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.outputs import ChatGeneration, ChatResult

from celestial_engine import CelestialMemory
from celestial_engine.adapters import LangChainAdapter


class ScriptedModel(BaseChatModel):
    """A fake model that answers only with the memories in its system message."""

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Any, **kwargs: Any) -> ScriptedModel:
        return self

    def _generate(
        self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **_: Any
    ) -> ChatResult:
        system = next((each.text for each in messages if isinstance(each, SystemMessage)), "")
        quotes = [line for line in system.splitlines() if line[:1].isdigit()]
        answer = f"I remember: {quotes[0]}" if quotes else "Noted."
        return ChatResult(generations=[ChatGeneration(message=AIMessage(answer))])


def main() -> None:
    with CelestialMemory(":memory:", rebalance_interval=None) as memory:
        agent = create_agent(ScriptedModel(), tools=[], middleware=[LangChainAdapter(memory).as_middleware()])
        for thread, text in (
            ("monday", "Please remember that my sister Mina lives in Busan."),
            ("friday", "Where does my sister Mina live?"),
            ("friday", "내 동생 지호는 녹차를 좋아한다는 걸 기억해 줘."),
            ("sunday", "지호는 무슨 차를 좋아해?"),
        ):
            config = {"configurable": {"thread_id": thread}}
            answer = agent.invoke({"messages": [HumanMessage(text)]}, config)["messages"][-1].text
            print(f"[{thread}] user:  {text}\n[{thread}] agent: {answer}")


if __name__ == "__main__":
    main()
