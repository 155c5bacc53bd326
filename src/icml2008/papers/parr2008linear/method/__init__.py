"""Linear value functions, the linear models that they imply, and features for them."""
