"""What is measured of a pass over the examples, and what each choice changes."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy import sparse

from icml2008.papers.orabona2008projectron import experiments
from icml2008.papers.orabona2008projectron.method import forgetron_norm
from wiring import wire


class Learner:
    """Errs on the positives among its first rows, stores each of those rows that it errs on."""

    made = ()

    def __init__(self, kernel, budget, random_state):
        self.kernel = kernel
        self.budget = budget
        self.seed = random_state
        self.made.append(self)

    def fit(self, X, y):
        self.X = X
        self.y = y
        n = len(y)
        wrong = (y > 0) & (np.arange(n) % (2 + self.seed % 3) == 0)
        wrong[-n // 4 :] = False
        self.mistakes_ = np.flatnonzero(wrong)
        self.stored_ = np.cumsum(wrong)
        return self


@pytest.fixture
def learners(monkeypatch):
    monkeypatch.setattr(Learner, "made", [])
    return {"RBP": Learner, "Perceptron": Learner}


def data(wired, flips=0.1, across=("budget",)):
    """Return rows and labels of Section 5's two Gaussians in the first order."""
    rng = wired.rng("examples", across=across)
    y = rng.choice(np.where(np.arange(10_000) % 2, 1.0, -1.0), size=10_000)
    X = rng.standard_normal((10_000, 2)) * np.sqrt([0.2, 2.0]) + y[:, None]
    y = np.where(rng.random(10_000) < flips, -y, y)
    orders = [rng.permutation(10_000), rng.permutation(10_000)]
    return X, y, orders


def test_mistakes_and_storage_are_those_of_one_pass(learners):
    wired = wire(experiments.one_pass, methods=learners)
    X, y, orders = data(wired)
    first, other, alone = Learner.made
    np.testing.assert_allclose(first.X, X[orders[0]])
    np.testing.assert_allclose(other.X, X[orders[1]])
    np.testing.assert_array_equal(alone.y, y[orders[0]])
    wrong = len(first.mistakes_)
    half = np.sum(first.mistakes_ < 5000)
    quarter = np.sum(first.mistakes_ < 2500)
    assert wired["RBP"] == pytest.approx(
        {
            "mistakes": wrong / 100,
            "stored": wrong,
            "late_storing": 100 * (wrong - half) / wrong,
            "late_gain": quarter / 25 - wrong / 100,
            "apart": abs(wrong - len(other.mistakes_)) / 100,
        }
    )
    assert "apart" not in wired["Perceptron"]
    assert wired.n_test["RBP"]["mistakes"] == 10_000
    assert first.budget == 500


def test_half_a_budget_is_a_thousand_and_is_run_once(learners):
    wired = wire(experiments.one_pass, {"budget": "half"}, methods=learners)
    assert [made.budget for made in Learner.made] == [1000, 1000]
    assert "apart" not in wired["RBP"]


@pytest.mark.parametrize(("kernel", "gamma"), [("two-variances", 1.0), ("one-variance", 2.0)])
def test_the_kernels_width_is_the_choices(learners, kernel, gamma):
    wire(experiments.one_pass, methods=learners, choices={"kernel": kernel})
    value = Learner.made[0].kernel(np.array([[0.0, 0.0]]), np.array([[0.3, 0.4]]))
    assert value == pytest.approx(np.exp(-gamma * 0.25))


@pytest.mark.parametrize("counts", ["drawn", "equal"])
def test_classes_are_drawn_or_equal(counts):
    X, y = experiments.two_gaussians(np.random.default_rng(1), 10_000, 0.0, counts)
    assert bool(np.sum(y > 0) == 5000) is (counts == "equal")
    assert abs(np.sum(y > 0) - 5000) < 250
    for sign in (-1, 1):
        np.testing.assert_allclose(X[y == sign].mean(axis=0), sign, atol=0.06)
        np.testing.assert_allclose(X[y == sign].var(axis=0), [0.2, 2.0], rtol=0.1)
    flipped = experiments.two_gaussians(np.random.default_rng(1), 10_000, 0.1, counts)[1]
    assert np.mean(flipped != y) == pytest.approx(0.1, abs=0.02)


@pytest.mark.parametrize("counts", ["drawn", "equal"])
def test_the_choice_of_counts_reaches_the_examples(monkeypatch, learners, counts):
    asked = []
    drawn = experiments.two_gaussians

    def two_gaussians(rng, n, flips, how):
        asked.append((n, flips, how))
        return drawn(rng, n, flips, how)

    monkeypatch.setattr(experiments, "two_gaussians", two_gaussians)
    wire(experiments.one_pass, methods=learners, choices={"class-counts": counts})
    assert asked == [(10_000, 0.1, counts)]


def test_learners_are_those_of_their_names_with_the_choices_step():
    for step in ("printed", "maximiser"):
        makes = experiments.learners({"margin-step": step})
        made = {name: make(kernel=None, budget=50, random_state=3) for name, make in makes.items()}
        classes = {name: type(learner).__name__ for name, learner in made.items()}
        assert classes == {
            "Perceptron": "KernelPerceptron",
            "PA-I": "PassiveAggressive",
            "Projectron": "Projectron",
            "Projectron++": "ProjectronPlusPlus",
            "Forgetron": "Forgetron",
            "RBP": "RandomBudgetPerceptron",
            "Stoptron": "Stoptron",
        }
        assert made["Projectron++"].step == step
        assert made["Projectron"].U == made["Projectron++"].U == forgetron_norm(50)
        for name in ("Forgetron", "RBP", "Stoptron"):
            assert made[name].budget == 50


@pytest.mark.parametrize("step", ["printed", "maximiser", "full"])
def test_a_step_at_margin_errors_is_the_choices(step):
    makes = experiments.plusplus_alone.methods({"step-at-margins": step})
    made = makes["Projectron++"](kernel=None, budget=50, random_state=0)
    if step == "full":
        assert isinstance(made, experiments.FullStep)
        made.U = 0.5
        # 2 loss - length - 2 U distance is 0.1, then -0.1, and of an error it does not matter.
        steps = [made._step(0.5, 0.5, 0.4), made._step(0.5, 0.5, 0.6), made._step(1.0, 9, 9)]
        assert steps == [1, 0, 1]
    else:
        assert made.step == step


def test_plusplus_alone_is_measured_after_its_last_row(learners):
    wired = wire(experiments.plusplus_alone, methods={"Projectron++": Learner})
    X, _, orders = data(wired)
    (made,) = Learner.made
    np.testing.assert_allclose(made.X, X[orders[0]])
    wrong = len(made.mistakes_)
    assert wired["Projectron++"] == {"mistakes": pytest.approx(wrong / 100), "stored": wrong}


def test_the_error_at_a_size_is_that_when_it_is_reached(learners):
    wired = wire(experiments.error_at_a_size, methods={"Projectron": Learner})
    (made,) = Learner.made
    row = list(made.stored_).index(70)
    assert wired["Projectron"]["mistakes"] == pytest.approx(100 * 70 / (row + 1))


def test_adult_is_the_training_part_with_its_labels(learners):
    rng = np.random.default_rng(2)
    bits = rng.integers(0, 2, size=(50, 60)).astype(float)
    y = rng.choice([-1.0, 1.0], 50)
    table = SimpleNamespace(X=sparse.csr_array(bits), y=y, n_train=40)
    wire(experiments.one_pass, {"dataset": "adult"}, methods=learners, data={"a9a": table})
    made = Learner.made[0]
    assert (made.budget, len(made.y)) == (1500, 40)
    differ = np.sum(bits[0] != bits[1])
    rows = experiments.packed(bits[:2])
    assert made.kernel(rows[:1], rows[1:]) == pytest.approx(np.exp(-differ / 50))


def test_violations_count_where_a_bound_says_something(monkeypatch):
    instances = iter([(9, 20, 10), (4, 5, 10), (8, 6, 10), (5, 5, 10), (1, 2, 4), (0, 3, 9)])
    monkeypatch.setattr(experiments, "stored_and_limit", lambda rng: next(instances))
    wired = wire(experiments.theorems, {"theorem": "theorem-1"})
    assert wired["Projectron"]["violation"] == pytest.approx(0.2)
    assert wired.n_test["Projectron"]["violation"] == 5


@pytest.mark.parametrize("theorem", ["theorem-2", "theorem-3", "corollary-1", "equation-15"])
def test_a_bound_is_that_of_its_theorem_for_the_best_competitor(monkeypatch, theorem):
    norms = np.array([1.0, 2.0, 4.0])
    losses = np.array([20.0, 6.0, 5.0])
    monkeypatch.setattr(experiments, "competitors", lambda gram, y: (norms, losses))
    made = []

    class Stub:
        def __init__(self, **how):
            made.append(how)
            self.progress_ = 1.5

        def fit(self, X, y):
            self.mistakes_ = np.arange(7)
            return self

    monkeypatch.setattr(experiments, "Projectron", Stub)
    monkeypatch.setattr(experiments, "ProjectronPlusPlus", Stub)
    mistakes, bound, most = experiments.mistakes_and_bound(np.random.default_rng(8), theorem)
    assert (mistakes, most) == (7, 300)
    (how,) = made
    pairs = list(zip(norms, losses, strict=True))
    if theorem == "theorem-2":
        eta = how["eta"]
        assert eta < 0.9 / (2 * 2)
        bounds = [(g**2 + 2 * loss) / (1 - 2 * eta * g) for g, loss in pairs if 2 * eta * g < 1]
    elif theorem == "theorem-3":
        eta = how["eta"]
        assert eta < 0.9 / 2
        bounds = [
            ((g + np.sqrt(g**2 + 4 * loss)) / (2 - 2 * eta * g)) ** 2
            for g, loss in pairs
            if eta * g < 1
        ]
    else:
        assert 1.0 <= how["U"] <= 4.0
        bounds = [2 * g**2 + 4 * loss for g, loss in pairs if g <= how["U"]]
        if theorem == "equation-15":
            bounds = [value - 3 for value in bounds]
    assert bound == pytest.approx(min(bounds))


def test_competitors_have_the_norms_and_hinge_losses_of_fits_to_all_labels():
    X = np.array([[1.0, 0], [0, 2], [1, 1]])
    y = np.array([1.0, -1, 1])
    norms, losses = experiments.competitors(X @ X.T, y)
    fits = []
    for ridge in (0.001, 0.01, 0.1, 1, 10):
        w = X.T @ np.linalg.solve(X @ X.T + ridge * np.eye(3), y)
        fits += [scale * w for scale in np.linspace(0.2, 4, 20)]
    np.testing.assert_allclose(norms, [np.linalg.norm(w) for w in fits])
    expected = [sum(max(0, 1 - t * (x @ w)) for x, t in zip(X, y, strict=True)) for w in fits]
    np.testing.assert_allclose(losses, expected, atol=1e-9)
