"""English data for comparing statements: words that do not change the meaning, and words that do."""

# -- values: moments and numbers ------------------------------------------------------------------------

_MONTHS = "january february march april may june july august september october november december".split()
MONTHS = {name[:3]: number for number, name in enumerate(_MONTHS, 1)} | {"sept": 9}
_MONTH = r"(?P<month>jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)(?:(?<=jan)uary|(?<=feb)ruary|(?<=mar)ch|(?<=apr)il|(?<=jun)e|(?<=jul)y|(?<=aug)ust|(?<=sep)tember|(?<=oct)ober|(?<=nov)ember|(?<=dec)ember)?\.?"  # noqa: E501
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?(?!\d|:|\s?[ap]\.?m\b)"
_HALF = r"(?P<half>[ap])\.?m\b\.?"
# Each matched group becomes a value of its kind.
PATTERNS = (
    rf"\b{_MONTH} {_DAY}(?:,? (?P<year>(?:19|20)\d\d)\b)?",
    rf"\b{_DAY}(?: of)? {_MONTH}(?![a-z])(?:,? (?P<year>(?:19|20)\d\d)\b)?",
    r"\b(?:in|by|until|till|since|for|of|next|last|this|early|late) "
    r"(?P<month>may|march)(?=\W*$| (?:19|20)\d\d|[.,;])",
    rf"\b(?P<hour>[01]?\d)(?::(?P<minute>[0-5]\d))? ?{_HALF}",
    r"\b(?P<hour>[0-2]?\d):(?P<minute>[0-5]\d)\b",
    r"\b(?P<hour>[01]?\d) ?o'?clock\b",
    r"\b(?:in|since|until|till|by|from|during|of) (?P<year>(?:19|20)\d\d)\b",
    r"\b(?P<ordinal>\d{1,3})(?:st|nd|rd|th)\b",
)
NUMBER = r"(?<![\w.])(?P<number>[-+]?\d[\d,]*(?:\.\d+)?)(?=$|[\s%°,.;:!?)\]'\"/~-]|(?-i:k|K|M|px|kg|km|cm|mm|g|m|gb|GB|mb|MB|tb|TB|s|ms|h|lbs?|usd)\b)"  # noqa: E501
NUMBER_WORDS = {
    word: str(number)
    for number, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())
} | {
    "thirteen": "13",
    "fifteen": "15",
    "twenty": "20",
    "thirty": "30",
    "forty": "40",
    "fifty": "50",
    "hundred": "100",
    "thousand": "1000",
    "million": "1000000",
    "dozen": "12",
    "half": "0.5",
    "twice": "2x",
    "once": "1x",
}
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_SHORT = {"mon": 0, "tue": 1, "tues": 1, "wed": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4, "sat": 5, "sun": 6}
# Words that are values: a kind, and which.
MOMENTS = (
    {form: ("weekday", str(day)) for day, name in enumerate(_WEEKDAYS) for form in (name, name + "s")}
    | {name: ("month", str(number)) for number, name in enumerate(_MONTHS, 1) if name not in ("may", "march")}
    | {name: ("part", name) for name in "morning afternoon evening night noon midnight".split()}
    | {name: ("season", name) for name in "spring summer autumn winter".split()}
    | {name: ("near", name) for name in "today tomorrow yesterday tonight".split()}
)
SHORT_WEEKDAYS = {name: ("weekday", str(day)) for name, day in _SHORT.items()}  # only where written with a capital

# Relative times: the same words mean another day when said on another day.
RELATIVE = (
    r"\b(?:today|tomorrow|yesterday|tonight|just now|right now|at the moment|(?:this|next|last|coming) "
    r"(?:\w+ )?(?:morning|afternoon|evening|night|week|weekend|month|year|spring|summer|autumn|fall|winter|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|time)|ago|(?:in|within) (?:an?|\w+|\d+) "
    r"(?:minutes?|hours?|days?|weeks?|months?|years?))\b"
)

# -- words ------------------------------------------------------------------------------------------------

# Words that can be omitted without changing the meaning.
EMPTY = frozenset(
    """
a an the this that these those there here it its as is are am be been being was were do does
did have has had just really very so quite actually basically simply literally totally truly definitely certainly
also too and then well oh hey ok okay please remember note that's which who whom i'm currently now nowadays presently
my our own user's pretty much kind sort especially particularly highly extremely super honestly
""".split()
)
# These may be omitted too, but different ones change the meaning: in the box, on the box.
PLACING = frozenset("in on at of by for with".split())
# Adverbs and prepositions that change the meaning.
WEIGHTY = frozenset(
    """
rarely seldom sometimes always only almost nearly often usually mostly occasionally frequently before after until
since from to against except despite first last maybe probably perhaps possibly again still already alone together
daily weekly monthly yearly twice more less
""".split()
)
SELF = frozenset("i me mine myself we us user users".split())
NEGATING = frozenset(
    "not never no cannot without neither nor none nobody nothing hardly barely anymore longer".split()
)
# Together they negate once: no longer, not anymore, never again.
TOGETHER = frozenset("longer anymore".split())
LIKING = frozenset("like love adore enjoy fancy appreciate prefer favor".split())
DISLIKING = frozenset("dislike hate detest loathe despise".split())
QUITTING = frozenset("stop quit".split())  # stopped smoking: does not smoke
FUTURE = frozenset("will shall gonna".split())
MOODS = frozenset("can could may might must should would shall need".split())

# Synonyms; the first represents the group.
ALIKE = """
live reside dwell; buy purchase; begin start commence; big large; small little; kid child; mother mom mum;
father dad; movie film; car automobile; phone cellphone smartphone; job occupation profession; favorite
favourite; color colour; doctor physician; fast quick; smart clever; happy glad; often frequently; sick ill;
photo picture; finish complete; quit resign; repair fix; mobile cell; apartment flat; vacation holiday; meeting
meet; need require; speak talk; woman lady; man guy; couch sofa; rent lease; assist help; permit allow; also
too; maybe perhaps; bicycle bike; tv television; mail email; deadline due; colleague coworker; neighbor
neighbour; wife spouse
"""
# Pairs of opposites.
OPPOSITES = """
open closed; open close; before after; with without; more less; most least; many few; up down; in out; on off;
high low; big small; large small; hot cold; warm cool; good bad; better worse; best worst; fast slow; early
late; old new; old young; buy sell; win lose; start stop; begin end; start end; start finish; arrive leave;
arrive depart; come go; always never; always sometimes; always rarely; often rarely; often seldom; often
sometimes; all some; all none; some none; every some; all most; min max; minimum maximum; true false; yes no;
true wrong; right wrong; correct wrong; correct incorrect; pass fail; succeed fail; accept reject; accept
refuse; accept decline; approve reject; allow forbid; allow deny; allow prevent; enable disable; increase
decrease; increase reduce; raise lower; rise fall; grow shrink; add remove; push pull; give take; give get; send
receive; lend borrow; happy sad; happy unhappy; easy difficult; easy hard; cheap expensive; rich poor; strong
weak; healthy sick; alive dead; safe dangerous; full empty; clean dirty; dry wet; light dark; light heavy;
single married; able unable; possible impossible; likely unlikely; available unavailable; public private;
internal external; indoor outdoor; inside outside; upstairs downstairs; love hate; like dislike; trust distrust;
agree disagree; remember forget; keep lose; keep leave; found lost; present absent; awake asleep; above below;
over under; front back; near far; long short; tall short; wide narrow; thick thin; deep shallow; hard soft; loud
quiet; sweet bitter; beautiful ugly; from to; join leave; hire fire; import export; upload download; install
uninstall; connect disconnect; lock unlock; online offline; sync async; read write; input output; delicious
terrible; great terrible; good terrible; can must; may must; might must; should must; can should; optional
required
"""

# Adverbs and verbs by which a newer statement says itself that it replaces the older one.
RENEWING = frozenset("now anymore longer nowadays".split())
CHANGING = frozenset("move change switch reschedule postpone shift replace update raise lower extend migrate".split())

# -- claims: facts with one value at a time -----------------------------------------------------------

# Predicates of triples with the same meaning; the first is the name.
CLAIMS = """
live in: live at, live near, reside in, move to, relocate to, is based in, is living in, settle in
work at: work for, work in, join, is employed at, is employed by, is working at, start at, start working at
study at: attend, enroll in, is studying at
age: is aged
name: is called, is named, go by
married to: marry, is married to
engaged to: is engaged to
date: is dating
"""
# Past events whose result still holds; the past of other verbs says nothing about the present.
ONCE = frozenset("move relocate join marry start switch change settle reschedule".split())
# Attributes that can have several values at a time.
MANY_VALUED = frozenset("hobby hobbies goal goals dream allergy allergies language size price cost number".split())
AGE = r"^(?:about )?(\d{1,3})(?:[ -]years?[ -]old)?$"
