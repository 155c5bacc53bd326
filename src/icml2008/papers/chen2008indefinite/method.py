"""The max-min SVM of Eq. 2: by the paper's cutting planes, and by following its gradient.

K0, (N, N), is of the samples to train on and of others; `train` are the indices of the former, y
their labels, -1 or 1, and v is y times alpha there and 0 elsewhere.
"""

import numpy as np


def positive_part(A):
    """Return the positive part of a symmetric matrix, as below Eq. 9."""
    values, vectors = np.linalg.eigh(A)
    keep = values > 0
    return (vectors[:, keep] * values[keep]) @ vectors[:, keep].T


def worst_kernel(K0, v, rho):
    """Return the K that minimises S(alpha, K), Eq. 9, and rho times its squared distance to K0."""
    K = positive_part(K0 + np.multiply.outer(v, v) / (4 * rho))
    return K, rho * np.sum((K - K0) ** 2)


def violation(gradient, alpha, y, C):
    """Return LIBSVM's m - M at an alpha with that gradient, and their middle, the intercept."""
    place = y * gradient
    high = np.max(place[np.where(y > 0, alpha < C, alpha > 0)], initial=-np.inf)
    low = np.min(place[np.where(y > 0, alpha > 0, alpha < C)], initial=np.inf)
    return high - low, (high + low) / 2


def interior(y, C):
    """Return an alpha strictly between its bounds with alpha'y = 0."""
    return C * np.where(y > 0, np.mean(y < 0), np.mean(y > 0))


def master(kernels, penalties, y, C, gap=1e-12, wrong=1e-9):
    """Return alpha, t, the slacks S - t and the weights theta that solve Eq. 7.

    kernels, (p, n, n), are Y K Y, and penalties, (p,), rho times their squared distances to K0.
    theta are the multipliers of the constraints, in Theorem 5.1 the weights of the kernels. A
    primal-dual interior-point method to a complementarity of `gap` and a residual of `wrong`,
    both relative to t. The former leaves a slack of its share over theta: at 1e-9 an active
    constraint of small weight would seem to have slack.
    """

    def constraints(alpha):
        rows = kernels @ alpha
        return alpha.sum() - rows @ alpha / 2 + penalties, 1 - rows

    alpha = interior(y, C)
    theta = np.full(len(kernels), 1 / len(kernels))
    nu = 0.0
    values, G = constraints(alpha)
    t = values.min() - max(1.0, np.abs(values).max())
    slack = values - t
    low = np.ones(len(y))
    high = np.ones(len(y))
    shrink = 0.1
    for _ in range(100):
        room = C - alpha
        off = values - t - slack
        total = theta @ slack + low @ alpha + high @ room
        residual = max(np.abs(off).max(), np.abs(theta @ G + low - high - nu * y).max())
        scale = max(1.0, abs(t))
        if total <= gap * scale and residual <= wrong * scale:
            return alpha, t, values - t, theta
        mu = shrink * max(total, gap * scale) / (len(theta) + 2 * len(y))
        d = theta / slack
        M = np.tensordot(theta, kernels, 1) + (G.T * d) @ G
        M[np.diag_indices_from(M)] += low / alpha + high / room
        # Unknown are the changes of alpha, t and nu; those of the others follow.
        ahead = (mu / slack - d * off) @ G + mu / alpha - mu / room - nu * y
        first, second, third = np.linalg.solve(M, np.column_stack([ahead, d @ G, y])).T
        square = [[d.sum() - d @ G @ second, d @ G @ third], [y @ second, -y @ third]]
        right = [1 - np.sum(mu / slack) + d @ off + d @ G @ first, -y @ first]
        dt, dnu = np.linalg.solve(square, right)
        step = first + dt * second - dnu * third
        ahead = G @ step - dt + off
        changes = (
            (theta, mu / slack - theta - d * ahead),
            (slack, ahead),
            (low, mu / alpha - low - low / alpha * step),
            (high, mu / room - high + high / room * step),
            (alpha, step),
            (room, -step),
        )
        length = min(1.0, *(0.995 / max(np.max(-change / now), 1e-9) for now, change in changes))
        shrink = 0.1 if length > 0.5 else 0.5
        theta, slack, low, high, alpha, _ = (now + length * change for now, change in changes)
        (values, G) = constraints(alpha)
        t = t + length * dt
        nu = nu + length * dnu
    msg = f"100 steps leave a gap of {total:.1e} and a residual of {residual:.1e}"
    raise RuntimeError(msg)


def cutting_planes(K0, y, C, rho, prune, train, active=1e-6):
    """Yield the bounds of Eqs. 11 and 13, the number of kernels, alpha and its K by round.

    A constraint is active if its slack is at most `active`. Without pruning, the master problem is
    solved for those that were active and those that its solution violates, until there are none
    of the latter: that solves it for all.
    """
    v = np.zeros(len(K0))

    def signed(K):
        return K[np.ix_(train, train)] * np.multiply.outer(y, y)

    alpha, *_ = master(signed(positive_part(K0))[None], np.zeros(1), y, C)
    kernels = np.empty((16, len(y), len(y)))
    penalties = np.empty(16)
    used = np.arange(0)
    lower = -np.inf
    count = 0
    v[train] = y * alpha
    K, penalty = worst_kernel(K0, v, rho)
    while True:
        lower = max(lower, alpha.sum() - v @ K @ v / 2 + penalty)
        if prune:
            count = len(used)
            kernels[:count] = kernels[used]
            penalties[:count] = penalties[used]
            used = np.arange(count)
        if count == len(kernels):  # room for as many again
            kernels = np.concatenate([kernels, np.empty_like(kernels)])
            penalties = np.append(penalties, np.empty_like(penalties))
        kernels[count] = signed(K)
        penalties[count] = penalty
        used = np.append(used, count)
        count += 1
        while True:
            alpha, t, slack, _ = master(kernels[used], penalties[used], y, C)
            values = alpha.sum() - kernels[:count] @ alpha @ alpha / 2 + penalties[:count]
            broken = np.setdiff1d(np.flatnonzero(values < t), used)
            if not len(broken):
                break
            used = np.append(used, broken)
        v[train] = y * alpha
        K, penalty = worst_kernel(K0, v, rho)
        yield lower, t, count, alpha, K
        used = used[slack <= active]


def project(x, y, C):
    """Return the nearest alpha with 0 <= alpha <= C and alpha'y = 0.

    It is clip(x - nu y, 0, C); in nu, each of its terms of alpha'y falls over a stretch of C.
    """
    low = np.where(y > 0, x - C, -x)
    share = C * np.count_nonzero(y > 0)
    ends = np.concatenate([low, low + C])
    order = np.argsort(ends, kind="stable")
    ends = ends[order]
    falling = np.cumsum(np.where(order < len(y), 1, -1))
    fallen = np.concatenate([[0.0], np.cumsum(falling[:-1] * np.diff(ends))])
    at = max(np.searchsorted(fallen, share) - 1, 0)
    nu = ends[at] + (share - fallen[at]) / max(falling[at], 1)
    return np.clip(x - nu * y, 0, C)


class Saddle:
    """The same optimum on the spectrum of K0: the worst kernel is unique, so there is a gradient.

    It needs (A)_+ z alone, of A = diag(spectrum) + z z' / (4 rho). That is half of Az + |A|z, and
    |A|z the integral over s > 0 of 2/pi A Re (A - is)^-1 z, whose resolvent of a rank-one update is
    explicit; the trapezoidal rule over log s errs by 1e-8 of the largest eigenvalue.
    """

    def __init__(self, K0):
        self.values, self.vectors = np.linalg.eigh(K0)
        s = np.abs(self.values).max() * np.exp(np.arange(-20.5, 21, 0.5))
        self._weights = s / np.pi  # 2/pi times the rule's step, 1/2
        self._resolvents = 1 / (self.values - 1j * s[:, None])

    def positive(self, z, rho):
        """Return (A)_+ z."""
        factors = self._weights / (1 + self._resolvents @ z**2 / (4 * rho))
        both = z + z * (factors @ self._resolvents).real
        return (self.values * both + (z @ both) / (4 * rho) * z) / 2

    def solve(self, y, C, rho, train, tol=1e-3, most=5000):
        """Return alpha, the intercept and the decision values of all samples.

        Accelerated projected gradient steps, begun anew when they turn back, until the optimality
        conditions are violated by at most `tol`; RuntimeError if `most` steps do not do.
        """
        rows = self.vectors[train]

        def gradient(alpha):
            product = self.positive((y * alpha) @ rows, rho)
            return 1 - y * (rows @ product), product

        alpha = ahead = interior(y, C)
        momentum = 1.0
        length = 1 / self.values.max()
        slope, product = gradient(alpha)
        at = slope
        for _ in range(most):
            gap, intercept = violation(at, alpha, y, C)
            if gap <= tol:
                return alpha, intercept, self.vectors @ product + intercept
            while True:
                new = project(ahead + length * slope, y, C)
                at, product = gradient(new)
                change = new - ahead
                bend = slope - at
                if length * (bend @ bend) <= bend @ change or length < 1e-12:
                    break
                length /= 2
            step = new - alpha
            if change @ step < 0:
                momentum = 1.0
                ahead = new
                slope = at
            else:
                before = momentum
                momentum = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
                ahead = new + (before - 1) / momentum * step
                slope = gradient(ahead)[0]
            alpha = new
            length = 1.05 * length
        msg = f"after {most} steps the optimality conditions are violated by {gap:.1e}"
        raise RuntimeError(msg)
