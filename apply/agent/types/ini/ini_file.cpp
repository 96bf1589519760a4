#include "apply/agent/types/ini/ini_file.hpp"

#include <algorithm>

#include "apply/agent/machine/files.hpp"
#include "support/text.hpp"

namespace volley::agent {
namespace {

constexpr std::string_view blanks = " \t\r\n\f\v";

/// A literal text in a regular expression.
std::string as_pattern(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (std::string_view("[]{}()|*.\\?+^$").find(c) != std::string_view::npos) out += '\\';
        out += c;
    }
    return out;
}

/// What stands between a setting and its value, without the blanks around it. Compatibility: it is read as a
/// part of a regular expression.
std::string bare_separator(const std::string& separator) {
    const bool blank = !separator.empty() && separator.find_first_not_of(blanks) == std::string::npos;
    return blank ? " " : std::string(trim(separator));
}

std::string setting_source(const std::string& separator) {
    const std::string bare = bare_separator(separator);
    return "^(\\s*)([^#;\\s]|[^#;\\s].*?[^\\s" + bare + "])(\\s*" + bare + "[ \\t]*)(.*)\\s*$";
}

std::string commented_source(const std::string& separator) {
    const std::string bare = bare_separator(separator);
    return "^(\\s*)[#;]+(\\s*)(.*?[^\\s" + bare + "])(\\s*" + bare + "[ \\t]*)(.*)\\s*$";
}

void put_line(std::string& text, std::string_view line) {
    text += line;
    if (!line.ends_with('\n')) text += '\n';
}

template <class Pairs>
auto entry_of(Pairs& pairs, const IniName& name) {
    return std::find_if(pairs.begin(), pairs.end(), [&](const auto& pair) { return name == pair.first; });
}

}  // namespace

IniFile::IniFile(std::string path, IniStyle style)
    : path_(std::move(path)),
      style_(std::move(style)),
      section_("^\\s*" + as_pattern(style_.section_prefix) + "(.*)" + as_pattern(style_.section_suffix) +
               "\\s*$"),
      setting_(setting_source(style_.separator)),
      commented_(commented_source(style_.separator)) {
    const auto stat = file_stat(path_, true);
    parse(stat && stat->kind == FileKind::File ? read_whole(path_, 256U << 20U) : std::string());
}

void IniFile::parse(std::string_view text) {
    sections_.emplace_back();
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size() - 1);
        const std::string_view line = text.substr(at, end + 1 - at);
        at = end + 1;
        if (const auto head = section_.groups(line)) {
            Section& section = sections_.emplace_back();
            section.name = (*head)[1];
            section.lines.emplace_back(line);
            continue;
        }
        Section& section = sections_.back();
        section.lines.emplace_back(line);
        const auto found = setting_.groups(line);
        if (!found) continue;
        const std::string name((*found)[2]), value((*found)[4]);
        const auto known = entry_of(section.settings, IniName(name));
        if (known == section.settings.end())
            section.settings.emplace_back(name, value);
        else
            known->second = value;
        section.indentation = std::min(section.indentation.value_or((*found)[1].size()), (*found)[1].size());
    }
    sections_.front().is_new = sections_.front().lines.empty();
}

/// The last one of its name.
const IniFile::Section* IniFile::find(const IniName& name) const {
    const auto found = std::find_if(sections_.rbegin(), sections_.rend(),
                                    [&](const Section& section) { return name == section.name; });
    return found == sections_.rend() ? nullptr : &*found;
}

IniFile::Section* IniFile::find(const IniName& name) {
    return const_cast<Section*>(std::as_const(*this).find(name));
}

bool IniFile::has_section(const IniName& section) const { return find(section) != nullptr; }

std::vector<std::pair<std::string, std::string>> IniFile::names() const {
    std::vector<std::pair<std::string, std::string>> names;
    for (const Section& section : sections_) {
        for (const auto& [setting, value] : find(section.name)->settings)
            names.emplace_back(section.name, setting);
    }
    return names;
}

std::optional<std::string> IniFile::value(const IniName& section, const IniName& setting) const {
    const Section* found = find(section);
    if (found == nullptr) return std::nullopt;
    for (const auto* list : {&found->settings, &found->added}) {
        if (const auto entry = entry_of(*list, setting); entry != list->end()) return entry->second;
    }
    return std::nullopt;
}

void IniFile::add_section(const IniName& section) { section_for(section); }

IniFile::Section& IniFile::section_for(const IniName& name) {
    if (Section* known = find(name)) return *known;
    Section& added = sections_.emplace_back();
    added.name = name.text;
    added.is_new = true;
    return added;
}

std::string IniFile::setting_line(const Section& section, std::string_view setting,
                                  const std::string& value) const {
    std::string line;
    for (std::size_t i = 0; i < style_.indent_width.value_or(section.indentation.value_or(0)); ++i)
        line += style_.indent;
    return line + std::string(setting) + style_.separator + value;
}

void IniFile::set(const IniName& section_name, const IniName& setting, const std::string& value) {
    Section& section = section_for(section_name);
    if (const auto known = entry_of(section.settings, setting); known != section.settings.end()) {
        known->second = value;
        for (std::string& line : section.lines) {
            const auto found = setting_.groups(line);
            if (!found || !(setting == (*found)[2])) continue;
            line = std::string((*found)[1]) + std::string((*found)[2]) + std::string((*found)[3]) + value;
        }
        return;
    }
    for (std::size_t i = 0; i < section.lines.size(); ++i) {
        const auto found = commented_.groups(section.lines[i]);
        if (!found || !(setting == (*found)[3])) continue;
        section.lines.insert(section.lines.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                             setting_line(section, setting.text, value));
        section.settings.emplace_back(setting.text, value);
        return;
    }
    if (const auto known = entry_of(section.added, setting); known != section.added.end())
        known->second = value;
    else
        section.added.emplace_back(setting.text, value);
}

void IniFile::remove(const IniName& section_name, const IniName& setting) {
    Section* section = find(section_name);
    if (section == nullptr) return;
    const auto known = entry_of(section->settings, setting);
    if (known == section->settings.end()) return;
    section->settings.erase(known);
    std::erase_if(section->lines, [&](const std::string& line) {
        const auto found = setting_.groups(line);
        return found && setting == (*found)[2];
    });
    if (!section->is_global() && section->is_empty())
        sections_.erase(sections_.begin() + (section - sections_.data()));
}

/// The lines that are in the file; blank ones at the end are kept back, so that new settings stand before
/// them.
void IniFile::put_section(const Section& section, std::string& text, std::vector<std::string>& blank) {
    for (const std::string& line : section.lines) {
        if (line.find_first_not_of(blanks) == std::string::npos) {
            blank.push_back(line);
            continue;
        }
        for (const std::string& one : blank) put_line(text, one);
        blank.clear();
        put_line(text, line);
    }
}

std::string IniFile::text() const {
    std::string text;
    const bool global_empty = sections_[0].is_empty() && sections_[0].added.empty();
    for (std::size_t index = 0; index < sections_.size(); ++index) {
        const Section& section = sections_[index];
        std::vector<std::string> blank;
        if (section.is_new && !section.is_global()) {
            if ((index == 1 && !global_empty) || index > 1) text += '\n';
            put_line(text, style_.section_prefix + section.name + style_.section_suffix);
        }
        put_section(section, text, blank);
        for (const auto& [name, value] : section.added) put_line(text, setting_line(section, name, value));
        for (const std::string& line : blank) put_line(text, line);
        if (blank.empty() && section.is_new && !section.added.empty() && index + 1 < sections_.size())
            text += '\n';
    }
    return text;
}

void IniFile::save() const { replace_content(path_, text(), 0644); }

}  // namespace volley::agent
