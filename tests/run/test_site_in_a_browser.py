"""The site in a real browser: search, filters, keyboard, accessibility."""

import re
import shutil
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from icml2008.catalogue import library
from icml2008.run.site.building import build_site

ROOT = Path(__file__).parents[2]
KEYS = ["bergeron2008mirank", "long2008random", "meka2008rank"]
PAGES = [
    "index",
    "bergeron2008mirank",
    "bergeron2008mirank/mirank-beats-mic",
    "meka2008rank",
    "findings",
    "rules",
    "hands",
    "methods",
    "data",
    "downloads",
    "audit",
    "quality",
]
CLAIM = "bergeron2008mirank/mirank-beats-mic"
BINARY = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), ""
)

pytestmark = pytest.mark.skipif(not BINARY, reason="no Chromium is at hand")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    out = tmp_path_factory.mktemp("browser") / "out"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        patch.setattr(library, "paper_keys", lambda: KEYS)
        build_site(out)
    return out


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=BINARY, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def visit(site, browser):
    """Open a page; in the end no page may have complained."""
    wrong = []
    contexts = []

    def opened(name, width=1440, **how):
        contexts.append(browser.new_context(viewport={"width": width, "height": 900}, **how))
        page = contexts[-1].new_page()
        page.on("console", lambda message: message.type == "error" and wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto((site / f"{name}.html").as_uri())
        return page

    yield opened
    for context in contexts:
        context.close()
    assert wrong == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
def test_every_kind_of_page_is_accessible_and_does_not_scroll_sideways(visit, width, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    for name in PAGES:
        page = visit(name, width, color_scheme=scheme)
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        violations = axe.run(page, options={"preload": False}).response["violations"]
        assert [
            (violation["id"], violation["nodes"][0]["html"]) for violation in violations
        ] == [], name
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name


def test_letters_of_figures_are_ten_pixels_high_on_a_phone(visit, site):
    page = visit(KEYS[0], 380)
    small = {}
    for image in page.locator("img.plot").all():
        image.scroll_into_view_if_needed()
        svg = (site / image.get_attribute("src")).read_text("utf-8")
        letters = min(map(float, re.findall(r"font-size:([\d.]+)px", svg)))
        width = float(re.search(r'viewBox="0 0 ([\d.]+)', svg)[1])
        shown = letters * image.bounding_box()["width"] / width
        if shown < 10:
            small[image.get_attribute("src")] = shown
    assert small == {}
    assert page.evaluate("document.documentElement.scrollWidth") <= 380


def test_search_finds_papers_and_claims(visit):
    page = visit("index")
    page.get_by_label("Search", exact=True).fill("mirank")
    page.locator("#found li").first.wait_for()
    assert page.locator(".papers li:visible").count() == 1
    page.get_by_role("link", name="MIRank finds the preferred bag more often than MIC.").click()
    assert page.url.endswith(f"{CLAIM}.html")


@pytest.mark.parametrize("name", ["index", CLAIM, "quality"])
@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("bergeron2008mirank", "Multiple Instance Ranking"),
        ("preferred bag", "Multiple Instance Ranking"),
        ("convex potential boosters", "Random Classification Noise Defeats"),
        ("branching programs", "Random Classification Noise Defeats"),
        ("miranc", "Multiple Instance Ranking"),
    ],
)
def test_every_page_finds_a_paper_by_key_idea_method_or_claim(visit, name, typed, first):
    page = visit(name)
    page.get_by_label("Find a paper").fill(typed)
    page.locator(".hits a").first.wait_for()
    assert page.locator(".hits a").first.inner_text().startswith(first)
    nearest = page.locator(".hits output").inner_text().startswith("Nothing")
    assert nearest == (typed == "miranc")


def test_the_first_hit_is_opened_by_return(visit):
    page = visit(CLAIM)
    field = page.get_by_label("Find a paper")
    field.fill("long2008random")
    page.locator(".hits a").first.wait_for()
    field.press("Enter")
    page.wait_for_url("**/long2008random.html")
    assert page.locator("h1").inner_text().startswith("Random Classification Noise")


def test_filters_leave_what_they_name(visit):
    page = visit("index")
    assert page.locator(".papers li:visible").count() == len(KEYS)
    page.get_by_label("State").select_option("planned")
    assert page.locator(".papers li:visible").count() == 1
    page.get_by_label("With a claim that is").select_option("refuted")
    assert page.locator(".filters output").inner_text() == "0 papers"


def test_papers_are_found_by_data_set_and_method(visit):
    page = visit("index")
    page.locator("datalist#data option").first.wait_for(state="attached")
    for label, text in (("Data set", "census"), ("Method", "mirank")):
        page.get_by_label(label, exact=True).fill(text)
        assert page.locator(".papers li:visible").count() == 1
        page.get_by_label(label, exact=True).fill("")
    assert page.locator(".papers li:visible").count() == len(KEYS)


@pytest.fixture
def served(site, browser):
    """Open a page as it is read on the web."""
    handler = partial(SimpleHTTPRequestHandler, directory=site)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        page = browser.new_page()

        def opened(name):
            page.goto(f"http://127.0.0.1:{server.server_port}/{name}.html")
            return page

        yield opened
        page.close()
        server.shutdown()


def test_a_badge_is_pasted_with_the_addresses_of_the_page(served):
    page = served(CLAIM)
    markup = page.locator(".badge + .copied").inner_text()
    assert markup.endswith(f"({page.url.replace('.html', '.svg')})]({page.url})")


def test_a_figure_is_saved_as_png(served):
    page = served(KEYS[0])
    with page.expect_download() as started:
        page.get_by_role("link", name="PNG").first.click()
    assert started.value.suggested_filename.endswith(".png")
    assert Path(started.value.path()).read_bytes().startswith(b"\x89PNG")


def test_a_claim_that_an_address_names_is_open(visit, site):
    page = visit("bergeron2008mirank")
    assert not page.locator("#mirank-beats-mic table.numbers").is_visible()
    page.goto((site / "bergeron2008mirank.html").as_uri() + "#mirank-beats-mic")
    page.reload()
    assert page.locator("#mirank-beats-mic table.numbers").is_visible()


def test_a_claim_opens_by_the_keyboard(visit):
    page = visit("bergeron2008mirank")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "To the content"
    page.locator("#mirank-beats-mic > summary").focus()
    page.keyboard.press("Enter")
    assert page.locator("#mirank-beats-mic table.numbers").is_visible()


def test_bibtex_is_copied(visit):
    page = visit(CLAIM)
    page.get_by_text("BibTeX").click()
    button = page.locator("pre.copied + .copy")
    button.click()
    copied = button.filter(has_text="Copied")
    copied.wait_for()  # the clipboard answers later
    assert copied.count() == 1


def test_everything_reads_without_javascript(visit):
    page = visit("index", java_script_enabled=False)
    assert page.locator(".papers li").count() == len(KEYS)
    assert not page.locator(".filters").is_visible()
    page = visit(CLAIM, java_script_enabled=False)
    page.locator("summary", has_text="readings").click()
    assert page.locator(".spec").first.is_visible()


# Not by `key`: with a paper's own tests, each would have a site and a browser for itself.
@pytest.mark.parametrize("shown", KEYS)
def test_a_closed_page_of_up_to_thirty_claims_is_below_six_screens(visit, shown):
    assert len(library.load_paper(shown).claims) <= 30
    assert visit(shown).evaluate("document.body.scrollHeight") < 6 * 900
