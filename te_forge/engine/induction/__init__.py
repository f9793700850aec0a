"""Rounds that draw from decks, solved for all decks at once: backwards for what is best, forwards for how likely each end is.

What a round does is a small tree for each state that it can begin in, whatever is left in the decks. What is left decides only how likely each end of
it is. So the rounds are a game on pairs of a state and a deck. Three things keep it small enough to be walked through for hundreds of thousands of decks:

- A deck is one whole number with a field for each sort of card. To draw is to subtract, and in what order cards were drawn is forgotten (`decks`).
- A counter that the rounds only count with stands beside the state. Two of its values are one for as long as whatever they can still come to differs
  by a
  constant: then the same choices are best (`layers`).
- How likely each value of the counters is, for one state and one deck, is one whole number with a lane for each of them. To count is to shift it, to
  merge is
  to add (`lanes`).

All weights of one layer and one size of the decks have one denominator, so that nothing but whole numbers is added up (`reached`).

Read in this order: `decks`, `game` (what is asked), `lanes`, `layers`, `reached` (what is laid out beforehand), `backwards`, `forwards`, and
`solved`, which runs them.
"""
