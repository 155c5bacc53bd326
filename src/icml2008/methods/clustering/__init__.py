"""Clustering and density estimation by exemplars: convex master problems over candidate points."""
