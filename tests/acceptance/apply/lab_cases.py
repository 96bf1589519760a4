"""Manifests of what a whole machine has: groups, users, packages, services, jobs, tables and keys."""


def case(name, manifest, setup="", steps=None):
    return {"name": name, "manifest": manifest, "setup": setup, "steps": steps}


def groups():
    table = {
        "a new one": ("group { 'g1': ensure => present }", ""),
        "with a number": ("group { 'g2': gid => 4002 }", ""),
        "another number": ("group { 'g3': gid => '4003' }", "groupadd -g 4999 g3"),
        "of the system": ("group { 'g4': system => true }", ""),
        "that goes": ("group { 'g5': ensure => absent }", "groupadd g5"),
        "that is not there": ("group { 'g6': ensure => absent }", ""),
        "a number that is taken": ("group { 'g7': gid => 0 }", ""),
        "a number that is shared": ("group { 'g8': gid => 0, allowdupe => true }", ""),
        "a primary group that cannot go": ("group { 'app': ensure => absent }", ""),
        "members": ("group { 'g9': members => ['root'] }", ""),
        "a name that is not valid": ("group { 'G 10': }", ""),
        "a number that is not valid": ("group { 'g11': gid => 'x' }", ""),
    }
    for name, (manifest, setup) in table.items():
        yield case(f"group: {name}", manifest, setup)


def users():
    table = {
        "a new one": ("user { 'u1': ensure => present, uid => 5001 }", ""),
        "with everything": ("""group { 'ug2': gid => 5102 } user { 'u2': uid => 5002, gid => 'ug2', comment => 'A B', home => '/home/u2x', managehome => true,
            shell => '/bin/bash', groups => ['daemon', 'bin'], expiry => '2040-01-31', password => '*', password_min_age => 1, password_max_age => 90 }""", ""),
        "changes": ("user { 'u3': comment => 'new', shell => '/bin/sh', home => '/srv/u3', uid => 5003, gid => 'daemon' }", "useradd -u 5903 -c old -s /bin/bash u3"),
        "more groups": ("user { 'u4': groups => ['bin', 'sys'] }", "useradd -u 5004 -G daemon,bin u4"),
        "only these groups": ("user { 'u5': groups => ['bin'], membership => inclusive }", "useradd -u 5005 -G daemon,sys u5"),
        "no groups any more": ("user { 'u6': groups => [], membership => inclusive }", "useradd -u 5006 -G daemon,sys u6"),
        "a password": ("user { 'u7': password => '$1$abc$0123456789abcdefghijkl' }", "useradd -u 5007 u7"),
        "a secret password": ("user { 'u8': uid => 5008, password => Sensitive('$1$abc$0123456789abcdefghijkl') }", ""),
        "ages": ("user { 'u9': password_min_age => 3, password_max_age => 30, password_warn_days => 5 }", "useradd -u 5009 u9"),
        "an end": ("user { 'u10': expiry => '2030-12-31' }", "useradd -u 5010 u10"),
        "no end any more": ("user { 'u11': expiry => absent }", "useradd -u 5011 -e 2030-01-01 u11"),
        "that goes": ("user { 'u12': ensure => absent }", "useradd -u 5012 -m u12"),
        "that goes with the home": ("user { 'u13': ensure => absent, managehome => true }", "useradd -u 5013 -m u13"),
        "a shell that is missing": ("user { 'u14': shell => '/no/shell' }", "useradd -u 5014 u14"),
        "a new one with a shell that is missing": ("user { 'u15': shell => '/no/shell' }", ""),
        "a shell that is not a program": ("user { 'u16': shell => '/etc/passwd' }", "useradd -u 5016 u16"),
        "a number that is taken": ("user { 'u17': uid => 0 }", ""),
        "a number that is shared": ("user { 'u18': uid => 0, gid => 0, allowdupe => true }", ""),
        "a group that is missing": ("user { 'u19': gid => 'nowhere' }", "useradd -u 5019 u19"),
        "of the system": ("user { 'u20': system => true, managehome => false }", ""),
        "a group of the same name": ("group { 'u21': gid => 5121 } user { 'u21': uid => 5021 }", ""),
        "numbers of groups": ("user { 'u22': groups => ['1'] }", ""),
        "groups after their making": ("user { 'u23': uid => 5023, groups => ['ug23'] } group { 'ug23': gid => 5123 }", ""),
        "its files after it": ("file { '/srv/u24': ensure => directory, owner => 'u24', group => 'u24' } user { 'u24': uid => 5024, gid => 5124 } group { 'u24': gid => 5124 }", ""),
        "attributes of other systems": ("user { 'u25': uid => 5025, forcelocal => true, loginclass => 'x' }", ""),
        "drift": ("user { 'u26': comment => 'right', uid => 5026 }", ""),
    }
    for name, (manifest, setup) in table.items():
        steps = [{}, {"before": "usermod -c wrong u26"}, {}] if name == "drift" else None
        yield case(f"user: {name}", manifest, setup, steps)


def packages():
    table = {
        "a new one": ("package { 'tiny-b': ensure => installed }", ""),
        "a version": ("package { 'tiny-a': ensure => '1.0' }", ""),
        "another version": ("package { 'tiny-a': ensure => '1.1' }", ""),
        "the newest": ("package { 'tiny-a': ensure => latest }", ""),
        "an older version": ("package { 'tiny-a': ensure => '1.0' }", ""),
        "a range": ("package { 'tiny-a': ensure => '>1.0 <2.0' }", ""),
        "a version that does not exist": ("package { 'tiny-a': ensure => '9.9' }", ""),
        "one that does not exist": ("package { 'no-such-package': ensure => installed }", ""),
        "held": ("package { 'tiny-c': ensure => installed, mark => hold }", ""),
        "held no more": ("package { 'tiny-c': ensure => installed, mark => none }", ""),
        "that goes": ("package { 'tiny-b': ensure => absent }", ""),
        "that goes with its files": ("package { 'tiny-a': ensure => purged }", ""),
        "with options": ("package { 'tiny-a': ensure => '2.0', install_options => ['--no-install-recommends', { '-o' => 'Dpkg::Use-Pty=0' }] }", ""),
        "with answers": ("file { '/root/answers': content => \"tiny-ask tiny-ask/word string volley\\n\" } package { 'tiny-ask': responsefile => '/root/answers' }", ""),
        "a service after its package": ("package { 'tiny-a': ensure => installed } ~> service { 'tiny-a': ensure => running, enable => true }", "apt-get -qqy purge tiny-a"),
        "purged where it never was": ("package { 'tiny-d': ensure => purged }", ""),
        "one that fails": ("package { 'tiny-fail': ensure => installed }", ""),
        "one that failed": ("package { 'tiny-fail': ensure => absent }", ""),
    }
    for name, (manifest, setup) in table.items():
        yield case(f"package: {name}", manifest, setup)
    clean = "dpkg --purge tiny-fail; apt-get -qqy --allow-change-held-packages purge tiny-a tiny-b tiny-c tiny-d tiny-ask"
    several = {
        "one after the other": "package { ['tiny-a', 'tiny-c', 'tiny-ask']: ensure => installed }",
        "one that another needs": "package { 'tiny-b': ensure => installed } package { 'tiny-a': ensure => installed }",
        "one that needs another": "package { 'tiny-a': ensure => installed } package { 'tiny-b': ensure => installed }",
        "two that exclude each other": "package { 'tiny-c': ensure => installed } package { 'tiny-d': ensure => installed }",
        "one between that does not exist": "package { 'tiny-a': ensure => installed } package { 'no-such-package': } package { 'tiny-c': }",
        "one between that is there": "package { 'tiny-c': ensure => installed } package { 'coreutils': } package { 'tiny-a': ensure => latest }",
        "something between": "package { 'tiny-c': } exec { '/bin/sh -c \"! dpkg -s tiny-a\"': } package { 'tiny-a': ensure => '1.0' }",
        "one between that is only looked at": "package { 'tiny-c': } package { 'tiny-a': noop => true } package { 'tiny-ask': mark => hold }",
        "with restarts": "package { ['tiny-c', 'tiny-a']: } ~> service { 'tiny-a': ensure => running }",
        "versions": "package { 'tiny-c': ensure => '1.0' } package { 'tiny-a': ensure => '1.1' } package { 'tiny-ask': ensure => '1.0' }",
    }
    for name, manifest in several.items():
        yield case(f"packages: {name}", manifest, clean)
    yield case("package: a name that another one provides", "package { 'tiny-virtual': allow_virtual => true }", clean + "; apt-get -qqy install tiny-c")
    yield case("package: options with blanks", "package { 'tiny-b': install_options => ['-o', 'Dpkg::Use-Pty=0', { 'A B' => 'c' }] }", clean)
    yield case("package: the newest of an architecture", "package { 'tiny-a:all': ensure => latest }", clean + "; apt-get -qqy install tiny-a=1.0")
    yield case("packages: one that comes along, by its architecture", "package { 'tiny-b': } package { 'tiny-a:all': }", clean)
    yield case("package: what an interrupted dpkg has left", "package { 'tiny-c': }",
               clean + "; apt-get -qqy install tiny-c; "
               "sed -i '/^Package: tiny-c$/,/^$/s/^Status: .*/Status: install reinstreq half-installed/' /var/lib/dpkg/status")
    # Neither of both repairs that, and apt refuses to remove it.
    yield case("package: a file", "package { 'tiny-a': provider => dpkg, source => '/root/tiny-a.deb' }",
               "dpkg --purge --force-remove-reinstreq tiny-c; " + clean + "; cd /root; apt-get -qq download tiny-a=1.0; mv tiny-a_*.deb tiny-a.deb")
    yield case("package: the newest of a file", "package { 'tiny-a': ensure => latest, provider => dpkg, source => '/root/tiny-a.deb', configfiles => replace }",
               "cd /root; apt-get -qq download tiny-a=1.1; mv tiny-a_*.deb tiny-a.deb")
    yield case("package: a version by dpkg", "package { 'tiny-a': ensure => '1.0', provider => dpkg, source => '/root/tiny-a.deb' }")
    yield case("package: a file that goes", "package { 'tiny-a': ensure => absent, provider => dpkg }")
    yield case("package: purged by dpkg", "package { 'tiny-a': ensure => purged, provider => dpkg }")
    yield case("package: without a file", "package { 'tiny-a': provider => dpkg }")


UNIT = """printf '[Unit]\\nDescription=x\\n[Service]\\nExecStart=/bin/sleep infinity\\n[Install]\\nWantedBy=multi-user.target\\n' > /etc/systemd/system/%(n)s.service; systemctl daemon-reload"""


def services():
    def unit(name, more=""):
        return UNIT % {"n": name} + "; " + (more or ":")
    table = {
        "started": ("service { 's1': ensure => running }", unit("s1")),
        "stopped": ("service { 's2': ensure => stopped }", unit("s2", "systemctl start s2")),
        "started at boot": ("service { 's3': enable => true }", unit("s3")),
        "started now and at boot": ("service { 's4.service': ensure => running, enable => true }", unit("s4")),
        "not at boot": ("service { 's5': enable => false }", unit("s5", "systemctl -q enable s5")),
        "stopped for good": ("service { 's6': ensure => false, enable => false }", unit("s6", "systemctl -q enable --now s6")),
        "masked": ("service { 's7': ensure => stopped, enable => mask }", UNIT.replace("/etc/systemd", "/usr/lib/systemd") % {"n": "s7"} + "; systemctl start s7"),
        "masked and back": ("service { 's8': ensure => running, enable => true }", UNIT.replace("/etc/systemd", "/usr/lib/systemd") % {"n": "s8"} + "; systemctl -q mask s8"),
        "one that does not exist": ("service { 'nowhere': ensure => stopped, enable => false }", ""),
        "commands of its own": ("service { 's9': ensure => running, start => '/bin/touch /root/s9', status => '/usr/bin/test -e /root/s9', stop => '/bin/rm /root/s9' }", "rm -f /root/s9"),
        "restarted": ("service { 's10': ensure => running } file { '/root/s10': content => 'x' } ~> Service['s10']", unit("s10", "systemctl start s10")),
        "started and not restarted": ("service { 's11': ensure => running } file { '/root/s11': content => 'x' } ~> Service['s11']", unit("s11")),
        "not restarted when it does not run": ("service { 's12': } file { '/root/s12': content => 'x' } ~> Service['s12']", unit("s12")),
        "restarted by a command": ("service { 's13': restart => '/bin/touch /root/s13r' } file { '/root/s13': content => 'x' } ~> Service['s13']", unit("s13", "systemctl start s13")),
        "a static one": ("service { 'systemd-journald': ensure => running, enable => true }", ""),
        "a unit file that changed": ("file { '/etc/systemd/system/s14.service': content => \"[Service]\\nExecStart=/bin/sleep 9999\\n\" } ~> service { 's14': ensure => running }", unit("s14")),
        "a word that is not valid": ("service { 's15': ensure => up }", ""),
        "many at once": (
            "service { ['m1', 'm2.service', 'm3', 'm4', 'm-alias', 'm6', 'm7', 'm8', 'systemd-journald.socket', 'm9']: ensure => running } "
            "service { ['m10', 'm11', 'm12', 'm-nowhere']: ensure => stopped } service { 'm13': ensure => running, enable => true }",
            "; ".join(UNIT % {"n": f"m{n}"} for n in range(1, 14)) + "; sed -i s/WantedBy.*/Alias=m-alias.service/ /etc/systemd/system/m5.service; "
            "systemctl daemon-reload; systemctl -q enable m5; systemctl start m1 m2 m3 m5 m6 m11; "
            "sed -i 's,ExecStart=.*,ExecStart=/bin/false,' /etc/systemd/system/m12.service; systemctl daemon-reload; systemctl start m12; while systemctl -q is-active m12; do sleep 0.02; done"),
    }
    for name, (manifest, setup) in table.items():
        yield case(f"service: {name}", manifest, setup)


def tables():
    crons = {
        "a new job": "cron { 'c1': command => '/bin/true', minute => 5 }",
        "times": "cron { 'c2': command => '/bin/true', minute => [0, 30], hour => '2-4', weekday => ['Monday', 'fri'], month => 'December', monthday => '*/2' }",
        "special": "cron { 'c3': command => '/bin/true', special => 'daily' }",
        "settings": "cron { 'c4': command => '/bin/true', environment => ['PATH=/bin', 'MAILTO=x'], minute => 1 }",
        "for another user": "cron { 'c5': command => 'echo %x', user => 'app', hour => 3, minute => 0 }",
        "a minute that is not valid": "cron { 'c6': command => '/bin/true', minute => 99 }",
        "special and a minute": "cron { 'c7': command => '/bin/true', special => 'daily', minute => 1 }",
        "that goes": "cron { 'c1': ensure => absent }",
        "changed": "cron { 'c2': command => '/bin/false', minute => 1, hour => absent }",
        "to special": "cron { 'c4': command => '/bin/true', special => 'hourly', minute => absent }",
        "of a user that does not exist": "cron { 'c8': command => '/bin/true', user => 'nobody-here' }",
    }
    for name, manifest in crons.items():
        yield case(f"cron: {name}", manifest)
    yield case("cron: a blank at the end", "cron { 'blank': command => '/bin/blank', minute => 4 }", "(crontab -l; echo '4 * * * * /bin/blank ') | crontab -")
    yield case("cron: what is there already", "cron { 'own': command => '/usr/bin/own', minute => 7 } cron { 'c9': command => '/bin/x' }",
               "(echo '# a comment'; echo; echo 'TZ=UTC'; echo '7 * * * * /usr/bin/own'; echo 'A=b'; echo '@reboot   /bin/boot it') | crontab -u daemon -; crontab -u daemon -l | crontab -")
    hosts = {
        "a new one": "host { 'h1.example': ip => '192.0.2.1' }",
        "with names and a comment": "host { 'h2.example': ip => '192.0.2.2', host_aliases => ['h2', 'two'], comment => 'second' }",
        "changed": "host { 'h2.example': ip => '2001:db8::2', host_aliases => ['h2'], comment => '' }",
        "that goes": "host { 'h1.example': ensure => absent }",
        "an address that is not valid": "host { 'h3.example': ip => '300.1.1.1' }",
        "a name that is not valid": "host { '-h': ip => '192.0.2.4' }",
        "without an address": "host { 'h5.example': }",
    }
    for name, manifest in hosts.items():
        yield case(f"host: {name}", manifest)
    yield case("host: a file of its own", "host { 'h6': ip => '192.0.2.6', target => '/srv/hosts' }",
               "printf '# first\\n\\n192.0.2.7   seven  sieben\\tvii # the seventh\\nnot an entry\\n' > /srv/hosts")
    mounts = {
        "defined": "mount { '/mnt/m1': ensure => defined, device => 'tmpfs', fstype => 'tmpfs' }",
        "mounted": "file { '/mnt/m2': ensure => directory } -> mount { '/mnt/m2': ensure => mounted, device => 'tmpfs', fstype => 'tmpfs', options => 'size=1m' }",
        "other options": "mount { '/mnt/m2': ensure => mounted, device => 'tmpfs', fstype => 'tmpfs', options => 'size=2m', dump => 1, pass => 2 }",
        "unmounted": "mount { '/mnt/m2': ensure => unmounted, device => 'tmpfs', fstype => 'tmpfs' }",
        "mounted again with files in it": "mount { '/mnt/m2': ensure => mounted, device => 'tmpfs', fstype => 'tmpfs' } file { '/mnt/m2/in': content => 'x' }",
        "that goes": "mount { '/mnt/m2': ensure => absent }",
        "one that cannot be mounted": "mount { '/mnt/m3': ensure => mounted, device => '/no/device', fstype => 'ext4' }",
        "refreshed": "file { '/mnt/m4': ensure => directory } -> mount { '/mnt/m4': ensure => mounted, device => 'tmpfs', fstype => 'tmpfs' } notify { 'n': } ~> Mount['/mnt/m4']",
        "without a kind": "mount { '/mnt/m5': ensure => defined, device => 'x' }",
        "blanks in options": "mount { '/mnt/m6': ensure => defined, device => 'x', fstype => 'ext4', options => 'a b' }",
    }
    for name, manifest in mounts.items():
        yield case(f"mount: {name}", manifest)
    yield case("mount: not in the table", "mount { '/mnt/m7': ensure => absent }", "mkdir -p /mnt/m7; mount -t tmpfs tmpfs /mnt/m7")


KEY = "AAAAC3NzaC1lZDI1NTE5AAAAIJXl0SYmJHQ2nK1e1p9m0q0t5u6v7w8x9y0zABCDEFGH"


def keys():
    table = {
        "a new one": (f"ssh_authorized_key {{ 'k1': user => 'app', type => 'ssh-ed25519', key => '{KEY}' }}", ""),
        "a user's first": (f"user {{ 'ku': uid => 5201, managehome => true }} ssh_authorized_key {{ 'k2': user => 'ku', type => ed25519, key => '{KEY}' }}", ""),
        "options": (f"ssh_authorized_key {{ 'k3': user => 'app', type => 'ssh-rsa', key => '{KEY}', options => ['no-pty', 'from=\"192.0.2.*,x\"'] }}", ""),
        "other options": (f"ssh_authorized_key {{ 'k3': user => 'app', type => 'ssh-ed25519', key => '{KEY}', options => ['no-pty'] }}", ""),
        "options that go": (f"ssh_authorized_key {{ 'k3': user => 'app', type => 'ssh-ed25519', key => '{KEY}' }}", ""),
        "that goes": ("ssh_authorized_key { 'k1': ensure => absent, user => 'app' }", ""),
        "without a user": (f"ssh_authorized_key {{ 'k4': type => 'ssh-rsa', key => '{KEY}' }}", ""),
        "of a user that does not exist": (f"ssh_authorized_key {{ 'k5': user => 'nobody-here', type => 'ssh-rsa', key => '{KEY}' }}", ""),
        "blanks": ("ssh_authorized_key { 'k6': user => 'app', type => 'ssh-rsa', key => 'AAAA BBBB' }", ""),
        "what is there already": (f"ssh_authorized_key {{ 'k7': user => 'games', type => 'ssh-rsa', key => '{KEY}' }}",
                                  "mkdir -p /usr/games/.ssh; chown games:games /usr/games/.ssh; printf '# mine\\n\\ncommand=\"a b\",no-pty ssh-rsa AAAAB3 me at home\\nssh-dss AAAAD\\n' > /usr/games/.ssh/authorized_keys; chown games:games /usr/games/.ssh/authorized_keys"),
        "purged": ("user { 'games': purge_ssh_keys => true } ", ""),
    }
    for name, (manifest, setup) in table.items():
        yield case(f"key: {name}", manifest, setup)


def lines():
    setup = "printf 'one\\ntwo\\n#three = 3\\nfour\\ntwo\\n' > /srv/l"
    table = {
        "a new one": "line => 'five'",
        "one that is there": "line => 'two'",
        "one to replace": "line => 'three = 4', match => '^#?three\\s*='",
        "too many to replace": "line => '2', match => '^two'",
        "several to replace": "line => '2', match => '^two', multiple => true",
        "a match that is missing": "line => 'x', match => '^x'",
        "a match that is missing and not added": "line => 'x', match => '^x', append_on_no_match => false",
        "not replaced": "line => 'fourth', match => '^four', replace => false",
        "all that differ": "line => 'two', match => '^t', multiple => true, replace_all_matches_not_matching_line => true",
        "after a line": "line => 'one and a half', after => '^one$'",
        "after several": "line => 'x', after => '^two'",
        "after several of them": "line => 'x', after => '^two', multiple => true",
        "after a line that is missing": "line => 'x', after => '^ten'",
        "a match and after": "line => 'x', match => '^x', after => '^one'",
        "that goes": "ensure => absent, line => 'two'",
        "a match that goes": "ensure => absent, match => '^#', match_for_absence => true",
        "a match that goes too often": "ensure => absent, match => 'o', match_for_absence => true",
        "matches that go": "ensure => absent, match => 'o', match_for_absence => true, multiple => true",
        "without a line": "match => 'x'",
        "classes and groups": "line => '[x]', match => '(?i)^(ONE|ten)[[:space:]]*$'",
    }
    for name, attributes in table.items():
        yield case(f"line: {name}", f"file_line {{ 'l': path => '/srv/l', {attributes} }}", setup)
    yield case("line: of a file that is missing", "file_line { 'l': path => '/srv/no', line => 'x' }")
    yield case("line: of a file that is made", "file_line { 'l': path => '/srv/made', line => 'x' } file { '/srv/made': content => \"a\\n\", replace => false }")
    yield case("line: without an end", "file_line { 'l': path => '/srv/e', line => 'x' }", "printf 'a' > /srv/e")


def purges():
    """What is not in the catalog goes: last, for it spares nothing."""
    noop = [{"noop": True}]
    yield case("purge: hosts", "resources { 'host': purge => true } host { 'p1.example': ip => '192.0.2.1' }",
               "sed -i '/lab[.]test/d' /etc/hosts; printf '192.0.2.8 p8.example eight\\n192.0.2.9 p9.example\\n' >> /etc/hosts")
    yield case("purge: nothing", "resources { 'host': } resources { 'user': purge => false }")
    yield case("purge: jobs", "resources { 'cron': purge => true } cron { 'stays': command => '/bin/true', minute => 1 }",
               "printf '# Puppet Name: named\\n1 * * * * /bin/named\\n*/5 1-3 * * mon /bin/un  named\\n@daily /bin/day\\n* * * * * /bin/every\\n' | crontab -")
    yield case("purge: jobs of others", "resources { 'cron': purge => true } user { 'games': }", "echo '5 5 * * * /bin/games' | crontab -u games -")
    yield case("purge: known hosts", "resources { 'sshkey': purge => true } sshkey { 'kept': type => 'ssh-rsa', key => 'AAAA' }",
               "printf '# a comment\\nkept,k ssh-rsa AAAA\\ngone ssh-rsa AAAB\\nkept ssh-ed25519 AAAC\\n' > /etc/ssh/ssh_known_hosts")
    yield case("purge: in noop", "resources { 'host': purge => true, noop => true }", "echo '192.0.2.10 p10.example' >> /etc/hosts")
    yield case("purge: with a log level and a relation", "notify { 'first': } resources { 'host': purge => true, loglevel => warning, require => Notify['first'] } notify { 'last': require => Resources['host'] }")
    yield case("purge: users", "resources { 'user': purge => true, unless_uid => [5301, '5302'] } user { 'p3': uid => 5303 }",
               "for n in 1 2 3 4; do useradd -u 530$n p$n; done")
    yield case("purge: users of the system", "resources { 'user': purge => true, unless_system_user => 5400 }", "useradd -u 5400 p5; useradd -u 5401 p6")
    yield case("purge: all users", "resources { 'user': purge => true, unless_system_user => false }", steps=noop)
    yield case("purge: groups", "resources { 'group': purge => true }", steps=noop)
    yield case("purge: mounts", "resources { 'mount': purge => true }", steps=noop)
    yield case("purge: a type that does not exist", "resources { 'nowhere': purge => true }")
    yield case("purge: what cannot be absent", "resources { 'exec': purge => true }")
    yield case("purge: a limit that is not valid", "resources { 'user': purge => true, unless_system_user => 'x' }")


def alternatives():
    """Of the module alternatives, where this machine has it for the other ones."""
    tools = "for n in 1 2 3; do printf '#!/bin/sh\\n' > /usr/local/bin/tool$n; chmod 755 /usr/local/bin/tool$n; done; "
    group = tools + "for n in 1 2; do update-alternatives --quiet --install /usr/bin/tool tool /usr/local/bin/tool$n $n; done"
    table = {
        "another one": ("alternatives { 'tool': path => '/usr/local/bin/tool1' }", group),
        "the same one": ("alternatives { 'tool': path => '/usr/local/bin/tool1' }", ":"),
        "by itself": ("alternatives { 'tool': mode => auto }", ":"),
        "by hand": ("alternatives { 'tool': mode => manual }", ":"),
        "both": ("alternatives { 'tool': path => '/usr/local/bin/tool2', mode => manual }", ":"),
        "one that is missing": ("alternatives { 'tool': path => '/usr/local/bin/none' }", ":"),
        "a group that is missing": ("alternatives { 'nowhere': path => '/usr/local/bin/tool1' }", ":"),
        "a relative path": ("alternatives { 'tool': path => 'tool1' }", ":"),
        "a mode that is not valid": ("alternatives { 'tool': mode => perhaps }", ":"),
        "a new entry": ("alternative_entry { '/usr/local/bin/tool3': altlink => '/usr/bin/tool', altname => 'tool', priority => 30 }", ":"),
        "another priority": ("alternative_entry { '/usr/local/bin/tool3:/usr/bin/tool': altname => 'tool', priority => '31' }", ":"),
        "a new group": ("alternative_entry { '/usr/local/bin/tool1': altlink => '/usr/bin/other', altname => 'other', priority => 5 }", ":"),
        "an entry that goes": ("alternative_entry { '/usr/local/bin/tool3': ensure => absent, altlink => '/usr/bin/tool', altname => 'tool' }", ":"),
        "an entry that is not there": ("alternative_entry { '/usr/local/bin/tool3': ensure => absent, altlink => '/usr/bin/tool', altname => 'tool' }", ":"),
        "an entry and its choice": ("""alternatives { 'tool': path => '/usr/local/bin/tool3' }
            alternative_entry { '/usr/local/bin/tool3': altlink => '/usr/bin/tool', altname => 'tool', priority => 3 }""", ":"),
        "a priority that is not valid": ("alternative_entry { '/usr/local/bin/tool3': altlink => '/usr/bin/tool', altname => 'tool', priority => 'x' }", ":"),
    }
    for name, (manifest, setup) in table.items():
        yield case(f"alternatives: {name}", manifest, setup)


# Stand-ins for the tools of SELinux, which does not run in the lab.
SELINUX = r"""
mkdir -p /srv/se
cat > /usr/sbin/getsebool <<'END'
#!/bin/sh
test -e /srv/se/sebool_$1 || { echo "Error getting active value for $1" >&2; exit 1; }
echo "$1 --> $(cat /srv/se/sebool_$1)"
END
cat > /usr/sbin/setsebool <<'END'
#!/bin/sh
echo "setsebool $*" >> /srv/se/selinux_calls
test "$1" = -P && shift
echo $2 > /srv/se/sebool_$1
END
cat > /usr/sbin/semodule <<'END'
#!/bin/sh
case $1 in
  --list) cat /srv/se/semodules;;
  --install|--upgrade) name=$(basename $2 .pp); sed -i "/^$name	/d" /srv/se/semodules; printf "$name	1.2.0
" >> /srv/se/semodules;;
  --remove) sed -i "/^$2	/d" /srv/se/semodules;;
esac
echo "semodule $*" >> /srv/se/selinux_calls
END
chmod 755 /usr/sbin/getsebool /usr/sbin/setsebool /usr/sbin/semodule
echo off > /srv/se/sebool_one; echo on > /srv/se/sebool_two; echo odd > /srv/se/sebool_odd; printf 'base	3.0
old	1.0.0
same	1.2.0
' > /srv/se/semodules
mkdir -p /usr/share/selinux/targeted
pack() { printf '\217\377\174\371\001\000\000\000\001\000\000\000\020\000\000\000\000\000\000\000\003\000\000\000one\003\000\000\000two12345678901234\003\000\000\000old\005\000\000\0001.2.0'; }
for name in old same new; do pack > /usr/share/selinux/targeted/$name.pp; done; echo bad > /srv/se/bad.pp; echo x >> /srv/se/bad.pp; head -c 40 /dev/zero >> /srv/se/bad.pp
"""


def selinux():
    booleans = {
        "on": "name => 'one', value => on", "off": "name => 'two', value => off", "true": "name => 'two', value => true",
        "false": "name => 'one', value => false", "for good": "name => 'one', value => on, persistent => true",
        "of a name that does not exist": "name => 'none', value => on", "an odd answer": "name => 'odd', value => on",
        "a value that is not valid": "name => 'one', value => maybe", "no value": "name => 'one'",
    }
    for name, attributes in booleans.items():
        yield case(f"selboolean: {name}", f"selboolean {{ 's': {attributes} }}", SELINUX)
    modules = {
        "a new one": "name => 'new', ensure => present", "one that is there": "name => 'same', ensure => present",
        "that goes": "name => 'old', ensure => absent", "that is not there": "name => 'none', ensure => absent",
        "the same version": "name => 'same', ensure => present, syncversion => true",
        "another version": "name => 'old', syncversion => true", "a file of its own": "name => 'fresh', ensure => present, selmodulepath => '/srv/se/fresh.pp'",
        "a folder of its own": "name => 'fresh', ensure => present, selmoduledir => '/srv/se'", "not a module": "name => 'base', syncversion => true, selmodulepath => '/srv/se/bad.pp'",
        "a word that is not valid": "name => 'old', syncversion => maybe",
    }
    for name, attributes in modules.items():
        # Puppet keeps the list of modules for as long as it runs, so that it is fresh in each run of the lab.
        yield case(f"selmodule: {name}", f"selmodule {{ 's': {attributes} }}", SELINUX)
    yield case("selmodule: after its file", "selmodule { 'new': ensure => present } file { '/usr/share/selinux/targeted/new.pp': mode => '0600' }", SELINUX)


def all_cases(modules=()):
    yield from groups()
    yield from users()
    yield from packages()
    yield from services()
    yield from tables()
    yield from keys()
    yield from lines()
    if "alternatives" in modules:
        yield from alternatives()
    yield from selinux()
    yield from purges()
