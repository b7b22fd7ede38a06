"""Where texts and keys go, and where they are never seen."""

from __future__ import annotations

import logging
import traceback

import pytest

from celestial_engine.config import Environment
from celestial_engine.errors import ConfigError, LanguageModelError, ModelUnavailableError
from celestial_engine.providers.endpoint import EndpointEmbedder
from celestial_engine.providers.openai_compatible import OpenAICompatibleModel

PRIVATE = "where does Mina hide her diary?"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_texts_and_key_go_nowhere_else(make, server, serve, status):
    """Not even to another port of the same machine."""
    other = serve()
    server.plan = [(status, {"Location": f"{other.url}/v1/chat/completions"})]
    with pytest.raises(ModelUnavailableError, match="elsewhere"):
        make().complete("x")
    assert (len(server.seen), other.seen) == (1, [])


def test_what_is_near_goes_through_no_proxy(make, server, serve, monkeypatch):
    elsewhere = serve()
    monkeypatch.setenv("http_proxy", elsewhere.url)
    monkeypatch.delenv("no_proxy", raising=False)
    assert make().complete("x").text == "fine"
    assert elsewhere.seen == []


@pytest.mark.parametrize(
    "plan", [[401], [400] * 2, [500] * 3, [b"nonsense"] * 3, [b"{}"], ["silence"], [(302, {"Location": "http://x"})]]
)
def test_the_key_is_in_no_error_log_or_representation(make, server, plan, caplog, key):
    """Nor what was asked: the server quotes both."""
    caplog.set_level(logging.DEBUG)
    server.plan = list(plan)
    model = make(timeout=0.2, tries=1 if plan == ["silence"] else 3)
    with pytest.raises(LanguageModelError) as caught:
        model.complete(PRIVATE, temperature=1.0)
    said = "".join(traceback.format_exception(caught.value)) + repr(caught.value) + str(caught.value.details)
    said += repr(model) + caplog.text
    assert key not in said
    assert PRIVATE not in said


@pytest.mark.parametrize("key", ["line\nbreak-0123456789", "키-0123456789", "two words-0123456789"])
@pytest.mark.parametrize("kind", [EndpointEmbedder, OpenAICompatibleModel])
def test_a_key_that_no_header_can_carry_is_refused_and_not_quoted(kind, key):
    with pytest.raises(ConfigError) as caught:
        kind("http://127.0.0.1:1/v1", "m", key)
    assert "0123456789" not in str(caught.value)


@pytest.mark.parametrize(
    "url", ["ftp://host/v1", "http://user:hunter2@host/v1", "http:///v1", "http://ho st/v1", "http://h:x/"]
)
def test_addresses_that_are_none(url):
    with pytest.raises(ConfigError) as caught:
        OpenAICompatibleModel(url, "m")
    assert "hunter2" not in str(caught.value)


def test_the_environment_does_not_show_its_keys(key):
    env = Environment.read({"CELESTIAL_MODEL_KEY": key, "CELESTIAL_EMBEDDER_KEY": key, "HOME": "/h"})
    assert key not in repr(env)
    assert env.model_key == key
