#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "support/json/json_reader.hpp"
#include "support/process/child_process.hpp"
#include "tests/language/ruby/native/evaluate.hpp"
#include "tests/source_folder.hpp"

namespace volley {
namespace {

/// An expression that versions of Ruby answer differently.
struct VersionedAnswers {
    std::string expression;
    bool native = true;
    std::map<std::string, std::string> answers;  // by version, "3.4"
};

/// The file that versions.rb writes.
std::vector<VersionedAnswers> read_versions() {
    std::vector<VersionedAnswers> rows;
    std::ifstream in(tests::source_folder() / "tests/language/ruby/native/versions.txt");
    for (std::string line; std::getline(in, line);) {
        if (line.empty() || line.starts_with('#')) continue;
        const bool answer = line.size() > 5 && line[0] == '3' && line[1] == '.' && line.substr(3, 2) == "> ";
        if (answer)
            rows.back().answers[line.substr(0, 3)] = line.substr(5);
        else if (line.starts_with('!'))
            rows.push_back({line.substr(1), false, {}});
        else
            rows.push_back({line, true, {}});
    }
    return rows;
}

std::string on_one_line(std::string text) {
    for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at))
        text.replace(at, 1, "\\n");
    return text;
}

/// "3.1", and what that Ruby answers to each expression; nullopt without one.
std::optional<std::pair<std::string, std::vector<std::string>>> ruby_on_path(
    const std::vector<VersionedAnswers>& rows) {
    static constexpr const char* program = R"(
require 'json'
def answer(expression)
  Object.new.instance_eval { binding }.eval(expression).inspect
rescue Exception => e
  "#{e.class}: #{e.message}"
end
print JSON.generate([RUBY_VERSION[/\A\d+\.\d+/], JSON.parse($stdin.read).map { |one| answer(one) }])
)";
    if (find_program("ruby").empty()) return std::nullopt;
    Json expressions = Json::array();
    for (const VersionedAnswers& row : rows) expressions.push_back(row.expression);
    ChildProcess ruby({.argv = {"ruby", "--disable=did_you_mean,error_highlight", "-W0", "-e", program}});
    ruby.write(expressions.dump());
    ruby.close_input();
    std::string output;
    while (ruby.read(output)) {
    }
    REQUIRE(ruby.wait() == 0);
    const Json answers = parse_json(output);
    return std::pair(answers[0].get<std::string>(), answers[1].get<std::vector<std::string>>());
}

}  // namespace

TEST_CASE("native Ruby answers as Ruby 3.1 where versions differ", "[language][ruby][native]") {
    const std::vector<VersionedAnswers> rows = read_versions();
    REQUIRE(rows.size() >= 50);
    for (const VersionedAnswers& row : rows) {
        INFO(row.expression);
        const std::string answer = on_one_line(testing::evaluated(row.expression));
        if (row.native)
            CHECK(answer == row.answers.at("3.1"));
        else
            CHECK(answer.substr(0, 11) == "not native:");
        std::set<std::string> different;
        for (const auto& [version, text] : row.answers) different.insert(text);
        CHECK(different.size() > 1);
    }
}

TEST_CASE("the ruby on PATH answers as the table has its version", "[language][ruby][native]") {
    const std::vector<VersionedAnswers> rows = read_versions();
    const auto real = ruby_on_path(rows);
    if (!real) {
        WARN("there is no ruby on PATH");
        return;
    }
    const auto& [version, answers] = *real;
    if (!rows.at(0).answers.contains(version)) {
        WARN("no answers of Ruby " + version + " are recorded");
        return;
    }
    REQUIRE(answers.size() == rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        INFO(version + ": " + rows[i].expression);
        CHECK(on_one_line(answers[i]) == rows[i].answers.at(version));
    }
}

}  // namespace volley
