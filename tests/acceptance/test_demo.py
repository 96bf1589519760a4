"""The newcomer's first command, and the examples as they are shipped."""
import os
import re
import subprocess
from pathlib import Path

from harness.bench import HANGS, alone, needs_root
from harness.lab import free_port

ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / "examples" / "hello" / "demo"


def check(done):
    text = done.stdout.decode()
    assert done.returncode == 0, text + done.stderr.decode()
    assert "Hello, newcomer!" in text and text.count("Servus, newcomer!") == 4, text
    assert "Successful on 3 targets: " in text and "Failed on 1 target: t003" in text and "fixed" in text, text
    assert re.search(r"\$ volley command run 'uname -sr' --targets localhost", text)


@alone
def test_the_demo_runs(b):
    """The example on localhost and on four SSH servers of its own; nothing is left behind in the checkout"""
    before = sorted(p.name for p in DEMO.parent.iterdir())
    env = {**b.env, "FARM_PORT": str(free_port())}
    check(subprocess.run(["bash", DEMO, b.volley], env=env, capture_output=True, timeout=HANGS, check=False))
    assert sorted(p.name for p in DEMO.parent.iterdir()) == before


@alone
@needs_root
def test_the_demo_runs_as_a_plain_user(b):
    """The same without root: the servers log in only this user"""
    account = b.user()
    copy = account.home / "checkout"
    for part in ("examples", "tests/lab"):
        (copy / part).parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["cp", "-rT", ROOT / part, copy / part], check=True)
    program = copy / "volley"
    subprocess.run(["cp", b.volley, program], check=True)
    subprocess.run(["chown", "-R", account.name, account.home], check=True)
    keep = {k: v for k, v in b.env.items() if k.endswith("_OPTIONS")}
    env = {"PATH": os.environ["PATH"], "HOME": str(account.home), "USER": account.name, "LANG": "C.UTF-8",
           "FARM_PORT": str(free_port()), **keep}
    check(subprocess.run(["bash", copy / "examples/hello/demo", program], env=env, cwd=copy, user=account.name,
                         group=account.name, extra_groups=[], capture_output=True, timeout=HANGS, check=False))
