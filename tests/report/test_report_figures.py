import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest

from icml2008.catalogue.figures import Measured, figure
from icml2008.catalogue.paper_error import PaperError
from icml2008.judge.controls import Controls
from icml2008.report.drawing import drawings, write_figures
from icml2008.report.methods_figure import methods_figure
from icml2008.report.style import INK


@figure("moons", caption="Both moons.")
def moons(results):
    from matplotlib.figure import Figure

    drawing = Figure(figsize=(2, 2))
    drawing.subplots().plot([0, 1], [1, 0], color="black", label="A costs $5 or $6.")
    drawing.axes[0].legend()
    return drawing


@pytest.fixture
def both(both):
    return replace(both, measured=Measured({}, lambda *_: ()), figures=[moons])


def drawn(results, name="moons"):
    """Return a figure as SVG with its texts as text."""
    return next(drawing for drawing in drawings(results) if drawing.name == name).svg()


def texts(svg):
    return [element.text for element in ET.fromstring(svg).iter() if element.tag.endswith("text")]


def test_figures_are_the_same_bytes_each_time(both, tmp_path):
    for folder in ("one", "two"):
        write_figures(both, tmp_path / folder, png=True)
    for suffix in ("svg", "png"):
        first, second = (tmp_path / folder / f"moons.{suffix}" for folder in ("one", "two"))
        assert first.read_bytes() == second.read_bytes() != b""


def test_a_picture_for_other_programs_is_drawn_on_demand_and_changes_no_svg(both, tmp_path):
    for folder, png in (("with", True), ("without", False)):
        write_figures(both, tmp_path / folder, png=png)
    drawn = {path.name: path.read_bytes() for path in (tmp_path / "without").iterdir()}
    assert drawn == {"moons.svg": (tmp_path / "with/moons.svg").read_bytes()}
    assert (tmp_path / "with/moons.png").read_bytes().startswith(b"\x89PNG")


def test_a_figure_is_built_once_for_all_its_files(both, tmp_path):
    built = []
    draw = lambda measured: built.append(measured) or moons.draw(measured)  # noqa: E731
    write_figures(replace(both, figures=[replace(moons, draw=draw)]), tmp_path, png=True)
    assert len(built) == 1


def test_what_is_black_has_the_colour_that_pages_lighten_in_the_dark(both):
    assert "#000" not in drawn(both)
    assert f"stroke:{INK}" in drawn(both)


def test_a_figure_that_is_drawn_no_longer_is_removed(both, tmp_path):
    old = [tmp_path / f"old.{suffix}" for suffix in ("svg", "png")]
    for file in old:
        file.write_text("old")
    write_figures(both, tmp_path)
    assert not any(file.exists() for file in old)


LINES = [
    {
        "kind": "measurement",
        "cell": {"size": 2},
        "repeat": 1,
        "method": "A",
        "metric": "error",
        "value": 0.5,
    },
    {
        "kind": "measurement",
        "cell": {"size": 2},
        "repeat": 0,
        "method": "A",
        "metric": "error",
        "value": 0.25,
    },
    {
        "kind": "failure",
        "cell": {"size": 2},
        "repeat": 2,
        "method": "A",
        "status": "failed",
        "error": "No",
    },
    {"kind": "array", "cell": {"size": 2}, "repeat": 0, "keep": "path", "array": [1.0, 2.0]},
]


@pytest.fixture
def measured():
    cells = {"main": [{"size": 2}, {"size": 10}]}
    return Measured(cells, lambda experiment, universe: LINES if universe == "default" else [])


def test_values_stand_in_the_order_of_the_repeats_with_nan_for_failures(measured):
    np.testing.assert_array_equal(
        measured.values("main", "A", "error", size=2), [0.25, 0.5, np.nan]
    )


def test_what_was_not_run_is_empty(measured):
    assert measured.cells("main") == [{"size": 2}]
    assert measured.values("main", "A", "error", size=10).size == 0
    assert measured.values("main", "A", "error", size=2, universe="ties=random").size == 0


def test_kept_arrays_are_found_by_name_and_repeat(measured):
    np.testing.assert_array_equal(measured.kept("main", "path", size=2), [1.0, 2.0])
    assert measured.kept("main", "path", repeat=1, size=2) is None


def curve_lines(metric):
    """Return records of two methods at two sizes."""
    values = {("A", 2): [1.0, 3.0], ("A", 10): [5.0], ("B", 2): [0.0, 0.0], ("B", 10): [np.nan]}
    return [
        {
            "kind": "measurement",
            "cell": {"size": size},
            "repeat": repeat,
            "method": method,
            "metric": metric,
            "value": v,
        }
        for (method, size), runs in values.items()
        for repeat, v in enumerate(runs)
    ]


SIZES = [{"size": 2}, {"size": 10}]


@pytest.fixture
def curved():
    """Return measurements of two methods at two sizes, the larger of which the paper prints."""
    verdicts = [
        {"claim": "errors", "part": f"method={method},size=10", "universe": "default", "printed": p}
        for method, p in (("A", "4.5"), ("B", None))
    ]
    return Measured({"main": SIZES}, lambda *_: curve_lines("error"), verdicts)


def test_a_curve_is_the_mean_over_a_coordinate_with_what_is_printed(curved):
    axes = curved.curve("main", "error", x="size", methods=["A", "B"], printed="errors").axes[0]
    first, marks, second, none = axes.lines
    np.testing.assert_array_equal(first.get_xydata(), [[2, 2], [10, 5]])
    np.testing.assert_array_equal(second.get_ydata(), [0, np.nan])  # where all failed
    np.testing.assert_array_equal(marks.get_ydata(), [np.nan, 4.5])
    assert np.isnan(none.get_ydata()).all()
    assert marks.get_color() == first.get_color() != second.get_color()
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["A", "B"]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("size", "error")


def test_a_curve_is_drawn_where_and_as_is_asked_for(curved):
    from matplotlib.figure import Figure

    drawing = Figure()
    axes = drawing.subplots()
    styles = {"A": {"color": "red", "label": "ours"}}
    where = {"x": "size", "axes": axes, "band": True}
    assert curved.curve("main", "error", methods=styles, **where) is drawing
    assert [(line.get_color(), line.get_label()) for line in axes.lines] == [("red", "ours")]
    low, high = axes.collections[0].get_datalim(axes.transData).intervaly
    np.testing.assert_allclose([low, high], [2 - 12.7062, 2 + 12.7062], rtol=1e-5)
    assert axes.get_xlabel() == ""


GUESS = {"value": {"size=2": "6", "else": "6"}, "why": "A guess."}


@pytest.mark.parametrize(
    ("control", "texts"),
    [
        ({"floor": GUESS}, ["floor 6"]),
        ({"floor": "B"}, ["floor 0 below"]),
        ({"floor": GUESS | {"value": "90"}}, ["floor 90 above"]),
        ({"none": "There is no guess.", "ceiling": GUESS | {"value": "1"}}, ["ceiling 1"]),
        ({"floor": "A"}, []),  # which is drawn as a method
        ({"none": "There is no guess."}, []),
    ],
)
def test_a_curve_shows_floor_and_ceiling_without_leaving_its_range(control, texts):
    controls = [Controls(metrics=["error"], **control)]
    lines = curve_lines("error")
    controls = {"main": controls}
    measured = Measured({"main": SIZES}, lambda *_: lines, controls=controls)
    axes = measured.curve("main", "error", x="size", methods=["A"]).axes[0]
    assert [text.get_text() for text in axes.texts] == texts
    assert axes.get_ylim()[1] < 10


def test_methods_side_by_side_show_floor_and_ceiling(paper):
    controls = [Controls(metrics=["accuracy"], floor=GUESS, ceiling="B")]
    lines = curve_lines("accuracy")
    controls = {"main": controls}
    measured = Measured({"main": SIZES[:1]}, lambda *_: lines, controls=controls)
    drawn = methods_figure(paper, measured, "main", "accuracy", ["A", "B"])
    assert [text.get_text() for text in drawn.axes[0].texts] == ["floor"]
    assert [6, 6] in [list(line.get_xdata()) for line in drawn.axes[0].lines]
    names = [text.get_text() for text in drawn.legends[0].get_texts()]
    assert names == ["A", "B (ceiling)", "printed"]


def test_a_curve_over_cells_that_were_not_run_is_none(measured):
    methods = {"x": "size", "methods": ["A"]}
    assert measured.curve("main", "error", universe="ties=random", **methods) is None


def test_a_curve_over_cells_that_differ_otherwise_names_how():
    cells = [{"size": size, "noise": noise} for size in (1, 2) for noise in (0, 1)]
    lines = [
        {
            "kind": "measurement",
            "cell": cell,
            "repeat": 0,
            "method": "A",
            "metric": "error",
            "value": 1,
        }
        for cell in cells
    ]
    crossed = Measured({"main": cells}, lambda *_: lines)
    with pytest.raises(PaperError, match="cells of main differ in noise, too"):
        crossed.curve("main", "error", x="size", methods=["A"])
    assert len(crossed.curve("main", "error", x="size", methods=["A"], noise=1).axes) == 1


def test_an_unknown_experiment_is_named_with_the_nearest(measured):
    with pytest.raises(PaperError, match="no experiment 'mian'; did you mean 'main'"):
        measured.cells("mian")


def test_figures_of_the_papers_own_are_drawn_from_its_records(both, measured):
    @figure("errors", caption="All errors.")
    def errors(results):
        from matplotlib.figure import Figure

        drawing = Figure()
        drawing.text(0.5, 0.5, f"{np.nansum(results.values('main', 'A', 'error', size=2))}")
        return drawing

    results = replace(both, measured=measured, figures=[errors])
    assert texts(drawn(results, "errors")) == ["0.75"]


def test_logarithmic_axes_have_plain_numbers(both, measured):
    @figure("sizes", caption="All sizes.")
    def sizes(results):
        from matplotlib.figure import Figure

        drawing = Figure()
        left, right = drawing.subplots(ncols=2)
        left.loglog([1, 1000], [0.01, 1])
        right.loglog([1000, 1e7], [1e-6, 1e-3])
        return drawing

    labels = texts(drawn(replace(both, measured=measured, figures=[sizes]), "sizes"))
    assert {"10", "100", "0.01", "10000", "10⁵", "10⁶", "10⁻⁶", "0.001"} <= set(labels)
    assert not any("$" in text or "e" in text for text in labels)


def test_a_users_settings_do_not_change_the_figure(both):
    import matplotlib

    before = drawn(both)
    with matplotlib.rc_context({"xtick.direction": "in", "xtick.minor.visible": True}):
        assert drawn(both) == before


def test_the_settings_of_matplotlib_are_left_alone(both):
    import matplotlib

    before = dict(matplotlib.rcParams)
    drawn(both)
    assert dict(matplotlib.rcParams) == before


def test_the_svg_names_no_day(both):
    assert "date" not in drawn(both).lower()


def test_texts_are_no_formulas(both):
    assert "A costs $5 or $6." in texts(drawn(both))
