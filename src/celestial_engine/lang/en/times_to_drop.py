"""English times that are dropped from a text, and the words around them that need one."""

# Times that `lang/en/time.py` does not match: times of day, and future times.
MOMENTS = (
    r"\b[0-9]{1,2}(?::[0-9]{2})?\s?(?:am|pm|a\.m\.|p\.m\.)",
    r"\b[0-9]{1,2}:[0-9]{2}\b",
    r"\b(?:tomorrow|the day after tomorrow|right now|just now|earlier)\b(?: (?:morning|afternoon|evening|night))?",
    r"\b(?:in the|this|that) (?:morning|afternoon|evening)\b",
    r"\b(?:next) (?:week|month|year|weekend)\b",
)
BEFORE_MOMENTS = r"(?:\b(?:on|in|at|by|around|since|until|till|during|from)\s+)?(?:\bthe\s+)?"
# These belong to the verb: "moved in yesterday".
NOT_BEFORE_MOMENTS = r"\s*(?:in|on|at)\s+(?=yesterday|today|tonight|tomorrow|last|next|this)"
AFTER_MOMENTS = r"(?:\s(?:morning|afternoon|evening|night))?(?=\s|$|[,.;:!?…)])"
BETWEEN_MOMENTS = r"and|or|to|until|till|through|at|on|in|,|,? and|-|–"
# A time after one of these is what it says: "my birthday is May 3", "open from 9am to 5pm", "before Monday".
NEEDS_WORD_AFTER = frozenset(
    """
    is are was were be been being am isn't wasn't 's it's that's to from until till since by for of and or the
    a an this that every each between before after during than with about as next last not
    """.split()
)
# Before one of these the time is the subject: "yesterday was great".
NEEDS_SUBJECT = frozenset("is was has had will would may might marks marked isn't wasn't feels felt".split())
STARTS_CLAUSE = frozenset("and or but so because that which who when where while if though although then".split())
