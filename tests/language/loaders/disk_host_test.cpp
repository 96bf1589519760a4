#include "language/loaders/disk_host.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <thread>

#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/loaders/child_program.hpp"
#include "language/loaders/parsed_files.hpp"
#include "language/text/text.hpp"
#include "support/error.hpp"

using namespace volley;
namespace fs = std::filesystem;

namespace {

/// A folder with one environment, "production", that is gone at the end of the test.
class EnvironmentFolder {
public:
    EnvironmentFolder() {
        std::string name = (fs::temp_directory_path() / "volley-loaders-XXXXXX").string();
        root_ = ::mkdtemp(name.data());
        fs::create_directories(root_ / "production");
    }
    ~EnvironmentFolder() { fs::remove_all(root_); }
    EnvironmentFolder(const EnvironmentFolder&) = delete;
    EnvironmentFolder& operator=(const EnvironmentFolder&) = delete;

    EnvironmentFolder& write(const std::string& path, const std::string& text) {
        const fs::path file = root_ / "production" / path;
        fs::create_directories(file.parent_path());
        std::ofstream(file) << text;
        return *this;
    }
    std::string path(const std::string& relative) const { return (root_ / "production" / relative).string(); }
    std::shared_ptr<const DiskEnvironment> open() const {
        return std::make_shared<DiskEnvironment>(DiskEnvironmentOptions{
            .name = "production", .environmentpath = {root_}, .modulepath = {}, .hiera_config = {}});
    }
    /// The text of a program's value, or of its error, with the environment's folder written as <env>.
    std::string run(const std::string& code) const {
        std::string result;
        try {
            DiskHost host(open(), {}, [](const LogEntry&) {});
            Environment environment(host);
            result = to_program_text(Evaluator(environment).run(compile_program(code, environment)));
        } catch (const LanguageError& error) {
            result = error.full_message();
        }
        const std::string folder = path("");
        for (std::size_t at = result.find(folder); at != std::string::npos; at = result.find(folder))
            result.replace(at, folder.size(), "<env>/");
        return result;
    }

private:
    fs::path root_;
};

}  // namespace

TEST_CASE("functions and types of modules and of the environment are found by their names", "[loaders]") {
    EnvironmentFolder folder;
    folder.write("modules/m/functions/nest/f.pp", "function m::nest::f($x) { \"f(${x})\" }\n")
        .write("modules/m/types/port.pp", "# a port\ntype M::Port = Integer[1, 65535]\n")
        .write("modules/m/types/ports.pp", "type M::Ports = Array[M::Port]\n")
        .write("functions/g.pp", "function g() { 'g' }\n")
        .write("functions/f.pp", "function environment::f() { 1 }\n")
        .write("functions/environment/h.pp", "function environment::h() { 'h' }\n");
    CHECK(folder.run("m::nest::f(1)") == "'f(1)'");
    CHECK(folder.run("::m::nest::f(1)") == "'f(1)'");
    CHECK(folder.run("[1] =~ M::Ports") == "true");
    CHECK(folder.run("[0] =~ M::Ports") == "false");
    CHECK(folder.run("g()") == "'g'");
    CHECK(folder.run("environment::h()") == "'h'");
    // Compatibility: the whole name is the path, so functions/f.pp is not a place for environment::f.
    CHECK(folder.run("environment::f()") ==
          "Evaluation Error: Unknown function: 'environment::f'. (line: 1, column: 1)");
}

TEST_CASE("a file that holds something else than its name says is an error", "[loaders]") {
    EnvironmentFolder folder;
    folder.write("modules/m/functions/two.pp", "function m::two() { 2 }\nfunction m::two::b() { 3 }\n")
        .write("modules/m/functions/other.pp", "function m::other_one() { 1 }\n")
        .write("modules/m/functions/strange.pp", "function m::outlandish() { 1 }\n")
        .write("modules/m/functions/klass.pp", "class m::klass { }\n")
        .write("modules/m/functions/empty.pp", "# nothing\n")
        .write("modules/m/functions/loose.pp", "notice('x')\n")
        .write("modules/m/types/wrong.pp", "type M::Other = Integer\n")
        .write("modules/m/types/two.pp", "type M::Two = Integer\ntype M::Three = Integer\n");
    const std::string call =
        "Evaluation Error: Error while evaluating a Function Call, The code loaded from ";
    CHECK(folder.run("m::two()") ==
          call +
              "<env>/modules/m/functions/two.pp must contain only the function 'm::two' "
              "- it has additional definitions. (line: 1, column: 1)");
    CHECK(folder.run("m::strange()") ==
          "Unacceptable location. The name 'm::outlandish' is unacceptable in file "
          "'<env>/modules/m/functions/strange.pp' (file: <env>/modules/m/functions/strange.pp, line: 1, "
          "column: 1)");
    CHECK(folder.run("m::other()") ==
          call +
              "<env>/modules/m/functions/other.pp produced function with the wrong name, "
              "expected m::other, actual m::other_one (line: 1, column: 1)");
    CHECK(folder.run("m::klass()") ==
          call +
              "<env>/modules/m/functions/klass.pp does not define the function 'm::klass' "
              "- no function found. (line: 1, column: 1)");
    CHECK(folder.run("m::empty()") ==
          call +
              "<env>/modules/m/functions/empty.pp does not define the function 'm::empty' "
              "- it is empty. (line: 1, column: 1)");
    CHECK(folder.run("m::loose()") ==
          "This Function Call is unacceptable as a top level construct in this location "
          "(file: <env>/modules/m/functions/loose.pp, line: 1, column: 1)");
    CHECK(folder.run("1 =~ M::Wrong") ==
          "Evaluation Error: Error while evaluating a Type-Name, The code loaded from "
          "<env>/modules/m/types/wrong.pp "
          "produced type with the wrong name, expected 'm::wrong', actual 'M::Other' (line: 1, column: 6)");
    CHECK(folder.run("1 =~ M::Two") ==
          "Evaluation Error: Error while evaluating a Type-Name, The code loaded from "
          "<env>/modules/m/types/two.pp "
          "must contain only the type 'm::two' - it has additional definitions. (line: 1, column: 6)");
}

TEST_CASE("a class or defined type has one file, which its name says", "[loaders]") {
    EnvironmentFolder folder;
    folder.write("modules/m/manifests/init.pp", "class m { }\n")
        .write("modules/m/manifests/a/b.pp", "class m::a::b { }\n")
        .write("modules/m/manifests/wrong.pp", "class m::right { }\n");
    DiskHost host(folder.open(), {}, [](const LogEntry&) {});
    CHECK(host.manifest_source("m")->path == folder.path("modules/m/manifests/init.pp"));
    CHECK(host.manifest_source("::m::a::b")->path == folder.path("modules/m/manifests/a/b.pp"));
    CHECK_FALSE(host.manifest_source("m::a"));
    CHECK_FALSE(host.manifest_source("nowhere::a"));
    CHECK_FALSE(host.manifest_source("m::../../secret"));
    CHECK_THROWS_WITH(
        host.manifest_source("m::wrong"),
        Catch::StartsWith("Unacceptable location. The name 'm::right' is unacceptable in file"));
}

TEST_CASE("names cannot lead out of a module", "[loaders]") {
    EnvironmentFolder folder;
    folder.write("modules/m/files/inside", "in").write("secret", "out");
    DiskHost host(folder.open(), {}, [](const LogEntry&) {});
    CHECK(host.module_file("files", "m/inside")->text == "in");
    CHECK_FALSE(host.module_file("files", "m/../../../secret"));
    CHECK_FALSE(host.function_source("m::../../f"));
}

TEST_CASE("a module whose metadata is wrong is left out, and the log says why", "[loaders]") {
    EnvironmentFolder folder;
    folder.write("modules/im/metadata.json", R"({"name": "me-im", "version": "1.0.0"})")
        .write("modules/broken/metadata.json", "{")
        .write("modules/good/metadata.json",
               R"({"name": "me-good", "version": "1.0.0", "author": "me", "license": "x", "source": "x",
                   "dependencies": []})")
        .write("modules/Upper/manifests/init.pp", "");
    std::vector<std::string> lines;
    DiskHost host(folder.open(), {}, [&](const LogEntry& entry) { lines.push_back(entry.message); });
    REQUIRE(lines.size() == 2);
    CHECK(lines[1] == "No source module metadata provided for im");
    REQUIRE(host.modules().size() == 1);
    CHECK(host.modules()[0].name == "good");
    CHECK_FALSE(host.module_path("im"));
}

TEST_CASE("metadata needs five keys of the outermost object", "[loaders]") {
    const auto fault_of = [](const std::string& metadata) {
        EnvironmentFolder folder;
        folder.write("modules/m/metadata.json", metadata);
        std::vector<std::string> lines;
        DiskHost host(folder.open(), {}, [&](const LogEntry& entry) { lines.push_back(entry.message); });
        CHECK(host.modules().size() == (lines.empty() ? 1 : 0));
        return lines.empty() ? std::string() : lines.front();
    };
    const std::string rest = R"("author": "me", "version": "1", "license": "x")";
    CHECK(fault_of("") == "");
    CHECK(fault_of("{}") == "");
    CHECK(fault_of(R"({"source": "x", "dependencies": [{"name": "a/b"}], )" + rest + "}") == "");
    CHECK(fault_of(R"({"inner": {"source": "x"}, "dependencies": [], )" + rest + "}") ==
          "No source module metadata provided for m");
    CHECK(fault_of(R"({"source": null, "dependencies": [], )" + rest + "}") ==
          "No source module metadata provided for m");
    CHECK(
        fault_of(R"({"source": "x", "dependencies": {"a": []}, )" + rest + "}") ==
        "The value for the key dependencies in the file metadata.json of the module m must be an array, not: "
        "'{\"a\":[]}'");
    CHECK(fault_of("[]") == "m has an invalid metadata.json file: it must be an object");
    CHECK(
        fault_of("{\"a\": }").find("m has an invalid and unparsable metadata.json file. The parse error: ") ==
        0);
}

TEST_CASE("generate runs a program and returns what it printed", "[loaders]") {
    EnvironmentFolder folder;
    CHECK(folder.run("generate('/bin/sh', '-c', 'echo out; echo err >&2')") == "\"out\\nerr\\n\"");
    CHECK(
        folder.run("generate('/nowhere/x')") ==
        "Evaluation Error: Error while evaluating a Function Call, Could not run /nowhere/x: No such file or "
        "directory (line: 1, column: 1)");
    CHECK_THROWS_WITH(run_child_program({"/bin/sleep", "60"}, "/", std::chrono::milliseconds(50)),
                      "/bin/sleep did not end in time and was killed");
}

TEST_CASE("environment.conf says where modules and the manifest are", "[loaders]") {
    EnvironmentFolder folder;
    folder
        .write("environment.conf",
               "# comment\nmodulepath = site:modules:$basemodulepath\nmanifest = main.pp\n")
        .write("site/m/functions/f.pp", "function m::f() { 'site' }\n")
        .write("modules/m/functions/f.pp", "function m::f() { 'modules' }\n");
    CHECK(folder.run("m::f()") == "'site'");
    CHECK(folder.open()->manifest() == folder.path("main.pp"));
    CHECK_THROWS_AS(DiskEnvironment({.name = "nowhere",
                                     .environmentpath = {folder.path("..")},
                                     .modulepath = {},
                                     .hiera_config = {}}),
                    Error);
}

TEST_CASE("a file is parsed once, by however many threads, until it changes", "[loaders]") {
    EnvironmentFolder folder;
    folder.write("modules/m/functions/f.pp", "function m::f() { 1 }\n");
    const std::string path = folder.path("modules/m/functions/f.pp");
    std::vector<std::shared_ptr<const CheckedProgram>> seen(8);
    {
        std::vector<std::jthread> threads;
        for (auto& one : seen) threads.emplace_back([&one, &path] { one = parsed_file(path, {}); });
    }
    for (const auto& one : seen) CHECK(one == seen[0]);
    CHECK(parsed_file(path, {.strict = Strictness::Off}) != seen[0]);
    folder.write("modules/m/functions/f.pp", "function m::f() { 22 }\n");
    CHECK(parsed_file(path, {}) != seen[0]);
}

TEST_CASE("a template is taken from the disk once for each host, and again when it was asked to",
          "[loaders]") {
    EnvironmentFolder folder;
    folder.write("modules/m/templates/a.erb", "one").write("modules/m/secret", "no");
    const auto text_of = [](DiskHost& host) { return host.module_file("templates", "m/a.erb")->text; };
    DiskHost host(folder.open(), {}, [](const LogEntry&) {});
    CHECK(text_of(host) == "one");
    folder.write("modules/m/templates/a.erb", "another");
    CHECK(text_of(host) == "one");
    DiskHost next(folder.open(), {}, [](const LogEntry&) {});
    CHECK(text_of(next) == "another");
    host.forget_templates();
    CHECK(text_of(host) == "another");
    CHECK(host.module_file("templates", "m/a.erb")->path == folder.path("modules/m/templates/a.erb"));
    CHECK_FALSE(host.module_file("templates", "m/none.erb"));
    CHECK_FALSE(host.module_file("templates", "m/../secret"));
    CHECK_FALSE(host.module_file("templates", "m/x/../../secret"));
    CHECK_FALSE(host.module_file("templates", "m//" + folder.path("modules/m/secret")));
    folder.write("modules/m/templates/a..b/..c", "dots");
    CHECK(host.module_file("templates", "m/a..b/..c")->text == "dots");
}
