"""FRR on Linux, read back: frr.conf, the file of ifupdown2, and files of services."""

from fabricgen.platforms.frr.readback.expected import NOT_SHOWN, adjusted, vrf_names
from fabricgen.platforms.frr.readback.services import READERS, Services
from fabricgen.platforms.linux.readback.frr_conf import frr_conf
from fabricgen.platforms.linux.readback.frr_rows import put_conf
from fabricgen.platforms.linux.readback.ifupdown import links, put_unused
from fabricgen.platforms.linux.readback.link_rows import put_links
from fabricgen.readback.platform import Files, Readback
from fabricgen.readback.rows import Reading, TextLine, written


def read(files: Files) -> Reading:
    """Read the files of one switch by name; others are not understood."""
    reading = Reading(lines=sum(map(written, files.values())))
    conf = frr_conf(files.get("frr.conf", ""), "frr.conf", reading)
    found = links(files.get("interfaces", ""), "interfaces", reading)
    tenants = put_links(found, conf, reading)
    put_conf(conf, reading)
    put_unused(found, reading)
    services = Services(reading, tenants)
    for name, text in files.items():
        if name in READERS:
            services.read(name, text)
        elif name not in ("frr.conf", "interfaces"):
            reading.unread.append(TextLine(name, 1, "a file that is not read"))
    return reading


READBACK = FRR = Readback(main="frr.conf", read=read, not_shown=NOT_SHOWN, adjusted=adjusted, vrf_names=vrf_names)
