"""The pages about plans: every file that they show is written to a project, every command that they show is run there."""
import os
import re
import shlex
import subprocess
from pathlib import Path

from harness.bench import HANGS

DOCS = Path(__file__).resolve().parents[2] / "docs"


def blocks(page):
    """The indented pieces of a page."""
    text = (DOCS / page).read_text()
    for block in re.findall(r"(?:^    .*\n|^\n(?=    ))+", text, re.M):
        lines = [line[4:] for line in block.strip("\n").split("\n")]
        yield "\n".join(lines) + "\n"


def project_of(b, page):
    """Writes the files of a page, which name themselves in their first line; returns the commands in their order."""
    b.write("project/bolt-project.yaml", "name: shop\n")
    commands = []
    for block in blocks(page):
        pieces = re.split(r"(?m)^(?=# [\w/]+\.\w+$)|\n\n(?=volley |sh )", block)
        for piece in pieces:
            name = re.match(r"# ([\w/]+\.\w+)\n", piece)
            if name:
                text = piece.split("\n", 1)[1] if name[1].endswith((".sh", ".json")) else piece
                b.write(f"project/{name[1]}", text.strip("\n").lstrip("\n") + "\n", 0o755 if text.startswith("#!") else 0o644)
                continue
            commands += [line for line in piece.splitlines() if line.startswith(("volley ", "sh "))]
    return commands


def try_page(b, page, all_plans=True):
    b.ssh_inventory(names=("web",))
    inventory = (b.project / "inventory.yaml").read_text()
    commands = project_of(b, page)
    b.inventory(inventory)
    (b.folder / "bin").mkdir()
    (b.folder / "bin" / "volley").symlink_to(b.volley)
    env = {**b.env, "PATH": f"{b.folder}/bin:{os.environ['PATH']}"}
    results = {}
    for line in commands:
        words = shlex.split(line, comments=True)
        done = subprocess.run(words, cwd=b.project, env=env, capture_output=True, text=True, timeout=HANGS, check=False)
        assert done.returncode == 0, (line, done.stdout, done.stderr)
        results[" ".join(words)] = done.stdout
    # Plans that no command runs are run too.
    for path in sorted((b.project / "plans").glob("*.*")) if all_plans else ():
        plan = f"shop::{path.stem}"
        if not any(f"plan run {plan}" in line for line in results):
            done = b.run("plan", "run", plan, "--format", "json")
            assert done.status == 0, done
            results[plan] = done.json
    return results


def test_docs_plans(b):
    """docs/plans.md"""
    results = try_page(b, "plans.md")
    assert results["shop::careful"] is True and results["shop::disks"] in ([], ["web"]), results
    assert results["shop::rollout"] == {"announced": True, "done": 1}, results
    assert results["volley plan check"].rstrip().endswith(" plans checked, no problem"), results
    assert (b.project / "deploy.html").exists() and "shop::install" in results["volley plan graph shop::deploy"]


def test_docs_yaml_plans(b):
    """docs/yaml-plans.md"""
    results = try_page(b, "yaml-plans.md")
    shown = results["volley plan run shop::release version=1.2"]
    assert "1 servers have 1.2" in shown and '"1.2"' in shown and "Starting: install 1.2" in shown, results
    assert results["volley plan run shop::tolerant"].rstrip().endswith("false")
    assert results["volley plan convert shop::release"].startswith("# Install a version and show what runs now\n")


def test_docs_testing_plans(b):
    """docs/testing-plans.md"""
    results = try_page(b, "testing-plans.md", all_plans=False)
    assert "the plan does what it should" in results["sh test/run.sh"], results
    assert (b.project / "steps.log").exists()
