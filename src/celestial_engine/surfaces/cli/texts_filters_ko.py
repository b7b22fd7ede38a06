"""거르기와 별점."""

from __future__ import annotations

FILTERS: dict[str, str] = {
    "help.rate": "기억에 별점을 1에서 5까지 매깁니다",
    "arg.stars": "1에서 5까지",
    "opt.only_session": "이 대화의 기억만",
    "opt.only_persona": "이 페르소나의 기억만",
    "opt.only_domain": "이 분야의 기억만",
    "opt.only_project": "이 프로젝트의 기억만",
    "opt.only_tag": "이 태그가 붙은 기억만. 여러 번 쓰면 모두 붙은 기억만",
    "opt.since": "이때부터의 기억만. 예: 2025-10-10, 2025-10-10T09:30 (시간대를 적지 않으면 내 시간대)",
    "opt.until": "이때까지의 기억만. 날짜만 쓰면 그날 끝까지",
    "opt.min_importance": "중요도가 이 값 이상인 기억만",
    "opt.only_emotion": "이 감정의 기억만",
    "reason.not_a_moment": "{value}은(는) 2025-10-10이나 2025-10-10T09:30처럼 적은 시각이 아닙니다",
    "event.rated": "별점",
    "detail.rating": "별점",
    "field.links": "연결",
    "say.rated": "{id}에 별점 5점 만점에 {stars}점을 매겼습니다. 중요도는 {importance}입니다 ({source}).",
}
