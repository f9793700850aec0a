"""What other programs use: the public names of te_forge, which `te_forge/__init__.py` hands on.

`game` is a game that can be looked into, played and counted out; `entry` what stands in it; `results` what comes of asking. Nothing here prints, asks
or exits: what goes wrong is an exception of `errors`, and what a pack has to say for itself are diagnostics.
"""
