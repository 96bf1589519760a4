"""The classes of a folder of modules."""
import os
import re


def classes_below(modules):
    found = set()
    for folder, _, names in os.walk(modules, followlinks=True):
        if "/manifests" not in folder or "/spec/" in folder:
            continue
        for name in names:
            if name.endswith(".pp"):
                with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
                    found.update(re.findall(r"^\s*class\s+([a-z0-9_:]+)", file.read(), re.M))
    return sorted(name.removeprefix("::") for name in found)
