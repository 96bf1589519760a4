#include "language/lookup/adapter.hpp"

#include <algorithm>

#include "language/errors.hpp"
#include "language/evaluator/environment.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/lookup/data/data_store.hpp"
#include "language/lookup/errors.hpp"
#include "language/lookup/merge.hpp"
#include "language/text/text.hpp"
#include "language/types/parse.hpp"

namespace volley::lookup {
namespace {

constexpr const char* options_key = "lookup_options";

const Value* adapter_find_in(const Value& hash, const std::string& key) {
    return hash.is_hash() ? hash.as_hash().find(key) : nullptr;
}

Value adapter_checked(const std::string& subject, const TypePtr& type, const Value& value) {
    if (type) assert_instance(subject, *type, value);
    return value;
}

[[noreturn]] void fail_not_found(const std::vector<std::string>& names) {
    if (names.size() == 1)
        throw LookupError("Function lookup() did not find a value for the name '" + names[0] + "'");
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "'" : ", '") + name + "'";
    throw LookupError("Function lookup() did not find a value for any of the names [" + list + "]");
}

}  // namespace

Adapter::Adapter(const HieraSettings& settings) : settings_(settings) {}

Value Adapter::find(Invocation& invocation, const std::vector<std::string>& names, const TypePtr& type,
                    const Value& merge, const std::optional<Value>& otherwise,
                    const std::function<Value()>& block) {
    for (const std::string& name : names) {
        if (const Value* value = adapter_find_in(invocation.overrides, name)) {
            return adapter_checked("Value found for key '" + name + "' in override hash", type, *value);
        }
        if (const auto value = search(name, invocation, merge))
            return adapter_checked("Found value", type, *value);
    }
    for (const std::string& name : names) {
        if (const Value* value = adapter_find_in(invocation.defaults, name)) {
            return adapter_checked("Value found for key '" + name + "' in default values hash", type, *value);
        }
    }
    if (block) return adapter_checked("Value returned from default block", type, block());
    if (otherwise) return adapter_checked("Default value", type, *otherwise);
    fail_not_found(names);
}

std::optional<Value> Adapter::search(const std::string& name, Invocation& invocation, const Value& merge) {
    if (!settings_.store) return std::nullopt;
    if (name == options_key || name.starts_with("lookup_options.")) {
        const auto explained = invocation.explain(Explanation::InvalidKey, options_key);
        return std::nullopt;
    }
    const LookupKey key(name);
    invocation.top_key = name;
    invocation.module_name = key.module_name();
    const CurrentInvocation current(invocation);
    if (invocation.explainer() && invocation.explainer()->options_only()) {
        search_layers(LookupKey(options_key), invocation, Value("hash"));
        return Value();
    }
    const Value* options = options_of(key, invocation);
    const Value held = options ? *options : Value();
    Value strategy = merge;
    if (strategy.is_undef()) {
        if (const Value* given = adapter_find_in(held, "merge"); given && !given->is_undef()) {
            strategy = *given;
            invocation.report_merge_source(options_key);
        }
    }
    std::optional<Value> found;
    {
        const auto explained = invocation.explain(Explanation::Data, name);
        found = search_layers(key, invocation, strategy);
        if (!found && !invocation.global_only) {
            found = search_module_default(key, invocation);
            if (found) found = key.dig(invocation, *found);
        }
    }
    return found ? std::optional(converted(*std::move(found), key, held, invocation)) : std::nullopt;
}

std::optional<Value> Adapter::class_parameter(std::string_view class_name, std::string_view parameter,
                                              Invocation& invocation) {
    // Compilations ask for every parameter of every class, and most modules have no data at all.
    const std::string_view module = class_name.substr(0, class_name.find("::"));
    if (!invocation.explainer() && without_data_.contains(module)) return std::nullopt;
    const std::string name = std::string(class_name) + "::" + std::string(parameter);
    std::optional<Value> found = search(name, invocation, {});
    if (!found && holds_nothing(invocation.module_name)) without_data_.emplace(module);
    return found;
}

/// Whether the layers that a search of the module's keys has seen have no levels, so that none will ever have
/// a value.
bool Adapter::holds_nothing(const std::string& module) const {
    const auto own = modules_.find(module);
    return global_ && global_->has_no_levels() && environment_ && !*environment_ && own != modules_.end() &&
           !own->second;
}

Value Adapter::converted(Value value, const LookupKey& key, const Value& options, Invocation& invocation) {
    const Value* convert_to = adapter_find_in(options, "convert_to");
    if (!convert_to || convert_to->is_undef()) return value;
    std::vector<Value> arguments{*convert_to};
    if (convert_to->is_array()) arguments = convert_to->as_array().items();
    if (arguments.empty()) arguments.emplace_back();
    if (arguments[0].is_string()) {
        try {
            arguments[0] =
                Value(parse_type(arguments[0].as_string(), invocation.evaluator.environment().types));
        } catch (const LanguageError& error) {
            throw LookupError("Invalid data type in lookup_options for key '" + key.text() +
                              "' could not parse '" + arguments[0].as_string() + "', error: '" +
                              error.what());
        }
    }
    const std::string shown_arguments = to_text(Value(arguments));
    arguments.insert(arguments.begin() + 1, std::move(value));
    try {
        value = invocation.evaluator.call("new", std::move(arguments), nullptr, invocation.scope, {});
    } catch (const LanguageError& error) {
        throw LookupError("The convert_to lookup_option for key '" + key.text() +
                          "' raised error: " + error.what());
    }
    invocation.report_text("Applying convert_to lookup_option with arguments " + shown_arguments);
    return value;
}

std::optional<Value> Adapter::search_layers(const LookupKey& key, Invocation& invocation,
                                            const Value& merge) {
    const Merge strategy = MergeStrategy::from(merge);
    std::optional<Value> found;
    if (invocation.global_only) {
        found = search_global(key, invocation, *strategy);
    } else {
        found = strategy->lookup(3, invocation, [&](std::size_t layer) {
            if (layer == 0) return search_global(key, invocation, *strategy);
            return layer == 1 ? search_environment(key, invocation, *strategy)
                              : search_module(key, invocation, *strategy);
        });
    }
    return found ? key.dig(invocation, *found) : std::nullopt;
}

std::optional<Value> Adapter::search_global(const LookupKey& key, Invocation& invocation,
                                            const MergeStrategy& merge) {
    if (!global_) global_ = std::make_unique<Layer>(Layer::Place::Global, settings_.global_config);
    try {
        return global_->find(key, invocation, merge);
    } catch (const LookupError& error) {
        if (!error.issue().empty()) throw;
        throw DataError("Lookup of key '" + invocation.top_key + "' failed: " + error.what());
    }
}

std::optional<Value> Adapter::search_environment(const LookupKey& key, Invocation& invocation,
                                                 const MergeStrategy& merge) {
    Layer* layer = environment_layer(invocation);
    return layer ? layer->find(key, invocation, merge) : std::nullopt;
}

std::optional<Value> Adapter::search_module(const LookupKey& key, Invocation& invocation,
                                            const MergeStrategy& merge) {
    const std::string module = invocation.module_name;
    if (module.empty()) return std::nullopt;
    if (Layer* layer = module_layer(module, invocation)) return layer->find(key, invocation, merge);
    const bool known = invocation.evaluator.environment().host.module_path(module).has_value();
    invocation.report_module(module, known ? "module_provider_not_found" : "module_not_found");
    return std::nullopt;
}

std::optional<Value> Adapter::search_module_default(const LookupKey& key, Invocation& invocation) {
    const std::string module = invocation.module_name;
    Layer* layer = module.empty() ? nullptr : module_layer(module, invocation);
    if (!layer || !layer->has_default_hierarchy()) return std::nullopt;
    const auto explained =
        invocation.explain(Explanation::Scope, "Searching default_hierarchy of module \"" + module + "\"");
    if (!default_options_.contains(module)) {
        Invocation meta(*this, invocation.evaluator, invocation.scope);
        meta.top_key = options_key;
        meta.module_name = module;
        const CurrentInvocation current(meta);
        const auto searching = invocation.explain(Explanation::Scope, "Searching for \"lookup_options\"");
        const auto found =
            layer->find_default(LookupKey(options_key), meta, *MergeStrategy::from(Value("hash")));
        if (found) LookupOptions::check(*found, module);
        default_options_.emplace(module, LookupOptions(found.value_or(Value())));
    }
    const Value* options = default_options_.at(module).find(key.root());
    const Value* merge = options ? adapter_find_in(*options, "merge") : nullptr;
    const Merge strategy = MergeStrategy::from(merge ? *merge : Value());
    const auto searching = invocation.explain(Explanation::Scope, "Searching for \"" + key.text() + "\"");
    return layer->find_default(key, invocation, *strategy);
}

const Value* Adapter::options_of(const LookupKey& key, Invocation& invocation) {
    const std::string& module = key.module_name();
    auto known = options_.find(module);
    if (known == options_.end())
        known = options_.insert_or_assign(module, read_options(module, invocation)).first;
    return known->second.find(key.root());
}

LookupOptions Adapter::read_options(const std::string& module, Invocation& invocation) {
    const Merge strategy = MergeStrategy::from(Value("hash"));
    Invocation meta(*this, invocation.evaluator, invocation.scope);
    meta.top_key = options_key;
    meta.module_name = invocation.module_name;
    const CurrentInvocation current(meta);
    const auto explained = meta.explain(Explanation::Meta, options_key);
    if (meta.global_only) return LookupOptions(global_options(meta, *strategy));
    const Value outer = environment_options(meta, *strategy);
    if (module.empty()) return LookupOptions(outer);
    if (!options_.contains("")) options_.emplace("", LookupOptions(outer));
    const auto own = search_module(LookupKey(options_key), meta, *strategy);
    if (!own) return LookupOptions(outer);
    LookupOptions::check(*own, module);
    if (outer.is_undef() || own->is_undef()) return LookupOptions(outer.is_undef() ? *own : outer);
    const auto both = strategy->lookup(2, meta, [&](std::size_t index) -> std::optional<Value> {
        const auto from = meta.explain(Explanation::Scope,
                                       index == 0 ? "Global and Environment" : "Module " + meta.module_name);
        const Value& value = index == 0 ? outer : *own;
        meta.report_found(options_key, value);
        return value;
    });
    return LookupOptions(*both);
}

Value Adapter::global_options(Invocation& invocation, const MergeStrategy& merge) {
    if (!global_options_) {
        const Value found = search_global(LookupKey(options_key), invocation, merge).value_or(Value());
        LookupOptions::check(found, "");
        global_options_ = found;
    }
    return *global_options_;
}

Value Adapter::environment_options(Invocation& invocation, const MergeStrategy& merge) {
    if (environment_options_) return *environment_options_;
    const Value global = global_options(invocation, merge);
    const Value own = search_environment(LookupKey(options_key), invocation, merge).value_or(Value());
    LookupOptions::check(own, "");
    environment_options_ = global.is_undef() ? own : own.is_undef() ? global : merge.merge(global, own);
    return *environment_options_;
}

Layer* Adapter::environment_layer(Invocation& invocation) {
    if (!environment_) {
        std::unique_ptr<Layer> layer;
        const std::string path = settings_.environment_root + "/hiera.yaml";
        if (!settings_.environment_root.empty() && store().files().stamp(path)) {
            layer = std::make_unique<Layer>(Layer::Place::Environment, path);
            if (!layer->read(invocation)) layer.reset();
        }
        environment_ = std::move(layer);
    }
    return environment_->get();
}

Layer* Adapter::module_layer(const std::string& module, Invocation& invocation) {
    const auto known = modules_.find(module);
    if (known != modules_.end()) return known->second.get();
    std::unique_ptr<Layer> layer;
    const auto folder = invocation.evaluator.environment().host.module_path(module);
    const std::string path = folder ? *folder + "/hiera.yaml" : std::string();
    if (folder && store().files().stamp(path)) {
        layer = std::make_unique<Layer>(Layer::Place::Module, path, module);
        if (!layer->read(invocation)) layer.reset();
    }
    return modules_.emplace(module, std::move(layer)).first->second.get();
}

bool Adapter::has_environment_data(Invocation& invocation) {
    if (!settings_.store) return false;
    const Layer* layer = environment_layer(invocation);
    return layer && layer->config().version() >= 5;
}

Value Adapter::file_data(const std::string& path, const std::function<Value(const Value&)>& read) {
    const auto stamp = store().files().stamp(path);
    if (!stamp) throw EvalError("", "No such file or directory @ rb_file_s_stat - " + path);
    if (const auto known = files_.find(path);
        known != files_.end() && known->second.data && known->second.freshness.is_current(*stamp))
        return *known->second.data;
    const Value text = store().load(path, DataFormat::Text);
    FileData& kept = files_[path];
    const bool same = kept.freshness.is_same_text(*stamp, text.as_string());
    if (kept.data && same) return *kept.data;
    kept.data.reset();
    Value data = read(text);  // which may ask for files too
    files_[path].data = data;
    return data;
}

void Adapter::warn(const std::string& message, Invocation& invocation) {
    invocation.evaluator.environment().log({Severity::Warning, message, {}, {}});
}

void Adapter::warn_once(const std::string& id, const std::string& message, Invocation& invocation) {
    Environment& environment = invocation.evaluator.environment();
    environment.do_when_certain([this, &environment, id, message] {
        if (warned_.insert(id).second) environment.log({Severity::Warning, message, {}, {}});
    });
}

void Adapter::unknown_variable(const std::string& name, const std::string& key, Invocation& invocation) {
    const Strictness strict = invocation.evaluator.environment().settings.strict;
    if (strict == Strictness::Off) return;
    const std::string qualified = name.starts_with("::") ? name.substr(2) : name;
    const std::size_t separator = qualified.rfind("::");
    CatalogHooks::MissingVariable missing{name, ""};
    if (separator != std::string::npos) {
        const std::string class_name = qualified.substr(0, separator);
        const std::string variable = qualified.substr(separator + 2);
        CatalogHooks* catalog = invocation.evaluator.catalog();
        missing = catalog ? catalog->missing_variable(class_name, variable)
                          : CatalogHooks::of_unknown_class(class_name, variable);
    }
    // As from Puppet 8 on. A plan has no node: there it says that nothing can be interpolated.
    if (strict == Strictness::Error && invocation.lenient && !settings_.in_plan) {
        const std::string why = missing.reason.empty() ? "" : "; " + missing.reason;
        warn_once("interpolation of " + key,
                  "Interpolation failed with '" + key + "', but compilation continuing" + why +
                      "\n   (file & line not available)",
                  invocation);
    } else if (strict == Strictness::Warning) {
        warn_once("variable " + name,
                  "Undefined variable '" + missing.name + "'; " + missing.reason +
                      "\n   (file & line not available)",
                  invocation);
    } else {
        throw EvalError("", "Undefined variable '" + missing.name + "'; " + missing.reason);
    }
}

}  // namespace volley::lookup
