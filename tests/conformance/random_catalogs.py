#!/usr/bin/env python3
"""Compare catalogs of random programs with the installed Puppet's; what differs is made small and printed.

    random_catalogs.py VOLLEY_BINARY FIRST_SEED END_SEED [--modules DIR]

A program that ends in the same error on both sides goes on without the line of the error, so that what follows it
is compared as well. Judged as by run.py, and by the order of resources and edges. Exit status 1 when something differs.
"""
import argparse
import collections
import json
import re
import subprocess
import sys
from pathlib import Path

import run
from random_programs import program

HERE = Path(__file__).resolve().parent
STEPS = 8  # programs made of one seed, at most
PIECES = [r",[^,;{}()\[\]|]*(?=[,;})\]])", r"\w+ => [^,;{}]*,? ?", r"\{[^{}]*\}", r"\[[^\[\]]*\]",
          r"(?:->|~>|<-|<~) *[^-~<{}]*"]


class Oracle:
    """One warm Puppet, begun anew from time to time because it keeps what it has seen."""

    def __init__(self, modules):
        self.command = ["ruby", str(HERE / "oracle_lines.rb")] + modules
        self.process, self.asked = None, 0

    def ask(self, case):
        if self.asked % 4000 == 0 or self.process.poll() is not None:
            self.stop()
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=subprocess.DEVNULL, text=True)
        self.asked += 1
        self.process.stdin.write(json.dumps(case) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline() or '{"oracle_error": "ended"}')

    def stop(self):
        if self.process:
            self.process.stdin.close()
            self.process.wait()


def judge_order(want, got, problems):
    if problems or not want.get("catalog"):
        return
    resources = [run.resource_key(one) for one in got["catalog"]["resources"]]
    edges = [[one["source"], one["target"]] for one in got["catalog"]["edges"]]
    if want["catalog"]["order"] != [one for one in resources if one != "Class[Settings]"]:
        problems.append("order of resources\n      want %s\n      got  %s" % (want["catalog"]["order"], resources))
    if want["catalog"]["edge_order"] != [one for one in edges if "Class[Settings]" not in one]:
        problems.append("order of edges\n      want %s\n      got  %s" % (want["catalog"]["edge_order"], edges))


class Comparison:
    def __init__(self, binary, modules):
        self.oracle, self.batch = Oracle(modules), run.Batch(binary, 30)
        self.programs, self.catalogs = 0, 0

    def problems(self, case):
        """The error that Puppet ends in, or None, and in what the two differ."""
        want = self.oracle.ask(case)
        if "oracle_error" in want:  # nothing to compare with, such as an endless recursion
            return None, []
        got, trouble = self.batch.run(case)
        self.programs += 1
        self.catalogs += want.get("error") is None
        if trouble:
            return None, [trouble]
        found = run.judge({**case, "expect": want}, got)
        judge_order(want, got, found)
        return want.get("error"), found

    def explore(self, case):
        """The first of the programs made of this one that differs, or None."""
        for _ in range(STEPS):
            error, found = self.problems(case)
            if found:
                return case, found
            case = without_error(case, error)
            if not case:
                return None
        return None

    def shrink(self, case, found):
        """The program without whatever is not needed to differ in the same way."""
        kind = found[0].split(":")[0]

        def differs(code):
            nonlocal case, found
            _, now = self.problems({**case, "code": code})
            if not now or now[0].split(":")[0] != kind:
                return False
            case, found = {**case, "code": code}, now
            return True

        size = max(1, case["code"].count("\n") // 2)
        while size:
            lines, at = case["code"].split("\n"), 0
            while at < len(lines):
                rest = lines[:at] + lines[at + size:]
                if differs("\n".join(rest)):
                    lines = rest
                else:
                    at += size
            size //= 2
        for pattern in PIECES:
            for match in reversed(list(re.finditer(pattern, case["code"]))):
                code = case["code"]
                if code[match.start():match.end()] == match.group():
                    differs(code[:match.start()] + code[match.end():])
        return case, found


def without_error(case, error):
    """The program without the line of its error; None when that line is not known or holds others together."""
    if not error or not error.get("line") or error.get("file"):
        return None
    lines = case["code"].split("\n")
    at = error["line"] - 1
    if at >= len(lines) or lines[at].count("{") != lines[at].count("}") or not lines[at]:
        return None
    lines[at] = ""
    return {**case, "code": "\n".join(lines)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("first", type=int)
    parser.add_argument("end", type=int)
    parser.add_argument("--modules", action="append", default=[], help="modules that Puppet finds, too")
    options = parser.parse_args()
    comparison = Comparison(options.binary, options.modules)
    kinds = collections.Counter()
    for seed in range(options.first, options.end):
        different = comparison.explore(program(seed))
        if not different:
            continue
        case, found = comparison.shrink(*different)
        kinds[found[0].split(":")[0].split("\n")[0]] += 1
        print("=== seed %d\n%s" % (seed, case["code"]))
        print("\n".join("    " + line for line in found), flush=True)
    comparison.oracle.stop()
    comparison.batch.stop()
    print("%d programs, %d catalogs, %d seeds differ" % (comparison.programs, comparison.catalogs, sum(kinds.values())))
    return 1 if kinds else 0


if __name__ == "__main__":
    sys.exit(main())
