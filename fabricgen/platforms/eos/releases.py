"""Releases of Arista EOS that are known, and what is configured in other words from one of them on."""

from fabricgen.platforms.base.release import Difference, Release

PYAVD = "PyAVD 6.4.0 on PyPI"
NOTES = f"{PYAVD}, eos_cli_config_gen: the notes on releases in its schema"
LOCAL_INTERFACE = "4.33.4"
"""The first release with `logging local-interface`."""

RELEASES = (
    Release("4.33", f"{NOTES}; github.com/aristanetworks/avd issue 6309"),
    Release("4.34", f"{PYAVD}, eos_cli_config_gen"),
    Release("4.35", f"{NOTES}; its order of lines, that of 4.35.0F (github.com/aristanetworks/avd pull request 6170)"),
    Release("4.36", f"{NOTES}; github.com/batfish/lab-validation, running configurations of 4.36.0.1F"),
)
DIFFERENCES = (
    Difference(
        LOCAL_INTERFACE,
        "source of syslog messages",
        "logging vrf V source-interface P",
        "logging vrf V local-interface P",
        f"{PYAVD}, logging_settings.use_local_interface_cli; github.com/aristanetworks/avd issue 6309: 4.32.9M refuses "
        "`local-interface`, 4.33.6M has it, and `source-interface` is deprecated from 4.35.1 on",
        lines=r"logging(?: vrf \S+)? local-interface \S+",
    ),
)
