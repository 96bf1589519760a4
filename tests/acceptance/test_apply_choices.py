"""What of a catalog is applied, and how a change is shown before it is made."""
import json

from test_agentless import ready


def test_tags_and_schedules_choose_the_resources_of_an_apply(b):
    """issue 13: tags, skip_tags and ignored schedules from the command line, as with puppet agent"""
    place = ready(b)
    b.write("project/site.pp", f"""
        class web {{ file {{ '{place}/web': content => 'x' }} }} class db {{ file {{ '{place}/db': content => 'x' }} }} include web, db
        schedule {{ 'never again': period => never }}
        file {{ '{place}/late': content => 'x', schedule => 'never again', tag => 'late' }}""")

    def made(*words):
        run = b.run("apply", "project/site.pp", "-t", "here", "--format", "json", *words)
        assert run.status == 0, run
        names = sorted(path.name for path in place.iterdir())
        for path in place.iterdir():
            path.unlink()
        return names
    assert made() == ["db", "web"]
    assert made("--tags", "web") == ["web"]
    assert made("--tags", "WEB, late", "--ignore-schedules") == ["late", "web"]
    assert made("--skip-tags", "db") == ["web"]
    assert made("--ignore-schedules") == ["db", "late", "web"]
    wrong = b.run("apply", "project/site.pp", "-t", "here", "--tags", " ,")
    assert wrong.status == 1 and "contains no tag" in wrong.out and not list(place.iterdir()), wrong


def test_a_puppet_agent_is_given_the_same_choice(b):
    """issue 13: the options mean the same whoever applies"""
    ready(b, "puppet-agent")
    b.inventory(json.dumps({"targets": [{"uri": "here", "config": {"transport": "local"}, "features": ["puppet-agent"]}]}))
    b.write("bin/ruby", f"#!/bin/sh\ncat >> {b.folder}/request\necho '{{}}'\n", 0o755)
    b.write("bin/puppet", f"#!{b.folder}/bin/ruby\n", 0o755)
    b.run("apply", "-e", "notify { 'n': }", "-t", "here", "--tags", "a,b", "--skip-tags", "c", "--ignore-schedules")
    text = (b.folder / "request").read_text(errors="replace")
    for part in ('"tags":"a,b"', '"skip_tags":"c"', '"ignoreschedules":true'):
        assert part in text.replace('": ', '":'), text[-3000:]


def test_noop_on_a_terminal_shows_differences_in_colors(b):
    """issue 13: diffs as a user wants to read them; in a pipe, or with --no-show-diff, none"""
    place = ready(b)
    (place / "f").write_text("same\nold\n")
    b.write("project/site.pp", f"file {{ '{place}/f': content => \"same\\nnew\\n\" }}")
    words = ("apply", "project/site.pp", "-t", "here", "--noop", "--verbose")
    shown = b.terminal(*words)[0].replace("\r", "")
    assert "\x1b[31m  -old\x1b[0m\n\x1b[32m  +new\x1b[0m\n" in shown, shown
    assert "\n   same\n" in shown, shown
    assert "+new" not in b.terminal(*words, "--no-show-diff")[0]
    plain = b.terminal(*words, "--no-color")[0]
    assert "  +new" in plain and "\x1b[32m" not in plain, plain
    assert "+new" not in b.run(*words).out
    b.write("project/bolt-project.yaml", json.dumps({"name": "site", "apply-method": "agentless", "apply-settings": {"show_diff": False}}))
    assert "+new" not in b.terminal(*words)[0], "apply-settings counts"
    assert (place / "f").read_text() == "same\nold\n"
