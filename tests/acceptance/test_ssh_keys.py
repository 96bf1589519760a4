"""Keys that need more than a file: passphrases, agents with many keys, certificates of hosts."""
import subprocess

from test_ssh import ok, refused, start_agent


def add_to_agent(b, agent, key, passphrase=None):
    """ssh-add, with the passphrase from a program instead of a terminal."""
    ask = b.write("askpass", f"#!/bin/sh\necho '{passphrase}'\n", 0o755)
    env = {**b.env, **agent, "SSH_ASKPASS": str(ask), "SSH_ASKPASS_REQUIRE": "force"}
    subprocess.run(["ssh-add", "-q", key], env=env, check=True, stdin=subprocess.DEVNULL, capture_output=True)


def encrypted_keys(b):
    """Authorized keys with a passphrase, one of each format."""
    for name, arguments in (("openssh", ["-t", "ed25519"]), ("pem", ["-t", "ecdsa", "-m", "PEM"]),
                            ("pkcs8", ["-t", "rsa", "-b", "2048", "-m", "PKCS8"])):
        key = b.folder / name
        subprocess.run(["ssh-keygen", "-q", *arguments, "-N", "open sesame", "-f", key], check=True)
        yield key


def test_ssh_003_an_encrypted_key_needs_an_agent(b):
    """SSH-003, SSH-008: one clear line without an agent; with one, also where only the private half is there"""
    keys = list(encrypted_keys(b))
    authorized = b.write("authorized", "".join(k.with_suffix(".pub").read_text() for k in keys))
    server = b.sshd(f"AuthorizedKeysFile {authorized}")
    for key in keys:
        b.ssh_inventory(server, **{"private-key": str(key)})
        error = refused(b, "AUTH_ERROR", say=[key.name, "ssh-add"])
        assert "sesame" not in str(error)
        agent = start_agent(b)
        add_to_agent(b, agent, key, "open sesame")
        ok(b, env=agent)
        key.with_suffix(".pub").unlink()
        ok(b, env=agent)


def test_ssh_004_encrypted_key_data_is_refused(b):
    """SSH-004: the text of an encrypted key says what to do, and shows nothing of the key"""
    text = (b.lab.keys.folder / "user_ed25519_enc").read_text()
    b.ssh_inventory(**{"private-key": {"key-data": text}})
    error = refused(b, "AUTH_ERROR", say=["key-data", "ssh-add"])
    assert text.splitlines()[1] not in str(error)


def test_ssh_008_identities_only_and_many_keys_in_the_agent(b):
    """SSH-003, SSH-008: the agent's keys go first, a private-key still gets its turn, IdentitiesOnly limits the agent"""
    agent = start_agent(b)
    for i in range(8):
        key = b.folder / f"other{i}"
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
        add_to_agent(b, agent, key)
    server = b.sshd("MaxAuthTries 6")
    b.ssh_inventory(server)
    ok(b, env=agent)
    b.ssh_inventory(server, key=None)
    add_to_agent(b, agent, b.lab.keys.user("ecdsa"))
    refused(b, "AUTH_ERROR", env=agent)  # the ninth key comes too late, as with OpenSSH
    b.write("home/.ssh/config", f"IdentitiesOnly yes\nIdentityFile {b.lab.keys.user('ecdsa')}.pub\n", 0o600)
    ok(b, env=agent)


def signed_by(b, name):
    """A certificate authority's public key, and the certificate it made for the server's ed25519 host key."""
    folder = b.folder / name
    folder.mkdir()
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / "ca"], check=True)
    public = b.lab.keys.host("ed25519").with_suffix(".pub")
    (folder / "host.pub").write_text(public.read_text())
    subprocess.run(["ssh-keygen", "-q", "-s", folder / "ca", "-I", "host", "-h", "-n", "127.0.0.1", folder / "host.pub"],
                   check=True)
    return (folder / "ca.pub").read_text(), folder / "host-cert.pub"


def test_ssh_005_cert_authority(b):
    """SSH-005, SSH-006: @cert-authority vouches for a host; another authority does not"""
    authority, certificate = signed_by(b, "good")
    stranger, _ = signed_by(b, "bad")
    server = b.sshd(f"HostCertificate {certificate}")
    b.ssh_inventory(server)
    known = b.home / ".ssh" / "known_hosts"
    known.write_text(f"@cert-authority [127.0.0.1]:{server.port} {authority}")
    run = ok(b, "--log-level", "info")
    assert run.value("web")["stdout"] == "in\n"
    known.write_text(f"@cert-authority [127.0.0.1]:{server.port} {stranger}")
    run = b.run("command", "run", "echo in", "-t", "web", "--format", "json")
    error = run.error("web")
    assert run.status == 1 and error["kind"] == "puppetlabs.tasks/connect-error", run
    assert "ost key" in error["msg"], run
