"""English emotion words, and the words that negate, raise or lower them.

Each key is an emotion with its strength from 0 to 1, or several. A word also matches its inflections (love: loves,
loved, loving), after "=" only itself; "_" is a space. A word in several lists has the emotions of all of them.
"""

FEELINGS = {
    "joy 0.9": """
        adore best_day best_ever bliss blissful breathtaking ecstatic elated euphoric exhilarate =exhilarating
        heavenly jubilant magnificent on_cloud_nine over_the_moon overjoyed phenomenal thrilled
    """,
    "joy 0.75": """
        amaze amazing awesome =beautiful =beautifully =best brilliant can't_wait cannot_wait cant_wait delight
        delightful dream_come_true =epic excite excited excitement exciting fabulous fantastic glorious =gorgeous
        hell_yeah hilarious hooray hurrah hurray incredible joy joyful joyous legendary lmao lmfao love love_it loved
        loves made_my_day marvellous marvelous masterpiece outstanding perfect =perfectly rofl so_happy spectacular
        stunning superb terrific wonderful =wonderfully woohoo yay yayy yippee
    """,
    "joy 0.6": """
        adorable =ahaha =ahahaha appreciate awe awesomeness =badass beloved best_wishes bless blessed blessing bravo
        celebrate charm charming cheer cheerful =cheers cherish congrats congratulations crush_it cute cutest =cutie
        delicious =dope elegant enjoy enjoyable excellent =excellently =fave favorite favourite fulfilled fulfilling
        =fun funniest funny gem giggle glad =gladly =goat god_bless good_job good_luck good_news good_vibes grateful
        gratifying gratitude =grats =gratz great great_job great_news =greatest grin haha =hahah hahaha happier
        happiest =happily happiness happy happy_birthday heart_melting heart_warming heartwarming hehe hero =hug hugs
        =hyped i'm_in_love impress impressed impressive in_love inspirational inspire inspiring =killing_it kudos
        laugh =laughing laughter =legend =lol look_forward looking_forward =lool love_this lovely lovingly
        made_me_laugh made_me_smile merry_christmas moved_me nailed_it nice_job passionate pride proud =proudly
        psyched =pumped refreshing smile smiling splendid =stoked succeed success successful sweetest tasty thank
        thankful =thanks =thx touching treasure triumph =ty =tysm victory well_done wholesome win winner winning =won
        =wow =xd yum yummy
    """,
    "joy 0.4": """
        =absolutely accomplish accomplished achieve achieved achievement admirable admiration admire affection
        affectionate agree agreed =amen amuse amused amusing attractive best_of_luck =better brave bravery calm =cared
        caring charismatic cheering =classy clean clever comfort comfortable comforting comfy compliment complimented
        confidence confident =congrat =congratulate =cool coolest cosy courage courageous cozy creative cuddle
        =damn_good delicate do_like encourage encouraging entertain entertaining enthusiasm enthusiastic =exactly
        fair_enough =fan fascinate fascinated fascinating festive fingers_crossed fortunate fortunately friend
        friendly friendship generous genius gentle gift glow glowing godspeed =good good_idea good_point gotta_love
        grace graceful great_idea great_point handsome hang_in_there heal healing hell_yes help_you here_for_you honor
        honored honour honoured hope =hopeful =hopefully =hot humor humorous humour i'd_love i_like i_liked i_wish
        ideal improve improved improvement interesting it's_ok it's_okay =joke =jokes =kind kindest =kindly kindness
        like_how like_it like_you like_your liked_it lovin luck =luckily lucky made_it makes_me_feel_better =neat
        =nice nicely nicer nicest no_doubt no_problem no_worries not_bad optimism optimistic paradise party =peace
        peaceful playful pleasant pleased pleasing pleasure =positive positivity praise praised pray prayers
        =pretty_good progress promising proud_of_you really_like really_liked recommend recover recovered refreshed
        relief relieve relieved respect respected rest_easy reward rewarding romance romantic safe =safely =salute
        satisfaction satisfied satisfy satisfying shine skilled =slay smart snuggle =strong =support supportive sweet
        take_care talent talented tender tenderly that's_fair totally_agree treat trust =trusted =upvote warm warmth
        we_like welcome welcoming =well_said wise =wish witty worth_it worthwhile would_love you're_right you_can_do
        you_got_this
    """,
    "joy 0.25": """
        =care =certainly =correct =decent =definitely =deserve deserves easily easy effective =fair =fine for_sure
        fresh =gold healthy helpful =honest honesty =important =indeed =legit makes_sense of_course =okay =reasonable
        =right =smooth =smoothly =solid =sure =true =useful =valid wishes =yeah =yep =yes =yess =yup
    """,
    "sadness 0.9": """
        breaks_my_heart broke_my_heart broken_heart despair devastate devastated devastating grief grieve grieving
        heartbreak heartbreaking heartbroken inconsolable kill_myself mourn passed_away suicidal want_to_die
    """,
    "sadness 0.75": """
        agony anguish =cried =cries cry =crying depress depressed depressing depression =died funeral hopeless
        hopelessness i_feel_so_alone loneliness lonely lost_my miserable misery =rip sad saddened sadder saddest
        =sadly =sadness sob sobbing sorrow sorrowful suffering tearful tears tragedy tragic unhappy weep
    """,
    "sadness 0.55": """
        abandon abandoned =alas alone =apologies apologise apologize apology ashamed =awkward bleak breakup broke_up
        bummed bummer condolences =cringe cringey cringy crushed =death disappoint disappointed disappointing
        disappointment discouraged discouraging dismay divorce divorced doomed down_in_the_dumps dumped dying
        embarrass embarrassed embarrassing embarrassment fail failed failing =fails failure farewell feel_bad
        feel_down feel_terrible feeling_down feels_bad gloom gloomy goodbye grim guilt guilty heartache helpless
        homesick humiliate humiliated humiliating hurt hurting hurts let_down let_me_down letdown lonesome lose losing
        =loss =losses melancholy mortified neglect neglected pain painful pathetic pitiful pity poor_girl poor_guy
        poor_kid poor_thing powerless regret regretful rejected rejection remorse ruin ruined shame shattered
        shed_a_tear =sick_today sorry sorry_for_your_loss suffer too_bad underwhelmed underwhelming unfortunate
        unfortunately unloved =unlucky upset upsetting useless worthless wrecked
    """,
    "sadness 0.35": """
        =bad bland bleed =broke broken cancer =dead =die =dies =difficult disease exhausted exhausting expected_better
        expected_more =forgotten =gone =hard_time =hospital =ill injured injury =killed lack lacking leaving_me lost
        =mediocre meh =mess missed_out =mistake mistakes =oof =ouch =poor =poorly scar =sigh struggle struggling =suck
        =sucks sucky =terrible =tired =tough =unable =underrated =victim =victims =waste =wasted weak =weird_feeling
        =wishing =worse =worst
    """,
    "anger 0.9": """
        burn_in_hell enraged fuck_off =fuck_you fuming furious go_to_hell infuriate infuriated infuriating livid
        outrage outraged outrageous piece_of_shit =pos rage raging seething shut_the_fuck_up =stfu
    """,
    "anger 0.75": """
        abuse abuser abusive anger angers =angrily angry asshole =assholes bastard bigot bitch bullshit =cunt despise
        =dick =dickhead =douche douchebag dumb dumbass dumber =dumbest fuck fucked =fucker =goddamn goddamnit hate
        =hated hateful =hates hatred how_dare i'm_done_with =idiot idiotic =idiots imbecile =jackass kill_him
        kill_them loathe =moron moronic =morons motherfucker piss_off =pissed pissed_off pisses_me_off =prick =punch
        resent resentful resentment =screw_you scum scumbag sexist =shut_up sick_of =stupid stupidity stupidly =twat
        tyrant vengeful =wanker =wtf
    """,
    "anger 0.5": """
        =absurd accuse accused aggressive annoy annoyance annoyed annoying =argh argue arguing arrogant =ass =attack
        attacked =attacks betray betrayal betrayed blame blamed bother bothered bothering =bs bullied bully bullying
        cheat cheated cheater childish clown =clowns complain complaining complaint corrupt corruption =crap crappy
        criminal =dammit =damn_it =damned =damnit =dare delusional despicable disagree disgrace disrespect
        disrespectful =effing enough_already entitled fake fed_up freaking =frickin =fricking frustrate frustrated
        frustrating frustration garbage get_over_it greedy grow_up =grr had_enough hell_no hostile hypocrisy hypocrite
        hypocritical ignorance ignorant injustice insult insulted insulting intolerable irritate irritated irritating
        jerk leave_me_alone liar =liars lie_to lied =lies lunatic lying =mad malicious mock mocking murder no_way
        nonsense nuisance obnoxious offend offended offensive pathetic pest =racism =racist ridiculous rude rudeness
        =scam scammed scammer scream screamed selfish shit shitty =smh steal stole =stop_it =sucks thief tired_of
        toxic trash troll =trolling =ugh unacceptable unfair =unfairly violence violent who_cares =wrong yell yelled
        yelling
    """,
    "anger 0.3": """
        =bad_guy =bad_take ban banned bias =biased blocked bullcrap can't_believe complained =crazy =damn demand
        denied deny =disapprove doesn't_matter don't_believe don't_care don't_understand_why =downvote =downvoted
        excuse excuses false =fight =fighting =guilty_of =hell ignore ignored ignoring =insane it's_not =karma
        makes_no_sense misleading nobody_asked nobody_cares nonsense =nope =not_even not_how not_ok not_okay not_right
        not_true =overrated pointless =problem refuse ruining ruins =shame_on silly spam =stop =suck =sucked =sucks
        unnecessary you_can't
    """,
    "fear 0.85": """
        fear_for horrified horrify horrifying horror nightmare nightmares panic panicked panicking panics petrified
        scared_to_death terrified terrify terrifying terror terrorize
    """,
    "fear 0.65": """
        afraid =creep creeped danger dangerous dread dreadful dreading fear feared fearful =fears freak_out =freaked
        freaking_out freaks_me fright frighten frightened frightening haunt haunted haunting intimidate intimidated
        intimidating =menacing ominous phobia scare scared scares scarier scariest scaring scary spooked spooky threat
        threaten threatened threatening =yikes
    """,
    "fear 0.4": """
        alarming =attacked_by =chilling =creeps =creepy deadly =eek ghost horrendous horrible horrific monster =risk
        =risky shudder sinister startle startled =terrible unsafe worried
    """,
    "disgust 0.85": """
        abhorrent abomination disgust disgusted disgusting disgusts makes_me_sick nauseated nauseating nauseous puke
        puking repulsed repulsive revolting sickening =vile vomit vomiting
    """,
    "disgust 0.6": """
        awful barf bile =cesspool distasteful =ew =eww =ewww filth filthy gross grossed grossest hideous =horrid icky
        nastiest nasty =pedo pedophile perverse pervert perverted putrid rape =rapist repugnant rotten =sleazy =slimy
        smells_bad smelly stink stinks stinky =yuck yucky
    """,
    "disgust 0.4": """
        appalling atrocious awfully =bad can't_stand cant_stand =crap =creepy =cringe cruel cruelty did_not_like
        didn't_like =dirty dislike disliked do_not_like doesn't_like don't_like evil horrific =lame =mess =messed_up
        messy never_liked not_a_fan =odd shameful sick_fuck =terrible trashy uglier ugliest ugly unpleasant =weird
        =worst
    """,
    "anxiety 0.75": """
        anxiety anxious =anxiously apprehensive freaking_out losing_sleep nervous =nervously nervousness on_edge
        overwhelm overwhelmed overwhelming panic_attack restless stress stressed stressful stressing unease uneasy
        worried worries worrisome worry worrying
    """,
    "anxiety 0.45": """
        =afraid_that butterflies can't_sleep cautious =concern =concerned =concerning =concerns discomfort distress
        distressed distressing don't_know_what_to_do doubt doubtful hesitant hesitate hope_nothing insecure insecurity
        jitters jittery paranoia paranoid pressure pressured =shaking tense tension trembling troubled troubling
        uncertain uncertainty uncomfortable what_if
    """,
    "envy 0.8": """
        =covet covetous envious =enviously envy green_with_envy jealous =jealously jealousy must_be_nice wish_i_had
        wish_i_was_you wish_i_were_you
    """,
    "envy 0.4": "better_off_than_me lucky_bastard lucky_you unlike_me why_not_me",
    "ennui 0.8": """
        apathetic apathy bored bored_to_death boredom =boring boringly dreary dull humdrum listless mind-numbing
        monotonous tedious yawn yawning
    """,
    "ennui 0.5": """
        =blah can't_be_bothered couldn't_care_less don't_feel_like drag_on dragged_on drags_on
        going_through_the_motions lazy lethargic lethargy meh no_fun no_motivation not_interesting nothing_to_do
        repetitive same_old sleepy sluggish snoozefest stale tiresome uninterested uninteresting unmotivated whatever
    """,
    "nostalgia 0.8": """
        back_in_the_day bring_back_memories brings_back_memories brought_back_memories childhood_memories good_ol_days
        good_old_days homesickness =longing longing_for miss_the_days miss_those miss_those_days nostalgia nostalgic
        old_times reminisce reminiscent reminiscing takes_me_back the_old_days those_days throwback took_me_back
        wistful yearn yearning
    """,
    "nostalgia 0.45": """
        childhood grew_up_with memories old_photos when_i_was_a_kid when_i_was_little when_we_were_young
    """,
    "joy 0.6 fear 0.4": "adrenaline roller_coaster thrilling",
    "joy 0.5 sadness 0.5": "bittersweet crying_happy happy_tears tears_of_joy",
    "nostalgia 0.6 sadness 0.4": """
        i_miss miss_being =miss_her =miss_him miss_it miss_my =miss_them miss_this miss_you missed_you missing_you
        really_miss we_miss
    """,
}

ENDINGS = "s es ed ing ly er est ness ingly edly".split()

# The emotion of a negated word, if it is not simply the opposite.
DENIED = {
    "joy 0.3": "bad terrible awful afraid scared scary worry worried sad angry boring lonely alone hard",
    "ennui 0.5": "fun funny interesting entertaining exciting excited amusing enjoyable enjoy hilarious",
    "disgust 0.4": "love like delicious tasty recommend",
    "anger 0.4": "agree respect fair okay fine acceptable true right correct good cool nice",
    "anxiety 0.45": "calm safe sure confident comfortable relaxed",
    "sadness 0.5": "happy great glad proud hope better lucky pleased impressed satisfied best beautiful",
}
# Negation does not affect these: "no, thanks" thanks, "don't know lol" laughs.
STEADFAST = frozenset(
    """
    thank thanks thx lol lool lmao lmfao rofl haha hahaha hehe wow yay sorry damn fuck shit yes yeah yep yup ugh smh
    okay wish i_wish please wtf hell hope hopefully good_luck congrats sure definitely absolutely exactly indeed
    of_course
    """.split()
)
NEGATORS = frozenset(
    """
    not never no without hardly barely scarcely neither nor nobody none cannot isn't aren't wasn't weren't don't
    doesn't didn't won't wouldn't can't couldn't shouldn't haven't hasn't hadn't ain't isnt arent wasnt dont doesnt
    didnt wont cant couldnt shouldnt havent hasnt aint lacks less few rarely seldom nothing
    """.split()
)
# A negator does not reach beyond these.
SCOPE_ENDS = frozenset("because since so then when while unless except who which where after before until if".split())
AND_BEGINS = frozenset("i it he she they we you this that my his her there".split())  # and it ...: a new clause
CONTRASTS = frozenset("but however though although yet nevertheless nonetheless still except".split())
CONCEDING = frozenset("though although despite".split())  # at the head of a clause, what follows weighs less
RAISING = {
    0.3: """
        extremely incredibly absolutely completely totally utterly insanely unbelievably fucking freaking damn
        exceptionally deeply immensely tremendously profoundly ridiculously hella
    """,
    0.2: """
        very really so too such truly super highly particularly especially quite most genuinely much always
        how entirely fully terribly awfully seriously soo sooo
    """,
}
LOWERING = {
    -0.4: "slightly somewhat barely hardly little bit kinda sorta mildly vaguely",
    -0.25: "fairly rather almost partly relatively moderately mostly probably maybe perhaps",
}
# A wish or a guess is not yet an emotion.
SUPPOSING = frozenset("if would could might wish unless suppose wonder whether".split())
# Words that only look like emotion words.
NOTHING_FELT = """
    goods likely kind_of kinds_of good_for_nothing well_being mad_max hot_dog cool_down damn_near pretty_much
    a_great_deal great_britain fun_fact great_grandfather great_grandmother sad_to_say cry_wolf best_buy thank_god_not
    a_good_deal good_morning good_night hot_water cold_war lost_and_found dead_end deadline die_hard hard_drive
    fire_alarm fine_print right_now right_away all_right right_after right_before left_right on_the_right true_crime
    sweet_potato safe_mode like_a lives broken_link break_down fan_page content_creator welcome_page hell_of
    love_story horror_movie horror_movies horror_film death_star mental_health health_care stress_test help_desk
    free_kick worst_case best_case best_practice best_practices for_the_record not_sure
"""
