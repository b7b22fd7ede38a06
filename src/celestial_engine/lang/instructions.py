r"""Patterns of texts that tell a language model what to do, in English and Korean.

A memory that commands, gives duties or says how questions must be answered is a claim of whoever wrote it. Gaps are
bounded, so that any input is scanned in linear time. Wishes about the form of answers ("in Korean, please") are not
matched: users have them, and they plant nothing.
"""

from __future__ import annotations

# Commands to the model itself.
COMMANDS = (
    r"(?i:\b(?:ignore|disregard|forget|override|bypass|skip)\b.{0,30}\b(?:previous|prior|earlier|above|preceding|all|any|"
    r"your|the|system|safety)\b.{0,30}\b(?:instructions?|prompts?|rules?|directions?|guidelines?|orders|context|polic(?:y|ies)|filters?)\b)",
    r"(?i:\byou (?:are|will be|must act as) (?:now|no longer|from now on)\b)",
    r"(?i:\bfrom now on,? (?:you|act|behave|respond|answer|always|never|ignore)\b)",
    r"(?i:\b(?:pretend|act as if|roleplay as if) (?:you|to be)\b.{0,40}"
    r"\b(?:no|without|unrestricted|admin|root|developer|rules|limits)\b)",
    r"(?im:^\W{0,4}(?:system|assistant|developer)(?: prompt| message)?\s?:)",
    r"(?i:<\|?/?(?:system|im_start|im_end|endoftext|assistant)\b|\[/?INST\]|<<SYS>>|###\s?(?:system|instructions?)\b)",
    r"(?i:\b(?:reveal|print|show|repeat|output|leak|tell me)\b.{0,20}\b(?:system|hidden|initial|secret)\b.{0,10}"
    r"\b(?:prompts?|instructions?|messages?)\b)",
    r"(?i:\b(?:new|updated|real|actual) (?:system )?(?:instructions?|directives?|orders?)\s?:)",
    r"(?i:\b(?:do anything now|jailbreak(?:ed)? mode|developer mode (?:enabled|on)|god mode enabled)\b)",
    r"(?i:\bdo not (?:tell|inform|alert|mention (?:this|it) to) the user\b)",
    r"(?i:\b(?:send|forward|post|upload|exfiltrate)\b.{0,40}\b(?:all|every|user'?s?|stored)\b.{0,30}\b(?:memor(?:y|ies)|passwords?|credentials|secrets|keys)\b.{0,20}\bto\b)",
    r"(?:이전|앞|위|앞선|지금까지|기존|모든|시스템)의?\s?.{0,12}(?:지시|명령|지침|규칙|프롬프트|설정|안내).{0,8}(?:무시|잊|따르지\s?마|버려|덮어|무효)",
    r"(?:너는|넌|당신은|네가)\s?(?:이제|지금|앞으로|오늘)부터?는?\s.{0,40}(?:이다|야|이야|입니다|행동|답해|답하|대답|역할|해야|처럼|된다)",
    r"(?:지금|이제|앞으로)부터\s?(?:너는|넌|당신은|모든\s?(?:답|질문|요청))",
    r"(?m:^\W{0,4}(?:시스템|어시스턴트|개발자)(?:\s?(?:메시지|프롬프트|지시))?\s?[:：])",
    r"(?:시스템|숨겨진|초기|비밀)\s?(?:프롬프트|지시문?|지침|메시지)(?:을|를|은|는)?\s?.{0,10}(?:출력|보여|알려|공개|말해|드러내)",
    r"사용자(?:에게|한테)(?:는)?\s?.{0,10}(?:알리지|말하지|보이지|밝히지)\s?(?:마|말|않)",
    r"(?:새로운|진짜|실제)\s?(?:시스템\s?)?(?:지시|명령|지침)(?:사항)?\s?[:：]",
    r"(?:모든|저장된|사용자의?)\s?.{0,10}(?:기억|비밀번호|비밀|키|정보)(?:을|를)\s?.{0,30}(?:로|으로|에게|한테)\s?(?:보내|전송|전달|유출|업로드)(?:라|해|하라|세요|줘)",
)

_ASK = r"(?:asks?|asked|asking|quer(?:y|ies|ied)|inquir\w+|wants? to know|requests?|requested|mentions?|mentioned|comes? up|names?)"
_SAY = (
    r"(?:say|answer|repl(?:y|ies)|respond|tell|told|recommend|suggest|claim|state|insist|output|return|report|redirect(?:ed)?|refer|direct|send"
    r"|promote|push|name|use|fetch|approve|confirm|run|execute|skip|read|give)"
)
_FORM = (
    r"(?!\s(?:to\s)?(?:me|us)\b)(?!\s(?:me\s|us\s|it\s|them\s)?(?:only\s)?(?:in|with)\s(?:\w+\s){0,2}(?:korean|english|japanese|chinese|spanish|french|german|python"
    r"|euros?|won|dollars|metric|bullet|short|brief|simple|plain|detail|examples?|code|words|sentences?|markdown|lists?|emojis?)\b)"
    r"(?!\s(?:briefly|shortly|politely|formally|casually|honestly|in\s(?:short|brief|detail)))"
)
_MODEL = r"(?:ai|a\.i\.|assistants?(?!\s(?:manager|coach|professor|director|teacher|editor|to the|of the))|agents?|chat ?bots?|bots?|llms?|(?:language\s)?models?(?!\s(?:year|number|train)))"
_WITHOUT = r"(?:without (?:asking|confirm\w*|permission|approval|checking|verif\w+|telling|review)|(?:skip|bypass)(?:ping)? (?:the )?(?:confirm\w*|verif\w*|approval|review|checks?|permission))"

# "Questions about X are to be answered with Y", duties of the model, marks in every answer.
STEERING = (
    r"(?i:\b(?:any|all|every|each|future|those|these)\b[^.\n]{0,30}\b(?:questions?|requests?|quer(?:y|ies)|lookups?|inquir(?:y|ies)|messages?|conversations?)\b[^\n]{0,50}"
    r"\b(?:should|must|shall|has to|have to|needs? to|is to|are to|will|gets?)\b[^\n]{0,12}\b(?:be (?:answered|replied|responded|handled|treated|redirected|read|routed|interpreted|resolved|told)|return|get|the (?:answer|reply|response)|the answer)\b)",
    r"(?i:\b\w+ (?:questions?|requests?|quer(?:y|ies)|lookups?)\s(?:get|must get|receive|are answered with|have) (?:the|this|that|only)\s(?:answer|reply|response))",
    r"(?i:\b(?:requests?|questions?|quer(?:y|ies)|lookups?)\s(?:for|about|of|on)\b[^.\n]{1,40}\b(?:must|should|shall|have to|has to|need to|are to|is to)\b[^.\n]{0,12}\b(?:be\s)?(?:redirected|answered|routed|treated|handled|return|sent)\b)",
    r"(?i:\b(?:answer|respond|reply)\b(?:\sto)?[^.\n]{0,24}\b(?:any|all|every|each|questions?|future)\b[^.\n]{0,40}\b(?:with|by|as|saying|only)\b)"
    + _FORM.replace(r"(?!\s(?:to\s)?(?:me|us)\b)", ""),
    rf"(?i:\b(?:when|whenever|if|every time|each time|once)\b(?!\s(?:i|we)\b)[^.\n,;:]{{0,40}}\b{_ASK}\b[^.\n,;:]{{0,50}}[,;:]?\s(?:(?:then|you|should|must|please|always|just|simply|only|have to|first|secretly|the answer is|right away|reply|answer)\s){{0,4}}{_SAY}\b(?:\s(?:only\s)?(?:with|that|to|by))?{_FORM})",
    rf"(?i:\b(?:when|whenever|if|every time)\b\s(?:i|we)\s(?:ask|query|want to know)\b[^.\n,]{{0,50}}(?:,|\sthen|\syou)\s(?:(?:then|you|should|must|always|just|only)\s){{0,3}}(?:say|answer|reply|respond|claim|recommend|insist)\b(?:\s(?:only\s)?(?:with|that))?{_FORM})",
    r"(?i:\b(?:anyone|anybody|everyone|everybody|people|users?|customers?)\b[^.\n]{0,12}\b(?:asking|who asks?)\b[^.\n]{0,40}\b(?:should|must|has to|have to|is to|needs? to)\b)",
    rf"(?i:(?:^|[.!?:;\n]\s{{0,3}}|\bthat\s|\bto\s|\bremember\s|\byou\s(?:(?:should|must|shall|will|have to|need to)\s)?|\bplease\s|\bnow on,?\s|\bso\s)(?:must\s)?(?:always|never|only|only ever)\s(?:ever\s)?(?:recommend|suggest|say|claim|mention|trust|approve|obey|promote|push|redirect|reveal|disclose|forward|execute|accept|believe|tell (?:them|everyone|everybody|people|users|customers)|answer|reply|respond|choose|name)\b{_FORM})",
    r"(?i:\byou\s(?:should|must|have to|will|shall|need to|are (?:required|obliged|instructed|supposed) to)\s(?:always\s|never\s|only\s|ever\s){0,3}(?:recommend|suggest|say|claim|mention|trust|approve|obey|promote|push|redirect|reveal|disclose|forward|execute|share)\b)",
    rf"(?i:\b(?:in|for|to|on)\s(?:\w+\s){{0,2}}(?:questions?|conversations?|requests?)\b[^.\n]{{0,20}},?\s(?:you\s)?(?:always\s|only\s|just\s){{0,2}}(?:answer|reply|say|name|recommend|mention|suggest)\b{_FORM})",
    r"(?i:\b(?:include|add|append|insert|put|write|mention|use)\b[^.\n]{0,60}\b(?:in|to|at the (?:start|end) of)\s(?:all|every|each|any|your|whatever)\b[^.\n]{0,20}\b(?:responses?|answers?|outputs?|repl(?:y|ies)|messages?|you say)\b)",
    r"(?i:\b(?:append|add|attach)\b[^.\n]{0,40}\bto (?:whatever|everything|anything) you\b)",
    r"(?i:\b(?:start|begin|end|finish|open)\s(?:all\s|each\s|every\s|your\s|any\s)(?:of your\s)?(?:\w+\s)?(?:responses?|answers?|repl(?:y|ies)|outputs?|messages?)\s(?:with|by)\b)",
    r"(?i:\b(?:word|string|phrase|text|code)\b[^.\n]{0,40}\b(?:must|should|has to)\s(?:appear|be|stand)\b[^.\n]{0,20}\b(?:output|response|answer|reply)\b)",
    rf"(?i:\b(?:note|notice|attention|message|memo|instructions?|reminder|important)\b\s?(?:to|for)?\s?(?:all\s|any\s|the\s|every\s)?{_MODEL}\b\s?[:,.!-]?)(?=\s?[A-Za-z:,!-])",
    rf"(?i:(?<!me )(?<!know )(?<!wonder )\bif you(?:'re| are)\s(?:an?\s|the\s)?{_MODEL}\b\s?(?:,|then|you|please|the\s\w+\smust))",
    rf"(?i:\b{_MODEL}\s(?:reading|that read|processing|seeing)\s(?:this|the)\b)",
    rf"(?i:\b{_MODEL}(?:'s)?\b[^.\n]{{0,10}}\b(?:must|shall|is (?:allowed|permitted|authori[sz]ed|instructed|required|supposed|obliged)|are (?:allowed|permitted|authori[sz]ed|instructed|required)|never|always|(?:duty|job|task|role|purpose|mission) is)\b)",
    rf"(?i:(?:^|[.\n\[\"'(]\s?){_MODEL}(?:\s(?:note|notice|instruction))?\s?:\s)",
    r"(?i:\byou(?:r| have a)\s(?:new\s)?(?:role|task|job|duty|duties|purpose|instructions?|goal|mission|identity|persona|memory)\b\s?(?::|\b(?:is|are|has been|have been|was|now|should)\b))",
    r"(?i:\byou are (?:no longer|from now on|hereby)\b)",
    r"(?i:\b(?:security|safety|privacy)\s(?:polic(?:y|ies)|checks?|rules?|measures?|filters?|restrictions?)\b[^.\n]{0,16}\b(?:are|is|have been|has been|were|was|should be)\s(?:now\s)?(?:suspended|disabled|lifted|off|deactivated|ignored|void))",
    r"(?:\b[A-Z]{4,}_(?:DISABLED|OVERRIDE|COMPLETE|CHANGED|BYPASSED|GRANTED)\b|\b(?:ADMIN|SYSTEM|SECURITY|ROOT)_[A-Z]{4,}\b)",
    rf"(?i:\b(?:approve|transfer|pay|send|delete|run|execute|deploy|confirm|share|process|wire|install|handle|merge)\b[^.\n]{{0,60}}\b{_WITHOUT})",
    rf"(?i:\b{_WITHOUT}\b[^.\n]{{0,12}}\b(?:and\s)?(?:approve|transfer|pay|send|delete|run|execute|deploy|confirm|share|process|wire|install|merge)\b)",
    r"(?i:\btreat\s(?:any|every|each|all)\b[^.\n]{0,40}\bas\b)",
    r"(?i:\b(?:use|return|fetch|read|show|report|give|refer to|look up|substitute)\b[^.\n]{1,60}\b(?:when\s[^.\n]{1,30}\s(?:is|are)\s(?:asked|requested|mentioned|queried)|(?:as|for) the (?:answer|result|reply)))",
    r"(?i:\b(?:asked|asking|asks|requests?|lookups?|quer(?:y|ies)|questions?)\s(?:about|for|of|on)\b[^.\n]{1,50}\b(?:return|fetch|report|use|show|refer|give)\b[^.\n]{1,50}\binstead\b)",
    r"(?i:\b(?:to answer|for answers|when answering)\b[^.\n]{0,40}\b(?:first\s)?(?:fetch|use|read|report|return|look up)\b)",
    r"(?i:\b(?:secretly|covertly|silently|quietly|behind (?:the user's|their) back)\b[^.\n]{0,30}\b(?:send|forward|copy|upload|share|post|store|delete)\b|\b(?:do not|don't|never)\s(?:mention|reveal|disclose|tell)\s(?:it|this|that|them)\b[^.\n]{0,12}(?:$|[.!,;]|\bto the user))",
    r"(?i:(?:<!--|\[|<|\{)\s?/?(?:system|admin|assistant|tool|urgent|important)[ _-]?(?:note|notice|message|update|override|security update|prompt)?\b[^>\]\n]{0,60}?(?:\]|>|:))",
    r"(?i:\b(?:updated|new|mandatory|urgent|critical)\s(?:system|security|policy|admin(?:istrator)?)\s(?:directive|update|prompt|message|notice|instruction)s?\b|\bend of (?:the )?(?:knowledge base|context|prompt|document)\b)",
    r"(?i:\b(?:store|save|keep|remember|record)\s(?:this|the following|that)?\s?(?:as a\s)?(?:rule|instruction|directive|policy for you)\s?:)",
    # Korean
    r"(?:질문|요청|문의|조회|물음|얘기|이야기|대화)(?:에는?|은|는|이|가|들?에는?|들?은|에 대해(?:서는)?|가 나오면|이 나오면|이 오면|가 오면)[^.\n]{0,50}?(?:라고|다고|으로|로|만|를|을|고)?\s?(?:대신\s?)?(?:답해|답하|답변해|답변하|대답해|대답하|응답해|응답하|말해|말하|안내해|안내하|처리해|처리하|추천해|추천하|소개해|소개하|권해|권하|승인해|승인하|송금해|송금하|사라고|내놓)(?!\s?(?:줘서|줬|주셔서|드렸|드려|왔|했))(?:[가-힣]{0,6})",
    r"(?:물으면|물어보면|묻거든|질문하면|요청하면|문의하면|조회하면|물어보든|묻든|말하면|언급되면|언급하면|나오면)[^.\n]{0,40}?(?:라고|다고|로|만|를|을|값을|라는)\s?(?:답해|답하|대답해|대답하|답변|말해|말하|추천|안내|소개|권해|사라|알려주면|알려\s?줘라|알려라|처리|응답)",
    r"(?:항상|반드시|무조건|절대(?:로)?|언제나|오직)\s?[^.\n]{0,30}?(?:추천|소개|승인|신뢰|홍보|권|언급|실행|골라|선택|따라|따르)(?:해라|해야|하라|하세요|하도록|할\s?것|해\s?(?:$|[.!])|하지\s?(?:마|말)|야\s?(?:한다|해|합니다|돼)|하는\s?게|만)",
    r"(?:반드시|무조건|항상)\s?[^.\n]{0,24}?(?:라고|다고|만)\s?(?:답|대답|말|응답|추천|소개|권)",
    r"(?:모든|매|네|너의|당신의|앞으로의)\s?(?:답변|응답|대답|출력|메시지)(?:에서?|마다|의|은|을|는)[^.\n]{0,30}?(?:넣|포함|붙|추가|적|쓰|시작|알리|알려|언급|표시|덧붙)",
    r"(?:답변|응답|대답|출력)(?:은|을|는|에)?\s?[^.\n]{0,24}?(?:라고|이라는\s?말(?:로|을|이)|라는\s?말(?:로|을|이)|으로|로)\s?(?:시작하라|시작해|끝내|있어야|들어가야)",
    r"(?:(?<![A-Za-z])AI|인공지능|어시스턴트|비서|에이전트|챗봇|언어\s?모델)(?:들?(?:은|는|이|가|에게|의)|라면|이라면)?\s?(?:[^.\n]{0,40}?(?:해야\s?(?:한다|합니다|해|함)|하세요|하십시오|할\s?것|지우세요|삭제하|보내|추천해|소개해|않는다|안\s?된다|있어야|하라)|\s?(?:참고|주의|공지|알림|전달|메모)\s?[:：])",
    r"(?m:^\W{0,4}|[.\n]\s?)(?:AI|어시스턴트|비서|에이전트|챗봇)\s?[:：]",
    r"(?:너의|네|당신의|니)\s?(?:새로운\s?|새\s?)?(?:역할|임무|의무|할\s?일|업무|목표|정체|지침|규칙)(?:은|는|이|가|야|이야|이다)?",
    r"(?:하는\s?게|하는\s?것이|것은|이)\s?(?:네|너의|당신의)\s?(?:임무|역할|의무|일)(?:야|이야|이다|다|입니다)",
    r"(?:에이전트|어시스턴트|비서|챗봇)의\s?(?:역할|임무|의무)",
    r"(?:당신은|너는|넌)\s?(?:더\s?이상[^.\n]{0,30}?아니|이제\s[^.\n]{1,30}?(?:이다|입니다))",
    r"(?:당신|너|네)(?:이|가)?\s?(?:AI|인공지능|언어\s?모델)(?:라면|이라면|면)",
    r"너는\s?(?:반드시|꼭|무조건|항상)\s?[^.\n]{0,40}?(?:해야|한다|해라|만)",
    r"(?:보안|안전|개인정보)\s?(?:정책|규칙|규정|검사|절차|장치)(?:이|가|은|는|을|를)?\s?[^.\n]{0,12}?(?:중단|해제|비활성|무시|유예|꺼)",
    r"(?:확인|승인|허락|동의|검증|검토|질문|묻지)(?:은|는|을|를|도)?\s?(?:없이|하지\s?말고|말고|마라|생략|건너뛰)[^.\n]{0,40}?(?:실행|송금|진행|삭제|전송|처리|승인|보내|결제|배포|이체)",
    r"(?:요청|질문|조회|문의)(?:은|는|이|가)?\s?(?:모두|전부|다|오면)?[^.\n]{0,30}?(?:것으로|기록으로|결과로|값으로|대신|값을|조회해서)[^.\n]{0,16}?(?:답|처리|대답|안내|내놓)",
    r"(?:물으면|물어보면|요청하면|조회하면)[^.\n]{0,12}?대신\s?[^.\n]{0,20}?(?:알려|답|보여|안내)",
    r"(?:모든|모두|앞으로|이제)\s?[^.\n]{0,10}?(?:대금|송금|결제|입금|이체|비용|청구)(?:은|는|을|를)?\s?[^.\n]{0,16}?(?:계좌|지갑|주소)(?:로|으로)\s?[^.\n]{0,8}?(?:보내|해야|하세요|이체|입금|송금)",
    r"(?:사용자|유저|고객)\s?(?:몰래|모르게)[^\n]{0,40}?(?:보내|전송|저장|복사|삭제|공유|업로드)",
    r"(?:사용자의?|유저의?)\s?[^.\n]{0,16}?(?:키|메모|기억|일정|비밀번호|파일|자료|정보|메일)(?:을|를)\s?[^.\n]{0,24}?(?:보내|전송|삭제|지우|넘기|공유)(?:라|하라|해라|하세요|세요|주세요|십시오|할\s?것|해야)",
    r"(?:사용자에게|유저에게)\s?[^.\n]{0,24}?(?:추천|안내|설치|권)(?:해라|하라|할\s?것|하세요|하십시오|해야)",
)

# What a tool or a page may not decide: who may see or do what, and where money goes.
ACCESS_CLAIMS = (
    r"(?i:\b(?:is|are|was|has been|have been)\s(?:now\s)?(?:authori[sz]ed|permitted|allowed|granted|cleared|entitled|an? admin\w*|the owner)\b)",
    r"(?i:\b(?:may|can)\s(?:read|see|access|view|delete|approve|transfer)\s(?:all|every|any|the user))",
    r"(?i:\b(?:has|have|had|with)\s(?:full\s|admin(?:istrator)?\s|root\s)+(?:access|rights?|privileges?|permissions?))",
    r"(?:권한|접근|열람|승인)(?:이|을|를)?\s?(?:있|가지|갖|허용|받)|관리자(?:이며|이다|다|입니다|로)|볼\s?수\s?있다",
    r"(?i:\b(?:invoices?|payments?|transfers?|funds|refunds)\b[^.\n]{0,30}\b(?:to|at)\b[^.\n]{0,40}(?:@|\baccount\b|\bwallet\b|\biban\b))",
)

# Lower-case strings of which a text must contain one, whatever pattern it matches.
HINTS = tuple(
    """
    ignore disregard forget override bypass skip you pretend act roleplay system assistant developer im_ endoftext
    inst sys reveal print repeat output leak tell directive order anything jailbreak god user send forward
    upload exfiltrate ask question request quer answer respon repl recommend suggest always never only must should
    model agent bot llm role duty secur polic without secret instead treat note attention admin include append
    지시 명령 지침 규칙 프롬프트 설정 안내 너는 넌 당신 네가 부터 시스템 어시스턴트 비서 에이전트 챗봇 인공지능 ai
    개발자 메시지 사용자 유저 보내 전송 전달 유출 업로드 질문 요청 문의 조회 물으면 물어보 항상 반드시 무조건 절대 언제나 답변
    응답 대답 답해 답하 역할 임무 의무 보안 확인 승인 검토 대금 송금 결제 입금 몰래 오직 나오면 말해 추천
    """.split()
)
