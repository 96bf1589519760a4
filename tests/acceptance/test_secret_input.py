"""Secrets reach `secret encrypt` without a process list, and keys stay out of version control (USER-A4)."""
import shutil
import stat
import subprocess

from harness.bench import Skip


def keys(b):
    return b.run("secret", "createkeys")


def decrypted(b, text):
    run = b.run("secret", "decrypt", text.strip())
    assert run.status == 0, run
    return run.out


def test_secrets_come_from_standard_input_and_files(b):
    """USER-A4: - and @file; the line end of a single line is not part of the secret, a key keeps all of its lines"""
    keys(b)
    for given, meant in ((b"topsecret", "topsecret"), (b"topsecret\n", "topsecret"), (b"topsecret\r\n", "topsecret"),
                         (b"-----A\nB\n", "-----A\nB\n"), ("schlüssel".encode(), "schlüssel")):
        run = b.run("secret", "encrypt", "-", stdin=given)
        assert run.out.startswith("ENC[PKCS7,") and decrypted(b, run.out) == meant + ("" if meant.endswith("\n") else "\n"), run
        b.write("s.txt", given)
        run = b.run("secret", "encrypt", "@s.txt")
        assert decrypted(b, run.out).rstrip("\n") == meant.rstrip("\n"), run
    block = b.write("block", b.run("secret", "encrypt", "plain").out)
    assert b.run("secret", "decrypt", f"@{block}").out == "plain\n"
    assert b.run("secret", "decrypt", "-", stdin=block.read_bytes()).out == "plain\n"


def test_secrets_are_asked_for_on_a_terminal(b):
    """USER-A4: without a text and on a terminal, unseen"""
    keys(b)
    text, status = b.terminal("secret", "encrypt", answers=[("Value to encrypt: ", "hunter2\n")])
    assert status == 0 and "hunter2" not in text and "ENC[PKCS7," in text, text
    assert decrypted(b, text[text.index("ENC["):]) == "hunter2\n"


def test_nothing_is_not_encrypted(b):
    """USER-A4: no text and no terminal, an empty one, a file that is not there"""
    keys(b)
    b.refused("secret", "encrypt", says="Must specify a value to encrypt")
    for empty in (b"", b"\n"):
        b.refused("secret", "encrypt", "-", stdin=empty, says="the value is empty")
    b.refused("secret", "encrypt", "", says="the value is empty")
    b.refused("secret", "encrypt", "@none.txt", says="none.txt")


def test_the_private_key_stays_out_of_git(b):
    """USER-A4: project init ignores it, createkeys adds it to a .gitignore that lacks it and reports it"""
    folder = b.folder / "shop"
    folder.mkdir()
    assert b.run("project", "init", cwd=folder, project=False).status == 0
    assert "keys/private_key.pkcs7.pem\n" in (folder / ".gitignore").read_text()
    made = b.run("secret", "createkeys", "--project", folder, project=False)
    assert made.status == 0 and "gitignore" not in made.out, made
    assert stat.S_IMODE((folder / "keys/private_key.pkcs7.pem").stat().st_mode) == 0o600
    b.write("project/.gitignore", "*.log")
    made = keys(b)
    assert "Added keys/private_key.pkcs7.pem to .gitignore" in made.out, made
    assert (b.project / ".gitignore").read_text() == "*.log\nkeys/private_key.pkcs7.pem\n"
    for covered in ("/keys/\n", "keys\n", "*.pem\n", "private_key.pkcs7.pem\n"):
        b.write("project/.gitignore", covered)
        b.run("secret", "createkeys", "--force")
        assert (b.project / ".gitignore").read_text() == covered
    if not shutil.which("git"):
        raise Skip("needs git")
    (b.project / ".gitignore").unlink()
    b.run("secret", "createkeys", "--force")
    subprocess.run(["git", "init", "-q", b.project], check=True, env=b.env)
    subprocess.run(["git", "add", "-A"], check=True, cwd=b.project, env=b.env)
    added = subprocess.run(["git", "ls-files"], check=True, cwd=b.project, env=b.env, capture_output=True, text=True).stdout
    assert "public_key.pkcs7.pem" in added and "private" not in added, added


def test_a_private_key_that_git_tracks_is_warned_of(b):
    """createkeys, encrypt and edit warn once and do their work; without a repository they are silent"""
    if not shutil.which("git"):
        raise Skip("needs git")
    made = keys(b)
    assert "tracks" not in made.err, made
    subprocess.run(["git", "init", "-q", b.project], check=True, env=b.env)
    assert "tracks" not in b.run("secret", "encrypt", "x").err
    subprocess.run(["git", "add", "-f", "keys/private_key.pkcs7.pem"], check=True, cwd=b.project, env=b.env)
    b.write("data.yaml", "a: DEC::PKCS7[x]!\n")
    for words in (("createkeys", "--force"), ("encrypt", "x"), ("edit", b.folder / "data.yaml")):
        run = b.run("secret", *words, env={"EDITOR": "true"})
        assert run.status == 0 and run.err.count("git tracks the private key") == 1, run
        assert "git rm --cached" in run.err, run
    b.write("project/bolt-project.yaml", "name: site\nplugins: {pkcs7: {private_key: other/key.pem}}\n")
    assert "tracks" not in b.run("secret", "createkeys").err


def test_structures_of_plugins_are_indented(b):
    """BOLT-11: a hash or list that a plugin returns, and nothing as an empty line"""
    b.write("project/modules/mine/bolt_plugin.json", "{}")
    for value, shown in (('{"a": [1, null]}', '{\n  "a": [\n    1,\n    null\n  ]\n}\n'), ("[]", "[]\n"), ("null", "\n"), ('"x"', "x\n")):
        b.write("project/modules/mine/tasks/secret_encrypt.sh", f"#!/bin/sh\necho '{{\"value\": {value}}}'\n")
        b.write("project/modules/mine/tasks/secret_decrypt.sh", f"#!/bin/sh\necho '{{\"value\": {value}}}'\n")
        assert b.run("secret", "encrypt", "x", "--plugin", "mine").out == shown
        assert b.run("secret", "decrypt", "x", "--plugin", "mine").out == shown
