#include "apply/types/module_type.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "apply/types/ruby/interpreter.hpp"
#include "language/errors.hpp"
#include "support/error.hpp"
#include "support/files/file_cache.hpp"
#include "support/text_hash.hpp"

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
std::optional<ruby_source::RubyFiles::File> find_library_file(
    LanguageHost& host, const std::vector<LanguageHost::Module>& modules, const std::string& type_file,
    const std::string& name) {
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
        // Compatibility: a parameter called "name" is a namevar though nothing declares it; a property never
        // is.
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

/// What a type was made of besides the text of its own file: the modules' files that it asked for, found or
/// not, and whether there are providers. Asked again, the same answers make the same type.
class TypeSources {
public:
    TypeSources(LanguageHost& host, std::string file) : host_(host), file_(std::move(file)) {}

    struct Question {
        enum class Kind { Read, Find, Providers } kind;
        std::string name;
        std::size_t answer;
        bool operator==(const Question&) const = default;
    };

    std::optional<std::string> read(const std::string& path) {
        auto text = read_library_file(host_, modules(), path);
        note(Question::Kind::Read, path, text ? keyed_text_hash(*text) : 0);
        return text;
    }
    std::optional<ruby_source::RubyFiles::File> find(const std::string& library) {
        auto file = find_library_file(host_, modules(), file_, library);
        note(Question::Kind::Find, library,
             file ? keyed_text_hash(file->path) + 31 * keyed_text_hash(file->text) : 0);
        return file;
    }
    bool has_providers(const std::string& type) {
        const bool has = host_.has_providers(type);
        note(Question::Kind::Providers, type, has ? 1 : 0);
        return has;
    }
    const std::vector<Question>& asked() const { return asked_; }

    /// Whether `earlier` has the answers that there are now.
    bool same_answers(const std::vector<Question>& earlier) {
        for (const Question& one : earlier) {
            if (one.kind == Question::Kind::Read) read(one.name);
            if (one.kind == Question::Kind::Find) find(one.name);
            if (one.kind == Question::Kind::Providers) has_providers(one.name);
            if (asked_.back() != one) return false;
        }
        return true;
    }

private:
    void note(Question::Kind kind, const std::string& name, std::size_t answer) {
        asked_.push_back({kind, name, answer});
    }

    const std::vector<LanguageHost::Module>& modules() {
        if (!modules_) modules_ = host_.modules();
        return *modules_;
    }

    LanguageHost& host_;
    std::optional<std::vector<LanguageHost::Module>> modules_;  // most types ask for no file
    const std::string file_;
    std::vector<Question> asked_;
};

/// A type with what it was made of besides its file.
struct ModuleType {
    std::vector<TypeSources::Question> asked;
    std::shared_ptr<const ResourceType> type;
};

ruby_source::TypeDescription describe_type(const std::string& name, const LanguageHost::SourceFile& source,
                                           TypeSources& sources) {
    ruby_source::TypeDescription unknown;
    unknown.name = name;
    unknown.complete = false;
    std::vector<ruby_source::TypeDescription> types;
    if (source.text.size() <= max_type_file) {
        ruby_source::RubyFiles files;
        files.read = [&](const std::string& path) { return sources.read(path); };
        files.find = [&](const std::string& library) { return sources.find(library); };
        try {
            types = ruby_source::Interpreter(std::move(files)).types_of(source.path, source.text);
        } catch (const Error&) {  // what it declares is not known: nothing is checked then
        }
    }
    for (ruby_source::TypeDescription& type : types) {
        if (type.name != name) continue;
        // A generated file names the parameter "provider" itself.
        if (source.path.ends_with(".rb"))
            type.has_providers = type.has_providers || sources.has_providers(name);
        return std::move(type);
    }
    return unknown;
}

}  // namespace

ruby_source::TypeDescription describe_module_type(const std::string& name,
                                                  const LanguageHost::SourceFile& source,
                                                  LanguageHost& host) {
    TypeSources sources(host, source.path);
    return describe_type(name, source, sources);
}

std::shared_ptr<const ResourceType> module_resource_type(const std::string& name,
                                                         const LanguageHost::SourceFile& source,
                                                         LanguageHost& host) {
    static FileCache<ModuleType> types;
    FileStamp stamp;  // the host has read the file; its text alone decides
    stamp.settled = false;
    const auto read = [&source] { return source.text; };
    const auto make = [&](const std::string&) {
        TypeSources sources(host, source.path);
        auto type = make_module_type(describe_type(name, source, sources));
        return std::make_shared<const ModuleType>(ModuleType{sources.asked(), std::move(type)});
    };
    const auto is_valid = [&](const ModuleType& known) {
        return TypeSources(host, source.path).same_answers(known.asked);
    };
    return types.get(name + " " + source.path, stamp, read, make, is_valid)->type;
}

}  // namespace volley
