"""The program without anything beside it: bundled modules come out of it (USER-A9, SEC-17.8, USER-A5)."""
import json
import os
import shutil
import stat

from harness.bench import needs_root

JSON = ("--format", "json")
LOCAL = ("-t", "localhost")


def alone(b):
    """The program, and only it, in a folder of its own."""
    place = b.folder / "only"
    place.mkdir()
    b.volley = str(b.copy_of_volley(place / "volley"))
    b.temporary = b.folder / "tmp"
    b.temporary.mkdir()
    b.env["TMPDIR"] = str(b.temporary)
    return place


def test_bundled_modules_are_part_of_the_program(b):
    """USER-A9: tasks, plans and functions of bundled modules with nothing but the binary; no temporary files are left"""
    place = alone(b)
    facts = b.run("task", "run", "facts", *LOCAL, *JSON)
    assert facts.status == 0 and facts.value()["os"]["name"], facts
    assert b.run("plan", "run", "facts", "targets=localhost", *JSON).json[0]["value"]["os"]["name"]
    modules = b.run("module", "show").out
    assert "Packaged Modules" in modules and "openvox_bootstrap" in modules and "shell_task_helper" in modules, modules
    assert "built-in module" in b.run("task", "show", "service").out
    assert "puppet_agent" in b.run("plugin", "show", *JSON).json["plugins"]["puppet_library"]
    b.write("project/plans/c.pp", "plan site::c() { return aggregate::count(run_command('true', 'localhost')) }\n")
    assert b.run("plan", "run", "site::c", *JSON).status == 0
    # A task with a file of a bundled module beside it, and a file of one by its name.
    b.task("h.sh", '#!/bin/sh\ntest -s "$PT__installdir/shell_task_helper/files/json.awk" && echo \'{"got": true}\'\n',
           {"files": ["shell_task_helper/files/json.awk"]})
    assert b.run("task", "run", "site::h", *LOCAL, *JSON).value() == {"got": True}
    assert b.run("file", "upload", "shell_task_helper/json.awk", b.folder / "got.awk", *LOCAL).status == 0
    assert (b.folder / "got.awk").stat().st_size > 1000
    assert list(b.temporary.iterdir()) == [] and sorted(p.name for p in place.iterdir()) == ["volley"]


def test_apply_needs_nothing_beside_the_program(b):
    """USER-A9: the helper that applies catalogs and the plugin that installs an agent come out of it, too"""
    alone(b)
    b.inventory("targets: [{name: here, config: {transport: local}}]\n")
    run = b.run("apply", "-e", "notify { 'x': }", "-t", "here", *JSON)
    assert "Unknown plugin" not in run.out and "apply_helpers" not in run.out, run
    assert list(b.temporary.iterdir()) == []


def test_a_bundled_module_yields_to_the_projects(b):
    """USER-A9, MOD-002: a module of the project with the same name wins, and nothing of the bundled one shows"""
    alone(b)
    b.write("project/modules/facts/tasks/init.sh", "#!/bin/sh\necho '{\"mine\": 1}'\n")
    assert b.run("task", "run", "facts", *LOCAL, *JSON).value() == {"mine": 1}


def test_what_does_not_need_modules_does_not_unpack_them(b):
    """USER-A9: commands start in milliseconds; nothing is written for them"""
    alone(b)
    assert b.run("command", "run", "true", *LOCAL).status == 0 and b.run("--version", project=False).status == 0
    assert not (b.home / ".cache").exists()
    b.task("t.sh", "#!/bin/sh\necho '{}'\n")
    assert b.run("task", "run", "site::t", *LOCAL).status == 0
    assert not (b.home / ".cache").exists()


def cache(b):
    folders = list((b.home / ".cache/volley").glob("modules-*"))
    assert len(folders) == 1, folders
    return folders[0]


def test_unpacked_modules_are_kept_and_repaired(b):
    """USER-A9: once for a version of the program, private; what a tidy-up has taken is there again the next time"""
    alone(b)
    assert b.run("task", "show", "facts").status == 0
    folder = cache(b)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    before = (folder / "facts/tasks/init.json").stat().st_ino
    assert b.run("task", "show", "facts").status == 0
    assert (folder / "facts/tasks/init.json").stat().st_ino == before
    (folder / "facts/tasks/init.json").unlink()
    shutil.rmtree(folder / "service")
    assert b.run("task", "run", "facts", *LOCAL).status == 0 and b.run("task", "show", "service").status == 0
    assert cache(b) == folder and [p.name for p in folder.parent.iterdir()] == [folder.name]


def test_without_a_cache_directory_nothing_is_left(b):
    """USER-A9: a home that cannot be written into: a temporary folder that goes away with the program"""
    alone(b)
    (b.home / ".cache").write_text("in the way")
    facts = b.run("task", "run", "facts", *LOCAL, *JSON)
    assert facts.status == 0 and facts.value()["os"]["name"], facts
    assert list(b.temporary.iterdir()) == []
    elsewhere = b.folder / "elsewhere"
    assert b.run("task", "show", "facts", env={"XDG_CACHE_HOME": str(elsewhere)}).status == 0
    assert len(list((elsewhere / "volley").iterdir())) == 1


@needs_root
def test_modules_that_others_could_change_are_not_used(b):
    """SEC-17.8: neither a build folder's parent with modules/ and CMakePresets.json, nor a cache of another user"""
    owned = b.folder / "owned"
    trap = f"#!/bin/sh\nid > {owned}\necho '{{}}'\n"
    alone(b)
    b.write("only/CMakePresets.json", "{}")
    b.write("only/modules/facts/tasks/init.sh", trap)
    b.write("share/volley/modules/facts/tasks/init.sh", trap)
    nested = b.folder / "only/build/debug/bin"
    nested.mkdir(parents=True)
    b.volley = str(b.copy_of_volley(nested / "volley"))
    assert b.run("task", "run", "facts", *LOCAL, *JSON).value()["os"]["name"] and not owned.exists()
    folder = cache(b)
    # The same content, but another user's: he can change it at any time.
    for path in [folder.parent, folder, *folder.rglob("*")]:
        os.chown(path, 65534, 65534)
    (folder / "facts/tasks/posix.sh").write_text(trap.ljust((folder / "facts/tasks/posix.sh").stat().st_size, "#"))
    assert b.run("task", "run", "facts", *LOCAL, *JSON).value()["os"]["name"] and not owned.exists()
    assert list(b.temporary.iterdir()) == []


def test_puppet_agent_is_a_plugin(b):
    """USER-A5, BND-023: plugin-hooks: {puppet_library: {plugin: puppet_agent}}, the setting of Bolt's documentation"""
    b.ssh_inventory()
    b.write("project/bolt-project.yaml", json.dumps({"name": "site", "plugin-hooks": {
        "puppet_library": {"plugin": "puppet_agent", "absolute_source": "/no/such/package.deb"}}}))
    b.write("project/plans/p.pp", "plan site::p(TargetSpec $targets) { return apply_prep($targets, _catch_errors => true) }\n")
    run = b.run("plan", "run", "site::p", "targets=web", *JSON)
    assert "Unknown plugin" not in run.out, run
    assert "puppet_agent" in b.run("plugin", "show", *JSON).json["plugins"]["puppet_library"]
