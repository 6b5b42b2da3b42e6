"""Write servers as files: one folder each, with the files below /, the operator's input, and the expected state."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

from jinja2 import Environment

from fabricgen.errors import FabricError, Problem
from fabricgen.hosts.expected import expected_state
from fabricgen.hosts.model import Host
from fabricgen.hosts.operator import OperatorNames, operator_names
from fabricgen.hosts.routing import host_routing
from fabricgen.hosts.template_context import ServerContext, context_of, units_of, words_of
from fabricgen.render.folder import templates_folder
from fabricgen.render.render import environment
from fabricgen.render.user_templates import check_templates, template_faults

Form = Literal["netplan", "networkd"]
FORMS: tuple[Form, ...] = ("netplan", "networkd")
NETWORKD = "etc/systemd/network"
SCRIPTS = "usr/local/sbin"
Files = Iterator[tuple[str, str]]


class HostWriter:
    """Writes servers in one form. A user's folder of templates overrides ours, file by file."""

    def __init__(self, form: Form, user_templates: Path | None = None) -> None:
        self._form, self._user_templates = form, user_templates
        self._environment: Environment = environment(user_templates)
        if user_templates is not None:
            check_templates(user_templates, templates_folder(), self._environment)

    def files(self, hosts: Iterable[Host], *, operator: bool = False) -> Files:
        """Path and text, server by server. `operator`: a rail list that cannot be written is a FabricError."""
        for host in hosts:
            with template_faults(self._user_templates):
                yield from ((f"{host.name}/{path}", text) for path, text in self._host(host, operator=operator))

    def _host(self, host: Host, *, operator: bool) -> Files:
        context = context_of(host)
        yield from self._interfaces(host, context)
        yield from self._names(host, context, operator=operator)
        yield "etc/sysctl.d/60-fabricgen.conf", self._text("sysctl", host=host, context=context)
        yield "etc/lldpd.d/60-fabricgen.conf", self._text("lldpd", host=host)
        routing = host_routing(host.name, host.site, host.pairs)
        if routing is not None:
            yield "etc/frr/frr.conf", self._text("frr", routing=routing)
            yield "etc/frr/daemons", self._text("frr-daemons", routing=routing)
        if host.library:
            yield "etc/nccl.conf", self._text("nccl", host=host)
        if host.settings:
            parts = [self._text("nic-head", host=host)]
            for own in host.settings:
                nics = host.nics_with(own)
                words = words_of(own, nics)
                parts += [self._text(f"nic-{own.vendor}", host=host, own=own, words=words, nics=nics)] if nics else []
            yield f"{SCRIPTS}/fabricgen-nic-settings", "".join((*parts, self._text("nic-end", host=host)))
            yield "etc/systemd/system/fabricgen-nic-settings.service", self._text("service", host=host)
        if context.cuts:
            yield f"{SCRIPTS}/fabricgen-nic-planes", self._text("nic-planes", host=host, context=context)
        yield "expected.json", json.dumps(expected_state(host), indent=1) + "\n"

    def _names(self, host: Host, context: ServerContext, *, operator: bool) -> Files:
        """Names of interfaces and RDMA devices, by PCI address where it is known."""
        for nic in context.renamed:
            yield f"{NETWORKD}/10-fabricgen-{nic.name}.link", self._text("link", host=host, nic=nic)
        if context.renamed:
            yield "etc/udev/rules.d/60-fabricgen-rdma.rules", self._text("rdma-rules", host=host, context=context)
        names = operator_names(host)
        if isinstance(names, Problem) and operator:
            raise FabricError([names])
        if isinstance(names, OperatorNames):
            yield "operator/nic-interface-names.yaml", self._text("nic-names", host=host, names=names)

    def _interfaces(self, host: Host, context: ServerContext) -> Files:
        if self._form == "netplan":
            yield "etc/netplan/60-fabricgen.yaml", self._text("netplan", host=host, context=context)
            return
        for unit in units_of(host):
            text = self._text("networkd-network", host=host, context=context, unit=unit)
            yield f"{NETWORKD}/60-fabricgen-{unit.name}.network", text
        for pair in host.pairs:
            yield f"{NETWORKD}/60-fabricgen-{pair.name}.netdev", self._text("networkd-dummy", host=host, pair=pair)
            text = self._text("networkd-dummy-network", host=host, pair=pair)
            yield f"{NETWORKD}/60-fabricgen-{pair.name}.network", text
        for bond in host.bonds:
            text = self._text("networkd-bond", host=host, context=context, bond=bond)
            yield f"{NETWORKD}/60-fabricgen-{bond.name}.netdev", text
        for network in context.tagged:
            text = self._text("networkd-vlan", host=host, network=network)
            yield f"{NETWORKD}/60-fabricgen-{network.interface}.netdev", text

    def _text(self, name: str, **values: object) -> str:
        return self._environment.get_template(f"hosts/{name}.j2").render(**values)
