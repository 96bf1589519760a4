#include "cli/outputters/result_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/outputters/text.hpp"
#include "support/text.hpp"

namespace volley::cli {
namespace {

constexpr std::size_t lines_said = 3;
constexpr std::size_t longest_line = 200;
constexpr std::size_t longest_text = 64 * 1024;  // more of a text is compared as it is, and not shown
constexpr char masked = '\x01';

bool is_word(char c) noexcept {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (static_cast<unsigned char>(c) & 0x80U) != 0;
}

/// What a host may call itself: the name, its host, and that without the domain.
std::vector<std::string> own_names(const std::string& name) {
    std::vector<std::string> names{name};
    std::string host = name.substr(name.find("://") == std::string::npos ? 0 : name.find("://") + 3);
    host = host.substr(0, host.find('/'));
    if (const std::size_t user = host.rfind('@'); user != std::string::npos) host.erase(0, user + 1);
    if (const std::size_t port = host.rfind(':'); port != std::string::npos && host.find(':') == port)
        host.erase(port);
    const bool address = host.find_first_not_of("0123456789.:[]") == std::string::npos;
    for (const std::string& one : {host, address ? std::string() : host.substr(0, host.find('.'))}) {
        if (one.size() > 1 && std::find(names.begin(), names.end(), one) == names.end()) names.push_back(one);
    }
    return names;
}

/// A text with the target's own names taken out, so that the same trouble on many targets reads the same.
std::string without_name(std::string text, const std::string& target) {
    static constexpr std::string_view instead = "<target>";
    for (const std::string& name : own_names(target)) {
        for (std::size_t at = text.find(name); !name.empty() && at != std::string::npos;
             at = text.find(name, at)) {
            const bool inside = (at > 0 && is_word(text[at - 1])) ||
                                (at + name.size() < text.size() && is_word(text[at + name.size()]));
            if (inside) {
                ++at;
                continue;
            }
            text.replace(at, name.size(), instead);
            at += instead.size();
        }
    }
    return text;
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
    const auto shared = result.shared_value();
    const Json& value = *shared;
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

/// Of a fingerprint at the beginning of a text ("SHA256:", 43 characters in base 64): one word as well; 0
/// when there is none.
std::size_t fingerprint_length(std::string_view text) noexcept {
    constexpr std::string_view begin = "SHA256:";
    if (!text.starts_with(begin)) return 0;
    std::size_t end = begin.size();
    while (end < text.size() && (is_word(text[end]) || text[end] == '+' || text[end] == '/')) ++end;
    return end;
}

/// Words, and what stands between them character by character.
std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at + fingerprint_length(text.substr(at));
        while (end < text.size() && is_word(text[end])) ++end;
        if (end == at) ++end;
        words.emplace_back(text.substr(at, end - at));
        at = end;
    }
    return words;
}

bool may_differ(std::string_view word) { return word.find_first_of("0123456789") != std::string_view::npos; }

struct Members {
    ResultGroup group;
    std::vector<std::string> words;  // of the first; those that differ are "*"
};

/// Puts results together that have the same status, exit code and text, numbers and names apart.
class SameResults {
public:
    void add(const planner::Result& result, const std::string& name, std::string_view text) {
        const std::string_view shown = text.substr(0, longest_text);
        const std::string_view rest = text.substr(shown.size());
        std::vector<std::string> words = words_of(without_name(scrub_utf8(shown), name));
        const std::string code = exit_code(result);
        std::string key(to_string(result.status()));
        key += ' ' + code + ' ';
        for (const std::string& word : words) key += may_differ(word) ? std::string(1, masked) : word;
        if (!rest.empty()) key += fmt::format("{}:{}", rest.size(), std::hash<std::string_view>()(rest));
        const auto [at, is_new] = groups_.try_emplace(std::move(key));
        Members& members = at->second;
        members.group.names.push_back(name);
        if (is_new) {
            members.group.status = result.status();
            members.group.exit_code = code;
            members.group.left_out = rest.size();
            members.words = std::move(words);
            return;
        }
        for (std::size_t i = 0; i < words.size(); ++i) {
            if (members.words[i] != words[i]) members.words[i] = "*";
        }
    }
    std::vector<ResultGroup> groups() const {
        std::vector<ResultGroup> found;
        for (const auto& [key, members] : groups_) {
            found.push_back(members.group);
            found.back().text = join(members.words, "");
        }
        return found;
    }

private:
    std::map<std::string, Members> groups_;
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

std::string result_body(const planner::Result& result) {
    if (const transports::Output* output = result.output()) {
        const std::string_view said = output->captured.merged();
        return is_blank(said) ? std::string() : std::string(said);
    }
    Json value = result.value();
    std::string text;
    if (!value.is_object())
        return value.is_null() ? text : value.dump(2, ' ', false, Json::error_handler_t::replace);
    if (const auto output = value.find("_output"); output != value.end())
        text = output->is_string() ? output->get<std::string>() : output->dump();
    if (is_blank(text)) text.clear();
    value.erase("_error");
    value.erase("_output");
    if (value.empty()) return text;
    if (!text.empty() && !text.ends_with('\n')) text += '\n';
    return text + value.dump(2, ' ', false, Json::error_handler_t::replace);
}

namespace {

/// A number, unless a task calls something else its exit code.
Json code_of(const std::string& text) {
    long number = 0;
    const char* const end = text.data() + text.size();
    const auto [stopped, problem] = std::from_chars(text.data(), end, number);
    if (text.empty() || text == "null") return {};
    return problem == std::errc() && stopped == end ? Json(number) : Json(text);
}

}  // namespace

Json to_json(const std::vector<ResultGroup>& groups) {
    Json list = Json::array();
    for (const ResultGroup& group : groups) {
        Json one{{"status", to_string(group.status)}};
        one["exit_code"] = code_of(group.exit_code);
        one["text"] = group.text;
        if (group.left_out > 0) one["left_out"] = group.left_out;
        one["count"] = group.names.size();
        one["targets"] = group.names;
        list.push_back(std::move(one));
    }
    return list;
}

struct FailureGrouping::State {
    SameResults same;
    std::vector<ResultGroup> groups;
    bool changed = false;
};

FailureGrouping::FailureGrouping() : state_(std::make_unique<State>()) {}
FailureGrouping::~FailureGrouping() = default;

void FailureGrouping::add(const planner::Result& result, const std::string& name) {
    std::string text(without_trail(failure_message(result)));
    if (const std::string more = said(result); !more.empty() && text.find(more) == std::string::npos)
        text += "\n" + more;
    state_->same.add(result, name, text);
    state_->changed = true;
}

const std::vector<ResultGroup>& FailureGrouping::groups() const {
    if (std::exchange(state_->changed, false)) {
        state_->groups = state_->same.groups();
        std::ranges::stable_sort(state_->groups, std::greater<>(),
                                 [](const ResultGroup& group) { return group.names.size(); });
    }
    return state_->groups;
}

std::vector<ResultGroup> failure_groups(const planner::ResultSet& results, const NameOf& display_name) {
    FailureGrouping grouping;
    for (const planner::Result& result : results.results()) {
        if (result.status() == planner::Status::Failure) grouping.add(result, display_name(result.target()));
    }
    return grouping.groups();
}

namespace {

/// The message of a failure, and everything that was said.
std::string whole_text(const planner::Result& result) {
    std::string text;
    if (!result.ok()) text = std::string(without_trail(failure_message(result))) + "\n";
    if (!result.ok() && result.output() == nullptr) text += failure_stderr(result);
    if (result.status() != planner::Status::NotStarted) text += result_body(result);
    return std::string(without_trail(text));
}

}  // namespace

std::string result_text(const planner::Result& result, const NameOf& display_name) {
    return without_name(scrub_utf8(whole_text(result)), display_name(result.target()));
}

std::vector<ResultGroup> result_groups(const planner::ResultSet& results, const NameOf& display_name) {
    SameResults grouping;
    for (const planner::Result& result : results.results())
        grouping.add(result, display_name(result.target()), whole_text(result));
    std::vector<ResultGroup> found = grouping.groups();
    std::ranges::stable_sort(found, std::less<>(),
                             [](const ResultGroup& group) { return group.names.size(); });
    return found;
}

}  // namespace volley::cli
