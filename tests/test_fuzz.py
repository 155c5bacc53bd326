"""No input ends in a traceback: a few cases of each kind; `make fuzz` gives 100,000."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hostile import outcome, targets


@pytest.mark.parametrize("name", targets())
def test_hostile_input_is_taken_or_refused_in_words(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ICML2008_CACHE", str(tmp_path / "cache"))
    target, found = targets()[name], set()

    @settings(max_examples=25, suppress_health_check=list(HealthCheck))
    @given(st.randoms(use_true_random=False))
    def take(random):
        found.add(outcome(target, target.case(random)))

    take()
    assert found <= {"accepted", "refused"}
