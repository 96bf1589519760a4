"""The agent applies a manifest that changes nothing outside of the test's folder."""
import json

from apply.compare import agent_beside
from harness.bench import Skip


def setup(b):
    if not agent_beside(b.volley).exists():
        raise Skip(f"{agent_beside(b.volley)} is not built")
    b.inventory(json.dumps({"targets": [{"name": "web", "config": {"transport": "local"}}]}))
    b.write("project/site.pp", f"file {{ '{b.folder}/motd': ensure => file, content => 'hello' }}\n")
    b.env["VOLLEY_AGENT_FOLDER"] = str(b.folder / "agent")


def after(b, outputs):
    assert (b.folder / "motd").read_text() == "hello"
    assert "failed: 0" in outputs["volley apply site.pp -t web --apply-method agentless"], outputs
