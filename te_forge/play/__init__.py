"""Games, played: a table with people, dice of a seed, choices by persons or bots, and a log from which the same game comes again.

`table` drives the engine and keeps the log, `people` reads who is there, `may` says what can be done now and why something cannot, `words` puts what
happens into text, `asking` asks a person, `answering` lets bots answer for those who have one, `scene` reads what a person types, `unattended` plays
a whole session alone.
"""
