"""How results are shown: grouped by what they say, as tables, one file for each target."""
import csv
import io
import json
import re

THREE = "config: {transport: local}\ntargets: [web01, web02, web03, web04, db1.example.com, db2.example.com]\n"

def project(b):
    b.inventory(THREE)
    b.task("os.sh", "#!/bin/sh\nprintf %s '{\"os\": {\"name\": \"Debian\", \"major\": 12}, \"list\": [{\"a\": \"x|y\"}], \"note\": \"two\\nlines, \\\"quoted\\\"\"}'\n")


def test_results_that_say_the_same_are_one(b):
    """USER-F1: in pipes with --group on: names folded, the smallest group first, numbers that differ masked"""
    b.inventory(THREE)
    mark = b.folder / "n"
    command = (f"echo x >> {mark}; n=$(mktemp -u XXXXXX); if mkdir {mark}1 2>/dev/null; then echo broken >&2; exit 3; fi; "
               f"if mkdir {mark}2 2>/dev/null; then echo 'E: disk full on sda1'; exit 2; fi; "
               f"if mkdir {mark}3 2>/dev/null; then echo 'E: disk full on sda22'; exit 2; fi; echo \"up 12 days at 10.0.0.$$\"")
    run = b.run("command", "run", command, "-t", "all", "--group", "on", "-c", "1")
    assert run.status == 1 and "Starting on 6 targets: web[01-04],db[1-2].example.com\n" in run.out, run
    assert ("Failed on web01:\n  The command failed with exit code 3\n  broken\n"
            "Failed on 2 targets: web[02-03]:\n  The command failed with exit code 2\n  E: disk full on *\n"
            "Finished on 3 targets: web04,db[1-2].example.com:\n  up 12 days at 10.0.0.*\n"
            "Successful on 3 targets: web04,db1.example.com,db2.example.com\n") in run.out, run
    for n in "123":
        (b.folder / f"n{n}").rmdir()
    run = b.run("command", "run", command, "-t", "all", "--group", "on", "-c", "1", "--format", "json")
    groups = run.json["groups"]
    assert [(one["status"], one["exit_code"], one["count"]) for one in groups] == [
        ("failure", 3, 1), ("failure", 2, 2), ("success", 0, 3)], groups
    assert groups[1]["targets"] == ["web02", "web03"] and groups[1]["text"].endswith("E: disk full on *"), groups
    assert len(run.json["items"]) == 6
    run = b.run("command", "run", "echo same", "-t", "all", "--group", "on", "--format", "ndjson")
    found = [json.loads(line) for line in run.out.splitlines() if '"group"' in line]
    assert len(found) == 1 and found[0]["count"] == 6 and found[0]["text"] == "same", run


def test_what_bolt_users_read_in_pipes_stays(b):
    """USER-F1: without the option every target is shown by itself in a pipe; on a terminal many are grouped"""
    b.inventory("config: {transport: local}\ntargets: [" + ", ".join(f"n{i:02}" for i in range(1, 13)) + "]\n")
    run = b.run("command", "run", "echo hi", "-t", "all")
    assert run.out.count("Finished on n") == 12 and "groups" not in b.run("command", "run", "true", "-t", "all", "--format", "json").json, run
    text, _ = b.terminal("command", "run", "echo hi", "-t", "all")
    assert "Finished on 12 targets: n[01-12]:" in text and text.count("Finished on") == 1, text
    text, _ = b.terminal("command", "run", "echo hi", "-t", "all", "--group", "off")
    assert text.count("Finished on n") == 12, text
    text, _ = b.terminal("command", "run", "echo hi", "-t", "n01,n02")
    assert text.count("Finished on n") == 2, text


def test_the_own_names_of_targets_are_no_difference(b):
    """USER-F1: a host that says its name, or its short name"""
    b.inventory("config: {transport: local}\ntargets: [alpha.example.com, beta.example.com]\n")
    b.write("project/plans/p.pp", """plan site::p() {
  return run_task_with('site::say', 'all') |$t| { { 'text' => "this is ${t.name}, ${t.name.split('[.]')[0]} for short" } }
}
""")
    b.write("project/tasks/say.json", '{"parameters": {"text": {"type": "String"}}, "input_method": "environment"}')
    b.task("say.sh", "#!/bin/sh\necho \"$PT_text\"\n")
    run = b.run("plan", "run", "site::p", "--group", "on")
    assert "Finished on 2 targets: alpha.example.com,beta.example.com:\n  this is <target>, <target> for short\n" in run.out, run


def test_groups_are_compared(b):
    """USER-F1: --diff shows how each group differs from the largest"""
    b.inventory("config: {transport: local}\ntargets: [a, b, c]\n")
    lock = b.folder / "lock"
    run = b.run("command", "run", f"echo one; if mkdir {lock} 2>/dev/null; then echo odd; else echo two; fi; echo three", "-t", "all",
                "-c", "1", "--group", "on", "--diff")
    assert "Finished on a:\n  one\n  odd\n  three\n  Compared with 2 targets: b,c\n   one\n  -two\n  +odd\n   three\n" in run.out, run


def test_tables(b):
    """USER-F1: --format table, csv and markdown with --fields"""
    project(b)
    run = b.run("command", "run", "echo one; echo two", "-t", "web01,web02", "--format", "table")
    assert run.out == "target  status   message\nweb01   success  one\nweb02   success  one\n", run
    words = ("task", "run", "site::os", "-t", "web01,db1.example.com")
    run = b.run(*words, "--format", "table", "--fields", "name,status,value.os.name,value.os.major,value.list.0.a,value.nope")
    assert run.out.splitlines()[1:] == ["web01            success  Debian         12              x|y",
                                        "db1.example.com  success  Debian         12              x|y"], run
    run = b.run(*words, "--format", "csv", "--fields", "target,value.note,value.os")
    rows = list(csv.reader(io.StringIO(run.out)))
    assert rows[0] == ["target", "value.note", "value.os"] and rows[1] == ["web01", 'two\nlines, "quoted"', '{"name":"Debian","major":12}'], rows
    run = b.run(*words, "--format", "markdown", "--fields", "target,value.list.0.a,value.note")
    assert run.out.splitlines()[:3] == ["| target | value.list.0.a | value.note |", "| --- | --- | --- |",
                                        '| web01 | x\\|y | two<br>lines, "quoted" |'], run
    run = b.run("command", "run", "echo out; echo err >&2; exit 4", "-t", "web01", "--format", "csv",
                "--fields", "target,status,exit_code,stdout,stderr,message")
    assert run.status == 1 and run.out.splitlines()[1] == "web01,failure,4,out,err,The command failed with exit code 4", run
    run = b.run("command", "run", "true", "-t", "web01", "--format", "table", "--fields", "target,stauts")
    assert run.status == 1 and "There is no field 'stauts'" in run.out and "Did you mean 'status'?" in run.out, run
    b.write("m.pp", "notify { 'x': }\n")
    run = b.run("apply", b.folder / "m.pp", "-t", "web01", "--format", "csv", "--fields", "target,status")
    assert run.out == "target,status\nweb01,success\n", run


def test_a_file_for_each_target(b):
    """USER-F1: --output-dir"""
    b.inventory("config: {transport: local}\ntargets: [a, {name: 'local://x/y'}, b]\n")
    folder = b.folder / "out"
    run = b.run("command", "run", "echo out; echo err >&2", "-t", "all", "--output-dir", folder)
    assert run.status == 0 and sorted(path.name for path in folder.iterdir()) == ["a", "b", "local%3A%2F%2Fx%2Fy"], run
    assert sorted((folder / "a").read_text().split()) == ["err", "out"]
    run = b.run("command", "run", "exit 3", "-t", "a", "--output-dir", folder)
    assert (folder / "a").read_text() == "The command failed with exit code 3\n", run
    b.write("project/plans/p.pp", "plan site::p() { run_command('echo one', 'a')\n  return run_command('echo two', 'a') }\n")
    assert b.run("plan", "run", "site::p", "--output-dir", folder).status == 0
    assert (folder / "a").read_text() == "one\ntwo\n"
    b.write("file", "x")
    run = b.run("command", "run", "true", "-t", "a", "--output-dir", b.folder / "file")
    assert run.status == 1 and "Started" not in run.out, run


def test_failures_of_a_plan_step_are_grouped(b):
    """USER-F1: above ten, each reason once, the rarest first; up to ten, and with --group off, by name as before"""
    b.inventory("config: {transport: local}\ntargets: [" + ", ".join(f"n{i:02}" for i in range(1, 31)) + "]\n")
    b.write("project/tasks/t.json", '{"parameters": {"code": {"type": "Integer"}}, "input_method": "environment"}')
    b.task("t.sh", "#!/bin/sh\n[ $PT_code = 3 ] && echo 'disk full' >&2\nexit $PT_code\n")
    b.write("project/plans/p.pp", """plan site::p(TargetSpec $targets = 'all') {
  run_task_with('site::t', $targets, '_catch_errors' => true) |$t| {
    { 'code' => $t.name ? { 'n30' => 3, 'n01' => 0, default => 4 } }
  }
}
""")
    run = b.run("plan", "run", "site::p")
    assert "Failed: task site::t on 1 target: n30  [project/plans/p.pp:2]\n  The task failed with exit code 3" in run.out, run
    assert "Failed: task site::t on 28 targets: n[02-29]" in run.out and "disk full" in run.out, run
    assert run.out.index("1 target: n30") < run.out.index("28 targets") and " more" not in run.out, run
    run = b.run("plan", "run", "site::p", "targets=n29,n30")
    assert run.out.count("Failed: task site::t on n") == 2, run
    assert "Failed: task site::t on 19 more" in b.run("plan", "run", "site::p", "--group", "off").out


def test_results_of_a_plan_step_are_grouped(b):
    """USER-F1: with --verbose, as those of a command: with --group on, and of many targets on a terminal; each by itself in pipes and
    with --group off"""
    b.inventory("config: {transport: local}\ntargets: [" + ", ".join(f"n{i:02}" for i in range(1, 13)) + "]\n")
    b.write("project/bolt-project.yaml", "name: site\n")
    b.write("project/plans/p.pp", f"""plan site::p(TargetSpec $targets = 'all') {{
  parallelize([1, 2]) |$n| {{
    run_command("mkdir {b.folder}/lock 2>/dev/null && exit 3; echo number $n", $targets, "step ${{n}}", '_catch_errors' => true)
  }}
}}
""")
    words = ("plan", "run", "site::p", "--verbose")
    run = b.run(*words, "--group", "on")
    found = re.findall(r"Finished on (\d+) targets: n\S+:\n  number (\d)\n", run.out)
    assert run.status == 0 and sorted(count for count, _ in found) == ["11", "12"], run
    assert run.out.count("Failed on n") == 1 and "Started on" not in run.out, run
    for n in "12":
        assert re.search(rf"number {n}\n(Failed on .*\n.*\n)?Finished: step {n} with ", run.out), run
    few = b.run(*words, "targets=n01,n02")
    assert few.out.count("Finished on n") == 4 and few.out.count("Started on n") == 4, few
    assert "Finished on" not in b.run("plan", "run", "site::p", "--group", "on").out
    text, _ = b.terminal(*words)
    assert text.count("Finished on 12 targets: n[01-12]:") == 2, text
    text, _ = b.terminal(*words, "--group", "off")
    assert text.count("Finished on n") == 24, text
