"""Tables, figures and the page: the printed value beside the reproduced one everywhere.

Import from the modules: `model` says what a report is made of, `tables`, `figures`, `site` and
`text` write it.
"""
