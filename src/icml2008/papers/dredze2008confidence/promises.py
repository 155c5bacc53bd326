"""What a classifier of one's own promises, held against what it does."""

from icml2008.harness.watching import TwoLabels as TextClassifier

__all__ = ["TextClassifier"]
