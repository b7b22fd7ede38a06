"""Language models with `POST /v1/chat/completions`: OpenAI, Ollama, LM Studio, vLLM and many more."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any
from urllib.parse import urlsplit

from celestial_engine.core.model.answers import with_schema
from celestial_engine.core.text.tokens import count_tokens
from celestial_engine.errors import ModelAnswerError, ModelUnavailableError, Reason
from celestial_engine.ports import Completion, Ending, Schema
from celestial_engine.ports.language import MOST_TOKENS, OnText
from celestial_engine.providers.asking import FeatureFallback, tokens_in
from celestial_engine.providers.http import JsonEndpoint, RetryPolicy, check_key

OPENAI = "https://api.openai.com/v1"

_TEMPERATURE, _JSON_SCHEMA, _JSON_MODE = "temperature", "json_schema", "json_object"
_ENDINGS = {"length": Ending.CUT, "content_filter": Ending.REFUSED}


class OpenAICompatibleModel:
    """`url` is the base, such as http://localhost:11434/v1; the key is sent only in the header."""

    def __init__(self, url: str, model: str, api_key: str | None = None, patience: RetryPolicy | None = None) -> None:
        key = check_key(api_key)
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        endpoint = JsonEndpoint(f"{url.rstrip('/')}/chat/completions", headers, patience)
        self._server = FeatureFallback(endpoint)
        self._model = model
        # OpenAI's newer models accept only the new name; compatible servers know only the old one.
        host = urlsplit(url).hostname or ""
        self._bound = "max_completion_tokens" if host.endswith((".openai.com", ".openai.azure.com")) else "max_tokens"
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
        messages = [] if system is None else [{"role": "system", "content": system}]

        def body(features: Collection[str]) -> dict[str, Any]:
            enforced = schema is None or _JSON_SCHEMA in features
            content = prompt if enforced or schema is None else with_schema(prompt, schema)
            payload: dict[str, Any] = {
                "model": self._model,
                "messages": [*messages, {"role": "user", "content": content}],
                self._bound: max_tokens,
            }
            if _TEMPERATURE in features:
                payload["temperature"] = temperature
            if _JSON_SCHEMA in features:
                payload["response_format"] = {
                    "type": _JSON_SCHEMA,
                    "json_schema": {"name": "answer", "schema": schema},
                }
            elif _JSON_MODE in features:
                payload["response_format"] = {"type": _JSON_MODE}
            return payload

        features_wanted = [] if temperature is None else [_TEMPERATURE]
        features_wanted += [] if schema is None else [_JSON_SCHEMA, _JSON_MODE]
        return self._completion(self._server.post(features_wanted, body), prompt)

    def stream(
        self,
        prompt: str,
        *,
        on_text: OnText,
        system: str | None = None,
        max_tokens: int = MOST_TOKENS,
        temperature: float | None = None,
    ) -> Completion:
        messages = [] if system is None else [{"role": "system", "content": system}]
        pieces: list[str] = []
        endings: list[Ending] = []
        whole: list[Any] = []

        def body(features: Collection[str]) -> dict[str, Any]:
            payload: dict[str, Any] = {
                "model": self._model,
                "messages": [*messages, {"role": "user", "content": prompt}],
                self._bound: max_tokens,
                "stream": True,
            }
            if _TEMPERATURE in features:
                payload["temperature"] = temperature
            return payload

        def handle(event: Any) -> None:
            try:
                if "error" in event:
                    raise ModelUnavailableError(Reason.ENDPOINT_STATUS, status="error")
                choices = event.get("choices")
                if not choices:  # usage, or a comment of the server
                    return
                if "message" in choices[0]:  # a server that does not stream
                    whole.append(event)
                    return
                text = (choices[0].get("delta") or {}).get("content") or ""
                ending = choices[0].get("finish_reason")
            except (KeyError, IndexError, TypeError, AttributeError) as error:
                raise ModelAnswerError(Reason.ENDPOINT_ANSWER, names=("message",)) from error
            if not isinstance(text, str):
                raise ModelAnswerError(Reason.ENDPOINT_ANSWER, names=("text",))
            if ending is not None:
                endings.append(_ENDINGS.get(ending, Ending.DONE))
            if text:
                pieces.append(text)
                on_text(text)

        self._server.post_for_events([] if temperature is None else [_TEMPERATURE], body, handle)
        if whole:
            completion = self._completion(whole[0], prompt)
            on_text(completion.text)
            return completion
        if not pieces and not endings:
            raise ModelAnswerError(Reason.ENDPOINT_ANSWER, names=("message",))
        text = "".join(pieces)
        ending = endings[-1] if endings else Ending.CUT
        return Completion(text, count_tokens(prompt), count_tokens(text), self.name, ending)

    def _completion(self, answer: Any, prompt: str) -> Completion:
        try:
            choice = answer["choices"][0]
            message = choice["message"]
            refusal = message.get("refusal")
            text = message.get("content") or ""
        except (KeyError, IndexError, TypeError, AttributeError) as error:
            raise ModelAnswerError(Reason.ENDPOINT_ANSWER, names=("message",)) from error
        if not isinstance(text, str):
            raise ModelAnswerError(Reason.ENDPOINT_ANSWER, names=("text",))
        ending = Ending.REFUSED if refusal else _ENDINGS.get(choice.get("finish_reason"), Ending.DONE)
        usage = answer.get("usage")
        return Completion(
            text,
            tokens_in(usage, "prompt_tokens", prompt),
            tokens_in(usage, "completion_tokens", text),
            self.name,
            ending,
        )
