"""catalog compile, diff and graph: nodes, revisions, wrong input, what a browser shows (docs/catalog-tools.md)."""
import json
import os
import shutil
import signal
import stat
import subprocess

from harness.bench import HANGS, Skip
from harness.browser import Browser
from harness.patience import wait_for


def run(b, *arguments, **settings):
    return b.run(*arguments, project=False, **settings)


def git(b, *arguments):
    settings = {"GIT_AUTHOR_NAME": "t", "GIT_AUTHOR_EMAIL": "t@example.com", "GIT_COMMITTER_NAME": "t",
                "GIT_COMMITTER_EMAIL": "t@example.com", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
    done = subprocess.run(["git", "-C", str(b.folder), *arguments], env={**os.environ, **settings},
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def three_nodes(b):
    for name, family in (("web1", "Debian"), ("web2", "RedHat"), ("db1", "Debian")):
        b.write(f"facts/{name}.json", json.dumps({"family": family}))


def test_a_folder_of_facts_is_a_catalog_for_each_node(b):
    three_nodes(b)
    b.write("site.pp", 'if $family == "RedHat" { fail("no RedHat") }\nnotify { "on ${trusted[certname]}": }\n')
    done = run(b, "catalog", "compile", "site.pp", "--facts", "facts", "--output", "out")
    assert done.status == 1, done
    assert done.out == f"2 catalogs written to {b.folder}/out, 1 node failed\n", done
    assert done.err.count("\n") == 1 and "web2: " in done.err and "no RedHat" in done.err, done
    assert sorted(os.listdir(os.path.join(str(b.folder), "out"))) == ["db1.json", "web1.json"]
    with open(os.path.join(str(b.folder), "out", "web1.json")) as file:
        catalog = json.load(file)
    assert catalog["name"] == "web1"
    assert [one["title"] for one in catalog["resources"] if one["type"] == "Notify"] == ["on web1"]
    mode = os.stat(os.path.join(str(b.folder), "out", "web1.json")).st_mode
    assert stat.S_IMODE(mode) == 0o600, "catalogs hold secrets in plain text"


def test_a_folder_of_facts_needs_a_folder_for_the_catalogs(b):
    three_nodes(b)
    done = run(b, "catalog", "compile", "-e", "1", "--facts", "facts")
    assert done.status == 2 and done.out == "" and "--output DIR" in done.err and done.err.count("\n") == 1, done
    done = run(b, "catalog", "compile", "-e", "1", "--output", "out")
    assert done.status == 2 and "--facts must be a folder" in done.err, done


def test_diff_compiles_two_revisions_for_each_node(b):
    three_nodes(b)
    b.write("manifests/site.pp", "include m\n")
    b.write("modules/m/manifests/init.pp", 'class m { file { "/etc/m": content => "one\\ntwo\\n" } }\n')
    git(b, "init", "-q")
    git(b, "add", "manifests", "modules")
    git(b, "commit", "-q", "-m", "one")
    git(b, "tag", "one")
    b.write("modules/m/manifests/init.pp",
            'class m { file { "/etc/m": content => "one\\n2\\n" } if $family == "RedHat" { notify { "new": } } }\n')
    words = ["catalog", "diff", "--from", "one", "manifests/site.pp", "--modulepath", "modules", "--facts", "facts"]
    done = run(b, *words)
    changed = "~ File[/etc/m]\n    content:\n       one\n      -two\n      +2\n"
    assert done.status == 1 and done.err == "", done
    assert done.out.startswith("db1:\n" + changed + "web1:\n" + changed + "web2:\n+ Notify[new]\n" + changed), done.out
    git(b, "commit", "-q", "-a", "-m", "two")
    done = run(b, *words, "--to", "HEAD", "--format", "json")
    assert done.status == 1 and sorted(done.json) == ["db1", "web1", "web2"], done
    assert done.json["web2"]["added"] == ["Notify[new]"]
    done = run(b, *words[:2], "--from", "HEAD", *words[4:])
    assert (done.status, done.out) == (0, "The catalogs are the same.\n"), done
    # The repository is as it was.
    status = subprocess.run(["git", "-C", str(b.folder), "status", "--porcelain", "-uno"], capture_output=True, text=True)
    assert status.stdout == "", status


def test_diff_reports_which_revision_is_wrong(b):
    b.write("site.pp", "fail('early')\n")
    git(b, "init", "-q")
    git(b, "add", "site.pp")
    git(b, "commit", "-q", "-m", "one")
    b.write("site.pp", "notify { 'fine': }\n")
    done = run(b, "catalog", "diff", "--from", "HEAD", "site.pp")
    assert done.status == 2 and done.out.startswith("! before: Evaluation Error"), done
    assert "early (file: HEAD:site.pp, line: 1, column: 1)" in done.out, done
    done = run(b, "catalog", "diff", "--from", "nosuch", "site.pp")
    assert done.status == 2 and done.out == "" and done.err == f"There is no revision 'nosuch' in {b.folder}\n", done
    done = run(b, "catalog", "diff", "--to", "HEAD", "site.pp")
    assert done.status == 2 and "--from" in done.err, done


def test_diff_with_a_revision_that_lacks_files(b):
    """Hiera data that came later are a difference; a manifest that is not there is reported as the revision calls it"""
    b.write("manifests/old.pp", "class c($p = 'code') { notify { $p: } }\ninclude c\n")
    git(b, "init", "-q")
    git(b, "add", "manifests")
    git(b, "commit", "-q", "-m", "one")
    b.write("hiera.yaml", "version: 5\nhierarchy:\n  - name: all\n    path: all.yaml\n")
    b.write("data/all.yaml", "c::p: data\n")
    words = ["--from", "HEAD", "--hiera-config", "hiera.yaml"]
    done = run(b, "catalog", "diff", *words, "manifests/old.pp")
    assert done.status == 1 and done.out.startswith("+ Notify[data]\n- Notify[code]\n"), done
    b.write("manifests/new.pp", "")
    refused(b, "diff", *words, "manifests/new.pp", says="Could not find file HEAD:manifests/new.pp\n")


def test_diff_that_is_interrupted_leaves_nothing(b):
    """Ctrl-C: the files of both revisions are removed, and the process ends by the signal"""
    b.write("site.pp", "Integer[1, 100000000].each |$i| { $x = $i }\n")
    git(b, "init", "-q")
    git(b, "add", "site.pp")
    git(b, "commit", "-q", "-m", "one")
    scratch = b.folder / "tmp"
    scratch.mkdir()
    child = b.start("catalog", "diff", "--from", "HEAD", "--to", "HEAD", "site.pp", project=False, env={"TMPDIR": str(scratch)})
    wait_for(lambda: len(list(scratch.glob("volley-revision-*/*/site.pp"))) == 2, "the files of both revisions")
    child.send_signal(signal.SIGINT)
    child.communicate(timeout=HANGS)
    assert child.returncode == -signal.SIGINT and list(scratch.iterdir()) == [], list(scratch.rglob("*"))


def refused(b, *words, says, status=2, stdin=b""):
    """One line on standard error that says what is wrong, and nothing else."""
    done = run(b, "catalog", *words, stdin=stdin)
    assert done.status == status and done.out == "" and done.err.count("\n") == 1, done
    assert says in done.err, done


def test_wrong_input_is_reported_in_one_line(b):
    """What is wrong, in which file, at which place"""
    three_nodes(b)
    here = b.folder
    b.write("site.pp", "notify { 'x': }\n")
    b.write("wrong.json", '{"a": 1,\n "b": x}')
    b.write("list.json", "[1]")
    b.write("empty.json", "")
    b.write("deep.json", '{"a": ' + "[" * 100000 + "]" * 100000 + "}")
    for name, says in (("wrong.json", "wrong.json (facts) is not valid JSON: line 2, column 7"),
                       ("list.json", "list.json (facts) must hold a JSON object"),
                       ("empty.json", "empty.json (facts) is not valid JSON: line 1, column 1: the text is empty"),
                       ("deep.json", "deep.json (facts) is nested more than 1000 levels deep"),
                       ("none.json", "No such file or directory")):
        refused(b, "compile", "site.pp", "--facts", name, says=says, status=1)
    refused(b, "compile", "site.pp", "--hiera-config", "none.yaml", status=1,
            says=f"The Hiera configuration {here}/none.yaml does not exist")
    refused(b, "compile", "site.pp", "--facts", "facts", "--output", "site.pp",
            says=f"Cannot make the folder {here}/site.pp: Not a directory")
    refused(b, "compile", "site.pp", "--facts", "facts", "--output", "out", "--node", "web1", says="leave it out")
    refused(b, "compile", "site.pp", "--facts", "facts", "--facter", "--output", "out", says="use one of them")
    b.write("modules/m/manifests/init.pp", b"\xef\xbb\xbfclass m { }")
    refused(b, "compile", "-e", "include m", "--modulepath", "modules", status=1,
            says=f"Illegal UTF-8 Byte Order mark at beginning of input: [EF BB BF] - remove these from the puppet source "
                 f"(file: {here}/modules/m/manifests/init.pp)")
    (here / "bare").mkdir()
    (here / "other").mkdir()
    refused(b, "diff", "bare", "other", says="Neither bare nor other has a catalog: no file NODE.json")
    refused(b, "diff", "bare", "none", says="There is no file or folder none")
    refused(b, "diff", "bare", "list.json", says="bare is a folder and list.json is not")
    refused(b, "diff", "list.json", "wrong.json", says="list.json is not a catalog: it has no list of resources")
    refused(b, "diff", "wrong.json", "list.json", says="wrong.json is not valid JSON: line 2, column 7")
    refused(b, "diff", "--from", "HEAD", "site.pp", says=f"{here} is in no git repository")
    refused(b, "graph", "deep.json", says="deep.json is nested more than 1000 levels deep")
    refused(b, "graph", "-", stdin=b"[", says="Standard input is not valid JSON: line 1, column 2")


def test_module_folders_that_cannot_be_read_are_reported(b):
    """A class is unknown because its folder is not there: a warning reports it, to people"""
    b.write("modules/m/manifests/init.pp", "class m { }\n")
    words = ["catalog", "compile", "-e", "include m", "--modulepath", "none:modules"]
    done = run(b, *words)
    assert done.status == 0 and done.json["name"], done
    assert done.err == f"Warning: The module folder {b.folder}/none cannot be read: No such file or directory\n", done
    assert run(b, *words, "--format", "json").json["logs"] == []


def notices(done):
    assert done.status == 0, done
    return [one["title"] for one in done.json["resources"] if one["type"] == "Notify"]


def test_facts_come_from_files_programs_and_standard_input(b):
    """--facts -, the answer of puppet facts, --facter with facts of modules"""
    code = ["catalog", "compile", "-e", 'notify { "${facts[\'kernel\']} ${facts[\'mine\']}": }']
    assert notices(run(b, *code, "--facts", "-", stdin='{"kernel": "piped"}')) == ["piped "]
    b.write("found.json", json.dumps({"name": "web1", "values": {"kernel": "found"}, "timestamp": "now"}))
    assert notices(run(b, *code, "--facts", "found.json")) == ["found "]
    if not shutil.which("facter"):
        raise Skip("there is no program facter")
    b.write("modules/m/lib/facter/mine.rb", "Facter.add(:mine) { setcode { 'of a module' } }\n")
    assert notices(run(b, *code, "--facter", "--modulepath", "modules")) == ["Linux of a module"]
    b.write("bin/git", "")
    done = run(b, *code, "--facter", env={"PATH": str(b.folder / "bin")})
    assert done.status == 1 and "facter is not installed on this machine" in done.err, done


def test_the_main_manifest_of_an_environment_is_the_code(b):
    b.write("code/prod/manifests/site.pp", "notify { 'of the environment': }\n")
    words = ["catalog", "compile", "--environmentpath", "code", "--environment", "prod"]
    assert notices(run(b, *words)) == ["of the environment"]
    assert notices(run(b, *words, "-e", "notify { 'x': }")) == ["x"]


def test_diff_of_two_nodes_warns(b):
    for name in ("web1", "web2"):
        b.write(f"{name}.json", json.dumps({"name": name, "resources": [], "edges": [], "classes": []}))
    done = run(b, "catalog", "diff", "web1.json", "web2.json")
    assert done.out == '! These are the catalogs of two nodes: "web1" and "web2"\nThe catalogs are the same.\n', done
    text, status = b.terminal("catalog", "diff", "web1.json", "web1.json", project=False)
    assert status == 0 and text == "The catalogs are the same.\r\n", text


def drawn(b, code, **settings):
    """The page of that code's catalog in a browser."""
    done = run(b, "catalog", "compile", "-e", code, "--node", "web1", "--format", "json", "--log-format", "json")
    assert done.status == 0, done
    page = b.write("page.html", run(b, "catalog", "graph", "--html", "-", stdin=done.stdout).stdout)
    browser = Browser(**settings)
    b.undo(browser.close)
    browser.open(f"file://{page}")
    assert browser.complaints == [] and browser.requests == [f"file://{page}"], (browser.complaints, browser.requests)
    return browser


LINKS = "[...document.querySelectorAll('#tree a')].filter(a => a.getClientRects().length).map(a => a.textContent)"


def press(browser, key, code=0):
    for kind in ("rawKeyDown", "keyUp"):
        browser.call("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code)


def test_graph_page_is_browsed_with_the_keyboard(b):
    """What contains what, all about a resource, links, addresses; neither secrets nor markup of a catalog"""
    browser = drawn(b, """class web { file { '/etc/web': content => "<b>one\n", notify => Service['web'] } service { 'web': }
                          user { 'u': password => Sensitive('hunter2'), comment => '</script><script>window.hacked=1</script>' } }
                          include web""")
    assert browser.evaluate("document.title") == "web1"
    assert browser.evaluate(LINKS) == ["Stage[main]", "Class[Settings]", "Class[main]", "Class[Web]", "File[/etc/web]",
                                       "Service[web]", "User[u]"]
    assert "User" in browser.evaluate("detail.innerText"), "types are counted before something is chosen"
    press(browser, "/", 191)
    browser.type("etc")
    assert browser.evaluate(LINKS) == ["File[/etc/web]"] and browser.evaluate("count.textContent") == "1 of 7 resources"
    press(browser, "ArrowDown", 40)
    browser.evaluate("document.activeElement.click()")
    shown = browser.evaluate("detail.innerText")
    assert shown.startswith("File[/etc/web]\n") and "<b>one" in shown and "notifies\tService[web]" in shown, shown
    press(browser, "Escape", 27)
    assert len(browser.evaluate(LINKS)) == 7 and browser.evaluate("document.querySelector('.chosen').textContent") == "File[/etc/web]"
    browser.evaluate("[...detail.querySelectorAll('a')].find(a => a.textContent === 'Service[web]').click()")
    assert "notified by\tFile[/etc/web]" in browser.evaluate("new Promise(done => setTimeout(() => done(detail.innerText), 100))")
    browser.evaluate("new Promise(done => { window.onpopstate = () => setTimeout(done, 100); history.back(); })")
    assert browser.evaluate("detail.querySelector('h2').textContent") == "File[/etc/web]"
    assert browser.evaluate("window.hacked === undefined && !document.documentElement.outerHTML.includes('hunter2')")


def test_graph_page_of_thousands_of_resources(b):
    """Folded, searched, and readable in the dark and on a phone"""
    browser = drawn(b, "Integer[1, 20].each |$c| { Integer[1, 100].each |$i| { file { \"/srv/c${c}/f${i}\": } } }", width=400, phone=True)
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    assert browser.evaluate(LINKS) == ["Stage[main]", "Class[Settings]", "Class[main]"]
    assert browser.evaluate("document.documentElement.scrollWidth") <= 400
    dark = browser.evaluate("matchMedia('(prefers-color-scheme: dark)').matches && getComputedStyle(element('find')).backgroundColor")
    assert dark != "rgb(255, 255, 255)", dark
    for words, count, shown in (("/f7", 220, 220), ("file", 2000, 1001), ("nothing like it", 0, 1)):
        browser.evaluate("(element('find').focus(), element('find').select())")
        browser.type(words)
        assert browser.evaluate("count.textContent") == f"{count} of 2003 resources", words
        assert browser.evaluate("document.querySelectorAll('#tree li').length") == shown, words
    assert browser.evaluate("document.querySelector('#tree').innerText") == "Nothing is called so."
