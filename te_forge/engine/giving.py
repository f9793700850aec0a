"""Words get values, and rules last for a time."""

from __future__ import annotations

from typing import cast

from te_forge.engine.acting import MOST_LASTING, Acting
from te_forge.engine.effects import Look
from te_forge.engine.reading import Key, RuleError
from te_forge.engine.state import Coming, Lasting, Map, Postponed, Scope, Slot, Unseen, Value
from te_forge.frozen import replace
from te_forge.model import rules as m


class Giving(Acting):
    """Gives, changes and keeps values."""

    # ------------------------------------------------------------ words

    def bring(self, word: str, value: Value, scope: Scope) -> Scope:
        """The word gets a value: in the line's own scope behind an event, else in the frame."""
        if scope.own or word in scope.words:
            return scope.with_word(word, self.plain(value))
        self.store((scope.frame, "", word), Slot(value))
        return scope

    def store(self, key: Key, slot: Slot) -> None:
        frame = self.state.frames[key[0]]
        made = (
            frame.with_slots(frame.words.set(key[2], slot), frame.hung)
            if not key[1]
            else frame.with_slots(frame.words, frame.hung.set((key[1], key[2]), slot))
        )
        self.state = self.state.with_frame(key[0], made)

    def raw(self, key: Key) -> Slot:
        """The slot as it is stored, without the declared default."""
        frame = self.state.frames[key[0]]
        found = frame.words.get(key[2]) if not key[1] else frame.hung.get((key[1], key[2]))
        return found if found is not None else Slot()

    def slot(self, key: Key) -> Slot:
        raw = self.raw(key)
        if raw.base is None and key[1]:
            return replace(raw, base=self.default(self.state.frames[key[0]], key[2]))
        return raw

    def look(self, value: Unseen) -> Value:
        lot, value = self.state.lot(value)
        found, left = self.answer(Look(lot, value.values))
        self.state = self.state.with_lot(value.lot, left)
        return cast(Value, found)

    def result_word(self, who: str, word: str, value: Value, scope: Scope) -> Scope:
        """`as the roll`: hung on whoever did it where such a value is in reach of the procedure whose line it is, else a word. Behind an event, which may
        be no procedure's, it is both.
        """
        hangs = word in self.rules.in_reach.get(self.state.frames[scope.frame].procedure, ())
        if hangs:
            key = (self.home(word), who, word)
            self.store(key, Slot(value, fixed=self.raw(key).fixed))
        return scope if hangs and not scope.own else self.bring(word, value, scope)

    def give(self, node: m.Give, scope: Scope) -> Scope:
        target = node.target
        if isinstance(target, m.Local) and (target.word in scope.words or (scope.own and not self.in_frame(target.word, scope.frame))):
            return scope.with_word(target.word, self.plain(self.handed(node.value, scope)))
        key = self.key(target, scope)
        if key is None:
            self.set_stored(target, self.value(node.value, scope), scope)
            return scope
        raw = self.raw(key)
        if node.how == "will be":
            self.store(key, replace(raw, fixed=Postponed(node.value, self.waiting(scope, key[0]))))
            return scope
        value = self.handed(node.value, scope)
        fresh = node.how == "becomes" or raw.base is not None
        self.store(key, Slot(value, fixed=raw.fixed) if fresh else replace(raw, base=value))
        return scope

    def set_stored(self, target: m.Expr, value: Value, scope: Scope) -> None:
        match target:
            case m.Stat(of, stat):
                who, id = str(self.value(of, scope)), str(self.value(stat, scope))
                self.set_number(who, id, cast(int, value or 0))
            case m.Bound(of, which):
                who, id = self.whose(of, scope)
                self.state = replace(self.state, bounds=self.state.bounds.set((who, id, which), cast(int, value or 0)))
                self.note("bound-set", who, id, which, value)
            case m.Stored(of, label):
                self.state = replace(self.state, fields=self.state.fields.set((str(self.value(of, scope)), label), value))
            case _:
                raise RuleError("this cannot be given a value", scope)

    def contribute(self, node: m.Contribute | m.Lock, scope: Scope) -> Scope:
        key = self.key(node.target, scope)
        if key is None and isinstance(node.target, m.Local) and node.target.word not in scope.words:
            key = (scope.frame, "", node.target.word)  # a word of what it hooks into, before that has given it a base
        if key is not None:
            self.store(key, self.changed(self.raw(key), node, scope))
        elif isinstance(node.target, m.Local):
            value = self.changed(Slot(scope.words.get(node.target.word, 0)), node, scope).come_to()
            return scope.with_word(node.target.word, value)
        return scope

    def caught(self, scope: Scope) -> Scope:
        """The scope with the words of its frame as they are now, for a rule that outlives it."""
        frame = self.state.frames[scope.frame]
        words: dict[str, Value] = {word: self.plain(self.come_to((scope.frame, "", word))) for word in frame.words}
        return replace(scope, frame=0, words=Map({**words, **scope.words}), own=True)

    def waiting(self, scope: Scope, home: int) -> Scope:
        """The scope for a value that settles later, in the frame `home`: words of that frame and of those around it are read then, and those of
        frames inside it, which will be gone, are what they are now.
        """
        if scope.frame <= home:
            return scope
        inner = range(home + 1, scope.frame + 1) if scope.own else (scope.frame,)
        words = {word: self.plain(self.come_to((frame, "", word))) for frame in inner for word in self.state.frames[frame].words}
        return replace(scope, frame=home, words=Map({**words, **scope.words}), own=True)

    # ------------------------------------------------------------ what lasts

    def last(self, span: str, who: str, body: m.Body, scope: Scope) -> None:
        """`until X ends`: in the frame of X, or of the next X where none runs."""
        frame = self.running(span)
        rule = Lasting(body, self.caught(scope))
        if frame is None:
            self.wait(Coming(span, who, rule))
        else:
            self.install(frame, rule)

    def wait(self, one: Coming) -> None:
        """It begins with the next run of what it waits for."""
        self.not_too_many(self.state.coming, one.rule.scope)
        self.state = replace(self.state, coming=(*self.state.coming, one))

    def not_too_many(self, lasting: tuple[object, ...], scope: Scope) -> None:
        if len(lasting) >= MOST_LASTING:
            raise RuleError(f"more than {MOST_LASTING:,} rules would last at the same time{self.rules.where(scope.entry, scope.line)}", scope)

    def install(self, index: int, rule: Lasting) -> None:
        """What changes a value on its way or does something happens now; what listens, forbids or changes a stored number lasts."""
        keep: list[m.Sentence] = []
        scope = replace(rule.scope, frame=min(index, len(self.state.frames) - 1))
        for node in rule.body:
            if isinstance(node, m.On | m.While | m.Forbid) or (
                isinstance(node, m.Contribute | m.Lock) and not isinstance(node.target, m.Local | m.Hung)
            ):
                keep.append(node)
            else:
                scope = self.act(node, scope)
        if keep:
            frame = self.state.frames[index]
            self.not_too_many(frame.lasting, rule.scope)
            self.state = self.state.with_frame(index, replace(frame, lasting=(*frame.lasting, Lasting(tuple(keep), scope))))
