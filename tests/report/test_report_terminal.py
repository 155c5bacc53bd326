from dataclasses import replace

from icml2008.report.terminal import verdict_lines


def show(*results, **how):
    return "\n".join(verdict_lines(list(results), **how))


def test_no_line_is_wider_than_the_terminal(both):
    assert max(map(len, show(both).splitlines())) <= 80


def test_each_claim_and_part_has_one_line_with_its_verdict(preliminary):
    lines = [line.split() for line in show(preliminary).splitlines() if line.strip()]
    assert ["iris", "above", "0", "3.12", "[1.88,", "4.38]", "✓", "confirmed"] in lines
    assert ["wine", "70.5", "60.25", "[59.00,", "61.50]", "✗", "refuted"] in lines
    assert ["on-a-cluster", "–", "untested"] in lines


def test_what_is_not_the_papers_stands_apart_and_in_no_total(preliminary):
    for row in preliminary.current[:3]:
        row["status"] = "ours"
    text = show(preliminary)
    assert text.index("wine") < text.index("beyond the paper:") < text.index("a-beats-b")
    assert "The paper's claims: 1 refuted, 1 untested." in text


def test_names_are_no_markup(preliminary):
    preliminary.current[1]["part"] = "dataset=[red]x[/red]"
    assert "[red]x[/red]" in show(preliminary)


def test_preliminary_verdicts_are_pointed_out(preliminary, both):
    assert "preliminary" in show(preliminary)
    assert "preliminary" not in show(replace(both, current=[]))


def test_choices_that_were_tried_stand_below_the_name_and_fit_the_terminal(preliminary):
    preliminary.current[0] |= {"robustness": "fragile: ties, order", "choices": list("abcd")}
    preliminary.current[0] |= {"tried": list("abc"), "turned_by": ["ties", "order"]}
    text = show(preliminary)
    assert max(map(len, text.splitlines())) <= 80
    assert "3 of 4 choices tried" in " ".join(text.split())
