"""How the suite is handed out to processes."""

from itertools import groupby


def group_of(item):
    return item.get_closest_marker("xdist_group").args[0]


def test_the_tests_of_a_paper_or_of_a_file_follow_each_other(request):
    groups = [group for group, _ in groupby(map(group_of, request.session.items))]
    assert len(groups) == len(set(groups))


def test_a_test_for_each_paper_is_with_the_papers_own(request):
    items = request.session.items
    by_paper = {
        item.callspec.params.get("key"): item for item in items if hasattr(item, "callspec")
    }
    for name in by_paper.keys() & {item.path.stem.removeprefix("test_") for item in items}:
        assert group_of(by_paper[name]) == name
