"""What people see when names are mistyped, many targets fail, or something looks right and is not."""
import json
import re
import subprocess


from harness.lab import free_port
from harness.shells import bash_completions


def local(b, *names, extra=""):
    b.inventory("config: {transport: local}\ntargets: [" + ", ".join(names) + "]\n" + extra)


def test_operators_without_a_meaning_are_refused_before_anything_runs(b):
    """USER-A2: an operator of another program takes nobody away, so nothing runs, in no verb and not in plans"""
    local(b, "web1", "web2", "web3")
    mark = b.folder / "ran"
    b.write("project/plans/p.pp", "plan site::p(TargetSpec $t) { return run_command('touch " + str(mark) + "', $t) }\n")
    b.write("project/plans/y.yaml", f"steps:\n  - command: touch {mark}\n    targets: ['web*', '^web1']\n")
    b.task("t.sh", f"touch {mark}\n")
    b.write("project/list", "web*\n~web1\n")
    for targets in ("web*,^web1", "all,~web1", "all,+web*", "all,ssh://!web1",
                    "all,root@-web1", f"@{b.project}/list", "!web1"):
        for words in (("command", "run", f"touch {mark}"), ("task", "run", "site::t"), ("inventory", "show"),
                      ("file", "upload", "/etc/hostname", mark)):
            run = b.run(*words, f"--targets={targets}")
            assert run.status == 1 and "is not a target" in run.out and not mark.exists(), (targets, run)
    for words in (("plan", "run", "site::p", "t=web*,^web1"), ("plan", "run", "site::y"),
                  ("plan", "run", "site::p", "--params", '{"t": ["all", "~web1"]}')):
        run = b.run(*words, "--format", "json")
        assert run.status == 1 and "is not a target" in run.json["msg"] and not mark.exists(), run
        assert run.json["kind"] == "bolt.inventory/validation-error", run
    assert b.run("command", "run", "true", "-t", "web*").status == 0
    for targets in ("all,!no*", "all,!wbe", "all,&wbe"):
        run = b.run("command", "run", f"touch {mark}", "-t", targets)
        assert run.status == 1 and ("Found 0 targets" in run.out or "is not in inventory.yaml" in run.out) and not mark.exists(), run


def test_a_mistyped_name_is_reported_with_a_suggestion(b):
    """USER-A3: the failure of a name that the inventory does not have names it, and the one that was meant"""
    b.inventory("groups:\n  - name: web\n    targets: [web1, web2]\nconfig: {ssh: {connect-timeout: 30}}\n")
    for name, meant in (("wbe", "the group 'web'"), ("web9", "the group 'web'"), ("root@wbe2", "the target 'web2'")):
        run = b.run("command", "run", "true", "-t", name, "--format", "json", "--allow-adhoc")
        host = name.rsplit("@")[-1]
        assert f"'{host}' is not in inventory.yaml; did you mean {meant}?" in run.error()["msg"], run
        assert run.error()["kind"] == "puppetlabs.tasks/connect-error", run
    run = b.run("command", "run", "true", "-t", "web1", "--format", "json")
    assert run.status == 1 and "is not in" not in run.error()["msg"], run
    b.inventory("")
    assert "is not in" not in b.run("command", "run", "true", "-t", "wbe.invalid").out


def test_targets_outside_of_the_inventory_can_be_refused(b):
    """USER-A3: by a setting of the project or an option, before anything runs"""
    local(b, "web1", "web2", extra="groups: [{name: web, targets: [web1]}]\n")
    mark = b.folder / "ran"
    words = ("command", "run", f"touch {mark}", "-t", "web1,wbe")
    run = b.run(*words, "--no-adhoc-targets")
    assert run.status == 1 and "'wbe' is not in inventory.yaml; did you mean the group 'web'?" in run.out, run
    assert "Started" not in run.out and not mark.exists(), run
    b.write("project/bolt-project.yaml", "name: site\nadhoc-targets: false\n")
    assert "'wbe' is not in" in b.run(*words).out and not mark.exists()
    b.write("project/plans/p.pp", "plan site::p() { return get_target('wbe').name }\n")
    assert b.run("plan", "run", "site::p", "--format", "json").json["kind"] == "bolt.inventory/validation-error"
    assert b.run("command", "run", "true", "-t", "web,localhost").status == 0
    assert b.run("inventory", "show", "-t", "wbe", "--adhoc-targets").status == 0


def test_plan_check_finds_targets_that_nobody_knows_and_groups_of_no_match(b):
    """USER-A3, USER-A1: default targets, arguments and steps; $5 in double quotes outside of a match"""
    local(b, "web1", "web2", extra="groups: [{name: web, targets: [web1]}]\n")
    b.write("project/plans/disks.pp", """plan site::disks(TargetSpec $targets = 'wbe', TargetSpec $other = ['web', 'web1']) {
  $mistyped = ['web1', 'web3']
  run_command("df -P / | tail -n 1 | awk '{print $5+0}'", $mistyped)
  run_command("awk '{print \\$5}'", $targets)
  if 'a1' =~ /a(\\d)/ { out::message("found $1") }
  return run_command('id', 'localhost,10.0.0.1')
}
""")
    b.write("project/plans/yaml.yaml", "parameters: {targets: {type: TargetSpec, default: wbe}}\nsteps:\n"
            "  - command: \"df | awk '{print $5}'\"\n    targets: 'all,^web1,!web2'\n  - command: 'echo $5'\n    targets: $targets\n")
    run = b.run("plan", "check", "--format", "json")
    assert run.status == 0 and all(one["level"] == "warning" for one in run.json), run
    disks = [(one["line"], one["message"]) for one in run.json if one["file"].endswith("disks.pp")]
    rest = [one["message"] for one in run.json if one["file"].endswith("yaml.yaml")]
    assert any(line == 1 and "'wbe' is not in inventory.yaml; did you mean the group 'web'?" in text for line, text in disks), run
    assert any("'web3' is not in" in text for _, text in disks), run
    assert [line for line, text in disks if "is a group of a regular expression" in text] == [3], run
    assert any("'wbe' is not in" in text for text in rest) and any("'^web1' is not a target" in text for text in rest), run
    assert sum("'$5' is a group" in text for text in rest) == 1, run


def test_validate_finds_groups_of_no_match(b):
    """USER-A1: in manifests, plans in both languages and templates; nothing where something matched"""
    b.write("m/a.pp", "$x = \"awk '{print $5}'\"\nif 'a' =~ /(a)/ { notice(\"$1\") }\n")
    b.write("m/t.epp", "<%= \"$1\" %>\n")
    b.write("m/plans/y.yaml", "steps:\n  - command: \"awk '{print $2}'\"\n    targets: localhost\n")
    b.write("m/plans/z.pp", "plan x::z() { return \"$1\" }\n")
    files = [b.folder / "m" / name for name in ("a.pp", "t.epp", "plans/y.yaml", "plans/z.pp")]
    run = b.run("validate", *files, "--format", "json", project=False)
    found = [(one["file"].rsplit("/", 1)[-1], one["line"], one["severity"]) for one in run.json if one["issue"] == "UNMATCHED_GROUP"]
    assert run.status == 0 and sorted(found) == [("a.pp", 1, "warning"), ("t.epp", 1, "warning"), ("y.yaml", 2, "warning"),
                                                 ("z.pp", 1, "warning")], run


def test_failures_are_shown_whatever_else_is_left_out(b):
    """USER-B1: with --no-verbose, and with --stream, which greets nobody"""
    local(b, "web1", f"{{name: gone, uri: 'ssh://root@127.0.16.1:{free_port()}'}}")
    for words in (["--no-verbose"], ["--stream", "--no-verbose"], ["--stream"]):
        run = b.run("command", "run", "echo x; exit 3", "-t", "all", *words)
        assert "Failed on web1:\n  The command failed with exit code 3" in run.out and "Connection refused" in run.out, run
        assert run.err == "" and run.out.count("x\n") == (2 if words == ["--stream"] else 1), run
    assert b.run("command", "run", "echo x", "-t", "web1", "--no-verbose").out.startswith("Successful on 1 target")
    b.task("t.sh", "exit 4\n")
    assert "The task failed with exit code 4" in b.run("task", "run", "site::t", "-t", "web1", "--no-verbose").out


def test_what_a_failed_task_says_on_stderr_is_kept(b):
    """USER-B2: on the screen and in the JSON, also when it printed something on stdout"""
    b.task("t.sh", "echo some progress; echo oops >&2; exit 4\n")
    b.task("own.sh", "echo oops >&2; echo '{\"_error\": {\"msg\": \"mine\", \"kind\": \"a/b\"}}'\n")
    run = b.run("task", "run", "site::t", "-t", "localhost")
    assert "  The task failed with exit code 4\n  stderr:\n    oops\n  some progress\n" in run.out, run
    error = b.run("task", "run", "site::t", "-t", "localhost", "--format", "json").error()
    assert error["details"]["exit_code"] == 4 and error["details"]["_stderr"] == "oops\n", error
    assert error["msg"] == "The task failed with exit code 4", error
    own = b.run("task", "run", "site::own", "-t", "localhost", "--format", "json").error()
    assert own["msg"] == "mine" and own["kind"] == "a/b" and own["details"]["_stderr"] == "oops\n", own
    assert "oops" in b.run("task", "run", "site::own", "-t", "localhost").out
    b.write("project/plans/p.pp", "plan site::p() { return run_task('site::own', 'localhost', '_catch_errors' => true)"
            ".first.error.details['file'].basename }\n")
    b.task("only.sh", "echo oops >&2; exit 1\n")
    only = b.run("task", "run", "site::only", "-t", "localhost", "--format", "json").error()
    assert "oops" in only["msg"] and "_stderr" not in only["details"], only


def test_many_targets_are_readable_in_a_pipe(b):
    """USER-B4: failures grouped by what they say, names folded, one line for those that start; JSON has everything"""
    gone = free_port()
    names = [f"{{name: node{n:03}, uri: 'ssh://root@127.0.16.{n}:{gone}'}}" if 3 <= n <= 9 else f"node{n:03}" for n in range(1, 41)]
    local(b, *names)
    run = b.run("command", "run", "echo 'E: disk full on /var' >&2; exit 2", "-t", "all", "--no-verbose")
    assert "Started on" not in run.out and "\x1b" not in run.out, run
    assert ("Failures by error\n  The command failed with exit code 2\n  E: disk full on /var\n"
            "    33 targets: node[001-002,010-040]\n") in run.out, run
    refused = re.search(r"\n  (.*Connection refused.*)\n    7 targets: node\[003-009\]\n", run.out)
    assert refused and "127.0.16.*" in refused[1], run
    assert "\nFailed on 40 targets: node[001-040]\nRan on 40 targets" in run.out, run
    verbose = b.run("command", "run", "true", "-t", "all")
    assert verbose.out.startswith("Starting on 40 targets: node[001-040]\n") and "Started on" not in verbose.out, verbose
    assert "Successful on 33 targets: node[001-002,010-040]\n" in verbose.out, verbose
    document = b.run("command", "run", "true", "-t", "all", "--format", "json").json
    assert sorted(one["target"] for one in document["items"]) == [f"node{n:03}" for n in range(1, 41)]
    few = b.run("command", "run", "exit 2", "-t", ",".join(f"node{n:03}" for n in range(10, 15)))
    assert few.out.count("Started on") == 5 and "Failures by error" not in few.out, few
    assert "Failed on 5 targets: node010,node011,node012,node013,node014\n" in few.out, few


def test_the_status_line_names_who_is_running(b):
    """USER-B4"""
    local(b, "quick", "slow")
    go = b.folder / "go"

    def seen(text, _pid):
        if b"1 of 2 done, 1 running (slow)" in text:
            go.touch()
    b.inventory(f"""config: {{transport: local}}
targets:
  - quick
  - {{name: slow, config: {{local: {{tmpdir: {b.folder}}}}}}}
""")
    b.task("t.sh", f'case $PT__installdir in {b.folder}/*) while [ ! -e {go} ]; do sleep 0.05; done ;; esac; echo done\n',
           {"files": ["site/files/x"]})
    b.write("project/files/x", "x")
    text, status = b.terminal("task", "run", "site::t", "-t", "all", on_text=seen)
    assert status == 0 and "1 of 2 done, 1 running (slow), 0 failed" in text, text


def test_cli_overrides_comes_only_when_it_is_true(b):
    """USER-B6, OPT-049: it names the option, the target and where the other value stands"""
    b.ssh_inventory()
    quiet = b.run("command", "run", "true", "-t", "web", "--tmpdir", "/tmp", "--connect-timeout", "60", "--user", b.me)
    assert quiet.status == 0 and quiet.err == "", quiet
    answered = b.run("command", "run", "true", "-t", "web", "--user", "nobody-at-all")
    assert re.search(r"--user nobody-at-all is not used for web: \S*inventory.yaml:\d+:\d+ says " + b.me + r" \[ID: cli_overrides\]",
                     answered.err), answered
    b.write("project/plans/p.pp", "plan site::p() { return run_command('true', 'web').ok }\n")
    assert "is not used for web" in b.run("plan", "run", "site::p", "--user", "nobody-at-all").err


def test_underscores_and_numbers_as_optparse_reads_them(b):
    """BOLT-7"""
    run = b.run("command", "run", "echo $A", "-t", "localhost", "--env_var", "A=1", "--no-host_key_check", "--run_as", b.me,
                "--concurrency", "0x10", "--format", "json")
    assert run.status == 0 and run.value()["stdout"] == "1\n", run
    for number in ("1_0", "010", "0b11", "+5"):
        assert b.run("command", "run", "true", "-t", "localhost", "-c", number).status == 0, number
    for number in ("1__0", "_1", "0x", "09", "ten", "-"):
        assert b.run("command", "run", "true", "-t", "localhost", "-c", number).status == 1, number
    assert "Unknown argument" in b.run("command", "run", "true", "-t", "localhost", "--run_sa", "x").out


def test_help_of_what_is_mistyped(b):
    """USER-D.4: unknown words, missing words and transports that are not there"""
    run = b.run("help", "comand", project=False)
    assert run.status == 1 and "Did you mean 'command'?" in run.out, run
    run = b.run("help", "command", "foo", project=False)
    assert run.status == 1 and "Expected action 'foo' to be one of run" in run.out, run
    run = b.run("command", "run", "-t", "localhost")
    assert run.status == 1 and "Must specify a command to run\nUsage: volley command run <command>" in run.out, run
    run = b.run("command", "run", "true", "-t", "localhost", "--transport", "pcp")
    assert run.status == 1 and ": pcp (one of" in run.out and "ssh" in run.out and "Started" not in run.out, run
    assert "--choria" not in b.run("help", "--markdown", project=False).out


def test_options_of_a_script_are_explained(b):
    """USER-D.9"""
    b.write("x.py", "#!/usr/bin/env python3\nimport sys\nprint(sys.argv[1:])\n")
    run = b.run("script", "run", "x.py", "--older-than", "7", "-t", "localhost")
    assert run.status == 1 and "put '--' before" in run.out, run
    assert "quotes" in b.run("command", "run", "ls", "--almost-all", "-t", "localhost").out
    assert b.run("script", "run", "x.py", "-t", "localhost", "--", "--older-than", "7").status == 0


def test_slips_in_configuration_files_are_reported_once(b):
    """USER-D.5: unknown keys once, repeated keys, folders and modules that are mistyped, unknown words of ssh_config"""
    b.inventory("targts: [x]\nconfig:\n  transport: local\n  transport: local\ntargets: [{name: a, ur: b}]\n")
    b.write("project/bolt-project.yaml", "name: site\nmodulepath: [nosuchdir]\nmodules: [{nam: x}]\n")
    run = b.run("command", "run", "true", "-t", "a")
    assert run.status == 0 and run.err.count("targts") == 1 and len(re.findall(r"\bur\b", run.err)) == 1, run
    assert re.search(r"The key 'transport' at \S*inventory.yaml:4:3 was set before, in line 3", run.err), run
    assert "nosuchdir" in run.err and "'nam'" in run.err and "Did you mean 'name'" in run.err, run
    assert b.run("group", "show").err.count("nosuchdir") == 1
    b.ssh_inventory()
    (b.home / ".ssh" / "config").write_text("IgnoreUnknown Odd*\nOddThing yes\nHost web\n")
    assert b.run("command", "run", "true", "-t", "web").status == 0
    (b.home / ".ssh" / "config").write_text("Host web\n  StrictHostKeyCheking no\n")
    run = b.run("command", "run", "true", "-t", "web")
    assert run.status == 1 and "config:2" in run.out and "stricthostkeychecking" in run.out.lower(), run


def test_lists_leave_nothing_out(b):
    """USER-D.8: order of the file, sensitive parameters, everything that a plan does"""
    b.inventory("config: {transport: local}\ntargets: [z, {name: m}, {name: a, alias: first}, k]\n"
                "groups: [{name: web, targets: [k, a]}]\n")
    assert b.run("inventory", "show", "--format", "json").json["targets"] == ["z", "m", "a", "k"]
    assert b.run("inventory", "show", "-t", "web", "--format", "json").json["targets"] == ["k", "a"]
    shown = b.run("inventory", "show").out
    assert re.search(r"^  a +groups: web; alias: first$", shown, re.M) and re.search(r"^  z$", shown, re.M), shown
    b.task("t.sh", "true\n", {"parameters": {"pin": {"type": "String", "sensitive": True}, "n": {"type": "String"}}})
    text = b.run("task", "show", "site::t").out
    assert re.search(r"pin +String, sensitive$", text, re.M) and not re.search(r"n +String, sensitive", text.replace("pin", "")), text
    b.write("project/plans/p.pp", """plan site::p(TargetSpec $t) {
  run_command('uptime', $t)
  upload_file('site/x', '/tmp/x', $t)
  apply($t) { notify { 'x': } }
  run_plan('site::q', 't' => $t)
}
""")
    b.write("project/plans/q.yaml", "parameters: {t: {}}\nsteps:\n  - script: site/x.sh\n    targets: $t\n")
    text = b.run("plan", "graph", "site::p").out
    assert text == ("plan site::p\n  command uptime\n  upload site/x -> /tmp/x\n  apply\n  plan site::q\n"
                    "plan site::q\n  script site/x.sh\n"), text
    entry = b.run("plan", "graph", "site::p", "--format", "json").json[0]
    assert entry["plans"] == ["site::q"] and [step["line"] for step in entry["steps"]] == [2, 3, 4, 5], entry
    dot = b.run("plan", "graph", "site::p", "--dot").out
    assert dot.startswith("digraph plans {") and '"site::p" -> "site::q";' in dot and "command uptime\\l" in dot, dot


def test_completions_know_files_from_names(b):
    """USER-D.3: static parts; options that take files, verbs that take none, help's topics, --completions alone"""
    b.write("here/report.html", "x")

    def complete(line):
        return bash_completions(b, line, cwd=b.folder / "here")

    for option in ("--report", "--plan-log", "--resume", "--facts", "--vars"):
        verb = "plan run x" if option != "--vars" else "catalog compile"
        assert complete(f"volley {verb} {option} rep") == ["report.html"], option
    assert "report.html" not in complete("volley task run ") and complete("volley plan run rep") == []
    assert complete("volley apply rep") == ["report.html"] == complete("volley script run rep")
    assert complete("volley command run @rep") == ["@report.html"]
    transports = complete("volley ping --transport ")
    assert {"choria", "winrm"} <= set(transports) and "pcp" not in transports, transports
    assert "apply" in complete("volley help ") and complete("volley help task ") == ["show", "run"]
    run = b.run("--completions", project=False)
    assert run.status == 1 and "bash, zsh or fish" in run.out, run


def test_guides_are_the_pages_of_docs(b):
    """USER-C7: topics for plans, tasks, apply, Hiera, plugins and ssh; documentation that an installed user has"""
    topics = b.run("guide", "--format", "json").json["topics"]
    for topic, word in (("plans", "run_command('uptime', $targets)"), ("tasks", "input_method"), ("apply", "apply_prep"),
                        ("hiera", "lookup_options"), ("plugins", "target_mapping"), ("ssh", "proxyjump")):
        text = b.run("guide", topic).out
        assert topic in topics and word in text and "](" not in text and "|---|" not in text, (topic, text)
    for words in (("plan", "run"), ("task", "run"), ("apply",), ("lookup",), ("plugin", "show")):
        named = re.search(r"'volley guide (\w+)'", b.run("help", *words, project=False).out)
        assert named and named[1] in topics and named[1] != "module", words


def test_events_of_parallel_steps_are_distinguishable(b):
    """USER-C7: started, output and result carry the number of their step"""
    local(b, "a", "b")
    b.write("project/plans/p.pp", "plan site::p() { parallelize(['a', 'b']) |$t| { run_command('echo x', $t) } }\n")
    run = b.run("plan", "run", "site::p", "--format", "ndjson", "--stream")
    events = [json.loads(line) for line in run.out.splitlines()]
    steps = {}
    for event in events:
        if event["event"] in ("started", "output", "result"):
            steps.setdefault(event["step"], []).append((event["event"], event["target"]))
    assert sorted(steps) == [1, 2] and all({kind for kind, _ in step} == {"started", "output", "result"} for step in steps.values()), run
    assert all(len({target for _, target in step}) == 1 for step in steps.values()), run
    started = next(event for event in events if event["event"] == "started")
    assert started["description"] == "command 'echo x'" and re.match(r"20\d\d-.*Z$", started["time"]), run


def test_bolts_words_come_first(b):
    """BOLT-12: messages that people search the web for"""
    for text, words in (("a: b: c\n", "mapping values are not allowed in this context"), ("targets:\n  - a\n  b: 1\n", "did not find expected"),
                        ("targets: [a\n", "did not find expected ',' or ']'"), ("a:\n\tb: 1\n", "found character that cannot start any token")):
        b.inventory(text)
        run = b.run("inventory", "show", "--format", "json")
        assert "Could not parse" in run.json["msg"] and words in run.json["msg"], run
        assert run.json["details"]["file"] == run.json["details"]["path"] == str(b.project / "inventory.yaml"), run
        assert re.search(r"inventory.yaml:\d+:\d+", run.json["msg"]), run
    b.inventory("groups: [{targets: [a]}]\n")
    assert "is missing required keys name" in b.run("inventory", "show").out
    b.inventory("")
    run = b.run("lookup", "x", "-t", "a", "--plan-hierarchy")
    assert "The 'lookup' command accepts either targeting option OR --plan-hierarchy." in run.out, run
    assert "Must specify a plan name." in b.run("plan", "new").out and "Must specify a plan." in b.run("plan", "convert").out
    b.write("project/bolt-project.yaml", "name: {_plugin: env_var, var: X}\n")
    assert "is a plugin reference, which is unsupported at this location" in b.run("inventory", "show").out


def test_help_says_that_passwords_are_not_shown(b):
    """SEC-17.12: what --detail does, and what is said of it"""
    b.inventory("targets: [{uri: a, config: {ssh: {password: Geheim77}}}]\n")
    assert "Geheim77" not in b.run("inventory", "show", "--detail").out
    text = " ".join(b.run("help", "inventory", "show", project=False).out.split())
    assert "passwords and keys are not shown" in text and "passwords included" not in text, text
