"""Finding codes below routing: reachability, ports, MTU, addresses, cables."""

from fabricgen.finding_codes.entry import FindingCode, LiveCheck

REACHABLE = LiveCheck(
    "reachable",
    "Whether each switch of the plan answers in words that are understood, whether it is the switch that was meant,"
    " and whether the programs run that the plan needs.",
    (
        FindingCode(
            "host-missing",
            "The plan has the switch and the inventory has not, so it was not asked.",
            "Add the host to hosts.yaml under the plan's name.",
        ),
        FindingCode(
            "unreachable",
            "No connection to the switch could be opened.",
            "See the actual value: no route, connection refused, a wrong password, or a certificate or host key that"
            " is not trusted. Test the address of the inventory from the same host.",
        ),
        FindingCode(
            "no-answer",
            "The connection opens, and every command fails.",
            "Mostly the user lacks the rights to show anything, or the API behind the port is not the one meant.",
        ),
        FindingCode(
            "not-collected",
            "The collection that is judged has nothing of this switch, or has it from another operating system.",
            "Collect again with verify --save, with the same intent and without --devices.",
        ),
        FindingCode(
            "not-read",
            "A command failed or its output was not understood; the checks that need it were not judged.",
            "A timeout: ask again with --retry. Else the release may show it in another form than those that the"
            " platform page names, or a process behind the command is dead.",
        ),
        FindingCode(
            "another-switch",
            "Another switch answers: its host name and router id are not the planned ones. Nothing else is compared.",
            "The address in the inventory is that of another switch, two management addresses or cables are swapped, or"
            " the switch was given another one's configuration. The actual value names it.",
        ),
        FindingCode(
            "another-name",
            "The router id is the planned one, and the host name is not.",
            "Somebody renamed the switch. Load the rendered configuration.",
        ),
        FindingCode(
            "release-other",
            "The switch runs another release of its operating system than the intent names: what was rendered, and what"
            " is read, was made for that one.",
            "Install the release of the intent, or write the running one in `os:` and review the change with diff.",
        ),
        FindingCode(
            "daemon-dead",
            "A program that the plan needs does not run; the expected value says for what.",
            "It crashed, or was never enabled. Look into its log, then start it; what follows from it names it.",
        ),
        FindingCode(
            "daemon-hangs",
            "A program that the plan needs runs and does not respond. What it has set up may work for a while.",
            "It is stopped, in a loop, or waits for a disk that does not answer. Look at its state (`ps`) and its log,"
            " then restart it.",
        ),
        FindingCode(
            "commit-armed",
            "A commit waits for its confirmation, is under way, or has lost what would put it back.",
            "What the switch runs now is not what it will run: if nobody confirms, it reverts by itself at the time"
            " that is shown. A push that was killed: type it again with --commit, which goes on, or with --commit"
            " --abandon, which goes back. Somebody else's: wait, or ask who it is.",
        ),
        FindingCode(
            "in-maintenance",
            "The switch is under maintenance, and the plan has it in service: it announces nothing, or so that others"
            " avoid it.",
            "Somebody took it out of service and did not put it back. End the maintenance, or say state: drained in"
            " the overrides of the intent.",
        ),
    ),
)

INTERFACES = LiveCheck(
    "interfaces",
    "Every planned port, sub-interface, aggregate, loopback and gateway: whether it is there, enabled, up and in its"
    " VRF, the VLANs of bridged ports, and the ports that an aggregate bundles. A port towards a server may be down.",
    (
        FindingCode(
            "interface-missing",
            "The switch has no interface of this name.",
            "A port that is not split as planned, a module that is not seated, or a sub-interface or gateway that was"
            " never configured. See drift for its lines.",
        ),
        FindingCode(
            "interface-shut",
            "It is to be in use and is shut down by configuration.",
            "Find out who shut it and why, then enable it.",
        ),
        FindingCode(
            "interface-down",
            "It is enabled and has no link.",
            "The cable or a transceiver, the far end being shut or off, or speed or FEC that differ between the ends."
            " Look at the far port first.",
        ),
        FindingCode(
            "interface-fault",
            "The switch itself has taken the port out of service; the actual value is its reason.",
            "A protection has acted: BPDU guard, storm control, a flapping link, an uplink that is tracked. Fix the"
            " cause, then enable the port again; some systems do that by themselves after a while.",
        ),
        FindingCode(
            "port-flapped",
            "The port is up in both samples (--since, --twice), and its link has changed between them.",
            "Clean or reseat cable and optics, and look at the counters of errors at both ends. A server that was"
            " started again, or a port that somebody shut and enabled, shows so, too.",
        ),
        FindingCode(
            "interface-not-shut",
            "It is to be shut (nobody is at its far end, or it is dead or drained) and is enabled.",
            "Shut it, or take the override out of the intent if the port is meant to be used.",
        ),
        FindingCode(
            "interface-wrong-vrf",
            "It is in another VRF than planned: its traffic reaches the wrong tenant, or nobody.",
            "Load the rendered configuration. On many systems moving an interface to a VRF removes its addresses.",
        ),
        FindingCode(
            "port-wrong-vlan",
            "A bridged port is in other VLANs than planned, or has them tagged where they should not be: its server"
            " is in another network, or in none.",
            "The configuration was changed by hand, or a server was moved to another tenant and the switch was not"
            " rendered again.",
        ),
        FindingCode(
            "lag-member-missing",
            "A port is up and not in its aggregate, so that the aggregate has less bandwidth.",
            "LACP has no answer from the far end, the two ends bundle different ports, or the port is not configured"
            " as a member.",
        ),
    ),
)

MTU = LiveCheck(
    "mtu",
    "The MTU of every interface for which the plan has one. A routed interface has exactly it, a bridged one may have"
    " more.",
    (
        FindingCode(
            "mtu-wrong",
            "The interface takes smaller or larger packets than planned.",
            "Set the planned MTU. A smaller one drops full-size packets while sessions and pings stay up; ends that"
            " differ lose packets one way.",
        ),
    ),
)

ADDRESSES = LiveCheck(
    "addresses",
    "IPv4 and IPv6 addresses with their prefix lengths, interface by interface; loopbacks by VRF; the MAC address of"
    " anycast gateways, where the platform shows it.",
    (
        FindingCode(
            "address-missing",
            "A planned address is not on the interface.",
            "It was never configured or was removed; on some systems an interface that is down or was moved to"
            " another VRF loses it. IPv6 may also be off for the interface, or the address be a duplicate.",
        ),
        FindingCode(
            "address-wrong",
            "The interface has an address, and not the planned one.",
            "The configuration is of another switch, of an older lock, or typed by hand. Load the rendered one.",
        ),
        FindingCode(
            "address-unexpected",
            "Beside the planned addresses there is one more.",
            "Left over from a test or from an earlier use of the port. Remove it, or plan it.",
        ),
        FindingCode(
            "gateway-mac-wrong",
            "A gateway has another MAC address than it has on all other leaves.",
            "The interface was made by hand, or again without its file. Servers that have learned the other one lose"
            " their way when they move or fail over. Load the rendered configuration.",
        ),
        FindingCode(
            "neighbor-by-hand",
            "A static ARP or ND entry was added that is not in the configuration: packets to the address go to that"
            " MAC address, whoever has the address.",
            "Left over from a repair. Remove it (`ip neigh del ADDRESS dev INTERFACE`); the switch then asks for the"
            " address itself.",
        ),
    ),
)

LLDP = LiveCheck(
    "lldp",
    "Far switch and far port of every cable as LLDP hears them, against the cabling plan.",
    (
        FindingCode(
            "lldp-wrong-port",
            "The cable leads to the right switch, into another port.",
            "Move the cable. Two such findings often are one swap of two cables; the explanation then names both.",
        ),
        FindingCode(
            "lldp-wrong-peer",
            "The cable leads to another system.",
            "Move the cable. Where both ends of two cables are wrong, they are swapped, and the explanation says so.",
        ),
        FindingCode(
            "lldp-missing",
            "The port has no LLDP neighbor.",
            "No link (see interfaces), LLDP off at the far end, or a cable that passes light one way only.",
        ),
        FindingCode(
            "lldp-renamed",
            "A switch or server has another system name in LLDP than in the plan; its cables are as planned.",
            "Somebody renamed it, or lldpd was given a name of its own. Give it its name back.",
        ),
        FindingCode(
            "lldp-silent",
            "No port of the switch has an LLDP neighbor, though ports are up.",
            "LLDP is off or its process is dead on this switch. The cables are not to blame.",
        ),
        FindingCode(
            "lldp-unexpected-peer",
            "A port without a planned cable has an LLDP neighbor.",
            "A cable in the wrong port, one too many, or one that the intent does not know yet.",
        ),
    ),
)
