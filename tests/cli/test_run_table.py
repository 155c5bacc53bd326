"""The table that a run prints."""

from icml2008.cli import running


def line(value, **more):
    return {
        "kind": "measurement", "cell": {"size": 1}, "repeat": 0, "method": "A", "metric": "loss",
        "value": value, **more,
    }  # fmt: skip


def test_a_value_that_is_not_finite_is_in_no_mean_and_is_told(capsys):
    failed = running._print_run([line(2.0), line(None, status="non-finite")], running.Format.table)
    printed = capsys.readouterr()
    assert failed == {}
    assert printed.err == "size=1, A: loss is not finite, and in no mean\n"
    assert printed.out.splitlines()[1].split() == ["loss", "size=1", "A", "2.0", "None", "1"]
