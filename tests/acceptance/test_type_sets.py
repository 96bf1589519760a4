"""Type sets of modules."""


def test_members_of_a_type_set_have_short_forms(b):
    """LANG-13: inside of `types` a member may be a bare hash, `Object {...}`, or `Parent {...}`, with and without brackets of the set"""
    members = """pcore_version => '1.0.0', version => '1.0.0', types => {
      Plain => { attributes => { a => Integer } },
      Other => Object { attributes => { b => String } },
      Child => Plain { attributes => { c => String } },
      Old => Object[{ attributes => { d => String } }],
      Num => Integer[1, 5],
    }"""
    code = "notice(Ts::Plain(1), Ts::Other('x'), Ts::Child(1, 'y'), Ts::Old('z'), 3 =~ Ts::Num, Ts::Child(1, 'y') =~ Ts::Plain)"
    shown = "Ts::Plain({'a' => 1}) Ts::Other({'b' => 'x'}) Ts::Child({'a' => 1, 'c' => 'y'}) Ts::Old({'d' => 'z'}) true true"
    for opening, closing in (("TypeSet[{", "}]"), ("TypeSet {", "}")):
        b.write("modules/ts/types/init_typeset.pp", f"type Ts = {opening} {members} {closing}\n")
        run = b.run("eval", "--modulepath", "modules", "-e", code, project=False)
        assert run.status == 0 and shown in run.err, run
    b.write("modules/ts/types/init_typeset.pp", f"type Ts = TypeSet[{{ {members.replace('Plain {', 'Plain { parent => Other, ')} }}]\n")
    run = b.run("eval", "--modulepath", "modules", "-e", code, project=False)
    assert run.status == 1 and "The key 'parent' is declared more than once" in run.err, run
