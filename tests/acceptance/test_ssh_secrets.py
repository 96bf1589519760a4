"""What others on a target or on this machine must not see or change: files on their way, passwords, keys, our own
messages, known_hosts (issue 11, SEC-6 and SEC-17)."""
import json
import os
import shutil
import stat
import subprocess

from harness.bench import needs_root
from harness.hostile import HeldLink
from harness.patience import wait_for

FREE = "{user} ALL=(ALL:ALL) NOPASSWD: ALL"
ASKS = ["Defaults:{user} timestamp_timeout=0", "{user} ALL=(ALL:ALL) ALL"]


def mode(path):
    return stat.S_IMODE(path.lstat().st_mode)


def part_of(folder):
    """The temporary name of what is being uploaded to that folder, once there is something in it."""
    def look():
        for path in folder.glob(".volley-*"):
            try:
                if path.is_dir() and any(path.iterdir()) or path.is_file() and path.stat().st_size:
                    return path
            except FileNotFoundError:
                pass
        return None
    return wait_for(look, "the beginning of the upload")


def held_upload(b, words, goal, **options):
    """Runs volley, which uploads to goal over a link that is held in the middle; the mode of the part meanwhile."""
    server = b.ssh_inventory(**options)
    link = HeldLink(server.port, 400_000)
    b.undo(link.close)
    inventory = json.loads((b.project / "inventory.yaml").read_text())
    for target in inventory["targets"]:
        target["uri"] = f"127.0.0.1:{link.port}"
    inventory["config"]["ssh"]["host-key-check"] = False
    b.inventory(json.dumps(inventory))
    child = b.start(*words)
    part = part_of(goal.parent)
    meanwhile = mode(part)
    link.release()
    out, err = child.communicate(timeout=120)
    assert child.returncode == 0, (out, err)
    return meanwhile


def test_sec_6_nobody_else_can_read_a_file_while_it_is_uploaded(b):
    """SEC-6: whatever its mode will be; then it has that"""
    for final in (0o600, 0o644, 0o640):
        goal = b.folder / f"to-{final:o}" / "key"
        goal.parent.mkdir(mode=0o755)
        source = b.write("key", os.urandom(2_000_000), final)
        assert held_upload(b, ["file", "upload", source, goal, "-t", "web"], goal) & 0o077 == 0
        assert mode(goal) == final and goal.read_bytes() == source.read_bytes()


def test_sec_6_nobody_else_can_read_a_text_while_it_is_written(b):
    """SEC-6: write_file"""
    goal = b.folder / "written" / "secret"
    goal.parent.mkdir(mode=0o755)
    b.write("project/plans/w.pp", "plan site::w(TargetSpec $targets, String $goal) {\n"
            "  $line = Integer[1, 20000].map |$i| { \"${sprintf('%099d', $i)}\\n\" }\n"
            "  write_file($line.join(''), $goal, $targets)\n}\n")
    assert held_upload(b, ["plan", "run", "site::w", "targets=web", f"goal={goal}"], goal) & 0o077 == 0
    assert mode(goal) == 0o600 and goal.stat().st_size == 2_000_000


def test_sec_6_nobody_else_can_look_into_a_folder_while_it_is_uploaded(b):
    """SEC-6: a private folder with a file that all could read; with tar and without it"""
    source = b.folder / "source"
    source.mkdir()
    b.write("source/big", os.urandom(2_000_000), 0o644)
    b.write("source/inner/small", "s", 0o644)
    source.chmod(0o700)
    (source / "inner").chmod(0o750)
    for tty in (False, True):
        goal = b.folder / f"to-{tty}" / "copy"
        goal.parent.mkdir(mode=0o755)
        assert held_upload(b, ["file", "upload", source, goal, "-t", "web"], goal, **({"tty": True} if tty else {})) & 0o077 == 0
        assert mode(goal) == 0o700 and mode(goal / "inner") == 0o750 and mode(goal / "big") == 0o644
        assert (goal / "big").read_bytes() == (source / "big").read_bytes()
    source.chmod(0o755)
    goal = b.folder / "open" / "copy"
    goal.parent.mkdir()
    assert held_upload(b, ["file", "upload", source, goal, "-t", "web"], goal) & 0o077 == 0
    assert mode(goal) == 0o755


@needs_root
def test_sec_6_nor_under_run_as(b):
    """SEC-6: as the other user"""
    account, other = b.user(sudo=[FREE]), b.user()
    source = b.write("key", os.urandom(2_000_000), 0o600)
    goal = other.home / "key"
    other.home.chmod(0o755)
    assert held_upload(b, ["file", "upload", source, goal, "-t", "web", "--run-as", other.name], goal, user=account.name) & 0o077 == 0
    assert mode(goal) == 0o600 and goal.owner() == other.name


# ---- SEC-17.3: our own messages

FORGER = r"""#!/bin/bash
ids=$(cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' ' ' | grep -oE '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}' | sort -u)
for id in $ids; do
  for stream in 1 2; do
    for message in "error EXEC_ERROR forged" "start 1" "done " "ready" "prompt"; do
      printf '[[%s %s %s]]' "$id" "$message" "$id" >&$stream
    done
  done
done
echo; echo well
"""


@needs_root
def test_sec_17_3_a_program_cannot_forge_our_messages(b):
    """SEC-17.3: all that it can see of the other processes does not make its success a failure"""
    account, other = b.user(sudo=[FREE]), b.user()
    for tty in (False, True):
        b.ssh_inventory(user=account.name, tty=tty)
        forger = b.write("forger.sh", FORGER, 0o755)
        for words in (("command", "run", str(forger)), ("script", "run", forger)):
            run = b.run(*words, "-t", "web", "--run-as", other.name, "--format", "json")
            assert run.status == 0 and run.value()["stdout"].replace("\r", "").endswith("\nwell\n"), run


TTY_FORGER = r"""
import glob, os, re
while True:
    seen = set()
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            seen |= set(re.findall(rb"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", open(path, "rb").read()))
        except OSError:
            pass
    for name in glob.glob("/dev/pts/[0-9]*") if seen else ():
        try:
            terminal = os.open(name, os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
        except OSError:
            continue
        try:
            os.write(terminal, b"".join(b"[[" + one + b" prompt " + one + b"]]" for one in seen))
        except OSError:
            pass
        os.close(terminal)
"""


@needs_root
def test_sec_17_3_a_member_of_the_group_tty_cannot_forge_the_prompt(b):
    """SEC-17.3: terminals may be written on by the group tty"""
    account = b.user(sudo=ASKS)
    b.ssh_inventory(user=account.name, tty=True, **{"sudo-password": account.password})
    script = b.write("forger.py", TTY_FORGER)
    forger = subprocess.Popen(["setpriv", "--reuid", "nobody", "--regid", "tty", "--clear-groups", "/usr/bin/python3", script])
    b.undo(lambda: (forger.kill(), forger.wait()))
    for _ in range(3):
        run = b.run("command", "run", "id -un", "-t", "web", "--run-as", "root", "--format", "json")
        assert run.status == 0 and run.value()["stdout"] == "root\r\n", run
        assert forger.poll() is None


@needs_root
def test_sec_17_5_a_password_that_sudo_repeats_is_not_shown(b):
    """SEC-17.5: not in the error, not in JSON, not in a log; a sudo that is not a sudo gets its prompt as an option"""
    account = b.user()
    log = b.folder / "debug.log"
    b.write("project/bolt-project.yaml", json.dumps({"name": "site", "log": {str(log): {"level": "trace"}}}))
    mine = b.write("my-sudo", "#!/bin/sh\nwhile [ $# -gt 0 ]; do [ \"$1\" != -p ] || prompt=$2; shift; done\n"
                   "printf %s \"$prompt\" >&2; IFS= read -r password\n"
                   "echo \"my-sudo: '$password' is what you said: $password\" >&2; exit 1\n", 0o755)
    for tty in (False, True):
        b.ssh_inventory(user=account.name, tty=tty, **{"sudo-executable": str(mine), "sudo-password": account.password})
        for form in ("human", "json"):
            run = b.run("command", "run", "id", "-t", "web", "--run-as", "root", "--format", form, "--log-level", "trace")
            assert run.status == 1 and "is what you said" in run.out, run
            assert account.password not in run.out + run.err, run
    assert account.password not in log.read_text()


# ---- SEC-17.4: whose keys and configuration are used

def test_sec_17_4_a_key_that_others_can_read_is_not_used(b):
    """SEC-17.4: as ssh does"""
    key = b.folder / "key"
    shutil.copy(b.lab.keys.user(), key)
    for bad in (0o644, 0o640, 0o620, 0o604):
        key.chmod(bad)
        b.ssh_inventory(**{"private-key": str(key)})
        run = b.run("command", "run", "echo in", "-t", "web", "--format", "json")
        assert run.status in (1, 2) and run.error()["issue_code"] == "AUTH_ERROR", run
        assert f"chmod 600 {key}" in run.error()["msg"] and f"{bad:04o}" in run.error()["msg"], run
    for good in (0o600, 0o400):
        key.chmod(good)
        assert b.run("command", "run", "echo in", "-t", "web").status == 0


@needs_root
def test_sec_17_4_an_ssh_config_of_somebody_else_is_not_used(b):
    """SEC-17.4: also one that is included, and with native-ssh"""
    mark = b.folder / "mark"
    other = b.user()
    config, included = b.home / ".ssh" / "config", b.home / ".ssh" / "more"
    evil = f'Match exec "touch {mark}"\n  Port 9\n'
    for native in (False, True):
        b.ssh_inventory(**({"native-ssh": True} if native else {}))
        for bad in ("0666", "0664", "owner", "included"):
            config.write_text(evil if bad != "included" else "Include more\n")
            config.chmod(int(bad, 8) if bad.startswith("0") else 0o600)
            included.write_text(evil)
            included.chmod(0o622)
            if bad == "owner":
                os.chown(config, other.uid, -1)
            run = b.run("command", "run", "echo in", "-t", "web", "--format", "json")
            assert run.status in (1, 2), run
            assert str(config if bad != "included" else included) in run.error()["msg"], run
            assert not mark.exists()
            config.unlink()
        included.unlink()
    b.ssh_inventory()
    config.write_text("Host *\n  ConnectTimeout 60\n")
    config.chmod(0o644)
    assert b.run("command", "run", "echo in", "-t", "web").status == 0


# ---- SEC-17.9: downloads

def test_sec_17_9_a_download_without_its_end_is_none(b):
    """SEC-17.9: a server that swallows our last message but says that all went well; uploads likewise"""
    script = b.write("forced", "#!/bin/bash\n/bin/sh -c \"$SSH_ORIGINAL_COMMAND\" 2> >(sed 's/ done / gone /g' >&2)\nsleep 0.1\nexit 0\n", 0o755)
    b.ssh_inventory(b.sshd(f"ForceCommand {script}"))
    b.write("there/file", "content")
    run = b.run("file", "download", b.folder / "there" / "file", b.folder / "down", "-t", "web", "--format", "json")
    assert run.status == 1 and run.error()["kind"] == "puppetlabs.tasks/task_file_error", run
    assert run.error()["issue_code"] == "DOWNLOAD_ERROR" and "interrupted" in run.error()["msg"], run
    assert not [path for path in (b.folder / "down").rglob("*") if path.is_file()]
    run = b.run("file", "upload", b.folder / "there" / "file", b.folder / "up", "-t", "web", "--format", "json")
    assert run.status == 1 and run.error()["issue_code"] == "WRITE_ERROR", run


# ---- SEC-17.11: known_hosts

def test_sec_17_11_a_known_hosts_file_that_cannot_be_read_is_reported(b):
    """SEC-17.11: whether the host is known cannot be found out; nothing is accepted meanwhile"""
    b.ssh_inventory()
    known = b.home / ".ssh" / "known_hosts"
    text = known.read_bytes()
    known.unlink()
    known.symlink_to("known_hosts")
    for config in ("", "StrictHostKeyChecking accept-new\n"):
        b.write("home/.ssh/config", config, 0o600)
        if config:  # the inventory's own option would win
            inventory = json.loads((b.project / "inventory.yaml").read_text())
            del inventory["config"]["ssh"]["host-key-check"]
            b.inventory(json.dumps(inventory))
        run = b.run("command", "run", "echo in", "-t", "web", "--format", "json")
        assert run.status in (1, 2) and run.error()["issue_code"] == "HOST_KEY_ERROR", run
        assert str(known) in run.error()["msg"] and "Too many levels of symbolic links" in run.error()["msg"], run
        assert "ssh-keyscan" not in run.error()["msg"], run
    known.unlink()
    known.mkdir()
    run = b.run("command", "run", "echo in", "-t", "web", "--format", "json")
    assert "Is a directory" in run.error()["msg"], run
    (b.home / ".ssh" / "known_hosts2").write_bytes(text)
    assert b.run("command", "run", "echo in", "-t", "web").status == 0, "another file knows the host"
