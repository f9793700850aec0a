"""A game in other tools: exporters, and what they lose on the way.

An exporter turns a composed system into files (`te_forge.export.exporter` says what one must be). It is found by the entry-point group
`te_forge.exporters`, so that anybody can ship one.
"""

from te_forge.export.exporter import Exporter, Fate, MemorySink, Option, Sink, Verdict

__all__ = ["Exporter", "Fate", "MemorySink", "Option", "Sink", "Verdict"]
