"""Types of the agent that call programs of the machine, compared with what the real Puppet does: see test_agent_catalogs.py."""
import os
import shutil
import subprocess
from pathlib import Path

from apply import tool_cases
from apply.compare import agent_beside
from harness.bench import Skip, alone, needs_root
from harness.patience import wait_for
from test_agent_catalogs import compared, modules_with
from test_agent_doubles import run

REPO_FOLDER = Path("/etc/yum.repos.d")


def with_doubles(b, doubles, head=tool_cases.DOUBLE_HEAD):
    """Scripts that stand for programs, first in the PATH of all tests until this one ends, which has to be alone for that."""
    folder = b.folder / "bin"
    folder.mkdir()
    for name, script in doubles.items():
        (folder / name).write_text(head + script + "\n")
        (folder / name).chmod(0o755)
    set_variable(b, "PATH", f"{folder}:{os.environ['PATH']}")
    return folder


def set_variable(b, name, value):
    before = os.environ.get(name)
    b.undo(lambda: os.environ.pop(name) if before is None else os.environ.__setitem__(name, before))
    os.environ[name] = value


@needs_root
def test_repositories_of_yum_become_what_puppet_makes_of_them(b):
    """issue 13: yumrepo"""
    if REPO_FOLDER.exists() or Path("/etc/yum.conf").exists():
        raise Skip("the repositories of this machine are its own")
    modules = modules_with("yumrepo_core")
    b.undo(lambda: shutil.rmtree(REPO_FOLDER, ignore_errors=True))
    REPO_FOLDER.mkdir()
    compared(b, tool_cases.yum_repositories(), modules)


@alone
@needs_root
def test_pools_and_file_systems_of_zfs_become_what_puppet_makes_of_them(b):
    """issue 13: zpool and zfs, by scripts that stand for both commands"""
    modules = modules_with("zfs_core")
    with_doubles(b, tool_cases.DOUBLES)
    compared(b, tool_cases.pools(), modules)


@alone
@needs_root
def test_pools_and_file_systems_of_zfs_are_made_by_the_commands_for_it(b):
    """issue 13: zpool and zfs without Puppet's module"""
    agent = agent_beside(b.volley)
    if not agent.exists():
        raise Skip(f"{agent} is not built")
    with_doubles(b, tool_cases.DOUBLES)
    root = b.folder / "root"
    root.mkdir()
    steps = [
        ("zpool { 'tank': ensure => present, mirror => ['/a /b'], spare => '/c', ashift => 12 }",
         ["zpool create -o ashift=12 tank mirror /a /b spare /c"]),
        ("zpool { 'tank': ensure => present, mirror => ['/b /a'], failmode => wait }", ["zpool set failmode=wait tank"]),
        ("zfs { 'tank/home': ensure => present, quota => '1G', volsize => '2G' }", ["zfs create -o quota=1G -V 2G tank/home"]),
        ("zfs { 'tank/home': ensure => present, quota => '2G' }", ["zfs set quota=2G tank/home"]),
        ("zfs { 'tank/home': ensure => absent }", ["zfs destroy tank/home"]),
        ("zpool { 'tank': ensure => absent }", ["zpool destroy tank"]),
    ]
    for number, (manifest, calls) in enumerate(steps):
        for wanted in (calls, []):
            (root / "calls").write_text("")
            report, text = run(b, agent, manifest)
            assert (root / "calls").read_text().splitlines() == wanted, (manifest, text)
            assert report["status"] == ("changed" if wanted else "unchanged"), text
        if number == 1:
            report, text = run(b, agent, "zpool { 'tank': ensure => present, raidz => ['/a /b'] }")
            assert report["status"] == "failed" and "zpool raidz can't be changed" in text, text
            assert (root / "calls").read_text() == ""


@alone
@needs_root
def test_plugins_of_rabbitmq_become_what_puppet_makes_of_them(b):
    """issue 13: rabbitmq_plugin, with a script for rabbitmq-plugins"""
    modules = modules_with("rabbitmq")
    admin = Path("/usr/bin/rabbitmqadmin")  # the module asks for it, and calls it for other types
    if admin.exists() or shutil.which("rabbitmq-plugins"):
        raise Skip("the RabbitMQ of this machine is its own")
    b.undo(lambda: admin.unlink(missing_ok=True))
    admin.write_text("#!/bin/sh\n")
    admin.chmod(0o755)
    with_doubles(b, tool_cases.RABBITMQ)
    compared(b, tool_cases.rabbitmq_plugins(), modules)


@alone
@needs_root
def test_data_of_mysql_becomes_what_puppet_makes_of_it(b):
    """issue 13: mysql_datadir, with scripts for mysqld and mysql_install_db"""
    modules = modules_with("mysql")
    with_doubles(b, tool_cases.MYSQL)
    compared(b, tool_cases.mysql_folders(), modules)


@needs_root
def test_services_with_commands_of_their_own_need_no_script(b):
    """issue 13: start, stop and restart of a service are asked for before its init script is looked for"""
    if "systemd" in Path("/proc/1/comm").read_text() or not Path("/usr/sbin/update-rc.d").exists():
        raise Skip("the init scripts of this machine are not Debian's")
    compared(b, tool_cases.services_of_commands())


def in_usr_bin(b, doubles):
    """Starts a command where scripts stand for programs of /usr/bin."""
    folder = b.folder / "usr-bin"
    folder.mkdir()
    for name, script in doubles.items():
        (folder / name).write_text("#!/bin/sh\n" + script.replace("%ROOT%", str(b.folder / "root")) + "\n")
        (folder / name).chmod(0o755)
    through = ["unshare", "-m", "sh", "-c", f"mount -t overlay -o lowerdir={folder}:/usr/bin overlay /usr/bin && exec \"$@\"", "sh"]
    if subprocess.run([*through, "true"], capture_output=True).returncode != 0:
        raise Skip("nothing can be mounted here")
    return through


@needs_root
def test_packages_are_installed_by_the_commands_that_puppet_calls(b):
    """issue 13: package of aptitude, which takes no source, and of dpkg without one"""
    compared(b, tool_cases.packages(), through=in_usr_bin(b, tool_cases.PACKAGES))


@needs_root
def test_packages_without_a_list_of_what_is_there_are_skipped(b):
    """issue 13: a list that fails, or the command of one package that does not exist, fails all packages of the provider"""
    through = in_usr_bin(b, tool_cases.PACKAGE_LISTS)
    compared(b, tool_cases.package_lists(), through=through)
    # Puppet's message does not say what dpkg-query said.
    b.write("root/dpkg-fails", "")
    report, text = run(b, agent_beside(b.volley), "package { 'there': provider => apt }", through=through)
    assert report["status"] == "failed" and "Skipping because provider prefetch failed" in text, text
    assert "Could not prefetch package provider 'apt': Execution of '/usr/bin/dpkg-query -W" in text and "returned 2: the table is damaged" in text, text


@needs_root
def test_what_gem_says_beside_its_list_is_shown_once(b):
    """issue 13: Puppet warns for each list, with an empty line after it"""
    agent = agent_beside(b.volley)
    if not agent.exists():
        raise Skip(f"{agent} is not built")
    said = "Ignoring x-1.0 because its extensions are not built. Try: gem pristine x (1.0)"
    b.write("root/gem-says", said + "\n\n")
    report, text = run(b, agent, "package { 'there': provider => gem } package { 'new': provider => gem }",
                       through=in_usr_bin(b, tool_cases.PACKAGE_LISTS))
    assert [log["message"] for log in report["logs"] if log["level"] == "warning"] == [f"Could not match {said}"], text
    assert [report["resource_statuses"][f"Package[{name}]"]["changed"] for name in ("there", "new")] == [False, True], text


@needs_root
def test_why_pip_names_no_versions_is_reported(b):
    """issue 13: package of pip: on Debian it refuses to install anything, and so nobody knows the latest version"""
    agent = agent_beside(b.volley)
    if not agent.exists():
        raise Skip(f"{agent} is not built")
    through = in_usr_bin(b, tool_cases.PACKAGES)
    for wanted in ("latest", "'>1.0 <2.0'"):
        report, text = run(b, agent, f"package {{ 'tiny-there': provider => pip3, ensure => {wanted} }}", through=through)
        assert report["status"] == "failed" and "externally-managed-environment" in text, text
    assert "Could not update: Execution of" in text, text


SHUTDOWN = {"shutdown": 'for word; do echo "$word"; done > $root/calls.new; mv $root/calls.new $root/calls'}


@alone
@needs_root
def test_reboots_are_scheduled_when_puppet_schedules_them(b):
    """issue 13: reboot of puppetlabs-reboot, with a script for shutdown"""
    modules = modules_with("reboot")
    with_doubles(b, SHUTDOWN)
    compared(b, tool_cases.reboots(), modules)


@alone
@needs_root
def test_a_reboot_comes_after_the_report_and_ends_the_run(b):
    """issue 13: reboot: when something changed, at once or at the end, once a run"""
    agent = agent_beside(b.volley)
    if not agent.exists():
        raise Skip(f"{agent} is not built")
    modules = modules_with("reboot")
    with_doubles(b, SHUTDOWN)
    root = b.folder / "root"
    root.mkdir()
    calls = root / "calls"
    base = "exec { '/bin/true': } ~> reboot { 'r': %s } -> notify { 'after': }"
    for attributes, words, goes_on in [("", ["-r", "+1", "Puppet is rebooting the computer"], False),
                                       ("apply => finished, timeout => 0, message => 'a \"b\" $(c)'", ["-r", "+0", 'a "b" $(c)'], True),
                                       ("timeout => 61", ["-r", "+2", "Puppet is rebooting the computer"], False)]:
        calls.unlink(missing_ok=True)
        report, text = run(b, agent, base % attributes, modules=modules)
        wait_for(calls.exists, "shutdown was called")
        assert calls.read_text().splitlines() == words, text
        assert report["resource_statuses"]["Notify[after]"]["skipped"] != goes_on, text
        assert report["status"] == "changed" and report["transaction_completed"], text
    calls.unlink()
    report, text = run(b, agent, base % "", "--noop", modules=modules)
    assert not calls.exists() and report["status"] == "unchanged", text
    report, text = run(b, agent, "exec { '/bin/true': unless => '/bin/true' } ~> reboot { 'r': }", modules=modules)
    assert not calls.exists() and report["status"] == "unchanged", text


@needs_root
def test_what_is_missing_is_named_after_everything_else_was_tried(b):
    """issue 13: zpool and zfs without their commands"""
    agent = agent_beside(b.volley)
    if not agent.exists():
        raise Skip(f"{agent} is not built")
    (b.folder / "bin").mkdir()
    manifest = "zpool { 'a': } zfs { 'a/b': } notify { 'n': }"
    report, text = run(b, agent, manifest, path=str(b.folder / "bin"))
    for command in ("zpool", "zfs"):
        assert f"Provider {command} is not functional on this host: the command {command} is not there" in text, text
    assert report["resource_statuses"]["Notify[n]"]["changed"], text


def test_a_pool_of_two_kinds_is_refused_with_its_place(b):
    """issue 13, docs/agentless.md: Puppet's message has neither file nor line"""
    agent = agent_beside(b.volley)
    if not agent.exists():
        raise Skip(f"{agent} is not built")
    report, text = run(b, agent, "zpool { 'a': disk => '/a', mirror => '/b /c' }", path="/usr/bin:/bin")
    assert "You cannot specify disk and mirror on this type (only one) (file: " in text and "line: 1)" in text, text
    assert not any(status["changed"] for status in report["resource_statuses"].values()), report
