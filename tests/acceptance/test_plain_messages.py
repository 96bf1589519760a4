"""Messages in the words of people who run things: types, suggestions, places, cycles, long help (USER-C3, USER-C4, USER-D, BOLT-5)."""
import json
import re
import shutil

from harness.bench import Skip
from test_plans import evaluate, local, plan, run

# A type, what is given for it on the command line, and what is said of that.
TYPES = [
    ("Integer[1, 100]", "500", "parameter 'x' must be between 1 and 100, got 500"),
    ("Integer[1]", "0", "parameter 'x' must be at least 1, got 0"),
    ("Integer[default, 5]", "6", "parameter 'x' must be at most 5, got 6"),
    ("Integer", "five", "parameter 'x' expects an Integer value, got String 'five'"),
    ("Float[0.0, 1.0]", "1.5", "parameter 'x' must be between 0.0 and 1.0, got 1.5"),
    ("String[1]", "", "parameter 'x' must not be empty"),
    ("Optional[String[8]]", "short", "parameter 'x' must have at least 8 characters, got 5"),
    ("Boolean", "yes", "parameter 'x' must be true or false, got 'yes'"),
    ("Optional[Boolean]", "1", "parameter 'x' must be true or false, got "),
    ("Enum[present, absent]", "presnt", "parameter 'x' must be 'absent' or 'present', got 'presnt'. Did you mean 'present'?"),
    ("Enum[a, b, c]", "d", "parameter 'x' must be one of 'a', 'b', or 'c', got 'd'"),
    (r"Pattern[/\A[a-z]+\z/]", "A1", r"parameter 'x' must match /\A[a-z]+\z/, got 'A1'"),
    ("Variant[Integer[1, 5], Enum[all]]", "9", "parameter 'x' must be between 1 and 5, got 9"),
    ("Variant[Integer[1, 5], Enum[all]]", "al", "parameter 'x' must be 'all', got 'al'"),
    ("Array[String[1], 1]", "[]", "parameter 'x' must not be empty"),
    ("Array[Integer[1, 5]]", "[1, 7]", "parameter 'x' index 1 must be between 1 and 5, got 7"),
    ("Array[Integer, 2, 3]", "[1]", "parameter 'x' must have between 2 and 3 elements, got 1"),
    ("Hash[String, Integer[1]]", '{"a": 0}', "parameter 'x' entry 'a' must be at least 1, got 0"),
    ("Struct[{port => Integer[1, 65535], Optional[name] => String[1]}]", '{"port": 70000}',
     "parameter 'x' entry 'port' must be between 1 and 65535, got 70000"),
    ("Struct[{port => Integer, Optional[name] => String}]", '{"port": 1, "nam": "x"}',
     "parameter 'x' has no key named 'nam'. Did you mean 'name'?"),
    ("Struct[{port => Integer, host => String}]", "{}", "parameter 'x' expects a value for key 'port'"),
    ("Optional[Struct[{list => Array[Struct[{n => Integer[1, 9]}]]}]]", '{"list": [{"n": 1}, {"n": 10}]}',
     "parameter 'x' entry 'list' index 1 entry 'n' must be between 1 and 9, got 10"),
    ("Site::Port", "70000", "parameter 'x' must be between 1 and 65535, got 70000 (Site::Port)"),
    ("Site::Port", "http", "parameter 'x' expects a Site::Port (the port of a service), got String 'http'"),
]
SPEC = "expects a {}TargetSpec (a target, its name, or a list of them), got "


def test_types_of_parameters_are_explained(b):
    """USER-C3: tasks, plans and YAML plans say what a value must be like and what was given, for values of the right kind as
    for others, in lists and hashes too; a word that is JSON is the number or list that was meant; nothing is spelt out
    that does not help"""
    local(b)
    b.write("project/types/port.pp", "# Ports.\n# @summary the port of a service\ntype Site::Port = Integer[1, 65535]\n")
    for kind, given, says in TYPES:
        b.task("t.sh", "true\n", {"parameters": {"x": {"type": kind}}})
        plan(b, f"{kind} $x) {{ return 1 }}")
        b.write("project/plans/y.yaml", f"parameters:\n  x: {{type: {json.dumps(kind)}}}\nsteps: []\nreturn: 1\n")
        for words in (("task", "run", "site::t", "-t", "t0"), ("plan", "run", "site::p"), ("plan", "run", "site::y")):
            wrong = b.run(*words, f"x={given}", "--format", "json")
            error = wrong.json.get("_error", wrong.json)
            assert wrong.status == 1 and says in error["msg"], (kind, given, words, wrong)
            assert error["kind"] == "bolt/pal-error", wrong
    number_as_text = b.run("plan", "run", "site::p", "--params", '{"x": "5"}', "--format", "json")
    assert "expects a Site::Port (the port of a service), got String '5'" in number_as_text.json["msg"], number_as_text


def test_aliases_are_named_and_not_spelt_out(b):
    """USER-C3: a TargetSpec is never 1,500 characters, in parameters of plans, arguments of functions and plan check"""
    local(b)
    plan(b, "TargetSpec $targets) { return 1 }", "callee")
    for code, says in (("run_plan('site::callee', 'targets' => 5)", "parameter 'targets' " + SPEC.format("") + "Integer 5"),
                       ("run_plan('site::callee', 'targets' => ['t0', 5])", "parameter 'targets' index 1 " + SPEC.format("Boltlib::")),
                       ("run_plan('site::callee', 'targets' => '')", "parameter 'targets' must not be empty"),
                       ("run_command('true', 5)", "'run_command' parameter 'targets' " + SPEC.format("Boltlib::")),
                       ("run_command('', 't0')", "'run_command' parameter 'command' must not be empty"),
                       ("apply(5) { notice('x') }", SPEC.format("Boltlib::")),
                       ("ctrl::sleep('x')", "'ctrl::sleep' parameter 'period' expects")):
        error = evaluate(b, "  " + code)
        assert error["kind"] == "bolt/pal-error" and says in error["msg"] and len(error["msg"]) < 600, (code, error)
    plan(b, ") { return run_plan('site::callee', 'targets' => 5) }")
    found = b.run("plan", "check", "site::p", "--format", "json").json
    assert any(SPEC.format("") + "Integer 5" in one["message"] for one in found), found


def test_secrets_are_not_part_of_messages_about_types(b):
    """USER-C3, TSK-044: of sensitive parameters of tasks, types that mention Sensitive, and values that are wrapped"""
    local(b)
    b.task("t.sh", "true\n", {"parameters": {"x": {"type": "Enum[a, b]", "sensitive": True}}})
    shown = [b.run("task", "run", "site::t", "-t", "t0", "x=hunter2")]
    for kind in ("Sensitive[Enum[a, b]]", "Optional[Sensitive[Integer[1, 5]]]", "Variant[Sensitive[String[20]], Enum[none]]",
                 "Sensitive[Struct[{a => Integer[1, 2]}]]", "Struct[{a => Sensitive[Enum[q]]}]", "Site::Secret"):
        b.write("project/types/secret.pp", "type Site::Secret = Variant[Sensitive[Enum[q]], Enum[none]]\n")
        plan(b, f"{kind} $x) {{ return 1 }}")
        for given in ("x=hunter2", 'x={"a": "hunter2"}', "x=48151623"):
            shown.append(b.run("plan", "run", "site::p", given))
    for one in shown:
        assert one.status == 1 and "parameter 'x'" in one.out, one
        assert "hunter2" not in one.out + one.err and "48151623" not in one.out + one.err, one


def test_wrong_names_get_a_suggestion(b):
    """USER-C4: wherever a name is looked up, what is most like it is suggested: tasks, plans, their parameters, modules,
    guides, log levels, formats, transports, plugins"""
    local(b)
    b.task("greet.sh", "true\n", {"parameters": {"name": {"type": "Optional[String]"}}})
    b.write("project/plans/deploy.pp", "plan site::deploy(Optional[String] $version = undef) { return 1 }\n")
    b.write("project/modules/shop/plans/open.pp", "plan shop::open() { return 1 }\n")
    for words, says in ((("task", "run", "site::gret", "-t", "t0"), "Did you mean 'site::greet'?"),
                        (("task", "run", "greet", "-t", "t0"), "Did you mean 'site::greet'?"),
                        (("task", "show", "sit::greet"), "Did you mean 'site::greet'?"),
                        (("task", "run", "site::greet", "-t", "t0", "nam=x"), "has no parameter named 'nam'. Did you mean 'name'?"),
                        (("plan", "run", "site::deply"), "Did you mean 'site::deploy'?"),
                        (("plan", "show", "site::dploy"), "Did you mean 'site::deploy'?"),
                        (("plan", "run", "site::deploy", "verson=1"), "has no parameter named 'verson'. Did you mean 'version'?"),
                        (("module", "show", "shp"), "Did you mean 'shop'?"),
                        (("guide", "inventry"), "Did you mean 'inventory'?"),
                        (("command", "run", "true", "-t", "t0", "--log-level", "debgu"), "Did you mean 'debug'?"),
                        (("command", "run", "true", "-t", "t0", "--format", "jsno"), "Did you mean 'json'?"),
                        (("command", "run", "true", "-t", "shh://x"), "Did you mean 'ssh'?"),
                        (("command", "run", "true", "-t", "t0", "--tragets", "t1"), "Did you mean '--targets'?")):
        wrong = b.run(*words)
        assert wrong.status == 1 and says in wrong.out + wrong.err, (words, wrong)
        assert (wrong.out + wrong.err).count("Did you mean") == 1, wrong
    for words, status, says in ((("eval", "-e", "1", "--log-level", "debgu"), 2, "Did you mean 'debug'?"),
                                (("help", "--schema", "inventry"), 1, "Did you mean 'inventory'?")):
        wrong = b.run(*words, project=False)
        assert wrong.status == status and says in wrong.out + wrong.err, (words, wrong)
    for words in (("task", "run", "site::zzzzzzzz", "-t", "t0"), ("plan", "run", "qqqqqq"), ("guide", "xxxxxx")):
        assert "Did you mean" not in b.run(*words).out, "nothing is like it"
    b.inventory("targets: [{_plugin: pkcs77, encrypted_value: x}]\n")
    wrong = b.run("command", "run", "true", "-t", "all")
    assert "Unknown plugin: 'pkcs77'. Did you mean 'pkcs7'?" in wrong.out + wrong.err, wrong


def test_wrong_verbs_get_a_suggestion(b):
    """USER-C4: mistyped actions, what other tools call them, actions without their noun, options without their dashes"""
    for words, says in ((("command", "rn", "x"), "Did you mean 'run'?"), (("task", "list"), "Did you mean 'show'?"),
                        (("plan", "ls"), "Did you mean 'show'?"), (("plan", "create", "x"), "Did you mean 'new'?"),
                        (("command", "exec", "x"), "Did you mean 'run'?"),
                        (("run", "uptime"), "Did you mean 'command run'"), (("list", "tasks"), "Did you mean 'task show'?"),
                        (("upload", "a", "b"), "Did you mean 'file upload'?"), (("version",), "Did you mean '--version'?"),
                        (("comand", "run", "x"), "Did you mean 'command'?"), (("help", "comand"), "Did you mean 'command'?"),
                        (("help", "command", "rnu"), "Did you mean 'run'?")):
        wrong = b.run(*words, project=False)
        assert wrong.status == 1 and says in wrong.out, (words, wrong)
    assert "Did you mean" not in b.run("frobnicate", project=False).out


def test_wrong_names_in_code_get_a_suggestion(b):
    """USER-C4: functions, variables and types of plans; resource types, classes, their parameters and attributes in manifests.
    Puppet's own message stays as it is where it is data"""
    local(b)
    b.write("project/functions/double.pp", "function site::double($x) { $x * 2 }\n")
    b.write("project/modules/nginx/manifests/init.pp", "class nginx(Integer $port = 80) { }\n")
    plan(b, ") { run_command('false', 't0', '_catch_erors' => true) }")
    ignored = run(b, "p")
    assert ignored.status == 1 and "has no option '_catch_erors'; it is ignored. Did you mean '_catch_errors'?" in ignored.err, ignored
    for code, says in (("run_comand('x', 't0')", "Unknown function: 'run_comand'. Did you mean 'run_command'?"),
                       ("site::doubel(2)", "Did you mean 'site::double'?"),
                       ("$targets = 1\n  return $targes", "Unknown variable: 'targes'. Did you mean 'targets'?"),
                       ("return 1 =~ Integr", "Resource type not found: Integr. Did you mean 'Integer'?")):
        error = evaluate(b, "  " + code)
        assert error["kind"] == "bolt/pal-error" and says in error["msg"], (code, error)
    modules = ("--modulepath", b.project / "modules")
    for code, message, hint in (
            ("ngnix { 'x': }", "Unknown resource type: 'ngnix'", "Did you mean 'nginx'?"),
            ("include ngnix", "Could not find class ::ngnix", "Did you mean 'nginx'?"),
            ("class { 'nginx': prot => 1 }", "has no parameter named 'prot'", "Did you mean 'port'?"),
            ("flie { '/x': }", "Unknown resource type: 'flie'", "Did you mean 'file'?"),
            ("file { '/x': ensrue => file }", "no parameter named 'ensrue'", "Did you mean 'ensure'?"),
            ("$host = 1  notice($hots)", "Unknown variable: 'hots'", "Did you mean 'host'?"),
            ("notcie('x')", "Unknown function: 'notcie'", "Did you mean 'notice'?")):
        wrong = b.run("catalog", "compile", "-e", code, *modules, project=False)
        assert wrong.status == 1 and message in wrong.err and f"\n  {hint}\n" in wrong.err, (code, wrong)
        data = b.run("catalog", "compile", "-e", code, *modules, "--format", "json", project=False).json["error"]
        assert hint not in data["message"] and data["hint"] == hint, (code, data)
    plan(b, ") { apply('t0') { ngnix { 'x': } } }")
    b.inventory(json.dumps({"targets": [{"name": "t0", "config": {"transport": "local"}, "features": ["puppet-agent"]}]}))
    assert "Unknown resource type: 'ngnix'. Did you mean 'nginx'? (file: " in run(b, "p").json["msg"]


def test_errors_name_each_place_once(b):
    """USER-D.7: for people, the line with its column and not the line before it again; data keep Puppet's message"""
    b.write("dup.pp", "file { '/tmp/x': ensure => file }\nfile { '/tmp/x': ensure => file }\n")
    shown = b.run("catalog", "compile", "dup.pp", project=False)
    assert shown.status == 1 and shown.err.count("line: 1") == 1 and shown.err.count("line: 2") == 1, shown
    assert re.search(r"is already declared at \(file: \S*dup.pp, line: 1\); cannot redeclare \(file: \S*dup.pp, line: 2, column: 1\)",
                     shown.err), shown
    data = b.run("catalog", "compile", "dup.pp", "--format", "json", project=False).json["error"]
    assert data["message"].endswith("dup.pp, line: 2)") and data["line"] == 2, data
    b.inventory(json.dumps({"targets": [{"name": "t0", "config": {"transport": "local"}, "features": ["puppet-agent"]}]}))
    b.write("project/plans/p.pp", "plan site::p() { apply('t0') {\n  notify { 'a': }\n  notify { 'a': }\n} }\n")
    shown = run(b, "p", fmt=None)
    message = shown.out[shown.out.index("Apply failed to compile"):].split("\n")[0]
    assert message.count("line: 3") == 1 and message.count("line: 2") == 1, shown


def test_dependency_cycles_are_shown(b):
    """USER-D.7: catalog compile and apply name the resources of a cycle with their lines, also where classes stand for what
    they contain; a catalog without one has no warning"""
    b.write("cycle.pp", "file { '/tmp/a': ensure => file, require => Exec['b'] }\nexec { 'b':\n  command => '/bin/true',\n"
            "  require => Notify['c'],\n}\nnotify { 'c': require => File['/tmp/a'] }\n")
    shown = b.run("catalog", "compile", "cycle.pp", project=False)
    assert shown.status == 0 and json.loads(shown.out)["resources"], "compatibility: it compiles"
    cycle = re.search(r"Found 1 dependency cycle: (.*)", shown.err)
    assert cycle, shown
    steps = cycle[1].split(" => ")
    assert len(steps) == 4 and steps[0].split(" ")[0] == steps[3], shown
    places = {step.split(" ")[0]: step.rsplit(":")[-1].rstrip(")") for step in steps[:3]}
    assert places == {"File[/tmp/a]": "1", "Exec[b]": "2", "Notify[c]": "6"}, shown
    inside = b.run("catalog", "compile", "-e", "class a { notify { 'x': require => Class['b'] } }\nclass b { notify { 'y': } }\n"
                   "include a\ninclude b\nClass['a'] -> Notify['y']\n", project=False)
    assert "Found 1 dependency cycle" in inside.err and "Class[B]" in inside.err and "Notify[x]" in inside.err, inside
    for code in ("notify { 'a': } -> notify { 'b': } -> notify { 'c': }  Notify['a'] -> Notify['c']",
                 "class a { notify { 'x': } }\ninclude a\nnotify { 'y': require => Class['a'] }"):
        assert "cycle" not in b.run("catalog", "compile", "-e", code, project=False).err
    if not shutil.which("puppet"):
        raise Skip("there is no puppet program: ./dev test installs puppet-agent")
    b.inventory(json.dumps({"targets": [{"name": "t0", "config": {"transport": "local"}, "features": ["puppet-agent"]}]}))
    applied = b.run("apply", "cycle.pp", "-t", "t0", "--noop")
    assert applied.status == 1 and re.search(r"Found 1 dependency cycle: .*cycle.pp:1\).* => ", applied.out + applied.err), applied
    assert "dependency cycle" in applied.out, applied


def test_noop_says_what_would_change_once(b):
    """USER-D.11: the differences on request, no refreshes of what only contains, each line once with the targets that said it"""
    if not shutil.which("puppet"):
        raise Skip("there is no puppet program: ./dev test installs puppet-agent")
    b.inventory(json.dumps({"config": {"transport": "local"}, "targets": [
        {"name": f"web{i}", "features": ["puppet-agent"]} for i in (1, 2, 3)]}))
    b.write("motd", "old\n")
    b.write("site.pp", f"class c {{ file {{ '{b.folder}/motd': content => \"new\\n\", notify => Exec['b'] }}\n"
            "  exec { 'b': command => '/bin/true', refreshonly => true } }\ninclude c\n"
            "if $trusted['certname'] == 'web3' { notify { 'only here': } }\n")
    shown = b.run("apply", "site.pp", "-t", "all", "--noop", "--show-diff", "-c", "1")
    assert shown.status == 0 and (b.folder / "motd").read_text() == "old\n", shown
    assert shown.out.count("should be '{sha256}") == 1 and shown.out.count("\n  +new\n") == 1, shown
    assert "On web[1-3]:\n" in shown.out and "On web3:\n" in shown.out, shown
    assert shown.out.count("noop: ") == 3, "the counts of each target"
    assert "Class[C]: Would have triggered" not in shown.out and "Stage[main]: Would" not in shown.out, shown
    assert shown.out.count("Exec[b]: Would have triggered 'refresh'") == 1, shown
    plain = b.run("apply", "site.pp", "-t", "web1", "--noop")
    assert "+new" not in plain.out and "On web" not in plain.out and "should be '{sha256}" in plain.out, plain
    data = b.run("apply", "site.pp", "-t", "web1", "--noop", "--format", "json").json[0]["value"]["report"]
    assert any(log["source"] == "Class[C]" for log in data["logs"]), "data are complete"


def test_long_help_is_paged_on_a_terminal(b):
    """USER-D.4: with VOLLEY_PAGER, PAGER, or less; never in a pipe, with a dumb terminal, or when the variable is empty. The
    options that most need come first"""
    b.write("pager", "#!/bin/sh\necho \"paged by $0\"\ncat\n", mode=0o755)
    pager = str(b.folder / "pager")
    words = ("help", "command", "run")
    paged = b.terminal(*words, env={"PAGER": pager, "TERM": "xterm"})[0]
    assert "paged by" in paged and "--run-as USER" in paged, paged
    assert "paged by" in b.terminal(*words, env={"PAGER": "cat", "VOLLEY_PAGER": pager, "TERM": "xterm"})[0]
    for env in ({"PAGER": pager, "TERM": "dumb"}, {"PAGER": pager, "VOLLEY_PAGER": "", "TERM": "xterm"},
                {"PAGER": "cat", "TERM": "xterm"}, {"PAGER": "no-such-pager-here", "TERM": "xterm"}):
        shown = b.terminal(*words, env=env)[0]
        assert "paged by" not in shown and "--run-as USER" in shown, (env, shown)
    piped = b.run(*words, env={"PAGER": pager, "TERM": "xterm"}, project=False)
    assert "paged by" not in piped.out and piped.status == 0, piped
    headings = [line for line in piped.out.splitlines() if line.endswith("options")]
    assert headings[0] == "Common options", piped
    common = piped.out.split("Common options")[1].split("\n\n")[0]
    for option in ("--targets", "--run-as", "--user", "--format"):
        assert option in common and len(re.findall(rf"^ +(-., )?{option} ", piped.out, re.M)) == 1, (option, piped)


def test_operators_are_shown_in_the_words_of_what_failed(b):
    """BOLT-5: what an operator wraps is shown in a plan without the sentence around it; messages of lookups are whole already"""
    local(b)
    for code, msg in (("'a' =~ '('", "end pattern with unmatched parenthesis: /(/"),
                      ("'a' !~ '['", "premature end of char-class: /[/"),
                      ("'a' =~ 5", "no implicit conversion of Integer into String"),
                      ("lookup('nope')", "Function lookup() did not find a value for the name 'nope'")):
        error = evaluate(b, "  $x = " + code)
        assert error["kind"] == "bolt/pal-error" and error["msg"] == msg, (code, error)
    error = evaluate(b, "  $x = 1 < 'a'")
    assert "Evaluation Error" not in error["msg"] and "(file:" not in error["msg"] and error["details"]["line"] == 2, error
    b.write("project/hiera.yaml", "version: 5\nhierarchy:\n  - {name: c, path: c.yaml}\nplan_hierarchy:\n  - {name: c, path: c.yaml}\n")
    b.write("project/data/c.yaml", "a: \"%{alias('b')}\"\nb: \"%{alias('a')}\"\nc: \"%{nope('x')}\"\n")
    for key, msg in (("a", "Recursive lookup detected in [a, b]"), ("c", "Unknown interpolation method 'nope'")):
        error = evaluate(b, f"  return lookup('{key}')")
        assert msg in error["msg"] and not error["msg"].startswith("Evaluation Error"), (key, error)
