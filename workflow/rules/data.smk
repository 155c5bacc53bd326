rule fetch_data:
    output:
        state="results/data/{dataset}.json",
    log:
        "logs/data/{dataset}.log",
    conda:
        "../../environment.yml"
    params:
        mirrors=RUN.mirrors,
        again=fetch_again,
    script:
        "../scripts/step.py"
