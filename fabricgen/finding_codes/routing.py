"""Finding codes of sessions, BFD, the forwarding table, and isolation between VRFs."""

from fabricgen.finding_codes.entry import FindingCode, LiveCheck

SESSIONS = LiveCheck(
    "sessions",
    "AS number and router id of BGP; state, remote AS and address families of every session; sessions that are not in "
    "the plan.",
    (
        FindingCode(
            "bgp-not-running",
            "BGP has no session at all.",
            "The BGP process is dead, was not started, or has lost its configuration (see drift).",
        ),
        FindingCode(
            "bgp-wrong-asn",
            "The local AS number is not the planned one: no neighbor accepts it.",
            "The configuration is from another switch or an older lock. Load the rendered one.",
        ),
        FindingCode(
            "bgp-wrong-router-id",
            "The router id is not the planned one; route distinguishers that are derived from it are also wrong.",
            "It was not configured, so the switch chose one itself, or it is from another switch.",
        ),
        FindingCode(
            "session-down",
            "The session is configured as planned, but not established.",
            "Check the lower layers first: port, cable, addresses, the AS number of the far end. If these are "
            "correct, check the password, filters on TCP port 179, and for sessions between loopbacks the route to "
            "the far loopback.",
        ),
        FindingCode(
            "session-reset",
            "The session is up in both samples (--since, --twice), but was reset between them.",
            "Check what flapped at the same time: a port, a path, the daemon. The switch's log has the reason of the "
            "last reset. After a change that resets sessions, this is expected.",
        ),
        FindingCode(
            "session-missing",
            "The planned neighbor is not configured here.",
            "Load the rendered configuration; see drift for its lines.",
        ),
        FindingCode(
            "session-wrong-as",
            "The neighbor is configured with another remote AS than planned.",
            "Fix the remote AS here, or check whether both ends were rendered from the same lock.",
        ),
        FindingCode(
            "session-family-missing",
            "The session is up without a planned address family, so routes of this family are not exchanged.",
            "The family is not activated at one of the two ends. Activate it; the session must then be reset.",
        ),
        FindingCode(
            "session-family-unexpected",
            "The session carries an address family that is not planned.",
            "Some systems activate IPv4 by default. Deactivate it at one end.",
        ),
        FindingCode(
            "session-unexpected",
            "A configured neighbor is not in the plan.",
            "Left over from a former neighbor, or configured manually. Remove it, or add it to the intent.",
        ),
    ),
)

BFD = LiveCheck(
    "bfd",
    "A BFD session for every BGP session with BFD, and its state.",
    (
        FindingCode(
            "bfd-down",
            "BFD is configured, but the far end does not answer.",
            "The link or the far end is down, BFD is on at one end only, or a filter drops UDP ports 3784 and 4784.",
        ),
        FindingCode(
            "bfd-missing",
            "The BGP session has no BFD: a failure without loss of link is detected only by the hold timer.",
            "BFD is not configured for the neighbor, or its process does not run.",
        ),
        FindingCode(
            "bfd-unexpected",
            "A peer has BFD that is not planned.",
            "Left over, or configured manually. Remove it.",
        ),
    ),
)

ROUTES = LiveCheck(
    "routes",
    "Every prefix of the plan in the forwarding table, over exactly as many next hops as the topology has equal"
    " paths; aggregates that are anchored in a discard route; prefixes that are not in the plan, in VRFs without "
    "external routes; unequal weights; rules that bypass the routing tables.",
    (
        FindingCode(
            "route-missing",
            "A planned prefix is not in the forwarding table.",
            "Its origin does not announce it, all sessions towards the origin are down, a filter drops it, or the "
            "table is full.",
        ),
        FindingCode(
            "route-width",
            "The prefix has fewer or more next hops than there are equal paths.",
            "A link or session is missing (the explanation names it), or the maximum number of paths is set too low."
            " Traffic then loads some links more than others.",
        ),
        FindingCode(
            "route-next-hop",
            "The prefix has the planned number of next hops, but others than planned.",
            "Two cables are swapped, or an unplanned path replaces one that is down.",
        ),
        FindingCode(
            "route-weights",
            "The next hops are as planned, but do not share the traffic evenly.",
            "A switch on the path announces link bandwidths, or weights were configured manually. The plan has equal "
            "weights.",
        ),
        FindingCode(
            "route-not-discarded",
            "An aggregate route is forwarded instead of discarded: packets to unused addresses can loop.",
            "The discard route of the aggregate is missing, so a neighbor's route replaced it.",
        ),
        FindingCode(
            "route-unexpected",
            "The forwarding table has a prefix that is not in the plan, in a VRF whose prefixes are all planned.",
            "From BGP: a neighbor leaks it, by redistribution, a missing filter, or a peer that is not in this "
            "fabric. Otherwise: a manual static route or address.",
        ),
        FindingCode(
            "rule-unexpected",
            "A rule makes some packets bypass the routing table, so the checked routes do not apply to them.",
            "Policy routing that was configured manually or by another program. The plan has none: remove it.",
        ),
    ),
)

ISOLATION = LiveCheck(
    "isolation",
    "Prefixes that each VRF must not reach: those of tenants that it does not import and of other fabrics, and a "
    "default route if none is planned.",
    (
        FindingCode(
            "isolation-route",
            "A VRF has a route to a prefix that it must not reach.",
            "Possible causes: a wrong import route target, a manually leaked route, an interface in the wrong VRF, or "
            "an external peer that announces too much. Treat it as a breach between tenants until it is explained.",
        ),
    ),
)
