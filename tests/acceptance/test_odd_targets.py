"""Targets that are not as they should be, and networks that fail. A real sshd each time."""
import json
import os
import socket
import subprocess
import threading
from pathlib import Path

from harness.bench import HANGS, Skip, alone, needs_root
from harness.lab import descendants, wait_for_port
from harness.patience import process_of, read_until, runs, text_of, wait_for


def account_target(b, account, server=None, **options):
    server = server or b.sshd("UsePAM no")
    b.ssh_inventory(server, user=account.name, **options)
    return server


def all_verbs_work(b):
    """Command, script with arguments, task with both inputs, upload and download on target web."""
    flags = ["-t", "web", "--format", "json"]
    run = b.run("command", "run", "echo in", *flags)
    assert run.value()["stdout"].endswith("in\n"), run
    script = b.write("s.sh", "#!/bin/sh\nprintf '<%s>\\n' \"$1\"\nexit 5\n")
    run = b.run("script", "run", script, "it's $x !h \\n", *flags)
    assert run.value()["stdout"] == "<it's $x !h \\n>\n" and run.value()["exit_code"] == 5, run
    b.task("t.sh", "#!/bin/sh\nprintf '{\"env\": \"%s\", \"in\": %s}' \"$PT_p\" \"$(cat)\"\n")
    run = b.run("task", "run", "site::t", "p=it's !x $y", *flags)
    assert run.value()["env"] == "it's !x $y" and run.value()["in"]["p"] == "it's !x $y", run
    source = b.write("up.bin", bytes(range(256)) * 300)
    remote = b.folder / "remote.bin"
    b.folder.chmod(0o777)
    run = b.run("file", "upload", source, remote, *flags)
    assert run.status == 0 and remote.read_bytes() == source.read_bytes(), run
    run = b.run("file", "download", remote, b.folder / "down", *flags)
    assert (b.folder / "down" / "web" / "remote.bin").read_bytes() == source.read_bytes(), run


def login_shell(b, shell):
    if not os.path.exists(shell):
        raise Skip(f"no {shell}")
    shells = Path("/etc/shells").read_text()
    account = b.user(shell=shell)
    assert shells is not None
    account_target(b, account)
    all_verbs_work(b)


@needs_root
def test_login_shell_dash(b):
    """SH-010, TRN-034"""
    login_shell(b, "/bin/dash")


@needs_root
def test_login_shell_csh(b):
    """A csh login shell"""
    login_shell(b, "/bin/tcsh")


@needs_root
def test_login_shell_fish(b):
    """A fish login shell"""
    login_shell(b, "/usr/bin/fish")


@needs_root
def test_busybox_shell(b):
    """busybox as login shell and as every tool of it"""
    busybox = b.write("busybox-sh", "#!/bin/busybox sh\nexec /bin/busybox sh \"$@\"\n", 0o755)
    if not os.path.exists("/bin/busybox"):
        raise Skip("no busybox")
    tools = b.folder / "tools"
    tools.mkdir()
    subprocess.run(["/bin/busybox", "--install", "-s", tools], check=True)
    b.write("busybox-sh", f"#!/bin/busybox sh\nPATH={tools}; export PATH\nexec /bin/busybox sh \"$@\"\n", 0o755)
    account = b.user(shell=str(busybox))
    account_target(b, account)
    all_verbs_work(b)


@needs_root
def test_login_shell_with_a_banner(b):
    """A login shell that prints a banner on both streams: scripts and tasks still work, their results are clean"""
    noisy = b.write("noisy", "#!/bin/sh\necho WELCOME TO THE MACHINE\necho careful >&2\nexec /bin/sh \"$@\"\n", 0o755)
    account = b.user(shell=str(noisy))
    account_target(b, account)
    run = b.run("command", "run", "echo in", "-t", "web", "--format", "json")
    assert run.status == 0 and run.value()["stdout"].endswith("in\n"), run
    b.task("t.sh", "#!/bin/sh\necho '{\"a\": 1}'\n")
    run = b.run("task", "run", "site::t", "-t", "web", "--format", "json")
    assert run.value() == {"a": 1}, run
    remote = b.write("r.txt", "body")
    run = b.run("file", "download", remote, b.folder / "down", "-t", "web")
    assert run.status == 0 and (b.folder / "down/web/r.txt").read_text() == "body", run


def mount(b, options):
    place = b.folder / "mounted"
    place.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", place], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Skip(f"cannot mount here: {done.stderr.strip()}")
    b.undo(lambda: subprocess.run(["umount", "-l", place], check=True))
    return place


@needs_root
def test_sh_021_noexec_tmpdir(b):
    """SH-021: the hint says what is wrong and what to do"""
    place = mount(b, "noexec,mode=1777")
    b.ssh_inventory(tmpdir=str(place))
    script = b.write("s.sh", "#!/bin/sh\necho never\n")
    run = b.run("script", "run", script, "-t", "web")
    assert run.status == 1 and "noexec" in run.out and "tmpdir" in run.out, run
    assert list(place.iterdir()) == [], "the temporary directory is removed"
    run = b.run("script", "run", script, "-t", "web", "--tmpdir", "/tmp")
    assert run.status in (0, 1)


@needs_root
def test_full_disk(b):
    """A full disk: the target's own words, nothing half left behind"""
    place = mount(b, "size=64k,mode=1777")
    b.ssh_inventory(tmpdir=str(place))
    big = b.write("big.sh", "#!/bin/sh\n" + "# filler\n" * 20000)
    run = b.run("script", "run", big, "-t", "web", "--format", "json")
    error = run.value()["_error"]
    assert error["kind"] == "puppetlabs.tasks/task_file_error" and "No space left" in error["msg"], error
    assert list(place.iterdir()) == [], "cleaned up"
    run = b.run("file", "upload", big, place / "big.sh", "-t", "web", "--format", "json")
    assert run.status == 1 and "No space left" in run.value()["_error"]["msg"], run
    assert list(place.iterdir()) == [], "whole or not at all"


@needs_root
def test_sh_001_tmpdir_that_cannot_be_made(b):
    """SH-001, ERR-053, OPT-031: a read-only or missing tmpdir"""
    place = mount(b, "ro")
    b.ssh_inventory()
    script = b.write("s.sh", "#!/bin/sh\necho x\n")
    for tmpdir in (place, b.folder / "missing"):
        run = b.run("script", "run", script, "-t", "web", "--tmpdir", tmpdir, "--format", "json")
        error = run.value()["_error"]
        assert error["kind"] == "puppetlabs.tasks/task_file_error" and error["issue_code"] == "TMPDIR_ERROR", error
        assert str(tmpdir) in error["msg"], error


@needs_root
def test_read_only_home(b):
    """Nothing is written into the home directory"""
    account = b.user()
    subprocess.run(["chown", "-R", "root", account.home], check=True)
    account.home.chmod(0o555)
    account_target(b, account)
    all_verbs_work(b)


@alone
def test_a_gigabyte_of_output(b):
    """1 GB arrives whole; memory stays near one copy of it"""
    b.ssh_inventory()
    size = 1 << 30 if "ASAN_OPTIONS" not in os.environ else 1 << 26
    out = b.folder / "out.json"
    with open(out, "wb") as sink:
        child = subprocess.Popen([b.volley, "command", "run", f"head -c {size} /dev/zero | tr '\\0' x", "-t", "web",
                                  "--format", "json", "--project", str(b.project)], env=b.env, stdout=sink)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0
    # stdout and merged_output hold the same bytes
    assert out.stat().st_size > 2 * size, out.stat().st_size
    if "ASAN_OPTIONS" not in os.environ:
        assert usage.ru_maxrss / 1024 < 2600, usage.ru_maxrss


def test_nul_and_invalid_bytes(b):
    """SH-030, RES-019"""
    b.ssh_inventory()
    run = b.run("command", "run", r"printf '\000\376\n'", "-t", "web", "--format", "json")
    assert run.value()["stdout"] == "\x00\\xFE\n", run


def test_command_that_closes_stdout_early(b):
    """Output on stderr and the exit status after stdout is closed"""
    b.ssh_inventory()
    run = b.run("command", "run", "echo first; exec >&-; sleep 0.3; echo later >&2; exit 6", "-t", "web", "--format", "json")
    value = run.value()
    assert value["stdout"] == "first\n" and value["stderr"] == "later\n" and value["exit_code"] == 6, run


def test_sh_024_inherited_pipes_do_not_hold(b):
    """SH-024: a daemon that keeps stdout open"""
    b.ssh_inventory()
    for target in ("web", "localhost"):
        mark = b.folder / f"daemon-{target}"
        run = b.run("command", "run", f"echo up; sleep 900 & echo $! > {mark}; exit 0", "-t", target, "--format", "json")
        assert run.value()["stdout"] == "up\n" and runs(process_of(b, mark)), run


def test_sh_027_stdin_is_closed(b):
    """SH-027: a command that reads stdin ends (Bolt hangs)"""
    b.ssh_inventory()
    for target in ("web", "localhost"):
        run = b.run("command", "run", "cat; echo end", "-t", target, "--format", "json")
        assert run.value()["stdout"] == "end\n", run


def test_signals_are_not_success(b):
    """A command killed by a signal fails"""
    b.ssh_inventory()
    for target in ("web", "localhost"):
        run = b.run("command", "run", "kill -KILL $$", "-t", target, "--format", "json")
        assert run.status == 1 and run.value()["exit_code"] == 137, run


def test_stdout_and_stderr_at_full_speed(b):
    """Both streams, megabytes at the same time: no stall (libssh2's shared window)"""
    b.ssh_inventory()
    run = b.run("command", "run", "head -c 4000000 /dev/zero >&2; head -c 4000000 /dev/zero", "-t", "web", "--format", "json")
    assert len(run.value()["stdout"]) == 4000000 and len(run.value()["stderr"]) == 4000000


# ---- servers and networks that fail

def fake_server(b, behaviour):
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(50)
    kept = []
    b.undo(listener.close)

    def serve():
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            kept.append(connection)
            try:
                behaviour(connection)
            except OSError:
                pass
    threading.Thread(target=serve, daemon=True).start()
    return listener.getsockname()[1]


def connect_error(b, port, timeout=3):
    b.inventory(json.dumps({"config": {"ssh": {"connect-timeout": timeout, "host-key-check": False,
                                               "private-key": str(b.lab.keys.user())}},
                            "targets": [{"name": "web", "uri": f"127.0.0.1:{port}"}]}))
    run = b.run("command", "run", "true", "-t", "web", "--format", "json")
    error = run.value()["_error"]
    assert run.status == 1 and error["kind"] == "puppetlabs.tasks/connect-error", run
    return error


def test_ssh_012_a_server_that_says_nothing(b):
    """SSH-012: accepted, then silence; the text carries the seconds"""
    error = connect_error(b, fake_server(b, lambda c: None))
    assert error["issue_code"] == "CONNECT_ERROR" and "3" in error["msg"], error


def test_a_server_that_speaks_nonsense(b):
    """HTTP on the SSH port"""
    connect_error(b, fake_server(b, lambda c: (c.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n"), c.close())))
    connect_error(b, fake_server(b, lambda c: c.sendall(b"A" * 100000)))


def test_a_server_that_hangs_after_the_banner(b):
    """Silence in the middle of the handshake"""
    connect_error(b, fake_server(b, lambda c: c.sendall(b"SSH-2.0-OpenSSH_9.2\r\n")))


def test_server_dies_mid_run(b):
    """The session's process is killed: a clear error, and the other target is not disturbed"""
    server = b.ssh_inventory(b.sshd(), names=("web", "other"))
    place, over = b.folder / "begun", b.folder / "over"
    place.mkdir()
    child = b.start("command", "run", f"touch {place}/$$; while [ -d {place} ] && [ ! -e {over} ]; do sleep 0.05; done", "-t", "web,other",
                    "--format", "json")
    wait_for(lambda: len(list(place.iterdir())) == 2, "the command on both targets")
    sessions = [p for p in server.sessions() if "sshd" in text_of(Path(f"/proc/{p}/comm"))]  # not the commands' shells
    victim = sessions[0]
    for pid in (victim, *(p for p in descendants(victim) if p in sessions)):  # a plain user's sshd outlives its parent
        os.kill(pid, 9)
    first = read_until(child.stdout, b'"failure"')
    over.touch()
    out = first + child.communicate(timeout=HANGS)[0]
    items = {i["target"]: i for i in json.loads(out)["items"]}
    states = sorted(i["status"] for i in items.values())
    assert states == ["failure", "success"], items
    broken = next(i for i in items.values() if i["status"] == "failure")
    assert "web" in broken["value"]["_error"]["msg"] or "127.0.0.1" in broken["value"]["_error"]["msg"], broken
    assert child.returncode == 1


def test_max_sessions_1(b):
    """MaxSessions 1: everything still works on the one session"""
    b.ssh_inventory(b.sshd("MaxSessions 1"))
    all_verbs_work(b)


def test_max_startups(b):
    """MaxStartups refusals are retried with backoff"""
    b.ssh_inventory(b.sshd("MaxStartups 2:50:6"), names=[f"n{i}" for i in range(30)], **{"connect-timeout": 120})
    run = b.run("command", "run", "echo in", "-t", "all", "--format", "json")
    bad = [i for i in run.json["items"] if i["status"] != "success"]
    assert not bad, bad[:2]


@needs_root
def test_network_cut(b):
    """The network is gone in the middle of a command: the run ends by itself, with the target named"""
    name = "vt" + os.urandom(3).hex()
    steps = [f"ip netns add {name}", f"ip link add {name}a type veth peer name {name}b", f"ip link set {name}b netns {name}",
             f"ip addr add 10.213.7.1/30 dev {name}a", f"ip link set {name}a up",
             f"ip netns exec {name} ip addr add 10.213.7.2/30 dev {name}b", f"ip netns exec {name} ip link set {name}b up",
             f"ip netns exec {name} ip link set lo up"]
    b.undo(lambda: subprocess.run(["ip", "netns", "del", name], check=False, capture_output=True))
    b.undo(lambda: subprocess.run(["ip", "link", "del", f"{name}a"], check=False, capture_output=True))
    for step in steps:
        done = subprocess.run(step.split(), capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Skip(f"no network namespaces here: {done.stderr.strip()}")
    server = b.sshd()
    config = Path(server.folder / "sshd_config")
    config.write_text(config.read_text().replace(f"ListenAddress 127.0.0.1:{server.port}", f"ListenAddress 10.213.7.2:{server.port}")
                      .replace("sshd.pid", "sshd-ns.pid"))
    inside = subprocess.Popen(["ip", "netns", "exec", name, "/usr/sbin/sshd", "-D", "-e", "-f", config], stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    b.undo(lambda: (inside.terminate(), inside.wait()))
    wait_for_port(server.port, "10.213.7.2", inside)
    b.inventory(json.dumps({"config": {"ssh": {"host-key-check": False, "connect-timeout": 60, "private-key": str(b.lab.keys.user())}},
                            "targets": [{"name": "web", "uri": f"root@10.213.7.2:{server.port}"}]}))
    b.write("home/.ssh/config", "Host *\n  ServerAliveInterval 2\n  ServerAliveCountMax 2\n", 0o600)
    mark = b.folder / "begun"
    child = b.start("command", "run", f"echo $$ > {mark}; exec sleep 900", "-t", "web", "--format", "json")
    process_of(b, mark)
    subprocess.run(["ip", "link", "set", f"{name}a", "down"], check=True)
    out, _ = child.communicate(timeout=HANGS)
    error = json.loads(out)["items"][0]["value"]["_error"]
    assert error["kind"] == "puppetlabs.tasks/connect-error", error


@alone
def test_ten_thousand_targets(b):
    """Many targets in one process: all answers are there, memory stays small, the window follows the descriptors"""
    count = 2000 if "ASAN_OPTIONS" not in os.environ else 200
    b.inventory(json.dumps({"config": {"transport": "local"}, "targets": [f"n{i}" for i in range(count)]}))
    run = b.run("command", "run", "echo x", "-t", "all", "--format", "json", "--concurrency", "200", timeout=300)
    assert run.status == 0 and len(run.json["items"]) == count, run.err
    assert run.rss_mib < 400, run.rss_mib


def test_low_descriptor_limit_is_said(b):
    """CFG-024, SSH-016: a low hard limit causes one warning with numbers, and the run still succeeds"""
    b.ssh_inventory(names=[f"n{i}" for i in range(60)])
    command = (f"ulimit -Hn 64; ulimit -n 64; exec {b.volley} command run 'echo x' -t all --concurrency 60 "
               f"--format json --project {b.project}")
    done = subprocess.run(["/bin/bash", "-c", command], env=b.env, cwd=b.folder, capture_output=True, timeout=HANGS, check=False)
    assert done.returncode == 0, done
    assert b"low_ulimit" in done.stderr and b"64" in done.stderr, done.stderr
