#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <vector>

#include "tests/language/ruby/native/evaluate.hpp"
#include "tests/source_folder.hpp"

namespace volley {
namespace {

/// An expression and what Ruby 3.1 answers; without an answer it must not be native.
struct RubyAnswer {
    std::string expression;
    std::optional<std::string> answer;
};

/// The files beside this one that answers.rb writes.
std::vector<RubyAnswer> read_answers(const std::filesystem::path& file) {
    std::vector<RubyAnswer> rows;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("=> "))
            rows.back().answer = line.substr(3);
        else if (line.starts_with('!'))
            rows.push_back({line.substr(1), std::nullopt});
        else if (!line.empty() && !line.starts_with('#'))
            rows.push_back({line, std::nullopt});
    }
    return rows;
}

std::string native_answer(const std::string& expression) {
    std::string answer = testing::evaluated(expression);
    for (std::size_t at = answer.find('\n'); at != std::string::npos; at = answer.find('\n', at))
        answer.replace(at, 1, "\\n");
    return answer;
}

}  // namespace

TEST_CASE("native methods answer as Ruby does", "[ruby]") {
    const std::filesystem::path folder = tests::source_folder() / "tests/language/ruby/native/methods";
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".txt") continue;
        for (const RubyAnswer& row : read_answers(entry.path())) {
            INFO(entry.path().filename().string() + ": " + row.expression);
            const std::string answer = native_answer(row.expression);
            if (row.answer)
                CHECK(answer == *row.answer);
            else
                CHECK(answer.substr(0, 11) == "not native:");
            ++count;
        }
    }
    CHECK(count > 500);  // the files were found
}

// tests/conformance/native_ruby/random.rb asks for answers this way.
TEST_CASE("expressions of a file are answered for a script", "[.native-ruby-answers]") {
    const char* const file = std::getenv("VOLLEY_RUBY_EXPRESSIONS");
    REQUIRE(file != nullptr);
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) std::cout << "=> " << native_answer(line) << "\n";
}

}  // namespace volley
