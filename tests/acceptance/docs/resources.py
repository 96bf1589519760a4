"""Looks at this machine, and changes a folder of its own in /tmp."""
import json
import os
import shutil

from apply.compare import agent_beside
from harness.bench import Skip


def setup(b):
    if not agent_beside(b.volley).exists():
        raise Skip(f"{agent_beside(b.volley)} is not built")
    b.inventory(json.dumps({"targets": [{"name": "web", "config": {"transport": "local"}}]}))
    b.env["VOLLEY_AGENT_FOLDER"] = str(b.folder / "agent")
    os.makedirs("/tmp/volley-docs", exist_ok=True)  # the commands without output are run first: they remove it
    b.undo(lambda: shutil.rmtree("/tmp/volley-docs", ignore_errors=True))


def after(b, outputs):
    assert "(noop)" in outputs["volley resource file /tmp/volley-docs ensure=absent -t web --noop"], outputs
    assert "os.family" in outputs["volley facts os.family os.release.major -t web --format json"], outputs
