"""Two hundred addresses of one server; what a machine says depends on its address."""
import os

from harness.lab import free_port

# Node 12 and those from 100 to 118 are out of space, 40 to 46 are busy, 150 and 151 are switched off.
APT = """#!/bin/sh
n=$(echo "$SSH_CONNECTION" | cut -d' ' -f3 | cut -d. -f4)
if [ "$n" = 12 ] || { [ "$n" -ge 100 ] && [ "$n" -le 118 ]; }; then
    echo "E: You don't have enough free space in /var/cache/apt/archives/." >&2; exit 100
elif [ "$n" -ge 40 ] && [ "$n" -le 46 ]; then
    echo "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process $((4000 + n)) (apt)" >&2; exit 100
fi
echo "0 upgraded, 0 newly installed, 0 to remove and 0 not upgraded."
"""
UPTIME = "#!/bin/sh\necho ' 09:14:02 up 12 days,  3:41,  0 users,  load average: 0.01, 0.03, 0.00'\n"


def setup(b):
    for name, text in {"apt-get": APT, "uptime": UPTIME, "systemctl": "#!/bin/sh\necho active\n"}.items():
        b.write(f"targets/{name}", text, 0o755)
    b.write("project/check.sh", "uptime\n")
    b.write("project/cleanup.py", "#!/usr/bin/env python3\nimport sys\nprint('removed nothing', *sys.argv[1:])\n", 0o755)
    port, gone = free_port(), free_port()
    addresses = [f"127.0.16.{n}" for n in range(1, 201)]
    for first in range(0, 200, 15):  # a server has 16 addresses at most
        listen = "".join(f"ListenAddress {address}:{port}\n" for address in addresses[first:first + 15])
        b.sshd(f"{listen}MaxStartups 400\nMaxSessions 400\nSetEnv PATH={b.folder}/targets:{os.environ['PATH']} SHLVL=2")
    nodes = "".join(f"      - {{name: node{n:03}, uri: 'ssh://127.0.16.{n}:{gone if n in (150, 151) else port}'}}\n"
                    for n in range(1, 201))
    web = "".join(f"      - {{name: web{n}.example.com, uri: 'ssh://127.0.16.{n}:{port}'}}\n" for n in (1, 2))
    b.inventory("config:\n  ssh: {host-key-check: false, connect-timeout: 100, "
                f"user: {b.me}, private-key: {b.lab.keys.user('ed25519')}}}\n"
                f"groups:\n  - name: nodes\n    targets:\n{nodes}  - name: webservers\n    targets:\n{web}")


SKIP = {
    "--sudo-password-prompt": "asks for a password on the terminal",
    "restart nginx' -t nodes$": "asks on the terminal, as test_confirm does",
    "--rerun failure": "nothing failed in the run before it",
}
STATUS = {r"jq -r": 0, "apt-get|-t all": 1}  # node012 and others say no, nobody is there on node150
MASKS = [(r"port \d+", "port N"), (r'"elapsed_time": \d+', '"elapsed_time": N'), (r"},$", "}")]


def after(b, outputs):
    text = next(out for command, out in outputs.items() if "apt-get" in command and "format" not in command)
    assert len(text.splitlines()) < 600 and text.count("Started on") == 0
