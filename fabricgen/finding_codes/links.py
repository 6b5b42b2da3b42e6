"""Finding codes below routing: reachability, ports, MTU, addresses, cables."""

from fabricgen.finding_codes.entry import FindingCode, LiveCheck

REACHABLE = LiveCheck(
    "reachable",
    "Whether each switch of the plan responds in a known format, whether it is the right switch, and whether the "
    "programs that the plan needs are running.",
    (
        FindingCode(
            "host-missing",
            "The switch is in the plan but not in the inventory, so it was not queried.",
            "Add the host to hosts.yaml with the name in the plan.",
        ),
        FindingCode(
            "unreachable",
            "No connection to the switch could be opened.",
            "The actual value gives the reason, such as no route, connection refused, a wrong password, or a "
            "certificate or host key that is not trusted. From this host, test the address in hosts.yaml.",
        ),
        FindingCode(
            "no-answer",
            "The connection opens, and every command fails.",
            "Usually the user lacks the rights for show commands, or another API answers on this port.",
        ),
        FindingCode(
            "not-collected",
            "The collection does not have this switch, or has it with another operating system.",
            "Collect again with verify --save, with the same intent and without --devices.",
        ),
        FindingCode(
            "not-read",
            "A command failed or its output has an unknown format; the checks that need it were not done.",
            "After a timeout: query again with --retry. Otherwise the release may print another format than those on "
            "the platform page, or a process of the switch is dead.",
        ),
        FindingCode(
            "another-switch",
            "Another switch answers: its hostname and router id are not the planned ones. Nothing else is compared.",
            "The address in the inventory is that of another switch, two management addresses or cables are swapped, "
            "or the switch has the configuration of another one. The actual value names it.",
        ),
        FindingCode(
            "another-name",
            "The router id is the planned one, but the hostname is not.",
            "The switch was renamed. Load the rendered configuration.",
        ),
        FindingCode(
            "release-other",
            "The switch runs another release than the intent has. The configuration and the checks are for the "
            "release of the intent.",
            "Install the release of the intent, or write the running one in `os:` and review the change with diff.",
        ),
        FindingCode(
            "daemon-dead",
            "A program that the plan needs does not run; the expected value says which feature needs it.",
            "It crashed, or was never enabled. Check its log, then start it. Findings that follow from it refer to it.",
        ),
        FindingCode(
            "daemon-hangs",
            "A program that the plan needs runs, but does not respond. Its existing state may work for a while.",
            "It is stopped, in a loop, or waits for a disk. Check its state (`ps`) and its log, then restart it.",
        ),
        FindingCode(
            "commit-armed",
            "A commit is waiting for confirmation, is in progress, or has lost its rollback.",
            "The running configuration is temporary: without confirmation it reverts at the time that is shown. If "
            "your push was killed, repeat it with --commit (resume) or with --commit --abandon (roll back). If the "
            "commit is not yours, wait, or find out whose it is.",
        ),
        FindingCode(
            "in-maintenance",
            "The switch is in maintenance mode, but the plan has it in service: it announces no routes, or routes "
            "that others avoid.",
            "It was taken out of service and not returned. End the maintenance mode, or write state: drained in the "
            "overrides of the intent.",
        ),
    ),
)

INTERFACES = LiveCheck(
    "interfaces",
    "Every planned port, subinterface, port channel, loopback and gateway: whether it exists, is enabled, up and in "
    "its "
    "VRF, the VLANs of bridged ports, and the members of port channels. A port towards a server may be down.",
    (
        FindingCode(
            "interface-missing",
            "The switch has no interface of this name.",
            "The port is not split as planned, a module is not seated, or a subinterface or gateway was never "
            "configured. See the drift finding for its lines.",
        ),
        FindingCode(
            "interface-shut",
            "It is planned to be in use, but is shut down in the configuration.",
            "Find out why it was shut down, then enable it.",
        ),
        FindingCode(
            "interface-down",
            "It is enabled, but has no link.",
            "Possible causes: cable or transceiver, far end shut down or off, or different speed or FEC at the ends. "
            "Check the far port first.",
        ),
        FindingCode(
            "interface-fault",
            "The switch itself has disabled the port; the actual value is its reason.",
            "A protection has acted: BPDU guard, storm control, link flap or uplink tracking. Fix the cause, then "
            "enable the port again; some systems do that automatically after a while.",
        ),
        FindingCode(
            "port-flapped",
            "The port is up in both samples (--since, --twice), but its link went down between them.",
            "Clean or reseat cable and optics, and check the error counters at both ends. A server restart, or a port "
            "that was shut down and enabled, looks the same.",
        ),
        FindingCode(
            "interface-not-shut",
            "It is planned to be shut down (no server at its far end, or it is dead or drained), but is enabled.",
            "Shut it down, or remove the override from the intent if the port should be used.",
        ),
        FindingCode(
            "interface-wrong-vrf",
            "It is in another VRF than planned: its traffic reaches the wrong tenant, or no one.",
            "Load the rendered configuration. On many systems moving an interface to a VRF removes its addresses.",
        ),
        FindingCode(
            "port-wrong-vlan",
            "A bridged port is in other VLANs than planned, or tagging is not as planned: its server is in another "
            "network, or in none.",
            "The configuration was changed manually, or a server was moved to another tenant and the switch was not "
            "rendered again.",
        ),
        FindingCode(
            "lag-member-missing",
            "A port is up but not a member of its port channel, so the port channel has less bandwidth.",
            "The far end does not answer LACP, the two ends have different members, or the port is not configured as "
            "a member.",
        ),
    ),
)

MTU = LiveCheck(
    "mtu",
    "The MTU of every interface that has one in the plan. A routed interface must have exactly this MTU, a bridged "
    "one may have more.",
    (
        FindingCode(
            "mtu-wrong",
            "The interface has a smaller or larger MTU than planned.",
            "Set the planned MTU. With a smaller MTU full-size packets are dropped while sessions and pings work; "
            "with different MTUs at the ends packets are lost in one direction.",
        ),
    ),
)

ADDRESSES = LiveCheck(
    "addresses",
    "IPv4 and IPv6 addresses with their prefix lengths, per interface; loopbacks per VRF; the MAC address of anycast "
    "gateways, where the platform shows it.",
    (
        FindingCode(
            "address-missing",
            "A planned address is not on the interface.",
            "It was never configured or was removed; on some systems an interface that is down or was moved to "
            "another VRF loses it. IPv6 may also be off on the interface, or the address may be a duplicate.",
        ),
        FindingCode(
            "address-wrong",
            "The interface has another address than planned.",
            "The configuration is from another switch or an older lock, or was changed manually. Load the rendered "
            "one.",
        ),
        FindingCode(
            "address-unexpected",
            "The interface has an address that is not in the plan.",
            "Left over from a test or from an earlier use of the port. Remove it, or plan it.",
        ),
        FindingCode(
            "gateway-mac-wrong",
            "A gateway has another MAC address than it has on all other leaves.",
            "The interface was created manually, or without its file. Servers that have learned the other one lose "
            "their gateway when they move or fail over. Load the rendered configuration.",
        ),
        FindingCode(
            "neighbor-by-hand",
            "A static ARP or ND entry was added that is not in the configuration: packets to the address always go to "
            "that MAC address.",
            "Left over from a repair. Remove it (`ip neigh del ADDRESS dev INTERFACE`); the switch then resolves the "
            "address itself.",
        ),
    ),
)

LLDP = LiveCheck(
    "lldp",
    "Far switch and far port of every cable in LLDP, compared with the cabling plan.",
    (
        FindingCode(
            "lldp-wrong-port",
            "The cable goes to the right switch, but to another port.",
            "Move the cable. Two such findings are often two swapped cables; the explanation then names both.",
        ),
        FindingCode(
            "lldp-wrong-peer",
            "The cable goes to another system.",
            "Move the cable. Where both ends of two cables are wrong, they are swapped, and the explanation says so.",
        ),
        FindingCode(
            "lldp-missing",
            "The port has no LLDP neighbor.",
            "No link (see the interface findings), LLDP off at the far end, or a cable that works in one direction "
            "only.",
        ),
        FindingCode(
            "lldp-renamed",
            "A switch or server has another system name in LLDP than in the plan; its cables are as planned.",
            "It was renamed, or lldpd is configured with another name. Configure the planned name.",
        ),
        FindingCode(
            "lldp-silent",
            "No port of the switch has an LLDP neighbor, though ports are up.",
            "LLDP is off or its process is dead on this switch. The cables are not the cause.",
        ),
        FindingCode(
            "lldp-unexpected-peer",
            "A port without a planned cable has an LLDP neighbor.",
            "A cable in the wrong port, an extra cable, or one that is not in the intent yet.",
        ),
    ),
)
