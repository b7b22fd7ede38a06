"""English sentences and the triples they are read as."""

from __future__ import annotations

import pytest

from celestial_engine.core.text.triples import is_negative, triples_of

SAID = [
    ("I love Python", "user,love,Python"),
    ("I really like jazz music", "user,like,jazz music"),
    ("We enjoy board games", "user,enjoy,board games"),
    ("I prefer tea", "user,prefer,tea"),
    ("I hate mushrooms", "user,hate,mushrooms"),
    ("I don't like coffee", "user,not like,coffee"),
    ("I do not eat pork", "user,not eat,pork"),
    ("I can't stand loud music", "user,can't stand,loud music"),
    ("I cannot drive a truck", "user,cannot drive,truck"),
    ("I no longer work at Northwind", "user,no longer work at,Northwind"),
    ("I never eat meat", "user,never eat,meat"),
    ("I have no siblings", "user,has no,siblings"),
    ("I am not a morning person", "user,is not,morning person"),
    ("My name is Jin", "user,name,Jin"),
    ("My favorite color is blue", "user,favorite color,blue"),
    ("My birthday is March 3", "user,birthday,March 3"),
    ("People call me Jin", "user,name,Jin"),
    ("my dog is called Rex", "user,has,dog | dog,name,Rex"),
    ("I have a cat named Miso", "user,has,cat | cat,name,Miso"),
    ("I have two cats", "user,has,two cats"),
    ("My sister Anna lives in Paris", "user,sister,Anna | Anna,live in,Paris"),
    ("My brother works at a bakery", "user,has,brother | brother,work at,bakery"),
    ("My kids love soccer", "user,has,kids | kids,love,soccer"),
    ("Anna works at Contoso", "Anna,work at,Contoso"),
    ("Tom lives in Lisbon", "Tom,live in,Lisbon"),
    ("Tom is a nurse", "Tom,is,nurse"),
    ("Tom's job is teaching", "Tom,job,teaching"),
    ("Priya moved to Berlin last year", "Priya,move to,Berlin"),
    ("I moved to Seoul and started a new job", "user,move to,Seoul | user,start,new job"),
    ("We went to Hawaii in June", "user,go to,Hawaii | user,go in,June"),
    ("I'm going to Lisbon", "user,going to,Lisbon"),
    ("I'm going to visit my parents", "user,going to visit,parents"),
    ("I bought a new bicycle", "user,buy,new bicycle"),
    ("I met my wife at university", "user,meet,wife | user,meet at,university"),
    ("Went to Rome last week", "user,go to,Rome"),
    ("Just got some new shoes, too!", "user,get,new shoes"),
    ("I'm allergic to peanuts", "user,allergic to,peanuts"),
    ("Mina is allergic to peanuts", "Mina,allergic to,peanuts"),
    ("She is interested in pottery", None),
    ("I'm interested in pottery", "user,interested in,pottery"),
    ("I am from Busan", "user,is from,Busan"),
    ("I was born in Busan", "user,born in,Busan"),
    ("I am 30 years old", "user,is,30 years old"),
    ("I'm learning Spanish", "user,learn,Spanish"),
    ("I've been using Blender for two years", "user,use,Blender"),
    ("I want to learn French", "user,want to learn,French"),
    ("I'd love to visit Japan", "user,love to visit,Japan"),
    ("I used to live in Busan", "user,used to live in,Busan"),
    ("I love painting landscapes", "user,love,painting landscapes"),
    ("I started learning guitar", "user,start learning,guitar"),
    ("I quit smoking", "user,quit,smoking"),
    ("I love Python, Java and Rust", "user,love,Python | user,love,Java | user,love,Rust"),
    ("The novel was written by Orwell", "novel,written by,Orwell"),
    ("The capital of France is Paris", "capital of France,is,Paris"),
    ("I usually drink tea in the morning", "user,drink,tea"),
    ("I think Tom works at Contoso", "Tom,work at,Contoso"),
    ("Noor is a doctor. She lives in Oslo.", "Noor,is,doctor | Noor,live in,Oslo"),
    ("Pim's hilarious!", "Pim,is,hilarious"),
    ("My mom and dad live in Busan", "user,has,mom | dad,live in,Busan | mom,live in,Busan"),
    ("I'm off to Rome in May, do you know a good hotel?", "user,is off to,Rome"),
    ("By the way, I recently sold my car", "user,sell,car"),
    ("I work as a teacher in Daegu", "user,work as,teacher | user,work in,Daegu"),
    ("I teach children", "user,teach,children"),
    ("We adopted a puppy", "user,adopt,puppy"),
    ("Our team uses Kotlin", "user,has,team | team,use,Kotlin"),
    ('I finished reading "Dune" yesterday', "user,finish reading,Dune"),
    ("I can speak Korean", "user,can speak,Korean"),
    ("I would buy a boat if I could", None),
    ("If it rains, I take the bus", "user,take,bus"),
    ("Painting landscapes is fun", "Painting landscapes,is,fun"),
    ("Please buy some milk", None),
    ("I met Mr. Brown at the station", "user,meet,Mr. Brown | user,meet at,station"),
    ("My doctor is Dr. Kim", "user,has,doctor | doctor,is,Dr. Kim"),
    ("We visited St. Peter's church", "user,visit,St. Peter's church"),
    ("I live on Main St. Tom lives in Rome", "user,live on,Main St | Tom,live in,Rome"),
    ("I have never been to Japan", "user,never been to,Japan"),
    ("I have been to Japan", "user,been to,Japan"),
    ("I need to renew my passport", "user,need to renew,passport"),
    ("I want to declutter the garage", "user,want to declutter,garage"),
    ("I went to school the next day", "user,go to,school"),
    ("I almost bought a house", None),
    ("I hardly eat meat", None),
    ("I almost always drink tea", "user,drink,tea"),
    ("I almost never eat meat", "user,never eat,meat"),
    ("Mina drinks it with her brother Jun, who lives in Busan", "Jun,live in,Busan"),
    ("I have a brother who lives in Busan", "user,has,brother | brother,live in,Busan"),
    ("I met Anna yesterday, who lives in Rome", "user,meet,Anna | Anna,live in,Rome"),
    ("My sister Anna, who lives in Paris, loves jazz", "user,sister,Anna | Anna,live in,Paris | Anna,love,jazz"),
]
# Notes have no speaker: what nobody is named for is said of the user, and a time is no subject.
NOTES = [
    ("User dislikes Java", "user,dislike,Java"),
    ("The user lives in Busan", "user,live in,Busan"),
    ("The user's sister is a nurse", "user,has,sister | sister,is,nurse"),
    ("Allergic to peanuts", "user,allergic to,peanuts"),
    ("Works at Contoso as a data engineer", "user,work at,Contoso | user,work as,data engineer"),
    ("Birthday: March 3", "user,birthday,March 3"),
    ("Name: Jin", "user,name,Jin"),
    ("Favorite color: green", "user,favorite color,green"),
    ("Hobbies: hiking, chess and baking", "user,hobbies,hiking | user,hobbies,chess | user,hobbies,baking"),
    ("No siblings", "user,has no,siblings"),
    ("Doesn't eat pork", "user,not eat,pork"),
    ("Never drinks alcohol", "user,never drink,alcohol"),
    ("This year plans to learn Japanese", "user,plan to learn,Japanese"),
    ("Prefers tea over coffee", "user,prefer,tea"),
    ("Lives in Seoul with two cats", "user,live in,Seoul"),
    ("Has a dentist appointment next Tuesday", "user,has,dentist appointment"),
    ("32 years old", "user,is,32 years old"),
    ("Mom had knee surgery last month", "Mom,has,knee surgery"),
    ("Hates mornings, loves tea", "user,hate,mornings | user,love,tea"),
    ("Born in Busan in 1990", "user,born in,Busan | user,born in,1990"),
    ("Good morning", None),
    ("Sounds good", None),
    ("Next week works for me", None),
    ("There is no way back", None),
    ("Deploys happen on Fridays", None),
]


@pytest.mark.parametrize(("text", "told"), SAID + NOTES, ids=[text for text, _ in SAID + NOTES])
def test_what_a_sentence_says(text, told):
    """Subject, base form of the verb with its preposition and its negation, object without articles."""
    found = [triple for triple in triples_of(text) if triple[1] != "related to"]
    assert " | ".join(map(",".join, found)) == (told or "")


def test_the_speaker_takes_the_place_of_the_first_person():
    """Given beside the text or written before it."""
    assert triples_of("I love Python", "Caroline") == (("Caroline", "love", "Python"),)
    assert triples_of("[1:56 pm on 8 May, 2023] Caroline: I love Python") == (("Caroline", "love", "Python"),)
    assert triples_of("I love Python", "user") == triples_of("user: I love Python") == (("user", "love", "Python"),)


def test_without_a_telling_verb_two_things_are_related():
    """The first two entities; fewer than two give nothing."""
    assert triples_of("Espresso machine manual, Breville edition") == (
        ("Espresso machine manual", "related to", "Breville edition"),
    )
    assert triples_of("Hello there!") == ()
    assert triples_of("") == ()


@pytest.mark.parametrize(
    "predicate",
    [
        "hate",
        "dislike",
        "not like",
        "never eat",
        "no longer work at",
        "can't stand",
        "cannot drive",
        "has no",
        "is not",
        "avoid",
        "quit",
        "don’t like",
    ],
)
def test_predicates_that_deny(predicate):
    """The negation can be seen in the predicate itself."""
    assert is_negative(predicate)


@pytest.mark.parametrize(
    "predicate", ["love", "like", "notice", "know", "has", "is", "work at", "related to", "name", ""]
)
def test_predicates_that_do_not_deny(predicate):
    """A word that merely contains "no" or "not" denies nothing."""
    assert not is_negative(predicate)


@pytest.mark.parametrize(
    "text",
    [
        "I don't like coffee",
        "I never eat meat",
        "I hate rain",
        "I no longer smoke cigars",
        "I have no car",
        "I have never been to Oslo",
    ],
)
def test_negated_sentences_have_negative_predicates(text):
    """What a sentence denies, its triple denies."""
    assert all(is_negative(predicate) for _, predicate, _ in triples_of(text))
