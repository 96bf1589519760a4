"""Manifests of types that call programs of the machine, zfs, zpool, shutdown, and of yumrepo."""

POOLS = """case "$1" in
create) shift; state=$root/$tool; set=; while [ "$1" = -o ]; do set="$set $2"; shift 2; done
  name=$1; shift; mkdir -p $state; echo "$*" > $state/$name; for one in $set; do echo "$one"; done > $state/$name.set ;;
destroy) rm -f $root/$tool/$2 $root/$tool/$2.set ;;
set) file=$root/$tool/$3.set; key=${2%%=*}; grep -v "^$key=" $file > $file.new || true; echo "$2" >> $file.new; mv $file.new $file ;;
get) echo 'NAME PROPERTY VALUE SOURCE'; value=$(grep "^$2=" $root/$tool/$3.set | cut -d= -f2); echo "$3 $2 ${value:--} local" ;;
status) file=$root/$tool/$3; [ -e $file ] || { echo "cannot open '$3': no such pool" >&2; exit 1; }
  printf '  pool: %s\\n state: ONLINE\\nconfig:\\n\\n\\tNAME STATE READ\\n\\t%s ONLINE 0\\n' $3 $3
  for word in $(cat $file); do case $word in spare) printf '\\tspares\\n' ;; log) printf '\\tlogs\\n' ;; cache) printf '\\tcache\\n' ;;
  mirror|raidz*) printf '\\t  %s-0\\n' $word ;; *) printf '\\t    %s ONLINE 0\\n' $word ;; esac; done ;;
esac"""
FILE_SYSTEMS = """state=$root/$tool
last() { for word; do :; done; echo "$word"; }
name=$(last "$@"); file=$state/$(echo $name | tr / _)
case "$1" in
create) [ "$name" != tank/refused ] || { echo 'cannot create' >&2; exit 1; }; mkdir -p $state; shift
  while [ $# -gt 1 ]; do [ "$1" = -V ] && echo "volsize=$2" || echo "$2"; shift 2; done > $file ;;
list) [ -e $file ] || { echo "cannot open '$name': dataset does not exist" >&2; exit 1; }; echo "$name 1 2 3 /x" ;;
destroy) rm -f $file ;;
get) [ "$5" != aclmode ] || exit 1; value=$(grep "^$5=" $file | cut -d= -f2); echo "${value:--}" ;;
set) key=${2%%=*}; grep -v "^$key=" $file > $file.new || true; echo "$2" >> $file.new; mv $file.new $file ;;
esac"""
DOUBLES = {"zpool": POOLS, "zfs": FILE_SYSTEMS}
DOUBLE_HEAD = """#!/bin/sh
root=$(dirname "$0")/../root; tool=$(basename "$0")
case "$1" in create|destroy|set) echo "$tool $*" >> $root/calls ;; esac
"""


def pools():
    """zpool and zfs of zfs_core"""
    there = "mkdir zpool zfs; echo '/a /b' > zpool/tank; echo ashift=12 > zpool/tank.set; printf 'quota=1G\\natime=on\\n' > zfs/tank_home"
    table = {
        "of a disk": "disk => '/a'",
        "of disks": "disk => ['/a', '/b']",
        "of disks in one text": "disk => '/b /a'",
        "of mirrors": "mirror => ['/a /b', '/c /d']",
        "of one mirror": "mirror => '/a /b'",
        "of raidz": "raidz => ['/a /b /c']",
        "of raidz2": "raidz => ['/a /b /c'], raid_parity => 'raidz2'",
        "with others": "disk => '/a', spare => ['/s', '/t'], log => '/l', cache => ['/c /d']",
        "with settings": "disk => '/a /b', ashift => 12, autoexpand => 'on', failmode => 'continue'",
        "other settings": "disk => '/a /b', ashift => '9'",
        "absent": "ensure => absent",
        "commas": "mirror => '/a,/b'",
        "noop": "disk => '/a', noop => true",
    }
    for name, attributes in table.items():
        ensure = "" if "ensure" in attributes else "ensure => present, "
        # docs/agentless.md: the module fails before it says that the one that is there is of another kind.
        of_another_kind = name in ("of mirrors", "of one mirror", "of raidz", "of raidz2", "with others")
        for state, setup in {"nothing": "", **({} if of_another_kind else {"one": there})}.items():
            yield {"name": f"zpool: {name} where there is {state}", "setup": setup,
                   "manifest": f"zpool {{ 'tank': {ensure}{attributes} }}"}
    table = {
        "plain": "",
        "with properties": "quota => '2G', compression => 'lz4', copies => 2, atime => 'off'",
        "a volume": "volsize => '1G'",
        "what not all have": "aclmode => 'discard', overlay => 'on'",
        "an empty property": "quota => ''",
        "absent": "ensure => absent",
        "noop": "quota => '3G', noop => true",
    }
    for name, attributes in table.items():
        ensure = "" if "ensure" in attributes else "ensure => present, "
        for state, setup in {"nothing": "", "one": there}.items():
            yield {"name": f"zfs: {name} where there is {state}", "setup": setup,
                   "manifest": f"zfs {{ 'tank/home': {ensure}{attributes} }}"}
    yield {"name": "zfs: that is refused", "manifest": "zfs { 'tank/refused': ensure => present }"}
    yield {"name": "zfs: after its pool and its parents", "manifest": """
        zfs { 'tank/a/b/c': ensure => present } zfs { 'tank/a/b': ensure => present } zfs { 'tank/a': ensure => present }
        zpool { 'tank': ensure => present, disk => '/a' }"""}


RABBITMQ = {"rabbitmq-plugins": """state=$root/enabled; touch $state
case "$1" in
list) cat $state ;;
enable) [ "$2" != refused ] || { echo "no such plugin" >&2; exit 3; }; umask > $root/umask; echo "$2" >> $state ;;
disable) grep -vx "$2" $state > $state.new || true; mv $state.new $state ;;
esac""", "rabbitmqctl": "exit 0"}


def rabbitmq_plugins():
    """rabbitmq_plugin of the module rabbitmq"""
    table = {
        "present": "'a': ensure => present",
        "without ensure": "'a':",
        "absent": "'a': ensure => absent",
        "a umask": "'a': umask => '077'",
        "refused": "'refused':",
        "noop": "'a': noop => true",
        "a name with a blank": "'a b':",
        "a umask that is not valid": "'a': umask => '99'",
        "ensure that is not valid": "'a': ensure => here",
    }
    for name, resource in table.items():
        for state, setup in {"": "", " where it is": "printf 'b\\na\\n' > enabled"}.items():
            yield {"name": f"rabbitmq_plugin: {name}{state}", "setup": setup, "manifest": f"rabbitmq_plugin {{ {resource} }}"}


# In the place of /usr/bin: %ROOT% is the folder of a case.
PACKAGES = {
    "dpkg-query": "[ $# = 3 ]",  # of all packages: none; of one: it is not there
    "aptitude": 'echo "$*" >> %ROOT%/calls',
    "apt-mark": "exit 0",
    "pip3": """case $1 in
--version) echo 'pip 23.0.1 from /usr/lib (python 3.11)' ;;
freeze) echo tiny-there==1.0 ;;
*) echo 'error: externally-managed-environment' >&2; exit 1 ;;
esac""",
}


def packages():
    """Packages of aptitude and of dpkg, with scripts for their commands; none of them is there"""
    table = {
        "aptitude: any version": "provider => aptitude",
        "aptitude: a source": "provider => aptitude, source => '/root/tiny.deb'",
        "aptitude: a version and a source": "provider => aptitude, ensure => '1.0', source => '/root/tiny.deb', configfiles => replace",
        "aptitude: the newest and a source": "provider => aptitude, ensure => latest, source => '/root/tiny.deb'",
        "aptitude: that goes": "provider => aptitude, ensure => absent",
        "dpkg: the newest without a source": "provider => dpkg, ensure => latest",
        "dpkg: any version without a source": "provider => dpkg",
    }
    for name, attributes in table.items():
        yield {"name": name, "manifest": f"package {{ 'tiny-nowhere': {attributes} }}"}


# `gem` and `dpkg-query` list what there is, unless a case says that they fail.
PACKAGE_LISTS = {
    "gem": """[ ! -e %ROOT%/gem-fails ] || { echo 'the gems are damaged' >&2; exit 3; }
case "$*" in
--version) echo 3.3.15 ;;
'list --local' | *there*) cat %ROOT%/gem-says 2> /dev/null; echo 'there (1.0)' ;;
esac""",
    "dpkg-query": """[ ! -e %ROOT%/dpkg-fails ] || { echo 'the table is damaged' >&2; exit 2; }
case "$*" in *' gone') echo 'not there' >&2; exit 1 ;; esac
echo 'install ok installed there 1.0'""",
    "apt-mark": "exit 0",
}


def package_lists():
    """The list of all packages of a provider, which is asked for before the first of them"""
    gems = "package { ['there', 'new']: provider => gem } file { '%R%/after': content => 'x', require => Package['there'] }"
    fails = ": > gem-fails"
    yield {"name": "gem: a list", "manifest": gems}
    yield {"name": "gem: no list", "setup": fails, "manifest": gems}
    yield {"name": "gem: no list, and nothing is selected", "setup": fails, "manifest": gems, "settings": {"tags": "file"}}
    yield {"name": "gem: no list, and a package that is absent", "setup": fails, "manifest": "package { 'new': ensure => absent, provider => gem }"}
    yield {"name": "gem: no list, and who depends", "setup": fails, "manifest": gems + """
        exec { '/bin/true': refreshonly => true, subscribe => Package['new'] } notify { 'n': } -> Package['new']"""}
    yield {"name": "gem: one of the commands is not there", "manifest": """package { 'there': provider => gem }
        package { 'b': provider => gem, command => '/nowhere/gem' } package { 'there too': name => 'there', provider => gem, command => '/usr/bin/gem' }"""}
    yield {"name": "gem: one of the commands is a folder", "manifest": "package { 'b': provider => gem, command => '/root' }"}
    for provider in ("dpkg", "apt"):
        manifest = f"package {{ 'there': provider => {provider} }} package {{ 'gone': ensure => absent, provider => {provider} }}"
        yield {"name": f"{provider}: a list", "manifest": manifest}
        yield {"name": f"{provider}: a list, and none of gem", "setup": fails, "manifest": manifest + " package { 'a': provider => gem }"}


MYSQL_INSTALL = """for word; do echo "$tool $word" >> $root/words; case $word in --datadir=*) mkdir -p ${word#*=}/mysql; : > ${word#*=}/mysql/t ;; esac; done
[ ! -e $root/fails ] || { echo 'cannot initialize'; exit 1; }"""
MYSQL = {"mysqld": "case \"$*\" in *-V*) cat $root/version; exit 0 ;; esac\n" + MYSQL_INSTALL, "mysql_install_db": MYSQL_INSTALL}


def mysql_folders():
    """mysql_datadir of the module mysql"""
    new = "echo 'mysqld  Ver 8.0.30 for Linux on x86_64 (MySQL Community Server)' > version"
    versions = {"8.0": new, "5.7.5": "echo 'mysqld  Ver 5.7.5-m15 for Linux' > version", "5.7.6": "echo 'mysqld  Ver 5.7.6-log' > version",
                "MariaDB": "echo 'mysqld  Ver 10.11.2-MariaDB-1' > version", "Percona": "echo 'mysqld  Ver 8.0.1-1 for Linux (Percona Server)' > version",
                "no version": ": > version", "a mistake": new + "; : > fails", "data": new + "; mkdir -p d/mysql; : > d/mysql/user",
                "an empty folder": new + "; mkdir -p d/mysql"}
    for name, setup in versions.items():
        yield {"name": f"mysql_datadir: with {name}", "setup": setup, "manifest": "mysql_datadir { '%R%/d': ensure => present }"}
    table = {
        "with all": "ensure => present, basedir => '/usr', user => 'me', defaults_extra_file => '%R%/x.cnf', log_error => '/var/log/x'",
        "securely": "ensure => present, insecure => 'false'",
        "insecurely": "ensure => present, insecure => false",
        "absent": "ensure => absent",
        "noop": "ensure => present, noop => true",
        "without its settings": "ensure => present, defaults_extra_file => '%R%/y.cnf'",
        "a relative folder": "ensure => present, basedir => 'usr'",
        "settings of another kind": "ensure => present, defaults_extra_file => '/etc/my'",
    }
    for name, attributes in table.items():
        for state, more in {"": "", " where it is": "; mkdir -p d/mysql; : > d/mysql/user"}.items():
            yield {"name": f"mysql_datadir: {name}{state}", "setup": f"{new}; : > x.cnf{more}", "manifest": f"mysql_datadir {{ '%R%/d': {attributes} }}"}


def reboots():
    """reboot of puppetlabs-reboot, without the reboot"""
    table = {
        "nothing": "",
        "at the end": "apply => finished",
        "a message": "apply => finished, message => 'a \"word\" $x'",
        "soon": "apply => finished, timeout => 0",
        "by minutes": "apply => finished, timeout => 61",
        "in letters": "apply => finished, timeout => '120'",
        "pending": "when => pending",
        "on Windows": "apply => finished, onlyif => 'reboot_required', unless => ['package_installer']",
        "when that is not valid": "when => never",
        "apply that is not valid": "apply => later",
        "an empty message": "message => ''",
        "a timeout that is not valid": "timeout => 'x'",
        "noop": "noop => true",
    }
    for name, attributes in table.items():
        yield {"name": f"reboot: {name}", "left_out": ("calls",), "steps": [{"noop": True}, {}], "manifest": f"""
            exec {{ '/bin/true': }} ~> reboot {{ 'r': {attributes} }}  notify {{ 'after': require => Reboot['r'] }} notify {{ 'other': }}"""}
    yield {"name": "reboot: once", "left_out": ("calls",), "steps": [{}], "manifest": """
        exec { '/bin/true': } ~> reboot { 'r': apply => finished } reboot { 's': apply => finished, subscribe => Exec['/bin/true'] }"""}
    yield {"name": "reboot: without a change", "left_out": ("calls",), "manifest": """
        exec { '/bin/true': unless => '/bin/true' } ~> reboot { 'r': }"""}


REPO_SETUP = r"""rm -rf /etc/yum.repos.d/*; printf '[main]\nkeepcache=0\n' > main
printf '# head\n[one]\nname = One\nbaseurl=http://a/\nenabled=1\n# note\n\n[two]\nname=Two\ngpgcheck = 0\n' > /etc/yum.repos.d/local.repo"""
REPO_SHOWN = "cd /etc/yum.repos.d; for f in *; do [ ! -e $f ] || { stat -c '%n %a %U' $f; cat $f; }; done"


def yum_repositories():
    """yumrepo of yumrepo_core"""
    full = """descr => 'A name', baseurl => 'http://a/ https://b/', mirrorlist => 'https://m/', enabled => true, gpgcheck => '1',
        gpgkey => 'file:///a file:///b', metadata_expire => '6h', priority => 5, proxy => 'http://p:1', includepkgs => 'a b',
        password => 'secret', username => 'me', skip_if_unavailable => 'No', sslverify => 'false'"""
    table = {
        "new": ("three", "ensure => present, descr => 'Three', baseurl => 'http://x/'"),
        "with all": ("three", full.replace("'No'", "'no'")),
        "as it is": ("one", "descr => 'One', enabled => 1, baseurl => 'http://a/'"),
        "another value": ("one", "enabled => 0"),
        "one more setting": ("one", "gpgcheck => false"),
        "a setting that goes": ("one", "baseurl => absent, enabled => 'absent'"),
        "a setting that is not there and goes": ("one", "gpgkey => absent"),
        "no ensure": ("three", "descr => 'Three'"),
        "absent": ("one", "ensure => absent"),
        "absent that is not there": ("three", "ensure => absent"),
        "moved": ("one", "ensure => present, target => 'other', enabled => 0"),
        "moved to a path": ("one", "ensure => present, target => '/etc/yum.repos.d/other.repo', enabled => 0"),
        "not moved": ("one", "ensure => present, target => '/etc/yum.repos.d/local.repo'"),
        "a target elsewhere": ("three", "ensure => present, target => '/srv/x.repo', descr => 'Three'"),
        "no proxy": ("one", "proxy => '_none_'"),
        "a secret": ("one", "password => Sensitive('secret')"),
        "noop": ("one", "enabled => 0, noop => true"),
        "a URL that is none": ("one", "baseurl => 'nowhere'"),
        "a URL of another kind": ("one", "baseurl => 'gopher://a/'"),
        "yes that is not valid": ("one", "enabled => 'perhaps'"),
        "a number that is not valid": ("one", "retries => 'x'"),
        "a word that is not valid": ("one", "http_caching => 'some'"),
        "a priority that is not valid": ("one", "priority => 'x'"),
    }
    for name, (title, attributes) in table.items():
        yield {"name": f"yumrepo: {name}", "manifest": f"yumrepo {{ '{title}': {attributes} }}", "setup": REPO_SETUP, "show": REPO_SHOWN}
    yield {"name": "yumrepo: both go", "setup": REPO_SETUP, "show": REPO_SHOWN,
           "manifest": "yumrepo { ['one', 'two']: ensure => absent }"}
    yield {"name": "yumrepo: a mode", "setup": REPO_SETUP + "; chmod 600 /etc/yum.repos.d/local.repo", "show": REPO_SHOWN,
           "manifest": "yumrepo { 'one': enabled => 0 }"}


def services_of_commands():
    """service of an init system that has no script of that name, but commands of its own for all that is asked"""
    own = {word: f"{word} => 'echo {word} >> %R%/calls; {command} %R%/on'" for word, command in
           (("start", "touch"), ("stop", "rm"), ("restart", "test -e"), ("status", "test -e"))}
    for name, (attributes, setup) in {
        "started": ("ensure => running, {start}, {status}", ""),
        "stopped": ("ensure => stopped, {stop}, {status}", "touch on"),
        "restarted": ("ensure => running, {restart}, {status}", "touch on"),
        "stopped and started again": ("{start}, {stop}, {status}", "touch on"),
        "a start that fails": ("ensure => running, start => '/bin/false', {status}", ""),
        "no command that starts": ("ensure => running, {stop}, {status}", ""),
    }.items():
        yield {"name": f"service of commands: {name}", "setup": setup, "left_out": ["calls"], "show": "grep -v status calls",
               "manifest": f"notify {{ 'n': }} ~> service {{ 'no-script': provider => debian, {attributes.format(**own)} }}"}
