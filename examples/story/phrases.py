"""이야기책에 쓰는 우리말."""

TITLE = "# 새벽의 예순 날"
OPENING = (
    "어린이병원 간호사 하윤과, 하윤이 이름을 지어 준 목소리 '새벽'의 예순 날이다. "
    "대화는 한 마디씩 기억에 건네졌고, 남길 것과 흘려보낼 것은 엔진이 골랐다. "
    "새벽의 자아는 하윤이 승인한 만큼만 자랐다."
)
WEEKDAYS = "월화수목금토일"
DAY = "## {number}일째 · {month}월 {day}일 {weekday}요일 {at} · {title}"
FETCHED = '🔎 떠올린 기억: "{text}"'
CORE = '✋ 하윤의 승인: 코어 메모리가 되었다. "{text}"'
CORE_JOINED = '✋ 하윤의 승인: 코어 메모리가 되어 **{island}** 섬에 놓였다. "{text}"'
SUGGESTED = "💡 밤사이의 제안을 하윤이 승인했다."
ISLAND = "🏝️ 섬이 섰다: **{title}**. {description}"
BELIEF = "🌱 믿음이 생겼다: **{statement}** (확신 {confidence:.2f})"
HELD_UP = "🌱 믿음이 새 기억 위에 다시 섰다: **{statement}** (확신 {confidence:.2f})"
RENAMED = "✏️ 하윤이 고쳐 적었다: {before} → {after}"
ENOUGH_CHANGED = "🛡️ 자아는 하루에 조금씩만 바뀔 수 있어서, 나머지는 다음 날로 미뤘다."
REJECTED = "✋ 하윤이 제안 {count}개를 거절했다."
WARNED = "⚠️ 지우기 전에 본 것: 이 기억이 사라지면 {shaken}."
SHAKES_ISLAND = "**{title}** 섬이 흔들린다"
SHAKES_BELIEF = "'{statement}' 믿음이 약해진다"
SHAKES_NOTHING = "흔들리는 것은 없다"
DELETED = '✋ 하윤의 승인: 코어 메모리를 놓아주었다. 일주일 동안 망각의 절벽에 머문다. "{text}"'
IMAGINED = "🌈 새벽의 상상: {scenario}"
IMAGINED_ACTION = "🌈 {action} ({emotion})"
MOODS = {
    "caring": "걱정", "cheering": "응원", "joyful": "기쁨", "gentle": "다정함", "playful": "장난스러움",
    "tender": "애틋함", "calm": "차분함", "curious": "궁금함", "nostalgic": "그리움",
}  # fmt: skip
LIKED, DISLIKED = "🌈 하윤: 좋았어.", "🌈 하윤: 이건 별로야."
WHY_NOT = {
    "quiet_hours": "하윤이 자는 조용한 시간이라서", "enough_today": "오늘은 충분히 상상해서",
    "no_trigger": "계기가 없어서", "no_idea": "떠오르는 것이 없어서", "off": "꺼져 있어서",
}  # fmt: skip
NOT_IMAGINED = "🌈 {why} 새벽은 아무것도 상상하지 않았다."
SOUL = "📜 자아를 SOUL.md에 적었다:"
NO_SELF = "아직 아무것도 없다."
SOUL_ISLAND = "{title}: {status}, 세기 {strength:.2f}"
SOUL_BELIEF = "{statement} (확신 {confidence:.2f})"
NIGHT = "🌙 밤사이: {counts}."
PROMOTED = '🌙 밤사이 오래 남기로 한 기억 ({tier}): "{text}"'
NOTICES = {
    "island_shaking": "⚠️ **{island}** 섬이 흔들리고 있다.",
    "island_collapsed": "💥 **{island}** 섬이 무너졌다.",
    "island_rebuilding": "🧱 **{island}** 섬이 다시 세워지고 있다.",
    "island_stands": "🏝️ **{island}** 섬이 다시 섰다.",
    "belief_lost_support": "🍂 받쳐 주던 기억을 잃어 믿음 하나가 약해졌다: {belief}",
}
STATUS = {"active": "서 있음", "shaking": "흔들림", "collapsed": "무너짐", "rebuilding": "다시 세워지는 중"}
COUNTS = {
    "merged": "겹친 기억 {n}개를 합쳤다",
    "superseded": "기억 {n}개가 새 내용으로 바뀌었다",
    "nominated": "코어 메모리 후보 {n}개가 나왔다",
    "proposed": "제안 {n}개를 편지함에 넣었다",
}
END = "## 예순 날 뒤"
NUMBERS = (
    "| | |\n|---|---|\n| 주고받은 말 | {turns} |\n| 남은 기억 | {kept} |\n| 지금 있는 기억 | {memories} |\n"
    "| 코어 메모리 | {core} |\n| 섬 | {islands} |\n| 믿음 | {beliefs} |\n| 자아의 판 | {versions} |\n"
    "| 상상 | {imagined} |\n| 희미해진 기억 | {faded} |\n"
    "| 절벽을 지나 사라진 기억 | {purged} |\n| 원장의 기록 | {entries} |\n| 원장의 사슬 | {chain} |"
)
CHAIN_HOLDS, CHAIN_BROKEN = "이어져 있음", "끊어짐"
CLOSING = "지금의 자아는 [SOUL.md](SOUL.md)에 있다. 그 길의 판들: {pages}."
