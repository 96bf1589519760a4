"""apply-method: Volley's own agent applies manifests on targets that have nothing installed."""
import base64
import hashlib
import itertools
import json
import os
import pwd
import shutil
import stat
import subprocess
from pathlib import Path

from apply import module_cases
from apply.compare import agent_beside
from harness import web
from harness.bench import HANGS, Skip, needs_root
from harness.patience import wait_for


def ready(b, method="agentless"):
    """A target on this machine, with a folder of its own for the agent. The folder that manifests may write to."""
    if not agent_beside(b.volley).exists():
        raise Skip(f"{agent_beside(b.volley)} is not built")
    b.write("project/bolt-project.yaml", json.dumps({"name": "site", "apply-method": method, "modulepath": ["modules"]}))
    b.inventory(json.dumps({"targets": [{"uri": "here", "config": {"transport": "local"}}]}))
    place = b.folder / "place"
    place.mkdir()
    (b.folder / "bin").mkdir()
    for name in ("puppet", "ruby"):  # neither may be needed
        b.write(f"bin/{name}", "#!/bin/sh\necho no $0 here >&2\nexit 1\n", 0o755)
    b.env |= {"VOLLEY_AGENT_FOLDER": str(b.folder / "agent"), "PATH": f"{b.folder}/bin:{b.env['PATH']}"}
    return place


def apply(b, code, *words, **more):
    return b.run("apply", "-e", code, "-t", "here", "--format", "json", *words, **more)


def only(run):
    assert isinstance(run.json, list) and len(run.json) == 1, run
    return run.json[0]["value"]


def messages(value):
    return [log["message"] for log in value["report"]["logs"]]


def programs(b):
    return sorted(path for path in (b.folder / "agent").iterdir() if path.name.startswith("volley-agent-"))


def test_a_machine_without_puppet_is_brought_to_the_state_of_a_manifest(b):
    """issue 13: changes, then nothing to change; what --noop predicts is what happens"""
    place = ready(b)
    code = f"file {{ '{place}/a': content => \"hällo\\n\", mode => '0640' }} ~> exec {{ '/bin/touch {place}/b': refreshonly => true }}"
    predicted = apply(b, code, "--noop")
    assert predicted.status == 0, predicted
    assert not list(place.iterdir()), "noop changed something"
    assert any("should be 'file' (noop)" in one for one in messages(only(predicted))), predicted
    first = apply(b, code)
    assert first.status == 0, first
    assert (place / "a").read_text() == "hällo\n" and stat.S_IMODE((place / "a").stat().st_mode) == 0o640
    assert (place / "b").exists()
    assert only(first)["report"]["status"] == "changed", first
    again = apply(b, code)
    assert only(again)["report"]["status"] == "unchanged", again


def test_the_agent_is_sent_once_and_lies_in_a_private_folder(b):
    """issue 13: cached under its checksum, for its user only, and nothing else stays but its state"""
    place = ready(b)
    assert apply(b, f"file {{ '{place}/a': content => 'x' }}").status == 0
    folder = b.folder / "agent"
    [program] = programs(b)
    content = agent_beside(b.volley).read_bytes()
    assert program.read_bytes() == content and program.name == "volley-agent-" + hashlib.sha256(content).hexdigest()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700 and stat.S_IMODE(program.stat().st_mode) == 0o700
    assert sorted(path.name for path in folder.iterdir()) == sorted(["state", program.name])
    before = program.stat()
    again = apply(b, f"file {{ '{place}/a': content => 'y' }}", "--log-level", "info")
    assert again.status == 0 and "Sending the agent" not in again.err, again
    assert (program.stat().st_ino, program.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_an_agent_that_was_changed_on_the_target_is_not_run(b):
    """issue 13: owner, mode and checksum are verified before every run"""
    place = ready(b)
    assert apply(b, f"file {{ '{place}/a': content => 'x' }}").status == 0
    [program] = programs(b)
    program.write_text(f"#!/bin/sh\ntouch {place}/hostile\n")
    run = apply(b, f"file {{ '{place}/a': content => 'y' }}", "--log-level", "info")
    assert run.status == 0 and (place / "a").read_text() == "y", run
    assert "Sending the agent" in run.err and not (place / "hostile").exists(), run
    program.chmod(0o777)
    run = apply(b, f"file {{ '{place}/a': content => 'z' }}", "--log-level", "info")
    assert run.status == 0 and "Sending the agent" in run.err, run
    assert stat.S_IMODE(program.stat().st_mode) == 0o700


def test_an_agent_is_verified_with_whatever_the_target_has(b):
    """issue 13: b2sum where it is there, else sha256sum"""
    place = ready(b)
    tools = b.folder / "tools"
    tools.mkdir()
    for name in ("sh", "id", "uname", "ls", "mkdir", "chmod", "cat", "mv", "rm", "rmdir", "find", "sha256sum", "b2sum"):
        (tools / name).symlink_to(shutil.which(name))
    env = {"PATH": str(tools)}
    for number, missing in enumerate(((), ("b2sum",))):
        for name in missing:
            (tools / name).unlink()
        assert apply(b, f"file {{ '{place}/a': content => '{number}' }}", env=env).status == 0
        again = apply(b, f"file {{ '{place}/a': content => '{number} again' }}", "--log-level", "info", env=env)
        assert again.status == 0 and "Sending the agent" not in again.err, again
        [program] = programs(b)
        with program.open("ab") as file:
            file.write(b"x")
        run = apply(b, f"file {{ '{place}/a': content => '{number} fixed' }}", "--log-level", "info", env=env)
        assert run.status == 0 and "Sending the agent" in run.err, run
        assert (place / "a").read_text() == f"{number} fixed"


@needs_root  # for a mount of its own
def test_an_agent_is_found_where_the_kernel_does_not_say_the_machine(b):
    """issue 13: its name is read from /proc, where kernels have it since 6.1, or asked of uname"""
    hide = "mount -t tmpfs none /proc/sys/kernel"
    done = subprocess.run(["unshare", "-m", "/bin/sh", "-c", hide], capture_output=True, text=True)
    if done.returncode != 0:
        raise Skip(f"nothing can be mounted here: {done.stderr.strip()}")
    place = ready(b)
    b.write("bin/sh", f"#!/bin/sh\nexec unshare -m /bin/sh -c '{hide} && exec /bin/sh \"$@\"' sh \"$@\"\n", 0o755)
    for content in ("x", "y"):
        run = apply(b, f"file {{ '{place}/a': content => '{content}' }}", "--log-level", "info")
        assert run.status == 0 and (place / "a").read_text() == content, run
        assert ("Sending the agent" in run.err) == (content == "x"), run


def test_an_agent_that_ran_a_moment_ago_is_known_by_its_stamp(b):
    """issue 13: its checksum is made once for facts and catalog, and again when it was changed between them"""
    place = ready(b)
    tools = b.folder / "tools"
    tools.mkdir()
    for name in ("sh", "id", "uname", "ls", "mkdir", "chmod", "cat", "mv", "rm", "rmdir", "find", "sha256sum"):
        (tools / name).symlink_to(shutil.which(name))
    sums, change = b.folder / "sums", b.folder / "change"

    def tool(name, first):
        (tools / name).write_text(f"#!/bin/sh\n{first}\nexec {shutil.which(name)} \"$@\"\n")
        (tools / name).chmod(0o755)

    def sums_of(content):
        sums.write_text("")
        code = f"plan site::apart() {{ apply_prep('here') apply('here') {{ file {{ '{place}/a': content => '{content}' }} }} }}"
        b.write("project/plans/apart.pp", code)
        run = b.run("plan", "run", "site::apart", "--log-level", "info", env={"PATH": str(tools)})
        assert run.status == 0 and (place / "a").read_text() == content, run
        return sums.read_text().count("."), "Sending the agent" in run.err

    tool("b2sum", f"printf . >>{sums}")
    tool("stat", f"[ ! -e {change} ] || {{ for last do :; done; rm {change}; printf '#!/bin/sh\\n: >{place}/hostile\\n' >\"$last\"; }}")
    for count in itertools.count():  # until what was stored is some seconds old
        if sums_of(str(count)) == (1, False):
            break
        assert count < 1000
    change.touch()
    assert sums_of("changed") == (3, True) and not (place / "hostile").exists()


def starts(b):
    """A file with a dot for each start of the agent: the first one asks for the user, later ones for a stamp."""
    count = b.folder / "starts"
    b.write("bin/id", f"#!/bin/sh\nprintf . >>{count}\nexec {shutil.which('id')} \"$@\"\n", 0o755)
    b.write("bin/stat", f"#!/bin/sh\nprintf . >>{count}\nexec {shutil.which('stat')} \"$@\"\n", 0o755)
    return count


def test_facts_and_catalog_take_one_start_of_the_agent(b):
    """issue 13: the agent waits for the catalog that is made of its facts, and is gone when there is none"""
    place = ready(b)
    assert apply(b, f"file {{ '{place}/a': content => 'x' }}").status == 0
    count = starts(b)
    run = apply(b, f"file {{ '{place}/a': content => $facts['kernel'] }}")
    assert run.status == 0 and (place / "a").read_text() == "Linux", run
    assert count.read_text() == ".", run
    wrong = apply(b, "fail(\"not on ${facts['kernel']}\")")
    assert wrong.status == 1 and "not on Linux" in only(wrong)["_error"]["msg"], wrong
    other = apply(b, "scheduled_task { 'x': ensure => absent }")
    assert other.status == 1 and "scheduled_task" in only(other)["_error"]["msg"], other
    assert count.read_text() == "...", other
    wait_for(lambda: not any(str(_target(process / "exe")).startswith(str(b.folder / "agent")) for process in Path("/proc").glob("[0-9]*")),
             "all agents to end")


def test_a_link_is_not_taken_for_the_private_folder(b):
    """issue 13: safe against a hostile /tmp"""
    place = ready(b)
    (b.folder / "elsewhere").mkdir(mode=0o700)
    (b.folder / "agent").symlink_to(b.folder / "elsewhere")
    run = apply(b, f"file {{ '{place}/a': content => 'x' }}")
    assert run.status == 1 and "not a private folder" in only(run)["_error"]["msg"], run
    assert not list((b.folder / "elsewhere").iterdir()) and not list(place.iterdir())


def test_a_module_s_files_come_by_their_checksum(b):
    """issue 13: file content is fetched when it is needed; puppet:/// sources and folders of them"""
    place = ready(b)
    big = os.urandom(3_000_000)
    b.write("project/modules/m/files/one", "first\n")
    b.write("project/modules/m/files/tree/deep/big", big)
    b.write("project/modules/m/files/tree/small", "s")
    code = (f"file {{ '{place}/one': source => 'puppet:///modules/m/one' }} "
            f"file {{ '{place}/tree': ensure => directory, recurse => true, source => 'puppet:///modules/m/tree' }}")
    run = apply(b, code)
    assert run.status == 0, run
    assert (place / "one").read_text() == "first\n" and (place / "tree/deep/big").read_bytes() == big
    assert (place / "tree/small").read_text() == "s"
    assert only(apply(b, code))["report"]["status"] == "unchanged"
    missing = apply(b, f"file {{ '{place}/no': source => 'puppet:///modules/m/no' }}")
    assert missing.status == 1 and not (place / "no").exists(), missing


def test_a_fifo_as_a_source_leaves_what_is_there(b):
    """issue 13: a fifo is not read, which would wait for ever, and nothing takes the place of the file"""
    place = ready(b)
    os.mkfifo(place / "fifo")
    (place / "there").write_text("mine\n")
    for name in ("there", "new"):
        run = apply(b, f"file {{ '{place}/{name}': source => '{place}/fifo' }}")
        assert run.status == 1 and any("Cannot manage files of type fifo" in one for one in messages(only(run))), run
    assert (place / "there").read_text() == "mine\n" and not (place / "new").exists()


def test_types_that_modules_make_of_ini_settings_are_read_and_applied(b):
    """issue 13: a type such as nova_config: its Ruby is read here, its file is written there"""
    place = ready(b)
    module_cases.sample_module(b.folder / "project" / "modules", f"{place}/f")
    code = "sample_config { 'a/b': value => ['c', true] } sample_plain_config { 'a/d': value => false }"
    run = apply(b, code)
    assert run.status == 0, run
    assert (place / "f").read_text() == "[a]\nb=c\nb=True\nd=False\n"
    assert only(apply(b, code))["report"]["status"] == "unchanged"
    # Named only by `resources`: one that is not purged may be of any type that exists.
    purging = "resources { ['sample_config', 'scheduled_task']: purge => false } resources { 'sample_plain_config': purge => true }"
    run = apply(b, purging + " sample_open_config { 'a/b': value => 'c' }")
    assert run.status == 0, run
    assert (place / "f").read_text() == "[a]\nb=c\n", (place / "f").read_text()
    run = apply(b, "resources { 'no_such_type': purge => false }")
    assert run.status == 1 and any("Could not find resource type 'no_such_type'" in one for one in messages(only(run))), run
    run = apply(b, "resources { 'scheduled_task': purge => true }")
    assert run.status == 1 and "the purging of Resources[scheduled_task]" in only(run)["_error"]["msg"], run
    other = b.folder / "project/modules/sample/lib/puppet/type/sample_config.rb"
    other.write_text(other.read_text().replace("  ensurable\n", "  ensurable\n  validate do\n  end\n"))
    run = apply(b, code)
    assert run.status == 1 and "the resource type sample_config" in only(run)["_error"]["msg"], run


def test_what_the_agent_does_not_have_is_named_before_anything_changes(b):
    """issue 13: one error that names the types and what to do"""
    place = ready(b)
    run = apply(b, f"file {{ '{place}/a': content => 'x' }} scheduled_task {{ 'x': ensure => absent }}")
    assert run.status == 1 and not list(place.iterdir()), run
    text = only(run)["_error"]["msg"]
    assert "the resource type scheduled_task" in text and "apply-method" in text, text
    run = apply(b, f"file {{ '{place}/a': content => 'x' }} package {{ 'x': provider => 'windows' }}")
    text = only(run)["_error"]["msg"]
    assert "provider windows of Package[x]" in text and not list(place.iterdir()), text


def test_facts_are_those_of_the_agent(b):
    """issue 13: apply_prep asks the agent, for hidden and external facts, too; manifests see them"""
    place = ready(b)
    code = ("plan look() { $r = apply_prep('here').first  $f = get_target('here').facts "
            "return [$r.ok, $f['kernel'], $f['os']['family'] == $f['osfamily'], $f['networking']['hostname'], $f['wanted'], "
            "$f['clientversion'] == $f['puppetversion'], $f['clientversion'] =~ /^7/, $f['clientnoop'], "
            "$f['root_home'], $f['package_provider'] =~ String[1] and $f['service_provider'] =~ String[1]] }")
    b.write("project/modules/look/plans/init.pp", code)
    run = b.run("plan", "run", "look", "--format", "json", env={**b.env, "FACTER_wanted": "yes"})
    assert run.status == 0, run
    assert run.json == [True, "Linux", True, os.uname().nodename.split(".")[0], "yes", True, True, False, pwd.getpwnam("root").pw_dir, True], run
    assert len(programs(b)) == 1, programs(b)
    applied = apply(b, f"file {{ '{place}/a': content => \"${{facts['kernel']}} ${{::operatingsystem}} ${{facts['identity']['uid']}}\" }}")
    assert applied.status == 0, applied
    first, _, uid = (place / "a").read_text().split(" ")
    assert first == "Linux" and uid == str(os.getuid()), (place / "a").read_text()


def test_auto_asks_the_puppet_agent_for_the_rest(b):
    """issue 13: agentless where every type is native, else the target's puppet-agent, else an error with the reason"""
    place = ready(b, "auto")
    assert apply(b, f"file {{ '{place}/a': content => 'x' }}").status == 0
    assert (place / "a").read_text() == "x"
    run = apply(b, f"file {{ '{place}/b': content => 'x' }} scheduled_task {{ 'x': ensure => absent }}")
    assert run.status == 1 and not (place / "b").exists(), run
    assert "Volley's agent does not have the resource type scheduled_task" in only(run)["_error"]["msg"], run


def test_the_option_goes_before_the_configuration(b):
    """issue 13: --apply-method"""
    place = ready(b, "puppet-agent")
    run = apply(b, f"file {{ '{place}/a': content => 'x' }}", "--apply-method", "agentless")
    assert run.status == 0 and (place / "a").exists(), run
    b.refused("apply", "-e", "notify { 'a': }", "-t", "here", "--apply-method", "magic", says="magic")


def test_a_failed_resource_fails_the_target_and_skips_what_needs_it(b):
    """issue 13, RES-021: the report and the exit status are as with Puppet"""
    place = ready(b)
    run = apply(b, f"exec {{ '/bin/false': }} -> file {{ '{place}/a': content => 'x' }} notify {{ 'still': }}")
    assert run.status == 1 and not (place / "a").exists(), run
    value = only(run)
    assert value["report"]["resource_statuses"]["Exec[/bin/false]"]["failed"] is True, value
    assert value["report"]["resource_statuses"][f"File[{place}/a]"]["skipped"] is True, value
    assert "still" in messages(value), value


def test_secrets_stay_out_of_reports_and_process_lists(b):
    """issue 13: a Sensitive value is nowhere but in the content itself"""
    place = ready(b)
    manifest = b.write("site.pp", f"file {{ '{place}/a': content => Sensitive('hush-hush'), mode => '0600' }} "
                                  f"exec {{ 'look': command => '/bin/ps axww > {place}/list', provider => shell }}")
    run = b.run("apply", manifest, "-t", "here", "--format", "json", "--log-level", "trace")
    assert run.status == 0 and (place / "a").read_text() == "hush-hush", run
    assert "hush-hush" not in run.out + run.err
    assert "hush-hush" not in (place / "list").read_text()
    for path in (b.folder / "agent/state").rglob("*"):
        assert not path.is_file() or b"hush-hush" not in path.read_bytes(), path


def says_instead(b, answer):
    """The shell that looks at the agent on the target says this and is gone."""
    b.write("bin/ls", f"#!/bin/sh\nprintf '{answer}' >/proc/$PPID/fd/1\nkill -9 $PPID\n", 0o755)


def test_a_target_that_speaks_something_else_ends_in_an_error(b):
    """issue 13: a hostile target cannot hurt the controller"""
    place = ready(b)
    answers = {
        "\\nVOLLEY-AGENT/1\\n\\005\\177\\377\\377\\377": "larger than 1048576",
        "\\nVOLLEY-AGENT/1\\n\\001\\000\\000\\000\\002{}": "not of the version of this Volley",
        "\\nVOLLEY-AGENT/1\\n\\001\\000\\000\\000\\002{[": "sent invalid JSON",
        "\\nVOLLEY-AGENT/1\\n\\013\\000\\000\\000\\001x": "did not begin with its version",
        "VOLLEY-AGENT-MISSING Linux vax\\n": "no agent for Linux vax",
        "nothing at all\\n": "ended without a report: nothing at all",
    }
    assert apply(b, f"file {{ '{place}/first': ensure => file }}").status == 0  # the agent is there, and is looked at
    for answer, says in answers.items():
        says_instead(b, answer)
        run = apply(b, f"file {{ '{place}/a': content => 'x' }}")
        assert run.status == 1 and says in only(run)["_error"]["msg"], (answer, run)


def test_two_runs_at_once_change_a_machine_one_after_the_other(b):
    """issue 13: a lock with owner and wait"""
    place = ready(b)
    assert apply(b, "notify { 'warm': }").status == 0
    slow = b.start("apply", "-e", f"exec {{ '/bin/sh -c \"echo > {place}/begun; while ! test -e {place}/go; do sleep 0.05; done; echo one >> {place}/log\"': }}",
                   "-t", "here", "--format", "json", env=b.env)
    while not (place / "begun").exists():
        assert slow.poll() is None
    other = b.start("apply", "-e", f"exec {{ '/bin/sh -c \"echo two >> {place}/log\"': }}", "-t", "here", "--format", "json", env=b.env)
    while lock_holders(b) < 2:
        assert other.poll() is None and slow.poll() is None
    (place / "go").touch()
    out, _ = other.communicate(timeout=120)
    assert slow.wait(120) == 0 and other.returncode == 0, out
    assert (place / "log").read_text() == "one\ntwo\n"
    assert any("Another run is changing this machine (process " in log["message"]
               for log in json.loads(out)[0]["value"]["report"]["logs"]), out


def test_how_long_another_run_is_waited_for_is_a_setting(b):
    """issue 13: a lock with owner and wait"""
    place = ready(b)
    assert apply(b, "notify { 'warm': }").status == 0
    slow = b.start("apply", "-e", f"exec {{ '/bin/sh -c \"echo > {place}/begun; while ! test -e {place}/go; do sleep 0.05; done\"': }}",
                   "-t", "here", "--format", "json", env=b.env)
    wait_for(lambda: (place / "begun").exists() or slow.poll() is not None, "the first run")
    project = json.loads((b.folder / "project/bolt-project.yaml").read_text())
    b.write("project/bolt-project.yaml", json.dumps(project | {"apply-settings": {"lock_wait": 0}}))
    other = apply(b, f"file {{ '{place}/b': content => 'x' }}")
    assert other.status == 1 and "could not apply the catalog: Another run is changing this machine (process " in json.dumps(only(other)), other
    assert slow.poll() is None and not (place / "b").exists()
    (place / "go").touch()
    assert slow.wait(HANGS) == 0
    assert apply(b, f"file {{ '{place}/b': content => 'x' }}").status == 0 and (place / "b").exists()


def lock_holders(b):
    """How many have the agent's lock open: one has it, the others wait for it."""
    lock = str(b.folder / "agent/state/lock")
    return sum(_target(fd) == lock for process in Path("/proc").glob("[0-9]*") for fd in _open_files(process))


def _open_files(process):
    """None of a process that has ended since it was found."""
    try:
        return [process / "fd" / name for name in os.listdir(process / "fd")]
    except OSError:
        return []


def _target(fd):
    try:
        return os.readlink(fd)
    except OSError:
        return None


def test_events_are_shown_while_they_happen(b):
    """issue 13, OPT-041: --stream shows the lines of the log before the run has ended"""
    place = ready(b)
    code = (f"file {{ '{place}/a': content => 'x' }} -> "
            f"exec {{ '/bin/sh -c \"while ! test -e {place}/go; do sleep 0.05; done\"': }} -> notify {{ 'after': }}")
    running = b.start("apply", "-e", code, "-t", "here", "--stream", "--no-color", env=b.env)
    shown = b""
    while b"File[" not in shown:
        line = running.stdout.readline()
        assert line, shown
        shown += line
    assert b"[here] out: Notice: /Stage[main]/Main/File[" in shown and b"defined content as" in shown, shown
    assert b"after" not in shown and running.poll() is None, shown
    (place / "go").touch()
    rest, _ = running.communicate(timeout=120)
    assert running.returncode == 0 and b"defined 'message' as 'after'" in rest, rest


def test_an_agent_that_is_killed_says_how_far_it_came(b):
    """issue 13: kill -9 of the agent: nothing half-written, what it did is named, and the next run completes"""
    place = ready(b)
    manifest = (f"file {{ '{place}/a': content => 'x' }} -> exec {{ '/bin/sh -c \"kill -9 $PPID\"': "
                f"unless => '/usr/bin/test -e {place}/calm' }} -> file {{ '{place}/b': content => 'y' }}")
    run = apply(b, manifest)
    said = only(run)["_error"]["msg"]
    assert run.status == 1 and "ended without a report after it changed a resource, the last of them File[" in said, run
    assert sorted(path.name for path in place.iterdir()) == ["a"]
    (place / "calm").touch()
    again = apply(b, manifest)
    assert again.status == 0 and sorted(path.name for path in place.iterdir()) == ["a", "b", "calm"], again


def test_deferred_values_are_resolved_with_the_facts_of_the_target(b):
    """issue 13: Deferred, nested, of a variable, and Sensitive; an unknown function is an error before anything changes"""
    place = ready(b)
    b.write("project/modules/m/functions/secret.pp", "function m::secret(String $of) >> Sensitive { Sensitive(\"hush-${of}\") }\n")
    code = (f"file {{ '{place}/a': content => Deferred('upcase', [Deferred('join', [['x', 'y'], '-'])]) }} "
            f"file {{ '{place}/b': content => Deferred('$facts', ['os', 'family']) }} "
            f"file {{ '{place}/c': content => Deferred('m::secret', ['me']) }} "
            f"@file {{ '{place}/d': content => Deferred('m::unknown') }}")
    run = apply(b, code)
    assert run.status == 0 and (place / "a").read_text() == "X-Y" and (place / "b").read_text() == "Debian", run
    assert (place / "c").read_text() == "hush-me" and "hush" not in run.out + run.err, run
    assert not (place / "d").exists()
    run = apply(b, f"file {{ '{place}/e': content => Deferred('m::unknown') }} file {{ '{place}/f': content => 'x' }}")
    assert run.status == 1 and "Unknown function 'm::unknown'" in only(run)["_error"]["msg"], run
    assert "(line: 1)" in only(run)["_error"]["msg"] and not (place / "f").exists(), run


def test_clean_state_removes_what_the_agent_keeps(b):
    """issue 13: --clean-state; not while a run is going on"""
    place = ready(b)
    assert apply(b, f"file {{ '{place}/a': content => 'x' }}").status == 0
    b.refused("apply", "-e", "notify { 'a': }", "--clean-state", "-t", "here", says="--clean-state cannot be used with a manifest")
    slow = b.start("apply", "-e", f"exec {{ '/bin/sh -c \"echo > {place}/begun; while ! test -e {place}/go; do sleep 0.05; done\"': }}",
                   "-t", "here", "--format", "json", env=b.env)
    while not (place / "begun").exists():
        assert slow.poll() is None
    busy = b.run("apply", "--clean-state", "-t", "here")
    assert busy.status == 1 and "A run of the agent on here is using" in busy.out, busy
    (place / "go").touch()
    assert slow.wait(120) == 0
    clean = b.run("apply", "--clean-state", "-t", "here")
    assert clean.status == 0 and f"Removed {b.folder}/agent" in clean.out and not (b.folder / "agent").exists(), clean
    clean = b.run("apply", "--clean-state", "-t", "here")
    assert clean.status == 0 and "There was nothing to remove" in clean.out, clean


def test_sources_on_web_servers_are_fetched_once_for_all_targets(b):
    """issue 13: source => 'http://...', lists of sources, an error without the URL's secrets; targets need no network"""
    place = ready(b)
    b.inventory(json.dumps({"targets": [{"name": f"t{i}", "config": {"transport": "local"}} for i in range(5)]}))
    big = os.urandom(2_000_000)
    answers = {"/big": (200, big, {}), "/moved": (302, b"", {"Location": "/big"}), "/broken": (500, b"no", {})}
    asked = []

    def answer(request):
        asked.append(request.path)
        return answers.get(request.path.split("?")[0], (404, b"none", {}))

    base = web.serve(b, answer)
    code = f"file {{ \"{place}/${{trusted['certname']}}\": source => ['{base}/none', '{base}/moved'] }}"
    run = b.run("apply", "-e", code, "-t", "all", "--format", "json")
    assert run.status == 0, run
    assert all((place / f"t{i}").read_bytes() == big for i in range(5))
    assert sorted(asked) == ["/big", "/moved", "/none"], asked
    again = b.run("apply", "-e", code, "-t", "all", "--format", "json")
    assert all(one["value"]["report"]["status"] == "unchanged" for one in again.json), again
    url = base.replace("//", "//me:hush@") + "/broken?token=hush"
    run = b.run("apply", "-e", f"file {{ '{place}/x': source => '{url}' }}", "-t", "t0", "--format", "json")
    assert run.status == 1 and "/broken could not be fetched: the server answered 500" in only(run)["_error"]["msg"], run
    assert "hush" not in only(run)["_error"]["msg"] and not (place / "x").exists()


def test_archives_are_fetched_only_when_a_target_lacks_them(b):
    """issue 13: archive with https, checksums and passwords, by Volley; nothing is fetched for what is there"""
    place = ready(b)
    b.inventory(json.dumps({"targets": [{"name": f"t{i}", "config": {"transport": "local"}} for i in range(3)]}))
    names = "extract extract_path creates source checksum_url checksum_type username password cookie".split()
    parameters = "\n".join(f"newparam(:{name})" for name in names)
    type_file = b.folder / "project/modules/archive/lib/puppet/type/archive.rb"
    type_file.parent.mkdir(parents=True)
    type_file.write_text(f"Puppet::Type.newtype(:archive) do\nensurable\nnewparam(:path, namevar: true)\n{parameters}\nend\n")
    (b.folder / "in").mkdir()
    (b.folder / "in/one").write_text("one\n")
    subprocess.run(["tar", "-czf", "x.tgz", "-C", "in", "one"], cwd=b.folder, check=True)
    packed = (b.folder / "x.tgz").read_bytes()
    asked = []

    def answer(request):
        asked.append((request.path, request.headers.get("Authorization"), request.headers.get("Cookie")))
        return {"/x.tgz": (200, packed, {}), "/sum": (200, f"{hashlib.sha256(packed).hexdigest()}  x.tgz\n".encode(), {})}.get(
            request.path, (404, b"none", {}))

    base = web.serve(b, answer)
    code = f"""$own = "{place}/${{trusted['certname']}}" file {{ $own: ensure => directory }}
        archive {{ "${{own}}/x.tgz": source => '{base}/x.tgz', checksum_url => '{base}/sum', checksum_type => 'sha256', username => 'me',
          password => Sensitive('hush'), cookie => 'a=b', extract => true, extract_path => $own, creates => "${{own}}/one" }}"""
    run = b.run("apply", "-e", code, "-t", "all", "--format", "json")
    assert run.status == 0, run
    assert all((place / f"t{i}/one").read_text() == "one\n" and not (place / f"t{i}/x.tgz").exists() for i in range(3))
    login = "Basic " + base64.b64encode(b"me:hush").decode()
    assert {one[0] for one in asked} == {"/x.tgz", "/sum"} and {one[1:] for one in asked} == {(login, "a=b")}, asked
    asked.clear()
    again = b.run("apply", "-e", code, "-t", "all", "--format", "json")
    assert all(one["value"]["report"]["status"] == "unchanged" for one in again.json) and asked == [], (again, asked)
    run = b.run("apply", "-e", f"archive {{ '{place}/y': source => '{base}/none?token=hush' }} notify {{ 'n': }}", "-t", "t0", "--format", "json")
    statuses = only(run)["report"]["resource_statuses"]
    assert statuses[f"Archive[{place}/y]"]["failed"] and statuses["Notify[n]"]["changed"], run
    assert f"The source {base}/none could not be fetched: the server answered 404" in run.out and "token=hush could" not in run.out, run
    run = b.run("apply", "-e", f"archive {{ '{place}/y': source => 's3://b/x' }}", "-t", "t0", "--apply-method", "agentless", "--format", "json")
    assert run.status == 1 and "sources of the kind s3://" in only(run)["_error"]["msg"], run


def test_report_writes_a_page_about_an_apply(b):
    """issue 13: --report FILE: what changed and what failed, on one private page"""
    place = ready(b)
    page = b.folder / "page.html"
    run = apply(b, f"file {{ '{place}/a': content => '<b>' }} exec {{ '/bin/false': }}", "--report", page)
    assert run.status == 1 and stat.S_IMODE(page.stat().st_mode) == 0o600, run
    text = page.read_text()
    assert "<h1>Apply: <span class=\"failed\">failed</span>" in text and f"File[{place}/a]/ensure: defined content as" in text, text
    assert "Resources failed to apply for here" in text and "changed: 1" in text and "resource_statuses" not in text, text


def look(b, wanted):
    """What get_resources() returns for the only target, in a plan."""
    b.write("project/modules/look/plans/resources.pp", f"plan look::resources() {{ return get_resources('here', {wanted})[0] }}\n")
    return b.run("plan", "run", "look::resources", "--format", "json")


def test_get_resources_needs_no_puppet_agent(b):
    """issue 13, FN-010: types and single resources in one question, in Bolt's form"""
    place = ready(b)
    (place / "f").write_text("x")
    run = look(b, f"['group', File['{place}/f'], 'User[root]', \"File[{place}/no]\"]")
    assert run.status == 0, run
    assert run.json["action"] == "task" and run.json["object"] == "apply_helpers::query_resources", run
    groups = [one for one in run.json["value"]["resources"] if one["type"] == "Group"]
    file, user, absent = run.json["value"]["resources"][len(groups):]
    assert list(file) == ["type", "title", "tags", "exported", "kind", "parameters"] and file["exported"] is False, file
    assert (file["type"], file["title"], file["tags"], file["parameters"]["ensure"]) == ("File", f"{place}/f", ["file"], "file"), file
    assert user["tags"] == ["user", "root"] and user["parameters"]["uid"] == 0, user
    assert absent["parameters"]["ensure"] == "absent" and "root" in [one["title"] for one in groups], run
    run = look(b, "['user', 'zone', 'Nowhere[x]']")
    assert run.status == 1 and "cannot be read agentless: Volley's agent does not have the resource types nowhere, zone" in run.out, run


def test_get_resources_asks_the_puppet_agent_for_other_types(b):
    """issue 13, FN-010: with auto, and says why where there is none"""
    ready(b, "auto")
    assert look(b, "'User[root]'").status == 0
    run = look(b, "'Nowhere[x]'")
    assert run.status == 1 and "it was asked because Volley's agent does not have the resource type nowhere" in run.out, run


def test_every_attribute_of_the_agent_is_described(b):
    """issue 13: `volley-agent types` has for each a sentence, its kind and its values, which are a type of the language"""
    ready(b)
    types = json.loads(subprocess.run([str(agent_beside(b.volley)), "types"], capture_output=True, check=True, timeout=HANGS).stdout)
    assert types["file"]["providers"] == ["posix"] and "systemd" in types["service"]["providers"] and types["notify"]["providers"] == []
    values = set()
    for name, one in types.items():
        assert one["doc"].endswith(".") and any(found["kind"] == "namevar" for found in one["attributes"].values()), name
        for attribute, found in one["attributes"].items():
            assert found["doc"].endswith(".") and found["kind"] in ("property", "parameter", "namevar"), (name, attribute)
            values.add(found["values"])
    run = b.run("eval", "-e", "[" + ", ".join(sorted(values)) + "].all |$x| { $x =~ Type }", "--script", project=False)
    assert run.status == 0 and run.out.strip() == "true", run


def test_remote_targets_are_not_their_proxies(b):
    """APL-019: a catalog for a remote target is not applied to the machine that runs its tasks"""
    b.inventory('{"targets": [{"name": "device", "uri": "remote://device", "config": {"remote": {"run-on": "localhost"}}}]}')
    place = b.folder / "made"
    run = b.run("apply", "-e", f"file {{ '{place}': ensure => file }}", "-t", "device", "--format", "json")
    assert run.status == 1 and not place.exists(), run


def test_the_plan_facts_has_the_facts_of_the_agent(b):
    """issue 13: the facts plan uses the agent, in the shape that it has in Bolt; where no agent runs, the task answers"""
    ready(b)
    b.write("project/plans/known.pp", "plan site::known(TargetSpec $targets) { run_plan('facts', 'targets' => $targets) return facts(get_target($targets)) }")
    run = b.run("plan", "run", "facts", "-t", "here", "--format", "json")
    [result] = run.json
    assert (result["action"], result["object"], result["status"]) == ("task", "facts", "success"), run
    assert result["value"]["kernelrelease"] == os.uname().release and result["value"]["os"]["family"], run
    assert result["value"]["networking"]["interfaces"], run
    known = b.run("plan", "run", "site::known", "-t", "here", "--format", "json").json
    assert known["memory"]["system"]["total_bytes"] == result["value"]["memory"]["system"]["total_bytes"], known
    says_instead(b, "VOLLEY-AGENT-MISSING Linux vax\\n")
    [result] = b.run("plan", "run", "facts", "-t", "here", "--format", "json").json
    assert result["status"] == "success" and result["value"]["os"]["name"] and "kernelrelease" not in result["value"], result
    b.inventory(json.dumps({"targets": [{"uri": "ssh://127.0.0.1:1", "name": "gone"}]}))
    lost = b.run("plan", "run", "facts", "-t", "gone", "--format", "json")
    [result] = lost.json
    assert result["value"]["_error"]["kind"] == "puppetlabs.tasks/connect-error", lost
