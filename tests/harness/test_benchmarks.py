"""What is timed: tasks in turns, each run once beforehand and given up when it has taken long."""

from icml2008.harness.benchmarks import least_seconds


def test_tasks_take_turns_until_patience_ends():
    calls = []

    def slow():
        calls.append("slow")
        return sum(range(10**5))

    def slower():
        calls.append("slower")
        return sum(range(10**6))

    timed = least_seconds({"slow": slow, "slower": slower}, times=3, patience=1e-9)
    assert calls[:2] == ["slow", "slower"]
    assert calls.count("slower") == 2  # one that does not count, and one turn
    assert timed["slower"][1] == sum(range(10**6))


def test_what_is_short_is_run_many_times_between_two_looks_at_the_clock():
    runs = []
    ((seconds, last),) = least_seconds({"": lambda: runs.append(0) or len(runs)}, times=3).values()
    assert last == len(runs) > 100
    assert seconds > 0
