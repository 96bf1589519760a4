"""What native Ruby leaves behind: the constants and instance variables of functions, lines of the log, and what a
function of the older interface means by the name of another. Puppet's answers are those of version 7.23."""
from test_ruby_interface import evaluated, function, older, value

from harness.bench import needs_native_ruby


def test_constants_of_functions_keep_what_changes_in_them(b):
    """CODE-1.7: a list in a list that a constant holds is one object, in a call and from call to call"""
    function(b, "x", """
  LIST = [['a'], { 'k' => ['v'] }]
  def x(what = nil)
    LIST[0] << what if what
    LIST[1]['k'] << what if what
    [LIST, LIST.equal?(LIST), LIST[0].equal?(LIST[0])]
  end""")
    assert value(b, "[m::x(), m::x('b'), m::x()]") == [
        [[["a"], {"k": ["v"]}], True, True], [[["a", "b"], {"k": ["v", "b"]}], True, True],
        [[["a", "b"], {"k": ["v", "b"]}], True, True]]


def test_constants_that_are_frozen_are(b):
    """CODE-1.7: what is frozen raises, what it holds is kept"""
    function(b, "x", """
  LIST = [['a'], 'b'].freeze
  def x(what)
    return (LIST << 1 rescue $!.class.to_s) if what == 'outer'
    LIST[0] << what
    LIST
  end""")
    assert value(b, "[m::x('outer'), m::x('c'), m::x('d')]") == ["FrozenError", [["a", "c"], "b"], [["a", "c", "d"], "b"]]


@needs_native_ruby
def test_constants_that_are_only_read_need_no_ruby(b):
    """CODE-1.7: also where the function can change what is in one"""
    function(b, "x", """
  LIST = [['a'], 'b'].freeze
  def x(what)
    return LIST.map { |one| one.size } if what == 'read'
    LIST[0] << what
    LIST
  end""")
    assert value(b, "m::x('read')", "--no-ruby") == [1, 1]


def test_constants_are_made_when_the_file_is_loaded(b):
    """CODE-1.7: a constant that raises is an error of the file also for calls that do not mention it"""
    function(b, "x", "  BAD = Integer('x')\n  def x() = 1")
    done = evaluated(b, "m::x()")
    assert done.status == 1 and 'invalid value for Integer(): \"x\"' in done.json["error"]["message"], done
    function(b, "y", "  LATER = AFTER\n  AFTER = 1\n  def y() = 1")
    assert evaluated(b, "m::y()").status == 1


def test_instance_variables_of_functions_live_on(b):
    """CODE-1.7 and its neighbours: a function of the newer interface is one object for all its calls"""
    function(b, "x", "  def x()\n    @count ||= 0\n    @count += 1\n  end")
    assert value(b, "[m::x(), m::x(), m::x()]") == [1, 2, 3]


def test_lines_that_a_native_run_logs_are_logged_once(b):
    """CODE-1.9: what code logs before the worker runs it again from its beginning is logged by the worker alone"""
    b.write("facts.json", '{"a": 1}')
    for name, log in (("scope", "closure_scope.warning('seen')"), ("called", "call_function('warning', 'seen')"),
                      ("puppet", "Puppet.warning('seen')"), ("old", "call_function('fact', 'a.b.seen')"),
                      ("once", "call_function('deprecation', 'seen', 'seen')")):
        # RubyVM is nothing that runs natively.
        function(b, name, f"  def {name}()\n    {log}\n    RubyVM.name\n  end")
        function(b, f"{name}_native", f"  def {name}_native()\n    {log}\n    'n'\n  end")
        for suffix, wanted in (("", "RubyVM"), ("_native", "n")):
            done = evaluated(b, f"notice(m::{name}{suffix}())", "--strict", "warning", "--facts", "facts.json")
            assert done.status == 0, done
            logs = [one["message"] for one in done.json["logs"]]
            assert logs[-1] == wanted, done
            assert len([one for one in logs if "seen" in one]) == 1, (name, suffix, done)


def test_functions_that_do_something_are_called_once(b):
    """CODE-1.9: what is not a pure function is not called by a run that may begin anew"""
    count = b.write("count", "")
    function(b, "x", f"  def x()\n    call_function('generate', '/bin/sh', '-c', 'echo x >>{count}')\n    RubyVM.name\n  end")
    assert value(b, "m::x()") == "RubyVM"
    assert count.read_text() == "x\n"


def test_functions_of_the_older_interface_call_their_own_kind(b):
    """LANG-15: function_dig is the one that a module has in the older interface, not the language's: try_get_value"""
    older(b, "dig", "    args[0].class.to_s + args.size.to_s")
    older(b, "try", "    function_dig([{ 'a' => 1 }, ['a'], nil])")
    assert value(b, "try()") == "Hash3"
    assert value(b, "dig({ 'a' => 1 }, 'a')") == 1


def result_types_are_compared(b, *words):
    function(b, "x", "  dispatch :x do\n    return_type 'Integer'\n  end\n  def x() = 1")
    code = "class c(String $p) {} class { 'c': p => Deferred('m::x', []) }"
    right = "class c(Integer $p) {} class { 'c': p => Deferred('m::x', []) }"
    done = evaluated(b, code, *words)
    assert done.status == 1 and "parameter 'p' expects a String value, got Integer" in done.json["error"]["message"], done
    assert evaluated(b, right, *words).status == 0


def test_result_types_of_ruby_functions_are_compared_inside_deferred(b):
    """LANG-15: what a function in Ruby says to return is compared with the parameter"""
    result_types_are_compared(b)


@needs_native_ruby
def test_result_types_of_ruby_functions_are_compared_without_a_ruby(b):
    """LANG-15: and read without running the file"""
    result_types_are_compared(b, "--no-ruby")
