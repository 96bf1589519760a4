"""Manifests that Puppet and the agent apply alike: tables of attributes over states of the machine that they start from."""


def file_case(name, attributes, setup="", **more):
    return {"name": name, "manifest": f"file {{ '%R%/f': {attributes} }}", "setup": setup, **more}


STATES = {
    "nothing": "",
    "a file": "printf 'old\\n' > f; chmod 640 f",
    "a folder": "mkdir f; chmod 750 f; echo x > f/inner",
    "a link": "echo there > target; ln -s target f",
    "a dangling link": "ln -s nowhere f",
    "a pipe": "mkfifo f",
}

# What a file is to become, from every state that it can be in.
WANTED = {
    "present": "ensure => present",
    "file": "ensure => file",
    "content": "content => \"new\\n\"",
    "present with content": "ensure => present, content => \"new\\n\"",
    "empty content": "ensure => file, content => ''",
    "content and mode": "content => \"new\\n\", mode => '0600'",
    "directory": "ensure => directory",
    "directory with mode": "ensure => directory, mode => '0640'",
    "link": "ensure => link, target => '%R%/elsewhere'",
    "link by ensure": "ensure => '/nowhere/at/all'",
    "present with a target": "ensure => present, target => '%R%/elsewhere'",
    "present with a target by force": "ensure => present, target => '%R%/elsewhere', force => true",
    "absent": "ensure => absent",
    "mode only": "mode => 'u=rw,g=r,o='",
    "not replaced": "content => \"new\\n\", replace => false",
    "forced file": "content => \"new\\n\", force => true",
    "forced directory": "ensure => directory, force => true",
    "forced link": "ensure => link, target => 'x', force => true",
    "forced absent": "ensure => absent, force => true",
    "backup": "content => \"new\\n\", backup => '.old'",
    "backup of all": "ensure => absent, backup => '.old', force => true",
}

MODES = ["0644", "755", "4755", "01777", "7", "u=rwx,g=rx,o=", "a+x", "g+w,o-r", "u+s", "g=u", "o=g-w", "+X", "a=rX,u+w", "u=rw,go=r",
         "ug+rwX,o-rwx", "u=,g=,o=", "+t", "-w"]

CHECKSUMS = ["sha256", "sha256lite", "md5", "md5lite", "sha1", "sha1lite", "sha224", "sha384", "sha512"]


def file_states():
    for wanted, attributes in WANTED.items():
        for state, setup in STATES.items():
            yield file_case(f"{wanted} where there is {state}", attributes, setup)


def file_modes():
    for mode in MODES:
        yield file_case(f"mode {mode} of a file", f"ensure => file, mode => '{mode}'", "echo > f; chmod 651 f")
        yield file_case(f"mode {mode} of a folder", f"ensure => directory, mode => '{mode}'", "mkdir f; chmod 2755 f")
        yield file_case(f"mode {mode} of something new", f"ensure => file, mode => '{mode}'")
        yield file_case(f"mode {mode} of a new folder", f"ensure => directory, mode => '{mode}'")


def files():
    for checksum in CHECKSUMS:
        yield file_case(f"content by {checksum}", f"content => 'abc', checksum => '{checksum}'", "printf abd > f")
        yield file_case(f"source by {checksum}", f"source => '%R%/s', checksum => '{checksum}'", "printf abd > f; printf abc > s")
    for owner in ("root", "daemon", "0", "1"):
        yield file_case(f"owner {owner}", f"ensure => file, owner => '{owner}', group => '{owner}'", "echo > f; chown 2:2 f")
        yield file_case(f"owner {owner} of a link", f"ensure => link, target => 'x', owner => '{owner}', group => '{owner}'", "ln -s x f")
        yield file_case(f"owner {owner} of something new", f"content => 'x', mode => '4755', owner => '{owner}'")
    yield file_case("an owner in numbers", "ensure => file, owner => 2, group => 3", "echo > f")
    yield file_case("an owner that does not exist", "ensure => file, owner => 'no_such_user'", "echo > f")
    yield file_case("a group that does not exist", "ensure => file, group => 'no_such_group'", "echo > f")
    yield file_case("a new file for a user that does not exist", "content => 'x', owner => 'no_such_user'")
    yield file_case("bytes", "content => Binary('AAECgP8=')", "printf abc > f", settings={"show_diff": True})
    yield file_case("a secret", "content => Sensitive('secret')", "printf abc > f", settings={"show_diff": True})
    yield file_case("a new secret", "content => Sensitive('secret'), mode => '0600'", settings={"show_diff": True})
    yield file_case("a difference that is shown", "content => \"a\\nb\\nc\\nnew\\n\"", "printf 'a\\nb\\nc\\nold\\nd' > f",
                    settings={"show_diff": True})
    for what, setup in {"content => 'b'": "", "source => '%R%/s'": "printf b > s"}.items():
        yield {**file_case(f"differences of corrective changes, {what}", what, f"printf a > f; {setup}", settings={"show_diff": True}),
               "steps": [{}, {}, {"before": "printf c > f"}, {"noop": True, "before": "printf d > f"}, {}, {"before": "rm f"}]}
    yield file_case("a difference that is not shown", "content => 'b', show_diff => false", "printf a > f", settings={"show_diff": True})
    yield file_case("a check that passes", "content => 'x', validate_cmd => '/usr/bin/test -f %'")
    yield file_case("a check that fails", "content => 'x', validate_cmd => '/usr/bin/test -d %'", "printf a > f")
    yield file_case("a check with a mark of its own", "content => 'x', validate_cmd => '/usr/bin/grep -q x @', validate_replacement => '@'")
    yield file_case("a parent that is missing", "path => '%R%/no/f', content => 'x'")
    yield file_case("a parent that is missing, for a folder", "path => '%R%/no/f', ensure => directory")
    yield file_case("a target that is another", "ensure => link, target => '%R%/b'", "ln -s a f")
    yield file_case("a link that is followed", "links => follow, mode => '0600'", "echo > t; ln -s t f")
    yield file_case("a link's mode", "ensure => link, target => 't', mode => '0600'", "echo > t; chmod 644 t; ln -s t f")
    yield file_case("noop", "content => 'x', noop => true", "printf a > f")
    yield file_case("a log level", "content => 'x', loglevel => warning", "printf a > f")
    yield file_case("a backup where one is", "content => 'x', backup => '.old'", "printf a > f; printf b > f.old")
    yield file_case("a backup where a folder is", "content => 'x', backup => '.old'", "printf a > f; mkdir f.old")
    yield file_case("a trailing slash", "path => '%R%//f/', ensure => directory")
    for owner in ("['daemon', 'root']", "['daemon', 1]", "['root']", "[]", "['no_such_user', 'root']", "['root', 'no_such_user']", "'-1'", "'0x1'", "'010'",
                  "'1_0'", "'1__0'"):
        yield file_case(f"owner {owner}", f"ensure => file, owner => {owner}", "echo > f")
        yield file_case(f"group {owner}", f"ensure => file, group => {owner}", "echo > f")
    yield file_case("owners of something new", "content => 'x', owner => ['daemon', 'root'], group => ['daemon', 'root']")
    yield file_case("groups of which one is empty", "ensure => file, group => ['root', '']", "echo > f")
    for state, setup in {"nothing": "", "the first": "printf a > f", "the last": "printf b > f"}.items():
        yield file_case(f"a list as content where there is {state}", "content => ['a', 'b']", setup)
    right, wrong = "60b725f10c9c85c70d97880dfe8191b3", "60b725f10c9c85c70d97880dfe8191b4"
    for state, setup in {"nothing": "", "another": "printf x > f", "the same": "echo a > f", "a folder": "mkdir f"}.items():
        for checksum in (right, wrong):
            for what in ("source => '%R%/s'", "ensure => file, source => '%R%/s'", 'content => "a\\n"'):
                yield file_case(f"{what} by checksum_value {checksum} where there is {state}",
                                f"{what}, checksum => md5, checksum_value => '{checksum}'", f"echo a > s; {setup}", settings={"show_diff": True})
    yield file_case("a checksum_value of the type that is usual", f"ensure => file, source => '%R%/s', checksum_value => '{right}'", "echo a > s")
    yield file_case("a checksum_value of a text without a type", "content => 'x', checksum_value => 'abc'")
    yield {"name": "a source that leads nowhere", "manifest": "file { '%R%/f': source => '%R%/s' }", "setup": "ln -s nowhere s"}
    yield {"name": "a source after one that leads nowhere", "manifest": "file { '%R%/f': source => ['%R%/s', '%R%/t'] }",
           "setup": "ln -s nowhere s; echo > t"}
    yield {"name": "a folder with what leads nowhere", "manifest": "file { '%R%/f': ensure => directory, recurse => true, source => '%R%/s' }",
           "setup": "mkdir s; ln -s nowhere s/a"}
    yield {"name": "a source that is missing", "manifest": "file { '%R%/f': source => ['/no/such', '/nor/such'] }"}
    yield {"name": "a source after one that is missing", "setup": "echo x > s", "manifest": "file { '%R%/f': source => ['/no/such', '%R%/s'] }"}
    for place in ("%R%/a%20b", "file://%R%/a%20b"):
        yield {"name": f"a source with a percent sign: {place}", "setup": "echo blank > 'a b'; echo percent > 'a%20b'",
               "manifest": f"file {{ '%R%/f': source => '{place}' }}"}
    yield {"name": "a source that is a folder", "setup": "mkdir s; echo x > s/a", "manifest": "file { '%R%/f': source => '%R%/s' }"}
    yield {"name": "a source that is a link", "setup": "ln -s a s; echo x > a", "manifest": "file { '%R%/f': source => '%R%/s' }"}
    yield {"name": "a source that is a link and followed", "setup": "ln -s a s; echo x > a", "manifest": "file { '%R%/f': source => '%R%/s', links => follow }"}
    yield {"name": "a source with its permissions", "setup": "echo x > s; chmod 4711 s; chown 1:1 s",
           "manifest": "file { '%R%/f': source => '%R%/s', owner => 2 }"}
    for permissions in ("use", "use_when_creating", "ignore", "copy"):
        yield file_case(f"permissions of the source: {permissions}", f"source => '%R%/s', source_permissions => {permissions}",
                        "echo x > s; chmod 4711 s; chown 1:1 s")
    for attributes in ("group => 1, mode => 'g+w'", "owner => 1, mode => 'o-x'", "group => 1, mode => 'g+w', content => 'x'"):
        yield file_case(f"setuid and setgid with {attributes}", attributes, "echo x > f; chmod 6755 f")
    for folder in ("chown 1 d", "chmod 777 d", "chown 1:2 d; chmod 2775 d", "chgrp 1 d; chmod 775 d", "true"):
        for given in ("owner => daemon", "owner => '1', group => 3", "owner => root"):
            yield file_case(f"a link with {given} after {folder}", f"path => '%R%/d/f', ensure => link, target => 'x', {given}", f"mkdir d; {folder}")
    yield file_case("a copy of a folder with a pipe", "ensure => absent, force => true, backup => '.old'", "mkdir f; mkfifo f/p; chmod 640 f/p")
    yield file_case("below a file", "path => '%R%/x/f', content => 'a'", "touch x")
    yield file_case("a link below what is below a file", "path => '%R%/x/y/f', ensure => link, target => 'a'", "touch x")
    yield file_case("a link where there is no folder", "path => '%R%/x/f', ensure => link, target => 'a'")
    yield {"name": "a folder is kept in a bucket of its own", "left_out": ["bucket"],
           "setup": "mkdir -p f/a; printf a > f/a/b; printf c > f/d; printf e > f/.e; ln -s d f/a/link; ln -s nowhere f/none; ln -s loop f/loop",
           "manifest": "filebucket { 'mine': path => '%R%/bucket' } file { '%R%/f': ensure => absent, force => true, backup => 'mine' }"}
    yield file_case("drift is corrected", "content => 'x', mode => '0600'",
                    steps=[{}, {}, {"before": "printf y > f; chmod 644 f"}, {"before": "rm f"}, {"noop": True, "before": "printf z > f"}, {}])


TREE = "mkdir -p d/a/b d/.hidden s/a/c; echo 1 > d/one; echo 2 > d/a/two; echo 3 > d/a/b/three; echo h > d/.hidden/h; ln -s one d/link; " \
       "echo 1 > s/one; echo new > s/a/new; echo c > s/a/c/c; ln -s one s/link"


def recursion():
    table = {
        "modes": "ensure => directory, recurse => true, mode => '0640'",
        "owners": "ensure => directory, recurse => true, owner => 'daemon', group => 1",
        "one level": "ensure => directory, recurse => true, recurselimit => 1, mode => '0600'",
        "two levels": "ensure => directory, recurse => true, recurselimit => 2, mode => '0600'",
        "names left out": "ensure => directory, recurse => true, mode => '0600', ignore => ['a', '*e']",
        "purge": "ensure => directory, recurse => true, purge => true",
        "purge by force": "ensure => directory, recurse => true, purge => true, force => true",
        "purge of one level": "ensure => directory, recurse => true, purge => true, recurselimit => 1",
        "a source": "ensure => directory, recurse => true, source => '%R%/s'",
        "a source with purge": "ensure => directory, recurse => true, source => '%R%/s', purge => true",
        "a source with purge by force": "ensure => directory, recurse => true, source => '%R%/s', purge => true, force => true",
        "a remote source": "ensure => directory, recurse => remote, source => '%R%/s', purge => true",
        "a source and a mode": "ensure => directory, recurse => remote, source => '%R%/s', mode => '0640'",
        "a source followed": "ensure => directory, recurse => remote, source => '%R%/s', links => follow",
        "two sources": "ensure => directory, recurse => remote, source => ['%R%/s', '%R%/d2'], sourceselect => all",
        "too many files": "ensure => directory, recurse => true, max_files => 3, mode => '0600'",
        "any number of files": "ensure => directory, recurse => true, max_files => -1, mode => '0600'",
        "a limit without recursion": "ensure => directory, recurselimit => 1",
    }
    for name, attributes in table.items():
        yield {"name": f"recursion: {name}", "setup": TREE, "manifest": f"file {{ '%R%/d': {attributes} }}"}
        yield {"name": f"recursion with something below and after: {name}", "setup": TREE, "manifest": f"""
            file {{ '%R%/d': {attributes}, notify => Exec['after'] }}
            file {{ '%R%/d/a/two': content => 'mine' }}
            file {{ '%R%/d/a/b': ensure => directory }}
            exec {{ 'after': command => '/bin/echo after', refreshonly => true, logoutput => true }}"""}
    for target in ("d", "d/one", "to_d", "nowhere", "no"):
        for attributes in ("ensure => link", "ensure => directory, links => follow"):
            yield {"name": f"recursion: links to what is in {target}, {attributes}", "setup": f"{TREE}; ln -s d to_d; ln -s no nowhere",
                   "manifest": f"file {{ '%R%/f': {attributes}, target => '%R%/{target}', recurse => true }}"}
    yield {"name": "recursion where there is nothing", "manifest": "file { '%R%/d': ensure => directory, recurse => true, purge => true }"}
    yield {"name": "recursion in noop", "setup": TREE, "manifest":
           "file { '%R%/d': ensure => directory, recurse => true, purge => true, noop => true, notify => Notify['n'] } notify { 'n': }"}


def execs():
    table = {
        "a command": "command => '/bin/true'",
        "one that fails": "command => '/bin/false'",
        "another exit code": "command => '/bin/sh -c \"exit 3\"', returns => [0, 3]",
        "an exit code that is not wanted": "command => '/bin/true', returns => 1",
        "output on failure": "command => '/bin/sh -c \"echo a; echo b >&2; exit 1\"'",
        "output": "command => '/bin/echo hello', logoutput => true",
        "no output": "command => '/bin/sh -c \"echo a; exit 1\"', logoutput => false",
        "a list": "command => ['/bin/echo', 'a b', '$HOME'], logoutput => true",
        "a shell": "command => 'echo $((1 + 2)); test 1 = 1 && echo yes', provider => shell, logoutput => true",
        "words that a shell reads": "command => '/bin/echo a; echo b', logoutput => true",
        "a path": "command => 'echo found', path => '/usr/bin:/bin', logoutput => true",
        "a path as a list": "command => 'echo found', path => ['/nowhere', '/bin'], logoutput => true",
        "a program that is not in the path": "command => 'no_such_program', path => '/bin'",
        "a program that does not exist": "command => '/no/such/program'",
        "a folder instead of a program": "command => '/tmp'",
        "a file that cannot be run": "command => '/etc/passwd'",
        "a shell's 127": "command => 'no_such_program_at_all', provider => shell",
        "environment": "command => '/bin/sh -c \"echo $A-$B\"', environment => ['A=1', 'B=x y'], logoutput => true",
        "a setting twice": "command => '/bin/sh -c \"echo $A\"', environment => ['A=1', 'A=2'], logoutput => true",
        "no home": "command => '/bin/sh -c \"echo [$HOME][$USER]\"', logoutput => true",
        "a folder": "command => '/bin/pwd', cwd => '%R%', logoutput => true",
        "a folder that is missing": "command => '/bin/pwd', cwd => '%R%/no'",
        "a umask": "command => '/usr/bin/touch %R%/made', umask => '077', creates => '%R%/made'",
        "a user": "command => '/usr/bin/id -un', user => 'daemon', logoutput => true",
        "a user in numbers": "command => '/usr/bin/id -u', user => '1', logoutput => true",
        "a group": "command => '/usr/bin/id -gn', group => 'daemon', logoutput => true",
        "creates": "command => '/usr/bin/touch %R%/made', creates => '%R%/made'",
        "creates several": "command => '/bin/true', creates => ['%R%/no', '/etc/passwd']",
        "unless": "command => '/bin/true', unless => '/bin/true'",
        "unless that fails": "command => '/bin/true', unless => '/bin/false'",
        "unless of several": "command => '/bin/true', unless => ['/bin/false', '/bin/true']",
        "onlyif": "command => '/bin/true', onlyif => '/bin/true'",
        "onlyif that fails": "command => '/bin/true', onlyif => '/bin/false'",
        "onlyif of several": "command => '/bin/true', onlyif => ['/bin/true', '/bin/false']",
        "onlyif in words": "command => '/bin/true', onlyif => [['/usr/bin/test', '-d', '/tmp']]",
        "a check that does not exist": "command => '/bin/true', unless => '/no/such/program'",
        "a timeout": "command => '/bin/sleep 20', timeout => 1",
        "a check that takes too long": "command => '/bin/true', unless => '/bin/sleep 20', timeout => 1",
        "tries": "command => '/bin/sh -c \"echo x >> %R%/tries; test $(wc -l < %R%/tries) -ge 3\"', tries => 3",
        "too few tries": "command => '/bin/false', tries => 2, try_sleep => 0.1",
        "only on refresh": "command => '/bin/true', refreshonly => true",
        "a secret": "command => Sensitive('/bin/echo secret'), logoutput => true",
        "a secret that fails": "command => Sensitive('/bin/sh -c \"echo secret; exit 1\"')",
        "a secret check": "command => '/bin/true', unless => Sensitive('/bin/false')",
        "noop": "command => '/bin/true', noop => true",
        "a log level": "command => '/bin/echo x', loglevel => err, logoutput => true",
        "a list for a shell": "command => ['echo', 'a;b'], provider => shell, logoutput => true",
        "quotes": "command => '\"/bin/echo\" \"a  b\"', logoutput => true",
        "no exit code": "command => '/bin/false', returns => []",
        "a variable without a value": "command => '/bin/sh -c \"echo [${A-unset}]\"', environment => ['A=', 'B=1'], logoutput => true",
        "a variable that a shell would not know": "command => '/bin/sh -c \"env | grep ^A.B\"', environment => ['A-B=1', 'A_B=2'], logoutput => true",
        # Not bytes that are not text, on which Puppet fails.
        "blank lines": "command => '/bin/printf \"a\\\\n\\\\nb\\\\n\\\\n\"', logoutput => true",
    }
    for name, attributes in table.items():
        yield {"name": f"exec: {name}", "manifest": f"exec {{ 'e': {attributes} }}"}
    yield {"name": "exec: a script without an interpreter", "setup": "printf 'echo \"$0 $*\"\\nexit 3\\n' > s; chmod 755 s",
           "manifest": "exec { '%R%/s a b': logoutput => true, returns => 3 }"}


def relations():
    table = {
        "a failure skips": """exec { '/bin/false': } -> notify { 'a': } -> notify { 'b': } notify { 'c': }""",
        "a class that fails": """class bad { exec { '/bin/false': } notify { 'beside': } } class next { notify { 'x': } } include bad, next
            Class['bad'] -> Class['next']""",
        "notify": """file { '%R%/f': content => 'x' } ~> exec { '/bin/echo r': refreshonly => true, logoutput => true }""",
        "notify twice": """file { '%R%/f': content => 'x' } file { '%R%/g': content => 'x' }
            exec { '/bin/echo r': refreshonly => true, logoutput => true, subscribe => [File['%R%/f'], File['%R%/g']] }""",
        "notify through a class": """class a { file { '%R%/f': content => 'x' } } class b { exec { '/bin/echo r': refreshonly => true } }
            include a, b Class['a'] ~> Class['b']""",
        "notify through an empty class": """class a { notify { 'n': } } class b { } class c { exec { '/bin/echo r': refreshonly => true } }
            include a, b, c Class['a'] ~> Class['b'] ~> Class['c']""",
        "notify through a defined type": """define d { file { "%R%/${name}": content => $name } } d { ['x', 'y']: notify => Exec['/bin/echo r'] }
            exec { '/bin/echo r': refreshonly => true }""",
        "notify from noop": """file { '%R%/f': content => 'x', noop => true } ~> exec { '/bin/echo r': refreshonly => true }""",
        "notify of what does not hear": """file { '%R%/f': content => 'x' } ~> notify { 'n': } ~> exec { '/bin/echo r': refreshonly => true }""",
        "a refresh that fails": """notify { 'n': } ~> exec { '/bin/false': refreshonly => true } -> notify { 'after': }""",
        "a refresh of its own": """notify { 'n': } ~> exec { '/bin/echo main': refresh => '/bin/touch %R%/refreshed' }""",
        "a refresh of its own that takes too long": """notify { 'n': } ~> exec { '/bin/true': refresh => '/bin/sleep 20', timeout => 1 } -> notify { 'after': }""",
        "a refresh that a check forbids": """notify { 'n': } ~> exec { '/bin/echo main': refreshonly => true, unless => '/bin/true' }""",
        "a refresh goes on": """notify { 'n': } ~> exec { '/bin/echo a': refreshonly => true } ~> exec { '/bin/echo b': refreshonly => true }""",
        "an anchor's place": """notify { 'n': } -> schedule { 's': } -> notify { 'm': }""",
        "a cycle": """notify { 'a': } -> notify { 'b': } -> notify { 'c': } -> Notify['a'] notify { 'd': }""",
        "two cycles": """notify { 'a': } -> notify { 'b': } -> Notify['a'] file { '%R%/x': require => File['%R%/y'] } file { '%R%/y': require => File['%R%/x'] }""",
        "a cycle of classes": """class a { notify { 'a': } } class b { notify { 'b': } } include a, b Class['a'] -> Class['b'] -> Notify['a']""",
        "a resource that requires itself": """notify { 'a': require => Notify['a'] }""",
        "order of the manifest": """notify { 'z': } notify { 'b': } notify { 'm': require => Notify['q'] } notify { 'a': } notify { 'q': } notify { 'c': before => Notify['b'] }""",
        "a folder comes first": """file { '%R%/d/e/f': content => 'x' } file { '%R%/d/e': ensure => directory } file { '%R%/d': ensure => directory }""",
        "a link after its target": """file { '%R%/l': ensure => link, target => '%R%/t' } file { '%R%/t': content => 'x' }""",
        "a command after its folder": """exec { '/bin/pwd': cwd => '%R%/d', logoutput => true } file { '%R%/d': ensure => directory }""",
        "a program comes first": """exec { '%R%/p a b': logoutput => true } file { '%R%/p': content => "#!/bin/sh\\necho $*\\n", mode => '0755' }""",
        "an explicit order wins": """file { '%R%/d/f': ensure => absent, before => File['%R%/d'] } file { '%R%/d': ensure => directory }""",
        "a class contained in a class that fails": """class a { exec { '/bin/false': } } class b { contain c } class c { notify { 'c': } }
            include a, b Class['a'] -> Class['b']""",
        "a class contained in two, with what comes after them": """class a { contain c } class b { contain c } class c { notify { 'c': } } notify { 'x': }
            notify { 'y': } include a, b Class['a'] -> Notify['x'] Class['b'] ~> Notify['y']""",
        "a class included before it is contained": """include c class b { contain c } class c { notify { 'c': } } include b
            Class['b'] ~> Exec['/bin/true'] exec { '/bin/true': refreshonly => true }""",
        "stages": """stage { 'early': before => Stage['main'] } class e { notify { 'early': } } class { 'e': stage => 'early' } notify { 'main': }""",
        "an alias": """file { 'config': path => '%R%/f', content => 'x' } notify { 'n': require => File['config'] } notify { 'm': require => File['%R%/f'] }""",
        "an alias of its own": """notify { 'long name': alias => 'short' } notify { 'n': require => Notify['short'], before => Notify['o'] } notify { 'o': }""",
        "a name that is not the title": """notify { 'n': require => Notify['real'], schedule => 'always' } notify { 't': name => 'real' }
            schedule { 's': name => 'always', period => hourly, repeat => 3600000 }""",
        "a defined type inside of a class": """define inner { notify { "in ${name}": } } class outer { inner { 'one': } } include outer notify { 'last': require => Class['outer'] }""",
        "noop of one only": """notify { 'a': noop => true } notify { 'b': noop => false }""",
        "a log level that is another's name": """notify { 'a': loglevel => verbose }""",
        "log levels": """notify { 'a': loglevel => err } notify { 'b': loglevel => info } notify { 'c': loglevel => debug } notify { 'd': loglevel => crit }""",
        "a message": """notify { 'a': message => 'it\\'s "so"' } notify { 'b': message => "tab\\tand \\$dollar" } notify { 'c': message => 12 } notify { 'd': message => [1, 'x'] }
            notify { 'e': message => true, withpath => true } notify { 'f': message => Sensitive('s') } notify { 'g': message => { 'a' => [1, 2.5] } }""",
    }
    for name, manifest in table.items():
        yield {"name": f"relations: {name}", "manifest": manifest}


def choices():
    manifest = """class a { notify { 'in a': tag => 'blue' } } class b { notify { 'in b': } file { '%R%/f': content => 'x', tag => ['red', 'deep::tag'] } }
        include a, b notify { 'top': } Notify['top'] ~> Exec['e'] exec { 'e': command => '/bin/true', refreshonly => true, tag => 'red' }"""
    for tags in ("a", "b", "blue", "red", "notify", "deep", "deep::tag", "nothing", "a,red", "file", "top", "A", " a , b"):
        yield {"name": f"only {tags}", "manifest": manifest, "settings": {"tags": tags}}
        yield {"name": f"without {tags}", "manifest": manifest, "settings": {"skip_tags": tags}}
    schedules = {
        "never": "schedule { 's': period => never }", "hourly": "schedule { 's': period => hourly }",
        "often": "schedule { 's': period => hourly, repeat => 3600000 }", "by number": "schedule { 's': period => daily, periodmatch => number }",
        "all day": "schedule { 's': range => '0:00 - 23:59' }", "no day": "schedule { 's': weekday => [] }",
        "every day": "schedule { 's': weekday => ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] }",
        "across midnight": "schedule { 's': range => '12:00 - 11:59:59' }", "weekly": "schedule { 's': period => weekly, repeat => 2 }",
        "less than never": "schedule { 's': period => daily, repeat => -1 }", "not at all": "schedule { 's': period => daily, repeat => 0 }",
    }
    for name, schedule in schedules.items():
        yield {"name": f"schedule {name}", "manifest": schedule + " notify { 'n': schedule => 's' } file { '%R%/f': content => 'x', schedule => 's' }"}
        yield {"name": f"schedule {name} ignored", "settings": {"ignore_schedules": True},
               "manifest": schedule + " notify { 'n': schedule => 's' }"}
    unsuitable = """service { 's': ensure => running, provider => openrc } -> notify { 'red': tag => 'red' } class c { service { 't': ensure => running, provider => openrc, tag => 'blue' } }
        include c"""
    for setting in ("tags", "skip_tags"):
        for tag in ("red", "blue", "service"):
            yield {"name": f"providers that do not work and {setting} {tag}", "manifest": unsuitable, "settings": {setting: tag}, "steps": [{}]}
    yield {"name": "a schedule that is always there", "manifest": "notify { 'n': schedule => 'puppet' } notify { 'm': schedule => 'never' }"}
    for what in ("mode", "content", "ensure", "owner", "['mode', 'owner']"):
        yield {"name": f"audit {what}", "setup": "printf a > f; chmod 640 f",
               "manifest": "file { '%%R%%/f': audit => %s }" % what,
               "steps": [{}, {}, {"before": "printf b > f; chmod 600 f; chown 1 f"}, {"before": "rm f"}, {}]}
    for name, manifest in {
        "nothing there": "file { '%R%/none': audit => all }", "a link to come": "file { '%R%/g': audit => all, ensure => link, target => '%R%/f' }",
        "a source": "file { '%R%/g': audit => all, source => '%R%/f' }", "a user": "user { 'daemon': audit => all }",
        "a user that is not there": "user { 'nobody-here': audit => all }", "a group": "group { 'root': audit => all }",
        "a group that is not there": "group { 'nobody-here': audit => all }", "an exec": "exec { '/bin/true': audit => all }",
        "an exec with a value": "exec { '/bin/true': audit => all, returns => 0 }", "a notify": "notify { 'n': audit => all }",
    }.items():
        # What is made has the times of its run, which a later one would report.
        later = [] if "'%R%/g'" in manifest else [{}]
        yield {"name": f"audit all of {name}", "setup": "printf a > f", "manifest": manifest, "steps": [{"noop": True}, {}, *later]}
    # Not a mode, an owner or a group: Puppet fails to show one of them that it has not recorded yet.
    yield {"name": "audit beside a value", "setup": "printf a > f", "manifest": "file { '%R%/f': content => 'b', audit => content }",
           "steps": [{}, {}, {"before": "printf c > f"}, {"noop": True, "before": "printf d > f"}, {}]}


def tidying():
    setup = "mkdir -p t/a/b t/e; for f in t/x.log t/y.log t/z.txt t/a/x.log t/a/b/w.log; do echo 0123456789 > $f; done; " \
            "touch -d '10 days ago' t/x.log t/a/x.log t/a/b t/e; touch -d '2 hours ago' t/y.log; head -c 5000 /dev/zero > t/big"
    table = {
        "one file": "path => '%R%/t/x.log'", "below a file": "path => '%R%/t/x.log/a'", "nothing there": "path => '%R%/t/no'", "old files": "recurse => true, age => '1w', type => mtime",
        "large files": "recurse => true, size => '2k'", "old or large": "recurse => true, age => '1h', type => mtime, size => '4k'",
        "names": "recurse => true, matches => ['*.log']", "names and age": "recurse => 1, matches => '?.log', age => '3d', type => mtime",
        "one level": "recurse => 1", "folders": "recurse => true, rmdirs => true", "old folders": "recurse => true, rmdirs => true, age => 5, type => mtime",
        "bytes": "recurse => true, size => '11b'", "noop": "recurse => true, noop => true", "a unit that is none": "recurse => true, age => '5y'",
        "names without recursion": "matches => ['*.log']", "an age in words": "recurse => true, age => '1 week'",
        "recursion that is none": "recurse => 'deep', matches => ['*.log']", "a copy beside": "recurse => true, matches => '*.txt', backup => '.old'",
        "no names": "recurse => true, matches => []", "no names but an age": "recurse => true, matches => [], age => '1w', type => mtime",
        "no names without recursion": "matches => []",
        "levels below none": "recurse => -1", "levels below none and names": "recurse => -1, matches => '*', rmdirs => true",
        "levels below none in words": "recurse => '-1'", "recursion in a list": "recurse => [true]", "a path in a list": "path => ['%R%/t/x.log']",
    }
    for name, attributes in table.items():
        yield {"name": f"tidy: {name}", "setup": setup, "manifest": f"tidy {{ '%R%/t': {attributes} }}"}
        yield {"name": f"tidy beside others: {name}", "setup": setup, "manifest": f"""tidy {{ '%R%/t': {attributes}, require => Notify['first'] }}
            file {{ '%R%/t/y.log': mode => '0600' }} notify {{ 'last': require => Tidy['%R%/t'] }} notify {{ 'first': }}"""}


def tidy_limits():
    setup = "mkdir -p t/a t/b; touch t/1 t/a/2 t/b/3"
    for most in ("2", "3", "5", "0", "-1", "'x'", "1.5"):
        for recurse in ("true", "1", "0", "false"):
            yield {"name": f"tidy: at most {most} with recurse {recurse}", "setup": setup,
                   "manifest": "tidy { '%%R%%/t': recurse => %s, max_files => %s }" % (recurse, most)}
    yield {"name": "tidy: a link to more than the limit", "setup": "mkdir u; touch u/1 u/2; ln -s u t", "manifest": "tidy { '%R%/t': recurse => true, max_files => 1 }"}
    for count in (1000, 1001):
        yield {"name": f"tidy: {count} files", "setup": f"mkdir t; seq {count} | sed 's,^,t/,' | xargs touch", "steps": [{"noop": True}],
               "manifest": "tidy { '%R%/t': recurse => true, matches => 'none' }"}


def account_numbers():
    for number in ("'09'", "'9'", "'0x1F'", "'010'", "'1_0'", "'08x'", "'007'", "'1.5'", "' 7'", "'99999999999'", "99999999999", "4294967295"):
        for property_ in ("owner", "group"):
            yield {"name": f"{property_} {number}", "setup": "echo x > f", "manifest": "file { '%%R%%/f': %s => %s }" % (property_, number)}


# Lines of the tables of accounts as hands and tools leave them.
ACCOUNTS = {
    "passwd": """root:x:0:0:root:/root:/bin/sh
#old:x:7001:7000::/:/bin/sh
  indented:x:7002:7000::/home/i:/bin/sh
short:x:7003:7000
gecos:x:7004:7000:A B
unnumbered:x::7000::/:/bin/sh
joe:x:7005:7999:Joe::/bin/sh
""",
    "shadow": "root:*:19000::::::\njoe:!:19000:5:90:7:::\nshort:!:19000:5:90\n indented:!:19000:5:90:7:::\ngecos:!:19000:5:90:7::\n",
    "group": "root:x:0:\n#oldg:x:7001:joe\nfirst:x:7010:short\nsecond:x:7010:root, joe,,short \nown:x:7000\n third:x:7011:joe,joe\n",
}


def accounts_in_odd_tables():
    """Of the tables above, which are only read"""
    names = ("#old", "indented", "short", "gecos", "unnumbered", "joe")
    attributes = ("ensure => absent", "gid => 7999", "gid => 7010", "gid => 'second'", "groups => ['first'], membership => minimum", "groups => [], membership => inclusive",
                  "home => '/x', shell => '/x', comment => 'x'", "password => 'x', password_max_age => 90, password_min_age => 1, expiry => '2030-01-01'")
    for one in attributes:
        yield {"name": f"accounts: {one}", "steps": [{"noop": True}], "tables": ACCOUNTS,
               "manifest": "\n".join(f"user {{ '{name}': {one} }}" for name in names)}
    for manifest in ("resources { 'user': purge => true, unless_system_user => 100 }", "resources { 'group': purge => true }",
                     "group { ['own', 'oldg', '#oldg', 'third', 'second']: gid => 7010 }"):
        yield {"name": f"accounts: {manifest}", "steps": [{"noop": True}], "tables": ACCOUNTS, "manifest": manifest}


def lists_for_one_value():
    """Lists for properties that have one value."""
    for attributes in ("mode => ['0600']", "mode => ['0600', '0640']", "mode => []", "ensure => ['file'], mode => ['u+x']", "ensure => [directory], mode => '0700'",
                       "owner => 1.5", "group => [2.5]", "ensure => link, target => ['a', 'b']", "ensure => []"):
        yield {"name": f"a list for one value: {attributes}", "setup": "echo x > f", "manifest": "file { '%%R%%/f': %s }" % attributes}
        yield {"name": f"a list for one value, new: {attributes}", "manifest": "file { '%%R%%/f': %s }" % attributes}
    for number in ("-1", "'-1'", "1.5", "true", "['5', 6]", "[]", "'010'", "'0x10'", "4294967296", "' 5'", "''"):
        yield {"name": f"a group with the number {number}", "manifest": "group { 'no_such_group': gid => %s }" % number, "steps": [{"noop": True}]}
        yield {"name": f"a group that is there with the number {number}", "manifest": "group { 'daemon': gid => %s }" % number, "steps": [{"noop": True}]}
    for number in ("-1", "'-1'", "['5', 6]", "[]", "'010'", "'0x10'"):
        yield {"name": f"a user with the number {number}", "manifest": "user { 'daemon': uid => %s }" % number, "steps": [{"noop": True}]}
        yield {"name": f"a user of the group {number}", "manifest": "user { 'daemon': gid => %s }" % number, "steps": [{"noop": True}]}


def links_that_lead_nowhere():
    for attributes in ("content => 'b'", "content => ''", "ensure => file", "ensure => present", "source => '%R%/s'", "ensure => file, content => 'b', backup => '.bak'",
                       "content => 'b', mode => '0604'", "ensure => file, mode => '0604'", "ensure => absent", "mode => '0600'"):
        for links in ("follow", "manage"):
            yield {"name": f"a link that leads nowhere, {links}: {attributes}", "setup": "echo s > s; ln -s nowhere f",
                   "manifest": "file { '%%R%%/f': links => %s, %s }" % (links, attributes)}
    yield {"name": "an empty file where there is no folder", "manifest": "file { '%R%/no/f': ensure => file }"}
    yield {"name": "an empty file below a file", "setup": "touch x", "manifest": "file { '%R%/x/f': ensure => file }"}


def special_sources():
    for name, setup in {"a device": "mknod s c 1 3", "a block device": "mknod s b 7 200"}.items():
        for attributes in ("", "links => follow", "ensure => file", "ensure => absent", "replace => false"):
            for there in ("true", "echo x > f"):
                yield {"name": f"the source is {name}: {attributes} {there}", "setup": f"{setup}; {there}",
                       "manifest": "file { '%%R%%/f': source => '%%R%%/s', %s }" % attributes}


def purging():
    for name in ("file", "exec", "notify", "stage", "whit", "nowhere", "class"):
        yield {"name": f"resources of the type {name}", "manifest": "resources { '%s': purge => true }" % name, "steps": [{"noop": True}]}
    for attribute in ("purge => maybe", "purge => [true]", "purge => 1", "unless_system_user => -1", "unless_system_user => 'x'", "unless_system_user => '12x'",
                      "unless_uid => 'x'", "unless_uid => [1, 'y']", "unless_uid => 1.5", "unless_uid => true", "unless_uid => '0x10'", "unless_uid => '08'",
                      "unless_uid => { a => 1 }", "unless_uid => [1, [2, '3']]"):
        yield {"name": f"resources: {attribute}", "manifest": "resources { 'user': %s }" % attribute, "steps": [{"noop": True}]}
    yield {"name": "what has another title than its name is not purged", "steps": [{"noop": True}], "manifest": """
        file { '%R%/f': ensure => file, owner => 'nobody-here', group => 'nobody-here' } user { 'u': name => 'daemon' }
        resources { 'user': purge => true, unless_system_user => false }
        user { 'v': name => 'nobody-here', ensure => present, gid => 'nobody-here' } group { 'g': name => 'nobody-here', ensure => present }"""}


def messages():
    for message in ("[[1], [2]]", "[[1, [2, 'a']]]", "1.5", "-0.0", "1e30", "{}", "[]", "{ a => [{}] }", "{ a => 1.5, b => [[1, 2], 3] }", "[{ a => {} }]", "true", "[1, 2]", "[undef]", "[undef, 'a']"):
        yield {"name": f"the message {message}", "manifest": "notify { 'n': message => %s }" % message}
        yield {"name": f"the message {message} with a path", "manifest": "notify { 'n': message => %s, withpath => true, loglevel => warning }" % message}


def mistakes():
    table = {
        "content that is a boolean": "file { '%R%/f': content => true }",
        "content that is a hash": "file { '%R%/f': content => { a => 1 } }",
        "a backup that is a number": "file { '%R%/f': content => 'x', backup => 5 }",
        "a recursion that is a number": "file { '%R%/f': ensure => directory, recurse => 1 }",
        "refreshonly that is neither": "exec { '/bin/true': refreshonly => maybe }",
        "a mode that is none": "file { '%R%/f': mode => '0999' }",
        "a mode that is a number": "file { '%R%/f': mode => 644 }",
        "a path that is relative": "file { 'f': content => 'x' }",
        "content and source": "file { '%R%/f': content => 'x', source => '/etc/passwd' }",
        "remote without a source": "file { '%R%/f': ensure => directory, recurse => remote }",
        "a command without a path": "exec { 'true': }",
        "a bucket that does not exist": "file { '%R%/f': content => 'x', backup => 'nowhere' }",
        "tries of nothing": "exec { '/bin/true': tries => 0 }",
        "a timeout that is not a number": "exec { '/bin/true': timeout => 'long' }",
        "content that is a number": "file { '%R%/f': content => 5 }",
        "a umask that is a number": "exec { '/bin/true': umask => 22 }",
        "a provider that is none": "exec { '/bin/true': provider => nope }",
        "a check without a path": "exec { '/bin/true': unless => 'false' }",
        "a refresh without a path": "exec { '/bin/true': refresh => 'false' }",
        "audit of what there is not": "file { '%R%/f': audit => [mode, nope] }",
        "a path that is neither there nor not": "notify { 'n': withpath => maybe }",
        "a log level that is none": "notify { 'n': loglevel => loud }",
        "a range without an end": "schedule { 's': range => '1:00' }",
        "a range with three ends": "schedule { 's': range => '1 - 2 - 3' }",
        "a range that is a number": "schedule { 's': range => 5 }",
        "a range of words": "schedule { 's': range => 'a - b' }",
        "an hour that is none": "schedule { 's': range => ['25:00 - 3'] }",
        "a minute that is none": "schedule { 's': range => '1:00 - 2:70' }",
        "a weekday that is none": "schedule { 's': weekday => ['Tues', 'Mon,Tue'] }",
        "a weekday of a long week": "schedule { 's': weekday => 7 }",
        "a period that is none": "schedule { 's': period => yearly }",
        "a way to count that is none": "schedule { 's': periodmatch => letter }",
        "repeats that are none": "schedule { 's': period => daily, repeat => often }",
        "repeats by number": "schedule { 's': period => daily, periodmatch => number, repeat => 2 }",
        "a backup without a name": "file { '%R%/f': content => 'x', backup => '' }",
        "nothing to be": "file { '%R%/f': ensure => '' }",
        "a link to nothing": "file { '%R%/f': ensure => link, target => '' }",
        "content of numbers": "file { '%R%/f': content => [1, 2] }",
        "a short checksum of nothing": "file { '%R%/f': checksum_value => 'abc' }",
        "levels below none": "file { '%R%/f': ensure => directory, recurse => true, recurselimit => -1 }",
        "levels in words": "file { '%R%/f': ensure => directory, recurse => true, recurselimit => 'x' }",
        "a command that is a number": "exec { 'e': command => 5 }",
        "two folders of a command": "exec { '/bin/true': cwd => ['/tmp', '/'] }",
        "an environment in pairs": "exec { '/bin/true': environment => { 'A' => '1' } }",
        "a package that is nothing": "package { 'no-such-package': ensure => '' }",
        "a service that is nothing": "service { 'no-such-service': ensure => '' }",
        "a service that starts in no way": "service { 'no-such-service': enable => '' }",
        "a group that is nothing": "group { 'no_such_group': ensure => '' }",
        "content by time": "file { '%R%/f': content => 'x', checksum => mtime }",
        "links that are true": "file { '%R%/f': content => 'x', links => true }",
        "a limit that is true": "file { '%R%/f': ensure => directory, recurse => true, max_files => true }",
        "a limit that is a fraction": "file { '%R%/f': ensure => directory, recurse => true, max_files => 1.5 }",
        "a recursion that is a list": "file { '%R%/f': ensure => directory, recurse => [true] }",
        "a nameless group": "file { '%R%/f': ensure => file, group => '' }",
        "output that is a number": "exec { '/bin/true': logoutput => 5 }",
        "a user that is a role": "user { 'no_such_user': ensure => role }",
        "a user that is something else": "user { 'no_such_user': ensure => here }",
        "a user that is true": "user { 'no_such_user': ensure => true }",
        "a group that is false": "group { 'no_such_group': ensure => false }",
    }
    for name, manifest in table.items():
        yield {"name": f"mistake: {name}", "manifest": manifest}


# A value of each kind that Puppet shows without an address in memory.
ODD_VALUES = ("/a.b/", "/a\\/b/", "default", "1.5", "true", "{ 'a' => 1 }", "['a']", "[undef]", "5")

def odd_values():
    """What is not of the kind that an attribute takes: both refuse it, in the same words."""
    for value in ODD_VALUES:
        refused = {"file": ("links", "force", "replace", "purge", "show_diff", "sourceselect", "selinux_ignore_defaults", "backup", "recurse", "recurselimit"),
                   "tidy": ("type", "rmdirs", "max_files", "recurse"), "exec": ("logoutput", "refreshonly", "command"), "notify": ("withpath", "noop", "loglevel"),
                   "schedule": ("period", "periodmatch", "weekday", "range")}
        for kind, attributes in refused.items():
            title = {"file": "%R%/f", "tidy": "%R%/t", "exec": "/bin/true", "notify": "n", "schedule": "s"}[kind]
            for attribute in attributes:
                if (attribute, value) == ("command", "[undef]"):  # which Puppet looks at as a path, with a warning
                    continue
                yield {"name": f"{attribute} of a {kind}: {value}", "setup": "echo x > f; mkdir t", "steps": [{"noop": True}],
                       "manifest": "%s { '%s': %s => %s }" % (kind, title, attribute, value)}
        for attribute in ("ensure", "mode", "target"):
            if attribute == "mode" or value in ("[undef]", "['a']"):
                yield {"name": f"{attribute} of a file: {value}", "setup": "echo x > f", "manifest": "file { '%%R%%/f': %s => %s }" % (attribute, value)}
        yield {"name": f"a message: {value}", "manifest": "notify { 'n': message => %s }" % value, "steps": [{"noop": True}, {}]}
        yield {"name": f"a message with its path: {value}", "manifest": "notify { 'n': message => [%s], withpath => true }" % value}
        yield {"name": f"a message in a hash: {value}", "manifest": "notify { 'n': message => { 'k' => [%s] } }" % value, "steps": [{"noop": True}]}
    for noop in ("yes", "no", "TRUE", ""):
        yield {"name": f"noop in the word '{noop}'", "manifest": f"notify {{ 'n': noop => '{noop}' }}"}
    for place in ("x", "", "./x"):
        yield file_case(f"a staging location that is {place or 'nothing'}", f"content => 'x', staging_location => '{place}'")
    for files in ("''", "'x'", "['/x', 'y']", "[5]", "5", "1.5", "{ 'a' => 1 }", "/a/"):
        yield {"name": f"keys to purge: {files}", "manifest": "user { 'daemon': purge_ssh_keys => %s }" % files, "steps": [{"noop": True}]}
    for attribute, value in {"gid": "1.5", "expiry": "''", "managehome": "maybe"}.items():
        yield {"name": f"{attribute} of a user: {value}", "manifest": "user { 'daemon': %s => %s }" % (attribute, value), "steps": [{"noop": True}]}
    yield {"name": "a group of a user in base 16", "manifest": "user { 'daemon': gid => '0x1' }", "steps": [{"noop": True}]}


def all_cases():
    yield from file_states()
    yield from file_modes()
    yield from files()
    yield from recursion()
    yield from execs()
    yield from relations()
    yield from choices()
    yield from tidying()
    yield from lists_for_one_value()
    yield from tidy_limits()
    yield from account_numbers()
    yield from links_that_lead_nowhere()
    yield from special_sources()
    yield from purging()
    yield from messages()
    yield from mistakes()
    yield from odd_values()
