"""Extracts triples from English clauses: a subject, a main verb, its object."""

from __future__ import annotations

from celestial_engine.core.patterns import compiled
from celestial_engine.core.text.english import Form, Word, is_adverb, read_word, verb_form, words_of
from celestial_engine.core.text.phrases import (
    PAST,
    follows_noun_marker,
    infinitive_at,
    joined,
    next_verb,
    opens_note,
    phrase_at,
    plain_at,
    starts_clause,
    trimmed,
    unknown_infinitive_at,
    unknown_past,
    without_openers,
)
from celestial_engine.core.text.sentences import sentences_of
from celestial_engine.lang.en import grammar

Triple = tuple[str, str, str]

_FURTHEST_VERB = 8
_AUXILIARY = grammar.BE | grammar.MODALS | grammar.HAVE | grammar.DO
_AFTER_IS = grammar.ADJECTIVES | grammar.ADVERBS | {"a", "an", "the"}
_JOINS = grammar.CONJUNCTIONS | {"who", "which"}
_SAID_OF_SELF = frozenset(("love", "hate", "prefer", "miss"))
_NO_SUBJECT = grammar.HYPOTHETICAL | {"please", "like", "let's"}
_OBJECTS = frozenset("me us him her them you".split())
_EMPTY_SUBJECTS = grammar.EMPTY_SUBJECTS - {"all", "both", "one"}
_LONGEST_LABEL = 4
_THIRD = frozenset(("s",))
_HAS = "\0"  # separates an owner from the attribute: "user\0name"


def english_triples(text: str, me: str) -> list[Triple]:
    """Extracts the triples of all sentences; questions and conditions have none."""
    triples: list[Triple] = []
    last_name: str | None = None
    for sentence in sentences_of(compiled(r"[\"“”]").sub("", text)):
        clauses = _clauses(words_of(sentence))
        reading = _Reading(me, last_name)
        for join, clause in _before_question(clauses) if sentence.endswith("?") else clauses:
            reading.read(join, clause)
        triples += reading.found
        last_name = reading.last_name
    return triples


def _clauses(words: list[Word]) -> list[tuple[str, list[Word]]]:
    """Splits a sentence at punctuation and conjunctions; each clause with what joined it to the one before."""
    clauses: list[tuple[str, list[Word]]] = []
    join, piece = "", list[Word]()
    for word in words:
        if word.is_sign or word.plain in _JOINS:
            if piece:
                clauses.append((join, piece))
            join, piece = word.plain, []
        else:
            piece.append(word)
    return [*clauses, (join, piece)] if piece else clauses


def _before_question(clauses: list[tuple[str, list[Word]]]) -> list[tuple[str, list[Word]]]:
    """Returns the statements before the question: I'm going to Rome, do you know a hotel?"""
    asks = [bool(words) and words[0].plain in grammar.QUESTIONING for _, words in clauses]
    return clauses[: asks.index(True) if True in asks else -1]


class _Reading:
    """Parses the clauses of one sentence; a later one may use the subject or verb of an earlier one."""

    def __init__(self, me: str, last_name: str | None) -> None:
        self.me = me
        self.last_name = last_name
        self.found: list[Triple] = []
        self.subject: str | None = None
        self.open_list: tuple[str, str] | None = None  # subject and predicate that may get another object
        self.last_object: str | None = None
        self.clause: list[Word] = []  # the clause before, for a "who" that follows it
        self.beside: str | None = None  # a first subject that has no verb yet
        self.attribute: str | None = None  # "Birthday" before a colon
        self.exists = False  # "there is": no subject is implied

    def read(self, join: str, words: list[Word]) -> None:
        rest = without_openers(words)
        self.exists = any(word.plain in ("there", "here") for word in words[: len(words) - len(rest)])
        self._read(join, rest)
        self.clause = words

    def _read(self, join: str, words: list[Word]) -> None:
        if not words or words[0].plain in _NO_SUBJECT:
            self.open_list = None
            return
        if join == ":" and self.attribute:
            self._being(self.attribute, words, 0, "", None)
            self.attribute = None
            return
        self.attribute = self._attribute(words)
        verb = self._find_verb(words, plural=join == "and" and self.beside is not None)
        if verb is None and join in ("", ",") and self._read_note(words):
            return
        if verb is None:
            if not self.found and self.subject is None:
                self.beside = self._subject_of(words)
            self._continue_list(join, words)
            return
        while verb and (is_adverb(words[verb - 1].plain) or words[verb - 1].plain == "no"):
            verb -= 1  # never eat, no longer work: the negation belongs to the verb
        subject = self._subject_of(words[:verb]) if verb else self._implied_subject(join, words)
        self.open_list = None
        if subject is not None:
            self.subject = subject
            count = len(self.found)
            self._predicate(subject, words, verb)
            if join == "and" and self.beside:  # my mom and dad live in Busan
                self.found += [
                    (self.beside, what, thing) for who, what, thing in self.found[count:] if who == subject
                ]
        self.beside = None

    def _read_note(self, words: list[Word]) -> bool:
        """A note about the speaker without a verb: Allergic to peanuts; No siblings."""
        first, last = words[0].plain, words[-1].plain
        if self.subject not in (None, self.me) or self.beside:
            return False
        if first == "no" and last in grammar.NOTED_LACKS | grammar.KIN and len(words) == 2:
            self._add(self.me, "has no", joined(words[1:]))
        elif self._is_state(words):
            self._being(self.me, words, 0, "", None)
        else:
            return False
        self.subject = self.me
        return True

    def _attribute(self, words: list[Word]) -> str | None:
        """Returns an attribute and its owner, if the clause is nothing else: Birthday, Mom's birthday."""
        named = words[-1].plain in grammar.PERSONAL or words[0].plain in ("favorite", "favourite")
        owner, thing = self._owned(words) if named and len(words) <= _LONGEST_LABEL else (None, [])
        return f"{owner or self.me}{_HAS}{joined(thing).casefold()}" if thing else None

    def _is_state(self, words: list[Word]) -> bool:
        first, second = words[0].plain, plain_at(words, 1)
        alone = first in grammar.NOTED_KINDS and second in ("", "since", "for")
        aged = words[0].plain.isdecimal() and [word.plain for word in words[1:]] == ["years", "old"]
        return alone or aged or (first in grammar.NOTED_STATES and second in grammar.TYING)

    def _find_verb(self, words: list[Word], *, plural: bool) -> int | None:
        plural = plural or words[0].plain in ("i", "we", "they", "you")
        before = ""  # the last word that is not an adverb
        for index, word in enumerate(words[:_FURTHEST_VERB]):
            plain = word.plain
            if plain in _AUXILIARY:
                return index
            if plain in ("to", "that", "what", "where", "how", "why"):
                return None
            form = verb_form(plain) or unknown_past(words, index)
            if form and not follows_noun_marker(words, index):
                many = plural or before.endswith("s") or before in ("people", "children")
                if {"s", "past"} & form.kinds or ("base" in form.kinds and (many or not before)):
                    return index
                if index == 0:  # Painting is fun
                    return next(
                        (i for i, later in enumerate(words[:_FURTHEST_VERB]) if later.plain in _AUXILIARY), None
                    )
            before = before if is_adverb(plain) else plain
        return self._contracted(words)

    def _contracted(self, words: list[Word]) -> int | None:
        """Oliver's hilarious: without another verb the 's is "is"."""
        for index, word in enumerate(words[:-1]):
            alone = index == 1 and len(words) == 3 and words[0].is_name and words[2].plain not in grammar.ATTRIBUTES
            if word.plain == "'s" and (alone or words[index + 1].plain in _AFTER_IS):
                words[index] = read_word("is")
                return index
        return None

    def _implied_subject(self, join: str, words: list[Word]) -> str | None:
        """The subject of a clause without one (Went to Paris): the speaker, or the clause before."""
        if join in ("who", "which"):
            return self._described()
        if self.exists:
            return None
        if join in (",", ";") or join in grammar.CONJUNCTIONS:
            return self.subject
        main = [word.plain for word in words[:_FURTHEST_VERB] if not is_adverb(word.plain)]
        form = verb_form(main[0]) if main else None
        if join == "" and main and (main[0] in ("does", "has", "is") or (form and form.kinds == _THIRD)):
            return self.me if opens_note(words, main, form) else None
        # a bare "Buy milk" is an order, "Love this song" is not
        return self.me if form and (form.kinds == PAST or form.base in _SAID_OF_SELF) else None

    def _described(self) -> str | None:
        """What "who" refers to: the last name or object of the clause before."""
        words = list(self.clause)
        while words and (is_adverb(words[-1].plain) or words[-1].plain in grammar.TIME_WORDS):
            words.pop()
        start = len(words)
        while start and words[start - 1].is_name:
            start -= 1
        if start < len(words):
            return joined(words[start:])
        last_word = (self.last_object or "").rsplit(" ", 1)[-1]
        return self.last_object if words and last_word == words[-1].written else None

    def _subject_of(self, words: list[Word]) -> str | None:
        while words and is_adverb(words[-1].plain):
            words = words[:-1]
        if not words:
            return self.subject
        last = words[-1].plain
        if last in ("i", "we"):
            return self.me
        if last in grammar.OTHERS:
            return self.last_name
        return self._noun_subject(words)

    def _noun_subject(self, words: list[Word]) -> str | None:
        owner, thing = self._owned(words)
        if not thing or any(word.plain in _EMPTY_SUBJECTS for word in thing):
            return None
        if all(word.plain in grammar.TIME_WORDS for word in thing):
            return None  # Next week works for me: a time is no subject
        phrase = joined(thing)
        names = [word for word in thing if word.is_name]
        if owner and thing[-1].plain in grammar.ATTRIBUTES:
            return f"{owner}{_HAS}{phrase}"
        if owner and thing[0].plain in grammar.KIN and names and not thing[0].is_name:  # my sister Anna
            phrase = joined(names)
            self.found.append((owner, thing[0].plain, phrase))
        elif owner:
            self.found.append((owner, "has", phrase))
        if names:
            self.last_name = phrase
        return phrase

    def _owned(self, words: list[Word]) -> tuple[str | None, list[Word]]:
        """Returns the owner before a noun, if there is one, and the noun without determiners."""
        for index, word in enumerate(words):
            if word.plain == "'s" and index:
                owner, owned = self._owned(words[:index])
                return joined(owned) or owner, trimmed(words[index + 1 :])
        if words[0].plain in ("my", "our"):
            return self.me, trimmed(words[1:])
        if words[0].plain in ("his", "her", "their"):
            return self.last_name, trimmed(words[1:])
        return None, trimmed(words)

    def _predicate(self, subject: str, words: list[Word], index: int) -> None:
        """Skips auxiliaries, adverbs and negations to the main verb."""
        negation = modal = ""
        being = wishing = False
        while index < len(words):
            plain, after = words[index].plain, next_verb(words, index + 1)
            if plain in grammar.BE:
                being = True
            elif plain in ("not", "never"):
                negation = plain
            elif plain == "no" and plain_at(words, index + 1) == "longer":
                negation = "no longer"
            elif plain in grammar.NOT_DONE and not is_adverb(plain_at(words, index + 1)):
                return
            elif plain in grammar.MODALS:
                modal = grammar.MODALS_KEPT.get(plain, "")
                wishing = wishing or plain in ("would", "might", "may")
            elif not (plain in grammar.HAVE and after and "past" in after.kinds) and (
                not (plain in grammar.DO and after and "base" in after.kinds) and not is_adverb(plain)
            ):
                break
            index += 1
        if index >= len(words):
            return
        plain = words[index].plain
        form = verb_form(plain)
        if form is None and not being and plain.endswith("ed"):
            form = Form(plain, PAST)
        if wishing and (form is None or form.base not in grammar.LIKING):
            return  # I would get two turtles if I could
        if modal == "can" and negation == "not":
            modal, negation = "", "can't" if plain == "stand" else "cannot"
        before = " ".join(part for part in (negation, modal) if part)
        if being:
            self._being(subject, words, index, before, form)
        elif form:
            self._doing(subject, words, index, before, form)

    def _being(self, subject: str, words: list[Word], index: int, before: str, form: Form | None) -> None:
        while plain_at(words, index) in ("all", "both") and index + 1 < len(words):
            index += 1
        plain, after = words[index].plain, plain_at(words, index + 1)
        if form is None and plain.endswith("ing") and len(plain) > 5 and plain not in grammar.ADJECTIVES:
            form = Form(plain, frozenset(("ing",)))
        if plain in grammar.NAMING:
            self._add(subject, "name", phrase_at(words, index + 1)[0])
        elif form and "ing" in form.kinds and plain not in grammar.ADJECTIVES and _HAS not in subject:
            self._doing(
                subject, words, index, before, form, going=infinitive_at(words, index + 1) != "" or after == "to"
            )
        elif plain in grammar.PREPOSITIONS:
            been = f"{before} been".strip() if words[index - 1].plain == "been" else before or "is"
            self._object_and_place(subject, f"{been} {plain}", words, index + 1)
        elif plain not in grammar.DETERMINERS and after in grammar.TYING and after != "of":
            infinitive = infinitive_at(words, index + 1)  # surprised to learn
            tie, index = (f"to {infinitive}", index + 3) if infinitive else (after, index + 2)
            self._object_and_place(subject, f"{before} {plain} {tie}".strip(), words, index)
        else:
            phrase, end = phrase_at(words, index, adjectives=True)
            predicate = before if _HAS in subject else f"is {before}".strip()
            self._add(subject, predicate, phrase)
            if phrase and end >= len(words):
                self.open_list = (subject, predicate)

    def _doing(
        self, subject: str, words: list[Word], index: int, before: str, form: Form, *, going: bool = False
    ) -> None:
        base = form.base
        if (base == "go" and going) or (words[index].plain == "used" and infinitive_at(words, index + 1)):
            base = words[index].plain
        elif base == "have" and plain_at(words, index + 1) != "to":
            base = "has"
        predicate, index = base, index + 1
        if plain_at(words, index) in grammar.PARTICLES:
            predicate, index = f"{predicate} {words[index].plain}", index + 1
        for _ in range(2):  # want to learn, start learning
            second = verb_form(plain_at(words, index))
            more = infinitive_at(words, index)
            if not more and base in grammar.BEFORE_INFINITIVES:
                more = unknown_infinitive_at(words, index)
            if more:
                predicate, index = f"{predicate} to {more}", index + 2
            elif base in grammar.ASPECTUAL and second and "ing" in second.kinds and index + 1 < len(words):
                predicate, index, base = f"{predicate} {words[index].plain}", index + 1, second.base
        self._object(subject, words, index, f"{before} {predicate}".strip(), form)

    def _object(self, subject: str, words: list[Word], index: int, predicate: str, form: Form) -> None:
        while (
            index < len(words)
            and is_adverb(words[index].plain)
            and words[index].plain not in ("first", "last", "home")
        ):
            index += 1
        plain = plain_at(words, index)
        if form.base in grammar.REPORTING and (plain == "that" or starts_clause(words[index:])):
            self.subject = None
            self.read("", words[index + (plain == "that") :])
            return
        if plain in _OBJECTS and index + 1 < len(words):
            if form.base == "call" and plain == "me":
                self._add(self.me, "name", phrase_at(words, index + 1)[0])
                return
            after = verb_form(plain_at(words, index + 1))
            if infinitive_at(words, index + 1) or (after and "base" in after.kinds):
                return  # wants me to attend: the subject does not do it
            index += plain not in ("her",) or not words[index + 1].is_sign
        if plain == "no":
            predicate, index = f"{predicate} no", index + 1
        self._object_and_place(subject, predicate, words, index)

    def _object_and_place(self, subject: str, predicate: str, words: list[Word], index: int) -> None:
        """Adds the object, direct or after a preposition, and another one after a second preposition."""
        verb, plain = predicate, plain_at(words, index)
        tied = plain in grammar.TYING or predicate.rsplit(" ", 1)[-1] in grammar.TYING
        if plain in grammar.TYING:
            predicate, index = f"{predicate} {plain}", index + 1
        phrase, end = phrase_at(words, index)
        if not tied and phrase.split(" ")[0].casefold() in grammar.TIME_WORDS:
            return
        self._add(subject, predicate, phrase)
        if not phrase:
            return
        if plain_at(words, end) in grammar.NAMING:  # a dog named Rex
            self._add(phrase, "name", phrase_at(words, end + 1)[0])
        if end >= len(words):
            self.open_list = (subject, predicate)
        elif words[end].plain in (("in", "as") if tied else grammar.PLACING) and not infinitive_at(words, end):
            placed = verb if verb.endswith(f" {words[end].plain}") else f"{verb} {words[end].plain}"  # born in, in
            self._add(subject, placed, phrase_at(words, end + 1)[0])

    def _continue_list(self, join: str, words: list[Word]) -> None:
        phrase, end = phrase_at(words, 0)
        if self.open_list and join in (",", "and", "or", "&") and phrase and end >= len(words):
            self._add(*self.open_list, phrase)
        else:
            self.open_list = None
            self.last_object = phrase or self.last_object

    def _add(self, subject: str, predicate: str, thing: str) -> None:
        if not thing:
            return
        if _HAS in subject:  # my name is Jin: the attribute is the predicate
            subject, _, attribute = subject.partition(_HAS)
            predicate = f"{predicate} {attribute}".strip() if predicate != "name" else attribute
        self.found.append((subject, predicate, thing))
        self.last_object = thing
