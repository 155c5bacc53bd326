"""Errata of the papers on pages 640 to 887 that a small computation settles."""

import itertools
import math

import numpy as np
import pytest
from scipy import optimize, special, stats


def tsallis(p, q):
    return (1 - np.sum(p**q)) / (q - 1)


def jensen_tsallis(pi, ps, q, power):
    """Return the difference of martins2008nonextensive, Eq. 15, with weights pi^power."""
    return tsallis(pi @ ps, q) - sum(w**power * tsallis(p, q) for w, p in zip(pi, ps, strict=True))


@pytest.mark.parametrize("q", [0.5, 1.5, 2.0])
def test_q_expectation_weighs_by_powers_of_the_prior(q):
    """martins2008nonextensive, Eq. 15: only with pi^q does it give the information of Eq. 16."""
    rng = np.random.default_rng(0)
    pi, ps = rng.dirichlet(np.ones(3)), rng.dirichlet(np.ones(4), size=3)
    joint = pi[:, None] * ps
    # S_q(X | Y) by the chain rule of Section 2: the joint entropy less that of Y.
    information = tsallis(pi @ ps, q) - (tsallis(joint.ravel(), q) - tsallis(pi, q))
    assert math.isclose(jensen_tsallis(pi, ps, q, q), information, rel_tol=1e-9)
    assert not math.isclose(jensen_tsallis(pi, ps, q, 1), information, rel_tol=1e-3)


def test_powers_of_a_sum_are_positive_not_negative_definite():
    """martins2008nonextensive, Proposition 8: -(x + y)^q is negative definite, (x + y)^q is not."""
    x = np.array([0.3, 1.0, 2.5])
    # A zero-sum vector; Prop. 8 needs a form that is never positive.
    c = np.array([1.0, -2.0, 1.0])
    for q in (1.2, 1.5, 2.0):
        gram = (x[:, None] + x) ** q
        assert c @ gram @ c > 1e-3
        assert c @ -gram @ c < 0


def squared_geodesic(p):
    inner = np.sqrt(p) @ np.sqrt(p).T
    return (2 * np.arccos(np.clip(inner, -1, 1))) ** 2


def test_heat_kernel_is_positive_definite_on_two_outcomes():
    """martins2008nonextensive, Proposition 11: the counterexample needs three coordinates."""
    four = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0.5, 0.5, 0]])
    c = np.array([-4, -4, 1, 7])
    assert c.sum() == 0
    # arccos loses half the digits next to 1.
    assert math.isclose(c @ squared_geodesic(four) @ c, 2 * math.pi**2, rel_tol=1e-6)
    share = np.random.default_rng(1).random(12)
    two = squared_geodesic(np.column_stack([share, 1 - share]))
    for t in (0.1, 1.0, 100.0):
        assert np.linalg.eigvalsh(np.exp(-two / (4 * t))).min() > -1e-6


def average_loss(penalties, delta, rho, sign):
    """Return the MW algorithm's mean loss; ``sign`` is that of the exponent of meka2008rank."""
    weights, total = np.ones(penalties.shape[1]), 0.0
    for m in penalties:
        total += weights @ m / weights.sum()
        weights *= np.where(m >= 0, (1 - delta) ** (m / rho), (1 + delta) ** (sign * m / rho))
    return total / len(penalties)


def test_a_violated_constraint_must_gain_weight():
    """meka2008rank, Section 2.1: with (1 + delta)^(M / rho) the bound of Theorem 2.1 fails."""
    epsilon, rho = 0.4, 1.0
    delta, rounds = epsilon / (4 * rho), math.ceil(16 * rho**2 * math.log(2) / epsilon**2)
    penalties = np.tile([-1.0, 1.0], (rounds, 1))
    best = penalties.mean(axis=0).min()
    assert average_loss(penalties, delta, rho, sign=1) > best + epsilon
    assert average_loss(penalties, delta, rho, sign=-1) <= best + epsilon


def test_gradient_in_matrix_and_offset_is_longer():
    """meka2008rank, Theorem 4.2: the norm is sqrt(D^2 + 1), here by finite differences."""
    rng = np.random.default_rng(2)
    x = rng.normal(size=(3, 3))
    x = (x + x.T) / np.linalg.norm(x + x.T)
    at, step = rng.normal(size=10), 1e-6

    def f(z):
        return np.trace(z[:9].reshape(3, 3) @ x) - z[9]

    gradient = [(f(at + step * e) - f(at - step * e)) / (2 * step) for e in np.eye(10)]
    assert math.isclose(np.linalg.norm(gradient), math.sqrt(2), rel_tol=1e-6)


def test_sum_of_ratios_over_all_actions_counts_actions():
    """melo2008analysis, Eq. 11: equal policies give the number of actions, not the mean value."""
    policy, values = np.full(4, 0.25), np.ones(4)
    assert np.sum(policy / policy * values) == 4
    sampled = np.sum(policy * (policy / policy * values))
    assert sampled == policy @ values == 1


def test_equilibrium_has_a_minus_sign():
    """melo2008analysis, Theorem 2: A theta + b = 0 at -A^-1 b, not at A^-1 b."""
    rng = np.random.default_rng(3)
    a, b = rng.normal(size=(3, 3)), rng.normal(size=3)
    theta = np.linalg.solve(a, b)
    assert np.allclose(a @ -theta + b, 0, atol=1e-9)
    assert not np.allclose(a @ theta + b, 0, atol=1e-3)


def test_difference_of_operators_is_not_bounded_by_the_distance():
    """melo2008analysis, Theorem 2: the sign of the cross term, and its bound by lambda_A."""
    centre, theta = 10.0, 10.1

    def a(at):
        return -2 + 0.5 * math.sin(at - centre)

    def b(at):
        return -a(centre) * centre + 0.1 * (at - centre)

    gap = theta - centre
    exact = 2 * gap * (a(theta) * theta + b(theta))
    rest = 2 * gap * a(centre) * gap + 2 * gap * (b(theta) - b(centre))
    assert math.isclose(exact, rest + 2 * gap * (a(theta) - a(centre)) * theta, rel_tol=1e-9)
    assert not math.isclose(exact, rest + 2 * gap * (a(centre) - a(theta)) * theta, rel_tol=1e-3)
    # sup |A_theta - A_theta*| = 1/2.
    assert gap * (a(theta) - a(centre)) * theta > 0.5 * gap**2


def test_step_with_the_larger_quadratic_form_fails():
    """melo2008analysis, Theorem 1: a chain that fulfils (7), where the last step is false."""
    eps, gamma = 0.05, 0.9
    features = {"u": (0.5, -eps), "v": (eps, -0.5)}
    reached = {("u", 0): "u", ("u", 1): "v", ("v", 0): "u", ("v", 1): "v"}
    first, second = 1.0, -1.0
    gap = first - second

    def greedy(state, theta):
        return max(features[state], key=lambda phi: phi * theta)

    # The uniform policy visits both states, and thus all four pairs, equally often.
    pairs = list(reached)
    assert {s: sum(t == s for t in reached.values()) for s in "uv"} == {"u": 2, "v": 2}
    cov = np.mean([features[s][i] ** 2 for s, i in pairs])
    best = {t: np.mean([greedy(s, t) ** 2 for s in "uv"]) for t in (first, second)}
    assert all(cov > gamma**2 * one for one in best.values())

    def root(theta, positive):
        chosen = [p for p in pairs if (features[p[0]][p[1]] * gap > 0) == positive]
        own = sum((features[s][i] * gap) ** 2 for s, i in chosen) / 4
        after = sum((greedy(reached[p], theta) * gap) ** 2 for p in chosen) / 4
        return math.sqrt(own * after)

    middle = root(first, positive=True) + root(second, positive=False)
    assert middle > math.sqrt(cov * gap**2 * max(best.values()) * gap**2) * 1.3
    # The proof then has no negative bound; the derivative itself is negative here.
    assert -2 * cov * gap**2 + 2 * gamma * middle > 0


def test_covariance_of_greedy_features_may_be_singular():
    """melo2008analysis, Section 3.1: independent features, one for each action."""
    features = np.eye(2)
    assert np.linalg.matrix_rank(features) == 2
    greedy = features[np.argmax(features @ np.array([1.0, -1.0]))]
    assert np.linalg.det(np.outer(greedy, greedy)) == 0
    assert np.linalg.det(features.T @ features / 2) > 0


def nas(draw, epsilon, delta, stop):
    t, total, stopped = 0, 0.0, False
    while not stopped:
        t, total = t + 1, total + draw()
        alpha = math.sqrt(math.log(t * (t + 1) / delta) / (2 * t))
        stopped = stop(abs(total / t), alpha * (1 + 1 / epsilon))
    return t, total / t


def test_printed_stopping_rule_stops_at_once():
    """mnih2008empirical, Algorithm 1: `until <` stops at t = 1, `until >=` when it is accurate."""
    rng = np.random.default_rng(4)

    def draw():
        return rng.random() < 0.5

    for _ in range(5):
        assert nas(draw, 0.1, 0.1, lambda mean, limit: mean < limit)[0] == 1
        t, mean = nas(draw, 0.1, 0.1, lambda mean, limit: mean >= limit)
        assert t > 1
        assert abs(mean - 0.5) <= 0.05


def test_estimate_exceeds_the_printed_middle_term():
    """mnih2008empirical, after Algorithm 2: the middle term is LB; with UB the chain holds."""
    epsilon, low = 0.1, 1.0
    assert math.isclose(((1 + epsilon) * low + (1 - epsilon) * low) / 2, low)
    # The condition for stopping allows UB up to 1.1 / 0.9.
    for high in np.linspace(low, 1.1 / 0.9, 12):
        estimate = ((1 + epsilon) * low + (1 - epsilon) * high) / 2
        assert (1 - epsilon) * high <= estimate + 1e-12
        assert estimate <= (1 + epsilon) * low + 1e-12
    assert estimate > low


def test_bound_without_the_range_fails_for_a_wide_variable():
    """mnih2008empirical, Eq. 5: one draw of 0 or 1000 lies within the bound only with R."""
    d, alpha, wide = 0.1, 1.0, 1000.0
    mean, sd = wide / 2, 0.0
    second = 3 * alpha * math.log(3 / d)
    assert all(abs(x - mean) > sd + second for x in (0.0, wide))
    assert all(abs(x - mean) <= sd + wide * second for x in (0.0, wide))


def test_identity_is_an_automorphism_without_a_sorting_map():
    """narayanamurthy2008hardness, Algorithm 1, line 9: it stops at P = (0.2, 0.8), R = (1, 0)."""
    p, r = np.array([0.2, 0.8]), np.array([1.0, 0.0])
    maps = [np.array(one) for one in itertools.permutations(range(2))]
    sorts_p = {tuple(one) for one in maps if np.all(np.diff(p[one]) >= 0)}
    sorts_r = {tuple(one) for one in maps if np.all(np.diff(r[one]) >= 0)}
    assert not sorts_p & sorts_r
    kept = [tuple(one) for one in maps if np.all(p[one] == p) and np.all(r[one] == r)]
    assert kept == [(0, 1)]


def test_fourth_equivalent_state_needs_both_coordinates():
    """narayanamurthy2008hardness, Section 6.1: (N - 1, M - 1 - x) is no symmetry of the grid."""
    n = 4
    cells = list(itertools.product(range(n), repeat=2))
    goals = {(0, n - 1), (n - 1, 0)}
    assert len({(n - 1, n - 1 - x) for x, _ in cells}) < len(cells)

    def anti(cell):
        return n - 1 - cell[1], n - 1 - cell[0]

    # The transpose after the half turn, which are the second and the third.
    assert all(anti((x, y)) == (n - 1 - x, n - 1 - y)[::-1] for x, y in cells)
    assert {anti(cell) for cell in cells} == set(cells)
    assert {anti(cell) for cell in goals} == goals


def dirichlet_evidence(counts):
    return math.exp(
        math.lgamma(2) + sum(math.lgamma(1 + c) for c in counts) - math.lgamma(2 + sum(counts))
    )


def test_the_empty_itemset_has_a_weight_too():
    """nijssen2008bayes, Algorithm 1: without w of the empty set the one-leaf tree is lost."""
    left, right = (3, 1), (0, 2)
    whole = tuple(map(sum, zip(left, right, strict=True)))

    def one_more(counts, c):
        return tuple(n + (i == c) for i, n in enumerate(counts))

    # Both trees on one attribute, equally likely; a test case in the left branch.
    leaf = [dirichlet_evidence(one_more(whole, c)) for c in range(2)]
    split = [dirichlet_evidence(one_more(left, c)) * dirichlet_evidence(right) for c in range(2)]
    exact = np.array(leaf) + np.array(split)
    # Algorithm 1: u of the other side times v of the empty set, which is one.
    u_right, v_empty = dirichlet_evidence(right), 1.0
    printed = [dirichlet_evidence(one_more(left, c)) * u_right * v_empty for c in range(2)]
    empty = [dirichlet_evidence(one_more(whole, c)) * v_empty for c in range(2)]
    assert not np.allclose(printed / np.sum(printed), exact / exact.sum(), rtol=1e-2)
    repaired = np.array(printed) + empty
    assert np.allclose(repaired / repaired.sum(), exact / exact.sum(), rtol=1e-9)


def test_covariance_weights_do_not_sum_to_one():
    """obrien2008costsensitive, Section 6: equal matrices are kept only if one lambda is gamma."""
    gamma, lam = 0.3, 0.1
    assert not math.isclose((1 - gamma - lam) + lam + lam, 1)
    assert math.isclose((1 - gamma - lam) + lam + gamma, 1)


def test_a_negative_factor_turns_the_costs_round():
    """obrien2008costsensitive, Property 1: the assigned class is the same for positive factors."""
    costs, p = 1 - np.eye(3), np.array([0.6, 0.3, 0.1])
    chosen = np.argmin(costs @ p)
    assert np.argmin(2.5 * costs @ p) == chosen
    assert np.argmin(-costs @ p) != chosen


def test_changepoints_may_be_negative():
    """obrien2008costsensitive, Section 5.1: their geometric mean may lie outside them."""
    costs = 1 - np.eye(2)
    # Solves for the shift at which class 0 costs as much as class 1.
    points = sorted(costs[1] @ p - costs[0] @ p for p in np.array([[0.1, 0.9], [0.2, 0.8]]))
    assert np.allclose(points, [-0.8, -0.6])
    middle = math.sqrt(points[0] * points[1])
    assert not points[0] <= middle <= points[1]


def test_supports_of_both_projectrons_are_equal():
    """orabona2008projectron, Table 3, B = 500: means of five counts are exact to one digit."""
    possible = {f"{k / 5:.1f}": k for k in range(485, 500)}
    assert len(possible) == 15
    # 98.6 is 493 / 5 and nothing else, so that neither support set is the smaller one.
    assert possible["98.6"] == 493


def test_mistake_bounds_need_the_norm_not_its_square():
    """orabona2008projectron, Theorems 2 and 3: k(x, x) <= R alone allows more mistakes."""
    limit, norm = 0.25, 0.5
    # One example with k(x, x) = 1/4, of which f = 0 makes one mistake; g is 1/2 along it.
    assert norm**2 <= limit
    g, loss = 0.5, 1 - 0.5 * norm

    def second(r):
        return (g**2 + 2 * loss) / (2 - r**2)

    def third(r):
        return ((r * g + math.sqrt(r**2 * g**2 + 4 * loss)) / 2) ** 2

    for bound in (second, third):
        assert bound(limit) < 1
        assert bound(norm) >= 1 - 1e-12


def test_negative_slack_makes_the_margin_hard():
    """ouyang2008dranking, Eqs. 3 and 4: two orders that contradict each other, d1 < d2 < d1."""
    # Variables d1, d2, xi1, xi2; A x <= b.
    order = np.array([[1.0, -1.0], [-1.0, 1.0]])

    def solve(sign):
        return optimize.linprog(
            [0, 0, 1, 1],
            A_ub=np.hstack([order, -sign * np.eye(2)]),
            b_ub=[-1, -1],
            bounds=[(None, None)] * 2 + [(0, None)] * 2,
        )

    assert solve(-1).status == 2
    assert math.isclose(solve(1).fun, 2, rel_tol=1e-9)
    # Where orders agree, the slack at the optimum is zero.
    single = optimize.linprog(
        [0, 0, 1], A_ub=[[1, -1, 1]], b_ub=[-1], bounds=[(0, 5), (0, 5), (0, None)]
    )
    assert single.x[2] == 0


def pair_grams():
    points = np.random.default_rng(5).normal(size=(5, 2))
    gram = np.exp(-((points[:, None] - points) ** 2).sum(axis=2) / 2)
    pairs = list(itertools.combinations(range(5), 2))
    within = np.array([gram[p] for p in pairs])
    left, right = np.array(pairs).T
    across = gram[np.ix_(left, left)] * gram[np.ix_(right, right)]
    return within, across


def test_product_of_kernels_within_pairs_has_rank_one():
    """ouyang2008dranking, Examples 4.2 and 4.4 against Proposition 4.1."""
    within, across = pair_grams()
    assert np.linalg.matrix_rank(np.outer(within, within)) == 1
    assert np.linalg.matrix_rank(across) == len(within)


def test_sum_of_kernels_within_pairs_is_indefinite():
    """ouyang2008dranking, Examples 4.3 and 4.5: f(p) + f(q) is no kernel."""
    within, _ = pair_grams()
    assert np.linalg.eigvalsh(within[:, None] + within).min() < -1e-3


def test_mixture_component_takes_the_excess():
    """paiement2008rhythms, the E step: B at d - beta sums to one over the distances, B at d not."""
    alpha, beta, p = 6, 2, 0.4
    distances = np.arange(beta, alpha + 1)
    assert math.isclose(stats.binom.pmf(distances - beta, alpha - beta, p).sum(), 1, rel_tol=1e-9)
    assert stats.binom.pmf(distances, alpha - beta, p).sum() < 0.9


def test_both_unmixing_formulas_hold():
    """quadrianto2008estimating, Eq. 24: right with p(x | i), and with p(x, y | i) as printed."""
    rng = np.random.default_rng(6)
    pi, classes = rng.dirichlet(np.ones(3), size=3), rng.dirichlet(np.ones(5), size=3)
    inverse = np.linalg.inv(pi)
    assert np.allclose(inverse @ (pi @ classes), classes, atol=1e-9)
    joint = pi[:, :, None] * classes
    assert np.allclose(np.einsum("yi,iyx->yx", inverse, joint), classes, atol=1e-9)


def bregman(f, gradient, mu, nu):
    return f(mu) - f(nu) - gradient(nu) @ (mu - nu)


def test_divergence_of_entropy_is_negative():
    """ravikumar2008messagepassing, Eq. 9: the Kullback-Leibler divergence is of minus entropy."""
    rng = np.random.default_rng(7)
    mu, nu = rng.dirichlet(np.ones(4), size=2)
    divergence = np.sum(mu * np.log(mu / nu))

    def negative(p):
        return p @ np.log(p)

    def slope(p):
        return np.log(p) + 1

    found = bregman(negative, slope, mu, nu)
    assert math.isclose(found, divergence, rel_tol=1e-9)
    assert bregman(lambda p: -negative(p), lambda p: -slope(p), mu, nu) < 0


def test_divergence_of_half_the_square_has_the_half():
    """ravikumar2008messagepassing, Eqs. 6 and 7: D of f is half of Q."""
    mu, nu = np.random.default_rng(8).normal(size=(2, 4))
    found = bregman(lambda x: x @ x / 2, lambda x: x, mu, nu)
    assert math.isclose(found, np.sum((mu - nu) ** 2) / 2, rel_tol=1e-9)


def cyclic_projections(nodes, edges, *, corrected):
    """Return Algorithm 2's inner loop on a triangle, as printed or with Dykstra's correction."""
    nodes, edges, labels = nodes.copy(), edges.copy(), nodes.shape[1]
    owed = np.zeros_like(nodes)
    for _ in range(300):
        for k in range(3):
            for node, axis in ((k, 1), ((k + 1) % 3, 0)):
                gap = (nodes[node] - edges[k].sum(axis=axis)) / (labels + 1)
                edges[k] += np.expand_dims(gap, axis)
                nodes[node] -= gap
        nodes += (1 - nodes.sum(axis=1, keepdims=True)) / labels
        wanted = nodes + corrected * owed
        nodes = np.maximum(wanted, 0)
        owed = wanted - nodes
    return nodes, edges


def test_clipping_without_correction_misses_the_projection():
    """ravikumar2008messagepassing, Algorithm 2: on a triangle a nearer feasible point exists."""
    rng = np.random.default_rng(21)
    start = 2 * rng.normal(size=(3, 2)), 4 * rng.normal(size=(3, 2, 2))
    distance = {}
    for corrected in (False, True):
        nodes, edges = cyclic_projections(*start, corrected=corrected)
        assert np.allclose(nodes.sum(axis=1), 1, atol=1e-6)
        assert np.allclose(edges.sum(axis=2), nodes, atol=1e-6)
        assert np.allclose(edges.sum(axis=1), np.roll(nodes, -1, axis=0), atol=1e-6)
        distance[corrected] = sum(
            np.sum((x - y) ** 2) for x, y in zip((nodes, edges), start, strict=True)
        )
    assert distance[True] < distance[False] - 1e-2


def test_tree_rounding_needs_logarithms():
    """ravikumar2008messagepassing, Section 4: on one edge the sum of mu certifies a wrong state."""
    first, second = np.array([2.0, 0.0]), np.zeros(2)
    edge = np.array([[-3.0, -3.0], [0.0, 0.0]])
    energy = first[:, None] + second + edge

    def best(table):
        return np.unravel_index(np.argmax(table), table.shape)[0]

    mus = [np.exp(x) for x in (first[:, None], second, edge)]
    assert best(energy) == best(sum(np.log(mu) for mu in mus)) == 1
    assert best(sum(mus)) == 0


def bag_log_posterior(w, bags, labels, alpha):
    p = np.array([1 - np.prod(special.expit(-bag @ w)) for bag in bags])
    return np.sum(labels * np.log(p) + (1 - labels) * np.log(1 - p)) - alpha * w @ w / 2


def test_hessian_is_negative_at_the_maximum():
    """raykar2008bayesian, Eqs. 10 and 17: Sigma from its inverse would be a negative variance."""
    rng = np.random.default_rng(9)
    bags = [rng.normal(size=(3, 2)) + y for y in (0, 0, 1, 1)]
    labels, step = np.array([0, 0, 1, 1]), 1e-4

    def f(w):
        return bag_log_posterior(w, bags, labels, 1.0)

    top = optimize.minimize(lambda w: -f(w), np.zeros(2), tol=1e-10).x
    axes = step * np.eye(2)
    hessian = np.array(
        [
            [
                (f(top + a + b) - f(top + a - b) - f(top - a + b) + f(top - a - b)) / (4 * step**2)
                for b in axes
            ]
            for a in axes
        ]
    )
    assert np.all(np.diag(np.linalg.inv(hessian)) < 0)
    assert np.all(np.diag(np.linalg.inv(-hessian)) > 0)


def test_shared_precision_counts_the_tasks():
    """raykar2008bayesian, Section 8: T over the sum is best; one over the sum is not."""
    second_moments = np.array([0.4, 0.7, 1.1])

    def evidence(alpha):
        return np.sum(np.log(alpha) - alpha * second_moments) / 2

    best = optimize.minimize_scalar(
        lambda a: -evidence(a), bounds=(1e-3, 50), method="bounded", options={"xatol": 1e-9}
    ).x
    assert math.isclose(best, 3 / second_moments.sum(), rel_tol=1e-5)
    assert evidence(1 / second_moments.sum()) < evidence(best) - 0.1


def test_bag_weight_of_one_is_not_logistic_regression():
    """raykar2008bayesian, after Eq. 9: one instance has beta = (1 - p) / p, gradient (1 - p) x."""
    x, w, step = 1.7, 0.6, 1e-6
    p = special.expit(w * x)

    def loglik(v):
        return math.log(special.expit(v * x))

    slope = (loglik(w + step) - loglik(w - step)) / (2 * step)
    assert math.isclose((1 - p) / p * x * p, slope, rel_tol=1e-6)
    assert not math.isclose(1 * x * p, slope, rel_tol=1e-2)


def bernoulli(s, theta):
    return s * theta - math.log1p(math.exp(theta))


def quadratic_bound(s, new, old, *, constant, cosh):
    t = math.tanh(old / 2) / old
    terms = t * old**2 / 4 + (2 * s - 1) * new / 2 - t * new**2 / 4
    return constant * math.log(2) + cosh * math.log(math.cosh(old / 2)) + terms


@pytest.mark.parametrize("s", [0, 1])
def test_bound_starts_with_minus_log_two(s):
    """rish2008closedform, Eq. 6: with + log 2 it is above the likelihood that it should bound."""
    for old in (0.1, 0.7, 2.0, 4.0):
        for new in np.linspace(-5, 5, 41):
            assert quadratic_bound(s, new, old, constant=-1, cosh=-1) <= bernoulli(s, new) + 1e-9
        touching = quadratic_bound(s, old, old, constant=-1, cosh=-1)
        assert math.isclose(touching, bernoulli(s, old), rel_tol=1e-9)
        assert quadratic_bound(s, old, old, constant=1, cosh=-1) > bernoulli(s, old) + 1


def test_log_cosh_is_subtracted():
    """rish2008closedform, Eq. 8: with + log cosh it leaves the likelihood by no constant."""
    gaps = {
        cosh: [
            quadratic_bound(1, x, x, constant=0, cosh=cosh) - bernoulli(1, x) for x in (0.5, 2, 4)
        ]
        for cosh in (-1, 1)
    }
    assert np.ptp(gaps[-1]) < 1e-9
    assert np.ptp(gaps[1]) > 1


def test_square_loss_has_the_variance():
    """rish2008closedform, after Eq. 7: c is 1 / (2 sigma^2), not 1 / (2 sigma)."""
    sigma = 3.0
    fall = stats.norm.logpdf(0, 0, sigma) - stats.norm.logpdf(1, 0, sigma)
    assert math.isclose(fall, 1 / (2 * sigma**2), rel_tol=1e-9)
    assert not math.isclose(fall, 1 / (2 * sigma), rel_tol=1e-2)


def test_matrix_form_subtracts_ones_and_transposes():
    """sahbi2008cdk, Table 2: Eq. 2 needs ones for U, and Q' where Q is not symmetric."""
    rng = np.random.default_rng(10)
    p, q, mu, d = rng.random((4, 3, 3))
    step, beta = 0.3, 0.7
    entries = np.empty((3, 3))
    for i, j in itertools.product(range(3), repeat=2):
        context = sum(
            p[i, k] * q[j, m] * mu[k, m] for k, m in itertools.product(range(3), repeat=2)
        )
        entries[i, j] = math.exp(-d[i, j] / beta - 1 + step * context)
    assert np.allclose(np.exp(-d / beta + step * p @ mu @ q.T - 1), entries, rtol=1e-9)
    assert not np.allclose(np.exp(-d / beta + step * p @ mu @ q.T - np.eye(3)), entries, rtol=0.1)
    assert not np.allclose(np.exp(-d / beta + step * p @ mu @ q - 1), entries, rtol=1e-3)


def test_recommended_step_may_be_no_contraction():
    """sahbi2008cdk, Section 3.1: at alpha = beta / (2 A) the constant L is B e / A, here 16 / 9."""
    n, beta = 4, 0.1
    neighbours = np.ones((n, n)) - np.eye(n)
    a = (neighbours.sum(axis=1)[:, None] * neighbours.sum(axis=1)).max()
    # All descriptors alike: each term of the sum in (5) is 1 / e.
    b = n * n * math.exp(-1)
    alpha = beta / (2 * a)
    constant = 2 * b * alpha / beta * math.exp(2 * alpha * a / beta)
    assert math.isclose(constant, b * math.e / a, rel_tol=1e-9)
    assert math.isclose(constant, 16 / 9, rel_tol=1e-9)
    # Monotone from either end, and so convergent without a contraction.
    low, high = np.zeros((n, n)), np.ones((n, n))
    for _ in range(100):
        for start, rising in ((low, True), (high, False)):
            after = np.exp(-1 + 2 * alpha / beta * neighbours @ start @ neighbours.T)
            assert np.all(after >= start - 1e-12 if rising else after <= start + 1e-12)
            start[:] = after
    assert np.allclose(after, np.exp(-1 + 2 * alpha / beta * neighbours @ after @ neighbours.T))


def test_partial_derivative_exceeds_the_printed_bound():
    """sahbi2008cdk, proof of Proposition 4: with A = 1 and 2 alpha = beta it is e times that."""
    step, distance_over_beta, at = 1.0, 0.5, 1.0

    def f(v):
        return math.exp(-1 - distance_over_beta + step * v)

    slope = (f(at + 1e-6) - f(at - 1e-6)) / 2e-6
    printed = math.exp(-1 - distance_over_beta)
    assert math.isclose(slope, math.e * printed, rel_tol=1e-6)
    assert math.isclose(slope, printed * step * math.exp(step), rel_tol=1e-6)


def test_neighbour_products_are_summed():
    """sahbi2008cdk, Section 3.1: 0 <= g <= 1 and three neighbouring points each give A = 4."""
    g = np.ones((3, 3)) - np.eye(3)
    a = max(np.outer(g[i], g[j]).sum() for i, j in itertools.product(range(3), repeat=2))
    assert a == 4


def test_reward_is_scaled_once():
    """sakuma2008pprl, Eq. 5: with the exponent alpha K L the reward is scaled by L twice."""
    scale, k, alpha, gamma = 1000, 100, 0.1, 0.9
    rewards, now, after = (3, 4), 50_000, 60_000
    wanted = k * alpha * (scale * sum(rewards) + gamma * after - now)
    # Powers of a cipher multiply what it holds; products add.
    rest = after * alpha * gamma * k - now * alpha * k
    printed = sum(scale * r * alpha * k * scale for r in rewards) + rest
    right = sum(scale * r * alpha * k for r in rewards) + rest
    assert math.isclose(right, wanted, rel_tol=1e-9)
    assert printed > 100 * wanted


def energies(rng, d, m):
    """Return the energies of salakhutdinov2008ais, Eq. 1, of all states, and the parameters."""
    w, b, a = rng.normal(size=(d, m)), rng.normal(size=d), rng.normal(size=m)
    v = np.array(list(itertools.product([0, 1], repeat=d)))
    h = np.array(list(itertools.product([0, 1], repeat=m)))
    return -(v @ w @ h.T) - (v @ b)[:, None] - h @ a, v, (w, b, a)


def test_intermediate_distribution_has_minus_the_energy():
    """salakhutdinov2008ais, Section 3.2: the product form is the sum of exp of minus energies."""
    rng = np.random.default_rng(11)
    (first, v, one), (second, _, two) = energies(rng, 3, 2), energies(rng, 3, 4)
    beta = 0.3
    product = np.ones(len(v))
    for share, (w, b, a) in ((1 - beta, one), (beta, two)):
        product *= np.exp(share * v @ b) * np.prod(1 + np.exp(share * (v @ w + a)), axis=1)

    def summed(sign):
        parts = [np.exp(sign * (1 - beta) * first), np.exp(sign * beta * second)]
        return parts[0].sum(axis=1) * parts[1].sum(axis=1)

    assert np.allclose(summed(-1), product, rtol=1e-9)
    assert not np.allclose(summed(1), product, rtol=1e-1)


def test_base_rate_counts_hidden_biases():
    """salakhutdinov2008ais, Eq. 18: 2^M is the factor of zero hidden biases only."""
    rng = np.random.default_rng(12)
    energy, v, (w, b, a) = energies(rng, 3, 2)
    # Without weights.
    energy = energy + v @ w @ np.array(list(itertools.product([0, 1], repeat=2))).T
    z, visible = np.exp(-energy).sum(), np.prod(1 + np.exp(b))
    assert math.isclose(z, np.prod(1 + np.exp(a)) * visible, rel_tol=1e-9)
    assert not math.isclose(z, 2 ** len(a) * visible, rel_tol=1e-2)


def test_scatter_of_the_posterior_is_centred():
    """salakhutdinov2008bpmf, after Eq. 14: with the raw second moment the mean counts twice."""
    rng = np.random.default_rng(13)
    d, n, beta, nu, mu0 = 2, 6, 2.0, 4.0, np.array([0.5, -0.3])
    u = rng.normal(size=(n, d)) + 1
    mean = u.mean(axis=0)
    shift = beta * n / (beta + n) * np.outer(mu0 - mean, mu0 - mean)
    centred = (u - mean).T @ (u - mean)

    def log_joint(mu, precision):
        root = np.linalg.inv(precision)
        return (
            stats.multivariate_normal(mu, root).logpdf(u).sum()
            + stats.multivariate_normal(mu0, root / beta).logpdf(mu)
            + stats.wishart(nu, np.eye(d)).logpdf(precision)
        )

    def log_posterior(mu, precision, scatter):
        scale = np.linalg.inv(np.eye(d) + scatter + shift)
        at = (beta * mu0 + n * mean) / (beta + n)
        root = np.linalg.inv(precision) / (beta + n)
        return stats.multivariate_normal(at, root).logpdf(mu) + stats.wishart(
            nu + n, (scale + scale.T) / 2
        ).logpdf(precision)

    places = [
        (rng.normal(size=d), stats.wishart(5, np.eye(d)).rvs(random_state=s)) for s in (1, 2, 3)
    ]

    def spread(scatter):
        return np.ptp([log_joint(*at) - log_posterior(*at, scatter) for at in places])

    assert spread(centred) < 1e-6
    assert spread(u.T @ u) > 0.1
