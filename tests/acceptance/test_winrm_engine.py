"""WinRM with a real PowerShell as the engine of the double: what the canned engine cannot judge. tests/lab/pwsh/install.sh gets one."""
import hashlib
import os

from harness.windows import certificate, powershell, windows


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_wrm_002_commands_scripts_and_tasks(b):
    """WRM-002: a command, a script with arguments and a task with parameters run in a real PowerShell, with text of any language"""
    double = windows(b, "--engine", powershell())

    def run(*words):
        done = b.run(*words, "-t", "windows", "--format", "json")
        return done.value()

    value = run("command", "run", "'d\u00e4nisch \U0001f600'; 6 * 7; Write-Error 'bad'; exit 5")
    assert value["stdout"] == "d\u00e4nisch \U0001f600\r\n42\r\n" and value["exit_code"] == 5 and "bad" in value["stderr"], value
    value = run("command", "run", "throw 'broken'")
    assert value["exit_code"] == 1 and "broken" in value["stderr"], value
    script = b.write("say.ps1", "param($first, $second)\n\"$second and $first\"\n")
    assert run("script", "run", script, "one 'two'", "three")["stdout"] == "three and one 'two'\r\n"
    b.task("add.ps1", "param([int]$left, [int]$right)\n@{sum = $left + $right} | ConvertTo-Json -Compress\n",
           {"parameters": {"left": {"type": "Integer"}, "right": {"type": "Integer"}}})
    before = len(double.requests())
    assert run("task", "run", "site::add", "left=40", "right=2")["sum"] == 42
    assert len(double.requests()) - before + 2 <= 18, f"Bolt's task takes 59 requests: {double.requests()[before:]}"


def test_wrm_007_files_and_directories_both_ways(b):
    """WRM-007: files of any bytes and directories arrive whole, and come back as they were; errors are those of files"""
    pem, key = certificate(b)
    windows(b, "--engine", powershell(), "--tls", pem, key, cacert=str(pem))
    there = b.folder / "there"
    there.mkdir()
    big = b.write("big.bin", os.urandom(3_000_000))
    b.write("tree/a.txt", "a\n")
    b.write("tree/deep/\u00e4 b.bin", bytes(range(256)))
    assert b.run("file", "upload", big, there / "big.bin", "-t", "windows").status == 0
    assert digest(there / "big.bin") == digest(big)
    assert b.run("file", "upload", b.folder / "tree", there / "tree", "-t", "windows").status == 0
    assert (there / "tree" / "deep" / "\u00e4 b.bin").read_bytes() == bytes(range(256))
    assert b.run("file", "download", there / "big.bin", b.folder / "back", "-t", "windows").status == 0
    assert digest(b.folder / "back" / "windows" / "big.bin") == digest(big)
    assert b.run("file", "download", there / "tree", b.folder / "back", "-t", "windows").status == 0
    assert (b.folder / "back" / "windows" / "tree" / "a.txt").read_text() == "a\n"
    failed = b.run("file", "upload", big, "/proc/nowhere/big.bin", "-t", "windows", "--format", "json").error()
    assert failed["issue_code"] == "WRITE_ERROR" and "\n" not in failed["msg"], failed
    failed = b.run("file", "download", "/nowhere", b.folder / "back", "-t", "windows", "--format", "json").error()
    assert failed["issue_code"] == "DOWNLOAD_ERROR", failed
    assert not [path.name for path in there.iterdir() if path.name.startswith(".volley")]


def test_wrm_007_an_upload_over_a_lost_connection(b):
    """WRM-007: an upload whose server goes away is an error, and what was there stays as it was"""
    double = windows(b, "--engine", powershell(), "--at", "Send:cut")
    place = b.write("there/file", "as it was")
    big = b.write("big.bin", os.urandom(1_000_000))
    run = b.run("file", "upload", big, place, "-t", "windows", "--format", "json")
    assert run.status != 0 and run.error()["msg"].count("\n") == 0, run
    assert place.read_text() == "as it was", double.requests()


def test_wrm_004_a_lost_connection_does_not_end_a_real_script(b):
    """WRM-004: a real PowerShell numbers its messages so that output is read on where it was, after each of two lost connections"""
    # The twelfth request is one for the script's output: two are of the login, and at most six open its shell and begin it.
    double = windows(b, "--engine", powershell(), "--at", "12:cut", "--at", "16:reset")
    value = b.run("command", "run", "1..80 | ForEach-Object { \"line $_\"; [Threading.Thread]::Sleep(25) }; exit 3", "-t", "windows",
                  "--format", "json").value()
    assert value["stdout"] == "".join(f"line {number}\r\n" for number in range(1, 81)) and value["exit_code"] == 3, value
    done = double.requests()
    assert done.count("Command") == 1 == done.count("Create") and done.count("Receive") > 8, done
