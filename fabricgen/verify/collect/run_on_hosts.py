"""One job on many hosts of an inventory at once, each in a thread of Nornir."""

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from nornir.core import Nornir
from nornir.core.configuration import Config
from nornir.core.inventory import Hosts, Inventory
from nornir.core.task import Task
from nornir.plugins.runners import ThreadedRunner

from fabricgen.verify.collect.inventory import SiteInventory

T = TypeVar("T")


def run_on_hosts(site: SiteInventory, names: Iterable[str], workers: int, job: Callable[[Task], T]) -> dict[str, T]:
    """Run a job on these hosts, so many at a time. The exception of a job is raised once all have ended."""
    inventory = site.nornir
    nornir = Nornir(
        inventory=Inventory(
            hosts=Hosts({name: inventory.hosts[name] for name in names}),
            groups=inventory.groups,
            defaults=inventory.defaults,
        ),
        config=Config(),
        runner=ThreadedRunner(num_workers=workers),
    )
    with _no_logging():
        results = nornir.run(in_nornir, name="fabricgen", job=job)
    for result in results.values():
        if result[0].exception is not None:
            raise result[0].exception
    return {name: result[0].result for name, result in results.items()}


def in_nornir(task: Task, job: Callable[[Task], T]) -> T:
    """A task of Nornir that runs any function."""
    return job(task)


@contextmanager
def _no_logging() -> Iterator[None]:
    """Disable logging of all libraries: their messages are in the report, and some print secrets."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)
