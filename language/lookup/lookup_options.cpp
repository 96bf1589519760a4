#include "language/lookup/lookup_options.hpp"

#include "language/errors.hpp"
#include "language/lookup/errors.hpp"

namespace volley::lookup {

LookupOptions::LookupOptions(const Value& options) {
    if (!options.is_hash()) return;
    HashBuilder by_key;
    for (const auto& [key, value] : options.as_hash()) {
        const std::string text = shown(key);
        if (text.starts_with('^'))
            patterns_.emplace_back(Regexp::compile(text), value);
        else
            by_key.set(key, value);
    }
    by_key_ = by_key.build();
}

const Value* LookupOptions::find(const std::string& key) const {
    if (!by_key_.is_hash()) return nullptr;
    if (const Value* own = by_key_.as_hash().find(key); own && !own->is_undef()) return own;
    for (const auto& [pattern, value] : patterns_) {
        if (pattern->matches(key)) return &value;
    }
    return nullptr;
}

void LookupOptions::check(const Value& options, const std::string& module) {
    if (options.is_undef()) return;
    if (!options.is_hash()) throw LookupError("value of lookup_options must be a hash");
    if (module.empty()) return;
    const std::string prefix = module + "::";
    for (const auto& entry : options.as_hash()) {
        const std::string key = shown(entry.key);
        if (key.starts_with('^') && key.compare(1, prefix.size(), prefix) != 0) {
            throw LookupError("all lookup_options patterns must match a key starting with module name '" +
                              module + "'");
        }
        if (!key.starts_with('^') && !key.starts_with(prefix))
            throw LookupError("all lookup_options keys must start with module name '" + module + "'");
    }
}

}  // namespace volley::lookup
