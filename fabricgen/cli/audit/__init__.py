"""`fabricgen audit`: configurations read back and held against the plan."""
