"""Options and arguments of plan functions, and the types they return: section 7 of the checklist, row by row."""
import json

JSON = ("--format", "json")


def local(b, count=2):
    b.inventory(json.dumps({"config": {"transport": "local"}, "targets": [f"t{i}" for i in range(count)]}))


def evaluate(b, code, head="", **settings):
    """What a plan with this body returns, or its error."""
    b.write("project/plans/p.pp", f"plan site::p({head}) {{\n{code}\n}}\n")
    return b.run("plan", "run", "site::p", *JSON, **settings).json


def test_pln_008_target_specs(b):
    """PLN-008: a text, a Target, lists of lists of them; not an empty text; TargetSpec and PlanResult are names of types"""
    local(b, 3)
    nested = "[['t0', [get_target('t1')]], 't2,t0']"
    assert evaluate(b, f"return run_command('true', {nested}).names") == ["t0", "t1", "t2"]
    assert evaluate(b, f"return [{nested} =~ TargetSpec, [] =~ TargetSpec, '' =~ TargetSpec, [''] =~ TargetSpec, 5 =~ TargetSpec]") == \
        [True, True, False, False, False]
    assert evaluate(b, "return [TargetSpec == Boltlib::TargetSpec, run_command('true', 't0') =~ PlanResult, Integer =~ PlanResult]") == \
        [True, True, False]
    for wrong, says in (("''", "must not be empty"), ("['t0', '']", "index 1 must not be empty"), ("5", "TargetSpec"), ("undef", "TargetSpec")):
        error = evaluate(b, f"run_command('true', {wrong})")
        assert error["kind"] == "bolt/pal-error" and "'targets'" in error["msg"] and says in error["msg"], (wrong, error)


def test_pln_010_underscores_of_options(b):
    """PLN-010: run_command takes options with and without an underscore; scripts, tasks and copies know only those with one"""
    local(b)
    b.write("project/files/s.sh", "#!/bin/sh\necho \"v=$V\"\nexit 3\n")
    b.task("t.sh", "#!/bin/sh\necho \"given=$PT_catch_errors\"\nexit 3\n")
    for options in ("_env_vars => {'V' => 'x'}, _catch_errors => true", "env_vars => {'V' => 'x'}, catch_errors => true"):
        assert evaluate(b, f"return run_command('echo $V; exit 3', 't0', {options}).first['stdout']") == "x\n", options
    # Where only the underscore counts, a word without one is not an option: the failure is not caught.
    refused = {
        "run_script('site/s.sh', 't0', env_vars => {'V' => 'x'}, catch_errors => true)": "bolt/run-failure",
        "run_task('site::t', 't0', catch_errors => true)": "bolt/run-failure",
        "upload_file('site/s.sh', '/nowhere/at/all', 't0', catch_errors => true)": "bolt/run-failure",
        "download_file('/nowhere', 'x', 't0', catch_errors => true)": "bolt/run-failure",
        "write_file('x', '/nowhere/at/all', 't0', catch_errors => true)": "bolt/run-failure",
    }
    for call, kind in refused.items():
        assert evaluate(b, call)["kind"] == kind, call
        caught = evaluate(b, f"return {call.replace('catch_errors', '_catch_errors')}.ok")
        assert caught is False, (call, caught)
    script = evaluate(b, "return run_script('site/s.sh', 't0', env_vars => {'V' => 'x'}, _catch_errors => true).first['stdout']")
    assert script == "v=\n", script
    task = evaluate(b, "return run_task('site::t', 't0', catch_errors => 'yes', _catch_errors => true).first['_output']")
    assert task == "given=yes\n", "it is a parameter of the task"


def test_pln_012_env_vars(b):
    """PLN-012: a hash with names as keys, also for scripts; lists and hashes become JSON"""
    local(b)
    b.write("project/files/s.sh", "#!/bin/sh\necho \"$A|$B|$C|$D\"\n")
    given = "_env_vars => {'A' => [1, 'x'], 'B' => {'k' => [true, undef]}, 'C' => 5, 'D' => true}"
    for call in ("run_command('echo \"$A|$B|$C|$D\"', 't0'", "run_script('site/s.sh', 't0'"):
        value = evaluate(b, f"return {call}, {given}).first['stdout']").rstrip("\n").split("|")
        assert [json.loads(word) for word in value] == [[1, "x"], {"k": [True, None]}, 5, True], (call, value)
        for wrong, problem in (("'A=1'", "must be a hash"), ("['A']", "must be a hash"), ("{1 => 'x'}", "must be strings: 1")):
            error = evaluate(b, f"{call}, _env_vars => {wrong})")
            assert error["kind"] == "bolt/validation-error" and problem in error["msg"], (call, wrong, error)


def test_pln_019_positions_are_printed_once(b):
    """PLN-019 differs: a position that the message names is not printed a second time"""
    b.write("project/plans/p.pp", "plan site::p() {\n  $x = 1\n  return $nothing\n}\n")
    run = b.run("plan", "run", "site::p")
    text = run.out + run.err
    assert run.status == 1 and text.count("p.pp") == 1 and "line: 3" in text, run
    details = b.run("plan", "run", "site::p", *JSON).json["details"]
    assert details["line"] == 3 and details["file"].endswith("plans/p.pp"), details


def test_fn_007_download_file(b):
    """FN-007: below downloads/ of the project, a folder for each target; what was there goes away; nothing outside"""
    b.ssh_inventory(names=("web1", "web2"))
    source = b.write("remote/data.txt", "fresh")
    call = f"return download_file('{source}', '%s', ['web1', 'web2'], 'fetch it').map |$r| {{ $r['path'] }}"
    old = b.write("project/downloads/got/web1/old.txt", "from before")
    hidden = b.write("project/downloads/got/.keep", "")
    beside = b.write("project/downloads/other/x", "another one's")
    paths = evaluate(b, call % "got")
    folder = b.project / "downloads" / "got"
    assert paths == [str(folder / name / "data.txt") for name in ("web1", "web2")], paths
    assert all(open(path).read() == "fresh" for path in paths)
    assert not old.exists() and hidden.exists() and beside.exists()
    assert evaluate(b, call % " deep/er ")[0] == str(b.project / "downloads/deep/er/web1/data.txt"), "blanks around it do not count"
    for name, problem in (("/abs", "must be a relative path, received absolute path /abs"), ("  ", "cannot be an empty string"),
                          ("a/../../b", "must not include path traversal"), (".", "must not include path traversal"),
                          ("./a", "must not include path traversal")):
        error = evaluate(b, call % name)
        assert error["kind"] == "bolt/validation-error" and problem in error["msg"], (name, error)
    error = evaluate(b, "download_file('/no/such/file', 'got', 'web1')")
    assert error["kind"] == "bolt/run-failure" and error["details"]["action"] == "download_file", error
    assert evaluate(b, f"return download_file('{source}', 'none', []).empty") is True


def test_fn_027_set_feature(b):
    """FN-027: added, taken away again, kept when it was there; the target is what comes back"""
    b.inventory(json.dumps({"config": {"transport": "local"}, "targets": [{"name": "t0", "features": ["given"]}]}))
    value = evaluate(b, "$t = get_target('t0')\n$same = set_feature($t, 'new') == $t\n$with = $t.features\n"
                        "set_feature($t, 'given', false)\nset_feature($t, 'never', false)\n"
                        "return [$same, $with, get_target('t0').features]")
    assert value[0] is True and {"given", "new"} <= set(value[1]), value
    assert "new" in value[2] and "given" not in value[2] and "never" not in value[2], value
    # A feature decides which of a task's files is used.
    b.task("pick.json", json.dumps({"implementations": [{"name": "special.sh", "requirements": ["special"]}, {"name": "plain.sh"}]}))
    b.task("special.sh", "#!/bin/sh\necho special\n")
    b.task("plain.sh", "#!/bin/sh\necho plain\n")
    run_pick = "run_task('site::pick', 't0').first['_output'].chomp"
    assert evaluate(b, f"$before = {run_pick}\nset_feature(get_target('t0'), 'special')\nreturn [$before, {run_pick}]") == \
        ["plain", "special"]
    assert "Boolean" in evaluate(b, "set_feature(get_target('t0'), 'x', 'yes')")["msg"]


def test_fn_038_dir_children(b):
    """FN-038: the names in a folder, sorted: an absolute path, a path in a module, or one in the project"""
    local(b)
    for name in ("b.txt", "a.txt", ".hidden", "sub/c.txt"):
        b.write(f"outside/{name}", "")
        b.write(f"project/data/{name}", "")
    b.write("project/modules/other/files/x", "")
    b.write("project/modules/other/metadata.json", "{}")
    assert evaluate(b, f"return dir::children('{b.folder}/outside')") == [".hidden", "a.txt", "b.txt", "sub"]
    assert evaluate(b, "return dir::children('data')") == [".hidden", "a.txt", "b.txt", "sub"]
    assert evaluate(b, "return [dir::children('other'), dir::children('other/files')]") == [["files", "metadata.json"], ["x"]]
    assert "data" in evaluate(b, "return dir::children('site')"), "the project is a module too"
    error = evaluate(b, "return dir::children('nowhere')")
    assert error["kind"] == "bolt/pal-error" and "No such file or directory" in error["msg"] and "nowhere" in error["msg"], error


DOCKER = "#!/bin/sh\ncase \"$*\" in *broken*) echo 'no such image' >&2; exit 125 ;; esac\necho \"args: $*\"\necho noise >&2\n"


def test_dt_005_container_result(b):
    """DT-005: what a ContainerResult has, of a container that ran well and of one that did not"""
    b.write("bin/docker", DOCKER, 0o755)
    path = {"PATH": f"{b.folder}/bin:{b.env['PATH']}"}
    asked = "[$r.ok, $r.status, $r.stdout, $r.stderr, $r['exit_code'], $r.error =~ Undef, $r.value.keys, $r =~ ContainerResult]"
    value = evaluate(b, f"$r = run_container('image', _cmd => 'say hi')\nreturn {asked}", env=path)
    assert value == [True, "success", "args: run image say hi\n", "noise\n", 0, True, ["stdout", "stderr", "exit_code"], True], value
    data = evaluate(b, "return run_container('image').to_data", env=path)
    assert data == {"object": "image", "status": "success",
                    "value": {"stdout": "args: run image\n", "stderr": "noise\n", "exit_code": 0}}, data
    failed = evaluate(b, "$r = run_container('broken', _catch_errors => true)\n"
                         "return [$r.ok, $r.status, $r.stdout, $r.error.kind, $r.error.msg, $r['_error']['details']['exit_code']]", env=path)
    assert failed[:4] == [False, "failure", None, "puppetlabs.tasks/container-error"], failed
    assert "no such image" in failed[4] and failed[5] == 125, failed


def test_dt_010_names_of_resource_types(b):
    """DT-010: only the first letter of a resource's type is a capital one, however it was written"""
    local(b)
    value = evaluate(b, "$t = get_target('t0')\n"
                        "$made = ResourceInstance.new('target' => $t, 'type' => 'my::SPECIAL', 'title' => 'x')\n"
                        "$t.set_resources({'type' => 'user', 'title' => 'Joe'})\n"
                        "return [$made.type, $made.reference, $t.resource('USER', 'Joe').reference, $t.resources.keys]")
    assert value == ["My::special", "My::special[x]", "User[Joe]", ["User[Joe]"]], value


def test_dt_002_results_made_by_plans(b):
    """DT-002: Result.new takes the target first and its value second, or a hash of both"""
    local(b)
    made = [{"target": "t0", "action": "action", "object": None, "status": "success", "value": {"a": 1}}]
    for new in ("Result.new(get_target('t0'), {'a' => 1})", "Result.new('value' => {'a' => 1}, 'target' => get_target('t0'))"):
        assert evaluate(b, f"return ResultSet.new([{new}])") == made, new
    failed = "Result.new(get_target('t0'), {'_error' => {'msg' => 'm', 'kind' => 'k', 'details' => {}}})"
    assert evaluate(b, f"return [{failed}.ok, {failed}.error.kind]") == [False, "k"]
    refused = evaluate(b, "return Result.new({'a' => 1}, get_target('t0'))")
    assert refused["kind"] == "bolt/pal-error" and "target" in refused["msg"], refused


def test_pln_019_where_arguments_are_refused(b):
    """PLN-019, INV-070: errors of Target.new, get_target and run_plan have Bolt's details, with file, line and column"""
    local(b)
    b.write("project/plans/q.pp", "plan site::q(TargetSpec $targets) { }\n")
    for code, column in (("Target.new('name' => 'x', 'config' => {'transport' => 'bogus'})", 18),
                         ("Target.new('name' => 'x', 'config' => {'transport' => 'ssh', 'ssh' => {'port' => 'y'}})", 18),
                         ("run_plan('site::q', 't0', 'targets' => 't1')", 8)):
        error = evaluate(b, f"return {code}")
        assert error["details"]["line"] == 2 and error["details"]["column"] == column, (code, error)
        assert error["details"]["file"].endswith("plans/p.pp") and "(file:" not in error["msg"], (code, error)
    assert evaluate(b, "return catch_errors() || { get_target('t0,t1') }")["details"] == {"path": []}


def test_log_009_a_timeout_is_said_once(b):
    """LOG-009, FN-032: a Future that wait() gave up is not warned of as well; one that failed is"""
    local(b)
    for block, limit, warned in (("ctrl::sleep(9)", "0.2, ", False), ("fail_plan('oh')", "", True)):
        b.write("project/plans/p.pp", f"plan site::p() {{\n$f = background('f') || {{ {block} }}\nreturn wait($f, {limit}_catch_errors => true)\n}}\n")
        run = b.run("plan", "run", "site::p", *JSON)
        assert run.status == 0 and ("errored_futures" in run.err) is warned, (block, run)
