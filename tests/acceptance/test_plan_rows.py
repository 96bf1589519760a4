"""Parts of rows of the checklist's section 7 that nothing else proves: the second form, the other error, the edge."""
import json

from test_plan_functions import evaluate, local


def test_pln_004_variables_of_catalogs(b):
    """PLN-004: each of the four has an error of its own"""
    for name in ("facts", "trusted", "server_facts", "settings"):
        error = evaluate(b, f"return ${name}")
        assert error["kind"] == "bolt/pal-error" and error["details"]["line"] == 2, error
        assert f"Variable '{name}' is not available in the current scope unless explicitly defined." in error["msg"], error


def test_fn_022_positional_targets(b):
    """FN-022: they are for $targets or $nodes; not when a plan has both, nor beside the same parameter by name"""
    local(b, 3)
    names = "get_targets($nodes).map |$t| { $t.name }"
    b.write("project/plans/n.pp", f"plan site::n(TargetSpec $nodes, Optional[String] $targets = undef) {{ return {names} }}\n")
    b.write("project/plans/old.pp", f"plan site::old(TargetSpec $nodes) {{ return {names} }}\n")
    b.write("project/plans/new.pp", f"plan site::new(TargetSpec $targets) {{ return {names.replace('nodes', 'targets')} }}\n")
    b.write("project/plans/none.pp", "plan site::none(Integer $n = 1) { return $n }\n")
    assert evaluate(b, "return [run_plan('site::old', 't0'), run_plan('site::new', ['t1', 't2'])]") == [["t0"], ["t1", "t2"]]
    assert evaluate(b, "return run_plan('site::n', 'nodes' => 't1')") == ["t1"]
    for call, says in (("'site::new', 't0', 'targets' => 't1'", "must not be specified in the named arguments hash"),
                       ("'site::none', 't0'", "has no parameter named 'nodes'")):
        error = evaluate(b, f"run_plan({call})")
        assert error["kind"] == "bolt/pal-error" and says in error["msg"], error
    b.write("project/plans/two.pp", "plan site::two(TargetSpec $nodes, TargetSpec $targets) { }\n")
    assert "with both a $nodes and $targets parameter" in evaluate(b, "run_plan('site::two', 't0')")["msg"]


def test_fn_023_arguments_of_scripts(b):
    """FN-023: arguments in their order and as they are; not beside pwsh_params; a folder is not a script"""
    local(b)
    b.write("project/files/s.sh", '#!/bin/sh\nprintf "[%s]" "$@"\n')
    value = evaluate(b, "return run_script('site/s.sh', 't0', 'arguments' => ['a b', '', \"x'y\", '$HOME']).first['stdout']")
    assert value == "[a b][][x'y][$HOME]", value
    error = evaluate(b, "run_script('site/s.sh', 't0', 'arguments' => ['a'], 'pwsh_params' => {'b' => 1})")
    assert error["kind"] == "bolt/validation-error" and "both 'arguments' and 'pwsh_params'" in error["msg"], error
    (b.project / "files/folder").mkdir()
    error = evaluate(b, "run_script('site/folder', 't0')")
    assert error["kind"] == "bolt/pal-error" and "site/folder" in error["msg"], error


def test_fn_025_parameters_for_each_target(b):
    """FN-025: what is wrong for one target is that target's failure, after the others; the block's parameters count"""
    local(b, 3)
    b.task("k.sh", '#!/bin/sh\necho "n=$PT_n"\n', {"parameters": {"n": {"type": "Integer"}}})
    block = "{ case $t.name { 't0': { 5 } 't1': { { 'n' => 'x' } } default: { { 'n' => 3 } } } }"
    value = evaluate(b, f"$r = run_task_with('site::k', 'all', 'n' => 9, _catch_errors => true) |$t| {block}\n"
                        "return $r.map |$one| { [$one.target.name, $one.ok, \"${one.message}${one.error}\"] }")
    assert [one[:2] for one in value] == [["t2", True], ["t0", False], ["t1", False]], value
    assert value[0][2] == "n=3\n" and "must return a Hash of parameters, received Integer" in value[1][2], value
    assert "'n' expects an Integer value, got String" in value[2][2], value


def test_fn_032_waiting_for_all_futures(b):
    """FN-032: without futures for all of the plan, with a time limit or none; FN-005: what they return must be a plan's result"""
    local(b)
    assert evaluate(b, "background('a') || { 1 }\nbackground('b') || { ctrl::sleep(0.2)\n 2 }\nreturn wait()") == [1, 2]
    late = evaluate(b, "background('a') || { ctrl::sleep(9) }\nreturn wait(0.2, '_catch_errors' => true)")
    assert [one["kind"] for one in late] == ["bolt/future-timeout-error"] and "'a' timed out after 0.2" in late[0]["msg"], late
    wrong = evaluate(b, "$f = background() || { Integer }\nreturn wait($f, '_catch_errors' => true)[0].kind")
    assert wrong == "bolt/invalid-plan-result", wrong


def test_fn_044_menus(b):
    """FN-044: the default must be on the menu, of a list and of a hash"""
    for menu in ("['a', 'b']", "{'x' => 'a', 'y' => 'b'}"):
        error = evaluate(b, f"prompt::menu('which', {menu}, 'default' => 'z')")
        assert error["kind"] == "bolt/validation-error" and "'z' is not one of the provided menu options" in error["msg"], error


def test_fn_002_groups(b):
    """FN-002, FN-011, FN-017: groups that are not there, the group all, more targets than one"""
    local(b)
    for code, kind, says in (("add_to_group('t0', 'nope')", "bolt.inventory/validation-error", "Group nope does not exist in inventory"),
                             ("remove_from_group(get_target('t0'), 'all')", "bolt.inventory/validation-error", "Cannot remove Target from Group 'all'"),
                             ("get_target(['t0', 't1'])", "bolt.inventory/validation-error", "refers to 2 targets"),
                             ("get_target('zz*')", "bolt.inventory/wildcard-error", "zz*")):
        error = evaluate(b, code)
        assert error["kind"] == kind and says in error["msg"], (code, error)


def test_dt_003_result_sets(b):
    """DT-003: every way to look into a set"""
    local(b, 3)
    value = evaluate(b, "$r = run_command('echo out', 'all')\n"
                        "return [$r[0].target.name, $r[0, 1].map |$x| { $x.target.name }, $r.first.target.name, $r.names,\n"
                        "  ($r.filter_set |$x| { $x.target.name != 't1' }).names, $r.find('t2').target.name, $r.find('zz'), $r.count,\n"
                        "  $r.ok_set.count, $r.error_set.empty, $r.targets.map |$t| { $t.name }, $r.ok, $r.to_data[1]['target'],\n"
                        "  $r.reduce(0) |$n, $x| { $n + 1 }]")
    assert value == ["t0", ["t0", "t1"], "t0", ["t0", "t1", "t2"], ["t0", "t2"], "t2", None, 3, 3, True, ["t0", "t1", "t2"],
                     True, "t1", 3], value


def test_dt_008_errors_match_by_kind_and_issue(b):
    """DT-008: Error[kind, issue_code] in a match; a kind may be a pattern"""
    types = ("Error['k']", "Error['k', 'CODE']", "Error['k', 'X']", "Error[/k/]", "Error[default, 'CODE']", "Error['no']")
    value = evaluate(b, "$e = catch_errors() || { fail_plan('m', 'k', {}, 'CODE') }\n"
                        f"return [$e.message, $e.issue_code, {', '.join(f'$e =~ {one}' for one in types)}]")
    assert value == ["m", "CODE", True, True, False, True, True, False], value


def test_pmd_005_only_plain_sensitive_parameters_are_wrapped(b):
    """PMD-005, LOG-009: a type that only contains Sensitive is reported, and the value is not wrapped"""
    b.write("project/plans/s.pp", "plan site::s(Optional[Sensitive[String]] $pw = undef) { return $pw }\n")
    run = b.run("plan", "run", "site::s", "pw=x", "--format", "json")
    assert run.status == 1 and "expects a value of type Undef or Sensitive[String], got String" in run.json["msg"], run
    assert "Parameter 'pw' is a complex type" in run.err and "[ID: unsupported_sensitive_type]" in run.err, run
    assert json.loads(run.out)["kind"] == "bolt/pal-error"
