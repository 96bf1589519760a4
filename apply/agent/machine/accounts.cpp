#include "apply/agent/machine/accounts.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <unordered_map>

#include "apply/agent/machine/files.hpp"
#include "apply/agent/machine/process.hpp"
#include "apply/agent/values/errors.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

/// The fields of a line, as the C library reads them: blanks before the name do not count, what is after a
/// hash is not an entry, and fields at the end may be missing. None without a name and the number of `least`
/// fields.
std::vector<std::string> fields_of(std::string_view line, std::size_t least, std::size_t all) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t\r\f\v"), line.size()));
    auto parts = split(line, ':');
    if (line.starts_with('#') || parts.size() < least || parts[0].empty()) return {};
    parts.resize(std::max(parts.size(), all));
    return parts;
}

std::optional<UserEntry> user_from(const std::string& line) {
    const auto parts = fields_of(line, 4, 7);
    if (parts.empty()) return std::nullopt;
    const auto uid = decimal(parts[2]);
    const auto gid = decimal(parts[3]);
    if (!uid || !gid) return std::nullopt;
    return UserEntry{parts[0], *uid, *gid, parts[4], parts[5], parts[6]};
}

std::optional<GroupEntry> group_from(const std::string& line) {
    const auto parts = fields_of(line, 3, 4);
    if (parts.empty()) return std::nullopt;
    const auto gid = decimal(parts[2]);
    if (!gid) return std::nullopt;
    GroupEntry entry{parts[0], *gid, {}};
    for (std::string& member : split(parts[3], ',')) {
        member.erase(0, std::min(member.find_first_not_of(" \t\r\f\v"), member.size()));
        if (!member.empty()) entry.members.push_back(std::move(member));
    }
    return entry;
}

/// A file of entries, read again when it has changed.
template <class Entry>
class EntryFile {
public:
    EntryFile(std::string path, std::string database, std::optional<Entry> (*parse)(const std::string&))
        : path_(std::move(path)), database_(std::move(database)), parse_(parse) {}

    const std::vector<Entry>& entries() {
        const auto stat = file_stat(path_, true);
        if (!stat) {
            entries_.clear();
            return entries_;
        }
        const bool same = stat->changed.tv_sec == seen_.changed.tv_sec && stat->size == seen_.size &&
                          stat->changed.tv_nsec == seen_.changed.tv_nsec;
        if (same && read_) return entries_;
        entries_.clear();
        for (const std::string& line : split(read_whole(path_, 256U << 20U), '\n')) {
            if (auto entry = parse_(line)) entries_.push_back(std::move(*entry));
        }
        seen_ = *stat;
        read_ = true;
        return entries_;
    }

    template <class Test>
    std::optional<Entry> find(const Test& test, const std::string& key) {
        const auto& list = entries();
        const auto found = std::find_if(list.begin(), list.end(), test);
        if (found != list.end()) return *found;
        return ask_name_services(key);
    }

private:
    std::optional<Entry> ask_name_services(const std::string& key) {
        if (!has_other_sources() || key.empty() || key.starts_with('-')) return std::nullopt;
        Command command({"getent", database_, key});
        command.timeout = 60;
        const Finished done = run(command);
        if (done.exit_code != 0) return std::nullopt;
        return parse_(std::string(trim(done.output)));
    }

    bool has_other_sources() {
        if (others_) return *others_;
        others_ = false;
        std::string text;
        try {
            text = read_whole("/etc/nsswitch.conf", 1U << 20U);
        } catch (const SystemError&) {
            return false;
        }
        for (const std::string& line : split(text, '\n')) {
            if (!line.starts_with(database_ + ":")) continue;
            for (const std::string& word : split(std::string_view(line).substr(database_.size() + 1), ' '))
                *others_ =
                    *others_ || (!word.empty() && word != "files" && word != "compat" && word[0] != '[');
        }
        return *others_;
    }

    std::string path_;
    std::string database_;
    std::optional<Entry> (*parse_)(const std::string&);
    std::vector<Entry> entries_;
    FileStat seen_;
    bool read_ = false;
    std::optional<bool> others_;
};

EntryFile<UserEntry>& users() {
    static EntryFile<UserEntry> file("/etc/passwd", "passwd", user_from);
    return file;
}
EntryFile<GroupEntry>& groups() {
    static EntryFile<GroupEntry> file("/etc/group", "group", group_from);
    return file;
}

/// getent takes a name that reads as a number for one.
std::string key_of(std::string_view name) {
    std::string_view digits = trim(name);
    if (digits.starts_with('+')) digits.remove_prefix(1);
    const bool is_number =
        !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos;
    return is_number ? std::string() : std::string(name);
}

}  // namespace

std::optional<unsigned> decimal(std::string_view text) {
    unsigned number = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || fault != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

std::optional<UserEntry> user_named(std::string_view name) {
    return users().find([&](const UserEntry& one) { return one.name == name; }, key_of(name));
}
std::optional<UserEntry> user_with(uid_t uid) {
    return users().find([&](const UserEntry& one) { return one.uid == uid; }, std::to_string(uid));
}
std::optional<GroupEntry> group_named(std::string_view name) {
    return groups().find([&](const GroupEntry& one) { return one.name == name; }, key_of(name));
}
std::optional<GroupEntry> group_with(gid_t gid) {
    return groups().find([&](const GroupEntry& one) { return one.gid == gid; }, std::to_string(gid));
}
std::vector<UserEntry> all_users() { return users().entries(); }
std::vector<GroupEntry> all_groups() { return groups().entries(); }

std::optional<uid_t> uid_of(const std::string& name_or_number) {
    if (const auto number = decimal(name_or_number)) return *number;
    const auto found = user_named(name_or_number);
    return found ? std::optional<uid_t>(found->uid) : std::nullopt;
}

std::optional<gid_t> gid_of(const std::string& name_or_number) {
    if (const auto number = decimal(name_or_number)) return *number;
    const auto found = group_named(name_or_number);
    return found ? std::optional<gid_t>(found->gid) : std::nullopt;
}

std::vector<GroupEntry> further_groups_of(const std::string& user) {
    std::vector<GroupEntry> found;
    for (const GroupEntry& group : groups().entries()) {
        if (std::find(group.members.begin(), group.members.end(), user) != group.members.end())
            found.push_back(group);
    }
    return found;
}

}  // namespace volley::agent
