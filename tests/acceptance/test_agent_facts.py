"""volley-agent finds the facts that the real Facter finds, on this machine and on one of the lab."""
import json
import shutil
import struct
import subprocess

from apply import facts, lab
from apply.compare import agent_beside
from harness.bench import Skip, alone, needs_root
from harness.patience import text_of, wait_for

TOOLS = {"virt-what", "lspci"}
IFA_F_TENTATIVE = 0x40  # linux/if_addr.h


def agent_of(b):
    agent = agent_beside(b.volley)
    if not agent.exists():
        raise Skip(f"{agent} is not built")
    return agent


def both(b):
    if not shutil.which("facter"):
        raise Skip("facter is not installed")
    return agent_of(b)


def found(b, *words, **options):
    done = subprocess.run([str(agent_of(b)), "facts", *map(str, words)], capture_output=True, text=True, timeout=120, **options)
    assert done.returncode == 0, done
    return json.loads(done.stdout), done.stderr


@alone
def test_facts_are_those_of_facter(b):
    """issue 13: every core fact, structured and hidden, of the same type and value"""
    agent = both(b)
    before = facts.parsed(facts.FACTER)
    ours = facts.parsed([str(agent), "facts", "--legacy"])
    theirs = facts.parsed(facts.FACTER)
    # What the machine changed meanwhile (a mount, an address) is nobody's mistake.
    if facts.differences(before, ours)[0] != facts.differences(theirs, ours)[0]:
        ours = facts.parsed([str(agent), "facts", "--legacy"])
    lines, count = facts.differences(theirs, ours, {tool for tool in TOOLS if shutil.which(tool)})
    assert not lines, "\n".join(lines)
    assert count > 100, count


def test_single_facts_are_asked_for_as_with_facter(b):
    """issue 13: parts of facts, hidden ones, and what there is not"""
    both(b)
    names = ["os.release.major", "osfamily", "kernel", "no_such_fact", "os.no_such", "networking.interfaces.lo.bindings.0.address",
             "processors.models.0"]
    theirs = facts.parsed(["facter", "--json", *names])
    ours, _ = found(b, *names)
    assert ours == theirs, (ours, theirs)
    assert list(ours) == sorted(ours), "keys are not sorted"


def test_external_facts_are_those_of_facter(b):
    """issue 13: text, JSON, YAML, programs, the environment; which file counts; what is broken costs itself only"""
    both(b)
    for name, text, mode in [
            ("one/a.txt", "dup=a\nUPPER=x\nos=replaced\nempty=\n spaced = v \nmulti=a=b\ndot.ted=1\n", 0o644),
            ("one/b.json", '{"dup": "json", "deep": {"k": [1, 2.5, null, true]}, "none": null}', 0o644),
            ("one/c.yaml", "dup: yaml\nnumber: 1\nday: 2024-01-02\nlist: [a, b]\nmap:\n  K: v\n", 0o644),
            ("one/d.sh", "#!/bin/sh\necho line=5\necho 'words=x y'\necho nothing\nexit 3\n", 0o755),
            ("one/e", "#!/bin/sh\necho '{\"of_json\": 7}'\n", 0o755),
            ("one/f", "#!/bin/sh\nprintf 'of_yaml: 7\\nof_list: [1]\\n'\n", 0o755),
            ("one/broken.json", "{", 0o644), ("one/list.json", "[1]", 0o644), ("one/.hidden.txt", "hidden=1\n", 0o644),
            ("one/plain", "plain=1\n", 0o644), ("one/crlf.txt", "crlf=1\r\n", 0o644), ("two/z.txt", "dup=two\nsecond=1\n", 0o644)]:
        b.write(name, text, mode)
    folders = ["--external-dir", b.folder / "one", "--external-dir", b.folder / "two"]
    names = ("dup upper os empty multi dot.ted deep none number day list map line words nothing of_json of_yaml of_list hidden plain "
             "crlf second variable").split()
    environment = {**b.env, "FACTER_variable": "value"}
    theirs = facts.parsed(["facter", "--json", *map(str, folders), *names], env=environment)
    ours, warnings = found(b, *folders, *names, env=environment)
    assert ours == theirs, (ours, theirs)
    assert "broken.json" in warnings and "list.json" in warnings, warnings


def test_external_facts_have_limits(b):
    """issue 13: what is too large is left out, with a warning that names the limit"""
    b.write("facts/large.txt", "large=" + "x" * (5 << 20) + "\n")
    b.write("facts/fine.txt", "fine=1\n")
    ours, warnings = found(b, "large", "fine", "--external-dir", b.folder / "facts")
    assert ours == {"fine": "1", "large": None}, ours
    assert "4 MiB" in warnings, warnings


def test_facts_need_no_programs(b):
    """issue 13: with an empty PATH the core facts are still there"""
    ours, warnings = found(b, env={"PATH": "/nowhere"})
    for name in ("kernel", "os", "memory", "processors", "networking", "identity", "mountpoints", "system_uptime", "timezone", "virtual"):
        assert name in ours, name
    assert not warnings, warnings


SETTINGS, FAILURE, FACTS_ORDER, FACTS, FACTS_END = 2, 13, 15, 16, 17


def talk(b, *frames, words=(), env=None):
    """What the agent answers to frames: (type, payload) after its hello, and its exit status."""
    sent = b"".join(struct.pack(">BI", kind, len(text)) + text for kind, text in frames)
    done = subprocess.run([str(agent_of(b)), "serve", *words], input=sent, capture_output=True, timeout=120, env={**b.env, **(env or {})})
    rest = done.stdout.split(b"VOLLEY-AGENT/1\n", 1)[1]
    answers = []
    while rest:
        kind, length = struct.unpack(">BI", rest[:5])
        answers.append((kind, rest[5:5 + length]))
        rest = rest[5 + length:]
    assert len(answers) > 1, done
    return answers[1:], done.returncode


def test_volley_asks_the_agent_for_facts_in_one_message(b):
    """issue 13: a frame with names, the facts in frames; what does not fit is an error in words"""
    answers, status = talk(b, (FACTS_ORDER, b'{"names": ["kernel", "osfamily", "wanted", "none"]}'), env={"FACTER_WANTED": "yes"})
    assert [kind for kind, _ in answers] == [FACTS, FACTS_END] and status == 0, (answers, status)
    facts_there = json.loads(answers[0][1])
    assert facts_there["kernel"] == "Linux" and facts_there["wanted"] == "yes" and facts_there["none"] is None, facts_there
    answers, status = talk(b, (FACTS_ORDER, b'{"legacy": true}'))
    everything = json.loads(b"".join(text for kind, text in answers if kind == FACTS))
    assert everything["osfamily"] == everything["os"]["family"] and status == 0, everything
    for frames in ([(SETTINGS, b"{}"), (FACTS_ORDER, b"{}")], [(FACTS_ORDER, b"[1]")], [(FACTS_ORDER, b"{")]):
        answers, status = talk(b, *frames)
        assert [kind for kind, _ in answers] == [FAILURE] and status == 1, (frames, answers)


@alone
@needs_root
def test_facts_of_a_whole_machine_are_those_of_facter(b):
    """issue 13: a machine of the lab, with an init and a network of its own"""
    agent = agent_of(b)
    why = lab.why_not()
    if why:
        raise Skip(why)
    folder = b.folder / "lab"
    folder.mkdir()
    name = "m191"

    def inside(command, timeout=120, **_):
        return lab.machines("exec", folder, name, "--", *command, timeout=timeout)

    for words in (["base", folder, "--flavour", "puppet"], ["start", folder, 1, "--flavour", "puppet", "--offset", 190]):
        done = lab.machines(*words)
        assert done.returncode == 0, (words, done.stdout, done.stderr)
    try:
        with open(agent, "rb") as content:
            subprocess.run([str(lab.MACHINES), "exec", str(folder), name, "--", "/bin/sh", "-c",
                            "cat > /root/volley-agent && chmod 755 /root/volley-agent"], stdin=content, check=True)
        # An address that the kernel still looks for elsewhere has another flag a second later.
        wait_for(lambda: not any(int(line.split()[4], 16) & IFA_F_TENTATIVE
                                 for line in inside(["cat", "/proc/net/if_inet6"]).stdout.splitlines()), "addresses of its own")
        ours = facts.parsed(["/root/volley-agent", "facts", "--legacy"], run=inside)
        theirs = facts.parsed(facts.FACTER, run=inside)
        tools = {tool for tool in TOOLS if inside(["/bin/sh", "-c", f"command -v {tool}"]).returncode == 0}
    finally:
        lab.machines("stop", folder)
    lines, count = facts.differences(theirs, ours, tools)
    assert not lines, "\n".join(lines)
    assert count > 100, count
    assert ours["virtual"] == theirs["virtual"] == "systemd_nspawn", ours["virtual"]


def test_a_ruby_that_is_replaced_is_asked_again(b):
    """issue 13: facts remember what programs answered, but never longer than that stays true"""
    if not shutil.which("ruby"):
        raise Skip("ruby is not installed")
    state, runs = b.folder / "state", b.folder / "runs"
    b.env["PATH"] = f"{b.folder}/bin:{b.env['PATH']}"

    def version():
        answers, status = talk(b, (FACTS_ORDER, b'{"names": ["ruby"]}'), words=["--state", str(state)])
        assert status == 0, answers
        return json.loads(answers[0][1])["ruby"]["version"]

    own = version()
    assert "ruby" in json.loads((state / "answers.json").read_text()), "nothing is remembered"
    assert version() == own
    b.write("bin/ruby", f"#!/bin/sh\necho x >>{runs}\nprintf 'here\\n9.9.9\\n/nowhere\\n'\n", 0o755)
    assert [version(), version()] == ["9.9.9", "9.9.9"], "the one that comes first in PATH counts"
    assert runs.read_text() == "x\nx\n", "what a script answers is not remembered"
    (b.folder / "bin/ruby").unlink()
    assert version() == own


@needs_root
def test_virt_what_is_asked_once_a_boot(b):
    """issue 13: the script starts some seventy programs; another dmidecode, or a script that is not virt-what's own, is asked anew"""
    state, runs = b.folder / "state", b.folder / "runs"
    b.env["PATH"] = f"{b.folder}/bin:{b.env['PATH']}"

    def virt_what(mark):
        b.write("bin/virt-what", f"#!/bin/sh\n# {mark}\necho x >>{runs}\necho vmware\n", 0o755)

    def asked_again():
        before = text_of(runs)
        answers, status = talk(b, (FACTS_ORDER, b'{"names": ["hypervisors"]}'), words=["--state", str(state)])
        assert status == 0 and "vmware" in json.loads(answers[0][1])["hypervisors"], answers
        return text_of(runs) != before

    virt_what("virt-what.  Generated from virt-what.in by configure.")
    assert asked_again()
    wait_for(lambda: not asked_again(), "an answer that is remembered")
    b.write("bin/dmidecode", "#!/bin/sh\n", 0o755)
    assert asked_again(), "dmidecode is another one"
    wait_for(lambda: not asked_again(), "an answer that is remembered")
    virt_what("of the site's own")
    assert [asked_again() for _ in range(3)] == [True] * 3
