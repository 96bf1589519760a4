"""The winrm transport: commands on the double of a Windows machine (tests/lab/winrm), and every way in which that can fail."""
import json
import os
import shutil
import signal
import socket
import subprocess

from harness.bench import HANGS
from harness.patience import wait_for
from harness.windows import certificate, client_certificate, clock_ahead, kerberos_realm, needs, targets, windows


def command(b, *lines, target="windows", **settings):
    """A command of these statements, each of which the canned engine knows."""
    return b.run("command", "run", "\n".join(lines), "-t", target, "--format", "json", **settings)


def said(b, *lines, **settings):
    """What a command that ends well says."""
    run = command(b, *lines, **settings)
    assert run.status == 0, run
    return run.value()["stdout"]


def fails(b, *lines, **settings):
    """The one line in which a command that cannot be run says why, and its issue code."""
    run = command(b, *lines, **settings)
    assert run.status != 0, run
    error = run.error()
    assert error["kind"] == "puppetlabs.tasks/connect-error", error
    assert error["msg"].strip() and "terminate called" not in run.err, run
    return error["msg"], error["issue_code"]


# ---- WRM-001, WRM-002: where, and as whom


def test_wrm_001_ports_and_path(b):
    """WRM-001: 5986 with ssl and 5985 without, unless a port is given; the path is /wsman"""
    for words, url in (([], "https://127.0.0.1:5986/wsman"), (["--no-ssl"], "http://127.0.0.1:5985/wsman")):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", int(url.split(":")[2].split("/")[0]))) == 0:
                continue  # somebody has that port on this machine
        run = b.run("command", "run", "x", "-t", "winrm://a:b@127.0.0.1", "--format", "json", *words)
        assert f"Failed to connect to {url}: Connection refused" in run.error()["msg"], run


def test_wrm_002_ntlm_encrypts_messages_without_ssl(b):
    """WRM-002: without ssl the login is NTLM and the messages are encrypted; with a wrong password it is refused"""
    double = windows(b)
    assert said(b, "'hello'") == "hello\r\n"
    assert double.requests()[:2] == ["Create", "Receive"], double.requests()
    targets(b, double, password="secret")
    message, code = fails(b, "'hello'")
    assert code == "AUTH_ERROR" and message.startswith(f"Authentication failed for http://127.0.0.1:{double.port}/wsman"), message


def test_wrm_002_ntlm_over_ssl_is_bound_to_the_certificate(b):
    """WRM-002: with ssl the login is NTLM, too, and bound to the server's certificate, where the server insists on that"""
    pem, key = certificate(b)
    windows(b, "--strict-binding", "--tls", pem, key, cacert=str(pem))
    assert said(b, "'hello'") == "hello\r\n"


def test_wrm_002_basic_over_ssl(b):
    """WRM-002: basic-auth-only sends user and password over https; TRN-032: never over http"""
    pem, key = certificate(b)
    double = windows(b, "--basic", "--tls", pem, key, **{"cacert": str(pem), "basic-auth-only": True})
    assert said(b, "'hello'") == "hello\r\n"
    targets(b, double, True, **{"cacert": str(pem)})
    message, code = fails(b, "'hello'")
    assert code == "AUTH_ERROR" and "tried Negotiate (NTLM), the server offers Basic" in message, message
    targets(b, double, False, **{"basic-auth-only": True})
    b.refused("command", "run", "'x'", "-t", "windows", says="Basic auth is only allowed when using SSL")
    targets(b, double, True, password=None, **{"cacert": str(pem), "basic-auth-only": True})
    message, code = fails(b, "'hello'")
    assert (message, code) == ("windows needs a user and a password for Basic authentication", "AUTH_ERROR")


def test_wrm_002_a_client_certificate(b):
    """WRM-002: client-cert and client-key log in without a password; a certificate that the server does not trust is refused"""
    pem, key = certificate(b)
    mine, my_key = client_certificate(b, "mine")
    other, other_key = client_certificate(b, "other")
    double = windows(b, "--tls", pem, key, "--client-ca", mine, cacert=str(pem), user=None, password=None,
                     **{"client-cert": str(mine), "client-key": str(my_key)})
    assert said(b, "'hello'") == "hello\r\n"
    targets(b, double, True, cacert=str(pem), **{"client-cert": str(other), "client-key": str(other_key)})
    message, code = fails(b, "'x'")
    assert code == "AUTH_ERROR" and "the server does not accept the client certificate: " in message, message
    assert message.startswith(f"Authentication failed for https://127.0.0.1:{double.port}/wsman") and "\n" not in message, message
    targets(b, double, True, cacert=str(pem), **{"basic-auth-only": True})
    message, code = fails(b, "'x'")
    assert code == "AUTH_ERROR" and "tried Basic, the server offers http://schemas.dmtf.org" in message, message


def test_wrm_002_mistakes_with_client_certificates(b):
    """WRM-002: each mistake with a client certificate has one line, and no key is shown or asked for"""
    pem, key = certificate(b)
    mine, my_key = client_certificate(b, "mine")
    other, other_key = client_certificate(b, "other")
    locked = b.folder / "locked.key"
    subprocess.run(["openssl", "pkey", "-in", my_key, "-aes256", "-passout", "pass:x", "-out", locked], check=True)
    readable = b.write("readable.key", my_key.read_text())
    readable.chmod(0o644)
    double = windows(b, "--tls", pem, key, "--client-ca", mine, cacert=str(pem))
    for cert, used, why in ((mine, readable, "is not used, because other users can access it (mode 0644); run 'chmod 600 "),
                            (mine, locked, "it has a passphrase, which is not supported"),
                            (mine, other_key, f"the client key {other_key} could not be used with {mine}: "),
                            (b.folder / "none.pem", my_key, f"the client certificate {b.folder}/none.pem could not be read: "),
                            (mine, b.folder / "none.key", f"the client key {b.folder}/none.key could not be used with ")):
        targets(b, double, True, cacert=str(pem), **{"client-cert": str(cert), "client-key": str(used)})
        message, code = fails(b, "'x'")
        assert code == "CONNECT_ERROR" and why in message and "\n" not in message, message
    for options, tls, why in (({"client-cert": str(mine)}, True, "client-cert and client-key are needed together"),
                              ({"client-cert": str(mine), "client-key": str(my_key)}, False, "only allowed when using SSL"),
                              ({"client-cert": str(mine), "client-key": str(my_key), "realm": "LAB.TEST"}, True,
                               "client-cert excludes basic-auth-only and realm")):
        targets(b, double, tls, **options)
        b.refused("command", "run", "'x'", "-t", "windows", says=why)
    assert double.requests() == [], double.requests()


def test_wrm_002_kerberos_with_a_ticket(b):
    """WRM-002: with a realm the login is Kerberos with the ticket of the cache; messages are encrypted without ssl"""
    realm = kerberos_realm(b)
    env = realm.environment
    double = windows(b, "--kerberos", env=env, realm="LAB.TEST", user=None, password=None)
    message, code = fails(b, "'x'", env=env)
    assert code == "AUTH_ERROR" and "there is no ticket" in message and "run kinit" in message, message
    realm.ticket()
    assert said(b, "'hello'", "big 100000", env=env) == "hello\r\n" + 100000 * "x" + "\r\n"
    # Without a realm, a user and a password a ticket is what is left: Negotiate.
    targets(b, double, user=None, password=None)
    assert said(b, "'negotiated'", env=env) == "negotiated\r\n"


def test_wrm_002_kerberos_with_a_password(b):
    """Kerberos without a ticket takes the user's password, which Bolt does not; each mistake has a line of its own"""
    realm = kerberos_realm(b)
    env = realm.environment
    double = windows(b, "--kerberos", env=env, realm="LAB.TEST")
    assert said(b, "'hello'", env=env) == "hello\r\n"
    assert not (realm.folder / "tickets").exists(), "the user's cache is not touched"
    for options, why in (({"password": "wrong"}, "the password is wrong"),
                         ({"user": "nobody"}, "the realm does not know the user"),
                         ({"realm": "lab.test"}, "no KDC of the realm is known: see /etc/krb5.conf, and write the realm in upper"),
                         ({"realm": "NOWHERE.TEST"}, "no KDC of the realm answers"),
                         ({"host": "127.0.0.2"}, "")):
        targets(b, double, **{"realm": "LAB.TEST", **options})
        message, code = fails(b, "'x'", env=env)
        if why:
            assert code == "AUTH_ERROR" and message.startswith("Authentication failed for http://") and why in message, message
        else:
            assert code == "CONNECT_ERROR", message


def test_wrm_002_kerberos_over_ssl_is_bound_to_the_certificate(b):
    """Kerberos over ssl has the certificate's binding, which Bolt's has not"""
    realm = kerberos_realm(b)
    pem, key = certificate(b)
    windows(b, "--kerberos", "--strict-binding", "--tls", pem, key, env=realm.environment, realm="LAB.TEST", cacert=str(pem))
    assert said(b, "'hello'", env=realm.environment) == "hello\r\n"


def test_wrm_002_kerberos_asks_for_other_names_of_the_service(b):
    """A machine whose HTTP service the realm does not know is reached as HOST; one that it knows by no name is an error"""
    realm = kerberos_realm(b, services=("HOST/127.0.0.1",))
    double = windows(b, "--kerberos", env=realm.environment, realm="LAB.TEST")
    assert said(b, "'hello'", env=realm.environment) == "hello\r\n"
    targets(b, double, host="localhost", realm="LAB.TEST")
    message, code = fails(b, "'x'", env=realm.environment)
    assert code == "AUTH_ERROR" and "use the name under which it has joined the domain, not an address" in message, message


def test_wrm_002_kerberos_without_its_library(b):
    """Where the system has no Kerberos library the error says which, and other targets are not affected"""
    b.write("lib/libgssapi_krb5.so.2", "")
    windows(b, "--basic", realm="LAB.TEST")
    message, code = fails(b, "'x'", env={"LD_LIBRARY_PATH": str(b.folder / "lib")})
    assert code == "AUTH_ERROR" and "Kerberos needs libgssapi_krb5.so.2 (Debian's package libgssapi-krb5-2)" in message, message


def test_wrm_002_ssl_without_its_library(b):
    """libssl is loaded when it is needed: where it is missing, targets with ssl have one clear error"""
    b.write("lib/libssl.so.3", "")
    pem, key = certificate(b)
    windows(b, "--basic", "--tls", pem, key, **{"basic-auth-only": True})
    message, code = fails(b, "'x'", env={"LD_LIBRARY_PATH": str(b.folder / "lib")})
    assert code == "CONNECT_ERROR" and "TLS needs libssl.so.3 (OpenSSL 3), which could not be loaded" in message, message
    assert b.run("command", "run", "true", "-t", "localhost", env={"LD_LIBRARY_PATH": str(b.folder / "lib")}).status == 0


# ---- WRM-003, WRM-004: what can go wrong before a command


def test_wrm_003_a_server_that_says_nothing(b):
    """WRM-003: connecting and logging in take no longer than connect-timeout, and the hint is Bolt's"""
    windows(b, "--at", "1*:hold", **{"connect-timeout": 1})
    message, code = fails(b, "'x'")
    assert code == "CONNECT_ERROR" and message.startswith("Timeout after 1 seconds connecting to http://127.0.0.1:"), message
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        b.inventory("{}")
        run = b.run("command", "run", "x", "-t", f"winrm://a:b@127.0.0.1:{silent.getsockname()[1]}", "--connect-timeout", "1",
                    "--format", "json")
        assert "Verify that required WinRM ports are open, or use --no-ssl" in run.error()["msg"], run


def test_wrm_004_certificates(b):
    """WRM-004: a certificate that is not trusted, is another machine's, or has expired; cacert and --no-ssl-verify"""
    pem, key = certificate(b)
    double = windows(b, "--basic", "--tls", pem, key, **{"basic-auth-only": True})
    message, code = fails(b, "'x'")
    assert code == "CONNECT_ERROR" and "the server's certificate is not trusted: self-signed certificate" in message, message
    assert "Use --no-ssl-verify if the target has a self-signed certificate" in message, message
    assert command(b, "'x'", target="windows").status != 0
    targets(b, double, True, **{"basic-auth-only": True, "ssl-verify": False})
    assert said(b, "'hello'") == "hello\r\n"
    targets(b, double, True, **{"basic-auth-only": True, "cacert": str(pem)})
    assert said(b, "'hello'") == "hello\r\n"
    targets(b, double, True, host="localhost", **{"basic-auth-only": True, "cacert": str(pem)})
    message, _ = fails(b, "'x'")
    assert "certificate" in message and "localhost" in message, message
    targets(b, double, True, **{"basic-auth-only": True, "cacert": str(b.write("empty.pem", ""))})
    message, _ = fails(b, "'x'")
    assert f"the certificates in {b.folder}/empty.pem could not be read" in message, message


def test_wrm_004_an_expired_certificate(b):
    """WRM-004: a certificate whose time is over is not trusted, and the message says that it has expired"""
    pem, key = certificate(b, days=-1)
    windows(b, "--basic", "--tls", pem, key, **{"basic-auth-only": True, "cacert": str(pem)})
    message, _ = fails(b, "'x'")
    assert "the server's certificate is not trusted: certificate has expired" in message, message


def test_wrm_004_a_certificate_of_tomorrow(b):
    """WRM-004: a certificate whose time has not begun: one of the clocks is wrong, and the message says that"""
    pem, key = certificate(b, clock=clock_ahead(b, 86400))
    windows(b, "--basic", "--tls", pem, key, **{"basic-auth-only": True, "cacert": str(pem)})
    message, code = fails(b, "'x'")
    assert code == "CONNECT_ERROR" and "certificate is not yet valid: compare the clocks of this machine and of" in message, message
    assert "\n" not in message, message


def test_wrm_004_a_kdc_whose_clock_differs(b):
    """WRM-004: a realm whose clock is an hour ahead: one line that names the clocks, whoever notices it"""
    for timesync in ("0", "1"):
        realm = kerberos_realm(b, clock=clock_ahead(b, 3600))
        configuration = realm.folder / "krb5.conf"
        configuration.write_text(configuration.read_text().replace("[libdefaults]\n", f"[libdefaults]\n kdc_timesync = {timesync}\n"))
        double = windows(b, "--kerberos", env=realm.environment, realm="LAB.TEST")
        message, code = fails(b, "'x'", env=realm.environment)
        assert code == "AUTH_ERROR" and "clock" in message and "\n" not in message, (timesync, message)
        double.__exit__()
        realm.__exit__(None, None, None)
        shutil.rmtree(realm.folder)


def test_wrm_004_ssl_on_a_port_without_it_and_the_other_way_round(b):
    """WRM-004: Bolt's hints for the two mistakes of ssl"""
    double = windows(b)
    targets(b, double, True)
    message, code = fails(b, "'x'")
    assert code == "CONNECT_ERROR" and "Are you using SSL to connect to a non-SSL port?" in message, message
    pem, key = certificate(b)
    double = windows(b, "--tls", pem, key)
    targets(b, double, False)
    message, code = fails(b, "'x'")
    assert code == "CONNECT_ERROR" and "is this a port for https? Then leave out --no-ssl" in message, message


def test_wrm_004_answers_of_http(b):
    """WRM-004: every status of HTTP that a wrong address, a proxy or a stopped service answers with has its line"""
    answers = ((400, "did not understand"), (403, "forbids access"), (404, "there is no WinRM service at this address"),
               (405, "a web server that is not WinRM"), (413, "larger than the server allows"),
               (500, "the server wants encrypted messages"), (502, "unexpected answer"),
               (503, "the WinRM service is stopped or overloaded"))
    windows(b, *(word for place in ("login", "Create") for status, _ in answers for _ in range(3 if status == 503 else 1)
                 for word in ("--at", f"{place}:http-{status}")))
    for _ in ("login", "Create"):
        for status, why in answers:
            message, _ = fails(b, "'x'")
            assert f"HTTP status {status}: " in message and why in message and "\n" not in message, message


# ---- WRM-005, WRM-006: a command


def test_wrm_005_each_command_has_a_shell_of_its_own_on_one_connection(b):
    """WRM-005: a plan's commands have a shell each, over one login; none is left when the run ends"""
    b.write("project/plans/two.pp", "plan site::two(TargetSpec $targets) {\n  run_command(\"'one'\", $targets)\n"
            "  return run_command(\"'two'\", $targets)\n}\n")
    pem, key = certificate(b)
    double = windows(b, "--tls", pem, key, cacert=str(pem))
    run = b.run("plan", "run", "site::two", "-t", "windows", "--format", "json")
    assert run.status == 0 and run.json[0]["value"]["stdout"] == "two\r\n", run
    done = double.requests()
    assert done.count("Create") == 2 == done.count("Command") == done.count("Delete") and "refused:" not in done, done


def test_wrm_005_few_requests(b):
    """WRM-005: a command takes at most ten requests with both of the login; Bolt's takes 26"""
    double = windows(b)
    assert said(b, "'hello'") == "hello\r\n"
    assert len(double.requests()) + 2 <= 10, double.requests()


def test_wrm_006_nobody_answers_a_script(b):
    """WRM-006: a script that asks has nobody to answer, and goes on at once"""
    windows(b)
    run = command(b, "Read-Host", "'after'")
    assert run.value()["stdout"] == "after\r\n" and "The script asked for input (ReadLine)" in run.value()["stderr"], run


def test_ps_010_exit_codes(b):
    """PS-010: the exit code is that of `exit`; an exception that ends the script is 1, where Bolt has 0"""
    windows(b)
    for statement, status in (("exit 0", 0), ("exit 3", 3), ("exit -1", -1), ("exit -1073741819", -1073741819), ("'x'", 0)):
        run = command(b, "'out'", statement)
        assert run.value()["exit_code"] == status and run.value()["stdout"].startswith("out\r\n"), (statement, run)
    run = command(b, "'before'", "throw 'broken'", "'after'")
    value = run.value()
    assert value["exit_code"] == 1 and value["stdout"] == "before\r\n" and value["stderr"].startswith("broken\n"), value


def test_trn_022_output_of_every_kind(b):
    """TRN-022: text of any language, half characters, control characters; warnings, verbose and debug messages, errors"""
    windows(b)
    assert said(b, "'d\u00e4nisch \u65e5\u672c \U0001f600'") == "d\u00e4nisch \u65e5\u672c \U0001f600\r\n"
    assert said(b, "lone") == "a\ufffdb \u20ac\a\r\n"
    value = command(b, "Write-Host 'host'", "Write-Warning 'careful'", "Write-Verbose 'so'", "Write-Debug 'deep'",
                    "Write-Error 'bad'", "native 'from a program'", "'end'").value()
    assert value["stdout"] == "host\r\nWarning: careful\r\nVerbose: so\r\nDebug: deep\r\nend\r\n", value
    assert " : bad\n    + CategoryInfo" in value["stderr"] and "from a program" in value["stderr"], value
    assert value["exit_code"] == 0


def test_trn_022_big_output(b):
    """TRN-022: ten megabytes in pieces and a line of one megabyte arrive whole, in order, and with bounded memory"""
    windows(b)
    run = command(b, "big 1000000", "lines 20000", *["big 1000000"] * 9)
    lines = run.value()["stdout"].split("\r\n")
    assert lines[0] == 1000000 * "x" and lines[1] == "line 0" and lines[20000] == "line 19999" and len(lines) == 20011, run.rss_mib
    assert run.rss_mib < (250 if "ASAN_OPTIONS" not in os.environ else 900), run.rss_mib


def test_trn_022_a_long_silence_is_not_an_error(b):
    """TRN-022: a Receive in whose time nothing comes is repeated; the command goes on"""
    double = windows(b, "--hold", "0.1")
    child = b.start("command", "run", "hang", "-t", "windows", "--format", "json")
    wait_for(lambda: double.requests().count("Receive") > 5, "a fifth question")
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=HANGS)
    assert child.returncode == 130 and json.loads(out)["items"][0]["value"]["_error"]["kind"] == "volley/interrupted", (out, err)
    done = [word for word in double.requests() if word in ("Signal", "crtl_c", "Delete")]
    assert done == ["Signal", "crtl_c", "Delete"], f"the command is stopped and its shell removed: {done}"


def test_trn_002_many_targets_at_once(b):
    """TRN-002: fifty machines at once; what one answers is not another's"""
    names = [f"w{number}" for number in range(50)]
    windows(b, names=names)
    run = command(b, "'hello'", "exit 3", target="all", **{})
    items = {item["target"]: item["value"] for item in run.json["items"]}
    assert set(items) == set(names) and all(item["stdout"] == "hello\r\n" and item["exit_code"] == 3 for item in items.values()), run


def test_sec_16_the_password_is_never_shown(b):
    """SEC-16.1: neither what is printed nor the log has the password"""
    for arguments, options in ((("--basic",), {}), ((), {}), ((), {"password": "secret wrong"})):
        windows(b, *arguments, **options)
        for words in (["--log-level", "trace"], ["--trace"]):
            run = b.run("command", "run", "'hello'", "-t", "windows", "--verbose", *words)
            log = b.project / "bolt-debug.log"
            seen = run.out + run.err + (log.read_text() if log.exists() else "")
            assert "secret" not in seen, run


# ---- faults


FAULTS = {
    5: "the user may not use remote management", 14: "MaxMemoryPerShellMB", 1018: "the user's profile is being unloaded",
    1115: "the target is shutting down", 0x80338002: "run Enable-PSRemoting", 0x8033803B: "run Enable-PSRemoting",
    0x803381AC: "AllowRemoteShellAccess", 0x803381A5: "MaxShellsPerUser", 0x803381A7: "MaxConcurrentUsers",
    0x803381DD: "switched off there by policy", 0x80540BBA: "PowerShell could not be started there",
    0x80540BC7: "version 3 or later is needed", 0xDEADBEEF: "the double refuses", 0: "QuotaLimit",
}
PASSING = (1018, 0x803381A5, 0x803381A7, 0)  # tried three times


def test_wrm_004_faults_of_the_service(b):
    """WRM-004: faults are recognised by number, each in one line with what to do; nothing has been run"""
    windows(b, *(word for number in FAULTS for attempt in range(3 if number in PASSING else 1)
                 for word in ("--at", f"Create:fault-{number}")))
    for number, why in FAULTS.items():
        message, code = fails(b, "'x'")
        assert code == "EXEC_ERROR" and message.startswith("Could not run a script on windows: WinRM fault "), message
        assert why in message and "\n" not in message, message
        assert str(number) in message or number == 0, message
    assert said(b, "'hello'") == "hello\r\n"


def test_wrm_004_a_passing_fault_is_waited_for(b):
    """A user's profile that is just being unloaded, or as many shells as are allowed, is not an error when it passes"""
    double = windows(b, "--at", "Create:fault-1018")
    assert said(b, "'hello'") == "hello\r\n"
    assert double.requests().count("Create") == 2 and double.requests().count("Command") == 1, double.requests()


# What a request is that has these numbers: two of the login, Create, Receive, Command, Receive, Delete.
LOGIN, OPENING, RUNNING = (1, 2), (3, 4), (5, 6)


def test_wrm_004_a_server_that_goes_away(b):
    """WRM-004: the connection ends at each point of each request: an answer in one line, and no command is run twice"""
    for number in (*LOGIN, *OPENING, *RUNNING, 7):
        for what in ("cut", "reset", "lose", "header", "body", "garbage", "foreign"):
            if what == "foreign" and number in LOGIN:
                continue
            double = windows(b, "--at", f"{number}:{what}")
            run = command(b, "'once'")
            done = double.requests()
            place = f"{what} in request {number}: {run} {done}"
            assert done.count("Command") <= 1, place
            # What was lost before the server had looked at it is asked for again when it is output.
            asked_again = number == RUNNING[1] and what in ("cut", "reset")
            assert run.status == 0 or not asked_again, place
            if run.status == 0:
                assert run.value()["stdout"] == "once\r\n", place
                assert what == "garbage" if number in LOGIN else asked_again or number not in RUNNING, place
            else:
                error = run.error()
                assert error["kind"] == "puppetlabs.tasks/connect-error" and "\n" not in error["msg"], place
                assert error["issue_code"] == ("CONNECT_ERROR" if number in LOGIN else "EXEC_ERROR"), place
                assert number not in RUNNING or "while a script may have been running" in error["msg"] or "Could not run" in error["msg"], place
            double.__exit__()


def test_wrm_004_fragments_with_mistakes(b):
    """WRM-004: wrong lengths, numbers and encodings of fragments, while a shell opens and while a command runs: one line each"""
    for number in (OPENING[1], RUNNING[1]):
        for what in ("length", "huge", "short", "order", "begin", "base64"):
            double = windows(b, "--at", f"{number}:{what}")
            message, code = fails(b, "'once'")
            done = double.requests()
            assert code == "EXEC_ERROR" and "\n" not in message and len(message) < 400, (what, number, message)
            assert done.count("Command") == (0 if number in OPENING else 1), (what, number, done)
            assert ("Could not run" if number in OPENING else "may have been running") in message, (what, number, message)
            double.__exit__()


def test_wrm_004_a_lost_connection_does_not_end_a_command(b):
    """A connection that is lost while a command runs is replaced: its output goes on where it was, and it runs once"""
    for faults in (("Receive:cut",), ("Receive:cut", "7:reset")):
        # The first Receive is of the shell that opens: it is answered late, and not lost.
        double = windows(b, "--late", "0", "--at", "Receive:late", *(word for fault in faults for word in ("--at", fault)))
        run = command(b, "'begin'", "big 400000", "lines 3", "exit 4")
        done = double.requests()
        assert run.value()["stdout"] == "begin\r\n" + 400000 * "x" + "\r\nline 0\r\nline 1\r\nline 2\r\n", (run, done)
        assert run.value()["exit_code"] == 4 and done.count("Command") == 1 and done.count("Create") == 1, done
        double.__exit__()


def test_wrm_004_output_that_was_lost_is_missed(b):
    """An answer that was lost has taken output with it: an error, and not a result with a gap; the command runs once"""
    for number in range(6, 9):
        double = windows(b, "--at", f"{number}:lose")
        message, code = fails(b, "'begin'", "big 400000", "'end'")
        assert code == "EXEC_ERROR" and "failed while a script may have been running: " in message, message
        assert "output was lost with the connection" in message or "the shell has ended there" in message, (number, message)
        assert double.requests().count("Command") == 1, double.requests()
        double.__exit__()


def test_wrm_004_a_service_that_is_overloaded_is_asked_again(b):
    """A request that is refused with HTTP 503 was not looked at: it is sent again, whichever it is, and runs once"""
    double = windows(b, *(word for place in ("login", "Create", "Command", "Receive") for word in ("--at", f"{place}:http-503")))
    assert said(b, "'hello'") == "hello\r\n"
    assert double.requests().count("Delete") == 1, double.requests()


def test_wrm_004_a_server_that_goes_away_spares_the_others(b):
    """WRM-004: one machine that is lost is that target's result only"""
    double = windows(b, "--at", "Receive:cut", names=("one", "two", "three"))
    run = command(b, "'x'", target="all")
    states = sorted(item["status"] for item in run.json["items"])
    assert states == ["failure", "success", "success"] or states == ["success"] * 3, (run, double.requests())


def test_wrm_004_a_late_answer_is_an_answer(b):
    """A server that takes its time is waited for"""
    windows(b, "--late", "1.5", "--at", "Create:late", "--at", "Command:late", "--at", "Receive:late", "--at", "Delete:late")
    assert said(b, "'late'") == "late\r\n"


def test_wrm_004_ctrl_c_while_the_server_says_nothing(b):
    """WRM-004: Ctrl-C ends a run whose server does not answer any more"""
    for place in ("Create", "Command", "Receive"):
        double = windows(b, "--at", f"{place}*:hold")
        child = b.start("command", "run", "'x'", "-t", "windows", "--format", "json")
        wait_for(lambda place=place, double=double: place in double.requests(), f"the {place}")
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=HANGS)
        assert child.returncode == 130 and json.loads(out)["items"][0]["status"] == "failure", (place, out, err)
        double.__exit__()


def test_wrm_004_changed_and_plain_answers(b):
    """Messages that were changed on the way, and plain ones where encrypted ones are due, are not believed"""
    needs("gssapi")
    for fault, why in (("plain-answer", "with a plain one"), ("wrong-signature", "signature")):
        double = windows(b, "--fault", fault)
        message, _ = fails(b, "'x'")
        assert why in message and "\n" not in message, message
        assert double.requests().count("Command") == 0, double.requests()
        double.__exit__()
