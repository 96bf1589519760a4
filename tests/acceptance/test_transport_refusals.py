"""What of Bolt's transports is not there, or cannot arise: refused clearly, before anything connects."""
import json

FLAGS = ["--format", "json"]


def test_trn_030_pcp(b):
    """TRN-030, PCP-001: pcp is not a transport, wherever it is named; its section is reported"""
    for inventory, target in (({"targets": []}, "pcp://node.example.com"), ({"targets": [{"uri": "pcp://node.example.com"}]}, "all"),
                              ({"targets": ["node.example.com"], "config": {"transport": "pcp"}}, "all")):
        b.inventory(json.dumps(inventory))
        run = b.run("command", "run", "true", "-t", target, *FLAGS)
        assert run.status == 1 and "pcp" in run.out and "connect-error" not in run.out, run
    b.inventory(json.dumps({"targets": ["local://here"]}))
    run = b.run("command", "run", "true", "-t", "all", "--transport", "pcp", *FLAGS)
    assert run.status == 1 and "pcp" in run.out + run.err, run


def test_trn_005_references_come_first(b):
    """TRN-005: a transport sees no reference: options are resolved, or the plugin's error is that of the target"""
    place = b.folder / "place"
    place.mkdir()
    b.inventory(json.dumps({"targets": ["local://here"], "config": {"local": {"tmpdir": {"_plugin": "env_var", "var": "PLACE"}}}}))
    run = b.run("ping", "-t", "all", *FLAGS, env={**b.env, "PLACE": str(place)})
    assert run.status == 0 and run.value()["tmpdir"] == str(place), run
    run = b.run("ping", "-t", "all", *FLAGS)
    assert run.status == 1 and "PLACE" in run.out and "unresolved" not in run.out, run


def test_ssh_017_kerberos_goes_through_openssh(b):
    """SSH-017: with GSSAPIAuthentication a server that takes Kerberos is left to OpenSSH's client"""
    server = b.sshd("GSSAPIAuthentication yes\nPubkeyAuthentication no")
    b.ssh_inventory(server, key=None)
    b.write(b.home / ".ssh/config", "Host *\n  GSSAPIAuthentication yes\n")
    b.write("bin/ssh", f"#!/bin/sh\nprintf '%s|' \"$@\" >>'{b.folder}/ssh.calls'\necho 'no ticket' >&2\nexit 255\n", 0o755)
    b.env["PATH"] = f"{b.folder}/bin:{b.env['PATH']}"
    run = b.run("command", "run", "true", "-t", "web", *FLAGS)
    assert run.status == 1 and run.error()["kind"] == "puppetlabs.tasks/connect-error", run
    assert (b.folder / "ssh.calls").exists(), run
    b.env["PATH"] = "/nowhere"
    run = b.run("command", "run", "true", "-t", "web", *FLAGS)
    assert "libssh2 does not support Kerberos" in run.error()["msg"], run
