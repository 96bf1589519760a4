"""What a process keeps of files (code, data, functions, types) is as good as what is on the disk."""
import json
import os
import subprocess

from harness.bench import HANGS


class Batch:
    """`volley eval --batch`: one process that is asked again and again."""

    def __init__(self, b):
        self.b = b
        self.child = subprocess.Popen([b.volley, "eval", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      stderr=subprocess.DEVNULL, env=b.env, cwd=b.folder, text=True)
        b.undo(self.close)

    def ask(self, code, path="envs", **more):
        request = {"id": 1, "code": code, "environmentpath": str(self.b.folder / path), **more}
        self.child.stdin.write(json.dumps(request) + "\n")
        self.child.stdin.flush()
        answer = json.loads(self.child.stdout.readline())
        assert answer["error"] is None, answer
        return answer["value"]

    def fails(self, code, path="envs"):
        request = {"id": 1, "code": code, "environmentpath": str(self.b.folder / path)}
        self.child.stdin.write(json.dumps(request) + "\n")
        self.child.stdin.flush()
        return json.loads(self.child.stdout.readline())["error"]

    def close(self):
        self.child.stdin.close()
        self.child.wait(HANGS)


def rewrite(b, path, old, new):
    """The same file with another text of the same length, and of the same time stamp."""
    file = b.folder / path
    before = file.stat()
    text = file.read_text().replace(old, new)
    with open(file, "r+") as out:
        out.write(text)
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    after = file.stat()
    assert (after.st_ino, after.st_size, after.st_mtime_ns) == (before.st_ino, before.st_size, before.st_mtime_ns)


M = "envs/production/modules/m/"


def test_rewritten_files_are_read_again(b):
    """CODE-2.7: one rule for all caches: a file of the same size and time, written a moment later, is another one"""
    b.write(M + "functions/f.pp", "function m::f() { 'one' }\n")
    b.write(M + "files/text", "one\n")
    b.write(M + "templates/t.epp", "one\n")
    b.write(M + "templates/t.erb", "one<%= 1 %>\n")
    b.write(M + "lib/puppet/functions/m/r.rb", "Puppet::Functions.create_function(:'m::r') do\n  def r\n    'one'\n  end\nend\n")
    b.write("envs/production/hiera.yaml", "version: 5\nhierarchy: [{name: all, paths: [a.yaml]}, {name: json, data_hash: json_data, path: b.json}]\n")
    b.write("envs/production/data/a.yaml", "y: one\n")
    b.write("envs/production/data/b.json", '{"j": "one"}\n')
    code = "[m::f(), m::r(), file('m/text'), epp('m/t.epp'), template('m/t.erb'), lookup('y'), lookup('j')]"
    batch = Batch(b)
    one, two, six = (["one", "one", "one\n", "one\n", "one1\n", "one", "one"],
                     ["two", "two", "two\n", "two\n", "two1\n", "two", "two"],
                     ["six", "six", "six\n", "six\n", "six1\n", "six", "six"])
    assert batch.ask(code) == one
    assert batch.ask(code) == one
    for old, new, want in (("one", "two", two), ("two", "six", six)):
        for path in (M + "functions/f.pp", M + "files/text", M + "templates/t.epp", M + "templates/t.erb",
                     M + "lib/puppet/functions/m/r.rb", "envs/production/data/a.yaml", "envs/production/data/b.json"):
            rewrite(b, path, old, new)
        assert batch.ask(code) == want


def test_a_file_that_is_wrong_for_a_moment_is_read_again(b):
    """CODE-2.7: a mistake that is taken back leaves nothing behind, and neither does one that comes"""
    b.write(M + "functions/f.pp", "function m::f() { 'one' }\n")
    b.write("envs/production/hiera.yaml", "version: 5\nhierarchy: [{name: all, path: a.yaml}]\n")
    b.write("envs/production/data/a.yaml", "y: [1]\n")
    batch = Batch(b)
    assert batch.ask("[m::f(), lookup('y')]") == ["one", [1]]
    rewrite(b, M + "functions/f.pp", "{ 'one' }", "{ 'one' ]")
    rewrite(b, "envs/production/data/a.yaml", "[1]", "[1}")
    assert "Syntax error" in batch.fails("m::f()")["message"]
    assert "a.yaml" in batch.fails("lookup('y')")["message"]
    rewrite(b, M + "functions/f.pp", "{ 'one' ]", "{ 'one' }")
    rewrite(b, "envs/production/data/a.yaml", "[1}", "[1]")
    assert batch.ask("[m::f(), lookup('y')]") == ["one", [1]]


HELPER = "module PuppetX\n module Names\n  def make\n   newparam(:name, namevar: true)\n   newparam(:%s)\n  end\n end\nend\n"


def test_a_type_is_as_new_as_the_files_it_is_made_of(b):
    """CODE-2.6: a type of a module depends on the files that it requires and on the modulepath, not on its own file alone"""
    for environment, name in (("envs", "color"), ("other", "shape")):
        b.write(f"{environment}/production/modules/m/lib/puppet_x/names.rb", HELPER % name)
    b.write("envs/production/modules/t/lib/puppet/type/thing.rb",
            "require 'puppet_x/names'\nPuppet::Type.newtype(:thing) do\n extend PuppetX::Names\n make\nend\n")
    batch = Batch(b)
    color, shape = "thing { 'x': color => 1 } 1", "thing { 'x': shape => 1 } 1"
    assert batch.ask(color) == 1
    assert "no parameter named 'shape'" in batch.fails(shape)["message"]
    rewrite(b, "envs/production/modules/m/lib/puppet_x/names.rb", "color", "shape")
    assert batch.ask(shape) == 1
    assert "no parameter named 'color'" in batch.fails(color)["message"]
    rewrite(b, "envs/production/modules/m/lib/puppet_x/names.rb", "shape", "color")
    assert batch.ask(color) == 1
    # Another modulepath has the same file of the type, and another module before it that the type gets its names from.
    b.write("third/production/environment.conf",
            f"modulepath = {b.folder}/other/production/modules:{b.folder}/envs/production/modules\n")
    assert batch.ask(shape, path="third") == 1
    assert batch.ask(color) == 1
