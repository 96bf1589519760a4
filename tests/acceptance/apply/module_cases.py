"""Manifests of types that modules bring, applied by Puppet with the module and by the agent without it."""
import shlex

INI = r"""printf '# a comment\nglobal = 1\n\n[main]\n; off\none = 1\n  two=2\n#three = 3\n\n[empty]\n\n[other]\none : 1\nquoted = "a b"\n\n\n' > f"""


def setting_case(name, attributes, setup=INI, **more):
    return {"name": f"setting: {name}", "manifest": f"ini_setting {{ 's': path => '%R%/f', {attributes} }}", "setup": setup, **more}


def settings():
    main = "section => 'main', "
    table = {
        "a new one": main + "setting => 'new', value => 'x'",
        "one that is there": main + "setting => 'one', value => '1'",
        "another value": main + "setting => 'one', value => '2'",
        "its blanks stay": main + "setting => 'two', value => 'twenty'",
        "after its comment": main + "setting => 'three', value => '33'",
        "a new section": "section => 'fresh', setting => 'a', value => 'b'",
        "an empty section": "section => 'empty', setting => 'a', value => 'b'",
        "before all sections": "setting => 'global', value => '2'",
        "a new one before all sections": "setting => 'early', value => '2'",
        "at the end": "section => 'other', setting => 'last', value => '9'",
        "a number": main + "setting => 'one', value => 5",
        "true": main + "setting => 'one', value => true",
        "blanks around a value": main + "setting => 'one', value => '  x '",
        "no value": main + "setting => 'one'",
        "no value for a new one": main + "setting => 'blank'",
        "an empty value": main + "setting => 'one', value => ''",
        "a section only": "section => 'alone'",
        "a section that is there": "section => 'main'",
        "a secret": main + "setting => 'one', value => Sensitive('s3')",
        "that goes": main + "ensure => absent, setting => 'one'",
        "that is not there": main + "ensure => absent, setting => 'nowhere'",
        "of a section that is not there": "section => 'no', ensure => absent, setting => 'x'",
        "that goes before all sections": "ensure => absent, setting => 'global'",
        "a colon": "section => 'other', setting => 'one', value => '2', key_val_separator => ' : '",
        "a new one with a colon": "section => 'other', setting => 'new', value => '2', key_val_separator => ': '",
        "no blanks": main + "setting => 'new', value => '2', key_val_separator => '='",
        "a blank": main + "setting => 'word', value => '2', key_val_separator => ' '",
        "an arrow": main + "setting => 'arrow', value => '2', key_val_separator => ' => '",
        "indentation": main + "setting => 'new', value => '2', indent_char => \"\\t\", indent_width => 2",
        "indentation in letters": main + "setting => 'new', value => '2', indent_width => '4'",
        "indentation after a comment": main + "setting => 'three', value => '2', indent_width => 3",
        "no new section": "section => 'fresh', setting => 'a', value => 'b', force_new_section_creation => false",
        "no new section where it is": main + "setting => 'new', value => 'b', force_new_section_creation => false",
        "refresh only": main + "setting => 'one', value => '2', refreshonly => true",
        "a file that is missing": "path => '%R%/none', section => 'a', setting => 'b', value => 'c'",
        "two words": main + "setting => 'two words', value => 'x'",
        "a list": main + "setting => 'one', value => ['5', '6']",
        "an empty list": main + "setting => 'one', value => []",
        "an empty list for a new one": main + "setting => 'new', value => []",
        "noop": main + "setting => 'one', value => '2', noop => true",
        "audit": main + "setting => 'one', audit => value",
        # Mistakes.
        "a path that is relative": main + "path => 'f', setting => 'one', value => '2'",
        "a word that is not valid": main + "setting => 'one', value => '2', ensure => here",
        "show_diff that is not valid": main + "setting => 'one', value => '2', show_diff => perhaps",
    }
    for name, attributes in table.items():
        if "path =>" in attributes:
            yield {"name": f"setting: {name}", "manifest": f"ini_setting {{ 's': {attributes} }}", "setup": INI}
        else:
            yield setting_case(name, attributes)
    for shown in ("true", "md5", "false"):
        yield setting_case(f"differences: {shown}", f"section => 'main', setting => 'one', value => '2', show_diff => {shown}",
                           settings={"show_diff": True})
    texts = {
        "nothing": "true",
        "an empty file": ": > f",
        "no line's end": "printf '[a]\\nx = 1' > f",
        "only comments": "printf '# one\\n# two\\n' > f",
        "its section last": "printf '[b]\\nx = 1\\n\\n[a]\\ny = 2\\n\\n\\n' > f",
        "its section first": "printf '[a]\\ny = 2\\n[b]\\nx = 1\\n' > f",
        "indented lines": "printf '[a]\\n    y = 2\\n  z = 3\\n[b]\\n' > f",
        "a commented setting": "printf '[a]\\n  ;x=old\\n  y = 1\\n' > f",
        "carriage returns": "printf '[a]\\r\\nx = 1\\r\\ny = 2\\r\\n' > f",
        "blanks after a value": "printf '[a]\\nx = new  \\n' > f",
        "blanks around a section": "printf '  [a]  \\nx=1\\n[ a ]\\nx=2\\n' > f",
        "a mode": "printf '[a]\\nx = 1\\n' > f; chmod 600 f; chown 1:1 f",
        "a link": "printf '[a]\\nx = 1\\n' > t; ln -s t f",
        "other letters": "printf '[\\303\\244]\\nx = \\303\\274\\n[a]\\n\\303\\244 = 1\\n' > f",
    }
    for name, setup in texts.items():
        yield setting_case(f"into {name}", "section => 'a', setting => 'x', value => 'new'", setup)
        yield setting_case(f"out of {name}", "section => 'a', setting => 'x', ensure => absent", setup)
        yield setting_case(f"at the top of {name}", "setting => 'x', value => 'new'", setup)
    shell = "printf 'A=1\\nexport B=\"2\"\\n-- main --\\nx 1\\n== y ==\\nk v\\n' > f"
    yield setting_case("a section of dashes", "section => 'main', setting => 'x', value => '2', key_val_separator => ' ', section_prefix => '-- ', "
                       "section_suffix => ' --'", shell)
    yield setting_case("a new section of dashes", "section => 'z', setting => 'x', value => '2', section_prefix => '-- ', section_suffix => ' --'", shell)
    yield setting_case("no prefix", "section => 'z', setting => 'x', value => '2', section_prefix => '', section_suffix => ':'", "printf 'z:\\n a = 1\\n' > f")
    yield {"name": "setting: on refresh", "setup": INI, "manifest": """
        notify { 'n': } ~> ini_setting { 's': path => '%R%/f', section => 'main', setting => 'one', value => '2', refreshonly => true } ~>
        exec { '/bin/true': refreshonly => true }"""}
    yield {"name": "setting: goes on refresh", "setup": INI, "manifest": """
        notify { 'n': } ~> ini_setting { 's': path => '%R%/f', section => 'main', setting => 'one', ensure => absent, refreshonly => true }"""}
    yield {"name": "setting: after its folder", "manifest": """
        ini_setting { 's': path => '%R%/d/f', section => 'main', setting => 'one', value => '2' } file { '%R%/d': ensure => directory }"""}
    yield {"name": "setting: several of one file", "setup": INI, "manifest": """
        ini_setting { 'a': path => '%R%/f', section => 'main', setting => 'one', value => 'x' }
        ini_setting { 'b': path => '%R%/f', section => 'new', setting => 'one', value => 'x' }
        ini_setting { 'c': path => '%R%/f', section => 'new', setting => 'two', value => 'y' }
        ini_setting { 'd': path => '%R%/f', section => 'empty', setting => 'two', ensure => absent }"""}
    yield setting_case("drift", "section => 'main', setting => 'one', value => '2'",
                       steps=[{}, {}, {"before": "sed -i 's/one = 2/one = 3/' f"}, {"before": "sed -i '/one/d' f"}, {}])


WORDS = r"""printf '[main]\nargs = -a -b=1 -Xmx512m -b=2\nlist = "one, two,three"\nempty =\nsingle = '"'"'x y'"'"'\nlast = only\n' > f"""


def subsettings():
    args = "setting => 'args', "
    table = {
        "a value": args + "subsetting => '-Xmx', value => '256m'",
        "the same value": args + "subsetting => '-Xmx', value => '512m'",
        "a new word": args + "subsetting => '-Xms', value => '1g'",
        "several of a name": args + "subsetting => '-b', subsetting_key_val_separator => '=', value => '3'",
        "a new setting": "setting => 'fresh', subsetting => '-x', value => '1'",
        "a new setting in quotes": "setting => 'fresh', subsetting => '-x', value => '1', quote_char => '\"'",
        "quotes that are there": "setting => 'single', subsetting => 'z', value => '1', quote_char => '\"'",
        "quotes that are not there": args + "subsetting => '-z', value => '1', quote_char => '\"'",
        "commas": "setting => 'list', subsetting => 'four', value => '', subsetting_separator => ','",
        "commas and blanks": "setting => 'list', subsetting => 'four', value => '4', subsetting_separator => ', '",
        "a dot": "setting => 'list', subsetting => 'four', value => '4', subsetting_separator => '.'",
        "a whole word": args + "subsetting => '-a', use_exact_match => true",
        "a new whole word": args + "subsetting => '-X', use_exact_match => true",
        "a whole word with a value": args + "subsetting => '-b=1', use_exact_match => true, value => ''",
        "at the start": args + "subsetting => '-s', value => '1', insert_type => start",
        "at the end": args + "subsetting => '-s', value => '1', insert_type => end",
        "before a word": args + "subsetting => '-s', value => '1', insert_type => before, insert_value => '-X'",
        "after a word": args + "subsetting => '-s', value => '1', insert_type => after, insert_value => '-b'",
        "after a word that is missing": args + "subsetting => '-s', value => '1', insert_type => after, insert_value => '-q'",
        "before a word that is missing": args + "subsetting => '-s', value => '1', insert_type => before, insert_value => '-q'",
        "at a place": args + "subsetting => '-s', value => '1', insert_type => index, insert_value => 1",
        "at a place that is far": args + "subsetting => '-s', value => '1', insert_type => index, insert_value => '100'",
        "at a place from the end": args + "subsetting => '-s', value => '1', insert_type => index, insert_value => -2",
        "that goes": args + "subsetting => '-X', ensure => absent",
        "several that go": args + "subsetting => '-b', ensure => absent",
        "that is not there": args + "subsetting => '-q', ensure => absent",
        "the last one": "setting => 'last', subsetting => 'only', ensure => absent",
        "the last one with its setting": "setting => 'last', subsetting => 'only', ensure => absent, delete_if_empty => true",
        "the last one without its setting": "setting => 'last', subsetting => 'only', ensure => absent, delete_if_empty => false",
        "the last one in quotes": "setting => 'single', subsetting => 'x', ensure => absent, delete_if_empty => true",
        "no value yet": "setting => 'empty', subsetting => 'x', value => '1'",
        "without a value": args + "subsetting => '-n'",
        "a secret": args + "subsetting => '-Xmx', value => Sensitive('1')",
        "a colon": "setting => 'fresh', subsetting => 'x', value => '1', key_val_separator => ': '",
        "quotes that are not valid": args + "subsetting => '-n', quote_char => '`'",
        "a place that is not valid": args + "subsetting => '-n', insert_type => middle",
        "a match that is not valid": args + "subsetting => '-n', use_exact_match => perhaps",
        "a path that is relative": args + "subsetting => '-n', path => 'f'",
    }
    for name, attributes in table.items():
        path = "" if "path =>" in attributes else "path => '%R%/f', section => 'main', "
        yield {"name": f"subsetting: {name}", "manifest": f"ini_subsetting {{ 's': {path}{attributes} }}", "setup": WORDS}
    for shown in ("true", "md5", "false"):
        yield {"name": f"subsetting: differences: {shown}", "setup": WORDS, "settings": {"show_diff": True}, "manifest":
               f"ini_subsetting {{ 's': path => '%R%/f', section => 'main', setting => 'args', subsetting => '-a', value => 'x', show_diff => {shown} }}"}
    yield {"name": "subsetting: a new file", "manifest":
           "ini_subsetting { 's': path => '%R%/none', setting => 'a', subsetting => 'b', value => 'c' }"}


def fragments():
    pieces = """
        concat_fragment { 'z': target => '%R%/f', content => "ten\\n" }
        concat_fragment { 'a': target => '%R%/f', content => "two\\n", order => '2' }
        concat_fragment { 'm': target => '%R%/f', content => 'hundred', order => 100 }
        concat_fragment { 'b': target => '%R%/f', content => "also ten\\n", order => '10' }
        concat_fragment { 'other': target => 'another', content => 'no' }
    """
    table = {
        "by number": "",
        "by letters": "order => alpha",
        "lines' ends": "ensure_newline => true",
        "a mode": "mode => '0600', owner => 'daemon', group => 1",
        "that goes": "ensure => absent",
        "not replaced": "replace => false",
        "a backup": "backup => '.old'",
        "a bucket": "backup => 'puppet'",
        "a check": "validate_cmd => '/bin/grep -q two %'",
        "a check that fails": "validate_cmd => '/bin/grep -q three %'",
        "noop": "noop => true",
        "a log level": "loglevel => warning",
        "an order that is not valid": "order => size",
        "a format that is not valid": "format => toml",
        "a backup that is not valid": "backup => 5",
        "no difference": "show_diff => false",
    }
    for name, attributes in table.items():
        for state, setup in {"nothing": "", "a file": "echo old > f"}.items():
            yield {"name": f"concat: {name} where there is {state}", "setup": setup, "settings": {"show_diff": True},
                   "manifest": f"concat_file {{ '%R%/f': {attributes} }} {pieces}"}
    yield {"name": "concat: by title", "manifest": """concat_file { 'title': path => '%R%/f' }
        concat_fragment { 'a': target => 'title', content => 'a' } concat_fragment { 'b': target => '%R%/f', content => 'b' }"""}
    yield {"name": "concat: by tag", "manifest": """concat_file { '%R%/f': tag => 'these' } concat_fragment { 'a': tag => 'these', content => 'a' }
        concat_fragment { 'b': tag => 'those', content => 'b' }"""}
    for tags in ("['these', 'those']", "['those', 'these']", "['these']"):
        yield {"name": f"concat: by the tags {tags}", "manifest": "concat_file { '%%R%%/f': tag => 'these' } concat_fragment { 'a': tag => %s, content => 'a' }" % tags}
    for attributes in ("mode => 'x'", "mode => 644", "mode => 1.5", "mode => /a/", "mode => ['0600']", "order => 5", "order => /a/", "order => ['alpha']", "format => 1.5",
                       "format => default", "format => ['yaml']", "backup => /a/", "audit => all", "audit => all, ensure => present", "audit => [ensure]"):
        yield {"name": f"concat: {attributes}", "steps": [{"noop": True}, {}, {}, {"before": "echo b > f; chmod 600 f"}],
               "manifest": f"concat_file {{ '%R%/f': {attributes} }} concat_fragment {{ 'a': target => '%R%/f', content => 'a' }}"}
    for source in ("'%R%/d'", "['%R%/no', '%R%/d']", "['%R%/d', '%R%/s']", "['%R%/no', '%R%/s']", "'%R%/no'", "'%R%/link'"):
        yield {"name": f"concat: the source {source} of a fragment", "setup": "mkdir d; echo s > s; ln -s nowhere link",
               "manifest": f"concat_file {{ '%R%/f': }} concat_fragment {{ 'a': target => '%R%/f', source => {source} }}"}
    yield {"name": "concat: a tag that nobody has", "manifest": "concat_fragment { 'a': tag => 'these', content => 'a' }"}
    yield {"name": "concat: no fragments", "setup": "echo x > f", "manifest": "concat_file { '%R%/f': }"}
    yield {"name": "concat: sources", "setup": "printf one > a; printf two > b", "manifest": """concat_file { '%R%/f': ensure_newline => true }
        concat_fragment { 'x': target => '%R%/f', source => '%R%/a' } concat_fragment { 'y': target => '%R%/f', source => ['%R%/none', '%R%/b'] }"""}
    yield {"name": "concat: a source that is missing", "manifest": """concat_file { '%R%/f': }
        concat_fragment { 'x': target => '%R%/f', source => ['%R%/a', '%R%/b'] }"""}
    yield {"name": "concat: relations", "manifest": """concat_file { '%R%/d/f': notify => Exec['/bin/echo done'] }
        concat_fragment { 'a': target => '%R%/d/f', content => 'a' } file { '%R%/d': ensure => directory }
        exec { '/bin/echo done': refreshonly => true, logoutput => true } notify { 'n': require => Concat_file['%R%/d/f'] }"""}
    yield {"name": "concat: numbers and words", "manifest": """concat_file { '%R%/f': } concat_fragment { 'a': target => '%R%/f', content => 'a', order => 'x' }
        concat_fragment { 'b': target => '%R%/f', content => 'b', order => '5' }"""}
    mistakes = {
        "nothing to go to": "concat_fragment { 'x': content => 'a' }",
        "nothing in it": "concat_fragment { 'x': target => '/f' }",
        "two contents": "concat_fragment { 'x': target => '/f', content => 'a', source => '/b' }",
        "a content that is a number": "concat_fragment { 'x': target => '/f', content => 5 }",
        "a place with a slash": "concat_fragment { 'x': target => '/f', content => 'a', order => '1/2' }",
        "a place that is a list": "concat_fragment { 'x': target => '/f', content => 'a', order => ['1'] }",
        "a relative path": "concat_file { 'x': }",
    }
    for name, manifest in mistakes.items():
        yield {"name": f"concat: {name}", "manifest": manifest}
    data = ('{"a": 1, "b": {"c": [1, 2]}, "d": 1.5, "s": "x/\\u00e9\\n"}', '{"e": [], "b": {"c": [2, 3], "f": null}, "g": {}, "d": 1.50}', '{"h": [1, {"i": true}], "j": 1e30}')
    for form in ("json", "json-pretty", "json-array", "json-array-pretty"):
        yield {"name": f"concat: {form}", "manifest": f"concat_file {{ '%R%/f': format => '{form}' }}" + "".join(
               f"concat_fragment {{ '{number}': target => '%R%/f', content => '{text}' }}" for number, text in enumerate(data))}
        yield {"name": f"concat: {form} of nothing", "manifest": f"concat_file {{ '%R%/f': format => '{form}' }}"}
        for force in ("true", "false"):
            yield {"name": f"concat: {form} with a conflict and force {force}", "manifest": f"""concat_file {{ '%R%/f': format => '{form}', force => {force} }}
                concat_fragment {{ 'a': target => '%R%/f', content => '{{"a": {{"b": 1, "c": 2}}}}' }}
                concat_fragment {{ 'b': target => '%R%/f', content => '{{"a": {{"b": "x", "d": 3}}}}' }}"""}


def lines_by_patterns():
    for attributes in ("match => '['", "match => '(a'", "match => '*'", "after => '['", "match => 'a', after => '['", "match => 'z', after => '['",
                       "ensure => absent, match => '[', match_for_absence => true", "ensure => absent, match => '['",
                       "match => ''", "match => '', multiple => true", "after => ''", "after => '', multiple => true", "ensure => absent, match => '', match_for_absence => true"):
        yield {"name": f"a line: {attributes}", "setup": "printf 'a\\nb\\n' > f",
               "manifest": f"file_line {{ 'l': path => '%R%/f', line => 'x', {attributes} }} -> notify {{ 'n': }}"}
    for attributes in ("match => '^b$', match_for_absence => true", "match => '^z$', match_for_absence => true", "match => '.', match_for_absence => true, multiple => true"):
        yield {"name": f"no line of a pattern beside blank lines: {attributes}", "setup": "printf '\\na\\n\\nb\\n' > f",
               "manifest": f"file_line {{ 'l': ensure => absent, path => '%R%/f', {attributes} }}"}
    for attributes in ("match => /^a/", "after => /a/", "ensure => absent, match => /^b$/, match_for_absence => true", "match => /a\\/|^b/", "match => /(?i:B)/", "match => /z/, after => /^a$/"):
        yield {"name": f"a line by a regular expression: {attributes}", "setup": "printf 'a\\nb\\n' > f",
               "manifest": f"file_line {{ 'l': path => '%R%/f', line => 'x', {attributes} }}"}
    for attributes in ("path => '', line => 'x'", "path => 'x', line => 'x'", "path => '%R%/f', line => 'x', multiple => /a/", "path => '%R%/f', line => 'x', replace => default"):
        yield {"name": f"a line that is none: {attributes}", "setup": "printf 'a\\nb\\n' > f", "manifest": f"file_line {{ 'l': {attributes} }}"}
    for attributes in ("line => Sensitive('s3cret')", "line => Sensitive('a=s3cret'), match => '^a'", "ensure => absent, line => Sensitive('a')"):
        yield {"name": f"a secret line: {attributes}", "setup": "printf 'a\\nb\\n' > f", "manifest": f"file_line {{ 'l': path => '%R%/f', {attributes} }}"}


def mounts():
    setup = "printf '# c\\n/dev/a /no/a ext4 defaults,ro 0 1\\n/dev/b\\t/no/b\\text4\\n\\n' > fs"
    table = {
        "options in a list": "'/no/c': device => '/dev/c', fstype => 'ext4', options => ['ro', 'sync']",
        "lists that hold what is there": "'/no/a': device => ['/dev/q', '/dev/a'], fstype => ['xfs', 'ext4'], options => ['x', 'defaults,ro'], pass => [2, 1]",
        "lists that do not": "'/no/a': device => ['/dev/q', '/dev/z'], fstype => ['xfs', 'jfs'], options => ['x', 'y'], pass => [2, 3]",
        "no options": "'/no/c': device => '/dev/c', fstype => 'ext4'",
        "an empty list of options": "'/no/c': device => '/dev/c', fstype => 'ext4', options => []",
        "a blank in one of the options": "'/no/c': device => '/dev/c', fstype => 'ext4', options => ['ro', 'a b']",
        "an empty option": "'/no/c': device => '/dev/c', fstype => 'ext4', options => ['ro', '']",
    }
    for name, attributes in table.items():
        yield {"name": f"mount: {name}", "setup": setup, "manifest": f"mount {{ {attributes}, ensure => present, target => '%R%/fs' }}"}
    for name, attributes in {"a dump that is none": "ensure => defined, dump => 3", "a dump in words": "ensure => defined, dump => 'x'",
                             "a state that is none": "ensure => there", "no state": "ensure => ''"}.items():
        yield {"name": f"mount: {name}", "setup": setup, "manifest": f"mount {{ '/no/c': device => x, fstype => ext4, target => '%R%/fs', {attributes} }}"}
    lines = ("/dev/a /no/a ext4 defaults 0 0 # a comment", "/dev/a /no/a ext4 defaults 0 0 7 8", "/dev/a /no/a ext4 defaults 0 # c", "/dev/a /no/a ext4 # c",
             "/dev/a # c", "/dev/a /no/a ext4 defaults 0 0#c", "#/dev/a /no/a ext4 defaults 0 0", "/dev/a /no/a ext4 a,b 1 2 ")
    for line in lines:
        for attributes in ("ensure => present, device => '/dev/a', fstype => ext4", "ensure => absent", "pass => 2", "ensure => present, dump => 1"):
            yield {"name": f"mount: {attributes} at {line}", "setup": f"printf '%s\\n' '# top' '{line}' '/dev/z /no/z ext3 rw 0 1 # more of it' > fs",
                   "manifest": "mount { '/no/a': target => '%%R%%/fs', %s }" % attributes}
    yield {"name": "mount: all is audited", "setup": setup, "manifest": "mount { '/no/a': target => '%R%/fs', audit => all }"}
    yield {"name": "mount: one that is mounted and comes into the table", "setup": setup,
           "manifest": "notify { 'n': } ~> mount { '/proc': ensure => defined, device => 'proc', fstype => 'proc', target => '%R%/fs' }"}
    yield {"name": "mount: one that goes", "setup": setup, "manifest": "mount { '/no/a': ensure => absent, target => '%R%/fs' }"}


def hosts():
    for name in ("n.", "n..", ".n", "a..b", "n_x"):
        yield {"name": f"host {name}", "setup": "touch h", "manifest": "host { '%s': ip => '192.0.2.1', target => '%%R%%/h' }" % name}
    for name, attributes in {"no further names": "ip => '192.0.2.1', host_aliases => []", "no further names where there are none": "name => c, ip => '192.0.2.2', host_aliases => []",
                             "no further names of a new one": "name => d, ip => '192.0.2.3', host_aliases => []", "an address with zeros": "ip => '192.000.2.01'",
                             "an address with a large number": "ip => '192.0.2.256'"}.items():
        yield {"name": f"host: {name}", "setup": "printf '192.0.2.1 a\\tb\\n192.0.2.2 c\\n' > h", "manifest": "host { 'a': target => '%%R%%/h', %s }" % attributes}
    for name in ("nine", "eight", "new"):
        for attributes in ("comment => ['a']", "comment => []", "comment => 'absent'", "host_aliases => ['a']", "host_aliases => 'absent'", "host_aliases => ['absent', 'a']"):
            yield {"name": f"host {name}: {attributes}", "setup": "printf '192.0.2.9 nine neun\\n192.0.2.8 eight # c\\n' > h",
                   "manifest": "host { '%s': ip => '192.0.2.9', target => '%%R%%/h', %s }" % (name, attributes)}
    lines = ("192.0.2.9 web#x y", "192.0.2.8 web x#y z ", "192.0.2.7 +web", "192.0.2.6#x six", "192.0.2.5 five a  b\\t ", "192.0.2.4 four \\r", "192.0.2.3 three a #", " 192.0.2.9 web")
    for attributes in ("'web': ip => '192.0.2.8', comment => 'y z '", "'web': ensure => absent", "'five': host_aliases => ['a', 'b']", "'four': ip => '192.0.2.1'"):
        yield {"name": f"host {attributes} among lines with hashes and blanks", "setup": f"printf '%b\\n' {shlex.join(lines)} > h",
               "manifest": "host { 'new': ip => '192.0.2.1', target => '%%R%%/h' } host { %s, target => '%%R%%/h' }" % attributes}
    yield {"name": "host: all is audited", "setup": "printf '192.0.2.1 a\\tb\\n' > h", "manifest": "host { 'a': target => '%R%/h', audit => all }"}


def host_keys():
    setup = "printf '# known\\n\\nalpha,a ssh-rsa AAAA1\\nbeta ssh-ed25519 AAAA2\\n|1|x=|y= ssh-rsa  AAAA3\\n' > k; chmod 640 k"
    table = {
        "a new one": "sshkey { 'gamma': type => 'ssh-rsa', key => 'AAAA', target => '%R%/k' }",
        "a new file": "sshkey { 'gamma': type => 'ssh-rsa', key => 'AAAA', target => '%R%/new' }",
        "names": "sshkey { 'gamma': type => rsa, key => 'AAAA', host_aliases => ['g', '192.0.2.1'], target => '%R%/k' }",
        "another key": "sshkey { 'alpha': type => rsa, key => 'AAAA9', target => '%R%/k' }",
        "the same": "sshkey { 'alpha': type => rsa, key => 'AAAA1', host_aliases => 'a', target => '%R%/k' }",
        "other names": "sshkey { 'alpha': type => rsa, host_aliases => ['b', 'c'], target => '%R%/k' }",
        "no other names": "sshkey { 'alpha@rsa': host_aliases => [], target => '%R%/k' }",
        "first names": "sshkey { 'beta@ed25519': key => 'AAAA2', host_aliases => ['b'], target => '%R%/k' }",
        "another type": "sshkey { 'beta@rsa': key => 'AAAA2', target => '%R%/k' }",
        "that goes": "sshkey { 'beta': type => ed25519, ensure => absent, target => '%R%/k' }",
        "that is not there": "sshkey { 'beta': type => rsa, ensure => absent, target => '%R%/k' }",
        "types": "sshkey { ['a@ecdsa-sk', 'a@dsa', 'a@sk-ssh-ed25519@openssh.com', 'a@ecdsa-sha2-nistp256']: key => 'AAAA', target => '%R%/k' }",
        "a name of its own": "sshkey { 'title': name => 'delta', type => rsa, key => 'AAAA', target => '%R%/k' }",
        "a secret": "sshkey { 'alpha@rsa': key => Sensitive('AAAA7'), target => '%R%/k' }",
        "a relation": "sshkey { 'gamma@ssh-rsa': key => 'AAAA', target => '%R%/k' } notify { 'n': require => Sshkey['gamma@ssh-rsa'] }",
        "without a key": "sshkey { 'gamma@rsa': ensure => present, target => '%R%/k' }",
        "without a type": "sshkey { 'gamma': key => 'AAAA', target => '%R%/k' }",
        "a type that is not valid": "sshkey { 'gamma': type => 'ssh-x', key => 'AAAA', target => '%R%/k' }",
        "a name that is not valid": "sshkey { 'gam ma@rsa': key => 'AAAA', target => '%R%/k' }",
        "two names": "sshkey { 'gam,ma@rsa': key => 'AAAA', target => '%R%/k' }",
        "a further name that is not valid": "sshkey { 'gamma@rsa': key => 'AAAA', host_aliases => ['a b'], target => '%R%/k' }",
        "further names in one": "sshkey { 'gamma@rsa': key => 'AAAA', host_aliases => 'a,b', target => '%R%/k' }",
    }
    for name, manifest in table.items():
        yield {"name": f"sshkey: {name}", "manifest": manifest, "setup": setup}


def kernel_parameters():
    setup = "printf '# own\\n\\nnet.a = 1\\nnet.b=2 3\\n' > s"
    table = {
        "a new one": "sysctl { 'net.c': val => '3', target => '%R%/s' }",
        "another value": "sysctl { 'net.a': val => '2', target => '%R%/s' }",
        "the same value": "sysctl { 'net.b': val => '2 3', target => '%R%/s' }",
        "a new file": "sysctl { 'net.c': val => '3', target => '%R%/new' }",
        "that goes": "sysctl { 'net.a': ensure => absent, target => '%R%/s' }",
        "that is not there": "sysctl { 'net.c': ensure => absent, target => '%R%/s' }",
        "without a value": "sysctl { 'net.c': ensure => present, target => '%R%/s' }",
        "a secret": "sysctl { 'net.a': val => Sensitive('9'), target => '%R%/s' }",
        "now": "sysctl_runtime { 'kernel.ostype': val => 'Linux' }",
        "now, what cannot be changed": "sysctl_runtime { 'kernel.ostype': val => 'Other' }",
    }
    for name, manifest in table.items():
        yield {"name": f"sysctl: {name}", "manifest": manifest, "setup": setup}
    for attributes in ("val => 'core'", "ensure => present, val => 'core'", "ensure => absent", "ensure => present"):
        yield {"name": f"sysctl: an empty value and {attributes}", "setup": "printf 'net.a = 1\\nkernel.core_pattern = \\n' > s",
               "manifest": "sysctl { 'kernel.core_pattern': target => '%%R%%/s', %s }" % attributes}


# Types of a module that are made of others, as those of OpenStack's modules are: what their Ruby is, and what catalogs say of them.
CONFIG_TYPE = """
Puppet::Type.newtype(:%(name)s) do
  ensurable
  newparam(:name, :namevar => true) do
    newvalues(%(title)s)
  end
  newproperty(:value%(matching)s) do
    %(insync)s
    munge do |value|
      value = value.to_s.strip
      value.capitalize! if value =~ /^(true|false)$/i
      value
    end
    %(shown)s
  end
  newparam(:secret, :boolean => true) do
    newvalues(:true, :false)
    defaultto false
  end
  newparam(:ensure_absent_val) do
    defaultto('<SERVICE DEFAULT>')
  end
  autorequire(:anchor) do
    ['sample::begin']
  end
end
"""
INSYNC = """def insync?(is)
      return true if @should.empty?
      return false unless is.is_a?(Array) && is.length == @should.length
      is & @should == is
    end"""
HIDDEN = """def is_to_s(value)
      resource.secret? ? '[old secret redacted]' : value
    end
    def should_to_s(value)
      resource.secret? ? '[new secret redacted]' : value
    end"""
CONFIG_PROVIDER = """
Puppet::Type.type(:%(name)s).provide(:%(provider)s, :parent => Puppet::Type.type(:openstack_config).provider(:%(parent)s)) do
  def self.file_path
    '%(path)s'
  end
end
"""
CONFIG_TYPES = {
    "sample_config": {"provider": "openstackconfig", "parent": "ruby", "matching": ", :array_matching => :all", "insync": INSYNC, "shown": HIDDEN},
    "sample_plain_config": {"provider": "ini_setting", "parent": "ini_setting", "matching": "", "insync": "", "shown": HIDDEN},
    "sample_open_config": {"provider": "openstackconfig", "parent": "ini_setting", "matching": "", "insync": "", "shown": ""},
}


def config_modules(folder, path, source):
    """A modulepath with a module `sample`, whose types are for the file of that path, and modules of the modulepath `source`."""
    for name in ("inifile", "openstacklib", "stdlib"):
        (folder / name).symlink_to(f"{source}/{name}")
    sample_module(folder, path)


def sample_module(folder, path):
    for name, facts in CONFIG_TYPES.items():
        words = {**facts, "name": name, "path": path, "title": r"/\S+\/\S+/"}
        for kind, file, text in (("type", f"{name}.rb", CONFIG_TYPE), ("provider", f"{name}/{facts['provider']}.rb", CONFIG_PROVIDER)):
            place = folder / "sample" / "lib" / "puppet" / kind / file
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text % words)


def config_settings():
    """Of both kinds of types: a setting is one line, or as many as it has values."""
    setup = "printf '# top\\n[DEFAULT]\\n#debug = true\\n  one=1\\nmany=a\\nmany=b\\n\\n[other]\\nx = y  \\n' > f"
    table = {
        "a new one": "'DEFAULT/new': value => 'x'",
        "after its comment": "'DEFAULT/debug': value => true",
        "another value": "'DEFAULT/one': value => 2",
        "the same value": "'DEFAULT/one': value => '1'",
        "a new section": "'fresh/one': value => '1'",
        "blanks after a value": "'other/x': value => 'y'",
        "the service's own": "'DEFAULT/one': value => '<SERVICE DEFAULT>'",
        "the service's own that is missing": "'DEFAULT/none': value => '<SERVICE DEFAULT>'",
        "whatever is there": "'DEFAULT/one': value => '<_IMMUTABLE_>'",
        "that goes": "'DEFAULT/one': ensure => absent",
        "a section that goes": "'other/x': ensure => absent",
        "a secret": "'DEFAULT/one': value => 's', secret => true",
        "a value that is Sensitive": "'DEFAULT/one': value => Sensitive('s')",
        "a slash": "'DEFAULT/a/b': value => 'x'",
        "a title that is not valid": "'DEFAULT': value => 'x'",
        "noop": "'DEFAULT/one': value => '3', noop => true",
    }
    lists = {
        # Not of the other kind, where Puppet fails.
        "whatever is not there": "'DEFAULT/none': value => '<_IMMUTABLE_>'",
        "a list": "'DEFAULT/new': value => ['a', 'b']",
        "the same list": "'DEFAULT/many': value => ['b', 'a']",
        "a longer list": "'DEFAULT/many': value => ['a', 'b', 'c']",
        "a shorter list": "'DEFAULT/many': value => ['b']",
        "another list": "'DEFAULT/many': value => ['b', 'x', 'y']",
        "a list of one that there is": "'DEFAULT/one': value => ['1', '2']",
    }
    for name in CONFIG_TYPES:
        for title, attributes in {**table, **(lists if name == "sample_config" else {})}.items():
            if name == "sample_open_config" and "secret" in attributes:  # which it shows
                continue
            yield {"name": f"{name}: {title}", "setup": setup, "manifest": f"{name} {{ {attributes} }}"}
        yield {"name": f"{name}: nothing there", "manifest": f"{name} {{ 'a/b': value => 'c' }}"}
        several = "printf '[a]\\nx = 1\\ny = 2\\n[b]\\n# z = 4\\n  z=4\\n\\n[a b]\\nthe key = v\\n' > f"
        for words in ("purge => true", "purge => true, noop => true", "purge => false"):
            yield {"name": f"{name}: all, with {words}", "setup": several, "manifest": f"resources {{ '{name}': {words} }}"}
        yield {"name": f"{name}: purging beside others", "setup": several,
               "manifest": f"resources {{ '{name}': purge => true }} {name} {{ 'a/y': value => '3' }} {name} {{ 'b/new': value => '6' }}"}
        yield {"name": f"{name}: purging where a setting has no section", "setup": "printf 'x = 1\\n[a]\\ny = 2\\n' > f",
               "manifest": f"resources {{ '{name}': purge => true }}"}
        yield {"name": f"{name}: purging where nothing is", "manifest": f"resources {{ '{name}': purge => true }}"}
        yield {"name": f"{name}: an anchor", "manifest": f"{name} {{ 'a/b': value => 'c' }} anchor {{ 'sample::begin': }}"}


def config_facts(path):
    """What a catalog says of these types."""
    shared = {"base": "config_setting", "path": path, "booleans": "capital", "anchors": "sample::begin"}
    return {"sample_config": {**shared, "provider": "openstackconfig", "lists": "true"},
            "sample_plain_config": {**shared, "provider": "ini_setting", "separator": "="},
            "sample_open_config": {**shared, "provider": "openstackconfig", "shown": "quoted"}}


def all_cases():
    yield from settings()
    yield from subsettings()
    yield from fragments()
    yield from host_keys()
