"""English signs for features of conversation turns. Sentences are lower case; each is a statement or a question."""

from celestial_engine.lang.en import topics as en_topics
from celestial_engine.lang.en import words as en
from celestial_engine.lang.signs import Pattern, Sign, words

LETTERS = "[a-z]"
GREETINGS = en_topics.SMALL_TALK
EMPTY_WORDS = en.STOP_WORDS | en_topics.SMALL_TALK

_ASKING = "what when where who whom whose which why how"
_HELPING = "do does did is are am was were can could will would should shall have has may might"
_SOMEBODY = "i you we he she they it there my your our his her their the this that these those any anyone anybody"


def _one_of(listed: str) -> str:
    return "(?:" + "|".join(listed.split()) + ")"


# "When it rains, ..." is no question: without a question mark, a verb must follow the question word.
QUESTION: tuple[Sign, ...] = (
    Pattern(r"[?？][\"')\]!~ ]*$"),
    Pattern(
        rf"^(?:(?:so|and|but|well|hey|ok|okay|also|hmm|um|oh|please)[, ]+)*(?:{_one_of(_ASKING)}(?:'s|'re|'d|'ll)? "
        rf"(?:{_one_of(_HELPING)}\b|many\b|much\b|old\b|long\b|often\b|far\b|to\b)|(?:what|where|who|when|how)'s\b|"
        rf"{_one_of(_HELPING)}(?:n't)? {_one_of(_SOMEBODY)}\b)",
    ),
    # A request that memories may help with.
    Pattern(
        r"^(?:(?:so|and|but|well|hey|ok|okay|also|then|now|please|kindly)[, ]+)*"
        r"(?:tell me|show me|remind me (?:of|about|what|when|where|who|which|how|why)|suggest|recommend|help me|"
        r"give me|find me|look up|explain|teach me|summari[sz]e|advise me|search (?:for|my)|list my)\b"
    ),
)
ASKS_BACK: tuple[Sign, ...] = (
    words("i i'm i've i'd i'll me my mine we our us myself"),
    Pattern(
        r"\b(?:remember|recall|last time|earlier|previously|(?:told|said|mentioned|talked|discussed) (?:about|"
        r"before))\b"
    ),
)
DISCOURSE: tuple[Sign, ...] = (
    Pattern(
        r"\b(?:as|like) (?:i|we) (?:said|told|mentioned|discussed|talked)\b|\b(?:i|we) (?:already )?"
        r"(?:told you|mentioned|talked about|discussed|were talking) (?:\w+ ){0,6}"
        r"(?:before|earlier|already|last time|yesterday|the other day)\b|"
        r"\b(?:last time we|remember when|remember the|(?:back|going back) to (?:what|the|my|our)|"
        r"speaking of which|that (?:thing|one|book|place|project) (?:i|we) (?:told|mentioned|talked))\b"
    ),
)
REMEMBER: tuple[Sign, ...] = (
    Pattern(
        r"(?:^|[.!,;:—-] ?|\b(?:please|and|so|also|just|always|must|to) |\b(?:can|could|will|"
        r"would) you (?:please )?)"
        r"(?:remember(?! (?:when|how|the time|me\b|us\b)|[?])|memori[sz]e|keep (?:it |this |that )?in mind|"
        r"(?:don't|do not|never) (?:you )?forget(?! about it)|take (?:a )?note|make (?:a )?note|note (?:that|down|"
        r"this)|"
        r"write (?:this|that|it) down|jot (?:this|that|it) down|save (?:this|that|it)\b|store (?:this|that)\b)",
        frozenset("remember memorize memorise mind forget note write jot save store".split()),
    ),
    Pattern(r"\bfor (?:future reference|the record|next time)\b|^fyi\b|\bfrom now on\b|\bfor your information\b"),
    Pattern(
        r"^(?:please )?remind me to\b|^(?:please )?(?:always|never) (?!mind\b|been\b|had\b|thought\b)\w+ (?:me|my|"
        r"in|the)\b"
    ),
)

_KIN = (
    "wife husband partner spouse girlfriend boyfriend fiance fiancé fiancee fiancée son sons daughter daughters "
    "kid "
    "kids child children baby twins mom mum mother dad father parents brother brothers sister sisters sibling "
    "siblings "
    "grandma grandpa grandmother grandfather grandparents grandson granddaughter uncle aunt cousin cousins nephew "
    "niece "
    "in-laws stepson stepdaughter roommate roommates"
)
_PETS = "dog dogs cat cats puppy puppies kitten kittens pet pets hamster parrot rabbit turtle turtles bird fish "
"horse"
_OWN = (
    "birthday birthdate anniversary address phone number email e-mail age hometown job occupation profession boss "
    "company "
    "employer height weight size major nationality language religion blood mbti diet doctor dentist salary school"
    " university car bike house apartment"
)
PERSONAL: tuple[Sign, ...] = (
    Pattern(
        r"\bmy (?:(?:full|first|last|middle|real|nick|given|family|maiden) ?)?name(?:'s| is)\b|"
        r"\b(?:please )?call me "
        r"(?!when|if|back|later|at|on|crazy|tomorrow|today|asap|and)\w|\b(?:i'm|i am) (?:called|named)\b|"
        r"\bpeople call me\b|\bi go by\b",
        frozenset("name name's call called named go".split()),
    ),
    Pattern(
        r"\b(?:i|we) (?:currently |now |also |still |just |recently |used to |have |'ve )*"
        r"(?:(?:live|lived|reside|grew up|was born|were born|study|studied|moved|graduated|commute) "
        r"(?:in|at|on|near|with|to|from|here|abroad|downtown)|(?:work|worked|teach|taught|majored) (?:in|at|for|"
        r"as|on|with))\b|"
        r"\b(?:i'm|i am|we're|i come|we come) (?:originally )?from\b",
        frozenset(
            "live lived reside grew born work worked study studied teach taught majored moved graduated commute "
            "from".split()
        ),
    ),
    Pattern(
        rf"\b(?:my|our) (?:[\w-]+ ){{0,2}}{_one_of(_OWN)}(?: (?:number|type|size|tongue|plan))?(?:'s\b|,? (?:is|"
        rf"was|are|has|will be)\b|:)",
        frozenset((_OWN + " my our").split()),
    ),
    Pattern(
        r"\b(?:i'm|i am|i turned|i'll be|i just turned) (?:only |almost |turning |now )?\d{1,3}\b(?! ?(?:%|"
        r"minutes?|mins?|"
        r"hours?|days?|pages?|percent|km|miles?|steps?))|\b(?:i'm|i am|i work as|i was|i became|i've been) an? "
        r"(?!bit|little|lot|fan|huge|big|great|total|mess|sucker|member|part|good|bad|few|while|firm|believer|kid|"
        r"child|boy|girl|real|true|terrible|long|couple|year|week|month|day|better|happy|proud)\w",
    ),
    Pattern(
        r"\ballerg(?:ic|y|ies)\b|\bintoleran(?:t|ce)\b|\bi (?:can't|cannot|don't|do not|never) (?:eat|drink|"
        r"have (?:dairy|gluten|"
        r"meat|nuts|sugar|alcohol|caffeine))\b|\b(?:i'm|i am|i've been|i was|we're) "
        r"(?:(?:a|not|also|now|still|strictly|mostly|actually|happily|recently|newly|getting) )*"
        r"(?:vegan|vegetarian|pescatarian|diabetic|celiac|coeliac|pregnant|kosher|halal|married|divorced|single|"
        r"engaged|"
        r"widowed|separated|retired|unemployed|self-employed|freelanc\w+|left-handed|colou?r ?blind|autistic|deaf|"
        r"blind|"
        r"asthmatic|jewish|muslim|christian|catholic|buddhist|hindu|korean|american|british|canadian|german|french|"
        r"japanese|chinese|spanish|italian|transgender|gay|bisexual|lesbian|diagnosed|adopted)\b|"
        r"\bdiagnosed with\b|\b(?:i|my \w+) (?:have|has|suffers? from|had) (?:an? |severe |chronic |type \d )*"
        r"(?:diabetes|asthma|adhd|migraines?|epilepsy|insomnia|anxiety|depression|arthritis|cancer|hypertension|"
        r"high blood pressure|celiac|dyslexia|eczema|phobia)\b",
    ),
    Pattern(
        rf"\b(?:i|we)(?:'ve| have|'ve got| have got| got| adopted| have also| also have) (?:just |only |got )?"
        rf"(?:an?|one|two|three|four|five|six|\d+|twin|no) (?:[\w-]+ ){{0,2}}{_one_of(_KIN + ' ' + _PETS)}\b",
        frozenset((_KIN + " " + _PETS).split()),
    ),
    Pattern(
        rf"\b(?:my|our) (?:[\w-]+ ){{0,2}}{_one_of(_KIN + ' ' + _PETS)}(?:'s|s')?,? (?:[\w-]+,? ){{0,2}}?"
        r"(?:is|are|was|were|has|have|had|names?|named|called|works?|worked|lives?|lived|loves?|likes?|hates?|"
        r"started|"
        r"starts|goes|went|turned|turns|died|passed|got|moved|studies|born|just|bought|graduated|plays?|wants?|"
        r"broke|"
        r"made|gave|taught|used)\b|"
        rf"\b(?:my|our) {_one_of(_KIN + ' ' + _PETS)},? [a-z]+,",
        frozenset((_KIN + " " + _PETS + " mom's dad's wife's husband's dog's cat's son's daughter's").split()),
    ),
)
PREFERENCE: tuple[Sign, ...] = (
    Pattern(
        r"\b(?:i|we)(?:'d| would|'ve| have| do)? (?:(?:really|still|also|just|absolutely|always|personally|"
        r"definitely|"
        r"usually|generally|much|actually|especially|truly|never|don't|do not|didn't|strongly) )*"
        r"(?:love|loved|like|liked|prefer|preferred|enjoy|enjoyed|hate|hated|dislike|adore|loathe|detest|"
        r"can't stand|"
        r"cannot stand|rather)\b(?! (?:it|that|this|your|you|how|what|the (?:way|idea|thought|photo|pic|picture|"
        r"look))\b)"
        r"(?= \w)",
        frozenset(
            "love loved like liked prefer preferred enjoy enjoyed hate hated dislike adore loathe detest stand "
            "rather".split()
        ),
    ),
    Pattern(
        r"\b(?:my|his|her|their|our|an?|all-time) (?:[\w-]+ )?(?:favou?rites?|go-to|preference|pet peeve|hobby|"
        r"hobbies|passion)\b|"
        r"\b(?:big|huge|not an?|an?) fan of\b|\bfond of\b|\baddicted to\b|\b(?:i'm|i am|i'd say i'm|been|"
        r"really) into \w"
        r"|\b(?:obsessed with|passionate about|interested in)\b",
    ),
    Pattern(
        r"\b(?!that|it|this|who|which)[a-z]+ (?:(?:strongly|really|usually|always|also) )?(?:prefers|likes|loves|"
        r"hates|dislikes|enjoys|adores|wants)\b"
    ),
)
EMOTION: tuple[Sign, ...] = en_topics.EMOTION
TECHNICAL: tuple[Sign, ...] = en_topics.TECHNICAL

# Phrases that say little about the speaker: "I hoped so", "I'm saying".
_SAYING = (
    "agreed|appreciated|believed|figured|guessed|hoped|imagined|liked|loved|supposed|wanted|wished|wondered|enjoyed|"
    "needed|noticed|thanked|admired|heard|meant"
)
_MEANING = (
    "being|coming|dying|feeling|guessing|hoping|joking|kidding|loving|looking "
    "forward|saying|sending|talking|telling|"
    "thinking|trying|wondering|rooting|wishing|asking"
)
_MEANWHILE = (
    r"(?:\w+ly |just |also |even |already |now |still |always |currently |finally |lately |actually |both |kinda )*"
)
# Reports from life or work: events, decisions, plans, dates.
TOLD: tuple[Sign, ...] = (
    *en_topics.EXPERIENCE[:2],
    Pattern(
        r"\b(?:i|we|he|she|they|[a-z]+)(?:'ve| have| has|'s|'m| am|'re| are)? (?:\w+ly |just |also |even |"
        r"already |now )?"
        r"(?:decided|agreed|chose|committed|committing|promised|planned|planning|switched|switching|going to|gonna|"
        r"signed up|working on|training for|preparing|scheduled|confirmed|started|begun|learning|saving|applying|"
        r"building|writing|launched|opened|hired|quit|lost|won|passed|failed|finished|accepted|"
        r"thinking (?:of|about)|looking (?:for|into)|considering|volunteering|studying)\b"
        r"(?! (?:to (?:be )?(?:great|fun|awesome|amazing|okay|ok|fine)|with you))",
    ),
    Pattern(
        rf"\b(?:i|we) {_MEANWHILE}(?:(?!(?:{_SAYING})\b)\w{{2,}}(?:ed|wrote|drew|sang|grew)|wrote|drew|sang|grew|"
        rf"came|"
        rf"went|made|took|began|felt|told|taught|built|brought|chose|set up|put|kept|left|sold|caught|fell|rode|"
        rf"swam|wore)\b|"
        rf"\b(?:i've|we've|i have|we have) {_MEANWHILE}(?:been (?!great|good|well|fine|ok|okay|there|better)\w+|"
        rf"\w{{2,}}ed\b|"
        r"done|made|taken|seen|gone|written|had|found|got|grown|begun|built|lost|won|met|read)\b|"
        rf"\b(?:i'm|we're|i am|we are) {_MEANWHILE}(?!(?:{_MEANING})\b)\w{{2,}}ing\b|"
        r"\bit (?:taught|made|helped|gave|gives|makes|helps|reminds|keeps) me\b",
    ),
    Pattern(
        r"^(?:just |finally |recently )?(?:decided|agreed|confirmed|promised|committing|committed|decision|fact|"
        r"deadline)\b"
    ),
    Pattern(
        r"\b(?:i'll|we'll|i will|we will|will) (?!be (?:great|fun|awesome|fine|okay|ok)|definitely|let you|"
        r"keep (?:you|it|going)|"
        r"check|try|do (?:that|it)|see|never|always)\w+ (?:\w+ ){1,}"
    ),
    Pattern(
        r"\b(?:deadline|due (?:date|on|by)|meeting|appointment|interview|flight|exam|surgery|wedding|reservation) "
        r"(?:is|was|on|at|for|in|has)\b|\b(?:by|until|before|on|since) (?:next |this |last )?(?:(?:mon|tues|"
        r"wednes|thurs|fri|satur|sun)day|"
        r"january|february|march|april|may|june|july|august|september|october|november|december)\b|"
        r"\b(?:tomorrow|tonight|next (?:week|month|year|weekend))\b"
    ),
    Pattern(r"\b(?:i think|in my opinion|my (?:take|opinion|view|read)|i'm skeptical|i believe|honestly)\b.{40,}"),
)
SMALL_TALK: tuple[Sign, ...] = (
    Pattern(
        r"^(?:(?:hey|hi|hello|so|oh|and|well|anyway|thanks|wow|yeah|yes|no|ok|okay|[a-z]+)[,!. ]+){0,2}"
        r"(?:how (?:are|'re) (?:you|u|things|ya)|how(?:'s| is| has| have)(?: it| things| everything| life|"
        r" your day| you)\b|"
        r"how about you|how have you|how you|what about you|and you|what's (?:up|new|going on|happening)|"
        r"what have you been|"
        r"what are you up to|anything new|you (?:ok|okay|good)|really|right|seriously|you know|are you (?:there|"
        r"ok|okay|serious|sure)|"
        r"good (?:to|seeing|morning|night)|nice to|long time no see|see (?:you|ya)|take care|"
        r"talk (?:to you )?(?:soon|later)|"
        r"have (?:a (?:good|great|nice)|fun)|no (?:problem|worries|prob)|you're welcome|my pleasure|keep (?:it up|"
        r"going)|"
        r"sounds (?:good|great|like)|that(?:'s| is| was| sounds| would be|'d be) (?:so |really |very |super |"
        r"just |absolutely )?"
        r"(?:good|great|nice|cool|awesome|amazing|wonderful|sweet|fantastic|true|right|fine|funny|lovely|"
        r"beautiful|adorable|a good|a great|an? \w+ idea)|"
        r"congrat\w*|thank you|thanks|good (?:luck|job|for you)|way to go|well done|i (?:see|agree|understand|"
        r"know|get it|hope so|guess so)|"
        r"i'm (?:so |really |very )?(?:glad|happy|proud|sorry|excited) (?:for you|of you|to hear|that|you)|"
        r"glad (?:to|you|it|that)|of course|never mind|let me know|will do|got it|makes sense|me too|"
        r"same here)\b[^,;:]{0,40}$"
    ),
)

EXAMPLES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "QUESTION": (
        ("What is the capital of France", "is it going to rain today", "Tell me a story about the sea."),
        ("When it rains, I stay at home.", "What a day.", "I wonder."),
    ),
    "ASKS_BACK": (("What did I say about the budget?", "Do you remember the hotel?"), ("What is a monad?",)),
    "DISCOURSE": (
        ("As I said, the door sticks.", "I told you about the trip before."),
        ("The door sticks.", "I said no."),
    ),
    "REMEMBER": (
        ("Remember that the door code changes.", "Please don't forget the milk.", "From now on answer briefly."),
        ("I remember that day.", "Do you remember me?", "I forgot my umbrella."),
    ),
    "PERSONAL": (
        (
            "My name is Mina.",
            "I live in Busan with two friends.",
            "I'm allergic to peanuts.",
            "My birthday is on May 3rd.",
            "I work as a nurse.",
            "My dog is called Bori.",
            "We have two daughters.",
        ),
        ("The name is hard to spell.", "I live for weekends.", "Dogs are animals.", "My point is simple."),
    ),
    "PREFERENCE": (
        ("I like Python.", "I don't like coriander.", "My favourite colour is green.", "Mina prefers tea."),
        ("I love it!", "It looks like rain.", "I like that."),
    ),
    "TECHNICAL": (("The API server runs on Docker.", "We deploy with Kubernetes."), ("The soup is ready.",)),
    "EMOTION": (("I feel lonely these days.", "She was furious."), ("The table has four legs.",)),
    "TOLD": (
        ("I went to Jeju last week.", "We decided to move the launch.", "The deadline is on Friday."),
        ("Nice weather.", "You are right.", "Sounds good."),
    ),
    "SMALL_TALK": (
        ("Hello!", "Thanks a lot!", "ok", "How are you doing?", "Sounds good.", "haha"),
        ("My name is Mina.", "The server is down.", "I moved to Busan."),
    ),
}
