"""Rules of the task specification in detail; the main ways are in test_tasks.py."""
import json

LOCAL = ("-t", "localhost")
JSON = ("--format", "json")
ECHO = "#!/bin/sh\ncat\n"
ENV = "#!/bin/sh\nenv | grep ^PT_ | sort\n"


def task(b, name, *words, target=LOCAL, **settings):
    return b.run("task", "run", name, *words, *target, *JSON, **settings)


def ok(b, name, *words, **settings):
    run = task(b, name, *words, **settings)
    assert run.status == 0, run
    return run.value()


def test_tsk_001_unknown_metadata_keys_warn(b):
    """TSK-001, LOG-009: and the revision 5 and 6 keys do not"""
    b.task("x.sh", ECHO, {"colour": "red"})
    run = task(b, "site::x")
    assert run.status == 0 and "unknown_task_metadata_keys" in run.err and "colour" in run.err, run
    b.task("y.sh", ECHO, {"description": "d", "puppet_task_version": 1, "supports_noop": False, "remote": False,
                          "private": False, "extensions": {}, "files": [], "parameters": {}})
    assert "unknown_task_metadata_keys" not in task(b, "site::y").err


def test_tsk_002_metadata_is_optional_and_may_be_empty(b):
    """TSK-002"""
    b.task("x.sh", ECHO)
    b.write("project/tasks/x.json", "")
    assert ok(b, "site::x", "a=1")["a"] == 1
    b.write("project/tasks/x.json", "{\"a\": ")
    b.refused("task", "run", "site::x", *LOCAL, *JSON, says="x.json")
    assert "puppet.tasks/unparseable-metadata" in b.run("task", "run", "site::x", *LOCAL, *JSON).out


def test_tsk_004_parameters_must_be_a_map(b):
    """TSK-004"""
    b.task("x.sh", ECHO, {"parameters": ["a"]})
    b.refused("task", "run", "site::x", *LOCAL, says="parameters")


def test_tsk_005_one_file_per_task(b):
    """TSK-005"""
    b.write("project/tasks/none.json", "{}")
    run = b.refused("task", "run", "site::none", *LOCAL, *JSON)
    assert "no-implementation" in run.out or "unknown-task" in run.out, run
    b.task("two.sh", ECHO)
    b.task("two.py", ECHO)
    assert "multiple-implementations" in b.refused("task", "run", "site::two", *LOCAL, *JSON).out


def test_tsk_006_implementations_must_exist(b):
    """TSK-006"""
    b.task("x.sh", ECHO, {"implementations": [{"name": "gone.sh"}]})
    assert "missing-implementation" in b.refused("task", "run", "site::x", *LOCAL, *JSON, says="gone.sh").out
    b.task("y.sh", ECHO, {"implementations": [{"name": "y.sh", "requirements": "shell"}]})
    b.refused("task", "run", "site::y", *LOCAL, says="requirements")


def test_tsk_007_files_are_checked(b):
    """TSK-007"""
    b.write("project/files/one.txt", "1")
    b.write("project/files/dir/two.txt", "2")
    for entry, kind in (("site/files/gone.txt", "invalid-file"), ("site/files/dir", "invalid-metadata"),
                        ("site/files/one.txt/", "invalid-metadata"), ("site/files/../one.txt", "invalid-metadata"),
                        ("nowhere/files/x", "invalid-file"), ("site/elsewhere/x", "invalid-metadata")):
        b.task("x.sh", ECHO, {"files": [entry]})
        run = b.refused("task", "run", "site::x", *LOCAL, *JSON)
        assert "puppet.tasks/invalid-" in run.out, (entry, kind, run)


def test_tsk_008_init_is_the_module(b):
    """TSK-008, MOD-004"""
    b.write("project/tasks/init.sh", "#!/bin/sh\necho $PT__task\n", 0o644)
    assert ok(b, "site")["_output"] == "site\n"
    assert ok(b, "site::init")["_output"] == "site::init\n", "OpenBolt finds it under this name, too"
    b.write("project/tasks/readme.md", "no task")
    names = [t[0] for t in b.run("task", "show", *JSON).json["tasks"]]
    assert "site" in names and "site::readme" not in names and "site::init" not in names


def test_tsk_024_every_input_method(b):
    """TSK-023, TSK-024, TSK-025, TSK-026, SH-017"""
    words = ("text=it's $HOME\n`x`", "number=1.5", "list=[1,{\"a\":null}]", "none=null")
    want = {"text": "it's $HOME\n`x`", "number": 1.5, "list": [1, {"a": None}], "none": None}
    both = "#!/bin/sh\nprintf '{\"env\": \"%s\", \"stdin\": %s}' \"$PT_number|$PT_list_|$PT_none\" \"$(cat)\"\n"
    b.task("both.sh", both)
    value = ok(b, "site::both", *words)
    assert value["env"] == "1.5||null" and value["stdin"] == {**want, "_task": "site::both"}, value
    b.task("stdin.sh", both, {"input_method": "stdin"})
    value = ok(b, "site::stdin", *words)
    assert value["env"] == "||" and value["stdin"] == {**want, "_task": "site::stdin"}
    b.task("environment.sh", "#!/bin/sh\nprintf '%s|%s|%s' \"$PT_text\" \"$PT_list\" \"$PT__task\"; cat\n",
           {"input_method": "environment"})
    assert ok(b, "site::environment", *words)["_output"] == "it's $HOME\n`x`|[1,{\"a\":null}]|site::environment"
    b.task("neither.sh", "#!/bin/sh\nprintf '<%s>' \"$PT_text\"\n", {"input_method": "powershell"})
    assert ok(b, "site::neither", *words)["_output"] == "<>"


def test_tsk_023_an_implementation_has_its_own_input_method(b):
    """TSK-006, TSK-020, TSK-023"""
    b.task("impl_sh.sh", "#!/bin/sh\nprintf '<%s>' \"$PT_a\"; cat\n")
    b.task("impl_ps.ps1", "exit 1")
    b.write("project/tasks/impl.json", json.dumps({"input_method": "stdin", "implementations": [
        {"name": "impl_ps.ps1", "requirements": ["powershell"]},
        {"name": "impl_sh.sh", "requirements": ["shell"], "input_method": "environment"}]}))
    assert ok(b, "site::impl", "a=1")["_output"] == "<1>"


def test_tsk_024_large_input_arrives_whole(b):
    """TSK-024: more than a pipe holds, over ssh too"""
    b.ssh_inventory()
    b.task("size.sh", "#!/bin/sh\nwc -c\n", {"input_method": "stdin"})
    b.write("big.json", json.dumps({"text": "x" * 300_000}))
    for target in (LOCAL, ("-t", "web")):
        size = int(ok(b, "site::size", "--params", "@big.json", target=target)["_output"])
        assert 300_000 < size < 300_100, size


def test_tsk_020_the_first_suitable_implementation(b):
    """TSK-020, TSK-021, TSK-022, TRN-007"""
    for name in ("a_agent", "b_docker", "c_shell"):
        b.task(f"{name}.sh", f"#!/bin/sh\necho {name}\n")
    b.write("project/tasks/pick.json", json.dumps({"implementations": [
        {"name": "b_docker.sh", "requirements": ["docker", "shell"]}, {"name": "c_shell.sh", "requirements": ["shell"]}]}))
    b.write("project/tasks/none.json", json.dumps({"implementations": [
        {"name": "a_agent.sh", "requirements": ["no-such-feature"]}]}))
    b.inventory(json.dumps({"config": {"transport": "local"}, "targets": [
        {"name": "plain"}, {"name": "rich", "features": ["docker"]}]}))
    run = b.run("task", "run", "site::pick", "-t", "all", *JSON)
    assert run.value("plain")["_output"] == "c_shell\n" and run.value("rich")["_output"] == "b_docker\n", run
    run = b.run("task", "run", "site::none", "-t", "plain", *JSON)
    assert run.status == 1 and "bolt/no-implementation" in run.out, run


def test_tsk_027_files_reach_the_target_in_their_places(b):
    """TSK-025, TSK-027, TSK-028, SH-025"""
    b.write("project/files/one.txt", "one\n")
    b.write("project/files/dir/deep/two.txt", "two\n")
    b.write("project/modules/other/lib/three.txt", "three\n")
    body = ("#!/bin/sh\ncd \"$PT__installdir\" || exit 9\ncat site/files/one.txt site/files/dir/deep/two.txt "
            "other/lib/three.txt\ntest -f site/tasks/$(basename $0) && cat \"$(dirname $0)/../files/one.txt\"\n")
    b.task("x_impl.sh", body)
    b.write("project/tasks/x.json", json.dumps({"files": ["site/files/one.txt", "other/lib/three.txt"],
                                                "implementations": [{"name": "x_impl.sh", "files": ["site/files/dir/"]}]}))
    b.ssh_inventory()
    for target in (LOCAL, ("-t", "web")):
        assert ok(b, "site::x", target=target)["_output"] == "one\ntwo\nthree\none\n"
    shown = {file["name"]: file["path"] for file in b.run("task", "show", "site::x", *JSON).json["files"]}
    assert set(shown) == {"x_impl.sh", "site/files/one.txt", "other/lib/three.txt", "site/files/dir/deep/two.txt"}, shown
    assert shown["other/lib/three.txt"].endswith("/modules/other/lib/three.txt"), shown


def test_trn_006_interpreters_run_files_by_extension(b):
    """TRN-006, SH-019"""
    b.task("x.odd", "print(\"py\", __file__.endswith('x.odd'))\n")
    script = b.write("y.odd", "print('script')\n")
    for interpreters in ({".odd": "/usr/bin/python3"}, {"odd": ["/usr/bin/env", "python3"]}):
        b.inventory(json.dumps({"targets": [{"name": "a", "config": {"transport": "local",
                                                                      "local": {"interpreters": interpreters}}}]}))
        assert ok(b, "site::x", target=("-t", "a"))["_output"] == "py True\n"
    # Scripts honour interpreters only when the project asks for it.
    assert b.run("script", "run", script, "-t", "a", *JSON).status == 1
    b.write("project/bolt-project.yaml", "name: site\nfuture:\n  script_interpreter: true\n")
    assert b.run("script", "run", script, "-t", "a", *JSON).value()["stdout"] == "script\n"


def test_tsk_040_defaults_fill_missing_and_null(b):
    """TSK-040, TSK-042, TSK-003"""
    b.task("x.sh", ECHO, {"parameters": {"a": {"type": "String", "default": "dflt"}, "b": {"type": "Optional[Integer]"},
                                         "c": {"default": [1]}}})
    assert ok(b, "site::x") == {"a": "dflt", "c": [1], "_task": "site::x"} or \
        ok(b, "site::x") == {"a": "dflt", "b": None, "c": [1], "_task": "site::x"}
    assert ok(b, "site::x", "a=null", "b=4")["a"] in ("dflt", "null")
    assert ok(b, "site::x", "--params", '{"a": null}')["a"] == "dflt"


def test_tsk_041_parameters_are_validated(b):
    """TSK-041, TSK-049, RES-018: all mistakes at once, before any target runs"""
    marker = b.folder / "ran"
    b.task("x.sh", f"#!/bin/sh\ntouch {marker}\n", {"parameters": {
        "count": {"type": "Integer[1, 5]"}, "mode": {"type": "Enum[on, off]"},
        "host": {"type": "Optional[Pattern[/^[a-z]+$/]]"}, "deep": {"type": "Optional[Struct[{a => Integer}]]"},
        "many": {"type": "Optional[Array[Variant[String[1], Boolean], 1, 2]]"}}})
    run = b.refused("task", "run", "site::x", "count=9", "hots=x", *LOCAL, *JSON)
    text = run.out
    assert "bolt/pal-error" in text and "site::x" in text and "count" in text and "mode" in text and "hots" in text, run
    for words in (("count=1", "mode=maybe"), ("count=1", "mode=on", "host=A1"), ("count=1", "mode=on", 'deep={"a":"b"}'),
                  ("count=1", "mode=on", "many=[]"), ("count=1", "mode=on", 'many=["a","b","c"]')):
        b.refused("task", "run", "site::x", *words, *LOCAL)
    assert not marker.exists()
    ok(b, "site::x", "count=1", "mode=on", "host=abc", 'deep={"a":1}', 'many=["a",true]')
    assert marker.exists()


def test_tsk_041_without_parameters_anything_goes(b):
    """TSK-041"""
    b.task("x.sh", ECHO)
    assert ok(b, "site::x", "any_thing=[1]")["any_thing"] == [1]
    b.refused("task", "run", "site::x", "Bad=1", *LOCAL, says="Bad")
    b.task("none.sh", ECHO, {"parameters": {}})
    b.refused("task", "run", "site::none", "a=1", *LOCAL, says="a")


def test_tsk_043_sensitive_type_rejects_plain_values(b):
    """TSK-043"""
    b.task("x.sh", ECHO, {"parameters": {"pw": {"type": "Sensitive[String]"}}})
    b.refused("task", "run", "site::x", "pw=a", *LOCAL, says="pw")


def test_tsk_048_an_empty_group_runs_nothing(b):
    """TSK-048"""
    b.inventory("groups: [{name: empty}]")
    b.task("x.sh", ECHO)
    run = b.run("task", "run", "site::x", "-t", "empty", *JSON)
    assert run.status == 0 and run.json["items"] == [] and run.json["target_count"] == 0, run


def remote(b, **config):
    b.inventory(json.dumps({"targets": [
        {"name": "api", "uri": "https://bob:pw@api.example:8443/v1", "config": {
            "transport": "remote", "remote": {"run-on": "localhost", "token": "t0", **config}}},
        {"name": "proxy", "config": {"transport": "remote"}},
    ]}))


def test_rem_001_a_remote_task_gets_its_target(b):
    """REM-001, INV-056, INV-057, TRN-028, TSK-025"""
    b.task("x.sh", ECHO, {"remote": True, "input_method": "stdin"})
    remote(b)
    target = ok(b, "site::x", target=("-t", "api"))["_target"]
    assert {k: target[k] for k in ("name", "protocol", "user", "host", "port", "token")} == {
        "name": "api", "protocol": "https", "user": "bob", "host": "api.example", "port": 8443, "token": "t0"}, target
    assert target["password"] == "pw" and target["uri"] == "https://bob:pw@api.example:8443/v1"


def test_rem_003_remote_tasks_and_targets_belong_together(b):
    """REM-003, TSK-020, TSK-021"""
    remote(b)
    b.task("plain.sh", ECHO)
    b.task("far.sh", ECHO, {"remote": True})
    for name, target in (("site::plain", "api"), ("site::far", "localhost")):
        run = task(b, name, target=("-t", target))
        assert run.status == 1 and "no-implementation" in run.out, run


def test_rem_002_a_proxy_may_not_be_remote(b):
    """REM-002"""
    remote(b, **{"run-on": "proxy"})
    b.task("x.sh", ECHO, {"remote": True})
    run = task(b, "site::x", target=("-t", "api"))
    assert run.status == 1 and "bolt/invalid-remote-target" in run.out, run
