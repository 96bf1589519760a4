"""Agents on the targets: how they are found and installed; policies."""
import json
import os
import shutil
import subprocess
from pathlib import Path

from harness.bench import HANGS, Skip
from harness.lab import IS_ROOT
from harness.patience import temporary_folders
from test_apply import HELPER, apply, plan, ready


def test_apl_003_the_hook_installs_the_agent(b):
    """APL-001, APL-002, APL-003, APL-031, PLG-015: the puppet_library hook runs only where there is no agent"""
    place = ready(b, features=[])
    b.task("agent.sh", f"#!/bin/sh\necho \"$PT_word\" >> {place}/installed\n", {"parameters": {"word": {"type": "String"}}})
    b.task("broken.sh", "#!/bin/sh\nexit 7\n", {})

    def hook(task, **parameters):
        data = json.loads((b.project / "inventory.yaml").read_text())
        data["plugin_hooks"] = {"puppet_library": {"plugin": "task", "task": task, "parameters": parameters}}
        b.inventory(json.dumps(data))
    hook("site::agent", word="once")
    run = plan(b, "  apply_prep('web')\n  apply_prep('web')\n  return get_target('web').features")
    assert run.json == ["puppet-agent"] and (place / "installed").read_text() == "once\n", run
    hook("site::broken")
    error = plan(b, "  apply_prep('web')").json
    assert error["kind"] == "bolt/run-failure" and error["details"]["action"] == "apply_prep", error
    assert error["msg"] == "apply_prep failed on 1 target", error
    run = apply(b, "notify { 'x': }")
    assert run.status == 1 and run.json[0]["action"] == "task" and run.json[0]["object"] == "site::broken", run
    human = apply(b, "notify { 'x': }", fmt=None)
    assert "Failed on web:\n  The task failed with exit code 7" in human.out and "Failed on 1 target: web" in human.out, human
    caught = plan(b, "  $r = apply_prep('web', _catch_errors => true)\n  return [$r.ok, $r.count]")
    assert caught.json == [False, 1], caught
    data = json.loads((b.project / "inventory.yaml").read_text())
    data["targets"].append({**data["targets"][0], "name": "ready", "features": ["puppet-agent"]})
    b.inventory(json.dumps(data))
    mixed = plan(b, "  $r = apply_prep(['web', 'ready'], _catch_errors => true)\n  return $r.map |$one| { [$one.target.name, $one.ok, $one['kernel']] }")
    assert mixed.json == [["web", False, None], ["ready", True, "Linux"]], mixed
    b.write("project/modules/bad/lib/facter/bad.rb", "exit!(9)\n")
    owner = b.account.uid if b.account else os.getuid()
    before = set(temporary_folders(owner))
    error = plan(b, "  apply_prep('ready')").json
    assert not IS_ROOT or before.issuperset(temporary_folders(owner)), "a fact that ends Puppet's process leaves nothing"
    assert error["kind"] == "bolt/run-failure" and error["details"]["action"] == "run_task", error
    assert error["details"]["object"] == "apply_helpers::custom_facts", error
    (b.project / "modules/bad/lib/facter/bad.rb").unlink()
    hook("site::none")
    error = plan(b, "  apply_prep('web')").json["details"]["result_set"][0]["value"]["_error"]
    assert error["kind"] == "bolt/plugin-error" and "from puppet_library: Could not find a task named 'site::none'" in error["msg"], error


def test_apl_001_a_machine_with_an_agent_is_left_alone(b):
    """APL-001: the bundled install task finds the agent that is there"""
    ready(b, features=[])
    run = plan(b, "  $r = apply_prep('web').first\n  return [$r.action, $r['kernel'], get_target('web').facts['kernel']]")
    assert run.status == 0 and run.json == ["task", "Linux", "Linux"], run


def test_apl_004_old_agents_are_reported(b):
    """APL-004: an agent older than 6"""
    ready(b)
    b.write("project/modules/old/lib/facter/clientversion.rb",
            "Puppet::Node::Facts.class_eval { alias_method :mine, :add_local_facts\n"
            "  def add_local_facts(*all) mine(*all); values['clientversion'] = '5.5.0' end }\n")
    run = plan(b, "  apply_prep('web')\n  return get_target('web').facts['clientversion']")
    assert run.json == "5.5.0" and "[ID: unsupported_puppet]" in run.err, run


def test_apl_017_no_puppet_on_the_target(b):
    """APL-017: a target without a puppet program is an error"""
    ready(b)
    folder = b.folder / "bin"
    folder.mkdir()
    done = subprocess.run(["/bin/sh", "-c", f"sed 's#^PATH=.*#PATH={folder}#; s#/opt/puppetlabs#/nonexistent#' {HELPER} > {b.folder}/h; "
                           f"/bin/sh {b.folder}/h"], capture_output=True, text=True, timeout=HANGS)
    assert done.returncode == 127 and "no puppet program" in done.stderr, done


def test_apl_025_policies(b):
    """APL-025, APL-026, APL-027, CLI-012, JSN-003, JSN-012, JSN-021, ERR-034"""
    place = ready(b)
    b.refused("policy", "show", "--format", "json", kind="bolt/no-policies-error")
    b.write("project/bolt-project.yaml", "# mine\nname: site\npolicies:\n  - site::old # kept\nlog: {}\n")
    made = b.run("policy", "new", "site::base::motd", "--format", "json")
    file = b.project / "manifests/base/motd.pp"
    assert made.status == 0 and made.json == {"name": "site::base::motd", "path": str(file)}, made
    assert made.err == "", made
    assert file.read_text() == "class site::base::motd {\n\n}\n"
    assert (b.project / "bolt-project.yaml").read_text() == \
        "# mine\nname: site\npolicies:\n  - site::old # kept\n  - site::base::motd\nlog: {}\n"
    b.refused("policy", "new", "site::base::motd", "--format", "json", kind="bolt/existing-policy-error")
    for name in ("other::x", "site::Bad", "Site"):
        b.refused("policy", "new", name, "--format", "json", kind="bolt/validation-error")
    shown = b.run("policy", "show", "--format", "json").json
    assert shown == {"policies": ["site::old", "site::base::motd"],
                     "modulepath": [str(b.project / "modules"), str(b.project / ".modules")]}, shown
    assert b.run("policy", "show").out.splitlines()[:3] == ["Policies", "  site::base::motd", "  site::old"]
    file.write_text(f"class site::base::motd {{ file {{ '{place}/motd': content => 'policy' }} }}\n")
    b.refused("policy", "apply", "site::none", "-t", "web", "--format", "json", kind="bolt/unavailable-policy-error")
    b.refused("policy", "apply", "site::old", "-t", "web", "--format", "json", kind="bolt/unloadable-policy-error")
    b.refused("policy", "apply", "a", "b", "-t", "web", says="provide a comma-separated list of policy names")
    run = b.run("policy", "apply", "site::base::motd", "-t", "web", "--format", "json")
    assert run.status == 0 and run.json[0]["action"] == "apply" and len(run.json) == 1, run
    assert (place / "motd").read_text() == "policy"


def install_agent(b, stubs, **parameters):
    """The bundled install task where only these programs exist: its answer, and what it called."""
    folder = b.folder / "programs"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name in ("mktemp", "rm", "tail", "tr"):
        (folder / name).symlink_to(shutil.which(name))
    log = b.folder / "called"
    log.write_text("")
    for name, body in {"id": "echo 0", **stubs}.items():
        b.write(f"programs/{name}", f"#!/bin/sh\n[ {name} = id ] || echo {name} \"$@\" >> {log}\n{body}\n", 0o755)
    task = HELPER.parents[2] / "openvox_bootstrap/tasks/install.sh"
    script = b.write("install.sh", task.read_text().replace("PATH=$PATH:", f"PATH={folder} # "))
    done = subprocess.run(["/bin/sh", script], capture_output=True, text=True, timeout=HANGS,
                          env={f"PT_{name}": value for name, value in parameters.items()})
    return json.loads(done.stdout), done.returncode, [" ".join(w for w in line.split() if not w.startswith("/tmp/"))
                                                      for line in log.read_text().splitlines()]


def test_plg_041_the_bundled_task_installs_an_agent(b):
    """PLG-041, APL-001: packages come from where the parameters say; faults are one line"""
    if "ID=debian" not in Path("/etc/os-release").read_text():
        raise Skip("this test knows Debian's answers")
    version = next(line.split('"')[1] for line in Path("/etc/os-release").read_text().splitlines() if line.startswith("VERSION_ID"))
    puppet = b.folder / "programs/puppet"
    installs = f"[ $1 = update ] || {{ printf '#!/bin/sh\\necho 8.1.0\\n' > {puppet}; {shutil.which('chmod')} +x {puppet}; }}"
    fine = {"curl": "", "dpkg": "", "apt-get": installs, "systemctl": ""}
    answer, status, called = install_agent(b, fine, version="8.1.0-1", apt_source="http://mirror", stop_service="true")
    assert status == 0 and answer == {"installed": True, "version": "8.1.0"}, (answer, called)
    assert called == [f"curl -fsSL --retry 3 -o http://mirror/openvox8-release-debian{version}.deb", "dpkg -i",
                      "apt-get update", "apt-get install -y --no-install-recommends --allow-downgrades openvox-agent=8.1.0-1",
                      "systemctl disable --now puppet.service"], called
    answer, status, called = install_agent(b, {**fine, "curl": "echo 'no route \"there\"'; exit 6"})
    assert status == 1 and answer["_error"]["msg"] == "curl failed: no route there" and len(called) == 1, (answer, called)
    assert "neither curl nor wget" in install_agent(b, {})[0]["_error"]["msg"]
    answer, status, called = install_agent(b, {"id": "echo 1000"})
    assert status == 1 and "needs root" in answer["_error"]["msg"] and not called, answer
    assert install_agent(b, {"puppet": "echo 7.0.0"}) == ({"installed": False, "version": "7.0.0"}, 0, ["puppet --version"])
