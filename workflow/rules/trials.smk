rule run_trials:
    input:
        states=shard_states,
    output:
        records="results/{scale}/{paper}/{experiment}/{universe}/shards/{shard}.jsonl",
        cost="results/{scale}/{paper}/{experiment}/{universe}/shards/{shard}.cost.json",
    log:
        "logs/{scale}/{paper}/{experiment}/{universe}/{shard}.log",
    conda:
        "../../environment.yml"
    threads: 1
    params:
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
        records="results/{scale}/{paper}/{experiment}/{universe}/records.jsonl",
        kept="results/{scale}/{paper}/{experiment}/{universe}/kept.jsonl",
    log:
        "logs/{scale}/{paper}/{experiment}/{universe}/collect.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        papers_path=RUN.papers_path,
    script:
        "../scripts/collect_records.py"
