"""Dice fall, and somebody chooses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from te_forge.engine.acting import (
    Skipped,
    row_meaning,
)
from te_forge.engine.effects import Choose, Draw, Fallen, Keep, Roll, Several, Share, allowed
from te_forge.engine.moving import Moving
from te_forge.engine.reading import RuleError, as_group, card_number, card_value, is_dice
from te_forge.engine.state import Dice, Frame, Lot, Map, Out, Scope, Slot, Unseen, Value, bag
from te_forge.frozen import replace
from te_forge.model import rules as m
from te_forge.model.system import RollTable

T = TypeVar("T")


class Deciding(Moving):
    """Rolls, keeps, chooses and shares out."""

    # ------------------------------------------------------------ dice

    def roll(self, node: m.Roll, scope: Scope) -> Scope:
        for who in as_group(self.value(node.who, scope)):
            if node.source is not None:
                dice = self.roll_source(str(who), node.source, node.at, scope)
                scope = self.result_word(str(who), node.word, dice, scope) if node.word else scope
                continue
            specs = [one for spec in node.dice for one in self.dice_of(spec, scope)]
            thrown = tuple(
                (max(0, self.number(spec.count, scope)), spec.sides, tuple(self.number(face, scope) for face in spec.exploding)) for spec in specs
            )
            word = "" if scope.own or node.word in scope.words else node.word
            shown = self.throw(str(who), thrown, scope, word)
            if not shown:
                self.note("no-dice", who)
            scope = self.result_word(str(who), node.word, shown, scope) if node.word else scope
            frame = self.state.frames[scope.frame]
            if shown and self.pays_out(frame):
                self.state = self.state.with_frame(scope.frame, replace(frame, rolled=(*frame.rolled, str(who))))
        return scope

    def pays_out(self, frame: Frame) -> bool:
        """Whether there is a step to come at which what was rolled in the frame is final."""
        entry = self.rules.entries.get(frame.procedure)
        return entry is not None and "counts" in entry.fields and not frame.final

    def dice_of(self, spec: m.DiceSpec | m.Expr, scope: Scope) -> tuple[m.DiceSpec, ...]:
        """The dice of one part of a roll: as they are written, or those that a value holds."""
        if isinstance(spec, m.DiceSpec):
            return (spec,)
        held = as_group(self.value(spec, scope))
        if not all(isinstance(one, m.DiceSpec) for one in held):
            raise RuleError("these dice have been rolled already: `rerolls` turns them again", scope)
        return held

    def throw(self, who: str, dice: tuple[tuple[int, int, tuple[int, ...]], ...], scope: Scope, word: str = "") -> Dice:
        dice = tuple(one for one in dice if one[0] > 0)
        if not dice:
            return ()
        shown = self.perform(Roll(who, dice, self.why(scope), word), scope)
        shown = self.fallen(shown) if isinstance(shown, Fallen) else bag(cast(Dice, shown))
        self.note("roll", who, shown)
        return cast(Dice, shown)

    def fallen(self, dice: Fallen) -> Unseen:
        """Dice that nothing looks at yet."""
        self.state = self.state.with_lots((*self.state.lots, Lot(tuple(enumerate(ways for _, ways in dice.law)))))
        return Unseen(len(self.state.lots) - 1, tuple(shown for shown, _ in dice.law))

    def roll_source(self, who: str, source: m.Expr, at: m.Expr | None, scope: Scope) -> Dice:
        """The dice that were thrown for a table, once its row has happened; none where it is read."""
        entry = self.rules.entries.get(str(self.value(source, scope)))
        if entry is None or entry.table is None:
            raise RuleError("there is nothing here to roll", scope)
        number, shown = (self.number(at, scope), ()) if at is not None else self.on_table(who, entry.table, scope)
        row = next((row for row in entry.table.rows if row.covers(number)), None)
        if row is not None:
            self.note("row", entry.id, row.id)
            words: Map[str, Value] = Map({"roller": who})
            self.body(row_meaning(row), Scope(owner=scope.owner, frame=scope.frame, words=words, entry=entry.id, line=row.id, own=True))
        elif at is not None:
            raise RuleError(f"{entry.name} has no row for {number}", scope)
        return shown

    def on_table(self, who: str, table: RollTable, scope: Scope) -> tuple[int, Dice]:
        """What the dice of a table show, and the dice."""
        count, _, sides = table.die.partition("d")
        if not count and len(sides) > 1 and len(set(sides)) == 1:  # d66: dice read as digits
            digits = [self.throw(who, ((1, int(sides[0]), ()),), scope)[0] for _ in sides]
            return int("".join(str(face) for face, _ in digits)), bag(digits)
        shown = self.throw(who, ((int(count or 1), int(sides), ()),), scope)
        return sum(face for face, _ in shown), shown

    def pick(self, node: m.Pick, scope: Scope) -> Scope:
        who = str(self.value(node.who, scope))
        if node.verb == "draws":
            return self.draw(node, who, scope)
        source = self.handed(node.source, scope)
        if isinstance(source, Unseen) and node.verb == "keeps" and node.how in ("highest", "lowest"):
            return self.keep_unseen(node, who, source, scope)
        source = self.plain(source)
        dice = bag(cast(Dice, source)) if is_dice(source) else ()
        count = len(dice) if node.how == "all" else min(len(dice), max(0, self.number(node.count, scope) if node.count is not None else 1))
        taken = self.taken(node, who, dice, count, scope)
        if node.verb == "rerolls":
            if not taken:
                return scope
            fresh = self.throw(who, tuple((taken.count(die), die[1], ()) for die in dict.fromkeys(taken)), scope)
            self.put(node.source, bag([*without(dice, taken), *fresh]), scope)
        elif not node.word:
            self.put(node.source, taken, scope)
        return self.result_word(who, node.word, taken, scope) if node.word else scope

    def keep_unseen(self, node: m.Pick, who: str, dice: Unseen, scope: Scope) -> Scope:
        """Which are kept is plain without a look: in each case the highest of them, or the lowest."""
        count = max(0, self.number(node.count, scope) if node.count is not None else 1)
        kept = self.each(lambda shown: shown[:count] if node.how == "highest" else shown[max(0, len(shown) - count) :], dice)
        if not node.word:
            self.put(node.source, kept, scope)
        return self.result_word(who, node.word, kept, scope) if node.word else scope

    def draw(self, node: m.Pick, who: str, scope: Scope) -> Scope:
        """Cards that are drawn are out until the deck begins anew; of a wheel nothing is ever out. From what is empty nothing can be drawn."""
        deck = str(self.value(node.source, scope))
        cards = self.cards_left(deck)
        if not cards:
            self.note("empty", who, deck)
            raise Skipped
        wanted = len(cards) if node.how == "all" else min(len(cards), max(0, self.number(node.count, scope) if node.count is not None else 1))
        if node.how == "up to":
            wanted = self.chosen_number(who, node.word or "cards", 0, wanted, scope)
        drawn: tuple[str, ...] = ()
        if node.how in ("all", "highest", "lowest"):
            chosen = sorted(range(len(cards)), key=lambda at: card_number(cards[at]), reverse=node.how == "highest")[:wanted]
            drawn = tuple(cards[at] for at in sorted(chosen))
        elif wanted:
            drawn = cast(tuple[str, ...], self.perform(Draw(who, deck, cards, wanted, self.why(scope)), scope))
        if not self.rules.is_wheel(deck):
            before = self.state.decks.get(deck)
            left = Out(tuple(sorted((*before.cards, *drawn)))) if isinstance(before, Out) else without(cards, drawn)
            self.state = replace(self.state, decks=self.state.decks.set(deck, left))
        if drawn:
            self.note("draw", who, deck, drawn)
        one = node.how not in ("all", "up to") and node.count in (None, m.Int(1))
        value = tuple(map(card_value, drawn))
        return self.result_word(who, node.word, value[0] if one else value, scope) if node.word else scope

    def put(self, place: m.Expr, dice: Value, scope: Scope) -> None:
        """The roll that was picked from is these dice now."""
        key = self.key(place, scope)
        if key is not None:
            self.store(key, Slot(dice, fixed=self.raw(key).fixed))

    def taken(self, node: m.Pick, who: str, dice: Dice, count: int, scope: Scope) -> Dice:
        if node.how == "highest":
            return dice[:count]
        if node.how == "lowest":
            return bag(dice[len(dice) - count :]) if count else ()
        least = 0 if node.how == "up to" else count
        if count == 0:
            return ()
        if least == count and (count == len(dice) or len(set(dice)) == 1):
            self.note("forced", who, tuple(face for face, _ in dice[:count]))
            return dice[:count]
        return cast(Dice, self.decide(Keep(who, node.verb, dice, least, count, self.why(scope)), scope))

    # ------------------------------------------------------------ choices

    def decide(self, effect: Any, scope: Scope) -> Any:
        self.note("asked", self.state)
        answer = self.perform(effect, scope)
        if not allowed(effect, answer):
            raise RuleError(f"`{answer}` is not one of the answers", scope)
        self.note("choose", effect, answer)
        return answer

    def choose(self, node: m.Choose, scope: Scope) -> Scope:
        who = str(self.value(node.who, scope))
        if isinstance(node.members, m.Range):
            low, high = self.number(node.members.low, scope), self.number(node.members.high, scope)
            return self.bring(node.word, self.chosen_number(who, node.word, low, high, scope), scope)
        found = tuple(one for one in self.members(node.members, scope, who) if self.forbidden(who, "use", str(one)) is None)
        if not found:
            self.note("nothing-to-choose", who, node.word)
            raise Skipped
        if len(found) == 1:
            self.note("forced", who, found)
        chosen = found[0] if len(found) == 1 else self.decide(Choose(who, node.word, found, tuple(map(self.named, found)), self.why(scope)), scope)
        return self.bring(node.word, chosen, scope)

    def choose_one(self, node: m.ChooseOne, scope: Scope) -> Scope:
        who = str(self.value(node.who, scope))
        options = {option.label: option for option in node.options if self.possible(option.body, scope)}
        labels = tuple(options)
        if node.any:
            picked = cast(tuple[str, ...], self.decide(Several(who, node.word or "any", labels, self.why(scope)), scope)) if labels else ()
            for label in picked:
                scope = self.body(options[label].body, scope)
            return self.bring(node.word, picked, scope) if node.word else scope
        asked = (*labels, None) if node.optional else labels
        if not labels:
            if node.optional:
                return scope
            raise Skipped
        if len(asked) == 1:
            self.note("forced", who, asked)
        chosen: str | None = (
            asked[0]
            if len(asked) == 1
            else self.decide(Choose(who, node.word or "option", asked, (*labels, "nothing")[: len(asked)], self.why(scope)), scope)
        )
        if chosen is None:
            return scope
        if node.word:
            scope = self.bring_choice(who, node.word, chosen, scope)
        return self.body(options[chosen].body, scope)

    def bring_choice(self, who: str, word: str, label: str, scope: Scope) -> Scope:
        return self.result_word(who, word, label, scope)

    def possible(self, body: m.Body, scope: Scope) -> bool:
        """Whether an option can be begun: what it hangs on holds, its first payments can be made, what it does is not forbidden, its first choice has
        something to choose from.
        """
        for node in body:
            match node:
                case m.Limited(limit, inside) if len(body) == 1:
                    return self.left(limit, self.limit_key(node, scope), scope.owner or "") and self.possible(inside, scope)
                case m.If(condition, inside) if len(body) == 1 and condition is not None:
                    return self.holds(condition, scope) and self.possible(inside, scope)
                case m.Transfer(who, "pays", amount) if amount.how == "fixed":
                    payer, stat = str(self.value(who, scope)), str(self.value(amount.stat, scope))
                    if not self.payable(payer, stat, self.amount(amount, payer, stat, "pays", scope)):
                        return False
                case m.Transfer(who, "pays", amount) if amount.how == "any":
                    if self.most_of_any(amount, str(self.value(who, scope)), str(self.value(amount.stat, scope)), scope) == 0:
                        return False
                case m.Do(procedure, roles, _):
                    if self.barred(procedure, {role: self.value(value, scope) for role, value in roles}):
                        return False
                case m.Pick(_, "draws", _, _, source, _):
                    return bool(self.cards_left(str(self.value(source, scope))))
                case m.Choose(_, m.Members() as members, _):
                    return bool(self.members(members, scope, self.value(node.who, scope)))
                case m.Say() | m.Give():
                    continue
                case _:
                    return True
        return True

    # ------------------------------------------------------------ shares

    def divide(self, node: m.DivideUp, scope: Scope) -> Scope:
        who, total = str(self.value(node.who, scope)), max(0, self.number(node.amount, scope))
        exprs = tuple(m.Stat(m.Thing(who), m.Thing(stat)) for stat in self.everything(node.kind)) if node.kind else node.places
        most_of = tuple(min(self.room(one, total, scope), total) for one in exprs)
        total = min(total, sum(most_of))
        if total == 0:
            return scope
        keys = tuple(self.place_key(one, scope) for one in exprs)
        effect = Share(who, total, node.exactly, tuple(self.place_name(one, who, scope) for one in exprs), most_of, self.why(scope), keys)
        for number, place in zip(cast(tuple[int, ...], self.decide(effect, scope)), exprs, strict=True):
            scope = self.adding(place)(number, scope)
        return scope

    def room(self, place: m.Expr, total: int, scope: Scope) -> int:
        """How far a number can still rise."""
        if not isinstance(place, m.Stat):
            return total
        who, stat = self.whose(place, scope)
        most = self.bounds(who, stat)[1]
        return total if most is None else max(0, most - self.stat(who, stat))

    def place_key(self, place: m.Expr, scope: Scope) -> tuple[str, str]:
        match place:
            case m.Stat():
                return self.whose(place, scope)[1], "value"
            case m.Bound(of, which):
                return self.whose(of, scope)[1], which
            case _:
                return "", ""

    def place_name(self, place: m.Expr, who: str, scope: Scope) -> str:
        """What somebody who shares out points reads: a number, or a bound of it, and whose it is where it is another's."""
        match place:
            case m.Stat(of, stat):
                holder = self.value(of, scope)
                return self.named(self.value(stat, scope)) if holder == who else f"{self.named(holder)}'s {self.named(self.value(stat, scope))}"
            case m.Bound(of, which):
                return f"{self.place_name(of, who, scope)}'s {which}"
            case m.Thing(id):
                return self.named(id)
            case m.Stored(_, label):
                return label
            case m.Local(word) | m.Hung(_, word):
                return word
            case _:
                return "number"

    def adding(self, place: m.Expr) -> Callable[[int, Scope], Scope]:
        def add(number: int, scope: Scope) -> Scope:
            if isinstance(place, m.Stat | m.Bound | m.Stored):
                if number:
                    self.set_stored(place, self.number(place, scope) + number, scope)
                return scope
            return self.give(m.Give(place, "becomes", m.Arithmetic("+", place, m.Int(number))), scope)

        return add


def without(all_: tuple[T, ...], taken: tuple[T, ...]) -> tuple[T, ...]:
    left = list(all_)
    for one in taken:
        left.remove(one)
    return tuple(left)
