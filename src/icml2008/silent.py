"""The solver HiGHS without a word of its own."""

from __future__ import annotations

try:
    import highspy
except ModuleNotFoundError:
    _MSG = "a linear program needs highspy; install: pip install 'icml2008[methods]'"
    raise ImportError(_MSG, name="highspy") from None


class SilentHighs(highspy.Highs):
    """HiGHS with its output off from the first.

    From version 1.16 on it prints a banner while callbacks are enabled, which its constructor does
    before any option can be set.
    """

    def enableCallbacks(self) -> None:  # noqa: N802, the solver's own name
        """Turn the output off, then let callbacks be called."""
        self.setOptionValue("output_flag", False)
        super().enableCallbacks()
