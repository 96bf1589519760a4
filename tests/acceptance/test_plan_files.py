"""Plans as files of modules, and what steps leave in the log; sections 2 to 6 of the checklist where they speak of plans."""
import json
import re
import shutil
import signal

from harness.bench import HANGS, needs_native_ruby
from harness.patience import meeting, wait_for, wait_for_attempt

LOCAL = "config: {transport: local}\ntargets: [t1, t2]\n"
JSON = ("--format", "json")


def plan(b, name, text):
    b.write(f"project/{name}", text)


def run(b, name, *words, **settings):
    return b.run("plan", "run", name, *words, *JSON, **settings)


def test_mod_005_names_of_plan_files(b):
    """MOD-005: folders are segments of the name, init is special at the top only, .yml is not a plan"""
    plan(b, "plans/init.pp", "plan site() { return 'top' }\n")
    plan(b, "plans/a/b/c.pp", "plan site::a::b::c() { return 'deep' }\n")
    plan(b, "plans/a/init.pp", "plan site::a::init() { return 'init below' }\n")
    plan(b, "plans/y.yaml", "steps: []\nreturn: from yaml\n")
    plan(b, "plans/z.yml", "steps: []\nreturn: never\n")
    for name, result in (("site", "top"), ("site::a::b::c", "deep"), ("site::a::init", "init below"), ("site::y", "from yaml")):
        assert run(b, name).json == result, name
    listed = [name for name, _ in b.run("plan", "show", "--filter", "site", *JSON).json["plans"]]
    assert listed == ["site", "site::a::b::c", "site::a::init", "site::y"], listed
    assert run(b, "site::z").json["kind"] == "bolt/unknown-plan"


def test_mod_006_one_file_for_a_plan(b):
    """MOD-006, MOD-010: two files for one plan are refused; the listing warns and goes on"""
    plan(b, "plans/twice.pp", "plan site::twice() { return 1 }\n")
    plan(b, "plans/twice.yaml", "steps: []\nreturn: 2\n")
    plan(b, "plans/good.pp", "plan site::good() { return 1 }\n")
    error = run(b, "site::twice").json
    assert error["kind"] == "bolt/pal-error" and "Found multiple files for plan 'site::twice' but only one is allowed" in error["msg"], error
    listed = b.run("plan", "show", "--filter", "site", *JSON)
    assert [name for name, _ in listed.json["plans"]] == ["site::good"] and listed.status == 0, listed
    assert "Found multiple files for plan 'site::twice'" in listed.err and "[ID: plan_load_error]" in listed.err, listed


def test_links_in_the_folder_of_plans(b):
    """MOD-005, MOD-010: a link that leads nowhere is reported with its file; links that lead back to a folder above are not
    followed for ever"""
    plan(b, "plans/good.pp", "plan site::good() { return 1 }\n")
    for name, goal in (("lost.pp", "nowhere"), ("again", "."), ("also", "../plans")):
        (b.project / "plans" / name).symlink_to(goal)
    assert "plans/lost.pp: No such file or directory" in run(b, "site::lost").json["msg"]
    listed = b.run("plan", "show", "--filter", "site", *JSON)
    assert [name for name, _ in listed.json["plans"]] == ["site::good"] and listed.status == 0, listed
    assert "plans/lost.pp: No such file or directory" in listed.err and "[ID: plan_load_error]" in listed.err, listed


def test_mod_007_what_a_plan_file_may_hold(b):
    """MOD-007, MOD-010: exactly the plan of that name and nothing else"""
    for text, problem in (
            ("# nothing\n", "does not define the plan 'site::p' - it is empty."),
            ("function site::f() { 1 }\n", "does not define the plan 'site::p' - no plan found."),
            ("plan site::other() { }\n", "produced plan with the wrong name, expected site::p, actual site::other"),
            ("plan site::p() { }\nplan site::q() { }\n", "must contain only the plan 'site::p' - it has additional definitions."),
            ("$x = 1\nplan site::p() { }\n", "contains additional logic - can only contain the plan site::p")):
        plan(b, "plans/p.pp", text)
        error = run(b, "site::p").json
        assert error["kind"] == "bolt/pal-error" and problem in error["msg"] and "plans/p.pp" in error["msg"], (text, error)
        listed = b.run("plan", "show", "--filter", "site", *JSON)
        assert listed.status == 0 and problem in listed.err and "plan_load_error" in listed.err, listed


def test_mod_008_functions_and_types_of_modules(b):
    """MOD-008: functions and type aliases of the project and of modules, in folders"""
    plan(b, "functions/double.pp", "function site::double(Integer $n) >> Integer { $n * 2 }\n")
    plan(b, "functions/deep/inc.pp", "function site::deep::inc(Integer $n) >> Integer { $n + 1 }\n")
    plan(b, "types/port.pp", "type Site::Port = Integer[1, 65535]\n")
    plan(b, "modules/other/types/small.pp", "type Other::Small = Integer[0, 9]\n")
    plan(b, "plans/p.pp", "plan site::p(Site::Port $port, Other::Small $n = 3) { return site::deep::inc(site::double($port)) + $n }\n")
    assert run(b, "site::p", "port=10").json == 24
    error = run(b, "site::p", "port=70000").json
    assert "parameter 'port' must be between 1 and 65535, got 70000 (Site::Port)" in error["msg"], error


RUBY_EACH = """Puppet::Functions.create_function(:'other::each_of') do
  dispatch :each_of do
    param 'Array', :list
    block_param 'Callable[1, 1]', :block
    return_type 'Array'
  end
  def each_of(list)
    seen = list.map { |one| yield(one) }
    ["#{seen.length} values"] + seen
  end
end
"""


def ruby_functions(b):
    b.inventory("config: {transport: local}\ntargets: [t1, t2, t3, t4, t5, t6]\n")
    plan(b, "modules/other/lib/puppet/functions/other/each_of.rb", RUBY_EACH)
    plan(b, "lib/puppet/functions/site/up.rb", "Puppet::Functions.create_function(:'site::up') do\n"
         "  dispatch(:up) { param 'String', :text }\n  def up(text)\n    text.upcase\n  end\nend\n")
    plan(b, "modules/other/lib/puppet/functions/shout.rb", "Puppet::Functions.create_function(:shout) do\n"
         "  def shout(text)\n    raise Puppet::Error, 'too quiet' if text.empty?\n    text + '!'\n  end\nend\n")
    plan(b, "modules/other/lib/puppet/parser/functions/older.rb", "module Puppet::Parser::Functions\n"
         "  newfunction(:older, type: :rvalue) { |args| args.reverse }\nend\n")


def test_mod_008_ruby_functions_in_plans(b):
    """MOD-008: Ruby functions of the project and of modules, of both interfaces, with blocks that act on targets"""
    ruby_functions(b)
    plan(b, "plans/p.pp", "plan site::p() {\n  $r = other::each_of(['t1', 't2']) |$t| { run_command(\"echo ${t}\", $t).first['stdout'].chomp }\n"
                          "  return [site::up('abc'), shout('x'), older(1, 'two'), $r]\n}\n")
    done = run(b, "site::p")
    assert done.json == ["ABC", "x!", ["two", 1], ["2 values", "t1", "t2"]], done
    for call, problem in (("site::up(5)", "parameter 'text' expects a String value, got Integer"), ("shout('')", "too quiet"),
                          ("site::none('x')", "Unknown function: 'site::none'")):
        plan(b, "plans/p.pp", f"plan site::p() {{\n  $x = 1\n  return {call}\n}}\n")
        error = run(b, "site::p").json
        assert error["kind"] == "bolt/pal-error" and problem in error["msg"] and error["details"]["line"] == 3, (call, error)
    plan(b, "plans/p.pp", "plan site::p() {\n  $e = catch_errors() || { other::each_of(['t1']) |$t| { fail_plan('inside', 'my/kind') } }\n"
                          "  return $e.kind\n}\n")
    assert run(b, "site::p").json == "my/kind", "an error goes through Ruby code as it is"


@needs_native_ruby
def test_mod_008_native_functions_in_plans_without_a_ruby(b):
    """MOD-008: what runs natively needs no Ruby, and the error of what does not says what it needs it for"""
    ruby_functions(b)
    without = b.folder / "empty"
    without.mkdir()
    plan(b, "plans/p.pp", "plan site::p() { return site::up('x') }\n")
    assert run(b, "site::p", env={"PATH": str(without)}).json == "X", "what runs natively needs no Ruby"
    plan(b, "plans/p.pp", "plan site::p() { return other::each_of(['t1']) |$t| { $t } }\n")
    b.refused("plan", "run", "site::p", *JSON, kind="bolt/pal-error",
              says="needs Ruby (a lambda), and there is no program 'ruby' on PATH", env={"PATH": str(without)})


def test_mod_008_ruby_functions_in_parallel(b):
    """MOD-008: blocks of Ruby functions wait for targets at the same time, and each gets its own answer"""
    ruby_functions(b)
    plan(b, "plans/p.pp", """plan site::p() {
      return parallelize(['t1', 't2', 't3', 't4', 't5', 't6']) |$t| {
        $n = Integer($t[1])
        other::each_of([1, 2]) |$i| {
          # All are in their blocks at the same time, and the first leaves its own last.
          run_command("MEET ${i}", $t)
          run_command("sleep 0.${6 - $n}", $t)
          $inner = other::each_of(["${t}-${i}"]) |$x| { run_command("echo ${x}", $t).first['stdout'].chomp }
          $inner[1]
        }
      }
    }""".replace("MEET", meeting(b, 6)))
    done = run(b, "site::p")
    assert done.json == [["2 values", f"t{n}-1", f"t{n}-2"] for n in range(1, 7)], done
    # There is an end to that, reported at once: those that came first stay for longer than the test waits.
    plan(b, "plans/p.pp", "plan site::p() { return parallelize(Array(Integer[1, 42])) |$n| { other::each_of([$n]) |$x| { ctrl::sleep(900) } } }\n")
    b.refused("plan", "run", "site::p", *JSON, says="concurrency")


def test_mod_008_ruby_functions_that_take_their_time(b):
    """MOD-008: while Ruby code waits for something, targets and other blocks go on; Ctrl-C ends it"""
    ruby_functions(b)
    plan(b, "lib/puppet/functions/site/slow.rb", "Puppet::Functions.create_function(:'site::slow') do\n"
         "  def slow(folder, others)\n    File.write(File.join(folder, rand.to_s), '')\n"
         "    sleep(0.05) until Dir.children(folder).size >= others\n    others\n  end\nend\n")
    together, alone = b.folder / "together", b.folder / "alone"
    together.mkdir(), alone.mkdir()
    plan(b, "plans/p.pp", """plan site::p() {
      $slow = parallelize([1, 2, 3, 4]) |$n| { background() || { site::slow('TOGETHER', 5) } }
      $quick = run_command('echo quick', 't1').first['stdout'].chomp
      $states = $slow.map |$one| { $one.state }
      file::write('TOGETHER/last', '')
      return [$quick, $states.unique, wait($slow)]
    }""".replace("TOGETHER", str(together)))
    # Each of the four waits for the others and for the end of the quick command.
    assert run(b, "site::p").json == ["quick", ["running"], [5] * 4]
    plan(b, "plans/p.pp", "plan site::p() { $f = background('r') || { site::slow('%s', 2) }\n"
                          "  return wait($f, 0.5, _catch_errors => true)[0].kind }\n" % alone)
    assert run(b, "site::p").json == "bolt/future-timeout-error"
    shutil.rmtree(alone), alone.mkdir()
    plan(b, "plans/p.pp", "plan site::p() { other::each_of([1]) |$x| { site::slow('%s', 2) } }\n" % alone)
    child = b.start("plan", "run", "site::p", *JSON)
    wait_for(lambda: list(alone.iterdir()), "the Ruby code")
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=HANGS)
    assert child.returncode == 130 and json.loads(out)["kind"] == "volley/interrupted", out


def test_mod_002_what_modules_can_replace(b):
    """MOD-001, MOD-002: a bundled module yields to the user's, a built-in function does not"""
    plan(b, "modules/aggregate/plans/count.pp", "plan aggregate::count() { return 'mine' }\n")
    assert run(b, "aggregate::count").json == "mine"
    plan(b, "modules/out/functions/message.pp", "function out::message($x) { fail('never called') }\n")
    plan(b, "plans/p.pp", "plan site::p() { out::message('the real one') return 1 }\n")
    result = run(b, "site::p")
    assert result.json == 1 and "the real one" in result.err, result


def test_log_010_levels_of_the_language(b):
    """LOG-010: notice is info, warning is warn, and so on"""
    plan(b, "plans/p.pp", "plan site::p() {\n  debug('x-debug')\n  info('x-info')\n  notice('x-notice')\n  warning('x-warning')\n"
                          "  err('x-err')\n  alert('x-alert')\n  crit('x-crit')\n  emerg('x-emerg')\n}\n")
    b.write("project/bolt-project.yaml", "name: site\nlog: {all.log: {level: trace}}\n")
    shown = run(b, "site::p")
    for level in ("warning", "err", "alert", "crit", "emerg"):
        assert f"x-{level}" in shown.err, (level, shown)
    for level in ("debug", "info", "notice"):
        assert f"x-{level}" not in shown.err, (level, shown)
    found = dict(re.findall(r"^\S+ (\w+) .*x-(\w+)", (b.project / "all.log").read_text(), re.M)[i][::-1] for i in range(8))
    assert found == {"debug": "TRACE", "info": "DEBUG", "notice": "INFO", "warning": "WARN", "err": "ERROR",
                     "alert": "ERROR", "crit": "FATAL", "emerg": "FATAL"}, found


def test_out_035_steps_in_the_log(b):
    """OUT-035: plans, steps, messages and log functions reach the log, each at its level"""
    b.inventory(LOCAL)
    b.write("project/bolt-project.yaml", "name: site\nlog: {all.log: {level: trace}}\n")
    plan(b, "plans/p.pp", "plan site::p() {\n  run_command('false', ['t1', 't2'], 'step one', _catch_errors => true)\n"
                          "  out::message('said')\n  out::verbose('more said')\n  log::warn('logged')\n}\n")
    result = run(b, "site::p")
    assert "logged" in result.err, result
    lines = re.findall(r"^\S+ (\w+) +\[\w+\] \[[\w.]+\] (.*)", (b.project / "all.log").read_text(), re.M)
    for wanted in (("INFO", r"Starting: plan site::p"), ("INFO", r"Starting: step one on t1, t2"),
                   ("INFO", r"Finished: step one with 2 failures in \d+\.\d\d? sec"), ("INFO", "said"),
                   ("DEBUG", "more said"), ("WARN", "logged"), ("INFO", r"Finished: plan site::p in \d+\.\d\d? sec")):
        assert [1 for level, text in lines if level == wanted[0] and re.fullmatch(wanted[1], text)], (wanted, lines)


def test_inv_067_get_target(b):
    """INV-067: one target; a group of several is an error, and so is one of none, as undef is not the Target of the signature"""
    b.inventory("groups: [{name: web, targets: [w1, w2]}, {name: db, targets: [d1]}, {name: none}]")
    plan(b, "plans/p.pp", "plan site::p(String $name) {\n  return get_target($name).name\n}\n")
    assert run(b, "site::p", "name=db").json == "d1" and run(b, "site::p", "name=new").json == "new"
    none = run(b, "site::p", "name=none").json
    assert none["kind"] == "bolt/pal-error" and none["msg"].startswith(
        "value returned from function 'get_target' has wrong type, expects a Target value, got Undef"), none
    error = run(b, "site::p", "name=web").json
    assert error["kind"] == "bolt.inventory/validation-error" and "'web' refers to 2 targets" in error["msg"], error


def test_con_001_wait_until_available(b):
    """CON-001: a target that comes up late is waited for; one that does not is a failure when the time is over"""
    server = b.ssh_inventory(b.sshd())  # its own: others use the common one
    server.stop()
    plan(b, "plans/p.pp", "plan site::p(Integer $time) {\n  return wait_until_available('web', wait_time => $time, "
                          "retry_interval => 0.2, _catch_errors => true)\n}\n")
    failed = run(b, "site::p", "time=1").json[0]
    assert failed["action"] == "wait_until_available" and failed["status"] == "failure", failed
    assert failed["value"]["_error"]["kind"] == "puppetlabs.tasks/connect-error" or \
        failed["value"]["_error"]["kind"] == "puppetlabs.tasks/exception-error", failed
    child = b.start("plan", "run", "site::p", "time=150", *JSON)
    wait_for_attempt(server)
    assert child.poll() is None, "it waits"
    server.start()
    out, _ = child.communicate(timeout=HANGS)
    result = json.loads(out)[0]
    assert result["status"] == "success" and result["value"] == {}, out


def test_tsk_046_noop_of_run_task_with(b):
    """TSK-046, TSK-045: run_task_with hears its own _noop"""
    b.inventory(LOCAL)
    b.task("n.sh", "#!/bin/sh\necho \"noop=$PT__noop who=$PT_who\"\n", {"supports_noop": True, "parameters": {"who": {}}})
    plan(b, "plans/p.pp", "plan site::p(Boolean $noop) {\n  return run_task_with('site::n', ['t1', 't2'], '_noop' => $noop) |$t| "
                          "{ { 'who' => $t.name } }\n}\n")
    for noop, said in (("true", "noop=true"), ("false", "noop=")):
        values = [r["value"]["_output"] for r in run(b, "site::p", f"noop={noop}").json]
        assert values == [f"{said} who=t1\n", f"{said} who=t2\n"], values


DOCKER = """#!/bin/sh
case "$*" in
  *broken*) echo "no such image" >&2; exit 125 ;;
esac
echo "args: $*"
echo noise >&2
"""


def test_res_022_containers(b):
    """RES-022, OUT-016, FN-021: what a container printed is its result; a failure stops the plan"""
    b.write("bin/docker", DOCKER, 0o755)
    path = {"PATH": f"{b.folder}/bin:{b.env['PATH']}"}
    plan(b, "plans/p.pp", "plan site::p(String $image) {\n  return run_container($image, cmd => 'echo \"a b\"', rm => true, "
                          "env_vars => {'X' => 'y'}, ports => {80 => 8080})\n}\n")
    result = run(b, "site::p", "image=busybox", env=path).json
    assert list(result) == ["object", "status", "value"] and result["object"] == "busybox", result
    assert result["status"] == "success" and list(result["value"]) == ["stdout", "stderr", "exit_code"], result
    assert result["value"]["stderr"] == "noise\n" and result["value"]["exit_code"] == 0, result
    for word in ("run", "--env X=y", "-p 80:8080", "--rm", "busybox", "echo a b"):
        assert word in result["value"]["stdout"], (word, result)
    error = run(b, "site::p", "image=broken", env=path).json
    assert error["kind"] == "bolt/container-failure" and "no such image" in json.dumps(error), error
    shown = b.run("plan", "run", "site::p", "image=busybox", env=path)
    assert "Starting: run container 'busybox'" in shown.out and "Finished: run container 'busybox' succeeded." in shown.out, shown
    body = b.run("plan", "run", "site::p", "image=busybox", "--verbose", env=path).out
    assert "Finished running container busybox:" in body and "STDOUT:\n    args: run" in body and "STDERR:\n    noise" in body, body
    failed = b.run("plan", "run", "site::p", "image=broken", env=path)
    assert failed.status == 1 and "Finished: run container 'broken' failed." in failed.out, failed
