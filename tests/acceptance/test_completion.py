"""Names of the project are completed in bash, zsh and fish (USER-F6)."""
import os

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


def completes(b, name):
    project(b)
    shell = Shell(b, name)
    for typed, want in LINES:
        line, shown = shell.tab(typed)
        assert line == want, (typed, line, shown)
    for typed, names in (("volley ping -t web", ("web-one", "web-two")), ("volley task run site::", ("deploy", "never")),
                         ("volley ping -t @rerun:", ("failure", "success"))):
        line, shown = shell.tab(typed)
        assert all(name in shown for name in names), (typed, shown)
    assert not (b.folder / "plugin-ran").exists()


def test_bash_completes_names(b):
    """USER-F6: targets, tasks, plans, parameters, values, modules, files; no plugin runs"""
    completes(b, "bash")


def test_zsh_completes_names(b):
    """USER-F6: the same in zsh, with descriptions"""
    completes(b, "zsh")


def test_fish_completes_names(b):
    """USER-F6: the same in fish, with descriptions"""
    project(b)
    for typed, want in LINES:
        found = [line.split("\t")[0] for line in fish_completions(b, typed)]
        assert found == [want.split(" ")[-2 if want.endswith(" ") else -1]], (typed, found)
    assert "site::deploy\tBrings the shop to a version" in fish_completions(b, "volley task run si")
    assert fish_completions(b, "volley ping -t we")[:3] == ["web\tgroup", "web-one", "web-two"]
    assert not (b.folder / "plugin-ran").exists()


def test_completion_costs_no_time(b):
    """USER-F6: 30 ms of a processor with a thousand targets and a hundred tasks and plans; silent where there is nothing"""
    b.inventory("groups: [{name: farm, targets: [" + ", ".join(f"node{n:04}" for n in range(1000)) + "]}]\n")
    for n in range(100):
        b.task(f"t{n:03}.sh", "#!/bin/sh\n", {"description": f"Task {n}", "parameters": {"x": {"type": "Enum[a, b]"}}})
        b.write(f"project/plans/p{n:03}.pp", f"plan site::p{n:03}(TargetSpec $targets) {{\n  run_command('uptime', $targets)\n}}\n")
    allowed = 0.03 * (10 if any(name.endswith("SAN_OPTIONS") for name in b.env) else 1)
    for words, count in ((("ping", "-t", ""), 1002), (("task", "run", "site::"), 100), (("plan", "run", "site::"), 100),
                         (("plan", "run", "site::p001", "targets="), 1002)):
        runs = [b.run("--complete", "words", *words, cwd=b.project, project=False) for _ in range(5)]
        assert len(runs[0].out.splitlines()) == 3 + count, runs[0]
        assert min(run.cpu for run in runs) < allowed, (words, [run.cpu for run in runs])
    b.write("project/bolt-project.yaml", "name: [\n")
    run = b.run("--complete", "words", "task", "run", "", cwd=b.project, project=False)
    assert run.status == 0 and run.out == "\n\nwords\n" and run.err == "", run
    assert not os.path.exists(b.project / "bolt-debug.log")
