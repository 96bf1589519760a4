"""Manifests, facts and pings on targets that run PowerShell, and on nodes of a Choria network: Volley's agent cannot run there,
so the target's puppet-agent answers, or the task facts, or one error says what to do."""
import json
import os
import shutil

from harness import windows as winrm
from harness.bench import Skip
from harness.choria import Choria
from harness.powershell_ssh import NO_PUPPET, PUPPET, Windows

FLAGS = ["-t", "web", "--format", "json"]
WINDOWS = "[pscustomobject]@{ Version = '10.0.20348'; ProductType = 3; Caption = 'Microsoft Windows Server 2022 Standard' }"
RUBY_WITHOUT_PUPPET = """exec ruby -e '$LOAD_PATH.reject! { |folder| File.exist?("#{folder}/puppet.rb") }; $0 = ARGV[0]
load ARGV[0]' "$2"
"""
SHELL = "the target's shell is PowerShell"


def needs_puppet():
    if not shutil.which("puppet") or not shutil.which("ruby"):
        raise Skip("there is no puppet program: ./dev test installs puppet-agent")


def apply(b, code, *words):
    run = b.run("apply", "-e", code, *FLAGS, *words)
    assert len(run.json) == 1, run
    return run


def value_of(run):
    return run.json[0]["value"]


def changes_and_facts(b):
    """A manifest with a file and code of a module is applied by the target's puppet-agent, once."""
    place = b.folder / "place"
    place.mkdir()
    b.write("project/modules/demo/files/deep/text", "from the module\n")
    b.write("project/modules/demo/lib/facter/demo.rb", "Facter.add('demo') { setcode { 'of a module' } }\n")
    code = (f"file {{ '{place}/a': content => \"hällo ${{facts['demo']}}\\n\" }} "
            f"file {{ '{place}/b': source => 'puppet:///modules/demo/deep/text' }}")
    run = apply(b, code, "--noop")
    assert run.status == 0 and list(place.iterdir()) == [], run
    run = apply(b, code)
    assert run.status == 0 and value_of(run)["report"]["status"] == "changed", run
    assert (place / "a").read_text() == "hällo of a module\n" and (place / "b").read_text() == "from the module\n", run
    assert value_of(apply(b, code))["report"]["status"] == "unchanged"
    run = apply(b, f"exec {{ '/bin/false': }} -> file {{ '{place}/c': ensure => file }}")
    assert run.status == 1 and value_of(run)["_error"]["kind"] == "bolt/resource-failure" and not (place / "c").exists(), run
    run = b.run("facts", "kernel", "demo", "os.release.nothing", *FLAGS)
    assert run.value() == {"kernel": "Linux", "demo": "of a module", "os.release.nothing": None}, run
    b.write("project/plans/look.pp", "plan site::look() { return get_resources('web', ['User[root]']).first['resources'] }\n")
    run = b.run("plan", "run", "site::look", "--format", "json")
    assert run.status == 0 and run.json[0]["title"] == "root" and run.json[0]["parameters"]["ensure"] == "present", run


def resources_are_shown_and_changed(b):
    """volley resource by the target's puppet-agent, also of a type that a module has in Ruby."""
    run = b.run("resource", "user", "root", *FLAGS)
    assert run.status == 0 and run.value()["resources"][0]["parameters"]["uid"] in (0, "0"), run
    shown = run.value()["resources"][0]["parameters"].get("password", "*")
    assert len(shown) < 3 or shown == "Sensitive [value redacted]", "no hash is shown"
    made = b.folder / "made"
    words = ["resource", "file", str(made), "ensure=directory", "mode=0750"]
    assert b.run(*words, "--noop", *FLAGS).value()["report"]["noop_pending"] and not made.exists()
    run = b.run(*words, "-t", "web")
    assert run.status == 0 and "ensure: created" in run.out and "'0750'" in run.out, run
    assert made.stat().st_mode & 0o7777 == 0o750
    b.write("project/modules/demo/lib/puppet/type/demo_word.rb", """Puppet::Type.newtype(:demo_word) do
  newparam(:name, namevar: true)
  newproperty(:text) { def retrieve; 'of the machine'; end }
  def self.instances; [new(name: 'x', text: '')]; end
end
""")
    run = b.run("resource", "demo_word", "x", *FLAGS)
    assert run.status == 0 and run.value()["resources"][0]["parameters"]["text"] == "of the machine", run
    b.refused("resource", "demo_wrd", "x", "-t", "web", says="Could not find type demo_wrd")


def test_apl_013_puppet_agent_over_powershell(b):
    """APL-001, APL-013, APL-016, APL-017, PS-003: with auto the puppet-agent applies, and finds facts and resources"""
    needs_puppet()
    target = Windows(b, programs=PUPPET)
    changes_and_facts(b)
    resources_are_shown_and_changed(b)
    assert list(target.temporary.iterdir()) == []
    target.cmdlet("Get-CimInstance", WINDOWS)
    run = apply(b, "notify { 'x': }", "--apply-method", "agentless")
    assert value_of(run)["_error"]["msg"] == (f"The catalog of web cannot be applied agentless: {SHELL}. Set apply-method to auto or "
                                  "puppet-agent to let the target's puppet-agent apply it"), run


def test_apl_013_puppet_agent_over_winrm(b):
    """APL-013, APL-016, APL-017: the same over WinRM"""
    needs_puppet()
    engine = winrm.powershell()
    b.write("windows/powershell.exe", f"#!/bin/sh\nexec '{engine}' \"$@\"\n", 0o755)
    b.write("windows/ruby.exe", "#!/bin/sh\n" + PUPPET["ruby.exe"], 0o755)
    winrm.windows(b, "--engine", engine, names=("web",), env={"PATH": f"{b.folder}/windows:{os.environ['PATH']}"})
    changes_and_facts(b)


def test_apl_017_no_puppet_agent(b):
    """APL-017: without a puppet-agent facts come from the task; a manifest is one error that says what to do"""
    target = Windows(b, programs=NO_PUPPET)
    target.cmdlet("Get-CimInstance", WINDOWS)
    os_of_windows = {"name": "windows", "family": "windows", "release": {"full": "2022", "major": "2022"}}
    for method in ("auto", "agentless"):
        b.write("project/plans/prep.pp", "plan site::prep() { apply_prep('web')  return get_target('web').facts['os'] }\n")
        b.write("project/bolt-project.yaml", f"name: site\napply-method: {method}\n")
        run = b.run("plan", "run", "site::prep", "--format", "json")
        assert run.status == 0 and run.json == os_of_windows, run
    b.write("project/bolt-project.yaml", "name: site\n")
    assert b.run("facts", "os.family", *FLAGS).value() == {"os.family": "windows"}
    assert b.run("facts", *FLAGS).value() == {"os": os_of_windows}
    missing = "Puppet is not installed on the target, please install it to enable 'apply', for example with the task openvox_bootstrap::install"
    run = apply(b, "notify { 'x': }")
    assert run.status == 1 and value_of(run)["_error"]["kind"] == "bolt/apply-error", run
    assert value_of(run)["_error"]["msg"] == f"{missing} (it was asked because {SHELL})", run
    target.program("ruby.exe", RUBY_WITHOUT_PUPPET)
    assert value_of(apply(b, "notify { 'x': }"))["_error"]["msg"].startswith(missing)
    run = b.run("resource", "user", "root", *FLAGS)
    assert run.error()["msg"] == f"{missing} (it was asked because {SHELL})", run
    run = b.run("apply", "--clean-state", *FLAGS)
    assert run.status == 0 and run.value()["_output"] == "There was nothing to remove", run


def ping(b, *words):
    return b.run("ping", *FLAGS, *words)


def checked_ping(b, tmpdir):
    value = ping(b).value()
    assert value["shell"].startswith("PowerShell ") and value["user"] and value["system"], value
    assert abs(value["clock_difference"]) < 60 and value["tmpdir_state"] == "ok", value
    assert value["login_time"] > 0 and value["round_trip"] > 0, value
    run = ping(b, "--tmpdir", tmpdir)
    assert run.value()["tmpdir"] == str(tmpdir) and run.value()["tmpdir_state"] == "ok" and list(tmpdir.iterdir()) == [], run
    run = ping(b, "--tmpdir", tmpdir / "it's nowhere")
    assert run.status == 1 and run.error()["kind"] == "volley/ping-error", run
    assert "does not exist: set the option tmpdir" in run.error()["msg"], run
    run = ping(b, "--tmpdir", "/proc")
    assert run.value()["tmpdir_state"] == "not writable", run


def test_ping_powershell_over_ssh(b):
    """USER-F8: a query in PowerShell"""
    checked_ping(b, Windows(b).temporary)


def test_ping_winrm(b):
    """USER-F8: a query in PowerShell, over WinRM"""
    winrm.windows(b, "--engine", winrm.powershell(), names=("web",))
    place = b.folder / "place"
    place.mkdir()
    checked_ping(b, place)


def choria(b, **options):
    lab = Choria(b)
    b.inventory(json.dumps({"targets": ["web"], "config": {"transport": "choria", "choria": {**lab.options, **options}}}))
    return lab


def test_cho_001_apply_by_the_puppet_agent_of_a_node(b):
    """CHO-001, APL-013: with task-agent shell the node's puppet-agent applies; ping says what is there"""
    needs_puppet()
    choria(b, **{"task-agent": "shell", "task-timeout": 600, "command-timeout": 600, "rpc-timeout": 60})
    changes_and_facts(b)
    run = apply(b, "notify { 'x': }", "--apply-method", "agentless")
    assert "agentless: the target's transport does not support streamed input. " in value_of(run)["_error"]["msg"], run
    run = ping(b)
    assert run.status == 0 and run.value()["tmpdir_state"] == "ok", run


def test_cho_001_apply_without_the_shell_agent(b):
    """CHO-001: no Puppet server has Volley's helper for bolt_tasks: the error says what to set"""
    choria(b)
    error = value_of(apply(b, "notify { 'x': }"))["_error"]
    assert error["kind"] == "bolt/choria-download-failed" and "task-agent: shell" in error["msg"], error
