"""Errata of the papers on pages 1 to 319 that a small computation settles, in order of pages."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import integrate, optimize, special, stats


def positive_definite(rng, size):
    """Return a random symmetric matrix with positive eigenvalues."""
    root = rng.normal(size=(size, size))
    return root @ root.T + 0.1 * np.eye(size)


def test_mixture_needs_its_weight():
    """adams2008product, Section 5: a sum of S normal densities integrates to S, not to 1."""
    rng = np.random.default_rng(0)
    f, g = rng.normal(size=20), rng.normal(scale=0.3, size=20)
    y = np.linspace(-40, 40, 4001)
    total = stats.norm.pdf(y[:, None], f * np.exp(g), np.exp(g)).sum(axis=1)
    assert math.isclose(integrate.trapezoid(total, y), 20, rel_tol=1e-6)


def test_nodes_are_mapped_by_the_cholesky_factor():
    """adams2008product, Section 4.1.2: nodes m + L z have the covariance S = L L'."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(5)
    lattice = np.array(list(itertools.product(nodes, repeat=2)))
    weights = np.outer(weights, weights).ravel() / (2 * math.pi)
    covariance = positive_definite(np.random.default_rng(0), 2)
    root = np.linalg.cholesky(covariance)

    def spread(factor):
        mapped = lattice @ factor.T
        return (weights[:, None] * mapped).T @ mapped

    assert np.allclose(spread(root), covariance, rtol=1e-9)
    assert not np.allclose(spread(np.linalg.inv(root)), covariance, rtol=0.1)


def test_site_constant_has_the_tilted_determinant():
    """adams2008product, Section 4.1.1: cavity times site is Z-hat times the tilted normal."""
    rng = np.random.default_rng(1)
    cavity, site = positive_definite(rng, 2), positive_definite(rng, 2)
    m_cavity, m_site, point = rng.normal(size=(3, 2))
    tilted = np.linalg.inv(np.linalg.inv(cavity) + np.linalg.inv(site))
    m_tilted = tilted @ (np.linalg.solve(cavity, m_cavity) + np.linalg.solve(site, m_site))

    def half_square(at, covariance):
        return at @ np.linalg.solve(covariance, at) / 2

    def site_log_constant(determinant_of):
        """Return ln Z-tilde as printed, but for ln Z-hat, with -1/2 ln|determinant_of|."""
        return (
            (np.linalg.slogdet(cavity)[1] - np.linalg.slogdet(determinant_of)[1]) / 2
            + half_square(m_site, site)
            + half_square(m_cavity, cavity)
            - half_square(m_tilted, tilted)
        )

    needed = (
        stats.multivariate_normal(m_tilted, tilted).logpdf(point)
        - stats.multivariate_normal(m_cavity, cavity).logpdf(point)
        + half_square(point - m_site, site)
    )
    assert math.isclose(site_log_constant(tilted), needed, rel_tol=1e-9)
    assert not math.isclose(site_log_constant(site), needed, rel_tol=1e-2)


def test_training_set_is_smaller_than_half_of_the_essential_proteins():
    """allauzen2008essentiality, Section 2.3: 8.3 % of 4728 proteins, 20.4 % of them essential."""
    training, essential = round(0.083 * 4728), round(0.204 * 4728)
    assert (training, essential) == (392, 965)
    assert training < essential // 2


def test_joint_kernel_of_normalised_kernels_is_not_the_product_form():
    """allauzen2008essentiality, Eq. 9: normalised kernels give each domain the value 1 at x = y."""
    rng = np.random.default_rng(0)
    counts, domains = rng.integers(1, 5, size=(2, 6)), rng.integers(1, 5, size=(4, 6))
    each = np.einsum("xz,iz,yz->ixy", counts, domains**2, counts).astype(float)
    root = np.sqrt(np.einsum("ixx->ix", each))
    normalised = each / (root[:, :, None] * root[:, None, :])
    assert np.allclose(np.diag(normalised.sum(axis=0)), len(domains))
    # As in the second line of Eq. 9: another kernel, even after it is normalised itself.
    printed = each.sum(axis=0)
    at_last = printed[0, 1] / math.sqrt(printed[0, 0] * printed[1, 1])
    assert not math.isclose(normalised.sum(axis=0)[0, 1] / len(domains), at_last, rel_tol=1e-3)


@pytest.mark.parametrize("of", ["covariance", "precision"])
def test_wishart_on_a_covariance_is_not_conjugate(of):
    """an2008hksbp, Section 4: in one dimension a Wishart is a + b log s + c s; so must be its sum
    with the log-likelihood of normal numbers, whose mean is integrated out."""
    data = np.array([0.3, -1.0, 2.0, 0.7])
    grid = np.linspace(0.2, 5, 50)
    spread = np.eye(4) + np.ones((4, 4))
    likelihood = [
        stats.multivariate_normal(cov=spread * (s if of == "covariance" else 1 / s)).logpdf(data)
        for s in grid
    ]
    family = np.column_stack([np.ones_like(grid), np.log(grid), grid])
    off = np.ptp(likelihood - family @ np.linalg.lstsq(family, likelihood)[0])
    assert off < 1e-9 if of == "precision" else off > 0.1


def test_log_prior_is_subtracted_and_halved():
    """bickel2008hiv, Optimization Problem 1: + v' S^-1 v is no log prior and has no maximum."""
    rng = np.random.default_rng(0)
    covariance = positive_definite(rng, 3)
    prior = stats.multivariate_normal(cov=covariance)
    v = rng.normal(size=3)
    square = v @ np.linalg.solve(covariance, v)
    assert math.isclose(prior.logpdf(v) - prior.logpdf(np.zeros(3)), -square / 2, rel_tol=1e-9)
    # The soft-max ignores a constant added to the scores of all tasks.
    scores = rng.normal(size=3)
    values = [
        special.log_softmax(scores + c)[0] + (scores + c) @ np.linalg.solve(covariance, scores + c)
        for c in (0, 1e2, 1e4, 1e6)
    ]
    assert all(later > earlier + 1 for earlier, later in itertools.pairwise(values))


def test_scale_must_come_from_the_new_vector():
    """biggs2008r1d, Algorithm 2: on a rank-one matrix one pass ends, with line 12 of u-bar."""
    rng = np.random.default_rng(0)
    matrix = np.outer(rng.random(6) + 1, rng.random(4) + 1)
    start = matrix[:, np.argmax(np.linalg.norm(matrix, axis=0))]
    u = start / np.linalg.norm(start)
    v = matrix.T @ u
    v /= np.linalg.norm(v)
    new = matrix @ v
    printed, mended = np.linalg.norm(u), np.linalg.norm(new)
    assert math.isclose(printed, 1, rel_tol=1e-12)
    assert not math.isclose(np.linalg.norm(new / printed), 1, rel_tol=0.1)
    assert np.allclose(mended * np.outer(new / mended, v), matrix, rtol=1e-9)


@pytest.mark.parametrize(
    ("bias", "deviation", "rounded", "summary"),
    [(3, 11350, 359, 358), (103, 12862, 420, 419), (218, 10029, 385, 384), (244, 10045, 401, 400)],
)
def test_summaries_are_truncated(bias, deviation, rounded, summary):
    """bowling2008strategy, Tables 1 to 4: one error, rounded there and truncated here."""
    error = math.sqrt(bias**2 + deviation**2 / 1000)
    assert (round(error), math.floor(error)) == (rounded, summary)


def normal_gamma_density(beta, alpha, gamma):
    """Return the density at beta of a normal whose variance is Gamma(alpha, gamma^2 / 2)."""
    rate = gamma**2 / 2

    def joint(s):
        normal = math.exp(-(beta**2) / (2 * s)) / math.sqrt(2 * math.pi * s)
        return normal * rate**alpha * s ** (alpha - 1) * math.exp(-rate * s) / math.gamma(alpha)

    return integrate.quad(joint, 0, np.inf)[0]


def test_listed_penalties_are_minus_log_priors():
    """caron2008sparse, Table 1: NG for N = 1, and Lasso, are -log p up to a constant."""
    alpha, gamma, (first, second) = 1.3, 2.0, (0.4, 1.5)

    def listed(u):
        return (0.5 - alpha) * math.log(u) - math.log(special.kv(alpha - 0.5, gamma * u))

    change = math.log(normal_gamma_density(second, alpha, gamma)) - math.log(
        normal_gamma_density(first, alpha, gamma)
    )
    assert math.isclose(listed(second) - listed(first), -change, rel_tol=1e-6)
    laplace = stats.laplace(scale=1 / gamma).logpdf
    assert math.isclose(gamma * (second - first), laplace(first) - laplace(second), rel_tol=1e-9)


def test_gibbs_normaliser_has_half_of_gamma_squared():
    """caron2008sparse, Section 4.2: the printed normaliser is that of gamma^2 s / 2."""
    order, u, gamma = 0.3, 0.8, 1.7
    printed = 2 * (u / gamma) ** order * special.kv(order, gamma * u)

    def total(rate):
        return integrate.quad(
            lambda s: s ** (order - 1) * math.exp(-(u**2) / (2 * s) - rate * s), 0, np.inf
        )[0]

    assert math.isclose(total(gamma**2 / 2), printed, rel_tol=1e-6)
    assert not math.isclose(total(gamma), printed, rel_tol=1e-2)


def test_adult_support_vectors_differ_by_more_than_two_percent():
    """catanzaro2008gpusvm, Table 5: the other five sets do differ by less."""
    numbers = {
        "Adult": (18674, 19058),
        "Web": (35220, 35232),
        "MNIST": (43730, 43756),
        "USPS": (684, 684),
        "Forest": (270351, 270311),
        "Face": (3313, 3322),
    }
    above = [
        name
        for name, (ours, libsvm) in numbers.items()
        if Fraction(abs(ours - libsvm), libsvm) >= Fraction(2, 100)
    ]
    assert above == ["Adult"]


def test_a_node_may_be_ignored_if_eq_1_fails():
    """cayton2008bbtree, Eq. 1: where it holds the ball may have the nearest neighbour."""
    rng = np.random.default_rng(0)
    for _ in range(200):
        query, candidate, centre = rng.normal(size=(3, 2)) * 2
        offsets = rng.normal(size=(5, 2))
        points = centre + offsets
        radius = np.linalg.norm(offsets, axis=1).max()
        to_ball = max(0.0, np.linalg.norm(query - centre) - radius)
        nearest = np.linalg.norm(points - query, axis=1).min()
        if np.linalg.norm(candidate - query) <= to_ball:
            assert nearest >= np.linalg.norm(candidate - query)
    # Candidate at 2, ball around 1 of radius 1/2 with a point at 1, query at 0: Eq. 1 holds.
    assert 2.0 > 1 - 0.5
    assert abs(1 - 0) < 2.0


def ball_and_query():
    """Return query, centre and R of a ball |x - centre|^2 / 2 <= R, and the place of its nearest
    point on the way from the query (0) to the centre (1)."""
    query, centre, bound = np.array([3.0, 0.0]), np.array([0.0, 0.0]), 0.5
    found = optimize.brentq(
        lambda t: np.sum((t * centre + (1 - t) * query - centre) ** 2) / 2 - bound, 0, 1
    )
    return query, centre, bound, found


def test_projection_on_a_ball_needs_one_minus():
    """cayton2008bbtree, Section 4: t = 1 - sqrt(2 R) / |q - m|."""
    query, centre, bound, found = ball_and_query()
    printed = math.sqrt(2 * bound) / np.linalg.norm(query - centre)
    assert math.isclose(1 - printed, found, rel_tol=1e-9)
    assert not math.isclose(printed, found, rel_tol=0.1)


def test_bisection_goes_right_outside_the_ball():
    """cayton2008bbtree, Algorithm 1: the printed branches lead away from the ball's boundary."""
    query, centre, bound, found = ball_and_query()

    def bisect(outside_goes_right):
        left, right = 0.0, 1.0
        for _ in range(40):
            middle = (left + right) / 2
            outside = np.sum((1 - middle) ** 2 * (query - centre) ** 2) / 2 > bound
            left, right = (middle, right) if outside == outside_goes_right else (left, middle)
        return left

    assert math.isclose(bisect(True), found, abs_tol=1e-9)
    assert abs(bisect(False) - found) > 0.5


def test_mixing_weights_must_not_be_negative():
    """chen2008indefinite, Eqs. 25 to 28: without the sign there is no minimum over the weights."""
    t = np.array([0.3, 1.0, 2.0])
    signed, free = (
        optimize.linprog(t, A_eq=np.ones((1, 3)), b_eq=[1], bounds=ends)
        for ends in ((0, None), (None, None))
    )
    assert math.isclose(signed.fun, t.min(), rel_tol=1e-9)
    assert free.status == 3  # unbounded


def test_minimiser_of_p1_has_the_inverse_root():
    """coleman2008advice, Section 2.2: v = D^(-1/2) u fulfils and solves P1, D^(1/2) u does not."""
    affinity = np.random.default_rng(0).random((6, 6)) ** 4
    affinity = np.triu(affinity, 1) + np.triu(affinity, 1).T
    degrees = affinity.sum(axis=0)
    laplacian = np.diag(degrees) - affinity
    values, vectors = np.linalg.eigh(laplacian / np.sqrt(np.outer(degrees, degrees)))
    u = vectors[:, 1]
    v = u / np.sqrt(degrees)
    assert abs(degrees @ v) < 1e-9
    assert math.isclose(v @ laplacian @ v / (degrees @ v**2), values[1], rel_tol=1e-9)
    assert abs(degrees @ (u * np.sqrt(degrees))) > 1e-2


def test_stability_bound_needs_both_ends_of_the_spectrum():
    """cortes2008transductive, Proposition 1, first term, for h = (C^-1 Q + I)^-1 y."""

    def stretch(q, c):
        return np.linalg.norm(np.linalg.inv(np.diag(1 / c) @ q + np.eye(len(c))), 2)

    q, c = np.eye(2), np.array([1.0, 100.0])
    assert stretch(q, c) > 0.99 > 1 / (1 / c.min() + 1) == 0.5
    rng = np.random.default_rng(0)
    ratios = []
    for _ in range(100):
        q, c = positive_definite(rng, 3), 10 ** rng.uniform(-2, 2, 3)
        mended = 1 / (np.linalg.eigvalsh(q)[0] / c.max() + 1)
        ratios.append(stretch(q, c) / mended)
        assert stretch(q, c) <= math.sqrt(c.max() / c.min()) * mended * (1 + 1e-9)
    # The eigenvalues alone do not bound a matrix that is not symmetric.
    assert max(ratios) > 1.5


def test_spectral_norm_of_two_exchanged_weights_has_no_root():
    """cortes2008transductive, Section 5.1: C and C' differ at two points, up and down alike."""
    low, high = 0.5, 4.0
    change = np.diag([1 / low - 1 / high, 0, 1 / high - 1 / low])
    assert math.isclose(np.linalg.norm(change, 2), 1 / low - 1 / high, rel_tol=1e-12)
    assert math.isclose(
        np.linalg.norm(change, "fro"), math.sqrt(2) * (1 / low - 1 / high), rel_tol=1e-12
    )


def test_local_weights_that_are_not_symmetric_give_large_eigenvalues():
    """cortes2008transductive, Section 5.1: Q = (I - A)'(I - A), the rows of A sum to 1."""
    n = 9
    a = np.zeros((n, n))
    a[:, 0] = 1
    q = (np.eye(n) - a).T @ (np.eye(n) - a)
    assert abs(np.linalg.eigvals(a)).max() <= 1
    assert math.isclose(np.linalg.eigvalsh(q)[-1], n, rel_tol=1e-12)


def one_class_objective(prior, distortion, size):
    """Return crammer2008rate's Eq. 9 for the first instances in the class, for beta = 1."""
    inside, outside = slice(size), slice(size, None)
    total, rest = prior[inside].sum(), 1 - np.exp(-distortion[outside]).sum()
    entropy = -prior @ np.log(prior)
    scores = prior[inside] @ (np.log(prior[inside]) + distortion[inside])
    return entropy + scores - total * math.log(total) + total * math.log(rest)


def test_recursion_drops_the_last_instance():
    """crammer2008rate, Eq. 10: from k to k - 1 the class loses x_k, not x_(k-1)."""
    rng = np.random.default_rng(0)
    prior, distortion = rng.dirichlet(np.ones(5)), 3 + rng.random(5)
    k = 4
    p = [prior[:j].sum() for j in (k - 1, k)]
    a = [1 - np.exp(-distortion[j:]).sum() for j in (k - 1, k)]

    def recursion(dropped):
        """Return Eq. 10; instances are counted from 1."""
        i = dropped - 1
        return (
            one_class_objective(prior, distortion, k)
            - prior[i] * (distortion[i] + math.log(prior[i]))
            + p[1] * math.log(p[1] / a[1])
            - p[0] * math.log(p[0] / a[0])
        )

    wanted = one_class_objective(prior, distortion, k - 1)
    assert math.isclose(recursion(k), wanted, rel_tol=1e-9)
    assert not math.isclose(recursion(k - 1), wanted, rel_tol=1e-3)


def test_stationarity_has_no_second_prior():
    """crammer2008rate, Section 2: the derivative of Eq. 3 by finite differences."""
    rng = np.random.default_rng(1)
    prior, distortion, q, beta = rng.dirichlet(np.ones(4)), rng.random(4), rng.random(4), 2.0

    def objective(q):
        rate = q * np.log(q / (prior @ q)) - (1 - q) * np.log(prior)
        return prior @ (rate + beta * q * distortion)

    slope = optimize.approx_fprime(q, objective, 1e-7)
    common = np.log(q / (prior @ q)) + np.log(prior)
    assert np.allclose(slope, prior * (common + beta * distortion), atol=1e-5)
    assert not np.allclose(slope, prior * (common + beta * prior * distortion), atol=1e-2)


def test_last_term_of_the_mutual_information_is_one_over_p():
    """crammer2008rate, Section 2: codes 0 and x, by the definition of the mutual information."""
    rng = np.random.default_rng(2)
    prior, q = rng.dirichlet(np.ones(4)), rng.random(4)
    joint = np.column_stack([prior * q, np.diag(prior * (1 - q))])
    independent = np.outer(prior, joint.sum(axis=0))
    positive = joint > 0
    wanted = np.sum(joint[positive] * np.log(joint[positive] / independent[positive]))
    first = prior @ (q * np.log(q / (prior @ q)))
    assert math.isclose(first - prior * (1 - q) @ np.log(prior), wanted, rel_tol=1e-9)
    # As printed q(x|x) / (q(x) p(x)), where q(x) = p(x) q(x|x).
    assert not math.isclose(first - prior * (1 - q) @ np.log(prior**2), wanted, rel_tol=1e-2)


def test_first_event_has_no_diagonal_term():
    """cunningham2008intensity, Eq. 5: for gamma = 1 the likelihood of Eq. 3, events 0, 2 and 4."""
    events, x = [0, 2, 4], np.array([0.5, 1.0, 2.0, 1.5, 0.7])

    def loss(x):
        pairs = itertools.pairwise(events)
        return sum(x[before:after].sum() - math.log(x[after]) for before, after in pairs)

    step = 1e-4
    second = [
        (loss(x + step * e) - 2 * loss(x) + loss(x - step * e)) / step**2 for e in np.eye(len(x))
    ]
    # Rounding over the squared step is about 1e-7.
    assert np.allclose(second, [0, 0, x[2] ** -2, 0, x[4] ** -2], atol=1e-5)


def clustered(joint, rows, columns, shape):
    """Return the sums of a joint distribution over clusters of rows and of columns."""
    sums = np.zeros(shape)
    np.add.at(sums, (rows[:, None], columns), joint)
    return sums


def rows_given(sums, columns, marginal):
    """Return, for each cluster of rows, dai2008selftaught's approximate p(column | cluster)."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return sums[:, columns] / sums.sum(axis=1)[:, None] * (marginal / sums.sum(axis=0)[columns])


def divergences(joint, conditionals):
    """Return p(row) D(p(. | row) || conditional) of each row and each conditional."""
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = joint[:, None] / joint.sum(axis=1)[:, None, None] / conditionals
        found = np.sum(joint[:, None] * np.log(ratio), axis=2)
    return np.where(np.isfinite(found), found, np.inf)


def self_taught_pass(p, q, x, y, z, anew):
    """Return the clusters after one pass of Algorithm 1, and the objective, lambda = 1.

    With ``anew`` the approximations are made of the newest clusters before each update.
    """

    def sums(x, y, z):
        return clustered(p, x, z, (2, 3)), clustered(q, y, z, (2, 3))

    old, (of_p, of_q) = (x, y), sums(x, y, z)
    x = divergences(p, rows_given(of_p, z, p.sum(axis=0))).argmin(axis=1)
    y = divergences(q, rows_given(of_q, z, q.sum(axis=0))).argmin(axis=1)
    if anew:
        old, (of_p, of_q) = (x, y), sums(x, y, z)
    of_z = divergences(p.T, rows_given(of_p.T, old[0], p.sum(axis=1)))
    of_z += divergences(q.T, rows_given(of_q.T, old[1], q.sum(axis=1)))
    z = of_z.argmin(axis=1)
    return x, y, z, self_taught_objective(p, q, x, y, z)


def self_taught_objective(p, q, x, y, z):
    """Return dai2008selftaught's Eq. 17, lambda = 1."""
    return sum(
        divergences(joint, rows_given(clustered(joint, rows, z, (2, 3)), z, joint.sum(axis=0)))[
            np.arange(len(rows)), rows
        ].sum()
        for joint, rows in ((p, x), (q, y))
    )


def test_updates_from_one_approximation_may_ascend():
    """dai2008selftaught, Theorem 1: descent needs approximations computed anew."""
    ascents = {False: 0, True: 0}
    for seed in range(40):
        rng = np.random.default_rng(seed)
        p, q = rng.dirichlet(np.full(24, 0.5), size=2).reshape(2, 4, 6)
        x, y = rng.permutation([0, 0, 1, 1]), rng.permutation([0, 0, 1, 1])
        z = rng.permutation([0, 0, 1, 1, 2, 2])
        before = self_taught_objective(p, q, x, y, z)
        for anew in ascents:
            ascents[anew] += self_taught_pass(p, q, x, y, z, anew)[-1] > before + 1e-9
    assert ascents == {False: 2, True: 0}


def test_rule_two_never_selects_an_unseen_cluster():
    """dasgupta2008hierarchical, Sections 3.2 and 3.4: one pure cluster seen often, one unseen."""

    def bounds(share, seen, log_term=5.0):
        """Return the interval of Lemma 1, within 0 and 1."""
        if not seen:
            return 0.0, 1.0
        width = 5 / seen * log_term + math.sqrt(4.5 * share * (1 - share) / seen * log_term)
        return max(share - width, 0.0), min(share + width, 1.0)

    (pure_low, pure_high), (_, unseen_high) = bounds(1.0, 500), bounds(0.5, 0)
    assert (1 - pure_high, 1 - unseen_high) == (0, 0)  # rule 2: both weights vanish
    assert 1 - pure_low < 0.1  # the rule of Section 3.4, where the unseen cluster has weight 1
    # A cluster found impure is selected by rule 2, a cluster not seen is not.
    assert 1 - bounds(0.5, 500)[1] > 0.3


def test_rules_descend_where_the_derivative_is_negative():
    """dembczynski2008mlrules, Eq. 11: the loss falls along the class with l' < 0 alone."""
    scores, label = np.array([0.4, -0.3, 0.1]), 1
    derivative = special.softmax(scores) - np.eye(3)[label]
    chosen = [int(np.argmin(sign * derivative)) for sign in (-1, 1)]  # as printed; without minus

    def loss(k):
        return -special.log_softmax(scores + 0.1 * np.eye(3)[k])[label]

    start = -special.log_softmax(scores)[label]
    assert loss(chosen[0]) > start > loss(chosen[1])
    assert chosen[1] == label


def test_dual_of_ridge_regression_has_minus():
    """dick2008infinite, Section 5.1: only - c' K c / (4 eta) reaches the primal optimum."""
    rng = np.random.default_rng(0)
    kernel, y, eta = positive_definite(rng, 4), rng.normal(size=4), 0.3
    fitted = kernel @ np.linalg.solve(kernel + eta * np.eye(4), y)
    primal = np.sum((y - fitted) ** 2) + eta * fitted @ np.linalg.solve(kernel, fitted)
    c = 2 * np.linalg.solve(np.eye(4) + kernel / eta, y)
    dual = c @ y - c @ c / 4 - c @ kernel @ c / (4 * eta)
    assert math.isclose(dual, primal, rel_tol=1e-9)
    # With plus it is not concave here: no maximum.
    assert np.linalg.eigvalsh(kernel / eta - np.eye(4))[-1] > 0


def test_objects_have_places_to_the_power_of_their_number():
    """diuk2008objectoriented, Section 6.2: counted for 3 objects in 2 x 2 places."""
    states = set(itertools.product(itertools.product(range(2), range(2)), repeat=3))
    assert len(states) == (2 * 2) ** 3 != 3 ** (2 * 2)


def test_norm_of_a_sum_is_below_the_sum_of_norms():
    """donmez2008lossreduction, Eq. 8: two opposite derivatives cancel."""
    derivatives = np.array([[1.0, 2.0], [-1.0, -2.0]])
    assert np.linalg.norm(derivatives.sum(axis=0)) == 0
    assert np.linalg.norm(derivatives, axis=1).sum() > 4


def test_belief_goes_with_the_transition():
    """doshi2008bayesrisk, Eq. 1: Bayes' rule on all pairs of states, 3 states, one action."""
    rng = np.random.default_rng(0)
    transition = rng.dirichlet(np.ones(3), size=3)  # from row to column
    seen, belief = rng.random(3), rng.dirichlet(np.ones(3))
    joint = belief[:, None] * transition * seen
    wanted = joint.sum(axis=0) / joint.sum()
    chance = seen @ (transition.T @ belief)
    assert np.allclose(seen * (transition.T @ belief) / chance, wanted)
    printed = seen * (transition @ belief) / chance
    assert not np.allclose(printed, wanted, rtol=0.05)
    assert not math.isclose(printed.sum(), 1, rel_tol=1e-2)


@pytest.mark.parametrize("delta", [0.01, 0.05, 0.2])
def test_misclassified_beliefs_are_twice_delta(delta):
    """doshi2008bayesrisk, Eq. 19: footnote 4's number of beliefs suits a share of 2 delta."""
    beliefs = math.ceil(3 / delta * math.log(1 / delta))
    assert stats.binom.sf(2 * delta * beliefs, beliefs, delta) < delta
    assert 1 - 2 * (1 - delta) < 0 < 1 - 2 * delta


def projection_on_simplex(v, z):
    """Return the nearest point of the simplex of sum z, by bisection for its shift."""
    shift = optimize.brentq(lambda t: np.maximum(v - t, 0).sum() - z, v.min() - z, v.max())
    return np.maximum(v - shift, 0)


def test_an_element_reaches_the_pivot_below_the_bound():
    """duchi2008projections, Eq. 11: elements that stay positive have sum < count v + z."""
    rng = np.random.default_rng(0)
    for _ in range(50):
        v = rng.normal(size=8)
        kept = projection_on_simplex(v, 1.0) > 1e-9
        below = np.array([v[v >= one].sum() < np.sum(v >= one) * one + 1.0 for one in v])
        assert np.array_equal(kept, below)


def test_nonzero_components_are_not_the_positive_inputs():
    """duchi2008projections, Section 3: all v are positive, one w is."""
    v = np.array([3.0, 2.0, 1.0])
    assert np.allclose(projection_on_simplex(v, 0.5), [0.5, 0, 0])
    assert (v > 0).all()


def test_direction_is_zero_outside_the_row_of_the_state():
    """epshteyn2008active, Lemma 5.1: the derivative of the values by finite differences."""
    rng = np.random.default_rng(0)
    transition, reward, discount = rng.dirichlet(np.ones(3), size=3), rng.normal(size=3), 0.9
    state, towards, last = 0, 1, 2  # the probability of the last successor is the rest

    def values(change):
        moved = transition.copy()
        moved[state, [towards, last]] += [change, -change]
        return np.linalg.solve(np.eye(3) - discount * moved, reward)

    slope = (values(1e-6) - values(-1e-6)) / 2e-6
    printed = np.tile([0, 1, -1], (3, 1))
    mended = printed * (np.arange(3) == state)[:, None]

    def derivative(direction):
        return discount * np.linalg.solve(
            np.eye(3) - discount * transition, direction @ values(0.0)
        )

    assert np.allclose(derivative(mended), slope, rtol=1e-5)
    assert not np.allclose(derivative(printed), slope, rtol=0.1)


def test_loss_has_its_factor_outside_the_norm():
    """finley2008intractable, Section 2.2: as printed a perfect labelling has a loss."""
    truth, guess = np.array([1, 1, 0, 0]), np.array([1, 0, 0, 1])
    wrong = 100 * np.mean(truth != guess)
    assert 100 * np.count_nonzero(truth - guess) / 4 == wrong == 50
    assert np.count_nonzero(100 * truth - guess) / 4 != wrong
    assert np.count_nonzero(100 * truth - truth) / 4 > 0
