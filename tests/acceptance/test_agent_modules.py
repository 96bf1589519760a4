"""Types of modules that fetch, keep repositories and edit files, compared with what the real Puppet does: see test_agent_catalogs.py."""
import json
import shutil

from apply import archive_cases
from harness.bench import Skip, needs_root
from test_agent_catalogs import MODULES, compared, modules_with


def version_of(module):
    """As numbers: (8, 1)."""
    text = json.loads((MODULES / module / "metadata.json").read_text())["version"]
    return tuple(int(part) for part in text.split("-")[0].split("."))


def known_to(module, cases):
    """Those that the installed version of a module does in the way of the current one."""
    version = version_of(module)
    return [case for case in cases if tuple(map(int, case.get("since", "0").split("."))) <= version]


@needs_root
def test_archives_become_what_puppet_makes_of_them(b):
    """issue 13: archive of puppet-archive"""
    modules = modules_with("archive")
    if not shutil.which("curl"):
        raise Skip("curl is not installed, without which the module takes another provider")
    compared(b, known_to("archive", archive_cases.archives()), modules)
