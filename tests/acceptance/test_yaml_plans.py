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
        "steps: []\nzzz: 1": 'Plan contains illegal key(s) ["zzz"]',
        "steps: [{name: x}]": 'Parse error in step "x": \n No valid action detected',
        "steps: [{command: x, task: y}]": 'Multiple action keys detected: ["command", "task"]',
        "steps: [{command: x}]": 'The "command" step requires: ["targets"] key(s)',
        "steps: [{command: x, targets: t, zzz: 1}]": 'The "command" step does not support: ["zzz"] key(s)',
        "steps: [{name: 'A b', message: x}]": 'Invalid step name: "A b"',
        "parameters: {x: {}}\nsteps: [{name: x, message: y}]": 'Duplicate step name or parameter detected: "x"',
        "steps: [{eval: $x +}]": 'Error parsing "eval"',
        "parameters: {X: {}}\nsteps: []": 'Invalid parameter name "X"',
        "parameters: {x: {zz: 1}}\nsteps: []": 'Plan parameter "x" contains illegal key(s) ["zz"]',
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
