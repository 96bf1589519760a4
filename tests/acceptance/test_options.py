"""Section 1.2 of the checklist, option by option: what each of them reaches."""
import json

JSON = ("--format", "json")
REDACTED = "Sensitive [value redacted]"


def config_of(b, transport, *words):
    """The options of a target after all levels of configuration."""
    b.inventory(json.dumps({"targets": [{"name": "t", "uri": "h", "config": {"transport": transport}}]}))
    run = b.run("inventory", "show", "--detail", *words, *JSON)
    assert run.status == 0, run
    return run.json["targets"][0]["config"][transport]


def test_options_of_ssh(b):
    """OPT-008, OPT-009, OPT-011, OPT-012, OPT-014, OPT-015, OPT-016, OPT-019, OPT-028, OPT-029, OPT-030, OPT-031"""
    b.write("key", "x")
    for words, name, value in (
            (["-u", "deploy"], "user", "deploy"), (["--user=deploy"], "user", "deploy"),
            (["-p", "pw"], "password", REDACTED), (["--password", "pw"], "password", REDACTED),
            (["--private-key", "key"], "private-key", str(b.folder / "key")),
            (["--host-key-check"], "host-key-check", True), (["--no-host-key-check"], "host-key-check", False),
            (["--run-as", "root"], "run-as", "root"), (["--sudo-password", "pw"], "sudo-password", REDACTED),
            (["--sudo-executable", "/usr/bin/doas"], "sudo-executable", "/usr/bin/doas"),
            (["--cleanup"], "cleanup", True), (["--no-cleanup"], "cleanup", False),
            (["--native-ssh"], "native-ssh", True), (["--no-native-ssh"], "native-ssh", False),
            (["--connect-timeout", "3"], "connect-timeout", 3),
            (["--tty"], "tty", True), (["--no-tty"], "tty", False), (["--tmpdir", "/var/tmp"], "tmpdir", "/var/tmp")):
        assert config_of(b, "ssh", *words)[name] == value, words
    commands = config_of(b, "ssh", "--native-ssh", "--ssh-command", "ssh -4", "--copy-command", "scp -r")
    assert commands["ssh-command"] == "ssh -4" and commands["copy-command"] == "scp -r", commands
    assert "user" not in config_of(b, "ssh", "--tmpdir", "/x") or config_of(b, "ssh")["user"] == b.me


def test_opt_013_options_of_winrm(b):
    """OPT-013"""
    for words, name, value in ((["--ssl"], "ssl", True), (["--no-ssl"], "ssl", False), (["--ssl-verify"], "ssl-verify", True),
                               (["--no-ssl-verify"], "ssl-verify", False), (["--user", "x"], "user", "x")):
        assert config_of(b, "winrm", *words)[name] == value, words


def test_opt_032_options_of_choria(b):
    """OPT-032: stored under their names without the prefix, though nothing speaks Choria"""
    for name, given, value in (
            ("task-agent", "shell", "shell"), ("config-file", "c.cfg", str(b.folder / "c.cfg")),
            ("mcollective-certname", "m", "m"), ("collective", "co", "co"), ("puppet-environment", "prod", "prod"),
            ("rpc-timeout", "5", 5), ("task-timeout", "6", 6), ("command-timeout", "7", 7), ("brokers", "a:1,b:2", ["a:1", "b:2"]),
            ("broker-timeout", "8", 8)):
        b.write("c.cfg", "x")
        assert config_of(b, "choria", f"--choria-{name}", given)[name] == value, name
    files = {kind: str(b.write(kind, "x")) for kind in ("ca", "cert", "key")}
    together = config_of(b, "choria", *(word for kind in files for word in (f"--choria-ssl-{kind}", kind)))
    assert {kind: together[f"ssl-{kind}"] for kind in files} == files, together
    b.refused("inventory", "show", "--choria-task-agent", "carrier", says="choria-task-agent")
    b.refused("inventory", "show", "--choria-rpc-timeout", "soon", says="choria-rpc-timeout")


def test_opt_028_native_ssh_from_the_command_line(b):
    """OPT-028: the programs that are named do the work"""
    b.ssh_inventory()
    b.write("bin/my-ssh", f"#!/bin/sh\necho ssh >> {b.folder}/used\nexec ssh -o UserKnownHostsFile={b.home}/.ssh/known_hosts \"$@\"\n", 0o755)
    b.write("bin/my-scp", f"#!/bin/sh\necho scp >> {b.folder}/used\nexec scp -o UserKnownHostsFile={b.home}/.ssh/known_hosts \"$@\"\n", 0o755)
    words = ("--native-ssh", "--ssh-command", f"{b.folder}/bin/my-ssh", "--copy-command", f"{b.folder}/bin/my-scp")
    run = b.run("command", "run", "echo native", "-t", "web", *words, *JSON)
    assert run.status == 0 and run.value()["stdout"] == "native\n" and "ssh" in (b.folder / "used").read_text(), run
    source = b.write("up.txt", "content")
    run = b.run("file", "upload", source, f"{b.folder}/arrived", "-t", "web", *words, *JSON)
    assert run.status == 0 and (b.folder / "arrived").read_text() == "content", run


def test_opt_030_terminal_from_the_command_line(b):
    """OPT-030"""
    b.ssh_inventory()
    for words, said in ((("--tty",), "yes"), (("--no-tty",), "no"), ((), "no")):
        run = b.run("command", "run", "if [ -t 1 ]; then echo yes; else echo no; fi", "-t", "web", *words, *JSON)
        assert run.value()["stdout"].strip() == said, (words, run)


def test_opt_016_another_sudo(b):
    """OPT-014, OPT-016: the program that is named becomes the user"""
    b.inventory("config: {transport: local}\ntargets: [here]\n")
    b.write("bin/my-sudo", f"#!/bin/sh\necho \"$@\" >> {b.folder}/sudo-words\nexec sudo \"$@\"\n", 0o755)
    run = b.run("command", "run", "id -un", "-t", "here", "--run-as", "nobody", "--sudo-executable", f"{b.folder}/bin/my-sudo", *JSON)
    assert (b.folder / "sudo-words").exists() and "nobody" in (b.folder / "sudo-words").read_text(), run


def test_opt_019_temporary_files_can_stay(b):
    """OPT-019, OPT-031"""
    b.inventory("config: {transport: local}\ntargets: [here]\n")
    script = b.write("s.sh", "#!/bin/sh\necho \"$0\"\n")
    (b.folder / "tmp").mkdir()
    for words, stays in ((("--no-cleanup",), True), (("--cleanup",), False), ((), False)):
        run = b.run("script", "run", script, "-t", "here", "--tmpdir", b.folder / "tmp", *words, *JSON)
        from pathlib import Path
        path = Path(run.value()["stdout"].strip())
        assert str(path).startswith(f"{b.folder}/tmp/") and path.exists() == stays, (words, run)


def test_opt_020_modulepath_from_the_command_line(b):
    """OPT-020: relative to the working directory, in place of what is configured"""
    b.write("one/alpha/tasks/init.sh", "#!/bin/sh\n")
    b.write("two/beta/tasks/init.sh", "#!/bin/sh\n")
    b.write("project/modules/gamma/tasks/init.sh", "#!/bin/sh\n")
    shown = b.run("task", "show", "-m", "one:two", *JSON).json
    names = [name for name, _ in shown["tasks"]]
    assert "alpha" in names and "beta" in names and "gamma" not in names, shown
    assert shown["modulepath"][:2] == [str(b.folder / "one"), str(b.folder / "two")], shown


def test_opt_022_hiera_config_from_the_command_line(b):
    """OPT-022, CFG-028: relative to the working directory, in place of the project's"""
    b.write("project/hiera.yaml", "version: 5\nhierarchy: [{name: a, path: a.yaml}]\n")
    b.write("project/data/a.yaml", "key: of the project\n")
    b.write("other/hiera.yaml", "version: 5\nhierarchy: [{name: a, path: a.yaml}]\n")
    b.write("other/data/a.yaml", "key: of the other\n")
    assert b.run("lookup", "key", "--render-as", "s").out == "of the project\n"
    assert b.run("lookup", "key", "--render-as", "s", "--hiera-config", "other/hiera.yaml").out == "of the other\n"
    b.refused("lookup", "key", "--hiera-config", "gone.yaml", says=["gone.yaml", "does not exist"])


def test_opt_018_compile_concurrency(b):
    """OPT-018, CFG-023: below twice the number of processors"""
    import os
    most = 2 * os.cpu_count() - 1
    assert b.run("command", "run", "true", "-t", "localhost", "--compile-concurrency", most).status == 0
    b.refused("command", "run", "true", "-t", "localhost", "--compile-concurrency", most + 1, says="compile-concurrency")
    b.refused("command", "run", "true", "-t", "localhost", "--compile-concurrency", "0", says="compile-concurrency")


def test_opt_046_forgotten_caches(b):
    """OPT-046, LAY-011: the files of the caches go before the command runs"""
    for name in (".plugin_cache.json", ".task_cache.json", ".plan_cache.json"):
        b.write(f"project/{name}", "{}")
    assert b.run("command", "run", "true", "-t", "localhost").status == 0
    assert (b.project / ".plugin_cache.json").exists()
    assert b.run("command", "run", "true", "-t", "localhost", "--clear-cache").status == 0
    assert not [p for p in b.project.iterdir() if p.name.endswith("_cache.json")]


GLOBAL = {"help", "version", "log-level", "clear-cache"}
ACTION = GLOBAL | set("""targets query rerun user password password-prompt private-key host-key-check ssl ssl-verify run-as
    sudo-password sudo-password-prompt sudo-executable concurrency inventoryfile save-rerun cleanup puppetdb project modulepath
    transport connect-timeout tty native-ssh ssh-command copy-command format color verbose trace stream""".split())
OPTIONS_OF = {
    "command run": ACTION | {"env-var"}, "script run": ACTION | {"tmpdir", "env-var"}, "file upload": ACTION | {"tmpdir"},
    "file download": ACTION, "task run": ACTION | {"params", "tmpdir", "noop"},
    "plan run": ACTION | {"params", "compile-concurrency", "tmpdir", "hiera-config"},
    "lookup": ACTION | {"hiera-config", "plan-hierarchy"},
    "inventory show": GLOBAL | {"targets", "query", "rerun", "project", "format", "inventoryfile", "detail"},
    "group show": GLOBAL | {"project", "format", "inventoryfile"}, "guide": GLOBAL | {"format"},
    "project init": GLOBAL | {"modules"}, "plan convert": GLOBAL | {"project", "modulepath"},
    "plan new": GLOBAL | {"project", "pp"}, "plan show": GLOBAL | {"project", "modulepath", "filter", "format"},
    "task show": GLOBAL | {"project", "modulepath", "filter", "format"},
    "plugin show": GLOBAL | {"color", "format", "modulepath", "project"},
    "secret createkeys": GLOBAL | {"project", "modulepath", "plugin", "force"},
    "secret encrypt": GLOBAL | {"project", "modulepath", "plugin"}, "secret decrypt": GLOBAL | {"project", "modulepath", "plugin"},
}


def test_cli_027_options_of_every_verb(b):
    """CLI-027: help lists what Bolt lists for the verb (but for Choria's options)"""
    import re
    for words, wanted in OPTIONS_OF.items():
        text = b.run("help", *words.split(), project=False).out
        listed = set(re.findall(r"^ {4,8}(?:-\w, )?--(?:\[no-\])?([a-z-]+)", text, re.M))
        assert not wanted - listed, (words, wanted - listed)
    assert "--choria" not in b.run("help", "command", "run", project=False).out


def test_cli_001_every_noun_is_there(b):
    """CLI-001; a removed one is not a noun"""
    help_text = b.run("help", project=False).out
    for noun in "apply command file group guide inventory lookup module plan plugin policy project script secret task".split():
        assert f"\n    {noun} " in help_text, noun
    b.refused("puppetfile", "install", says="'puppetfile' is not a Volley command")


def test_every_option_is_described(b):
    """CLI-026, CLI-027: each verb's help lists its options with a description, and each option is understood"""
    import re
    for words in (("command", "run"), ("script", "run"), ("task", "run"), ("file", "upload"), ("file", "download"),
                  ("inventory", "show"), ("group", "show"), ("task", "show"), ("project", "init"), ("guide",), ("lookup",),
                  ("plan", "run"), ("secret", "encrypt"), ("plugin", "show")):
        text = b.run("help", *words, project=False).out
        lines = text.splitlines()
        places = [i for i, line in enumerate(lines) if re.match(r" {4,8}(-\w, )?--", line)]
        assert len(places) >= 5 and lines[-1], (words, text)
        for i in places:
            form = re.match(r" *(?:-\w, )? *(--\S+(?: [A-Z][A-Z_=]*)?) *(.*)", lines[i])
            assert form.group(2) or lines[i + 1].startswith(" " * 34), (words, lines[i])
