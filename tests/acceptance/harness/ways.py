"""Every way to reach a target, for the suite that all transports pass (test_transports.py): what stands at the other end, how
commands are written there, and how a test sees from outside what has become of them."""
import json
import os
import signal
from pathlib import Path

from . import powershell_ssh
from .containers import Podman
from .lab import IS_ROOT
from .patience import runs, text_of, wait_for
from .windows import certificate, client_certificate, kerberos_realm, powershell, windows

NOTES = """#!/bin/sh
{{ for word; do printf '%s|' "$word"; done; echo "$DOCKER_HOST"; }} >>{calls}/{name}
{rest}
"""


def recorder(b, name, rest):
    """A program that notes its calls, then does what the rest says; what returns the calls."""
    b.write(f"bin/{name}", NOTES.format(calls=b.folder, name=name, rest=rest), 0o755)
    b.env["PATH"] = f"{b.folder}/bin:{b.env['PATH']}"
    return lambda: (b.folder / name).read_text().splitlines()


class Posix:
    """What commands look like where sh runs them."""
    newline = "\n"
    run = "echo out; echo err >&2; exit 3"
    environment = 'echo "<$A>"'
    big = "yes 0123456789 | head -c 2200000"
    big_parts = [2_200_000, ["012345678", "\n012345678", "\n"]]
    odd, odd_text = r"printf 'a\377b'", r"a\xFFb"
    slow = "sleep 100"
    task = ("read.sh", "#!/bin/sh\ncat\n")

    @staticmethod
    def endless(mark):
        return f"echo $$ > {mark}; while [ -e {mark} ]; do sleep 0.2; done"


class PowerShell:
    newline = "\r\n"
    run = "'out'; Write-Error 'err'; exit 3"
    environment = '"<$env:A>"'
    big = "'0123456789' * 200000"
    big_parts = [2_000_002, ["012345678", "\r\n"]]
    odd, odd_text = "'a' + [char]0xD800 + 'b'", "a\ufffdb\r\n"  # half a character, which no encoding has
    slow = "while ($true) { [Threading.Thread]::Sleep(200) }"  # an engine alone has no Start-Sleep
    task = ("read.ps1", "[Console]::Out.Write([Console]::In.ReadToEnd())\n")

    @staticmethod
    def endless(mark):
        return f"[IO.File]::WriteAllText('{mark}', $PID); {PowerShell.slow}"


class Way:
    """A target `there`. Files at the other end are this machine's unless a way says differently."""
    words = Posix
    user = None       # who run-as can become
    no_user = "the stand-in has no other user"  # why it is not tried
    refuses = None    # or why nobody can
    lost = "puppetlabs.tasks/connect-error"  # what a command is when the other end goes away; None: there is none

    def __init__(self, b):
        self.b = b
        self.place = b.folder / "there"
        self.place.mkdir()
        self.place.chmod(0o1777)
        self.open()

    def target(self, transport, uri=None, **options):
        entry = {"name": "there", "config": {"transport": transport, transport: options}}
        self.b.inventory(json.dumps({"targets": [{**entry, "uri": uri} if uri else entry]}))

    def content(self, path):
        return text_of(Path(path))

    def runs(self, process):
        return runs(int(process))

    def ended(self, process):
        """After Ctrl-C nothing is left of a command."""
        wait_for(lambda: not self.runs(process), f"the end of {process}")

    def becomes(self):
        """A user that run-as may be, without a password."""
        self.user = self.b.user().name if IS_ROOT else None
        self.no_user = "it needs root here, for an account"

    def lose(self, process):
        raise NotImplementedError


class Local(Way):
    """this machine"""
    real, lost = True, None

    def open(self):
        self.target("local")
        self.becomes()


class SshKey(Way):
    """OpenSSH's server, with a key"""
    real = True

    def open(self, **options):
        self.becomes()
        self.server = self.b.sshd()
        self.b.ssh_inventory(self.server, names=("there",), **options)

    def lose(self, process):
        for session in self.server.sessions():
            if "sshd" in text_of(Path(f"/proc/{session}/comm")):
                try:
                    os.kill(session, signal.SIGKILL)
                except ProcessLookupError:
                    pass


class SshPassword(SshKey):
    """OpenSSH's server, with a password"""

    def open(self):
        account = self.b.user(sudo=("{user} ALL=(ALL) NOPASSWD: ALL",))
        super().open(user=account.name, key=None, password=account.password)


class NativeSsh(SshKey):
    """OpenSSH's server, through OpenSSH's client"""

    def open(self):
        # OpenSSH looks for its files in the account's home, whatever $HOME says. Not by ssh-command, which has one session
        # for each command.
        for program in ("ssh", "scp"):
            self.b.write(f"bin/{program}", f"#!/bin/sh\nexec /usr/bin/{program} "
                                           f"-o UserKnownHostsFile='{self.b.home}/.ssh/known_hosts' \"$@\"\n", 0o755)
        self.b.env["PATH"] = f"{self.b.folder}/bin:{self.b.env['PATH']}"
        super().open(**{"native-ssh": True})


class PowerShellSsh(SshKey):
    """OpenSSH's server, whose commands a real PowerShell on Linux runs"""
    real = False
    words, refuses = PowerShell, "run-as is not supported when using PowerShell"

    def open(self):
        self.server = powershell_ssh.Windows(self.b, "sh", "there", forced=False).server


class PowerShellSubsystem(PowerShellSsh):
    """OpenSSH's server, whose subsystem `powershell` is a real PowerShell on Linux"""

    def open(self):
        self.server = powershell_ssh.Windows(self.b, "sh", "there", forced=False, subsystem=True).server


class Winrm(Way):
    """a server of WS-Management in Python with a real PowerShell; NTLM, messages encrypted"""
    real = False
    words, refuses = PowerShell, "run-as is not supported when using PowerShell"

    def open(self, *arguments, env=None, **settings):
        engine = powershell()
        self.b.write("windows/powershell.exe", f"#!/bin/sh\nexec '{engine}' \"$@\"\n", 0o755)
        env = {**(env or {}), "PATH": f"{self.b.folder}/windows:{os.environ['PATH']}"}
        self.double = windows(self.b, "--engine", engine, *arguments, names=("there",), env=env, **settings)

    def ended(self, process):
        wait_for(lambda: {"Signal", "crtl_c"} <= set(self.double.requests()), "the signal")
        super().ended(process)

    def lose(self, process):
        server = self.double.process.pid
        engines = [int(each) for thread in Path(f"/proc/{server}/task").iterdir() for each in text_of(thread / "children").split()]
        self.double.process.kill()
        for engine in engines:
            os.killpg(engine, signal.SIGKILL)  # what the machine was, its commands included


class WinrmTls(Winrm):
    """the same; NTLM over TLS, bound to the certificate"""

    def open(self):
        pem, key = certificate(self.b)
        super().open("--strict-binding", "--tls", pem, key, cacert=str(pem))


class WinrmBasic(Winrm):
    """the same; Basic over TLS"""

    def open(self):
        pem, key = certificate(self.b)
        super().open("--basic", "--tls", pem, key, **{"cacert": str(pem), "basic-auth-only": True})


class WinrmCertificate(Winrm):
    """the same; a client certificate in place of a password"""

    def open(self):
        pem, key = certificate(self.b)
        mine, my_key = client_certificate(self.b, "mine")
        super().open("--tls", pem, key, "--client-ca", mine, user=None, password=None,
                     **{"cacert": str(pem), "client-cert": str(mine), "client-key": str(my_key)})


class WinrmKerberos(Winrm):
    """the same; Kerberos with a password, MIT's KDC"""

    def open(self, **options):
        realm = kerberos_realm(self.b)
        realm.ticket()
        self.b.env.update(realm.environment)
        super().open("--kerberos", env=realm.environment, **(options or {"realm": "LAB.TEST"}))


class WinrmNegotiate(WinrmKerberos):
    """the same; Negotiate with the ticket of the cache"""

    def open(self):
        super().open(user=None, password=None)


class PodmanProgram(Way):
    """Podman, through its program"""
    real, user = True, "app"
    lost = "puppetlabs.tasks/command-error"  # the program ends as a command does: 137
    transport = "podman"

    def open(self):
        self.engine = Podman(self.b)
        self.engine.inside(f"mkdir -p {self.place} && chmod 1777 {self.place}")
        self.enter()

    def enter(self):
        self.target(self.transport, host="box", **{"run-as-command": ["as"]} if self.transport == "podman" else {})

    def content(self, path):
        return self.engine.inside(f"cat {path} 2>/dev/null || :")

    def runs(self, process):
        return self.engine.inside(f"[ -d /proc/{process} ] && echo yes || :") != ""

    def lose(self, process):
        self.engine.podman("kill", "box")


class PodmanService(PodmanProgram):
    """Podman, through its service"""

    def enter(self):
        self.b.env["CONTAINER_HOST"] = self.engine.service()
        super().enter()


class DockerProgram(PodmanProgram):
    """Podman under the name of the program docker"""
    real, user, refuses, transport = False, None, None, "docker"

    def enter(self):
        self.b.env["DOCKER_CONTEXT"] = "elsewhere"  # no service but what the program knows
        self.b.write("bin/docker", '#!/bin/sh\nexec podman "$@"\n', 0o755)
        self.b.env["PATH"] = f"{self.b.folder}/bin:{self.b.env['PATH']}"
        super().enter()


class DockerService(PodmanProgram):
    """Docker's protocol, which Podman's service speaks"""
    real, user, transport = False, None, "docker"

    def enter(self):
        self.b.env["DOCKER_HOST"] = self.engine.service()
        super().enter()


class Lxd(Way):
    """a program lxc that notes its calls and runs commands here"""
    real, lost = False, "puppetlabs.tasks/command-error"

    def open(self):
        recorder(self.b, "lxc", """case $1 in
  list) echo '[{"name":"c1","status":"Running"}]' ;;
  exec) while [ "$1" != -- ]; do shift; done; shift; exec "$@" ;;
esac""")
        self.target("lxd", "lxd://c1")

    def lose(self, process):
        os.kill(int(process), signal.SIGKILL)


class Jail(Lxd):
    """programs jls and jexec that note their calls and run commands here"""

    def open(self):
        recorder(self.b, "jls", """echo '{"jail-information":{"jail":[{"jid":3,"hostname":"db.example"}]}}'""")
        recorder(self.b, "jexec", 'shift 3; exec "$@"')
        self.target("jail", "jail://db.example")


WAYS = {"local": Local, "ssh, key": SshKey, "ssh, password": SshPassword, "ssh, native-ssh": NativeSsh, "ssh, PowerShell": PowerShellSsh,
        "ssh, PowerShell subsystem": PowerShellSubsystem,
        "winrm, NTLM": Winrm, "winrm, NTLM over TLS": WinrmTls, "winrm, Basic over TLS": WinrmBasic,
        "winrm, certificate": WinrmCertificate,
        "winrm, Kerberos": WinrmKerberos, "winrm, Negotiate": WinrmNegotiate,
        "docker, program": DockerProgram, "docker, service": DockerService,
        "podman, program": PodmanProgram, "podman, service": PodmanService, "lxd": Lxd, "jail": Jail}
