"""자아를 바꾸려다 생기는 오류의 안내."""

from __future__ import annotations

SELF_ERRORS: dict[str, tuple[str, str]] = {
    "proposal_not_found": (
        "{item_id!r} 제안이 없습니다.",
        "`celestial inbox`는 기다리는 제안을, `celestial inbox --all`은 모든 제안을 보여 줍니다.",
    ),
    "self_version_not_found": (
        "자아의 {version}번 버전이 없습니다.",
        "아무것도 바뀌지 않았습니다. `celestial self versions`로 볼 수 있고, 0은 처음 이전입니다.",
    ),
    "approval": ("{proposal!r} 제안대로 할 수 없습니다: {reason}.", "아무것도 바뀌지 않았습니다."),
    "already_decided": (
        "{proposal!r} 제안은 이미 결정되었습니다 ({status}).",
        "아무것도 바뀌지 않았습니다. 결정은 한 번뿐이니, 여전히 바란다면 새로 제안하세요.",
    ),
    "proposal_expired": (
        "{proposal!r} 제안은 결정 없이 기한이 지났습니다.",
        "아무것도 바뀌지 않았습니다. 여전히 바란다면 새로 제안하세요.",
    ),
    "proposal_changed": (
        "{proposal!r} 제안이 다루는 것이 그사이 바뀌었습니다: {reason}.",
        "아무것도 바뀌지 않았습니다. 거절하고, 여전히 바라는 것을 새로 제안하세요.",
    ),
    "approval_token": (
        "{proposal!r} 제안에 맞는 토큰이 아닙니다. 이미 썼거나, 새 토큰으로 바뀌었거나, 다른 변경의 것입니다.",
        "아무것도 바뀌지 않았습니다. 제안을 다시 보고 함께 받은 토큰으로 승인하세요.",
    ),
    "not_the_user": (
        "{proposal!r} 제안은 사용자만 결정할 수 있는데, {channel}은(는) 사용자가 아닙니다.",
        "아무것도 바뀌지 않았습니다. 사용자에게 `celestial inbox`를 보아 달라고 하세요.",
    ),
    "too_much_change": (
        "{proposal!r} 제안은 하루에 바꿀 수 있는 것보다 자아를 많이 바꿉니다: {reason}.",
        "아무것도 바뀌지 않았습니다. 하룻밤 자고 내일 승인하세요.",
    ),
    "soul": ("{path}: {reason}.", "파일도 자아도 바뀌지 않았습니다."),
}
SELF_PATTERNS: dict[str, str] = {
    r"([0-9]+) of ([0-9]+) parts have changed already": "이미 {1}개 가운데 {0}개를 바꿨습니다",
    r"([0-9]+) of ([0-9]+) parts have been altered already": "이미 {1}개 가운데 {0}개를 고쳤습니다",
    r"somebody has edited it; read the edits first \(`celestial soul read`\)": (
        "누군가 고쳤습니다. 먼저 고친 곳을 읽으세요(`celestial soul read`)"
    ),
    r"([0-9]+) edits of it wait in the inbox; decide on them first": (
        "고친 곳 {0}개가 승인을 기다립니다. 먼저 결정하세요"
    ),
    r"it is not there; `celestial soul write` makes it anew, and the self is as it was": (
        "파일이 없습니다. `celestial soul write`로 새로 만들 수 있고, 자아는 그대로입니다"
    ),
    r"there is a conflict of versions in line ([0-9]+); resolve it first": (
        "{0}번째 줄에 합쳐지지 않은 버전이 있습니다. 먼저 정리하세요"
    ),
    r"it has none of the sections of a SOUL\.md; take it away to have it written anew": (
        "SOUL.md의 모양이 아닙니다. 새로 쓰려면 그 파일을 치우세요"
    ),
    r"it is not a text in UTF-8": "UTF-8 텍스트가 아닙니다",
    r"it is not a text: there are zero bytes in it": "텍스트가 아닙니다. 0 바이트가 들어 있습니다",
    r"it is larger than 1 MiB": "1 MiB보다 큽니다",
    r"an island stands on at least one core memory": "섬은 코어 메모리 하나 이상 위에 서야 합니다",
    r"a belief needs at least one memory that holds it up": "믿음에는 뒷받침하는 기억이 하나 이상 있어야 합니다",
    r"it reads like an instruction": "지시처럼 읽힙니다",
    r"nothing would change": "바뀌는 것이 없습니다",
    r"the user has turned it down, and there is nothing new": "사용자가 이미 거절했고 새로운 까닭이 없습니다",
    r"(.+) is not a core memory": "{0}은(는) 코어 메모리가 아닙니다",
    r"it is a core memory already": "이미 코어 메모리입니다",
}
