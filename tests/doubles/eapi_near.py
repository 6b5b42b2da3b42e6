"""eAPI between pyeapi and doubles of one process without a network: a push asks a thousand times.

pyeapi writes its request and reads an answer as ever; only the connection in between is another. What another process
asks, a child of the tests' too, goes over HTTP, as the double that it has to reach is here.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from http.client import RemoteDisconnected
from typing import Any
from unittest.mock import patch

from pyeapi import eapilib

from tests.doubles.eapi_sessions import Said, answered
from tests.doubles.eos_sessions import Switch


@contextmanager
def near(boxes: Mapping[int, Switch], login: str) -> Iterator[None]:
    """Until the block is left, plain HTTP of this process to one of these ports of loopback is a call."""
    far, here = eapilib.HttpConnection, os.getpid()

    def connected(path: str, host: str, port: int, **more: object) -> object:
        if os.getpid() != here or port not in boxes:
            return far(path, host, port, **more)
        return _Connection(boxes[port], login)

    with patch.object(eapilib, "HttpConnection", connected):
        yield


class _Response:
    def __init__(self, said: Said) -> None:
        self.status, self._text = said.status, said.text
        self.reason = HTTPStatus(said.status).phrase

    def read(self) -> str:
        return self._text


class _Connection:
    """What pyeapi calls of http.client.HTTPConnection."""

    def __init__(self, box: Switch, login: str) -> None:
        self._box, self._login = box, login
        self._headers: dict[str, str] = {}
        self._body = b""

    def putrequest(self, method: str, path: str) -> None:
        assert (method, path) == ("POST", "/command-api")

    def putheader(self, name: str, value: str) -> None:
        self._headers[name] = value

    def endheaders(self, message_body: bytes) -> None:
        self._body = message_body

    def getresponse(self) -> Any:  # noqa: ANN401 - of a package without types
        said = answered(self._box, self._login, self._headers.get("Authorization", ""), self._body)
        if said is None:
            raise RemoteDisconnected("Remote end closed connection without response")
        return _Response(said)

    def close(self) -> None:
        self._headers = {}
