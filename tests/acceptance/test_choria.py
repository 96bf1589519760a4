"""The choria transport against Debian's nats-server with TLS. The nodes are a double of a Choria server
(tests/lab/choria_node.py) that checks the signature of every request and runs what it is asked to on this machine."""
import json
import os
import signal

from harness.bench import HANGS
from harness.choria import Choria
from harness.patience import wait_for

JSON = ("--format", "json")


def network(b, *nodes, targets=None, options=None, **settings):
    lab = Choria(b, nodes or ("web",), **settings)
    names = targets or [node.split(":")[0] for node in nodes or ("web",)]
    b.inventory(json.dumps({"targets": names, "config": {"transport": "choria", "choria": {
        **lab.options, "task-agent": "shell", **(options or {})}}}))
    return lab


def command(b, line, target="web", *arguments, **settings):
    return b.run("command", "run", line, "-t", target, *JSON, *arguments, **settings)


def test_cho_001_commands(b):
    """CHO-001, TRN-007: commands by the shell agent: output, status, environment, stdin of none, quoting"""
    lab = network(b)
    run = command(b, "echo out; echo 'err ä' >&2; exit 7")
    assert run.status == 1 and run.value()["stdout"] == "out\n" and run.value()["stderr"] == "err ä\n", run
    assert run.value()["exit_code"] == 7, run
    assert command(b, "cat; echo \"$ONE\"", "web", "--env-var", "ONE=it's \"two\"").value()["stdout"] == "it's \"two\"\n"
    assert ("web", "rpcutil.agent_inventory") in lab.requests() and ("web", "shell.start") in lab.requests()
    many = command(b, "seq 1 50000")
    assert many.value()["stdout"].splitlines()[-1] == "50000", many


def test_cho_001_output_that_does_not_fit(b):
    """CHO-001: output above the broker's limit is an error that names the limit, and the next command runs"""
    network(b, options={"rpc-timeout": 3})
    run = command(b, "seq 1 200000")
    assert run.error()["kind"] == "bolt/choria-result-processing-error" and "max_payload" in run.error()["msg"], run
    assert command(b, "echo yes").value()["stdout"] == "yes\n"


def test_cho_001_scripts_files_and_tasks(b):
    """CHO-001, TSK-024: scripts with arguments, tasks by the shell agent with their input and files, files both ways; nothing stays"""
    lab = network(b)
    b.write("project/hello.sh", "#!/bin/sh\nprintf '%s|' \"$@\"\n", 0o755)
    run = b.run("script", "run", str(b.project / "hello.sh"), "a b", "c'd", "-t", "web", *JSON)
    assert run.status == 0 and run.value()["stdout"] == "a b|c'd|", run
    b.write("project/modules/demo/tasks/tell.sh", "#!/bin/sh\nprintf '{\"env\": \"%s\", \"stdin\": %s}' \"$PT_word\" \"$(cat)\"\n")
    run = b.run("task", "run", "demo::tell", "word=x y", "-t", "web", *JSON)
    assert run.status == 0 and run.value()["env"] == "x y" and run.value()["stdin"]["word"] == "x y", run
    content = os.urandom(300_000)
    (b.project / "file.bin").write_bytes(content)
    there = b.folder / "there.bin"
    run = b.run("file", "upload", str(b.project / "file.bin"), str(there), "-t", "web", *JSON)
    assert run.status == 0 and there.read_bytes() == content, run
    tmpdir = b.folder / "tmp"
    tmpdir.mkdir()
    b.inventory(json.dumps({"targets": ["web"], "config": {"transport": "choria", "choria": {
        **lab.options, "task-agent": "shell", "tmpdir": str(tmpdir)}}}))
    run = b.run("task", "run", "demo::tell", "word=" + "w" * 100_000, "-t", "web", *JSON)
    assert run.status == 0 and run.value()["stdin"]["word"] == "w" * 100_000, run
    assert list(tmpdir.iterdir()) == []


def test_cho_001_tasks_by_their_agent(b):
    """CHO-001, TRN-029: bolt_tasks is the default: it fetches the files, checks what they are, and runs them"""
    lab = network(b, options={"task-agent": "bolt_tasks"})
    b.write("project/modules/demo/tasks/tell.sh", "#!/bin/sh\nprintf '{\"env\": \"%s\", \"stdin\": %s}' \"$PT_word\" \"$(cat)\"\n")
    run = b.run("task", "run", "demo::tell", "word=x y", "-t", "web", *JSON)
    assert run.status == 0 and run.value()["env"] == "x y" and run.value()["stdin"]["word"] == "x y", run
    assert [action for _, action in lab.requests() if action.startswith("bolt_tasks")][:2] == [
        "bolt_tasks.download", "bolt_tasks.run_no_wait"]
    assert not [action for _, action in lab.requests() if action.startswith("shell")]
    b.write("project/modules/demo/tasks/fail.sh", "#!/bin/sh\necho '{\"half\": 1}'\necho why >&2\nexit 3\n")
    run = b.run("task", "run", "demo::fail", "-t", "web", *JSON)
    assert run.status == 1 and run.value()["_error"]["details"]["exit_code"] == 3 and run.value()["half"] == 1, run
    b.write("project/modules/demo/files/data.txt", "from the module")
    b.write("project/modules/demo/tasks/files.sh", "#!/bin/sh\ncat \"$PT__installdir/demo/files/data.txt\"\n")
    b.write("project/modules/demo/tasks/files.json",
            json.dumps({"input_method": "environment", "files": ["demo/files/data.txt"]}))
    run = b.run("task", "run", "demo::files", "-t", "web", *JSON)
    assert run.status == 0 and run.value()["_output"] == "from the module", run
    assert command(b, "echo still a shell").value()["stdout"] == "still a shell\n"


def test_cho_001_what_a_node_lacks(b):
    """CHO-001, ERR-057: agents that are missing or too old, Windows, a node that is not there: one line each"""
    network(b, "none:noshell", "old:oldshell", "win:windows", "deaf:deaf", "refuse:refuse",
            targets=["none", "old", "win", "deaf", "refuse", "nobody"], options={"rpc-timeout": 10})
    kinds = {"none": "bolt/choria-agent-not-available", "old": "bolt/choria-agent-not-available",
             "win": "bolt/choria-unsupported-operation", "deaf": "bolt/choria-no-response",
             "refuse": "bolt/choria-agent-not-available", "nobody": "bolt/choria-agent-not-available"}
    run = command(b, "true", "all", "--no-verbose")
    assert run.status == 1, run
    assert "no node of this name is connected" in run.error("nobody")["msg"], run
    for name, kind in kinds.items():
        error = run.error(name)
        assert error["kind"] == kind and "\n" not in error["msg"] and name in error["msg"], (name, error)
    assert "The 'shell' agent is not available on none." == run.error("none")["msg"]
    assert "1.2.1 or later is required" in run.err, run


def test_cho_001_replies_that_lie(b):
    """CHO-001: another sender's name, a wrong hash: discarded with a warning, as if nobody had answered"""
    network(b, "forged:forged", "broken:broken", options={"rpc-timeout": 2})
    run = command(b, "true", "all")
    assert {run.error(name)["kind"] for name in ("forged", "broken")} == {"bolt/choria-agent-not-available"}, run
    assert "unexpected sender 'somebody-else'" in run.err and "hash does not match" in run.err, run


def test_cho_001_what_does_not_start_leaves_nothing(b):
    """CHO-001, SH-028: the input of a command that the node refuses to start is removed from it"""
    tmpdir = b.folder / "tmp"
    tmpdir.mkdir()
    lab = network(b, "web:nostart", options={"tmpdir": str(tmpdir)})
    (b.project / "file.bin").write_bytes(os.urandom(300_000))
    run = b.run("file", "upload", str(b.project / "file.bin"), str(b.folder / "there.bin"), "-t", "web", *JSON)
    assert run.status == 1 and "this node starts nothing" in run.error()["msg"], run
    assert lab.requests().count(("web", "shell.run")) > 1 and not list(tmpdir.iterdir()), run


def test_cho_001_who_may_connect(b):
    """CHO-001, ERR-057: a broker that is not there, that another authority signed, a key that is not the certificate's; files that are missing"""
    lab = network(b)
    lab.authority("other")
    lab.certificate("other", "stranger")
    def with_options(**changed):
        b.inventory(json.dumps({"targets": ["web"], "config": {"transport": "choria", "choria": {
            **lab.options, "broker-timeout": 5, **changed}}}))
        run = command(b, "true")
        assert run.status == 1 and "\n" not in run.error()["msg"], run
        return run.error()
    error = with_options(**{"ssl-ca": f"{lab.folder}/other.pem"})
    assert error["kind"] == "puppetlabs.tasks/connect-error" and "127.0.0.1" in error["msg"], error
    error = with_options(**{"ssl-cert": f"{lab.folder}/stranger.pem", "ssl-key": f"{lab.folder}/stranger.key"})
    assert error["kind"] == "puppetlabs.tasks/connect-error", error
    error = with_options(brokers="127.0.0.1:1")
    assert error["kind"] == "puppetlabs.tasks/connect-error" and "127.0.0.1:1" in error["msg"], error
    error = with_options(**{"ssl-key": f"{lab.folder}/missing.key"})
    assert error == {**error, "kind": "bolt/choria-config-failed"} and "missing.key" in error["msg"], error
    error = with_options(**{"config-file": f"{lab.folder}/missing.conf"})
    assert error["kind"] == "bolt/choria-config-not-found" and "missing.conf" in error["msg"], error
    # A request that is not signed as its caller is not served.
    error = with_options(**{"mcollective-certname": "bob.mcollective", "rpc-timeout": 2})
    assert error["kind"] == "bolt/choria-agent-not-available", error
    assert "refused" in lab.log.read_text()


def test_cho_001_the_clients_own_configuration(b):
    """TRN-029, ENV-012: config-file with brokers, collective and files; MCOLLECTIVE_CERTNAME; a line that is none"""
    lab = network(b)
    config = b.write("client.conf", f"""# of the client
identity = station
main_collective = mcollective
plugin.choria.middleware_hosts = 127.0.0.1:{lab.port}
plugin.security.provider = file
plugin.security.file.ca = {lab.folder}/ca.pem
plugin.security.file.certificate = {lab.folder}/{lab.certname}.pem
plugin.security.file.key = {lab.folder}/{lab.certname}.key
""")
    b.inventory(json.dumps({"targets": ["web"], "config": {"transport": "choria", "choria": {"config-file": str(config)}}}))
    run = command(b, "echo yes", env={**b.env, "MCOLLECTIVE_CERTNAME": lab.certname})
    assert run.status == 0 and run.value()["stdout"] == "yes\n", run
    b.write("client.conf", "identity = station\nnonsense\n")
    run = command(b, "echo yes")
    assert run.error()["kind"] == "bolt/choria-config-failed" and "client.conf:2: expected `key = value`" in run.error()["msg"]


def test_cho_001_time_limits_and_ctrl_c(b):
    """CHO-001, ERR-057: command-timeout and Ctrl-C end what runs on the node"""
    network(b, options={"command-timeout": 1})
    marker = b.folder / "marker"
    run = command(b, f"echo $$ >{marker}; exec sleep 600")
    assert run.error()["kind"] == "bolt/choria-command-timeout", run
    assert run.error()["msg"] == "Command timed out after 1 seconds on web", run
    wait_for(lambda: not os.path.exists(f"/proc/{marker.read_text().strip()}"), "the end of the command")
    marker.unlink()
    b.inventory((b.project / "inventory.yaml").read_text().replace('"command-timeout": 1', '"command-timeout": 600'))
    child = b.start("command", "run", f"echo $$ >{marker}; exec sleep 600", "-t", "web")
    wait_for(lambda: marker.exists() and marker.read_text().strip(), "the start of the command")
    child.send_signal(signal.SIGINT)
    child.communicate(timeout=HANGS)
    wait_for(lambda: not os.path.exists(f"/proc/{marker.read_text().strip()}"), "the end of the command")


def test_cho_001_many_nodes(b):
    """CHO-001: fifty nodes over one connection, each with its own answer; a broker that takes small messages only"""
    names = [f"node{number}" for number in range(50)]
    lab = network(b, *names, max_payload=8192, options={"rpc-timeout": 60})
    run = command(b, "echo $$", "all")
    assert run.status == 0 and len(run.json["items"]) == 50, run
    (b.project / "file.bin").write_bytes(b"x" * 50_000)
    run = b.run("file", "upload", str(b.project / "file.bin"), "/nonexistent/file", "-t", "node1", *JSON)
    assert run.error("node1")["kind"] == "bolt/choria-rpc-failed" and "the broker takes 8192" in run.error("node1")["msg"], run
    assert lab.broker.poll() is None
