"""Junos in containerlab: no node kind of release 0.79 can run what fabricgen renders."""

from fabricgen.platforms.base.containerlab import Nodes

JUNOS = Nodes(
    refusal=(
        "juniper_vjunosevolved has twelve ports, et-0/0/0 to et-0/0/11, and none of them divided; "
        "juniper_vjunosswitch is an EX9214 whose ports are ge-0/0/N (containerlab's manual), and which lines of a QFX "
        "either takes was found nowhere"
    )
)
