#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "inventory/targets/target.hpp"
#include "language/callable.hpp"
#include "language/types/native_type.hpp"
#include "planner/results/result.hpp"

namespace volley::planner {

/// Target, Result, ResultSet, ApplyResult, ResourceInstance, ContainerResult, Future (DT-001 to DT-007).
const NativeTypes& plan_types();

class ResourceObject;
/// The resources that plans noted of targets (FN-028), by target name and "Type[title]", in order.
using ResourceStore = std::map<std::string, std::vector<Ref<const ResourceObject>>>;

/// DT-001. Two are equal when they have the same name.
class TargetObject final : public ObjectBase {
public:
    TargetObject(inventory::Target target, std::shared_ptr<ResourceStore> resources)
        : target_(target), resources_(std::move(resources)) {}
    TypePtr type() const override { return plan_types().type("Target"); }
    std::optional<Value> attribute(std::string_view name) const override;
    std::string text() const override;
    bool equals(const Shared& other) const override;
    std::size_t hash() const override;
    /// What a method of no arguments returns: "host", "port", ...
    Value answer(std::string_view method) const;
    std::string name() const;
    /// A copy that shows the target as it is now, for other threads (DT-009). It has no inventory: do not
    /// ask it for target() or resources().
    Ref<const TargetObject> snapshot() const;
    bool is_snapshot() const noexcept { return snapshot_attributes_.is_hash(); }
    const inventory::Target& target() const noexcept { return target_; }
    ResourceStore& resources() const noexcept { return *resources_; }

private:
    TargetObject(const TargetObject& live, Value attributes, Value answers)
        : target_(live.target_),
          snapshot_attributes_(std::move(attributes)),
          snapshot_answers_(std::move(answers)) {}

    inventory::Target target_;
    std::shared_ptr<ResourceStore> resources_;
    Value snapshot_attributes_;  // hashes; undef in a live one
    Value snapshot_answers_;
};

/// DT-002 and, for the action "apply", DT-004.
class ResultObject final : public ObjectBase {
public:
    ResultObject(Result result, Ref<const TargetObject> target)
        : result_(std::move(result)), target_(std::move(target)) {}
    TypePtr type() const override;
    std::optional<Value> attribute(std::string_view name) const override;
    std::optional<Value> indexed(std::string_view key) const override;
    std::string text() const override { return result_.to_json_text(); }
    bool equals(const Shared& other) const override;
    std::size_t hash() const override { return std::hash<std::string>()(result_.target()); }
    const Result& result() const noexcept { return result_; }
    const Ref<const TargetObject>& target() const noexcept { return target_; }
    /// The value as the plan sees it: what a task calls _sensitive is Sensitive.
    const Value& value() const;
    /// An Error, or undef.
    Value error() const;

private:
    Result result_;
    Ref<const TargetObject> target_;
    mutable std::optional<Value> value_;  // made when somebody asks: most output is never looked at
};
using ResultRef = Ref<const ResultObject>;

/// ResultSet: the results of one action (DT-003).
class ResultSetObject final : public ObjectBase {
public:
    explicit ResultSetObject(std::vector<ResultRef> results) : results_(std::move(results)) {}
    TypePtr type() const override { return plan_types().type("ResultSet"); }
    std::optional<Value> attribute(std::string_view name) const override;
    std::string text() const override;
    bool equals(const Shared& other) const override;
    const std::vector<ResultRef>& results() const noexcept { return results_; }
    Value items() const override;
    bool ok() const;
    ResultSet plain() const;

private:
    std::vector<ResultRef> results_;
};

/// ContainerResult: what run_container returns (DT-005).
class ContainerResultObject final : public ObjectBase {
public:
    explicit ContainerResultObject(ContainerOutcome outcome) : outcome_(std::move(outcome)) {}
    TypePtr type() const override { return plan_types().type("ContainerResult"); }
    std::optional<Value> attribute(std::string_view name) const override;
    std::optional<Value> indexed(std::string_view key) const override;
    std::string text() const override;
    const ContainerOutcome& outcome() const noexcept { return outcome_; }

private:
    ContainerOutcome outcome_;
};

/// DT-006: what is known of one resource on a target. Compatibility: it changes in place, as Bolt's.
class ResourceObject final : public ObjectBase {
public:
    ResourceObject(Ref<const TargetObject> target, std::string type_name, std::string title, Value state,
                   Value desired_state, Value events);
    TypePtr type() const override { return plan_types().type("ResourceInstance"); }
    std::optional<Value> attribute(std::string_view name) const override;
    std::optional<Value> indexed(std::string_view key) const override;
    std::string text() const override { return reference(); }
    bool equals(const Shared& other) const override;
    std::size_t hash() const override { return std::hash<std::string>()(reference()); }
    /// "Type[title]"
    std::string reference() const { return type_name_ + "[" + title_ + "]"; }
    static std::string reference(std::string type_name, const std::string& title);
    const Ref<const TargetObject>& target() const noexcept { return target_; }

    mutable Value state;
    mutable Value desired_state;
    mutable Value events;

private:
    Ref<const TargetObject> target_;
    std::string type_name_;
    std::string title_;
};

struct PlanFuture;
/// Future: what background() returns (DT-007).
class FutureObject final : public ObjectBase {
public:
    explicit FutureObject(std::shared_ptr<PlanFuture> future) : future_(std::move(future)) {}
    TypePtr type() const override { return plan_types().type("Future"); }
    std::optional<Value> attribute(std::string_view name) const override;
    std::string text() const override;
    const std::shared_ptr<PlanFuture>& future() const noexcept { return future_; }

private:
    std::shared_ptr<PlanFuture> future_;
};

template <class T>
Value object_value(Ref<const T> object) {
    return Value(Kind::Object, Ref<const Shared>(object));
}
/// The object in a value when it is one of that class, else null.
template <class T>
const T* object_in(const Value& value) {
    return value.is(Kind::Object) ? dynamic_cast<const T*>(value.shared()) : nullptr;
}

/// An Error of the language (DT-008).
Value make_error_value(const std::string& msg, const Value& kind, const Value& details,
                       const Value& issue_code);
/// The same from {kind, msg, details, issue_code}.
Value make_error_value(const Json& error);
/// True for an Error of the language.
bool is_error_value(const Value& value);

/// A plan's value as JSON data (JSN-006): results, targets and errors in Bolt's shapes; a Sensitive redacted.
Json plan_json(const Value& value);

}  // namespace volley::planner
