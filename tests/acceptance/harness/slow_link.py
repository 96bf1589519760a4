"""A TCP connection to a server as over a slow line: what the server sends arrives in small pieces, now and then."""
import time

from .local_server import Link


class SlowLink(Link):
    """Listens on `port`. Every `pause` seconds at most `piece` bytes of the server's go on; the other way is free."""

    def __init__(self, server_port, piece=2048, pause=0.02):
        super().__init__(server_port, lambda _, to_server: time.sleep(0 if to_server else pause), piece)
