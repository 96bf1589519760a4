#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apply/agent/text/pattern.hpp"

namespace volley::agent {

/// How an ini file is written.
struct IniStyle {
    std::string separator = " = ";
    std::string section_prefix = "[";
    std::string section_suffix = "]";
    std::string indent = " ";
    std::optional<std::size_t> indent_width;  ///< how many `indent`s; nullopt: as the section's other lines
};

/// The name of a section or of a setting. Compatibility: one that is given as something else than a text,
/// such as a number, is none of those in a file, and so it is added with each run.
struct IniName {
    IniName() = default;
    IniName(std::string name, bool from_text = true) : text(std::move(name)), is_text(from_text) {}
    IniName(const char* name) : text(name) {}
    bool operator==(std::string_view in_file) const { return is_text && text == in_file; }

    std::string text;
    bool is_text = true;
};

/// An ini file as puppetlabs-inifile reads and writes it. A change leaves every other line as it is. What
/// stands before the first section belongs to the section "".
class IniFile {
public:
    /// Reads it; a file that is not there has nothing in it. Throws SystemError.
    IniFile(std::string path, IniStyle style);

    bool has_section(const IniName& section) const;
    /// Section and name of every setting, in the order of the file, where some may come again.
    std::vector<std::pair<std::string, std::string>> names() const;
    /// nullopt when there is no such setting. `setting`: undef stands for the section itself, which has no
    /// value.
    std::optional<std::string> value(const IniName& section, const IniName& setting) const;
    /// Adds a section without settings, where there is none.
    void add_section(const IniName& section);
    /// Changes the line of a setting; or adds one, after a line that has the setting as a comment, or else
    /// at the end of its section.
    void set(const IniName& section, const IniName& setting, const std::string& value);
    /// A section without any other line goes with its last setting.
    void remove(const IniName& section, const IniName& setting);
    std::string text() const;
    void save() const;

private:
    struct Section {
        std::string name;
        bool is_new = false;             // it is not in the file
        std::vector<std::string> lines;  // with their ends; the first is the head, but in the section ""
        std::vector<std::pair<std::string, std::string>> settings;  // of the file
        std::vector<std::pair<std::string, std::string>> added;
        std::optional<std::size_t> indentation;  // the least of its lines
        bool is_global() const noexcept { return name.empty(); }
        bool is_empty() const { return is_global() ? is_new : lines.size() <= 1; }
    };

    void parse(std::string_view text);
    Section* find(const IniName& name);
    const Section* find(const IniName& name) const;
    Section& section_for(const IniName& name);
    std::string setting_line(const Section& section, std::string_view setting,
                             const std::string& value) const;
    static void put_section(const Section& section, std::string& text, std::vector<std::string>& blank);

    std::string path_;
    IniStyle style_;
    Pattern section_, setting_, commented_;
    std::vector<Section> sections_;
};

}  // namespace volley::agent
