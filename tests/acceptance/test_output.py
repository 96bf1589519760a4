"""Section 2 of the checklist: results, JSON, human text, logs."""
import json
import re
import stat

from harness.bench import HANGS


def local(b, *names):
    b.inventory(json.dumps({"config": {"transport": "local"}, "targets": list(names)}))


def test_out_001_human_lines(b):
    """OUT-001, OUT-002, OUT-006, OUT-010, OUT-011, OUT-012"""
    run = b.run("command", "run", "echo hi; echo there", "-t", "localhost")
    lines = run.out.splitlines()
    assert lines[0] == "Started on localhost...", run
    assert lines[1:4] == ["Finished on localhost:", "  hi", "  there"], run
    assert lines[-2] == "Successful on 1 target: localhost" and re.fullmatch(r"Ran on 1 target in \d+\.\d{1,2} sec", lines[-1]), run
    assert "\x1b" not in run.out, "no colours in a pipe"


def test_out_003_failure_lines(b):
    """OUT-002, OUT-003, RES-006"""
    run = b.run("command", "run", "echo oops >&2; exit 7", "-t", "localhost")
    assert run.status == 1 and "Failed on localhost:" in run.out, run
    assert "  The command failed with exit code 7" in run.out and "  oops" in run.out, run
    assert "Failed on 1 target: localhost" in run.out, run


def test_out_006_blank_output_prints_nothing(b):
    """OUT-006"""
    run = b.run("command", "run", "true", "-t", "localhost")
    assert run.out.splitlines()[1].startswith("Finished on localhost") and "no result" not in run.out, run


def test_out_004_empty_task_result(b):
    """OUT-004, OUT-005, OUT-007"""
    b.task("empty.sh", "#!/bin/sh\necho '{}'\n")
    assert "Task completed successfully with no result" in b.run("task", "run", "site::empty", "-t", "localhost").out
    b.task("text.sh", "#!/bin/sh\necho just text\n")
    assert "  just text" in b.run("task", "run", "site::text", "-t", "localhost").out
    b.task("data.sh", "#!/bin/sh\necho '{\"b\": 1, \"a\": [true]}'\n")
    out = b.run("task", "run", "site::data", "-t", "localhost").out
    assert '"b": 1' in out and out.index('"b"') < out.index('"a"'), out


def test_out_010_two_targets(b):
    """OUT-010"""
    local(b, "a", "b")
    run = b.run("command", "run", "true", "-t", "a,b")
    assert "Successful on 2 targets: a,b" in run.out and "Ran on 2 targets in" in run.out, run


def test_opt_040_no_verbose(b):
    """OPT-040"""
    run = b.run("command", "run", "echo hi", "-t", "localhost", "--no-verbose")
    assert "Started on" not in run.out and "Successful on 1 target" in run.out, run


def test_jsn_001_json_stream(b):
    """JSN-001, RES-001"""
    local(b, "a", "b")
    run = b.run("command", "run", "exit 3", "-t", "a,b", "--format", "json")
    assert run.status == 1 and run.out.startswith('{ "items": ['), run
    data = run.json
    assert data["target_count"] == 2 and isinstance(data["elapsed_time"], int)
    error = data["items"][0]["value"]["_error"]
    assert error["kind"] == "puppetlabs.tasks/command-error" and error["issue_code"] == "COMMAND_ERROR"
    assert error["details"] == {"exit_code": 3} and error["msg"] == "The command failed with exit code 3"
    assert data["items"][0]["status"] == "failure" and data["items"][0]["object"] == "exit 3"


def test_res_019_bytes_are_escaped_only_when_shown(b):
    """RES-019, SH-030"""
    run = b.run("command", "run", r"printf 'a\377\000b\303\251'", "-t", "localhost", "--format", "json")
    assert run.value()["stdout"] == "a\\xFF\x00bé", run


def test_res_007_to_014_task_results(b):
    """RES-007, RES-009, RES-010, RES-011, RES-012, RES-013, RES-014, ERR-022, ERR-023, ERR-048"""
    def value(body):
        b.task("t.sh", "#!/bin/sh\n" + body)
        return b.run("task", "run", "site::t", "-t", "localhost", "--format", "json").value()
    assert value("echo '[1, 2]'") == {"_output": "[1, 2]\n"}
    assert value("echo '{\"a\": 1}'; echo noise >&2") == {"a": 1}
    for body, text in (("exit 4", "no output"), ("echo bad >&2; exit 4", "bad"), ("echo x; exit 4", "4")):
        error = value(body)["_error"]
        assert error["kind"] == "puppetlabs.tasks/task-error" and error["issue_code"] == "TASK_ERROR", error
        assert error["details"] == {"exit_code": 4} and text in error["msg"], error
    error = value("echo '{\"_error\": {\"msg\": \"m\"}}'")["_error"]
    assert error["kind"] == "bolt/error" and error["msg"] == "m", error
    error = value("echo '{\"_error\": \"just text\"}'")["_error"]
    assert error["kind"] == "bolt/invalid-task-error" and error["details"]["original_error"] == "just text", error
    run = b.run("task", "run", "site::t", "-t", "localhost", "--format", "json")
    assert run.status == 1
    assert value("echo '{\"_sensitive\": \"hush-hush\"}'")["_sensitive"] == "Sensitive [value redacted]"


def test_res_008_task_output_that_is_not_utf8(b):
    """RES-008"""
    b.task("t.sh", "#!/bin/sh\nprintf 'x\\377'\n")
    value = b.run("task", "run", "site::t", "-t", "localhost", "--format", "json").value()
    assert list(value) == ["_error"] and value["_error"]["kind"] == "puppetlabs.tasks/task-error", value


def test_jsn_008_task_show(b):
    """JSN-008, JSN-009, OUT-020, OUT-021, MOD-012, MOD-013, OPT-037"""
    b.task("alpha.sh", "#!/bin/sh\n", {"description": "First", "parameters": {
        "size": {"type": "Optional[Integer]", "description": "How big"}, "who": {"type": "String", "default": "me"}}})
    b.task("hidden.sh", "#!/bin/sh\n", {"private": True})
    b.task("plain.sh", "#!/bin/sh\n")
    shown = b.run("task", "show", "--format", "json").json
    assert ["site::alpha", "First"] in shown["tasks"] and ["site::plain", None] in shown["tasks"], shown
    assert not [t for t in shown["tasks"] if t[0] == "site::hidden"] and isinstance(shown["modulepath"], list)
    filtered = b.run("task", "show", "--filter", "alp", "--format", "json").json["tasks"]
    assert [t[0] for t in filtered] == ["site::alpha"], filtered
    one = b.run("task", "show", "site::alpha", "--format", "json").json
    assert one["name"] == "site::alpha" and one["metadata"]["description"] == "First", one
    assert one["files"][0]["path"].endswith("tasks/alpha.sh") and one["module_dir"] == str(b.project), one
    assert b.run("task", "show", "site::hidden").status == 0
    text = b.run("task", "show", "site::alpha").out
    for part in ("site::alpha", "First", "size", "Optional[Integer]", "How big", "who", "me"):
        assert part in text, text
    run = b.run("task", "show", "site::nope")
    assert run.status == 1 and "site::nope" in run.out, run
    assert b.run("task", "show", "--filter", "A B").status == 1


def test_jsn_014_inventory_show(b):
    """JSN-014, JSN-015, OUT-025, OUT-026, CLI-007, OPT-007"""
    b.inventory("config: {transport: local}\ngroups:\n  - name: g\n    targets:\n      - {name: n1, uri: 'h1', vars: {v: 1}, facts: {f: 2}, features: [x]}\n")
    shown = b.run("inventory", "show", "-t", "g,extra", "--format", "json").json
    assert shown["inventory"]["targets"] == ["n1"] and shown["adhoc"] == {"count": 1, "targets": ["extra"]}, shown
    assert shown["count"] == 2 and shown["targets"] == ["n1", "extra"], shown
    assert b.run("inventory", "show", "--format", "json").json["targets"] == ["n1"]
    detail = b.run("inventory", "show", "-t", "n1", "--detail", "--format", "json").json["targets"][0]
    assert list(detail) == ["name", "uri", "alias", "config", "vars", "features", "facts", "plugin_hooks", "groups"], detail
    assert detail["vars"] == {"v": 1} and detail["groups"] == ["g", "all"] and detail["config"]["transport"] == "local"
    text = b.run("inventory", "show", "-t", "g,extra").out
    assert "n1" in text and "adhoc" in text and "2 total, 1 from inventory, 1 adhoc" in text, text


def test_jsn_024_fatal_error_in_json(b):
    """JSN-024, OUT-031, ERR-003"""
    b.inventory("targets: 5\n")
    error = b.run("command", "run", "true", "-t", "all", "--format", "json").json
    assert {"kind", "msg", "details"} <= set(error), error


def test_out_033_rainbow_is_plain_in_a_pipe(b):
    """OUT-033"""
    run = b.run("command", "run", "echo hi", "-t", "localhost", "--format", "rainbow")
    assert "\x1b" not in run.out and "Successful on 1 target: localhost" in run.out, run
    text, _ = b.terminal("command", "run", "echo hi", "-t", "localhost", "--format", "rainbow")
    assert "\x1b[38;" in text, text


def test_out_034_rainbow_guides_do_not_crash(b):
    """OUT-034: Bolt crashes here"""
    assert b.run("guide", "inventory", "--format", "rainbow").status == 0


def test_out_032_colours_on_a_terminal(b):
    """OUT-032, OPT-039"""
    text, status = b.terminal("command", "run", "echo hi; exit 1", "-t", "localhost")
    assert status == 1 and "\x1b[31m" in text and "\x1b[32m" in text, text
    text, _ = b.terminal("command", "run", "echo hi", "-t", "localhost", "--no-color")
    assert "\x1b[3" not in text, text


def test_live_line_on_a_terminal_only(b):
    """OUT-029, CFG-044: done, running and failed while it works; gone at the end; nothing of it in a pipe"""
    local(b, *[f"n{i}" for i in range(4)])
    text, status = b.terminal("command", "run", "sleep 0.6", "-t", "all", "--concurrency", "2")
    assert status == 0 and "\r" in text and "Successful on 4 targets" in text, text
    b.write("project/bolt-project.yaml", "name: site\nspinner: false\n")
    quiet, _ = b.terminal("command", "run", "sleep 0.6", "-t", "all")
    assert "\x1b[K" not in quiet and "\x1b[2K" not in quiet, quiet


def test_ndjson_events(b):
    """--format ndjson: one event a line"""
    local(b, "a", "b")
    run = b.run("command", "run", "echo x", "-t", "a,b", "--format", "ndjson", "--stream")
    events = [json.loads(line) for line in run.out.splitlines()]
    kinds = [e["event"] for e in events]
    assert kinds.count("result") == 2 and kinds[-1] == "summary" and "started" in kinds and "output" in kinds, run


def test_out_050_stream(b):
    """OUT-050, OPT-041, CFG-045"""
    run = b.run("command", "run", "echo one; echo two >&2", "-t", "localhost", "--stream")
    assert "[localhost] out: one" in run.out and "[localhost] err: two" in run.out, run
    assert "experimental" not in run.err and run.err == "", run
    assert "[localhost] out:" not in (b.project / "bolt-debug.log").read_text(), "streamed lines are for the screen"


def test_failures_are_grouped(b):
    """More than five failures with the same error are said once, with all the names"""
    local(b, *[f"n{i}" for i in range(8)])
    run = b.run("command", "run", "exit 9", "-t", "all")
    assert "Failed on 8 targets: n0,n1,n2,n3,n4,n5,n6,n7" in run.out, run


def test_log_002_console_and_levels(b):
    """LOG-001, LOG-002, OPT-045"""
    quiet = b.run("command", "run", "true", "-t", "localhost")
    assert quiet.err == "", quiet
    loud = b.run("command", "run", "true", "-t", "localhost", "--log-level", "debug")
    assert loud.err and "\x1b" not in loud.err, loud
    assert b.run("command", "run", "true", "-t", "localhost", "--log-level", "shout").status == 1


def test_log_003_files(b):
    """LOG-003, LOG-004, LOG-005, LOG-006, LAY-013, CFG-030"""
    b.write("project/bolt-project.yaml", "name: site\nlog:\n  run.log: {level: debug}\n  again.log: {level: debug, append: false}\n")
    for _ in range(2):
        b.run("command", "run", "echo hi", "-t", "localhost")
    text = (b.project / "run.log").read_text()
    assert re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6} \w+", text), text
    assert len(text) > 1.5 * len((b.project / "again.log").read_text()), "append and truncate"
    debug = b.project / "bolt-debug.log"
    assert debug.exists() and stat.S_IMODE(debug.stat().st_mode) & 0o077 == 0
    debug.unlink()
    b.write("project/bolt-project.yaml", "name: site\nlog:\n  bolt-debug.log: disable\n")
    b.run("command", "run", "true", "-t", "localhost")
    assert not debug.exists()


def test_log_008_warnings_can_be_disabled(b):
    """LOG-008, CFG-025"""
    b.write("project/bolt-project.yaml", "name: site\nnonsense: 1\n")
    assert "[ID: unknown_option]" in b.run("inventory", "show").err
    b.write("project/bolt-project.yaml", "name: site\nnonsense: 1\ndisable-warnings: [unknown_option]\n")
    assert b.run("inventory", "show").err == ""


def test_broken_pipe_is_quiet(b):
    """volley ... | head ends without noise"""
    import subprocess
    command = f"{b.volley} command run 'seq 1 200000' -t localhost --project {b.project} | head -n 1"
    done = subprocess.run(["/bin/sh", "-c", command], env=b.env, cwd=b.folder, capture_output=True, timeout=HANGS, check=False)
    assert done.stdout == b"Started on localhost...\n" and done.stderr == b"", done


def test_full_output_disk_is_reported(b):
    """A write error on stdout is an error, never a silent success"""
    import subprocess
    with open("/dev/full", "wb") as full:
        done = subprocess.run([b.volley, "command", "run", "echo hi", "-t", "localhost", "--project", b.project],
                              env=b.env, stdout=full, stderr=subprocess.PIPE, timeout=HANGS, check=False)
    assert done.returncode == 1 and b"space" in done.stderr.lower(), done
