"""A test's own workbench: a temporary folder, volley as a process, servers and users that are gone afterwards."""
import getpass
import json
import os
import pty
import select
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from .lab import IS_ROOT, Dropbear, Sshd, User, free_port

HANGS = 180  # seconds: no program that works takes so long, however slow the machine


def seen_in_order(wanted, text):
    """Whether a text, or each of several after the one before, is in what a terminal showed."""
    at = 0
    for part in [wanted] if isinstance(wanted, str) else wanted:
        at = text.find(part.encode(), at)
        if at < 0:
            return False
        at += len(part.encode())
    return True


class Skip(Exception):
    """This test cannot run here; the text says why."""


def alone(test):
    """Marks a test that needs the machine to itself (memory, time)."""
    test.alone = True
    return test


def needs_root(test):
    def wrapped(bench):
        if not IS_ROOT:
            raise Skip("needs root, to make users or mounts")
        return test(bench)
    wrapped.__name__, wrapped.__doc__ = test.__name__, test.__doc__
    wrapped.alone = getattr(test, "alone", False)
    return wrapped


def has_native_ruby(bench):
    """Whether the program can run Ruby by itself: a build with VOLLEY_NATIVE_RUBY=OFF cannot, and says that."""
    run = bench.run("eval", "--no-ruby", "-e", "inline_template('x')", project=False)
    return "built without native Ruby" not in run.out + run.err


def needs_native_ruby(test):
    def wrapped(bench):
        if not has_native_ruby(bench):
            raise Skip("the program is built without native Ruby")
        return test(bench)
    wrapped.__name__, wrapped.__doc__ = test.__name__, test.__doc__
    wrapped.alone = getattr(test, "alone", False)
    return wrapped


def peak_memory(pid):
    """The largest resident size so far, in MiB. (wait4's own figure starts at the size of the parent.)"""
    try:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    except OSError:
        pass
    return 0


class Run:
    """A finished volley: stdout and stderr as bytes and text, exit status, peak memory, CPU."""

    def __init__(self, arguments, stdout, stderr, status, usage=None, wall=0.0, peak=0.0):
        self.arguments, self.stdout, self.stderr, self.status = arguments, stdout, stderr, status
        self.out, self.err = stdout.decode(errors="replace"), stderr.decode(errors="replace")
        self.rss_mib = peak
        self.cpu = usage.ru_utime + usage.ru_stime if usage else 0
        self.wall = wall

    @property
    def json(self):
        return json.loads(self.out)

    def value(self, target=None):
        """The value of the only result, or of that target's, in --format json."""
        items = self.json["items"]
        return next(i for i in items if target in (None, i["target"]))["value"]

    def error(self, target=None):
        """The _error of that result."""
        return self.value(target)["_error"]

    def __str__(self):
        return (f"volley {' '.join(map(str, self.arguments))}\nexit {self.status}\n"
                f"stdout: {self.out[-3000:]}\nstderr: {self.err[-3000:]}")


class Bench:
    def __init__(self, volley, lab):
        self.volley, self.lab = volley, lab
        self.folder = Path(tempfile.mkdtemp(prefix="volley-test-"))
        self.folder.chmod(0o755)
        self.project = self.folder / "project"
        self.project.mkdir()
        self.home = self.folder / "home"
        (self.home / ".ssh").mkdir(parents=True, mode=0o700)
        self.write("project/bolt-project.yaml", "name: site\n")
        self.me = getpass.getuser() if not IS_ROOT else "root"
        self._undo, self._last, self._running, self.expired = [], None, set(), False
        self.env = {"PATH": os.environ["PATH"], "HOME": str(self.home), "USER": self.me, "LANG": "C.UTF-8", "TERM": "xterm"}
        for name in ("ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"):
            if name in os.environ:
                self.env[name] = os.environ[name]

    # ---- files

    def write(self, path, text, mode=0o644):
        """A file below the test's folder; parents are made. Text or bytes."""
        full = self.folder / path
        full.parent.mkdir(parents=True, exist_ok=True)
        data = text if isinstance(text, bytes) else text.encode()
        if mode & 0o111:
            # Not by this process: a child that another test starts meanwhile would hold the file open for writing for a
            # moment, and who runs it then gets "Text file busy".
            subprocess.run(["dd", f"of={full}", "status=none"], input=data, check=True)
        else:
            full.write_bytes(data)
        full.chmod(mode)
        return full

    def copy_of_volley(self, path):
        """A copy of the program, made by another process, so that it is never busy (see write())."""
        subprocess.run(["cp", "--preserve=mode", "--", self.volley, path], check=True)
        return path

    def task(self, name, body, metadata=None):
        """A task site::NAME of the project ("x.sh" -> site::x)."""
        self.write(f"project/tasks/{name}", body)
        if metadata is not None:
            self.write(f"project/tasks/{name.rsplit('.', 1)[0]}.json", json.dumps(metadata))

    def inventory(self, text):
        return self.write("project/inventory.yaml", text)

    # ---- volley

    def run(self, *arguments, stdin=b"", env=None, timeout=HANGS, cwd=None, project=True, separate=True):
        """Runs volley to its end. project: adds --project."""
        words = [self.volley, *map(str, arguments)]
        if project:
            at = words.index("--") if "--" in words else len(words)
            words[at:at] = ["--project", str(self.project)]
        started = time.monotonic()
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            child = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=out, stderr=err if separate else out,
                                     env={**self.env, **(env or {})}, cwd=cwd or self.folder, start_new_session=True)
            self._running.add(child.pid)
            try:
                child.stdin.write(stdin if isinstance(stdin, bytes) else stdin.encode())
                child.stdin.close()
            except BrokenPipeError:
                pass
            try:
                usage, peak = self._wait(child, timeout)
            finally:
                self._running.discard(child.pid)
            wall = time.monotonic() - started
            out.seek(0), err.seek(0)
            run = Run(words[1:], out.read(), err.read(), child.returncode, usage, wall, peak)
        self._last = run  # of tests with threads: of any of them
        return run

    def refused(self, *arguments, kind=None, says=(), **settings):
        """Runs volley, which must end with status 1 and one clear message that has these texts."""
        run = self.run(*arguments, **settings)
        assert run.status == 1, f"status {run.status}, 1 expected"
        for text in [says] if isinstance(says, str) else says:
            assert text in run.out + run.err, f"{text!r} is not in the message"
        assert "Traceback" not in run.err and "terminate called" not in run.err
        if kind:
            error = run.json.get("_error", run.json)  # after or before the head of the results was printed
            assert error["kind"] == kind, f"kind is {error['kind']}"
        return run

    def start(self, *arguments, env=None, project=True, **popen):
        """Starts volley and returns the process, for tests that interrupt it."""
        words = [self.volley, *map(str, arguments)] + (["--project", str(self.project)] if project else [])
        child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 env={**self.env, **(env or {})}, cwd=self.folder, start_new_session=True, **popen)
        self._running.add(child.pid)

        def end():
            self._running.discard(child.pid)
            if child.poll() is None:
                child.kill()
                child.wait()
        self.undo(end)
        return child

    def expire(self):
        """The test's time is over: its programs are killed."""
        self.expired = True
        for pid in list(self._running):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def _wait(self, child, timeout):
        end = time.monotonic() + timeout
        peak = 0
        while True:
            peak = max(peak, peak_memory(child.pid))
            pid, status, usage = os.wait4(child.pid, os.WNOHANG)
            if pid:
                child.returncode = os.waitstatus_to_exitcode(status)
                return usage, peak
            if time.monotonic() > end:
                os.killpg(child.pid, signal.SIGKILL)
                os.wait4(child.pid, 0)
                child.returncode = -9
                raise AssertionError(f"volley did not end within {timeout} s")
            time.sleep(0.005)

    def terminal(self, *arguments, answers=(), env=None, timeout=HANGS, project=True, on_text=None):
        """Runs volley on a pseudo-terminal. answers: (text or texts in order to wait for, what to type). Returns (text, status)."""
        words = [self.volley, *map(str, arguments)] + (["--project", str(self.project)] if project else [])
        pid, master = pty.fork()
        if pid == 0:
            os.chdir(self.folder)
            os.execve(words[0], words, {**self.env, **(env or {})})
        text, pending, end = b"", list(answers), time.monotonic() + timeout
        while True:
            if time.monotonic() > end:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
                raise AssertionError(f"volley did not end within {timeout} s; so far: {text!r}")
            if master in select.select([master], [], [], 0.2)[0]:
                try:
                    piece = os.read(master, 65536)
                except OSError:
                    piece = b""
                if not piece:
                    break
                text += piece
                if on_text:
                    on_text(text, pid)
                if pending and seen_in_order(pending[0][0], text):
                    os.write(master, pending.pop(0)[1].encode())
        _, status = os.waitpid(pid, 0)
        os.close(master)
        self._last = Run(words[1:], text, b"", os.waitstatus_to_exitcode(status))
        return text.decode(errors="replace"), self._last.status

    def last_run_text(self):
        return f"\n{self._last}" if self._last else ""

    # ---- targets

    def sshd(self, extra="", host_keys=("ed25519",), **settings):
        """A server of this test alone."""
        folder = self.folder / f"sshd-{len(self._undo)}"
        folder.mkdir()
        server = Sshd(folder, self.lab.keys, extra, host_keys, **settings).start()
        self.undo(server.stop)
        return server

    def farm(self, count):
        """tests/lab/sshd-farm: that many targets t001, t002 ..., each with an address of its own, in the group farm."""
        folder = self.folder / "farm"
        program = Path(__file__).resolve().parents[2] / "lab" / "sshd-farm"
        env = {**os.environ, "FARM_PORT": str(free_port()), "FARM_LOGLEVEL": "VERBOSE"}
        self.undo(lambda: subprocess.run([program, "stop", folder], env=env, check=False, capture_output=True))
        subprocess.run([program, "start", folder, str(count)], env=env, check=True, capture_output=True, timeout=HANGS)
        (self.home / ".ssh" / "known_hosts").write_bytes((folder / "known_hosts").read_bytes())
        self.inventory((folder / "inventory.yaml").read_text().replace("  ssh:\n", "  ssh:\n    connect-timeout: 60\n"))
        return folder

    def dropbear(self, kind="ed25519"):
        folder = self.folder / f"dropbear-{len(self._undo)}"
        folder.mkdir()
        server = Dropbear(folder, self.lab.keys, kind).start()
        self.undo(server.stop)
        return server

    def tmpfs(self, path, options="size=1m"):
        """A small file system of its own at that path, unmounted afterwards."""
        path.mkdir(parents=True, exist_ok=True)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "volley-test", path], capture_output=True)
        if mounted.returncode:
            raise Skip("mounting a tmpfs is not permitted here")
        self.undo(lambda: subprocess.run(["umount", "-l", path], check=True))
        return path

    def user(self, **settings):
        if not IS_ROOT:
            raise Skip("needs root, to make a user")
        account = User(**settings)
        self.undo(account.remove)
        return account

    def ssh_inventory(self, server=None, names=("web",), user=None, key="ed25519", known_hosts=None, **options):
        """An inventory of targets that all are this server, with checked host keys. Extra options go to ssh:."""
        server = server or self.lab.plain()
        known = known_hosts or server.known_hosts()
        (self.home / ".ssh" / "known_hosts").write_bytes(Path(known).read_bytes())
        # A login may take its time on a busy machine.
        section = {"user": user or self.me, "host-key-check": True, "connect-timeout": 60, **options}
        if key:
            section.setdefault("private-key", str(self.lab.keys.user(key)))
        self.inventory(json.dumps({
            "version": 2, "config": {"transport": "ssh", "ssh": section},
            "targets": [{"name": n, "uri": f"{server.address}:{server.port}"} for n in names],
        }))
        return server

    def undo(self, function):
        """Something to be done when the test is over, last first."""
        self._undo.append(function)

    def close(self):
        for function in reversed(self._undo):
            try:
                function()
            except Exception as error:  # noqa: BLE001 - cleaning goes on
                print(f"# cleaning up: {error}", flush=True)
        shutil.rmtree(self.folder, ignore_errors=True)
