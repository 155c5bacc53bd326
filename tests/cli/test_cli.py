import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from typer.testing import CliRunner

from icml2008.cli import app
from icml2008.errors import Icml2008Error

ROOT = Path(__file__).parents[2]


def here(*arguments):
    """Run a command in this process, which has imported what most of them wait for."""
    return CliRunner().invoke(app, [*map(str, arguments)], catch_exceptions=False)


def icml2008(*arguments, **kwargs):
    """Run a command as a user does."""
    program = "from icml2008.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)],
        capture_output=True, text=True, check=False, **kwargs,
    )  # fmt: skip


def test_papers_are_listed_as_json():
    rows = json.loads(here("papers", "--format", "json").stdout)
    paper = next(row for row in rows if row["key"] == "bergeron2008mirank")
    assert {"key", "title", "authors", "pages", "topic", "state"} <= paper.keys()
    assert (paper["pages"], paper["state"]) == ([48, 55], "re-run")


def test_papers_are_listed_as_csv():
    rows = list(csv.DictReader(io.StringIO(here("papers", "--format", "csv").stdout)))
    assert "bergeron2008mirank" in {row["key"] for row in rows}


def test_show_tells_claims_choices_and_how_to_run():
    text = here("show", "bergeron2008mirank", "--all").stdout
    for part in ("mirank-beats-mic", "standardise", "Ray and Page", "snakemake --cores all"):
        assert part in text


@pytest.mark.parametrize("key", ["dredze2008confidence", "foundations", "seeger2008experimental"])
def test_show_fits_one_screen_and_names_the_rest(key):
    lines = here("show", key).stdout.splitlines()
    assert len(lines) <= 50
    assert max(map(len, lines[:-1])) <= 80
    assert lines[-1].endswith(f"icml2008 show {key} --all")


def test_show_answers_first_and_says_which_methods_an_experiment_takes():
    text = here("show", "bergeron2008mirank").stdout
    _, answer, count, *_ = text.split("\n\n")
    assert answer.startswith("MIRank is ahead of MIC")
    assert re.match(r"\d+ of \d+ judged claims hold", count)
    assert "methods of your own have fit and decision_function" in " ".join(text.split())


@pytest.mark.parametrize("more", [[], ["--all"]])
def test_show_says_of_each_experiment_whether_it_takes_methods_of_ones_own(more):
    text = " ".join(icml2008("show", "bach2008bolasso", *more).stdout.split())
    assert "methods of your own are functions, f(X, y, r, seed)" in text
    assert "takes no methods of your own" in text
    assert ("Return which variables are selected" in text) == bool(more)


@pytest.mark.parametrize("arguments", [["show", "li2008worst"], ["verdicts", "li2008worst"]])
def test_an_encoding_without_our_letters_is_no_error(arguments):
    settings = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = icml2008(*arguments, env=settings, encoding="utf-8")
    assert done.returncode == 0
    assert any(sign in done.stdout for sign in "–✓")


def test_piped_verdicts_have_each_name_on_one_line():
    text = here("verdicts", "xia2008listmle").stdout
    assert "  listnet-mapping-matters  " in text


def test_a_piped_list_has_each_row_on_one_line():
    rows = icml2008("claims").stdout.splitlines()[1:]
    assert len(rows) == len(json.loads(icml2008("claims", "--format", "json").stdout))
    assert max(map(len, rows)) > 200


def test_the_version_is_told_also_as_a_module():
    output = icml2008("--version").stdout
    assert output == f"icml2008 {version('icml2008')}\n"
    module = [sys.executable, "-m", "icml2008", "--version"]
    assert subprocess.run(module, capture_output=True, text=True, check=True).stdout == output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", "bergeron2008mirnk"], "did you mean 'bergeron2008mirank'"),
        (["run", "bergeron2008mirank/acuracy"], "did you mean 'accuracy'"),
        (["run", "bergeron2008mirank/accuracy", "--scale", "smok"], "did you mean 'smoke'"),
        (["run", "bergeron2008mirank/accuracy", "--method", "nowhere"], "package.module:Class"),
        (["run", "bergeron2008mirank/accuracy", "--method", "json:loads"], "lacks fit"),
        (["run", "bergeron2008mirank/accuracy", "--universe", "mix=b"], "did you mean 'mic'"),
        (
            ["run", "li2008worst/bounds", "--universe", "rbf=plain"],
            "that rbf=plain changes",
        ),
        (["run", "bach2008bolasso/rates", "--method", "json:loads"], "that do: regions, cons"),
        (["data", "fetch", "census-16"], "did you mean 'census-16h'"),
        (["verdicts", "--results", "nowhere"], "nothing is judged in nowhere"),
        (["quality", "--results", "nowhere"], "nothing is judged in nowhere"),
        (["check", "nowhere", "nowhere"], "nothing to compare"),
        (["run", "bergeron2008mirank"], "which experiment?"),
        (["run", "bergeron2008mirank/accuracy", "--method", ":X"], "package.module:Class"),
        (["claims", "--topic", "kern"], "did you mean 'kernels'"),
        (["show", "xyz"], "no paper 'xyz'; the nearest of "),
    ],
)
def test_a_mistake_names_the_nearest_right_word(arguments, message):
    with pytest.raises(Icml2008Error, match=re.escape(message)):
        here(*arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", "bergeron2008mirnk"], "did you mean 'bergeron2008mirank'"),
        (["run", "bergeron2008mirank/acuracy"], "did you mean 'accuracy'"),
        (["shwo"], "show"),
    ],
)
def test_a_mistake_is_one_message_and_status_2(arguments, message):
    done = icml2008(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["claims", "--topic", "kern"], "did you mean 'kernels'"),
        (["papers", "--topic", "kern"], "did you mean 'kernels'"),
        (["papers", "--state", "replan"], "did you mean 'planned'"),
        (["claims", "--kind", "valu"], "did you mean 'value'"),
    ],
)
def test_a_list_of_what_there_is_not_ends_with_status_1_and_the_nearest(arguments, message):
    done = icml2008(*arguments)
    assert (done.returncode, done.stdout) == (1, "")
    assert message in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["show", b"\xff"],
        ["papers", "--topic", b"\xff"],
        ["verdicts", "--results", b"/no\xff"],
        ["run", "bryan2008composite/picture", "--method", b"\xff:X"],
        ["run", "bryan2008composite/picture", "--out", b"/no\xff/x"],
    ],
)
def test_a_name_in_another_encoding_is_one_message(arguments):
    done = icml2008(
        *(
            os.fsdecode(argument) if isinstance(argument, bytes) else argument
            for argument in arguments
        )
    )
    assert done.returncode in (1, 2)
    assert len(done.stderr.splitlines()) == 1


def test_debug_shows_the_traceback():
    assert "Traceback" in icml2008("--debug", "show", "nothing2008").stderr


OWN = """
import os

print("loading")
os.system("echo in a shell")

class Sum:
    def fit(self, X, y, *, boxes, bags):
        print("learning")
        os.write(1, b"past Python")
        return self

    def decision_function(self, X):
        return X.sum(axis=1)

class Lost(Sum):
    def decision_function(self, X):
        return X.sum(axis=1) * float("nan")
"""


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """Make methods of one's own importable, here and in processes that begin."""
    (tmp_path / "mine.py").write_text(OWN)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)


OWN_RUN = ("run", "bergeron2008mirank/accuracy")


@pytest.mark.parametrize("more", [(), ("--cores", "2")])
def test_a_method_of_ones_own_gets_a_column_also_if_it_prints(mine, more):
    done = icml2008(*OWN_RUN, "--method", "mine:Sum", "--format", "json", *more)
    rows = {
        (row["cell"], row["method"]): row
        for row in json.loads(done.stdout)
        if row["metric"] == "accuracy"
    }
    assert rows["dataset=synthetic-1", "own:Sum"]["mean"] == 100.0
    assert rows["dataset=synthetic-1", "MIRank"]["n"] == 1


def test_a_method_that_fails_everywhere_ends_in_one_line_and_status_1(mine):
    done = here(*OWN_RUN, "--method", "mine:Lost", "--method", "mine:Sum")
    assert done.exit_code == 1
    assert re.search(
        r"^own:Lost failed in all its trials \(\d\): .* not finite$", done.stderr, re.M
    )
    assert "own:Sum failed" not in done.stderr
    assert "own:Lost" not in done.stdout


@pytest.mark.parametrize("option", ["--out", "--verdicts", "--figure"])
def test_a_place_that_cannot_be_written_is_told_before_anything_runs(option, monkeypatch):
    monkeypatch.setattr("icml2008.run.trials.execution.run_with_own", None)
    with pytest.raises(Icml2008Error, match="/no/such/folder is no folder"):
        here(*OWN_RUN, option, "/no/such/folder/x.svg")


def test_verdicts_are_derived_again_and_one_that_was_edited_is_named(tmp_path):
    folder = tmp_path / "reference"
    key = "barrett2008chvi"
    shutil.copytree(ROOT / "results/reference" / key, folder / key)
    done = here("judge", folder, key)
    assert done.exit_code == 0, done.stdout
    assert "0 of them differ" in done.stdout
    file = folder / key / "verdicts.json"
    kept = file.read_text()
    file.write_text(kept.replace('"verdict":"confirmed"', '"verdict":"refuted"', 1))
    wrong = here("judge", folder, key)
    assert wrong.exit_code == 1
    assert f"{key}: " in wrong.stdout
    assert "1 of them differ" in wrong.stdout
    assert here("judge", folder, key, "--write").exit_code == 0
    assert file.read_text() == kept


def test_other_universes_are_listed_unless_they_are_left_out():
    rows, short = (
        json.loads(here("verdicts", "barrett2008chvi", "--format", "json", *more).stdout)
        for more in ((), ("--no-universes",))
    )
    of_default = [row for row in rows if row["universe"] == "default"]
    assert len(rows) > len(of_default) == len(short)
    assert any(row["inputs"] for row in of_default)
    assert short == [row | {"inputs": None} for row in of_default]


def test_the_quality_of_the_reference_is_listed_with_what_would_settle_it():
    rows = json.loads(here("quality", "bickel2008hiv", "--format", "json").stdout)
    assert {row["severity"] for row in rows} <= {"error", "warning", "note"}
    below = [row for row in rows if row["kind"] == "floor"]
    assert {row["where"].partition("[")[0] for row in below} == {"census"}
    assert all("separate, accuracy" in row["what"] and row["settles"] for row in below)


def test_verdicts_are_listed_without_numpy():
    program = (
        "import sys; from icml2008.cli import app; app(['verdicts'], standalone_mode=False); "
        "sys.exit('numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, cwd=ROOT)
    assert done.returncode == 0
    assert b"confirmed" in done.stdout


@pytest.fixture
def broken_paper(tmp_path):
    """Return a function from the text of an outside paper's experiments to its folder."""

    def write(text):
        folder = tmp_path / "doe2008broken"
        folder.mkdir()
        toy = (ROOT / "tests/run/papers/doe2008toy/paper.yaml").read_text()
        (folder / "paper.yaml").write_text(toy.replace("key: doe2008toy", "key: doe2008broken"))
        (folder / "experiments.py").write_text(text)
        return folder

    return write


NO_METHODS = """from icml2008.harness.experiment import experiment, grid


@experiment("centre", cells=grid(size=[10]), repeats={}, cost=1.0)
def centre(trial):
    pass
"""


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("1 / 0\n", 1, "ZeroDivisionError: division by zero"),
        ("x = 1\nif x\n", 2, "SyntaxError: expected ':'"),
        ("\nimport nowhere\n", 2, "ModuleNotFoundError: No module named 'nowhere'"),
        (NO_METHODS, 4, "TypeError: experiment() missing 1 required keyword-only argument"),
        (NO_METHODS.replace("[10]", "'10'"), 4, "grid(size='10'): size takes a list of values"),
    ],
)  # fmt: skip
def test_an_authors_slip_is_named_by_file_and_line(broken_paper, text, line, message):
    folder = broken_paper(text)
    done = icml2008("--papers-path", folder.parent, "run", "doe2008broken/centre")
    assert done.returncode == 2
    assert done.stderr.startswith(f"{folder / 'experiments.py'}, line {line}: {message}")
    assert "report it" not in done.stderr
    assert "Traceback" not in done.stderr


FAILING = """from icml2008.harness.experiment import experiment, grid


@experiment(
    "centre", cells=grid(size=[10, 100]), repeats=1, cost=1.0, methods={"mean": 0, "median": 0}
)
def centre(trial):
    for name in trial.methods:
        with trial.attempt(name):
            raise ValueError("none")
"""


def test_a_run_in_which_every_method_fails_ends_with_status_1(broken_paper):
    folder = broken_paper(FAILING)
    done = icml2008("--papers-path", folder.parent, "run", "doe2008broken/centre")
    assert done.returncode == 1
    assert "size=10, mean: ValueError: none" in done.stderr
    assert done.stderr.endswith("doe2008broken/centre: nothing was measured, every method failed\n")


def test_with_debug_there_is_a_traceback(broken_paper):
    folder = broken_paper("1 / 0\n")
    arguments = ["--debug", "--papers-path", folder.parent, "run", "doe2008broken/centre"]
    assert "Traceback" in icml2008(*arguments).stderr


def test_a_closed_or_full_output_is_no_fault_of_the_program():
    program = [sys.executable, "-m", "icml2008", "papers"]
    closed = subprocess.run(
        ["sh", "-c", 'exec "$@" >&-', "sh", *program], capture_output=True, text=True
    )
    assert (closed.returncode, closed.stderr) == (0, "")
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(program, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert done.stderr == "the output cannot be written: No space left on device\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["adopt", "yaman2008lexicographic"], "yaman2008lexicographic is planned: it has no exper"),
        (["renew", "seldin2008grid"], "seldin2008grid is planned: it has no experiments"),
        (["adopt", "parr2008linear"], "has no records, there is nothing to adopt; run: snakemake"),
        (["renew", "parr2008linear"], "parr2008linear: nothing of it is there; run: snakemake"),
        (["judge", "results/reference", "seldin2008grid", "--write"], "nothing is judged in"),
        (["judge", "--write", "results/nowhere"], "there is no folder of results results/nowhere"),
        (["cite", "parr2008linear/theorem-31"], "cited from a clone of the repository, git clone"),
        (["check"], "no records in results/reference: .* git clone https://github.com/"),
        (["check", "a", "b", "seldin2008grid"], "there is nothing to compare in a and b"),
        (["record", "seldin2008grid"], "seldin2008grid"),
    ],
)
def test_what_was_never_run_becomes_no_evidence(tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "results/reference").mkdir(parents=True)
    with pytest.raises(Icml2008Error, match=message):
        here(*arguments)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_verdicts_without_records_are_not_written_over(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "results/reference/parr2008linear"
    shutil.copytree(ROOT / "results/reference/parr2008linear", folder)
    shutil.rmtree(folder / "records")
    before = (folder / "verdicts.json").read_bytes()
    done = here("judge", "results/reference", "parr2008linear", "--write")
    assert done.exit_code == 1
    assert "parr2008linear has verdicts and no records" in done.stdout
    assert (folder / "verdicts.json").read_bytes() == before


def test_judge_takes_the_key_of_a_paper_in_place_of_the_reference():
    done = subprocess.run(
        [sys.executable, "-m", "icml2008", "judge", "parr2008linear"],
        capture_output=True, text=True, cwd=ROOT,
    )  # fmt: skip
    assert "verdicts derived from results/reference" in done.stdout, done.stderr
