"""LANG-1: exported resources that nothing collects are in no catalog."""
import json

from test_apply import apply, ready


def test_apl_021_an_exported_resource_that_nothing_collects_is_not_applied(b):
    """LANG-1, APL-021: neither as a statement, nor from create_resources, nor in a defined type"""
    place = ready(b)
    code = (f"@@file {{ '{place}/statement': content => 'x' }}\n"
            f"create_resources('@@file', {{ '{place}/function' => {{ 'content' => 'x' }} }})\n"
            f"define d() {{ @@file {{ $title: content => 'x' }} }}\nd {{ '{place}/define': }}\n"
            f"@@file {{ '{place}/collected': content => 'x' }}\nFile <| title == '{place}/collected' |>\n"
            f"file {{ '{place}/real': content => 'x' }}\n")
    run = apply(b, code)
    assert run.status == 0, run
    assert sorted(path.name for path in place.iterdir()) == ["collected", "real"], run


def test_catalogs_show_exported_resources_only_with_all_resources(b):
    """LANG-1: also a virtual one; those that are collected are there in any case"""
    code = "@@notify { 'e': } @notify { 'v': } notify { 'n': } @@notify { 'c': } Notify <| title == 'c' |>"

    def shown(*words):
        run = b.run("catalog", "compile", "-e", code, "--log-level", "err", *words, project=False)
        assert run.status == 0, run
        catalog = json.loads(run.out)
        resources = (catalog.get("catalog") or catalog)["resources"]
        return sorted((one["title"], one["exported"]) for one in resources if one["type"] == "Notify")

    for form in ([], ["--format", "json", "--log-format", "json"]):
        assert shown(*form) == [("c", True), ("n", False)]
        assert shown(*form, "--all-resources") == [("c", True), ("e", True), ("n", False), ("v", False)]
    assert shown("--format", "json") == [("c", True), ("n", False)]
