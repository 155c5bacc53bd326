"""The tutorials, followed word by word in an empty folder."""

import doctest
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import icml2008

ROOT = Path(__file__).parents[2]
TUTORIALS = sorted((ROOT / "docs/tutorials").glob("*.md"))
FENCED = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.M)
ALIKE = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.fixture
def follow(tmp_path):
    """Run a command as a reader would, in one folder; what it exports stays for the next."""
    if (ROOT / "src") in Path(icml2008.__file__).parents:  # a wheel has the verdicts in itself
        (tmp_path / "results").symlink_to(ROOT / "results")
    folder = Path(sys.executable).parent
    settings = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}

    def run(command):
        if command.startswith("export "):
            name, _, value = command.removeprefix("export ").partition("=")
            settings[name] = os.pathsep.join(filter(None, [value, settings.get(name)]))
            return ""
        done = subprocess.run(
            command, shell=True, cwd=tmp_path, env=settings, text=True, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        return done.stdout

    return run


def test_there_is_a_tutorial_for_each_reader():
    assert [path.stem for path in TUTORIALS] == ["author", "benchmarker", "reader", "user"]


@pytest.mark.parametrize("tutorial", TUTORIALS, ids=lambda path: path.stem)
def test_a_tutorial_says_what_happens(tutorial, tmp_path, follow):
    followed = 0
    for language, block in FENCED.findall(tutorial.read_text("utf-8")):
        if language == "console":
            for command, shown in COMMAND.findall(block):
                out = follow(command)
                alike = doctest.OutputChecker().check_output(shown, out, ALIKE)
                assert alike, f"{command}\n{out}"
                followed += 1
        elif name := re.match(r"# (\S+\.py)\n", block):
            (tmp_path / name[1]).write_text(block)
    examples = doctest.testfile(str(tutorial), module_relative=False, optionflags=ALIKE)
    assert examples.failed == 0
    assert followed + examples.attempted > 0


@pytest.mark.parametrize("file", TUTORIALS, ids=lambda file: file.stem)
def test_what_an_empty_folder_installs_comes_from_where_the_project_is(file):
    """No index of packages has it: a bare name would find nothing, or somebody else's."""
    home = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["urls"]["Homepage"]
    installed = re.findall(r"pip install (.*)", file.read_text("utf-8"))
    assert installed
    assert all(re.fullmatch(rf'"icml2008\[\w+\] @ git\+{home}"', line) for line in installed)
