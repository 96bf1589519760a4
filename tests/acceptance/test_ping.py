"""volley ping: whether targets can be worked on, and what was found there."""
import subprocess

from harness.bench import needs_root
from harness.lab import free_port


def test_ping_shows_what_actions_will_find(b):
    """USER-F8: user, times, shell, system, clock and temporary directory, over a real sshd; nothing stays there"""
    b.ssh_inventory()
    place = b.folder / "place"
    place.mkdir()
    run = b.run("ping", "-t", "all", "--tmpdir", place, "--format", "json")
    value = run.value()
    assert run.status == 0 and value["user"] == b.me and value["transport"] == "ssh", run
    assert value["tmpdir"] == str(place) and value["tmpdir_state"] == "ok" and list(place.iterdir()) == [], value
    assert value["login_time"] > 0 and value["round_trip"] > 0 and abs(value["clock_difference"]) < 60, value
    assert value["system"].startswith("Linux ") and value["shell"].startswith("/") and value["port"] > 0, value
    run = b.run("ping", "-t", "all")
    assert f"  {b.me} on 127.0.0.1:{value['port']} over ssh: " in run.out and "s to log in" in run.out, run
    assert "clock ok" in run.out and "tmpdir /tmp ok" in run.out and "{" not in run.out, run
    way = value["connection"]
    assert way["address"] == f"127.0.0.1 port {value['port']}" and way["host_key"]["checked"] is True, way
    assert way["host_key"]["type"] == "ssh-ed25519" and way["host_key"]["fingerprint"].startswith("SHA256:"), way
    assert way["login"] == str(b.lab.keys.user("ed25519")) and way["refused"] == [] == way["not_used"], way
    assert sorted(way["times"]) == ["authentication", "connect", "key_exchange", "name_resolution"], way
    assert 0 < way["times"]["key_exchange"] <= value["login_time"] and way["times"]["authentication"] > 0, way
    assert f"address 127.0.0.1 port {value['port']}, host key ssh-ed25519 SHA256:" in run.out, run
    assert f"login with {way['login']}: name resolution 0." in run.out, run
    run = b.run("ping", "-t", "all", "--format", "csv", "--fields", "status,value.user,value.tmpdir_state")
    assert run.out == f"status,value.user,value.tmpdir_state\nsuccess,{b.me},ok\n", run


def test_ping_shows_what_a_login_tried(b):
    """The keys that the server refused before, those that could not be used and why; none without a session"""
    spare = b.folder / "spare"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", spare], check=True)
    locked = b.folder / "locked"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", locked], check=True)
    locked.chmod(0o644)
    good = b.lab.keys.user("ed25519")
    known = [key.with_suffix(".pub").read_text() for key in (locked, good)]
    server = b.sshd(f"AuthorizedKeysFile {b.write('authorized', ''.join(known))}")
    b.ssh_inventory(server, key=None, **{"host-key-check": False})
    b.write("home/.ssh/config", "".join(f"IdentityFile {key}\n" for key in (locked, spare, good)), 0o600)
    run = b.run("ping", "-t", "all", "--format", "json")
    way = run.value()["connection"]
    assert run.status == 0 and way["login"] == str(good) and str(spare) in way["refused"], run
    assert any("mode 0644" in reason for reason in way["not_used"]), way
    assert way["host_key"]["checked"] is False, way
    b.inventory("targets: [{name: here, uri: 'local://here'}]\n")
    assert "connection" not in b.run("ping", "-t", "here", "--format", "json").value()


def test_ping_says_what_is_wrong(b):
    """USER-F8: nobody there, no directory; each with what to do"""
    b.inventory(f"targets: [{{name: here, uri: 'local://here'}}, {{name: gone, uri: 'ssh://root@127.0.0.1:{free_port()}'}}]\n")
    run = b.run("ping", "-t", "all", "--format", "json")
    by_name = {one["target"]: one for one in run.json["items"]}
    assert run.status == 1 and by_name["here"]["status"] == "success", run
    assert by_name["gone"]["value"]["_error"]["kind"] == "puppetlabs.tasks/connect-error", run
    run = b.run("ping", "-t", "here", "--tmpdir", b.folder / "nowhere", "--format", "json")
    assert run.status == 1 and "does not exist: set the option tmpdir" in run.error()["msg"], run
    assert run.error()["kind"] == "volley/ping-error" and run.value()["tmpdir_state"] == "missing", run
    run = b.run("ping")
    assert run.status == 1 and "requires a targeting option" in run.out, run


@needs_root
def test_ping_finds_noexec_and_other_users(b):
    """USER-F8: a directory without execution, one that is not writable, the user to become"""
    b.inventory("targets: [{name: here, uri: 'local://here'}]\n")
    mount = b.folder / "mount"
    mount.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "noexec", "none", mount], check=True)
    try:
        run = b.run("ping", "-t", "here", "--tmpdir", mount, "--format", "json")
        assert run.status == 1 and run.value()["tmpdir_state"] == "noexec" and "mounted noexec" in run.error()["msg"], run
        mount.chmod(0o755)
        run = b.run("ping", "-t", "here", "--tmpdir", mount, "--run-as", "nobody", "--format", "json")
        assert run.status == 1 and run.value()["user"] == "nobody" and run.value()["tmpdir_state"] == "not writable", run
        assert list(mount.iterdir()) == []
    finally:
        subprocess.run(["umount", mount], check=True)
