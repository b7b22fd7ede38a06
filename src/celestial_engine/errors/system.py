"""Known operating system errors as problems."""

from __future__ import annotations

import errno

from celestial_engine.errors.base import Problem
from celestial_engine.errors.reasons import Reason

_KNOWN = {
    errno.ENOENT: Reason.NO_SUCH_FILE,
    errno.EACCES: Reason.PERMISSION_DENIED,
    errno.EPERM: Reason.PERMISSION_DENIED,
    errno.ENOSPC: Reason.NO_SPACE,
    errno.ENOTDIR: Reason.NOT_A_FOLDER,
    errno.EISDIR: Reason.IS_A_FOLDER,
}


def os_problem(error: Exception) -> Problem:
    """Returns why a file cannot be used; unknown errors keep the system's message."""
    if isinstance(error, UnicodeDecodeError):
        return Problem(None, Reason.NOT_UTF8, {"position": error.start})
    reason = _KNOWN.get(error.errno or 0) if isinstance(error, OSError) else None
    if reason is not None:
        return Problem(None, reason, {})
    return Problem(None, Reason.SYSTEM_ERROR, {"cause": getattr(error, "strerror", None) or str(error)})
