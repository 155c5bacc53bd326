"""What stands in several places must be the same in all of them."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest
import yaml
from hatchling.builders.wheel import WheelBuilder
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
LOCK = "".join(file.read_text() for file in sorted(ROOT.glob("requirements*.lock")))


def name_of(requirement):
    return re.split(r"[~=<>!\[]", requirement)[0]


def test_environment_and_pyproject_name_the_same_versions():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    pinned = [f"python{PROJECT['requires-python']}", *PROJECT["optional-dependencies"]["run"]]
    assert sorted(environment) == sorted(pinned)


def test_conda_and_pip_get_versions_that_agree():
    locked = dict(re.findall(r"^([a-z0-9_.-]+)==(\S+) ", LOCK, re.MULTILINE))
    for dependency in yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]:
        requirement = Requirement(dependency)
        if requirement.name != "python":
            assert locked[requirement.name] in requirement.specifier


def test_every_requirement_is_locked_with_hashes():
    locked = dict(re.findall(r"^([a-z0-9_.-]+)==[^\n]*\\\n\s+--hash=sha256:(\w+)", LOCK, re.M))
    locked_extras = PROJECT["optional-dependencies"].keys() - {"docs"}  # `make docs` alone has it
    extras = [r for extra in locked_extras for r in PROJECT["optional-dependencies"][extra]]
    for requirement in [*PROJECT["dependencies"], *extras]:
        assert name_of(requirement) in {*locked, PROJECT["name"]}


def test_the_lock_names_no_place():
    assert "://" not in LOCK


def test_citation_and_package_have_the_same_version():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert citation["version"] == PROJECT["version"]
    from icml2008 import __version__

    assert __version__ == PROJECT["version"]


def test_the_changelog_has_this_version():
    assert f"## {PROJECT['version']}" in (ROOT / "CHANGELOG.md").read_text()


def test_readme_names_every_folder():
    table = (ROOT / "README.md").read_text().partition("## How it is built")[2]
    named = re.findall(r"`([\w./<>-]+)/`", table)
    inside = {name.split("/")[0] for name in named}
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("no git repository, which knows its own folders")
    files = [Path(line) for line in listed.stdout.splitlines()]
    assert {file.parts[0] for file in files if len(file.parts) > 1} - inside == set()
    package = {file.parts[2] for file in files if file.parts[:2] == ("src", "icml2008")}
    folders = {name for name in package if (ROOT / "src/icml2008" / name).is_dir()}
    assert folders - {name.removeprefix("src/icml2008/").split("/")[0] for name in named} == set()


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Return the path of the package's wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    (path,) = WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"])
    return path


@pytest.fixture(scope="module")
def wheel(built):
    """Return the names of the files in the package's wheel."""
    return set(ZipFile(built).namelist())


@pytest.fixture(scope="module")
def alone(built, tmp_path_factory):
    """Return a function that runs the unpacked wheel in an empty folder."""
    package = tmp_path_factory.mktemp("package")
    folder = tmp_path_factory.mktemp("empty")
    ZipFile(built).extractall(package)

    def run(*arguments):
        command = [sys.executable, "-m", "icml2008", *arguments]
        settings = {**os.environ, "PYTHONPATH": str(package)}
        done = subprocess.run(
            command, cwd=folder, env=settings, capture_output=True, text=True, check=False
        )
        assert list(folder.iterdir()) == []
        return done

    return run


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["run", "li2008worst/bounds", "--scale", "smoke"], "violation"),
        (["papers"], "bergeron2008mirank"),
        (["verdicts", "li2008worst"], "The paper's claims:"),
        (["show", "li2008worst"], "judged claims hold"),
        (["audit", "bickel2008hiv"], "impossible"),
        (["data", "list"], "census-16h"),
    ],
)
def test_the_wheel_works_alone_in_an_empty_folder(alone, arguments, part):
    done = alone(*arguments)
    assert (done.returncode, done.stderr) == (0, "")
    assert part in done.stdout


@pytest.mark.parametrize("arguments", [["site"], ["quality"], ["judge"]])
def test_what_needs_the_committed_evidence_says_so(alone, arguments):
    done = alone(*arguments)
    assert done.returncode == 2
    assert "results/reference" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_wheel_has_every_declaration_of_papers_and_data(wheel):
    declared = {
        path.relative_to(ROOT / "src").as_posix() for path in (ROOT / "src").rglob("*.yaml")
    }
    assert "icml2008/papers/bergeron2008mirank/data.yaml" in declared
    assert declared <= wheel


def test_the_wheel_has_the_workflow(wheel):
    assert {"icml2008/workflow/Snakefile", "icml2008/workflow/rules/common.smk"} <= wheel


def test_the_wheel_leaves_out_the_papers_tests_and_benchmarks(wheel):
    tests = list((ROOT / "src/icml2008/papers").glob("*/test_*.py"))
    assert tests
    assert [name for name in wheel if re.search(r"/(test_\w+\.py|benchmark\.\w+)$", name)] == []


@pytest.mark.parametrize("first", ["icml2008", "numba"])
def test_kernels_get_a_place_where_neither_the_package_nor_a_home_can_be_written(tmp_path, first):
    """Numba refuses to compile where it can keep nothing: a foreign tree, and no home."""
    (tmp_path / "kernel.py").write_text(
        "import numba\n\n@numba.njit(cache=True)\ndef two(x):\n    return 2 * x\n"
    )
    program = (
        f"import os, {first}; os.access = lambda *place, **how: False; "
        "import importlib, icml2008; importlib.reload(icml2008); "
        "import kernel; kernel.two(3); folder = os.environ['NUMBA_CACHE_DIR']; "
        "print(folder, len(list(os.walk(folder))))"
    )
    env = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    env["PYTHONPATH"] = str(ROOT / "src")
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=env, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    folder, places = done.stdout.split()
    assert int(places) > 1  # it was used
    assert not os.path.exists(folder)
