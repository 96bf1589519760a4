#include "language/lookup/config/layer.hpp"

#include "language/errors.hpp"
#include "language/evaluator/environment.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/lookup/adapter.hpp"
#include "language/lookup/errors.hpp"
#include "language/lookup/invocation.hpp"
#include "language/lookup/merge.hpp"
#include "language/lookup/provider.hpp"
#include "language/types/types.hpp"

namespace volley::lookup {

std::string Layer::name() const {
    std::string text = place_ == Place::Global        ? "Global "
                       : place_ == Place::Environment ? "Environment "
                                                      : "Module ";
    if (!module_name_.empty()) text += "\"" + module_name_ + "\" ";
    text += "Data Provider";
    if (config_) text += " (hiera configuration version " + std::to_string(config_->version()) + ")";
    return text;
}

bool Layer::read(Invocation& invocation) {
    if (config_ || ignored_) return !ignored_;
    auto config = HieraConfig::read(config_path_, *this, invocation);
    if (place_ == Place::Global) {
        if (config->version() == 4) {
            config->fail("HIERA_UNSUPPORTED_VERSION_IN_GLOBAL",
                         "hiera.yaml version 4 cannot be used in the global layer");
        }
    } else if (config->version() <= 3) {
        const bool module = place_ == Place::Module;
        if (invocation.evaluator.environment().settings.strict == Strictness::Error) {
            config->fail("HIERA_VERSION_3_NOT_GLOBAL",
                         std::string("hiera.yaml version 3 cannot be used in ") +
                             (module ? "a module" : "an environment"));
        }
        invocation.adapter.warn_once("v3 " + config_path_,
                                     std::string("hiera.yaml version 3 found at ") +
                                         (module ? "module" : "the environment") +
                                         " root was ignored\n   (file: " + config_path_ + ")",
                                     invocation);
        ignored_ = true;
        return false;
    }
    config_ = std::move(config);
    return true;
}

std::optional<Value> Layer::find(const LookupKey& key, Invocation& invocation, const MergeStrategy& merge) {
    return as_lookup_error([&]() -> std::optional<Value> {
        const Invocation::NameGuard guard(invocation, key.text());
        if (!read(invocation)) return std::nullopt;
        return config_->version() == 3 ? find_version_3(key, invocation, merge)
                                       : find_in(key, invocation, merge, false);
    });
}

std::optional<Value> Layer::find_default(const LookupKey& key, Invocation& invocation,
                                         const MergeStrategy& merge) {
    if (config_->providers(invocation, *this, true).empty()) {
        invocation.report_not_found(key.text());
        return std::nullopt;
    }
    return as_lookup_error([&] {
        const Invocation::NameGuard guard(invocation, key.text());
        return find_in(key, invocation, merge, true);
    });
}

std::optional<Value> Layer::find_in(const LookupKey& key, Invocation& invocation, const MergeStrategy& merge,
                                    bool default_hierarchy) {
    const auto explained = invocation.explain(
        Explanation::Provider, Explainer::Subject{name(), {}, config_->path(), module_name_, {}});
    const auto& providers = config_->providers(invocation, *this, default_hierarchy);
    if (providers.empty()) {
        invocation.report_not_found(key.text());
        return std::nullopt;
    }
    return merge.lookup(providers.size(), invocation,
                        [&](std::size_t index) { return providers[index]->find(key, invocation, merge); });
}

/// Version 3 sees variables in its own way and has a merge behavior of its own for hiera_hash().
std::optional<Value> Layer::find_version_3(const LookupKey& key, Invocation& outer,
                                           const MergeStrategy& merge) {
    Adapter& adapter = outer.adapter;
    Invocation invocation(adapter, outer.evaluator, outer.scope, outer.overrides, outer.defaults,
                          outer.explainer());
    invocation.hiera_scope = true;
    invocation.global_only =
        invocation.global_only || outer.global_only || !adapter.has_environment_data(outer);
    invocation.hiera_call = outer.hiera_call;
    invocation.hiera_levels = outer.hiera_levels;
    invocation.top_key = outer.top_key;
    invocation.module_name = outer.module_name;
    const CurrentInvocation current(invocation);
    const MergeStrategy* strategy = &merge;
    const auto own = config_->merge_strategy();
    if (own && invocation.hiera_call && merge.kind() == MergeStrategy::Kind::Hash) {
        strategy = own.get();
        invocation.hiera_merge = true;
    }
    auto value = find_in(key, invocation, *strategy, false);
    if (!value || !invocation.hiera_call) return value;
    const MergeStrategy::Kind kind = strategy->kind();
    if (kind != MergeStrategy::Kind::Default && kind != MergeStrategy::Kind::First &&
        kind != MergeStrategy::Kind::Unique)
        assert_instance("value", *types::default_of(TypeKind::Hash), *value);
    if (key.dotted() && (kind == MergeStrategy::Kind::Hash || kind == MergeStrategy::Kind::Unique)) {
        throw LookupError(
            "Resolution type :" + std::string(kind == MergeStrategy::Kind::Hash ? "hash" : "array") +
            " is illegal when accessing values using dotted keys. Offending key was '" + key.text() + "'");
    }
    return value;
}

Value Layer::checked_hash(Value data, const std::string& subject, Invocation& invocation) const {
    assert_instance(subject, *types::default_of(TypeKind::Hash), data);
    if (place_ != Place::Module) return data;
    const std::string prefix = module_name_ + "::";
    const auto belongs = [&prefix](const Value& key) {
        return key.is_string() &&
               (key.as_string() == "lookup_options" || key.as_string().starts_with(prefix));
    };
    HashBuilder kept;
    for (const auto& entry : data.as_hash()) {
        if (belongs(entry.key)) {
            kept.set(entry.key, entry.value);
        } else {
            invocation.adapter.warn("Module '" + module_name_ + "': " + subject +
                                        " must use keys qualified with the name of the module",
                                    invocation);
        }
    }
    return kept.size() == data.as_hash().size() ? data : kept.build();
}

}  // namespace volley::lookup
