"""Community SONiC, read back: config_db.json, and frr.conf where it has something to say."""

import re

from fabricgen.platforms.linux.readback.bgp import put_speakers, put_unused
from fabricgen.platforms.linux.readback.frr_conf import FrrConf, frr_conf
from fabricgen.platforms.linux.readback.frr_rows import put_duplicates
from fabricgen.platforms.sonic.document import merged
from fabricgen.platforms.sonic.readback.access import put_access
from fabricgen.platforms.sonic.readback.bgp import policies, put_static, speakers
from fabricgen.platforms.sonic.readback.database import Database
from fabricgen.platforms.sonic.readback.expected import NOT_SHOWN, adjusted, vrf_names
from fabricgen.platforms.sonic.readback.management import put_idle, put_management
from fabricgen.platforms.sonic.readback.overlay import put_overlay
from fabricgen.platforms.sonic.readback.ports import put_loopbacks, put_ports, put_subinterfaces
from fabricgen.platforms.sonic.readback.qos import QosRows
from fabricgen.readback.added import added_lines
from fabricgen.readback.fields import Field, NotADocumentError, document
from fabricgen.readback.file_reading import all_unread
from fabricgen.readback.platform import Files, Readback
from fabricgen.readback.rows import Reading, TextLine, written

CONFIG_DB, FRR_CONF = "config_db.json", "frr.conf"
_LINE = re.compile(r"line (\d+) column")


def read(files: Files) -> Reading:
    """Read both files; others are not understood."""
    reading = Reading(lines=sum(map(written, files.values())))
    root = _document(files.get(CONFIG_DB, "{}"), reading)
    conf = frr_conf(files.get(FRR_CONF, ""), FRR_CONF, reading)
    db = Database(root, CONFIG_DB, reading)
    put_management(db)
    put_access(db)
    put_ports(db)
    put_loopbacks(db)
    put_subinterfaces(db)
    put_overlay(db, conf)
    _put_routing(db, conf, reading)
    QosRows(db).put()
    put_idle(db)
    reading.unread += db.unread()
    reading.unread += [
        TextLine(name, 1, "a file that is not read") for name in files if name not in (CONFIG_DB, FRR_CONF)
    ]
    return reading


def _document(text: str, reading: Reading) -> Field:
    """The tables; none if the text is no object, of which no line is understood."""
    try:
        root = document(text)
    except (NotADocumentError, RecursionError) as error:
        match = _LINE.search(str(error))
        reading.unread += all_unread(CONFIG_DB, text, int(match[1]) if match else 1, str(error))
        return Field("", 0, used=True)
    if not root.is_object:
        reading.unread += all_unread(CONFIG_DB, text, 1, "no tables")
    return root


def _put_routing(db: Database, conf: FrrConf, reading: Reading) -> None:
    """BGP of the tables, or of frr.conf: a switch has one of them."""
    own = speakers(db)
    policies(db, conf.policies)
    put_static(db)
    for name, hop, line in conf.routes:
        reading.put("static-route", name, "next-hop", hop, conf.file, line)
    put_speakers(
        [*own.values(), *(row for vrf, row in conf.speakers.items() if vrf not in own)], conf.policies, reading
    )
    put_duplicates(conf, reading)
    put_unused(conf.policies, reading, FRR_CONF if conf.speakers else CONFIG_DB)
    for text, line in conf.needed.items():
        reading.put("line", text, "present", True, conf.file, line)
    if conf.hostname[0]:
        reading.put("line", f"hostname {conf.hostname[0]}", "present", True, conf.file, conf.hostname[1])


def added(text: str, raw: str) -> frozenset[int]:
    """Lines of config_db.json that objects of the intent add."""
    return added_lines(document(text), document(merged(raw)))


READBACK = SONIC = Readback(
    main=CONFIG_DB, read=read, not_shown=NOT_SHOWN, adjusted=adjusted, vrf_names=vrf_names, added=added
)
