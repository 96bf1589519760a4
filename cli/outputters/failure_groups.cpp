#include "cli/outputters/failure_groups.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/outputters/text.hpp"
#include "support/text.hpp"

namespace volley::cli {
namespace {

constexpr std::size_t lines_said = 3;
constexpr std::size_t longest_line = 200;
constexpr char masked = '\x01';

/// A message with the target's own name taken out, so that the same trouble on many targets reads the same.
std::string without_name(std::string message, const std::string& name) {
    static constexpr std::string_view instead = "<target>";
    for (std::size_t at = message.find(name); !name.empty() && at != std::string::npos;
         at = message.find(name, at)) {
        message.replace(at, name.size(), instead);
        at += instead.size();
    }
    return message;
}

/// The last lines that are not blank.
std::string last_lines(std::string_view text) {
    std::vector<std::string> lines;
    for (std::string& line : split(text, '\n')) {
        if (!is_blank(line)) lines.push_back(std::move(line));
    }
    if (lines.size() > lines_said) lines.erase(lines.begin(), lines.end() - static_cast<long>(lines_said));
    for (std::string& line : lines) line = truncate(line, longest_line);
    return join(lines, "\n");
}

std::string said(const planner::Result& result) {
    if (const transports::Output* output = result.output()) {
        const std::string errors = output->captured.text(transports::Stream::Err);
        return last_lines(is_blank(errors) ? output->captured.text(transports::Stream::Out) : errors);
    }
    if (const std::string errors = failure_stderr(result); !errors.empty()) return last_lines(errors);
    const Json value = result.value();
    const auto output = value.find("_output");
    return output != value.end() && output->is_string() ? last_lines(output->get<std::string>())
                                                        : std::string();
}

std::string exit_code(const planner::Result& result) {
    if (const transports::Output* output = result.output()) return std::to_string(output->status.code);
    const auto details = result.error().is_object() ? result.error().find("details") : result.error().end();
    if (details == result.error().end() || !details->is_object()) return {};
    return details->value("exit_code", Json()).dump();
}

bool is_word(char c) noexcept {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (static_cast<unsigned char>(c) & 0x80U) != 0;
}

/// Words, and what stands between them character by character.
std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && is_word(text[end])) ++end;
        if (end == at) ++end;
        words.emplace_back(text.substr(at, end - at));
        at = end;
    }
    return words;
}

bool may_differ(std::string_view word) { return word.find_first_of("0123456789") != std::string_view::npos; }

struct Members {
    std::vector<std::string> words;  // of the first; those that differ are "*"
    std::vector<std::string> names;
};

}  // namespace

std::string failure_message(const planner::Result& result) {
    const Json& error = result.error();
    if (!error.is_object()) return error.dump();
    const auto msg = error.find("msg");
    return msg != error.end() && msg->is_string() ? msg->get<std::string>() : error.dump();
}

std::string failure_stderr(const planner::Result& result) {
    const Json& error = result.error();
    const auto details = error.is_object() ? error.find("details") : error.end();
    if (details == error.end() || !details->is_object()) return {};
    const auto text = details->find("_stderr");
    return text != details->end() && text->is_string() ? text->get<std::string>() : std::string();
}

std::vector<FailureGroup> failure_groups(const planner::ResultSet& results,
                                         const std::function<std::string(std::string_view)>& display_name) {
    std::map<std::string, Members> groups;
    for (const planner::Result& result : results.results()) {
        if (result.ok()) continue;
        const std::string name = display_name(result.target());
        std::string text(without_trail(failure_message(result)));
        if (const std::string more = said(result); !more.empty() && text.find(more) == std::string::npos)
            text += "\n" + more;
        std::vector<std::string> words = words_of(without_name(scrub_utf8(text), name));
        std::string key = exit_code(result);
        for (const std::string& word : words) key += may_differ(word) ? std::string(1, masked) : word;
        Members& members = groups[key];
        members.names.push_back(name);
        if (members.words.empty()) {
            members.words = std::move(words);
            continue;
        }
        for (std::size_t i = 0; i < words.size(); ++i) {
            if (members.words[i] != words[i]) members.words[i] = "*";
        }
    }
    std::vector<FailureGroup> found;
    for (auto& [key, members] : groups) found.push_back({join(members.words, ""), std::move(members.names)});
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.names.size() > b.names.size(); });
    return found;
}

}  // namespace volley::cli
