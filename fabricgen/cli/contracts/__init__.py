"""Types of the `--json` output of verify, push, diff and plan. `schema/` is generated from them; tests check outputs.

Values that are printed unchanged (`_asdict`, `summary.page.plain`) are described by their own classes; documents
that are built by hand have a TypedDict here.
"""
