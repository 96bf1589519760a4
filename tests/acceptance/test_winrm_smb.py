"""`file-protocol: smb` of WinRM: files go to the shares of the machine's drives, through libsmbclient. A real Samba has them."""
import os

from harness.smb import Samba
from harness.windows import windows

FLAGS = ["-t", "windows", "--format", "json"]


def place(b, **options):
    samba = Samba(b)
    windows(b, **{"file-protocol": "smb", "smb-port": samba.port, **options})
    return samba


def contents(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_wrm_007_both_ways(b):
    """WRM-007: files and directories go to the share of a drive and come back, with any bytes and names"""
    samba = place(b)
    big = b.write("big.bin", os.urandom(3_000_000))
    b.write("tree/a", b"")
    b.write("tree/deep/ä 100%", b"inside")

    def upload(source, to):
        run = b.run("file", "upload", source, to, *FLAGS)
        assert run.status == 0, run

    upload(big, r"C:\new\folder\big.bin")
    assert (samba.shared / "new/folder/big.bin").read_bytes() == big.read_bytes()
    upload(b.write("small", "small"), "C:/new/folder/big.bin")  # another file in its place
    upload(b.folder / "tree", r"\\windows\C$\new")              # a directory takes it inside
    assert contents(samba.shared) == {"new/folder/big.bin": b"small", "new/tree/a": b"", "new/tree/deep/ä 100%": b"inside"}
    run = b.run("file", "download", r"C:\new", b.folder / "down", *FLAGS)
    assert run.status == 0 and contents(b.folder / "down/windows/new") == contents(samba.shared / "new"), run
    run = b.run("file", "download", r"c:\new\folder\big.bin", b.folder / "down", *FLAGS)
    assert (b.folder / "down/windows/big.bin").read_bytes() == b"small", run


def test_wrm_007_errors(b):
    """WRM-007: what cannot be copied over SMB is one line, and leaves nothing"""
    samba = place(b)
    source = b.write("small", "small")
    b.write("odd/a:b", "x")

    def refused(*words):
        run = b.run("file", *words, *FLAGS)
        error = run.error()
        assert run.status != 0 and "\n" not in error["msg"], run
        return error["issue_code"], error["msg"]

    for words, code, text in (
            (("upload", source, r"D:\x"), "WRITE_ERROR", r"there is no share \\127.0.0.1\D$"),
            (("upload", source, r"\\windows\read only\x"), "WRITE_ERROR", r"\\127.0.0.1\read only\.volley-"),
            (("upload", source, r"\\windows\closed\x"), "WRITE_ERROR",
             r"admin may not use \\127.0.0.1\closed: a share of a drive is for administrators"),
            (("upload", source, "/tmp/x"), "WRITE_ERROR", r"a path has a drive or a share, as C:\FOLDER\FILE or"),
            (("upload", source, r"C:\..\x"), "WRITE_ERROR", "'..'"),
            (("upload", b.folder / "odd", r"C:\odd"), "WRITE_ERROR", "'a:b' cannot be a name on Windows"),
            (("download", r"C:\nothing", b.folder / "down"), "DOWNLOAD_ERROR", r"\\127.0.0.1\C$\nothing does not exist")):
        seen = refused(*words)
        assert seen[0] == code and text in seen[1], seen
    assert contents(samba.shared) == {} and list(samba.shared.iterdir()) == []


def test_wrm_007_no_login(b):
    """WRM-007: a password that SMB does not take, and a port where nobody listens"""
    samba = Samba(b, password="another one")
    windows(b, **{"file-protocol": "smb", "smb-port": samba.port})
    error = b.run("file", "upload", b.write("small", "small"), r"C:\x", *FLAGS).error()
    assert error["issue_code"] == "AUTH_ERROR", error
    assert error["msg"] == f"Authentication failed for 127.0.0.1 port {samba.port} over SMB", error
    samba.stop()
    error = b.run("file", "upload", b.folder / "small", r"C:\x", *FLAGS).error()
    assert error["issue_code"] == "CONNECT_ERROR", error
    assert error["msg"] == f"Failed to connect to 127.0.0.1 port {samba.port} for SMB: Connection refused", error


def test_wrm_007_no_library(b):
    """WRM-007: without libsmbclient the error names the package, and all but files goes on"""
    windows(b, **{"file-protocol": "smb"})
    b.write("lib/libsmbclient.so.0", "")
    b.env["LD_LIBRARY_PATH"] = str(b.folder / "lib")
    error = b.run("file", "upload", b.write("small", "small"), r"C:\x", *FLAGS).error()
    assert error["issue_code"] == "CONNECT_ERROR" and "\n" not in error["msg"], error
    assert "file-protocol: smb needs libsmbclient.so.0 (Debian's package libsmbclient): " in error["msg"], error
    assert b.run("command", "run", "'hello'", *FLAGS).value()["stdout"] == "hello\r\n"
