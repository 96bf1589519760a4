"""Windows machines for tests: the double of tests/lab/winrm, certificates for it, and inventories of it."""
import fcntl
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from .bench import Skip

LAB = Path(__file__).resolve().parents[2] / "lab" / "winrm"
PYTHON = "/usr/bin/python3"  # Debian's own: another one has not the packages of NTLM and Kerberos
sys.path.insert(0, str(LAB))
import realm  # noqa: E402


def powershell(whole=False):
    """A real PowerShell to be the engine: the one of VOLLEY_TEST_POWERSHELL, else one that is built once for all runs on this
    machine. `whole`: it must have the modules of the program, not only the engine (tests/lab/pwsh/prelude.ps1)."""
    engine = any_powershell()
    if whole and Path(engine).with_name("prelude.ps1").exists():
        raise Skip("the engine of PowerShell is here without its modules")
    return engine


def any_powershell():
    chosen = os.environ.get("VOLLEY_TEST_POWERSHELL") or shutil.which("pwsh")
    if chosen and chosen.startswith("none"):
        raise Skip(f"no PowerShell: {chosen.removeprefix('none: ')}")
    if chosen:
        return chosen
    folder = Path(tempfile.gettempdir()) / "volley-tests-pwsh"
    with open(f"{folder}.lock", "w", encoding="utf-8") as lock:  # one builds, the others wait
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = subprocess.run([LAB.parent / "pwsh" / "install.sh", folder], capture_output=True, text=True, check=False)
    lines = done.stdout.strip().splitlines() or ["install.sh printed nothing", "none"]
    if lines[-1] == "none":
        raise Skip(f"no PowerShell: {lines[-2]}")
    return lines[-1]


def needs(*modules):
    words = "; ".join(f"import {module}" for module in modules)
    if subprocess.run([PYTHON, "-c", words], capture_output=True, check=False).returncode != 0:
        raise Skip(f"needs Debian's packages of {' and '.join(modules)}")


def kerberos_realm(b, **settings):
    """A realm that ends with the test."""
    needs("gssapi")
    if realm.missing():
        raise Skip(f"needs Debian's krb5-kdc, krb5-admin-server and krb5-user: {', '.join(realm.missing())} missing")
    made = realm.Realm(b.folder / "realm", **settings)
    made.__enter__()
    b.undo(lambda: made.__exit__(None, None, None))
    return made


def clock_ahead(b, seconds):
    """The environment of a program whose clock is ahead."""
    library = b.folder / "skewed_clock.so"
    if not library.exists():
        if not shutil.which("g++"):
            raise Skip("needs g++, for a clock that is ahead")
        subprocess.run(["g++", "-shared", "-fPIC", "-o", library, LAB / "skewed_clock.cpp"], check=True, capture_output=True)
    return {"LD_PRELOAD": str(library), "SKEW": str(seconds)}


def certificate(b, days=2, clock=None):
    """A certificate for 127.0.0.1 that nobody signed, and its key."""
    pem, key, request, names = (b.folder / f"windows.{kind}" for kind in ("pem", "key", "request", "names"))
    names.write_text("subjectAltName=IP:127.0.0.1\n")
    try:
        for words in (["req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=windows", "-keyout", key, "-out", request],
                      ["x509", "-req", "-in", request, "-signkey", key, "-days", str(days), "-extfile", names, "-out", pem]):
            subprocess.run(["openssl", *words], check=True, capture_output=True, env={**os.environ, **(clock or {})})
    except FileNotFoundError as error:
        raise Skip("needs the program openssl") from error
    return pem, key


def client_certificate(b, name, days=2):
    """A certificate of a client that nobody signed, and its key, which only we can read."""
    pem, key = (b.folder / f"{name}.{kind}" for kind in ("pem", "key"))
    try:
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", str(days), "-subj", f"/CN={name}",
                        "-addext", "extendedKeyUsage=clientAuth", "-keyout", key, "-out", pem], check=True, capture_output=True)
    except FileNotFoundError as error:
        raise Skip("needs the program openssl") from error
    key.chmod(0o600)
    return pem, key


class Double:
    """The double with some arguments, for as long as a `with` lasts."""

    def __init__(self, *arguments, env=None, log=subprocess.DEVNULL):
        self.log = Path(log) if isinstance(log, (str, Path)) else None
        errors = self.log.open("wb") if self.log else log
        self.process = subprocess.Popen([PYTHON, LAB / "double.py", *map(str, arguments)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=errors, text=True, env={**os.environ, **(env or {})})
        self.port = self.process.stdout.readline().strip()
        assert self.port, "the double did not start"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()

    def requests(self):
        """The actions so far, and the codes of signals after theirs."""
        return self.log.read_text().split()


def windows(b, *arguments, names=("windows",), env=None, **options):
    """A double for the test, and an inventory of targets that all are this one. Options go to winrm:, after those that every
    one needs."""
    if not {"--basic", "--kerberos"} & set(arguments):
        needs("gssapi")
    count = len(list(b.folder.glob("double-*")))
    double = Double(*arguments, env=env, log=b.folder / f"double-{count}.log")
    b.undo(lambda: double.__exit__())
    targets(b, double, "--tls" in arguments, names, **options)
    return double


def targets(b, double, tls=False, names=("windows",), host="127.0.0.1", **options):
    section = {"ssl": tls, "user": "admin", "password": "secret word", "connect-timeout": 60, **options}
    section = {name: value for name, value in section.items() if value is not None}
    b.inventory(json.dumps({"config": {"transport": "winrm", "winrm": section}, "targets": [
        {"name": name, "uri": f"winrm://{host}:{double.port}"} for name in names]}))
