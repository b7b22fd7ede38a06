"""LangGraph: the long-term store."""
