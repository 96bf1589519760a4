#include "language/errors.hpp"
#include "language/evaluator/environment.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/functions/builtin.hpp"
#include "language/lookup/adapter.hpp"
#include "language/lookup/context.hpp"
#include "language/lookup/data/data_store.hpp"
#include "language/lookup/data/eyaml.hpp"
#include "language/lookup/invocation.hpp"

namespace volley::builtins {
namespace {

lookup::Invocation& data_invocation(const Value& context) {
    const auto* object = dynamic_cast<const lookup::LookupContext*>(context.shared());
    if (!object) throw EvalError("", "a Puppet::LookupContext was expected");
    return object->invocation();
}

/// The hash in a YAML file; an empty file is an empty hash, with a warning.
Value yaml_hash(const std::string& path, lookup::Invocation& invocation) {
    Value data = invocation.adapter.store().load(path, lookup::DataFormat::Yaml);
    if (data.is_hash()) return data;
    const std::string message = path + ": file does not contain a valid yaml hash";
    const bool nothing = data.is_undef() || (data.is(Kind::Boolean) && !data.as_boolean());
    if (!nothing && invocation.evaluator.environment().settings.strict == Strictness::Error)
        throw LookupError(message);
    invocation.adapter.warn_once("no hash " + path, message, invocation);
    return HashBuilder().build();
}

const std::string& data_path(const Value& options) { return options.as_hash().find("path")->as_string(); }

Value yaml_data(CallContext&, std::span<const Value> args) {
    return yaml_hash(data_path(args[0]), data_invocation(args[1]));
}
Value json_data(CallContext&, std::span<const Value> args) {
    return data_invocation(args[1]).adapter.store().load(data_path(args[0]), lookup::DataFormat::Json);
}
Value hocon_data(CallContext&, std::span<const Value> args) {
    return data_invocation(args[1]).adapter.store().load(data_path(args[0]), lookup::DataFormat::Hocon);
}

Value eyaml_lookup_key(CallContext&, std::span<const Value> args) {
    const auto* context = dynamic_cast<const lookup::LookupContext*>(args[2].shared());
    if (!context) throw EvalError("", "a Puppet::LookupContext was expected");
    const Value* path = args[1].as_hash().find("path");
    if (!path || !path->is_string()) {
        throw EvalError(
            "",
            "'eyaml_lookup_key': one of 'path', 'paths' 'glob', 'globs' or 'mapped_paths' must be declared "
            "in hiera.yaml when using this lookup_key function");
    }
    const Value data = yaml_hash(path->as_string(), context->invocation());
    const Value* raw = data.as_hash().find(args[0]);
    if (!raw) throw lookup::NoSuchKey();
    return lookup::decrypted(*raw, args[0].as_string(), args[1].as_hash(), context->invocation());
}

Value data_without_path(CallContext& context, std::span<const Value>) {
    throw EvalError(
        "", "'" + std::string(context.name) +
                "' one of 'path', 'paths' 'glob', 'globs' or 'mapped_paths' must be declared in hiera.yaml "
                "when using this data_hash function");
}

std::vector<Dispatch> data_dispatches(Dispatch::Body body) {
    return {{.params = {{"Struct[{path=>String[1]}]", "options"}, {"Puppet::LookupContext", "context"}},
             .call = body},
            {.params = {{"Hash", "options"}, {"Puppet::LookupContext", "context"}},
             .call = data_without_path,
             .explains = true}};
}

}  // namespace

const Builtin& yaml_data_builtin() {
    static const Builtin def{.name = "yaml_data",
                             .doc = "For hiera.yaml: the hash in a YAML file.",
                             .pure = true,
                             .dispatches = data_dispatches(yaml_data)};
    return def;
}
const Builtin& json_data_builtin() {
    static const Builtin def{.name = "json_data",
                             .doc = "For hiera.yaml: the hash in a JSON file.",
                             .pure = true,
                             .dispatches = data_dispatches(json_data)};
    return def;
}
const Builtin& hocon_data_builtin() {
    static const Builtin def{.name = "hocon_data",
                             .doc = "For hiera.yaml: the hash in a HOCON file.",
                             .pure = true,
                             .dispatches = data_dispatches(hocon_data)};
    return def;
}
const Builtin& eyaml_lookup_key_builtin() {
    static const Builtin def{
        .name = "eyaml_lookup_key",
        .doc = "For hiera.yaml: a value in a YAML file that may hold encrypted texts, decrypted.",
        .pure = true,
        .dispatches = {{.params = {{"String[1]", "key"},
                                   {"Hash[String[1],Any]", "options"},
                                   {"Puppet::LookupContext", "context"}},
                        .call = eyaml_lookup_key}},
    };
    return def;
}

}  // namespace volley::builtins
