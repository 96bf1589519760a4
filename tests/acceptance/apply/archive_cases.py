"""Manifests of archive, of the module puppet-archive, from files of the machine."""

MD5, SHA1 = "5d41402abc4b2a76b9719d911017c592", "aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d"
SHA256 = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
SETUP = """mkdir -p in/dir out; printf hello > hello; printf other > other; chmod 640 other
printf 'sum of %s\\n' 'a file: """ + MD5 + """ hello' > sums; echo one > in/one; echo two > in/dir/two
pack() { tar -C in --sort=name --mtime=@0 --owner=0 --group=0 -cf "$1" .; }
pack p.tar; pack - | gzip -n > p.tgz; pack - | bzip2 > p.tar.bz2; pack - | xz > p.txz; gzip -nc hello > q.gz; bzip2 -c hello > r.bz2
cp p.tgz 'p q.tgz'"""


# Modules before that keep an archive that differs, or that could not be unpacked.
SINCE_8 = ("a checksum that differs where there is one", "no checksum of a type where there is one", "unpacked: nowhere",
           "unpacked and cleaned up: a command that fails", "unpacked and cleaned up: no archive", "unpacked: a folder that is missing",
           "unpacked: cleaned up without what it creates", "unpacked: bz2")
ODD = ("5", "true", "[]", "['a', 'b']", "{a => 1}", "[undef]")


def case(name, path, attributes, setup="", **more):
    """`since`: the first version of the module that does it in the agent's way."""
    return {"name": f"archive: {name}", "manifest": f"archive {{ '%R%/{path}': {attributes} }}", "setup": SETUP + "\n" + setup,
            **{"since": "8" if name in SINCE_8 else "0", **more}}


def archives():
    hello = "source => 'file://%R%/hello'"
    there = "printf old > a; chmod 600 a"
    table = {
        "a file": hello,
        "of a path": "source => '%R%/hello'",
        "of a url": "url => 'file://%R%/other'",
        "a mode": "source => '%R%/other'",
        "a checksum": f"{hello}, checksum => '{MD5}', checksum_type => 'md5'",
        "another checksum": f"{hello}, checksum => '{SHA1}', checksum_type => sha1",
        "SHA-2": f"{hello}, checksum => '{SHA256}', checksum_type => 'sha2'",
        "by other names": f"{hello}, digest_string => '{SHA256}', digest_type => 'sha256'",
        "a checksum that differs": f"{hello}, checksum => '{SHA256}', checksum_type => 'md5'",
        "a checksum that is not compared": f"{hello}, checksum => '{SHA1}', checksum_type => 'md5', checksum_verify => false",
        "no checksum of a type": f"{hello}, checksum_type => md5",
        "ensure": f"{hello}, ensure => present",
        "absent": "ensure => absent",
        "no source": "ensure => present",
        "a source that is missing": "source => '%R%/nowhere'",
        "a URL that is missing": "source => 'file://%R%/nowhere'",
        "what it creates": f"{hello}, creates => '%R%/hello'",
        "what it would create": f"{hello}, creates => '%R%/nowhere'",
        "noop": f"{hello}, noop => true",
        "audit": f"{hello}, audit => ensure",
        # Mistakes.
        "a source that is not valid": "source => 'nothing'",
        "a checksum that is not valid": f"{hello}, checksum => 'xyz', checksum_type => md5",
        "a type that is not valid": f"{hello}, checksum_type => 'crc'",
        "extract that is not valid": f"{hello}, extract => perhaps",
        "a folder that is relative": f"{hello}, extract_path => 'out'",
        "ensure that is not valid": "ensure => here",
    }
    for name, attributes in table.items():
        for state, setup in {"": "", " where there is one": there}.items():
            if name != "audit" or state == "":
                yield case(name + state, "a", attributes, setup)
    yield case("a checksum of a file", "a", f"{hello}, checksum_url => 'file://%R%/sums', checksum_type => 'md5'")
    yield case("a checksum of a file that differs", "a", "source => '%R%/other', checksum_url => 'file://%R%/sums', checksum_type => 'md5'")
    yield case("replaced", "a", f"{hello}, checksum => '{MD5}', checksum_type => 'md5'", there)
    yield case("into a new folder", "new/folder/a", hello)
    yield case("a path that is relative", "a", f"{hello}, path => 'a'")
    yield case("a temporary folder that is missing", "a", f"{hello}, temp_dir => '%R%/nowhere'")
    into = "extract => true, extract_path => '%R%/out'"
    unpacked = {
        "tar": ("x.tar", "p.tar", ""),
        "tgz": ("x.tgz", "p.tgz", ""),
        "tar.gz": ("x.tar.gz", "p.tgz", ""),
        "tar.bz2": ("x.tar.bz2", "p.tar.bz2", ""),
        "txz": ("x.txz", "p.txz", ""),
        "flags": ("x.tgz", "p.tgz", ", extract_flags => '--strip-components=2 -xzf'"),
        "flags by programs": ("x.tgz", "p.tgz", ", extract_flags => { 'tar' => '--strip-components=2 -xzf', 'unzip' => '-x' }"),
        "a command": ("x.any", "p.tgz", ", extract_command => 'tar -xzf %s ./one'"),
        "a command in a shell": ("x.any", "p.tgz", ", extract_command => 'tar -tzf %s | sort > list'"),
        "a user": ("x.tgz", "p.tgz", ", user => 'nobody', group => 'nogroup'"),
        "another name for the folder": ("x.tgz", "p.tgz", ", target => '%R%/out'"),
        "a command that fails": ("x.any", "p.tgz", ", extract_command => 'false %s'"),
        "no archive": ("x.tgz", "hello", ""),
        "a name with a blank": ("x y.tgz", "p.tgz", ""),
    }
    for name, (path, source, more) in unpacked.items():
        made = "%R%/out/list" if "list" in more else "%R%/out/two" if "strip" in more else "%R%/out/one"
        prepare = "chown nobody out" if "user" in more else ""
        kept = f"source => 'file://%R%/{source}', {into}{more}, creates => '{made}', cleanup => false"
        # tar's own words may name what it unpacks in another order.
        yield case(f"unpacked: {name}", path, kept, prepare)
        yield case(f"unpacked and cleaned up: {name}", path, kept.replace("cleanup => false", "cleanup => true"), prepare)
    yield case("unpacked: already", "x.tgz", f"source => '%R%/p.tgz', {into}, creates => '%R%/out/one'", "echo here > out/one")
    yield case("unpacked: later", "x.tgz", f"source => '%R%/p.tgz', {into}, creates => '%R%/out/one', cleanup => false", "cp p.tgz x.tgz")
    yield case("unpacked: without what it creates", "x.tgz", f"source => '%R%/p.tgz', {into}, cleanup => false")
    yield case("unpacked: nowhere", "x.tgz", "source => '%R%/p.tgz', extract => true")
    yield case("unpacked: a folder that is missing", "x.tgz", "source => '%R%/p.tgz', extract => true, extract_path => '%R%/none'")
    yield case("unpacked: cleaned up without what it creates", "x.tgz", f"source => '%R%/p.tgz', {into}")
    yield case("unpacked: gz", "x.gz", f"source => '%R%/q.gz', {into}, creates => '%R%/x'")
    yield case("unpacked: bz2", "x.bz2", f"source => '%R%/r.bz2', {into}, creates => '%R%/x'")
    yield {"name": "archive: after its folders", "setup": SETUP, "manifest": """
        archive { '%R%/new/x.tgz': source => '%R%/p.tgz', extract => true, extract_path => '%R%/into', creates => '%R%/into/one' }
        file { ['%R%/into', '%R%/new']: ensure => directory }"""}
    # Values of other kinds; modules before do not look at places of checksums.
    for name, since in {"creates": "0", "source": "0", "url": "8", "checksum_url": "8", "digest_url": "8"}.items():
        rest = "" if name in ("source", "url") else f"{hello}, "
        for value in ODD + (() if name == "creates" else ("'absent'", "''", "'a/b'")):
            yield case(f"{name} as {value}", "a", f"{rest}{name} => {value}", since=since, steps=[{}])
    yield case("drift", "a", f"{hello}, checksum => '{MD5}', checksum_type => 'md5'", "",
               steps=[{}, {}, {"before": "printf changed > a"}, {"before": "rm a"}, {}])
