"""--dry-run shows what would run where."""
from harness.lab import free_port


def test_dry_run_connects_to_nothing(b):
    """USER-F11: commands, scripts, tasks and files; targets are chosen as always, and what is wrong is said"""
    mark = b.folder / "ran"
    b.inventory("config: {transport: local}\ntargets: [" + ", ".join(f"web{n}" for n in range(1, 21)) +
                f", {{name: gone, uri: 'ssh://127.0.0.1:{free_port()}'}}]\n")
    b.task("t.sh", f"touch {mark}\n", {"parameters": {"x": {"type": "Integer"}}})
    script = b.write("s.sh", f"touch {mark}\n", 0o755)
    for words, what in ((("command", "run", f"touch {mark}"), f"command 'touch {mark}'"), (("script", "run", script), f"script {script}"),
                        (("task", "run", "site::t", "x=1"), "task site::t"), (("file", "upload", script, mark), "upload")):
        run = b.run(*words, "-t", "all", "--dry-run", "--exclude", "web1[1-9]")
        assert run.status == 0 and run.out.startswith("Would run ") and what in run.out, run
        assert run.out.endswith(" on 12 targets: web[1-10,20],gone\n"), run
    assert not mark.exists() and not (b.project / ".rerun.json").exists()
    value = b.run("command", "run", "x", "-t", "web1,gone", "--dry-run", "--format", "json").json
    assert value == {"dry_run": True, "action": "command", "object": "x", "targets": ["web1", "gone"]}, value
    b.refused("task", "run", "site::t", "x=no", "-t", "web1", "--dry-run", says="x")
    b.refused("script", "run", "none.sh", "-t", "web1", "--dry-run", says="none.sh")
    b.refused("command", "run", "x", "-t", "wbe1", "--dry-run", says="web1")


def test_dry_run_of_a_plan(b):
    """The parameters' types are checked, targets resolved, steps listed; nothing is connected to, run or recorded"""
    mark = b.folder / "ran"
    b.inventory("config: {transport: ssh}\ntargets: [" + ", ".join(f"web{n}" for n in range(1, 21)) + ", db]\n")
    b.write("project/plans/init.pp", f"""plan site(TargetSpec $targets, Integer $count, Optional[TargetSpec] $db = undef) {{
  run_command('touch {mark}', $targets)
  run_plan('site::more', targets => $targets)
}}
""")
    b.write("project/plans/more.pp", "plan site::more(TargetSpec $targets) { run_command('uptime', $targets) }\n")
    words = ("plan", "run", "site", "count=3", "db=db", "-t", "web[1-20]", "--dry-run")
    run = b.run(*words)
    assert run.status == 0 and run.out == f"""Would run plan site
  $targets: 20 targets: web[1-20]
  $db: 1 target: db
plan site
  command touch {mark}
  plan site::more
plan site::more
  command uptime
""", run
    value = b.run(*words, "--format", "json").json
    assert value["dry_run"] is True and value["action"] == "plan" and value["object"] == "site", value
    assert value["targets"] == {"targets": [f"web{n}" for n in range(1, 21)], "db": ["db"]}, value
    assert [one["plan"] for one in value["plans"]] == ["site", "site::more"], value
    assert value["plans"][0]["steps"][0]["what"] == f"touch {mark}", value
    assert not mark.exists() and "site" not in b.run("run", "list").out
    b.refused("plan", "run", "site", "count=three", "-t", "web1", "--dry-run", says="count")
    b.refused("plan", "run", "site", "-t", "web1", "--dry-run", says="count")
    b.refused("plan", "run", "site::none", "--dry-run", says="site::none")


def test_dry_run_is_never_misunderstood(b):
    """USER-F11: a verb that has none refuses it, and nothing happens"""
    mark = b.folder / "ran"
    b.refused("plan", "check", "--dry-run", says="has no '--dry-run'")
    b.refused("apply", "-e", f"file {{ '{mark}': ensure => file }}", "-t", "localhost", "--dry-run", says="--noop")
    assert not mark.exists()
