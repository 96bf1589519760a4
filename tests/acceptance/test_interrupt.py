"""Ctrl-C once: what runs is stopped and cleaned, results so far are kept, the status is 130. Twice: out at once."""
import json
import signal
import socket
from pathlib import Path

from harness.bench import HANGS
from harness.patience import process_of, read_until, runs, wait_for, wait_for_end
from test_agentless import ready as agentless_ready

# Notes its process in a file, and has no end of its own.
ENDLESS = "sh -c 'echo $PPID' > {}; while :; do sleep 0.2; done"


def interrupted(child):
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=HANGS)
    return out.decode(), err.decode()


def test_ctrl_c_stops_cleans_and_reports(b):
    """EXIT-005 differs: remote processes are stopped, directories removed, results printed, the rerun file written"""
    b.ssh_inventory(names=("slow",))
    inventory = json.loads((b.project / "inventory.yaml").read_text())
    inventory["targets"].append({"name": "quick", "config": {"transport": "local"}})
    b.inventory(json.dumps(inventory))
    place = b.folder / "tmp"
    place.mkdir()
    mark = b.folder / "pid"
    script = b.write("s.sh", f"#!/bin/sh\n[ -n \"$SSH_CONNECTION\" ] || exit 0\n{ENDLESS.format(mark)}\n")
    child = b.start("script", "run", script, "-t", "slow,quick", "--tmpdir", place, "--format", "json")
    pid = process_of(b, mark)
    first = read_until(child.stdout, b'"quick"').decode()
    out = first + interrupted(child)[0]
    items = {i["target"]: i for i in json.loads(out)["items"]}
    assert items["quick"]["status"] == "success" and items["slow"]["status"] == "failure", out
    assert child.returncode == 130, child.returncode
    wait_for(lambda: not list(place.iterdir()), "the end of the temporary directory")
    wait_for_end(pid)
    recorded = {r["target"]: r["status"] for r in json.loads((b.project / ".rerun.json").read_text())}
    assert recorded == {"quick": "success", "slow": "failure"}, recorded


def test_ctrl_c_stops_a_plain_command_on_the_target(b):
    """EXIT-005 differs: what a command line started on the target is ended too, a pipeline and its shell included"""
    b.ssh_inventory()
    marks = [b.folder / name for name in ("one", "two")]
    child = b.start("command", "run", " | ".join(f"({ENDLESS.format(mark)})" for mark in marks), "-t", "web", "--format", "json")
    processes = [process_of(b, mark) for mark in marks]
    out, _ = interrupted(child)
    assert json.loads(out)["items"][0]["value"]["_error"]["kind"] == "volley/interrupted", out
    wait_for_end(*processes)


def test_ctrl_c_with_a_command_that_ignores_term(b):
    """A command that ignores SIGTERM does not hold the run"""
    b.ssh_inventory()
    mark = b.folder / "pid"
    child = b.start("command", "run", f"trap '' TERM HUP INT; {ENDLESS.format(mark)}", "-t", "web", "--format", "json")
    process_of(b, mark)
    out, _ = interrupted(child)
    assert child.returncode == 130 and json.loads(out)["items"][0]["status"] == "failure", out


def test_ctrl_c_twice_leaves_at_once(b):
    """Twice: out at once, without results, when what runs would have three seconds to end; the status is that of the second"""
    mark = b.folder / "pid"
    child = b.start("command", "run", f"trap '' TERM HUP INT; {ENDLESS.format(mark)}", "-t", "localhost", "--format", "json")
    process_of(b, mark)
    child.send_signal(signal.SIGINT)
    # Two signals at the same moment are one.
    read_until(child.stderr, b"Interrupted")
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=HANGS)
    assert child.returncode == 130 and b'"status"' not in out, (child.returncode, out, err)


def test_ctrl_c_while_connecting(b):
    """During a handshake that hangs"""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(5)
    listener.settimeout(HANGS)
    b.undo(listener.close)
    b.inventory(json.dumps({"targets": [{"name": "web", "uri": f"127.0.0.1:{listener.getsockname()[1]}"}],
                            "config": {"ssh": {"host-key-check": False, "connect-timeout": 900}}}))
    child = b.start("command", "run", "true", "-t", "web", "--format", "json")
    connection, _ = listener.accept()
    connection.settimeout(HANGS)
    assert connection.recv(4) == b"SSH-"
    out, _ = interrupted(child)
    connection.close()
    assert json.loads(out)["items"][0]["status"] == "failure", out


def test_ctrl_c_stops_local_processes(b):
    """Local targets too"""
    mark = b.folder / "pid"
    child = b.start("command", "run", ENDLESS.format(mark), "-t", "localhost")
    pid = process_of(b, mark)
    interrupted(child)
    wait_for_end(pid)


def test_the_status_is_128_and_the_signal(b):
    """USER-D.10: as shells say it: 130 after SIGINT, 143 after SIGTERM, 129 after SIGHUP"""
    for number, status in ((signal.SIGTERM, 143), (signal.SIGHUP, 129)):
        mark = b.folder / f"pid-{status}"
        child = b.start("command", "run", ENDLESS.format(mark), "-t", "localhost", "--format", "json")
        pid = process_of(b, mark)
        child.send_signal(number)
        out, err = child.communicate(timeout=HANGS)
        assert child.returncode == status and json.loads(out)["items"][0]["status"] == "failure", (child.returncode, out, err)
        wait_for_end(pid)


def spinning_plan(b, code):
    """Starts a plan whose code goes round and round, and returns the process once it does."""
    b.write("project/bolt-project.yaml", "name: site\n")
    mark = b.folder / "mark"
    b.write("project/plans/p.pp", f"plan site::p() {{\n  file::write('{mark}', 'x')\n  {code}\n}}\n")
    child = b.start("plan", "run", "site::p", "--format", "json")
    wait_for(mark.exists, "the plan")
    return child


def test_ctrl_c_ends_plan_code_that_spins(b):
    """SEC-15: code that never waits keeps the loop from hearing of the signal; it is stopped all the same"""
    child = spinning_plan(b, "Integer[1,100000000].each |$x| { Integer[1,1000000].each |$y| { } }")
    out, err = interrupted(child)
    assert child.returncode == 130 and json.loads(out)["kind"] == "volley/interrupted", (out, err)


def test_ctrl_c_ends_a_background_block_that_spins(b):
    """SEC-15: as above, while the plan itself waits for a block"""
    child = spinning_plan(b, "$f = background() || { Integer[1,100000000].each |$x| { Integer[1,1000000].each |$y| { } } }\n"
                             "  catch_errors() || { wait($f) }")
    out, err = interrupted(child)
    assert child.returncode == 130 and json.loads(out)["kind"] == "volley/interrupted", (out, err)


def session_of(pid):
    """The process of sshd that has the connection over which this process was started."""
    while "sshd" not in Path(f"/proc/{pid}/comm").read_text():
        pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    return pid


def test_ctrl_c_closes_sessions_of_a_plan_at_once(b):
    """EXIT-005: of a command and of a script, whose temporary directory is removed, while an apply still takes its time to end"""
    agentless_ready(b)
    b.write("project/bolt-project.yaml", "name: site\napply-method: agentless\n")
    b.ssh_inventory(names=("web", "db"))
    inventory = json.loads((b.project / "inventory.yaml").read_text())
    inventory["targets"].append({"name": "here", "config": {"transport": "local"}})
    b.inventory(json.dumps(inventory))
    place = b.folder / "tmp"
    place.mkdir()
    marks = [b.folder / name for name in ("web", "db", "here")]
    command, script, _ = [ENDLESS.format(mark) for mark in marks]
    b.write("project/files/s.sh", f"#!/bin/sh\n{script}\n")
    b.write("wait.sh", f"#!/bin/sh\necho $$ > {marks[2]}\nwhile [ ! -e {b.folder}/go ]; do sleep 0.1; done\n", 0o755)
    escaped = command.replace("$", "\\$")
    b.write("project/plans/p.pp", f"""plan site::p() {{
  parallelize(['web', 'db', 'here']) |$t| {{
    case $t {{
      'web': {{ run_command("{escaped}", $t) }}
      'db': {{ run_script('site/s.sh', $t) }}
      default: {{ apply($t) {{ exec {{ '{b.folder}/wait.sh': }} }} }}
    }}
  }}
}}
""")
    child = b.start("plan", "run", "site::p", "--tmpdir", place, "--format", "json")
    command, script, waiting = [process_of(b, mark) for mark in marks]
    sessions = [session_of(pid) for pid in (command, script)]
    assert list(place.iterdir())
    child.send_signal(signal.SIGINT)
    wait_for_end(command, script, *sessions)
    wait_for(lambda: not list(place.iterdir()), "removing the temporary directory")
    assert runs(waiting) and child.poll() is None
    (b.folder / "go").touch()
    out, err = child.communicate(timeout=HANGS)
    assert child.returncode == 130 and json.loads(out)["kind"] == "volley/interrupted", (out, err)


def test_an_interruption_with_nothing_running(b):
    """CODE-2.4: the message names nobody when nothing runs"""
    b.write("project/bolt-project.yaml", "name: site\n")
    mark = b.folder / "mark"
    b.write("project/plans/p.pp", f"plan site::p() {{\n  file::write('{mark}', 'x')\n  ctrl::sleep(600)\n}}\n")
    child = b.start("plan", "run", "site::p")
    wait_for(mark.exists, "the plan")
    _, err = interrupted(child)
    assert "Interrupted, stopping. Press Ctrl-C again to exit at once." in err, err
