"""Self-play on the command line."""

from __future__ import annotations

SELFPLAY: dict[str, str] = {
    "help.selfplay": "let policies live with simulated users, and show how they come on",
    "opt.turns": "how many turns each policy lives (default {default})",
    "opt.seed": "the chance of it; the same seed gives the same lives (default {default})",
    "opt.player": "who to live with (default: every single one; crowd: all of them with one policy)",
    "opt.out": "folder for the curve (selfplay.svg) and the figures (selfplay.json)",
    "opt.keep": "keep what was learned as a new version of the owner's policy; with one --player",
    "detail.selfplay": "turns of self-play",
    "col.turns": "turns",
    "col.accuracy": "accuracy",
    "col.reward": "reward",
    "say.selfplaying": "{player} {bar} {done}/{total}",
    "say.selfplay_rules": "rules",
    "say.selfplay_player": "{player}: accuracy {rules} by rules, {learned} learned  {curve}",
    "say.selfplay_kept": "Kept as version {version}. `policy rollback` takes it back.",
    "say.selfplay_wrote": "Written: {path}",
    "say.selfplay_title": "Accuracy after so many turns with simulated users; dashed: rules alone",
}
