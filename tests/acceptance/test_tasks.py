"""Section 6 of the checklist and spec/tasks through the program, on SSH and local targets."""
import json

TARGETS = ("web", "localhost")


def run_task(b, name, *words, target="web"):
    return b.run("task", "run", name, *words, "-t", target, "--format", "json")


def test_tsk_024_input_methods(b):
    """TSK-023, TSK-024, TSK-025, TSK-026, SH-017: values of every kind, in each method"""
    b.ssh_inventory()
    body = "#!/bin/sh\nprintf '{\"env\": \"%s|%s|%s\", \"in\": \"%s\"}' \"$PT_s\" \"$PT_n\" \"$(printf %s \"$PT_l\" | tr -d '\" ')\" \"$(cat | wc -c | tr -d ' ')\"\n"
    params = json.dumps({"s": "a b", "n": 5, "l": [1, "x"], "nothing": None})
    for target in TARGETS:
        for method, env, stdin in (("both", True, True), ("stdin", False, True), ("environment", True, False)):
            b.task("m.sh", body, {"input_method": method})
            value = run_task(b, "site::m", "--params", params, target=target).value()
            assert value["env"] == ("a b|5|[1,x]" if env else "||"), (method, value)
            assert (int(value["in"]) > 0) == stdin, (method, value)


def test_tsk_025_stdin_is_exactly_the_json(b):
    """SH-017, TSK-025: an object, no newline; _task is there, _noop is not"""
    b.ssh_inventory()
    b.task("echo.sh", "#!/bin/sh\nprintf '{\"raw\": \"%s\"}' \"$(base64 | tr -d '\\n')\"\n", {"input_method": "stdin"})
    import base64
    nasty = "quote ' double \" back \\ newline \n tab \t unicode ü€ 😀 dollar $x `y` percent %s"
    for target in TARGETS:
        raw = base64.b64decode(run_task(b, "site::echo", "--params", json.dumps({"x": nasty}), target=target).value()["raw"])
        assert json.loads(raw) == {"x": nasty, "_task": "site::echo"} and not raw.endswith(b"\n"), raw


def test_tsk_large_parameters(b):
    """A parameter of 300 kB over stdin"""
    b.ssh_inventory()
    b.task("big.sh", "#!/bin/sh\nprintf '{\"n\": %s}' \"$(wc -c)\"\n", {"input_method": "stdin"})
    b.write("p.json", json.dumps({"x": "y" * 300000}))
    for target in TARGETS:
        assert run_task(b, "site::big", "--params", "@p.json", target=target).value()["n"] > 300000


def test_tsk_040_defaults_and_types(b):
    """TSK-040, TSK-041, TSK-042, ARG-006, ERR-016"""
    b.task("t.sh", "#!/bin/sh\ncat\n", {"input_method": "stdin", "parameters": {
        "n": {"type": "Integer[1,10]"}, "s": {"type": "String", "default": "dflt"}, "o": {"type": "Optional[Boolean]"}, "any": {}}})
    value = run_task(b, "site::t", "n=5", target="localhost").value()
    assert value["n"] == 5 and value["s"] == "dflt" and "any" not in value, value
    # "5" for a String stays text; for an Integer it is read
    assert run_task(b, "site::t", "n=5", "s=7", "any=x", target="localhost").value()["s"] == "7"
    for words, parts in ((["--params", '{"n": 50}'], ["n", "Integer[1, 10]", "50"]), (["n=x"], ["n", "Integer", "String"]), ([], ["n"]),
                         (["n=1", "zzz=1"], ["zzz"]), (["n=1", "o=maybe"], ["o", "Boolean"])):
        run = run_task(b, "site::t", *words, target="localhost")
        assert run.status == 1 and run.json["_error"]["kind"] == "bolt/pal-error" if "_error" in run.json else run.json["kind"] == "bolt/pal-error", run
        for part in parts:
            assert part in run.out, (part, run)


def test_tsk_041_any_parameter_without_declaration(b):
    """TSK-041: no parameters key accepts all; an empty one nothing"""
    b.task("any.sh", "#!/bin/sh\ncat\n", {"input_method": "stdin"})
    assert run_task(b, "site::any", "x=1", target="localhost").value()["x"] == 1
    b.task("none.sh", "#!/bin/sh\ncat\n", {"parameters": {}})
    assert run_task(b, "site::none", "x=1", target="localhost").status == 1


def test_tsk_044_sensitive_values_are_never_seen(b):
    """TSK-044, LOG-012: not on screen, not in logs, not in a process list of the target"""
    b.ssh_inventory()
    b.task("s.sh", "#!/bin/sh\nprintf '{\"seen\": %s, \"len\": %s}' \"$(ps -eo args | grep -c '[t]op-secret-4711')\" \"${#PT_key}\"\n",
           {"parameters": {"key": {"type": "String", "sensitive": True}}})
    for target in TARGETS:
        run = b.run("task", "run", "site::s", "--params", "@secret.json", "-t", target, "--format", "json", "--log-level", "trace",
                    stdin="") if b.write("secret.json", '{"key": "top-secret-4711"}') else None
        assert run.value() == {"seen": 0, "len": 15}, run
        assert "top-secret-4711" not in run.out + run.err, run
        assert "top-secret-4711" not in (b.project / "bolt-debug.log").read_text()


def test_tsk_045_noop(b):
    """TSK-045, OPT-004"""
    b.task("yes.sh", "#!/bin/sh\ncat\n", {"supports_noop": True, "input_method": "stdin"})
    b.task("no.sh", "#!/bin/sh\ncat\n")
    assert run_task(b, "site::yes", "--noop", target="localhost").value()["_noop"] is True
    run = run_task(b, "site::no", "--noop", target="localhost")
    assert run.status == 1 and "noop" in run.out and "site::no" in run.out, run


def test_tsk_006_implementations(b):
    """TSK-006, TSK-020, TSK-021, TRN-007, ERR-021"""
    b.ssh_inventory()
    meta = {"implementations": [{"name": "x_ps.ps1", "requirements": ["powershell"]},
                                {"name": "x_agent.sh", "requirements": ["shell", "puppet-agent"]},
                                {"name": "x_sh.sh", "requirements": ["shell"], "input_method": "environment"}]}
    b.task("x.json", json.dumps(meta))
    b.task("x_ps.ps1", "")
    b.task("x_agent.sh", "#!/bin/sh\necho agent\n")
    b.task("x_sh.sh", "#!/bin/sh\necho plain\n")
    assert run_task(b, "site::x").value() == {"_output": "plain\n"}
    inventory = json.loads((b.project / "inventory.yaml").read_text())
    inventory["features"] = ["puppet-agent"]
    b.inventory(json.dumps(inventory))
    assert run_task(b, "site::x").value() == {"_output": "agent\n"}
    b.task("x.json", json.dumps({"implementations": meta["implementations"][:1]}))
    error = run_task(b, "site::x").value()["_error"]
    assert error["kind"] == "bolt/no-implementation", error


def test_tsk_007_files_and_installdir(b):
    """TSK-007, TSK-025, TSK-027, TSK-028, SH-025"""
    b.ssh_inventory()
    b.write("project/modules/lib/files/a.sh", "echo one\n")
    b.write("project/modules/lib/files/dir/deep/b.sh", "echo two\n")
    b.write("project/modules/lib/lib/c.rb", "c")
    b.task("f.sh", '#!/bin/sh\n. "$PT__installdir/lib/files/a.sh"\n. "$(dirname "$0")/../../lib/files/dir/deep/b.sh"\ncat "$PT__installdir/lib/lib/c.rb"\n',
           {"files": ["lib/files/a.sh", "lib/files/dir/", "lib/lib/c.rb"]})
    for target in TARGETS:
        assert run_task(b, "site::f", target=target).value() == {"_output": "one\ntwo\nc"}, target
    for bad in (["lib/files/nothing.sh"], ["lib/files/dir"], ["nomod/files/x"], ["lib/../x"], ["lib/secrets/x"]):
        b.task("f.sh", "#!/bin/sh\n", {"files": bad})
        assert run_task(b, "site::f").status == 1, bad


def test_trn_006_interpreters(b):
    """TRN-006, SH-019"""
    b.ssh_inventory(interpreters={"xyz": ["/bin/sh", "-e"], ".abc": "/bin/sh"})
    for ext in ("xyz", "abc"):
        b.task(f"i_{ext}.{ext}", "echo run by sh\n")
        assert run_task(b, f"site::i_{ext}").value() == {"_output": "run by sh\n"}


def test_rem_001_remote_tasks(b):
    """REM-001, REM-002, REM-003, REM-004, TSK-025"""
    b.inventory("""
targets:
  - {name: switch, uri: 'remote://admin:pw@10.0.0.9:830/path', config: {remote: {flavour: ios, run-on: localhost}}}
  - {name: loop, uri: 'remote://x', config: {remote: {run-on: switch}}}
""")
    b.task("r.sh", "#!/bin/sh\ncat\n", {"remote": True, "input_method": "stdin"})
    b.task("n.sh", "#!/bin/sh\ncat\n")
    data = run_task(b, "site::r", target="switch").value()["_target"]
    assert data["host"] == "10.0.0.9" and data["user"] == "admin" and data["port"] == 830 and data["flavour"] == "ios", data
    assert run_task(b, "site::n", target="switch").value()["_error"]["kind"] == "bolt/no-implementation"
    assert run_task(b, "site::r", target="localhost").value()["_error"]["kind"] == "bolt/no-implementation"
    assert run_task(b, "site::r", target="loop").value()["_error"]["kind"] == "bolt/invalid-remote-target"
    run = b.run("command", "run", "true", "-t", "switch", "--format", "json")
    assert run.status == 1 and run.value()["_error"]["kind"] == "puppetlabs.tasks/exception-error", run


def test_tsk_047_unknown_task(b):
    """TSK-047, ERR-020"""
    run = run_task(b, "site::missing", target="localhost")
    assert run.status == 1 and "bolt/unknown-task" in run.out and "task show" in run.out, run


def test_tsk_002_metadata_faults(b):
    """TSK-001, TSK-002, TSK-004, TSK-005"""
    b.task("t.sh", "#!/bin/sh\necho ok\n")
    b.write("project/tasks/t.json", "{oops")
    run = run_task(b, "site::t", target="localhost")
    assert run.status == 1 and "t.json" in run.out, run
    b.write("project/tasks/t.json", "")
    assert run_task(b, "site::t", target="localhost").value() == {"_output": "ok\n"}
    b.task("t.sh", "#!/bin/sh\necho ok\n", {"descripton": "typo"})
    assert "unknown_task_metadata_keys" in run_task(b, "site::t", target="localhost").err
    b.task("t.sh", "#!/bin/sh\n", {"parameters": [1]})
    assert run_task(b, "site::t", target="localhost").status == 1
    b.write("project/tasks/t.py", "")
    b.write("project/tasks/t.json", "{}")
    run = run_task(b, "site::t", target="localhost")
    assert run.status == 1, "two files for one task"


def test_mod_003_modules(b):
    """MOD-001, MOD-003, MOD-004, PRJ-010, TSK-008, LAY-005, LAY-006, OPT-020"""
    b.write("project/modules/dup/tasks/init.sh", "#!/bin/sh\necho from modules\n")
    b.write("project/.modules/dup/tasks/init.sh", "#!/bin/sh\necho from managed\n")
    b.write("project/.modules/managed/tasks/go.sh", "#!/bin/sh\necho managed\n")
    b.write("elsewhere/dup/tasks/init.sh", "#!/bin/sh\necho elsewhere\n")
    assert run_task(b, "dup", target="localhost").value()["_output"] == "from modules\n"
    assert run_task(b, "managed::go", target="localhost").value()["_output"] == "managed\n"
    run = run_task(b, "dup", "--modulepath", b.folder / "elsewhere", target="localhost")
    assert run.value()["_output"] == "elsewhere\n", run


def test_sh_004_nothing_is_left_on_the_target(b):
    """SH-001, SH-003, SH-004, OPT-019, LOG-009: private while it runs, gone afterwards, kept with --no-cleanup"""
    b.ssh_inventory()
    place = b.folder / "tmp"
    place.mkdir()
    b.task("t.sh", "#!/bin/sh\nls -ld \"$(dirname \"$0\")/..\" \"$0\" | cut -c1-10 | tr '\\n' ' '\n")
    for target in TARGETS:
        value = b.run("task", "run", "site::t", "-t", target, "--tmpdir", place, "--format", "json").value()
        assert "rwx" in value["_output"] and list(place.iterdir()) == [], value
        b.task("bad.sh", "#!/bin/sh\nkill -KILL $$\n")
        b.run("task", "run", "site::bad", "-t", target, "--tmpdir", place)
        assert list(place.iterdir()) == [], "a task that was killed"
        run = b.run("task", "run", "site::t", "-t", target, "--tmpdir", place, "--no-cleanup")
        kept = list(place.iterdir())
        assert len(kept) == 1 and kept[0].stat().st_mode & 0o077 == 0 and "skip_cleanup" in run.err, run
        import shutil
        shutil.rmtree(kept[0])
