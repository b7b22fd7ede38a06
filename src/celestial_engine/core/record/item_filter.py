"""Filters for memories by coordinates, importance and orbit.

Both sides are facets, which stores can index: a filter requires some, a memory has some.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any, NamedTuple
from unicodedata import normalize

from celestial_engine.core.checks import check_choice, check_importance, check_tags, check_text
from celestial_engine.core.record.bqi import RhythmPhase, emotions_in, phase_in
from celestial_engine.core.record.coordinate import Emotion
from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.errors import Expected, InvalidInputError, Reason

TimeRange = tuple[datetime | None, datetime | None]
# Importance is indexed in steps of a tenth and a hundredth; only values within one hundredth are compared.
_TENTHS = tuple(step / 10 for step in range(1, 11))
_HUNDREDTHS = tuple(step / 100 for step in range(1, 101))


class FacetKind(str, Enum):
    """What memories are indexed by, most selective first."""

    SESSION = "session"
    TAG = "tag"
    PROJECT = "project"
    DOMAIN = "domain"
    PERSONA = "persona"
    ROLE = "role"
    EMOTION = "emotion"
    BQI_EMOTION = "bqi_emotion"
    BQI_PHASE = "bqi_phase"
    ZONE = "zone"
    TIER = "tier"
    STATE = "state"
    CATEGORY = "category"
    IMPORTANCE = "importance"  # last: a query reads many of its steps


class Facet(NamedTuple):
    kind: FacetKind
    value: str


def facet(kind: FacetKind, value: str) -> Facet:
    """Builds a facet with the value in NFC; tags are case-insensitive."""
    value = normalize("NFC", value)
    return Facet(kind, value.casefold() if kind is FacetKind.TAG else value)


def facets_of(item: CelestialItem) -> set[Facet]:
    """Returns every facet that a memory can be looked up by."""
    single_valued = {
        FacetKind.SESSION: item.time.session_id,
        FacetKind.PROJECT: item.space.project,
        FacetKind.DOMAIN: item.space.domain,
        FacetKind.PERSONA: item.agent.persona_id,
        FacetKind.ROLE: item.agent.role,
        FacetKind.BQI_PHASE: phase_in(item.document.bqi_snapshot),
        FacetKind.ZONE: str(item.zone),
        FacetKind.TIER: item.tier.value,
        FacetKind.STATE: item.state.value,
        FacetKind.CATEGORY: None if item.category is None else item.category.value,
    }
    multi_valued = {
        FacetKind.TAG: item.tags,
        FacetKind.EMOTION: tuple(tag.value for tag in item.emotion.tags),
        FacetKind.BQI_EMOTION: emotions_in(item.document.bqi_snapshot),
        FacetKind.IMPORTANCE: (_tenth(item.arbitrary_importance), _hundredth(item.arbitrary_importance)),
    }
    facets = {facet(kind, value) for kind, value in single_valued.items() if value is not None}
    return facets | {facet(kind, value) for kind, values in multi_valued.items() for value in values}


def _tenth(importance: float) -> str:
    return f"{bisect_right(_TENTHS, importance)}/10"


def _hundredth(importance: float) -> str:
    return f"{bisect_right(_HUNDREDTHS, importance)}/100"


def _at_least(importance: float) -> list[str]:
    """Every step from this importance up: hundredths to the next tenth, then tenths."""
    first = bisect_right(_HUNDREDTHS, importance)
    tenth = -(-first // 10)
    return [f"{step}/100" for step in range(first, 10 * tenth)] + [f"{step}/10" for step in range(tenth, 11)]


@dataclass(frozen=True)
class BqiFilter:
    """Matches the BQI of a memory's prompt: this phase, and any of these emotions."""

    rhythm_phase: RhythmPhase | None = None
    emotions: tuple[str, ...] = ()

    @classmethod
    def read(cls, filters: object) -> BqiFilter:
        """Parses {"rhythm_phase": "integration", "emotion": "clarity"}; emotion may be a list, None matches any."""
        if isinstance(filters, cls):
            return filters
        if not isinstance(filters, Mapping):
            raise InvalidInputError("bqi", Reason.WRONG_TYPE, expected=Expected.OBJECT, got=type(filters).__name__)
        unknown = sorted(str(name) for name in filters if name not in ("rhythm_phase", "emotion"))
        if unknown:
            raise InvalidInputError(
                "bqi", Reason.UNKNOWN_NAMES, names=tuple(unknown), choices=("rhythm_phase", "emotion")
            )
        emotion: Any = filters.get("emotion")
        return cls(filters.get("rhythm_phase"), (emotion,) if isinstance(emotion, str) else emotion or ())

    def __post_init__(self) -> None:
        if self.rhythm_phase is not None:
            _set(self, "rhythm_phase", check_choice(RhythmPhase, self.rhythm_phase, "bqi.rhythm_phase"))
        _set(self, "emotions", _texts("bqi.emotion", self.emotions))


@dataclass(frozen=True)
class ItemFilter:
    """Selects memories; None and () match any. All conditions must hold; of `bqi`'s emotions one is enough.

    `time_range` is (start, end), both inclusive, either may be None. All `tags` are required.
    """

    states: tuple[State, ...] = (State.ACTIVE, State.FADED)
    zone: int | None = None
    tier: Tier | None = None
    time_range: TimeRange | None = None
    session_id: str | None = None
    persona_id: str | None = None
    role: str | None = None
    domain: str | None = None
    project: str | None = None
    tags: tuple[str, ...] = ()
    min_importance: float | None = None
    emotion: Emotion | None = None
    bqi: BqiFilter | None = None

    def __post_init__(self) -> None:
        _set(self, "states", tuple(check_choice(State, state, "states") for state in self.states))
        if self.zone is not None and (isinstance(self.zone, bool) or not isinstance(self.zone, int)):
            raise InvalidInputError("zone", Reason.WRONG_VALUE, expected=Expected.WHOLE_NUMBER, got=self.zone)
        if self.tier is not None:
            _set(self, "tier", check_choice(Tier, self.tier, "tier"))
        if self.emotion is not None:
            _set(self, "emotion", check_choice(Emotion, self.emotion, "emotion"))
        if self.bqi is not None:
            _set(self, "bqi", BqiFilter.read(self.bqi))
        if self.min_importance is not None:
            _set(self, "min_importance", check_importance(self.min_importance))
        for name in ("session_id", "persona_id", "role", "domain", "project"):
            if getattr(self, name) is not None:
                check_text(getattr(self, name), name)
        _set(self, "tags", check_tags(self.tags))
        if self.time_range is not None:
            _set(self, "time_range", _time_range(self.time_range))

    @property
    def created_from(self) -> float | None:
        return None if self.time_range is None or self.time_range[0] is None else self.time_range[0].timestamp()

    @property
    def created_until(self) -> float | None:
        return None if self.time_range is None or self.time_range[1] is None else self.time_range[1].timestamp()

    def facets(self) -> list[list[Facet]]:
        """A memory must have one facet of every group, most selective first. Numbers are compared afterwards."""
        single_valued: dict[FacetKind, str | None] = {
            FacetKind.SESSION: self.session_id,
            FacetKind.PROJECT: self.project,
            FacetKind.DOMAIN: self.domain,
            FacetKind.PERSONA: self.persona_id,
            FacetKind.ROLE: self.role,
            FacetKind.EMOTION: None if self.emotion is None else self.emotion.value,
            FacetKind.BQI_PHASE: None if self._phase is None else self._phase.value,
            FacetKind.ZONE: None if self.zone is None else str(self.zone),
            FacetKind.TIER: None if self.tier is None else self.tier.value,
        }
        groups = [[facet(kind, value)] for kind, value in single_valued.items() if value is not None]
        groups += [[facet(FacetKind.TAG, tag)] for tag in self.tags]
        if self.bqi is not None and self.bqi.emotions:
            groups.append([facet(FacetKind.BQI_EMOTION, word) for word in self.bqi.emotions])
        if self.min_importance:
            groups.append([facet(FacetKind.IMPORTANCE, step) for step in _at_least(self.min_importance)])
        groups.append([facet(FacetKind.STATE, state.value) for state in self.states])
        kinds = list(FacetKind)
        return sorted(groups, key=lambda facets: kinds.index(facets[0].kind) if facets else -1)

    @property
    def _phase(self) -> RhythmPhase | None:
        return None if self.bqi is None else self.bqi.rhythm_phase

    @property
    def doubtful_importance(self) -> Facet | None:
        """The importance step that contains memories on both sides of `min_importance`, or None."""
        if not self.min_importance or self.min_importance in _HUNDREDTHS:
            return None
        return facet(FacetKind.IMPORTANCE, _hundredth(self.min_importance))

    def accepts(self, item: CelestialItem) -> bool:
        item_facets = facets_of(item)
        return self._accepts_numbers(item) and all(
            any(required in item_facets for required in facets) for facets in self.facets()
        )

    def _accepts_numbers(self, item: CelestialItem) -> bool:
        return (
            (self.min_importance is None or item.arbitrary_importance >= self.min_importance)
            and (self.created_from is None or item.created_at >= self.created_from)
            and (self.created_until is None or item.created_at <= self.created_until)
        )


def _set(value: object, name: str, checked: object) -> None:
    object.__setattr__(value, name, checked)  # the dataclass is frozen; __post_init__ may still normalise


def _texts(field: str, values: object) -> tuple[str, ...]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InvalidInputError(field, Reason.WRONG_TYPE, expected=Expected.TEXT_OR_TEXTS, got=type(values).__name__)
    return tuple(check_text(value, field) for value in values)


def _time_range(value: Any) -> TimeRange:
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        raise InvalidInputError("time_range", Reason.WRONG_VALUE, expected=Expected.START_AND_END, got=value)
    for moment in value:
        if moment is not None and not isinstance(moment, datetime):
            raise InvalidInputError("time_range", Reason.WRONG_VALUE, expected=Expected.DATETIME, got=moment)
        if moment is not None and moment.utcoffset() is None:
            raise InvalidInputError("time_range", Reason.NO_TIME_ZONE, got=moment.isoformat())
    start, end = value
    if start is not None and end is not None and end < start:
        raise InvalidInputError("time_range", Reason.ENDS_BEFORE_START)
    return start, end
