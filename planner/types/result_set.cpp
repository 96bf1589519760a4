#include <algorithm>
#include <nlohmann/json.hpp>

#include "language/errors.hpp"
#include "language/evaluator/closure.hpp"
#include "language/functions/builtin.hpp"
#include "language/serialization/json.hpp"
#include "planner/types/declarations.hpp"
#include "planner/types/plan_types.hpp"

namespace volley::planner {
namespace {

const ResultSetObject& set_self(const Value& self) { return self.as<ResultSetObject>(); }

template <class Wanted>
Value set_filtered(const Value& self, const Wanted& wanted) {
    std::vector<ResultRef> chosen;
    const auto& all = set_self(self).results();
    std::copy_if(all.begin(), all.end(), std::back_inserter(chosen), wanted);
    return object_value(make_shared_object<ResultSetObject>(std::move(chosen)));
}

Value set_count(CallContext&, const Value& self, std::span<const Value>) {
    return set_self(self).results().size();
}
Value set_empty(CallContext&, const Value& self, std::span<const Value>) {
    return set_self(self).results().empty();
}
Value set_ok(CallContext&, const Value& self, std::span<const Value>) { return set_self(self).ok(); }
Value set_ok_set(CallContext&, const Value& self, std::span<const Value>) {
    return set_filtered(self, [](const ResultRef& one) { return one->result().ok(); });
}
Value set_error_set(CallContext&, const Value& self, std::span<const Value>) {
    return set_filtered(self, [](const ResultRef& one) { return !one->result().ok(); });
}
Value set_filter_set(CallContext& context, const Value& self, std::span<const Value>) {
    return set_filtered(
        self, [&context](const ResultRef& one) { return context.yield({object_value(one)}).truthy(); });
}
Value set_find(CallContext&, const Value& self, std::span<const Value> arguments) {
    const auto& all = set_self(self).results();
    // Compatibility: the last result of a name wins, as in a hash.
    const auto found = std::find_if(all.rbegin(), all.rend(), [&](const ResultRef& one) {
        return one->result().target() == arguments[0].as_string();
    });
    return found == all.rend() ? Value() : object_value(*found);
}
Value set_first(CallContext&, const Value& self, std::span<const Value>) {
    const auto& all = set_self(self).results();
    return all.empty() ? Value() : object_value(all.front());
}
Value set_names(CallContext&, const Value& self, std::span<const Value>) {
    std::vector<Value> names;
    for (const ResultRef& one : set_self(self).results()) names.emplace_back(one->result().target());
    return names;
}
Value set_targets(CallContext&, const Value& self, std::span<const Value>) {
    std::vector<Value> targets;
    for (const ResultRef& one : set_self(self).results()) targets.push_back(object_value(one->target()));
    return targets;
}
Value set_to_data(CallContext&, const Value& self, std::span<const Value>) {
    std::vector<Value> data;
    for (const ResultRef& one : set_self(self).results()) data.push_back(from_json(one->result().to_json()));
    return data;
}

/// Compatibility: with two numbers the second is the last index, not a length.
Value set_at(CallContext&, const Value& self, std::span<const Value> arguments) {
    const auto& all = set_self(self).results();
    const auto size = static_cast<std::int64_t>(all.size());
    const auto place = [size](const Value& index) {
        return index.as_integer() < 0 ? index.as_integer() + size : index.as_integer();
    };
    const std::int64_t from = place(arguments[0]);
    if (arguments.size() == 1) {
        return from < 0 || from >= size ? Value() : object_value(all[static_cast<std::size_t>(from)]);
    }
    if (from < 0 || from > size) return {};
    std::vector<Value> slice;
    const std::int64_t last = std::min(place(arguments[1]), size - 1);
    for (std::int64_t i = from; i <= last; ++i)
        slice.push_back(object_value(all[static_cast<std::size_t>(i)]));
    return slice;
}

Value set_create(CallContext&, const Hash& given) {
    std::vector<ResultRef> results;
    for (const Value& one : given.find("results")->as_array()) results.emplace_back(&one.as<ResultObject>());
    return object_value(make_shared_object<ResultSetObject>(std::move(results)));
}

}  // namespace

std::optional<Value> ResultSetObject::attribute(std::string_view name) const {
    if (name == "results") return items();
    return std::nullopt;
}

Value ResultSetObject::items() const {
    std::vector<Value> values;
    values.reserve(results_.size());
    for (const ResultRef& one : results_) values.push_back(object_value(one));
    return values;
}

bool ResultSetObject::ok() const {
    return std::all_of(results_.begin(), results_.end(),
                       [](const ResultRef& one) { return one->result().ok(); });
}

ResultSet ResultSetObject::plain() const {
    std::vector<Result> results;
    results.reserve(results_.size());
    for (const ResultRef& one : results_) results.push_back(one->result());
    return ResultSet(std::move(results));
}

std::string ResultSetObject::text() const {
    std::string text = "[";
    for (const ResultRef& one : results_) text += (text.size() > 1 ? "," : "") + one->text();
    return text + "]";
}

bool ResultSetObject::equals(const Shared& other) const {
    const auto* that = dynamic_cast<const ResultSetObject*>(&other);
    return that != nullptr && items() == that->items();
}

const NativeType& result_set_type() {
    static const NativeType type{
        .name = "ResultSet",
        .interface = R"(
            attributes => { 'results' => Array[Variant[Result, ApplyResult]] },
            functions => {
                count => Callable[[], Integer],
                empty => Callable[[], Boolean],
                error_set => Callable[[], ResultSet],
                filter_set => Callable[[0, 0, Callable], ResultSet],
                find => Callable[[String[1]], Optional[Variant[Result, ApplyResult]]],
                first => Callable[[], Optional[Variant[Result, ApplyResult]]],
                names => Callable[[], Array[String[1]]],
                ok => Callable[[], Boolean],
                ok_set => Callable[[], ResultSet],
                targets => Callable[[], Array[Target]],
                to_data => Callable[[], Array[Hash]],
                '[]' => Variant[Callable[[Integer], Any], Callable[[Integer, Integer], Any]]
            })",
        .methods = {{"count", set_count},
                    {"empty", set_empty},
                    {"error_set", set_error_set},
                    {"filter_set", set_filter_set},
                    {"find", set_find},
                    {"first", set_first},
                    {"names", set_names},
                    {"ok", set_ok},
                    {"ok_set", set_ok_set},
                    {"targets", set_targets},
                    {"to_data", set_to_data},
                    {"[]", set_at}},
        .create = set_create,
        .iterable = true,
    };
    return type;
}

}  // namespace volley::planner
