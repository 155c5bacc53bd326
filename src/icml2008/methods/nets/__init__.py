"""Nets and energy models on matrix products: Boltzmann machines, partition functions, layers."""
