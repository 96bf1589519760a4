#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "planner/module_install/project_modules.hpp"
#include "support/error.hpp"
#include "support/text.hpp"
#include "support/yaml/document.hpp"
#include "support/yaml/writer.hpp"

namespace volley::modules {
namespace {

/// Where a list of YAML that is written in lines ends, and how its dashes are indented.
struct ListEnd {
    std::size_t line = 0;  // of the new entry
    std::string dash = "- ";
};

ListEnd end_of_list(const std::vector<std::string>& lines, std::size_t key) {
    ListEnd end{.line = key + 1};
    bool first = true;
    for (std::size_t i = key + 1; i < lines.size(); ++i) {
        const std::string_view words = trim(lines[i]);
        if (words.empty() || words.starts_with('#')) continue;
        const std::size_t indentation = lines[i].find_first_not_of(' ');
        const bool dash = words == "-" || words.starts_with("- ");
        if (first && dash) end.dash = std::string(indentation, ' ') + "- ";
        first = false;
        const bool inside = dash ? indentation + 2 >= end.dash.size() : indentation >= end.dash.size();
        if (!inside) break;
        end.line = i + 1;
    }
    return end;
}

/// Not checked yet.
std::string appended_module(const std::string& text, const std::string& name) {
    std::vector<std::string> lines = split(text, '\n');
    if (!lines.empty() && lines.back().empty()) lines.pop_back();
    const auto key = std::find_if(lines.begin(), lines.end(),
                                  [](const auto& line) { return line.starts_with("modules:"); });
    if (key == lines.end()) {
        lines.insert(lines.end(), {"modules:", "- " + name});
    } else if (const std::size_t bracket = key->rfind(']'); bracket != std::string::npos) {  // [a, b]
        const std::size_t open = key->find('[');
        const bool empty = trim(std::string_view(*key).substr(open + 1, bracket - open - 1)).empty();
        if (empty)  // "modules: []" is how projects begin: a list of lines is what people go on with
            *key = key->substr(0, open) + "\n- " + name + key->substr(bracket + 1);
        else
            key->insert(bracket, ", " + name);
    } else {
        const ListEnd end = end_of_list(lines, static_cast<std::size_t>(key - lines.begin()));
        lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(end.line), end.dash + name);
    }
    return join(lines, "\n") + "\n";
}

std::optional<Json> project_data(const std::string& text, const std::filesystem::path& file) {
    try {
        return yaml::Document::parse(text, {.name = file.string(), .what = "project file"})->root().to_json();
    } catch (const Error&) {
        return std::nullopt;
    }
}

}  // namespace

std::string with_module(const std::string& project_text, const std::string& name,
                        const std::filesystem::path& file) {
    std::optional<Json> wanted = project_data(project_text, file);
    if (wanted && wanted->is_null()) wanted = Json::object();
    if (wanted && wanted->is_object()) {
        Json& list = (*wanted)["modules"];
        if (list.is_null()) list = Json::array();
        if (list.is_array()) {
            list.push_back(name);
            std::string changed = appended_module(project_text, name);
            if (project_data(changed, file) == wanted) return changed;
            changed = "---\n" + to_yaml(*wanted);  // compatibility: written anew, without its comments
            if (project_data(changed, file) == wanted) return changed;
        }
    }
    throw Error("bolt/file-error", "Cannot add the module to " + file.string() + ": put '" + name +
                                       "' into its list 'modules' yourself");
}

}  // namespace volley::modules
