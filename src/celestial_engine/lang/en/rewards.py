"""English patterns for feedback: praise, blame, disinterest. They match whole lower-case clauses."""

# Filler words around a clause.
AROUND = (
    r"oh|ah|aha|wow|well|yes|yeah|yep|yup|ok|okay|haha+|lol|hmm|um|and|so|then|really|very|totally|absolutely|quite|"
    r"completely|entirely|simply|just|truly|indeed|actually|now|thanks|thank you|thank you so much|thanks a lot|"
    r"man|buddy|mate|dude|please|sorry"
)
# Praise in any context.
PRAISE = (
    r"exactly(?: right| that| it)?",
    r"perfect(?:ly right| answer)?",
    r"precisely",
    r"correct",
    r"spot on",
    r"bingo",
    r"(?:good|great|nice|excellent|amazing|awesome) (?:job|work|answer|one|catch|memory|suggestion|"
    r"idea|recall|summary)",
    r"well (?:done|remembered)",
    r"(?:excellent|brilliant|fantastic|wonderful|awesome|amazing|impressive)",
    r"(?:that|this|it)(?:'s| is| was) (?:\w+ )?(?:right|correct|perfect|great|awesome|amazing|excellent|helpful|"
    r"useful|spot on|it|good|what i (?:needed|meant|wanted|said|was looking for))",
    r"(?:that|this) (?:really |totally )?help(?:s|ed)(?: me)?(?: a lot| so much)?",
    r"you(?:'re| are) (?:\w+ )?(?:right|correct|spot on|the best|amazing|a lifesaver)",
    r"you (?:got it|nailed it|remembered)(?: right| that| it| my \w+)?",
    r"(?:i )?love (?:it|that|this answer)",
    r"(?:just|exactly) what i (?:needed|meant|wanted|was looking for)",
    r"(?:very|so|super) helpful",
    r"that worked(?: perfectly| great)?",
    r"right on",
)
# Praise, unless it answers a question.
MILD_PRAISE = (r"right", r"great", r"nice", r"good", r"true", r"sounds (?:good|great|right)", r"that's it")
# Blame.
BLAME = (
    r"(?:no )?(?:that|this|it|you)(?:'s| is| are|'re| was| were) (?:\w+ )?(?:wrong|incorrect|mistaken|off|false|"
    r"not (?:\w+ )?(?:right|correct|true|it|helpful|useful|what i (?:said|meant|asked|wanted|told you)(?: for)?))",
    r"(?:no )?(?:that|this|it) (?:isn't|wasn't|is not|was not) (?:\w+ )?(?:right|correct|true|it|helpful|useful|"
    r"what i (?:said|meant|asked|wanted|told you)(?: for)?)",
    r"(?:no )?you (?:aren't|weren't) (?:\w+ )?(?:right|correct|listening|helpful)",
    r"(?:no )?(?:wrong|incorrect)(?: answer| again)?",
    r"(?:that's|this is|it's) (?:not my \w+|the wrong \w+|not the right \w+)",
    r"not (?:\w+ )?(?:right|correct|true|helpful|useful|what i (?:said|meant|asked|wanted)(?: for)?)",
    r"(?:no )?i (?:never|didn't|did not) (?:say|said|tell|told|mean|meant|ask|asked|want|wanted)(?: you)?"
    r"(?: that| this| so| for that)?",
    r"(?:no )?i (?:already )?told you(?: that| this)?(?: already| before)",
    r"you (?:forgot|misremembered|misunderstood|got (?:it|that|this) wrong|(?:have|'ve) got (?:it|that) wrong|"
    r"keep forgetting|made (?:it|that) up|mixed (?:it|that|them) up)(?: .{1,40})?",
    r"you (?:don't|didn't) (?:remember|listen)(?: .{1,40})?",
    r"(?:that|this) (?:doesn't|didn't|does not|did not) help(?: at all| me)?",
    r"(?:that's |what a )?(?:useless|terrible|nonsense|rubbish)(?: answer)?",
    r"(?:bad|terrible|poor|useless) (?:answer|job|memory)",
)
# A "no"; before a correction it is blame, alone it may answer a question.
DENIAL = r"no(?: no)*|nope|nah"
CORRECTION = (
    r"(?:actually |i said |i meant |i mean |it's |it is |it was |that's |my \w+ is |his \w+ is |her \w+ is |"
    r"their \w+ is |i told you ).+"
)
# What makes praise doubtful: irony, a following complaint, a reservation.
DOUBT = (
    r"^oh (?:great|perfect|wonderful|brilliant|fantastic|nice)\b|\b(?:because|so well|last time|"
    r"again|as (?:usual|always|ever)|of course|yeah right|sure|forg[eo]t\w*|for nothing|big help|real help|"
    r"genius|einstein|sherlock|bravo|slow clap|whatever|typical|so much for|once more|third time|surprise|lucky me|"
    r"but|however|though|although|except|unless|if only|not|never|n't|wish|would be|could be|another)\b|n't\b"
)
# Whole turns that show disinterest.
DISINTEREST = (
    r"(?:ok(?:ay)?|k|kk|whatever|meh|fine|sure|i see|hmm+|mm+|uh huh|eh|yeah|yep|cool|alright|so what|who cares|"
    r"don't care|i don't care|not interested|boring|never ?mind|nvm|if you say so|i guess(?: so)?|anyway)"
)
