"""명령의 인자와 옵션: 기능 선언의 영어 설명을 우리말로."""

from __future__ import annotations

OPERATIONS: dict[str, str] = {
    # -- 저장 ---------------------------------------------------------------------------------------
    "what to remember: one fact, preference, event or decision in its own words": (
        "저장할 내용: 사실, 취향, 일어난 일이나 결정 하나. -를 주면 표준 입력에서 읽습니다"
    ),
    "importance from 0 to 1; leave it out to have it judged": (
        "중요도, 0에서 1까지. 주지 않으면 내용을 보고 판단합니다"
    ),
    "anything else, as a JSON object": "함께 보관할 JSON 객체",
    "how likely a memory must answer to be returned; 0: all of them; left out: the standard floor": (
        "내놓을 기억이 답일 가능성의 하한, 0에서 1까지. 0이면 모두 내놓고, 주지 않으면 표준 하한을 씁니다"
    ),
    "tags to find it by": "찾을 때 쓸 태그",
    "what it is about; read from the text if left out": "핵심어. 주지 않으면 내용에서 찾습니다",
    "what kind of thing it says; read from the text if left out": "종류. 주지 않으면 내용을 보고 정합니다",
    "how long it may live; unless given, as long as it stays true": (
        "수명. 주지 않으면 내용이 얼마나 오래 사실인지에 따릅니다"
    ),
    "never forget it on its own": "저절로 잊히지 않게 고정합니다",
    "refuse every change and deletion": "나중에 수정하거나 잊을 수 없게 합니다",
    "the conversation it belongs to": "이 기억이 속한 대화의 아이디. 아무 이름이나 쓸 수 있습니다",
    "the persona that speaks": "말한 페르소나의 아이디",
    "the persona's name for people": "페르소나의 이름",
    "the role in which it is said": "말한 사람의 역할",
    "the model or program that said it": "말한 모델이나 프로그램",
    "the project it belongs to": "이 기억이 속한 프로젝트",
    "the domain it belongs to": "이 기억이 속한 분야",
    "files it is about": "이 기억이 다루는 파일",
    "its depth in a thread of thought, 0 or more": "생각의 흐름에서 얼마나 깊은 곳인지, 0 이상",
    "how it felt; felt from the text if left out": ("그때의 감정. 주지 않으면 내용에서 느낍니다"),
    "how strongly that was felt; 0.5 unless given": "감정의 세기, 0에서 1까지. 주지 않으면 0.5",
    "what kind of text it is": "글의 종류",
    "the prompt it answers; 500 characters are kept": "이 기억이 답하는 프롬프트. 500자까지 보관합니다",
    "a summary to keep with it": "함께 보관할 요약",
    "read the prompt, else the text, as a BQI coordinate": "프롬프트를, 없으면 내용을 BQI 좌표로 읽습니다",
    "the memory it follows": "이 기억이 이어지는 앞 기억",
    "memories that it belongs to": "이 기억과 관련된 기억",
    "where it comes from": "어디서 온 기억인지. 수명을 주지 않으면 이것으로 정합니다",
    "sent again within a day with the same key, it is stored once": (
        "하루 안에 같은 키로 다시 보내도 한 번만 저장합니다"
    ),
    "store --lines": "빈 줄을 빼고 한 줄을 기억 하나로 저장합니다. 오류가 나면 하나도 저장하지 않습니다",
    "what to remember, each a memory of its own; all are stored or none": "저장할 내용, 한 줄에 기억 하나",
    "the conversation they belong to": "이 기억들이 속한 대화의 아이디",
    "where they come from": "어디서 온 기억들인지",
    "the id of a memory": "기억의 아이디 또는 그 앞부분",
    "the new text; the old one stays in the history": (
        "새 내용. 이전 내용은 이력에 남습니다. -를 주면 표준 입력에서 읽습니다"
    ),
    "the new importance": "새 중요도, 0에서 1까지",
    "the new metadata": "기존 메타데이터를 대신할 JSON 객체",
    "the new tags, in place of all it had": "기존 태그를 모두 대신할 태그",
    "the new keywords, in place of all it had; an empty list has them read from the text": (
        "기존 핵심어를 모두 대신할 핵심어. 빈 목록을 주면 내용에서 다시 찾습니다"
    ),
    "the new category": "새 종류",
    "the new lifetime, which begins its full time again": "새 수명. 오늘부터 다시 시작합니다",
    "only if the memory still has this version": "기억이 아직 이 판일 때만",
    "how good this memory is, by the user": "별점, 1에서 5까지",
    # -- 출처 ---------------------------------------------------------------------------------------
    "the id of a memory, a session, or an import: a format such as mem0, or the name of a file": (
        "기억의 아이디, 대화의 아이디, 또는 가져오기의 이름: mem0 같은 형식이나 파일 이름"
    ),
    "what that is; unset: the first that fits": "그것이 무엇인지. 주지 않으면 먼저 맞는 것으로 봅니다",
    "only tell what would go": "무엇을 거둘지 보여 주기만 합니다",
    "the number that the retraction returned": "거둘 때 알려 준 번호",
    "retract --undo": "한꺼번에 거둔 일을 되돌립니다",
    # -- 대화 ---------------------------------------------------------------------------------------
    "what was said in this turn": "이번 차례에 한 말. -를 주면 표준 입력에서 읽습니다",
    "who said it": "누가 한 말인지",
    "the turns before it, oldest first": ("앞선 차례를 담은 파일: JSON 목록이거나, 한 줄에 JSON 차례 하나"),
    "at most so many tokens": "최대 토큰 수",
    "what the turn was worth; or give a text": "그 차례의 값어치, -1에서 1까지. 음수는 --reward=-1처럼 씁니다",
    "the user's reply, instead of a number": "숫자 대신, 사용자가 그 차례에 한 말",
    "the turn; the last one if left out": "차례의 아이디. 주지 않으면 마지막 차례",
    "the last turn of this conversation": "이 대화의 마지막 차례",
    "policy feedback": "한 차례가 어땠는지 알려 주어 배우게 합니다",
    "policy status": "배운 것이 지금 어떤 상태인지 보여 줍니다",
    "policy checkpoints": "보관 중인 기록을 최근 것부터 보여 줍니다",
    "a version that is kept; 0 is the beginning": "보관 중인 기록의 번호. 0은 처음",
    "policy rollback": "이전 기록으로 되돌립니다. 새 기록이 됩니다",
    # -- 찾기 ---------------------------------------------------------------------------------------
    "what to look for, as a question, a sentence or words": "질문. -를 주면 표준 입력에서 읽습니다",
    "what the user just said, or what is being worked on": "질문이나 방금 들은 말. -를 주면 표준 입력에서 읽습니다",
    "at most so many": "최대 개수",
    "consider at most so many memories": "최대 몇 개의 기억을 살펴볼지",
    "stored at or after this moment": (
        "이때부터의 기억만. 예: 2025-10-10, 2025-10-10T09:30 (시간대가 없으면 내 시간대)"
    ),
    "stored at or before this moment": "이때까지의 기억만. 날짜만 쓰면 그날 끝까지",
    "of this session": "이 대화의 기억만",
    "recorded by this persona": "이 페르소나의 기억만",
    "of this project": "이 프로젝트의 기억만",
    "of this domain": "이 분야의 기억만",
    "with these tags, all of them": "이 태그가 모두 붙은 기억만",
    "of at least this importance": "중요도가 이 값 이상인 기억만",
    "felt with this emotion": "이 감정의 기억만",
    "in this zone": "이 궤도의 기억만",
    "of this lifetime": "이 수명의 기억만",
    "tell which parts of the search ran, and what each adds to the relevance": (
        "기억마다 찾은 이유와 거친 단계를 보여 줍니다"
    ),
    "count this as a recall, which makes what is used more central": "떠올린 것으로 치지 않고, 강화하지 않습니다",
    "begin with what is known about the user, in a quarter of the budget": (
        "사용자에 대해 알고 있는 것을 예산의 4분의 1 안에서 먼저 적습니다"
    ),
    "how many steps away": "몇 단계까지 이어진 기억인지, 1에서 3까지",
    "`next` of the page before; leave it out for the first page": "앞 쪽의 JSON에 있는 next 값. 주지 않으면 첫 쪽",
    "of this memory; of all of them if left out": "이 기억에 일어난 일만. 주지 않으면 모든 기억",
    # -- 잊기와 되살리기 ----------------------------------------------------------------------------
    "ids of forgotten memories; those of several that are back already stay": ("잊은 기억의 아이디 또는 그 앞부분"),
    "in place of ids: everything that can be restored": "아이디 대신: 망각의 절벽에 있는 기억 모두",
    "instead of ids: all that were removed for this reason": "아이디 대신: 이 이유로 절벽에 간 기억 모두",
    "the number of an event, as the history shows it": "일의 번호. `celestial history`가 보여 줍니다",
    # -- 자아 ---------------------------------------------------------------------------------------
    "inbox --all": "이미 결정한 것도 함께 보여 줍니다",
    "the id of a proposal": "제안의 아이디 또는 그 앞부분",
    "self core": "오래 남은 기억을 코어 메모리로 제안합니다",
    "a short name of the trait": "섬의 짧은 이름",
    "ids of core memories": "코어 메모리의 아이디 또는 그 앞부분",
    "one sign": "섬의 표시 한 글자",
    "what it means, in one sentence": "섬이 뜻하는 것, 한 문장으로",
    "self island": "코어 메모리 위에 설 성격의 섬을 제안합니다",
    'one sentence: "I am ..." or "나는 ...한 존재다"': "한 문장: “나는 ...한 존재다”",
    "ids of memories of the tiers M365 or M0 that hold it up": "받쳐 줄 M365나 M0 기억의 아이디",
    "the id of its island": "이 믿음이 속한 섬의 아이디",
    "self belief": "오래 남은 기억이 받쳐 주는 믿음을 제안합니다",
    "a version of the self; 0 is before the first": "자아의 판 번호. 0은 첫 판 이전",
    "self rollback": "자아를 이전 판으로 되돌리자고 제안합니다",
    "self show": "승인한 섬과 믿음을 보여 줍니다",
    "self versions": "승인한 자아의 판을 최근 것부터 보여 줍니다",
    "self context": "승인한 자아를 프롬프트에 넣을 글로 보여 줍니다",
    "the new text of the core memory": "코어 메모리의 새 내용",
    "self change": "코어 메모리의 내용을 바꾸자고 제안합니다",
    "self forget": "코어 메모리를 놓아주자고 제안합니다",
    "self notices": "자아에 관한 알림을 최근 것부터 보여 줍니다",
    "soul show": "SOUL.md의 내용을 보여 줍니다",
    "the file; SOUL.md of the settings if left out": "파일. 주지 않으면 설정의 SOUL.md",
    "soul write": "SOUL.md를 파일로 씁니다",
    "soul read": "SOUL.md에서 고친 것을 제안으로 읽어 들입니다",
    "soul diff": "SOUL.md를 쓰면 무엇이 바뀌는지 보여 줍니다",
    # -- 잠과 상상 ----------------------------------------------------------------------------------
    "only tell what would be done": "무엇을 할지 보여 주기만 합니다",
    "only these; those that are due if left out": ("이 일만 합니다. 주지 않으면 때가 된 일을 합니다"),
    "all of them now, whatever the calendar says": (
        "때가 되지 않은 일도, 다른 프로세스가 자는 중이어도 지금 모두 합니다"
    ),
    "confirms that many memories may be removed at once": "한꺼번에 많은 기억이 떠나도 된다고 허락합니다",
    "so many processes share the owners": "소유자를 나눠 맡을 프로세스 수",
    "what runs them: processes here, or a Ray cluster": "무엇으로 돌릴지: 이 컴퓨터의 프로세스, 또는 Ray 클러스터",
    "sleep --all": "데이터베이스에 있는 모든 소유자의 밤일을 합니다",
    "sleep --everybody": "데이터베이스에 있는 모든 소유자의 밤일을 합니다",
    "sleep status": "밤일마다 언제 했고 언제 할 때인지 보여 줍니다",
    "sleep reports": "지난 밤들을 최근 것부터 보여 줍니다",
    "what is going on, in words": "지금 일어나는 일",
    "for how many minutes nothing has been going on": "아무 일 없이 지난 시간(분)",
    "imagine --past": "지난 상상을 보여 줍니다",
    "imagine --liked": "이 상상이 좋았다고 알려 줍니다",
    "imagine --disliked": "이 상상이 별로였다고 알려 줍니다",
    # -- 원장과 보관 --------------------------------------------------------------------------------
    "ledger repair": "날짜별 파일에 빠진 줄을 씁니다",
    "ledger compress": "지난달까지의 날짜별 파일을 압축합니다",
    "a head of this owner's chain that was kept elsewhere, NUMBER:HASH": "적어 둔 이 소유자 사슬의 끝, 번호:해시",
    "a head of the anchors that was kept elsewhere, NUMBER:HASH": "적어 둔 앵커의 끝, 번호:해시",
    "check only this owner's chain, not the chains of all owners": "모두가 아니라 이 소유자의 사슬만 확인합니다",
    "ledger verify": "원장에서 고치거나 지우거나 끼워 넣거나 순서를 바꾼 항목을 찾습니다",
    "ledger head": "따로 보관해 둘 이 소유자의 최신 항목과 최신 앵커를 번호와 해시로 보여 줍니다",
    "ledger anchor": "모든 소유자의 사슬을 아우르는 앵커를 지금 남깁니다. 밤마다 자동으로 남깁니다",
    "ledger show": "원장의 새 항목을 날짜별 파일의 모습 그대로 보여 줍니다",
    "the limits to carry out; null: those of the settings": "지킬 한도. 주지 않으면 CELESTIAL_RETENTION",
    "archive list": "보관한 대화를 보여 줍니다",
    "an archived session or memory": "보관한 대화나 기억의 아이디",
    "archive bring-back": "보관한 대화나 그 기억 하나를 다시 가져옵니다",
    "the id of an archived memory": "보관한 기억의 아이디 또는 그 앞부분",
    "archive show": "보관한 기억 하나를 가져오지 않고 보여 줍니다",
    "guard scan": "예전 버전이 저장한 비밀을 모든 곳에서 찾습니다. 따로 말하지 않으면 보여 주기만 합니다",
    "redact what is found; otherwise it is only listed": "찾은 것을 가립니다. 주지 않으면 목록만 보여 줍니다",
    # -- 토큰 ---------------------------------------------------------------------------------------
    "token list": "발급한 토큰과 세션을 보여 줍니다",
    "what to know it by later": "나중에 알아볼 이름",
    "its scopes; write includes read": (
        "허용할 일: read, write, approve, admin을 쉼표로 이어 씁니다 (기본값: read,write)"
    ),
    "token create": "토큰을 만들고 한 번만 보여 줍니다",
    "the id of a token, not the token": "토큰의 아이디. 토큰 자체가 아닙니다",
    "token revoke": "토큰이나 세션이 허용하는 일을 바로 끝냅니다",
    # -- 페르소나 -----------------------------------------------------------------------------------
    "what the personas are asked": "페르소나에게 물을 질문. -를 주면 표준 입력에서 읽습니다",
    "how many times the whole cycle answers, 1 unless given": "모두가 몇 차례 답할지. 주지 않으면 한 차례",
    "a ready-made registry (dialectic, code-review, planning-ko); at the machine also a file": (
        "마련된 레지스트리(dialectic, code-review, planning-ko)나 레지스트리 파일"
    ),
    "go on with the run of this session, in place of a question": "질문 대신, 이 세션의 실행을 이어서 합니다",
    "answer with echoes in place of language models": "언어 모델 대신 질문을 되풀이하는 백엔드로 답합니다",
    "a registry file, JSON or TOML": "레지스트리 파일, JSON이나 TOML",
    "personas run": "질문에 페르소나가 차례로 답합니다",
    "personas show": "레지스트리의 페르소나와 백엔드를 보여 줍니다",
    "personas runs": "앞서 한 실행을 최근 것부터 보여 줍니다",
    "personas validate": "레지스트리 파일을 검사해 잘못된 것을 모두 알려 줍니다",
}
