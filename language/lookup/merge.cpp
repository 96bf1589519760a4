#include "language/lookup/merge.hpp"

#include "language/errors.hpp"
#include "language/flattened.hpp"
#include "language/lookup/errors.hpp"
#include "language/lookup/invocation.hpp"
#include "language/types/parse.hpp"
#include "language/types/types.hpp"

namespace volley::lookup {
namespace {

struct MergeName {
    MergeStrategy::Kind kind;
    std::string_view name;
    std::string_view options;  // the type of the options
};

constexpr MergeName merge_names[] = {
    {MergeStrategy::Kind::Default, "default", "Struct[{strategy=>Optional[Pattern[/default/]]}]"},
    {MergeStrategy::Kind::First, "first", "Struct[{strategy=>Optional[Pattern[/first/]]}]"},
    {MergeStrategy::Kind::Unique, "unique", "Struct[{strategy=>Optional[Pattern[/unique/]]}]"},
    {MergeStrategy::Kind::Hash, "hash", "Struct[{strategy=>Optional[Pattern[/hash/]]}]"},
    {MergeStrategy::Kind::Deep, "deep",
     "Struct[{strategy=>Optional[Pattern[deep]],knockout_prefix=>Optional[String],merge_debug=>Optional["
     "Boolean],"
     "merge_hash_arrays=>Optional[Boolean],sort_merged_arrays=>Optional[Boolean]}]"},
    {MergeStrategy::Kind::UnconstrainedDeep, "unconstrained_deep", "Hash[String[1],Any]"},
    {MergeStrategy::Kind::ReverseDeep, "reverse_deep", "Hash[String[1],Any]"},
};

const MergeName& merge_entry(MergeStrategy::Kind kind) { return merge_names[static_cast<std::size_t>(kind)]; }

/// Compatibility: the types by which Puppet checks the two sides of a merge.
TypePtr merge_value_type(MergeStrategy::Kind kind) {
    switch (kind) {
        case MergeStrategy::Kind::Hash: {
            static const TypePtr type = parse_type("Hash[String,Data]");
            return type;
        }
        case MergeStrategy::Kind::Unique: {
            static const TypePtr type = parse_type("Variant[Scalar,Array[Data]]");
            return type;
        }
        default:
            return types::any();
    }
}

/// Ruby's array | array, and uniq.
Value merge_union(const Array& first, const Array* second) {
    HashBuilder seen;
    std::vector<Value> all;
    for (const Array* list : {&first, second}) {
        if (!list) continue;
        for (const Value& item : *list) {
            if (seen.contains(item)) continue;
            seen.set(item, true);
            all.push_back(item);
        }
    }
    return all;
}

bool merge_flag(const Hash& options, const char* name) {
    const Value* value = options.find(name);
    return value && value->truthy();
}

std::string merge_option_text(const Hash& options, const char* name) {
    const Value* value = options.find(name);
    return value && value->is_string() ? value->as_string() : std::string();
}

DeepMergeOptions deep_options(const Value& options) {
    DeepMergeOptions result;
    if (!options.is_hash()) return result;
    const Hash& given = options.as_hash();
    const Value* prefix = given.find("knockout_prefix");
    if (prefix && prefix->is_string() && prefix->as_string().empty())
        throw EvalError("", "knockout_prefix cannot be an empty string in deep_merge!");
    result.knockout_prefix = merge_option_text(given, "knockout_prefix");
    result.unpack_arrays = merge_option_text(given, "unpack_arrays");
    result.sort_merged_arrays = merge_flag(given, "sort_merged_arrays");
    result.merge_hash_arrays = merge_flag(given, "merge_hash_arrays");
    result.overwrite_arrays = merge_flag(given, "overwrite_arrays");
    result.extend_existing_arrays = merge_flag(given, "extend_existing_arrays");
    return result;
}

}  // namespace

std::shared_ptr<const MergeStrategy> MergeStrategy::from(const Value& merge) {
    static const std::shared_ptr<const MergeStrategy> plain(new MergeStrategy(Kind::Default, {}));
    if (!merge.truthy()) return plain;
    Value name = merge;
    Value options;
    if (merge.is_hash()) {
        const Value* strategy = merge.as_hash().find("strategy");
        if (!strategy || strategy->is_undef()) {
            throw EvalError(
                "",
                "The hash given as 'merge' must contain the name of a strategy in string form for "
                "the key 'strategy'");
        }
        name = *strategy;
        if (merge.as_hash().size() > 1) options = merge;
    }
    for (const MergeName& known : merge_names) {
        if (!name.is_string() || name.as_string() != known.name) continue;
        if (!options.is_undef()) assert_instance("The merge options", *parse_type(known.options), options);
        return std::shared_ptr<const MergeStrategy>(new MergeStrategy(known.kind, options));
    }
    throw EvalError("", "Unknown merge strategy: '" + shown(name) + "'");
}

std::string MergeStrategy::name() const { return std::string(merge_entry(kind_).name); }

Value MergeStrategy::options_without_strategy() const {
    if (!options_.is_hash()) return {};
    HashBuilder rest(options_.as_hash());
    rest.erase("strategy");
    const Value result = rest.build();
    return result.as_hash().empty() ? Value() : result;
}

Value MergeStrategy::convert(const Value& value) const {
    if (kind_ != Kind::Unique) return value;
    return flattened(value);
}

std::optional<Value> MergeStrategy::lookup(
    std::size_t count, Invocation& invocation,
    const std::function<std::optional<Value>(std::size_t)>& find) const {
    if (takes_first()) {
        for (std::size_t i = 0; i < count; ++i) {
            if (auto value = find(i)) return value;
        }
        return std::nullopt;
    }
    if (count == 1) {
        auto value = find(0);
        const bool list = value && kind_ == Kind::Unique && value->is_array();
        return list ? std::optional(merge_union(value->as_array(), nullptr)) : value;
    }
    if (count == 0) return std::nullopt;
    const auto explained = invocation.explain_merge(*this);
    std::optional<Value> merged;
    for (std::size_t i = 0; i < count; ++i) {
        const auto value = find(i);
        if (value) merged = merged ? merge(*merged, *value) : convert(*value);
    }
    if (merged) invocation.report_result(*merged);
    return merged;
}

Value MergeStrategy::merge(const Value& first, const Value& second) const {
    const TypePtr type = merge_value_type(kind_);
    assert_instance("The first element of the merge", *type, first);
    assert_instance("The second element of the merge", *type, second);
    switch (kind_) {
        case Kind::Unique:
            return merge_union(convert(first).as_array(), &convert(second).as_array());
        case Kind::Hash: {
            HashBuilder merged(second.as_hash());
            for (const auto& entry : first.as_hash()) merged.set(entry.key, entry.value);
            return merged.build();
        }
        case Kind::Deep:
        case Kind::UnconstrainedDeep:
            return deep_merge(first, second, deep_options(options_));
        case Kind::ReverseDeep:
            return deep_merge(second, first, deep_options(options_));
        default:
            return first;
    }
}

}  // namespace volley::lookup
