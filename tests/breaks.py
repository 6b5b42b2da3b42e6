"""Breaks of the code, as literal data, each with the tests that must find it; `tests/mutants.py` runs them.

One list, and longer than a module may be, as it is read from end to end and holds nothing else.
"""

from typing import NamedTuple


class Mutant(NamedTuple):
    """One break.

    breaks  what goes wrong with it
    tests   paths, and with :: single tests, of which at least one must fail
    """

    name: str
    file: str
    old: str
    new: str
    breaks: str
    tests: tuple[str, ...]


DIMENSIONS = (
    Mutant(
        "leaf-split",
        "fabricgen/topologies/arithmetic.py",
        "    down = radix * down_weight // (down_weight + up_weight)\n",
        "    down = radix * down_weight // (down_weight + up_weight) - 1\n",
        "a leaf loses a port",
        ("tests/topologies/test_published_designs.py",),
    ),
    Mutant(
        "legal-spines",
        "fabricgen/topologies/arithmetic.py",
        "if leaves * (up // s) <= spine_ports)",
        "if leaves * (up // s) < spine_ports)",
        "a full spine is refused",
        ("tests/topologies/test_published_designs.py",),
    ),
    Mutant(
        "links-a-pair",
        "fabricgen/topologies/rail_optimized.py",
        "        links=len(chassis.up) // standing if standing else 0,\n",
        "        links=len(chassis.up) // planned if standing else 0,\n",
        "links are counted with spines that do not stand",
        ("tests/topologies",),
    ),
    Mutant(
        "columns",
        "fabricgen/topologies/rail_optimized.py",
        "Column(port.rail // per_leaf, 0, port.rail % per_leaf)",
        "Column(port.rail % (len(nics.ports) // per_leaf), 0, port.rail // (len(nics.ports) // per_leaf))",
        "the rails of a leaf are not neighbors",
        ("tests/topologies",),
    ),
    Mutant(
        "uplink-order",
        "fabricgen/plan/wiring.py",
        "        turn, index = divmod(number, len(above.places))\n",
        "        index, turn = divmod(number, above.links)\n",
        "uplink u goes to spine u div m, and more spines move every cable",
        ("tests/plan/test_fabric.py",),
    ),
    Mutant(
        "block-offset",
        "fabricgen/plan/fabric.py",
        "    return OwnBlock(start, start + host_space(hosts), run.bits)\n",
        "    return OwnBlock(start, start + host_space(hosts) - 2, run.bits)\n",
        "the last host link has the addresses of the first uplink",
        ("tests/plan/test_fabric.py",),
    ),
    Mutant(
        "port-names",
        "fabricgen/plan/fabric.py",
        "    key = (place.tier, place.group, port)\n",
        '    key = (Tier.LEAF, "", port)\n',
        "a port of a spine is called as the leaf would call it",
        ("tests/plan/test_cage_pairs.py",),
    ),
    Mutant(
        "host-space",
        "fabricgen/plan/fabric.py",
        "    return 1 << (2 * hosts - 1).bit_length() if hosts else 0\n",
        "    return 1 << (hosts - 1).bit_length() if hosts else 0\n",
        "half of the host links have no address of their own",
        ("tests/plan/test_fabric.py",),
    ),
    Mutant(
        "asn-twice",
        "fabricgen/plan/segments.py",
        "ASN_AXES = {Tier.LEAF: ALL_AXES,",
        "ASN_AXES = {Tier.LEAF: (0, 1, 2),",
        "leaves of a unit share an AS number",
        ("tests/plan/test_fabric.py",),
    ),
    Mutant(
        "gaps-filled",
        "fabricgen/plan/segments.py",
        "    return _aligned(max(ends, default=pool.start), length, pool.bits)\n",
        "    return _aligned(min(ends, default=pool.start), length, pool.bits)\n",
        "a new run starts before the highest one recorded",
        ("tests/plan/test_segments.py",),
    ),
    Mutant(
        "rows-shared",
        "fabricgen/plan/segments.py",
        "    return max((s.row + s.box.size(ROW_AXES) for s in fabric if s.row is not None), default=0)\n",
        "    return 0\n",
        "new leaves take the spines' ports of those that stand",
        ("tests/plan/test_segments.py",),
    ),
    Mutant(
        "rows-of-other-units",
        "fabricgen/plan/fabric.py",
        "    return segment.row + segment.box.number(place.point, ROW_AXES)\n",
        "    return segment.row + segment.box.number(place.point, (3, 4))\n",
        "units of one run take each other's ports on the spines",
        ("tests/plan/test_fabric.py",),
    ),
    Mutant(
        "ids-reused",
        "fabricgen/plan/tenants.py",
        "    following = max((i.id for i in recorded if i.fabric == fabric), default=0) + 1\n",
        "    following = min(set(range(1, 999)) - {i.id for i in recorded if i.fabric == fabric})\n",
        "a new tenant takes the number of one that is gone",
        ("tests/plan/test_order.py",),
    ),
    Mutant(
        "names-by-list-order",
        "fabricgen/topologies/rail_optimized.py",
        "for name in sorted(request.nics))",
        "for name in request.nics)",
        "names and numbers hang on the order of keys",
        ("tests/plan/test_order.py",),
    ),
    Mutant(
        "ids-by-list-order",
        "fabricgen/plan/tenants.py",
        '    for name, tenant in sorted(tenants.items()):\n        yield "vrf", name\n',
        '    for name, tenant in tenants.items():\n        yield "vrf", name\n',
        "the numbers of tenants hang on the order of keys",
        ("tests/plan/test_order.py",),
    ),
)

SWITCHES = (
    Mutant(
        "ends-swapped",
        "fabricgen/resolve/links.py",
        "    return Ends(own, own + 1)\n",
        "    return Ends(own + 1, own)\n",
        "both ends of an uplink take the odd address",
        ("tests/resolve",),
    ),
    Mutant(
        "aggregate",
        "fabricgen/resolve/routing.py",
        "        return (prefix_ipv4(four.start, 32 - length),)\n",
        "        return (prefix_ipv4(four.start, 31 - length),)\n",
        "a leaf draws the traffic of its neighbor's hosts",
        ("tests/resolve",),
    ),
    Mutant(
        "ipv6-length",
        "fabricgen/resolve/interfaces.py",
        "ipv6=interface_ipv6(link.ipv6.own, 127)",
        "ipv6=interface_ipv6(link.ipv6.own, 126)",
        "links overlap in IPv6",
        ("tests/resolve",),
    ),
    Mutant(
        "dead-port-moves-address",
        "fabricgen/resolve/interfaces.py",
        'ipv4=interface_ipv4(four.host(host.number), 31) if four and host_family == "ipv4"',
        'ipv4=interface_ipv4(four.host(host.port.number), 31) if four and host_family == "ipv4"',
        "a cable on another port has another address",
        ("tests/resolve",),
    ),
    Mutant(
        "maximum-paths",
        "fabricgen/resolve/routing.py",
        "    return max(len(plan.shape.groups[0].leaf.up), 1)\n",
        "    return max(plan.shape.spines, 1)\n",
        "parallel links to one spine carry nothing",
        ("tests/checks",),
    ),
    Mutant(
        "hash-seed",
        "fabricgen/resolve/qos.py",
        "seed=hash_seed(TIER_NUMBER[context.place.tier])",
        "seed=hash_seed(0)",
        "leaves and spines choose the same links",
        ("tests/checks",),
    ),
    Mutant(
        "lost-mark",
        "fabricgen/resolve/policy.py",
        "marked = Statement(sequence=10, permit=True, set_community=FROM_ABOVE, set_graceful_shutdown=drained)",
        "marked = Statement(sequence=10, permit=True, set_graceful_shutdown=drained)",
        "a spine sends routes without saying that they come from above",
        ("tests/checks",),
    ),
    Mutant(
        "mark-not-refused",
        "fabricgen/resolve/policy.py",
        "        Statement(sequence=10, permit=False, match_community_list=CL_ABOVE),\n",
        "        Statement(sequence=10, permit=False, match_community_list=CL_SHUTDOWN),\n",
        "a leaf may pass on what it learned from a spine",
        ("tests/checks", "tests/eos/test_eos_lines.py"),
    ),
    Mutant(
        "leaf-sends-everything",
        "fabricgen/resolve/policy.py",
        "        Statement(sequence=20, permit=True, set_graceful_shutdown=drained)._replace(**match),\n",
        "        Statement(sequence=20, permit=True, set_graceful_shutdown=drained),\n",
        "a leaf sends whatever it has",
        ("tests/checks", "tests/eos/test_eos_lines.py"),
    ),
    Mutant(
        "default-accepted",
        "fabricgen/resolve/policy.py",
        "        entry = PrefixEntry(10, Prefix(str(network)), network.max_prefixlen)\n",
        '        entry = PrefixEntry(10, Prefix("0.0.0.0/0" if family == "ipv4" else "::/0"), network.max_prefixlen)\n',
        "a backend accepts a default route",
        ("tests/checks", "tests/topologies/test_designs.py"),
    ),
    Mutant(
        "drained-not-said",
        "fabricgen/resolve/policy.py",
        "set_community=FROM_ABOVE, set_graceful_shutdown=drained)",
        "set_community=FROM_ABOVE, set_graceful_shutdown=False)",
        "a drained spine keeps its traffic",
        ("tests/eos/test_eos_words.py",),
    ),
    Mutant(
        "drained-not-last",
        "fabricgen/resolve/policy.py",
        "set_local_preference=LAST if drained else -1)",
        "set_local_preference=-1)",
        "a drained switch goes on sending over all its links",
        ("tests/resolve",),
    ),
    Mutant(
        "route-target",
        "fabricgen/resolve/evpn.py",
        '    return f"{frontend_of(context).evpn.admin}:{vni}"\n',
        '    return f"{context.asn % 65536}:{vni}"\n',
        "every leaf has a route target of its own",
        ("tests/resolve",),
    ),
    Mutant(
        "distinguisher",
        "fabricgen/resolve/evpn.py",
        "        rd=distinguisher(context, tenant.id),\n",
        "        rd=distinguisher(context, tenant.vni),\n",
        "a route distinguisher holds a number above 65535",
        ("tests/resolve",),
    ),
    Mutant(
        "vni",
        "fabricgen/plan/tenants.py",
        "                vni=tenant.vni or base + number,\n",
        "                vni=tenant.vni or base + number - 1,\n",
        "the VNI of a tenant is that of a network",
        ("tests/resolve",),
    ),
    Mutant(
        "gateway",
        "fabricgen/resolve/evpn.py",
        "subnet.network_address + 1}/{subnet.prefixlen}",
        "subnet.network_address + 2}/{subnet.prefixlen}",
        "the gateway is a server's address",
        ("tests/resolve",),
    ),
    Mutant(
        "segment-of-a-leaf",
        "fabricgen/resolve/servers.py",
        "    first = place._replace(rail=0, index=0)\n",
        "    first = place\n",
        "two leaves present two Ethernet segments to one server",
        ("tests/resolve",),
    ),
)

LOSSLESS = (
    Mutant(
        "row-rounded-down",
        "fabricgen/policy/headroom.py",
        "row.speed_gbps == link.speed_gbps and row.length_m >= link.length_m]",
        "row.speed_gbps == link.speed_gbps and row.length_m <= link.length_m]",
        "a cable gets the headroom of a shorter one",
        ("tests/policy/test_policy_headroom.py",),
    ),
    Mutant(
        "fit-below-row",
        "fabricgen/policy/headroom.py",
        '    raised = max(_carried(facts, link, fitted), default=Carried(0, ""))\n',
        '    raised = Carried(0, "")\n',
        "a fit gives less than a maker publishes",
        ("tests/policy/test_policy_headroom.py",),
    ),
    Mutant(
        "cells-down",
        "fabricgen/policy/headroom.py",
        "    return ceil(octets / cell) * cell\n",
        "    return int(octets / cell) * cell\n",
        "headroom ends within a cell",
        ("tests/policy/test_policy_headroom.py",),
    ),
    Mutant(
        "watchdog-poll",
        "fabricgen/policy/watchdog.py",
        "    return min(watchdog.detect_ms, watchdog.restore_ms) // 2\n",
        "    return max(watchdog.detect_ms, watchdog.restore_ms) // 2\n",
        "a stuck queue is looked at too rarely",
        ("tests/policy",),
    ),
    Mutant(
        "watchdog-units",
        "fabricgen/platforms/eos_qos.py",
        '    return f"{-(-milliseconds // 10) / 100:.2f}"\n',
        '    return f"{-(-milliseconds // 10) / 10:.2f}"\n',
        "the watchdog waits ten times as long",
        ("tests/eos/test_eos_words.py",),
    ),
    Mutant(
        "mark-late",
        "fabricgen/platforms/eos_qos.py",
        "    return max(octets // 1000, 1)\n",
        "    return max(-(-octets // 1000), 1)\n",
        "marking starts later than told",
        ("tests/eos/test_eos_words.py",),
    ),
    Mutant(
        "ecn-swapped",
        "templates/eos/qos-profiles.j2",
        "minimum-threshold {{ queue.ecn.minimum }} kbytes maximum-threshold {{ queue.ecn.maximum }}",
        "minimum-threshold {{ queue.ecn.maximum }} kbytes maximum-threshold {{ queue.ecn.minimum }}",
        "marking is certain before it starts",
        ("tests/eos",),
    ),
    Mutant(
        "no-pfc",
        "templates/eos/qos-profiles.j2",
        "   priority-flow-control priority {{ priority }} no-drop\n",
        "",
        "no priority is lossless",
        ("tests/eos",),
    ),
    Mutant(
        "drop",
        "templates/eos/qos-profiles.j2",
        "priority {{ priority }} no-drop",
        "priority {{ priority }} drop",
        "the lossless priority is told to drop",
        ("tests/eos",),
    ),
)

TEMPLATES = (
    Mutant(
        "map-unused",
        "templates/eos/router-bgp.j2",
        "   neighbor {{ group.name }} route-map {{ group.route_map_out }} out\n",
        "",
        "nothing limits what a switch sends",
        ("tests/eos",),
    ),
    Mutant(
        "map-the-wrong-way",
        "templates/eos/router-bgp.j2",
        "   neighbor {{ group.name }} route-map {{ group.route_map_in }} in\n",
        "   neighbor {{ group.name }} route-map {{ group.route_map_out }} in\n",
        "what is learned goes through the map for what is sent",
        ("tests/eos",),
    ),
    Mutant(
        "port-stays-up",
        "templates/eos/ethernet.j2",
        "{% else %}\n   shutdown\n",
        "{% else %}\n   no shutdown\n",
        "a port without a cable is up",
        ("tests/eos",),
    ),
    Mutant(
        "frr-nexthop-groups",
        "templates/frr/frr-header.j2",
        "no zebra nexthop kernel enable\n",
        "",
        "Linux keeps next hops of links that are down",
        ("tests/frr/test_frr_nexthops.py",),
    ),
    Mutant(
        "frr-import-map",
        "templates/frr/frr-bgp-vrfs.j2",
        "  import vrf route-map {{ family.import_map }}\n",
        "",
        "a tenant takes another's way out",
        ("tests/frr",),
    ),
)

CHECKS = (
    Mutant(
        "cage-pair-forgotten",
        "fabricgen/plan/links.py",
        "    if shape.border is not None:\n        found |= {",
        "    if shape.border is not None and not found:\n        found |= {",
        "cables to the outside are not looked at",
        ("tests/plan/test_cage_pairs.py",),
    ),
    Mutant(
        "no-address-check",
        "fabricgen/checks/pools.py",
        "            if two.start < one.end:\n",
        "            if two.start < one.start:\n",
        "two switches may have one address",
        ("tests/checks",),
    ),
    Mutant(
        "no-asn-check",
        "fabricgen/checks/asns.py",
        "        if two.start < one.end and not _shared(one, two):\n",
        "        if two.start < one.start and not _shared(one, two):\n",
        "two switches may have one AS number",
        ("tests/checks",),
    ),
    Mutant(
        "no-capacity-check",
        "fabricgen/checks/capacity.py",
        "            if down * ratio.up > up * ratio.down:\n",
        "            if down * ratio.up > up * ratio.down * 2:\n",
        "a backend may be oversubscribed",
        ("tests/checks",),
    ),
    Mutant(
        "no-valley-check",
        "fabricgen/checks/valleys.py",
        "    if not bad:\n        return\n",
        "    return\n",
        "buffers may wait for each other in a circle",
        ("tests/checks",),
    ),
    Mutant(
        "no-isolation-check",
        "fabricgen/checks/switches.py",
        "    found = [one for one in seen if one.openings]\n",
        "    found = [one for one in seen if len(one.openings) > 99]\n",
        "a backend may be open to the outside",
        ("tests/checks",),
    ),
    Mutant(
        "no-headroom-check",
        "fabricgen/checks/lossless.py",
        '    yield from _told(_headroom_faults(plan), "")\n',
        "    yield from ()\n",
        "headroom may be promised that the chip does not have",
        ("tests/checks",),
    ),
    Mutant(
        "no-threshold-check",
        "fabricgen/checks/lossless.py",
        '    yield from _told(_threshold_faults(plan), "ecn")\n',
        "    yield from ()\n",
        "PFC may pause before ECN marks",
        ("tests/checks",),
    ),
    Mutant(
        "no-vlan-check",
        "fabricgen/checks/tenants.py",
        "                if len(both) > 1:\n",
        "                if len(both) > 2:\n",
        "two tenants may share a VLAN on a leaf",
        ("tests/checks",),
    ),
    Mutant(
        "no-medium-check",
        "fabricgen/plan/cabling.py",
        "    if fabric.exceptions.cables or fabric.bindings:\n        return False\n",
        "    if not fabric.exceptions.cables:\n        return True\n",
        "a cable may be longer than anything reaches",
        ("tests/plan_page/test_cabling.py",),
    ),
)

FILES_AND_WORDS = (
    Mutant(
        "lock-not-written",
        "fabricgen/cli/render.py",
        "keys, lambda: _write_lock(workspace, text))\n",
        "keys, lambda: None)\n",
        "numbers are given anew at each render",
        ("tests/cli/test_cli_lock.py",),
    ),
    Mutant(
        "lock-too-early",
        "fabricgen/cli/render.py",
        "        return commit(out, files, inputs, __version__, keys, lambda: _write_lock(workspace, text))\n",
        "        _write_lock(workspace, text)\n"
        "        return commit(out, files, inputs, __version__, keys, lambda: None)\n",
        "a render that fails leaves a lock of what never was",
        ("tests/cli/test_cli_templates.py", "tests/cli/test_cli_render.py"),
    ),
    Mutant(
        "lock-too-late",
        "fabricgen/output/commit.py",
        "        ready()\n        if is_changed:\n            Path(self.root).rename(self.out / FOLDER / RECORD)\n"
        "            finish_locked(self.out)\n",
        "        if is_changed:\n            Path(self.root).rename(self.out / FOLDER / RECORD)\n"
        "            finish_locked(self.out)\n        ready()\n",
        "killed after the tree has changed, its numbers are in no lock",
        ("tests/output/test_ready.py",),
    ),
    Mutant(
        "no-record",
        "fabricgen/output/commit.py",
        "            Path(self.root).rename(self.out / FOLDER / RECORD)\n",
        '            shutil.copytree(f"{self.root}/{FILES}", self.out, dirs_exist_ok=True)\n'
        "            Path(self.root).rename(self.out / FOLDER / RECORD)\n",
        "files move in before the record: killed there, the tree is of two renders",
        ("tests/output",),
    ),
    Mutant(
        "foreign-folder",
        "fabricgen/output/commit.py",
        "    if foreign:\n        raise FabricError([\n            Problem(\n"
        '                code="output-not-ours",\n                what=f"{out} holds',
        "    if foreign and not foreign:\n        raise FabricError([\n            Problem(\n"
        '                code="output-not-ours",\n                what=f"{out} holds',
        "someone's files are taken for ours",
        ("tests/output/test_commit.py",),
    ),
    Mutant(
        "duplicate-keys",
        "fabricgen/composer.py",
        "        elif key in frame.value:\n",
        "        elif key in frame.value and not key:\n",
        "the second of two equal keys wins without a word",
        ("tests/test_documents.py",),
    ),
    Mutant(
        "secret-told",
        "fabricgen/reporting.py",
        "    return replace(problem, what=what, why=why, fix=fix) if secrets else problem\n",
        "    return problem\n",
        "a message repeats a password",
        ("tests/cli/test_cli_secrets.py", "tests/test_reporting.py"),
    ),
)

MUTANTS = (*DIMENSIONS, *SWITCHES, *LOSSLESS, *TEMPLATES, *CHECKS, *FILES_AND_WORDS)
