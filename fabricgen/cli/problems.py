"""How a verb tells problems: text on stderr, or JSON on stdout, and the exit code."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click

from fabricgen.documents import Document
from fabricgen.errors import FabricError
from fabricgen.reporting import as_json as problems_as_json
from fabricgen.reporting import report

PROBLEMS = 1
DIFFERENCES = 3


class Documents:
    """Documents whose lines an error may show; filled as they are read."""

    def __init__(self) -> None:
        self.read: list[Document] = []


@contextmanager
def problems_told(*, as_json: bool) -> Iterator[Documents]:
    """Run a verb's body; a FabricError becomes its report and exit code 1."""
    documents = Documents()
    try:
        yield documents
    except FabricError as error:
        if as_json:
            click.echo(json.dumps({"problems": problems_as_json(error.problems, *documents.read)}, indent=1))
        else:
            click.echo(report(error.problems, *documents.read), nl=False, err=True)
            count = len(error.problems)
            click.echo(f"{count} problem{'s' if count != 1 else ''}; nothing was written", err=True)
        sys.exit(PROBLEMS)
