"""Anthropic's language models: `POST /v1/messages`."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

from celestial_engine.core.model.answers import with_schema
from celestial_engine.errors import ModelAnswerError, Reason
from celestial_engine.ports import Completion, Ending, Schema
from celestial_engine.ports.language import MOST_TOKENS
from celestial_engine.providers.asking import FeatureFallback, tokens_in
from celestial_engine.providers.http import JsonEndpoint, RetryPolicy, check_key

ANTHROPIC = "https://api.anthropic.com"

_VERSION = "2023-06-01"
_TEMPERATURE, _TOOL = "temperature", "answer"
_ENDINGS = {"max_tokens": Ending.CUT, "model_context_window_exceeded": Ending.CUT, "refusal": Ending.REFUSED}


class AnthropicModel:
    """The key is sent only in the header. A schema becomes the input of a tool that must be used.

    Models that do not support forced tool use are asked for JSON in the prompt.
    """

    def __init__(
        self, model: str, api_key: str | None = None, url: str = ANTHROPIC, patience: RetryPolicy | None = None
    ) -> None:
        key = check_key(api_key)
        headers = {"anthropic-version": _VERSION, **({"x-api-key": key} if key else {})}
        endpoint = JsonEndpoint(f"{url.rstrip('/')}/v1/messages", headers, patience)
        self._server = FeatureFallback(endpoint)
        self._model = model
        self.name = f"{endpoint.host}/{model}"

    def complete(
        self,
        prompt: str,
        *,
        system: str | None = None,
        schema: Schema | None = None,
        max_tokens: int = MOST_TOKENS,
        temperature: float | None = None,
    ) -> Completion:
        def body(features: Collection[str]) -> dict[str, Any]:
            in_words = schema is not None and _TOOL not in features
            content = with_schema(prompt, schema) if in_words and schema is not None else prompt
            payload: dict[str, Any] = {
                "model": self._model,
                "max_tokens": max_tokens,
                "messages": [{"role": "user", "content": content}],
            }
            if system is not None:
                payload["system"] = system
            if _TEMPERATURE in features:
                payload["temperature"] = temperature
            if _TOOL in features:
                payload["tools"] = [{"name": _TOOL, "description": "Takes the answer.", "input_schema": schema}]
                payload["tool_choice"] = {"type": "tool", "name": _TOOL}
            return payload

        features_wanted = [] if temperature is None else [_TEMPERATURE]
        features_wanted += [] if schema is None else [_TOOL]
        return self._completion(self._server.post(features_wanted, body), prompt)

    def _completion(self, answer: Any, prompt: str) -> Completion:
        try:
            blocks, ending = answer["content"], _ENDINGS.get(answer.get("stop_reason"), Ending.DONE)
            text = "".join(map(_text, blocks))
        except (KeyError, TypeError, AttributeError) as error:
            raise ModelAnswerError(Reason.ENDPOINT_ANSWER, names=("message",)) from error
        usage = answer.get("usage")
        return Completion(
            text,
            tokens_in(usage, "input_tokens", prompt),
            tokens_in(usage, "output_tokens", text),
            self.name,
            ending,
        )


def _text(block: dict[str, Any]) -> str:
    """Returns the text of a block, or the tool's input as JSON; thinking blocks are ignored."""
    if block.get("type") == "tool_use":
        return json.dumps(block["input"], ensure_ascii=False)
    text = block["text"] if block.get("type") == "text" else ""
    if not isinstance(text, str):
        raise TypeError("no text")
    return text
