"""Methods of the papers, as estimators that can be used on their own.

A method begins in its paper's folder. It comes here when a benchmark shows that it beats its peers,
or when a second paper uses it; by its public name it is found here from the beginning.
"""

from __future__ import annotations

from icml2008.lazy import names_of

# one line a public name, sorted: name -> module that defines it
_MODULES = {
    "Banditron": "papers.kakade2008efficient.method",
    "Bolasso": "methods.bolasso.estimators",
    "BolassoCV": "methods.bolasso.estimators",
    "CompositeLevelSet": "methods.active.composite",
    "CompositeLikelihood": "papers.liang2008asymptotic.method.estimator",
    "ConfidenceWeighted": "papers.dredze2008confidence.method",
    "ConvexClustering": "methods.clustering.convex",
    "ConvexHullValueIteration": "methods.planning.convex_hull",
    "ConvexPotentialBooster": "papers.long2008random.method.convex",
    "CostCurve": "papers.dugas2008costcurves.method",
    "CovariateShiftMatching": "methods.multitask.matching",
    "DistributionMatching": "methods.multitask.matching",
    "GrowingBasis": "papers.parr2008linear.method.growing",
    "HierarchicalBayesLogistic": "methods.multitask.baselines",
    "InfiniteExemplars": "methods.clustering.infinite",
    "KernelVectorQuantization": "methods.clustering.vector_quantization",
    "LinearFixedPoint": "papers.parr2008linear.method.linear",
    "LinearModel": "papers.parr2008linear.method.linear",
    "ListMLE": "methods.listwise.rankers",
    "ListNet": "methods.listwise.rankers",
    "MIC": "methods.bag_ranking.multiple_instance",
    "MIRank": "methods.bag_ranking.multiple_instance",
    "MISVM": "methods.bag_ranking.baselines",
    "MarkovRewardProcess": "papers.parr2008linear.method.process",
    "MartingaleBooster": "papers.long2008random.method.martingale",
    "MultiObjectiveMDP": "methods.planning.mdp",
    "MultiTaskGaussianProcess": "methods.multitask.gaussian_process",
    "MulticlassPerceptron": "papers.kakade2008efficient.method",
    "MultiplicityGapSelector": "papers.palatucci2008chance.method",
    "OptimisticLinearSupport": "methods.planning.linear_support",
    "OrdinaryKriging": "methods.active.kriging",
    "PointCloudGraph": "methods.graph_kernels.graph",
    "PointCloudKernel": "methods.graph_kernels.kernel",
    "PooledLogistic": "methods.multitask.baselines",
    "Potential": "papers.long2008random.method.potentials",
    "RankCosine": "methods.listwise.rankers",
    "RankedBandits": "methods.bandits.ranked",
    "RankedExploreAndCommit": "methods.bandits.explore",
    "RankingSVM": "methods.bag_ranking.baselines",
    "SMOClassifier": "methods.smo",
    "SeparateLogistic": "methods.multitask.baselines",
    "SoftKMeans": "methods.clustering.soft_kmeans",
    "StabilitySelection": "methods.bolasso.stability",
    "bellman_error": "papers.parr2008linear.method.linear",
    "best_ranking": "methods.bandits.offline",
    "bolasso_path": "methods.bolasso.paths",
    "combine": "papers.dredze2008confidence.method",
    "complete_matrix": "papers.foundations.low_rank",
    "convex_clustering_path": "methods.clustering.convex",
    "drug_indicator_kernel": "methods.multitask.task_kernels",
    "expected_best_chance_accuracy": "papers.palatucci2008chance.method",
    "greedy_ranking": "methods.bandits.offline",
    "guessers_needed": "papers.palatucci2008chance.method",
    "hard_sample": "papers.long2008random.method.hard",
    "lasso_homotopy": "methods.bolasso.paths",
    "mic_path": "methods.bag_ranking.multiple_instance",
    "mirank_path": "methods.bag_ranking.multiple_instance",
    "mutation_table_kernel": "methods.multitask.task_kernels",
    "rank_bags": "methods.bag_ranking.bags",
    "reference_beta": "methods.clustering._dissimilarities",
    "resampling_weights": "methods.multitask.matching",
    "robust_pca": "papers.foundations.low_rank",
    "selection_steps": "methods.bolasso.steps",
    "skeleton_graph": "methods.graph_kernels.skeleton",
    "upper_envelope": "methods.planning.envelope",
    "value_iteration": "methods.planning.scalar",
}

__getattr__, __dir__, __all__ = names_of(
    __name__, {name: f"icml2008.{module}" for name, module in _MODULES.items()}
)
