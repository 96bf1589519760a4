#!/usr/bin/env python3
"""Compares what the compiler reads from resource types with what the installed Puppet says of them.

    run.py [--modules /usr/share/puppet/modules] [--dump build/debug/tests/ruby_types_dump]

Needs `cmake --build --preset debug --target ruby_types_dump`, puppet-agent and modules with types. Exits with 1 when
an attribute, a namevar or a title pattern differs.
"""

import argparse
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
WHOLE_TITLE = [{"source": "(.*)", "options": 4}]


def meaning(patterns):
    """A pattern for the whole title says nothing; an escaped slash is a slash."""
    if not patterns:
        return []
    plain = [{"source": one["source"], "options": one["options"]} for one in patterns]
    if plain == WHOLE_TITLE:
        return []
    return [[one["source"].replace("\\/", "/"), one["options"], one["attributes"]] for one in patterns]


def differences(ours, theirs, core):
    for kind in ("properties", "parameters"):
        missing = sorted(set(theirs[kind]) - set(ours[kind]))
        extra = sorted(set(ours[kind]) - set(theirs[kind]))
        if missing or extra:
            yield f"{kind}: missing {missing}, too many {extra}"
    # A type without a namevar is treated as if it had a name.
    if sorted(ours["namevars"]) != sorted(theirs["namevars"] or ["name"]):
        yield f"namevars: {ours['namevars']} instead of {theirs['namevars']}"
    if ours["isomorphic"] != theirs["isomorphic"]:
        yield f"isomorphic: {ours['isomorphic']}"
    if not core and meaning(ours["patterns"]) != meaning(theirs["patterns"]):
        yield f"title patterns: {ours['patterns']} instead of {theirs['patterns']}"
    if not core and not ours["complete"]:
        yield "could not be read completely"


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--modules", default="/usr/share/puppet/modules")
    options.add_argument("--dump", default=str(ROOT / "build/debug/tests/ruby_types_dump"))
    options = options.parse_args()
    ours = json.loads(subprocess.run([options.dump, options.modules], check=True, stdout=subprocess.PIPE).stdout)
    theirs = json.loads(
        subprocess.run(["ruby", HERE / "puppet_types.rb", options.modules], check=True, stdout=subprocess.PIPE).stdout
    )
    # Types of modules that every Puppet brings along are described in the core.
    for name, one in theirs["modules"].items():
        if name in ours["core"]:
            theirs["core"][name] = one
    wrong = total = without_answer = 0
    for group in ("modules", "core"):
        for name, answer in sorted(theirs[group].items()):
            if "error" in answer:
                without_answer += 1
                print(f"{name}: Puppet itself cannot load it: {answer['error']}")
                continue
            total += 1
            mine = ours[group].get(name)
            found = list(differences(mine, answer, group == "core")) if mine else ["unknown"]
            wrong += bool(found)
            for text in found:
                print(f"{name}: {text}")
    print(f"{total - wrong} of {total} types are read as Puppet reads them; {without_answer} it cannot load")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
