"""English data: signs of categories, labels that are not names, small talk."""

from celestial_engine.lang.signs import Pattern, Sign, words

LABELS = frozenset(
    """
note notes todo fixme warning error info debug hint tip tips summary question answer q a example examples result
results conclusion title subject topic date time when where who what why how name email phone address update
updates edit ps nb re fwd fw cc bcc from to step steps goal goals plan reminder remember important fact facts task
tasks idea ideas issue issues problem problems solution solutions caution attention reference references source
sources link links see also version status agenda action actions decision decisions background context input output
pros cons ingredients instructions directions price cost total location venue deadline due priority http https ftp
file path url monday tuesday wednesday thursday friday saturday sunday january february march april may june july
august september october november december definition rule rules option options feature features requirement
requirements description overview introduction abstract keywords key keys value values chapter section part figure
table today tomorrow yesterday breakfast lunch dinner remark comment comments quote translation meaning purpose
""".split()
)
# First words of notes: not speakers, unless a date precedes them.
NOTED = frozenset(
    """
wifi wi-fi wlan network server host port pin password passwords passcode username user login account accounts id key
budget income salary rent bill bills invoice payment bank card allergy allergies medication medications medicine
dose symptom symptoms diagnosis blood weight height age birthday birthdate anniversary hobby hobbies interests job
occupation profession work company employer school college university major degree skill skills experience
education language languages nationality religion hometown city country state street zip postcode room floor building
flat apartment house home car flight train bus hotel booking reservation ticket tickets passport visa itinerary trip
travel vacation holiday weather meeting meetings call appointment appointments event events party project projects
sprint milestone review report draft book books movie movies film films song songs music album artist band game games
food foods drink drinks coffee tea breakfast snack recipe recipes menu groceries shopping list lists workout exercise
diet sleep mood health pet pets dog cat contact contacts emergency favorites favourites favorite favourite likes
dislikes preference preferences gift gifts size color colour brand model serial order orders product item items
quantity amount number numbers count score rating grade exam homework lesson course class lecture topic theme
motto habit habits routine schedule calendar week month year weekend morning afternoon evening night monday
python java javascript typescript rust golang kotlin swift docker linux git github sql react vue api database repo
branch commit bug fix code command config os browser app software hardware phone laptop device printer router
""".split()
)
# A line that looks like speech: addressed to a person, about oneself, or with spoken forms.
SPEECH = (
    r"[?？]|\b(?:i|me|my|mine|we|us|our|you|your|yours|u)\b|\w['’](?:m|re|ve|ll|d|t)\b|"
    r"\b(?:it|that|there|he|she|what|where|who|how|let|here)['’]s\b|"
    r"^\W*(?:hi|hey|hello|hiya|yo|oh|ah|aw+|wow|yay|yes|yeah|yep|yup|no|nope|nah|ok|okay|sure|thanks|thank|thx|please|"
    r"sorry|bye|goodbye|haha\w*|lol|hmm+|um+|uh|well|congrats|congratulations|good (?:morning|night|evening)|"
    r"of course|right|exactly|really|great|nice|cool|awesome|wonderful|absolutely|definitely|same|omg)\b"
)
TITLES = ("Mr. ", "Mrs. ", "Ms. ", "Dr. ", "Prof. ")
ROLES = frozenset("user assistant human ai system bot tool agent".split())
MONTHS = "january february march april may june july august september october november december".split()

# A sentence of only these words has no content.
SMALL_TALK = frozenset(
    """
hey hi hello yo thanks thank you thx bye goodbye good morning night evening afternoon see take care wow oh ok okay
sure yes yeah yep no nope lol haha hahaha cool great nice awesome congrats congratulations how are how's it going
what's up you're welcome problem sounds got i please sorry so much very a lot again there everyone all buddy man
that's really helpful like plan thing of course exactly absolutely totally definitely right amazing for the well
done good job too
""".split()
)
FIRST_PERSON = frozenset("i i'm i've i'll i'd my me mine we our we're we've".split())

_LIKING = frozenset("love like prefer enjoy hate dislike adore loathe detest".split())
PRINCIPLE: tuple[Sign, ...] = (
    Pattern(
        r"\b(?:my|our|core|guiding|golden|cardinal|basic) (?:principles?|rules?|values?)\b|\bprinciples?:|"
        r"\b(?:on|in) principle\b|\bprinciples? (?:is|are|of mine|that)\b|\brule number one\b",
        frozenset("principle principles rule rules value values".split()),
    ),
    Pattern(
        r"(?:^|[.!?:] |\b(?:i|we|you) (?:will |must |should )?)"
        r"(?:always\b[^.!?]{1,80}\bnever|never\b[^.!?]{1,80}\balways)\b",
        frozenset(("always", "never")),
    ),
    Pattern(
        r"\b(?:under no circumstances|no matter what|non-?negotiable|at all costs|without exception)\b",
        frozenset("circumstances matter negotiable non-negotiable nonnegotiable costs exception".split()),
    ),
)
PREFERENCE: tuple[Sign, ...] = (
    Pattern(
        r"\b(?:i|we|they) (?:(?:really|still|also|just|absolutely|always|personally|definitely) )?"
        r"(?:love|like|prefer|enjoy|hate|dislike|adore|loathe|detest)\b",
        _LIKING,
    ),
    words("favorite favourite fond allergic addicted preference preferences preferred preferably"),
    Pattern(
        (
            r"\b(?:fan of|not a fan|can'?t stand|rather (?:have|use|drink|eat|go|not)|would rather|my taste|"
            r"into \w+ing)\b"
        ),
        frozenset("fan stand rather into taste".split()),
    ),
    Pattern(
        r"\b(?:don'?t|doesn'?t|do not|does not|didn'?t) (?:\w+ )?(?:like|love|enjoy|care for|want)\b",
        _LIKING | {"care", "want"},
    ),
    words("likes loves prefers hates dislikes enjoys adores loathes detests"),
)
EMOTION: tuple[Sign, ...] = (
    words(
        """
happy sad angry furious anxious nervous worried scared afraid lonely depressed heartbroken grateful thankful excited
thrilled proud ashamed embarrassed jealous envious bored frustrated disappointed overwhelmed stressed exhausted upset
devastated relieved miserable hopeless nostalgic homesick disgusted terrified guilty
"""
    ),
    words("feel feels feeling felt"),
    words("crying cried tears burnout panic heartache grief anxiety joy sorrow rage mood stress burned burnt"),
    Pattern(
        r"\bi (?:really )?miss (?:him|her|them|you|my|home)\b|"
        r"\bmakes? me (?:so |really |feel )?(?:happy|sad|angry|mad|anxious|smile|cry)\b",
        frozenset("miss makes make".split()),
    ),
)
TECHNICAL: tuple[Sign, ...] = (
    words(
        """
python java javascript typescript react vue rust golang kotlin swift django flask fastapi node nodejs sql sqlite
postgres postgresql mysql mongodb redis docker kubernetes k8s linux ubuntu git github aws gcp azure terraform nginx
graphql grpc html css c++ tensorflow pytorch numpy pandas latex markdown json yaml webpack npm pip tesseract
"""
    ),
    words(
        """
api apis sdk cli database databases server servers backend frontend deploy deployed deployment deploying compile
compiler compiled debug debugging debugger bug bugs refactor refactored refactoring algorithm algorithms regex
framework endpoint endpoints schema migration migrations cache caching async mutex runtime kernel encryption oauth jwt
http https tcp dns cpu gpu latency throughput embedding embeddings neural dataset benchmark benchmarks pipeline
repository repo commit commits merge segfault query queries clustering microservice microservices localhost ocr parser
timeout
"""
    ),
    Pattern(
        r"[(`_.](?:(?<=\w\()[^()]{0,40}\)|(?<=`)``|(?<=[a-z]_)[a-z]|(?<=\d\.)\d+\.\d|"
        r"(?<=\w\.)(?:py|js|ts|rs|go|java|cpp|sh|sql|json|yaml|toml)\b)"
    ),
    words("code coding programming software function variable install installed config configuration library"),
)
EXPERIENCE: tuple[Sign, ...] = (
    Pattern(
        r"\b(?:yesterday|recently|earlier today|this morning|the other day|(?:days?|weeks?|months?|years?) ago|"
        r"last (?:night|week|weekend|month|year|summer|winter|spring|fall|time|"
        r"monday|tuesday|wednesday|thursday|friday|saturday|sunday))\b",
        frozenset("yesterday last ago day morning earlier recently".split()),
    ),
    Pattern(
        r"\b(?:i|we|i've|we've|she|he|they) (?:(?:\w+ly|just|also|even|already|first) )?"
        r"(?:went|visited|travell?ed|attended|met|saw|watched|tried|bought|moved|started|finished|"
        r"completed|learned|took|"
        r"made|got|had|did|won|lost|ran|hiked|cooked|ate|played|joined|graduated|signed up|volunteered|"
        r"hosted|celebrated|"
        r"gave|found|discovered|read|spent|flew|drove|broke|adopted|ordered)\b",
        FIRST_PERSON | {"she", "he", "they"},
    ),
    words("trip vacation holiday concert festival party wedding graduation journey adventure camping hike marathon"),
    Pattern(r"^(?:just |finally )?(?:went|visited|bought|got|met|saw|finished|attended|tried|had|came back)\b"),
)

# Verbs of any text: sharing one of these is no topic.
COMMON_VERBS = frozenset(
    """
    go get make take come look need want feel start stop try use give put tell say ask know think see find keep leave
    let call show turn move bring begin seem happen become talk send hold work live stay finish end meet buy pay wait
    spend set run eat drink love like hate prefer enjoy break fix open close help change arrive
    """.split()
)
