rule render_paper:
    input:
        verdicts="results/{scale}/{paper}/verdicts.json",
        states=lambda wildcards: states_of([wildcards.paper]),
    output:
        page="results/{scale}/report/{paper}.html",
        verdicts="results/{scale}/report/{paper}.json",
    log:
        "logs/{scale}/{paper}/page.log",
    wildcard_constraints:
        paper=r"(?!(?:index|audit)\.)[^/]+",
    retries: 0
    localrule: True
    conda:
        "../../environment.yml"
    params:
        code=lambda wildcards: keys.rendering_code([wildcards.paper]),
        reference=lambda wildcards: keys.reference_hash([wildcards.paper]),
        papers_path=RUN.papers_path,
    script:
        "../scripts/render_paper.py"


rule render_index:
    input:
        verdicts=files_of("verdicts.json"),
        check="results/{scale}/check.json",
        states=lambda wildcards: states_of(PAPERS),
    output:
        page="results/{scale}/report/index.html",
        audit="results/{scale}/report/audit.html",
    log:
        "logs/{scale}/report.log",
    retries: 0
    localrule: True
    conda:
        "../../environment.yml"
    params:
        papers=PAPERS,
        strict=STRICT,
        code=lambda wildcards: keys.rendering_code(PAPERS),
        reference=lambda wildcards: keys.reference_hash(PAPERS),
        papers_path=RUN.papers_path,
    script:
        "../scripts/render_index.py"


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
        code=lambda wildcards: keys.rendering_code([wildcards.paper]),
        reference=lambda wildcards: keys.reference_hash([wildcards.paper]),
        papers_path=RUN.papers_path,
    script:
        "../scripts/publish_figures.py"


rule site:
    input:
        [page for label in LABELS for page in pages_of(label)],


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
