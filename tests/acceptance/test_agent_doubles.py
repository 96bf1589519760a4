"""Package managers and init systems that cannot be had here: a script stands for each, which records how it is called and answers
as the real one does. That the real ones take these calls is not shown by this."""
import json
import os
import stat
import subprocess

from apply import compare
from harness.bench import Skip, needs_root

# Each keeps its packages in a file beside it, as lines "name version".
COMMON = r"""#!/bin/sh
here=$(dirname "$0"); tool=$(basename "$0"); state=$here/$tool.packages; touch $state
echo "$tool $*" >> $here/calls
last() { for word; do :; done; echo "$word"; }
keep() { grep -v "^$1 " $state > $state.new; mv $state.new $state; }
put() { keep "$1"; echo "$1 $2" >> $state; }
"""

DOUBLES = {
    "apk": r"""
case "$1 $2" in
"info -v") while read -r name version; do echo "$name-$version"; done < $state ;;
policy*) printf '%s policy:\n  2.0-r1:\n    https://repository/main\n' "$2" ;;
add*) package=$(last "$@"); case $package in *=*) put "${package%%=*}" "${package#*=}" ;; missing) echo 'ERROR: unable to select packages'; exit 1 ;; *) put "$package" 2.0-r1 ;; esac ;;
del*) keep "$(last "$@")" ;;
esac""",
    "npm": r"""
case "$1" in
list) printf '{"dependencies": {'; sep=; while read -r name version; do printf '%s"%s": {"version": "%s"}' "$sep" "$name" "$version"; sep=,; done < $state; echo '}}' ;;
view) echo 2.0.0 ;;
install) package=$(last "$@"); case $package in *@latest) put "${package%@*}" 2.0.0 ;; *@*) put "${package%@*}" "${package##*@}" ;; *) put "$package" 2.0.0 ;; esac ;;
uninstall) keep "$(last "$@")" ;;
esac""",
    "snap": r"""
case "$1 $2" in
list*) echo 'Name  Version  Rev  Tracking  Publisher  Notes'; while read -r name channel; do echo "$name  1.0  7  $channel  someone  -"; done < $state ;;
"refresh --list") echo 'Name  Version  Rev  Size  Publisher  Notes'; [ -e $here/refreshed ] || echo 'tool  1.1  8  1MB  someone  -' ;;
"refresh --channel"*) put "$(last "$@")" "latest/${2#--channel=}" ;;
refresh*) touch $here/refreshed ;;
install*) case $2 in --channel=*) put "$(last "$@")" "latest/${2#--channel=}" ;; *) put "$(last "$@")" latest/stable ;; esac ;;
remove*) keep "$(last "$@")" ;;
esac""",
    "flatpak": r"""
case "$1" in
list) while read -r name version; do printf '%s\t%s\tabc123\n' "$name" "$version"; done < $state ;;
remote-ls) grep -q ' 2.0$' $state || printf 'org.x.Tool\t2.0\tdef456\n' ;;
install) put "$(last "$@")" 1.0 ;;
update) put "$(last "$@")" 2.0 ;;
uninstall) keep "$(last "$@")" ;;
esac""",
}

# tool, name, (attributes, calls that change something) one after the other on the same state
STEPS = {
    "apk": ("tool", [
        ("ensure => installed", ["apk add --quiet tool"]),
        ("ensure => installed", []),
        ("ensure => '1.0-r0', install_options => ['--no-cache']", ["apk add --quiet --no-cache tool=1.0-r0"]),
        ("ensure => latest", ["apk add --quiet --upgrade tool"]),
        ("ensure => latest", []),
        ("ensure => purged", ["apk del --quiet --purge tool"]),
        ("ensure => absent", []),
    ]),
    "npm": ("@x/tool", [
        ("ensure => '1.0.0', install_options => ['--no-optional']", ["npm install --global --no-optional @x/tool@1.0.0"]),
        ("ensure => '1.0.0'", []),
        ("ensure => latest", ["npm install --global @x/tool@latest"]),
        ("ensure => latest", []),
        ("ensure => absent, uninstall_options => ['--force']", ["npm uninstall --global --force @x/tool"]),
        ("ensure => absent", []),
    ]),
    "snap": ("tool", [
        ("ensure => installed, install_options => ['--classic']", ["snap install --classic tool"]),
        ("ensure => 'stable'", []),
        ("ensure => 'edge'", ["snap refresh --channel=edge tool"]),
        ("ensure => 'latest/edge'", []),
        ("ensure => latest", ["snap refresh tool"]),
        ("ensure => latest", []),
        ("ensure => purged", ["snap remove --purge tool"]),
        ("ensure => purged", []),
    ]),
    "flatpak": ("org.x.Tool", [
        ("ensure => installed, source => 'flathub'", ["flatpak install --system --noninteractive -y flathub org.x.Tool"]),
        ("ensure => installed", []),
        ("ensure => latest", ["flatpak update --system --noninteractive -y org.x.Tool"]),
        ("ensure => latest", []),
        ("ensure => absent", ["flatpak uninstall --system --noninteractive -y org.x.Tool"]),
    ]),
}
CHANGES = ("add", "del", "install", "uninstall", "refresh", "remove", "update")


def run(b, agent, manifest, *options, path=None, modules=None, through=()):
    """The report and the output of the agent; `path`: its PATH, else the doubles and what is there anyway; `modules`: a modulepath;
    `through`: a command that starts it."""
    source = b.folder / "site.pp"
    source.write_text(manifest)
    place = ["--modulepath", modules] if modules else []
    done = subprocess.run([str(b.volley), "catalog", "compile", str(source), *place], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    catalog, report = b.folder / "catalog.json", b.folder / "report.json"
    catalog.write_text(done.stdout)
    ran = subprocess.run([*through, str(agent), "apply", "--catalog", str(catalog), "--report", str(report), "--log-level", "info", *options],
                         capture_output=True, text=True, env={**os.environ, "PATH": path or f"{b.folder}/bin:/usr/sbin:/usr/bin:/sbin:/bin"})
    return json.loads(report.read_text()), ran.stdout + ran.stderr


def changes(folder):
    calls = folder / "bin" / "calls"
    lines = calls.read_text().splitlines() if calls.exists() else []
    calls.unlink(missing_ok=True)
    return [line for line in lines if line.split()[1] in CHANGES and "--list" not in line]


@needs_root
def test_package_managers_that_are_not_here_are_called_as_they_want_it(b):
    """issue 13: apk, npm, snap and flatpak, by scripts that stand for them"""
    agent = compare.agent_beside(b.volley)
    if not agent.exists():
        raise Skip(f"{agent} is not built")
    folder = b.folder / "bin"
    folder.mkdir()
    for tool, script in DOUBLES.items():
        path = folder / tool
        path.write_text(COMMON + script + "\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
    for tool, (title, steps) in STEPS.items():
        for attributes, wanted in steps:
            manifest = f"package {{ '{title}': provider => {tool}, {attributes} }}"
            predicted, _ = run(b, agent, manifest, "--noop")
            assert changes(b.folder) == [], manifest
            status = predicted["resource_statuses"][f"Package[{title}]"]
            assert status["out_of_sync"] == bool(wanted), (manifest, status)
            report, text = run(b, agent, manifest)
            assert changes(b.folder) == wanted, (manifest, text)
            status = report["resource_statuses"][f"Package[{title}]"]
            assert (status["failed"], status["changed"]) == (False, bool(wanted)), (manifest, text)
            again, text = run(b, agent, manifest)
            assert changes(b.folder) == [] and not again["resource_statuses"][f"Package[{title}]"]["out_of_sync"], (manifest, text)
    report, text = run(b, agent, "package { 'missing': provider => apk }")
    assert "returned 1: ERROR: unable to select packages" in text and report["status"] == "failed", text


@needs_root
def test_many_packages_and_services_are_asked_for_by_one_call_each(b):
    """issue 13: providers look once for all resources of a catalog: one dpkg-query, one systemctl show"""
    agent = compare.agent_beside(b.volley)
    if not agent.exists():
        raise Skip(f"{agent} is not built")
    names = [f"thing{number}" for number in range(200)]
    b.write("bin/dpkg-query", COMMON.replace("$(dirname \"$0\")", f"{b.folder}/bin") + "while read -r name; do echo \"install ok installed $name 1.0\"; done < $here/names\n", 0o755)
    b.write("bin/systemctl", COMMON + """[ "$1" = show ] || exit 1
while read -r name; do printf 'Names=%s.service\\nActiveState=active\\nUnitFileState=enabled\\n\\n' $name; done < $here/names
""", 0o755)
    b.write("bin/names", "\n".join(names) + "\n")
    manifest = "".join(f"package {{ '{name}': ensure => installed, provider => apt }} "
                       f"service {{ '{name}': ensure => running, enable => true, provider => systemd }}\n" for name in names)
    b.write("bin/comm", "systemd\n")
    # The agent, like Puppet, calls it by its path, and asks the first process for its name: mounts that only this process sees.
    in_place = ["unshare", "-m", "sh", "-c", f"mount --bind {b.folder}/bin/dpkg-query /usr/bin/dpkg-query && "
                f"mount --bind {b.folder}/bin/comm /proc/1/comm && exec \"$@\"", "sh"]
    if subprocess.run([*in_place, "true"], capture_output=True).returncode != 0:
        raise Skip("nothing can be mounted here, or there is no dpkg-query")
    report, text = run(b, agent, manifest, through=in_place)
    assert report["status"] == "unchanged" and report["metrics"]["resources"]["values"][0][2] >= 400, text
    words = (b.folder / "bin/calls").read_text().split()  # an argument holds a line's end
    calls = [word for word in words if word in ("dpkg-query", "systemctl")]
    assert sorted(calls) == ["dpkg-query", "systemctl"], calls
