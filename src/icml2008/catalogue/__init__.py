"""What knows that there are papers: their model, the library of them, how much is re-run."""
