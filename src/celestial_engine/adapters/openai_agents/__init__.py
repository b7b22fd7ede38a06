"""OpenAI Agents SDK: sessions and tools."""
