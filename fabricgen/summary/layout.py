"""Rows and labelled entries to aligned plain text of 100 columns."""

from collections.abc import Iterable, Iterator
from textwrap import wrap

WIDTH = 100
LABEL = 14
INDENT = "  "
UNSURE = " (unsure)"


def entry(label: str, text: str) -> Iterator[str]:
    """A label and its text, wrapped below itself."""
    head = f"{INDENT}{label:<{LABEL}}"
    lines = wrap(text, WIDTH - len(head), break_long_words=False, break_on_hyphens=False) or [""]
    for at, line in enumerate(lines):
        yield f"{head if at == 0 else ' ' * len(head)}{line}".rstrip()


def entries(label: str, texts: Iterable[str]) -> Iterator[str]:
    """Several texts under one label."""
    for at, text in enumerate(texts):
        yield from entry(label if at == 0 else "", text)


def table(label: str, header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """A header and rows in columns, two spaces apart or, where that is too wide, one; numbers stand right.

    Nothing without rows.
    """
    found = list(rows)
    if not found:
        return
    numeric = [all(not row[at].strip("0123456789.,%<^-:M ") for row in found) for at in range(len(header))]
    widths = [max(len(row[at]) for row in (header, *found)) for at in range(len(header))]
    is_wide = sum(widths) + 2 * (len(widths) - 1) + len(INDENT) + LABEL > WIDTH
    for number, row in enumerate((header, *found)):
        cells = [
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, numeric, strict=True)
        ]
        head = f"{INDENT}{label if number == 0 else '':<{LABEL}}"
        yield f"{head}{(' ' if is_wide else '  ').join(cells)}".rstrip()


def number(value: float) -> str:
    """A count with thousands apart."""
    return f"{value:,.0f}"


def big(value: int) -> str:
    """A count, as a power of two where it is past what anybody counts."""
    return number(value) if value < 10**9 else f"2^{value.bit_length() - 1}"


def short(value: float) -> str:
    """A count, in millions where it has seven digits or more, as a power of two past a thousand millions."""
    return f"{value / 1e6:.1f} M" if 10**6 <= value < 10**9 else big(int(value))


def percent(share: float) -> str:
    """A share of a limit."""
    if 0 < share < 0.001:
        return "<0.1 %"
    return f"{share * 100:.1f} %" if share < 0.1 else f"{share * 100:.0f} %"


def ratio(value: float | None) -> str:
    """Capacity down to one unit of capacity up."""
    return f"{value:.2f}:1" if value is not None else "-"


def watts(value: float) -> str:
    """Kilowatts from a thousand watts on."""
    return f"{value / 1000:.1f} kW" if value >= 1000 else f"{value:.0f} W"


def metres(value: float) -> str:
    """A length."""
    return f"{value:g} m"


def plural(count: int, word: str) -> str:
    """A count and its noun."""
    one = count == 1
    return f"{number(count)} {word if one else word.removesuffix('f') + 'ves' if word.endswith('leaf') else word + 's'}"
