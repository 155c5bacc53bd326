"""Variable selection by resampled Lasso paths: the Bolasso and stability selection."""
