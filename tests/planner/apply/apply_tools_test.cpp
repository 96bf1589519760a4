#include "planner/apply/apply_tools.hpp"

#include <stdlib.h>

#include <boost/asio/co_spawn.hpp>
#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "language/types/parse.hpp"
#include "planner/apply/plan_snapshot.hpp"
#include "planner/types/plan_types.hpp"

namespace volley::planner {
namespace {

namespace fs = std::filesystem;

/// A project with a module, and what compiles its catalogs, four at a time.
class CompilingProject {
public:
    CompilingProject() {
        std::string name = (fs::temp_directory_path() / "volley-compiling-XXXXXX").string();
        config.project.path = ::mkdtemp(name.data());
        config.project.name = "site";
        config.modulepath = {config.project.path / "modules"};
        config.compile_concurrency = 4;
        write("manifests/init.pp",
              "class site(Integer $port = 1) { site::line { \"${trusted['certname']}\": } }");
        write("manifests/line.pp", "define site::line() { notify { \"line ${title}\": } }");
        write("modules/m/functions/twice.pp", "function m::twice(String $x) { \"${x}${x}\" }");
    }
    ~CompilingProject() { fs::remove_all(config.project.path); }
    CompilingProject(const CompilingProject&) = delete;
    CompilingProject& operator=(const CompilingProject&) = delete;
    void write(const std::string& file, const std::string& text) const {
        fs::create_directories((config.project.path / file).parent_path());
        std::ofstream(config.project.path / file) << text;
    }

    inventory::Config config;
};

/// The titles of notify in a catalog, in order.
std::vector<std::string> notices(const CompiledCatalog& catalog) {
    std::vector<std::string> titles;
    for (const Json& resource : (*catalog.document)["resources"]) {
        if (resource["type"] == "Notify") titles.push_back(resource["title"].get<std::string>());
    }
    return titles;
}

Value result_of(const std::string& target) {
    return Value(std::vector<Value>{Value(target), Value::sensitive(Value("secret"))});
}

}  // namespace

TEST_CASE("APL-006 OPT-018 catalogs of many targets are compiled by several threads", "[apply]") {
    const CompilingProject project;
    const tasks::Library library(project.config, {});
    transports::Runtime runtime;
    ApplyTools tools(project.config, library, runtime);
    HashBuilder variables;
    variables.set("results", Value(std::vector<Value>{result_of("a"), result_of("b")}));
    variables.set("kind", Value(parse_type("Variant[Integer, Pattern[/^x/]]")));
    const auto code = std::make_shared<const AppliedCode>(
        AppliedCode{parse_manifest_text("include site\nnotify { m::twice($results[1][0]): }\n"
                                        "if 'xyz' =~ $kind { notify { \"$kind ${facts['n']}\": } }",
                                        "site.pp"),
                    snapshot(variables.build())});
    constexpr int count = 60;
    std::map<int, std::vector<std::string>> found;
    std::exception_ptr failure;
    for (int i = 0; i < count; ++i) {
        HashBuilder facts;
        facts.set("n", Value(std::int64_t{i}));
        CatalogNode node{"t" + std::to_string(i), facts.build(), {}, {}, {}};
        auto compiling = tools.compile(code, tools.module_files({}), std::move(node));
        boost::asio::co_spawn(runtime.loop(), std::move(compiling),
                              [&found, &failure, i](const std::exception_ptr& error,
                                                    const std::shared_ptr<const CompiledCatalog>& catalog) {
                                  if (error) failure = error;
                                  if (!error) found[i] = notices(*catalog);
                              });
    }
    runtime.loop().run();
    if (failure) std::rethrow_exception(failure);
    REQUIRE(found.size() == count);
    for (const auto& [i, titles] : found) {
        const std::string n = std::to_string(i);
        CHECK(titles == std::vector<std::string>{"bb", "Variant[Integer, Pattern[/^x/]] " + n, "line t" + n});
    }
}

TEST_CASE("APL-020 only Hiera 5 is taken; an empty file is none", "[apply]") {
    CompilingProject project;
    const tasks::Library library(project.config, {});
    transports::Runtime runtime;
    project.config.hiera_config = project.config.project.path / "hiera.yaml";
    CHECK_NOTHROW(ApplyTools(project.config, library, runtime));
    project.write("hiera.yaml", "# nothing\n");
    CHECK(ApplyTools(project.config, library, runtime).environment()->hiera_config().empty());
    project.write("hiera.yaml", "version: 5\n");
    CHECK(ApplyTools(project.config, library, runtime).environment()->hiera_config() ==
          project.config.hiera_config);
    for (const char* text : {"version: 3\n", "hierarchy: []\n"}) {
        project.write("hiera.yaml", text);
        INFO(text);
        CHECK_THROWS_WITH(ApplyTools(project.config, library, runtime),
                          Catch::Contains("Hiera v5 is required, found v3"));
    }
}

}  // namespace volley::planner
