"""--filter: which results are shown, and what applies changed, each resource once."""
import csv
import io
import json

FIVE = "config: {transport: local}\ntargets: [web1, web2, web3, db1, db2]\n"
MIXED = "case $PWD in *) n=$(mktemp -u XXXX) ;; esac; if mkdir {0}1 2>/dev/null; then echo bad >&2; exit 3; fi; echo fine"


def mixed(b, name):
    """A command that fails on the first target that runs it."""
    return MIXED.format(b.folder / name)


def test_results_for_which_an_expression_is_true_are_shown(b):
    """USER-F1: for people: the totals and the status are of all"""
    b.inventory(FIVE)
    run = b.run("command", "run", mixed(b, "a"), "-t", "all", "-c", "1", "--filter", "$value['exit_code'] == 3")
    assert run.status == 1 and run.out.count("Finished on ") == 0 and "Started on" not in run.out, run
    assert run.out.startswith("Failed on web1:\n  The command failed with exit code 3\n  bad\nSuccessful on 4 targets: "), run
    assert run.out.endswith("Shown are the 1 of 5 results for which --filter is true\n"), run
    run = b.run("command", "run", "echo same", "-t", "all", "--group", "on", "--filter", "$target =~ /^db/")
    assert "Finished on 2 targets: db[1-2]:\n  same\nSuccessful on 5 targets: " in run.out, run


def test_filters_in_other_formats(b):
    """USER-F1: items of JSON, lines of NDJSON, rows of tables"""
    b.inventory(FIVE)
    run = b.run("command", "run", mixed(b, "a"), "-t", "all", "-c", "1", "--format", "json", "--filter", "!$ok", "--group", "on")
    assert [item["target"] for item in run.json["items"]] == ["web1"] and run.json["target_count"] == 5, run
    assert [group["targets"] for group in run.json["groups"]] == [["web1"]], run
    run = b.run("command", "run", "echo x", "-t", "all", "--format", "ndjson", "--filter", "$target == 'db1' and $status == 'success'")
    lines = [json.loads(line) for line in run.out.splitlines()]
    assert [line["target"] for line in lines if line["event"] == "result"] == ["db1"], run
    assert lines[-1]["success_count"] == 5, run
    run = b.run("command", "run", "echo x", "-t", "all", "--format", "csv", "--fields", "target", "--filter",
                "$result['value']['stdout'] == \"x\\n\" and $target in ['web3', 'db2']")
    assert sorted(row[0] for row in csv.reader(io.StringIO(run.out))) == ["db2", "target", "web3"], run


def test_filters_of_tasks_plans_and_applies(b):
    """USER-F1: $action, $object and $message; a plan's ResultSet is filtered in JSON too"""
    b.inventory(FIVE)
    b.task("os.sh", "#!/bin/sh\nprintf %s '{\"os\": {\"name\": \"Debian\"}}'\n")
    run = b.run("task", "run", "site::os", "-t", "web1,db1", "--format", "json", "--filter",
                "$action == 'task' and $object == 'site::os' and $value['os']['name'] == 'Debian' and $target =~ /web/")
    assert [item["target"] for item in run.json["items"]] == ["web1"], run
    b.write("project/plans/p.pp", "plan site::p() { return run_command('false', 'all', '_catch_errors' => true) }\n")
    run = b.run("plan", "run", "site::p", "--format", "json", "--filter", "$message =~ /exit code 1/ and $target == 'db2'")
    assert [item["target"] for item in run.json] == ["db2"], run
    run = b.run("plan", "run", "site::p", "--filter", "$target == 'db2'")
    assert run.out.count("Failed on ") == 2 and "Failed on db2:\n" in run.out, run
    b.write("m.pp", "notify { 'x': }\n")
    run = b.run("apply", b.folder / "m.pp", "-t", "web1,db1", "--format", "json", "--filter", "$target == 'db1'")
    assert [item["target"] for item in run.json] == ["db1"], run


def test_mistakes_in_filters_stop_before_anything_runs(b):
    """USER-F1: syntax, variables, functions, definitions; and what only a result shows"""
    b.inventory(FIVE)
    mark = b.folder / "ran"
    for expression, message in (("$ok ==", "Syntax error"), ("$tarqet == 'a'", "there is no variable '$tarqet'"),
                                ("run_command('id', 'web1')", "there is no function 'run_command'"),
                                ("  ", "it is empty"), ("$value.map |$k, $v| { $w }", "there is no variable '$w'"),
                                ("function f() { 1 }", "it defines something")):
        run = b.run("command", "run", f"touch {mark}", "-t", "all", "--filter", expression)
        assert run.status == 1 and message in run.out + run.err and not mark.exists(), (expression, run)
    assert "Did you mean 'target'?" in b.run("command", "run", "true", "-t", "web1", "--filter", "$tarqet").err + \
        b.run("command", "run", "true", "-t", "web1", "--filter", "$tarqet").out
    run = b.run("command", "run", "echo x", "-t", "web1,web2", "--filter", "$value['os']['name'] == 'Debian'")
    assert run.status == 0 and run.out.count("Finished on") == 2, run
    assert run.err.count("cannot be evaluated for the result of") == 1, run
    run = b.run("command", "run", "true", "-t", "web1", "--filter", "true", "--stream")
    assert run.status == 1 and "--filter or --stream" in run.out + run.err, run


def test_what_applies_changed_is_grouped(b):
    """USER-F1: equal changes of an apply over many targets: --group on, and in JSON"""
    b.inventory("config: {transport: local}\ntargets: [" + ", ".join(f"web{n:02}" for n in range(1, 13)) + "]\n")
    file = b.folder / "motd"
    b.write("m.pp", f"file {{ \"{file}-${{trusted['certname']}}\": content => 'x' }}\nnotify {{ 'hello': }}\n"
                    "exec { '/bin/false': }\n")
    run = b.run("apply", b.folder / "m.pp", "-t", "all", "--group", "on")
    assert "Notify[hello] changed on 12: web[01-12]\n" in run.out, run
    assert "Exec[/bin/false] failed on 12: web[01-12]\n" in run.out, run
    assert f"File[{file}-web03] changed on 1: web03\n" in run.out, run
    assert run.out.index("Exec[/bin/false] failed") < run.out.index("Notify[hello] changed"), run
    run = b.run("apply", b.folder / "m.pp", "-t", "all", "--group", "on", "--format", "json")
    changes = run.json["changes"]
    assert len(run.json["items"]) == 12 and changes[0]["resource"] == "Exec[/bin/false]" and changes[0]["count"] == 12, run
    assert {"resource": "Notify[hello]", "outcome": "changed", "count": 12,
            "targets": [f"web{n:02}" for n in range(1, 13)]} in changes, changes
    b.write("v.pp", "notify { 'who': message => $trusted['certname'] ? { /0[12]$/ => 'odd', default => 'usual' } }\n"
                    "notify { 'own': message => $trusted['certname'] }\n")
    run = b.run("apply", b.folder / "v.pp", "-t", "all", "--group", "on")
    assert ("Notify[who] changed on 12: web[01-12]\n  to message => odd on 2: web[01-02]\n"
            "  to message => usual on 10: web[03-12]\n") in run.out, run
    assert "Notify[own] changed on 12: web[01-12]\n  to a different value on each\n" in run.out, run
    changes = b.run("apply", b.folder / "v.pp", "-t", "all", "--group", "on", "--format", "json").json["changes"]
    who = next(one for one in changes if one["resource"] == "Notify[who]")
    assert [(one["value"], one["count"]) for one in who["values"]] == [("message => odd", 2), ("message => usual", 10)], who
    b.write("project/plans/v.pp", """plan site::v() {
  apply('all') { notify { 'hello': } }
  return undef
}
""")
    assert "Notify[hello] changed on 12: web[01-12]\n" in b.run("plan", "run", "site::v", "--group", "on").out
    b.write("n.pp", "notify { 'hello': }\n")
    run = b.run("apply", b.folder / "n.pp", "-t", "web01,web02", "--noop", "--group", "on")
    assert "Notify[hello] would change on 2: web[01-02]\n" in run.out, run
    assert "would change on" not in b.run("apply", b.folder / "n.pp", "-t", "web01,web02", "--noop").out
    assert isinstance(b.run("apply", b.folder / "n.pp", "-t", "web01,web02", "--format", "json").json, list)
