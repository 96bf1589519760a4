"""Servers on loopback: one loop that accepts, and links to another server that pass bytes on."""
import socket
import threading


class LocalServer:
    """Listens on 127.0.0.1. `behave(connection)` runs in a thread of its own for each connection, which it may end by
    returning; that the other side has gone away is not an error."""

    def __init__(self, behave):
        self._behave = behave
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.connections = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        self._listener.close()

    def _accept(self):
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return  # closed
            self.connections += 1
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        try:
            with connection:
                self._behave(connection)
        except OSError:
            pass


class Link(LocalServer):
    """A TCP connection to a server at `server_port`. `after(bytes, to_server)` runs when so many bytes of one side have been
    passed on; pieces have at most `piece` bytes of the server's."""

    def __init__(self, server_port, after, piece=16384):
        self._server_port, self._after, self._piece = server_port, after, piece
        self._sockets = []
        super().__init__(self._relay)

    def close(self):
        super().close()
        for one in self._sockets:
            one.close()

    def _relay(self, client):
        server = socket.create_connection(("127.0.0.1", self._server_port))
        # Little waits between the two: what the server cannot send stays with it.
        server.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self._sockets += [client, server]
        back = threading.Thread(target=self._copy, args=(server, client, self._piece, False), daemon=True)
        back.start()
        self._copy(client, server, 16384, True)
        back.join()

    def _copy(self, source, sink, piece, to_server):
        try:
            while data := source.recv(piece):
                sink.sendall(data)
                self._after(len(data), to_server)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # one side is gone
