"""English words that a faithful rewording may add, and words that deny."""

from celestial_engine.lang.en.words import STOP_WORDS

# Words without content of their own. Someone who retells "I ..." says "the user ...".
FUNCTION_WORDS = STOP_WORDS | frozenset(
    """
    user users user's mine myself yourself himself herself itself themselves him hers theirs ours yours these those
    being having does doing done into onto over because since while until also too i'm i've i'd i'll he's she's
    they're we're you're related
    """.split()
)
OFTEN = frozenset("often frequently repeatedly regularly".split())
NEGATIONS = frozenset(
    """
    not no never none nobody nothing neither nor cannot without unable can't don't doesn't didn't won't isn't aren't
    wasn't weren't haven't hasn't hadn't wouldn't shouldn't couldn't mustn't needn't ain't cant dont doesnt didnt wont
    isnt arent wasnt werent havent hasnt
    """.split()
)
# Words between a negation and what it denies: "no longer eat", "don't really like", "have never been".
SKIPPED = STOP_WORDS | frozenset("longer any really very much even ever yet always usually actually quite".split())

# Kinds of places and things: who drank a latte drank coffee. Only words that have no other meaning are listed.
KINDS = {
    "cafe": "café starbucks coffeehouse coffeeshop",
    "gym": "crossfit",
    "restaurant": "bistro pizzeria steakhouse trattoria",
    "bookshop": "bookstore waterstones",
    "supermarket": "walmart costco tesco aldi lidl",
    "cinema": "cineplex multiplex",
    "coffee": "americano americanos latte lattes cappuccino cappuccinos espresso espressos macchiato",
    "tea": "matcha chamomile oolong chai rooibos",
    "beer": "lager pilsner ipa",
    "noodles": "ramen spaghetti udon pho soba",
    "fruit": "apples apple grapes strawberries bananas banana peaches mango mangoes oranges cherries",
    "bread": "bagel bagels baguette sourdough",
    "sport": "football soccer basketball tennis swimming badminton volleyball rugby",
}

# Words with a capital letter that are no names.
NOT_NAMES = frozenset(
    """
the a an this that these those he she they it we i you his her their its our my your who often usually always never
sometimes user people everyone somebody both and but or as when while in at on with for from to by of enjoys likes
""".split()
)
