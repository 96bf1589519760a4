"""What a terminal shows while something runs, on a small emulated screen."""
import fcntl
import os
import re
import signal
import struct
import termios
import time

from harness.patience import read_until, runs, wait_for
from harness.screen import Screen

NAMES = "config: {transport: local}\ntargets: [" + ", ".join(f"n{i:02}" for i in range(1, 31)) + "]\n"


def lead(words, env, report):
    """What a shell with job control does: the program in front, and again after it was stopped, when there is a file "go on"."""
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        os.execve(words[0], words, env)
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    try:
        os.setpgid(child, child)
    except PermissionError:
        pass  # it has done so itself
    os.tcsetpgrp(0, child)
    while True:
        _, status = os.waitpid(child, os.WUNTRACED)
        if not os.WIFSTOPPED(status):
            os._exit(os.waitstatus_to_exitcode(status))
        os.tcsetpgrp(0, os.getpgrp())
        report.write_text("stopped")
        while report.read_text() != "go on":
            time.sleep(0.02)
        os.tcsetpgrp(0, child)
        os.kill(child, signal.SIGCONT)


def watch(b, *arguments, columns=80, lines=24, seen=lambda rows: False, then=lambda pid, master: None, more=(), report=None):
    """Runs volley on a terminal; once `seen` is true of the screen's rows, `then` happens, and likewise each pair of `more`; with a
    `report`, under job control. Returns screen, the rows that were seen first (with `more`: those of each) and status."""
    import pty
    import select
    words = [b.volley, *map(str, arguments), "--project", str(b.project)]
    pid, master = pty.fork()
    if pid == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        os.chdir(b.folder)
        env = {**b.env, "TERM": "xterm"}
        lead(words, env, report) if report else os.execve(words[0], words, env)
    screen, snapshots, end = Screen(columns, lines), [], time.monotonic() + 120
    stages = [(seen, then), *more]
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
        if len(snapshots) < len(stages) and stages[len(snapshots)][0](screen.rows()):
            snapshots.append(screen.rows())
            stages[len(snapshots) - 1][1](pid, master)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    assert takes_lines(master), "the terminal is not as it was"
    os.close(master)
    assert len(snapshots) == len(stages), "\n".join(screen.rows())
    return screen, snapshots if more else snapshots[0], status


def takes_lines(terminal):
    """Whether what is typed is shown, and comes line by line."""
    return termios.tcgetattr(terminal)[3] & (termios.ECHO | termios.ICANON) == termios.ECHO | termios.ICANON


def press(keys):
    return lambda pid, master: os.write(master, keys.encode())


def has(*parts):
    return lambda rows: all(any(part in row for row in rows) for part in parts)


def on_a_screen(text):
    screen = Screen()
    screen.feed(text.rstrip().replace("\n", "\r\n").encode())
    return screen


def go_on(b):
    """What the targets wait for, and a command that waits for it, but not for longer than the test."""
    return b.folder / "go", f"while [ -d {b.folder} ] && [ ! -e {b.folder}/go ]; do sleep 0.1; done"


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
                                 seen=has("|- branch 1 (a) > wait on a: 0 of 1 done", "`- branch 2 (b) > wait on b: 0 of 1 done", "gone wrong"),
                                 then=lambda *_: mark.write_text(""))
    assert status == 0 and any(row.startswith("plan site::p: 0 of 2 done, 2 running (a, b)") for row in seen), seen


def test_keys_show_what_a_target_says(b):
    """USER-F4: the targets of the step, the output of one, back again; control characters do nothing"""
    b.inventory("config: {transport: local}\ntargets: [a, b, c]\n")
    mark, wait = go_on(b)
    command = f"echo first; printf 'second\\033[2J\\n'; echo third; {wait}"
    screen, seen, status = watch(b, "command", "run", command, "-t", "all", seen=has("  b  1 s  third"), then=press("e"), more=[
        (has("command '", "  c  "), press("\x1b[B\x1b[B")),
        (has("> b  "), press("\r")),
        (has("b, for ", "first", "second\\x1B[2J", "third", "s stop"), press("q")),
        (has("> b  "), press("?")),
        (has("s                stop the target"), lambda *_: mark.write_text(""))])
    assert status == 0 and seen[0][-1] == "up/down choose  enter open  s stop  S stop all  ? help", seen
    assert not any("stop all" in row for row in screen.scrolled + screen.rows()), screen.rows()


def test_a_key_stops_one_target(b):
    """USER-F4: over SSH: what it does is gone from the target, the others go on; a letter alone stops nothing"""
    b.ssh_inventory(names=("web1", "web2", "web3"))
    mark, wait = go_on(b)
    pids = b.folder / "pids"
    pids.mkdir()
    command = f"n=0; while ! mkdir {b.folder}/$n 2>/dev/null; do n=$((n + 1)); done; echo $$ > {pids}/$n; echo number $n; {wait}"

    def others(*_):
        gone = lambda: [path for path in pids.iterdir() if not runs(int(path.read_text()))]
        assert len(wait_for(gone)) == 1, list(pids.iterdir())
        mark.write_text("")
    screen, seen, status = watch(b, "command", "run", command, "-t", "all", "--no-verbose", more=[
        (has("> web2  "), press("sn")),
        (has("> web2  "), press("s")),
        (has("Stop web2? y"), press("y")),
        (has("Stopped by the user while running", "1 of 3 done, 2 running (web1, web3)"), others)],
        seen=lambda rows: sum("number" in row for row in rows) == 3, then=press("jj"))
    rows = screen.scrolled + screen.rows()
    assert status == 1 and "Successful on 2 targets: web1,web3" in rows and "Failed on 1 target: web2" in rows, rows
    run = b.run("run", "show", "--format", "json")
    assert "Stopped by the user while running" in run.out, run


def test_a_key_stops_everything(b):
    """USER-F4: as Ctrl-C does"""
    b.inventory("config: {transport: local}\ntargets: [a, b]\n")
    screen, seen, status = watch(b, "command", "run", "echo said; sleep 300", "-t", "all", seen=has("said"), then=press("S"),
                                 more=[(has("Stop everything? y"), press("y"))])
    rows = screen.scrolled + screen.rows()
    assert status == 130 and any("Interrupted while running" in row for row in rows), rows


def test_the_terminal_is_given_back(b):
    """USER-F4: while the program is stopped with Ctrl-Z, after a second Ctrl-C, and when a signal ends it"""
    b.inventory("config: {transport: local}\ntargets: [a]\n")
    mark, wait = go_on(b)
    report = b.folder / "report"

    def stop(pid, master):
        assert not takes_lines(master)
        os.write(master, b"\x1a")
        wait_for(lambda: report.exists() and report.read_text() == "stopped", "the stop")
        assert takes_lines(master)
        report.write_text("go on")
        wait_for(lambda: not takes_lines(master), "keys again")
        os.write(master, b"e")
    screen, seen, status = watch(b, "command", "run", f"echo said; {wait}", "-t", "all", seen=has("said"), then=stop, report=report,
                                 more=[(has("esc back"), lambda *_: mark.write_text(""))])
    assert status == 0, screen.rows()
    mark.unlink()
    stubborn = f"trap '' INT TERM; echo said; {wait}"
    screen, seen, status = watch(b, "command", "run", stubborn, "-t", "all", seen=has("said"), then=press("\x03"),
                                 more=[(has("stopping: "), press("\x03"))])
    assert status == 130, (status, screen.rows())
    screen, seen, status = watch(b, "command", "run", stubborn, "-t", "all", seen=has("said"), then=press("\x1c"))
    assert status == -signal.SIGQUIT, (status, screen.rows())
    mark.write_text("")


def test_a_plan_that_asks_gets_the_keys(b):
    """USER-F4: what is typed into a prompt while another branch runs is its answer, shown as it is typed"""
    b.inventory("config: {transport: local}\ntargets: [a]\n")
    mark, wait = go_on(b)
    b.write("project/plans/p.pp", f"""plan site::p() {{
  parallelize([1, 2]) |$i| {{
    if $i == 1 {{ run_command('echo said; {wait}', 'a') }}
    else {{ run_command('[ -e {b.folder}/seen ] || exec sleep 0.1', 'a')
      $name = prompt('Your name')
      out::message("hello ${{name}}") }}
  }}
}}
""")
    screen, seen, status = watch(b, "plan", "run", "site::p", seen=has("Your name:"), then=press("Sy\n"),
                                 more=[(has("hello Sy"), press("e")), (has("esc back"), lambda *_: mark.write_text(""))])
    rows = screen.scrolled + screen.rows()
    assert status == 0 and any("Your name: Sy" in row for row in rows), rows


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


def nested(b, wait):
    """A plan that runs another one, with three branches of which the second fails."""
    b.write("project/plans/p.pp", "plan site::p() {\n  run_command('true', 'a')\n  run_plan('site::inner', '_catch_errors' => true)\n}\n")
    b.write("project/plans/inner.pp", f"""plan site::inner() {{
  parallelize(['a', 'b', 'c']) |$t| {{
    if $t == 'b' {{ run_command('echo gone wrong >&2; exit 9', $t, 'break it') }}
    else {{ run_command('echo on it; {wait}', $t, "wait on ${{t}}") }}
  }}
}}
""")


def test_progress_in_a_log_of_continuous_integration(b):
    """USER-F4: not a terminal, CI is set: a line on standard error at most every ten seconds, with where in a plan it is; what is
    piped stays as it is"""
    b.inventory("config: {transport: local}\ntargets: [a, b, c]\n")
    plain = b.run("command", "run", "echo x", "-t", "all", "-c", "1", "--no-verbose")
    mark, wait = go_on(b)
    # All is done at once but on one target, which is named when the ten seconds are over.
    command = f"if mkdir {b.folder}/lock 2>/dev/null; then {wait}; fi; echo x"
    b.write("project/bolt-project.yaml", "name: site\n")
    nested(b, wait)
    with (b.start("command", "run", command, "-t", "all", "--no-verbose", env={"CI": "true"}) as child,
          b.start("plan", "run", "site::p", env={"CI": "true"}) as plan):
        first = read_until(child.stderr, b"\n", 120).decode()
        in_plan = read_until(plan.stderr, b" s\n", 120).decode()
        mark.write_text("")
        out, err = child.communicate(timeout=120)
        plan.communicate(timeout=120)
    assert ("\nsite::p > site::inner > branch 1 (a) > wait on a and 1 more step: 1 of 3 done, 2 running (a,c), 1 failed, ") in in_plan
    assert re.match(r"2 of 3 done, 1 running \([abc]\), 0 failed, ", first), first
    assert err == b"" and child.returncode == 0, err
    logged = b.run("command", "run", "echo x", "-t", "all", "-c", "1", "--no-verbose", env={"CI": "true"})
    assert plain.err == "" and logged.out.split(" in ")[0] == plain.out.split(" in ")[0], (plain, logged)


def test_two_hundred_targets_and_three_kinds_of_failure(b):
    """USER-F4: on a terminal of 80 columns the three reasons stand on one screen, while it runs and afterwards; at the end of a CI
    log; and as all that `run show` prints"""
    b.inventory("config: {transport: local}\ntargets: [" + ", ".join(f"node{n:03}" for n in range(1, 201)) + "]\n")
    mark, wait = go_on(b)
    script = b.write("upgrade.sh", f"""#!/bin/sh
take() {{ rmdir "$(ls -d {b.folder}/$1/* 2>/dev/null | head -1)" 2>/dev/null; }}
if take space; then echo 'E: no free space' >&2; exit 100; fi
if take lock; then echo "E: lock held by $$" >&2; exit 100; fi
if take repo; then echo 'E: repository gone' >&2; exit 7; fi
echo '0 upgraded'
[ -e {b.folder}/last ] || {wait}
""", 0o755)
    reasons = ("E: no free space", "E: lock held by *", "E: repository gone")
    words = ("script", "run", script, "-t", "all", "-c", "20")

    def prepare():
        for kind, count in (("space", 20), ("lock", 7), ("repo", 2)):
            for n in range(count):
                (b.folder / kind / str(n)).mkdir(parents=True)
    prepare()
    screen, seen, status = watch(b, *words, seen=has(*reasons, " of 200 done, 20 running"), then=lambda *_: mark.write_text(""))
    assert status == 1 and len(seen) <= 24 and all(len(row) <= 80 for row in seen), seen
    assert has(*reasons)(screen.rows()), screen.rows()
    prepare()
    log = b.run(*words, separate=False, env={"CI": "true"})
    assert log.status == 1 and has(*reasons)(on_a_screen(log.out).rows()), log
    shown = on_a_screen(b.run("run", "show").out)
    assert has(*reasons)(shown.rows()) and not shown.scrolled, (shown.scrolled, shown.rows())
