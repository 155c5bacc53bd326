rule render_index:
    input:
        checks=PRODUCTS.of_all_papers("check.json"),
        overviews=PRODUCTS.of_all_papers("overview.json"),
    output:
        check=report(
            "results/{scale}/check.json",
            caption="../report/check.rst",
            category="Run",
            labels={"page": "has a number moved", "scale": "{scale}"},
        ),
        page=report(
            "results/{scale}/report/index.html",
            caption="../report/index.rst",
            category="Run",
            labels={"page": "scoreboard", "scale": "{scale}"},
        ),
        quality=report(
            "results/{scale}/report/quality.html",
            caption="../report/quality.rst",
            category="Run",
            labels={"page": "quality", "scale": "{scale}"},
        ),
    log:
        "logs/{scale}/index.log",
    retries: 0
    localrule: True
    conda:
        "../../environment.yml"
    params:
        papers=PAPERS,
        data=lambda wildcards: PRODUCTS.data(wildcards.scale),
        strict=STRICT,
        rendering=lambda wildcards: PRODUCTS.renderings(wildcards.scale),
        papers_path=RUN.papers_path,
    script:
        "../scripts/step.py"


rule render_audit:
    output:
        page=report(
            "results/{scale}/report/audit.html",
            caption="../report/audit.rst",
            category="Run",
            labels={"page": "audit", "scale": "{scale}"},
        ),
    log:
        "logs/{scale}/audit.log",
    retries: 0
    localrule: True
    conda:
        "../../environment.yml"
    params:
        rendering=lambda wildcards: PRODUCTS.renderings(wildcards.scale),
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
        PRODUCTS.figures(),


rule full:
    input:
        PRODUCTS.of_run("full"),


for key in PAPERS:

    rule:
        name:
            key
        input:
            [file for label in LABELS for file in PRODUCTS.of_paper(label, key)],
