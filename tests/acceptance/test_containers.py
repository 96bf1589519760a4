"""The transports docker, podman, lxd and jail.

What runs on the real thing: podman (Debian's, as root, with an image of busybox). Its service speaks Docker's protocol, so
that the docker transport is tested with that; the program docker is podman under another name, as in the package podman-docker. lxc, jls and jexec are doubles: they note how they are called and run the command on this
machine, so that the words of the calls are checked and not what LXD or FreeBSD make of them.
"""
import http.server
import json
import os
import signal
import socketserver
import threading

from harness.bench import HANGS
from harness.containers import Podman
from harness.patience import wait_for
from harness.ways import recorder

JSON = ("--format", "json")


def stdout(run, target=None):
    assert run.status == 0, run
    return run.value(target)["stdout"]


def podman(b, way="program", **options):
    """A running container as the target `box`. By the service, the program notes that it is called all the same."""
    engine = Podman(b)
    if way == "service":
        b.env["CONTAINER_HOST"] = engine.service()
        b.write("bin/podman", f'#!/bin/sh\nunset CONTAINER_HOST\necho "$1" >>{b.folder}/calls\nexec /usr/bin/podman "$@"\n', 0o755)
        b.env["PATH"] = f"{b.folder}/bin:{b.env['PATH']}"
    b.inventory(json.dumps({"targets": [{"name": "box", "config": {
        "transport": "podman", "podman": {"host": "box", **options}}}]}))
    return engine


def both_ways(test):
    """The test twice: through the program podman, and through its service without any process."""
    def by_service(b):
        test(b, "service")
        calls = (b.folder / "calls").read_text().split() if (b.folder / "calls").exists() else []
        assert set(calls) <= {"ps"}, calls  # what the service does not know, the program is asked for
    by_service.__name__, by_service.__doc__ = f"{test.__name__}_by_service", test.__doc__
    globals()[by_service.__name__] = by_service

    def by_program(b):
        test(b, "program")
    by_program.__name__, by_program.__doc__ = test.__name__, test.__doc__
    return by_program


def command(b, line, *arguments, target="box"):
    return b.run("command", "run", line, "-t", target, *JSON, *arguments)


@both_ways
def test_pod_001_commands_in_a_container(b, way):
    """POD-001, DOC-002, TRN-002: a container by name, by its id and the beginning of it; what is not there is said"""
    engine = podman(b, way)
    assert stdout(command(b, "cat /etc/group")) == "root:x:0:\napp:x:1000:\n"
    failed = command(b, "echo out; echo err >&2; exit 7")
    assert failed.status == 1 and failed.value()["stdout"] == "out\n" and failed.value()["stderr"] == "err\n", failed
    assert failed.value()["exit_code"] == 7, failed
    identity = engine.run_container("other")
    for name in ("other", identity, identity[:10]):
        assert stdout(command(b, "echo yes", target=f"podman://{name}")) == "yes\n", name
    missing = command(b, "true", target="podman://nobody")
    assert missing.error()["kind"] == "puppetlabs.tasks/connect-error" and missing.error()["issue_code"] == "CONNECT_ERROR"
    assert missing.error()["msg"] == ("Failed to connect to podman://nobody: Could not find a container with name or ID "
                                      "matching 'nobody'"), missing
    engine.podman("stop", "-t", "0", "other")
    stopped = command(b, "true", target="podman://other")
    assert "Could not find a container with name or ID matching 'other'" in stopped.error()["msg"], stopped


@both_ways
def test_doc_002_a_line_is_one_of_the_shell_or_words(b, way):
    """DOC-002 differs: a line with more than words is run by sh; what is words alone runs without a shell"""
    engine = podman(b, way)
    assert stdout(command(b, "echo $HOME | tr a-z A-Z && cd /etc && pwd")) == "/ROOT\n/etc\n"
    assert stdout(command(b, "echo 'a  b' \"c d\"")) == "a  b c d\n"
    assert stdout(command(b, "cd /tmp")) == ""
    engine.inside("mv /bin/sh /bin/gone", name="box")
    assert stdout(command(b, "/bin/echo still \"there\"")) == "still there\n"
    unknown = command(b, "/bin/nothing-there")
    assert unknown.value()["exit_code"] == 127 and "nothing-there" in unknown.value()["stderr"], unknown


@both_ways
def test_doc_002_shell_command(b, way):
    """TRN-024, TRN-025, DOC-002: shell-command wraps every line, quotes and all"""
    podman(b, way, **{"shell-command": "sh -lc"})
    assert stdout(command(b, "echo \"$FROM_PROFILE\" 'a \"b\"'")) == "yes a \"b\"\n"
    b.task("t.sh", "#!/bin/sh\necho \"$PT_x $FROM_PROFILE\"\n")
    assert b.run("task", "run", "site::t", "x=1", "-t", "box", *JSON).value()["_output"] == "1 yes\n"


@both_ways
def test_pod_001_tasks_scripts_and_environment(b, way):
    """POD-001, SH-001, SH-016, SH-019, TRN-006, TRN-025: scripts, tasks, tmpdir, interpreters, variables, nothing left behind"""
    engine = podman(b, way, tmpdir="/root", interpreters={"own": ["/bin/sh", "-x"]})
    script = b.write("s.sh", "#!/bin/sh\necho \"$1|$2\"; pwd; case $0 in /root/*) echo there ;; esac\n")
    assert stdout(b.run("script", "run", script, "a b", "$c", "-t", "box", *JSON)) == "a b|$c\n/\nthere\n"
    b.task("t.own", "read -r input; echo \"$PT_name $input\"\n", {"parameters": {"name": {"type": "String"}}})
    value = b.run("task", "run", "site::t", "name=ünï", "-t", "box", *JSON).value()["_output"]
    assert value.startswith("ünï {") and '"name":"ünï"' in value, value
    shown = stdout(b.run("command", "run", "echo $A-$B", "-t", "box", "--env-var", "A=1 2", "--env-var", "B='x'", *JSON))
    assert shown == "1 2-'x'\n", shown
    assert engine.inside("ls -A /root /tmp") == "/root:\n\n/tmp:\n"
    kept = b.run("script", "run", script, "-t", "box", "--no-cleanup", *JSON)
    assert kept.status == 0 and "Skipping cleanup" in kept.err, kept
    assert engine.inside("ls -A /root/*").strip() == "s.sh"


@both_ways
def test_doc_004_files(b, way):
    """DOC-004 differs: files and directories both ways, through the container's shell: with their modes, whole, binary too"""
    engine = podman(b, way)
    data = bytes(range(256)) * 4096 + b"\x10\x11" * 1000  # the keys that detach are nothing special
    b.write("data.bin", data)
    b.write("tree/sub/x.sh", "#!/bin/sh\n", 0o755)
    b.write("tree/empty", "")
    for mode in ((), ("--tty",)):
        assert b.run("file", "upload", b.folder / "data.bin", "/tmp/data.bin", "-t", "box", *mode).status == 0, mode
        assert engine.podman("exec", "box", "cat", "/tmp/data.bin") == data, mode
        back = b.folder / f"back{len(mode)}"
        assert b.run("file", "download", "/tmp/data.bin", back, "-t", "box", *mode).status == 0, mode
        assert (back / "box" / "data.bin").read_bytes() == data, mode
    assert b.run("file", "upload", b.folder / "tree", "/tmp", "-t", "box").status == 0
    assert engine.inside("cd /tmp/tree && find . | sort && stat -c %a sub/x.sh") == ".\n./empty\n./sub\n./sub/x.sh\n755\n"
    assert b.run("file", "download", "/tmp/tree", b.folder / "down", "-t", "box").status == 0
    assert (b.folder / "down/box/tree/sub/x.sh").read_text() == "#!/bin/sh\n"
    failed = b.run("file", "upload", b.folder / "data.bin", "/nowhere/x", "-t", "box", *JSON)
    assert failed.error()["kind"] == "puppetlabs.tasks/task_file_error" and failed.error()["issue_code"] == "WRITE_ERROR", failed


@both_ways
def test_pod_001_terminal(b, way):
    """TRN-025: tty is the option and the flag"""
    podman(b, way)
    assert command(b, "tty").status == 1
    assert stdout(command(b, "tty", "--tty")).startswith("/dev/pts/")
    b.task("t.sh", "#!/bin/sh\n[ -t 1 ] || exit 3\ncat\n")
    value = b.run("task", "run", "site::t", "x=1", "-t", "box", "--tty", *JSON).value()
    assert value == {"x": 1, "_task": "site::t"}, value


@both_ways
def test_pod_001_run_as(b, way):
    """POD-001, TRN-025, SH-008, SH-009, ENV-007: run-as in a container; who the user is, $USER of the controller says"""
    engine = podman(b, way, **{"run-as-command": ["as"]})
    assert stdout(command(b, "id -un; pwd", "--run-as", "app")) == "app\n/tmp\n"
    b.task("t.sh", "#!/bin/sh\nid -un\n")
    assert b.run("task", "run", "site::t", "-t", "box", "--run-as", "app", *JSON).value()["_output"] == "app\n"
    b.write("f", "x")
    assert b.run("file", "upload", b.folder / "f", "/tmp/f", "-t", "box", "--run-as", "app").status == 0
    assert engine.inside("stat -c %U /tmp/f") == "app\n"
    same = b.run("command", "run", "id -un", "-t", "box", "--run-as", "alice", *JSON, env={"USER": "alice"})
    assert stdout(same) == "root\n", same
    named = b.run("command", "run", "id -un", "-t", "podman://app@box", "--run-as", "app", *JSON)
    assert named.error()["kind"] == "puppetlabs.tasks/escalate-error", "the user of a URI means nothing"
    assert "sudo was not found" in named.error()["msg"], "a shell that waits for the end of its input ends nothing"
    engine.podman("exec", "box", "rm", "-rf", "/tmp/f")
    b.inventory(json.dumps({"targets": [{"name": "box", "config": {"transport": "podman", "podman": {"host": "box"}}}]}))
    refused = command(b, "id", "--run-as", "app")
    assert refused.error()["kind"] == "puppetlabs.tasks/escalate-error" and "sudo was not found" in refused.error()["msg"], refused


@both_ways
def test_ctrl_c_stops_what_runs_in_a_container(b, way):
    """EXIT-005 differs: a command in a container is ended too, and one that ignores TERM; a script's directory is removed"""
    engine = podman(b, way)
    script = b.write("s.sh", "#!/bin/sh\nwhile :; do sleep 1; done\n")
    for words in (("command", "run", "trap '' TERM HUP INT; while :; do sleep 1; done"), ("script", "run", script)):
        child = b.start(*words, "-t", "box", *JSON)
        wait_for(lambda: "sleep 1\n" in engine.inside("ps -o args"), "the command")
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=HANGS)
        assert child.returncode == 130 and "volley/interrupted" in out.decode(), (out, err)
        left = engine.inside("ps -o args")
        assert "while" not in left and "s.sh" not in left, left
        wait_for(lambda: "sleep 1\n" not in engine.inside("ps -o args"), "the end of the last second's sleep")
        assert engine.inside("ls -A /tmp") == ""


@both_ways
def test_pod_001_plans_and_manifests(b, way):
    """POD-001, CON-001: a plan works with a container, the agent applies a manifest in it"""
    engine = podman(b, way)
    b.write("project/plans/p.pp", "plan site::p(TargetSpec $targets) {\n  wait_until_available($targets, wait_time => 5)\n"
                                  "  return run_command('echo hi', $targets).first['stdout']\n}\n")
    assert b.run("plan", "run", "site::p", "targets=box", *JSON).json == "hi\n"
    if "ASAN_OPTIONS" in os.environ:
        return  # the sanitized agent is not static, and nothing but busybox is in the container
    b.write("m.pp", "file { '/tmp/made': content => 'x', mode => '0640', owner => 'app' }\n")
    applied = b.run("apply", b.folder / "m.pp", "-t", "box")
    assert applied.status == 0, applied
    assert engine.inside("stat -c '%a %U' /tmp/made") == "640 app\n"


def test_pod_001_podman_is_missing_or_fails(b):
    """POD-001, ERR-051: no program, a program that fails, one that prints something else"""
    b.inventory('{"targets": [{"name": "box", "config": {"transport": "podman", "podman": {"host": "x"}}},'
                ' {"name": "hostless", "config": {"transport": "podman"}}]}')
    b.env["PATH"] = str(b.folder / "bin")
    (b.folder / "bin").mkdir()
    none = command(b, "true")
    assert none.error()["issue_code"] == "CONNECT_ERROR", none
    assert none.error()["msg"] == "Failed to connect to box: The program 'podman' was not found", none
    b.write("bin/podman", "#!/bin/sh\necho 'no storage' >&2\nexit 125\n", 0o755)
    assert command(b, "true").error()["msg"] == "Failed to connect to box: no storage"
    b.write("bin/podman", "#!/bin/sh\nprintf 'one\\r\\n\\ntwo\\n' >&2; /usr/bin/yes much | /usr/bin/head -c 100000 >&2; exit 125\n", 0o755)
    message = command(b, "true").error()["msg"]
    assert message.startswith("Failed to connect to box: one; two; much; much") and message.endswith("..."), message
    assert "\n" not in message and len(message) < 5000, message
    b.write("bin/podman", "#!/bin/sh\necho nonsense\n", 0o755)
    assert "not valid JSON" in command(b, "true").error()["msg"]
    assert command(b, "true", target="hostless").error()["msg"] == "Target hostless does not have a host: give it a 'uri' in the inventory, as its name is not an address"


def test_doc_001_docker_through_podman(b):
    """DOC-001, DOC-002, DOC-004, TRN-024: where podman stands in for docker"""
    engine = Podman(b)
    b.env["DOCKER_CONTEXT"] = "elsewhere"  # no service but what the program knows
    b.write("bin/docker", '#!/bin/sh\nexec podman "$@"\n', 0o755)
    b.env["PATH"] = f"{b.folder}/bin:{b.env['PATH']}"
    assert stdout(command(b, "echo $((1 + 1))", target="docker://box")) == "2\n"
    b.write("f", "data")
    assert b.run("file", "upload", b.folder / "f", "/tmp/f", "-t", "docker://box").status == 0
    assert engine.inside("cat /tmp/f") == "data"


def test_doc_003_docker_by_its_socket(b):
    """DOC-001, DOC-002, DOC-003, TRN-024: service-url and DOCKER_HOST are enough, the program docker need not be there"""
    engine = Podman(b)
    url = engine.service()
    b.inventory(json.dumps({"targets": [{"name": "box", "config": {"transport": "docker", "docker": {"service-url": url}},
                                         "uri": "docker://box"}]}))
    b.env["PATH"] = "/nowhere"
    assert stdout(command(b, "echo $HOME; echo no >&2")) == "/root\n"
    assert stdout(command(b, "tty", "--tty")).startswith("/dev/pts/")
    missing = command(b, "true", target="docker://nobody")
    assert "The program 'docker' was not found" in missing.error()["msg"], missing
    b.env["DOCKER_HOST"] = url
    assert stdout(command(b, "echo x", target="docker://box")) == "x\n"
    missing = command(b, "true", target="docker://nobody")
    assert missing.error()["msg"].endswith("Could not find a container with name or ID matching 'nobody'"), missing


class Service(http.server.BaseHTTPRequestHandler):
    """An engine with a running container, which answers what is to be run there with an error."""
    message = ""

    def do_GET(self):
        self.answer(200, {"State": {"Running": True}, "Id": "0123"})

    def do_POST(self):
        self.answer(500, {"message": self.message})

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def test_doc_001_what_a_service_says_is_one_line(b):
    """DOC-001, ERR-051: a message of megabytes, of several lines, or that is not text becomes one line"""
    path = b.folder / "engine.sock"
    b.inventory(json.dumps({"targets": [{"name": "box", "config": {"transport": "docker", "docker": {
        "host": "box", "service-url": f"unix://{path}"}}}]}))
    with socketserver.ThreadingUnixStreamServer(str(path), Service) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        Service.message = "one\r\n\n two\n" + "much\n" * 1_000_000
        message = command(b, "true").error()["msg"]
        assert "one; two; much; much" in message and message.endswith("..."), message
        assert "\n" not in message and len(message) < 5000, message
        Service.message = ["no", "text"]
        assert command(b, "true").error()["msg"].endswith("HTTP status 500")
        server.shutdown()


def test_doc_001_a_container_that_is_made_anew_is_found_again(b):
    """DOC-001: in a plan, by the service: another container of the same name; one that is gone is said"""
    engine = Podman(b)
    b.env["DOCKER_HOST"] = engine.service()
    b.write("project/plans/p.pp", "plan site::p(String $change) {\n  run_command('echo 1', 'docker://box')\n"
                                  "  run_command($change, 'localhost')\n"
                                  "  return run_command('echo 2', 'docker://box', _catch_errors => true).first.value\n}\n")
    anew = "podman rm -f -t 0 box && podman run -d --name box box:1 sleep 1000"
    assert b.run("plan", "run", "site::p", f"change={anew}", *JSON).json["stdout"] == "2\n"
    gone = b.run("plan", "run", "site::p", "change=podman stop -t 0 box", *JSON).json["_error"]
    assert gone["issue_code"] == "CONNECT_ERROR" and "Could not find a container" in gone["msg"], gone


def test_pod_001_a_container_that_is_made_anew_is_looked_for_again(b):
    """POD-001: by the program: the first command fails as podman says, the next finds the new container"""
    podman(b)
    b.write("project/plans/p.pp", "plan site::p(String $change) {\n  run_command('echo 1', 'box')\n"
                                  "  run_command($change, 'localhost')\n"
                                  "  return [1, 2].map |$n| { run_command('echo 2', 'box', _catch_errors => true).first.value }\n}\n")
    anew = "podman rm -f -t 0 box && podman run -d --name box box:1 sleep 1000"
    first, second = b.run("plan", "run", "site::p", f"change={anew}", *JSON).json
    assert "no such container" in first["stderr"] and second["stdout"] == "2\n", (first, second)
    first, second = b.run("plan", "run", "site::p", "change=podman stop -t 0 box", *JSON).json
    assert first["_error"]["kind"] == "puppetlabs.tasks/command-error", first
    assert "Could not find a container with name or ID" in second["_error"]["msg"], second


def test_doc_001_a_service_that_ends_is_said(b):
    """DOC-001, ERR-051: the service is killed while a command runs"""
    engine = Podman(b)
    b.env["DOCKER_HOST"] = engine.service()
    child = b.start("command", "run", "while :; do sleep 1; done", "-t", "docker://box", *JSON)
    wait_for(lambda: "sleep 1\n" in engine.inside("ps -o args"), "the command")
    engine.end_service()
    out, err = child.communicate(timeout=HANGS)
    error = json.loads(out)["items"][0]["value"]["_error"]
    assert error["kind"] == "puppetlabs.tasks/connect-error" and "connection to the container was lost" in error["msg"], error


def test_doc_001_how_docker_is_called(b):
    """DOC-001, DOC-002, DOC-003, TRN-024: the words of each call, service-url in DOCKER_HOST, a name before an id"""
    b.env["DOCKER_CONTEXT"] = "elsewhere"  # no service but what the program knows
    calls = recorder(b, "docker", """case $1 in
  ps) echo '{"ID":"webab12","Names":"first,old/name"}'; echo '{"ID":"cd34","Names":"web"}' ;;
  exec) while [ "$1" != cd34 ] && [ "$1" != webab12 ]; do shift; done; shift; exec "$@" ;;
esac""")
    b.inventory(json.dumps({"targets": [{"name": "box", "config": {"transport": "docker", "docker": {
        "host": "web", "service-url": "tcp://there:2375"}}}]}))
    assert stdout(command(b, "echo a b")) == "a b\n"
    listed, executed = calls()
    assert listed == "ps|--no-trunc|--format|{{json .}}|tcp://there:2375", listed
    words = executed.split("|")
    assert words[:3] == ["exec", "--interactive", "--env"] and words[3].startswith("VOLLEY_EXEC="), executed
    assert words[4:] == ["cd34", "echo", "a", "b", "tcp://there:2375"], executed
    assert stdout(command(b, "echo x", target="docker://webab")) == "x\n"
    assert "|webab12|" in calls()[-1]
    command(b, "true", "--tty")
    assert "|--tty|--detach-keys|" in calls()[-1] and calls()[-1].index("--tty") < calls()[-1].index("cd34")


def test_lxd_001_how_lxc_is_called(b):
    """LXD-001, TRN-026: list and exec with REMOTE:NAME, modes, shell-command; what is stopped is refused"""
    calls = recorder(b, "lxc", """case $1 in
  list) echo '[{"name":"c10","status":"Running"},{"name":"c1","status":"Running"},{"name":"off","status":"Stopped"}]' ;;
  exec) while [ "$1" != -- ]; do shift; done; shift; exec "$@" ;;
esac""")
    assert stdout(command(b, "echo a 'b c'", target="lxd://c1")) == "a b c\n"
    assert calls() == ["list|local:c1|--format|json|", "exec|local:c1|--mode|non-interactive|--|echo|a|b c|"]
    first = command(b, "echo $((2 * 3))", target="lxd://c1")
    assert stdout(first) == "6\n" and first.err.count("lxd_experimental") + first.err.count("experimental") >= 1, first
    b.inventory(json.dumps({"targets": [{"name": "box", "uri": "lxd://c1", "config": {"lxd": {
        "remote": "far", "shell-command": "sh -c", "tty": True}}}]}))
    command(b, "true")
    assert calls()[-2:] == ["list|far:c1|--format|json|", "exec|far:c1|--mode|interactive|--|sh|-c|true|"], calls()
    b.task("t.sh", "#!/bin/sh\necho \"$PT_x\"\n")
    assert b.run("task", "run", "site::t", "x=1", "-t", "lxd://c1", *JSON).value()["_output"] == "1\n"
    missing = command(b, "true", target="lxd://c2").error()
    assert missing["issue_code"] == "CONNECT_ERROR", missing
    assert missing["msg"] == "Failed to connect to lxd://c2: Could not find a container with name or ID matching 'local:c2'"
    assert "is not running, it is stopped" in command(b, "true", target="lxd://off").error()["msg"]


def test_jai_001_how_jexec_is_called(b):
    """JAI-001, TRN-027, ENV-007: the jail of a host name, its number and the user; files; what is not there"""
    recorder(b, "jls", """echo '{"__version":"2","jail-information":{"jail":[
      {"jid":3,"hostname":"db.example","path":"/jails/db"},{"jid":"12","hostname":"web.example","path":"/jails/web"}]}}'""")
    calls = recorder(b, "jexec", "shift 3; exec \"$@\"")
    assert stdout(command(b, "echo a b", target="jail://db.example")) == "a b\n"
    assert calls() == [f"-lU|{b.me}|3|echo|a|b|"], calls()
    b.inventory(json.dumps({"targets": [{"name": "box", "config": {"transport": "jail", "jail": {
        "host": "web.example", "user": "www", "shell-command": "sh -c"}}}]}))
    assert stdout(command(b, "echo $((2 * 3))")) == "6\n"
    assert calls()[-1] == "-lU|www|12|sh|-c|echo $((2 * 3))|", calls()
    b.write("f", "data")
    assert b.run("file", "upload", b.folder / "f", b.folder / "there", "-t", "box").status == 0
    assert (b.folder / "there").read_text() == "data"
    missing = command(b, "true", target="jail://none.example").error()
    assert missing["msg"] == "Failed to connect to jail://none.example: Could not find a jail with name matching none.example"
    assert (b.folder / "jls").read_text().splitlines()[0] == "--libxo=json|"


def test_rem_001_a_device_reached_through_a_container(b):
    """REM-001, REM-003: tasks of a remote target run in the container that it names, with its data"""
    engine = Podman(b)
    b.inventory(json.dumps({"targets": [
        {"name": "box", "config": {"transport": "podman", "podman": {"host": "box"}}},
        {"name": "device", "uri": "https://me:secret@10.9.8.7:8443", "config": {
            "transport": "remote", "remote": {"run-on": "box", "token": "t0"}}}]}))
    b.task("t.sh", "#!/bin/sh\n[ \"$container\" = podman ] || exit 9\ncat\n", {"remote": True, "input_method": "stdin"})
    data = b.run("task", "run", "site::t", "-t", "device", *JSON).value()["_target"]
    assert data["name"] == "device" and data["host"] == "10.9.8.7" and data["port"] == 8443 and data["token"] == "t0", data
    assert engine.inside("ls -A /tmp") == ""


def test_fn_021_run_container_runs_one(b):
    """FN-021, RES-022, DT-005: a container of its own with command, variables, folders and a working directory; a failure"""
    engine = Podman(b)
    b.write("bin/docker", '#!/bin/sh\nexec podman "$@"\n', 0o755)
    b.env["PATH"] = f"{b.folder}/bin:{b.env['PATH']}"
    b.write("project/plans/p.pp", f"""plan site::p {{
  $ran = run_container('box:1', cmd => "sh -c 'pwd; echo \\$A; echo x > /data/made; echo no >&2'", rm => true, workdir => '/etc',
                       env_vars => {{ 'A' => '1 2' }}, volumes => {{ '{b.folder}/host/data' => '/data' }})
  $failed = run_container('box:1', cmd => 'sh -c "exit 5"', rm => true, _catch_errors => true)
  return [$ran.to_data, $failed.status, $failed.error.kind, $failed['_error']['details']['exit_code']]
}}
""")
    run = b.run("plan", "run", "site::p", *JSON)
    data, *failure = run.json
    assert data == {"object": "box:1", "status": "success",
                    "value": {"stdout": "/etc\n1 2\n", "stderr": "no\n", "exit_code": 0}}, run
    assert failure == ["failure", "puppetlabs.tasks/container-error", 5], run
    assert (b.folder / "host/data/made").read_text() == "x\n"
    assert engine.podman("ps", "-a", "--format", "{{.Names}}").decode().split() == ["box"]
