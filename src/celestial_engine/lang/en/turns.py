"""English words of conversation turns: what carries no content, and how people ask to remember something."""

from celestial_engine.lang.en import topics as en_topics
from celestial_engine.lang.en import words as en

EMPTY_WORDS = en.STOP_WORDS | en_topics.SMALL_TALK

# A request to remember; the text is lower case. "I remember" and "do you remember?" ask for nothing.
REMEMBER = (
    r"(?:(?:^|[.!;:,]\s*)(?:ok(?:ay)?,? |so,? |and |but |also,? )*(?:please |pls )?|\bplease )"
    r"(?:(?:always |do )?remember\b(?!\s*(?:\?|when\b|how (?:we|you|i|they)\b|the time\b|me\b))|"
    r"(?:don't|do not|never) forget\b(?! about it)|keep (?:it |this |that )?in mind\b|memori[sz]e\b|"
    r"(?:take|make) (?:a )?note\b|note (?:that|down|this)\b|(?:write|jot) (?:this|that|it) down\b|"
    r"(?:save|store) (?:this|that|it)\b)|"
    r"\b(?:must|should|need to|need you to|want you to|like you to|sure (?:to|you)) remember\b(?!\s*\?)|"
    r"\b(?:can|could|will|would) you (?:please )?remember that (?:i|i'm|my)\b|"
    r"\bfor (?:future reference|the record|next time)\b|^fyi\b|\bfrom now on\b|\bfor your information\b|"
    r"^(?:please )?remind me to\b|"
    r"^(?:please )?(?:always|never) (?!mind\b|been\b|had\b|thought\b)\w+ (?:me|my|in|the)\b"
)
REMEMBER_WORDS = (  # one of them is in every request
    "remember", "memori", "mind", "forget", "note", "down", "save", "store", "record", "reference", "next time",
    "fyi", "from now on", "information", "always", "never", "remind",
)  # fmt: skip

_ASKS = (
    r"(?:remember|memori[sz]e|keep in mind|(?:don't|do not|never) forget|take note|make a note|note down|note|"
    r"save this|store this|fyi|for the record|for future reference|for your information)"
)
# The statement in "please remember that my passport expires in March"; each has one group.
# "remember this!", "please don't forget": a request that does not say what.
BARE_REQUEST = (
    r"(?:(?:hey|ok|okay|so|and|also|oh|please|pls|just|can you|could you|you should|you must|always),? )*"
    rf"(?:{_ASKS})(?: (?:this|that|it|what i (?:just )?said))?(?:,? (?:please|pls|ok|okay|thanks))*[\s.,!?~]*"
)
STATEMENTS = (
    r"(?:(?:hey|ok|okay|so|and|also|oh|btw|please|pls|just|kindly|can you|could you|will you|would you|"
    rf"i want you to|i need you to|make sure to),? )*{_ASKS}(?:,? that |[:,;—-]+ ?(?:that )?| "
    r"(?=(?:i|i'm|i've|my|our|we|he|she|they|his|her|their)\b))(\S+ \S.+)",
    r"(\S+ \S.+?)[,.;!—-]+ ?(?:so |and |please |pls )*(?:remember|don't forget|do not forget|keep) "
    r"?(?:that|this|it)?(?: in mind)?(?: please| pls)?[.! ]*",
)
