#include "apply/agent/types/ini/listed_settings.hpp"

#include <algorithm>

#include "apply/agent/machine/files.hpp"

namespace volley::agent {
namespace {

bool holds(const std::vector<std::string>& list, const std::string& value) {
    return std::find(list.begin(), list.end(), value) != list.end();
}

}  // namespace

ListedSettings::ListedSettings(std::string path)
    : path_(std::move(path)),
      head_("^\\s*\\[(.*)\\]\\s*$"),
      setting_("^(\\s*)([^#;\\s]|[^#;\\s].*?[^\\s=])(\\s*=[ \\t]*)(.*)\\s*$"),
      commented_("^(\\s*)[#;]+(\\s*)(.*?[^\\s=])(\\s*=[ \\t]*)(.*)\\s*$") {
    const auto stat = file_stat(path_, true);
    parse(stat && stat->kind == FileKind::File ? read_whole(path_, 256U << 20U) : std::string());
}

void ListedSettings::parse(std::string_view text) {
    sections_.emplace_back();
    bool first = true;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size() - 1);
        const std::string_view line = text.substr(at, end + 1 - at);
        at = end + 1;
        if (const auto head = head_.groups(line)) {
            Section& section = sections_.emplace_back();
            section.name = (*head)[1];
            section.has_head = true;
            first = true;
            continue;
        }
        Section& section = sections_.back();
        section.lines.emplace_back(line);
        const auto found = setting_.groups(line);
        if (!found) continue;
        const std::size_t indentation = (*found)[1].size();
        section.indentation = first ? indentation : std::min(section.indentation, indentation);
        first = false;
    }
}

/// The last one of its name.
const ListedSettings::Section* ListedSettings::find(std::string_view name) const {
    const auto found = std::find_if(sections_.rbegin(), sections_.rend(),
                                    [&](const Section& section) { return section.name == name; });
    return found == sections_.rend() ? nullptr : &*found;
}

ListedSettings::Section& ListedSettings::section_for(std::string_view name) {
    if (const Section* found = find(name))
        return sections_[static_cast<std::size_t>(found - sections_.data())];
    Section& added = sections_.emplace_back();
    added.name = name;
    added.has_head = true;
    return added;
}

ListedSettings::Line ListedSettings::read(const std::string& line) const {
    const auto found = setting_.groups(line);
    if (!found) return {};
    return {std::string((*found)[2]), std::string((*found)[4])};
}

std::vector<std::pair<std::string, std::string>> ListedSettings::names() const {
    std::vector<std::pair<std::string, std::string>> names;
    for (const Section& section : sections_) {
        for (const std::string& line : find(section.name)->lines) {
            if (std::string setting = read(line).setting; !setting.empty())
                names.emplace_back(section.name, std::move(setting));
        }
    }
    return names;
}

std::vector<std::string> ListedSettings::values(std::string_view section, std::string_view setting) const {
    std::vector<std::string> values;
    const Section* found = find(section);
    if (found == nullptr) return values;
    for (const std::string& line : found->lines) {
        if (Line one = read(line); one.setting == setting) values.push_back(std::move(one.value));
    }
    return values;
}

std::size_t ListedSettings::place(const Section& section, std::string_view setting) const {
    for (std::size_t i = section.lines.size(); i-- > 0;) {
        if (read(section.lines[i]).setting == setting) return i;
    }
    for (std::size_t i = 0; i < section.lines.size(); ++i) {
        const auto found = commented_.groups(section.lines[i]);
        if (found && (*found)[3] == setting) return i + 1;
    }
    return section.lines.size();
}

void ListedSettings::set(std::string_view section_name, std::string_view setting,
                         const std::vector<std::string>& values) {
    const std::vector<std::string> before = this->values(section_name, setting);
    Section& section = section_for(section_name);
    std::erase_if(section.lines, [&](const std::string& line) {
        const Line one = read(line);
        return one.setting == setting && !holds(values, one.value);
    });
    std::size_t at = place(section, setting);
    for (const std::string& value : values) {
        if (holds(before, value)) continue;
        const std::string line =
            std::string(section.indentation, ' ') + std::string(setting) + "=" + value + "\n";
        section.lines.insert(section.lines.begin() + static_cast<std::ptrdiff_t>(at++), line);
    }
}

void ListedSettings::remove(std::string_view section_name, std::string_view setting) {
    if (find(section_name) == nullptr) return;
    std::erase_if(section_for(section_name).lines,
                  [&](const std::string& line) { return read(line).setting == setting; });
}

std::string ListedSettings::text() const {
    std::string text;
    for (const Section& section : sections_) {
        if (section.has_head && !section.name.empty()) text += "[" + section.name + "]\n";
        for (const std::string& line : section.lines) text += line + (line.ends_with('\n') ? "" : "\n");
    }
    return text;
}

void ListedSettings::save() const { replace_content(path_, text(), 0644); }

}  // namespace volley::agent
