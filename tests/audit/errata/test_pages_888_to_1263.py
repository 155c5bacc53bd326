"""Errata of the papers on pages 888 to 1263 that a small computation settles."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import integrate, optimize, special, stats


def entropy(counts):
    """Return the entropy in nats of a vector of counts."""
    shares = np.asarray(counts) / np.sum(counts)
    return special.entr(shares).sum()


def derivative(function, at, step=1e-5):
    """Return the gradient by central differences."""
    moves = step * np.eye(len(at))
    return np.array([(function(at + m) - function(at - m)) / (2 * step) for m in moves])


def test_few_samples_exceed_the_printed_chance():
    """sarkar2008proximity, Theorem 3.1: the chance of failure is below delta, not epsilon."""
    # Of three nodes, the walk goes to u at once with chance 1/2, else never: X is 1 or T.
    horizon, eps, delta, nodes = 100, 0.01, 0.9, 3
    samples = math.ceil(math.log(2 * nodes / delta) / (2 * eps**2))
    gap = eps * horizon / (horizon - 1)
    fails = 2 * stats.binom.cdf(math.floor(samples * (0.5 - gap)), samples, 0.5)
    assert 4 * eps < fails < delta


def test_entropy_changes_by_at_most_log_n_plus_1_over_n():
    """seldin2008grid, below Equation 9: c = (ln n + 1) / n gives (9), 1 / (ln n + 1) is too small.

    It is below the change itself for n up to 11.
    """
    for n in range(2, 30):
        rows = [(i, j, n - i - j) for i in range(n + 1) for j in range(n + 1 - i)]
        moved = [((i, j, k), (i - 1, j + 1, k)) for i, j, k in rows if i]
        change = max(abs(entropy(one) - entropy(other)) for one, other in moved)
        right = (math.log(n) + 1) / n
        assert change <= right
        assert (change > 1 / (math.log(n) + 1)) == (n <= 11)
        eps = 0.3
        exponent = 2 * n * eps**2 / (math.log(n) + 1) ** 2
        assert math.isclose(2 * eps**2 / (n * right**2), exponent, rel_tol=1e-12)


def test_sum_over_hypotheses_exceeds_the_integral():
    """seldin2008grid, proof of Theorem 3: the sum is no lower sum of the integral.

    Equation 8 alone bounds the expectation: the entropy of the counts is on average the smaller.
    """
    n, q = 10, 0.1
    ones = np.arange(n + 1)
    entropies = np.array([entropy([k, n - k]) for k in ones])
    limit = entropy([q, 1 - q])
    excess = np.maximum(entropies - limit, 0)
    tail = np.exp(-2 * n * excess**2 / (math.log(n) + 1) ** 2)
    total = np.sum(special.comb(n, ones) * n * excess * tail)
    integral = (math.log(n) + 1) ** 2 / 4
    assert total > 100 * integral
    assert stats.binom.pmf(ones, n, q) @ entropies < limit


def test_oracle_bound_has_another_best_lambda():
    """shalevshwartz2008inverse, Equation 8: not (4) with the bound put in, but (9) follows."""
    d, time, m, norm = 50.0, 4000.0, 300.0, 7.0

    def bound(last):
        return lambda log: (
            d / (math.exp(log) * time) + math.exp(log) * norm**2 / 2 + last(math.exp(log))
        )

    substituted = optimize.minimize_scalar(bound(lambda lam: 1 / (lam * m)), bracket=(-10, 0))
    printed = optimize.minimize_scalar(bound(lambda lam: norm / math.sqrt(m)), bracket=(-10, 0))
    # A minimum is located to about the root of the machine's precision.
    assert math.isclose(math.exp(printed.x), math.sqrt(2 * d / time) / norm, rel_tol=1e-6)
    assert math.isclose(
        math.exp(substituted.x), math.sqrt(2 * (d / time + 1 / m)) / norm, rel_tol=1e-6
    )
    rate = norm * (math.sqrt(d / time) + math.sqrt(1 / m))
    assert rate < substituted.fun < math.sqrt(2) * rate


def test_first_hermite_polynomial_is_linear():
    """shi2008spectroscopy, Section 3: 2 x is H_1; H_2 is 4 x^2 - 2."""
    first, second = (np.polynomial.hermite.herm2poly([0] * k + [1]) for k in (1, 2))
    assert first.tolist() == [0, 2]
    assert second.tolist() == [-2, 0, 4]


def test_spread_of_the_mean_fits_ten_times_the_sample():
    """shi2008spectroscopy, Table 2: 0.011 and 0.007 are spreads of mean and s of 10000 normals.

    Those of 1000 are 0.032 and 0.022; the greatest numbers that round to the printed ones count.
    """
    runs = 100
    for n, fits in [(1000, False), (10_000, True)]:
        spread = stats.chi(n - 1, scale=(n - 1) ** -0.5).std()
        for printed, true in [(0.011, n**-0.5), (0.007, spread)]:
            chance = stats.chi2.cdf((runs - 1) * ((printed + 0.0005) / true) ** 2, runs - 1)
            assert (chance > 1e-3) == fits
            assert fits or chance < 1e-20


def test_trace_sums_rows_of_the_same_block():
    """shin2008mapping, Equation 10: Y^ki_lI Y^kj_lI, not Y^ki_iI Y^lj_iI, over k and l."""
    rng = np.random.default_rng(0)
    n = m = 3
    # Y[k, i, l, r]: entry (l, r) of the block (k, i).
    root, alpha = rng.normal(size=(n, n, m, m)), rng.random(m)
    for i, j in itertools.product(range(n), repeat=2):
        block = sum(root[k, i].T @ root[k, j] for k in range(n))
        trace = np.trace(np.diag(alpha) @ block)
        right = np.einsum("r,klr,klr->", alpha, root[:, i], root[:, j])
        printed = np.einsum("r,kr,lr->", alpha, root[:, i, i], root[:, j, i])
        assert math.isclose(trace, right, rel_tol=1e-9)
        assert not math.isclose(trace, printed, rel_tol=1e-3)


def test_mean_log_of_a_dirichlet_is_a_digamma():
    """shringarpure2008mstruct, Section 2.4: not gamma_k but psi(gamma_k) - psi(sum of gamma)."""
    gamma = np.array([2.0, 3.0, 4.0])
    for k in range(3):
        marginal = stats.beta(gamma[k], gamma.sum() - gamma[k])
        mean = integrate.quad(lambda t, p=marginal.pdf: math.log(t) * p(t), 0, 1)[0]
        right = special.digamma(gamma[k]) - special.digamma(gamma.sum())
        assert math.isclose(mean, right, rel_tol=1e-7)
        assert mean < 0 < gamma[k]


def test_mutation_ratio_is_inverted_below():
    """shringarpure2008mstruct, below Equation 1: p(b + 1 | a) / p(b | a) is delta above a only."""
    xi, delta, a = 0.2, 0.1, 10

    def p(b):
        return xi * (1 - delta) * delta ** (abs(b - a) - 1) / 2

    assert all(math.isclose(p(b + 1) / p(b), delta) for b in range(11, 15))
    assert all(math.isclose(p(b + 1) / p(b), 1 / delta) for b in range(5, 9))


@pytest.mark.parametrize(("trace_first", "learnt"), [(True, 0.5), (False, 0.0)])
def test_one_step_is_learnt_if_the_trace_comes_first(trace_first, learnt):
    """silver2008dyna2, Algorithm 1: weights before trace learn nothing from an episode of a step.

    Equations 2 and 3 use the trace z_t that has the features of time t in it.
    """
    theta, trace, feature = 0.0, 0.0, 1.0
    rate, decay, reward = 0.5, 0.8, 1.0
    error = reward - theta * feature
    updated = decay * trace + feature
    theta += rate * error * (updated if trace_first else trace)
    assert theta == learnt


def test_half_of_the_sum_has_a_quarter_of_the_kernel():
    """sindhwani2008coregularization, Equation 7: the kernel of f1 + f2; the half has a quarter."""
    rng = np.random.default_rng(1)
    points, unlabelled = 6, [0, 2, 5]
    gamma1, gamma2, mu = 0.7, 0.2, 3.0
    k1, k2 = (a @ a.T + np.eye(points) for a in rng.normal(size=(2, points, points)))
    d = (k1 / gamma1 - k2 / gamma2)[unlabelled]
    s = k1 / gamma1 + k2 / gamma2
    inner = np.linalg.inv(np.eye(3) + mu * s[np.ix_(unlabelled, unlabelled)])
    printed = s - mu * d.T @ inner @ d
    # The norm of (f1, f2) is a quadratic form; a linear map of it has the kernel M Q^-1 M'.
    chosen = np.diag([float(i in unlabelled) for i in range(points)])
    form = np.block([
        [gamma1 * np.linalg.inv(k1) + mu * chosen, -mu * chosen],
        [-mu * chosen, gamma2 * np.linalg.inv(k2) + mu * chosen],
    ])  # fmt: skip
    both = np.hstack([np.eye(points), np.eye(points)])
    kernel = both @ np.linalg.inv(form) @ both.T
    np.testing.assert_allclose(kernel, printed, rtol=1e-8)
    half = both / 2 @ np.linalg.inv(form) @ both.T / 2
    np.testing.assert_allclose(4 * half, printed, rtol=1e-8)


def test_cubic_kernel_orders_the_covariances():
    """song2008tailoring, Table 1, degree 3: the sixfold term is x_i' Sigma_j Sigma_i x_j."""
    xi, xj = np.array([0.5, -1.0]), np.array([1.5, 0.3])
    si, sj = np.array([[1.0, 0.6], [0.6, 0.8]]), np.array([[0.5, -0.3], [-0.3, 1.2]])
    # Three nodes in each direction integrate polynomials up to degree 5 exactly.
    nodes, weights = np.polynomial.hermite_e.hermegauss(3)
    weights = weights / weights.sum()
    ri, rj = np.linalg.cholesky(si), np.linalg.cholesky(sj)
    mean = 0.0
    for at in itertools.product(range(3), repeat=4):
        x, y = xi + ri @ nodes[list(at[:2])], xj + rj @ nodes[list(at[2:])]
        mean += weights[list(at)].prod() * (x @ y + 1) ** 3
    c = xi @ xj + 1
    rest = c**3 + 3 * c * (np.trace(si @ sj) + xi @ sj @ xi + xj @ si @ xj)
    assert math.isclose(mean, rest + 6 * xi @ sj @ si @ xj, rel_tol=1e-9)
    assert not math.isclose(mean, rest + 6 * xi @ si @ sj @ xj, rel_tol=1e-2)


def test_no_flow_is_feasible_for_the_distance():
    """song2008tailoring, Section 8.2.1: bounds from above alone give the distance 0."""
    distances = np.array([1.0, 2.0, 3.0, 1.5])
    rows = np.array([[1, 1, 0, 0], [0, 0, 1, 1], [1, 0, 1, 0], [0, 1, 0, 1]])
    shares = np.array([0.4, 0.6, 0.7, 0.3])
    printed = optimize.linprog(distances, A_ub=rows, b_ub=shares)
    moved = optimize.linprog(distances, A_ub=rows, b_ub=shares, A_eq=[[1] * 4], b_eq=[1])
    assert printed.fun == 0
    # Of the first 0.4 and of the second 0.6, the cheapest: 0.1, 0.3, 0.6 and 0.
    assert math.isclose(moved.fun, min(
        distances @ [a, 0.4 - a, 0.7 - a, a - 0.1] for a in (0.1, 0.4)
    ), rel_tol=1e-9)  # fmt: skip


def grid_effects(values):
    """Return the centred partial dependence of a function on a square grid, one and two way."""
    centred = values - values.mean()
    return centred, centred.mean(axis=1, keepdims=True), centred.mean(axis=0, keepdims=True)


def test_interaction_raises_the_restricted_error():
    """sorokina2008interactions, Equation 3: as printed the interaction of x1 x2 is negative."""
    x = np.linspace(-1, 1, 11)
    target = np.outer(x, x)
    both, first, second = grid_effects(target)
    deviation = target.std()
    unrestricted = 0.0
    restricted = np.sqrt(np.mean((both - first - second) ** 2)) / deviation
    # An additive model explains nothing of x1 x2.
    assert math.isclose(restricted, 1, rel_tol=1e-9)
    assert unrestricted - restricted < 0


def test_cubes_do_not_interact():
    """sorokina2008interactions, Section 8: the condition is on centred partial dependence."""
    x = np.linspace(-10, 10, 21)
    one, other = np.meshgrid(x, x, indexing="ij")
    for target, additive in [(one**3 + other**3, True), (one * other, False)]:
        both, first, second = grid_effects(target)
        assert np.allclose(both, first + second, atol=1e-9 * np.abs(both).max()) == additive
    # As printed: the mixed second derivative, 0, against the sum of the first ones.
    assert not np.allclose(3 * one**2 + 3 * other**2, 0)


def test_convex_weights_bound_the_mean_value():
    """syed2008apprenticeship, Table 4: values of 7.26 to 9.83 need weights that sum to over 1.

    A policy's value is linear in the weights; each has mean 1/3 if all are alike and sum to 1,
    and mean 1/2 if each is uniform between 0 and 1.
    """
    largest = [10, 5, 5]
    printed = [Fraction(text) for text in ("9.83", "8.84", "8.76", "7.26", "9.74", "8.12")]
    assert min(printed) > Fraction(sum(largest), 3)
    assert max(printed) <= Fraction(sum(largest), 2)


def test_iterations_need_the_inverse_base():
    """syed2008apprenticeship, Section 3.1: log_gamma of a number above 1 is negative."""
    gamma, eps = 0.9, 0.01
    number = 1 / (eps * (1 - gamma))
    assert math.log(number, gamma) < 0
    steps = math.ceil(math.log(number, 1 / gamma))
    assert gamma**steps <= eps * (1 - gamma) < gamma ** (steps - 1)


NORMS, GROUPS = np.array([1.0, 0.3, 0.5, 2.0, 0.7]), [[0, 1, 2], [3, 4]]


def softmax(x):
    return np.exp(x - special.logsumexp(x))


def test_mixed_norm_raises_inner_norms_to_gamma():
    """szafranski2008ckl, Equation 11 at p = q = 1/2: gamma = 4/3 inside, not gamma_0 = 1."""
    sizes = np.array([len(group) for group in GROUPS])

    def constraint(sigma):
        inner = np.array([np.sum(sigma[group] ** 2) ** 0.5 for group in GROUPS])
        return 1 - np.sum(sizes**0.5 * inner)

    solved = optimize.minimize(
        lambda sigma: np.sum(NORMS**2 / sigma),
        np.full(5, 0.1),
        bounds=[(1e-6, 1)] * 5,
        constraints={"type": "ineq", "fun": constraint},
        options={"ftol": 1e-12, "maxiter": 500},
    )
    gamma, outer = 4 / 3, 3 / 4

    def closed(inner):
        sums = np.array([np.sum(NORMS[group] ** inner) for group in GROUPS])
        return np.sum(sizes ** (1 - outer) * sums**outer) ** 2

    # The solver's tolerance on a smooth convex problem.
    assert math.isclose(solved.fun, closed(gamma), rel_tol=1e-5)
    assert not math.isclose(solved.fun, closed(1.0), rel_tol=1e-2)


@pytest.mark.parametrize("shared", [True, False])
def test_one_budget_gives_the_mixed_norm(shared):
    """szafranski2008ckl, Equation 6: sigma_2 sums to 1 over all, not over each group."""
    sizes = np.array([len(group) for group in GROUPS])

    def objective(free):
        first = softmax(free[:2]) / sizes
        second = (
            softmax(free[2:])
            if shared
            else np.concatenate([softmax(free[2:][group]) for group in GROUPS])
        )
        group_of = np.repeat([0, 1], sizes)
        return np.sum(NORMS**2 / np.sqrt(first[group_of] * second))

    found = optimize.minimize(objective, np.zeros(7), options={"gtol": 1e-9}).fun
    inner = np.array([np.sum(NORMS[group] ** (4 / 3)) for group in GROUPS])
    wanted = np.sum(sizes**0.25 * inner**0.75) ** 2
    assert math.isclose(found, wanted, rel_tol=1e-6) == shared


def test_kernel_gradient_is_of_one_kernel():
    """szafranski2008ckl, Section 5.2: the derivative by sigma_m has K_m alone, not the sum."""
    rng = np.random.default_rng(2)
    y = np.array([1, -1] * 4)
    kernels = np.array([a @ a.T + np.eye(8) for a in rng.normal(size=(3, 8, 4))])

    def dual(sigma):
        gram = np.tensordot(sigma, kernels, 1) * np.outer(y, y)
        solved = optimize.minimize(
            lambda alpha: (alpha @ gram @ alpha / 2 - alpha.sum(), gram @ alpha - 1),
            np.zeros(8),
            jac=True,
            bounds=[(0, 1)] * 8,
            constraints={"type": "eq", "fun": lambda alpha: alpha @ y},
            options={"ftol": 1e-14},
        )
        return solved.x * y, -solved.fun

    sigma = np.array([0.5, 0.3, 0.2])
    signed = dual(sigma)[0]
    each = np.array([-signed @ kernel @ signed / 2 for kernel in kernels])
    slopes = derivative(lambda at: dual(at)[1], sigma, step=1e-4)
    np.testing.assert_allclose(slopes, each, rtol=1e-4)
    assert not np.allclose(slopes, each.sum(), rtol=0.1)


def test_exploration_steps_scale_with_the_fifth_power():
    """szita2008optimism, Theorem 4.1: m |X| |A| H V / eps_1 has eps_1^-5, the theorem eps_1^-10."""
    states, actions, horizon, reward, gamma = 6, 2, 40, 3, Fraction(9, 10)

    def proof(eps):
        visits = (states * horizon / eps) ** 4 * reward**6
        return visits * states * actions * horizon * (reward / (1 - gamma)) / eps

    def printed(eps):
        return (states * horizon / eps) ** 5 * actions * reward**7 / ((1 - gamma) * eps**5)

    eps = Fraction(1, 10)
    assert proof(eps / 2) == 2**5 * proof(eps)
    assert printed(eps / 2) == 2**10 * printed(eps)
    assert printed(eps) == proof(eps) / eps**5


def test_optimal_constant_needs_a_transpose():
    """ueno2008semiparametric, Equation 23: z transposed in the denominator makes it optimal."""
    rng = np.random.default_rng(3)
    x = rng.normal(size=(50, 2)) + [0.5, -0.3]
    z = x + rng.normal(size=(50, 2)) + [1.0, 0.2]
    squared = rng.random(50) * (1 + z[:, 0] ** 2)

    def variance(c):
        shifted = z + c
        a = shifted.T @ x / 50
        root = np.linalg.solve(a, (shifted * np.sqrt(squared)[:, None]).T)
        return np.sum(root**2) / 50

    inverse = np.linalg.inv(x.T @ z / 50)
    mean_x, ez, e = x.mean(axis=0), squared @ z / 50, squared.mean()
    second = (z * squared[:, None]).T @ z / 50
    best = -(ez - second @ inverse @ mean_x) / (e - ez @ inverse @ mean_x)
    assert np.abs(derivative(variance, best)).max() < 1e-6 * variance(best)
    assert variance(best) < variance(np.zeros(2))
    with pytest.raises(ValueError, match="mismatch"):
        ez[:, None] @ inverse @ mean_x


def test_gaussian_density_has_the_covariance():
    """walder2008multiscale, below Equation 5: |2 pi K|, not |2 pi K^-1|, to the power -1/2."""
    k, u = np.array([[2.0, 0.5], [0.5, 3.0]]), np.array([0.7, -1.1])
    form = math.exp(-u @ np.linalg.inv(k) @ u / 2)
    density = stats.multivariate_normal(cov=k).pdf(u)
    assert math.isclose(density, np.linalg.det(2 * np.pi * k) ** -0.5 * form, rel_tol=1e-9)
    wrong = np.linalg.det(2 * np.pi * np.linalg.inv(k)) ** -0.5 * form
    assert not math.isclose(density, wrong, rel_tol=1e-1)


def test_most_likely_gaussian_has_the_kernel_width():
    """walder2008multiscale, Equation 14: the root is of |2 s1 - s| alone."""
    s = 1.7
    widths = np.linspace(s / 2 + 0.05, 5 * s, 400)
    # Equation 13 with c = 1 for h = sqrt(2 pi s1) g(., 0, s1), where g(v, v, t) = (2 pi t)^-1/2.
    exponent = -(2 * np.pi * widths) * (2 * np.pi * (2 * widths - s)) ** -0.5 / 2
    right, printed = -widths / np.sqrt(2 * widths - s), -np.sqrt(widths / (2 * widths - s))
    assert np.ptp(exponent / right) < 1e-12
    best = optimize.minimize_scalar(
        lambda w: w / math.sqrt(2 * w - s), bounds=(0.6 * s, 3 * s), method="bounded"
    ).x
    assert math.isclose(best, s, rel_tol=1e-4)
    assert np.all(np.diff(printed) > 0)


def test_rearranged_centre_is_above_its_minimum():
    """wang2008dca, Proposition 4: the centre of the simplex is no case of equality for K < N."""
    balanced = np.array([[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]])
    assert balanced.sum(axis=0).tolist() == [1] * 4
    assert balanced.sum(axis=1).tolist() == [2] * 2
    centre = np.full(4, 0.25)
    assert (balanced @ centre).min() == 0.5 > centre.min()


def label_problem(seed):
    """Return a graph's Laplacian, the propagation matrix at mu = 99, node weights and labels."""
    rng = np.random.default_rng(seed)
    n, mu = 6, 99.0
    weights = np.triu(rng.random((n, n)), 1)
    weights += weights.T
    degrees = weights.sum(axis=1)
    laplacian = np.diag(degrees) - weights
    propagate = np.linalg.inv(laplacian / mu + np.eye(n))
    labels = np.zeros((n, 2))
    labels[[0, 1, 2], [0, 0, 1]] = 1
    node = (labels * degrees[:, None] / (labels.T @ degrees)).sum(axis=1)
    # Nodes that have no label yet get the weight of their degree.
    return laplacian, propagate, mu, np.where(node > 0, node, degrees / degrees.sum()), labels


def test_label_cost_keeps_mu():
    """wang2008gtam, Equation 9: mu (P' - I)(P - I), as in (7)."""
    laplacian, propagate, mu, node, labels = label_problem(0)
    z = node[:, None] * labels
    f = propagate @ z
    cost = np.trace(f.T @ laplacian @ f + mu * (f - z).T @ (f - z)) / 2
    smooth = propagate.T @ laplacian @ propagate
    rest = (propagate.T - np.eye(6)) @ (propagate - np.eye(6))
    assert math.isclose(cost, np.trace(z.T @ (smooth + mu * rest) @ z) / 2, rel_tol=1e-9)
    assert not math.isclose(cost, np.trace(z.T @ (smooth + rest) @ z) / 2, rel_tol=1e-2)


def test_node_weights_change_the_best_entry():
    """wang2008gtam, Equation 8: dQ/dY = V dQ/dZ, whose least entry may be another."""
    differ = []
    for seed in range(20):
        laplacian, propagate, mu, node, labels = label_problem(seed)
        rest = propagate - np.eye(6)
        form = propagate.T @ laplacian @ propagate + mu * rest.T @ rest

        def cost(flat, form=form, node=node):
            z = node[:, None] * flat.reshape(6, 2)
            return np.trace(z.T @ form @ z) / 2

        by_z = form @ (node[:, None] * labels)
        by_y = node[:, None] * by_z
        np.testing.assert_allclose(derivative(cost, labels.ravel()), by_y.ravel(), atol=1e-7)
        differ.append(by_z.argmin() != by_y.argmin())
    assert any(differ)


def test_trace_is_the_squared_distance():
    """weinberger2008fast, Equation 4: tr(C M) is the square of d_M."""
    rng = np.random.default_rng(4)
    root, gap = rng.normal(size=(3, 3)), rng.normal(size=3)
    trace = np.trace(np.outer(gap, gap) @ root.T @ root)
    assert math.isclose(trace, np.linalg.norm(root @ gap) ** 2, rel_tol=1e-9)
    assert not math.isclose(trace, np.linalg.norm(root @ gap), rel_tol=1e-2)


FEATURES = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 3.0]])


def log_partition(s):
    """Return log Z of wingate2008efpsr's Equation 2 over the outcomes in FEATURES."""
    return special.logsumexp(-FEATURES @ s)


def model_mean(s):
    return special.softmax(-FEATURES @ s) @ FEATURES


def test_jensen_bound_points_up():
    """wingate2008efpsr, Section 4: E[-log Z(s)] is at most -log Z(E[s]), not at least."""
    rng = np.random.default_rng(5)
    for _ in range(20):
        states = rng.normal(size=(10, 2))
        mean = np.mean([-log_partition(s) for s in states])
        assert mean < -log_partition(states.mean(axis=0))


def test_gradient_is_model_less_data():
    """wingate2008efpsr, Equations 1 and 2: E_model - E_data for -s phi, minus that for +s phi.

    Algorithm 2 has the sign of Equation 1, the text that of Equation 2.
    """
    s, data = np.array([0.3, -0.2]), np.array([0.4, 0.9])
    minus = derivative(lambda at: -at @ data - log_partition(at), s)
    np.testing.assert_allclose(minus, model_mean(s) - data, rtol=1e-6)
    plus = derivative(lambda at: at @ data - log_partition(-at), s)
    np.testing.assert_allclose(plus, data - model_mean(-s), rtol=1e-6)


def test_stationary_gradient_needs_the_inverse():
    """wingate2008efpsr, Algorithm 2: E[s] = (I - G A)^-1 G B, and the inverse stays for B.

    The likelihood holds the data's expected features; the gradient by A is as printed.
    """
    rng = np.random.default_rng(6)
    g, a = 0.4 * rng.normal(size=(2, 2, 2))
    b, data = rng.normal(size=2), np.array([0.4, 0.9])

    def state(a, b):
        return np.linalg.solve(np.eye(2) - g @ a, g @ b)

    def likelihood(s):
        return -s @ data - log_partition(s)

    s = state(a, b)
    delta = model_mean(s) - data
    gamma = delta @ np.linalg.inv(np.eye(2) - g @ a) @ g
    by_a = derivative(lambda at: likelihood(state(at.reshape(2, 2), b)), a.ravel())
    by_b = derivative(lambda at: likelihood(state(a, at)), b)
    np.testing.assert_allclose(by_a.reshape(2, 2), np.outer(gamma, s), rtol=1e-5)
    np.testing.assert_allclose(by_b, gamma, rtol=1e-5)
    assert not np.allclose(by_b, g.T @ delta, rtol=1e-2)
    # As a fixed point of s = G (A s + B), which the printed form without G is not.
    np.testing.assert_allclose(s, g @ (a @ s + b), rtol=1e-9)
    printed = np.linalg.solve(np.eye(2) - g @ a, b)
    assert not np.allclose(printed, g @ (a @ printed + b), rtol=1e-2)


def test_expected_probability_is_greatest_in_a_corner():
    """wolfe2008distributed, Section 2: without the logarithm no M-step normalises counts."""
    counts = np.array([5.0, 3.0, 2.0])
    update = counts / counts.sum()
    others = np.random.default_rng(7).dirichlet(np.ones(3), size=500)
    assert all(counts @ np.log(other) <= counts @ np.log(update) for other in others)
    assert counts @ np.array([1, 0, 0]) > counts @ update


def test_dirichlet_prior_adds_to_counts():
    """wolfe2008distributed, Section 2.2: the MAP estimate has psi - 1 more of each count."""
    counts, psi = np.array([5.0, 3.0, 2.0]), 2.5

    def posterior(theta):
        return (counts + psi - 1) @ np.log(theta)

    best, printed = (found / found.sum() for found in (counts + psi - 1, counts))
    others = np.random.default_rng(8).dirichlet(np.ones(3), size=500)
    assert all(posterior(other) <= posterior(best) for other in others)
    assert posterior(printed) < posterior(best)


def test_equal_ranks_still_decide():
    """yaman2008lexicographic, Section 5: by Definition 1 one class of all variables votes."""
    objects = np.array(list(itertools.product((0, 1), repeat=5)))
    pairs = [(a, b) for a, b in itertools.product(objects, repeat=2) if (a != b).any()]
    votes = np.array([np.sign(np.sum(a) - np.sum(b)) for a, b in pairs])
    # The target orders the variables from the first to the last.
    target = np.array([(a - b)[np.flatnonzero(a != b)[0]] for a, b in pairs])
    assert np.mean(votes == 0) < 0.25
    performance = np.mean(votes == target) + np.mean(votes == 0) / 2
    assert performance > 0.6


def test_greedy_cover_fails_with_negative_benefits():
    """yue2008diverse, Section 4: 1 - 1/e needs benefits that are not negative."""
    benefit = {"p": 1.0, "q": 3.0, "r": 3.0, "common": -2.1}
    documents = {"A": {"p"}, "B": {"q", "common"}, "C": {"r", "common"}}

    def value(chosen):
        return sum(benefit[word] for word in set().union(*(documents[one] for one in chosen)))

    greedy = []
    for _ in range(2):
        left = sorted(set(documents) - set(greedy))
        greedy.append(max(left, key=lambda one: value([*greedy, one])))
    best = max(map(value, itertools.combinations(documents, 2)))
    assert value(greedy) < (1 - 1 / math.e) * best
    benefit["common"] = 0.0
    assert max(map(value, itertools.combinations(documents, 2))) == value(["B", "C"]) == 6


def test_polynomial_constant_grows_faster():
    """zhang2008nystrom, Section 3.4: d^2 R^d does not bound (8), what stands before it does.

    The kernel (x y)^2 on numbers between 0 and R = 3, with epsilon = 0.
    """
    d, r, step = 2, 3.0, 1e-4
    change = r ** (2 * d) - (r - step) ** (2 * d)
    ratio = change**2 / (2 * step**2)
    assert ratio > 100 * d**2 * r**d
    # z = x y is at most R^2.
    assert ratio <= (2 * d * (r**2) ** (d - 1) * r) ** 2


def test_second_case_needs_a_minus():
    """zhang2008localem, Theorem 2, case 2: ln(1 - x) <= -x; with the plus no bound follows."""
    for share, gap in itertools.product((0.1, 0.3, 0.45), np.linspace(0.05, 1, 20)):
        loss = share * math.log1p(gap) + (1 - share) * math.log1p(-gap * share / (1 - share))
        series = gap - gap**2 / 2 + gap**3 / 3
        assert loss < share * (series - gap) <= -share * gap**2 / 6 + 1e-12
        assert share * (series + gap) > 0


def test_rank_one_determinant_is_zero():
    """zhang2008localem, Theorem 2, case 4: the determinant lemma, not |A + B| > |A| + |B|."""
    rng = np.random.default_rng(9)
    root, v = rng.normal(size=(3, 3)), rng.normal(size=3)
    a, b = root @ root.T, np.outer(v, v)
    squared = v @ np.linalg.solve(a, v)
    assert abs(np.linalg.det(b)) < 1e-12
    whole = np.linalg.det(a) * (1 + squared)
    assert math.isclose(np.linalg.det(a + b), whole, rel_tol=1e-9)


def test_logarithm_bound_needs_a_factor():
    """zhang2008localem, Theorem 2, case 4: -ln(1 + D^2) / 2 is above -D^2 / 2, below -D^2 / 6."""
    for gap in np.linspace(0.01, 1, 50):
        loss = -math.log1p(gap**2) / 2
        assert -(gap**2) / 2 < loss <= -math.log(2) / 2 * gap**2 + 1e-15 < -(gap**2) / 6


def test_laplace_density_is_log_concave():
    """zhu2008laplace, Section 4: log-concave, so that minus the logarithm is convex."""
    log = stats.laplace(scale=0.5).logpdf
    for a, b in np.random.default_rng(10).normal(size=(50, 2)):
        assert log((a + b) / 2) >= (log(a) + log(b)) / 2 - 1e-12
    assert log(0) > (log(1) + log(-1)) / 2


@pytest.mark.parametrize("factor", [1.0, 4.0])
def test_slack_factor_bounds_the_multipliers(factor):
    """zhu2008laplace, Theorem 3: multipliers summing to C need U = C sum of slacks.

    One example with the feature difference 0.1: w is 0.1 times the multiplier.
    """
    feature = 0.1
    w = optimize.minimize_scalar(
        lambda w: w**2 / 2 + factor * max(0, 1 - w * feature), bounds=(0, 5), method="bounded",
        options={"xatol": 1e-10},
    ).x  # fmt: skip
    assert math.isclose(w / feature, factor, rel_tol=1e-5)
