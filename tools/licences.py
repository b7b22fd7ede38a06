"""The licences of installed packages: an Apache-2.0 program may use all of them.

`python -m tools.licences` lists every package of this environment. It fails for one whose licence is not known, or
whose terms would reach into this program.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from importlib.metadata import Distribution, distributions

# Words of free licences whose terms end at the package itself.
ALLOWED = re.compile(
    r"\b(apache|mit|bsd|isc|psf|python software foundation|mpl|mozilla public|zlib|0bsd|unlicense|cc0|hpnd"
    r"|public domain|lgpl|lesser general public|any-osi|openssl|boost|bsl-1\.0|blueoak)",
    re.IGNORECASE,
)
# Looked at by hand: packages that say nothing readable by a program, and what their files say.
KNOWN = {
    "kiwipiepy-model": "LGPL-3.0",
    "kiwipiepy_model": "LGPL-3.0",
    "apsw": "Any-OSI",
    "sqlcipher3": "Zlib (SQLCipher: BSD)",
}


def licence_of(package: Distribution) -> str:
    """What a package says of its licence, in the newest form that it uses."""
    data = package.metadata
    expression = data.get("License-Expression")
    if expression:
        return str(expression)
    classified = [
        line.rpartition("::")[2].strip() for line in data.get_all("Classifier") or () if "License ::" in line
    ]
    if classified:
        return ", ".join(classified)
    said = (data.get("License") or "").strip().splitlines()
    return said[0] if said else KNOWN.get(data["Name"].lower(), "")


def refused(packages: Iterable[Distribution]) -> list[str]:
    """Returns the packages whose licence is not allowed."""
    found = []
    for package in packages:
        name = package.metadata["Name"]
        licence = KNOWN.get(name.lower()) or licence_of(package)
        if not ALLOWED.search(licence):
            found.append(f"{name} {package.version}: {licence or 'no licence'}")
    return sorted(found)


def main() -> int:
    packages = sorted(distributions(), key=lambda one: one.metadata["Name"].lower())
    for package in packages:
        print(f"{package.metadata['Name']:40} {package.version:14} {licence_of(package)[:70]}")
    wrong = refused(packages)
    for line in wrong:
        print(f"not allowed: {line}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
