#include <catch2/catch.hpp>
#include <map>
#include <thread>

#include "tests/language/lookup/world.hpp"

using namespace volley;
using volley::tests::LookupWorld;

namespace {

constexpr const char* two_levels = R"(
version: 5
hierarchy:
  - name: all
    paths: [top.yaml, low.yaml]
)";

std::string looked_up(const char* top, const char* low, const std::string& code) {
    return LookupWorld({{"hiera.yaml", two_levels}, {"data/top.yaml", top}, {"data/low.yaml", low}})
        .run(code);
}

}  // namespace

TEST_CASE("a deep merge with a knockout prefix does to nested data what the Ruby library does", "[lookup]") {
    struct Row {
        const char *name, *top, *low, *want;
    };
    static constexpr Row rows[] = {
        {"an item of the lower list is taken out", "k: ['--x', n]", "k: [x, y]", "['y', 'n']"},
        {"the prefix alone clears the lower list", "k: ['--', n]", "k: [x, y]", "['n']"},
        {"a text with the prefix leaves an empty text", "k: {a: '--z'}", "k: {a: z}", "{'a' => ''}"},
        // Where only one side has the list, source and target are one object, and Ruby's delete_if then
        // throws the rest of it away too. Compatibility.
        {"a nested list that is new loses all", "k: {n: {p: ['--q', z]}}", "k: {m: 1}",
         "{'m' => 1, 'n' => {'p' => []}}"},
        {"a list that is new loses what it knocks out", "k: {p: ['--q', z]}", "k: {m: 1}",
         "{'m' => 1, 'p' => ['z']}"},
    };
    for (const Row& row : rows) {
        DYNAMIC_SECTION(row.name) {
            CHECK(looked_up(row.top, row.low,
                            "lookup('k', Any, { 'strategy' => 'deep', 'knockout_prefix' => '--' })") ==
                  row.want);
        }
    }
}

TEST_CASE("merged lists are sorted, and hashes in them merged, when that is asked for", "[lookup]") {
    CHECK(looked_up("k: [c, a]", "k: [b]",
                    "lookup('k', Any, { 'strategy' => 'deep', 'sort_merged_arrays' => true })") ==
          "['a', 'b', 'c']");
    CHECK(looked_up("k: [{a: 1}]", "k: [{b: 2}, {c: 3}]",
                    "lookup('k', Any, { 'strategy' => 'deep', 'merge_hash_arrays' => true })") ==
          "[{'b' => 2, 'a' => 1}, {'c' => 3}]");
}

TEST_CASE("YAML data are read as Ruby reads them", "[lookup]") {
    struct Row {
        const char *yaml, *want;
    };
    static constexpr Row rows[] = {
        {"k: 0644", "420"},
        {"k: yes", "true"},
        {"k: !!str 12", "'12'"},
        {"k: !!float 1", "1.0"},
        {"k: !unknown 12", "12"},
        {"b: &b {x: 1, y: 2}\nk: {<<: *b, y: 3}", "{'x' => 1, 'y' => 3}"},
        {"b: &b {x: 1}\nk: {x: 2, <<: *b}", "{'x' => 1}"},
        {"a: &a {x: 1}\nk: {<<: [*a, {x: 2, z: 3}]}", "{'x' => 1, 'z' => 3}"},
        {":k: from a symbol", "'from a symbol'"},
        {"k: {:a: {:b: 1}}", "{'a' => {'b' => 1}}"},
        {"k: 2020-13-01", "'2020-13-01'"},
        {"k: !!omap [a: 1, b: 2]", "{'a' => 1, 'b' => 2}"},
        {"k: 2020-01-01", "! Unable to parse (/env/data/top.yaml): Tried to load unspecified class: Date"},
        {"k: 2001-12-14 21:59:43",
         "! Unable to parse (/env/data/top.yaml): Tried to load unspecified class: Time"},
        {"k: !ruby/object:Foo {}",
         "! Unable to parse (/env/data/top.yaml): Tried to load unspecified class: Foo"},
        {"k: :symbol",
         "! Value for key 'k', in hash returned from data_hash function 'yaml_data', when using location "
         "'/env/data/top.yaml', has wrong type, expects Puppet::LookupValue, got Runtime[ruby, 'Symbol']"},
    };
    for (const Row& row : rows) {
        DYNAMIC_SECTION(row.yaml) { CHECK(looked_up(row.yaml, "z: 1", "lookup('k')") == row.want); }
    }
}

TEST_CASE("aliases that stand for millions of values are refused", "[lookup]") {
    std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 9; ++i) {
        const std::string previous = "*a" + std::to_string(i - 1);
        bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
        for (int j = 0; j < 10; ++j) bomb += (j ? ", " : "") + previous;
        bomb += "]\n";
    }
    CHECK(looked_up(bomb.c_str(), "z: 1", "lookup('z')").find("stand for more than") != std::string::npos);
}

TEST_CASE("files of a hierarchy entry are found by glob, by list and by variable", "[lookup]") {
    LookupWorld world({{"hiera.yaml", R"(
version: 5
hierarchy:
  - { name: glob, glob: "g/{b,a}*.yaml" }
  - { name: deep, glob: "d/**/x.yaml" }
  - { name: mapped, mapped_paths: [ifs, i, "if/%{i}.yaml"] }
)"},
                       {"data/g/a1.yaml", "k: a1"},
                       {"data/g/b1.yaml", "k: b1"},
                       {"data/d/one/two/x.yaml", "deep: found"},
                       {"data/if/eth0.yaml", "port: first"},
                       {"data/if/eth1.yaml", "port: second"}});
    CHECK(world.run("lookup('k', Any, 'unique')") == "['b1', 'a1']");
    CHECK(world.run("lookup('deep')") == "'found'");
    CHECK(world.run("lookup('port', Any, 'unique')") == "['first', 'second']");
}

TEST_CASE("a hierarchy follows variables that change between lookups", "[lookup]") {
    LookupWorld world({{"hiera.yaml", "version: 5\nhierarchy:\n  - { name: a, path: '%{x}.yaml' }\n"},
                       {"data/1.yaml", "k: one"},
                       {"data/2.yaml", "k: two"}});
    CHECK(world.run("[1, 2].map |$x| { lookup('k') }") == "['one', 'two']");
}

TEST_CASE("an unknown variable ends a lookup, also in a datadir; in a path it is a warning (LANG-2)",
          "[lookup]") {
    LookupWorld data({{"hiera.yaml", "version: 5\nhierarchy:\n  - { name: a, path: b.yaml }\n"},
                      {"data/b.yaml", "bad: '%{nope}'"}});
    CHECK(data.run("lookup('bad')") ==
          "! Evaluation Error: Error while evaluating a Function Call, Undefined variable 'nope';  (line: 1, "
          "column: 1)");
    LanguageSettings lenient;
    lenient.strict = Strictness::Warning;
    CHECK(data.run("[lookup('bad'), lookup('bad')]", lenient) == "['', '']");
    CHECK(data.logs ==
          std::vector<std::string>{"Undefined variable 'nope'; \n   (file & line not available)"});
    LookupWorld path({{"hiera.yaml", "version: 5\nhierarchy:\n  - { name: a, path: 'a%{nope}.yaml' }\n"},
                      {"data/a.yaml", "k: found"}});
    CHECK(path.run("lookup('k')") == "'found'");
    CHECK(path.logs ==
          std::vector<std::string>{"Interpolation failed with 'nope', but compilation continuing\n"
                                   "   (file & line not available)"});
    const std::map<std::string, std::string> files{
        {"hiera.yaml", "version: 5\nhierarchy:\n  - { name: a, datadir: '%{nope}', path: a.yaml }\n"}};
    LookupWorld folder(files);
    CHECK(folder.run("lookup('k')") == "! Undefined variable 'nope' (file: /env/hiera.yaml, line: 3)");
}

TEST_CASE("plan_hierarchy is used in plans, and hierarchy when there is none (HIE-001)", "[lookup]") {
    LookupWorld world({{"hiera.yaml", R"(
version: 5
hierarchy: [{ name: a, path: a.yaml }]
plan_hierarchy: [{ name: p, path: p.yaml }]
)"},
                       {"data/a.yaml", "k: for targets"},
                       {"data/p.yaml", "k: for plans"}});
    CHECK(world.run("lookup('k')") == "'for targets'");
    world.settings().in_plan = true;
    CHECK(world.run("lookup('k')") == "'for plans'");
    world.files->files["/env/hiera.yaml"] = "version: 5\nhierarchy: [{ name: a, path: a.yaml }]\n";
    world.files->touch();
    CHECK(world.run("lookup('k')") == "'for targets'");
}

TEST_CASE("functions written in the language use their context", "[lookup]") {
    LookupWorld world(
        {{"hiera.yaml", "version: 5\nhierarchy:\n  - { name: f, lookup_key: f, path: x.txt }\n"},
         {"data/x.txt", "text of the file"}});
    const std::string f = R"(function f($key, $options, $context) {
        case $key {
            'all': { $context.cache_all({ 'a' => 1, 'b' => 2 }) $context.cached_entries.map |$e| { $e } }
            'file': { $context.cached_file_data($options['path']) |$text| { $text.upcase } }
            'has': { [$context.cache_has_key('zz'), $context.cached_value('zz')] }
            'module': { $context.module_name }
            default: { $context.not_found }
        }
    } )";
    CHECK(world.run(f + "lookup('all')") == "[['a', 1], ['b', 2]]");
    CHECK(world.run(f + "lookup('file')") == "'TEXT OF THE FILE'");
    CHECK(world.run(f + "lookup('has')") == "[false, undef]");
    CHECK(world.run(f + "lookup('module')") == "undef");
    CHECK(world.run(f + "lookup('none', { 'default_value' => 'd' })") == "'d'");
}

TEST_CASE("hiera functions see an environment of version 5", "[lookup]") {
    LookupWorld world({{"hiera.yaml", two_levels},
                       {"data/top.yaml", "k: [1]\nh: {a: 1}"},
                       {"data/low.yaml", "k: [2]\nh: {b: 2}"}});
    CHECK(world.run("hiera('k')") == "[1]");
    CHECK(world.run("hiera_array('k')") == "[1, 2]");
    CHECK(world.run("hiera_hash('h')") == "{'b' => 2, 'a' => 1}");
    CHECK(world.run("hiera('none', 'd')") == "'d'");
    CHECK(world.run("hiera('none') |$key| { \"no ${key}\" }") == "'no none'");
}

TEST_CASE("version 3 works in the global layer", "[lookup]") {
    LookupWorld world({{"/etc/hiera.yaml", R"(
:backends: [yaml]
:hierarchy: ['%{kernel}', common]
:yaml:
  :datadir: /etc/data
)"},
                       {"/etc/data/Linux.yaml", "k: linux"},
                       {"/etc/data/extra.yaml", "k: extra"},
                       {"/etc/data/common.yaml", "k: common\nc: '%{calling_module}|%{kernel}'"}});
    world.settings().global_config = "/etc/hiera.yaml";
    CHECK(world.run("lookup('k')") == "'linux'");
    CHECK(world.run("hiera('k', 'd', 'extra')") == "'extra'");
    CHECK(world.run("lookup('c')") == "'|Linux'");
}

TEST_CASE("a data file is read once, and again when it has changed", "[lookup]") {
    LookupWorld world({{"hiera.yaml", two_levels}, {"data/top.yaml", "k: 1"}});
    world.run("[lookup('k'), lookup('k', { 'default_value' => 2 })]");
    const int reads = world.files->reads;
    world.run("lookup('k')");
    CHECK(world.files->reads == reads);
    world.files->files["/env/data/top.yaml"] = "k: 2";
    world.files->touch();
    CHECK(world.run("lookup('k')") == "2");
}

TEST_CASE("many compilations share one store of data files", "[lookup]") {
    std::string big;
    for (int i = 0; i < 500; ++i) big += "key" + std::to_string(i) + ": {v: " + std::to_string(i) + "}\n";
    LookupWorld world({{"hiera.yaml", two_levels}, {"data/top.yaml", big}});
    std::vector<std::string> answers(4);
    std::vector<std::thread> threads;
    for (std::string& answer : answers)
        threads.emplace_back([&world, &answer] { answer = world.run("lookup('key499.v')"); });
    for (std::thread& thread : threads) thread.join();
    for (const std::string& answer : answers) CHECK(answer == "499");
}

TEST_CASE("lookups that nest without end are refused", "[lookup]") {
    std::string data;
    for (int i = 0; i < 5000; ++i)
        data += "k" + std::to_string(i) + ": \"%{lookup('k" + std::to_string(i + 1) + "')}\"\n";
    const std::string answer = looked_up(data.c_str(), "z: 1", "lookup('k0')");
    CHECK(answer.starts_with("! "));
}
