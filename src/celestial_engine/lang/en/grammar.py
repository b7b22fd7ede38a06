"""English grammar as word lists: verbs, words that are never nouns, ends of phrases."""

# Verbs with information about their subject, in base form. Irregular forms are in `lang/en/words.py`.
VERBS = frozenset(
    """
accept achieve add adopt admire adore afford agree announce appear apply appreciate arrange arrive ask attend avoid
bake bake base become beat begin believe belong book borrow break bring build buy call cancel care carry catch
celebrate change chase check choose clean climb collect come compete complete compose consider contain contribute
convert cook cost cover craft create crave cross cut cycle dance date deal decide decline decorate deliver deploy
describe design despise destroy detest develop die direct discover discuss dislike do donate download draw dream
drink drive drop earn eat edit eliminate employ enable end enjoy enroll enter escape establish exercise expect
experience explain explore export face fail fall favor fear feature feed feel fetch fight fill find finish fix fly
focus follow forget forgive form found gain gather get give go graduate grow guide handle hang happen hate have
hear help hide hike hire hit hold host hurt impress improve include increase inherit inspire install intend
introduce invent invest invite involve join jog jump keep kick kill knit know land laugh launch lead learn leave
lend lift like listen live loathe lock look lose love maintain make manage marry master measure meet mention merge
migrate mind miss move murder name need notice nurse obtain offer open operate order organize own pack paint park
participate pass pay perform pick plan plant play practice practise prefer prepare present prevent produce promise
promote protect prove provide publish pull purchase push put quit race raise reach read realize receive recommend
record recover refuse reject relate release rely remember remind remove rent repair replace represent request
require research rescue reserve retire return review ride ring rise run save say schedule score see seem sell send
serve set share ship shoot shop show sign sing sit skate ski sketch skip sleep smoke solve speak spend sponsor
stand star start stay steal stop struggle study submit succeed suffer suggest support surf swim switch take talk
taste teach tell tend thank think throw tour train transfer translate travel treat trust try turn understand
unlock update upgrade upload use value visit volunteer vote wait wake walk want warn wash watch wear weigh win wish
withdraw wonder work worry write accompany aim allow apologize argue assist attach bet block boost bother cheer chat
chill claim combine comfort commit compare complain complement concern confirm connect continue cope count damage
define depend determine disconnect dive doubt encourage engage ensure estimate examine expand extend figure fulfill
grab guess guarantee hesitate hope imagine incorporate indicate influence inform insist judge lack mean narrow observe
occur pursue qualify react recall recognize reduce reflect refer relax remain resolve respond restore reveal revert
seek select settle sound spread stick stretch summarize surprise suspect thrive touch trigger vary verify waste wander
welcome
""".split()
)
# Also nouns: these count as verbs only where a verb is required.
IRREGULAR_PAST = {
    "read": "read",
    "cut": "cut",
    "put": "put",
    "hit": "hit",
    "set": "set",
    "quit": "quit",
    "cost": "cost",
}

BE = frozenset("be am is are was were been being".split())
HAVE = frozenset("have has had".split())
DO = frozenset("do does did".split())
MODALS = frozenset("can could will would shall should must may might".split())
MODALS_KEPT = {"can": "can", "could": "can", "should": "should", "must": "must"}
NAMING = frozenset("called named nicknamed".split())
# Verbs of saying and thinking: a clause follows.
REPORTING = frozenset(
    "think believe say know hope guess mean hear feel realize notice tell mention remember find".split()
)
# Adverbs for actions that did not happen: I almost bought it.
NOT_DONE = frozenset("almost nearly hardly scarcely".split())
# After these, "to" is followed by a verb, even an unlisted one.
BEFORE_INFINITIVES = frozenset("need want have plan hope try decide forget remember intend promise".split())
# start learning Spanish: the second verb is the main one.
ASPECTUAL = frozenset("start stop keep begin finish quit try consider continue avoid practice practise".split())
LIKING = frozenset("love like hate prefer enjoy miss need want".split())

SELF = frozenset("i me my mine myself we us our ours".split())
OTHERS = frozenset("he she they him her them".split())
EMPTY_SUBJECTS = frozenset(
    """
it this that these those there here you your yours what who which where when why how everyone everything something
someone anything nothing one ones all both let's lets none nobody anyone somebody everybody others it's
""".split()
)
PRONOUNS = (
    SELF
    | OTHERS
    | EMPTY_SUBJECTS
    | frozenset("his hers its their theirs itself himself herself themselves yourself".split())
)
POSSESSIVES = frozenset("my our your his her their its".split())
DETERMINERS = POSSESSIVES | frozenset(
    """
a an the this that these those some any each every another no either neither several many much few such both all
more most less enough what which whose
""".split()
)
PREPOSITIONS = frozenset(
    """
in at on to from with for about by into of near since until after before during through over under around without
within against between among across behind beyond towards toward onto off per via like as than up down out despite
besides except including regarding along inside outside while
""".split()
)
# Prepositions that can be part of the predicate, and those that add a second object.
TYING = frozenset("in at on to from with for about into near by of as against over through around after".split())
PLACING = frozenset("in at from with to near for on".split())
PARTICLES = frozenset("up out off down away back over along together".split())
CONJUNCTIONS = frozenset("and but or so because although though while whereas plus then since".split())
HYPOTHETICAL = frozenset("if when whenever unless whether until once".split())
QUESTIONING = frozenset(
    """
who what when where why how which whose whom do does did can could would should will is are am was were have has
""".split()
)

ADVERBS = frozenset(
    """
also already always almost anymore anyway anyways actually again ago alone altogether apparently badly barely
basically before certainly clearly completely constantly currently daily deeply definitely ever especially even
eventually exactly extremely fairly far finally first frequently fully generally greatly hardly highly honestly
hopefully however immediately indeed instead just kinda sorta largely last lately later literally longer maybe mostly
much nearly never not now occasionally often once only originally otherwise particularly perhaps personally
possibly pretty primarily probably quickly quite rarely rather really recently regularly sadly seriously simply
slightly slowly so somehow sometimes somewhat soon still strongly super surely thankfully then there therefore
though thus today together tomorrow tonight too totally truly twice typically unfortunately usually very well
yesterday yet absolutely nowadays abroad overseas online upstairs downtown home everywhere somewhere anywhere
weekly monthly yearly annually forever lots else away
""".split()
)
NOT_ADVERBS = frozenset(
    """
family italy july reply bully emily lily sally kelly molly billy holly polly belly jelly assembly anomaly
""".split()
)
# Openers before the actual sentence.
OPENERS = (
    CONJUNCTIONS
    | ADVERBS
    | frozenset(
        """
hey hi hello oh wow yeah yep yes yup no nope ok okay sure thanks thank well btw ah aw aww haha lol hmm um uh
congrats bye right cool great awesome nice additionally moreover furthermore meanwhile besides lastly overall sorry
""".split()
    )
)


# Indexed by their first word.
OPENING_PHRASES = {
    "by": (("by", "the", "way"),),
    "of": (("of", "course"),),
    "for": (("for", "example"), ("for", "sure")),
    "in": (("in", "fact"), ("in", "the", "end")),
    "to": (("to", "be", "honest"),),
    "at": (("at", "first"), ("at", "least")),
    "no": (("no", "worries"), ("no", "prob"), ("no", "problem")),
}

ADJECTIVES = frozenset(
    """
able afraid alive alone amazing angry anxious available awesome awful bad beautiful best better big bitter boring
brave bright broken busy calm cheap clean clear close cold common cool crazy curious cute dangerous dark dead deep
delicious different difficult dirty dry eager early easy empty exact excited exciting expensive fair familiar famous
fantastic fast fat favorite favourite few final fine first fit flat free fresh friendly full fun funny general glad
good gorgeous grateful great green happy hard healthy heavy helpful high honest hopeful horrible hot huge hungry ill
important impressive incredible inspiring interested interesting kind large last late lazy light likely little lonely
long loud lovely low lucky main mad modern narrow natural near necessary nervous new next nice noisy normal obvious
okay old only open other own past peaceful perfect personal poor popular positive possible powerful pretty previous
proud quick quiet rare ready real recent related rich right rough rude sad safe same scared serious several sharp
short shy sick silly similar simple single slow small smart soft sorry special specific stable strange stressed
strong stupid sure surprised sweet tall tasty terrible terrific thankful thick thin tight tiny tired total tough true
ugly unique upset useful usual warm weak weird wet whole wide wild wonderful worried worse worst worth wrong young
awesome meaningful rewarding challenging certain major minor various additional current local entire fabulous
""".split()
)  # fmt: skip
# Nouns without content.
VAGUE_NOUNS = frozenset(
    """
thing things stuff lot lots bit kind kinds sort sorts way ways time times day days something anything everything
nothing someone anyone everyone people person couple number part parts case point fact reason example idea ideas
thanks thank thought thoughts way place types type tips tip help stuff plenty yeah hey hi hello oh wow haha lol yes
no ok okay bye please sorry sure wait gonna wanna gotta let lets don guys guy one ones two three four five six seven
eight nine ten fact bunch ton tons glad end dear question questions answer suggestions suggestion recommendations
morning afternoon evening night week weeks month months year years weekend hour hours minute minutes moment while
least mean sense sound sounds sometime worries prob bet luck care rest side deal chance fun
""".split()
)
TIME_WORDS = frozenset(
    """
today yesterday tomorrow tonight monday tuesday wednesday thursday friday saturday sunday morning afternoon evening
night week weekend month year spring summer fall autumn winter january february march april june july august
september october november december
""".split()
)
ATTRIBUTES = frozenset(
    """
name nickname surname age birthday birthdate job occupation profession title role position major degree hobby
hobbies goal goals dream address email phone number hometown country nationality height weight salary budget
allergy allergies blood type favorite favourite motto religion username password language diet capital population
color colour size price cost deadline password location brand breed wifi timezone
""".split()
)
# Attributes of the speaker when no owner is named: "Birthday: March 3".
PERSONAL = frozenset(
    """
name nickname surname age birthday birthdate job occupation profession major degree hobby hobbies goal goals dream
address email phone hometown nationality height weight salary allergy allergies motto religion username diet timezone
favorite favourite
""".split()
)
# How a note about the speaker may begin without a verb: "Allergic to peanuts".
NOTED_STATES = frozenset(
    """
allergic intolerant interested afraid scared fond married engaged born raised based addicted good bad fluent proud
""".split()
)
NOTED_KINDS = frozenset("vegetarian vegan diabetic single divorced retired unemployed pregnant left-handed".split())
# What a note may say that the speaker does not have: "No siblings".
NOTED_LACKS = frozenset(
    """
siblings children kids pets car license licence allergies brothers sisters experience television tv insurance passport
family debt degree boyfriend girlfriend
""".split()
)
# Verbs without a subject in speech, not in notes: "Sounds good", "Depends on the weather".
NOT_NOTED = frozenset("sound look seem depend make happen rain snow cost feel hurt matter serve mean turn".split())
KIN = frozenset(
    """
sister brother mother father mom mum dad wife husband son daughter friend cousin aunt uncle boss neighbor neighbour
girlfriend boyfriend partner roommate colleague coworker grandma grandpa grandmother grandfather fiance fiancee dog
cat puppy kitten pet teacher professor manager coach doctor therapist niece nephew
""".split()
)
UNITS = (
    r"kg|km|cm|mm|m|g|lb|lbs|miles?|hours?|minutes?|days?|weeks?|months?|years?|gb|mb|tb|ghz|%|°c|°f|"
    r"dollars?|euros?|won|usd|eur|krw"
)

# Negated predicates: by one of their words, or by the verb itself.
NEGATING = frozenset("not no never cannot can't don't doesn't didn't won't isn't without unable".split())
DENYING = frozenset(
    """
hate dislike detest loathe despise avoid refuse reject decline quit stop distrust abandon forbid against lack
""".split()
)
