"""A chatbot with long-term memory, offline: put your language model in place of `ask_model`."""

from celestial_engine import CelestialMemory


def ask_model(prompt: str) -> str:
    """Stands in for your language model: it repeats the first memory in its prompt."""
    quotes = [line for line in prompt.splitlines() if line.startswith("1. ")]
    return f"I remember: {quotes[0].partition('] ')[2]}" if quotes else "Tell me more."


memory = CelestialMemory("chat.db", user_id="mina")
history = []
for said in ("Hello!", "I'm allergic to peanuts.", "What am I allergic to?"):
    observed = memory.observe(said, history)  # saves it, skips it, or finds memories for it
    answer = ask_model(f"{observed.context}\n\nUser: {said}")
    print(f"{said} -> {answer}")
    history += [observed.turn or said, {"role": "assistant", "content": answer}]
memory.close()
