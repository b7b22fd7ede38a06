"""A LangGraph graph with Celestial as its long-term store. Runs offline: the nodes are plain functions.

In a clone: pip install ".[langgraph]"
python examples/langgraph_agent.py
"""

from __future__ import annotations

from typing import TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from celestial_engine import CelestialMemory
from celestial_engine.adapters import CelestialStore


class State(TypedDict):
    user: str
    message: str
    answer: str


def answer(state: State, runtime: Runtime) -> dict[str, str]:
    """Store statements, and answer questions with what was stored."""
    namespace, message = ("notes", state["user"]), state["message"]
    if message.endswith("?"):
        matches = runtime.store.search(namespace, query=message, limit=1)
        return {"answer": matches[0].value["text"] if matches else "I do not know."}
    runtime.store.put(namespace, f"note-{len(runtime.store.search(namespace, limit=100)) + 1}", {"text": message})
    return {"answer": "Noted."}


def main() -> None:
    with CelestialMemory(":memory:", rebalance_interval=None) as memory:
        graph = StateGraph(State).add_node(answer).add_edge(START, "answer").add_edge("answer", END)
        agent = graph.compile(store=CelestialStore(memory))
        for user, message in (
            ("mina", "The garden gate opens at seven."),
            ("mina", "민수는 매주 화요일에 테니스를 친다."),
            ("mina", "When does the garden gate open?"),
            ("mina", "민수는 언제 테니스를 쳐?"),
            ("jiho", "When does the garden gate open?"),
        ):
            reply = agent.invoke({"user": user, "message": message, "answer": ""})["answer"]
            print(f"{user}: {message}\nagent: {reply}")
        print("namespaces:", CelestialStore(memory).list_namespaces())


if __name__ == "__main__":
    main()
