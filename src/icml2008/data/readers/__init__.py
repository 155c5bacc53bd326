"""Readers of file formats: each takes a path, packed or not, and knows nothing of the registry."""
