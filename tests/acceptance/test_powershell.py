"""Targets with PowerShell over ssh: a real sshd whose commands go to the engine of tests/lab/pwsh, as OpenSSH for Windows
passes them to the login shell. Without that engine (VOLLEY_TEST_POWERSHELL, or what install.sh can build) they are skipped."""
import http.server
import json
import shutil
import threading

from harness.powershell_ssh import windows

FLAGS = ["-t", "web", "--format", "json"]


def lines(b):
    return (b.folder / "lines").read_text()


def test_ps_010_commands(b):
    """PS-001, PS-007, PS-010, PS-014, SSH-015, TRN-008: output, status, errors and environment of commands"""
    windows(b)
    run = b.run("command", "run", "'hello'; 6 * 7", *FLAGS)
    assert run.value()["stdout"] == "hello\r\n42\r\n" and run.value()["exit_code"] == 0, run
    run = b.run("command", "run", "Write-Host $env:SECRET; exit 7", "--env-var", "SECRET=it's $x", *FLAGS)
    assert run.status == 1 and run.value()["exit_code"] == 7, run
    assert run.value()["stdout"].replace("\r", "") == "it's $x\n", run
    assert run.json["items"][0]["object"] == "Write-Host $env:SECRET; exit 7", run
    run = b.run("command", "run", "throw 'broken'", *FLAGS)
    assert run.value()["exit_code"] == 1 and "broken" in run.value()["stderr"], run
    assert "SECRET" not in lines(b) and "hello" not in lines(b)


def test_ps_005_tasks(b):
    """PS-002, PS-003, PS-004, PS-005, PS-006, PS-008, PS-011, TSK-023, TSK-024, TSK-025, TSK-028: tasks in PowerShell and others"""
    temporary = windows(b)
    b.task("t.ps1", "param([int]$count, $secret, [switch]$_noop, $_task, $_installdir)\n"
                    "Write-Output \"{`\"count`\": $($count + 1), `\"task`\": `\"$_task`\", `\"noop`\": `\"$_noop`\"}\"\n",
           {"supports_noop": True, "parameters": {"count": {"type": "Integer"}, "secret": {"sensitive": True}}})
    run = b.run("task", "run", "site::t", "count=4", "secret=do not tell", "--noop", *FLAGS)
    assert run.value() == {"count": 5, "task": "site::t", "noop": "True"}, run
    assert "do not tell" not in lines(b) and "do not tell" not in run.out + run.err
    b.task("both.rb", "read -r line; printf '{\"in\": %s, \"env\": \"%s\"}' \"$line\" \"$PT_a\"\n")
    run = b.run("task", "run", "site::both", "a=ä b", *FLAGS)
    assert run.value()["in"]["a"] == "ä b" and run.value()["env"] == "ä b", run
    b.task("in.ps1", "$text = [Console]::In.ReadToEnd(); [Console]::Out.Write($text); exit 4", {"input_method": "stdin"})
    run = b.run("task", "run", "site::in", "a=1", *FLAGS)
    assert run.value()["_error"]["details"]["exit_code"] == 4 and run.value()["a"] == 1, run
    b.task("env.ps1", "Write-Output \"{`\"a`\": `\"$env:PT_a`\"}\"", {"input_method": "environment"})
    assert b.run("task", "run", "site::env", "a=x", *FLAGS).value() == {"a": "x"}
    b.task("throws.ps1", "throw 'broken'")
    run = b.run("task", "run", "site::throws", *FLAGS)
    assert run.status == 1 and run.value()["_error"]["details"]["exit_code"] == 1, run
    assert list(temporary.iterdir()) == []


def test_ps_002_extensions(b):
    """PS-002, PS-003, TRN-006: what is not known is refused; extensions and interpreters allow it"""
    windows(b)
    b.task("other.py", "echo '{\"by\": \"cmd\"}'\n")
    run = b.run("task", "run", "site::other", *FLAGS)
    assert run.error()["issue_code"] == "FILETYPE_ERROR" and "File extension .py is not enabled" in run.error()["msg"], run
    for options in ({"extensions": ["py"]}, {"interpreters": {".py": "/bin/sh"}}):
        shutil.rmtree(b.folder / "windows")
        windows(b, **options)
        run = b.run("task", "run", "site::other", *FLAGS)
        assert run.value() == {"by": "cmd"}, run


def test_ps_009_scripts(b):
    """PS-009, PS-011: arguments as they are, named parameters of plans, a directory that is kept"""
    temporary = windows(b)
    script = b.write("project/files/s.ps1", "param($a, $b)\n\"<$a><$b>\"\nexit 5\n")
    run = b.run("script", "run", script, *FLAGS, "--", "it's $x", "-b")
    assert run.value()["stdout"] == "<it's $x><-b>\r\n" and run.value()["exit_code"] == 5, run
    b.write("project/plans/named.pp",
            "plan site::named() {\n  $r = run_script('site/s.ps1', 'web', '_catch_errors' => true, 'pwsh_params' => "
            "{ 'b' => Sensitive('hidden one'), 'more' => 1 })\n  return $r.first['stdout']\n}\n")
    run = b.run("plan", "run", "site::named", "--log-level", "debug")
    said = [line for line in run.err.splitlines() if "Running script" in line]
    assert "<><hidden one>" in run.out and said and "hidden one" not in "".join(said), run
    assert list(temporary.iterdir()) == []
    shutil.rmtree(b.folder / "windows")
    temporary = windows(b, cleanup=False)
    run = b.run("script", "run", script, *FLAGS)
    assert "Skipping cleanup of tmpdir" in run.err and len(list(temporary.iterdir())) == 1, run


def test_ps_012_run_as(b):
    """PS-012: refused, and before anything runs"""
    windows(b)
    run = b.run("command", "run", "whoami", "--run-as", "somebody", *FLAGS)
    assert "run-as is not supported when using PowerShell" in run.out + run.err and run.status != 0, run
    assert not (b.folder / "lines").exists()


def test_ps_files(b):
    """SH-022, SH-023: files and directories both ways, whole, over PowerShell"""
    windows(b)
    source = b.write("there/up.bin", bytes(range(256)) * 5000)
    b.write("there/sub/e", "")
    goal = b.folder / "goal"
    run = b.run("file", "upload", source.parent, goal, *FLAGS)
    assert run.status == 0 and (goal / "up.bin").read_bytes() == source.read_bytes(), run
    run = b.run("file", "download", goal, b.folder / "down", *FLAGS)
    assert run.status == 0 and (b.folder / "down/web/goal/up.bin").read_bytes() == source.read_bytes(), run
    assert (b.folder / "down/web/goal/sub/e").read_bytes() == b""
    run = b.run("file", "upload", source, goal / "up.bin", *FLAGS)
    assert run.status == 0, run
    run = b.run("file", "download", "/not/there", b.folder / "down", *FLAGS)
    assert run.error()["issue_code"] == "DOWNLOAD_ERROR", run


def test_tsk_050_powershell(b):
    """TSK-050, BND-022, PS-009: the helper for tasks in PowerShell is found by its name, and says errors and exceptions"""
    windows(b)
    b.task("greet.ps1", """param([string]$name)
if ($name -eq 'Robert') { Write-BoltError -Message 'not him' -Kind 'site/robert'; return }
try { if ($name -eq 'nobody') { throw 'nobody there' } else { @{ greeting = "Hi, $name" } | ConvertTo-Json } }
catch { Write-BoltError -Exception $_ }
""", {"files": ["powershell_task_helper/files/BoltPwshHelper/"], "parameters": {"name": {"type": "String"}}})
    assert b.run("task", "run", "site::greet", "name=Ann", *FLAGS).value()["greeting"] == "Hi, Ann"
    error = b.run("task", "run", "site::greet", "name=Robert", *FLAGS).error()
    assert error == {"msg": "not him", "kind": "site/robert", "details": {"detailedInfo": "", "exitcode": 1}}, error
    run = b.run("task", "run", "site::greet", "name=nobody", *FLAGS)
    error = run.error()
    assert run.status == 1 and error["msg"] == "nobody there" and error["kind"] == "puppetlabs.task/task-error", run
    assert "nobody there" in error["details"]["detailedInfo"] and "greet.ps1" in error["details"]["detailedInfo"], error


class Answer(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        text = json.dumps({"said": body, "header": self.headers["X-Test"]}).encode()
        self.send_response(201)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


def test_bnd_010_bundled_tasks(b):
    """BND-010 to BND-014, BND-017, TSK-050: PowerShell's implementations of the bundled tasks, where this system lets them"""
    temporary = windows(b)
    programs = b.folder / "windows" / "bin"
    (programs / "choco").write_text(f"#!/bin/sh\necho \"$*\" >>'{b.folder}/choco'\n"
                                    "[ \"$1\" = list ] && [ -e '" + str(b.folder / "there") + "' ] && echo 'git|2.1'\n"
                                    "[ \"$1\" = install ] && : >'" + str(b.folder / "there") + "'\nexit 0\n")
    (programs / "choco").chmod(0o755)
    run = b.run("task", "run", "package", "action=install", "name=git", "version=2.1", *FLAGS)
    assert run.value() == {"status": "installed", "version": "2.1"}, run
    assert "install git --version 2.1 -y --no-progress" in (b.folder / "choco").read_text()
    run = b.run("task", "run", "package", "action=status", "name=git", *FLAGS)
    assert run.value() == {"status": "installed", "version": "2.1"}, run
    with http.server.HTTPServer(("127.0.0.1", 0), Answer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        run = b.run("task", "run", "http_request", "method=post", f"base_url=http://127.0.0.1:{server.server_port}", "path=/x",
                    'body={"list": [1]}', 'headers={"X-Test": "a b"}', "json_endpoint=true", *FLAGS)
        server.shutdown()
    assert run.value()["status_code"] == 201, run
    assert run.value()["body"] == {"said": '{"list":[1]}', "header": "a b"}, run
    run = b.run("task", "run", "puppet_agent::version", *FLAGS)
    assert run.value() == {"version": None, "source": None}, run
    run = b.run("task", "run", "openvox_bootstrap::check", *FLAGS)
    assert run.error()["kind"] == "openvox_bootstrap/check-failed", run
    # What asks Windows itself is an error here, and one that says what is missing.
    run = b.run("task", "run", "service", "action=status", "name=spooler", *FLAGS)
    assert run.error()["kind"] == "service/failure" and "Get-Service" in run.error()["msg"], run
    run = b.run("task", "run", "facts", *FLAGS)
    assert run.status == 1 and "Get-CimInstance" in run.out, run
    assert list(temporary.iterdir()) == []


def test_trn_008_features(b):
    """TRN-007, TRN-008: the feature powershell makes it the shell, also where the login shell is another one"""
    windows(b, login_shell="sh")
    run = b.run("command", "run", "'hello ' + 1", *FLAGS)
    assert run.value()["stdout"] == "hello 1\r\n", run
    assert "powershell.exe -NoLogo -NoProfile -NonInteractive" in lines(b)
