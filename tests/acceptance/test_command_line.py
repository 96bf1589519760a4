"""Section 1 of the checklist: verbs, options, arguments, exit status."""
import json
import subprocess

from harness.bench import HANGS, needs_root  # noqa: F401


def cli_error(b, *words, say=None, **settings):
    run = b.run(*words, **settings)
    assert run.status == 1, run
    assert "Traceback" not in run.out + run.err and "terminate called" not in run.err, run
    for text in [say] if isinstance(say, str) else say or []:
        assert text in run.out + run.err, run
    return run


def test_cli_001_unknown_noun_and_verb(b):
    """CLI-001, CLI-021, EXIT-002, EXIT-006: plain message on stdout, one line, verbs listed"""
    cli_error(b, "frobnicate", "run", "x", say="frobnicate")
    run = cli_error(b, "command", "jump", "x", say=["jump", "run"])
    assert len(run.out.strip().splitlines()) <= 2, run


def test_cli_003_command_needs_text(b):
    """CLI-003"""
    cli_error(b, "command", "run", "-t", "localhost")
    cli_error(b, "command", "run", "", "-t", "localhost")


def test_cli_003_command_from_file_and_stdin(b):
    """CLI-003, ARG-001, ARG-002: @file and - are read verbatim"""
    b.write("cmd.txt", "echo from file\necho second\n")
    run = b.run("command", "run", "@cmd.txt", "-t", "localhost", "--format", "json")
    assert run.value()["stdout"] == "from file\nsecond\n" and run.json["items"][0]["object"].endswith("second\n"), run
    run = b.run("command", "run", "-", "-t", "localhost", "--format", "json", stdin="echo from stdin")
    assert run.value()["stdout"] == "from stdin\n", run
    b.write("hosts.txt", "\ufefflocalhost\r\n")
    assert b.run("command", "run", "echo", "-t", "@hosts.txt").status == 0, "the byte order mark of Windows editors"


def test_arg_001_unreadable_file_is_a_file_error(b):
    """ARG-001"""
    cli_error(b, "command", "run", "@nowhere.txt", "-t", "localhost", say="nowhere.txt")


def test_cli_004_file_verbs_need_two_paths(b):
    """CLI-004"""
    cli_error(b, "file", "upload", "a", "-t", "localhost")
    cli_error(b, "file", "download", "-t", "localhost")
    cli_error(b, "file", "upload", "a", "b", "c", "-t", "localhost")


def test_cli_005_group_show_takes_nothing(b):
    """CLI-005, JSN-016"""
    cli_error(b, "group", "show", "x", say="x")
    b.inventory("groups:\n  - name: web\n  - name: db\n")
    assert b.run("group", "show", "--format", "json").json == {"count": 3, "groups": ["all", "db", "web"]}


def test_cli_006_guides(b):
    """CLI-006, MGT-017, JSN-022"""
    topics = b.run("guide", "--format", "json").json["topics"]
    assert {"debugging", "inventory", "links", "logging", "module", "modulepath", "project", "targets",
            "transports"} <= set(topics)
    for topic in topics:
        guide = b.run("guide", topic, "--format", "json").json
        assert guide["topic"] == topic and len(guide["guide"]) > 100, guide
    run = b.run("guide", "zebras", "--format", "json")
    assert run.status == 1 and "zebras" in run.out, run


def test_cli_017_task_names_are_checked(b):
    """CLI-016, CLI-017"""
    cli_error(b, "task", "run", "-t", "localhost")
    cli_error(b, "task", "run", "a=b", "-t", "localhost", say="a=b")
    cli_error(b, "task", "run", "Bad::name", "-t", "localhost", say="Bad::name")


def test_cli_018_leftover_words(b):
    """CLI-018"""
    cli_error(b, "command", "run", "true", "extra", "-t", "localhost", say="extra")
    b.task("x.sh", "#!/bin/sh\n")
    cli_error(b, "task", "run", "site::x", "a=1", "stray", "-t", "localhost", say="stray")


def test_cli_019_help_in_all_forms(b):
    """CLI-019, CLI-026, CLI-027: help on stdout, exit 0"""
    for words in ([], ["help"], ["--help"], ["-h"], ["help", "command"], ["help", "command", "run"],
                  ["command", "run", "--help"], ["task", "--help"], ["help", "nonsense"]):
        run = b.run(*words, project=False)
        assert run.status == 0 and "volley" in run.out.lower() and run.err == "", run
    text = b.run("help", "command", "run", project=False).out.lower()
    for needed in ("usage", "--targets", "--run-as", "--private-key", "--concurrency", "--format", "examples"):
        assert needed in text, needed


def test_cli_022_options_anywhere_and_in_all_spellings(b):
    """CLI-022, CLI-023"""
    for words in (["--format=json", "command", "run", "echo x", "-tlocalhost"],
                  ["command", "--format", "json", "run", "-t", "localhost", "echo x"],
                  ["command", "run", "--form", "json", "--targ", "localhost", "--", "echo x"]):
        run = b.run(*words)
        assert run.status == 0 and run.value()["stdout"] == "x\n", run


def test_cli_023_ambiguous_and_unknown_options(b):
    """CLI-023, CLI-025"""
    cli_error(b, "command", "run", "true", "--t", "localhost", say="--t")
    cli_error(b, "command", "run", "true", "--frob", "-t", "localhost", say="--frob")
    cli_error(b, "command", "run", "true", "-t", say="-t")
    cli_error(b, "command", "run", "true", "-t", "localhost", "--concurrency", "many", say="concurrency")


def test_cli_014_script_arguments_are_literal(b):
    """CLI-014, SH-020"""
    script = b.write("args.sh", '#!/bin/sh\nfor a; do printf "<%s>\\n" "$a"; done\n')
    words = ["a b", "$HOME", "*", "it's", "", "--flag", "x=y", "\\n", "ünï"]
    run = b.run("script", "run", script, "-t", "localhost", "--format", "json", "--", *words)
    assert run.value()["stdout"].splitlines() == [f"<{w}>" for w in words], run


def test_opt_001_targets_add_up(b):
    """OPT-001, ARG-005"""
    b.inventory("targets: [a, b, c, d]\nconfig: {transport: local}\n")
    b.write("hosts", "c\n d,\n")
    run = b.run("command", "run", "true", "-t", "a,b", "--targets", "@hosts", "--format", "json")
    assert sorted(i["target"] for i in run.json["items"]) == ["a", "b", "c", "d"], run


def test_arg_003_one_way_of_targeting(b):
    """ARG-003, ARG-004"""
    cli_error(b, "command", "run", "true", "-t", "localhost", "--rerun", "all")
    cli_error(b, "command", "run", "true", say="--targets")


def test_opt_003_rerun(b):
    """OPT-003, OPT-024, ARG-010, ARG-011, LAY-009"""
    b.inventory("targets: [good, bad]\nconfig: {transport: local}\n")
    cli_error(b, "command", "run", "true", "--rerun", "all")  # nothing recorded yet
    b.task("fail.sh", '#!/bin/sh\ncase "$PT_who" in *) exit 0;; esac\n')
    first = b.run("command", "run", "test -e marker || exit 3", "-t", "good,bad", cwd=b.folder)
    assert first.status == 1
    recorded = json.loads((b.project / ".rerun.json").read_text())
    assert sorted(r["target"] for r in recorded) == ["bad", "good"] and {r["status"] for r in recorded} == {"failure"}
    run = b.run("command", "run", "true", "--rerun", "failure", "--format", "json")
    assert run.json["target_count"] == 2 and run.status == 0, run
    nobody = b.run("command", "run", "true", "--rerun", "failure", "--no-save-rerun", "--format", "json")
    assert nobody.status == 0 and nobody.json["target_count"] == 0, "compatibility: no failures left is not a failure"
    assert nobody.err == "", nobody
    assert b.run("command", "run", "true", "--rerun", "success", "--no-save-rerun").status == 0
    cli_error(b, "command", "run", "true", "--rerun", "sometimes", say="sometimes")
    before = (b.project / ".rerun.json").read_text()
    b.run("command", "run", "false", "-t", "good", "--no-save-rerun")
    assert (b.project / ".rerun.json").read_text() == before


def test_opt_004_noop_only_with_tasks(b):
    """OPT-004, CLI-024"""
    cli_error(b, "command", "run", "true", "--noop", "-t", "localhost", say="noop")
    cli_error(b, "script", "run", "x", "--noop", "-t", "localhost", say="noop")


def test_opt_005_params(b):
    """OPT-005, ARG-001"""
    b.task("p.sh", "#!/bin/sh\ncat\n", {"input_method": "stdin"})
    params = '{"n": 5, "s": "x", "deep": {"a": [1, null]}}'
    b.write("params.json", params)
    for words, stdin in ((["--params", params], ""), (["--params", "@params.json"], ""), (["--params", "-"], params)):
        value = b.run("task", "run", "site::p", *words, "-t", "localhost", "--format", "json", stdin=stdin).value()
        assert value["n"] == 5 and value["s"] == "x" and value["deep"] == {"a": [1, None]}, value
    cli_error(b, "task", "run", "site::p", "--params", "{oops", "-t", "localhost", say="params")
    cli_error(b, "task", "run", "site::p", "a=1", "--params", "{}", "-t", "localhost")


def test_arg_007_params_must_be_an_object(b):
    """ARG-007: one clear line (Bolt has an internal error)"""
    b.task("p.sh", "#!/bin/sh\ncat\n")
    cli_error(b, "task", "run", "site::p", "--params", "[1]", "-t", "localhost", say="params")


def test_opt_017_concurrency_is_a_positive_integer(b):
    """OPT-017, OPT-048, CFG-024"""
    for bad in ("0", "-1", "x"):
        cli_error(b, "command", "run", "true", "-t", "localhost", f"--concurrency={bad}", say="concurrency")
    assert b.run("command", "run", "true", "-t", "localhost", "-c", "3").status == 0


def test_opt_023_inventoryfile(b):
    """OPT-023, ENV-002, INV-001"""
    other = b.write("other.yaml", "config: {transport: local}\ntargets: [x1]\n")
    run = b.run("inventory", "show", "-i", other, "--format", "json")
    assert run.json["targets"] == ["x1"] and run.json["inventory"]["file"] == str(other), run
    text = "config: {transport: local}\ntargets: [e1, e2]\n"
    assert b.run("inventory", "show", "--format", "json", env={"BOLT_INVENTORY": text}).json["count"] == 2
    cli_error(b, "inventory", "show", "-i", other, env={"BOLT_INVENTORY": text}, say="BOLT_INVENTORY")
    cli_error(b, "inventory", "show", "-i", b.folder / "none.yaml", say="none.yaml")
    cli_error(b, "inventory", "show", env={"BOLT_INVENTORY": "- a list"}, say="BOLT_INVENTORY")


def test_opt_026_environment_variables(b):
    """OPT-026, SH-016"""
    value = "it's $HOME \"x\" ü\nsecond line"
    run = b.run("command", "run", 'printf %s "$VX"', "-t", "localhost", "--env-var", f"VX={value}", "--format", "json")
    assert run.value()["stdout"] == value, run
    script = b.write("s.sh", "#!/bin/sh\nprintf %s \"$A-$B\"\n")
    run = b.run("script", "run", script, "-t", "localhost", "--env-var", "A=1", "--env-var", "B=2=3", "--format", "json")
    assert run.value()["stdout"] == "1-2=3", run
    cli_error(b, "command", "run", "true", "-t", "localhost", "--env-var", "NOVALUE", say="NOVALUE")
    b.task("x.sh", "#!/bin/sh\n")
    cli_error(b, "task", "run", "site::x", "-t", "localhost", "--env-var", "A=1", say="env-var")


def test_opt_027_transport(b):
    """OPT-027"""
    cli_error(b, "command", "run", "true", "-t", "x", "--transport", "pigeon", say="pigeon")
    run = b.run("command", "run", "true", "-t", "anything", "--transport", "local")
    assert run.status == 0, run
    assert b.run("command", "run", "true", "-t", "anything", "--transport", "loc").status == 0


def test_opt_038_format(b):
    """OPT-038"""
    cli_error(b, "command", "run", "true", "-t", "localhost", "--format", "xml", say="format")


def test_opt_049_inventory_beats_the_command_line(b):
    """OPT-049, LOG-009"""
    b.ssh_inventory()
    run = b.run("command", "run", "true", "-t", "web", "--user", "nobody-at-all")
    assert run.status == 0 and "cli_overrides" in run.err and "user" in run.err, run


def test_exit_codes(b):
    """EXIT-001, EXIT-002"""
    assert b.run("command", "run", "true", "-t", "localhost").status == 0
    assert b.run("command", "run", "false", "-t", "localhost").status == 1


def test_a_current_directory_that_was_removed_is_an_error(b):
    """one line in place of the end of the program"""
    for words in ("command run true -t localhost", "eval -e 1", "project init"):
        ran = subprocess.run(["/bin/sh", "-c", f'mkdir gone && cd gone && rmdir ../gone && exec "$0" {words}', b.volley],
                             cwd=b.folder, env=b.env, capture_output=True, text=True, timeout=HANGS, check=False)
        assert ran.returncode == 1, ran
        assert ran.stdout == "The current directory cannot be read: No such file or directory; change to one that exists\n", ran


def test_a_folder_for_output_that_cannot_be_written_is_an_error_before_anything_runs(b):
    """afterwards the output would be lost"""
    mark = b.folder / "ran"
    run = b.run("command", "run", f"touch {mark}", "-t", "localhost", "--output-dir", "/proc", "--format", "json")
    assert run.status == 1 and not mark.exists(), run
    assert b"Cannot write into the folder /proc for output: " in run.stdout, run


def test_files_beyond_the_limit_of_their_size_are_errors(b):
    """ulimit -f: reported as a full disk is, and the run goes on"""
    ran = subprocess.run(["/bin/bash", "-c", 'ulimit -f 8; exec "$0" command run "seq 1 20000" -t localhost --output-dir out --format json', b.volley],
                         cwd=b.project, env=b.env, capture_output=True, text=True, timeout=HANGS, check=False)
    assert ran.returncode == 0 and json.loads(ran.stdout)["items"][0]["status"] == "success", ran
    assert "File too large" in ran.stderr, ran


def test_arg_012_scripts_are_found_in_modules(b):
    """ARG-012, MOD-001, MOD-003"""
    b.write("project/files/a.sh", "#!/bin/sh\necho a\n")
    b.write("project/scripts/b.sh", "#!/bin/sh\necho b\n")
    b.write("project/modules/other/files/c.sh", "#!/bin/sh\necho c\n")
    for name, want in (("site/a.sh", "a\n"), ("site/files/a.sh", "a\n"), ("site/scripts/b.sh", "b\n"), ("other/c.sh", "c\n")):
        run = b.run("script", "run", name, "-t", "localhost", "--format", "json")
        assert run.status == 0 and run.value()["stdout"] == want, run
    cli_error(b, "script", "run", "site/nothing.sh", "-t", "localhost", say="nothing.sh")


def test_env_001_project_from_the_environment(b):
    """ENV-001, PRJ-001, PRJ-005"""
    b.inventory("targets: [one]\nconfig: {transport: local}\n")
    run = b.run("inventory", "show", "--format", "json", project=False, env={"BOLT_PROJECT": str(b.project)})
    assert run.json["targets"] == ["one"], run
    cli_error(b, "inventory", "show", "--project", b.folder / "missing", project=False, say="missing")


def test_prj_003_project_is_found_upwards(b):
    """PRJ-002, PRJ-003, PRJ-004"""
    b.inventory("targets: [up]\nconfig: {transport: local}\n")
    below = b.project / "some" / "where"
    below.mkdir(parents=True)
    assert b.run("inventory", "show", "--format", "json", project=False, cwd=below).json["targets"] == ["up"]
    b.write("embedded/Boltdir/inventory.yaml", "targets: [inner]\n")
    assert b.run("inventory", "show", "--format", "json", project=False, cwd=b.folder / "embedded").json["targets"] == ["inner"]
    run = b.run("inventory", "show", "--format", "json", project=False, cwd="/")
    assert run.status == 0 and (b.home / ".puppetlabs" / "bolt").is_dir(), run


def test_prj_006_world_writable_project_is_refused(b):
    """PRJ-006, ERR-031"""
    b.project.chmod(0o777)
    cli_error(b, "inventory", "show", say="BOLT_PROJECT")
    run = b.run("inventory", "show", project=False, env={"BOLT_PROJECT": str(b.project)})
    assert run.status == 0, run


def test_cfg_013_configuration_faults_name_file_and_line(b):
    """CFG-012, CFG-013, LOG-008"""
    b.write("project/bolt-project.yaml", "name: site\nconcurrency: fast\nformat: xml\nmodulpath: [x]\n")
    run = b.run("inventory", "show")
    assert run.status == 1 and "bolt-project.yaml" in run.out and "concurrency" in run.out and "format" in run.out, run
    b.write("project/bolt-project.yaml", "name: site\nmodulpath: [x]\n")
    run = b.run("inventory", "show")
    assert run.status == 0 and "unknown_option" in run.err and "modulepath" in run.err, run


def test_prj_011_yaml_errors_have_positions(b):
    """PRJ-011"""
    b.inventory("targets: [a\n  b: c\n")
    run = cli_error(b, "inventory", "show", say="inventory.yaml")
    assert "line" in run.out.lower() or ":2" in run.out, run
    b.inventory("a: &x 1\ntargets: [*x]\n")
    cli_error(b, "inventory", "show", say="inventory.yaml")


def test_mgt_013_project_init(b):
    """MGT-013, CLI-013, EXIT-004, ERR-032"""
    where = b.folder / "fresh"
    where.mkdir()
    run = b.run("project", "init", "shiny", project=False, cwd=where)
    assert run.status == 0, run
    assert "shiny" in (where / "bolt-project.yaml").read_text() and (where / "inventory.yaml").exists()
    assert ".rerun.json" in (where / ".gitignore").read_text()
    assert b.run("inventory", "show", project=False, cwd=where).status == 0
    cli_error(b, "project", "init", "shiny", project=False, cwd=where)
    other = b.folder / "Bad-Name"
    other.mkdir()
    cli_error(b, "project", "init", project=False, cwd=other)


def test_cli_028_completions_and_man_page_are_made(b):
    """CLI-028"""
    for shell in ("bash", "zsh", "fish"):
        run = b.run("--completions", shell, project=False)
        if run.status != 0:
            run = b.run("help", "--completions", shell, project=False)
        assert run.status == 0 and "volley" in run.out and " --complete " in run.out, run
    for question in (("words", "command", "run", "x", "--targ"), ("line", "volley command run x --targ")):
        run = b.run("--complete", *question, project=False)
        assert run.status == 0 and run.out.splitlines()[3].startswith("--targets\t"), run
