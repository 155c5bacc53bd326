"""All experiments on the two lecture courses, from the modules of their subjects."""

# A module a lecture: what the harness is to find is named here.
from icml2008.papers.foundations.clusters import (
    centres_of_clusters,
    clusterings,
    knee,
    outliers,
    seeds,
)
from icml2008.papers.foundations.densities import (
    bins_in_many_dimensions,
    kernel_density,
    mass_of_the_estimate,
)
from icml2008.papers.foundations.features import (
    penalty_path,
    subsets,
    support_recovery,
)
from icml2008.papers.foundations.linear import (
    kernel_components,
    least_squares_on_components,
    principal_components,
    scaling_of_distances,
)
from icml2008.papers.foundations.machines import (
    dual_and_primal,
    growth_of_the_work,
    kernel_ridge,
    printed_update,
)
from icml2008.papers.foundations.manifold import unroll
from icml2008.papers.foundations.mixtures import ascent, hard_limit, maximum_of_q, shapes, speed
from icml2008.papers.foundations.neighbours import against_the_bayes_risk, more_features
from icml2008.papers.foundations.networks import (
    approximation,
    descent,
    exclusive_or,
    overfitting,
    printed_gradient,
)
from icml2008.papers.foundations.recovery import (
    coherence,
    completion,
    completion_by_size,
    degrees_of_freedom,
    one_bad_entry,
    separation,
    weight_of_the_sparse_part,
)
from icml2008.papers.foundations.validation import (
    estimates_of_risk,
    holdout_error,
    optimism_of_the_best,
)

__all__ = [
    "against_the_bayes_risk",
    "approximation",
    "ascent",
    "bins_in_many_dimensions",
    "centres_of_clusters",
    "clusterings",
    "coherence",
    "completion",
    "completion_by_size",
    "degrees_of_freedom",
    "descent",
    "dual_and_primal",
    "estimates_of_risk",
    "exclusive_or",
    "growth_of_the_work",
    "hard_limit",
    "holdout_error",
    "kernel_components",
    "kernel_density",
    "kernel_ridge",
    "knee",
    "least_squares_on_components",
    "mass_of_the_estimate",
    "maximum_of_q",
    "more_features",
    "one_bad_entry",
    "optimism_of_the_best",
    "outliers",
    "overfitting",
    "penalty_path",
    "principal_components",
    "printed_gradient",
    "printed_update",
    "scaling_of_distances",
    "seeds",
    "separation",
    "shapes",
    "speed",
    "subsets",
    "support_recovery",
    "unroll",
    "weight_of_the_sparse_part",
]
