"""Configurations read back and held against the plan. Reads files only.

`folder.py` finds the files of a switch, `switch.py` audits one switch, `words.py` says a finding in a line.
"""
