"""함께 배우기."""

from __future__ import annotations

GOSSIP: dict[str, str] = {
    "help.gossip": "다른 사람의 기억과 함께 배웁니다. 글은 보내지 않고 학습한 수치만 주고받습니다",
    "arg.gossip_action": "status, on, off, leave(남에게서 온 것을 모두 지움), peer, run(멈출 때까지 주고받음)",
    "arg.gossip_words": "peer 다음에: add 주소 키, 또는 remove 키",
    "opt.gossip_host": "run: 연결을 받을 주소(기본 127.0.0.1, 다른 주소에는 인증서가 필요)",
    "opt.gossip_port": "run: 포트(기본 9400, 0이면 빈 포트)",
    "opt.gossip_certfile": "run: TLS 인증서",
    "opt.gossip_keyfile": "run: 인증서의 개인 키",
    "say.gossip_on": "이제 함께 배웁니다. `celestial gossip run`이나 `celestial serve`가 실행되는 동안 주고받습니다.",
    "say.gossip_off": "아무것도 주고받지 않고, 내 정책만으로 정합니다. `gossip on`으로 다시 시작합니다.",
    "say.gossip_leave": "나왔습니다. 상대 목록과 남에게서 온 것을 모두 지웠습니다.",
    "say.gossip_enabled": "함께 배우기: 켜짐",
    "say.gossip_disabled": "함께 배우기: 꺼짐",
    "say.gossip_key": "상대에게 알려 줄 내 키: {public_key}",
    "say.gossip_rounds": "주고받은 횟수: {rounds}, 반영된 상대: {used}명, 나와 맞을 확률: {trust}, "
    "반영 비율: {weight}",
    "say.gossip_too_few": "쓰지 않음: 공격자를 가려내기에 상대가 너무 적습니다({numbers}).",
    "say.gossip_too_few_turns": "쓰지 않음: 누구의 정책이 나와 맞는지 알기에는 평가된 내 대화가 아직 적습니다.",
    "say.gossip_worse_on_own_turns": "쓰지 않음: 최근 대화에는 내 정책이 더 잘 맞습니다.",
    "say.gossip_worse_in_exams": "꺼짐: 비교해 보니 내 정책보다 못했습니다. `gossip on`으로 다시 시도합니다.",
    "say.gossip_switched_off": "쓰지 않음: 참여하고 있지 않습니다.",
    "say.gossip_gain": "내 정책보다 나은 정도: 한 차례에 {gain} ({exams}번 비교)",
    "say.gossip_epsilon": "보낸 횟수: {releases}, 잡음 있음. 쓴 개인정보 예산: 엡실론 {epsilon}, 델타 {delta}",
    "say.gossip_unbounded": "보낸 횟수: {releases}, 잡음 없이 보낸 적이 있어 개인정보 보호의 한계값이 없습니다",
    "say.gossip_nothing_sent": "아직 아무것도 보내지 않았습니다",
    "say.gossip_peer": "{public_key}  {url}  {state}, 나와 맞을 확률 {share}, 받은 것 {accepted}",
    "say.gossip_peer_added": "{url} ({public_key}...)을(를) 추가했습니다. 상대도 내 키를 추가해야 합니다.",
    "say.gossip_peer_removed": "{public_key}...을(를) 지웠습니다.",
    "say.gossip_strangers": "모르는 곳에서 와서 거절한 것: {reasons}",
    "say.gossip_running": "{url}에서 주고받는 중입니다(Ctrl+C로 멈춤). 내 키: {public_key}",
    "event.gossiped": "함께 배우기",
    "gossip_state.new": "아직 없음",
    "gossip_state.active": "참여 중",
    "gossip_state.other_rules": "규칙이 달라 무시함",
    "gossip_state.quarantined": "격리 중",
    "fail.gossip_extra": "함께 배우는 데 필요한 것이 설치되어 있지 않습니다. {install} 명령으로 설치하세요.",
    "fail.gossip_tls": "{host}에서는 남이 엿들을 수 있습니다. --certfile과 --keyfile을 주거나, "
    "127.0.0.1 앞에 TLS 프록시를 두세요.",
    "fail.gossip_not_on": "참여하고 있지 않습니다. `celestial gossip on`으로 시작하세요.",
}
