"""A target that there is none of is answered with the nearest one."""

import subprocess
from pathlib import Path

import pytest

from icml2008.catalogue.library import folder
from icml2008.catalogue.paper_error import PaperError
from icml2008.run.trials.configuration import ConfigError
from icml2008.run.trials.targets import refuse

ROOT = Path(__file__).parents[2]
RULES = ["all", "full", "figures", "tieleman2008pcd", "bergeron2008mirank"]


@pytest.mark.parametrize(
    ("target", "message"),
    [
        (
            "tielemann2008pcd",
            "no paper or target 'tielemann2008pcd'; did you mean 'tieleman2008pcd'",
        ),
        ("figurs", "did you mean 'figures'"),
        ("mirank", "did you mean 'bergeron2008mirank'"),
        ("kondor2008skew", "kondor2008skew is planned"),
        ("li2008worst", "li2008worst is not among the papers of this run"),
    ],
)
def test_a_target_that_is_none_gets_the_nearest(target, message):
    with pytest.raises(ConfigError, match=message):
        refuse(target, RULES)


def test_a_part_of_a_key_finds_it():
    with pytest.raises(PaperError, match="no paper 'mirank'; did you mean 'bergeron2008mirank'"):
        folder("mirank")
    with pytest.raises(PaperError, match="no paper 'tielemann2008pcd'; did you mean 'tieleman"):
        folder("tielemann2008pcd")


@pytest.mark.parametrize(
    ("target", "message"),
    [("figurs", "did you mean 'figures'?"), ("mirank", "one paper: snakemake --cores all KEY")],
)
def test_make_names_the_nearest_target(target, message):
    done = subprocess.run(["make", target], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode
    assert message in done.stderr
