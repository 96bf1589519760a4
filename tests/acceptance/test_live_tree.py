"""The live view of a plan: its steps as a tree, below the plans and branches that they are in."""
import json

from test_live_view import go_on, has, nested, press, watch


def project(b, targets):
    b.inventory(f"config: {{transport: local}}\ntargets: [{', '.join(targets)}]\n")
    b.write("project/bolt-project.yaml", "name: site\n")


def begins(rows, *beginnings):
    return all(any(row.startswith(beginning) for row in rows) for beginning in beginnings)


def test_branches_of_a_plan_in_a_plan(b):
    """USER-F4: each step below its plan and branch, what failed too; the call of parallelize counts its branches"""
    project(b, "abc")
    mark, wait = go_on(b)
    nested(b, wait)
    screen, seen, status = watch(
        b, "plan", "run", "site::p", columns=100, then=lambda *_: mark.write_text(""),
        seen=has("|- command 'true': 1 of 1 done", "`- plan site::inner > parallelize at inner.pp:2: 1 of 3 branches finished, 1 failed, 2 running",
                 "   |- branch 1 (a) > wait on a: 0 of 1 done, 1 running", "   |- branch 2 (b), failed > break it: 1 of 1 done, 1 failed",
                 "   `- branch 3 (c) > wait on c: 0 of 1 done, 1 running", "  gone wrong"))
    rows = screen.scrolled + screen.rows()
    assert status == 0 and begins(seen, "plan site::p: 1 of 3 done, 2 running (a, c), 1 failed, "), seen
    assert not any("branches finished" in row for row in rows), rows


def test_blocks_in_the_background(b):
    """USER-F4: by their names; those that went well are only counted"""
    project(b, "ab")
    mark, wait = go_on(b)
    b.write("project/plans/p.pp", f"""plan site::p() {{
  $first = background() || {{ run_command('true', 'a') }}
  wait($first)
  $second = background('backup') || {{ run_command('{wait}', 'a', 'save it') }}
  run_command('{wait}', 'b', 'meanwhile')
  wait($second)
}}
""")
    _, seen, status = watch(b, "plan", "run", "site::p", columns=100, then=lambda *_: mark.write_text(""),
                            seen=has("|- background: 1 of 2 blocks finished, 1 running", "|  `- background 'backup' > save it: 0 of 1 done, 1 running",
                                     "`- meanwhile: 0 of 1 done, 1 running"))
    assert status == 0, seen


def test_many_branches(b):
    """USER-F4: no more of them than the terminal has rows for, those that run first; the rest is counted"""
    project(b, "a")
    mark, wait = go_on(b)
    b.write("project/plans/p.pp", f"""plan site::p() {{
  parallelize(Integer[1, 200].map |$n| {{ $n }}) |$n| {{
    if $n == 7 {{ fail_plan('unlucky') }}
    unless $n <= 50 {{ run_command('{wait}', 'a', "wait of ${{n}}") }}
  }}
}}
""")
    _, seen, status = watch(b, "plan", "run", "site::p", "-c", "5", then=lambda *_: mark.write_text(""),
                            seen=has("parallelize at p.pp:2: 50 of 200 branches finished, 1 failed, 150 running", "branch 51 (51) > wait of 51: 0 of 1",
                                     "branch 7 (7): failed after 0 steps", "steps more"))
    assert status == 1 and len(seen) <= 24 and all(len(row) <= 80 for row in seen), (status, seen)


def test_keys_in_the_tree(b):
    """USER-F4: a branch is opened and a target in it stopped; the other branches go on"""
    project(b, "abc")
    mark, wait = go_on(b)
    nested(b, wait)
    screen, seen, status = watch(b, "plan", "run", "site::p", columns=100, seen=has("branch 3 (c) > wait on c", "1 failed, 2 running"),
                                 then=press("jj\r"), more=[
        (lambda rows: begins(rows, "parallelize at inner.pp:2: 1 of 3 branches finished", "`- branch 3 (c) > wait on c"), press("j\r")),
        (lambda rows: begins(rows, "wait on a: 0 of 1 done, 1 running", "  a  "), press("j")),
        (has("> a  "), press("o")),
        (has("a, for ", "on it"), press("sy")),
        (has("2 of 3 done, 1 running (c)"), lambda *_: mark.write_text(""))])
    run = b.run("run", "show", "--format", "json").json
    assert "Stopped by the user" in json.dumps(run) and [step["path"] for step in run["steps"]][0] == [], run


def test_the_journal_has_the_same_tree(b):
    """USER-F4: run show; for programs, each step has its path"""
    project(b, "abc")
    mark, wait = go_on(b)
    nested(b, wait)
    mark.write_text("")
    assert b.run("plan", "run", "site::p").status == 0
    shown = b.run("run", "show").out
    assert ("\nPlan site::inner:\n  Parallelize at inner.pp:2:\n    Branch 1 (a):\n      Step: wait on a on a\n        Finished on a:\n"
            "          on it\n    Branch 2 (b):\n      Step: break it on b\n        Failed on b:\n") in shown, shown
    paths = [step["path"] for step in b.run("run", "show", "--format", "json").json["steps"]]
    assert paths[:2] == [[], ["plan site::inner", "parallelize at inner.pp:2", "branch 1 (a)"]], paths
