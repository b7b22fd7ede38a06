"""Language model calls and tokens per day, for a single process."""

from __future__ import annotations

import threading

from celestial_engine.ports import Spent


class DictSpending:
    def __init__(self) -> None:
        self._days: dict[int, Spent] = {}
        self._lock = threading.Lock()

    def spend(self, day: int, tokens: int, most_calls: int | None, most_tokens: int | None) -> bool:
        with self._lock:
            before = self.spent(day)
            after = Spent(before.calls + 1, before.tokens + tokens)
            over = (most_calls is not None and after.calls > most_calls) or (
                most_tokens is not None and after.tokens > most_tokens
            )
            if not over:
                self._days[day] = after
            return not over

    def correct(self, day: int, tokens: int) -> None:
        with self._lock:
            if day in self._days:
                before = self._days[day]
                self._days[day] = Spent(before.calls, max(0, before.tokens + tokens))

    def spent(self, day: int) -> Spent:
        return self._days.get(day, Spent(0, 0))
