"""decide: what to do with a turn. It only reads and never writes, so any caller may ask."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from celestial_engine.core.guard.guard import Guard
from celestial_engine.core.guard.secrets import GuardPolicy
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.labels import Act, Attribute
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.record.reading import Read, Reading
from celestial_engine.core.retrieval.ranking import Match
from celestial_engine.core.sameness.compare import Sameness, compare
from celestial_engine.core.sameness.succession import NO_SCALE, VectorScale
from celestial_engine.core.text.entities import entities_in, entity
from celestial_engine.core.text.words import index_words, query_words
from celestial_engine.core.turn.conversation import Role, Utterance
from celestial_engine.core.turn.features import TurnFeatures, features_of, said_before
from celestial_engine.core.turn.forget_request import forget_request_in, likely_request_in
from celestial_engine.core.turn.policy import Action, Chooser, Decision, DecisionReason, Phase, decide_turn
from celestial_engine.core.turn.unwanted import MOST, TAG, unwanted_attributes
from celestial_engine.errors import SecretError
from celestial_engine.flow.base.succession import NewStatement, repeated_by
from celestial_engine.ports import ItemFilter, ItemStore

Embed = Callable[[str], Sequence[float] | None]

_CANDIDATES = 5  # a near-duplicate is among the nearest matches
_MAX_QUERY_COST = 5  # query words: a duplicate contains them all, and each costs time
_FEWEST_ASKED, _KNOWN = 2, 0.6  # words of a question, and the share of them that one memory has
_FORGETS, _TELLS = 0.7, 0.3  # how likely a request to forget must be, and how much it may tell besides
_ALIKE = 0.4  # the minimum share of common words of a duplicate


def decide(
    store: ItemStore,
    owner: Owner,
    policy: GuardPolicy,
    read: Read,
    turn: Utterance,
    history: Sequence[Utterance] = (),
    chooser: Chooser | None = None,
    embed: Embed | None = None,
    turn_id: str = "",
    scale: VectorScale = NO_SCALE,
) -> Decision:
    """Guard first, then read, then the three phases. A duplicate is skipped, with the id it repeats.

    A request to forget is never saved: the decision is about what else the turn says.
    """
    try:
        turn = replace(turn, text=Guard(policy).text(turn.text))
    except SecretError:
        unseen = TurnFeatures(role=turn.role, length=len(turn.text))
        return Decision(Action.SKIP, DecisionReason.BLOCKED, Phase.SURE, unseen, 1.0, None, turn_id)
    request = forget_request_in(turn.text) if turn.role is Role.USER else None
    if request is not None and request.rest:
        rest = decide(store, owner, policy, read, replace(turn, text=request.rest), history, chooser, embed, turn_id)
        return replace(rest, forget=request)
    reading = read(turn.text, said_before(history))
    with store.read() as session:
        features = features_of(turn, reading, history, session.orbits.count(owner))
    if request is None and turn.role is Role.USER and _reads_like_forgetting(reading):
        request = likely_request_in(turn.text)
    if request is not None:
        return Decision(
            Action.SKIP, DecisionReason.ASKED_TO_FORGET, Phase.SURE, features, 1.0, None, turn_id, forget=request
        )
    decision = decide_turn(features, chooser, turn_id=turn_id)
    if decision.reason is DecisionReason.GENERAL_QUESTION and _is_known_about(store, owner, turn.text):
        return replace(decision, action=Action.RETRIEVE, reason=DecisionReason.ASKS_ABOUT_KNOWN, phase=Phase.RULES)
    if decision.action is not Action.SAVE:
        return decision
    if features.memory_count > 0 and not features.remember and reading.attribute in unwanted(store, owner):
        return replace(decision, action=Action.SKIP, reason=DecisionReason.UNWANTED, phase=Phase.SURE, confidence=1.0)
    twin = _recalled_twin(turn.text, history)
    if twin is None and features.memory_count > 0:
        twin = _stored_twin(store, NewStatement(owner, turn.text, reading, scale=scale), embed)
    if twin is None:
        return decision
    return replace(
        decision,
        action=Action.SKIP,
        reason=DecisionReason.DUPLICATE,
        phase=Phase.SURE,
        confidence=0.95,
        duplicate_of=twin,
    )


def unwanted(store: ItemStore, owner: Owner) -> dict[Attribute, CelestialItem]:
    """Return the attributes that the user does not want kept, each with the memory that says so."""
    with store.read() as session:
        return unwanted_attributes(session.items.newest(owner, ItemFilter(tags=(TAG,)), MOST))


def _reads_like_forgetting(reading: Reading) -> bool:
    return reading.act is Act.FORGET and reading.act_confidence >= _FORGETS and reading.keep < _TELLS


def _is_known_about(store: ItemStore, owner: Owner, question: str) -> bool:
    """Return whether memories tell of what a question is about that sounded general.

    Either one has most of its words, "is Mina allergic to peanuts?", or one tells something of whom or what it names:
    "what does Mina do?".
    """
    words = {
        word: parts for word in question.split() if (parts := query_words(word))
    }  # without "when is", 몇 살이에요
    names = frozenset(map(entity, entities_in(question)))
    with store.read() as session:
        matches = session.search.by_words(owner, _query_words(" ".join(words)), _CANDIDATES).matches
        named = session.search.by_graph(owner, sorted(names), 0, _CANDIDATES) if names else []
        ids = [match.item_id for match in matches] + [match.item_id for match in named]
        items = session.items.get_many(owner, list(dict.fromkeys(ids)))
    return any(_has_most(item.content, words.values()) or _tells_of(item, names) for item in items)


def _has_most(text: str, words: Collection[Sequence[str]]) -> bool:
    """Return whether a text has most of these words, each given as what the word index has of it.

    Korean is indexed by pairs of syllables, the stem first: 해도 of 산책해도 is an ending, 교실 of 노래교실 is not.
    """
    told = frozenset(index_words(text))
    stems = [parts[0] in told for parts in words]
    pairs = [part in told for parts in words for part in parts]
    return any(len(had) >= _FEWEST_ASKED and sum(had) >= _KNOWN * len(had) for had in (stems, pairs))


def _tells_of(item: CelestialItem, names: Collection[str]) -> bool:
    return any(entity(subject) in names for subject, _, _ in item.resolution.triples)


def _recalled_twin(text: str, history: Sequence[Utterance]) -> str | None:
    """Return the id of a recently recalled memory that the user repeats."""
    for past in reversed(history):
        if past.memory_id is not None and compare(past.text, text) is Sameness.SAME:
            return past.memory_id
    return None


def _stored_twin(store: ItemStore, new: NewStatement, embed: Embed | None) -> str | None:
    owner, text = new.owner, new.text
    with store.read() as session:
        matches = session.search.by_words(owner, _query_words(text), _CANDIDATES).matches
        items = session.items.get_many(owner, [match.item_id for match in matches])
    twin = _same([item for item in items if _overlap(item.content, text) >= _ALIKE], text, {})
    if twin is not None:
        return twin
    new = replace(new, vector=None if embed is None else embed(text))
    with store.read() as session:
        alike: list[Match] = []
        if new.vector is not None:
            alike = session.search.by_vector(owner, new.vector, _CANDIDATES)
            items = session.items.get_many(owner, [match.item_id for match in alike])
            twin = _same(items, text, {match.item_id: match.score for match in alike})
        return twin or repeated_by(session, new, [match.item_id for match in (*matches, *alike)])


def _query_words(text: str) -> str:
    """Return the longest words, which are rarely the commonest, as many as a search can afford."""
    words: list[str] = []
    cost = 0
    for word in sorted(dict.fromkeys(text.split()), key=len, reverse=True):
        cost += 1 if word.isascii() else len(word) - 1  # Korean is searched by character pairs
        if words and cost > _MAX_QUERY_COST:
            break
        words.append(word)
    return " ".join(words)


def _overlap(text: str, other: str) -> float:
    first, second = set(index_words(text)), set(index_words(other))
    return len(first & second) / (len(first | second) or 1)


def _same(items: Sequence[CelestialItem], text: str, cosines: dict[str, float]) -> str | None:
    return next((i.id for i in items if compare(i.content, text, cosines.get(i.id)) is Sameness.SAME), None)
