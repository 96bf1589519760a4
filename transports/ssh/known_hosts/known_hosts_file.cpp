#include <algorithm>
#include <deque>
#include <unordered_map>
#include <utility>

#include "support/log.hpp"
#include "support/text.hpp"
#include "transports/ssh/config/patterns.hpp"
#include "transports/ssh/keys/keys.hpp"
#include "transports/ssh/keys/wire_encoding.hpp"
#include "transports/ssh/known_hosts/hashed_names.hpp"
#include "transports/ssh/known_hosts/known_hosts.hpp"
#include "transports/ssh/logger.hpp"

namespace volley::transports::ssh {
namespace {

constexpr std::string_view field_blanks = " \t";

std::string_view next_field(std::string_view& rest) {
    const std::size_t begin = std::min(rest.find_first_not_of(field_blanks), rest.size());
    rest.remove_prefix(begin);
    const std::size_t end = std::min(rest.find_first_of(field_blanks), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(end);
    return word;
}

struct Parsed {
    std::string_view names;
    KnownHostsFile::Entry entry;
};

/// The reason why a line is of no use, or "" when `out` is filled.
std::string_view parse_line(std::string_view line, Parsed& out) {
    std::string_view word = next_field(line);
    if (word.front() == '@') {
        if (word == "@cert-authority") {
            out.entry.marker = KnownHostsFile::Marker::Authority;
        } else if (word == "@revoked") {
            out.entry.marker = KnownHostsFile::Marker::Revoked;
        } else {
            return "unknown marker";
        }
        word = next_field(line);
    }
    out.names = word;
    const std::string_view type = next_field(line);
    const std::string_view text = next_field(line);
    if (text.empty()) return "host names, key type and key are required";
    if (type.find_first_not_of("0123456789") == std::string_view::npos)
        return "keys of SSH protocol 1 are not supported";
    auto blob = base64_decode(text);
    if (!blob) return "the key is not valid base64";
    if (blob_type(*blob) != type) return "the key does not match its type";
    out.entry.type = type;
    out.entry.blob = std::move(*blob);
    return {};
}

}  // namespace

struct KnownHostsFile::Index {
    using Number = std::uint32_t;
    struct Hashed {
        HashedName name;
        Number entry;
        bool claimed;  // its name is known: no other name can match it
    };
    /// What is known about one name, and how much of the hashed and pattern lines it covers.
    struct Answer {
        std::vector<Number> lines;
        std::size_t hashed_seen = 0;
        std::size_t patterns_seen = 0;
        std::size_t plain_seen = 0;
    };

    std::string name;
    unsigned lines = 0;
    std::deque<Entry> entries;  // a deque: add() must not move what find() returned
    std::unordered_map<std::string, std::vector<Number>> plain;
    std::vector<std::pair<std::string, Number>> patterns;
    std::vector<Hashed> hashed;
    mutable std::unordered_map<std::string, Answer> answers;

    void add(std::string_view line);
    void file_under(std::string_view names, Number number);
    const std::vector<Number>& find(const std::string& host);
};

void KnownHostsFile::Index::add(std::string_view line) {
    ++lines;
    while (!line.empty() && (line.back() == '\r' || line.back() == '\n')) line.remove_suffix(1);
    const std::size_t first = line.find_first_not_of(field_blanks);
    if (first == std::string_view::npos || line[first] == '#') return;
    Parsed parsed;
    parsed.entry.line = lines;
    std::string_view fault = parse_line(line.substr(first), parsed);
    if (fault.empty()) {
        const auto number = static_cast<Number>(entries.size());
        entries.push_back(std::move(parsed.entry));
        if (parsed.names.front() != '|') {
            file_under(parsed.names, number);
        } else if (auto hash = HashedName::parse(parsed.names)) {
            hashed.push_back({*hash, number, false});
        } else {
            entries.pop_back();
            fault = "malformed hashed name";
        }
    }
    if (!fault.empty() && log_enabled(LogLevel::Debug)) {
        log(LogLevel::Debug, logger,
            name + ":" + std::to_string(lines) + ": line ignored: " + std::string(fault));
    }
}

void KnownHostsFile::Index::file_under(std::string_view names, Number number) {
    std::string wanted = lower(names);
    if (wanted.find_first_of("*?!") != std::string::npos) {
        patterns.emplace_back(std::move(wanted), number);
        return;
    }
    for (std::string& host : split(wanted, ',')) {
        std::vector<Number>& under = plain[std::move(host)];
        if (under.empty() || under.back() != number) under.push_back(number);
    }
}

const std::vector<KnownHostsFile::Index::Number>& KnownHostsFile::Index::find(const std::string& host) {
    Answer& answer = answers[host];
    const std::size_t before = answer.lines.size();
    if (const auto found = plain.find(host); found != plain.end()) {
        const auto& numbers = found->second;
        answer.lines.insert(answer.lines.end(),
                            numbers.begin() + static_cast<std::ptrdiff_t>(answer.plain_seen), numbers.end());
        answer.plain_seen = numbers.size();
    }
    for (; answer.patterns_seen < patterns.size(); ++answer.patterns_seen) {
        const auto& [list, number] = patterns[answer.patterns_seen];
        if (match_pattern_list(host, list) == ListMatch::Yes) answer.lines.push_back(number);
    }
    if (answer.hashed_seen < hashed.size()) {
        const NameToHash wanted(host);
        for (; answer.hashed_seen < hashed.size(); ++answer.hashed_seen) {
            Hashed& candidate = hashed[answer.hashed_seen];
            if (candidate.claimed || !candidate.name.matches(wanted)) continue;
            candidate.claimed = true;
            answer.lines.push_back(candidate.entry);
        }
    }
    if (answer.lines.size() != before) std::sort(answer.lines.begin(), answer.lines.end());
    return answer.lines;
}

KnownHostsFile::KnownHostsFile(std::string name, std::string_view text) : index_(std::make_unique<Index>()) {
    index_->name = std::move(name);
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        index_->add(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

KnownHostsFile::~KnownHostsFile() = default;
KnownHostsFile::KnownHostsFile(KnownHostsFile&&) noexcept = default;
KnownHostsFile& KnownHostsFile::operator=(KnownHostsFile&&) noexcept = default;

std::vector<const KnownHostsFile::Entry*> KnownHostsFile::find(std::string_view name) const {
    std::vector<const Entry*> found;
    for (const Index::Number number : index_->find(lower(name))) found.push_back(&index_->entries[number]);
    return found;
}

void KnownHostsFile::add(std::string_view line) { index_->add(line); }

const std::string& KnownHostsFile::name() const noexcept { return index_->name; }

std::size_t KnownHostsFile::size() const noexcept { return index_->entries.size(); }

}  // namespace volley::transports::ssh
