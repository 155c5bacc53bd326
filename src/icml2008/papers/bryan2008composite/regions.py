"""Section 5: which universes are left by the CMB, supernovae and galaxies, alone and together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import product
from typing import NamedTuple

import numpy as np
from scipy.stats import chi2

from icml2008.harness.experiment import experiment
from icml2008.harness.trial import Trial
from icml2008.methods.active.composite import CompositeLevelSet
from icml2008.papers.bryan2008composite.spectra import MatterSpectra, NoSpectrum, matter_spectrum
from icml2008.papers.bryan2008composite.surveys import Fit, Galaxies, Supernovae, Temperature
from icml2008.papers.bryan2008composite.universe import WMAP_5, AtAngle, Universe

SUPERNOVAE, GALAXIES, CMB = range(3)  # from cheap to dear
SOURCES = ("supernovae", "galaxies", "cmb")
ALONE = float(chi2(2).ppf(0.95))  # of -2 log p; Fisher's statistic of one p-value
TOGETHER = float(chi2(6).ppf(0.95))
CAP = 2 * TOGETHER  # beyond, a function alone rules a universe out: how much does not matter
PLANE = ((0.0, 1.0), (0.0, 1.0))  # Omega_M and Omega_Lambda of Figure 3
CONCORDANCE = (0.27, 0.73)
LATTICE = 40
SPECTRA = ("wmap-1-bands", "wmap-5-bands", "wmap-7-multipoles")

# The published values of the first year of WMAP (Spergel et al. 2003) and three of their standard
# deviations to both sides, within what is physical; all dark energy of the figure; neutrinos up to
# a fifth of the dark matter, beyond what any of the data sets left open in 2008.
BOX = {
    "tau": (0.01, 0.39),
    "omega_lambda": (0.0, 1.0),
    "angle": (1.02, 1.07),
    "baryons": (0.021, 0.027),
    "dark": (0.056, 0.176),
    "neutrinos": (0.0, 0.2),
    "tilt": (0.87, 1.11),
}
DIRECT = {"omega_m": (0.05, 1.0)} | {k: v for k, v in BOX.items() if k not in ("tau", "angle")}
OMEGA_M = (0.05, 1.0)
# Of the candidates for all three together. The published moduli stand for 0.7, and supernovae
# accept no universe that is 0.03 off: without this one candidate in 25 would pass them.
HUBBLE = (0.66, 0.74)
FEW_DRAWS = 300
MANY_DRAWS = 2000

DEFAULTS = {
    "spectrum": "wmap-1-bands",
    "scales": "linear",
    "zero-point": "as-published",
    "bins": "0.05",
}


# What a function of a universe finds out: -2 log p of some of the sources.
Values = Callable[[Universe], dict[int, float]]


class Budget(NamedTuple):
    """How much of each source a trial evaluates.

    Attributes
    ----------
    first : random evaluations of a function before its model chooses
    galaxies, cmb : evaluations of each alone
    runs : of the CMB, of all three together
    vectors : at most so many parameter vectors of all three together
    """

    first: int
    galaxies: int
    cmb: int
    runs: int
    vectors: int


BUDGETS = {8: Budget(20, 150, 345, 12, 300), 3: Budget(4, 4, 4, 1, 12)}


@dataclass(frozen=True)
class Space:
    """A box of parameters, in the order of its coordinates; what is not free is as WMAP found it.

    With the acoustic angle for a coordinate, Omega_M follows from it: a box that is narrow in the
    angle lies along the degeneracy of the CMB, where alone a universe can fit it.

    Attributes
    ----------
    free : mapping of str to (float, float)
    hubble : (float, float), optional
        With the acoustic angle: candidates have a Hubble constant between these.
    """

    free: Mapping[str, tuple[float, float]]
    hubble: tuple[float, float] | None = None

    @property
    def bounds(self) -> np.ndarray:
        return np.array(list(self.free.values()))

    def universe(self, point: np.ndarray) -> Universe:
        """Return the universe at a point (d,)."""
        given = self._given(point[None])
        if "angle" in given:
            given["omega_m"] = self._at_angle(given).omega_m(*OMEGA_M)
        return Universe(*(float(given[name][0]) for name in Universe._fields))

    def candidates(self, rng: np.random.Generator) -> np.ndarray:
        """Return points drawn from the box at which there is a universe, some hundreds."""
        draws = FEW_DRAWS if self.hubble is None else MANY_DRAWS
        points = rng.uniform(*self.bounds.T, (draws, len(self.free)))
        if "angle" not in self.free:
            return points
        given = self._given(points)
        matter = given["baryons"] + given["dark"]
        slow, fast = self.hubble or (1e-6, np.inf)
        low = np.maximum(OMEGA_M[0], matter / fast**2)
        high = np.minimum(OMEGA_M[1], matter / slow**2)
        return points[(low < high) & self._at_angle(given).exist(low, high)]

    def _given(self, points: np.ndarray) -> dict[str, np.ndarray]:
        free = dict(zip(self.free, np.asarray(points, dtype=float).T, strict=True))
        given = WMAP_5._asdict() | free
        return {name: np.broadcast_to(value, len(points)) for name, value in given.items()}

    def _at_angle(self, given: Mapping[str, np.ndarray]) -> AtAngle:
        return AtAngle(*(given[name] for name in AtAngle._fields))


@dataclass(frozen=True)
class Data:
    """The three data sets, and what -2 log p each gives a universe under some choices."""

    supernovae: Supernovae
    galaxies: Galaxies
    cmb: Temperature
    choices: Mapping[str, str]
    matter: Callable[[Universe], np.ndarray] = matter_spectrum

    @property
    def statistics(self) -> tuple[Callable[[Universe], float], ...]:
        """By `SUPERNOVAE`, `GALAXIES`, `CMB`, at most `CAP`."""
        fits = (
            partial(self.supernovae.fit, zero_point=self.choices["zero-point"]),
            partial(self.galaxies.fit, scales=self.choices["scales"], matter=self.matter),
            partial(_fit_unless_ruled_out, self.cmb),
        )
        return tuple(partial(_capped, fit) for fit in fits)

    def alone(self, i: int) -> Values:
        """Return a function of a universe that evaluates source i."""
        return lambda universe: {i: self.statistics[i](universe)}

    def cheap(self, universe: Universe) -> dict[int, float]:
        """Evaluate the supernovae and, where they do not rule out the universe, the galaxies."""
        statistics = self.alone(SUPERNOVAE)(universe)
        return (
            statistics
            if statistics[SUPERNOVAE] > TOGETHER
            else statistics | self.alone(GALAXIES)(universe)
        )


def _fit_unless_ruled_out(cmb: Temperature, universe: Universe) -> Fit:
    least = cmb.least(universe)
    return least if least.statistic >= CAP else cmb.fit(universe)


def _capped(fit: Callable[[Universe], Fit], universe: Universe) -> float:
    try:
        return min(fit(universe).statistic, CAP)
    except NoSpectrum:
        return CAP


@dataclass
class Samples:
    """Universes in the order in which they were met, and the -2 log p that are known of each."""

    universes: dict[bytes, Universe] = field(default_factory=dict)
    values: dict[bytes, dict[int, float]] = field(default_factory=dict)

    def add(self, point: np.ndarray, universe: Universe, values: Mapping[int, float]) -> None:
        key = point.tobytes()
        self.universes[key] = universe
        self.values.setdefault(key, {}).update(values)

    def __iter__(self) -> Iterator[tuple[Universe, dict[int, float]]]:
        return ((universe, self.values[key]) for key, universe in self.universes.items())

    def count(self, i: int) -> int:
        return sum(i in known for known in self.values.values())

    def completed(self, data: Data) -> Samples:
        """Return them with the cheap sources, too, where the CMB rules out no universe.

        They cost nothing, and the region of all would else be seen at far fewer universes than the
        regions that it is compared with.
        """
        values = {
            key: known | data.cheap(self.universes[key]) if known[CMB] <= TOGETHER else known
            for key, known in self.values.items()
        }
        return Samples(self.universes, values)

    def under(self, data: Data) -> Samples:
        """Return the same universes with the values that other choices give them."""
        statistics = data.statistics
        values = {
            key: {i: statistics[i](self.universes[key]) for i in known}
            for key, known in self.values.items()
        }
        return Samples(self.universes, values)


def campaign(
    space: Space,
    functions: Sequence[Values],
    threshold: float,
    rng: np.random.Generator,
    *,
    first: int,
    enough: Callable[[Samples], bool],
    known: Sequence[tuple[np.ndarray, int, float]] = (),
) -> tuple[Samples, list[tuple[np.ndarray, int, float]]]:
    """Sample functions near the level set of their sum; the dear ones only where cheap ones allow.

    Parameters
    ----------
    space : Space
    functions : sequence of callable
        From cheap to dear; what one finds out is added up.
    threshold : float
    rng : numpy.random.Generator
    first : int
        Random evaluations of each function before its model chooses.
    enough : callable
        Says of the samples whether they are.
    known : sequence of (point, place of the function, value)
        Told before the first is asked.

    Returns
    -------
    samples : Samples
    told : list of (ndarray of shape (d,), int, float)
        As `known`, which it begins with.
    """
    level_set = CompositeLevelSet(
        space.bounds,
        len(functions),
        threshold,
        "variance-maxvarstraddle",
        slopes="likelihood",
        spread="deviation",
        n_initial=first,
        costs=10.0 ** np.arange(len(functions)),
        lower_bounds=np.zeros(len(functions)),
        length_scales=np.ptp(space.bounds, axis=1),
        random_state=rng,
    )
    for point, place, value in known:
        level_set.tell(point, place, value)
    samples = Samples()
    while not enough(samples):
        point, place = level_set.ask(candidates=space.candidates(rng))
        universe = space.universe(point)
        values = functions[place](universe)
        level_set.tell(point, place, min(sum(values.values()), CAP))
        samples.add(point, universe, values)
    return samples, level_set.samples


@dataclass(frozen=True)
class Found:
    """What a trial found, and the bins of the plane into which it falls.

    Attributes
    ----------
    data : Data
    samples : list of Samples
        Of all campaigns.
    n_bins : int
        Along either axis of the plane.
    """

    data: Data
    samples: Sequence[Samples]
    n_bins: int

    def alone(self, i: int) -> np.ndarray:
        """Return the bins with a universe that source i alone accepts, (n_bins, n_bins) of bool."""
        if i == SUPERNOVAE:
            return self.binned(self._lattice)
        return self.binned(
            universe
            for samples in self.samples
            for universe, known in samples
            if i in known and known[i] <= ALONE
        )

    def together(self) -> np.ndarray:
        """Return the bins with a universe that Fisher's combination accepts."""
        return self.binned(
            universe
            for samples in self.samples
            for universe, known in samples
            if len(known) == len(SOURCES) and sum(known.values()) <= TOGETHER
        )

    def intersection(self) -> np.ndarray:
        """Return the bins that each source alone has."""
        return np.logical_and.reduce([self.alone(i) for i in range(len(SOURCES))])

    def binned(self, universes: Iterable[Universe]) -> np.ndarray:
        places = [(universe.omega_m, universe.omega_lambda) for universe in universes]
        x, y = np.reshape(places, (-1, 2)).T
        return np.histogram2d(x, y, self.n_bins, PLANE)[0] > 0

    @cached_property
    def _lattice(self) -> list[Universe]:
        """What supernovae accept of a lattice of the plane, with any Hubble constant.

        A Hubble constant only moves the zero point. Formulas are so quick that nothing is left to
        a campaign.
        """
        freedom = len(self.data.supernovae.z) - (self.data.choices["zero-point"] == "free")
        places = (np.arange(LATTICE) + 0.5) / LATTICE
        universes = (
            WMAP_5._replace(omega_m=omega_m, omega_lambda=omega_lambda)
            for omega_m, omega_lambda in product(places, places)
        )
        return [
            universe
            for universe in universes
            if self.data.supernovae.fit(universe, "free")._replace(freedom=freedom).statistic
            <= ALONE
        ]


REGIONS: dict[str, Callable[[Found], np.ndarray]] = {
    **{name: partial(Found.alone, i=i) for i, name in enumerate(SOURCES)},
    "intersection": Found.intersection,
    "together": Found.together,
}


@experiment(
    "regions",
    cells=[{"parameters": 3}, {"parameters": 8}],
    quick=[{"parameters": 3}],
    repeats={"quick": 1, "full": lambda cell: 6 if cell["parameters"] == 8 else 1},
    cost=lambda cell: 200.0 if cell["parameters"] == 8 else 0.7,
    methods=REGIONS,
    data=lambda cell: (*SPECTRA, "union2", "sdss-lrg"),
)
def regions_of_the_plane(trial: Trial) -> None:
    """Figure 3: what each data set leaves of the plane of Omega_M and Omega_Lambda, and all do.

    The campaigns are those of the default choices in every universe of choices, so that spectra are
    computed once: another choice judges the same points.
    """
    sets = {name: trial.data(name) for name in SPECTRA}
    others = trial.data("union2"), trial.data("sdss-lrg")
    many = trial.cell["parameters"] == 8
    matter = MatterSpectra(BOX) if many else matter_spectrum
    default = Data(*others, sets[DEFAULTS["spectrum"]], DEFAULTS, matter)
    (galaxies, cmb), together = sample(trial.cell["parameters"], default, trial.rng)
    every = (galaxies, cmb.completed(default), together)
    choices = DEFAULTS | dict(trial.choices)
    data = Data(*others, sets[choices["spectrum"]], choices, matter)
    judged = [samples.under(data) for samples in every]
    judgement = Found(data, judged, round(1 / float(choices["bins"])))
    at = tuple(int(place * judgement.n_bins) for place in CONCORDANCE)
    for name, region in trial.methods.items():
        with trial.attempt(name):
            inside = region(judgement)
            trial.measure(name, area=inside.mean(), concordance=100.0 * inside[at])
            if choices == DEFAULTS:
                trial.keep(name, np.flatnonzero(inside))
    runs = together.count(CMB)
    trial.measure(
        "together",
        vectors=len(together.universes),
        runs=sum(samples.count(CMB) for samples in every),
        vectors_per_run=len(together.universes) / max(runs, 1),
    )


def sample(
    n_parameters: int, data: Data, rng: Callable[[str], np.random.Generator]
) -> tuple[list[Samples], Samples]:
    """Return the samples of the campaigns for the galaxies and the CMB alone, and for all together.

    The CMB's own campaign takes the place of the paper's million earlier p-values: its values are
    told to the last one before that begins.
    """
    budget = BUDGETS[n_parameters]
    few = {"omega_m", "omega_lambda", "angle"}
    box, direct = (
        {name: ends for name, ends in given.items() if n_parameters == 8 or name in few}
        for given in (BOX, DIRECT)
    )
    galaxies, _ = campaign(
        Space(direct),
        [data.alone(GALAXIES)],
        ALONE,
        rng("galaxies"),
        first=budget.first,
        enough=lambda samples: samples.count(GALAXIES) >= budget.galaxies,
    )
    cmb, cmb_samples = campaign(
        Space(box),
        [data.alone(CMB)],
        ALONE,
        rng("cmb"),
        first=budget.first,
        enough=lambda samples: samples.count(CMB) >= budget.cmb,
    )
    together, _ = campaign(
        Space(box, HUBBLE),
        [data.cheap, data.alone(CMB)],
        TOGETHER,
        rng("together"),
        first=budget.first,
        enough=lambda samples: (
            samples.count(CMB) >= budget.runs or len(samples.universes) >= budget.vectors
        ),
        known=[(point, 1, value) for point, _, value in cmb_samples],
    )
    return [galaxies, cmb], together
