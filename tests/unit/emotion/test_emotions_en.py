"""What English texts feel like: each line is a promise."""

from __future__ import annotations

import pytest

from celestial_engine.core.emotion.feel import feel
from celestial_engine.core.record.coordinate import Emotion

# The strongest emotion, then the text.
STRONGEST = """
joy: I am so happy today!
joy: We got married last spring and it was the best day of my life
joy: Thank you so much, I really appreciate your help
joy: lol that was hilarious
joy: I'm proud of my daughter, she won the race
joy: What a wonderful surprise, I love it
joy: Yay, we made it!
joy: The concert was amazing 🎉
joy: Happy birthday :)
joy: I can't wait to see you
joy: She laughed and smiled the whole evening
joy: I enjoyed the hike very much
joy: This is the cutest puppy ever
joy: I'm relieved that the surgery went well
joy: The soup was delicious
joy: I feel calm and safe here
joy: We celebrated the release with the whole team
joy: Sooooo goooood
joy: I am thrilled about the new job
sadness: I feel so lonely since you left
sadness: My grandmother passed away last night
sadness: I cried all evening
sadness: It was heartbreaking to say goodbye
sadness: I'm sorry for your loss
sadness: I regret that I never called her
sadness: We lost the final and everybody was disappointed
sadness: He is depressed and hopeless
sadness: I failed the exam :(
sadness: My heart is broken 💔
sadness: I am not happy
sadness: I'm not glad about it
sadness: She never felt proud of it
anger: I hate it when people lie to me
anger: I'm furious with the landlord
anger: He pissed me off again
anger: This is so annoying, ugh
anger: What an idiot, shut up
anger: They cheated and betrayed us
anger: How dare you!
anger: That rude clerk insulted my mother 😡
anger: The noise is frustrating and irritating
anger: smh, this is ridiculous
fear: I was terrified of the dark
fear: That movie scared me to death
fear: I'm afraid of dogs
fear: The basement is creepy and I had nightmares 😱
fear: They threatened him with a knife, it was frightening
disgust: The food was disgusting, I wanted to vomit
disgust: Eww, that smells gross 🤢
disgust: The bathroom was filthy and revolting
disgust: I don't like olives
disgust: I never liked that smell
anxiety: I'm worried about the interview tomorrow
anxiety: I feel anxious and restless before every exam
anxiety: So stressed about the deadline
anxiety: I get nervous when I speak in front of people
envy: I'm so jealous of her new house
envy: I envy people who can sing
ennui: I'm bored, there is nothing to do
ennui: The lecture was dull and tedious
ennui: That party was no fun
ennui: The talk wasn't interesting
nostalgia: This song takes me back to the good old days
nostalgia: I miss those summers at the lake
nostalgia: Looking at childhood photos makes me nostalgic
neutral: The meeting is at three in room 204
neutral: Python was released in 1991
neutral: My sister lives in Busan and works at a bank
neutral: The package weighs two kilograms
neutral: He moved the table next to the window
"""
CASES = [line.split(": ", 1) for line in STRONGEST.strip().splitlines()]


@pytest.mark.parametrize(("emotion", "text"), CASES, ids=[text for _, text in CASES])
def test_the_strongest_emotion(emotion, text):
    assert feel(text).tags[0] is Emotion(emotion)


def test_there_are_enough_examples():
    assert len(CASES) >= 60


@pytest.mark.parametrize(
    ("weaker", "stronger"),
    [
        ("I am happy", "I am very happy"),
        ("I am a bit sad", "I am sad"),
        ("slightly annoyed", "extremely annoyed"),
        ("This is great", "This is great!!!"),
        ("this is awful", "this is AWFUL"),
        ("Are you angry?", "You are angry"),
        ("I would be sad if she left", "I am sad that she left"),
        ("it was good", "it was wonderful"),
    ],
)
def test_degree(weaker, stronger):
    """Intensifiers, capitals and exclamation marks raise; diminishers, questions and suppositions lower."""
    assert 0 < feel(weaker).intensity < feel(stronger).intensity


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("I like it", 1),
        ("I don't like it", -1),
        ("It isn't bad", 1),
        ("not bad at all", 1),
        ("This is not a good idea", -1),
        ("I am not afraid", 1),
        ("no worries, take your time", 1),
        ("not only good but also cheap", 1),
        ("without any joy", -1),
        ("I don't think this is a good plan", -1),
        ("He isn't happy, she is thrilled", 1),
        ("The food was good, but the service was terrible", -1),
        ("The service was terrible, but I loved the food", 1),
        ("It was good although a bit noisy and annoying", 1),
        ("No, I love it", 1),
        ("thanks, I don't need it", 1),
        ("damn good coffee", 1),
        ("fucking awesome", 1),
    ],
)
def test_whether_it_is_good_or_bad(text, sign):
    """A negation turns the feelings of its clause and no further; what stands after "but" weighs more."""
    assert feel(text).sentiment_score * sign > 0.05


def test_a_denied_bad_thing_is_only_mildly_good():
    assert 0 < feel("It isn't bad").sentiment_score < feel("It is good").sentiment_score


@pytest.mark.parametrize("text", ["the general position of the celebrity", "likely", "kind of long", "horror movie"])
def test_words_that_only_look_like_feelings(text):
    assert feel(text).tags == (Emotion.NEUTRAL,)
