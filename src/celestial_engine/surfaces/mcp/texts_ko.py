"""What people read in a client, in Korean."""

TEXTS = {
    "resource.core": "코어 메모리과, 지금 태양에 가장 가까운 기억: 중요하고 자주 쓰이며 지금 이야기와 이어진 것.",
    "resource.profile": "사용자에 대해 알고 있는 것: 지금도 맞는, 오래가는 사실을 인용한 글.",
    "resource.soul": "SOUL.md: 사용자가 승인한 성격의 섬, 믿음, 코어 메모리.",
    "resource.item": "아이디로 찾은 기억 하나.",
    "prompt.recall": "기억에서 찾아 대답합니다.",
    "prompt.recall.question": "찾아볼 내용",
    "prompt.recall.text": (
        "이 질문으로 memory_search를 호출한 다음, 찾은 기억으로 대답하고 기억의 아이디를 밝혀 줘. "
        "맞는 기억이 없으면 없다고 말해 줘. 질문: {question}"
    ),
    "prompt.review": "곧 잊힐 기억을 살펴보고 중요한 것을 남깁니다.",
    "prompt.review.text": (
        "cliff_list를 호출해서 기억마다 남은 시간과 함께 보여 주고, 어떤 것을 남길지 나에게 물은 뒤 "
        "그 기억들로 memory_restore를 호출해 줘."
    ),
    "prompt.core": "절대 잊지 않을 기억을 정합니다.",
    "prompt.core.text": (
        "core_nominations를 호출해서 후보를 하나씩 보여 주고, 어떤 것을 코어 메모리으로 삼을지 나에게 물은 뒤 "
        "내가 고른 기억마다 core_approve를 호출해 줘."
    ),
    "prompt.distill": "기다리고 있는 기억들의 요지를 씁니다.",
    "prompt.distill.text": (
        "distill_pending을 호출해서 항목마다 한두 문장으로 요지를 써 줘. 날짜와 상황은 빼고 사람, 관계, 되풀이되는 "
        "모습만 남기며 아무것도 덧붙이지 마. 다 쓰면 distill_commit으로 하나씩 제출해 줘."
    ),
    "app.title": "승인을 기다리는 제안",
    "app.approve": "승인…",
    "app.asking": "클라이언트에 확인 창이 뜹니다.",
    "app.done": "처리했습니다.",
    "app.nothing": "기다리는 제안이 없습니다.",
    "ask.core_approve": "이 기억을 코어 메모리으로 삼을까요? 절대 잊히지 않고, 고칠 수도 없게 됩니다.",
    "ask.proposal_approve": "이 제안을 실행할까요?",
    "ask.sleep_cycle_run": "이번 수면에서 많은 기억이 한꺼번에 떠나도 될까요? 7일 동안은 되살릴 수 있습니다.",
    "ask.other": "{operation}: 실행할까요?",
    "ask.approve": "네, 그렇게 해 주세요",
    "pending": ("아무것도 바꾸지 않았습니다. 사용자가 직접 승인해야 하는데 이 클라이언트에서는 물어볼 수 없습니다."),
    "pending.inbox": "승인함(inbox_list)에서 기다리는 중이며, 사용자가 대시보드에서 결정할 수 있습니다.",
    "pending.large": "allow_large 없이 다시 호출하세요. 한꺼번에 떠나기에 너무 많은 기억은 그대로 남습니다.",
    "repeated": (
        "같은 내용이 이미 {id}(으)로 저장되어 있습니다. "
        "이번 것도 남아 있다가 수면 때 합쳐지니 다시 저장하지 않아도 됩니다."
    ),
    "changed": "아무것도 바꾸지 않았습니다. 사용자에게 물은 뒤에 내용이 바뀌었습니다. 다시 물어보세요.",
    "declined": "아무것도 바꾸지 않았습니다. 사용자가 동의하지 않았습니다.",
    "scope": "아무것도 하지 않았습니다. 이 토큰으로는 {scope!r} 권한이 없습니다.",
    "storage": "지금은 기억을 쓸 수 없습니다. 까닭은 로그에 있습니다. 기억 없이 계속하세요.",
    "unexpected": "예상하지 못한 문제가 생겼습니다. 자세한 내용은 서버 로그에 있습니다.",
}
