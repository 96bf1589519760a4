#!/usr/bin/env python3
"""tests/acceptance/run.py VOLLEY [filter]: the built program as a process, on real SSH servers.

Every function test_* of every test_*.py runs with a Bench of its own (harness/bench.py): a temporary folder, helpers,
and cleanup. Three at a time (they wait for half of their time), each within its time limit: then its programs are killed,
and a test that goes on all the same is left behind, with the place where it hangs. A filter selects by "file::test". Last
line: N passed, M failed (, K skipped). A test that cannot run here raises Skip with the reason, which is printed.
"""
import importlib.util
import itertools
import os
import queue
import re
import signal
import sys
import threading
import time
import traceback
from pathlib import Path

LIMIT = float(os.environ.get("ACCEPTANCE_LIMIT", "600"))  # seconds for one test
UNTIL = float(os.environ.get("ACCEPTANCE_UNTIL", "inf"))  # seconds since 1970: what has not begun by then is skipped
EARLIER = os.environ.get("ACCEPTANCE_EARLIER")  # what an earlier run printed: with UNTIL the tests that took least come first
GRACE = 60  # seconds in which a test whose programs were killed has to end

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from harness.bench import Bench, Skip  # noqa: E402
from harness.lab import Lab  # noqa: E402


def discover(pattern):
    for path in sorted(HERE.glob("test_*.py")):
        spec = importlib.util.spec_from_file_location(path.stem, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for name, function in vars(module).items():
            if name.startswith("test_") and callable(function) and pattern in f"{path.stem}::{name}":
                yield f"{path.stem}::{name}", function


def least_first(tests):
    """So that as few as possible are skipped when the time is over. A test that the earlier run did not pass is among the first."""
    if not EARLIER or UNTIL == float("inf") or not Path(EARLIER).exists():
        return tests
    took = dict(re.findall(r"^ok (\S+) \(([\d.]+) s\)$", Path(EARLIER).read_text(errors="replace"), re.M))
    return sorted(tests, key=lambda test: float(took.get(test[0], 0)))


running = {}  # name of a test: when it began, its thread


def results(tests, jobs, volley, lab):
    """The results of tests as they come. One that goes on after its time has failed, and nobody waits for it any longer."""
    waiting, done, left, abandoned = queue.SimpleQueue(), queue.SimpleQueue(), len(tests), set()
    for test in tests:
        waiting.put(test)

    def work():
        while True:
            try:
                name, function = waiting.get_nowait()
            except queue.Empty:
                return
            late = time.time() > UNTIL
            done.put((name, "skip", "no time left (VOLLEY_TEST_MINUTES)", 0.0) if late else run_one(name, function, volley, lab))

    for _ in range(jobs):
        threading.Thread(target=work, daemon=True).start()
    while left:
        try:
            result = done.get(timeout=5)
            if result[0] not in abandoned:
                left -= 1
                yield result
        except queue.Empty:
            pass
        for name, (started, thread) in list(running.items()):
            seconds = time.monotonic() - started
            if seconds > LIMIT + GRACE and name not in abandoned:
                abandoned.add(name)
                left -= 1
                place = "".join(traceback.format_stack(sys._current_frames().get(thread)))
                yield name, "not ok", f"it goes on after its time limit of {LIMIT:.0f} s:\n{place}", seconds
                threading.Thread(target=work, daemon=True).start()


def run_one(name, function, volley, lab):
    started = time.monotonic()
    bench = Bench(volley, lab)
    # A test that hangs loses its processes, and so fails by itself.
    watch = threading.Timer(LIMIT, bench.expire)
    watch.start()
    running[name] = (started, threading.get_ident())
    try:
        function(bench)
        outcome, why = "ok", ""
    except Skip as skip:
        outcome, why = "skip", str(skip)
    except BaseException:  # noqa: BLE001 - a failing test is a result
        outcome, why = "not ok", traceback.format_exc() + bench.last_run_text()
    finally:
        watch.cancel()
        bench.close()
        running.pop(name, None)
    if bench.expired and outcome == "ok":
        outcome, why = "not ok", "over its time limit"
    return name, outcome, why, time.monotonic() - started


def main():
    # A job in the background ignores Ctrl-C and Ctrl-\, and so would the programs under test.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # the same below nohup
    os.umask(0o022)  # other users have to read what tests write for them
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    volley = str(Path(sys.argv[1]).resolve())
    tests = least_first(list(discover(sys.argv[2] if len(sys.argv) > 2 else "")))
    counts = {"ok": 0, "not ok": 0, "skip": 0}
    # Tests that need the machine to themselves run alone, after the others.
    together = [t for t in tests if not getattr(t[1], "alone", False)]
    alone = [t for t in tests if getattr(t[1], "alone", False)]
    with Lab() as lab:
        jobs = int(os.environ.get("ACCEPTANCE_JOBS", "3"))
        for name, outcome, why, seconds in itertools.chain(results(together, jobs, volley, lab), results(alone, 1, volley, lab)):
            counts[outcome] += 1
            print(f"{outcome} {name} ({seconds:.1f} s)" + (f" # {why}" if outcome == "skip" else ""), flush=True)
            if outcome == "not ok":
                print("    " + why.replace("\n", "\n    "), flush=True)
    skipped = f", {counts['skip']} skipped" if counts["skip"] else ""
    print(f"{counts['ok']} passed, {counts['not ok']} failed{skipped}")
    return 1 if counts["not ok"] else 0


if __name__ == "__main__":
    sys.exit(main())
