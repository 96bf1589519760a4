"""The double of a Windows machine (tests/lab/winrm) is one to clients of others, too: Debian's python3-winrm and winrmcp."""
import os
import shutil
import subprocess
import textwrap

from harness.bench import HANGS, Skip
from harness.windows import PYTHON, Double, needs, powershell

CLIENT = textwrap.dedent("""
    import sys, winrm
    session = winrm.Session(f"http://127.0.0.1:{sys.argv[1]}/wsman", auth=(sys.argv[3], sys.argv[4]), transport=sys.argv[2],
                            message_encryption="always" if sys.argv[2] == "ntlm" else "never")
    try:
        done = session.run_cmd("echo", ["hello; echo bad >&2; exit 3"])
        print(done.status_code, done.std_out.decode().strip(), done.std_err.decode().strip())
    except winrm.exceptions.InvalidCredentialsError:
        print("refused")
""")
# A file in pieces, as scripts of people do that: each is a command of PowerShell that appends to the file.
COPY = textwrap.dedent("""
    import base64, sys, winrm
    session = winrm.Session(f"http://127.0.0.1:{sys.argv[1]}/wsman", auth=("admin", "secret word"), transport="basic")
    content = open(sys.argv[2], "rb").read()
    for at in range(0, len(content), 2000):
        piece = base64.b64encode(content[at:at + 2000]).decode()
        done = session.run_ps(f'''$file = [IO.File]::Open("{sys.argv[3]}", "Append")
            $bytes = [Convert]::FromBase64String("{piece}")
            $file.Write($bytes, 0, $bytes.Length)
            $file.Dispose()''')
        assert done.status_code == 0, done.std_err
    back = session.run_ps(f'[Convert]::ToBase64String([IO.File]::ReadAllBytes("{sys.argv[3]}"))')
    print("same" if base64.b64decode(back.std_out) == content else back)
""")
# OpenSSL 3 has MD4 in a provider that must be asked for; that client needs it for NTLM.
LEGACY = "openssl_conf = a\n[a]\nproviders = b\n[b]\ndefault = c\nlegacy = c\n[c]\nactivate = 1\n"


def client(b, port, transport, user="admin", password="secret word"):
    """What python3-winrm says about a command on the double."""
    environment = {**os.environ, "OPENSSL_CONF": str(b.write("openssl.cnf", LEGACY))}
    done = subprocess.run([PYTHON, "-c", CLIENT, port, transport, user, password], env=environment, capture_output=True,
                          text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_python_winrm_runs_a_command_with_basic(b):
    """a client of others logs in with a password and runs a command; with a wrong one it is refused"""
    needs("winrm")
    with Double("--basic") as double:
        assert client(b, double.port, "basic") == "3 hello bad"
        assert client(b, double.port, "basic", password="wrong") == "refused"


def test_python_winrm_runs_a_command_with_encrypted_ntlm(b):
    """a client of others logs in with NTLM and encrypts its messages, as the double does"""
    needs("winrm", "gssapi")
    with Double() as double:
        assert client(b, double.port, "ntlm") == "3 hello bad"
        assert client(b, double.port, "ntlm", password="wrong") == "refused"


def test_python_winrm_copies_a_file(b):
    """a client of others copies a file with commands of PowerShell, which the engine runs, and reads it back"""
    needs("winrm")
    with Double("--basic", "--engine", powershell()) as double:
        file, there = b.write("file.bin", os.urandom(3000)), b.folder / "there.bin"
        done = subprocess.run([PYTHON, "-c", COPY, double.port, file, there], capture_output=True, text=True, check=False)
        assert done.stdout == "same\n", done
        assert there.read_bytes() == file.read_bytes()


def test_winrmcp_copies_a_file(b):
    """Debian's winrmcp copies a file: lines of cmd.exe into %TEMP%, and scripts for powershell.exe that decode them"""
    if not shutil.which("winrmcp"):
        raise Skip("needs Debian's package winrmcp")
    file, there = b.write("file.bin", os.urandom(20_000)), b.folder / "there" / "file.bin"
    log = b.folder / "double.log"
    with Double("--basic", "--engine", powershell(whole=True), log=log) as double:
        address = ["-addr", f"127.0.0.1:{double.port}"]
        refused = subprocess.run(["winrmcp", "-user", "admin", "-pass", "wrong", *address, file, there], capture_output=True,
                                 text=True, check=False, timeout=HANGS)
        assert refused.returncode != 0 and not there.exists(), refused
        done = subprocess.run(["winrmcp", "-user", "admin", "-pass", "secret word", *address, file, there],
                              capture_output=True, text=True, check=False, timeout=HANGS)
        assert done.returncode == 0, (done, log.read_text())
        assert there.read_bytes() == file.read_bytes(), log.read_text()
