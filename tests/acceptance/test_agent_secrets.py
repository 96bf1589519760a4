"""What is Sensitive in a catalog is shown by no message, report or state of the agent."""
import json
import subprocess

from apply.compare import agent_beside
from harness.bench import Skip

SECRET = "Xyzzy-4711"


def sensitive(text):
    return {"__ptype": "Sensitive", "__pvalue": text}


def lines_of(b, kind, title, parameters, *options):
    """What the agent prints of one resource, after the secret has been looked for in everything that it wrote."""
    agent = agent_beside(b.volley)
    if not agent.exists():
        raise Skip(f"{agent} is not built")
    resource = {"type": kind, "title": title, "tags": [kind.lower()], "parameters": parameters}
    other = {"type": "Notify", "title": "n", "tags": ["notify"], "parameters": {}}
    catalog = b.write("catalog.json", json.dumps({"name": "n", "version": "1", "environment": "production", "resources": [other, resource], "edges": []}))
    report, state = b.folder / "report.json", b.folder / "state"
    done = subprocess.run([str(agent), "apply", "--catalog", str(catalog), "--report", str(report), "--state", str(state), "--log-level", "debug",
                           "--show-diff", *options], capture_output=True, text=True, timeout=120)
    assert report.exists() and SECRET not in done.stdout + done.stderr, done
    for path in (report, *state.rglob("*")):
        assert not path.is_file() or SECRET not in path.read_text(), (path, done)
    report.unlink()
    return done.stdout


def test_an_exec_shows_nothing_of_what_is_sensitive(b):
    """issue 13: Sensitive values never reach a log, whatever goes wrong with them"""
    true, whole = "/bin/true", sensitive(SECRET)
    table = {
        "an entry without a value": ({"command": true, "environment": whole}, "Invalid environment setting '[redacted]'"),
        "a name twice": ({"command": true, "environment": ["A=1", sensitive(f"A={SECRET}")]}, "Overriding environment setting 'A' with '[redacted]'"),
        "output that repeats a variable": ({"command": '/bin/sh -c "echo $A; exit 1"', "environment": sensitive(f"A={SECRET}")}, "[output redacted]"),
        "a check that takes too long": ({"command": true, "unless": sensitive(f'/bin/sh -c "sleep 30; : {SECRET}"'), "timeout": 0.2},
                                        "Check [redacted] exceeded timeout"),
        "a command that a shell does not find": ({"command": sensitive(f"{SECRET} -x"), "provider": "shell"}, "[output redacted]"),
        "a program that is not there": ({"command": sensitive(f"/no/{SECRET} -x")}, "Could not find command '[redacted]'"),
        "a program without a path": ({"command": whole}, "'[redacted]' is not qualified"),
        "a refresh that is not there": ({"command": true, "refresh": sensitive(f"/no/{SECRET}"), "subscribe": "Notify[n]"},
                                        "Could not find command '[redacted]'"),
        "a folder that is not there": ({"command": true, "cwd": sensitive(f"/no/{SECRET}")}, "Working directory [redacted]"),
        "a umask": ({"command": true, "umask": whole}, "The umask specification is invalid: [redacted]"),
        "a number that is not valid": ({"command": true, "timeout": whole}, "Munging failed for value [redacted]"),
        "a word that is not valid": ({"command": true, "logoutput": whole}, 'Invalid value "[redacted]"'),
    }
    for name, (parameters, says) in table.items():
        printed = lines_of(b, "Exec", "e", parameters)
        assert says in printed, (name, printed)


def test_tools_and_checks_that_repeat_a_secret_show_nothing_of_it(b):
    """issue 13: Sensitive values of other types, too"""
    file = b.write("f", "old\n")
    table = {
        "a check of content": ("File", {"path": str(file), "content": sensitive(f"{SECRET}\n"), "validate_cmd": '/bin/sh -c "cat %; exit 1"'},
                               "returned 1: [output redacted]"),
        "a value that a type refuses": ("File", {"path": str(file), "mode": sensitive(SECRET)}, "[redacted]"),
        "arguments of a tool": ("Service", {"ensure": "running", "provider": "base", "status": "/bin/false", "start": sensitive(f"/no/{SECRET}")},
                                "Execution of '[redacted]' returned 127"),
    }
    for name, (kind, parameters, says) in table.items():
        printed = lines_of(b, kind, "s", parameters)
        assert says in printed, (name, printed)
    assert (b.folder / "f").read_text() == "old\n"


def test_the_first_audit_of_a_secret_does_not_log_it(b):
    """issue 13: what is found in place of a Sensitive value is as secret as that"""
    (b.folder / "l").symlink_to(SECRET)
    printed = lines_of(b, "File", "l", {"path": str(b.folder / "l"), "ensure": "link", "target": sensitive("elsewhere"), "audit": "target"}, "--noop")
    assert "newly-recorded value [redacted]" in printed, printed
