rule run_trials:
    input:
        states=lambda wildcards: PRODUCTS.states_for_trials(
            wildcards.scale, wildcards.paper
        ),
    output:
        records=directory("results/{scale}/{paper}/records"),
    log:
        "logs/{scale}/{paper}/trials.log",
    conda:
        "../../environment.yml"
    threads: lambda wildcards: min(len(plan_of(wildcards).shards), MOST_AT_ONCE)
    resources:
        runtime=lambda wildcards, threads, attempt: demands.minutes(
            plan_of(wildcards), threads, attempt
        ),
        mem_mb=lambda wildcards, threads, attempt: demands.mebibytes(
            plan_of(wildcards), threads, attempt
        ),
    params:
        arithmetic=lambda wildcards: configuration.arithmetic_of(wildcards.scale),
        universes=lambda wildcards: plan_of(wildcards).universes,
        shards=lambda wildcards: plan_of(wildcards).shards,
        reads=lambda wildcards: plan_of(wildcards).reads,
        mirrors=RUN.mirrors,
        reuse=RUN.reuse,
        papers_path=RUN.papers_path,
    script:
        "../scripts/step.py"
