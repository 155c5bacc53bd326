"""What is run again after an edit, in a copy of the project with three papers."""

import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

pytestmark = pytest.mark.workflow

ROOT = Path(__file__).parents[2]
BANDITS = "radlinski2008diverse"
TOY = "doe2008toy"
TINY = "roe2008tiny"
PAPERS = (BANDITS, TOY, TINY)
WANTED = [f"results/smoke/{key}/verdicts.json" for key in PAPERS]
JOB = re.compile(r"^(?:local)?rule (\w+):$.*?^ +wildcards: (.*?)$", re.MULTILINE | re.DOTALL)
PARTS = ("src", "workflow", "config", "profiles", "Snakefile", "environment.yml")


class Project:
    """A copy of the project and a folder with finished results."""

    def __init__(self, folder, workflow_in):
        self.folder = folder / "run"
        self.root = folder / "root"
        self.folder.mkdir()
        self.root.mkdir()
        for name in PARTS:
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            copy(ROOT / name, self.root / name)
        shutil.copytree(Path(__file__).parent / "papers", self.root / "papers")
        self._env = {"PYTHONPATH": str(self.root / "src")}
        self._run = workflow_in(self.folder, self.root)

    def run(self, *options):
        """Run the papers; return how often each rule was run, by rule and paper."""
        settings = {
            "scale": "smoke",
            "papers": ",".join(PAPERS),
            "papers_path": self.root / "papers",
        }
        done = self._run(*WANTED, *options, **settings, env=self._env)
        assert done.returncode == 0, done.stderr
        jobs = JOB.findall(done.stdout + done.stderr)
        return Counter(
            (rule, re.search(r"paper=(\w+)", wildcards)[1])
            for rule, wildcards in jobs
            if "paper=" in wildcards
        )

    def files(self, key):
        """Return the files of a paper's results."""
        return [path for path in (self.folder / "results/smoke" / key).rglob("*") if path.is_file()]

    def edit(self, file, old, new):
        """Replace a text that occurs in a file; return how to take it back."""
        path = self.root / file
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new, 1))
        return lambda: path.write_text(text)


@pytest.fixture(scope="module")
def finished(tmp_path_factory, workflow_in):
    project = Project(tmp_path_factory.mktemp("project"), workflow_in)
    assert {rule for rule, _ in project.run()} == {"run_trials", "judge_paper"}
    assert not project.run("--dry-run")
    return project


@pytest.fixture
def after(finished):
    """Return a function: edit a module, say what would be run, and take the edit back."""

    def planned(*edit):
        undo = finished.edit(*edit)
        try:
            return finished.run("--dry-run")
        finally:
            undo()

    return planned


METHOD = "src/icml2008/methods/bandits/ranked.py"


def test_a_changed_comment_or_docstring_runs_nothing_again(after):
    assert not after(METHOD, "from __future__", "# A remark.\nfrom __future__")
    assert not after(METHOD, '"""', '"""Now: ')


def test_a_changed_statement_of_a_method_runs_its_paper_again_and_no_other(after):
    jobs = after(METHOD, "import numpy as np\n", "import numpy as np\n\n_UNUSED = 1\n")
    assert jobs == {("run_trials", BANDITS): 1, ("judge_paper", BANDITS): 1}


def test_an_edit_of_the_judge_only_judges_again(after):
    jobs = after("src/icml2008/judge/decide.py", "MIN_REPEATS = 6", "MIN_REPEATS = 7")
    assert jobs == {("judge_paper", key): 1 for key in PAPERS}


def test_a_changed_claim_only_judges_its_paper_again(after):
    jobs = after(f"papers/{TOY}/paper.yaml", "is closer than", "is closer to it than")
    assert jobs == {("judge_paper", TOY): 1}


def test_an_edit_of_the_pages_runs_no_trial(after):
    jobs = after("src/icml2008/report/wording.py", "_MOST_DECIMALS = 6", "_MOST_DECIMALS = 5")
    assert jobs == {("judge_paper", key): 1 for key in PAPERS}


def test_one_more_public_name_runs_nothing_again(after):
    assert not after("src/icml2008/methods/__init__.py", "_MODULES = {", "MORE = 1\n_MODULES = {")


def test_what_an_edit_does_not_touch_keeps_its_files(finished):
    """For real, and last: the results are those of the edited experiment afterwards."""
    others = [path for key in (BANDITS, TINY) for path in finished.files(key)]
    before = {path: path.stat().st_mtime_ns for path in others}
    finished.edit(f"papers/{TOY}/experiments.py", "factor = 2", "factor = 3")
    assert {paper for _, paper in finished.run()} == {TOY}
    assert {path: path.stat().st_mtime_ns for path in others} == before
    assert not finished.run("--dry-run")
