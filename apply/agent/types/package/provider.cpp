#include "apply/agent/types/package/provider.hpp"

#include <map>

#include "apply/agent/machine/files.hpp"

namespace volley::agent {
namespace {

/// What has a blank is in quotes that the tool gets to see.
std::string quoted_option(std::string text) {
    if (text.find(' ') == std::string::npos) return text;
    for (auto at = text.find('"'); at != std::string::npos; at = text.find('"', at + 2))
        text.insert(at, 1, '\\');
    return '"' + text + '"';
}

void add_options(const Value& value, std::vector<std::string>& words) {
    if (value.is(Value::Kind::Array)) {
        for (const Value& item : value.items()) add_options(item, words);
    } else if (value.is(Value::Kind::Hash)) {
        std::map<std::string, std::string> sorted;
        for (const auto& [key, item] : value.pairs())
            sorted[quoted_option(key.to_text())] = quoted_option(item.to_text());
        for (const auto& [key, item] : sorted) words.push_back(key + "=" + item);
    } else if (!value.is_undef()) {
        words.push_back(quoted_option(value.to_text()));
    }
}

}  // namespace

std::string PackageProvider::ensure() const {
    const std::string word = resource_.text("ensure", "present");
    return word == "installed" ? "present" : word;
}

bool PackageProvider::wants_version() const {
    const std::string word = ensure();
    for (const char* known : {"present", "absent", "purged", "latest"}) {
        if (word == known) return false;
    }
    return true;
}

std::vector<std::string> PackageProvider::options(std::string_view attribute) const {
    std::vector<std::string> words;
    if (const Value* given = resource_.find(attribute)) add_options(*given, words);
    return words;
}

std::string PackageProvider::list(std::vector<std::string> words) {
    Command command(std::move(words));
    command.errors = Command::Errors::Apart;
    return run_tool(run_, std::move(command));
}

bool has_targeted_command(const Resource& resource, std::span<const std::string_view> names) {
    if (resource.find("command") != nullptr) return true;
    for (const std::string_view name : names) {
        if (has_tool(std::string(name))) return true;
    }
    return false;
}

std::string targeted_command(const Resource& resource, std::string_view provider,
                             std::span<const std::string_view> names) {
    if (std::string given = resource.text("command"); !given.empty() && given != "default") {
        if (!file_exists(given) || is_directory(given))
            throw ApplyError("Provider " + std::string(provider) + " package command '" + given +
                             "' does not exist on this host");
        return given;
    }
    for (const std::string_view name : names) {
        std::string path = tool_path(std::string(name));
        if (path.starts_with('/')) return path;
    }
    throw ApplyError("Provider " + std::string(provider) + " package command is not functional on this host");
}

}  // namespace volley::agent
