"""Several devices, in English."""

from __future__ import annotations

SYNC: dict[str, str] = {
    "help.sync": "exchange with your other devices, through a shared folder or over HTTP",
    "arg.sync_place": "a folder that your devices share, the address of a device that runs `celestial serve`, "
    "status, or new-device (a new id for a copied or restored database)",
    "opt.sync_token": "for an address: a token with the scope approve (or CELESTIAL_SYNC_TOKEN)",
    "opt.passphrase_file": "a file whose first line is the passphrase (or CELESTIAL_SYNC_PASSPHRASE)",
    "opt.plaintext": "do not encrypt, and accept bundles that are not encrypted",
    "opt.sync_name": "what this device is called from now on",
    "opt.sync_dry_run": "only tell what a folder would bring and get",
    "say.synced": "Memories sent: {sent}; bundles read: {read}.",
    "say.sync_planned": "Memories that would be sent: {sent}; bundles that would be read: {read}. "
    "Nothing was written.",
    "say.sync_changed": "  {what}: {count}",
    "say.sync_conflicts": "Edited on two devices: {count}. The newer text is in force; `celestial sync status` shows "
    "both.",
    "say.sync_waiting": "Not here yet: {place}. The next exchange goes on there.",
    "say.sync_problem": "Not read: {problem}",
    "say.sync_device": "This device: {name} ({device})",
    "say.sync_other": "{name} ({device})",
    "say.sync_clock": "  its clock is ahead of this one by {days} days",
    "say.sync_unsent": "Waiting to be sent to {target}: {count}",
    "say.sync_conflict": "Edited on two devices: {id}  {text}",
    "say.sync_other_text": "  on {device}: {text}",
    "fail.sync_token": "Give --token, or set CELESTIAL_SYNC_TOKEN. `celestial token create` makes one there.",
    "fail.sync_dry_run": "A dry run is possible with a folder only.",
    "fail.passphrase_file": "{path} cannot be read: {reason}.",
    "fail.passphrase_empty": "The first line of {path} is empty.",
}
