"""Whole sentences as printed books and people at a table say them, and how each is said here.

A row is read as those of `te_forge.syntax.idioms`, which come behind these.
"""

from __future__ import annotations

from te_forge.syntax.vocabulary import AT_START, COUNT, FEWER, ITS, MORE, MOVE, NAME, NUMBER, VALUE, WHO

STOP = r"(?=$|;)"
DOES = r"(gain|lose|pay|roll|reroll|take|drop|draw|keep|choose)"
POINTS = r"(?:(?:points?|levels?|steps?) of )?"
GIVE = r"(?:give|grant|award|hand)s?"
TAKE_OFF = r"(?:subtract|deduct|take|remove)"
LOWERS = r"(?:reduces?|lowers?|decreases?)"
RAISES = r"(?:raises?|increases?|improves?)"
SO_FAR = rf"(?::|,(?= )|(?= (?:the|each|do|end|{DOES[1:-1]}) ))"
"""Behind an event or a condition."""
DID = r"(?:if|when|whenever|after|once|on|each time|every time)"
WELL = r"(?:success|an? success|it succeeds|succeeded|successful|a hit|it works)"
BADLY = r"(?:failure|an? failure|it fails|failed|unsuccessful|a miss)"
LASTS = r"(?:for the rest of|until the end of|for the duration of|throughout|during|for)(?: the rest of)? (?:the |this |one |1 |a )?(?:current )?"
A_TRAIT = "a trait is taken: write `{0} takes {1}`; points are counted: `{0} gains 1 {1}`"

RETOLD: tuple[tuple[str, ...], ...] = (
    # somebody is given something
    (rf"{AT_START}{GIVE} (?:an? |the )?{NAME} to {WHO}", "{1} takes {trait:0}", "{1} gains 1 {number:0}", "a trait is taken: write `{1} takes {0}`; points are counted: `{1} gains 1 {0}`"),
    (rf"{AT_START}{GIVE} {WHO} {NUMBER} {POINTS}{NAME}", "{0} gains {1} {2}"),
    (rf"{AT_START}{GIVE} {WHO} (?:an? |the )?{NAME}", "{0} takes {trait:1}", "{0} gains 1 {number:1}", A_TRAIT),
    (rf"{AT_START}(?:{GIVE}|add) {NUMBER} {POINTS}{NAME} to {WHO}", "{2} gains {0} {1}"),
    (rf"{AT_START}{WHO} {GIVE} {WHO} {NUMBER} {POINTS}{NAME}", "what is handed on: `{0} loses {2} {3}; {1} gains {2} {3}`; what nobody loses: `{1} gains {2} {3}`"),
    (rf"{AT_START}(?:gain|get|receive|take) (?:an? )?{NAME}{STOP}", "{who:0} takes {trait:0}", "{who:0} gains 1 {number:0}", "a trait is taken: write `{who} takes {0}`; points are counted: `{who:0} gains 1 {0}`"),
    (rf"{AT_START}lose (?:an? )?{NAME}{STOP}", "{who:0} drops {trait:0}", "{who:0} loses 1 {number:0}", "a trait is dropped: write `{who} drops {0}`; points are counted: `{who:0} loses 1 {0}`"),
    # numbers that go up and down
    (rf"{AT_START}{WHO}['’]s {NAME} ?\+ ?(\d+){STOP}", "{0} gains {2} {1}"),
    (rf"{AT_START}{WHO}['’]s {NAME} ?[-−–] ?(\d+){STOP}", "{0} loses {2} {1}"),
    (rf"{AT_START}{NAME} \+ (\d+){STOP}", "{who:0} gains {1} {0}"),
    (rf"{AT_START}{NAME} [-−–] (\d+){STOP}", "{who:0} loses {1} {0}"),
    (rf"{AT_START}{WHO}['’]s {NAME} {MORE}{STOP}", "{0} gains 1 {1}"),
    (rf"{AT_START}{WHO}['’]s {NAME} {FEWER}{STOP}", "{0} loses 1 {1}"),
    (rf"{WHO} (?:(?:gets?|earns?|wins?)(?: back)?|(?:gains?|takes?) back) {NUMBER} {NAME}(?: points?)?(?: back)?{STOP}", "{0} gains {1} {2}"),
    (rf"{WHO} (?:gets?|gains?|takes?|earns?|wins?) (?:back )?(?:an? )?{NAME} points?(?: back)?{STOP}", "{0} gains 1 {1}"),
    (rf"{AT_START}(?:(?:the )?(?:maximum|max|most) (?:of )?{NAME} (?:is|=) (\d+)|{NAME} (?:is (?:max|maximum|at most|capped at|limited to)|(?:cannot|can['’]?t|may not|never) (?:go|rise|be|get|grow) (?:above|over|beyond|more than|higher than)) (\d+))", "how high it may rise is a field of it: below `{0}{2}`, write `At Most: {1}{3}`"),
    (rf"{AT_START}{NAME} (?:refills|is refilled|is restored|resets|goes back to [^:;]+|returns to [^:;]+)(?: at the (?:start|end) of)? (?:each|every) {NAME}", "that is a field of it: below `{0}`, write `Refills: each {1}`"),
    (rf"{AT_START}(?:[a-z-]+s|nobody|no one|(?:no|each|the) [a-z-]+) (?:can['’]?t|cannot|may not|can never|can|may|must not) have more than (\d+) {NAME}", "how high it may rise is a field of it: below `{1}`, write `At Most: {0}`"),
    (rf"{AT_START}{NUMBER} {NAME} (?:lost|less){STOP}", "{who:1} loses {0} {1}"),
    (rf"{AT_START}{NUMBER} {NAME} (?:gained|back|more){STOP}", "{who:1} gains {0} {1}"),
    (rf"{AT_START}[-−–] ?(\d+) {NAME} (?:for|to|from) (?:all|everyone|everybody|each [a-z-]+|all [a-z-]+){STOP}", "each {kind:,1} loses {0} {1}", "write `each` and a kind, as one of it is called: `each .. loses {0} {1}`"),
    (rf"{AT_START}\+? ?(\d+) {NAME} (?:for|to) (?:all|everyone|everybody|each [a-z-]+|all [a-z-]+){STOP}", "each {kind:,1} gains {0} {1}", "write `each` and a kind, as one of it is called: `each .. gains {0} {1}`"),
    (rf"{AT_START}resets? {NAME} to (\d+)", "{who:0}'s {0} becomes {1}"),
    (r"(?<=: )(\d+) \((?:max|maximum|at most|up to|never above) (\d+)\)", "write `{0}`, and on a line of its own `At Most: {1}`"),
    (r"^(?:Starts|Begins) (?:at|with) (\d+)$", "Starts: {0}"),
    (rf"{AT_START}(gain|lose|pay) (\d*d\d+) {POINTS}{NAME}{STOP}", "roll first: `{who:2} rolls {1} as the die; {who:2} {0}s {2} equal to sum of the die`"),
    (rf"{AT_START}{TAKE_OFF} {NUMBER} {POINTS}{NAME} from {WHO}", "{2} loses {0} {1}"),
    (rf"{AT_START}{TAKE_OFF} {NUMBER} from {WHO}['’]s {NAME}", "{1} loses {0} {2}"),
    (rf"{AT_START}add {NUMBER} to {WHO}['’]s {NAME}", "{1} gains {0} {2}"),
    (rf"{AT_START}{TAKE_OFF} {NUMBER} from {ITS}{NAME}", "{who:1} loses {0} {1}"),
    (rf"{AT_START}add {NUMBER} to {ITS}{NAME}", "{who:1} gains {0} {1}"),
    (rf"{WHO} adds? {NUMBER} to {ITS}{NAME}", "{0} gains {1} {2}"),
    (rf"{WHO} (?:subtracts?|deducts?) {NUMBER} from {ITS}{NAME}", "{0} loses {1} {2}"),
    (rf"{WHO} {LOWERS} {ITS}{NAME} by {NUMBER}", "{0} loses {2} {1}"),
    (rf"{WHO} {RAISES} {ITS}{NAME} by {NUMBER}", "{0} gains {2} {1}"),
    (rf"{AT_START}{NAME} (?:{MORE}|is (?:raised|increased)) by {NUMBER}", "for good, write `{who:0} gains {1} {number:0}`; for a time, `{who:0}'s {0} is {1} more`", "say which number of it is raised: `before {procedure:0}: the .. is {1} more`", "for good, write `{who:0} gains {1} {0}`; for a time, `{who:0}'s {0} is {1} more`"),
    (rf"{AT_START}{NAME} (?:{FEWER}|is (?:lowered|reduced|decreased)) by {NUMBER}", "for good, write `{who:0} loses {1} {number:0}`; for a time, `{who:0}'s {0} is {1} less`", "say which number of it is lowered: `before {procedure:0}: the .. is {1} less`", "for good, write `{who:0} loses {1} {0}`; for a time, `{who:0}'s {0} is {1} less`"),
    (rf"{AT_START}(?:raise|increase|advance|tick|mark|add) {NAME}{STOP}", "{who:0} gains 1 {number:0}", "{who:0} takes {trait:0}", "{who:0} gains 1 {0}"),
    (rf"{AT_START}(?:lower|decrease|reduce) {NAME}{STOP}", "{who:0} loses 1 {0}"),
    (rf"{AT_START}(?:remove|clear|discard|end) (?:the )?{NAME}{STOP}", "{who:0} drops {trait:0}", "{who:0} loses 1 {number:0}", "a trait is dropped: write `{who:0} drops {0}`; points are counted: `{who:0} loses 1 {0}`; a line or step that a hack takes away: `{0}: nothing`"),
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
    (rf"{AT_START}{WHO} (?:gets?|gains?|has|receives?|takes?) (?:an? )?\+ ?(\d+)(?: bonus)?{STOP}", "say which number is raised: of a word of the procedure, `{0} is {1} more`; of points, `{0} gains {1} {number}`"),
    (rf"{AT_START}(?:{WHO} (?:gains?|gets?|has|receives?|adds?|takes?) )?(?:an? )?\+ ?(\d+)(?: bonus)? (?:to|on|for|in|when making) (?:all |any |every )?{ITS}{NAME}(?: rolls?| tests?| checks?)?{STOP}", "for a time, write `{who:2}'s {number:2} is {1} more`; for good, `{who:2} gains {1} {number:2}`", "say where it is added, and to which number: `before {called:2} by {who}: the .. is {1} more`"),
    (rf"{AT_START}(?:{WHO} (?:gains?|gets?|has|receives?|takes?) )?(?:an? )?[-−–] ?(\d+)(?: penalty)? (?:to|on|for|in|when making) (?:all |any |every )?{ITS}{NAME}(?: rolls?| tests?| checks?)?{STOP}", "for a time, write `{who:2}'s {number:2} is {1} less`; for good, `{who:2} loses {1} {number:2}`", "say where it is taken off, and from which number: `before {called:2} by {who}: the .. is {1} less`"),
    (rf"{AT_START}{WHO}['’]s {NAME} is doubled", "{0}'s {1} is 2 times as much"),
    (rf"{AT_START}{WHO}['’]s {NAME} is halved", "{0}'s {1} becomes {0}'s {1} / 2 rounded down"),
    (rf"{AT_START}{NAME} (?:is|are) (\d+) (?:higher|greater|better|bigger)", "{who:0}'s {0} is {1} more"),
    (rf"{AT_START}{NAME} (?:is|are) (\d+) (?:lower|worse|smaller)", "{who:0}'s {0} is {1} less"),
    # for how long
    (rf"{AT_START}(?:it |this )?(?:lasts?|ends?|is over|goes away|wears off|disappears)(?: (?:until|till|for|after|at|with|the|end|of|1|one|a|each))* {NAME}$", "how long it lasts is said where it ends: `after {0}: {who} drops {here}`", "how long it lasts is said where it begins: `until {0} ends: ..`"),
    (rf"{AT_START}((?:the|each) [^:;]+?|[^\W\da-z_][^:;]+?),? {LASTS}{NAME}{STOP}", "until {1} ends: {0}"),
    (rf"{AT_START}{LASTS}{NAME},? ((?:the|each) [^:;]+)", "until {0} ends: {1}"),
    # all of them
    (rf"{AT_START}(?:all |both )?(?:of )?(?:the )?other ([a-z-]+) (gain|lose|pay|take|drop) {COUNT}{NAME}{STOP}", "each other {kind:0,3} {1}s {2}{3}", "each other .. {1}s {2}{3}"),
    (rf"{AT_START}(?:all |both )?(?:of )?(?:the )?((?!the |each )[a-z-]+s) (gain|lose|pay|take|drop) {COUNT}{NAME}{STOP}", "each {kind:0,3} {1}s {2}{3}", "write `each` and the kind, as one of it is called: `each .. {1}s {2}{3}`"),
    (rf"{AT_START}(?:everyone|everybody|anyone|each of them|all of them|they all|all of you|you all|all) (gain|lose|pay|take|drop)s? {COUNT}{NAME}{STOP}", "each {kind:,2} {0}s {1}{2}", "write `each` and a kind, as one of it is called: `each .. {0}s {1}{2}`"),
    (rf"{AT_START}(?:all |both )?(?:of )?(?:the )?([a-z-]+s) (gain|lose|pay|take|drop) {COUNT}{NAME} each{STOP}", "each {kind:0,3} {1}s {2}{3}", "write `each` and the kind, as one of it is called: `each .. {1}s {2}{3}`"),
    # how it ends
    (rf"{AT_START}(?:the [\w-]+|it|this) (?:succeeds|fails|wins|loses) if ([^:;]+)$", "the condition comes first, and what ends a procedure is `end with` and one of its outcomes: `if {0!a}: ..`, with {endings}"),
    (rf"{AT_START}(?:return|output|declare|mark|(?:it|this|that)(?:['’]s| is| counts as)) (?:an? )?{NAME}{STOP}", "end with {ending:0}", "what ends a procedure is `end with` and one of its outcomes: {endings}"),
    (rf"^{NAME} (?:succeeds|fails|wins|loses|succeeded|failed)$", "to look how it ended, name the result where it is made, `do .. as the result`, then write `expect the result is ..`"),
    (rf"{AT_START}(?:(?:the [\w-]+|it|this|that|he|she|they) (?:fails?|succeeds?|wins?)|(?:it|this|that)(?: is|['’]s) an? (?:success|failure)|success|failure|(?:the (?:procedure|test|roll|check|contest) )?(?:ends?|stops?|is over)){STOP}", "what ends a procedure is `end with` and one of its outcomes: {endings}"),
    (rf"^{NAME}: (?:nothing (?:else )?happens|no (?:effect|change|consequence|result)|do nothing)$", "{0}: nothing"),
    (rf"{AT_START}(?:nothing (?:else )?happens|no (?:effect|change|consequence|result)|do nothing){STOP}", "leave it out: where nothing is said, nothing happens; an option without an effect is a line of its own, `Label: nothing`"),
    (r"\bif (?:successful|unsuccessful|failed|(?:it|this|that|they|(?:the|an?) [\w-]+) (?:fails?|failed|succeeds?|succeeded|works|is (?:successful|a success|a failure|failed))),", "say what makes it so: compare, `if the total is at least ..:`, or ask for the result of a procedure, `if the result is ..:`"),
    # who may
    (rf"{WHO} (?:may|can|could) (?:spend|pay|use|burn|expend|give up) (\d+ {NAME}) to {DOES}\b([^:;]*)", "{0} may pay {1}: {0} {3}s{4}"),
    (rf"{WHO} (?:spends?|pays?|uses?|burns?) (\d+ {NAME}) to {DOES}\b([^:;]*)", "{0} pays {1}; {0} {3}s{4}"),
    (rf"{WHO} (?:may|can|could) (?:choose|decide|opt|elect) to {DOES}\b([^:;]*)", "an offer ends in a colon: `{0} may: {0} {1}s{2}`"),
    (rf"{WHO} {MOVE} (?:either )?(\d+ {NAME}) or (\d+ {NAME})", "who has the choice has a line for each below: write `{0} chooses one:`, and set in below it `- {3}: {0} {1} {2}` and `- {5}: {0} {1} {4}`"),
    (rf"{AT_START}either ([^:;]+?) or ([^:;]+)", "who has the choice has a line for each below: write `{who} chooses one:`, and set in below it `- One: {0}` and `- Other: {1}`"),
    # what an example looks at
    (rf"^(?:check|verify|assert|make sure|see)(?: that| whether| if)? ((?:the |{NAME[1:-1]}['’]s )[^:;]+)", "expect {0}"),
    (r"\bexpect that(?= )", "expect"),
    (rf"\bexpect (\d+) {NAME}$", "say whose it is: `expect ..'s {1} is {0}`"),
    # dice
    (r"(?<=if )the (highest|lowest) (?:die|dice|roll|result)(?= (?:is|are)\b)", "{0} of the {dice}"),
    (rf"\bif (?:{WHO} (?:rolls|gets)|the roll is) an? (\d+)(?=[:,])", "if number of dice showing {1} in the {dice} is above 0"),
    (r"\bif all (?:the |of the )?(?:dice|die) (?:are|is|shows?) (?:an? )?(\d+)s?(?=[:,])", "if lowest of the {dice} is {0} and highest of the {dice} is {0}"),
    (r"\bif the dice (?:total|add up to|sum to|come to)(?= )", "if sum of the {dice} is"),
    (rf"{AT_START}compare [^:;]+? (?:with|to|against) ([^:;]+)", "what is compared stands behind `if`: `if sum of the {dice} is at least {0}: ..`"),
    (rf"{WHO} rerolls? the (lowest|highest) (?:die|dice)", "{0} rerolls the {1} 1 of the {dice}"),
    (rf"{AT_START}(?:{WHO} )?(?:discards?|drops?|removes?) the (?:lowest|worst) (?:die|dice)", "say which dice are kept: `{who} keeps the highest 2 of the {dice}`"),
    (rf"{AT_START}the (highest|lowest) (?:die|dice|roll|result) counts?", "the total is {0} of the {dice}"),
    (rf"{AT_START}the {NUMBER} (highest|lowest) (?:dice|results) count", "{who} keeps the {1} {0} of the {dice}"),
    (rf"{WHO} rolls? (?:1|an?)? ?(d\d+) (?:per|for each|for every) (?:points? of )?{NAME}", "{0} rolls {0}'s {2} {1} as the dice"),
    (rf"{AT_START}roll {NAME}{STOP}", "say who rolls on it: `{who} rolls {rolled:0}`", "say which dice: `{who:0} rolls {who:0}'s {number:0} d6 as the dice`", "do {procedure:0} with {who} as the {role:0}", "say who rolls on it: `{who} rolls {0}`"),
    (r"\bif (?:there(?: is| are|['’]s) )?(?:at least one|any|an?) (\d+)s?(?: (?:is|was|are|were) (?:rolled|shown))?(?=[:,])", "if number of dice showing {0} in the {dice} is above 0"),
    (rf"{AT_START}roll (?:a number of (d\d+)s? equal to|as many (d\d+)s? as|(d\d+)s? equal to) {VALUE}{STOP}", "{who} rolls {3} {0}{1}{2} as the dice"),
    (rf"{AT_START}(?:{WHO} )?rolls? (?:a (?:number|pool) of )?(?:dice|die) equal to {VALUE}", "say which dice: `{who} rolls {1} d6 as the dice`"),
    (rf"{AT_START}(?:{WHO} )?rolls? (the [a-z][\w-]*(?:['’]s [\w-]+)?|(?:the [\w-]+)['’]s {NAME[1:-1]}) (?:dice|in d6){STOP}", "say which dice: `{who} rolls {1} d6 as the dice`"),
    (rf"{AT_START}roll (the [a-z][\w-]*(?:['’]s [\w-]+)?){STOP}", "say which dice: `{who} rolls {0} d6 as the dice`"),
    (rf"{AT_START}roll (?:some )?(d\d+)s{STOP}", "say who rolls, and how many: `{who} rolls 2 {0} as the dice`"),
    (rf"{AT_START}(?:rolls?|rerolls?)(?: on this table)?(?: again| twice| once more)?(?: on this table)?(?: and (?:take|keep|use|apply)[^:;]*)?$", "on this table once more: `{who} rolls {table}`", "say who rolls what: `{who} rolls 2 d6 as the dice`"),
    (rf"{AT_START}(?:pick|choose|select|gain) (?:any|one|an?|some) ([a-z][\w-]*){STOP}", "{who} chooses {0!n} as the {0}; {who} takes the {sort:0}", "{who} chooses {0!n} as the {0}"),
    (rf"{AT_START}(?:keep|pick|take|use|choose) (?:only )?(?:the )?{NUMBER} (?:highest|best)(?: dice| of the dice| ones)?{STOP}", "{who} keeps the highest {0} of the {dice}"),
    (rf"{AT_START}(?:keep|pick|take|use|choose) (?:only )?(?:the )?{NUMBER} (?:lowest|worst)(?: dice| of the dice| ones)?{STOP}", "{who} keeps the lowest {0} of the {dice}"),
    (rf"{AT_START}roll (\d*d\d+|\d+ d\d+)(?: and add| plus| ?\+) {ITS}{NAME}{STOP}", "roll first, then add: `{who:1} rolls {0} as the die; the total is sum of the die + {who:1}'s {1}`"),
    (rf"{AT_START}roll (?:an? )?(\d*d\d+|\d+ d\d+)(?=$|[;:,])", "say who rolls: `{who} rolls {0} as the dice`"),
    (rf"{WHO} rolls? (\d*d\d+|\d+ d\d+)(?: and adds?| plus) {ITS}{NAME}{STOP}", "roll first, then add: `{0} rolls {1} as the die; the total is sum of the die + {0}'s {2}`"),
    (rf"{WHO} rolls? {NUMBER} (?:dice|die){STOP}", "say which dice: `{0} rolls {1} d6 as the dice`"),
    (rf"{AT_START}(?:{WHO} )?rerolls? (?:(?:all|any|every|the) )*(?:\d+s|ones|sixes|misses|failures)(?: once)?{STOP}", "which dice are rolled again is said by how many: `{who} rerolls all of the {dice}`, `rerolls the lowest 1 of the {dice}`, `rerolls up to 2 of the {dice}`"),
    (rf"{WHO} (?:may|can|could) reroll (?:(?:all|any|every|the) )*(?:\d+s|ones|sixes|misses|failures)(?: once)?{STOP}", "which dice are rolled again is said by how many: `{0} may: {0} rerolls up to 2 of the {dice}`, `rerolls the lowest 1 of the {dice}`, `rerolls all of the {dice}`"),
    (r"\b(?:for each|per) (\d+)s?(?: rolled)?(?=$|;)", "for each die showing {0} in the {dice}"),
    (r"(?<! times )(?<!once )\bper ([a-z][\w-]*)(?=$|;)", "say what is counted: things of a kind, `for each {0}`, or dice, `for each die showing 6 in the {dice}`"),
    # when
    (rf"\b(after|before|instead of) {NAME} ?(?:==?|->|is|\(|with|ending (?:with|on|as|is)|ends (?:in|with)|resulting in|: ?(?=[A-Z])) ?{NAME}\)?(?=[:,])", "{0} {1} ending in {2}"),
    (rf"{AT_START}(?:if|when|whenever|after|once) (?:an? |the |any )?{NAME} (?:fails?|failed|is failed|is a failure|goes wrong){SO_FAR}", "after {procedure:0} ending in {failure:0}:", "say what makes it so: compare, `if the total is at least ..:`, or ask for the result of a procedure, `if the result is ..:`"),
    (rf"{AT_START}(?:if|when|whenever|after|once) (?:an? |the |any )?{NAME} (?:succeeds?|succeeded|works|is a success){SO_FAR}", "after {procedure:0} ending in {outcome:0}:", "say what makes it so: compare, `if the total is at least ..:`, or ask for the result of a procedure, `if the result is ..:`"),
    (rf"{AT_START}((?:the|each) [^:;]+?) (?:on|after|upon|for|with|when) (?:an? |any |every )?(?:failed|failing|unsuccessful) (?:an? )?{NAME}{STOP}", "what it follows on comes first: `after {1} ending in {failure:1}: {0}`"),
    (rf"{AT_START}((?:the|each) [^:;]+?) (?:on|after|upon|for|with|when) (?:an? |any |every )?(?:successful|passed|passing) (?:an? )?{NAME}{STOP}", "what it follows on comes first: `after {1} ending in {outcome:1}: {0}`"),
    (rf"{AT_START}((?:the|each) [^:;]+?) (?:on|after|upon) (?:an? |any |every |each )?{NAME}{STOP}", "what it follows on comes first: `after {procedure:1}: {0}`", "what it follows on comes first: `after {ends:1} ending in {1}: {0}`", "what it follows on comes first: `after {1}: {0}`"),
    (rf"{AT_START}{NAME} (?:gives|grants|brings|means) (?:{WHO} )?{NUMBER} {NAME}{STOP}", "say what it follows on, and who: `after {ends:0} ending in {0}: {who:3} gains {2} {3}`", "say what it follows on, and who: `after {ends:0} ending in {0}: the .. gains {2} {3}`", "say what it follows on, and who: `after {0}: the .. gains {2} {3}`"),
    (rf"{AT_START}failing (?:at )?(?:an? |the )?{NAME} (?:gives|grants|brings) {WHO} {NUMBER} {NAME}{STOP}", "after {0} ending in {failure:0}: {1} gains {2} {3}"),
    (rf"{AT_START}(?:when|whenever|as soon as|if|after|once) (?:the [\w-]+['’]s )?{NAME} (?:reaches|falls to|drops to|sinks to|rises to|hits|goes to|becomes) (\d+){SO_FAR}", "after reaching {1} of {0}:"),
    (rf"{AT_START}{DID} {WHO} (?:fails?|failed|misses) (?:an? |the |any )?{NAME}{SO_FAR}", "name the outcome: `after {1} by {0} ending in {failure:1}:`"),
    (rf"{AT_START}{DID} {WHO} (?:succeeds? (?:at|on|in|with)|passes|wins) (?:an? |the |any )?{NAME}{SO_FAR}", "name the outcome: `after {1} by {0} ending in {outcome:1}:`"),
    (rf"{AT_START}{DID} (?:an? |any |the )?(?:failed|failing|unsuccessful) (?:an? |any |the )?{NAME}{SO_FAR}", "name the outcome: `after {0} ending in {failure:0}:`"),
    (rf"{AT_START}{DID} (?:an? |any |the )?(?:successful|passing|winning|succeeding (?:at|on|in)) (?:an? |any |the )?{NAME}{SO_FAR}", "name the outcome: `after {0} ending in {outcome:0}:`"),
    (rf"{AT_START}after {NAME}( by the [\w-]+)?: (?:on|upon|with|if) {WELL}[,:]? ([^:;]+)", "after {0}{1} ending in {outcome:0}: {2}"),
    (rf"{AT_START}after {NAME}( by the [\w-]+)?: (?:on|upon|with|if) {BADLY}[,:]? ([^:;]+)", "after {0}{1} ending in {failure:0}: {2}"),
    (rf"{AT_START}(?:when|whenever|after|if|once) {WHO} (?:gains?|gets?) (?:any |an? |\d+ )?{NAME}{SO_FAR}", "after gain of {number:1} by {0}:", "points are gained: `after gain of {1} by {0}:`; whether somebody has a trait is asked: `while {0} has {1}:`"),
    (rf"{AT_START}(?:when|whenever|after|if|once) {WHO} (?:loses?|pays?|spends?) (?:any |an? |\d+ )?{NAME}{SO_FAR}", "after loss of {number:1} by {0}:", "points are lost: `after loss of {1} by {0}:`; whether somebody has a trait is asked: `while {0} lacks {1}:`"),
    (rf"{AT_START}(?:when|whenever|after|each time|every time) {WHO} (?:makes?|does|rolls?|attempts?|takes?|begins?|starts?) (?:an? |the |any )?{NAME}{SO_FAR}", "after {1} by {0}:"),
    (rf"{AT_START}if {WHO} (?:is|are|has|have) (?:an? |the )?{NAME}{SO_FAR}", "if {0} has {trait:1}:", "if {0} has {1}:"),
    (rf"{AT_START}(?:when|whenever|while|as long as|for as long as) {WHO} (?:is|are|has|have) (?:an? |the )?{NAME}{SO_FAR}", "while {0} has {trait:1}:", "while {0} has {1}:"),
    (rf"{AT_START}(?:when|whenever|while|as long as) {NAME}{SO_FAR}", "while {who:0} has {trait:0}:", "before {0} begins or after it has ended is said so: `before {0}:`, `after {0}:`; an outcome stands behind the event: `after .. ending in {0}:`"),
    (rf"{AT_START}(?:at the end of|on|upon|following) (?:an? |the |each |every )?{NAME},?(?= (?:the|each) )", "after {0}:"),
    (rf"{AT_START}at the (?:start|beginning) of (?:an? |the |each |every )?{NAME},?(?= (?:the|each) )", "before {0}:"),
    (rf"{AT_START}(?:each|every) {NAME},?:? ((?:the|each|do) [^:;]+)", "at its beginning, write `before {0}: {1}`; at its end, `after {0}: {1}`"),
    (rf"{AT_START}once (?:per|an?|each|every) {NAME},?(?= (?:the|each) [\w-]+ may\b)", "once per {0}:"),
    (rf"{AT_START}once (?:per|an?|each|every) {NAME},? ((?:the|each) [^:;]+)", "at its beginning, write `before {0}: {1}`; at its end, `after {0}: {1}`"),
    (rf"{AT_START}(?:in |during |on )?(?:the )?next {NAME},?:? ((?:the|each) [^:;]+)", "in the next {0} of {who}: {1}"),
    (r"\b(if|while|until|after|before) ([^:;]+?),? then(?= (?:the|each|end|do|go) )", "{0} {1!a}:"),
    (rf"\binstead of (?:taking|doing|making|rolling|losing|gaining|using|suffering) (?:an? |the )?{NAME}{SO_FAR}", "instead of {0}:"),
    (rf"{WHO} has (?:0|zero|no) (?!longer){NAME}(?=[:,])", "{0}'s {number:1} is 0", "{0} lacks {trait:1}", "for a trait, write `{0} lacks {1}`; for a number, `{0}'s {1} is 0`"),
    (rf"{AT_START}((?:the|each) [\w-]+ may [^;]+?),? (?:once|twice|\d+ times) (?:per|an?|each|every) {NAME}{STOP}", "how often comes first: `once per {1}: {0}`, or `2 times per {1}: {0}`"),
    (rf"{AT_START}((?:the|each) [^:;]+?),? (?:once (?:per|an?|each|every)|each|every) {NAME}{STOP}", "at its beginning, write `before {1}: {0}`; at its end, `after {1}: {0}`"),
    # what it costs
    (rf"{AT_START}(?:(?:an? |1 )?{NAME} (?:can|may) be (?:spent|paid|used)|(?:spend|pay|use) (?:an? |1 )?{NAME}) to {DOES}\b([^:;]*)", "{who:0} may pay 1 {0}{1}: {who:0} {2}s{3}"),
    (rf"{AT_START}(\d+ {NAME}): {DOES}\b([^:;]*)", "{who:1} may pay {0}: {who:1} {2}s{3}"),
    (rf"{AT_START}(?:it |this )?costs? (\d+) {NAME}$", "what it costs is a field of its own: `- Cost: {0} {1}`; in a rule, `{who:1} pays {0} {1}`"),
    (rf"{AT_START}(?:spend|pay|for|use|burn) (\d+ {NAME})[,:]? (?:to |you may |you can )?{DOES}\b([^:;]*)", "{who:1} may pay {0}: {who:1} {2}s{3}"),
    (rf"{WHO} (?:may|can|could) (?:spend|pay|use) (\d+ {NAME}) to ([^:;]+)", "an offer ends in a colon, with what happens behind it: `{0} may pay {1}: ..`"),
    (rf"{AT_START}(?:{WHO} )?(?:(?:is |are )?immune to|ignores?|(?:is |are )unaffected by|resists?) {NAME}{STOP}", "{who:1} cannot take {trait:1}", "{who:1} cannot lose {number:1}", "what is not to happen has something else in its place: `instead of {1}: ..`"),
    # another one
    (rf"{WHO} chooses? (an?|another) ([a-z-]+)(?: as the [a-z-]+)?,?;?(?: and| who)?(?: then)? (?:that|this|the same|who) ?(?:[a-z-]+ )??{DOES}s ([^:;]*)", "{0} chooses {1} {2} as the friend; the friend {3}s {4}"),
    (rf"{AT_START}(?:another|any|any one|one|some) ([a-z][\w-]*) {DOES}s? ([^:;]*)", "{who} chooses another {0} as the friend; the friend {1}s {2}"),
    (rf"{AT_START}(?:{WHO} )?chooses? one: {DOES}\b([^:;]*?),? or {DOES}\b([^:;]*)", "who has the choice has a line for each below: write `{who} chooses one:`, and set in below it `- One: {who} {1}s{2}` and `- Other: {who} {3}s{4}`"),
    (rf"{AT_START}{WHO} and {WHO} {DOES}s?\b([^:;]*)", "{0} {2}s{3}; {1} {2}s{3}"),
    (rf"{AT_START}(?:whoever|(?:the|any) ?one who|the [a-z]+ who) has the (?:most|highest) {NAME},? ([^:;]+)", "for each {kind:,0} whose {0} is the highest: the {kind:,0} {1}", "for each .. whose {0} is the highest: the .. {1}"),
    (rf"{AT_START}(?:whoever|(?:the|any) ?one who|the [a-z]+ who) has the (?:least|lowest|fewest) {NAME},? ([^:;]+)", "for each {kind:,0} whose {0} is the lowest: the {kind:,0} {1}", "for each .. whose {0} is the lowest: the .. {1}"),
    (rf"{WHO} sets (the [a-z][\w-]*) (?:to|at) ([^:;]+)", "{1} becomes {2}"),
    # what is done at the table
    (rf"{AT_START}{WHO} says? ([a-z][^:;\"]*)$", '{0} says "{1}"'),
    (rf"{AT_START}(?:{WHO} (?:describes|narrates|explains|tells|asks|decides|imagines|declares)|ask|describe|narrate|explain|tell|imagine|decide)\b[^:;]*", "leave it out: what people do at the table is prose, and stands behind the name of its step, `1. Look. ..`, or on a line without a dash"),
    (rf"{AT_START}(?:go ?to|skip to|proceed to|continue (?:with|at|to)|move (?:on )?to) (?:step )?(?:\d+|{NAME}){STOP}|{AT_START}(?:continue|next step|go on|proceed){STOP}", "leave it out: steps follow one another by themselves; an earlier one is come to with `go back to ..`, and what is left out in a case stands behind its `if`"),
    # procedures
    (rf"{AT_START}(?:make|attempt|call for|roll an?|take an?) (?:an? |the )?{NAME}{STOP}", "do {0} with {who} as the {role:0}", "do {0}"),
    (rf"{WHO} (?:must|has to|needs to) (?:pass|succeed (?:on|at|in)) (?:an? |the )?{NAME}", "do {1} with {0} as the {role:1}"),
    (rf"{AT_START}(?:repeat|do) (?:this|it|that)(?: (?:at most|for|exactly))? {NUMBER} times{STOP}", "write `repeat up to {0} times:`, and set in below it what is done again"),
    (rf"{AT_START}(?:(?:do|repeat) (?:it|this|that)(?: again)?|try again|start (?:over|again)|repeat|again){STOP}", "set what is done again in below `repeat until ..:`, or name the step, and how often at most: `3 times per ..: go back to ..`"),
)  # fmt: skip
"""A pattern, and what to write."""
