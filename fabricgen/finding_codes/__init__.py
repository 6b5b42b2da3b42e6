"""What `verify` compares, and what each code of a finding means: literal tables for `explain` and the documentation."""
