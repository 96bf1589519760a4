"""The double of a Windows machine (tests/lab/winrm) is one to clients of others, too: Debian's python3-winrm."""
import os
import subprocess
import textwrap

from harness.windows import PYTHON, Double, needs

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
