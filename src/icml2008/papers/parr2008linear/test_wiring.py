"""What is measured of paths of features, and what each choice changes."""

from types import SimpleNamespace

import numpy as np
import pytest

from icml2008.papers.parr2008linear import experiments
from icml2008.papers.parr2008linear.experiments import (
    MarkovRewardProcess,
    path_of,
    random_process,
    smooth_features,
    summary,
)
from icml2008.papers.parr2008linear.problems import blackjack, chain, two_room
from wiring import wire


class Given:
    """Features are unit vectors, from the last state on."""

    def features(self, process, smooth):
        return np.eye(process.n_states)[:, ::-1]


def plain_path(process, features):
    """Return relative errors of each number of features, by the fixed point's definition."""
    rows = []
    R = process.rewards
    for k in range(1, process.n_states + 1):
        Phi = features[:, :k]
        project = Phi @ np.linalg.pinv(Phi)
        after = process.transitions @ Phi
        w = np.linalg.solve(Phi.T @ Phi - process.discount * Phi.T @ after, Phi.T @ R)
        reward = R - project @ R
        feature = process.discount * (after - project @ after) @ w
        total = R + process.discount * after @ w - Phi @ w
        missed = np.linalg.norm(after - project @ after) / np.linalg.norm(after)
        sizes = [np.linalg.norm(error) / np.linalg.norm(R) for error in (total, reward, feature)]
        rows.append([*sizes, missed])
    return np.array(rows)


def expected(path):
    """Return what is judged of a path, in words of Section 6."""
    total, reward, feature, missed = path.T
    n = len(path)
    needed = max([k + 1 for k in range(n) if total[k] > 0.5], default=0)
    cancelled = 0.0
    for k in range(n - 1):
        apart = reward[k] ** 2 + feature[k] ** 2
        if apart > 1e-16:
            cancelled += (1 - total[k] ** 2 / apart) / (n - 1)
    return {
        "bellman_area": total.mean(),
        "reward_area": reward.mean(),
        "feature_area": feature.mean(),
        "reward_worst": max(reward),
        "feature_worst": max(feature),
        "reward_late": min(1, reward[int(0.95 * n) - 1]),
        "needed": needed / n,
        "cancelled": cancelled,
        "unpredicted": missed.mean(),
    }


def near(values):
    return pytest.approx(values, rel=1e-6, abs=1e-7)


@pytest.mark.parametrize(
    ("choices", "made"),
    [
        ({}, chain("optimal", 0.9, ties="left")),
        ({"chain-policy": "uniform"}, chain("uniform", 0.9, ties="left")),
        ({"chain-discount": "0.8"}, chain("optimal", 0.8, ties="left")),
        ({"chain-ties": "inward"}, chain("optimal", 0.9, ties="inward")),
    ],
)
def test_errors_on_the_chain_are_those_of_the_fixed_point(choices, made):
    methods = {"given": Given, "PVF": experiments.SOURCES["PVF"]}
    wired = wire(experiments.on_the_chain, choices=choices, methods=methods)
    process = made.process
    path = plain_path(process, np.eye(50)[:, ::-1])
    assert wired["given"] == near(expected(path))
    assert wired.n_test["given"]["needed"] == 50
    np.testing.assert_allclose(wired.kept["path given"], path[:, :3], atol=1e-6)
    smooth = summary(path_of(process, smooth_features(made.links, wired.rng("ties"))))
    assert wired["PVF"]["feature_of_reward"] == near(smooth["feature_area"] / smooth["reward_area"])


@pytest.mark.parametrize(
    ("choices", "made"),
    [
        ({}, two_room("resets", "first", reset_links=True)),
        ({"goal": "absorbs"}, two_room("absorbs", "first", reset_links=True)),
        ({"ties": "all"}, two_room("resets", "all", reset_links=True)),
        ({"reset-links": "no"}, two_room("resets", "first", reset_links=False)),
    ],
)
def test_two_rooms_are_beside_the_chain(choices, made):
    methods = {"given": Given, "PVF": experiments.SOURCES["PVF"]}
    wired = wire(experiments.in_two_rooms, choices=choices, methods=methods)
    process = made.process
    path = plain_path(process, np.eye(process.n_states)[:, ::-1])
    assert wired["given"] == near(expected(path))
    smooth = smooth_features(made.links, wired.rng("ties"), normalised=True)
    here = summary(path_of(process, smooth))
    other = chain()
    there = summary(path_of(other.process, smooth_features(other.links, wired.rng("chain"))))
    assert wired["PVF"] == near(
        {
            **here,
            "reward_of_chain": here["reward_area"] / there["reward_area"],
            "feature_of_chain": here["feature_area"] / there["feature_area"],
            "unpredicted_of_chain": here["unpredicted"] / there["unpredicted"],
        }
    )


@pytest.mark.parametrize("model", ["ergodic", "book"])
@pytest.mark.parametrize(
    ("choices", "outcomes", "deal", "links"),
    [
        ({}, "states", "dealt", True),
        ({"outcomes": "folded"}, "folded", "dealt", True),
        ({"deal": "uniform"}, "states", "uniform", True),
        ({"reset-links": "no"}, "states", "dealt", False),
    ],
)
def test_blackjack_is_played_as_the_choices_say(monkeypatch, model, choices, outcomes, deal, links):
    asked = []
    small = chain()
    monkeypatch.setattr(
        experiments, "blackjack", lambda *args, **how: asked.append((args, how)) or small
    )
    assert callable(blackjack)
    wired = wire(
        experiments.at_blackjack, {"model": model}, choices=choices, methods={"given": Given}
    )
    assert asked == [((outcomes, deal), {"ergodic": model == "ergodic", "reset_links": links})]
    path = plain_path(small.process, np.eye(50)[:, ::-1])
    assert wired["given"] == near(expected(path))


def test_lacking_eigenvectors_are_those_of_the_eigenvalue_of_failed_moves(monkeypatch):
    # Two blocks of 0.1: one of a single state, one of three with a single eigenvector.
    P = np.diag([0.1, 0.1, 0.1, 0.1, 0.7])
    P[1, 2] = P[2, 3] = 0.9
    P[3, 4] = P[0, 4] = 0.9
    made = SimpleNamespace(process=SimpleNamespace(transitions=P))
    asked = []
    monkeypatch.setattr(experiments, "two_room", lambda *args: asked.append(args) or made)
    wired = wire(experiments.missing_eigenvectors, choices={"goal": "absorbs", "ties": "all"})
    assert wired["transition matrix"] == {"missing": 2}
    assert asked == [("absorbs", "all")]


def test_a_theorem_is_violated_by_the_most_of_twenty_draws(monkeypatch):
    seen = []

    def check(process, rng):
        seen.append(process)
        return -abs(len(seen) - 7.0)

    monkeypatch.setattr(experiments, "THEOREMS", {"3.1": check})
    wired = wire(experiments.check_theorem, {"theorem": "3.1", "process": "random"})
    assert wired["linear algebra"] == {"violation": 0}
    assert wired.n_test["linear algebra"]["violation"] == len(seen) == 20
    first = random_process(wired.rng("draws"))
    np.testing.assert_array_equal(seen[0].transitions, first.transitions)
    wire(experiments.check_theorem, {"theorem": "3.1", "process": "chain"})
    np.testing.assert_array_equal(seen[20].transitions, chain().process.transitions)


def test_theorems_are_told_from_what_only_looks_like_them(monkeypatch):
    rng = np.random.default_rng(1)
    process = random_process(rng)
    usual = {name: check(process, rng) for name, check in experiments.THEOREMS.items()}
    assert max(usual.values()) < 1e-6
    # One step of transitions that another process makes is no Krylov space of this one.
    other = MarkovRewardProcess(process.transitions, rng.normal(size=15), process.discount)
    for name in ("bellman_error_basis", "model_error_basis"):
        make = getattr(experiments, name)
        monkeypatch.setattr(
            experiments, name, lambda process, k, make=make, **how: make(other, k, **how)
        )
    assert experiments.THEOREMS["5.1"](process, rng) > 0.1
    assert experiments.THEOREMS["5.3"](process, rng) > 0.1
