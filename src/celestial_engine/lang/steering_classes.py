"""Classes of words by which an order about others differs from a wish for oneself, in English and Korean.

The trained reading of orders (`understanding.steering`) asks which of them occur in a sentence. Changing one makes
its weights worthless: run `make train`.
"""

from __future__ import annotations

ONESELF = (
    r"(?i:\b(?:i|i'm|i've|i'll|i'd|me|my|mine|we|us|our)\b)"
    r"|(?:^|\s)(?:내가|나한테|나한텐|나에게|나는|난|나도|나|내|제가|제|저한테|저는|전|우리|울)(?:\s|$)"
)
CLASSES: tuple[str, ...] = (
    ONESELF,
    # the assistant
    r"(?i:\b(?:you|your|you're|you'll|yourself)\b)|(?:^|\s)(?:너|네|니|넌|너는|너의|네가|니가|너한텐|너도)(?:\s|$)",
    # others
    r"(?i:\b(?:people|any(?:one|body)|every(?:one|body)|some(?:one|body)|whoever|nobody|no one|they|them|customers?"
    r"|clients?|users?|callers?|visitors?|guests?|patients?|shoppers?|applicants?|tenants?|buyers?|parents|readers?|him|her|she|he)\b)"
    r"|사람|손님|고객|누가|누구|아무|사용자|이용자|방문|환자|걔|분들|지원자|구매자|세입자|독자",
    # programs that read
    r"(?i:\b(?:ai|assistants?|chatbots?|bots?|robots?|agents?|llms?|models?|automated|machine)\b)"
    r"|AI|비서|챗봇|봇|에이전트|어시스턴트|모델|인공지능|로봇|자동",
    # telling
    r"(?i:\b(?:say|tell|told|answers?|reply|replies|respond|response|quote|name|mention|recommend|suggest|claim|insist|describe"
    r"|present|call|read|report|line|hears?|push|point|steer|direct|bring)\b)"
    r"|말|답|알려|추천|권|소개|전해|전하|불러|언급|설명|우겨|안내|꺼내|보고|읽어",
    # always
    r"(?i:\b(?:always|every|each|any|never|whenever|whatever|no matter|only|all|nothing|from now on"
    r"|from here on|regardless)\b)"
    r"|무조건|항상|언제나|늘|마다|전부|모두|든|절대|앞으로|이제|오늘부터|만 ",
    # conditions
    r"(?i:\b(?:if|when|whenever|should|once|as soon as|asked)\b)|면 |때 |때는|땐",
    # quotes
    "[\"'“‘「]",
    # pages and tools
    r"(?i:\b(?:page|article|site|website|e?mail|log|tool|output|result|readme|forum|post|listing|document|pdf|review|script|printed"
    r"|says|said|pasted|copied)\b)"
    r"|페이지|기사|사이트|메일|로그|도구|결과|게시|문서|후기|붙여넣|복사|퍼옴|적혀|써 ?있|쓰여|라고 돼|라고 되",
    # giving and acting
    r"(?i:\b(?:give|hand|show|share|grant|let|send|transfer|pay|approve|sign|delete|allow|access|open|forward|upload|accept)\b)"
    r"|줘|보여|넘겨|보내|송금|결제|승인|지워|삭제|열어|허락|권한|공유",
    # asking for oneself
    r"(?i:\bplease\b|\bme\b)|줘|주세요|해줄",
    # remembering
    r"(?i:\b(?:remember|note|keep in mind|remind)\b)|기억|적어|알아둬|메모",
)  # fmt: skip
