rule run_trials:
    input:
        states=shard_states,
    output:
        records="results/{scale}/{paper}/shards/{universe}/{shard}.jsonl",
        cost="results/{scale}/{paper}/shards/{universe}/{shard}.cost.json",
    log:
        "logs/{scale}/{paper}/shards/{universe}/{shard}.log",
    conda:
        "../../environment.yml"
    threads: 1
    params:
        arithmetic=lambda wildcards: planning.arithmetic_of(wildcards.scale),
        work=shard_work,
        versions=numerical_versions(),
        mirrors=RUN.mirrors,
        papers_path=RUN.papers_path,
    script:
        "../scripts/run_trials.py"


rule collect_records:
    input:
        shards=shard_files,
    output:
        records=directory("results/{scale}/{paper}/records"),
    log:
        "logs/{scale}/{paper}/collect.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        universes=lambda wildcards: universes_of(wildcards.paper),
        papers_path=RUN.papers_path,
    script:
        "../scripts/collect_records.py"
