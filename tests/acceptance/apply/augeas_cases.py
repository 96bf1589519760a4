"""Manifests of augeas, below a root of their own."""

SETUP = r"""mkdir -p etc/ssh etc/sysconfig etc/apt/sources.list.d
printf '127.0.0.1\tlocalhost\n10.0.0.1 web www # a note\n10.0.0.3 42\n' > etc/hosts
printf '# settings\nPort 22\nPermitRootLogin no\nAllowGroups a b\n' > etc/ssh/sshd_config
printf 'a=1\nb = two\n' > etc/sysconfig/network; printf 'root:x:0:\nadm:x:4:a,b\n' > etc/group
printf '[main]\nkeepcache=0\n' > odd.ini"""
HOSTS = "incl => '/etc/hosts', lens => 'Hosts.lns'"  # reads no other lenses, which would take seconds
WHOLE = "context => '/files/etc/hosts'"
SSHD = "context => '/files/etc/ssh/sshd_config'"


def case(name, attributes, setup="", **more):
    return {"name": f"augeas: {name}", "manifest": f"augeas {{ 'a': root => '%R%', {attributes} }}", "setup": SETUP + "\n" + setup,
            "steps": [{}, {}], **more}


def changes():
    table = {
        "set": "'set 2/ipaddr 10.0.0.2'",
        "set to what it is": "'set 2/ipaddr 10.0.0.1'",
        "set several": "['set 2/ipaddr 10.0.0.2', 'set 2/canonical other']",
        "lines": "\"set 2/ipaddr 10.0.0.2\\n\\n  set 2/canonical other\\n\"",
        "set a new one": "['set 01/ipaddr 10.0.0.9', 'set 01/canonical new', 'set 01/alias[1] \"x\"']",
        "set in quotes": "['set 2/#comment \"a b\"', \"set 2/canonical 'web'\"]",
        "set with an escape": "'set 2/#comment \"a \\\\\"b\\\\\" c\"'",
        "set by a match": "'set *[ipaddr = \"10.0.0.1\"]/canonical found'",
        "set by a match with blanks": "'set *[ipaddr = \"10.0.0.1\" and alias]/canonical \"found it\"'",
        "set half of a line": "'set 03/ipaddr 1.2.3.4'",
        "setm": "'setm * canonical all'",
        "setm of none": "'setm */nothing/x y z'",
        "rm": "'rm 2/alias'",
        "remove": "'remove 2'",
        "rm of nothing": "'rm 7'",
        "rm of an invalid path": "'rm 2/alias[1'",
        "clear": "'clear 2/alias'",
        "clearm": "'clearm * #comment'",
        "clear of an invalid path": "'clear */x[]'",
        "touch": "'touch 2/alias'",
        "touch a new one": "'touch 2/alias[2]'",
        "touch of an invalid path": "'touch 2/alias[1'",
        "ins": "['ins alias before 2/alias[1]', 'set 2/alias[1] first']",
        "insert after": "['insert alias after 2/alias[1]', 'set 2/alias[2] second']",
        "ins of nowhere": "'ins alias before 7/alias'",
        "ins beside": "'ins alias beside 2/alias'",
        "mv": "'mv 2/alias 1/alias'",
        "move": "['set 02/ipaddr 1.1.1.1', 'set 02/canonical n', 'move 2/alias 02/alias']",
        "mv of nothing": "'mv 7 8'",
        "rename": "['set 02/ipaddr 1.1.1.1', 'set 02/canon n', 'rename 02/canon canonical']",
        "rename of nothing": "'rename 7/x y'",
        "defvar": "['defvar h *[canonical = \"web\"]', 'set $h/ipaddr 9.9.9.9']",
        "defvar of an invalid path": "'defvar h 2/['",
        "defnode": "['defnode h 09 \"\"', 'set $h/ipaddr 9.9.9.9', 'set $h/canonical nine']",
        "a command that is unknown": "'frob 1'",
        "a condition": "'get 2/ipaddr == x'",
        "a text that is missing": "'set 2/ipaddr'",
        "a bracket too many": "'set 2]/x y'",
        "a slash at the end": "'set 2/canonical/ other'",
        "nothing": "''",
        "an empty list": "[]",
        "a mistake after a change": "['set 2/ipaddr 10.0.0.2', 'rm 2[']",
        "set of an invalid path": "['set 2[ x', 'set 2/ipaddr 10.0.0.2']",
    }
    for name, commands in table.items():
        yield case(name, f"{HOSTS}, changes => {commands}")


def conditions():
    table = {
        "get ==": "get 2/ipaddr == 10.0.0.1",
        "get == that differs": "get 2/ipaddr == 10.0.0.2",
        "get !=": "get 2/canonical != web",
        "get =~": "get 2/canonical =~ ^w.b$",
        "get =~ that differs": "get 2/canonical =~ x+",
        "get >": "get 3/canonical > 7",
        "get <=": "get 3/canonical <= 7",
        "get of texts": "get 2/canonical < x",
        "get of nothing": "get 7/canonical == ''",
        "match size": "match *[ipaddr] size == 3",
        "match size of none": "match 7 size > 0",
        "match size !=": "match 2/alias size != 1",
        "match include": "match *[canonical='web'] include /files/etc/hosts/2",
        "match not_include": "match * not_include /files/etc/hosts/2",
        "match ==": "match *[alias or canonical='localhost'] == ['/files/etc/hosts/1', '/files/etc/hosts/2']",
        "match !=": "match *[ipaddr] != ['/files/etc/hosts/1']",
        "match == of nothing": "match 7 == []",
        "match == of no list": "match 7 == nothing",
        "match an invalid path": "match 2[x=] size == 0",
        "match of something else": "match 2 frob 0",
        "values include": "values */canonical include web",
        "values not_include": "values */canonical not_include web",
        "values ==": "values */canonical == ['localhost', 'web', '42']",
        "values !=": "values */canonical != ['localhost', 'web', '42']",
        "values of none": "values */nothing include x",
        "something else": "set 2/canonical x",
    }
    for name, condition in table.items():
        escaped = condition.replace("'", "\\'")
        yield case(f"onlyif {name}", f"{HOSTS}, changes => 'set 2/canonical other', onlyif => '{escaped}'")


def forms():
    table = {
        "sshd": f"{SSHD}, changes => ['set Port 2222', 'set PermitRootLogin yes', 'set AllowGroups/2 c']",
        "a whole path": f"{WHOLE}, changes => ['set /files/etc/group/adm/user[1] z', 'set 2/canonical x']",
        "a plain context": f"{WHOLE}, changes => 'set 2/canonical x'",
        "no context": "changes => 'set /files/etc/hosts/2/canonical x'",
        "a wide context": "context => '/files', changes => 'set etc/hosts/2/canonical x'",
        "a context with a slash": "context => '/files/etc/hosts/', changes => 'set 2/canonical x'",
        "a context of a folder": "context => '/files/etc', changes => ['set hosts/2/canonical x', 'set group/adm/gid 5']",
        "a context that nothing reads": "context => '/files/nowhere', changes => 'set x y'",
        "a lens": "incl => '/odd.ini', lens => 'Puppet.lns', changes => ['set main/keepcache 1', 'set main/new x']",
        "a lens and a context": "incl => '/odd.ini', lens => 'Puppet.lns', context => '/files/odd.ini/main', changes => 'set keepcache 1'",
        "a lens that is unknown": "incl => '/odd.ini', lens => 'Nowhere.lns', changes => 'set main/keepcache 1'",
        "a lens that does not fit": "incl => '/odd.ini', lens => 'Hosts.lns', changes => 'set 1/ipaddr 1.1.1.1'",
        "a lens without a file": "lens => 'Hosts.lns', changes => 'set 1 2'",
        "a file without a lens": "incl => '/etc/hosts', changes => 'set 1 2'",
        "a new file": "incl => '/new.ini', lens => 'Puppet.lns', changes => 'set main/x y'",
        "type_check": f"{HOSTS}, type_check => false, changes => 'set 2/canonical x'",
        "type_check that is not valid": f"{HOSTS}, type_check => maybe, changes => 'set 2/canonical x'",
        "a lens folder": f"{HOSTS}, load_path => '/usr/share/augeas/lenses:/nowhere', changes => 'set 2/canonical x'",
        "lens folders": f"{HOSTS}, load_path => ['/nowhere', '/usr/share/augeas/lenses'], changes => 'set 2/canonical x'",
        "several files": "context => '/files/etc', changes => ['set hosts/2/canonical x', 'rm ssh/sshd_config/Port']",
        "noop": f"{HOSTS}, changes => 'set 2/canonical x', noop => true",
        "audit": f"{HOSTS}, changes => 'set 2/canonical x', audit => all",
        "a loglevel": f"{HOSTS}, changes => 'set 2/canonical x', loglevel => warning",
        "blanks in values": f"{HOSTS}, changes => 'set 2/#comment \"many  blanks\"'",
        "other letters": f"{HOSTS}, changes => 'set 2/#comment \"\u00e4\u00f6\u00fc \u4e2d\"'",
        "brackets": f"{HOSTS}, changes => 'set 2/#comment \"[a] b [c\"'",
        "backslashes": f"{HOSTS}, changes => 'set 2/#comment \"a \\\\\\\\ b\"'",
        "show_diff that is not valid": f"{HOSTS}, changes => 'set 2/canonical x', show_diff => maybe",
    }
    for name, attributes in table.items():
        yield case(name, attributes)
    for shown in ("true", "false"):
        yield case(f"differences: {shown}", f"{HOSTS}, changes => ['set 2/canonical x', 'rm 1'], show_diff => {shown}", settings={"show_diff": True})
    yield case("differences of several files", "context => '/files/etc', changes => ['set hosts/2/canonical x', 'rm ssh/sshd_config/Port']",
               settings={"show_diff": True})
    yield case("without a change at first", f"{HOSTS}, changes => 'set 2/canonical x'", steps=[{"noop": True}, {}, {"noop": True}])
    yield case("a file that cannot be read", f"{WHOLE}, changes => 'set 1/canonical x'", "echo 'no hosts' > etc/hosts")
    yield case("another file that cannot be read", f"{SSHD}, changes => 'set Port 1'", "echo 'no hosts' > etc/hosts")
    yield case("a mode", f"{HOSTS}, changes => 'set 2/canonical x'", "chmod 600 etc/hosts; chown 1:1 etc/hosts")
    yield case("drift", f"{HOSTS}, changes => 'set 2/canonical x'",
               steps=[{}, {}, {"before": "sed -i s/x/y/ etc/hosts"}, {"before": "rm etc/hosts"}, {}])
    yield {"name": "augeas: after a file", "setup": SETUP, "manifest": """
        augeas { 'a': root => '%R%', context => '/files/etc/hosts', changes => 'set 1/canonical y', require => File['%R%/etc/hosts'] }
        ~> exec { '/bin/true': refreshonly => true } file { '%R%/etc/hosts': content => "1.1.1.1 x\n" } notify { 'n': } ~> Augeas['a']"""}


KINDS = {
    "context": ("5", "true", "''", "[]", "['a', 'b']", "{a => 1}", "[undef]"),
    "onlyif": ("5", "true", "' '", "[]", "[undef]", "['match 2 size == 1', 5]", "{match => '2 size == 1'}", "[['match 7 size > 0']]"),
    "changes": ("5", "true", "[5]", "['set 2/canonical x', 5]", "['frob', 5]", "[undef]", "[['set 2/canonical x']]", "{a => 1}"),
    "load_path": ("5", "true", "[]", "['/nowhere', 5]", "[['/nowhere']]", "{a => 1}", "[undef]"),
    "root": ("5", "true", "['a', 'b']", "{a => 1}"),  # none that might be taken for /
    "incl": ("5", "true", "[]", "{a => 1}"),
}


def kinds():
    """Values of other kinds than the attributes are made for"""
    usual = {"root": "'%R%'", "incl": "'/etc/hosts'", "lens": "'Hosts.lns'", "changes": "'set 2/canonical x'"}
    for name, values in KINDS.items():
        for value in values:
            given = ", ".join(f"{one} => {other}" for one, other in {**usual, name: value}.items())
            yield {"name": f"augeas: {name} as {value}", "setup": SETUP, "steps": [{}], "manifest": f"augeas {{ 'a': {given} }}"}
    yield case("no changes", HOSTS)
    for name, commands in {"alone": "'set 2[ x'", "at the end": "['set 2/canonical x', 'set 2[ x']"}.items():
        yield case(f"a path that is refused {name}", f"{HOSTS}, changes => {commands}")


def all_of_them():
    yield from changes()
    yield from conditions()
    yield from forms()
    yield from kinds()
