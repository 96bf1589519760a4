"""What is wrong with YAML plans: everything at once, each with file, line and column, wherever the plan is read."""
import json

MANY = """description: wrong in many ways
stps: []
parameters:
  Bad: {}
  size: {typ: Integer}
  kind: {type: "Integer["}
private: perhaps
steps:
  - name: first
    comand: uptime
  - command: uptime
  - command: uptime
    targets: web
    catch_error: true
  - task: a
    script: b
    targets: web
  - just text
  - name: size
    message: hi
  - eval: |
      $a = 1
      $b = ] 2
  - message: "a ${1 +} b"
  - message: $x +
  - task: t
    targets: web
    parameters: 5
  - resources: [{type: file}]
    targets: web
return:
  x: $y +
"""
PLACES = [(2, 1, 'unknown key "stps"; did you mean "steps"?'), (4, 3, 'Invalid parameter name "Bad"'),
          (5, 10, 'Plan parameter "size" has the unknown key "typ"; did you mean "type"?'), (6, 16, 'Plan parameter "kind"'),
          (7, 10, "key 'private' must be a boolean"), (10, 5, 'No valid action detected; did you mean "command" in place of "comand"?'),
          (11, 5, 'The "command" step requires the key "targets"'), (14, 5, 'does not support the key "catch_error"; did you mean "catch_errors"?'),
          (16, 5, 'Multiple action keys detected: "script" and "task"'), (18, 5, "Plan step must be an object"),
          (19, 11, 'Duplicate step name or parameter detected: "size"'), (23, 12, 'Error parsing "eval": Syntax error at \']\''),
          (24, 23, 'Error parsing "message": Syntax error'), (25, 14, 'Error parsing "message": Syntax error'),
          (28, 17, "Parameters key must be a hash"), (29, 17, "must include title key"), (32, 6, 'Error parsing "return"')]


def test_all_mistakes_of_a_yaml_plan_are_reported_at_once(b):
    """USER-C5: in plan run, plan show and plan check, with the kind that Bolt has"""
    b.inventory("")
    b.write("project/plans/y.yaml", MANY)
    path = str(b.project / "plans/y.yaml")
    error = b.run("plan", "run", "site::y", "--format", "json").json
    assert error["kind"] == "bolt/invalid-plan" and error["details"]["file"] == path, error
    assert (error["details"]["line"], error["details"]["column"]) == (2, 1), error
    found = error["details"]["errors"]
    assert [(one["line"], one["column"]) for one in found] == [place[:2] for place in PLACES], json.dumps(found, indent=1)
    assert all(text in one["msg"] and "\n" not in one["msg"] for one, (_, _, text) in zip(found, PLACES)), found
    lines = error["msg"].split("\n")
    assert [line.split(": ")[0] for line in lines] == [f"{path}:{line}:{column}" for line, column, _ in PLACES], lines
    run = b.run("plan", "run", "site::y")
    assert run.status == 1 and all(line in run.out for line in lines) and "(file: " not in run.out and "key(s)" not in run.out, run
    for words in (("plan", "show"), ("plan", "show", "site::y")):
        run = b.run(*words)
        assert all(line in run.out + run.err for line in lines), run
    checked = b.run("plan", "check", "site::y", "--format", "json")
    assert checked.status == 1 and [(one["line"], one["column"], one["file"]) for one in checked.json] == [(*place[:2], path) for place in PLACES], checked
    run = b.run("validate", path, project=False)
    assert run.status == 1 and [line.split(": ")[0] for line in run.out.splitlines()] == [f"{path}:{line}:{column}" for line, column, _ in PLACES], run


def test_tabs_are_called_tabs(b):
    """USER-C5: in plans as in every other YAML file"""
    b.inventory("")
    for text, line in (("steps:\n\t- message: x\n", 2), ("steps:\n  - message: x\n\t- message: y\n", 3), ("steps:\n  - command: x\n\ttargets: y\n", 3)):
        b.write("project/plans/y.yaml", text)
        error = b.run("plan", "run", "site::y", "--format", "json").json
        assert error["kind"] == "bolt/pal-error" and "tabs are not allowed as indentation" in error["msg"], error
        assert (error["details"]["line"], error["details"]["column"]) == (line, 1), error
        checked = b.run("plan", "check", "site::y")
        assert f"plans/y.yaml:{line}:1: error: tabs are not allowed as indentation" in checked.out, checked
    b.write("project/plans/y.yaml", "steps: []\n")
    b.write("project/inventory.yaml", "targets:\n\t- a\n")
    assert "tabs are not allowed as indentation" in b.run("inventory", "show").out
    b.write("project/inventory.yaml", "")
    b.write("project/hiera.yaml", "version: 5\nhierarchy:\n\t- name: x\n")
    b.write("project/data/x.yaml", "a:\n\tb: 1\n")
    for name in ("hiera.yaml", "data/x.yaml"):
        assert "tabs are not allowed as indentation" in b.run("validate", b.project / name, project=False).out, name
    b.write("project/bolt-project.yaml", "name: site\n\tcolor: true\n")
    assert "tabs are not allowed as indentation" in b.run("plan", "show").out


def test_how_a_text_is_written_decides_after_other_letters_too(b):
    """YML-005: a text in double quotes is code, whatever stands before it in its line"""
    b.inventory("")
    b.write("project/plans/y.yaml", "parameters: {x: {default: 3}}\nsteps: []\nreturn: {k: \"ääää\", v: \"${1 + 1}\", w: $x, s: '${1 + 1}'}\n")
    assert b.run("plan", "run", "site::y", "--format", "json").json == {"k": "ääää", "v": "2", "w": 3, "s": "${1 + 1}"}
