"""volley resource and volley facts: what Volley's agent finds is what `puppet resource` and `facter` of this machine print."""
import difflib
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

from apply.compare import agent_beside
from harness.bench import Skip, alone, needs_root

MODULES = Path("/usr/share/puppet/modules")
SYSTEM_PATH = "/usr/sbin:/usr/bin:/sbin:/bin"


def ready(b):
    """A target `here` on this machine, which has the tools of the system only."""
    if not agent_beside(b.volley).exists():
        raise Skip(f"{agent_beside(b.volley)} is not built")
    b.inventory(json.dumps({"targets": [{"name": "here", "config": {"transport": "local"}}]}))
    b.env |= {"VOLLEY_AGENT_FOLDER": str(b.folder / "agent"), "PATH": SYSTEM_PATH}


def puppet(b, *words, status=0):
    """What `puppet resource` prints on standard output; also what it logged, without colours."""
    if not shutil.which("puppet", path=SYSTEM_PATH):
        raise Skip("puppet is not installed")
    state = b.folder / "puppet"
    folders = [word for name in ("conf", "var", "run", "log") for word in (f"--{name}dir", str(state / name))]
    done = subprocess.run(["puppet", "resource", *folders, "--modulepath", str(MODULES), "--color", "false", *words],
                          capture_output=True, text=True, env={**b.env, "HOME": str(b.folder)}, timeout=300)
    assert done.returncode == status, done
    return done.stdout, done.stderr


def shown(run, target="here"):
    """What stands below "Finished on TARGET:", without its indentation."""
    lines = run.out.splitlines()
    begin = next(i for i, line in enumerate(lines) if line.startswith((f"Finished on {target}:", f"Failed on {target}:")))
    body = []
    for line in lines[begin + 1:]:
        if line and not line.startswith("  "):
            break
        body.append(line[2:])
    return "\n".join(body) + "\n"


def resources(b, *words, status=0):
    run = b.run("resource", *words, "-t", "here", "--format", "json")
    assert run.status == status, run
    return run.value()


def same(theirs, ours):
    difference = "\n".join(difflib.unified_diff(theirs.splitlines(), ours.splitlines(), "puppet", "volley", lineterm="", n=2))
    assert not difference, difference


def entries(text):
    """Resources of a listing by their titles."""
    return {match.group(1): match.group(0) for match in re.finditer(r"(?m)^\w+ \{ '(.*)':\n(?:  .*\n)*\}", text)}


def without_hashes(text):
    return re.sub(r"(password +=> ).*", r"\1hidden,", text)


def module_types():
    return [name for name in ("cron", "host", "mount", "sshkey")
            if any((folder / "lib/puppet/type" / f"{name}.rb").exists() for folder in MODULES.glob("*"))]


@alone
def test_single_resources_are_those_of_puppet_resource(b):
    """issue 13: users, groups, packages, services and files, layout and values; what is not there, too"""
    ready(b)
    place = b.folder / "place"
    place.mkdir()
    (place / "file").write_text("hello\n")
    (place / "it's").write_text("")
    (place / "link").symlink_to("nowhere")
    titles = [("user", "nobody"), ("user", "no-such-user"), ("group", "root"), ("group", "no-such-group"), ("service", "no-such-service"),
              ("package", "bash"), ("package", "no-such-package"), ("file", str(place)), ("file", str(place / "file")),
              ("file", str(place / "it's")), ("file", str(place / "link")), ("file", "/no/such/file"), ("User", "root")]
    titles += [(name, "localhost") for name in module_types() if name == "host"]
    for type_, title in titles:
        theirs, _ = puppet(b, type_, title)
        run = b.run("resource", type_, title, "-t", "here")
        assert run.status == 0, run
        same(without_hashes(theirs), without_hashes(shown(run)))


@alone
def test_listings_are_those_of_puppet_resource(b):
    """issue 13: all users, groups, services and packages of a machine, and what modules know"""
    ready(b)
    for type_ in ["user", "group", "service", *module_types()]:
        theirs, _ = puppet(b, type_)
        run = b.run("resource", type_, "-t", "here")
        assert run.status == 0, run
        if not theirs.strip():
            assert shown(run) == "There are none\n", run
            continue
        same(without_hashes(theirs), without_hashes(shown(run)))


@alone
def test_packages_of_all_managers_are_listed(b):
    """issue 13: dpkg, gem and pip; what Puppet has no provider for comes on top"""
    ready(b)
    theirs = entries(puppet(b, "package")[0])
    run = b.run("resource", "package", "-t", "here")
    assert run.status == 0, run
    ours = entries(shown(run))
    more = {name: text for name, text in ours.items() if name not in theirs}
    assert all(re.search("'(npm|snap|flatpak)'", text) for text in more.values()), more
    # What dpkg-query prints of a package in two architectures may be either of them.
    for name, text in theirs.items():
        assert ours.get(name) == text, (text, ours.get(name))
    assert len(theirs) > 100, len(theirs)


@alone
def test_yaml_is_that_of_puppet_resource(b):
    """issue 13: --to_yaml, for Hiera"""
    ready(b)
    for words in (["user", "nobody"], ["group"], ["service", "no-such-service"]):
        load = ["ruby", "-ryaml", "-rjson", "-e", "puts JSON.generate(YAML.load(STDIN.read))"]
        theirs, _ = puppet(b, *words, "--to_yaml")
        run = b.run("resource", *words, "-t", "here", "--to_yaml")
        assert run.status == 0 and shown(run).startswith("---\n"), run
        data = [subprocess.run(load, input=text, capture_output=True, text=True, check=True).stdout for text in (theirs, shown(run))]
        assert data[0] == data[1], data


def test_a_change_is_applied_logged_and_shown(b):
    """issue 13: attributes, a second run without change, --noop, and the exit status of a failure"""
    ready(b)
    path = b.folder / "place"
    words = ["file", str(path), "ensure=present", "mode=0640"]
    predicted = b.run("resource", *words, "-t", "here", "--noop")
    assert predicted.status == 0 and not path.exists() and "(noop)" in predicted.out, predicted
    run = b.run("resource", *words, "-t", "here")
    assert run.status == 0 and path.stat().st_mode & 0o777 == 0o640, run
    assert shown(run) == (f"Notice: /File[{path}]/ensure: created\nfile {{ '{path}':\n  ensure   => 'file',\n"
                          "  mode     => '0640',\n  provider => 'posix',\n}\n"), run
    again = resources(b, *words)
    assert again["report"]["status"] == "unchanged", again
    assert again["resources"] == [{"type": "File", "title": str(path), "parameters": {"ensure": "file", "mode": "0640", "provider": "posix"}}]
    gone = b.run("resource", "file", str(path), "ensure=absent", "-t", "here")
    assert gone.status == 0 and not path.exists(), gone
    failed = b.run("resource", "file", str(path / "a/b"), "ensure=present", "-t", "here")
    assert failed.status == 1 and "No such file or directory" in failed.out and "ensure   => 'absent'" in failed.out, failed
    wrong = resources(b, "file", str(path), "color=red", status=1)
    assert "no parameter named 'color'" in json.dumps(wrong), wrong


@alone
def test_changes_are_those_of_puppet_resource(b):
    """issue 13: the same log lines and the same state afterwards"""
    ready(b)
    one, other = b.folder / "one", b.folder / "two"
    for words in (["ensure=present", "mode=0640"], ["ensure=file", "content=a'b"], ["mode=u+x"], ["ensure=absent"]):
        theirs, logged = puppet(b, "file", str(one), *words)
        run = b.run("resource", "file", str(other), *words, "-t", "here")
        assert run.status == 0, run
        # On a terminal Puppet's log lines are on standard output or standard error, as it sees fit.
        lines = [line for line in (theirs + logged).splitlines() if line.startswith("Notice: ")]
        rest = [line for line in theirs.splitlines() if not line.startswith("Notice: ")]
        same("\n".join(lines + rest).replace(str(one), str(other)), shown(run).rstrip("\n"))


def test_attributes_that_are_given_twice_are_a_list(b):
    """issue 13: lists without a syntax of their own; a file of a module as the source"""
    ready(b)
    b.write("project/modules/m/files/hello", "from the module\n")
    path = b.folder / "place"
    run = b.run("resource", "file", str(path), "source=puppet:///modules/m/no", "source=puppet:///modules/m/hello", "-t", "here")
    assert run.status == 0 and path.read_text() == "from the module\n", run


def test_mistakes_on_the_command_line_are_explained(b):
    """issue 13: types, names and attributes; types that cannot be listed"""
    ready(b)
    for words, says in [([], "Must specify a resource type"),
                        (["usr", "root"], "Could not find type usr. Did you mean 'user'?"),
                        (["zzzzzz"], "Volley's agent has: "),
                        (["user", "uid=0"], "The name of the resource comes before its attributes: resource user NAME uid=0"),
                        (["user", "root", "uid"], "Invalid parameter setting uid: attribute=value is needed")]:
        run = b.run("resource", *words, "-t", "here")
        assert run.status == 1 and says in run.out, run
    for words, says in [(["file"], "Listing all files is not supported: name a file or a folder, such as file /etc"),
                        (["exec"], "The resources of the type exec cannot be listed: name one, as in exec NAME"),
                        (["file", "relative"], "File paths must be fully qualified, not 'relative'")]:
        run = b.run("resource", *words, "-t", "here")
        assert run.status == 1 and says in run.out, run
    run = b.run("resource", "user", "root")
    assert run.status == 1 and "requires a targeting option" in run.out, run


@needs_root
def test_hashes_of_passwords_stay_on_the_target(b):
    """issue 13: neither shown nor sent; a new one is set and not shown either"""
    ready(b)
    account = b.user()
    secret = "$6$abcdefgh$" + "x" * 86
    subprocess.run(["chpasswd", "-e"], input=f"{account.name}:{secret}\n", text=True, check=True)
    for words in ([account.name], []):
        for options in ([], ["--to-yaml"], ["--format", "json"], ["--log-level", "trace"]):
            run = b.run("resource", "user", *words, *options, "-t", "here")
            assert run.status == 0 and account.name in run.out, run
            assert secret not in run.out + run.err and "Sensitive [value redacted]" in run.out, run
    theirs, _ = puppet(b, "user", account.name)
    same(without_hashes(theirs), without_hashes(shown(b.run("resource", "user", account.name, "-t", "here"))))
    new = "$6$ijklmnop$" + "y" * 86
    run = b.run("resource", "user", account.name, f"password={new}", "-t", "here", "--log-level", "trace")
    assert run.status == 0 and new not in run.out + run.err, run
    assert new in Path("/etc/shadow").read_text()


def test_resources_and_facts_come_over_ssh(b):
    """issue 13: the same from a real SSH server; several targets at once"""
    if not agent_beside(b.volley).exists():
        raise Skip("the agent is not built")
    b.ssh_inventory(names=("web1", "web2"))
    run = b.run("resource", "group", "root", "-t", "web1,web2")
    assert run.status == 0, run
    for name in ("web1", "web2"):
        assert shown(run, name) == "group { 'root':\n  ensure   => 'present',\n  gid      => 0,\n  provider => 'groupadd',\n}\n", run
    assert b.run("facts", "kernel", "-t", "web1", "--format", "json").value() == {"kernel": "Linux"}


def facter(*words):
    if not shutil.which("facter"):
        raise Skip("facter is not installed")
    return subprocess.run(["facter", "--log-level", "none", *words], capture_output=True, text=True, timeout=120,
                          env={**os.environ, "PATH": SYSTEM_PATH}).stdout  # status 1 for what there is not


@alone
def test_facts_are_printed_as_facter_prints_them(b):
    """issue 13: one value alone, several by their names, structures, nothing for what is not there"""
    ready(b)
    for names in (["os.family"], ["os"], ["os.family", "kernel"], ["osfamily", "no_such_fact"], ["processors.models"], ["is_virtual.no"],
                  ["os.release", "networking.hostname"]):
        run = b.run("facts", *names, "-t", "here")
        assert run.status == 0, run
        same(facter(*names).rstrip("\n"), shown(run).rstrip("\n"))
    everything = shown(b.run("facts", "-t", "here"))
    for name in re.findall(r"(?m)^(\w+) => (?!\{\n\})", facter()):  # without sys-filesystem it has an empty map of partitions
        assert re.search(rf"(?m)^{name} =>", everything), name
    assert "osfamily" not in everything
    assert "\nosfamily => " in shown(b.run("facts", "-t", "here", "--show-legacy"))


def test_facts_are_json_and_yaml(b):
    """issue 13: --format json has the facts as the value of each target; external facts are among them"""
    ready(b)
    run = b.run("facts", "os.family", "nothing", "wanted", "-t", "here", "--format", "json", env={"FACTER_wanted": "yes"})
    value = run.value()
    assert run.status == 0 and set(value) == {"os.family", "nothing", "wanted"}, run
    assert value["nothing"] is None and value["wanted"] == "yes", run
    assert run.json["items"][0]["action"] == "facts", run
    everything = b.run("facts", "-t", "here", "--format", "json").value()
    assert everything["kernel"] == "Linux" and "osfamily" not in everything, everything
    assert "kernel: Linux\n" in shown(b.run("facts", "kernel", "-t", "here", "--to-yaml"))


LISTS = {
    "apk": "echo musl-1.2.3-r4",
    "npm": """echo '{"dependencies": {"left-pad": {"version": "1.0.0"}}}'""",
    "snap": "echo 'Name  Version  Rev  Tracking  Publisher  Notes'; echo 'core  16  7  latest/stable  someone  held'",
    "flatpak": r"printf 'org.x.Tool\t2.0\tabc\n'",
    "gem": "echo 'rake (default: 13.0.6, 12.0)'",
    "pip": """case $1 in --version) echo pip 23.0 from x ;; *) echo PyYAML==6.0 ;; esac""",
    "rpm": "echo 'glibc 0 2.36 1 x86_64'",
}


def test_every_package_manager_lists_its_packages(b):
    """issue 13: package managers that cannot be had here: a script prints what each prints"""
    agent = agent_beside(b.volley)
    if not agent.exists():
        raise Skip(f"{agent} is not built")
    for name, body in LISTS.items():
        b.write(f"tools/{name}", f"#!/bin/sh\n{body}\n", 0o755)
    b.write("tools/broken/pip3", "#!/bin/sh\nexit 1\n", 0o755)
    done = subprocess.run([str(agent), "resource", "package"], capture_output=True, text=True, timeout=120,
                          env={"PATH": f"{b.folder}/tools:{b.folder}/tools/broken:/usr/bin:/bin"})
    assert done.returncode == 0, done
    found = {(one["title"], one["parameters"]["provider"]): one["parameters"] for one in json.loads(done.stdout)}
    for key, ensure in {("musl", "apk"): "1.2.3-r4", ("left-pad", "npm"): "1.0.0", ("core", "snap"): "16", ("org.x.Tool", "flatpak"): "2.0",
                        ("PyYAML", "pip"): "6.0"}.items():
        assert found[key]["ensure"] == ensure, (key, found)
    assert found["core", "snap"]["mark"] == "hold", found
    assert ("glibc", "rpm") in found or ("glibc", "dnf") in found or ("glibc", "yum") in found or ("glibc", "zypper") in found, list(found)
    assert "The packages of pip3 cannot be listed" in done.stderr, done.stderr
