"""What is measured of estimates, weights and counted work."""

import numpy as np
import pytest
from scipy import sparse

from icml2008.papers.yao2008preconditioned import experiments
from icml2008.papers.yao2008preconditioned.experiments import (
    GRAD,
    LSPE,
    LSTD,
    MR,
    direction,
    distance,
    features,
    learn,
    model,
    multiplications,
    preconditioner,
    radii,
    random_model,
    replay,
    solution,
    trajectories,
    walk,
)
from wiring import wire

RULES = {"GRAD": GRAD, "MR": MR, "LSPE": LSPE, "LSTD": LSTD}


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(experiments, "SETS", 2)
    monkeypatch.setattr(experiments, "TRAJECTORIES", 20)
    monkeypatch.setattr(experiments, "MOST", 300)


def digits(value):
    return pytest.approx(value, rel=1e-4, abs=1e-12)


def estimates(wired, trace, carried=False):
    """Return each set's estimates of A, b and D."""
    rng = wired.rng("trajectories", across=("lambda",))
    sets = [trajectories(rng, 12, 20) for _ in range(2)]
    return [
        learn(experiments.NONE, steps, features(12), trace, carried, (0.0, 0.0), solution(12))[:3]
        for steps in sets
    ]


def replayed(rule, parts, at):
    """Return what is measured of one model; `at` is 1 for errors, 2 for what is left."""
    A, b, D = parts
    errors = replay(rule, A, b, D, 12)
    sizes = errors[0]
    stop = 0
    while stop < len(errors[at]) and errors[at][stop] >= 0.01:
        stop += 1
    stop = min(stop, len(sizes))
    radius = np.mean(radii(rule, sizes[:stop], A, D))
    return {"rms": errors[1][-1], "left": errors[2][-1], "work_updates": stop, "radius": radius}


@pytest.mark.parametrize("choices", [{}, {"trace": "carried"}, {"stop": "solution"}])
def test_replayed_updates_are_those_of_the_averaged_model(small, choices):
    wired = wire(experiments.run_replay, {"lambda": 0.5}, choices=choices)
    runs = estimates(wired, 0.5, choices.get("trace") == "carried")
    averaged = [np.mean([part[k] for part in runs], axis=0) for k in range(3)]
    at = 2 if "stop" in choices else 1
    for name, rule in RULES.items():
        expected = replayed(rule, averaged, at)
        assert wired[name] == {metric: digits(value) for metric, value in expected.items()}


def test_errors_of_estimates_are_from_the_model_of_their_trace(small):
    wired = wire(experiments.run_replay, {"lambda": 0.5})
    A, b, _ = model(12, 0.5)
    runs = estimates(wired, 0.5)
    largest = [np.linalg.svd(part[0] - A, compute_uv=False)[0] for part in runs]
    apart = [np.sqrt(np.sum((part[1] - b) ** 2)) for part in runs]
    assert wired["RM"] == {"error_A": digits(np.mean(largest)), "error_b": digits(np.mean(apart))}


def test_each_estimate_is_replayed_by_itself_where_the_choice_says_so(small):
    wired = wire(experiments.run_replay, {"lambda": 0.5}, choices={"replayed": "each"})
    runs = estimates(wired, 0.5)
    both = [replayed(MR, parts, 1) for parts in runs]
    for metric in both[0]:
        assert wired["MR"][metric] == digits((both[0][metric] + both[1][metric]) / 2)


@pytest.mark.parametrize("trace", ["reset", "carried"])
def test_online_errors_are_those_after_the_last_visit(trace):
    wired = wire(experiments.run_online, {"visits": 90}, choices={"trace": trace})
    steps = walk(wired.rng("walk", across=("lambda", "visits")), 12, 90)
    for name, rule in (RULES | {"iLSPE": experiments.ILSPE}).items():
        how = features(12), 0.5, trace == "carried", (0.0, 0.0), solution(12)
        assert wired[name]["rms"] == digits(learn(rule, steps, *how)[3])
    start = distance(np.full(4, 0.1), solution(12), features(12))
    assert wired["no learning"]["rms"] == digits(start)


@pytest.mark.parametrize("trace", ["reset", "carried"])
def test_a_repeat_of_ten_sets_is_their_mean(monkeypatch, trace):
    monkeypatch.setattr(experiments, "SETS", 2)
    wired = wire(experiments.run_ten_sets, choices={"trace": trace})
    rng = wired.rng("walk", across=("lambda",))
    sets = [walk(rng, 12, 900) for _ in range(2)]
    for name, rule in (RULES | {"iLSPE": experiments.ILSPE}).items():
        how = features(12), 0.5, trace == "carried", (0.0, 0.0), solution(12)
        both = [learn(rule, steps, *how)[3] for steps in sets]
        assert wired[name] == {"rms": digits((both[0] + both[1]) / 2)}


@pytest.mark.parametrize("trace", ["reset", "carried"])
def test_late_errors_are_where_lstd_ends_that_learns_at_each_visit(monkeypatch, trace):
    monkeypatch.setattr(experiments, "SETS", 2)
    monkeypatch.setattr(experiments, "LATE", 900)
    wired = wire(experiments.run_ten_sets_late, choices={"trace": trace})
    rng = wired.rng("walk", across=("lambda",))
    sets = [walk(rng, 12, 900) for _ in range(2)]
    how = features(12), 0.5, trace == "carried", (0.0, 0.0), solution(12)
    both = [learn(LSTD, steps, *how)[3] for steps in sets]
    assert wired["LSTD"] == {"rms": digits((both[0] + both[1]) / 2)}


def test_step_sizes_are_judged_by_the_decimal_logarithm_of_the_error():
    wired = wire(experiments.run_step_size)
    steps = walk(wired.rng("walk", across=("visits",)), 12, 90)
    for c0, c1, name in ((0.01, 1e2, "iLSTD 0.01 100"), (1.0, 1e6, "iLSTD 1 1e+06")):
        how = features(12), 0.0, False, (c0, c1), solution(12)
        rms, variation = learn(experiments.ILSTD, steps, *how)[3:]
        assert wired[name]["log_rms"] == digits(np.log10(rms))
        assert wired[name]["variation"] == digits(variation)
    how = features(12), 0.0, False, (0.0, 0.0), solution(12)
    for name, rule in RULES.items():
        rms = learn(rule, steps, *how)[3]
        assert wired[name]["log_rms"] == digits(np.log10(rms))
    assert wired["no learning"]["variation"] == 0


def test_multiplications_are_those_of_the_sections():
    A = sparse.csr_array(np.array([[1.0, 2, 0], [0, 3, 0], [0, 0, 4]]))  # 4 non-zeros
    D = sparse.csr_array(np.eye(3))
    assert {rule: multiplications(rule, A, D) for rule in experiments.WORKED} == {
        "LSTD": 9 + 9,
        "LSPE": 9 + 4 * 9 + 3 * 3,
        "LSTD, Sherman-Morrison": 5 * 9 + 3,
        # Nothing is below the diagonal; the right triangle has four non-zeros.
        "LSTD, sparse LU": 4,
        "iLSTD": 4 + 3,
        "MR": 2 * 4 + 3 * 3,
        "iLSPE": 2 * 4 + 4 * 3 + 9 * 3,
    }


def test_work_is_counted_by_what_a_hundred_trajectories_leave():
    wired = wire(experiments.count_work, {"N": 12})
    phi = features(12)
    states, after, _ = trajectories(wired.rng("trajectories"), 12, 100)
    A = np.zeros((4, 4))
    for here, there in zip(states, after, strict=True):
        A += np.outer(phi[here], phi[there] - phi[here])
    share = np.mean(np.abs(A) > 0)
    assert wired["MR"]["share"] == pytest.approx(share)
    assert np.exp(wired["MR"]["log_work"]) == pytest.approx(2 * 16 * share + 12)
    assert np.exp(wired["LSTD"]["log_work"]) == pytest.approx(64 / 3 + 16)


def test_violations_are_the_most_over_a_hundred_chains():
    wired = wire(experiments.check_steps, {"lambda": 0.5})
    rng = wired.rng("chains")
    models = [random_model(rng, 0.5) for _ in range(100)]
    weights = rng.normal(size=(100, 8))
    for name, rule in RULES.items():
        excess = []
        sizes = []
        for (A, b, D), given in zip(models, weights, strict=True):
            at = given[: len(b)]
            delta, alpha = direction(rule, A, b, D, at, np.zeros((2, len(b))))
            inverse = preconditioner(rule, A, D)
            own, *others = (
                np.linalg.norm(inverse @ (A @ (at - size * delta) + b))
                for size in (alpha, 0.99 * alpha, 1.01 * alpha, 0, 1)
            )
            excess.append((own - min(others)) / np.linalg.norm(delta))
            sizes.append(alpha)
        metrics = wired[name]
        assert metrics["excess"] == pytest.approx(max(excess), abs=1e-6)
        assert metrics["negative"] == pytest.approx(-min(sizes))
        assert metrics["apart"] == pytest.approx(max(abs(size - 1) for size in sizes), abs=1e-9)
        assert wired.n_test[name]["excess"] == 100
