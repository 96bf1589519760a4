"""How a target is reached: IPv6, and names with several addresses of which some are dead."""
import json
import socket
import subprocess
import time

from harness.bench import Skip, needs_root
from harness.lab import free_port
from test_ssh import ok


def ipv6_or_skip():
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError as error:
        raise Skip(f"no IPv6 on this machine: {error}") from error


def test_ssh_an_ipv6_target(b):
    """INV-055, SSH-005: [::1]:port in a URI; known_hosts names it the same way"""
    ipv6_or_skip()
    server = b.sshd(address="[::1]")
    b.ssh_inventory(server)
    known = b.home / ".ssh" / "known_hosts"
    known.write_text(f"[::1]:{server.port} {b.lab.keys.host_public('ed25519')}\n")
    ok(b)
    run = b.run("command", "run", "echo in", "-t", f"ssh://{b.me}@[::1]:{server.port}", "--private-key",
                b.lab.keys.user(), "--format", "json")
    assert run.status == 0, run


class BlackHole:
    """A port that takes connection requests and never answers them: its queue is full."""

    def __init__(self, family, address, port):
        self.listener = socket.socket(family)
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.listener.bind((address, port))
        self.listener.listen(0)
        self.waiting = []
        for _ in range(4):
            client = socket.socket(family)
            client.setblocking(False)
            client.connect_ex((address, port))
            self.waiting.append(client)
        time.sleep(0.1)

    def close(self):
        for each in (*self.waiting, self.listener):
            each.close()


def two_addresses(b, server, first, second, timeout=900):
    """volley in a mount namespace whose /etc/hosts has two addresses for `both`; a target of that name."""
    b.write("hosts", f"127.0.0.1 localhost\n{first} both\n{second} both\n")
    wrapper = b.write("volley-in-namespace",
                      f"#!/bin/sh\nmount --bind {b.folder}/hosts /etc/hosts && exec {b.volley} \"$@\"\n", 0o755)
    b.ssh_inventory(server, **{"connect-timeout": timeout})
    inventory = json.loads((b.project / "inventory.yaml").read_text())
    inventory["targets"] = [{"name": "web", "uri": f"both:{server.port}"}]
    b.inventory(json.dumps(inventory))
    (b.home / ".ssh" / "known_hosts").write_text(f"[both]:{server.port} {b.lab.keys.host_public('ed25519')}\n")
    outer = b.write("volley-unshared", f"#!/bin/sh\nexec unshare -m {wrapper} \"$@\"\n", 0o755)
    if subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False).returncode:
        raise Skip("a mount namespace is not permitted here")
    b.volley = str(outer)


@needs_root
def test_ssh_the_first_address_refuses(b):
    """SSH-012: a name whose IPv6 address has no server is reached over IPv4, at once"""
    ipv6_or_skip()
    two_addresses(b, b.sshd(), "::1", "127.0.0.1")
    ok(b)


@needs_root
def test_ssh_the_first_address_is_dead(b):
    """SSH-012: an address that never answers costs a moment and not the connect-timeout, whichever family it is of"""
    ipv6_or_skip()
    server = b.sshd()
    hole = BlackHole(socket.AF_INET6, "::1", server.port)
    b.undo(hole.close)
    two_addresses(b, server, "::1", "127.0.0.1")
    ok(b)


@needs_root
def test_ssh_012_every_address_is_dead(b):
    """SSH-012: then the connect-timeout ends it, and the message carries the seconds"""
    ipv6_or_skip()
    server = b.sshd()
    port = free_port()
    for family, address in ((socket.AF_INET6, "::1"), (socket.AF_INET, "127.0.0.1")):
        b.undo(BlackHole(family, address, port).close)
    server.port = port
    two_addresses(b, server, "::1", "127.0.0.1", timeout=2)
    run = b.run("command", "run", "true", "-t", "web", "--format", "json")
    error = run.error("web")
    assert run.status == 1 and error["issue_code"] == "CONNECT_ERROR", run
    assert "Timeout after 2 seconds connecting to web" in error["msg"], run
