#include "planner/apply/plan_snapshot.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "language/callable.hpp"
#include "language/errors.hpp"
#include "language/evaluator/evaluator.hpp"
#include "language/text/text.hpp"
#include "planner/types/plan_types.hpp"

namespace volley::planner {
namespace {

/// One target is copied once, however often the variables of a plan name it.
class SnapshotMaker {
public:
    Value copy(const Value& value);

private:
    Ref<const TargetObject> target(const TargetObject& live);
    ResultRef result(const ResultObject& live);
    Value object(const Value& value);
    Value error(const ObjectBase& live);

    std::map<std::string, Ref<const TargetObject>> targets_;
};

Ref<const TargetObject> SnapshotMaker::target(const TargetObject& live) {
    Ref<const TargetObject>& known = targets_[live.name()];
    if (!known) known = live.snapshot();
    return known;
}

ResultRef SnapshotMaker::result(const ResultObject& live) {
    auto made = make_shared_object<ResultObject>(live.result(), target(*live.target()));
    made->value();  // computed now: later the target may have changed
    return made;
}

Value SnapshotMaker::object(const Value& value) {
    if (const auto* one = object_in<TargetObject>(value)) return object_value(target(*one));
    if (const auto* one = object_in<ResultObject>(value)) return object_value(result(*one));
    if (const auto* set = object_in<ResultSetObject>(value)) {
        std::vector<ResultRef> results;
        for (const ResultRef& one : set->results()) results.push_back(result(*one));
        return object_value(make_shared_object<ResultSetObject>(std::move(results)));
    }
    if (const auto* resource = object_in<ResourceObject>(value)) {
        return object_value(make_shared_object<ResourceObject>(
            target(*resource->target()), resource->attribute("type")->as_string(),
            resource->attribute("title")->as_string(), resource->state, resource->desired_state,
            resource->events));
    }
    if (object_in<FutureObject>(value)) return value.as<ObjectBase>().text();
    if (is_error_value(value)) return error(value.as<ObjectBase>());
    return value;  // another object that never changes
}

/// Its details may hold results.
Value SnapshotMaker::error(const ObjectBase& live) {
    const auto part = [&live](const char* name) { return live.attribute(name).value_or(Value()); };
    return make_error_value(Evaluator::text(part("msg")), part("kind"), copy(part("details")),
                            part("issue_code"));
}

Value SnapshotMaker::copy(const Value& value) {
    const NestingGuard nesting;
    switch (value.kind()) {
        case Kind::Array: {
            std::vector<Value> items;
            for (const Value& item : value.as_array()) items.push_back(copy(item));
            return items;
        }
        case Kind::Hash: {
            HashBuilder hash;
            for (const Hash::Entry& entry : value.as_hash()) hash.set(copy(entry.key), copy(entry.value));
            return hash.build();
        }
        case Kind::Sensitive:
            return Value::sensitive(copy(value.unwrap_sensitive()));
        case Kind::Object:
            return object(value);
        case Kind::Iterator:
        case Kind::Callable:
        case Kind::Opaque:
            return to_text(value);
        default:
            return value;
    }
}

}  // namespace

Value snapshot(const Value& value) { return SnapshotMaker().copy(value); }

}  // namespace volley::planner
