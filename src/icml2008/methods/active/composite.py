"""Where a sum of functions crosses a threshold, asked of one function at one point at a time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from icml2008.methods.active.checks import (
    check_bounds,
    check_known,
    check_numbers,
    check_points,
)
from icml2008.methods.active.heuristics import HEURISTICS
from icml2008.methods.active.models import FunctionModel
from icml2008.methods.active.plot import plot_level_set
from icml2008.methods.active.questions import Questions
from icml2008.methods.active.running_slopes import Steepest, Variogram
from icml2008.methods.active.saving import load_state, save_state
from icml2008.methods.active.selection import best_candidate
from icml2008.methods.active.system import MIN_SAMPLES, KrigingSystem, check_kriging_options

SAMPLE_RULES = ("steepest", "variogram", "likelihood")
SPREADS = ("variance", "deviation")


class Prediction(NamedTuple):
    """What a campaign knows of some points.

    Attributes
    ----------
    side : ndarray of shape (q,), int
        1 where the sum of the functions is predicted above the threshold, else -1.
    mean : ndarray of shape (q,)
        Predicted sum.
    std : ndarray of shape (q,)
        Its standard deviation by the slopes given, or else by the most likely ones given the
        samples. It says little about regions that hold no samples yet.
    """

    side: np.ndarray
    mean: np.ndarray
    std: np.ndarray


class CompositeLevelSet:
    """Find where a sum of functions equals a threshold, with few evaluations of each of them.

    Each function has a kriging model of its own. `ask` draws candidates uniformly from the box,
    scores them by the models, and returns the best point together with the one function to evaluate
    there; `tell` takes the value.

    Parameters
    ----------
    bounds : array-like of shape (d, 2)
        Lower and upper end of the box in each dimension.
    n_functions : int
        Number m of functions; they are numbered from 0.
    threshold : float
        The value that the sum shall have.
    heuristic : str, default="variance-maxvarstraddle"
        "random", "variance", "sequential-straddle" (Eq. 3, then every function at the point),
        "variance-straddle" (Eq. 3, then the function of largest variance) or
        "variance-maxvarstraddle" (Eq. 4).
    slopes : float, array-like of shape (m,) or str, default="steepest"
        Slopes of the linear semivariances: given (see `slopes_beforehand`), one for all or one
        each; or estimated anew with each sample told: "steepest" (largest gradient seen between two
        samples), "variogram" or "likelihood". The latter two often settle on a piece of the level
        set and miss the rest; use them where values are noisy.
    spread : {"variance", "deviation"}, default="variance"
        What 1.96 multiplies in the scores. The paper prints the variance, which goes with gradients
        as slopes: the score then is in the unit of the functions. The deviation goes with slopes
        that are squared units per distance, as variograms and likelihood give, and a negative score
        means 95 % confidence that no level set passes there.
    form : {"textbook", "short"}, default="textbook"
        Form of the kriging equations, see `OrdinaryKriging`.
    nugget_ratio : float, optional
        Nugget over slope, a distance; by default 1e-10 of the box's diagonal ("very small positive"
        in the paper).
    neighbors : int, optional
        Beyond this many samples a function's predictions use so many nearest ones. The paper has
        1000, to save time; here asking is faster with all samples, and the option saves memory (8
        n^2 bytes a function).
    n_candidates : int, default=1000
        Candidates drawn for a choice.
    n_initial : int, optional
        Samples of each function at random points before the models choose; by default as few as the
        models need: 1, for the short form 2, for estimated slopes d + 2.
    costs : array-like of shape (m,), optional
        Price of an evaluation of each function; functions evaluated at one point go from cheap to
        dear. Without `lower_bounds`, a function's spread is divided by its cost relative to the
        cheapest (ours: the paper has equal costs), which suits costs of like size: one that costs
        ten times as much is hardly ever chosen.
    lower_bounds : array-like of shape (m,), optional
        Least values that the functions can take (0 for chi-squares and for -2 log p; -inf if
        unknown). When given, a function is evaluated only after all cheaper ones at its point (of
        equal costs: those before it), and only if with their values the sum can still stay below
        the threshold (section 5). Where predictions say that it cannot, the function's uncertainty
        counts for nothing (ours).
    length_scales : array-like of shape (d,), optional
        Distances are measured in these units: needed where the dimensions are of different kinds.
    random_state : int, Generator or None
        Source of the candidates.

    Attributes
    ----------
    samples : list of (ndarray of shape (d,), int, float)
        Point, function and value in the order told.
    score : float or None
        Score of the last choice; None if it was random.

    Notes
    -----
    Several evaluations at once (ours): what is pending counts as sampled at its predicted value, so
    that asking again, or for several, gives different places ("kriging believer"). This leaves the
    predicted means as they are and shrinks the variances by what they will really shrink, which
    does not depend on the values.

    An `ask` costs O(n) for a candidate and O(n^2) for the few whose variance matters, a `tell`
    O(n^2), with n samples of a function.

    References
    ----------
    B. Bryan, J. Schneider. Actively Learning Level-Sets of Composite Functions. ICML 2008.

    Examples
    --------
    >>> from icml2008.methods import CompositeLevelSet
    >>> functions = [lambda x: x[0] ** 2, lambda x: x[1] ** 2]
    >>> circle = CompositeLevelSet([[-2, 2], [-2, 2]], 2, threshold=1.0, slopes=4.0, random_state=0)
    >>> for _ in range(60):
    ...     point, i = circle.ask()
    ...     circle.tell(point, i, functions[i](point))
    >>> circle.predict([[0.0, 0.5], [1.5, 1.5]]).side.tolist()
    [-1, 1]
    """

    def __init__(
        self,
        bounds,
        n_functions,
        threshold,
        heuristic="variance-maxvarstraddle",
        *,
        slopes="steepest",
        spread="variance",
        form="textbook",
        nugget_ratio=None,
        neighbors=None,
        n_candidates=1000,
        n_initial=None,
        costs=None,
        lower_bounds=None,
        length_scales=None,
        random_state=None,
    ):
        self.bounds = check_bounds(bounds)
        d = len(self.bounds)
        m = int(n_functions)
        check_known("heuristic", heuristic, HEURISTICS)
        check_known("spread", spread, SPREADS)
        check_kriging_options(form, neighbors)
        self.n_functions = m
        self.threshold = float(threshold)
        self.heuristic = heuristic
        self.spread = spread
        self.form = form
        self.neighbors = neighbors
        self.n_candidates = int(n_candidates)
        self.costs = check_numbers(
            "costs", np.ones(m) if costs is None else costs, m, positive=True
        )
        rank = np.argsort(np.argsort(self.costs, kind="stable"))
        self._cheaper = rank[:, None] < rank  # of equal costs, the first counts as cheaper
        if lower_bounds is not None:
            lower_bounds = check_numbers("lower_bounds", lower_bounds, m)
        self.lower_bounds = lower_bounds
        # With bounds, costs only set the order at a point, as in section 5 of the paper.
        self._prices = self.costs / self.costs.min() if lower_bounds is None else np.ones(m)
        scales = np.ones(d) if length_scales is None else length_scales
        self.length_scales = check_numbers("length_scales", scales, d, positive=True)
        diagonal = float(np.linalg.norm(np.ptp(self.bounds, axis=1) / self.length_scales))
        self.nugget_ratio = 1e-10 * diagonal if nugget_ratio is None else float(nugget_ratio)
        learnt = isinstance(slopes, str)
        if learnt:
            check_known("slopes", slopes, SAMPLE_RULES)
        else:
            slopes = slopes if np.ndim(slopes) else np.full(m, slopes)
            slopes = check_numbers("slopes", slopes, m, positive=True)
        self.slopes = slopes
        fewest = d + 2 if learnt else MIN_SAMPLES[form]
        self.n_initial = fewest if n_initial is None else int(n_initial)
        if self.n_initial < fewest:
            msg = f"n_initial={n_initial} must be at least {fewest}, which the models need"
            raise ValueError(msg)
        self.rng = np.random.default_rng(random_state)
        self.samples = []
        self.score = None
        self._questions = Questions(patient=self.lower_bounds is not None)
        self._models = [
            FunctionModel(KrigingSystem(d, self.nugget_ratio, form, neighbors), slope)
            for slope in (_rules(slopes, m, 0.5 * diagonal) if learnt else slopes.tolist())
        ]

    @property
    def pending(self):
        """Pairs (point, function) that were asked and not told yet."""
        return list(self._questions.pending)

    def ask(self, n=None, *, candidates=None):
        """Choose where to evaluate next, and which function.

        Parameters
        ----------
        n : int, optional
            How many evaluations to propose for running at the same time.
        candidates : array-like of shape (q, d), optional
            Points to choose among, in place of random ones.

        Returns
        -------
        (ndarray of shape (d,), int) or list of n such pairs
            Point and number of the function.
        """
        if candidates is not None:
            candidates = check_points(candidates, len(self.bounds))
        if n is None:
            return self._ask_one(candidates)
        return [self._ask_one(candidates) for _ in range(n)]

    def tell(self, x, i, y):
        """Add the value y of function i at the point x, shape (d,), asked for or not."""
        x = check_points([x], len(self.bounds))[0]
        if i not in range(self.n_functions):
            msg = f"function {i!r} is unknown: {self.n_functions} functions are numbered from 0"
            raise ValueError(msg)
        if not np.isfinite(y):
            msg = (
                f"the value {y!r} of function {i} is not finite: "
                "tell a number, or withdraw(x, i) an evaluation that failed"
            )
            raise ValueError(msg)
        self._models[i].tell(x / self.length_scales, float(y))
        self.samples.append((x, int(i), float(y)))
        self._questions.answered(x, i)
        if self.lower_bounds is not None and self._least_sum(x) > self.threshold:
            self._questions.drop_plans(x)

    def withdraw(self, x, i):
        """Stop waiting for function i at the point x, shape (d,): its evaluation failed."""
        self._questions.answered(x, i)

    def predict(self, X):
        """Predict the sum of the functions at points X, shape (q, d).

        Returns
        -------
        Prediction
            Named tuple of `side`, `mean` and `std`, each of shape (q,).
        """
        mean = self.predict_mean(X)
        scaled = check_points(X, len(self.bounds)) / self.length_scales
        variance = sum(model.likely_variance(scaled) for model in self._models)
        return Prediction(np.where(mean > self.threshold, 1, -1), mean, np.sqrt(variance))

    def predict_mean(self, X, functions=None):
        """Predict a sum without its uncertainty: O(n) a point.

        Parameters
        ----------
        X : array-like of shape (q, d)
        functions : iterable of int, optional
            The functions to sum; all by default.

        Returns
        -------
        ndarray of shape (q,)
        """
        scaled = check_points(X, len(self.bounds)) / self.length_scales
        needed = MIN_SAMPLES[self.form]
        functions = list(range(self.n_functions) if functions is None else functions)
        for i in functions:
            if self._models[i].told < needed:
                n_told = self._models[i].told
                msg = f"function {i} has {n_told} samples and needs {needed}: tell() more"
                raise ValueError(msg)
        return sum(self._models[i].mean(scaled) for i in functions)

    def accuracy(self, X, values):
        """Return the share of points X, shape (q, d), that are predicted on the true side.

        Parameters
        ----------
        X : array-like of shape (q, d)
        values : array-like of shape (q,)
            True sums of the functions.

        Returns
        -------
        float
        """
        above = np.asarray(values, dtype=float) > self.threshold
        return float(np.mean((self.predict_mean(X) > self.threshold) == above))

    def get_state(self):
        """Return all that `from_state` needs to go on from here, as a dict that JSON can hold."""
        options = (
            "bounds n_functions threshold heuristic slopes spread form nugget_ratio neighbors "
            "n_candidates n_initial costs lower_bounds length_scales"
        )
        return {
            "options": {name: _plain(getattr(self, name)) for name in options.split()},
            "samples": [[x.tolist(), i, y] for x, i, y in self.samples],
            **self._questions.get_state(),
            "score": self.score,
            "rng": _plain(self.rng.bit_generator.state),
        }

    @classmethod
    def from_state(cls, state):
        """Return the campaign that `get_state` described: it asks what that one would have."""
        self = cls(**state["options"])
        self.samples = [(np.array(x), i, y) for x, i, y in state["samples"]]
        for i, model in enumerate(self._models):
            if own := [(x / self.length_scales, y) for x, j, y in self.samples if j == i]:
                model.tell_all(*map(np.array, zip(*own, strict=True)))
        self._questions.set_state(state)
        self.score = state["score"]
        self.rng = np.random.Generator(getattr(np.random, state["rng"]["bit_generator"])())
        self.rng.bit_generator.state = state["rng"]
        return self

    def save(self, path):
        """Write the campaign to a file, whole or not at all, for `load` to go on from."""
        save_state(self.get_state(), path)

    @classmethod
    def load(cls, path):
        """Return the campaign of a file that `save` wrote: it asks what that one would have.

        Raises
        ------
        ValueError
            If the file holds something else, or was written by a later version.
        """
        return cls.from_state(load_state(path))

    def plot(self, ax=None, **options):
        """Draw the level set as it is predicted now, see `plot_level_set`; needs matplotlib."""
        return plot_level_set(self, ax, **options)

    def _ask_one(self, candidates):
        if pair := self._questions.next():
            return pair
        self._questions.plan(*self._choose(candidates))
        return self._questions.next()

    def _choose(self, candidates):
        """Return a point, and the functions to evaluate there in their order."""
        if candidates is None:
            low, high = self.bounds.T
            candidates = self.rng.uniform(low, high, (self.n_candidates, len(low)))
        heuristic = HEURISTICS[self.heuristic]
        everything = list(range(self.n_functions))
        n_told = np.array([model.told for model in self._models])
        if heuristic.score is None or np.any(n_told < self.n_initial):
            self.score = None
            x = candidates[self.rng.integers(len(candidates))]
            if heuristic.samples == "all":
                return x, self._by_cost(everything, x) or everything
            if heuristic.score is None:
                return x, [int(self.rng.integers(self.n_functions))]
            return x, [self._least_sampled(n_told)]
        choice = self._best(candidates)
        self.score = choice.score
        x = candidates[choice.candidate]
        function = choice.function
        if heuristic.samples == "all":
            return x, self._by_cost(everything, x) or everything
        if heuristic.samples == "widest":
            open_variances = self._where_open(choice.means, choice.variances)
            function = int(np.argmax(open_variances / self._prices))
        if self.lower_bounds is None:
            return x, [function]
        return x, [*self._by_cost(np.flatnonzero(self._cheaper[:, function]).tolist(), x), function]

    def _best(self, candidates):
        flattest = min((m.slope for m in self._models if m.slope > 0), default=1.0)
        for model in self._models:
            model.least_slope = flattest
        try:
            for x, i in self._questions.awaited():
                self._models[i].assume(x / self.length_scales)
            return best_candidate(self._models, candidates / self.length_scales, self._scores)
        finally:
            for model in self._models:
                model.forget()

    def _scores(self, means, variances):
        return HEURISTICS[self.heuristic].score(
            means,
            self._where_open(means, variances),
            threshold=self.threshold,
            spread=self.spread,
            costs=self._prices,
        )

    def _where_open(self, means, variances):
        """Variances, but 0 where a function cannot matter: cheaper ones alone exceed the threshold.

        Without this, one that is dear and little known would look worth asking for ever at points
        where it is never asked.
        """
        if self.lower_bounds is None or means is None:
            return variances
        bounds = np.where(self._cheaper, 0.0, self.lower_bounds[:, None]).sum(axis=0)
        least = means @ self._cheaper + bounds
        return np.where(least > self.threshold, 0.0, variances)

    def _least_sampled(self, n_told):
        asked = [i for _, i in self._questions.awaited()]
        awaited = np.bincount(asked, minlength=self.n_functions)
        short = np.flatnonzero(n_told < self.n_initial)
        return int(short[np.argmin((n_told + awaited)[short])])

    def _by_cost(self, functions, x):
        """Those of the functions that are not known at x, from cheap to dear."""
        known = self._known(x)
        return sorted((i for i in functions if i not in known), key=lambda i: self.costs[i])

    def _known(self, x):
        values = {i: model.value_at(x / self.length_scales) for i, model in enumerate(self._models)}
        return {i: y for i, y in values.items() if y is not None}

    def _least_sum(self, x):
        return sum((dict(enumerate(self.lower_bounds)) | self._known(x)).values())


def _rules(name, m, max_lag):
    """One estimator of the slope per function."""
    if name == "likelihood":
        return [name] * m
    return [Variogram(max_lag) if name == "variogram" else Steepest() for _ in range(m)]


def _plain(value):
    """The value made of what JSON knows."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value.tolist() if isinstance(value, np.ndarray) else value
