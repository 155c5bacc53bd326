# The workflow is workflow/Snakefile; an include alone would run nothing.
include: "workflow/Snakefile"


rule everything:
    default_target: True
    input:
        rules.all.input,
