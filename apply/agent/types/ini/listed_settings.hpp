#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apply/agent/text/pattern.hpp"

namespace volley::agent {

/// A configuration file of OpenStack: an ini file in which a setting that occurs several times is a list, as
/// openstacklib reads and writes it. Other lines stay as they are.
class ListedSettings {
public:
    /// Reads it; a file that is not there has nothing in it. Throws SystemError.
    explicit ListedSettings(std::string path);

    /// Section and name of every setting, in the order of the file, where some may come again.
    std::vector<std::pair<std::string, std::string>> names() const;
    /// Every value of a setting, in the order of the file; none when there is no such setting.
    std::vector<std::string> values(std::string_view section, std::string_view setting) const;
    /// Values that are not wanted go, those that are missing are added: before the last one that is there,
    /// or after a line that has the setting as a comment, or else at the end of the section.
    void set(std::string_view section, std::string_view setting, const std::vector<std::string>& values);
    /// All values of a setting.
    void remove(std::string_view section, std::string_view setting);
    std::string text() const;
    void save() const;

private:
    struct Section {
        std::string name;
        bool has_head = false;
        std::vector<std::string> lines;  // without its head
        std::size_t indentation = 0;     // the least of its settings
    };
    struct Line {
        std::string setting, value;
    };

    void parse(std::string_view text);
    const Section* find(std::string_view name) const;
    Section& section_for(std::string_view name);
    Line read(const std::string& line) const;
    std::size_t place(const Section& section, std::string_view setting) const;

    std::string path_;
    Pattern head_, setting_, commented_;
    std::vector<Section> sections_;
};

}  // namespace volley::agent
