"""A hook of mkdocs (`make site`): README is the first page, and files of the project that pages link to are there, too.

The pages of docs/ lie at the root of the site, all other files at their own path. So a link from a page of docs/ to
`../inventories/x/README.md`, as GitHub needs it, leads to `inventories/x/README.md` of the site.
"""

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
DOCS = "docs"
FIRST = "README.md"
FIRST_PAGE = "index.md"
LINK = re.compile(r"(?<=\]\()(?!https?:|mailto:|#)([^)#\s]+)")
"""The file that a link leads to, without an anchor."""


def site_path(path: str) -> str:
    """Path in the project → path in the sources of the site."""
    return FIRST_PAGE if path == FIRST else path.removeprefix(f"{DOCS}/")


def project_path(path: str) -> str:
    """Path in the sources of the site → path in the project."""
    if path == FIRST_PAGE:
        return FIRST
    return f"{DOCS}/{path}" if (ROOT / DOCS / path).exists() else path


def targets(text: str, page: str) -> Iterator[str]:
    """Files that a page links to. Both as paths in the project."""
    for found in LINK.findall(text):
        yield normpath(PurePosixPath(page).parent / found)


def relinked(text: str, page: str) -> str:
    """The text of a page with its links as they are in the site. page: its path in the project."""
    folder = PurePosixPath(site_path(page)).parent

    def link(found: re.Match[str]) -> str:
        return relpath(site_path(normpath(PurePosixPath(page).parent / found[1])), folder)

    return LINK.sub(link, text)


def outside(pages: list[str]) -> list[str]:
    """Files outside docs/ that pages lead to, directly or through each other. Paths in the project, sorted."""
    found: set[str] = set()
    waiting = [*pages]
    while waiting:
        page = waiting.pop()
        if not page.endswith(".md"):
            continue
        for target in targets((ROOT / page).read_text(encoding="utf-8"), page):
            if not target.startswith(f"{DOCS}/") and target not in found and (ROOT / target).is_file():
                found.add(target)
                waiting.append(target)
    return sorted(found)


def on_files(files: Any, config: Any) -> Any:  # noqa: ANN401 - mkdocs' own types, which are an extra
    """Add README and what pages lead to outside docs/."""
    from mkdocs.structure.files import File  # noqa: PLC0415 - installed by `make site` alone

    own = [f"{DOCS}/{file.src_uri}" for file in files if file.src_uri.endswith(".md")]
    for path in (FIRST, *(path for path in outside([FIRST, *own]) if path != FIRST)):
        files.append(File.generated(config, site_path(path), abs_src_path=str(ROOT / path)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:  # noqa: ANN401
    """Make links those of the site."""
    return relinked(markdown, project_path(page.file.src_uri))
