"""Errata of the papers on pages 320 to 639 that a small computation settles."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import optimize, stats


def test_improvement_by_a_cutting_plane_needs_the_square_of_c():
    """franc2008ocas, proof of Theorem 1: min(eps/2, eps^2/(8 Q^2)) exceeds a true improvement."""
    c, radius = 10.0, 1.0
    # One example: before the first plane the reduced optimum is 0, the gap is F(0) = C; the plane
    # at 0 is 1 - radius * w, so that the reduced objective becomes F itself.
    after = optimize.minimize_scalar(lambda w: w * w / 2 + c * max(0.0, 1 - radius * w)).fun
    assert math.isclose(after, 0.5, rel_tol=1e-6)
    gap = 0.99 * c
    printed = min(gap / 2, gap**2 / (8 * radius**2))
    assert after < printed
    assert after >= min(gap / 2, gap**2 / (8 * c**2 * radius**2))
    # What is needed gives the theorem's bound, what is printed another one.
    assert math.isclose(c / (gap**2 / (8 * c**2 * radius**2)), 8 * c**3 * radius**2 / gap**2)


def test_one_data_set_alone_is_sped_up_a_thousandfold():
    """franc2008ocas, abstract: over 1,000 on Cov1 only, in Table 2 as in Table 3."""
    training = {"astro": (22, 1), "ccat": (5295, 25), "cov1": (41531, 10), "mnist": (2719, 10)}
    selection = {
        "astro": (152, 4), "ccat": (124700, 163), "cov1": (282703, 51), "mnist": (9247, 35)
    }  # fmt: skip
    for seconds in (training, selection):
        # The smaller time may be half a second shorter than printed.
        assert [k for k, (light, ocas) in seconds.items() if light / (ocas - 0.5) > 1000] == [
            "cov1"
        ]


def test_kernel_of_shifted_points_ends_in_plus():
    """franc2008loo, Eq. 13: with a minus at the end the dual exceeds the primal."""
    rng = np.random.default_rng(0)
    points, tested = rng.normal(size=(6, 3)), rng.normal(size=3)
    gram, row, corner = points @ points.T, points @ tested, tested @ tested
    shifted = (points - tested) @ (points - tested).T
    assert np.allclose(gram - row[:, None] - row + corner, shifted)
    # One other point at 11, the tested one at 10, C = 1: f(10) = 0 means f(x) = w (x - 10).
    primal = min(w * w / 2 + max(0.0, 1 - w) for w in np.linspace(0, 2, 2001))
    dual = {
        sign: max(beta - beta**2 / 2 * (121 - 110 - 110 + sign * 100) for beta in (0.0, 0.5, 1.0))
        for sign in (-1, 1)
    }
    assert math.isclose(dual[1], primal)
    assert dual[-1] > primal + 1


def test_gradient_at_zero_is_compared_with_minus_b_y():
    """franc2008loo, Eq. 8: the printed case alpha = 0 rejects an optimal solution."""
    x, y = np.array([-1.0, 0.0, 2.0]), np.array([1.0, 1.0, -1.0])
    alpha, b = np.array([0.0, 0.5, 0.5]), 1.0
    w = np.sum(alpha * y * x)
    # Feasible and with equal objectives, hence optimal.
    assert np.all(y * (w * x + b) >= 1)
    assert np.isclose(np.sum(alpha * y), 0)
    assert np.isclose(w**2 / 2, np.sum(alpha) - w**2 / 2)
    gradient = 1 - y * w * x
    assert np.allclose((-gradient + b * y)[1:], 0)
    assert (gradient - b * y)[0] <= 0
    assert (gradient + b * y)[0] >= 1


def test_importance_weights_of_the_next_state_have_mean_one():
    """frank2008rare, Eq. 5: weights that look at the present state do not correct."""
    eps, sampled = Fraction(1, 1000), Fraction(1, 4)
    rare, usual = eps / sampled, (1 - eps) / (1 - sampled)
    assert sampled * rare + (1 - sampled) * usual == 1
    assert all(sampled * weight + (1 - sampled) * weight != 1 for weight in (rare, usual))


def test_gamma_density_has_a_log_b():
    """gomes2008memory, Eq. 29 and 30: the constant is a log b - log Gamma(a), as in Eq. 14."""
    for a, b, x in [(2.5, 0.5, 1.3), (4.0, 3.0, 0.2)]:
        rest = (a - 1) * math.log(x) - b * x - math.lgamma(a)
        wanted = stats.gamma.logpdf(x, a, scale=1 / b)
        assert math.isclose(wanted, rest + a * math.log(b))
        assert not math.isclose(wanted, rest + b * math.log(a), abs_tol=0.1)


def test_no_linear_regret_may_leave_external_regret():
    """gordon2008convexgames, Section 3: constant maps of [-1, 1] are not linear."""
    rounds, maps = 100, np.linspace(-1, 1, 21)
    played, losses = np.zeros(rounds), np.ones(rounds)
    linear = max(losses @ played - losses @ (m * played) for m in maps)
    external = max(losses @ played - losses.sum() * a for a in maps)
    assert (linear, external) == (0, rounds)
    constant, weights = np.array([0.2, 0.3, 0.5]), np.array([0.7, 0.1, 0.2])
    assert np.allclose(np.outer(constant, np.ones(3)) @ weights, constant)


def test_determinant_is_no_function_of_subspaces():
    """hamm2008grassmann, Section 4.2: det Y1' Y2 changes its sign with the basis."""
    rng = np.random.default_rng(0)
    first, second = (np.linalg.qr(rng.normal(size=(5, 2)))[0] for _ in range(2))
    turned = second @ np.diag([1.0, -1.0])
    assert np.allclose(turned @ turned.T, second @ second.T)
    one, other = np.linalg.det(first.T @ second), np.linalg.det(first.T @ turned)
    assert np.isclose(one, -other)
    assert abs(one) > 0.01


def test_limit_of_smoothed_error_keeps_the_weight():
    """heigold2008modified, Section 3.2: the smoothed phone error tends to J / N times the error."""
    weight, sharpness, truth = 5.0, 400.0, [0, 1]
    scores = np.array([[3.0, 1.0, 2.5], [0.0, 4.0, 1.0]])
    error = np.array([[0, 2, 3], [2, 0, 1], [3, 1, 0]])
    smooth = hard = 0.0
    for row, right in zip(scores, truth, strict=True):
        logits = sharpness * (row - (np.arange(3) == right))
        chances = np.exp(logits - logits.max())
        smooth += error[right] @ chances / chances.sum()
        margins = np.where(np.arange(3) == right, np.inf, row[right] - row)
        hard += error[right, margins.argmin()] if margins.min() < 1 else 0
    # Only the first case breaks its margin, for class 2.
    assert hard == 3
    assert math.isclose(weight / 2 * smooth, weight / 2 * hard, rel_tol=1e-9)
    assert not math.isclose(weight / 2 * smooth, hard / 2, rel_tol=0.1)


def test_least_similarity_needs_one_plus_its_size():
    """hoi2008activekernel, Eq. 5: the worse label costs 1 + |Z|; 1 - |Z| selects the largest."""
    similarity = np.array([0.7, -0.1, 0.4, -0.9])
    worse = np.max([np.maximum(0, 1 - y * similarity) for y in (-1, 1)], axis=0)
    assert np.allclose(worse, 1 + np.abs(similarity))
    assert worse.argmin() == np.abs(similarity).argmin()
    printed = np.maximum(0, 1 - np.abs(similarity))
    assert printed.argmin() == np.abs(similarity).argmax()


def test_dual_of_pair_selection_meets_its_primal():
    """hoi2008activekernel, Eq. 9 and 13: (m^2 - m) lambda, over 2 c where lambda >= W^2."""
    m, c = 4, 3.0
    # Without labelled pairs Z = 0 is best and every error is 1; left are the h.
    primal = optimize.minimize(
        lambda h: c / 2 * np.sum(1 / h),
        np.full(m, 2.0),
        bounds=[(1, None)] * m,
        constraints={"type": "ineq", "fun": lambda h: m**2 - h.sum()},
    ).fun

    def dual(pairs, per_square):
        """All W are equal by symmetry; per_square is what lambda's term has for each W^2."""
        best = optimize.minimize_scalar(
            lambda w: -(m * (w - w**2 / (2 * c)) - pairs * per_square * w**2)
        )
        return -best.fun

    # The general solver stops at about this accuracy.
    assert math.isclose(dual(m**2 - m, 1 / (2 * c)), primal, rel_tol=1e-5)
    assert math.isclose(primal, c / 2, rel_tol=1e-5)
    assert dual(m**2 - 1, 1 / (2 * c)) < 0.9 * primal
    assert dual(m**2 - m, 2 / c) < 0.9 * primal


def test_two_by_two_condition_has_no_factor_of_two():
    """hoi2008activekernel, Appendix C: (c, -q; -q, tau) is semi-definite from tau = q^2 / c on."""
    c, q = 3.0, 0.7
    for factor, valid in [(0.99, False), (1.01, True), (2.0, True)]:
        matrix = np.array([[c, -q], [-q, factor * q**2 / c]])
        assert (np.linalg.eigvalsh(matrix)[0] >= 0) == valid


def test_instantaneous_effects_weigh_alike_in_common_units():
    """hyvarinen2008causal, Section 7.1: 56.04 and 0.0027 are 0.36 and 0.42 by the ranges."""
    ranges = np.array([8230 - 5870, 123.86 - 108.51])
    effects = np.array([[0, 56.04], [0.0027, 0]]) * ranges / ranges[:, None]
    assert math.isclose(effects[0, 1], 0.364, abs_tol=1e-3)
    # 0.0027 has two digits.
    assert math.isclose(effects[1, 0], 0.415, abs_tol=0.01)
    assert effects[1, 0] > effects[0, 1]


def test_putdown_is_wrong_in_sixty_states_of_the_landmarks():
    """jong2008hierarchical, Section 5: 12 wrong states need a passenger on board, else 60."""
    landmarks, on_board = [(0, 0), (4, 0), (0, 4), (3, 4)], 4
    wrong = [
        (cell, passenger)
        for cell in itertools.product(range(5), repeat=2)
        for passenger in range(5)
        for destination in range(4)
        if passenger != destination
        and not (passenger == on_board and cell == landmarks[destination])
    ]
    assert len(wrong) == 396
    reached = [passenger for cell, passenger in wrong if cell in landmarks]
    assert (len(reached), reached.count(on_board)) == (60, 12)


@pytest.mark.parametrize(("mean", "left_below"), [(0, 5.0), (1, 1.25)])
def test_noise_of_mean_one_moves_the_switch_of_direction(mean, left_below):
    """kersting2008nonparametric, corridor: left is best up to the middle for noise of mean 0."""
    step = 0.05
    cells, edges = np.arange(step / 2, 10, step), np.linspace(0, 10, 201)
    moves = [
        np.diff(stats.norm.cdf(edges - (cells[:, None] + action + mean)), axis=1)
        for action in (-1, 1)
    ]
    values = np.zeros(len(cells))
    # A step leaves the corridor with a chance of at least 1 / 6 near an end, so this converges.
    for _ in range(200):
        left, right = (move @ (values - 1) + 20 * (1 - move.sum(axis=1)) for move in moves)
        values = np.maximum(left, right)
    assert math.isclose(cells[left > right].max(), left_below - step / 2, abs_tol=step / 10)


def test_empirical_copula_needs_order_statistics():
    """kirshner2008ica, Eq. 4: with x_i, y_j as drawn, sigma of independent data stays large."""
    n = 200
    x, y = np.random.default_rng(0).normal(size=(2, n))
    grid = np.arange(1, n + 1) / n

    def differences(first, second):
        below = (x[:, None] <= first).astype(float).T @ (y[:, None] <= second) / n
        return 12 / (n**2 - 1) * (below - np.outer(grid, grid))

    ordered, drawn = differences(np.sort(x), np.sort(y)), differences(x, y)
    # Equation 5 with order statistics is Spearman's rho exactly.
    assert math.isclose(ordered.sum(), stats.spearmanr(x, y).statistic, rel_tol=1e-9)
    assert np.abs(ordered).sum() < 0.2
    assert np.abs(drawn).sum() > 1


def kendall(first, second):
    """Return in how many pairs two rankings disagree."""
    pairs = itertools.combinations(range(len(first)), 2)
    return sum((first[i] - first[j]) * (second[i] - second[j]) < 0 for i, j in pairs)


def mallows(theta, centre):
    """Return the normaliser and the mean distance to a centre of exp(theta d)."""
    distances = np.array([kendall(p, centre) for p in itertools.permutations(centre)])
    weights = np.exp(theta * distances)
    return weights.sum(), weights @ distances / weights.sum()


def test_likelihood_of_queries_has_q_normalisers():
    """klementiev2008unsupervised, Proposition 1: log Z is subtracted once for each query."""
    thetas = [-0.7, -0.2]
    queries = [((0, 1, 2), [(1, 0, 2), (2, 1, 0)]), ((2, 0, 1), [(2, 0, 1), (0, 2, 1)])]
    normalisers = [math.log(mallows(theta, (0, 1, 2))[0]) for theta in thetas]
    found = sum(
        math.log(1 / 6)
        + sum(
            math.log(math.exp(theta * kendall(truth, vote)) / mallows(theta, truth)[0])
            for theta, vote in zip(thetas, votes, strict=True)
        )
        for truth, votes in queries
    )
    rest = len(queries) * math.log(1 / 6) + sum(
        theta * kendall(truth, vote)
        for truth, votes in queries
        for theta, vote in zip(thetas, votes, strict=True)
    )
    assert math.isclose(found, rest - len(queries) * sum(normalisers))
    assert not math.isclose(found, rest - sum(normalisers), abs_tol=0.1)


def test_expected_distance_rises_with_the_parameter():
    """klementiev2008unsupervised, Eq. 9: right for four objects, and increasing in theta."""
    n, thetas = 4, [-2.0, -1.0, -0.3, -0.05]
    found = [mallows(theta, tuple(range(n)))[1] for theta in thetas]
    formula = [
        n * math.exp(t) / (1 - math.exp(t))
        - sum(j * math.exp(t * j) / (1 - math.exp(t * j)) for j in range(1, n + 1))
        for t in thetas
    ]
    assert np.allclose(found, formula, rtol=1e-9)
    assert np.all(np.diff(found) > 0)


def test_averages_over_cosets_leave_out_two_vertices():
    """kondor2008skew, Theorem 4: B_3 to B_7 against averages over all permutations of five."""
    n = 5
    weights = np.random.default_rng(0).random((n, n))
    np.fill_diagonal(weights, 0)
    permutations = list(itertools.permutations(range(n)))

    def average(nu):
        """Return the mean of f(sigma nu) f(sigma) for each pair sigma(n), sigma(n - 1)."""
        total = np.zeros((n, n))
        for sigma in permutations:
            ends = sigma[-1], sigma[-2]
            total[ends] += weights[sigma[nu[-1]], sigma[nu[-2]]] * weights[ends]
        return total / math.factorial(n - 2)

    # One permutation from each double coset, told by its last two values.
    cosets = {
        nu: average(next(p for p in permutations if p[-2:] == nu))
        for nu in [(3, 4), (4, 3), (0, 4), (0, 3), (3, 0), (4, 0), (0, 1)]
    }
    out, into, a = weights.sum(axis=1), weights.sum(axis=0), weights
    assert np.allclose(cosets[3, 4], a * a)
    assert np.allclose(cosets[4, 3], a * a.T)
    assert np.allclose(cosets[0, 4], a * (out[:, None] - a) / (n - 2))
    assert np.allclose(cosets[0, 3], a * (out - a.T) / (n - 2))
    assert np.allclose(cosets[3, 0], a * (into - a) / (n - 2))
    assert np.allclose(cosets[4, 0], a * (into[:, None] - a.T) / (n - 2))
    ends = out[:, None] + out + into[:, None] + into - a - a.T
    assert np.allclose(cosets[0, 1], a * (a.sum() - ends) / ((n - 2) * (n - 3)))
    printed = [a * into / n, a * out[:, None] / n, a.T * into / n, a.T * out[:, None] / n,
               a * a.sum() / (n * (n - 1))]  # fmt: skip
    assert not any(np.allclose(matrix, other) for matrix in printed for other in cosets.values())


def test_bound_of_ranking_svm_does_not_vanish():
    """lan2008query, Theorem 2: the last term tends to a positive constant."""
    mean, spread, delta, eps, kappa, lam, c = 50.0, 30.0, 0.05, 1.0, 1.0, 1.0, 1.0

    def last_term(r):
        ratio = (1 + spread / (mean * math.sqrt(delta / r))) / (1 - eps / mean)
        factor = (16 * kappa**2 * ratio + lam * (1 + 2 * c * kappa)) / lam
        return factor * math.sqrt(math.log(1 / delta) / (2 * r))

    limit = 16 * kappa**2 * spread / (mean * math.sqrt(delta) * (1 - eps / mean) * lam)
    limit *= math.sqrt(math.log(1 / delta) / 2)
    # What is left of the other terms falls as 1 / sqrt(r).
    assert math.isclose(last_term(1e12), limit, rel_tol=1e-4)
    assert last_term(1e12) > 10


def test_weights_of_least_variance_are_given_up_to_scale():
    """langford2008exploration, Theorem 7: the stated weights sum to 1 only after division."""
    shown, first = np.array([40.0, 10.0, 25.0]), np.array([100.0, 80.0, 5.0])
    variance, variance_first = np.array([0.1, 0.2, 0.05]), np.array([0.2, 0.1, 0.1])
    each = variance / shown + variance_first / first
    stated = 2 * shown * first / (shown * variance_first + first * variance)
    assert not math.isclose(stated.sum(), 1, rel_tol=0.5)
    best = stated / stated.sum()
    rng = np.random.default_rng(0)
    others = best + 0.05 * (step := rng.normal(size=(100, 3))) - 0.05 * step.mean(1, keepdims=True)
    assert np.all(others**2 @ each >= best**2 @ each)


def test_ascending_weights_average_the_farthest_samples():
    """lazaric2008transfer, Section 3.2: a sample at distance 0 is to give an average of 0."""
    distances, share = np.array([0.0, 1.0, 2.0, 3.0]), 0.8
    weights = np.exp(-(distances**2))
    weights /= weights.sum()

    def average(order):
        kept = np.cumsum(weights[order]) < share
        return distances[order][kept].mean()

    assert average(np.argsort(-weights)) == 0
    assert average(np.argsort(weights)) == 2


def test_kernel_of_the_past_lags_behind_the_drift():
    """lebanon2008local, Eq. 12: the bias of an average of the past is - h mu_11 times the slope."""
    h, slope, now = 0.2, 1.7, 3.0
    # The uniform kernel on (0, 1): mu_11 = 1 / 2. Times are t - h u.
    past = now - h * (np.arange(1000) + 0.5) / 1000
    bias = np.mean(slope * past) - slope * now
    assert math.isclose(bias, -h * slope / 2, rel_tol=1e-9)


def test_step_size_of_the_bound_has_one_minus_gamma():
    """li2008worst, Eq. 7: Lemma A.4 is least at a step with (1 - gamma)^2, above 0 as printed."""
    gamma, size, b = 0.9, 1.0, 1.0

    def lemma(eta):
        return -2 * eta / (1 + gamma) + eta**2 * (size**2 + 1 / (b * (1 - gamma) ** 2))

    def step(square):
        return 1 / ((1 + gamma) * (size**2 + 1 / (b * square)))

    best = optimize.minimize_scalar(
        lemma, bounds=(0, 0.1), method="bounded", options={"xatol": 1e-9}
    )
    assert math.isclose(best.x, step((1 - gamma) ** 2), rel_tol=1e-4)
    # Theorem 3.1 divides by minus the least value of the lemma.
    assert math.isclose(-1 / best.fun, (1 + gamma) ** 2 * (size**2 + 1 / (b * (1 - gamma) ** 2)))
    assert lemma(step((1 - gamma**2) ** 2)) > 0


def test_cost_in_the_span_of_what_was_seen_is_known():
    """li2008knows, Section 2: w and w-hat agree on the bottom path, 14 in the text, not 15."""
    true, estimate = np.array([1, 2, 0]), np.array([1, 1, 1])
    seen = np.array([[1, 1, 1], [1, 0, 0]])
    assert np.array_equal(seen @ true, seen @ estimate)
    # All binary vectors in the span of these two, of which the bottom path is made.
    edges = [
        edge
        for edge in itertools.product((0, 1), repeat=3)
        if np.linalg.matrix_rank(np.vstack([seen, edge])) == 2
    ]
    assert edges == [(0, 0, 0), (0, 1, 1), (1, 0, 0), (1, 1, 1)]
    assert all(true @ edge == estimate @ edge for edge in edges)
    assert true @ (0, 0, 1) != estimate @ (0, 0, 1)


def test_union_of_single_hypotheses_needs_removals():
    """li2008knows, Algorithm 6: k classes of one hypothesis need k - 1 answers, not 1 - k."""
    k = 5
    # Hypothesis i is 1 at i alone; the truth is the last one, asked for last.
    active, unknown = set(range(k)), 0
    for x in range(k):
        answers = {int(i == x) for i in active}
        if len(answers) > 1:
            unknown += 1
            active = {i for i in active if (i == x) == (x == k - 1)}
    assert (unknown, active) == (k - 1, {k - 1})
    assert unknown > (1 - k) + 0


def test_logarithm_of_labellings_has_log_k():
    """liang2008structure, Section 3.2: K tags on V nodes have K^V labellings."""
    tags, nodes = 3, 4
    labellings = math.log(sum(1 for _ in itertools.product(range(tags), repeat=nodes)))
    assert math.isclose(labellings, nodes * math.log(tags))
    assert not math.isclose(labellings, tags * nodes, rel_tol=0.5)


@pytest.mark.parametrize(("label", "value"), [(1, 0.4), (-1, 0.4), (1, -1.3)])
def test_derivative_of_the_log_loss_has_minus_the_label(label, value):
    """loeff2008manifoldboost, Eq. 8: the derivative is -2 y / (1 + exp(2 y F))."""
    step = 1e-6
    ends = [math.log1p(math.exp(-2 * label * (value + d))) for d in (step, -step)]
    slope = (ends[0] - ends[1]) / (2 * step)
    printed = 2 * label / (1 + math.exp(2 * label * value))
    # Central differences are right to about the square of the step.
    assert math.isclose(slope, -printed, rel_tol=1e-6)


def test_uncorrelated_features_may_depend_on_each_other():
    """lu2008uncorrelated, Section 1: x in {-1, 0, 1} and x^2."""
    x = [-1, 0, 1]
    covariance = Fraction(sum(v * v**2 for v in x), 3) - Fraction(sum(x), 3) * Fraction(2, 3)
    both_zero = Fraction(1, 3)
    assert covariance == 0
    assert both_zero != Fraction(1, 3) * Fraction(1, 3)


def test_rising_exponential_is_no_kernel():
    """lu2008reproducing, Section 5.1: exp(+ |s - t|^2 / 2) is indefinite, the other sign not."""
    squares = np.subtract.outer(np.arange(3), np.arange(3)) ** 2
    smallest = {sign: np.linalg.eigvalsh(np.exp(sign * squares / 2))[0] for sign in (-1, 1)}
    assert smallest[1] < 0 < smallest[-1]


def test_covariance_of_few_series_has_no_inverse():
    """lu2008reproducing, Section 5.2: fewer series than times leave a smallest eigenvalue of 0."""
    series = np.random.default_rng(0).normal(size=(6, 41))
    series -= series.mean(axis=0)
    eigenvalues = np.linalg.eigvalsh(series.T @ series / 6)
    # Rounding errors stand in for the zeros.
    assert np.sum(eigenvalues > 1e-9) == 5
    assert abs(eigenvalues[0]) < 1e-9


def synchronised_series():
    """Return a kernel matrix, a noise variance and two series."""
    rng = np.random.default_rng(0)
    root = rng.normal(size=(5, 5))
    return root, root @ root.T, 0.3, rng.normal(size=(2, 5))


def test_distance_of_synchronised_series_keeps_the_half():
    """lu2008reproducing, Eq. 12 to 14: they are twice Equation 11."""
    _, kernel, noise, series = synchronised_series()
    v, w = np.linalg.solve(kernel + noise * np.eye(5), series.T).T
    general = v @ kernel @ v / 2 + w @ kernel @ w / 2 - v @ kernel @ w
    assert math.isclose((v - w) @ kernel @ (v - w), 2 * general)


def test_embedding_needs_the_transposed_root():
    """lu2008reproducing, Eq. 30: any A with A A^T = K, but A^T (K + s^2 I)^-1 y."""
    root, kernel, noise, (first, second) = synchronised_series()
    inverse = np.linalg.inv(kernel + noise * np.eye(5))
    change = first - second
    wanted = change @ inverse @ kernel @ inverse @ change
    assert math.isclose(np.sum((root.T @ inverse @ change) ** 2), wanted)
    assert not math.isclose(np.sum((root @ inverse @ change) ** 2), wanted, rel_tol=0.01)


def test_dependency_network_looks_at_older_nodes():
    """makino2008tdnet, Section 3.1.1: columns are the observation, then the nodes."""
    nodes, bits = 4, 1
    columns = range(1, nodes + bits + 1)
    older = {(i, j) for i in range(1, nodes + 1) for j in columns if j <= bits or j - bits < i}
    printed = {(i, j) for i in range(1, nodes + 1) for j in columns if i < j - bits}
    turned = {(i, j) for i in range(1, nodes + 1) for j in columns if i > j - bits}
    assert turned == older
    assert not printed & older


def test_targets_are_the_values_of_parents():
    """makino2008tdnet, Eq. 5: Z y with the printed Z sums over children."""
    parent, values = {2: 0, 3: 1}, np.array([0.1, 0.2, 0.3, 0.4])
    printed, turned = np.zeros((4, 4)), np.zeros((4, 4))
    for child, node in parent.items():
        printed[node, child] = turned[child, node] = 1
    assert np.allclose((turned @ values)[[2, 3]], values[[0, 1]])
    assert np.allclose((printed @ values)[[2, 3]], 0)
    assert np.allclose((printed @ values)[[0, 1]], values[[2, 3]])
