"""What can still be spoken of: the values that anything which may yet happen can mention.

The answer is a safe one: it may name more than will be read, never less. It is found by walking the sentences that are still to come, with everything
that they can set off (procedures that they run, rules that listen to what they do, tables that they roll on), and noting each hung value with those
whose it may be, and each word. Speaking of a value means reading or changing it: a change leaves a trace that a later base is added to.

Three things make it narrow enough to be of use. Roles are known: while `the roller` is Ann, `the roller's total` is Ann's. A procedure that is yet to
begin brings a frame of its own, so what it declares and its words are not those that exist now (`hidden`, `local`; only rules behind an event look
for words further out). And a rule of a trait listens only for those who have the trait, unless something on the way can give it to others (`moves`).
"""

from __future__ import annotations

from typing import Any

from te_forge.engine.index import ids, sentences
from te_forge.engine.standing import Standing
from te_forge.engine.state import Map, Postponed, Scope, State
from te_forge.engine.whose import NOBODY, Holders, View, Whose, meet, of_value, union
from te_forge.engine.words import Words, below, brought
from te_forge.model import rules as m
from te_forge.model.system import Entry


class Reach(Whose):
    """Collects what can be mentioned from the roots that it is given, in one state."""

    def __init__(self, words: Words, state: State, moves: Holders = NOBODY) -> None:
        super().__init__(words, state, moves)
        self.taken: Holders = NOBODY
        self.hung: dict[str, Holders] = {}
        self.words: set[str] = set()
        self.results: set[str] = set()
        self.otherwise: set[str] = set()
        """The words that are spoken of in any other way than `the x becomes the x + 1`, which counts with them and does not look at them."""
        self.decks: set[str] = set()
        """The decks that are drawn from; an empty name is any of them."""
        self.begun: set[str] = set()
        """Those that begin anew first."""
        self.depth = len(state.frames) - 1
        """The frame that the sentences which are walked now belong to: those beyond it are gone when they run."""
        self.seen: set[Any] = set()

    def first(self, key: Any) -> bool:
        if key in self.seen:
            return False
        self.seen.add(key)
        return True

    # ------------------------------------------------------------ roots

    def standing(self) -> None:
        """What is looked at whenever a number is read or something is tried, and what lasts or is to come."""
        for one in (*self.rules.bans, *(change for all_ in self.rules.changes.values() for change in all_)):
            owners = self.owners(one.entry)
            if owners != NOBODY:
                view = View(Map({"owner": owners}))
                self.walk(one.conditions, view)
                self.walk(one.node, view)
        self.walk(self.words_of.stated, View())
        for frame in self.state.frames:
            for rule in frame.lasting:
                if self.first(("lasting", id(rule.body), rule.scope)):
                    self.walk(rule.body, View(self.meant(rule.scope)))
        for waiting in self.state.coming:
            self.walk(waiting.rule.body, View(self.meant(waiting.rule.scope)).coming(self.rules.declared.get(waiting.span, ())))

    def postponed(self, one: Postponed) -> None:
        self.walk(one.expr, View(self.meant(one.scope)))

    def round(self, body: m.Body, scope: Scope, rest: tuple[m.Sentence | m.Condition, ...]) -> None:
        """Of sentences that are done once, these, with a condition that is asked then."""
        words = self.in_frame(scope.frame).words
        assigned = {word for one in sentences(body) for word in brought(one)}
        own = {word: of_value(value) for word, value in scope.words.items() if word not in assigned and word not in self.words_of.given_by_hooks}
        owner = {"owner": frozenset((scope.owner,))} if scope.owner is not None else {}
        self.walk(rest, View(Map({**words, **owner, **own})))

    def step_in(self, entry: Entry, number: int, depth: int, rest: m.Body | None = None) -> None:
        self.step(entry, number, self.in_frame(depth), frozenset(self.state.frames[depth].rolled), rest)

    def ending(self, entry: Entry, depth: int) -> None:
        """What may come after the last step: rules that listen to the end, and steps that something goes back to."""
        view = self.in_frame(depth)
        for id in self.rules.lineage[entry.id]:
            self.heard("procedure", id, view, self.doer(entry, view))
        back = next((at for at, step in enumerate(entry.steps) if step.id in self.rules.returns), len(entry.steps))
        for number in range(back, len(entry.steps)):
            self.step_in(entry, number, depth)

    # ------------------------------------------------------------ happenings

    def procedure(self, id: str, bound: dict[str, Holders], view: View) -> None:
        """A procedure that begins anew: its frame holds what it declares."""
        entry = self.rules.entries.get(id)
        if entry is None:
            return
        changing = self.words_of.assigned.get(id, NOBODY)
        words = Map({role: holders for role, holders in bound.items() if role not in changing})
        under = View(words, view.hidden | frozenset(self.rules.declared.get(id, ())) | self.fresh(id), False)
        who = next(iter(bound.values()), None)
        if not self.first(("do", id, under, who)):
            return
        for other in self.rules.lineage[id]:
            self.heard("procedure", other, under, who)
        for number in range(len(entry.steps)):
            self.step(entry, number, under, NOBODY)

    def fresh(self, id: str) -> frozenset[str]:
        """The decks that begin anew with this procedure: what is drawn in it does not come from what is left now. None if it would run inside itself."""
        spans = frozenset(self.rules.lineage[id])
        if any(not spans.isdisjoint(self.rules.lineage.get(frame.procedure, ())) for frame in self.state.frames[: self.depth + 1]):
            return NOBODY
        return frozenset(
            one.id
            for one, refills in self.rules.refilled
            if one.kind == "deck" and any(isinstance(atom, m.Each) and atom.span in spans for atom in refills)
        )

    def doer(self, entry: Entry, view: View) -> Holders:
        return view.words.get(self.roles_of(entry)[0]) if self.roles_of(entry) else None

    def roles_of(self, entry: Entry) -> list[str]:
        stated = entry.fields.get("roles")
        return [atom.word for atom in stated.value if isinstance(atom, m.Holds)] if stated is not None else []

    def step(self, entry: Entry, number: int, view: View, rolled: frozenset[str], rest: m.Body | None = None) -> None:
        step = entry.steps[number]
        self.heard("step", step.id, view, self.doer(entry, view))
        if self.rules.step(entry, "counts") == number:
            self.heard("roll", "", view, self.rollers(entry, view, rolled))
        for body in [line.meaning for line in step.lines] if rest is None else [rest]:
            self.walk(body, view)

    def rollers(self, entry: Entry, view: View, rolled: frozenset[str]) -> Holders:
        """Who may have rolled when dice are counted in a procedure."""
        if self.words_of.hooks_roll:
            return None
        found: Holders = rolled
        for one in self.words_of.in_steps(entry):
            if isinstance(one, m.Roll) and one.source is None:
                found = union(found, self.holders(one.who, view))
        return found

    def heard(self, what: str, id: str, view: View, who: Holders) -> None:
        for when in ("before", "after", "instead"):
            for one in self.rules.listeners.get((when, what, id), ()):
                self.hook(one, view, who)

    def hook(self, one: Standing, view: View, who: Holders) -> None:
        """A rule that listens; nothing when it is about others."""
        on = one.node
        assert isinstance(on, m.On)
        view = view.behind().bind("owner", self.owners(one.entry))
        for party in on.event.parties:
            view = self.party(party, view, who)
        if view.words["owner"] == NOBODY or not self.first(("hook", id(on), view)):
            return
        self.walk(one.conditions, view)
        if on.event.level is not None:
            self.walk(on.event.level, view)
        self.walk(on.body, view)

    def party(self, party: m.Party, view: View, who: Holders) -> View:
        """Whom a listening rule means; when nobody fits, its owner becomes nobody."""
        taking = view.words.get(party.role) if party.role else who
        if party.role:
            self.say(party.role)
        if party.who is not None:
            self.walk(party.who, view)
            both = meet(self.holders(party.who, view), taking)
            if both == NOBODY or (isinstance(party.who, m.Local) and party.who.word == "owner"):
                return view.bind("owner", both)
            return view
        fitting = meet(self.of_kind(party.kind), taking)
        if fitting == NOBODY:
            return view.bind("owner", NOBODY)
        return view.bind(party.role, taking) if party.role else view.bind(party.kind, fitting)

    def stat(self, expr: m.Expr | None, view: View, who: Holders) -> None:
        """A number (any, where it is not named) may change."""
        if isinstance(expr, m.Thing) and self.rules.nature(self.rules.kind_of(expr.id)) == "trait":
            self.trait(expr, view, who)
            return
        named = frozenset((expr.id,)) if isinstance(expr, m.Thing) else None
        if not self.first(("stat", named, view.hidden, view.local, who)):
            return
        for (_, what, id), all_ in self.rules.listeners.items():
            if what in ("gain", "loss", "level") and (named is None or id in named):
                for one in all_:
                    self.hook(one, View(Map(), view.hidden, view.local), who)
        for entry in self.words_of.trackers:
            self.rows(entry, View(Map({"owner": frozenset((entry.id,))}), view.hidden, view.local))
        for id in named or ():
            entry_of = self.rules.entries.get(id)
            for other in ids(entry_of, "also-paid-from") if entry_of is not None else ():
                self.stat(m.Thing(other), view, None)

    def trait(self, expr: m.Expr, view: View, who: Holders) -> None:
        """A trait may be taken or dropped, with the numbers that it changes."""
        if not isinstance(expr, m.Thing):
            self.taken = None
            self.stat(None, view, who)
            return
        self.taken = union(self.taken, frozenset((expr.id,)))
        self.heard("gain", expr.id, View(Map(), view.hidden, view.local), who)
        self.heard("loss", expr.id, View(Map(), view.hidden, view.local), who)
        entry = self.rules.entries.get(expr.id)
        for one in entry.fields.values() if entry is not None else ():
            for atom in one.value:
                if isinstance(atom, m.Bonus):
                    self.stat(m.Thing(atom.stat), view, who)

    def rows(self, entry: Entry, view: View) -> None:
        view = view.behind()
        if entry.table is not None and self.first(("rows", entry.id, view)):
            for row in entry.table.rows:
                for cell in row.cells.values():
                    self.walk(cell.meaning, view)

    # ------------------------------------------------------------ sentences and expressions

    def walk(self, node: Any, view: View) -> None:
        match node:
            case str() | int() | None:
                return
            case m.Local(word):
                if view.local:
                    self.say(word)
                return
            case m.Give(m.Local(word), "becomes", m.Arithmetic("+" | "-", left, more)) if left == node.target:
                if view.local:
                    self.words.add(word)
                self.walk(more, view)
                return
            case m.Give(m.Hung(m.Thing() | m.Local() as of, word), "becomes", m.Arithmetic("+" | "-", left, more)) if (
                left == node.target and not self.is_result(of)
            ):
                self.speak(self.holders(of, view), word, view)
                self.walk((of, more), view)
                return
            case m.Hung(of, word):
                self.looked_at(word, view)
                self.speak(self.holders(of, view), word, view)
                if not isinstance(of, m.Thing | m.Local) or self.is_result(of):
                    self.results.add(word)
            case m.Among(_, what, group) if isinstance(group, m.Members):
                self.walk(group, view)
                self.walk(what, view.bind("member", self.group(group, view)))
                return
            case m.Members(of, _, _, where):
                self.walk(of, view)
                for one in where:
                    self.walk(one.key, view.bind("member", self.group(node, view)))
                    self.walk(one.value, view)
                return
            case m.ForEach(members, word, order, body):
                self.walk((members, order), view)
                kept = self.group(members, view) if all(word not in brought(one) for one in sentences(body)) else None
                self.walk(body, view.bind(word, kept))
                return
            case m.On(_, event, body):
                self.walk(body, self.listening(event, view.later()))
                return
            case m.InNext(span, of, body):
                self.walk(of, view)
                self.walk(body, view.coming(self.rules.declared.get(span, ())))
                return
            case m.Until() | m.While():
                view = view.later()
            case _:
                self.effect(node, view)
        for one in below(node):
            self.walk(one, view)

    def listening(self, event: m.Event, view: View) -> View:
        """Behind an event that a sentence of a step listens to."""
        self.walk(event.level, view)
        for party in event.parties:
            if party.role:
                self.say(party.role)
            self.walk(party.who, view)
            if party.kind:
                view = view.bind(party.role or party.kind, self.of_kind(party.kind))
        return view

    def effect(self, node: Any, view: View) -> None:
        """What a sentence sets off, and what it leaves."""
        match node:
            case m.Do(procedure, roles, _):
                self.procedure(procedure, {role: self.holders(value, view) for role, value in roles}, view)
            case m.Transfer(who, _, amount):
                self.stat(amount.stat, view, self.holders(who, view))
            case m.May(_, "cost", _, _):
                for id in self.words_of.costs:
                    self.stat(m.Thing(id), view, None)
            case m.May(who, m.Amount() as pays, _, _):
                self.stat(pays.stat, view, self.holders(who, view))
            case m.Give(target, _, _) if isinstance(target, m.Stat | m.Bound):
                self.stat(target.stat if isinstance(target, m.Stat) else None, view, None)
            case m.Give(m.Stored(), _, _):
                self.taken = None
            case m.DivideUp():
                self.stat(None, view, None)
            case m.Carry(who, _, trait):
                self.trait(trait, view, self.holders(who, view))
            case m.Roll(who, _, source, word):
                self.leaves(who, word, view)
                for entry in self.words_of.tables if source is not None else ():
                    self.rows(entry, View(Map({"owner": view.words.get("owner")}), view.hidden, view.local))
            case m.Pick(who, "draws", _, _, source, word):
                if not isinstance(source, m.Thing) or source.id not in view.hidden:
                    self.decks.add(source.id if isinstance(source, m.Thing) else "")
                else:
                    self.begun.add(source.id)
                self.leaves(who, word, view)
            case m.Pick(who, _, _, _, _, word) | m.ChooseOne(who, _, _, word, _):
                self.leaves(who, word, view)
            case _:
                pass
        if isinstance(node, m.Choose | m.Do | m.Roll | m.Pick | m.ChooseOne | m.Amount) and node.word and view.local:
            self.say(node.word)

    def say(self, word: str) -> None:
        self.words.add(word)
        self.otherwise.add(word)

    def looked_at(self, word: str, view: View) -> None:
        """A hung value is; one of a frame that is yet to come is another."""
        if word not in view.hidden:
            self.otherwise.add(word)

    def is_result(self, of: m.Expr) -> bool:
        """Whether a word may hold what a procedure left."""
        return isinstance(of, m.Local) and of.word in self.words_of.results

    def leaves(self, who: m.Expr, word: str, view: View) -> None:
        if word:
            self.looked_at(word, view)
            self.speak(self.holders(who, view), word, view)

    def speak(self, holders: Holders, word: str, view: View) -> None:
        if word not in view.hidden:
            self.hung[word] = union(self.hung.get(word, NOBODY), holders)
