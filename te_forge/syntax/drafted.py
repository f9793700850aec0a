"""What designers write in a first draft of a rule, and how it is said here: people counted, dice added, things halved, orders turned round.

A row is read as those of `te_forge.syntax.idioms`, which come behind these.
"""

from __future__ import annotations

from te_forge.syntax.vocabulary import AT_START, MOVE, NAME, THE, VERB

EVENT = rf"((?:after|before) (?:{NAME[1:-1]})(?: ending in (?:{NAME[1:-1]}))?)"
HAS = r"(?:has|have|carry|carries)"
OF_NAME = rf"(the [\w-]+(?:['’]s (?:{NAME[1:-1]}))?)"
MORE_DICE = r"(?:\+ ?(?:\d+|an?)|(?:\d+|an?|one)(?: more| extra| additional| bonus| further)) (?:die|dice|d\d+)"
ANOTHER_DIE = (
    "how many dice are rolled is a word of its own, `the dice is ..` in a step before the roll; a rule before the roll then says `the dice is 1 more`"
)

DRAFTED: tuple[tuple[str, ...], ...] = (
    # dice
    (rf"{THE} {MOVE} (\d+) (d\d+) {NAME}", "roll first: `{0} rolls {2} {3} as the die; {0} {1} {4} equal to sum of the die`"),
    (r"\bif (?:(?:any |the )?(?:two|both|all|2)(?: of the| the)? )?(?:dice|doubles?|a pair|a double)(?: dice)?(?: are| is| show| shows)?(?: rolled| equal| the same(?: number)?| alike| match| matching)*(?=:)", "if highest of the {dice} is lowest of the {dice}", "two dice show the same where the highest is the lowest: `if highest of the roll is lowest of the roll`"),
    (rf"\bif {THE} (?:shows?|is|are|contains?|has|have) (?:an? )?(?:doubles?|pairs?|matching dice)(?=:)", "if highest of {0} is lowest of {0}"),
    (rf"((?:the|each) [\w-]+) (?:gets?|gains?|has|have|receives?|adds?|rolls?) {MORE_DICE}", ANOTHER_DIE),
    (r"\b(rerolls?) (?:all |any |every |the )*(?:of )?(?:the )?(?:failed dice|failures|misses|dice (?:that )?(?:show(?:ing|s)?|above|below|under|over)\b[^:;]*)", "which dice are rerolled, somebody chooses: `rerolls up to 2 of the roll`; those that failed can be rolled as new dice, `rolls (number of dice showing below 5 in the roll) d6 as the again`, and counted as well"),
    # half of something
    (rf"\b{MOVE} half (?:of )?(the [\w-]+['’]s {NAME})(?=$|;)", "{0} {2} equal to {1} / 2 rounded up"),
    (rf"\bhalf (?:of )?{OF_NAME}", "{0} / 2 rounded up"),
    # filled up
    (rf"(the [\w-]+) (?:regains?|recovers?|restores?|heals?|refills?) (?:all|full)(?: of)?(?: (?:its|his|her|their|the))? {NAME}", "{0}'s {1} becomes {0}'s {1}'s start"),
    (rf"\beach ([a-z][\w-]*) (?:regains?|recovers?|restores?|heals?|refills?) (?:all|full)(?: of)?(?: (?:its|his|her|their|the))? {NAME}", "for each {0}: the {0}'s {1} becomes the {0}'s {1}'s start"),
    (rf"(the [\w-]+)['’]s {NAME} (?:returns?|goes back|comes back|rises back|is set back) to (?:(?:its|the|their) )?(?:start|starting value|full|maximum|most|normal)", "{0}'s {1} becomes {0}'s {1}'s start"),
    # people, counted
    (rf"\bif (?:all|both)(?: of)?(?: the)? ([a-z][\w-]*) {HAS} {NAME}", "if number of {0} without {1} is 0"),
    (rf"\bif (?:every|each) ([a-z][\w-]*) {HAS} {NAME}", "count those who have it not, with the kind in the plural: `if number of {0}s without {1} is 0`"),
    (rf"\bif (?:no|none of the) ([a-z][\w-]*s) (?:have|carry) {NAME}", "if number of {0} with {1} is 0"),
    (rf"\bif no ([a-z][\w-]*) (?:has|carries) {NAME}", "count them, with the kind in the plural: `if number of {0}s with {1} is 0`"),
    (rf"\bif (at least|at most) (\d+) ([a-z][\w-]*) {HAS} {NAME}", "if number of {2} with {3} is {0} {1}"),
    (rf"\bif (?:exactly )?(\d+) ([a-z][\w-]*) {HAS} {NAME}", "if number of {1} with {2} is {0}"),
    (rf"\bif more than (\d+) ([a-z][\w-]*) {HAS} {NAME}", "if number of {1} with {2} is above {0}"),
    (rf"\bif (?:fewer|less) than (\d+) ([a-z][\w-]*) {HAS} {NAME}", "if number of {1} with {2} is below {0}"),
    # people, picked out
    (rf"\beach ([a-z][\w-]*) (?:who|that|which) {HAS} {NAME}", "each {0} with {1}"),
    (rf"\beach ([a-z][\w-]*) (?:who|that|which) (?:lacks?|has no|have no|does not have|doesn['’]t have) {NAME}", "each {0} without {1}"),
    (rf"{AT_START}each ([a-z][\w-]*) (?:in|of|among) {THE} ({VERB})\b", "for each {0} in {1}: the {0} {2}"),
    (rf"\bthe (?!one\b)([a-z][\w-]*) (?:with|who has|that has) the (?:lowest|least|fewest|smallest) {NAME} ({VERB})\b", "for each {0} whose {1} is the lowest: the {0} {2}"),
    (rf"\bthe (?!one\b)([a-z][\w-]*) (?:with|who has|that has) the (?:highest|most|greatest|biggest) {NAME} ({VERB})\b", "for each {0} whose {1} is the highest: the {0} {2}"),
    (rf"{AT_START}(?:an? random(?:ly chosen)?|a random one of the) ([a-z][\w-]*)", "nobody is picked by chance: write `the gm chooses a {0} as the one`, or roll, and say who is meant by which number"),
    (rf"{THE} may give (\d+ {NAME}) to an(?:other)? ([a-z][\w-]*)", "an offer ends in a colon: `{0} may: {0} chooses another {3} as the friend; {0} loses {1}; the friend gains {1}`"),
    # when, and in which order
    (rf"{AT_START}(?:each|every|any) time ((?:the|an?) [\w-]+) (?:loses|pays|spends) (?:any )?{NAME}", "after loss of {1} by {0}"),
    (rf"{AT_START}(?:each|every|any) time ((?:the|an?) [\w-]+) gains (?:any )?{NAME}", "after gain of {1} by {0}"),
    (rf"\b(once|\d+ times) per {NAME}, (after|before|instead|if|while|the|each)\b", "{0} per {1}: {2}"),
    (rf"\b((?:before|after|instead of) (?:{NAME[1:-1]})) ending in {NAME}(?:, (?:{NAME[1:-1]}))*,? or {NAME}", "a line waits for one outcome: write a line for each, `{0} ending in {1}: ..` and `{0} ending in {2}: ..`"),
    (rf"{AT_START}((?:the|each) [\w-]+ (?:{VERB}) [^:;]+?) {EVENT}$", "{1}: {0}"),
    (rf"\bunless {THE} (?:has|have) {NAME}(?=:)", "if {0} lacks {1}"),
    (rf"\b(?:after|before) (?:every|each) (?:second|third|fourth|fifth|other|\d+(?:nd|rd|th)) {NAME}", "count them: let a pool of the gm gain 1 `after {0}`, and write `after reaching a multiple of 3 of ..` for every third"),
    # who is there, and what a hack changes
    (rf"^((?:the [\w-]+|(?:{NAME[1:-1]})) picks) {NAME} and {NAME}$", "{0} {1}, {2}"),
    (rf"^{NAME}: starts? (?:at|with) (\d+)", "a thing is changed below a heading of its own: `### changes ..: {0}`, and below it `- Starts: {1}`"),
    (r"^(\d+(?:-\d+)?): [A-Z]", "a row stands in a table, with its die at the head: `| d6 | text |`, and below it `| {0} | .. |`"),
)  # fmt: skip
