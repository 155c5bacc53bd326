"""BibTeX entries of papers."""

from __future__ import annotations

from icml2008.catalogue.model import Head

_SPECIAL = str.maketrans({letter: f"\\{letter}" for letter in "&%$#_"})


def bibtex(paper: Head) -> str:
    """Return the BibTeX entry of a paper.

    Letters beyond ASCII stand as they are, which BibLaTeX and today's BibTeX styles read.

    Examples
    --------
    >>> print(bibtex(Head(key="doe2008toy", title="A & B", authors=["J. Doe", "A. Roe"],
    ...                   pages=(1, 8), topic="svm")))
    @inproceedings{doe2008toy,
      title = {{A \\& B}},
      author = {J. Doe and A. Roe},
      booktitle = {Proceedings of the 25th International Conference on ...},
      pages = {1--8},
      year = {2008},
      publisher = {ACM},
      address = {Helsinki, Finland},
    }
    """
    venue = paper.venue
    fields = {
        "title": f"{{{paper.title}}}",
        "author": " and ".join(paper.authors),
        {"proceedings": "booktitle", "lectures": "howpublished"}[venue.kind]: venue.booktitle,
        "pages": "--".join(map(str, paper.pages or ())),
        "year": str(venue.year),
        "publisher": venue.publisher,
        "address": venue.address,
    }
    lines = [f"  {name} = {{{escaped(text)}}}," for name, text in fields.items() if text]
    entry = {"proceedings": "inproceedings", "lectures": "misc"}[venue.kind]
    return "\n".join([f"@{entry}{{{paper.key},", *lines, "}"])


def escaped(text: str) -> str:
    """Return text as BibTeX wants it.

    Examples
    --------
    >>> escaped("5 % of A_1 & B")
    '5 \\\\% of A\\\\_1 \\\\& B'
    """
    return text.translate(_SPECIAL)
