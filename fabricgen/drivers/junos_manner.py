"""How a push commits on a switch with Junos, through NAPALM's `junos` driver and NETCONF."""

from fabricgen.drivers import undrained
from fabricgen.drivers.manner import Closing, Manner

JUNOS = Manner(
    driver="junos",
    timed=True,
    step=60,
    replaces=True,
    says=True,
    closing=Closing.KEEPS,
    comment="##",
    files={},
    proven="",
    limits=(
        "A timed commit takes whole minutes (napalm/junos/junos.py of 5.2.0, commit_config).",
        "Loading takes an exclusive lock until the commit, and fails where anybody edits or has left something "
        "uncommitted (napalm/junos/junos.py, _load_candidate; PyEZ, Config.lock).",
        "Confirming is done with 'commit check', which confirms and does not make run what somebody else has in the "
        "candidate, as NAPALM's confirm_commit would.",
        "The host key is not checked: NAPALM opens PyEZ's Device without hostkey_verify, which is off by default "
        "(PyEZ 2.8.2, jnpr/junos/device.py); key_file and a closed management network are what protects it.",
        "That a timed commit outlasts the session that made it, and waits for another to confirm it, is what Junos' "
        "own commit-configuration is described to do; it was not seen here.",
        "NAPALM guesses the format of what it loads from its first word: set, text, XML or JSON "
        "(napalm/junos/junos.py, _detect_config_format).",
        undrained.NO_DRAIN,
    ),
    drain=undrained.drain,
    signs=undrained.SIGNS,
    seen=undrained.seen,
)
