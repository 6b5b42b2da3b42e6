"""Breaks of the defaults: their versions, and what of them is shown and rendered."""

from tests.breaks_model import Mutant

OF_DEFAULTS = (
    Mutant(
        "defaults-of-the-release",
        "fabricgen/intent/completion.py",
        "    return NEWEST if recorded is None else recorded\n",
        "    return NEWEST\n",
        "an upgrade changes the defaults of every site that exists",
        ("tests/cli/test_cli_defaults.py::test_a_site_of_before_stays_as_it_is",),
    ),
    Mutant(
        "defaults-over-the-intent",
        "fabricgen/intent/completion.py",
        "    return model if name in model.model_fields_set else _replaced(model, name, value)\n",
        "    return _replaced(model, name, value)\n",
        "a default wins over what the intent says",
        ("tests/intent/test_defaults.py::test_what_the_intent_says_stays",),
    ),
    Mutant(
        "defaults-not-recorded",
        "fabricgen/plan/lock.py",
        '    head = HEADER + (defaults_line(lock) + "\\n" if lock.defaults != OLDEST else "")\n',
        "    head = HEADER\n",
        "a new site falls back to the first version with its second render",
        ("tests/cli/test_cli_defaults.py::test_a_new_site_gets_the_newest_and_keeps_it",),
    ),
    Mutant(
        "defaults-steps-alike",
        "fabricgen/cli/diff_defaults.py",
        "            then, plan = plan, steps.plan(values)\n",
        "            then = plan = steps.plan(values)\n",
        "each default that a version changes is said to change nothing",
        ("tests/cli/test_cli_defaults.py::test_each_default_is_compared_by_itself",),
    ),
    Mutant(
        "page-shows-the-plan",
        "fabricgen/platforms/eos_rendered.py",
        "                kbytes(ecn.minimum_octets) * KBYTE,\n",
        "                ecn.minimum_octets,\n",
        "the plan page shows a threshold that no switch gets",
        ("tests/rendered/test_rendered_page.py",),
    ),
    Mutant(
        "headroom-of-another-share",
        "fabricgen/platforms/sonic_qos.py",
        "SMALL_PACKET_PERCENT = 100\n",
        "SMALL_PACKET_PERCENT = 50\n",
        "an NVIDIA box counts with fewer small packets than its maker does",
        ("tests/sonic/test_sonic_headroom.py",),
    ),
    Mutant(
        "formula-without-radix",
        "fabricgen/policy/ecn.py",
        "    if pfc_limit_octets is not None and minimum >= pfc_limit_octets:\n",
        "    if pfc_limit_octets is not None and minimum < 0:\n",
        "a box of many ports pauses before it marks",
        ("tests/policy/test_ecn_published.py",),
    ),
    Mutant(
        "df-preferences-without-turns",
        "fabricgen/resolve/servers.py",
        "    turn = leaves.index(context.place.index) - host.slot % group.slots_a_unit\n",
        "    turn = leaves.index(context.place.index)\n",
        "one leaf of a pair forwards broadcast to all servers",
        ("tests/platforms/test_df_election.py",),
    ),
    Mutant(
        "df-drained-as-healthy",
        "fabricgen/resolve/servers.py",
        "    if context.drained:\n        return DRAINED_PREFERENCE\n",
        "",
        "a drained leaf goes on forwarding broadcast",
        ("tests/platforms/test_df_election.py",),
    ),
)
