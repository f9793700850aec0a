"""From the text of a page to its tree. Nothing outside of this package knows how a line is read, and nothing in it what a line means."""
