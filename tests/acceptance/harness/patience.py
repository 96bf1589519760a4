"""Waiting for a sign and not for a while: a slow machine takes longer, and only a test that fails waits to the end."""
import os
import select
import signal
import socket
import time
from pathlib import Path

PATIENCE = 60  # seconds for one thing that takes a moment on an idle machine


def wait_for(sign, what="it", seconds=PATIENCE):
    """Waits until sign() is true, and returns what it said."""
    end = time.monotonic() + seconds
    while not (seen := sign()):
        assert time.monotonic() < end, f"{what} did not come to pass within {seconds} s"
        time.sleep(0.02)
    return seen


def read_until(stream, wanted, seconds=PATIENCE):
    """Reads what a process writes until these bytes are in it; communicate() returns what comes after them."""
    text, end = b"", time.monotonic() + seconds
    while wanted not in text:
        ready = select.select([stream], [], [], max(0, end - time.monotonic()))[0]
        assert ready, f"{wanted!r} was not written within {seconds} s, only {text!r}"
        piece = os.read(stream.fileno(), 65536)
        assert piece, f"it ended without {wanted!r}: {text!r}"
        text += piece
    return text


def runs(pid):
    """Whether there is such a process. One that nobody has waited for yet is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def text_of(path):
    """What is in the file, nothing when there is none (or no longer)."""
    try:
        return path.read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def temporary_folders(uid):
    """The folders in /tmp that belong to a user."""
    found = []
    for entry in os.scandir("/tmp"):
        try:
            if entry.is_dir(follow_symlinks=False) and entry.stat(follow_symlinks=False).st_uid == uid:
                found.append(entry.name)
        except FileNotFoundError:
            pass  # it has just gone
    return found


def process_of(b, mark):
    """Waits for the file in which a process writes its id as one line; the id. It does not outlive the test."""
    pid = int(wait_for(lambda: text_of(mark).endswith("\n") and text_of(mark), f"the process of {mark.name}"))

    def end():
        if runs(pid):
            os.kill(pid, signal.SIGKILL)
    b.undo(end)
    return pid


def wait_for_end(*processes):
    for pid in processes:
        wait_for(lambda pid=pid: not runs(pid), f"the end of the process {pid}")


def meeting(b, guests):
    """A command that ends when `guests` of it run, and fails after a minute alone: if all do well, they have overlapped.

    After it may be the name of a round; each has guests of its own."""
    place = b.folder / f"meeting-of-{guests}"
    script = b.write(f"{place.name}.sh", f"place={place}/$1\nmkdir -p $place\ntouch $place/$$\ni=0\n"
                     f"while [ $(ls $place | wc -l) -lt {guests} ]; do\n  i=$((i + 1))\n  [ $i -lt 1200 ] || exit 97\n"
                     "  sleep 0.05\ndone\n", 0o755)
    return f"/bin/sh {script}"


def wait_for_attempt(server):
    """Stands in for a server that is not there: waits until somebody tries to connect, and turns him away."""
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((server.address, server.port))
        listener.listen()
        listener.settimeout(PATIENCE)
        listener.accept()[0].close()
