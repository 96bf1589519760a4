"""The Ruby of modules: what functions and backends of Hiera find of Puppet and Bolt. Expected values of catalogs are
those of Puppet 7.23 for the same modules."""
import json

from harness.bench import needs_root

JSON = ("--format", "json")


def function(b, name, text, folder="modules"):
    """A function m::NAME; `text` is what stands in the block of create_function."""
    b.write(f"{folder}/m/lib/puppet/functions/m/{name}.rb", f"Puppet::Functions.create_function(:'m::{name}') do\n{text}\nend\n")


def older(b, name, text, folder="modules"):
    b.write(f"{folder}/m/lib/puppet/parser/functions/{name}.rb",
            f"module Puppet::Parser::Functions\n  newfunction(:{name}, type: :rvalue) do |args|\n{text}\n  end\nend\n")


def evaluated(b, code, *words):
    return b.run("eval", *JSON, "--modulepath", "modules", *words, "-e", code, project=False)


def value(b, code, *words):
    done = evaluated(b, code, *words)
    assert done.status == 0, done
    return done.json["value"]


def message(b, code, *words):
    done = evaluated(b, code, *words)
    assert done.status == 1, done
    return done.json["error"]["message"]


def expression(b, ruby, *words):
    """The value of Ruby code in a function, as JSON."""
    function(b, "x", f"  def x(*args)\n    {ruby}\n  end")
    return value(b, "m::x()", *words)


@needs_root
def test_programs_run_as_the_user_that_ruby_code_names(b):
    """BOLT-2b: Puppet::Util::Execution.execute does what its options say, or is an error"""
    assert expression(b, "Puppet::Util::Execution.execute(%w[id -un], uid: 'nobody', failonfail: true)") == "nobody\n"
    assert expression(b, "Puppet::Util::Execution.execute('id -gn', gid: 'nogroup', combine: true)") == "nogroup\n"
    assert expression(b, "Puppet::Util::SUIDManager.asuser('nobody') { Process.euid } != 0") is True
    function(b, "x", "  def x() = Puppet::Util::Execution.execute('id', uid: 'no-such-user')")
    assert "uid=\"no-such-user\"" in message(b, "m::x()")


def test_programs_get_the_options_that_ruby_code_passes(b):
    """BOLT-2b: environment, streams, input and exit codes of Puppet::Util::Execution.execute"""
    for call, wanted in (
            ("'echo out; echo err >&2'", "out\nerr\n"), ("'echo out; echo err >&2', {}", "out\n"),
            ("'echo out; echo err >&2', combine: true", "out\nerr\n"), ("'echo out', squelch: true", ""),
            ("'echo $A$HOME$LANG', custom_environment: {A: 'b'}", "bC\n"), ("'exit 3', failonfail: false", ""),
            ("['cat'], stdinfile: __FILE__.sub('x.rb', 'in')", "input"), ("'pwd', cwd: '/'", "/\n")):
        b.write("modules/m/lib/puppet/functions/m/in", "input")
        assert expression(b, f"Puppet::Util::Execution.execute({call})") == wanted, call
    assert expression(b, "Puppet::Util::Execution.execute('exit 3', {}).exitstatus") == 3
    function(b, "x", "  def x() = Puppet::Util::Execution.execute('echo no; exit 3')")
    assert "Execution of 'echo no; exit 3' returned 3: no" in message(b, "m::x()")
    function(b, "x", "  def x() = Puppet::Util::Execution.execute('true', sandbox: true)")
    assert "does not know the option :sandbox" in message(b, "m::x()")


def test_functions_of_the_older_interface_get_resources(b):
    """LANG-4: a reference is a Puppet::Resource, also in lists and hashes; the newer interface gets types"""
    older(b, "refs", "    show = lambda do |x|\n      case x\n      when Array then x.map(&show)\n"
                     "      when Hash then x.to_h { |k, v| [k, show.(v)] }\n"
                     "      else [x.class.to_s, x.to_s, x.type.to_s, x.title.to_s, x[:mode]]\n      end\n    end\n    args.map(&show)")
    code = ("file { '/x': mode => '0600' } define foo::bar() {} foo::bar { 'z': } class a::b {} "
            "refs(File['/x'], [User['a']], {'k' => Class['a::b']}, Foo::Bar['z'])")
    resource = "Puppet::Resource"
    assert value(b, code) == [
        [resource, "File[/x]", "File", "/x", None], [[resource, "User[a]", "User", "a", None]],
        {"k": [resource, "Class[A::B]", "Class", "A::B", None]}, [resource, "Foo::Bar[z]", "Foo::Bar", "z", None]]
    older(b, "param", "    found = findresource(args[0].to_s)\n    found && found[args[1].to_sym]")
    assert value(b, "file { '/x': mode => '0600' } param(File['/x'], 'mode')") == "0600"
    function(b, "newer", "  def newer(x) = [x.class.to_s, x.to_s, x.type_name, x.title]")
    assert value(b, "m::newer(File['/x'])") == ["Puppet::Pops::Types::PResourceType", "File['/x']", "File", "/x"]


def test_bytes_and_large_numbers_do_not_change_silently(b):
    """LANG-15: bytes of a function are Binary in a catalog; a number beyond 64 bits is an error"""
    function(b, "bytes", "  def bytes() = [0xff, 0xfe].pack('C*')")
    b.write("site.pp", "node default { file { '/x': content => m::bytes() } }\n")
    done = b.run("catalog", "compile", "--node", "n", "--modulepath", "modules", "site.pp", project=False)
    assert done.status == 0, done
    [file] = [one for one in json.loads(done.out)["resources"] if one["type"] == "File"]
    assert {"__ptype": "Binary", "__pvalue": "//4="} in (file["parameters"].get("content"),
                                                       file.get("ext_parameters", {}).get("content")), file
    for number in ("2**70", "2**63", "-(2**63) - 1"):
        function(b, "x", f"  def x() = [{number}]")
        assert "Use of a Ruby Integer outside of Puppet Integer" in message(b, "m::x()"), number
    assert expression(b, "[2**63 - 1, -(2**63)]") == [2**63 - 1, -(2**63)]


BACKEND = """
  dispatch(:go) { param 'Variant[String,Numeric]', :key; param 'Hash', :options; param 'Puppet::LookupContext', :context }
  def go(key, options, context)
    case key
    when 'm::sym' then :sym
    when 'm::symkey' then {a: 1}
    when 'm::time' then Time.at(0).utc
    when 'm::le' then raise Puppet::DataBinding::LookupError, 'le text'
    when 'm::pe' then raise Puppet::Error, 'pe text'
    when 'm::ppe' then raise Puppet::ParseError, 'ppe text'
    when 'm::arg' then raise ArgumentError, 'arg text'
    when 'm::thrown' then throw :no_such_key
    when 'm::interpolated' then context.interpolate(['%{facts.kernel}', {'a' => '%{literal("%")}'}])
    when 'm::passed' then call_function('m::second', key, options, context)
    when 'm::language' then call_function('m::third', key, options, context)
    when 'm::names' then [context.environment_name.inspect, context.module_name, context.respond_to?(:cached_file_data), context.class.to_s]
    when 'm::scope' then context.invocation.scope['facts']['kernel']
    when 'm::entries'
      context.cache(nil, 'n')
      context.cache('a', 1)
      context.cache_all({'b' => 2})
      one = []
      context.cached_entries { |k, v| one << [k.inspect, v] }
      two = []
      context.cached_entries { |e| two << e.size }
      one + two + [context.cached_entries.map(&:last), context.cache_has_key('zz'), context.cached_value('b'), context.cache_has_key(nil)]
    when 'm::client'
      context.cache('client', Object.new) unless context.cache_has_key('client')
      context.cached_value('client').object_id == (@client ||= context.cached_value('client').object_id)
    when 'm::client2' then context.cached_value('client').object_id == @client
    when 'm::file' then [context.cached_file_data(__FILE__) { |t| t.lines.first }, context.cached_file_data(__FILE__) { |t| 'again' }]
    else context.explain { "no #{key} here" }
      context.not_found
    end
  end
"""


def backend(b):
    b.write("modules/m/hiera.yaml", "version: 5\nhierarchy:\n  - {name: ruby, lookup_key: m::back}\n  - {name: hash, data_hash: m::hash}\n"
                                    "  - {name: dig, data_dig: m::dig}\n")
    function(b, "back", BACKEND)
    function(b, "hash", "  dispatch(:go) { param 'Hash', :options; param 'Puppet::LookupContext', :context }\n"
                        "  def go(options, context)\n    {'m::h' => 'v', 'm::hs' => :sym}\n  end")
    function(b, "dig", "  dispatch(:go) { param 'Array', :key; param 'Hash', :options; param 'Puppet::LookupContext', :context }\n"
                       "  def go(key, options, context)\n    key[0] == 'm::d' ? key.inspect : context.not_found\n  end")
    function(b, "second", "  dispatch(:go) { param 'String', :key; param 'Hash', :options; param 'Puppet::LookupContext', :context }\n"
                          "  def go(key, options, context)\n    \"#{key} #{context.cached_value('q').inspect}\"\n  end")
    b.write("modules/m/functions/third.pp", "function m::third($key, $options, Puppet::LookupContext $context) {\n"
            "  $context.cache('from_puppet', 'p')\n  \"${key} ${context.cache_has_key('from_puppet')}\"\n}\n")
    b.write("facts.json", '{"kernel": "Linux"}')


def test_backends_of_hiera_in_ruby(b):
    """BOLT-1: the context of a lookup, whole: not_found, caches of any objects, files, interpolation, being passed on"""
    backend(b)
    facts = ("--facts", "facts.json")
    first = "Puppet::Functions.create_function(:'m::back') do\n"
    for key, wanted in (
            ("m::h", "v"), ("m::d.x", '["m::d", "x"]'), ("m::thrown", "dflt"), ("m::none", "dflt"),
            ("m::interpolated", ["Linux", {"a": "%"}]), ("m::passed", "m::passed nil"), ("m::language", "m::language true"),
            ("m::names", [":production", "m", True, "Puppet::Pops::Lookup::Context"]), ("m::scope", "Linux"),
            ("m::entries", [["nil", "n"], ['"a"', 1], ['"b"', 2], 2, 2, 2, ["n", 1, 2], False, 2, True]), ("m::file", [first, first])):
        assert value(b, f"lookup('{key}', {{default_value => 'dflt'}})", *facts) == wanted, key
    assert value(b, "[lookup('m::client'), lookup('m::client2')]", *facts) == [True, True]
    b.write("modules/m/manifests/init.pp", "class m($h, $none = 'default') { }\n")
    assert value(b, "include m\n[$m::h, $m::none]", *facts) == ["v", "default"]


def test_what_backends_in_ruby_raise_and_what_is_not_data(b):
    """BOLT-1: a backend's errors are those of the lookup; symbols, times and other objects are not data"""
    backend(b)
    wrong = "returned from lookup_key function 'm::back' has wrong type, expects Puppet::LookupValue, got "
    for key, wanted in (
            ("m::le", "le text"), ("m::pe", "pe text"), ("m::ppe", "ppe text"),
            ("m::arg", "Evaluation Error: Error while evaluating a Function Call, arg text"),
            ("m::sym", f"Value for key 'm::sym', {wrong}Runtime[ruby, 'Symbol']"),
            ("m::symkey", f"Value for key 'm::symkey', {wrong}Hash[Runtime[ruby, 'Symbol'], Integer[1, 1], 1, 1]"),
            ("m::time", f"Value for key 'm::time', {wrong}Runtime[ruby, 'Time']"),
            ("m::hs", "Value for key 'm::hs', in hash returned from data_hash function 'm::hash' has wrong type, "
                      "expects Puppet::LookupValue, got Runtime[ruby, 'Symbol']")):
        assert message(b, f"lookup('{key}', {{default_value => 'dflt'}})") == wanted, key


def test_blocks_of_ruby_code_for_functions_of_the_language(b):
    """LANG-15, BOLT-2b: call_function with a block, also out of it; a lambda's arity"""
    b.write("modules/m/functions/pf.pp", "function m::pf($x, Callable &$b) { [$x].map |$i| { $i } }\n")
    function(b, "blk", """
  dispatch(:arity) { param 'Array', :x; block_param 'Callable', :b }
  dispatch(:go) { param 'Hash', :x }
  def arity(x, &b) = b.arity
  def go(x)
    r = call_function('map', x) { |k, v| "#{k}-#{v}" }
    r2 = call_function('map', x) { |e| e.inspect }
    r3 = call_function('with', 1, 2) { |a, b| a + b }
    r4 = call_function('each', [1, 2, 3]) { |a| break a * 10 if a == 2 }
    r5 = begin
      call_function('each', [1, 2, 3]) { |a| raise ArgumentError, 'mine' }
    rescue ArgumentError => e
      e.class.to_s + e.message
    end
    r6 = catch(:out) { call_function('each', [1, 2]) { |x| throw :out, 'thrown' } }
    r7 = call_function('reduce', [1, 2, 3]) { |m, x| m + x }
    r8 = call_function('map', [1, 2]) { |x| call_function('map', [x]) { |y| next 0 if y == 1; y * 2 } }
    [r, r2, r3, r4, r5, r6, r7, r8]
  end""")
    assert value(b, "m::blk({'a' => 1, 'b' => 2})") == [
        ["a-1", "b-2"], ['["a", 1]', '["b", 2]'], 3, 20, "ArgumentErrormine", "thrown", 6, [[0], [4]]]
    code = "[m::blk([1]) |$a| { 1 }, m::blk([1]) |$a, $b=1| { 1 }, m::blk([1]) |*$a| { 1 }, m::blk([1]) |$a, *$b| { 1 }]"
    assert value(b, code) == [1, -2, -1, -2]


def test_the_scope_of_ruby_functions(b):
    """BOLT-2b: closure_scope is the top scope, a function is one object, scope_param knows class and resource"""
    function(b, "cs", "  def cs\n    @n = (@n || 0) + 1\n    local = catch(:undefined_variable) { closure_scope['loc'] }\n"
                      "    [local, closure_scope['toplevel'], @n, closure_scope.include?('loc'), closure_scope.is_topscope?, closure_scope.resource.to_s]\n  end")
    assert value(b, "$toplevel = 't' class q { $loc = 1 $r = [m::cs(), m::cs()] } include q $q::r") == [
        [None, "t", 1, False, True, "Class[main]"], [None, "t", 2, False, True, "Class[main]"]]
    assert value(b, "$toplevel = 't' $r = [7].map |$loc| { m::cs() } $r") == [[7, "t", 1, True, True, "Class[main]"]]
    b.write("modules/m/lib/puppet/functions/m/sc.rb", """Puppet::Functions.create_function(:'m::sc', Puppet::Functions::InternalFunction) do
  dispatch(:go) { scope_param }
  def initialize(closure_scope, loader)
    super
    @made = true
  end
  def go(scope)
    [@made, scope.resource.to_s, scope.resource.type, scope.resource.title, scope.resource.to_hash[:p], scope.source.name, scope.is_topscope?,
     scope.bound?('p'), scope.bound?('facts'), scope.find_global_scope.lookupvar('top'), scope.catalog.resource('File[/x]')[:mode],
     scope.catalog.resource('File', '/x').to_s, scope.catalog.resources.map(&:to_s).include?('File[/x]'), scope.compiler.node.name,
     scope.with_local_scope('z' => 5) { |s| s['z'] }, scope.exist?('z')]
  end
end
""")
    b.write("modules/m/manifests/init.pp", "class m($p = 1) { file { '/x': mode => '0600' } $r = m::sc() }\n")
    got = value(b, "$top = 't' include m $m::r")
    node = got.pop(13)
    assert got == [True, "Class[M]", "Class", "M", 1, "m", False, True, False, "t", "0600", "File[/x]", True, 5, False], got
    assert isinstance(node, str) and node, node


def test_what_ruby_code_finds_of_puppet(b):
    """BOLT-2b: the rest of the table of what public modules use"""
    for ruby, wanted in (
            ("Gem::Version.new('1.10') > Gem::Version.new('1.9')", True),
            ("[Puppet[:vardir], Puppet[:ssldir], Puppet.settings[:codedir], Puppet['certname'], Puppet[:config]].all?(String)", True),
            ("Puppet[:hostcert].end_with?(\"/certs/#{Puppet[:certname]}.pem\")", True),
            ("Puppet[:no_such_setting]", None), ("(Puppet[:strict] = :warning).to_s", "warning"),
            ("closure_scope.environment.modules.map(&:name)", ["m"]),
            ("Puppet::Module.find('m').then { |m| [m.name, m.has_metadata?, m.plugin_directory.end_with?('/m/lib')] }", ["m", False, True]),
            ("Puppet.override({k: 'v'}) { Puppet.lookup(:k) }", "v"), ("Puppet.lookup(:none) { 'd' }", "d"),
            ("[Puppet::FileSystem.basename('/a/b').to_s, Puppet::FileSystem.dir_exist?('/etc'), Puppet::FileSystem.children('/etc').size > 1]",
             ["b", True, True]),
            ("v = SemanticPuppet::Version.parse('1.2.3-rc1+b'); [v.prerelease, v.build, v.next(:minor).to_s, v.stable?]", ["rc1", "b", "1.3.0", False]),
            ("begin; SemanticPuppet::Version.parse('x'); rescue SemanticPuppet::Version::ValidationFailure; 'bad'; end", "bad"),
            ("SemanticPuppet::VersionRange.parse('>=1.0.0 <2.0.0').include?(SemanticPuppet::Version.parse('1.5.0'))", True),
            ("t = Puppet::Pops::Types::TypeFactory; [t.array_of(t.integer), t.optional(t.string), t.enum('a'), t.hash_kv(t.string, t.any), t.struct('k' => t.integer)].map(&:to_s)",
             ["Array[Integer]", "Optional[String]", "Enum['a']", "Hash[String, Any]", "Struct[{'k' => Integer}]"]),
            ("t = Puppet::Pops::Types::TypeParser.singleton.parse('Integer[1, 5]'); [t.from, t.to]", [1, 5]),
            ("Puppet::Pops::Types::TypeParser.singleton.parse('Array[String]').element_type.to_s", "String"),
            ("Puppet::Pops::Types::TypeParser.singleton.parse(\"Enum['a', 'b']\").values", ["a", "b"]),
            ("[Facter::Core::Execution.exec('echo a'), Facter::Util::Resolution.exec('echo b')]", ["a", "b"]),
            ("[Puppet::Util::Platform.windows?, Puppet.features.posix?, Puppet.features.bolt?]", [False, True, False]),
            ("Puppet::Util.withenv('A_B' => 'c') { ENV['A_B'] } + ENV['A_B'].inspect", "cnil"),
            ("[Puppet::Util.uri_encode('a b'), Puppet::Util.uri_query_encode('a b&c'), Puppet::Util.path_to_uri('/a b').to_s]",
             ["a%20b", "a%20b%26c", "file:///a%20b"]),
            ("[Puppet::ParseError.new('m', 'f', 3).message, Puppet::ParseError.new('m').message]", ["m (file: f, line: 3)", "m"]),
            ("[Puppet::Resource.new('File[/x]').to_s, Puppet::Resource.new('class', 'a::b').to_s, Puppet::Type.type(:no_such_type)]",
             ["File[/x]", "Class[A::B]", None]),
            ("Puppet::Pops::Time::Timespan.new(3_723_500_000_000).to_s", "0-01:02:03.5"),
            ("Puppet::Pops::Lookup::HieraConfig.symkeys_to_string({a: [{b: 1}]})", {"a": [{"b": 1}]}),
            ("Class.new { include Puppet::Util::Logging }.new.respond_to?(:warning)", True)):
        assert expression(b, ruby) == wanted, ruby
    b.write("modules/m/lib/puppet/functions/m/kept.rb", """Puppet::Functions.create_function(:'m::kept', Puppet::Functions::InternalFunction) do
  dispatch(:go) { cache_param }
  def go(cache) = (cache.retrieve(self)['n'] = (cache.retrieve(self)['n'] || 0) + 1)
end
""")
    assert value(b, "[m::kept(), m::kept()]") == [1, 2]


def test_texts_of_ruby_functions(b):
    """LANG-15: the block parameter's own name, and what is said of a wrong result"""
    function(b, "rt", "  dispatch(:go) { return_type 'Integer' }\n  dispatch(:blk) { param 'Array', :x; block_param 'Callable[1]', :blk }\n"
                      "  def go() = 'x'\n  def blk(x) = x")
    assert message(b, "m::rt()") == ("Evaluation Error: Error while evaluating a Function Call, value returned from function 'go' "
                                     "has wrong type, expects an Integer value, got String")
    assert "(Array x, Callable[1] blk)" in message(b, "m::rt(1)")


def test_functions_of_modules_with_names_of_stdlib(b):
    """LANG-15: a module's own function with the name of one of stdlib is called, and so is the environment's"""
    b.write("modules/m/lib/puppet/functions/range.rb", "Puppet::Functions.create_function(:range) do\n  def range(*args) = \"mine #{args}\"\nend\n")
    older(b, "member", "    'mine'")
    assert value(b, "[range(1, 2), member([1], 1), unique([1, 1])]") == ["mine [1, 2]", "mine", [1]]
    assert value(b, "function range($a, $b) { 'top' } range(1, 2)") == "top"


def test_data_types_in_ruby_are_refused(b):
    """LANG-15: a data type that is written in Ruby is not silently a resource type that nobody has"""
    b.write("modules/m/lib/puppet/datatypes/m/thing.rb", "Puppet::DataTypes.create_type('M::Thing') { interface 'attributes => {}' }\n")
    assert "The data type 'm::thing' is written in Ruby" in message(b, "$x = M::Thing")


def plan(b, body, files=()):
    b.inventory("config: {transport: local}\ntargets:\n  - {name: t1, uri: localhost, vars: {role: web}, facts: {os: x}}\n  - t2\n")
    for name, text in files:
        function(b, name, text, "project/modules")
    b.write("project/plans/p.pp", f"plan site::p() {{\n{body}\n}}\n")
    return b.run("plan", "run", "site::p", *JSON)


def test_targets_and_results_are_objects_in_ruby_functions(b):
    """BOLT-2: Bolt::Target, Result and ResultSet with their methods, and the same objects when they come back"""
    done = plan(b, "$t = get_target('t1')\n$r = run_command('echo hi', ['t1', 't2'])\n$back = m::same($t)\n"
                   "return [m::target($t), m::results($r), m::result($r.first), type($back) == type($t), $back == $t, vars($back), m::same($r).count,"
                   " m::same($r.first).status, type(m::made($t)) == type($r.first), m::made($t).value, m::set($r).ok_set.names, m::nested({'a' => [$t]})]", (
        ("same", "  def same(x) = x"),
        ("target", "  dispatch(:go) { param 'Target', :t }\n  def go(t) = [t.class.to_s, t.name, t.uri, t.host, t.protocol, t.transport, t.vars, t.facts, "
                   "t.features, t.config.class.to_s, t.target_alias, t.safe_name, t.to_s, t.to_h['name'], t.detail['vars']]"),
        ("results", "  dispatch(:go) { param 'ResultSet', :r }\n  def go(r) = [r.class.to_s, r.count, r.ok, r.names, r.map { |x| x['stdout'] }, r.first.target.name, "
                    "r.find('t2').ok?, r.error_set.empty?, r.filter_set { |x| x.target.name == 't2' }.names, r.each_with_index.map { |_, i| i }, r.to_data[0]['status']]"),
        ("result", "  dispatch(:go) { param 'Result', :r }\n  def go(r) = [r.class.to_s, r.target.name, r.ok?, r.status, r.action, r.value['exit_code'], r['stdout'], r.message, "
                   "r.error_hash, r.to_data['object'], JSON.parse(r.to_json)['target']]"),
        ("made", "  dispatch(:go) { param 'Target', :t }\n  def go(t) = Bolt::Result.new(t, value: {'own' => 1})"),
        ("set", "  dispatch(:go) { param 'ResultSet', :r }\n  def go(r) = Bolt::ResultSet.new(r.to_set.first(1) + [Bolt::Result.new(r.first.target, error: {'msg' => 'm', 'kind' => 'k', 'details' => {}})])"),
        ("nested", "  def nested(x) = x['a'][0].name")))
    assert done.status == 0, done
    target, results, result, *rest = done.json
    assert target == ["Bolt::Target", "t1", "localhost", "localhost", "local", "local", {"role": "web"}, {"os": "x"}, target[8], "Hash", [],
                      "t1", "t1", "t1", {"role": "web"}], target
    assert results == ["Bolt::ResultSet", 2, True, ["t1", "t2"], ["hi\n", "hi\n"], "t1", True, True, ["t2"], [0, 1], "success"], results
    assert result == ["Bolt::Result", "t1", True, "success", "command", 0, "hi\n", result[7], None, "echo hi", "t1"], result
    assert rest == [True, True, {"role": "web"}, 2, "success", True, {"own": 1}, ["t1"], "t1"], rest


def test_errors_go_both_ways_between_plans_and_ruby(b):
    """BOLT-2: Bolt::Error has its kind in the plan; a failed action can be rescued"""
    functions = (
        ("raises", "  def raises() = raise(Bolt::Error.new('mine', 'my/kind', {'a' => 1}))"),
        ("fails", "  def fails() = raise(Bolt::PlanFailure.new('gone', 'my/failure'))"),
        ("rescues", "  def rescues\n    call_function('run_command', 'exit 3', 't1')\n  rescue Bolt::RunFailure => e\n"
                    "    [e.class.to_s, e.kind, e.message, e.result_set.first['exit_code'], e.details['action']]\n  end"),
        ("passes", "  def passes() = call_function('run_command', 'exit 3', 't1')"),
        ("error", "  dispatch(:go) { param 'Error', :e }\n  def go(e) = [e.msg, e.message, e.kind, e.details]"),
        ("back", "  def back(e) = e"))
    done = plan(b, "$e = catch_errors() || { m::raises() }\n$f = catch_errors() || { m::passes() }\n"
                   "return [$e.kind, $e.msg, $e.details, m::rescues(), $f.kind, m::error($e), m::back($e) == $e]", functions)
    assert done.status == 0, done
    assert done.json == ["my/kind", "mine", {"a": 1},
                         ["Bolt::RunFailure", "bolt/run-failure", "run_command 'exit 3' failed on 1 target", 3, "run_command"],
                         "bolt/run-failure", ["mine", "mine", "my/kind", {"a": 1}], True], done
    done = plan(b, "return m::fails()", functions)
    assert done.status != 0 and done.json["kind"] == "my/failure" and done.json["msg"] == "gone", done


def test_blocks_of_ruby_code_for_functions_of_plans(b):
    """BOLT-2, LANG-15: catch_errors takes one; what runs it in another fiber is an error of its own"""
    done = plan(b, "return m::blocks()", (("blocks", """  def blocks
    caught = call_function('catch_errors') { raise Bolt::Error.new('inner', 'in/ner') }
    mine = begin
      call_function('catch_errors') { raise ArgumentError, 'plain' }
    rescue ArgumentError => e
      e.message
    end
    [caught.kind, caught.class.to_s, mine]
  end"""),))
    assert done.status == 0, done
    assert done.json == ["in/ner", "Puppet::DataTypes::Error", "plain"], done
    done = plan(b, "return m::elsewhere()", (("elsewhere", "  def elsewhere() = call_function('parallelize', [1, 2]) { |i| i }"),))
    assert done.status == 1, done
    assert "A Ruby block can be called only by the function that it was given to" in done.json["msg"], done


def test_what_ruby_code_of_plans_looks_up(b):
    """BOLT-2: Puppet.lookup of the inventory, the executor and the project; what is not there raises"""
    done = plan(b, "return m::world()", (("world", """  def world
    inventory = Puppet.lookup(:bolt_inventory)
    results = Puppet.lookup(:bolt_executor).run_command(inventory.get_targets('t1'), 'exit 4', {})
    missing = begin
      Puppet.lookup(:unknown)
    rescue StandardError => e
      e.class.ancestors.include?(Puppet::Error)
    end
    [inventory.get_targets(%w[t1 t2]).map(&:name), results.ok, results.first['exit_code'], Puppet.lookup(:bolt_project).name,
     Puppet.lookup(:bolt_project).path.to_s, missing, Puppet.lookup(:unknown) { 'd' }, Puppet.features.bolt?, Bolt::Logger.logger(self).respond_to?(:warn)]
  end"""),))
    assert done.status == 0, done
    assert done.json == [["t1", "t2"], False, 4, "site", str(b.folder / "project"), True, "d", True, True], done


def test_comments_that_change_what_texts_are(b):
    """CODE-1.8: the encoding of a file and frozen literals, however the comments are written, as Ruby reads them"""
    for name, comment, body, expected in (
            ("bytes", "# coding: binary", "'\u00e9'.length", 2), ("latin", "# -*- coding: iso-8859-1 -*-", "'\u00e9'.length", 2),
            ("utf", "# encoding: UTF-8", "'\u00e9'.length", 1), ("dashes", "# -*- frozen-string-literal: true -*-", "'a'.frozen?", True),
            ("capitals", "# Frozen_String_Literal: true", "'a'.frozen?", True), ("open", "# frozen_string_literal: false", "'a'.frozen?", False)):
        b.write(f"modules/m/lib/puppet/functions/m/{name}.rb",
                f"{comment}\nPuppet::Functions.create_function(:'m::{name}') do\n  def {name}() = {body}\nend\n")
        assert value(b, f"m::{name}()") == expected, name
