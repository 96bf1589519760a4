"""What plans say when something is wrong: their own words, who, why and where (BOLT-4, BOLT-5, BOLT-6, USER-B3, CODE-2)."""
import json
import re
import signal

from harness.bench import HANGS
from harness.patience import wait_for
from test_plans import evaluate, local, plan, run


def test_what_a_function_raises_is_shown_in_its_own_words(b):
    """BOLT-5: the message of fail(), of a type, of wrong arguments, of a plan that is run; the position is in the details"""
    local(b)
    plan(b, "Integer $n) { }", "sub")
    for code, msg in [("fail('x')", "x"), ("Integer('abc')", "cannot be converted to Integer"),
                      ("split(5, ',')", "'split' parameter 'str' expects"), ("run_plan('site::sub', 'n' => 'x')", "site::sub: parameter 'n' expects an Integer"),
                      ("dir::children('/nowhere')", "No such file or directory @ dir_initialize - /nowhere"),
                      ("file::delete('/nowhere')", "No such file or directory @ apply2files - /nowhere"),
                      ("ctrl::sleep(-1)", "time interval must not be negative"),
                      ("parallelize([1]) |$x| { fail(\"p${x}\") }", "p1")]:
        error = evaluate(b, "  " + code)
        assert error["kind"] == "bolt/pal-error" and msg in error["msg"], (code, error)
        assert not error["msg"].startswith("Evaluation Error") and "(file:" not in error["msg"], (code, error)
        details = error["details"]
        assert details["file"].endswith("plans/p.pp") and details["line"] == 2 and details["column"] >= 3, (code, error)
    own = evaluate(b, "  $x = $nope")
    assert own["msg"].startswith("Evaluation Error: Unknown variable: 'nope'"), own
    plan(b, ") {\n  fail('x')\n}")
    assert re.search(r"\nx\n  \(file: .*p\.pp, line: 2, column: 3\)\n", "\n" + run(b, "p", fmt=None).out), "the line below"


def test_what_functions_log_has_no_place(b):
    """As Bolt: a place follows only what the language itself warns of"""
    local(b)
    plan(b, """) {
  warning('own words')
  err('worse')
  apply('localhost', '_noop' => true, '_catch_errors' => true) {
    warning('of a catalog')
    $sum = '1' + 1
  }
}
""")
    answer = run(b, "p", fmt=None)
    lines = (answer.out + answer.err).splitlines()
    assert "own words" in lines and "worse" in lines, lines
    assert "localhost: Scope(Class[main]): of a catalog" in lines, lines
    assert any(re.search(r"coerced to the numerical value 1 \(file: .*p\.pp, line: 6, column: \d+\)", line) for line in lines), lines


def test_catalogs_that_do_not_compile_say_why(b):
    """BOLT-5, USER-B3: "Apply failed to compile for T: no (file, line, column)"; bolt/apply-failure and the result's message
    are the targets' messages"""
    b.inventory(json.dumps({"targets": [{"name": "web", "config": {"transport": "local"}, "features": ["puppet-agent"]}]}))
    error = evaluate(b, "  apply('web') {\n    fail('no')\n  }")
    assert error["kind"] == "bolt/apply-failure", error
    assert re.fullmatch(r"Apply failed to compile for web: no \(file: .*p\.pp, line: 3, column: 5\)", error["msg"]), error
    caught = evaluate(b, "  $e = catch_errors() || { apply('web') { fail('no') } }\n  return $e.msg")
    assert caught.startswith("Apply failed to compile for web: no (file: "), caught
    message = evaluate(b, "  return apply('web', '_catch_errors' => true) { fail('no') }.first.message")
    assert message.startswith("Apply failed to compile for web: no"), message
    refused = evaluate(b, "  apply('web') {\n    get_targets('all')\n  }")
    assert re.search(r"line: 3, column: \d", refused["msg"]), refused
    wrong = b.run("apply", "-e", "file {", "-t", "web", "--format", "json")
    assert wrong.status == 1 and "Failed to parse manifest: Syntax error at end of input" in wrong.out + wrong.err, wrong


def test_code_in_yaml_plans_is_checked_when_they_are_loaded(b):
    """BOLT-4: names without effect, assignments to match variables, classes, resources, in steps and in return"""
    local(b)
    ran = b.folder / "ran"
    for code, says in [("def not_puppet", "This Name has no effect"), ("$a b", "has no effect"),
                       ("$0 = 1", "Illegal attempt to assign"), ("$Foo = 1", "Illegal"),
                       ("class foo {}", "only available when compiling a catalog"),
                       ("file { '/x': }", "only available when compiling a catalog")]:
        for where in ("  - name: m\n    message: |\n      CODE\n", "  - name: m\n    eval: |\n      CODE\n",
                      "  - name: m\n    task: site::t\n    targets: t0\n    parameters:\n      deep:\n        - |\n          CODE\n",
                      "return: |\n  CODE\n"):
            b.write("project/plans/y.yaml", f"steps:\n  - command: touch {ran}\n    targets: t0\n" + where.replace("CODE", code))
            found = run(b, "y")
            assert found.status == 1 and found.json["kind"] == "bolt/invalid-plan" and says in found.json["msg"], (code, where, found)
            assert not ran.exists(), "nothing has run"
    assert "Error parsing \"return\"" in b.run("plan", "show", "site::y").err + b.run("plan", "show", "site::y").out
    b.write("project/plans/y.yaml", "steps:\n  - eval: |\n      $x = 5\n      $x + 1\n    name: n\nreturn: |\n  $y = $n\n  $y\n")
    assert run(b, "y").json == 6


def test_parameters_with_an_underscore_are_options_of_the_run(b):
    """BOLT-6: _run_as, _noop, _catch_errors, _description on the command line and in --params; others are ignored"""
    local(b)
    b.task("t.sh", "#!/bin/sh\necho \"{\\\"x\\\": \\\"$PT_x\\\", \\\"noop\\\": \\\"$PT__noop\\\"}\"\n",
           {"supports_noop": True, "parameters": {"x": {"type": "Optional[String]"}}})
    b.task("plain.sh", "#!/bin/sh\ntrue\n", {"parameters": {}})
    task = ("task", "run", "site::t", "-t", "t0", "--format", "json")
    assert b.run(*task, "x=1", "_noop=true", "_bogus=1", "_task=zzz").value() == {"x": "1", "noop": "true"}
    assert b.run(*task, "--params", '{"x": "1", "_noop": false}').value() == {"x": "1", "noop": ""}
    refused = b.run("task", "run", "site::plain", "-t", "t0", "_noop=true", "--format", "json")
    assert "does not support noop" in refused.out + refused.err, refused
    nobody = b.run(*task, "_run_as=no_such_user_here", "x=1")
    assert nobody.status != 0 and nobody.json["items"][0]["status"] == "failure", nobody
    plan(b, "String $who) {\n  $r = run_command('true', 't0', '_catch_errors' => true)\n  return [$r.ok, $who]\n}")
    assert run(b, "p", "who=me", "_run_as=no_such_user_here").json == [False, "me"]
    plan(b, ") { fail_plan('no', 'my/kind') }")
    caught = run(b, "p", "--params", '{"_catch_errors": true}')
    assert caught.status == 0 and caught.json["kind"] == "my/kind", caught


def test_failed_steps_name_the_targets_the_reason_and_the_place(b):
    """USER-B3: also with _catch_errors and for steps beside each other, in red on a terminal"""
    local(b, 3)
    plan(b, ") {\n  run_command('echo noise; echo \"E: no space\" >&2; exit 3', ['t0', 't1'], 'restart', '_catch_errors' => true)\n"
            "  parallelize(['t1', 't2']) |$t| { run_command('sleep 0.1', $t).ok }\n"
            "  run_command('exit 4', 't2')\n}")
    shown = run(b, "p", fmt=None)
    for name in ("t0", "t1"):
        line = next(l for l in shown.out.splitlines() if l.startswith(f"Failed: restart on {name}"))
        assert "exit code 3: E: no space" in line and line.endswith("plans/p.pp:2]"), line
    assert re.search(r"Finished: command 'sleep 0.1' with 0 failures in .* on t1\n", shown.out), shown
    assert re.search(r"Failed: command 'exit 4' on t2: The command failed with exit code 4  \[.*plans/p.pp:4\]", shown.out), shown
    assert re.search(r"The plan stopped at .*plans/p.pp:4: run_command 'exit 4' failed", shown.out), shown
    assert "--plan-log FILE" in shown.out and "--resume FILE" in shown.out, shown
    recorded = run(b, "p", "--plan-log", "log", fmt=None)
    assert "run it again with --resume log" in recorded.out, recorded


def test_how_to_continue_is_said_where_something_has_begun(b):
    """USER-D: no "plan resume" after a plan that failed before its first step: there is nothing to resume, and an older run
    would be taken for it"""
    local(b)
    for body, resumed in (("run_commnd('true', 't0')", False), ("run_command('true', 't0'", False), ("fail_plan('at once')", False),
                          ("run_command('true', 't0')\nfail_plan('later')", True), ("run_command('false', 't0')", True)):
        plan(b, f") {{\n{body}\n}}")
        failed = run(b, fmt=None)
        assert failed.status == 1 and ("volley plan resume" in failed.out) == resumed, failed


def test_a_plan_with_wrong_parameters_does_not_start(b):
    """USER-D.2: neither "Starting: plan" nor "Finished: plan" around the message"""
    plan(b, "Integer $n, String $s = 'x') { return $n }")
    for words in (("n=x",), (), ("n=1", "m=2")):
        wrong = run(b, "p", *words, fmt=None)
        assert wrong.status == 1 and "site::p" in wrong.out + wrong.err and "ing: plan" not in wrong.out, wrong
    assert run(b, "p", "n=1").json == 1
    assert run(b, "p", "--params", '{"n": 1, "s": null}').json == 1, "null is as good as nothing where there is a default"


def test_times_beyond_all_clocks_are_for_ever(b):
    """CODE-2.1, CODE-2.2: wait(), ctrl::do_until and retry intervals do not overflow"""
    local(b)
    for huge in ("10000000000", "1e300"):
        assert evaluate(b, f"  $f = background() || {{ ctrl::sleep(0.2) 'done' }}\n  return wait($f, {huge})") == ["done"]
    late = evaluate(b, "  $f = background('slow') || { ctrl::sleep(900) }\n  wait($f, 0.1)")
    assert "Future 'slow' timed out after 0.1 seconds" in json.dumps(late), late
    plan(b, f") {{\n  ctrl::do_until('interval' => 10000000000) || {{ run_command('echo x >> {b.folder}/asked', 't0') false }}\n}}")
    child = b.start("plan", "run", "site::p")
    wait_for(lambda: (b.folder / "asked").exists(), "the block to run")
    plan(b, ") { ctrl::sleep(0.5) }", "q")
    run(b, "q")
    assert (b.folder / "asked").read_text() == "x\n", "it pauses"
    child.send_signal(signal.SIGINT)
    child.communicate(timeout=HANGS)


def test_background_has_the_variables_of_its_call(b):
    """BOLT-9: what is set later is unknown to the block, every time; what it sets itself may be called as something outside"""
    local(b)
    late = evaluate(b, "  $f = background() || { ctrl::sleep(0.3) out::message(\"${later}\") }\n  $later = 'x'\n  wait($f)")
    assert "Unknown variable: 'later'" in late["msg"], late
    at_once = evaluate(b, "  $f = background() || { run_command('true', 't0') $later }\n  $later = 'x'\n  wait($f)")
    assert "Unknown variable: 'later'" in at_once["msg"], at_once
    fine = evaluate(b, "  $before = 'b'\n  if 'foo' =~ /(fo)/ {\n    $f = background() || {\n      ctrl::sleep(0.1)\n      $own = \"${before}${1}\"\n"
                       "      $g = background() || { \"${own}!\" }\n      return wait($g)[0]\n    }\n    $own = 'mine'\n"
                       "    return [wait($f)[0], $own]\n  }")
    assert fine == ["bfo!", "mine"], fine
