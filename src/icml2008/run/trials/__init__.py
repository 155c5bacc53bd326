"""Runs of trials: what a configuration means, what is planned, how it is run and how it ended."""
