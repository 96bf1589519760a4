"""Batches, canaries, limits of failures and of time, for every verb and plan function that acts on targets."""
import json
import time
from datetime import datetime

from harness.patience import wait_for_end

TEN = "config: {transport: local}\ntargets: [t01, t02, t03, t04, t05, t06, t07, t08, t09, t10]\n"
TASK = '#!/bin/sh\ncase "$PT_bad" in *"$PT_name"*) exit 3 ;; esac\necho "{}"\n'


def by_status(run):
    found = {}
    for one in run.json["items"]:
        found.setdefault(one["status"], []).append(one["target"])
    return {status: sorted(names) for status, names in found.items()}


def test_batches_follow_each_other(b):
    """USER-F3: at most so many at a time, the next batch when all are done, with a pause between"""
    b.inventory(TEN)
    log = b.folder / "log"
    command = f"echo in >> {log}; sleep 0.2; echo out >> {log}"
    for size, most in (("3", 3), ("50%", 5), ("100%", 10)):
        log.write_text("")
        assert b.run("command", "run", command, "-t", "all", "--batch", size).status == 0
        at_once = highest = 0
        ended = []
        for line in log.read_text().split():
            at_once += 1 if line == "in" else -1
            highest = max(highest, at_once)
            ended.append(at_once)
        assert highest <= most and ended.count(0) >= 10 // most, (size, log.read_text())
    run = b.run("command", "run", "true", "-t", "all", "--batch", "5", "--batch-wait", "1.5", "--format", "ndjson")
    times = [datetime.fromisoformat(json.loads(line)["time"][:-1]) for line in run.out.splitlines() if '"started"' in line]
    assert run.status == 0 and (times[5] - times[4]).total_seconds() >= 1.49, run
    for words in (("--batch", "0"), ("--batch", "x"), ("--batch", "101%"), ("--batch-wait", "-1"), ("--timeout", "soon"), ("--canary", "0")):
        run = b.run("command", "run", "true", "-t", "all", *words)
        assert run.status == 1 and "Invalid" in run.out or "needs a number" in run.out, run


def test_what_is_not_started_has_a_status_of_its_own(b):
    """USER-F3: --canary, --max-failures, --fail-fast; in JSON, for people and for --rerun"""
    b.inventory(TEN)
    mark, lock = b.folder / "mark", b.folder / "lock"
    fails = f"echo x >> {mark}; rmdir {lock} 2>/dev/null && exit 3; exit 0"  # on the first that comes there
    for words, least, most in ((("--canary", "2"), 2, 2), (("--fail-fast", "--batch", "1"), 1, 1), (("--max-failures", "1", "-c", "1"), 1, 1),
                               (("--max-failures", "10%", "--batch", "5"), 1, 5), (("--max-failures", "2", "-c", "1"), 10, 10)):
        mark.write_text("")
        lock.mkdir()
        run = b.run("command", "run", fails, "-t", "all", "--format", "json", *words)
        found = by_status(run)
        done = len(mark.read_text().split())
        assert run.status == 1 and len(found["failure"]) == 1 and len(run.json["items"]) == 10, (words, run)
        assert least <= done <= most, (words, found)
        assert len(found.get("success", [])) + 1 == done and len(found.get("not_started", [])) == 10 - done, (words, found)
    lock.mkdir()
    run = b.run("command", "run", fails, "-t", "all", "--canary", "1")
    assert "Failed on 1 target: t01" in run.out and "Not started on 9 targets: t02,t03" in run.out, run
    assert "  A canary target failed\n" in run.out and run.out.count("Not started") == 1 and "Ran on 1 target" in run.out, run
    run = b.run("command", "run", "true", "-t", "@rerun:failure", "--format", "json")
    assert len(run.json["items"]) == 10, run  # what is left to do
    skipped = b.run("command", "run", "exit 1", "-t", "all", "--fail-fast", "-c", "1", "--format", "json").json["items"][-1]
    error = skipped["value"]["_error"]
    assert error["kind"] == "volley/not-started" and "a target failed" in error["msg"], skipped


def test_time_limits(b):
    """USER-F3: --timeout for each target, --total-timeout for all; what runs is stopped on the target"""
    b.inventory("config: {transport: local}\ntargets: [t1, t2, t3]\n")
    alive = b.folder / "alive"
    begin = time.monotonic()
    run = b.run("command", "run", f"mkdir {alive} 2>/dev/null || exit 0; sleep 300", "-t", "all", "--timeout", "1", "--format", "json")
    found = by_status(run)
    assert run.status == 1 and len(found["failure"]) == 1 and len(found["success"]) == 2, run
    error = next(one for one in run.json["items"] if one["status"] == "failure")["value"]["_error"]
    assert error["kind"] == "volley/timeout" and "after 1 second while running; it was stopped" in error["msg"], error
    assert time.monotonic() - begin < 60
    run = b.run("command", "run", "sleep 300", "-t", "all", "-c", "1", "--total-timeout", "1", "--format", "json")
    found = by_status(run)
    assert len(found["failure"]) == 1 and len(found["not_started"]) == 2 and time.monotonic() - begin < 120, run
    reasons = [one["value"]["_error"]["msg"] for one in run.json["items"]]
    assert "Time limit for all targets reached after 1 second while running; it was stopped" in reasons, reasons
    assert "Not started: the time limit for all targets was reached (1 second)" in reasons, reasons
    assert b.run("command", "run", "echo quick", "-t", "all", "--timeout", "300", "--total-timeout", "300").status == 0


def test_time_limits_over_ssh(b):
    """USER-F3: the command is gone from the target, and so is its temporary directory"""
    b.ssh_inventory()
    place = b.folder / "place"
    place.mkdir()
    script = b.write("long.sh", f"#!/bin/sh\necho $$ > {place}/pid\nexec sleep 300\n")
    run = b.run("script", "run", script, "-t", "all", "--timeout", "2", "--tmpdir", place, "--format", "json")
    assert run.status == 1 and run.error()["kind"] == "volley/timeout", run
    pid = int((place / "pid").read_text())
    wait_for_end(pid)
    assert [path.name for path in place.iterdir()] == ["pid"], list(place.iterdir())


def test_every_verb_has_them(b):
    """USER-F3: scripts, tasks, files and apply"""
    b.inventory(TEN)
    b.task("t.sh", "#!/bin/sh\nexit 3\n")
    script = b.write("s.sh", "#!/bin/sh\nexit 3\n")
    source = b.write("f.txt", "text\n")
    manifest = b.write("m.pp", "fail('no')\n")
    for words in (("script", "run", script), ("task", "run", "site::t"), ("file", "upload", source, "/proc/none/x"),
                  ("file", "download", "/nowhere/x", b.folder / "down")):
        run = b.run(*words, "-t", "all", "--canary", "1", "--format", "json")
        found = by_status(run)
        assert run.status == 1 and len(found["failure"]) == 1 and len(found["not_started"]) == 9, (words, run)
    run = b.run("apply", manifest, "-t", "all", "--fail-fast", "--batch", "1", "--format", "json")
    assert sorted(one["status"] for one in run.json) == ["failure"] + ["not_started"] * 9, run


def test_plan_functions_have_them(b):
    """USER-F3: _batch, _canary, _max_failures, _fail_fast, _timeout, _total_timeout"""
    b.inventory(TEN)
    b.task("t.sh", "#!/bin/sh\nexit 3\n")
    b.write("project/plans/p.pp", """plan site::p(TargetSpec $targets) {
  $one = run_command('exit 3', $targets, _canary => 1, _catch_errors => true)
  $two = run_task('site::t', $targets, _fail_fast => true, _batch => 2, _catch_errors => true)
  $three = run_command('sleep 300', 't01', _timeout => 0.5, _catch_errors => true)
  $again = run_command('echo still there', 't01', _max_failures => '50%')
  return [$one, $two].map |$set| { $set.map |$r| { $r.status } } + [$three.first.error.kind, $again.first['stdout']]
}
""")
    run = b.run("plan", "run", "site::p", "-t", "all", "--format", "json")
    one, two, three, again = run.json
    assert one == ["failure"] + ["not_started"] * 9 and two == ["failure"] * 2 + ["not_started"] * 8, run
    assert three == "volley/timeout" and again == "still there\n", run
    b.write("project/plans/q.pp", "plan site::q() { run_command('exit 1', 'all', _canary => 2) }\n")
    run = b.run("plan", "run", "site::q")
    assert "with 2 failures, not started on 8 targets" in run.out and "Not started on 8 targets: t03" in run.out, run
    run = b.run("plan", "run", "site::q", "--format", "json")
    assert run.json["msg"].endswith("failed on 2 targets, and was not started on 8"), run
    for wrong in ("_batch => 'x'", "_timeout => -1", "_canary => '2'"):
        b.write("project/plans/q.pp", "plan site::q() { run_command('true', 'all', " + wrong + ") }\n")
        run = b.run("plan", "run", "site::q", "--format", "json")
        assert run.status == 1 and run.json["kind"] == "bolt/validation-error", run
    b.write("project/plans/q.pp", "plan site::q() { run_command('true', 'all', _batch => 2, _bach => 1) }\n")
    assert "'_batch'" in b.run("plan", "check").out
