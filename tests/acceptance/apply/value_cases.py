"""Manifests with values that are unusual for their attributes, or wrong."""

WORDS = {
    "file": ("file { '%R%/f': content => 'x'", {"links": "follow", "sourceselect": "all", "selinux_ignore_defaults": "true", "force": "yes",
                                                "purge": "true", "replace": "no", "show_diff": "yes"}),
    "notify": ("notify { 'n': message => 'x'", {"withpath": "true", "loglevel": "info", "noop": "true"}),
    "exec": ("exec { '/bin/true': provider => posix", {"logoutput": "on_failure", "refreshonly": "false"}),
    "tidy": ("tidy { '%R%/f': age => '0'", {"type": "mtime", "rmdirs": "yes"}),
    "schedule": ("schedule { 's': range => '2 - 4'", {"period": "daily", "periodmatch": "distance"}),
    "service": ("service { 'none such': ensure => stopped, provider => base", {"hasstatus": "true", "hasrestart": "false"}),
}
MODULE_WORDS = {
    "concat_file": ("concat_fragment { 'a': target => '%R%/f', content => 'x' } concat_file { '%R%/f': path => '%R%/f'", {
        "order": "alpha", "format": "plain", "ensure_newline": "true", "force": "yes", "ensure": "present", "replace": "true", "show_diff": "no",
        "selinux_ignore_defaults": "yes"}),
    "ini_setting": ("ini_setting { 's': path => '%R%/f', section => 'a', setting => 'b', value => 'c'", {
        "show_diff": "md5", "refreshonly": "false", "force_new_section_creation": "yes", "ensure": "absent"}),
    "ini_subsetting": ("ini_subsetting { 's': path => '%R%/f', section => 'a', setting => 'b', subsetting => 'c'", {
        "show_diff": "md5", "use_exact_match": "true", "insert_type": "start", "delete_if_empty": "true", "ensure": "present"}),
    "file_line": ("file_line { 's': path => '%R%/f', line => 'x'", {"multiple": "true", "replace": "false", "append_on_no_match": "false",
                                                                   "ensure": "present"}),
    "resources": ("resources { 'host': unless_uid => 5", {"purge": "false"}),
    "mount": ("mount { '%R%/m': target => '%R%/f', device => 'x', fstype => 'ext4'", {"ensure": "defined", "remounts": "false"}),
    "host": ("host { 'h': target => '%R%/f', ip => '1.2.3.4'", {"ensure": "present"}),
    "sshkey": ("sshkey { 'h': target => '%R%/f', type => 'ssh-rsa', key => 'aaa'", {"ensure": "present"}),
}

INI_LINES = r"printf '[main]\none = 1\nargs = -a -b=1 -c\n' > f"
ODD = ("5", "['a', 'b']")
# Attributes that are made for texts, with values of other kinds: (the rest, what is there before, {attribute: values})
KINDS = {
    "ini_setting": ("path => '%R%/f', section => 'main', setting => 'one', value => '2'", INI_LINES, {
        "section": (*ODD, "{a => 1}", "[undef]"), "setting": (*ODD, "true"), "value": ("5", "[undef]", "[['a']]", "'absent'"), "path": ODD,
        "key_val_separator": ("5", "['a']", "false"), "section_prefix": ("5", "false"), "indent_width": ("true", "'3 x'")}),
    "ini_subsetting": ("path => '%R%/f', section => 'main', setting => 'args', subsetting => '-b', subsetting_key_val_separator => '=', "
                       "value => '2'", INI_LINES, {
                           "section": ("5",), "setting": ODD, "subsetting": (*ODD, "{a => 1}"), "value": (*ODD, "'absent'"),
                           "subsetting_separator": ("5", "'absent'"), "subsetting_key_val_separator": ("5", "false"), "quote_char": ODD}),
    "mount": ("name => '%R%/m', ensure => defined, target => '%R%/f', device => '/dev/x', fstype => 'ext4', options => 'ro'", ": > f", {
        "name": ODD, "device": ("5", "[['a']]"), "fstype": (*ODD, "true"), "options": ODD, "blockdevice": ("5", "'a b'"), "atboot": ODD,
        "dump": ("true", "['0', 'a']"), "pass": ("[]", "[undef]")}),
    "host": ("target => '%R%/f', ip => '1.2.3.4'", ": > f", {"name": ODD, "ip": ODD, "host_aliases": ODD, "comment": ODD}),
    "sshkey": ("target => '%R%/f', type => 'ssh-rsa', key => 'aaa'", ": > f", {
        "name": ODD, "key": ("5",), "type": (*ODD, "''", "['ssh-rsa']"), "host_aliases": ODD}),
    "ssh_authorized_key": ("user => 'root', target => '%R%/f', type => 'ssh-rsa', key => 'aaa'", ": > f", {
        "name": ODD, "key": ODD, "type": (*ODD, "''"), "options": (*ODD, "'absent'"), "user": ("true", "{a => 1}", "''")}),
    "file_line": ("path => '%R%/f', line => 'x'", ": > f", {"path": ODD}),
    "concat_file": ("ensure => present", "", {"path": ODD}),
}
TIDY_KINDS = ("path => '%R%/d', recurse => true, age => '0'", "mkdir d; echo x > d/a; echo y > d/b", {
    "matches": ("5", "['a', 5]", "[5, 'a']"), "max_files": ("'5'", "5"), "backup": ("'main'", "''", "true")})


def of_words(table):
    for kind, (head, attributes) in table.items():
        for name, word in attributes.items():
            ensured = name == "ensure" and kind != "mount"
            for value in (f"'{word}'", f"['{word}']", f"'{word.capitalize()}'", *(["[]", "[undef]"] if ensured else [])):
                yield {"name": f"words: {name} of {kind} as {value}", "manifest": f"{head}, {name} => {value} }}",
                       "setup": ": > f", "steps": [{}, {}]}


def of_kind(kind, rest, setup, attributes):
    others = dict(part.split(" => ", 1) for part in rest.split(", "))
    for name, values in attributes.items():
        for value in values:
            given = ", ".join(f"{one} => {other}" for one, other in {**others, name: value}.items())
            yield {"name": f"kinds: {name} of {kind} as {value}", "manifest": f"{kind} {{ 'h': {given} }}", "setup": setup, "steps": [{}, {}]}


def kinds():
    """Values of module types that are not of the kind that their attributes are made for"""
    for kind, (rest, setup, attributes) in KINDS.items():
        yield from of_kind(kind, rest, setup, attributes)


def fragment_sources():
    """Sources of concat_fragment beside files"""
    for name, setup in {"a folder": "mkdir s", "a link to nothing": "ln -s nowhere s", "a link to itself": "ln -s s s", "nothing": "",
                        "a link to a file": "echo x > t; ln -s t s"}.items():
        for given in ("'%R%/s'", "['%R%/none', '%R%/s']", "['%R%/none', '/dev/null']"):
            yield {"name": f"sources: {given} where it is {name}", "setup": setup, "manifest": f"""
                concat_fragment {{ 'a': target => '%R%/f', source => {given} }} concat_file {{ '%R%/f': ensure => present }}"""}


def kept_groups():
    """Files of keys that belong to others, or to another group"""
    for owner in ("nobody:nogroup", "nobody:root", "games:root", "root:root"):
        for ensure in ("ensure => present, type => 'ssh-rsa', key => 'aaa'", "ensure => absent, name => 'x'"):
            yield {"name": f"keys: a file of {owner}, {ensure}", "steps": [{}, {}],
                   "setup": f"mkdir d; chown nobody d; printf 'ssh-rsa bbb x\\nssh-rsa ccc y\\n' > d/k; chown {owner} d/k; chmod 600 d/k",
                   "manifest": f"ssh_authorized_key {{ 'k': user => 'nobody', target => '%R%/d/k', {ensure} }}"}


def purged_keys():
    """Keys that nobody manages"""
    table = {
        "without names": "ssh-rsa aaa\\nssh-rsa bbb\\nssh-rsa ccc",
        "with and without names": "ssh-rsa aaa\\n# c\\nno-pty ssh-rsa bbb x\\nssh-ed25519 bbb \\nssh-rsa ccc kept\\nno-pty,restrict ssh-dss bbb",
        "twice without a name": "ssh-rsa aaa\\nssh-rsa bbb\\nssh-rsa aaa",
        "twice with a name": "ssh-rsa aaa x\\nssh-rsa bbb x\\nssh-rsa ccc",
    }
    for name, lines in table.items():
        yield {"name": f"keys to purge {name}", "setup": f"printf '{lines}\\n' > k; chown daemon . k",
               "manifest": """
                   user { 'daemon': purge_ssh_keys => ['%R%/k'] }
                   ssh_authorized_key { 'kept': user => 'daemon', target => '%R%/k', type => 'ssh-rsa', key => 'ccc' }"""}


def words():
    """What is one of some words, as that word, in a list and in other letters"""
    yield from of_words(WORDS)
    yield from of_kind("tidy", *TIDY_KINDS)
    yield {"name": "words: a tag that is a hash", "manifest": "notify { 'n': tag => {a => 1} }"}
    yield {"name": "words: that are secret", "manifest": """
        exec { '/bin/true': refreshonly => Sensitive(true), loglevel => Sensitive('info') } notify { 'n': notify => Exec['/bin/true'] }"""}


NUMBERS = {
    "exec { '/bin/true': provider => posix": {
        "tries": ("' 2'", "'2'", "'+2'", "''", "'1_0'", "0"), "try_sleep": ("'1e1'", "'1.'", "'0.0'", "'-1'", "'.'", "0"),
        "timeout": ("'1_0'", "'0x10'", "'1.5'", "'1.'", "' 3 '", "'1__0'", "'x'", "''", "'+4'"),
        "environment": ("'=A=1'", "'-=x'", "'A'", "'A='", "['A=1', 'B B=2']", "'é=1'")},
    "tidy { '%R%/d': recurse => true, backup => false": {
        "age": ("'1d!'", "'1d '", "'08'", "'010'", "'10'", "'9'", "'1_d'", "'1days'", "'2X'", "'0d9'"),
        "size": ("'09'", "'1_'", "'1kb'", "'5'")},  # at '1k!' Puppet fails with a mistake of its own
}
CRON_NUMBERS = {
    "cron { 'c': command => '/bin/true', user => 'nobody'": {
        "hour": ("'1-'", "'*/'", "'1/2'", "'1-2-3'", "'1-2/'", "'1x'", "'24'"), "weekday": ("'Mond'", "'8'"), "minute": ("'*/x'",)},
}


def numbers_of(table):
    for head, attributes in table.items():
        for name, values in attributes.items():
            for value in values:
                yield {"name": f"numbers: {name} of {head.split()[0]} as {value}", "setup": "mkdir d; echo x > d/a", "steps": [{}],
                       "manifest": f"{head}, {name} => {value} }}"}


def cron_numbers():
    """Times of cron that are nearly right"""
    yield from numbers_of(CRON_NUMBERS)


def numbers():
    """Numbers, ages and settings that are nearly right"""
    yield from numbers_of(NUMBERS)
    for scheme in ("FILE", "File", "ftp", "C"):
        yield {"name": f"numbers: a source of {scheme}:", "setup": "echo x > s", "steps": [{}, {}],
               "manifest": f"file {{ '%R%/f': source => '{scheme}://%R%/s' }}"}


def module_words():
    """The same of types that modules bring"""
    yield from of_words(MODULE_WORDS)
    for name, attributes in {"where it is": "line => 'a'", "where it is not": "line => 'x'", "with a pattern": "line => 'x', match => '^a'"}.items():
        yield {"name": f"words: a line that is not replaced {name}", "setup": "printf 'a\\nb\\n' > f", "steps": [{}, {}],
               "manifest": f"file_line {{ 's': path => '%R%/f', {attributes}, replace => false }}"}
