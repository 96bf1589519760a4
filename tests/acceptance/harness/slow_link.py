"""A TCP connection to a server as over a slow line: what the server sends arrives in small pieces, now and then."""
import socket
import threading
import time


class SlowLink:
    """Listens on `port`. Every `pause` seconds at most `piece` bytes of the server's go on; the other way is free."""

    def __init__(self, server_port, piece=2048, pause=0.02):
        self._server_port, self._piece, self._pause = server_port, piece, pause
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._sockets = []
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        for one in [self._listener, *self._sockets]:
            one.close()

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return  # closed
            server = socket.create_connection(("127.0.0.1", self._server_port))
            # Little waits between the two: what the server cannot send stays with it.
            server.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            self._sockets += [client, server]
            threading.Thread(target=self._copy, args=(client, server, 65536, 0), daemon=True).start()
            threading.Thread(target=self._copy, args=(server, client, self._piece, self._pause), daemon=True).start()

    @staticmethod
    def _copy(source, sink, piece, pause):
        try:
            while data := source.recv(piece):
                sink.sendall(data)
                time.sleep(pause)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # one side is gone
