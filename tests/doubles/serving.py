"""A server of a double in a thread: it sleeps until somebody connects, however many of them there are."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from threading import Event, Thread


@contextmanager
def serving(server: ThreadingHTTPServer) -> Iterator[None]:
    """Answer until the block is left. `serve_forever` would wake fifty times a second to see whether it is."""
    is_over = Event()

    def serve() -> None:
        while not is_over.is_set():
            server.handle_request()

    thread = Thread(target=serve)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        server.socket.shutdown(socket.SHUT_RDWR)  # ends the wait for a connection
        thread.join()
