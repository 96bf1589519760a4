"""Programs of the language that would take all memory end by themselves, with the limit that they met."""
from harness.bench import alone

GROWS = "Integer[1, 22].reduce(Integer) |$a, $i| { Variant[Tuple[$a, $a], Struct[{a => $a, b => $a}]] }"


def limited(run, *says):
    """It ended by itself with the error, in less memory than a plan may take."""
    text = run.out + run.err
    assert run.status == 1 and "bad_alloc" not in text, run
    assert all(one in text for one in says), run
    assert run.rss_mib < 3000, run


@alone
def test_sec_16_types_that_are_endless_as_text_are_refused(b):
    """SEC-16: a type that is small in memory and endless as text names the limit and the place, however it becomes text"""
    for use in ('notice($t)', '"${t}"', 'String($t)', 'fail($t)'):
        limited(b.run("eval", "-e", f"$t = {GROWS}\n{use}", project=False), "A text may have at most 256 MiB", "line: 2")


def test_sec_16_a_plan_that_grows_a_type_ends_with_the_limit(b):
    """SEC-16: the same in a plan of a project"""
    b.write("project/plans/grows.pp", f"plan site::grows() {{\n  $t = {GROWS}\n  out::message(\"${{t}}\")\n}}\n")
    limited(b.run("plan", "run", "site::grows"), "A text may have at most 256 MiB")

