"""Manifests of mailalias, and of concat_file with YAML."""

ALIASES = r"""printf '# head\npostmaster: root\n\nroot:  admin , "two words", other@x.y\nlist: :include: /etc/list\nprog: "|/bin/p -x"\nlog: "|/bin/l a, b" , c\nempty:\n' > aliases"""


def aliases():
    """mailalias of mailalias_core"""
    table = {
        "new": ("new", "recipient => 'me'"),
        "several": ("new", "recipient => ['me', 'you@x.y']"),
        "with blanks": ("new", "recipient => ['a b', '|/bin/x']"),
        "with ensure": ("new", "ensure => present, recipient => 'me'"),
        "of a file": ("new", "file => '/etc/some'"),
        "as it is": ("postmaster", "recipient => 'root'"),
        "as it is with blanks": ("root", "recipient => ['admin', 'two words', 'other@x.y']"),
        "another order": ("root", "recipient => ['two words', 'admin', 'other@x.y']"),
        "another recipient": ("postmaster", "recipient => ['admin', 'root']"),
        "another file": ("list", "file => '/etc/other'"),
        "a file as it is": ("list", "file => '/etc/list'"),
        "recipients for a file": ("list", "recipient => 'me'"),
        "a file for recipients": ("postmaster", "file => '/etc/list'"),
        "absent": ("postmaster", "ensure => absent"),
        "absent that is not there": ("new", "ensure => absent"),
        "nothing": ("new", "ensure => present"),
        "nothing of what is there": ("root", "ensure => present"),
        "recipients where there are none": ("empty", "recipient => 'me'"),
        "a secret": ("postmaster", "recipient => Sensitive('me')"),
        "audit": ("postmaster", "audit => recipient"),
        "noop": ("postmaster", "recipient => 'me', noop => true"),
        "a comma": ("root", "recipient => 'a, b'"),
        "beside commas": ("new", "recipient => '|/bin/x a,b'"),
        "numbers": ("root", "recipient => [1, 2]"),
        "a number for a new one": ("new", "recipient => 5"),
        "an empty list": ("root", "recipient => []"),
        "an empty list for a new one": ("new", "recipient => []"),
        "the word absent": ("root", "recipient => 'absent'"),
        "the word absent for a new one": ("new", "recipient => absent"),
        # Mistakes.
        "both": ("new", "recipient => 'me', file => '/etc/some'"),
        "a file that is relative": ("new", "file => 'some'"),
        "ensure that is not valid": ("new", "recipient => 'me', ensure => here"),
    }
    for name, (title, attributes) in table.items():
        yield {"name": f"mailalias: {name}", "setup": ALIASES, "manifest": f"mailalias {{ '{title}': target => '%R%/aliases', {attributes} }}"}
    yield {"name": "mailalias: into a file that is missing", "manifest": "mailalias { 'a': target => '%R%/none', recipient => 'b' }"}
    yield {"name": "mailalias: several", "setup": ALIASES, "manifest": """
        mailalias { 'a': target => '%R%/aliases', recipient => 'b' } mailalias { 'root': target => '%R%/aliases', ensure => absent }
        mailalias { 'z': target => '%R%/aliases', file => '/c' }"""}
    yield {"name": "mailalias: drift", "setup": ALIASES, "manifest": "mailalias { 'root': target => '%R%/aliases', recipient => 'me' }",
           "steps": [{}, {}, {"before": "sed -i s/me/you/ aliases"}, {"before": "sed -i /root:/d aliases"}, {}]}


def file_of(fragments, attributes="", **more):
    pieces = "\n".join(f"concat_fragment {{ 'f{number}': target => 'f', content => '{text}', order => '{number + 10}' }}"
                       for number, text in enumerate(fragments))
    return {"manifest": f"concat_file {{ 'f': path => '%R%/f', format => yaml, {attributes} }}\n{pieces}".replace("\\n", "\n").replace("@", "\\n"), **more}


def yaml_files():
    """concat_file with format => yaml"""
    table = {
        "maps": ["a: 1\\nb:\\n  c: [1, 2]\\n", "b:\\n  c: [2, 3]\\n  d: x\\ne:\\n"],
        "lists": ["- 1\\n- two\\n", "- two\\n- 3.5\\n- {a: b}\\n"],
        "one": ["---\\nz: last\\na: first\\n"],
        "with nothing": ["", "a: 1\\n", "---\\n"],
        "nothing at all": ["", ""],
        "kinds": ["i: 12\\nh: 0x1F\\no: 017\\nf: 1.50\\ne: 1.0e+3\\nt: yes\\nn: ~\\ns: \"12\"\\nm: 1:30\\nl: []\\nk: {}\\n"],
        "keys of other kinds": ["1: one\\ntrue: yes\\n2.5: x\\n", "1: one\\n\"1\": text\\n"],
        "texts": ["a: \"yes\"\\nb: \"1.5\"\\nc: \" x \"\\nd: \"a: b\"\\ne: \"# no\"\\nf: \"\"\\ng: \"y\"\\nh: \"null\"\\ni: \"2020-01-01\"\\nj: \":sym\"\\n"],
        "odd texts": ["a: \"`x\"\\nb: \"-x\"\\nc: \"*\"\\nd: \"[x]\"\\ne: \"a \\\"q\\\" b\"\\nf: \"%x\"\\ng: \"!x\"\\nh: \"0o7\"\\ni: \"089\"\\n"],
        "lines": ["a: \"one@two@\"\\nb: \"one@\"\\nc: \"x  y\"\\nd: |\\n  literal\\n  block\\n"],
        "long lines": ["a: " + "word " * 40 + "\\nb: \"" + "x" * 200 + "\"\\n"],
        "other letters": ["a: \u00fcber\\n\u00e4: \u00df\\nb: \"\u00fc: x\"\\n"],
        "depth": ["a:\\n  - b:\\n      - c: 1\\n        d: 2\\n      - []\\n  - - 1\\n    - 2\\n", "a:\\n  - x\\n"],
        "flow": ["--- {}\\n", "{a: 1, b: [x]}\\n", "--- {b: [y], c: {}}\\n"],
        "lists in flow": ["[1, two]\\n", "--- []\\n", "[3]\\n"],
        "a key twice": ["a: 1\\na: 2\\n"],
    }
    for name, fragments in table.items():
        yield {"name": f"yaml: {name}", **file_of(fragments)}
    conflict = ["a: 1\\nb: x\\n", "a: 2\\nb: x\\n"]
    yield {"name": "yaml: two values", **file_of(conflict)}
    yield {"name": "yaml: two values by force", **file_of(conflict, "force => true")}
    yield {"name": "yaml: equal numbers", **file_of(["a: 1\\n", "a: 1.0\\n"])}
    yield {"name": "yaml: differences", **file_of(["a: 1\\n", "b: 2\\n"], settings={"show_diff": True}, setup="printf 'old\\n' > f")}
