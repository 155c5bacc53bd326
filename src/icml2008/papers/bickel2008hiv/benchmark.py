"""Time and memory of distribution matching at the size of the paper's data, against peers.

2608 examples with 82 binary features and a kernel exp(-|x - x'|^2 / 82), which has full rank; 545
tasks of long-tailed sizes. Processor time on one thread, so that other work
on the machine counts as little as possible; each measurement runs in a process of its own, for its
peak of memory.
"""

from __future__ import annotations

import multiprocessing
import resource
import time
import warnings

import matplotlib as mpl
import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.special import expit
from sklearn.linear_model import LogisticRegression
from sklearn.metrics.pairwise import rbf_kernel
from threadpoolctl import threadpool_limits

from icml2008.methods.multitask.baselines import (
    HierarchicalBayesLogistic,
    PooledLogistic,
    SeparateLogistic,
)
from icml2008.methods.multitask.logistic import weighted_logistic
from icml2008.methods.multitask.matching import DistributionMatching, resampling_weights
from icml2008.methods.multitask.softmax import task_posterior
from icml2008.methods.multitask.tasks import task_prior

EXAMPLES = 2608
FEATURES = 82
TASKS = 545
TOL = 1e-4
PACKAGES = ("numpy", "scipy", "scikit-learn")
COLUMNS = ("step", "method", "tasks", "sigma", "seconds", "peak_mib", "note")
REMARK = (
    f"{EXAMPLES} examples, {FEATURES} features, processor seconds; loops over "
    "tasks are extrapolated from a sample of tasks"
)
OURS = "together"
LOOP = "one by one, Newton"
PEER = "one by one, scikit-learn"


def data(n_tasks):
    """Binary features, tasks with 1 / rank frequencies, effects that are half the task's own."""
    rng = np.random.default_rng(0)
    frequency = 1 / np.arange(1, n_tasks + 1)
    rest = rng.choice(n_tasks, size=EXAMPLES - n_tasks, p=frequency / frequency.sum())
    task = np.append(np.arange(n_tasks), rest)
    X = (rng.random((EXAMPLES, FEATURES)) < rng.beta(0.5, 2, size=FEATURES)).astype(float)
    effects = 0.5 * (rng.normal(size=FEATURES) + rng.normal(size=(n_tasks, FEATURES)))
    score = np.sum(X * effects[task], axis=1) + 0.6 + rng.logistic(size=EXAMPLES)
    return X, np.where(score > 0, 1.0, -1.0), task


def gram_of(X):
    return rbf_kernel(X, gamma=1 / FEATURES)


def posterior_of(gram, y, task, n_tasks, sigma, tol=TOL):
    posterior = np.empty((len(y), n_tasks))
    for sign in (-1, 1):
        rows = np.flatnonzero(y == sign)
        posterior[rows], _ = task_posterior(
            gram[np.ix_(rows, rows)], task[rows], np.full(n_tasks, sigma**2), tol=tol
        )
    return posterior


def softmax_together(n_tasks, sigma):
    X, y, task = data(n_tasks)
    gram = gram_of(X)
    start = time.process_time()
    posterior_of(gram, y, task, n_tasks, sigma)
    return time.process_time() - start, ""


def softmax_by_scikit_learn(n_tasks, sigma, tol=TOL):
    """Multinomial logistic regression on features with the same inner products, per label."""
    X, y, task = data(n_tasks)
    gram = gram_of(X)
    seconds = 0.0
    gap = 0.0
    for sign in (-1, 1):
        rows = np.flatnonzero(y == sign)
        own = gram[np.ix_(rows, rows)]
        features = np.linalg.cholesky(own + 1e-10 * np.eye(len(rows)))
        start = time.process_time()
        # scikit-learn has no classes without examples: both fit the tasks that this label has
        seen, target = np.unique(task[rows], return_inverse=True)
        peer = LogisticRegression(C=sigma**2, fit_intercept=False, tol=tol, max_iter=2000)
        peer.fit(features, target)
        seconds += time.process_time() - start
        ours, _ = task_posterior(own, target, np.full(len(seen), sigma**2), tol=TOL)
        gap = max(gap, np.abs(ours - peer.predict_proba(features)).max())
    return seconds, f"posterior differs from ours by at most {gap:.0e}"


def softmax_by_scikit_learn_exactly(n_tasks, sigma):
    return softmax_by_scikit_learn(n_tasks, sigma, tol=1e-7)


def weighting(n_tasks, sigma):
    X, y, task = data(n_tasks)
    gram = gram_of(X)
    # a fit of low accuracy is enough to have weights of the right kind
    posterior = posterior_of(gram, y, task, n_tasks, sigma, tol=1e-1)
    prior = task_prior(np.bincount(task, minlength=n_tasks), 1.0)
    return gram, y, resampling_weights(posterior, prior).T.copy()


def models_together(n_tasks, sigma):
    gram, y, weights = weighting(n_tasks, sigma)
    start = time.process_time()
    pooled = weighted_logistic(gram, y, np.ones((len(y), 1)), sigma, tol=TOL)
    weighted_logistic(gram, y, weights, sigma, start=pooled, tol=TOL)
    return time.process_time() - start, ""


def newton(gram, y, weights, sigma):
    """Fit one weighted kernel logistic regression by Newton steps with Cholesky factors."""
    gram = sigma**2 * gram
    dual = np.zeros(len(y))
    scores = np.zeros(len(y))
    for _ in range(100):
        miss = expit(-y * scores)
        gradient = weights * y * miss - dual
        if np.sqrt(gradient @ gram @ gradient) <= TOL:
            break
        curvature = weights * miss * (1 - miss)
        root = np.sqrt(curvature)
        system = root[:, None] * gram * root
        system[np.diag_indices_from(system)] += 1
        target = curvature * scores + weights * y * miss
        factor = cho_factor(system, lower=True, overwrite_a=True, check_finite=False)
        dual = target - root * cho_solve(factor, root * (gram @ target), check_finite=False)
        scores = gram @ dual
    return sigma**2 * dual


def models_one_by_one(n_tasks, sigma, sample=12):
    gram, y, weights = weighting(n_tasks, sigma)
    chosen = np.linspace(0, n_tasks - 1, sample).astype(int)
    start = time.process_time()
    duals = [newton(gram, y, weights[:, t], sigma) for t in chosen]
    seconds = (time.process_time() - start) * n_tasks / sample
    ours = gram @ weighted_logistic(gram, y, weights[:, chosen], sigma, tol=TOL)
    gap = np.abs(gram @ np.transpose(duals) - ours).max()
    return seconds, f"from {sample} tasks; log-odds differ from ours by at most {gap:.0e}"


def models_by_scikit_learn(n_tasks, sigma, sample=4):
    gram, y, weights = weighting(n_tasks, sigma)
    features = np.linalg.cholesky(gram + 1e-10 * np.eye(len(y)))
    chosen = np.linspace(0, n_tasks - 1, sample).astype(int)
    start = time.process_time()
    peer = LogisticRegression(C=sigma**2, fit_intercept=False, max_iter=2000)
    scores = [
        peer.fit(features, y, sample_weight=weights[:, t]).decision_function(features)
        for t in chosen
    ]
    seconds = (time.process_time() - start) * n_tasks / sample
    ours = gram @ weighted_logistic(gram, y, weights[:, chosen], sigma, tol=TOL)
    gap = np.abs(np.transpose(scores) - ours).max()
    return seconds, f"from {sample} tasks; log-odds differ from ours by at most {gap:.0e}"


def whole_fit(method):
    def run(n_tasks, sigma):
        X, y, task = data(n_tasks)
        start = time.process_time()
        method().fit(X, y, task=task)
        return time.process_time() - start, ""

    return run


STEPS = {
    ("soft-max", OURS): softmax_together,
    ("soft-max", "scikit-learn, tol=1e-4"): softmax_by_scikit_learn,
    ("soft-max", "scikit-learn, tol=1e-7"): softmax_by_scikit_learn_exactly,
    ("target models", OURS): models_together,
    ("target models", LOOP): models_one_by_one,
    ("target models", PEER): models_by_scikit_learn,
}
STEPS |= {
    ("whole fit", method.__name__): whole_fit(method)
    for method in (
        DistributionMatching,
        SeparateLogistic,
        PooledLogistic,
        HierarchicalBayesLogistic,
    )
}


def measure(arguments):
    """Return a row of COLUMNS; to be called in a fresh process."""
    step, method, n_tasks, sigma = arguments
    with threadpool_limits(1), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        seconds, note = STEPS[step, method](n_tasks, sigma)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    notes = [note, *sorted({item.category.__name__ for item in caught})]
    return (
        step,
        method,
        n_tasks,
        sigma,
        f"{seconds:.2f}",
        f"{peak:.0f}",
        "; ".join(filter(None, notes)),
    )


def plan():
    for n_tasks in (50, 100, 200, TASKS, 1000, 2000):
        yield "soft-max", OURS, n_tasks, 1.0
        yield "target models", OURS, n_tasks, 1.0
    yield "soft-max", OURS, TASKS, 3.0
    yield "target models", OURS, TASKS, 3.0
    for step, method in STEPS:
        if method != OURS:
            yield step, method, TASKS, 1.0


def rows():
    """Yield the rows of the table, each from a process of its own."""
    context = multiprocessing.get_context("spawn")
    with context.Pool(1, maxtasksperchild=1) as pool:
        yield from pool.imap(measure, plan())


def draw(rows, path):
    mpl.rcParams["svg.hashsalt"] = "distribution_matching"
    from matplotlib import pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 4.2), layout="constrained")
    rows = [
        (*labels, float(seconds), float(peak))
        for *labels, seconds, peak, _ in map(dict.values, rows)
    ]
    growth = [row for row in rows if row[1] == OURS and row[3] == 1.0]
    for step, style in (("target models", "s-"), ("soft-max", "o-")):
        points = [row for row in growth if row[0] == step]
        sizes = [row[2] for row in points]
        (line,) = left.loglog(sizes, [row[4] for row in points], style, label=f"{step}, together")
        right.semilogx(sizes, [row[5] for row in points], style, label=step)
        for _, method, n_tasks, _, seconds, _ in (
            row for row in rows if row[0] == step and row[1] != OURS and row[3] == 1.0
        ):
            marker = "v" if method == LOOP else "+" if "1e-7" in method else "x"
            left.loglog(
                [n_tasks], [seconds], marker, color=line.get_color(), label=f"{step}, {method}"
            )
    sizes = sorted({row[2] for row in growth})
    for axes in (left, right):
        axes.set_xticks(sizes, [str(n) for n in sizes])
        axes.minorticks_off()
        axes.set_xlabel("tasks")
        axes.grid(alpha=0.3)
    left.set_ylabel("processor time, s")
    left.set_title(f"{EXAMPLES} examples, both prior deviations 1")
    left.legend(frameon=False, fontsize=8)
    right.set_ylabel("peak memory of the process, MiB")
    right.set_ylim(bottom=0)
    right.set_title("Memory")
    right.legend(frameon=False)
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
