// Contexts of SELinux: four properties, which where the manifest says nothing are what the policy wants.
#include <algorithm>
#include <utility>

#include "apply/agent/machine/selinux.hpp"
#include "apply/agent/types/file/file.hpp"

namespace volley::agent {
namespace {

/// Which part of a context a property is about; nullopt for other properties.
std::optional<std::size_t> context_part(std::string_view property) {
    const auto found = std::find(context_properties.begin(), context_properties.end(), property);
    if (found == context_properties.end()) return std::nullopt;
    return static_cast<std::size_t>(found - context_properties.begin());
}

}  // namespace

bool FileInstance::is_context(std::string_view property) { return context_part(property).has_value(); }

/// As matchpathcon calls what the file will be; empty for one that is there, which it looks at itself.
std::string FileInstance::kind_for_policy() const {
    if (stat()) return {};
    if (ensure_ == "directory") return "dir";
    if (ensure_ == "link") return "lnk_file";
    return ensure_ == "file" || ensure_ == "present" ? "file" : "";
}

void FileInstance::expect_context() {
    auto& contexts = run_.shared<FileContexts>();
    if (!ignores_context_defaults_ && contexts.has_labels(path_))
        contexts.expect(path_, policy_kind_.emplace(kind_for_policy()));
}

/// What the manifest says, and the policy for the rest. Empty parts are not managed.
ContextParts FileInstance::wanted_context() {
    auto& contexts = run_.shared<FileContexts>();
    ContextParts parts;
    if (!contexts.has_labels(path_)) return parts;
    if (!ignores_context_defaults_) {
        if (!policy_kind_) policy_kind_ = kind_for_policy();
        if (auto found = contexts.default_of(path_, *policy_kind_)) parts = std::move(*found);
    }
    for (std::size_t at = 0; at < parts.size(); ++at) {
        if (const Value* given = resource_.find(context_properties[at])) parts[at] = given->to_text();
    }
    parts[3] = contexts.range_without_names(parts[3]);
    return parts;
}

void FileInstance::retrieve_context(Current& current, bool exists) {
    auto& contexts = run_.shared<FileContexts>();
    if (!contexts.enabled()) return;
    const ContextParts wanted = wanted_context();
    std::optional<ContextParts> found;
    bool asked = false;
    for (std::size_t at = 0; at < wanted.size(); ++at) {
        if (wanted[at].empty() && !reads(context_properties[at])) continue;
        if (!exists) {
            current.set(context_properties[at], absent());
            continue;
        }
        if (!std::exchange(asked, true)) found = contexts.current(path_);
        current.set(context_properties[at], found && !(*found)[at].empty() ? Value((*found)[at]) : Value());
    }
}

void FileInstance::sync_context(std::string_view property, const std::string& value) {
    auto& contexts = run_.shared<FileContexts>();
    auto parts = contexts.current(path_);
    if (!parts) {
        run_.log(Level::Warning,
                 "Can't set SELinux context on file unless the file already has some kind of context");
        return;
    }
    (*parts)[*context_part(property)] = value;
    if (!contexts.set(path_, *parts))
        run_.log(Level::Warning, "Failed to set SELinux context " + context_text(*parts) + " on " + path_);
}

/// After the file was made anew.
void FileInstance::fix_context() {
    auto& contexts = run_.shared<FileContexts>();
    if (!contexts.has_labels(path_)) return;
    const ContextParts wanted = wanted_context();
    for (std::size_t at = 0; at < wanted.size(); ++at) {
        if (wanted[at].empty()) continue;
        const auto now = contexts.current(path_);
        if (!now || (*now)[at] != wanted[at]) sync_context(context_properties[at], wanted[at]);
    }
}

}  // namespace volley::agent
