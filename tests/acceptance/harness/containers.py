"""A podman of the test's own with a running container, from busybox alone: no registry, no network, nothing left behind.

The image is a tar of Debian's static busybox. The settings leave out what a test machine may not allow: cgroups, raised
limits, overlay mounts.
"""
import io
import os
import shutil
import signal
import socket
import subprocess
import tarfile
from pathlib import Path

from .bench import Skip
from .lab import IS_ROOT
from .patience import wait_for

BUSYBOX = "/bin/busybox"
FILES = {"etc/passwd": "root:x:0:0:root:/root:/bin/sh\napp:x:1000:1000::/tmp:/bin/sh\n",
         "etc/group": "root:x:0:\napp:x:1000:\n", "etc/profile": "export FROM_PROFILE=yes\n"}
# What run-as-command can be: the user, then the words.
AS_USER = "#!/bin/sh\nuser=$1\nshift\nexec su -s /bin/sh \"$user\" -c 'exec \"$0\" \"$@\"' -- \"$@\"\n"
FOLDERS = {"bin": 0o755, "dev": 0o755, "etc": 0o755, "proc": 0o555, "root": 0o700, "tmp": 0o1777}

# In place of crun: without limits that a container may not raise, and where both versions of cgroups are mounted with one
# of them only, for it refuses the two together.
RUNTIME = """#!/usr/bin/env python3
import json, os, sys
for flag, key in (("--bundle", "process"), ("-b", "process"), ("--process", None), ("-p", None)):
    if flag in sys.argv:
        path = sys.argv[sys.argv.index(flag) + 1] + ("/config.json" if key else "")
        settings = json.load(open(path))
        (settings[key] if key else settings).pop("rlimits", None)
        json.dump(settings, open(path, "w"))
os.execvp("unshare", ["unshare", "-m", "--propagation", "slave", "sh", "-c",
                      'umount /sys/fs/cgroup/unified 2>/dev/null; exec crun "$@"', "crun", *sys.argv[1:]])
"""


def image():
    """The file system of the containers as a tar."""
    names = subprocess.run([BUSYBOX, "--list"], capture_output=True, text=True, check=True).stdout.split()
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as tar:
        def add(name, kind=tarfile.REGTYPE, mode=0o644, content=b"", link=""):
            entry = tarfile.TarInfo(name)
            entry.type, entry.mode, entry.size, entry.linkname = kind, mode, len(content), link
            tar.addfile(entry, io.BytesIO(content))
        for name, mode in FOLDERS.items():
            add(name, tarfile.DIRTYPE, mode)
        add("bin/busybox", mode=0o755, content=Path(BUSYBOX).read_bytes())
        for name in names:
            if name != "busybox":
                add(f"bin/{name}", tarfile.SYMTYPE, link="busybox")
        add("bin/as", mode=0o755, content=AS_USER.encode())
        for name, text in FILES.items():
            add(name, content=text.encode())
    return made.getvalue()


class Podman:
    """b.env is set so that volley's podman is this one."""

    def __init__(self, b):
        if not IS_ROOT:
            raise Skip("needs root, to run containers")
        for program in ("podman", "crun", "unshare"):
            if shutil.which(program) is None:
                raise Skip(f"{program} is not installed")
        if not Path(BUSYBOX).exists() or b"statically linked" not in subprocess.run(
                ["file", BUSYBOX], capture_output=True, check=False).stdout:
            raise Skip("busybox-static is not installed")
        folder = b.folder / "podman"
        runtime = b.write("podman/bin/crun", RUNTIME, 0o755)
        b.write("podman/containers.conf",
                f'[containers]\ncgroups = "disabled"\nnetns = "none"\n[engine]\nruntime = "crun"\n'
                f'cgroup_manager = "cgroupfs"\nevents_logger = "file"\nlock_type = "file"\n'
                f'tmp_dir = "{folder}/tmp"\n'
                f'[engine.runtimes]\ncrun = ["{runtime}"]\n')
        b.write("podman/storage.conf", f'[storage]\ndriver = "vfs"\ngraphroot = "{folder}/root"\nrunroot = "{folder}/run"\n')
        self.b = b
        self.settings = {"CONTAINERS_CONF": str(folder / "containers.conf"),
                         "CONTAINERS_STORAGE_CONF": str(folder / "storage.conf")}
        b.env.update(self.settings)
        b.undo(self.remove)
        try:
            self.podman("import", "-", "box:1", input=image())
            self.run_container("box")
        except subprocess.CalledProcessError as error:
            raise Skip(f"podman does not run here: {error.stderr.decode().strip()}") from None

    def remove(self):
        self.podman("rm", "-a", "-f", "-t", "0", check=False)
        # The service keeps a watcher of each command for five minutes.
        for process in Path("/proc").glob("[0-9]*"):  # not .../cmdline: glob() fails where one ends meanwhile
            try:
                words = (process / "cmdline").read_bytes().split(b"\0")
                if words[0].endswith(b"/conmon") and any(bytes(self.b.folder) in word for word in words):
                    os.kill(int(process.name), signal.SIGKILL)
            except (FileNotFoundError, ProcessLookupError):
                pass

    def podman(self, *arguments, check=True, **settings):
        return subprocess.run(["podman", *arguments], env={**os.environ, **self.settings}, check=check, capture_output=True,
                              timeout=120, **settings).stdout

    def run_container(self, name):
        """Starts a container; its id."""
        return self.podman("run", "-d", "--name", name, "box:1", "sleep", "100000").decode().strip()

    def service(self):
        """Podman's service, which speaks Docker's protocol; the URL of its socket."""
        url = f"unix://{self.b.folder}/podman/service.sock"
        child = subprocess.Popen(["podman", "system", "service", "--time", "0", url], env={**os.environ, **self.settings},
                                 stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        def end():
            child.kill()
            child.wait()
        self.b.undo(end)
        self.end_service = end

        def answers():
            assert child.poll() is None, "podman's service does not start"
            with socket.socket(socket.AF_UNIX) as client:
                return client.connect_ex(url.removeprefix("unix://")) == 0
        wait_for(answers, "podman's service")
        return url

    def inside(self, command, name="box"):
        """What a command prints in the container, without volley."""
        return self.podman("exec", name, "sh", "-c", command).decode()
