"""Boosting under label noise: convex potentials, the sample that defeats each, and a contrast."""
