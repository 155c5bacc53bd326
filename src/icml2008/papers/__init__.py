"""The papers, a folder each."""
