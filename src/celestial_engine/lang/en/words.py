"""English word lists: importance patterns, stop words, irregular forms."""

# Importance of a text, by kind of value. Each kind scores the share of its patterns that occur.
FACTUAL = (
    r"\b\d{4}[-/]\d{1,2}[-/]\d{1,2}\b",
    r"\b\d+\s*(?:kg|km|m|cm|mm|gb|mb|tb|%)(?!\w)",
    r"\b(?:facts?|data|statistics?|numbers?|results?)\b",
)
EMOTIONAL = (
    r"\b(?:love[ds]?|hate[ds]?|happy|sad|angry|fear|joy|excited|worried)\b",
    r"\b(?:amazing|terrible|wonderful|horrible|fantastic|awful)\b",
)
ACTIONABLE = (
    r"\b(?:todo|must|should|need to|have to|deadline|urgent|asap)\b",
    r"\b(?:schedule[ds]?|meetings?|appointments?|tasks?|action items?)\b",
)
EXPLICIT = (r"\b(?:important|critical|remember|never forget|key|essential)\b",)

STOP_WORDS = frozenset(
    [
        "a",
        "about",
        "am",
        "an",
        "and",
        "any",
        "are",
        "as",
        "at",
        "be",
        "been",
        "but",
        "by",
        "can",
        "could",
        "did",
        "do",
        "does",
        "for",
        "from",
        "had",
        "has",
        "have",
        "he",
        "her",
        "his",
        "how",
        "i",
        "if",
        "in",
        "is",
        "it",
        "its",
        "just",
        "me",
        "my",
        "of",
        "on",
        "or",
        "our",
        "she",
        "so",
        "some",
        "than",
        "that",
        "the",
        "their",
        "them",
        "then",
        "there",
        "they",
        "this",
        "to",
        "us",
        "was",
        "we",
        "were",
        "what",
        "when",
        "where",
        "which",
        "who",
        "whom",
        "why",
        "will",
        "with",
        "would",
        "you",
        "your",
    ]
)

# Irregular forms -> the form that the regular ones are stemmed from. Each entry: the base, then its forms.
# A few common synonyms (mom, mother) share a stem.
_FORMS = """
arise arose arisen; awake awoke awoken; beat beaten; become became; begin began begun; bend bent; bet bets;
bite bit bitten; bleed bled; blow blew blown; break broke broken; breed bred; bring brought; build built;
burn burnt; buy bought; catch caught; choose chose chosen; cling clung; come came; cost costs; creep crept;
cut cuts; deal dealt; dig dug; dive dove; draw drew drawn; dream dreamt; drink drank drunk; drive drove driven;
eat ate eaten; fall fell fallen; feed fed; feel felt; fight fought; find found; flee fled; fling flung;
fly flew flown; forbid forbade forbidden; forget forgot forgotten; forgive forgave forgiven;
freeze froze frozen; get got gotten; give gave given; go went gone goes; grow grew grown; hang hung; hear heard;
hide hid hidden; hit hits; hold held; hurt hurts; keep kept; kneel knelt; know knew known; lay laid; lead led;
lean leant; leap leapt; learn learnt; leave left; lend lent; lie lain; light lit; lose lost; make made;
mean meant; meet met; mistake mistook mistaken; overcome overcame; pay paid; prove proven; quit quits;
read reads; ride rode ridden; ring rang rung; rise rose risen; run ran; say said; see saw seen; seek sought;
sell sold; send sent; sew sewn; shake shook shaken; shine shone; shoot shot; show shown; shrink shrank shrunk;
sing sang sung; sink sank sunk; sit sat; sleep slept; slide slid; speak spoke spoken; spend spent; spill spilt;
spin spun; spread spreads; spring sprang sprung; stand stood; steal stole stolen; stick stuck; sting stung;
strike struck; strive strove striven; swear swore sworn; sweep swept; swell swollen; swim swam swum;
swing swung; take took taken; teach taught; tear tore torn; tell told; think thought; throw threw thrown;
understand understood; undertake undertook undertaken; upset upsets; wake woke woken; wear wore worn;
weave wove woven; weep wept; win won; wind wound; withdraw withdrew withdrawn; write wrote written;
child children; person people; man men; woman women; foot feet; tooth teeth; mouse mice; life lives; wife wives;
knife knives; leaf leaves; shelf shelves; half halves; self selves; good better best; bad worse worst;
mom mum mother; dad father; kid kids; bike bicycle; photo photograph; tv television; phone telephone;
grandma grandmother; grandpa grandfather
"""
IRREGULAR = {form: line.split()[0] for line in _FORMS.split(";") for form in line.split()[1:]}

# First names that are everyday words as well: in a question they are names only with a capital letter.
NAMES_THAT_ARE_WORDS = frozenset(
    """
    art august april bill chance dawn drew faith frank grace guy hope jack joy june lance mark may miles pat penny
    pierce rich rob rose rusty sky sue summer violet will
    """.split()
)
