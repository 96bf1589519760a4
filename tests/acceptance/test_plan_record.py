"""What --plan-log writes and --resume takes: nothing forged, nothing lost, nothing old, no secret (SEC-4, SEC-5, SEC-9, SEC-10)."""
import json
import os
import pwd
import re
import subprocess

from harness.bench import HANGS, needs_root
from harness.patience import text_of, wait_for
from harness.record import frames_of, outcomes_in
from test_plans import local, plan, run

NOBODY = pwd.getpwnam("nobody").pw_uid


def resumable(b, steps, params="", names=("t0",)):
    """A plan whose last step fails until the file `go` is there."""
    local(b, len(names))
    plan(b, f"{params}) {{\n{steps}\n  run_command('test -e {b.folder}/go', {list(names)!r})\n  return 'done'\n}}")


def recorded(b, *words):
    first = run(b, "p", "--plan-log", b.folder / "log", *words)
    assert first.status == 1, first
    (b.folder / "go").touch()


def test_a_step_whose_result_had_a_secret_runs_again(b):
    """SEC-4: the words "Sensitive [value redacted]" never take the place of the secret, nor is it in the record"""
    b.task("tok.sh", f"#!/bin/sh\necho x >> {b.folder}/asked\nprintf '{{\"n\":1,\"_sensitive\":\"TOKEN-12345\"}}'\n")
    local(b)
    plan(b, ") {\n  $r = run_task('site::tok', 't0')\n"
            "  run_command(\"echo ${r.first.sensitive.unwrap}\", 't1')\n"
            f"  run_command('test -e {b.folder}/go', 't0')\n"
            f"  run_command(\"echo token=${{r.first.sensitive.unwrap}} > {b.folder}/used\", 't0')\n}}")
    recorded(b)
    again = run(b, "p", "--resume", b.folder / "log", "--plan-log", b.folder / "log")
    assert again.status == 0 and (b.folder / "used").read_text() == "token=TOKEN-12345\n", again
    assert (b.folder / "asked").read_text() == "x\nx\n"
    assert "TOKEN-12345" not in text_of(b.folder / "log"), "neither from the task nor from what printed it later"


def test_resume_notices_changed_content(b):
    """SEC-5, SEC-17.2: texts of write_file, uploaded files and folders, scripts, tasks with all their files, Sensitive
    parameters: what was recorded with other content is not taken"""
    b.task("t.sh", "#!/bin/sh\ncat \"$PT__installdir/site/files/help.txt\"\n", {"files": ["site/files/help.txt"]})
    files = {"up.txt": "one", "tree/a/b.txt": "one", "s.sh": "#!/bin/sh\necho one\n", "help.txt": "one"}
    for name, text in files.items():
        b.write(f"project/files/{name}", text)
    out = b.folder / "out"
    out.mkdir()
    steps = {"up.txt": f"upload_file('site/up.txt', '{out}/up', 't0')",
             "tree/a/b.txt": f"upload_file('site/tree', '{out}/tree', 't0')",
             "s.sh": "run_script('site/s.sh', 't0')",
             "help.txt": "run_task('site::t', 't0')"}
    for name, step in steps.items():
        (b.folder / "go").unlink(missing_ok=True)
        resumable(b, step)
        recorded(b)
        assert run(b, "p", "--resume", b.folder / "log").json == "done", name
        b.write(f"project/files/{name}", files[name].replace("one", "two"))
        changed = run(b, "p", "--resume", b.folder / "log")
        assert changed.json["kind"] == "volley/resume-error" and "with other content" in changed.json["msg"], (name, changed)
    for params, given in [("Sensitive[String] $x", ("x=1234", "x=4321")), ("String $x", ("x=a", "x=b"))]:
        (b.folder / "go").unlink(missing_ok=True)
        resumable(b, f"run_command('echo {params[:9]}', 't0')", params)
        recorded(b, given[0])
        assert run(b, "p", given[0], "--resume", b.folder / "log").json == "done"
        other = run(b, "p", given[1], "--resume", b.folder / "log")
        assert other.json["kind"] == "volley/resume-error" and "other parameters" in other.json["msg"], other
    (b.folder / "go").unlink()
    resumable(b, f"write_file(file::read('{b.folder}/text'), '{out}/wf', 't0')")
    b.write("text", "one")
    recorded(b)
    assert run(b, "p", "--resume", b.folder / "log").json == "done"
    b.write("text", "TWO")
    assert run(b, "p", "--resume", b.folder / "log").json["kind"] == "volley/resume-error"
    assert (out / "wf").read_text() == "one"


def test_branches_of_a_resumed_plan_may_come_in_another_order(b):
    """A branch that begins only now has not changed the plan, whatever other branches have still to take from the record"""
    local(b, 2)
    for name in ("one", "two"):
        b.write(f"project/files/{name}.sh", f"#!/bin/sh\necho {name} >> {b.folder}/did\n")

    def steps(last):
        plan(b, ") {\n  parallelize(['a', 'b']) |$x| {\n    if $x == 'a' {\n      run_script('site/one.sh', 't0')\n"
                f"      run_script('site/{last}.sh', 't0')\n    }}\n"
                f"    elsif file::exists('{b.folder}/go') {{ run_command('echo new >> {b.folder}/did', 't1') }}\n  }}\n"
                f"  run_command('test -e {b.folder}/go', 't0')\n  return 'done'\n}}")

    steps("two")
    recorded(b)
    again = run(b, "p", "--resume", b.folder / "log")
    assert again.json == "done", again
    assert text_of(b.folder / "did").split() == ["one", "two", "new"]
    # Within a branch the order counts.
    b.write("project/files/other.sh", f"#!/bin/sh\necho other >> {b.folder}/did\n")
    (b.folder / "go").unlink()
    steps("other")
    changed = run(b, "p", "--resume", b.folder / "log")
    failed = changed.json["details"]["results"][0]
    assert failed["kind"] == "volley/resume-error" and "two.sh" in failed["msg"].partition("the record has")[2], changed
    assert text_of(b.folder / "did").split() == ["one", "two", "new"]


def test_resume_reports_what_it_needs(b):
    """USER-D.1: steps that are taken from the record are reported as such, in all formats for people and programs"""
    resumable(b, "  run_command('echo first', ['t0', 't1'])", names=("t0", "t1"))
    recorded(b)
    shown = run(b, "p", "--resume", b.folder / "log", fmt=None)
    assert "Taken from the record: command 'echo first' on t0, t1" in shown.out, shown
    events = [json.loads(line) for line in run(b, "p", "--resume", b.folder / "log", fmt="ndjson").out.splitlines()]
    assert [e["targets"] for e in events if e["event"] == "taken_from_record"] == [["t0", "t1"]], events


def test_the_record_is_kept_for_each_target(b):
    """SEC-10: after kill -9 in the middle of a step only the targets that had not finished run it again, and what began
    and was not seen to end is named"""
    local(b, 3)
    body = (") {\n  run_command(@(END), ['t0', 't1', 't2'])\n"
            f"    echo x >> {b.folder}/count\n"
            f"    mkdir {b.folder}/one && exit 0\n    mkdir {b.folder}/two && exit 0\n"
            f"    test -e {b.folder}/go || exec sleep 900\n    | END\n  return 'done'\n}}")
    plan(b, body)
    child = b.start("plan", "run", "site::p", "--plan-log", b.folder / "log", "-c", "1")
    wait_for(lambda: len(outcomes_in(b.folder / "log")) == 2
             and text_of(b.folder / "count").count("x") == 3, "two targets done, the third at it")
    child.kill()
    child.communicate(timeout=HANGS)
    subprocess.run(["pkill", "-KILL", "-s", str(child.pid)], check=False)
    (b.folder / "go").touch()
    again = run(b, "p", "--resume", b.folder / "log", fmt=None)
    assert again.status == 0 and (b.folder / "count").read_text().count("x") == 4, again
    assert "Taken from the record" in again.out and "on t0, t1" in again.out, again
    assert "on t2" in again.err and "did not record its end" in again.err, again


def test_a_plan_may_take_another_way_after_what_runs_again(b):
    """SEC-5: a failed step may be changed, and steps that only the failure led to are not missed when it goes well"""
    local(b)
    body = (f") {{\n  $r = run_command('test -e {b.folder}/go', 't0', '_catch_errors' => true)\n"
            "  unless $r.ok {\n    run_command('echo tidy', 't0')\n    fail_plan('not yet')\n  }\n"
            "  run_command('echo more', 't0')\n  return 'done'\n}")
    plan(b, body)
    recorded(b)
    assert run(b, "p", "--resume", b.folder / "log").json == "done"
    b.task("t.sh", "#!/bin/sh\nexit 1\n")
    plan(b, ") {\n  run_command('echo first', 't0')\n  run_task('site::t', 't0')\n  return 'done'\n}")
    assert run(b, "p", "--plan-log", b.folder / "log").status == 1
    b.task("t.sh", "#!/bin/sh\nexit 0\n")
    assert run(b, "p", "--resume", b.folder / "log").json == "done", "the task that failed was fixed"


@needs_root
def test_a_plan_log_is_the_users_own_file(b):
    """SEC-9: links, FIFOs, second names, and files of other users are refused, untouched"""
    local(b)
    plan(b, ") { run_command('echo hi', 't0') }")
    precious = b.write("precious", "dear\n")
    shared = b.folder / "shared"
    shared.mkdir()
    os.chown(shared, NOBODY, NOBODY)
    log = shared / "log"

    def refused(words, *more):
        found = run(b, "p", "--plan-log", log, *more)
        assert found.status == 1 and found.json["kind"] == "bolt/file-error" and words in found.json["msg"], (words, found)

    log.symlink_to(precious)
    refused("is a symbolic link")
    log.unlink()
    os.symlink(b.folder, shared / "dir")
    os.chown(shared / "dir", NOBODY, NOBODY, follow_symlinks=False)
    assert "belongs to nobody" in run(b, "p", "--plan-log", shared / "dir" / "log").json["msg"]
    os.mkfifo(log)
    refused("is not a regular file")
    log.unlink()
    log.write_text("")
    log.chmod(0o666)
    os.chown(log, NOBODY, NOBODY)
    refused("belongs to nobody")
    log.unlink()
    log.write_text("my letters\n")
    refused("is not a plan log")
    log.unlink()
    os.link(precious, log)
    refused("is not a plan log")
    log.unlink()
    assert precious.read_text() == "dear\n"
    assert run(b, "p", "--plan-log", log).status == 0
    assert log.stat().st_mode & 0o777 == 0o600 and log.stat().st_uid == 0
    os.chown(log, NOBODY, NOBODY)
    forged = run(b, "p", "--resume", log)
    assert forged.status == 1 and "belongs to nobody" in forged.json["msg"], forged
    os.chown(log, 0, 0)
    log.chmod(0o666)
    assert "can be changed by other users" in run(b, "p", "--resume", log).json["msg"]


def test_only_one_run_writes_a_plan_log(b):
    """SEC-9: a second run into the same file is refused while the first one is at it"""
    local(b)
    plan(b, f") {{ run_command('echo x > {b.folder}/up; exec sleep 900', 't0') }}")
    child = b.start("plan", "run", "site::p", "--plan-log", b.folder / "log")
    wait_for(lambda: (b.folder / "up").exists(), "the first run")
    plan(b, ") { }", "q")
    for words in (("--plan-log",), ("--resume",)):
        second = run(b, "q", *words, b.folder / "log")
        assert second.status == 1 and "in use by another run" in second.json["msg"], second
    child.terminate()
    child.communicate(timeout=HANGS)
    assert run(b, "q", "--plan-log", b.folder / "log").status == 0


@needs_root
def test_a_full_disk_leaves_the_record_whole(b):
    """SEC-10: --resume F --plan-log F on a full disk changes nothing; when it fills up on the way the reason is reported once"""
    disk = b.folder / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", disk], check=True)
    b.undo(lambda: subprocess.run(["umount", "-l", disk], check=True))
    log = disk / "log"
    steps = "\n".join(f"  run_command('echo {n} >> {b.folder}/count; head -c 1000 /dev/zero | tr \"\\\\0\" {n}', 't0')"
                      for n in range(5))
    resumable(b, steps)
    first = run(b, "p", "--plan-log", log)
    assert first.status == 1 and (b.folder / "count").read_text() == "0\n1\n2\n3\n4\n", first
    def recorded_bytes():
        """Without the first line, which says whether the record is complete."""
        return log.read_bytes().partition(b"\n")[2]

    before = recorded_bytes()
    with open(disk / "fill", "wb", buffering=0) as fill:
        try:
            while True:
                fill.write(b"x" * 512)
        except OSError:
            pass
    full = run(b, "p", "--resume", log, "--plan-log", log)
    grown = recorded_bytes()
    assert full.status == 1 and grown.startswith(before) and grown.endswith(b"}\n"), full
    while full.json["kind"] != "bolt/file-error":  # each run takes some more of what is left of the last page
        assert full.err.count("No space left on device") <= 1, full
        full = run(b, "p", "--resume", log, "--plan-log", log)
    assert "No space left on device" in full.json["msg"] and recorded_bytes().startswith(grown), full
    (b.folder / "go").touch()
    (disk / "fill").unlink()
    last = run(b, "p", "--resume", log, "--plan-log", log)
    assert last.json == "done" and (b.folder / "count").read_text() == "0\n1\n2\n3\n4\n", last


def test_a_damaged_record_is_refused_with_its_line(b):
    """SEC-17.14: wrong types, changed, missing and foreign lines; half a last line is what a killed run leaves"""
    resumable(b, "  run_command('echo first', 't0')")
    recorded(b)
    log = b.folder / "log"
    whole = re.split(rb"(?<=\n)(?=2 [0-9a-f]{32} )", log.read_bytes())
    assert len(whole) == len(frames_of(log)) + 1

    def refused(text, says):
        log.write_bytes(text)
        found = run(b, "p", "--resume", log)
        assert found.status == 1 and found.json["kind"] == "volley/resume-error", found
        assert says in found.json["msg"] and "json.exception" not in found.out + found.err, found

    step = next(n for n, frame in enumerate(whole) if b"echo first" in frame)
    refused(b"".join(whole[:step]) + whole[step].replace(b"echo first", b"echo other") + b"".join(whole[step + 1:]),
            f"log: frame {step} does not match its seal")
    refused(b"".join(whole[:step] + whole[step + 1:]), f"log: frames before frame {step + 1} are missing")
    for old in (b'{"plan": 5, "parameters": []}\n', b'{"n":1,"frame":"run","version":2,"seal":"00"}\n'):
        refused(old, "log was written by an older Volley")
    refused(b"[" * 100000 + b"\n", "log: it is not a record that this version of Volley can read")
    journal = sorted((b.project / ".volley" / "runs").glob("*.run"))[-1].read_bytes()
    refused(journal, "or has no seal")
    log.write_text("")
    assert "is not the record of a plan" in run(b, "p", "--resume", log).json["msg"]
    log.write_bytes(b"".join(whole) + whole[1][:60])
    again = run(b, "p", "--resume", log, "--plan-log", log)
    assert again.json == "done", again
    assert run(b, "p", "--resume", log).json == "done", "what stood after the whole lines is gone"
    (b.project / ".volley" / "journal.key").write_bytes(b"k" * 32)
    foreign = run(b, "p", "--resume", log)
    assert "the key of another project" in foreign.json["msg"], foreign


def test_the_key_of_the_records_is_private(b):
    """SEC-17.2: nothing in the record can be guessed back without the key, which nobody else can read"""
    local(b)
    plan(b, "Sensitive[String] $pin) { run_command('echo hi', 't0') }")
    assert run(b, "p", "pin=1234", "--plan-log", b.folder / "log").status == 0
    key = b.project / ".volley" / "journal.key"
    assert key.stat().st_mode & 0o777 == 0o600 and len(key.read_bytes()) == 32
    assert (b.project / ".volley" / ".gitignore").read_text() == "*\n"
    heads = [frames_of(b.folder / "log")[0]["plan"]["seal"]]
    assert "1234" not in str(frames_of(b.folder / "log")[0])
    key.unlink()
    assert run(b, "p", "pin=1234", "--plan-log", b.folder / "log").status == 0
    heads.append(frames_of(b.folder / "log")[0]["plan"]["seal"])
    assert heads[0] != heads[1], "the same PIN under another key"
    key.chmod(0o644)
    assert "can be read by other users" in run(b, "p", "pin=1", "--plan-log", b.folder / "log").json["msg"]


def test_a_plan_log_has_what_the_journal_has(b):
    """--plan-log FILE has the frames of the run in the journal, and without a journal too; plan resume takes them over"""
    resumable(b, "  run_command('echo first; head -c 1500000 /dev/zero | tr \\\"\\\\0\\\" x', ['t0', 't1'])", names=("t0", "t1"))
    recorded(b)
    kinds = [{name: frame.get(name) for name in ("frame", "step", "target", "id", "key", "status", "plan")}
             for frame in frames_of(b.folder / "log")]
    in_journal = frames_of(sorted((b.project / ".volley" / "runs").glob("*.run"))[-1])
    assert [k for k in kinds if k["frame"] != "plan"] == \
        [{name: frame.get(name) for name in kinds[0]} for frame in in_journal if frame["frame"] != "plan"], kinds
    whole = [len(frame["bytes"]) for frame in outcomes_in(b.folder / "log")]
    assert whole == [1500006, 1500006] and len(outcomes_in(b.folder / "log")[0]["result"]["output"]) == 1, "all of the output"
    assert run(b, "p", "--resume", b.folder / "log", "--no-journal").json == "done"
    (b.folder / "go").unlink()
    assert run(b, "p", "--plan-log", b.folder / "other", "--no-journal").status == 1
    (b.folder / "go").touch()
    taken = run(b, "p", "--resume", b.folder / "other", "--plan-log", b.folder / "third", fmt=None)
    assert "Taken from the record: command 'echo first" in taken.out, taken
    assert [frame["frame"] for frame in frames_of(b.folder / "third")].count("run") == 2
    assert run(b, "p", "--resume", b.folder / "third").json == "done"
