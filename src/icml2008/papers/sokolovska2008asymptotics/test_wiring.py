"""What the trials record, from their own streams and scikit-learn's fits."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from icml2008.papers.sokolovska2008asymptotics import experiments
from icml2008.papers.sokolovska2008asymptotics.problems import draw_problem, joint_law
from wiring import wire

FLIPPED = {"model": "flipped", "bayes": 1.7, "n": 50}


@pytest.fixture(autouse=True)
def few_samples(monkeypatch):
    monkeypatch.setattr(experiments, "SAMPLES", 4)
    monkeypatch.setattr(experiments, "PROBLEMS", 1)


def problem_of(wired, **choices):
    cell = wired.trial.cell
    settings = {"bayes": cell.get("bayes", 1.7), "best": 9.4, **choices}
    if cell["model"] == "right":
        settings |= {"best": None, "flips": "none"}
    return draw_problem(wired.rng("problem", across=("n",) if "n" in cell else ()), **settings)


def peer_fits(problem, counts, factor, weighted):
    """Return scikit-learn's parameters for each sample, at a factor of the printed penalty."""
    thetas = []
    for sample in counts:
        n = sample.sum()
        seen = sample.sum(axis=1)
        inputs, labels = np.nonzero(sample)
        weights = sample[inputs, labels] / n
        penalty = factor / n
        if weighted:
            weights = problem.marginal[inputs] * sample[inputs, labels] / seen[inputs]
            penalty = factor * problem.marginal[seen > 0].sum() / n
        peer = LogisticRegression(
            C=1 / (2 * penalty), fit_intercept=False, tol=1e-11, max_iter=5000
        )
        thetas.append(peer.fit(problem.X[inputs], labels, sample_weight=weights).coef_[0])
    return np.array(thetas)


def outcomes(problem, theta, n):
    """Return scaled squared distance, scaled excess risk and percent of errors, by plain loops."""
    risk = 0.0
    lowest = 0.0
    error = 0.0
    for x, q, eta in zip(problem.X, problem.marginal, problem.label, strict=True):
        for y, chance in ((0, 1 - eta), (1, eta)):
            sign = 1 if y else -1
            risk += q * chance * np.log1p(np.exp(-sign * (x @ theta)))
            lowest += q * chance * np.log1p(np.exp(-sign * (x @ problem.theta)))
            error += 100 * q * chance * (y != (x @ theta > 0))
    return n * np.sum((theta - problem.theta) ** 2), n * (risk - lowest), error


@pytest.mark.parametrize("model", ["flipped", "right"])
def test_simulation_measures_what_the_printed_penalty_gives(monkeypatch, model):
    monkeypatch.setattr(experiments, "FACTORS", np.array([1.0]))
    cell = {**FLIPPED, "model": model}
    wired = wire(experiments.run_simulation, cell, choices={"calibrated": "printed"})
    problem = problem_of(wired)
    counts = wired.rng("samples").multinomial(50, problem.joint.ravel(), size=4).reshape(4, 220, 2)
    within, outer, hessian = problem.matrices()
    risks = {}
    for name, middle in (("logistic", outer), ("weighted", within)):
        thetas = peer_fits(problem, counts, 1.0, name == "weighted")
        distance, excess, error = np.transpose([outcomes(problem, t, 50) for t in thetas])
        risks[name] = excess.mean()
        theory = np.trace(np.linalg.inv(hessian) @ middle @ np.linalg.inv(hessian))
        measured = wired[name]
        assert measured["log_estimate"] == pytest.approx(np.log(distance.mean()), abs=1e-3)
        assert measured["log_risk"] == pytest.approx(np.log(excess.mean()), abs=1e-3)
        assert measured["error"] == pytest.approx(error.mean(), abs=1e-3)
        boxes = [np.subtract(*np.quantile(values, [0.75, 0.25])) for values in (distance, excess)]
        assert measured["estimate_box"] == pytest.approx(np.log(boxes[0]), abs=1e-3)
        assert measured["risk_box"] == pytest.approx(np.log(boxes[1]), abs=1e-3)
        assert measured["penalty"] == 0
        expected = 100 * abs(distance.mean() / theory - 1)
        assert measured["estimate_off"] == pytest.approx(expected, rel=1e-3, abs=0.06)
        expected = 100 * abs(2 * excess.mean() / np.trace(middle @ np.linalg.inv(hessian)) - 1)
        assert measured["risk_off"] == pytest.approx(expected, rel=1e-3, abs=0.06)
        assert "unpenalised" not in measured
    ratio = np.log(risks["weighted"] / risks["logistic"])
    assert wired["weighted"]["behind"] == pytest.approx(ratio, abs=1e-3)
    assert wired["weighted"]["apart"] == pytest.approx(abs(ratio), abs=1e-3)


def test_printed_penalties_leave_the_best_one_to_the_risk():
    printed = wire(experiments.run_simulation, FLIPPED, choices={"calibrated": "printed"})
    best = wire(experiments.run_simulation, FLIPPED)
    for name in ("logistic", "weighted"):
        assert printed[name]["penalty"] == best[name]["penalty"]
        assert printed[name]["log_risk"] >= best[name]["log_risk"]


def test_harder_problems_are_compared_by_the_error_where_that_is_chosen():
    cell = {"model": "flipped", "bayes": 20.0, "n": 50}
    measured = wire(experiments.run_simulation, cell, choices={"compared": "error"})
    ratio = np.log(measured["weighted"]["error"] / measured["logistic"]["error"])
    assert measured["weighted"]["behind"] == pytest.approx(ratio, abs=1e-3)


@pytest.mark.parametrize(("choice", "metric"), [("risk", 1), ("error", 2), ("estimate", 0)])
def test_one_penalty_is_the_best_of_all_by_what_calibrates_it(monkeypatch, choice, metric):
    factors = np.array([8.0, 1.0, 0.125])
    monkeypatch.setattr(experiments, "FACTORS", factors)
    wired = wire(experiments.run_simulation, FLIPPED, choices={"calibrated": choice})
    problem = problem_of(wired)
    counts = wired.rng("samples").multinomial(50, problem.joint.ravel(), size=4).reshape(4, 220, 2)
    for name in ("logistic", "weighted"):
        means = []
        for factor in factors:
            thetas = peer_fits(problem, counts, factor, name == "weighted")
            means.append(np.mean([outcomes(problem, t, 50) for t in thetas], axis=0))
        best = np.argmin([mean[metric] for mean in means])
        assert wired[name]["penalty"] == abs(np.log2(factors[best]))
        assert wired[name]["log_risk"] == pytest.approx(np.log(means[best][1]), abs=1e-3)


def test_leaving_out_the_penalty_is_measured_above_a_thousand_examples():
    wired = wire(experiments.run_simulation, {**FLIPPED, "n": 5000})
    for name in ("logistic", "weighted"):
        assert 0 <= wired[name]["unpenalised"] < 50


def test_theorem_measures_matrices_by_their_eigenvalues():
    for model in ("flipped", "right"):
        wired = wire(experiments.run_theorem, {"model": model})
        problem = problem_of(wired)
        within, outer, hessian = problem.matrices()
        scale = np.linalg.eigvalsh(outer)[-1]
        eigenvalues = np.linalg.eigvalsh(outer - within) / scale
        measured = wired["weighted"]
        assert measured["negative"] == pytest.approx(-eigenvalues[0], rel=1e-2, abs=1e-12)
        assert measured["difference"] == pytest.approx(eigenvalues[-1], rel=1e-2, abs=1e-12)
        off = np.abs(np.linalg.eigvalsh(hessian - outer)).max() / scale
        assert measured["fisher"] == pytest.approx(off, rel=1e-2)
        larger = np.maximum(problem.label, 1 - problem.label)
        largest = np.einsum("x,x,xi,xj->ij", problem.marginal, larger, problem.X, problem.X)
        beyond = -np.linalg.eigvalsh(largest - outer)[0] / scale
        assert measured["beyond"] == pytest.approx(beyond, rel=1e-2)
        assert measured["efficiency"] < 1e-3


def test_theorem_measures_the_worst_of_several_problems(monkeypatch):
    monkeypatch.setattr(experiments, "PROBLEMS", 2)
    wired = wire(experiments.run_theorem, {"model": "flipped"})
    rng = wired.rng("problem")
    differences = []
    for _ in range(2):
        within, outer, _ = draw_problem(rng, bayes=1.7, best=9.4).matrices()
        missed = np.linalg.eigvalsh(outer - within)[-1] / np.linalg.norm(outer, 2)
        differences.append(missed)
    measured = wired["weighted"]
    assert measured["difference"] == pytest.approx(max(differences), rel=1e-2)
    assert measured["least_difference"] == pytest.approx(min(differences), rel=1e-2)
    assert wired.n_test["weighted"]["efficiency"] == 2


def test_limit_measures_squares_by_the_claimed_covariance():
    wired = wire(experiments.run_limit, {"model": "flipped", "n": 1000})
    problem = problem_of(wired)
    counts = wired.rng("samples").multinomial(1000, problem.joint.ravel(), size=4)
    within, outer, hessian = problem.matrices()
    for name, middle in (("logistic", outer), ("weighted", within)):
        thetas = peer_fits(problem, counts.reshape(4, 220, 2), 1e-3, name == "weighted")
        covariance = np.linalg.inv(hessian) @ middle @ np.linalg.inv(hessian)
        away = thetas - problem.theta
        squares = [1000 * d @ np.linalg.solve(covariance, d) for d in away]
        expected = 100 * abs(np.mean(squares) / 10 - 1)
        assert wired[name]["estimate_off"] == pytest.approx(expected, rel=0.01, abs=0.06)
        excess = np.mean([outcomes(problem, theta, 1000)[1] for theta in thetas])
        expected = 100 * abs(excess / (np.trace(middle @ np.linalg.inv(hessian)) / 2) - 1)
        assert wired[name]["risk_off"] == pytest.approx(expected, rel=0.01, abs=0.06)


def test_joint_measures_the_worst_of_ten_cells():
    wired = wire(experiments.run_joint, {"n": 1000})
    cells = wired.rng("cells", across=("n",)).uniform(0.1, 0.9, size=(10, 2))
    gaps = []
    shares = []
    for q, eta in cells:
        variance = 1000 * experiments.known_marginal_variance(1000, q, eta)
        gaps.append(abs(variance / (q * eta * (1 - eta)) - 1))
        shares.append(variance / (q * eta * (1 - q * eta)))
    assert wired["weighted"] == pytest.approx({"variance": max(gaps), "share": max(shares)})
    assert wired.n_test["weighted"]["variance"] == 10


def test_shift_draws_half_of_the_inputs_evenly():
    wired = wire(experiments.run_shift, {"model": "flipped", "n": 1000})
    problem = problem_of(wired)
    law = joint_law(problem.marginal / 2 + 1 / 440, problem.label)
    counts = wired.rng("samples").multinomial(1000, law.ravel(), size=4).reshape(4, 220, 2)
    for name in ("logistic", "weighted"):
        thetas = peer_fits(problem, counts, 1.0, name == "weighted")
        distance = np.mean(np.sum((thetas - problem.theta) ** 2, axis=1))
        assert wired[name]["log_distance"] == pytest.approx(np.log(distance), abs=1e-3)


@pytest.mark.parametrize("choice", [{"law": "normal"}, {"law": "blocks"}, {"flips": "top"}])
def test_choices_draw_another_problem(choice):
    wired = wire(experiments.run_theorem, {"model": "flipped"}, choices=choice)
    problem = problem_of(wired, **choice)
    within, outer, _ = problem.matrices()
    difference = np.linalg.eigvalsh(outer - within)[-1] / np.linalg.norm(outer, 2)
    assert wired["weighted"]["difference"] == pytest.approx(difference, rel=1e-2)
