"""Finding codes of sessions, BFD, the forwarding table, and isolation between VRFs."""

from fabricgen.finding_codes.entry import FindingCode, LiveCheck

SESSIONS = LiveCheck(
    "sessions",
    "AS number and router id of the BGP speaker; state, remote AS and address families of every session; sessions"
    " that nobody planned.",
    (
        FindingCode(
            "bgp-not-running",
            "BGP has no session at all.",
            "The BGP process is dead, was not started, or has lost its configuration (see drift).",
        ),
        FindingCode(
            "bgp-wrong-asn",
            "The switch speaks for another AS number than planned: no neighbor accepts it.",
            "The configuration is of another switch or of an older lock. Load the rendered one.",
        ),
        FindingCode(
            "bgp-wrong-router-id",
            "The router id is not the planned one; route distinguishers that the switch makes of it are wrong, too.",
            "It was not configured, so that the switch chose one itself, or it is another switch's.",
        ),
        FindingCode(
            "session-down",
            "The session is configured as planned and not established.",
            "Check the lower layers first: port, cable, addresses, the AS number of the far end. If these are right:"
            " the password, a filter on TCP port 179, or for sessions between loopbacks the route to the far one.",
        ),
        FindingCode(
            "session-reset",
            "The session is up in both samples (--since, --twice), and has fallen between them.",
            "Look for what flapped with it: a port, a path, the daemon. The switch's log has the reason of the last"
            " reset. During a change that resets it, that is meant.",
        ),
        FindingCode(
            "session-missing",
            "The planned neighbor is not configured here.",
            "Load the rendered configuration; see drift for its lines.",
        ),
        FindingCode(
            "session-wrong-as",
            "The neighbor is configured with another remote AS than planned.",
            "Mend the remote AS here, or look at whether both ends were rendered from the same lock.",
        ),
        FindingCode(
            "session-family-missing",
            "The session is up without an address family that it should carry, so its routes are not exchanged.",
            "The family is not activated at one of the two ends; it is negotiated, so one is enough. After activating"
            " it the session must start again.",
        ),
        FindingCode(
            "session-family-unexpected",
            "The session carries an address family that is not planned.",
            "Some systems activate IPv4 by default. Deactivate it at one end.",
        ),
        FindingCode(
            "session-unexpected",
            "A neighbor is configured that the plan does not have.",
            "Left over from a former neighbor, or typed by hand. Remove it, or plan it.",
        ),
    ),
)

BFD = LiveCheck(
    "bfd",
    "A BFD session for every BGP session that is to have one, and its state.",
    (
        FindingCode(
            "bfd-down",
            "BFD is configured and the far end does not answer.",
            "The link or the far end is dead, or BFD is on at one end only, or a filter drops UDP ports 3784 and 4784.",
        ),
        FindingCode(
            "bfd-missing",
            "The BGP session is not watched by BFD: a failure without loss of link is noticed only by the hold timer.",
            "BFD is not configured for the neighbor, or its process is dead.",
        ),
        FindingCode(
            "bfd-unexpected",
            "BFD watches a peer for which none is planned.",
            "Left over, or typed by hand. Remove it.",
        ),
    ),
)

ROUTES = LiveCheck(
    "routes",
    "Every prefix of the plan in the forwarding table, over exactly as many next hops as the topology has equal"
    " paths; aggregates that are anchored in a discard route; prefixes that nobody planned, in VRFs without a way out;"
    " weights that are not equal; rules that go past the tables.",
    (
        FindingCode(
            "route-missing",
            "A planned prefix is not in the forwarding table.",
            "The switch it comes from does not announce it, all sessions towards it are down, a filter drops it, or"
            " the table is full.",
        ),
        FindingCode(
            "route-width",
            "The prefix has fewer or more next hops than there are equal paths.",
            "A link or session is missing (the explanation names it), or the maximum number of paths is set too low."
            " Traffic then loads some links more than others.",
        ),
        FindingCode(
            "route-next-hop",
            "The prefix has as many next hops as planned, and not the planned ones.",
            "Two cables are swapped, or a path that the plan does not have replaces one that is down.",
        ),
        FindingCode(
            "route-weights",
            "The next hops are as planned and do not share the traffic evenly.",
            "Some system on the way announces link bandwidths, or weights were configured by hand. The plan has equal"
            " ones.",
        ),
        FindingCode(
            "route-not-discarded",
            "An aggregate is forwarded where it should be discarded: packets to unused addresses can circle.",
            "The discard route that anchors the aggregate is missing, so that a neighbor's route took its place.",
        ),
        FindingCode(
            "route-unexpected",
            "The forwarding table has a prefix that the plan does not have, in a VRF whose prefixes are all planned.",
            "From BGP: a neighbor leaks it, by redistribution, a missing filter, or a peer that is not of this"
            " fabric. Else: a static route or an address that somebody set by hand.",
        ),
        FindingCode(
            "rule-unexpected",
            "A rule sends some packets past the routing table, so that the routes compared here do not hold for them.",
            "Policy routing by hand, or by a program that is not of the fabric. The plan has none: remove it.",
        ),
    ),
)

ISOLATION = LiveCheck(
    "isolation",
    "What each VRF must not reach: prefixes of tenants that it does not import, of other fabrics, and a default route"
    " where none is planned.",
    (
        FindingCode(
            "isolation-route",
            "A VRF has a route to what it must be kept from.",
            "A route target that is imported and should not be, a route leaked by hand, an interface in the wrong"
            " VRF, or a peer outside that announces too much. Treat it as a breach between tenants until it is"
            " explained.",
        ),
    ),
)
