"""Graphs of nearest neighbours, on which few labels are spread."""
