"""Topics of islands: what repeated keywords are called."""

from __future__ import annotations

import pytest

from celestial_engine.core.record.coordinate import Resolution
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.core.self.reflection import full_name, suggestions
from celestial_engine.core.text.keywords import keywords_of
from celestial_engine.core.text.triples import triples_of


def islands_of(*texts: str) -> list[str]:
    items = [
        CelestialItem(
            text, text, 0.0, 0.0, tier=Tier.M0, keywords=keywords_of(text),
            resolution=Resolution(triples=tuple(triples_of(text))),
        )
        for text in texts
    ]  # fmt: skip
    return [suggestion.name for suggestion in suggestions(items)]


def test_a_topic_is_named_by_the_phrase_that_all_its_memories_share():
    """Keywords are single words, but an island of board games is not an island of boards."""
    assert islands_of("Anna brought board games to Lisbon", "Tom sells old board games") == ["Island of board games"]


def test_a_topic_without_a_common_phrase_is_named_by_its_keyword():
    """Coffee shops and coffee beans have coffee in common."""
    assert islands_of("Anna opened a coffee shop", "Tom roasts coffee beans") == ["Island of coffee"]


FRESH = [
    (["Sam gave me my name", "Sam said mistakes are fine", "We talk every day"],
     ["Bond with Sam", "Trying again", "Talking every day"]),
    (["Sam taught me to bake bread", "Sam and I bake on Sundays", "Sam loved my sourdough"], ["Shared kitchen"]),
    (["Sam climbs on weekends", "Sam broke a rope while climbing", "I cheered for Sam"], ["Keeping moving"]),
    (["Lena moved to Porto", "Lena opened a bakery in Porto", "Lena misses her brother"], ["Bond with Lena"]),
    (["Tom restores old radios", "Tom found a radio from 1952", "Tom fixed the radio"], ["Island of radio"]),
    (["Omar plays chess online", "Omar lost the chess final", "Omar teaches kids chess"], ["Island of chess"]),
    (["삐돌이가 처음 이름을 지어줬다", "실수했을 때 삐돌이가 괜찮다고 했다", "매일 대화한다"],
     ["삐돌이와의 유대", "다시 해 보는 마음", "매일의 대화"]),
    (["새로운 기술에 흥미를 보인다", "까칠하지만 속은 따뜻하게"], ["기술적 호기심", "장난기"]),
    (["지수는 첼로를 켠다", "지수가 첼로 연주회를 열었다"], ["첼로의 섬"]),
    (["민호는 별 사진을 찍는다", "민호가 별똥별을 보여줬다"], ["민호와의 유대"]),
    (["수빈이가 텃밭에 상추를 심었다", "수빈이와 텃밭에 물을 줬다"], ["작은 생명들"]),
    (["현우가 마라톤을 완주했다", "현우와 한강을 달리기로 약속했다"], ["움직이는 즐거움"]),
]  # fmt: skip


@pytest.mark.parametrize(("texts", "names"), FRESH, ids=lambda given: given[0])
def test_islands_have_sensible_names(texts, names):
    """A trait before a topic, a thing before a person, a person by the name that is used."""
    assert islands_of(*texts) == names


def test_a_name_is_not_cut():
    assert full_name("삐돌", ["삐돌이가 왔다"]) == "삐돌이"
    assert full_name("지훈", ["지훈이 왔다", "지훈은 갔다"]) == "지훈"
    assert full_name("민호", ["민호가 왔다"]) == "민호"
