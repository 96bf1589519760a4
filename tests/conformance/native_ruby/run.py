#!/usr/bin/env python3
"""How many ERB templates and Ruby functions of modules run without a Ruby: counts them below a modulepath.

    ninja -C build/debug native_ruby_dump
    tests/conformance/native_ruby/run.py build/debug/tests/native_ruby_dump [MODULEPATH...] [--files]

Prints the share of each kind and the reasons of the rest, the most frequent first; with --files the files too. What
shows only when code runs, such as an argument of a strange kind, is not counted: modules_catalogs --no-ruby is the
measure of that.
"""
import argparse
import collections
import os
import re
import subprocess


def files_below(paths):
    kinds = {"ERB templates": [], "functions of the newer API": [], "functions of the older API": []}
    for path in paths:
        for folder, _, names in os.walk(path, followlinks=True):
            for name in sorted(names):
                full = os.path.join(folder, name)
                if name.endswith(".erb"):
                    kinds["ERB templates"].append(full)
                elif name.endswith(".rb") and re.search(r"/lib/puppet/functions/", full):
                    kinds["functions of the newer API"].append(full)
                elif name.endswith(".rb") and re.search(r"/lib/puppet/parser/functions/", full):
                    kinds["functions of the older API"].append(full)
    return kinds


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("modulepath", nargs="*", default=["/usr/share/puppet/modules"])
    parser.add_argument("--files", action="store_true", help="name each file that is not native")
    options = parser.parse_args()
    for kind, files in files_below(options.modulepath).items():
        answer = subprocess.run([options.program], input="\n".join(files) + "\n", text=True, capture_output=True, check=True)
        rows = [line.split("\t") for line in answer.stdout.splitlines()]
        built_in = sum(1 for _, why in rows if why == "built in")
        native = built_in + sum(1 for _, why in rows if why == "native")
        print(f"{kind}: {native} of {len(rows)} are native ({100.0 * native / max(1, len(rows)):.1f} %), {built_in} of them written in C++")
        reasons = collections.Counter(re.sub(r" \(line \d+\)$", "", why) for _, why in rows if why not in ("native", "built in"))
        for why, count in reasons.most_common():
            print(f"  {count:4}  {why}")
        if options.files:
            for path, why in rows:
                if why not in ("native", "built in"):
                    print(f"  {path}: {why}")


if __name__ == "__main__":
    main()
