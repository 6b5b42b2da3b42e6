"""Breaks of the adapters and templates of single platforms, each with the tests that must find it."""

from tests.breaks_model import Mutant

SONIC = (
    Mutant(
        "sonic-control-group-bare",
        "fabricgen/platforms/sonic/qos.py",
        "    return LOSSY_GROUP\n",
        "    return 7 if traffic_class == 7 else LOSSY_GROUP\n",
        "packets of BGP fill a priority group that has no buffer",
        ("tests/control/test_control_ways.py",),
    ),
    Mutant(
        "control-without-cap",
        "fabricgen/policy/scheduling.py",
        "        cap_percent=weights.control_cap_percent,\n",
        "        cap_percent=100,\n",
        "a host that marks its packets with CS7 starves RoCE",
        ("tests/control/test_control_ways.py", "tests/policy/test_policy_queues.py"),
    ),
    Mutant(
        "control-room-for-one",
        "fabricgen/resolve/control.py",
        "    return not can(name, BGP) or (bfd and not can(name, BFD))\n",
        "    return False\n",
        "BGP shares the queue of CNP, which has room for CNP alone, and nobody says so",
        ("tests/control/test_control_ways.py",),
    ),
    Mutant(
        "control-mark-of-cnp",
        "templates/sonic/frr-conf.j2",
        "bgp session-dscp {{ spell.control }}\n",
        "",
        "BGP keeps the mark of CNP",
        ("tests/control/test_control_ways.py",),
    ),
    Mutant(
        "sonic-group",
        "templates/sonic/buffer-ports.j2",
        '        "{{ port.name }}|{{ spell.qos.priority }}": {\n'
        '            "profile": "{{ port.profile }}"\n        },\n',
        "",
        "a lossless class has no priority group, and so no headroom",
        ("tests/sonic/test_sonic_rules.py",),
    ),
    Mutant(
        "sonic-alpha",
        "fabricgen/platforms/sonic/qos.py",
        "    return share.numerator.bit_length() - share.denominator.bit_length()\n",
        "    return share.numerator.bit_length() - share.denominator.bit_length() + 1\n",
        "a lossless queue may take twice its share",
        ("tests/sonic/test_sonic_document.py",),
    ),
    Mutant(
        "sonic-restore",
        "templates/sonic/metadata.j2",
        '"use_template_render_for_restore": "false"',
        '"use_template_render_for_restore": "true"',
        "every drain's preference is lost when the bgp container starts",
        ("tests/sonic/test_sonic_frr.py",),
    ),
)

CUMULUS = (
    Mutant(
        "cumulus-cable",
        "templates/cumulus/qos-lossless.j2",
        "          cable-length: {{ profile.metres }}\n",
        "",
        "headroom is of a cable length that nobody said",
        ("tests/cumulus/test_cumulus_text.py",),
    ),
    Mutant(
        "cumulus-l3-vlan",
        "fabricgen/platforms/cumulus/names.py",
        "RESERVED_VLANS.start - vrf.id",
        "RESERVED_VLANS.start + vrf.id",
        "VLANs of L3 VNIs lie among the reserved ones",
        ("tests/cumulus/test_cumulus_text.py",),
    ),
    Mutant(
        "cumulus-inbound",
        "templates/cumulus/vrf-peer-groups.j2",
        "                      inbound:\n                        route-map: {{ family.route_map_in }}\n",
        "",
        "everything that a neighbor sends is taken",
        ("tests/cumulus/test_cumulus_classic.py",),
    ),
)

JUNOS = (
    Mutant(
        "junos-headroom-percent",
        "fabricgen/platforms/junos/qos.py",
        "    headroom = -(-qos.headroom_pool_octets * 100 // shared)\n",
        "    headroom = qos.headroom_pool_octets * 100 // shared\n",
        "headroom is rounded down",
        ("tests/junos/test_junos_roce.py",),
    ),
    Mutant(
        "junos-header",
        "fabricgen/platforms/junos/interfaces.py",
        "ETHERNET_HEADER = 14\n",
        "ETHERNET_HEADER = 18\n",
        "the physical MTU counts the check sequence",
        ("tests/junos/test_junos_text.py",),
    ),
    Mutant(
        "junos-originated",
        "fabricgen/platforms/junos/bgp.py",
        '    return f"[ {route_map} ]" if "evpn" in group.families else f"[ {ORIGINATED} {route_map} ]"\n',
        '    return f"[ {route_map} ]"\n',
        "a spine advertises the addresses of its links",
        ("tests/junos/test_junos_text.py",),
    ),
)

SRLINUX = (
    Mutant(
        "srlinux-frame",
        "fabricgen/platforms/srlinux/ports.py",
        "FRAME, TAG = 14, 4",
        "FRAME, TAG = 18, 4",
        "the MTU of a port counts the check sequence",
        ("tests/srlinux/test_srlinux_templates.py",),
    ),
    Mutant(
        "srlinux-outwards",
        "fabricgen/platforms/srlinux/policy.py",
        'OUTWARDS = "-OUT"',
        'OUTWARDS = "-OUTWARDS"',
        "the whole route table is exported",
        ("tests/srlinux/test_srlinux_templates.py",),
    ),
    Mutant(
        "srlinux-reserve",
        "fabricgen/platforms/srlinux/qos.py",
        "    return min(-(-qos.headroom_pool_octets * PERCENT // total_octets), PERCENT)\n",
        "    return min(qos.headroom_pool_octets * PERCENT // total_octets, PERCENT)\n",
        "the reserve is rounded down, below the headroom",
        ("tests/srlinux/test_srlinux_roce.py",),
    ),
    Mutant(
        "srlinux-pfc-off",
        "templates/srlinux/qos-interfaces.j2",
        '"pfc-enable": true',
        '"pfc-enable": false',
        "no port pauses",
        ("tests/srlinux/test_srlinux_roce.py",),
    ),
    Mutant(
        "vouched-border",
        "fabricgen/checks/support/capabilities.py",
        "    return [border] if border else [found",
        "    return [found",
        "no border leaf can be vouched for",
        ("tests/srlinux/test_srlinux_refusals.py",),
    ),
)

NXOS = (
    Mutant(
        "nxos-next-hop",
        "fabricgen/platforms/nxos/context.py",
        "unchanged=row.permit and found.name in unchanged,",
        "unchanged=not row.permit and found.name in unchanged,",
        "a spine puts itself in place of the VTEP",
        ("tests/nxos/test_nxos_rules.py",),
    ),
    Mutant(
        "nxos-strict",
        "fabricgen/platforms/nxos/qos.py",
        "        level += not queue.weight_percent\n",
        "        level += bool(queue.weight_percent)\n",
        "strict queues have no levels of their own",
        ("tests/nxos/test_nxos_values.py",),
    ),
    Mutant(
        "nxos-watchdog",
        "templates/nxos/qos-system.j2",
        "priority-flow-control watch-dog-interval on\n",
        "",
        "the watchdog is on for ports and off for the box",
        ("tests/nxos/test_nxos_rules.py",),
    ),
    Mutant(
        "nxos-long-cable",
        "fabricgen/platforms/nxos/limits.py",
        "row.length_m > LOSSLESS_METRES",
        "row.length_m > 10 * LOSSLESS_METRES",
        "a lossless cable is longer than NX-OS has headroom for",
        ("tests/nxos/test_nxos_refusals.py",),
    ),
    Mutant(
        "imports-unasked",
        "fabricgen/resolve/needs.py",
        "        if body.imports:\n",
        "        if not body.imports:\n",
        "a tenant takes over whatever another has learned",
        ("tests/nxos/test_nxos_refusals.py",),
    ),
)

PLAIN = "tests/platforms/test_plain_templates.py"
READ = f"{PLAIN}::test_what_is_read_more_than_once_and_what_is_not_there"

COMPILING = (
    Mutant(
        "plain-read-elsewhere",
        "fabricgen/render/plain.py",
        "        self._names, self._read = before\n",
        "        self._names = before[0]\n",
        "what a line in an if reads is taken for read behind it",
        (READ,),
    ),
    Mutant(
        "plain-read-of-another",
        "fabricgen/render/plain.py",
        ' if path.partition(".")[0] not in names}',
        "}",
        "a loop's rows have what was read of another by their name",
        (READ,),
    ),
    Mutant(
        "plain-read-of-any",
        "fabricgen/render/plain.py",
        "if not path or self._uses[path] == 1:",
        "if self._uses[path] == 1:",
        "one choice's value is taken for the next one's",
        (READ,),
    ),
    Mutant(
        "plain-line",
        "fabricgen/render/plain.py",
        "            begins = not isinstance(child, (nodes.TemplateData, nodes.Getattr))\n",
        "            begins = False\n",
        "what is not there is told at a line above it",
        (READ,),
    ),
    Mutant(
        "plain-any-jinja2",
        "fabricgen/render/plain.py",
        'return version("jinja2") in TRIED',
        "return True",
        "a jinja2 that nobody tried it with is written for",
        (f"{PLAIN}::test_a_jinja2_that_it_was_not_tried_with_compiles_itself",),
    ),
    Mutant(
        "plain-any-loop",
        "fabricgen/render/plain.py",
        " and not (node.else_ or node.test or node.recursive)",
        "",
        "a loop's condition is left out",
        (f"{PLAIN}::test_what_has_more_in_it_is_left_to_jinja2",),
    ),
    Mutant(
        "plain-for-users",
        "fabricgen/render/render.py",
        "(Environment if user_templates is not None else _Ours)(",
        "_Ours(",
        "a user's template has no keys of mappings",
        (f"{PLAIN}::test_where_a_user_has_templates_jinja2_compiles_all",),
    ),
    Mutant(
        "fault-without-line",
        "fabricgen/render/render.py",
        "            self._environment.handle_exception()\n",
        "            raise\n",
        "a fault of ours is told at a line of code that nobody sees",
        (f"{PLAIN}::test_a_fault_of_ours_is_told_at_its_line",),
    ),
    Mutant(
        "words-of-the-port-beside",
        "fabricgen/platforms/eos/context.py",
        'attrgetter("profile", "enabled", "lag", "switching")',
        'attrgetter("profile", "lag", "switching")',
        "a port that is off has the words of the one beside it",
        ("tests/eos/test_eos_ports.py",),
    ),
)

OF_PLATFORMS = (*SONIC, *CUMULUS, *JUNOS, *SRLINUX, *NXOS, *COMPILING)
