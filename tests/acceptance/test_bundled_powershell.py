"""Bundled tasks in PowerShell that change a machine, in the real engine; shutdown, msiexec, puppet and what asks Windows itself are
recorders."""
import http.server
import threading

from harness.powershell_ssh import Windows

FLAGS = ["-t", "web", "--format", "json"]
NOTES = "for word; do printf '%s|' \"$word\"; done >>'{notes}'\necho >>'{notes}'\n"


def recorder(b, target, path, rest=""):
    """A program there that notes its words; what returns the calls so far. `rest` is sh."""
    notes = b.folder / f"{path.split('/')[-1]}.calls"
    b.write(f"windows/{path}", "#!/bin/sh\n" + NOTES.format(notes=notes) + rest, 0o755)
    return lambda: [line.split("|")[:-1] for line in notes.read_text().splitlines()]


def test_bnd_013_reboot(b):
    """BND-013: shutdown.exe is called with its words, three seconds at least; what it refuses is an error"""
    target = Windows(b)
    calls = recorder(b, target, "System32/shutdown.exe", f"exit $(cat '{b.folder}/code' 2>/dev/null || echo 0)")
    run = b.run("task", "run", "reboot", "timeout=1", "message=it's time", *FLAGS)
    assert run.value() == {"status": "queued", "timeout": 3}, run
    assert calls() == [["/r", "/t", "3", "/d", "p:4:1", "/c", "it's time"]], calls()
    run = b.run("task", "run", "reboot", "timeout=60", "shutdown_only=true", *FLAGS)
    assert run.value()["timeout"] == 60 and calls()[1] == ["/s", "/t", "60", "/d", "p:4:1"], (run, calls())
    b.write("code", "5")
    run = b.run("task", "run", "reboot", *FLAGS)
    assert run.error()["kind"] == "reboot/failure" and run.error()["msg"] == "shutdown.exe ended with 5", run
    target.cmdlet("Get-CimInstance", "param($ClassName)\n[pscustomobject]@{ LastBootUpTime = [DateTimeOffset]::FromUnixTimeSeconds(1700000000)"
                                     ".LocalDateTime }")
    run = b.run("task", "run", "reboot::last_boot_time", *FLAGS)
    assert run.value()["_output"].strip() == "1700000000", run


def test_bnd_015_puppet_conf(b):
    """BND-014, BND-015: puppet.conf and the first configuration of an agent go through `puppet config` and `puppet resource`"""
    target = Windows(b, whole=True)

    folder = b.folder / "conf"
    folder.mkdir()
    calls = recorder(b, target, "bin/puppet", f"""case "$*" in
*confdir) echo '{folder}' ;;
*print*) echo ox.example.com ;;
*refused*) echo 'no such setting' >&2; exit 1 ;;
esac""")
    run = b.run("task", "run", "puppet_conf", "action=get", "setting=server", *FLAGS)
    assert run.value() == {"status": "ox.example.com", "setting": "server", "section": "main"}, run
    run = b.run("task", "run", "puppet_conf", "action=set", "setting=splay", "section=agent", "value=true", *FLAGS)
    assert run.value() == {"status": "true", "setting": "splay", "section": "agent"}, run
    run = b.run("task", "run", "puppet_conf", "action=delete", "setting=splay", "section=agent", *FLAGS)
    assert run.status == 0, run
    assert calls()[-3:] == [["config", "print", "--section", "main", "server"], ["config", "set", "--section", "agent", "splay", "true"],
                            ["config", "delete", "--section", "agent", "splay"]], calls()
    run = b.run("task", "run", "puppet_conf", "action=set", "setting=refused", "value=x", *FLAGS)
    assert run.error()["kind"] == "puppet_conf/failure" and "no such setting" in run.error()["msg"], run
    configure = ["task", "run", "openvox_bootstrap::configure", 'puppet_conf={"main": {"server": "a b"}}',
                 'csr_attributes={"custom_attributes": {"1.2.3": "say \\"x\\""}}', *FLAGS]
    value = b.run(*configure).value()
    assert value["puppet_conf"]["successful"] is True and value["puppet_service"]["successful"] is True, value
    assert calls()[-2:] == [["config", "set", "--section", "main", "server", "a b"],
                            ["resource", "service", "puppet", "ensure=running", "enable=true"]], calls()
    assert (folder / "csr_attributes.yaml").read_text() == '---\ncustom_attributes:\n  "1.2.3": "say \\"x\\""\n'
    configure[3] = 'puppet_conf={"main": {"refused": "x"}}'
    run = b.run(*configure)
    assert run.status == 1 and run.value()["puppet_conf"]["errors"] == {"--section=main refused=x": "no such setting"}, run


class Packages(http.server.BaseHTTPRequestHandler):
    asked = []

    def do_GET(self):
        self.asked.append(self.path)
        self.send_response(200)
        self.send_header("Content-Length", "7")
        self.end_headers()
        self.wfile.write(b"package")

    def log_message(self, *_):
        pass


def test_bnd_023_agents_are_installed(b):
    """BND-014, BND-023: both installers fetch the MSI of that version and pass it to msiexec.exe; its exit code decides"""
    target = Windows(b, whole=True)
    for name in ("Get-Service", "Stop-Service", "Set-Service"):
        target.cmdlet(name, f"Add-Content -LiteralPath '{b.folder}/services' -Value ('{name} ' + ($args -join ' '))")
    calls = recorder(b, target, "bin/msiexec.exe", f'cat "$4" >>\'{b.folder}/installed\'\nexit $(cat \'{b.folder}/code\')')
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Packages) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        source = f"windows_source=http://127.0.0.1:{server.server_port}"
        b.write("code", "0")
        run = b.run("task", "run", "openvox_bootstrap::install", "version=8.10.0", "stop_service=true", source, *FLAGS)
        assert run.value() == {"installed": True, "version": "", "reboot_required": False}, run
        assert Packages.asked == ["/windows/openvox8/openvox-agent-8.10.0-x64.msi"], Packages.asked
        assert calls()[0][:3] == ["/qn", "/norestart", "/i"] and calls()[0][4] == "/l*v", calls()
        assert (b.folder / "installed").read_text() == "package"
        assert [line.split()[0] for line in (b.folder / "services").read_text().splitlines()] == [
            "Get-Service", "Stop-Service", "Set-Service"]
        run = b.run("task", "run", "openvox_bootstrap::install", source, *FLAGS)
        assert run.error()["msg"].startswith("name the version"), run
        b.write("code", "8")  # msiexec's own are above 255, which no exit code is here
        run = b.run("task", "run", "puppet_agent::install", "version=8.10.0", source, *FLAGS)
        assert run.error()["kind"] == "puppet_agent/install-failed" and "msiexec ended with 8" in run.error()["msg"], run
        assert Packages.asked[-1] == "/windows/puppet8/puppet-agent-8.10.0-x64.msi", Packages.asked
        assert calls()[-1][-1] == "REINSTALLMODE=amus", calls()
        run = b.run("task", "run", "puppet_agent::install", "--noop", *FLAGS)
        assert run.value() == {"installed": False, "_noop": True, "version": None}, run
        server.shutdown()
    run = b.run("task", "run", "puppet_agent::install", "absolute_source=/nowhere/agent.msi", *FLAGS)
    assert "Downloading /nowhere/agent.msi failed" in run.error()["msg"], run
    assert list(target.temporary.glob("*.msi")) == []
