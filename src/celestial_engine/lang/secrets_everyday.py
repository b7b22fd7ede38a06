r"""Patterns of secrets as people and programs tell them: in chat, shells, tables and configuration files.

Pinned by the digest of lang/secrets.py. Lookaheads are bounded and little is consumed, so that any input is scanned
in linear time. \ue000 marks text that is already redacted. A named group `value` is what is redacted.
"""

from __future__ import annotations

_START = r"(?<![A-Za-z0-9_\ue000])"
_END = r"(?![A-Za-z0-9_\ue000])"
_KOREAN_PASSWORD = r"(?:비밀\s?번호|비번|(?<!공)암호(?!화|학|문|\s?화폐)|패스워드|패스코드|핀\s?번호|(?<![가-힣])핀(?=은|이|:)|비밀\s?코드)"
_ENGLISH_PASSWORD = r"(?<![A-Za-z])(?i:pass[ -]?(?:word|phrase|code)s?|passwd|pwd|pw|pass|pin(?:\s?(?:code|number))?|puk)(?![A-Za-z_])"
_PASSWORD = rf"(?:{_KOREAN_PASSWORD}|{_ENGLISH_PASSWORD})"
_IS = r"(?:\s?(?:은|는|이|가|란|도)?요?|'s|\s(?i:is|was|are|=))"
_SAID = rf"{_IS}\s{{0,2}}[,:=?!→➜>-]{{0,2}}\s{{0,3}}(?:(?:이제|지금|그냥|현재|원래|그대로|(?i:still|now|just|it's|is))\s)?"
_OPEN = r"[\"'`“‘「『*(]{0,3}"
_MIXED = r"(?P<value>[!#-&(-_a-~][!-~]{3,79})"

# -- passwords in talk --------------------------------------------------------------------------------

# "비번 4821", "PIN is 2580", "도어락 비번 9876*"
PASSWORD_DIGITS = (
    rf"{_PASSWORD}(?={_SAID}{_OPEN}(?P<value>[#*]?\d(?:[ -]?\d){{2,11}}[#*]?)(?![\d\ue000.,:/~-]*\d)(?![A-Za-z_]))"
)
# "비번이 뭐냐면 blue1234!", "비번 까먹지 마 pocha5566"
PASSWORD_AFTER_TALK = rf"{_PASSWORD}(?=(?P<gap>[^\n\ue000]{{0,32}}?)(?<=[\s:,?→➜>\"'(]){_MIXED})"
# "the password on the fridge says larkspur-9-otter": words without a sign may stand between
PASSWORD_FURTHER = (
    rf"(?:{_KOREAN_PASSWORD}|(?<![A-Za-z])(?i:pass[ -]?(?:word|phrase|code)|pwd|pw)(?![A-Za-z_]))"
    rf"(?=(?P<gap>[^\n\ue000=+#(){{}}<>]{{0,40}}?\s(?i:says|reads|is|was|became|remains|:)\s[\"'(`]?)(?=[!-~]{{0,60}}[0-9!@#$%^&*]){_MIXED})"
)
# "guest-4410 이 비번이래", "Delta#900 is my new password", "Tulip#5521, that's the password"
PASSWORD_AFTER_VALUE = (
    rf"(?<![!-~\ue000]){_MIXED}(?=[\"'`]?(?:\s?(?:이|가|이게|이거|라는|라고|로)?\s?(?:(?:내|우리|제|새|그|저)\s)?(?:[가-힣]{{1,8}}\s)?"
    rf"{_KOREAN_PASSWORD}(?:이|야|임|예|입|래|라|거|고|다|로|\s?$)"
    rf"|,?\s(?i:that's|that is|is|was|as|being)\s(?:(?i:the|my|our|his|her|their|your)\s)?(?:[A-Za-z-]{{1,12}}\s){{0,2}}{_ENGLISH_PASSWORD}"
    rf"|\s?\((?:(?i:the|my|our|that's the)\s)?{_ENGLISH_PASSWORD}))"
)
# "... was X and is now Y", "X 말고 Y": what stands beside a secret that is redacted already
ANOTHER_BESIDE = (
    r"\ue000(?=[^\n.!?;\ue000\d]{0,16}?(?:\s(?i:and|or|but|so|is|not)|[가-힣](?:가|지)|말고|아니고|아니면|에서|이제|지금은)\s(?:(?:(?i:now|is|it's|then|maybe|was)|이제|지금은|지금)\s){0,3}"
    r"[\"'`“‘(]{0,2}(?P<value>[^\s\ue000가-힣]{4,60}))"
)
# "password from X to Y"
PASSWORD_FROM_TO = (
    rf"{_ENGLISH_PASSWORD}(?=[^\n.?!\ue000]{{0,20}}?\s(?i:from)\s{_OPEN}(?P<value>[^\s\ue000]{{4,80}})\s(?i:to)\s)",
    rf"{_ENGLISH_PASSWORD}(?=[^\n.?!\ue000]{{0,20}}?\s(?i:from)\s[^\s]{{1,80}}\s(?i:to)\s{_OPEN}(?P<value>[^\s\ue000]{{4,80}}))",
)
# "the secret word is pineapple", "password used to be rosebud41"
WORD_IN_PLACE = (
    rf"(?i:(?:secret|code|safe|magic)\s?(?:word|phrase)s?(?:\s(?:to|for)\s[^\n:=?!\ue000]{{1,24}}?)?|{_ENGLISH_PASSWORD})"
    r"(?=\s(?i:is|was|used to be)\s(?:(?i:just|still|now)\s)?(?P<open>[\"'`“‘*]{0,2})(?P<value>[^\s\ue000]{4,80}))"
)
# Words of a lock, and a code of digits.
LOCK_CODE = (
    r"(?i:(?<![A-Za-z])(?:door|gate|alarm|garage|lock ?box|key ?pad|safe|locker|padlock|entry|unlock|vault|building(?!\scodes?\s(?:19|20)\d\d\b)|lock|intercom)"
    r"(?:'s)?(?:\s(?:door|keypad|entry|lock))?\s?(?:code|combo|combination|keypad|pin|number|passcode)?s?(?:'s)?"
    r"|combination(?!\sof\s(?:both|all|these|those|the two)\b)|(?<![A-Za-z])combo)(?=(?P<gap>(?:\s(?i:for|of|to|on)\s[^\n\d\ue000]{1,24}?)?(?:\s(?i:is|was))?\s?[:=]?\s?)"
    rf"{_OPEN}(?P<value>[#*]?\d(?:[ -]?\d){{2,9}}[#*]?)(?![\d\ue000.,:/~-]*\d)(?![A-Za-z_%]))"
)
LOCK_CODE_KOREAN = (
    r"(?:현관(?:문)?|도어락|대문|출입문|금고|사물함|락커|라커|자물쇠|다이얼|잠금|보안|경비|창고|차고|캐리어)"
    r"\s?(?:문|장치)?\s?(?:번호|비번|코드|해제(?:\s?번호)?|다이얼|패턴)?"
    rf"(?=(?P<gap>\s?(?:은|는|이|가)?\s?(?:왼쪽|오른쪽)?\s?:?\s?){_OPEN}(?P<value>[#*]?\d(?:[ -]?\d){{2,9}}[#*]?)(?![\d\ue000.,:/~-]*\d)(?![A-Za-z_%]))"
)
# -- user and password in one breath ------------------------------------------------------------------

LOGIN_PAIR = (
    r"(?i:(?<![A-Za-z/])(?:log[ -]?in|sign[ -]?in|creds?|credentials?|accounts?|ssh|ftp|admin|root)(?!://|[A-Za-z_])|계정|접속|로그인|아이디|관리자)"
    r"(?=(?P<gap>[^\n\ue000]{0,28}?[\s:=(])?(?P<user>[A-Za-z0-9_.@+-]{2,40})?\s{0,2}[/:|]\s{0,2}(?P<value>[!-~]{5,80}))"
)
LOGIN_WITH = (
    r"(?i:\blog(?:ged)?[ -]?(?:in|on)\b[^\n\ue000]{0,24}?\swith)(?=\s(?P<open>[\"'`]{0,2})(?P<value>[!-~]{5,80}))"
)

# -- in shells ----------------------------------------------------------------------------------------

_ARGUMENT = r"[\"']?(?P<value>(?<=\")[^\"\n\ue000]{1,160}|(?<=')[^'\n\ue000]{1,160}|[^\s\"'\ue000]{1,160})"
SHELL = (
    rf"(?<![\w-])(?:mysql|mysqldump|mysqladmin|mariadb)(?=\s[^\n|;]{{0,120}}?(?<=\s)-p{_ARGUMENT})",
    rf"(?<![\w-])sshpass(?=\s{{1,3}}-p\s?{_ARGUMENT})",
    r"(?<![\w-])(?:curl|wget|http|httpie)(?=\s[^\n|;]{0,160}?(?<=\s)(?:-u|--user|-a|--auth)[ =]?[\"']?[^\s:\"'\ue000]{1,60}:(?P<value>[^\s\"'\ue000]{1,160}))",
    rf"(?<![\w-])(?:(?:docker|podman|buildah|skopeo|helm|az|oc|npm)\s(?:registry\s)?login|twine\supload)(?=\s[^\n|;]{{0,120}}?(?<=\s)-p[ =]{_ARGUMENT})",
    rf"(?<![\w-])redis-cli(?=\s[^\n|;]{{0,120}}?(?<=\s)-a\s{_ARGUMENT})",
    rf"(?<![\w-])(?:mongo|mongosh|mongodump|mongorestore|cqlsh)(?=\s[^\n|;]{{0,120}}?(?<=\s)-p\s{_ARGUMENT})",
    rf"(?<![\w-])(?:mosquitto_pub|mosquitto_sub|sqlcmd|bcp|zip|unzip)(?=\s[^\n|;]{{0,120}}?(?<=\s)-P\s?{_ARGUMENT})",
    rf"(?<![\w-])(?:ldap(?:search|add|modify|delete|passwd)|smbpasswd)(?=\s[^\n|;]{{0,120}}?(?<=\s)-w\s{_ARGUMENT})",
    rf"(?<![\w-])(?:7za?|rar|unrar)(?=\s[^\n|;]{{0,120}}?(?<=\s)-p{_ARGUMENT})",
    rf"(?<![\w-])openssl\senc(?=\s[^\n|;]{{0,160}}?(?<=\s)-k\s{_ARGUMENT})",
    r"(?<![\w-])lftp(?=\s[^\n|;]{0,120}?(?<=\s)-u\s?[^\s,\ue000]{1,60},(?P<value>[^\s\"'\ue000]{1,160}))",
    rf"(?<![\w-])(?:wpa_passphrase\s\S{{1,40}}|rabbitmqctl\s(?:add_user|change_password)\s\S{{1,60}}|(?i:net\suse\s)[^\n|;]{{1,120}}?/user:\S{{1,80}})(?=\s(?!/){_ARGUMENT})",
    r"(?i:(?<![\w-])net\suser)\s\S{1,60}(?=\s(?P<value>(?!/)(?=\S{0,80}[0-9!@#$%^&*])[^\s\ue000]{5,80})(?:\s/|\s{0,9}$|\s{0,9}\n))",
    r"(?<!\S)[\"']?[\w.-]{1,40}:(?=(?P<value>[^\s\"':|\ue000]{3,160})[\"']?\s{0,3}\|\s{0,3}(?:sudo\s)?chpasswd)",
    rf"(?<=\s)--(?:password|passwd|pass|token|secret|api-key|access-token|client-secret)[ =](?={_ARGUMENT})",
    rf"(?<![\w-])htpasswd(?=\s-[a-zA-Z]{{1,4}}\s\S{{1,80}}\s\S{{1,60}}\s{_ARGUMENT})",
    rf"(?<![\w-])smbclient(?=\s[^\n|;]{{0,120}}?-U\s\S{{1,60}}?%{_ARGUMENT})",
    r"-pass(?:in|out)\spass:(?=(?P<value>[^\s\ue000]{1,160}))",
)

# -- in tables and nested values ----------------------------------------------------------------------

SECRET_COLUMN = r"(?i:\W*(?:pass(?:word|wd|code|phrase)?|pwd|pw|pin|secret|token|api[ _-]?key|credential)s?\W*|\W*(?:비밀\s?번호|비번|암호|패스워드|토큰|키|시크릿)\W*)"
NESTED_VALUE = (
    r"(?i:pass(?:word|wd|phrase|code)|pwd|secret|token|api[_-]?key|credential|비밀번호|암호)s?[\"']?\s{0,3}[:=]\s{0,8}[{\[]?\s{0,12}"
    r"[\"']?(?i:value|val|plain|raw|text|data|default|content)[\"']?\s{0,3}[:=]\s{0,3}(?=[\"']?(?P<value>[^\s\"',}\]\ue000]{3,160}))"
)

# "- name: DB_PASSWORD, value: ...", <add key="DbPassword" value="..."/>, define('DB_PASSWORD', '...')
NAME_THEN_VALUE = (
    r"(?i:name|key|type|field|label)[\"']?\s?[:=]\s?[\"']?[A-Za-z_.-]{0,30}(?i:password|passwd|passphrase|pwd|secret)[\"']?[,;\s]{1,12}"
    r"[\"']?(?i:value|val|text|content)[\"']?\s?[:=]\s?(?=[\"']?(?P<value>[^\s\"',}<>\ue000]{3,160}))"
)
DEFINED = r"define\(\s?[\"'][A-Z_]{0,30}(?:PASSWORD|PASS|SECRET|KEY|SALT|TOKEN)[\"']\s?,\s?[\"'](?=(?P<value>[^\n\"'\ue000]{3,160}))"
# client_secret = 'p2-8Qm_xT4vR'
SECRET_ASSIGNED = r"(?i:(?:client|app|api|auth|signing|shared|webhook|consumer)[ _-]?(?:secret|token)|secret[ _-]?key)[\"']?\s{0,3}(?::=|=>|[:=])\s{0,3}(?=[\"'](?P<value>[^\s\"'\ue000]{8,160})[\"'])"
STATEMENT = r"(?i:\b(?:create\suser|alter\suser|grant|user)\s)(?=[^\n;\ue000]{1,120}?\s(?i:identified\s(?:with\s\S{1,40}\s)?by)\s[\"'](?P<value>[^\n\"'\ue000]{3,160})[\"'])"
WIFI_PICTURE = r"WIFI:(?=(?:[A-Z]:[^;\n\ue000]{0,64};){0,4}?P:(?P<value>[^;\n\ue000]{3,80});)"

# -- numbers of identity ------------------------------------------------------------------------------

_TO_VALUE = r"(?:\s?(?:은|는|이|가|란|로)?|'s|\s(?i:is|was|no\.?|number|num|id))?\s?[:#=]?\s?(?:(?i:is|no\.?|number)\s)?[:#]?\s?"
SOCIAL_SECURITY = (
    r"(?i:(?<![A-Za-z])(?:ssn|social\s?security(?:\s?(?:number|no\.?|num|#))?|itin|social(?=\s?(?:is|:|number|#)))|사회\s?보장\s?번호)"
    rf"(?={_TO_VALUE}(?P<value>\d{{3}}[- ]?\d{{2}}[- ]?\d{{4}})(?![\d\ue000-]))"
)
PASSPORT = (
    rf"(?i:passport|여권)(?:\s?(?:번호|number|no\.?|num|id|#))?(?=(?:{_TO_VALUE}|[^\n\d.?!\ue000]{{0,20}}?\s(?i:number|no\.?|번호)\s)"
    r"(?P<value>[A-Z]{1,2}\d{7,8}|[A-Z]\d{3}[A-Z]\d{4}|\d{9}|(?=[A-Z0-9]{0,8}\d[A-Z0-9]{0,8}\d)[A-Z0-9]{9})(?![A-Za-z0-9\ue000]))"
)
LICENCE_KOREAN = (
    r"면허(?:증)?\s?(?:번호)?"
    r"(?=[^\n\d.?!\ue000]{0,12}?(?P<value>(?:\d{2}|서울|부산|경기(?:남부|북부)?|강원|충북|충남|전북|전남|경북|경남|제주|대구|인천|광주|대전|울산)"
    r"[- ]?\d{2}[- ]?\d{6}[- ]?\d{2})(?![\d\ue000]))"
)
LICENCE = (
    r"(?i:driv(?:er'?s?|ing)\s?licen[cs]e|(?<![a-z])DL(?=\s?(?:#|no\b|number\b))|(?:my|his|her)\slicen[cs]e|licen[cs]e(?=\s(?:number|no\b)))(?:\s(?i:number|no\.?|num|id|#))?"
    rf"(?={_TO_VALUE}(?:[A-Z][A-Za-z]{{1,12}}\s)?(?P<value>(?=[A-Z0-9-]{{0,12}}\d{{4}})[A-Z0-9](?:[A-Z0-9]|-(?=[A-Z0-9])){{5,18}})(?![A-Za-z0-9\ue000]))"
)
RESIDENT_WORDS = r"(?:주민|외국인)\s?(?:등록)?\s?(?:번호)?[^\d\n\ue000]{0,16}(?=(?P<value>\d{6}\s?[-–—~]?\s?[1-8]\d{6})(?![\d\ue000]))"
# Banks ask for these two: "카드 비밀번호 앞 두 자리는 38"
FIRST_TWO = r"(?:비밀\s?번호|비번)\s?앞\s?(?:두|2)\s?자리(?:는|은|가)?\s?:?\s?(?=(?P<value>\d\d)(?![\d\ue000]))"
# "주민번호 앞자리 920304 뒷자리 2034567"
RESIDENT_BACK = r"(?:주민|외국인)\s?(?:등록)?\s?(?:번호)?(?=[^\n\ue000]{0,30}?뒷?\s?(?:7|일곱)?\s?자리(?:은|는|가|이)?\s?:?\s?(?P<value>[1-8]\d{6})(?![\d\ue000]))"
CARD_SECURITY = rf"(?i:(?<![A-Za-z])(?:cvc|cvv|cvn|csc)2?(?:\s?(?:code|number|번호))?|card security code)(?={_TO_VALUE}(?P<value>\d{{3,4}})(?![\d\ue000]))"
SHORT_BANK = (
    r"(?<![가-힣A-Za-z])(?:국민|신한|우리|하나|기업|농협|수협|제일|씨티|대구|부산|광주|전북|경남|제주|산업|토스|카카오|케이|우체국|새마을|신협|카뱅|(?:KB|NH|IBK|SC|KDB)(?:국민|농협|기업|제일)?)"
    r"(?:\s?(?:은행|뱅크|금고))?(?=(?P<gap>\s?:?\s?)(?P<value>\d{2,6}-\d{2,6}-\d{2,8}(?:-\d{1,6})?|(?<=[민한협스뱅크행고][\s:])\d{11,14})(?![\d\ue000-]))"
)
BANK_THEN_NUMBER = r"(?:은행|뱅크|계좌|금고|농협)(?=(?P<gap>[^\n\ue000\d]{1,30}?)(?P<value>\d{2,6}-\d{2,6}-\d{2,8}(?:-\d{1,6})?)(?![\d\ue000-]))"

# -- codes that open an account once ------------------------------------------------------------------

_AFTER_CODE = (
    r"(?:\s?(?:은|는|이|가|로)?|'s|\s(?i:is|are|was))?\s?[:=→]?\s?(?:(?:방금|지금|아까|그냥|또|(?i:just now|now|just))\s)?(?:[\ue000\s,/·]|하고|랑|(?:이랑)|(?i:and)\s|[과와]\s){0,400}"
    + _OPEN
)
RECOVERY_CODE = (
    r"(?i:(?<![A-Za-z])(?:(?:recovery|back-?up|rescue|emergency|scratch)\s(?:codes?|keys?)|[2m]fa\s(?:recovery|back-?up)s?)|복구\s?(?:코드|키|번호)|백업\s?(?:코드|키)|비상\s?코드)"
    rf"(?={_AFTER_CODE}(?P<value>[A-Za-z0-9]{{4,12}}(?:[ -][A-Za-z0-9]{{4,12}}){{1,7}}(?![A-Za-z0-9])|(?=[A-Za-z]{{0,20}}\d)[A-Za-z0-9]{{6,32}}(?![A-Za-z0-9])))"
)
ONE_TIME_CODE = (
    r"(?i:(?<![A-Za-z])(?:otp(?:\s?(?:code|number|번호|코드))?|one[- ]?time\s(?:code|password|pin)|verification\scode|auth(?:entication)?\scode|security\scode|login\scode|2fa\scode|(?:steam\s)?guard\scode|sms\scode|your\s(?:[a-z]{2,14}\s)?code(?=\s?(?:is|:)))"
    r"|인증\s?(?:번호|코드)|일회용\s?(?:비밀\s?번호|코드)|보안\s?코드)"
    rf"(?={_AFTER_CODE}(?P<value>(?:[A-Z]-)?\d{{3,4}}[ -]?\d{{0,4}}\d(?![\d\ue000])|(?=[A-Z]{{0,7}}\d)[A-Z0-9]{{5,8}}(?![A-Za-z0-9])))"
)
# 5555 4444 3333 1111 12/28 448
CODE_AFTER_CARD = r"\ue000[,;:\s]{1,3}(?:(?i:exp[a-z]{0,8}\.?)\s)?(?:0[1-9]|1[0-2])\s?/\s?(?:20)?\d\d[,;:\s]{1,3}(?=(?P<value>\d{3,4})(?![\d\ue000/:.]*\d)(?![A-Za-z원%]))"
# "Use 774201 as your login code"
ONE_TIME_BEFORE = r"(?<![\w\ue000.,/-])(?P<value>(?:[A-Z]-)?(?:\d{6}|\d{3}[ -]\d{3}))(?=\s(?i:is|as)\s(?i:your|my|the|our)\s(?:[A-Za-z]{2,14}\s){0,2}(?i:code|otp|one-time\s\w+)(?![A-Za-z]))"
OTP_SECRET = (
    r"(?i:(?<![A-Za-z])(?:2fa|mfa|totp|otp|authenticator)\s?(?:secret|key|seed|setup key)?|2단계\s?인증|OTP\s?(?:시크릿|키))[^\n\ue000A-Z]{0,24}?"
    r"(?=(?P<value>[A-Z2-7]{16,64}(?![A-Za-z0-9])|[A-Z2-7]{4}(?: [A-Z2-7]{4}){3,15}(?![A-Za-z0-9])))"
)
APP_PASSWORD = r"(?i:app\spasswords?|앱\s?비밀\s?번호)[^\n\ue000a-z]{0,16}?(?:is\s)?(?=(?P<value>[a-z]{4}(?: [a-z]{4}){3})(?![A-Za-z]))"
SEED_PHRASE = (
    r"(?i:seed|crypto|(?:twelve|12|24|twenty-four)\swords|mnemonic|recovery\s(?:phrase|words?)|wallet|secret\sphrase|시드|니모닉|복구\s?(?:문구|구문|단어)|지갑)[^\n\ue000]{0,40}?"
    r"(?<![A-Za-z])(?=(?P<value>[a-z]{3,8}(?:[ ,]{1,2}[a-z]{3,8}){11,26})(?![A-Za-z]))"
)
NOT_SEED_WORDS = frozenset("the and for are was but not has had his her she him who its were been".split())
SEED_LENGTHS = (12, 15, 18, 21, 24)
AWS_SECRET = r"(?:AKIA|ASIA|\ue000{16,20})(?=[^\n\ue000]{0,60}?(?<![A-Za-z0-9/+=])(?P<value>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=]))"
PLAIN_TOKEN = (
    r"(?i:(?<![A-Za-z])(?:api[ _-]?key|access[ _-]?key|secret[ _-]?key|client[ _-]?secret|(?:[a-z]{2,10}[ _-])?token|secret)|api\s?키|인증\s?키|시크릿(?:\s?키)?|토큰)[\"']?"
    r"(?=(?:\s?(?::=|=>|==?|:)|\s(?i:is|was)|\s?(?:은|는)|\s?값은?)\s{0,3}[\"'`]{0,2}(?P<value>[A-Za-z0-9]{16,200})(?![A-Za-z0-9_(.-]))"
)

# -- hints: a text must contain one of these, in lower case, before a rule is tried ----------------------------

LOCK_HINTS = tuple(
    "door gate alarm garage box pad safe locker lock entry vault building intercom combo combination".split()
)
LOCK_HINTS_KOREAN = tuple(
    "현관 도어락 대문 출입문 금고 사물함 락커 라커 자물쇠 다이얼 잠금 보안 경비 창고 차고 캐리어".split()
)
LOGIN_HINTS = tuple(
    "log in|log-in|login|sign|cred|account|ssh|ftp|admin|root|계정|접속|로그인|아이디|관리자|logged in|log on".split(
        "|"
    )
)
SHELL_HINTS = (
    "net us",
    *"mysql mariadb sshpass curl wget http docker podman buildah skopeo helm redis-cli mongo cqlsh sqlcmd bcp zip ldap mosquitto htpasswd smb --pass --token --secret --api --access --client -pass az oc npm twine 7z rar openssl lftp wpa_ rabbitmqctl chpasswd".split(),
)
CODE_HINTS = tuple("recovery backup back-up rescue emergency scratch 복구 백업 비상".split())
ONE_TIME_HINTS = tuple("otp one-time one time onetime code 인증 일회용 보안".split())
OTP_SECRET_HINTS = tuple("2fa mfa otp authenticator 2단계".split())
SEED_HINTS = tuple("crypto words seed mnemonic recovery wallet phrase 시드 니모닉 복구 지갑".split())
IDENTITY_HINTS = tuple("ssn social itin 사회".split())
LICENCE_HINTS = ("licens", "licenc", "dl#", "dl #", "dl no", "dl num")
CARD_SECURITY_HINTS = tuple("cvc cvv cvn csc card security".split())
SECRET_WORD_HINTS = tuple("pass pwd pw pin word phrase".split())
BANK_HINTS = tuple(
    "국민 신한 우리 하나 기업 농협 수협 제일 씨티 대구 부산 광주 전북 경남 제주 산업 토스 카카오 케이 우체국 새마을 신협 카뱅 kb nh ibk sc kdb 은행 뱅크 계좌 금고".split()
)
# What follows a number that is no code: "the gate 1234 flights".
NOT_A_CODE_AFTER = r"(?:\s(?:and|or|to|x)\s\d{1,6})?\s?(?:pixels?\b|px\b|같은|호(?!출)|층|동|번지|번\s?버스|원|만|명|개|년|월|일|시|분|초|번째|킬로|미터|km|kg|m\b|%|won|dollars?|flights?|people|times|days?|am\b|pm\b|degrees?|포트|port|번\s?출구)"

# A name, a version, a path or a piece of code in the place of a password.
NAME_LIKE = (
    r"[\d.,:/~-]+[a-z%]{0,3}|\d+-[a-z]+(?:-[a-z]+)?|.*[(=\[{<\\].*|[A-Za-z]+[.:]\S*|[A-Z][a-z]+-?\d{1,2}|[a-z]+\d?/.*|.*@.*\..*"
    r"|[a-z]+_[a-z_0-9]*|[A-Z_0-9]+|[A-Z]{2,10}-\d+|(?i:v\d\S*|\w*(?:html|json|yaml|xml|css|mp\d|py|sha|utf|ipv|base|http|oauth)\d*\S*|\d+(?:st|nd|rd|th)\S*)"
)
# Words after which a value belongs to something else than the password.
ABOUT_SOMETHING_ELSE = (
    r"(?i:\b(?:reset|policy|policies|hash(?:ed|es|ing)?|error|version|email|e-mail|mail|user(?:name)?s?|link|page|field|length|rule|ticket|issue|bug|build|release"
    r"|line|file|column|test|manager|since|until|expires?|order|flight|room|model|room|seat|see|via|using|in|on|at|for|by|from)\b)"
    r"|정책|해시|오류|버전|이메일|메일|링크|페이지|길이|규칙|티켓|파일|만료|정보|관련|아이디|계정|기종|모델|에서|부터|까지|이상|통해|대신"
)
# The turn before asks for a secret, so that the next one may be nothing but it.
ASKED_FOR = (
    r"(?i:\b(?:password|passcode|passphrase|passwd|pin|pin code|(?:door|gate|alarm|garage|entry|safe|lock|locker|building|access|keypad) (?:code|combination|combo)|combination|api key|access token|secret key)\b|비밀\s?번호|비번|암호(?!화)|패스워드|패스코드"
    r"|핀\s?번호|(?:현관|도어락|금고|사물함|자물쇠|출입문|대문)\s?(?:번호|코드)|인증\s?(?:번호|코드)|(?:API|인증|시크릿)\s?키|토큰)"
)
# An answer that is a value and nothing else, so that it need not be asked for: "it's plum-9921 now", "2580이요".
NOTHING_BUT_A_VALUE = (
    r"(?i:(?:it's|it is|its|it was|that's|here:?|here it is:?|so|ok|okay|is|그게|이거|바로|그건|지금은|이제)[,:]?\s{1,2}){0,3}[\"'`“‘(]?[#*]?[^\s가-힣]{4,80}?[#*]?[\"'`”’)]?"
    r"(?:\s?(?:이?야|이?에요|예요|입니다|이?요|임|이고|이래)|\s(?i:now|again|btw|by the way|이제))?\s?[.!]?"
)
ASKS = r"(?i:[?？:]\s*$|\b(?:what|which|tell me|send me|give me|need|enter|type)\b|알려|뭐|무엇|말해|입력|보내)"
