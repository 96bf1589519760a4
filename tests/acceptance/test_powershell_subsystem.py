"""PowerShell over OpenSSH's subsystem `powershell` (option powershell-subsystem): a real sshd whose subsystem is the engine of
tests/lab/pwsh."""
import json
import shutil

from harness.powershell_ssh import Windows

FLAGS = ["-t", "web", "--format", "json"]
PLAN = """plan site(String $place) {
  upload_file("$place/up", "$place/one", 'web')
  upload_file("$place/up", "$place/two", 'web')
  $ran = run_command('"<$env:A>"; Write-Error "no"; exit 7', 'web', '_env_vars' => { 'A' => 'b' }, '_catch_errors' => true).first
  upload_file("$place/up", "$place/three", 'web')
  return [$ran['stdout'], $ran['stderr'] =~ /no/, $ran['exit_code'], run_task('site::t', 'web', 'count' => 4).first['count']]
}
"""
TWO = """plan site() {
  return ['one', 'two'].map |$word| { run_command("'${word}'", 'web').first['stdout'] }
}
"""


def falls_back(b, there, reason):
    """Two commands on one connection go over command lines, and the log has the reason once."""
    b.write("project/plans/init.pp", TWO)
    run = b.run("plan", "run", "site", "--format", "json", "--log-level", "info")
    assert run.status == 0 and run.json == ["one\r\n", "two\r\n"], run
    assert run.err.count("web runs PowerShell through command lines, as its subsystem powershell is not available: ") == 1, run
    assert reason in run.err, run
    return there.started()


def test_scripts_and_files(b):
    """All goes over the subsystem, also where one session is allowed at a time; files of one moment share an engine"""
    there = Windows(b, "sh", forced=False, subsystem=True, limits="MaxSessions 1", whole=True)
    b.task("t.ps1", "param([int]$count)\nWrite-Output \"{`\"count`\": $($count + 1)}\"\n")
    b.write("place/up", "x" * 1000)
    b.write("project/plans/init.pp", PLAN)
    run = b.run("plan", "run", "site", f"place={b.folder}/place", "--format", "json")
    assert run.status == 0 and run.json == ["<b>\r\n", True, 7, 5], run
    assert [(b.folder / "place" / name).read_text() for name in ("one", "two", "three")] == ["x" * 1000] * 3
    assert list(there.temporary.iterdir()) == [], run
    assert [kind for kind in there.started() if kind != "refused"] == ["subsystem"] * 4, there.started()


def test_refused(b):
    """A server without the subsystem is asked once in a connection"""
    there = Windows(b, "sh", forced=False, **{"powershell-subsystem": True})
    assert falls_back(b, there, "web does not have the subsystem powershell") == ["refused", "command", "command"]


def test_broken(b):
    """A subsystem whose program is not there was never given anything to do"""
    there = Windows(b, "sh", forced=False, subsystem="/nonexistent/pwsh -sshs")
    assert falls_back(b, there, "PowerShell ended there with exit code 127") == ["subsystem", "command", "command"]


def test_native(b):
    """The same through OpenSSH's client, whether the server has it or not"""
    for subsystem, kinds in ((True, {"subsystem"}), (False, {"refused", "command"})):
        there = Windows(b, "sh", forced=False, subsystem=subsystem, **{"powershell-subsystem": True, "native-ssh": True,
                        "ssh-command": ["ssh", "-o", f"UserKnownHostsFile={b.home}/.ssh/known_hosts"]})
        run = b.run("command", "run", "'hello'; exit 3", *FLAGS)
        assert run.value()["stdout"] == "hello\r\n" and run.value()["exit_code"] == 3, run
        assert kinds <= set(there.started()), there.started()
        there.server.stop()
        shutil.rmtree(there.folder)


def test_not_asked_for(b):
    """Without the option the subsystem is not used: its PowerShell may be another one than that of command lines"""
    there = Windows(b, "sh", forced=False, subsystem=True)
    inventory = json.loads((b.project / "inventory.yaml").read_text())
    inventory["config"]["ssh"].pop("powershell-subsystem")
    b.inventory(json.dumps(inventory))
    assert b.run("command", "run", "'hello'", *FLAGS).value()["stdout"] == "hello\r\n"
    assert there.started() == ["command"], there.started()
