"""validate: everything that Volley knows is looked at, each problem is seen once and with one place."""
import re
import shutil
import subprocess
import sys

from harness.bench import has_native_ruby

PLACE = re.compile(r":\d+:\d+")


def validate(b, *words, **more):
    return b.run("validate", *words, project=False, cwd=b.folder / "m", **more)


def lines(run):
    """The findings, of which each names its file and place once."""
    found = run.out.splitlines()
    assert all(len(PLACE.findall(line)) <= 1 and "(file: " not in line for line in found), run
    return found


def finds(b, name, text, wanted, status=1):
    """A file alone, and the folder that it is in, have these findings."""
    b.write(f"m/{name}", text)
    for word in (name, "."):
        run = validate(b, word)
        found = [line.removeprefix("./") for line in lines(run)]
        assert run.status == status and len(found) == len(wanted), (name, run)
        for line, (place, part) in zip(found, wanted):
            assert re.match(re.escape(name) + place + r": (error|warning): ", line) and part in line, (name, line, part)
    (b.folder / "m" / name).unlink()


def test_a_folder_is_looked_at_whole(b):
    """USER-C2: manifests, plans, templates, Ruby, data and configuration below a folder; a broken one is status 1"""
    finds(b, "manifests/init.pp", "class m {\n  $x = \n}\n", [(":3:1", "error: Syntax error")])
    finds(b, "data/x.yaml", "a: 1\nb: [1, 2\n", [(":3:1", "did not find expected")])
    finds(b, "data/x.yml", "a:\n\tb: 1\n", [(":2:1", "tabs are not allowed as indentation")])
    finds(b, "data/x.eyaml", "a: 'x\n", [(":1:4", "a quote is not closed")])
    finds(b, "x.json", '{"a": 1,\n}', [(":2:1", "not valid JSON")])
    finds(b, "templates/x.epp", "x\n<%= $x = %>\n", [(r":2:\d+", "Syntax error")])
    finds(b, "templates/x.erb", "a\n<% if true %>\nb\n", [(r":\d+", "syntax error")])
    finds(b, "lib/puppet/functions/x.rb", "def x\n  1 +\n", [(r":\d+", "syntax error")])
    finds(b, "hiera.yaml", "version: 5\nhierarchy:\n  - name: a\n    pth: x\n", [(":4:5", "unknown key 'pth'")])
    finds(b, "hiera.yaml", "version: 7\n", [(":1:10", "version 7")])


def test_syntax_errors_say_what_was_left_open(b):
    """USER-C5: Puppet names the token where it could not go on; what is missing is often lines above it"""
    for text, place, hint in (("class a {\n  $x = foo(1,\n    2\n  $y = 3\n}\n", "4:3", "'(' of line 2 is not closed"),
                              ("class a {\n  $x = [1, 2\n  notice($x)\n}\n", "3:3", "'[' of line 2 is not closed"),
                              ("class a {\n  if true {\n}\n", "", "'{' of line 1 is not closed"),
                              ("class a {\n  $x = (1 + 2]\n}\n", "2:14", "'(' of line 2 is not closed")):
        b.write("m/x.pp", text)
        run = validate(b, "x.pp")
        assert len(lines(run)) == 1 and run.out.startswith(f"x.pp:{place}" if place else "x.pp: error: Syntax error at end of input"), run
        assert run.out.rstrip().endswith(f"; {hint}"), run
        assert "not closed" not in validate(b, "x.pp", "--format", "json").json[0]["message"], run
    for text in ("class a {\n  $x = \n}\n", "class a {\n  $x = 1 +* 2\n}\n", "$x = = 1\n"):
        b.write("m/x.pp", text)
        assert "not closed" not in validate(b, "x.pp").out, text


def test_configuration_is_checked_by_its_rules(b):
    """USER-C2: bolt-project.yaml, bolt-defaults.yaml and inventory.yaml, each fault with its place"""
    finds(b, "bolt-project.yaml", "name: m\nconcurrency: many\nmodulpath: [x]\n",
          [(":2:14", "must be of type Integer"), (":3:1", "Did you mean 'modulepath'?")])
    finds(b, "inventory.yaml", "targets:\n  - name: 5\n    config: {transport: shs}\ngroups: {}\n",
          [(":2:11", "must be of type String"), (":3:25", "shs"), (":4:9", "must be of type")])
    finds(b, "inventory.yaml", "version: 1\n", [(":1:10", "version 1")])
    finds(b, "bolt-defaults.yaml", "color: 5\n", [(":1:8", "must be of type Boolean")])


def test_metadata_of_tasks_is_checked(b):
    """USER-C2: keys that do not exist, types that are none, values of the wrong kind"""
    finds(b, "tasks/t.json", '{"suports_noop": true}', [(":1:2", "unknown key 'suports_noop'; did you mean 'supports_noop'?")])
    finds(b, "tasks/t.json", '{"parameter": {}}', [(":1:2", "did you mean 'parameters'?")])
    finds(b, "tasks/t.json", '{\n  "parameters": {\n    "n": {"typ": "Integer"},\n    "m": {"type": "Interger"}\n  }\n}',
          [(":3:11", "did you mean 'type'?"), (":4:11", "unknown type 'Interger'; did you mean 'Integer'?")])
    finds(b, "tasks/t.json", '{"parameters": {"n": {"type": "Integer["}}}', [(":1:23", "the type 'Integer[' is wrong")])
    finds(b, "tasks/t.json", '{"input_method": "stdn"}', [(":1:2", "stdn")])
    finds(b, "tasks/t.json", '{"supports_noop": "yes"}', [(":1:2", "must be true or false")])
    finds(b, "tasks/t.json", '{"parameters": {"Bad": {}}}', [(":1:17", "'Bad'")])
    finds(b, "tasks/t.json", '[]', [(":1:1", "must be a JSON object")])
    finds(b, "tasks/t.json", '{"company_contact": "x"}', [(":1:2", "warning: ")], status=0)
    finds(b, "tasks/t.json", '{"parameters": {"a": {"type": "Optional[TargetSpec]"}, "b": {"type": "Other::Alias", "default": "x", '
          '"sensitive": true, "description": "d"}}, "private": true, "files": ["m/files/x"], "identifiers": {}}', [], status=0)


def test_metadata_of_modules_is_checked(b):
    """USER-C2: metadata.json"""
    good = '{"name": "me-m", "version": "1.0.0", "author": "me", "license": "MIT", "source": "x", "dependencies": %s}'
    finds(b, "metadata.json", good % '[{"name": "puppetlabs/stdlib", "version_requirement": ">= 1.0.0"}]', [], status=0)
    finds(b, "metadata.json", good.replace("1.0.0", "1.0") % "[]", [(":1:18", "three numbers")])
    finds(b, "metadata.json", good.replace("me-m", "m") % "[]", [(":1:2", "AUTHOR-NAME")])
    finds(b, "metadata.json", good % '[{"nam": "x"}]', [(":1:104", "must be an object with a 'name'")])
    finds(b, "metadata.json", '{"version": "1.0.0"}', [(":1:1", "needs 'name'")] + [(":1:1", "warning")] * 4)


def test_plans_in_folders_of_plans_are_plans(b):
    """USER-C2: plans/sub/x.pp and plans/sub/x.yaml, as docs/testing-plans.md has them; data called plans are data"""
    b.write("m/bolt-project.yaml", "name: m\n")
    b.write("m/plans/test/deep/x.pp", "plan m::test::deep::x() { return apply('a') { notify { 'n': } } }\n")
    b.write("m/plans/test/y.yaml", "steps:\n  - message: hi\n")
    b.write("m/data/plans/z.yaml", "anything: true\n")
    b.write("m/manifests/plans/q.pp", "class m::plans::q { }\n")
    assert (validate(b, ".").status, validate(b, ".").out) == (0, ""), validate(b, ".")
    b.write("m/plans/test/y.yaml", "steps:\n  - mesage: hi\n  - command: x\n")
    run = validate(b, ".")
    assert run.status == 1 and [line.split(": ")[0] for line in lines(run)] == ["./plans/test/y.yaml:2:5", "./plans/test/y.yaml:3:5"], run
    assert 'did you mean "message"' in run.out and 'requires the key "targets"' in run.out, run
    b.write("m/plans/test/y.yaml", "steps:\n  - message: hi\n")
    b.write("m/plans/test/deep/x.pp", "plan m::test::deep::x() { $x = }\n")
    assert validate(b, "plans").status == 1


def test_what_is_not_known_is_not_called_right(b):
    """USER-C2: a file of an unknown kind is an error when it is named, and ignored in a folder; hidden files are left out"""
    for name in ("README.md", "script.sh", "Rakefile", ".hidden.yaml", ".modules/x/data.yaml"):
        b.write(f"m/{name}", "a: [\n")
    assert (validate(b, ".").status, validate(b, ".").out) == (0, ""), validate(b, ".")
    for name in ("README.md", "script.sh", "Rakefile"):
        run = validate(b, name)
        assert run.status == 1 and run.out.startswith(f"{name}: error: Volley does not know what this file is"), run
    assert validate(b, ".hidden.yaml").status == 1
    assert validate(b, "script.sh", "--epp").status == 0
    run = validate(b, "nowhere.pp", "nowhere/")
    assert run.status == 1 and [line.split(": ")[0] for line in run.out.splitlines()] == ["nowhere.pp", "nowhere/"], run


def test_a_project_that_cannot_be_read_is_reported_once(b):
    """USER-C2: each problem once"""
    b.write("m/bolt-project.yaml", "name: [\n")
    for name in ("a", "b", "c"):
        b.write(f"m/manifests/{name}.pp", "class x { }\n")
    run = validate(b, ".")
    assert run.status == 1 and len(lines(run)) == 1 and run.out.startswith("./bolt-project.yaml:2:1: error: "), run
    run = validate(b, "manifests")
    assert run.status == 1 and len(run.out.splitlines()) == 1, run


def test_ruby_without_a_ruby(b):
    """USER-C2: what the native parser reads is right; what it does not is a warning and not called right. A program
    without the native part warns of all of it."""
    b.write("m/lib/x.rb", "def x(a)\n  a + 1\nend\n")
    run = validate(b, ".", "--no-ruby")
    if has_native_ruby(b):
        assert (run.status, run.out) == (0, "")
    else:
        assert run.status == 0 and "warning: This Ruby cannot be checked without a ruby" in run.out, run
    b.write("m/lib/x.rb", "def x\n")
    run = validate(b, ".", "--no-ruby")
    assert run.status == 0 and "warning: This Ruby cannot be checked without a ruby" in run.out, run
    if shutil.which("ruby"):
        b.write("m/lib/x.rb", "puts 'never run'\nFile.write('ran', 'x')\n")
        assert (validate(b, ".").status, validate(b, ".").out) == (0, "") and not (b.folder / "m/ran").exists()


def test_standard_input_is_read_when_it_is_asked_for(b):
    """USER-C2: '-' is standard input; on a terminal nothing waits for input without a word"""
    b.write("m/x.pp", "class x { }\n")
    assert validate(b, "-", stdin=b"$x = [").status == 1 and validate(b, "-", stdin=b"$x = 1").status == 0
    assert validate(b, "x.pp", "-", "--file-name", "y.yaml", stdin=b"a: [").out.startswith("y.yaml:1:")
    code = ("import os, pty, subprocess, sys\n_, slave = pty.openpty()\n"
            "done = subprocess.run([sys.argv[1], 'validate'], stdin=slave, capture_output=True, text=True, timeout=60)\n"
            "print(done.returncode, done.stderr)")
    done = subprocess.run([sys.executable, "-c", code, b.volley], capture_output=True, text=True, check=True, env=b.env)
    assert done.stdout.startswith("2 Name the files or folders to check"), done
