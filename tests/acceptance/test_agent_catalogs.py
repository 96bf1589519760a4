"""volley-agent applies catalogs as Puppet does: the tables of tests/acceptance/apply, each applied by the real `puppet` and by
the agent, and compared in reports, logs and what is left on the machine."""
import json
import os
import shlex
import shutil
import subprocess
from pathlib import Path

from apply import cases, compare, lab, lab_cases, lab_packages, lab_services, module_cases, value_cases
from harness.bench import Skip, alone, needs_root, peak_memory
from harness.patience import wait_for

# Debian's packages puppet-module-*; VOLLEY_PUPPET_MODULES names a folder with other ones.
MODULES = Path(os.environ.get("VOLLEY_PUPPET_MODULES", "/usr/share/puppet/modules"))
SAFE_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def agent_of(b):
    agent = compare.agent_beside(b.volley)
    if not agent.exists():
        raise Skip(f"{agent} is not built")
    return agent


def test_the_memory_of_the_agent_grows_little_with_the_catalog(b):
    """issue 13: agent memory under 30 MB, which tests/bench/apply measures with 10,000 files; a first run keeps an event and a line
    of the log for each, a later one what the state had of it"""
    files = [f"{b.folder}/tree/{number}" for number in range(2000)]
    (b.folder / "tree").mkdir()
    catalog = b.write("catalog.json", json.dumps({"name": "here", "version": 1, "environment": "production", "resources": [
        {"type": "Class", "title": "main", "tags": ["class", "main"]},
        *({"type": "File", "title": path, "tags": ["file", "class", "main"], "file": "/site.pp", "line": number, "kind": "compilable_type",
           "parameters": {"content": f"the content of {path}\n", "mode": "0640"}} for number, path in enumerate(files, 1))],
        "edges": [{"source": "Class[main]", "target": f"File[{path}]"} for path in files]}))
    for changed in (True, False):
        agent = subprocess.Popen([agent_of(b), "apply", "--catalog", catalog, "--state", b.folder / "state", "--report", b.folder / "report"],
                                 stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        peak = [0]
        wait_for(lambda: peak.append(max(peak[-1], peak_memory(agent.pid))) or agent.poll() is not None, "the agent to end")
        assert agent.returncode == (2 if changed else 0), agent.returncode
        report = json.loads((b.folder / "report").read_text())
        assert report["resource_statuses"][f"File[{files[-1]}]"]["provider_used"] == "posix"
        assert [line["line"] for line in report["logs"] if line["source"].endswith(f"File[{files[7]}]/ensure")] == ([8] if changed else [])
        if "ASAN_OPTIONS" not in os.environ:  # the sanitizer keeps what is freed
            assert 1 < peak[-1] < 11, f"{peak[-1]} MiB"


def compared(b, some, modules=None, module_types=None, through=()):
    """Every case of a table, by both; fails with what differs. `through`: a command that starts both."""
    agent_of(b)
    if not shutil.which("puppet"):
        raise Skip("puppet is not installed")
    comparison = compare.Comparison(b.volley, b.folder, modules, module_types)
    if through:
        comparison.puppet.command = [*through, *comparison.puppet.command]
        comparison.agent = b.write("agent", f"#!/bin/sh\nexec {shlex.join([*through, str(comparison.agent)])} \"$@\"\n", 0o755)
    found, count = [], 0
    try:
        for case in some:
            count += 1
            found += [f"{case['name']}: {line}" for line in comparison.compare(case)]
    finally:
        comparison.close()
    assert count > 0
    assert not found, "\n".join(found[:40])


@needs_root
def test_every_state_of_a_path_becomes_what_puppet_makes_of_it(b):
    """issue 13: what is wanted of a path, whatever is there"""
    compared(b, cases.file_states())


@needs_root
def test_modes_of_files_become_what_puppet_makes_of_them(b):
    """issue 13: octal and symbolic modes, of files and folders, new ones as well"""
    compared(b, cases.file_modes())


@needs_root
def test_files_become_what_puppet_makes_of_them(b):
    """issue 13: content, sources, owners, links, backups, checks, differences that are shown"""
    compared(b, cases.files())


@needs_root
def test_folders_are_managed_and_purged_as_by_puppet(b):
    """issue 13: recurse, purge, force, sources, limits, with what follows them"""
    compared(b, cases.recursion())


@needs_root
def test_commands_run_as_by_puppet(b):
    """issue 13: exec with checks, users, timeouts, tries, output, secrets"""
    compared(b, cases.execs())


@needs_root
def test_order_refreshes_and_failures_are_those_of_puppet(b):
    """issue 13: relations, containers, stages, cycles, refreshes, skipped resources"""
    compared(b, cases.relations())


@needs_root
def test_tags_schedules_and_audits_are_those_of_puppet(b):
    """issue 13: tags, skip_tags, schedule, audit"""
    compared(b, cases.choices())


@needs_root
def test_tidy_removes_what_puppet_removes(b):
    """issue 13: tidy"""
    compared(b, cases.tidying())


@needs_root
def test_tidy_has_the_limit_of_puppet(b):
    """issue 13: max_files"""
    compared(b, cases.tidy_limits())


@needs_root
def test_numbers_of_accounts_are_those_of_puppet(b):
    """issue 13: owner and group by number, in every way that Ruby writes one"""
    compared(b, cases.account_numbers())


@needs_root
def test_accounts_in_odd_tables_are_those_of_puppet(b):
    """lines that are comments, indented or cut off, groups of one number, primary groups that do not exist"""
    mounts = [f"mount --bind {b.write(f'tables/{name}', text)} /etc/{name}" for name, text in cases.ACCOUNTS.items()]
    in_place = ["unshare", "-m", "sh", "-c", " && ".join([*mounts, 'exec "$@"']), "sh"]
    if subprocess.run([*in_place, "true"], capture_output=True).returncode != 0:
        raise Skip("nothing can be mounted here")
    compared(b, cases.accounts_in_odd_tables(), through=in_place)


@needs_root
def test_links_that_lead_nowhere_are_what_puppet_makes_of_them(b):
    """issue 13: links => follow, and files without content"""
    compared(b, cases.links_that_lead_nowhere())


@needs_root
def test_devices_as_sources_are_what_puppet_makes_of_them(b):
    """issue 13: devices as the source of a file"""
    compared(b, cases.special_sources())


@needs_root
def test_messages_are_shown_as_by_puppet(b):
    """issue 13: notify with lists, hashes and numbers"""
    compared(b, cases.messages())


@needs_root
def test_purging_types_has_the_messages_of_puppet(b):
    """issue 13: resources with types that cannot be purged, and values that do not fit"""
    compared(b, cases.purging())


@needs_root
def test_mistakes_in_catalogs_have_the_messages_of_puppet(b):
    """issue 13: values that do not fit end the run before it changes anything"""
    compared(b, cases.mistakes())


@needs_root
def test_words_are_taken_as_by_puppet(b):
    """issue 13: values that are one of some words, in lists and in other letters"""
    compared(b, value_cases.words())


@needs_root
def test_numbers_are_read_as_by_puppet(b):
    """issue 13: numbers, ages and settings that are nearly right"""
    compared(b, value_cases.numbers())


def modules_with(*names):
    """A modulepath with Debian's packages of these modules."""
    for name in names:
        if not (MODULES / name / "metadata.json").exists():
            raise Skip(f"the module {name} is not installed (Debian: puppet-module-puppetlabs-{name.replace('_', '-')})")
    return str(MODULES)


@needs_root
def test_settings_of_ini_files_become_what_puppet_makes_of_them(b):
    """issue 13: ini_setting of puppetlabs-inifile"""
    compared(b, module_cases.settings(), modules_with("inifile"))


@needs_root
def test_words_in_settings_become_what_puppet_makes_of_them(b):
    """issue 13: ini_subsetting of puppetlabs-inifile"""
    compared(b, module_cases.subsettings(), modules_with("inifile"))


@needs_root
def test_types_that_modules_make_of_ini_settings_do_what_their_ruby_does(b):
    """issue 13: types such as nova_config, whose file the catalog names"""
    source = modules_with("inifile", "openstacklib", "stdlib")
    modules, path = b.folder / "modules", str(b.folder / "root" / "f")
    modules.mkdir()
    module_cases.config_modules(modules, path, source)
    compared(b, module_cases.config_settings(), str(modules), module_cases.config_facts(path))


@needs_root
def test_files_of_fragments_become_what_puppet_makes_of_them(b):
    """issue 13: concat_file and concat_fragment of puppetlabs-concat"""
    compared(b, module_cases.fragments(), modules_with("concat", "stdlib"))


@needs_root
def test_kernel_parameters_become_what_puppet_makes_of_them(b):
    """issue 13: sysctl and sysctl_runtime of duritong-sysctl"""
    if not os.path.exists("/etc/sysctl.conf"):
        raise Skip("there is no /etc/sysctl.conf, without which the module does nothing")
    compared(b, module_cases.kernel_parameters(), modules_with("sysctl"))


@needs_root
def test_hosts_are_named_as_by_the_module(b):
    """issue 13: names of hosts"""
    compared(b, module_cases.hosts(), modules_with("host_core"))


@needs_root
def test_known_hosts_become_what_puppet_makes_of_them(b):
    """issue 13: sshkey"""
    compared(b, module_cases.host_keys(), modules_with("sshkeys_core"))


@needs_root
def test_tables_of_file_systems_become_what_puppet_makes_of_them(b):
    """issue 13: mount, where it only writes the table"""
    compared(b, module_cases.mounts(), modules_with("mount_core"))


@needs_root
def test_broken_patterns_of_lines_fail_as_by_puppet(b):
    """issue 13: file_line with match and after that cannot be read"""
    compared(b, module_cases.lines_by_patterns(), modules_with("stdlib"))


@needs_root
def test_fragments_of_folders_links_and_devices_fail_as_by_puppet(b):
    """issue 13: devices, folders and links as sources of concat_fragment"""
    compared(b, value_cases.fragment_sources(), modules_with("concat", "stdlib"))


@needs_root
def test_times_of_cron_are_read_as_by_puppet(b):
    """issue 13: what cron itself would refuse is refused before anything is changed"""
    compared(b, value_cases.cron_numbers(), modules_with("cron_core"))


@needs_root
def test_files_of_keys_keep_their_group(b):
    """issue 13: ssh_authorized_key of a file that is another's, or of another group"""
    compared(b, value_cases.kept_groups(), modules_with("sshkeys_core"))


@needs_root
def test_keys_that_nobody_manages_are_purged_as_by_puppet(b):
    """purge_ssh_keys, also of keys without a name"""
    compared(b, value_cases.purged_keys(), modules_with("sshkeys_core"))


@needs_root
def test_words_for_types_of_modules_are_taken_as_by_puppet(b):
    """issue 13: the same for types of concat, inifile, stdlib and those that every Puppet has"""
    compared(b, value_cases.module_words(), modules_with("concat", "inifile", "stdlib", "mount_core", "host_core", "sshkeys_core"))


@alone
@needs_root
def test_values_of_other_kinds_are_taken_or_refused_as_by_puppet(b):
    """issue 13: numbers, truth values and lists where a type of a module is made for a text"""
    compared(b, value_cases.kinds(), modules_with("concat", "inifile", "stdlib", "mount_core", "host_core", "sshkeys_core"))


@needs_root
def test_whole_machines_become_what_puppet_makes_of_them(b):
    """issue 13: group, user, package, service, cron, host, mount, ssh_authorized_key, file_line, alternatives and resources on
    two fresh machines"""
    machines_compared(b, lambda pair: lab_cases.all_cases(pair.added))


def machines_compared(b, table, options=(), offset=180, prepare="", ignored=(), listing=""):
    """Every case of table(pair) on two fresh machines; fails with what differs."""
    agent_of(b)
    why = lab.why_not()
    if why:
        raise Skip(why)
    pair = lab.Pair(b.volley, b.folder, offset, options)
    try:
        if prepare:
            pair.prepare(prepare)
        pair.ignored, pair.listing = ignored, listing
        found = pair.compare_all(table(pair))
    finally:
        pair.close()
    assert not found, "\n".join(found[:60])


@alone
@needs_root
def test_packages_of_all_kinds_become_what_puppet_makes_of_them(b):
    """issue 13: rpm, yum, dnf, zypper, pacman, pip and gem with the real tools"""
    machines_compared(b, lambda _: lab_packages.all_cases(), ["--include", lab_packages.INCLUDE], 184, lab_packages.PREPARE,
                      lab_packages.IGNORED, lab_packages.LISTING)


@alone
@needs_root
def test_services_of_other_init_systems_become_what_puppet_makes_of_them(b):
    """issue 13: service with sysvinit, OpenRC and runit, and programs without an init script"""
    for number, init in enumerate(("sysvinit", "openrc", "runit")):
        folder = b.folder / init
        folder.mkdir()
        machines_compared(Bare(b.volley, folder), lambda _, init=init: lab_services.of(init), ["--init", init], 186 + 2 * number)


class Bare:
    """What machines_compared needs of a Bench, with a folder of its own."""

    def __init__(self, volley, folder):
        self.volley, self.folder = volley, folder
