"""Trials, shards, records and choices: how an experiment is run, whatever it is about.

Papers write ``from icml2008.harness.experiment import experiment, grid``.
"""
