"""Ctrl-C once: what runs is stopped and cleaned, results so far are kept. Twice: out at once."""
import json
import signal
import time
from pathlib import Path


def interrupted(b, child, presses=1, wait=1.5):
    time.sleep(wait)
    for _ in range(presses):
        child.send_signal(signal.SIGINT)
        time.sleep(0.2)
    started = time.monotonic()
    out, err = child.communicate(timeout=30)
    return out.decode(), err.decode(), time.monotonic() - started


def test_ctrl_c_stops_cleans_and_reports(b):
    """EXIT-005 differs: remote processes are stopped, directories removed, results printed, the rerun file written"""
    b.ssh_inventory(names=("slow",))
    inventory = json.loads((b.project / "inventory.yaml").read_text())
    inventory["targets"].append({"name": "quick", "config": {"transport": "local"}})
    b.inventory(json.dumps(inventory))
    place = b.folder / "tmp"
    place.mkdir()
    marker = b.folder / "alive"
    script = b.write("s.sh", f"#!/bin/sh\n[ -n \"$SSH_CONNECTION\" ] || exit 0\nfor i in $(seq 100); do date > {marker}; sleep 0.2; done\n")
    child = b.start("script", "run", script, "-t", "slow,quick", "--tmpdir", place, "--format", "json")
    out, _, seconds = interrupted(b, child)
    items = {i["target"]: i for i in json.loads(out)["items"]}
    assert items["quick"]["status"] == "success" and items["slow"]["status"] == "failure", out
    assert child.returncode != 0 and seconds < 10
    end = time.monotonic() + 5
    while list(place.iterdir()) and time.monotonic() < end:
        time.sleep(0.1)
    assert list(place.iterdir()) == [], "the temporary directory is removed"
    before = marker.stat().st_mtime_ns
    time.sleep(0.8)
    assert marker.stat().st_mtime_ns == before, "the remote process was stopped"
    recorded = {r["target"]: r["status"] for r in json.loads((b.project / ".rerun.json").read_text())}
    assert recorded == {"quick": "success", "slow": "failure"}, recorded


def test_ctrl_c_stops_a_plain_command_on_the_target(b):
    """EXIT-005 differs: what a command line started on the target is ended too, a pipeline and its shell included"""
    b.ssh_inventory()
    marks = [b.folder / name for name in ("one", "two")]
    beat = "while :; do date +%N > {}; sleep 0.2; done"
    child = b.start("command", "run", f"({beat.format(marks[0])}) | ({beat.format(marks[1])})", "-t", "web",
                    "--format", "json")
    end = time.monotonic() + 10
    while not all(mark.exists() for mark in marks) and time.monotonic() < end:
        time.sleep(0.05)
    out, _, seconds = interrupted(b, child, wait=0.3)
    assert seconds < 12 and json.loads(out)["items"][0]["value"]["_error"]["kind"] == "volley/interrupted", out
    time.sleep(0.5)
    before = [mark.stat().st_mtime_ns for mark in marks]
    time.sleep(0.8)
    assert [mark.stat().st_mtime_ns for mark in marks] == before, "the remote processes were stopped"


def test_ctrl_c_with_a_command_that_ignores_term(b):
    """A command that ignores SIGTERM does not hold the run"""
    b.ssh_inventory()
    child = b.start("command", "run", "trap '' TERM HUP INT; sleep 30", "-t", "web", "--format", "json")
    out, _, seconds = interrupted(b, child)
    assert seconds < 12 and json.loads(out)["items"][0]["status"] == "failure", out


def test_ctrl_c_twice_leaves_at_once(b):
    """Twice: out at once"""
    b.ssh_inventory()
    child = b.start("command", "run", "trap '' TERM HUP INT; sleep 30", "-t", "web")
    _, _, seconds = interrupted(b, child, presses=2)
    assert seconds < 3 and child.returncode != 0


def test_ctrl_c_while_connecting(b):
    """During a handshake that hangs"""
    import socket
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(5)
    b.undo(listener.close)
    b.inventory(json.dumps({"targets": [{"name": "web", "uri": f"127.0.0.1:{listener.getsockname()[1]}"}],
                            "config": {"ssh": {"host-key-check": False, "connect-timeout": 60}}}))
    child = b.start("command", "run", "true", "-t", "web", "--format", "json")
    out, _, seconds = interrupted(b, child, wait=1)
    assert seconds < 8 and json.loads(out)["items"][0]["status"] == "failure", out


def test_ctrl_c_stops_local_processes(b):
    """Local targets too"""
    marker = b.folder / "alive"
    child = b.start("command", "run", f"while :; do date > {marker}; sleep 0.1; done", "-t", "localhost")
    interrupted(b, child)
    before = marker.stat().st_mtime_ns
    time.sleep(0.5)
    assert marker.stat().st_mtime_ns == before
    assert Path(marker).exists()
