"""What people write in place of the language's own words, and how it is said here.

A new slip of that sort is one row. `te_forge.syntax.hints` looks the tables up where a line does not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from te_forge.blanks import Wording, first_known
from te_forge.syntax.drafted import DRAFTED
from te_forge.syntax.retold import RETOLD
from te_forge.syntax.vocabulary import (
    AMOUNT_WORD,
    AT_START,
    CALLED_ROLL,
    COMPARED,
    FEWER,
    FIGURES,
    HARM,
    HURT,
    MORE,
    MOVE,
    NAME,
    NUMBER,
    THE,
    VALUE,
    VERB,
)
from te_forge.syntax.worded import worded

WRITTEN: tuple[tuple[str, ...], ...] = (
    (r"\*\*([^*]+)\*\*|\*([^*\d][^*]*)\*", "a rule has no bold or italic words: write `{0}{1}`"),
    # who decides; in the account of an example somebody `picks`
    (r"\bpick(s?) (an?|another)(?= [a-z])", "choose{0} {1}"),
    # what the script of an example says
    (rf"^{NAME} rolls? (\d+(?:,? (?:and )?\d+)*)$", "{0} shows {1}"),
    (rf"^{NAME} chooses? {NAME}$", "{0} picks {1}"),
    (rf"\bexpect {NAME} (?:has|have) (\d+) {NAME}", "expect {0}'s {2} is {1}"),
    # who is there in an example
    (rf"^{NAME}: {NAME} with\b", "{0}: a {1} with"),
    # what a hack makes of a value
    (r"(?<=: )(?:removed?|deleted?|unset|dropped|blank|empty|off|gone|away|taken away|no longer)$", "what a hack takes away becomes `nothing`"),
    (r"(?<=: )one (more|less)\b", "1 {0}"),
    (r"(?<=: )(\d+) (?:higher|greater|better|extra|up)$", "{0} more"),
    (r"(?<=: )(\d+) (?:lower|worse|down)$", "{0} less"),
    (r"(?<=: )(?:raised?|increased?|plus|add|added|up) (?:by )?(\d+)$", "{0} more"),
    (r"(?<=: )(?:lowered?|reduced?|decreased?|minus|subtract|down) (?:by )?(\d+)$", "{0} less"),
    (r"(?<=: )(?:doubled?|twice(?: as much)?)$", "2 times as much"),
    (r"(?<=: )(?:tripled?|thrice)$", "3 times as much"),
    (r"(?<=: )(?:half|halved)(?: as much)?$", "50 percent rounded down"),
    (r"(?<=: )[x×*] ?(\d+)$", "{0} times as much"),
    (r"(?<=: )(\d+) ?[x×*]$", "{0} times as much"),
    (r"(?<=: )(\d+) percent(?: of it)?$", "{0} percent rounded down"),
    # dice that are kept
    (rf"{THE} rolls? (\d* ?d\d+),? (?:and )?keeps? (?:the )?(highest|lowest) (\d+)", "{0} rolls {1} as the dice; {0} keeps the {2} {3} of the dice"),
    (rf"{THE} rolls? (\d* ?d\d+),? (?:and )?keeps? (?:the )?(highest|lowest)(?! \d)", "{0} rolls {1} as the dice; {0} keeps the {2} 1 of the dice"),
    # dice of a size that changes
    (r"(?:\b\d+ ?|\b)d ?(?:\([^()]*\)|\[[^][]*\]|the [\w-]+(?:['’]s [\w-]+)*)", "how many sides a die has is written out, `d6`; where it changes, roll what a field holds (`the lamp's Die`), or write an `if` for each die"),
    # options in one line
    (rf"\b(chooses? (?:one|any)): {NAME}: .+", "`{0}:` ends its line, and each option is a line of its own set in below it: `- {1}: ..`"),
    # how often
    (r"(?<=: )(?:1|one) ?[x×]? ?(?:/|per) ?(?:a |each )?(\w+)", "once per {name}"),
    (r"(?<=: )(\d+) ?[x×]? ?(?:/|per) ?(?:a |each )?(\w+)", "{0} times per {name}"),
    (r"[-−–] ?(\d+) times per", "{0} times per"),
    (r"\bones per\b", "once per"),
    (r"\bonce(?=:)", "say within what: `once per Scene`, or another procedure"),
    (r"\btwice(?=:)", "say within what: `2 times per Scene`, or another procedure"),
    (r"\btwice (?:per|an?|each|every) (\w+)", "2 times per {name}"),
    (r"\bthrice (?:per|an?|each|every) (\w+)", "3 times per {name}"),
    # again and again
    (rf"{AT_START}(?:repeat|loop|continue|go on|do|keep on|keep going) (?:while|(?:for )?as long as|unless|if) ([^:;]+)", "say when it ends: `repeat until ..`; what is set in below it is done once, and again until that is so"),
    (rf"{AT_START}while ([^:;]+): repeat(?=:)", "say when it ends: `repeat until ..`; what is set in below it is done once, and again until that is so"),
    (rf"{AT_START}(?:repeat|loop|do|continue|go on|keep on|keep going)(?: (?:this|it|the following|again|everything))? (?:till|until) ([^:;,]+ ends)(?=:)", "until {0}"),
    (rf"{AT_START}repeat until (\d+) times", "repeat up to {0} times"),
    (rf"{AT_START}(?:repeat|loop|do|continue|go on|keep on|keep going)(?: (?:this|it|the following|again|everything))? (?:till|until) {NAME}(?=:)", "name what comes of it, `do .. as the result`, and ask for it: `repeat until the result is {0}`"),
    (rf"{AT_START}(?!repeat until)(?:repeat|loop|do|continue|go on|keep on|keep going)(?: (?:this|it|the following|again|everything))? (?:till|until) ([^:;,]+)(?=:)", "repeat until {0}"),
    (rf"{AT_START}until (?![^:;]+ ends)([^:;]+): (?:repeat|loop|do)(?=:)", "repeat until {0}"),
    (rf"{AT_START}until (?![^:;]+ ends|the end of|end of)([^:;]+)(?=:)", "for what is done again and again, write `repeat until {0}`; for as long as something is so, `while ..`; for as long as something runs, `until .. ends`"),
    (rf"{AT_START}repeat(?: (?:at most|for|exactly))? (\S+) times", "repeat up to {0} times"),
    (rf"{AT_START}repeat(?: for ever| forever| endlessly)?(?=:)", "say when it ends, `repeat until ..`, or how often it is done, `repeat up to 3 times`"),
    (rf"{AT_START}([^:;]+? (?:{VERB}) [^:;]+?) (?:over and over |again (?:and again )?)?(?:until|till) ([^:;]+)$", "what is done again begins with its end: `repeat until {1}: {0}`; for as long as something runs, `until .. ends: {0}`"),
    # conditions and events
        (rf"{AT_START}(?!otherwise|else|elif|if|while|after|before)([^:;]+?) if ([^:;]+)$", "the condition comes first: `if {1!a}: {0}`"),
    (rf"{AT_START}(?!otherwise|if|while|after|before)([^:;]+?) unless ([^:;]+)$", "a condition comes first, and says when it does happen: `if ..: {0}`"),
    (rf"\bif {NAME}(?=[:,])", "if {who:0} has {trait:0}", "name the result where it is made, `do .. as the result`, then write `if the result is {0}`; behind an event, `after .. ending in {0}`"),
    (rf"{AT_START}(?:else,? if|elif|elsif|elseif|or if|if not,? but)(?= )", "otherwise if"),
    (rf"{AT_START}(?:on|with|upon|for) (?:an? |the )?(?:(?:roll|total|result|score) of )?(?:an? )?(\d+) ?(?:\+|(?:or|and) (?:more|higher|better|above|over|up)),?:?(?= )", "say what is compared: `if the total is at least {0}:`"),
    (rf"{AT_START}(?:on|with|upon|for) (?:an? |the )?(?:(?:roll|total|result|score) of )?(?:an? )?(\d+) ?(?:or|and) (?:less|lower|worse|below|under|fewer),?:?(?= )", "say what is compared: `if the total is at most {0}:`"),
    (rf"{AT_START}(?:on|with|upon|for) (?:an? |the )?(?:(?:roll|total|result|score) of )?(?:an? )?(\d+) ?(?:[-–—]|to|\.\.) ?(\d+),?:?(?= )", "say what is compared: `if the total is at least {0} and the total is at most {1}:`"),
    (rf"{AT_START}(?:on|with|upon|for) (?:an? |the )?(?:(?:roll|total|result|score) of )?(?:an? )?(\d+),?:?(?= )", "say what is compared: `if the total is {0}:`"),
    (rf"{AT_START}(\d+) ?(?:\+|or (?:more|higher|better|above|over)):(?= )", "say what is compared: `if the total is at least {0}:`"),
    (rf"{AT_START}(\d+) ?(?:or (?:less|lower|worse|below|under|fewer)):(?= )", "say what is compared: `if the total is at most {0}:`"),
    (rf"{AT_START}(\d+) ?(?:[-–—]|to|\.\.) ?(\d+):(?= )", "say what is compared: `if the total is at least {0} and the total is at most {1}:`"),
    (r"\bif (?:successful|unsuccessful|failed|(?:it|this|that|they|(?:the|an?) [\w-]+) (?:fails?|failed|succeeds?|succeeded|works|is (?:successful|a success|a failure|failed)))(?=[:,])", "say what makes it so: compare, `if the total is at least ..`, or ask for the result of a procedure, `if the result is ..`"),
    (rf"{AT_START}(?:the [\w-]+ (?:fails|succeeds|wins)|(?:success|failure))(?=$|;)", "a procedure ends with one of its outcomes: `end with ..`"),
    (rf"{THE} (?:makes?|rolls?|attempts?|takes?) (?:an? |the )?{NAME} (?:test|check|roll|save|throw)\b", "a test is a procedure that is run: `do .. with {0} as the .., {1} as the ..`"),
    (rf"{THE} tests {NAME}(?=$|;)", "a test is a procedure that is run: `do .. with {0} as the .., {1} as the ..`"),
    (r"\b(the [\w-]+|each [\w-]+) (?:must|has to|should|shall|needs to|will) (gain|lose|pay|roll|take|choose|draw|drop|keep|reroll|read)\b", "{0} {1}s"),
    (rf"{AT_START}(?:on|upon|after|with) (?:an? |any )?(?:failure|fail|miss|failed (?:roll|test|check)),?:?(?= )", "otherwise:"),
    (rf"{AT_START}(?:(?:on|upon|after|with) )?(?:an? |any )?(?:success|hit|pass|successful (?:roll|test|check))(?:,|:|(?= the ))? ([^:;]+)", "say what makes it one: `if ..: {0}`, or behind an event `after .. ending in ..: {0}`"),
    (rf"{AT_START}(?:(?:if not|or else|failing that)[,:]|(?:[Ee]lse|in the other case|in all other cases|in any other case)(?:,|:|(?= [a-z])))(?= (?!if ))", "otherwise:"),
    (r"\botherwise,(?= )", "otherwise:"),
    (rf"{AT_START}(?:and then|and also|then|also|and|next|afterwards|finally|after that),? (?=the |each |do |end )([^:;]+)", "what stands behind happens afterwards: write `{0}`"),
    (rf"{AT_START}in (?:that|this|which) case,?:? ([^:;]+)", "what happens in a case stands behind its `if`, after the colon or set in below it; where the line above does not hold, write `otherwise: {0}`"),
    (rf"{AT_START}(?:an?|any) ([a-z][\w-]*) (with|without) {NAME} ((?:{VERB}|is|becomes|may|cannot)\b[^:;]*)", "for each {0} {1} {2}: the {0} {3}"),
    (rf"{AT_START}(while|if) (?:an?|any|some|one) ([a-z][\w-]*) (has|lacks) {NAME}(?=:)", "for each one that has it, write `for each {1} with {3}`; in what somebody owns, `{0} the owner {2} {3}`; of somebody who is known here, `{0} the {1} {2} {3}`"),
    (rf"{AT_START}(?:on|upon|following|at the end of) (?:an? |the |each )?{NAME}", "after {procedure:0}", "after {ends:0} ending in {0}", "after {0}"),
    (rf"{AT_START}at the (?:start|beginning) of (?:an? |the |each )?{NAME}", "before {0}"),
    (rf"{AT_START}(?:during|in|within) (?:an? |the |each )?{NAME}", "at its beginning, write `before {0}`; at its end, `after {0}`; for as long as it lasts, `until {0} ends`"),
    (rf"\b(before|after) (the [\w-]+)['’]s {NAME}(?=:)", "{0} {2} by {1}"),
    (rf"\b(before|after) {NAME} (?:ends?|begins?|starts|finishes|happens|occurs|is done|is over)(?=:)", "{0} {1}"),
    (rf"\b(before|after) {NAME} [a-z]+(?=:)", "name the outcome: `{0} {1} ending in {outcome:1}`"),
    (rf"\b(before|after) gaining {NAME}", "{0} gain of {1}"),
    (rf"\b(before|after) (?:losing|spending|paying) {NAME}", "{0} loss of {1}"),
    (rf"\b(before|after) ((?:the|an?) [\w-]+) gains? (?:any )?{NAME}", "{0} gain of {2} by {1}"),
    (rf"\b(before|after) ((?:the|an?) [\w-]+) (?:loses?|pays?|spends?) (?:any )?{NAME}", "{0} loss of {2} by {1}"),
    (rf"\b(gain|loss) of (?:any |\d+ ){NAME}", "{0} of {1}"),
    (rf"\b(?:if|after|once) (?:the [\w-]+['’]s )?{NAME} (?:reaches|falls to|drops to|sinks to|rises to|hits) (\d+)", "after reaching {1} of {0}"),
    (rf"\b(?:until|till) (?:the )?end of (?:the )?{NAME}", "until {0} ends"),
    (rf"\bfor the rest of (?:the )?{NAME}", "until {0} ends"),
    (r"\b(if|while) ([^:,;]+),(?= )", "{0} {1!a}:"),
    (r"\b((?:before|after|instead of|until) [^:,;]+),(?= )", "{0}:"),
    # comparing
    (r"\b(?:is|are) (?:(?:greater|more|higher|larger|bigger) than,? or (?:is )?(?:equal|equals|the same as)(?: to)?|equal(?: to)?,? or (?:is )?(?:greater|more|higher|larger|bigger|above|over)(?: than)?|(?:not|no|never) (?:less|lower|smaller|fewer) than|at least (?:or )?equal to|(?:at least )?as (?:high|big|large|good|much) as)(?= )", "is at least"),
    (r"\b(?:is|are) (?:(?:less|lower|smaller|fewer) than,? or (?:is )?(?:equal|equals|the same as)(?: to)?|equal(?: to)?,? or (?:is )?(?:less|lower|smaller|fewer|below|under)(?: than)?|(?:not|no|never) (?:greater|more|higher|larger|bigger) than|at most equal to|up to)(?= )", "is at most"),
    (r"\b(?:is|are) (?:not equal to|unequal to|different from|other than)(?= )", "is not"),
    (r"\b(?:is|are) (?:exactly(?: equal to)?|the same as|precisely)(?= )", "is"),
    (rf"{COMPARED} (?:(?:meets|reaches|matches|equals) or (?:beats|exceeds|passes|surpasses|tops)|meets|reaches)(?= )", "{0} {1} is at least"),
    (rf"{COMPARED} (?:does not|do not|doesn['’]t|fails to) (?:beat|exceed|surpass|top)(?= )", "{0} {1} is at most"),
    (rf"{COMPARED} (?:beats|exceeds|surpasses|tops)(?= )", "{0} {1} is above"),
    (rf"{COMPARED} (?:(?:does not|do not|doesn['’]t|fails to) (?:meet|reach)|misses|falls short of)(?= )", "{0} {1} is below"),
    (rf"{COMPARED} (?:differs from|(?:does not|do not|doesn['’]t) (?:equal|match))(?= )", "{0} {1} is not"),
    (rf"{COMPARED} matches(?= )", "{0} {1} is"),
    (r"(?<=if |or )(.+?) (is|are) (?:between |in |from )?(\d+)(?: and | to | ?(?:[-–—−]|\.\.\.?|…) ?)(\d+)", "{0} {1} at least {2} and {0} {1} at most {3}"),
    (rf"{AT_START}unless ([^:;]+?) (is|are)\b(?! not)", "if {0} {1} not"),
    (r"\bif not ([^:;]+?) (is|are)\b(?! not)", "if {0} {1} not"),
    (r"\bif \(([^()]+)\)(?=:|$)", "a condition has no brackets around it: `if {0!a}`"),
    (r"\bif:(?= )", "if"),
    (r"(\S+),? then(?=:)", "{0}"),
    (r"(\w+),(?=:)", "{0}"),
    (r"\b(above|below|at least|at most) the (\d+)", "{0} {1}"),
    (rf"(?<=if ){THE} (above|below|at least|at most)\b", "{0} is {1}"),
    (rf"{AT_START}{THE} is (above|below|at least|at most) ([^:;]+)(?=:)", "if {0} is {1} {2}"),
    (r"(?<=if )(.+?) (is|are) (at least|at most|above|below|not) ([^:;]+?) (and|or) (at least|at most|above|below|not) ([^:;]+?)(?=:|;|$)", "say what is compared again: `{0} {1} {2} {3} {4} {0} {1} {5} {6}`"),
    (r"(?<=if )([^:;]+?) (is|are) ((?:at least |at most |above |below )?)(\d+) or (\d+)(?=[:;]|$)", "{0} {1} {2}{3} or {0} {1} {2}{4}"),
    (r"\b(is|are) equal to\b", "{0}"),
    (r"\b(is|are) even\b", "{0} a multiple of 2"),
    (r"\b(is|are) odd\b", "{0} not a multiple of 2"),
    (r"(?<=is )(\d+)\+(?!\s*\w)", "at least {0}"),
    (rf"{THE} (?:has|have) (?:more than|over|above) (\d+) {NAME}", "{0}'s {2} is above {1}"),
    (rf"{THE} (?:has|have) (?:less than|fewer than|under|below) (\d+) {NAME}", "{0}'s {2} is below {1}"),
    (rf"{THE} (?:has|have) at most (\d+) {NAME}", "{0}'s {2} is at most {1}"),
    (rf"{THE} (?:has|have) (?:at least )?(\d+)(?: or more)? (?:points? of )?{NAME}", "{0}'s {2} is at least {1}"),
    (rf"{THE} (?:has|have) no {NAME}", "{0} lacks {trait:1}", "{0}'s {number:1} is 0", "for a trait, write `{0} lacks {1}`; for a number, `{0}'s {1} is 0`"),
    (rf"\b(?:is|are) not an? {NAME}", "lacks {0}"),
    (rf"\b(?:is|are) an? {NAME}", "has {0}"),
    (r"(\d+) or (?:more|higher|better|above|over)\b", "at least {0}"),
    (r"(\d+) or (?:less|fewer|lower|below|under)\b", "at most {0}"),
    (r"(?<=showing )over\b", "above"),
    (r"(?<=showing )under\b", "below"),
    (r"\b(?:more|greater|higher|better|larger|bigger) than\b", "above"),
    (r"\b(?:less|fewer|lower|worse|smaller) than\b", "below"),
    # gaining and losing
    (rf"\b(?:gains?|gets?|receives?) (the [a-z][\w-]*(?:['’]s [a-z][\w-]*)*)(?: points?)?(?: of| in)? (?!Equal\b){NAME}", "gains {number:1} equal to {0}", "takes {trait:1}", "points are counted: write `gains {1} equal to {0}`; a trait is taken: `takes {1}`"),
    (rf"\b(?:loses?|suffers?) (the [a-z][\w-]*(?:['’]s [a-z][\w-]*)*)(?: points?)?(?: of| in)? (?!Equal\b){NAME}", "loses {number:1} equal to {0}", "drops {trait:1}", "points are counted: write `loses {1} equal to {0}`; a trait is dropped: `drops {1}`"),
    (rf"\b(pays?) (the [a-z][\w-]*(?:['’]s [a-z][\w-]*)*)(?: points?)?(?: of| in)? (?!Equal\b){NAME}", "{0} {2} equal to {1}"),
    (rf"\b{MOVE} ((?:the [\w-]+|{NAME[1:-1]})['’]s [^\W\da-z_][\w-]*) ([^\W\da-z_][\w-]*)(?=$|;)", "{0} {2} equal to {1}"),
    (rf"(?<!the ){MOVE} {AMOUNT_WORD} {NAME}", "{0} {2} equal to the {1}"),
    (rf"\b(?:suffers?(?: from)?|gets?) (?:an? |the )?{NAME}(?=$|;)", "takes {0}"),
    (rf"\b{HURT} (\d+) (?:points? of )?{HARM}\b|\b{HURT} {HARM} (?:equal to |of )?(\d+)", "points are gained or lost: write `loses {0}{1} ..`, or run the procedure of the game that does harm"),
    (rf"\b{HURT} (the [\w-]+(?:['’]s [\w-]+)*) (?:points? of )?{HARM}\b|\b{HURT} {HARM} (?:equal to |of )?(the [\w-]+(?:['’]s [\w-]+)*)", "points are gained or lost: write `loses .. equal to {0}{1}`, or run the procedure of the game that does harm"),
    (rf"{THE} (?:deals?|does|inflicts?) (\d+) (?:points? of )?{HARM} (?:to|on) {THE}", "points are gained or lost: write `{2} loses {1} ..`, or run the procedure of the game that does harm"),
    (rf"((?:the|each) [\w-]+ (?:{VERB}) [^:;,]+?)(?:,| and|, and) ((?:the|each) [\w-]+ (?:{VERB})\b[^:;]*)", "{0}; {1}"),
    (rf"{AT_START}(?:increase|raise) {NAME} by (\d+)", "{who:0} gains {1} {0}"),
    (rf"{AT_START}(?:decrease|lower|reduce) {NAME} by (\d+)", "{who:0} loses {1} {0}"),
    (rf"{AT_START}set {NAME} to (\d+)", "{who:0}'s {0} becomes {1}"),
    (rf"{THE} (?:does|makes|performs|starts|begins) (?:an? )?{NAME}", "do {1} with {0} as the {role:1}"),
    (rf"\bdo an? {NAME}", "do {0}"),
    (rf"{AT_START}(?:start|begin|run|perform) (?:an? |the )?(?:new )?{NAME}", "do {0} with {who} as the {role:0}", "do {0}"),
    (rf"\b{MOVE} (\d+) (?!more\b|less\b|each\b)[a-z]+ of {NAME}", "{0} {1} {2}"),
    (rf"\b{MOVE} (?:a|an|one)(?: [a-z]+ of)? {NAME}", "{0} 1 {1}"),
    (rf"\b{MOVE} (\d+) (?:more|extra|additional) {NAME}", "{0} {1} {2}"),
    (rf"\b{MOVE} \+(\d+)", "{0} {1}"),
    (r"\bgain(s?) [-−–] ?(\d+)", "lose{0} {1}"),
    (r"\blose(s?) [-−–] ?(\d+)", "gain{0} {1}"),
    (rf"\b{MOVE} {NAME} (\d+)", "{0} {2} {1}"),
    (rf"\b{MOVE} {NAME} by (\d+)", "{0} {2} {1}"),
    (rf"((?:the|each) [\w-]+) {MOVE} (\d+ {NAME})(?:,| and|, and) (\d+) {NAME}", "{0} {1} {2}; {0} {1} {4} {5}"),
    (rf"{THE} {MOVE} (\d*d\d+) {NAME}", "roll first: `{0} rolls {2} as the die; {0} {1} {3} equal to sum of the die`"),
    (rf"each ([\w-]+) {MOVE} (\d*d\d+) {NAME}", "for each {0}: the {0} rolls {2} as the die; the {0} {1} {3} equal to sum of the die"),
    (rf"{THE} gives? (\d+ {NAME}) to an(?:other)? ([a-z][\w-]*)", "{0} chooses another {3} as the friend; {0} loses {1}; the friend gains {1}"),
    (rf"{THE} gives? (\d+ {NAME}) to (the [\w-]+)", "{0} loses {1}; {3} gains {1}"),
    (rf"\b(may pay|pays?) up to (\w+) {NAME}", "{0} any {2} up to {1} as the extra"),
    (r"\bgains? (the [a-z][\w-]*)(?=$|;)", "a trait is taken: write `takes {0}`; points are counted: `gains 1 of {0}`"),
    (r"\bloses? (the [a-z][\w-]*)(?=$|;)", "a trait is dropped: write `drops {0}`; points are counted: `loses 1 of {0}`"),
    (rf"\bgains? {NAME}(?=$|;)", "takes {trait:0}", "gains 1 {number:0}", "a trait is taken: write `takes {0}`; points are counted: `gains 1 {0}`"),
    (rf"\bloses? {NAME}(?=$|;)", "drops {trait:0}", "loses 1 {number:0}", "a trait is dropped: write `drops {0}`; points are counted: `loses 1 {0}`"),
    (rf"\b(is|are) (?:raised|increased|improved) by {VALUE}", "{0} {1} more"),
    (rf"\b(is|are) (?:lowered|reduced|decreased|worsened) by {VALUE}", "{0} {1} less"),
    (rf"((?:the|each) [\w-]+)['’]s {NAME} {MORE} by {NUMBER}(?!\w)", "for a time, write `{0}'s {1} is {2} more`; for good, `{0} gains {2} {1}`"),
    (rf"((?:the|each) [\w-]+)['’]s {NAME} {FEWER} by {NUMBER}(?!\w)", "for a time, write `{0}'s {1} is {2} less`; for good, `{0} loses {2} {1}`"),
    (rf"((?:the|each) [\w-]+)['’]s {NAME} {MORE} by (the [\w-]+(?:['’]s [\w-]+)*)", "for a time, write `{0}'s {1} is {2} more`; for good, `{0} gains {1} equal to {2}`"),
    (rf"((?:the|each) [\w-]+)['’]s {NAME} {FEWER} by (the [\w-]+(?:['’]s [\w-]+)*)", "for a time, write `{0}'s {1} is {2} less`; for good, `{0} loses {1} equal to {2}`"),
    (rf"\b{MORE} by {NUMBER}(?!\w)", "for a time, write `is {0} more`; for good, `gains {0} ..`"),
    (rf"\b{FEWER} by {NUMBER}(?!\w)", "for a time, write `is {0} less`; for good, `loses {0} ..`"),
    (rf"\b{MORE} by (the [\w-]+(?:['’]s [\w-]+)*)", "for a time, write `is {0} more`; for good, `gains .. equal to {0}`"),
    (rf"\b{FEWER} by (the [\w-]+(?:['’]s [\w-]+)*)", "for a time, write `is {0} less`; for good, `loses .. equal to {0}`"),
    (rf"{AT_START}(?:increase|raise) ((?:the|each) [\w-]+)['’]s {NAME} by (\d+)", "{0} gains {2} {1}"),
    (rf"{AT_START}(?:decrease|lower|reduce) ((?:the|each) [\w-]+)['’]s {NAME} by (\d+)", "{0} loses {2} {1}"),
    (rf"(?:{AT_START}add|(?:the|each) [\w-]+ adds) {VALUE} to {THE}", "{1} is {0} more"),
    (rf"(?:{AT_START}subtract|(?:the|each) [\w-]+ subtracts) {VALUE} from {THE}", "{1} is {0} less"),
    (rf"\b(?:does not|do not|doesn['’]t|don['’]t) have (?:an? |the )?{NAME}", "lacks {0}"),
    (r"\b(?:does not|do not|doesn['’]?t|don['’]?t|can['’]?t|can not|may not) (do|use|pay|gain|lose|take)", "cannot {0}"),
    (rf"\bresets? (the [\w-]+['’]s {NAME})", "{0} becomes {0}'s start"),
    (rf"\bsets? (the [\w-]+['’]s {NAME}) to ([^:;]+)", "{0} becomes {2}"),
    (r"\b(?:increases|rises|grows|goes up|decreases|falls|sinks|goes down|changes|drops|turns) (?:to|into)(?= \S)", "becomes"),
    (rf"{AT_START}(?:all )?(?:the )?[a-z-]+s (gain|lose|pay|roll|take|choose|draw|drop|keep)\b", "write `each` and the kind, as one of it is called: `each .. {0}s`"),
    (rf"{AT_START}(?:all|both) (?:the )?[a-z-]+", "write `each` and the kind, as one of it is called: `each ..`"),
    (rf"((?:the|each) [\w-]+) ((?:{VERB}) [^:;]+?)(?:,? (?:and then|and|then|&)|,) ((?:{VERB})\b[^:;]*)", "{0} {1}; {0} {2}"),
    (r"(the [\w-]+) (?:may|can|could) (gain|lose|reroll|roll|take|drop|draw|keep|choose)\b([^:;]*)", "an offer ends in a colon: `{0} may: {0} {1}s{2}`"),
    (r"\bmay (?:for free|freely|at no cost)(?=:)", "may"),
    (r"(the [\w-]+) may do\b", "an offer ends in a colon: `{0} may: do`"),
    (rf"\b(takes?|drops?) an? {NAME}", "{0} {1}"),
    (r"\btakes? (\d+) [\w-]+", "a trait is taken; points are gained or lost: `loses {0} ..`"),
    (rf"{AT_START}\+(\d+) {NAME}", "say who gets it, `{who:1} gains {0} {1}`; the value of a field is `{1} +{0}`"),
    (rf"\bends? (?:the )?{NAME} with {NAME}", "end with {1}"),
    (rf"\b(?:goes to|go to|repeat) (?:the )?(?:step )?{NAME}", "go back to {0}"),
    # dice and tables
    (r"(?<=\bis )(?:the )?dice showing\b", "number of dice showing"),
    (r"\b(number of dice|for each die) (above|below|at least|at most) (\d+)", "{0} showing {1} {2}"),
    (r"\b(number of dice|for each die) (?:equal to|that are|being) (\d+)", "{0} showing {1}"),
    (r"\b(at least|at most|above|below) an? (\d+)", "{0} {1}"),
    (rf"\bif there(?: is| are|['’]s) (?:at least )?(?:an?|any|one) (\d+)s? (?:in|among|on|of) {THE}", "if number of dice showing {0} in {1} is above 0"),
    (rf"\bif {THE} (?:shows?|contains?|includes?) (?:an? |any |at least one )?(\d+)", "if number of dice showing {1} in {0} is above 0"),
    (r"\bif (?:any|an?|one)(?: of the)? (?:die|dice) (?:shows?|is|are|rolls?|comes up) (?:an? )?(\d+)", "if number of dice showing {0} in the {dice} is above 0", f"write `if number of dice showing {{0}} in the roll is above 0`{CALLED_ROLL}"),
    (rf"\b(rolls?) (?:a number of (d\d+)s? equal to|as many (d\d+)s? as) {VALUE}", "{0} {3} {1}{2}"),
    (rf"\b(rolls?) (d\d+)s? equal to {VALUE}", "{0} {2} {1}"),
    (rf"\b(rolls?) {VALUE} (\d+)[- ]sided (?:dice|die)", "{0} {1} d{2}"),
    (rf"\b(rolls?) {VALUE} six[- ]sided (?:dice|die)", "{0} {1} d6"),
    (rf"\b(rolls?) {VALUE} ten[- ]sided (?:dice|die)", "{0} {1} d10"),
    (rf"\b(rolls?) {VALUE} (?:dice|die)(?=$|;| as )", "say which dice: `{0} {1} d6`"),
    (r"\b(keeps?|rerolls?) the (\d+) (highest|lowest)(?: dice| of the dice)?(?=$|;)", "{0} the {2} {1} of the {dice}"),
    (r"\b(keeps?|rerolls?) the two (highest|lowest)(?: dice| of the dice)?(?=$|;)", "{0} the {1} 2 of the {dice}"),
    (rf"{THE} is (?:the )?(highest|lowest) (?:die|dice|roll|result)", "{0} is {1} of the {dice}", f"write `{{0}} is {{1}} of the roll`{CALLED_ROLL}"),
    (r"(?<=rolls )(\d*) ?d%", "{0}d100"),
    (r"\b(\d*)[DWT](\d+)\b", "{0}d{1}"),
    (r"\b(\d+) d (\d+)\b", "{0} d{1}"),
    (r"\b(\d*) ?dF\b", "the faces of dice are numbers from 1: `{0} d3`, of which each 2 stands for nothing"),
    (r"(\d* ?d(\d+))!", "{0} exploding on {1}"),
    (r"(\d* ?d(\d+)) explod(?:ing|es?)(?= *$| *;)", "{0} exploding on {1}"),
    (r"(\d* ?d(\d+)) explod(?:ing|es?) (as|and)\b", "{0} exploding on {1} {2}"),
    (r"(\d*d\d+|\d+ d\d+) ?\+ ?(\d*d\d+|\d+ d\d+)", "{0} and {1}"),
    (r"(\d*d\d+) (\d*d\d+)", "{0} and {1}"),
    (rf"{THE} rolls? (\d* ?d\d+) ?([-–−x]) ?([^:;]+?) as the [\w-]+", "roll first: `{0} rolls {1} as the die; the total is sum of the die {2} {3}`"),
    (rf"{THE} rolls? (\d* ?d\d+) ?([-–−x]) ?([^:;]+)", "roll first: `{0} rolls {1} as the die; the total is sum of the die {2} {3}`"),
    (rf"{THE} rolls? (\d* ?d\d+) ?\+ ?([^:;]+?) as the [\w-]+", "roll first, then add: `{0} rolls {1} as the die; the total is sum of the die + {2}`"),
    (rf"{THE} rolls? (\d* ?d\d+) ?\+ ?([^:;]+)", "roll first, then add: `{0} rolls {1} as the die; the total is sum of the die + {2}`"),
    (rf"{THE} is (\d*d\d+) \+ ([^:;]+)", "roll first, then add: `{who} rolls {1} as the die; {0} is sum of the die + {2}`"),
    (rf"{THE} is (\d*d\d+)", "roll first: `{who} rolls {1} as the die; {0} is sum of the die`"),
    (r"\b(rolls?) an? (\d*d\d+)", "{0} {1}"),
    (rf"\b(chooses?) (?:between |one of |either )?{NAME}(?:, {NAME})*,? (?:or|and) {NAME}", "write `{0} one:`, and set a line in below it for each, such as `- {1}: ..`; for things of one kind, `{0} a .. as the ..`"),
    (r"\b(?:that|as|so) many (\d*d\d+)", "name the number in front of the dice: `the .. {0}`"),
    (rf"{THE} (rolls?) on (?:the )?{NAME}(?: table)?", "{0} {1} {2}"),
    (rf"{THE} (?:looks? up|consults?) ([^:;]+?) (?:in|on) (?:the )?{NAME}(?: table)?", "{0} reads {2} at {1}"),
    (rf"\brolls? (?:on )?(?:the )?{NAME}(?: table)?(?=$|;)", "say who rolls on it: `{who} rolls {0}`"),
    (rf"\b(draws?) (?:a|an|one|1) cards? (?:from|of) (?:the )?{NAME}", "{0} 1 of {1}"),
    (rf"\b(draws?) (\d+) cards (?:from|of) (?:the )?{NAME}", "{0} {1} of {2}"),
    (r"\b(rerolls?|keeps?) (?:a|one|1) (?:die|card) (?:from|of|in) (the [\w-]+(?:['’]s [\w-]+)?)", "{0} 1 of {1}"),
    (r"\b(rerolls?|keeps?|draws?) (the [\w-]+['’]s [\w-]+)", "{0} all of {1}"),
    (r"\b(rerolls?|keeps?|draws?) (?:all |every |each )?(?:the )?(?:dice|die|cards?) (?:of|in|from) (the [\w-]+(?:['’]s [\w-]+)?)", "{0} all of {1}"),
    (r"\b(rerolls?|keeps?|draws?) (?:all |every |each )?(?:the )?(?:dice|die|cards?)", "{0} all of the {dice}"),
    (r"\bthe (highest|lowest|sum|number) of", "{0} of"),
    (rf"\bsum of {THE} and (\d+|{THE[1:-1]})", "sum of {0} + {1}"),
    # who and when
    (r"(?:^|(?<=[:;] ))an? ([a-z][\w-]*) (may|(?:gains?|loses?|pays?|rolls?|chooses?|takes?|drops?|draws?)\b)", "for one that is known here, write `the {0} {1}`; for all of them, `for each {0}: the {0} {1}`"),
    (r"\beach ([a-z][\w-]*)['’]s ([^:;]+)", "for each {0}: the {0}'s {1}"),
    (r"\b(before|after|instead of) (?:the|each|every|any) roll\b", "{0} a roll"),
    (rf"\b(before|after|instead of) (?:an?|the|each|every|any) {NAME}", "{0} {1}"),
    (r"\b(once|\d+ times) (?:a|an|each|every|in each|in a) (\w+)", "{0} per {name}"),
    (r"\b(once|\d+ times) per ([a-z]\w*)", "{0} per {name}"),
    (r"(?<=: )each ([a-z]\w*)$", "each {name}"),
    (rf"\breaching (-?\d+) {NAME}", "reaching {0} of {1}"),
    (rf"\bexpect {NAME} has (\d+) {NAME}", "expect {0}'s {2} is {1}"),
    (rf"^{NAME} has (\d+) {NAME}$", "who is there, and with what, stands above the steps, `{0}: a .. with {2} {1}`; to look, write `expect {0}'s {2} is {1}`"),
    (r"\bexpect (?:an? )?([a-z]+)$", "name the result where it is made, `do .. as the result`, then write `expect the result is {name}`"),
    (rf"\bexpect (?:an? )?{NAME}$", "name the result where it is made, `do .. as the result`, then write `expect the result is {0}`"),
    (rf"(?<=: ){NAME}((?:, {NAME})*),? (?:or|and) {NAME}$", "the names of a list have commas between them: `{0}{1}, {last}`"),
    (rf"\bthe ([\w-]+s) {NAME}", "the {short}'s {1}"),
    (rf"\bthe ([\w-]+s)['’] {NAME}", "the {short}'s {1}"),
    (rf"(?<![\w'’-]){NAME} of {THE}", "{1}'s {0}"),
    (r"\b([^\W\d_a-z][\w-]*)s (start|least|most)\b", "write `{0}'s {1}`; of a name that ends in s, `{0}s's {1}`"),
    (r"\b(?!At )([^\W\d_a-z][\w-]*) (start|least|most)\b", "{0}'s {1}"),
    (r"\b(\d+) times (?!per\b)((?:the )?[\w-]+(?:['’]s [\w-]+)?)", "{0} x {1}"),
    (rf"(\d+|{THE[1:-1]}|[^\W\da-z_][\w-]*) ?[*·] ?((?:the )?[\w-]+(?:['’]s [\w-]+)?)", "{0} x {1}"),
)  # fmt: skip
"""A pattern that holds the place where the line stops to read, and what to write: words with backticks are the whole help. Where there are several, the
first one holds of which the game fills all blanks.

`{0}` is what the first brackets found, `{last}` what the last brackets found, `{name}` that with a capital, `{short}` what the first found without
an s at its end; blanks are those of `worded`.
"""


ROWS = tuple((row[0], row[1:], row[0].startswith(AT_START)) for row in (*DRAFTED, *RETOLD, *WRITTEN))
"""Each pattern, what to write, and whether it begins where a sentence does."""
JOINT = re.compile("[:;] ")


def idioms(text: str) -> Iterator[tuple[re.Match[str], Sequence[str]]]:
    """What the patterns find in a text, in their order, with what to write. A pattern is compiled when a line has come to it: all of them take as long
    as reading a small pack. Most begin where a sentence does, and are tried there only: a page may have thousands of lines that do not read.
    """
    starts = [0, *(joint.end() for joint in JOINT.finditer(text))]
    for source, better, at_start in ROWS:
        pattern = compiled(source)
        if not at_start:
            for found in pattern.finditer(text):
                yield found, better
            continue
        for at in starts:
            if (begun := pattern.match(text, at)) is not None:
                yield begun, better


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def figured(group: str) -> str:
    """A number in words as a figure; anything else as it is."""
    figure = FIGURES.get(group.rstrip())
    return figure + group[len(group.rstrip()) :] if figure is not None else group


def meant(found: re.Match[str], better: Sequence[str]) -> Wording:
    """What to write in place of what one of the patterns has found."""
    groups = [figured(group or "") for group in found.groups()]
    last = groups[-1] if groups else ""
    given = {"last": last, "name": last.title(), "short": groups[0].removesuffix("s") if groups else ""}
    return first_known([worded(one if "`" in one else f"write `{one}`", *groups, **given) for one in better])
