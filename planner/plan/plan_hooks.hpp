#pragma once

#include <memory>
#include <string>
#include <unordered_map>

#include "language/evaluator/evaluator.hpp"

namespace volley::planner {

class PlanRun;

/// What the language cannot do by itself in plans: apply blocks. Everything else that belongs into catalogs
/// is an error (PLN-002).
class PlanHooks final : public CatalogHooks {
public:
    explicit PlanHooks(PlanRun& run) : run_(run) {}
    Value evaluate(Evaluator& evaluator, const ast::Node& node, const FramePtr& frame) override;
    const Value* class_variable(std::string_view, std::string_view) override { return nullptr; }
    Value parameter(Evaluator& evaluator, const ast::Node& node, const Type& type,
                    const std::string& name) override;

private:
    Value apply(Evaluator& evaluator, const ast::Apply& node, const FramePtr& frame);

    PlanRun& run_;
    std::unordered_map<const ast::Apply*, std::shared_ptr<const ast::Program>> blocks_;  // parsed before
};

}  // namespace volley::planner
