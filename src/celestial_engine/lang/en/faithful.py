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
NEGATIONS = frozenset(
    """
    not no never none nobody nothing neither nor cannot without unable can't don't doesn't didn't won't isn't aren't
    wasn't weren't haven't hasn't hadn't wouldn't shouldn't couldn't mustn't needn't ain't cant dont doesnt didnt wont
    isnt arent wasnt werent havent hasnt
    """.split()
)
# Words between a negation and what it denies: "no longer eat", "don't really like", "have never been".
SKIPPED = STOP_WORDS | frozenset("longer any really very much even ever yet always usually actually quite".split())
