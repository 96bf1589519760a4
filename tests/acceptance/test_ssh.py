"""Section 5.3 of the checklist and "SSH, done well": logging in, host keys, ssh_config, jumps, native-ssh."""
import json
import os
import signal
import subprocess
from pathlib import Path

from harness.bench import HANGS, Skip, needs_root
from harness.lab import free_port, wait_for_port
from harness.patience import text_of, wait_for


def ok(b, *words, target="web", **settings):
    run = b.run("command", "run", "echo in", "-t", target, "--format", "json", *words, **settings)
    assert run.status == 0 and run.value(target)["stdout"] == "in\n", run
    return run


def refused(b, issue, *words, say=(), target="web", **settings):
    run = b.run("command", "run", "echo in", "-t", target, "--format", "json", *words, **settings)
    assert run.status == 1, run
    error = run.value(target)["_error"]
    assert error["kind"] == "puppetlabs.tasks/connect-error" and error["issue_code"] == issue, error
    assert "\n" not in error["msg"].strip(), error
    for text in [say] if isinstance(say, str) else say:
        assert text in error["msg"], error
    assert run.json["items"][0]["object"] is None, "compatibility: RES-004"
    return error


# ---- authentication

def test_ssh_003_each_kind_of_key(b):
    """SSH-003, OPT-011: ed25519, ecdsa, RSA (also with libssh2 1.10), PEM"""
    for kind in ("ed25519", "ecdsa", "rsa", "rsa_pem"):
        b.ssh_inventory(key=kind)
        ok(b)
    b.ssh_inventory(key=None)
    ok(b, "--private-key", b.lab.keys.user("ed25519"))


def test_ssh_004_key_data(b):
    """SSH-004"""
    b.ssh_inventory(**{"private-key": {"key-data": b.lab.keys.user("ed25519").read_text()}})
    ok(b)


def test_ssh_003_missing_key_only_warns(b):
    """SSH-003, LOG-009: then the login fails, with the reason"""
    b.ssh_inventory(**{"private-key": str(b.folder / "no-such-key")})
    refused(b, "AUTH_ERROR")
    assert "invalid_ssh_key" in b.run("command", "run", "true", "-t", "web").err


def test_ssh_012_a_key_the_server_does_not_know(b):
    """SSH-012, ERR-051"""
    b.ssh_inventory(**{"private-key": str(b.lab.keys.folder / "stranger")})
    refused(b, "AUTH_ERROR", say="web")


def start_agent(b):
    lines = subprocess.run(["ssh-agent", "-s"], capture_output=True, text=True, check=True).stdout
    settings = dict(part.split("=", 1) for part in lines.replace(";", "\n").splitlines() if "=" in part)
    b.undo(lambda: subprocess.run(["kill", settings["SSH_AGENT_PID"]], check=False))
    return {"SSH_AUTH_SOCK": settings["SSH_AUTH_SOCK"]}


def test_ssh_008_agent(b):
    """SSH-008, ENV-006: ed25519 and RSA keys in an agent; an empty variable turns it off"""
    for kind in ("ed25519", "rsa"):
        agent = start_agent(b)
        subprocess.run(["ssh-add", "-q", b.lab.keys.user(kind)], env={**b.env, **agent}, check=True)
        b.ssh_inventory(key=None)
        ok(b, env=agent)
        refused(b, "AUTH_ERROR", env={"SSH_AUTH_SOCK": ""})


def test_ssh_007_load_config_false_ignores_config_and_agent(b):
    """SSH-007: compatibility"""
    agent = start_agent(b)
    subprocess.run(["ssh-add", "-q", b.lab.keys.user("ed25519")], env={**b.env, **agent}, check=True)
    b.ssh_inventory(key=None, **{"load-config": False})
    refused(b, "AUTH_ERROR", env=agent)


def test_ssh_003_a_dead_agent_does_not_matter(b):
    """SSH-008: the agent's socket is gone, the key file still works"""
    b.ssh_inventory()
    ok(b, env={"SSH_AUTH_SOCK": str(b.folder / "gone.sock")})


@needs_root
def test_opt_009_password(b):
    """OPT-008, OPT-009, OPT-010, SSH-001: password and keyboard-interactive; never shown"""
    account = b.user()
    for extra in ("UsePAM no\nKbdInteractiveAuthentication no", "UsePAM yes\nKbdInteractiveAuthentication yes\nPasswordAuthentication no"):
        b.ssh_inventory(b.sshd(extra), user=account.name, key=None)
        run = ok(b, "--password", account.password, "--log-level", "trace")
        assert account.password not in run.out + run.err, "the password was printed"
        refused(b, "AUTH_ERROR", "--password", "wrong-" + account.password)
    text, status = b.terminal("command", "run", "id -un", "-t", "web", "--password-prompt",
                              answers=[("assword", account.password + "\n")])
    assert status == 0 and account.name in text and account.password not in text, text


def test_ssh_user_in_the_uri(b):
    """INV-055"""
    server = b.ssh_inventory()
    known = b.home / ".ssh" / "known_hosts"
    assert known.exists()
    target = f"{b.me}@{server.address}:{server.port}"
    run = b.run("command", "run", "echo in", "-t", target, "--private-key", b.lab.keys.user(), "--format", "json")
    assert run.status == 0 and run.json["items"][0]["target"] == target, run
    bad = f"nobody-here@{server.address}:{server.port}"
    run = b.run("command", "run", "true", "-t", bad, "--private-key", b.lab.keys.user(), "--format", "json")
    assert run.json["items"][0]["value"]["_error"]["issue_code"] == "AUTH_ERROR", run


# ---- host keys

def test_ssh_005_known_hosts_forms(b):
    """SSH-005, SSH-006: [host]:port, hashed, several kinds of keys"""
    server = b.sshd(host_keys=("ed25519", "ecdsa"))
    b.ssh_inventory(server)
    ok(b)
    b.ssh_inventory(server, known_hosts=server.known_hosts(hashed=True))
    ok(b)
    # only the kind that the client would not ask for first
    for kind in ("ecdsa", "ed25519"):
        (b.home / ".ssh" / "known_hosts").write_text(f"[127.0.0.1]:{server.port} {b.lab.keys.host_public(kind)}\n")
        ok(b)


def test_ssh_012_unknown_host_key(b):
    """SSH-005, SSH-012"""
    server = b.ssh_inventory(b.sshd())
    known = b.home / ".ssh" / "known_hosts"
    known.write_text("")
    refused(b, "HOST_KEY_ERROR", say=["web", "SHA256:", "known_hosts"])
    assert known.read_text() == "", "nothing is recorded by a refusal"
    ok(b, "--no-host-key-check", "--inventoryfile", b.write("plain.yaml", json.dumps({
        "config": {"ssh": {"private-key": str(b.lab.keys.user())}},
        "targets": [{"name": "web", "uri": f"{b.me}@127.0.0.1:{server.port}"}]})))


def test_ssh_012_changed_host_key_names_file_and_line(b):
    """SSH-006, SSH-012"""
    server = b.ssh_inventory(b.sshd())
    (b.home / ".ssh" / "known_hosts").write_text(
        f"# a comment\n[127.0.0.1]:{server.port} " + " ".join((b.lab.keys.folder / "stranger.pub").read_text().split()[:2]) + "\n")
    error = refused(b, "HOST_KEY_ERROR", say="known_hosts")
    assert ":2" in error["msg"] or "line 2" in error["msg"], error


def test_ssh_revoked_host_key(b):
    """@revoked is refused whatever else the file says"""
    server = b.ssh_inventory(b.sshd())
    known = b.home / ".ssh" / "known_hosts"
    known.write_text(known.read_text() + "@revoked * " + b.lab.keys.host_public("ed25519") + "\n")
    refused(b, "HOST_KEY_ERROR", say="revoked")
    assert server.port


def test_ssh_a_malformed_line_does_not_end_known_hosts(b):
    """known_hosts: what follows a broken line is read"""
    b.ssh_inventory(b.sshd())
    known = b.home / ".ssh" / "known_hosts"
    known.write_text("[broken\n|1|xx|\nhost ssh-ed25519 !!!\n\n" + known.read_text())
    ok(b)


def test_ssh_005_accept_new(b):
    """SSH-005: StrictHostKeyChecking accept-new and no record a new key; the second run is strict"""
    for word in ("accept-new", "no"):
        server = b.ssh_inventory(b.sshd())
        inventory = json.loads((b.project / "inventory.yaml").read_text())
        del inventory["config"]["ssh"]["host-key-check"]
        b.inventory(json.dumps(inventory))
        known = b.home / ".ssh" / "known_hosts"
        known.write_text("")
        b.write("home/.ssh/config", f"Host *\n  StrictHostKeyChecking {word}\n  HashKnownHosts no\n", 0o600)
        ok(b)
        found = subprocess.run(["ssh-keygen", "-F", f"[127.0.0.1]:{server.port}", "-f", known], capture_output=True, check=False)
        assert found.returncode == 0, known.read_text()  # hashed or not, as HashKnownHosts says
        b.write("home/.ssh/config", "Host *\n  StrictHostKeyChecking yes\n", 0o600)
        ok(b)


def test_ssh_rsa_only_host_key(b):
    """A server with only an RSA host key: libssh2 1.10 goes through ssh, with an info line; never a riddle"""
    b.ssh_inventory(b.sshd(host_keys=("rsa",)))
    run = ok(b, "--log-level", "info")
    assert run.json["items"][0]["status"] == "success"


def test_ssh_certificate(b):
    """A key accepted only through its certificate"""
    keys = b.folder / "cert"
    keys.mkdir()
    for name in ("ca", "id"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", keys / name], check=True)
    subprocess.run(["ssh-keygen", "-q", "-s", keys / "ca", "-I", "me", "-n", b.me, "-V", "always:forever", keys / "id.pub"], check=True)
    b.ssh_inventory(b.sshd(f"TrustedUserCAKeys {keys}/ca.pub"), **{"private-key": str(keys / "id")})
    ok(b)


# ---- ssh_config

def test_ssh_config_is_honoured(b):
    """SSH-001, SSH-002, TRN-020: Host, HostName, Port, User, IdentityFile, Include, Match"""
    server = b.ssh_inventory(b.sshd())
    b.inventory("targets: [alias-one, alias-two]\n")
    b.write("home/.ssh/extra", f"Match originalhost alias-two\n  Port {server.port}\n", 0o600)
    b.write("home/.ssh/config", f"""
Include extra
Host alias-one
  Port={server.port}
Host alias-* !other
  HostName 127.0.0.1
  User {b.me}
  IdentityFile {b.lab.keys.user()}
  UserKnownHostsFile {server.known_hosts()}
  IdentitiesOnly yes
""", 0o600)
    for name in ("alias-one", "alias-two"):
        ok(b, target=name)


def test_ssh_config_syntax_error_names_file_and_line(b):
    """ssh_config: one clear line"""
    b.ssh_inventory()
    b.write("home/.ssh/config", "Host *\n  Port none\n", 0o600)
    run = b.run("command", "run", "true", "-t", "web")
    assert "config" in run.out + run.err and "2" in run.out + run.err, run


def test_ssh_proxycommand(b):
    """ProxyCommand"""
    server = b.ssh_inventory(b.sshd())
    b.inventory("targets: [behind]\n")
    relay = b.write("relay.py", """import socket, sys, threading, os
s = socket.create_connection((sys.argv[1], int(sys.argv[2])))
def up():
    while (d := os.read(0, 65536)): s.sendall(d)
    s.shutdown(socket.SHUT_WR)
threading.Thread(target=up, daemon=True).start()
while (d := s.recv(65536)): os.write(1, d)
""")
    b.write("home/.ssh/config", f"""Host behind
  HostName 127.0.0.1
  Port {server.port}
  User {b.me}
  IdentityFile {b.lab.keys.user()}
  UserKnownHostsFile {server.known_hosts()}
  ProxyCommand python3 {relay} %h %p
""", 0o600)
    ok(b, target="behind")


def test_ssh_009_proxyjump_through_two_hops(b):
    """SSH-009: targets behind the same jump host share its session (a busy machine may make it open a second)"""
    target, inner, outer = b.sshd(), b.sshd(), b.sshd()
    known = b.home / ".ssh" / "known_hosts"
    names = [f"t{i}" for i in range(8)]
    b.ssh_inventory(target, names=names, proxyjump=f"{b.me}@127.0.0.1:{outer.port},{b.me}@127.0.0.1:{inner.port}")
    known.write_text("".join(s.known_hosts().read_text() for s in (target, inner, outer)))
    run = b.run("command", "run", "echo in", "-t", ",".join(names), "--format", "json")
    assert run.status == 0 and run.json["target_count"] == 8, run
    for hop in (outer, inner):
        assert hop.log.count("Accepted publickey") <= 3, hop.log
    assert target.log.count("Accepted publickey") == 8, target.log


def test_ssh_009_a_jump_host_that_refuses(b):
    """SSH-009, SSH-012: the message names the jump host"""
    target = b.sshd()
    b.ssh_inventory(target, proxyjump=f"{b.me}@127.0.0.1:{free_port()}")
    refused(b, "CONNECT_ERROR", say="127.0.0.1")


# ---- native-ssh

def known_hosts_option(b):
    # OpenSSH looks for its files in the account's home, whatever $HOME says.
    return ["-o", f"UserKnownHostsFile={b.home}/.ssh/known_hosts"]


def native_inventory(b, **options):
    b.ssh_inventory(**{"native-ssh": True, "ssh-command": ["ssh", *known_hosts_option(b)], **options})


def test_ssh_018_native_ssh(b):
    """SSH-018, SSH-019, TRN-021, OPT-028: the same results through OpenSSH"""
    native_inventory(b)
    run = b.run("command", "run", "echo out; echo err >&2; exit 3", "-t", "web", "--format", "json")
    value = run.value()
    assert value["stdout"] == "out\n" and value["stderr"] == "err\n" and value["exit_code"] == 3, run
    assert b.run("command", "run", "exit 255", "-t", "web", "--format", "json").value()["exit_code"] == 255
    script = b.write("s.sh", "#!/bin/sh\necho \"<$1>\"\n")
    assert b.run("script", "run", script, "a b", "-t", "web", "--format", "json").value()["stdout"] == "<a b>\n"


def test_ssh_020_native_copy_command(b):
    """SSH-020"""
    wrapper = b.write("my-scp", f"#!/bin/sh\necho used >> {b.folder}/copy.log\nexec scp -r \"$@\"\n", 0o755)
    native_inventory(b, **{"copy-command": [str(wrapper), *known_hosts_option(b)]})
    source = b.write("payload", "content")
    run = b.run("file", "upload", source, b.folder / "uploaded", "-t", "web")
    assert run.status == 0 and (b.folder / "uploaded").read_text() == "content", run
    assert (b.folder / "copy.log").exists()


def test_ssh_018_native_ssh_that_cannot_log_in(b):
    """SSH-018"""
    native_inventory(b, **{"private-key": str(b.lab.keys.folder / "stranger")})
    refused(b, "CONNECT_ERROR")


def test_ssh_021_ssh_command_without_native_ssh(b):
    """SSH-021"""
    b.ssh_inventory(**{"ssh-command": "ssh"})
    run = ok(b)
    assert "native_ssh_disabled" in run.err, run


def test_trn_031_option_conflicts(b):
    """TRN-009, TRN-031"""
    for options in ({"native-ssh": True, "load-config": False}, {"login-shell": "powershell", "tty": True},
                    {"connect-timeout": 0}, {"login-shell": "tcl"}):
        b.ssh_inventory(**options)
        run = b.run("command", "run", "true", "-t", "web")
        assert run.status == 1 and any(option in run.out for option in options), run


# ---- connections

def test_ssh_012_nobody_listens(b):
    """SSH-012"""
    b.inventory(json.dumps({"targets": [{"name": "web", "uri": f"127.0.0.1:{free_port()}"}]}))
    refused(b, "CONNECT_ERROR", say="127.0.0.1")


def test_ssh_012_unresolvable_name(b):
    """SSH-012"""
    b.inventory("targets: [{name: web, uri: no-such-host.invalid}]")
    refused(b, "CONNECT_ERROR", say="no-such-host.invalid")


def test_inv_054_a_name_is_not_a_host(b):
    """INV-054: compatibility"""
    b.inventory("targets: [{name: web}]")
    run = b.run("command", "run", "true", "-t", "web", "--format", "json")
    assert run.status == 1 and "host" in run.out, run


def test_ssh_one_session_per_target(b):
    """One session per target for a task with files"""
    server = b.ssh_inventory(b.sshd())
    b.write("project/files/lib.sh", "echo lib\n")
    b.task("t.sh", '#!/bin/sh\n. "$PT__installdir/site/files/lib.sh"\n', {"files": ["site/files/lib.sh"]})
    run = b.run("task", "run", "site::t", "-t", "web", "--format", "json")
    assert run.value() == {"_output": "lib\n"}, run
    assert server.log.count("Accepted publickey") == 1, server.log


@needs_root  # a plain user's sshd may not hand out terminals
def test_ssh_011_tty(b):
    """SSH-011, OPT-030, SH-018"""
    b.ssh_inventory(tty=True)
    run = b.run("command", "run", "tty -s && echo yes; test -t 0 && echo in", "-t", "web", "--format", "json")
    assert "yes" in run.value()["stdout"], run
    b.task("t.sh", "#!/bin/sh\ncat\n", {"input_method": "stdin"})
    assert b.run("task", "run", "site::t", "a=1", "-t", "web", "--format", "json").value().get("a") == 1


def test_ssh_010_algorithms(b):
    """SSH-010: lists replace the defaults, unknown names are dropped"""
    b.ssh_inventory(b.sshd("KexAlgorithms ecdh-sha2-nistp256\nCiphers aes256-ctr\nMACs hmac-sha2-256"))
    ok(b)
    b.ssh_inventory(b.sshd(), **{"kex-algorithms": ["no-such-kex", "ecdh-sha2-nistp384"], "encryption-algorithms": ["aes192-ctr"],
                                "mac-algorithms": ["hmac-sha2-512"], "host-key-algorithms": ["ssh-ed25519"]})
    ok(b)
    b.ssh_inventory(b.sshd(), **{"kex-algorithms": ["ecdh-sha2-nistp384", "defaults"]})
    ok(b)
    b.ssh_inventory(b.sshd("Ciphers aes256-ctr"), **{"encryption-algorithms": ["aes128-ctr"]})
    refused(b, "CONNECT_ERROR")


def test_ssh_013_disconnect_does_not_hang(b):
    """SSH-013: a server that is stopped when we say goodbye"""
    server = b.ssh_inventory(b.sshd(), **{"disconnect-timeout": 1})
    inventory = json.loads((b.project / "inventory.yaml").read_text())
    inventory["targets"].append({"name": "here", "config": {"transport": "local"}})
    b.inventory(json.dumps(inventory))
    # A plan keeps the session of web, whose server stops while the plan still works elsewhere.
    answered, stopped = b.folder / "answered", b.folder / "stopped"
    waits = f"touch {answered}; i=0; while [ ! -e {stopped} ] && [ $i -lt 1200 ]; do i=$((i + 1)); sleep 0.05; done"
    b.write("project/plans/p.pp", "plan site::p() {\n  $said = run_command('echo late', 'web').first.value['stdout']\n"
            f"  run_command('{waits}', 'here')\n  return $said\n}}\n")
    child = b.start("plan", "run", "site::p", "--format", "json")
    wait_for(answered.exists, "the plan's second step")
    sessions = [pid for pid in server.sessions() if "sshd" in text_of(Path(f"/proc/{pid}/comm"))]  # not what ran in them
    assert sessions, server.log
    for pid in sessions:
        os.kill(pid, signal.SIGSTOP)
    stopped.touch()
    out, err = child.communicate(timeout=HANGS)  # without a limit of its own it would wait for ever
    assert child.returncode == 0 and json.loads(out) == "late\n", (out, err)


def test_ssh_dropbear(b):
    """Not only OpenSSH: dropbear, with an RSA key too"""
    dropbear = "/usr/sbin/dropbear"
    if not __import__("os").path.exists(dropbear):
        raise Skip("no dropbear")
    port = free_port()
    key = b.folder / "dropbear_key"
    subprocess.run(["dropbearkey", "-t", "ed25519", "-f", key], check=True, capture_output=True)
    home = b.folder / "home"
    # dropbear reads only ~/.ssh/authorized_keys of the account: the test uses a throw-away one
    account = b.user(shell="/bin/sh")
    folder = account.home / ".ssh"
    folder.mkdir(mode=0o700)
    (folder / "authorized_keys").write_text(b.lab.keys.authorized.read_text())
    subprocess.run(["chown", "-R", account.name, account.home], check=True)
    server = subprocess.Popen([dropbear, "-F", "-E", "-r", key, "-p", f"127.0.0.1:{port}", "-P", b.folder / "db.pid"],
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=open(b.folder / "db.log", "wb"))
    b.undo(lambda: (server.terminate(), server.wait()))
    wait_for_port(port, "127.0.0.1", server)
    assert home.exists()
    for kind in ("ed25519", "rsa"):
        b.inventory(json.dumps({"config": {"ssh": {"user": account.name, "host-key-check": False,
                                                   "private-key": str(b.lab.keys.user(kind))}},
                                "targets": [{"name": "web", "uri": f"127.0.0.1:{port}"}]}))
        ok(b)
    # SH-024: this server, too, is asked whether more comes.
    run = b.run("command", "run", "sleep 300 & echo $!; exit 3", "-t", "web", "--format", "json", timeout=60)
    assert run.value()["exit_code"] == 3, run
    subprocess.run(["kill", run.value()["stdout"].strip()], check=True)
