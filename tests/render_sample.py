"""A small game made by hand, and one full of hostile names: what the renderer is tested on before a checker can make systems."""

from __future__ import annotations

from dataclasses import replace

from te_forge.model.pack import PackInfo, Work
from te_forge.model.rules import NUMBER, Int, Text, Thing, Type
from te_forge.model.system import (
    Bulk,
    Cell,
    Chapter,
    Entry,
    Field,
    Grid,
    KindInfo,
    Line,
    Patch,
    Prose,
    Ref,
    RollTable,
    Row,
    Shown,
    Slot,
    Step,
    System,
    Words,
)  # fmt: skip
from te_forge.render.places import slug
from te_forge.source import Span

AT = Span("sample/rules/a.te", 1, 1, 5)
PACK = "lanterns"

HOSTILE = (
    "<script>alert(1)</script>", "{{ x }}", "{% raw %}", "Fallen Warlord: Realm-Breaker", "Мрак", "龍の息", "a|b \"c\" 'd' {e}", "</title>",
    "&amp; & &lt;", "../../etc/passwd", "index", "con", "🔥", "Nul", "--><img src=x onerror=alert(1)>",
)  # fmt: skip

SNIPPETS = (
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<iframe src=//evil.example></iframe>", "[a](javascript:alert(1))", "[a](JaVaScRiPt:alert(1))",
    "[a]( javascript:alert(1))", "[a](vbscript:x)", "[a](data:text/html,<script>1</script>)", "![a](http://evil.example/x.png)", "![a](//evil.example/x.png)",
    "![a](assets/../../x.png)", "![a](assets/none.png)", "<a href=javascript:alert(1)>x</a>", "<svg/onload=alert(1)>", "<base href=//evil.example>",
    "<meta http-equiv=refresh content=0>", "<form action=//evil.example>", "<style>*{}</style>", "# x {: onclick=alert(1)}", "[x]: javascript:alert(1)\n\n[x]",
    "<http://evil.example/\"onmouseover=1>", "<javascript:alert(1)>", "`<script>`", "    <script>", "|a|\n|-|\n|<script>|", "&#60;script&#62;", "{{ 7*7 }}",
    "{% include 'x' %}", "\ue000\ue010\ue001", "<details open ontoggle=alert(1)>", "[a](http://x.example \"\\\" onmouseover=alert(1)\")", "<!-- --><script>x</script>",
)  # fmt: skip


def id_of(kind: str, name: str) -> str:
    return f"{PACK}:{kind}/{slug(name)}"


def ref(kind: str, name: str, text: str = "") -> Ref:
    return Ref(id_of(kind, name), text or name)


def prose(*words: str | Ref | Shown) -> tuple[Prose, ...]:
    return (Prose(words, AT),)


def field(kind: str, name: str, label: str, words: Words | str, *value: object) -> Field:
    said: Words = (words,) if isinstance(words, str) else words
    return Field(f"{id_of(kind, name)}#{slug(label)}", label, said, value or (Int(1),), AT)  # type: ignore[arg-type]


def fields(kind: str, name: str, **stated: Words | str) -> dict[str, Field]:
    made = [field(kind, name, label.replace("_", " "), words) for label, words in stated.items()]
    return {slug(one.label): one for one in made}


def line(id: str, label: str, *words: str | Ref, lines: tuple[Line, ...] = ()) -> Line:
    return Line(id, label, words, AT, lines)


def entry(kind: str, name: str, text: str = "", **more: object) -> Entry:
    given = dict(more)
    given.setdefault("prose", prose(text) if text else ())
    return Entry(id_of(kind, name), kind, name, AT, **given)  # type: ignore[arg-type]


def kinds() -> dict[str, KindInfo]:
    made = (
        ("keeper", "actor", (), "keepers"), ("wanderer", "actor", (), "wanderers"), ("shade", "actor", (), "shades"), ("gift", "number", ("wanderer",), "gifts"),
        ("pool", "number", ("wanderer",), "pools"), ("craft", "number", ("wanderer",), "crafts"), ("calling", "entry", (), "callings"), ("knack", "trait", ("wanderer",), "knacks"),
        ("gear", "entry", (), "gear"),
    )  # fmt: skip
    return {name: KindInfo(name, id_of("kind", name), nature, of, plural) for name, nature, of, plural in made}


def numbers() -> list[Entry]:
    gifts = [("Brawn", "Lifting, holding, not falling over."), ("Wits", "Seeing what others miss."), ("Voice", "The weight of your words.")]
    crafts = [("Hide", "Not being seen; use it when you hide."), ("Climb", "Up, and mostly down again."), ("Barter", "Getting more for less.")]
    return [
        *(entry("gift", name, text, fields=fields("gift", name, Starts="2", At_Most="5")) for name, text in gifts),
        *(entry("craft", name, text, fields=fields("craft", name, Cost="1", Gift=(ref("gift", "Wits"),))) for name, text in crafts),
        entry(
            "pool", "Oil", "What keeps the lantern burning. Never below its least.", aliases=("Drop of Oil", "Drops"), cites=("LN-4",),
            fields=fields("pool", "Oil", Of="a wanderer", Starts=("greater of ", ref("gift", "Wits"), " and 2"), At_Least="0"),
            lines=(line("dry", "Dry", "after reaching 0 of ", ref("pool", "Oil"), " by the owner: the owner takes ", ref("knack", "Lost In The Dark")),),
        ),
        entry("pool", "Lantern Oil", "Oil set aside for the long night.", fields=fields("pool", "Lantern Oil", Starts="0")),
    ]  # fmt: skip


def blocks() -> list[Entry]:
    calling = entry(
        "calling", "Lamplighter", "You walk first. Nobody who walks behind a [[Lamplighter]] trips.", cites=("LN-5",),
        fields=fields("calling", "Lamplighter", Oil="5", Gift=(ref("gift", "Voice"), " +1"), Carries=(ref("gear", "Long Rope"), " and ", ref("gear", "Bronze Bell"))),
        parts=(id_of("knack", "Steady Flame"),),
    )  # fmt: skip
    flame = entry(
        "knack", "Steady Flame", "Wind does not trouble you.", owner=calling.id,
        fields=fields("knack", "Steady Flame", Cost=("1 ", ref("pool", "Oil")), Uses=("once per ", ref("procedure", "Night"))),
        lines=(line("keep", "Keep", "before ", ref("procedure", "Night"), " with the owner as the walker: the amount is 1 less"),),
    )  # fmt: skip
    lost = entry("knack", "Lost In The Dark", "", lines=(line("stop", "Stop", "the owner cannot do any procedure"),))
    return [
        calling,
        flame,
        lost,
        *(entry("gear", name, text) for name, text in (("Long Rope", "Twenty paces of it."), ("Bronze Bell", "It carries in fog."))),
    ]


def shades() -> list[Entry]:
    made = (
        ("Moth Swarm", 1, 3, "Wings against the glass."),
        ("Pale Hound", 3, 4, "It has followed you since dusk."),
        ("Hollow King", 5, 9, "He was here first."),
    )
    return [
        entry(
            "shade", name, text,
            fields=fields("shade", name, Dark=str(dark), Body=str(body), Knacks=(ref("knack", "Lost In The Dark"),), Fears=("the sound of a ", ref("gear", "Bronze Bell"), " rung three times")),
        )
        for name, dark, body, text in made
    ]  # fmt: skip


def procedures() -> list[Entry]:
    night = entry(
        "procedure", "Night", "From dusk to dawn. Somebody keeps the lantern.", cites=("LN-7",),
        fields=fields("procedure", "Night", Roles=("a wanderer as the walker",), Outcomes=("Dawn, Dark",)),
        slots={"total": Slot("total", NUMBER, ("a number",), (Int(0),), "what the dice add up to", AT), "walker": Slot("walker", Type("actor", "wanderer"), (), None, "", AT)},
        steps=(
            Step(f"{id_of('procedure', 'Night')}#light", "Light", ("Say who carries the lantern, and spend Oil. *Quietly.*",), (line("light/pay", "Pay", "the walker pays 1 ", ref("pool", "Oil")),), (), AT),
            Step(
                f"{id_of('procedure', 'Night')}#walk", "Walk", (), (
                    line("walk/roll", "Roll", "the walker rolls the walker's ", ref("gift", "Wits"), " d6 as the roll"),
                    line(
                        "walk/choose", "Choose", "the walker chooses one:",
                        lines=(line("walk/choose/run", "Run", "the walker loses 1 ", ref("pool", "Oil")), line("walk/choose/hide", "Stay", "nothing")),
                    ),
                ), ("LN-8",), AT,
            ),
            Step(f"{id_of('procedure', 'Night')}#dawn", "Dawn", ("A tie is open.",), (line("dawn/win", "Win", "if the walker's total is above 7: end with Dawn"), line("dawn/lose", "Lose", "otherwise: end with Dark")), ("LN-9",), AT),
        ),
    )  # fmt: skip
    dark = entry(
        "rule",
        "Dark From Ones",
        "",
        cites=("LN-9",),
        lines=(line("ones", "Ones", "after a roll by a wanderer: the keeper gains 1 ", ref("pool", "Oil"), " for each die showing 1"),),
    )
    return [night, dark]


def tables() -> list[Entry]:
    rows = (
        (2, 4, "Mist", "You hear Oil drip.", ()),
        (5, 9, "Eyes", "Something looks at you.", ("the walker loses 1 ", ref("pool", "Oil"))),
        (10, 12, "Dawn Bird", "It is over early.", ("end with Dawn",)),
    )
    table = RollTable(
        "2d6", ("2d6", "row", "text", "effect"),
        tuple(Row(slug(name), name, low, high, {"text": Cell((text,)), "effect": Cell(effect, (object(),) if effect else ())}, AT) for low, high, name, text, effect in rows), AT,  # type: ignore[arg-type]
    )  # fmt: skip
    marks = tuple(Row(f"m{at}", "", at, at, {"text": Cell((f"The bell strikes {at}.",))}, AT) for at in (3, 6))
    tens = tuple(Row(f"d{low}", "", low, high, {"text": Cell((text,))}, AT) for low, high, text in ((11, 36, "A hat"), (41, 66, "A key")))
    return [
        entry("table", "On the Road", "Rolled once a [[Night]].", table=table),
        entry("table", "The Bell", "", table=RollTable("at", ("at", "text"), marks, AT)),
        entry("table", "Pockets", "", table=RollTable("d66", ("d66", "text"), tens, AT)),
    ]


def hacks() -> list[Entry]:
    grim = entry(
        "hack", "Grim Nights", "For those who like it dark.", parts=(id_of("rule", "No Second Wind"),),
        patches=(Patch("changes", id_of("rule", "Dark From Ones"), (line("ones", "Ones", "the keeper gains 2 ", ref("pool", "Oil")),), (), (), AT), Patch("deletes", id_of("gear", "Long Rope"), (), (), (), AT)),
    )  # fmt: skip
    wind = entry("rule", "No Second Wind", "", owner=grim.id, lines=(line("none", "None", "a wanderer cannot gain ", ref("pool", "Oil")),))
    quoted = {"reads": ("Reads", "a tie is Dark"), "why": ("Why", "the night is long"), "other": ("Other", "a tie is Dawn")}
    ruling = entry(
        "ruling", "A Tie At Dawn", "Who wins a tie of [[Night]]?", cites=("LN-9",),
        fields={key: field("ruling", "A Tie At Dawn", label, f'"{text}"', Text(text)) for key, (label, text) in quoted.items()},
    )  # fmt: skip
    kind = entry(
        "kind", "gear", "What a wanderer carries.", fields=fields("kind", "gear", Is="an entry"),
        slots={"cost": Slot("Cost", NUMBER, ("a number",), (Int(0),), "in coins", AT)},
    )  # fmt: skip
    reading = entry(
        "reading", "Kind Dawn", "", fields={"answers": field("reading", "Kind Dawn", "Answers", (ref("ruling", "A Tie At Dawn"),), Thing(ruling.id))},
        patches=(Patch("changes", id_of("procedure", "Night"), (line("dawn/win", "Win", "end with Dawn"),), (), (), AT),),
    )  # fmt: skip
    example = entry(
        "example",
        "A Bad Night",
        "",
        steps=(
            Step(
                "#s1", "Dusk", ("Ann lights the lantern.",), (line("s1/1", "", "do ", ref("procedure", "Night"), " with Ann as the walker"),), (), AT
            ),
        ),
    )
    return [grim, wind, ruling, reading, kind, example]


def linked(made: Entry) -> Entry:
    """`[[Name]]` in the sample's prose, for entries named so."""
    places = {"Lamplighter": "calling", "Night": "procedure"}
    out: list[Prose] = []
    for run in made.prose:
        words: list[str | Ref | Shown] = []
        for part in run.words:
            bits = part.replace("]]", "[[").split("[[") if isinstance(part, str) else [part]
            words += [ref(places[bit], bit) if n % 2 and isinstance(bit, str) else bit for n, bit in enumerate(bits)]
        out.append(replace(run, words=tuple(word for word in words if word)))
    return replace(made, prose=tuple(out))


PACK_INFO = PackInfo(
    id=PACK, title="Lanterns at Dusk", version="1.2.0", subtitle="A small game of walking home", authors=("Ada Writer",), license="CC BY 4.0",
    license_url="https://creativecommons.org/licenses/by/4.0/",
    sources=(Work(title="Old Lamps", authors=("B. Maker",), license="CC BY 4.0", url="https://example.org/", attribution='This work draws on "Old Lamps" by B. Maker.', changes="Shorter nights."),),
    credits=("Maps: nobody",), marks=("Lit by Dusk",),
)  # fmt: skip


def chapter(name: str, *items: Prose | Bulk | Grid | str, cites: tuple[str, ...] = ()) -> Chapter:
    return Chapter(f"{PACK}:chapter/{slug(name)}", name, cites, items, AT)


def bulk(kind: str, columns: tuple[str, ...], *names: str) -> Bulk:
    return Bulk(kind, columns, tuple(id_of(kind, name) for name in names), AT)


def sample() -> System:
    entries = {made.id: linked(made) for made in (*numbers(), *blocks(), *shades(), *procedures(), *tables(), *hacks())}
    start = Shown(id_of("gift", "Brawn"), "2")
    intro = "Dusk falls, and somebody has to walk home. Each gift starts at "
    chapters = (
        chapter("Before You Walk", *prose(intro, start, ". Oil runs low; spend Oil with care, and Brawn’s no help. Hide when you can.\n\nMost people do `Oil` wrong. Read **this** twice:\n\n* Lantern Oil lasts\n* Climb well\n\n### A Word on Wits\n\nWits matter."), Grid(("time", "light"), (("dusk", ("Some ", ref("pool", "Oil"))), ("night", ("none",))), AT)),  # type: ignore[arg-type]
        chapter("Gifts and Crafts", *prose("Three gifts."), bulk("gift", ("gift", "text"), "Brawn", "Wits", "Voice"), bulk("craft", ("craft", "Cost", "Gift", "text"), "Hide", "Climb", "Barter"), id_of("pool", "Oil"), id_of("pool", "Lantern Oil")),
        chapter("Callings", id_of("calling", "Lamplighter"), id_of("knack", "Lost In The Dark"), bulk("gear", ("gear", "text"), "Long Rope", "Bronze Bell"), id_of("kind", "gear")),
        chapter("The Night", id_of("procedure", "Night"), id_of("rule", "Dark From Ones"), id_of("table", "On the Road"), id_of("table", "The Bell"), id_of("table", "Pockets")),
        chapter("Shades", *prose("What waits between the lamps."), bulk("shade", ("shade", "Dark", "Body", "Knacks", "Fears", "text"), "Moth Swarm", "Pale Hound", "Hollow King")),
        chapter("Rulings and Hacks", id_of("ruling", "A Tie At Dawn"), id_of("reading", "Kind Dawn"), id_of("hack", "Grim Nights"), id_of("example", "A Bad Night")),
    )  # fmt: skip
    users = {id_of("pool", "Oil"): (id_of("procedure", "Night"), id_of("rule", "Dark From Ones"), id_of("knack", "Steady Flame"))}
    return System((PACK_INFO,), kinds(), entries, chapters, users)


def hostile() -> System:
    """The sample with entries, chapters, labels and prose that try to break out."""
    base = sample()
    made = [
        replace(
            entry("gear", name, ""), id=f"{PACK}:gear/h{n}", name=name, aliases=(name + " alias",), prose=prose(f"{name} and {snippet}", "\n\n", snippet),
            fields=fields("gear", name, Cost=name), lines=(line(f"l{n}", name, name, ref("pool", "Oil", name)),), cites=("LN-9",),
        )
        for n, (name, snippet) in enumerate(zip(HOSTILE * 3, SNIPPETS, strict=False))
    ]  # fmt: skip
    rows = tuple(Row(f"r{n}", name, n, n, {"text": Cell((name,)), name: Cell((name,))}, AT) for n, name in enumerate(HOSTILE, 1))
    table = entry("table", "Hostile", "", table=RollTable(f"d{len(HOSTILE)}", ("d15", "row", "text", HOSTILE[0]), rows, AT))
    chapters = (
        *base.chapters,
        *(chapter(name, *prose(snippet), made[n].id) for n, (name, snippet) in enumerate(zip(HOSTILE, SNIPPETS, strict=False))),
    )
    rest = chapter("Rest", bulk_of(made[len(HOSTILE) :]), table.id, Grid(HOSTILE[:2], ((("a|b", "c"), ("<b>",)),), AT))
    pack = replace(PACK_INFO, title=HOSTILE[0], subtitle=HOSTILE[1], authors=HOSTILE, license_url="javascript:alert(1)")
    return System((pack,), base.kinds, {**base.entries, **{one.id: one for one in [*made, table]}}, (*chapters, rest), base.users)


def bulk_of(entries: list[Entry]) -> Bulk:
    return Bulk("gear", ("gear", "Cost", "text"), tuple(one.id for one in entries), AT)
