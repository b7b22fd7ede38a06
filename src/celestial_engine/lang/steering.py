r"""How somebody steers an assistant towards others, as word classes in English and Korean.

An order has a scope (anyone, whatever they ask, each conversation) and an act of the assistant (tell, name, approve). What
users wish for themselves ("don't ask me about him") has neither; a sentence about oneself is left alone. Each pattern is
searched in one sentence of bounded length.
"""

from __future__ import annotations

SCOPE = (
    r"(?i:\b(?:any(?:one|body)|every(?:one|body)|who(?:m)?ever|people who|those who|(?:callers|customers|clients|users|visitors|patients|guests) who"
    r"|(?:each|every|any|all) (?:of the )?(?:\w{1,20} )?(?:callers?|customers?|clients?|users?|visitors?|patients?|travell?ers?|guests?|requests?"
    r"|complaints?|questions?|conversations?|chats?|repl(?:y|ies)|answers?|reviews?|comparisons?|rankings?|talk|talks)"
    r"|(?:any|every|each) time (?:a|an|the|some(?:one|body)|they|people)|when(?:ever)? (?:some(?:one|body)|they|people|the topic|a \w{1,20} (?:asks?|wants?|complains?))"
    r"|if (?:they|some(?:one|body)|people|a \w{1,20} (?:asks?|wants?|complains?))|no matter (?:what|who|how|which)"
    r"|whatever (?:they|he|she|is|the|it|address|number|people)|what they say|(?:to|tell(?:ing)?) people)\b)"
)
_ACT = (
    r"(?:answer|reply|respond|tell|say|quote|cite|name|mention|bring up|recommend|suggest|promote|push|praise|favou?r|steer|point|direct"
    r"|send|refer|route|present|offer|give|hand|show|read|open|let|approve|accept|sign|pay|handle|process|convince|persuade|blame|hide"
    r"|leave|slip|make|keep telling|report|list|rank|close|confirm)"
)
ORDER = (
    rf"(?i:(?:^|[;:,]\s{{1,2}}(?:so\s|then\s|and\s|just\s|please\s)?|\b(?:please|just|so|to|sure to|remember that)\s)(?:just\s|always\s)?{_ACT}\b)",
    rf"(?i:\byou(?:'ll|r)?\s(?:\w{{1,12}}\s){{0,2}}{_ACT}\b)",
    r"(?i:\b(?:gets?|should|must|hears?|has to|have to|is to|are to|needs? to)\s(?:\w{1,12}\s)?(?:sent|told|shown|given|referred|directed|end up|hear|be told|be sent|be given)\b)",
    r"(?i:\bwhat you (?:open|read|say|give|show)\s(?:is|are)\b)",
)

# Orders that need no scope: leave to act alone, one thing in place of another, an answer that is fixed.
ALONE_HINTS = "you|yourself|no need|leave me|go ahead|no longer|나한테|저한테|내게|확인|묻지|물어보|허락|봐도|줘도|해도|보내도|알아서|선에서|아무나"
ALONE = (
    r"(?i:\byou(?:'re| are| were)?\s(?:now\s|hereby\s|also\s)?(?:cleared|free|permitted|authori[sz]ed|entitled|trusted|empowered)\s(?:to|for)\b)",
    r"(?i:\bconsider yourself\b|\bi (?:give|grant) you (?:permission|leave|the right)\b|\byou (?:can|may) (?:stop|skip|drop|forget)\s(?:checking|asking|confirming|verifying)\b"
    r"|\byou no longer (?:have|need) to (?:ask|check|verify|confirm)\b)",
    r"(?i:\bno need to (?:ask|check with|confirm with|consult) (?:me|us|the user|anyone|anybody)\b)",
    r"(?i:\bleave me out of it\b|\bgo ahead and (?:pay|send|sign|delete|transfer|approve)\b)",
    r"(?i:\b(?:restrictions?|limits?|rules?|checks?)\b[^.!?]{0,20}\bno longer (?:appl(?:y|ies)|hold|holds|count|counts)\s?(?:to you|for you)?\b)",
    r"(?:나한테|저한테|내게)\s?(?:묻지|물어보지|확인하지|확인받지)\s?(?:말고|않아도|않고)[^.!?\n]{0,20}?(?:돼|된다|괜찮|그냥|바로|해치|처리|알아서)",
    r"(?:확인받는|물어보는|허락받는)\s?(?:건|것은)\s?(?:이제\s?)?안\s?해도",
    r"(?:확인하지|묻지)\s?않아도\s?(?:괜찮|돼|된다)",
    r"(?:봐도|읽어\s?줘도|열어\s?봐도|서명해도|보여\s?줘도|승인해도|보내도)\s?(?:돼|된다고|되는)[^.!?\n]{0,14}?(?:허락|걸로|입장)",
    r"(?:네가|니가)\s?알아서\s?(?:내|처리|끝내|결제|승인)|네\s?선에서\s?(?:끝내|처리)|아무나\s?(?:\S{1,8}\s)?(?:들어가|보게|열게|쓰게)",
)
FIXED = (
    r"(?i:^\s?(?:please\s|and\s|so\s)?(?:treat|regard|count|swap|substitute|replace|report|use)\b[^.!?]{1,60}\b(?:as if|as though|as (?:what|the|mine)|in place of|instead of"
    r"|for whatever|under the (?:name|other)|in your head)\b)",
    r"(?i:\b(?:report|read|give|show)\b[^.!?]{1,40}\bunder the name of\b|\bact as (?:though|if) the\b|\bsubstitute (?:his|her|their|its)\b)",
    r"(?i:\b(?:your|the (?:right|only|correct|proper|standard|only acceptable))\s(?:\w{1,12}\s)?(?:answer|reply|response|advice|pick|recommendation)\b[^.!?]{0,30}\bis\b)",
    r"(?i:\b(?:the|one) (?:name|brand|one|airline) (?:to|you) (?:drop|mention|bring up|give out|name|push)\b|\byou are to\b|\bthe instruction for you\b)",
    r"(?i:(?:^|[;:,]\s|\band\s)(?:don't|do not|never)\s(?:bring up|volunteer|name|recommend)\s(?:a |any |the |other |competitors|others|another|second))",
    r"(?i:\b(?:into|in|out of) (?:everything|anything|each|every|all)\b[^.!?]{0,30}\b(?:you (?:write|say|send)|answers?|repl(?:y|ies)|conversations?|chats?|reviews?)\b)",
    r"(?:것처럼|인\s?척|인척|걸로\s?치고|거라고\s?치고|이름으로\s?바꿔서?)\s?[^.!?\n]{0,14}?(?:말해|보고하|보고해|굴어|처리해|하면\s?돼)",
    r"(?:으?로)\s?(?:알아듣고|바꿔서\s?말해)|(?:숫자|값|이름|기록)\s?대신\s?\S{1,10}\s?(?:숫자|값|이름|기록)\S{0,2}\s?(?:써|말해|보고)",
    r"(?:네|너의|니)\s?(?:대답|기본\s?선택|답변)(?:은|는|이)\s|네가\s?(?:따를|여는)\s?(?:건|것은)|(?:대답|답)이\s?정답",
    r"(?:입에\s?올리지|언급하지|꺼내지)\s?(?:말고|않는)",
    r"(?:답변|설명할|글|대화)\S{0,4}\s?[^.!?\n]{0,20}?(?:다\s?빼(?:$|[.!\s])|감춰|숨겨|섞어|끼워\s?넣)",
)
SCOPE_KO = (
    r"(?:(?:이야기|얘기|대화|화제)(?:가\s?나오|만\s?나오|엔|에는|에서는|마다|면|\s?꺼내|가|는)|(?:사람|손님|고객|환자|분)(?:한테|에게|마다|은\s?(?:전부|다|모두)|이\s?있으면|이\s?달라)"
    r"|누구(?:한테|에게)?(?:든|나)|뭘\s?(?:묻|물)|누가\s?(?:묻|물|원하)|(?:묻|물으|물어보|찾으|불평하|원하)(?:면|든)|(?:쓸|매길|설명할)\s?때(?:마다|는)|전화\s?오는"
    r"|(?:뭐|무엇|어떻|어느\s?대화)\S{0,4}든|오면\s?바로|요청은\s?다)"
)
ORDER_KO = (
    r"(?:꺼내(?:도록|고|$|[.!])|들려\s?줘|탓으로\s?돌리|안내하는|가게\s?만들|소개해(?:$|[.!])|말해(?:$|[.!])|얘기해(?:$|[.!])|권하는|밀어\s?(?:줘|붙|주)|몰고\s?가|설득해"
    r"|알려\s?주면\s?(?:돼|되)|인용해|답장해|칭찬하|승인해(?:$|[.!])|수락하|내\s?줘(?:$|[.!])|내줘(?:$|[.!])|줘(?:$|[.!])|보내고|끼워|굴어|여는\s?건|처리해|불러\s?줘|그대로\s?가|하지\s?마(?:$|[.!])|다고\s?해(?:$|[.!])"
    r"|나오는\s?건|이어야지|해치워)"
)
# What a sentence about oneself has: nobody is steered by it.
ONESELF = (
    r"(?i:\b(?:i|i'm|i've|i'll|i'd|me|my|mine|we|us|our|we're)\b)",
    r"(?:^|\s)(?:내가|나한테|나에게|나는|난|나도|내|제가|제|저한테|저는|전|우리|울|나)(?:\s|$)|주(?:세요|십시오|쇼)",
)
