#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <system_error>

#include "language/ruby/ruby.hpp"
#include "planner/module_install/puppetfile.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/log.hpp"
#include "support/text.hpp"

namespace volley::modules {
namespace {

using Ruby = ruby_source::Node;

constexpr std::size_t longest_puppetfile = 1 << 20;  // bytes

/// Follows the statements of a Puppetfile. Lives for one file.
class PuppetfileReader {
public:
    explicit PuppetfileReader(const std::filesystem::path& path) : path_(path) {}

    Puppetfile read(std::string_view text) {
        if (text.size() > longest_puppetfile) broken(1, "it is larger than 1 MiB");
        if (!is_utf8(text)) broken(1, "it is not UTF-8");
        ruby_source::NodePtr program;
        try {
            program = ruby_source::parse_ruby(text);
        } catch (const Error& error) {  // a bracket or a quote that nothing closes
            throw Error("bolt/puppetfile-parsing",
                        fmt::format("Unable to parse Puppetfile {}: {}", path_.string(), error.what()));
        }
        for (const auto& statement : program->parts) directive(*statement);
        return std::move(puppetfile_);
    }

private:
    [[noreturn]] void broken(std::size_t line, const std::string& problem) const {
        throw Error("bolt/puppetfile-parsing",
                    fmt::format("Unable to parse Puppetfile {}: line {}: {}", path_.string(), line, problem));
    }
    [[noreturn]] void refused(std::size_t line, const std::string& problem) const {
        throw Error(
            "bolt/validation-error",
            fmt::format(
                "Unable to parse Puppetfile {}: line {}: {}. This Puppetfile might not be managed by Volley.",
                path_.string(), line, problem));
    }

    void directive(const Ruby& statement) {
        const bool call = statement.kind == Ruby::Kind::Call && !statement.first && !statement.block;
        if (call && statement.text == "mod") return module(statement);
        if (call && statement.text == "forge" && statement.parts.size() == 1)
            return;  // the configuration says where
        if (call && statement.text == "moduledir" && statement.parts.size() == 1)
            return module_folder(statement);
        broken(statement.line, "only 'mod', 'forge' and 'moduledir' with plain values are understood");
    }

    /// Modules always go to .modules: purging another folder could take the project's own modules.
    void module_folder(const Ruby& statement) const {
        if (const std::string folder = text_of(*statement.parts.front()); folder != ".modules") {
            log_warning("puppetfile_moduledir", "planner.modules",
                        fmt::format("{}: line {}: modules are installed into '.modules' and not into '{}'",
                                    path_.string(), statement.line, folder));
        }
    }

    /// A text or symbol without "#{}".
    std::string text_of(const Ruby& value) const {
        if (value.kind != Ruby::Kind::Text && value.kind != Ruby::Kind::Symbol)
            broken(value.line, "a string is expected here");
        std::string text;
        for (const auto& part : value.parts) {
            if (part->kind != Ruby::Kind::Text || !part->parts.empty())
                broken(value.line, "only plain text is understood");
            text += part->text;
        }
        return text;
    }

    void module(const Ruby& call) {
        if (call.parts.empty() || call.parts.size() > 2)
            broken(call.line, "'mod' takes a name and a version or options");
        const std::string title = text_of(*call.parts.front());
        PuppetfileModule module;
        module.line = call.line;
        const Ruby* second = call.parts.size() == 2 ? call.parts[1].get() : nullptr;
        const bool options = second && second->kind == Ruby::Kind::Hash;
        const auto name = options ? ModuleName::parse_with_optional_owner(title) : ModuleName::parse(title);
        if (!name) {
            refused(call.line,
                    fmt::format(
                        "module '{}' is not a Puppet Forge or Git module: a module of the Forge is called "
                        "'owner/name'",
                        title));
        }
        module.name = *name;
        if (options)
            read_options(*second, title, module);
        else if (second && second->kind != Ruby::Kind::Nil)
            read_version(*second, module);
        keep(std::move(module));
    }

    void read_version(const Ruby& value, PuppetfileModule& module) const {
        const std::string text = text_of(value);
        module.latest = value.kind == Ruby::Kind::Symbol && text == "latest";
        if (module.latest) return;
        module.version = value.kind == Ruby::Kind::Text ? parse_version(text) : std::nullopt;
        if (!module.version)
            refused(value.line,
                    fmt::format("Invalid version for Forge module {}: \"{}\"", module.name.full(), text));
    }

    void read_options(const Ruby& hash, const std::string& title, PuppetfileModule& module) {
        for (std::size_t i = 0; i + 1 < hash.parts.size(); i += 2) {
            if (!hash.parts[i]) broken(hash.line, "only plain options are understood");
            const std::string key = text_of(*hash.parts[i]);
            const Ruby& value = *hash.parts[i + 1];
            if (key == "local") {
                if (value.kind == Ruby::Kind::True) module.kind = PuppetfileModule::Kind::Local;
            } else if (key == "git") {
                module.kind = PuppetfileModule::Kind::Git;
                module.git = text_of(value);
            } else if (key == "ref" || key == "tag" || key == "branch" || key == "commit") {
                module.ref = text_of(value);
            } else if (key == "exclude_spec") {
                // Whether r10k removes the module's tests; nothing here reads them.
            } else {
                refused(value.line,
                        fmt::format("module '{}' is not a Puppet Forge or Git module: the option '{}' is not "
                                    "understood",
                                    title, key));
            }
        }
        if (module.kind == PuppetfileModule::Kind::Git) check_git(hash, title, module);
        if (module.kind == PuppetfileModule::Kind::Forge)
            refused(hash.line, fmt::format("module '{}' is not a Puppet Forge or Git module", title));
    }

    void check_git(const Ruby& hash, const std::string& title, PuppetfileModule& module) const {
        module.name.owner.clear();
        if (module.ref.empty()) module.ref = "HEAD";
        if (!is_git_url(module.git)) {
            refused(hash.line,
                    fmt::format(
                        "module '{}' has the URL '{}', which must begin with 'git@', 'http://', 'https://', "
                        "'ssh://' or 'file://'",
                        title, module.git));
        }
        if (!is_git_ref(module.ref))
            refused(hash.line, fmt::format("module '{}' has the invalid ref '{}'", title, module.ref));
    }

    void keep(PuppetfileModule module) {
        if (!names_.insert(module.name.name).second)
            refused(module.line, fmt::format("module '{}' is listed twice", module.name.name));
        puppetfile_.modules.push_back(std::move(module));
    }

    const std::filesystem::path& path_;
    Puppetfile puppetfile_;
    std::set<std::string> names_;
};

}  // namespace

Puppetfile parse_puppetfile(std::string_view text, const std::filesystem::path& path) {
    return PuppetfileReader(path).read(text);
}

Puppetfile read_puppetfile(const std::filesystem::path& path) {
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) return {};
    return parse_puppetfile(read_file(path, "Puppetfile"), path);
}

}  // namespace volley::modules
