"""Kernels between graphs whose vertices are points in space."""
