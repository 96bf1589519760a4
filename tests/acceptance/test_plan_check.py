"""plan check: what is wrong with plans is found before they run, and nothing that is right is called wrong."""
import json
import pathlib
import shutil

ROOT = pathlib.Path(__file__).resolve().parents[2]


def site(b):
    b.inventory(json.dumps({"config": {"transport": "local"}, "targets": ["web1", "web2"],
                            "groups": [{"name": "web", "targets": ["web1"], "vars": {"tier": "front"}}]}))
    b.task("t.sh", "#!/bin/sh\n", {"parameters": {"n": {"type": "Integer"}}})
    b.task("any.sh", "#!/bin/sh\n")
    b.write("project/files/there.sh", "#!/bin/sh\n")
    b.write("project/files/folder/inside.txt", "x")
    b.write("project/templates/there.epp", "x\n")


def check(b, body, params="TargetSpec $targets"):
    """[(line, column, level, message)] for a plan with that body from line 2 on."""
    b.write("project/plans/p.pp", f"plan site::p({params}) {{\n{body}\n}}\n")
    run = b.run("plan", "check", "site::p", "--format", "json")
    found = [(one["line"], one["column"], one["level"], one["message"]) for one in run.json]
    assert run.status == (1 if any(one[2] == "error" for one in found) else 0), run
    assert all(one["file"] == str(b.project / "plans/p.pp") for one in run.json), run
    return found


def finds(b, rows, params="TargetSpec $targets"):
    """Each body has one finding, which begins at `place` and holds `text`."""
    for body, place, level, text in rows:
        found = check(b, body, params)
        assert [one[:3] for one in found] == [(*place, level)] and text in found[0][3], (body, found)


def finds_nothing(b, bodies, params="TargetSpec $targets"):
    for body in bodies:
        assert check(b, body, params) == [], body


def test_functions_that_nobody_has_are_errors(b):
    """USER-C1: unknown functions, called any way and anywhere, with a suggestion"""
    site(b)
    b.write("project/functions/own.pp", "function site::own($x) { $x }\n")
    b.write("project/lib/puppet/functions/site/ruby.rb", "Puppet::Functions.create_function(:'site::ruby') do\n def ruby; 1; end\nend\n")
    finds(b, [
        ("run_comand('x', $targets)", (2, 1), "error", "Unknown function 'run_comand'; did you mean 'run_command'?"),
        ("out::mesage('x')", (2, 1), "error", "did you mean 'out::message'?"),
        ("return $targets.lenght", (2, 16), "error", "did you mean 'length'?"),
        ("get_targets($targets).each |$t| { out::mesage($t) }", (2, 35), "error", "out::mesage"),
        ("$x = site::onw(1)\nreturn $x", (2, 6), "error", "Unknown function 'site::onw'"),
        ("return \"${site::non($targets)}\"", (2, 11), "error", "Unknown function 'site::non'"),
        ("apply($targets) { notify { [rubish()]: } }", (2, 29), "error", "Unknown function 'rubish'"),
        ("apply($targets) { run_command('x', 'web1') }", (2, 19), "error", "run_command is for plans"),
    ])
    finds_nothing(b, ["return site::own(1) + site::ruby()", "return get_targets($targets).map |$t| { [$t.name, $t.host, $t.safe_name, $t.vars] }",
                      "return run_command('x', $targets).ok_set.first.value['stdout']", "return catch_errors() || { 1 }.kind",
                      "$r = run_task('site::any', $targets, _catch_errors => true)\nreturn $r.error_set.map |$e| { $e.error.msg }",
                      "return unique([1, 2]).join(',').capitalize",
                      "return ::unique([1])", "$h = {'a' => 1}\nreturn $h.keys.sort.reduce |$m, $k| { $m }"])


def test_variables_that_are_never_set_are_errors(b):
    """USER-C1: reading what nobody has set; what only one branch sets may be there"""
    site(b)
    finds(b, [
        ("run_command('x', $target)", (2, 18), "error", "The variable $target is never set; did you mean '$targets'?"),
        ("return $result", (2, 8), "error", "The variable $result is never set"),
        ("out::message(\"on ${target}\")", (2, 20), "error", "did you mean '$targets'?"),
        ("out::message(\"on $nope\")", (2, 18), "error", "$nope is never set"),
        ("out::message($late)\n$late = 1\nout::message($late)", (2, 14), "error", "$late is not set yet: line 3 sets it"),
        ("[1].each |$x| { $in = $x\nout::message($in) }\nreturn $in", (4, 8), "error", "is set only inside a block (line 2)"),
        ("[1].each |$x| { out::message($x) }\nreturn $x", (3, 8), "error", "$x is never set"),
        ("with(1) |$a, $b = $c| { out::message(\"${a}${b}\") }", (2, 19), "error", "$c is never set"),
        ("return({'k' => [$nope]})", (2, 17), "error", "$nope is never set"),
        ("return $nope ? { default => 1 }", (2, 8), "error", "$nope is never set"),
        ("$x = $x\nreturn $x", (2, 6), "error", "$x is not set yet"),
    ])
    finds_nothing(b, [
        "if $targets == 'x' { $a = 1 }\nreturn $a", "if $targets == 'x' { $a = 1 } else { $a = 2 }\nreturn $a",
        "unless $targets == 'x' { $a = 1 }\nreturn $a",
        "case $targets { 'x': { $a = 1 } 'y': { $a = 2 } default: { fail_plan('no') } }\nreturn $a",
        "if defined('$maybe') { return $maybe }", "if $targets =~ /(a)(b)/ { return \"$1 ${2}\" }",
        "[$a, [$b]] = [1, [2]]\nreturn $a + $b", "$f = [1].map |$x, $y = $x| { [$x, $y] }\nreturn $f",
        "return [1].with |$a| { [2].map |$b| { $a + $b } }", "return [[1, 2]].map |$row| { $row.each |$i, $v| { out::message(\"${i} ${v} ${row}\") } }",
        "parallelize([1]) |$p| { background('x') || { out::message($p) } }", "if ($n = 5) > 3 { return $n }",
        "return run_task_with('site::any', $targets) |$t| { {'who' => $t.name} }",
    ])
    finds_nothing(b, ["return \"${a} ${b}\""], "Integer $a, Integer $b = $a + 1")


def test_a_variable_is_set_only_once(b):
    """USER-C1: a second assignment in the same scope; blocks have scopes of their own, branches are alternatives"""
    site(b)
    finds(b, [
        ("$a = 1\n$a = 2\nreturn $a", (3, 1), "error", "The variable $a cannot be reassigned: it has its value already in line 2"),
        ("$targets = 'x'", (2, 1), "error", "it is a parameter"),
        ("$a = 1\n[$b, $a] = [1, 2]\nreturn [$a, $b]", (3, 6), "error", "$a cannot be reassigned"),
        ("$a = 1\nif $a == 1 { $a = 2 }", (3, 14), "error", "$a cannot be reassigned"),
        ("[1].each |$x| { $x = 2\nout::message($x) }", (2, 17), "error", "$x cannot be reassigned: it is a parameter"),
        ("if $targets == 'x' { $a = 1 } else { $a = 2 }\n$a = 3\nreturn $a", (3, 1), "error", "$a cannot be reassigned"),
        ("if $targets == 'x' { $a = 1 }\n$a = 3\nreturn $a", (3, 1), "warning", "$a may have a value already in line 2"),
    ])
    finds_nothing(b, [
        "$a = 1\n[1].each |$x| { $a = $x\nout::message($a) }\nreturn $a",
        "if $targets == 'x' { $a = 1 } else { $a = 2 }\nreturn $a",
        "case $targets { 'x': { $a = 1 } default: { $a = 2 } }\nreturn $a",
        "if $targets == 'x' { $a = 1\nreturn $a }\n$a = 2\nreturn $a",
        "[1].each |$x| { out::message($x) }\n[2].each |$x| { out::message($x) }",
    ])


def test_options_that_functions_do_not_have_are_found(b):
    """USER-C1: '_catch_error', and options without their underscore where that makes them something else"""
    site(b)
    finds(b, [
        ("run_command('x', $targets, '_catch_error' => true)", (2, 28), "error", "run_command has no option '_catch_error'; did you mean '_catch_errors'?"),
        ("run_command('x', $targets, '_noop' => true)", (2, 28), "error", "run_command has no option '_noop'"),
        ("run_command('x', $targets, 'described', '_run_sa' => 'root')", (2, 41), "error", "did you mean '_run_as'?"),
        ("run_script('site/there.sh', $targets, 'catch_errors' => true)", (2, 39), "error", "did you mean '_catch_errors'?"),
        ("run_script('site/there.sh', $targets, 'argumets' => [])", (2, 39), "error", "did you mean 'arguments'?"),
        ("upload_file('site/there.sh', '/x', $targets, catch_errors => true)", (2, 46), "error", "did you mean '_catch_errors'?"),
        ("run_task('site::any', $targets, '_catch_error' => true)", (2, 33), "error", "did you mean '_catch_errors'?"),
        ("run_task('site::any', $targets, 'catch_errors' => true)", (2, 33), "warning", "passes 'catch_errors' on as a parameter; the option is '_catch_errors'"),
        ("run_plan('facts', 'targets' => $targets, '_catch_error' => true)", (2, 42), "error", "run_plan has no option"),
        ("run_command('x', $targets, 'catch_errors' => true)", (2, 28), "warning", "'catch_errors' is written '_catch_errors'"),
        ("parallelize([1], 'concurency' => 2) |$x| { out::message($x) }", (2, 18), "error", "did you mean 'concurrency'?"),
        ("wait_until_available($targets, 'waittime' => 1)", (2, 32), "error", "did you mean 'wait_time'?"),
        ("apply($targets, '_nop' => true) { }", (2, 17), "error", "apply has no option '_nop'; did you mean '_noop'?"),
        ("ctrl::do_until('limits' => 2) || { true }", (2, 16), "error", "did you mean 'limit'?"),
    ])
    finds_nothing(b, [
        "run_command('x', $targets, 'd', '_catch_errors' => true, '_run_as' => 'u', '_env_vars' => {'A' => 'b'})",
        "run_script('site/there.sh', $targets, 'arguments' => ['x'], '_catch_errors' => true)",
        "run_task('site::any', $targets, 'catch' => 1, '_noop' => true, '_run_as' => 'u')", "apply_prep($targets, '_catch_errors' => true)",
        "wait_until_available($targets, 'wait_time' => 1, 'retry_interval' => 1, 'description' => 'd', '_catch_errors' => true)",
        "prompt('x', 'sensitive' => true, 'default' => 'y')", "prompt::menu('x', {'a' => 1, 'b' => 2}, 'default' => 'a')",
        "apply($targets, '_catch_errors' => true, '_noop' => true, '_description' => 'd') { }",
        "$o = {'_catch_error' => true}\nrun_command('x', $targets, $o)",
    ])


def test_files_that_are_not_there_are_errors(b):
    """USER-C1: scripts, uploads, files and templates with a literal name"""
    site(b)
    finds(b, [
        ("run_script('site/ther.sh', $targets)", (2, 12), "error", "The file site/ther.sh does not exist"),
        ("run_script('nosite/there.sh', $targets)", (2, 12), "error", "there is no module 'nosite'; did you mean 'site'?"),
        ("run_script('there.sh', $targets)", (2, 12), "error", "write MODULE/FILE"),
        ("run_script('/nowhere/x.sh', $targets)", (2, 12), "error", "The file /nowhere/x.sh does not exist"),
        ("run_script('site/folder', $targets)", (2, 12), "error", "site/folder is not a file"),
        ("upload_file('site/nothing', '/x', $targets)", (2, 13), "error", "does not exist"),
        ("return file::read('site/nothing')", (2, 19), "error", "does not exist"),
        ("apply($targets) { file { '/x': content => epp('site/ther.epp') } }", (2, 47), "error", "did you mean 'site/there.epp'?"),
    ])
    finds_nothing(b, ["run_script('site/there.sh', $targets)", "upload_file('site/folder', '/x', $targets)", "return file::read('site/folder/inside.txt')",
                      "if file::exists('site/nothing') { return 1 }", "$f = 'x'\nrun_script(\"site/${f}.sh\", $targets)", "run_script('/bin/sh', $targets)",
                      "apply($targets) { file { '/x': content => epp('site/there.epp') } }"])


def test_groups_and_targets_that_nobody_knows_are_found(b):
    """USER-C1: names of targets are warnings, they may be hosts; a group that is to get members must be there"""
    site(b)
    finds(b, [
        ("get_targets('wbe')", (2, 13), "warning", "did you mean the group 'web'?"),
        ("run_command('x', ['web1', 'web3'])", (2, 18), "warning", "'web3' is not in inventory.yaml"),
        ("apply('wbe') { }", (2, 7), "warning", "did you mean the group 'web'?"),
        ("run_plan('facts', 'wbe')", (2, 19), "warning", "'wbe' is not in inventory.yaml"),
        ("upload_file('site/there.sh', '/x', 'wbe')", (2, 36), "warning", "'wbe' is not in inventory.yaml"),
        ("add_to_group($targets, 'wbe')", (2, 24), "error", "There is no group 'wbe' in inventory.yaml; did you mean 'web'?"),
        ("remove_from_group($targets, 'none')", (2, 29), "error", "There is no group 'none' in inventory.yaml"),
    ])
    finds_nothing(b, ["get_targets('web')", "get_targets(['web1', 'web*', 'localhost', '10.0.0.1'])", "add_to_group($targets, 'web')",
                      "run_command('x', $targets)", "get_targets('all')"])


def test_apply_blocks_are_checked(b):
    """USER-C1: types, classes, attributes and variables in apply blocks; facts and variables of targets are known there"""
    site(b)
    b.write("project/manifests/init.pp", "class site(Integer $port = 80) { }\n")
    b.write("project/manifests/vhost.pp", "define site::vhost(Integer $port, String $root = '/') { }\n")
    b.write("project/lib/facter/rack.rb", "Facter.add(:rack) { setcode { 'r1' } }\n")
    b.write("project/lib/puppet/type/gadget.rb", "Puppet::Type.newtype(:gadget) do\n  newparam(:name, namevar: true)\n  newproperty(:size)\nend\n")
    finds(b, [
        ("apply($targets) { fil { '/x': ensure => present } }", (2, 19), "error", "Unknown resource type 'fil'; did you mean 'file'?"),
        ("apply($targets) { file { '/x': ensur => present } }", (2, 32), "error", "has no attribute 'ensur'; did you mean 'ensure'?"),
        ("apply($targets) { File { ownr => 'x' } }", (2, 26), "error", "did you mean 'owner'?"),
        ("apply($targets) { include sit }", (2, 27), "error", "Could not find the class sit; did you mean 'site'?"),
        ("apply($targets) { contain site::gone }", (2, 27), "error", "Could not find the class site::gone"),
        ("apply($targets) { class { 'sit': } }", (2, 27), "error", "Could not find the class sit"),
        ("apply($targets) { class { 'site': prt => 1 } }", (2, 35), "error", "The class site has no parameter 'prt'; did you mean 'port'?"),
        ("apply($targets) { site::vhost { 'a': port => 1, rot => '/' } }", (2, 49), "error", "did you mean 'root'?"),
        ("apply($targets) { site::vhost { 'a': root => '/' } }", (2, 19), "error", "needs the parameter 'port'"),
        ("apply($targets) { site::vhots { 'a': } }", (2, 19), "error", "Unknown resource type 'site::vhots'"),
        ("apply($targets) { gadget { 'a': sise => 1 } }", (2, 33), "error", "no attribute 'sise'"),
        ("if true { [1].each |$x| { apply($targets) { fil { \"/${x}\": } } } }", (2, 45), "error", "Unknown resource type 'fil'"),
        ("apply($targets) { notify { $target: } }", (2, 28), "warning", "did you mean '$targets'?"),
        ("apply($targets) { notify { $nothing_known: } }", (2, 28), "warning", "$nothing_known is never set"),
    ])
    finds_nothing(b, [
        "apply($targets) { file { '/x': ensure => file, owner => 'root', require => Package['a'], tag => 'x' } package { ['a', 'b']: ensure => present } }",
        "$port = 5\napply($targets) { class { 'site': port => $port } include site\nsite::vhost { 'a': * => {'port' => 1} } }",
        "apply($targets) { site::vhost { default: port => 1; 'a': ; 'b': root => '/x' } gadget { 'g': size => 1 } }",
        "apply($targets) { notify { \"${facts['os']} ${os} ${osfamily} ${trusted} ${rack} ${tier} ${hostname} ${ipaddress_eth0}\": } }",
        "apply($targets) { $x = 1\n[1].each |$y| { notify { \"${x}${y}\": } } node default { notify { 'n': } } }",
        "apply($targets) { if $facts['x'] { $z = 1 } notify { \"${z}\": } }",
        "$x = 1\nreturn apply($targets) { $y = $x\nnotify { \"${y}\": } }.first.report",
    ])


def test_yaml_plans_are_checked_alike(b):
    """USER-C1, USER-C5: code in YAML plans has the same checks, at its place in the file"""
    site(b)
    b.write("project/plans/y.yaml", """parameters:
  targets: {type: TargetSpe}
steps:
  - name: first
    command: "echo ${targt}"
    targets: $targets
  - script: site/ther.sh
    targets: $target
  - eval: |
      $a = 1
      nofunction($a, $first)
  - resources:
      - fil: /x
        parameters: {ensure: file}
      - type: file
        title: /y
        parameters:
          ensur: file
    targets: web
  - upload: site/folder
    destination: /x
    targets: $later
  - name: later
    message: $first.first
return: $nope
""")
    run = b.run("plan", "check", "site::y", "--format", "json")
    wanted = [(2, 19, "TargetSpe; did you mean 'TargetSpec'?"), (5, 22, "$targt is never set; did you mean '$targets'?"),
              (7, 13, "The file site/ther.sh does not exist"), (8, 14, "did you mean '$targets'?"), (11, 7, "Unknown function 'nofunction'"),
              (13, 9, "Unknown resource type 'fil'"), (18, 11, "no attribute 'ensur'"), (22, 14, "$later is never set"), (25, 9, "$nope is never set")]
    assert [(one["line"], one["column"]) for one in run.json] == [one[:2] for one in wanted], run
    assert all(text in one["message"] for one, (_, _, text) in zip(run.json, wanted)), run


def test_what_plan_check_prints(b):
    """USER-C1: how many plans were read, what is an error and what a warning, where, and the exit status"""
    site(b)
    shutil.rmtree(b.project / "plans", ignore_errors=True)
    run = b.run("plan", "check")
    assert run.status == 0 and run.out.startswith("No plans to check"), run
    b.write("project/plans/a.pp", "plan site::a() { }\n")
    b.write("project/plans/sub/b.pp", "plan site::sub::b() { }\n")
    run = b.run("plan", "check")
    assert (run.status, run.out) == (0, "2 plans checked, no problem\n"), run
    b.write("project/plans/a.pp", "plan site::a() {\n  $unused = 1\n}\n")
    run = b.run("plan", "check")
    place = f"{b.project}/plans/a.pp"
    assert (run.status, run.out) == (0, f"{place}:2:3: warning: The variable $unused is set and never used\n2 plans checked: 1 warning\n"), run
    b.write("project/plans/bad.pp", "plan site::bad() {\n  $x = (1\n}\n")
    b.write("project/plans/wrong.pp", "plan site::other() { }\n")
    b.write("project/plans/y.yaml", "steps:\n  - comand: x\n  - command: x\n")
    b.write("project/plans/tab.yaml", "steps:\n\t- x: y\n")
    run = b.run("plan", "check")
    lines = run.out.splitlines()
    assert run.status == 1 and lines[-1] == "6 plans checked: 5 errors, 1 warning", run
    assert any(line.startswith(f"{b.project}/plans/bad.pp:") and ": error: " in line for line in lines), run
    assert any(line.startswith(f"{b.project}/plans/wrong.pp: error: ") for line in lines), run
    assert any(line.startswith(f"{b.project}/plans/y.yaml:2:5: error: ") and 'did you mean "command"' in line for line in lines), run
    assert any(line.startswith(f"{b.project}/plans/y.yaml:3:5: error: ") for line in lines), run
    assert any(line.startswith(f"{b.project}/plans/tab.yaml:2:1: error: tabs are not allowed as indentation") for line in lines), run
    assert all(set(one) == {"level", "message", "file", "line", "column"} for one in b.run("plan", "check", "--format", "json").json)
    assert b.run("plan", "check", "site::nosuch", "--format", "json").json["kind"] == "bolt/unknown-plan"


def test_examples_and_bundled_plans_have_no_problem(b):
    """USER-C1: no false alarm in the projects of examples/ and in the plans that ship with the program"""
    projects = sorted(path.parent for path in (ROOT / "examples").glob("*/bolt-project.yaml"))
    assert len(projects) > 3, projects
    b.write("bundled/bolt-project.yaml", "name: bundled\n")
    shutil.copytree(ROOT / "modules", b.folder / "bundled/modules")
    for number, project in enumerate([*projects, b.folder / "bundled"]):
        shutil.copytree(project, b.folder / f"copy{number}")
        run = b.run("plan", "check", "--project", b.folder / f"copy{number}", "--format", "json", project=False)
        assert run.json == [], (project, run)
