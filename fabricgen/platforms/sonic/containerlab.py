"""SONiC in containerlab: no node kind of release 0.79 can run what fabricgen renders."""

from fabricgen.platforms.base.containerlab import Nodes

SONIC = Nodes(
    refusal=(
        "sonic-vm adds config_db.json to what its image comes with, neighbors and addresses of another box among them "
        "(vrnetlab 9b1495fd, sonic/docker/backup.sh: `config load`), reads no frr.conf, and calls its ports Ethernet0, "
        "Ethernet4 and so on; of sonic-vs containerlab's manual has no startup configuration at all"
    )
)
