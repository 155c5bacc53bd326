"""What Mean Map is compared with: kernel densities, a sorted support vector machine."""

import numpy as np
from scipy.special import logsumexp
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.svm import SVC

WIDTHS = 2.0 ** np.arange(-4, 2.5, 0.5)
COSTS = (0.1, 1.0, 10.0, 100.0)


def log_density(squared, width, n_features):
    """Return the log of a Gaussian kernel density, but for a constant, from squared distances."""
    exponents = -squared / (2 * width**2)
    return logsumexp(exponents, axis=1) - np.log(squared.shape[1]) - n_features * np.log(width)


def fold_likelihoods(squared, folds, n_features):
    """Return the log-likelihood, for each width, of each fold under the density of the others."""
    likelihoods = []
    for width in WIDTHS:
        total = 0.0
        for number, held in enumerate(folds):
            others = np.concatenate([*folds[:number], *folds[number + 1 :]])
            total += np.sum(log_density(squared[np.ix_(held, others)], width, n_features))
        likelihoods.append(total)
    return np.array(likelihoods)


def class_scores(logs, weights):
    """Return weighted sums of densities, each row in units of its largest density.

    Parameters
    ----------
    logs : ndarray of shape (n_rows, n_bags)
        Log densities of the bags.
    weights : ndarray of shape (n_classes, n_bags)
        Shares of classes times the unmixing matrix, Equation 24.
    """
    return np.exp(logs - logs.max(axis=1, keepdims=True)) @ weights.T


def spreads(X, floor):
    """Return the standard deviation of each feature, at least a share of the larger ones given."""
    return np.maximum(X.std(axis=0), np.maximum(0.05 * floor, 1e-12))


def squared_distances(rows, others, scale):
    return euclidean_distances(rows / scale, others / scale, squared=True)


def bag_scores(gram, in_first, train, rows, cost):
    """Return a support vector machine's scores of rows, higher for the first bag."""
    svm = SVC(C=cost, kernel="precomputed").fit(gram[np.ix_(train, train)], in_first[train])
    return svm.decision_function(gram[np.ix_(rows, train)])


def sort_by_share(scores, reference, share):
    """Return 0 for the scores that are among the largest share of the reference's, else 1."""
    threshold = np.quantile(reference, 1 - share)
    return np.where(scores > threshold, 0, 1)
