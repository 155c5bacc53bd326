rule fetch_data:
    output:
        state="results/data/{dataset}.json",
    log:
        "logs/data/{dataset}.log",
    localrule: True  # nodes of a cluster often have no network
    conda:
        "../../environment.yml"
    params:
        mirrors=RUN.mirrors,
        again=lambda wildcards: PRODUCTS.fetched_again(wildcards.dataset),
        papers_path=RUN.papers_path,
    script:
        "../scripts/step.py"
