"""Nothing to do is not silent success (USER-A7); Ruby tasks here (BOLT-3); old projects are found (USER-A6)."""
import json
import os
import shutil

from harness.bench import Skip

JSON = ("--format", "json")
LOCAL = ("-t", "localhost")


def test_an_empty_list_of_targets_is_an_error(b):
    """USER-A7: an unset variable of a script, for every verb; with any number of blanks and commas"""
    b.inventory("targets: [a]\nconfig: {transport: local}\n")
    b.write("project/plans/p.pp", "plan site::p(TargetSpec $targets) { return 1 }\n")
    for empty in ("", " ", ",", " , "):
        for words in (["command", "run", "true"], ["plan", "run", "site::p"], ["inventory", "show"], ["apply", "-e", "notice(1)"],
                      ["lookup", "k"], ["file", "upload", b.folder, "/tmp/x"]):
            b.refused(*words, "-t", empty, says="names no target")
    assert b.run("command", "run", "true", "-t", "a", "-t", "").status == 0


def test_no_failures_left_is_said_and_changes_nothing(b):
    """USER-A7: --rerun failure after a run that went well"""
    b.inventory("targets: [a, b]\nconfig: {transport: local}\n")
    assert b.run("command", "run", "true", "-t", "all").status == 0
    before = (b.project / ".rerun.json").read_text()
    run = b.run("command", "run", "false", "--rerun", "failure")
    assert run.status == 0 and "No target failed in the last run (2 succeeded)" in run.out, run
    assert (b.project / ".rerun.json").read_text() == before
    run = b.run("command", "run", "false", "--rerun", "failure", *JSON)
    assert run.status == 0 and run.json["target_count"] == 0
    assert json.loads((b.project / ".rerun.json").read_text())[0]["target"] == "a"
    assert len(b.run("command", "run", "false", "--rerun", "all", *JSON).json["items"]) == 2
    run = b.run("command", "run", "true", "--rerun", "success")
    assert run.status == 0 and "No target succeeded in the last run (2 failed)" in run.out, run


def test_an_inventory_without_targets_is_an_error(b):
    """USER-A7: a misspelled groups:, and an inventory that is not there; TSK-048: an empty group is reported, not refused"""
    b.inventory("grups: [{name: web, targets: [a]}]\n")
    b.refused("command", "run", "true", "-t", "all", says="defines no targets")
    b.refused("apply", "-e", "notice(1)", "-t", "all", says="defines no targets")
    b.inventory("groups: [{name: web, tragets: [a]}]\n")
    run = b.run("command", "run", "true", "-t", "web")
    assert run.status == 0 and "No target belongs to 'web': nothing to do" in run.err, run
    (b.project / "inventory.yaml").unlink()
    b.refused("command", "run", "true", "-t", "all", says="there is no inventory")
    assert not (b.project / ".rerun.json").exists()


FORGE_TASK = "#!/opt/puppetlabs/puppet/bin/ruby\nrequire 'json'\nputs({'ruby' => RUBY_ENGINE, 'x' => JSON.parse(STDIN.read)['x']}.to_json)\n"


def with_ruby():
    if not shutil.which("ruby"):
        raise Skip("needs ruby")


def test_ruby_tasks_run_here_with_the_ruby_of_the_path(b):
    """BOLT-3: whatever the first line says, and without one; not when bundled-ruby is false or interpreters names one"""
    with_ruby()
    for name, body in (("shebang", FORGE_TASK), ("none", FORGE_TASK.split("\n", 1)[1])):
        b.task(f"{name}.rb", body)
        run = b.run("task", "run", f"site::{name}", "x=5", *LOCAL, *JSON)
        assert run.status == 0 and run.value() == {"ruby": "ruby", "x": 5}, run
    b.inventory("targets: [{name: t, config: {transport: local, local: {bundled-ruby: false}}}]\n")
    run = b.run("task", "run", "site::shebang", "x=5", "-t", "t", *JSON)
    assert run.status == 1, run
    own = b.write("own", "#!/bin/sh\necho '{\"own\": true}'\n", 0o755)
    b.inventory(json.dumps({"targets": [{"name": "t", "config": {"transport": "local", "local": {"interpreters": {"rb": str(own)}}}}]}))
    assert b.run("task", "run", "site::shebang", "x=5", "-t", "t", *JSON).value() == {"own": True}
    # Scripts are as they are.
    script = b.write("s.rb", "#!/bin/sh\necho by its first line\n", 0o755)
    assert b.run("script", "run", script, *LOCAL, *JSON).value()["stdout"] == "by its first line\n"


def test_ruby_tasks_for_an_agent_count_here(b):
    """BOLT-3: an implementation that asks for puppet-agent and is a .rb is taken when no other one fits"""
    with_ruby()
    only = {"implementations": [{"name": "t.rb", "requirements": ["puppet-agent"]}]}
    b.task("t.rb", FORGE_TASK, only)
    assert b.run("task", "run", "site::t", "x=1", *LOCAL, *JSON).value()["ruby"] == "ruby"
    b.inventory("targets: [{name: t, features: [puppet-agent], config: {transport: local}}]\n")
    assert b.run("task", "run", "site::t", "x=1", "-t", "t", *JSON).value()["ruby"] == "ruby"
    both = {"implementations": [{"name": "t.rb", "requirements": ["puppet-agent"]}, {"name": "u.sh", "requirements": ["shell"]}]}
    b.task("t.rb", FORGE_TASK, both)
    b.task("u.sh", "#!/bin/sh\necho '{\"sh\": 1}'\n")
    assert b.run("task", "run", "site::t", *LOCAL, *JSON).value() == {"sh": 1}
    b.task("w.sh", "#!/bin/sh\n", {"implementations": [{"name": "w.sh", "requirements": ["puppet-agent"]}]})
    assert "No suitable implementation" in b.run("task", "run", "site::w", *LOCAL, *JSON).out


def test_without_a_ruby_the_message_is_clear(b):
    """BOLT-3: which task, and what to do"""
    b.task("t.rb", FORGE_TASK)
    tools = b.folder / "bin"
    tools.mkdir()
    for name in ("sh", "mkdir", "rm", "cat", "chmod", "mktemp", "uname", "tar"):
        (tools / name).symlink_to(shutil.which(name))
    run = b.run("task", "run", "site::t", *LOCAL, *JSON, env={"PATH": str(tools)})
    error = run.error()
    assert "site::t" in error["msg"] and "no 'ruby' on the PATH" in error["msg"] and "interpreters" in error["msg"], run


def test_migrate_finds_a_project_with_bolt_yaml(b):
    """USER-A6: in its folder and below; --yes needs no terminal; the user's own project is not taken for it"""
    old = b.folder / "old"
    b.write("old/bolt.yaml", "color: true\n")
    (old / "sub").mkdir()
    run = b.run("project", "migrate", "--yes", project=False, cwd=old / "sub")
    assert run.status == 0 and "successfully migrated" in run.out, run
    assert (old / "bolt-project.yaml").exists() and not (old / "bolt.yaml").exists()
    assert not (b.home / ".puppetlabs/bolt/bolt-project.yaml").exists()
    empty = b.folder / "empty"
    empty.mkdir()
    b.refused("project", "migrate", "--yes", project=False, cwd=empty, says="There is nothing to migrate")
    assert not (b.home / ".puppetlabs/bolt/bolt-project.yaml").exists() and os.listdir(empty) == []


def test_migrate_names_no_file_that_is_not_there(b):
    """USER-A6: what to read is in the program"""
    b.write("project/bolt-project.yaml", "name: site\nmodulepath: [elsewhere]\n")
    run = b.run("project", "migrate", "--yes")
    assert "docs/" not in run.out and "volley guide module" in run.out, run
