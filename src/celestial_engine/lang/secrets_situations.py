r"""Patterns of secrets that are told by what they open: "my phone unlocks with 830216", "공유기는 Gr4ntham!! 치고 들어가".

Pinned by the digest of lang/secrets.py. Lookaheads are bounded and little is consumed, so that any input is scanned
in linear time. \ue000 marks text that is already redacted. A named group `value` is what is redacted.
"""

from __future__ import annotations

_OPEN = r"[\"'`“‘「『*(]{0,3}"
_DIGITS = r"(?P<value>[#*]?(?:\d(?: \d){3,7}(?!\d)|\d{3,4} \d{3,4}(?!\d)|\d(?:-?\d){3,7})[#*]?)"
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
    r"|(?:get|gets|got|let|lets|lets? \w+) in(?:to)?|locked out|wi-?fi|hotspot|vpn|credentials?|hacked|guest network|join the [a-z ]{0,20}network)\b)"
    r"|비번|비밀\s?번호|암호|패스워드|잠금|열려|열리|열면|풀려|풀리|들어[가오와]|로그인|접속|와이파이|핫스팟|(?i:vpn)|털려|털렸|해킹|누르고|누르면|눌러|입력|치고|치면"
)
SERVICES = (
    r"(?i:\b(?:accounts?|log|sites?|shops?|server|drive|apps?|portal|payroll|zip|archive|printer|laptop|tablet|phone|computer|kindle|ipad|till|box|bank|every(?:thing|where)"
    r"|lock(?:s|ed|er|ers)?|keypad|padlock|alarm|intercom|override|voicemail|combination|combo|safe|router|wlan|network|admin|root|master|opens?|opened|door|gate|garage"
    r"|netflix|disney|hulu|spotify|prime|youtube|gmail|icloud|apple|outlook|hotmail|facebook|instagram|twitter|tiktok|discord|slack|zoom|paypal|ebay|steam|github"
    r"|bitwarden|lastpass|keepass|nas|staging|plex|ring|guest|user|email|mail)\b)"
    r"|계정|사이트|쇼핑몰|서버|드라이브|포털|앱|프린터|노트북|태블릿|컴퓨터|폰|아이패드|패드|킨들|은행|카드|통장|열어|풀어|해제|도어락|현관|금고|자물쇠|사물함|공유기|관리자"
    r"|거의 다|전부|모든|모두|어디든|넷플릭스|디즈니|티빙|웨이브|왓챠|쿠팡|스포티파이|멜론|지메일|네이버"
    r"|카톡|카카오|인스타|페북|디스코드|슬랙|줌|페이팔|스팀|깃허브|비트워든|스테이징|게스트|압축|메일|플렉스|초인종|학번|유튜브"
)
HANDED_OVER = (
    r"(?i:\b(?:new|old) one|\bchanged\b|\bremember\b|\bkeep (?:this|it)\b|\bnote\b|\b(?:re)?use[sd]?\b|\btyp(?:e|es|ed|ing)\b|\bnow\b|\bstill\b|\bpicked\b|\bneed\b|\bsame\b)"
    r"|바꿨|바꿈|바꾸|기억해|적어|메모|써\b|쓰면|쓰세요|써요|이걸로|정했|새\s|예전|필요한"
)
# Words after which such a value is the name of something.
NAMES_SOMETHING = (
    r"(?i:\b(?:user(?:name)?|user id|id|handle|nick\w*|called|named|name|model|version|v|flight|order|serial|ticket|issue|bug|commit|branch|hash|part|sku|tracking|room|seat"
    r"|file|release|build|episode|season|chapter|channel|server is|bus|route|platform|gate|version)\b\W{0,3}(?:(?:is|was|no|number|of|the)\W{1,2}){0,2}$)"
    r"|(?:아이디|닉네임|이름|모델|버전|편명|주문|번호판|파일|버스|열차|호선|기종|채널|학번|송장)(?:명|번호)?(?:은|는|이|가|도)?\W{0,2}$"
)
# Lines of programs: assignments there have rules of their own.
CODE_LINE = r"[{};<>\\|=]|\w\(|\)\s*:$|::|->|^\s*[#$>]|https?://"
# Digits are a code only right after such a word, or before such a verb.
CODE_LEADS = (
    r"(?i:(?:\b(?:is|was|as|are|with|wants|needs|takes|using|code|pin|passcode|(?:punch|type|key|put|tap)\w* in|press|type|enter|dial|still|it's|override|use|(?:opens?|unlocks?|disarms?) on)|'s|[:=,])\s?[\"'(`]?$)"
    r"|(?:은|는|이|가|번호|코드|비번|핀|초기번호|패드|금고|자물쇠|:|아이패드|태블릿|폰|킨들|노트북)\s?[\"'(`]?$"
)
CODE_LOCKS = (
    r"(?i:\b(?:unlock\w*|lock(?:s|ed|er|box|out)?|passcode|pin|keypad|padlock|alarm|intercom|override|voicemail|combination|combo|safe(?=(?:'s|:|,)|\s(?:is|was|code|opens?|door|lock|at|in|takes|needs|wants))|doors?|gate|garage|vault|disarm\w*|sim"
    r"|lets? (?:\w+self|\w+selves|you|me|us) in|screen[ -]time|opens?|asks? for (?:a|the|my) (?:code|pin|passcode|number)|(?:phone|tablet|ipad|kindle|laptop|printer) (?:code|needs|wants|takes|opens))\b|\bfor the (?:phone|tablet|i?pad|kindle|laptop|printer|alarm)\b)"
    r"|비번|비밀\s?번호|잠금|열려|열리|풀려|풀리|들어[가오와]|해제|도어락|현관|대문|금고|자물쇠|사물함|열쇠함|락커|라커|출입|경비|경보|유심|음성사서함|태블릿|아이패드|킨들|화면|차고|(?<!공)암호(?!화|학|문)|패스워드|패스코드|간편\s?번호|패드"
)
CODE_TYPED_KOREAN = rf"{_TO}(?:{_TYPING_KOREAN}|{_OPENING_KOREAN})|(?:이?야|이?고|이래|임|입니다|이에요|예요|이었)|\s?(?:으로|로)\s?(?:바꿨|바꿈|해뒀|해놨|설정|정했|했)|에서\s?[#*]?\d|\s(?:까먹|잊|기억해|적어|메모)"
CODE_ENDS = r"[)\"'”’]*(?:[.,;!?]*\s*$|[.,;!?]\s|\s*\n|\s(?:and|but|so|for|to|when|if|then|or|until|within|before|at the|on the)\b)"
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
    r"(?i:(?<![A-Za-z])(?:pass[ -]?(?:word|code)|pin|(?:door|gate|alarm|garage|entry|safe|lock)?\s?(?:code|combination)|pwd|pw)(?![A-Za-z_]))"
    rf"(?=[^\n.?!;\ue000]{{0,40}}?[\s:,-](?P<value>{_NUMBER_WORD}(?:[ ,-]{{1,2}}{_NUMBER_WORD}){{2,11}})(?![A-Za-z]))"
)
DIGITS_SPELLED_KOREAN = (
    rf"(?:{_KOREAN_PASSWORD}|현관|도어락|대문|금고|사물함)"
    r"(?=[^\n.?!;\ue000]{0,16}?[\s:](?P<value>[영공일이삼사오육륙칠팔구]{4,8})(?:이야|야|로|으로|임|입니다|이에요|예요|이고|라고|래|[.,!?\s]|$))"
)
# "새 암호는 파란고래춤춘다77 이거야", "비번 엄마생일에 느낌표 0512!"
KOREAN_AND_DIGITS = rf"{_KOREAN_PASSWORD}(?:은|는|이|가)?\s?:?\s(?=(?:(?:이제|지금|그냥)\s)?{_OPEN}(?P<value>[가-힣]{{2,20}}\d{{2,8}}[!@#$%^&*~]{{0,3}})(?![\d가-힣A-Za-z.,/%-]))"
DIGITS_AND_SYMBOL = rf"(?:{_KOREAN_PASSWORD}|{_PASSWORD})(?=[^\n.?!;\ue000]{{0,24}}?\s(?P<value>\d{{3,8}}[!@#$^&*]{{1,3}})(?![\dA-Za-z]))"
# "safe combination: left 32, right 14, left 7", "금고는 왼쪽 32 오른쪽 14"
_TURN = r"(?i:left|right|clockwise|counter-?clockwise)"
DIAL = (
    r"(?i:\b(?:combination|combo|safe|dial|lock(?:er)?|padlock)\b)"
    rf"(?=[^\n?!\d\ue000]{{0,36}}?(?P<value>{_TURN}\s(?i:to\s)?\d{{1,3}}(?:[ ,]{{1,3}}(?i:(?:and\s)?then\s)?{_TURN}\s(?i:to\s)?\d{{1,3}}){{1,4}}))"
)
DIAL_KOREAN = (
    r"(?:금고|다이얼|자물쇠|사물함|라커|락커)"
    r"(?=[^\n?!\d\ue000]{0,16}?(?P<value>(?:왼쪽|오른쪽|좌|우)(?:으로)?\s?\d{1,3}(?:[ ,]{1,2}(?:왼쪽|오른쪽|좌|우)(?:으로)?\s?\d{1,3}){1,4}))"
)
DIAL_DIGITS = r"(?i:\b(?:dial|combination|combo|locker|padlock)\b|다이얼|금고|자물쇠|사물함)(?=\s(?P<value>\d{1,2}-\d{1,2}-\d{1,2})(?![\d\ue000-]))"
# "locked out: star 5502 pound", "창고 문 별표 5502 샵"
STAR_CODE = r"(?i:\b(?:star|hash|pound|asterisk)\s|(?:별표|우물정자?|샵)\s?)(?=(?P<value>\d{3,8})(?![\d\ue000.,:/~-]*\d)(?![A-Za-z_%]))"

# -- answers, codes and numbers ---------------------------------------------------------------------------

SECURITY_ANSWER = (
    r"(?i:\b(?:answer\s(?:to|for)\s[^\n.?!\ue000]{0,24}?(?:security|secret|recovery|challenge)\squestion|(?:security|secret)\sanswer)s?\b)"
    r"(?=(?:\s(?i:for|to|on|at)\s[^\n.?!:\ue000]{1,30}?)?(?:\s(?i:is|was)|:)\s(?P<open>[\"'`“‘*]{0,2})(?P<value>[^\s\ue000]{3,60}))"
)
SECURITY_ANSWER_KOREAN = (
    r"(?:보안|비밀|비번|비밀\s?번호|본인\s?확인|복구)\s?(?:질문|힌트|문제)(?:의|에|은|는)?\s?(?:답|정답|대답|답변)(?:은|는|이)?\s?:?\s"
    r"(?=[\"'“‘]?(?P<value>[가-힣A-Za-z0-9]{2,10}?)[\"'”’]?(?:이야|야|임|이고|예요|이에요|입니다|이래|래|,|\.|\s*$))"
)
NO_ANSWER = r".*(?:[어아해요지네음까]|다|못|안|모름|기억)"
CARD_BACK = (
    r"(?i:\b(?:three|3|four|4|last three)\s(?:digits?|numbers?)\s(?:on|at)\sthe\s(?:back|front|signature strip)[^\n\d\ue000]{0,36}?(?:is|are|was|were|:)\s)"
    r"(?=(?P<value>\d{3,4})(?![\d\ue000]))"
)
CARD_BACK_KOREAN = r"(?:뒷면|뒤|뒤에|서명란)\s?(?:에\s?)?(?:있는\s|적힌\s)?(?:숫자\s)?(?:세|3|네|4)\s?자리(?:\s?숫자)?(?:은|는|가|이)?\s?:?\s?(?=(?P<value>\d{3,4})(?![\d\ue000]))"
# "the one-time code they texted me was 662 914"
ONE_TIME_CLAUSE = (
    r"(?i:(?<![A-Za-z])(?:otp|one[- ]?time\s(?:code|password|pin)|verification\scode|auth(?:entication)?\scode|login\scode|2fa\scode|sms\scode))"
    r"(?=[^\n\d.?!\ue000]{1,40}?\s(?i:is|was|:)\s(?P<value>\d{3,4}[ -]?\d{0,4}\d)(?![\d\ue000]))"
)
# "backup codes for github: 4f8a1-9c2e0, b71d3-0a5fe"
_GROUPS = r"[A-Za-z0-9]{4,12}(?:-[A-Za-z0-9]{4,12}){1,7}"
RECOVERY_FOR = (
    r"(?i:(?<![A-Za-z])(?:recovery|back-?up|rescue|emergency|scratch)\s(?:codes?|keys?)|복구\s?(?:코드|키|번호)|백업\s?(?:코드|키))"
    rf"(?=[^\n.?!\ue000]{{0,40}}?[\s:](?:[\ue000\s,/·]|(?:이랑|랑|하고|와|과|and)\s){{0,400}}(?P<value>(?=[A-Za-z-]{{0,40}}\d){_GROUPS})(?![A-Za-z0-9-]))"
)
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
NOT_A_SEED_WORD = r".{1,4}(?:은|는|을|를|에서|해서|하고|했|해요|어요|아요|니다|지만|으로|까지|부터|처럼)"
# A name with a number, an exclamation at the end of a sentence, an issue: secrets only where something is unlocked.
PERHAPS_A_NAME = r"[A-Za-z]+\d+!+|[A-Za-z]+#\d+|[A-Za-z]+\d{1,4}[A-Za-z]"
DOT_AND_YEAR = r"[A-Za-z]{3,20}\.\d{2,8}[!@#$%^&*]+"
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
DIAL_HINTS = tuple("combination combo safe dial lock 금고 다이얼 자물쇠 사물함 라커 락커".split())
STAR_HINTS = tuple("star hash pound asterisk 별표 우물정 샵".split())
SPELLED_HINTS = tuple("pass pin code combination pwd pw".split())
SPELLED_HINTS_KOREAN = tuple("비밀 비번 암호 패스 핀 현관 도어락 대문 금고 사물함".split())
ANSWER_HINTS = ("answer",)
ANSWER_HINTS_KOREAN = ("질문", "힌트", "문제")
SEED_HINTS_KOREAN = ("시드", "니모닉", "복구")
