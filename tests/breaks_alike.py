"""Breaks of what is made once for all switches that are alike, and of texts that are written many at a time."""

from tests.breaks_model import Mutant

LINKS = "tests/resolve/test_resolve_links.py"

OF_ALIKE = (
    Mutant(
        "own-settings-shared",
        "fabricgen/resolve/context.py",
        "        if self.is_special:\n            return make()\n",
        "",
        "a switch with settings of its own has what was made for another",
        (LINKS,),
    ),
    Mutant(
        "own-ports-shared-below",
        "fabricgen/plan/adjacent.py",
        "        if self._is_other(lower):\n",
        "        if False:\n",
        "ports of a leaf of another system are called as those of its neighbors",
        (LINKS,),
    ),
    Mutant(
        "own-ports-shared-above",
        "fabricgen/plan/adjacent.py",
        "        if self._is_other(upper):\n",
        "        if False:\n",
        "ports of a superspine of another system are called as those of its equals",
        (LINKS,),
    ),
    Mutant(
        "far-states-unseen",
        "fabricgen/plan/adjacent.py",
        "        return name in self._stated or not self._stated.isdisjoint(others)\n",
        "        return name in self._stated\n",
        "sessions with a drained switch go on as ever",
        (LINKS,),
    ),
    Mutant(
        "absent-is-plugged",
        "fabricgen/resolve/links.py",
        "    if ABSENT not in bundle.states:\n",
        "    if True:\n",
        "a session waits for a switch that is not there",
        (LINKS,),
    ),
    Mutant(
        "zeros-of-a-head",
        "fabricgen/base/addresses.py",
        '{even}" if last else f"{ipv6(value)}{even}" for',
        '{even}" for',
        "an address that ends in zeros is written otherwise than RFC 5952 says",
        ("tests/plan/test_addresses.py",),
    ),
    Mutant(
        "formula-in-a-line",
        "fabricgen/plan/cabling.py",
        '"@", ",-", "\\n-")',
        '"@", "\\n-")',
        "a spreadsheet computes a name that starts with a minus",
        ("tests/plan_page/test_cabling_csv.py",),
    ),
    Mutant(
        "length-of-another",
        "fabricgen/plan/cabling.py",
        " or length not in lengths:",
        ":",
        "a cable is as long as the one before it",
        ("tests/plan_page/test_cabling_csv.py",),
    ),
)
