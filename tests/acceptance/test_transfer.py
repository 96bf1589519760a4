"""Uploads and downloads: modes, folders, whole or not at all, bounded memory."""
import json
import os
import signal
import stat
import subprocess

from harness.bench import HANGS, alone
from harness.patience import wait_for

TARGETS = ("web", "localhost")


def tree(path):
    return {p.relative_to(path).as_posix(): (p.read_bytes() if p.is_file() else None, stat.S_IMODE(p.stat().st_mode))
            for p in path.rglob("*")}


def make_tree(b):
    b.write("src/a.txt", "a", 0o644)
    b.write("src/run.sh", "#!/bin/sh\n", 0o755)
    b.write("src/deep/er/b.bin", bytes(range(256)), 0o600)
    b.write("src/with space/c'd.txt", "c")
    (b.folder / "src" / "empty").mkdir()
    return b.folder / "src"


def test_res_015_upload_a_file(b):
    """RES-015, CLI-004, SH-022: content and mode; the result's text"""
    b.ssh_inventory()
    source = b.write("x.sh", "#!/bin/sh\n", 0o750)
    for target in TARGETS:
        goal = b.folder / f"to-{target}"
        run = b.run("file", "upload", source, goal, "-t", target, "--format", "json")
        item = run.json["items"][0]
        assert item["action"] == "upload" and item["object"] == str(source), run
        assert item["value"]["_output"].startswith(f"Uploaded '{source}' to '") and item["value"]["_output"].endswith(f":{goal}'"), run
        assert goal.read_text() == "#!/bin/sh\n" and stat.S_IMODE(goal.stat().st_mode) == 0o750, run


def test_arg_014_upload_a_folder(b):
    """ARG-014, SH-022: into a new place, and inside an existing folder"""
    b.ssh_inventory()
    source = make_tree(b)
    for target in TARGETS:
        goal = b.folder / f"to-{target}"
        assert b.run("file", "upload", source, goal, "-t", target).status == 0
        assert tree(goal) == tree(source), target
        assert b.run("file", "upload", source, goal, "-t", target).status == 0
        assert tree(goal / "src") == tree(source), "an existing folder receives it inside"


def test_upload_of_what_is_not_there(b):
    """ARG-012, ARG-014"""
    run = b.run("file", "upload", "nothing-here", "/tmp/x", "-t", "localhost")
    assert run.status == 1 and "nothing-here" in run.out, run


def test_upload_to_a_missing_folder(b):
    """ERR-053: WRITE_ERROR with the target's words"""
    b.ssh_inventory()
    source = b.write("x", "x")
    for target, issue in (("web", "WRITE_ERROR"), ("localhost", "COPY_ERROR")):
        run = b.run("file", "upload", source, b.folder / "no" / "such" / "x", "-t", target, "--format", "json")
        error = run.value()["_error"]
        assert error["kind"] == "puppetlabs.tasks/task_file_error" and ("No such file" in error["msg"] or "nonexistent" in error["msg"]), error
        assert error["issue_code"] in (issue, "WRITE_ERROR"), error


def test_sh_023_download(b):
    """SH-023, RES-016, ARG-013, JSN-001: files and folders, one folder a target"""
    b.ssh_inventory(names=("web", "we b/2".replace(" ", "")))
    source = make_tree(b)
    run = b.run("file", "download", source / "run.sh", "down", "-t", "web,localhost", "--format", "json")
    assert run.status == 0, run
    for item in run.json["items"]:
        path = b.folder / "down" / item["target"] / "run.sh"
        assert item["value"]["path"] == str(path) and path.read_text() == "#!/bin/sh\n", item
        assert item["value"]["_output"].startswith("Downloaded '"), item
    run = b.run("file", "download", source, "down", "-t", "web,localhost", "--format", "json")
    for target in ("web", "localhost"):
        assert tree(b.folder / "down" / target / "src") == tree(source), target
    run = b.run("file", "download", source / "a.txt", "down", "-t", "web/2".replace(" ", ""), "--format", "json")
    assert run.status == 0 and (b.folder / "down" / "we%2Fb" / "a.txt").exists() or (b.folder / "down" / "web%2F2" / "a.txt").exists(), run


def test_download_of_what_is_not_there(b):
    """ERR-053"""
    b.ssh_inventory()
    for target in TARGETS:
        run = b.run("file", "download", b.folder / "missing", "down", "-t", target, "--format", "json")
        error = run.value()["_error"]
        assert error["kind"] == "puppetlabs.tasks/task_file_error" and ("No such file" in error["msg"] or "nonexistent" in error["msg"]), error


def test_err_038_download_onto_a_file(b):
    """ERR-038"""
    b.ssh_inventory()
    place = b.write("a-file", "x")
    run = b.run("file", "download", b.write("y", "y"), place, "-t", "web", "--format", "json")
    assert run.status == 1 and "a-file" in run.out, run


@alone
def test_large_files_in_bounded_memory(b):
    """200 MB in both directions; the program stays small"""
    b.ssh_inventory()
    big = b.folder / "big"
    subprocess.run(["dd", "if=/dev/urandom", f"of={big}", "bs=1M", "count=200", "status=none"], check=True)
    run = b.run("file", "upload", big, b.folder / "there", "-t", "web")
    assert run.status == 0 and subprocess.run(["cmp", big, b.folder / "there"], check=False).returncode == 0, run
    assert run.rss_mib < (60 if "ASAN_OPTIONS" not in os.environ else 600), run.rss_mib
    run = b.run("file", "download", b.folder / "there", b.folder / "down", "-t", "web")
    assert run.status == 0 and subprocess.run(["cmp", big, b.folder / "down/web/there"], check=False).returncode == 0, run
    assert run.rss_mib < (60 if "ASAN_OPTIONS" not in os.environ else 600), run.rss_mib


def test_an_interrupted_upload_leaves_the_old_file(b):
    """Whole or not at all: the old content stays when the run is interrupted"""
    b.ssh_inventory()
    goal = b.write("there/goal", "old content")
    big = b.folder / "big"
    subprocess.run(["dd", "if=/dev/urandom", f"of={big}", "bs=1M", "count=300", "status=none"], check=True)
    child = b.start("file", "upload", big, goal, "-t", "web", "--format", "json")
    wait_for(lambda: len(list(goal.parent.iterdir())) > 1, "the beginning of the upload")
    child.send_signal(signal.SIGINT)
    child.communicate(timeout=HANGS)
    assert child.returncode == 130 and goal.read_text() == "old content"
    wait_for(lambda: list(goal.parent.iterdir()) == [goal], "the end of what had arrived")


def test_hostile_names_of_targets_stay_inside(b):
    """SH-023: a target called ../../x cannot write outside the folder"""
    server = b.ssh_inventory()
    b.inventory(json.dumps({"config": {"ssh": {"user": b.me, "private-key": str(b.lab.keys.user())}},
                            "targets": [{"name": "../../escaped", "uri": f"127.0.0.1:{server.port}"}]}))
    run = b.run("file", "download", b.write("f", "x"), "deep/down", "-t", "all")
    assert not (b.folder / "escaped").exists() and not (b.folder.parent / "escaped").exists(), run


def test_a_folder_with_a_link_that_leads_back_is_refused(b):
    """CODE-2.3: before anything runs, and with the link's name; links to elsewhere and to brothers are followed"""
    (b.folder / "tree/sub").mkdir(parents=True)
    (b.folder / "tree/sub/loop").symlink_to("..")
    run = b.run("file", "upload", str(b.folder / "tree"), str(b.folder / "copy"), "-t", "localhost", "--format", "json")
    assert run.status == 1 and run.json["_error"]["kind"] == "bolt/file-error", run
    assert run.json["_error"]["msg"] == (f"The source file '{b.folder}/tree/sub/loop' is a symbolic link that leads back to a directory "
                               "above it"), run
    (b.folder / "tree/sub/loop").unlink()
    (b.folder / "tree/brother").symlink_to("sub")
    assert b.run("file", "upload", str(b.folder / "tree"), str(b.folder / "copy"), "-t", "localhost").status == 0
    assert (b.folder / "copy/brother").is_dir()


def test_a_folder_of_the_target_with_a_link_that_leads_back_is_refused(b):
    """SH-023: links are followed, and two that lead back would fill the disk; links to elsewhere and to brothers are followed"""
    b.ssh_inventory()
    tree_there = make_tree(b)
    (tree_there / "brother").symlink_to("deep")
    (tree_there / "deep" / "it's a loop").symlink_to("..")
    (tree_there / "other").symlink_to(".")
    for target in TARGETS:
        run = b.run("file", "download", tree_there, "down", "-t", target, "--format", "json")
        assert run.status == 1, run
        message = run.value(target)["_error"]["msg"]
        assert message.startswith(f"Could not download '{tree_there}' from ") and "leads back to a directory above it: './" in message, message
        assert not [p for p in (b.folder / "down").rglob("*") if p.is_file()]
    (tree_there / "deep" / "it's a loop").unlink()
    (tree_there / "other").unlink()
    for target in TARGETS:
        run = b.run("file", "download", tree_there, "down", "-t", target)
        assert run.status == 0, run
    assert [p.read_bytes() for p in (b.folder / "down").glob("*/src/brother/er/b.bin")] == [bytes(range(256))] * 2


def test_folders_without_the_library_of_archives(b):
    """ARG-013, ARG-014: libarchive is loaded for the first folder: where it is missing there is one clear error, and files still travel"""
    b.write("lib/libarchive.so.13", "")
    without = {"LD_LIBRARY_PATH": str(b.folder / "lib")}
    b.ssh_inventory()
    source = make_tree(b)
    goal = b.folder / "goal"
    for action in (("upload", source, goal), ("download", source, "down")):
        run = b.run("file", *action, "-t", ",".join(TARGETS), "--format", "json", env=without)
        assert run.status == 1, run
        for target in TARGETS:
            error = run.value(target)["_error"]
            assert error["kind"] == "bolt/archive-error", error
            assert "Archives need libarchive.so.13 (Debian's package libarchive13), which could not be loaded" in error["msg"], error
            assert "\n" not in error["msg"], error
    assert not goal.exists() and not [p for p in (b.folder / "down").rglob("*") if p.is_file()]
    assert b.run("file", "upload", source / "a.txt", goal, "-t", ",".join(TARGETS), env=without).status == 0
    assert goal.read_text() == "a"
