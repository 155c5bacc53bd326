rule render_report:
    input:
        verdicts=verdict_files,
        check="results/{scale}/check.json",
        states=state_files,
    output:
        page="results/{scale}/report/index.html",
    log:
        "logs/{scale}/report.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        papers=PAPERS,
        code=keys.rendering_code(PAPERS),
        reference=lambda wildcards: keys.reference_hash(PAPERS),
        papers_path=RUN.papers_path,
    script:
        "../scripts/render_report.py"


rule publish_figure:
    input:
        verdicts=ancient("results/reference/{paper}/verdicts.json"),
    output:
        svg="figures/{paper}.svg",
        png="figures/{paper}.png",
    log:
        "logs/figures/{paper}.log",
    localrule: True
    conda:
        "../../environment.yml"
    params:
        code=lambda wildcards: keys.rendering_code([wildcards.paper]),
        reference=lambda wildcards: keys.reference_hash([wildcards.paper]),
        papers_path=RUN.papers_path,
    script:
        "../scripts/publish_figure.py"


rule site:
    input:
        f"results/{SCALE}/report/index.html",


rule full:
    input:
        final_targets("full"),


for key in PAPERS:

    rule:
        name:
            key
        input:
            f"results/{SCALE}/{key}/verdicts.json",
