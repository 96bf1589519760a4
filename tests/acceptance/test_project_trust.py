"""Whose project is obeyed, and what its files may do to whoever runs in it (SEC-7, SEC-11, SEC-12, SEC-17, USER-A8)."""
import json
import os
import shutil
import stat
import threading

from harness.bench import IS_ROOT, needs_root

JSON = ("--format", "json")
OTHER = 65534  # nobody
HOSTILE_TASK = "#!/bin/sh\nid -u > {owned}\necho '{{\"value\": [\"trapped\"]}}'\n"


def give_away(path, owner=OTHER):
    for one in [path, *path.rglob("*")]:
        os.chown(one, owner, owner, follow_symlinks=False)


def hostile(b, folder, owner=OTHER):
    """A project whose inventory runs a task of its own module when it is read; `owned` shows that it ran."""
    owned = b.folder / "owned"
    b.write(f"{folder}/bolt-project.yaml", "name: site\n")
    b.write(f"{folder}/inventory.yaml", "targets: [{_plugin: evil}]\n")
    b.write(f"{folder}/modules/evil/bolt_plugin.json", "{}")
    b.write(f"{folder}/modules/evil/tasks/resolve_reference.sh", HOSTILE_TASK.format(owned=owned), 0o755)
    if owner:
        give_away(b.folder / folder, owner)
    return owned


def show(b, cwd, **env):
    return b.run("inventory", "show", *JSON, project=False, cwd=cwd, env=env)


OWNER, WRITABLE = "neither to you nor to root", "can be written by everybody"


def refused(b, run, path, why=OWNER):
    """Before the configuration is known messages are text, whatever the format (EXIT-006)."""
    assert run.status == 1 and f"'{path}'" in run.out and why in run.out, run
    assert not (b.folder / "owned").exists(), "code of the project ran"


@needs_root
def test_a_project_of_another_user_is_refused(b):
    """SEC-7: found from a folder below, as Boltdir or by bolt-project.yaml; nothing of it runs, nothing is written there"""
    for folder, project in (("one/Boltdir", "one/Boltdir"), ("two", "two")):
        owned = hostile(b, folder)
        (b.folder / project).parent.joinpath("work/deep").mkdir(parents=True, exist_ok=True)
        below = b.folder / project / "deep" if folder == "two" else b.folder / "one/work/deep"
        below.mkdir(exist_ok=True)
        run = show(b, below)
        refused(b, run, b.folder / project)
        assert "nobody" in run.out and "--project" in run.out, run
        assert not (b.folder / project / "bolt-debug.log").exists()
        # Whoever names it has looked at it.
        assert b.run("inventory", "show", "--project", b.folder / project, *JSON, project=False).json["targets"] == ["trapped"]
        owned.unlink()
        assert show(b, below, BOLT_PROJECT=str(b.folder / project)).json["targets"] == ["trapped"]
        owned.unlink()


@needs_root
def test_whoever_owns_a_folder_above_owns_the_project(b):
    """SEC-7: each folder on the way, since its owner can put another project there; /tmp with its sticky bit is fine"""
    hostile(b, "theirs/mine", owner=None)
    os.chown(b.folder / "theirs", OTHER, OTHER)
    refused(b, show(b, b.folder / "theirs/mine"), b.folder / "theirs")
    os.chown(b.folder / "theirs", 0, 0)
    (b.folder / "theirs").chmod(0o777)
    refused(b, show(b, b.folder / "theirs/mine"), b.folder / "theirs", WRITABLE)
    (b.folder / "theirs").chmod(0o1777)
    assert show(b, b.folder / "theirs/mine").json["targets"] == ["trapped"]


@needs_root
def test_a_link_to_a_project_is_not_better_than_its_owner(b):
    """SEC-7: another user's Boltdir may lead to a project of ours that should not run here"""
    hostile(b, "elsewhere", owner=None)
    (b.folder / "shared").mkdir(mode=0o755)
    (b.folder / "shared/Boltdir").symlink_to(b.folder / "elsewhere")
    os.chown(b.folder / "shared/Boltdir", OTHER, OTHER, follow_symlinks=False)
    refused(b, show(b, b.folder / "shared"), b.folder / "shared/Boltdir")


def test_files_that_everybody_can_write_are_refused(b):
    """SEC-7: project file, inventory, Hiera, modules, a module, a task; also when --project names the project"""
    owned = hostile(b, "p", owner=None)
    b.write("p/hiera.yaml", "version: 5\n")
    b.write("p/tasks/x.sh", "#!/bin/sh\n")
    b.write("p/site-modules/more/tasks/y.sh", "#!/bin/sh\n")
    b.write("p/bolt-project.yaml", "name: site\nmodulepath: [modules, site-modules]\n")
    project = b.folder / "p"
    for name in ("bolt-project.yaml", "inventory.yaml", "hiera.yaml", "modules", "site-modules", "modules/evil",
                 "modules/evil/tasks", "modules/evil/tasks/resolve_reference.sh", "modules/evil/bolt_plugin.json",
                 "tasks", "tasks/x.sh"):
        path = project / name
        before = stat.S_IMODE(path.stat().st_mode)
        path.chmod(before | stat.S_IWOTH)
        refused(b, show(b, project), path, WRITABLE)
        refused(b, b.run("inventory", "show", "--project", project, *JSON, project=False), path, WRITABLE)
        path.chmod(before)
    assert show(b, project).json["targets"] == ["trapped"] and owned.exists()


def test_code_of_modules_is_looked_at_before_it_is_compiled(b):
    """SEC-7: manifests, functions and Ruby code that apply and lookup read, wherever they are in a module"""
    b.write("project/modules/m/manifests/a/b.pp", "class m::a::b { }\n")
    ruby = b.write("project/modules/m/lib/puppet/functions/f.rb", "", 0o666)
    b.write("project/hiera.yaml", "version: 5\n")
    for words in (["apply", "-e", "include m::a::b", "-t", "localhost"], ["lookup", "k", "--default", "x"]):
        b.refused(*words, says=[str(ruby), WRITABLE])
    ruby.chmod(0o644)
    assert b.run("lookup", "k", "--default", "x").status == 0


@needs_root
def test_files_of_another_user_are_refused(b):
    """SEC-7: a folder of ours that others of the group may write into can hold files that are theirs"""
    hostile(b, "p", owner=None)
    b.write("p/plans/x.pp", "plan site::x() { }\n")
    project = b.folder / "p"
    for name in ("bolt-project.yaml", "inventory.yaml", "modules", "modules/evil", "modules/evil/tasks/resolve_reference.sh",
                 "plans/x.pp"):
        os.chown(project / name, OTHER, OTHER)
        refused(b, show(b, project), project / name)
        os.chown(project / name, 0, 0)
    assert show(b, project).json["targets"] == ["trapped"]


@needs_root
def test_a_user_may_use_the_projects_of_root(b):
    """SEC-7: what root has set up, such as a project for all, works for everybody"""
    owned = hostile(b, "p", owner=None)
    b.folder.chmod(0o755)
    home = b.folder / "nobody"
    home.mkdir()
    os.chown(home, OTHER, OTHER)
    owned.touch()
    os.chown(owned, OTHER, OTHER)
    program = b.copy_of_volley(b.folder / "volley")
    b.volley = str(shutil.which("setpriv"))
    run = b.run("--reuid", OTHER, "--clear-groups", program, "inventory", "show", *JSON, project=False, cwd=b.folder / "p",
                env={"HOME": str(home)})
    assert run.status == 0 and run.json["targets"] == ["trapped"], run
    os.chown(b.folder / "p", 4242, 4242)
    run = b.run("--reuid", OTHER, "--clear-groups", program, "inventory", "show", *JSON, project=False, cwd=b.folder / "p",
                env={"HOME": str(home)})
    assert run.status == 1 and OWNER in run.out and "4242" in run.out, run


@needs_root
def test_the_default_project_of_another_home_is_refused(b):
    """SEC-7: with the HOME of somebody else (sudo -E), only a default project that has something in it counts"""
    home = b.folder / "alice"
    (home / ".ssh").mkdir(parents=True)
    give_away(home)
    run = b.run("command", "run", "true", "-t", "localhost", *JSON, project=False, env={"HOME": str(home)})
    assert run.status == 0, run
    hostile(b, "alice/.puppetlabs/bolt")
    run = show(b, b.folder, HOME=str(home))
    assert run.status == 1 and OWNER in run.out and not (b.folder / "owned").exists(), run


def test_bolt_project_must_exist(b):
    """USER-A8: BOLT_PROJECT=/nope is refused as --project /nope is, and nothing is made there"""
    missing = b.folder / "nope"
    for run in (show(b, b.folder, BOLT_PROJECT=str(missing)),
                b.run("command", "run", "true", "-t", "localhost", *JSON, project=False, env={"BOLT_PROJECT": str(missing)})):
        assert run.status == 1 and f"Could not find project at {missing}" in run.out and not missing.exists(), run
    plain = b.write("file", "")
    assert "is not a directory" in show(b, b.folder, BOLT_PROJECT=str(plain)).out


def test_the_debug_log_is_not_made_through_a_link(b):
    """SEC-12: a link named bolt-debug.log makes nothing where it leads and empties nothing; a second name of a file neither"""
    b.inventory("targets: []\n")
    log, victim = b.project / "bolt-debug.log", b.folder / "victim"
    log.symlink_to(victim)
    assert b.run("inventory", "show").status == 0 and not victim.exists()
    victim.write_text("precious")
    assert b.run("inventory", "show").status == 0 and victim.read_text() == "precious"
    log.unlink()
    os.link(victim, log)
    assert b.run("inventory", "show").status == 0 and victim.read_text() == "precious"
    log.unlink()
    assert b.run("inventory", "show").status == 0 and "Loaded project" in log.read_text()
    assert stat.S_IMODE(log.stat().st_mode) == 0o600


def test_a_fifo_as_debug_log_hangs_nothing(b):
    """SEC-12: nobody reads it; a configured log that is one is an error"""
    b.inventory("targets: []\n")
    os.mkfifo(b.project / "bolt-debug.log")
    assert b.run("inventory", "show", timeout=60).status == 0
    os.mkfifo(b.project / "mine.log")
    b.write("project/bolt-project.yaml", "name: site\nlog: {mine.log: {level: debug}}\n")
    b.refused("inventory", "show", says="Failed to open log", timeout=60)


@needs_root
def test_a_debug_log_of_another_user_is_not_written(b):
    """SEC-12: he could read what is logged"""
    b.inventory("targets: []\n")
    log = b.write("project/bolt-debug.log", "his\n", 0o666)
    os.chown(log, OTHER, OTHER)
    assert b.run("inventory", "show").status == 0
    assert log.read_text() == "his\n" and log.stat().st_uid == OTHER


SECRET_URI = "ssh://bob:geheim@127.0.0.1:9"


def test_reports_and_rerun_files_are_private(b):
    """SEC-11: the HTML report and .rerun.json can be read by their owner only and hold no passwords of URIs"""
    b.write("project/plans/p.pp", "plan site::p(TargetSpec $targets) { return run_command('true', $targets, _catch_errors => true) }\n")
    b.volley = str(b.write("careless", f'#!/bin/sh\numask 0\nexec {b.volley} "$@"\n', 0o755))
    b.run("plan", "run", "site::p", f"targets={SECRET_URI}", "--report", "r.html")
    for path in (b.folder / "r.html", b.project / ".rerun.json"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path
        assert "geheim" not in path.read_text() and "bob@127.0.0.1:9" in path.read_text(), path.read_text()
    b.run("command", "run", "true", "-t", SECRET_URI)
    rerun = (b.project / ".rerun.json").read_text()
    assert json.loads(rerun) == [{"target": "ssh://bob@127.0.0.1:9", "status": "failure"}], rerun


def test_rerun_finds_targets_whose_name_has_a_password(b):
    """SEC-11: the password is not in .rerun.json; the inventory, which has it, is asked"""
    b.inventory(json.dumps({"targets": [SECRET_URI, {"name": "x"}]}))
    b.write("project/.rerun.json", json.dumps([{"target": "ssh://bob@127.0.0.1:9", "status": "failure"}]))
    run = b.run("inventory", "show", "--rerun", "failure", *JSON).json
    assert run["inventory"]["count"] == 1 and run["adhoc"]["count"] == 0, run


def test_a_rerun_file_that_cannot_be_replaced_is_not_left(b):
    """SEC-17.15: --rerun failure must not mean the run before"""
    b.inventory("targets: [a, b]\nconfig: {transport: local}\n")
    small = b.tmpfs(b.folder / "small", "size=16k") if IS_ROOT else b.project
    b.write("project/bolt-project.yaml", f"name: site\nrerunfile: {small}/rerun.json\n")
    b.run("command", "run", "exit 1", "-t", "a")
    assert (small / "rerun.json").exists()
    try:
        (small / "filler").write_bytes(b"x" * 65536)
    except OSError:
        pass
    run = b.run("command", "run", "exit 1", "-t", "b")
    if "Failed to save result" in run.err:
        b.refused("command", "run", "true", "--rerun", "failure", "--no-journal", says="rerun file")
        again = b.run("command", "run", "true", "--rerun", "failure")
        assert "Successful on 1 target: b" in again.out, again
    else:
        assert json.loads((small / "rerun.json").read_text())[0]["target"] == "b", run


def test_inventories_without_end_are_refused(b):
    """SEC-17.10: devices and files over the limit are errors that name it; a pipe is read"""
    for path, says in (("/dev/zero", "is a device"), ("/dev/urandom", "is a device")):
        run = b.refused("inventory", "show", "-i", path, *JSON, kind="bolt/file-error", says=says, timeout=60)
        assert run.rss_mib < (200 if "ASAN_OPTIONS" not in os.environ else 600), run.rss_mib
    b.refused("command", "run", "-", "-t", "localhost", stdin=b"x" * (257 << 20), says="256 MiB")
    with open(b.folder / "large.yaml", "wb") as file:
        file.truncate(65 << 20)
    b.refused("inventory", "show", "-i", b.folder / "large.yaml", *JSON, kind="bolt/file-error", says="64 MiB")
    pipe = b.folder / "pipe"
    os.mkfifo(pipe)
    threading.Thread(target=lambda: pipe.write_text("targets: [piped]\n"), daemon=True).start()
    assert b.run("inventory", "show", "-i", pipe, *JSON).json["targets"] == ["piped"]
