r"""Patterns of secrets that are told by what they open: "my phone unlocks with 830216", "공유기는 Gr4ntham!! 치고 들어가".

Pinned by the digest of lang/secrets.py. Lookaheads are bounded and little is consumed, so that any input is scanned
in linear time. \ue000 marks text that is already redacted. A named group `value` is what is redacted.
"""

from __future__ import annotations

_OPEN = r"[\"'`“‘「『*(]{0,3}"
_DIGITS = r"(?P<value>[#*]?(?:\d(?: \d){3,7}(?!\d)|\d{3,4} \d{3,4}(?!\d)|\d(?:-?\d){3,7}|\d-\d-\d)[#*]?)"
_CODE = rf"{_DIGITS}(?![\d\ue000.,:/~-]*\d)(?![A-Za-z_%])"
_NOW = r"(?:(?i:now|still|just|currently)\s)?"
_TO = r"\s?(?:으로|로|을|를|만|이라고|라고|하고)?\s{0,2}(?:(?:이걸로|이거로|그걸로|하나로|다시|먼저|길게|두\s?번)\s)?"

_OPENING_KOREAN = (
    r"(?:열려|열리|열면|열어|열림|풀려|풀리|풀어|들어[가오와감]|접속|로그인|해제|켜져|켜지|꺼져|꺼지|잠금)"
)
_TYPING_KOREAN = r"(?:누르|눌러|눌르|치면|치고|쳐|입력|두드리|돌리|돌려|맞추|맞춰)"

# -- evidence: what a value looks like, and what stands around it --------------------------------------------

# A word with a digit or a symbol in it, as it stands between spaces.
WORD_OF_SIGNS = r"(?<![!-~\ue000])[\"'(`*]{0,2}(?:[\w.@+-]{2,24}:)?(?P<value>(?=[!-~]{0,40}[0-9!@#$%^&*])[!-~]{5,64})"
CODE_OF_DIGITS = rf"(?<![!-~\ue000])[\"'(`]?{_DIGITS}(?![\d\ue000.,:/~-]*\d)(?![A-Za-z_%])"
# Words around a value that say how likely it opens something: 3 for what is opened or locked, 2 for services and
# devices, 1 for how people hand over or change such a word.
LOCKS = (
    r"(?i:\b(?:unlock\w*|pass(?:word|code|phrase)s?|pw|pwd|pin|log(?:s|ged|ging)?[ -]?(?:in|on|into)|logins?|sign(?:s|ed|ing)?[ -]?(?:in|on|into)|ssh"
    r"|(?:get|gets|got|let|lets|lets? \w+) (?:in(?:to)?|past)|locked out|locked with|lock screen|wi-?fi|hotspot|vpn|credentials?|hacked|guest network|join the [a-z ]{0,20}network)\b)"
    r"|비번|비밀\s?번호|암호|패스워드|잠금|열려|열리|열면|풀려|풀리|들어[가오와]|로그인|접속|와이파이|핫스팟|(?i:vpn)|털려|털렸|해킹|누르고|누르면|눌러|입력|치고|치면|넣으면|넣고|넣어"
)
SERVICES = (
    r"(?i:\b(?:accounts?|log|sites?|shops?|server|drive|apps?|portal|payroll|zip|archive|printer|laptop|tablet|phone|computer|desktop|chromebook|macbook|watch|kindle|ipad|till|box|bank(?:ing)?|every(?:thing|where)"
    r"|lock(?:s|ed|er|ers)?|keypad|padlock|alarm|intercom|override|voicemail|combination|combo|safe|router|wlan|network|admin|root|master|opens?|opened|door|gate|garage"
    r"|netflix|disney|hulu|spotify|prime|youtube|gmail|icloud|apple|outlook|hotmail|facebook|instagram|twitter|tiktok|discord|slack|zoom|paypal|ebay|steam|github"
    r"|bitwarden|lastpass|keepass|wallet|keychain|cctv|camera|console|xbox|playstation|roblox|vault|diary|nas|staging|plex|ring|guest|user|email|mail)\b)"
    r"|계정|사이트|쇼핑몰|서버|드라이브|포털|앱|프린터|노트북|태블릿|컴퓨터|폰|아이패드|패드|킨들|은행|카드|통장|열어|풀어|해제|도어락|현관|금고|자물쇠|사물함|공유기|관리자"
    r"|거의 다|전부|모든|모두|어디든|넷플릭스|디즈니|티빙|웨이브|왓챠|쿠팡|스포티파이|멜론|지메일|네이버"
    r"|카톡|카카오|인스타|쇼핑|게임|웹하드|클라우드|홈택스|블로그|카메라|일기장|엑셀|한글\s?파일|지갑|페북|디스코드|슬랙|줌|페이팔|스팀|깃허브|비트워든|스테이징|게스트|압축|메일|플렉스|초인종|학번|유튜브"
)
HANDED_OVER = (
    r"(?i:\b(?:new|old) one|\bchanged\b|\bremember\b|\bkeep (?:this|it)\b|\bnote\b|\b(?:re)?use[sd]?\b|\btyp(?:e|es|ed|ing)\b|\bnow\b|\bstill\b|\bpicked\b|\bneed\b|\bsame\b)"
    r"|바꿨|바꿈|바꾸|기억해|적어|메모|써\b|쓰면|쓰세요|써요|이걸로|정했|새\s|예전|필요한"
)
# Words after which such a value is the name of something.
NAMES_SOMETHING = (
    r"(?i:\b(?:user(?:name)?|user id|id|handle|nick\w*|called|named|name|model|version|v|flight|order|serial|ticket|issue|bug|commit|branch|hash|part|sku|tracking|room|seat"
    r"|file|release|build|episode|season|chapter|channel|server is|bus|route|platform|gate|version|team|group|class|unit)\b\W{0,3}(?:(?:is|was|no|number|of|the)\W{1,2}){0,2}$)"
    r"|(?:아이디|닉네임|이름|모델|버전|편명|주문|번호판|파일|버스|열차|호선|기종|채널|학번|송장)(?:명|번호)?(?:은|는|이|가|도)?\W{0,2}$"
)
# Lines of programs: assignments there have rules of their own.
CODE_LINE = r"[{};<>\\|=]|\w\(|\)\s*:$|::|->|^\s*[#$>]|https?://"
# Digits are a code only right after such a word, or before such a verb.
CODE_LEADS = (
    r"(?i:(?:\b(?:is|was|as|are|so|with|wants|needs|takes|using|means|gave \w+|code|pin|passcode|try|tried|went with|then|(?:punch|type|key|put|tap)\w* in|press|type|enter|dial|still|it's|override|use|(?:opens?|unlocks?|disarms?) on)|'s|[:=,])\s?[\"'(`]?$)"
    r"|(?:은|는|이|가|번호|코드|비번|핀|초기번호|패드|금고|자물쇠|:|아이패드|태블릿|폰|킨들|노트북)\s?[\"'(`]?$"
)
CODE_LOCKS = (
    r"(?i:\b(?:unlock\w*|lock(?:s|ed|er|box|out)?|passcode|pin|keypad|padlock|alarm|intercom|override|voicemail|combination(?! of (?:both|all|these|those|the two)\b)|combo|safe(?=(?:'s|:|,)|\s(?:is|was|code|opens?|door|lock|at|in|takes|needs|wants))|doors?|gate|garage|vault|shed|barrier|turnstile|lift|elevator|atm|debit|suitcase|luggage|mailbox|fob|key ?card|closet|server room|disarm\w*|sim"
    r"|lets? (?:\w+self|\w+selves|you|me|us) in|screen[ -]time|opens?|asks? for (?:a|the|my) (?:code|pin|passcode|number)|(?:phone|tablet|ipad|kindle|laptop|printer|console|xbox|switch|watch|tv)(?:'s| code(?! of)| is| was|:| needs| wants| takes| opens)|(?:phone|tablet|ipad|kindle|laptop|printer) (?:code(?! of)|needs|wants|takes|opens))\b|\bfor the (?:phone|tablet|i?pad|kindle|laptop|printer|alarm)\b)"
    r"|비번|비밀\s?번호|잠금|열려|열리|풀려|풀리|들어[가오와]|해제|도어락|현관|대문|금고|자물쇠|사물함|열쇠함|락커|라커|출입|경비|경보|유심|음성사서함|태블릿|아이패드|킨들|화면|차고|(?<!공)암호(?!화|학|문)|패스워드|패스코드|간편\s?번호|패드|보조키|번호키|월패드|인터폰|호출|세콤|캡스|차단기|우편함|택배함|무인함|캐리어|여행가방|일기장|통장|사서함"
)
CODE_TYPED_KOREAN = rf"{_TO}(?:{_TYPING_KOREAN}|{_OPENING_KOREAN})|(?:이?야|이?고|이래|임|입니다|이에요|예요|이었|인데|이던데|이더라|였어|였나|(?:이|일)걸|ㅇㅇ)|\s?(?:으로|로)\s?(?:바꿨|바꿈|해뒀|해놨|설정|정했|했)|에서\s?[#*]?\d|\s(?:까먹|잊|기억해|적어|메모)"
CODE_ENDS = r"[)\"'”’]*(?:[.,;!?]*\s*$|[.,;!?]\s|\s*\n|\s(?:and|but|so|for|to|when|if|then|or|until|within|before|at the|on the)\b)"
VALUE_ENDS = r"[)\"'”’*]*(?:[.,;!?]*\s*$|[.,;!?]\s|\s(?:and|but|so|for|to|when|if|then|or|until|everywhere|again)\b)"
TELLING_WORDS = frozenset(
    "the a an in on to of at by with from for it its is are was were your you my not and or same what that this here there too very".split()
)
# Words for a code itself: a number in their clause is one wherever it stands there, unless it counts something.
CODE_NAMED = (
    r"(?i:\b(?:passcode|passkey|unlocks with|pin (?:code|number|letter)|parental (?:lock|code|pin|thing|controls?))\b|\b(?:(?:my|the|a|our|his|her|card|sim|new) pin|(?:door|gate|alarm|entry|access|garage|ipad|tablet|security|bank|card|safe) code)(?=\s(?:is|was|at|for|on|which|that|still)\b|['’:,.]|\s?$))"
    r"|비번|비밀\s?번호|여는\s(?:번호|코드|숫자)|번호키|보조키|핀\s?(?:번호|코드)|(?:페어링|지갑|카드|유심)\s핀|(?<!공)암호(?!화|학|문)"
)
# "4419#", "7733*": nothing is counted like this, so that a lock in the clause is enough.
KEY_OF_A_KEYPAD = r"[#*]\d+[#*]?|\d+[#*]"
# "5561 then hash", "0505 gets them out of it", "5561 호출", "1 3 5 7 9 순서로 누르면", "2580 해 보면 열려": neither.
KEYED = r"\s(?i:(?:then|followed by|and)\s(?:hash|star|pound|enter)|(?:gets?|lets?)\s\w+\s(?:out|past))\b|\s?호출|\s순서로\s누|\s해\s?보면\s(?:열|풀)|(?:으로|로)\s해\s[놨뒀]"
# Prices, levels, counts and measures anywhere in the clause: the number may be one of them.
COUNTED = (
    r"(?i:\b(?:pa(?:id|y|ys|ying)|cost(?:s|ing)?|pric(?:e|es|ed)|spent|spend|charge[sd]?|fees?|sells?|sold|bought|refund\w*|budget|bills?|scor(?:e|es|ed)|points?|levels?|rank(?:s|ed)?|ral|colou?r|paint(?:ed)?|weigh(?:s|ed|t)?|measure[sd]?|holds?"
    r"|wide|tall|deep|long|high|messages|visits|steps|pages|pixels?|px|votes|ordered|limit|balance|salary|version|model|year|room|tent|rooms|o'clock|born|since|until)\b)"
    r"|[$€£₩]|가격|요금|비용|값|한도|픽셀|점수|레벨|무게|용량|높이|길이|너비|크기|사이즈|모델|주문|개수|인분|월세|까지"
)
# "I set the suitcase to 381", "캐리어는 381로"
THREE_DIGITS = (
    r"(?i:\b(?:suitcase|luggage|briefcase|bike lock|padlock)\b[^\n\d.?!\ue000]{0,24}?\s(?:is|to|on|at|opens with)\s|(?:캐리어|자물쇠|다이얼|여행가방|서류가방)(?:은|는|이|가)?\s?(?:[가-힣]{1,6}\s)?)"
    r"(?=(?P<value>\d{3})(?:[.,;!?]|\s*$|(?:이?야|로|으로|에|임|이고)(?![가-힣])|\s(?i:and|but|now)\b))"
)
# "exp 08/27 and the little code's 226", "유효기간 08/27이고 뒤에는 226"
CODE_AFTER_EXPIRY = r"(?i:\bexp[a-z]{0,8}\.?|유효\s?기간|만료일?)[^\n\d\ue000]{0,6}?(?:0[1-9]|1[0-2])\s?/\s?\d\d(?:\d\d)?(?=[^\n\d\ue000]{1,40}?(?P<value>(?!(?:19|20)\d\d)\d{3,4})(?![\d\ue000/:.]*\d)(?![A-Za-z원%]))"
COUNTS_BEFORE = (
    r"(?i:\b(?:in|since|until|till|from|by|about|around|over|under|nearly|almost|only|than|of|room|flat|apartment|suite|page|order|ticket|bus|flight|year|route|highway|invoice|extension|ext|number|no|issue|bug|a|the|an|all|every|costs?|paid|pay|worth|another|some|last|next|at|between|and|(?<!ed )(?<!set )to|weighs?|born|aged|model|part)\.?\s$"
    r"|[$€£₩#]\s?$)|(?:현금|지폐|잔돈|금액|돈|약|총|거의|한|무려|버스|주문번호|송장번호|전화|내선|해발|모델|기종|년도|가격은|요금은|우편번호|학번)\s$"
)
# What may follow a code: the end, or a word that says nothing of the number. Another may be what it counts.
CODE_STANDS = r"[)\"'”’]*(?:\s*$|[.,;:!?](?:\s|$)|\s(?i:and|but|so|then|followed|as|at|when|if|or|within|before|i|she|he|lol|is)\b)"
CODE_STANDS_KOREAN = r"[\"'”’]?(?:\s?(?:이?야|이?에요|예요|입니다|임|이?래|이?라고?|이고|인데|이던데|이더라|맞[지아나]|입력|[.,!?]|$)|\s?(?:으로|로)\s(?:해|바꿨|바꾸|설정|정했))"
# "set the kids' screen-time lock to 9134"
LOCK_SET_TO = (
    r"(?i:\b(?:set|changed?|switched|reset)\b)"
    rf"(?=[^\n.!?\d\ue000]{{0,36}}?\b(?i:lock|code|passcode|keypad|safe|padlock|combination)\s(?i:to)\s{_OPEN}{_CODE})"
)
# "the code for the back gate is 3391"
CODE_FOR = (
    r"(?i:\b(?:code|number|combination)\s(?:for|of|to|on)\s(?:the|my|our|his|her|their|mum's|mom's|dad's)\s)"
    rf"(?=(?P<gap>[^\n.!?,\d\ue000]{{1,30}}?)\s(?i:is|was)\s{_NOW}{_OPEN}{_CODE})"
)
CODE_OPENED = r"(?i:\b(?:printer|door|gate|garage|alarm|keypad|safe|vault|locker|lock|box|building|entrance|intercom|phone|tablet|ipad|shed|unit|lift|elevator|office|room)s?\b)"

# -- a password, further off or in other words -------------------------------------------------------------

_PASSWORD = r"(?i:(?<![A-Za-z])(?:pass[ -]?(?:word|phrase|code)|passwd|pwd|pw|pin)(?![A-Za-z_]))"
_KOREAN_PASSWORD = r"(?:비밀\s?번호|비번|(?<!공)암호(?!화|학|문|\s?화폐)|패스워드|패스코드|핀\s?번호)"
# "PIN for the debit card: seven two nine one", "체크카드 비밀번호 칠이구일"
_NUMBER_WORD = r"(?i:zero|oh|one|two|three|four|five|six|seven|eight|nine|double)"
DIGITS_SPELLED = (
    r"(?i:(?<![A-Za-z])(?:pass[ -]?(?:word|code)|pin|(?:door|gate|alarm|garage|entry|safe|lock)?\s?(?:code|combination)|pwd|pw|(?:smart\s)?lock|padlock|keypad|locker|alarm|gate|garage|safe|front door|back door)(?![A-Za-z_]))"
    rf"(?=[^\n.?!;\ue000]{{0,40}}?[\s:,-](?P<value>{_NUMBER_WORD}(?:[ ,-]{{1,2}}{_NUMBER_WORD}){{2,11}})(?![A-Za-z]))"
)
DIGITS_SPELLED_KOREAN = (
    rf"(?:{_KOREAN_PASSWORD}|현관|도어락|대문|금고|사물함|번호키|보조키|자물쇠|캐리어|출입문|보안|잠금)"
    r"(?=[^\n.?!;\ue000]{0,16}?[\s:](?P<value>[영공일이삼사오육륙칠팔구]{4,8})(?:이야|야|로|으로|임|입니다|이에요|예요|이고|라고|래|[.,!?\s]|$))"
)
# "새 암호는 파란고래춤춘다77 이거야", "비번 엄마생일에 느낌표 0512!"
KOREAN_AND_DIGITS = (
    rf"{_KOREAN_PASSWORD}(?:은|는|이|가)?\s?:?\s(?=[^\n\d.?!\ue000]{{0,16}}?(?:(?:이제|지금은|지금|그냥)\s)?"
    rf"{_OPEN}(?P<value>[가-힣]{{2,20}}(?:\d{{2,8}}[!@#$%^&*~]{{0,3}}(?![\d가-힣A-Za-z.,/%-])|\d{{1,8}}(?=(?:이?야|임|이?래|로)(?![가-힣])))))"
)
DIGITS_AND_SYMBOL = rf"(?:{_KOREAN_PASSWORD}|{_PASSWORD})(?=[^\n.?!;\ue000]{{0,24}}?\s(?P<value>\d{{3,8}}[!@#$^&*]{{1,3}})(?![\dA-Za-z]))"
# "safe combination: left 32, right 14, left 7", "금고는 왼쪽 32 오른쪽 14"
_TURN = r"(?i:left|right|clockwise|counter-?clockwise)"
DIAL = (
    r"(?i:\b(?:combination|combo|safe|vault|dial|lock(?:er)?|padlock)\b)"
    rf"(?=[^\n?!\d\ue000]{{0,36}}?(?P<value>{_TURN}\s(?i:to\s)?\d{{1,3}}(?:[ ,]{{1,3}}(?i:(?:and\s)?then\s)?{_TURN}\s(?i:to\s)?\d{{1,3}}){{1,4}}|\d{{1,3}}\s{_TURN}(?:[ ,]{{1,3}}(?i:(?:and\s)?then\s)?\d{{1,3}}\s{_TURN}){{1,4}}))"
)
DIAL_KOREAN = (
    r"(?:금고|다이얼|자물쇠|사물함|라커|락커)"
    r"(?=[^\n?!\d\ue000]{0,16}?(?P<value>(?:왼쪽|오른쪽|좌|우)(?:으?로)?\s?\d{1,3}(?:[ ,]{1,2}(?:왼쪽|오른쪽|좌|우)(?:으?로)?\s?\d{1,3}){1,4}))"
)
DIAL_DIGITS = r"(?i:\b(?:dial|combination|combo|locker|padlock)\b|다이얼|금고|자물쇠|사물함)(?=\s(?P<value>\d{1,2}-\d{1,2}-\d{1,2})(?![\d\ue000-]))"
# "locked out: star 5502 pound", "창고 문 별표 5502 샵"
STAR_CODE = r"(?i:\b(?:star|hash|pound|asterisk)\s|(?:별표|우물정자?|샵)\s?)(?=(?P<value>\d{3,8})(?![\d\ue000.,:/~-]*\d)(?![A-Za-z_%]))"

# -- answers, codes and numbers ---------------------------------------------------------------------------

# "they ask where I met my wife; I always put Kowloonferry", "첫 학교 묻는 질문엔 항상 솔숲초라고 적어": only questions that
# are asked to recognise somebody; what people put on other forms is a fact about them.
ANSWER_PUT = (
    r"(?i:\b(?:security question|ask(?:s|ed|ing)?\b[^\n.?!\ue000]{0,24}?\b(?:maiden name|met my|first (?:pet|school|car|teacher|street))|questions?\b[^\n.?!\ue000]{0,24}?\bmaiden name)\b)"
    r"(?=[^\n?!\ue000]{0,60}?\b(?i:i|we)\s(?:(?i:always|just|usually|only|still)\s)(?i:put|type|enter)\s(?:(?i:in|down)\s)?"
    r"(?P<open>[\"'`“‘*]{0,2})(?P<value>[^\s\ue000]{4,60}))"
)
ANSWER_PUT_KOREAN = (
    r"(?:(?:보안|비밀|본인\s?확인|비번|비밀번호|첫\s?(?:학교|반려견|강아지|고양이)|어릴\s?때\s별명|(?:어머니|엄마)\s?성함|보물)\s?[^\n.?!\ue000]{0,8}?)"
    r"(?:질문|힌트|물으면|물어보면|묻는\s?데)(?:에서?|엔|에는|은|는|이면)?\s(?:(?:나는|난|내가)\s)?(?:항상|늘|언제나|무조건|맨날)\s"
    r"(?=[\"'“‘]?(?P<value>[가-힣A-Za-z0-9]{2,12}?)[\"'”’]?(?:이?라고|으로|로)\s(?:적|써|쓰|입력|넣|답해\s?[뒀놨두놓둬]))"
)
QUESTION_ASKED = (
    r"(?i:\b(?:maiden name|first pet|first school|first car|childhood (?:friend|nickname|home)|favou?rite teacher|security question)\b)"
    r"(?=[^\n.?!\ue000]{0,60}?\b(?i:put|gave|give|told|entered|typed|answered|answer|said|say|wrote|write)\s(?:(?i:them|it|in|with|him|her|down)\s)?"
    r"(?P<open>[\"'`“‘*]{0,2})(?P<value>[A-Z0-9][^\s\ue000]{2,40}))"
)
SECURITY_ANSWER = (
    r"(?i:\b(?:answer\s(?:to|for)\s[^\n.?!\ue000]{0,24}?(?:security|secret|recovery|challenge)\squestion|(?:security|secret)\sanswer)s?\b)"
    r"(?=(?:\s(?i:for|to|on|at)\s[^\n.?!:\ue000]{1,30}?)?(?:\s(?i:is|was)|:)\s(?P<open>[\"'`“‘*]{0,2})(?P<value>[^\s\ue000]{3,60}))"
)
# 'They want a memorable word. I went with "Saltmarsh".'
QUOTED_WORD = r"(?i:\b(?:memorable|safe|secret|code|security|magic|duress)\s(?:word|name|place|phrase)s?\b|암구호|암호말)(?=[^\n?\"“\ue000]{0,60}?[\"“](?P<value>[^\n\"”\ue000]{3,40})[\"”])"
SOCIAL_NEAR = r"(?i:\b(?:socials?|ssns?|w-?[49]|taxes|irs)\b)(?=[^\n\d\ue000]{0,8}?\d?[^\n\d]{0,30}?(?P<value>\d{3}-\d{2}-\d{4})(?![\d-]))"
SECURITY_ANSWER_KOREAN = (
    r"(?:보안|비밀|비번|비밀\s?번호|본인\s?확인|복구)\s?(?:질문|힌트|문제)(?:의|에|은|는)?\s?(?:답|정답|대답|답변)(?:은|는|이)?\s?:?\s"
    r"(?=[\"'“‘]?(?P<value>[가-힣A-Za-z0-9]{2,10}?)[\"'”’]?(?:이야|야|임|이고|예요|이에요|입니다|이래|래|,|\.|\s*$))"
)
NO_ANSWER = r".*(?:[어아해요지네음까]|다|못|안|모름|기억)"
CARD_BACK = (
    r"(?i:\b(?:(?:three|3|four|4|last three)\s(?:digits?|numbers?)\s(?:on|at)\sthe\s(?:back|front|signature strip)[^\n\d\ue000]{0,36}?(?:is|are|was|were|:)|(?:security\s)?code\s(?:on|at)\sthe\s(?:back|front)(?:\sof\s(?:it|the\scard))?(?:\sis|:)?)\s)"
    r"(?=(?P<value>\d{3,4})(?![\d\ue000]))"
)
CARD_BACK_KOREAN = r"(?:뒷면|뒤|뒤에|서명란)\s?(?:에\s?)?(?:있는\s|적힌\s)?(?:숫자\s)?(?:세|3|네|4)\s?자리(?:\s?숫자)?(?:은|는|가|이)?\s?:?\s?(?=(?P<value>\d{3,4})(?![\d\ue000]))"
# "the bank texted me 604981", "방금 문자로 온 482913 넣었어", "code just came through: 482 913"
TEXTED_CODE = (
    r"(?i:\b(?:texted|messaged|emailed|sent|sms(?:ed)?)\s(?:me|us|you|him|her)\s(?:(?:a|the|this)\s)?(?:code\s|number\s)?(?:of\s|saying\s)?"
    r"|\b(?:login|sign-?in|verification|bank|sms|2fa|auth)\s(?:text|message|sms)\b[^\n.?!\d\ue000]{0,16}?"
    r"|\b(?:authenticator|generator|token|duo|okta)\s(?:app\s)?(?:says|shows|reads|gives|said|showed)\s|\b(?:code|digits)\s(?:that\s|which\s)?(?:(?:just|it|they|google|apple|the bank|my bank|the app)\s){0,2}(?:came|arrived|popped up|sent|texted|showed up|i (?:got|received))[^\n.?!\d\ue000]{0,30}?)[\s(:,-]{0,3}"
    r"(?=(?P<value>\d{6}|\d{3}[ -]\d{3}|[A-Z]-\d{6})(?![\d\ue000])(?!\s(?i:won|dollars|people|times|euros|krw|usd)))"
)
TEXTED_CODE_KOREAN = (
    r"(?:인증\s?(?:문자|메시지|톡)(?:에|가|는)?\s?:?\s"
    r"|(?:문자|카톡|알림톡|메일|전화)(?:로|에|으로)?\s?(?:방금\s|지금\s)?(?:온|왔는데|왔어|받은|날아온|날아왔는데|뜬|찍힌)\s?(?:(?:거|건|게|숫자|번호|코드|여섯\s?자리|6자리)(?:는|은|가)?\s?)?[:,.]?\s?)"
    r"(?=(?P<value>\d{6}|\d{3}[ -]\d{3})(?![\d\ue000원]))"
)
# "the one-time code they texted me was 662 914"
ONE_TIME_CLAUSE = (
    r"(?i:(?<![A-Za-z])(?:otp|one[- ]?time\s(?:code|password|pin)|verification\scode|auth(?:entication)?\scode|login\scode|2fa\scode|sms\scode))"
    r"(?=[^\n\d.?!\ue000]{1,40}?(?:\s(?i:is|was)|\s?:)\s(?P<value>\d{3,4}[ -]?\d{0,4}\d)(?![\d\ue000]))"
)
# "backup codes for github: 4f8a1-9c2e0, b71d3-0a5fe"
_GROUPS = r"[A-Za-z0-9]{4,12}(?:-[A-Za-z0-9]{4,12}){1,7}"
RECOVERY_FOR = (
    r"(?i:(?<![A-Za-z])(?:recovery|back-?up|rescue|emergency|scratch)\s(?:codes?|keys?)|복구\s?(?:코드|키|번호)|백업\s?(?:코드|키))"
    rf"(?=[^\n.?!\ue000]{{0,40}}?[\s:](?:[\ue000\s,/·]|(?:이랑|랑|하고|와|과|and)\s){{0,400}}(?P<value>(?=[A-Za-z-]{{0,40}}\d){_GROUPS})(?![A-Za-z0-9-]))"
)
# "구글에서 온 코드 G-482910"
GOOGLE_CODE = (
    r"(?i:code|google|verif|코드|구글|인증)(?=[^\n\ue000]{0,30}?(?<![A-Za-z0-9-])(?P<value>G-\d{6})(?![\d-]))"
)
# "press 1 9 7 3 then enter", "7406 누르고": nobody presses four digits but on a lock
PRESSED = (
    r"(?i:\b(?:press|punch(?:ed)?(?: in)?|key(?:ed)? in|tap(?:ped)? in|put in|typed? in)\s)"
    r"(?=(?P<value>[#*]?\d(?:[ -]?\d){3,7}[#*]?)(?![\d\ue000.,:/~-]*\d)(?:[.,;!]|\s*$|\s(?i:and|then|to|on|at|for|when|until|before|as|into|in)\b))"
)
PRESSED_KOREAN = r"(?<![\d\ue000A-Za-z-])(?!1[5-8]\d\d-)(?P<value>[#*]?\d(?:[ -]?\d){3,7}[#*]?)(?=\s?(?:을|를|만|으로|로)?\s?(?:길게\s|먼저\s)?(?:누르|눌러|눌렀|누른))"
# "backup codes are 4821 9930, 7712 0045"
RECOVERY_DIGITS = (
    r"(?i:(?<![A-Za-z])(?:recovery|back-?up|rescue|emergency|scratch)\s(?:codes?|keys?)|복구\s?(?:코드|키|번호)|백업\s?(?:코드|키))"
    r"(?=[^\n.?!\d\ue000]{0,40}?[\s:](?:[\ue000\s,/·]|(?:이랑|랑|하고|와|과|and)\s){0,400}(?P<value>\d{4}[ -]?\d{4}|\d{3}[ -]\d{3})(?![\d\ue000]))"
)
# a card whose check digit is wrong: "카드 번호 불러줄게 5412 7534 9921 0043"
CARD_IN_GROUPS = (
    r"(?i:(?:card|visa|mastercard)\s(?:number|no\.?|digits)|\b(?:visa|mastercard)(?=:?\s\d)|카드\s?번호|카드)"
    r"(?=[^\n\d\ue000]{0,24}?(?P<value>\d{4}([ -])\d{4}\2\d{4}\2\d{4})(?![\d\ue000-]))"
)
# 'our drive is locked with "correct pony battery 9"', "압축은 '파란 고래 춤' 치면 풀려"
QUOTED_OPENING = (
    r"(?i:\b(?:locked|unlock(?:s|ed)?|opens?|opened|protected|encrypted|logs? (?:in|on)|signs? in|gets? (?:you |me |us )?in(?:to [^\n.?!\ue000]{1,24}?)?|lets? (?:you|me|us) in)\b)"
    r"(?=[^\n.?!\"“\ue000]{0,30}?\b(?i:with|using|by|after|when|if|unless|enter|type|say)\b[^\n.?!\"“\ue000]{0,20}?[\"“](?P<value>[^\n\"”\ue000]{4,60})[\"”])"
)
QUOTED_TYPED_KOREAN = r"[\"'“‘](?=(?P<value>[^\n\"'”’\ue000]{4,40})[\"'”’]\s?(?:이?라고|을|를|만|으로|로)?\s?(?:치|쳐|입력|넣)[가-힣]{0,3}\s?(?:[가-힣]{1,4}\s)?(?:열|풀|들어[가오와]|로그인|접속|켜|해제))"
# "the passphrase is marmot under seven bridges"
PASSPHRASE_WORDS = (
    r"(?i:\bpass\s?phrase(?:[^\n:.?!\ue000]{0,36}?\s(?:is|was|now)|:))\s(?:(?i:now|still|just)\s)?"
    r"(?=(?P<value>[A-Za-z]{2,12}(?:[ -][A-Za-z0-9]{1,12}){2,7})[.,;!]?\s*(?:$|\n|[.,;!]))"
)
# "network key Ab3...", "psk ..."
NETWORK_KEY = r"(?i:\b(?:psk|wpa2?\s?key|(?:network|wi-?fi|security)\skey)\b)(?=(?:\s(?i:is|was)|\s?[:=])?\s{1,2}(?P<open>[\"'`“‘*]{0,2})(?P<value>[^\s\ue000]{6,63}))"
# "1472 gets you through the side gate", "8820 opens the shed"
CODE_FIRST = r"(?:(?<=^)|(?<=[.!?;:]\s)|(?<=\n))(?=(?P<value>[#*]?\d(?:[ -]?\d){3,7}[#*]?)(?![\d\ue000.,:/~-]*\d)\s(?i:gets?|opens?|unlocks?|lets?|disarms?|works (?:on|for)|will (?:open|unlock|get|let|disarm)|for|is)\s(?P<gap>[^\n.!?\ue000]{1,40}))"
# "CVV on the new card is 907"
CARD_SECURITY_CLAUSE = r"(?i:(?<![A-Za-z])(?:cvc|cvv|cvn|csc)2?)(?=\s[^\n\d.?!\ue000]{1,30}?\s(?i:is|was)\s(?P<value>\d{3,4})(?![\d\ue000]))"
# "employee door code C4471"
CODE_WITH_LETTER = (
    r"(?i:\b(?:door|gate|entry|access|alarm|building|passcode|keypad)\s?(?:code|passcode)?|(?:출입|현관|도어락|보안|경비)\s?(?:문|카드)?\s?(?:코드|번호|비번))"
    r"(?:\s(?i:is|was|now)|은|는|이|가)?\s?:?\s(?=(?P<value>[A-Z]\d{3,6}[#*]?)(?![A-Za-z0-9-]))"
)
# "jo@mail.com, Pebble2020"
AFTER_EMAIL = rf"@[A-Za-z0-9.-]{{2,60}}\.[A-Za-z]{{2,10}}(?:\s?[,/:|])?\s{{1,2}}(?:(?i:and|with|pass|비번)\s)?(?={_OPEN}(?P<value>(?=[!-~]{{0,40}}\d)[!-~]{{6,64}}))"
# "9f8b2c... as the key", "9f8b2c... 이게 키야"
KEY_AFTER_VALUE = (
    r"(?<![!-~\ue000])[\"'`(]?(?P<value>[A-Za-z0-9_-]{20,200})(?=[\"'`)]?(?:,?\s(?i:as|is|that's)\s(?i:the|my|our|your|its)\s(?i:(?:api|secret|access)\s)?(?i:key|token|secret)\b"
    r"|\s?(?:이|가|이게|이거|이거가)?\s?(?i:api\s?)?(?:키|토큰)(?:야|이야|다|임|예|입|고|로)))"
)
BITLOCKER = r"(?<![\d\ue000-])(?P<value>\d{6}(?:-\d{6}){7})(?![\d-])"
MEDICARE = r"(?i:medicare|\bmbi\b)(?=[^\n\d\ue000]{0,24}?(?P<value>[1-9][A-Z][A-Z0-9]\d-?[A-Z][A-Z0-9]\d-?[A-Z]{2}\d{2})(?![A-Za-z0-9]))"
TAX_ID = r"(?i:\btax\s(?:id|identification)(?:\snumber)?|taxpayer\s(?:id|number)|\btin\b)(?=[^\n\d\ue000]{0,16}?(?P<value>\d{3}-\d{2}-\d{4}|\d{2}-\d{7})(?![\d-]))"
HEALTH_INSURANCE_KOREAN = (
    r"(?:건강\s?보험|의료\s?보험)(?:증)?\s?(?:번호)?(?=[^\n\d\ue000]{0,8}?(?P<value>\d-?\d{10})(?![\d-]))"
)
NATIONAL_INSURANCE = (
    r"(?i:national\sinsurance|(?<![A-Za-z])nino(?![A-Za-z])|\bNI\snumber)"
    r"(?=[^\n\d\ue000]{0,24}?(?<![A-Za-z])(?P<value>[A-Z]{2}\s?\d{2}\s?\d{2}\s?\d{2}\s?[A-D])(?![A-Za-z0-9]))"
)
GREEN_CARD = (
    r"(?i:green\scard|permanent\sresident\scard|uscis|alien\s(?:registration\s)?number)"
    r"(?=[^\n\d\ue000]{0,24}?(?<![A-Za-z])(?P<value>[A-Z]{3}\d{10}|A?\d{9})(?![A-Za-z0-9]))"
)
SEED_PHRASE_KOREAN = (
    r"(?:시드\s?(?:문구|구문|단어)|니모닉|복구\s?(?:문구|구문|단어))(?:은|는|이|가)?\s?:?\s"
    r"(?=(?P<value>[가-힣]{1,5}(?:[ ,]{1,2}[가-힣]{1,5}){11,23})(?![가-힣]))"
)
# Most words of a sentence end like this, and few of the list of such words (가을, 창고).
LIKE_A_SENTENCE = 1 / 3
NOT_A_SEED_WORD = r".{1,4}(?:은|는|을|를|에|서|고|도|만|지|면|야|어|아|다|요|했|로|까지|부터|처럼)"
# A word and digits (dragonfruit2019): a secret only in the place of a value, in a clause that tells of unlocking.
PLAIN_WORD = r"[A-Za-z]{4,20}\d{2,8}|[a-z]{8,20}\d|[a-z]{3,12}[A-Z][a-z]{2,12}\d|[a-z]{3,12}\d{1,4}[a-z]{1,12}|[A-Z][a-z]{2,14}(?:[._-][A-Z]?[a-z]{2,14})*[._-](?!(?:19|20)\d\d$)\d{1,4}"
KNOWN_NAME = (
    r"(?i:(?:ubuntu|debian|fedora|windows?|win|office|excel|word|outlook|chrome|ios|android|iphone|ipad|galaxy|macos|pixel|note|model|room|gate|flight|bus|route|chapter|season"
    r"|version|ver|rev|part|port|wlan|eth|usb|type|level|lv|team|unit|zone|area|group|class|grade|iptime|server|node|host|pc|web|vm|build|plan|step|page|item|day|week|year)\d+\w*)"
)
PLACE_BEFORE = r"(?i:\b(?:in|on|into|onto|from|of|at|by|for|via|the|a|an|and|or|than|about|my|our|your|this|that|new|(?<!ed )to)\s[\"'`(]?$)"
TYPED_KOREAN = r"[\"'`’”]?\s?(?:이?라고|으로|로|을|를|만)?\s?(?:(?:이걸로|이거|다시|먼저|그대로)\s)?(?:치면|치고|쳐|입력|넣으면|넣고|넣어|들어[가오와]|로그인|접속|열려|열면|열어|풀려|풀면|풀어|하나로|쓰는데|쓰면|쓰고|써(?![가-힣])|썼|적으면|맞추면)"
NAMED_KOREAN = r"[\"'`’”]?\s?(?:이?야|임|입니다|이?에요|예요|이고|이래|래|인데|이더라|더라|ㅇㅇ)(?:[\s.,!?]|$)|\s?(?:으로|로)\s?(?:바꿨|바꿈|해놨|해뒀|설정|통일)"
IDENTITY = r"(?i:\b(?:user(?:name)?|user ?id|handle|nick\w*|account name|player|gamertag)\b[^\n,;.!?]{0,30}$)"
IDENTITY_KOREAN = r"(?:아이디|닉네임|이름|버전|모델|기종|주소|채널)(?:은|는|이|가|을|를|에|도|에는|란에)?\W{0,2}$"
OPENED_KOREAN = r"털리|털렸|돌려\s?[썼쓰]|비번|비밀\s?번호|(?<!공)암호(?!화|학|문)|패스워드|잠금|열려|열리|열면|열어|풀려|풀리|풀면|풀어|들어[가오와]|로그인|접속|관리자|계정|압축|해제"
OPENED = (
    r"(?i:\b(?:unlock\w*|pass(?:word|code|phrase)s?|pw|pwd|log(?:s|ged|ging)?[ -]?(?:in|on|into)|logins?|sign(?:s|ed|ing)?[ -]?(?:in|on|into)|g[eo]t(?:s|ting)? (?:back |past )?in(?:to)?(?! touch)|lets? \w+ in(?:to)?"
    r"|locked|credentials?|hacked|wi-?fi|hotspot|vpn|(?:won't|doesn't|will|only) open|breach(?:ed)?|leaked|reused?|for (?:absolutely )?everything)\b)"
)
# A name with a number, an exclamation at the end of a sentence, an issue: secrets only where something is unlocked.
PERHAPS_A_NAME = r"[A-Za-z]+\d+!+|[A-Za-z]+#\d+|[A-Za-z]+\d{1,4}[A-Za-z]"
# Begins with a word and holds nothing that programs and formulas do: needs less evidence.
WORD_AND_SIGNS = r"(?=\S{0,40}\d)(?=\S{0,40}[!#$%^&])[A-Za-z]{3}[A-Za-z0-9!#$%^&_.-]{5,37}"
# Words and a number joined, not all in small letters as in the names of files: kestrel-Vowel-93.
THREE_PARTS = r"(?=\S{0,40}[A-Z])[A-Za-z]{3,}(?:[._-][A-Za-z]{3,}){1,3}[._-](?!(?:19|20)\d\d$)\d{1,4}"
DOT_AND_YEAR = r"[A-Za-z]{3,20}[.:](?:[A-Za-z]{2,20}\d{1,4}|\d{2,8})[!@#$%^&*]+"
# What people write for the word itself.
PASSWORD_AS_VALUE = r"(?i:p[a@4][s5$]{2}w[o0]rd(?=\S*\d)\S*)"
# A digit in the place of a letter: Passw0rd, F1ddlesticks.
DIGIT_FOR_LETTER = r"\S*[A-Za-z][0134578@$]{1,2}[A-Za-z]\S*"
# Names of models, networks and versions: RT-AX86U, AX3000, Python3.12.
MODEL_LIKE = (
    r"[A-Z0-9_-]+!?|[A-Za-z]+\d+(?:\.\d+)*|\d{1,4}[A-Za-z]{1,6}|[a-z0-9]+(?:[-._/][a-z0-9]+)+|0[xX][0-9A-Fa-f]+|[A-Za-z]+-\d{1,4}[A-Za-z]?|.*\+\+.*"
    r"|\S+\.(?:com|net|org|io|kr|py|ts|js|txt|md|pdf|json|jsonl|gz|xz|zip|db|log|csv|png|jpg)"
)

# -- hints: a text must contain one of these, in lower case, before a rule is tried -----------------------------------

LOCK_SET_HINTS = ("lock", "code", "keypad", "safe", "combination")
CODE_FOR_HINTS = ("code for", "code of", "code to", "code on", "number for", "number of", "number to", "combination")
DIAL_HINTS = tuple("combination combo safe vault dial lock 금고 다이얼 자물쇠 사물함 라커 락커".split())
PRESSED_HINTS = tuple("press punch key tap put typ".split())
THREE_HINTS = tuple("suitcase luggage briefcase lock 캐리어 자물쇠 다이얼 가방".split())
STAR_HINTS = tuple("star hash pound asterisk 별표 우물정 샵".split())
SPELLED_HINTS = tuple("pass pin code combination pwd pw lock keypad alarm gate garage safe door".split())
SPELLED_HINTS_KOREAN = tuple(
    "비밀 비번 암호 패스 핀 현관 도어락 대문 금고 사물함 번호키 보조키 자물쇠 캐리어 출입문 보안 잠금".split()
)
QUESTION_HINTS = tuple("maiden pet school car childhood teacher question".split())
ANSWER_HINTS = ("answer",)
ANSWER_HINTS_KOREAN = ("질문", "힌트", "문제")
PUT_HINTS = ("ask", "question")
PUT_HINTS_KOREAN = tuple("질문 힌트 물으면 물어보면 묻는".split())
TEXTED_HINTS = tuple(
    "text message texted messaged emailed sent sms code digits authenticator generator token duo okta".split()
)
TEXTED_HINTS_KOREAN = tuple("문자 카톡 알림톡 메일 전화".split())
CARD_GROUP_HINTS = tuple("card visa 카드".split())
QUOTED_HINTS = tuple(
    "locked unlock open protected encrypted log in logs in log on sign in signs in get in gets let".split()
)
NETWORK_HINTS = tuple("psk key".split())
FIRST_HINTS = tuple("get open unlock let disarm works for is".split())
SEED_HINTS_KOREAN = ("시드", "니모닉", "복구")
