#include "apply/types/module_type.hpp"

#include <algorithm>
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

/// What `require` finds: the library of the type's own module comes first.
std::optional<ruby_source::RubyFiles::File> find_library_file(LanguageHost& host,
                                                              const std::vector<LanguageHost::Module>& modules,
                                                              const std::string& type_file, const std::string& name) {
    const auto in = [&](const LanguageHost::Module& module) -> std::optional<ruby_source::RubyFiles::File> {
        auto file = host.module_file("lib", module.name + "/" + name);
        if (!file || file->text.size() > max_type_file) return std::nullopt;
        return ruby_source::RubyFiles::File{std::move(file->path), std::move(file->text)};
    };
    const auto is_own = [&type_file](const LanguageHost::Module& module) {
        return type_file.starts_with(module.path + "/lib/");
    };
    const auto own = std::find_if(modules.begin(), modules.end(), is_own);
    if (own != modules.end()) {
        if (auto file = in(*own)) return file;
    }
    for (const LanguageHost::Module& module : modules) {
        if (own != modules.end() && &module == &*own) continue;
        if (auto file = in(module)) return file;
    }
    return std::nullopt;
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
        files.find = [&](const std::string& library) {
            return find_library_file(host, modules, source.path, library);
        };
        try {
            types = ruby_source::Interpreter(std::move(files)).types_of(source.path, source.text);
        } catch (const Error&) {  // what it declares cannot be told: nothing is checked then
        }
    }
    for (ruby_source::TypeDescription& type : types) {
        if (type.name != name) continue;
        // A generated file names the parameter "provider" itself.
        if (source.path.ends_with(".rb"))
            type.has_providers = type.has_providers || host.has_providers(name);
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
