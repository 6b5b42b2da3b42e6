"""Breaks of what holds the rules to fabrics of any size: proofs, what is kept of switches, flows, and runs of them."""

from tests.breaks_model import Mutant

PROOFS = "tests/checks/test_checks_proofs.py"
TALLY = "tests/checks/test_checks_tally.py"
FLOWS = "tests/checks/test_checks_flows.py"
JOBS = "tests/cli/test_cli_jobs.py"
CLUSTER = "tests/runs/test_runs_cluster.py"

OF_SIZE = (
    Mutant(
        "rows-unproven",
        "fabricgen/checks/wiring_proof.py",
        "    return named == fabric.rows\n",
        "    return True\n",
        "cables are said to have two ends though the table of rows names another leaf",
        (PROOFS,),
    ),
    Mutant(
        "stands-unlisted",
        "fabricgen/checks/wiring_proof.py",
        "        not remainder(whole, ",
        "        not remainder(whole, (whole,)) or (",
        "cables are said to have two ends though a switch is in no line of the lock",
        (PROOFS,),
    ),
    Mutant(
        "hashes-summed",
        "fabricgen/checks/cabling.py",
        "        value = value * (POINT + hash(one)) % PRIME\n",
        "        value = (value + hash(one)) % PRIME\n",
        "two leaves that have changed places may cancel out",
        (PROOFS,),
    ),
    Mutant(
        "asns-share-anything",
        "fabricgen/checks/asns.py",
        "    return all(_number(one.segment, end) == _number(two.segment, end) for end in ends)\n",
        "    return True\n",
        "spines of two pods may have one AS number",
        ("tests/checks/test_checks_proofs_numbers.py",),
    ),
    Mutant(
        "herd-of-one",
        "fabricgen/checks/tally.py",
        "(known.first + more.first)[:2]",
        "(known.first + more.first)[:1]",
        "two leaves that bounce under the same spines are no loop",
        (TALLY,),
    ),
    Mutant(
        "manner-of-another",
        "fabricgen/checks/observe.py",
        "for same, found in self._manners if same == manner",
        "for same, found in self._manners if same.groups == manner.groups",
        "the route maps of one switch are taken for those of another",
        ("tests/checks/test_checks_valleys.py", TALLY),
    ),
    Mutant(
        "doubt-forgotten",
        "fabricgen/checks/switches.py",
        "settled(seen.knots)) if kinds else paired(seen.single)",
        "{}) if kinds and not plan else paired(seen.single)",
        "an override that gives one end of links another MTU is passed",
        (TALLY,),
    ),
    Mutant(
        "worst-looked-for-too-short",
        "fabricgen/checks/flows.py",
        "            least = most - level.missing\n",
        "            least = most - level.missing + 1\n",
        "a leaf that reaches another worst is not the one that is judged",
        (FLOWS,),
    ),
    Mutant(
        "cores-forgotten",
        "fabricgen/checks/flows.py",
        "        return (shape.cores - len(silent)) * shape.core_links - missing\n",
        "        return shape.cores * shape.core_links - missing\n",
        "a superspine that is away takes nothing from flows between pods",
        (FLOWS,),
    ),
    Mutant(
        "last-of-a-run-lost",
        "fabricgen/render/tree.py",
        "            yield Run(name, first, min(first + size, count))\n",
        "            yield Run(name, first, min(first + size - 1, count))\n",
        "the last switch of each run is rendered by nobody",
        (JOBS,),
    ),
    Mutant(
        "runs-out-of-order",
        "fabricgen/runs/order.py",
        "            result = waiting.popleft().result()\n",
        "            result = waiting.pop().result()\n",
        "runs are put together as they come",
        (JOBS,),
    ),
    Mutant(
        "jobs-outlive-their-parent",
        "fabricgen/runs/processes.py",
        "    threading.Thread(target=_end_with_parent, daemon=True).start()\n",
        "",
        "processes go on rendering for one that was killed",
        (JOBS,),
    ),
    Mutant(
        "tallies-dropped",
        "fabricgen/runs/glance.py",
        "                watch.join(part.tallies)\n",
        "                watch.join({})\n",
        "what the checks saw of a run is not counted",
        (CLUSTER,),
    ),
    Mutant(
        "no-second-try",
        "fabricgen/runs/cluster.py",
        "get_executor(retries=RETRIES, pure=False)",
        "get_executor(retries=0, pure=False)",
        "a run that fails once fails the whole",
        (CLUSTER,),
    ),
    Mutant(
        "any-release-will-do",
        "fabricgen/runs/there.py",
        "    if release() != wanted:\n",
        "    if release() != wanted and not call:\n",
        "a worker of another release that comes later writes what it likes",
        (CLUSTER,),
    ),
    Mutant(
        "strange-text-dropped",
        "fabricgen/diff/look.py",
        "        self.strange += more.strange\n",
        "",
        "text that a hand changed is not told where several processes compare",
        (CLUSTER,),
    ),
)
