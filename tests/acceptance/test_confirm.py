"""Confirmation before many targets: the setting confirm-targets, --yes, terminals and pipes (USER-F)."""
import json

QUESTION = "? [y/N] "


def fleet(b, *settings, count=12):
    """That many targets of this machine, and settings of the project."""
    b.inventory("config: {transport: local}\ntargets: [" + ", ".join(f"t{n:02}" for n in range(1, count + 1)) + "]\n")
    b.write("project/bolt-project.yaml", "name: site\n" + "".join(f"{line}\n" for line in settings))
    mark = b.folder / "ran"
    mark.unlink(missing_ok=True)
    return mark


def test_a_command_on_many_targets_is_asked_about(b):
    """The folded names, no by default, y and yes; few targets, --yes and the absence of the setting ask nothing"""
    mark = fleet(b, "confirm-targets: 11")
    words = ("command", "run", f"touch {mark}", "-t", "all")
    text, status = b.terminal(*words, answers=[(QUESTION, "\n")])
    assert status == 1 and "not confirmed" in text and not mark.exists(), text
    assert f"Run command 'touch {mark}' on 12 targets: t[01-12]" in text.replace("\r\n", ""), text
    text, status = b.terminal(*words, answers=[(QUESTION, "no way\n")])
    assert status == 1 and not mark.exists(), text
    for answer in ("y\n", "Yes\n"):
        mark = fleet(b, "confirm-targets: 11")
        text, status = b.terminal(*words, answers=[(QUESTION, answer)])
        assert status == 0 and mark.exists(), text
    for more in (("--yes",), ("--exclude", "t01"), ("--dry-run",)):
        text, status = b.terminal(*words, *more)
        assert status == 0 and QUESTION not in text, text
    fleet(b)
    text, status = b.terminal(*words)
    assert status == 0 and QUESTION not in text, text


def test_the_other_verbs_ask_too(b):
    """Scripts, tasks, uploads, applies and plans; what changes nothing does not"""
    mark = fleet(b, "confirm-targets: 2")
    script = b.write("s.sh", "#!/bin/sh\n", 0o755)
    b.task("t.sh", "#!/bin/sh\n", {"supports_noop": True})
    b.write("project/plans/p.pp", "plan site::p(TargetSpec $targets, TargetSpec $more = []) { run_command('true', $targets) }\n")
    b.write("site.pp", "notify { 'a': }\n")
    asks = (("script", "run", script), ("task", "run", "site::t"), ("file", "upload", script, mark),
            ("apply", b.folder / "site.pp"), ("plan", "run", "site::p"))
    for words in asks:
        text, status = b.terminal(*words, "-t", "all", answers=[(QUESTION, "n\n")])
        assert status == 1 and text.count(QUESTION) == 1 and "12 targets: t[01-12]" in text.replace("\r\n", ""), text
    text, status = b.terminal("plan", "run", "site::p", "targets=t01,t02", "more=t02,t03", answers=[(QUESTION, "n\n")])
    assert status == 1 and "3 targets: t[01-03]" in text, text
    text, status = b.terminal("plan", "run", "site::p", "targets=t01,t02", "more=t02")
    assert status == 0 and QUESTION not in text, text
    b.write("project/plans/q.pp", "plan site::q(TargetSpec $nodes = ['t01', 't02', 't03,t04']) { run_command('true', $nodes) }\n")
    b.write("project/plans/r.yaml", "parameters:\n  nodes: {type: TargetSpec, default: all}\nsteps:\n  - {command: 'true', targets: $nodes}\n")
    for plan, targets in (("site::q", "4 targets: t[01-04]"), ("site::r", "12 targets: t[01-12]")):
        text, status = b.terminal("plan", "run", plan, answers=[(QUESTION, "n\n")])
        assert status == 1 and targets in text.replace("\r\n", ""), text
    for words in (("ping",), ("task", "run", "site::t", "--noop"), ("plan", "run", "site::p", "--yes")):
        text, status = b.terminal(*words, "-t", "all")
        assert status == 0 and QUESTION not in text, text
    assert not mark.exists()


def test_without_a_terminal(b):
    """Off in pipes unless a setting asks for it: then one line that names --yes, and nothing runs"""
    mark = fleet(b, "confirm-targets: 11")
    words = ("command", "run", f"touch {mark}", "-t", "all")
    run = b.run(*words)
    assert run.status == 0 and mark.exists() and QUESTION not in run.err, run
    mark = fleet(b, "confirm-targets: 11", "confirm-without-terminal: true")
    b.refused(*words, says="add --yes to confirm")
    assert not mark.exists()
    run = b.run(*words, "--yes")
    assert run.status == 0 and mark.exists(), run
    b.write("project/bolt-project.yaml", "name: site\nconfirm-targets: 0\n")
    b.refused(*words, says="confirm-targets")


def test_ones_own_defaults(b):
    """bolt-defaults.yaml in the home folder has defaults of options; the project and the command line win over it"""
    fleet(b)
    b.write("home/.puppetlabs/etc/bolt/bolt-defaults.yaml",
            "group: on\nmax-failures: 1\nbatch: 1\ntimeout: 100\nconfirm-targets: 11\nlive: false\nverbose: true\n")
    words = ("command", "run", "echo same", "-t", "all")
    text, status = b.terminal(*words, answers=[(QUESTION, "y\n")])
    assert status == 0 and "t[01-12]" in text and text.count("  same") == 1, text
    assert b.run(*words, "--group", "off").out.count("same") == 12
    failing = ("command", "run", "exit 1", "-t", "all", "--format", "json")
    statuses = [one["status"] for one in b.run(*failing).json["items"]]
    assert statuses.count("failure") == 1 and statuses.count("not_started") == 11, statuses
    statuses = [one["status"] for one in b.run(*failing, "--max-failures", "12").json["items"]]
    assert statuses.count("failure") == 12, statuses
    fleet(b, "max-failures: '50%'")
    statuses = [one["status"] for one in b.run(*failing).json["items"]]
    assert statuses.count("failure") == 6, statuses
    fleet(b, "max-failures: half")
    b.refused(*failing, says="max-failures")
    fleet(b, "group: maybe")
    b.refused(*words, says="group")
    fleet(b, "verbose: false", "group: off")
    assert "same" not in b.run(*words).out and "same" in b.run(*words, "--verbose").out
    schema = json.loads(b.run("help", "--schema", "defaults", project=False).out)
    assert {"batch", "group", "live", "max-failures", "timeout", "verbose", "confirm-targets"} <= set(schema["properties"])
