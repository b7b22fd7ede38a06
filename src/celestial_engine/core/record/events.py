"""What the ledger records: every change, as ids and numbers, never as text."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from enum import Enum
from typing import Any

from celestial_engine.core.record.owner import Owner

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_SECOND = timedelta(seconds=1)
_FIRST = (datetime.min.replace(tzinfo=timezone.utc) - _EPOCH) // _SECOND
_LAST = (datetime.max.replace(tzinfo=timezone.utc) - _EPOCH) // _SECOND

# Of an evaluation these stand at the top of the document; whatever else it says stays together.
MEASURES = ("impact_score", "transparency", "reproducibility", "verifiability")


class EventType(str, Enum):
    STORED = "stored"
    UPDATED = "updated"
    RECALLED = "recalled"
    PINNED = "pinned"
    UNPINNED = "unpinned"
    FORGOTTEN = "forgotten"  # over the cliff, restorable
    RESTORED = "restored"
    PURGED = "purged"  # gone for good; this entry is what remains
    MOVED = "moved"  # to another zone, by hand or by somebody who scores higher
    LAW_CHANGED = "law_changed"  # another memory function, other zones, another time to forget
    REBALANCED = "rebalanced"
    REINDEXED = "reindexed"  # vectors made anew, of all owners
    ARCHIVED = "archived"  # out of the database, into a file
    UNARCHIVED = "unarchived"
    BACKED_UP = "backed_up"
    BACKUP_RESTORED = "backup_restored"  # the whole database as it was then; what was purged since stays purged
    RATED = "rated"  # stars from the user
    UNDONE = "undone"  # a memory is as it was before another event

    GRANTED = "granted"  # a token, to whoever comes over a network
    REVOKED = "revoked"

    # what a turn of a conversation leaves
    MENTIONED = "mentioned"  # said once more: not stored twice, counted
    INFLUENCED = "influenced"  # the host acted differently because of it
    REWARDED = "rewarded"  # feedback on the last turn
    LEARNED = "learned"  # the policy, a version further or back

    # what sleep does
    FADED = "faded"  # answers with its triples from now on
    WENT_INACTIVE = "went_inactive"  # searched no more
    MERGED = "merged"  # into another that says the same
    SUPERSEDED = "superseded"  # a newer statement holds now
    PROMOTED = "promoted"  # to a longer lifetime, as a distilled memory or by the user's word
    NOMINATED = "nominated"  # could become a core memory, if the user says so
    APPRAISED = "appraised"  # importance, gist or triples made anew
    SLEPT = "slept"  # a night's work, in numbers

    IMAGINED = "imagined"  # memories joined into something that could be done

    # the self, and the user's word
    PROPOSED = "proposed"
    APPROVED = "approved"
    REJECTED = "rejected"
    PROPOSAL_ENDED = "proposal_ended"  # expired, or withdrawn with what it was about
    SELF_CHANGED = "self_changed"  # a version further
    ISLAND_CHANGED = "island_changed"  # shaking, collapsed, rising; by time or by its founders
    NOTICED = "noticed"  # what the user should know of the self
    REFUSED = "refused"  # an attempt to change what only the user's word changes

    # what the host program tells of itself
    USER_INPUT = "user_input"
    PERSONA_RESPONSE = "persona_response"
    TOOL_CALL = "tool_call"
    EVALUATION = "evaluation"
    RUNE_REPORT = "rune_report"
    SYNTHESIS_REPORT = "synthesis_report"
    HOST = "host"  # anything else; its name is in the detail

    @property
    def of_the_host(self) -> bool:
        return self in _OF_THE_HOST


_OF_THE_HOST = frozenset(
    {
        EventType.USER_INPUT,
        EventType.PERSONA_RESPONSE,
        EventType.TOOL_CALL,
        EventType.EVALUATION,
        EventType.RUNE_REPORT,
        EventType.SYNTHESIS_REPORT,
        EventType.HOST,
    }
)


@dataclass(frozen=True)
class Event:
    """One entry. `number` and `hash` are given by the ledger, and no part of what happened."""

    type: EventType
    owner: Owner
    at: float
    item_id: str | None = None
    detail: dict[str, Any] = field(default_factory=dict)
    session_id: str | None = None
    persona_id: str | None = None
    memory_refs: tuple[str, ...] = ()
    bqi_coordinate: dict[str, Any] | None = None
    evaluation: dict[str, Any] | None = None
    plan_adjustment: dict[str, Any] | None = None
    number: int | None = field(default=None, compare=False)
    hash: str | None = field(default=None, compare=False)

    @property
    def name(self) -> str:
        """What the event is called: its type, or the name that the host gave it."""
        return event_name(self.type.value, self.detail)

    def to_document(self) -> dict[str, Any]:
        """The entry as the JSON object of the daily files."""
        told = {
            "persona_id": self.persona_id,
            "memory_refs": self.memory_refs,
            "bqi_coordinate": self.bqi_coordinate,
            "evaluation": self.evaluation,
            "plan_adjustment": self.plan_adjustment,
        }
        return document(self.type.value, self.at, self.session_id, self.item_id, self.detail, told)


def event_name(kind: str, detail: dict[str, Any]) -> str:
    given = detail.get("name")
    return given if kind == EventType.HOST.value and isinstance(given, str) else kind


def document(
    kind: str,
    at: float,
    session_id: str | None,
    item_id: str | None,
    detail: dict[str, Any],
    told: dict[str, Any],
) -> dict[str, Any]:
    """The audit entry that everybody can read; `told` is what a host program added."""
    judged: dict[str, Any] = told.get("evaluation") or {}
    about = () if item_id is None else (item_id,)
    return {
        "timestamp": timestamp(at),
        "session_id": session_id,
        "event_type": event_name(kind, detail),
        "persona_id": told.get("persona_id"),
        "memory_id": item_id,
        "bqi_coordinate": told.get("bqi_coordinate"),
        **{measure: judged.get(measure) for measure in MEASURES},
        "evaluation": {name: value for name, value in judged.items() if name not in MEASURES} or None,
        "memory_refs": list(dict.fromkeys((*about, *told.get("memory_refs", ())))),
        "plan_adjustment": told.get("plan_adjustment"),
        "detail": detail,
    }


def moment_of(seconds: float) -> datetime:
    """A moment in UTC; what a wrong clock gave beyond the calendar is the calendar's first or last second."""
    whole = min(max(seconds, _FIRST), _LAST)
    return _EPOCH + timedelta(seconds=whole)


def timestamp(seconds: float) -> str:
    """ISO 8601 in UTC."""
    return moment_of(seconds).isoformat(timespec="microseconds").replace("+00:00", "Z")


def day_of(seconds: float) -> str:
    """YYYYMMDD in UTC."""
    moment = moment_of(seconds)
    return f"{moment.year:04}{moment.month:02}{moment.day:02}"
