"""English patterns: what a question asks for, and what a text answers. Case is ignored unless noted."""

# "When it rains, ..." and "what do I do when ..." are conditions. A question for the time begins a clause, or
# follows "since", "until" or a request to tell.
_CONDITION = (
    r"(?! (?:i|we|you|he|she|it|they|there|the|a|an|my|our|your|his|her|its|their|this|that|not|people|"
    r"somebody|someone|\w+ing)\b)"
)
ASKS_WHEN = (
    rf"(?:^\W*|[.!?,;:]\s*|\b(?:and|or|but|so|then) )when\b{_CONDITION}|\b(?:since|until|till|by) when\b|"
    r"\b(?:know|remember|recall|tell me|remind me|told you|say|said|mention|mentioned|sure|wonder|ask|find out|"
    r"exactly)(?: exactly)? when\b|\bhow long\b|\b(?:what|which) (?:date|day|time|week|month|year)\b"
)
ASKS_BEFORE = (
    r"\b(?:before(?=\W*$| (?:that|this|then|now|i moved|we moved|moving))|previous(?:ly)?|former(?:ly)?|used to|"
    r"in the past|originally|earlier|back then|at first|no longer|"
    r"old (?:address|job|place|name|number|home|company))\b|"
    r"^\W*(?:where|what|who|which|how)\b.*\b(?:did|was|were)\b.*\bbefore\b"
)
ASKS_AMOUNT = r"\bhow (?:many|much|old|far|long|often|big|tall|expensive)\b"

# May and March are also verbs, unless they are capitalised within a sentence or next to a day or "in".
_VERB_LIKE = (
    r"(?<=[\w,] )(?-i:May|March)\b(?! (?:i|we|you|he|she|they|it)\b)|\b(?:may|march) \d|"
    r"\d(?:st|nd|rd|th)?(?: of)? (?:may|march)\b|"
    r"\b(?:in|since|until|till|during|before|after|last|next|every|early|mid|late|end of|month of) (?:may|march)\b"
)
TELLS_TIME = (
    r"\b(?:yesterday|today|tonight|tomorrow|ago|recently|weeks?|months?|years?|days?|morning|evening|weekend|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|april|june|july|august|"
    r"september|october|november|december|(?:19|20)\d\d)\b|"
    r"\b(?:last|next) (?:night|time|spring|summer|fall|autumn|winter|decade|century|semester|term|quarter|christmas|"
    r"easter|few|couple|two|three|\d+)\b|"
    rf"\bsince (?:then|childhood|birth|(?:i|we|you|he|she|they|it) (?:was|were))\b|{_VERB_LIKE}"
)
TELLS_AMOUNT = r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|dozens?|hundreds?|thousands?|couple)\b"

# English words for people and animals around somebody: members of one family exclude each other.
# Words of one group mean the same; a question about one group is not answered by a text about another group.
PEOPLE = (
    "mother mom mum mama mam mommy mummy",
    "father dad papa daddy",
    "brother bro",
    "sister sis",
    "son boy",
    "daughter girl",
    "wife",
    "husband hubby",
    "girlfriend gf",
    "boyfriend bf",
    "grandmother grandma granny nan nana gran",
    "grandfather grandpa grandad granddad",
    "grandson",
    "granddaughter",
    "uncle",
    "aunt auntie aunty",
    "niece",
    "nephew",
    "cousin",
)
ANIMALS = (
    "dog puppy pup greyhound labrador lab retriever terrier collie beagle poodle husky",
    "cat kitten kitty",
    "hamster",
    "rat",
    "rabbit bunny",
    "bird budgie parrot parakeet canary",
    "fish goldfish",
    "horse pony",
    "hen hens chicken chickens",
)
# Words for several groups: they agree with each of them.
SEVERAL = {
    "partner": "wife husband girlfriend boyfriend",
    "spouse": "wife husband",
    "fiance": "girlfriend boyfriend",
    "parents": "mother father",
    "kid": "son daughter",
    "kids": "son daughter",
    "child": "son daughter",
    "children": "son daughter",
    "baby": "son daughter",
    "sibling": "brother sister",
    "siblings": "brother sister",
    "twin": "brother sister",
    "grandchild": "grandson granddaughter",
    "grandchildren": "grandson granddaughter",
    "pet": "dog cat hamster rat rabbit bird fish horse",
    "pets": "dog cat hamster rat rabbit bird fish horse",
}

# What a question asks for, beside "when" and "how much": an answer has a time, or a number.
ASKS_DATE = r"\b(?:birthdays?|bday|anniversar(?:y|ies)|deadline|due|date)\b"
ASKS_NUMBER = (
    r"\b(?:phone number|number|size|age|salary|price|cost|rate|password|passcode|pin|code|address|height|weight|"
    r"score|grade|dose|limit|pay|paid|earn|earns|total)\b"
)
NUMBER_WORDS = r"\b(?:eleven|twelve|teens?|twenty|thirty|forty|fifty|sixty|eighty|ninety|first|second|third|fourth)\b"
ASKS_HOW_OFTEN = r"\bhow (?:often|far|big)\b"

SELF = r"\b(?:i|i'm|im|i've|i'd|me|my|mine|myself|we|we're|us|our|ours)\b"
# Words of a question that say what kind of thing is asked for, not which one.
GENERIC = frozenset(
    "name call kind type sort thing old number time dai date year much mani name be get do doe did go what who "
    "when where which how why whose s t m re ve ll d n let tell remind know rememb pleas ani ok okai now abt "
    "at moment best most first last also ever still".split()
)

# Short turns that are questions whatever stands at their end: "who's my manager", "am i vegetarian". A longer one may
# tell something on the way, and so may one with another subject: "where's my phone i left it in Rome".
_ANOTHER_SUBJECT = r"(?:i|we|you|he|she|they|it|this|that|there)(?:['’]?(?:s|m|re|ve|ll|d))?[\s.?!~]"
SURELY_ASKS = (
    r"(?:(?:so|and|ok|okay|hey|wait|um|hmm|but) )?(?:"
    r"(?:who|what|where|when|which \w+)(?:['’]?s| is| are| was| were) (?:my|our)\b|(?:am|do|did|was) i\b)"
    rf"(?: (?!{_ANOTHER_SUBJECT})(?!-)[^\s,.;:!?]+){{1,6}}[\s.?!~]*"
)
