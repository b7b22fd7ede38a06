"""English signs of feedback that are certain: fixed phrases, a bare no, disinterest, what makes praise doubtful."""

# Fixed phrases that say nothing else.
PRAISE = (
    r"(?:(?:oh|wow|ah|yes),? )?(?:nice|good|great|excellent|well) (?:one|job|work|done|memory|answer)|nice|"
    r"(?:that's |this is )?(?:exactly|just|precisely) what i (?:needed|wanted|meant|was (?:after|looking for))|"
    r"exactly|precisely|perfect|correct|that's (?:right|correct|it)|"
    r"spot on|bingo|you (?:got|nailed) it|you remembered|(?:that|this) (?:really )?help(?:s|ed)(?: a lot)?"
)
BLAME = (
    r"you (?:forgot|misunderstood)(?: it| that| again)?|you keep forgetting .{1,40}|"
    r"(?:not|that's not) (?:helpful|right|it)|no,? my \w+ is .{1,40}"
)
# A bare "no": blame, unless it answers a question.
DENIAL = r"no(?: no)*|nope|nah"
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
