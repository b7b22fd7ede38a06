"""What people read in a client, in both languages."""

from __future__ import annotations

import json
import re
import string

import pytest

from celestial_engine.errors import InvalidInputError, Reason
from celestial_engine.surfaces.mcp import texts_en, texts_ko
from celestial_engine.surfaces.mcp.profiles import Profile
from celestial_engine.surfaces.mcp.prompts import NAMES, prompt_of, prompts
from celestial_engine.surfaces.mcp.texts import speaking
from celestial_engine.surfaces.mcp.tools import failed


def fields_of(text):
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_both_languages_say_the_same():
    assert texts_en.TEXTS.keys() == texts_ko.TEXTS.keys()
    for key, text in texts_en.TEXTS.items():
        assert fields_of(text) == fields_of(texts_ko.TEXTS[key]), key
        assert re.search("[가-힣]", texts_ko.TEXTS[key])
        assert not re.search("[가-힣]", text)


def test_prompts_name_the_same_tools_in_both():
    """A prompt is for a model: whichever language, it is told to call what there is."""
    from celestial_engine.surfaces.mcp.tools import TOOLS

    for name in NAMES:
        named = [
            set(re.findall(r"[a-z]+_[a-z]+", texts.TEXTS[f"prompt.{name}.text"])) for texts in (texts_en, texts_ko)
        ]
        assert named[0] == named[1] <= TOOLS.keys()


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_prompt_without_what_it_asks_for_is_none(language):
    say = speaking(language)
    assert [prompt.name for prompt in prompts(say, Profile.FULL)] == [*NAMES]
    assert prompt_of("recall", {}, say) is None
    assert prompt_of("nothing", {}, say) is None
    assert prompt_of("recall", {"question": "왜 {x}?"}, say).endswith("왜 {x}?")


@pytest.mark.parametrize(
    ("language", "said"), [("en", "limit must be at most 5."), ("ko", "최대 개수는 5 이하여야 합니다.")]
)
def test_a_refusal_is_told_in_the_language_of_the_client(language, said):
    """Beside the sentence stand the codes of the error and of its reason."""
    error = InvalidInputError("limit", Reason.AT_MOST, most=5)
    told = json.loads(failed(error, speaking(language), language, Profile.FULL).content[0].text)
    assert (told["error"], told["reason"]) == ("invalid_input", "at_most")
    assert told["message"].startswith(said)
