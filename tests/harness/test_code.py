"""What the key of a result says of code: what a trial can read, and nothing else."""

import itertools
import os
import subprocess
import sys
import textwrap

import pytest

import icml2008.papers
from icml2008.data.registry import registry
from icml2008.harness import code, source

EXPERIMENTS = '''
"""A paper."""
from icml2008.errors import nearest
from icml2008.harness.experiment import experiment
from icml2008.methods.bag_ranking.bags import bag_of_each_item
from icml2008.papers.KEY.tools import double, half

SIZES = [10]
WIDTHS = [1.0]


def scale(x):
    """Return it scaled."""
    # the reason
    return 2 * x


def methods(choices):
    return {"a": scale}


@experiment("one", cells=SIZES, methods=methods)
def first(trial):
    """Run one."""
    return double(trial)


@experiment("two", cells=WIDTHS, methods=methods)
def second(trial):
    return half(trial)
'''
TOOLS = """
FACTOR = 2


def double(x):
    return FACTOR * x


def half(x):
    return x / (1 + 1)


def table():
    return open("numbers.csv")
"""


class Paper:
    """A paper in a folder of its own, whose files can be edited."""

    numbers = itertools.count()

    def __init__(self, folder):
        self.key = f"probe{next(self.numbers)}"
        self.folder = folder / self.key
        self.folder.mkdir()
        self._stamps = itertools.count(10**18, 10**6)
        self.write("experiments.py", EXPERIMENTS.replace("KEY", self.key))
        self.write("tools.py", TOOLS)

    def write(self, name, text):
        (self.folder / name).write_text(text)
        stamp = next(self._stamps)
        os.utime(self.folder / name, ns=(stamp, stamp))

    def edit(self, name, old, new):
        text = (self.folder / name).read_text()
        assert old in text
        self.write(name, text.replace(old, new))

    def hashes(self):
        """Return the hashes of both experiments."""
        return [code.code_hash(code.starts_of(self.key, name)) for name in ("one", "two")]


@pytest.fixture
def paper(tmp_path, monkeypatch):
    monkeypatch.setattr(icml2008.papers, "__path__", [*icml2008.papers.__path__, str(tmp_path)])
    return Paper(tmp_path)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# the reason", "# another reason"),
        ("Return it scaled.", "Return twice x."),
        ('"""A paper."""', '"""Another text."""'),
        ("2 * x", "(2*x)"),
        ('return {"a": scale}', "return {\n        'a': scale,\n    }"),
        ("SIZES = [10]\n", "SIZES = [10]\nUNUSED = 1\n"),
        ("import double, half", "import double, half, table"),
    ],
)
def test_what_no_trial_runs_does_not_change_a_hash(paper, old, new):
    before = paper.hashes()
    paper.edit("experiments.py", old, new)
    assert paper.hashes() == before


@pytest.mark.parametrize(
    ("file", "old", "new", "changed"),
    [
        ("experiments.py", "2 * x", "3 * x", [True, True]),
        ("experiments.py", "SIZES = [10]", "SIZES = [20]", [True, False]),
        ("experiments.py", "WIDTHS = [1.0]", "WIDTHS = [1.0]\nWIDTHS += [2.0]", [False, True]),
        ("experiments.py", "WIDTHS = [1.0]", "WIDTHS = [1.0]\nWIDTHS[0] = 2.0", [False, True]),
        ("experiments.py", "return half(trial)", "return -half(trial)", [False, True]),
        ("experiments.py", "SIZES = [10]", "SIZES = [10]\nprint(SIZES)", [True, True]),
        ("tools.py", "FACTOR = 2", "FACTOR = 3", [True, False]),
        ("tools.py", "x / (1 + 1)", "x / (1 + 2)", [False, True]),
    ],
)
def test_an_edit_changes_the_hashes_of_the_experiments_that_it_touches(
    paper, file, old, new, changed
):
    before = paper.hashes()
    paper.edit(file, old, new)
    assert [a != b for a, b in zip(before, paper.hashes(), strict=True)] == changed


def test_a_file_that_only_a_docstring_names_is_no_part_of_the_hash(paper):
    paper.write("numbers.csv", "1\n")
    paper.edit("experiments.py", "Return it scaled.", "Return what numbers.csv has.")
    before = paper.hashes()
    paper.write("numbers.csv", "2\n")
    assert paper.hashes() == before


def test_a_packaged_file_that_is_named_in_the_code_is_part_of_the_hash(paper):
    paper.write("numbers.csv", "1\n")
    before = paper.hashes()
    paper.edit("tools.py", "return FACTOR * x", "return table()")
    with_file = paper.hashes()
    paper.write("numbers.csv", "2\n")
    assert paper.hashes()[0] not in (before[0], with_file[0])
    assert paper.hashes()[1] == before[1]


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Return where parsed modules are kept: nothing is, yet."""
    monkeypatch.setattr(source, "KEPT", tmp_path / "runs" / "source")
    (tmp_path / "runs").mkdir()
    return tmp_path / "runs" / "source"


def test_a_module_that_was_parsed_is_not_parsed_again(paper, place, monkeypatch):
    before = paper.hashes()
    source._read.cache_clear()
    monkeypatch.setattr(source, "_parsed", None)
    assert paper.hashes() == before


def test_a_module_that_changed_is_parsed_again(paper, place):
    before = paper.hashes()
    paper.edit("tools.py", "FACTOR = 2", "FACTOR = 3")
    source._read.cache_clear()
    assert paper.hashes()[0] != before[0]


def test_what_another_parser_kept_is_not_read(paper, place, monkeypatch):
    paper.hashes()
    source._read.cache_clear()
    monkeypatch.setattr(source.sys, "version", "another")
    fields = dict.fromkeys(("binds", "uses", "imports", "declares", "files"), ())
    monkeypatch.setattr(source, "_parsed", lambda text, package: [{"digest": "other", **fields}])
    (statement,) = source.read("icml2008.errors").statements
    assert statement.digest == "other"


def test_every_packaged_data_file_is_named_where_it_is_read():
    """What is not named could be changed unseen."""
    loaders = {entry.loader.partition(":")[0] for entry in registry().datasets.values()}
    closure = code.closure(loaders)
    text = " ".join(
        name for module in closure.values() for statement in module for name in statement.files
    )
    files = {file.name for module in closure for file in code.files_beside(module)}
    # What lies beside a paper's own loader, which reads none of it.
    files -= {"guide.md", "second.yaml", "benchmark.csv", "benchmark.svg"}
    assert files
    assert [name for name in files if name not in text] == []


def test_the_registry_is_no_part_of_a_loaders_code():
    """What it says of a data set is in the key by itself, wherever it stands."""
    loaders = {entry.loader.partition(":")[0] for entry in registry().datasets.values()}
    assert "icml2008.data.registry" not in code.closure(loaders)


def test_an_experiment_whose_name_is_not_written_out_starts_at_the_whole_module(paper):
    paper.edit("experiments.py", '"one"', "NAME")
    assert code.starts_of(paper.key, "one") == [f"icml2008.papers.{paper.key}.experiments"]


def test_hashing_imports_nothing_of_what_is_hashed():
    program = """
        import sys
        from icml2008.harness.code import code_hash, starts_of
        code_hash(starts_of("bickel2008hiv", "cohorts"))
        print("numpy" in sys.modules, "icml2008.papers.bickel2008hiv" in sys.modules)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False False"


def test_the_closure_follows_imports_and_stops_at_the_contract():
    closure = code.closure(["icml2008.papers.bergeron2008mirank.experiments"])
    assert "icml2008.methods.bag_ranking.multiple_instance" in closure
    assert not [
        name for name in closure if name.startswith(("icml2008.errors", "icml2008.harness"))
    ]
    assert "icml2008.errors" in code.closure(["icml2008.harness.trial"], contract=False)


def test_the_list_of_public_names_is_no_part_of_a_closure():
    closure = code.closure(["icml2008.papers.bergeron2008mirank.experiments"])
    assert not {"icml2008", "icml2008.methods", "icml2008.papers"} & set(closure)


def test_the_closure_of_an_experiment_leaves_out_judge_report_and_workflow():
    closure = code.closure(["icml2008.papers.bergeron2008mirank.experiments"])
    outside = ("icml2008.judge", "icml2008.report", "icml2008.run", "icml2008.cli")
    assert not [module for module in closure if module.startswith(outside)]


def test_a_smoke_trial_loads_no_module_outside_its_closure():
    """What is loaded but not hashed could change results unseen."""
    program = """
        import sys
        from icml2008.harness.code import closure
        from icml2008.papers.bergeron2008mirank.experiments import two_guess_accuracy as found
        from icml2008.harness.trial import Trial, run_trial
        import importlib.resources, yaml
        paper = "icml2008.papers.bergeron2008mirank"
        text = importlib.resources.files(paper).joinpath("paper.yaml").read_text()
        choices = {k: v["default"] for k, v in yaml.safe_load(text)["choices"].items()}
        cell = next(cell for cell in found.cells["smoke"] if not found.data(cell))
        run_trial(Trial("bergeron2008mirank", found, cell, 0, choices=choices, load=None))
        known = closure([paper + ".experiments", "icml2008.harness.trial"], contract=False)
        loaded = {name for name in sys.modules if name.partition(".")[0] == "icml2008"}
        parts = [name.split(".") for name in known]
        packages = {".".join(part[:n]) for part in parts for n in range(1, len(part))}
        names = ("code", "kept", "normal", "records", "source")
        hashing = {f"icml2008.harness.{name}" for name in names}
        print(sorted(loaded - set(known) - packages - hashing - {"icml2008.lazy"}))
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
