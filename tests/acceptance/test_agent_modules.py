"""Types of modules that fetch, keep repositories and edit files, compared with what the real Puppet does: see test_agent_catalogs.py."""
import json
import shutil
import subprocess

from apply import archive_cases, augeas_cases, vcsrepo_cases, yaml_cases
from harness.bench import Skip, alone, needs_root
from test_agent_catalogs import MODULES, agent_of, compared, modules_with
from test_agent_doubles import run
from test_agent_tools import set_variable


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


@alone
@needs_root
def test_repositories_of_git_become_what_puppet_makes_of_them(b):
    """issue 13: vcsrepo of puppetlabs-vcsrepo"""
    modules = modules_with("vcsrepo")
    if not shutil.which("git"):
        raise Skip("git is not installed")
    if version_of("vcsrepo") < (6,):
        raise Skip("the agent follows vcsrepo 6 and later: VOLLEY_PUPPET_MODULES names a folder with it")
    set_variable(b, "GIT_CONFIG_SYSTEM", str(b.folder / "gitconfig"))
    compared(b, vcsrepo_cases.repositories(), modules)


def types_in(folder, **types):
    """A modulepath with types that have these attributes, for where the modules are not installed."""
    for name, attributes in types.items():
        parameters = "\n".join(f"newparam(:{attribute})" for attribute in attributes.split())
        place = folder / "sample/lib/puppet/type" / f"{name}.rb"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"Puppet::Type.newtype(:{name}) do\nensurable\nnewparam(:path, namevar: true)\n{parameters}\nend\n")
    return str(folder)


@needs_root
def test_a_repository_of_git_follows_its_source_without_the_module(b):
    """issue 13: vcsrepo: cloned, moved to another revision, brought up to date, left alone, made bare, removed"""
    agent = agent_of(b)
    if not shutil.which("git"):
        raise Skip("git is not installed")
    modules = types_in(b.folder / "modules", vcsrepo="provider source revision includes skip_hooks excludes")
    root = b.folder / "root"
    root.mkdir()
    shell = lambda script: subprocess.run(["/bin/sh", "-ec", script], cwd=root, check=True, capture_output=True, text=True).stdout  # noqa: E731
    shell(vcsrepo_cases.SETUP.replace('rm -f "$GIT_CONFIG_SYSTEM"', "true"))

    def applied(attributes):
        report, text = run(b, agent, f"vcsrepo {{ '{root}/r': provider => git, {attributes} }}", modules=modules)
        again, _ = run(b, agent, f"vcsrepo {{ '{root}/r': provider => git, {attributes} }}", modules=modules)
        assert (report["status"], again["status"]) == ("changed", "unchanged"), text
        return text

    up = f"source => '{root}/up'"
    assert "/ensure: created" in applied(f"ensure => present, {up}, excludes => ['*.o']")
    assert (root / "r/.git/info/exclude").read_text() == "*.o\n" and not (root / "r/c").exists()
    assert "revision changed '35ac845c75459dfcc04a1796ddbd7c4e0e40754b' to 'side'" in applied(f"ensure => present, {up}, revision => 'side'")
    assert (root / "r/c").exists()
    applied(f"ensure => present, {up}, revision => '{vcsrepo_cases.FIRST}'")
    assert not (root / "r/dir").exists()
    applied(f"ensure => latest, {up}, revision => 'main'")
    shell(vcsrepo_cases.MORE)
    assert "Updating to latest 'main' revision" in applied(f"ensure => latest, {up}, revision => 'main'")
    assert (root / "r/d").read_text() == "four\n"
    report, text = run(b, agent, f"vcsrepo {{ '{root}/r': ensure => present, provider => git, source => '{root}/other' }}", modules=modules)
    assert report["status"] == "failed" and "exists and is not the desired repository" in text, text
    applied(f"ensure => bare, {up}")
    assert shell("git -C r config core.bare") == "true\n" and (root / "r/HEAD").exists()
    applied("ensure => absent")
    assert not (root / "r").exists()


@needs_root
def test_aliases_of_mail_become_what_puppet_makes_of_them(b):
    """issue 13: mailalias of mailalias_core"""
    compared(b, yaml_cases.aliases(), modules_with("mailalias"))


@needs_root
def test_files_of_yaml_fragments_become_what_puppet_makes_of_them(b):
    """issue 13: concat_file with format => yaml"""
    compared(b, yaml_cases.yaml_files(), modules_with("concat", "stdlib"))


def augeas_modules():
    modules = modules_with("augeas_core")
    if not shutil.which("augtool"):
        raise Skip("augtool is not installed (Debian: augeas-tools)")
    if subprocess.run(["ruby", "-e", "require 'augeas'"], capture_output=True).returncode != 0:
        raise Skip("Ruby's bindings of Augeas are not installed (Debian: ruby-augeas)")
    return modules


@needs_root
def test_changes_by_augeas_are_those_of_puppet(b):
    """issue 13: augeas: every command, with mistakes"""
    compared(b, augeas_cases.changes(), augeas_modules())


@needs_root
def test_conditions_of_augeas_are_those_of_puppet(b):
    """issue 13: augeas: onlyif with get, match and values"""
    compared(b, augeas_cases.conditions(), augeas_modules())


@needs_root
def test_values_of_other_kinds_for_augeas_are_those_of_puppet(b):
    """issue 13: augeas: numbers, lists and maps where it is made for texts; commands that Augeas refuses"""
    compared(b, augeas_cases.kinds(), augeas_modules())


@needs_root
def test_augeas_is_made_to_run_by_force(b):
    """issue 13: augeas with force, with which the module that Debian packages fails, and without augtool"""
    agent = agent_of(b)
    if not shutil.which("augtool"):
        raise Skip("augtool is not installed (Debian: augeas-tools)")
    (b.folder / "etc").mkdir()
    hosts = b.folder / "etc/hosts"
    hosts.write_text("127.0.0.1 localhost\n")
    manifest = f"""augeas {{ 'a': root => '{b.folder}', incl => '/etc/hosts', lens => 'Hosts.lns', force => true,
        changes => ['set 1/canonical here', 'set 1/alias "a b"'] }}"""
    report, text = run(b, agent, manifest)
    assert report["status"] == "failed" and "Save failed" in text and hosts.read_text() == "127.0.0.1 localhost\n", text
    report, text = run(b, agent, manifest.replace("a b", "ab"))
    assert report["status"] == "changed" and hosts.read_text() == "127.0.0.1 here ab\n", (text, hosts.read_text())
    report, text = run(b, agent, manifest.replace("a b", "ab"), "--noop")
    assert report["resource_statuses"]["Augeas[a]"]["out_of_sync"], text
    report, text = run(b, agent, manifest.replace("'set 1/canonical here'", "'rm 1['"))
    assert "Error sending command 'rm' with params" in text and hosts.read_text() == "127.0.0.1 here ab\n", text
    assert not list((b.folder / "etc").glob("*.augnew"))
    empty = b.folder / "bin"
    empty.mkdir()
    report, text = run(b, agent, manifest, path=str(empty))
    assert "is not functional on this host: the command augtool is not there" in text or shutil.which("/opt/puppetlabs/puppet/bin/augtool"), text


@needs_root
def test_files_and_lenses_of_augeas_are_those_of_puppet(b):
    """issue 13: augeas: contexts, lenses, differences, order"""
    compared(b, augeas_cases.forms(), augeas_modules())
