"""The bundled modules that tasks take their helpers from."""
import shutil

from harness.bench import Skip

JSON = ("--format", "json")


def value(b, name, *words):
    run = b.run("task", "run", f"site::{name}", *words, "-t", "localhost", *JSON)
    return run.status, run.value()


def test_tsk_050_python(b):
    """TSK-050, BND-022, TSK-007, TSK-028: parameters in, result or error out"""
    b.task("p.py", """#!/usr/bin/env python3
import os, sys
sys.path.append(os.path.join(os.path.dirname(__file__), '..', '..', 'python_task_helper', 'files'))
from task_helper import TaskError, TaskHelper

class Greet(TaskHelper):
    def task(self, args):
        self.debug('got here')
        if args['who'] == 'nobody':
            raise TaskError('nobody there', 'site/nobody', {'seen': self.debug_statements})
        return {'greeting': 'Hello, ' + args['who'], 'length': len(args['missing'] if args['who'] == 'bug' else args['who'])}

if __name__ == '__main__':
    Greet().run()
""", {"files": ["python_task_helper/files/task_helper.py"], "input_method": "stdin", "parameters": {"who": {"type": "String"}}})
    assert value(b, "p", "who=Bob") == (0, {"greeting": "Hello, Bob", "length": 3})
    status, failed = value(b, "p", "who=nobody")
    assert status == 1 and failed["_error"] == {"kind": "site/nobody", "msg": "nobody there", "details": {"seen": ["got here"]}}, failed
    status, crashed = value(b, "p", "who=bug")
    assert status == 1 and crashed["_error"]["details"] == {"class": "KeyError", "debug": ["got here"]}, crashed


def test_tsk_050_ruby(b):
    """TSK-050, BND-022: Ruby"""
    if not shutil.which("ruby"):
        raise Skip("needs ruby")
    b.task("r.rb", """#!/usr/bin/env ruby
require_relative '../../ruby_task_helper/files/task_helper.rb'

class Greet < TaskHelper
  def task(who: nil, deep: nil, **_others)
    raise TaskHelper::Error.new('nobody there', 'site/nobody', 'why') if who == 'nobody'
    raise 'a bug' if who == 'bug'
    { greeting: "Hello, #{who}", inner: deep[:list][0][:x] }
  end
end

Greet.run if __FILE__ == $0
""", {"files": ["ruby_task_helper/files/task_helper.rb"], "input_method": "stdin"})
    deep = 'deep={"list": [{"x": 1}]}'
    assert value(b, "r", "who=Bob", deep) == (0, {"greeting": "Hello, Bob", "inner": 1})
    assert value(b, "r", "who=nobody", deep)[1]["_error"] == {"kind": "site/nobody", "msg": "nobody there", "details": "why"}
    status, crashed = value(b, "r", "who=bug", deep)
    assert status == 1 and crashed["_error"]["kind"] == "RuntimeError" and crashed["_error"]["msg"] == "a bug", crashed


def test_tsk_050_bash(b):
    """TSK-050, BND-022: parameters are variables; the result is made of what was said"""
    b.task("s.sh", """#!/usr/bin/env bash
source "$PT__installdir/bash_task_helper/files/task_helper.sh"
echo "printed for $who"
task-output greeting "Hello, \\"$who\\"\\\\"$'\\t\\n'"ü"
task-output-json number 42
case $who in
  nobody) task-fail 'nobody there' 3 ;;
  loud) task-verbose-output ;;
  bug) exit 9 ;;
esac
task-succeed 'all well'
""", {"files": ["bash_task_helper/files/task_helper.sh"], "input_method": "environment"})
    status, good = value(b, "s", "who=Bob")
    assert status == 0 and good == {"status": "success", "greeting": 'Hello, "Bob"\\\t\nü', "number": 42, "_output": "all well"}, good
    assert value(b, "s", "who=loud")[1]["_output"] == "printed for loud\nall well"
    status, failed = value(b, "s", "who=nobody")
    assert status == 1 and failed["_error"]["details"] == {"exit_code": 3}, failed
    assert failed["status"] == "error" and failed["_output"] == "printed for nobody\nnobody there", failed
    assert value(b, "s", "who=bug")[1]["_output"] == "printed for bug"


def test_bnd_022_sh(b):
    """BND-022: tasks in sh read lists and hashes, and answer in JSON; the example of docs/bundled-modules.md"""
    b.task("g.sh", """#!/bin/sh
. "$PT__installdir/shell_task_helper/files/task.sh"
[ -n "$PT_name" ] || fail site/no-name "name is empty"
[ -z "$PT_more" ] || count=$(json_lines "$PT_more" | wc -l) || fail site/bad "no JSON"
printf '{"greeting": %s, "count": %d}\\n' "$(json_text "Hello, $PT_name")" "${count:-0}"
""", {"files": ["shell_task_helper/files/task.sh", "shell_task_helper/files/json.awk"], "input_method": "environment"})
    assert value(b, "g", 'name=a "b"\\\tü\n', 'more={"x": [1, "two\\nlines"], "y": {}}') == (0, {"greeting": 'Hello, a "b"\\\tü\n', "count": 2})
    status, failed = value(b, "g", "name=")
    assert status == 1 and failed["_error"] == {"kind": "site/no-name", "msg": "name is empty", "details": {}}, failed
