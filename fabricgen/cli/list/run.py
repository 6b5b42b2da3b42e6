"""`fabricgen list`: hardware, operating systems, codes. Reads the library, writes nothing."""

import click

from fabricgen.base.schema_version import VERSIONED
from fabricgen.cli.common.output import echo_json, reader_may_leave
from fabricgen.cli.common.table import table_width
from fabricgen.cli.list.checks import checks_text
from fabricgen.cli.list.command import CHECKS, HARDWARE
from fabricgen.cli.list.hardware import hardware, hardware_text
from fabricgen.cli.list.systems import systems, systems_text
from fabricgen.explain.listed import listed_codes
from fabricgen.hardware.catalog import load_catalog
from fabricgen.summary.page import plain


def run(what: str, speed: int | None, *, lossless: bool, as_json: bool) -> None:
    """Print one of the lists."""
    document, lines = _listed(what, speed, lossless=lossless)
    with reader_may_leave():
        if as_json:
            echo_json(VERSIONED | document)
        else:
            click.echo("\n".join(lines))


def _listed(what: str, speed: int | None, *, lossless: bool) -> tuple[dict[str, object], list[str]]:
    """The requested list, as plain values and as lines."""
    if what == HARDWARE:
        models = hardware(load_catalog(None), speed, lossless=lossless)
        return {name: plain(rows) for name, rows in models._asdict().items()}, [
            *hardware_text(models, table_width(), lossless=lossless)
        ]
    if what == CHECKS:
        codes = listed_codes()
        return {"checks": plain(codes)}, [*checks_text(codes, table_width())]
    rows = systems()
    return {"systems": plain(rows)}, [*systems_text(rows, table_width())]
