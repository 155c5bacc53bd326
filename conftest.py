"""How property tests are run: the same examples each time, however slow the machine is."""

import os

from hypothesis import HealthCheck, settings

# EXAMPLES=10000 makes a long run.
settings.register_profile(
    "icml2008",
    deadline=None,
    derandomize=True,
    max_examples=int(os.environ.get("EXAMPLES", "50")),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("icml2008")
