"""Native Ruby is Ruby 3.1; the `ruby` on PATH may be another one. What differs stands in
tests/language/ruby/native/versions.txt, where unit tests compare it."""
import json
import shutil

from harness.bench import Skip, needs_native_ruby

LOGS = ("--format", "json", "--log-format", "json", "--log-level", "debug")


def with_ruby(b, version):
    """A `ruby` on PATH that takes itself for that version."""
    real = shutil.which("ruby")
    if not real:
        raise Skip("there is no ruby on PATH")
    b.write("bin/version.rb", f"Object.send(:remove_const, :RUBY_VERSION)\nRUBY_VERSION = '{version}'\n")
    b.write("bin/ruby", f'#!/bin/sh\nexec {real} -r {b.folder}/bin/version.rb "$@"\n', mode=0o755)
    return {"PATH": f"{b.folder}/bin:/usr/bin:/bin"}


def logs(b, code, version):
    done = b.run("eval", *LOGS, "-e", code, project=False, env=with_ruby(b, version))
    assert done.status == 0, done
    return [one["message"] for one in map(json.loads, done.err.splitlines()) if one["level"] == "debug"]


@needs_native_ruby
def test_another_version_of_ruby_is_named_in_the_log(b):
    """With a ruby that prints differently the log says which one it is, once, when it first runs something"""
    code = "inline_template('<%= RubyVM.name %>')"  # which is not native
    for version in ("3.4.1", "3.2.0", "2.7.8", "3.10.0"):
        assert [one for one in logs(b, f"{code}\n{code}", version) if f"Ruby {version} is on PATH" in one], version
    assert len([one for one in logs(b, f"{code}\n{code}", "3.4.1") if "is on PATH" in one]) == 1
    assert not [one for one in logs(b, code, "3.1.9") if "is on PATH" in one]
    assert not [one for one in logs(b, "inline_template('<%= 1 %>')", "3.4.1") if "is on PATH" in one]
