#include "apply/compiler/compile.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "language/errors.hpp"
#include "language/lookup/data/data_store.hpp"
#include "language/serialization/json.hpp"
#include "language/text/text.hpp"
#include "tests/apply/case_host.hpp"
#include "tests/language/lookup/memory_files.hpp"

using namespace volley;

namespace {

Compilation compile_text(const std::string& code, LanguageHost& host, CompileRequest request = {}) {
    request.manifests.push_back({code, ""});
    return compile(request, host);
}

Catalog catalog_of(const std::string& code, CompileRequest request = {}) {
    test::CaseHost host;
    return compile_text(code, host, std::move(request)).catalog;
}

/// "File[/a]{mode=0644} Notify[x]": the resources besides those that are always there, in order.
std::string resources_of(const Catalog& catalog) {
    std::string text;
    for (const CatalogResource& one : catalog.resources) {
        if (one.type == "Stage" || one.reference() == "Class[main]" || one.reference() == "Class[Settings]" ||
            one.is_virtual)
            continue;
        text += (text.empty() ? "" : " ") + one.reference();
        std::string parameters;
        for (const auto& [name, value] : one.parameters)
            parameters += (parameters.empty() ? "" : ",") + name + "=" + to_text(value);
        if (!parameters.empty()) text += "{" + parameters + "}";
    }
    return text;
}

std::string compile_error(const std::string& code, CompileRequest request = {}) {
    test::CaseHost host;
    try {
        return "no error, but " + resources_of(compile_text(code, host, std::move(request)).catalog);
    } catch (const LanguageError& error) {
        return error.full_message();
    }
}

}  // namespace

TEST_CASE("manifests become resources", "[compiler]") {
    struct Row {
        std::string_view name, source, want;
    };
    static constexpr Row rows[] = {
        {"a body's own value wins over the default body",
         "file { default: mode => '1'; '/a': ; '/b': mode => '2' }", "File[/a]{mode=1} File[/b]{mode=2}"},
        {"defaults come from where a class is declared",
         "class a { Notify { message => 'm' } include b } "
         "class b { notify { 'x': } } include a",
         "Class[A] Class[B] Notify[x]{message=m}"},
        {"a define's code runs after main", "define d { notify { $title: } } d { 'x': } notify { 'y': }",
         "D[x] Notify[y] Notify[x]"},
        {"a collector makes resources real and overrides them",
         "@notify { 'a': tag => 't' } Notify <| tag == 't' |> { message => 'm' }",
         "Notify[a]{tag=t,message=m}"},
        {"an arrow to a collector waits for what it finds",
         "notify { 'a': } -> Notify <| title == 'b' |> "
         "@notify { 'b': }",
         "Notify[a]{before=['Notify[b]']} Notify[b]"},
        {"an inheriting class overrides",
         "class a { notify { 'x': message => 'a' } } class b inherits a { "
         "Notify['x'] { message +> 'b' } } include b",
         "Class[A] Class[B] Notify[x]{message=['a', 'b']}"},
        {"a path's trailing slash is not part of it", "file { '/a/': } notify { 'n': require => File['/a'] }",
         "File[/a/]{path=/a} Notify[n]{require=File[/a]}"},
        {"a package is declared once, whoever asks",
         "ensure_packages(['a', 'b']) ensure_packages('a') ensure_packages({ 'c' => { 'ensure' => 'latest' } "
         "})",
         "Package[a]{ensure=installed} Package[b]{ensure=installed} Package[c]{ensure=latest}"},
        {"ensure_resource takes a resource that has the parameters",
         "user { 'u': ensure => present, uid => 5 } ensure_resource('user', ['u', 'v'], { 'ensure' => "
         "'present' })",
         "User[u]{ensure=present,uid=5} User[v]{ensure=present}"},
        {"ensure_resources merges defaults",
         "ensure_resources('user', { 'u' => { 'uid' => 1 }, 'v' => undef }, { 'gid' => 2 })",
         "User[u]{gid=2,uid=1} User[v]{gid=2}"},
        {"defined_with_params compares values",
         "user { 'u': uid => 5 } notify { String(defined_with_params(User['u'], { 'uid' => 5 })): } "
         "notify { String(defined_with_params('User[u]', { 'uid' => 6 })): }",
         "User[u]{uid=5} Notify[true] Notify[false]"},
        {"a type of puppet-agent's modules is known without them", "sshkey { 'h@ssh-rsa': key => 'k' }",
         "Sshkey[h@ssh-rsa]{name=h,type=ssh-rsa,key=k}"},
        {"a title that is not text is not a tag, and has a name", "create_resources('notify', { 1 => {} })",
         "Notify[1]{name=1}"},
        {"the longest name of a node wins over patterns",
         "node /n/ { notify { 'p': } } node 'localhost' { notify { "
         "'n': } }",
         "Node[localhost] Notify[n]"},
    };
    for (const Row& row : rows) {
        DYNAMIC_SECTION(row.name) {
            INFO(row.source);
            CHECK(resources_of(catalog_of(std::string(row.source))) == row.want);
        }
    }
}

TEST_CASE("classes take parameters from data", "[compiler]") {
    const auto files = std::make_shared<tests::MemoryFiles>();
    files->files["/env/hiera.yaml"] = "version: 5\n";
    files->files["/env/data/common.yaml"] = "web::port: 8080\nweb::nothing: ~\nweb::given: 3\n";
    test::CaseHost host;
    host.data.store = std::make_shared<lookup::DataStore>(files);
    host.data.environment_root = "/env";
    const Catalog catalog = compile_text(
                                "class web($port, $nothing = 'default', $given = 1) { notify { \"${port} "
                                "${nothing} ${given}\": } } "
                                "class { 'web': given => 2 }",
                                host)
                                .catalog;
    CHECK(resources_of(catalog) == "Class[Web]{given=2,port=8080,nothing=default} Notify[8080 default 2]");
}

TEST_CASE("a node classifier declares classes", "[compiler]") {
    CompileRequest request;
    request.classes = from_json(Json{{"a", Json::object()}, {"b", Json{{"x", 5}}}});
    CHECK(resources_of(catalog_of("class a { notify { 'a': } } class b($x) { notify { \"b${x}\": } }",
                                  request)) == "Class[B]{x=5} Class[A] Notify[b5] Notify[a]");
    request.classes = from_json(Json{"nosuch"});
    CHECK(compile_error("", request) == "Could not find class nosuch for localhost");
}

TEST_CASE("modules are found by the names of their classes", "[compiler]") {
    test::CaseHost host(
        {{"modules/m/manifests/init.pp", "class m { include m::part }"},
         {"modules/m/manifests/part.pp", "class m::part { m::thing { 't': } }"},
         {"modules/m/manifests/thing.pp", "define m::thing { notify { \"${module_name} ${title}\": } }"}});
    CHECK(resources_of(compile_text("include m", host).catalog) ==
          "Class[M] Class[M::Part] M::Thing[t] Notify[m t]");
}

TEST_CASE("resource types of modules are read from their Ruby", "[compiler]") {
    const std::map<std::string, std::string> files{
        {"modules/m/lib/puppet/type/thing.rb",
         "Puppet::Type.newtype(:thing) do\n  ensurable\n  newparam(:name, :namevar => true) { desc 'x' }\n"
         "  newproperty(:size)\nend\n"},
        {"modules/m/lib/puppet/type/pair.rb",
         "Puppet::ResourceApi.register_type(name: 'pair', attributes: { left: { type: 'String', behaviour: "
         ":namevar }, "
         "right: { type: 'String', behaviour: :namevar } }, title_patterns: [ { pattern: "
         "%r{^(?<left>\\w+)-(?<right>\\w+)$}, desc: 'both' } ])"},
        {"modules/m/lib/puppet/type/odd.rb",
         "Puppet::Type.newtype(:odd) { ENV['ODD'].split.each { |n| newparam(n) } }"}};
    SECTION("attributes and title patterns") {
        test::CaseHost host(files);
        CHECK(resources_of(compile_text("thing { 'x': ensure => present, size => 1 } pair { 'a-b': }", host)
                               .catalog) == "Thing[x]{ensure=present,size=1} Pair[a-b]{left=a,right=b}");
        CHECK(host.logs.empty());
    }
    SECTION("an unknown attribute") {
        test::CaseHost host(files);
        CHECK_THROWS_WITH(compile_text("thing { 'x': nope => 1 }", host),
                          Catch::Matchers::StartsWith("no parameter named 'nope'"));
    }
    SECTION("a type that computes its attributes takes them all, with one warning") {
        test::CaseHost host(files);
        CHECK(resources_of(compile_text("odd { 'x': a => 1 } odd { 'y': zzz => 1 }", host).catalog) ==
              "Odd[x]{a=1} Odd[y]{zzz=1}");
        REQUIRE(host.logs.size() == 1);
        CHECK(host.logs[0].severity == Severity::Warning);
    }
}

TEST_CASE("errors say where", "[compiler]") {
    CHECK(compile_error("notify { 'a': }\nnotify { 'a': }") ==
          "Evaluation Error: Error while evaluating a Resource Statement, Duplicate declaration: Notify[a] "
          "is already "
          "declared at (line: 1); cannot redeclare (line: 2) (line: 2, column: 1)");
    CHECK(compile_error("notify { 'a': require => File['/x'] }") ==
          "Could not find resource 'File[/x]' in parameter 'require' (line: 1)");
    CHECK(compile_error("file { '/a': } File['/a'] { mode => '1', mode => '2' }") ==
          "Duplicate parameter 'mode' for on File[/a] (line: 1)");
    CHECK(compile_error("define a { }\n  define a { }") ==
          "Attempt to redefine entity 'http://puppet.com/2016.1/runtime/type/a'. Originally set at "
          "string:?line=1&pos=1.");
    CHECK(compile_error("Class -> Notify['a'] notify { 'a': }") ==
          "Evaluation Error: Error while evaluating a '->' expression, No title provided and \"class\" is "
          "not a valid "
          "resource reference (line: 1, column: 7)");
    CHECK(compile_error("notify { 'a': before => { a => 1 } }") ==
          "No title provided and \"{\\\"a\\\"=>1}\" is not a valid resource reference (line: 1)");
    CHECK(compile_error("realize undef").find("is not a valid resource reference") != std::string::npos);
    CHECK(
        compile_error("class a { notify { 'x': } } class b { Notify['x'] { message => 1 } } include a, b") ==
        "Only subclasses can override parameters (line: 1)");
}

TEST_CASE("a hash of tags is its keys and values, a reference is none", "[compiler]") {
    const Catalog catalog =
        catalog_of("notify { 'x': tag => { a => ['b', 1] } } notify { 'y': tag => Notify['x'] }");
    CHECK(catalog.resources[catalog.find("Notify[x]")].tags ==
          std::vector<std::string_view>{"a", "b", "1", "notify", "x", "class"});
    CHECK(catalog.resources[catalog.find("Notify[y]")].tags ==
          std::vector<std::string_view>{"notify", "y", "class"});
}

TEST_CASE("a sensitive parameter is named and stands unwrapped", "[compiler]") {
    const Catalog catalog = catalog_of("file { '/a': content => Sensitive('secret') }");
    const CatalogResource& file = catalog.resources[catalog.find("File[/a]")];
    CHECK(file.sensitive_parameters == std::vector<std::string>{"content"});
    CHECK(catalog_to_json(catalog)["resources"].back()["sensitive_parameters"] == Json{"content"});
}

TEST_CASE("the catalog document has Puppet's order", "[compiler]") {
    CompileRequest request;
    request.node = "n1";
    request.version = "v1";
    const Json document = catalog_to_json(catalog_of("@notify { 'v': } notify { 'x': }", request));
    CHECK(
        document.dump() ==
        R"({"tags":["settings"],"name":"n1","version":"v1","code_id":null,"catalog_format":2,)"
        R"("environment":"production","resources":[)"
        R"({"type":"Stage","title":"main","tags":["stage"],"exported":false,"kind":"compilable_type","parameters":{"name":"main"}},)"
        R"({"type":"Class","title":"Settings","tags":["class","settings"],"exported":false,"kind":"unknown"},)"
        R"({"type":"Class","title":"main","tags":["class"],"exported":false,"kind":"unknown","parameters":{"name":"main"}},)"
        R"({"type":"Notify","title":"x","tags":["notify","x","class"],"line":1,"exported":false,"kind":"compilable_type"}],)"
        R"("edges":[{"source":"Stage[main]","target":"Class[Settings]"},{"source":"Stage[main]","target":"Class[main]"},)"
        R"({"source":"Class[main]","target":"Notify[x]"}],"classes":["settings"]})");
}

TEST_CASE("a catalog written piece by piece is the document", "[compiler]") {
    const std::string code = GENERATE(
        std::string(""),
        std::string("@notify { 'v': } notify { \"a\\nb\": message => [1, { 'x' => undef }] } include k "
                    "class k { file { ['/a', '/b']: content => \"one\\n  two\\n\" } }"),
        std::string("notify { 'x\\\\y\"z': message => [1.5, true, undef, {}, [], [[]], { 1 => 2 }, { 'a' => "
                    "{ 'b' => [1] } }, "
                    "default, /re/, Sensitive('s'), Deferred('f', [1]), Integer[1, 2], "
                    "\"\\t\\e\\u{e9}\\u{1F600}\\r\"] } "
                    "notify { 'n': message => Sensitive({ 'a' => \"line\\n\" }), require => "
                    "Notify[\"x\\\\y\\\"z\"] }"),
        std::string("Integer[1, 2000].each |$i| { notify { \"n${i}\": message => 'some more text for a "
                    "second piece' } }"));
    const Catalog catalog = catalog_of(code);
    for (const int indentation : {-1, 0, 2}) {
        std::string text;
        write_catalog(catalog, {}, indentation, [&text](std::string_view piece) { text += piece; });
        CHECK(text == catalog_to_json(catalog).dump(indentation));
    }
}
