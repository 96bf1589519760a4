"""What a terminal shows while something runs, on a small emulated screen."""
import fcntl
import os
import signal
import struct
import termios
import time

from harness.screen import Screen

NAMES = "config: {transport: local}\ntargets: [" + ", ".join(f"n{i:02}" for i in range(1, 31)) + "]\n"


def watch(b, *arguments, columns=80, lines=24, seen=lambda rows: False, then=lambda pid, master: None):
    """Runs volley on a terminal; once `seen` is true of the screen's rows, `then` happens. Returns screen, snapshot and status."""
    import pty
    import select
    words = [b.volley, *map(str, arguments), "--project", str(b.project)]
    pid, master = pty.fork()
    if pid == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        os.chdir(b.folder)
        os.execve(words[0], words, {**b.env, "TERM": "xterm"})
    screen, snapshot, end = Screen(columns, lines), None, time.monotonic() + 120
    while True:
        assert time.monotonic() < end, "\n".join(screen.rows())
        if not select.select([master], [], [], 0.2)[0]:
            continue
        try:
            piece = os.read(master, 65536)
        except OSError:
            break
        if not piece:
            break
        screen.feed(piece)
        if snapshot is None and seen(screen.rows()):
            snapshot = screen.rows()
            then(pid, master)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    os.close(master)
    assert snapshot is not None, "\n".join(screen.rows())
    return screen, snapshot, status


def has(*parts):
    return lambda rows: all(any(part in row for row in rows) for part in parts)


def go_on(b):
    """What the targets wait for, and a command that waits for it."""
    return b.folder / "go", f"while [ ! -e {b.folder}/go ]; do sleep 0.1; done"


def test_failures_stand_with_their_reasons_while_the_rest_runs(b):
    """USER-F4: three kinds of failure, the slowest targets with their last line; gone when all is done"""
    b.inventory(NAMES)
    mark, wait = go_on(b)
    command = (f"if mkdir {b.folder}/a 2>/dev/null; then echo 'disk full' >&2; exit 3; fi; "
               f"if mkdir {b.folder}/b 2>/dev/null; then echo 'is locked' >&2; exit 4; fi; "
               f"if mkdir {b.folder}/c 2>/dev/null; then echo 'no route' >&2; exit 5; fi; echo first; printf 'busy with it'; {wait}")
    screen, seen, status = watch(b, "command", "run", command, "-t", "all", "-c", "6",
                                 seen=has("busy with it", "disk full", "is locked", "no route", "3 of 30 done, 6 running"),
                                 then=lambda *_: mark.write_text(""))
    assert status == 1 and sum("Failed on 1: n" in row for row in seen) == 3, seen
    assert any(row.endswith(" s  busy with it") and row.startswith("  n") for row in seen), seen
    everything = screen.scrolled + screen.rows()
    assert not any("running" in row for row in everything), everything
    assert any("Failed on 3 targets: " in row for row in everything) and any("disk full" in row for row in everything), everything


def test_what_a_task_returns_is_not_on_the_screen(b):
    """USER-F4: a task's standard output is its result, which may hold secrets until it is read as a whole; what it reports on
    standard error is shown"""
    b.inventory("config: {transport: local}\ntargets: [a]\n")
    mark, wait = go_on(b)
    b.task("t.sh", f"#!/bin/sh\necho harmless >&2; sleep 0.5\necho '{{\"_sensitive\": {{\"key\": \"classified\"}},'\n{wait}\necho '\"a\": 1}}'\n")
    screen, seen, status = watch(b, "task", "run", "site::t", "-t", "a", seen=has(" 2 s  "), then=lambda *_: mark.write_text(""))
    shown = seen + screen.scrolled + screen.rows()
    assert any(row.endswith("harmless") for row in seen), seen
    assert status == 0 and not any("classified" in row for row in shown), shown


def test_what_targets_say_cannot_change_the_screen(b):
    """USER-F4: control characters, escapes, wide characters and lines that are longer than a narrow terminal"""
    b.inventory("config: {transport: local}\ntargets: [a]\n")
    mark, wait = go_on(b)
    said = r"printf '\033[2J\033[31m\007evil \346\227\245\346\234\254\350\252\236 \342\200\256 abc 0123456789 0123456789 0123456789'"
    screen, seen, status = watch(b, "command", "run", f"{said}; {wait}; printf '\\n'", "-t", "a", "--no-verbose", columns=40,
                                 seen=has("evil 日"), then=lambda *_: mark.write_text(""))
    assert status == 0 and not any("running" in row for row in screen.scrolled + screen.rows()), screen.rows()
    assert all(len(row) <= 40 for row in seen) and any("\\x1B[2J" in row or "evil" in row for row in seen), seen


def test_a_terminal_that_becomes_narrow(b):
    """USER-F4: the view fits after SIGWINCH, and nothing of it is left"""
    b.inventory(NAMES)
    mark, wait = go_on(b)
    command = f"if mkdir {b.folder}/a 2>/dev/null; then echo {'x' * 70} >&2; exit 3; fi; {wait}"

    def narrow(pid, master):
        fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 30, 0, 0))
        os.kill(pid, signal.SIGWINCH)
        mark.write_text("")
    screen, _, status = watch(b, "command", "run", command, "-t", "all", "-c", "4", seen=has("xxxx", "1 of 30 done"), then=narrow)
    assert status == 1, screen.rows()


def test_steps_of_a_plan_side_by_side(b):
    """USER-F4: a line for each branch; what failed in an earlier step stays"""
    b.inventory("config: {transport: local}\ntargets: [a, b]\n")
    mark, wait = go_on(b)
    b.write("project/plans/p.pp", f"""plan site::p() {{
  run_command('echo gone wrong >&2; exit 9', 'a', '_catch_errors' => true)
  parallelize(['a', 'b']) |$t| {{ run_command('{wait}', $t, "wait on ${{t}}") }}
}}
""")
    screen, seen, status = watch(b, "plan", "run", "site::p", lines=24,
                                 seen=has("|- wait on a: 0 of 1 done", "`- wait on b: 0 of 1 done", "gone wrong"),
                                 then=lambda *_: mark.write_text(""))
    assert status == 0 and any(row.startswith("plan site::p: 0 of 2 done, 2 running (a, b)") for row in seen), seen


def test_without_the_view(b):
    """USER-F4: --no-live is one line as before, a dumb terminal has nothing; secrets of tasks are never shown"""
    b.inventory("config: {transport: local}\ntargets: [a]\n")
    mark, wait = go_on(b)
    screen, seen, _ = watch(b, "command", "run", f"echo said; {wait}", "-t", "a", "--no-verbose", "--no-live",
                            seen=has("0 of 1 done, 1 running (a), 0 failed, 1."), then=lambda *_: mark.write_text(""))
    assert not any("said" in row for row in seen), seen
    mark.unlink()
    b.task("secret.sh", f"#!/bin/sh\necho '{{\"_sensitive\": {{\"password\": \"Geheim\"}}, \"a\": 1}}'\n{wait}\n")
    screen, seen, _ = watch(b, "task", "run", "site::secret", "-t", "a", seen=has("  a  1 s", "0 of 1 done"),
                            then=lambda *_: mark.write_text(""))
    assert not any("Geheim" in row for row in seen + screen.scrolled + screen.rows()), seen
    text, _ = b.terminal("command", "run", "true", "-t", "a", env={"TERM": "dumb"})
    assert "running" not in text, text


def test_progress_in_a_log_of_continuous_integration(b):
    """USER-F4: not a terminal, CI is set: a line on standard error at most every ten seconds; what is piped stays as it is"""
    b.inventory("config: {transport: local}\ntargets: [a, b, c]\n")
    plain = b.run("command", "run", "echo x", "-t", "all", "-c", "1", "--no-verbose")
    logged = b.run("command", "run", "sleep 5.5; echo x", "-t", "all", "-c", "1", "--no-verbose", env={"CI": "true"})
    assert logged.err.count(" of 3 done, ") == 1 and "2 of 3 done, " in logged.err, logged
    assert plain.err == "" and logged.out.split(" in ")[0] == plain.out.split(" in ")[0], (plain, logged)


def test_two_hundred_targets_and_three_kinds_of_failure(b):
    """USER-F4: on a terminal of 80 columns the three reasons stand on one screen, while it runs and afterwards; and in a CI log"""
    b.inventory("config: {transport: local}\ntargets: [" + ", ".join(f"node{n:03}" for n in range(1, 201)) + "]\n")
    mark, wait = go_on(b)
    for kind, count in (("space", 20), ("lock", 7), ("repo", 2)):
        for n in range(count):
            (b.folder / kind / str(n)).mkdir(parents=True)
    command = (f"if rmdir $(ls -d {b.folder}/space/* 2>/dev/null | head -1) 2>/dev/null; then echo 'E: no free space' >&2; exit 100; fi; "
               f"if rmdir $(ls -d {b.folder}/lock/* 2>/dev/null | head -1) 2>/dev/null; then echo \"E: lock held by $$\" >&2; exit 100; fi; "
               f"if rmdir $(ls -d {b.folder}/repo/* 2>/dev/null | head -1) 2>/dev/null; then echo 'E: repository gone' >&2; exit 7; fi; "
               f"echo '0 upgraded'; [ -e {b.folder}/last ] || {wait}")
    reasons = ("E: no free space", "E: lock held by *", "E: repository gone")
    screen, seen, status = watch(b, "command", "run", command, "-t", "all", "-c", "20", seen=has(*reasons, " of 200 done, 20 running"),
                                 then=lambda *_: mark.write_text(""))
    assert status == 1 and len(seen) <= 24 and all(len(row) <= 80 for row in seen), seen
    assert all(any(reason in row for row in screen.rows()) for reason in reasons), screen.rows()
