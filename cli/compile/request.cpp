#include "cli/compile/request.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "apply/compiler/compile.hpp"
#include "cli/compile/legacy_facts.hpp"
#include "cli/compile/project_code.hpp"
#include "language/compile.hpp"
#include "language/evaluator/epp.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/functions/builtin.hpp"
#include "language/functions/catalog_operations.hpp"
#include "language/loaders/disk_host.hpp"
#include "language/serialization/json.hpp"
#include "language/serialization/pcore_data.hpp"
#include "language/serialization/rich_data.hpp"
#include "language/syntax/lexer/characters.hpp"
#include "language/syntax/parser.hpp"
#include "language/syntax/pn.hpp"
#include "support/error.hpp"

namespace volley::cli {
namespace {

/// "a", "a::b", "::a".
bool is_variable_name(std::string_view name) {
    if (name.starts_with("::")) name.remove_prefix(2);
    for (;;) {
        const std::size_t end = std::min(name.find("::"), name.size());
        const std::string_view part = name.substr(0, end);
        const bool begins = !part.empty() && (part[0] == '_' || (part[0] >= 'a' && part[0] <= 'z'));
        if (!begins || !std::all_of(part.begin(), part.end(), is_word)) return false;
        if (end == name.size()) return true;
        name.remove_prefix(end + 2);
    }
}

/// $trusted of a run without a certificate.
Value local_trusted(const std::string& node) {
    const std::size_t dot = node.find('.');
    HashBuilder trusted;
    trusted.set("authenticated", "local").set("certname", node).set("extensions", HashBuilder().build());
    trusted.set("hostname", node.substr(0, dot));
    trusted.set("domain", dot == std::string::npos ? Value() : Value(node.substr(dot + 1)));
    trusted.set("external", HashBuilder().build());
    return trusted.build();
}

void set_all(Frame& frame, const Value& hash) {
    if (!hash.is_hash()) return;
    for (const auto& entry : hash.as_hash()) {
        if (entry.key.is_string()) frame.set(entry.key.as_string(), entry.value);
    }
}

Value render_template(Evaluator& evaluator, const Value& variables, const SourceText& source) {
    CallContext context{evaluator, evaluator.top(), nullptr, "epp", {}};
    return render_epp(context, source.text, source.file, variables.is_hash() ? &variables : nullptr);
}

Value run_script(const LanguageRequest& request, Environment& environment) {
    environment.add_builtins(refused_catalog_operations());
    Evaluator evaluator(environment);
    const Value variables = decoded_variables(request, environment);
    set_top_variables(*evaluator.top(), request, variables);
    Value value;
    for (const SourceText& source : request.sources) {
        value = request.epp ? render_template(evaluator, variables, source)
                            : evaluator.run(compile_program(source.text, environment, source.file));
    }
    return value;
}

LanguageOutcome parse_sources(const LanguageRequest& request, LanguageHost& host) {
    LanguageOutcome outcome;
    for (const SourceText& source : request.sources) {
        std::shared_ptr<const ast::Program> program;
        if (request.validate) {
            const CheckedProgram checked =
                check_program(source.text, request.settings,
                              {.file = source.file,
                               .epp = request.epp,
                               .file_namespace = request.places ? request.places->namespace_of(source.file)
                                                                : std::nullopt});
            report_diagnostics(checked, host);
            program = checked.program;
        } else {
            program = parse_program(
                source.text, {.file = source.file, .tasks = request.settings.tasks, .epp = request.epp});
        }
        const Pn tree = to_pn(*program);
        outcome.tree = tree.text();
        outcome.result = std::make_shared<Json>(tree.json());
    }
    return outcome;
}

/// For a manifest that reads a fact which newer facters do not print.
std::string legacy_fact_hint(std::string_view message) {
    constexpr std::string_view unknown = "Unknown variable: '";
    const std::size_t at = message.find(unknown);
    if (at == std::string_view::npos) return {};
    std::string_view name = message.substr(at + unknown.size());
    name = name.substr(0, name.find('\''));
    if (name.starts_with("::")) name.remove_prefix(2);
    const auto place = place_of_legacy_fact(name);
    if (!place) return {};
    return "'" + std::string(name) + "' is a legacy fact, whose value is now in $facts: " + *place +
           ". Pass the facts of the node with --facts (facter --json), or name it there.";
}

CompileRequest compile_request(const LanguageRequest& request, Environment& environment) {
    CompileRequest compile;
    compile.node = request.node;
    // A file of facts is what facter prints; an agent sends more, and modules count on it.
    const bool of_facter = request.facts.is_hash() && request.facts.as_hash().find("facterversion");
    const bool complete =
        request.complete_facts && (of_facter || request.mode == LanguageRequest::Mode::Catalog);
    compile.facts = complete ? completed_facts(request.facts, request.node) : request.facts;
    compile.trusted = request.trusted.is_hash() ? request.trusted : local_trusted(request.node);
    compile.server_facts = HashBuilder().set("environment", request.settings.environment).build();
    compile.variables = decoded_variables(request, environment);
    if (request.manifest_sources < request.sources.size()) compile.completed_first = request.manifest_sources;
    compile.classes = request.classes;
    HashBuilder settings;
    for (const auto& [key, value] : request.more_settings) settings.set(key, value);
    compile.settings = settings.build();
    compile.definition_cache = request.definition_cache;
    for (const SourceText& source : request.sources) compile.manifests.push_back({source.text, source.file});
    return compile;
}

LanguageOutcome run_checked(const LanguageRequest& request, LanguageHost& host) {
    if (request.mode == LanguageRequest::Mode::Parse) return parse_sources(request, host);
    LanguageOutcome outcome;
    outcome.environment = std::make_shared<Environment>(host, request.settings);
    if (request.mode == LanguageRequest::Mode::Script || request.epp) {
        outcome.value = run_script(request, *outcome.environment);
        return outcome;
    }
    const CompileRequest compiled = compile_request(request, *outcome.environment);
    Compilation compilation = compile(compiled, *outcome.environment);
    outcome.value = std::move(compilation.value);
    outcome.leftovers = std::move(compilation.leftovers);
    if (request.mode != LanguageRequest::Mode::Catalog) return outcome;
    if (request.puppet_catalog)
        outcome.catalog = std::make_shared<const Catalog>(std::move(compilation.catalog));
    else
        outcome.result = std::make_shared<Json>(catalog_to_comparable_json(
            compilation.catalog, {.virtual_resources = request.all_resources, .settings_class = false}));
    return outcome;
}

}  // namespace

Value decoded_variables(const LanguageRequest& request, Environment& environment) {
    if (!request.variables) return {};
    const PcoreWorld world{environment.types};
    HashBuilder hash;
    for (const auto& [name, data] : request.variables->items()) {
        if (!is_variable_name(name))
            throw Error("bolt/file-error", "The name '" + name + "' in --vars is not the name of a variable");
        try {
            hash.set(name.starts_with("::") ? name.substr(2) : name, from_pcore_data(data, world));
        } catch (const LanguageError& error) {
            throw Error("bolt/file-error", "The variable '" + name + "' in --vars: " + error.what());
        }
    }
    return hash.build();
}

void set_top_variables(Frame& top, const LanguageRequest& request, const Value& variables) {
    set_all(top, request.facts);
    if (request.facts.is_hash()) top.set("facts", request.facts);
    top.set("trusted", request.trusted.is_hash() ? request.trusted : local_trusted(request.node));
    top.set("environment", request.settings.environment);
    set_all(top, variables);
}

std::string LanguageFailure::full_message() const { return LanguageError(issue, message, at).full_message(); }

LanguageOutcome run_language_request(const LanguageRequest& request,
                                     const std::function<void(const LogEntry&)>& sink) {
    LanguageOutcome outcome;
    try {
        DiskHost host(request.environment, request.settings, sink);
        return run_checked(request, host);
    } catch (const LanguageError& error) {
        const std::string legacy = legacy_fact_hint(error.what());
        outcome.failure = LanguageFailure{error.what(), error.issue(), error.location(),
                                          legacy.empty() ? error.hint() : legacy};
    } catch (const Error& error) {
        outcome.failure = LanguageFailure{error.what(), {}, {}};
    }
    return outcome;
}

}  // namespace volley::cli
