"""The checks of `verify` and the meaning of each finding code: literal tables for `explain` and the documentation."""
