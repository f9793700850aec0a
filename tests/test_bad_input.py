"""Bad input at the table: whatever is typed, handed over or left behind, there is a clear sentence, nothing has changed, and nothing is lost."""

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from beginnings import run, said
from click.testing import CliRunner, Result

from te_forge.asked import Refused, ask, with_somebody
from te_forge.asked.somebody import names_of
from te_forge.check.required import names_from
from te_forge.cli import cli, opened
from te_forge.commands import play as play_command
from te_forge.commands import replay as replay_command
from te_forge.commands import roll as roll_command
from te_forge.engine import policies
from te_forge.engine.effects import Decision
from te_forge.engine.index import Rules
from te_forge.engine.people import bad_name
from te_forge.engine.state import State
from te_forge.play import commands as table_commands
from te_forge.play import session, set_up
from te_forge.play.log import BadLog, LogFile, read_log
from te_forge.play.table import LogEnds, Table, TakenBack
from te_forge.play.words import Teller

ROOT = Path(__file__).parents[1]
ANN = "Ann: a Warrior with Vigor 3 and Melee 2 and Adventure 0"
OPENED = cache(opened)


@pytest.fixture(autouse=True)
def loaded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (play_command, replay_command, roll_command):
        monkeypatch.setattr(module, "opened", OPENED)


def play(log: Path | None, typed: str, *more: str) -> Result:
    return run("play", "srd-core", *(("--log", str(log)) if log else ()), *more, typed=typed)


@cache
def rules() -> Rules:
    system = OPENED("srd-core").system
    assert system is not None
    return set_up.rules_of(system, set_up.switches(system))


# ---------------------------------------------------------------- what is typed


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("take Heal", "Healer: Heal: Hal cannot pay 1 Adventure (has 0)."),
        ("add Bruser", "did you mean `Bruiser`?"),
        ("add Dragon", "no one in the book is called `Dragon`; there is Bruiser, Callous Golem"),
        ("do", "Say which procedure; there is Make A Character"),
        ("take", "Say which offer; there is Wizard: Prompt"),
        ("rule", "Say which rule"),
        ("add", "Say which one in the book; there is Bruiser"),
        ("remove", "Say who; there is Hal"),
        ("set", "Say which number and how much, such as `Ann."),
        ("give", "Say who and what"),
        ("end", "Say which span of time; there is Game, Session, Scene"),
        ("lok", "did you mean `look`?"),
        ("set Hal.Health=99999999999", "nine digits at most"),
        ("set Hal.Health=9", "Health is at least 0 and at most 3."),
        ("gain Hal.Health=x", "is a whole number"),
        ("who H", "Hal (character)"),
        ("do env actor=H", "Environment Conflict (actor: Hal)"),
    ],
)
def test_what_is_typed_is_understood_or_said_to_be_none(typed: str, answer: str) -> None:
    result = play(None, f"{typed}\n", "--who", "Hal: a Wizard with Healer and Adventure 0", "--seed", "1")
    assert answer.lower() in said(result).lower(), result.output
    assert result.exit_code == 0


def test_a_name_that_can_be_two_is_asked_for_again() -> None:
    shown = said(play(None, "add Bruiser\nadd Bruiser\nwho Bruis\nwho Bruiser\nremove Bruiser 2\n", "--who", ANN))
    assert "`Bruis` can be Bruiser and Bruiser 2; type more of it." in shown
    assert "Bruiser (adversary)" in shown and "Bruiser 2 has left." in shown


QUESTION = "do Environment Conflict\n"


def test_looking_is_possible_at_a_question_and_changes_nothing(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    shown = play(log, f"{QUESTION}look\nwho Ann\nrule Careful\nset Tension=5\nrule Zzz\n\n", "--who", ANN, "--seed", "1").stdout
    words = " ".join(shown.split())
    assert "Ann (character): Health 7 of 7" in words and "pool: Health 7" in words and "You would rather be slow than sorry." in words
    assert "`set` has to wait until this is answered, or taken back with `undo`." in words and "No rule is called `Zzz`" in words
    assert shown.count("Ann chooses the attribute:") == 5, "asked once, again after each look, and for an empty line"
    assert "What can be begun" not in shown.partition("Ann chooses the attribute:")[2]
    assert '"choice": "Ann"' not in log.read_text("utf-8")


def test_dice_that_are_too_few_are_counted() -> None:
    shown = said(play(None, f"{QUESTION}1\nMelee\nn\n1\n6 2 2 2\n2\n5 6\n2 2 2 2\n", "--who", ANN, "--seed", "1"))
    assert "Ann keeps 3 of these 5 dice: 6 3 2 2 2" in shown
    assert "3 dice are needed, and these are 4." in shown and "3 dice are needed, and these are 1." in shown
    assert "There is no 5 among 6 3 2 2 2." in shown and "There is no further 2 among 6 3 2 2 2." in shown


@pytest.mark.parametrize(("stats", "dice"), [("Vigor 0 and Melee 0", 0), ("Vigor 1 and Melee 0", 1)])
def test_pools_of_none_or_one_die(stats: str, dice: int) -> None:
    low = ("--who", f"Ann: a character with {stats}", "--seed", "1", "--policy", "plain")
    result = run("roll", "srd-core", "Environment Conflict", "actor=Ann", "attribute=Vigor", "skill=Melee", "Tension=2", *low)
    assert result.exit_code == 0
    assert ("Ann rolls 1 die:" in result.stdout) == (dice == 1)
    assert "total: the gm 7, Ann 0\n" in result.stdout or dice == 1


def test_what_cannot_be_paid_is_said_when_it_was_wanted_beforehand() -> None:
    poor = ("--who", "Ann: a Warrior with Careful and Adventure 1", "--seed", "1", "--policy", "plain")
    words = ("roll", "srd-core", "Environment Conflict", "actor=Ann", "Tension=4")
    result = run(*words, "extra=9", *poor)
    assert result.exit_code == 0 and "`extra=9` is more than can be had here: 1 is the most" in result.stdout
    assert "more than can be had" not in run(*words, "extra=1", *poor).stdout
    broke = run(*words, "Slow=yes", "--who", "Ann: a Warrior with Careful and Adventure 0", *poor[2:])
    assert broke.exit_code == 0 and "Note: `Slow=yes` answers nothing" in broke.stderr and "what cannot be paid is not offered" in broke.stderr


def test_answers_of_a_roll_are_taken_back(capsys: pytest.CaptureFixture[str]) -> None:
    """At the first question there is nothing to take back; later the last answer is asked for again."""
    asked = ask(rules(), "Environment Conflict", ["actor=Ann", "Tension=4"], [ANN])
    back = {0, 3}
    questions: list[str] = []

    def decide(effect: Decision, table: Table) -> tuple[object, str]:
        questions.append(effect.why)
        if len(questions) - 1 in back:
            raise TakenBack
        return policies.plain(effect, table.reading()), ""

    table = Table(asked.rules, "1", Teller(asked.rules, print), decide, state=asked.state)
    roll_command.begun(table, asked)
    shown = capsys.readouterr().out
    assert table.result is not None and questions[0] == questions[1] and questions[2] == questions[4]
    assert "That is the first question; there is nothing before it." in shown and shown.count("Taken back: ") == 1


def test_whose_purse_is_empty_is_said() -> None:
    healer = ("--who", "Hal: a Wizard with Healer", "--who", "Ann: a Warrior", "--hack", "Morale", "--seed", "1")
    shown = said(play(None, "set Morale=0\ntake heal\n", *healer))
    assert "Hal cannot pay 1 Morale (the group has 0)." in shown


def test_every_command_knows_the_same_policies() -> None:
    for words in (("roll", "srd-core", "Throwing", "--policy", "x"), ("character", "new", "srd-core", "--policy", "x")):
        assert f"there is no policy `x`; there are {', '.join(policies.NAMES)}" in said(run(*words))
    odds = ("odds", "srd-core", "Throwing", "roller=the gm", "--policy")
    assert f"there is no policy `x`; there are {', '.join(policies.POLICIES)}" in said(run(*odds, "x"))
    assert "the policy `random` cannot decide here; there are plain" in said(run(*odds, "random"))
    assert ", ".join(policies.NAMES) in said(run("character", "new", "--help"))


# ---------------------------------------------------------------- names

NAMES = [
    'Ann "the Hawk"',
    "O'Neil",
    "Ann/Ben",
    "🦅",
    "松本 零士",
    "Ann, the 2nd",
    "*Ann*",
    "{x}",
    "J.R.",
    "<b>",
    "`x`",
    "#x",
    "-",
    "each",
    "Vigor",
    "Warrior",
    "a" * 100,
]


@pytest.mark.parametrize("name", NAMES)
def test_anybody_may_be_called_anything_that_can_be_printed(name: str, tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    shown = play(
        log,
        f"do Environment Conflict\n1\n1\nsave {name} {tmp_path}/saved.yaml\nquit\n",
        "--who",
        f"{name}: a Warrior",
        "--seed",
        "1",
        "--bot",
        "gm=plain",
    )
    assert shown.exit_code == 0 and f"Environment Conflict (actor: {name})" in shown.stdout
    assert f"{name} is here." in run("replay", str(log)).stdout
    assert name in log.read_text("utf-8").replace('\\"', '"')


@pytest.mark.parametrize(
    ("who", "why"),
    [
        ("a" * 101 + ": a Warrior", "more than 100 letters"),
        (": a Warrior", "a name is needed in front of the colon"),
        ("gm: a Warrior", "`the gm` is there already"),
        ("The GM: a Warrior", "`the gm` is there already"),
        ("A\u0007nn: a Warrior", "nobody sees"),
        ("Ann", "does not say who somebody is; write `Ann: a character`"),
        ("Callous Golem", "`Callous Golem` stands in the book, and is there as soon as a role names it, or `add Callous Golem` in a scene"),
        ("Ann: a Warrior\n## example: More", "`#` (U+0023) has no meaning"),
        ("Ann: a Warrior with Asked 1", "nothing is called `Asked`"),
    ],
)
def test_who_cannot_be_called_so_is_told(who: str, why: str, tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    result = play(log, "", "--who", who)
    assert (result.exit_code, why in said(result)) == (2, True), result.output
    assert not log.exists(), "a game that never began leaves no log"


def test_names_are_bounded() -> None:
    assert bad_name("a" * 100) == "" != bad_name("a" * 101)
    with pytest.raises(Refused, match="is there twice"):
        with_somebody(rules(), with_somebody(rules(), State(), "Ann: a Warrior"), "ann: a Wizard")


# ---------------------------------------------------------------- character files


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("numbers: {Astrogation: 3}", "`Astrogation` is no number of a character in srd-core"),
        ("advantages: [Nosy]", "`Nosy` is no advantage"),
        ("pack: dusk", "belongs to `dusk`"),
    ],
)
def test_a_character_of_another_game_does_not_sit_down(line: str, why: str, tmp_path: Path) -> None:
    file, log = tmp_path / "ida.yaml", tmp_path / "a.log"
    file.write_text(f"name: Ida\n{'' if line.startswith('pack') else 'pack: srd-core'}\n{line}\n", encoding="utf-8")
    result = play(log, "", "--character", str(file))
    assert result.exit_code == 1 and why in said(result) and not log.exists()


# ---------------------------------------------------------------- logs, cut and edited

TYPED = "add Bruiser\ndo Adversary Conflict initiators=Ann defender=Bruiser\nVigor\nMelee\nn\n6 6\nquit\n"


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    log = tmp_path_factory.mktemp("logs") / "small.log"
    words = ["play", "srd-core", "--who", ANN, "--bot", "gm=plain", "--seed", "7", "--log", str(log)]
    assert CliRunner().invoke(cli, words, input=TYPED, catch_exceptions=False).exit_code == 0
    return log.read_bytes()


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules, their fingerprints, and those who sit down are read once; none of it depends on the log."""
    head = session.head_of(rules(), (), "7")
    made = session.rules_of
    monkeypatch.setattr(session, "rules_of", lambda system, on: made(system, on) if (on := tuple(on)) else rules())
    sit_down = cache(lambda state, text: with_somebody(rules(), state, text))
    monkeypatch.setattr(table_commands, "with_somebody", lambda rules, state, text: sit_down(state, text))
    monkeypatch.setattr(session, "head_of", lambda rules, on, seed: type(head)(head.pack, head.version, head.fingerprint, on, seed, head.rules))


def outcome(raw: bytes, log: Path) -> tuple[str, list[str]]:
    """How a log ends that holds these bytes, and what it tells. Anything but an end or a sentence is a mistake of ours, and raised."""
    log.write_bytes(raw)
    told: list[str] = []
    system = OPENED("srd-core").system
    assert system is not None
    try:
        table = session.table_of_log(system, read_log(log), log, lambda rules: Teller(rules, told.append))
        table.play_on()
    except LogEnds:
        return "goes on", told
    except (BadLog, Refused) as bad:
        assert len(str(bad)) < 500
        return str(bad), told
    return "goes on", told


def places(raw: bytes) -> Iterator[int]:
    """Every byte of what was played, and some of the head and of those who sat down, since that takes long."""
    begun = raw.index(b'{"do": "begin"')
    yield from range(0, begun, 61)
    yield from range(begun, len(raw))


def test_a_log_that_is_cut_anywhere_is_its_beginning_or_none(small: bytes, quick: None, tmp_path: Path) -> None:
    whole = outcome(small, tmp_path / "a.log")[1]
    for at in places(small):
        said, told = outcome(small[:at], tmp_path / "a.log")
        if said == "goes on":
            assert told == whole[: len(told)]
        else:
            assert at <= small.index(b"\n") and ("is not the log of a game" in said)


def test_a_log_that_is_edited_anywhere_plays_or_says_which_line(small: bytes, quick: None, tmp_path: Path) -> None:
    for at in places(small):
        luck = random.Random(at)
        other = bytes([luck.choice(b'019az"{}[],:\n \xff\x00-')])
        for raw in (small[:at] + other + small[at + 1 :], small[:at] + small[at + 1 :]):
            said, _ = outcome(raw, tmp_path / "a.log")
            assert said == "goes on" or any(
                one in said for one in ("line ", "this log is of another game", "is not the log", "that could be switched on")
            ), said


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"do": "set", "who": "Ann", "id": "srd-core:pool/health", "to": 2.5}, "`2.5` is no whole number"),
        ({"do": "set", "who": "Ann", "id": "srd-core:pool/health", "to": True}, "`True` is no whole number"),
        ({"do": "set", "who": "Ann", "id": "srd-core:pool/health", "to": "x"}, "`x` is no whole number"),
        ({"do": "gain", "who": "Ann", "id": "srd-core:pool/adventure", "amount": 10**30}, "is no whole number of nine digits"),
        ({"do": "gain", "who": "Ann", "id": "srd-core:pool/nothing", "amount": 1}, "this pack has no `srd-core:pool/nothing`"),
        ({"do": "begin", "id": "srd-core:procedure/round", "roles": {"fighters": [["Ann"]]}}, "lacks a part, or has a wrong one"),
        ({"do": "begin", "id": "srd-core:procedure/round", "roles": [1]}, "says nothing that can happen in a game"),
        ({"do": "join", "sheet": 5}, "says nothing that can happen in a game"),
        ({"do": "join", "file": "name: Ida\npack: srd-core\nnumbers: {Astrogation: 1}\n"}, "line 3: `Astrogation` is no number"),
        ({"do": "leave", "who": ["Ann"]}, "says nothing that can happen in a game"),
        ({"do": "bot", "who": "gm", "policy": "clever"}, "there is no policy `clever`"),
        ({"do": "fly"}, "there is no command `fly`"),
    ],
)
def test_a_line_that_was_written_by_hand_is_refused_in_words(change: dict[str, object], why: str, tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    play(log, "quit\n", "--who", ANN, "--seed", "1")
    log.write_text(log.read_text("utf-8") + json.dumps(change) + "\n", "utf-8")
    before = log.read_bytes()
    for result in (run("replay", str(log)), play(log, "", "--resume")):
        assert result.exit_code == 1 and why in said(result), result.output
        assert f"line {before.count(10)} of" in said(result)
    assert log.read_bytes() == before


# ---------------------------------------------------------------- logs that cannot be written


def test_a_log_is_held_by_one_process(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    play(log, "quit\n", "--who", ANN, "--seed", "1")
    held, before = LogFile.go_on(log, read_log(log)), log.read_bytes()
    result = play(log, "add Bruiser\n", "--resume")
    assert result.exit_code == 1 and "is being played with by another te-forge" in said(result)
    assert log.read_bytes() == before
    held.close()
    assert play(log, "", "--resume").exit_code == 0


def test_a_log_that_has_grown_since_it_was_read_is_left_alone(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    play(log, "quit\n", "--who", ANN, "--seed", "1")
    read = read_log(log)
    log.write_text(log.read_text("utf-8") + '{"undo": true}\n', "utf-8")
    with pytest.raises(BadLog, match="has changed while it was being read"):
        LogFile.go_on(log, read)


FULL = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)),) * 2)
from te_forge.cli import main
main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits of files are those of Unix")
def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    play(log, "quit\n", "--who", ANN, "--seed", "1")
    room = log.stat().st_size + 200
    words = [sys.executable, "-c", FULL, str(room), "play", "srd-core", "--log", str(log), "--resume"]
    done = subprocess.run(
        words, input="add Bruiser\nadd Troll\n" + "add Bruiser\n" * 9, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1, done.stderr
    assert "cannot be written to: file too large. The game stops here; the log has everything but what was typed last." in " ".join(
        done.stderr.split()
    )
    assert log.stat().st_size <= room and log.read_bytes().endswith(b"\n")
    shown = play(log, "look\n", "--resume")
    assert shown.exit_code == 0 and "Troll (adversary)" in shown.stdout


def test_a_disk_that_is_full_from_the_beginning_leaves_no_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: LogFile, raw: bytes) -> None:
        raise BadLog(f"{self.path} cannot be written to: no space left on device")

    monkeypatch.setattr(LogFile, "put", full)
    log = tmp_path / "a.log"
    result = play(log, "", "--who", ANN)
    assert result.exit_code == 1 and "no space left on device" in said(result) and not log.exists()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--log", "."), "is a directory"),
        (("--log", "no-folder/a.log"), "no such file or directory"),
        (("--log", "/dev/full"), "is no file, so no game can be kept in it"),
        (("--log", "none.log", "--resume"), "there is no log none.log"),
    ],
)
def test_what_no_log_can_be_is_said(words: tuple[str, ...], why: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "te_forge", "play", str(ROOT / "systems/srd-core"), *words], input="", cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False,
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
    )  # fmt: skip
    assert done.returncode == 2 and why in " ".join((done.stdout + done.stderr).split()), done.stderr
    assert "Traceback" not in done.stderr


# ---------------------------------------------------------------- secrets

BURST = "set Tension=9\ngain Tension=1\nquit\n"


def test_a_secret_roll_is_not_shown_to_players(tmp_path: Path) -> None:
    """[SRD-31]"""
    log = tmp_path / "a.log"
    table = ("--who", ANN, "--seed", "7", "--bot", "gm=plain")
    open_, secret = play(None, BURST, *table).stdout, play(log, BURST, *table, "--seen-by", "player").stdout
    assert "Explosion" in after(open_) and "The gm rolls 1 die: 4" in open_ and "Delving: Shadow." in open_
    for result in (secret, run("replay", str(log), "--seen-by", "Ann").stdout, run("replay", str(log), "--seen-by", "Player One").stdout):
        assert "Delving" not in result and "rolls" not in result and "Explosion" not in after(result)
        assert "The gm gains 1 Tension (now 10)" in result and "The gm gains 1 Tension (now 11)" in result, "points lie on the table"
    assert "Delving: Shadow." in run("replay", str(log), "--seen-by", "the gm").stdout
    assert "Delving: Shadow." in run("replay", str(log)).stdout


def after(shown: str) -> str:
    return shown.partition("The gm gains 1 Tension (now 10)")[2]


def test_whoever_looks_must_be_there(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    play(log, BURST, "--who", ANN, "--seed", "7", "--bot", "gm=plain")
    for result in (run("replay", str(log), "--seen-by", "Bob"), play(None, "", "--who", ANN, "--seen-by", "Bob")):
        assert result.exit_code in (1, 2) and "nobody is called `Bob`; there is Ann" in said(result)


def test_what_is_typed_of_one_person_is_no_name_for_the_next() -> None:
    """The names of the game are found out once for all lines that are typed."""
    game = Rules(rules().system)
    for text in (
        ANN,
        "Bo: a Warrior with Zeal 3",
        "Asked: a Wizard with Asked 1",
        "Cy: a Warrior and Yes",
        "Dot: a character with Vigor 2 and Keen Eye",
    ):
        found = []
        for _ in range(2):
            try:
                found.append(repr(with_somebody(game, State(), text)))
            except Refused as refused:
                found.append(str(refused))
        assert found[0] == found[1]
    assert vars(game.once(names_of)) == vars(names_from(game.system))
