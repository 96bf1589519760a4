#include "cli/language/request.hpp"

#include <nlohmann/json.hpp>

#include "apply/compiler/compile.hpp"
#include "language/compile.hpp"
#include "language/evaluator/epp.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/functions/builtin.hpp"
#include "language/json.hpp"
#include "language/loaders/disk_host.hpp"
#include "language/rich_data.hpp"
#include "language/syntax/parser.hpp"
#include "language/syntax/pn.hpp"
#include "support/error.hpp"

namespace volley::cli {
namespace {

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

Value render_template(Evaluator& evaluator, const LanguageRequest& request, const SourceText& source) {
    CallContext context{evaluator, evaluator.top(), nullptr, "epp", {}};
    return render_epp(context, source.text, source.file,
                      request.variables.is_hash() ? &request.variables : nullptr);
}

Value run_script(const LanguageRequest& request, Environment& environment) {
    Evaluator evaluator(environment);
    set_top_variables(*evaluator.top(), request);
    Value value;
    for (const SourceText& source : request.sources) {
        value = request.epp ? render_template(evaluator, request, source)
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
                               .file_namespace = request.environment->namespace_of(source.file)});
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

CompileRequest compile_request(const LanguageRequest& request) {
    CompileRequest compile;
    compile.node = request.node;
    compile.facts = request.facts;
    compile.trusted = request.trusted.is_hash() ? request.trusted : local_trusted(request.node);
    compile.server_facts = HashBuilder().set("environment", request.settings.environment).build();
    compile.variables = request.variables;
    compile.classes = request.classes;
    HashBuilder settings;
    for (const auto& [key, value] : request.more_settings) settings.set(key, value);
    compile.settings = settings.build();
    compile.shelf = request.shelf;
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
    Compilation compilation = compile(compile_request(request), *outcome.environment);
    outcome.value = std::move(compilation.value);
    outcome.leftovers = std::move(compilation.leftovers);
    if (request.mode != LanguageRequest::Mode::Catalog) return outcome;
    if (request.puppet_catalog)
        outcome.catalog = std::make_shared<const Catalog>(std::move(compilation.catalog));
    else
        outcome.result = std::make_shared<Json>(catalog_to_conformance_json(compilation.catalog));
    return outcome;
}

}  // namespace

void set_top_variables(Frame& top, const LanguageRequest& request) {
    set_all(top, request.facts);
    if (request.facts.is_hash()) top.set("facts", request.facts);
    top.set("trusted", request.trusted.is_hash() ? request.trusted : local_trusted(request.node));
    top.set("environment", request.settings.environment);
    set_all(top, request.variables);
}

std::string LanguageFailure::full_message() const { return LanguageError(issue, message, at).full_message(); }

LanguageOutcome run_language_request(const LanguageRequest& request,
                                     const std::function<void(const LogEntry&)>& sink) {
    LanguageOutcome outcome;
    try {
        DiskHost host(request.environment, request.settings, sink);
        return run_checked(request, host);
    } catch (const LanguageError& error) {
        outcome.failure = LanguageFailure{error.what(), error.issue(), error.location()};
    } catch (const Error& error) {
        outcome.failure = LanguageFailure{error.what(), {}, {}};
    }
    return outcome;
}

}  // namespace volley::cli
