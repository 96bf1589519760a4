"""Findings about the language and its verbs (LANG-*, USER-C6): what conformance cases cannot say."""
import json
import os
from pathlib import Path

LOGS = ("--format", "json", "--log-format", "json")


def language(b, *words, **settings):
    return b.run(*words, project=False, **settings)


def warnings(run):
    return [json.loads(line)["message"] for line in run.err.splitlines() if json.loads(line)["level"] == "warning"]


def test_deprecated_calls_are_reported_once(b):
    """LANG-6: in Puppet's words, one line each however often a program calls them"""
    code = ("[1, 2].each |$i| { abs('-1') floor('1.5') ceiling('1.5') max('1', '2') min('1', '2') max(1, 'a') min(1, 'a')\n"
            "strftime('%Y') hiera('x', 'd') hiera_array('x', []) hiera_hash('x', {}) empty(5) }")
    seen = warnings(language(b, "eval", *LOGS, "-e", code))
    unknown = "\n   (file & line not available)"
    convert = "is deprecated - change to convert input before calling"
    hiera = "is deprecated in favor of using 'lookup'. See https://puppet.com/docs/puppet/7.23/deprecated_language.html"
    assert seen == [
        f"The abs() function's auto conversion of String to Numeric {convert}{unknown}",
        f"The floor() function's auto conversion of String to Float {convert}{unknown}",
        f"The ceiling() function's auto conversion of String to Float {convert}{unknown}",
        f"The max() function's auto conversion of String to Numeric {convert}, or use lambda{unknown}",
        f"The min() function's auto conversion of String to Numeric {convert}, or use lambda{unknown}",
        f"The max() function's auto conversion of Any to String {convert}, or use lambda{unknown}",
        f"The min() function's auto conversion of Any to String {convert}, or use lambda{unknown}",
        "The argument signature (String format, [String timezone]) is deprecated for #strftime. See #strftime "
        "documentation and Timespan type for more info\n   (file: unknown, line: 2)",
        f"The function 'hiera' {hiera}{unknown}", f"The function 'hiera_array' {hiera}{unknown}",
        f"The function 'hiera_hash' {hiera}{unknown}",
        "Calling function empty() with Numeric value is deprecated.\n   (file: unknown, line: 2)"], seen
    quiet = language(b, "eval", *LOGS, "--set", "disable_warnings=deprecations", "-e", code)
    assert quiet.status == 0 and not warnings(quiet), quiet


def test_deprecations_of_modules_and_files_are_reported(b):
    """LANG-6: stdlib's functions where strict is warning, old hiera.yaml, a Deferred whose type nobody knows"""
    seen = warnings(language(b, "eval", *LOGS, "--strict", "warning", "-e", "deprecation('k', 'old') deprecation('k', 'old')"))
    assert len(seen) == 1 and seen[0].startswith("old at "), seen
    for name in ("validate_bool(true)", "is_string('a')"):
        assert len(warnings(language(b, "eval", *LOGS, "--strict", "warning", "-e", name))) == 1, name
        assert not warnings(language(b, "eval", *LOGS, "--strict", "off", "-e", name)), name
    b.write("v3.yaml", "---\n:backends: yaml\n:hierarchy: common\n")
    seen = warnings(language(b, "eval", *LOGS, "--hiera-config", "v3.yaml", "-e", "lookup('a', { default_value => 1 })"))
    assert len(seen) == 1 and "v3.yaml: Use of 'hiera.yaml' version 3 is deprecated. It should be converted" in seen[0], seen
    code = "class c($p) { } class { 'c': p => Deferred('upcase', ['a']) }"
    seen = warnings(language(b, "catalog", "compile", *LOGS, "-e", code))
    assert seen == ["Deferred function upcase has no return_type, unable to guarantee value type during compilation."
                    "\n   (file & line not available)"], seen


def test_an_unknown_variable_in_a_place_of_data_is_a_warning(b):
    """LANG-2: in path, paths, glob, globs, mapped_paths and uri the search goes on; in datadir it is an error"""
    def hierarchy(level):
        b.write("env/production/hiera.yaml", "version: 5\nhierarchy:\n  - {name: role, " + level + "}\n"
                                             "  - {name: common, path: common.yaml}\n")
        b.write("env/production/data/common.yaml", "a: 1\nk::p: from data\n")
        b.write("env/production/modules/k/manifests/init.pp", "class k($p = 'default') { notice($p) }\n")
        return ("--environmentpath", "env")

    for level in ("path: 'role/%{role}.yaml'", "paths: ['x.yaml', 'role/%{role}.yaml']", "glob: 'g/%{role}*.yaml'",
                  "globs: ['h/*.yaml', 'g/%{role}*.yaml']", "mapped_paths: [role, one, 'm/%{one}.yaml']",
                  "path: 'role/%{role}/%{role}.yaml'"):
        run = language(b, "eval", *LOGS, *hierarchy(level), "-e", "lookup('a') lookup('a')")
        assert run.status == 0 and json.loads(run.out) == 1, (level, run)
        assert len(warnings(run)) == 1, (level, run)
        assert warnings(run)[0].startswith("Interpolation failed with 'role', but compilation continuing"), (level, run)
    where = hierarchy("path: 'role/%{facts.role}.yaml'")
    run = language(b, "eval", "--script", *LOGS, *where, "-e", "lookup('a')")
    assert run.status == 0 and "Interpolation failed with 'facts.role', but" in warnings(run)[0], run
    run = language(b, "catalog", "compile", *LOGS, *hierarchy("path: 'role/%{role}.yaml'"), "-e", "include k")
    assert run.status == 0 and '"from data"' in run.err.replace("\\", "") or "from data" in run.out, run
    run = language(b, "eval", *LOGS, *hierarchy("datadir: 'd/%{role}', path: x.yaml"), "-e", "lookup('a')")
    assert run.status == 1 and "Undefined variable 'role'" in run.err, run


def test_variables_are_rich_data_and_may_be_qualified(b):
    """LANG-17: --vars for eval, --script and catalog compile"""
    rich = {"t": {"__ptype": "Type", "__pvalue": "Integer[1, 2]"}, "r": {"__ptype": "Regexp", "__pvalue": "a+"},
            "s": {"__ptype": "Sensitive", "__pvalue": "x"}, "d": {"__ptype": "Default"},
            "span": {"__ptype": "Timespan", "__pvalue": "0-00:00:05.0"}, "b": {"__ptype": "Binary", "__pvalue": "YQ=="},
            "v": {"__ptype": "SemVer", "__pvalue": "1.2.3"}, "x::y": 1, "::top": 2, "a::b::c": [{"__ptype": "Default"}],
            "h": {"__ptype": "Hash", "__pvalue": [1, "one", {"__ptype": "Default"}, 2]}, "plain": {"a": [1, None]},
            "f": {"__ptype": "Deferred", "name": "upcase", "arguments": ["a"]}}
    b.write("vars.json", json.dumps(rich))
    code = ("[1 =~ $t, 'caat' =~ $r, $s.unwrap, $d =~ Default, $span == Timespan(5), String($b, '%s'), \"${v}\", $x::y, $::top, "
            "$::x::y, $a::b::c[0] =~ Default, $h[1], $h[default], $plain, $f =~ Deferred]")
    want = [True, True, "x", True, True, "a", "1.2.3", 1, 2, 1, True, "one", 2, {"a": [1, None]}, True]
    for words in (("eval",), ("eval", "--script")):
        run = language(b, *words, *LOGS, "--vars", "vars.json", "-e", code)
        assert run.status == 0 and json.loads(run.out) == want, run
    run = language(b, "catalog", "compile", *LOGS, "--vars", "vars.json", "-e", f"notify {{ 'n': message => {code} }}")
    found = [one for one in json.loads(run.out)["resources"] if one["type"] == "Notify"]
    assert run.status == 0 and found[0]["parameters"]["message"] == want, run
    b.write("bad.json", json.dumps({"t": {"__ptype": "Type", "__pvalue": "]["}}))
    run = language(b, "eval", *LOGS, "--vars", "bad.json", "-e", "1")
    assert run.status == 1 and "'t'" in run.err and "--vars" in run.err, run
    b.write("bad.json", json.dumps({"No-Name": 1}))
    run = language(b, "eval", *LOGS, "--vars", "bad.json", "-e", "1")
    assert run.status == 1 and "No-Name" in run.err, run
    run = language(b, "eval", *LOGS, "--vars", "vars.json", "-e", "$x::z")
    assert run.status == 1 and "Unknown variable: 'x::z'" in run.err, run


def test_a_manifest_is_compiled_to_its_end_before_the_code(b):
    """LANG-17: its defines, collectors and overrides have worked; several -e run in turn"""
    b.write("site.pp", "define d($x) { notify { \"in ${title}\": message => $x } }\nd { 'one': x => 1 }\n"
                       "notify { 'plain': message => 'old' } Notify <| title == 'plain' |> { message => 'new' }\n"
                       "@notify { 'v': } Notify <| title == 'v' |>\nclass c { $y = 5 } include c\n$z = 1\n")
    code = "[defined(Notify['in one']), Notify['plain']['message'], Notify['in one']['message'], $c::y, $z]"
    run = language(b, "eval", *LOGS, "--manifest", "site.pp", "-e", code)
    assert run.status == 0 and json.loads(run.out) == [True, "new", 1, 5, 1], run
    run = language(b, "eval", *LOGS, "--manifest", "site.pp", "-e", "$a = 1", "-e", "define e() { notify { $title: } } e { 'm': }",
                   "-e", "[$a, defined(Notify['m'])]")
    assert run.status == 0 and json.loads(run.out) == [1, False], run
    run = language(b, "catalog", "compile", *LOGS, "--manifest", "site.pp", "-e", "d { 'two': x => 2 } Notify['plain'] -> D['two']")
    titles = {one["title"] for one in json.loads(run.out)["resources"] if one["type"] == "Notify"}
    assert run.status == 0 and titles == {"in one", "in two", "plain", "v"}, run


def test_catalog_functions_say_that_there_is_no_catalog(b):
    """LANG-17, LANG-14: with --script and with --tasks"""
    for mode in ("--script", "--tasks"):
        for call in ("include foo", "contain foo", "require foo", "realize('a')", "tag('a')", "tagged('a')",
                     "create_resources('notify', {})"):
            run = language(b, "eval", *LOGS, mode, "-e", call)
            name = call.split("(")[0].split()[0]
            fatal = json.loads(run.err.splitlines()[-1])
            assert run.status == 1 and fatal["fatal"], run
            assert f"The catalog operation '{name}' is only available when compiling a catalog" in fatal["message"], run
    run = language(b, "eval", *LOGS, "--tasks", "-e", "Task(name => 'a::b', files => [], metadata => {}) =~ Task")
    assert run.status == 0 and json.loads(run.out) is True, run
    run = language(b, "eval", *LOGS, "--tasks", "-e", "Task(name => 'a::b', files => [], metadata => { 'x' => 1 })")
    assert json.loads(run.out) == {"__ptype": "Task", "name": "a::b", "files": [], "metadata": {"x": 1}}, run


def findings(b, *words):
    run = language(b, "validate", "--format", "json", *words)
    return [(one["issue"], one["line"]) for one in json.loads(run.out)], run


def test_validate_knows_where_definitions_belong(b):
    """LANG-8: as `puppet parser validate --modulepath`, for relative and absolute paths, and in a project without an option"""
    place, top = "ILLEGAL_DEFINITION_LOCATION", "ILLEGAL_TOP_CONSTRUCT_LOCATION"
    files = {
        "modules/aaa/manifests/init.pp": ("class bbb {}", [(place, 1)]),
        "modules/aaa/manifests/good.pp": ("class aaa::good {}", []),
        "modules/aaa/manifests/deep/good.pp": ("class aaa::deep::good {}\nclass aaa::deep::good::inner {}", []),
        "modules/aaa/manifests/deep/bad.pp": ("class aaa::bad {}", [(place, 1)]),
        "modules/aaa/manifests/d.pp": ("define aaa::other() {}", [(place, 1)]),
        "modules/aaa/manifests/Case.pp": ("class aaa::case {}", []),
        "modules/aaa/manifests/top.pp": ("class aaa::top {}\nnotify { 'a': }\n$x = 1\nnode default {}",
                                         [(top, 2), (top, 3), (top, 4)]),
        "modules/aaa/manifests/one.pp": ("notify { 'a': }", [(top, 1)]),
        "modules/aaa/manifests/empty.pp": ("", []),
        "modules/aaa/manifests/comment.pp": ("# nothing\n", []),
        "modules/aaa/functions/f.pp": ("function aaa::g() { 1 }", [(place, 1)]),
        "modules/aaa/functions/g.pp": ("function aaa::g() { 1 }", []),
        "modules/aaa/types/t.pp": ("type Aaa::U = Integer", [(place, 1)]),
        "modules/aaa/types/u.pp": ("type Aaa::U = Integer", []),
        "modules/aaa/plans/init.pp": ("plan aaa() { }", []),
        "modules/aaa/plans/p.pp": ("plan aaa::q() { }", [(place, 1)]),
        "modules/aaa/plans/q.pp": ("plan aaa::q() { }", []),
        "modules/aaa/other/x.pp": ("class aaa::x {}", [(place, 1)]),
        "elsewhere/manifests/site.pp": ("class bbb {} notify { 'a': }", []),
    }
    for file, (text, _) in files.items():
        b.write(file, text)
    for file, (_, want) in files.items():
        for path in (file, str(b.folder / file)):
            got, run = findings(b, "--modulepath", "modules", path)
            assert got == want, (path, run)
            assert run.status == (1 if want else 0), run
        got, run = findings(b, "--modulepath", "modules", "--file-name", file, "-e", files[file][0], *(
            ["--tasks"] if "/plans/" in file else []))
        assert got == want, (file, run)
        assert not findings(b, file)[0], "no project and no modulepath"
    assert not findings(b, "--modulepath", "modules", "-e", "class bbb {} notify { 'a': }")[0]
    run = language(b, "validate", "--modulepath", "modules", "modules/aaa/manifests/init.pp")
    assert "Unacceptable location. The name 'bbb' is unacceptable in file" in run.out, run
    b.write("bolt-project.yaml", "name: site\n")
    b.write("manifests/site.pp", "notify { 'a': }")
    assert not findings(b, "manifests/site.pp")[0], "there to be applied"
    for file, (_, want) in files.items():
        assert findings(b, file)[0] == want, file
    assert findings(b, "--file-name", "modules/aaa/manifests/init.pp", "-e", "class bbb {}")[0] == [(place, 1)]
    b.write("bolt-project.yaml", "name: site\nmodulepath: [elsewhere]\n")
    assert not findings(b, "modules/aaa/manifests/init.pp")[0]


def test_catalogs_of_a_project_use_its_modules_and_data(b):
    """USER-C6: eval and catalog compile inside of a project, from a folder below too; options win"""
    b.write("p/bolt-project.yaml", "name: site\n")
    b.write("p/hiera.yaml", "version: 5\nhierarchy: [{name: c, path: c.yaml}]\n")
    b.write("p/data/c.yaml", "motd::text: from data\n")
    b.write("p/modules/motd/manifests/init.pp", "class motd($text) { notify { $text: } }\n")
    b.write("p/manifests/init.pp", "class site { notify { 'own': } }\n")
    b.write("p/sub/x", "")
    for folder in ("p", "p/sub"):
        run = language(b, "catalog", "compile", *LOGS, "-e", "include motd include site", cwd=str(b.folder / folder))
        assert run.status == 0, run
        titles = {one["title"] for one in json.loads(run.out)["resources"] if one["type"] == "Notify"}
        assert titles == {"from data", "own"}, run
        run = language(b, "eval", *LOGS, "-e", "lookup('motd::text')", cwd=str(b.folder / folder))
        assert run.status == 0 and json.loads(run.out) == "from data", run
    run = language(b, "eval", *LOGS, "--hiera-config", "/dev/null", "-e", "lookup('motd::text', { default_value => 'none' })",
                   cwd=str(b.folder / "p"))
    assert run.status == 0 and json.loads(run.out) == "none" and not warnings(run), run
    run = language(b, "catalog", "compile", *LOGS, "--modulepath", "nothing", "-e", "include motd", cwd=str(b.folder / "p"))
    assert run.status == 1 and "Could not find class ::motd" in run.err, run


FACTS = {"facterversion": "4.3.0", "kernel": "Linux",
         "os": {"architecture": "amd64", "family": "Debian", "name": "Debian", "hardware": "x86_64",
                "release": {"full": "12.11", "major": "12"}, "selinux": {"enabled": False},
                "distro": {"codename": "bookworm", "id": "Debian", "release": {"full": "12.11", "major": "12", "minor": "11"}}},
         "networking": {"fqdn": "web.example.com", "hostname": "web", "domain": "example.com", "ip": "192.0.2.2",
                        "interfaces": {"eth0.1": {"ip": "192.0.2.2", "mtu": 1400}, "lo": {"ip": "127.0.0.1"}}},
         "memory": {"system": {"total": "1.00 GiB", "total_bytes": 1073741824}},
         "processors": {"count": 2, "models": ["A", "B"]}, "disks": {"vda": {"size": "1 KiB", "size_bytes": 1024}},
         "ssh": {"rsa": {"key": "AAAA", "fingerprints": {"sha1": "one", "sha256": "two"}}}}


def test_facts_of_facter_are_completed_as_an_agent_sends_them(b):
    """USER-C6: legacy facts from structured ones, clientversion and its like; what is given stays"""
    b.write("facts.json", json.dumps({**FACTS, "lsbdistid": "given"}))
    names = ("osfamily", "operatingsystem", "operatingsystemmajrelease", "lsbdistcodename", "lsbdistid", "architecture", "fqdn",
             "ipaddress", "ipaddress_eth0_1", "mtu_eth0_1", "interfaces", "memorysize_mb", "processorcount", "processor1",
             "blockdevices", "blockdevice_vda_size", "sshrsakey", "sshfp_rsa", "selinux", "clientcert", "clientversion",
             "clientnoop", "service_provider", "package_provider", "root_home")
    want = ["Debian", "Debian", "12", "bookworm", "given", "amd64", "web.example.com", "192.0.2.2", "192.0.2.2", 1400, "eth0_1,lo",
            1024.0, 2, "B", "vda", 1024, "AAAA", "one\ntwo", False, "web.example.com", "7.23.0", False, "systemd", "apt", "/root"]
    code = "[" + ", ".join("$" + name for name in names) + "]"
    for verb in (["eval"], ["catalog", "compile"]):
        text = code if verb == ["eval"] else f"notify {{ 'n': message => {code} }}"
        run = language(b, *verb, *LOGS, "--facts", "facts.json", "-e", text)
        assert run.status == 0, run
        got = json.loads(run.out)
        if verb != ["eval"]:
            got = next(one for one in got["resources"] if one["type"] == "Notify")["parameters"]["message"]
        assert got == want, run
    run = language(b, "eval", *LOGS, "--facts", "facts.json", "-e", "$facts['osfamily']")
    assert json.loads(run.out) == "Debian", run


def test_an_unknown_legacy_fact_says_where_its_value_is(b):
    """USER-C6: a hint beside Puppet's message"""
    run = language(b, "catalog", "compile", "-e", "notice($::osfamily)")
    assert run.status == 1 and "Unknown variable: '::osfamily'." in run.err, run
    assert "'osfamily' is a legacy fact" in run.err and "os.family" in run.err, run
    run = language(b, "eval", *LOGS, "-e", "$ipaddress_eth0")
    assert json.loads(run.err.splitlines()[-1])["hint"].count("networking.interfaces.eth0.ip") == 1, run
    run = language(b, "eval", *LOGS, "-e", "$nothing_of_it")
    assert "hint" not in json.loads(run.err.splitlines()[-1]), run


def test_debug_shows_how_each_lookup_was_done(b):
    """LANG-14: --log-level debug has the text of --explain; a relative datadir of Hiera 3 counts from the working directory"""
    b.write("env/production/hiera.yaml", "version: 5\nhierarchy: [{name: c, path: c.yaml}]\n")
    b.write("env/production/data/c.yaml", "a: 1\nk::p: 2\n")
    b.write("env/production/modules/k/manifests/init.pp", "class k($p) { }\n")
    where = ("--environmentpath", "env", "-e", "include k notice(lookup('a'))")
    seen = [json.loads(line) for line in language(b, "eval", *LOGS, "--log-level", "debug", *where).err.splitlines()]
    texts = [one["message"] for one in seen if one["level"] == "debug"]
    assert [text.splitlines()[0] for text in texts] == ["Automatic Parameter Lookup of 'k::p'", "Lookup of 'a'"], seen
    assert '\n  Searching for "a"\n    Global Data Provider' in texts[1] and 'Found key: "a" value: 1' in texts[1], texts
    assert "debug" not in language(b, "eval", *LOGS, *where).err
    b.write("conf/v3.yaml", "---\n:backends: yaml\n:hierarchy: common\n:yaml: { :datadir: old }\n")
    b.write("old/common.yaml", "a: here\n")
    run = language(b, "eval", *LOGS, "--hiera-config", "conf/v3.yaml", "-e", "lookup('a')")
    assert run.status == 0 and json.loads(run.out) == "here", run
