from dataclasses import replace


def test_entries_follow_the_paper_and_put_the_whole_before_its_parts(preliminary):
    names = [(entry.claim, entry.part) for entry in preliminary.shown_claims()]
    assert names == [
        ("a-beats-b", ""),
        ("a-beats-b", "dataset=iris"),
        ("a-beats-b", "dataset=wine"),
        ("a-accuracy", ""),
        ("a-accuracy", "dataset=iris"),
        ("a-accuracy", "dataset=wine"),
        ("on-a-cluster", ""),
    ]


def test_entries_do_not_depend_on_the_order_of_the_verdicts(preliminary):
    shuffled = replace(preliminary, current=preliminary.current[::-1])
    assert shuffled.shown_claims() == preliminary.shown_claims()


def test_the_reference_is_shown_with_this_run_beside_it(both):
    for entry in both.shown_claims():
        if entry.claim != "on-a-cluster":
            assert (entry.shown["scale"], entry.beside["scale"]) == ("full", "quick")


def test_without_a_reference_this_run_is_shown_and_nothing_beside_it(preliminary):
    assert all(entry.beside is None for entry in preliminary.shown_claims())
    assert preliminary.shown_claims()[0].shown["scale"] == "quick"


def test_a_claim_without_verdict_is_untested_for_its_declared_reason(preliminary):
    last = preliminary.shown_claims()[-1].shown
    assert (last["verdict"], last["reason"]) == ("untested", "needs hardware")


def test_a_claim_that_only_the_reference_knows_comes_last(both, verdict):
    gone = verdict("a-beats-b") | {"claim": "a-former-claim"}
    results = replace(both, reference=[gone, *both.reference])
    assert results.shown_claims()[-1].claim == "a-former-claim"


def test_counts_are_of_whole_claims_in_the_default_universe(both):
    assert both.counts() == {"inconclusive": 1, "refuted": 1, "untested": 1}


def test_what_a_claim_repeats_is_counted_once(both):
    rows = [row | {"same_as": "a-beats-b"} if row["claim"] == "a-accuracy" else row
            for row in both.reference]  # fmt: skip
    assert replace(both, reference=rows).counts() == {"inconclusive": 1, "untested": 1}


def test_a_claim_that_waits_is_the_papers_own(preliminary):
    preliminary.current[3] |= {"status": None}
    assert "a-accuracy" in {entry.claim for entry in preliminary.grouped()["own"]}


def test_claims_are_grouped_by_whose_they_are(preliminary):
    preliminary.current[0] |= {"status": "stand_in"}
    preliminary.current[3] |= {"status": "ours"}
    groups = preliminary.grouped()
    assert list(groups) == ["own", "ours", "stand_in"]
    assert [entry.claim for entry in groups["ours"]] == ["a-accuracy"]
    assert preliminary.counts("stand_in") == {"inconclusive": 1}


def test_other_universes_are_apart(both):
    assert both.universes() == ["ties=random"]
    assert all(entry.shown["universe"] == "default" for entry in both.shown_claims()[:-1])


def test_only_claims_whose_verdict_differs_are_turned(both):
    verdicts = [(verdict["claim"], verdict["verdict"]) for verdict in both.turned()]
    assert verdicts == [("a-beats-b", "refuted")]  # the other one is refuted by default, too
