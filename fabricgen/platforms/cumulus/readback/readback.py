"""NVIDIA Cumulus Linux, read back: startup.yaml of NVUE, or the classic files of ifupdown2 and FRR."""

import re

from fabricgen.platforms.cumulus.readback.access import put_access, ra_guards
from fabricgen.platforms.cumulus.readback.expected import NOT_SHOWN, adjusted, vrf_names
from fabricgen.platforms.cumulus.readback.interfaces import InterfaceRows
from fabricgen.platforms.cumulus.readback.management import put_management
from fabricgen.platforms.cumulus.readback.nvue import Nvue
from fabricgen.platforms.cumulus.readback.overlay import put_overlay
from fabricgen.platforms.cumulus.readback.qos import QosRows
from fabricgen.platforms.cumulus.readback.routing import put_routing
from fabricgen.platforms.cumulus.readback.tree import Tree, unread
from fabricgen.platforms.linux.readback.bgp import put_speakers, put_unused
from fabricgen.platforms.linux.readback.frr_conf import frr_conf
from fabricgen.platforms.linux.readback.frr_rows import put_conf
from fabricgen.platforms.linux.readback.ifupdown import links
from fabricgen.platforms.linux.readback.ifupdown import put_unused as put_unread
from fabricgen.platforms.linux.readback.link_rows import put_links
from fabricgen.readback.added import added_lines
from fabricgen.readback.fields import Field, NotADocumentError, yaml_document
from fabricgen.readback.file_reading import all_unread
from fabricgen.readback.platform import Files, Readback
from fabricgen.readback.rows import Reading, TextLine, written

STARTUP, INTERFACES, FRR_CONF = "startup.yaml", "interfaces", "frr.conf"
_LINE = re.compile(r"line (\d+)[, ]")


def read(files: Files) -> Reading:
    """Read the file of NVUE, or the classic files; others are not understood."""
    reading = Reading(lines=sum(map(written, files.values())))
    if STARTUP in files:
        _nvue(files[STARTUP], reading)
    elif INTERFACES in files or FRR_CONF in files:
        _classic(files, reading)
    known = (STARTUP,) if STARTUP in files else (INTERFACES, FRR_CONF)
    reading.unread += [TextLine(name, 1, "a file that is not read") for name in files if name not in known]
    return reading


def _nvue(text: str, reading: Reading) -> None:
    root = _document(text, reading)
    nvue = Nvue(Tree(tuple(_sets(root))), STARTUP, reading)
    nvue.guards = ra_guards(nvue)
    interfaces = InterfaceRows(nvue)
    interfaces.put()
    put_routing(nvue)
    interfaces.put_unnumbered()
    put_overlay(nvue)
    put_management(nvue, adaptive=interfaces.adaptive)
    put_access(nvue)
    QosRows(nvue, interfaces.rows).put()
    put_speakers(nvue.conf.speakers.values(), nvue.conf.policies, reading)
    put_unused(nvue.conf.policies, reading, STARTUP)
    for part in root.below:
        for field in part.below:
            if field.key == "set":
                reading.unread += [TextLine(STARTUP, line, path) for line, path in unread(field, ())]
            elif not field.used:
                reading.unread.append(TextLine(STARTUP, field.number, field.key))


def _sets(root: Field) -> list[Field]:
    """What is set, in the order of the file. A header of `nv config show` sets nothing."""
    found = []
    for part in root.each():
        if part.key == "set":  # a document that is no list
            found.append(part)
        for field in part.below:
            field.used = field.key in ("set", "header")
            if field.key == "set":
                found.append(field)
    return found


def _document(text: str, reading: Reading) -> Field:
    """The parts of the file; none if the text is no document, of which no line is understood."""
    try:
        root = yaml_document(text)
    except NotADocumentError as error:
        match = _LINE.search(f"{error} ")
        reading.unread += all_unread(STARTUP, text, int(match[1]) if match else 1, str(error).partition("\n")[0])
        return Field("", 0, used=True)
    if not (root.is_list or root.is_object):
        reading.unread += all_unread(STARTUP, text, 1)
    return root


def _classic(files: Files, reading: Reading) -> None:
    """Without NVUE the files are those of any Linux with FRR."""
    conf = frr_conf(files.get(FRR_CONF, ""), FRR_CONF, reading, "datacenter")
    found = links(files.get(INTERFACES, ""), INTERFACES, reading)
    put_links(found, conf, reading)
    put_conf(conf, reading)
    put_unread(found, reading)


def added(text: str, raw: str) -> frozenset[int]:
    """Lines of startup.yaml that items of the intent add."""
    return added_lines(yaml_document(text), yaml_document(raw))


READBACK = CUMULUS = Readback(
    main=STARTUP,
    read=read,
    not_shown=NOT_SHOWN,
    adjusted=adjusted,
    vrf_names=vrf_names,
    added=added,
    filters_own=False,
)
