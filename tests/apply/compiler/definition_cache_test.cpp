#include "apply/compiler/definition_cache.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <thread>

#include "apply/compiler/compile.hpp"
#include "language/compile.hpp"
#include "language/errors.hpp"
#include "language/serialization/json.hpp"

using namespace volley;

namespace {

/// Modules whose files are parsed once, as on a disk. Names stand for files: "manifests m::a", "types
/// m::port".
class SharedModules {
public:
    SharedModules& write(const std::string& name, const std::string& text) {
        const CheckOptions options{.file = "/modules/" + name, .epp = false, .file_namespace = {}};
        programs_[name] = std::make_shared<const CheckedProgram>(check_program(text, settings(), options));
        return *this;
    }
    std::shared_ptr<const CheckedProgram> find(const std::string& name) const {
        const auto found = programs_.find(name);
        return found == programs_.end() ? nullptr : found->second;
    }
    static LanguageSettings settings() {
        LanguageSettings settings;
        settings.strict = Strictness::Warning;
        return settings;
    }

private:
    std::map<std::string, std::shared_ptr<const CheckedProgram>> programs_;
};

class SharedModulesHost final : public LanguageHost {
public:
    explicit SharedModulesHost(const SharedModules& modules) : modules_(modules) {}
    void log(const LogEntry& entry) override {
        logs += LanguageError("", entry.message, entry.at).full_message() + "\n";
    }
    std::optional<SourceFile> manifest_source(std::string_view name) override {
        return file("manifests", name);
    }
    std::optional<SourceFile> type_source(std::string_view name) override { return file("types", name); }
    std::string logs;

private:
    std::optional<SourceFile> file(const std::string& folder, std::string_view name) {
        const auto checked = modules_.find(folder + " " + std::string(name));
        if (!checked) return std::nullopt;
        logs += "read " + folder + " " + std::string(name) + "\n";
        report_diagnostics(*checked, *this);
        return SourceFile{{}, folder, checked->program};
    }
    const SharedModules& modules_;
};

std::shared_ptr<const ast::Program> shared_main(const std::string& code) {
    return check_program(code, SharedModules::settings()).program;
}

/// Everything that a compilation reports: what it has read and logged, and the catalog or the error.
std::string outcome_of(const SharedModules& modules, const std::shared_ptr<const ast::Program>& main,
                       const std::string& node, const std::shared_ptr<DefinitionCache>& cache) {
    SharedModulesHost host(modules);
    CompileRequest request;
    request.node = node;
    request.programs.push_back(main);
    request.variables = HashBuilder().set("node", node).build();
    request.definition_cache = cache;
    try {
        const Catalog catalog = compile(request, host, SharedModules::settings()).catalog;
        return host.logs + catalog_to_json(catalog).dump(1);
    } catch (const LanguageError& error) {
        return host.logs + error.full_message();
    }
}

/// Compiles for the nodes one after the other; each must report what it reports alone.
void check_alike(const SharedModules& modules, const std::string& code,
                 const std::shared_ptr<DefinitionCache>& cache,
                 const std::vector<std::string>& nodes = {"one", "two", "one"}) {
    const auto main = shared_main(code);
    for (const std::string& node : nodes) {
        INFO(node << ": " << code);
        CHECK(outcome_of(modules, main, node, cache) == outcome_of(modules, main, node, nullptr));
    }
}

void check_alike(const SharedModules& modules, const std::string& code) {
    check_alike(modules, code, std::make_shared<DefinitionCache>());
}

bool reports(const SharedModules& modules, const std::string& code, const std::string& node,
             const std::string& wanted, const std::shared_ptr<DefinitionCache>& cache) {
    const std::string outcome = outcome_of(modules, shared_main(code), node, cache);
    INFO(outcome);
    CHECK(outcome.find(wanted) != std::string::npos);
    return outcome.find(wanted) != std::string::npos;
}

SharedModules typed_modules() {
    SharedModules modules;
    modules.write("types m::port", "type M::Port = Integer[1, 10]")
        .write("types m::ports", "type M::Ports = Array[Variant[M::Port, M::Name]]")
        .write("types m::name", "type M::Name = Pattern[/^[a-z]+$/]")
        .write("manifests m",
               "class m(M::Ports $ports, Optional[M::Port] $port = undef, $tag = 'x') "
               "{ $x = { 'a' => 1, 'a' => 2 } m::d { $node: ports => $ports } }")
        .write("manifests m::d",
               "define m::d(M::Ports $ports, Enum['a', 'b'] $e = 'a') { notify { $title: } }");
    return modules;
}

}  // namespace

TEST_CASE("catalogs that share what is known of modules are as catalogs alone, and so are their logs",
          "[compiler]") {
    const SharedModules modules = typed_modules();
    check_alike(modules, "class { 'm': ports => [3, 'x'] }");
    check_alike(modules, "class { 'm': ports => [11] }");  // an error for each
    check_alike(modules, "if $node == 'one' { m::d { 'early': ports => [] } } class { 'm': ports => [1] }");
    // Which file is asked for first differs, and with it the order of the logs.
    check_alike(modules, "if $node == 'one' { notify { \"${M::Name}\": } } class { 'm': ports => [1] }");
    check_alike(modules, "type M::Port = String  class { 'm': ports => ['X Y'] }");
}

TEST_CASE("a definition and the types of its parameters are made once", "[compiler]") {
    const SharedModules modules = typed_modules();
    const auto cache = std::make_shared<DefinitionCache>();
    const auto main = shared_main("m::d { 'x': ports => [1] }");
    outcome_of(modules, main, "one", cache);
    auto code = cache->take();
    REQUIRE(code->manifests.contains("m::d"));
    const auto definition = code->manifests.at("m::d").definitions.at(0);
    const auto types = definition->types;
    REQUIRE(types);
    CHECK(types->names.size() == 1);
    cache->put_back(std::move(code));
    outcome_of(modules, main, "two", cache);
    code = cache->take();
    CHECK(code->manifests.at("m::d").definitions.at(0) == definition);
    CHECK(definition->types == types);
}

TEST_CASE("what changed between two catalogs is noticed by the second", "[compiler]") {
    SharedModules modules = typed_modules();
    const auto cache = std::make_shared<DefinitionCache>();
    const std::string code = "m::d { 'x': ports => [50] }";
    CHECK(reports(modules, code, "one", "expects", cache));
    modules.write("types m::port", "type M::Port = Integer[1, 100]");
    CHECK(reports(modules, code, "one", "\"Notify\"", cache));
    check_alike(modules, code, cache);
    modules.write("manifests m::d", "define m::d($ports) { notify { 'new': } }");
    CHECK(reports(modules, code, "one", "\"new\"", cache));
    modules.write("types m::port", "type M::Port = Nope");
    check_alike(modules, "class { 'm': ports => [1] }", cache);
    modules.write("types m::port", "type M::Port = M::Name");
    check_alike(modules, "class { 'm': ports => ['x'] }", cache);
}

TEST_CASE("a mistake in a definition is one for every catalog", "[compiler]") {
    SharedModules modules;
    modules.write("manifests m", "class m(Nope::Nope $x = 1, $tag = 2) { }")
        .write("manifests n", "class n($tag) { }")
        .write("manifests o", "class o { } class o { }")
        .write("manifests p", "class p(Array[Integer, 'x'] $a = []) { }")
        .write("manifests q", "class q inherits nowhere { }")
        .write("manifests r", "class r(File[[]] $a = 1, Type[M] $b = 1) { }");
    for (const std::string name : {"m", "n", "o", "p", "q", "r"}) check_alike(modules, "include " + name);
}

TEST_CASE("aliases that lead back to themselves are found from either side", "[compiler]") {
    SharedModules modules;
    modules.write("types m::a", "type M::A = Variant[String, Array[M::B]]")
        .write("types m::b", "type M::B = Variant[Integer, M::A, M::C]")
        .write("types m::c", "type M::C = Variant[Boolean, Hash[String, M::D]]")
        .write("types m::d", "type M::D = Struct[{ a => Optional[M::A] }]")
        .write("manifests m",
               "class m(M::D $d, M::A $a, M::B $b) { notify { \"${M::A} ${M::B} ${M::C} ${M::D}\": } }");
    const std::string declare =
        "class { 'm': d => { a => [['x']] }, a => [1, [true]], b => { y => { a => 'x' } } }";
    check_alike(modules, declare);
    check_alike(modules,
                "if $node == 'one' { notify { \"${M::B}\": } } else { notify { \"${M::C}\": } } " + declare,
                std::make_shared<DefinitionCache>(), {"one", "two", "three", "one", "two"});
    const auto cache = std::make_shared<DefinitionCache>();
    check_alike(modules, declare, cache);
    modules.write("types m::b", "type M::B = Variant[Float, M::A, M::C]");
    check_alike(modules, declare, cache);
    CHECK(reports(modules, declare, "one", "expects", cache));  // 1 is not a Float
}

TEST_CASE("what a node matched and what it may override stay its own", "[compiler]") {
    SharedModules modules;
    modules
        .write("manifests m",
               "class m { if $node == 'web1' { Notify <| |> { message => 'all' } } "
               "notify { 'a': message => 'a' } contain m::sub }")
        .write("manifests m::sub", "class m::sub { include m::late }")
        .write("manifests m::late", "class m::late inherits m { Notify['a'] { message => 'late' } }")
        .write("manifests n", "class n { if $node == 'web1' { File <| |> { mode => '1' } } contain n::b }")
        .write("manifests n::b", "class n::b { file { '/b': mode => '2' } include n::c }")
        .write("manifests n::c", "class n::c inherits n { File['/b'] { mode => '3' } }");
    const std::vector<std::string> nodes{"web1", "db22", "web1"};
    check_alike(modules, "node /^([a-z]+)(\\d+)$/ { notify { \"$1-$2\": } include m }",
                std::make_shared<DefinitionCache>(), nodes);
    check_alike(modules, "include n", std::make_shared<DefinitionCache>(), nodes);
    const auto cache = std::make_shared<DefinitionCache>();
    CHECK(reports(modules, "node /^([a-z]+)/ { notify { $1: } }", "web1", "\"web\"", cache));
    CHECK(reports(modules, "node /^([a-z]+)/ { notify { $1: } }", "db22", "\"db\"", cache));
}

TEST_CASE("threads share what is known of modules", "[compiler]") {
    const SharedModules modules = typed_modules();
    const auto cache = std::make_shared<DefinitionCache>();
    const auto main = shared_main("class { 'm': ports => [3, 'x'] }");
    const std::string alone = outcome_of(modules, main, "one", nullptr);
    std::atomic<int> wrong = 0;
    const auto work = [&] {
        for (int i = 0; i < 20; ++i) {
            if (outcome_of(modules, main, "one", cache) != alone) ++wrong;
        }
    };
    std::thread first(work);
    std::thread second(work);
    first.join();
    second.join();
    CHECK(wrong == 0);
}
