"""Volley's agent where things go wrong: nothing half-written takes the place of a managed file, and the next run completes."""
import fcntl
import json
import os
import select
import shutil
import signal
import subprocess
import time

from apply.compare import agent_beside
from harness.bench import HANGS, Skip, needs_root
from harness.patience import process_of, read_until, wait_for, wait_for_end
from test_agentless import apply, lock_holders, messages, only, programs, ready


def mounted(b, path, options):
    """A file system of the test's own."""
    path.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", path], capture_output=True, text=True)
    if done.returncode != 0:
        raise Skip(f"nothing can be mounted here: {done.stderr.strip()}")
    b.undo(lambda: subprocess.run(["umount", "-l", path], check=True))


def ready_over_ssh(b):
    place = ready(b)
    server = b.sshd(f"SetEnv VOLLEY_AGENT_FOLDER={b.folder}/agent")
    b.inventory(json.dumps({"targets": [{"name": "here", "uri": f"ssh://127.0.0.1:{server.port}", "config": {"ssh": {
        "host-key-check": False, "user": b.me, "private-key": str(b.lab.keys.user("ed25519"))}}}]}))
    return place


def waiting(place):
    """A command that says which process is its agent, and goes on when it may."""
    return (f"/bin/sh -c \"echo $PPID > {place}/agent; while ! test -e {place}/go; do sleep 0.05; done; "
            f"echo done > {place}/ended\"")


def has_unread_input(pid):
    """Whether something has arrived that the process has not read yet."""
    with open(f"/proc/{pid}/fd/0", "rb", buffering=0, opener=lambda path, _: os.open(path, os.O_RDONLY | os.O_NONBLOCK)) as pipe:
        return bool(select.select([pipe], [], [], 0)[0])


@needs_root
def test_a_full_disk_leaves_the_old_content(b):
    """issue 13: a full disk"""
    place = ready(b)
    mounted(b, place / "small", "size=512k")
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
    mounted(b, place / "fixed", "size=1m")
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
    place = ready_over_ssh(b)
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


@needs_root
def test_a_command_of_a_user_or_group_that_is_missing_does_not_run(b):
    """issue 13: exec: an empty name is not the agent's own, so that nothing runs as root by mistake"""
    place = ready(b)
    for attribute, why in (("user => ''", "Invalid user: the name is empty"), ("group => ''", "Invalid group: the name is empty"),
                           ("user => 'no_such_user'", "No such user no_such_user"), ("group => '54321'", "No such group 54321")):
        run = apply(b, f"exec {{ '/usr/bin/touch {place}/a': {attribute} }}")
        assert run.status == 1 and why in json.dumps(only(run)), run
        assert not (place / "a").exists(), attribute


def test_ctrl_c_ends_the_run_after_the_resource_that_it_is_at(b):
    """issue 13, EXIT-005 differs: the command that runs may end, the rest is skipped, and what was changed is reported"""
    place = ready_over_ssh(b)
    code = (f"file {{ '{place}/a': content => 'x' }} -> exec {{ '{waiting(place)}': creates => '{place}/ended' }} -> "
            f"file {{ '{place}/b': content => 'x' }}")
    for words in (["--format", "json"], []):
        running = b.start("apply", "-e", code, "-t", "here", *words, env=b.env)
        agent = process_of(b, place / "agent")
        running.send_signal(signal.SIGINT)
        read_until(running.stderr, b"Interrupted")
        wait_for(lambda: has_unread_input(agent), "the request to stop")
        (place / "go").touch()
        out, err = running.communicate(timeout=HANGS)
        assert running.returncode == 130 and (place / "ended").exists() and not (place / "b").exists(), (running.returncode, out, err)
        assert not (b.folder / "agent/state/unsent_report.json").exists()
        if words:
            [result] = json.loads(out)
            value = result["value"]
            assert value["_error"]["kind"] == "volley/interrupted" and result["status"] == "failure", out
            assert "Interrupted after it changed 2 resources, the last of them Exec[" in value["_error"]["msg"], out
            changed = {name: one["changed"] for name, one in value["report"]["resource_statuses"].items() if not one["skipped"]}
            assert len(changed) == 2 and all(changed.values()) and changed[f"File[{place}/a]"], out
        else:
            text = out.decode()
            assert "Failed on here:" in text and "File[" in text and "defined content as" in text and "changed: 2" in text, text
        for name in ("a", "go", "ended", "agent"):
            (place / name).unlink()
    (place / "go").touch()
    again = apply(b, code)
    assert again.status == 0 and (place / "b").exists(), again
    assert not any("lost during the last run" in one for one in messages(only(again))), again


def test_a_second_ctrl_c_leaves_at_once(b):
    """issue 13: without results; the agent ends at the next resource all the same, and the next run mentions it"""
    place = ready_over_ssh(b)
    code = f"exec {{ '{waiting(place)}': creates => '{place}/ended' }} -> file {{ '{place}/b': content => 'x' }}"
    running = b.start("apply", "-e", code, "-t", "here", "--format", "json", env=b.env)
    agent = process_of(b, place / "agent")
    running.send_signal(signal.SIGINT)
    read_until(running.stderr, b"Interrupted")
    wait_for(lambda: has_unread_input(agent), "the request to stop")
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=HANGS)
    assert running.returncode == 130 and b"report" not in out, (running.returncode, out, err)
    (place / "go").touch()
    wait_for_end(agent)
    assert (place / "ended").exists() and not (place / "b").exists()
    again = apply(b, code)
    assert again.status == 0 and (place / "b").exists(), again
    assert any("The connection was lost during the last run" in one for one in messages(only(again))), again


def test_ctrl_c_ends_the_wait_for_another_run(b):
    """issue 13: one that waits for the lock changes nothing and ends"""
    place = ready(b)
    assert apply(b, "notify { 'warm': }").status == 0
    slow = b.start("apply", "-e", f"exec {{ '{waiting(place)}': }}", "-t", "here", "--format", "json", env=b.env)
    process_of(b, place / "agent")
    other = b.start("apply", "-e", f"file {{ '{place}/b': content => 'x' }}", "-t", "here", "--stream", "--no-color", env=b.env)
    wait_for(lambda: lock_holders(b) == 2, "the second run at the lock")
    other.send_signal(signal.SIGINT)
    out, err = other.communicate(timeout=HANGS)
    assert other.returncode == 130 and not (place / "b").exists(), (other.returncode, out, err)
    assert b"Ended before anything was changed: another run is changing this machine (process " in out, (out, err)
    (place / "go").touch()
    assert slow.wait(HANGS) == 0


def test_what_a_killed_agent_left_beside_a_file_is_removed_by_the_next_run(b):
    """issue 13: kill -9 of the agent while it replaces a file: only what it has noted as its own goes"""
    place = ready(b)
    for name in ("one", "two", "three"):
        (place / name).mkdir()
        (place / name / "a").write_text("old")
    (place / "one/.a.abcdef").write_text("somebody's")
    b.write("check", f"#!/bin/sh\ntest -e {place}/calm || kill -9 $PPID\n", 0o755)

    def killed(folder):
        before = set((place / folder).iterdir())
        run = apply(b, f"file {{ '{place}/{folder}/a': content => 'new', backup => false, validate_cmd => '{b.folder}/check %' }}")
        assert run.status == 1 and "ended without a report" in only(run)["_error"]["msg"], run
        assert (place / folder / "a").read_text() == "old"
        [left] = set((place / folder).iterdir()) - before
        return left

    def apply_nothing(*words):
        run = apply(b, "notify { 'x': }", *words)
        assert run.status == 0, run
        return [one for one in messages(only(run)) if "left behind" in one]

    left = killed("one")
    assert apply_nothing("--noop") == [] and left.exists()
    assert apply_nothing() == [f"Removed {left}, which a run that was killed left behind"]
    assert sorted(path.name for path in (place / "one").iterdir()) == [".a.abcdef", "a"]
    # Another folder in its place, and a link in the file's place, are not touched.
    left = killed("two")
    (place / "two").rename(place / "moved")
    (place / "elsewhere").mkdir()
    (place / "elsewhere" / left.name).write_text("precious")
    (place / "two").symlink_to("elsewhere")
    assert apply_nothing() == [] and (place / "elsewhere" / left.name).read_text() == "precious"
    left = killed("three")
    left.unlink()
    left.symlink_to("../elsewhere")
    assert apply_nothing() == [] and left.is_symlink()
    (place / "calm").touch()
    run = apply(b, f"file {{ '{place}/one/a': content => 'new', backup => false, validate_cmd => '{b.folder}/check %' }}")
    assert run.status == 0 and (place / "one/a").read_text() == "new", run
    assert (b.folder / "agent/state/unfinished").read_bytes() == b""


@needs_root
def test_places_where_nothing_can_be_run_are_left_as_they_were(b):
    """issue 13: noexec places are skipped for the next candidate, and nothing stays there"""
    place = ready(b)
    mounted(b, b.folder / "noexec", "noexec,size=4m")
    b.write("bin/id", "#!/bin/sh\necho 4711\n", 0o755)  # nobody whose places are root's
    b.env |= {"XDG_STATE_HOME": str(b.folder / "noexec"), "VOLLEY_AGENT_FOLDER": ""}
    run = apply(b, f"file {{ '{place}/a': content => 'x' }}")
    assert run.status == 0 and (place / "a").read_text() == "x", run
    assert list((b.folder / "noexec").iterdir()) == []
    assert [path.name[:13] for path in (b.home / ".volley-agent").iterdir() if path.is_file()] == ["volley-agent-"]
    for folder in (b.folder / "noexec/own", b.folder / "noexec/made"):
        if folder.name == "own":
            folder.mkdir(mode=0o700)
        b.env["VOLLEY_AGENT_FOLDER"] = str(folder)
        refused = apply(b, f"file {{ '{place}/a': content => 'y' }}")
        message = only(refused)["_error"]["msg"]
        assert f"the agent could not be stored there: {folder}: no programs can be run from it. Set apply-method" in message, refused
    assert [path.name for path in (b.folder / "noexec").iterdir()] == ["own"], "what was there before stays"


@needs_root
def test_an_agent_whose_place_became_noexec_goes_to_the_next_place(b):
    """issue 13: what cannot be started any more is not the end"""
    place = ready(b)
    state = b.folder / "state"
    mounted(b, state, "size=1g")  # a sanitized agent is large
    b.write("bin/id", "#!/bin/sh\necho 4711\n", 0o755)
    b.env |= {"XDG_STATE_HOME": str(state), "VOLLEY_AGENT_FOLDER": ""}
    assert apply(b, f"file {{ '{place}/a': content => 'x' }}").status == 0
    assert list((state / "volley-agent").glob("volley-agent-*")) and not (b.home / ".volley-agent").exists()
    subprocess.run(["mount", "-o", "remount,noexec", state], check=True)
    run = apply(b, f"file {{ '{place}/a': content => 'y' }}")
    assert run.status == 0 and (place / "a").read_text() == "y", run
    assert list((b.home / ".volley-agent").glob("volley-agent-*"))


@needs_root
def test_a_package_manager_that_another_one_keeps_locked_fails_and_the_next_run_completes(b):
    """issue 13: the lock of dpkg held by another program: apt's own message, as with Puppet"""
    if not shutil.which("apt-get") or not shutil.which("dpkg-deb"):
        raise Skip("this needs apt and dpkg")
    place, root = ready(b), b.folder / "root"
    deb = small_package(b, "volley-locked")
    for folder in ("var/lib/dpkg/updates", "var/lib/dpkg/info", "var/lib/apt/lists/partial", "var/cache/apt/archives/partial", "etc/apt/sources.list.d"):
        (root / folder).mkdir(parents=True)
    (root / "var/lib/dpkg/status").touch()
    b.env["DPKG_ROOT"] = str(root)
    code = f"package {{ 'volley-locked': ensure => installed, provider => dpkg, source => '{deb}' }} -> file {{ '{place}/after': content => 'x' }}"
    with open(root / "var/lib/dpkg/lock-frontend", "w") as front, open(root / "var/lib/dpkg/lock", "w") as lock:
        fcntl.lockf(front, fcntl.LOCK_EX)
        fcntl.lockf(lock, fcntl.LOCK_EX)
        refused = apply(b, code)
    value = only(refused)
    assert refused.status == 1 and any("lock" in one and "returned 2" in one for one in messages(value)), refused
    assert value["report"]["resource_statuses"][f"File[{place}/after]"]["skipped"] is True and not (place / "after").exists(), refused
    done = apply(b, code)
    assert done.status == 0 and (place / "after").exists() and "volley-locked" in (root / "var/lib/dpkg/status").read_text(), done
    assert only(apply(b, code))["report"]["status"] == "unchanged"


def small_package(b, name):
    tree = b.folder / name
    (tree / "DEBIAN").mkdir(parents=True)
    (tree / "DEBIAN/control").write_text(f"Package: {name}\nVersion: 1.0\nArchitecture: all\nMaintainer: t <t@example.invalid>\nDescription: t\n")
    subprocess.run(["dpkg-deb", "--build", "-Znone", tree, f"{b.folder}/{name}.deb"], check=True, capture_output=True)
    return f"{b.folder}/{name}.deb"
