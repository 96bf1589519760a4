"""What comes back: result objects, JSON and ndjson, exit status, the rerun file."""
import json

from harness.bench import HANGS
from harness.patience import read_until

LOCAL = ("-t", "localhost")
JSON = ("--format", "json")


def locals_(b, *names):
    b.inventory(json.dumps({"config": {"transport": "local"}, "targets": [{"name": n} for n in names]}))


def test_exit_002_any_failed_target_sets_the_exit_code(b):
    """EXIT-002, RES-002, RES-006, CLI-003"""
    run = b.run("command", "run", "echo no >&2; exit 3", *LOCAL, *JSON)
    item = run.json["items"][0]
    assert run.status == 1 and item["status"] == "failure"
    error = item["value"]["_error"]
    assert error["kind"] == "puppetlabs.tasks/command-error" and error["issue_code"] == "COMMAND_ERROR"
    assert error["details"]["exit_code"] == 3 and "3" in error["msg"]
    assert list(item["value"]) == ["stdout", "stderr", "merged_output", "exit_code", "_error"]


def test_res_003_actions_and_objects(b):
    """RES-003, RES-004, RES-015, RES-016, JSN-001"""
    script = b.write("s.sh", "#!/bin/sh\necho hi\n")
    b.task("t.sh", "#!/bin/sh\necho '{\"a\": 1}'\n")
    target = b.folder / "there"
    run = b.run("script", "run", script, *LOCAL, *JSON)
    assert (run.json["items"][0]["action"], run.json["items"][0]["object"]) == ("script", str(script)), run
    run = b.run("task", "run", "site::t", *LOCAL, *JSON)
    item = run.json["items"][0]
    assert (item["action"], item["object"], item["value"]) == ("task", "site::t", {"a": 1}), run
    run = b.run("file", "upload", script, target, *LOCAL, *JSON)
    item = run.json["items"][0]
    assert (item["action"], item["object"]) == ("upload", str(script))
    assert item["value"] == {"_output": f"Uploaded '{script}' to 'localhost:{target}'"}
    run = b.run("file", "download", target, b.folder / "got", *LOCAL, *JSON)
    item = run.json["items"][0]
    path = b.folder / "got" / "localhost" / "there"
    assert (item["action"], item["object"], item["value"]["path"]) == ("download", str(target), str(path)), run
    assert item["value"]["_output"] == f"Downloaded 'localhost:{target}' to '{path.parent}'", run


def test_res_014_sensitive_results_are_redacted(b):
    """RES-014"""
    b.task("s.sh", "#!/bin/sh\necho '{\"_sensitive\": {\"pw\": \"hunter2\"}, \"a\": 1}'\n")
    for form in (JSON, ("--format", "human"), ("--format", "ndjson")):
        run = b.run("task", "run", "site::s", *LOCAL, *form, "--log-level", "trace")
        assert run.status == 0 and "hunter2" not in run.out + run.err, run
    value = b.run("task", "run", "site::s", *LOCAL, *JSON).value()
    assert value["_sensitive"] == "Sensitive [value redacted]" and value["a"] == 1
    assert "hunter2" not in (b.project / "bolt-debug.log").read_text()


def test_sh_030_nul_bytes_arrive(b):
    """SH-030"""
    run = b.run("command", "run", "printf 'a\\000b'", *LOCAL, *JSON)
    assert run.value()["stdout"] == "a\0b", run


def test_res_018_a_bolt_error_keeps_kind_and_code(b):
    """RES-018, RES-004, SSH-012"""
    run = b.run("command", "run", "true", "-t", "ssh://127.0.0.1:9", *JSON)
    item = run.json["items"][0]
    assert item["object"] is None, run
    error = item["value"]["_error"]
    assert error["kind"] == "puppetlabs.tasks/connect-error" and error["issue_code"] == "CONNECT_ERROR", run
    assert "127.0.0.1" in error["msg"] and run.status == 1


def test_jsn_001_results_come_in_completion_order(b):
    """JSN-001"""
    b.inventory(json.dumps({"targets": [
        {"name": name, "config": {"transport": "local", "local": {"tmpdir": str(b.folder / name)}}} for name in ("slow", "fast")]}))
    (b.folder / "slow").mkdir(), (b.folder / "fast").mkdir()
    shown = b.folder / "shown"
    b.task("t.sh", f"#!/bin/sh\ncase $0 in */slow/*) while [ ! -e {shown} ]; do sleep 0.05; done ;; esac\n")
    child = b.start("task", "run", "site::t", "-t", "slow,fast", *JSON)
    first = read_until(child.stdout, b'"success"')
    shown.touch()
    out = first + child.communicate(timeout=HANGS)[0]
    assert [i["target"] for i in json.loads(out)["items"]] == ["fast", "slow"], out


def test_opt_042_trace_shows_more_about_fatal_errors(b):
    """OPT-042, OUT-031, JSN-024: kind and details after the message; a backtrace in JSON, also inside of a document"""
    b.inventory("targets: 5")
    plain = b.refused("inventory", "show")
    traced = b.refused("inventory", "show", "--trace")
    assert traced.out.startswith(plain.out) and "kind: bolt" not in plain.out, (plain, traced)
    assert "\n  kind: bolt" in traced.out, traced
    gone = b.refused("script", "run", "gone.sh", *LOCAL, "--trace", "--inventoryfile", b.write("none.yaml", ""))
    assert "kind: bolt/file-error" in gone.out and '"path": ' in gone.out, gone
    assert "backtrace" not in b.refused("inventory", "show", *JSON).json["details"]
    error = b.refused("inventory", "show", "--trace", *JSON).json
    assert error["details"]["backtrace"] == [error["kind"]], error
    b.inventory("config: {transport: local}\ntargets: [good]\n")
    b.task("needs.sh", "#!/bin/sh\n", {"parameters": {"n": {"type": "Integer"}}})
    document = b.run("task", "run", "site::needs", "-t", "good", "--trace", *JSON)
    assert document.status == 1 and document.json.get("_error", document.json)["details"]["backtrace"], document


def test_opt_024_no_save_rerun_leaves_the_file(b):
    """OPT-024, CFG-043, CFG-042"""
    b.write("project/.rerun.json", '[{"target": "x", "status": "failure"}]')
    b.run("command", "run", "true", *LOCAL, "--no-save-rerun")
    assert "x" in (b.project / ".rerun.json").read_text()
    b.write("project/bolt-project.yaml", "name: site\nsave-rerun: false\n")
    b.run("command", "run", "true", *LOCAL)
    assert "x" in (b.project / ".rerun.json").read_text()
    b.write("project/bolt-project.yaml", "name: site\nrerunfile: again.json\n")
    b.run("command", "run", "true", *LOCAL)
    assert json.loads((b.project / "again.json").read_text()) == [{"target": "localhost", "status": "success"}]


def test_arg_011_an_unwriteable_rerun_file_only_warns(b):
    """ARG-011, LOG-008, LOG-009"""
    (b.project / ".rerun.json").mkdir()
    run = b.run("command", "run", "true", *LOCAL)
    assert run.status == 0 and "unwriteable_file" in run.err, run


def test_out_027_group_show(b):
    """OUT-027, JSN-016"""
    b.inventory("groups: [{name: web}, {name: db, groups: [{name: aa}]}]")
    assert "Groups" in b.run("group", "show").out and "4 total" in b.run("group", "show").out
    assert b.run("group", "show", "--format", "json").json == {"count": 4, "groups": ["aa", "all", "db", "web"]}


def test_out_031_a_fatal_error_is_one_message(b):
    """OUT-031"""
    b.inventory("targets: 5")
    run = b.refused("inventory", "show")
    assert len((run.out + run.err).strip().splitlines()) <= 4, run


def test_out_050_lines_arrive_while_the_command_runs(b):
    """OUT-050"""
    seen = b.folder / "seen"
    child = b.start("command", "run", f"echo early; while [ ! -e {seen} ]; do sleep 0.05; done", *LOCAL, "--stream")
    read_until(child.stdout, b"out: early")
    assert child.poll() is None
    seen.touch()
    assert child.wait(HANGS) == 0


def test_cli_022_a_double_dash_ends_the_options(b):
    """CLI-022"""
    b.refused("command", "run", *LOCAL, "--", "echo", "--format", says="Unknown argument")
    run = b.run("command", "run", *LOCAL, *JSON, "--", "--version")
    assert run.status == 1 and run.json["items"][0]["object"] == "--version", run


def params_task(b):
    b.task("echo.py", "#!/usr/bin/env python3\nimport sys\nprint(sys.stdin.read())\n", {"parameters": {
        "text": {"type": "Optional[String]"}, "number": {"type": "Optional[Integer]"},
        "flag": {"type": "Optional[Boolean]"}, "list": {"type": "Optional[Array]"}, "any": {}}})


def test_arg_006_parameters_are_typed_by_the_task(b):
    """ARG-006"""
    params_task(b)
    run = b.run("task", "run", "site::echo", "text=12", "number=12", "flag=true", 'list=[1,"a"]', "any=null", *LOCAL,
                *JSON)
    value = run.value()
    assert (value["text"], value["number"], value["flag"], value["list"]) == ("12", 12, True, [1, "a"]), run
    assert b.run("task", "run", "site::echo", "any=x=y", *LOCAL, *JSON).value()["any"] == "x=y"


def test_opt_017_concurrency_limits_what_runs_at_once(b):
    """OPT-017, CFG-024"""
    b.inventory(json.dumps({"config": {"transport": "local"}, "targets": [f"t{i}" for i in range(6)]}))
    count = b.folder / "count"
    count.mkdir()
    # The first that begins waits for a second; six at once would be seen by those that come last.
    command = (f"touch {count}/$$; i=0; while [ $(ls {count} | wc -l) -lt 2 ] && [ ! -e {count}.met ] && [ $i -lt 1200 ]; do "
               f"i=$((i + 1)); sleep 0.05; done; touch {count}.met; sleep 0.3; ls {count} | wc -l; rm {count}/$$")
    run = b.run("command", "run", command, "-t", "all", "-c", "2", *JSON)
    seen = [int(item["value"]["stdout"]) for item in run.json["items"]]
    assert max(seen) == 2 and len(seen) == 6, seen
    b.refused("command", "run", "true", "-t", "all", "-c", "0", says="concurrency")


def test_opt_018_compile_concurrency_has_a_limit(b):
    """OPT-018, CFG-023"""
    b.refused("command", "run", "true", *LOCAL, "--compile-concurrency", "100000", says="compile-concurrency")


def test_opt_020_modulepath_replaces_the_configured_one(b):
    """OPT-020, MOD-001"""
    b.write("one/alpha/tasks/init.sh", "#!/bin/sh\necho one\n")
    b.write("two/beta/tasks/init.sh", "#!/bin/sh\necho two\n")
    b.write("project/modules/gamma/tasks/init.sh", "#!/bin/sh\necho three\n")
    path = f"one:{b.folder}/two"
    assert b.run("task", "run", "beta", *LOCAL, *JSON, "-m", path).value()["_output"] == "two\n"
    names = [t[0] for t in b.run("task", "show", *JSON, "--modulepath", path).json["tasks"]]
    assert "alpha" in names and "beta" in names and "gamma" not in names
    b.refused("task", "run", "gamma", *LOCAL, *JSON, "-m", path, kind="bolt/unknown-task")


def test_opt_046_clear_cache_is_accepted(b):
    """OPT-046, LAY-011"""
    b.write("project/.plugin_cache.json", "{}")
    assert b.run("command", "run", "true", *LOCAL, "--clear-cache").status == 0
    assert not (b.project / ".plugin_cache.json").exists()


def test_ssh_014_copies_fail_with_the_servers_words(b):
    """SSH-014, TRN-002"""
    b.ssh_inventory()
    source = b.write("x", "1")
    run = b.run("file", "upload", source, "/proc/nope/x", "-t", "web", *JSON)
    error = run.error()
    assert (error["kind"], error["issue_code"]) == ("puppetlabs.tasks/task_file_error", "WRITE_ERROR"), run
