"""`volley console`: the functions of plans at a prompt, in a pseudo-terminal, with real targets."""
import os
import re
import signal
from pathlib import Path

from harness.patience import wait_for

PROMPT = "volley> "


def console(b, *inputs, target="all", **settings):
    """What is typed at each prompt, and what is printed after it: nothing that its echo holds."""
    answers, seen = [], [PROMPT]
    for typed, printed in inputs:
        answers.append((tuple(seen), typed + "\r"))
        seen += [printed, PROMPT]
    answers.append((tuple(seen), "\x04"))
    env = {"XDG_STATE_HOME": str(b.folder / "state"), "TERM": "xterm"}
    text, status = b.terminal("console", "-t", target, env=env, answers=answers, **settings)
    assert status == 0, text
    return text


def test_variables_results_and_errors(b):
    """USER-F9: values last from one input to the next, results are values, and a mistake ends only its input"""
    b.inventory("config: {transport: local}\ntargets: [n1, n2]\n")
    text = console(
        b, ("$r = run_command('echo it-$((40 + 2))', $targets)", "it-42"),
        ("function twice($x) { $x * 2 } twice($r.count + 17)", "38"),
        ("run_command('exit $((2 + 1))', 'n1')", "exit code 3"),
        ("1 ]", "Syntax error"), ("1 / 0", "Division by 0"), ("nobody()", "Unknown function"), (":nobody", "no ':nobody'"),
        ("parallelize($targets) |$t| { run_command('true', $t) }.map |$r| { \"on-${r.first.target.name}\" }", "on-n2"),
        ("$r.first.value['stdout'] == \"it-42\\n\"", "true"), (":help", "Ctrl-D does"))
    assert "2 targets in $targets" in text, text
    history = (b.folder / "state/volley/history").read_text().splitlines()
    assert history[0].startswith("$r = run_command") and ":help" not in history, history


def test_completion_of_names(b):
    """USER-F9: targets and groups in quotes, tasks after run_task(, plans after run_plan("""
    b.inventory("config: {transport: local}\ngroups: [{name: webservers, targets: [web-one]}]\ntargets: [database]\n")
    b.task("greet.sh", "#!/bin/sh\necho '{\"greeting\": \"hello\"}'\n")
    b.write("project/modules/bad/tasks/broken.sh", "#!/bin/sh\n")
    b.write("project/modules/bad/tasks/broken.json", "{")
    b.write("project/plans/deploy.pp", "plan site::deploy() { return 'deployed' }\n")
    console(b, ("run_command('true', 'database,web-\t').map |$r| { \"on-${r.target.name}\" }", "on-web-one"),
            ("run_task('site::gr\t', 'dat\t').first['greeting']", "hello"), ("run_plan('site::dep\t')", "deployed"),
            ("get_targets('webs\t').map |$t| { \"is-${t.name}\" }", "is-web-one"))


def test_completion_of_parameters_and_files(b):
    """Parameters of tasks and plans, the values of an Enum, files of modules and for :save"""
    b.inventory("config: {transport: local}\ntargets: [database]\n")
    b.task("greet.sh", "#!/bin/sh\nprintf '{\"said\": \"%s-%s\"}' \"$PT_greeting\" \"$PT_who\"\n", {
        "parameters": {"greeting": {"type": "Enum['goodbye', 'welcome']"}, "who": {"type": "String"}}})
    b.write("project/plans/deploy.pp", "plan site::deploy(Enum['quick', 'slow'] $speed) { return \"at-${speed}\" }\n")
    b.write("project/files/hello.sh", "#!/bin/sh\necho from-a-file\n", 0o755)
    (b.project / "plans/sub").mkdir()
    console(b, ("run_task('site::greet', 'database', 'gr\t' => 'wel\t', 'wh\t' => 'me').first['said']", "welcome-me"),
            ("run_plan('site::deploy', 'sp\t' => 'sl\t')", "at-slow"),
            ("run_script('site/he\t', $targets).first['stdout'].strip", "from-a-file"),
            (f":save {b.project}/plans/su\tmine.pp", "Saved plan 'site::sub::mine'"))


def test_save(b):
    """USER-F9: what went well becomes a plan that runs with the targets of its command line"""
    b.inventory("config: {transport: local}\ntargets: [n1, n2]\n")
    plans = b.project / "plans"
    plans.mkdir(exist_ok=True)
    (b.folder / "there.pp").write_text("mine")
    text = console(
        b, (f"$done = run_command('echo to >>{b.folder}/log; echo it-$((40 + 2))', $targets)", "it-42"),
        ("1 / 0", "Division by 0"), ("function f() { 1 } \"f-${f()}\"", "f-1"), ("out::message(\"on-${$done.count}\")", "on-2"),
        (f":save {b.folder}/there.pp", "is there already"), (f":save {plans}/Nope.pp", "not a plan's name"),
        (":save x", "ends in .pp"), (f":save {b.folder}/no/folder.pp", "No such file or directory"), (f":save {plans}/deploy.pp", "Saved plan 'site::deploy'"))
    assert "cannot hold" in text, text
    assert (b.folder / "there.pp").read_text() == "mine"
    (b.folder / "log").unlink()
    run = b.run("plan", "run", "site::deploy", "-t", "n2")
    assert run.status == 0 and "on-1" in run.out, (run, (plans / "deploy.pp").read_text())
    listed = b.run("run", "list")
    assert "console" in listed.out and "plan run site::deploy" in listed.out, listed
    assert (b.folder / "log").read_text() == "to\n"


def test_sessions_stay_and_ctrl_c_ends_only_what_runs(b):
    """USER-F9: one login for all inputs; Ctrl-C stops the command on the target, and the console goes on"""
    farm = b.farm(1)
    begun, stopped = b.folder / "begun", []

    def interrupt(_, pid):
        if stopped or not begun.exists():
            return
        wait_for(lambda: begun.read_text().strip(), "the number of the shell")
        stopped.append(begun.read_text().strip())
        os.kill(pid, signal.SIGINT)
    text = console(
        b, ("run_command('echo it-$((40 + 1))', $targets)", "it-41"), ("run_command('echo it-$((40 + 2))', $targets)", "it-42"),
        (f"run_command('echo $$ >{begun}; exec sleep 600', $targets)", "was interrupted"),
        ("run_command('echo it-$((40 + 3))', $targets)", "it-43"), target="farm", on_text=interrupt)
    wait_for(lambda: not os.path.exists(f"/proc/{stopped[0]}"), "the end of the command")
    logins = sum(log.read_text().count("Accepted publickey") for log in farm.glob("sshd-*.log"))
    assert logins == 2, f"{logins} logins, one after Ctrl-C: {text}"


def test_what_the_page_types(b):
    """docs/console.md: its inputs, as they are"""
    page = (Path(__file__).resolve().parents[2] / "docs" / "console.md").read_text()
    typed = re.findall(r"^ {4}volley> (.*)$", page, re.M)
    b.inventory("config: {transport: local}\ngroups: [{name: web, targets: [w1, w2]}]\n")
    (b.project / "plans").mkdir(exist_ok=True)
    assert typed.pop() == "quit" and len(typed) == 3, typed
    typed[2] = typed[2].replace("plans/", f"{b.project}/plans/")
    console(b, (typed[0], "%"), (typed[1], "% full"), (typed[2], "Saved plan 'site::clean'"), target="web")
    assert "df --output=pcent" in (b.project / "plans/clean.pp").read_text()


def test_without_a_terminal(b):
    """USER-F9: one line that names the way for files"""
    run = b.run("console", stdin=b"1 + 1\n")
    assert run.status == 1 and "needs a terminal" in run.out and "plan run" in run.out, run
