"""What docs/ and README show is run: every command that begins with `volley`, with its output where it is shown."""
from harness.bench import needs_root
from harness.docs import blocks, commands_of, files_of, masked, matches, pages, run_page

# These have tests that say more about what their plans do.
ELSEWHERE = {"plans.md": "test_docs_plans.py", "yaml-plans.md": "test_docs_plans.py", "testing-plans.md": "test_docs_plans.py"}


def page_test(page):
    def test(b):
        outputs, skipped = run_page(b, page, b.volley)
        assert outputs or skipped
        for command, reason in skipped.items():
            print(f"# {page.name}: not run ({reason}): {command}", flush=True)
    test.__doc__ = f"{page.name}: USER-C7, what it shows is so"
    return needs_root(test)


for one in pages():
    if one.name not in ELSEWHERE and any(True for _ in commands_of(one.read_text())):
        globals()["test_docs_" + one.stem.replace("-", "_").lower()] = page_test(one)


def test_docs_that_are_wrong_are_found(b):
    """The reader of pages finds commands, files and outputs, and a difference is a difference"""
    page = ("Text `volley x`.\n\n    # a/b.yaml\n    key: 1\n\n    volley one 'two\n    three' |\n        cat   # words\n    other\n\n"
            "```console\n$ volley four\nFinished on a:\n...\nend\n\n$ volley five\n```\n\n    facter | volley six -\n")
    assert list(files_of(page)) == [("a/b.yaml", "# a/b.yaml\nkey: 1\n")]
    assert list(commands_of(page)) == [
        ("volley one 'two\nthree' |\n    cat   # words", None), ("facter | volley six -", None),
        ("volley four", ["Finished on a:", "...", "end"]), ("volley five", [])]
    assert len(list(blocks(page))) == 3
    assert matches(["a", "...", "z"], ["a", "b", "c", "z"]) and matches(["a", "...", "z"], ["a", "z"])
    assert not matches(["a", "z"], ["a", "b", "z"]) and not matches(["a"], ["a", "b"]) and not matches(["a", "b"], ["b", "a"])
    two = ["Finished on a:", "  1", "Finished on b:", "  2"]
    assert matches(two, two[2:] + two[:2]) and not matches(two, [*two[2:], "Finished on a:", "  3"])
    took = ("Ran in 0.25 sec", "Ran in 12 s", "Ran in 1 min, 4 sec", "Ran in 2 hr, 0 min, 59 sec")
    assert {masked(line, []) for line in took} == {"Ran in N sec"}, took
    b.project.joinpath("page.md").write_text("    $ volley eval -e '1 + 1'\n    3\n")
    try:
        run_page(b, b.project / "page.md", b.volley)
    except AssertionError as error:
        assert "but it printed\n2" in str(error), error
    else:
        raise AssertionError("a wrong output was not found")
