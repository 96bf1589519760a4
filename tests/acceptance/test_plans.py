"""Section 7 of the checklist through the program: plans on local and SSH targets."""
import json
import os
import signal

from harness.bench import HANGS
from harness.patience import meeting, process_of, wait_for, wait_for_end
from harness.record import outcomes_in


def local(b, count=3):
    b.inventory(json.dumps({"config": {"transport": "local"}, "targets": [f"t{i}" for i in range(count)]}))


def plan(b, body, name="p", head=""):
    b.write(f"project/plans/{name}.pp", f"{head}plan site::{name}({body}\n")


def run(b, name="p", *words, fmt="json", **more):
    return b.run("plan", "run", f"site::{name}", *words, *(["--format", fmt] if fmt else []), **more)


def evaluate(b, code, *words):
    """What a plan with this body returns, or its error."""
    plan(b, ") {\n" + code + "\n}")
    return run(b, "p", *words).json


def test_pln_006_return_is_the_result(b):
    """PLN-001, PLN-006, PLN-007, JSN-006, OUT-013, OUT-017, EXIT-001"""
    assert evaluate(b, "return({'a' => [1, undef, true]})") == {"a": [1, None, True]}
    assert evaluate(b, "5") is None, "the last expression is not the result"
    shown = run(b, fmt=None)
    lines = shown.out.splitlines()
    assert lines[0] == "Starting: plan site::p" and lines[1].startswith("Finished: plan site::p in "), shown
    assert lines[2] == "Plan completed successfully with no result" and shown.status == 0, shown
    plan(b, ") { return 'x' }")
    assert run(b, fmt=None).out.splitlines()[2] == '"x"'
    error = evaluate(b, "return Integer")
    assert error["kind"] == "bolt/invalid-plan-result" and error["details"]["plan_name"] == "site::p", error


def test_pln_002_catalog_code_is_refused(b):
    """PLN-002, PLN-004, ERR-016"""
    error = evaluate(b, "notify { 'x': }")
    assert error["kind"] == "bolt/pal-error" and "only available when compiling a catalog" in error["msg"], error
    error = evaluate(b, "return $facts")
    assert "Variable 'facts' is not available in the current scope" in error["msg"], error
    assert error["details"]["line"] == 2 and error["details"]["file"].endswith("plans/p.pp"), error


def test_pmd_007_unknown_plans(b):
    """PMD-007, ERR-020, CLI-010, CLI-017"""
    result = b.run("plan", "run", "site::none", "--format", "json")
    assert result.status == 1 and result.json["kind"] == "bolt/unknown-plan", result
    assert b.run("plan", "run", "Site::x").status == 1
    assert "Must specify a plan to run" in b.run("plan", "run").out


def test_arg_006_parameters_of_plans(b):
    """ARG-006, PMD-005: JSON where the type takes it"""
    plan(b, "Integer $n, String $s = 'd', Optional[Array] $l = undef, Sensitive[String] $secret = Sensitive('x')) {\n"
            "  return [$n, $s, $l, $secret.unwrap, \"${secret}\"]\n}")
    assert run(b, "p", "n=5", "s=7", "l=[1]", "secret=pw").json == [5, "7", [1], "pw", "Sensitive [value redacted]"]
    assert run(b, "p", "--params", '{"n": 1}').json[:3] == [1, "d", None]
    error = run(b, "p", "n=x")
    assert error.status == 1 and "parameter 'n' expects an Integer value, got String" in error.json["msg"], error
    error = run(b, "p", "n=1", "zz=2").json
    assert error["kind"] == "bolt/pal-error" and "has no parameter named 'zz'" in error["msg"], error


def test_arg_008_nodes_and_targets_at_once(b):
    """ARG-008, LOG-009: neither is filled, with a warning"""
    local(b)
    plan(b, "TargetSpec $nodes = 'none', TargetSpec $targets = 'none') {\n  return [$nodes, $targets]\n}")
    result = run(b, "p", "-t", "t0")
    assert result.json == ["none", "none"] and "[ID: nodes_targets_parameters]" in result.err, result
    plan(b, "String $word = 'x') {\n  return $word\n}", "q")
    ignored = run(b, "q", "-t", "t0")
    assert ignored.json == "x" and ignored.status == 0 and ignored.err == "", "a plan that takes no targets ignores them"


def test_log_009_warnings_of_plans(b):
    """LOG-009, LOG-008: a future that failed and nobody waited for, an option that wait() does not have, an old tag"""
    plan(b, ") {\n  $f = background() || { fail_plan('in the back') }\n  catch_errors() || { wait($f, 5, 'whatever' => true) }\n}")
    result = run(b)
    assert "Error in future" in result.err and "[ID: errored_futures]" in result.err, result
    assert "whatever" in result.err and "[ID: plan_function_options]" in result.err, result
    plan(b, ") { }", "old", "# @private true\n")
    assert "[ID: plan_private_tag]" in b.run("plan", "show", "site::old").err


def test_arg_008_targets_of_the_command_line(b):
    """ARG-008, ARG-009, PMD-006, FN-012"""
    local(b)
    plan(b, "TargetSpec $targets) {\n  return get_targets($targets).map |$t| { $t.name }\n}")
    assert run(b, "p", "-t", "t0,t2").json == ["t0", "t2"]
    error = run(b, "p", "targets=t1", "-t", "t0").json
    assert error["kind"] == "bolt/cli-error", error
    plan(b, "TargetSpec $nodes) {\n  return get_targets($nodes).map |$t| { $t.name }\n}", "q")
    assert run(b, "q", "-t", "t1").json == ["t1"]
    error = run(b, "p", "targets=zz*").json
    assert error["kind"] == "bolt.inventory/wildcard-error", error


def test_fn_020_run_command_over_ssh(b):
    """FN-020, PLN-009, PLN-011, PLN-013, PLN-014, PLN-016, ERR-005, DT-002, DT-003, OUT-014, JSN-007"""
    b.ssh_inventory(names=("web1", "web2"))
    plan(b, ") {\n"
            "  $r = run_command('echo $GREETING', ['web1', 'web2'], 'greet', _env_vars => {'GREETING' => 'hi'})\n"
            "  out::message(\"${r.ok} ${r.count} ${r.names} ${r.first['stdout'].chomp} ${r.find('web2').status}\")\n"
            "  $none = run_command('x', [])\n"
            "  return [$r.map |$x| { $x['stdout'] }, $none.empty]\n}")
    result = run(b, fmt=None)
    assert "Starting: greet on web1, web2" in result.out and "Finished: greet with 0 failures in " in result.out, result
    assert "true 2 [web1, web2] hi success" in result.out, result
    error = evaluate(b, "run_command('exit 3', 'web1')")
    assert error["kind"] == "bolt/run-failure" and error["msg"] == "run_command 'exit 3' failed on 1 target", error
    failed = error["details"]["result_set"][0]
    assert failed["value"]["_error"]["details"]["line"] == 2 and failed["value"]["exit_code"] == 3, failed
    assert list(failed["value"]["_error"]["details"]) == ["file", "line", "exit_code"], failed
    assert error["details"]["action"] == "run_command" and error["details"]["line"] == 2, error
    caught = evaluate(b, "return run_command('exit 3', 'web1', _catch_errors => true)")
    assert caught[0]["status"] == "failure", caught


def test_fn_006_catch_errors(b):
    """FN-006, FN-009, DT-008"""
    local(b)
    assert evaluate(b, "$e = catch_errors() || { fail_plan('no', 'my/kind', {'a' => 1}) }\n"
                       "return [$e.msg, $e.kind, $e.details, $e =~ Error['my/kind']]") == ["no", "my/kind", {"a": 1}, True]
    assert evaluate(b, "return catch_errors(['other']) || { 5 }") == 5
    assert evaluate(b, "catch_errors(['other']) || { fail_plan('no') }")["kind"] == "bolt/plan-failure"
    # A mistake in the plan's code is not caught.
    assert evaluate(b, "catch_errors() || { $nothing }")["kind"] == "bolt/pal-error"
    names = evaluate(b, "$e = catch_errors() || { run_command('[ $(echo t1) = nope ]', 'all') }\n"
                        "return $e.details['result_set'].error_set.names")
    assert names == ["t0", "t1", "t2"], names


def test_fn_022_plans_in_plans(b):
    """FN-022, PMD-008, PLN-018"""
    local(b)
    plan(b, "TargetSpec $targets, Integer $n = 1) {\n  $outer = 'inner'\n  return \"${n} ${get_targets($targets).length}\"\n}", "sub")
    plan(b, ") { fail_plan('sub failed', 'sub/kind') }", "bad")
    assert evaluate(b, "$outer = 'mine'\n$r = run_plan('site::sub', 't0,t1', 'n' => 4)\nreturn [$r, $outer]") == ["4 2", "mine"]
    assert evaluate(b, "return run_plan('site::bad', _catch_errors => true).kind") == "sub/kind"
    assert evaluate(b, "run_plan('site::bad')")["kind"] == "sub/kind"
    result = run(b, fmt=None)
    assert result.out.count("Starting: plan") == 2 and result.out.count("Finished: plan") == 2, result
    # Compatibility: what is wrong before the plan begins is not caught.
    for call, kind in (("'site::none'", "bolt/unknown-plan"), ("'site::sub', 'none*'", "bolt.inventory/wildcard-error")):
        error = evaluate(b, f"run_plan({call}, _catch_errors => true)\nreturn 'caught'")
        assert error["kind"] == kind and error["details"]["line"] == 2, error
    assert evaluate(b, "run_plan('site::none')")["kind"] == "bolt/unknown-plan"


def test_fn_005_background_and_wait(b):
    """FN-005, FN-032, DT-007, ERR-011, ERR-012, ERR-013"""
    local(b)
    meet = meeting(b, 4)  # of the three and of the plan itself: they overlap
    value = evaluate(b, f"$fs = [1, 2, 3].map |$i| {{ background(\"f${{i}}\") || {{ run_command('{meet}', \"t${{$i - 1}}\")\n $i * 10 }} }}\n"
                        f"$states = $fs.map |$f| {{ $f.state }}\nrun_command('{meet}', 't0')\n$r = wait($fs)\n"
                        "return [$states, $r, $fs[0].state]")
    assert value == [["running"] * 3, [10, 20, 30], "done"], value
    error = evaluate(b, "$f = background() || { fail_plan('oh') }\nwait($f)")
    assert error["kind"] == "bolt/parallel-failure" and error["details"]["failed_indices"] == [0], error
    assert evaluate(b, "$f = background() || { fail_plan('oh') }\nreturn wait($f, _catch_errors => true)[0].msg") == "oh"
    value = evaluate(b, "$f = background('slow') || { run_command('sleep 900', 't0') }\nreturn wait($f, 0.5, _catch_errors => true)[0].msg")
    assert value == "Future 'slow' timed out after 0.5 seconds.", value
    error = evaluate(b, "$f = background() || { wait() }\nreturn wait($f, _catch_errors => true)[0].kind")
    assert error == "bolt/infinite-wait", error
    # The process waits for what the plan left behind.
    marker = b.folder / "done"
    evaluate(b, f"background() || {{ ctrl::sleep(0.3)\n file::write('{marker}', 'x') }}\nreturn 1")
    assert marker.exists()


def test_fn_013_parallelize(b):
    """FN-013: with the option concurrency that Bolt's users asked for"""
    local(b, 6)
    value = evaluate(b, f"return parallelize(['t0', 't1', 't2', 't3']) |$t| {{ run_command('{meeting(b, 4)}', $t)\n return $t }}")
    assert value == ["t0", "t1", "t2", "t3"], value
    counter = b.folder / "n"
    counter.mkdir()
    code = (f"return parallelize(range(0, 5), concurrency => 2) |$i| {{ $d = '{counter}'\n"
            "  $r = run_command(\"touch ${d}/x${i}; ls ${d} | wc -l; sleep 0.2; rm ${d}/x${i}\", \"t${i}\")\n"
            "  Integer($r.first['stdout'].chomp) }")
    code = code.replace("range(0, 5)", "[0, 1, 2, 3, 4, 5]")
    value = evaluate(b, code)
    assert len(value) == 6 and max(value) <= 2, value
    error = evaluate(b, "parallelize([1, 2]) |$i| { if $i == 2 { fail_plan('two') } }")
    assert error["kind"] == "bolt/parallel-failure" and error["details"]["failed_indices"] == [1], error
    assert error["msg"] == "parallel block failed on 1 target", error


def test_pln_015_files_scripts_tasks(b):
    """PLN-015, FN-023, FN-024, FN-025, FN-030, FN-035, FN-039, FN-040"""
    b.ssh_inventory(names=("web",))
    b.write("project/files/s.sh", "#!/bin/sh\necho script $1\n")
    b.task("t.sh", "#!/bin/sh\nprintf '{\"n\": \"%s\"}' \"$PT_n\"\n", {"input_method": "environment", "parameters": {"n": {"type": "Integer"}}})
    code = ("$s = run_script('site/s.sh', 'web', 'arguments' => ['one'])\n$t = run_task('site::t', 'web', 'n' => 3)\n"
            "$w = run_task_with('site::t', ['web', 'web']) |$x| { {'n' => $x.name.length} }\n"
            f"write_file('content', '{b.folder}/w', 'web')\nupload_file('site/s.sh', '{b.folder}/u', 'web')\n"
            f"$read = file::read('{b.folder}/w')\n"
            "return [$s.first['stdout'], $t.first['n'], $w.first['n'], $read, file::exists('site/s.sh'), file::exists('site/no'),\n"
            "  file::join('a', 'b/', '/c')]")
    assert evaluate(b, code) == ["script one\n", "3", "3", "content", True, False, "a/b/c"], run(b)
    error = evaluate(b, "run_task('site::t', 'web', 'n' => 'x')")
    assert error["kind"] == "bolt/pal-error" and "parameter 'n' expects an Integer value" in error["msg"], error
    error = evaluate(b, "run_script('site/nope.sh', 'web')")
    assert "No such file or directory: site/nope.sh" in error["msg"], error
    value = evaluate(b, "return run_task_with('site::t', 'web', _catch_errors => true) |$x| { {'n' => 'x'} }")
    assert value[0]["status"] == "failure" and "expects an Integer" in value[0]["value"]["_error"]["msg"], value
    error = evaluate(b, "download_file('/etc/hostname', '/abs', 'web')")
    assert error["kind"] == "bolt/validation-error", error
    assert evaluate(b, "return download_file('/etc/hostname', 'got', 'web').first['path']").endswith("downloads/got/web/hostname")


def test_inv_070_targets_in_plans(b):
    """INV-070 to INV-074, FN-001, FN-002, FN-008, FN-011, FN-017, FN-026 to FN-029, FN-031, FN-018, FN-019, DT-001, DT-006"""
    b.inventory(json.dumps({"groups": [{"name": "g", "vars": {"role": "web"}, "targets": ["a"]}], "config": {"transport": "local"}}))
    code = """
$t = Target.new('name' => 'fresh', 'config' => {'transport' => 'local'}, 'vars' => {'x' => 1})
add_to_group($t, 'g')
$a = get_target('a')
set_var($a, 'y', {'z' => 2})
add_facts($a, {'os' => {'family' => 'Debian'}})
add_facts($a, {'os' => {'name' => 'x'}})
set_feature($a, 'shiny')
set_config($a, ['local', 'tmpdir'], '/tmp')
set_resources($a, {'type' => 'file', 'title' => '/x', 'parameters' => {'ensure' => 'present'}})
$res = $a.resource('File', '/x')
$all = get_targets('g').map |$x| { $x.name }
remove_from_group($a, 'g')
return({
  'all' => $all, 'after' => get_targets('g').map |$x| { $x.name }, 'role' => $t.vars['role'], 'vars' => vars($a), 'facts' => facts($a),
  'features' => $a.features, 'transport' => $a.transport, 'res' => $res['ensure'], 'ref' => $res.reference,
  'tmpdir' => $a.transport_config['tmpdir'], 'same' => $a == get_target('a'), 'ran' => run_command('echo ok', $t).first['stdout']
})"""
    value = evaluate(b, code)
    assert value["all"] == ["a", "fresh"] and value["after"] == ["fresh"], value
    assert value["role"] == "web" and value["vars"]["y"] == {"z": 2}, value
    assert value["facts"]["os"] == {"family": "Debian", "name": "x"} and "shiny" in value["features"], value
    assert value["res"] == "present" and value["ref"] == "File[/x]" and value["tmpdir"] == "/tmp" and value["same"] is True, value
    assert value["ran"] == "ok\n", value


def test_fn_041_messages_and_logs(b):
    """FN-041, FN-042, FN-034, OUT-018, OUT-019, OUT-036, FN-036, FN-037, FN-045"""
    local(b)
    plan(b, ") {\n  out::message({'a' => [1, true]})\n  out::verbose('more')\n  log::warn('careful')\n"
            "  without_default_logging() || { run_command('true', 't0')\n out::message('inside') }\n"
            "  $n = ctrl::do_until('limit' => 3) || { false }\n  return [$n, system::env('NO_SUCH_THING')]\n}")
    quiet = run(b, fmt=None)
    assert "inside" in quiet.out and "Starting: command" not in quiet.out and "more" not in quiet.out, quiet
    for shown, code in (("(?-mix:a+)", "/a+/"), ("1.0e+20", "1.0e20"), ("true", "true"), ("7", "7"), ("", "undef")):  # as Ruby's to_s
        plan(b, f") {{ out::message({code}) }}", "shown")
        assert f"\n{shown}\n" in "\n" + run(b, "shown", fmt=None).out, code
    assert "careful" in quiet.err and '"a": [\n    1,\n    "true"\n  ]' in quiet.out, quiet
    assert "more" in b.run("plan", "run", "site::p", "-v").out
    assert run(b).json == [False, None]


def test_fn_043_prompt_without_a_terminal(b):
    """FN-043, FN-044, ERR-039"""
    assert evaluate(b, "prompt('who')")["kind"] == "bolt/no-tty-error"
    assert evaluate(b, "return prompt('who', 'default' => 'me')") == "me"
    assert evaluate(b, "return prompt::menu('which', ['a', 'b'], 'default' => 'b')") == "b"
    assert evaluate(b, "prompt::menu('which', [])")["kind"] == "bolt/validation-error"


def test_fn_033_wait_until_available(b):
    """FN-033: a target that is not there, and one that is"""
    b.ssh_inventory(names=("web",))
    value = evaluate(b, "return wait_until_available('web', 'wait_time' => 5).ok")
    assert value is True, value
    b.inventory(json.dumps({"targets": [{"name": "gone", "uri": "127.0.0.1:1"}], "config": {"ssh": {"host-key-check": False}}}))
    value = evaluate(b, "return wait_until_available('gone', 'wait_time' => 1, 'retry_interval' => 0.2, '_catch_errors' => true)")
    assert value[0]["value"]["_error"]["msg"] == "Timed out waiting for target", value


def test_plan_200_targets_in_parallel_plans(b):
    """200 targets, each in a plan of its own, at the same time"""
    local(b, 200)
    plan(b, "TargetSpec $t) { return run_command(\"echo ${t}\", $t).first['stdout'].chomp }", "one")
    value = evaluate(b, "return parallelize(get_targets('all')) |$t| { run_plan('site::one', 't' => $t.name) }")
    assert value == [f"t{i}" for i in range(200)], value


def test_plan_target_dies_between_steps(b):
    """One connection for the whole plan; a target that goes away fails alone"""
    b.ssh_inventory(names=("web",))
    code = (f"$first = run_command('echo $PPID', 'web').first['stdout']\n$second = run_command('echo $PPID', 'web').first['stdout']\n"
            "return $first == $second")
    assert evaluate(b, code) is True, "the same session serves both steps"
    code = ("$a = run_command('kill -9 $PPID', ['web'], _catch_errors => true)\n"
            "$b = run_command('echo back', 'web', _catch_errors => true)\nreturn [$a.ok, $b.first['stdout']]")
    assert evaluate(b, code) == [False, "back\n"], run(b)


def test_ctrl_c_in_a_parallel_block(b):
    """EXIT-005 differs: everything stops, remote processes too, and the plan does not go on"""
    b.ssh_inventory(names=("web",))
    alive, later = b.folder / "alive", b.folder / "later"
    plan(b, f") {{\n  parallelize([1, 2]) |$i| {{ run_command(\"echo \\$\\$ > {alive}${{i}}; while :; do sleep 0.1; done\", 'web') }}\n"
            f"  file::write('{later}', 'x')\n}}")
    child = b.start("plan", "run", "site::p", "--format", "json")
    processes = [process_of(b, b.folder / f"alive{i}") for i in (1, 2)]
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=HANGS)
    assert child.returncode == 130, out
    assert json.loads(out)["kind"] == "volley/interrupted" and not later.exists(), out
    wait_for_end(*processes)


def test_arg_011_rerun_file_of_plans(b):
    """ARG-011: the set inside a failure is remembered"""
    local(b)
    evaluate(b, "run_command('[ -n \"\" ]', 't1')")
    assert [r["target"] for r in json.loads((b.project / ".rerun.json").read_text())] == ["t1"]
    evaluate(b, "return 5")
    assert not (b.project / ".rerun.json").exists()


def test_pmd_001_plan_show(b):
    """PMD-001, PMD-002, PMD-003, PMD-004, JSN-010, JSN-011, OUT-022, OPT-037, MOD-012"""
    plan(b, "TargetSpec $targets, String $mode = 'fast', Sensitive[String] $pw = Sensitive('')) { }", "doc",
         "# Does things.\n#\n# @summary Short words\n# @param targets Where to\n#   run it\n# @param nope Gone\n# @api public\n")
    plan(b, ") { }", "hidden", "# @api private\n")
    listed = b.run("plan", "show", "--format", "json").json
    assert ["site::doc", "Short words"] in listed["plans"] and not any(n == "site::hidden" for n, _ in listed["plans"]), listed
    shown = b.run("plan", "show", "site::doc", "--format", "json")
    info = shown.json
    assert info["summary"] == "Short words" and info["docstring"] == "Does things." and info["private"] is False, info
    assert info["parameters"]["targets"] == {"type": "TargetSpec", "sensitive": False, "description": "Where to\nrun it"}, info
    assert info["parameters"]["mode"]["default_value"] == "'fast'" and info["parameters"]["pw"]["sensitive"] is True, info
    assert "missing_plan_parameter" in shown.err, shown
    text = b.run("plan", "show", "site::doc").out
    assert "volley plan run site::doc [mode=<value>] [pw=<value>] targets=<value>" in text, text
    assert b.run("plan", "show", "site::none").status == 1


def test_plan_log_and_resume(b):
    """--plan-log records what was finished; --resume takes it from there, and refuses a changed plan (kill -9 on the way)"""
    local(b)
    count = b.folder / "count"
    slow = b.write("slow.sh", f"echo $$ > {b.folder}/slow\nexec sleep 900\n")
    body = (f") {{\n  $a = run_command('echo x >> {count}; echo first', 't0')\n  run_command('/bin/sh {slow}', 't1')\n"
            "  return $a.first['stdout']\n}")
    plan(b, body)
    child = b.start("plan", "run", "site::p", "--plan-log", b.folder / "log", "--format", "json")
    wait_for(lambda: outcomes_in(b.folder / "log"), "the record of the first step")
    process_of(b, b.folder / "slow")
    child.kill()
    child.communicate(timeout=HANGS)
    plan(b, body.replace(f"/bin/sh {slow}", "true"))
    changed = run(b, "p", "--resume", b.folder / "log")
    assert changed.json == "first\n" and count.read_text() == "x\n", changed
    plan(b, body.replace("echo first", "echo other").replace(f"/bin/sh {slow}", "true"))
    refused = run(b, "p", "--resume", b.folder / "log").json
    assert refused["kind"] == "volley/resume-error" and "step 1 is now" in refused["msg"], refused
    plan(b, ") { }", "q")
    assert run(b, "q", "--resume", b.folder / "log").json["kind"] == "volley/resume-error"


def test_plan_check_and_graph(b):
    """plan check: unknown tasks, plans, parameters and unused variables; plan graph: who calls whom"""
    b.task("t.sh", "#!/bin/sh\n", {"parameters": {"n": {"type": "Integer"}}})
    plan(b, "String $who) { run_task('site::t', 'localhost', 'n' => 1) }", "sub")
    plan(b, ") {\n  $unused = 5\n  run_task('site::none', 'localhost')\n  run_task('site::t', 'localhost', 'm' => 1)\n"
            "  run_plan('site::sub', 'who' => 'x')\n  run_plan('site::sub', 'nobody' => 'x')\n}")
    found = b.run("plan", "check", "site::p", "--format", "json")
    lines = {(f["line"], f["level"]) for f in found.json}
    assert found.status == 1 and lines == {(2, "warning"), (3, "error"), (4, "error"), (6, "error")}, found
    assert b.run("plan", "check", "site::sub").out.strip() == "1 plan checked, no problem"
    graph = {e["plan"]: e for e in b.run("plan", "graph", "site::p", "--format", "json").json}
    assert graph["site::p"]["plans"] == ["site::sub"] and graph["site::sub"]["tasks"] == ["site::t"], graph


def checked(b, body, params=""):
    """{line: message} of what plan check finds in a plan with that body."""
    plan(b, f"{params}) {{\n{body}\n}}")
    return {f["line"]: f["message"] for f in b.run("plan", "check", "site::p", "--format", "json").json}


def test_plan_check_types(b):
    """plan check: values that cannot fit a task's or plan's parameter, whatever the run; nothing that may fit"""
    b.task("t.sh", "#!/bin/sh\n", {"parameters": {"n": {"type": "Integer[1, 10]"}, "mode": {"type": "Optional[Enum[fast, slow]]"},
                                                  "list": {"type": "Optional[Array[String]]"}, "any": {}}})
    plan(b, "Integer $n, Optional[String] $s = undef, TargetSpec $targets = 'all', Hash[String, Integer] $h = {}) { }", "sub")
    run_t = "run_task('site::t', 'localhost', "
    wrong = {
        run_t + "'n' => 'five')": "parameter 'n' expects an Integer value, got String",
        run_t + "'n' => 11)": "parameter 'n' must be between 1 and 10, got 11",
        run_t + "'n' => \"${facts}\")": "parameter 'n' expects an Integer value, got String",
        run_t + "'n' => $text)": "parameter 'n' expects an Integer value, got String",
        run_t + "'n' => 1, 'mode' => 'warp')": "parameter 'mode' must be 'fast' or 'slow', got 'warp'",
        run_t + "'n' => 1, 'list' => ['a', 5])": "parameter 'list' ",
        run_t + "'n' => 1, 'list' => $number > 5)": "parameter 'list' expects",
        run_t + "'mode' => 'fast')": "needs the parameter 'n'",
        "run_plan('site::sub', 'n' => '5')": "parameter 'n' expects an Integer value, got String",
        "run_plan('site::sub', 'n' => 5, 's' => [1])": "parameter 's' expects",
        "run_plan('site::sub', 'n' => 5, 'targets' => {})": "parameter 'targets' expects",
        "run_plan('site::sub', 'n' => 5, 'h' => {'a' => 'b'})": "parameter 'h' ",
        "run_plan('site::sub')": "needs the parameter 'n'",
        "run_plan('site::sub', 'localhost')": "needs the parameter 'n'",
        "run_plan('site::sub', 'localhost', 'n' => 1, 'targets' => 'x')": "gets 'targets' twice",
    }
    head = "String $text, Integer $number, Optional[Integer] $maybe = undef, $unknown = 1, Hash $options = {}"
    for call, problem in wrong.items():
        found = checked(b, call, head)
        assert list(found) == [2] and problem in found[2], (call, found)
    for call in (run_t + "'n' => $number)", run_t + "'n' => $maybe)", run_t + "'n' => $unknown)", run_t + "'n' => $number + 1, 'mode' => undef)",
                 run_t + "'n' => 1, 'list' => ['a', $text], 'any' => {'x' => [1]})", run_t + "$options)", run_t + "'n' => if $number > 1 { 1 } else { 2 })",
                 "run_plan('site::sub', 'n' => 5, 's' => undef, 'targets' => get_targets('all'))", "run_plan('site::sub', $options)",
                 "run_plan('site::sub', get_targets('all'), 'n' => $number)", "run_plan('site::sub', $unknown)",
                 "$x = 'a'\n[1].each |$x| { " + run_t + "'n' => $x) }\nout::message($x)", "run_plan('site::sub', 'localhost', $options)"):
        assert checked(b, call, head) == {}, call


def test_plan_check_of_yaml_plans(b):
    """plan check: the same for steps of YAML plans, with their lines"""
    b.task("t.sh", "#!/bin/sh\n", {"parameters": {"n": {"type": "Integer"}, "s": {"type": "Optional[String]"}}})
    plan(b, "Integer $n, TargetSpec $targets) { }", "sub")
    b.write("project/plans/y.yaml", "parameters: {word: {type: String}, n: {type: Integer}}\nsteps:\n"
            "  - task: site::t\n    targets: all\n    parameters: {n: $word}\n"
            "  - task: site::t\n    targets: all\n    parameters: {n: $n, s: plain, x: 1}\n"
            "  - task: site::gone\n    targets: all\n"
            "  - plan: site::sub\n    parameters: {n: \"5\"}\n"
            "  - plan: site::sub\n    targets: all\n    parameters:\n      n: |\n        1 + 1\n")
    found = [(f["line"], f["message"]) for f in b.run("plan", "check", "site::y", "--format", "json").json]
    wanted = [(5, "parameter 'n' expects an Integer value, got String"), (6, "has no parameter 'x'"), (9, "Could not find a task named 'site::gone'"),
              (11, "needs the parameter 'targets'"), (12, "parameter 'n' expects an Integer value, got String")]
    assert [line for line, _ in found] == [line for line, _ in wanted], found
    assert all(text in message for (_, text), (_, message) in zip(wanted, found)), found


def test_plan_check_of_variables(b):
    """plan check: variables that nothing uses; those that an apply block may see are used"""
    b.write("project/manifests/init.pp", "class site { }\n")
    assert checked(b, "$a = 1\n$b = 2\n$c = $b\nout::message(\"${a}\")") == {4: "The variable $c is set and never used"}
    assert checked(b, "[$x, $y] = [1, 2]\nout::message(@(\"END\"))\n  ${x}\n  | END") == {2: "The variable $y is set and never used"}
    assert checked(b, "$seen = 1\napply('localhost') { include site }\n$late = 1") == {4: "The variable $late is set and never used"}
    assert checked(b, "$_ignored = 1\n[1].each |$unused| { }") == {}


def test_bnd_modules(b):
    """BND-001, BND-002, BND-010 to BND-013, BND-016, ENV-011: the modules that ship with the program"""
    local(b, 4)
    value = b.run("plan", "run", "aggregate::count", "command=echo same", "targets=all", "--format", "json").json
    assert value["stdout"] == {"same\n": 4} and value["exit_code"] == {"0": 4}, value
    value = b.run("plan", "run", "aggregate::targets", "command=true", "targets=t0,t1", "--format", "json").json
    assert value["exit_code"] == {"0": ["t0", "t1"]}, value
    error = b.run("plan", "run", "aggregate::count", "targets=all", "--format", "json").json
    assert error["kind"] == "aggregate/invalid-params", error
    value = b.run("plan", "run", "canary", "command=true", "targets=all", "canary_size=2", "--format", "json").json
    assert len(value) == 4 and all(r["status"] == "success" for r in value), value
    error = b.run("plan", "run", "canary", "command=false", "targets=all", "--format", "json").json
    kinds = sorted(r["value"]["_error"]["kind"] for r in error["details"]["result_set"])
    assert error["kind"] == "bolt/run-failure" and kinds == ["canary/skipped-target"] * 3 + ["puppetlabs.tasks/command-error"], error
    facts = b.run("plan", "run", "facts", "targets=t0", "--format", "json").json[0]["value"]
    assert facts["os"]["name"] and facts["os"]["release"]["full"] and facts["kernelrelease"] == os.uname().release, facts
    status = b.run("task", "run", "package", "action=status", "name=bash", "-t", "t0", "--format", "json").value("t0")
    assert status["status"] in ("up to date", "out of date", "uninstalled"), status
    assert b.run("task", "run", "reboot::last_boot_time", "-t", "t0", "--format", "json").value("t0")["_output"].strip().isdigit()
    secret = b.run("plan", "run", "secure_env_vars", "command=echo $X", "targets=t0", "--format", "json", env={"BOLT_ENV_VARS": '{"X": "y"}'})
    assert secret.json[0]["value"]["stdout"] == "y\n", secret
