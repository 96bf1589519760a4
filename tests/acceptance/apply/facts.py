"""Compares the facts of `volley-agent facts` with those of the real Facter, value by value and type by type."""
import json
import re
import subprocess

# What is another number a moment later: only its type is compared.
VOLATILE = [
    (r"load_averages\..*", "the load of the moment"),
    (r"memory\.(system|swap)\.(available|used|capacity)(_bytes)?", "memory that is free at the moment"),
    (r"(memory|swap)free(_mb)?", "the same under its hidden name"),
    (r"mountpoints\..*\.(available|used|capacity)(_bytes)?", "space that is free at the moment"),
    (r"system_uptime\..*|uptime(_.*)?", "it runs on"),
    (r"processors\.speed", "the clock of the processor goes up and down"),
    (r"blockdevices", "the same disks, in the order in which a folder is read"),
]

# What only one side has, or has differently, and why that is meant.
LEFT_OUT = [
    (r"(az_metadata|ec2_metadata|ec2_userdata|gce)(\..*)?", "asked of a server on the network, which may not answer for seconds"),
    (r"zfs_.*|zpool_.*", "they come with a version of their own for each feature"),
]


def only_ours(name, facter, programs):
    """Why the real Facter does not have a fact that we have, or has another value; None when there is no reason."""
    top = name.split(".")[0]
    if top in ("virtual", "is_virtual", "hypervisors", "cloud"):
        if "virtual" not in facter:
            return "Facter could not read /proc/1/environ, and gave up"
        if not programs & {"virt-what", "lspci"}:
            return "Facter has neither virt-what nor lspci, and sees no hypervisor without them"
    if (top == "system_uptime" or name.startswith("uptime")) and "system_uptime" not in facter:
        return "Facter could not read /proc/1/environ, and gave up"
    if (top == "mountpoints" or re.fullmatch(r"partitions\..*\.mount", name)) and "mountpoints" not in facter:
        return "Facter has no library sys-filesystem"
    return None


def flat(value, path=()):
    """Maps are taken apart, lists are values."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from flat(inner, path + (str(key),))
    else:
        yield ".".join(path), value


def listed(name, table):
    return any(re.fullmatch(pattern, name) for pattern, _ in table)


def differences(facter, ours, programs=frozenset()):
    """What is not equal and has no reason, as lines; and how many facts were compared. `programs`: those that the machine has."""
    theirs, mine = dict(flat(facter)), dict(flat(ours))
    # Without sys-filesystem Facter prints an empty map where there is no partition.
    theirs = {name: value for name, value in theirs.items() if value != {} or name.startswith("hypervisors.")}
    lines, count = [], 0
    for name in sorted(theirs | mine):
        if listed(name, LEFT_OUT):
            continue
        if name not in mine:
            lines.append(f"{name} is only in Facter: {theirs[name]!r}")
        elif name not in theirs:
            if not only_ours(name, facter, programs):
                lines.append(f"{name} is only in the agent: {mine[name]!r}")
        else:
            count += 1
            a, b = theirs[name], mine[name]
            equal = type(a) is type(b) and (a == b or listed(name, VOLATILE))
            if not equal and not only_ours(name, facter, programs):
                lines.append(f"{name}: Facter {a!r}, the agent {b!r}")
    return lines, count


FACTER = ["facter", "--json", "--show-legacy", "--no-custom-facts"]


def parsed(command, run=subprocess.run, **options):
    done = run(command, capture_output=True, text=True, timeout=120, **options)
    assert done.returncode in (0, 1) and done.stdout.strip(), done
    return json.loads(done.stdout)
