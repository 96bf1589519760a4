"""What every transport does alike, whatever is at the other end: one suite, each way to reach a target (harness/ways.py)."""
import json
import signal
from pathlib import Path

from harness.bench import HANGS
from harness.patience import text_of, wait_for
from harness.ways import WAYS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "testing-transports.md"
BINARY = bytes(range(256)) * 4096 + b"\r\n\x04\x10\x11"

# Each is a step of one plan, so that a target is connected to once; its result is looked at by the function of the same name.
STEPS = {
    "run": "run_command($words['run'], $there, _catch_errors => true).first.value",
    "stdin": "run_task('site::read', $there, name => 'ünï \"x\"').first.value",
    "environment": "run_command($words['environment'], $there, _env_vars => {'A' => '1  2\\'$B'}).first['stdout']",
    "upload": "[upload_file($words['file'], \"${words['place']}/file.bin\", $there),"
              " upload_file($words['tree'], \"${words['place']}/tree\", $there)].map |$set| { $set.ok }",
    "download": "[download_file(\"${words['place']}/file.bin\", 'one', $there),"
                " download_file(\"${words['place']}/tree\", 'two', $there)].map |$set| { $set.first['path'] }",
    "no_such_folder": "upload_file(\"${words['tree']}/a\", '/proc/nowhere/file', $there, _catch_errors => true).first.value['_error']",
    "big_output": "run_command($words['big'], $there).first['stdout'].then |$text| { [$text.length, $text.split('9').unique] }",
    "not_utf_8": "run_command($words['odd'], $there).first['stdout']",
    "timeout": "run_command($words['slow'], $there, _timeout => 1, _catch_errors => true).first.value['_error']['kind']",
    "run_as": "run_command('id -un', $there, _run_as => $words['user'], _catch_errors => true).first.value",
    "again": "run_command($words['environment'], $there, _env_vars => {'A' => 'still'}).first['stdout']",
}


class Checks:
    def __init__(self, b, way):
        self.b, self.way, self.words = b, way, way.words

    def run(self, value):
        assert value["stdout"] == "out" + self.words.newline and "err" in value["stderr"] and value["exit_code"] == 3, value
        assert value["_error"]["kind"] == "puppetlabs.tasks/command-error", value

    def stdin(self, value):
        assert value["name"] == 'ünï "x"' and value["_task"] == "site::read", value

    def environment(self, value):
        assert value == "<1  2'$B>" + self.words.newline, value

    def upload(self, value):
        assert value == [True, True], value

    def download(self, value):
        one, two = map(Path, value)
        assert one.read_bytes() == BINARY, one
        assert {path.relative_to(two).as_posix(): path.read_bytes() for path in two.rglob("*") if path.is_file()} == {
            "a": b"", "deep/ä b": BINARY[:300]}, two

    def no_such_folder(self, value):
        assert value["kind"] == "puppetlabs.tasks/task_file_error" and "\n" not in value["msg"], value

    def big_output(self, value):
        assert value == self.words.big_parts, value

    def not_utf_8(self, value):
        assert value == self.words.odd_text, value

    def timeout(self, value):
        assert value == "volley/timeout", value

    def run_as(self, value):
        if self.way.refuses:
            assert self.way.refuses in value["_error"]["msg"], value
        elif self.way.user:
            assert value["stdout"].strip() == self.way.user, value
        else:
            print(f"# run-as was not tried: {self.way.no_user}", flush=True)

    def again(self, value):
        assert value == "<still>" + self.words.newline, value


def steps_on(b, way):
    """All of STEPS in one plan; a step that fails does not keep the others from being looked at."""
    b.write("file.bin", BINARY)
    b.write("tree/a", b"")
    b.write("tree/deep/ä b", BINARY[:300])
    b.task(*way.words.task, {"input_method": "stdin", "parameters": {"name": {"type": "String"}}})
    words = {name: getattr(way.words, name) for name in ("run", "environment", "big", "odd", "slow")}
    words.update(file=str(b.folder / "file.bin"), tree=str(b.folder / "tree"), place=str(way.place), user=way.user or "nobody")
    lines = "\n".join(f"  ${name} = catch_errors() || {{ {step} }}" for name, step in STEPS.items())
    b.write("project/plans/init.pp", f"plan site(Hash $words) {{\n  $there = get_target('there')\n{lines}\n"
            f"  return {{ {', '.join(f'{name} => ${name}' for name in STEPS)} }}\n}}\n")
    run = b.run("plan", "run", "site", "--params", json.dumps({"words": words}), "--format", "json")
    assert run.status == 0, run
    failures = []
    for name in STEPS:
        try:
            getattr(Checks(b, way), name)(run.json[name])
        except (AssertionError, TypeError, KeyError, ValueError, OSError) as error:
            failures.append(f"{name}: {type(error).__name__} {str(error)[:600]}")
    assert not failures, "\n".join(failures)


def started(b, way, name):
    """A command without an end that has begun, and its process there. `name`: of a file that nobody else has made there."""
    mark = way.place / name
    child = b.start("command", "run", way.words.endless(mark), "-t", "there", "--format", "json")
    process = wait_for(lambda: child.poll() is not None or way.content(mark).strip(), "the command")
    assert child.poll() is None, child.communicate()
    return child, process


def cancel(b, way):
    """Ctrl-C: status 130, an error of its own kind, and nothing of the command is left."""
    child, process = started(b, way, "mark")
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=HANGS)
    assert child.returncode == 130, (out, err)
    assert json.loads(out)["items"][0]["value"]["_error"]["kind"] == "volley/interrupted", out
    way.ended(process)


def dead_peer(b, way):
    """The other end goes away: the command has failed there, in one line, and nothing waits for it."""
    child, process = started(b, way, "second-mark")
    way.lose(process)
    out, err = child.communicate(timeout=HANGS)
    error = json.loads(out)["items"][0]["value"]["_error"]
    assert child.returncode == 2 or child.returncode == 1, (child.returncode, out, err)
    assert error["kind"] == way.lost and "\n" not in error["msg"] and error["msg"], error


def suite(name, make):
    def test(b):
        way = make(b)
        print(f"# {name}: {'the real thing' if make.real else 'a stand-in'}: {make.__doc__}", flush=True)
        steps_on(b, way)
        cancel(b, way)
        if way.lost:
            dead_peer(b, way)
    test.__name__ = "test_trn_001_" + "".join(c if c.isalnum() else "_" for c in name.lower())
    test.__doc__ = f"TRN-001, TRN-002: {name}: all that transports do alike"
    return test


for each, kind in WAYS.items():
    made = suite(each, kind)
    globals()[made.__name__] = made


def test_trn_001_the_page_says_what_is_real(b):
    """The table of docs/testing-transports.md is that of the suite"""
    text = text_of(PAGE)
    for way, place in WAYS.items():
        line = f"| {way} | {place.__doc__} | {'yes' if place.real else 'no'} |"
        assert line in text, f"docs/testing-transports.md lacks the line\n{line}"
