"""Checks of printed numbers: each rule a function of what a paper prints, in exact arithmetic."""
