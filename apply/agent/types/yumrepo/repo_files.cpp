#include "apply/agent/types/yumrepo/repo_files.hpp"

#include <algorithm>

#include "apply/agent/machine/files.hpp"
#include "apply/agent/text/pattern.hpp"
#include "apply/agent/types/tables/table_text.hpp"
#include "apply/agent/values/errors.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

constexpr const char* main_file = "/etc/yum.conf";
constexpr std::uint64_t most_bytes = 16U << 20U;

std::vector<std::string> lines_with_ends(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1);
        lines.emplace_back(text.substr(0, end + 1));
        text.remove_prefix(end + 1);
    }
    return lines;
}

std::string without_end(std::string line) {
    if (line.ends_with('\n')) line.pop_back();
    if (line.ends_with('\r')) line.pop_back();
    return line;
}

}  // namespace

const std::string* RepoFile::Section::find(std::string_view key) const {
    for (const Entry& entry : entries) {
        if (!entry.key.empty() && entry.key == key) return entry.value ? &*entry.value : nullptr;
    }
    return nullptr;
}

void RepoFile::Section::set(const std::string& key, std::optional<std::string> value) {
    for (Entry& entry : entries) {
        if (entry.key != key) continue;
        entry.value = std::move(value);
        return;
    }
    entries.push_back({key, std::move(value)});
}

RepoFile::RepoFile(std::string path, std::string_view text) : path_(std::move(path)) {
    static const Pattern comment(R"(^\s*$|^[#;]|^\s*(?i:rem)\s)"), continued(R"(^[ \t\r\n\f])"),
        section(R"(^\[([^\]]+)\])"), setting(R"(^\s*([^\s=]+)\s*=\s*(.*)$)");
    std::string last;
    std::size_t number = 0;
    for (const std::string& line : lines_with_ends(text)) {
        ++number;
        Section* own = sections_.empty() ? nullptr : &sections_.back();
        const std::string content = without_end(line);
        if (comment.matches(line)) {
            if (own != nullptr)
                own->entries.push_back({"", line});
            else
                head_ += line;
        } else if (continued.matches(line) && own != nullptr && !last.empty()) {
            own->set(last, *own->find(last) + "\n" + content);
        } else if (const auto name = section.groups(content)) {
            if (find(name->at(1)) != nullptr)
                throw ApplyError("Section \"" + std::string(name->at(1)) +
                                 "\" is already defined, cannot redefine (file: " + path_ + ")");
            sections_.push_back({std::string(name->at(1)), {}});
            last.clear();
        } else if (const auto parts = setting.groups(content)) {
            last = std::string(parts->at(1));
            if (own == nullptr)
                throw ApplyError("Property with key \"" + last + "\" outside of a section (file: " + path_ +
                                 ")");
            std::string value(parts->at(2));
            while (!value.empty() && is_blank(value.back())) value.pop_back();
            own->set(last, std::move(value));
        } else {
            throw ApplyError("Can't parse line '" + content + "' (file: " + path_ +
                             ", line: " + std::to_string(number) + ")");
        }
    }
}

RepoFile::Section* RepoFile::find(std::string_view name) {
    const auto found = std::find_if(sections_.begin(), sections_.end(),
                                    [&](const Section& one) { return one.name == name; });
    return found == sections_.end() ? nullptr : &*found;
}

std::string RepoFile::text() const {
    std::string text = head_;
    for (const Section& section : sections_) {
        text += "[" + section.name + "]\n";
        for (const Entry& entry : section.entries) {
            if (entry.key.empty())
                text += *entry.value;
            else if (entry.value)
                text += entry.key + "=" + *entry.value + "\n";
        }
    }
    return text;
}

RepoFiles::RepoFiles(std::string root) : root_(std::move(root)) {
    if (file_exists(root_ + main_file))
        files_.push_back({RepoFile(main_file, read_whole(root_ + main_file, most_bytes))});
    read_folders();
    for (const std::string& folder : folders_) {
        std::vector<std::string> names = names_in(root_ + folder);
        std::sort(names.begin(), names.end());
        for (const std::string& name : names) {
            const std::string path = folder + "/" + name;
            const auto stat = file_stat(root_ + path, true);
            if (name.starts_with('.') || !name.ends_with(".repo") || !stat || stat->kind != FileKind::File)
                continue;
            Known read{RepoFile(path, read_whole(root_ + path, most_bytes))};
            for (const RepoFile::Section& section : read.file.sections()) {
                if (find(section.name).first != nullptr)
                    throw ApplyError("Section \"" + section.name +
                                     "\" is already defined, cannot redefine (file: " + path + ")");
            }
            files_.push_back(std::move(read));
        }
    }
}

void RepoFiles::read_folders() {
    folders_ = {"/etc/yum.repos.d", "/etc/yum/repos.d"};
    RepoFile::Section* settings = files_.empty() ? nullptr : files_[0].file.find("main");
    const std::string* own = settings != nullptr ? settings->find("reposdir") : nullptr;
    if (own != nullptr) {
        std::string list = *own;
        std::replace(list.begin(), list.end(), ',', ' ');
        folders_ = blank_words(list);
    }
    std::erase_if(folders_, [this](const std::string& folder) { return !is_directory(root_ + folder); });
}

std::pair<RepoFile*, RepoFile::Section*> RepoFiles::find(std::string_view name) {
    for (Known& one : files_) {
        if (RepoFile::Section* section = one.file.find(name)) return {&one.file, section};
    }
    return {nullptr, nullptr};
}

std::string RepoFiles::place_of(const std::string& name, const std::string& target) const {
    if (folders_.empty()) return main_file;
    if (target.empty()) return folders_.back() + "/" + name + ".repo";
    const std::string file = target.ends_with(".repo") ? target : target + ".repo";
    const bool known = target.find('/') != std::string::npos &&
                       std::find(folders_.begin(), folders_.end(), parent_of(target)) != folders_.end();
    return known ? file : folders_.back() + "/" + name_of(file);
}

RepoFiles::Known& RepoFiles::known(const std::string& path) {
    for (Known& one : files_) {
        if (one.file.path() == path) return one;
    }
    const std::string real = root_ + path;
    files_.push_back({RepoFile(path, file_exists(real) ? read_whole(real, most_bytes) : std::string())});
    return files_.back();
}

RepoFile::Section& RepoFiles::put(const std::string& name, const std::string& path) {
    RepoFile::Section moved{name, {}};
    if (const auto [file, section] = find(name); file != nullptr && file->path() != path) {
        moved = *section;
        remove(name);
    }
    Known& place = known(path);
    place.changed = true;
    if (RepoFile::Section* section = place.file.find(name)) return *section;
    place.file.sections().push_back(std::move(moved));
    return place.file.sections().back();
}

void RepoFiles::remove(std::string_view name) {
    for (Known& one : files_) {
        if (one.file.find(name) == nullptr) continue;
        std::erase_if(one.file.sections(), [&](const auto& section) { return section.name == name; });
        one.changed = true;
    }
}

void RepoFiles::save() {
    for (Known& one : files_) {
        if (!one.changed) continue;
        one.changed = false;
        const std::string path = root_ + one.file.path();
        if (one.file.sections().empty() && file_exists(path))
            remove_file(path);
        else if (!one.file.sections().empty())
            replace_content(path, one.file.text(), 0600);
    }
    std::erase_if(files_, [](Known& one) { return one.file.sections().empty(); });
}

std::vector<std::string> RepoFiles::paths() const {
    std::vector<std::string> paths;
    for (const Known& one : files_) paths.push_back(root_ + one.file.path());
    return paths;
}

}  // namespace volley::agent
