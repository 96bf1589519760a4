"""The agent for machines of another kind than this one."""
import json
import os
import platform
import shutil
import struct
import subprocess

from apply.compare import agent_beside
from harness.bench import Skip


def aarch64(b):
    """The words that run the agent for aarch64 here."""
    if platform.machine() == "aarch64":
        raise Skip("it is the agent of this machine, which the other tests run")
    agent = agent_beside(b.volley).with_name("volley-agent-aarch64")
    if not agent.exists():
        raise Skip(f"{agent} is not built")
    emulator = shutil.which("qemu-aarch64-static")
    if not emulator:
        raise Skip("qemu-user-static is not installed")
    return emulator, str(agent)


def kinds_of_segments(program):
    """The types of what the kernel finds in an ELF file of 64 bits, little end first."""
    content = program.read_bytes()
    [table] = struct.unpack_from("<Q", content, 32)
    size, count = struct.unpack_from("<HH", content, 54)
    return {struct.unpack_from("<I", content, table + number * size)[0] for number in range(count)}


def test_the_agent_needs_nothing_of_the_machine(b):
    """issue 13: static; and what it throws is found in a table that the linker sorted, not sorted by each run"""
    interpreter, unwind_table = 3, 0x6474E550
    own = agent_beside(b.volley)
    agents = [agent for agent in (own, own.with_name("volley-agent-aarch64")) if agent.exists()]
    if b"__asan" in own.read_bytes():
        raise Skip("sanitizers are not linked statically")
    for agent in agents:
        kinds = kinds_of_segments(agent)
        assert interpreter not in kinds and unwind_table in kinds, (agent, kinds)


def test_the_agent_for_aarch64_does_the_same(b):
    """issue 13: static, at most 8 MB, and the same report, state and types as the agent of this machine"""
    emulator, agent = aarch64(b)
    assert os.path.getsize(agent) <= 8 << 20
    with open(agent, "rb") as file:
        header = file.read(20)
    assert header[:5] == b"\x7fELF\x02" and header[18:20] == b"\xb7\x00", header
    manifest = b.write("site.pp", (
        f"file {{ '{b.folder}/tree': ensure => directory }} file {{ '{b.folder}/tree/a': content => \"hällo\\n\", mode => '0640' }} "
        f"~> exec {{ '/bin/touch {b.folder}/tree/b': refreshonly => true }} exec {{ '/bin/false': }} -> notify {{ 'never': }}"))
    compiled = b.run("catalog", "compile", manifest, project=False)
    assert compiled.status == 0, compiled
    catalog = b.write("catalog.json", compiled.out)
    reports = []
    for words in ([str(agent_beside(b.volley))], [emulator, agent]):
        shutil.rmtree(b.folder / "tree", ignore_errors=True)
        run = subprocess.run([*words, "apply", "--catalog", catalog, "--report", b.folder / "report.json", "--state", b.folder / "state"],
                             capture_output=True, text=True, env=b.env, timeout=300)
        assert run.returncode == 6, run
        assert (b.folder / "tree/a").read_text() == "hällo\n" and (b.folder / "tree/b").exists(), run
        report = json.loads((b.folder / "report.json").read_text())
        reports.append((run.stdout, {name: (one["changed"], one["failed"], one["skipped"], len(one["events"]))
                                     for name, one in report["resource_statuses"].items()}))
        shutil.rmtree(b.folder / "state")
    assert reports[0] == reports[1]
    types = [subprocess.run([*words, "types"], capture_output=True, text=True, timeout=60).stdout
             for words in ([str(agent_beside(b.volley))], [emulator, agent])]
    assert types[0] == types[1] and json.loads(types[0])["file"]
