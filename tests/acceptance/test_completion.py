"""Names of the project are completed in bash, zsh and fish (USER-F6)."""
import os
import shutil

from harness.shells import Shell, fish_completions

INVENTORY = """
groups:
  - name: web
    targets: [web-one, {name: web-two, alias: www}]
targets:
  - db-one
  - _plugin: task
    task: site::never
"""


def project(b):
    b.inventory(INVENTORY)
    b.task("deploy.sh", "#!/bin/sh\n", {"description": "Brings the shop to a version", "parameters": {
        "version": {"type": "String", "description": "Which one"}, "stage": {"type": "Enum[testing, production]"}}})
    b.task("never.sh", f"#!/bin/sh\ntouch {b.folder}/plugin-ran\n")
    b.write("project/plans/roll.pp", "plan site::roll(TargetSpec $nodes, Enum['fast', 'slow'] $speed, Boolean $check) { }\n")
    b.write("project/modules/shop/tasks/sell.sh", "#!/bin/sh\n")
    b.write("project/report.html", "")


# What is typed, and what the tab key makes of it: the same in each shell.
LINES = [
    ("volley comm", "volley command "),
    ("volley task ru", "volley task run "),
    ("volley task run site::dep", "volley task run site::deploy "),
    ("volley task run site::deploy ver", "volley task run site::deploy version="),
    ("volley task run site::deploy stage=prod", "volley task run site::deploy stage=production "),
    ("volley plan run site::r", "volley plan run site::roll "),
    ("volley plan run site::roll speed=f", "volley plan run site::roll speed=fast "),
    ("volley plan run site::roll nodes=db", "volley plan run site::roll nodes=db-one "),
    ("volley ping -t db", "volley ping -t db-one "),
    ("volley ping -t web-one,db", "volley ping -t web-one,db-one "),
    ("volley ping --targets=ww", "volley ping --targets=www "),
    ("volley command run 'uptime -p' --transp", "volley command run 'uptime -p' --transport "),
    ("volley command run x --format js", "volley command run x --format json "),
    ("volley module show sho", "volley module show shop "),
    ("volley apply repo", "volley apply report.html "),
    ("volley secret edit repo", "volley secret edit report.html "),
    ("volley task run site::deploy --params @rep", "volley task run site::deploy --params @report.html "),
    ("volley guide hie", "volley guide hiera "),
]


def recorded(b):
    """Three runs of this project, the newest first: of a command, a plan and a command."""
    b.inventory("targets: []\n")
    b.write("project/plans/say.pp", "plan site::say() { run_command('exit 1', 'localhost') }\n")
    for words in (("command", "run", "true", "-t", "localhost"), ("plan", "run", "site::say"),
                  ("command", "run", "uptime", "-t", "localhost")):
        b.run(*words)
    return b.run("run", "list", "--format", "json").json


def run_lines(runs):
    """Of a prefix that only one run has."""
    lines = []
    for run in runs:
        part = next(run["id"][:n] for n in range(1, 9) if sum(other["id"].startswith(run["id"][:n]) for other in runs) == 1)
        for action in ("show", "output", "report", "resume", "repeat", "diff last"):
            lines.append((f"volley run {action} {part}", f"volley run {action} {run['id']} "))
    return [*lines, ("volley plan resume ", f"volley plan resume {runs[1]['id']} ")]


def completes(b, name):
    runs = recorded(b)
    project(b)
    shell = Shell(b, name)
    for typed, want in LINES:
        line, shown = shell.tab(typed)
        assert line == want, (typed, line, shown)
    for typed, names in (("volley ping -t web", ("web-one", "web-two")), ("volley task run site::", ("deploy", "never")),
                         ("volley ping -t @rerun:", ("failure", "success"))):
        line, shown = shell.tab(typed)
        assert all(name in shown for name in names), (typed, shown)
    for typed, want in run_lines(runs):
        line, shown = shell.tab(typed)
        assert line == want, (typed, line, shown)
    line, shown = shell.tab("volley run show ")
    ids = [run["id"] for run in runs]
    assert sorted(ids, key=shown.find) == ids and all(one in shown for one in ids), (ids, shown)
    assert not (b.folder / "plugin-ran").exists()


def test_bash_completes_names(b):
    """USER-F6: targets, tasks, plans, parameters, values, modules, files; no plugin runs"""
    completes(b, "bash")


def test_zsh_completes_names(b):
    """USER-F6: the same in zsh, with descriptions"""
    completes(b, "zsh")


def test_fish_completes_names(b):
    """USER-F6: the same in fish, with descriptions"""
    runs = recorded(b)
    project(b)
    for typed, want in LINES:
        found = [line.split("\t")[0] for line in fish_completions(b, typed)]
        assert found == [want.split(" ")[-2 if want.endswith(" ") else -1]], (typed, found)
    for typed, want in run_lines(runs):
        assert [line.split("\t")[0] for line in fish_completions(b, typed)] == [want.split(" ")[-2]], typed
    offered = [line.split("\t") for line in fish_completions(b, "volley run show ")]
    assert [line[0] for line in offered] == [run["id"] for run in runs], (offered, runs)
    assert offered[1][1].startswith("failed, ") and offered[1][1].endswith("plan run site::say"), offered
    assert "site::deploy\tBrings the shop to a version" in fish_completions(b, "volley task run si")
    assert fish_completions(b, "volley ping -t we")[:3] == ["web\tgroup", "web-one", "web-two"]
    assert not (b.folder / "plugin-ran").exists()


def test_completion_costs_no_time(b):
    """USER-F6: 30 ms of a processor with a thousand targets and a hundred tasks and plans, or on a slow machine three times what it
    takes with one; silent where there is nothing"""
    b.inventory("targets: [n1]\n")
    with_one = min(b.run("--complete", "words", "ping", "-t", "", cwd=b.project, project=False).cpu for _ in range(5))
    b.inventory("groups: [{name: farm, targets: [" + ", ".join(f"node{n:04}" for n in range(1000)) + "]}]\n")
    for n in range(100):
        b.task(f"t{n:03}.sh", "#!/bin/sh\n", {"description": f"Task {n}", "parameters": {"x": {"type": "Enum[a, b]"}}})
        b.write(f"project/plans/p{n:03}.pp", f"plan site::p{n:03}(TargetSpec $targets) {{\n  run_command('uptime', $targets)\n}}\n")
    allowed = max(0.03 * (10 if any(name.endswith("SAN_OPTIONS") for name in b.env) else 1), 3 * with_one)
    for words, count in ((("ping", "-t", ""), 1002), (("task", "run", "site::"), 100), (("plan", "run", "site::"), 100),
                         (("plan", "run", "site::p001", "targets="), 1002)):
        runs = [b.run("--complete", "words", *words, cwd=b.project, project=False) for _ in range(5)]
        assert len(runs[0].out.splitlines()) == 3 + count, runs[0]
        assert min(run.cpu for run in runs) < allowed, (words, [run.cpu for run in runs])
    b.inventory("config: {transport: local}\ntargets: [n1]\n")
    b.run("command", "run", "true", "-t", "n1")
    os.unlink(b.project / "bolt-debug.log")
    record = next((b.project / ".volley/runs").glob("*.run"))
    for n in range(300):
        shutil.copy(record, record.parent / f"20260101T000000{n:03}Z-a{n:07}.run")
    runs = [b.run("--complete", "words", "run", "show", "", cwd=b.project, project=False) for _ in range(5)]
    assert len(runs[0].out.splitlines()) == 103, runs[0]
    assert min(run.cpu for run in runs) < allowed, [run.cpu for run in runs]
    b.write("project/bolt-project.yaml", "name: [\n")
    run = b.run("--complete", "words", "task", "run", "", cwd=b.project, project=False)
    assert run.status == 0 and run.out == "\n\nwords\n" and run.err == "", run
    assert not os.path.exists(b.project / "bolt-debug.log")
