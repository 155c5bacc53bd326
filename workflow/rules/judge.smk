rule judge_claims:
    input:
        records="results/{scale}/{paper}/records",
    output:
        verdicts="results/{scale}/{paper}/verdicts.json",
    log:
        "logs/{scale}/{paper}/judge.log",
    retries: 0
    localrule: True
    conda:
        "../../environment.yml"
    params:
        code=lambda wildcards: keys.judging_code(wildcards.paper),
        universes=lambda wildcards: universes_of(wildcards.paper),
        papers_path=RUN.papers_path,
    script:
        "../scripts/judge_claims.py"


rule compare_with_reference:
    input:
        verdicts=verdict_files,
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
        code=lambda wildcards: code_hash(["icml2008.workflow.check"]),
        reference=lambda wildcards: keys.reference_hash(PAPERS),
        papers_path=RUN.papers_path,
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
        f"results/{SCALE}/done",


rule verdicts:
    input:
        [f"results/{SCALE}/{paper}/verdicts.json" for paper in PAPERS],
