"""What rules do. `state` is what is true, `effects` what the evaluator asks for, `index` which rules listen to what, `evaluate` and its neighbours
give every node of `te_forge.model.rules` its meaning (the specification is site/docs/meaning.md), and the drivers (`play`, `script`, `odds`) answer.
"""
