#include "planner/apply/catalog_source.hpp"

#include <algorithm>

#include "apply/compiler/compile.hpp"
#include "language/compile.hpp"
#include "language/errors.hpp"
#include "language/evaluator/wrapped_error.hpp"
#include "language/loaders/disk_host.hpp"
#include "language/logged_once.hpp"
#include "planner/apply/manifest_functions.hpp"
#include "planner/apply/puppetdb_access.hpp"
#include "planner/apply/trusted_data.hpp"
#include "planner/plan/plan_host.hpp"
#include "planner/types/plan_types.hpp"
#include "support/error.hpp"
#include "support/log.hpp"
#include "support/text.hpp"
#include "support/unicode/utf8.hpp"

namespace volley::planner {
namespace {

/// Takes out of `others` what `winners` has too, and logs that.
Value without_shadowed(const Value& winners, const Value& others, const std::string& winner,
                       const std::string& loser, std::vector<LogEntry>& logs) {
    if (!others.is_hash()) return HashBuilder().build();
    if (!winners.is_hash()) return others;
    HashBuilder kept;
    std::vector<std::string> names;
    for (const Hash::Entry& entry : others.as_hash()) {
        if (winners.as_hash().find(entry.key))
            names.push_back("$" + entry.key.as_string());
        else
            kept.set(entry.key, entry.value);
    }
    if (!names.empty()) {
        const std::string plural = names.size() == 1 ? "" : "s";
        std::string what = loser;
        what[0] = static_cast<char>(what[0] - 'a' + 'A');
        logs.push_back({Severity::Warning,
                        what + plural + " " + join(names, ", ") + " will be overridden by " + winner +
                            plural + " of the same name in the apply block",
                        "",
                        {}});
    }
    return kept.build();
}

Value merged_variables(const AppliedCode& code, const CatalogNode& node, std::vector<LogEntry>& logs) {
    const Value plan = without_shadowed(node.facts, code.variables, "fact", "plan variable", logs);
    Value target = without_shadowed(node.facts, node.variables, "fact", "target variable", logs);
    target = without_shadowed(plan, target, "plan variable", "target variable", logs);
    HashBuilder merged(target.as_hash());
    for (const Hash::Entry& entry : plan.as_hash()) merged.set(entry.key, entry.value);
    return merged.build();
}

/// Where the code between the braces begins: after the first brace that follows the arguments.
std::size_t apply_body_begin(const ast::Apply& block, std::string_view text) {
    const Span& last = block.arguments.back()->span;
    std::size_t at = last.begin + last.length;
    while (at < text.size() && text[at] != '{') {
        if (text[at] == '#') at = std::min(text.find('\n', at), text.size() - 1);
        if (text.substr(at).starts_with("/*")) at = std::min(text.find("*/", at), text.size() - 2) + 1;
        ++at;
    }
    return at + 1;
}

/// `text` with a blank for each character outside of begin..end, so that lines and columns stay.
std::string blanked_outside(std::string_view text, std::size_t begin, std::size_t end) {
    std::string kept;
    kept.reserve(end);
    for (std::size_t i = 0; i < begin; ++i) {
        if (text[i] == '\n')
            kept += '\n';
        else if (!continues_character(text[i]))
            kept += ' ';
    }
    kept += text.substr(begin, end - begin);
    return kept;
}

/// The world of one compilation: its logs wait until it is known whether it ends well.
class CatalogHost final : public DiskHost, public PuppetDbUser {
public:
    /// `node` must outlive it.
    CatalogHost(std::shared_ptr<const DiskEnvironment> environment, std::vector<LogEntry>& logs,
                const CatalogNode& node)
        : DiskHost(std::move(environment), apply_language_settings(),
                   [&logs](const LogEntry& entry) { logs.push_back(entry); }),
          node_(node) {}
    PuppetDbAccess* puppetdb_access() const noexcept override { return node_.databases.get(); }
    const std::string& usual_puppetdb() const noexcept override { return node_.database; }

private:
    const CatalogNode& node_;
};

}  // namespace

namespace {

/// The catalogs of all targets are one run: what one of them has warned of, the others need not.
std::shared_ptr<LoggedOnce> logged_by_catalogs() {
    static const auto logged = std::make_shared<LoggedOnce>();
    return logged;
}

}  // namespace

LanguageSettings apply_language_settings() {
    LanguageSettings settings;
    settings.strict = Strictness::Warning;
    settings.strict_variables = false;
    settings.deprecations = true;
    settings.logged = logged_by_catalogs();
    settings.environment = "bolt_catalog";
    return settings;
}

std::shared_ptr<const ast::Program> parse_manifest_text(std::string text, const std::string& file) {
    try {
        const CheckedProgram checked =
            check_program(std::move(text), apply_language_settings(), {.file = file, .file_namespace = {}});
        std::string problems;
        for (const Diagnostic& diagnostic : checked.diagnostics) {
            const std::string line = LanguageError("", diagnostic.message, diagnostic.at).full_message();
            if (diagnostic.severity != Severity::Err)
                log(LogLevel::Warn, "Puppet", line);
            else
                problems += (problems.empty() ? "" : "\n") + line;
        }
        if (!problems.empty()) throw Error("bolt/pal-error", "Failed to parse manifest: " + problems);
        return checked.program;
    } catch (const ParseError& error) {
        throw Error("bolt/pal-error", "Failed to parse manifest: " + error.full_message());
    }
}

std::shared_ptr<const ast::Program> program_of(const ast::Apply& block) {
    const std::string_view text = block.source->text();
    const std::size_t begin = apply_body_begin(block, text);
    const std::size_t end = block.span.begin + block.span.length - 1;
    // What is wrong with it was reported when the plan was read.
    return check_program(blanked_outside(text, begin, end), apply_language_settings(),
                         {.file = block.source->file(), .file_namespace = {}})
        .program;
}

Catalog compile_for(const AppliedCode& code, const std::shared_ptr<const DiskEnvironment>& environment,
                    const CatalogNode& node, std::vector<LogEntry>& logs,
                    std::shared_ptr<DefinitionCache> cache, bool resolve_deferred) {
    CompileRequest request;
    request.resolve_deferred = resolve_deferred;
    request.definition_cache = std::move(cache);
    request.node = node.name;
    request.facts = node.facts;
    request.server_facts = HashBuilder().build();
    request.variables = merged_variables(code, node, logs);
    request.programs.push_back(code.program);
    try {
        request.trusted = trusted_data(node.name, node.external_command);
        CatalogHost host(environment, logs, node);
        Environment language(host, apply_language_settings());
        add_manifest_language(language);
        return compile(request, language).catalog;
    } catch (const WrappedError& error) {
        throw Error("bolt/apply-error",
                    "Apply failed to compile for " + node.name + ": " + error.own_message());
    } catch (const LanguageError& error) {
        throw Error("bolt/apply-error", "Apply failed to compile for " + node.name + ": " +
                                            error.helpful_message() + " on node " + node.name);
    } catch (const Error& error) {
        throw Error("bolt/apply-error", "Apply failed to compile for " + node.name + ": " + error.what());
    }
}

void tell_compile_logs(const std::string& target, const std::vector<LogEntry>& logs) {
    for (const LogEntry& entry : logs) {
        // Compatibility: what a function logs has a source and no place.
        std::string message = entry.severity >= Severity::Warning && entry.at.known() && entry.source.empty()
                                  ? LanguageError("", entry.message, entry.at).full_message()
                                  : entry.message;
        if (!entry.source.empty()) message.insert(0, entry.source + ": ");
        message.insert(0, target + ": ");
        if (entry.issue.starts_with("RT_NO_STORECONFIGS"))
            log_warning("exported_resources", "Puppet", message);
        else
            log(log_level_of(entry.severity), "Puppet", message);
    }
}

}  // namespace volley::planner
