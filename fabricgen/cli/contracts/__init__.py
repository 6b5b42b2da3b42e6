"""What `--json` of verify, push, diff and plan prints, as types: `schema/` is made of them, and outputs are held to it.

Values that are printed as they stand (`_asdict`, `summary.page.plain`) are described by their own classes; documents
that are put together by hand by a TypedDict here.
"""
