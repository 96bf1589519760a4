"""volley doctor: what is wrong with a project, and what to do (USER-F8)."""
import subprocess

from harness.bench import Skip


def findings(run):
    return {(one["severity"], one["subject"]): one for one in run.json["findings"]}


def test_doctor_finds_nothing_in_a_good_project(b):
    """USER-F8: a line for each thing that was looked at, status 0, nothing is connected to"""
    key = b.write("project/id", "x", 0o600)
    b.write("home/.ssh/known_hosts", "")
    b.inventory(f"config: {{ssh: {{private-key: {key}}}}}\ntargets: [a.invalid, b.invalid]\n")
    run = b.run("doctor")
    assert run.status == 0 and run.out.splitlines() == [
        f"ok: project: 'site' in {b.project}", f"ok: inventory: 2 targets in {b.project}/inventory.yaml",
        run.out.splitlines()[2], "ok: keys: 1 private key", f"ok: known_hosts: {b.home}/.ssh/known_hosts",
        "Found 0 errors and 0 warnings"], run
    assert run.out.splitlines()[2].startswith("ok: modules: "), run


def test_doctor_says_what_to_do(b):
    """USER-F8: modules that are not installed, keys that others may read or that are missing, known_hosts, settings"""
    key = b.write("project/keys/private_key.pkcs7.pem", "x", 0o640)
    b.write("project/bolt-project.yaml", "name: site\nmodules: [puppetlabs/apt]\n")
    b.write("home/.ssh/known_hosts", "").chmod(0o666)
    b.inventory("targets:\n  - {name: a, uri: a.invalid, config: {ssh: {private-key: ~/gone}}}\n"
                "  - {name: b, uri: b.invalid, config: {ssh: {user: {_plugin: env_var, var: NOT_THERE}}}}\n")
    run = b.run("doctor", "--format", "json")
    found = findings(run)
    assert run.status == 1, run
    assert found["error", "modules"]["message"] == "not installed: puppetlabs/apt", run
    assert found["error", "modules"]["advice"] == "run 'volley module install'", run
    keys = {one["message"]: one["advice"] for one in run.json["findings"] if one["subject"] == "keys"}
    assert keys == {f"others may use {key} (mode 0640)": f"run 'chmod 600 {key}'",
                    f"{b.home}/gone does not exist": "change private-key in the inventory, or leave it out to use the SSH agent"}, run
    assert "NOT_THERE" in found["error", "inventory"]["message"] and found["error", "inventory"]["message"].startswith("b: "), run
    assert found["error", "known_hosts"]["advice"] == f"run 'chmod 644 {b.home}/.ssh/known_hosts'", run
    text = b.run("doctor")
    assert text.status == 1 and f"error: keys: others may use {key} (mode 0640): run 'chmod 600 {key}'\n" in text.out, text
    assert "errors and 0 warnings" in text.out, text


def test_doctor_finds_keys_that_git_keeps(b):
    """USER-F8: a private key that is tracked by git is an error, one that is ignored is not"""
    try:
        subprocess.run(["git", "init", "-q", b.project], check=True, capture_output=True)
    except FileNotFoundError:
        raise Skip("git is not installed")
    key = b.write("project/keys/private_key.pkcs7.pem", "x", 0o600)
    b.inventory("targets: []\n")
    assert b.run("doctor").status == 0
    subprocess.run(["git", "-C", b.project, "add", "keys"], check=True)
    b.refused("doctor", says=[f"error: keys: git tracks the private key {key}", "git rm --cached"])


def test_doctor_without_a_project_or_with_a_broken_one(b):
    """USER-F8: warnings alone leave the status at 0; an inventory that cannot be read is an error with its place"""
    (b.folder / "empty").mkdir()
    run = b.run("doctor", "--project", b.folder / "empty", project=False)
    assert run.status == 0 and "run 'volley project init'" in run.out and "0 errors and 2 warnings" in run.out, run
    b.inventory("targets: [\n")
    b.refused("doctor", says=["error: inventory: ", "inventory.yaml"])


def test_doctor_tries_targets_as_ping_does(b):
    """USER-F8: over a real sshd"""
    b.ssh_inventory()
    run = b.run("doctor", "-t", "all", "--format", "json")
    assert run.status == 0 and run.value()["tmpdir_state"] == "ok" and run.value()["user"] == b.me, run
