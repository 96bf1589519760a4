"""Plans in YAML (section 7.5), plan new and plan convert."""
import json


def local(b):
    b.inventory(json.dumps({"config": {"transport": "local"}, "targets": ["t0", "t1"]}))


def yaml_plan(b, text, name="y"):
    b.write(f"project/plans/{name}.yaml", text)


def run(b, *words, name="y"):
    return b.run("plan", "run", f"site::{name}", *words, "--format", "json")


def problem(b, text):
    yaml_plan(b, text)
    result = run(b)
    assert result.status == 1, result
    return result.json


def test_yml_012_steps(b):
    """YML-001, YML-002, YML-010 to YML-018, YML-022"""
    local(b)
    b.task("echo.sh", "#!/bin/sh\nprintf '{\"m\": \"%s\"}' \"$PT_m\"\n")
    b.write("project/files/s.sh", "#!/bin/sh\necho script $1\n")
    b.write("project/plans/sub.pp", "plan site::sub(TargetSpec $targets, String $w) { return \"${w} ${get_targets($targets).length}\" }")
    yaml_plan(b, f"""
description: Everything
parameters:
  targets: {{type: TargetSpec, default: all}}
  word: {{type: String, default: w, description: A word}}
steps:
  - name: c
    command: echo $X
    targets: $targets
    env_vars: {{X: hello}}
    description: say hello
  - name: failing
    command: "exit 2"
    targets: t0
    catch_errors: true
  - name: t
    task: site::echo
    targets: $targets
    parameters: {{m: "got ${{word}}"}}
  - name: s
    script: site/s.sh
    targets: t0
    arguments: [$word]
  - name: p
    plan: site::sub
    targets: $targets
    parameters: {{w: sub}}
  - name: u
    upload: site/s.sh
    destination: {b.folder}/up
    targets: t0
  - message: "finished ${{word}}"
  - name: e
    eval: |
      $x = $c.first['stdout'].chomp
      "${{x}}!"
return:
  c: $c.first['stdout']
  code: $failing.first['exit_code']
  t: $t.first['m']
  s: $s.first['stdout']
  p: $p
  e: $e
  list: [plain, 'single $word', "double ${{word}}", 5, true]
""")
    result = run(b, "word=ww")
    assert result.json == {"c": "hello\n", "code": 2, "t": "got ww", "s": "script ww\n", "p": "sub 2", "e": "hello!",
                           "list": ["plain", "single $word", "double ww", 5, True]}, result
    assert (b.folder / "up").exists() and "finished ww" in result.err, result


def test_yml_005_styles_decide(b):
    """YML-005, YML-006, YML-007, YML-024, YML-025"""
    yaml_plan(b, "steps:\n  - name: a\n    eval: |\n      $inner = 2\n      $inner + 1\n"
                 "return:\n  a: $a\n  folded: >\n    $a is\n    text\n  $a: key\n")
    assert run(b).json == {"a": 3, "folded": "$a is text\n", "$a": "key"}, run(b)
    error = problem(b, "steps:\n  - name: a\n    eval: |\n      $inner = 2\n  - name: b\n    eval: $inner\n")
    assert error["kind"] == "bolt/evaluation-error" and error["details"]["line"] == 6, error
    error = problem(b, "steps: &x []\nreturn: *x\n")
    assert error["kind"] == "bolt/pal-error", error


def test_yml_009_wrong_plans(b):
    """YML-003, YML-008, YML-009, YML-011, YML-020, YML-021, YML-026, ERR-018"""
    cases = {
        "steps: {}": "Plan must specify an array of steps",
        "steps: []\nzzz: 1": ':2:1: The plan has the unknown key "zzz"',
        "steps: [{name: x}]": ':1:9: Parse error in step "x": No valid action detected',
        "steps: [{command: x, task: y}]": 'Multiple action keys detected: "command" and "task"',
        "steps: [{command: x}]": 'The "command" step requires the key "targets"',
        "steps: [{command: x, targets: t, zzz: 1}]": 'The "command" step does not support the key "zzz"',
        "steps: [{name: 'A b', message: x}]": 'Invalid step name: "A b"',
        "parameters: {x: {}}\nsteps: [{name: x, message: y}]": 'Duplicate step name or parameter detected: "x"',
        "steps: [{eval: $x +}]": 'Error parsing "eval"',
        "parameters: {X: {}}\nsteps: []": 'Invalid parameter name "X"',
        "parameters: {x: {zz: 1}}\nsteps: []": 'Plan parameter "x" has the unknown key "zz"',
        "private: 5\nsteps: []": "key 'private' must be a boolean, received: 5",
        "steps: [{task: x, targets: t, parameters: 5}]": "Parameters key must be a hash",
        "steps: [{task: x, targets: t, run_as: r, parameters: {_run_as: q}}]": "same name: run_as",
        "steps: [{resources: [{type: file}], targets: t}]": "must include title key if type key is set",
        "steps: [{resources: [{a: b, c: d}], targets: t}]": "ambiguous type: could be a or c",
        "steps: [{resources: [{}], targets: t}]": "is missing a type",
    }
    for text, message in cases.items():
        error = problem(b, text)
        assert error["kind"] == "bolt/invalid-plan" and message in error["msg"], (text, error)
    assert problem(b, "steps: [")["kind"] == "bolt/pal-error"
    yaml_plan(b, "parameters: {x: {type: 'Optional[String]', default: null}}\nsteps: []")
    assert "expects a value for parameter 'x'" in run(b).json["msg"], run(b)


def test_mgt_015_plan_new(b):
    """MGT-015, OPT-035, OPT-036, JSN-012, ERR-033"""
    local(b)
    made = b.run("plan", "new", "site::fresh", "--format", "json").json
    assert made["name"] == "site::fresh" and made["path"].endswith("plans/fresh.yaml"), made
    assert b.run("plan", "run", "site::fresh", "targets=t0", "--format", "json").json[0]["status"] == "success"
    again = b.run("plan", "new", "site::fresh", "--pp")
    assert again.status == 1 and "already exists" in again.out, again
    assert b.run("plan", "new", "site::deep::one", "--pp").status == 0
    assert b.run("plan", "run", "site::deep::one", "targets=t0", "--format", "json").json[0]["status"] == "success"
    b.write("project/scripts/s.sh", "#!/bin/sh\necho ran\n")
    assert b.run("plan", "new", "site::scripted", "--script", "site/scripts/s.sh").status == 0
    assert b.run("plan", "run", "site::scripted", "targets=t0", "--format", "json").json[0]["value"]["stdout"] == "ran\n"
    for script in ("scripts/s.sh", "site/s.sh", "s.sh", "site/tasks/s.sh", str(b.project / "scripts/s.sh"), f"../{b.project.name}/scripts/s.sh"):
        refused = b.run("plan", "new", "site::unmade", "--script", script, "--format", "json")
        assert refused.status == 1 and "as module, folder and file" in refused.out, (script, refused)
    b.write("project/site/scripts/s.sh", "")
    assert "as module, folder and file" in b.run("plan", "new", "site::unmade", "--script", "site/scripts/s.sh", cwd=b.project).out, "it is a file here"
    assert not (b.project / "plans/unmade.yaml").exists()
    for name in ("other::x", "site::Bad", "new_one"):
        assert b.run("plan", "new", name).status == 1


def test_yml_028_plan_convert(b):
    """YML-028, JSN-013, ERR-019: the converted plan does the same"""
    local(b)
    yaml_plan(b, "description: Converts\nprivate: false\nparameters:\n  targets: {type: TargetSpec, description: where}\n"
                 "  word: {type: String, default: hi}\nsteps:\n  - name: c\n    command: \"echo ${word}\"\n    targets: $targets\n"
                 "    catch_errors: true\n  - name: e\n    eval: |\n      $x = $c.first['stdout']\n      $x.chomp\n"
                 "  - message: \"m ${e}\"\nreturn: $e\n", "conv")
    shown = b.run("plan", "convert", "site::conv")
    assert shown.status == 0 and shown.out.startswith("# Converts\n# WARNING: This is an autogenerated plan."), shown
    assert "# @api public" in shown.out and "# @param targets where" in shown.out and "$e = with() || {" in shown.out, shown
    b.write("project/plans/again.pp", shown.out.replace("plan site::conv(", "plan site::again("))
    for name in ("conv", "again"):
        assert run(b, "targets=t0", name=name).json == "hi"
    b.write("project/plans/x.pp", "plan site::x() { }")
    refused = b.run("plan", "convert", "site::x")
    assert refused.status == 1 and "only convert plans written in yaml" in refused.out, refused


def test_yml_004_defaults_are_data(b):
    """YML-004: the default of a parameter is what it says, however it is quoted; nothing in it is code"""
    yaml_plan(b, "parameters:\n  plain: {default: $undefined}\n  double: {type: String, default: \"${1 + 1}\"}\n"
                 "  literal:\n    default: |\n      fail('never called')\n  deep: {default: {k: [$x, \"$y\"], n: 5}}\n"
                 "steps: []\nreturn: [$plain, $double, $literal, $deep]\n")
    assert run(b).json == ["$undefined", "${1 + 1}", "fail('never called')\n", {"k": ["$x", "$y"], "n": 5}], run(b)
    assert run(b, "plain=given").json[0] == "given"


def results(run_of_plan):
    """{target: value} of a plan that returned a ResultSet, or failed with one."""
    data = run_of_plan.json
    if isinstance(data, dict):
        assert data["kind"] == "bolt/run-failure", data
        data = data["details"]["result_set"]
    return {one["target"]: one["value"] for one in data}


STEP_FAILS = ("command: 'exit 3'", "script: site/fails.sh", "task: site::fails", "upload: site/fails.sh\n    destination: /nowhere/x",
              "download: /nowhere\n    destination: x", "plan: site::fails")


def test_yml_012_to_016_failures_of_steps(b):
    """YML-012, YML-013, YML-014, YML-015, YML-016: a step that fails ends the plan, unless it says catch_errors"""
    local(b)
    b.write("project/files/fails.sh", "#!/bin/sh\nexit 3\n")
    b.task("fails.sh", "#!/bin/sh\nexit 3\n")
    b.write("project/plans/fails.pp", "plan site::fails(TargetSpec $targets) { run_command('exit 3', $targets) }\n")
    for action in STEP_FAILS:
        text = f"steps:\n  - name: first\n    {action}\n    targets: t0\n    %s\n  - message: went on\nreturn: done\n"
        yaml_plan(b, text % "description: it")
        stopped = run(b)
        assert stopped.status == 1 and stopped.json["kind"] == "bolt/run-failure" and "went on" not in stopped.err, (action, stopped)
        for caught in ("true", "$caught"):
            yaml_plan(b, "parameters: {caught: {default: true}}\n" + text % f"catch_errors: {caught}")
            went_on = run(b)
            assert went_on.json == "done" and "went on" in went_on.err, (action, went_on)


def test_yml_012_to_016_keys_of_steps(b):
    """YML-012, YML-013, YML-014, YML-015, YML-016: what every kind of step needs"""
    for step, missing in (("command: x", 'the key "targets"'), ("script: x", 'the key "targets"'), ("task: x", 'the key "targets"'),
                          ("upload: x", 'the keys "destination" and "targets"'), ("upload: x, targets: t", 'the key "destination"'),
                          ("download: x, targets: t", 'the key "destination"'), ("download: x, destination: d", 'the key "targets"')):
        error = problem(b, f"steps: [{{{step}}}]")
        assert error["kind"] == "bolt/invalid-plan" and f"requires {missing}" in error["msg"], (step, error)
    for step, key in (("command: x, targets: t, noop: true", "noop"), ("script: x, targets: t, parameters: {}", "parameters"),
                      ("task: x, targets: t, env_vars: {}", "env_vars"), ("plan: x, noop: true", "noop"),
                      ("upload: x, destination: d, targets: t, noop: true", "noop"), ("message: x, run_as: y", "run_as"),
                      ("verbose: x, catch_errors: true", "catch_errors")):
        error = problem(b, f"steps: [{{{step}}}]")
        assert f'does not support the key "{key}"' in error["msg"], (step, error)
    for step, message in (("script: x, targets: t, arguments: word", "arguments key must be an array"),
                          ("script: x, targets: t, pwsh_params: [a]", "pwsh_params key must be a hash"),
                          ("command: x, targets: t, env_vars: [a]", "env_vars key must be a hash or evaluable string"),
                          ("command: x, targets: t, env_vars: a", "env_vars key must be a hash or evaluable string")):
        assert message in problem(b, f"steps: [{{{step}}}]")["msg"], step


def test_yml_013_scripts(b):
    """YML-012, YML-013: arguments that are code, environment variables from a variable"""
    local(b)
    b.write("project/files/s.sh", "#!/bin/sh\necho \"$#:$1:$2:$V\"\n")
    yaml_plan(b, "parameters: {word: {default: w}, vars: {default: {V: from var}}}\nsteps:\n  - name: s\n    script: site/s.sh\n    targets: [t0, t1]\n"
                 "    arguments: [$word, 'two words']\n    env_vars: $vars\nreturn: $s\n")
    assert {v["stdout"] for v in results(run(b)).values()} == {"2:w:two words:from var\n"}
    error = problem(b, "parameters: {vars: {default: 5}}\nsteps: [{command: x, targets: t0, env_vars: $vars}]")
    assert error["kind"] == "bolt/validation-error", error


def test_yml_014_tasks(b):
    """YML-014: parameters and noop"""
    local(b)
    b.task("t.sh", "#!/bin/sh\necho \"n=$PT_n noop=$PT__noop\"\n", {"supports_noop": True, "parameters": {"n": {"type": "Integer"}}})
    text = "steps:\n  - name: t\n    task: site::t\n    targets: t0\n    noop: {}\n    parameters: {{n: {}}}\nreturn: $t\n"
    for noop, said in (("true", "noop=true"), ("false", "noop=")):
        yaml_plan(b, text.format(noop, 5))
        assert results(run(b))["t0"]["_output"] == f"n=5 {said}\n"
    assert "expects an Integer value" in problem(b, text.format("false", "word"))["msg"]


def test_yml_015_plans(b):
    """YML-015: targets may be left out; given, they fill the plan's parameter; run_as holds inside"""
    local(b)
    b.write("project/plans/bare.pp", "plan site::bare(Integer $n = 1) { return $n + 1 }\n")
    b.write("project/plans/on.pp", "plan site::on(TargetSpec $nodes, String $w) { return \"${w} ${get_targets($nodes).length}\" }\n")
    yaml_plan(b, "steps:\n  - {name: a, plan: 'site::bare'}\n  - {name: b, plan: 'site::bare', parameters: {n: 5}}\n"
                 "  - {name: c, plan: 'site::on', targets: [t0, t1], parameters: {w: both}}\nreturn: [$a, $b, $c]\n")
    assert run(b).json == [2, 6, "both 2"], run(b)
    yaml_plan(b, "steps:\n  - plan: site::on\n    targets: t0\n    parameters: {w: x, nodes: t1}\n")
    assert "nodes" in run(b).json["msg"], run(b)


def test_yml_016_copies(b):
    """YML-016: upload and download, with descriptions in the step lines"""
    b.ssh_inventory(names=("web",))
    b.write("project/files/f.txt", "content")
    yaml_plan(b, f"steps:\n  - name: u\n    upload: site/f.txt\n    destination: {b.folder}/up.txt\n    targets: web\n    description: put it there\n"
                 f"  - name: d\n    download: {b.folder}/up.txt\n    destination: back\n    targets: web\nreturn: $d.first['path']\n")
    shown = b.run("plan", "run", "site::y")
    assert "Starting: put it there on web" in shown.out, shown
    path = run(b).json
    assert path == str(b.project / "downloads/back/web/up.txt") and open(path).read() == "content", path


def test_yml_015_run_as_of_steps(b):
    """YML-012, YML-013, YML-014, YML-015, YML-016: run_as"""
    user = b.user()
    b.ssh_inventory(names=("web",))
    b.write("project/files/s.sh", "#!/bin/sh\nid -un\n")
    b.task("who.sh", "#!/bin/sh\nid -un\n")
    b.write("project/plans/sub.pp", "plan site::sub(TargetSpec $targets) { return run_command('id -un', $targets).first['stdout'] }\n")
    place = b.folder / "open"
    place.mkdir()
    place.chmod(0o777)
    step = "\n    targets: web\n    run_as: " + user.name + "\n"
    yaml_plan(b, f"steps:\n  - name: c\n    command: id -un{step}  - name: s\n    script: site/s.sh{step}  - name: t\n    task: site::who{step}"
                 f"  - name: p\n    plan: site::sub{step}  - upload: site/s.sh\n    destination: {place}/up{step}"
                 "return:\n  - $c.first['stdout']\n  - $s.first['stdout']\n  - $t.first['_output']\n  - $p\n")
    assert run(b).json == [f"{user.name}\n"] * 4, run(b)
    assert (place / "up").owner() == user.name


def test_yml_017_messages(b):
    """YML-017: message is printed, verbose with --verbose only; any value can be printed"""
    yaml_plan(b, "parameters: {n: {default: 5}}\nsteps:\n  - message: \"n is ${n}\"\n  - message: {a: [1, $n]}\n  - verbose: \"in detail ${n}\"\n")
    quiet, more = b.run("plan", "run", "site::y"), b.run("plan", "run", "site::y", "--verbose")
    for shown in (quiet, more):
        assert "n is 5" in shown.out and '"a": [\n    1,\n    5\n  ]' in shown.out, shown
    assert "in detail" not in quiet.out and "in detail 5" in more.out, (quiet, more)


def test_yml_023_lines_of_errors(b):
    """YML-023: code that fails names the file and the line, whether it stands on the key's line or in a block"""
    for text, line in (("steps:\n  - message: hi\n  - message: $nothing\n", 3),
                       ("steps:\n  - eval: |\n      $a = 1\n      $b = $a + nothing()\n", 4),
                       ("steps: []\nreturn:\n  x:\n    - $nothing\n", 4)):
        error = problem(b, text)
        assert error["kind"] == "bolt/evaluation-error" and error["details"]["line"] == line, (text, error)
        assert error["details"]["file"].endswith("plans/y.yaml"), error
