#include "cli/validation/ruby_findings.hpp"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "language/ruby/ruby.hpp"
#include "support/error.hpp"
#include "support/json/json_reader.hpp"
#include "support/json/json_text.hpp"
#include "support/process/child_process.hpp"

namespace volley::cli {
namespace {

/// Compiles each program of a JSON list and prints a list of messages, null for what is fine.
constexpr const char* syntax_program = R"(
require 'json'
answers = JSON.parse(STDIN.read).map do |code|
  begin
    RubyVM::InstructionSequence.compile(code.force_encoding('UTF-8'), '-', '-', 1)
    nil
  rescue SyntaxError => e
    e.message
  end
end
puts JSON.generate(answers)
)";

std::string program_of(const RubyText& one) {
    return one.erb ? ruby_source::erb_program(one.text) : one.text;
}

/// "-:3: syntax error, unexpected end-of-input", perhaps with lines of the source after it.
Finding finding_of_ruby(const std::string& message, const std::string& file) {
    Finding finding{Severity::Err, {}, message.substr(0, message.find('\n')), {file, 0, 0}};
    std::string& text = finding.message;
    const std::size_t colon = text.starts_with("-:") ? text.find(':', 2) : std::string::npos;
    if (colon != std::string::npos && colon > 2 &&
        std::all_of(text.begin() + 2, text.begin() + static_cast<std::ptrdiff_t>(colon),
                    [](unsigned char c) { return std::isdigit(c) != 0; })) {
        finding.at.line = std::stoi(text.substr(2, std::min<std::size_t>(colon - 2, 9)));
        text.erase(0, text.find_first_not_of(' ', colon + 1));
    }
    return finding;
}

/// What a ruby says; empty when it said nothing that can be read.
std::vector<Json> ask_ruby(const std::vector<RubyText>& texts) {
    Json programs = Json::array();
    for (const RubyText& one : texts) programs.push_back(program_of(one));
    ChildProcess ruby({.argv = {"ruby", "-W0", "-e", syntax_program}});
    ruby.write(compact_json(programs));
    ruby.close_input();
    std::string output;
    while (ruby.read(output)) {
    }
    const Json answers = try_parse_json(output);
    if (ruby.wait() != 0 || !answers.is_array() || answers.size() != texts.size()) return {};
    return answers.get<std::vector<Json>>();
}

std::vector<Finding> native_findings(const RubyText& one) {
    if (is_native_ruby(one.text, one.erb)) return {};
    return {{Severity::Warning, {}, "This Ruby cannot be checked without a ruby on PATH", {one.file, 0, 0}}};
}

}  // namespace

std::vector<std::vector<Finding>> validate_ruby(const std::vector<RubyText>& texts, bool may_run_ruby) {
    std::vector<std::vector<Finding>> findings(texts.size());
    if (texts.empty()) return findings;
    try {
        const std::vector<Json> answers =
            may_run_ruby && !find_program("ruby").empty() ? ask_ruby(texts) : std::vector<Json>();
        for (std::size_t i = 0; i < texts.size(); ++i) {
            if (answers.empty()) {
                findings[i] = native_findings(texts[i]);
            } else if (answers[i].is_string()) {
                findings[i].push_back(finding_of_ruby(answers[i].get<std::string>(), texts[i].file));
            }
        }
    } catch (const Error& error) {  // the ruby could not be started
        for (std::size_t i = 0; i < texts.size(); ++i) findings[i] = native_findings(texts[i]);
    }
    return findings;
}

}  // namespace volley::cli
