"""Errors and seconds of confidence-weighted learning against today's learners.

Ten folds of each task: the mean error, and the processor time of the fastest of ten fits. All have
the parameters that their libraries start with. olpy keeps a dense covariance of all pairs of
features, 68 GB for the words and pairs of kitchen, so it is met on the 200 most frequent features,
for which ours stands there once more. Needs ``pip install olpy 'setuptools<81'``.
"""

import time

import numpy as np
from olpy.classifiers import AROW, CW
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import SGDClassifier
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from icml2008.data import load
from icml2008.papers.dredze2008confidence.experiments import PASSES, TASKS, source_of
from icml2008.papers.dredze2008confidence.method import ConfidenceWeighted
from icml2008.papers.dredze2008confidence.tasks import bags

PACKAGES = ("numpy", "scikit-learn", "olpy")

WORDS = 200
PA = {"loss": "hinge", "penalty": None, "learning_rate": "pa1", "eta0": 1.0}  # as scikit-learn says
SOLVERS = {
    "all": {
        "ConfidenceWeighted": ConfidenceWeighted,
        "ConfidenceWeighted, one pass": lambda: ConfidenceWeighted(max_iter=1),
        "scikit-learn PA": lambda: SGDClassifier(**PA, max_iter=PASSES, tol=None, random_state=0),
        "scikit-learn SGD": lambda: SGDClassifier(random_state=0),
        "LinearSVC": lambda: LinearSVC(random_state=0),
        "TFIDF and LinearSVC": lambda: make_pipeline(TfidfTransformer(), LinearSVC(random_state=0)),
    },
    WORDS: {
        "ConfidenceWeighted, one pass": lambda: ConfidenceWeighted(max_iter=1),
        "olpy CW": lambda: CW(random_state=0),
        "olpy AROW": lambda: AROW(random_state=0),
    },
}


def rows():
    """Yield a row for each task, number of features and solver."""
    ConfidenceWeighted().fit(np.eye(2), [0, 1])  # compiles it
    for task in TASKS:
        (source,) = source_of({"task": task})
        X, y = bags(load(source), task, "kept")
        folds = np.array_split(np.random.default_rng(0).permutation(len(y)), 10)
        for features, solvers in SOLVERS.items():
            if features == WORDS:
                X = X[:, np.sort(np.argsort(-X.sum(axis=0), kind="stable")[:WORDS])].toarray()
            for name, make in solvers.items():
                seconds = []
                wrong = 0
                for k, test in enumerate(folds):
                    train = np.concatenate(folds[:k] + folds[k + 1 :])
                    examples = X[train]
                    labels = y[train]
                    start = time.process_time()
                    model = make().fit(examples, labels)
                    seconds.append(time.process_time() - start)
                    wrong += np.sum(np.asarray(model.predict(X[test])) != y[test])
                yield {
                    "task": task,
                    "features": X.shape[1],
                    "solver": name,
                    "error": f"{100 * wrong / len(y):.2f}",
                    "seconds": f"{min(seconds):.3g}",
                }
