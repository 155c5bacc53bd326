"""Low-rank approximations of kernel matrices."""
