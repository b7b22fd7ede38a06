"""Adapters to other frameworks: one folder and one extra per framework, imported on first use.

>>> from celestial_engine.adapters import LangChainAdapter  # doctest: +SKIP
>>> chain = LangChainAdapter(memory).wrap(chain)  # doctest: +SKIP
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from celestial_engine.errors import Reason

if TYPE_CHECKING:
    from celestial_engine.adapters.agent_framework.context_provider import (
        CelestialContextProvider as CelestialContextProvider,
    )
    from celestial_engine.adapters.anthropic.adapter import AnthropicAdapter as AnthropicAdapter
    from celestial_engine.adapters.anthropic.memory_tool import AsyncCelestialMemoryTool as AsyncCelestialMemoryTool
    from celestial_engine.adapters.anthropic.memory_tool import CelestialMemoryTool as CelestialMemoryTool
    from celestial_engine.adapters.google_adk.memory_service import CelestialMemoryService as CelestialMemoryService
    from celestial_engine.adapters.hermes.provider import CelestialMemoryProvider as CelestialMemoryProvider
    from celestial_engine.adapters.langchain.adapter import CelestialRetriever as CelestialRetriever
    from celestial_engine.adapters.langchain.adapter import LangChainAdapter as LangChainAdapter
    from celestial_engine.adapters.langchain.middleware import CelestialMiddleware as CelestialMiddleware
    from celestial_engine.adapters.langgraph.store import CelestialStore as CelestialStore
    from celestial_engine.adapters.llama_index.memory_block import CelestialMemoryBlock as CelestialMemoryBlock
    from celestial_engine.adapters.openai.adapter import OpenAIAdapter as OpenAIAdapter
    from celestial_engine.adapters.openai_agents.session import CelestialSession as CelestialSession
    from celestial_engine.adapters.openai_agents.session import celestial_tools as celestial_tools
    from celestial_engine.adapters.pydantic_ai.adapter import PydanticAIAdapter as PydanticAIAdapter

# public name -> (module of this package, extra that brings its framework)
EXPORTS = {
    "LangChainAdapter": ("langchain.adapter", "langchain"),
    "CelestialRetriever": ("langchain.adapter", "langchain"),
    "CelestialMiddleware": ("langchain.middleware", "langchain"),
    "CelestialStore": ("langgraph.store", "langgraph"),
    "OpenAIAdapter": ("openai.adapter", "openai"),
    "CelestialSession": ("openai_agents.session", "openai-agents"),
    "celestial_tools": ("openai_agents.session", "openai-agents"),
    "AnthropicAdapter": ("anthropic.adapter", "anthropic"),
    "CelestialMemoryTool": ("anthropic.memory_tool", "anthropic"),
    "AsyncCelestialMemoryTool": ("anthropic.memory_tool", "anthropic"),
    "PydanticAIAdapter": ("pydantic_ai.adapter", "pydantic-ai"),
    "CelestialMemoryService": ("google_adk.memory_service", "google-adk"),
    "CelestialContextProvider": ("agent_framework.context_provider", "agent-framework"),
    "CelestialMemoryProvider": ("hermes.provider", "hermes"),
    "CelestialMemoryBlock": ("llama_index.memory_block", "llama-index"),
}

__all__ = list(EXPORTS)


def __getattr__(name: str) -> Any:
    if name not in EXPORTS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    module, extra = EXPORTS[name]
    try:
        value = getattr(import_module(f"{__name__}.{module}"), name)
    except ImportError as error:
        if (error.name or "").split(".")[0] == "celestial_engine":
            raise  # our own code failed to import: installing an extra would not help
        from celestial_engine.errors import ExtraMissingError
        from celestial_engine.install_hints import install_command

        install = install_command(extra)
        raise ExtraMissingError(
            Reason.SYSTEM_ERROR, name=name, extra=extra, install=install, cause=str(error)
        ) from error
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *EXPORTS})
