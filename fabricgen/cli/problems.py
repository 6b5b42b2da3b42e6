"""How a verb tells problems: text on stderr, or JSON on stdout, and the exit code."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click

from fabricgen.errors import FabricError
from fabricgen.reporting import as_json as problems_as_json
from fabricgen.reporting import report
from fabricgen.workspace import MAX_PROBLEMS, WorkspaceError

PROBLEMS = 1
DIFFERENCES = 3


@contextmanager
def problems_told(*, as_json: bool, writes: bool = False) -> Iterator[None]:
    """Run a verb's body; a FabricError becomes its report, and exit code 1.

    writes  it would have written files: the report says that it wrote none
    """
    try:
        yield
    except FabricError as error:
        documents = error.documents if isinstance(error, WorkspaceError) else ()
        if as_json:
            click.echo(json.dumps({"problems": problems_as_json(error.problems, *documents)}, indent=1))
        else:
            click.echo(report(error.problems[:MAX_PROBLEMS], *documents), nl=False, err=True)
            count = len(error.problems)
            rest = f", {MAX_PROBLEMS} of them above" if count > MAX_PROBLEMS else ""
            nothing = "; nothing was written" if writes else ""
            click.echo(f"{count} problem{'s' if count != 1 else ''}{rest}{nothing}", err=True)
        sys.exit(PROBLEMS)
