"""Manifests of vcsrepo with git, from a repository beside it whose commits are always the same."""

# Two branches, a light tag and one with a message, a submodule's place for nothing; the third commit is made by a step.
UPSTREAM = r"""export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@x GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@x
export GIT_AUTHOR_DATE='2026-01-01T00:00:00Z' GIT_COMMITTER_DATE='2026-01-01T00:00:00Z' GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=init.defaultBranch GIT_CONFIG_VALUE_0=main
add() { echo "$2" > up/$1; git -C up add $1; git -C up commit -qm "$2"; }
"""
SETUP = UPSTREAM + r"""rm -f "$GIT_CONFIG_SYSTEM"; git init -q up; add a one; git -C up tag light; mkdir up/dir; add dir/b two; git -C up tag -a noted -m noted
git -C up branch side light; git -C up checkout -q side; add c three; git -C up checkout -q main; cp -r up other
"""
FIRST = "61c97fd8a3f531fd67632e9a4239e763401656ba"  # of UPSTREAM
SHOW = r"""for r in r/.git r; do [ -e $r/config ] || continue; git --git-dir $r config -l --local | sort; git --git-dir $r for-each-ref
cat $r/HEAD $r/info/exclude $r/info/sparse-checkout 2>&1; done; [ ! -e r/.git ] || git -C r status --porcelain; [ ! -e r ] || stat -c '%n %a %U %G' r"""
MORE = UPSTREAM + "add d four; git -C up tag -f light >/dev/null"


def case(name, attributes, setup="", **more):
    attributes = attributes if "provider" in attributes else f"provider => git, {attributes}"
    left_out = ("r/.git/", "up", "other", "r/config", "r/hooks", "r/info", "r/objects", "r/refs", "r/HEAD", "r/packed-refs", "r/FETCH_HEAD",
                "r/branches", "r/description", "r/logs", "r/index", "r/ORIG_HEAD")
    return {"name": f"vcsrepo: {name}", "manifest": f"vcsrepo {{ '%R%/r': {attributes} }}", "setup": SETUP + setup, "left_out": left_out,
            "show": SHOW, **more}


def repositories():
    up = "source => '%R%/up'"
    both = "source => { 'origin' => '%R%/up', 'second' => '%R%/other' }"
    cloned, bare = "git clone -q up r 2>&1\n", "git clone -q --bare up r 2>&1\n"
    states = {"": "", " where it is cloned": "git clone -q $PWD/up r", " where it is bare": "git clone -q --bare $PWD/up r",
              " where something else is": "mkdir r; echo else > r/x", " where a folder is empty": "mkdir r"}
    table = {
        "present": f"ensure => present, {up}",
        "without a source": "ensure => present",
        "bare": f"ensure => bare, {up}",
        "bare without a source": "ensure => bare",
        "mirror": f"ensure => mirror, {up}",
        "absent": "ensure => absent",
        "latest": f"ensure => latest, {up}",
        "by force": f"ensure => present, {up}, force => true",
        "a branch": f"ensure => present, {up}, revision => 'side'",
        "a tag": f"ensure => present, {up}, revision => 'light'",
    }
    for name, attributes in table.items():
        for state, setup in states.items():
            yield case(name + state, attributes, setup)
    others = {
        "a tag with a message": f"ensure => present, {up}, revision => 'noted'",
        "a commit": f"ensure => present, {up}, revision => '{FIRST}'",
        "no such revision": f"ensure => present, {up}, revision => 'nowhere'",
        "no such source": "ensure => present, source => '%R%/nowhere'",
        "the latest of a branch": f"ensure => latest, {up}, revision => 'side'",
        "the latest of a tag": f"ensure => latest, {up}, revision => 'light'",
        "latest by force": f"ensure => latest, {up}, force => true",
        "a revision of a bare one": f"ensure => bare, {up}, revision => 'side'",
        "a mirror of nothing": "ensure => mirror",
        "several remotes": f"ensure => present, {both}",
        "a mirror of several": f"ensure => mirror, {both}",
        "several without the one that is followed": f"ensure => present, {both}, remote => 'third'",
        "another remote": f"ensure => present, {up}, remote => 'upstream'",
        "another remote of several": f"ensure => present, {both}, remote => 'second', revision => 'side'",
        "a branch that is cloned": f"ensure => present, {up}, branch => 'side'",
        "depth": "ensure => present, source => 'file://%R%/up', depth => 1",
        "depth of a tag": "ensure => present, source => 'file://%R%/up', depth => '1', revision => 'noted'",
        "excludes": f"ensure => present, {up}, excludes => ['*.o', 'tmp']",
        "includes": f"ensure => present, {up}, includes => ['dir']",
        "includes and a revision": f"ensure => present, {up}, includes => ['dir', 'a'], revision => 'main'",
        "no submodules": f"ensure => present, {up}, submodules => false",
        "skipped hooks": f"ensure => present, {up}, skip_hooks => true",
        "hooks": f"ensure => present, {up}, skip_hooks => false",
        "an owner": f"ensure => present, {up}, owner => 'nobody', group => 'nogroup', user => 'nobody', safe_directory => false",
        "an owner who is unknown": f"ensure => present, {up}, owner => 'nobodyatall'",
        "a group": f"ensure => present, {up}, group => 'nogroup'",
        "a user who is unknown": f"ensure => present, {up}, user => 'nobodyatall'",
        "a umask": f"ensure => present, {up}, umask => '077'",
        "any certificate": f"ensure => present, {up}, trust_server_cert => true",
        "an identity": f"ensure => present, {up}, identity => '/root/key'",
        "a proxy": f"ensure => present, {up}, http_proxy => 'http://p:1'",
        "proxies": f"ensure => present, {up}, http_proxy => {{ 'origin' => 'http://p:1' }}",
        "kept changes": f"ensure => present, {up}, keep_local_changes => false, revision => 'main'",
        "of others": f"ensure => present, {up}, compression => 3, fstype => 'x', basic_auth_username => 'u', conflict => 'mine'",
        "without ensure and a source": "revision => 'main'",
        "a secret": f"ensure => present, source => Sensitive('%R%/up')",
        "noop": f"ensure => present, {up}, noop => true",
        # Mistakes.
        "a path that is relative": f"ensure => present, {up}, path => 'r'",
        "a revision with a blank": f"ensure => present, {up}, revision => 'a b'",
        "ensure that is not valid": f"ensure => here, {up}",
        "a umask that is not valid": f"ensure => present, {up}, umask => '99'",
        "a proxy that is not valid": f"ensure => present, {up}, http_proxy => 'p'",
        "a proxy of a remote that is not valid": f"ensure => present, {up}, http_proxy => {{ 'origin' => 'p' }}",
        "submodules that are not valid": f"ensure => present, {up}, submodules => maybe",
        "force that is not valid": f"ensure => present, {up}, force => maybe",
        "includes that are not valid": f"ensure => present, {up}, includes => ['/dir']",
    }
    for name, attributes in others.items():
        yield case(name, attributes)
    for name, value in {"a number": "5", "a list": "['%R%/r']", "a map": "{a => 1}"}.items():
        yield case(f"a path that is {name}", f"ensure => present, {up}, path => {value}")
    yield case("a revision of two lines", f'ensure => present, {up}, revision => "side\\na b"')
    changed = "git clone -q $PWD/up r; "
    yield case("another source", "ensure => present, source => '%R%/other'", changed)
    yield case("another source by force", "ensure => present, source => '%R%/other', force => true", changed)
    yield case("a slash more", "ensure => present, source => '%R%/up/'", changed)
    yield case("one remote more", f"ensure => present, {both}", changed)
    yield case("one remote less", f"ensure => present, {up}", changed + "git -C r remote add second $PWD/other")
    yield case("another URL of a second remote", f"ensure => present, {both}", changed + "git -C r remote add second /elsewhere")
    yield case("local changes", f"ensure => present, {up}, revision => 'side'", changed + "echo changed > r/a; echo new > r/new")
    yield case("local changes that stay", f"ensure => present, {up}, revision => 'side', keep_local_changes => true",
               changed + "git -C r config user.name A; git -C r config user.email a@x; echo changed > r/a")
    yield case("from a branch to a commit", f"ensure => present, {up}, revision => '{FIRST}'", changed + "git -C r checkout -q side")
    yield case("hooks that were skipped", f"ensure => present, {up}, skip_hooks => false", changed + "git -C r config core.hooksPath /dev/null")
    yield case("other includes", f"ensure => present, {up}, includes => ['dir'], revision => 'main'",
               changed + "git -C r sparse-checkout set --no-cone a")
    yield case("a mirror that was bare", f"ensure => mirror, {up}", "git clone -q --bare $PWD/up r; git -C r config remote.origin.url $PWD/up")
    yield case("bare that was a mirror", f"ensure => bare, {up}", "git clone -q --mirror $PWD/up r")
    # Which remote is a mirror is only known of a source.
    for wanted, there in (("mirror", "bare"), ("latest", "bare"), ("bare", "mirror"), ("latest", "mirror")):
        yield case(f"{wanted} without a source where there is a {there} one", f"ensure => {wanted}", f"git clone -q --{there} $PWD/up r")
    yield case("without commits", "ensure => present, revision => 'main'", "git init -q r")
    drift = [{}, {"before": MORE}, {}, {"before": "git -C r checkout -q HEAD~1 2>&1 || true"}, {}, {"before": "rm -r r"}, {}]
    for name, attributes in {"latest": f"ensure => latest, {up}", "present": f"ensure => present, {up}",
                             "a branch": f"ensure => present, {up}, revision => 'main'", "a tag": f"ensure => present, {up}, revision => 'light'",
                             "the latest of a branch": f"ensure => latest, {up}, revision => 'main'",
                             "a mirror": f"ensure => mirror, {up}"}.items():
        yield case(f"{name} that moves on", attributes, steps=drift)
    submodule = "git -C up -c protocol.file.allow=always submodule --quiet add $PWD/other sub; git -C up commit -qm sub; "
    yield case("a submodule", f"ensure => present, {up}", submodule)
    yield case("a submodule that is left", f"ensure => present, {up}, submodules => false", submodule)
    yield {**case("after git", f"ensure => present, {up}"), "manifest": f"""
        vcsrepo {{ '%R%/r': ensure => present, provider => git, source => '%R%/up' }}
        notify {{ 'n': }} ~> vcsrepo {{ '%R%/s': ensure => bare, provider => git }} file {{ '%R%/r/more': content => 'x' }}"""}
