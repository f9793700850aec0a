"""What a designer does in the first hour, and the sentence that leads on: a thing said twice, a column that is not declared, a command without its words."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from te_forge.check import check
from te_forge.cli import cli
from te_forge.model.pack import PackInfo
from te_forge.source import Source

INFO = PackInfo(id="small", title="A Small Game", version="1.0.0", authors=("Ada Example",))
HEAD = """# Parts
## kind: gm
- Is: an actor
- How Many: 1
## kind: diver
- Is: an actor
## kind: pool
- Is: a number
## pool: Air
- Of: a diver
- Starts: 9
## kind: gear
- Is: a trait of a diver

| label | holds    | default | text |
|-------|----------|---------|------|
| Price | a number | 1       | .    |

| gear | Price | text |
|------|-------|------|
| Lamp | 2     | .    |
| Rope | 2     | .    |

## procedure: Dive
- Roles: a diver as the diver

1. Sink.
   - Sink: the diver rolls Finds

## table: Finds

| d6  | text | effect                  |
|-----|------|-------------------------|
| 1-6 | .    | the roller loses 1 Air  |

# More
"""


@pytest.mark.parametrize(
    ("page", "code", "help"),
    [
        (
            "## hack: Short\n### pool: Air\n- Starts: 3\n",
            "duplicate-name",
            "to change it, write `### changes pool: Air`; for another one, choose another name",
        ),
        (
            "## gear: Lamp\n- Glow: the owner's Air is 1 more\n",
            "duplicate-name",
            "a thing is defined in one place: take it out of the table, and write its columns as lines below the heading, `- Column: value`; for another one, choose another name",
        ),
        ("## pool: Air\n- Of: a diver\n", "duplicate-name", "choose another name"),
        (
            "## hack: Short\n### changes procedure: Dive\n2. Rise.\n   - Rise: the diver gains 1 Air\n",
            "step-in-patch",
            "for a new step, say where it stands, `- Rise after ..:` with the step in front of it; to change one, name it, `- Rise:`; set its lines in below that",
        ),
        (
            "| gear | Weight | text |\n|---|---|---|\n| Knife | 2 | . |\n",
            "unknown-column",
            "declare it below `## kind: gear`, in the table `| label | holds | default | text |`, by a row such as `| Weight | a number | 0 | what it says |`; prose goes under `text`",
        ),
        ("## gear: Tank\n- Air: 6\n", "unknown-field", "what it changes is said in a line of its own: `- Label: the owner's Air is 1 more`"),
        ("There is {Air's max} of it.\n", "unknown-value", "a number has `'s start`, `'s least` and `'s most`: here `'s most`"),
        ("Every [[Diver]] breathes.\n", "broken-link", "did you mean `[[diver]]`?"),
    ],
)
def test_a_mistake_leads_on(page: str, code: str, help: str) -> None:
    _, found = check([Source("page.te", HEAD + page)], INFO)
    assert (code, help) in [(one.code, one.help) for one in found]


def test_roles_that_do_not_read_are_asked_of_nobody() -> None:
    page = '## procedure: Pair\n- Roles: two divers as the pair\n\n1. Go.\n   - Go: the gm says "go"\n\n## rule: R\n- A: after Dive: do Pair with the diver as the pair\n'
    _, found = check([Source("page.te", HEAD + page)], INFO)
    assert [one.code for one in found if one.severity == "error"] == ["wrong-type"]


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    (tmp_path / "deep/rules").mkdir(parents=True)
    (tmp_path / "deep/pack.yaml").write_text("id: deep\ntitle: Deep\nversion: 1.0.0\nauthors: [Ada Example]\n")
    (tmp_path / "deep/rules/01-deep.te").write_text(HEAD)
    return tmp_path / "deep"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("roll",), "say which procedure; there are Dive"),
        (("odds",), "say which procedure; there are Dive"),
        (("explain",), "say what: a name as in the book, such as `Air.Starts`"),
        (("odds", "Finds"), "it is counted in a procedure that rolls it: `the .. rolls Finds`"),
    ],
)
def test_a_command_without_its_words_says_which_there_are(pack: Path, words: tuple[str, ...], said: str) -> None:
    result = CliRunner().invoke(cli, [words[0], str(pack), *words[1:]])
    assert result.exit_code == 2 and said in " ".join(result.output.split())


def test_the_article_of_somebody_new_may_be_left_out(pack: Path) -> None:
    for who in ("Ann: diver", "Ann:diver", "Ann: a diver", "Ann: Diver, Air 9"):
        result = CliRunner().invoke(cli, ["roll", str(pack), "Dive", "diver=Ann", "--who", who, "--seed", "1"])
        assert result.exit_code == 0 and "Ann: Air from 9 to 8" in result.output, result.output
