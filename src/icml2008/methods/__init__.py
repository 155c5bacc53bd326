"""Methods of the papers, as estimators that can be used on their own.

Names are loaded on first use, so that importing one method does not import the others.
"""

from __future__ import annotations

from importlib import import_module

# one line a public name, sorted: name -> module of this package that defines it
_MODULES = {
    "Banditron": "banditron",
    "Bolasso": "bolasso.estimators",
    "BolassoCV": "bolasso.estimators",
    "CompositeLevelSet": "active.composite",
    "CompositeLikelihood": "composite_likelihood.estimator",
    "ConvexClustering": "clustering.convex",
    "ConvexHullValueIteration": "planning.convex_hull",
    "ConvexPotentialBooster": "boosting.convex",
    "CovariateShiftMatching": "multitask.matching",
    "DistributionMatching": "multitask.matching",
    "GrowingBasis": "value_functions.growing",
    "HierarchicalBayesLogistic": "multitask.baselines",
    "InfiniteExemplars": "clustering.infinite",
    "KernelVectorQuantization": "clustering.vector_quantization",
    "LinearFixedPoint": "value_functions.linear",
    "LinearModel": "value_functions.linear",
    "ListMLE": "listwise.rankers",
    "ListNet": "listwise.rankers",
    "MIC": "multiple_instance",
    "MIRank": "multiple_instance",
    "MISVM": "ranking_baselines",
    "MarkovRewardProcess": "value_functions.process",
    "MartingaleBooster": "boosting.martingale",
    "MultiObjectiveMDP": "planning.mdp",
    "MultiTaskGaussianProcess": "multitask.gaussian_process",
    "MulticlassPerceptron": "banditron",
    "OptimisticLinearSupport": "planning.linear_support",
    "OrdinaryKriging": "active.kriging",
    "PointCloudGraph": "graph_kernels.graph",
    "PointCloudKernel": "graph_kernels.kernel",
    "PooledLogistic": "multitask.baselines",
    "Potential": "boosting.potentials",
    "RankCosine": "listwise.rankers",
    "RankedBandits": "bandits.ranked",
    "RankedExploreAndCommit": "bandits.explore",
    "RankingSVM": "ranking_baselines",
    "SMOClassifier": "smo",
    "SeparateLogistic": "multitask.baselines",
    "SoftKMeans": "clustering.soft_kmeans",
    "StabilitySelection": "bolasso.stability",
    "bellman_error": "value_functions.linear",
    "best_ranking": "bandits.offline",
    "bolasso_path": "bolasso.paths",
    "complete_matrix": "low_rank",
    "convex_clustering_path": "clustering.convex",
    "drug_indicator_kernel": "multitask.task_kernels",
    "greedy_ranking": "bandits.offline",
    "hard_sample": "boosting.hard",
    "lasso_homotopy": "bolasso.paths",
    "mic_path": "multiple_instance",
    "mirank_path": "multiple_instance",
    "mutation_table_kernel": "multitask.task_kernels",
    "rank_bags": "bags",
    "reference_beta": "clustering._dissimilarities",
    "resampling_weights": "multitask.matching",
    "robust_pca": "low_rank",
    "selection_steps": "bolasso.steps",
    "skeleton_graph": "graph_kernels.skeleton",
    "upper_envelope": "planning.envelope",
    "value_iteration": "planning.scalar",
}

__all__ = sorted(_MODULES)


def __getattr__(name: str):
    if name not in _MODULES:
        from icml2008.errors import nearest

        msg = f"module {__name__!r} has no attribute {name!r}{nearest(name, _MODULES)}"
        raise AttributeError(msg)
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
