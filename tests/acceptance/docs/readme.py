import json
import shutil
from pathlib import Path

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "hello"
# On web2 nginx is not running until somebody starts it.
SYSTEMCTL = """#!/bin/sh
n=$(echo "$SSH_CONNECTION" | cut -d' ' -f3 | cut -d. -f4)
case $1 in
start|restart) touch "STATE/$n" ;;
is-active) if [ "$n" = 1 ] || [ -e "STATE/$n" ]; then echo active; else echo inactive; exit 3; fi ;;
esac
"""


def setup(b):
    state = b.folder / "state"
    state.mkdir()
    b.write("targets/systemctl", SYSTEMCTL.replace("STATE", str(state)), 0o755)
    (b.project / "bolt-project.yaml").unlink()
    inventory = b.project / "inventory.yaml"
    text = inventory.read_text()
    inventory.unlink()  # the page makes the project first
    port = 0
    from harness.lab import free_port
    import os
    port = free_port()
    b.sshd("".join(f"ListenAddress 127.0.16.{n}:{port}\n" for n in (1, 2)) +
           f"SetEnv PATH={b.folder}/targets:{os.environ['PATH']} SHLVL=2 VOLLEY_AGENT_FOLDER={b.folder}/agent")
    made = Path("/tmp/hello.txt")
    made.unlink(missing_ok=True)  # of somebody who tried the page
    b.undo(lambda: made.unlink(missing_ok=True))
    for name in ("tasks", "scripts"):
        shutil.copytree(EXAMPLE / name, b.project / "modules" / "hello" / name)
    # What the page calls inventory.yaml, with addresses: its names are in no DNS.
    servers = ", ".join(f"{{name: {name}, uri: 'ssh://127.0.16.{n}:{port}'}}" for n, name in ((1, "web1"), (2, "web2"), (1, "t001"), (2, "t002")))
    ssh = {"host-key-check": False, "connect-timeout": 60, "user": b.me, "private-key": str(b.lab.keys.user("ed25519"))}
    b.env["BOLT_INVENTORY"] = text.replace("[web1, web2]", "[web1, web2]") + f"targets: [{servers}]\nconfig: {json.dumps({'ssh': ssh})}\n"


STATUS = {"is-active nginx": 1}
SKIP = {}
MASKS = [(r"logged in from .*", "logged in from"), (r"^  [\w-]+$", "  NAME"), (r'"uptime_seconds": \d+', '"uptime_seconds": N')]
