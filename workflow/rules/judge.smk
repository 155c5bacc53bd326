rule judge_claims:
    input:
        records="results/{scale}/{paper}/records",
    output:
        verdicts="results/{scale}/{paper}/verdicts.json",
        check="results/{scale}/{paper}/check.json",
    log:
        "logs/{scale}/{paper}/judge.log",
    retries: 0
    localrule: True
    conda:
        "../../environment.yml"
    params:
        code=lambda wildcards: keys.judging_code(wildcards.paper),
        universes=lambda wildcards: universes_of(wildcards.paper),
        reference=lambda wildcards: keys.reference_hash([wildcards.paper]),
        papers_path=RUN.papers_path,
    script:
        "../scripts/judge_claims.py"


rule compare_with_reference:
    input:
        checks=files_of("check.json"),
    output:
        check="results/{scale}/check.json",
    log:
        "logs/{scale}/check.log",
    retries: 0
    localrule: True
    conda:
        "../../environment.yml"
    params:
        papers=PAPERS,
    script:
        "../scripts/compare_with_reference.py"


rule conclude:
    input:
        check="results/{scale}/check.json",
        pages=lambda wildcards: pages_of(wildcards.scale),
        states=lambda wildcards: states_of(PAPERS),
    output:
        done=touch("results/{scale}/done"),
    log:
        "logs/{scale}/conclude.log",
    retries: 0
    localrule: True
    conda:
        "../../environment.yml"
    params:
        papers=PAPERS,
        strict=STRICT,
        papers_path=RUN.papers_path,
    script:
        "../scripts/conclude.py"


rule check:
    input:
        [f"results/{label}/done" for label in LABELS],


rule verdicts:
    input:
        [
            f"results/{label}/{paper}/verdicts.json"
            for label in LABELS
            for paper in PAPERS
        ],
