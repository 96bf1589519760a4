#include "planner/apply/catalog_source.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "language/errors.hpp"
#include "language/syntax/parser.hpp"
#include "planner/apply/plan_snapshot.hpp"
#include "support/error.hpp"
#include "support/log.hpp"

namespace volley::planner {
namespace {

using Strings = std::vector<std::string>;

std::shared_ptr<const DiskEnvironment> no_modules() {
    DiskEnvironmentOptions options;
    options.name = "test";
    return std::make_shared<const DiskEnvironment>(std::move(options));
}

Value hash_of(std::vector<std::pair<std::string, Value>> entries) {
    HashBuilder hash;
    for (auto& [name, value] : entries) hash.set(Value(name), std::move(value));
    return hash.build();
}

/// The message of the only notify.
std::string notified(const std::string& code, const Value& plan, const CatalogNode& node,
                     std::vector<LogEntry>& logs) {
    const AppliedCode applied{parse_manifest_text(code, "site.pp"), plan};
    const Catalog catalog = compile_for(applied, no_modules(), node, logs);
    for (const CatalogResource& resource : catalog.resources) {
        if (resource.type == "Notify") return resource.title;
    }
    return {};
}

/// The apply block in a plan that is one.
const ast::Apply* find_apply(const ast::Node& node) {
    if (node.kind == ast::NodeKind::Apply) return &ast::as<ast::Apply>(node);
    if (node.kind == ast::NodeKind::Plan) return find_apply(*ast::as<ast::Definition>(node).body);
    if (node.kind != ast::NodeKind::Block) return nullptr;
    for (const ast::Node* statement : ast::as<ast::Block>(node).statements) {
        if (const ast::Apply* found = find_apply(*statement)) return found;
    }
    return nullptr;
}

}  // namespace

TEST_CASE("APL-008 facts win over the plan's variables and these over the target's, with a warning",
          "[apply]") {
    std::vector<LogEntry> logs;
    const CatalogNode node{"web",
                           hash_of({{"a", "fact"}}),
                           hash_of({{"a", "target"}, {"b", "target"}, {"c", "target"}}),
                           {},
                           {}};
    const Value plan = hash_of({{"a", "plan"}, {"b", "plan"}});
    CHECK(notified("notify { \"${a} ${b} ${c} ${facts['a']}\": }", plan, node, logs) ==
          "fact plan target fact");
    Strings logged;
    for (const LogEntry& entry : logs) logged.push_back(entry.message);
    CHECK(logged ==
          Strings{
              "Plan variable $a will be overridden by fact of the same name in the apply block",
              "Target variable $a will be overridden by fact of the same name in the apply block",
              "Target variable $b will be overridden by plan variable of the same name in the apply block"});
}

TEST_CASE("APL-007 the target is the node, and $trusted knows it", "[apply]") {
    std::vector<LogEntry> logs;
    const std::string code =
        "notify { \"${trusted['certname']} ${trusted['hostname']} ${trusted['domain']} ${undefined}\": }";
    CHECK(notified(code, {}, {"web.example.com", {}, {}, {}}, logs) == "web.example.com web example.com ");
    CHECK(notified("node 'other' { } node /^web/ { notify { 'matched': } }", {}, {"web1", {}, {}, {}},
                   logs) == "matched");
}

TEST_CASE("APL-012 what is wrong with a catalog is an error that names the target", "[apply]") {
    std::vector<LogEntry> logs;
    const auto message = [&logs](const std::string& code) -> std::string {
        try {
            notified(code, {}, {"web", {}, {}, {}}, logs);
        } catch (const Error& error) {
            CHECK(error.info().kind() == "bolt/apply-error");
            return error.what();
        }
        return "nothing thrown";
    };
    CHECK(message("\n  fail('no')") ==
          "Apply failed to compile for web: no (file: site.pp, line: 2, column: 3)");
    CHECK(message("define d {\n  fail('no') }\n d { 'x': }") ==
          "Apply failed to compile for web: no (file: site.pp, line: 2, column: 3)");
    CHECK(message("if $a {} else { 1 + 'x' }").find("Apply failed to compile for web: Evaluation Error: ") ==
          0);
    CHECK_THAT(message("define d { d { \"${title}x\": } } d { 'x': }"),
               Catch::Contains("failed to compile for web: "));
    CHECK_THAT(message("if 1 + 'x' { }"), Catch::Contains("on node web"));
    CHECK_THAT(message("run_task('x', 'y')"),
               Catch::Contains("cannot be used from declarative manifest code"));
    CHECK_THAT(message("$t = Target.new('x')"),
               Catch::Contains("cannot be instantiated inside apply blocks"));
}

TEST_CASE("a warning about exported resources is known by its issue, not by its words", "[apply]") {
    std::vector<LogEntry> logs;
    notified(
        "@@notify { 'a': } Notify <<| |>> warning('I wrote: without storeconfigs being set') notify { 'n': }",
        {}, {"web", {}, {}, {}}, logs);
    Strings logged;
    log_to([&logged](const LogRecord& record) { logged.emplace_back(record.message); }, LogLevel::Warn);
    logged.clear();  // what was logged before there was anybody to listen
    tell_compile_logs("web", logs);
    log_to({}, LogLevel::Trace);
    const auto marked = std::count_if(logged.begin(), logged.end(), [](const std::string& line) {
        return line.find("[ID: exported_resources]") != std::string::npos;
    });
    CHECK(logged.size() == 3);
    CHECK(marked == 2);
}

TEST_CASE("APL-023 wrong code is found before anything runs", "[apply]") {
    for (const char* code : {"file { 'x' content => 1 }", "$x = [", "class Bad { }"}) {
        INFO(code);
        CHECK_THROWS_AS(parse_manifest_text(code, "site.pp"), Error);
    }
}

TEST_CASE("FN-003 the code of an apply block keeps its place in the plan", "[apply]") {
    struct Row {
        std::string_view name, plan, where;
    };
    static constexpr Row rows[] = {
        {"on one line", "plan p() { apply('all') { fail('x') } }", "line: 1, column: 27"},
        {"with options", "plan p() {\n  apply('all', _noop => true) {\n    fail('x')\n  }\n}",
         "line: 3, column: 5"},
        {"after characters of several bytes", "plan p() { $x = 'äöü' apply('all') { fail('x') } }",
         "line: 1, column: 38"},
        {"a comment with a brace before it", "plan p() { apply('all') # {\n /* { */ { fail('x') } }",
         "line: 2, column: 12"},
        {"a brace in the arguments", "plan p() { apply('all', {'_noop' => true}) { fail('x') } }",
         "line: 1, column: 46"},
    };
    for (const Row& row : rows) {
        DYNAMIC_SECTION(row.name) {
            const auto plan = parse_program(std::string(row.plan), {.file = "p.pp", .tasks = true});
            const ast::Apply* block = find_apply(*plan->body);
            REQUIRE(block != nullptr);
            std::vector<LogEntry> logs;
            std::string message;
            try {
                compile_for({program_of(*block), {}}, no_modules(), {"web", {}, {}, {}}, logs);
            } catch (const Error& error) {
                message = error.what();
            }
            CHECK_THAT(message, Catch::Contains(std::string(row.where)));
        }
    }
}

TEST_CASE("values of a plan are copied for apply blocks, also in Sensitive", "[apply]") {
    const Value list(std::vector<Value>{Value(1), Value("x"), Value::sensitive(Value("s"))});
    const Value copy = snapshot(hash_of({{"list", list}}));
    CHECK(copy == hash_of({{"list", list}}));
    Value deep("x");
    for (int i = 0; i < 5000; ++i) deep = Value(std::vector<Value>{deep});
    CHECK_THROWS_AS(snapshot(deep), LanguageError);
}

}  // namespace volley::planner
