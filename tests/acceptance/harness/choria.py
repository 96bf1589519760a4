"""A Choria network on loopback: Debian's nats-server with TLS, and nodes of the tests' own (tests/lab/choria_node.py)."""
import shutil
import subprocess
import sys
from pathlib import Path

from .bench import Skip
from .lab import free_port, wait_for_port

NODE = Path(__file__).resolve().parents[2] / "lab/choria_node.py"


def openssl(folder, *arguments):
    subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)


class Choria:
    """`options`: of the transport, for an inventory."""

    def __init__(self, b, nodes=("web",), certname="ann.mcollective", max_payload=1048576):
        if shutil.which("nats-server") is None:
            raise Skip("nats-server is not installed")
        self.folder = b.folder / "choria"
        self.folder.mkdir()
        self.certname = certname
        self.authority("ca")
        for name in ("server", certname):
            self.certificate("ca", name)
        self.port = free_port()
        config = b.write("choria/nats.conf", f'''listen: "127.0.0.1:{self.port}"
max_payload: {max_payload}
tls {{
  cert_file: "{self.folder}/server.pem"
  key_file: "{self.folder}/server.key"
  ca_file: "{self.folder}/ca.pem"
  verify: true
}}
''')
        self.log = self.folder / "requests"
        self.log.touch()
        self.broker = subprocess.Popen(["nats-server", "-c", str(config)], stdout=subprocess.DEVNULL,
                                       stderr=(self.folder / "broker.log").open("w"))
        b.undo(lambda: (self.broker.kill(), self.broker.wait()))
        wait_for_port(self.port, "127.0.0.1", self.broker)
        self.nodes = subprocess.Popen(
            [sys.executable, str(NODE), "--broker", f"127.0.0.1:{self.port}", "--ca", "ca.pem", "--cert", "server.pem",
             "--key", "server.key", "--log", str(self.log), "--tasks", str(b.project / "modules"),
             *(word for node in nodes for word in ("--node", node))],
            cwd=self.folder, stdout=subprocess.PIPE, text=True)
        b.undo(lambda: (self.nodes.kill(), self.nodes.wait(), self.nodes.stdout.close()))
        assert self.nodes.stdout.readline() == "ready\n"
        self.options = {"brokers": f"127.0.0.1:{self.port}", "mcollective-certname": certname,
                        "ssl-ca": f"{self.folder}/ca.pem", "ssl-cert": f"{self.folder}/{certname}.pem",
                        "ssl-key": f"{self.folder}/{certname}.key", "rpc-timeout": 60}

    def authority(self, name):
        openssl(self.folder, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", f"{name}.key", "-out",
                f"{name}.pem", "-subj", f"/CN={name}", "-days", "2")

    def certificate(self, authority, name):
        openssl(self.folder, "req", "-newkey", "rsa:2048", "-nodes", "-keyout", f"{name}.key", "-out", f"{name}.csr",
                "-subj", f"/CN={name}")
        (self.folder / "names").write_text("subjectAltName=IP:127.0.0.1,DNS:localhost\n")
        openssl(self.folder, "x509", "-req", "-in", f"{name}.csr", "-CA", f"{authority}.pem", "-CAkey",
                f"{authority}.key", "-CAcreateserial", "-out", f"{name}.pem", "-days", "2", "-extfile", "names")

    def requests(self):
        """Names of node and action of all requests so far, in order."""
        return [tuple(line.split()[:2]) for line in self.log.read_text().splitlines()]
