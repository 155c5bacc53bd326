"""No input ends in a traceback: a few cases of each kind; `make fuzz` gives 100,000."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

KINDS = (
    *("paper.yaml", "configuration", "registry", "records", "verdicts", "command line", "ARFF"),
    *("C4.5", "delimited", "IDX", "LIBSVM", "MATLAB", "SGML", "XLS", "archive", "download"),
)


@pytest.fixture(scope="module")
def hostile():
    import hostile  # which imports most of the package

    return hostile


@pytest.mark.parametrize("kind", KINDS)
def test_hostile_input_is_taken_or_refused_in_words(kind, hostile, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ICML2008_CACHE", str(tmp_path / "cache"))
    target = hostile.targets()[kind]
    outcomes = set()

    @settings(max_examples=25, suppress_health_check=list(HealthCheck))
    @given(st.randoms(use_true_random=False))
    def take(random):
        outcomes.add(hostile.outcome(target, target.case(random)))

    take()
    assert "refused" in outcomes
    assert outcomes <= {"accepted", "refused"}


def test_every_kind_of_input_is_tried(hostile):
    assert hostile.targets().keys() == set(KINDS)
    assert sum(target.share for target in hostile.targets().values()) == 100
