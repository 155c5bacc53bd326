"""The experiments of ICML 2008, re-run and judged."""

__version__ = "0.1.0"
