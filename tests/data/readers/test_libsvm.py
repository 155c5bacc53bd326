"""LIBSVM files: as scikit-learn reads them, and what it lets through is refused."""

from __future__ import annotations

import pytest

from icml2008.data.readers.text import Unreadable
from icml2008.data.tables import load_libsvm


@pytest.fixture
def load(tmp_path):
    def table(text, n_features=3):
        path = tmp_path / "rows.svm"
        path.write_bytes(text.encode("utf-8"))
        return load_libsvm(path, n_features=n_features)

    return table


def test_labels_values_comments_and_a_byte_order_mark(load):
    table = load("\ufeff+1 1:.5 3:-2e1 # a note\n\n-1 qid:4 2:7\n")
    assert table.X.toarray().tolist() == [[0.5, 0, -20], [0, 7, 0]]
    assert table.y.tolist() == [1, -1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 1:2\n-1 2:nan\n", "rows.svm, line 2, column '2', value 'nan': is no finite number"),
        ("1 1:-inf\n", "line 1, column '1', value '-inf': is no finite number"),
        ("# none\n1 1:1e999\n", "line 2, column '1', value '1e999': is no finite number"),
        ("nan 1:1\n", "line 1, column 'label', value 'nan': is no finite number"),
        ("1 1:1\n2,3 1:1\n", "line 2, column 'label', value '2,3': are several labels"),
        ("1:1 2:1\n", "line 1, column 'label', value '1:1': is no finite number"),
        ("1 one\n", "line 1, value 'one': is no index and value"),
        ("1 0:1\n", "line 1, column '0', value '1': indices rise from 1 to n_features, here 3"),
        ("1 1:1\n1 4:1\n", "line 2, column '4', value '1': indices rise"),
        ("1 2:1 1:1\n", "line 1, column '1', value '1': indices rise .* this one follows 2"),
        ("1 2:1 2:1\n", "this one follows 2"),
        ("# nothing\n", "rows.svm: there is no row"),
    ],
)
def test_what_is_no_row_of_finite_numbers_is_refused_with_its_place(load, text, message):
    with pytest.raises(Unreadable, match=message):
        load(text)
