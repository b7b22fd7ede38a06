"""The hash chains over every change, the anchors over them, and the events of host programs."""
