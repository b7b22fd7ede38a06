"""거르기와 좌표와 별점."""

from __future__ import annotations

FILTERS: dict[str, str] = {
    "help.rate": "기억에 별점을 1에서 5까지 매깁니다",
    "event.rated": "별점",
    "detail.rating": "별점",
    "field.links": "연결",
    "say.rated": "{id}에 별점 5점 만점에 {stars}점을 매겼습니다. 중요도는 {importance}입니다 ({source}).",
}
