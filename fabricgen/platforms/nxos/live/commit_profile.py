"""How a push commits on Cisco NX-OS, through NAPALM's `nxos` driver and NX-API."""

from fabricgen.platforms.base.cost import Risk
from fabricgen.platforms.base.live.commit_profile import HARMLESS, CommitProfile, Interruption, Pace
from fabricgen.platforms.nxos.live import drain

NXOS = CommitProfile(
    driver="nxos",
    timed=False,
    pace=Pace(1, 5),
    step=1,
    replaces=False,
    carries_message=False,
    comment="!",
    files={},
    proven="",
    limits=(
        "A commit does not revert by itself: a change that cuts off the switch stays (napalm/nxos/nxos.py of 5.2.0, "
        "commit_config).",
        "Only a checkpoint file that the switch wrote can replace what runs, so rendered text is merged: what runs and "
        "is not rendered stays (napalm/nxos/nxos.py, load_replace_candidate).",
        "A commit is saved as it is made. NAPALM has one checkpoint for all, rollback_config.txt, and does not look "
        "whether a save or a rollback did it: a push names a checkpoint after its commit, bootflash:fabricgen-*.txt, "
        "which stays where a push is killed, and looks (napalm/nxos/nxos.py, commit_config and rollback; "
        "fabricgen/platforms/nxos/live/commit.py).",
        "All lines go in one request, which must be answered within the inventory's timeout, 30 s where it says "
        "nothing; NX-API itself takes 300 s (Programmability Guide 10.3(x), NX-API CLI). Where the answer is late "
        "NAPALM goes back while the switch may still take lines: give a timeout of minutes (napalm/nxos/nxos.py, "
        "_commit_merge).",
        "Nothing is locked: what somebody else changes between a commit and going back is gone with it.",
        "Keys of TACACS+ and passwords of SNMPv3 users show as a difference each time: they are rendered in clear "
        "text, and NX-OS shows forms of its own (key 7, and localized keys in recorded running configurations).",
        "An address of IPv6 in the inventory must be in brackets: NAPALM 5.2.0 puts it into a URL as it is "
        "(nxapi_plumbing/api_client.py; mended in NAPALM's ee70e63).",
        "What a commit would change is worked out here from the running text, and shows lines that are missing, not "
        "those that a line takes away (netutils, diff_network_config).",
        "A login that is refused, and a certificate that is not trusted, look like a switch that does not answer: the "
        "driver says 'Cannot connect' of all (napalm/nxos/nxos.py, open).",
        "An authority of one's own is named by the path of its certificate in ssl_verify, as the driver knows no "
        "ca_file (napalm/nxos/nxos.py and nxapi_plumbing/api_client.py).",
        "Counters of ports are not read: the driver has no way (napalm/nxos/nxos.py, no get_interfaces_counters).",
        "That a peer has heard of a drain is seen by the preference 0 of its routes, as how NX-OS shows the community "
        "of RFC 8326 is in no source (fabricgen/platforms/nxos/live/drain.py).",
    ),
    drain=drain.drain,
    signs=drain.SIGNS,
    draining_peers=drain.draining_peers,
    overlay=drain.OVERLAY,
    marks=drain.marks,
    interrupts=HARMLESS
    | {
        Risk.SESSION_RESET: Interruption(60, "hold time 9 s, and the switch's own time between two tries", unsure=True),
        Risk.TRAFFIC_LOSS: Interruption(90, "the same, and training of links", unsure=True),
    },
)
