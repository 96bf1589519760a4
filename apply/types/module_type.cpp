#include "apply/types/module_type.hpp"

#include <functional>
#include <mutex>
#include <unordered_map>

#include "apply/types/ruby/interpreter.hpp"
#include "language/errors.hpp"
#include "support/error.hpp"

namespace volley {
namespace {

constexpr std::size_t max_type_file = 4 << 20;  // bytes; the longest in the wild have 100 kB

/// The files of modules, found by absolute path. Nothing outside of a module's lib folder is read.
std::optional<std::string> read_library_file(LanguageHost& host,
                                             const std::vector<LanguageHost::Module>& modules,
                                             const std::string& path) {
    for (const LanguageHost::Module& module : modules) {
        const std::string folder = module.path + "/lib/";
        if (!path.starts_with(folder)) continue;
        const auto file = host.module_file("lib", module.name + "/" + path.substr(folder.size()));
        if (!file || file->text.size() > max_type_file) return std::nullopt;
        return file->text;
    }
    return std::nullopt;
}

/// Folders for `require`: that of the type's own module comes first.
std::vector<std::string> ruby_load_path(const std::string& type_file,
                                        const std::vector<LanguageHost::Module>& modules) {
    std::vector<std::string> folders;
    const std::size_t own = type_file.rfind("/puppet/type/");
    if (own != std::string::npos) folders.push_back(type_file.substr(0, own));
    for (const LanguageHost::Module& module : modules) {
        if (folders.empty() || folders.front() != module.path + "/lib")
            folders.push_back(module.path + "/lib");
    }
    return folders;
}

bool has_provider_files(const std::string& name, LanguageHost& host,
                        const std::vector<LanguageHost::Module>& modules) {
    for (const LanguageHost::Module& module : modules) {
        if (host.module_file_path("lib", module.name + "/puppet/provider/" + name)) return true;
    }
    return modules.empty();  // who knows no modules cannot know of providers
}

std::optional<std::vector<TitlePattern>> compile_title_patterns(const ruby_source::TypeDescription& type) {
    std::vector<TitlePattern> patterns;
    if (!type.title_patterns) return patterns;
    try {
        for (const auto& one : *type.title_patterns)
            patterns.push_back({Regexp::compile(one.source, one.options), one.attributes});
    } catch (const LanguageError&) {
        return std::nullopt;
    }
    return patterns;
}

std::shared_ptr<const ResourceType> make_module_type(const ruby_source::TypeDescription& type) {
    std::optional<AttributeSet> attributes(std::in_place);
    std::vector<std::string> namevars;
    for (const auto& one : type.attributes) {
        attributes->insert(one.name);
        // Compatibility: a parameter called "name" is a namevar though nobody says so; a property never is.
        if (!one.property && (one.namevar || one.name == "name")) namevars.push_back(one.name);
    }
    if (type.has_providers) attributes->insert("provider");
    auto patterns = compile_title_patterns(type);
    if (!type.complete || !type.patterns_known || !patterns) attributes.reset();
    // One whole group is what a title means anyway.
    const bool plain = patterns && patterns->size() == 1 && namevars.size() == 1 &&
                       patterns->front().pattern->source() == "(.*)" &&
                       patterns->front().attributes == namevars;
    if (!patterns || plain) patterns.emplace();
    return std::make_shared<const ResourceType>(type.name, std::move(attributes), std::move(namevars),
                                                std::move(*patterns), type.isomorphic);
}

/// Types by the path of their file, with the text that they were read from.
class ModuleTypeCache {
public:
    std::shared_ptr<const ResourceType> find(const std::string& path, std::size_t text) {
        const std::lock_guard lock(mutex_);
        const auto found = types_.find(path);
        return found == types_.end() || found->second.text != text ? nullptr : found->second.type;
    }
    void keep(const std::string& path, std::size_t text, std::shared_ptr<const ResourceType> type) {
        const std::lock_guard lock(mutex_);
        types_[path] = {text, std::move(type)};
    }

private:
    struct Entry {
        std::size_t text = 0;  // its hash
        std::shared_ptr<const ResourceType> type;
    };
    std::mutex mutex_;
    std::unordered_map<std::string, Entry> types_;
};

ModuleTypeCache& module_type_cache() {
    static ModuleTypeCache cache;
    return cache;
}

}  // namespace

ruby_source::TypeDescription describe_module_type(const std::string& name,
                                                  const LanguageHost::SourceFile& source,
                                                  LanguageHost& host) {
    ruby_source::TypeDescription unknown;
    unknown.name = name;
    unknown.complete = false;
    const auto modules = host.modules();
    std::vector<ruby_source::TypeDescription> types;
    if (source.text.size() <= max_type_file) {
        ruby_source::RubyFiles files;
        files.read = [&](const std::string& path) { return read_library_file(host, modules, path); };
        files.load_path = ruby_load_path(source.path, modules);
        try {
            types = ruby_source::Interpreter(std::move(files)).types_of(source.path, source.text);
        } catch (const Error&) {  // what it declares cannot be told: nothing is checked then
        }
    }
    for (ruby_source::TypeDescription& type : types) {
        if (type.name != name) continue;
        // A generated file names the parameter "provider" itself.
        if (source.path.ends_with(".rb"))
            type.has_providers = type.has_providers || has_provider_files(name, host, modules);
        return std::move(type);
    }
    return unknown;
}

std::shared_ptr<const ResourceType> module_resource_type(const std::string& name,
                                                         const LanguageHost::SourceFile& source,
                                                         LanguageHost& host) {
    const std::size_t text = std::hash<std::string>{}(source.text);
    if (auto known = module_type_cache().find(source.path, text)) return known;
    auto type = make_module_type(describe_module_type(name, source, host));
    module_type_cache().keep(source.path, text, type);
    return type;
}

}  // namespace volley
