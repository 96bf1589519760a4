"""The language verbs: eval, parse, validate, catalog compile (docs/language-verbs.md)."""
import json

from harness.bench import needs_native_ruby


def run(b, *arguments, **settings):
    return b.run(*arguments, project=False, **settings)


def test_eval_prints_the_last_value(b):
    done = run(b, "eval", "-e", "$x = [1, 2]", "-e", "$x.map |$y| { $y * 2 }")
    assert done.status == 0 and done.out == "[2, 4]\n" and done.err == "", done
    assert run(b, "eval", "-e", "'text'").out == "text\n"
    assert run(b, "eval", "-e", "notice(1)").out == ""
    assert run(b, "eval", stdin=b"1 + 1").out == "2\n"


def test_eval_reads_facts_variables_and_modules(b):
    b.write("facts.json", '{"os": {"family": "Debian"}}')
    b.write("vars.json", '{"n": 3}')
    b.write("modules/m/manifests/init.pp", "class m($x = 1) { notice(\"m ${x} ${facts['os']['family']}\") }\n")
    b.write("modules/m/functions/f.pp", "function m::f($x) { $x * 2 }\n")
    done = run(b, "eval", "--facts", "facts.json", "--vars", "vars.json", "--modulepath", "modules",
               "-e", "include m", "-e", "m::f($n)")
    assert done.out == "6\n" and done.err == "Notice: Scope(Class[M]): m 1 Debian\n", done


def test_one_object_holds_value_logs_and_error(b):
    done = run(b, "eval", "--format", "json", "-e", "warning('w') [1, 1.0, Integer[1]]")
    assert done.status == 0 and done.err == "", done
    assert done.json["value"] == [1, 1.0, {"__ptype": "Type", "__pvalue": "Integer[1]"}]
    assert done.json["logs"] == [{"level": "warning", "message": "w", "source": "Scope(Class[main])"}]
    assert done.json["error"] is None
    done = run(b, "eval", "--format", "json", "-e", "$x = 1\n1 / 0")
    assert done.status == 1 and done.json["value"] is None, done
    error = done.json["error"]
    assert (error["message"], error["line"], error["column"], error["file"]) == \
        ("Evaluation Error: Division by 0", 2, 5, None)


def test_logs_as_lines_leave_the_bare_value(b):
    done = run(b, "eval", "--format", "json", "--log-format", "json", "-e", "notice('n') debug('d') $x = {a => 1}")
    assert done.json == {"a": 1} and json.loads(done.err) == {"level": "notice", "message": "n"}, done
    b.write("site.pp", "$a = 1\n$a = 2\n")
    done = run(b, "eval", "--format", "json", "--log-format", "json", "site.pp")
    line = json.loads(done.err)
    assert done.status == 1 and done.out == "", done
    assert line["fatal"] is True and line["issue"] == "ILLEGAL_REASSIGNMENT" and line["line"] == 2
    assert line["message"].endswith(f"(file: {b.folder}/site.pp, line: 2, column: 4)"), line


def test_usage_errors_have_status_2_and_no_output(b):
    for words in (["eval", "--nonsense"], ["eval", "--format", "xml", "-e", "1"], ["parse", "--strict"],
                  ["eval", "--set", "novalue", "-e", "1"], ["eval", "--format", "pn", "-e", "1"]):
        done = run(b, *words)
        assert done.status == 2 and done.out == "" and done.err.count("\n") == 1, done


def test_a_missing_file_is_one_clear_line(b):
    done = run(b, "eval", "nowhere.pp")
    assert done.status == 1 and done.err == f"Error: Could not find file {b.folder}/nowhere.pp\n", done


def test_script_has_no_resources(b):
    done = run(b, "eval", "--script", "-e", "notify { 'x': }")
    assert done.status == 1 and "only available when compiling a catalog" in done.err, done
    assert run(b, "eval", "-e", "notify { 'x': }").out == "[Notify['x']]\n"


def test_epp_renders_text(b):
    b.write("t.epp", "<%- | $name | -%>\nHello <%= $name %>\n")
    b.write("vars.json", '{"name": "you"}')
    assert run(b, "eval", "--epp", "t.epp", "--vars", "vars.json").out == "Hello you\n"


def test_parse_prints_the_tree(b):
    assert run(b, "parse", "-e", "1 + 2 * 3").out == "(+ 1 (* 2 3))\n"
    assert run(b, "parse", "--format", "json", "--log-format", "json", "-e", "1").out == "1\n"
    done = run(b, "parse", "-e", "$a = ")
    assert done.status == 1 and done.out == "" and "Syntax error at end of input" in done.err, done
    # The grammar takes it, the checks of the language do not.
    assert run(b, "parse", "-e", "$a::b = 1").status == 1
    assert run(b, "parse", "--no-validate", "-e", "$a::b = 1").status == 0


def test_validate_finds_every_mistake(b):
    b.write("bad.pp", "class a {\n  1\n}\n$b::c = 2\n")
    b.write("good.pp", "class b { }\n")
    b.write("bad.epp", "text\n<%= $x = %>\n")
    done = run(b, "validate", "bad.pp", "good.pp", "bad.epp", "nowhere.pp")
    lines = done.out.splitlines()
    assert done.status == 1 and len(lines) == 4, done
    assert lines[0].startswith("bad.pp:2:3: error: This Literal Integer has no effect."), done
    assert lines[1].startswith("bad.pp:4:1: error: Illegal attempt to assign to 'b::c'"), done
    assert lines[2].startswith("bad.epp:2:"), done
    assert lines[3].startswith("nowhere.pp: error: "), done
    assert run(b, "validate", "good.pp").status == 0
    done = run(b, "validate", "--format", "json", "--file-name", "site.pp", stdin=b"$x = [")
    assert done.json == [{"severity": "error", "issue": "SYNTAX_ERROR", "message": "Syntax error at end of input",
                          "file": "site.pp", "line": None, "column": None}], done


def test_validate_knows_data_by_their_names(b):
    b.write("data/common.yaml", "a: 1\nb: [1, 2\n")
    b.write("hiera.yaml", "version: 5\nhierarchy:\n  - name: a\n    path: x\n    glob: y\n    pth: z\n  - path: b\n")
    b.write("tasks/t.json", '{"parameters": {"Bad Name": {}}}')
    b.write("other.json", '{"a": 1,\n  }')
    b.write("plans/p.pp", "plan m::p() { apply('all') { notify { 'x': } } }\n")
    done = run(b, "validate", "data/common.yaml", "hiera.yaml", "tasks/t.json", "other.json", "plans/p.pp")
    lines = done.out.splitlines()
    assert done.status == 1, done
    assert lines[0].startswith("data/common.yaml:3:"), done
    assert lines[1].startswith("hiera.yaml:5:5: error: Only one of path, paths"), done
    assert lines[2] == "hiera.yaml:6:5: error: unknown key 'pth' of a level", done
    assert lines[3] == "hiera.yaml:7:5: error: a level needs a 'name'", done
    assert lines[4].startswith("tasks/t.json:1:17: error: "), done
    assert lines[5].startswith("other.json:2:3: error: "), done
    assert len(lines) == 6, done


def test_validate_takes_what_hiera_takes(b):
    b.write("data/common.yaml", "base: &base {a: 1}\nmore:\n  <<: *base\n  b: 2\ntwice: 1\nother: !!str 5\ntwice: 2\n")
    done = run(b, "validate", "data/common.yaml")
    assert done.status == 0, done
    assert done.out == ("data/common.yaml:7:1: warning: the key 'twice' was set before, in line 5; "
                        "only this value counts\n"), done
    b.write("data/bad.yaml", "a: *nowhere\n")
    assert run(b, "validate", "data/bad.yaml").out.startswith("data/bad.yaml:1:4: error: "), done
    b.write("inventory.yaml", "targets: &t [a]\ngroups: []\n")
    assert run(b, "validate", "inventory.yaml").status == 1


def test_validate_checks_yaml_plans(b):
    b.write("plans/good.yaml", "parameters:\n  nodes: {type: TargetSpec}\nsteps:\n"
                               "  - {name: up, command: uptime, targets: $nodes}\nreturn: $up\n")
    b.write("plans/bad.yaml", "steps:\n  - {command: uptime}\n")
    assert run(b, "validate", "plans/good.yaml").status == 0
    done = run(b, "validate", "plans/bad.yaml")
    assert done.status == 1 and "Parse error in step number 1" in done.out, done


def test_catalog_compile_takes_folders_and_classes(b):
    b.write("manifests/a.pp", "class a { file { '/tmp/a': mode => '0644' } }\n")
    b.write("manifests/sub/b.pp", "@notify { 'virtual': }\n")
    b.write("classes.json", '["a"]')
    words = ["catalog", "compile", "manifests", "--node", "n.example.com", "--classes", "classes.json"]
    done = run(b, *words, "--format", "json", "--log-format", "json")
    titles = [resource["type"] + "[" + resource["title"] + "]" for resource in done.json["resources"]]
    assert done.status == 0 and done.json["name"] == "n.example.com", done
    assert "File[/tmp/a]" in titles and "Class[A]" in titles and "Notify[virtual]" not in titles, titles
    done = run(b, *words, "--all-resources")
    assert "virtual" in done.out, done


def test_batch_answers_line_by_line(b):
    requests = [{"id": 1, "code": "1 + 1"}, {"id": "two", "mode": "parse", "code": "$x"}, {"id": 3, "code": "1 / 0"},
                {"id": 4, "mode": "nonsense"}]
    text = "".join(json.dumps(one) + "\n" for one in requests) + "no json\n"
    done = run(b, "eval", "--batch", stdin=text.encode())
    answers = [json.loads(line) for line in done.out.splitlines()]
    assert done.status == 0 and [one["id"] for one in answers] == [1, "two", 3, 4, None], done
    assert answers[0]["value"] == 2 and answers[0]["error"] is None
    assert answers[1]["pn"] == '(var "x")'
    assert answers[2]["error"]["message"] == "Evaluation Error: Division by 0"
    assert "Unknown mode 'nonsense'" in answers[3]["error"]["message"] and answers[4]["error"]
    assert run(b, "eval", "--batch").out == ""


@needs_native_ruby
def test_batch_runs_what_is_native_without_a_ruby(b):
    requests = [{"id": 1, "code": "inline_template('<%= [1, 2].join(%q(-)) %>')"},
                {"id": 2, "code": "inline_template('<%= `id` %>')"}]
    done = run(b, "eval", "--batch", "--no-ruby", stdin="".join(json.dumps(one) + "\n" for one in requests).encode())
    native, other = [json.loads(line) for line in done.out.splitlines()]
    assert native["value"] == "1-2" and native["error"] is None, done
    assert "needs Ruby (line 1: a construct that native Ruby does not know), which is turned off (--no-ruby)" \
        in other["error"]["message"], done


def test_the_prompt_has_history_completion_and_long_inputs(b):
    state = {"XDG_STATE_HOME": str(b.folder / "state"), "TERM": "xterm"}
    text, status = b.terminal("eval", project=False, env=state, answers=[
        ("volley> ", "$value = [1,\r"),  # goes on
        ("      | ", "2]\r"),
        (("[1, 2]", "volley> "), "$val\t.map |$x| { $x + 1 }\r"),  # completes
        (("[2, 3]", "volley> "), "\x1b[A\x1b[A.size\r"),  # the first input again, with more after it
        (("Cannot", "volley> "), "1 / 0\r"),
        (("Division by 0", "volley> "), "\x04"),  # typed ahead of a prompt it would not be seen
    ])
    assert status == 0, text
    assert "$value.map |$x| { $x + 1 }" in text and "Error: Evaluation Error: Division by 0" in text, text
    history = (b.folder / "state/volley/history").read_text().splitlines()
    assert history[0] == "$value = [1,\\n2]" and history[-1] == "1 / 0", history


def test_the_prompt_knows_help_and_quit(b):
    """USER-D.10: words that people type at a prompt are not strings of the language"""
    for leave in ("quit", ":quit", "exit"):
        text, status = b.terminal("eval", project=False, env={"XDG_STATE_HOME": str(b.folder / "state"), "TERM": "xterm"}, answers=[
            ("volley> ", "help\r"),
            (("leave, as Ctrl-D does", "volley> "), ":help\r"),
            (("leave, as Ctrl-D does", "leave, as Ctrl-D does", "volley> "), leave + "\r")])
        assert status == 0 and text.count("leave, as Ctrl-D does") == 2, text
