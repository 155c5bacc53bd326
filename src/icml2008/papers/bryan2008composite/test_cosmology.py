"""Section 5: likelihoods against published values, universes against CAMB, and campaigns."""

from importlib.util import find_spec

import numpy as np
import pytest
from scipy.optimize import least_squares
from scipy.stats import chi2

from icml2008.data import DataUnavailable, PackageMissing, load
from icml2008.papers.bryan2008composite import regions, spectra
from icml2008.papers.bryan2008composite.regions import BOX, CMB, SUPERNOVAE, Samples, Space
from icml2008.papers.bryan2008composite.spectra import NoSpectrum
from icml2008.papers.bryan2008composite.surveys import Fit, Temperature
from icml2008.papers.bryan2008composite.universe import (
    WMAP_5,
    AtAngle,
    Universe,
    acoustic_angle,
    comoving_distance,
)

needs_camb = pytest.mark.skipif(
    find_spec("camb") is None, reason="camb is not installed: pip install 'icml2008[cosmology]'"
)
CURVED = Universe(0.15, 0.5, 0.6, 0.024, 0.11, 0.03, 0.98)


@pytest.fixture
def survey():
    def get(name):
        try:
            return load(name, offline=True)
        except (DataUnavailable, PackageMissing) as error:
            pytest.skip(str(error))

    return get


def flat(omega_m, **changed):
    return WMAP_5._replace(omega_m=omega_m, omega_lambda=1 - omega_m, **changed)


@needs_camb
def test_wmaps_five_year_model_fits_the_temperature_as_published(survey):
    """Nolta et al. (2009): chi-square / freedom 1.06 at l = 33 to 1000, p = 9.3 %."""
    seven = survey("wmap-7-multipoles")
    high = seven.low >= 33
    parts = (part[high] for part in (seven.low, seven.high, seven.power, seven.error))
    fit = Temperature(*parts).fit(WMAP_5)
    assert fit.freedom == 967
    # Two standard deviations of such a ratio: the noise of two more years is not that of five.
    assert fit.chi_square / fit.freedom == pytest.approx(1.06, abs=2 * np.sqrt(2 / 967))
    for name, freedom in (("wmap-1-bands", 37), ("wmap-5-bands", 42)):
        fit = survey(name).fit(WMAP_5)
        assert fit.freedom == freedom
        assert abs(fit.chi_square - freedom) < 2 * np.sqrt(2 * freedom)


def test_supernovae_fit_a_flat_universe_as_published(survey):
    """Union2, statistical errors: least chi-square 542.68 at Omega_M = 0.270 +- 0.021."""
    union2 = survey("union2")
    fits = {share: union2.fit(flat(share), "free") for share in (0.249, 0.27, 0.291)}
    assert fits[0.27].chi_square == pytest.approx(542.68, abs=0.01)
    assert fits[0.27].freedom == 556
    for off in (0.249, 0.291):  # one standard deviation to either side
        assert fits[off].chi_square - fits[0.27].chi_square == pytest.approx(1, abs=0.25)


def test_a_hubble_constant_moves_the_zero_point_and_nothing_else(survey):
    union2 = survey("union2")
    slow, fast = (flat(0.27, dark=dark) for dark in (0.09, 0.13))
    assert union2.fit(slow, "free").chi_square == pytest.approx(union2.fit(fast, "free").chi_square)
    best = union2.fit(flat(0.27, dark=0.27 * 0.7**2 - WMAP_5.baryons), "as-published")
    assert best.freedom == 557
    assert best.chi_square == pytest.approx(542.68, abs=0.5)  # moduli are published for h = 0.7


@needs_camb
def test_galaxies_fit_wmaps_model_on_linear_and_on_all_scales(survey):
    lrg = survey("sdss-lrg")
    for scales, freedom in (("linear", 14), ("all", 19)):
        fit = lrg.fit(WMAP_5, scales)
        assert fit.freedom == freedom
        assert chi2.sf(*fit) > 0.05


@needs_camb
def test_galaxies_find_the_matter_density_of_tegmark_et_al(survey):
    """Flat universes, other parameters at WMAP's: Omega_M = 0.24 +- 0.02 with the first years."""
    lrg = survey("sdss-lrg")
    shares = np.array([0.16, 0.20, 0.24, 0.28, 0.32])
    dark = shares * 0.73**2 - 0.0223  # a Hubble constant of 73 km/s/Mpc
    fits = [
        lrg.fit(flat(share, dark=cold, baryons=0.0223, tilt=0.953), "all").chi_square
        for share, cold in zip(shares, dark, strict=True)
    ]
    assert shares[np.argmin(fits)] == pytest.approx(0.24, abs=0.04)


@needs_camb
@pytest.mark.thorough
def test_the_best_fit_of_all_three_is_that_of_wmap_and_supernovae(survey):
    """Komatsu et al. (2009), five years with BAO and supernovae, to two standard deviations."""
    published = {
        "baryons": (0.02267, 0.00059),
        "dark": (0.1131, 0.0034),
        "omega_m": (0.274, 0.015),
        "tilt": (0.960, 0.013),
    }
    names = list(published)
    cmb, union2, lrg = (survey(name) for name in ("wmap-5-bands", "union2", "sdss-lrg"))

    def rest(values):
        given = dict(zip(names, values, strict=True))
        universe = flat(given.pop("omega_m"), **given)
        model = cmb.bands(spectra.temperature_spectrum(universe)) / cmb.error
        data = cmb.power / cmb.error
        others = (union2.fit(universe, "free"), lrg.fit(universe, "all"))
        gaps = data - model * (model @ data) / (model @ model)
        return np.append(gaps, [np.sqrt(fit.chi_square) for fit in others])

    start = [0.0230, 0.115, 0.29, 0.97]
    scale = [sd for _, sd in published.values()]
    fit = least_squares(rest, start, x_scale=scale, diff_step=0.01, max_nfev=6)
    for name, value in zip(names, fit.x, strict=True):
        mean, sd = published[name]
        assert abs(value - mean) < 2 * sd, name


@needs_camb
def test_spectra_of_low_accuracy_are_near_those_of_high_accuracy(monkeypatch):
    """One part in a hundred beyond l = 30, in 30 below, where the sky itself varies by a third."""
    low = spectra.temperature_spectrum(CURVED)
    power = spectra.matter_spectrum(CURVED)
    monkeypatch.setattr(spectra, "ACCURACY", {"flat": 1.2, "matter": 1.0})
    monkeypatch.setattr(spectra, "CURVED_ACCURACIES", (1.3,))
    monkeypatch.setattr(spectra, "_COARSER", {})
    monkeypatch.setattr(spectra, "_COARSER_WHERE_CURVED", {})
    off = np.abs(low[2:] / spectra.temperature_spectrum(CURVED)[2:] - 1)
    assert off[28:].max() < 0.02
    assert off[:28].max() < 1 / 10
    assert np.sqrt(np.mean(off**2)) < 0.006
    assert np.abs(power / spectra.matter_spectrum(CURVED) - 1).max() < 0.01


@needs_camb
@pytest.mark.thorough
def test_interpolated_matter_spectra_are_those_of_camb():
    between = spectra.MatterSpectra(BOX)
    rng = np.random.default_rng(0)
    low, high = np.array([BOX[name] for name in ("baryons", "dark", "neutrinos", "tilt")]).T
    seen = (spectra.WAVENUMBERS > 0.005) & (spectra.WAVENUMBERS < 0.2)
    for baryons, dark, neutrinos, tilt in rng.uniform(low, high, (8, 4)):
        universe = WMAP_5._replace(baryons=baryons, dark=dark, neutrinos=neutrinos, tilt=tilt)
        off = np.log(between(universe) / spectra.matter_spectrum(universe))[seen]
        # A factor is the bias's; bands have errors of 3 % and more.
        assert np.abs(off - off.mean()).max() < 0.015


@needs_camb
def test_curved_universes_show_the_same_peaks_and_other_largest_scales():
    curved = spectra.temperature_spectrum(CURVED)
    like = spectra.flattened(CURVED)
    original = Universe(*np.array(CURVED)[:, None])
    assert acoustic_angle(Universe(*np.array(like)[:, None])) == pytest.approx(
        acoustic_angle(original)
    )
    assert like.omega_k == pytest.approx(0)
    ratio = curved[2:] / spectra.temperature_spectrum(like)[2:]
    assert np.abs(ratio[58:] - 1).max() < 0.02
    assert np.abs(ratio[:20] - 1).max() > 0.02


@needs_camb
def test_a_universe_is_ruled_out_by_the_bands_that_curvature_leaves_only_if_by_all(survey):
    bands = survey("wmap-1-bands")
    for universe in (CURVED, WMAP_5, CURVED._replace(tilt=1.1)):
        least = bands.least(universe)
        fit = bands.fit(universe)
        assert least.chi_square <= fit.chi_square
        assert least.freedom == fit.freedom


@needs_camb
def test_a_spectrum_that_breaks_off_is_refused(monkeypatch):
    original = spectra._temperature

    def broken(universe, largest, accuracy):
        spectrum = original(universe, largest, accuracy)
        spectrum[80:90] *= 3 if largest == spectra.CURVED_TO else 1
        return spectrum

    monkeypatch.setattr(spectra, "_temperature", broken)
    with pytest.raises(NoSpectrum, match="does not go over into"):
        spectra.temperature_spectrum(CURVED)


@needs_camb
def test_what_is_kept_changes_no_spectrum_and_a_broken_file_is_computed_again(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("ICML2008_CACHE", str(tmp_path))
    first = spectra.temperature_spectrum(WMAP_5)
    (file,) = tmp_path.glob("spectra/*/*.npy")
    content = file.read_bytes()
    np.testing.assert_array_equal(spectra.temperature_spectrum(WMAP_5), first)
    file.write_bytes(content[:-8])
    np.testing.assert_array_equal(spectra.temperature_spectrum(WMAP_5), first)
    assert file.read_bytes() == content
    assert [kept.name for kept in tmp_path.glob("spectra/*/*")] == [file.name]


@needs_camb
def test_distances_and_angles_are_camb_s():
    import camb

    parameters = camb.CAMBparams()
    parameters.set_cosmology(
        H0=100 * CURVED.h, ombh2=CURVED.baryons, omch2=CURVED.dark, omk=CURVED.omega_k, mnu=0.0
    )
    results = camb.get_background(parameters)
    z = np.array([0.1, 0.5, 1.4])
    expected = results.angular_diameter_distance(z) * (1 + z) * CURVED.h
    np.testing.assert_allclose(comoving_distance(CURVED, z), expected, rtol=1e-3)
    angle = acoustic_angle(Universe(*np.array(CURVED)[:, None]))[0]
    assert angle == pytest.approx(100 * results.cosmomc_theta(), rel=3e-3)


def test_a_universe_is_found_by_its_angle_and_none_where_none_has_it():
    space = Space(BOX)
    points = space.candidates(np.random.default_rng(0))[:50]
    assert len(points) == 50
    for point in points[:5]:
        universe = space.universe(point)
        assert acoustic_angle(Universe(*np.array(universe)[:, None])) == pytest.approx(point[2])
        assert 0.05 < universe.omega_m < 1
    at_angle = AtAngle(*np.array([[3.0, 1.04], [0.7, 0.7], [0.0227, 0.0227], [0.11, 0.11]]))
    assert at_angle.exist(0.05, 1.0).tolist() == [False, True]


def test_without_a_big_bang_nothing_fits(survey):
    assert survey("union2").fit(WMAP_5._replace(omega_m=0.05, omega_lambda=2.0), "free") == (
        np.inf,
        557,
    )
    assert Fit(np.inf, 557).statistic == np.inf


def test_fishers_threshold_and_those_of_one_p_value():
    assert round(regions.TOGETHER, 2) == 12.59
    assert np.exp(-regions.ALONE / 2) == pytest.approx(0.05)


def test_the_dear_function_is_left_out_where_a_cheap_one_rules_out():
    space = Space({"omega_lambda": (0.0, 1.0), "tilt": (0.9, 1.1)})
    calls = []

    def cheap(universe):
        return {SUPERNOVAE: 25.0 if universe.omega_lambda < 0.5 else 0.0}

    def dear(universe):
        calls.append(universe)
        return {CMB: 25.0 * abs(universe.tilt - 1) / 0.1}

    samples, samples_told = regions.campaign(
        space,
        [cheap, dear],
        10.0,
        np.random.default_rng(0),
        first=6,
        enough=lambda samples: samples.count(CMB) >= 20,
    )
    assert len(calls) == samples.count(CMB) == 20
    after = list(samples)[12:]  # the first are at random, each function by itself
    assert all(known[SUPERNOVAE] == 0 for _, known in after if CMB in known)
    assert any(CMB not in known for _, known in after)
    assert len(samples_told) == sum(len(known) for _, known in samples)


def test_cheap_sources_are_known_wherever_the_cmb_rules_nothing_out():
    class Cheap:
        def cheap(self, universe):
            return {SUPERNOVAE: universe.tau}

    samples = Samples()
    for value in (3.0, 25.0):
        samples.add(np.array([value]), WMAP_5, {CMB: value})
    completed = [known for _, known in samples.completed(Cheap())]
    assert completed == [{CMB: 3.0, SUPERNOVAE: WMAP_5.tau}, {CMB: 25.0}]


def test_a_bin_is_in_a_region_if_an_accepted_universe_is():
    samples = Samples()
    for place, values in enumerate(([1, 1, 1], [5, 5, 5], [7, 1, 1], [1, 1])):
        universe = WMAP_5._replace(omega_m=0.05 + 0.1 * place, omega_lambda=0.95)
        samples.add(np.array([float(place)]), universe, dict(enumerate(values)))
    bins = regions.Found(None, [samples], 10)
    assert np.argwhere(bins.together()).tolist() == [[0, 9], [2, 9]]
    assert np.argwhere(bins.alone(CMB)).tolist() == [[0, 9], [1, 9], [2, 9]]
