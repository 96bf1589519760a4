"""What the log and the messages say of connections, of what was run, and of what went wrong."""
import json
import re
import socket
import threading

TIME = re.compile(r"^\d\d:\d\d:\d\d\.\d{3} (DEBUG|INFO |TRACE|WARN ) \[[\w.]+\] ")


def steps(run, name="web"):
    """What was logged about the target's connection."""
    return [line.split(f"] {name}: ", 1)[1] for line in run.err.splitlines() if f"[transports.ssh] {name}: " in line]


def test_debug_shows_each_step_of_a_connection(b):
    """USER-B5: time, address, host key with its fingerprint, method and key; trace says more than debug"""
    b.ssh_inventory()
    run = b.run("command", "run", "true", "-t", "web", "--log-level", "debug")
    assert run.status == 0, run
    for line in run.err.splitlines():
        assert TIME.match(line), line
    seen = "\n".join(steps(run))
    for wanted in (rf"^connecting to 127\.\S+ port \d+$", r"^connected to 127\.\S+ port \d+ after \d+\.\d{3} s$",
                   r"^the server is SSH-2\.0-OpenSSH.*; key exchange \S+, cipher \S+, MAC \S+$",
                   r"^its host key is ssh-ed25519 SHA256:[\w+/]{43}", r"^offering \S+ \(ssh-ed25519 SHA256:[\w+/]{43}\)$",
                   r"^the key was accepted$", r"^logged in as \S+ after \d+\.\d{3} s$"):
        assert re.search(wanted, seen, re.M), (wanted, seen)
    fine = b.run("command", "run", "true", "-t", "web", "--log-level", "trace")
    assert len(steps(fine)) > len(steps(run)), fine
    assert any("the server offers key exchange" in step for step in steps(fine)), fine
    assert any(step.startswith("user ") and "connect-timeout" in step for step in steps(fine)), fine
    quiet = b.run("command", "run", "true", "-t", "web", "--log-level", "info")
    assert not steps(quiet) and "transports.ssh" not in quiet.err, quiet
    assert "[transports.ssh] web: logged in as" in (b.project / "bolt-debug.log").read_text()


def test_debug_shows_a_refused_login(b):
    """USER-B5: each key that was offered, what the server takes, the password without its text"""
    b.ssh_inventory(user="nobody-here", password="PW-123")
    run = b.run("command", "run", "true", "-t", "web", "--log-level", "trace")
    assert run.status == 1 and "PW-123" not in run.err + run.out, run
    seen = "\n".join(steps(run))
    assert "the key was not accepted" in seen and re.search(r"^for nobody-here the server accepts \S+$", seen, re.M), seen


def test_trace_adds_kind_and_details(b):
    """USER-B5: --trace adds the kind and details of failed targets and of errors such as an unknown plan"""
    b.write("project/bolt-project.yaml", "name: site\n")
    plain = b.run("command", "run", "exit 3", "-t", "localhost")
    traced = b.run("command", "run", "exit 3", "-t", "localhost", "--trace")
    assert "kind: " not in plain.out and "  kind: puppetlabs.tasks/command-error" in traced.out, traced
    assert '"exit_code": 3' in traced.out, traced
    unknown = b.run("plan", "run", "nosuch", "--trace")
    assert unknown.status == 1 and "kind: bolt/unknown-plan" in unknown.out, unknown
    b.write("project/bolt-project.yaml", "name: site\n")
    b.write("project/plans/p.pp", "plan site::p() { fail_plan('no', 'site/kind', { 'why' => 'because' }) }\n")
    failed = b.run("plan", "run", "site::p", "--trace")
    assert "kind: site/kind" in failed.out and '"why": "because"' in failed.out, failed


def test_lines_of_plans_come_once(b):
    """USER-B5: with --log-level info a plan's lines are on the screen once, in the log file all the same"""
    b.write("project/bolt-project.yaml", "name: site\nlog:\n  info.log:\n    level: info\n")
    b.write("project/plans/p.pp", "plan site::p() {\n  out::message('hello there')\n  run_command('true', 'localhost')\n"
            "  without_default_logging() || { run_command('exit 0', 'localhost') }\n}\n")
    run = b.run("plan", "run", "site::p", "--log-level", "info")
    both = run.out + run.err
    for line in ("Starting: plan site::p", "hello there", "Starting: command 'true' on localhost", "Starting: command 'exit 0' on localhost"):
        assert both.count(line) == 1, (line, run)
    assert "Running command 'true' on [\"localhost\"]" in run.err, run
    kept = (b.project / "info.log").read_text()
    assert "hello there" in kept and "Starting: plan site::p" in kept and "Finished: command 'true'" in kept, kept
    machine = b.run("plan", "run", "site::p", "--log-level", "info", "--format", "json")
    assert machine.err.count("Starting: plan site::p") == 1 and machine.err.count("hello there") == 1, machine


def test_the_log_says_what_was_run(b):
    """BOLT-8: commands, tasks with their parameters, scripts with their arguments, files, also with a description"""
    b.write("project/bolt-project.yaml", "name: site\n")
    b.task("t.sh", "#!/bin/sh\necho '{\"said\": 1}'\n",
           {"parameters": {"x": {"type": "String"}, "pin": {"type": "String", "sensitive": True}}})
    b.write("project/files/s.sh", "#!/bin/sh\ntrue\n")
    b.write("project/plans/p.pp", f"""plan site::p(TargetSpec $targets) {{
  $t = $targets
  run_command('echo x', $t, 'My description')
  run_task('site::t', $t, 'Another', 'x' => '5', 'pin' => 'PIN-99')
  run_task_with('site::t', $t) |$one| {{ {{ 'x' => $one.name, 'pin' => 'PIN-99' }} }}
  run_script('site/s.sh', $t, 'A third', 'arguments' => ['a1', 'b c', Sensitive('ARG-99')])
  upload_file('site/s.sh', '{b.folder}/up', $t, 'Up')
  download_file('{b.folder}/up', 'down', $t)
  wait_until_available($t, 'description' => 'Wait')
}}
""")
    run = b.run("plan", "run", "site::p", "-t", "localhost", "--log-level", "info")
    assert run.status == 0, run
    on = ' on ["localhost"]'
    hidden = "Sensitive [value redacted]"
    for line in (f"Running command 'echo x'{on}",
                 f"Running task site::t with '{{\"x\":\"5\",\"pin\":\"{hidden}\",\"_task\":\"site::t\"}}'{on}",
                 f"Running task site::t with '{{\"x\":\"localhost\",\"pin\":\"{hidden}\",\"_task\":\"site::t\"}}'{on}",
                 f"Running script {b.project}/files/s.sh with '[\"a1\",\"b c\",\"{hidden}\"]'{on}",
                 f"Uploading file {b.project}/files/s.sh to {b.folder}/up{on}",
                 f"Waiting until available{on}"):
        assert line in run.err.splitlines(), (line, run.err)
    assert re.search(rf"^Downloading file {b.folder}/up to \S+/down{re.escape(on)}$", run.err, re.M), run.err
    for text in (run.err, (b.project / "bolt-debug.log").read_text()):
        assert "PIN-99" not in text and "ARG-99" not in text
        assert "My description on [" not in text, text


def test_the_log_has_results_of_targets_with_passwords(b):
    """BOLT-8: with the name without the password, tasks too"""
    server = b.sshd()
    name = f"ssh://someone:SECRET-7@{server.address}:{server.port}"
    run = b.run("command", "run", "true", "-t", name, "--no-host-key-check", "--log-level", "info", "--format", "json")
    assert "SECRET-7" not in run.err and "SECRET-7" not in (b.project / "bolt-debug.log").read_text(), run
    results = [json.loads(line) for line in run.err.splitlines() if line.startswith("{")]
    assert len(results) == 1 and results[0]["status"] == "failure" and "@" in results[0]["target"], run
    assert "bytes of output" not in run.err, run


def test_stream_leaves_out_what_is_sensitive(b):
    """SEC-17.13: the value that a task prints is streamed at its end, redacted; other output as it comes"""
    b.write("project/bolt-project.yaml", "name: site\n")
    b.task("t.sh", "#!/bin/sh\necho progress >&2\nprintf '{\"n\": 1, '\nsleep 0.2\n"
           "printf '\"_sensi'\nprintf 'tive\": {\"token\": \"TOKEN-12345\"}}'\n")
    b.task("escaped.sh", "#!/bin/sh\nprintf '{\"\\\\u005fsensitive\": \"TOKEN-12345\"}\\n'\n")
    b.task("cut.sh", "#!/bin/sh\nprintf '{\"_sensitive\": \"TOKEN-12345\"}'\nexit 2\n")
    b.task("plain.sh", "#!/bin/sh\necho '  '\necho step 1\necho '{\"not\": \"the value\"}'\n")
    b.task("value.sh", "#!/bin/sh\necho '{\"n\": 7}'\n")
    for form in ("human", "ndjson"):
        for task in ("t", "escaped", "cut"):
            run = b.run("task", "run", f"site::{task}", "-t", "localhost", "--stream", "--format", form)
            assert "TOKEN-12345" not in run.out + run.err, run
            if task == "t":
                assert "progress" in run.out and "value redacted" in run.out, run
    plain = b.run("task", "run", "site::plain", "-t", "localhost", "--stream")
    assert "[localhost] out: step 1" in plain.out and '[localhost] out: {"not": "the value"}' in plain.out, plain
    assert '[localhost] out: {"n": 7}' in b.run("task", "run", "site::value", "-t", "localhost", "--stream").out


def web_server(b):
    """A port that answers everybody as HTTP servers do, and hangs up."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    b.undo(listener.close)

    def serve():
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            connection.sendall(b"HTTP/1.1 400 Bad \x1bRequest\r\n\r\n")
            connection.close()
    threading.Thread(target=serve, daemon=True).start()
    return listener.getsockname()[1]


def ssh_target(b, uri, **options):
    b.inventory(json.dumps({"targets": [{"name": "web", "uri": uri}],
                            "config": {"ssh": {"host-key-check": False, "load-config": False, "connect-timeout": 30, **options}}}))
    return b.run("command", "run", "true", "-t", "web")


def test_messages_about_connections(b):
    """USER-D.6: the user once, the jump host once, a port that is not SSH, a key with a passphrase"""
    server = b.sshd()
    b.inventory(json.dumps({"config": {"ssh": {"host-key-check": False, "load-config": False}}}))
    run = b.run("command", "run", "true", "-t", f"nuops@{server.address}:{server.port}")
    assert "for user nuops@127." in run.out and "nuops@nuops@" not in run.out, run
    run = ssh_target(b, "192.0.2.1", proxyjump="127.0.0.9:1")
    assert run.out.count("jump host 127.0.0.9") == 1 and run.out.count("Failed to connect to") == 1, run
    assert "Connection refused" in run.out, run
    run = ssh_target(b, f"127.0.0.1:{web_server(b)}")
    assert "is not an SSH server (it sent: HTTP/1.1 400 Bad " in run.out and "\x1b" not in run.out, run


def test_scripts_with_windows_line_endings_are_reported(b):
    """USER-D.6: the target only says that the script was not found"""
    b.write("project/bolt-project.yaml", "name: site\n")
    script = b.write("bt.sh", "#!/bin/sh\r\necho hi\r\n", 0o755)
    run = b.run("script", "run", script, "-t", "localhost")
    assert run.status == 1 and f"{script}:1: the line ends in a carriage return" in run.err, run
    b.task("t.sh", "#!/bin/sh\r\necho hi\r\n")
    assert "tasks/t.sh:1: the line ends in a carriage return" in b.run("task", "run", "site::t", "-t", "localhost").err
    assert b.run("script", "run", b.write("ok.sh", "#!/bin/sh\necho 'a\r'\n", 0o755), "-t", "localhost").err == ""
