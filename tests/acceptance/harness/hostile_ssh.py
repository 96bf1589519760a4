"""An SSH server that keeps to the protocol until it is asked to do something else: for what only a server that has been logged
in to can do. curve25519-sha256, ssh-ed25519, aes128-ctr, hmac-sha2-256; everybody may log in."""
import hashlib
import hmac
import os
import struct

from .bench import Skip
from .hostile import key_exchange_offer
from .local_server import LocalServer

try:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
except ImportError:
    Cipher = None

SERVICE_REQUEST, USERAUTH_REQUEST, CHANNEL_OPEN, CHANNEL_REQUEST, CHANNEL_CLOSE, CHANNEL_EOF = 5, 50, 90, 98, 97, 96


def text(value):
    value = value if isinstance(value, bytes) else value.encode()
    return struct.pack(">I", len(value)) + value


def mpint(value):
    value = value.lstrip(b"\0")
    return text(b"\0" + value if value and value[0] & 0x80 else value)


class Session:
    """One client. `send` and `receive` are packets; up to the login everything is done by connect()."""

    def __init__(self, connection):
        self.connection, self._buffer = connection, b""
        self._out = self._in = None
        self._sent = self._got = 0

    def _take(self, count):
        while len(self._buffer) < count:
            piece = self.connection.recv(65536)
            if not piece:
                raise ConnectionError("the client has gone")
            self._buffer += piece
        taken, self._buffer = self._buffer[:count], self._buffer[count:]
        return taken

    def _line(self):
        line = b""
        while not line.endswith(b"\n"):
            line += self._take(1)
        return line.strip()

    def sealed(self, payload, extra=0):
        block = 16 if self._out else 8
        padding = block - (len(payload) + 5) % block
        padding += (block if padding < 4 else 0) + extra
        plain = struct.pack(">IB", len(payload) + padding + 1, padding) + payload + bytes(padding)
        number, self._sent = self._sent, self._sent + 1
        if not self._out:
            return plain
        cipher, key = self._out
        return cipher.update(plain) + hmac.new(key, struct.pack(">I", number) + plain, hashlib.sha256).digest()

    def send(self, payload):
        self.connection.sendall(self.sealed(payload))

    def receive(self):
        self._got += 1
        if not self._in:
            length, padding = struct.unpack(">IB", self._take(5))
            return self._take(length - 1)[:-padding]
        head = self._in[0].update(self._take(16))
        length, padding = struct.unpack(">IB", head[:5])
        rest = self._in[0].update(self._take(length + 4 - 16)) if length + 4 > 16 else b""
        self._take(32)
        return (head + rest)[5:length + 4 - padding]

    def exchange_keys(self):
        self.connection.sendall(b"SSH-2.0-lab\r\n")
        offer = key_exchange_offer()
        self.connection.sendall(offer)
        self._sent += 1
        mine = offer[5:-offer[4]]
        version = self._line()
        theirs = self.receive()
        public = self.receive()[5:]
        own, host = X25519PrivateKey.generate(), Ed25519PrivateKey.generate()
        raw = (Encoding.Raw, PublicFormat.Raw)
        own_public = own.public_key().public_bytes(*raw)
        secret = mpint(own.exchange(X25519PublicKey.from_public_bytes(public)))
        host_key = text("ssh-ed25519") + text(host.public_key().public_bytes(*raw))
        digest = hashlib.sha256(text(version) + text(b"SSH-2.0-lab") + text(theirs) + text(mine) + text(host_key) +
                                text(public) + text(own_public) + secret).digest()
        self.send(b"\x1f" + text(host_key) + text(own_public) + text(text("ssh-ed25519") + text(host.sign(digest))))
        self.send(b"\x15")

        def derived(letter, length):
            return hashlib.sha256(secret + digest + letter + digest).digest()[:length]

        def cipher(iv, key):
            return Cipher(algorithms.AES(derived(key, 16)), modes.CTR(derived(iv, 16))).encryptor()
        self._out = (cipher(b"B", b"D"), derived(b"F", 32))
        assert self.receive() == b"\x15"
        self._in = (cipher(b"A", b"C"), derived(b"E", 32))

    def log_in(self):
        while True:
            packet = self.receive()
            if packet[0] == SERVICE_REQUEST:
                self.send(b"\x06" + packet[1:])
            elif packet[0] == USERAUTH_REQUEST:
                self.send(b"\x34")
                return

    def open_channel(self):
        """The command that the client runs on its first channel, and the channel's number on its side."""
        channel = 0
        while True:
            packet = self.receive()
            if packet[0] == CHANNEL_OPEN:
                size = struct.unpack(">I", packet[1:5])[0]
                channel = struct.unpack(">I", packet[5 + size:9 + size])[0]
                self.send(b"\x5b" + struct.pack(">IIII", channel, 0, 1 << 21, 1 << 15))
            elif packet[0] == CHANNEL_REQUEST:
                size = struct.unpack(">I", packet[5:9])[0]
                name, rest = packet[9:9 + size], packet[10 + size:]
                if packet[9 + size]:
                    self.send(b"\x63" + struct.pack(">I", channel))
                if name == b"exec":
                    return rest[4:], channel

    def end_command(self, channel, status):
        """`status`: the bytes of exit-status, four of them for those who keep to the protocol."""
        self.send(b"\x62" + struct.pack(">I", channel) + text("exit-status") + b"\0" + status)
        self.send(b"\x60" + struct.pack(">I", channel))
        self.send(b"\x61" + struct.pack(">I", channel))


def ssh_server(b, after_keys=None, after_login=None, on_command=None):
    """Each step takes the Session; what comes after it is not done when it is given."""
    if Cipher is None:
        raise Skip("needs Python's cryptography")

    def behave(connection):
        session = Session(connection)
        session.exchange_keys()
        if after_keys:
            return after_keys(session)
        session.log_in()
        if after_login:
            return after_login(session)
        while True:
            command, channel = session.open_channel()
            on_command(session, command, channel)
    server = LocalServer(behave)
    b.undo(server.close)
    return server
