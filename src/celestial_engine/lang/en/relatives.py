"""English words for people and animals around somebody: members of one family exclude each other."""

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
