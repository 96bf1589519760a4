"""Servers on loopback that do not keep to the protocol, and programs that stand in for others."""
import os
import socket
import struct
import threading

from .local_server import Link


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


class HeldLink(Link):
    """A TCP connection to a server that stops after `bytes_through` bytes of the client, until release()."""

    def __init__(self, server_port, bytes_through):
        self._through = bytes_through
        self._go_on = threading.Event()
        super().__init__(server_port, self._hold)

    def release(self):
        self._go_on.set()

    def close(self):
        self._go_on.set()
        super().close()

    def _hold(self, count, to_server):
        if not to_server:
            return
        self._through -= count
        if self._through <= 0:
            self._go_on.wait()
