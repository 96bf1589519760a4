"""Section 8 of the checklist: catalogs applied by a real puppet-agent over a real sshd, as a throw-away user."""
import json
import os
import shutil
import signal
import stat
import subprocess
from pathlib import Path

from harness.bench import HANGS, Skip, needs_root
from harness.lab import IS_ROOT
from harness.patience import process_of, temporary_folders, wait_for
from test_puppetdb import Database

HELPER = Path(__file__).resolve().parents[2] / "modules/apply_helpers/files/puppet_agent.sh"
FREE = "{user} ALL=(ALL:ALL) NOPASSWD: ALL"
AGENT = {"features": ["puppet-agent"]}


def ready(b, names=("web",), sudo=None, **more):
    """Targets that have an agent. The folder that manifests of the test may write to."""
    if not shutil.which("puppet"):
        raise Skip("there is no puppet program: ./dev test installs puppet-agent")
    account = b.user(sudo=sudo) if IS_ROOT else None
    b.ssh_inventory(names=names, user=account.name if account else None)
    data = json.loads((b.project / "inventory.yaml").read_text())
    b.inventory(json.dumps({**data, **AGENT, **more}))
    # Whatever the project of a test says: these tests are about the target's puppet-agent.
    b.write(b.home / ".puppetlabs/etc/bolt/bolt-defaults.yaml", json.dumps({"apply-method": "puppet-agent"}))
    place = b.folder / "place"
    place.mkdir()
    place.chmod(0o777)
    b.account = account
    return place


def apply(b, code, *words, fmt="json", **more):
    return b.run("apply", "-e", code, "-t", "all", *(["--format", fmt] if fmt else []), *words, **more)


def plan(b, body, head="", params="", fmt="json", words=(), **more):
    b.write("project/plans/p.pp", f"{head}plan site::p({params}) {{\n{body}\n}}\n")
    return b.run("plan", "run", "site::p", *words, *(["--format", fmt] if fmt else []), **more)


def logs(value):
    return [(log["level"], log["source"], log["message"]) for log in value["report"]["logs"]]


def test_apl_022_apply_changes_then_leaves_alone(b):
    """CLI-002, OPT-006, APL-001, APL-013, APL-016, APL-017, APL-018, APL-022, APL-029, OUT-009, OUT-014, OUT-015"""
    place = ready(b)
    manifest = b.write("site.pp", f"file {{ '{place}/motd': content => \"hällo\\n\", mode => '0640' }}\n"
                                  f"exec {{ '/bin/touch {place}/made': creates => '{place}/made' }}\n")
    run = b.run("apply", manifest, "-t", "web")
    assert run.status == 0, run
    lines = run.out.splitlines()
    assert lines[0] == "Starting: install puppet and gather facts on web", run
    assert lines[1].startswith("Finished: install puppet and gather facts with 0 failures in "), run
    assert lines[2:5] == ["Starting: apply catalog on web", "Started on web...", "Finished on web:"], run
    assert any(f"  Notice: /Stage[main]/Main/File[{place}/motd]/ensure: defined content as" in line for line in lines), run
    assert any("/returns: executed successfully" in line for line in lines), run
    assert "  changed: 2, failed: 0, unchanged: 0 skipped: 0, noop: 0" in lines, run
    assert lines[-2] == "Successful on 1 target: web" and lines[-1].startswith("Ran on 1 target in "), run
    assert (place / "motd").read_text() == "hällo\n" and stat.S_IMODE((place / "motd").stat().st_mode) == 0o640
    assert (place / "made").exists()
    again = b.run("apply", manifest, "-t", "web", "--log-level", "info")
    assert 'Applying manifest block on ["web"]' in again.err, again
    assert "  changed: 0, failed: 0, unchanged: 2 skipped: 0, noop: 0" in again.out.splitlines(), again


def test_jsn_002_results_are_one_list(b):
    """JSN-002, RES-021, APL-030, RES-003, ARG-011: report, _output, and the catalog is not shown"""
    place = ready(b, names=("web", "db"))
    run = apply(b, f"file {{ \"{place}/${{trusted['certname']}}\": content => $trusted['certname'] }}")
    assert run.status == 0 and isinstance(run.json, list) and len(run.json) == 2, run
    one = next(r for r in run.json if r["target"] == "web")
    assert list(one) == ["target", "action", "object", "status", "value"], one
    assert (one["action"], one["object"], one["status"]) == ("apply", None, "success"), one
    assert list(one["value"]) == ["report", "_output", "_sensitive"], list(one["value"])
    assert one["value"]["_sensitive"] == "Sensitive [value redacted]", one["value"]["_sensitive"]
    assert one["value"]["_output"] == "changed: 1, failed: 0, unchanged: 0 skipped: 0, noop: 0"
    assert one["value"]["report"]["status"] == "changed"
    assert sorted(f.name for f in place.iterdir()) == ["db", "web"]
    rerun = json.loads((b.project / ".rerun.json").read_text())
    assert sorted(entry["target"] for entry in rerun) == ["db", "web"], rerun


def test_opt_004_noop_changes_nothing(b):
    """OPT-004: --noop, and package as well as exec only report"""
    place = ready(b)
    run = apply(b, f"package {{ 'volley-no-such-package': ensure => installed }}\n"
                   f"file {{ '{place}/x': content => 'x' }}\nexec {{ '/bin/touch {place}/y': }}", "--noop")
    assert run.status == 0, run
    value = run.json[0]["value"]
    assert value["report"]["noop"] is True, value["report"]["status"]
    assert value["_output"] == "changed: 0, failed: 0, unchanged: 3 skipped: 0, noop: 3", value["_output"]
    assert not list(place.iterdir())


def test_err_008_failing_resources(b):
    """ERR-008, APL-017, EXIT-002: each failed resource is named; what depends on it is skipped"""
    place = ready(b)
    code = f"exec {{ '/bin/false': }} -> file {{ '{place}/after': content => 'x' }}\nfile {{ '{place}/b': content => 'b' }}"
    run = apply(b, code)
    value = run.json[0]["value"]
    assert run.status == 1 and run.json[0]["status"] == "failure", run
    assert value["_error"]["kind"] == "bolt/resource-failure", value["_error"]
    assert value["_error"]["msg"].startswith("Resources failed to apply for web\n  Exec[/bin/false]: "), value["_error"]
    assert list(value) == ["report", "_error", "_output", "_sensitive"], list(value)
    assert value["_output"] == "changed: 1, failed: 1, unchanged: 0 skipped: 1, noop: 0", value["_output"]
    assert (place / "b").exists() and not (place / "after").exists()
    human = apply(b, code, fmt=None)
    assert "Failed on web:" in human.out and "Err: /Stage[main]/Main/Exec[/bin/false]/returns: " in human.out, human


def test_what_puppet_refuses_is_one_line(b):
    """APL-017, CFG-021: values, types and providers that the agent does not take; a trace when it is wanted; unknown settings go"""
    ready(b)
    b.write("project/bolt-project.yaml", json.dumps({"name": "site", "apply-settings": {"bogus": 1}}))
    b.write("project/modules/m/lib/puppet/type/torn.rb", "Puppet::Type.newtype(:torn) do\n  newparam(:name)\n  raise 'torn type'\nend\n")
    for code, says in (("file { 'relative': }", "Parameter path failed on File[relative]: File paths must be fully qualified, not 'relative' (line: 1)"),
                       ("package { 'x': provider => nosuch }", "Invalid package provider 'nosuch' (line: 1)"),
                       ("torn { 'x': }", "Could not autoload puppet/type/torn: torn type")):
        run = apply(b, code)
        error = run.json[0]["value"]["_error"]
        assert run.status == 1 and error["kind"] == "bolt/apply-error", run
        assert error["msg"].startswith("Puppet cannot apply the catalog: ") and says in error["msg"], error
        assert "\n" not in error["msg"], error
    human = apply(b, "file { 'relative': }", fmt=None).out
    assert "Failed on web:\n  Puppet cannot apply the catalog: Parameter path failed on File[relative]" in human, human
    b.write("project/bolt-project.yaml", json.dumps({"name": "site", "apply-settings": {"trace": True}}))
    assert "puppet/type/file.rb:" in apply(b, "file { 'relative': }").json[0]["value"]["_error"]["msg"]


def test_apl_032_the_same_line_again_is_counted(b):
    """APL-032, OUT-009: a report that says the same many times, as Facter's do, shows it once; JSON has all of it"""
    ready(b)
    code = "exec { '/bin/sh -c \"echo one; echo two; echo two; echo two; echo one\"': logoutput => true }"
    returns = [line.split("/returns: ")[1] for line in apply(b, code, fmt=None).out.splitlines() if "/returns: " in line]
    assert returns == ["one", "two (3 times)", "one", "executed successfully"], returns
    assert [log[2] for log in logs(apply(b, code).json[0]["value"])].count("two") == 3


def test_apl_012_compile_failures_belong_to_targets(b):
    """APL-010, APL-011, APL-012, APL-023, ERR-007: one target's catalog cannot be compiled, the other's is applied"""
    place = ready(b, names=("web", "db"))
    run = apply(b, f"node 'web' {{ fail('not here') }}\nnode default {{ file {{ '{place}/db': content => 'x' }} }}")
    assert run.status == 1, run
    results = {r["target"]: r for r in run.json}
    error = results["web"]["value"]["_error"]
    assert error["kind"] == "bolt/apply-error" and results["web"]["action"] == "apply", error
    assert error["msg"].startswith("Apply failed to compile for web: ") and "not here" in error["msg"], error
    assert error["msg"] == "Apply failed to compile for web: not here (line: 1, column: 14)", error
    assert results["db"]["status"] == "success" and (place / "db").exists()
    b.write("project/files/latin", b"\xe4")
    # LANG-15: bytes that are not UTF-8 travel as Binary, whole.
    assert apply(b, f"file {{ '{place}/f': content => file('site/latin') }}").status == 0
    assert (place / "f").read_bytes() == b"\xe4"
    assert apply(b, f"file {{ '{place}/l': content => binary_file('site/latin') }}").status == 0
    assert (place / "l").read_bytes() == b"\xe4"
    b.write("home/.puppetlabs/etc/code/modules/base/manifests/init.pp", "class base { }\n")
    error = apply(b, "include base").json[0]["value"]["_error"]
    assert "Could not find class ::base for web" in error["msg"], "modules of this machine's own Puppet do not count"
    wrong = apply(b, "file { 'x' content => 1 }")
    assert wrong.status == 1 and wrong.json["kind"] == "bolt/pal-error", wrong
    assert apply(b, "$x = 1").json[0]["status"] == "success", "an empty catalog is one"


def test_apl_022_a_manifest_of_definitions_only_warns(b):
    """APL-022, LOG-009: empty_manifest"""
    ready(b)
    run = apply(b, "class nothing { notify { 'x': } }", fmt=None)
    assert run.status == 0 and "[ID: empty_manifest]" in run.err, run
    assert "changed: 0, failed: 0, unchanged: 0 skipped: 0, noop: 0" in run.out, run
    for words, says in ((["apply"], "a manifest file or --execute is required"),
                        (["apply", "x.pp", "-e", "1"], "--execute is unsupported when specifying a manifest file"),
                        (["apply", "missing.pp"], "does not exist")):
        b.refused(*words, "-t", "all", says=says)
    b.refused("command", "run", "id", "-t", "all", "--noop", says="can only be specified when running a task or applying")


def module(b):
    """site::web with a template, files, a define, a fact and a type alias."""
    b.write("project/modules/web/manifests/init.pp", """class web(String $root, Integer $port = 80, Sensitive[String] $token = Sensitive('tokentext')) {
  file { "${root}/conf": content => epp('web/conf.epp', { port => $port }), }
  file { "${root}/page": source => ['puppet:///modules/web/none', 'puppet:///modules/web/page'] }
  file { "${root}/tree": ensure => directory, recurse => true, source => 'puppet:///modules/web/tree' }
  file { "${root}/token": content => $token, mode => '0600' }
  web::line { 'one': root => $root }
}
""")
    b.write("project/modules/web/manifests/line.pp",
            "define web::line(String $root) { file { \"${root}/${title}\": content => $title } }\n")
    b.write("project/modules/web/templates/conf.epp",
            "<%- | Integer $port | -%>\nport <%= $port %> os <%= $facts['os']['name'] %> fact <%= $facts['web_fact'] %>\n")
    b.write("project/modules/web/files/page", "page\n")
    b.write("project/modules/web/files/tree/sub/leaf", b"\xff\x00leaf")
    b.write("project/modules/web/lib/facter/web_fact.rb", "Facter.add(:web_fact) { setcode { 'from ruby' } }\n")
    b.write("project/modules/web/facts.d/outside.txt", "outside_fact=external\n")


def test_fn_003_apply_block_in_a_plan(b):
    """FN-003, FN-004, APL-005, APL-007, APL-014, APL-015, DT-004: classes, Hiera, templates, files, facts of modules"""
    place = ready(b)
    module(b)
    b.write("project/hiera.yaml", "version: 5\nhierarchy:\n  - name: os\n    path: \"%{facts.os.family}.yaml\"\n")
    b.write("project/data/Debian.yaml", "web::port: 8080\n")
    run = plan(b, f"""  $greeting = 'from the plan'
  $target = get_target('web')
  apply_prep($target)
  $results = apply($target, _description => 'make it so') {{
    class {{ 'web': root => '{place}' }}
    file {{ '{place}/seen': content => "${{greeting}} ${{target.name}} ${{target.facts['outside_fact']}} ${{target.transport}} ${{facts['bolt']}}" }}
  }}
  $one = $results.first
  return [$one.ok, $one.action, $one.message, $one.report['status'], $one.error, $one.target.name, $one.catalog['name'],
          type($one.value).is_a(NotUndef), $one.to_data['status'], $one.is_a(ApplyResult)]""")
    assert run.status == 0, run
    assert run.json == [True, "apply", "changed: 8, failed: 0, unchanged: 0 skipped: 0, noop: 0", "changed", None, "web",
                        "web", True, "success", True], run
    assert (place / "conf").read_text() == "port 8080 os Debian fact from ruby\n"
    assert (place / "page").read_text() == "page\n" and (place / "one").read_text() == "one"
    assert (place / "tree/sub/leaf").read_bytes() == b"\xff\x00leaf"
    assert (place / "seen").read_text() == "from the plan web external ssh true"


def test_apl_030_sensitive_values_are_seen_nowhere(b):
    """APL-030, ERR-008: neither in output, logs nor in what stays on the target"""
    place = ready(b)
    module(b)
    code = (f"class {{ 'web': root => '{place}', token => Sensitive('hunter2-secret') }}\n"
            f"exec {{ 'x': command => Sensitive('/bin/echo hunter2-secret; exit 3'), provider => shell }}")
    seen = []
    for fmt in ("json", None):
        run = apply(b, code, "--log-level", "trace", fmt=fmt)
        assert run.status == 1, run
        seen.append(run.out + run.err)
    seen.append((b.project / "bolt-debug.log").read_text())
    assert (place / "token").exists()
    for path in Path(b.account.home if b.account else b.home).rglob("*"):
        if path.is_file():
            seen.append(path.read_bytes().decode(errors="replace"))
    assert not any("hunter2-secret" in text for text in seen), [t[max(0, t.find("hunter2") - 300):][:500] for t in seen
                                                               if "hunter2-secret" in t]


def test_apl_008_facts_win_over_plan_and_target_variables(b):
    """APL-008, APL-009, INV-048"""
    place = ready(b, vars={"mine": "target", "both": "target", "kernel": "target"})
    run = plan(b, f"""  $both = 'plan'
  $kernel = 'plan'
  apply_prep('web')
  apply('web') {{ file {{ '{place}/x': content => "${{mine}} ${{both}} ${{kernel}} ${{nothing}}" }} }}
  return undef""")
    assert run.status == 0, run
    assert (place / "x").read_text() == "target plan Linux "
    assert "web: Plan variable $kernel will be overridden by fact of the same name in the apply block" in run.err, run
    assert "web: Target variable $both will be overridden by plan variable of the same name" in run.err, run


def test_err_006_apply_failure_can_be_caught(b):
    """ERR-006, APL-005, FN-003: _catch_errors, _noop; catch_errors sees the results"""
    place = ready(b)
    error = plan(b, "  apply('web') { exec { '/bin/false': } }").json
    assert error["kind"] == "bolt/apply-failure" and error["msg"].startswith("Resources failed to apply for web\n  Exec[/bin/false]: "), error
    assert error["details"]["action"] == "apply" and len(error["details"]["result_set"]) == 1, error
    run = plan(b, f"""  $a = apply('web', _catch_errors => true) {{ exec {{ '/bin/false': }} }}
  $b = catch_errors() || {{ apply('web') {{ fail('no') }} }}
  $c = apply('web', _noop => true) {{ file {{ '{place}/x': content => 'x' }} }}
  $d = apply([]) {{ notify {{ 'x': }} }}
  return [$a.ok, $a.first.error.kind, $b.kind, $b.details['result_set'].first.error.kind, $c.first.message, $d.count]""")
    assert run.json == [False, "bolt/resource-failure", "bolt/apply-failure", "bolt/apply-error",
                        "changed: 0, failed: 0, unchanged: 1 skipped: 0, noop: 1", 0], run
    assert not (place / "x").exists()


def test_apl_005_options_of_apply(b):
    """APL-005: _required_modules is what goes to the target; _description is shown; what is not an option is reported"""
    place = ready(b)
    for name in ("one", "two"):
        b.write(f"project/modules/{name}/lib/facter/{name}.rb", f"Facter.add(:{name}) {{ setcode {{ '{name}' }} }}\n")
    body = f"""  apply('web', _description => 'make it so', _required_modules => ['two'], _nop => true) {{
    file {{ '{place}/x': content => Deferred('inline_epp', ['<%= $facts["one"] %><%= $facts["two"] %>']) }}
  }}"""
    run = plan(b, body, fmt=None)
    assert run.status == 0 and "Starting: make it so on web" in run.out.splitlines(), run
    assert "Finished: make it so with 0 failures in" in run.out, run
    assert "apply has no option '_nop'; it is ignored. Did you mean '_noop'? [ID: unknown_apply_option]" in run.err, run
    assert (place / "x").exists(), run
    kept = Path(b.account.home if b.account else Path.home()) / ".cache/volley/code"
    texts = [path.read_text(errors="replace") for path in kept.iterdir()]
    assert any("Facter.add(:two)" in text for text in texts), texts
    assert not any("Facter.add(:one)" in text for text in texts), "only modules that are required"


def compile_error(b, code, before=""):
    """What compiling an apply block ends with."""
    run = plan(b, f"{before}\n  $r = apply('web', _catch_errors => true) {{ {code} }}\n  return $r.first.error.message")
    assert run.status == 0, run
    return run.json


def test_pln_017_functions_of_plans_in_apply_blocks(b):
    """PLN-005, PLN-017, APL-024, DT-009, FN-008, FN-031, FN-039, FN-045"""
    place = ready(b, vars={"v": 1}, facts={"f": "known"})
    b.write("project/files/text", "a text")
    assert "Plan language function 'run_command' cannot be used from declarative manifest code or apply blocks" \
        in compile_error(b, "run_command('id', 'web')")
    assert "The function 'get_targets' is not callable within an apply block" in compile_error(b, "get_targets('web')")
    assert "Target objects cannot be instantiated inside apply blocks" in compile_error(b, "$t = Target.new('x')")
    assert "Unknown function: 'no_such'" in compile_error(b, "no_such()")
    run = plan(b, f"""  $t = get_target('web')
  apply($t) {{
    $all = [facts($t)['f'], vars($t)['v'], file::read('site/text'), file::exists('site/none'), system::env('LANG'),
            file::join('a', 'b'), $t.host, $t.features]
    file {{ '{place}/x': content => "${{all}}" }}
  }}
  return undef""")
    assert run.status == 0, run
    assert (place / "x").read_text() == "[known, 1, a text, false, C.UTF-8, a/b, 127.0.0.1, [puppet-agent]]"
    nested = plan(b, "  apply('web') { apply('web') { notify { 'x': } } }").json
    assert nested["kind"] == "bolt/pal-error", nested


def test_pln_003_catalog_code_outside_of_apply_blocks(b):
    """PLN-002, PLN-003, PLN-005: what belongs into catalogs is found when the plan is read; functions say it when called"""
    b.inventory("targets: [web]\n")
    for code, says in (("notify { 'x': }", "A Resource Statement is only"),
                       ("Notify { message => 'x' }", "A Resource Defaults Expression is only"),
                       ("Notify <| |>", "A Virtual Query is only"), ("class x { }", "A Host Class Definition is only"),
                       ("define x() { }", "A 'define' expression is only"),
                       ("apply('web') { class x { } }", "A Host Class Definition is only"),
                       ("apply('web') { apply('web') { notify { 'x': } } }", "is not available when compiling a catalog"),
                       ("apply('web') { Notify <<| |>> }", "An Exported Query is not")):
        error = plan(b, "  out::message('begun')\n  " + code)
        assert error.status == 1 and error.json["kind"] == "bolt/pal-error" and says in error.json["msg"], error
        assert "when compiling a catalog (file: " in error.json["msg"] and error.json["details"]["line"] == 3, error
        assert "begun" not in error.out + error.err, error
    for call in ("include('x')", "contain('x')", "require('x')", "create_resources('file', {})", "realize(File['/x'])",
                 "tag('x')", "tagged('x')"):
        error = plan(b, "  " + call).json
        name = call[:call.index("(")]
        assert f"The catalog operation '{name}' is only available when compiling a catalog" in error["msg"], error


@needs_root
def test_sh_005_apply_as_another_user(b):
    """APL-005, SH-005: _run_as; what is delivered can be read by that user alone"""
    place = ready(b, sudo=[FREE])
    module(b)
    other = b.user()
    run = plan(b, f"""  apply_prep('web')
  apply('web', _run_as => '{other.name}') {{
    file {{ '{place}/page': source => 'puppet:///modules/web/page' }}
    exec {{ '/bin/sh -c "find /tmp -maxdepth 5 -name volley-puppet\\* -exec ls -ldn {{}} + 2>/dev/null > {place}/seen; true"': }}
  }}
  return undef""")
    assert run.status == 0, run
    assert (place / "page").stat().st_uid == other.uid
    folders = [line.split() for line in (place / "seen").read_text().splitlines()]
    mine = [words for words in folders if words[2] == str(other.uid)]
    assert mine and all(words[0].startswith("drwx------") for words in mine), folders
    kept = other.home / ".cache/volley"
    assert all(stat.S_IMODE(path.stat().st_mode) & 0o077 == 0 for path in [kept, *kept.rglob("*")])


def test_fn_010_get_resources(b):
    """FN-010, FN-028, FN-019, ERR-043"""
    place = ready(b)
    (place / "f").write_text("x")
    run = plan(b, f"""  $r = get_resources('web', [File['{place}/f'], 'group'])
  $file = $r.first['resources'].filter |$x| {{ $x['type'] == 'File' }}
  $known = get_target('web').set_resources($file[0])
  $target = get_target('web')
  $applied = apply($target) {{ file {{ "{place}/g": content => $target.resource('File', '{place}/f')['ensure'] }} }}
  $refused = apply($target, _catch_errors => true) {{ $known[0].set_state({{ 'a' => 1 }}) }}
  return [$file[0]['parameters']['ensure'], $known[0].reference, $known[0]['ensure'],
          get_target('web').resource('File', '{place}/f').state['ensure'],
          $r.first['resources'].any |$x| {{ $x['title'] == 'root' }}, $refused.first.error.message]""")
    assert run.status == 0, run
    assert run.json[:5] == ["file", f"File[{place}/f]", "file", "file", True], run
    assert "cannot be changed in apply blocks" in run.json[5] and (place / "g").read_text() == "file", run
    error = plan(b, "  get_resources('web', 'no good')").json
    assert error["kind"] == "bolt/get-resources", error


def test_apl_021_exported_resources_are_reported(b):
    """APL-021, LOG-009"""
    ready(b)
    run = apply(b, "@@notify { 'x': }\nNotify <<| |>>")
    assert run.status == 0 and "[ID: exported_resources]" in run.err, run


def test_apl_019_remote_targets_need_a_transport_of_the_resource_api(b):
    """APL-019: the proxy's agent is asked; without remote-transport it is an error"""
    ready(b)
    data = json.loads((b.project / "inventory.yaml").read_text())
    data["targets"].append({"name": "device", "uri": "remote://device", "config": {"remote": {"run-on": "web"}}})
    del data["features"]  # nothing is installed for a device, though nobody says that it has an agent (APL-001)
    data["plugin_hooks"] = {"puppet_library": {"plugin": "task", "task": "site::none"}}
    b.inventory(json.dumps(data))
    run = b.run("apply", "-e", "notify { 'x': }", "-t", "device", "--format", "json")
    assert run.status == 1 and run.json[0]["object"] == "apply_helpers::custom_facts", run
    assert "does not say its remote-transport" in json.dumps(run.json), run


@needs_root
def test_plg_015_puppet_library_of_a_module(b):
    """PLG-015, PLG-010, PLG-011: the task of a module gets its configuration, whose references are resolved, and runs as _run_as says"""
    place = ready(b, sudo=[FREE])
    other = b.user()
    text = {"type": "String"}
    b.write("project/modules/mine/bolt_plugin.json", "{}")
    b.write("project/modules/mine/tasks/puppet_library.json",
            json.dumps({"input_method": "environment", "parameters": {"token": text, "version": text}}))
    b.write("project/modules/mine/tasks/puppet_library.sh", f'#!/bin/sh\necho "$PT_token $PT_version $(id -un)" >{place}/ran\n')
    data = json.loads((b.project / "inventory.yaml").read_text())
    del data["features"]

    def hook(options, plugins):
        b.write("project/bolt-project.yaml", json.dumps({"name": "site", "plugins": plugins}))
        b.inventory(json.dumps({**data, "plugin_hooks": {"puppet_library": options}}))
        return plan(b, "  return apply_prep('web', _catch_errors => true).first.error.then |$e| { [$e.kind, $e.message] }")

    token = {"mine": {"token": {"_plugin": "env_var", "var": "NONE", "default": "t"}}}
    run = hook({"plugin": "mine", "version": "v1", "_run_as": other.name}, token)
    assert run.json is None and (place / "ran").read_text() == f"t v1 {other.name}\n", run
    assert hook({"plugin": "yaml"}, {}).json == ["bolt/unsupported-hook", "Plugin yaml does not support puppet_library"]
    assert hook({"plugin": "mine"}, {"mine": {"bogus": 1}}).json[0] == "bolt/validation-error"
    kind, message = hook({"plugin": "task", "task": "mine::gone"}, {}).json
    assert kind == "bolt/plugin-error" and message.startswith("Error executing plugin task from puppet_library: "), message


def test_apl_016_deferred_values(b):
    """APL-016: Deferred is resolved on the target, with the files that it may want"""
    place = ready(b)
    b.write("project/files/deferred", "from a file")
    run = apply(b, f"""file {{ '{place}/x': content => Deferred('join', [['a', $facts['kernel']], '-']) }}
file {{ '{place}/y': content => Sensitive(Deferred('file', ['site/deferred'])) }}""")
    assert run.status == 0, run
    assert (place / "x").read_text() == "a-Linux" and (place / "y").read_text() == "from a file"


@needs_root
def test_fn_010_resources_that_are_not_utf8(b):
    """FN-010: bytes that are not text do not cost the answer"""
    ready(b)
    subprocess.run([b"usermod", b"-c", b"M\xfcller", b.account.name.encode()], check=True)
    run = plan(b, f"  return get_resources('web', User['{b.account.name}']).first['resources'][0]['parameters']['comment']")
    assert run.status == 0 and run.json == "M\\xFCller", run


def test_apl_028_trusted_external_data(b):
    """APL-028, CFG-015"""
    place = ready(b)
    program = b.write("project/facts.sh", "#!/bin/sh\necho noise >&2\nprintf '{\"asked\": \"%s\"}' \"$1\"\n", 0o755)
    b.write("project/bolt-project.yaml", "name: site\ntrusted-external-command: facts.sh\n")
    code = f"file {{ '{place}/x': content => $trusted['external']['asked'] }}"
    run = apply(b, code)
    assert run.status == 0 and (place / "x").read_text() == "web", run
    program.write_text("#!/bin/sh\nexit 3\n")
    error = apply(b, code).json[0]["value"]["_error"]
    assert error["kind"] == "bolt/apply-error" and "facts.sh failed with status 3" in error["msg"], error


def test_plan_log_resumes_after_apply(b):
    """A resumed plan takes what was applied from the record, and refuses another block"""
    place = ready(b)
    body = f"""  apply_prep('web')
  $r = apply('web') {{ file {{ '{place}/x': content => $facts['kernel'] }} }}
  run_command("test -e {place}/go", 'web')
  return [$r.first.message, $r.first.report['status'], get_target('web').facts['kernel']]"""
    assert plan(b, body, words=("--plan-log", "log")).status == 1
    (place / "x").unlink()
    (place / "go").touch()
    changed = plan(b, body.replace("kernel'] }", "kernel'], mode => '0600' }"), words=("--resume", "log"))
    assert changed.status == 1 and not (place / "x").exists(), changed
    run = plan(b, body, words=("--resume", "log"))
    assert run.json == ["changed: 1, failed: 0, unchanged: 0 skipped: 0, noop: 0", "changed", "Linux"], run
    assert not (place / "x").exists(), "it was applied by the recorded run"


def test_yml_019_resources_step(b):
    """YML-019"""
    place = ready(b)
    b.write("project/plans/y.yaml", f"""steps:
  - name: made
    targets: web
    resources:
      - file: {place}/d
        parameters: {{ensure: directory}}
      - type: file
        title: {place}/d/f
        parameters: {{content: in order}}
return: $made
""")
    run = b.run("plan", "run", "site::y", "--format", "json")
    assert run.status == 0 and run.json[0]["status"] == "success", run
    assert (place / "d/f").read_text() == "in order"


def test_ctrl_c_stops_an_apply(b):
    """Ctrl-C: the agent on the target ends and its folder is gone; what a resource had started is left to end by itself"""
    place = ready(b)
    owner = b.account.uid if b.account else os.getuid()
    before = set(temporary_folders(owner))
    child = b.start("apply", "-e", f"exec {{ '/bin/sh -c \"echo $$ > {place}/pid; exec sleep 900\"': }}", "-t", "web")
    pid = process_of(b, place / "pid")
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=HANGS)
    assert child.returncode == 130 and b"interrupted" in out.lower(), out
    os.kill(pid, signal.SIGKILL)  # fails when it is gone
    if IS_ROOT:
        wait_for(lambda: before.issuperset(temporary_folders(owner)), "the end of the agent's folder")


def test_hie_001_lookup_in_plans(b):
    """HIE-001, HIE-002, FN-046, APL-020, ERR-004"""
    b.write("project/hiera.yaml", "version: 5\nplan_hierarchy:\n  - name: plan\n    path: plan.yaml\n"
                                  "hierarchy:\n  - name: all\n    path: common.yaml\n")
    b.write("project/data/plan.yaml", "site::key: of the plan\n")
    b.write("project/data/common.yaml", "site::key: of catalogs\n")
    assert plan(b, "  return [lookup('site::key'), lookup('none', default_value => 'd')]").json == ["of the plan", "d"]
    error = plan(b, "  return lookup('none')").json
    assert error["kind"] == "bolt/pal-error" and "did not find a value for the name 'none'" in error["msg"], error
    b.write("project/hiera.yaml", "version: 5\nhierarchy:\n  - name: os\n    path: \"%{facts.os.family}.yaml\"\n")
    error = plan(b, "  return lookup('site::key')").json
    assert error["kind"] == "bolt/pal-error", error
    assert error["msg"].startswith("Interpolations are not supported in lookups outside of an apply block: "), error
    b.write("project/hiera.yaml", "version: 3\n")
    ready(b)
    assert plan(b, "  apply('web') { notify { 'x': } }").json["kind"] == "bolt/parse-error"


def test_fn_016_catalogs_ask_puppetdb(b):
    """FN-015, FN-016, PLN-017, APL-005: apply blocks may ask PuppetDB, also an instance by name; a failure names the target"""
    place = ready(b)
    main = Database(b, [{"certname": "db1"}, {"certname": "db2"}], by_path={
        "/pdb/query/v4/inventory": [{"certname": "web", "facts": {"role": "front"}}]})
    second = Database(b, [{"certname": "other"}])
    b.write("project/bolt-project.yaml", json.dumps({
        "name": "site", "puppetdb": {"server_urls": [main.url]},
        "puppetdb-instances": {"second": {"server_urls": [second.url]}, "gone": {"server_urls": ["http://127.0.0.1:9"]}}}))
    block = f"""apply('web') {{
      $names = puppetdb_query('nodes {{}}').map |$row| {{ $row['certname'] }}
      $role = puppetdb_fact(['web'])['web']['role']
      $others = puppetdb_query(['=', 'certname', 'x'], 'second').map |$row| {{ $row['certname'] }}
      file {{ '{place}/hosts': content => "${{names.join(' ')}} ${{role}} ${{others[0]}}" }}
    }}
    return 1"""
    done = plan(b, block)
    assert done.json == 1 and (place / "hosts").read_text() == "db1 db2 front other", done
    plan(b, f"""apply('web', _puppetdb => 'second') {{
      file {{ '{place}/usual': content => puppetdb_query('nodes {{}}')[0]['certname'] }}
    }}""")
    assert (place / "usual").read_text() == "other", "_puppetdb names the instance that is asked by default"
    failed = plan(b, "return apply('web', _catch_errors => true) { puppetdb_query('x', 'gone') }").json[0]["value"]["_error"]
    assert failed["kind"] == "bolt/apply-error" and "for web" in failed["msg"], failed
    assert "Failed to connect to all PuppetDB server_urls" in failed["msg"] and "p.pp" in failed["msg"], failed
    refused = plan(b, "return apply('web', _catch_errors => true) { puppetdb_command('x', 1, {}) }").json[0]["value"]["_error"]
    assert "cannot be used from declarative manifest code or apply blocks" in refused["msg"], refused
