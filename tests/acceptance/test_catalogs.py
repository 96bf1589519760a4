"""catalog compile and catalog diff over nodes and revisions (docs/catalog-tools.md)."""
import json
import os
import subprocess


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
    assert done.out == f"2 catalogs written to {b.folder}/out, 1 nodes failed\n", done
    assert done.err.count("\n") == 1 and "web2: " in done.err and "no RedHat" in done.err, done
    assert sorted(os.listdir(os.path.join(str(b.folder), "out"))) == ["db1.json", "web1.json"]
    with open(os.path.join(str(b.folder), "out", "web1.json")) as file:
        catalog = json.load(file)
    assert catalog["name"] == "web1"
    assert [one["title"] for one in catalog["resources"] if one["type"] == "Notify"] == ["on web1"]


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


def test_diff_tells_which_revision_is_wrong(b):
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
