"""English: what a question asks for, and what a text tells."""

ASKS_WHEN = r"\b(?:when|how long|since when|(?:what|which) (?:date|day|time|week|month|year))\b"
ASKS_AMOUNT = r"\bhow (?:many|much|old|far|long|often|big|tall|expensive)\b"
TELLS_TIME = (
    r"\b(?:yesterday|today|tonight|tomorrow|last|next|ago|recently|since|weeks?|months?|years?|days?|morning|evening|"
    r"weekend|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|"
    r"september|october|november|december|(?:19|20)\d\d)\b"
)
TELLS_AMOUNT = r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|dozens?|hundreds?|thousands?|couple)\b"
