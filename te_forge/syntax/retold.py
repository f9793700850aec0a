"""Whole sentences as printed books and people at a table say them, and how each is said here.

A row is read as those of `te_forge.syntax.idioms`, which come behind these.
"""

from __future__ import annotations

from te_forge.syntax.vocabulary import AT_START, FEWER, ITS, MORE, MOVE, NAME, NUMBER, WHO

STOP = r"(?=$|;)"
DOES = r"(gain|lose|pay|roll|reroll|take|drop|draw|keep|choose)"
POINTS = r"(?:(?:points?|levels?|steps?) of )?"
GIVE = r"(?:give|grant|award|hand)s?"
TAKE_OFF = r"(?:subtract|deduct|take|remove)"
LOWERS = r"(?:reduces?|lowers?|decreases?)"
RAISES = r"(?:raises?|increases?|improves?)"
LASTS = r"(?:for the rest of|until the end of|for the duration of|throughout|during|for)(?: the rest of)? (?:the |this |one |1 |a )?(?:current )?"
A_TRAIT = "a trait is taken: write `{0} takes {1}`; points are counted: `{0} gains 1 {1}`"

RETOLD: tuple[tuple[str, ...], ...] = (
    # somebody is given something
    (rf"{AT_START}{GIVE} {WHO} {NUMBER} {POINTS}{NAME}", "{0} gains {1} {2}"),
    (rf"{AT_START}{GIVE} {WHO} (?:an? |the )?{NAME}", "{0} takes {trait:1}", "{0} gains 1 {number:1}", A_TRAIT),
    (rf"{AT_START}(?:{GIVE}|add) {NUMBER} {POINTS}{NAME} to {WHO}", "{2} gains {0} {1}"),
    (rf"{AT_START}{WHO} {GIVE} {WHO} {NUMBER} {POINTS}{NAME}", "{0} loses {2} {3}; {1} gains {2} {3}"),
    # numbers that go up and down
    (rf"{AT_START}{TAKE_OFF} {NUMBER} {POINTS}{NAME} from {WHO}", "{2} loses {0} {1}"),
    (rf"{AT_START}{TAKE_OFF} {NUMBER} from {WHO}['’]s {NAME}", "{1} loses {0} {2}"),
    (rf"{AT_START}add {NUMBER} to {WHO}['’]s {NAME}", "{1} gains {0} {2}"),
    (rf"{AT_START}{TAKE_OFF} {NUMBER} from {ITS}{NAME}", "{who:1} loses {0} {1}"),
    (rf"{AT_START}add {NUMBER} to {ITS}{NAME}", "{who:1} gains {0} {1}"),
    (rf"{WHO} adds? {NUMBER} to {ITS}{NAME}", "{0} gains {1} {2}"),
    (rf"{WHO} (?:subtracts?|deducts?) {NUMBER} from {ITS}{NAME}", "{0} loses {1} {2}"),
    (rf"{WHO} {LOWERS} {ITS}{NAME} by {NUMBER}", "{0} loses {2} {1}"),
    (rf"{WHO} {RAISES} {ITS}{NAME} by {NUMBER}", "{0} gains {2} {1}"),
    (rf"{AT_START}{NAME} (?:{MORE}|is (?:raised|increased)) by {NUMBER}", "{who:0} gains {1} {0}"),
    (rf"{AT_START}{NAME} (?:{FEWER}|is (?:lowered|reduced|decreased)) by {NUMBER}", "{who:0} loses {1} {0}"),
    (rf"{AT_START}(?:raise|increase|advance|tick|mark|add) {NAME}{STOP}", "{who:0} gains 1 {number:0}", "{who:0} takes {trait:0}", "{who:0} gains 1 {0}"),
    (rf"{AT_START}(?:lower|decrease|reduce) {NAME}{STOP}", "{who:0} loses 1 {0}"),
    (rf"{AT_START}(?:remove|clear|discard|end) (?:the )?{NAME}{STOP}", "{who:0} drops {trait:0}", "{who:0} loses 1 {number:0}", "a trait is dropped: write `{who:0} drops {0}`; points are counted: `{who:0} loses 1 {0}`"),
    (rf"{AT_START}double {WHO}['’]s {NAME}", "{0}'s {1} becomes {0}'s {1} x 2"),
    (rf"{AT_START}halve {WHO}['’]s {NAME}", "{0}'s {1} becomes {0}'s {1} / 2 rounded down"),
    (rf"{AT_START}{WHO} (loses?|pays?) half (?:of )?{ITS}{NAME}", "{0} {1} {2} equal to {0}'s {2} / 2 rounded up"),
    (rf"{AT_START}{WHO}['’]s {NAME} (?:resets?|refills?|is (?:reset|restored|full|refilled)|becomes full|returns to normal)", "{0}'s {1} becomes {0}'s {1}'s start"),
    (rf"{WHO}['’]s {NAME} becomes? (?:{ITS})?(?:max|maximum|most|full)", "{0}'s {1} becomes {0}'s {1}'s most"),
    # what somebody carries
    (rf"{AT_START}{WHO} (?:(?:is|are|becomes?|gets?) )?(?:now|given|granted|made|also|thus|therefore) (?:an? )?{NAME}{STOP}", "{0} takes {trait:1}", "{0} gains 1 {number:1}", A_TRAIT),
    (rf"{AT_START}{WHO} (?:has|have|receives?|gets?|acquires?|is affected by) (?:now )?(?:an? |the )?{NAME}{STOP}", "{0} takes {trait:1}", "{0} gains 1 {number:1}", A_TRAIT),
    (rf"{AT_START}{WHO} (?:has|have) {NUMBER} {NAME}{STOP}", "{0}'s {2} becomes {1}"),
    (rf"{AT_START}{WHO} (?:is|are) (?:no longer|not) (?:an? )?{NAME}(?: any ?more| any longer)?{STOP}", "{0} drops {trait:1}", "a trait is dropped: write `{0} drops {1}`"),
    (rf"{AT_START}{WHO} (?:stops being|ceases to be|recovers from|is cured of|is free of|is freed from|gets rid of|shakes off|removes|sheds|clears|ends) (?:an? |the )?{NAME}{STOP}", "{0} drops {trait:1}", "{0} loses 1 {number:1}", "a trait is dropped: write `{0} drops {1}`"),
    (rf"{AT_START}{WHO} (?:(?:is|are) immune to|(?:cannot|can['’]?t|can not|can never) (?:be|become|get|suffer)) {NAME}{STOP}", "{0} cannot take {trait:1}", "{0} cannot lose {number:1}", "what nobody can get is written `{0} cannot take {1}`; for points, `{0} cannot lose {1}`"),
    # bonuses
    (rf"{AT_START}(?:{WHO} (?:gains?|gets?|has|receives?|adds?|takes?) )?(?:an? )?\+ ?(\d+)(?: bonus)? (?:to|on|for) (the [\w-]+){STOP}", "{2} is {1} more"),
    (rf"{AT_START}(?:{WHO} (?:gains?|gets?|has|receives?|takes?) )?(?:an? )?[-−–] ?(\d+)(?: penalty)? (?:to|on|for) (the [\w-]+){STOP}", "{2} is {1} less"),
    (rf"{AT_START}{WHO} (?:gains?|gets?|has|receives?|adds?|takes?) (?:an? )?\+ ?(\d+)(?: bonus)? (?:to|on|for) {ITS}{NAME}{STOP}", "for a time, write `until .. ends: {0}'s {2} is {1} more`; for good, `{0} gains {1} {2}`"),
    (rf"{AT_START}{WHO} (?:gets?|gains?|has|receives?|takes?) (?:an? )?\+ ?(\d+)(?: bonus)?{STOP}", "say which number is raised: of a word of the procedure, `{0} is {1} more`; of points, `{0} gains {1} {number}`"),
    # for how long
    (rf"{AT_START}([^:;]+?),? {LASTS}{NAME}{STOP}", "until {1} ends: {0}"),
    (rf"{AT_START}{LASTS}{NAME},? ((?:the|each) [^:;]+)", "until {0} ends: {1}"),
    # all of them
    (rf"{AT_START}(?:all |both )?(?:of )?(?:the )?other ([a-z-]+) (gain|lose|pay|take|drop) (\d+ )?{NAME}{STOP}", "each other {kind:0,3} {1}s {2}{3}", "each other .. {1}s {2}{3}"),
    (rf"{AT_START}(?:all |both )?(?:of )?(?:the )?((?!the |each )[a-z-]+s) (gain|lose|pay|take|drop) (\d+ )?{NAME}{STOP}", "each {kind:0,3} {1}s {2}{3}", "write `each` and the kind, as one of it is called: `each .. {1}s {2}{3}`"),
    (rf"{AT_START}(?:everyone|everybody|anyone|each of them|all of them|they all) (gain|lose|pay|take|drop)s? (\d+ )?{NAME}{STOP}", "each {kind:,2} {0}s {1}{2}", "write `each` and a kind, as one of it is called: `each .. {0}s {1}{2}`"),
    # how it ends
    (rf"{AT_START}(?:the [\w-]+ (?:fails|succeeds|wins)|(?:it|this) is an? (?:success|failure)|success|failure|(?:the (?:procedure|test|roll|check|contest) )?(?:ends?|stops?|is over)){STOP}", "what ends a procedure is `end with` and one of its outcomes: {endings}"),
    (rf"^{NAME}: (?:nothing (?:else )?happens|no (?:effect|change|consequence|result)|do nothing)$", "{0}: nothing"),
    (rf"{AT_START}(?:nothing (?:else )?happens|no (?:effect|change|consequence|result)|do nothing){STOP}", "leave it out: where nothing is said, nothing happens; an option without an effect is a line of its own, `Label: nothing`"),
    (r"\bif (?:successful|unsuccessful|failed|(?:it|this|that|they|(?:the|an?) [\w-]+) (?:fails?|failed|succeeds?|succeeded|works|is (?:successful|a success|a failure|failed))),", "say what makes it so: compare, `if the total is at least ..:`, or ask for the result of a procedure, `if the result is ..:`"),
    # who may
    (rf"{WHO} (?:may|can|could) (?:spend|pay|use|burn|expend|give up) (\d+ {NAME}) to {DOES}\b([^:;]*)", "{0} may pay {1}: {0} {3}s{4}"),
    (rf"{WHO} (?:spends?|pays?|uses?|burns?) (\d+ {NAME}) to {DOES}\b([^:;]*)", "{0} pays {1}; {0} {3}s{4}"),
    (rf"{WHO} (?:may|can|could) (?:choose|decide|opt|elect) to {DOES}\b([^:;]*)", "an offer ends in a colon: `{0} may: {0} {1}s{2}`"),
    (rf"{WHO} {MOVE} (?:either )?(\d+ {NAME}) or (\d+ {NAME})", "who has the choice has a line for each below: write `{0} chooses one:`, and set in below it `- {3}: {0} {1} {2}` and `- {5}: {0} {1} {4}`"),
    (rf"{AT_START}either ([^:;]+?) or ([^:;]+)", "who has the choice has a line for each below: write `{who} chooses one:`, and set in below it `- One: {0}` and `- Other: {1}`"),
    # dice
    (rf"{AT_START}(?:keep|pick|take|use|choose) (?:only )?(?:the )?{NUMBER} (?:highest|best)(?: dice| of the dice| ones)?{STOP}", "{who} keeps the highest {0} of the {dice}"),
    (rf"{AT_START}(?:keep|pick|take|use|choose) (?:only )?(?:the )?{NUMBER} (?:lowest|worst)(?: dice| of the dice| ones)?{STOP}", "{who} keeps the lowest {0} of the {dice}"),
    (rf"{AT_START}roll (\d*d\d+|\d+ d\d+)(?: and add| plus| ?\+) {ITS}{NAME}{STOP}", "roll first, then add: `{who:1} rolls {0} as the die; the total is sum of the die + {who:1}'s {1}`"),
    (rf"{AT_START}roll (\d*d\d+|\d+ d\d+){STOP}", "say who rolls: `{who} rolls {0} as the dice`"),
    (rf"{WHO} rolls? (\d*d\d+|\d+ d\d+)(?: and adds?| plus) {ITS}{NAME}{STOP}", "roll first, then add: `{0} rolls {1} as the die; the total is sum of the die + {0}'s {2}`"),
    (rf"{WHO} rolls? {NUMBER} (?:dice|die){STOP}", "say which dice: `{0} rolls {1} d6 as the dice`"),
    (rf"\brerolls? (?:(?:all|any|every|the) )*(?:\d+s|ones|sixes|misses|failures)(?: once)?{STOP}", "which dice are rolled again is said by how many: `rerolls all of the {dice}`, `rerolls the lowest 1 of the {dice}`, `rerolls up to 2 of the {dice}`"),
    (r"\b(?:for each|per) (\d+)s?(?: rolled)?(?=$|;)", "for each die showing {0} in the {dice}"),
    (r"(?<! times )(?<!once )\bper ([a-z][\w-]*)(?=$|;)", "say what is counted: things of a kind, `for each {0}`, or dice, `for each die showing 6 in the {dice}`"),
    # procedures
    (rf"{AT_START}(?:make|attempt|call for|roll an?|take an?) (?:an? |the )?{NAME}{STOP}", "do {0} with {who} as the {role:0}", "do {0}"),
    (rf"{WHO} (?:must|has to|needs to) (?:pass|succeed (?:on|at|in)) (?:an? |the )?{NAME}", "do {1} with {0} as the {role:1}"),
    (rf"{AT_START}(?:repeat|do) (?:this|it|that)(?: (?:at most|for|exactly))? {NUMBER} times{STOP}", "write `repeat up to {0} times:`, and set in below it what is done again"),
    (rf"{AT_START}(?:(?:do|repeat) (?:it|this|that)(?: again)?|try again|start (?:over|again)|repeat|again){STOP}", "set what is done again in below `repeat until ..:`, or name the step, and how often at most: `3 times per ..: go back to ..`"),
)  # fmt: skip
"""A pattern, and what to write."""
