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


def test_dry_run_is_never_misunderstood(b):
    """USER-F11: a verb that has none refuses it, and nothing happens"""
    mark = b.folder / "ran"
    b.write("project/plans/p.pp", f"plan site::p() {{ run_command('touch {mark}', 'localhost') }}\n")
    b.refused("plan", "run", "site::p", "--dry-run", says="volley plan graph")
    b.refused("apply", "-e", f"file {{ '{mark}': ensure => file }}", "-t", "localhost", "--dry-run", says="--noop")
    assert not mark.exists()
