"""What archives and indexes are told of the project, from `CITATION.cff` and `pyproject.toml`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from typing import Any

from icml2008.report.citable import PROCEEDINGS

CODEMETA = "codemeta.json"
ZENODO = ".zenodo.json"

Facts = Mapping[str, Any]


def descriptions(cited: Facts, project: Facts) -> dict[str, bytes]:
    """Return the files that describe the project to others' programs, by name.

    Parameters
    ----------
    cited : mapping
        The content of ``CITATION.cff``.
    project : mapping
        The table ``project`` of ``pyproject.toml``.
    """
    files = {CODEMETA: codemeta(cited, project), ZENODO: zenodo(cited)}
    return {
        name: (json.dumps(content, indent=2, ensure_ascii=False) + "\n").encode()
        for name, content in files.items()
    }


def codemeta(cited: Facts, project: Facts) -> dict[str, Any]:
    """Return what indexes of software read: https://codemeta.github.io."""
    organization = {"@type": "Organization", "name": cited["authors"][0]["name"]}
    content = {
        "@context": "https://w3id.org/codemeta/3.0",
        "@type": "SoftwareSourceCode",
        "name": project["name"],
        "description": cited["abstract"],
        "version": cited["version"],
        "license": f"https://spdx.org/licenses/{cited['license']}",
        "url": cited["url"],
        "codeRepository": cited["repository-code"],
        "author": [organization],
        "keywords": list(cited["keywords"]),
        "programmingLanguage": "Python",
        "runtimePlatform": f"Python {project['requires-python']}",
        "softwareRequirements": list(project["dependencies"]),
        "developmentStatus": "active",
    }
    if released := cited.get("date-released"):
        content["datePublished"] = str(released)
    return content


def zenodo(cited: Facts) -> dict[str, Any]:
    """Return what Zenodo reads of a release: https://developers.zenodo.org."""
    about = [
        {"identifier": PROCEEDINGS, "relation": "references", "scheme": "url"},
        {"identifier": cited["url"], "relation": "isDocumentedBy", "scheme": "url"},
    ]
    content = {
        "title": cited["title"],
        "description": f"<p>{escape(cited['abstract'])}</p>",
        "upload_type": "software",
        "access_right": "open",
        "license": cited["license"].lower(),
        "version": cited["version"],
        "creators": [{"name": author["name"]} for author in cited["authors"]],
        "keywords": list(cited["keywords"]),
        "related_identifiers": about,
        "notes": cited["message"],
    }
    if released := cited.get("date-released"):
        content["publication_date"] = str(released)
    return content
