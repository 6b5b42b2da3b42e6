"""Rows and labelled entries to aligned plain text, 100 columns wide."""

from collections.abc import Iterable, Iterator
from textwrap import wrap

WIDTH = 100
LABEL = 14
INDENT = "  "
UNSURE = " (unsure)"


def entry(label: str, text: str) -> Iterator[str]:
    """A label and its text, wrapped in the column of the text."""
    head = f"{INDENT}{label:<{LABEL}}"
    lines = wrap(text, WIDTH - len(head), break_long_words=False, break_on_hyphens=False) or [""]
    for index, line in enumerate(lines):
        yield f"{head if index == 0 else ' ' * len(head)}{line}".rstrip()


def entries(label: str, texts: Iterable[str]) -> Iterator[str]:
    """Several texts under one label."""
    for index, text in enumerate(texts):
        yield from entry(label if index == 0 else "", text)


def table(label: str, header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """A header and rows in columns, two spaces apart, or one where that is too wide; numbers are right-aligned.

    Columns with empty cells only are left out. Without rows there is no output.
    """
    body = list(rows)
    if not body:
        return
    kept = [column for column in range(len(header)) if any(row[column] for row in body)]
    header, body = (tuple(header[column] for column in kept), [tuple(row[column] for column in kept) for row in body])
    numeric = [all(_is_number(row[column]) for row in body) for column in range(len(header))]
    widths = [max(len(row[column]) for row in (header, *body)) for column in range(len(header))]
    is_wide = sum(widths) + 2 * (len(widths) - 1) + len(INDENT) + LABEL > WIDTH
    for number, row in enumerate((header, *body)):
        cells = [
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, numeric, strict=True)
        ]
        head = f"{INDENT}{label if number == 0 else '':<{LABEL}}"
        yield f"{head}{(' ' if is_wide else '  ').join(cells)}".rstrip()


def _is_number(cell: str) -> bool:
    return not cell.strip("0123456789.,%<^-:Mx ")


def number(value: float) -> str:
    """A count with thousands separators."""
    return f"{value:,.0f}"


def big(value: int) -> str:
    """A count; from 10^9 on a power of two as such, also three of them, e.g. 3 x 2^66."""
    power = value & -value
    is_long = value >= 10**9 and value in (power, 3 * power)
    return f"{'3 x ' * (value > power)}2^{power.bit_length() - 1}" if is_long else number(value)


def short(value: float) -> str:
    """A count, in millions if it has seven digits or more; from 10^9 on as `big` has it."""
    return f"{value / 1e6:.1f} M" if 10**6 <= value < 10**9 else big(int(value))


def percent(share: float) -> str:
    """A share of a limit, in percent."""
    if 0 < share < 0.001:
        return "<0.1 %"
    return f"{share * 100:.1f} %" if share < 0.1 else f"{share * 100:.0f} %"


def ratio(value: float | None) -> str:
    """Downlink capacity per unit of uplink capacity."""
    return f"{value:.2f}:1" if value is not None else "-"


def watts(value: float) -> str:
    """Watts, as kilowatts from a thousand on."""
    return f"{value / 1000:.1f} kW" if value >= 1000 else f"{value:.0f} W"


def metres(value: float) -> str:
    """A length in metres."""
    return f"{value:g} m"


def plural(count: int, word: str) -> str:
    """A count and its noun, in the plural unless the count is 1."""
    if count == 1:
        return f"{number(count)} {word}"
    if word.endswith("leaf"):
        return f"{number(count)} {word.removesuffix('f')}ves"
    return f"{number(count)} {word}{'es' if word.endswith('ch') else 's'}"
