"""Plans over real SSH targets: some fail, some go away, the run is interrupted or killed, and goes on again."""
import json
import os
import re
import resource
import signal
from pathlib import Path

from harness.bench import HANGS, alone
from harness.patience import process_of, wait_for, wait_for_attempt, wait_for_end
from harness.record import frames_of, outcomes_in

JSON = ("--format", "json")


def plan(b, body, name="p", parameters=""):
    b.write(f"project/plans/{name}.pp", f"plan site::{name}({parameters}) {{\n{body}\n}}\n")


def run(b, name="p", *words, **settings):
    return b.run("plan", "run", f"site::{name}", *words, *JSON, **settings)


def logins(farm):
    return sum(log.read_text().count("Accepted publickey") for log in farm.glob("sshd-*.log"))


# A command that knows its target: sshd's address is the target's own, and the number in it the target's number.
NUMBER = "n=${SSH_CONNECTION#* * 127.0.16.}; n=${n%% *}"


def test_failures_on_some_targets(b):
    """PLN-009: the plan stops, or goes on with those that did well; the file for --rerun has those of the failure"""
    b.farm(6)
    step = f"run_command('{NUMBER}; echo $n; [ $n != 2 ] && [ $n != 5 ]', 'farm'"
    plan(b, f"{step})\nout::message('never')")
    stopped = run(b)
    assert stopped.status == 1 and stopped.json["kind"] == "bolt/run-failure" and "never" not in stopped.err, stopped
    assert "failed on 2 targets" in stopped.json["msg"] and len(stopped.json["details"]["result_set"]) == 6, stopped
    again = b.run("command", "run", "echo again", "--rerun", "failure", *JSON).json["items"]
    assert sorted(item["target"] for item in again) == ["t002", "t005"], again
    plan(b, f"$r = {step}, _catch_errors => true)\n$left = run_command('echo left', $r.ok_set.targets)\n"
            "return [$r.ok, $r.error_set.names, $left.names, $r.find('t005')['exit_code'], $r.find('t005')['stdout']]")
    assert run(b).json == [False, ["t002", "t005"], ["t001", "t003", "t004", "t006"], 1, "5\n"]


def test_catch_errors_and_nested_plans(b):
    """FN-006, FN-022: three plans deep, an error is caught where somebody waits for it; one login a target for all of it"""
    farm = b.farm(4)
    plan(b, f"return run_command('{NUMBER}; echo $n; [ $n != 3 ]', $targets).first['stdout']", "inner", "TargetSpec $targets")
    plan(b, "$e = catch_errors(['other/kind']) || { run_plan('site::inner', $targets) }\nreturn $e", "middle", "TargetSpec $targets")
    plan(b, "$error = catch_errors(['bolt/run-failure']) || { run_plan('site::middle', 'farm') }\n"
            "$bad = $error.details['result_set'].error_set\n"
            "$good = run_plan('site::middle', ['t001', 't002'])\n"
            "$as_value = run_plan('site::middle', 't003', _catch_errors => true)\n"
            "run_command('echo and on', 'farm')\n"
            "return [$error.kind, $bad.names, $good, $as_value.kind]")
    assert run(b).json == ["bolt/run-failure", ["t003"], "1\n", "bolt/run-failure"]
    assert logins(farm) == 4, f"{logins(farm)} logins"


@alone
def test_parallel_plans_over_200_targets(b):
    """PLN-018: 200 plans at the same time, three steps each, over one session a target; the bad ones fail by themselves"""
    farm = b.farm(200)
    plan(b, "$number = run_command('n=${SSH_CONNECTION#* * 127.0.16.}; echo ${n%% *}', $target).first['stdout'].chomp\n"
            "run_command(\"[ ${number} != 77 ]\", $target)\nreturn run_command(\"echo done ${number}\", $target).first['stdout'].chomp",
         "one", "TargetSpec $target")
    plan(b, "return parallelize(get_targets('farm')) |$t| { run_plan('site::one', 'target' => $t, _catch_errors => true) }")
    done = run(b)
    assert done.status == 0 and len(done.json) == 200, done
    for number, value in enumerate(done.json, 1):
        wanted = f"done {number}"
        assert value == wanted or (number == 77 and value["kind"] == "bolt/run-failure"), (number, value)
    # Where descriptors are few, sessions are closed to free descriptors and opened again.
    few = resource.getrlimit(resource.RLIMIT_NOFILE)[1] < 4096
    assert logins(farm) == 200 or (few and logins(farm) > 200), f"{logins(farm)} logins"


def two_servers(b):
    """Targets `stays` and `goes` on servers of their own; returns that of `goes`."""
    stays, goes = b.sshd(), b.sshd()
    b.ssh_inventory(stays, names=("stays",))
    known = stays.known_hosts().read_text() + goes.known_hosts().read_text()
    (b.home / ".ssh" / "known_hosts").write_text(known)
    inventory = json.loads((b.project / "inventory.yaml").read_text())
    inventory["targets"].append({"name": "goes", "uri": f"{goes.address}:{goes.port}"})
    b.inventory(json.dumps(inventory))
    return goes


def test_a_target_dies_between_two_steps(b):
    """FN-033: it fails alone, the plan can wait for it, and uses it again when it is back"""
    goes = two_servers(b)
    pause = "run_command('touch {0}; while [ ! -e {0}.ok ]; do sleep 0.05; done', 'localhost')"
    dead, back = b.folder / "dead", b.folder / "back"
    plan(b, "$before = run_command('echo before', ['stays', 'goes']).map |$r| { $r['stdout'] }\n"
            f"{pause.format(dead)}\n"
            "$without = run_command('echo without', ['stays', 'goes'], _catch_errors => true)\n"
            f"background() || {{ {pause.format(back)} }}\n"
            "$waited = wait_until_available(['stays', 'goes'], wait_time => 150, retry_interval => 0.2)\n"
            "$after = run_command('echo after', ['stays', 'goes']).map |$r| { $r['stdout'] }\n"
            "return [$before, $without.ok_set.names, $without.error_set.names, $without.find('goes').error.kind, $waited.ok, $after]")
    child = b.start("plan", "run", "site::p", *JSON)
    wait_for(dead.exists)
    goes.stop()
    Path(f"{dead}.ok").touch()
    wait_for(back.exists)
    wait_for_attempt(goes)
    goes.start()
    Path(f"{back}.ok").touch()
    out, err = child.communicate(timeout=HANGS)
    before, well, badly, kind, waited, after = json.loads(out)
    assert before == ["before\n"] * 2 and (well, badly) == (["stays"], ["goes"]), (out, err)
    assert kind.startswith("puppetlabs.tasks/") and waited is True and after == ["after\n"] * 2, (out, err)


def test_ctrl_c_in_a_parallel_block(b):
    """EXIT-005 differs: what runs is stopped on every target, what was finished stays, and a later run takes it from the record"""
    b.farm(8)
    place, count = b.folder / "place", b.folder / "count"
    place.mkdir(), count.mkdir()
    slow = b.write("project/files/slow.sh", f"#!/bin/sh\n{NUMBER}\necho x >> {count}/$n\n[ -e {place}/fast ] && exit 0\n"
                   f"[ $n -le 4 ] && exit 0\necho $$ > {place}/alive-$n\nwhile :; do sleep 0.1; done\n")
    assert slow.exists()
    plan(b, "$r = parallelize(get_targets('farm')) |$t| { run_script('site/slow.sh', $t) }\n"
            f"file::write('{place}/later', 'x')\nreturn $r.map |$one| {{ $one.ok }}")
    words = ["plan", "run", "site::p", "--plan-log", b.folder / "log", "--tmpdir", place, *JSON]
    child = b.start(*words)
    wait_for(lambda: len(list(place.glob("alive-*"))) == 4 and len(outcomes_in(b.folder / "log")) == 4)
    processes = [process_of(b, mark) for mark in place.glob("alive-*")]
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=HANGS)
    assert child.returncode == 130, out
    assert json.loads(out)["kind"] == "volley/interrupted" and not (place / "later").exists(), out
    wait_for(lambda: not [one for one in place.iterdir() if one.is_dir()])  # the scripts' own directories
    wait_for_end(*processes)
    (place / "fast").touch()
    resumed = run(b, "p", "--resume", b.folder / "log")
    assert resumed.json == [True] * 8 and (place / "later").exists(), resumed
    ran = {int(one.name): one.read_text().count("x") for one in count.iterdir()}
    assert ran == {1: 1, 2: 1, 3: 1, 4: 1, 5: 2, 6: 2, 7: 2, 8: 2}, ran


STEPS = """
  $c = run_command('echo x >> {count}/command; echo from command', 'farm')
  $t = run_task('site::t', 'farm', 'word' => 'one')
  upload_file('site/up.txt', '{count}/uploaded', 't001')
  write_file('text', '{count}/written', 't001')
  $p = parallelize(['t002', 't003']) |$name| {{ run_command("echo x >> {count}/parallel; echo ${{name}}", $name).first['stdout'] }}
  $last = run_script('site/last.sh', 'farm')
  return [$c.first['stdout'], $t.map |$r| {{ $r['_output'] }}, $p, $last.ok, $c.targets.length]
"""


def killed_run(b):
    """A run of STEPS that is killed in its last step; returns the folder where steps leave what they did, and the record."""
    b.farm(3)
    count = b.folder / "count"
    count.mkdir()
    b.task("t.sh", f"#!/bin/sh\necho x >> {count}/task\necho \"word $PT_word\"\n", {"parameters": {"word": {"type": "String"}}})
    b.write("project/files/up.txt", "up")
    b.write("project/files/last.sh", f"#!/bin/sh\necho x >> {count}/last\n[ -e {count}/fast ] && exit\necho $$ > {b.folder}/last-$$\nexec sleep 900\n")
    plan(b, STEPS.format(count=count))
    log = b.folder / "log"
    child = b.start("plan", "run", "site::p", "--plan-log", log, *JSON)
    wait_for(lambda: (count / "last").exists() and (count / "last").read_text() == "x\n" * 3)
    wait_for(lambda: len([process_of(b, mark) for mark in b.folder.glob("last-*")]) == 3)
    child.kill()
    child.communicate(timeout=HANGS)
    (count / "fast").touch()
    return count, log


def test_resume_after_kill_9(b):
    """--resume: steps of all kinds that were finished are taken from the record of a killed run, the others run"""
    count, log = killed_run(b)
    lines = frames_of(log)
    steps = [line["description"].split()[0] for line in lines if line["frame"] == "step"]
    assert steps == ["command", "task", "file", "write", "command", "command", "script"], lines
    done = outcomes_in(log)
    assert len(done) == 3 + 3 + 1 + 1 + 1 + 1, lines
    (count / "uploaded").unlink()
    resumed = run(b, "p", "--resume", log, "--plan-log", log)
    assert resumed.json == ["from command\n", ["word one\n"] * 3, ["t002\n", "t003\n"], True, 3], resumed
    done = {one.name: one.read_text().count("x\n") for one in count.iterdir()}
    assert (done["command"], done["task"], done["parallel"], done["last"]) == (3, 3, 2, 6), done
    assert not (count / "uploaded").exists(), "the upload was not done again"
    # The record that was written on is whole: a further run takes everything from it.
    os.unlink(count / "fast")
    assert run(b, "p", "--resume", log).json == resumed.json


def test_resume_of_a_changed_plan_is_refused(b):
    """--resume: another command, other targets, another parameter of a task, a step more: it says which step differs"""
    count, log = killed_run(b)
    before = {one.name: one.read_text() for one in count.iterdir()}
    changes = {
        ("echo from command", "echo other"): ("step 1 is now", "echo other"),
        ("from command', 'farm')", "from command', ['t001', 't002'])"): ("step 1 is now", "from command"),
        ("'one'", "'two'"): ("step 2 is now", "task site::t"),
        ("/written", "/elsewhere"): ("step 4 is now", "/elsewhere"),
    }
    for (old, new), (step, what) in changes.items():
        text = STEPS.format(count=count)
        assert old in text
        plan(b, text.replace(old, new))
        refused = run(b, "p", "--resume", log)
        assert refused.status == 1 and refused.json["kind"] == "volley/resume-error", (new, refused)
        assert step in refused.json["msg"] and what in refused.json["msg"], (new, refused)
    assert {one.name: one.read_text() for one in count.iterdir()} == before, "nothing has run"
    plan(b, STEPS.format(count=count), parameters="String $who = 'me'")
    refused = run(b, "p", "who=other", "--resume", log)
    assert "other parameters" in refused.json["msg"], refused


def test_sleeps_and_prompts_block_nobody(b):
    """FN-037, FN-043: while one block sleeps and another waits for an answer, the rest of the plan goes on"""
    b.farm(2)
    # One after the other they sleep for five minutes.
    plan(b, "return parallelize(Array(Integer[1, 300])) |$n| { ctrl::sleep(1)\n$n }")
    assert run(b).json == list(range(1, 301)), "the sleeps overlap"
    plan(b, "$asks = background() || { prompt('Which colour') }\n"
            "$works = background() || { $r = run_command('echo worked', 'farm')\nout::message(\"both ${r.ok}\")\n$r.names }\n"
            "return [wait($asks)[0], wait($works)[0]]")
    text, status = b.terminal("plan", "run", "site::p", *JSON, answers=[(["Which colour", "both true"], "blue\n")])
    assert status == 0 and re.search(r'\["blue",\["t001","t002"\]\]', text.replace(" ", "").replace("\r", "").replace("\n", "")), text
