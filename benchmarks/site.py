# ruff: noqa: E402
"""How long printing takes against MkDocs, and how heavy the pages are: `python benchmarks/site.py`.

A generated pack has a chapter a page: prose with links, a list, two definitions with their rules, a random table. `te-forge build` reads, checks and
prints it. Against it stands `mkdocs build` with its built-in theme over the same pages as Markdown, in sections of 75 pages, with the search that
both have. Both are whole processes, run one after the other; times are CPU seconds, all are printed, and the median counts. `--rounds` says how many
pairs of runs the smaller sizes get.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT)]

from pack import HEAD, lines_of, name

SIZES = (250, 500, 3000)
GOALS = {500: 1.0, 3000: 0.35}
SECTION = 75
MOST_BYTES = 60_000
PACK_HEAD = "id: generated\ntitle: The Book of Things\nversion: 1.0.0\nauthors: [Nobody]\nlicense: CC0 1.0\n"
WINDS = ("North", "South", "East", "West")
PLACES = (
    "in the cellar",
    "under the bridge",
    "behind the mill",
    "on the hill",
    "at the ford",
    "in the old tower",
    "by the well",
    "among the reeds",
    "at the gate",
    "in the chapel",
)
DOINGS = (
    "waits for somebody",
    "counts the days",
    "hides what it found",
    "sleeps until dusk",
    "listens at the door",
    "keeps a light burning",
    "mends its nets",
    "writes a letter",
)


def title(page: int) -> str:
    return f"{WINDS[page % 4]} Road {name(page)[6:]}"


def two(page: int) -> tuple[int, int]:
    """The definitions of a page."""
    return 2 * page, 2 * page + 1


Mention = Callable[[int], str]


def paragraphs(page: int, thing: Mention) -> Iterator[str]:
    """Prose that mentions the definitions of this and of earlier pages."""
    here, there = two(page)
    for number in range(4):
        place, doing = PLACES[(page + 3 * number) % 10], DOINGS[(page + number) % 8]
        far = (here * 7 + number) % (here + 2)
        yield (
            f"Somebody {place} {doing}, and nobody in the village can say why. Ask for {thing(far)} and you are sent away; bring {thing(here if number % 2 else there)}\n"
            f"along and the door opens a little. It is {PLACES[(page + number + 5) % 10]} that the trouble begins, and it *begins* early in the morning,\n"
            f"when the **mist** stands between the houses.\n"
        )


def points(page: int) -> list[str]:
    return [f"* Whoever {DOINGS[(page + n) % 8]} {PLACES[(page + 2 * n) % 10]} is not to be trusted." for n in range(5)]


def table(page: int, head: str) -> list[str]:
    rows = [f"| {n + 1} | Someone {PLACES[(page + n) % 10]} {DOINGS[(page + 3 * n) % 8]}. |" for n in range(10)]
    return ["What is seen on the way.", "", f"| d10 | {head} |", "|-----|------|", *rows, ""]


def sights(page: int) -> str:
    return f"Sights {name(page)[6:]}"


def as_te(page: int) -> str:
    out = [
        f"# {title(page)}",
        "",
        *paragraphs(page, lambda number: f"[[{name(number)}]]"),
        f"Look around: [[{sights(page)}]].",
        "",
        *points(page),
        "",
    ]
    for number in two(page):
        out += [f"## gear: {name(number)}", "A thing that is worth the walk.", *(f"- {line}" for line in lines_of(number)), ""]
    return "\n".join([*out, f"## table: {sights(page)}", *table(page, "text")])


def address(page: int) -> str:
    return f"part{page // SECTION + 1}/p{page:04}.md"


def link(text: str, target: int, page: int) -> str:
    return f"[{text}]({'' if target == page else '../' + address(target)}#{text.lower().replace(' ', '-')})"


def as_markdown(page: int) -> str:
    """The same page, with the links that the book has."""
    out = [
        f"# {title(page)}",
        "",
        *paragraphs(page, lambda number: link(name(number), number // 2, page)),
        f"Look around: {link(sights(page), page, page)}.",
        "",
        *points(page),
        "",
    ]
    for number in two(page):
        out += [f"## {name(number)}", "", "A thing that is worth the walk.", ""]
        taken = name(number // 2)
        for line in lines_of(number):
            label, _, said = line.partition(": ")
            out.append(f"* **{label}.** {said.replace(taken, link(taken, number // 4, page))}")
        out.append("")
    return "\n".join([*out, f"## {sights(page)}", "", *table(page, "Result")])


def write_pack(pages: int, folder: Path) -> None:
    """A pack as a designer would have it: a file for each part of the book."""
    (folder / "rules").mkdir(parents=True)
    (folder / "pack.yaml").write_text(PACK_HEAD, encoding="utf-8")
    (folder / "rules" / "0000.te").write_text(HEAD, encoding="utf-8")
    for first in range(0, pages - 1, SECTION):
        text = "\n".join(as_te(page) for page in range(first, min(first + SECTION, pages - 1)))
        (folder / "rules" / f"part{first // SECTION + 1:04}.te").write_text(text, encoding="utf-8")


def write_markdown(pages: int, folder: Path) -> None:
    docs = folder / "docs"
    config = ["site_name: The Book of Things", "theme: {name: mkdocs, highlightjs: false}", "use_directory_urls: false", "plugins: [search]", ""]
    for page in range(pages - 1):
        path = docs / address(page)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(as_markdown(page), encoding="utf-8")
    (docs / "index.md").write_text(
        "# The Book of Things\n\n" + "\n".join(f"* [{title(page)}]({address(page)})" for page in range(pages - 1)) + "\n", encoding="utf-8"
    )
    (folder / "mkdocs.yml").write_text("\n".join(config), encoding="utf-8")


def cpu(command: list[str], folder: Path) -> float:
    before = os.times()
    done = subprocess.run(command, cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False)
    after = os.times()
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return after.children_user + after.children_system - before.children_user - before.children_system


def weigh(book: Path) -> list[tuple[int, str]]:
    """Pages with their weight: the page, and the page with what every page loads with it."""
    return sorted(((path.stat().st_size, path.name) for path in book.glob("*.html")), reverse=True)


def shared_weight(book: Path) -> int:
    return sum((book / path).stat().st_size for path in ("css/book.css", "js/book.js", "js/theme.js"))


def measure(pages: int, rounds: int, work: Path) -> tuple[float, float]:
    """CPU seconds of ours and of theirs (medians), after printing them; the book is left in `work`."""
    write_pack(pages, work / "pack")
    write_markdown(pages, work / "theirs")
    pairs = []
    for _ in range(rounds):
        ours = cpu([sys.executable, "-m", "te_forge", "build", "pack", "-o", "book"], work)
        theirs = cpu([sys.executable, "-m", "mkdocs", "build", "-q", "-f", "theirs/mkdocs.yml", "-d", "site"], work)
        pairs.append((ours, theirs))
        print(f"  {pages:>5} pages: ours {ours:7.2f} s, MkDocs {theirs:7.2f} s, ratio {ours / theirs:.2f}", flush=True)
    return statistics.median(pair[0] for pair in pairs), statistics.median(pair[1] for pair in pairs)


def report_weight(book: Path) -> None:
    pages, shared = weigh(book), shared_weight(book)
    heavy = sum(size + shared > MOST_BYTES for size, _ in pages)
    print(
        f"  {len(pages)} pages, {heavy} of more than {MOST_BYTES / 1000:.0f} KB; style and scripts that each loads: {shared / 1000:.1f} KB. The heaviest, bare and with these:"
    )
    kinds = {"the home page": "index.html", "the glossary": "glossary.html", "the index": "alphabetical-index.html", "the contents": "contents.html"}
    for size, page in pages[:6]:
        print(f"    {size / 1000:6.1f} KB {(size + shared) / 1000:6.1f} KB  {page}")
    for what, page in kinds.items():
        if (book / page).is_file():
            size = (book / page).stat().st_size
            print(f"    {size / 1000:6.1f} KB {(size + shared) / 1000:6.1f} KB  {page} ({what})")
    for script in ("js/terms-0.js", "js/search-data.js"):
        print(f"    {(book / script).stat().st_size / 1000:6.1f} KB            {script} (loaded when it is wanted)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sizes", nargs="*", type=int, default=list(SIZES))
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    found: dict[int, tuple[float, float]] = {}
    for pages in given.sizes:
        work = Path(tempfile.mkdtemp(prefix="te-site-"))
        try:
            found[pages] = measure(pages, given.rounds if pages <= 500 else 1, work)
            report_weight(work / "book")
        finally:
            shutil.rmtree(work, ignore_errors=True)
    print()
    for pages, (ours, theirs) in found.items():
        print(f"CPU({pages}): {ours / theirs:.2f}x of MkDocs{goal(GOALS.get(pages))}")
    if 250 in found and 500 in found:
        print(f"CPU(500) / CPU(250): {found[500][0] / found[250][0]:.2f}{goal(2.5)}")


def goal(most: float | None) -> str:
    return f" (at most {most:.2f})" if most else ""


if __name__ == "__main__":
    main()
