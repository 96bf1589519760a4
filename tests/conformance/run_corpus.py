#!/usr/bin/env python3
"""The recorded cases against a built volley, for ./dev test.

    run_corpus.py VOLLEY_BINARY [AREA ...]            last line: N passed, M failed
    run_corpus.py VOLLEY_BINARY --accept [AREA ...]   rewrite known_failures.tsv; look at the difference

run.py judges. known_failures.tsv names the cases that may fail, each with its reason; any other failure is one here,
and so is a case that is listed but passes: a list that only shrinks cannot loosen by itself.

own/*.yaml holds further programs, corners where Volley once differed; their answers are made with
    ruby oracle.rb --out expected/own own
random_catalogs.py looks for more of them.
"""
import argparse
import collections
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
KNOWN = HERE / "known_failures.tsv"
HEADER = "# Cases that may fail: file, name (JSON string), reason. See run_corpus.py.\n"


def read_known():
    """{(file, name): reason}; every line needs a reason."""
    known = {}
    for number, line in enumerate(KNOWN.read_text(encoding="utf-8").splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        parts = line.split("\t")
        if len(parts) != 3 or not parts[2].strip():
            sys.exit(f"{KNOWN.name}:{number}: a line is: file, name, reason")
        known[(parts[0], json.loads(parts[1]))] = parts[2]
    return known


def in_areas(file, areas):
    return not areas or any(file == area or file.startswith(area.rstrip("/") + "/") for area in areas)


def run(binary, areas, slow):
    """Passed cases as a number, the failed ones with their problems, and what run.py printed about areas."""
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as failures:
        command = [sys.executable, str(HERE / "run.py"), binary, "--failures", failures.name]
        command += ["--timeout", "60"] if slow else []
        done = subprocess.run(command + areas, capture_output=True, text=True, check=False)
        found = re.search(r"^(\d+) passed, (\d+) failed$", done.stdout, re.M)
        if not found:
            sys.exit(f"run.py printed no result:\n{done.stdout}{done.stderr}")
        failed = {}
        for line in Path(failures.name).read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            failed[(case["file"], case["name"])] = case["problems"]
        return int(found[1]), failed, done.stdout


def accept(failed, known, areas):
    """New failures get a reason that nobody can mistake for one."""
    kept = {case: why for case, why in known.items() if not in_areas(case[0], areas)}
    kept.update({case: known.get(case, "not yet") for case in failed})
    lines = [f"{file}\t{json.dumps(name, ensure_ascii=False)}\t{why}\n" for (file, name), why in sorted(kept.items())]
    KNOWN.write_text(HEADER + "".join(lines), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("areas", nargs="*")
    parser.add_argument("--accept", action="store_true")
    options = parser.parse_intermixed_args()
    passed, failed, summary = run(options.binary, options.areas, "asan" in options.binary)
    known = read_known()
    if options.accept:
        accept(failed, known, options.areas)
        known = read_known()
    print("\n".join(summary.splitlines()[:-1]))
    listed = {case: why for case, why in known.items() if in_areas(case[0], options.areas)}
    unexpected = {case: problems for case, problems in failed.items() if case not in listed}
    stale = [case for case in listed if case not in failed]
    for (file, name), problems in unexpected.items():
        print(f"FAILED {file}: {name}")
        print("\n".join("    " + line for line in problems))
    for file, name in stale:
        print(f"FAILED {file}: {name}\n    passes: take it out of {KNOWN.name}")
    reasons = collections.Counter(why for case, why in listed.items() if case in failed)
    for why, count in reasons.most_common():
        print(f"{count} known: {why}")
    total = passed + len(failed)
    print(f"{100 * passed / max(total, 1):.2f}% of {total} cases return what Puppet returns")
    print(f"{passed - len(stale)} passed, {len(unexpected) + len(stale)} failed")
    return 1 if unexpected or stale else 0


if __name__ == "__main__":
    sys.exit(main())
