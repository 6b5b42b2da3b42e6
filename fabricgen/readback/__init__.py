"""What the text of a switch configures, in rows that all parsers write alike; and the rows that its Device asks for.

`rows.py` has the vocabulary, `policy.py` the form of a routing policy, `forms.py` and `fields.py` texts with the number
of each line, `file_reading.py` the rows of a file that is read as a tree, `intended.py` the rows of a Device. Parsers
are in `platforms/*/readback/`. They share nothing with the templates: a fault of a template must not be in the parser,
too.
"""
