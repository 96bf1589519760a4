"""Where Volley follows Puppet 8 though it speaks the language of 7.23, and what of old is at least warned about (LANG-16)."""
import json


def evaluated(b, code, *words):
    run = b.run("eval", "--format", "json", *words, "-e", code, project=False)
    assert run.out, run
    return run.json


def value(b, code, *words):
    answer = evaluated(b, code, *words)
    assert answer["error"] is None, answer
    return answer["value"]


def fails(b, code, *words):
    answer = evaluated(b, code, *words)
    assert answer["error"], answer
    return answer["error"]["message"]


def test_split_and_regsubst_keep_secrets(b):
    """LANG-16: both take Sensitive and return it, as in 8.x; no part of a secret is open, in a list of secrets neither"""
    assert value(b, "split(Sensitive('a,b'), ',').unwrap") == ["a", "b"]
    assert value(b, "split(Sensitive('a1b'), /[0-9]/).unwrap") == ["a", "b"]
    assert value(b, "split(Sensitive('a1b'), Regexp[/[0-9]/]).unwrap") == ["a", "b"]
    assert value(b, "split(Sensitive('a,b'), ',') =~ Sensitive[Array[String]]") is True
    assert value(b, "regsubst(Sensitive('abc'), 'b', 'x').unwrap") == "axc"
    assert value(b, "regsubst(Sensitive('abab'), /b/, 'x', 'G').unwrap") == "axax"
    assert value(b, "regsubst(Sensitive('abc'), 'b', 'x') =~ Sensitive[String]") is True
    assert value(b, "regsubst(['b', Sensitive('ab')], 'b', 'x').map |$x| { $x =~ Sensitive }") == [False, True]
    assert value(b, "regsubst(['b', Sensitive('ab')], 'b', 'x')[1].unwrap") == "ax"
    assert value(b, "regsubst(Sensitive(['b', 'ab']), /b/, 'x').unwrap") == ["x", "ax"]
    assert value(b, "regsubst(Sensitive(['b', 'ab']), /b/, 'x') =~ Sensitive") is True
    for code in ("split(Sensitive(1), ',')", "regsubst(Sensitive(1), 'a', 'b')", "regsubst([1], 'a', 'b')", "split(1, ',')"):
        message = fails(b, code)
        assert "expects one of" in message or "expects a" in message, message
        assert "Sensitive[String] sensitive" not in message, message  # the words are those of 7.23


def test_nodes_that_look_around_are_their_own(b):
    """LANG-16: /(?<!a)sync/ and /async/ do not collide, neither do other ways to look around; equal ones still do"""
    for one, two in (("(?<!a)sync", "async"), ("(?=a)sync", "async"), ("(?!a)b", "(?=a)b"), ("(?<=a)b", "(?<!a)b"), ("a(?!b)", "ab")):
        code = f"node /{one}/ {{ notify {{ 'one': }} }}\nnode /{two}/ {{ notify {{ 'two': }} }}\nnode default {{ }}"
        b.write("site.pp", code)
        run = b.run("catalog", "compile", "site.pp", "--node", "other", project=False)
        assert run.status == 0, (one, two, run)
    b.write("site.pp", "node /a.b/ { }\nnode /ab./ { }\nnode /a.b/ { }\n")
    run = b.run("catalog", "compile", "site.pp", "--node", "other", project=False)
    assert run.status == 1 and "already defined" in run.err, run


def test_types_of_class_parameters_are_literal(b):
    """LANG-16: a class parameter whose type is computed is a warning; a literal one is none, and functions may do it"""
    def warnings(code):
        return [log["message"] for log in evaluated(b, code)["logs"] if log["level"] == "warning"]

    for parameter in ("Integer[2-1] $p = 1", "Enum[$x] $p", "Optional[[String]] $p", "Struct[{a => Integer[1+1]}] $p"):
        found = warnings(f"class t({parameter}) {{ }}")
        assert len(found) == 1 and "The parameter '$p' must be a literal type, not" in found[0], (parameter, found)
    for parameter in ("Integer[-1, 1] $p = 1", "Enum['a', b] $p = a", "Struct[{a => Integer, Optional[b] => Array[String]}] $p = {a => 1}",
                      "Pattern[/a/] $p = 'a'", "Variant[Integer, Enum[a]] $p = 1", "$p = 1", "Integer $p = 1 + 1", "Hash[String, Any, 1, default] $p = {a => 1}"):
        assert warnings(f"class t({parameter}) {{ }} include t") == [], parameter
    assert warnings("define d(Integer[2-1] $p) { }") == []


def test_equal_keys_are_found(b):
    """LANG-16: equal keys are an error also when they are negative numbers or types; different ones are none"""
    for key, shown in (("-1", "-1"), ("-1.5", "-1.5"), ("Integer[1]", "Integer[1]"), ("Integer[-1, 2]", "Integer[-1, 2]"),
                       ("[1, -2]", "[1, -2]"), ("String", "String"), ("Enum[a, b]", "Enum['a', 'b']"), ("{a => 1}", "{'a' => 1}")):
        message = fails(b, f"$h = {{{key} => 1, {key} => 2}}")
        assert f"The key '{shown}' is declared more than once" in message, message
    assert value(b, "{Integer[1] => 1, Integer[2] => 2, String[1] => 3, [1] => 4, 1 => 5, -1 => 6, [Integer, [1]] => 7}.size") == 7
    assert value(b, "$x = 1 $h = {Integer[$x] => 1} $h.size") == 1


def test_a_heredoc_in_a_heredoc_is_refused(b):
    """LANG-16: the inner text would be part of the outer one; one in a plain string or after the other is fine"""
    message = fails(b, '$x = @("A")\n  one ${upcase(@(B))} two\n  inner\n  | B\n  three\n  | A\n$x')
    assert "A heredoc cannot stand in an interpolation of another one" in message, message
    assert value(b, '$x = @(B)\n  inner\n  | B\n$y = @("A")\n  one ${x} three\n  | A\n$y') == "one inner\n three\n"
    assert value(b, '[@(A), @(B)]\n  a\n  | A\n  b\n  | B\n') == ["a\n", "b\n"]


def test_data_providers_of_old_are_warned_about(b):
    """LANG-16: data_provider (4.3 to 4.8) finds nothing any more, which a warning says; with a hiera.yaml it is not needed"""
    metadata = {"name": "x-m", "author": "x", "version": "1.0.0", "license": "x", "source": "x", "dependencies": []}
    for module, provider in (("hash", "hash"), ("fun", "function"), ("none", "none"), ("done", "hash"), ("plain", None)):
        more = {"data_provider": provider} if provider else {"nested": {"data_provider": "hash"}}
        b.write(f"envs/production/modules/{module}/metadata.json", json.dumps({**metadata, "name": f"x-{module}", **more}))
    b.write("envs/production/modules/done/hiera.yaml", "version: 5\n")
    b.write("envs/production/environment.conf", "environment_data_provider = function\n")
    run = b.run("eval", "--environmentpath", "envs", "-e", "lookup('a', {default_value => 1})", project=False)
    assert run.status == 0 and run.out == "1\n", run
    warned = [line for line in run.err.splitlines() if "provider" in line]
    assert len(warned) == 3, run
    for text in (f"The environment_data_provider 'function' in {b.folder}/envs/production/environment.conf is not used any more",
                 f"The data_provider 'hash' in {b.folder}/envs/production/modules/hash/metadata.json is not used any more",
                 f"The data_provider 'function' in {b.folder}/envs/production/modules/fun/metadata.json is not used any more"):
        assert any(text in line for line in warned), (text, run)
    b.write("envs/production/hiera.yaml", "version: 5\n")
    run = b.run("eval", "--environmentpath", "envs", "-e", "1", project=False)
    assert "environment_data_provider" not in run.err, run
