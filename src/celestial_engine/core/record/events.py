"""Ledger events: every change is recorded as ids and numbers, never as text."""

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

# These fields of an evaluation become top-level fields of the document; the others stay nested.
MEASURES = ("impact_score", "transparency", "reproducibility", "verifiability")


class EventType(str, Enum):
    STORED = "stored"
    UPDATED = "updated"
    RECALLED = "recalled"
    PINNED = "pinned"
    UNPINNED = "unpinned"
    FORGOTTEN = "forgotten"  # over the cliff, restorable
    RESTORED = "restored"
    PURGED = "purged"  # deleted for good; only this entry remains
    MOVED = "moved"  # to another zone, by hand or displaced by a memory that scores higher
    LAW_CHANGED = "law_changed"  # the memory function, the zones or the time to forget changed
    REBALANCED = "rebalanced"
    ABSENCE = "absence"  # the owner was away, or the clock was wrong: the clocks of all memories were set by so much
    REINDEXED = "reindexed"  # vectors of all owners computed again
    ARCHIVED = "archived"  # out of the database, into a file
    UNARCHIVED = "unarchived"
    BACKED_UP = "backed_up"
    BACKUP_RESTORED = "backup_restored"  # the whole database; what was purged since the backup stays purged
    RATED = "rated"  # stars from the user
    UNDONE = "undone"  # a memory was reset to its state before another event

    GRANTED = "granted"  # an access token for network clients
    REVOKED = "revoked"

    # from turns of a conversation
    MENTIONED = "mentioned"  # said again: counted instead of stored twice
    INFLUENCED = "influenced"  # the host acted differently because of it
    REWARDED = "rewarded"  # feedback on the last turn
    LEARNED = "learned"  # the policy changed to a newer or older version
    GOSSIPED = "gossiped"  # learning together: joined, left, a peer, or what others learned; the detail says which

    # from sleep
    FADED = "faded"  # shown by its triples from now on
    WENT_INACTIVE = "went_inactive"  # no longer searched
    MERGED = "merged"  # into another memory that says the same
    SUPERSEDED = "superseded"  # replaced by a newer statement
    PROMOTED = "promoted"  # to a longer lifetime: raised, distilled, or by the user's approval
    NOMINATED = "nominated"  # candidate for a core memory, waits for the user's approval
    APPRAISED = "appraised"  # importance, gist, triples or the reading of its text computed again
    SLEPT = "slept"  # summary of one sleep run, in numbers

    IMAGINED = "imagined"  # an idea made from several memories

    # the self, and decisions of the user
    PROPOSED = "proposed"
    APPROVED = "approved"
    REJECTED = "rejected"
    PROPOSAL_ENDED = "proposal_ended"  # expired, or withdrawn together with its subject
    SELF_CHANGED = "self_changed"  # a new version
    ISLAND_CHANGED = "island_changed"  # shaking, collapsed or rising, because of time or its founding memories
    NOTICED = "noticed"  # something about the self that the user should know
    REFUSED = "refused"  # an attempt to change what only the user may change

    # written by the host program
    USER_INPUT = "user_input"
    PERSONA_RESPONSE = "persona_response"
    TOOL_CALL = "tool_call"
    EVALUATION = "evaluation"
    RUNE_REPORT = "rune_report"
    SYNTHESIS_REPORT = "synthesis_report"
    HOST = "host"  # anything else; its name is in the detail

    @property
    def is_host_event(self) -> bool:
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
    """One ledger entry. `number` and `hash` are set by the ledger and are not compared."""

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
        """The event's type, or the name that the host gave it."""
        return event_name(self.type.value, self.detail)

    def to_document(self) -> dict[str, Any]:
        """Returns the entry as the JSON object of the daily files."""
        host_fields = {
            "persona_id": self.persona_id,
            "memory_refs": self.memory_refs,
            "bqi_coordinate": self.bqi_coordinate,
            "evaluation": self.evaluation,
            "plan_adjustment": self.plan_adjustment,
        }
        return audit_document(self.type.value, self.at, self.session_id, self.item_id, self.detail, host_fields)


def event_name(kind: str, detail: dict[str, Any]) -> str:
    name = detail.get("name")
    return name if kind == EventType.HOST.value and isinstance(name, str) else kind


def audit_document(
    kind: str,
    at: float,
    session_id: str | None,
    item_id: str | None,
    detail: dict[str, Any],
    host_fields: dict[str, Any],
) -> dict[str, Any]:
    """Returns the audit entry as a JSON object; `host_fields` are the fields that a host program added."""
    evaluation: dict[str, Any] = host_fields.get("evaluation") or {}
    about = () if item_id is None else (item_id,)
    return {
        "timestamp": timestamp(at),
        "session_id": session_id,
        "event_type": event_name(kind, detail),
        "persona_id": host_fields.get("persona_id"),
        "memory_id": item_id,
        "bqi_coordinate": host_fields.get("bqi_coordinate"),
        **{measure: evaluation.get(measure) for measure in MEASURES},
        "evaluation": {name: value for name, value in evaluation.items() if name not in MEASURES} or None,
        "memory_refs": list(dict.fromkeys((*about, *host_fields.get("memory_refs", ())))),
        "plan_adjustment": host_fields.get("plan_adjustment"),
        "detail": detail,
    }


def moment_of(seconds: float) -> datetime:
    """Converts to UTC; values outside the calendar (a wrong clock) become its first or last second."""
    clamped = min(max(seconds, _FIRST), _LAST)
    return _EPOCH + timedelta(seconds=clamped)


def timestamp(seconds: float) -> str:
    """ISO 8601 in UTC."""
    return moment_of(seconds).isoformat(timespec="microseconds").replace("+00:00", "Z")


def day_of(seconds: float) -> str:
    """YYYYMMDD in UTC."""
    moment = moment_of(seconds)
    return f"{moment.year:04}{moment.month:02}{moment.day:02}"
