r"""Patterns of secrets and of the words before them, in English and Korean.

Pinned by a digest in core/guard/secrets.py: after changing a rule, update the digest there. Every pattern has a
bounded lookahead and consumes little, so that any input is scanned in linear time.
\ue000 marks text that is already redacted.
"""

from __future__ import annotations

VERSION = 6

_START = r"(?<![A-Za-z0-9_\ue000])"
_END = r"(?![A-Za-z0-9_\ue000])"

# kind -> its English and Korean name in the placeholder
NAMES = {
    "password": ("password", "비밀번호"),
    "api_key": ("API key", "API 키"),
    "jwt": ("token", "토큰"),
    "private_key": ("private key", "개인 키"),
    "connection": ("credentials", "접속 정보"),
    "card": ("card number", "카드 번호"),
    "resident_number": ("resident number", "주민등록번호"),
    "bank_account": ("bank account", "계좌번호"),
    "identity_number": ("identity number", "신분증 번호"),
    "security_code": ("security code", "보안 코드"),
    "seed_phrase": ("seed phrase", "시드 문구"),
    "phone": ("phone number", "전화번호"),
    "email": ("e-mail address", "이메일 주소"),
}

# -- passwords ----------------------------------------------------------------------------------------

_PASSWORDS = (
    r"(?:p[a@]ss[ _-]?(?:word|phrase|code)|passwd|pwd|(?<![A-Za-z])(?:pw|pass(?=[\"'`*]{0,2}\s?[:=])|PIN(?:\s?(?:code|number))?|PUK)"
    r"(?![A-Za-z])"
    r"|비\s?밀\s?번\s?호|비\s?번|암호(?:\s?문구)?|패스워드|패스코드|핀\s?번호)"
)
_OPEN = r"[\"'`“‘「『*(]{0,3}"
# what may be between the word and the value, from strict to loose
PASSWORD_STRONG = (
    rf"(?i:{_PASSWORDS})s?[\"'`*)\]]{{0,3}}"
    rf"(?=(?:\s(?:for|of|to|on|at|in)\s[^\n:=?!\ue000]{{1,40}}?|\s(?:to|is|as|was|are)|\s?\([^()\n]{{1,30}}\)"
    r"|\s?(?:은|는|이|가|란))?\s{0,3}"
    rf"(?::=|=>|->|==?|[:→：＝])\s{{0,3}}(?P<open>{_OPEN})(?P<value>[^\s\ue000]{{1,160}}))"
)
PASSWORD_WEAK = (
    rf"(?i:{_PASSWORDS})s?[\"'`*)]{{0,3}}"
    r"(?=(?:\s(?i:for|of|to|on|at|in)\s[^\n:=?!\ue000]{1,40}?)?"
    r"(?:\s(?i:(?:is|was|are|equals|will be|must be|should be)"
    r"(?:\s(?:now|still|just|always|[a-z]{2,10}ly|set to|changed to|reset to)){0,2})"
    r"|\s?(?:은|는|이|가|란|도))\s{1,3}"
    rf"(?:(?:이제|지금|현재|그냥|아직|아마|원래|여전히)\s)?(?P<open>{_OPEN})(?P<value>[^\s\ue000]{{1,160}}))"
)
PASSWORD_LOOSE = (
    rf"(?i:{_PASSWORDS})s?[\"'`*)]{{0,3}}(?:를|을)?(?=(?P<tied>\s(?:(?i:to|as|back to)\s)?|>|(?<=[가-힣])[-(/])"
    rf"(?P<open>{_OPEN})(?P<value>[^\s\ue000]{{4,160}}))"
)
PASSWORD_NEAR = (
    rf"(?i:{_PASSWORDS})s?(?=(?P<gap>[^\n=:\ue000]{{0,30}}?(?:\s?\n|[:=?,]|->|\s[-–]|(?i:\sis|n't|'s)|(?:은|는)요)\s{{0,3}}"
    r"(?:(?i:it's|it is)\s)?)"
    rf"(?P<open>{_OPEN})(?=\S{{0,40}}\d)(?P<value>[^\s\ue000]{{4,160}}))"
)
SOMETHING_ELSE_AFTER = (
    r"(?i:\b(?:users?|usernames?|accounts?|ids?|logins?|for|in|on|at|mail|version|since|until|date|expir\w*|code)\b"
    r"|계정|아이디|메일|버전|날짜|만료|오류|코드)"
)
PASSWORD_BEFORE = (
    r"(?<!\S)(?P<open>[\"'`“‘(]{0,2})(?P<value>[^\s\ue000]{4,160})"
    rf"(?=\s(?i:is|as|was)\s(?:(?i:the|my|our|your|his|her|their|a|new|old)\s){{0,2}}(?:[A-Za-z-]{{1,15}}\s){{0,2}}(?i:{_PASSWORDS}))"
)

# Words in the position of a password that describe it instead.
SAYS_SOMETHING = frozenset(
    """
    wrong weak strong long short longer shorter simple complex secure insecure safe unsafe unique correct incorrect
    right bad good okay fine invalid valid required optional mandatory missing empty blank hidden secret private
    public unknown known new old same different here there below above gone lost leaked stolen set reset changed
    forgotten hashed salted stored saved kept written sent shared hard easy next soon enough important sensitive
    case-sensitive plain encrypted protected temporary permanent default none null nil true false yes no not never
    too very also only always ready due broken stale ok fields field manager rotation policy hint hash reuse input
    prompt form box page protection strength length expired required! n/a tbd unset undefined string str text varchar
    and or but so to in on at by for from of with the a an it that this my your our his her their you we i they
    everything nothing something anything mine yours ours theirs what when where which who why how easy-to-guess
    one-time up-to-date self-service optional. outdated again them us me him weekly monthly yearly daily today
    tomorrow yesterday later now stuck taped posted printed pinned somewhere inside behind under
    필수 필요 분실 변경 초기화 없음 있음 미정 동일 같음 비공개 비밀 설정 재설정 만료 오류 확인 입력 변경함 참고 문의
    """.split()
)
SAYING_ENDINGS = tuple("ed ing ly able ible ful less ent ous ive ory ary ical ten tion".split())
# A variable, a type or a call in code, where a value would be.
CODE = (
    r"[A-Za-z_]\w*(?:\.\w+)*[(\[].*|(?:self|os|settings|config|cfg|request|req|data|args|env|environ|process|this|user|options|opts"
    r"|cls|app|ctx|params|kwargs|form|event|body|payload|props|state|input|parsed|url|auth)\.\w.*"
    r"|\w*_(?:password|passwd|pwd|secret|token|pass)|(?:password|passwd|pwd|secret|token)(?:_\w*)?|\w*[Pp]ass(?:word|wd)?(?:Hash|Field|Input)"
    r"|(?:Optional|Union|str|bytes|String|char|SecretStr)\b.*"
)
# Names with digits that are not passwords.
TECHNICAL = (
    r"(?i:sha-?\d+\w*|md5|bcrypt\d*|scrypt|argon2\w*|pbkdf2\w*|oauth\d?|base64|utf-?\d+|1password\w*|keepass\w*|2fa|mfa|aes-?\d*\w*"
    r"|rsa-?\d*|ipv[46]|windows\d+|office\d+|python\d*|web3|h2|s3|ec2|p2p|b2b|v\d+(?:\.\d+)*|\d+(?:st|nd|rd|th|x|k|%)"
    r"|ios\d+|iphone\d*|galaxy\w*|sso|totp|ldap|wpa[23]?\w*|(?:https?:)?//\S*|mp[34]|covid-?\d+|wi-?fi\d?|https?)"
)
# A count or a time: "12 characters", "2024년에".
COUNTED = (
    r"(?:\s?(?:characters?|chars?|digits?|letters?|words?|symbols?|bits?|days?|weeks?|months?|years?|hours?|minutes?"
    r"|times?|people|users?|accounts?|attempts?|tries|percent|am|pm|or more|or less|in a row|rules?|fields?)\b|\s?%"
    r"|\s?(?:자리|글자|자|년|월|일|개|번|회|시간|시|분|주|차|명|살|달|가지|종|층|퍼센트|건|줄|단어|비트|이상|이하|초))"
)
PLACEHOLDER = (
    r"[*•●xX.…_#?-]+|<[^>]*>|\[[^\]]*\]|\{\{?.*|\$\{?\w+\}?|%\w+%|(?i:your|my|the|some|example|dummy|changeme_)[_-].*"
    r"|(?i:none|null|nil|true|false|undefined|redacted|masked|hidden|가림|생략)"
)
# What must follow a Latin word in Korean text for it to be the value, not a place or a tool.
IS_THE_VALUE = (
    r"\s?(?:이?야|이?다|입니다|이?에요|예요|이?고|이?며|이?래|이?라고|이?랍니다|이?거든|임|이었|였|이?니까|인데|ㅇ|요|"
    r"(?:으?로)\s?(?:바꾸|바꿨|바꿔|변경|설정|했|해|정했|지정|교체|저장해|통일|되어|돼))|\s*(?:[.,!?;)\]\"'’”」]|$)"
)
# Words in brackets that stand for a value: "<your password here>".
PLACEHOLDER_WORDS = r"<[A-Za-z가-힣]+(?:[ _-][A-Za-z가-힣]+)*>|\[[A-Za-z가-힣]+(?: [A-Za-z가-힣]+)+\]"
# User and password of an address in documentation.
EXAMPLE_CREDENTIALS = r"(?i:(?:user(?:name)?|name|login)?:(?:pass(?:word|wd)?|pwd|secret))"
QUOTES = {'"': '"', "'": "'", "`": "`", "“": "”", "‘": "’", "「": "」", "『": "』"}

# -- keys; those of a published format are in token_formats.tsv ----------------------------------------------------------------------------

# Also looks like a branch or a package: counts only if it is random.
API_KEYS_IF_RANDOM = (rf"{_START}sk-(?P<value>[A-Za-z0-9_-]{{16,300}})",)
API_KEY_AFTER = (
    r"(?i:api[ _-]?key|access[ _-]?key(?:[ _-]?id)?|(?:secret|account|signing|encryption|service|auth|license)"
    r"[ _-]?key"
    r"|client[ _-]?secret|(?:access|auth|refresh|bearer|session|bot|api|personal)[ _-]?token"
    r"|token|secret|credentials?"
    r"|(?<![A-Za-z])keys?(?![A-Za-z])|authorization|bearer|api\s?키|인증\s?키|인증\s?토큰|액세스\s?키|시크릿(?:\s?키)?|비밀\s?키"
    r"|토큰|서비스\s?키|접근\s?키|(?<![가-힣])키)[\"'`*)]{0,3}"
    r"(?=(?:\s(?i:for|of|to|on)\s[^\n:=?!]{1,30}?|\s?값|[^\n:=]{0,24}?(?=[:=]))?(?:\s{0,3}(?::=|=>|->|==?|[:→：])|\s(?i:is|was|now|bearer|basic)|\s?(?:은|는|이|가|를|을)|(?=\s))"
    r"\s{0,3}(?:(?i:bearer|basic|is|now|이제)\s)?[\"'`“‘(*]{0,3}(?P<value>[A-Za-z0-9+/=_.~-]{10,300}))"
)
SESSION_COOKIE = (
    r"(?i:cookie):(?=[^\n\ue000]{0,400}?[\s;](?i:[a-z0-9_.-]{0,20}(?:sess|sid|auth|token|login|csrf)[a-z0-9_.-]{0,20})="
    r"(?P<value>[^\s;,\"'\ue000]{8,600}))"
)
JWT = rf"{_START}eyJ[A-Za-z0-9_-]{{6,4000}}\.[A-Za-z0-9_-]{{6,8000}}(?:\.[A-Za-z0-9_-]{{4,2000}})?"
PRIVATE_KEY_BEGINS = r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
PRIVATE_KEY_ENDS = r"-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
CONNECTION = r"[A-Za-z0-9+.-]://(?=(?P<value>[^\s:/@\ue000]{0,128}:(?P<inner>[^\s/\ue000]{1,256}))@[^\s@])"

# -- numbers ------------------------------------------------------------------------------------------

_GAP = r"[ \-–.]?"
CARDS = (
    rf"{_START}(?<!\d[.,])(?=(?P<value>\d{{4}}{_GAP}\d{{4}}{_GAP}\d{{4}}{_GAP}\d{{4}}){_END}(?![-–]\d))",
    rf"{_START}(?<!\d[.,])(?=(?P<value>3[47]\d\d{_GAP}\d{{6}}{_GAP}\d{{5}}){_END})",
    rf"{_START}(?<!\d[.,])(?=(?P<value>3[068]\d\d{_GAP}\d{{6}}{_GAP}\d{{4}}){_END})",
    rf"{_START}(?<!\d[.,])(?=(?P<value>\d{{4}}{_GAP}\d{{4}}{_GAP}\d{{4}}{_GAP}\d{{4}}{_GAP}\d{{3}}){_END})",
    rf"{_START}(?<!\d[.,])(?=(?P<value>\d{{13,19}}){_END})",
)
# Words that let 13 or 14 digits in a row be a card: without one they are more often an article number.
CARD_WORDS = r"(?i:card|visa|master|amex|diners|credit|debit|카드|비자|마스터|결제)"
CARD_BEGINS = r"4(?=(?:\d{12}|\d{15}|\d{18})$)|5[1-5](?=\d{14}$)|5[0678]|6[0-9]|3[47](?=\d{13}$)|3(?:[068]\d|5[23456789])(?!\d{12}$)|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720)|9(?=\d{15}$)"
RESIDENT = rf"{_START}(?<!\d[-–])(?=(?P<value>\d{{6}}\s?[-–]\s?\d{{7}}){_END}(?![-–]\d))"
ANOTHER_NUMBER = (
    r"(?i:주문|송장|운송장|접수|예약|문서|사건"
    r"|일련|바코드|단말기|사업자|품번"
    r"|order|invoice|tracking|ticket|case|parts?|serial|booking|imei|meid|(?<![a-z])ean|upc|gtin|isbn|bar ?code|sku)[^\d\n]{0,14}$"
)

_BANK = (
    r"(?:(?:국민|신한|우리|하나|기업|농협|수협|제일|씨티|대구|부산|광주|전북|경남|제주|산업|토스|카카오)\s?(?:은행|뱅크)|농협|새마을금고|우체국\s?예금"
    r"|케이뱅크|카뱅|신협|(?<![A-Za-z])(?:KB|NH|IBK|SC|KDB)(?![A-Za-z])(?:\s?국민|\s?농협|\s?기업|\s?제일)?(?:\s?은행)?)"
)
_ACCOUNT_NUMBER = (
    r"(?P<value>\d{2,6}[- ]\d{2,6}[- ]\d{2,8}(?:[- ]\d{1,6})?|\d{8,16})(?![\d\ue000])(?!-\d)(?![A-Za-z])"
)
BANK_ACCOUNTS = (
    rf"(?:{_BANK}|계좌)(?=(?P<gap>[^\d\n\ue000]{{0,24}}){_ACCOUNT_NUMBER})",
    r"(?i:(?<![A-Za-z])(?:account|acct|a/c|routing)(?:\s?(?:number|no\.?|num\.?|#))?)"
    rf"(?=(?P<gap>[^\d\n\ue000]{{0,24}}){_ACCOUNT_NUMBER})",
)
NOT_AN_ACCOUNT_AFTER = (
    r"(?i:phone|tel|call|fax|hotline|order|date|since|case|ticket|created|opened|on |in |at "
    r"|전화|연락|문의|상담|고객|주문|날짜|개설|사업자|콜센터"
    r"|balance|잔액|원|\$|￦|₩|id |아이디)"
)
NOT_AN_ACCOUNT = (
    r"01[016789][- ]?\d{3,4}[- ]?\d{4}|(?:19|20)\d\d[- ]?[01]\d[- ]?[0-3]\d|0\d{1,2}-\d{3,4}-\d{4}|\d{3}-\d{2}-\d{5}"
)
IBAN = rf"{_START}(?=(?P<value>[A-Z]{{2}}\d\d(?: ?[A-Z0-9]{{4}}){{2,7}}(?: ?[A-Z0-9]{{1,3}})?){_END})"
PHONES = (
    rf"{_START}(?<!\d[-.])(?:\+82[- ]?\d{{1,2}}|01[016789]|0(?:2|[3-6]\d|70))[- .]?\d{{3,4}}[- .]?\d{{4}}(?!\d|-\d)",
    rf"{_START}(?<!\d[-.])(?:\+1[- ]?)?(?:\(\d{{3}}\) ?|\d{{3}}[-.])\d{{3}}[-.]\d{{4}}(?!\d|-\d)",
    r"\+[1-9]\d{0,2}[- ]\d{1,4}(?:[- ]\d{2,4}){2,4}(?!\d)",
)
EMAIL = r"(?<![\w.+\ue000-])[A-Za-z0-9_.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{2,63}){1,4}"

# -- hints: lower-case strings that a text must contain before a rule is tried; most texts have none -----------------

PASSWORD_HINTS = ("비 번", "비 밀", *"pass p@ss pwd pw pin puk 비밀 비번 암호 패스 핀".split())
API_KEY_AFTER_HINTS = tuple("key token secret credential authorization bearer 키 토큰 시크릿".split())
ACCOUNT_HINTS = tuple("은행 뱅크 계좌 농협 금고 우체국 카뱅 신협 kb nh ibk sc kdb account acct a/c routing".split())
