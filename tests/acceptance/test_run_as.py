"""Escalation with real sudo: each fault has its own error and none hangs."""
import json

from harness.bench import needs_root


def inventory(b, account, server=None, **options):
    server = server or b.sshd("PasswordAuthentication yes\nUsePAM no")
    b.ssh_inventory(server, user=account.name, **options)
    return server


def whoami(b, *words, user="root", status=0):
    run = b.run("command", "run", "id -un", "-t", "web", "--run-as", user, "--format", "json", *words)
    assert run.status == status, run
    return run.value()


def escalate_error(b, issue, *words, user="root"):
    error = whoami(b, *words, user=user, status=1)["_error"]
    assert error["kind"] == "puppetlabs.tasks/escalate-error" and error["issue_code"] == issue, error
    return error["msg"]


ALL = "{user} ALL=(ALL:ALL) ALL"
NEVER_CACHE = "Defaults:{user} timestamp_timeout=0"
FREE = "{user} ALL=(ALL:ALL) NOPASSWD: ALL"


@needs_root
def test_sh_007_sudo_with_a_password(b):
    """SH-005, SH-006, SH-007, SH-012, SH-013, OPT-014, OPT-015"""
    account = b.user(sudo=[NEVER_CACHE, ALL])
    inventory(b, account)
    assert whoami(b, "--sudo-password", account.password)["stdout"] == "root\n"
    inventory(b, account, **{"sudo-password": account.password, "run-as": "root"})
    value = b.run("command", "run", "id -un; echo err >&2", "-t", "web", "--format", "json").value()
    assert value["stdout"] == "root\n" and value["stderr"] == "err\n", "the prompt is not part of the output"


@needs_root
def test_sh_013_the_connection_password_serves_sudo(b):
    """SH-013"""
    account = b.user(sudo=[NEVER_CACHE, ALL])
    inventory(b, account, key=None, password=account.password)
    assert whoami(b)["stdout"] == "root\n"


@needs_root
def test_opt_015_sudo_password_prompt(b):
    """OPT-015: asked without echo, on stderr"""
    account = b.user(sudo=[NEVER_CACHE, ALL])
    inventory(b, account)
    text, status = b.terminal("command", "run", "id -un", "-t", "web", "--run-as", "root", "--sudo-password-prompt",
                              answers=[("assword", account.password + "\n")])
    assert status == 0 and "root" in text and account.password not in text, text


@needs_root
def test_sh_014_escalation_errors(b):
    """SH-014, ERR-052: no password known, wrong password, no rights"""
    account = b.user(sudo=[NEVER_CACHE, ALL])
    inventory(b, account)
    escalate_error(b, "NO_PASSWORD")
    escalate_error(b, "BAD_PASSWORD", "--sudo-password", "wrong")
    stranger = b.user()
    inventory(b, stranger)
    escalate_error(b, "SUDO_DENIED", "--sudo-password", stranger.password)
    limited = b.user(sudo=["{user} ALL=(nobody) NOPASSWD: ALL", NEVER_CACHE])
    inventory(b, limited)
    assert whoami(b, user="nobody")["stdout"] == "nobody\n"
    whoami(b, "--sudo-password", limited.password, status=1)


@needs_root
def test_sh_007_nopasswd(b):
    """SH-007"""
    account = b.user(sudo=[FREE])
    inventory(b, account)
    assert whoami(b)["stdout"] == "root\n"


@needs_root
def test_run_as_unknown_user(b):
    """An account that the target does not have: one clear error"""
    account = b.user(sudo=[FREE])
    inventory(b, account)
    run = b.run("command", "run", "id", "-t", "web", "--run-as", "no-such-user", "--format", "json")
    assert run.status == 1 and "no-such-user" in json.dumps(run.value()), run


@needs_root
def test_requiretty_is_explained(b):
    """sudo that demands a terminal: the error names it, and `tty: true` helps"""
    account = b.user(sudo=[FREE, "Defaults:{user} requiretty"])
    server = inventory(b, account)
    error = whoami(b, status=1)["_error"]
    assert error["kind"] == "puppetlabs.tasks/escalate-error" and "tty" in error["msg"], error
    inventory(b, account, server, tty=True)
    assert "root" in whoami(b)["stdout"]


@needs_root
def test_sh_008_run_as_command(b):
    """SH-008"""
    account = b.user(sudo=[FREE])
    inventory(b, account, **{"run-as-command": ["sudo", "-nkSEu"]})
    assert whoami(b)["stdout"] == "root\n"


@needs_root
def test_opt_016_sudo_executable(b):
    """OPT-016"""
    account = b.user(sudo=[FREE])
    mine = b.write("my-sudo", f"#!/bin/sh\necho used >> {b.folder}/sudo.log\nexec sudo \"$@\"\n", 0o755)
    (b.folder / "sudo.log").write_text("")
    (b.folder / "sudo.log").chmod(0o666)
    inventory(b, account, **{"sudo-executable": str(mine)})
    assert whoami(b)["stdout"] == "root\n" and "used" in (b.folder / "sudo.log").read_text()


@needs_root
def test_sh_015_scripts_tasks_and_files_run_as(b):
    """SH-003, SH-011, SH-015, SH-022, SH-023, SH-026: everything escalates, nothing is left behind"""
    account = b.user(sudo=[NEVER_CACHE, ALL])
    other = b.user()
    inventory(b, account, **{"sudo-password": account.password})
    flags = ["-t", "web", "--run-as", other.name, "--format", "json"]
    script = b.write("s.sh", "#!/bin/sh\nid -un; echo \"$1\"\n")
    assert b.run("script", "run", script, "x y", *flags).value()["stdout"] == f"{other.name}\nx y\n"
    b.task("t.sh", "#!/bin/sh\nread -r line\nprintf '{\"who\": \"%s\", \"p\": \"%s\", \"in\": %s}' \"$(id -un)\" \"$PT_p\" \"$line\"\n")
    value = b.run("task", "run", "site::t", "p=secret stuff", *flags).value()
    assert value["who"] == other.name and value["p"] == "secret stuff" and value["in"]["p"] == "secret stuff", value
    source = b.write("up.txt", "up", 0o640)
    run = b.run("file", "upload", source, other.home / "up.txt", *flags)
    assert run.status == 0 and (other.home / "up.txt").read_text() == "up", run
    assert (other.home / "up.txt").owner() == other.name
    (other.home / "private.txt").write_text("mine")
    (other.home / "private.txt").chmod(0o600)
    __import__("shutil").chown(other.home / "private.txt", other.name)
    run = b.run("file", "download", other.home / "private.txt", b.folder / "down", *flags)
    assert run.status == 0 and (b.folder / "down" / "web" / "private.txt").read_text() == "mine", run


@needs_root
def test_sh_006_run_as_oneself_is_not_an_escalation(b):
    """SH-006"""
    account = b.user()
    inventory(b, account)
    assert whoami(b, user=account.name)["stdout"] == account.name + "\n"


@needs_root
def test_loc_002_local_run_as(b):
    """LOC-002"""
    other = b.user()
    run = b.run("command", "run", "id -un", "-t", "localhost", "--run-as", other.name, "--format", "json")
    assert run.status == 0 and run.value()["stdout"] == other.name + "\n", run


@needs_root
def test_sh_009_the_working_directory_is_the_other_users_home(b):
    """SH-009: on ssh; a local command stays where it is"""
    account, other = b.user(sudo=[FREE]), b.user()
    inventory(b, account)
    run = b.run("command", "run", "pwd; echo $HOME", "-t", "web", "--run-as", other.name, "--format", "json")
    assert run.value()["stdout"] == f"{other.home}\n{other.home}\n", run
