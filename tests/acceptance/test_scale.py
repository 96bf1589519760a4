"""Many targets at once: how many logins are under way, and what is left behind when the program crashes."""
import json
import os
import resource
import selectors
import signal
import socket
import time
from pathlib import Path

from harness.bench import HANGS, Skip
from harness.patience import PATIENCE, read_until


def mute_servers(b, count):
    """So many ports that take connections and never say a word."""
    selector = selectors.DefaultSelector()
    ports = []
    for _ in range(count):
        listener = socket.socket()
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        selector.register(listener, selectors.EVENT_READ)
        ports.append(listener.getsockname()[1])
        b.undo(listener.close)
    return selector, ports


def test_logins_under_way_are_limited_over_all_servers(b):
    """SEC-18: -c 300 does not begin 300 logins at once when none has succeeded yet"""
    selector, ports = mute_servers(b, 300)
    b.inventory(json.dumps({"targets": [{"name": f"t{port}", "uri": f"127.0.0.1:{port}"} for port in ports],
                            "config": {"ssh": {"host-key-check": False, "load-config": False, "connect-timeout": 900}}}))
    child = b.start("command", "run", "true", "-t", "all", "-c", "300", "--format", "ndjson")
    read_until(child.stdout, b"started")
    kept, end = [], time.monotonic() + PATIENCE
    while time.monotonic() < end:
        ready = selector.select(1.0 if len(kept) >= 128 else PATIENCE)  # all of them come at once when nothing holds them
        if not ready:
            break
        kept += [key.fileobj.accept()[0] for key, _ in ready]
    assert len(kept) == 128, len(kept)
    child.send_signal(signal.SIGINT)
    child.communicate(timeout=HANGS)
    for connection in kept:
        connection.close()


def test_a_crash_leaves_no_core_dump(b):
    """SEC-17.7: passwords are in the memory of the program"""
    if "ASAN_OPTIONS" in os.environ:
        raise Skip("the sanitizer handles the signal itself")
    folder = b.folder / "crash"
    folder.mkdir()
    child = b.start("command", "run", "sleep 900", "-t", "localhost", "--tmpdir", folder,
                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY,) * 2))
    read_until(child.stdout, b"Started on")
    os.kill(child.pid, signal.SIGSEGV)
    _, status = os.waitpid(child.pid, 0)
    child.returncode = -signal.SIGSEGV
    assert os.WTERMSIG(status) == signal.SIGSEGV and not os.WCOREDUMP(status), status
    assert not list(b.folder.glob("core*")), list(b.folder.glob("core*"))


def test_large_pages_are_asked_for(b):
    """A catalog of 10,000 resources takes a sixth of the page faults with them (cli/allocator)"""
    if not Path("/sys/kernel/mm/transparent_hugepage/enabled").exists():
        raise Skip("this kernel has no large pages")
    done = b.run("command", "run", "cat /proc/$PPID/smaps", "-t", "localhost", "--format", "json")
    mappings = json.loads(done.stdout)["items"][0]["value"]["stdout"]
    if "libmimalloc" not in mappings:
        raise Skip("this build does not use mimalloc")
    flags = [line.split()[1:] for line in mappings.split("\n") if line.startswith("VmFlags:")]
    assert sum("hg" in words for words in flags) == 8, mappings
