"""Passwords and sensitive parameters: in no process list, no log, no output."""
import threading
import time
from pathlib import Path

from harness.bench import needs_root

SECRET = "hunter2secret"


class Watch:
    """Looks at the command line of every process on this machine (controller and target) while volley runs."""

    def __init__(self, secret, but):
        self.secret, self.but, self.seen, self._stop = secret.encode(), but, set(), False
        self._thread = threading.Thread(target=self._look, daemon=True)

    def _look(self):
        while not self._stop:
            for process in Path("/proc").glob("[0-9]*"):
                try:
                    words = (process / "cmdline").read_bytes()
                    if self.secret in words and self.but.encode() not in words:
                        self.seen.add(words)
                except OSError:
                    pass
            time.sleep(0.01)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop = True
        self._thread.join()


def nothing_shown(b, run, secret):
    log = (b.project / "bolt-debug.log").read_text()
    for place, text in (("stdout", run.out), ("stderr", run.err), ("the log", log)):
        assert secret not in text, f"{place} has the secret"
    for path in b.project.rglob("*"):
        assert not path.is_file() or path.name == "params.json" or secret.encode() not in path.read_bytes(), path


@needs_root
def test_passwords_are_in_no_process_list(b):
    """SH-012, SH-013, SSH-001, OPT-009, OPT-015: also not on the target, and not through the ssh program"""
    account = b.user(sudo=["Defaults:{user} timestamp_timeout=0", "{user} ALL=(ALL:ALL) ALL"])
    script = b.write("s.sh", "#!/bin/sh\nid -un\nsleep 0.5\n")
    server = b.sshd("PasswordAuthentication yes\nUsePAM no")
    for options in ({}, {"native-ssh": True, "ssh-command": ["ssh", "-o", f"UserKnownHostsFile={b.home}/.ssh/known_hosts"],
                         "copy-command": ["scp", "-r", "-o", f"UserKnownHostsFile={b.home}/.ssh/known_hosts"]}):
        b.ssh_inventory(server, user=account.name, **{"run-as": "root", "sudo-password": account.password, **options})
        (b.project / "inventory.yaml").chmod(0o600)
        with Watch(account.password, but="no such word") as watch:
            run = b.run("script", "run", script, "-t", "web", "--log-level", "trace", "--format", "json")
        assert run.value()["stdout"] == "root\n", run
        assert not watch.seen, watch.seen
        (b.project / "inventory.yaml").unlink()
        nothing_shown(b, run, account.password)


def test_tsk_044_sensitive_parameters_are_in_no_process_list(b):
    """TSK-044, TSK-024, LOG-012: environment and stdin, local and ssh; also when the task fails and when it is refused"""
    b.ssh_inventory()
    b.write("project/params.json", '{"pw": "hunter2secret"}')
    for method in ("stdin", "environment", "both"):
        b.task(f"{method}.sh", "#!/bin/sh\nsleep 0.4\necho failed >&2\nexit 3\n",
               {"input_method": method, "parameters": {"pw": {"type": "String[1, 20]", "sensitive": True}}})
        for target in ("localhost", "web"):
            with Watch(SECRET, but="no such word") as watch:
                run = b.run("task", "run", f"site::{method}", "--params", f"@{b.project}/params.json", "-t", target,
                            "--log-level", "trace", "--format", "json")
            assert run.status == 1 and run.error()["details"] == {"exit_code": 3}, run
            assert not watch.seen, (method, target, watch.seen)
            nothing_shown(b, run, SECRET)
    b.write("project/params.json", '{"pw": "hunter2secret-and-much-more-than-twenty"}')
    run = b.run("task", "run", "site::both", "--params", f"@{b.project}/params.json", "-t", "web", "--log-level", "trace")
    assert run.status == 1 and "pw" in run.out, run
    nothing_shown(b, run, SECRET)


def test_passwords_of_the_inventory_are_not_shown(b):
    """INV-052, INV-053, OUT-026, LOG-011: not in logs; `inventory show --detail` is the exception, as in Bolt"""
    b.inventory("targets: [{name: a, uri: 'ssh://bob:hunter2secret@127.0.0.1:9', config: {ssh: {sudo-password: hunter2secret}}}]")
    run = b.run("command", "run", "true", "-t", "a", "--log-level", "trace", "--connect-timeout", "3")
    assert SECRET not in run.out + run.err + (b.project / "bolt-debug.log").read_text(), run
