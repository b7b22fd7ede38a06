"""The memory inside other frameworks: a module a framework, an extra a module, loaded with its first use.

>>> from celestial_engine.adapters import LangChainAdapter  # doctest: +SKIP
>>> chain = LangChainAdapter(memory).wrap(chain)  # doctest: +SKIP
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from celestial_engine.adapters.agent_framework import CelestialContextProvider as CelestialContextProvider
    from celestial_engine.adapters.anthropic import AnthropicAdapter as AnthropicAdapter
    from celestial_engine.adapters.anthropic_memory import AsyncCelestialMemoryTool as AsyncCelestialMemoryTool
    from celestial_engine.adapters.anthropic_memory import CelestialMemoryTool as CelestialMemoryTool
    from celestial_engine.adapters.google_adk import CelestialMemoryService as CelestialMemoryService
    from celestial_engine.adapters.langchain import CelestialRetriever as CelestialRetriever
    from celestial_engine.adapters.langchain import LangChainAdapter as LangChainAdapter
    from celestial_engine.adapters.langchain_middleware import CelestialMiddleware as CelestialMiddleware
    from celestial_engine.adapters.langgraph import CelestialStore as CelestialStore
    from celestial_engine.adapters.llama_index import CelestialMemoryBlock as CelestialMemoryBlock
    from celestial_engine.adapters.openai import OpenAIAdapter as OpenAIAdapter
    from celestial_engine.adapters.openai_agents import CelestialSession as CelestialSession
    from celestial_engine.adapters.openai_agents import celestial_tools as celestial_tools
    from celestial_engine.adapters.pydantic_ai import PydanticAIAdapter as PydanticAIAdapter

# public name -> (module of this package, extra that brings its framework)
HOMES = {
    "LangChainAdapter": ("langchain", "langchain"),
    "CelestialRetriever": ("langchain", "langchain"),
    "CelestialMiddleware": ("langchain_middleware", "langchain"),
    "CelestialStore": ("langgraph", "langgraph"),
    "OpenAIAdapter": ("openai", "openai"),
    "CelestialSession": ("openai_agents", "openai-agents"),
    "celestial_tools": ("openai_agents", "openai-agents"),
    "AnthropicAdapter": ("anthropic", "anthropic"),
    "CelestialMemoryTool": ("anthropic_memory", "anthropic"),
    "AsyncCelestialMemoryTool": ("anthropic_memory", "anthropic"),
    "PydanticAIAdapter": ("pydantic_ai", "pydantic-ai"),
    "CelestialMemoryService": ("google_adk", "google-adk"),
    "CelestialContextProvider": ("agent_framework", "agent-framework"),
    "CelestialMemoryBlock": ("llama_index", "llama-index"),
}

__all__ = list(HOMES)


def __getattr__(name: str) -> Any:
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    module, extra = HOMES[name]
    try:
        found = getattr(import_module(f"{__name__}.{module}"), name)
    except ImportError as error:
        if (error.name or "").split(".")[0] == "celestial_engine":
            raise  # ours is broken, and no extra mends that
        from celestial_engine.errors import ExtraMissingError

        raise ExtraMissingError(name=name, extra=extra, reason=str(error)) from error
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *HOMES})
