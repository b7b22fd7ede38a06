"""명령줄의 모의 대화."""

from __future__ import annotations

SELFPLAY: dict[str, str] = {
    "help.selfplay": "모의 사용자와 대화하며 정책이 배우는 과정을 보여 줍니다",
    "opt.turns": "정책마다 나눌 대화 차례 수 (기본 {default})",
    "opt.seed": "난수의 씨앗, 같은 값이면 결과도 같습니다 (기본 {default})",
    "opt.player": "함께 대화할 모의 사용자 (기본: 한 사람씩 모두, crowd: 모두가 정책 하나를 함께 씀)",
    "opt.out": "학습 곡선(selfplay.svg)과 수치(selfplay.json)를 쓸 폴더",
    "opt.keep": "배운 것을 이 사용자 정책의 새 기록으로 남깁니다. --player를 하나 골라야 합니다",
    "detail.selfplay": "모의 대화 차례",
    "col.turns": "차례",
    "col.accuracy": "정확도",
    "col.reward": "보상",
    "say.selfplaying": "{player} {bar} {done}/{total}",
    "say.selfplay_rules": "규칙",
    "say.selfplay_player": "{player}: 정확도 규칙 {rules}, 학습 후 {learned}  {curve}",
    "say.selfplay_kept": "{version}번 기록으로 남겼습니다. `policy rollback`으로 되돌릴 수 있습니다.",
    "say.selfplay_wrote": "저장: {path}",
    "say.selfplay_title": "모의 사용자와 대화한 차례에 따른 정확도 (점선: 규칙만)",
}
