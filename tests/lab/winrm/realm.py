"""A Kerberos realm of its own for tests: a KDC of Debian's krb5-kdc on loopback, its database in a folder, one user and the
service of a host. Nothing of the system's Kerberos is read or changed."""
import os
import shutil
import socket
import subprocess
from pathlib import Path

NAME = "LAB.TEST"
# Debian has them where the PATH of users does not look.
PLACES = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"


def missing():
    """The programs that a realm needs and that are not there."""
    return [each for each in ("krb5kdc", "kdb5_util", "kadmin.local", "kinit") if not shutil.which(each, path=PLACES)]


class Realm:
    """Runs for as long as a `with` lasts. `environment` is for clients and services of it."""

    def __init__(self, folder, user="admin", password="secret word", services=("HTTP/127.0.0.1", "HTTP/localhost"),
                 clock=None):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.clock = clock or {}  # the environment of the KDC, when its clock is another one
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.keytab = self.folder / "keytab"
        self.environment = {"KRB5_CONFIG": str(self.folder / "krb5.conf"), "KRB5_KTNAME": str(self.keytab),
                            "KRB5CCNAME": f"FILE:{self.folder}/tickets"}
        self.write_configuration()
        self.run("kdb5_util", "create", "-s", "-P", "of the database", "-r", NAME)
        self.run("kadmin.local", "-q", f'addprinc -pw "{password}" {user}')
        for service in services:
            self.run("kadmin.local", "-q", f"addprinc -randkey {service}")
            self.run("kadmin.local", "-q", f"ktadd -k {self.keytab} {service}")
        self.kdc = None

    def write_configuration(self):
        (self.folder / "krb5.conf").write_text(
            f"[libdefaults]\n default_realm = {NAME}\n dns_lookup_kdc = false\n dns_lookup_realm = false\n rdns = false\n"
            f" dns_canonicalize_hostname = false\n udp_preference_limit = 1\n"
            f"[realms]\n {NAME} = {{\n  kdc = 127.0.0.1:{self.port}\n }}\n NOWHERE.TEST = {{\n  kdc = 127.0.0.1:1\n }}\n")
        (self.folder / "kdc.conf").write_text(
            f"[realms]\n {NAME} = {{\n  database_name = {self.folder}/principal\n  key_stash_file = {self.folder}/stash\n"
            f"  acl_file = {self.folder}/acl\n  kdc_listen = 127.0.0.1:{self.port}\n  kdc_tcp_listen = 127.0.0.1:{self.port}\n }}\n"
            f"[logging]\n kdc = FILE:{self.folder}/kdc.log\n")

    def everything(self):
        return {**os.environ, **self.environment, "KRB5_KDC_PROFILE": str(self.folder / "kdc.conf"), "PATH": PLACES}

    def run(self, *words, **how):
        done = subprocess.run(words, env=self.everything(), capture_output=True, text=True, check=False, **how)
        assert done.returncode == 0, f"{' '.join(words)}: {done.stdout}{done.stderr}"

    def ticket(self, user="admin", password="secret word"):
        """What kinit puts into the cache."""
        self.run("kinit", user, input=password + "\n")

    def __enter__(self):
        self.kdc = subprocess.Popen([shutil.which("krb5kdc", path=PLACES), "-n", "-r", NAME], env={**self.everything(), **self.clock},
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for line in self.kdc.stdout:
            if "starting" in line:
                return self
        raise AssertionError(f"krb5kdc did not start: {(self.folder / 'kdc.log').read_text()}")

    def __exit__(self, *_):
        self.kdc.terminate()
        self.kdc.wait()
        self.kdc.stdout.close()
