"""What a booster of one's own promises, held against what it does."""

from icml2008.harness.watching import TwoLabels as Booster

__all__ = ["Booster"]
