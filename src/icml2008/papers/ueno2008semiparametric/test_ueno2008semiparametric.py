"""What errors, variances and chains must agree with."""

import numpy as np
import pytest

from icml2008.catalogue import library
from icml2008.harness.trial import Trial, run_trial
from icml2008.methods.lstd import LSTD

from . import experiments as ours
from .experiments import FEATURES, PAID, best_instrument, four_states, precision, random_chain


def test_errors_of_figure_2_are_those_of_a_plain_loop_over_the_text():
    """Section 4 by Algorithms 1 and 2 on the trial's own walks; V* solves Equation 5."""
    choices = library.trial_choices("ueno2008semiparametric", "episodes", "default")
    cell = {"steps": 100}
    trial = Trial("ueno2008semiparametric", ours.run_episodes, cell, 0, choices=choices, load=None)
    phi = np.array([[s, s**2, s**3] for s in (1.0, 2.0, 3.0, 4.0)])
    rewards = [0.0, 1.0, 0.5, 0.0]  # of the state that is visited
    goes = [[0, 1], [0, 2], [1, 3], [2, 3]]  # to the left and to the right
    centred = [np.mean([rewards[t] for t in go]) - 0.375 for go in goes]
    theta = np.linalg.lstsq(phi - [phi[go].mean(axis=0) for go in goes], centred)[0]
    rng = trial.rng("walks")
    totals = dict.fromkeys(("LSTD", "LSTDc", "gLSTD"), 0.0)
    done = 0
    while done < 100:
        states = four_states("arrival")[1].walk(np.zeros(4, dtype=int), 100, rng).states.tolist()
        if len(set(states[:-1])) < 4:
            continue
        steps = [
            (s, phi[s], phi[s] - phi[t], rewards[t] - 0.375)
            for s, t in zip(states[:-1], states[1:], strict=True)
        ]

        def solved(instrument, steps=steps):
            A = sum(np.outer(instrument(s), x) for s, _, x, _ in steps)
            return np.linalg.solve(A, sum(instrument(s) * y for s, _, _, y in steps))

        first = solved(phi.__getitem__)
        squares = [(x @ first - y) ** 2 for _, _, x, y in steps]
        ez = sum(e * z for e, (_, z, *_) in zip(squares, steps, strict=True))
        ezz = sum(e * np.outer(z, z) for e, (_, z, *_) in zip(squares, steps, strict=True))
        xz = sum(np.outer(x, z) for _, z, x, _ in steps)
        along = np.linalg.inv(xz) @ sum(x for _, _, x, _ in steps)
        c = -(ez - ezz @ along) / (sum(squares) - ez @ along)
        z = {}
        for at in range(4):
            there = [t for t, step in enumerate(steps) if step[0] == at]
            variance = np.mean([squares[t] for t in there])
            z[at] = np.mean([steps[t][2] for t in there], axis=0) / variance
        estimates = {"LSTD": first, "LSTDc": solved(lambda s, c=c: phi[s] + c)}
        for name, estimate in (estimates | {"gLSTD": solved(z.__getitem__)}).items():
            totals[name] += np.mean((phi @ (estimate - theta)) ** 2) / 100
        done += 1
    lines = [line for line in run_trial(trial) if line.get("metric") == "error"]
    measured_of = {line["method"]: line["value"] for line in lines}
    assert {name: measured_of[name] for name in totals} == pytest.approx(totals, rel=1e-4)


@pytest.mark.parametrize("paid", ["arrival", "departure"])
def test_values_of_the_chain_solve_equation_5(paid):
    chain, _, coef = four_states(paid)
    ahead = chain.P @ PAID if paid == "arrival" else PAID
    values = FEATURES @ coef
    np.testing.assert_allclose(values - chain.P @ values, ahead - 0.375, atol=1e-12)
    np.testing.assert_allclose(np.sum(chain.P * chain.residuals, axis=1), 0, atol=1e-12)


def test_estimated_covariance_comes_near_that_of_the_model():
    chain, world, _ = four_states("arrival")
    walk = world.walk(np.zeros(4, dtype=int), 200_000, np.random.default_rng(0))
    before = walk.states[:-1]
    after = walk.states[1:]
    for instrument, z in (("features", FEATURES), ("optimal", best_instrument(chain))):
        model = LSTD(instrument, average_reward=0.375)
        model.fit(FEATURES[before], walk.rewards, FEATURES[after], before)
        covariance = np.linalg.inv(precision(chain, z)) / 200_000
        np.testing.assert_allclose(model.covariance_, covariance, rtol=0.1)


@pytest.mark.parametrize("values", ["discounted", "average"])
def test_random_chains_are_in_balance(values):
    chain = random_chain(np.random.default_rng(3), values)
    np.testing.assert_allclose(chain.d @ chain.P, chain.d, atol=1e-12)
    np.testing.assert_allclose(np.sum(chain.P * chain.residuals, axis=1), 0, atol=1e-12)
