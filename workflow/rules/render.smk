rule render_index:
    input:
        checks=files_of("check.json"),
        overviews=files_of("overview.json"),
    output:
        check="results/{scale}/check.json",
        page="results/{scale}/report/index.html",
        quality="results/{scale}/report/quality.html",
    log:
        "logs/{scale}/index.log",
    retries: 0
    localrule: True
    conda:
        "../../environment.yml"
    params:
        papers=PAPERS,
        data=lambda wildcards: all_data(wildcards.scale),
        strict=STRICT,
        rendering=lambda wildcards: rendering_of(wildcards.scale),
        papers_path=RUN.papers_path,
    script:
        "../scripts/step.py"


rule render_audit:
    output:
        page="results/{scale}/report/audit.html",
    log:
        "logs/{scale}/audit.log",
    retries: 0
    localrule: True
    conda:
        "../../environment.yml"
    params:
        rendering=lambda wildcards: rendering_of(wildcards.scale),
        facts=keys.facts_of_all(),
        papers_path=RUN.papers_path,
    script:
        "../scripts/step.py"


rule publish_figures:
    input:
        verdicts=ancient("results/reference/{paper}/verdicts.json"),
    output:
        folder=directory("figures/{paper}"),
    log:
        "logs/figures/{paper}.log",
    retries: 0
    localrule: True
    conda:
        "../../environment.yml"
    params:
        drawing=lambda wildcards: plan_of(wildcards, "full").drawing,
        reference=lambda wildcards: plan_of(wildcards, "full").reference,
        papers_path=RUN.papers_path,
    script:
        "../scripts/step.py"


rule site:
    input:
        [
            f"results/{label}/report/{name}.html"
            for label in LABELS
            for name in ("index", "audit")
        ],


rule figures:
    input:
        published_figures(),


rule full:
    input:
        "results/full/done",


for key in PAPERS:

    rule:
        name:
            key
        input:
            [f"results/{label}/{key}/verdicts.json" for label in LABELS],
