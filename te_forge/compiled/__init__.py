"""The compiled pack (`*.tepack.json`): a whole game as one JSON file, for tools that know nothing of the language.

`shape` says what stands in it, worked out from the model; `write` makes one, `read` makes the model of it again, `schema` is its JSON Schema, `lint`
says what is wrong with one.
"""
