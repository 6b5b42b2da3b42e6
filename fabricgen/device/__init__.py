"""The vendor-neutral, complete configuration of one switch, as frozen values. No logic lives here.

Rows that exist per port or per neighbor are NamedTuples; the rest are frozen dataclasses. Names come from OpenConfig
and the RFCs. A text field that does not apply is empty, a number 0, a part None: templates test for presence.
"""
