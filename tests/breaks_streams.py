"""Breaks of what goes through all switches and keeps none: pieces of text, JSON of tables, lines of a lock, counts."""

from tests.breaks_model import Mutant

CLASHES = "tests/plan/test_lock_clashes.py"
PARTS = "tests/platforms/test_json_parts.py"

OF_STREAMS = (
    Mutant(
        "clash-inside-another",
        "fabricgen/plan/lock_clashes.py",
        "if other[1] > span[0]]",
        "if other[1] > span[1]]",
        "numbers of a segment that reaches into the next one are given twice",
        (CLASHES,),
    ),
    Mutant(
        "clash-at-the-edge",
        "fabricgen/plan/lock_clashes.py",
        "        if first > end:\n",
        "        if first >= end:\n",
        "two segments may own the places of one pod",
        (CLASHES,),
    ),
    Mutant(
        "clash-of-the-first-spines",
        "fabricgen/plan/lock_clashes.py",
        "            yield from product(members[one], members[two])\n",
        "            yield one, two\n",
        "of spines that were added later nobody asks whose AS numbers they have",
        (CLASHES,),
    ),
    Mutant(
        "row-of-all-ports",
        "fabricgen/platforms/json_parts.py",
        "row = tuple(found.items()) if type(found) is dict else found",
        "row = found",
        "what is said of one port is said of those beside it",
        (PARTS,),
    ),
    Mutant(
        "field-twice",
        "fabricgen/platforms/json_parts.py",
        "    if len(set(names)) != len(names):\n",
        "    if not names:\n",
        "a field that a row has twice is written twice",
        (PARTS,),
    ),
    Mutant(
        "objects-uncounted",
        "fabricgen/platforms/json_parts.py",
        "    if len(found) != len(parts) or set",
        "    if set",
        "a list without commas passes for JSON",
        (PARTS,),
    ),
    Mutant(
        "ports-as-they-come",
        "fabricgen/platforms/json_parts.py",
        " and keys[2][at : at + 1].isalpha()",
        "",
        "rows of a port stand in the order of the template",
        (PARTS,),
    ),
    Mutant(
        "alike-at-the-start",
        "fabricgen/platforms/json_alike.py",
        "(?={between})",
        "",
        "what stands behind the row of an object is lost, where it begins as others do",
        (PARTS,),
    ),
    Mutant(
        "alike-but-one",
        "fabricgen/platforms/json_alike.py",
        " if len(rows) == len(parts) else None",
        "",
        "a row that is told otherwise than the first is lost",
        (PARTS,),
    ),
    Mutant(
        "alike-of-several",
        "fabricgen/platforms/json_alike.py",
        "SINGLE if at == KEY else PLAIN",
        "PLAIN",
        "a row of several ports stays one",
        (PARTS,),
    ),
    Mutant(
        "pieces-twice",
        "fabricgen/cli/pieces.py",
        "            some, size = [], 0\n",
        "            size = 0\n",
        "a long text begins anew with each part that is printed",
        ("tests/cli/test_cli_pieces.py",),
    ),
    Mutant(
        "cables-forgotten",
        "fabricgen/diff/blast.py",
        "            reached.seen[link.lower] = known | bit\n",
        "            reached.seen[link.lower] = bit\n",
        "a cable between two switches of one class counts for both",
        ("tests/diff/test_blast.py",),
    ),
    Mutant(
        "groups-of-every-switch",
        "fabricgen/export/ansible.py",
        "    known += (name for name in within if name not in members)\n",
        "    known += within\n",
        "a fabric has a group for each of its switches, of one name",
        ("tests/export/test_export_inventories.py",),
    ),
)
