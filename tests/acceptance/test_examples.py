"""The projects in examples/, run as their READMEs say. (examples/hello is test_demo's.)"""
import csv
import json
import shlex
import shutil
import threading
import time
from pathlib import Path

from harness.patience import text_of

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def copied(b, name):
    """A copy of the example as the test's project, and the command lines of its README."""
    shutil.rmtree(b.project)
    shutil.copytree(EXAMPLES / name, b.project)
    readme = (b.project / "README.md").read_text()
    lines = [line.strip().split(" #")[0] for line in readme.splitlines() if line.startswith("    volley ")]
    return [shlex.split(line)[1:] for line in lines]


def checked(b):
    found = b.run("plan", "check", "--format", "json")
    assert found.status == 0 and found.json == [], found


def test_example_rolling(b):
    """examples/rolling: a canary, a few at a time, and back when it fails"""
    commands = copied(b, "rolling")
    checked(b)
    servers = b.folder / "servers"
    assert len(commands) == 3
    runs = [b.run(*(word.replace("/tmp/servers", str(servers)) for word in words), "--format", "json") for words in commands]
    assert [run.json for run in runs[:2]] == [["web1", "web2", "web3", "web4"]] * 2, runs
    assert runs[2].json["kind"] == "rolling/canary-failed", runs[2]

    def versions():
        return [(servers / f"web{i}" / "current").read_text().strip() for i in (1, 2, 3, 4)]
    assert versions() == ["1.1"] * 4
    # A later server that fails takes all of them back.
    (servers / "web3" / "current").rename(servers / "web3" / "was")
    (servers / "web3" / "current").mkdir()
    failed = b.run("plan", "run", "rolling", "version=2.0", f"folder={servers}", "--format", "json")
    assert failed.json["kind"] == "rolling/failed" and "1 of 4 servers failed" in failed.json["msg"], failed
    shutil.rmtree(servers / "web3" / "current", ignore_errors=True)
    (servers / "web3" / "was").rename(servers / "web3" / "current")
    assert versions() == ["1.1"] * 4, versions()


def inventory_of(b, servers, **config):
    """Targets by name on servers of the test's own, in the group that the example's inventory has."""
    (b.home / ".ssh" / "known_hosts").write_text("".join(s.known_hosts().read_text() for s in set(servers.values())))
    ssh = {"user": b.me, "private-key": str(b.lab.keys.user()), "connect-timeout": 60, **config}
    targets = [{"name": name, "uri": f"{server.address}:{server.port}"} for name, server in servers.items()]
    b.inventory(json.dumps({"groups": [{"name": "servers", "targets": targets}], "config": {"transport": "ssh", "ssh": ssh}}))
    return targets


def test_example_facts_csv(b):
    """examples/facts_csv: a line for every machine, also for one that cannot be asked; texts of machines stay texts"""
    commands = copied(b, "facts_csv")
    checked(b)
    gone = b.sshd()
    inventory_of(b, {"web1.example.com": b.lab.plain(), "web2.example.com": b.lab.plain(), "db1.example.com": gone})
    gone.stop()
    for words in commands:
        done = b.run(*words, "--format", "json")
        assert done.status == 0 and done.json["machines"] == 3 and done.json["failed"] == 1, done
    rows = list(csv.reader((b.folder / "machines.csv").open(newline="")))
    assert rows[0] == ["target", "os.name", "os.release.full", "kernel", "cpus", "memory_mib", "problem"], rows
    assert [row[0] for row in rows[1:]] == ["web1.example.com", "web2.example.com", "db1.example.com"], rows
    assert all(row[1] and row[3] and int(row[4]) >= 1 and int(row[5]) > 50 and row[6] == "" for row in rows[1:3]), rows
    assert rows[3][1:6] == [""] * 5 and "db1.example.com" in rows[3][6], rows
    assert list(csv.reader((b.folder / "servers.csv").open(newline="")))[0] == ["target", "os.family", "cpus", "problem"]
    line = b.write("project/plans/line.pp", "plan facts_csv::line(Array $v) { return facts_csv::line($v) }\n")
    assert line.exists()
    written = b.run("plan", "run", "facts_csv::line", 'v=["a,b", "say \\"hi\\"", "=1+2", "two\\nlines", null, 5]', "--format", "json").json
    assert written == "\"a,b\",\"say \"\"hi\"\"\",'=1+2,\"two\nlines\",,5\r\n", written


def patched_servers(b):
    """Three servers with an account each, whose home holds the id of its boot; going down is the test's to do."""
    servers, targets = {}, []
    for name in ("web1.example.com", "web2.example.com", "db1.example.com"):
        user, server = b.user(), b.sshd()
        servers[name] = (user, server)
        (user.home / "boot").write_text("first\n")
        targets.append({"name": name, "uri": f"{server.address}:{server.port}", "config": {"ssh": {"user": user.name}}})
    inventory_of(b, {name: server for name, (_, server) in servers.items()})
    inventory = json.loads((b.project / "inventory.yaml").read_text())
    inventory["groups"][0]["targets"] = targets
    b.inventory(json.dumps(inventory))
    return servers


def let_talk_end(server):
    """Waits until nothing runs on a server for half a second: who has asked for its restart has the answer."""
    quiet = 0
    while quiet < 10:
        names = {text_of(Path(f"/proc/{pid}/comm")).strip() for pid in server.sessions()}
        quiet = quiet + 1 if names <= {"sshd", "sshd-session", ""} else 0
        time.sleep(0.05)


def hypervisor(b, servers, stays_away=()):
    """Restarts a server when its user's home has the file that the task lab::restart leaves there."""
    over = threading.Event()
    started = []

    def watch():
        while not over.wait(0.05):
            for name, (user, server) in servers.items():
                if not (user.home / "restart").exists():
                    continue
                (user.home / "restart").unlink()
                started.append(name)
                let_talk_end(server)
                server.stop()
                if name not in stays_away:
                    (user.home / "boot").write_text("second\n")
                    time.sleep(0.3)
                    server.start()
    thread = threading.Thread(target=watch, daemon=True)
    thread.start()

    def end():
        over.set()
        thread.join()
    b.undo(end)
    return started


def test_example_patching(b):
    """examples/patching: updates, a reboot where it is needed, and waiting until the server is really back"""
    commands = copied(b, "patching")
    checked(b)
    servers = patched_servers(b)
    started = hypervisor(b, servers)
    update = ("#!/bin/sh\ncase $(cat boot) in first) need=true ;; *) need=false ;; esac\n[ -e calm ] && need=false\n"
              "printf '{\"packages\": [\"openssl\"], \"restart_needed\": %s}\\n' $need\n")
    b.write("project/modules/lab/tasks/update.sh", update)
    b.write("project/modules/lab/tasks/update.json", json.dumps({"input_method": "environment"}))
    b.write("project/modules/lab/tasks/restart.sh", "#!/bin/sh\ntouch restart\n")
    (servers["web2.example.com"][0].home / "calm").touch()
    hooks = ["update_task=lab::update", "restart_task=lab::restart", "boot_id_file=boot", "--format", "json"]
    plain, one, many = [words for words in commands if words[0] == "plan"]
    done = b.run(*plain, *hooks)
    assert done.status == 0, done
    assert [(row["server"], row["restarted"]) for row in done.json] == \
        [("web1.example.com", True), ("web2.example.com", False), ("db1.example.com", True)], done
    assert sorted(started) == ["db1.example.com", "web1.example.com"], started
    assert b.run(*one, *hooks, "reboot=never").json[0]["restarted"] is False
    again = b.run(*many, *hooks)
    assert again.status == 0 and not any(row["restarted"] for row in again.json), again
    assert (b.folder / "patching.html").exists() and (b.folder / "patching.log").read_text().count('"frame":"step"') == 3
    assert b.run(*many[:-2], "--resume", "patching.log", *hooks).json == again.json


def test_example_patching_of_a_server_that_stays_away(b):
    """examples/patching: it is named at the end; the others are done"""
    copied(b, "patching")
    servers = patched_servers(b)
    hypervisor(b, servers, stays_away=["web1.example.com"])
    b.write("project/modules/lab/tasks/update.sh", "#!/bin/sh\necho '{\"packages\": [], \"restart_needed\": false}'\n")
    b.write("project/modules/lab/tasks/restart.sh", "#!/bin/sh\ntouch restart\n")
    failed = b.run("plan", "run", "patching", "update_task=lab::update", "restart_task=lab::restart", "boot_id_file=boot",
                   "reboot=always", "patience=20", "--format", "json")
    assert failed.status == 1 and failed.json["kind"] == "patching/failed", failed
    rows = failed.json["details"]["servers"]
    assert "web1.example.com is not back after 20 seconds" in rows[0]["problem"], rows
    assert [row.get("restarted") for row in rows] == [None, True, True], rows


APT = """#!/bin/sh
echo "apt-get $*" >> {log}
case "$*" in *-s*upgrade) printf 'Inst libssl3 [1] (2)\\nConf libssl3\\nInst vim [1] (2)\\n' ;; *-y*) touch {root}/var/run/reboot-required ;; esac
"""


def test_example_patching_task(b):
    """examples/patching: what its task does with apt and dnf, and that noop changes nothing"""
    commands = copied(b, "patching")
    noop = next(words for words in commands if words[0] == "task")
    root, log = b.folder / "root", b.folder / "log"
    (root / "var/run").mkdir(parents=True)
    tools = b.folder / "bin"
    b.write("bin/apt-get", APT.format(log=log, root=root), 0o755)
    for name in ("sh", "sed", "cat", "touch", "rm", "mkdir", "chmod", "mktemp", "env", "bash"):
        (tools / name).symlink_to(shutil.which(name))
    env = {"PATH": str(tools), "PATCHING_ROOT": str(root)}
    b.inventory("targets: [{name: servers, config: {transport: local}}]")

    def update(*words):
        return b.run("task", "run", "patching::update", "-t", "servers", "--format", "json", *words, env=env).value("servers")
    assert noop == ["task", "run", "patching::update", "--noop", "-t", "servers"]
    assert update("--noop") == {"packages": ["libssl3", "vim"], "restart_needed": False}
    assert "-y" not in log.read_text()
    assert update() == {"packages": ["libssl3", "vim"], "restart_needed": True}
    assert "apt-get -qq -y" in log.read_text()
    (tools / "apt-get").unlink()
    b.write("bin/dnf", f"#!/bin/sh\necho \"dnf $*\" >> {log}\ncase \"$*\" in *check-update) printf '\\nkernel.x86_64  6.1  base\\n"
            "vim-minimal.noarch 9 base\\n'; exit 100 ;; *needs-restarting*) exit 1 ;; esac\n", 0o755)
    assert update() == {"packages": ["kernel", "vim-minimal"], "restart_needed": True}
    assert "dnf -y -q upgrade" in log.read_text()
    (tools / "dnf").unlink()
    assert update()["_error"]["kind"] == "patching/no-package-manager"
