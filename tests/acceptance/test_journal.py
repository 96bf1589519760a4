"""The journal of runs: what is recorded of every run, and what is made of it (USER-F)."""
import json
import os
import random
import shutil
import signal
import subprocess
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from harness.bench import HANGS
from harness.patience import text_of, wait_for
from test_console import console
from test_plans import local, plan, run


def records(b):
    return sorted((b.project / ".volley" / "runs").glob("*.run"))


def listed(b):
    return b.run("run", "list", "--format", "json").json


def test_every_run_is_recorded(b):
    """A command, a task, a script, a copy and a plan are in the journal with who, what, where and how it ended"""
    local(b)
    b.task("t.sh", "#!/bin/sh\necho task $PT_x\n")
    b.write("project/files/f.txt", "text\n")
    b.write("s.sh", "#!/bin/sh\necho script\n", 0o755)
    plan(b, ") {\n  run_command('echo first', ['t0', 't1'])\n  run_command('exit 3', 't2')\n}")
    b.run("command", "run", "echo hello", "-t", "t0,t1")
    b.run("task", "run", "site::t", "x=1", "-t", "t0")
    b.run("script", "run", "s.sh", "-t", "t0")
    b.run("file", "upload", b.project / "files/f.txt", b.folder / "copy", "-t", "t0")
    b.run("plan", "run", "site::p")
    runs = listed(b)
    assert [r["run"].split()[0:2] for r in runs] == [["plan", "run"], ["file", "upload"], ["script", "run"], ["task", "run"],
                                                     ["command", "run"]], runs
    assert [r["state"] for r in runs] == ["failed", *["succeeded"] * 4], runs
    shown = b.run("run", "show", runs[0]["id"][:5])
    for text in ("Run " + runs[0]["id"], "plan run site::p", "command 'echo first' on 2 targets: t[0-1]", "Failed on t2:",
                 "The command failed with exit code 3", b.me + "@"):
        assert text in shown.out, (text, shown)
    data = b.run("run", "show", runs[3]["id"], "--format", "json").json
    assert data["parameters"] == {"x": 1} and data["steps"][0]["groups"][0]["text"] == "task 1", data
    printed = b.run("run", "output", runs[4]["id"], "t1")
    assert "Finished on t1:\n  hello" in printed.out and "t0" not in printed.out, printed
    page = b.run("run", "report", runs[0]["id"], "page.html")
    assert page.status == 0 and "exit code 3" in (b.folder / "page.html").read_text()
    for words in (("show", "zzzz"), ("show", "")):
        assert b.run("run", *words, "--format", "json").json["kind"] == "volley/unknown-run"


def test_what_is_not_recorded(b):
    """What only looks, and what the user does not want recorded"""
    local(b)
    b.run("ping", "-t", "t0")
    b.run("inventory", "show")
    b.run("command", "run", "true", "-t", "t0", "--no-journal")
    b.write("project/bolt-project.yaml", "name: site\njournal: false\n")
    b.run("command", "run", "true", "-t", "t0")
    assert not (b.project / ".volley").exists()
    assert "No runs are recorded" in b.run("run", "list").out


def test_the_journal_is_private_and_holds_no_secrets(b):
    """Passwords, sensitive parameters and what they turn up in are in no file of the journal; nobody else can read it"""
    local(b)
    b.task("t.sh", "#!/bin/sh\necho got $PT_pin\n", {"parameters": {"pin": {"type": "String", "sensitive": True}, "n": {}}})
    b.task("tok.sh", "#!/bin/sh\nprintf '{\"n\":1,\"_sensitive\":\"TOKEN-XYZ\"}'\n")
    plan(b, "Sensitive[String] $word) {\n  run_command(\"echo ${word.unwrap}\", 't0')\n  run_task('site::t', 't0', 'pin' => 'INPLAN')\n"
            "  $r = run_task('site::tok', 't0')\n  run_command(\"echo ${r.first.sensitive.unwrap}\", 't1')\n}")
    b.run("task", "run", "site::t", "pin=GEHEIM1", "n=2", "-t", "t0")
    b.run("command", "run", "echo GEHEIM2 $GREETING", "-t", "t0", "--password", "GEHEIM2", "--sudo-password", "GEHEIM3",
          "--env-var", "GREETING=GEHEIM4")
    assert b.run("plan", "run", "site::p", "word=GEHEIM5").status == 0
    files = records(b)
    assert len(files) == 3
    for secret in ("GEHEIM1", "GEHEIM2", "GEHEIM3", "GEHEIM5", "INPLAN", "TOKEN-XYZ"):
        assert not [f for f in files if secret in f.read_text()], secret
    for file in files:
        assert file.stat().st_mode & 0o777 == 0o600
        assert "GREETING=GEHEIM4" not in file.read_text()
    for folder in (files[0].parent, files[0].parent.parent):
        assert folder.stat().st_mode & 0o777 == 0o700
    assert "parameter pin" in b.run("run", "show", listed(b)[2]["id"]).out
    refused = b.run("run", "repeat", listed(b)[1]["id"])
    assert refused.status == 1 and "--password, --sudo-password, --env-var GREETING" in refused.out, refused


def test_a_run_is_repeated_and_compared(b):
    """run repeat does the same again, on the same targets; run diff says what is different now"""
    local(b)
    b.write("project/state", "up\n")
    command = f"cat {b.project}/state; test -e {b.folder}/bad && case $(basename $PWD) in *) exit 4;; esac; true"
    b.run("command", "run", command, "-t", "t0,t1")
    same = b.run("run", "repeat", "last")
    assert same.status == 0 and same.out.count("up") == 2, same
    first, second = listed(b)[1]["id"], listed(b)[0]["id"]
    assert "The same: 2 outcomes" in b.run("run", "diff", first, second).out
    b.write("project/state", "down\n")
    b.write("bad", "")
    assert b.run("run", "repeat", first, "--format", "json").json["items"][0]["status"] == "failure"
    found = b.run("run", "diff", first, "last")
    for text in ("different on 2 targets: t[0-1]", "-up", "+down", "-[success]", "+[failure]", "The same: 0 outcomes"):
        assert text in found.out, (text, found)
    data = b.run("run", "diff", first, "last", "--format", "json").json
    assert data["steps"][0]["different"][0]["targets"] == ["t0", "t1"], data


def chosen(b, which):
    return b.run("inventory", "show", "--rerun", which, "--format", "json").json["inventory"]["targets"]


def test_rerun_is_a_view_of_the_journal(b):
    """--rerun is about the newest recorded run, also one that was killed; of the file where that is newer"""
    local(b, 4)
    b.run("command", "run", "true", "-t", "all")
    assert len(chosen(b, "success")) == 4
    child = b.start("command", "run", f"echo x >> {b.folder}/count; mkdir {b.folder}/one && exit 0; exec sleep 900", "-t", "all", "-c", "1")
    wait_for(lambda: text_of(b.folder / "count").count("x") == 2, "the second target at it")
    kill_all(child)
    assert (chosen(b, "success"), chosen(b, "failure")) == (["t0"], ["t1", "t2", "t3"])
    b.run("command", "run", "exit 1", "-t", "t3", "--no-save-rerun")
    assert chosen(b, "failure") == ["t1", "t2", "t3"]
    plan(b, ") { run_command('exit 1', ['t1', 't2'], '_catch_errors' => true) return run_command('true', 't2') }")
    b.run("plan", "run", "site::p")
    assert (chosen(b, "all"), chosen(b, "success")) == (["t2"], ["t2"]), "what the plan returned, as for Bolt"
    plan(b, ") { run_command('exit 1', ['t1', 't2'], '_catch_errors' => true) run_command('true', 't2') return 5 }")
    b.run("plan", "run", "site::p")
    assert not (b.project / ".rerun.json").exists() and (chosen(b, "failure"), chosen(b, "success")) == (["t1"], ["t2"])
    b.write("project/.rerun.json", json.dumps([{"target": "t0", "status": "failure"}]))
    assert chosen(b, "failure") == ["t0"]
    b.run("command", "run", "exit 1", "-t", "t1", "--no-journal")
    assert chosen(b, "failure") == ["t1"]


def test_a_report_is_made_of_the_record(b):
    """--report and run report write the same page; without a journal nothing else stays"""
    local(b, 2)
    plan(b, ") {\n  out::message('before all')\n  run_command('echo one', 't0')\n  run_command('echo two; exit 3', 't1')\n}")
    b.run("plan", "run", "site::p", "--report", "first.html")
    assert b.run("run", "report", "last", "second.html").status == 0
    page = (b.folder / "first.html").read_text()
    assert page == (b.folder / "second.html").read_text() and "Plan site::p: <span class=\"failed\">failed" in page, page
    for text in ("before all", "one", "two", "exit code 3"):
        assert text in page, (text, page)
    shown = b.run("run", "show").out
    assert "error" in shown and "run_command" in shown, shown
    shutil.rmtree(b.project / ".volley")
    temporary = b.folder / "temporary"
    temporary.mkdir()
    b.run("plan", "run", "site::p", "--report", "third.html", "--no-journal", env={"TMPDIR": str(temporary)})
    assert "exit code 3" in (b.folder / "third.html").read_text()
    assert not (b.project / ".volley").exists() and not list(temporary.iterdir())
    plan(b, ") { out::message('nothing else') }", "q")
    b.run("plan", "run", "site::q", "--report", "fourth.html")
    assert "nothing else" in (b.folder / "fourth.html").read_text()


def test_other_numbers_are_differences(b):
    """run diff shows a version that changed, after what differs in words, and many different numbers with one example"""
    local(b, 8)
    script = b.write("s.sh", f"#!/bin/sh\n. {b.folder}/words\n", 0o755)
    b.write("words", "echo nginx 1.18")
    b.run("script", "run", script, "-t", "t0,t1,t2")
    b.write("words", "test -e one || { mkdir one; echo nginx 1.20; exit; }; rmdir one; echo apache")
    b.run("script", "run", script, "-t", "t0,t1,t2", "-c", "1")
    found = b.run("run", "diff", listed(b)[1]["id"], "last").out
    assert "different on t1\n" in found and "only numbers differ on 2 targets: t0,t2\n" in found.replace("t[0,2]", "t0,t2"), found
    assert found.index("+apache") < found.index("-nginx 1.18\n    +nginx 1.20"), found
    assert "The same: 0 outcomes" in found, found
    data = b.run("run", "diff", listed(b)[1]["id"], "last", "--format", "json").json["steps"][0]["different"]
    assert [d["only_numbers"] for d in data] == [False, True] and data[1]["after"]["text"] == "nginx 1.20", data
    b.write("words", "echo $$ seconds")
    b.run("script", "run", script, "-t", "all")
    b.run("script", "run", script, "-t", "all")
    many = b.run("run", "diff", listed(b)[1]["id"], "last").out
    assert "only numbers differ on 8 targets: t[0-7]; on t" in many and many.count("\n    -") == 1, many


def kill_all(child):
    """kill -9 of a Volley, and of what it runs on this machine."""
    child.kill()
    child.communicate(timeout=HANGS)
    subprocess.run(["pkill", "-KILL", "-s", str(child.pid)], check=False)


def killed_command(b, command, count):
    """A command on one target after the other, killed when `count` of them have added a line."""
    child = b.start("command", "run", command, "-t", "all", "-c", "1")
    wait_for(lambda: text_of(b.folder / "count").count("x") == count, f"{count} targets at it")
    kill_all(child)


FIRST_VERSION = Path(__file__).resolve().parents[1] / "journal" / "first_version.run"


def test_a_journal_of_an_older_volley_is_read(b):
    """A run that was recorded, and killed, before output stood in the journal as it is: shown, chosen from and resumed"""
    local(b, 3)
    b.run("command", "run", "true", "-t", "t0")
    old = b.project / ".volley" / "runs" / "20260101T000000000Z-bi427hda.run"
    old.write_bytes(FIRST_VERSION.read_bytes())
    old.chmod(0o600)
    assert listed(b)[-1]["state"] == "unfinished" and listed(b)[-1]["id"] == "bi427hda", listed(b)
    shown = b.run("run", "show", "bi42").out
    for text in ("ada@ops1", "Finished on t0:\n    hi\n    oops", "Unknown on t1", "Not started on t2"):
        assert text in shown, (text, shown)
    rest = b.run("run", "resume", "bi42")
    assert rest.status == 0 and "Ran on 1 target" in rest.out and "on t1 is unknown" in rest.err, rest
    assert "hi\n" in b.run("run", "output", "last", "t2").out
    assert "The same: 0 outcomes" in b.run("run", "diff", "bi42", "last").out
    damaged = old.read_text().replace('"begin"', '"begun"', 1)
    old.write_text(damaged)
    assert "damaged" in b.run("run", "show", "bi42").out


def test_output_is_recorded_as_it_was(b):
    """Bytes that are not UTF-8, and what looks like a frame of the journal, come back as they were"""
    local(b, 1)
    forged = b.write("forged", b'2 00000000 1 18 0 {"frame":"finish"}\n\xff\x00raw\n')
    script = b.write("s.sh", f"#!/bin/sh\ncat {forged}\necho end\n", 0o755)
    first = b.run("script", "run", script, "-t", "t0", "--format", "json").json["items"][0]["value"]
    assert b"\n" + forged.read_bytes() in records(b)[0].read_bytes()
    again = b.run("run", "repeat", "last", "--format", "json").json["items"][0]["value"]
    assert first == again
    assert "The same: 1 outcome" in b.run("run", "diff", listed(b)[1]["id"], "last").out
    b.run("command", "run", "echo to-stderr >&2", "-t", "t0")
    assert "to-stderr" in b.run("run", "output").out


def test_what_was_left_is_done_by_run_resume(b):
    """A command that was killed goes on where it had not begun; where nobody saw the end it is named and not run again"""
    local(b, 3)
    command = f"echo x >> {b.folder}/count; mkdir {b.folder}/one && exit 0; test -e {b.folder}/go || exec sleep 900"
    child = b.start("command", "run", command, "-t", "all", "-c", "1")
    wait_for(lambda: text_of(b.folder / "count").count("x") == 2, "the second target at it")
    assert listed(b)[0]["state"] == "running"
    kill_all(child)
    (b.folder / "go").touch()
    shown = b.run("run", "show").out
    assert "unfinished" in shown and "Unknown on t1" in shown and "Not started on t2" in shown, shown
    killed = listed(b)[0]["id"]
    assert "leave out --limit" in b.run("run", "resume", killed, "--limit", "t2").out
    assert "with the journal on" in b.run("run", "resume", killed, "--no-journal").out
    rest = b.run("run", "resume", killed)
    assert rest.status == 0 and "Ran on 1 target" in rest.out, rest
    assert f"on t1 is unknown: run {killed} started it but did not record its end" in rest.err, rest
    assert text_of(b.folder / "count").count("x") == 3
    again = b.run("run", "resume", killed)
    second = listed(b)[0]["id"]
    assert again.status == 1 and f"was already resumed by run {second}" in again.out, again
    shown = b.run("run", "show", second).out
    assert killed in shown, shown
    assert "Unknown on t1" in shown and "Finished on t2" in shown, shown
    assert "Nothing else of run" in b.run("run", "resume", second).out
    assert text_of(b.folder / "count").count("x") == 3
    last = b.run("run", "resume", second, "--unknown", "run")
    assert last.status == 0 and "Ran on 1 target" in last.out and text_of(b.folder / "count").count("x") == 4, last
    assert "is complete: nothing to do" in b.run("run", "resume").out


def test_only_one_run_resumes_another(b):
    """While a run is being resumed, resuming it again is refused, and so is a record with damaged lines"""
    local(b, 3)
    command = f"echo x >> {b.folder}/count; test -e {b.folder}/go || exec sleep 900"
    killed_command(b, command, 1)
    killed = listed(b)[0]["id"]
    child = b.start("run", "resume", killed, "-c", "1")
    wait_for(lambda: text_of(b.folder / "count").count("x") == 2, "the resumed run at its first target")
    other = b.run("run", "resume", killed)
    assert other.status == 1 and "is still running or is being resumed" in other.out, other
    kill_all(child)
    assert text_of(b.folder / "count").count("x") == 2
    last = records(b)[-1]
    last.write_text(last.read_text().replace('"frame":"begin"', '"frame":"begun"', 1))
    damaged = b.run("run", "resume", "last")
    assert damaged.status == 1 and "is damaged and cannot be resumed" in damaged.out, damaged


def test_an_interrupted_run_is_called_that(b):
    """After Ctrl-C run list says interrupted, of a command and of a plan"""
    local(b, 1)
    command = f"touch {b.folder}/up; exec sleep 900"
    plan(b, f") {{ run_command('{command}', 't0') }}")
    for words in (("command", "run", command, "-t", "t0"), ("plan", "run", "site::p")):
        child = b.start(*words)
        wait_for(lambda: (b.folder / "up").exists(), "the command")
        child.send_signal(signal.SIGINT)
        child.communicate(timeout=HANGS)
        assert child.returncode == 130 and listed(b)[0]["state"] == "interrupted", listed(b)
        (b.folder / "up").unlink()
    assert "interrupted" in b.run("run", "show").out


def test_a_console_is_not_repeated(b):
    """run repeat and run resume refuse a console with one line"""
    local(b, 1)
    console(b, ("run_command('echo it-$((40 + 2))', $targets)", "it-42"))
    for action in ("repeat", "resume"):
        refused = b.run("run", action)
        assert refused.status == 1 and "was a console session" in refused.out and refused.out.count("\n") == 1, refused


def test_a_target_with_a_password_in_its_name_is_found_again(b):
    """run repeat and run resume reach the target of the inventory, whose URI they record without its password"""
    uri = "local://me:GEHEIM@t0"
    (b.folder / "tmp0").mkdir()
    b.inventory(json.dumps({"targets": [{"uri": uri, "config": {"local": {"tmpdir": str(b.folder / "tmp0")}}},
                                        {"uri": uri.replace("t0", "t1")}]}))
    b.write("s.sh", f"#!/bin/sh\necho x >> {b.folder}/count\necho $0\ntest -e {b.folder}/go || exec sleep 900\n", 0o755)
    child = b.start("script", "run", "s.sh", "-t", "all", "-c", "1")
    wait_for(lambda: text_of(b.folder / "count").count("x") == 1, "the first target at it")
    kill_all(child)
    (b.folder / "go").touch()
    rest = b.run("run", "resume", "--unknown", "run")
    assert rest.status == 0 and f"{b.folder}/tmp0" in rest.out and "Ran on 2 targets" in rest.out, rest
    again = b.run("run", "repeat")
    assert again.status == 0 and f"{b.folder}/tmp0" in again.out, again
    plan(b, "TargetSpec $targets) { run_command('echo hi', $targets) }")
    assert b.run("plan", "run", "site::p", "-t", f"localhost,{uri}").status == 0
    assert b.run("command", "run", "true", "-t", f"localhost,{uri}").status == 0
    assert not [f for f in records(b) if "GEHEIM" in f.read_text()]
    assert "pass them again: parameter targets" in b.run("run", "repeat", listed(b)[1]["id"]).out


def test_options_that_a_plan_made_invalid_fail_their_target_only(b):
    """FN-026: the record needs the addresses of all targets, and goes on without one"""
    b.inventory(json.dumps({"config": {"transport": "local"}, "targets": ["one", "two"]}))
    plan(b, """) {
  set_config(get_target('two'), ['local', 'tmpdir'], 3)
  return run_command('echo done', ['one', 'two'], '_catch_errors' => true)
}
""")
    run = b.run("plan", "run", "site::p", "--format", "json")
    values = {one["target"]: one["value"] for one in run.json}
    assert values["one"]["stdout"] == "done\n", run
    assert "must be of type String, not Integer" in values["two"]["_error"]["msg"], run


def test_plan_resume_goes_on_inside_of_a_step(b):
    """What ended well is taken from the record; what is unknown fails by name, or is run or taken as done when one wants that"""
    local(b, 4)
    names = [f"t{i}" for i in range(4)]
    plan(b, f"Sensitive[String] $pin, Integer $n) {{\n  run_command('echo first >> {b.folder}/first', {names})\n"
            f"  run_command('echo x >> {b.folder}/count; mkdir {b.folder}/one && exit 0; test -e {b.folder}/go || exec sleep 900', {names})\n"
            "  return 'done'\n}")
    child = b.start("plan", "run", "site::p", "pin=1234", "n=7", "-c", "1")
    wait_for(lambda: text_of(b.folder / "count").count("x") == 2, "the second target at it")
    kill_all(child)
    (b.folder / "go").touch()
    assert "pass them again: parameter pin" in b.run("plan", "resume").out
    assert "differ from those of the recorded run" in b.run("plan", "resume", "pin=4321").out
    killed = listed(b)[-1]["id"]
    stopped = b.run("plan", "resume", killed, "pin=1234")
    assert stopped.status == 1 and "on t1 is unknown" in stopped.err, stopped
    assert text_of(b.folder / "count").count("x") == 4 and text_of(b.folder / "first").count("first") == 4, stopped
    again = b.run("plan", "resume", killed, "pin=1234")
    assert again.status == 1 and "was already resumed by run" in again.out, again
    done = b.run("plan", "resume", listed(b)[0]["id"], "pin=1234", "--unknown", "run")
    assert done.status == 0 and text_of(b.folder / "count").count("x") == 5, done
    assert text_of(b.folder / "first").count("first") == 4


def test_runs_at_once_and_what_cannot_be_written(b):
    """Several Volleys write beside each other; a torn end is overlooked; where nothing can be written there is one warning"""
    local(b)
    children = [b.start("command", "run", f"echo {n}", "-t", "all") for n in range(6)]
    for child in children:
        child.communicate(timeout=HANGS)
        assert child.returncode == 0
    assert len(listed(b)) == 6 and {r["state"] for r in listed(b)} == {"succeeded"}
    last = records(b)[-1]
    last.write_bytes(last.read_bytes()[:-10])
    assert listed(b)[0]["state"] == "unfinished" and "Finished on 3 targets" in b.run("run", "show").out
    disk = b.folder / "disk"
    b.tmpfs(disk, "size=32k")
    disk.chmod(0o755)
    (disk / "bolt-project.yaml").write_text("name: site\n")
    (disk / "inventory.yaml").write_text((b.project / "inventory.yaml").read_text())
    with open(disk / "fill", "wb", buffering=0) as fill:
        try:
            while True:
                fill.write(b"x" * 512)
        except OSError:
            pass
    full = b.run("command", "run", "echo hi", "-t", "t0,t1", "--project", disk, "--no-save-rerun", project=False)
    assert full.status == 0 and full.err.count("The journal cannot be written") == 1, full


def test_the_journal_keeps_within_its_limits(b):
    """journal-size: the oldest runs are removed"""
    local(b, 1)
    b.write("project/bolt-project.yaml", "name: site\njournal-size: 1\n")
    for _ in range(6):
        b.run("command", "run", "head -c 400000 /dev/zero | tr '\\0' x", "-t", "t0")
    assert 1 < len(records(b)) < 6 and sum(f.stat().st_size for f in records(b)) < 1_700_000


def fill(disk):
    """Takes all that is left of a file system."""
    with open(disk / "fill", "wb", buffering=0) as file:
        for size in (65536, 512, 1):
            try:
                while True:
                    file.write(b"x" * size)
            except OSError:
                pass


MANY = [f"t{n}" for n in range(30)]  # their frames need more than what is left of the record's last page


def project_on(b, disk):
    """A project on a small file system, whose first action waits until its disk is full."""
    b.tmpfs(disk, "size=64k")
    (disk / "plans").mkdir(parents=True)
    disk.chmod(0o755)
    (disk / "bolt-project.yaml").write_text("name: site\n")
    (disk / "inventory.yaml").write_text(json.dumps({"config": {"transport": "local"}, "targets": MANY}))
    return {"project": False, "cwd": disk}


def filled_while_it_runs(b, disk, *words):
    """Runs volley, and fills the disk while its first action is at it."""
    child = b.start(*words, "--project", disk, "--no-save-rerun", project=False)
    wait_for(lambda: (b.folder / "up").exists(), "the first action")
    fill(disk)
    (b.folder / "go").touch()
    _, err = child.communicate(timeout=HANGS)
    (disk / "fill").unlink()
    return err.decode()


def test_a_disk_that_fills_before_an_intent_is_not_run_twice(b):
    """What started without a record is unknown when the run is resumed, until one says that it runs"""
    disk = b.folder / "disk"
    settings = project_on(b, disk)
    command = f"echo x >> {b.folder}/count; touch {b.folder}/up; until test -e {b.folder}/go; do sleep 0.01; done"
    err = filled_while_it_runs(b, disk, "command", "run", command, "-t", "all", "-c", "1")
    assert err.count("The journal cannot be written") == 1 and err.count("every target without an outcome is unknown") == 1, err
    assert text_of(b.folder / "count").count("x") == 30
    step, = b.run("run", "show", "--format", "json", **settings).json["steps"]
    assert len(step["unknown"]) > 5 and "t29" in step["unknown"] and not step["not_started"], step
    rest = b.run("run", "resume", **settings)
    assert "may have started it: its record is incomplete" in rest.err and "t29" in rest.err.replace("-29]", "t29"), rest
    assert text_of(b.folder / "count").count("x") == 30, rest
    again = b.run("run", "resume", "--unknown", "run", **settings)
    assert again.status == 0 and text_of(b.folder / "count").count("x") == 30 + len(step["unknown"]), again


def test_a_plan_after_a_full_disk(b):
    """plan resume: what may have been done fails by name, also steps that are not in the record; --unknown run runs them"""
    disk = b.folder / "disk"
    settings = project_on(b, disk)
    (disk / "plans" / "p.pp").write_text(
        "plan site::p() {\n  run_command('echo before', 't0')\n"
        f"  run_command('touch {b.folder}/up; until test -e {b.folder}/go; do sleep 0.01; done', 't0')\n"
        f"  run_command('echo x >> {b.folder}/count', 'all')\n  run_command('echo y >> {b.folder}/count', 't0')\n"
        f"  run_command('test -e {b.folder}/fixed', 't1')\n}}\n")
    err = filled_while_it_runs(b, disk, "plan", "run", "site::p", "--plan-log", b.folder / "log")
    assert "every target without an outcome is unknown" in err and len(text_of(b.folder / "count")) == 62, err
    (b.folder / "fixed").touch()
    for choice in ("stop", "done"):
        stopped = b.run("plan", "resume", "--no-save-rerun", "--unknown", choice, **settings)
        assert stopped.status == 1 and "is incomplete, because it could not be written" in stopped.err, stopped
        assert "It is unknown whether" in stopped.out and len(text_of(b.folder / "count")) == 62, stopped
    last = b.run("plan", "resume", "--no-save-rerun", "--unknown", "run", **settings)
    assert last.status == 0 and text_of(b.folder / "count").count("y") == 2, last
    assert "Taken from the record: command 'echo before'" in last.out, last
    # The plan log was on another file system, and has all of it.
    lines = len(text_of(b.folder / "count"))
    assert b.run("plan", "run", "site::p", "--resume", b.folder / "log", **settings).status == 0
    assert len(text_of(b.folder / "count")) == lines


# Under the sanitizers each takes three times as long, and the moments are random all the same.
KILLS = int(os.environ.get("VOLLEY_KILLS", "50" if "ASAN_OPTIONS" in os.environ else "200"))
SEED = int(os.environ.get("VOLLEY_KILL_SEED", "20261123"))


def commands_in(folder):
    """Processes that have the folder on their command line."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):  # not .../cmdline: glob() fails where one ends meanwhile
        try:
            found += [process] if f"{folder}/".encode() in (process / "cmdline").read_bytes() else []
        except OSError:
            pass
    return found


class Killer:
    """A project of its own, whose plan is killed at random moments, also while it resumes what was killed before."""

    def __init__(self, b, number, targets):
        self.b, self.chance = b, random.Random(f"{SEED}-{number}")
        self.project = b.folder / f"p{number}"
        (self.project / "plans").mkdir(parents=True)
        (self.project / "bolt-project.yaml").write_text("name: site\n")
        names = [f"t{n}" for n in range(targets)]
        (self.project / "inventory.yaml").write_text(json.dumps({"config": {"transport": "local"}, "targets": names}))
        (self.project / "plans" / "k.pp").write_text(KILLED_PLAN)
        self.steps = [(step, name) for step in "ab" for name in names]
        self.moments, self.number, self.unknown = [], 0, 0
        self.longest = self.whole_run()

    def start(self, *words):
        return self.b.start(*words, "--no-save-rerun", "-c", "10", "--project", self.project, project=False)

    def begin(self):
        self.number += 1
        self.folder = self.project / f"k{self.number}"
        self.folder.mkdir()
        return self.start("plan", "run", "site::k", f"folder={self.folder}", "-t", "all")

    def whole_run(self):
        """How long a plan takes that is not killed, while the others are at it, too."""
        started = time.monotonic()
        child = self.begin()
        _, err = child.communicate(timeout=HANGS)
        assert child.returncode == 0, err
        self.check([])
        return 1.2 * (time.monotonic() - started)

    def records(self):
        return sorted((self.project / ".volley" / "runs").glob("*.run"))

    def chain(self, kills):
        """A plan that is killed, resumed, killed again and so on, and resumed to its end."""
        child, said = self.begin(), []
        for _ in range(kills):
            self.moments.append(self.chance.uniform(0, self.longest))
            try:
                _, err = child.communicate(timeout=self.moments[-1])
            except subprocess.TimeoutExpired:
                child.kill()
                _, err = child.communicate(timeout=HANGS)
            said.append(err.decode())
            wait_for(lambda: not commands_in(self.folder), "the commands of the killed run ended")
            child = self.start("plan", "resume") if self.records() else self.start(
                "plan", "run", "site::k", f"folder={self.folder}", "-t", "all")
        _, err = child.communicate(timeout=HANGS)
        self.check([*said, err.decode()])

    def check(self, said):
        """Each action has one line per outcome, none two; where it has no outcome it is unknown, and named."""
        unknown, ok = set(), Counter()
        for record in self.records():
            run = self.b.run("run", "show", record.name.split("-")[1].split(".")[0], "--format", "json", "--project", self.project,
                             project=False).json
            for step in run["steps"]:
                unknown |= {(step["description"][-1], target) for target in step["unknown"]}
                ok.update((step["description"][-1], target) for group in step["groups"] if group["status"] == "success"
                          for target in group["targets"])
            record.unlink()
        for step, name in self.steps:
            lines = text_of(self.folder / f"{step}-{name}").count("line")
            details = (SEED, self.project.name, self.moments, step, name, lines, ok[step, name], said)
            if (step, name) in unknown:
                assert lines <= 1 and ok[step, name] == 0, details
                assert any(f"step {step} on {name} is unknown" in text for text in said), details
            else:
                assert lines == ok[step, name] == 1, details
        self.unknown += len(unknown)


KILLED_PLAN = """plan site::k(TargetSpec $targets, String $folder) {
  ['a', 'b'].each |$s| {
    parallelize(get_targets($targets)) |$t| {
      run_command("echo line >> ${folder}/${s}-${t.name}", $t, "step ${s}", '_catch_errors' => true)
    }
  }
}
"""
CHAINS = 4  # at a time
LENGTH = 4  # kills of each chain


def test_kill_at_random_moments_and_resume(b):
    """kill -9 at 200 random moments: each action that appends a line has one line per outcome, none two; unknown ones are named"""
    print(f"# seed {SEED} (VOLLEY_KILL_SEED), {KILLS} kills (VOLLEY_KILLS)", flush=True)
    left = [LENGTH] * (KILLS // LENGTH) + [KILLS % LENGTH] * (KILLS % LENGTH > 0)

    def work(number):
        killer = Killer(b, number, 50)
        for kills in left[number::CHAINS]:
            killer.chain(kills)
        return killer

    with ThreadPoolExecutor(CHAINS) as pool:
        killers = list(pool.map(work, range(CHAINS)))
    assert sum(len(killer.moments) for killer in killers) == KILLS
    assert sum(killer.unknown for killer in killers) > 0, "at some moments an end was not seen"
