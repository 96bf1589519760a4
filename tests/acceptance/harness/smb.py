"""A real Samba on a port of its own, whose shares are what the drives of a Windows machine are."""
import ctypes
import shutil
import subprocess

from .bench import Skip
from .lab import IS_ROOT, free_port, wait_for_port

CONFIGURATION = """[global]
interfaces = 127.0.0.1
bind interfaces only = yes
smb ports = {port}
disable netbios = yes
server min protocol = SMB2
load printers = no
printcap name = /dev/null
log file = {folder}/log
username map = {folder}/names
passdb backend = smbpasswd:{folder}/private/passwords
{folders}
[C$]
path = {shared}
read only = no
[read only]
path = {shared}
[closed]
path = {shared}
valid users = nobody
"""
FOLDERS = {"private dir": "private", "state directory": "state", "lock directory": "lock", "cache directory": "cache",
           "pid directory": "pid", "ncalrpc dir": "rpc"}


class Samba:
    """Shares C$, "read only" and closed, all of them the folder `shared`, for the user `admin` with that password."""

    def __init__(self, b, password="secret word"):
        if not IS_ROOT:
            raise Skip("smbd needs root here")
        if not shutil.which("smbd"):
            raise Skip("needs Debian's package samba")
        try:
            ctypes.CDLL("libsmbclient.so.0")
        except OSError:
            raise Skip("needs Debian's package libsmbclient") from None
        self.folder, self.shared = b.folder / "samba", b.folder / "drive"
        for each in ("", *FOLDERS.values()):
            (self.folder / each).mkdir()
        self.shared.mkdir()
        (self.folder / "names").write_text("root = admin\n")
        (self.folder / "private" / "passwords").touch(0o600)
        self.port = free_port()
        configuration = self.folder / "smb.conf"
        configuration.write_text(CONFIGURATION.format(
            port=self.port, folder=self.folder, shared=self.shared,
            folders="\n".join(f"{name} = {self.folder / each}" for name, each in FOLDERS.items())))
        subprocess.run(["smbpasswd", "-c", configuration, "-L", "-a", "-s", "root"], check=True, capture_output=True,
                       input=f"{password}\n{password}\n", text=True)
        self.process = subprocess.Popen(["smbd", "-F", "--no-process-group", "-s", configuration], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        b.undo(self.stop)
        wait_for_port(self.port, "127.0.0.1", self.process)

    def stop(self):
        self.process.terminate()
        self.process.wait()
