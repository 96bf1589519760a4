"""Volley's agent where things go wrong: nothing half-written takes the place of a managed file, and the next run completes."""
import json
import os
import shutil
import subprocess
import time

from apply.compare import agent_beside
from harness.bench import Skip, needs_root
from test_agentless import apply, messages, only, programs, ready


def mounted(b, path, size):
    """A file system of the test's own."""
    path.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", path], capture_output=True, text=True)
    if done.returncode != 0:
        raise Skip(f"nothing can be mounted here: {done.stderr.strip()}")
    b.undo(lambda: subprocess.run(["umount", "-l", path], check=True))


@needs_root
def test_a_full_disk_leaves_the_old_content(b):
    """issue 13: a full disk"""
    place = ready(b)
    mounted(b, place / "small", "512k")
    (place / "small/a").write_text("old")
    b.write("project/modules/m/files/big", os.urandom(1_000_000))
    code = f"file {{ '{place}/small/a': source => 'puppet:///modules/m/big', backup => false }}"
    full = apply(b, code)
    assert full.status == 1 and "No space left on device" in json.dumps(only(full)), full
    assert [path.name for path in (place / "small").iterdir()] == ["a"] and (place / "small/a").read_text() == "old"
    subprocess.run(["mount", "-o", "remount,size=4m", place / "small"], check=True)
    assert apply(b, code).status == 0 and (place / "small/a").stat().st_size == 1_000_000
    assert [path.name for path in (place / "small").iterdir()] == ["a"]


@needs_root
def test_a_read_only_file_system_is_one_line(b):
    """issue 13: a read-only file system"""
    place = ready(b)
    mounted(b, place / "fixed", "1m")
    (place / "fixed/a").write_text("old")
    subprocess.run(["mount", "-o", "remount,ro", place / "fixed"], check=True)
    code = f"file {{ '{place}/fixed/a': content => 'new', backup => false }} file {{ '{place}/b': content => 'x' }}"
    run = apply(b, code)
    assert run.status == 1 and "Read-only file system" in json.dumps(only(run)), run
    assert (place / "fixed/a").read_text() == "old" and (place / "b").exists()
    subprocess.run(["mount", "-o", "remount,rw", place / "fixed"], check=True)
    assert apply(b, code).status == 0 and (place / "fixed/a").read_text() == "new"


def test_a_state_folder_that_cannot_be_written_is_said(b):
    """issue 13: the agent's own folder is full or fixed"""
    place = ready(b)
    assert apply(b, "notify { 'warm': }").status == 0
    shutil.rmtree(b.folder / "agent/state")
    (b.folder / "agent/state").write_text("in the way")
    run = apply(b, f"file {{ '{place}/a': content => 'x' }}")
    assert run.status == 1 and "agent/state" in only(run)["_error"]["msg"] and not (place / "a").exists(), run
    (b.folder / "agent/state").unlink()
    assert apply(b, f"file {{ '{place}/a': content => 'x' }}").status == 0 and (place / "a").exists()


def test_an_upload_that_breaks_off_is_not_run(b):
    """issue 13: a half-written upload: it never gets the name of a whole one, and the next run sends it anew"""
    place = ready(b)
    b.write("bin/cat", "#!/bin/sh\nhead -c 100000\nkill -9 $PPID\n", 0o755)
    run = apply(b, f"file {{ '{place}/a': content => 'x' }}")
    assert run.status == 1 and not (place / "a").exists() and programs(b) == [], run
    (b.folder / "bin/cat").unlink()
    assert apply(b, f"file {{ '{place}/a': content => 'x' }}").status == 0 and (place / "a").exists()
    assert programs(b)[0].read_bytes() == agent_beside(b.volley).read_bytes()


def test_a_lost_connection_ends_the_run_at_the_next_resource(b):
    """issue 13: kill -9 of sshd: the agent stops, keeps its report, and the next run mentions it and completes"""
    place = ready(b)
    server = b.sshd(f"SetEnv VOLLEY_AGENT_FOLDER={b.folder}/agent")
    b.inventory(json.dumps({"targets": [{"name": "here", "uri": f"ssh://127.0.0.1:{server.port}", "config": {"ssh": {
        "host-key-check": False, "user": b.me, "private-key": str(b.lab.keys.user("ed25519"))}}}]}))
    end = b.write("end-session", "#!/bin/sh\np=$PPID\nwhile [ \"$(ps -o comm= -p $p)\" != sshd ]; do p=$(ps -o ppid= -p $p | tr -d ' '); done\n"
                                 "kill -9 $p\nwhile kill -0 $p 2>/dev/null; do :; done\n", 0o755)
    code = (f"file {{ '{place}/a': content => 'x' }} -> "
            f"exec {{ '{end}': unless => '/usr/bin/test -e {place}/calm' }} -> "
            f"file {{ '{place}/b': content => 'x' }}")
    run = apply(b, code)
    assert run.status == 1 and "_error" in only(run), run
    unsent = b.folder / "agent/state/unsent_report.json"
    while not unsent.exists():  # the run of a test is limited as a whole
        time.sleep(0.01)
    assert (place / "a").exists() and not (place / "b").exists()
    report = json.loads(unsent.read_text())
    assert f"File[{place}/a]" in report["resource_statuses"] and oct(unsent.stat().st_mode & 0o777) == "0o600"
    (place / "calm").touch()
    again = apply(b, code)
    assert again.status == 0 and (place / "b").exists(), again
    assert any("The connection was lost during the last run" in one for one in messages(only(again))), again


def test_a_command_that_hangs_is_ended(b):
    """issue 13: a hanging exec: its timeout ends it and what it started, and what needs it is skipped"""
    place = ready(b)
    code = (f"exec {{ 'hang': command => '/bin/sh -c \"sleep 4242 & echo $! > {place}/pid; wait\"', timeout => 1 }} -> "
            f"file {{ '{place}/a': content => 'x' }} file {{ '{place}/b': content => 'x' }}")
    run = apply(b, code)
    assert run.status == 1 and "exceeded timeout" in json.dumps(only(run)), run
    assert not (place / "a").exists() and (place / "b").exists()
