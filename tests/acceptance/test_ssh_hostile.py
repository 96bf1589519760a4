"""Names, servers and targets that mean harm. Each was seen to do harm at d3ea0fd (issue 11, SEC-1 to SEC-3)."""
import json
import os
import signal
import struct
import time
from urllib.parse import quote

from harness.hostile import VERSION, flood, key_exchange_offer, say, unimplemented
from harness.hostile_ssh import SERVICE_REQUEST, ssh_server, text
from harness.local_server import LocalServer
from harness.patience import wait_for, wait_for_end


def hostile(b, behave):
    server = LocalServer(behave)
    b.undo(server.close)
    return server


def targets(b, entries, **options):
    """An inventory of targets given as dictionaries, without checks of host keys."""
    section = {"host-key-check": False, "user": b.me, "private-key": str(b.lab.keys.user()), "connect-timeout": 60, **options}
    b.inventory(json.dumps({"config": {"ssh": section}, "targets": entries}))


def fake_ssh(b):
    """An `ssh` that notes its words one a line and fails; and the environment in which it is the first on the PATH."""
    b.write("bin/ssh", f"#!/bin/sh\nprintf '%s\\n' \"$@\" END >>{b.folder}/ssh.log\necho refused by the stand-in >&2\nexit 255\n", 0o755)
    return {"PATH": f"{b.folder}/bin:{b.env['PATH']}"}


# ---- SEC-1: nothing in a target's name is an option

DASHED_USERS = ["-oProxyCommand=touch {mark};", "-oProxyCommand=touch {mark}", "-F/dev/null", "-", "a -oProxyCommand=touch {mark}"]


def test_sec_1_a_user_that_looks_like_an_option_is_refused(b):
    """SEC-1: in the URI and in the inventory, with native-ssh and without; the other targets go on"""
    mark = b.folder / "mark"
    server = b.lab.plain()
    for native in (False, True):
        for user in (text.format(mark=mark) for text in DASHED_USERS):
            uri = f"ssh://{quote(user, safe='')}@127.0.0.1:{server.port}"
            targets(b, [{"name": "by-user", "uri": f"127.0.0.1:{server.port}", "config": {"ssh": {"user": user}}},
                        {"name": "good", "uri": f"127.0.0.1:{server.port}"}], **({"native-ssh": True} if native else {}))
            run = b.run("command", "run", "echo in", "-t", f"{uri},by-user,good", "--format", "json", env=fake_ssh(b) if native else None)
            items = {item["target"]: item for item in run.json["items"]}
            bad = [item for name, item in items.items() if name != "good"]
            assert len(bad) == 2 and all(i["value"]["_error"]["kind"] == "puppetlabs.tasks/connect-error" for i in bad), run
            assert all("user name" in i["value"]["_error"]["msg"] for i in bad), run
            assert native or items["good"]["value"]["stdout"] == "in\n", run
            assert not mark.exists(), f"{user} was obeyed"
            words = (b.folder / "ssh.log").read_text() if native else ""
            assert user not in words.split("\n"), words


def test_sec_1_a_host_that_looks_like_an_option_is_refused(b):
    """SEC-1: the host of a target and of a jump host"""
    mark = b.folder / "mark"
    evil = f"-oProxyCommand=touch {mark}"
    for native in (False, True):
        targets(b, [{"name": "host", "config": {"ssh": {"host": evil}}},
                    {"name": "jump", "uri": "127.0.0.1:9", "config": {"ssh": {"proxyjump": evil}}},
                    {"name": "jump-user", "uri": "127.0.0.1:9", "config": {"ssh": {"proxyjump": f"{evil}@127.0.0.1"}}}],
                **({"native-ssh": True} if native else {}))
        run = b.run("command", "run", "echo in", "-t", "host,jump,jump-user", "--format", "json",
                    env=fake_ssh(b) if native else None)
        assert run.status == 1, run
        assert all(item["status"] == "failure" for item in run.json["items"]), run
        assert not mark.exists()


def test_sec_1_the_fallback_does_not_obey_names_either(b):
    """SEC-1: a server of the attacker's offers RSA only, so that the ssh program is started by itself"""
    mark = b.folder / "mark"
    server = b.sshd(host_keys=("rsa",))
    user = quote(f"-oProxyCommand=touch {mark};", safe="")
    run = b.run("command", "run", "id", "-t", f"ssh://{user}@127.0.0.1:{server.port}", "--format", "json",
                "--private-key", b.lab.keys.user())
    assert run.status == 1 and run.json["items"][0]["status"] == "failure", run
    assert not mark.exists(), run


def test_sec_1_ssh_gets_the_names_where_they_cannot_be_options(b):
    """SEC-1: `-l USER`, and `--` before the host, also when the master is asked or ended"""
    targets(b, [{"name": "web", "uri": "127.0.0.1:9"}], **{"native-ssh": True})
    run = b.run("command", "run", "echo in", "-t", "web", env=fake_ssh(b))
    assert run.status in (1, 2), run
    for words in (b.folder / "ssh.log").read_text().split("END\n")[:-1]:
        words = words.splitlines()
        at = words.index("127.0.0.1")
        assert words[at - 3:at] == ["-l", b.me, "--"], words


# ---- SEC-2: nothing in a target's name is a shell's

SHELL_USERS = ["a`touch {mark}`", "a;touch {mark}", "a|touch {mark}", "a&touch {mark}", "a$(touch {mark})", "a>{mark}",
               "a\ntouch {mark}", "a'b", 'a"b', "a(b", "a{b", "a\\"]
SHELL_HOSTS = ["a`touch {mark}`", "a;touch {mark}", "a$(touch {mark})", "a$IFS", "a|b", "a&b", "a>b", "a\nb", "a b", "a,b", "a\\b",
               "a'b", 'a"b']


def test_sec_2_names_with_shell_syntax_reach_no_shell(b):
    """SEC-2, CVE-2023-51385: ProxyCommand and Match exec with %r, %h, %n"""
    mark = b.folder / "mark"
    asked = b.folder / "asked"
    for config in (f'Host *\n  ProxyCommand echo %h %n %r >>{asked}; false\n', f'Match exec "echo %r %h %n >>{asked}"\n  Port 9\n'):
        b.write("home/.ssh/config", config, 0o600)
        entries = [{"name": f"u{i}", "uri": "127.0.0.1:9", "config": {"ssh": {"user": user.replace("{mark}", str(mark))}}}
                   for i, user in enumerate(SHELL_USERS)]
        entries += [{"name": f"h{i}", "config": {"ssh": {"host": host.replace("{mark}", str(mark)), "user": "a"}}}
                    for i, host in enumerate(SHELL_HOSTS)]
        for native in (False, True):
            targets(b, entries, **({"native-ssh": True} if native else {}))
            run = b.run("command", "run", "id", "-t", "all", "--format", "json", env=fake_ssh(b) if native else None)
            assert len(run.json["items"]) == len(entries), run
            for item in run.json["items"]:
                assert item["status"] == "failure" and "is not allowed" in item["value"]["_error"]["msg"], item
            assert not mark.exists() and not asked.exists(), "a name reached a shell"
        targets(b, [{"name": "fine", "config": {"ssh": {"host": "some-host_1.example", "user": "DOMAIN\\some.user+x"}}}])
        b.run("command", "run", "id", "-t", "fine", "--format", "json")
        assert "some-host_1.example" in asked.read_text(), "names that mean nothing to a shell pass"
        asked.unlink()


def test_sec_2_jump_hosts_with_shell_syntax_reach_no_shell(b):
    """SEC-2: a hop has its own ssh_config, in which commands may be"""
    mark = b.folder / "mark"
    b.write("home/.ssh/config", f'Match exec "true %r %h"\n  Port 9\n', 0o600)
    targets(b, [{"name": "user", "uri": "127.0.0.1:9", "config": {"ssh": {"proxyjump": f"a`touch {mark}`@127.0.0.1"}}},
                {"name": "host", "uri": "127.0.0.1:9", "config": {"ssh": {"proxyjump": f"a`touch {mark}`"}}}])
    run = b.run("command", "run", "id", "-t", "all", "--format", "json")
    assert all("is not a jump host" in item["value"]["_error"]["msg"] for item in run.json["items"]), run
    assert not mark.exists()


# ---- SEC-3: a server that floods is given up, and the others go on

FLOODS = {
    "one endless line": flood(b"A" * 65536),
    "lines without end": flood(b"hello\r\n" * 8192),
    "lines that almost say it": flood(b"SSH\r\nSS-H-\r\n xSSH-2.0\r\n" * 2048),
    "zero bytes": flood(bytes(65536)),
    "an endless version line": flood(b"A" * 65536, b"SSH-2.0-"),
    "offers without end": flood(key_exchange_offer() * 64, VERSION),
    "packets nobody asked for": flood(unimplemented() * 4096, VERSION + key_exchange_offer()),
    "such packets before the offer": flood(unimplemented() * 4096, VERSION),
}


def test_sec_3_servers_that_flood_do_not_stop_the_others(b):
    """SEC-3: each is given up after a bounded amount, well before the timeout; memory stays small; the good ones answer"""
    servers = {name: hostile(b, behave) for name, behave in FLOODS.items()}
    good = b.lab.plain()
    targets(b, [{"name": name.replace(" ", "-"), "uri": f"127.0.0.1:{server.port}"} for name, server in servers.items()] +
            [{"name": f"good{i}", "uri": f"127.0.0.1:{good.port}"} for i in range(3)])
    run = b.run("command", "run", "echo in", "-t", "all", "--format", "json")
    assert len(run.json["items"]) == len(FLOODS) + 3, run
    for item in run.json["items"]:
        if item["target"].startswith("good"):
            assert item["value"]["stdout"] == "in\n", item
        else:
            error = item["value"]["_error"]
            assert error["kind"] == "puppetlabs.tasks/connect-error", error
            assert "Timeout" not in error["msg"] and "\n" not in error["msg"], error
    assert run.rss_mib < (300 if "ASAN_OPTIONS" not in os.environ else 900), f"{run.rss_mib} MiB"
    for name, server in servers.items():
        assert server.connections == 1, f"a server that floods ({name}) is not asked again"


def test_sec_3_a_proxy_command_that_floods(b):
    """SEC-3: `ProxyCommand yes`, and one that never ends its line"""
    good = b.lab.plain()
    b.write("home/.ssh/config", "Host yes\n  ProxyCommand yes\nHost zero\n  ProxyCommand cat /dev/zero\n", 0o600)
    targets(b, [{"name": "yes", "uri": "yes"}, {"name": "zero", "uri": "zero"}, {"name": "good", "uri": f"127.0.0.1:{good.port}"}])
    run = b.run("command", "run", "echo in", "-t", "all", "--format", "json")
    assert run.value("good")["stdout"] == "in\n", run
    assert "without an SSH identification string" in run.error("yes")["msg"], run
    assert "Timeout" not in run.error("zero")["msg"], run


def test_sec_3_a_text_before_the_version_is_allowed(b):
    """SEC-3: RFC 4253, 4.2: a server may say something first"""
    good = b.lab.plain()

    def polite(connection):
        import socket
        import threading
        connection.sendall(b"Welcome to the machine room\r\n" * 300)
        server = socket.create_connection(("127.0.0.1", good.port))
        b.undo(server.close)

        def copy(source, sink):
            try:
                while data := source.recv(65536):
                    sink.sendall(data)
                sink.shutdown(socket.SHUT_WR)
            except OSError:
                pass
        threading.Thread(target=copy, args=(connection, server), daemon=True).start()
        copy(server, connection)
    server = hostile(b, polite)
    targets(b, [{"name": "web", "uri": f"127.0.0.1:{server.port}"}])
    run = b.run("command", "run", "echo in", "-t", "web", "--format", "json")
    assert run.value()["stdout"] == "in\n", run


def test_sec_3_an_interrupt_ends_the_run_while_a_server_dribbles(b):
    """SEC-3: Ctrl-C works while servers send what they can, and one sends just enough to stay"""
    def dribble(connection):
        while True:
            connection.sendall(b"\r\n")
            time.sleep(0.05)
    server = hostile(b, dribble)
    flooding = [hostile(b, flood(b"A" * 65536)) for _ in range(3)]
    targets(b, [{"name": "slow", "uri": f"127.0.0.1:{server.port}"}] +
            [{"name": f"flood{i}", "uri": f"127.0.0.1:{one.port}"} for i, one in enumerate(flooding)], **{"connect-timeout": 600})
    child = b.start("command", "run", "id", "-t", "all")
    wait_for(lambda: server.connections and all(one.connections for one in flooding), "the connections")
    os.kill(child.pid, signal.SIGINT)
    wait_for_end(child.pid)


# ---- SEC-17.1: control characters of others

EVIL = b"\x1b]0;owned\x07\x9b31m\xc2\x9b31m\x7f\xe2\x80\xae\r"


def is_clean(data):
    text = data.decode("utf-8", "strict")
    return not any(ord(c) < 32 and c not in "\n\t" or 0x7F <= ord(c) < 0xA0 or c in "\u202e\u2028" for c in text)


def test_sec_17_1_control_characters_of_servers_and_names_are_escaped(b):
    """SEC-17.1: what a server says before its key is checked, and a target's own name"""
    server = hostile(b, say(EVIL + b"\r\n"))
    log = b.folder / "debug.log"
    b.write("project/bolt-project.yaml", json.dumps({"name": "site", "log": {str(log): {"level": "trace"}}}))
    for form in ("human", "json"):
        targets(b, [{"name": "web", "uri": f"127.0.0.1:{server.port}"}], **{"connect-timeout": 1})
        run = b.run("command", "run", "id", "-t", "web", "--format", form)
        assert run.status in (1, 2) and "\\x1B]0;owned\\x07" in run.out.replace("\\\\", "\\"), run
        assert is_clean(run.stdout) and is_clean(run.stderr), run
    name = "ssh://a%1B]0;x@127.0.0.1/\x1b]0;owned\x07"
    run = b.run("command", "run", "id", "-t", name)
    assert is_clean(run.stdout) and is_clean(run.stderr), run
    assert is_clean(log.read_bytes())


def test_sec_3_a_server_that_floods_before_the_login_is_done(b):
    """SEC-3: after the key exchange it sends what nobody asked for, or never-ending new key exchanges"""
    def behave(payload):
        def flooding(session):
            while True:
                session.connection.sendall(b"".join(session.sealed(payload) for _ in range(256)))
        return flooding
    payloads = {"unimplemented": b"\x03" + bytes(4), "ignored": b"\x02" + text(bytes(1000)), "banner": b"\x35" + text("x" * 1000) + text(""),
                "keys": key_exchange_offer()[5:-4]}
    servers = {name: ssh_server(b, after_keys=behave(payload)) for name, payload in payloads.items()}
    good = b.lab.plain()
    targets(b, [{"name": name, "uri": f"127.0.0.1:{server.port}"} for name, server in servers.items()] +
            [{"name": "good", "uri": f"127.0.0.1:{good.port}"}])
    run = b.run("command", "run", "echo in", "-t", "all", "--format", "json")
    assert run.value("good")["stdout"] == "in\n", run
    for name in servers:
        assert "Timeout" not in run.error(name)["msg"], run
    assert run.rss_mib < (300 if "ASAN_OPTIONS" not in os.environ else 900), f"{run.rss_mib} MiB"


def test_sec_3_a_server_that_floods_after_the_login(b):
    """SEC-3: the memory that it can take is limited, and the others go on"""
    def flooding(session):
        session.open_channel()
        while True:
            session.connection.sendall(b"".join(session.sealed(b"\x03" + bytes(30000)) for _ in range(32)))
    server = ssh_server(b, after_login=flooding)
    good = b.lab.plain()
    targets(b, [{"name": "bad", "uri": f"127.0.0.1:{server.port}"}, {"name": "good", "uri": f"127.0.0.1:{good.port}"}])
    run = b.run("command", "run", "echo in", "-t", "all", "--format", "json")
    assert run.value("good")["stdout"] == "in\n", run
    assert "were not requested" in run.error("bad")["msg"], run
    assert run.rss_mib < (400 if "ASAN_OPTIONS" not in os.environ else 900), f"{run.rss_mib} MiB"


def test_the_lab_server_that_keeps_to_the_protocol_is_understood(b):
    """Without this the other tests with it would prove nothing."""
    server = ssh_server(b, on_command=lambda session, command, channel: session.end_command(channel, struct.pack(">I", 7)))
    targets(b, [{"name": "web", "uri": f"127.0.0.1:{server.port}"}])
    run = b.run("command", "run", "echo in", "-t", "web", "--format", "json")
    assert run.value()["exit_code"] == 7, run


def test_sec_17_9_an_exit_status_that_is_cut_short_is_not_a_success(b):
    """SEC-17.9: RFC 4254, 6.10: it has four bytes"""
    for status in (b"", b"\0", b"\x07", b"\0\0\x07"):
        server = ssh_server(b, on_command=lambda session, command, channel, status=status: session.end_command(channel, status))
        targets(b, [{"name": "web", "uri": f"127.0.0.1:{server.port}"}])
        run = b.run("command", "run", "echo in", "-t", "web", "--format", "json")
        assert run.status == 1 and run.error()["kind"] == "puppetlabs.tasks/connect-error", (status, str(run))


def test_sec_17_1_what_a_server_says_at_a_disconnection_is_escaped(b):
    """SEC-17.1: and so are the names of the ways to log in that it knows"""
    def leaving(session):
        session.send(b"\x01" + struct.pack(">I", 2) + text(EVIL) + text(""))

    def refusing(session):
        while True:
            packet = session.receive()
            if packet[0] == SERVICE_REQUEST:
                session.send(b"\x06" + packet[1:])
            else:
                session.send(b"\x33" + text(b"password," + EVIL + b"\n") + b"\0")
    for behave in (leaving, refusing):
        server = ssh_server(b, after_keys=behave)
        targets(b, [{"name": "web", "uri": f"127.0.0.1:{server.port}"}])
        run = b.run("command", "run", "id", "-t", "web", "--log-level", "trace")
        assert run.status in (1, 2) and is_clean(run.stdout) and is_clean(run.stderr), run
