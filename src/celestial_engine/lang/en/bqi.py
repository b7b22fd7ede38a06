"""English patterns for BQI: intent, urgency and emotion of a lower-case prompt."""

PHASES = {
    "integration": r"\b(?:integrat\w*|synthesi[sz]\w*|combin\w*|merg\w*|unif\w*|summar\w*|wrap up|bring\w* together|"
    r"put\w* together|reconcil\w*|conclu\w*|overall)\b",
    "reflection": r"\b(?:why|risk\w*|reflect\w*|review\w*|retrospect\w*|lesson\w*|root cause|went wrong|trade-?offs?|"
    r"worr\w*|anxi\w*|doubt\w*|evaluat\w*|look\w* back)\b",
    "planning": r"\b(?:plan\w*|schedul\w*|roadmap\w*|next steps?|milestone\w*|deadline\w*|strateg\w*|todo|to-do|"
    r"prepar\w*|step by step|organi[sz]e)\b",
}
PRIORITIES = {
    4: r"\b(?:urgent\w*|asap|immediately|right now|right away|emergenc\w*|critical\w*|at once|outage)\b",
    3: r"\b(?:verif\w*|check\w*|confirm\w*|validat\w*|test(?:s|ed|ing)?|prove|proof|make sure|double-check)\b",
    2: r"\b(?:consider\w*|think about|maybe|perhaps|explor\w*|weigh|compare|what if|should (?:i|we))\b",
}
EMOTIONS = {
    "hope": r"\b(?:hope\w*|hoping|optimis\w*|excited|look\w* forward|opportunit\w*|promising|dream\w*|growth)\b",
    "concern": r"\b(?:worr\w*|concern\w*|risk\w*|afraid|anxi\w*|fear\w*|nervous|problem\w*|trouble\w*|danger\w*)\b",
    "focus": r"\b(?:focus\w*|concentrat\w*|priorit\w*|deadline\w*|urgent\w*|goal\w*|important|precis\w*)\b",
    "integration": r"\b(?:integrat\w*|combin\w*|together|merg\w*|unif\w*|synthesi[sz]\w*|connect\w*|harmon\w*)\b",
    "curiosity": r"\b(?:curious|curiosity|wonder\w*|interest\w*|how does|how do|what if|why|explor\w*|discover\w*)\b",
    "gratitude": r"\b(?:thank\w*|grateful\w*|gratitude|appreciat\w*|glad)\b",
}
