"""Manifests of services of other init systems than systemd."""

# An init script with a daemon of its own, for sysvinit and for OpenRC.
SYSV = r"""cat > /etc/init.d/%(n)s <<'END'
#!/bin/sh
### BEGIN INIT INFO
# Provides:          %(n)s
# Required-Start:    $remote_fs
# Required-Stop:     $remote_fs
# Default-Start:     2 3 4 5
# Default-Stop:      0 1 6
# Short-Description: test
### END INIT INFO
running() { [ -e /run/%(n)s.pid ] && kill -0 $(cat /run/%(n)s.pid) 2> /dev/null; }
case $1 in
start) running || { setsid sleep 98%(k)s > /dev/null 2>&1 < /dev/null & echo $! > /run/%(n)s.pid; } ;;
stop) running && kill $(cat /run/%(n)s.pid); rm -f /run/%(n)s.pid ;;
restart) echo restart >> /root/%(n)s.log; $0 stop; $0 start ;;
status) running ;;
*) exit 2 ;;
esac
END
chmod 755 /etc/init.d/%(n)s"""

OPENRC = r"""printf '#!/sbin/openrc-run\ncommand=/bin/sleep\ncommand_args=98%(k)s\ncommand_background=true\npidfile=/run/%(n)s.pid\n' > /etc/init.d/%(n)s
chmod 755 /etc/init.d/%(n)s
# OpenRC reads scripts anew by the seconds of their times, and so overlooks one that is made in the second in which it looked.
rc-update -u"""

RUNIT = r"""mkdir -p /etc/sv/%(n)s; printf '#!/bin/sh\nexec sleep 98%(k)s\n' > /etc/sv/%(n)s/run; chmod 755 /etc/sv/%(n)s/run"""


def case(name, manifest, setup="", steps=None):
    return {"name": name, "manifest": manifest, "setup": setup, "steps": steps}


def scripts(kind, script, provider=""):
    """`provider` is empty where the machine's own one is meant."""
    given = f"provider => {provider}, " if provider else ""
    rows = {
        "started": ("ensure => running", ""),
        "stopped": ("ensure => stopped", "/etc/init.d/%(n)s start"),
        "not running": ("ensure => stopped", ""),
        "masked": ("enable => mask", ""),
        "by a pattern": ("ensure => running, hasstatus => false, pattern => 'sleep 98%(k)s'", ""),
        "commands of its own": ("ensure => running, start => '/bin/touch /root/%(n)s', status => '/usr/bin/test -e /root/%(n)s'", ""),
        "commands of its own in words": ("ensure => running, start => ['/bin/touch', '/root/%(n)s'], status => ['/usr/bin/test', '-e', '/root/%(n)s']", ""),
        "a start that fails": ("ensure => running, start => '/bin/false'", ""),
        "a status that is somewhere else": ("ensure => running, path => '/no/where:/etc/init.d'", ""),
    }
    if provider not in ("init", "base"):
        rows |= {
            "at boot": ("enable => true", ""),
            "now and at boot": ("ensure => running, enable => true", ""),
            "not at boot": ("enable => false", "enable"),
            "stopped for good": ("ensure => stopped, enable => false", "enable; /etc/init.d/%(n)s start"),
        }
    enable = {"openrc": "rc-update add %(n)s"}.get(provider, "update-rc.d %(n)s defaults")
    for number, (name, (attributes, setup)) in enumerate(rows.items()):
        names = {"n": f"s{kind}{number}", "k": f"{len(kind)}{number:02}"}
        text = script % names + "\n" + setup.replace("enable", enable) % names
        yield case(f"{kind}: {name}", f"service {{ '{names['n']}': {given}{attributes % names} }}", text)
    for word in ("", "hasrestart => true, ", "restart => '/bin/touch /root/restarted', "):
        names = {"n": f"r{kind}{len(word)}", "k": f"8{len(kind)}{len(word)}"}
        yield case(f"{kind}: restarted {word}", f"service {{ '{names['n']}': {given}{word}ensure => running }} notify {{ 'n': }} ~> Service['{names['n']}']",
                   script % names + "\n/etc/init.d/%(n)s start" % names)
    yield case(f"{kind}: one that does not exist", f"service {{ 'nowhere': {given}ensure => stopped }}")


def of_programs():
    rows = {
        "started": "ensure => running, binary => '/usr/bin/setsid -f /bin/sleep 9701', pattern => 'sleep 9701'",
        "stopped": "ensure => stopped, pattern => 'sleep 9701'",
        "not running": "ensure => stopped, pattern => 'sleep 9702'",
        "without a command": "ensure => running, pattern => 'sleep 9703'",
        "a place at boot is unknown": "enable => true",
    }
    for name, attributes in rows.items():
        yield case(f"base: {name}", f"service {{ 'b': provider => base, {attributes} }}")


# runsvdir looks every five seconds for what has a link now, and has none any more.
SUPERVISED = "i=0; until sv status %(n)s >/dev/null 2>&1 || [ $i -ge 150 ]; do i=$((i + 1)); sleep 0.2; done"
NOT_SUPERVISED = ("i=0; while cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' | grep -q '[r]unsv %(n)s ' && [ $i -lt 150 ]; "
                  "do i=$((i + 1)); sleep 0.2; done")


def of_runit():
    rows = {
        "at boot": ("enable => true", ""),
        "started": ("ensure => running", ""),
        "stopped": ("ensure => stopped", "ln -s /etc/sv/%(n)s /etc/service/; " + SUPERVISED + "; sv start %(n)s"),
        "not at boot": ("enable => false", "ln -s /etc/sv/%(n)s /etc/service/"),
        "not supervised": ("ensure => stopped", ""),
    }
    for number, (name, (attributes, setup)) in enumerate(rows.items()):
        names = {"n": f"q{number}", "k": f"7{number:02}"}
        # Until it is ended a service without a link counts as enabled.
        steps = [{"noop": True}, {}, {"before": NOT_SUPERVISED % names}] if name == "not at boot" else None
        yield case(f"runit: {name}", f"service {{ '{names['n']}': provider => runit, {attributes} }}", RUNIT % names + "\n" + setup % names, steps)


def of(init):
    if init == "sysvinit":
        yield from scripts("sysv", SYSV)
        yield from scripts("plain", SYSV, "base")
    elif init == "openrc":
        yield from scripts("sysv", SYSV)
        yield from scripts("rc", OPENRC, "openrc")
    elif init == "runit":
        yield from of_runit()
    yield from of_programs()
