"""What `cmake --install` puts down, used as it lies there."""
import json
import platform
import shutil
import subprocess
from pathlib import Path

from harness.bench import Skip
from harness.shells import bash_completions


def installed(b):
    """A folder with an installation of the build that the program under test is from."""
    build = Path(b.volley).parents[1]
    made = build / "generated" / "share" / "volley.1"
    if not (build / "cmake_install.cmake").exists() or not made.exists() or not shutil.which("cmake"):
        raise Skip("the program is not from a complete build (ninja -C BUILD volley_generated)")
    prefix = b.folder / "usr"
    done = subprocess.run(["cmake", "--install", build, "--prefix", prefix], check=True, capture_output=True, text=True)
    check_agents(build, prefix, " ".join(done.stderr.split()))
    return prefix


def check_agents(build, prefix, said):
    """issue 13: the agents of both machines are installed; that one is missing is said"""
    agents = prefix / "lib/volley"
    own = f"volley-agent-{platform.machine()}"
    assert (agents / own).read_bytes() == (build / "bin/volley-agent").read_bytes()
    other = build / "bin/volley-agent-aarch64"
    if other.exists():
        assert (agents / other.name).read_bytes() == other.read_bytes() and "aarch64" not in said, said
    elif platform.machine() == "x86_64":
        assert "without the agent for aarch64 targets" in said and [path.name for path in agents.iterdir()] == [own], said


def test_installation(b):
    """CLI-028, CFG-048: program, manual page, completions, schemas and pages; the modules are in the program"""
    prefix = installed(b)
    share = prefix / "share"
    assert subprocess.run([prefix / "bin" / "volley", "--version"], check=True, capture_output=True).stdout
    manual = (share / "man" / "man1" / "volley.1").read_text()
    assert manual.startswith(".TH VOLLEY 1") and "--targets" in manual.replace("\\-", "-"), manual[:300]
    if shutil.which("man"):
        shown = subprocess.run(["man", "--warnings", "-l", share / "man" / "man1" / "volley.1"], capture_output=True,
                               env={**b.env, "MANPAGER": "cat", "MANWIDTH": "100"}, check=True)
        assert b"volley" in shown.stdout and shown.stderr == b"", shown.stderr
    for shell, path, words in (
            ("bash", share / "bash-completion/completions/volley", ["-n"]),
            ("zsh", share / "zsh/site-functions/_volley", ["-n"]),
            ("fish", share / "fish/vendor_completions.d/volley.fish", ["--no-execute"])):
        assert path.stat().st_size > 700, path
        if shutil.which(shell):
            checked = subprocess.run([shell, *words, path], capture_output=True, check=False)
            assert checked.returncode == 0 and checked.stderr == b"", (shell, checked)
    for name in ("bolt-defaults", "bolt-inventory", "bolt-project", "bolt-yaml-plan"):
        schema = json.loads((share / "volley" / "schemas" / f"{name}.schema.json").read_text())
        assert schema["title"] and "draft-07" in schema["$schema"], name
    assert (share / "doc" / "volley" / "run-a-command.md").exists() and (share / "doc" / "volley" / "LICENSE").exists()
    b.volley = str(prefix / "bin" / "volley")
    shown = b.run("plan", "show", "--format", "json").json
    assert "aggregate::count" in [name for name, _ in shown["plans"]], shown
    facts = b.run("task", "run", "facts", "-t", "localhost", "--format", "json")
    assert facts.status == 0 and facts.value()["os"]["name"], facts


def test_completion_of_words(b):
    """CLI-028: bash completes nouns, actions and options with what the program knows"""
    def complete(line):
        return bash_completions(b, line)

    assert complete("volley comm") == ["command"]
    assert set(complete("volley task ")) == {"run", "show"}
    assert complete("volley command run x --priv") == ["--private-key"]
    assert set(complete("volley command run x --format ")) == {"human", "json", "rainbow", "ndjson", "table", "csv", "markdown"}
