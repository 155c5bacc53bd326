rule judge_paper:
    input:
        records="results/{scale}/{paper}/records",
        states=lambda wildcards: states_of(plan_of(wildcards).data),
    output:
        verdicts="results/{scale}/{paper}/verdicts.json",
        check="results/{scale}/{paper}/check.json",
        overview="results/{scale}/{paper}/overview.json",
        page=report(
            "results/{scale}/report/{paper}.html",
            caption="../report/paper.rst",
            category="Papers",
            labels={"paper": "{paper}", "scale": "{scale}"},
        ),
    log:
        "logs/{scale}/{paper}/judge.log",
    retries: 0
    localrule: True
    conda:
        "../../environment.yml"
    params:
        judging=lambda wildcards: plan_of(wildcards).judging,
        rendering=lambda wildcards: plan_of(wildcards).rendering,
        reference=lambda wildcards: plan_of(wildcards).reference,
        universes=lambda wildcards: plan_of(wildcards).universes,
        papers_path=RUN.papers_path,
    script:
        "../scripts/step.py"


rule conclude:
    input:
        check="results/{scale}/check.json",
        index="results/{scale}/report/index.html",
        audit="results/{scale}/report/audit.html",
    output:
        done=touch("results/{scale}/done"),
    log:
        "logs/{scale}/conclude.log",
    retries: 0
    localrule: True
    conda:
        "../../environment.yml"
    params:
        data=lambda wildcards: PRODUCTS.data(wildcards.scale),
        strict=STRICT,
        papers_path=RUN.papers_path,
    script:
        "../scripts/step.py"


rule check:
    input:
        [file for label in LABELS for file in PRODUCTS.of_run(label)],


rule verdicts:
    input:
        [
            f"results/{label}/{paper}/verdicts.json"
            for label in LABELS
            for paper in PAPERS
        ],
