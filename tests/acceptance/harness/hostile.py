"""Servers on loopback that do not keep to the protocol, and programs that stand in for others."""
import os
import socket
import struct
import threading


class HostileServer:
    """Listens on 127.0.0.1. `behave(connection)` runs in a thread of its own for each connection, which it may end by
    returning; that the other side has gone away is no error."""

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


def flood(text, first=b""):
    """Sends `first`, and then `text` for as long as somebody takes it."""
    def behave(connection):
        connection.sendall(first)
        while True:
            connection.sendall(text)
    return behave


def say(text):
    """Sends `text` and hangs up."""
    def behave(connection):
        connection.sendall(text)
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(65536):
            pass
    return behave


VERSION = b"SSH-2.0-hostile\r\n"


def packet(payload):
    """A plain packet, as before the keys are exchanged (RFC 4253, 6)."""
    padding = 8 - (len(payload) + 5) % 8
    padding += 8 if padding < 4 else 0
    return struct.pack(">IB", len(payload) + padding + 1, padding) + payload + bytes(padding)


def key_exchange_offer(host_key=b"ssh-ed25519"):
    """KEXINIT with what every client knows."""
    lists = [b"curve25519-sha256", host_key, b"aes128-ctr", b"aes128-ctr", b"hmac-sha2-256", b"hmac-sha2-256",
             b"none", b"none", b"", b""]
    return packet(b"\x14" + os.urandom(16) + b"".join(struct.pack(">I", len(names)) + names for names in lists) +
                  bytes(5))


def unimplemented():
    return packet(b"\x03" + bytes(4))


class HeldLink:
    """A TCP connection to a server that stops after `bytes_through` bytes of the client, until release()."""

    def __init__(self, server_port, bytes_through):
        self._server_port, self._through = server_port, bytes_through
        self._go_on = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def release(self):
        self._go_on.set()

    def close(self):
        self._go_on.set()
        self._listener.close()

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return  # closed
            server = socket.create_connection(("127.0.0.1", self._server_port))
            threading.Thread(target=self._copy, args=(client, server, self._through), daemon=True).start()
            threading.Thread(target=self._copy, args=(server, client, None), daemon=True).start()

    def _copy(self, source, sink, through):
        try:
            while data := source.recv(16384):
                sink.sendall(data)
                if through is not None:
                    through -= len(data)
                    if through <= 0:
                        self._go_on.wait()
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # one side is gone
