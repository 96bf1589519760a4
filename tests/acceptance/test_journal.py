"""The journal of runs: what is recorded of every run, and what is made of it (USER-F)."""
import json
import os
import random
import subprocess
import time
from pathlib import Path

from harness.bench import HANGS
from harness.patience import text_of, wait_for
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
    assert "No run was recorded" in b.run("run", "list").out


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


def test_what_was_left_is_done_by_run_resume(b):
    """A command that was killed goes on where it had not begun; where nobody saw the end it is named and not run again"""
    local(b, 3)
    command = f"echo x >> {b.folder}/count; mkdir {b.folder}/one && exit 0; test -e {b.folder}/go || exec sleep 900"
    child = b.start("command", "run", command, "-t", "all", "-c", "1")
    wait_for(lambda: text_of(b.folder / "count").count("x") == 2, "the second target at it")
    assert listed(b)[0]["state"] == "running"
    child.kill()
    child.communicate(timeout=HANGS)
    subprocess.run(["pkill", "-KILL", "-s", str(child.pid)], check=False)
    (b.folder / "go").touch()
    shown = b.run("run", "show").out
    assert "unfinished" in shown and "Unknown on t1" in shown and "Not started on t2" in shown, shown
    rest = b.run("run", "resume")
    assert rest.status == 0 and "Ran on 1 target" in rest.out and "t1" in rest.err and "Unknown" in rest.err, rest
    assert text_of(b.folder / "count").count("x") == 3


def test_plan_resume_goes_on_inside_of_a_step(b):
    """What ended well is taken from the record; what is unknown fails by name, or is run or taken as done when one wants that"""
    local(b, 4)
    names = [f"t{i}" for i in range(4)]
    plan(b, f"Sensitive[String] $pin, Integer $n) {{\n  run_command('echo first >> {b.folder}/first', {names})\n"
            f"  run_command('echo x >> {b.folder}/count; mkdir {b.folder}/one && exit 0; test -e {b.folder}/go || exec sleep 900', {names})\n"
            "  return 'done'\n}")
    child = b.start("plan", "run", "site::p", "pin=1234", "n=7", "-c", "1")
    wait_for(lambda: text_of(b.folder / "count").count("x") == 2, "the second target at it")
    child.kill()
    child.communicate(timeout=HANGS)
    subprocess.run(["pkill", "-KILL", "-s", str(child.pid)], check=False)
    (b.folder / "go").touch()
    assert "give it again: parameter pin" in b.run("plan", "resume").out
    assert "not those of the recorded run" in b.run("plan", "resume", "pin=4321").out
    killed = listed(b)[-1]["id"]
    stopped = b.run("plan", "resume", killed, "pin=1234")
    assert stopped.status == 1 and "Unknown: whether" in stopped.err and "on t1" in stopped.err, stopped
    assert text_of(b.folder / "count").count("x") == 4 and text_of(b.folder / "first").count("first") == 4, stopped
    again = b.run("plan", "resume", killed, "pin=1234")
    assert again.status == 1 and "was resumed before" in again.out, again
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


# Under the sanitizers each takes three times as long, and the moments are random all the same.
KILLS = int(os.environ.get("VOLLEY_KILLS", "50" if "ASAN_OPTIONS" in os.environ else "200"))
SEED = int(os.environ.get("VOLLEY_KILL_SEED", "20261123"))


def commands_in(folder):
    """Processes that have the folder on their command line."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found += [entry] if f"{folder}/".encode() in entry.read_bytes() else []
        except OSError:
            pass
    return found


def one_kill(b, number, chance, targets, longest):
    """One plan of 50 actions' outcomes, killed at a random moment and resumed until nothing is left."""
    folder = b.folder / f"k{number}"
    folder.mkdir()
    names = [f"t{i}" for i in range(targets)]
    child = b.start("plan", "run", "site::k", f"folder={folder}", "-t", "all", "--no-save-rerun", "-c", "10")
    moment = chance.uniform(0, longest)
    time.sleep(moment)
    child.kill()
    child.communicate(timeout=HANGS)
    wait_for(lambda: not commands_in(folder), "the commands of the killed run ended")
    resumed = b.run("plan", "resume", "--no-save-rerun") if records(b) else None
    unknown = set()
    ok = {}
    for record in records(b):
        data = b.run("run", "show", record.name.split("-")[1].split(".")[0], "--format", "json").json
        for step in data["steps"]:
            unknown |= {(step["description"], t) for t in step["unknown"]}
            for group in step["groups"]:
                for target in group["targets"] if group["status"] == "success" else []:
                    ok[step["description"], target] = ok.get((step["description"], target), 0) + 1
        record.unlink()
    for step in "ab":
        for name in names:
            lines = text_of(folder / f"{step}-{name}").count("line")
            key = next((k for k in ok if k == (f"step {step}", name)), None)
            if (f"step {step}", name) in unknown:
                assert lines <= 1, (SEED, number, moment, step, name, lines)
                assert resumed is None or name in resumed.err, (SEED, number, moment, name, resumed)
            else:
                assert lines == (ok[key] if key else 0) <= 1, (SEED, number, moment, step, name, lines, ok, unknown, resumed)
    return bool(ok), bool(unknown)


def killed_plans(b, kills, targets, seed, longest):
    """Kills a plan at random moments and resumes it each time."""
    chance = random.Random(seed)
    print(f"# seed {seed} (VOLLEY_KILL_SEED), {kills} kills (VOLLEY_KILLS)", flush=True)
    began = [one_kill(b, number, chance, targets, longest) for number in range(kills)]
    assert any(done for done, _ in began), "some plans had begun"
    return sum(unknown for _, unknown in began)


def test_kill_at_random_moments_and_resume(b):
    """kill -9 at 200 random moments: each action that appends a line has one line per outcome, none two; unknown ones are named"""
    targets = 25
    b.inventory(json.dumps({"config": {"transport": "local"}, "targets": [f"t{n}" for n in range(targets)]}))
    body = ("plan site::k(TargetSpec $targets, String $folder) {\n  ['a', 'b'].each |$s| {\n"
            "    parallelize(get_targets($targets)) |$t| {\n"
            "      run_command(\"echo line >> ${folder}/${s}-${t.name}\", $t, \"step ${s}\", '_catch_errors' => true)\n    }\n  }\n}\n")
    b.write("project/plans/k.pp", body)
    started = time.monotonic()
    (b.folder / "whole").mkdir()
    whole = b.run("plan", "run", "site::k", f"folder={b.folder}/whole", "-t", "all", "--no-save-rerun", "-c", "10")
    assert whole.status == 0, whole
    records(b)[0].unlink()
    longest = 1.2 * (time.monotonic() - started)
    assert killed_plans(b, KILLS, targets, SEED, longest) > 0, "at some moments an end was not seen"
