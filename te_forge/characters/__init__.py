"""Characters: files that people write, the making that a pack lays down, what is wrong with one, and its sheet.

`roster` knows what an actor of some kind can have, `character` what one has, `reading` and `writing` the file, `making` runs the pack's own
procedure, `checking` holds a character against it (with `solving` where the file does not say how it was made), `sheet` prints, `dialog` asks a
person.
"""

from te_forge.characters.character import Character, into_state
from te_forge.characters.reading import load_character
from te_forge.characters.writing import as_yaml

__all__ = ["Character", "as_yaml", "into_state", "load_character"]
