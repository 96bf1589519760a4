"""Real SSH servers on loopback, and the users that log in to them. Shared by all tests of a run."""
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
from pathlib import Path

from .patience import PATIENCE, wait_for

SSHD = "/usr/sbin/sshd"
IS_ROOT = os.geteuid() == 0


_given = set()


def free_port():
    """A port that nobody has, and that neither another test nor a connection on its way out gets meanwhile."""
    while True:
        port = 10240 + secrets.randbelow(22000)  # below those that the kernel assigns
        if port in _given:
            continue
        _given.add(port)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port


def wait_for_port(port, address, process):
    """Until the server answers there, or has ended."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET

    def answers():
        assert process.poll() is None, f"the server at {address}:{port} has ended with status {process.returncode}"
        with socket.socket(family) as probe:
            probe.settimeout(PATIENCE)
            return probe.connect_ex((address.strip("[]"), port)) == 0
    wait_for(answers, f"an answer of {address}:{port}")


def descendants(pid):
    try:
        children = []
        for task in os.listdir(f"/proc/{pid}/task"):
            children += map(int, Path(f"/proc/{pid}/task/{task}/children").read_text().split())
    except OSError:
        return []
    return children + [d for c in children for d in descendants(c)]


class Sshd:
    """One sshd with its own keys and configuration. `extra` are sshd_config lines."""

    def __init__(self, folder, keys, extra="", host_keys=("ed25519",), address="127.0.0.1", port=None):
        self.folder, self.address, self.port = Path(folder), address, port or free_port()
        self.keys, self.host_keys, self.extra = keys, host_keys, extra
        self.process = None

    def start(self):
        if IS_ROOT:
            os.makedirs("/run/sshd", mode=0o755, exist_ok=True)
        lines = [f"ListenAddress {self.address}:{self.port}", f"PidFile {self.folder}/sshd.pid",
                 f"AuthorizedKeysFile {self.keys.authorized}", "StrictModes no", "UseDNS no", "PrintMotd no",
                 "PrintLastLog no", "PermitRootLogin prohibit-password", "LogLevel VERBOSE",
                 "Subsystem sftp internal-sftp", "SetEnv SHLVL=2"]
        lines += [f"HostKey {self.keys.host(kind)}" for kind in self.host_keys]
        # The first value wins in sshd_config, so a test's own lines go first.
        config = self.folder / "sshd_config"
        config.write_text(self.extra.strip() + "\n" + "\n".join(lines) + "\n")
        log = open(self.folder / "sshd.log", "ab")
        self.process = subprocess.Popen([SSHD, "-D", "-e", "-f", config], stdin=subprocess.DEVNULL, stdout=log,
                                        stderr=log, start_new_session=True)
        log.close()
        wait_for_port(self.port, self.address, self.process)
        return self

    @property
    def log(self):
        return (self.folder / "sshd.log").read_text(errors="replace")

    def sessions(self):
        """The processes below the listener: one or two a live session, and what they run."""
        return descendants(self.process.pid)

    def known_hosts(self, hashed=False):
        name = f"[{self.address}]:{self.port}" if self.port != 22 else self.address
        path = self.folder / "known_hosts"
        # Another test may be reading that of a server that they share: it is there as a whole or not at all.
        fresh = self.folder / f"known_hosts-{secrets.token_hex(8)}"
        fresh.write_text("".join(f"{name} {self.keys.host_public(kind)}\n" for kind in self.host_keys))
        if hashed:
            subprocess.run(["ssh-keygen", "-q", "-H", "-f", fresh], check=True, capture_output=True)
        return fresh.replace(path)

    def stop(self):
        if self.process is None:
            return
        for pid in [*self.sessions(), self.process.pid]:
            try:
                os.kill(pid, signal.SIGCONT)
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.wait()
        self.process = None


class Dropbear:
    """A dropbear server: another implementation than OpenSSH, with an RSA or ed25519 host key."""

    def __init__(self, folder, keys, kind="ed25519"):
        self.folder, self.port, self.address = Path(folder), free_port(), "127.0.0.1"
        key = self.folder / "host"
        made = subprocess.run(["dropbearkey", "-t", kind, "-f", key], check=True, capture_output=True, text=True).stdout
        public = next(line for line in made.splitlines() if line.startswith("ssh-"))
        self.public = " ".join(public.split()[:2])
        self.process = None

    def start(self):
        self.process = subprocess.Popen(
            ["/usr/sbin/dropbear", "-F", "-E", "-r", self.folder / "host", "-p", f"{self.address}:{self.port}",
             "-P", self.folder / "pid"], stdin=subprocess.DEVNULL, stderr=open(self.folder / "log", "ab"),
            start_new_session=True)
        wait_for_port(self.port, self.address, self.process)
        return self

    def known_hosts(self):
        path = self.folder / "known_hosts"
        path.write_text(f"[{self.address}]:{self.port} {self.public}\n")
        return path

    def stop(self):
        if self.process:
            for pid in [*descendants(self.process.pid), self.process.pid]:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            self.process.wait()
            self.process = None


class Keys:
    """User and host keys of every kind, made once a run."""

    def __init__(self, folder):
        self.folder = Path(folder)
        for kind, bits in (("ed25519", ()), ("ecdsa", ()), ("rsa", ("-b", "2048"))):
            for role in ("user", "host"):
                self._make(f"{role}_{kind}", "-t", kind, *bits, "-N", "")
        self._make("user_ed25519_enc", "-t", "ed25519", "-N", "volley")
        self._make("user_rsa_pem", "-t", "rsa", "-b", "2048", "-m", "PEM", "-N", "")
        self._make("stranger", "-t", "ed25519", "-N", "")
        self.authorized = self.folder / "authorized_keys"
        self.authorized.write_text("".join(
            path.read_text() for path in sorted(self.folder.glob("user_*.pub"))))
        for path in (self.folder, self.authorized):
            path.chmod(0o755 if path.is_dir() else 0o644)

    def _make(self, name, *arguments):
        subprocess.run(["ssh-keygen", "-q", "-C", name, "-f", self.folder / name, *arguments], check=True)

    def user(self, kind="ed25519"):
        return self.folder / f"user_{kind}"

    def host(self, kind):
        return self.folder / f"host_{kind}"

    def host_public(self, kind):
        return " ".join((self.folder / f"host_{kind}.pub").read_text().split()[:2])


_accounts = threading.Lock()  # useradd and userdel refuse to run beside each other


class User:
    """A throw-away account with a password; root only."""

    def __init__(self, shell="/bin/bash", sudo=None):
        self.name = "vt" + secrets.token_hex(4)
        self.password = secrets.token_urlsafe(12)
        with _accounts:
            subprocess.run(["useradd", "-m", "-s", shell, self.name], check=True, capture_output=True)
            subprocess.run(["chpasswd"], input=f"{self.name}:{self.password}\n", text=True, check=True,
                           capture_output=True)
        entry = pwd.getpwnam(self.name)
        self.home, self.uid = Path(entry.pw_dir), entry.pw_uid
        self.rules = Path(f"/etc/sudoers.d/volley-{self.name}")
        if sudo:
            self.rules.write_text("\n".join(line.format(user=self.name) for line in sudo) + "\n")
            self.rules.chmod(0o440)

    def remove(self):
        self.rules.unlink(missing_ok=True)
        for process in Path("/proc").glob("[0-9]*"):
            try:
                if process.stat().st_uid == self.uid:
                    os.kill(int(process.name), signal.SIGKILL)
            except (FileNotFoundError, ProcessLookupError):
                pass
        with _accounts:
            subprocess.run(["userdel", "-r", self.name], check=False, capture_output=True)


class Lab:
    """What all tests share: keys, and one plain sshd that most of them log in to."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="volley-lab-"))
        self.folder.chmod(0o755)
        self._lock = threading.Lock()
        self._plain = None
        self.keys = None

    def __enter__(self):
        (self.folder / "keys").mkdir()
        self.keys = Keys(self.folder / "keys")
        return self

    def plain(self):
        """An sshd with nothing odd, started at first use."""
        with self._lock:
            if self._plain is None:
                folder = self.folder / "plain"
                folder.mkdir()
                self._plain = Sshd(folder, self.keys, "MaxStartups 10000\nMaxSessions 100\nMaxAuthTries 20").start()
            return self._plain

    def __exit__(self, *_):
        if self._plain is not None:
            self._plain.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
