"""te_forge: rules of tabletop games as text that is checked, composed, and printed as a book."""

__version__ = "0.1.0"
